/* sections/critical.tsx: the section "Critical path". */
import { percent, seconds } from "../format";
import { Explain, Into, N_TOP, Part, PartProps, Places, SMALL, headingOf } from "./pieces";

const NOTED = 0.01; /* waits in non-blocking collectives, of allocated core time */

export function Critical({ store }: PartProps) {
    const { model } = store;
    const metric = model.metricById("critical_path");
    const total = metric < 0 ? 0 : model.head.metrics[metric].total ?? 0;
    const impact = model.metricById("critical_imbalance_impact");
    const resources = ["critical_imbalance_impact", "critical_path_activities", "non_critical_path_activities"]
        .reduce((sum, id) => sum + (model.head.metrics[model.metricById(id)]?.total ?? 0), 0);
    const cost = impact < 0 ? 0 : model.head.metrics[impact].total ?? 0;
    const collectives = model.head.metrics[model.metricById("mpi_nbc_wait")]?.total ?? 0;
    if (!(total > 0) || model.nLocations < 2)
        return null;
    return (
        <Part id="critical" title={<>{headingOf(model, "critical")} <Explain store={store} id="critical_path" /></>}>
            <p class="lead">The longest chain of dependent activities. It determines the run time: the run gets shorter only where this chain does.</p>
            <p>Length <Into store={store} to={{ metrics: [metric] }}>{seconds(total)}</Into>{cost > SMALL * resources &&
                <>; <Into store={store} to={{ metrics: [impact] }}>imbalance impact</Into> {seconds(cost)} ({percent(cost / resources)} % of allocated
                    core time)</>}.</p>
            {collectives >= NOTED * resources && <p class="lead">A call that waits in a non-blocking collective is on the path itself: the
                path does not go on at the process that it waits for.</p>}
            <Places store={store} metric={metric} n={N_TOP} />
        </Part>
    );
}

/* sections/balance.tsx: the section "Load balance". */
import { percent, plural, seconds } from "../format";
import type { Balance, Model } from "../model";
import { nameOfMost, workMetric } from "../rank";
import { Explain, Into, Part, PartProps, Places, SMALL, headingOf } from "./pieces";

function balanceWords(model: Model, balance: Balance): string {
    const { value, average, threads, processes } = balance;
    const name = nameOfMost(model, balance);
    return `Load balance efficiency: ${percent(average / value)} % (mean / maximum computation time of ${plural(threads, "CPU thread")}). `
        + `${name[0].toUpperCase()}${name.slice(1)} computes longest: ${seconds(value)}, ${percent(value / average - 1)} % above the mean of ${seconds(average)}. `
        + (value > 1.05 * average ? `Potential saving: at most ${seconds(value - average)}.` : `The computation is well balanced over the ${processes === threads ? "processes" : "threads"}.`);
}

export function LoadBalance({ store }: PartProps) {
    const { model } = store;
    const work = workMetric(model);
    const above = model.metricById("imbalance_above");
    const overload = above < 0 ? 0 : model.head.metrics[above].total ?? 0;
    const balance = model.head.balance ?? null;
    if (work < 0 || balance === null)
        return null;
    return (
        <Part id="balance" title={<>{headingOf(model, "balance")}{above >= 0 && <> <Explain store={store} id="imbalance" /></>}</>}>
            <p>{balanceWords(model, balance)} <Into store={store} to={{ metrics: [work] }}>{model.head.metrics[work].name} per process</Into></p>
            {overload > SMALL * (model.head.metrics[work].total ?? 0) && (
                <>
                    <p class="lead">Computation above the mean, {seconds(overload)}, by call path</p>
                    <Places store={store} metric={above} />
                </>
            )}
        </Part>
    );
}

/* sections/waits.tsx: the section "Top wait states". */
import { useMemo, useState } from "preact/hooks";
import { seconds } from "../format";
import { Statistics, instancesOf, statisticsOf } from "../instances";
import type { Model } from "../model";
import { waitStates } from "../rank";
import { mainMetric, type Store } from "../store";
import { shellWord } from "../views/instance_commands";
import { Amount, Explain, Into, More, N_TOP, Part, PartProps, Places, headingOf, qualified } from "./pieces";

function WaitState({ store, metric, whole, most }: { store: Store; metric: number; whole: number; most: number }) {
    const { model } = store;
    const { id, name, total, what } = model.head.metrics[metric];
    const statistics = statisticsOf(model, id);
    return (
        <li class="wait-state" data-metric={id}>
            <h3><Amount text={seconds(total ?? 0)} share={(total ?? 0) / whole} bar={(total ?? 0) / most} />
                <span class="what"><Into store={store} to={{ metrics: [metric] }}>{qualified(model, metric)}</Into> <Explain store={store} id={id} /></span></h3>
            <p class="lead">{what || name}{statistics !== null && <> <Statistics row={statistics} /></>}
                {instancesOf(model, id).length > 0 && <> <button class="link" onClick={() =>
                    document.querySelector(`[data-instances="${CSS.escape(id)}"]`)?.scrollIntoView({ behavior: "smooth" })}>timeline</button></>}</p>
            <Places store={store} metric={metric} />
        </li>
    );
}

/* The command that adds timelines, of a report of an analysis that has none; null: there is none. */
function timelineCommand(model: Model): string | null {
    const has = (key: string): string | undefined => model.head.attributes.find(([own]) => own === key)?.[1];
    const archive = has("Heddle::Archive");
    return archive === undefined || has("Heddle::Algebra") !== undefined || has("Heddle::Cut") !== undefined || model.table("instances") !== null
        ? null : `heddle analyze ${shellWord(archive)} --instances 10 -o instances.cubex --html`;
}

export function WaitStates({ store }: PartProps) {
    const { model } = store;
    const [n, setN] = useState(N_TOP);
    const whole = model.head.metrics[mainMetric(model)]?.total ?? 0;
    const all = useMemo(() => waitStates(model), [model]);
    const command = timelineCommand(model);
    const has = model.head.metrics.some(metric => metric.wait);
    return (
        <Part id="waits" title={headingOf(model, "waits")}>
            {all.length === 0 && <p>{has ? "None: no process or thread waited for another."
                : "The report has none: a profile has the time of calls, but not the waiting time in them. Analyse a trace of the same run to get it."}</p>}
            {all.length > 0 && <p class="lead">Percent of all time; below a wait state, percent of its waiting time.</p>}
            <ol class="ranked">
                {all.slice(0, n).map(metric => <WaitState key={metric} store={store} metric={metric} whole={whole}
                    most={model.head.metrics[all[0]].total ?? 0} />)}
            </ol>
            <More n={all.length - n} what="wait state" onClick={() => setN(all.length)} />
            {all.length > 0 && command !== null && <p class="lead">Timelines of the most severe ones: <code>{command}</code></p>}
        </Part>
    );
}

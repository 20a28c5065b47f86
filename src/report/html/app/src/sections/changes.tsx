/* sections/changes.tsx: of a difference: the metrics that changed the most. */
import { useMemo, useState } from "preact/hooks";
import { signed, withUnit } from "../format";
import { useMetrics } from "../hooks";
import { changes, largestOf } from "../rank";
import { Store, mainMetric } from "../store";
import { childrenInside, metricValues, pathValues } from "../values";
import { SourceOf } from "../source";
import { Amount, Explain, Into, Loading, More, N_PLACES, N_TOP, Part, PartProps, PathName, headingOf, together } from "./pieces";

function ChangedMetric({ store, metric, change, most }: { store: Store; metric: number; change: number; most: number }) {
    const { model } = store;
    const { id, name, what, unit } = model.head.metrics[metric];
    const term = useMemo(() => ({ metric, without: childrenInside(model, metric) }), [metric]);
    const loaded = useMetrics(model, [metric, ...term.without]);
    const places = useMemo(() => {
        const sums = loaded === true ? pathValues(model, [term]) : new Float64Array(0);
        return largestOf(sums.map(Math.abs), N_PLACES).map(path => [path, sums[path]] as const);
    }, [loaded]);
    const target = { metrics: [metric], own: term.without.length > 0 };
    const text = (value: number): string => signed(withUnit(value, unit), value);
    return (
        <li class="change" data-metric={id}>
            <h3><Amount text={text(change)} share={NaN} bar={change / most} sign={change} />
                <span class="what"><Into store={store} to={target} title={what}>{name}</Into>
                    {term.without.length > 0 && <small> (exclusive)</small>} <Explain store={store} id={id} /></span></h3>
            {loaded !== true && <Loading text={loaded} />}
            <ul class="places">
                {places.map(([path, value]) => (
                    <li key={path}>
                        <Amount text={text(value)} share={NaN} bar={value / places[0][1]} sign={value} />
                        <span class="what"><Into store={store} to={{ ...target, path }}><PathName model={model} path={path} among={places.map(([other]) => other)} /></Into>
                            <SourceOf model={model} path={path} /></span>
                    </li>
                ))}
            </ul>
        </li>
    );
}

export function Changes({ store }: PartProps) {
    const { model } = store;
    const root = mainMetric(model);
    const { name, total, unit } = model.head.metrics[root];
    const [n, setN] = useState(2 * N_TOP);
    const own = useMemo(() => metricValues(model).own, [model]);
    const ranked = useMemo(() => changes(model, root, own), [model]);
    return (
        <Part id="changes" title={headingOf(model, "difference")}>
            <p>{name}, {together(model)}: <b>{signed(withUnit(total ?? NaN, unit), total ?? NaN)}</b>.</p>
            {model.head.attributes.filter(([key]) => key === "Heddle::Algebra" || key === "Heddle::Locations")
                .map(([key, value]) => <p key={key} class="lead">{key === "Heddle::Locations" ? `Processes and threads: ${value}` : value[0].toUpperCase() + value.slice(1)}.</p>)}
            <p class="lead">Values of the first report are subtracted from those of the second. Positive values take longer in the second.</p>
            {ranked.length === 0 && <p>No differences.</p>}
            <ol class="ranked">
                {ranked.slice(0, n).map(metric =>
                    <ChangedMetric key={metric} store={store} metric={metric} change={own[metric]} most={Math.abs(own[ranked[0]])} />)}
            </ol>
            <More n={ranked.length - n} what="metric" onClick={() => setN(ranked.length)} />
        </Part>
    );
}

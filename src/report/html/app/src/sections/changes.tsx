/* sections/changes.tsx: of a difference: how long A and B take, the causes that have changed, wait states, and metrics: what heddle diff prints. */
import { useMemo } from "preact/hooks";
import { grouped, isSeconds, percent, plural, seconds, signed, withUnit } from "../format";
import type { ChangedPath, Difference, Measured, Model, RunOfDifference } from "../model";
import type { Store } from "../store";
import { SourceOf } from "../source";
import { ranges } from "../who";
import { Amount, Explain, Into, Part, PartProps, PathName, headingOf } from "./pieces";

const SIGNIFICANT = 0.05;

/* ---- numbers of A and B ------------------------------------------------------------------------------------------------- */

const textOf = (value: number, unit: string): string => (isSeconds(unit) ? seconds(value) : withUnit(value, unit));

/* "+1,042 %" of A; "" where both have nothing. */
function changeOf({ b, relative }: Measured): string {
    if (relative === null)
        return b === 0 ? "" : "new";
    return `${signed(relative >= 10 ? grouped(100 * relative) : percent(relative), relative)} %`;
}

/* "343 ms → 3.92 s, +1,042 %" */
function bothOf(values: Measured, unit = "s"): string {
    const change = changeOf(values);
    return `${textOf(values.a, unit)} → ${textOf(values.b, unit)}${change === "" ? "" : `, ${change}`}`;
}

/* Of several runs: whether it is noise. */
function Noise({ values, unit = "s" }: { values: Measured; unit?: string }) {
    const { p, deviation_a: a, deviation_b: b } = values;
    if (p === null || a === null || b === null)
        return null;
    return <small> ± {textOf(a, unit)}, ± {textOf(b, unit)}; p {p < 0.001 ? "< 0.001" : `= ${p.toPrecision(2)}`}: {p < SIGNIFICANT ? "" : "not "}more than noise</small>;
}

function Names({ name, runs }: { name: string; runs: RunOfDifference[] }) {
    return (
        <>
            {runs.map((run, i) => (
                <li key={i}><b>{name}</b>: {run.path}, {plural(run.processes, "process", "processes")}, {plural(run.locations, "location")}
                    {run.is_incomplete && <em>, incomplete</em>}</li>
            ))}
        </>
    );
}

function Wall({ difference }: { difference: Difference }) {
    const { wall, runs } = difference;
    const n = Math.min(runs.a.length, runs.b.length);
    const isSame = wall !== null && seconds(wall.a) === seconds(wall.b);
    return (
        <>
            {wall === null ? <p>How long A and B take is unknown.</p>
                : isSame ? <p id="wall">B takes as long as A: <b>{seconds(wall.a)}</b> ({wall.of})</p>
                    : <p id="wall">B takes <b>{(wall.b / wall.a).toPrecision(3)} × as long</b>: {seconds(wall.a)} → {seconds(wall.b)} ({wall.of})
                        <Noise values={wall} /></p>}
            <ul class="plain"><Names name="A" runs={runs.a} /><Names name="B" runs={runs.b} /></ul>
            {n === 1 && <p class="lead">{runs.a.length === runs.b.length ? "1 run each" : "1 run of one of them"}: not tested whether a difference is more than noise.</p>}
            {n > 1 && <p class="lead">Means of {runs.a.length} and {runs.b.length} runs, with standard deviations and the p of Welch&apos;s t test.</p>}
            {difference.summed !== null && <p class="lead">{difference.summed}.</p>}
            {difference.different_programs !== null && <p class="lead">{difference.different_programs}.</p>}
        </>
    );
}

/* ---- call paths --------------------------------------------------------------------------------------------------------- */

/* The call path of the page that has these names; -1: none, or several. */
function pathNamed(model: Model, names: string[]): number {
    const { parent } = model.head.paths;
    const matches = (path: number, depth: number): boolean =>
        path < 0 ? depth < 0 : depth >= 0 && model.pathName(path) === names[depth] && matches(parent[path], depth - 1);
    const found = parent.flatMap((_, path) => (matches(path, names.length - 1) ? [path] : []));
    return found.length === 1 ? found[0] : -1;
}

function Carriers({ place }: { place: ChangedPath }) {
    const { carrying_processes: processes, carrying_threads: threads } = place;
    const [word, numbers] = processes.length > 0 ? [processes.length === 1 ? "process" : "processes", processes] : [threads.length === 1 ? "thread" : "threads", threads];
    return numbers.length === 0 ? null : <span class="who">{word} {ranges(numbers)}</span>;
}

function Place({ store, metric, place, most }: { store: Store; metric: number; place: ChangedPath; most: number }) {
    const { model } = store;
    const path = useMemo(() => pathNamed(model, place.call_path), [model, place]);
    const name = path >= 0 ? <PathName model={model} path={path} /> : <>{place.call_path.join(" › ")}</>;
    return (
        <li>
            <Amount text={signed(seconds(place.difference), place.difference)} share={NaN} bar={place.difference / most} sign={place.difference} />
            <span class="what">{path >= 0 && metric >= 0 ? <Into store={store} to={{ metrics: [metric], path }}>{name}</Into> : name}
                <small> {bothOf(place)}</small><Noise values={place} /><Carriers place={place} />
                {path >= 0 && <SourceOf model={model} path={path} />}</span>
        </li>
    );
}

function ChangedPaths({ store, title, id, metric, places }: { store: Store; title: string; id: string; metric: string; places: ChangedPath[] | null }) {
    const { model } = store;
    if (places === null || places.length === 0)
        return null;
    return (
        <div id={id}>
            <h3>{title}{" "}<Explain store={store} id={metric} /></h3>
            <ul class="places">
                {places.map((place, i) => <Place key={i} store={store} place={place} most={places[0].difference}
                    metric={model.head.metrics.findIndex(other => other.id === metric)} />)}
            </ul>
        </div>
    );
}

function ChangedWaits({ store, difference }: { store: Store; difference: Difference }) {
    const { model } = store;
    if (difference.waits.length === 0)
        return null;
    return (
        <div id="changed-waits">
            <h3>Wait states</h3>
            <ol class="ranked">
                {difference.waits.map(wait => {
                    const metric = model.head.metrics.findIndex(other => other.id === wait.metric);
                    return (
                        <li key={wait.metric} class="wait-state" data-metric={wait.metric}>
                            <h3><Amount text={signed(seconds(wait.difference), wait.difference)} share={NaN} bar={wait.difference / difference.waits[0].difference} sign={wait.difference} />
                                <span class="what">{metric >= 0 ? <Into store={store} to={{ metrics: [metric] }}>{wait.name}</Into> : wait.name}
                                    <small> {bothOf(wait)}</small><Noise values={wait} /> <Explain store={store} id={wait.metric} /></span></h3>
                            <ul class="places">
                                {wait.call_paths.map((place, i) => <Place key={i} store={store} metric={metric} place={place} most={wait.call_paths[0].difference} />)}
                            </ul>
                        </li>
                    );
                })}
            </ol>
        </div>
    );
}

/* The metrics that have a line of their own in the terminal, of times, but for the wait states above. */
function ChangedMetrics({ store, difference }: { store: Store; difference: Difference }) {
    const { model } = store;
    const named = new Set(difference.waits.map(wait => wait.metric));
    const shown = difference.metrics.filter(metric => metric.is_shown && !named.has(metric.metric) && (metric.a !== 0 || metric.b !== 0));
    return (
        <div id="changed-metrics">
            <h3>Metrics</h3>
            <table class="figures">
                <thead><tr><th scope="col">metric</th><th scope="col">A</th><th scope="col">B</th><th scope="col">B − A</th><th scope="col">relative to A</th></tr></thead>
                <tbody>
                    {shown.map(metric => {
                        const number_ = model.head.metrics.findIndex(other => other.id === metric.metric);
                        return (
                            <tr key={metric.metric} data-metric={metric.metric}>
                                <th scope="row">{number_ >= 0 ? <Into store={store} to={{ metrics: [number_] }}>{metric.name}</Into> : metric.name}</th>
                                <td>{textOf(metric.a, metric.unit)}</td><td>{textOf(metric.b, metric.unit)}</td>
                                <td>{signed(textOf(metric.difference, metric.unit), metric.difference)}</td>
                                <td>{changeOf(metric)}</td>
                            </tr>
                        );
                    })}
                </tbody>
            </table>
        </div>
    );
}

export function Changes({ store }: PartProps) {
    const { model } = store;
    const { difference } = model.head;
    return (
        <Part id="changes" title={headingOf(model, "difference")}>
            {difference !== undefined && (
                <>
                    <Wall difference={difference} />
                    <p class="lead">Values below are sums over all processes. The values of A are subtracted from those of B: positive values take longer in B.
                        {!difference.is_startup_counted && " Start-up (MPI_Init, MPI_Finalize) is not counted here; the explorer counts it."}</p>
                    <ChangedPaths store={store} id="changed-causes" title="Causes that have changed (delay costs)" metric="delay" places={difference.causes} />
                    <ChangedPaths store={store} id="changed-critical" title="Computation on the critical path" metric="critical_path" places={difference.critical_path} />
                    <ChangedWaits store={store} difference={difference} />
                    {difference.causes === null && difference.critical_path === null
                        && <ChangedPaths store={store} id="changed-time" title="Time by call path" metric="time" places={difference.call_paths} />}
                    <ChangedMetrics store={store} difference={difference} />
                </>
            )}
        </Part>
    );
}

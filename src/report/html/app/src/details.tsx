/* details.tsx: what is selected in a pane, in words: a metric, a call path or region, processes. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { number, plural, seconds, withUnit } from "./format";
import { Instance, Statistics, instancesOf, processName, statisticsOf } from "./instances";
import type { Model } from "./model";
import { Lines, placeOf } from "./source";
import type { Store } from "./store";
import type { NodeValues } from "./values";

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
    return <><dt>{name}</dt><dd>{children}</dd></>;
}

export function MetricDetails({ store }: { store: Store }) {
    const { state, model } = store;
    const metric = model.head.metrics[state.metrics[0]];
    const total = metric.extreme ? metric.total ?? NaN : state.metrics.reduce((sum, m) => sum + (model.head.metrics[m].total ?? NaN), 0);
    return (
        <>
            <p>{metric.what || <i>The report does not say what this metric is.</i>}</p>
            <dl>
                <Fact name="metric"><code>{metric.id}</code>{state.metrics.length > 1 && ` and ${plural(state.metrics.length - 1, "other")}`}</Fact>
                <Fact name={metric.extreme ? "extreme" : "total"}>{withUnit(total, metric.unit, metric.integer)}{state.metrics.length > 1 && ", together"}</Fact>
            </dl>
            <button class="link" onClick={() => store.set({ explain: metric.id })}>What it means</button>
        </>
    );
}

export function regionPlace(model: Model, region: number): string {
    const { file, begin } = model.head.regions[region];
    return file === "" || file === "MPI" ? "" : `\n${file}${begin >= 0 ? `:${begin}` : ""}`;
}

function visitsOf(model: Model, paths: number[], whole: boolean): number | null {
    const metric = model.metricById("visits");
    if (metric < 0)
        return null;
    const sums = model.pathSums(metric);
    return paths.reduce((sum, p) => sum + (whole ? sums.subarray(p, model.pathEnd[p]).reduce((a, b) => a + b, 0) : sums[p]), 0);
}

/* Of a wait state: how often, how long, and the worst time at this call path. */
function WaitDetails({ store, path }: { store: Store; path: number }) {
    const { model, state } = store;
    const { id } = model.head.metrics[state.metrics[0]];
    const statistics = statisticsOf(model, id, path);
    const [worst] = instancesOf(model, id, path);
    return (
        <>
            {statistics !== null && <p>Waits here: <Statistics row={statistics} /></p>}
            {worst !== undefined && (
                <details class="worst"><summary>Most severe instance here: {seconds(Number(worst.waiting))}, {processName(model, worst)}</summary>
                    <Instance store={store} row={worst} /></details>
            )}
        </>
    );
}

export function CallDetails({ store }: { store: Store }) {
    const { state, model } = store;
    const flat = store.flat(state.root);
    const node = state.flat ? state.regions[0] : state.paths[0];
    if (node === undefined)
        return <p>{model.nPaths === 0 ? "There are no call paths." : `No ${state.flat ? "region" : "call path"} is selected: the system tree shows all of them together.`}</p>;
    const region = state.flat ? node % flat.nRegions : model.head.paths.region[node];
    const { name, file, begin, paradigm, role } = model.head.regions[region];
    const paths = state.flat ? flat.pathsOf(node) : [node];
    const count = visitsOf(model, paths, false);
    const n = state.flat ? state.regions.length : state.paths.length;
    const place = state.flat ? null : placeOf(model, node);
    const excerpt = place !== null ? model.excerptAt(place.file, place.line) : model.excerptAt(file, begin);
    return (
        <>
            {state.flat ? <p>{plural(paths.length, "call path")} of <b>{name}</b></p>
                : <p class="path">{model.pathNames(node).map((word, i) => <>{i > 0 && <i> › </i>}<span>{word}</span></>)}</p>}
            <dl>
                {n > 1 && <Fact name="selected">{n}</Fact>}
                {!state.flat && model.pathName(node) !== name && <Fact name="region">{name}</Fact>}
                {file !== "" && file !== "MPI" && <Fact name="file">{file}{begin >= 0 && `, line ${begin}`}</Fact>}
                {place !== null && place.path !== node && <Fact name="within">{model.pathName(place.path)}, {place.file}, line {place.line}</Fact>}
                {place !== null && place.isCall && <Fact name="called at">{place.file}, line {place.line}</Fact>}
                {(paradigm !== "" || role !== "") && <Fact name="kind">{[paradigm, role].filter(word => word !== "").join(", ")}</Fact>}
                {count !== null && <Fact name="visits">{number(count, true)}</Fact>}
                {!state.flat && <Fact name="number">{model.head.paths.number[node]} in the report</Fact>}
            </dl>
            {excerpt !== null && <Lines excerpt={excerpt} />}
            {!state.flat && <WaitDetails store={store} path={node} />}
        </>
    );
}

export function SystemDetails({ store, values, metric }: { store: Store; values: NodeValues; metric: number }) {
    const { state, model, system } = store;
    const { unit, integer } = model.head.metrics[metric];
    const peers = useMemo(() => {
        const own = values.inclusive.subarray(system.nNodes, system.nNodes + system.nGroups);
        const there = Array.from(own).filter(value => !Number.isNaN(value));
        if (there.length < 2)
            return null;
        let least = 0, most = 0;
        own.forEach((value, g) => {
            if (value < own[least] || Number.isNaN(own[least]))
                least = g;
            if (value > own[most] || Number.isNaN(own[most]))
                most = g;
        });
        return { least, most, own, mean: there.reduce((a, b) => a + b, 0) / there.length };
    }, [values]);
    const node = state.system[0];
    const text = (value: number): string => withUnit(value, unit, integer);
    return (
        <dl>
            {node !== undefined && <Fact name={system.kind(node)}>{system.name(node)}: {text(values.inclusive[node])}
                {state.system.length > 1 && ` and ${plural(state.system.length - 1, "other")}`}</Fact>}
            {peers !== null && (
                <>
                    <Fact name="least">{text(peers.own[peers.least])}, {model.groupName(peers.least)}</Fact>
                    <Fact name="mean">{text(peers.mean)}</Fact>
                    <Fact name="most">{text(peers.own[peers.most])}, {model.groupName(peers.most)}</Fact>
                </>
            )}
        </dl>
    );
}


/* panes.tsx: metrics, call paths and system beside each other, each for what is selected to the left of it. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Model } from "./model";
import { colourOf, gradient } from "./colour";
import { openTo } from "./forest";
import { full, number, percent, plural, signed as withSign, unitText, withUnit } from "./format";
import { useMetrics } from "./hooks";
import { Instance, Statistics, instancesOf, statisticsOf } from "./instances";
import { Mode, PaneId, modesOf } from "./state";
import { Lines, ownPlaceText, placeOf } from "./source";
import type { Store } from "./store";
import { TreeHandle, TreeView } from "./tree";
import { NodeValues, Term, accumulate, joinOf, locationValues, metricValues, metricsOf, pathValues, peaks, runsOf, termsOf } from "./values";
import type { Display, MountedView, SystemView, ViewContext } from "./view";
import { systemViews } from "./views/index";

export type PaneHandles = Record<PaneId, TreeHandle | null>;

const MODE_TEXT: Record<Mode, string> = {
    absolute: "absolute", root: "own root percent", metric: "metric selection percent", selection: "call selection percent",
    peers: "peer distribution", maximum: "peer percent",
};

const OPENED_MOST = 64;        /* rows of the tree that are opened to when a view selects more at once */

const isBelowZero = (values: NodeValues): boolean => values.inclusive.some(v => v < 0) || values.own.some(v => v < 0);

const largest = (values: ArrayLike<number>): number => {
    let most = 0;
    for (let i = 0; i < values.length; i++)
        if (Math.abs(values[i]) > most)
            most = Math.abs(values[i]);
    return most;
};

function share(value: number, whole: number): number {
    return whole === 0 ? (value === 0 ? 0 : NaN) : value / Math.abs(whole);
}

const SYSTEM_COLUMN = 1.25;             /* its width, where the widths of the others are shares */

/* ---- the three ---------------------------------------------------------------------------------------------------------- */

export function Trees({ store, dark, handles, active }: {
    store: Store; dark: boolean; handles: PaneHandles; active: { current: PaneId };
}) {
    const { state, model } = store;
    const termsKey = JSON.stringify(termsOf(model, state.metrics, state.open.metric));
    const terms = useMemo(() => JSON.parse(termsKey) as Term[], [termsKey]);
    const loaded = useMetrics(model, metricsOf(terms));
    const [columns, setColumns] = useState<[number, number]>([1, 1.3]);
    const box = useRef<HTMLDivElement>(null);
    const style = { gridTemplateColumns: `minmax(0, ${columns[0]}fr) 5px minmax(0, ${columns[1]}fr) 5px minmax(0, ${SYSTEM_COLUMN}fr)` };

    function drag(which: 0 | 1, event: PointerEvent): void {
        const width = box.current!.clientWidth;
        const start = event.clientX, from = columns[which];
        const per = (columns[0] + columns[1] + SYSTEM_COLUMN) / width;
        const bar = event.currentTarget as HTMLElement;
        bar.setPointerCapture(event.pointerId);
        bar.onpointermove = move => {
            const next: [number, number] = [...columns];
            next[which] = Math.max(0.25, from + (move.clientX - start) * per);
            setColumns(next);
        };
        bar.onpointerup = () => (bar.onpointermove = null);
    }

    return (
        <main class="trees">
            <div class="tools">
                <label>threshold <input type="number" id="hide" min="0" max="100" step="0.1" value={state.hide}
                    onInput={event => store.set({ hide: Math.min(Math.max(Number((event.target as HTMLInputElement).value) || 0, 0), 100) })} /> %</label>
                <label><input type="checkbox" checked={state.details} onChange={() => store.set({ details: !state.details })} /> details</label>
            </div>
            <div class="panes" ref={box} style={style}>
                <MetricPane store={store} dark={dark} handles={handles} active={active} />
                <div class="splitter" onPointerDown={event => drag(0, event)} />
                {loaded === true
                    ? <Coupled store={store} dark={dark} handles={handles} active={active} terms={terms} drag={event => drag(1, event)} />
                    : <section class="pane waiting" role="status">{loaded === false ? "Reading the values\u2026" : loaded}</section>}
            </div>
        </main>
    );
}

interface PaneProps {
    store: Store;
    dark: boolean;
    handles: PaneHandles;
    active: { current: PaneId };
}

/* The roots of the metric tree as they are shown: all about delays together, behind the first of them. Those that Heddle adds to Scalasca's
 * are roots, as Scalasca's sum does not contain them. */
function shownRoots(model: Model): number[] {
    const isDelay = (m: number): boolean => /^delay(_|$)/.test(model.head.metrics[m].id);
    const roots = Array.from(model.metricTree.roots);
    const delays = roots.filter(isDelay);
    return roots.flatMap(m => (m === delays[0] ? delays : isDelay(m) ? [] : [m]));
}

/* Metrics that are zero everywhere, with all below them. */
function zeroMetrics(model: Model): Set<number> {
    const zeros = new Set<number>();
    for (let m = model.nMetrics - 1; m >= 0; m--)
        if (model.isZero(m) && Array.from(model.metricTree.children(m)).every(child => zeros.has(child)))
            zeros.add(m);
    return zeros;
}

/* Those of them that are not shown: what is selected is, and what is above it. */
function hiddenMetrics(model: Model, zeros: ReadonlySet<number>, isShown: boolean, selected: number[]): ReadonlySet<number> {
    const hidden = new Set(isShown ? [] : zeros);
    for (let m of selected)
        for (; m >= 0; m = model.metricTree.parent[m])
            hidden.delete(m);
    return hidden;
}

function MetricPane({ store, dark, handles, active }: PaneProps) {
    const { state, model } = store;
    const { metrics, kind } = model.head;
    const tree = model.metricTree;
    const values = useMemo(() => metricValues(model), [model]);
    const roots = useMemo(() => Int32Array.from({ length: tree.n }, (_, i) => i).map(i => {
        while (tree.parent[i] >= 0)
            i = tree.parent[i];
        return i;
    }), [tree]);
    const scales = useMemo(() => {
        const peak = peaks(tree, values);
        const signed = new Uint8Array(tree.n).fill(kind === "difference" ? 1 : 0);      /* by root */
        for (let i = 0; i < tree.n; i++)
            if (values.inclusive[i] < 0)       /* own parts are, too, where children overlap: these are no reason for other colours */
                signed[roots[i]] = 1;
        return { peak, share: peak.map((p, i) => (peak[roots[i]] === 0 ? 0 : p / peak[roots[i]])), signed };
    }, [tree, values, roots]);
    const shown = useMemo(() => shownRoots(model), [model]);
    const zeros = useMemo(() => zeroMetrics(model), [model]);
    const hidden = useMemo(() => hiddenMetrics(model, zeros, state.zeros, state.metrics), [zeros, state.zeros, state.metrics]);
    const signed = scales.signed[roots[state.metrics[0]]] === 1;
    const mode = state.mode.metric;
    const metric = metrics[state.metrics[0]];

    function display(node: number, value: number): Display {
        const root = roots[node];
        const text = mode === "root" ? percent(share(value, values.inclusive[root])) : number(value, metrics[node].integer);
        return { text: kind === "difference" ? withSign(text, value) : text, fraction: share(value, scales.peak[root]) };
    }
    return (
        <Pane id="metric" title="Metric tree" store={store} active={active} handles={handles}
            legend={{ from: signed ? "less" : "0", to: signed ? "more" : "root metric", signed, dark }}
            details={<MetricDetails store={store} />}
            unit={mode === "absolute" ? "" : "%"}
            below={zeros.size > 0 && (
                <p class="zeros"><button class="link" aria-pressed={state.zeros} onClick={() => store.set({ zeros: !state.zeros })}>
                    {state.zeros ? `Hide ${plural(zeros.size, "metric")} that ${zeros.size === 1 ? "is" : "are"} zero`
                        : `${plural(zeros.size, "more metric")} ${zeros.size === 1 ? "is" : "are"} zero`}</button></p>
            )}>
            <TreeView id="metric" label="Metrics" tree={tree} roots={shown} values={values} peak={scales.share}
                name={m => metrics[m].name} note={m => (unitText(metrics[m].unit) === "" || tree.parent[m] >= 0 ? "" : unitText(metrics[m].unit))}
                exact={(m, value) => `${full(value)} ${unitText(metrics[m].unit)}`}
                hint={m => `${metrics[m].id}: ${metrics[m].what}`}
                least={state.hide / 100} hidden={hidden} sort={state.sort.metric} open={state.open.metric} selected={state.metrics}
                canAdd={m => metrics[m].unit === metric.unit && metrics[m].extreme === metric.extreme}
                change={(open, selected) => store.set({ open: { ...state.open, metric: open }, metrics: selected })}
                display={display} colour={(fraction, m) => colourOf(fraction, scales.signed[roots[m]] === 1, dark)}
                explain={m => store.set({ explain: metrics[m].id })}
                search={state.search.metric} isActive={active.current === "metric"} activate={() => (active.current = "metric")}
                handle={{ get current() { return handles.metric; }, set current(h) { handles.metric = h; } }} />
        </Pane>
    );
}

/* The panes whose values depend on what is selected. */
function Coupled({ store, dark, handles, active, terms, drag }: PaneProps & { terms: Term[]; drag(event: PointerEvent): void }) {
    const { state, model } = store;
    const { metrics } = model.head;
    const first = terms[0].metric;
    const data = model.metricData(first)!;
    const join = useMemo(() => joinOf(model, first), [model, first]);
    const own = useMemo(() => pathValues(model, terms), [model, terms]);
    const tree = useMemo<NodeValues>(() => ({ own, inclusive: accumulate(model.pathTree, own, join) }), [own]);
    const total = useMemo(() => Array.from(model.pathTree.roots).reduce((sum, p) => join(sum, tree.inclusive[p]), data.empty), [tree]);
    const rootTotal = useMemo(() => {
        let root = first;
        while (model.metricTree.parent[root] >= 0)
            root = model.metricTree.parent[root];
        return metrics[root].total ?? NaN;
    }, [first]);

    const runsKey = useMemo(() => {
        const marks = new Uint8Array(model.nPaths);
        if (state.flat && state.regions.length === 0)
            marks.fill(1);
        else if (state.flat)
            for (const node of state.regions)
                store.flat.mark(node, state.open.flat.has(node), marks);
        else
            for (const p of state.paths)
                marks.fill(1, p, state.open.call.has(p) ? p + 1 : model.pathEnd[p]);
        return JSON.stringify(runsOf(marks));
    }, [state.flat, state.regions, state.paths, state.flat ? state.open.flat : state.open.call]);
    const ofLocation = useMemo(() => locationValues(model, terms, JSON.parse(runsKey) as [number, number][]), [terms, runsKey]);

    const shared = { store, dark, handles, active, metric: first, total, rootTotal, join };
    return (
        <>
            <CallPane {...shared} values={tree} empty={data.empty} />
            <div class="splitter" onPointerDown={drag} />
            <SystemPane {...shared} ofLocation={ofLocation} empty={data.empty} />
        </>
    );
}

interface CoupledProps extends PaneProps {
    metric: number;
    total: number;                     /* of what is selected in the metric pane */
    rootTotal: number;
    empty: number;
    join(a: number, b: number): number;
}

function CallPane({ store, dark, handles, active, metric, total, rootTotal, join, values, empty }: CoupledProps & { values: NodeValues }) {
    const { state, model } = store;
    const { integer, unit } = model.head.metrics[metric];
    const { flat } = store;
    const shown = useMemo(() => (state.flat ? flat.values(values.own, values.inclusive, join, empty) : values), [values, state.flat]);
    const tree = state.flat ? flat.tree : model.pathTree;
    const most = useMemo(() => Math.max(largest(shown.inclusive), largest(shown.own)), [shown]);
    const peak = useMemo(() => peaks(tree, shown).map(p => (most === 0 ? 0 : p / most)), [tree, shown, most]);
    const roots = useMemo(() => (state.flat ? Array.from(tree.roots).filter(r => flat.used[r]) : tree.roots), [tree]);
    const signed = useMemo(() => model.head.kind === "difference" || isBelowZero(shown), [shown]);
    const mode = state.mode.call;
    const sign = model.head.kind === "difference";

    const textOf = (value: number): string => {
        const text = mode === "absolute" ? number(value, integer) : percent(share(value, mode === "root" ? rootTotal : total));
        return sign ? withSign(text, value) : text;
    };
    const hint = (node: number): string => {
        if (state.flat)
            return flat.isSubroutines(node) ? "what the region calls" : regionPlace(model, node);
        return `${model.pathNames(node).join(" > ")}${regionPlace(model, model.head.paths.region[node])}`;
    };
    return (
        <Pane id="call" title={state.flat ? "Flat profile" : "Call tree"} store={store} active={active} handles={handles}
            unit={mode === "absolute" ? unitText(unit) : "%"}
            legend={{ from: signed ? textOf(-most) : "0", to: textOf(most), signed, dark }}
            tabs={<>
                <button class={state.flat ? "" : "on"} aria-pressed={!state.flat} onClick={() => store.set({ flat: false })}>tree</button>
                <button class={state.flat ? "on" : ""} aria-pressed={state.flat} onClick={() => store.set({ flat: true })} title="by region (f)">flat</button>
            </>}
            details={<CallDetails store={store} />}>
            <TreeView key={state.flat ? "flat" : "call"} id="call" label={state.flat ? "Regions" : "Call paths"} tree={tree} roots={roots} values={shown} peak={peak}
                name={state.flat ? node => flat.name(node) : p => model.pathName(p)} hint={hint}
                note={state.flat ? undefined : p => ownPlaceText(model, p)}
                exact={(_, value) => `${full(value)} ${unitText(unit)}`}
                least={state.hide / 100} sort={state.sort.call}
                open={state.flat ? state.open.flat : state.open.call} selected={state.flat ? state.regions : state.paths}
                canAdd={() => true}
                change={(open, selected) => store.set(state.flat
                    ? { open: { ...state.open, flat: open }, regions: selected }
                    : { open: { ...state.open, call: open }, paths: selected })}
                display={(_, value) => ({ text: textOf(value), fraction: share(value, most) })}
                colour={fraction => colourOf(fraction, signed, dark)}
                search={state.search.call} isActive={active.current === "call"} activate={() => (active.current = "call")}
                handle={{ get current() { return handles.call; }, set current(h) { handles.call = h; } }} />
        </Pane>
    );
}

/* Least and most of the nodes of each level. */
function levelsOf(level: Int32Array, values: Float64Array): Map<number, { least: number; most: number; n: number }> {
    const levels = new Map<number, { least: number; most: number; n: number }>();
    level.forEach((l, i) => {
        const value = values[i];
        const own = levels.get(l) ?? { least: Infinity, most: -Infinity, n: 0 };
        levels.set(l, own);
        own.n++;
        if (value < own.least)
            own.least = value;
        if (value > own.most)
            own.most = value;
    });
    return levels;
}

function SystemPane({ store, dark, handles, active, metric, total, rootTotal, join, ofLocation, empty }: CoupledProps & { ofLocation: Float64Array }) {
    const { state, model, system } = store;
    const { integer, unit } = model.head.metrics[metric];
    const values = useMemo(() => system.values(ofLocation, join, empty), [ofLocation]);
    const levels = useMemo(() => levelsOf(system.level, values.inclusive), [values]);
    const peak = useMemo(() => peaks(system.tree, {
        own: new Float64Array(values.own.length),
        inclusive: values.inclusive.map((value, i) => {
            const { least, most } = levels.get(system.level[i])!;
            return share(value, Math.max(Math.abs(least), Math.abs(most))) || 0;
        }),
    }), [values, levels]);
    const whole = useMemo(() => ofLocation.reduce((sum, value) => join(sum, value), empty), [ofLocation]);
    const signed = useMemo(() => model.head.kind === "difference" || values.inclusive.some(v => v < 0), [values]);
    const sign = model.head.kind === "difference";
    const mode = state.mode.system;
    const leafLevel = levels.get(system.level[system.leafOf(0)]) ?? { least: 0, most: 0, n: 0 };

    const display = (value: number, level: { least: number; most: number; n: number }): Display => {
        const most = Math.max(Math.abs(level.least), Math.abs(level.most));
        const among = level.most > level.least ? (value - level.least) / (level.most - level.least) : value === level.most ? 0 : NaN;
        const text = mode === "absolute" ? number(value, integer)
            : percent(mode === "root" ? share(value, rootTotal) : mode === "metric" ? share(value, total)
                : mode === "selection" ? share(value, whole) : mode === "maximum" ? share(value, most) : among);
        return { text: sign && mode !== "peers" ? withSign(text, value) : text, fraction: mode === "peers" ? among : share(value, most) };
    };
    const isSigned = signed && mode !== "peers";
    const displayLeaf = (value: number): Display => display(value, leafLevel);
    const offered = systemViews.filter(view => view.available(model));
    const view = offered.find(v => v.id === state.view);

    const selectedLocations = useMemo(() => new Set(state.system.flatMap(node =>
        system.tree.nChildren(node) === 0 && node >= system.nNodes ? leafLocations(store).get(node) ?? [] : system.locationsOf(node))), [state.system]);

    const legendFrom = mode === "peers" ? "least" : isSigned ? "less" : "0";
    const legendTo = mode === "peers" ? "most" : isSigned ? "more" : "largest of its level";

    return (
        <Pane id="system" title="System tree" store={store} active={active} handles={handles} isTree={view === undefined}
            unit={mode === "absolute" ? unitText(unit) : "%"}
            legend={{ from: legendFrom, to: legendTo, signed: isSigned, dark }}
            tabs={offered.length > 0 && (
                <>
                    {[{ id: "tree", title: "Tree" }, ...offered].map(({ id, title }) => (
                        <button key={id} class={state.view === id ? "on" : ""} aria-pressed={state.view === id}
                            onClick={() => store.set({ view: id })}>{title.toLowerCase()}</button>
                    ))}
                </>
            )}
            details={<SystemDetails store={store} values={values} metric={metric} />}>
            {view === undefined
                ? <TreeView id="system" label="System" tree={system.tree} roots={system.tree.roots} values={values} peak={peak}
                    name={node => system.name(node)}
                    hint={node => system.name(node).startsWith(system.kind(node)) ? system.name(node) : `${system.kind(node)} ${system.name(node)}`}
                    exact={(_, value) => `${full(value)} ${unitText(unit)}`}
                    least={state.hide / 100} sort={state.sort.system} open={state.open.system} selected={state.system}
                    canAdd={() => true}
                    change={(open, selected) => store.set({ open: { ...state.open, system: open }, system: selected })}
                    display={(node, value) => display(value, levels.get(system.level[node])!)}
                    colour={fraction => colourOf(fraction, isSigned, dark)}
                    search={state.search.system} isActive={active.current === "system"} activate={() => (active.current = "system")}
                    handle={{ get current() { return handles.system; }, set current(h) { handles.system = h; } }} />
                : <ViewHost view={view} context={{
                    model, metric, values: ofLocation, signed: isSigned, dark,
                    text: value => {
                        const text = withUnit(value, unit, integer);
                        return sign ? withSign(text, value) : text;
                    },
                    display: displayLeaf,
                    colour: fraction => colourOf(fraction, isSigned, dark),
                    selectedLocations,
                    onSelect: (locations, additive) => {
                        const { system: before, open } = store.state;
                        const leaves = [...new Set(locations.map(location => system.leafOf(location)))];
                        const chosen = new Set(additive ? before : []);
                        const takeOut = leaves.every(leaf => chosen.has(leaf));
                        for (const leaf of leaves)
                            if (takeOut)
                                chosen.delete(leaf);
                            else
                                chosen.add(leaf);
                        store.set({ system: [...chosen], open: { ...open, system: leaves.slice(0, OPENED_MOST).reduce((now, leaf) => openTo(system.tree, leaf, now), open.system) } });
                    },
                    get state() { return store.state.views[view.id] ?? {}; },
                    setState: (key, value) => {
                        const own = { ...store.state.views[view.id] };
                        if (value === null)
                            delete own[key];
                        else
                            own[key] = value;
                        store.set({ views: { ...store.state.views, [view.id]: own } });
                    },
                }} />}
        </Pane>
    );
}

const leaves = new WeakMap<Store, Map<number, number[]>>();

function leafLocations(store: Store): Map<number, number[]> {
    let map = leaves.get(store);
    if (map === undefined) {
        map = new Map();
        for (let i = 0; i < store.model.nLocations; i++) {
            const leaf = store.system.leafOf(i);
            map.set(leaf, [...(map.get(leaf) ?? []), i]);
        }
        leaves.set(store, map);
    }
    return map;
}

function ViewHost({ view, context }: { view: SystemView; context: ViewContext }) {
    const host = useRef<HTMLDivElement>(null);
    const mounted = useRef<MountedView | null>(null);
    useEffect(() => {
        mounted.current = view.mount(host.current!, context);
        return () => {
            mounted.current?.destroy();
            mounted.current = null;
            host.current?.replaceChildren();
        };
    }, [view]);
    const isFirst = useRef(true);
    useEffect(() => {
        if (isFirst.current)
            isFirst.current = false;
        else
            mounted.current?.update(context);
    });
    return <div class="view" ref={host} key={view.id} />;
}

/* ---- the frame of a pane ------------------------------------------------------------------------------------------------ */

interface Legend {
    from: string;
    to: string;
    signed: boolean;
    dark: boolean;
}

function Pane({ id, title, unit, store, handles, active, legend, tabs, below, details, isTree = true, children }: {
    id: PaneId; title: string; unit: string; store: Store; handles: PaneHandles; active: { current: PaneId }; legend: Legend;
    tabs?: ComponentChildren; below?: ComponentChildren; details: ComponentChildren; isTree?: boolean; children: ComponentChildren;
}) {
    const { state } = store;
    const search = state.search[id];
    const modes = modesOf(id);
    return (
        <section class={`pane ${id}`} aria-label={title} onPointerDown={() => (active.current = id)} onFocusCapture={() => (active.current = id)}>
            <div class="bar">
                <h2>{title}{unit !== "" && <small> {unit}</small>}</h2>
                {tabs !== undefined && tabs !== false && <span class="tabs">{tabs}</span>}
                <span class="grow" />
                <select aria-label={`${title}: how values are shown`} id={`mode-${id}`} value={state.mode[id]}
                    onChange={event => store.set({ mode: { ...state.mode, [id]: (event.target as HTMLSelectElement).value as Mode } })}>
                    {modes.map(mode => <option key={mode} value={mode}>{MODE_TEXT[mode]}</option>)}
                </select>
            </div>
            {isTree && (
                <div class="bar second">
                    <input type="search" id={`find-${id}`} placeholder="search" aria-label={`Search in ${title.toLowerCase()}`} value={search} spellcheck={false}
                        onInput={event => store.set({ search: { ...state.search, [id]: (event.target as HTMLInputElement).value } })}
                        onKeyDown={event => {
                            if (event.key === "Enter")
                                handles[id]?.find(event.shiftKey ? -1 : 1);
                            else if (event.key === "Escape") {
                                store.set({ search: { ...state.search, [id]: "" } });
                                handles[id]?.focus();
                            } else
                                return;
                            event.preventDefault();
                            event.stopPropagation();
                        }} />
                    <button onClick={() => handles[id]?.find(-1)} disabled={search === ""} title="previous match (N)" aria-label="Previous match">↑</button>
                    <button onClick={() => handles[id]?.find(1)} disabled={search === ""} title="next match (n)" aria-label="Next match">↓</button>
                    <span class="grow" />
                    <button class={state.sort[id] ? "on" : ""} aria-pressed={state.sort[id]} title="sort by value (s)"
                        onClick={() => store.set({ sort: { ...state.sort, [id]: !state.sort[id] } })}>sort</button>
                    <button onClick={() => handles[id]?.openAll()} title="open all rows" aria-label="Open all">+</button>
                    <button onClick={() => handles[id]?.closeAll()} title="close all rows" aria-label="Close all">−</button>
                    <button onClick={() => handles[id]?.openLargest()} title="expand down to the largest value" aria-label="Expand to maximum">expand to max</button>
                </div>
            )}
            {children}
            {below}
            {isTree && <div class="legend" aria-hidden="true">
                <span>{legend.from}</span><span class="scale" style={{ background: gradient(legend.signed, legend.dark) }} /><span>{legend.to}</span>
            </div>}
            {state.details && <div class="details">{details}</div>}
        </section>
    );
}

/* ---- what is selected --------------------------------------------------------------------------------------------------- */

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
    return <><dt>{name}</dt><dd>{children}</dd></>;
}

function MetricDetails({ store }: { store: Store }) {
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

function regionPlace(model: Model, region: number): string {
    const { file, begin } = model.head.regions[region];
    return file === "" || file === "MPI" ? "" : `\n${file}${begin >= 0 ? `:${begin}` : ""}`;
}

function visitsOf(model: Model, paths: number[], whole: boolean): number | null {
    const metric = model.metricById("visits");
    const data = metric >= 0 ? model.metricData(metric) : null;
    if (data === null)
        return null;
    return paths.reduce((sum, p) => sum + (whole ? data.pathSums.subarray(p, model.pathEnd[p]).reduce((a, b) => a + b, 0) : data.pathSums[p]), 0);
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
            {worst !== undefined && <Instance store={store} row={worst} />}
        </>
    );
}

function CallDetails({ store }: { store: Store }) {
    const { state, model, flat } = store;
    const visits = model.metricById("visits");
    useMetrics(model, visits >= 0 ? [visits] : []);
    const node = state.flat ? state.regions[0] : state.paths[0];
    if (node === undefined)
        return <p>{state.flat ? "No region is selected: the system shows all of them." : "There are no call paths."}</p>;
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
                {file !== "" && <Fact name="file">{file}{begin >= 0 && `, line ${begin}`}</Fact>}
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

function SystemDetails({ store, values, metric }: { store: Store; values: NodeValues; metric: number }) {
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


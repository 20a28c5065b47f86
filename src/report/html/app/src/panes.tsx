/* panes.tsx: metrics, call paths and system beside each other, each for what is selected to the left of it. */
import { useMemo, useRef, useState } from "preact/hooks";
import { useMetrics } from "./hooks";
import type { PaneHandles, PaneProps } from "./pane";
import { CallPane } from "./pane_call";
import { MetricPane } from "./pane_metric";
import { SystemPane } from "./pane_system";
import { slicedStore, slicesText } from "./sliced";
import type { PaneId, Slices } from "./state";
import type { Store } from "./store";
import { Mark, NodeValues, Term, accumulate, joinOf, locationValues, metricsOf, pathValues, runsOf, termsOf } from "./values";

const SYSTEM_COLUMN = 1.25;             /* its width, where the widths of the others are shares */

/* ---- the three ---------------------------------------------------------------------------------------------------------- */

interface TreesProps {
    store: Store; dark: boolean; handles: PaneHandles; active: { current: PaneId };
}

/* Of a part of the time series, or of the whole run. */
export function Trees({ store, ...props }: TreesProps) {
    const { slices } = store.state;
    const sliced = useMemo(() => (slices === null ? store : slicedStore(store, slices)), [store, slices]);
    return <Shown key={slices === null ? "whole" : "part"} store={sliced} {...props} />;
}

/* Which part it is, what the report does not have of it, and the way back. */
function PartOf({ store, slices }: { store: Store; slices: Slices }) {
    const { state, model } = store;
    const withPath = (state.flat ? state.regions : state.paths).length > 0 || state.root >= 0;
    const unknown = model.head.metrics[state.metrics[0]].unknown === true;
    return (
        <p class="slices" role="status">
            <b>{slicesText(model, slices, withPath)[0]}</b> {slicesText(model, slices, withPath).slice(1).join(" ")}
            {unknown && ` ${model.head.metrics[state.metrics[0]].name} is not among them.`}
            {" "}<button onClick={() => store.set({ slices: null })}>Show the whole run</button>
        </p>
    );
}

function Shown({ store, dark, handles, active }: TreesProps) {
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
            {state.slices !== null && <PartOf store={store} slices={state.slices} />}
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

/* The panes whose values depend on what is selected. */
function Coupled({ store, dark, handles, active, terms, drag }: PaneProps & { terms: Term[]; drag(event: PointerEvent): void }) {
    const { state, model, reference } = store;
    const flat = store.flat(state.root);
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

    /* Marks what is selected, of this report's call paths or of those of both reports. */
    const markSelected = (put: Mark): void => {
        const selected = state.flat ? state.regions : state.paths;
        if (selected.length === 0)
            for (const p of state.root < 0 ? model.pathTree.roots : [state.root])
                put(p, true, 1);
        for (const node of selected)
            if (state.flat)
                flat.mark(node, state.open.flat.has(node), put);
            else
                put(node, !state.open.call.has(node), 1);
    };
    const selection = [state.flat, flat, state.regions, state.paths, state.flat ? state.open.flat : state.open.call];
    const runsKey = useMemo(() => {
        const marks = new Uint8Array(model.nPaths);
        markSelected((p, isWhole, mark) => marks.fill(mark, p, isWhole ? model.pathEnd[p] : p + 1));
        return JSON.stringify(runsOf(marks));
    }, selection);
    const ofLocation = useMemo(() => locationValues(model, terms, JSON.parse(runsKey) as [number, number][]), [terms, runsKey]);

    /* The same of the second report, where a pane shows shares of it. */
    const isWanted = reference !== null && [state.mode.call, state.mode.system].includes("reference");
    const isThere = useMetrics(reference?.model ?? model, isWanted ? metricsOf(terms) : []) === true && isWanted;
    const other = useMemo(() => (isThere ? reference!.pathValues(pathValues(reference!.model, terms), join) : null), [isThere, terms]);
    const ofColumn = useMemo(() => {
        if (!isThere)
            return null;
        const { model: second, paths } = reference!;
        const marks = new Uint8Array(second.nPaths);
        const isAll = state.root < 0 && (state.flat ? state.regions : state.paths).length === 0;
        markSelected((p, isWhole, mark) => marks.fill(mark, paths[p], isWhole ? second.pathEnd[paths[p]] : paths[p] + 1));
        return locationValues(second, terms, runsOf(isAll ? marks.fill(1) : marks));
    }, [isThere, terms, ...selection]);

    const shownTotal = state.root < 0 ? total : tree.inclusive[state.root];
    const shared = { store, dark, handles, active, metric: first, total, rootTotal, shownTotal, join, empty: data.empty };
    return (
        <>
            <CallPane {...shared} values={tree} other={other} />
            <div class="splitter" onPointerDown={drag} />
            <SystemPane {...shared} empty={state.slices === null ? data.empty : NaN} ofLocation={ofLocation} ofColumn={ofColumn} />
        </>
    );
}

/* pane_metric.tsx: the metric tree. */
import { useMemo } from "preact/hooks";
import { colourOf } from "./colour";
import { MetricDetails } from "./details";
import { hasManual } from "./explain";
import { full, inRow, isSeconds, percent, percentOf, signed as withSign, unitText } from "./format";
import { MenuItems, openMenu } from "./menu";
import type { Model } from "./model";
import { Pane, PaneProps, Zeros, modeOf, openingItems } from "./pane";
import { Cell, copyText, fileName, saveTable } from "./save";
import type { Store } from "./store";
import { TreeView } from "./tree";
import { metricValues, peaks, share } from "./values";
import type { Display } from "./view";

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

export function MetricPane({ store, dark, handles, active }: PaneProps) {
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
    const hidden = useMemo(() => hiddenMetrics(model, zeros, state.zeros.metric, state.metrics), [zeros, state.zeros.metric, state.metrics]);
    const hides = useMemo(() => (hidden.size > 0 ? (m: number): boolean => hidden.has(m) : undefined), [hidden]);
    const signed = scales.signed[roots[state.metrics[0]]] === 1;
    const mode = modeOf(store, "metric");
    const other = useMemo(() => (mode === "reference" ? metricValues(store.reference!.model) : null), [mode]);
    const metric = metrics[state.metrics[0]];

    function display(node: number, value: number): Display {
        const root = roots[node];
        const { unit, integer } = metrics[node];
        const isOpen = state.open.metric.has(node);
        const text = other !== null ? percentOf(value, (isOpen ? other.own : other.inclusive)[node])
            : mode === "root" ? percent(share(value, values.inclusive[root])) : inRow(value, unit, integer);
        return { text: kind === "difference" ? withSign(text, value) : text, fraction: share(value, scales.peak[root]) };
    }

    const names = (m: number): string[] => (m < 0 ? [] : [...names(tree.parent[m]), metrics[m].name]);
    const save = (): void => saveTable(fileName(model.head.title, "metrics", "csv"), [
        ["metric", "level", "name", "path", "inclusive", "exclusive", "unit"] as Cell[],
        ...(handles.metric?.rows() ?? []).map(({ node, depth }): Cell[] =>
            [metrics[node].id, depth, metrics[node].name, names(node).join(" > "), values.inclusive[node], values.own[node], unitText(metrics[node].unit)]),
    ]);
    const saveMenu = () => [{ text: "Save these rows as CSV", run: save }];
    const menu = (m: number): MenuItems => [
        openingItems(handles.metric, m, tree.nChildren(m) > 0),
        [{ text: "Copy name", run: () => copyText(metrics[m].name) }, { text: "Copy identifier", run: () => copyText(metrics[m].id) }],
        [
            { text: "Explanation", keys: "e", isOff: metrics[m].what === "" && !hasManual(metrics[m].id), run: () => store.set({ explain: metrics[m].id }) },
            { text: "Show in the overview", isOff: !metrics[m].wait || !((metrics[m].total ?? 0) > 0), run: () => showInOverview(store, metrics[m].id) },
        ],
        saveMenu(),
    ];

    return (
        <Pane id="metric" title="Metric tree" store={store} active={active} handles={handles}
            legend={{ from: signed ? "less" : "0", to: signed ? "more" : "root metric", signed, dark }}
            details={<MetricDetails store={store} />}
            unit={mode === "absolute" ? "" : "%"} saveMenu={saveMenu}
            below={<Zeros store={store} id="metric" n={zeros.size} what="metric" isExtreme={state.slices !== null} />}>
            <TreeView id="metric" label="Metrics" tree={tree} roots={shown} values={values} peak={scales.share}
                name={m => metrics[m].name} note={m => (tree.parent[m] >= 0 || isSeconds(metrics[m].unit) ? "" : unitText(metrics[m].unit))}
                exact={(m, value) => `${full(value)} ${unitText(metrics[m].unit)}`}
                hint={m => `${metrics[m].id}: ${metrics[m].what}`}
                least={state.hide / 100} hides={hides} sort={state.sort.metric} open={state.open.metric} selected={state.metrics}
                canAdd={m => metrics[m].unit === metric.unit && metrics[m].extreme === metric.extreme}
                change={(open, selected) => store.set({
                    open: { ...state.open, metric: open }, metrics: selected,
                    /* where no call path was selected, the call tree is opened to where the metric is */
                    follows: state.follows || (selected.join() !== state.metrics.join() && state.paths.length === 0),
                })}
                display={display} colour={(fraction, m) => colourOf(fraction, scales.signed[roots[m]] === 1, dark)}
                explain={m => store.set({ explain: metrics[m].id })}
                openMenu={(m, x, y) => openMenu(x, y, metrics[m].name, menu(m))}
                search={state.search.metric} isActive={active.current === "metric"} activate={() => (active.current = "metric")}
                handle={{ get current() { return handles.metric; }, set current(h) { handles.metric = h; } }} />
        </Pane>
    );
}

function showInOverview(store: Store, metric: string): void {
    store.set({ page: "overview" });
    setTimeout(() => (document.querySelector(`[data-metric="${CSS.escape(metric)}"]`) ?? document.getElementById("part-waits"))?.scrollIntoView(), 0);
}

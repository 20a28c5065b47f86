/* state.ts: what the user chose, all of it, and how it stands in the address of the page behind the #.
 *
 *   #trees&m=mpi_latesender&p=12.40&mode=ama ...      what is as at first is left out
 *
 * Open nodes stand as runs of inner nodes (those with children, counted from 0 in the order of their numbers), in base 36.
 */
import type { Model, Tree } from "./model";

export type PaneId = "metric" | "call" | "system";
export type Mode = "absolute" | "root" | "metric" | "selection" | "shown" | "peers" | "maximum" | "reference";
export type ForestId = "metric" | "call" | "flat" | "system";

export interface State {
    page: "overview" | "trees";
    flat: boolean;                                  /* the call pane shows regions */
    metrics: number[];                              /* selected, never empty; the first one gives the unit */
    paths: number[];                                /* of the call tree; none: all that are shown count */
    follows: boolean;                               /* the call tree is open down to where the metric is largest; then no call path is selected */
    root: number;                                   /* the call path that is shown as root, -1: all are shown */
    regions: number[];                              /* of the flat profile */
    system: number[];
    open: Record<ForestId, ReadonlySet<number>>;
    mode: Record<PaneId, Mode>;
    sort: Record<PaneId, boolean>;                  /* by value */
    search: Record<PaneId, string>;
    hide: number;                                   /* [%] nodes below this share of their pane are hidden; 0: none */
    view: string;                                   /* of the system pane; "tree" */
    views: Record<string, Record<string, string>>;  /* the states of views */
    explain: string | null;                         /* id of the metric, or anchor, whose explanation is shown */
    details: boolean;
    zeros: Record<PaneId, boolean>;                 /* rows that are zero, with all below them, are shown, too */
    slices: Slices | null;                          /* the trees show these alone, of a part of the time series; null: the whole run */
}

/* A part of the time series: [from, to) of its columns, and of its rows of processes. */
export interface Slices { by: "windows" | "iterations"; columns: [number, number]; rows: [number, number] }

function encodeSlices(slices: Slices | null): string {
    return slices === null ? "" : [slices.by[0], ...slices.columns, ...slices.rows].join(".");
}

function decodeSlices(text: string, model: Model): Slices | null {
    const [kind, ...bounds] = text.split(".");
    const by = kind === "i" ? "iterations" : "windows";
    const series = model.head.series?.[by], [from, to, top, bottom] = bounds.map(word => (/^\d+$/.test(word) ? Number(word) : NaN));
    return series != null && bounds.length === 4 && from < to && to <= series.columns.length && top >= 0 && top < bottom && bottom <= series.rows
        ? { by, columns: [from, to], rows: [top, bottom] } : null;
}

/* ---- sets of open nodes ------------------------------------------------------------------------------------------------- */

const inner = new WeakMap<Tree, number[]>();

export function innerNodes(tree: Tree): number[] {
    let nodes = inner.get(tree);
    if (nodes === undefined) {
        nodes = Array.from({ length: tree.n }, (_, i) => i).filter(i => tree.nChildren(i) > 0);
        inner.set(tree, nodes);
    }
    return nodes;
}

export function encodeOpen(tree: Tree, open: ReadonlySet<number>): string {
    const runs: string[] = [];
    let first = -1;
    const nodes = innerNodes(tree);
    for (let i = 0; i <= nodes.length; i++) {
        const is = i < nodes.length && open.has(nodes[i]);
        if (is && first < 0)
            first = i;
        else if (!is && first >= 0) {
            runs.push(first.toString(36) + (i - 1 > first ? `-${(i - 1).toString(36)}` : ""));
            first = -1;
        }
    }
    return runs.join(".");
}

export function decodeOpen(tree: Tree, text: string): Set<number> {
    const nodes = innerNodes(tree);
    const open = new Set<number>();
    for (const run of text.split(".")) {
        const [first, last = first] = run.split("-").map(word => parseInt(word, 36));
        for (let i = Math.max(first, 0); i <= Math.min(last, nodes.length - 1); i++)
            open.add(nodes[i]);
    }
    return open;
}

/* ---- the address -------------------------------------------------------------------------------------------------------- */

export interface Forests {
    trees: Record<ForestId, Tree>;
    isView(id: string): boolean;
}

const MODES: Record<Mode, string> = { absolute: "a", root: "r", metric: "m", selection: "s", shown: "t", peers: "p", maximum: "x", reference: "e" };
const PANES: PaneId[] = ["metric", "call", "system"];
const FORESTS: [ForestId, string][] = [["metric", "om"], ["call", "oc"], ["flat", "of"], ["system", "os"]];

/* Values keep what is readable in an address as it is. */
const encode = (text: string): string => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2F/g, "/");

export function encodeState(state: State, initial: State, model: Model, { trees }: Forests): string {
    const fields: string[] = [state.page];
    const add = (key: string, value: string, of: string): void => {
        if (value !== of)
            fields.push(`${key}=${encode(value)}`);
    };
    const modes = (s: State): string => PANES.map(pane => MODES[s.mode[pane]]).join("");
    const flags = (of: Record<PaneId, boolean>): string => PANES.map(pane => (of[pane] ? "1" : "0")).join("");
    const metrics = (s: State): string => s.metrics.map(m => model.head.metrics[m].id).join(",");

    add("m", metrics(state), metrics(initial));
    if (!state.follows)
        fields.push(`p=${state.paths.join(".")}`);
    add("root", String(state.root), String(initial.root));
    add("flat", state.flat ? "1" : "", "");
    add("r", state.regions.join("."), initial.regions.join("."));
    add("s", state.system.join("."), initial.system.join("."));
    for (const [forest, key] of FORESTS)
        if (forest === "call" && state.follows)
            continue;
        else if (state.open[forest] !== initial.open[forest])
            add(key, encodeOpen(trees[forest], state.open[forest]), encodeOpen(trees[forest], initial.open[forest]));
    add("mode", modes(state), modes(initial));
    add("sort", flags(state.sort), flags(initial.sort));
    for (const pane of PANES)
        add(`find-${pane}`, state.search[pane], "");
    add("hide", String(state.hide), String(initial.hide));
    add("view", state.view, initial.view);
    for (const [view, own] of Object.entries(state.views))
        for (const [key, value] of Object.entries(own))
            fields.push(`${view}.${encodeURIComponent(key)}=${encode(value)}`);
    add("explain", state.explain ?? "", "");
    add("details", state.details ? "1" : "0", initial.details ? "1" : "0");
    add("zeros", flags(state.zeros), flags(initial.zeros));
    add("slices", encodeSlices(state.slices), "");
    return `#${fields.join("&")}`;
}

const decodeText = (text: string): string => {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
};

function numbers(text: string, n: number): number[] {
    return [...new Set(text.split(".").filter(word => /^\d+$/.test(word)).map(Number))].filter(i => i < n);
}

/* What is not known, or of another report, is passed over. */
export function decodeState(hash: string, initial: State, model: Model, { trees, isView }: Forests): State {
    const [page, ...fields] = hash.replace(/^#/, "").split("&");
    const state: State = { ...initial, open: { ...initial.open }, mode: { ...initial.mode }, sort: { ...initial.sort },
                           search: { ...initial.search }, zeros: { ...initial.zeros }, views: {} };

    state.page = page === "trees" ? "trees" : "overview";
    for (const field of fields) {
        const at = field.indexOf("=");
        const key = field.slice(0, at), value = decodeText(field.slice(at + 1));
        const forest = FORESTS.find(([, name]) => name === key);
        const find = PANES.find(pane => key === `find-${pane}`);
        const [view, ...rest] = key.split(".");
        if (key === "m") {
            const ids = value.split(",").map(id => model.metricById(id)).filter(m => m >= 0);
            const same = ids.filter(m => model.head.metrics[m].unit === model.head.metrics[ids[0]].unit);
            state.metrics = same.length > 0 ? [...new Set(same)] : initial.metrics;
        } else if (key === "p") {
            state.paths = numbers(value, model.nPaths);
            state.follows &&= value !== "" && state.paths.length === 0;      /* of another report */
        } else if (key === "root")
            state.root = numbers(value, model.nPaths)[0] ?? initial.root;
        else if (key === "r")
            state.regions = numbers(value, trees.flat.n);
        else if (key === "s")
            state.system = numbers(value, trees.system.n);
        else if (key === "flat")
            state.flat = value === "1";
        else if (forest !== undefined) {
            state.open[forest[0]] = decodeOpen(trees[forest[0]], value);
            state.follows &&= forest[0] !== "call" || state.open.call.size === 0;
        } else if (key === "mode")
            PANES.forEach((pane, i) => {
                const mode = (Object.keys(MODES) as Mode[]).find(name => MODES[name] === value[i]);
                if (mode !== undefined && modesOf(pane).includes(mode))
                    state.mode[pane] = mode;
            });
        else if (key === "sort")
            PANES.forEach((pane, i) => (state.sort[pane] = value[i] === "1"));
        else if (find !== undefined)
            state.search[find] = value;
        else if (key === "hide")
            state.hide = Math.min(Math.max(Number(value) || 0, 0), 100);
        else if (key === "view")
            state.view = isView(value) ? value : initial.view;
        else if (key === "explain")
            state.explain = value || null;
        else if (key === "details")
            state.details = value === "1";
        else if (key === "zeros")
            PANES.forEach((pane, i) => (state.zeros[pane] = value[i] === undefined ? initial.zeros[pane] : value[i] === "1"));
        else if (key === "slices")
            state.slices = decodeSlices(value, model);
        else if (rest.length > 0 && isView(view))
            (state.views[view] ??= {})[decodeText(rest.join("."))] = value;
    }
    if (state.root >= 0)
        state.paths = state.paths.filter(path => path >= state.root && path < model.pathEnd[state.root]);
    return state;
}

/* All that there are; "shown" wants a root that was chosen, "reference" a second report. */
export function modesOf(pane: PaneId): Mode[] {
    switch (pane) {
    case "metric": return ["absolute", "root", "reference"];
    case "call": return ["absolute", "root", "metric", "shown", "reference"];
    default: return ["absolute", "root", "metric", "shown", "selection", "peers", "maximum", "reference"];
    }
}

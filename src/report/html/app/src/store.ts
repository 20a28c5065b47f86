/* store.ts: the state of the page, its history and what follows from the report alone. One per page. */
import { Model, Tree } from "./model";
import { decodeState, encodeState, ForestId, Forests, State } from "./state";
import { openTo } from "./forest";
import type { Reference } from "./reference";
import { FlatTree, SystemTree } from "./values";
import { systemViews } from "./views/index";

const MAX_OPEN_PROCESSES = 64;        /* with more, nodes are closed at first */
const QUIET_MS = 250;                 /* changes that follow each other faster are one step of the history */

export interface Target {
    metrics: number[];                /* of one unit */
    path?: number;                    /* by itself: it is opened; without: all call paths, open down to the largest value */
    location?: number;
    view?: string;
    own?: boolean;                    /* the metrics are opened: they count without what is below them */
    ofSlices?: boolean;               /* of the slices that are selected; without: of the whole run */
}

export class Store {
    private readonly flats = new Map<number, FlatTree>();
    readonly system: SystemTree;
    readonly forests: Forests;
    readonly initial: State;
    state: State;
    private listener: () => void = () => undefined;
    private timer = 0;

    constructor(readonly model: Model, readonly reference: Reference | null = null) {
        this.system = new SystemTree(model);
        const trees: Record<ForestId, Tree> = {
            metric: model.metricTree, call: model.pathTree, flat: this.flat(-1).tree, system: this.system.tree,
        };
        this.forests = { trees, isView: id => id === "tree" || systemViews.some(view => view.id === id && view.available(model)) };
        this.initial = this.first();
        this.state = this.decoded();
        addEventListener("popstate", () => this.read());
        addEventListener("hashchange", () => this.read());
        addEventListener("pagehide", () => this.write());
    }

    /* The regions of a call path and all below it; root -1: of all. */
    flat(root: number): FlatTree {
        let flat = this.flats.get(root);
        if (flat === undefined)
            this.flats.set(root, flat = new FlatTree(this.model, root));
        return flat;
    }

    /* Shows a call path as the root of the call tree; -1: all again. */
    setRoot(root: number): void {
        const { model, state } = this;
        const isBelow = (path: number): boolean => root < 0 || (path >= root && path < model.pathEnd[root]);
        const open = root >= 0 && model.pathTree.nChildren(root) > 0 ? new Set([...state.open.call, root]) : state.open.call;
        const paths = state.paths.filter(path => path !== root && isBelow(path));
        this.set({ root, paths, open: { ...state.open, call: open }, follows: state.follows && paths.length === 0,
                   search: { ...state.search, call: "" } });
    }

    private first(): State {
        const { model, system } = this;
        const time = mainMetric(model);
        const showProcesses = system.nGroups <= MAX_OPEN_PROCESSES;
        const systemOpen = Array.from({ length: system.nNodes }, (_, i) => i).filter(i => system.tree.nChildren(i) > 0
            && (showProcesses || system.tree.children(i)[0] < system.nNodes));
        return {
            page: "overview", flat: false,
            metrics: [time], paths: [], follows: true, root: -1, regions: [], system: [],
            open: { metric: new Set(), call: new Set(), flat: new Set(), system: new Set(systemOpen) },
            mode: { metric: "absolute", call: "absolute", system: "absolute" },
            sort: { metric: false, call: false, system: false },
            search: { metric: "", call: "", system: "" },
            hide: 0, view: "tree", views: {}, explain: null, details: true,
            zeros: { metric: false, call: false, system: true }, slices: null,
        };
    }

    subscribe(listener: () => void): void {
        this.listener = listener;
    }

    set(change: Partial<State>): void {
        this.state = { ...this.state, ...change };
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.write(), QUIET_MS) as unknown as number;
        this.listener();
    }

    /* What the address says; what is selected can be seen, so that a link need not say what is open. */
    private decoded(): State {
        const state = decodeState(location.hash, this.initial, this.model, this.forests);
        const selected: [ForestId, number[]][] = [
            ["metric", state.metrics], ["call", state.paths], ["flat", state.regions], ["system", state.system],
        ];
        for (const [forest, nodes] of selected)
            for (const node of nodes)
                state.open[forest] = openTo(this.forests.trees[forest], node, state.open[forest]);
        return state;
    }

    /* Shows something in the trees: opens what is above it, and closes the metrics so that they count whole. */
    go(target: Target): void {
        this.write();
        this.set(this.stateOf(target));
        this.write();
    }

    private stateOf({ metrics, path, location, view, own = false, ofSlices = false }: Target): Partial<State> {
        const { model, state } = this;
        const open = { ...state.open };
        for (const m of metrics) {
            open.metric = openTo(model.metricTree, m, open.metric);
            if (open.metric.has(m) !== own && model.metricTree.nChildren(m) > 0)
                open.metric = new Set(own ? [...open.metric, m] : [...open.metric].filter(other => other !== m));
        }
        if (path !== undefined) {
            open.call = openTo(model.pathTree, path, open.call);
            if (model.pathTree.nChildren(path) > 0 && !open.call.has(path))
                open.call = new Set([...open.call, path]);
        }
        const system = location === undefined ? [] : [this.system.leafOf(location)];
        for (const node of system)
            open.system = openTo(this.system.tree, node, open.system);
        return { page: "trees", flat: false, metrics, paths: path === undefined ? [] : [path], follows: path === undefined, root: -1, system, open, hide: 0, view: view ?? state.view, explain: null, slices: ofSlices ? state.slices : null,
                 search: { metric: "", call: "", system: "" } };
    }

    addressOf(target: Target): string {
        const state = { ...this.state, ...this.stateOf(target) };
        return encodeState(state, this.initial, this.model, this.forests);
    }

    private address(): string {
        return encodeState(this.state, this.initial, this.model, this.forests);
    }

    private write(): void {
        clearTimeout(this.timer);
        const address = this.address();
        if (address === (location.hash || "#overview"))
            return;
        try {
            history.pushState(null, "", address);
        } catch {
            location.hash = address;        /* where the document's address may not be set */
        }
    }

    private read(): void {
        if ((location.hash || "#overview") === this.address())
            return;
        clearTimeout(this.timer);
        this.state = this.decoded();
        this.listener();
    }
}

/* The metric that all others are shares of: time, or the first that counts seconds, or the first. */
export function mainMetric(model: Model): number {
    const time = model.metricById("time");
    if (time >= 0)
        return time;
    const seconds = model.head.metrics.findIndex(metric => /^(sec|s)$/.test(metric.unit) && !metric.extreme && metric.parent < 0);
    return Math.max(seconds, 0);
}

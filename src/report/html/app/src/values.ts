/* values.ts: the numbers of the three panes, for what is selected.
 *
 * A collapsed node shows its inclusive value, an open one its own. What is selected is what it shows: an open metric counts
 * without its children, an open call path without what it calls.
 */
import { nameAt, nameCount } from "./lists";
import { Model, MetricData, Tree } from "./model";

/* What is shown of each node of a tree, open or not. */
export interface NodeValues {
    inclusive: Float64Array;
    own: Float64Array;
}

/* Subtracting what contains each other leaves rounding errors, which are not values. */
function less(whole: number, part: number): number {
    const rest = whole - part;
    return Math.abs(rest) <= 1e-11 * Math.abs(whole) ? 0 : rest;
}

export const isBelowZero = (values: NodeValues): boolean => values.inclusive.some(v => v < 0) || values.own.some(v => v < 0);

/* The largest magnitude; of none 0. */
export function largest(values: ArrayLike<number>): number {
    let most = 0;
    for (let i = 0; i < values.length; i++)
        if (Math.abs(values[i]) > most)
            most = Math.abs(values[i]);
    return most;
}

export function share(value: number, whole: number): number {
    return whole === 0 ? (value === 0 ? 0 : NaN) : value / Math.abs(whole);
}

/* A metric that counts, without its children of the same unit if it is open. */
export interface Term {
    metric: number;
    without: number[];
}

export function childrenInside(model: Model, metric: number): number[] {
    const { metrics } = model.head;
    return metrics[metric].extreme ? [] : Array.from(model.metricTree.children(metric)).filter(child =>
        metrics[child].unit === metrics[metric].unit && !metrics[child].extreme && metrics[child].unknown !== true);
}

export function termsOf(model: Model, selected: number[], open: ReadonlySet<number>): Term[] {
    return selected.map(metric => ({ metric, without: open.has(metric) ? childrenInside(model, metric) : [] }));
}

export function metricsOf(terms: Term[]): number[] {
    return terms.flatMap(term => [term.metric, ...term.without]);
}

export function metricValues(model: Model): NodeValues {
    const { metrics } = model.head;
    const inclusive = Float64Array.from(metrics, metric => metric.total ?? NaN);
    const own = inclusive.map((value, m) => less(value, childrenInside(model, m).reduce((sum, child) => sum + inclusive[child], 0)));
    return { inclusive, own };
}

function sumTerms(model: Model, terms: Term[], n: number, of: (data: MetricData, out: Float64Array) => void): Float64Array {
    const sum = new Float64Array(n);
    const one = new Float64Array(n), part = new Float64Array(n);
    terms.forEach((term, t) => {
        const data = model.metricData(term.metric)!;
        of(data, one);
        if (term.without.length > 0) {
            const parts = new Float64Array(n);
            for (const child of term.without) {
                of(model.metricData(child)!, part);
                for (let i = 0; i < n; i++)
                    parts[i] += part[i];
            }
            for (let i = 0; i < n; i++)
                one[i] = less(one[i], parts[i]);
        }
        for (let i = 0; i < n; i++)
            sum[i] = t === 0 ? one[i] : data.join(sum[i], one[i]);
    });
    return sum;
}

/* Per call path, without what it calls. */
export function pathValues(model: Model, terms: Term[]): Float64Array {
    return sumTerms(model, terms, model.nPaths, (data, out) => out.set(data.pathSums));
}

/* Joins the values of a tree's nodes into their parents'. */
export function accumulate(tree: Tree, own: Float64Array, join: (a: number, b: number) => number): Float64Array {
    const inclusive = own.slice();
    for (let i = tree.n - 1; i >= 0; i--)
        if (tree.parent[i] >= 0)
            inclusive[tree.parent[i]] = join(inclusive[tree.parent[i]], inclusive[i]);
    return inclusive;
}

/* The largest magnitude in each subtree. */
export function peaks(tree: Tree, values: NodeValues): Float64Array {
    const peak = values.inclusive.map((value, i) => Math.max(Math.abs(value) || 0, Math.abs(values.own[i]) || 0));
    for (let i = tree.n - 1; i >= 0; i--)
        if (tree.parent[i] >= 0)
            peak[tree.parent[i]] = Math.max(peak[tree.parent[i]], peak[i]);
    return peak;
}

export function joinOf(model: Model, metric: number): (a: number, b: number) => number {
    const data = model.metricData(metric)!;
    return (a, b) => data.join(a, b);
}

/* Marks a call path, isWhole: with all below it. */
export type Mark = (path: number, isWhole: boolean, mark: 0 | 1) => void;

/* ---- flat profile ------------------------------------------------------------------------------------------------------- */

/* Regions, and below each that calls others one node for all that it calls: node r is region r, node n + r its subroutines.
 * A region counts a call path once, whatever recursion is in it. Of all call paths, or of one and all below it. */
export class FlatTree {
    readonly tree: Tree;
    readonly nRegions: number;
    readonly used: Uint8Array;                /* [nodes] occurs in the call tree */
    readonly first: number;                   /* call paths first .. end - 1 */
    readonly end: number;
    private readonly outermost: Uint8Array;   /* [paths] no caller is of the same region */
    private readonly ofRegion: Tree;          /* regions, then paths */

    constructor(private readonly model: Model, root = -1) {
        const { region, parent } = model.head.paths;
        this.first = Math.max(root, 0);
        this.end = root < 0 ? model.nPaths : model.pathEnd[root];
        const n = (this.nRegions = model.head.regions.length);
        const depthIn = new Int32Array(n);
        const chain: number[] = [];
        this.used = new Uint8Array(2 * n);
        this.outermost = new Uint8Array(model.nPaths);
        for (let p = this.first; p < this.end; p++) {
            while (chain.length > 0 && chain[chain.length - 1] !== parent[p])
                depthIn[region[chain.pop()!]]--;
            this.outermost[p] = depthIn[region[p]] === 0 ? 1 : 0;
            depthIn[region[p]]++;
            chain.push(p);
            this.used[region[p]] = 1;
            if (model.pathEnd[p] > p + 1)
                this.used[n + region[p]] = 1;
        }
        this.tree = new Tree(Array.from({ length: 2 * n }, (_, i) => (i < n || this.used[i] === 0 ? -1 : i - n)));
        this.ofRegion = new Tree([...new Array<number>(n).fill(-1), ...region]);
    }

    isSubroutines(node: number): boolean {
        return node >= this.nRegions;
    }

    name(node: number): string {
        return node < this.nRegions ? this.model.head.regions[node].name : "subroutines";
    }

    pathsOf(node: number): number[] {
        return Array.from(this.ofRegion.children(node % this.nRegions), i => i - this.nRegions).filter(p => p >= this.first && p < this.end);
    }

    values(own: Float64Array, inclusive: Float64Array, join: (a: number, b: number) => number, empty: number): NodeValues {
        const { region } = this.model.head.paths;
        const n = this.nRegions;
        const result = { inclusive: new Float64Array(2 * n).fill(empty), own: new Float64Array(2 * n).fill(empty) };
        for (let p = this.first; p < this.end; p++) {
            const r = region[p];
            result.own[r] = join(result.own[r], own[p]);
            if (this.outermost[p])
                result.inclusive[r] = join(result.inclusive[r], inclusive[p]);
        }
        for (let r = 0; r < n; r++)
            result.own[n + r] = result.inclusive[n + r] =
                Number.isNaN(empty) ? result.inclusive[r] : less(result.inclusive[r], result.own[r]);
        return result;
    }

    mark(node: number, open: boolean, put: Mark): void {
        const paths = this.pathsOf(node);
        if (this.isSubroutines(node) || !open)
            for (const p of paths)
                put(p, true, 1);
        if (this.isSubroutines(node) || open)
            for (const p of paths)
                put(p, false, this.isSubroutines(node) ? 0 : 1);
    }
}

/* ---- system ------------------------------------------------------------------------------------------------------------- */

/* 0, 1, 2, ... */
function isCounting(numbers: ArrayLike<number>): boolean {
    for (let i = 0; i < numbers.length; i++)
        if (numbers[i] !== i)
            return false;
    return true;
}

/* Machines and nodes, processes, threads. Threads are left out where every process has one. */
export class SystemTree {
    readonly tree: Tree;
    readonly nNodes: number;
    readonly nGroups: number;
    readonly level: Int32Array;               /* [n] depth: the peers of a node are those of its level */
    readonly hasThreads: boolean;
    private readonly leaves: Int32Array;      /* [locations] the node that stands for it */

    constructor(private readonly model: Model) {
        const { nodes, groups, locations } = model.head.system;
        this.nNodes = nameCount(nodes.name);
        this.nGroups = model.nGroups;
        const base = this.nNodes + this.nGroups, n = model.nLocations;
        this.hasThreads = n !== this.nGroups || !isCounting(locations.group);
        const parent = new Int32Array(base + (this.hasThreads ? n : 0));
        parent.set(nodes.parent);
        parent.set(groups.node, this.nNodes);
        this.leaves = new Int32Array(n);
        for (let i = 0; i < n; i++) {
            this.leaves[i] = this.nNodes + (this.hasThreads ? this.nGroups + i : locations.group[i]);
            if (this.hasThreads)
                parent[base + i] = this.nNodes + locations.group[i];
        }
        this.tree = new Tree(parent);
        this.level = new Int32Array(this.tree.n);
        for (let i = 0; i < this.tree.n; i++)
            this.level[i] = i < this.nNodes ? (this.tree.parent[i] < 0 ? 0 : this.level[this.tree.parent[i]] + 1)
                : 1000 + (i < base ? 0 : 1);
    }

    name(node: number): string {
        const { nodes, groups, locations } = this.model.head.system;
        if (node < this.nNodes) {
            const name = nameAt(nodes.name, node), kind = nameAt(nodes.class, node);
            return kind === "" || name.startsWith(kind) ? name : `${kind} ${name}`;
        }
        if (node < this.nNodes + this.nGroups)
            return nameAt(groups.name, node - this.nNodes) || this.model.groupName(node - this.nNodes);
        return nameAt(locations.name, node - this.nNodes - this.nGroups) || `thread ${locations.thread[node - this.nNodes - this.nGroups]}`;
    }

    kind(node: number): string {
        if (node < this.nNodes)
            return nameAt(this.model.head.system.nodes.class, node) || "node";
        return node < this.nNodes + this.nGroups ? "process" : "thread";
    }

    leafOf(location: number): number {
        return this.leaves[location];
    }

    locationsOf(node: number): number[] {
        const isBelow = (i: number): boolean => {
            for (; i >= 0; i = this.tree.parent[i])
                if (i === node)
                    return true;
            return false;
        };
        return Array.from(this.leaves.keys()).filter(location => isBelow(this.leaves[location]));
    }

    values(ofLocation: Float64Array, join: (a: number, b: number) => number, empty: number): NodeValues {
        const own = new Float64Array(this.tree.n).fill(empty);
        ofLocation.forEach((value, i) => (own[this.leaves[i]] = join(own[this.leaves[i]], value)));
        return { own, inclusive: accumulate(this.tree, own, join) };
    }
}

/* Runs of marked call paths. */
export function runsOf(marks: Uint8Array): [number, number][] {
    const runs: [number, number][] = [];
    for (let first = marks.indexOf(1); first >= 0; ) {
        let end = marks.indexOf(0, first);
        if (end < 0)
            end = marks.length;
        runs.push([first, end]);
        first = marks.indexOf(1, end);
    }
    return runs;
}

/* Per location, over these runs of call paths. */
export function locationValues(model: Model, terms: Term[], runs: [number, number][]): Float64Array {
    const all = runs.length === 1 && runs[0][0] === 0 && runs[0][1] === model.nPaths;
    return sumTerms(model, terms, model.nLocations, (data, out) => {
        if (all) {
            out.set(data.locationSums);
            return;
        }
        out.fill(data.empty);
        for (const [first, end] of runs)
            data.addRows(first, end, out);
    });
}

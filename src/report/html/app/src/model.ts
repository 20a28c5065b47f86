/* model.ts: the report of a page, decoded. The format is docs/formats.md#page.
 *
 * Metrics, call paths, processes and locations go by their index in the head. A metric's numbers are decoded when they are
 * asked for: sums per call path and per location at once, rows of values chunk by chunk, of which the last used are kept.
 * A value is exclusive along the call tree and inclusive along the metric tree.
 */
import { Matrix, MatrixBy, readMatrix } from "./matrix";
import { Cache } from "./cache";
import type { Counters } from "./counters";
import { Integers, Names, StoredIntegers, expandIntegers, nameAt, nameCount } from "./lists";
import type { Series } from "./series_model";
import { addDelaySums } from "./delay_sums";
import type { Excerpt } from "./source";
import { inflate, readNumbers } from "./streams";

export interface Metric {
    id: string;
    name: string;
    unit: string;
    what: string;
    parent: number;
    integer: boolean;
    extreme: boolean;              /* a minimum or maximum: sums of it mean nothing, NaN is "not known" */
    unknown?: boolean;             /* of a part of the time series that has no values of it (sliced.ts) */
    wait: boolean;                 /* waiting time that no other metric contains */
    interface?: string;            /* of such a metric: what tells it from others of its name */
    total: number | null;          /* over all call paths and locations */
    blocks: [level: number, chunk: number, ...place: BlockPlace][];
    locations: [at: number, n: number];
}

/* Of a block in the metric's text; where rows have streams of their own, which rows are there, and how long each is. */
export type BlockPlace = [at: number, n: number, mask?: number, ...ofRows: number[]];

export interface Region {
    name: string;
    file: string;
    paradigm: string;
    role: string;
    begin: number;                 /* line, -1: not known */
}

export interface Topology {
    name: string;
    dimensions: { name: string; size: number; periodic: boolean }[];
    coordinates: StoredIntegers[]; /* locations, x0, x1, ...: a list of each */
}

/* Of headings.h. */
export type HeadingId = "time" | "efficiency" | "balance" | "waits" | "instances" | "per_node" | "counters" | "causes" | "critical" | "predictions" | "communication" | "files" | "unfinished" | "diagnostics" | "measurement" | "analysis" | "provenance" | "difference";

export type TableName = "findings" | "causes" | "pairs" | "statistics" | "instances" | "moments" | "windows" | "messages";

export interface Head {
    format: number;
    kind: "report" | "difference" | "scaling";
    title: string;
    creator: string;
    beside: string | null;
    startup?: string | null;       /* what is not counted as start-up, in words */
    headings: Partial<Record<HeadingId, string>>;
    attributes: [string, string][];
    metrics: Metric[];
    leftOut: [id: string, why: string][];       /* metrics of the report that are not here */
    regions: Region[];
    paths: { region: number[]; parent: number[]; number: number[]; label: (string | null)[] };
    system: {
        nodes: { name: Names; class: Names; parent: Integers };
        groups: { name: Names; rank: Integers; node: Integers };
        locations: { name: Names; thread: Integers; group: Integers };
        others: number[];                       /* locations that are no CPU threads */
    };
    calls?: [path: number, file: string, line: number][];       /* of those call paths of which it is recorded */
    sources?: Excerpt[];                        /* of the program, with heddle html --source */
    topologies: Topology[];
    tables: Record<TableName, string | null>;
    unfinished?: string | null;                 /* a sentence per line, indented by what it belongs to */
    nodes?: NodeTime[];                         /* those with the most waiting time first */
    matrixNodes?: string[];                     /* names of the nodes of the communication matrix, by their numbers there */
    files?: { n: number; rows: FileUse[] };     /* n: of all, of which the rows are those with the longest time */
    series?: { windows: Series | null; iterations: Series | null };
    lags?: Lags | null;                         /* causes over time */
    tracks?: Tracks | null;                     /* metrics recorded over time; null: there are none */
    workOrSpeed?: Record<string, string>;       /* of root causes by their call paths: what counters say of them */
    predictions?: Predictions | null;           /* null: nothing was simulated */
    efficiencies?: Efficiencies | null;         /* null: the report has none */
    balance?: Balance | null;                   /* of computation; null: nothing to be balanced */
    counters?: Counters | null;                 /* null: the report has none */
    difference?: Difference;                    /* of the page of a difference */
    findings?: Record<string, [many: string, one: string]>;      /* what stands behind the number of findings of a kind */
    facts?: [name: string, value: string][];    /* how the report came about, in words */
    reference?: ReferenceHead;                  /* a second report */
}

/* A second report whose values are in the page. */
export interface ReferenceHead {
    title: string;
    summed: string | null;                      /* why and over what its locations are summed up; null: they are not */
    nCommon: number;                            /* call paths that both have */
    nColumns: number;
    columns: number[];                          /* per location of the report */
    paths: number[];                            /* per call path of the report: its number among those of both */
    parent: number[];                           /* of these, depth-first */
    metrics: ({ entry: number } & Pick<Metric, "total" | "blocks" | "locations"> | null)[];     /* null: it does not have this one */
}

/* Parts of 1; null: not known. Groups of programs with threads are null in others. Times in seconds. */
export type Factors = Record<string, number | null>;

export interface EfficiencySlice extends Pick<Factors, "parallel" | "load_balance" | "communication" | "serialisation" | "transfer"> {
    kind: string;                               /* "whole", "main", or "interval" and "regions": of reports of a part of the run */
    runtime: number;
    ideal_runtime: number | null;
    processes: number;
    threads: number;
    hybrid: { mpi: Factors; openmp: Factors } | null;
    additive: Factors | null;
    openmp_causes: Factors | null;
    mpi_elsewhere: number | null;
}

export interface EfficiencyLoss {               /* what: at the call path; who: loses most of it */
    id: string;
    name: string;
    value: number;
    call_path_id: number | null;
    what: string | null;
    who: string | null;
}

/* Of a time window [s], or of iterations, from 1: the first and the last one. */
export type EfficiencyPoint = [from: number, to: number, parallel: number | null, load_balance: number | null, communication: number | null];

export interface Efficiencies {
    factors: [id: string, name: string][];
    whole: EfficiencySlice;
    main: EfficiencySlice | null;
    lowest: EfficiencyLoss | null;
    losses: EfficiencyLoss[];
    regions: { path: number; runtime: number; parallel: number | null; load_balance: number | null; communication: number | null }[];
    windows: EfficiencyPoint[];
    iterations: EfficiencyPoint[];
}

/* A file as one interface sees it; time in seconds, bandwidth in bytes per second. */
export interface FileUse {
    file: string;
    paradigm: string;
    inner: boolean;
    processes: number;
    reads: number;
    writes: number;
    others: number;
    bytes_read: number;
    bytes_written: number;
    time: number;
    bandwidth: number | null;
}

/* Of the page of a difference: docs/json.md#diff. Times in seconds; null: unknown, or not tested. */
export interface Measured {
    a: number;
    b: number;
    difference: number;
    relative: number | null;
    deviation_a: number | null;
    deviation_b: number | null;
    p: number | null;
}

export interface ChangedPath extends Measured {
    call_path: string[];
    carrying_processes: number[];
    carrying_threads: number[];
}

export interface RunOfDifference {
    path: string;
    processes: number;
    locations: number;
    is_incomplete: boolean;
}

export interface Difference {
    runs: { a: RunOfDifference[]; b: RunOfDifference[] };
    summed: string | null;
    different_programs: string | null; // why they seem to be of different ones
    is_startup_counted: boolean;
    wall: (Measured & { of: string }) | null;
    causes: ChangedPath[] | null;
    critical_path: ChangedPath[] | null;
    call_paths: ChangedPath[] | null;
    waits: (Measured & { metric: string; name: string; call_paths: ChangedPath[] })[];
    metrics: (Measured & { metric: string; name: string; unit: string; is_shown: boolean })[];
}

/* A simulated run. [s] waiting: at the call path where processes wait most; null: none waits. */
export interface PredictedRun { run_time: number; waiting: number; waits_at: string | null }
/* promised: what delay costs alone promise to save; null: they say nothing of it. is_bound: a change that hardly any program can reach. */
export interface Prediction extends PredictedRun { text: string; saved: number; promised?: number | null; is_bound?: boolean }
/* removed: percent of the computation of the selection `text`; next: what determines the run time when all of it is removed. */
export interface Curve { text: string; points: { removed: number; run_time: number }[]; flat_from: number | null; next: string | null; next_share: number }
/* Of the recorded run; hypotheses that were asked for; advice: each together with those before. */
export interface Predictions extends PredictedRun { hypotheses: Prediction[]; advice: Prediction[]; candidates: Prediction[]; curves: Curve[] }

/* Direct costs of delays, by kind of wait state: how many slices before the wait the delay was, and pairs of both. [s] */
export interface Lags { by: "windows" | "iterations"; kinds: LagKind[] }

export interface SliceCost { slice: number; value: number }

export interface LagKind {
    wait_state: string;
    name: string;
    value: number;
    lags: { from: number; to: number; value: number }[];
    pairs: { delay: number; wait: number; value: number }[];
    delays: SliceCost[];                        /* of each slice, those that are not zero; 0: before the first one */
    waits: SliceCost[];
}

/* Of CPU threads: what runs on a device is not balanced with them. Mean / maximum is the load balance efficiency of POP. [s] */
export interface Balance {
    most: number;                  /* location that computes longest */
    value: number;                 /* > 0 */
    average: number;
    threads: number;
    processes: number;             /* that have one of them */
}

/* A metric that was recorded over time. */
export interface Track {                        /* by window; null: nothing is known */
    name: string;
    unit: string;
    scope: string;                              /* what it is of */
    values: (number | null)[];                  /* means of a level, what a sum grew by */
    least?: (number | null)[];                  /* of levels */
    most?: (number | null)[];
}

export interface Tracks {
    n: number;                                  /* of all, of which the rows are the first */
    from: number;                               /* of the first window, in seconds; to: of the last one */
    to: number;
    rows: Track[];
}

export interface NodeTime {        /* [s] */
    name: string;
    processes: number;
    time: number;
    computation: number;
    mpi: number;
    waiting: number;
}

/* Where the text of the page's elements comes from: the document, or a test's own. null: there is no such element. */
export type TextSource = (name: string) => string | null;

/* Where it comes from when it is beside the page. */
export type BesideSource = (metric: number) => Promise<string>;

const ROWS_OF_CHUNK = 16;

/* ---- trees -------------------------------------------------------------------------------------------------------------- */

/* A forest whose nodes are numbered so that parents come before their children. */
export class Tree {
    readonly n: number;
    readonly parent: Int32Array;
    readonly roots: Int32Array;
    private readonly first: Int32Array;      /* [n + 1] into kids */
    private readonly kids: Int32Array;

    constructor(parent: ArrayLike<number>) {
        this.n = parent.length;
        this.parent = Int32Array.from(parent);
        this.first = new Int32Array(this.n + 1);
        this.kids = new Int32Array(this.n);
        const roots: number[] = [];
        for (let i = 0; i < this.n; i++)
            if (this.parent[i] >= 0)
                this.first[this.parent[i] + 1]++;
            else
                roots.push(i);
        for (let i = 0; i < this.n; i++)
            this.first[i + 1] += this.first[i];
        const next = this.first.slice();
        for (let i = 0; i < this.n; i++)
            if (this.parent[i] >= 0)
                this.kids[next[this.parent[i]]++] = i;
        this.roots = Int32Array.from(roots);
    }

    children(node: number): Int32Array {
        return this.kids.subarray(this.first[node], this.first[node + 1]);
    }

    nChildren(node: number): number {
        return this.first[node + 1] - this.first[node];
    }

    depth(node: number): number {
        let depth = 0;
        for (let p = this.parent[node]; p >= 0; p = this.parent[p])
            depth++;
        return depth;
    }
}

/* ---- metrics ------------------------------------------------------------------------------------------------------------ */

/* Combines a value of an extreme metric into what is there; NaN is nothing. */
type Combine = (a: number, b: number) => number;

const least: Combine = (a, b) => (a < b || Number.isNaN(b) ? a : b);
const largest: Combine = (a, b) => (a > b || Number.isNaN(b) ? a : b);

export class MetricData {
    readonly pathSums: Float64Array;         /* Model.pathSums */
    readonly metric: Metric;
    readonly empty: number;                  /* the sum of nothing: 0, or NaN of an extreme metric */
    private readonly combine: Combine | null;
    private readonly places = new Map<number, BlockPlace>();
    private readonly nRows: number[];        /* of each level */
    private ofLocation: Float64Array | null = null;

    constructor(private readonly model: Model, readonly index: number, private readonly text: string) {
        const metric = (this.metric = model.head.metrics[index]);
        this.empty = metric.extreme ? NaN : 0;
        this.pathSums = model.pathSums(index);
        this.combine = metric.extreme ? (isLargest(this.pathSums, metric.total) ? largest : least) : null;
        this.nRows = [model.nPaths];
        while (this.nRows[this.nRows.length - 1] > ROWS_OF_CHUNK)
            this.nRows.push(Math.ceil(this.nRows[this.nRows.length - 1] / ROWS_OF_CHUNK));
        for (const [level, chunk, ...place] of metric.blocks)
            this.places.set(level * 2 ** 32 + chunk, place as unknown as BlockPlace);
    }

    private numbers([at, n]: [number, number], length: number): Float64Array {
        return n === 0 ? new Float64Array(length).fill(this.empty) : readNumbers(inflate(this.text, at, n, 8 * length), 0);
    }

    /* Per location, over call paths. */
    get locationSums(): Float64Array {
        return this.ofLocation ??= this.numbers(this.metric.locations, this.model.nLocations);
    }

    /* Combines two values as the metric's are: by sum, minimum or maximum. */
    join(a: number, b: number): number {
        return this.combine === null ? a + b : Number.isNaN(a) ? b : this.combine(a, b);
    }

    /* Sets out, one number per location, to the sum of the call paths first .. end - 1. */
    rowSum(first: number, end: number, out: Float64Array): void {
        out.fill(this.empty);
        this.addRows(first, end, out);
    }

    /* The same, added to what is in out (of an extreme metric: joined with it). */
    addRows(first: number, end: number, out: Float64Array): void {
        for (let level = 0; first < end; level++) {
            const n = this.nRows[level];
            if (level === this.nRows.length - 1) {
                this.addRun(level, first, end, out);
                return;
            }
            const inner = Math.ceil(first / ROWS_OF_CHUNK);
            const innerEnd = end === n ? Math.ceil(n / ROWS_OF_CHUNK) : Math.floor(end / ROWS_OF_CHUNK);
            if (inner >= innerEnd) {
                this.addRun(level, first, end, out);
                return;
            }
            this.addRun(level, first, inner * ROWS_OF_CHUNK, out);
            this.addRun(level, innerEnd * ROWS_OF_CHUNK, end, out);
            first = inner;
            end = innerEnd;
        }
    }

    private addRun(level: number, first: number, end: number, out: Float64Array): void {
        while (first < end) {
            const chunk = Math.floor(first / ROWS_OF_CHUNK);
            const chunkEnd = Math.min(end, (chunk + 1) * ROWS_OF_CHUNK);
            const place = this.places.get(level * 2 ** 32 + chunk);
            if (place !== undefined && place[1] > 0)
                for (let row = first - chunk * ROWS_OF_CHUNK; row < chunkEnd - chunk * ROWS_OF_CHUNK; row++)
                    this.addRow(this.row(place, `${this.index}/${level}/${chunk}`, row), out);
            first = chunkEnd;
        }
    }

    private addRow(values: Float64Array | undefined, out: Float64Array): void {
        if (values === undefined)
            return;
        if (this.combine === null)
            for (let i = 0; i < out.length; i++)
                out[i] += values[i];
        else
            for (let i = 0; i < out.length; i++)
                out[i] = this.join(out[i], values[i]);
    }

    /* undefined: it has no values. */
    private row(place: BlockPlace, key: string, row: number): Float64Array | undefined {
        const { nLocations } = this.model;
        if (place.length > 2)
            return this.rowAlone(place, key, row);
        return this.model.cache.get(key, () => {
            const bytes = inflate(this.text, place[0], place[1]);
            const mask = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
            const values = readNumbers(bytes, 4);
            const rows: (Float64Array | undefined)[] = [];
            for (let i = 0, at = 0; i < ROWS_OF_CHUNK; i++)
                if ((mask >> i) & 1) {
                    rows[i] = values.subarray(at, at + nLocations);
                    at += nLocations;
                }
            return { rows, bytes: values.byteLength };
        }).rows[row];
    }

    /* Of a block whose rows have streams of their own. */
    private rowAlone([from, , mask = 0, ...lengths]: BlockPlace, key: string, row: number): Float64Array | undefined {
        if (((mask >> row) & 1) === 0)
            return undefined;
        let at = from, i = 0;
        for (let before = 0; before < row; before++)
            if ((mask >> before) & 1)
                at += lengths[i++];
        return this.model.cache.get(`${key}/${row}`, () => {
            const values = this.numbers([at, lengths[i]], this.model.nLocations);
            return { rows: [values], bytes: values.byteLength };
        }).rows[0];
    }
}

/* The total of an extreme metric is the least or the largest of its values: which of them it is tells what it is. */
function isLargest(pathSums: Float64Array, total: number | null): boolean {
    let most = NaN;
    for (const value of pathSums)
        most = Number.isNaN(most) ? value : largest(most, value);
    return total === null || most === total;
}

/* ---- the report --------------------------------------------------------------------------------------------------------- */

export type Row = Record<string, string>;

export class Model {
    readonly nMetrics: number;
    readonly nPaths: number;
    readonly nGroups: number;
    readonly nLocations: number;
    readonly metricTree: Tree;
    readonly pathTree: Tree;
    readonly pathEnd: Int32Array;            /* per call path: the first one behind its subtree */
    readonly cache = new Cache();
    private readonly sums: (Float64Array | undefined)[] = [];
    private readonly data: (MetricData | undefined)[] = [];
    private readonly loading: (Promise<MetricData> | undefined)[] = [];
    private readonly tables = new Map<TableName, Row[] | null>();

    constructor(readonly head: Head, private readonly text: TextSource, private readonly beside: BesideSource) {
        const { paths, system } = head;
        this.nMetrics = head.metrics.length;
        this.nPaths = paths.region.length;
        this.nGroups = nameCount(system.groups.name);
        this.nLocations = nameCount(system.locations.name);
        this.metricTree = new Tree(head.metrics.map(metric => metric.parent));
        this.pathTree = new Tree(paths.parent);
        this.pathEnd = new Int32Array(this.nPaths);
        for (let p = this.nPaths - 1; p >= 0; p--) {
            this.pathEnd[p] = Math.max(this.pathEnd[p], p + 1);
            if (paths.parent[p] >= 0)
                this.pathEnd[paths.parent[p]] = Math.max(this.pathEnd[paths.parent[p]], this.pathEnd[p]);
        }
    }

    private groupTree: Tree | null = null;

    /* Groups 0 .. nGroups - 1, then locations. */
    get locationsOfGroup(): Tree {
        if (this.groupTree === null) {
            const parent = new Int32Array(this.nGroups + this.nLocations).fill(-1);
            parent.set(this.head.system.locations.group, this.nGroups);
            this.groupTree = new Tree(parent);
        }
        return this.groupTree;
    }

    metricById(id: string): number {
        return this.head.metrics.findIndex(metric => metric.id === id);
    }

    /* No call path has a value of it at any location. */
    isZero(metric: number): boolean {
        const { blocks, locations } = this.head.metrics[metric];
        return blocks.length === 0 && locations[1] === 0;
    }

    /* Per call path, exclusive, over locations. They are in the page, also if the metric's other data is not. */
    pathSums(metric: number): Float64Array {
        let sums = this.sums[metric];
        if (sums === undefined) {
            const text = this.text(`heddle-paths-${metric}`);
            this.sums[metric] = sums = text === null ? new Float64Array(this.nPaths).fill(this.head.metrics[metric].extreme ? NaN : 0)
                : readNumbers(inflate(text, 0, text.length, 8 * this.nPaths), 0);
        }
        return sums;
    }

    /* The data of a metric, if it is there already. */
    metricData(metric: number): MetricData | null {
        const text = this.data[metric] === undefined ? this.text(`heddle-metric-${metric}`) : null;
        if (text !== null)
            this.data[metric] = new MetricData(this, metric, text);
        return this.data[metric] ?? null;
    }

    /* The data of a metric; fetched if it is beside the page. */
    loadMetric(metric: number): Promise<MetricData> {
        const there = this.metricData(metric);
        if (there !== null)
            return Promise.resolve(there);
        return this.loading[metric] ??= (this.isZero(metric) ? Promise.resolve("") : this.beside(metric))
            .then(text => (this.data[metric] = new MetricData(this, metric, text)));
    }

    private readonly matrices = new Map<MatrixBy, Matrix | null>();

    /* The communication matrix; null: the page has none. */
    matrix(by: MatrixBy): Matrix | null {
        let matrix = this.matrices.get(by);
        if (matrix === undefined) {
            matrix = readMatrix(this.text(by === "node" ? "heddle-matrix-nodes" : "heddle-matrix"));
            this.matrices.set(by, matrix);
        }
        return matrix;
    }

    private isMatrixThere: boolean | undefined;

    hasMatrix(): boolean {
        return this.isMatrixThere ??= this.text("heddle-matrix") !== null;
    }

    pathName(path: number): string {
        return this.head.paths.label[path] ?? this.head.regions[this.head.paths.region[path]].name;
    }

    /* The chain of names from the root. */
    pathNames(path: number): string[] {
        const names: string[] = [];
        for (let p = path; p >= 0; p = this.pathTree.parent[p])
            names.unshift(this.pathName(p));
        return names;
    }

    /* A process by its rank, "process 3"; what has none by its name. */
    groupName(group: number): string {
        const { name, rank } = this.head.system.groups;
        return rank[group] >= 0 ? `process ${rank[group]}` : nameAt(name, group);
    }

    locationName(location: number): string {
        const { name, thread, group } = this.head.system.locations;
        const own = nameAt(name, location) || `thread ${thread[location]}`;
        return this.nGroups > 1 ? `${this.groupName(group[location])}, ${own}` : own;
    }

    /* The rows of a table by the names of its columns; null: the report does not have it. */
    table(name: TableName): Row[] | null {
        let rows = this.tables.get(name);
        if (rows === undefined) {
            const text = this.head.tables?.[name] ?? null;
            rows = text === null ? null : readTable(text);
            this.tables.set(name, rows);
        }
        return rows;
    }

    private calls: Map<number, [number, string, number]> | null = null;

    /* Where a call path is called; null: it is not recorded. */
    callOf(path: number): [path: number, file: string, line: number] | null {
        this.calls ??= new Map((this.head.calls ?? []).map(call => [call[0], call]));
        return this.calls.get(path) ?? null;
    }

    /* The lines of the program's source around this one; null: they are not in the page. */
    excerptAt(file: string, line: number): Excerpt | null {
        return this.head.sources?.find(excerpt => excerpt.line === line && excerpt.file === file) ?? null;
    }

    private byNumber: Map<number, number> | null = null;

    /* The call path with this id in the report (what tables name), -1: none. */
    pathOfNumber(number: number): number {
        this.byNumber ??= new Map(this.head.paths.number.map((id, path) => [id, path]));
        return this.byNumber.get(number) ?? -1;
    }
}

export function readTable(text: string): Row[] {
    const lines = text.split("\n").filter(line => line !== "" && !line.startsWith("#"));
    const columns = (lines.shift() ?? "").split("\t");
    return lines.map(line => {
        const fields = line.split("\t");
        return Object.fromEntries(columns.map((column, i) => [column, fields[i] ?? ""]));
    });
}

/* ---- from the document -------------------------------------------------------------------------------------------------- */

const FORMAT = 2;

/* The head of the page. Throws an Error that says what is wrong with the page. */
export function readHead(text: string | null): Head {
    if (text === null)
        throw new Error("the page holds no report: the element \"heddle-head\" is missing");
    const head = JSON.parse(new TextDecoder().decode(inflate(text, 0, text.length))) as Head;
    if (head.format !== FORMAT)
        throw new Error(`the page's data is of format ${head.format}; this program reads format ${FORMAT}`);
    for (const series of [head.series?.windows, head.series?.iterations])
        if (series != null)
            addDelaySums(series, head.metrics);
    if (head.kind !== "scaling")
        expandIntegers(head.system);
    return head;
}

/* The text of an element of the page. */
export function elementText(name: string): string | null {
    return document.getElementById(name)?.textContent?.trim() ?? null;
}

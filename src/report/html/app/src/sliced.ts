/* sliced.ts: the report of a part of the time series: a model whose values are the sums of the slices and processes that are selected.
 *
 * A report has waiting time by process and slice, and by call path and slice, not by both: of some processes there is no call path, of one call
 * path there are no processes. So it is with computation, MPI and classes of its calls, OpenMP and the critical path where they are there by call path; else the trees have none of them, as
 * they would have parts alone. Visits, messages and bytes, and delay costs, are there where the report has them over time. Other metrics have no values by slice. What is not known is NaN, which is shown as a dash.
 */
import type { Metric, MetricData, Model } from "./model";
import type { Series, SeriesMetric } from "./series_model";
import type { Slices } from "./state";
import type { Store } from "./store";
import { columnsName, isTime, rowsName, sumOf, timesByPath } from "./series";
import { plural } from "./format";

const TIME_NAMES: Record<string, string> = { comp: "computation", mpi: "MPI", omp_time: "OpenMP", critical_path: "the critical path" };

const known = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b);

/* What the trees want of MetricData. */
class SlicedData {
    readonly pathSums: Float64Array;
    readonly locationSums: Float64Array;
    readonly empty: number;

    constructor(readonly model: Model, readonly metric: Metric, series: Series, slices: Slices) {
        const isKnown = metric.unknown !== true;
        this.empty = isKnown ? 0 : NaN;
        this.pathSums = new Float64Array(model.nPaths).fill(isKnown && hasPaths(series, slices) ? 0 : NaN);
        this.locationSums = new Float64Array(model.nLocations).fill(NaN);
        if (!isKnown)
            return;
        this.addPaths(series, slices);
        this.addProcesses(series, slices);
    }

    private addPaths(series: Series, slices: Slices): void {
        const [from, to] = slices.columns, unit = series.counts.some(one => one.id === this.metric.id) ? 1 : 1e9;
        for (const [id, path, column, ...values] of hasPaths(series, slices) ? series.paths! : [])
            if (id === this.metric.id)
                for (let c = Math.max(from, column); c < Math.min(to, column + values.length); c++)
                    this.pathSums[path] += values[c - column] / unit;
    }

    /* The threads of a process are together, at the first one; so are the processes of a row. */
    private addProcesses(series: Series, slices: Slices): void {
        const metric = withTrees(series).find(one => one.id === this.metric.id)!;
        const first = new Int32Array(series.processes).fill(-1);
        const { group } = this.model.head.system.locations;
        for (let i = 0; i < group.length; i++)
            if (first[group[i]] === -1)
                first[group[i]] = i;
        for (let row = slices.rows[0]; row < slices.rows[1]; row++)
            if (first[row * series.block] >= 0)
                this.locationSums[first[row * series.block]] = sumOf(series, metric, { rows: [row, row + 1], columns: slices.columns });
    }

    join(a: number, b: number): number {
        return known(a, b);
    }

    /* Of some call paths there are no processes. */
    addRows(_first: number, _end: number, out: Float64Array): void {
        out.fill(NaN);
    }

    rowSum(_first: number, _end: number, out: Float64Array): void {
        out.fill(NaN);
    }
}

const withTrees = (series: Series): SeriesMetric[] => [...series.metrics, ...series.counts, ...series.delays];

function hasPaths(series: Series, slices: Slices): boolean {
    return series.paths != null && slices.rows[0] === 0 && slices.rows[1] === series.rows;
}

export function seriesOf(model: Model, slices: Slices): Series {
    return model.head.series![slices.by]!;
}

/* With their sums; those that the report does not have by slice and call path are not known. */
function metricsOf(model: Model, series: Series, slices: Slices): Metric[] {
    const times = timesByPath(series);
    return model.head.metrics.map(metric => {
        const own = withTrees(series).find(one => one.id === metric.id);
        return own === undefined || (isTime(own.id) && !times.includes(own)) ? { ...metric, total: null, unknown: true } : { ...metric, total: sumOf(series, own, slices) };
    });
}

function slicedModel(model: Model, slices: Slices): Model {
    const series = seriesOf(model, slices);
    const metrics = metricsOf(model, series, slices);
    const all = metrics.map((metric): SlicedData | null => (metric.unknown === true ? null : new SlicedData(model, metric, series, slices)));
    const none = new SlicedData(model, { ...metrics[0], unknown: true }, series, slices);
    const data = (m: number): MetricData => (all[m] ?? none) as unknown as MetricData;
    const own: Partial<Record<keyof Model, unknown>> = {
        head: { ...model.head, metrics },
        metricData: data,
        pathSums: (m: number) => data(m).pathSums,
        loadMetric: (m: number) => Promise.resolve(data(m)),
        isZero: (m: number) => !((metrics[m].total ?? 0) > 0),
    };
    return new Proxy(model, {
        get(target, key) {
            const value: unknown = key in own ? own[key as keyof Model] : Reflect.get(target, key, target);
            return typeof value === "function" && !(key in own) ? value.bind(target) : value;
        },
    });
}

/* The store as the trees of a part see it: what is chosen stays the store's; shares of a second report are of whole runs. */
export function slicedStore(store: Store, slices: Slices): Store {
    const model = slicedModel(store.model, slices);
    return new Proxy(store, {
        get(target, key) {
            if (key === "model")
                return model;
            const value: unknown = key === "reference" ? null : Reflect.get(target, key, target);
            return typeof value === "function" ? value.bind(target) : value;
        },
    });
}

/* What the trees show of the part, and what the report does not have of it. */
export function slicesText(model: Model, slices: Slices, withPath: boolean): string[] {
    const series = seriesOf(model, slices);
    const isAll = slices.rows[0] === 0 && slices.rows[1] === series.rows;
    const times = [...[...new Set(timesByPath(series).map(({ id }) => TIME_NAMES[id] ?? "classes of MPI calls"))].map(name => `, ${name}`), ...(series.counts.length > 0 ? [", visits, messages and bytes"] : []), ...(series.delays.length > 0 ? [", delay costs"] : [])].join("");
    const lines = [`Only ${columnsName(series, slices.columns)}${isAll ? "" : `, ${rowsName(series, slices.rows)}`}: waiting time${times === "" ? " alone" : times}; other metrics have no values by ${slices.by === "windows" ? "window" : "iteration"}.`];
    if (times === "")
        lines.push("heddle analyze --series all: computation, MPI, OpenMP, the critical path, visits, messages, bytes and delay costs, too.");
    else
        lines.push("What has no call path is in the metric tree and the system tree alone.");
    if (series.paths == null)
        lines.push("This report has none by call path.");
    else if (!isAll)
        lines.push("By call path there are sums of all processes alone.");
    if (withPath)
        lines.push("By process there are sums of all call paths alone: select none to see them.");
    if (series.block > 1)
        lines.push(`In the system tree ${plural(series.block, "process", "processes")} are together, at the first of them.`);
    else if (model.nLocations > series.processes)
        lines.push("In the system tree the threads of a process are together, at its first one.");
    return lines;
}

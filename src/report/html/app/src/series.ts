/* series.ts: sums of time series over a part of their rows and columns. */
import { plural, seconds, withUnit } from "./format";
import type { SliceCost } from "./model";
import type { Series, SeriesMetric } from "./series_model";

export interface Selection { rows: [number, number]; columns: [number, number] }        /* [from, to) */

export function wholeOf(series: Series): Selection {
    return { rows: [0, series.rows], columns: [0, series.columns.length] };
}

export function isWhole(series: Series, { rows, columns }: Selection): boolean {
    return rows[0] === 0 && rows[1] === series.rows && columns[0] === 0 && columns[1] === series.columns.length;
}

/* Seconds; of a counter what it counted, of a ratio that of the sums. */
export function sumOf(series: Series, metric: SeriesMetric, { rows, columns }: Selection): number {
    let sum = 0, per = 0;
    for (let row = rows[0]; row < rows[1]; row++)
        for (let column = columns[0]; column < columns[1]; column++) {
            sum += metric.values[row * series.columns.length + column];
            per += metric.per?.[row * series.columns.length + column] ?? 0;
        }
    return inUnit(metric, sum, per);
}

function inUnit(metric: SeriesMetric, value: number, per: number): number {
    if (metric.per !== undefined)
        return per > 0 ? metric.factor! * value / per : 0;
    return metric.unit === undefined ? value / 1e9 : value;
}

/* Of each row and column, as sumOf(). */
export function cellsOf(metric: SeriesMetric): number[] {
    return metric.values.map((value, i) => inUnit(metric, value, metric.per?.[i] ?? 0));
}

/* With its unit. */
export function amountText(metric: SeriesMetric, value: number): string {
    if (metric.unit === undefined)
        return seconds(value);
    return withUnit(metric.per === undefined ? Number(value.toPrecision(4)) : Number(value.toPrecision(3)), metric.unit);
}

/* Of each column, over the rows that are selected; as sumOf(). */
export function lineOf(series: Series, metric: SeriesMetric, rows: [number, number]): number[] {
    return series.columns.map((_, column) => sumOf(series, metric, { rows, columns: [column, column + 1] }));
}

export function rowsName(series: Series, [from, to]: [number, number]): string {
    const first = from * series.block, last = Math.min(to * series.block, series.processes) - 1;
    return first === last ? `process ${first}` : `processes ${first} to ${last}`;
}

export function columnsName(series: Series, [from, to]: [number, number]): string {
    const what = series.region === null ? "window" : "iteration";
    const first = series.columns[from][0], last = series.columns[to - 1][1];
    return first === last ? `${what} ${first}` : `${what}s ${first} to ${last}`;
}

const TIMES = new Set(["comp", "mpi", "omp_time", "critical_path", "mpi_init_exit", "mpi_mgmt_comm", "mpi_mgmt_file", "mpi_mgmt_win", "mpi_sync_collective", "mpi_rma_sync_active",
    "mpi_rma_sync_passive", "mpi_point2point", "mpi_collective", "mpi_rma_communication", "mpi_io_individual", "mpi_io_collective"]);

/* Computation, MPI and classes of its calls, OpenMP, the critical path; the duration is of iterations. None is a wait state. */
export function isTime(id: string): boolean {
    return TIMES.has(id);
}

/* Of these times those that are there by call path. */
export function timesByPath(series: Series): SeriesMetric[] {
    const known = new Set(series.paths?.map(([id]) => id));
    return series.metrics.filter(({ id }) => isTime(id) && known.has(id));
}

/* Wait states by what they are in the selection, those that are zero left out. */
export function ranked(series: Series, selection: Selection): [SeriesMetric, number][] {
    return series.metrics.filter(metric => metric.id !== "duration" && !isTime(metric.id))
        .map((metric): [SeriesMetric, number] => [metric, sumOf(series, metric, selection)])
        .filter(([, value]) => value > 0)
        .sort((a, b) => b[1] - a[1]);
}

export interface Bar { from: number; to: number; value: number }

const MOST_BARS = 50;

/* What slices of the report are: windows, or iterations, so many of them in each. */
export interface Slices { what: "window" | "iteration"; n: number; each: number }

export function slicesOf({ region, n, slice }: Series): Slices {
    return { what: region === null ? "window" : "iteration", n, each: slice };
}

/* Of its slices, windows or iterations, neighbours together where there are many; none, where no slice has costs. */
export function barsOf(costs: SliceCost[], { n, each }: Slices): Bar[] {
    const width = each * Math.ceil(n / each / MOST_BARS);
    const bars = Array.from({ length: Math.ceil(n / width) }, (_, k): Bar => ({ from: k * width + 1, to: Math.min(n, (k + 1) * width), value: 0 }));
    for (const { slice, value } of costs)
        if (slice >= 1 && (slice - 1) * each < n)
            bars[Math.floor(((slice - 1) * each) / width)].value += value;
    return bars.some(({ value }) => value > 0) ? bars : [];
}

/* As in the terminal: "2 iterations before"; lags of the report are of slices. */
export function lagText({ what, each }: Slices, from: number, to: number): string {
    if (from === 0 && to === 0)
        return each === 1 ? `in the same ${what}` : `in the same ${plural(each, what)}`;
    const [least, most] = to < 0 ? [-to * each, -from * each] : [from * each, to * each];
    return `${least === most ? plural(least, what) : `${least} to ${most} ${what}s`} ${to < 0 ? "later" : "before"}`;
}

function sliceText({ what, n, each }: Slices, slice: number): string {
    const first = (slice - 1) * each + 1, last = Math.min(slice * each, n);
    if (slice < 1 || first > n)
        return slice < 1 ? `before ${what} 1` : `after ${what} ${n}`;
    return first === last ? `${what} ${first}` : `${what}s ${first} to ${last}`;
}

/* As in the terminal: of a delay and its wait. */
export function pairText(slices: Slices, delay: number, wait: number): string {
    const isOut = delay < 1 || (delay - 1) * slices.each >= slices.n;
    const from = `${isOut ? "" : delay === wait ? "in " : "from "}${sliceText(slices, delay)}`;
    return delay === wait ? from : `${from} to ${sliceText(slices, wait)}`;
}

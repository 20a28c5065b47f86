/* series.ts: sums of time series over a part of their rows and columns. */
import { seconds, withUnit } from "./format";
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

/* Computation, MPI, OpenMP: of all time; the duration is of iterations. Neither is a wait state. */
export function isTime(id: string): boolean {
    return id === "comp" || id === "mpi" || id === "omp_time";
}

/* Of computation, MPI and OpenMP those that are there by call path. */
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

/* Of slices 1 to n, neighbours together where there are many. */
export function barsOf(costs: SliceCost[], n: number): Bar[] {
    const width = Math.ceil(n / MOST_BARS);
    const bars = Array.from({ length: Math.ceil(n / width) }, (_, k): Bar => ({ from: k * width + 1, to: Math.min(n, (k + 1) * width), value: 0 }));
    for (const { slice, value } of costs)
        if (slice >= 1 && slice <= n)
            bars[Math.floor((slice - 1) / width)].value += value;
    return bars;
}

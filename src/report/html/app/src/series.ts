/* series.ts: sums of time series over a part of their rows and columns. */
import type { Series, SeriesMetric } from "./model";

export interface Selection { rows: [number, number]; columns: [number, number] }        /* [from, to) */

export function wholeOf(series: Series): Selection {
    return { rows: [0, series.rows], columns: [0, series.columns.length] };
}

export function isWhole(series: Series, { rows, columns }: Selection): boolean {
    return rows[0] === 0 && rows[1] === series.rows && columns[0] === 0 && columns[1] === series.columns.length;
}

/* [seconds] */
export function sumOf(series: Series, metric: SeriesMetric, { rows, columns }: Selection): number {
    let sum = 0;
    for (let row = rows[0]; row < rows[1]; row++)
        for (let column = columns[0]; column < columns[1]; column++)
            sum += metric.values[row * series.columns.length + column];
    return sum / 1e9;
}

/* Of each column, over the rows that are selected. [seconds] */
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

/* Wait states by what they are in the selection, those that are zero left out. */
export function ranked(series: Series, selection: Selection): [SeriesMetric, number][] {
    return series.metrics.filter(metric => metric.id !== "duration" && !isTime(metric.id))
        .map((metric): [SeriesMetric, number] => [metric, sumOf(series, metric, selection)])
        .filter(([, value]) => value > 0)
        .sort((a, b) => b[1] - a[1]);
}

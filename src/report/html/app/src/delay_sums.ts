/* delay_sums.ts: sums of delay costs over time, such as all of them, which the page does not carry. */
import type { Metric } from "./model";
import type { Series, SeriesMetric, SeriesPath } from "./series_model";

function sumOfMetrics(id: string, name: string, parts: SeriesMetric[]): SeriesMetric {
    return { id, name, words: "", worst: 0, values: parts[0].values.map((_, i) => parts.reduce((sum, { values }) => sum + values[i], 0)), parts: parts.length };
}

/* Of each call path. */
function sumOfPaths(id: string, parts: SeriesPath[]): SeriesPath[] {
    const sums = new Map<number, number[]>();                  /* call path -> values from column 0 on */
    for (const [, path, column, ...values] of parts) {
        const sum = sums.get(path) ?? [];
        for (let c = sum.length; c < column + values.length; c++)
            sum.push(0);
        values.forEach((value, i) => (sum[column + i] += value));
        sums.set(path, sum);
    }
    return [...sums].map(([path, sum]): SeriesPath => [id, path, 0, ...sum]);
}

/* To what the report has of single metrics. */
export function addDelaySums(series: Series, metrics: Metric[]): void {
    const { delays, paths } = series, parts = new Map<number, SeriesMetric[]>();
    for (const one of delays)
        for (let m = metrics.find(({ id }) => id === one.id)?.parent ?? -1; m >= 0; m = metrics[m].parent)
            parts.set(m, [...(parts.get(m) ?? []), one]);
    for (const [m, of] of parts) {
        const { id, name, parent } = metrics[m], ids = new Set(of.map(one => one.id));
        delays.push(sumOfMetrics(id, parent < 0 ? name : `Delay costs: ${name}`, of));
        paths?.push(...sumOfPaths(id, paths.filter(([part]) => ids.has(part))));
    }
}

/* views/spread.ts: how values are spread over processes: quartiles, outliers, density, columns of a narrow picture. NaN: not known, left out. */

export interface Spread {
    n: number;
    min: number; q25: number; median: number; mean: number; q75: number; max: number;
    low: number; high: number; /* whiskers: the least and largest values within 1.5 interquartile ranges of the box */
    outliers: number[]; /* beyond the whiskers: places in the values, the farthest from the median first */
}

export function known(values: ArrayLike<number>): Float64Array {
    return Float64Array.from(values).filter(value => !Number.isNaN(value));
}

/* null: nothing is known. Quartiles are interpolated between the neighbours. */
export function spread(values: ArrayLike<number>): Spread | null {
    const sorted = known(values).sort();
    const n = sorted.length;
    if (n === 0)
        return null;
    const q25 = quantile(sorted, 0.25);
    const median = quantile(sorted, 0.5);
    const q75 = quantile(sorted, 0.75);
    const reach = 1.5 * (q75 - q25);
    const low = sorted.find(value => value >= q25 - reach)!;
    const high = sorted.reduce((last, value) => (value <= q75 + reach ? value : last));
    const outliers: number[] = [];
    for (let i = 0; i < values.length; i++) {
        if (values[i] < low || values[i] > high)
            outliers.push(i);
    }
    outliers.sort((a, b) => Math.abs(values[b] - median) - Math.abs(values[a] - median) || a - b);
    return { n, min: sorted[0], q25, median, mean: mean(sorted), q75, max: sorted[n - 1], low, high, outliers };
}

/* Between two neighbours in proportion. */
function quantile(sorted: Float64Array, p: number): number {
    const at = p * (sorted.length - 1);
    const below = Math.floor(at);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

export function mean(values: ArrayLike<number>): number {
    let sum = 0;
    let n = 0;
    for (let i = 0; i < values.length; i++) {
        if (!Number.isNaN(values[i])) {
            sum += values[i];
            n++;
        }
    }
    return n > 0 ? sum / n : NaN;
}

/* Density of the values at n points from least to largest, scaled so that its peak is 1 (a Gaussian kernel over a histogram of n buckets). */
export function density(values: ArrayLike<number>, range: { min: number; max: number }, n: number): Float64Array {
    const counts = new Float64Array(n);
    const width = (range.max - range.min) / (n - 1);
    const all = known(values);
    if (!(width > 0) || all.length === 0)
        return counts;
    for (const value of all)
        counts[Math.min(n - 1, Math.max(0, Math.round((value - range.min) / width)))]++;

    const middle = mean(all);
    const deviation = Math.sqrt(all.reduce((sum, value) => sum + (value - middle) ** 2, 0) / all.length);
    const sorted = all.slice().sort();
    const quarters = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
    const bandwidth = Math.max(width, 0.9 * (quarters > 0 ? Math.min(deviation, quarters) : deviation) * all.length ** -0.2); /* the rule of thumb of Silverman */
    const reach = Math.ceil((3 * bandwidth) / width);
    const kernel = Float64Array.from({ length: reach + 1 }, (_, i) => Math.exp(-0.5 * ((i * width) / bandwidth) ** 2));
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) {
        for (let j = Math.max(0, i - reach); j <= Math.min(n - 1, i + reach); j++)
            out[i] += counts[j] * kernel[Math.abs(i - j)];
    }
    const peak = out.reduce((a, b) => Math.max(a, b), 0);
    return out.map(value => value / peak);
}

export interface Columns {
    first: Uint32Array; /* per column its first place; a column ends where the next one begins */
    min: Float64Array;
    mean: Float64Array;
    max: Float64Array;
}

/* Values put together into n columns of (nearly) as many neighbours each. */
export function columns(values: ArrayLike<number>, n: number): Columns {
    const first = Uint32Array.from({ length: n + 1 }, (_, i) => Math.floor((i * values.length) / n));
    const out: Columns = { first, min: new Float64Array(n).fill(NaN), mean: new Float64Array(n), max: new Float64Array(n).fill(NaN) };
    for (let c = 0; c < n; c++) {
        let sum = 0;
        let count = 0;
        for (let i = first[c]; i < first[c + 1]; i++) {
            const value = values[i];
            if (Number.isNaN(value))
                continue;
            if (!(out.min[c] <= value))
                out.min[c] = value;
            if (!(out.max[c] >= value))
                out.max[c] = value;
            sum += value;
            count++;
        }
        out.mean[c] = count > 0 ? sum / count : NaN;
    }
    return out;
}

export type Order = "rank" | "falling" | "rising";

/* Places of the values in the order wished for; of equal ones the first place first, unknown ones last. */
export function ordered(values: ArrayLike<number>, order: Order): Uint32Array {
    const places = Uint32Array.from({ length: values.length }, (_, i) => i);
    if (order === "rank")
        return places;
    const sign = order === "falling" ? -1 : 1;
    return places.sort((a, b) => {
        const [x, y] = [values[a], values[b]];
        if (x === y)
            return a - b;
        if (Number.isNaN(x) || Number.isNaN(y))
            return Number.isNaN(x) === Number.isNaN(y) ? a - b : Number.isNaN(x) ? 1 : -1;
        return sign * (x - y);
    });
}

/* Values of groups of locations: sums, or the extreme of them. NaN: nothing is known of any. */
export function grouped(values: ArrayLike<number>, groupOf: ArrayLike<number>, n: number, combine: "sum" | "min" | "max"): Float64Array {
    const out = new Float64Array(n).fill(NaN);
    for (let i = 0; i < values.length; i++) {
        const group = groupOf[i];
        const value = values[i];
        if (Number.isNaN(value) || group < 0 || group >= n)
            continue;
        const before = out[group];
        if (Number.isNaN(before))
            out[group] = value;
        else
            out[group] = combine === "sum" ? before + value : combine === "min" ? Math.min(before, value) : Math.max(before, value);
    }
    return out;
}

/* views/scaling.ts: runs of several sizes: rows of numbers, and the forms in which they are shown. The format is docs/formats.md#several-sizes. */
import { cutChains } from "../cut";

/* Of the value per process: constant + factor p^exponent log2(p)^logExponent. */
export interface ScalingModel { term: string; constant: number; factor: number; exponent: number; logExponent: number; error: number }

export interface ScalingHead {
    title: string;
    creator: string;
    byLocations?: boolean;                           /* all runs have as many processes: their number of locations counts in its place */
    isStartupCounted?: boolean;
    predicted?: number[];                            /* sizes at which models are evaluated */
    /* ascending by processes; time in seconds; incomplete: what is missing, "trace coverage 90 % of recorded events", null: nothing */
    runs: { title: string; processes: number; locations: number; time: number; incomplete?: string | null }[];
    efficiencies?: ScalingEfficiencies;
    metrics: { id: string; name: string; unit: string; what: string; parent: number; wait: boolean; values: (number | null)[]; growth: number | null; model?: ScalingModel | null }[];
    paths: { names: string[]; values: (number | null)[]; growth: number | null; model?: ScalingModel | null }[];
    waits?: { name: string; names: string[]; values: (number | null)[]; growth: number | null; model: ScalingModel | null }[];    /* at call paths */
}

/* POP's table; a share is a part of 1. */
export interface ScalingEfficiencies {
    isWeak: boolean;
    reference: number;                               /* run */
    rows: { id: string; name: string; unit: string; depth: number; isShare: boolean; values: (number | null)[] }[];
}

/* A metric, or the time of a call path. */
export interface ScalingRow {
    key: string;                                     /* in the address */
    name: string; what: string; unit: string;
    depth: number;
    isPath: boolean; isWait: boolean; isWaitAtPath?: boolean; isInteger: boolean;
    values: (number | null)[];                       /* per run, in the unit */
    growth: number | null;                           /* percentage points when the number of processes doubles */
    model: ScalingModel | null;
    worst: number;                                   /* the largest share of a run's time; 0 where it is no time */
}

export type Form = "share" | "total" | "process" | "factor";

export const FORMS: readonly (readonly [Form, string])[] = [
    ["share", "% of total time"], ["total", "sum over all processes"], ["process", "per process"], ["factor", "relative to the smallest run"],
];

export function isTime(unit: string): boolean {
    return /^(sec|s|seconds?)$/i.test(unit);
}

/* What a run's size is counted in, and how many there are. */
export function sizeWords(head: ScalingHead): [one: string, many: string] {
    return head.byLocations ? ["location", "locations"] : ["process", "processes"];
}

export function sizeOf(head: ScalingHead, run: number): number {
    return head.byLocations ? head.runs[run].locations : head.runs[run].processes;
}

/* Metrics in the order of their tree, then call paths, then wait states at call paths. */
export function rowsOf(head: ScalingHead): ScalingRow[] {
    const share = (values: (number | null)[]): number => values.reduce<number>((most, value, i) => Math.max(most, (value ?? 0) / head.runs[i].time || 0), 0);
    const out: ScalingRow[] = [];
    const add = (parent: number, depth: number): void => head.metrics.forEach((metric, i) => {
        if (metric.parent !== parent)
            return;
        const { id, name, what, unit, wait, values, growth, model } = metric;
        out.push({ key: id, name, what, unit, depth, isPath: false, isWait: wait, isInteger: !isTime(unit) && values.every(value => value === null || Number.isInteger(value)),
            values, growth, model: model ?? null, worst: isTime(unit) ? share(values) : 0 });
        add(i, depth + 1);
    });
    add(-1, 0);
    const chains = (key: string, paths: NonNullable<ScalingHead["waits"]> | ScalingHead["paths"]): void => {
        const shown = cutChains(paths.map(({ names }) => names), 3);
        paths.forEach((path, i) => {
            const wait = "name" in path ? ` (${path.name})` : "";
            const { names, values, growth, model } = path;
            out.push({
                key: `${key}${i}`, name: shown[i].map(name => name ?? "…").join(" › ") + wait, what: names.join(" › ") + wait, unit: "sec", depth: 0,
                isPath: true, isWait: false, isWaitAtPath: wait !== "", isInteger: false, values, growth, model: model ?? null, worst: share(values),
            });
        });
    };
    chains("path", head.paths);
    chains("wait", head.waits ?? []);
    return out;
}

/* POP's table as rows: those that are shares can be lines of a chart. */
export function efficiencyRows({ rows }: ScalingEfficiencies): ScalingRow[] {
    return rows.map(({ id, name, unit, depth, isShare, values }) => ({
        key: id, name, what: "", unit: isShare ? "share" : unit, depth, isPath: false, isWait: false, isInteger: false, values, growth: null, model: null, worst: 0,
    }));
}

/* The values of a row in a form; null: not known. What is no time has no share, and is shown as it is. */
export function shownAs(row: ScalingRow, form: Form, head: ScalingHead): (number | null)[] {
    const base = row.values.find(value => value !== null && value !== 0) ?? null;
    return row.values.map((value, i) => {
        const { processes, time } = head.runs[i];
        if (value === null)
            return null;
        switch (form) {
        case "share": return isTime(row.unit) ? (time > 0 ? value / time : null) : value;
        case "process": return processes > 0 ? value / processes : null;
        case "factor": return base === null ? null : value / base;
        default: return value;
        }
    });
}

/* The value per process (or location) at a size. */
export function modelAt(model: ScalingModel, size: number): number {
    return model.constant + model.factor * size ** model.exponent * Math.log2(size) ** model.logExponent;
}

/* The same in a form; null: shares have no model, as the time of a size without a run is not known. */
export function modelAs(row: ScalingRow, form: Form, head: ScalingHead, size: number): number | null {
    const base = row.values.find(value => value !== null && value !== 0) ?? null;
    const one = row.model === null ? null : modelAt(row.model, size);
    if (one === null || form === "share")
        return null;
    if (form === "process")
        return head.byLocations ? one * size / head.runs[0].processes : one;
    return form === "total" ? one * size : base === null ? null : one * size / base;
}

export function factor(value: number): string {
    return `× ${Number(value.toPrecision(3))}`;
}

/* Places of labels, as near to those wanted as it gets, `apart` from each other and between low and high. NaN: no label. */
export function spreadLabels(wanted: readonly number[], apart: number, low: number, high: number): number[] {
    const order = wanted.map((_, i) => i).filter(i => !Number.isNaN(wanted[i])).sort((a, b) => wanted[a] - wanted[b]);
    const out = wanted.slice();
    let free = low;
    for (const i of order) {
        out[i] = Math.max(wanted[i], free);
        free = out[i] + apart;
    }
    free = high;
    for (const i of order.reverse()) {
        out[i] = Math.min(out[i], free);
        free = out[i] - apart;
    }
    return out;
}

/* Rows with all their digits: sums over all processes, growth, model of the value per process. */
export function tableOf(head: ScalingHead, rows: readonly ScalingRow[]): (string | number)[][] {
    const [one] = sizeWords(head);
    const plain = ["", "", "", "", ""];              /* efficiencies have neither growth nor model */
    return [
        ["kind", "name", "unit", ...head.runs.map(({ title }, i) => `${title} (${sizeOf(head, i)})`), "growth_per_doubling", `model_per_${one}`, "model_constant", "model_factor", "model_error"],
        ...rows.map(({ isWaitAtPath, isPath, what, name, unit, values, growth, model }) => [
            isWaitAtPath ? "wait state at call path" : isPath ? "call path" : "metric", isPath ? what : name, unit, ...values.map(value => value ?? NaN),
            growth ?? NaN, model?.term ?? "", model?.constant ?? NaN, model?.factor ?? NaN, model?.error ?? NaN]),
        ...(head.efficiencies?.rows ?? []).map(({ id, unit, values }) => ["efficiency", id, unit, ...values.map(value => value ?? NaN), ...plain]),
    ];
}

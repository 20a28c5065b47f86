/* who.ts: which processes (or threads, in a run of one process) carry a value, in words. */
import type { Model } from "./model";
import { grouped } from "./format";
import { largestOf } from "./rank";

const N_TOP = 3;
const MOST = 0.8;              /* what those who carry it make up together */
const MAX_RANGES = 6;

/* Per process, in the order of groups; per location where there is one process. */
function perProcess(model: Model, ofLocation: Float64Array): Float64Array {
    if (model.nGroups === 1)
        return ofLocation.map(value => value || 0);
    const { group } = model.head.system.locations;
    const sums = new Float64Array(model.nGroups);
    for (let i = 0; i < ofLocation.length; i++)
        sums[group[i]] += ofLocation[i] || 0;
    return sums;
}

export function carrierName(model: Model, carrier: number): string {
    return model.nGroups === 1 ? model.locationName(carrier) : model.groupName(carrier);
}

/* "0–3, 8" */
export function ranges(numbers: number[]): string {
    const sorted = Float64Array.from(numbers).sort();
    const words: string[] = [];
    for (let first = 0, next = 1; first < sorted.length; first = next) {
        for (next = first + 1; next < sorted.length && sorted[next] === sorted[next - 1] + 1; next++)
            ;
        if (words.length === MAX_RANGES) {
            words.push("\u2026");
            break;
        }
        words.push(next > first + 1 ? `${sorted[first]}\u2013${sorted[next - 1]}` : String(sorted[first]));
    }
    return words.join(", ");
}

/* " threads 1-3": those of a process that carry most of what it carries; nothing where that is its first thread alone. */
function threadsOf(model: Model, process: number, ofLocation: Float64Array, whole: number): string {
    if (model.nGroups === 1)
        return "";
    const { group, thread } = model.head.system.locations;
    const own: number[] = [];
    for (let i = 0; i < group.length; i++)
        if (group[i] === process)
            own.push(i);
    own.sort((a, b) => (ofLocation[b] || 0) - (ofLocation[a] || 0) || thread[a] - thread[b]);
    let n = 0, sum = 0;
    while (n < own.length && sum < MOST * whole)
        sum += ofLocation[own[n++]] || 0;
    if (own.length < 2 || (n === 1 && thread[own[0]] === 0))
        return "";
    return `${n > 1 ? " threads" : " thread"} ${ranges(own.slice(0, n).map(i => thread[i]))}`;
}

/* The n largest, of equal ones the first, ascending by index. sorted: the values, ascending. */
function firstLargest(values: Float64Array, sorted: Float64Array, n: number): number[] {
    const least = sorted[sorted.length - n];
    const out: number[] = [];
    let nEqual = n;
    for (let i = sorted.length - 1; sorted[i] > least; i--)
        nEqual--;
    for (let i = 0; i < values.length; i++)
        if (values[i] > least || (values[i] === least && nEqual-- > 0))
            out.push(i);
    return out;
}

/* "process 3: 36 %, process 2: 34 %" or "11 of 16 processes: 83 % (0–4, 6–11)"; "" where there is one only, or no value. */
export function whoCarries(model: Model, ofLocation: Float64Array): string {
    const values = perProcess(model, ofLocation);
    let whole = 0;
    for (let i = 0; i < values.length; i++)
        whole += values[i];
    if (values.length < 2 || !(whole > 0))
        return "";
    const sorted = values.slice().sort();        /* ascending */
    const percent = (value: number): string => `${Math.round((100 * value) / whole)} %`;
    let n = 0, sum = 0;
    while (n < sorted.length && sum < MOST * whole)
        sum += sorted[sorted.length - ++n];
    const top = largestOf(values, N_TOP);
    if (n > N_TOP && top.reduce((part, carrier) => part + values[carrier], 0) < whole / 2) {
        const { rank } = model.head.system.groups;
        const ranks = model.nGroups === 1 ? [] : firstLargest(values, sorted, n).map(group => rank[group]);
        return `${grouped(n)} of ${grouped(values.length)} ${model.nGroups === 1 ? "threads" : "processes"}: ${percent(sum)}`
            + (ranks.length > 0 && ranks.every(rank => rank >= 0) ? ` (${ranges(ranks)})` : "");
    }
    return top.filter(carrier => values[carrier] >= 0.005 * whole)
        .map(carrier => `${carrierName(model, carrier)}${threadsOf(model, carrier, ofLocation, values[carrier])}: ${percent(values[carrier])}`).join(", ");
}

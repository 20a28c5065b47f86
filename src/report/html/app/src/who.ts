/* who.ts: which processes (or threads, in a run of one process) carry a value, in words. */
import type { Model } from "./model";
import { grouped } from "./format";

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
    const sorted = [...numbers].sort((a, b) => a - b);
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
    const own = Array.from(ofLocation.keys()).filter(i => group[i] === process)
        .sort((a, b) => (ofLocation[b] || 0) - (ofLocation[a] || 0) || thread[a] - thread[b]);
    let n = 0, sum = 0;
    while (n < own.length && sum < MOST * whole)
        sum += ofLocation[own[n++]] || 0;
    if (own.length < 2 || (n === 1 && thread[own[0]] === 0))
        return "";
    return `${n > 1 ? " threads" : " thread"} ${ranges(own.slice(0, n).map(i => thread[i]))}`;
}

/* "process 3: 36 %, process 2: 34 %" or "11 of 16 processes: 83 % (0–4, 6–11)"; "" where there is one only, or no value. */
export function whoCarries(model: Model, ofLocation: Float64Array): string {
    const values = perProcess(model, ofLocation);
    const whole = values.reduce((sum, value) => sum + value, 0);
    if (values.length < 2 || !(whole > 0))
        return "";
    const order = Uint32Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b);
    const percent = (value: number): string => `${Math.round((100 * value) / whole)} %`;
    let n = 0, sum = 0;
    while (n < order.length && sum < MOST * whole)
        sum += values[order[n++]];
    const top = Array.from(order.subarray(0, N_TOP));
    if (n > N_TOP && top.reduce((part, carrier) => part + values[carrier], 0) < whole / 2) {
        const ranks = model.nGroups === 1 ? [] : Array.from(order.subarray(0, n), group => model.head.system.groups.rank[group]);
        return `${grouped(n)} of ${grouped(order.length)} ${model.nGroups === 1 ? "threads" : "processes"}: ${percent(sum)}`
            + (ranks.length > 0 && ranks.every(rank => rank >= 0) ? ` (${ranges(ranks)})` : "");
    }
    return top.filter(carrier => values[carrier] >= 0.005 * whole)
        .map(carrier => `${carrierName(model, carrier)}${threadsOf(model, carrier, ofLocation, values[carrier])}: ${percent(values[carrier])}`).join(", ");
}

/* who.ts: which processes (or threads, in a run of one process) carry a metric, in words. */
import type { Model } from "./model";
import { grouped } from "./format";

const N_TOP = 3;
const MOST = 0.8;              /* what those who carry it make up together */
const MAX_RANGES = 6;

export interface Carrier {
    number: number;            /* of the process or thread */
    name: string;
    value: number;
    location: number;          /* its first */
}

export function carriersOf(model: Model, ofLocation: Float64Array): Carrier[] {
    const { groups, locations } = model.head.system;
    const areThreads = model.nGroups === 1;
    const carriers: Carrier[] = areThreads
        ? locations.name.map((name, i) => ({ number: locations.thread[i], name: name || `thread ${locations.thread[i]}`, value: 0, location: i }))
        : groups.name.map((_, g) => ({ number: groups.rank[g], name: model.groupName(g), value: 0, location: -1 }));
    for (let i = 0; i < ofLocation.length; i++) {
        const own = carriers[areThreads ? i : locations.group[i]];
        if (own.location < 0)
            own.location = i;
        own.value += ofLocation[i] || 0;
    }
    return carriers.sort((a, b) => b.value - a.value || a.number - b.number);
}

/* "0-3, 8" */
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

/* "process 3: 36 %, process 2: 34 %" or "11 of 16 processes: 83 % (0-4, 6-11)"; "" where there is one only, or no value. */
export function whoCarries(model: Model, ofLocation: Float64Array): string {
    const carriers = carriersOf(model, ofLocation);
    const whole = carriers.reduce((sum, carrier) => sum + carrier.value, 0);
    if (carriers.length < 2 || !(whole > 0))
        return "";
    const percent = (value: number): string => `${Math.round((100 * value) / whole)} %`;
    let n = 0, sum = 0;
    while (n < carriers.length && sum < MOST * whole)
        sum += carriers[n++].value;
    const top = carriers.slice(0, N_TOP);
    if (n > N_TOP && top.reduce((part, carrier) => part + carrier.value, 0) < whole / 2) {
        const numbers = carriers.slice(0, n).map(carrier => carrier.number);
        const named = numbers.every(number => number >= 0) && model.nGroups > 1;
        return `${grouped(n)} of ${grouped(carriers.length)} ${model.nGroups === 1 ? "threads" : "processes"}: ${percent(sum)}`
            + (named ? ` (${ranges(numbers)})` : "");
    }
    return top.filter(carrier => carrier.value >= 0.005 * whole).map(carrier => `${carrier.name}: ${percent(carrier.value)}`).join(", ");
}

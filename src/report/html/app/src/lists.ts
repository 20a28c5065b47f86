/* lists.ts: long lists of the head, of integers and of names. The format is docs/formats.md#page.
 *
 * Names stay as they are stored: of a million processes a few are looked at.
 */
export type Integers = ArrayLike<number>;
export type StoredIntegers = Integers | { runs: number[] };           /* first, step, n, ... */
export type Names = string[] | NameRuns;

interface NameRuns {
    runs: (string | number)[];              /* name, first number or -1, n, ... */
    ends?: Float64Array;                    /* the index behind each run */
    texts?: (string | undefined)[];         /* that were asked for: making one again takes longer than keeping it */
}

const isIn32Bits = (value: number): boolean => value === (value | 0);

export function integersOf(list: StoredIntegers): Integers {
    if (!("runs" in list))
        return list;
    const { runs } = list;
    let length = 0, isSmall = true;
    for (let i = 0; i < runs.length; i += 3) {
        length += runs[i + 2];
        isSmall &&= isIn32Bits(runs[i]) && isIn32Bits(runs[i] + runs[i + 1] * (runs[i + 2] - 1));
    }
    const out = isSmall ? new Int32Array(length) : new Float64Array(length);
    for (let i = 0, at = 0; i < runs.length; i += 3)
        for (let k = 0, value = runs[i]; k < runs[i + 2]; k++, value += runs[i + 1])
            out[at++] = value;
    return out;
}

/* Lists of integers of the system, of nodes, groups and locations. */
export function expandIntegers(system: object): void {
    for (const part of Object.values(system) as Record<string, StoredIntegers>[])
        for (const list of ["parent", "rank", "node", "thread", "group"])
            if (part[list] !== undefined)
                part[list] = integersOf(part[list]);
}

export function nameCount(names: Names): number {
    if (!("runs" in names))
        return names.length;
    let n = 0;
    for (let i = 2; i < names.runs.length; i += 3)
        n += names.runs[i] as number;
    return n;
}

export function nameAt(names: Names, i: number): string {
    if (!("runs" in names))
        return names[i];
    const texts = (names.texts ??= new Array<string | undefined>(nameCount(names)));
    return texts[i] ??= made(names.runs, names.ends ??= runEnds(names.runs), i);
}

function runEnds(runs: (string | number)[]): Float64Array {
    const ends = new Float64Array(runs.length / 3);
    for (let i = 0, n = 0; i < ends.length; i++)
        ends[i] = n += runs[3 * i + 2] as number;
    return ends;
}

function made(runs: (string | number)[], ends: Float64Array, i: number): string {
    let low = 0, high = ends.length - 1;            /* the run is among low .. high */
    while (low < high) {
        const middle = (low + high) >> 1;
        if (ends[middle] > i)
            high = middle;
        else
            low = middle + 1;
    }
    const [name, first, n] = runs.slice(3 * low, 3 * low + 3) as [string, number, number];
    return first < 0 ? name : name + String(first + i - (ends[low] - n));
}

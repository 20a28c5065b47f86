/* cut.ts: names that are too long, cut in the middle. Names that are shown together and differ still differ when they are cut. */

const ELLIPSIS = "\u2026";

/* The first and the last characters of a name, n in all. */
export function middleCut(name: string, n: number): string {
    if (name.length <= n)
        return name;
    const tail = Math.floor((n - 1) / 2);
    return name.slice(0, n - 1 - tail) + ELLIPSIS + name.slice(name.length - tail);
}

/* The first characters of a name, and those around place `at`. */
function cutAround(name: string, at: number, n: number): string {
    const head = Math.floor(n / 4);
    const width = n - head - 2;
    const start = Math.min(Math.max(at - Math.floor(width / 2), head), name.length - width);
    return name.slice(0, head) + (start > head ? ELLIPSIS : "") + name.slice(start, start + width) + (start + width < name.length ? ELLIPSIS : "");
}

function commonLength(a: string, b: string): number {
    let n = 0;
    while (n < a.length && n < b.length && a[n] === b[n])
        n++;
    return n;
}

function grouped<T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> {
    const groups = new Map<string, T[]>();
    for (const item of items) {
        const own = key(item);
        const group = groups.get(own);
        if (group === undefined)
            groups.set(own, [item]);
        else
            group.push(item);
    }
    return groups;
}

/* What is shown of each name that is longer than n characters: n of them, or as many more as tell it from the others. */
export function cutNames(names: readonly string[], n: number): Map<string, string> {
    const shown = cutTo(names, n);
    for (let more = n + 4; ; more += 4) {
        const alike = [...grouped(shown.keys(), name => shown.get(name)!).values()].filter(group => group.length > 1).flat();
        if (alike.length === 0)
            return shown;
        const cut = cutTo(alike, more);
        for (const name of alike)
            shown.set(name, cut.get(name) ?? name);
    }
}

function cutTo(names: readonly string[], n: number): Map<string, string> {
    const shown = new Map<string, string>();
    for (const [text, alike] of grouped(new Set(names.filter(name => name.length > n)), name => middleCut(name, n))) {
        const sorted = alike.sort();
        sorted.forEach((name, i) => {
            const at = Math.max(i > 0 ? commonLength(name, sorted[i - 1]) : 0, i + 1 < sorted.length ? commonLength(name, sorted[i + 1]) : 0);
            shown.set(name, sorted.length === 1 ? text : cutAround(name, at, n));
        });
    }
    return shown;
}

/* "f(…) const" of "f(int, char*) const"; the name itself where it has no parameters, or few characters of them. */
export function withoutParameters(name: string): string {
    const end = name.lastIndexOf(")");
    if (end < 0 || name.includes("::", end))
        return name;
    let begin = end;
    for (let depth = 0; begin >= 0; begin--) {
        depth += name[begin] === ")" ? 1 : name[begin] === "(" ? -1 : 0;
        if (depth === 0)
            break;
    }
    if (begin <= 0 || end - begin <= 2 || !/[\w>)]/.test(name[begin - 1]))
        return name;
    return `${name.slice(0, begin)}(${ELLIPSIS}${name.slice(end)}`;
}

/* The names that can be shown without their parameters, with what is shown: no two look alike. */
export function shortNames(names: Iterable<string>): Map<string, string> {
    const groups = grouped(new Set(names), name => name.slice(0, withoutParameters(name).indexOf(`(${ELLIPSIS}`) + 1));
    const shown = new Map<string, string>();
    for (const [begin, alike] of groups)
        if (begin !== "" && alike.length === 1)
            shown.set(alike[0], withoutParameters(alike[0]));
    return shown;
}

/* What is shown of each chain of names: the last n of them, and above these as many as tell the chains apart. null: names are left out here. */
export function cutChains(chains: readonly (readonly string[])[], n: number): (string | null)[][] {
    const kept = chains.map(chain => chain.map((_, i) => i >= chain.length - n));
    const shown = chains.map(() => [] as (string | null)[]);
    const make = (c: number): void => {
        shown[c] = [];
        chains[c].forEach((name, i) => {
            if (kept[c][i])
                shown[c].push(name);
            else if (shown[c].length === 0 || shown[c][shown[c].length - 1] !== null)
                shown[c].push(null);
        });
    };
    chains.forEach((_, c) => make(c));
    for (let isSettled = false; !isSettled;) {
        isSettled = true;
        for (const [, alike] of grouped(shown.keys(), c => JSON.stringify(shown[c])))
            if (new Set(alike.map(c => JSON.stringify(chains[c]))).size > 1)
                for (const c of alike) {
                    const at = lastDifference(chains, alike, c, kept[c]);
                    if (at < 0)
                        continue;
                    kept[c][at] = true;
                    make(c);
                    isSettled = false;
                }
    }
    return shown;
}

/* The last name of a chain that is not kept and that another of those that look alike does not have there, counted from the end; -1: none. */
function lastDifference(chains: readonly (readonly string[])[], alike: number[], c: number, kept: boolean[]): number {
    const own = chains[c];
    for (let back = 1; back <= own.length; back++)
        if (!kept[own.length - back] && alike.some(other => chains[other][chains[other].length - back] !== own[own.length - back]))
            return own.length - back;
    return kept.lastIndexOf(false);
}

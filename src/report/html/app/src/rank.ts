/* rank.ts: what the overview shows: top wait states, root causes, critical path, load balance. */
import type { Balance, Model } from "./model";

/* The n largest of some values, the largest first, at least `least` each; of equal ones the first. */
export function largestOf(values: ArrayLike<number>, n: number, least = 0): number[] {
    const top: number[] = [];
    for (let i = 0; i < values.length; i++) {
        if (!(values[i] > 0) || values[i] < least || (top.length === n && !(values[i] > values[top[n - 1]])))
            continue;
        let at = top.length;
        while (at > 0 && values[top[at - 1]] < values[i])
            at--;
        top.splice(at, 0, i);
        if (top.length > n)
            top.pop();
    }
    return top;
}

/* Wait states that somebody was in, the worst first. */
export function waitStates(model: Model): number[] {
    const totals = model.head.metrics.map(metric => (metric.wait ? metric.total ?? 0 : 0));
    return largestOf(totals, totals.length);
}

/* ---- causes ------------------------------------------------------------------------------------------------------------- */

export interface DelayKind {
    id: string;                    /* what tables.causes calls the wait state */
    name: string;
    shortTerm: number;
    longTerm: number;
    unattributed: number;          /* -1: there is none */
}

/* The kinds of wait states whose causes the report has. */
export function delayKinds(model: Model): DelayKind[] {
    const { metrics } = model.head;
    return metrics.flatMap((metric, m) => {
        const id = /^delay_(.+)_longterm$/.exec(metric.id)?.[1];
        const shortTerm = id === undefined ? -1 : model.metricById(`delay_${id}`);
        if (id === undefined || shortTerm < 0)
            return [];
        const unattributed = model.metricById(`delay_unattributed_${id}`);
        const named = [unattributed, model.metricById(`delay_${id}_aggregate`), metrics[shortTerm].parent, shortTerm].find(i => i >= 0)!;
        return [{ id, name: metrics[named].name, shortTerm, longTerm: m, unattributed }];
    });
}

export interface Causes {
    kinds: DelayKind[];
    ofPath: Float64Array;          /* waiting that a call path caused: of all kinds, short- and long-term */
    whole: number;                 /* all waiting that is to be explained */
    unattributed: number;          /* the part of it that is not */
}

export function causesOf(model: Model, kinds: DelayKind[]): Causes {
    const ofPath = new Float64Array(model.nPaths);
    const total = (m: number): number => (m < 0 ? 0 : model.head.metrics[m].total ?? 0);
    let whole = 0, unattributed = 0;
    for (const kind of kinds) {
        for (const m of [kind.shortTerm, kind.longTerm]) {
            const sums = model.pathSums(m);
            for (let p = 0; p < ofPath.length; p++)
                ofPath[p] += sums[p];
            whole += total(m);
        }
        unattributed += total(kind.unattributed);
    }
    return { kinds, ofPath, whole: whole + unattributed, unattributed };
}

export interface Cause {
    path: number;
    value: number;
    longTerm: number;                                        /* the part of it that others passed on */
    metrics: number[];                                       /* that carry it */
    explains: { name: string; value: number }[];             /* wait states, the heaviest first */
    effects: { path: number; name: string; value: number }[];    /* where others wait, the heaviest first; path -1: not known */
}

export function causeAt(model: Model, causes: Causes, path: number): Cause {
    const at = (m: number): number => model.pathSums(m)[path];
    const explains = causes.kinds.map(kind => ({ name: kind.name, value: at(kind.shortTerm) + at(kind.longTerm) }))
        .filter(({ value }) => value > 0).sort((a, b) => b.value - a.value);
    return {
        path, value: causes.ofPath[path], explains,
        longTerm: causes.kinds.reduce((sum, kind) => sum + at(kind.longTerm), 0),
        metrics: causes.kinds.flatMap(kind => [kind.shortTerm, kind.longTerm]).filter(m => at(m) > 0),
        effects: (effectsByCause(model).get(path) ?? []).map(({ effect, kind, value }) => ({
            path: effect, value, name: causes.kinds.find(({ id }) => id === kind)?.name ?? kind,
        })),
    };
}

interface Effect {
    effect: number;
    kind: string;
    value: number;
}

const effects = new WeakMap<Model, Map<number, Effect[]>>();

function effectsByCause(model: Model): Map<number, Effect[]> {
    let map = effects.get(model);
    if (map === undefined) {
        map = new Map();
        for (const row of model.table("causes") ?? []) {
            if (row.cause === "")
                continue;
            const cause = model.pathOfNumber(Number(row.cause));
            const effect = row.effect === "" ? -1 : model.pathOfNumber(Number(row.effect));
            const list = map.get(cause) ?? [];
            list.push({ effect, kind: row["wait state"], value: Number(row["short-term"]) + Number(row["long-term"]) });
            map.set(cause, list);
        }
        for (const list of map.values())
            list.sort((a, b) => b.value - a.value);
        effects.set(model, map);
    }
    return map;
}

/* ---- load balance ------------------------------------------------------------------------------------------------------- */

/* Computation, or the next best that the report has; -1: nothing that tells. */
export function workMetric(model: Model): number {
    return ["comp", "execution"].map(id => model.metricById(id)).find(m => m >= 0) ?? -1;
}

/* The process, where each has one thread, else the thread. */
export function nameOfMost(model: Model, { most, threads, processes }: Balance): string {
    const { group, thread } = model.head.system.locations;
    if (processes === threads)
        return model.groupName(group[most]);
    return processes === 1 ? model.locationName(most) : `${model.groupName(group[most])} thread ${thread[most]}`;
}

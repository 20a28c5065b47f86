/* views/instance_layout.ts: the worst instances as the tables of a report tell them, and how the picture of one is laid out. Knows nothing of SVG. */

import type { Row } from "../model";

export interface Instance {
    number: number; metric: string; path: number; process: number; thread: number;
    enter: number; leave: number; waiting: number; /* [seconds] */
    peer: number | null; /* the process that was waited for */
}

export interface Moment {
    instance: number; process: number; thread: number;
    begin: number; end: number; /* [seconds] */
    path: number; kind: "call" | "wait";
}

function optional(text: string | undefined): number | null {
    return text === undefined || text === "" ? null : Number(text);
}

export function parseInstances(rows: readonly Row[]): Instance[] {
    return rows.map(row => ({
        number: Number(row["instance"]), metric: row["metric"] ?? "", path: optional(row["path"]) ?? -1,
        process: Number(row["process"]), thread: Number(row["thread"]), enter: Number(row["enter"]), leave: Number(row["leave"]),
        waiting: Number(row["waiting"]), peer: optional(row["peer"]),
    }));
}

export function parseMoments(rows: readonly Row[]): Moment[] {
    return rows.map(row => ({
        instance: Number(row["instance"]), process: Number(row["process"]), thread: Number(row["thread"]),
        begin: Number(row["begin"]), end: Number(row["end"]), path: optional(row["path"]) ?? -1, kind: row["kind"] === "wait" ? "wait" : "call",
    }));
}

const LEAST_WIDTH = 1e-9;                            /* [seconds] of what is drawn */

export interface Lane { process: number; thread: number; part: "waits" | "waited for" | null; calls: Moment[]; waits: Moment[] }
export interface Picture { from: number; to: number; lanes: Lane[] } /* [seconds] */

/* The picture of an instance: the call that waited with as much before and after it, as far as something is known of that. */
export function pictureOf(instance: Instance, moments: readonly Moment[]): Picture {
    const mine = moments.filter(moment => moment.instance === instance.number);
    const margin = 0.6 * Math.max(instance.leave - instance.enter, LEAST_WIDTH);
    const from = Math.max(instance.enter - margin, mine.reduce((least, m) => Math.min(least, m.begin), instance.enter));
    const to = Math.min(instance.leave + margin, mine.reduce((most, m) => Math.max(most, m.end), instance.leave));

    const lanes = new Map<string, Lane>();
    for (const moment of mine) {
        const key = `${moment.process}/${moment.thread}`;
        let lane = lanes.get(key);
        if (lane === undefined) {
            lane = { process: moment.process, thread: moment.thread, part: partOf(instance, moment), calls: [], waits: [] };
            lanes.set(key, lane);
        }
        if (moment.end >= from && moment.begin <= to)
            (moment.kind === "wait" ? lane.waits : lane.calls).push({ ...moment, begin: Math.max(from, moment.begin), end: Math.min(to, moment.end) });
    }
    const sorted = [...lanes.values()].sort((a, b) => a.process - b.process || a.thread - b.thread);
    return { from, to, lanes: sorted };
}

/* The call of a lane that takes most of an interval, null: none is known. */
export function during(lane: Lane, { begin, end }: { begin: number; end: number }): Moment | null {
    let best: Moment | null = null;
    let most = 0;
    for (const call of lane.calls) {
        const common = Math.min(call.end, end) - Math.max(call.begin, begin);
        if (common > most) {
            most = common;
            best = call;
        }
    }
    return best;
}

/* The longest part of a call that no wait is drawn over. waits: ascending. */
export function uncovered(call: { begin: number; end: number }, waits: readonly { begin: number; end: number }[]): { begin: number; end: number } {
    let best = { begin: call.begin, end: call.begin };
    let begin = call.begin;
    for (const wait of [...waits, { begin: call.end, end: call.end }]) {
        const end = Math.min(call.end, wait.begin);
        if (end - begin > best.end - best.begin)
            best = { begin, end };
        begin = Math.max(begin, wait.end);
    }
    return best;
}

function partOf(instance: Instance, at: { process: number; thread: number }): Lane["part"] {
    if (at.process === instance.process && at.thread === instance.thread)
        return "waits";
    return at.process === instance.peer && at.process !== instance.process ? "waited for" : null;
}

export type CallClass = "compute" | "point-to-point" | "collective" | "one-sided" | "other MPI" | "threads" | "files";

/* Calls that complete requests, most of which are of messages; their role in OTF2 says nothing of that. */
const COMPLETION = /^p?mpi_(wait|test)(all|any|some)?(_f08)?_*$/i;

/* What a call is about, from the paradigm and role of its region as OTF2 names them. */
export function classOf(region: { name: string; paradigm: string; role: string }): CallClass {
    const { paradigm, role } = region;
    if (role.startsWith("file io"))
        return "files";
    if (["openmp", "pthread", "ompt"].includes(paradigm))
        return "threads";
    if (role === "rma")
        return "one-sided";
    if (role === "point2point" || COMPLETION.test(region.name))
        return "point-to-point";
    if (["barrier", "all2all", "one2all", "all2one", "other collective"].includes(role))
        return "collective";
    return paradigm === "mpi" || region.name.startsWith("MPI_") ? "other MPI" : "compute";
}

/* A length of time in the unit in which it is read easiest. */
export function timeText(seconds: number, digits = 3): string {
    const size = Math.abs(seconds);
    if (size === 0)
        return "0 s";
    for (const [unit, scale] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]] as const) {
        if (size >= scale * 0.9995)
            return `${Number((seconds / scale).toPrecision(digits))} ${unit}`;
    }
    return `${Number((seconds / 1e-9).toPrecision(digits))} ns`;
}

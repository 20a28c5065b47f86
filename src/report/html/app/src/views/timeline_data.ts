/* views/timeline_data.ts: the timeline excerpt of an instance as the tables of a report have it (docs/formats.md#instances): lanes of threads,
 * their calls and waits, and messages between them. Times in seconds. Knows nothing of pictures. */
import type { Row } from "../model";
import { isWhole, type Span } from "./time_axis";

export interface Instance {
    number: number; metric: string; path: number; process: number; thread: number;
    enter: number; leave: number; waiting: number;
    peer: number | null; /* the process that was waited for */
}

export interface Piece { begin: number; end: number; path: number; isSeveral: boolean } /* isSeveral: short calls, most of the time in this path */

export type LanePart = "waits" | "waited for" | "waits, too" | "partner";

export interface Lane { process: number; thread: number; part: LanePart | null; calls: Piece[]; waits: Piece[] }

export interface Message {
    sender: Lane; receiver: Lane; sent: number; received: number; bytes: number; tag: number;
    isOfWait: boolean; /* the one that ends the wait, or that waits to be received */
}

export interface Timeline {
    instance: Instance;
    window: Span;
    lanes: Lane[];        /* who waits longest, who is waited for, others by their waits, partners by their messages */
    messages: Message[];  /* by the time they were sent */
    nPartners: number | null; /* those that have no lane, too; null: the report does not say, as it is an older one */
    nSends: number; nReceives: number; /* of the lanes in the window, wherever the other end is */
}

/* The lines of a table that are of an instance; they are consecutive, so the others need not be read. */
export function rowsOf(text: string | null, instance: number): Row[] {
    if (text === null)
        return [];
    const columns = text.slice(0, text.indexOf("\n")).split("\t");
    const rows: Row[] = [];
    const key = `${instance}\t`;
    const first = text.indexOf(`\n${key}`);
    for (let at = first + 1; first >= 0 && text.startsWith(key, at);) {
        const end = text.indexOf("\n", at);
        const fields = text.slice(at, end < 0 ? text.length : end).split("\t");
        rows.push(Object.fromEntries(columns.map((column, i) => [column, fields[i] ?? ""])));
        at = end < 0 ? text.length : end + 1;
    }
    return rows;
}

function optional(text: string | undefined): number | null {
    return text === undefined || text === "" ? null : Number(text);
}

export function instanceOf(row: Row): Instance {
    return {
        number: Number(row["instance"]), metric: row["metric"] ?? "", path: optional(row["path"]) ?? -1,
        process: Number(row["process"]), thread: Number(row["thread"]), enter: Number(row["enter"]), leave: Number(row["leave"]),
        waiting: Number(row["waiting"]), peer: optional(row["peer"]),
    };
}

const SENDER_WAITS = /^mpi_latereceiver/;             /* metrics; in others it is the receiver */

const laneKey = (process: unknown, thread: unknown): string => `${process}/${thread}`;

/* rows: of this instance. */
export function timelineOf(instance: Instance, tables: { moments: readonly Row[]; windows: readonly Row[]; messages: readonly Row[] }): Timeline {
    const lanes = lanesOf(instance, tables.moments);
    const pieces = [...lanes.values()].flatMap(lane => lane.calls);
    const [row] = tables.windows;
    const window = row !== undefined ? { from: Number(row["begin"]), to: Number(row["end"]) } : {
        from: pieces.reduce((least, piece) => Math.min(least, piece.begin), instance.enter),
        to: pieces.reduce((most, piece) => Math.max(most, piece.end), instance.leave),
    };
    const messages = tables.messages.flatMap(message => messageOf(instance, message, lanes) ?? []);
    return {
        instance, window, messages, lanes: byPart(instance, [...lanes.values()], messages),
        nPartners: optional(row?.["partners"]), nSends: Number(row?.["sends"] ?? 0), nReceives: Number(row?.["receives"] ?? 0),
    };
}

function lanesOf(instance: Instance, moments: readonly Row[]): Map<string, Lane> {
    const lanes = new Map<string, Lane>();
    for (const row of moments) {
        const key = laneKey(row["process"], row["thread"]);
        let lane = lanes.get(key);
        if (lane === undefined) {
            lane = { process: Number(row["process"]), thread: Number(row["thread"]), part: null, calls: [], waits: [] };
            lanes.set(key, lane);
        }
        const piece = { begin: Number(row["begin"]), end: Number(row["end"]), path: optional(row["path"]) ?? -1, isSeveral: row["kind"] === "calls" };
        (row["kind"] === "wait" ? lane.waits : lane.calls).push(piece);
    }
    for (const lane of lanes.values())
        lane.part = partOf(instance, lane);
    return lanes;
}

function partOf(instance: Instance, lane: Lane): LanePart {
    if (lane.process === instance.process && lane.thread === instance.thread)
        return "waits";
    if (lane.process === instance.peer && lane.process !== instance.process)
        return "waited for";
    if (lane.waits.length > 0)
        return "waits, too";
    return lane.process === instance.process ? "waited for" : "partner"; /* partners are of other processes */
}

function messageOf(instance: Instance, row: Row, lanes: Map<string, Lane>): Message | null {
    const sender = lanes.get(laneKey(row["sender"], row["sender_thread"]));
    const receiver = lanes.get(laneKey(row["receiver"], row["receiver_thread"]));
    if (sender === undefined || receiver === undefined)
        return null;
    const [sent, received] = [Number(row["sent"]), Number(row["received"])];
    const isOfWait = SENDER_WAITS.test(instance.metric) ? sender.part === "waits" && sent === instance.enter && receiver.process === instance.peer
        : receiver.part === "waits" && received === instance.leave && sender.process === instance.peer;
    return { sender, receiver, sent, received, bytes: Number(row["bytes"]), tag: Number(row["tag"]), isOfWait };
}

const PARTS: readonly LanePart[] = ["waits", "waited for", "waits, too", "partner"];

function byPart(instance: Instance, lanes: Lane[], messages: readonly Message[]): Lane[] {
    const waits = (lane: Lane): number => lane.waits.reduce((sum, wait) => sum + wait.end - wait.begin, 0);
    const isMain = (lane: Lane): boolean => lane.part === "waits" || lane.process === instance.peer;
    const exchanged = new Map<Lane, number>();
    for (const { sender, receiver } of messages)
        for (const [lane, other] of [[sender, receiver], [receiver, sender]])
            if (isMain(other))
                exchanged.set(lane, (exchanged.get(lane) ?? 0) + 1);
    return lanes.sort((a, b) => PARTS.indexOf(a.part!) - PARTS.indexOf(b.part!) || waits(b) - waits(a)
        || (exchanged.get(b) ?? 0) - (exchanged.get(a) ?? 0) || a.process - b.process || a.thread - b.thread);
}

/* The first n lanes, in the order of their processes. */
export function shownLanes(timeline: Timeline, n: number): Lane[] {
    return timeline.lanes.slice(0, n).sort((a, b) => a.process - b.process || a.thread - b.thread);
}

/* The call in which a lane is at a time; isEnd: just before it. null: none is known. */
export function callAt(lane: Lane, time: number, isEnd = false): Piece | null {
    let low = 0;
    let high = lane.calls.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (isEnd ? lane.calls[middle].end < time : lane.calls[middle].end <= time)
            low = middle + 1;
        else
            high = middle;
    }
    const call = lane.calls[low];
    return call !== undefined && call.begin <= time ? call : null;
}

/* The call of a lane that takes most of an interval, null: none is known. */
export function during(lane: Lane, { begin, end }: { begin: number; end: number }): Piece | null {
    let best: Piece | null = null;
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

/* The longest part of a piece that no wait is drawn over. waits: ascending. */
export function uncovered(piece: { begin: number; end: number }, waits: readonly { begin: number; end: number }[]): { begin: number; end: number } {
    let best = { begin: piece.begin, end: piece.begin };
    let begin = piece.begin;
    for (const wait of [...waits, { begin: piece.end, end: piece.end }]) {
        const end = Math.min(piece.end, wait.begin);
        if (end - begin > best.end - best.begin)
            best = { begin, end };
        begin = Math.max(begin, wait.end);
    }
    return best;
}

/* Those messages of a part of the window that are drawn, at most n: that of the wait, then those that end nearest to its end. */
export function shownMessages(timeline: Timeline, lanes: readonly Lane[], part: Span, n: number): { shown: Message[]; inView: number } {
    const there = new Set(lanes);
    const inView = timeline.messages.filter(({ sender, receiver, sent, received }) => there.has(sender) && there.has(receiver)
        && (isWhole(timeline.window, part) || (Math.max(sent, received) >= part.from && Math.min(sent, received) <= part.to)));
    const distance = (message: Message): number => (message.isOfWait ? -1 : Math.abs(message.received - timeline.instance.leave));
    const shown = inView.length <= n ? inView : [...inView].sort((a, b) => distance(a) - distance(b)).slice(0, n).sort((a, b) => a.sent - b.sent);
    return { shown, inView: inView.length };
}

/* What lanes do in a part of the window, as rows of a table; times in seconds since the first event of the archive, call paths in words. */
export function tableOf(timeline: Timeline, lanes: readonly Lane[], part: Span, pathName: (path: number) => string): (string | number)[][] {
    const isSeen = (begin: number, end: number): boolean => end >= part.from && begin <= part.to;
    const rows = lanes.flatMap(({ process, thread, calls, waits }) => [["call", calls] as const, ["wait", waits] as const].flatMap(([kind, pieces]) =>
        pieces.filter(({ begin, end }) => isSeen(begin, end)).map(({ begin, end, path, isSeveral }) =>
            [isSeveral ? "short calls" : kind, process, thread, pathName(path), begin, end, "", "", "", ""])));
    const messages = shownMessages(timeline, lanes, part, Infinity).shown.map(({ sender, receiver, sent, received, bytes, tag }) =>
        ["message", sender.process, sender.thread, "", sent, received, receiver.process, receiver.thread, bytes, tag]);
    return [["kind", "process", "thread", "call_path", "begin", "end", "receiver_process", "receiver_thread", "bytes", "tag"], ...rows, ...messages];
}

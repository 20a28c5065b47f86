/* views/timeline_picture.ts: draws a part of a timeline excerpt: an axis, a lane of bars for each thread, waits hatched, messages as arrows. */
import { scaleLinear } from "d3-scale";
import { middleCut } from "../cut";
import { CALL_CLASSES, type CallClass } from "./call_class";
import { svg } from "./dom";
import { ticksOf, timeText, type Span } from "./time_axis";
import { callAt, uncovered, type Lane, type Message, type Piece, type Timeline } from "./timeline_data";
import { leafRow, type Bar, type CallPaths, type StackMode } from "./timeline_rows";

/* What is drawn, with what the pointer and the keyboard find there. */
export type Mark = { kind: "call"; lane: Lane; bar: Bar } | { kind: "wait"; lane: Lane; wait: Piece } | { kind: "message"; message: Message };

export interface Scene {
    timeline: Timeline;
    part: Span;
    lanes: { lane: Lane; bars: Bar[][] }[];
    messages: readonly Message[];
    mode: StackMode;
    base: number;                                    /* of commonDepth() */
    paths: CallPaths;
    chosen: Mark | null;
    width: number;                                   /* [pixels] */
    label: string;                                   /* the whole in words */
    name(path: number): string;
    laneName(lane: Lane): string;
    classOf(path: number): CallClass;
}

export interface Drawing { picture: SVGSVGElement; marks: Mark[]; left: number; right: number }

const TOP = 26;                                      /* [pixels] room of the axis */
const GAP = 14;                                      /* between lanes */
const ONE_ROW = 22;
const ROW = 16;
const LETTER = 6.6;                                  /* a letter's width, about */
const NARROW = 560;                                  /* where there is less room, names of lanes stand above them */
const LEAST_SEEN = 0.6;                              /* narrower bars beside others are left out */

const MANY = 60;                                     /* messages: from here on they are drawn fainter */

let pictures = 0;

export const sameMark = (a: Mark | null, b: Mark): boolean => a !== null && a.kind === b.kind
    && (a.kind === "message" ? a.message === (b as typeof a).message
        : a.kind === "wait" ? a.wait === (b as typeof a).wait
            : a.lane === (b as typeof a).lane && a.bar.begin === (b as typeof a).bar.begin && a.bar.row === (b as typeof a).bar.row);

export function draw(scene: Scene): Drawing {
    return new Picture(scene).drawing();
}

class Picture {
    private readonly marks: Mark[] = [];
    private readonly id = `v-timeline-${pictures++}`;
    private readonly left: number;
    private readonly right: number;
    private readonly isNarrow: boolean;
    private readonly x: (time: number) => number;
    private readonly rowHeight: number;
    private readonly tops = new Map<Lane, number>();
    private readonly height: number;

    constructor(private readonly scene: Scene) {
        const { lanes, width, part } = scene;
        this.isNarrow = width < NARROW;
        const letters = lanes.reduce((most, { lane }) => Math.max(most, scene.laneName(lane).length, (lane.part ?? "").length), 8);
        this.left = this.isNarrow ? 6 : 14 + 7 * letters;
        this.right = width - 10;
        this.x = scaleLinear([part.from, part.to], [this.left, this.right]);
        this.rowHeight = scene.mode === "calls" ? ONE_ROW : ROW;
        let top = TOP;
        for (const { lane, bars } of lanes) {
            top += this.isNarrow ? 15 : 0;
            this.tops.set(lane, top);
            top += Math.max(bars.length * this.rowHeight, this.isNarrow ? 0 : 24) + GAP;
        }
        this.height = top;
    }

    drawing(): Drawing {
        const { scene, left, right, height } = this;
        const picture = svg("svg", { width: scene.width, height, class: "v-svg", role: "img", "aria-label": scene.label }, this.definitions());
        const inside = svg("g", { "clip-path": `url(#${this.id}-inside)`, class: scene.messages.length > MANY ? "v-many" : null });
        this.axis(picture);
        for (const { lane, bars } of scene.lanes) {
            this.bars(inside, lane, bars);
            this.waits(inside, lane);
        }
        for (const at of [scene.timeline.instance.enter, scene.timeline.instance.leave])
            inside.append(svg("line", { x1: this.x(at), x2: this.x(at), y1: 18, y2: height, class: "v-edge" }));
        for (const message of scene.messages)
            this.message(inside, message);
        picture.append(inside);
        for (const { lane } of scene.lanes)
            this.names(picture, lane);
        return { picture, marks: this.marks, left, right };
    }

    private definitions(): SVGDefsElement {
        const { id, left, right, height } = this;
        const arrow = (name: string): SVGMarkerElement => svg("marker", { id: `${id}-${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
            svg("path", { d: "M0,0.5 L8,4 L0,7.5 z", class: `v-arrow v-arrow-${name}` }));
        return svg("defs", {},
            /* Waiting is hatched, so that it is told apart without colours. */
            svg("pattern", { id: `${id}-wait`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
                svg("rect", { width: 6, height: 6, class: "v-wait-ground" }), svg("rect", { width: 2, height: 6, class: "v-wait-line" })),
            svg("clipPath", { id: `${id}-inside` }, svg("rect", { x: left, y: 0, width: Math.max(0, right - left), height })),
            arrow("plain"), arrow("main"));
    }

    private axis(picture: SVGSVGElement): void {
        const { left, right, height, x } = this;
        for (const { at, text } of ticksOf(this.scene.part, this.scene.timeline.window.from, right - left)) {
            const half = (LETTER * text.length) / 2;
            picture.append(svg("line", { x1: x(at), x2: x(at), y1: 18, y2: height, class: "v-grid" }),
                svg("text", { x: Math.max(left + half, Math.min(right - half, x(at))), y: 12, "text-anchor": "middle", class: "v-faint v-small v-tick" }, text));
        }
    }

    private names(picture: SVGSVGElement, lane: Lane): void {
        const top = this.tops.get(lane)!;
        const name = this.scene.laneName(lane);
        const kind = lane.part === "waits" ? "v-strong" : "";
        if (this.isNarrow) {
            picture.append(svg("text", { x: this.left, y: top - 4, class: `v-name ${kind}` }, lane.part === null ? name : `${name}: ${lane.part}`));
            return;
        }
        picture.append(svg("text", { x: this.left - 8, y: top + 11, "text-anchor": "end", class: `v-name ${kind}` }, name),
            svg("text", { x: this.left - 8, y: top + 23, "text-anchor": "end", class: "v-faint v-small" }, lane.part ?? ""));
    }

    private mark(element: SVGElement, mark: Mark): void {
        element.setAttribute("data-mark", String(this.marks.length));
        if (sameMark(this.scene.chosen, mark))
            element.classList.add("v-chosen");
        this.marks.push(mark);
    }

    /* The part of a bar that is seen, in pixels. */
    private seen({ begin, end }: { begin: number; end: number }): [number, number] {
        return [Math.max(this.left - 2, this.x(begin)), Math.min(this.right + 2, this.x(end))];
    }

    private bars(into: SVGGElement, lane: Lane, rows: Bar[][]): void {
        const { part } = this.scene;
        const top = this.tops.get(lane)!;
        const middle = top + (rows.length * this.rowHeight) / 2;
        into.append(svg("line", { x1: this.left, x2: this.right, y1: middle, y2: middle, class: "v-idle" }));
        rows.forEach((bars, row) => {
            let drawnTo = -Infinity;
            for (const bar of bars) {
                if (bar.end < part.from || bar.begin > part.to)
                    continue;
                const [begin, end] = this.seen(bar);
                if (end - drawnTo < LEAST_SEEN)
                    continue;
                drawnTo = end;
                const kind = `v-call v-call-${CALL_CLASSES.indexOf(this.scene.classOf(bar.path))}${bar.isSeveral ? " v-several" : ""}`;
                const group = svg("g", { class: kind }, svg("rect", { x: begin, y: top + row * this.rowHeight, width: Math.max(0.7, end - begin), height: this.rowHeight }));
                this.text(group, this.scene.name(bar.path), bar, bar.isLeaf ? lane.waits : [], top + (row + 0.5) * this.rowHeight);
                this.mark(group, { kind: "call", lane, bar });
                into.append(group);
            }
        });
    }

    /* A name where there is room for it. */
    private text(group: SVGGElement, text: string, bar: { begin: number; end: number }, waits: readonly Piece[], middle: number): void {
        const { from, to } = this.scene.part;
        const free = uncovered({ begin: Math.max(bar.begin, from), end: Math.min(bar.end, to) }, waits);
        const room = Math.floor((this.x(free.end) - this.x(free.begin) - 8) / LETTER);
        if (text.length <= room || room >= 5)
            group.append(svg("text", { x: (this.x(free.begin) + this.x(free.end)) / 2, y: middle + 4, "text-anchor": "middle", class: "v-small" }, text.length <= room ? text : middleCut(text, room)));
    }

    private waits(into: SVGGElement, lane: Lane): void {
        const { scene } = this;
        for (const wait of lane.waits) {
            if (wait.end < scene.part.from || wait.begin > scene.part.to)
                continue;
            const [begin, end] = this.seen(wait);
            const row = leafRow(scene.paths, wait.path, scene.mode, scene.base);
            const y = this.tops.get(lane)! + row * this.rowHeight;
            const group = svg("g", { class: "v-wait" }, svg("rect", { x: begin, y: y + 2.5, width: Math.max(2, end - begin), height: this.rowHeight - 5, fill: `url(#${this.id}-wait)` }));
            const text = `waits ${timeText(wait.end - wait.begin)}`;
            const centre = (Math.max(begin, this.left) + Math.min(end, this.right)) / 2;
            const width = LETTER * text.length;
            if (width + 8 <= end - begin)
                group.append(svg("rect", { x: centre - width / 2 - 4, y: y + this.rowHeight / 2 - 7, width: width + 8, height: 14, class: "v-plate" }),
                    svg("text", { x: centre, y: y + this.rowHeight / 2 + 4, "text-anchor": "middle", class: "v-small" }, text));
            this.mark(group, { kind: "wait", lane, wait });
            into.append(group);
        }
    }

    /* The middle of the row in which a lane's innermost call is at an end of a message. */
    private rowAt(lane: Lane, time: number, isEnd: boolean): number {
        const call = callAt(lane, time, isEnd);
        const row = call === null ? 0 : leafRow(this.scene.paths, call.path, this.scene.mode, this.scene.base);
        return this.tops.get(lane)! + (row + 0.5) * this.rowHeight;
    }

    private message(into: SVGGElement, message: Message): void {
        const { sender, receiver, sent, received, isOfWait } = message;
        const place = { x1: this.x(sent), x2: this.x(received), y1: this.rowAt(sender, sent, false), y2: this.rowAt(receiver, received, true) };
        const name = isOfWait ? "main" : "plain";
        const group = svg("g", { class: `v-message v-message-${name}` },
            svg("line", { ...place, class: "v-reach" }), svg("line", { ...place, class: "v-line", "marker-end": `url(#${this.id}-${name})` }));
        this.mark(group, { kind: "message", message });
        into.append(group);
    }
}

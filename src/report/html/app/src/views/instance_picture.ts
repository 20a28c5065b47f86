/* views/instance_picture.ts: what the processes did around an instance of waiting, as time lines; the wait is marked. */
import { scaleLinear } from "d3-scale";
import { middleCut } from "../cut";
import type { Model } from "../model";
import type { MountedView } from "../view";
import { h, redrawing, svg, Tip } from "./dom";
import { classOf, during, parseInstances, parseMoments, pictureOf, timeText, uncovered, type CallClass, type Instance, type Lane, type Moment, type Picture } from "./instance_layout";

const LANE = 34;                                     /* [pixels], of which BAR are the bar */
const BAR = 22;
const TOP = 30;                                      /* room of the axis */
const LETTER = 6.6;                                  /* a letter's width, about */
const CLASSES: readonly CallClass[] = ["compute", "point-to-point", "collective", "one-sided", "other MPI", "threads", "files"];

class InstancePicture implements MountedView {
    private readonly root = h("figure", { class: "v-instance" });
    private readonly tip: Tip;
    private readonly stop: () => void;
    private width = 0;

    constructor(host: HTMLElement, private readonly model: Model, private readonly instance: Instance, private readonly picture: Picture) {
        host.append(this.root);
        this.tip = new Tip(host);
        this.draw();
        this.stop = redrawing(this.root, () => {
            if (this.root.clientWidth !== this.width)
                this.draw();
        });
    }

    update(): void {
        this.draw();
    }

    destroy(): void {
        this.stop();
        this.tip.remove();
        this.root.remove();
    }

    private draw(): void {
        this.width = this.root.clientWidth;
        this.root.replaceChildren(this.drawing(Math.max(300, this.width || 560)), h("figcaption", {}, this.legend(), h("span", {}, this.inWords())));
    }

    private drawing(width: number): SVGSVGElement {
        const { instance, picture } = this;
        const { lanes, from, to } = picture;
        const left = 14 + 7.2 * lanes.reduce((most, lane) => Math.max(most, laneName(lane, lanes).length, (lane.part ?? "").length), 8);
        const right = width - 10;
        const height = TOP + lanes.length * LANE + 4;
        const x = scaleLinear([from, to], [left, right]);
        const out = svg("svg", { width, height, class: "v-svg", role: "img", "aria-label": this.inWords() }, this.hatch());

        const ticks = scaleLinear([from - instance.enter, to - instance.enter], [left, right]);
        for (const tick of ticks.ticks(Math.max(2, Math.floor((right - left) / 95)))) {
            const text = tick === 0 ? "0" : `${tick > 0 ? "+" : "−"}${timeText(Math.abs(tick))}`;
            const half = (LETTER * text.length) / 2;
            out.append(svg("line", { x1: ticks(tick), x2: ticks(tick), y1: 18, y2: height, class: "v-grid" }),
                svg("text", { x: Math.max(left + half, Math.min(right - half, ticks(tick))), y: 12, "text-anchor": "middle", class: "v-faint v-small" }, text));
        }
        lanes.forEach((lane, i) => out.append(this.lane(lane, TOP + i * LANE, left, x)));
        for (const at of [instance.enter, instance.leave])
            out.append(svg("line", { x1: x(at), x2: x(at), y1: 18, y2: height, class: "v-edge" }));
        return out;
    }

    /* Waiting is hatched, so that it is told apart without colours. */
    private hatch(): SVGDefsElement {
        return svg("defs", {}, svg("pattern", { id: this.hatchId(), width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
            svg("rect", { width: 6, height: 6, class: "v-wait-ground" }), svg("rect", { width: 2, height: 6, class: "v-wait-line" })));
    }

    private hatchId(): string {
        return `v-wait-${this.instance.number}`;
    }

    private lane(lane: Lane, top: number, left: number, x: (time: number) => number): SVGGElement {
        const { lanes } = this.picture;
        const middle = top + LANE / 2;
        const out = svg("g", {},
            svg("text", { x: left - 8, y: lane.part === null ? middle + 4 : middle - 2, "text-anchor": "end", class: lane.part === "waits" ? "v-strong" : null }, laneName(lane, lanes)),
            lane.part === null ? null : svg("text", { x: left - 8, y: middle + 11, "text-anchor": "end", class: "v-faint v-small" }, lane.part));
        out.append(svg("line", { x1: left, x2: x(this.picture.to), y1: middle, y2: middle, class: "v-idle" }));
        for (const call of lane.calls)
            out.append(this.bar(call, lane, middle, x, `v-call v-call-${CLASSES.indexOf(this.classOf(call))}`, this.name(call)));
        for (const wait of lane.waits)
            out.append(this.bar(wait, lane, middle, x, "v-wait", `waits ${timeText(wait.end - wait.begin)}`));
        return out;
    }

    private bar(moment: Moment, lane: Lane, middle: number, x: (time: number) => number, kind: string, text: string): SVGGElement {
        const isWait = moment.kind === "wait";
        const [begin, end] = [x(moment.begin), x(moment.end)];
        const half = isWait ? BAR / 2 - 3 : BAR / 2;
        const out = svg("g", { class: kind }, svg("rect", { x: begin, y: middle - half, width: Math.max(isWait ? 2 : 0.7, end - begin), height: 2 * half, fill: isWait ? `url(#${this.hatchId()})` : null }));
        const seen = isWait ? moment : uncovered(moment, lane.waits);
        const centre = (x(seen.begin) + x(seen.end)) / 2;
        const room = Math.floor((x(seen.end) - x(seen.begin) - 8) / LETTER);
        if (text.length <= room && isWait)
            out.append(svg("rect", { x: centre - (LETTER * text.length) / 2 - 4, y: middle - 7, width: LETTER * text.length + 8, height: 14, class: "v-plate" }));
        if (text.length <= room || (room >= 5 && !isWait))
            out.append(svg("text", { x: centre, y: middle + 4, "text-anchor": "middle", class: "v-small" }, text.length <= room ? text : middleCut(text, room)));
        out.addEventListener("pointermove", event => this.tip.show(event.clientX, event.clientY, this.lines(moment, lane)));
        out.addEventListener("pointerleave", () => this.tip.hide());
        return out;
    }

    private lines(moment: Moment, lane: Lane): string[] {
        const path = this.model.pathOfNumber(moment.path);
        return [
            `${laneName(lane, this.picture.lanes)}: ${moment.kind === "wait" ? "waits in " : ""}${this.name(moment)}`,
            ...(path < 0 ? [] : [this.model.pathNames(path).join(" › ")]),
            `${timeText(moment.end - moment.begin)}, from ${moment.begin.toFixed(9)} s to ${moment.end.toFixed(9)} s`,
        ];
    }

    private name(moment: { path: number }): string {
        const path = this.model.pathOfNumber(moment.path);
        return path < 0 ? "a call path that the report does not have" : this.model.pathName(path);
    }

    private classOf(moment: Moment): CallClass {
        const path = this.model.pathOfNumber(moment.path);
        return path < 0 ? "compute" : classOf(this.model.head.regions[this.model.head.paths.region[path]]);
    }

    private legend(): HTMLElement {
        const there = new Set(this.picture.lanes.flatMap(lane => lane.calls.map(call => this.classOf(call))));
        const items = CLASSES.filter(one => there.has(one)).map(one => h("li", {}, h("i", { class: `v-chip v-chip-${CLASSES.indexOf(one)}` }), one));
        return h("ul", { class: "v-key" }, ...items, h("li", {}, h("i", { class: "v-chip v-chip-wait" }), "waiting"));
    }

    /* "process 3 waits 12 ms in MPI_Recv for process 1, which is in solve". */
    private inWords(): string {
        const { instance, picture } = this;
        const waiter = picture.lanes.find(lane => lane.part === "waits");
        const own = waiter?.waits.reduce((sum, wait) => sum + wait.end - wait.begin, 0) || instance.waiting;
        const others = Math.abs(own - instance.waiting) > 0.01 * instance.waiting ? ` (with all others ${timeText(instance.waiting)})` : "";
        const words = `${waiter === undefined ? `process ${instance.process}` : laneName(waiter, picture.lanes)} waits ${timeText(own)}${others} in ${this.name(instance)}`;
        if (instance.peer === null || instance.peer === instance.process)
            return `${words}.`;
        const peer = picture.lanes.find(lane => lane.part === "waited for");
        const call = peer === undefined ? null : during(peer, waiter?.waits[0] ?? { begin: instance.enter, end: instance.leave });
        return `${words} for process ${instance.peer}${call === null ? "" : `, which is in ${this.name(call)}`}.`;
    }
}

function laneName(lane: Lane, lanes: Lane[]): string {
    const alone = lanes.every(other => other.process !== lane.process || other.thread === lane.thread);
    return alone && lane.thread === 0 ? `process ${lane.process}` : `process ${lane.process}, thread ${lane.thread}`;
}

/* Draws an instance of tables.instances (its column `instance`) into an empty element; null: the report does not say what was around it.
 * The colours follow those of the page. */
export function instancePicture(host: HTMLElement, model: Model, number: number): MountedView | null {
    const instance = parseInstances((model.table("instances") ?? []).filter(row => Number(row["instance"]) === number))[0];
    const moments = parseMoments((model.table("moments") ?? []).filter(row => Number(row["instance"]) === number));
    return instance === undefined || moments.length === 0 ? null : new InstancePicture(host, model, instance, pictureOf(instance, moments));
}

/* views/timeline.ts: the timeline excerpt of an instance: zoomed, moved and asked with pointer, wheel, fingers and keys; who is shown is chosen. */
import { openMenuBelow } from "../menu";
import type { Model } from "../model";
import { pictureOfElement, saveItems, type Cell } from "../save";
import type { MountedView } from "../view";
import { CALL_CLASSES, classOf, type CallClass } from "./call_class";
import { choice, counted, h, redrawing, Tip } from "./dom";
import { commandsOf } from "./instance_commands";
import { around, isWhole, moved, timeText, zoomed, type Span } from "./time_axis";
import { callAt, during, instanceOf, rowsOf, shownLanes, shownMessages, tableOf, timelineOf, type Lane, type Message, type Timeline } from "./timeline_data";
import { draw, sameMark, type Drawing, type Mark } from "./timeline_picture";
import { barsOf, commonDepth, STACK_MODES, type Bar, type CallPaths, type StackMode } from "./timeline_rows";

/* Where a call path leads in the page. */
export type PathLink = (path: number) => { href: string; go(): void };

const LANES_AT_FIRST = 6;
const MESSAGES_MOST = 300;                           /* that are drawn */
const ENDS_MOST = 500;                               /* of messages of a lane, in a report */
const CLICK_MOST = 4;                                /* [pixels] more is dragging */
const WIDTH_LEAST = 300;
const KEYS = "Keys: arrows left and right move, + and - zoom, 0 shows all, arrows up and down choose a process, Shift and arrows a call of it";

class TimelineView implements MountedView {
    private readonly root = h("figure", { class: "v-timeline" });
    private readonly controls = h("div", { class: "v-controls" });
    private readonly stage = h("div", { class: "v-time", tabindex: "0", role: "group", "aria-label": KEYS });
    private readonly detail = h("p", { class: "v-detail", "aria-live": "polite" });
    private readonly key = h("ul", { class: "v-key" });
    private readonly notes = h("p", { class: "v-notes" });
    private readonly tip: Tip;
    private readonly stop: () => void;
    private readonly paths: CallPaths;
    private readonly base: number;
    private part: Span;
    private nLanes: number;
    private mode: StackMode = "functions";
    private lanes: { lane: Lane; bars: Bar[][] }[] = [];
    private drawing: Drawing | null = null;
    private chosen: Mark | null = null;
    private frame = 0;
    private readonly pointers = new Map<number, number>(); /* x of those that are down */
    private down: { x: number; part: Span; isMoved: boolean } | null = null;

    constructor(host: HTMLElement, private readonly model: Model, private readonly timeline: Timeline, private readonly link: PathLink | null) {
        const tree = model.pathTree;
        this.paths = {
            parent: path => (path < 0 ? -1 : tree.parent[path]), depth: path => tree.depth(path),
            isCompute: path => this.classOf(path) === "compute",
        };
        for (const lane of timeline.lanes)
            for (const piece of [...lane.calls, ...lane.waits])
                piece.path = model.pathOfNumber(piece.path);
        this.base = commonDepth(this.paths, timeline.lanes);
        this.part = { ...timeline.window };
        this.nLanes = Math.min(LANES_AT_FIRST, timeline.lanes.length);
        this.tip = new Tip(host);
        this.root.append(this.controls, this.stage, this.detail,
            h("figcaption", {}, this.key, h("span", { class: "v-words" }, this.inWords()), this.notes, this.commands()));
        host.append(this.root);
        this.choose();
        this.listen();
        this.stop = redrawing(this.root, () => {
            if (Math.max(WIDTH_LEAST, this.stage.clientWidth) !== Number(this.drawing?.picture.getAttribute("width")))
                this.draw();
        });
    }

    update(): void {
        this.draw();
    }

    destroy(): void {
        cancelAnimationFrame(this.frame);
        this.stop();
        this.tip.remove();
        this.root.remove();
    }

    /* ---- what is shown ------------------------------------------------------------------------------------------------- */

    private choose(): void {
        this.lanes = shownLanes(this.timeline, this.nLanes).map(lane => ({ lane, bars: barsOf(this.paths, lane, this.mode, this.base) }));
        this.controls.replaceChildren(...this.buttons());
        this.draw();
    }

    private draw(): void {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        const { timeline, part, lanes, mode, base, paths, chosen } = this;
        const { shown, inView } = shownMessages(timeline, lanes.map(({ lane }) => lane), part, MESSAGES_MOST);
        this.drawing = draw({
            timeline, part, lanes, mode, base, paths, chosen, messages: shown, width: Math.max(WIDTH_LEAST, this.stage.clientWidth || 560), label: this.inWords(),
            name: path => this.name(path), laneName: lane => this.laneName(lane), classOf: path => this.classOf(path),
        });
        this.stage.replaceChildren(this.drawing.picture);
        this.stage.classList.toggle("v-zoomed", !isWhole(timeline.window, part));
        this.drawKey(shown.length);
        this.notes.textContent = this.notesOf(shown.length, inView);
    }

    private drawSoon(): void {
        if (this.frame === 0)
            this.frame = requestAnimationFrame(() => this.draw());
    }

    private show(part: Span): void {
        this.part = part;
        this.tip.hide();
        this.drawSoon();
    }

    private buttons(): HTMLElement[] {
        const { timeline } = this;
        const whole = timeline.window;
        const n = timeline.lanes.length;
        const button = (text: string, label: string, act: () => void, disabled = false): HTMLButtonElement =>
            h("button", { type: "button", title: label, "aria-label": label, disabled, click: act }, text);
        const lanes = (change: number) => (): void => {
            this.nLanes = Math.min(Math.max(1, this.nLanes + change), n);
            this.choose();
            const wanted = this.controls.querySelector<HTMLButtonElement>(`[aria-label^="${change < 0 ? "fewer" : "more"}"]`);
            wanted?.focus();
        };
        return [
            h("span", { class: "v-buttons", role: "group", "aria-label": "Time" },
                button("\u2212", "zoom out", () => this.show(zoomed(whole, this.part, 2))), button("+", "zoom in", () => this.show(zoomed(whole, this.part, 0.5))),
                button("\u2190", "to earlier times", () => this.show(moved(whole, this.part, -0.5))), button("\u2192", "to later times", () => this.show(moved(whole, this.part, 0.5))),
                button("whole window", "show the whole window", () => this.show({ ...whole }))),
            h("span", { class: "v-buttons", role: "group", "aria-label": "Processes" },
                button("\u2212", "fewer processes and threads", lanes(-1), this.nLanes <= 1), button("+", "more processes and threads", lanes(1), this.nLanes >= n),
                h("span", { class: "v-count" }, `${this.nLanes} of ${counted(n, this.hasThreads() ? "thread" : "process", this.hasThreads() ? "threads" : "processes")}`)),
            button(this.isLarge() ? "close" : "enlarge", this.isLarge() ? "back into the page (Esc)" : "over the whole page", () => this.enlarge(!this.isLarge())),
            choice("Calls", STACK_MODES, this.mode, mode => {
                this.mode = mode as StackMode;
                this.choose();
            }),
            h("button", { type: "button", "aria-haspopup": "menu", "aria-label": "Save the timeline excerpt", title: "save what is shown: values as CSV, the picture as SVG or PNG",
                click: (event: MouseEvent) => openMenuBelow(event.currentTarget as Element, "Save the timeline excerpt", [this.saveItems()]) }, "save"),
        ];
    }

    private saveItems(): ReturnType<typeof saveItems> {
        return saveItems(this.model.head.title, `timeline instance ${this.timeline.instance.number}`, {
            picture: () => pictureOfElement(this.drawing?.picture ?? null),
            table: () => tableOf(this.timeline, this.lanes.map(({ lane }) => lane), this.part, path => (path < 0 ? "" : this.model.pathNames(path).join(" > "))) as Cell[][],
        });
    }

    private isLarge(): boolean {
        return this.root.classList.contains("v-large");
    }

    private enlarge(isLarge: boolean): void {
        this.root.classList.toggle("v-large", isLarge);
        this.choose();
        this.stage.focus();
    }

    private drawKey(nMessages: number): void {
        const there = new Set(this.lanes.flatMap(({ bars }) => bars.flatMap(row => row.map(bar => this.classOf(bar.path)))));
        const item = (chip: string, text: string): HTMLElement => h("li", {}, h("i", { class: `v-chip ${chip}` }), text);
        this.key.replaceChildren(
            ...CALL_CLASSES.filter(one => there.has(one)).map(one => item(`v-chip-${CALL_CLASSES.indexOf(one)}`, one)),
            ...(this.lanes.some(({ bars }) => bars.some(row => row.some(bar => bar.isSeveral))) ? [item("v-chip-several", "short calls, put together")] : []),
            item("v-chip-wait", "waiting"), item("v-chip-edge", "begin and end of the waiting call"),
            ...(nMessages > 0 ? [item("v-chip-message", "message")] : []));
    }

    private notesOf(nShown: number, nInView: number): string {
        const { timeline, lanes } = this;
        const { nPartners, messages, nSends, nReceives, window } = timeline;
        const words = [`Times count from the begin of the window, ${window.from.toFixed(9)} s after the first event of the archive.`];
        if (nShown < nInView)
            words.push(`${nShown.toLocaleString("en")} of ${counted(nInView, "message")} here are drawn, those nearest to the end of the wait; more are drawn where you zoom in.`);
        if (nPartners === null)
            words.push("The report is of an older version of Heddle, and has no messages for this picture.");
        else if (nSends + nReceives > 0)
            words.push(`Of ${counted(nSends, "send")} and ${counted(nReceives, "receive")} of these threads, ${counted(messages.length, "message")} ${messages.length === 1 ? "has" : "have"} both ends here.`
                + (Math.max(nSends, nReceives) > ENDS_MOST ? ` Of a thread at most ${ENDS_MOST} ends are kept, those nearest to the end of the wait.` : ""));
        const nShownPartners = timeline.lanes.filter(lane => lane.part === "partner").length;
        if (nPartners !== null && nPartners > nShownPartners)
            words.push(`The report keeps ${nShownPartners} of ${counted(nPartners, "process", "processes")} that exchange messages with those that wait or are waited for.`);
        if (lanes.some(({ lane }) => lane.calls.some(call => call.isSeveral)))
            words.push("Short calls are put together where a thread has more than 1,000.");
        return words.join(" ");
    }

    private commands(): HTMLElement {
        return h("details", { class: "v-commands" }, h("summary", {}, "Commands for this piece of the archive"),
            ...commandsOf(this.model, this.timeline.instance).map(({ what, text }) => {
                const code = h("code", {}, text);
                const button = h("button", { type: "button", "aria-label": `copy the command: ${what}`, click: () => void copy(code, button) }, "Copy");
                return h("p", {}, h("span", {}, `${what}: `), code, " ", button);
            }));
    }

    /* ---- pointer, wheel, keys ------------------------------------------------------------------------------------------ */

    private listen(): void {
        const { stage } = this;
        stage.addEventListener("wheel", event => this.wheel(event), { passive: false });
        stage.addEventListener("pointerdown", event => this.press(event));
        stage.addEventListener("pointermove", event => this.point(event));
        for (const type of ["pointerup", "pointercancel"] as const)
            stage.addEventListener(type, event => this.lift(event));
        stage.addEventListener("pointerleave", () => this.tip.hide());
        stage.addEventListener("dblclick", event => this.double(event));
        stage.addEventListener("keydown", event => this.type(event));
        this.root.addEventListener("keydown", event => {
            if (event.key !== "Escape" || !this.isLarge())
                return;
            event.stopPropagation();
            this.enlarge(false);
        });
    }

    private timeAt(x: number): number {
        const { left, right } = this.drawing!;
        const share = (x - this.stage.getBoundingClientRect().left + this.stage.scrollLeft - left) / (right - left);
        return this.part.from + Math.min(Math.max(share, 0), 1) * (this.part.to - this.part.from);
    }

    private markAt(target: EventTarget | null): Mark | null {
        const index = target instanceof Element ? target.closest("[data-mark]")?.getAttribute("data-mark") : null;
        return index === null || index === undefined ? null : this.drawing!.marks[Number(index)];
    }

    /* With Ctrl, or two fingers of a touchpad, the wheel zooms; sideways, or with Shift, it moves. Else the page scrolls. */
    private wheel(event: WheelEvent): void {
        const whole = this.timeline.window;
        if (event.ctrlKey) {
            event.preventDefault();
            this.show(zoomed(whole, this.part, 1.3 ** Math.max(-3, Math.min(3, event.deltaY / 40)), this.timeAt(event.clientX)));
            return;
        }
        const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
        if (Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY) || isWhole(whole, this.part))
            return;
        event.preventDefault();
        this.show(moved(whole, this.part, sideways / 600));
    }

    private press(event: PointerEvent): void {
        if (event.button !== 0)
            return;
        this.pointers.set(event.pointerId, event.clientX);
        if (this.pointers.size === 1)
            this.down = { x: event.clientX, part: this.part, isMoved: false };
    }

    private point(event: PointerEvent): void {
        const { drawing, down, timeline: { window: whole } } = this;
        if (!this.pointers.has(event.pointerId) || down === null) {
            this.hover(event);
            return;
        }
        const before = [...this.pointers.values()];
        this.pointers.set(event.pointerId, event.clientX);
        if (this.pointers.size === 2) {
            const [a, b] = [...this.pointers.values()];
            const [oldApart, apart] = [Math.abs(before[0] - before[1]), Math.abs(a - b)];
            down.isMoved = true;
            if (oldApart > 8 && apart > 8)
                this.show(zoomed(whole, this.part, oldApart / apart, this.timeAt((a + b) / 2)));
            return;
        }
        if (!down.isMoved && Math.abs(event.clientX - down.x) <= CLICK_MOST)
            return;
        if (!down.isMoved)
            this.stage.setPointerCapture(event.pointerId);
        down.isMoved = true;
        if (this.pointers.size === 1)
            this.show(moved(whole, down.part, (down.x - event.clientX) / (drawing!.right - drawing!.left)));
    }

    private lift(event: PointerEvent): void {
        const { down } = this;
        this.pointers.delete(event.pointerId);
        if (this.pointers.size > 0)
            return;
        this.down = null;
        if (event.type === "pointerup" && down !== null && !down.isMoved)
            this.select(this.markAt(event.target));
    }

    private hover(event: PointerEvent): void {
        const mark = this.markAt(event.target);
        if (mark === null || event.pointerType === "touch")
            this.tip.hide();
        else
            this.tip.show(event.clientX, event.clientY, this.lines(mark));
    }

    private double(event: MouseEvent): void {
        const mark = this.markAt(event.target);
        const piece = mark === null ? this.timeline.window
            : mark.kind === "message" ? { from: Math.min(mark.message.sent, mark.message.received), to: Math.max(mark.message.sent, mark.message.received) }
                : mark.kind === "wait" ? { from: mark.wait.begin, to: mark.wait.end } : { from: mark.bar.begin, to: mark.bar.end };
        event.preventDefault();
        this.show(around(this.timeline.window, piece));
    }

    private type(event: KeyboardEvent): void {
        const whole = this.timeline.window;
        const acts: Record<string, () => void> = {
            "+": () => this.show(zoomed(whole, this.part, 0.5)), "=": () => this.show(zoomed(whole, this.part, 0.5)),
            "-": () => this.show(zoomed(whole, this.part, 2)), "0": () => this.show({ ...whole }), Home: () => this.show({ ...whole }),
            ArrowLeft: () => (event.shiftKey ? this.step(-1) : this.show(moved(whole, this.part, -0.2))),
            ArrowRight: () => (event.shiftKey ? this.step(1) : this.show(moved(whole, this.part, 0.2))),
            ArrowUp: () => this.stepLane(-1), ArrowDown: () => this.stepLane(1),
        };
        const act = acts[event.key];
        if (act === undefined || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        event.stopPropagation();
        act();
    }

    /* ---- what is selected ---------------------------------------------------------------------------------------------- */

    private select(mark: Mark | null): void {
        this.chosen = mark !== null && sameMark(this.chosen, mark) ? null : mark;
        this.describe();
        /* The elements stay, as a second click on one of them may make a double click. */
        for (const element of this.stage.querySelectorAll("[data-mark]"))
            element.classList.toggle("v-chosen", sameMark(this.chosen, this.drawing!.marks[Number(element.getAttribute("data-mark"))]));
    }

    private describe(): void {
        const { chosen } = this;
        if (chosen === null) {
            this.detail.replaceChildren();
            return;
        }
        const [heading, ...lines] = this.lines(chosen);
        const paths = chosen.kind === "message" ? [callAt(chosen.message.sender, chosen.message.sent)?.path, callAt(chosen.message.receiver, chosen.message.received, true)?.path]
            : [chosen.kind === "wait" ? chosen.wait.path : chosen.bar.path];
        const links = this.link === null ? [] : [...new Set(paths)].flatMap(path => {
            if (path === undefined || path < 0)
                return [];
            const { href, go } = this.link!(path);
            return [" ", h("a", { href, click: (event: MouseEvent) => {
                event.preventDefault();
                go();
            } }, `${this.name(path)} in the explorer`)];
        });
        this.detail.replaceChildren(h("strong", {}, heading), ` ${lines.join("; ")}.`, ...links);
    }

    private chosenLane(): number {
        const { chosen } = this;
        return chosen === null || chosen.kind === "message" ? -1 : this.lanes.findIndex(({ lane }) => lane === chosen.lane);
    }

    /* Of keys: the call of a lane that is nearest to the middle of the picture. */
    private stepLane(by: number): void {
        const own = this.chosenLane();
        const next = own < 0 ? (by > 0 ? 0 : this.lanes.length - 1) : Math.min(Math.max(own + by, 0), this.lanes.length - 1);
        const middle = (this.part.from + this.part.to) / 2;
        const bars = this.barsInOrder(next);
        this.selectBar(next, bars[Math.max(0, bars.findIndex(bar => bar.end > middle))]);
    }

    private step(by: number): void {
        const { chosen } = this;
        const own = this.chosenLane();
        if (own < 0 || chosen === null || chosen.kind === "message") {
            this.stepLane(1);
            return;
        }
        const bars = this.barsInOrder(own);
        const place = bars.findIndex(bar => (chosen.kind === "call" ? bar.begin === chosen.bar.begin && bar.row === chosen.bar.row : bar.end > chosen.wait.begin));
        this.selectBar(own, bars[Math.min(Math.max(place + by, 0), bars.length - 1)]);
    }

    /* As they begin; of those that begin together the outer one first. */
    private barsInOrder(lane: number): Bar[] {
        return this.lanes[lane].bars.flat().sort((a, b) => a.begin - b.begin || a.row - b.row);
    }

    private selectBar(lane: number, bar: Bar | undefined): void {
        if (bar === undefined)
            return;
        this.chosen = { kind: "call", lane: this.lanes[lane].lane, bar };
        const width = this.part.to - this.part.from;
        if (bar.end <= this.part.from || bar.begin >= this.part.to)
            this.part = moved(this.timeline.window, this.part, ((bar.begin + bar.end - this.part.from - this.part.to) / 2) / width);
        this.describe();
        this.draw();
    }

    /* ---- words --------------------------------------------------------------------------------------------------------- */

    private lines(mark: Mark): string[] {
        if (mark.kind === "message")
            return this.linesOfMessage(mark.message);
        const piece = mark.kind === "wait" ? mark.wait : mark.bar;
        const { path } = piece;
        const isSeveral = mark.kind === "call" && mark.bar.isSeveral;
        const metric = this.model.metricById(this.timeline.instance.metric);
        return [
            `${this.laneName(mark.lane)}: ${mark.kind === "wait" ? "waits in " : isSeveral ? "short calls, most of the time " : ""}${this.name(path)}`
                + (mark.kind === "wait" && metric >= 0 ? ` (${this.model.head.metrics[metric].name})` : ""),
            ...(path < 0 ? [] : [this.model.pathNames(path).join(" › ")]),
            `${timeText(piece.end - piece.begin)}, from ${this.relative(piece.begin)} to ${this.relative(piece.end)}`,
            `from ${piece.begin.toFixed(9)} s to ${piece.end.toFixed(9)} s of the archive`,
        ];
    }

    private linesOfMessage({ sender, receiver, sent, received, bytes, tag }: Message): string[] {
        const [send, receive] = [callAt(sender, sent), callAt(receiver, received, true)];
        const where = (call: { path: number; isSeveral: boolean } | null): string => (call === null || call.isSeveral ? "" : ` in ${this.name(call.path)}`);
        return [
            `message: ${this.laneName(sender)} to ${this.laneName(receiver)}`,
            `${counted(bytes, "byte")}, tag ${tag}`,
            `sent at ${this.relative(sent)}${where(send)}, received at ${this.relative(received)}${where(receive)}`,
            `${timeText(received - sent)} from the enter of the send to the leave of the receive`,
        ];
    }

    private relative(time: number): string {
        return timeText(time - this.timeline.window.from, 6);
    }

    private name(path: number): string {
        return path < 0 ? "a call path that the report does not have" : this.model.pathName(path);
    }

    private classOf(path: number): CallClass {
        return path < 0 ? "compute" : classOf(this.model.head.regions[this.model.head.paths.region[path]]);
    }

    private hasThreads(): boolean {
        const { lanes } = this.timeline;
        return lanes.some(lane => lane.thread !== 0) || new Set(lanes.map(lane => lane.process)).size < lanes.length;
    }

    private laneName(lane: Lane): string {
        return this.hasThreads() ? `process ${lane.process}, thread ${lane.thread}` : `process ${lane.process}`;
    }

    /* "process 3 waits 12 ms in MPI_Recv for process 1, which is in solve". */
    private inWords(): string {
        const { instance, lanes } = this.timeline;
        const waiter = lanes.find(lane => lane.part === "waits");
        const own = waiter?.waits.reduce((sum, wait) => sum + wait.end - wait.begin, 0) || instance.waiting;
        const others = Math.abs(own - instance.waiting) > 0.01 * instance.waiting ? ` (with all others ${timeText(instance.waiting)})` : "";
        const words = `${waiter === undefined ? `process ${instance.process}` : this.laneName(waiter)} waits ${timeText(own)}${others} in ${this.name(this.model.pathOfNumber(instance.path))}`;
        const peer = lanes.find(lane => lane.part === "waited for");
        if (peer === undefined && (instance.peer === null || instance.peer === instance.process))
            return `${words}.`;
        const call = peer === undefined ? null : during(peer, waiter?.waits[0] ?? { begin: instance.enter, end: instance.leave });
        return `${words} for ${peer === undefined || peer.process !== instance.process ? `process ${instance.peer}` : `thread ${peer.thread}`}${call === null ? "" : `, which is in ${this.name(call.path)}`}.`;
    }
}

/* To the clipboard; where a page may not, the text is marked, to be copied by hand. */
async function copy(code: HTMLElement, button: HTMLButtonElement): Promise<void> {
    try {
        await navigator.clipboard.writeText(code.textContent ?? "");
        button.textContent = "Copied";
    } catch {
        getSelection()?.selectAllChildren(code);
        button.textContent = document.execCommand("copy") ? "Copied" : "Marked";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
}

/* Draws an instance of tables.instances (its column `instance`) into an empty element; null: the report does not say what was around it.
 * link: null: call paths lead nowhere. The colours follow those of the page. */
export function timelineView(host: HTMLElement, model: Model, number: number, link: PathLink | null): MountedView | null {
    const { tables } = model.head;
    const rows = (name: "instances" | "moments" | "windows" | "messages"): ReturnType<typeof rowsOf> => rowsOf(tables[name] ?? null, number);
    const [instance] = rows("instances").map(instanceOf);
    const moments = rows("moments");
    if (instance === undefined || moments.length === 0)
        return null;
    return new TimelineView(host, model, timelineOf(instance, { moments, windows: rows("windows"), messages: rows("messages") }), link);
}

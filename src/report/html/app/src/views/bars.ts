/* views/bars.ts: the values of processes, locations or nodes as bars, by uPlot. More of them than there are columns of pixels are put together. */
import uPlot from "uplot";
import type { Cell, Saved } from "../save";
import type { MountedSystemView, SystemView, ViewContext } from "../view";
import { choice, counted, h, inks, redrawing, Tip } from "./dom";
import { legend } from "./legend";
import { pictureOfPlot } from "./plot";
import { paletteOf, scaleOf, tickTexts, valueText, type Palette, type Scale, unitOf } from "./scales";
import { columns, mean, ordered, type Columns, type Order } from "./spread";
import { levelOptions, levelOf, type Level } from "./levels";

const ORDERS: readonly (readonly [Order, string])[] = [["rank", "in order"], ["falling", "the largest first"], ["rising", "the least first"]];
const COLUMN = 3;                                    /* [pixels] the narrowest bar that is one by itself */

class BarsView implements MountedSystemView {
    private readonly root = h("div", { class: "v-view v-bars" });
    private readonly controls = h("div", { class: "v-controls" });
    private readonly stage = h("div", { class: "v-stage", tabindex: 0, role: "application", "aria-roledescription": "bar chart" });
    private readonly foot = h("div", { class: "v-foot" });
    private readonly live = h("div", { class: "v-live", "aria-live": "polite" });
    private readonly measure = h("canvas").getContext("2d")!;
    private readonly tip: Tip;
    private readonly stop: () => void;
    private plot: uPlot | null = null;
    private built = "";
    private level!: Level;
    private order: Uint32Array = new Uint32Array(0);
    private bars: Float64Array = new Float64Array(0);   /* in the order shown */
    private shown: Columns | null = null;            /* null: every bar by itself */
    private part: [number, number] = [0, 0];         /* places shown, from and behind */
    private scale!: Scale;
    private palette!: Palette;
    private average = NaN;
    private cursor = -1;
    private print = false;

    constructor(host: HTMLElement, private context: ViewContext) {
        this.root.append(this.controls, this.stage, this.foot, this.live);
        this.tip = new Tip(this.root);
        host.append(this.root);
        this.stage.addEventListener("keydown", event => this.key(event));
        this.stage.addEventListener("pointerleave", () => this.tip.hide());
        this.stop = redrawing(this.stage, print => {
            this.print = print;
            this.draw();
        });
        this.update(context);
    }

    destroy(): void {
        this.stop();
        this.plot?.destroy();
        this.root.remove();
    }

    saved(): Saved {
        const { level, order, bars, plot } = this;
        const [from, end] = this.part;
        return {
            picture: () => (plot === null ? null : pictureOfPlot(plot)),
            table: () => [[level.noun, "value", "unit"] as Cell[], ...Array.from({ length: end - from }, (_, i): Cell[] =>
                [level.name(order[from + i]), bars[from + i], unitOf(this.context)])],
        };
    }

    update(context: ViewContext): void {
        this.context = context;
        const { state } = context;
        this.level = levelOf(context, state.level);
        const order = ORDERS.find(([key]) => key === state.order)?.[0] ?? "rank";
        this.order = ordered(this.level.values, order);
        this.bars = Float64Array.from(this.order, place => this.level.values[place]);
        this.average = mean(this.bars);
        this.palette = paletteOf(context);
        this.scale = scaleOf(this.bars, context, "zero");
        const [from, end] = (state.part ?? "").split("_").map(Number);
        this.part = from >= 0 && end > from && end <= this.bars.length ? [from, end] : [0, this.bars.length];
        this.buildControls(order);
        this.draw();
    }

    private buildControls(order: Order): void {
        const key = `${this.level.kind} ${order} ${this.part[1] - this.part[0] < this.bars.length}`;
        if (key === this.built)
            return;
        this.built = key;
        const { context } = this;
        const focused = this.controls.contains(document.activeElement) ? [...this.controls.querySelectorAll("select")].findIndex(select => select === document.activeElement) : -1;
        this.controls.replaceChildren(
            choice("Bars", levelOptions(context.model), this.level.kind, value => this.reset("level", value)),
            choice("Sorted", ORDERS, order, value => this.reset("order", value)),
            h("button", { type: "button", disabled: this.part[1] - this.part[0] === this.bars.length, click: () => this.zoomTo(0, this.bars.length) }, "Show all"));
        if (focused >= 0)
            this.controls.querySelectorAll("select")[focused]?.focus();
    }

    private reset(key: string, value: string): void {
        this.cursor = -1;
        this.context.setState("part", null);
        this.context.setState(key, value);
    }

    /* ---- the plot ----------------------------------------------------------------------------------------------------- */

    private draw(): void {
        const { clientWidth: width, clientHeight: height } = this.stage;
        this.plot?.destroy();
        this.plot = null;
        if (width < 60 || height < 40 || this.bars.length === 0)
            return;
        const [from, end] = this.part;
        const n = end - from;
        const most = Math.floor((width - 90) / COLUMN);
        this.shown = n > most ? columns(this.bars.subarray(from, end), Math.max(1, most)) : null;
        const data: uPlot.AlignedData = this.shown === null
            ? [Array.from({ length: n }, (_, i) => from + i), Array.from(this.bars.subarray(from, end), known)]
            : [Array.from(this.shown.mean, (_, c) => this.middleOf(c)), Array.from(this.shown.mean, known)];
        this.plot = new uPlot(this.options(width, height, from, end), data, this.stage);
        this.stage.setAttribute("aria-label", `${this.level.title}: ${counted(n, "bar")}, mean ${this.context.text(this.average)}. Arrow keys move, Enter selects, + and - zoom.`);
        this.foot.replaceChildren(legend(this.context, this.scale, this.palette), h("p", {}, this.footText(n)));
    }

    private middleOf(column: number): number {
        const { first } = this.shown!;
        return this.part[0] + (first[column] + first[column + 1] - 1) / 2;
    }

    private footText(n: number): string {
        const { text } = this.context;
        const parts = [`${counted(n, this.level.noun, this.level.nouns)}${n < this.bars.length ? ` of ${this.bars.length.toLocaleString("en")}` : ""}; dashed line: the mean of all, ${text(this.average)}`];
        if (this.shown !== null)
            parts.push(`each column is ${Math.ceil(n / this.shown.mean.length)} neighbours: the light part of a bar is from the least to the largest of them, the mark is their mean`);
        parts.push("drag to zoom, double-click for all");
        return `${parts.join("; ")}.`;
    }

    private options(width: number, height: number, from: number, end: number): uPlot.Options {
        const colours = inks(this.context.dark && !this.print);
        const font = `12px ${getComputedStyle(this.stage).fontFamily}`;
        const [low, high] = this.range();
        const axis = { stroke: colours.ink, grid: { stroke: colours.hairline, width: 1 }, ticks: { stroke: colours.hairline, width: 1 }, font };
        return {
            width, height, legend: { show: false }, padding: [10, 12, 0, 4],
            cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
            scales: { x: { time: false, range: [from - 0.5, end - 0.5] }, y: { range: [low, high] } },
            axes: [
                { ...axis, grid: { show: false }, splits: (_self, _axis, min, max) => this.labelPlaces(min, max, width), values: (_self, places) => places.map(place => this.shortName(place)), size: 34 },
                { ...axis, size: (_self, values) => Math.max(48, ...(values ?? []).map(value => 18 + this.textWidth(value, font))), values: (_self, ticks) => tickTexts(this.context, ticks) },
            ],
            series: [{}, { paths: () => null, points: { show: false } }],
            hooks: {
                drawSeries: [self => this.drawBars(self, colours.ink)],
                setCursor: [self => this.pointed(self)],
                setSelect: [self => this.selected(self)],
                ready: [self => {
                    self.over.addEventListener("click", event => this.click(self, event));
                    self.over.addEventListener("dblclick", () => this.zoomTo(0, this.bars.length));
                }],
            },
        };
    }

    /* The least and largest value of the axis; zero is always on it. */
    private range(): [number, number] {
        let low = 0;
        let high = 0;
        for (const value of this.bars) {
            low = Math.min(low, Number.isNaN(value) ? 0 : value);
            high = Math.max(high, Number.isNaN(value) ? 0 : value);
        }
        const room = (high - low || 1) * 0.04;
        return [low < 0 ? low - room : 0, high > 0 || low === 0 ? high + room : 0];
    }

    private labelPlaces(min: number, max: number, width: number): number[] {
        const first = Math.max(0, Math.ceil(min));
        const last = Math.min(this.bars.length - 1, Math.floor(max));
        const room = Math.max(28, 12 + 8 * Math.max(...[this.order[first], this.order[last], this.bars.length - 1].map(unit => this.level.short(unit).length)));
        const sorted = ORDERS.findIndex(([key]) => key === this.context.state.order) > 0;
        const every = Math.max(1, ((last - first + 1) * room) / width);
        const step = sorted || every <= 1 ? Math.ceil(every) : niceStep(every);
        const places: number[] = [];
        for (let place = sorted ? first : Math.ceil(first / step) * step; place <= last; place += step)
            places.push(place);
        return places;
    }

    /* [CSS pixels] */
    private textWidth(text: string, font: string): number {
        this.measure.font = font;
        return this.measure.measureText(text).width;
    }

    private shortName(place: number): string {
        return Number.isInteger(place) && place in this.order ? this.level.short(this.order[place]) : "";
    }

    private drawBars(self: uPlot, ink: string): void {
        const pen = self.ctx;
        const { left, top, width, height } = self.bbox;
        pen.save();
        pen.beginPath();
        pen.rect(left, top, width, height);
        pen.clip();
        const zero = self.valToPos(0, "y", true);
        const n = this.shown === null ? this.part[1] - this.part[0] : this.shown.mean.length;
        const column = width / n;
        const gap = column > 6 ? Math.min(column * 0.2, 12) : column > 3 ? 1 : 0;
        for (let i = 0; i < n; i++) {
            const x = left + i * column + gap / 2;
            const value = this.shown === null ? this.bars[this.part[0] + i] : this.shown.mean[i];
            if (Number.isNaN(value))
                continue;
            const y = self.valToPos(value, "y", true);
            pen.fillStyle = this.palette.css[this.palette.index(this.scale.fraction(value))];
            if (this.shown === null) {
                pen.fillRect(x, Math.min(y, zero), column - gap, Math.max(1, Math.abs(y - zero)));
                pen.globalAlpha = 0.5;
                pen.strokeStyle = ink;
                pen.lineWidth = 1;
                if (column > 8)
                    pen.strokeRect(x + 0.5, Math.min(y, zero) + 0.5, column - gap - 1, Math.max(0, Math.abs(y - zero) - 1));
                pen.globalAlpha = 1;
            } else {
                const [bottom, above] = [self.valToPos(this.shown.min[i], "y", true), self.valToPos(this.shown.max[i], "y", true)];
                const wide = Math.max(1, column - gap);
                const [near, far] = Math.abs(bottom - zero) < Math.abs(above - zero) ? [bottom, above] : [above, bottom];
                const reaches = (bottom - zero) * (above - zero) > 0;      /* all on one side of zero */
                if (reaches)
                    pen.fillRect(x, Math.min(near, zero), wide, Math.abs(near - zero));
                pen.globalAlpha = 0.6;
                pen.fillStyle = this.palette.css[this.palette.index(this.scale.fraction(far === above ? this.shown.max[i] : this.shown.min[i]))];
                pen.fillRect(x, Math.min(near, far), wide, Math.max(1, Math.abs(far - near)));
                pen.globalAlpha = 1;
                pen.fillStyle = ink;
                pen.fillRect(x, y - 1, Math.max(1, column - gap), 2);
            }
        }
        this.drawMarks(pen, left, column, top, height, ink);
        pen.strokeStyle = ink;
        pen.lineWidth = uPlot.pxRatio;
        pen.beginPath();
        pen.moveTo(left, zero);
        pen.lineTo(left + width, zero);
        pen.stroke();
        pen.setLineDash([6 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
        pen.lineWidth = 1.5 * uPlot.pxRatio;
        const y = self.valToPos(this.average, "y", true);
        pen.beginPath();
        pen.moveTo(left, y);
        pen.lineTo(left + width, y);
        pen.stroke();
        pen.restore();
    }

    /* Frames the bars that are selected, and the keyboard's. */
    private drawMarks(pen: CanvasRenderingContext2D, left: number, column: number, top: number, height: number, ink: string): void {
        const places = this.markedPlaces();
        pen.strokeStyle = ink;
        for (const [place, dash] of places) {
            pen.setLineDash(dash);
            pen.lineWidth = 1.5 * uPlot.pxRatio;
            pen.strokeRect(left + this.columnOf(place) * column, top + 1, column, height - 2);
        }
        pen.setLineDash([]);
    }

    private markedPlaces(): [number, number[]][] {
        const { selectedLocations, model } = this.context;
        const out: [number, number[]][] = [];
        if (selectedLocations.size <= 64 && selectedLocations.size * 2 <= Math.max(2, model.nLocations)) {
            const marked = new Set([...selectedLocations].map(location => this.level.unitOf(location)));
            this.order.forEach((unit, place) => {
                if (marked.has(unit) && place >= this.part[0] && place < this.part[1])
                    out.push([place, []]);
            });
        }
        if (this.cursor >= this.part[0] && this.cursor < this.part[1])
            out.push([this.cursor, [4, 3]]);
        return out;
    }

    private columnOf(place: number): number {
        const at = place - this.part[0];
        if (this.shown === null)
            return at;
        return Math.max(0, this.shown.first.findIndex(first => first > at) - 1);
    }

    /* ---- pointer and keys --------------------------------------------------------------------------------------------- */

    private columnAt(self: uPlot, left: number): number {
        const n = this.shown === null ? this.part[1] - this.part[0] : this.shown.mean.length;
        return Math.max(0, Math.min(n - 1, Math.floor((left / self.over.clientWidth) * n)));
    }

    private describe(column: number): string[] {
        const { text } = this.context;
        if (this.shown === null)
            return [this.level.name(this.order[this.part[0] + column]), valueText(this.context, this.bars[this.part[0] + column])];
        const [first, last] = [this.shown.first[column] + this.part[0], this.shown.first[column + 1] + this.part[0] - 1];
        const names = first === last ? this.level.name(this.order[first]) : `${this.level.name(this.order[first])} … ${this.level.name(this.order[last])}`;
        return [names, `mean ${text(this.shown.mean[column])}`, `least ${text(this.shown.min[column])}, largest ${text(this.shown.max[column])}`, counted(last - first + 1, this.level.noun, this.level.nouns)];
    }

    private pointed(self: uPlot): void {
        const { left, top } = self.cursor;
        if (left === undefined || left < 0 || top === undefined) {
            this.tip.hide();
            return;
        }
        const box = self.over.getBoundingClientRect();
        this.tip.show(box.left + left, box.top + top, this.describe(this.columnAt(self, left)));
    }

    private selected(self: uPlot): void {
        const { left, width } = self.select;
        if (width < 4)
            return;
        const [first, last] = [this.columnAt(self, left), this.columnAt(self, left + width)];
        const place = (column: number): number => this.part[0] + (this.shown === null ? column : this.shown.first[column]);
        this.zoomTo(place(first), place(last + 1));
    }

    private click(self: uPlot, event: MouseEvent): void {
        if (self.select.width < 4)
            this.pick(this.columnAt(self, event.clientX - self.over.getBoundingClientRect().left), event.ctrlKey || event.metaKey || event.shiftKey);
    }

    /* Selects the bar's locations; of a column of several bars it is shown closer instead. */
    private pick(column: number, additive: boolean): void {
        if (this.shown !== null) {
            this.zoomTo(this.part[0] + this.shown.first[Math.max(0, column - 5)], this.part[0] + this.shown.first[Math.min(this.shown.mean.length, column + 6)]);
            return;
        }
        this.context.onSelect(this.level.locationsOf(this.order[this.part[0] + column]), additive);
    }

    private zoomTo(from: number, end: number): void {
        const width = Math.min(this.bars.length, Math.max(2, end - from));
        const begin = Math.max(0, Math.min(from, this.bars.length - width));
        this.part = [begin, begin + width];          /* at once: keys may come faster than updates */
        this.context.setState("part", width === this.bars.length ? null : `${begin}_${begin + width}`);
    }

    private key(event: KeyboardEvent): void {
        const [from, end] = this.part;
        const step = this.shown === null ? 1 : Math.ceil((end - from) / this.shown.mean.length);
        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        if (event.key === "ArrowRight" || event.key === "ArrowLeft")
            this.moveCursor(event.key === "ArrowRight" ? step : -step);
        else if (event.key === "+" || event.key === "-")
            this.zoomAround(event.key === "+" ? 0.5 : 2);
        else if ((event.key === "Enter" || event.key === " ") && this.cursor >= from && this.cursor < end)
            this.pick(this.columnOf(this.cursor), event.shiftKey);
        else
            return;
        event.preventDefault();
        event.stopPropagation();
    }

    private moveCursor(by: number): void {
        const [from, end] = this.part;
        this.cursor = this.cursor < from || this.cursor >= end ? from : Math.max(from, Math.min(end - 1, this.cursor + by));
        this.draw();
        this.live.textContent = this.describe(this.columnOf(this.cursor)).join(", ");
    }

    private zoomAround(by: number): void {
        const [from, end] = this.part;
        const middle = this.cursor >= from && this.cursor < end ? this.cursor : (from + end) / 2;
        const width = (end - from) * by;
        this.zoomTo(Math.round(middle - width / 2), Math.round(middle + width / 2));
    }
}

function known(value: number): number | null {
    return Number.isNaN(value) ? null : value;
}

/* The least of 1, 2, 4, 8, 16, ... that is not below x: ranks come in powers of two. */
function niceStep(x: number): number {
    return 2 ** Math.ceil(Math.log2(x));
}

export const barsView: SystemView = {
    id: "bars",
    title: "Bars",
    available: model => model.nLocations > 1,
    mount: (host, context) => new BarsView(host, context),
};

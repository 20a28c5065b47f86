/* views/boxplot.ts: how the values are spread over processes or locations, of all and node by node: boxes with whiskers, or violins, with the outliers named. */
import { scaleLinear } from "d3-scale";
import { cutNames } from "../cut";
import { nameAt } from "../lists";
import { pictureOfElement, type Cell, type Saved } from "../save";
import type { MountedSystemView, SystemView, ViewContext } from "../view";
import { choice, counted, h, redrawing, svg, Tip } from "./dom";
import { levelOf, levelOptions, nodesOf, type Level } from "./levels";
import { tickTexts, unitOf } from "./scales";
import { density, spread, type Spread } from "./spread";

const FORMS = [["box", "box plot"], ["violin", "violin"]] as const;
const SORTS = [["rank", "in order"], ["median", "by median"], ["max", "by largest value"], ["range", "by spread"]] as const;
const ROW = 46;
const LETTER = 7.2;                                  /* [pixels] a letter's width, about */
const NODES_FIRST = 64;                              /* shown at first, and as many more at a time */
const NAMED_MOST = 3;                                /* outliers that have their name beside them */
const LISTED_MOST = 40;
const DENSITY_POINTS = 96;

interface Row { name: string; units: number[]; values: Float64Array; spread: Spread }

class BoxPlotView implements MountedSystemView {
    private readonly root = h("div", { class: "v-view v-boxplot" });
    private readonly controls = h("div", { class: "v-controls" });
    private readonly stage = h("div", { class: "v-scroll" });
    private readonly foot = h("div", { class: "v-foot" });
    private readonly tip: Tip;
    private readonly stop: () => void;
    private level!: Level;

    constructor(host: HTMLElement, private context: ViewContext) {
        this.root.append(this.controls, this.stage, this.foot);
        this.tip = new Tip(this.root);
        host.append(this.root);
        this.update(context);
        let width = 0;
        this.stop = redrawing(this.stage, () => {
            if (this.stage.clientWidth !== width)
                this.draw();
            width = this.stage.clientWidth;
        });
    }

    destroy(): void {
        this.stop();
        this.root.remove();
    }

    saved(): Saved {
        return {
            picture: () => pictureOfElement(this.stage.querySelector("svg")),
            table: () => [
                [`${this.level.nouns} of`, "number", "least", "first quartile", "median", "mean", "third quartile", "largest", "outliers", "unit"] as Cell[],
                ...this.rows(Math.max(1, Number(this.context.state.rows) || NODES_FIRST)).map(({ name, spread: s }): Cell[] =>
                    [name, s.n, s.min, s.q25, s.median, s.mean, s.q75, s.max, s.outliers.length, unitOf(this.context)]),
            ],
        };
    }

    update(context: ViewContext): void {
        this.context = context;
        const { state } = context;
        this.level = levelOf(context, state.level === "node" ? undefined : state.level);
        const focused = [...this.controls.querySelectorAll("select")].findIndex(select => select === document.activeElement);
        const controls: Node[] = [
            choice("Over", levelOptions(context.model).filter(([kind]) => kind !== "node"), this.level.kind, value => context.setState("level", value)),
            choice("Drawn as", FORMS, state.form ?? "box", value => context.setState("form", value)),
        ];
        if (nodesOf(context.model).length > 1)
            controls.push(choice("Nodes", SORTS, state.sort ?? "rank", value => context.setState("sort", value)));
        this.controls.replaceChildren(...controls);
        if (focused >= 0)
            this.controls.querySelectorAll("select")[focused]?.focus();
        this.draw();
    }

    /* ---- rows --------------------------------------------------------------------------------------------------------- */

    /* All, then as many nodes as are shown. */
    private rows(shown: number): Row[] {
        const { model, state } = this.context;
        const { values } = this.level;
        const row = (name: string, units: number[]): Row | null => {
            const own = Float64Array.from(units, unit => values[unit]);
            const summary = spread(own);
            return summary === null ? null : { name, units, values: own, spread: summary };
        };
        const all = row(`all ${counted(values.length, this.level.noun, this.level.nouns)}`, Array.from(values, (_, i) => i));
        const nodes = nodesOf(model);
        if (all === null || nodes.length < 2)
            return all === null ? [] : [all];

        const { group } = model.head.system.locations;
        const nodeOf = (unit: number): number => model.head.system.groups.node[this.level.kind === "process" ? unit : group[unit]];
        const units = new Map<number, number[]>(nodes.map(node => [node, []]));
        values.forEach((_, unit) => units.get(nodeOf(unit))?.push(unit));
        const rowOf = (node: number): Row | null => row(nameAt(model.head.system.nodes.name, node), units.get(node)!);
        const by: Record<string, (one: Spread) => number> = { median: one => one.median, max: one => one.max, range: one => one.max - one.min };
        const key = by[state.sort ?? ""];
        const out = (key === undefined ? nodes.slice(0, shown) : nodes).map(rowOf).filter(one => one !== null);
        if (key !== undefined)
            out.sort((a, b) => key(b.spread) - key(a.spread));
        return [all, ...out.slice(0, shown)];
    }

    private draw(): void {
        const nodes = Math.max(1, Number(this.context.state.rows) || NODES_FIRST);
        const rows = this.rows(nodes);
        const width = Math.max(320, this.stage.clientWidth - 2);
        if (rows.length === 0) {
            this.stage.replaceChildren(h("p", { class: "v-message" }, "Nothing is known of this metric here."));
            this.foot.replaceChildren();
            return;
        }
        const children: Node[] = [this.picture(rows, width)];
        const more = nodesOf(this.context.model).length - nodes;
        if (more > 0 && rows.length > 1)
            children.push(h("button", { type: "button", click: () => this.context.setState("rows", String(nodes + NODES_FIRST)) }, `Show ${Math.min(NODES_FIRST, more)} more of ${counted(more, "node")}`));
        children.push(this.numbers(rows[0]), this.outliers(rows[0]));
        this.stage.replaceChildren(...children);
        this.foot.replaceChildren(h("p", {}, this.context.state.form === "violin" ? "As wide as values are dense; line: median, diamond: mean; dots: beyond 1.5 times the length from the first to the third quartile."
            : "Box: from the first to the third quartile, line: median, diamond: mean. Whiskers: to the last value within 1.5 times the box's length of it; dots: beyond that."));
    }

    /* ---- the picture -------------------------------------------------------------------------------------------------- */

    private picture(rows: Row[], width: number): SVGSVGElement {
        const left = Math.min(width * 0.36, 20 + 7.4 * rows.reduce((most, { name }) => Math.max(most, name.length), 6));
        const { min, max } = rows[0].spread;
        const [low, high] = min === max ? [Math.min(0, min), Math.max(0, max) || 1] : [min, max];
        const right = width - 24;
        const x = scaleLinear([low, high], [left + 8, right]).nice(6);
        const height = 30 + rows.length * ROW;
        const picture = svg("svg", { width, height, class: "v-svg", role: "group", "aria-label": `${this.level.title}: ${this.inWords(rows[0])}` });
        const labels = x.ticks(Math.max(2, Math.floor((right - left) / 90)));
        const texts = tickTexts(this.context, labels);
        labels.forEach((tick, i) => {
            picture.append(svg("line", { x1: x(tick), x2: x(tick), y1: 22, y2: height, class: "v-grid" }),
                svg("text", { x: x(tick), y: 14, "text-anchor": tick === labels[labels.length - 1] && x(tick) > right - 30 ? "end" : "middle" }, texts[i]));
        });
        const names = cutNames(rows.map(row => row.name), Math.max(Math.floor((left - 12) / LETTER), 2));
        rows.forEach((row, i) => picture.append(this.rowPicture(row, names.get(row.name) ?? row.name, 30 + i * ROW, left, value => x(value))));
        return picture;
    }

    private rowPicture(row: Row, name: string, top: number, left: number, x: (value: number) => number): SVGGElement {
        const { min, max, low, high, q25, median, mean, q75, outliers } = row.spread;
        const middle = top + ROW / 2;
        const half = 11;
        const out = svg("g", { class: "v-row", tabindex: 0, role: "img", "aria-label": `${row.name}: ${this.inWords(row)}` },
            svg("text", { x: left - 4, y: middle + 4, "text-anchor": "end", class: top < 31 ? "v-strong" : null }, name));
        const line = (x1: number, y1: number, x2: number, y2: number, kind: string): SVGLineElement => svg("line", { x1, y1, x2, y2, class: kind });
        if (this.context.state.form === "violin")
            out.append(violin(row.values, { min, max }, middle, x));
        else
            out.append(line(x(low), middle, x(q25), middle, "v-whisker"), line(x(q75), middle, x(high), middle, "v-whisker"),
                line(x(low), middle - 6, x(low), middle + 6, "v-whisker"), line(x(high), middle - 6, x(high), middle + 6, "v-whisker"),
                svg("rect", { x: x(q25), y: middle - half, width: Math.max(1, x(q75) - x(q25)), height: 2 * half, class: "v-box" }));
        out.append(line(x(median), middle - half, x(median), middle + half, "v-median"));
        const at = x(mean);
        out.append(svg("path", { d: `M${at - 5},${middle}L${at},${middle - 5}L${at + 5},${middle}L${at},${middle + 5}Z`, class: "v-mean" }));
        this.addDots(out, row, middle, x, outliers);
        out.addEventListener("pointermove", event => this.tip.show(event.clientX, event.clientY, this.lines(row)));
        out.addEventListener("pointerleave", () => this.tip.hide());
        out.addEventListener("focus", () => {
            const box = out.getBoundingClientRect();
            this.tip.show(box.left + box.width / 2, box.bottom - 8, this.lines(row));
        });
        out.addEventListener("blur", () => this.tip.hide());
        return out;
    }

    private addDots(out: SVGGElement, row: Row, middle: number, x: (value: number) => number, outliers: readonly number[]): void {
        const { text } = this.context;
        let free = -Infinity;
        const named = new Set(outliers.slice(0, NAMED_MOST));
        const drawn = new Set<number>();
        for (const i of outliers) {
            const column = Math.round(x(row.values[i]) / 2);
            if (drawn.has(column) && !this.isSelected(row.units[i]))
                continue;
            drawn.add(column);
            const dot = svg("circle", { cx: x(row.values[i]), cy: middle, r: 3.5, class: this.isSelected(row.units[i]) ? "v-dot v-selected" : "v-dot" });
            dot.addEventListener("click", event => this.pick(row.units[i], event.ctrlKey || event.metaKey || event.shiftKey));
            dot.addEventListener("pointermove", event => {
                this.tip.show(event.clientX, event.clientY, [this.level.name(row.units[i]), text(row.values[i])]);
                event.stopPropagation();
            });
            out.append(dot);
        }
        for (const i of [...named].sort((a, b) => row.values[a] - row.values[b])) {
            const label = this.level.short(row.units[i]);
            const width = 7 * label.length;
            if (x(row.values[i]) - width / 2 > free) {
                out.append(svg("text", { x: x(row.values[i]), y: middle - 8, "text-anchor": "middle", class: "v-small" }, label));
                free = x(row.values[i]) + width / 2 + 4;
            }
        }
    }

    private isSelected(unit: number): boolean {
        const { selectedLocations, model } = this.context;
        return selectedLocations.size * 2 <= model.nLocations && this.level.locationsOf(unit).some(location => selectedLocations.has(location));
    }

    private pick(unit: number, additive: boolean): void {
        this.context.onSelect(this.level.locationsOf(unit), additive);
    }

    private lines(row: Row): string[] {
        const { text } = this.context;
        const { min, q25, median, mean, q75, max, n, outliers } = row.spread;
        return [row.name, `largest ${text(max)}`, `third quartile ${text(q75)}`, `mean ${text(mean)}`, `median ${text(median)}`, `first quartile ${text(q25)}`,
            `least ${text(min)}`, `${counted(n, this.level.noun, this.level.nouns)}, ${counted(outliers.length, "outlier")}`];
    }

    private numbers(row: Row): HTMLElement {
        const { text } = this.context;
        const { min, q25, median, mean, q75, max } = row.spread;
        const facts: [string, number][] = [["least", min], ["first quartile", q25], ["median", median], ["mean", mean], ["third quartile", q75], ["largest", max]];
        return h("dl", { class: "v-facts" }, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, text(value))]));
    }

    private inWords(row: Row): string {
        return this.lines(row).slice(1).join(", ");
    }

    /* ---- outliers ----------------------------------------------------------------------------------------------------- */

    private outliers(row: Row): HTMLElement {
        const { text } = this.context;
        const { outliers, median, n } = row.spread;
        if (outliers.length === 0)
            return h("p", {}, `No ${this.level.noun} is an outlier.`);
        const items = outliers.slice(0, LISTED_MOST).map(i => h("li", {}, h("button", { type: "button", class: "v-link", click: (event: MouseEvent) =>
            this.pick(row.units[i], event.ctrlKey || event.metaKey || event.shiftKey) }, this.level.name(row.units[i])), ` ${text(row.values[i])}`));
        const more = outliers.length > items.length ? `, the ${items.length} farthest from the median` : "";
        return h("section", {}, h("h4", {}, `${counted(outliers.length, "outlier")} of ${counted(n, this.level.noun, this.level.nouns)}${more} (median ${text(median)})`), h("ol", { class: "v-outliers" }, ...items));
    }
}

/* The density of the values, mirrored. */
function violin(values: Float64Array, range: { min: number; max: number }, middle: number, x: (value: number) => number): SVGPathElement {
    const heights = density(values, range, DENSITY_POINTS);
    const at = (i: number): string => x(range.min + ((range.max - range.min) * i) / (DENSITY_POINTS - 1)).toFixed(1);
    const half = ROW / 2 - 3;
    const above = Array.from(heights, (height, i) => `${at(i)},${(middle - Math.max(0.5, half * height)).toFixed(1)}`);
    const below = Array.from(heights, (height, i) => `${at(i)},${(middle + Math.max(0.5, half * height)).toFixed(1)}`).reverse();
    return svg("path", { d: `M${above.join("L")}L${below.join("L")}Z`, class: "v-box" });
}

export const boxPlotView: SystemView = {
    id: "spread",
    title: "Box plot",
    available: model => model.nLocations > 2,
    mount: (host, context) => new BoxPlotView(host, context),
};

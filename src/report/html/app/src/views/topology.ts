/* views/topology.ts: the view of a report's topologies: which of them, how it is folded and sliced, and its picture. */
import { integersOf } from "../lists";
import type { Model } from "../model";
import type { Cell, Saved } from "../save";
import type { MountedSystemView, SystemView, ViewContext } from "../view";
import { Boxes, canDrawBoxes, GAPLESS_FROM, type BoxesLook } from "./boxes";
import { choice, counted, few, h, slider, Tip } from "./dom";
import {
    arrange, arrangementText, arrangeRows, breakOf, broken, entryCount, fill, indicesAt, layout, moved, parseArrangement, turned, type Arrangement, type Layout, type Topology,
} from "./fold";
import { Heatmap, type PictureEvents, type Scene } from "./heatmap";
import { legend } from "./legend";
import { combineOf, paletteOf, SCALE_KINDS, scaleOf, valueText, type Palette, type ScaleKind, unitOf } from "./scales";

/* The topologies of a report; processes × threads, which every report has, is the last if the report does not bring it along. */
export function topologiesOf(model: Model): Topology[] {
    const given: Topology[] = model.head.topologies.map(topology => ({ ...topology, coordinates: byLocation(topology.coordinates.map(integersOf)) }));
    if (given.some(({ name, dimensions }) => dimensions.length === 2 && /process/i.test(name) && /thread/i.test(name)))
        return given;
    return [...given, processTopology(model)];
}

/* location, x0, x1, ..., location, ... of a list of each. */
function byLocation(columns: ArrayLike<number>[]): Float64Array {
    const width = columns.length, out = new Float64Array(width * columns[0].length);
    columns.forEach((column, k) => {
        for (let i = 0; i < column.length; i++)
            out[i * width + k] = column[i];
    });
    return out;
}

function processTopology(model: Model): Topology {
    const { group } = model.head.system.locations;
    const next = new Uint32Array(model.nGroups);
    const coordinates = new Uint32Array(3 * group.length);
    let threads = 1;
    for (let location = 0; location < group.length; location++) {
        coordinates.set([location, group[location], next[group[location]]++], 3 * location);
        threads = Math.max(threads, next[group[location]]);
    }
    return {
        name: "processes × threads", coordinates,
        dimensions: [{ name: "process", size: model.nGroups, periodic: false }, { name: "thread", size: threads, periodic: false }],
    };
}

/* What is shown, as the state says it. What the state says wrongly is as if it said nothing. */
interface Setting {
    index: number;
    given: Topology;
    rows: { dimension: number; length: number } | null;
    topology: Topology;                              /* the given one, in rows */
    nAxes: 2 | 3;
    arrangement: Arrangement;
    scale: ScaleKind;
    threshold: number;
    look: BoxesLook;
}

function settingOf(topologies: Topology[], state: Record<string, string>): Setting {
    const index = Number(state.t ?? 0) in topologies ? Number(state.t ?? 0) : 0;
    const given = topologies[index];
    const nAxes = (state.axes ?? (given.dimensions.filter(({ size }) => size > 1).length >= 3 && canDrawBoxes() ? "3" : "2")) === "3" ? 3 : 2;
    const rows = rowsOf(given, state.rows, nAxes);
    const topology = rows === null ? given : broken(given, rows.dimension, rows.length);
    const first = rows !== null && nAxes === 2 ? arrangeRows(topology, rows.dimension) : arrange(topology, nAxes);
    const arrangement = parseArrangement(state.fold ?? "", topology, nAxes) ?? first;
    const [gapAxis, gap] = numbersOf(state.gap, [-1, 0]);
    const [layerAxis, layer] = numbersOf(state.layer, [-1, 0]);
    return {
        index, given, rows, topology, nAxes, arrangement,
        scale: SCALE_KINDS.some(([kind]) => kind === state.scale) ? state.scale as ScaleKind : "zero",
        threshold: Math.min(1, Math.max(0, Number(state.hide ?? (nAxes === 3 && entryCount(topology) > GAPLESS_FROM ? 0.3 : 0)) || 0)),
        look: { gapAxis, gap, faint: Math.min(1, Math.max(0, Number(state.faint ?? 0.12) || 0)), layerAxis, layer },
    };
}

function rowsOf(topology: Topology, text: string | undefined, nAxes: number): { dimension: number; length: number } | null {
    if (text === undefined)
        return nAxes === 2 ? breakOf(topology) : null;
    const [dimension, length] = numbersOf(text, [-1, 0]);
    return dimension in topology.dimensions && length > 1 && length < topology.dimensions[dimension].size ? { dimension, length } : null;
}

function numbersOf(text: string | undefined, otherwise: [number, number]): [number, number] {
    const numbers = (text ?? "").split("_").map(Number);
    return text !== undefined && numbers.length === 2 && numbers.every(Number.isFinite) ? [numbers[0], numbers[1]] : otherwise;
}

const NO_WEBGL = "Three axes need WebGL, which this browser does not provide. Two axes show the same values: choose \"two axes\" above.";

const AXES = ["x", "y", "z"];

class TopologyView implements MountedSystemView {
    private readonly topologies: Topology[];
    private readonly root = h("div", { class: "v-view v-topology" });
    private readonly controls = h("div", { class: "v-controls" });
    private readonly folding = h("details", { class: "v-folding" });
    private readonly stage = h("div", { class: "v-stage" });
    private readonly foot = h("div", { class: "v-foot" });
    private readonly live = h("div", { class: "v-live", "aria-live": "polite" });
    private readonly tip: Tip;
    private picture: Heatmap | Boxes | null = null;
    private shownAxes = 0;
    private built = "";                              /* the setting that the controls were made for */
    private laidOut = "";
    private cells: Layout | null = null;
    private palette: Palette | null = null;
    private paletteFor = "";
    private scene: Scene | null = null;
    private setting: Setting;
    private cursor = -1;

    constructor(host: HTMLElement, private context: ViewContext) {
        this.topologies = topologiesOf(context.model);
        this.setting = settingOf(this.topologies, context.state);
        this.root.append(this.controls, this.folding, this.stage, this.foot, this.live);
        this.tip = new Tip(this.root);
        host.append(this.root);
        this.update(context);
    }

    saved(): Saved {
        const { dimensions, coordinates } = this.setting.given;
        const width = 1 + dimensions.length;
        const { model, values } = this.context;
        return {
            picture: () => this.picture?.saved() ?? null,
            table: () => [
                ["location", ...dimensions.map(({ name }) => name), "value", "unit"] as Cell[],
                ...Array.from({ length: coordinates.length / width }, (_, i): Cell[] => {
                    const [location, ...at] = Array.from({ length: width }, (_, k) => coordinates[i * width + k]);
                    return [model.locationName(location), ...at, values[location], unitOf(this.context)];
                }),
            ],
        };
    }

    update(context: ViewContext): void {
        this.context = context;
        this.setting = settingOf(this.topologies, context.state);
        this.buildControls();
        const { topology, arrangement, nAxes } = this.setting;
        const key = JSON.stringify([this.setting.index, this.setting.rows, arrangement]);
        if (key !== this.laidOut) {
            this.laidOut = key;
            this.cells = layout(topology, arrangement);
            this.cursor = -1;
        }
        if (this.cells === null)
            this.say("This fold has more cells than a picture can show. Slice a dimension, or sum over it.");
        else if (nAxes === 3 && !canDrawBoxes())
            this.say(NO_WEBGL);
        else
            this.drawPicture(this.cells);
    }

    destroy(): void {
        this.picture?.destroy();
        this.root.remove();
    }

    private say(text: string): void {
        this.dropPicture();
        this.stage.replaceChildren(h("p", { class: "v-message" }, text));
        this.foot.replaceChildren();
    }

    private dropPicture(): void {
        this.picture?.destroy();
        this.picture = null;
        this.shownAxes = 0;
        this.stage.replaceChildren();
    }

    /* ---- the picture -------------------------------------------------------------------------------------------------- */

    private drawPicture(cells: Layout): void {
        const { context, setting } = this;
        const combine = combineOf(context);
        const values = fill(cells, context.values, combine);
        const key = `${context.signed} ${context.dark} ${context.colour(0)} ${context.colour(0.5)} ${context.colour(1)}`;
        if (this.palette === null || key !== this.paletteFor) {
            this.palette = paletteOf(context);
            this.paletteFor = key;
        }
        const scale = scaleOf(values, context, setting.scale);
        this.scene = {
            context, topology: setting.topology, axes: setting.arrangement.axes, cells, values, scale, palette: this.palette,
            threshold: setting.threshold > 0 ? setting.threshold : -2, cursor: this.cursor, view: context.state.part ?? "",
        };
        if ((this.picture === null || this.shownAxes !== setting.nAxes) && !this.makePicture())
            return;
        if (this.picture instanceof Boxes)
            this.picture.setLook(setting.look);
        this.picture?.draw(this.scene);
        this.foot.replaceChildren(legend(context, scale, this.palette), h("p", {}, this.footText(this.scene)));
    }

    /* false: it cannot be drawn, and the view says so. */
    private makePicture(): boolean {
        this.dropPicture();
        const { setting, context } = this;
        const canvas = h("canvas", { tabindex: 0, role: "application", "aria-roledescription": "heat map", "aria-label": `Topology ${setting.given.name}: ${context.model.head.metrics[context.metric].name} by position. Arrow keys move, Enter selects.` });
        canvas.addEventListener("keydown", event => this.key(event));
        const events: PictureEvents = {
            hover: (place, x, y) => (place < 0 ? this.tip.hide() : this.tip.show(x, y, this.describe(place))),
            pick: (place, additive) => {
                this.cursor = -1;
                this.pick(place, additive);
            },
            moved: state => this.context.setState("part", state === "" ? null : state),
        };
        try {
            this.picture = setting.nAxes === 3 ? new Boxes(this.stage, events, canvas) : new Heatmap(this.stage, events, canvas);
        } catch {
            this.say(NO_WEBGL);
            return false;
        }
        this.shownAxes = setting.nAxes;
        return true;
    }

    private pick(place: number, additive: boolean): void {
        const { cells } = this;
        if (cells !== null && cells.start[place + 1] > cells.start[place])
            this.context.onSelect([...cells.members.subarray(cells.start[place], cells.start[place + 1])], additive);
    }

    /* What is at a place: who, where, how much. */
    private describe(place: number): string[] {
        const { context } = this;
        const { cells, values } = this.scene!;
        const members = [...cells.members.subarray(cells.start[place], Math.min(cells.start[place + 1], cells.start[place] + 4))];
        const n = cells.start[place + 1] - cells.start[place];
        const lines = [n === 0 ? "no location here" : few(members.map(location => context.model.locationName(location)), n), ...this.coordinatesOf(place, cells)];
        if (n > 0) {
            lines.push(valueText(context, values[place]));
            if (n > 1)
                lines.push(`${combineName(combineOf(context))} of ${counted(n, "location")}`);
        }
        return lines;
    }

    /* The coordinates of a place in the topology as the report has it. */
    private coordinatesOf(place: number, cells: Layout): string[] {
        const { topology, arrangement, rows } = this.setting;
        const at: (number | null)[] = topology.dimensions.map((_, d) => (typeof arrangement.slices[d] === "number" ? arrangement.slices[d] as number : null));
        arrangement.axes.forEach((axis, i) => {
            const along = Math.floor(place / cells.size.slice(0, i).reduce((a, b) => a * b, 1)) % cells.size[i];
            indicesAt(topology, axis, along).forEach((index, j) => (at[axis[j]] = index));
        });
        if (rows !== null) {
            const [row, inRow] = at.splice(rows.dimension, 2);
            at.splice(rows.dimension, 0, row === null || inRow === null ? null : row * rows.length + inRow);
        }
        return [this.setting.given.dimensions.map(({ name }, d) => `${name} ${at[d] ?? "(all)"}`).join(", ")];
    }

    private footText({ cells, values }: Scene): string {
        const { context, setting } = this;
        const { topology, arrangement } = setting;
        let empty = 0;
        let unknown = 0;
        let most = 0;
        for (let p = 0; p < cells.n; p++) {
            const n = cells.start[p + 1] - cells.start[p];
            most = Math.max(most, n);
            if (n === 0)
                empty++;
            else if (Number.isNaN(values[p]))
                unknown++;
        }
        const parts = [`${counted(cells.members.length, "location")} at ${counted(cells.n - empty, "place")}`];
        if (cells.members.length < entryCount(topology))
            parts.push(`${counted(entryCount(topology) - cells.members.length, "location")} outside the slice`);
        const summed = topology.dimensions.filter((_, d) => arrangement.slices[d] === "sum").map(({ name }) => name);
        if (most > 1)
            parts.push(`a place shows the ${combineName(combineOf(context))} of up to ${counted(most, "location")}${summed.length > 0 ? ` (over ${summed.join(", ")})` : ""}`);
        if (empty > 0)
            parts.push(`${counted(empty, "place")} without a location (hatched)`);
        if (unknown > 0)
            parts.push(`${counted(unknown, "place")} with unknown value (grey)`);
        const periodic = topology.dimensions.filter(dimension => dimension.periodic).map(({ name }) => name);
        if (periodic.length > 0)
            parts.push(`periodic: ${periodic.join(", ")}`);
        return `${parts.join("; ")}.`;
    }

    /* ---- keys --------------------------------------------------------------------------------------------------------- */

    private key(event: KeyboardEvent): void {
        if (this.scene === null || this.picture === null || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const { size } = this.scene.cells;
        const steps: Record<string, [number, number]> = {
            ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 1], ArrowUp: [1, -1], PageDown: [2, 1], PageUp: [2, -1],
        };
        const step = steps[event.key];
        if (this.picture instanceof Boxes && event.shiftKey && step !== undefined)
            this.picture.turn(step[0] === 1 ? 0.12 * step[1] : 0, step[0] === 0 ? 0.12 * step[1] : 0);
        else if (step !== undefined && size[step[0]] !== undefined)
            this.moveCursor(step[0], step[1]);
        else if (event.key === "+" || event.key === "-")
            this.picture.zoom(event.key === "+" ? 0.8 : 1.25);
        else if ((event.key === "Enter" || event.key === " ") && this.cursor >= 0)
            this.pick(this.cursor, event.shiftKey);
        else
            return;
        event.preventDefault();
        event.stopPropagation();
    }

    private moveCursor(axis: number, by: number): void {
        const scene = this.scene!;
        const { size } = scene.cells;
        const stride = size.slice(0, axis).reduce((a, b) => a * b, 1);
        const along = Math.floor(this.cursor / stride) % size[axis];
        if (this.cursor < 0)
            this.cursor = 0;
        else if (along + by >= 0 && along + by < size[axis])
            this.cursor += by * stride;
        scene.cursor = this.cursor;
        this.picture!.draw(scene);
        this.live.textContent = this.describe(this.cursor).join(". ");
    }

    /* ---- controls ----------------------------------------------------------------------------------------------------- */

    private set(...changes: [string, string | null][]): void {
        for (const [key, value] of changes)
            this.context.setState(key, value);
    }

    private buildControls(): void {
        const { index, rows, arrangement, nAxes, scale, look, given } = this.setting;
        const slices = arrangement.slices.map(slice => (typeof slice === "number" ? "at" : slice));   /* a slider must outlive its moves */
        const key = JSON.stringify([index, rows, arrangement.axes, slices, nAxes, scale, look.gapAxis, look.layerAxis]);
        if (key === this.built)
            return;
        const fresh = this.built === "";
        this.built = key;
        const focused = document.activeElement instanceof HTMLElement && this.root.contains(document.activeElement) ? document.activeElement.closest("label")?.firstChild?.textContent : undefined;
        const controls: Node[] = [];
        if (this.topologies.length > 1)
            controls.push(choice("Topology", this.topologies.map(({ name }, i) => [String(i), name || `topology ${i}`]), String(index),
                value => this.set(["rows", null], ["fold", null], ["part", null], ["axes", null], ["layer", null], ["gap", null], ["t", value])));
        controls.push(choice("Picture", [["2", "two axes"], ["3", "three axes"]], String(nAxes),
            value => this.set(["fold", null], ["part", null], ["layer", null], ["axes", value])));
        controls.push(slider("Transparency threshold", { min: 0, max: 1, step: 0.01, value: this.setting.threshold }, value => `${Math.round(100 * value)} %`,
            value => this.set(["hide", String(value)])));
        this.controls.replaceChildren(...controls);
        this.folding.replaceChildren(h("summary", {}, "Fold and slice, colours"), ...this.foldControls(),
            h("div", { class: "v-dimension" }, choice("Colours", SCALE_KINDS, scale, value => this.set(["scale", value])), ...(nAxes === 3 ? this.depthControls() : [])));
        if (fresh)
            this.folding.open = given.dimensions.length > nAxes;
        if (focused)
            [...this.root.querySelectorAll("label")].find(label => label.firstChild?.textContent === focused)?.querySelector<HTMLElement>("select, input")?.focus();
    }

    private depthControls(): Node[] {
        const { look, arrangement } = this.setting;
        const sizes = this.setting.arrangement.axes.map(axis => axis.reduce((n, d) => n * this.setting.topology.dimensions[d].size, 1));
        const axes = [0, 1, 2].filter(axis => arrangement.axes[axis].length > 0).map(axis => [String(axis), AXES[axis]] as const);
        const out: Node[] = [
            slider("Opacity below threshold", { min: 0, max: 0.6, step: 0.02, value: look.faint }, value => (value === 0 ? "hidden" : `${Math.round(100 * value)} %`),
                value => this.set(["faint", String(value)])),
            choice("Explode", [["-1", "off"], ...axes.map(([axis, name]) => [axis, `along ${name}`] as const)], String(look.gapAxis),
                value => this.set(["gap", value === "-1" ? null : `${value}_2`])),
        ];
        if (look.gapAxis >= 0)
            out.push(slider("by", { min: 0, max: 6, step: 0.5, value: look.gap }, value => `${value} cells`, value => this.set(["gap", `${look.gapAxis}_${value}`])));
        out.push(choice("Slice view", [["-1", "all slices"], ...axes.map(([axis, name]) => [axis, `one of ${name}`] as const)], String(look.layerAxis),
            value => this.set(["layer", value === "-1" ? null : `${value}_0`])));
        if (look.layerAxis >= 0)
            out.push(slider("slice", { min: 0, max: sizes[look.layerAxis] - 1, step: 1, value: look.layer }, String, value => this.set(["layer", `${look.layerAxis}_${value}`])));
        return out;
    }

    private foldControls(): Node[] {
        const { topology, given, rows, arrangement, nAxes } = this.setting;
        const out: Node[] = [];
        const change = (to: Arrangement): void => this.set(["part", null], ["layer", null], ["fold", arrangementText(to)]);
        topology.dimensions.forEach(({ name, size }, d) => {
            const slice = arrangement.slices[d];
            const at = slice === null ? String(arrangement.axes.findIndex(axis => axis.includes(d))) : slice === "sum" ? "sum" : "at";
            const axes = AXES.slice(0, nAxes).map((axis, i) => [String(i), `on axis ${axis}`] as const);
            const row = h("div", { class: "v-dimension" }, choice(`${name} (${size})`, [...axes, ["at", "fixed at"], ["sum", "summed over"]], at,
                value => change(moved(this.setting.arrangement, d, value === "at" ? { slice: 0 } : value === "sum" ? { slice: "sum" } : Number(value)))));
            if (typeof slice === "number")
                row.append(slider(`${name} =`, { min: 0, max: size - 1, step: 1, value: slice }, String, value => change(moved(this.setting.arrangement, d, { slice: value }))));
            out.push(row);
        });
        arrangement.axes.forEach((axis, i) => {
            if (axis.length > 1)
                out.push(h("button", { type: "button", click: () => change(turned(this.setting.arrangement, i)) }, `Axis ${AXES[i]}: ${axis.map(d => topology.dimensions[d].name).join(" › ")} — swap dimensions`));
        });
        if (given.dimensions.length <= 2)
            out.push(this.rowControl(given, rows));
        return out;
    }

    private rowControl(given: Topology, rows: Setting["rows"]): Node {
        const d = rows?.dimension ?? given.dimensions.reduce((best, { size }, i) => (size > given.dimensions[best].size ? i : best), 0);
        const { name, size } = given.dimensions[d];
        const lengths = [4, 8, 16, 32, 64, 128, 256, 512, 1024].filter(length => length < size);
        if (rows !== null && !lengths.includes(rows.length))
            lengths.push(rows.length);
        return choice(`${name} in`, [["-1_0", "one line"], ...lengths.map(length => [`${d}_${length}`, `rows of ${length}`] as const)], rows === null ? "-1_0" : `${d}_${rows.length}`,
            value => this.set(["fold", null], ["part", null], ["rows", value]));
    }
}

function combineName(combine: "sum" | "min" | "max"): string {
    return combine === "sum" ? "sum" : combine === "min" ? "least" : "largest";
}

export const topologyView: SystemView = {
    id: "topology",
    title: "Topology",
    available: model => model.nLocations > 1,
    mount: (host, context) => new TopologyView(host, context),
};

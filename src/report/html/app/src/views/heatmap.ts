/* views/heatmap.ts: the picture of a topology on two axes, on a canvas. */
import { pictureOfCanvas, type Picture as SavedPicture } from "../save";
import type { ViewContext } from "../view";
import { cleared, inks, redrawing, type Inks } from "./dom";
import { axisTicks, shrunk, type Layout, type Part, type Topology } from "./fold";
import { isLight, type Palette, type Scale } from "./scales";

/* What both pictures of a topology are given. */
export interface Scene {
    context: ViewContext;
    topology: Topology;
    axes: number[][];
    cells: Layout;
    values: Float64Array;                            /* per place */
    scale: Scale;
    palette: Palette;
    threshold: number;                               /* fraction below which places are drawn faintly (hidden on three axes); below -1: none */
    cursor: number;                                  /* place that the keyboard is at, -1: none */
    view: string;                                    /* the part, or side, that is shown: what moved() told, or the address; "": as at first */
}

export interface Picture {
    draw(scene: Scene): void;
    saved(): SavedPicture;
    destroy(): void;
}

export interface PictureEvents {
    hover(place: number, x: number, y: number): void;     /* x, y: of the window; place -1: none */
    pick(place: number, additive: boolean): void;
    moved(state: string): void;                      /* the part shown, as text for the address; "": all of it */
}

const FONT = 12;
const LINE = 16;
const CELL_MOST = 120;
const STRETCH_MOST = 5;                              /* how much longer a side of a cell is than the other, */
const STRETCHED = 6;                                 /* [pixels] unless it is shorter than this */

interface Frame { left: number; top: number; width: number; height: number; cellWidth: number; cellHeight: number }

export class Heatmap implements Picture {
    private readonly image = document.createElement("canvas");
    private readonly stop: () => void;
    private scene: Scene | null = null;
    private frame: Frame | null = null;
    private part: Part | null = null;                /* what is shown; null: all */
    private told = "";                               /* the part as text */
    private hovered = -1;
    private drag: { x: number; y: number; part: Part; moved: boolean } | null = null;

    constructor(host: HTMLElement, private readonly events: PictureEvents, private readonly canvas: HTMLCanvasElement) {
        host.append(canvas);
        canvas.addEventListener("pointermove", event => this.move(event));
        canvas.addEventListener("pointerleave", () => this.leave());
        canvas.addEventListener("pointerdown", event => this.down(event));
        canvas.addEventListener("pointerup", event => this.up(event));
        canvas.addEventListener("dblclick", () => this.show(null));
        canvas.addEventListener("wheel", event => this.wheel(event), { passive: false });
        this.stop = redrawing(canvas, print => this.paint(print));
    }

    draw(scene: Scene): void {
        this.scene = scene;
        if (scene.view !== this.told) {
            this.told = scene.view;
            this.part = parsePart(scene.view);
        }
        this.paint(false);
    }

    saved(): SavedPicture {
        return pictureOfCanvas(this.canvas, () => this.paint(false));
    }

    destroy(): void {
        this.stop();
        this.canvas.remove();
    }

    /* Makes the part shown smaller (by < 1) or larger around its middle. */
    zoom(by: number): void {
        const part = this.visible();
        this.zoomAround(part.x + part.width / 2, part.y + part.height / 2, by);
    }

    /* ---- where things are --------------------------------------------------------------------------------------------- */

    private visible(): Part {
        const [nx, ny] = this.scene!.cells.size;
        const part = this.part;
        if (part === null || part.x >= nx || part.y >= ny)
            return { x: 0, y: 0, width: nx, height: ny };
        return { x: part.x, y: part.y, width: Math.max(1, Math.min(part.width, nx - part.x)), height: Math.max(1, Math.min(part.height, ny - part.y)) };
    }

    private placeAt(event: MouseEvent): number {
        const { frame, scene } = this;
        if (frame === null || scene === null)
            return -1;
        const box = this.canvas.getBoundingClientRect();
        const x = Math.floor((event.clientX - box.left - frame.left) / frame.cellWidth);
        const y = Math.floor((event.clientY - box.top - frame.top) / frame.cellHeight);
        const part = this.visible();
        return x < 0 || y < 0 || x >= part.width || y >= part.height ? -1 : (part.y + y) * scene.cells.size[0] + part.x + x;
    }

    private move(event: PointerEvent): void {
        const { drag, frame } = this;
        if (drag !== null && frame !== null && event.buttons !== 0) {
            const dx = Math.round((drag.x - event.clientX) / frame.cellWidth);
            const dy = Math.round((drag.y - event.clientY) / frame.cellHeight);
            drag.moved ||= Math.abs(drag.x - event.clientX) + Math.abs(drag.y - event.clientY) > 4;
            if (drag.moved && this.part !== null)
                this.show({ ...drag.part, x: drag.part.x + dx, y: drag.part.y + dy });
        }
        const place = this.placeAt(event);
        if (place !== this.hovered) {
            this.hovered = place;
            this.paint(false);
        }
        this.events.hover(place, event.clientX, event.clientY);
    }

    private leave(): void {
        this.hovered = -1;
        this.events.hover(-1, 0, 0);
        this.paint(false);
    }

    private down(event: PointerEvent): void {
        if (event.button === 0 && this.scene !== null) {
            this.drag = { x: event.clientX, y: event.clientY, part: this.visible(), moved: false };
            this.canvas.setPointerCapture(event.pointerId);
        }
    }

    private up(event: PointerEvent): void {
        const place = this.placeAt(event);
        if (this.drag !== null && !this.drag.moved && place >= 0)
            this.events.pick(place, event.ctrlKey || event.metaKey || event.shiftKey);
        this.drag = null;
    }

    private wheel(event: WheelEvent): void {
        const place = this.placeAt(event);
        if (place < 0 || this.scene === null)
            return;
        event.preventDefault();
        const nx = this.scene.cells.size[0];
        this.zoomAround(place % nx, Math.floor(place / nx), event.deltaY < 0 ? 0.8 : 1.25);
    }

    private zoomAround(x: number, y: number, by: number): void {
        const [nx, ny] = this.scene!.cells.size;
        const part = this.visible();
        const changed = (n: number): number => (by < 1 ? Math.floor(n * by) : Math.ceil(n * by));
        const width = Math.min(nx, Math.max(Math.min(nx, 4), changed(part.width)));
        const height = Math.min(ny, Math.max(Math.min(ny, 4), changed(part.height)));
        this.show({ x: Math.round(x - ((x - part.x) * width) / part.width), y: Math.round(y - ((y - part.y) * height) / part.height), width, height });
    }

    private show(part: Part | null): void {
        const [nx, ny] = this.scene!.cells.size;
        if (part === null || (part.width >= nx && part.height >= ny))
            this.part = null;
        else
            this.part = { ...part, x: Math.max(0, Math.min(part.x, nx - part.width)), y: Math.max(0, Math.min(part.y, ny - part.height)) };
        const view = this.part === null ? "" : `${this.part.x}_${this.part.y}_${this.part.width}_${this.part.height}`;
        if (view === this.told)
            return;
        this.told = view;
        this.paint(false);
        this.events.moved(view);
    }

    /* ---- drawing ------------------------------------------------------------------------------------------------------ */

    private paint(print: boolean): void {
        const { scene } = this;
        const sheet = scene === null ? null : cleared(this.canvas);
        if (scene === null || sheet === null)
            return;
        const { pen, width, height, ratio } = sheet;
        const colours = inks(scene.context.dark && !print);
        const part = this.visible();
        const frame = (this.frame = frameOf(pen, scene, part, width, height));

        pen.save();
        pen.fillStyle = hatch(pen, colours);
        pen.fillRect(frame.left, frame.top, frame.width, frame.height);
        this.paintCells(pen, scene, part, frame, ratio);
        paintGrid(pen, scene, part, frame, colours);
        paintNumbers(pen, scene, part, frame);
        paintMarks(pen, scene, part, frame, this.hovered);
        pen.restore();
        paintAxes(pen, scene, part, frame, colours);
    }

    private paintCells(pen: CanvasRenderingContext2D, scene: Scene, part: Part, frame: Frame, ratio: number): void {
        const { scale, palette, cells, threshold } = scene;
        const small = shrunk(scene.values, cells.size[0], part, [frame.width * ratio, frame.height * ratio]);
        const pixels = new Uint32Array(small.width * small.height);
        for (let i = 0; i < pixels.length; i++) {
            const value = small.values[i];
            if (Number.isNaN(value))
                continue;
            const fraction = scale.fraction(value);
            const colour = palette.rgba[palette.index(fraction)];
            pixels[i] = Math.abs(fraction) < threshold ? (colour & 0xffffff) | 0x30000000 : colour;
        }
        if (small.by[0] === 1 && small.by[1] === 1)
            paintUnknown(pixels, scene, part);
        this.image.width = small.width;
        this.image.height = small.height;
        this.image.getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), small.width, small.height), 0, 0);
        pen.imageSmoothingEnabled = false;
        pen.drawImage(this.image, frame.left, frame.top, frame.cellWidth * small.by[0] * small.width, frame.cellHeight * small.by[1] * small.height);
    }
}

function parsePart(text: string): Part | null {
    const [x, y, width, height] = text.split("_").map(Number);
    return [x, y, width, height].every(number => Number.isInteger(number) && number >= 0) ? { x, y, width, height } : null;
}

const UNKNOWN = 0x70808080;

/* Places where somebody is of whom nothing is known are grey. */
function paintUnknown(pixels: Uint32Array, { cells, values }: Scene, part: Part): void {
    for (let i = 0; i < pixels.length; i++) {
        const place = (part.y + Math.floor(i / part.width)) * cells.size[0] + part.x + (i % part.width);
        if (Number.isNaN(values[place]) && cells.start[place + 1] > cells.start[place])
            pixels[i] = UNKNOWN;
    }
}

/* Around the cells is room for the axes: per folded dimension a line of numbers and its name. */
function frameOf(pen: CanvasRenderingContext2D, scene: Scene, part: Part, width: number, height: number): Frame {
    const [across, down] = scene.axes;
    const names = down.map(d => scene.topology.dimensions[d].name);
    const left = 10 + names.reduce((sum, name, i) => sum + 12 + Math.max(pen.measureText(name).width, numberWidth(pen, scene.topology.dimensions[down[i]].size)), 0);
    const right = 14 + across.reduce((most, d) => Math.max(most, pen.measureText(rangeName(scene.topology.dimensions[d])).width), 0);
    const bottom = 8 + across.length * LINE;
    const top = names.length > 0 ? LINE + 6 : 8;
    const room = { width: Math.max(20, width - left - right), height: Math.max(20, height - top - bottom) };
    let cellWidth = Math.min(CELL_MOST, room.width / part.width);
    let cellHeight = Math.min(CELL_MOST, room.height / part.height);
    cellWidth = Math.min(cellWidth, Math.max(STRETCH_MOST * cellHeight, STRETCHED));
    cellHeight = Math.min(cellHeight, Math.max(STRETCH_MOST * cellWidth, STRETCHED));
    return { left, top, width: cellWidth * part.width, height: cellHeight * part.height, cellWidth, cellHeight };
}

/* An axis without room for numbers is named so. */
function rangeName({ name, size }: { name: string; size: number }): string {
    return `${name} 0–${size - 1}`;
}

function numberWidth(pen: CanvasRenderingContext2D, size: number): number {
    return pen.measureText(String(size - 1)).width;
}

/* Nobody is where the ground is hatched. */
function hatch(pen: CanvasRenderingContext2D, colours: Inks): CanvasPattern {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const brush = tile.getContext("2d")!;
    brush.strokeStyle = colours.hairline;
    brush.lineWidth = 1;
    brush.beginPath();
    for (const at of [-6, 0, 6]) {
        brush.moveTo(at, 6);
        brush.lineTo(at + 6, 0);
    }
    brush.stroke();
    return pen.createPattern(tile, "repeat")!;
}

function paintGrid(pen: CanvasRenderingContext2D, scene: Scene, part: Part, frame: Frame, colours: Inks): void {
    const steps = [0, 1].map(axis => {
        const dimensions = scene.axes[axis].map(d => scene.topology.dimensions[d].size);
        return { cell: axis === 0 ? frame.cellWidth : frame.cellHeight, inner: dimensions.length > 1 ? dimensions[dimensions.length - 1] : 0 };
    });
    const lines = (axis: number, step: number, colour: string, thickness: number): void => {
        const [from, n, cell] = axis === 0 ? [part.x, part.width, frame.cellWidth] : [part.y, part.height, frame.cellHeight];
        pen.strokeStyle = colour;
        pen.lineWidth = thickness;
        pen.beginPath();
        for (let at = Math.ceil(from / step) * step; at <= from + n; at += step) {
            const offset = (at - from) * cell;
            if (axis === 0) {
                pen.moveTo(frame.left + offset, frame.top);
                pen.lineTo(frame.left + offset, frame.top + frame.height);
            } else {
                pen.moveTo(frame.left, frame.top + offset);
                pen.lineTo(frame.left + frame.width, frame.top + offset);
            }
        }
        pen.stroke();
    };
    steps.forEach(({ cell, inner }, axis) => {
        if (cell >= 7)
            lines(axis, 1, colours.ground, 1);
        if (inner > 1 && cell * inner >= 8)
            lines(axis, inner, colours.ground, cell * inner >= 24 ? 3 : 1);
    });
    pen.strokeStyle = colours.faint;
    pen.lineWidth = 1;
    pen.strokeRect(frame.left - 0.5, frame.top - 0.5, frame.width + 1, frame.height + 1);
}

/* Where a cell has room for it, the value stands in it. */
function paintNumbers(pen: CanvasRenderingContext2D, scene: Scene, part: Part, frame: Frame): void {
    if (frame.cellWidth < 40 || frame.cellHeight < 16)
        return;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const { context, palette, scale, cells } = scene;
    for (let y = 0; y < part.height; y++) {
        for (let x = 0; x < part.width; x++) {
            const value = scene.values[(part.y + y) * cells.size[0] + part.x + x];
            const text = Number.isNaN(value) ? "" : context.display(value).text;
            if (text === "" || pen.measureText(text).width > frame.cellWidth - 6)
                continue;
            const fraction = scale.fraction(value);
            if (Math.abs(fraction) < scene.threshold)
                continue;
            pen.fillStyle = isLight(palette.rgba[palette.index(fraction)]) ? "#16171a" : "#ffffff";
            pen.fillText(text, frame.left + (x + 0.5) * frame.cellWidth, frame.top + (y + 0.5) * frame.cellHeight);
        }
    }
}

/* The frames of selected places, of the one under the pointer, and of the keyboard's. */
function paintMarks(pen: CanvasRenderingContext2D, scene: Scene, part: Part, frame: Frame, hovered: number): void {
    const { cells, context } = scene;
    const mark = (place: number, thickness: number, dash: number[]): void => {
        const x = (place % cells.size[0]) - part.x;
        const y = Math.floor(place / cells.size[0]) - part.y;
        if (x < 0 || y < 0 || x >= part.width || y >= part.height)
            return;
        const box = [frame.left + x * frame.cellWidth - 0.5, frame.top + y * frame.cellHeight - 0.5, Math.max(3, frame.cellWidth) + 1, Math.max(3, frame.cellHeight) + 1] as const;
        pen.setLineDash([]);
        pen.strokeStyle = "#ffffff";
        pen.lineWidth = thickness + 2;
        pen.strokeRect(...box);
        pen.setLineDash(dash);
        pen.strokeStyle = "#000000";
        pen.lineWidth = thickness;
        pen.strokeRect(...box);
        pen.setLineDash([]);
    };
    for (const place of selectedPlaces(cells, context))
        mark(place, 2, []);
    if (scene.cursor >= 0)
        mark(scene.cursor, 2, [3, 3]);
    if (hovered >= 0)
        mark(hovered, 1, []);
}

/* Places of the locations that are selected; none where that is (nearly) everything, since then marks tell nothing. */
export function selectedPlaces(cells: Layout, context: ViewContext): number[] {
    const selected = context.selectedLocations;
    const places: number[] = [];
    if (selected.size === 0 || (selected.size > 64 && selected.size * 2 > context.model.nLocations))
        return places;
    for (let p = 0; p < cells.n; p++) {
        for (let m = cells.start[p]; m < cells.start[p + 1]; m++) {
            if (selected.has(cells.members[m])) {
                places.push(p);
                break;
            }
        }
    }
    return places;
}

function paintAxes(pen: CanvasRenderingContext2D, scene: Scene, part: Part, frame: Frame, colours: Inks): void {
    const { topology, axes } = scene;
    pen.textBaseline = "middle";
    const bottom = frame.top + frame.height;
    axisTicks(topology, axes[0], (8 + widest(pen, scene, axes[0])) / frame.cellWidth).forEach(({ name, step, ticks, size }, line) => {
        const y = bottom + 6 + FONT / 2 + line * LINE;
        pen.textAlign = "center";
        pen.fillStyle = colours.ink;
        for (const { at, label } of ticks) {
            const middle = frame.left + visibleMiddle(at, step, part.x, part.width) * frame.cellWidth;
            if (middle >= frame.left)
                pen.fillText(label, middle, y);
        }
        pen.textAlign = "left";
        pen.fillStyle = colours.faint;
        pen.fillText(ticks.length > 0 ? name : rangeName({ name, size }), frame.left + frame.width + 8, y);
    });

    let x = frame.left - 6;
    axisTicks(topology, axes[1], (FONT + 4) / frame.cellHeight).forEach(({ name, step, ticks, size }) => {
        const width = Math.max(pen.measureText(name).width, numberWidth(pen, size));
        pen.textAlign = "right";
        pen.fillStyle = colours.ink;
        for (const { at, label } of ticks) {
            const middle = frame.top + visibleMiddle(at, step, part.y, part.height) * frame.cellHeight;
            if (middle >= frame.top)
                pen.fillText(label, x, middle);
        }
        pen.fillStyle = colours.faint;
        pen.fillText(name, x, frame.top - 4 - FONT / 2);
        x -= width + 12;
    });
}

function widest(pen: CanvasRenderingContext2D, scene: Scene, axis: readonly number[]): number {
    return axis.reduce((most, d) => Math.max(most, numberWidth(pen, scene.topology.dimensions[d].size)), 0);
}

/* The middle of what is shown of the places at .. at + step - 1, in cells; below zero: none of them is. */
function visibleMiddle(at: number, step: number, from: number, n: number): number {
    const begin = Math.max(at, from);
    const end = Math.min(at + step, from + n);
    return begin < end ? (begin + end) / 2 - from : -1;
}

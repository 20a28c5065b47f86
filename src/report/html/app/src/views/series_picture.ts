/* views/series_picture.ts: a time series on a canvas: a line of sums over a heat map, processes down, windows or iterations across. A frame selects
 * a part of both. */
import { colourOf } from "../colour";
import type { Series, SeriesMetric } from "../series_model";
import { pictureOfCanvas, type Picture } from "../save";
import { Selection, amountText, cellsOf, columnsName, isWhole, lineOf, rowsName, sumOf, wholeOf } from "../series";
import type { MountedView } from "../view";
import { cleared, h, inks, redrawing, Tip } from "./dom";
import { paletteOf } from "./scales";

export interface SeriesScene {
    series: Series;
    metric: SeriesMetric;
    selection: Selection;
    dark: boolean;
    select(selection: Selection): void;
}

const LEFT = 84;                                     /* [pixels] room of the axes */
const LINE = 64;                                     /* height of the line */
const GAP = 22;                                      /* between line and heat map, for its axis */
const RIGHT = 104;                                   /* room of the scale */
const BAR = 12;                                      /* its width, */
const BAR_LEAST = 60, BAR_MOST = 160;                /* and its height: beside the line, too, where there are few rows */
const BAR_STEPS = 50;
const FAINTEST = 0.08;                               /* fraction of the scale: a cell with little can be told from one without */
const DRAG_LEAST = 5;                                /* less is a click */
const N_TICKS = 6;
const ROW_LEAST = 5, ROW_MOST = 18;

export function heightOf(series: Series): number {
    return LINE + GAP + series.rows * Math.min(ROW_MOST, Math.max(ROW_LEAST, Math.floor(260 / series.rows))) + 8;
}

function largestOf(metric: SeriesMetric): number {
    return cellsOf(metric).reduce((most, value) => Math.max(most, value), 0);
}

interface Point { x: number; y: number }

export class SeriesPicture implements MountedView {
    private readonly canvas = h("canvas", { tabindex: "0", role: "img" });
    private readonly live = h("p", { class: "v-live", "aria-live": "polite" });
    private readonly tip: Tip;
    private readonly stop: () => void;
    private width = 0;
    private height = 0;
    private drag: { from: Point; to: Point } | null = null;

    constructor(host: HTMLElement, private scene: SeriesScene) {
        host.append(this.canvas, this.live);
        this.tip = new Tip(host);
        this.listen();
        this.stop = redrawing(this.canvas, print => this.draw(print));
        this.draw(false);
    }

    update(): void {
        this.draw(false);
    }

    set(scene: SeriesScene): void {
        this.scene = scene;
        this.tip.hide();
        this.draw(false);
    }

    saved(): Picture {
        return pictureOfCanvas(this.canvas, () => this.draw(false));
    }

    destroy(): void {
        this.stop();
        this.tip.remove();
        this.canvas.remove();
        this.live.remove();
    }

    private listen(): void {
        const { canvas } = this;
        canvas.addEventListener("pointerdown", event => {
            if (event.button === 0) {
                this.drag = { from: this.pointOf(event), to: this.pointOf(event) };
                canvas.setPointerCapture(event.pointerId);
            }
        });
        canvas.addEventListener("pointermove", event => {
            if (this.drag === null) {
                this.hover(event);
                return;
            }
            this.drag.to = this.pointOf(event);
            this.draw(false);
        });
        canvas.addEventListener("pointerup", () => this.drop());
        canvas.addEventListener("pointercancel", () => (this.drag = null));
        canvas.addEventListener("pointerleave", () => this.tip.hide());
        canvas.addEventListener("keydown", event => this.key(event));
    }

    /* The selection goes by one column or row; with Shift it grows or shrinks at its end. */
    private key(event: KeyboardEvent): void {
        const { series, selection: { rows, columns } } = this.scene;
        const step = ([from, to]: [number, number], by: number, n: number): [number, number] => {
            if (event.shiftKey)
                return [from, Math.min(Math.max(to + by, from + 1), n)];
            if (from === 0 && to === n)
                return by > 0 ? [0, 1] : [n - 1, n];
            const at = Math.min(Math.max(from + by, 0), n - (to - from));
            return [at, at + to - from];
        };
        const moves: Record<string, () => Selection> = {
            ArrowLeft: () => ({ rows, columns: step(columns, -1, series.columns.length) }),
            ArrowRight: () => ({ rows, columns: step(columns, 1, series.columns.length) }),
            ArrowUp: () => ({ rows: step(rows, -1, series.rows), columns }),
            ArrowDown: () => ({ rows: step(rows, 1, series.rows), columns }),
            Escape: () => wholeOf(series),
            Home: () => wholeOf(series),
        };
        const to = moves[event.key];
        if (to === undefined || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        event.stopPropagation();
        this.select(to());
    }

    /* At once: the next key may come before the section is drawn again. */
    private select(selection: Selection): void {
        const { series, metric } = this.scene;
        this.set({ ...this.scene, selection });
        this.scene.select(selection);
        this.live.textContent = `${columnsName(series, selection.columns)}, ${rowsName(series, selection.rows)}: ${metric.name} ${amountText(metric, sumOf(series, metric, selection))}`;
    }

    private pointOf(event: PointerEvent): Point {
        const box = this.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    private columnWidth(): number {
        return (this.width - LEFT - RIGHT) / this.scene.series.columns.length;
    }

    private rowHeight(): number {
        return (this.height - LINE - GAP - 8) / this.scene.series.rows;
    }

    private columnAt(x: number): number {
        return Math.min(Math.max(Math.floor((x - LEFT) / this.columnWidth()), 0), this.scene.series.columns.length - 1);
    }

    private rowAt(y: number): number {
        return Math.min(Math.max(Math.floor((y - LINE - GAP) / this.rowHeight()), 0), this.scene.series.rows - 1);
    }

    /* In the line above the heat map a frame is of all processes. */
    private framed({ from, to }: { from: Point; to: Point }): Selection {
        const { series } = this.scene;
        const a = this.columnAt(from.x), b = this.columnAt(to.x);
        const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
        return {
            columns: [Math.min(a, b), Math.max(a, b) + 1],
            rows: from.y < LINE + GAP / 2 ? [0, series.rows] : [this.rowAt(top), this.rowAt(bottom) + 1],
        };
    }

    private drop(): void {
        const { drag } = this;
        this.drag = null;
        if (drag === null)
            return;
        const isClick = Math.max(Math.abs(drag.to.x - drag.from.x), Math.abs(drag.to.y - drag.from.y)) < DRAG_LEAST;
        this.select(isClick ? wholeOf(this.scene.series) : this.framed(drag));
    }

    private hover(event: PointerEvent): void {
        const { series, metric } = this.scene;
        const { x, y } = this.pointOf(event);
        if (x < LEFT || x > this.width - RIGHT) {
            this.tip.hide();
            return;
        }
        const column = this.columnAt(x);
        const rows: [number, number] = y < LINE + GAP / 2 ? [0, series.rows] : [this.rowAt(y), this.rowAt(y) + 1];
        const [, , from, to] = series.columns[column];
        this.tip.show(event.clientX, event.clientY, [
            `${columnsName(series, [column, column + 1])}, ${rowsName(series, rows)}`,
            `${metric.name} ${amountText(metric, sumOf(series, metric, { rows, columns: [column, column + 1] }))}`,
            `${from.toPrecision(6)} s to ${to.toPrecision(6)} s`,
        ]);
    }

    /* ---- drawing -------------------------------------------------------------------------------------------------------- */

    private draw(print: boolean): void {
        const surface = cleared(this.canvas);
        if (surface === null)
            return;
        const dark = this.scene.dark && !print;
        const { series, metric, selection } = this.scene;
        this.width = surface.width;
        this.height = surface.height;
        this.canvas.setAttribute("aria-label", `${metric.name} of ${rowsName(series, [0, series.rows])}, down, over ${columnsName(series, [0, series.columns.length])}, across; `
            + `selected: ${columnsName(series, selection.columns)}, ${rowsName(series, selection.rows)}, ${amountText(metric, sumOf(series, metric, selection))}. Keys: arrows, Shift and arrows, Escape`);
        this.drawLine(surface.pen, dark);
        this.drawCells(surface.pen, dark);
        this.drawScale(surface.pen, dark);
        this.drawAxes(surface.pen, dark);
        this.drawSelection(surface.pen, dark);
    }

    private drawLine(pen: CanvasRenderingContext2D, dark: boolean): void {
        const { series, metric, selection } = this.scene;
        const line = lineOf(series, metric, selection.rows), most = Math.max(...line, 1e-300), width = this.columnWidth();
        const { ink, faint, hairline } = inks(dark);
        pen.fillStyle = colourOf(0.55, false, dark);
        line.forEach((value, i) => pen.fillRect(LEFT + i * width, LINE - (value / most) * (LINE - 4), Math.max(width - (width > 4 ? 1 : 0), 0.5), (value / most) * (LINE - 4)));
        pen.strokeStyle = hairline;
        pen.beginPath();
        pen.moveTo(LEFT, LINE + 0.5);
        pen.lineTo(this.width - RIGHT, LINE + 0.5);
        pen.stroke();
        pen.fillStyle = ink;
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        pen.fillText(amountText(metric, Math.max(...line)), LEFT - 6, 10);
        pen.fillStyle = faint;
        pen.fillText("0", LEFT - 6, LINE - 4);
    }

    private drawCells(pen: CanvasRenderingContext2D, dark: boolean): void {
        const { series, metric } = this.scene;
        const palette = paletteOf({ signed: false, colour: fraction => colourOf(fraction, false, dark) });
        const largest = largestOf(metric);
        const image = new ImageData(series.columns.length, series.rows);
        const pixels = new Uint32Array(image.data.buffer);
        cellsOf(metric).forEach((value, i) => {
            if (value > 0)
                pixels[i] = palette.rgba[palette.index(FAINTEST + (1 - FAINTEST) * (value / largest))];
        });
        const small = document.createElement("canvas");
        small.width = series.columns.length;
        small.height = series.rows;
        small.getContext("2d")!.putImageData(image, 0, 0);
        pen.imageSmoothingEnabled = false;
        pen.drawImage(small, LEFT, LINE + GAP, this.width - LEFT - RIGHT, this.rowHeight() * series.rows);
    }

    /* What the colours stand for, beside the cells: from the faintest, of the least above zero. */
    private drawScale(pen: CanvasRenderingContext2D, dark: boolean): void {
        const { metric, series } = this.scene;
        const largest = largestOf(metric), x = this.width - RIGHT + 12, cells = this.rowHeight() * series.rows;
        const height = Math.min(Math.max(cells, BAR_LEAST), BAR_MOST), top = LINE + GAP + Math.min(cells - height, 0);
        if (!(largest > 0))
            return;
        for (let i = 0; i < BAR_STEPS; i++) {
            pen.fillStyle = colourOf(FAINTEST + (1 - FAINTEST) * ((i + 0.5) / BAR_STEPS), false, dark);
            pen.fillRect(x, top + height * (1 - (i + 1) / BAR_STEPS), BAR, height / BAR_STEPS + 0.5);
        }
        pen.fillStyle = inks(dark).ink;
        pen.textBaseline = "middle";
        pen.textAlign = "left";
        for (const share of [0, 0.5, 1])
            pen.fillText(amountText(metric, share * largest), x + BAR + 6, top + 6 + (height - 12) * (1 - share));
    }

    private drawAxes(pen: CanvasRenderingContext2D, dark: boolean): void {
        const { series } = this.scene;
        const { ink, hairline } = inks(dark);
        const n = series.columns.length;
        pen.strokeStyle = hairline;
        pen.strokeRect(LEFT - 0.5, LINE + GAP - 0.5, this.width - LEFT - RIGHT + 1, this.rowHeight() * series.rows + 1);
        pen.fillStyle = ink;
        pen.textBaseline = "middle";
        pen.textAlign = "left";
        const step = Math.max(1, Math.ceil(n / N_TICKS));
        for (let i = 0, free = LEFT; i < n; i += step) { /* free: behind the number before */
            const text = i === 0 ? columnsName(series, [0, 1]) : String(series.columns[i][0]), x = LEFT + i * this.columnWidth();
            if (x < free)
                continue;
            pen.fillText(text, x, LINE + GAP / 2 + 1);
            free = x + pen.measureText(text).width + 6;
        }
        pen.textAlign = "right";
        const rows = Math.max(1, Math.ceil(16 / this.rowHeight()));
        for (let row = 0; row < series.rows; row += rows)
            pen.fillText(row === 0 ? "process 0" : String(row * series.block), LEFT - 6, LINE + GAP + (row + 0.5) * this.rowHeight());
    }

    private drawSelection(pen: CanvasRenderingContext2D, dark: boolean): void {
        const selection = this.drag !== null ? this.framed(this.drag) : this.scene.selection;
        if (this.drag === null && isWhole(this.scene.series, selection))
            return;
        const { rows, columns } = selection;
        pen.strokeStyle = inks(dark).ink;
        pen.lineWidth = 2;
        pen.strokeRect(LEFT + columns[0] * this.columnWidth(), LINE + GAP + rows[0] * this.rowHeight(),
            (columns[1] - columns[0]) * this.columnWidth(), (rows[1] - rows[0]) * this.rowHeight());
        pen.lineWidth = 1;
    }
}

/* views/matrix_picture.ts: the communication matrix as a heat map on a canvas: senders down, receivers across. */
import { colourOf } from "../colour";
import { Cells, CellSums, Matrix, Measure, Part, cellsOf, moved, partOfCell, sumsOf, wholeOf, zoomed } from "../matrix";
import { pictureOfCanvas, type Picture } from "../save";
import type { MountedView } from "../view";
import { cleared, h, inks, redrawing, Tip } from "./dom";
import { paletteOf, type Palette } from "./scales";

export interface MatrixScene {
    matrix: Matrix;
    measure: Measure;
    part: Part;
    dark: boolean;
    text(value: number): string;                     /* of the measure */
    name(from: number, to: number): string;          /* of senders or receivers from..to-1 */
    describe(sums: CellSums): string[];
    show(part: Part): void;                          /* the reader wants to see this part */
}

const LEFT = 64;                                     /* [pixels] room of the axes */
const TOP = 34;
const RIGHT = 136;                                   /* [pixels] room of the scale */
const BAR = 12;                                      /* [pixels] its width */
const BAR_MOST = 200;                                /* [pixels] its height */
const BAR_STEPS = 50;
const CELLS_MOST = 256;                              /* on an axis */
const FAINTEST = 0.08;                               /* fraction of the scale: a cell with little can be told from one without */
const DRAG_LEAST = 5;                                /* [pixels] less is a click */
const N_TICKS = 4;

interface Frame { left: number; top: number; side: number }
interface Point { x: number; y: number }

export class MatrixPicture implements MountedView {
    private readonly canvas = h("canvas", { tabindex: "0", role: "img" });
    private readonly live = h("p", { class: "v-live", "aria-live": "polite" });
    private readonly tip: Tip;
    private readonly stop: () => void;
    private cells: Cells;
    private frame: Frame = { left: LEFT, top: TOP, side: 0 };
    private drag: { from: Point; to: Point } | null = null;

    constructor(host: HTMLElement, private scene: MatrixScene) {
        this.cells = this.makeCells();
        host.append(this.canvas, this.live);
        this.tip = new Tip(host);
        this.listen();
        this.stop = redrawing(this.canvas, print => this.draw(print));
        this.draw(false);
    }

    update(): void {
        this.draw(false);
    }

    set(scene: MatrixScene): void {
        this.scene = scene;
        this.cells = this.makeCells();
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

    private makeCells(): Cells {
        return cellsOf(this.scene.matrix, this.scene.part, this.scene.measure, CELLS_MOST);
    }

    private listen(): void {
        const { canvas } = this;
        canvas.addEventListener("wheel", event => {
            const at = this.shareAt(event);
            if (at === null)
                return;
            event.preventDefault();
            this.show(zoomed(this.scene.matrix, this.scene.part, event.deltaY < 0 ? 0.7 : 1 / 0.7, at.y, at.x));
        }, { passive: false });
        canvas.addEventListener("pointerdown", event => {
            if (event.button === 0 && this.shareAt(event) !== null) {
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
        canvas.addEventListener("dblclick", () => this.show(wholeOf(this.scene.matrix)));
        canvas.addEventListener("keydown", event => this.key(event));
    }

    private key(event: KeyboardEvent): void {
        const { matrix, part } = this.scene;
        const moves: Record<string, Part> = {
            "+": zoomed(matrix, part, 0.5, 0.5, 0.5), "-": zoomed(matrix, part, 2, 0.5, 0.5), Home: wholeOf(matrix),
            ArrowUp: moved(matrix, part, -0.25, 0), ArrowDown: moved(matrix, part, 0.25, 0),
            ArrowLeft: moved(matrix, part, 0, -0.25), ArrowRight: moved(matrix, part, 0, 0.25),
        };
        const to = moves[event.key];
        if (to === undefined || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        event.stopPropagation();
        this.show(to);
    }

    /* At once: the next key or turn of the wheel may come before the section is drawn again. */
    private show(part: Part): void {
        this.set({ ...this.scene, part });
        this.scene.show(part);
        this.live.textContent = `senders ${this.nameOf(part.sender)}, receivers ${this.nameOf(part.receiver)}`;
    }

    private pointOf(event: PointerEvent | WheelEvent): Point {
        const box = this.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    /* Where in the picture: 0..1 on each axis; null: beside it. */
    private shareAt(event: PointerEvent | WheelEvent): Point | null {
        const { left, top, side } = this.frame;
        const { x, y } = this.pointOf(event);
        const at = { x: (x - left) / side, y: (y - top) / side };
        return at.x >= 0 && at.x < 1 && at.y >= 0 && at.y < 1 ? at : null;
    }

    private cellSide(): number {
        return this.frame.side / Math.max(this.cells.rows, this.cells.columns);
    }

    private cellAt({ x, y }: Point): { row: number; column: number } {
        const { left, top } = this.frame;
        const within = (i: number, n: number): number => Math.min(Math.max(Math.floor(i), 0), n - 1);
        return { row: within((y - top) / this.cellSide(), this.cells.rows), column: within((x - left) / this.cellSide(), this.cells.columns) };
    }

    /* What was framed is shown. */
    private drop(): void {
        const { drag } = this;
        this.drag = null;
        if (drag === null)
            return;
        if (Math.max(Math.abs(drag.to.x - drag.from.x), Math.abs(drag.to.y - drag.from.y)) < DRAG_LEAST) {
            this.draw(false);
            return;
        }
        const a = this.cellAt(drag.from), b = this.cellAt(drag.to);
        const first = partOfCell(this.cells, Math.min(a.row, b.row), Math.min(a.column, b.column));
        const last = partOfCell(this.cells, Math.max(a.row, b.row), Math.max(a.column, b.column));
        const framed: Part = { sender: [first.sender[0], last.sender[1]], receiver: [first.receiver[0], last.receiver[1]] };
        this.show(zoomed(this.scene.matrix, framed, 1, 0.5, 0.5));
    }

    private hover(event: PointerEvent): void {
        if (this.shareAt(event) === null) {
            this.tip.hide();
            return;
        }
        const { row, column } = this.cellAt(this.pointOf(event));
        const part = partOfCell(this.cells, row, column);
        this.tip.show(event.clientX, event.clientY,
            [`${this.nameOf(part.sender)} \u2192 ${this.nameOf(part.receiver)}`, ...this.scene.describe(sumsOf(this.scene.matrix, part))]);
    }

    private nameOf([from, to]: [number, number]): string {
        const { matrix: { block, n }, name } = this.scene;
        return name(from * block, Math.min(to * block, n));
    }

    /* ---- drawing -------------------------------------------------------------------------------------------------------- */

    private draw(print: boolean): void {
        const surface = cleared(this.canvas);
        if (surface === null)
            return;
        const dark = this.scene.dark && !print;
        const { pen, width, height } = surface;
        this.frame = { left: LEFT, top: TOP, side: Math.max(8, Math.min(width - LEFT - RIGHT, height - TOP - 8)) };
        this.canvas.setAttribute("aria-label", `Heat map: senders ${this.nameOf(this.scene.part.sender)} down, receivers ${this.nameOf(this.scene.part.receiver)} across; `
            + `at most ${this.scene.text(this.cells.largest)} in a cell. Keys: +, -, arrows, Home`);
        this.drawCells(pen, dark);
        this.drawAxes(pen, dark);
        this.drawScale(pen, dark);
        this.drawFrame(pen, dark);
    }

    /* The colour of a share of the largest value. */
    private colours(dark: boolean): { palette: Palette; index(share: number): number } {
        const palette = paletteOf({ signed: false, colour: fraction => colourOf(fraction, false, dark) });
        return { palette, index: share => palette.index(FAINTEST + (1 - FAINTEST) * share) };
    }

    private drawCells(pen: CanvasRenderingContext2D, dark: boolean): void {
        const { rows, columns, values, largest } = this.cells;
        const { palette, index } = this.colours(dark);
        const image = new ImageData(columns, rows);
        const pixels = new Uint32Array(image.data.buffer);
        values.forEach((value, i) => {
            if (!Number.isNaN(value))
                pixels[i] = palette.rgba[index(largest > 0 ? value / largest : 0)];
        });
        const small = document.createElement("canvas");
        small.width = columns;
        small.height = rows;
        small.getContext("2d")!.putImageData(image, 0, 0);
        pen.imageSmoothingEnabled = false;
        pen.drawImage(small, this.frame.left, this.frame.top, columns * this.cellSide(), rows * this.cellSide());
    }

    /* What the colours stand for, beside the cells. */
    private drawScale(pen: CanvasRenderingContext2D, dark: boolean): void {
        const { left, top, side } = this.frame;
        const { largest } = this.cells;
        const { palette, index } = this.colours(dark);
        const x = left + side + 14, height = Math.min(side, BAR_MOST);
        if (!(largest > 0))
            return;
        for (let i = 0; i < BAR_STEPS; i++) {
            pen.fillStyle = palette.css[index((i + 0.5) / BAR_STEPS)];
            pen.fillRect(x, top + height * (1 - (i + 1) / BAR_STEPS), BAR, height / BAR_STEPS + 0.5);
        }
        pen.fillStyle = inks(dark).ink;
        pen.textBaseline = "middle";
        pen.textAlign = "left";
        for (const share of [0, 0.5, 1])
            pen.fillText(this.scene.text(share * largest), x + BAR + 6, top + 6 + (height - 12) * (1 - share));
    }

    private drawAxes(pen: CanvasRenderingContext2D, dark: boolean): void {
        const { left, top, side } = this.frame;
        const { ink, faint, hairline } = inks(dark);
        const { part, matrix: { block } } = this.scene;
        pen.strokeStyle = hairline;
        pen.strokeRect(left - 0.5, top - 0.5, side + 1, side + 1);
        pen.fillStyle = ink;
        pen.textBaseline = "middle";
        for (let i = 0; i < N_TICKS; i++) {
            const of = ([from, to]: [number, number]): number => Math.floor(from + ((to - from) * i) / N_TICKS);
            const at = ([from, to]: [number, number]): number => ((of([from, to]) - from) / (to - from)) * side;
            pen.textAlign = "right";
            pen.fillText(String(of(part.sender) * block), left - 6, top + at(part.sender) + 6);
            pen.textAlign = "left";
            pen.fillText(String(of(part.receiver) * block), left + at(part.receiver), top - 9);
        }
        pen.fillStyle = faint;
        pen.textAlign = "left";
        pen.fillText("receiver \u2192", left, 9);
        pen.textAlign = "right";
        pen.fillText("sender \u2193", left - 6, 9);
    }

    private drawFrame(pen: CanvasRenderingContext2D, dark: boolean): void {
        if (this.drag === null)
            return;
        const { from, to } = this.drag;
        pen.strokeStyle = inks(dark).ink;
        pen.strokeRect(Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y));
    }
}

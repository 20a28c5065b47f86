/* svg_file.ts: pictures as SVG files: those that are SVG in the page, with the look that they have there; and drawings on a canvas. A canvas is
 * drawn once more, by the same code, while the calls of its pen are written down: so a view has one way of drawing, for both. Text stays text. */
import { svg } from "./views/dom";

/* ---- of elements of the page -------------------------------------------------------------------------------------------- */

const LOOK = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "paint-order", "opacity",
    "font-family", "font-size", "font-weight", "text-anchor"];
const OF_THE_PAGE = ["class", "tabindex", "style", "role", "data-mark"];

export function svgOfElement(picture: SVGSVGElement): string {
    const copy = picture.cloneNode(true) as SVGSVGElement;
    const { width, height } = picture.getBoundingClientRect();
    const from = [picture, ...picture.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((element, i) => {
        const style = getComputedStyle(element);
        for (const name of LOOK)
            to[i].setAttribute(name, style.getPropertyValue(name));
        for (const name of ["fill", "stroke"])
            setColour(to[i], name, style.getPropertyValue(name), Number(style.getPropertyValue(`${name}-opacity`)));
        for (const name of OF_THE_PAGE)
            to[i].removeAttribute(name);
    });
    if (!copy.hasAttribute("viewBox"))
        copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
    return fileText(copy, width, height);
}

/* Not all programs know colours that are in part transparent. */
function setColour(element: Element, name: string, colour: string, opacity = 1): void {
    const [, rgb, alpha] = /^rgba\((\d+, \d+, \d+), ([\d.]+)\)$/.exec(colour) ?? [];
    element.setAttribute(name, rgb === undefined ? colour.replaceAll('"', "") : `rgb(${rgb})`);
    if (rgb !== undefined || opacity !== 1)
        element.setAttribute(`${name}-opacity`, String(opacity * Number(alpha ?? 1)));
}

/* By itself, on the ground of the page. Names may have characters that XML has not. */
function fileText(picture: SVGSVGElement, width: number, height: number): string {
    picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    picture.setAttribute("width", String(width));
    picture.setAttribute("height", String(height));
    picture.prepend(svg("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor }));
    const text = new XMLSerializer().serializeToString(picture).replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd");
    return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

/* ---- of a canvas -------------------------------------------------------------------------------------------------------- */

/* draw: draws all of the canvas anew. What it may use of the pen: paths of lines and whole circles, rectangles, text, repeated patterns, images of
 * one colour a pixel, clips, any state. */
export function svgOfDrawing(canvas: HTMLCanvasElement, draw: () => void): string {
    const pen = canvas.getContext("2d")!;
    const writer = new Writer(pen);
    const own = pen as unknown as Record<string, unknown>;
    for (const [name, write] of Object.entries(writer.calls)) {
        const call = own[name] as (...values: unknown[]) => unknown;
        own[name] = (...values: unknown[]): unknown => {
            const result = call.apply(pen, values);
            (write as (...all: unknown[]) => void)(...values, result);
            return result;
        };
    }
    try {
        draw();
    } finally {
        for (const name of Object.keys(writer.calls))
            delete own[name];                        /* those of all pens are there again */
    }
    const picture = svg("svg", { viewBox: `0 0 ${canvas.width} ${canvas.height}` }, writer.definitions, ...writer.elements);
    return fileText(picture, canvas.clientWidth || canvas.width, canvas.clientHeight || canvas.height);
}

const rounded = (value: number): number => Number(value.toFixed(2));

/* What a pen is told, as elements in the pixels of its canvas. The pen has the state. */
class Writer {
    readonly definitions = svg("defs");
    readonly elements: SVGElement[] = [];
    private readonly patterns = new Map<CanvasPattern, string>();
    private path: string[] = [];
    private clip: string | null = null;
    private readonly clips: (string | null)[] = [];

    constructor(private readonly pen: CanvasRenderingContext2D) {}

    /* By the names of the pen's own; they are told what these are, and what they give. */
    readonly calls = {
        save: () => this.clips.push(this.clip),
        restore: () => (this.clip = this.clips.pop() ?? null),
        beginPath: () => (this.path = []),
        moveTo: (x: number, y: number) => this.path.push(`M${this.at(x, y)}`),
        lineTo: (x: number, y: number) => this.path.push(`${this.path.length === 0 ? "M" : "L"}${this.at(x, y)}`),
        closePath: () => this.path.push("Z"),
        rect: (x: number, y: number, width: number, height: number) => this.path.push(this.box(x, y, width, height)),
        arc: (x: number, y: number, radius: number) => this.path.push(this.circle(x, y, radius)),
        clip: () => this.addClip(),
        fill: () => this.add("fill", this.path.join("")),
        stroke: () => this.add("stroke", this.path.join("")),
        fillRect: (x: number, y: number, width: number, height: number) => this.add("fill", this.box(x, y, width, height)),
        strokeRect: (x: number, y: number, width: number, height: number) => this.add("stroke", this.box(x, y, width, height)),
        fillText: (text: string, x: number, y: number) => this.addText(text, x, y),
        drawImage: (image: HTMLCanvasElement, x: number, y: number, width: number, height: number) => {
            const from = this.point(x, y), to = this.point(x + width, y + height);
            this.put(...pixelsOf(image, from.x, from.y, to.x - from.x, to.y - from.y));
        },
        createPattern: (tile: HTMLCanvasElement, _repeat: string, pattern: CanvasPattern) => {
            const id = `pattern${this.patterns.size}`;
            this.patterns.set(pattern, id);
            this.definitions.append(svg("pattern", { id, width: tile.width, height: tile.height, patternUnits: "userSpaceOnUse" },
                ...pixelsOf(tile, 0, 0, tile.width, tile.height)));
        },
    };

    private point(x: number, y: number): DOMPoint {
        return this.pen.getTransform().transformPoint(new DOMPoint(x, y));
    }

    private at(x: number, y: number): string {
        const point = this.point(x, y);
        return `${rounded(point.x)},${rounded(point.y)}`;
    }

    private box(x: number, y: number, width: number, height: number): string {
        return `M${this.at(x, y)}L${this.at(x + width, y)}L${this.at(x + width, y + height)}L${this.at(x, y + height)}Z`;
    }

    private circle(x: number, y: number, radius: number): string {
        const r = rounded(radius * this.scale());
        return `M${this.at(x - radius, y)}A${r},${r} 0 1 1 ${this.at(x + radius, y)}A${r},${r} 0 1 1 ${this.at(x - radius, y)}Z`;
    }

    private scale(): number {
        const { a, b } = this.pen.getTransform();
        return Math.hypot(a, b);
    }

    private put(...elements: SVGElement[]): void {
        for (const element of elements) {
            if (this.clip !== null)
                element.setAttribute("clip-path", `url(#${this.clip})`);
            if (this.pen.globalAlpha !== 1)
                element.setAttribute("opacity", String(this.pen.globalAlpha));
            this.elements.push(element);
        }
    }

    private add(kind: "fill" | "stroke", d: string): void {
        const { pen } = this;
        if (d === "")
            return;
        const element = svg("path", { d });
        if (kind === "fill")
            this.colour(element, "fill", pen.fillStyle);
        else {
            const dash = pen.getLineDash().map(length => rounded(length * this.scale()));
            element.setAttribute("fill", "none");
            this.colour(element, "stroke", pen.strokeStyle);
            element.setAttribute("stroke-width", String(rounded(pen.lineWidth * this.scale())));
            if (dash.length > 0)
                element.setAttribute("stroke-dasharray", dash.join(" "));
        }
        this.put(element);
    }

    private colour(element: SVGElement, name: string, style: string | CanvasGradient | CanvasPattern): void {
        setColour(element, name, typeof style === "string" ? style : `url(#${this.patterns.get(style as CanvasPattern)})`);
    }

    private addClip(): void {
        const id = `clip${this.definitions.childElementCount}`;
        this.definitions.append(svg("clipPath", { id, "clip-path": this.clip === null ? null : `url(#${this.clip})` }, svg("path", { d: this.path.join("") })));
        this.clip = id;
    }

    /* Text stands on its line: where other lines of it are at y is not the same in all programs. */
    private addText(text: string, x: number, y: number): void {
        const { pen } = this;
        const [, style, size, family] = /^(.*?)([\d.]+)px (.*)$/.exec(pen.font) ?? ["", "", "12", "sans-serif"];
        const anchor = { center: "middle", right: "end", end: "end", left: "start", start: "start" }[pen.textAlign];
        const { a, b } = pen.getTransform();
        const { x: left, y: line } = this.point(x, y + this.toLine());
        const element = svg("text", { x: rounded(left), y: rounded(line), "text-anchor": anchor, "font-family": family, "font-size": rounded(Number(size) * this.scale()) }, text);
        if (/bold|[6-9]00/.test(style))
            element.setAttribute("font-weight", "bold");
        if (b !== 0)
            element.setAttribute("transform", `rotate(${rounded((Math.atan2(b, a) * 180) / Math.PI)} ${rounded(left)} ${rounded(line)})`);
        this.colour(element, "fill", pen.fillStyle);
        this.put(element);
    }

    /* From where y is of text to the line on which letters stand. */
    private toLine(): number {
        const { pen } = this;
        const baseline = pen.textBaseline;
        const above = pen.measureText("x").fontBoundingBoxAscent;
        pen.textBaseline = "alphabetic";
        const aboveLine = pen.measureText("x").fontBoundingBoxAscent;
        pen.textBaseline = baseline;
        return aboveLine - above;
    }
}

/* The pixels of an image, as a shape for each colour: of neighbours in a row one rectangle. */
function pixelsOf(image: HTMLCanvasElement, left: number, top: number, width: number, height: number): SVGElement[] {
    const { data } = image.getContext("2d")!.getImageData(0, 0, image.width, image.height);
    const colours = new Uint32Array(data.buffer);
    const shapes = new Map<number, string[]>();
    const x = (column: number): number => rounded(left + (column * width) / image.width), y = (row: number): number => rounded(top + (row * height) / image.height);
    for (let row = 0; row < image.height; row++) {
        for (let column = 0, end = 0; column < image.width; column = end) {
            const colour = colours[row * image.width + column];
            for (end = column + 1; end < image.width && colours[row * image.width + end] === colour;)
                end++;
            const shape = shapes.get(colour) ?? [];
            if (colour >>> 24 !== 0)
                shapes.set(colour, shape);
            shape.push(`M${x(column)},${y(row)}H${x(end)}V${y(row + 1)}H${x(column)}Z`);
        }
    }
    return [...shapes].map(([colour, boxes]) => svg("path", {
        d: boxes.join(""), fill: `rgb(${colour & 255},${(colour >> 8) & 255},${(colour >> 16) & 255})`, "fill-opacity": colour >>> 24 === 255 ? null : rounded((colour >>> 24) / 255),
        "shape-rendering": "crispEdges",
    }));
}

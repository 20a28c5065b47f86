/* save.ts: what is shown, as files: tables as CSV, pictures as SVG and PNG; and names on the clipboard. */

export type Cell = string | number;

/* What a view can be saved as. Pictures as they are shown now. */
export interface Saved {
    table?(): Cell[][];                              /* its first row: the columns */
    canvas?(): HTMLCanvasElement | null;             /* null: there is none now */
    svg?(): SVGSVGElement | null;
}

const PNG_SCALE = 2;                                 /* pixels of a picture for each of the page */

/* As RFC 4180 has it; numbers with all their digits, of those that are not known nothing. What spreadsheets take for the begin of a formula
 * is \xNN, as are control characters, as in what the program writes as CSV. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
    const escaped = (c: string): string => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`;
    const cell = (value: Cell): string => {
        const text = typeof value === "number" ? (Number.isNaN(value) ? "" : String(value))
            : value.replace(/[\x00-\x1f\x7f\\]/g, escaped).replace(/^[=+\-@]/, escaped);
        return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return rows.map(row => `${row.map(cell).join(",")}\r\n`).join("");
}

/* "heddle.cubex", "Late Sender, call tree" and "csv" are "heddle.late-sender-call-tree.csv". */
export function fileName(title: string, what: string, ending: string): string {
    const base = title.replace(/\.cubex$/i, "").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "") || "report";
    const words = what.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
    return `${base}${words === "" ? "" : `.${words}`}.${ending}`;
}

export function saveAs(name: string, content: Blob): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export function saveTable(name: string, rows: readonly (readonly Cell[])[]): void {
    saveAs(name, new Blob([csvOf(rows)], { type: "text/csv;charset=utf-8" }));
}

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

const SHAPES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];

/* A picture by itself: with the look that it has on the page, and its ground. */
export function svgText(picture: SVGSVGElement): string {
    const copy = picture.cloneNode(true) as SVGSVGElement;
    const { width, height } = picture.getBoundingClientRect();
    const from = [picture, ...picture.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((element, i) => {
        const style = getComputedStyle(element);
        for (const name of SHAPES)
            to[i].setAttribute(name, style.getPropertyValue(name));
        for (const name of ["class", "tabindex", "style", "role"])
            to[i].removeAttribute(name);
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(width));
    copy.setAttribute("height", String(height));
    if (!copy.hasAttribute("viewBox"))
        copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    ground.setAttribute("width", "100%");
    ground.setAttribute("height", "100%");
    ground.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
    copy.prepend(ground);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

function saveCanvas(name: string, width: number, height: number, draw: (pen: CanvasRenderingContext2D) => void): void {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, width, height);
    draw(pen);
    canvas.toBlob(blob => blob !== null && saveAs(name, blob), "image/png");
}

/* A picture with the labels that stand upon it as elements of the page. */
export function withLabels(canvas: HTMLCanvasElement, labels: Iterable<HTMLElement>): HTMLCanvasElement {
    const whole = document.createElement("canvas");
    const pen = whole.getContext("2d")!;
    const box = canvas.getBoundingClientRect();
    whole.width = canvas.width;
    whole.height = canvas.height;
    pen.drawImage(canvas, 0, 0);
    pen.scale(canvas.width / box.width, canvas.height / box.height);
    pen.textBaseline = "middle";
    for (const label of labels) {
        const { left, top, height } = label.getBoundingClientRect();
        const { color, font } = getComputedStyle(label);
        pen.fillStyle = color;
        pen.font = font;
        if (label.checkVisibility())
            pen.fillText(label.textContent ?? "", left - box.left, top - box.top + height / 2);
    }
    return whole;
}

function savePng(name: string, canvas: HTMLCanvasElement): void {
    saveCanvas(name, canvas.width, canvas.height, pen => pen.drawImage(canvas, 0, 0));
}

function savePngOfSvg(name: string, picture: SVGSVGElement): void {
    const { width, height } = picture.getBoundingClientRect();
    const image = new Image();
    image.onload = () => saveCanvas(name, Math.round(width * PNG_SCALE), Math.round(height * PNG_SCALE), pen =>
        pen.drawImage(image, 0, 0, Math.round(width * PNG_SCALE), Math.round(height * PNG_SCALE)));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
}

/* What can be done with it, for a menu. what: of the picture, for the name of the file. */
export function saveItems(title: string, what: string, { table, canvas, svg }: Saved): { text: string; run(): void }[] {
    const items: { text: string; run(): void }[] = [];
    const picture = svg?.() ?? null, drawn = canvas?.() ?? null;
    if (table !== undefined)
        items.push({ text: "Save values as CSV", run: () => saveTable(fileName(title, what, "csv"), table()) });
    if (picture !== null) {
        items.push({ text: "Save picture as SVG", run: () => saveAs(fileName(title, what, "svg"), new Blob([svgText(picture)], { type: "image/svg+xml" })) },
            { text: "Save picture as PNG", run: () => savePngOfSvg(fileName(title, what, "png"), picture) });
    } else if (drawn !== null)
        items.push({ text: "Save picture as PNG", run: () => savePng(fileName(title, what, "png"), drawn) });
    return items;
}

/* ---- the clipboard ------------------------------------------------------------------------------------------------------ */

/* Pages from disk may not have the newer way. */
export function copyText(text: string): void {
    const inOldWay = (): void => {
        const field = document.createElement("textarea");
        const focused = document.activeElement;
        field.value = text;
        field.style.position = "fixed";
        field.style.opacity = "0";
        document.body.append(field);
        field.select();
        document.execCommand("copy");
        field.remove();
        if (focused instanceof HTMLElement)
            focused.focus();
    };
    if (navigator.clipboard === undefined)
        inOldWay();
    else
        navigator.clipboard.writeText(text).catch(inOldWay);
}

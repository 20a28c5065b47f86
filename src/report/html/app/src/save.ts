/* save.ts: what is shown, as files: tables as CSV, pictures as SVG and PNG; and names on the clipboard. */
import { svgOfDrawing, svgOfElement } from "./svg_file";

export type Cell = string | number;

/* What a view can be saved as. Pictures as they are shown now. */
export interface Saved {
    table?(): Cell[][];                              /* its first row: the columns */
    picture?(): Picture | null;                      /* null: there is none now */
}

export interface Picture {
    svg(): string;                                   /* the text of a file */
    png(name: string): void;                         /* saves it */
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

/* draw: draws all of the canvas anew. */
export function pictureOfCanvas(canvas: HTMLCanvasElement, draw: () => void): Picture {
    return {
        svg: () => svgOfDrawing(canvas, draw),
        png: name => saveCanvas(name, canvas.width, canvas.height, pen => pen.drawImage(canvas, 0, 0)),
    };
}

export function pictureOfElement(picture: SVGSVGElement | null): Picture | null {
    return picture === null ? null : {
        svg: () => svgOfElement(picture),
        png(name) {
            const box = picture.getBoundingClientRect();
            const [width, height] = [Math.round(box.width * PNG_SCALE), Math.round(box.height * PNG_SCALE)];
            const image = new Image();
            image.onload = () => saveCanvas(name, width, height, pen => pen.drawImage(image, 0, 0, width, height));
            image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOfElement(picture))}`;
        },
    };
}

/* What can be done with it, for a menu. what: of the picture, for the name of the file. */
export function saveItems(title: string, what: string, { table, picture }: Saved): { text: string; run(): void }[] {
    const items: { text: string; run(): void }[] = [];
    const shown = picture?.() ?? null;
    if (table !== undefined)
        items.push({ text: "Save values as CSV", run: () => saveTable(fileName(title, what, "csv"), table()) });
    if (shown !== null)
        items.push({ text: "Save picture as SVG", run: () => saveAs(fileName(title, what, "svg"), new Blob([shown.svg()], { type: "image/svg+xml" })) },
            { text: "Save picture as PNG", run: () => shown.png(fileName(title, what, "png")) });
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

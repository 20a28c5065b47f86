/* views/dom.ts: elements, and what the views share of handling them. */

export type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;

/* An element with attributes (null or false: left out; functions: listeners of the event of that name) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string | null)[]): HTMLElementTagNameMap[K] {
    return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string | null)[]): SVGElementTagNameMap[K] {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: (Node | string | null)[]): E {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function")
            element.addEventListener(name, value as (event: Event) => void);
        else if (value !== null && value !== false)
            element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.filter(child => child !== null));
    return element;
}

/* A choice with its label. options: pairs of value and text. */
export function choice(label: string, options: readonly (readonly [string, string])[], value: string, onChange: (value: string) => void): HTMLLabelElement {
    const select = h("select", { change: () => onChange(select.value) },
        ...options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
    return h("label", { class: "v-control" }, label, select);
}

export function checkbox(label: string, checked: boolean, onChange: (checked: boolean) => void): HTMLLabelElement {
    const box = h("input", { type: "checkbox", checked, change: () => onChange(box.checked) });
    return h("label", { class: "v-control" }, box, label);
}

export interface Range { min: number; max: number; step: number; value: number }

/* A slider; text says what its value means. onChange is called while it moves. */
export function slider(label: string, range: Range, text: (value: number) => string, onChange: (value: number) => void): HTMLLabelElement {
    const output = h("output", {}, text(range.value));
    const input = h("input", { type: "range", min: range.min, max: range.max, step: range.step, value: range.value,
        input: () => {
            output.textContent = text(Number(input.value));
            onChange(Number(input.value));
        } });
    return h("label", { class: "v-control" }, label, input, output);
}

/* The box beside the pointer that tells what is there. */
export class Tip {
    private readonly box = h("div", { class: "v-tip", role: "presentation", hidden: true });

    constructor(host: HTMLElement) {
        host.append(this.box);
    }

    /* x, y: of the window. The first line is the heading. */
    show(x: number, y: number, lines: readonly string[]): void {
        this.box.replaceChildren(...lines.map((line, i) => h(i === 0 ? "strong" : "span", {}, line)));
        this.box.hidden = false;
        const { width, height } = this.box.getBoundingClientRect();
        const left = x + 14 + width > window.innerWidth ? x - 14 - width : x + 14;
        this.box.style.left = `${Math.max(4, left)}px`;
        this.box.style.top = `${Math.max(4, Math.min(y + 14, window.innerHeight - height - 4))}px`;
    }

    hide(): void {
        this.box.hidden = true;
    }

    remove(): void {
        this.box.remove();
    }
}

/* Draws again when the element's size changes, and for paper. print: whether ink has to be dark whatever the page's colours are. */
export function redrawing(element: HTMLElement, draw: (print: boolean) => void): () => void {
    const observer = new ResizeObserver(() => draw(false));
    const before = (): void => draw(true);
    const after = (): void => draw(false);
    observer.observe(element);
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
        observer.disconnect();
        window.removeEventListener("beforeprint", before);
        window.removeEventListener("afterprint", after);
    };
}

/* A canvas as large as its element, cleared, in units of CSS pixels; null: there is no room. */
export function cleared(canvas: HTMLCanvasElement): { pen: CanvasRenderingContext2D; width: number; height: number; ratio: number } | null {
    const { clientWidth: width, clientHeight: height } = canvas;
    const pen = canvas.getContext("2d");
    if (pen === null || width < 8 || height < 8)
        return null;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = `12px ${getComputedStyle(canvas).fontFamily}`;
    return { pen, width, height, ratio };
}

export interface Inks { ink: string; faint: string; hairline: string; ground: string }

export function inks(dark: boolean): Inks {
    return dark ? { ink: "#e8e8ea", faint: "#a5a7ad", hairline: "#ffffff30", ground: "#18191c" }
        : { ink: "#1b1c1f", faint: "#5b5e66", hairline: "#00000030", ground: "#ffffff" };
}

/* Names, the first few of them: "a, b and 4 more". */
export function few(names: readonly string[], total: number): string {
    return total > names.length ? `${names.join(", ")} and ${(total - names.length).toLocaleString("en")} more` : names.join(", ");
}

export function counted(n: number, one: string, several = `${one}s`): string {
    return `${n.toLocaleString("en")} ${n === 1 ? one : several}`;
}

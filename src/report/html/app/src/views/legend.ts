/* views/legend.ts: what the colours stand for. */
import type { ViewContext } from "../view";
import { h } from "./dom";
import type { Palette, Scale } from "./scales";

export function legend(context: ViewContext, scale: Scale, palette: Palette): HTMLElement {
    const stops = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(i => palette.css[Math.round((i * (palette.css.length - 1)) / 8)]);
    const bar = h("span", { class: "v-gradient", style: `background: linear-gradient(to right, ${stops.join(", ")})` });
    const [low, high] = scale.low === null || scale.high === null ? [context.signed ? "−100 %" : "0 %", "100 %"] : [context.text(scale.low), context.text(scale.high)];
    const what = scale.low === null ? " of the scale of the trees" : "";
    return h("div", { class: "v-legend", role: "img", "aria-label": `colours from ${low} to ${high}${what}` }, low, bar, high + what);
}

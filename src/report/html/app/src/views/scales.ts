/* views/scales.ts: values of the selected metric as the views show them: how they combine, and in which colours. */

import { axisSeconds, isSeconds, unitText } from "../format";
import type { ViewContext } from "../view";
import type { Combine } from "./fold";

/* How values of the metric are put together. */
export function combineOf(context: ViewContext): Combine {
    const joined = context.model.metricData(context.metric)?.join(1, 2) ?? 3;
    return joined === 3 ? "sum" : joined === 1 ? "min" : "max";
}

export type ScaleKind = "zero" | "range" | "mode";

export const SCALE_KINDS: readonly (readonly [ScaleKind, string])[] = [
    ["zero", "from 0 to the largest"], ["range", "from the least to the largest"], ["mode", "as in the trees"],
];

/* How values get their colours. low and high: where the scale begins and ends, null where the page's mode decides. */
export interface Scale { low: number | null; high: number | null; fraction(value: number): number }

export function scaleOf(values: ArrayLike<number>, context: ViewContext, kind: ScaleKind): Scale {
    if (kind === "mode")
        return { low: null, high: null, fraction: value => context.display(value).fraction };
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < values.length; i++) {
        if (values[i] < low)
            low = values[i];
        if (values[i] > high)
            high = values[i];
    }
    if (!(low <= high))
        return { low: 0, high: 0, fraction: () => 0 };
    if (context.signed) {
        const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
        return { low: -most, high: most, fraction: value => value / most };
    }
    const from = kind === "zero" ? Math.min(0, low) : low;
    const width = high - from || 1;
    return { low: from, high, fraction: value => (value - from) / width };
}

/* A value as the page shows it, and in its unit where that is something else: "12.5 (0.31 s)". */
export function valueText(context: ViewContext, value: number): string {
    if (Number.isNaN(value))
        return "not known";
    const shown = context.display(value).text;
    const exact = context.text(value);
    return exact.startsWith(shown) ? exact : `${shown} (${exact})`;
}

export function unitOf({ model, metric }: ViewContext): string {
    return unitText(model.head.metrics[metric].unit);
}

/* Values at the ticks of an axis, which can be told apart. */
export function tickTexts(context: ViewContext, ticks: readonly number[]): string[] {
    return isSeconds(context.model.head.metrics[context.metric].unit) ? axisSeconds(ticks) : ticks.map(tick => withoutZeros(context.text(tick)));
}

export function withoutZeros(text: string): string {
    return text.replace(/(\.\d*?)0+(?!\d)/, (_, digits: string) => (digits === "." ? "" : digits));
}

/* The colours of the page's scale as numbers. steps: entries; a fraction f is at index(f). */
export interface Palette { rgba: Uint32Array; css: string[]; index(fraction: number): number }

const STEPS = 256;

export function paletteOf(context: Pick<ViewContext, "signed" | "colour">): Palette {
    const low = context.signed ? -1 : 0;
    const css = Array.from({ length: STEPS }, (_, i) => context.colour(low + ((1 - low) * i) / (STEPS - 1)));
    const canvas = document.createElement("canvas");
    canvas.width = STEPS;
    canvas.height = 1;
    const pen = canvas.getContext("2d", { willReadFrequently: true })!;
    css.forEach((colour, i) => {
        pen.fillStyle = colour;
        pen.fillRect(i, 0, 1, 1);
    });
    const rgba = new Uint32Array(pen.getImageData(0, 0, STEPS, 1).data.buffer);
    const index = (fraction: number): number => Math.min(STEPS - 1, Math.max(0, Math.round(((fraction - low) / (1 - low)) * (STEPS - 1))));
    return { rgba, css, index };
}

/* Whether text on this colour is to be dark. */
export function isLight(rgba: number): boolean {
    return 0.299 * (rgba & 255) + 0.587 * ((rgba >> 8) & 255) + 0.114 * ((rgba >> 16) & 255) > 140;
}

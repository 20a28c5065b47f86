/* colour.ts: the two scales. Their lightness only grows or only falls, so they can be told apart without seeing colours; the
 * diverging one is blue below zero and orange above. */

type Rgb = [number, number, number];

const rgb = (hex: string): Rgb => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)) as Rgb;

/* From little to much; little is near the background. */
const MUCH_LIGHT = ["#f4efdc", "#f2cd7c", "#e0873f", "#b03f4f", "#59225f"].map(rgb);
const MUCH_DARK = ["#33283f", "#6c2d68", "#b8474f", "#ea9142", "#fbe99a"].map(rgb);
const LESS_LIGHT = ["#f1f1ee", "#b4cfe3", "#6a9fcb", "#30689f", "#12386a"].map(rgb);
const MORE_LIGHT = ["#f1f1ee", "#f3c99a", "#de8b3d", "#b0561b", "#6b2c06"].map(rgb);
const LESS_DARK = ["#2f3136", "#2d4f73", "#3b7bb5", "#74b2e4", "#c7e6ff"].map(rgb);
const MORE_DARK = ["#2f3136", "#6d431d", "#b5691f", "#ea9a45", "#ffdfa6"].map(rgb);

function pick(stops: Rgb[], fraction: number): string {
    const at = Math.min(Math.max(fraction, 0), 1) * (stops.length - 1);
    const i = Math.min(Math.floor(at), stops.length - 2);
    const mix = stops[i].map((from, c) => Math.round(from + (stops[i + 1][c] - from) * (at - i)));
    return `rgb(${mix.join(",")})`;
}

/* fraction: 0 .. 1; of signed values -1 .. 1. Not a number: no colour. */
export function colourOf(fraction: number, signed: boolean, dark: boolean): string {
    if (Number.isNaN(fraction))
        return "transparent";
    if (!signed)
        return pick(dark ? MUCH_DARK : MUCH_LIGHT, fraction);
    if (fraction < 0)
        return pick(dark ? LESS_DARK : LESS_LIGHT, -fraction);
    return pick(dark ? MORE_DARK : MORE_LIGHT, fraction);
}

export function gradient(signed: boolean, dark: boolean): string {
    const stops = Array.from({ length: 17 }, (_, i) => colourOf(signed ? i / 8 - 1 : i / 16, signed, dark));
    return `linear-gradient(to right, ${stops.join(", ")})`;
}

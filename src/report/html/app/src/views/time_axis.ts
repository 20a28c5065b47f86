/* views/time_axis.ts: the part of a time window that is shown: zooming, moving, and the labels of its axis. Times in seconds. */

export interface Span { from: number; to: number }

const ZOOM_MOST = 1e6;                               /* the whole window, as a multiple of the smallest part of it */
const LEAST_WIDTH = 1e-9;                            /* [seconds] */
const LETTER = 6.6;                                  /* [pixels] about */

function within(whole: Span, from: number, width: number): Span {
    if (width >= whole.to - whole.from)
        return { ...whole };
    const begin = Math.min(Math.max(from, whole.from), whole.to - width);
    return { from: begin, to: begin + width };
}

/* factor < 1 shows less; what is at the time `at` stays where it is. */
export function zoomed(whole: Span, part: Span, factor: number, at = (part.from + part.to) / 2): Span {
    const old = part.to - part.from;
    const width = Math.max(old * factor, (whole.to - whole.from) / ZOOM_MOST, LEAST_WIDTH);
    return within(whole, at - ((at - part.from) / old) * width, width);
}

/* share: of the part that is shown; > 0 goes to later times. */
export function moved(whole: Span, part: Span, share: number): Span {
    const width = part.to - part.from;
    return within(whole, part.from + share * width, width);
}

/* What shows a piece of the window with a little before and after it. */
export function around(whole: Span, piece: Span): Span {
    const width = Math.max((piece.to - piece.from) * 1.2, LEAST_WIDTH);
    return within(whole, (piece.from + piece.to) / 2 - width / 2, width);
}

export function isWhole(whole: Span, part: Span): boolean {
    return part.to - part.from >= (whole.to - whole.from) * (1 - 1e-9);
}

const UNITS = [["s", 1], ["ms", 1e-3], ["µs", 1e-6]] as const;

/* A length of time in the unit in which it is read easiest. */
export function timeText(seconds: number, digits = 3): string {
    const size = Math.abs(seconds);
    if (size === 0)
        return "0 s";
    for (const [unit, scale] of UNITS) {
        if (size >= scale * 0.9995)
            return `${Number((seconds / scale).toPrecision(digits))} ${unit}`;
    }
    return `${Number((seconds / 1e-9).toPrecision(digits))} ns`;
}

export interface Tick { at: number; text: string }

/* Round times of a part, as far apart as labels need, with as many digits as tell them apart. Times count from `zero`. */
export function ticksOf(part: Span, zero: number, pixels: number): Tick[] {
    const [from, to] = [part.from - zero, part.to - zero];
    const [unit, scale] = UNITS.find(([, size]) => Math.max(Math.abs(from), Math.abs(to)) >= size) ?? (["ns", 1e-9] as const);
    for (let n = Math.max(2, Math.floor(pixels / 60)); ; n--) {
        const step = roundStep((to - from) / scale / n);
        const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        const ticks: Tick[] = [];
        for (let i = Math.ceil(from / scale / step - 1e-9); i * step * scale <= to + 1e-9 * (to - from); i++)
            ticks.push({ at: zero + i * step * scale, text: i === 0 ? "0" : `${(i * step).toFixed(decimals)} ${unit}` });
        const widest = Math.max(...ticks.map(tick => tick.text.length), 1) * LETTER + 18;
        if (n <= 2 || (ticks.length - 1) * widest <= pixels * ((ticks.length - 1) * step * scale) / (to - from))
            return ticks;
    }
}

/* 1, 2 or 5 times a power of ten, not less than this. */
function roundStep(least: number): number {
    const power = 10 ** Math.floor(Math.log10(least));
    return power * ([1, 2, 5].find(factor => factor * power >= least * (1 - 1e-9)) ?? 10);
}

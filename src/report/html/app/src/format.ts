/* format.ts: numbers and titles as text. Numbers of trees have few digits; full() has all of them. */

export const isSeconds = (unit: string): boolean => /^(sec|s|seconds?)$/i.test(unit);

const MINUS = "\u2212";

export function grouped(value: number): string {
    return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

const LARGE = 1e9;              /* from here on with an exponent */

/* "0.05772", "1,204,551", "1.2e-7", "7.328e11"; a minus sign that is as wide as a plus. */
export function number(value: number, integer = false): string {
    if (Number.isNaN(value))
        return "\u2013";
    if (value < 0)
        return MINUS + number(-value, integer);
    if (!Number.isFinite(value))
        return "\u221e";
    if (value === 0)
        return "0";
    if (value >= LARGE)
        return value.toExponential(3).replace("+", "");
    if (integer || Number.isInteger(value))
        return grouped(value);
    if (value >= 1000) {
        const digits = value >= 1e5 ? 0 : 1;
        const [whole, part] = value.toFixed(digits).split(".");
        return grouped(Number(whole)) + (part === undefined ? "" : `.${part}`);
    }
    return value >= 1e-4 ? value.toPrecision(4) : value.toExponential(2);
}

/* All its digits. */
export function full(value: number): string {
    return Number.isNaN(value) ? "not known" : Number.isInteger(value) && Math.abs(value) < 1e15 ? grouped(value) : String(value);
}

export function signed(text: string, value: number): string {
    return value > 0 ? `+${text}` : text;
}

/* "12.3 %" without the sign; share: 1 is 100. */
export function percent(share: number): string {
    if (Number.isNaN(share))
        return "\u2013";
    if (share < 0)
        return MINUS + percent(-share);
    if (share > 0 && share < 0.0005)
        return "<0.1";
    return (100 * share).toFixed(1);
}

/* Of a value of a second report: "104.3", "new" where that has nothing. */
export function percentOf(value: number, other: number): string {
    if (Number.isNaN(value) || Number.isNaN(other) || (value === 0 && other === 0))
        return "\u2013";
    if (other === 0)
        return "new";
    const share = value / Math.abs(other);
    return Math.abs(share) >= 9.9995 ? (share < 0 ? MINUS : "") + grouped(100 * Math.abs(share)) : percent(share);
}

export function unitText(unit: string): string {
    return isSeconds(unit) ? "s" : unit === "occ" ? "" : unit;
}

/* With its unit: "57.7 ms", "1,204 bytes". */
export function withUnit(value: number, unit: string, integer = false): string {
    if (isSeconds(unit))
        return seconds(value);
    const text = unitText(unit);
    return text === "" || Number.isNaN(value) ? number(value, integer) : `${number(value, integer)} ${text}`;
}

/* As a row of a tree has it: times with the unit that fits, other numbers without theirs, which stands above them. */
export function inRow(value: number, unit: string, integer = false): string {
    return isSeconds(unit) ? seconds(value) : number(value, integer);
}

const TIMES = [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]] as const;

function timeUnit(value: number): readonly [unit: string, size: number] {
    return TIMES.find(([, least]) => value >= 0.9995 * least) ?? ["ns", 1e-9];
}

/* A time as in the terminal (time_text.h): three digits, and the unit that fits: "57.7 ms". */
export function seconds(value: number): string {
    if (Number.isNaN(value))
        return number(value);
    if (value < 0)
        return MINUS + seconds(-value);
    if (value === 0 || !Number.isFinite(value))
        return `${number(value)} s`;
    const [unit, size] = timeUnit(value);
    const scaled = value / size;
    return scaled >= 1e15 ? `${scaled.toExponential(2).replace("+", "")} ${unit}` : `${scaled.toFixed(scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0)} ${unit}`;
}

/* Times at the ticks of an axis, evenly apart: of one unit, with as many digits as tell them apart. */
export function axisSeconds(ticks: readonly number[]): string[] {
    const [unit, size] = timeUnit(Math.max(...ticks.map(Math.abs)) || 1);
    const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) / size : 1;
    let digits = 0;
    while (digits < 12 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6)
        digits++;
    const text = (value: number): string => (value < 0 ? MINUS + text(-value) : `${value.toFixed(digits)} ${unit}`);
    return ticks.map(tick => text(tick / size));
}

/* As in the terminal: at most three digits: "1.23 MiB". */
export function bytes(value: number): string {
    if (value < 999.5)
        return `${value.toFixed(0)} ${value >= 0.5 && value < 1.5 ? "byte" : "bytes"}`;
    const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let scaled = value / 1024, unit = 0;
    for (; scaled >= 999.5 && unit + 1 < units.length; unit++)
        scaled /= 1024;
    return `${scaled.toFixed(scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0)} ${units[unit]}`;
}

export function plural(n: number, word: string, words = `${word}s`): string {
    return `${grouped(n)} ${n === 1 ? word : words}`;
}

/* Most reports are "heddle.cubex": the folder of the archive tells which, "scorep-lu/heddle.cubex". */
export function shownTitle(title: string, attributes: readonly (readonly string[])[]): string {
    const parts = (attributes.find(([key]) => key === "Heddle::Archive")?.[1] ?? "").split("/"), folder = parts[parts.length - 2] ?? "";
    return title === "heddle.cubex" && folder !== "" && folder !== "." && folder !== ".." ? `${folder}/${title}` : title;
}

/* page_maker.mjs: pages for tests, in the format of docs/formats.md#page, of reports made by hand.
 *
 * A report is a head whose metrics lack total, blocks and locations, and value(metric, path, location), a number, or
 * NaN in extreme metrics where there is none. It is written as straight as it can be, for comparison with what the page reads.
 */
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const DIST = new URL("../../src/report/html/app/dist/", import.meta.url);

export const CHUNK = 16;

export function stream(bytes) {
    return deflateSync(bytes).toString("base64");
}

export function bySignificance(numbers) {
    const plain = Buffer.from(Float64Array.from(numbers).buffer);
    const bytes = Buffer.alloc(plain.length);
    for (let i = 0; i < numbers.length; i++)
        for (let b = 0; b < 8; b++)
            bytes[b * numbers.length + i] = plain[8 * i + b];
    return bytes;
}

const joins = {
    sum: (a, b) => a + b,
    minimum: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
    maximum: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
};

/* Fills in what a metric lacks; returns the texts of its elements: values, and sums of call paths (null: all are nothing). */
export function encodeMetric(metric, rows, joinName) {
    const empty = joinName === "sum" ? 0 : NaN;
    const join = joins[joinName];
    const isEmpty = row => row.every(value => Object.is(value, empty) || value === empty);
    const nLocations = rows[0]?.length ?? 0;
    let text = "";
    const add = bytes => {
        const piece = stream(bytes);
        text += piece;
        return [text.length - piece.length, piece.length];
    };
    const paths = rows.map(row => row.reduce(join, empty));
    const locations = Array.from({ length: nLocations }, (_, i) => rows.reduce((sum, row) => join(sum, row[i]), empty));
    const sums = isEmpty(paths) ? null : stream(bySignificance(paths));
    metric.locations = isEmpty(locations) ? [0, 0] : add(bySignificance(locations));
    metric.total = paths.reduce(join, empty);
    metric.blocks = [];
    for (let level = 0; ; level++) {
        for (let chunk = 0; chunk * CHUNK < rows.length; chunk++) {
            const own = rows.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
            const mask = own.reduce((bits, row, i) => (isEmpty(row) ? bits : bits | (1 << i)), 0);
            if (mask === 0)
                continue;
            const head = Buffer.alloc(4);
            head.writeInt32LE(mask);
            metric.blocks.push([level, chunk, ...add(Buffer.concat([head, bySignificance(own.filter(row => !isEmpty(row)).flat())]))]);
        }
        if (rows.length <= CHUNK)
            return [text, sums];
        rows = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, r) =>
            rows.slice(r * CHUNK, (r + 1) * CHUNK).reduce((sum, row) => sum.map((value, i) => join(value, row[i]))));
    }
}

export function matrix(head, metric, value) {
    return head.paths.region.map((_, path) => head.system.locations.name.map((_, location) => value(metric, path, location)));
}

/* The texts of the metrics' elements, and those of the sums of call paths: texts.sums; completes the head. */
export function encode(head, value) {
    const all = head.metrics.map((metric, m) => encodeMetric(metric, matrix(head, m, value), metric.join ?? "sum"));
    head.balance = balanceOf(head, value);
    return Object.assign(all.map(([text]) => text), { sums: all.map(([, sums]) => sums) });
}

/* The text of an element of a metric. */
export function textOf(texts, name) {
    const [, what, m] = /^heddle-(metric|paths)-(\d+)$/.exec(name) ?? [];
    return (what === "paths" ? texts.sums : texts)[Number(m)] ?? null;
}

function balanceOf(head, value) {
    const work = ["comp", "execution"].map(id => head.metrics.findIndex(metric => metric.id === id)).find(m => m >= 0);
    if (work === undefined)
        return null;
    const { locations, others } = head.system;
    const sums = matrix(head, work, value).reduce((all, row) => all.map((sum, i) => sum + row[i]), locations.group.map(() => 0));
    const threads = [...sums.keys()].filter(i => !others?.includes(i)), most = threads.find(i => sums[i] === Math.max(...threads.map(k => sums[k])));
    return threads.length < 2 || !(sums[most] > 0) ? null : {
        most, value: sums[most], average: threads.reduce((sum, i) => sum + sums[i], 0) / threads.length,
        threads: threads.length, processes: new Set(threads.map(i => locations.group[i])).size,
    };
}

/* The text of an element of the communication matrix. pairs: [sender, receiver, messages, bytes, late sender, late receiver, transfer],
 * ascending; sizes: [size class, messages]. */
export function encodeMatrix(n, block, pairs, sizes) {
    const classes = new Array(65).fill(0);
    for (const [i, messages] of sizes)
        classes[i] = messages;
    const columns = Array.from({ length: 7 }, (_, column) => pairs.map(pair => pair[column]));
    return stream(bySignificance([n, block, pairs.length, ...classes, ...columns.flat()]));
}

/* more: texts of further elements, by their ids. */
export function html(head, texts, more = {}) {
    const file = name => readFileSync(new URL(name, DIST), "utf8");
    const data = (id, text) => `<script type="text/plain" id="${id}">${text}</script>\n`;
    return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${head.title}</title>
<style>${file("page.css")}</style></head>
<body>
${data("heddle-head", stream(Buffer.from(JSON.stringify(head))))}${texts.map((text, m) => data(`heddle-metric-${m}`, text)).join("")}${(texts.sums ?? []).map((text, m) => (text === null ? "" : data(`heddle-paths-${m}`, text))).join("")}${Object.entries(more).map(([id, text]) => data(id, text)).join("")}<script>${file("page.js")}</script>
</body></html>
`;
}

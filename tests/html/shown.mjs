/* shown.mjs: what a page shows, read from its elements, and what heddle dump says that it has to show. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { heddle } from "./reports.mjs";

/* A list of docs/formats.md#page without runs. */
function plain(list) {
    if (Array.isArray(list))
        return list;
    const items = [];
    for (let i = 0; i < list.runs.length; i += 3)
        for (let k = 0, [first, second, n] = list.runs.slice(i, i + 3); k < n; k++)
            items.push(typeof first === "number" ? first + k * second : second < 0 ? first : `${first}${second + k}`);
    return items;
}

/* The head of a page, as docs/formats.md has it, with lists that have no runs, and the coordinates of each location together. */
export function headOf(file) {
    const head = rawHeadOf(file);
    assert.equal(head.format, 2);
    for (const part of ["nodes", "groups", "locations"])
        for (const [name, list] of Object.entries(head.system?.[part] ?? {}))
            head.system[part][name] = plain(list);
    for (const topology of head.topologies ?? []) {
        const columns = topology.coordinates.map(plain);
        topology.coordinates = columns[0].flatMap((_, i) => columns.map(column => column[i]));
    }
    return head;
}

export function rawHeadOf(file) {
    const [, text] = /<script type="text\/plain" id="heddle-head">([^<]*)</.exec(readFileSync(file, "latin1"));
    return JSON.parse(inflateSync(Buffer.from(text, "base64")).toString());
}

/* ---- what is to be shown ------------------------------------------------------------------------------------------------ */

const escaped = text => text.replace(/[\x00-\x1f\x7f\\]/g, c => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);

/* A report as heddle dump tells it, with the trees of the page's head. Call paths with the same names are told apart by nothing in it, so
 * they are looked at together: keys are names joined by ";". */
export class Expected {
    constructor(report, page) {
        const head = (this.head = headOf(page));
        const { groups, locations } = head.system;
        const column = new Map(locations.thread.map((thread, i) => [`${groups.rank[locations.group[i]]}\t${thread}`, i]));
        this.n = locations.thread.length;
        this.hasThreads = this.n !== groups.rank.length || locations.group.some((group, i) => group !== i);
        this.firstLeaf = head.system.nodes.name.length + (this.hasThreads ? groups.rank.length : 0);
        this.names = head.paths.region.map((region, p) => escaped(head.paths.label[p] ?? head.regions[region].name));
        this.keys = this.names.map((name, p) => [name]);
        this.keys = [];
        head.paths.parent.forEach((parent, p) => this.keys.push(parent < 0 ? this.names[p] : `${this.keys[parent]};${this.names[p]}`));
        this.values = new Map(head.metrics.map(({ id }) => [id, new Map()]));
        for (const line of heddle("dump", report).split("\n")) {
            const [id, key, process, thread, value] = line.split("\t");
            const ofMetric = this.values.get(id);
            if (ofMetric === undefined)
                continue;
            const place = column.get(`${process}\t${thread}`);
            assert.notEqual(place, undefined, line);
            if (!ofMetric.has(key))
                ofMetric.set(key, new Float64Array(this.n).fill(this.empty(id)));
            const row = ofMetric.get(key);
            row[place] = this.join(id, row[place], Number(value));
        }
    }

    metric(id) {
        return this.head.metrics.findIndex(metric => metric.id === id);
    }

    empty(id) {
        return this.head.metrics[this.metric(id)].extreme ? NaN : 0;
    }

    join(id, a, b) {
        if (!this.head.metrics[this.metric(id)].extreme)
            return a + b;
        return Number.isNaN(a) ? b : Number.isNaN(b) ? a : /min/i.test(id) ? Math.min(a, b) : Math.max(a, b);
    }

    /* Per location, over the call paths whose keys are wanted. */
    row(id, isWanted) {
        const row = new Float64Array(this.n).fill(this.empty(id));
        for (const [key, values] of this.values.get(id))
            if (isWanted(key))
                values.forEach((value, i) => (row[i] = this.join(id, row[i], value)));
        return row;
    }

    /* Children that an open metric is without. */
    inside(id) {
        const m = this.metric(id), { metrics } = this.head;
        return metrics[m].extreme ? [] : metrics.filter(({ parent, unit, extreme }) => parent === m && unit === metrics[m].unit && !extreme).map(child => child.id);
    }

    /* Per location: of a metric, open or not, over call paths; size: sum of absolute values, to which differences are relative. */
    locations(id, isOpen, isWanted) {
        const row = this.row(id, isWanted);
        const size = row.reduce((sum, value) => sum + Math.abs(value || 0), 0);
        for (const child of isOpen ? this.inside(id) : [])
            this.row(child, isWanted).forEach((value, i) => (row[i] -= value));
        return { row, size };
    }

    value(id, isOpen, isWanted) {
        const { row, size } = this.locations(id, isOpen, isWanted);
        return { value: row.reduce((sum, value) => this.join(id, sum, value), this.empty(id)), size };
    }
}

export const whole = key => other => other === key || other.startsWith(`${key};`);
export const alone = key => other => other === key;

const isNothing = value => value === 0 || Number.isNaN(value);

export function isClose(got, expected, size) {
    return (isNothing(got) && isNothing(expected)) || Math.abs(got - expected) <= 2e-11 * size + 1e-13 * Math.abs(expected);
}

const UNITS = { s: 1, ms: 1e-3, "\u00b5s": 1e-6, ns: 1e-9 };

/* A number as the page writes it has four digits at least, small ones three; a time has three, and a unit, nanoseconds two behind the point. */
export function textShows(text, value) {
    if (Number.isNaN(value))
        return text === "\u2013";
    const [digits, unit] = text.split(" ");
    const number = Number(digits.replace(/,/g, "").replace("\u2212", "-").replace("+", "")) * (UNITS[unit] ?? 1);
    return number === value || (unit === "ns" && Math.abs(number - value) <= 0.0051e-9) || Math.abs(number - value) <= (unit in UNITS || Math.abs(value) < 1e-4 ? 0.0051 : 0.00051) * Math.abs(value);
}

/* ---- what is shown: these run in the page -------------------------------------------------------------------------------- */

/* Gives the page functions that tests call in it. tall: trees are so high that every row is an element of the page. */
export async function addHands(page, { tall = false } = {}) {
    await page.evaluate(tall => {
        if (tall) {
            const style = document.createElement("style");
            style.textContent = ".tree { flex: none !important; height: 20000px !important; }";
            document.head.append(style);
        }
        const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
        globalThis.hands = {
            /* Until nothing is read any more and the page shows what was asked for. */
            async settled() {
                await frame();
                for (await frame(); document.querySelector(".waiting, .loading") !== null; )
                    await frame();
            },
            /* The same for trees, which need no frame to be drawn. */
            async quickly() {
                do
                    await new Promise(resolve => setTimeout(resolve, 0));
                while (document.querySelector(".waiting") !== null);
            },
            row: (pane, node) => document.getElementById(`${pane}-${node}`),
            rows: pane => [...document.querySelectorAll(`.pane.${pane} [role=treeitem]`)].map(row => ({
                node: Number(row.dataset.node), level: Number(row.getAttribute("aria-level")), open: row.getAttribute("aria-expanded"),
                selected: row.getAttribute("aria-selected") === "true", value: Number(row.dataset.value),
                text: row.querySelector(".value").textContent, name: row.querySelector(".name").textContent.includes("\u2026") ? row.title.split("\n")[0] : row.querySelector(".name").textContent,
            })),
            button: (pane, label) => document.querySelector(`.pane.${pane} button[aria-label="${label}"]`),
            click: (element, more = {}) => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...more })),
        };
    }, tall);
    await page.evaluate(() => hands.settled());
}

/* The page writes its address 250 ms after what it follows: its timers fire in the order in which they are due. */
export const addressFollows = page => page.evaluate(async () => {
    await hands.settled();
    await new Promise(resolve => setTimeout(resolve, 400));
    await hands.settled();
});
export const rowsOf = (page, pane) => page.evaluate(pane => hands.rows(pane), pane);
export const settle = page => page.evaluate(() => hands.settled());
export const press = async (page, pane, label) => {
    await page.click(`.pane.${pane} button[aria-label="${label}"]`);
    await settle(page);
};

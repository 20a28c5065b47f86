/* page_speed.mjs: how fast a large page is. Makes one of a report of invented values, opens it several times, and prints the shortest times.
 *
 *   node tests/html/page_speed.mjs [LOCATIONS [CALL_PATHS [METRICS [RUNS]]]]     4096 2000 80 5
 *
 * Values of the first three metrics are at half of the call paths, of the others at one of 25, everywhere with all their digits, which do not
 * compress. They are in files beside the page, as heddle html puts them. A click is over when the browser has drawn what follows.
 */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { encodeMetric, html } from "./page_maker.mjs";
import { openBrowser, openPage, work } from "./reports.mjs";

const [nLocations, nPaths, nMetrics, nRuns] = [4096, 2000, 80, 5].map((usual, i) => Number(process.argv[2 + i] ?? usual));
const PER_NODE = 64, N_REGIONS = 300, N_DENSE = 3, MAX_DEPTH = 12;
const NAMES = ["Time", "Comp", "MPI", "Synchronization", "Communication", "Input"];

let seed = 1;
function random() {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
}

function makeParents() {
    const parents = [-1], chain = [0];
    while (parents.length < nPaths) {
        while (chain.length > 1 && (random() < 0.45 || chain.length > MAX_DEPTH))
            chain.pop();
        chain.push(parents.push(chain.at(-1)) - 1);
    }
    return parents;
}

function makeHead(title) {
    const all = n => Array.from({ length: n }, (_, i) => i);
    const parent = makeParents();
    const nNodes = Math.ceil(nLocations / PER_NODE), side = Math.ceil(Math.sqrt(nLocations));
    return {
        format: 1, kind: "report", title, creator: "Heddle", beside: `${title}.data`, attributes: [], leftOut: [],
        metrics: all(nMetrics).map(m => ({
            id: NAMES[m]?.toLowerCase() ?? `wait_${m}`, name: NAMES[m] ?? `Wait ${m}`, unit: "sec", what: "",
            parent: m === 0 || m >= 30 ? -1 : m < N_DENSE ? 0 : m < 6 ? 2 : 3 + Math.floor((m - 6) / 8), integer: false, extreme: false, wait: m >= 6 && m < 30,
        })),
        regions: all(N_REGIONS).map(r => ({ name: `region_${r}`, file: "a.c", paradigm: r % 7 === 0 ? "mpi" : "compiler", role: "function", begin: r })),
        paths: { region: all(nPaths).map(p => p % N_REGIONS), parent, number: all(nPaths), label: new Array(nPaths).fill(null) },
        system: {
            nodes: { name: ["machine", ...all(nNodes).map(i => `node ${i}`)], class: ["machine", ...new Array(nNodes).fill("node")], parent: [-1, ...new Array(nNodes).fill(0)] },
            groups: { name: all(nLocations).map(i => `MPI Rank ${i}`), rank: all(nLocations), node: all(nLocations).map(i => 1 + Math.floor(i / PER_NODE)) },
            locations: { name: new Array(nLocations).fill(""), thread: new Array(nLocations).fill(0), group: all(nLocations) },
        },
        topologies: [{ name: "grid", dimensions: [{ name: "x", size: side, periodic: false }, { name: "y", size: side, periodic: false }],
                       coordinates: all(nLocations).flatMap(i => [i, i % side, Math.floor(i / side)]) }],
        tables: { findings: null, causes: null, pairs: null, statistics: null, instances: null, moments: null },
    };
}

function makePage() {
    const file = join(work, `speed-${nLocations}-${nPaths}-${nMetrics}.html`);
    if (existsSync(file))
        return file;
    const head = makeHead(basename(file));
    rmSync(`${file}.data`, { recursive: true, force: true });
    mkdirSync(`${file}.data`);
    head.metrics.forEach((metric, m) => {
        const rows = Array.from({ length: nPaths }, () => {
            const row = new Array(nLocations).fill(0), size = 10 ** (-6 * random());
            return random() < (m < N_DENSE ? 0.5 : 0.04) ? row.map(() => size * (0.8 + 0.4 * random())) : row;
        });
        writeFileSync(join(`${file}.data`, `metric-${m}.js`), `heddleMetric(${m}, "${encodeMetric(metric, rows, "sum")}");\n`);
    });
    writeFileSync(file, html(head, []));
    return file;
}

/* Runs in the page. */
async function clickOn([pane, what, place]) {
    const of = selector => document.querySelectorAll(`.pane.${pane} ${selector}`)[place];
    const element = what === "row" ? of(".row") : what === "open" ? of(".row").querySelector(".twisty") : what === "view"
        ? of(".tabs button") : what === "page" ? document.querySelectorAll(".tab")[place] : document.querySelector(`.pane.${pane} button[aria-label="${what}"]`);
    const start = performance.now();
    element.click();
    do
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
    while (document.querySelector(".waiting") !== null);
    return performance.now() - start;
}

const CLICKS = [
    ["to the trees", ["", "page", 1]], ["open a metric", ["metric", "open", 0]], ["another metric, read from disk", ["metric", "row", 5]], ["a metric seen before", ["metric", "row", 0]],
    ["open a call path", ["call", "open", 0]], ["select a call path with what it calls", ["call", "row", 1]], ["another one", ["call", "row", 3]],
    ["open all call paths", ["call", "Open all", 0]], ["a call path by itself", ["call", "row", 20]], ["open the system", ["system", "Open all", 0]],
    ["flat profile", ["call", "view", 1]], ["a region", ["call", "row", 7]], ["tree", ["call", "view", 0]],
    ["topology", ["system", "view", 1]], ["another metric on the topology", ["metric", "row", 2]], ["bars", ["system", "view", 2]],
];

const file = makePage();
const browser = await openBrowser();
const least = new Map();
const note = (name, ms) => least.set(name, Math.min(least.get(name) ?? Infinity, ms));
for (let run = 0; run < nRuns; run++) {
    const start = performance.now();
    const { page, errors, close } = await openPage(browser, file);
    await page.waitForSelector(".wait-state .places li");
    note("open, until the worst wait states are there", performance.now() - start);
    await page.waitForFunction(() => document.querySelector(".loading") === null);
    for (const [name, click] of CLICKS) {
        note(name, await page.evaluate(clickOn, click));
        await page.waitForTimeout(300);
    }
    if (errors.length > 0)
        throw new Error(errors.join("\n"));
    await close();
}
await browser.close();
console.log(`${nLocations} locations, ${nPaths} call paths, ${nMetrics} metrics; page ${Math.round(statSync(file).size / 2 ** 20)} MiB; shortest of ${nRuns}, ms`);
for (const [name, ms] of least)
    console.log(`${name.padEnd(46)} ${ms.toFixed(0).padStart(6)}`);

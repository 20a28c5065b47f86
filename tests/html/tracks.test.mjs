/* tracks.test.mjs: the section "Metrics over time" of the overview: a line by window for each metric that was recorded over time. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, html } from "./page_maker.mjs";
import { openBrowser, openPage, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

function pageWith(name, tracks, series = null) {
    const head = {
        format: 2, kind: "report", title: name, creator: "Heddle", beside: null, headings: {}, attributes: [], leftOut: [],
        metrics: [{ id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, integer: false, extreme: false }],
        regions: [{ name: "main", file: "", paradigm: "user", role: "function", begin: -1 }],
        paths: { region: [0], parent: [-1], number: [0], label: [null] },
        system: { nodes: { name: ["lab"], class: ["machine"], parent: [-1] }, groups: { name: ["a", "b"], rank: [0, 1], node: [0, 0] },
                  locations: { name: ["", ""], thread: [0, 0], group: [0, 1] }, others: [] },
        topologies: [], tables: {}, tracks, series,
    };
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, encode(head, () => 1)));
    return file;
}

const level = { name: "power", unit: "W", scope: "node a", values: [100, null, 120, 140], least: [90, null, 110, 120], most: [110, null, 130, 180] };
const sum = { name: "energy", unit: "J", scope: "process 1", values: [5, 0, null, 15] };

test("metrics over time have a row and a line each", async () => {
    const rows = [level, sum, ...Array.from({ length: 11 }, (_, i) => ({ ...level, name: `<b>${i}` }))];
    const { page, errors, close } = await openPage(browser, pageWith("tracks", { n: 70, from: 1, to: 3, rows }));
    const part = page.locator("#part-tracks");
    assert.equal(await part.locator("h2").innerText(), "Metrics over time");
    const cells = async i => (await part.locator("tbody tr").nth(i).locator("th, td").allInnerTexts()).filter((_, k) => k !== 2);
    assert.deepEqual(await cells(0), ["power [W]", "node a", "120", "90", "180"]);
    assert.deepEqual(await cells(1), ["energy [J]", "process 1", "20", "", ""]);
    assert.deepEqual((await cells(2))[0], "<b>0 [W]");
    const line = part.locator("svg.track").first();
    assert.equal(await line.locator("rect").count(), 3);                    /* windows of which something is known */
    assert.equal((await line.locator("path").getAttribute("d")).match(/M/g).length, 2);
    assert.match(await line.locator("title").last().textContent(), /^2\.5\d* s: 140 W, 120 to 180$/);
    assert.equal(await part.locator("tbody tr").count(), 10);
    await part.locator(".more button").click();
    assert.equal(await part.locator("tbody tr").count(), 13);
    assert.match(await part.innerText(), /57 metrics more are only in the report/);
    assert.match(await part.innerText(), /By 4 windows of 500 ms/);
    await screenshot(page, "tracks");
    assert.deepEqual(errors, []);
    await close();
});

/* 4 windows from 1 s to 3 s; iterations 1 to 3, of which the second one is from 1.6 s to 2.2 s. */
const late = { id: "mpi_latesender", name: "Late Sender", words: "", worst: 1 };
const series = {
    windows: { region: null, n: 4, processes: 2, block: 1, rows: 2, columns: [1, 2, 3, 4].map(k => [k, k, 0.5 + k / 2, 1 + k / 2]), paths: null, counters: [], counts: [], delays: [],
               metrics: [{ ...late, values: [1e8, 2e8, 0, 0, 0, 0, 1e8, 1e8] }] },
    iterations: { region: "step", n: 3, processes: 2, block: 1, rows: 2, columns: [[1, 1, 1.1, 1.6], [2, 2, 1.6, 2.2], [3, 3, 2.2, 2.9]], paths: null, counters: [], counts: [], delays: [],
                  metrics: [{ ...late, values: [1e8, 2e8, 0, 0, 1e8, 1e8] }] },
};

test("what is selected of the time series is marked, and the numbers are of its windows", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("tracks-marked", { n: 2, from: 1, to: 3, rows: [level, sum] }, series));
    const part = page.locator("#part-tracks"), over = page.locator("#part-over-time"), marks = part.locator("rect.track-mark");
    const cells = async i => (await part.locator("tbody tr").nth(i).locator("td").allInnerTexts()).slice(2);
    const place = async () => [await marks.first().getAttribute("x"), await marks.first().getAttribute("width")].map(Number);
    const canvas = over.locator("canvas");
    const frame = async (first, last, n) => {
        await canvas.scrollIntoViewIfNeeded();
        const { x, y, width } = await canvas.boundingBox(), column = i => x + 84 + (i + 0.5) * (width - 92) / n;
        await page.mouse.move(column(first), y + 40);                       /* in the line: of all processes */
        await page.mouse.down();
        await page.mouse.move(column(last), y + 40, { steps: 4 });
        await page.mouse.up();
    };
    assert.equal(await marks.count(), 0);
    assert.deepEqual([await cells(0), await cells(1)], [["120", "90", "180"], ["20", "", ""]]);
    await frame(1, 1.1, 3);
    await part.getByText("Marked: iteration 2. Mean or sum, least and largest are of windows 2 to 3.").waitFor();
    assert.deepEqual([await cells(0), await cells(1)], [["120", "110", "130"], ["0", "", ""]]);
    assert.equal(await marks.count(), 2);
    const [x, width] = await place();
    assert.ok(Math.abs(x - 96) < 1e-6 && Math.abs(width - 96) < 1e-6, `${x} ${width}`);        /* 0.6 s and 0.6 s of 2 s, of 320 */
    await part.scrollIntoViewIfNeeded();
    await screenshot(page, "tracks-marked");
    await over.locator("select").first().selectOption("windows");
    await over.getByText("All: windows 1 to 4").waitFor();
    assert.equal(await marks.count(), 0);
    await frame(3, 3.1, 4);
    await part.getByText("Marked: window 4. Mean or sum, least and largest are of window 4.").waitFor();
    assert.deepEqual([await cells(0), await cells(1)], [["140", "120", "180"], ["15", "", ""]]);
    assert.deepEqual(await place(), [240, 80]);
    await frame(1, 1.1, 4);
    await part.getByText("Marked: window 2.").waitFor();
    assert.deepEqual([await cells(0), await cells(1)], [["", "", ""], ["0", "", ""]]);          /* nothing is known of the level there */
    await part.getByText("Select all").click();
    assert.deepEqual([await cells(0), await cells(1)], [["120", "90", "180"], ["20", "", ""]]);
    await over.getByText("All: windows 1 to 4").waitFor();
    assert.deepEqual(errors, []);
    await close();
});

test("without metrics over time there is no such section", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("no-tracks", null));
    assert.equal(await page.locator("#part-tracks").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

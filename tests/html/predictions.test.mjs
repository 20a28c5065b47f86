/* predictions.test.mjs: the section "Predictions" of the overview: hypotheses, advice and curves, where something was simulated. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, html } from "./page_maker.mjs";
import { openBrowser, openPage, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

function pageWith(name, predictions) {
    const head = {
        format: 2, kind: "report", title: name, creator: "Heddle", beside: null, headings: { predictions: "Predictions (what-if simulation)" }, attributes: [], leftOut: [],
        metrics: [{ id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, integer: false, extreme: false }],
        regions: [{ name: "main", file: "", paradigm: "user", role: "function", begin: -1 }],
        paths: { region: [0], parent: [-1], number: [0], label: [null] },
        system: { nodes: { name: ["lab"], class: ["machine"], parent: [-1] }, groups: { name: ["a", "b"], rank: [0, 1], node: [0, 0] },
                  locations: { name: ["", ""], thread: [0, 0], group: [0, 1] }, others: [] },
        topologies: [], tables: {}, predictions,
    };
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, encode(head, () => 1)));
    return file;
}

const SHARES = [0, 10, 20, 35, 50, 65, 80, 100];
const run = (run_time, waiting, waits_at) => ({ run_time, waiting, waits_at });
const curve = (text, times, flat_from, next) => ({ text, points: SHARES.map((removed, i) => ({ removed, run_time: times[i] })), flat_from, next, next_share: next === null ? 0 : 0.5 });
const all = {
    ...run(10, 4, "main > MPI_Recv"),
    hypotheses: [{ text: "scale <b>solve</b> 1/2", saved: 2, ...run(8, 1, "main > MPI_Recv") }],
    advice: [
        { text: "balance solve", is_bound: false, promised: 2.5, saved: 3, ...run(7, 1, "main > MPI_Recv") },
        { text: "without MPI_Barrier", is_bound: false, promised: null, saved: 3.5, ...run(6.5, 0.5, null) },
    ],
    candidates: Array.from({ length: 12 }, (_, i) => ({ text: `balance region ${i}`, is_bound: i === 0, promised: 1, saved: 4 - i / 4, ...run(6 + i / 4, 0, null) })),
    curves: [curve("solve", [10, 9, 8, 7, 6, 6, 6, 6], 50, "update"), curve("update", [10, 10, 10, 10, 10, 10, 10, 9], null, null)],
};

test("hypotheses, advice and curves are shown", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("predictions", all));
    const part = page.locator("#part-predictions");
    const row = (table, i) => part.locator("table").nth(table).locator("tbody tr").nth(i).locator("th, td").allInnerTexts();
    assert.equal(await part.locator("h2").innerText(), "Predictions (what-if simulation)");
    assert.deepEqual(await row(0, 0), ["scale <b>solve</b> 1/2", "8.00 s", "2.00 s", "20.0 %"]);
    assert.deepEqual(await row(1, 0), ["balance solve", "7.00 s", "3.00 s", "30.0 %", "2.50 s"]);
    assert.deepEqual(await row(1, 1), ["+ without MPI_Barrier", "6.50 s", "3.50 s", "35.0 %", "\u2013"]);
    assert.match(await part.innerText(), /Recorded: most waiting: 4.00 s \(20.0 % of all time\) in main > MPI_Recv/);
    assert.match(await part.innerText(), /Then: no process waits in calls/);
    assert.equal((await row(2, 0))[0], "balance region 0 (bound)");
    assert.equal(await part.locator("table").nth(2).locator("tbody tr").count(), 10);
    await part.locator(".more button").click();
    assert.equal(await part.locator("table").nth(2).locator("tbody tr").count(), 12);
    const figures = part.locator("figure");
    assert.equal(await figures.count(), 2);
    assert.equal(await figures.nth(0).locator("small").innerText(), "flat from 50 %; then update");
    assert.equal(await figures.nth(1).locator("small").innerText(), "");
    assert.match(await figures.nth(0).locator("svg").getAttribute("aria-label"), /^solve: 0 % removed: 10.0 s, .*100 % removed: 6.00 s$/);
    const points = (await figures.nth(0).locator("polyline").getAttribute("points")).split(" ").map(point => point.split(",").map(Number));
    assert.equal(points.length, SHARES.length);
    assert.ok(points.every(([x, y], i) => i === 0 || (x > points[i - 1][0] && y >= points[i - 1][1])), "further to the right is faster, so lower");
    assert.equal(points[4][1], points[7][1]);
    await screenshot(page, "predictions");
    assert.deepEqual(errors, []);
    await close();
});

test("without advice a sentence says so", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("no-advice", { ...all, hypotheses: [], advice: [], curves: [] }));
    assert.match(await page.locator("#part-predictions").innerText(), /No balanced region and no barrier left out saves 1 %/);
    assert.equal(await page.locator("#part-predictions figure").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

test("where nothing was simulated there is no such section", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("no-predictions", null));
    await page.locator("#part-time, #part-about").first().waitFor();
    assert.equal(await page.locator("#part-predictions").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

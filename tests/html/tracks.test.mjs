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

function pageWith(name, tracks) {
    const head = {
        format: 1, kind: "report", title: name, creator: "Heddle", beside: null, headings: {}, attributes: [], leftOut: [],
        metrics: [{ id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, integer: false, extreme: false }],
        regions: [{ name: "main", file: "", paradigm: "user", role: "function", begin: -1 }],
        paths: { region: [0], parent: [-1], number: [0], label: [null] },
        system: { nodes: { name: ["lab"], class: ["machine"], parent: [-1] }, groups: { name: ["a", "b"], rank: [0, 1], node: [0, 0] },
                  locations: { name: ["", ""], thread: [0, 0], group: [0, 1] }, others: [] },
        topologies: [], tables: {}, tracks,
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

test("without metrics over time there is no such section", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("no-tracks", null));
    assert.equal(await page.locator("#part-tracks").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

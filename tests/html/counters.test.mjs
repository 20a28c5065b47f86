/* counters.test.mjs: the section "Counters" of the overview: what the summary says of them. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, html } from "./page_maker.mjs";
import { heddle, openBrowser, openPage, pageOf, reportOf, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const plain = text => Number(text.replace(/[,\u202f\u00a0]/g, ""));

test("counters have their sums, and levels their least, mean and most", async () => {
    const report = reportOf("ctr-process-master-4");
    const { counters, levels } = JSON.parse(heddle("summary", report, "--json")).counters;
    const { page, errors, close } = await openPage(browser, pageOf(report, "counters"), "#overview");
    const part = page.locator("#part-counters"), rows = part.locator("tbody tr");
    assert.equal(await part.locator("h2").innerText(), "Counters ?");
    assert.equal(await rows.count(), counters.length + levels.length);
    for (const [i, { name, computation, total }] of counters.entries()) {
        const cells = await rows.nth(i).locator("th, td").allInnerTexts();
        assert.ok(cells[0].startsWith(name) && plain(cells[1]) === computation && plain(cells[2]) === total, cells.join(" "));
    }
    for (const [i, { name, scope, least, most }] of levels.entries()) {
        const cells = await rows.nth(counters.length + i).locator("th, td").allInnerTexts();
        assert.ok(cells[0].startsWith(name) && cells[1] === scope && plain(cells[2]) === least && plain(cells[4]) === most, cells.join(" "));
    }
    await screenshot(page, "counters");
    assert.deepEqual(errors, []);
    await close();
});

function pageWith(name, counters, tracks = null) {
    const head = {
        format: 2, kind: "report", title: name, creator: "Heddle", beside: null, headings: { counters: "Counters" }, attributes: [], leftOut: [],
        metrics: [{ id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, integer: false, extreme: false }],
        regions: [{ name: "main", file: "", paradigm: "user", role: "function", begin: -1 }],
        paths: { region: [0], parent: [-1], number: [7], label: [null] },
        system: { nodes: { name: ["lab"], class: ["machine"], parent: [-1] }, groups: { name: ["a"], rank: [0], node: [0] },
                  locations: { name: [""], thread: [0], group: [0] }, others: [] },
        topologies: [], tables: {}, counters, tracks,
    };
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, encode(head, () => 1)));
    return file;
}

const level = { name: "power", unit: "W", scope: "node lab", is_level: true, values: 1, sum: 0, least: 1, mean: 1, most: 1 };

test("call paths that run badly, and what is computed from counters", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("badly", {
        counters: [{ id: "c_cycles", name: "cycles", unit: "#", total: 4, computation: 3 }], levels: [],
        derived: [{ id: "ipc", name: "Instructions per cycle", unit: "instructions/cycle", least: 0.25, most: 0.5 }],
        call_paths: [{ call_path_id: 7, value: 2, share: 0.5, what: "low IPC: 0.30 instructions per cycle; it delays no process" }],
    }));
    const part = page.locator("#part-counters");
    assert.match(await part.locator("ul.places li").innerText(), /2\.00 s\s*50\.0 %\s*main\s*low IPC: 0\.30 instructions per cycle; it delays no process/);
    assert.deepEqual(await part.locator("tbody tr").last().locator("th, td").allInnerTexts(), ["Instructions per cycle [instructions/cycle]", "0.2500", "0.5000"]);
    assert.deepEqual(errors, []);
    await close();
});

test("a level that has a row in another section is not said again", async () => {
    const data = { counters: [], derived: [], levels: [level], call_paths: [] };
    const tracks = { from: 0, to: 1, n: 1, rows: [{ name: "power", unit: "W", scope: "node lab", values: [1], least: [1], most: [1] }] };
    for (const [name, of, n] of [["level", null, 1], ["track", tracks, 0]]) {
        const { page, errors, close } = await openPage(browser, pageWith(name, data, of));
        await page.locator("#part-about").waitFor();
        assert.equal(await page.locator("#part-counters").count(), n);
        assert.deepEqual(errors, []);
        await close();
    }
});

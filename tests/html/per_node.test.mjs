/* per_node.test.mjs: the section "Per node" of the overview: a row for each node, where there are several. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, html } from "./page_maker.mjs";
import { openBrowser, openPage, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

function pageWith(name, nodes) {
    const head = {
        format: 2, kind: "report", title: name, creator: "Heddle", beside: null, headings: { per_node: "Per node" }, attributes: [], leftOut: [],
        metrics: [{ id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, integer: false, extreme: false }],
        regions: [{ name: "main", file: "", paradigm: "user", role: "function", begin: -1 }],
        paths: { region: [0], parent: [-1], number: [0], label: [null] },
        system: { nodes: { name: ["lab"], class: ["machine"], parent: [-1] }, groups: { name: ["a", "b"], rank: [0, 1], node: [0, 0] },
                  locations: { name: ["", ""], thread: [0, 0], group: [0, 1] }, others: [] },
        topologies: [], tables: {}, nodes,
    };
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, encode(head, () => 1)));
    return file;
}

test("nodes have a row each", async () => {
    const nodes = Array.from({ length: 12 }, (_, i) => ({ name: `node ${i}`, processes: 2, time: 4, computation: 2.5, mpi: 1.5, waiting: 1 - i / 20 }));
    const { page, errors, close } = await openPage(browser, pageWith("per-node", nodes));
    const part = page.locator("#part-per-node");
    assert.equal(await part.locator("h2").innerText(), "Per node");
    assert.deepEqual(await part.locator("tbody tr").first().locator("th, td").allInnerTexts(), ["node 0", "2", "2.50 s", "1.50 s", "1.00 s", "25.0 %"]);
    assert.equal(await part.locator("tbody tr").count(), 10);
    await part.locator(".more button").click();
    assert.equal(await part.locator("tbody tr").count(), 12);
    await screenshot(page, "per-node");
    assert.deepEqual(errors, []);
    await close();
});

test("a run on one node has no such section", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("one-node", [{ name: "node 0", processes: 2, time: 4, computation: 2.5, mpi: 1.5, waiting: 1 }]));
    await page.locator("#part-time, #part-about").first().waitFor();
    assert.equal(await page.locator("#part-per-node").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

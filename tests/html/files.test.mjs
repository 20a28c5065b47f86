/* files.test.mjs: the section "File I/O" of the overview: a row for each file, if operations on files were recorded. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, html } from "./page_maker.mjs";
import { openBrowser, openPage, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

function pageWith(name, files) {
    const head = {
        format: 2, kind: "report", title: name, creator: "Heddle", beside: null, headings: { files: "File I/O" }, attributes: [], leftOut: [],
        metrics: [{ id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, integer: false, extreme: false }],
        regions: [{ name: "main", file: "", paradigm: "user", role: "function", begin: -1 }],
        paths: { region: [0], parent: [-1], number: [0], label: [null] },
        system: { nodes: { name: ["lab"], class: ["machine"], parent: [-1] }, groups: { name: ["a", "b"], rank: [0, 1], node: [0, 0] },
                  locations: { name: ["", ""], thread: [0, 0], group: [0, 1] }, others: [] },
        topologies: [], tables: {}, files,
    };
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, encode(head, () => 1)));
    return file;
}

const row = { file: "out.dat", paradigm: "MPI-IO", inner: false, processes: 2, reads: 1, writes: 1233, others: 2, bytes_read: 1, bytes_written: 1.5e6,
    time: 0.0577, bandwidth: 2.6e7 };

test("files have a row each", async () => {
    const rows = [row, ...Array.from({ length: 11 }, (_, i) => ({ ...row, file: `<b>${i}`, inner: true, bandwidth: null }))];
    const { page, errors, close } = await openPage(browser, pageWith("files", { n: 300, rows }));
    const part = page.locator("#part-files");
    assert.equal(await part.locator("h2").innerText(), "File I/O");
    assert.deepEqual(await part.locator("tbody tr").first().locator("th, td").allInnerTexts(),
        ["out.dat", "MPI-IO", "2", "1,236", "1 byte", "1.43 MiB", "57.7 ms", "24.8 MiB/s"]);
    assert.deepEqual(await part.locator("tbody tr").nth(1).locator("th, td").allInnerTexts(),
        ["<b>0", "MPI-IO (inner)", "2", "1,236", "1 byte", "1.43 MiB", "57.7 ms", "\u2013"]);
    assert.equal(await part.locator("tbody tr").count(), 10);
    await part.locator(".more button").click();
    assert.equal(await part.locator("tbody tr").count(), 12);
    assert.match(await part.innerText(), /288 files with less time are only in the report/);
    await screenshot(page, "files");
    assert.deepEqual(errors, []);
    await close();
});

test("without operations on files there is no such section", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("no-files", { n: 0, rows: [] }));
    await page.locator("#part-time, #part-about").first().waitFor();
    assert.equal(await page.locator("#part-files").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

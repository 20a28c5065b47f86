/* matrix_view.test.mjs: the communication matrix in the overview: a heat map that can be zoomed, and a table of the pairs that it shows. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, encodeMatrix, html } from "./page_maker.mjs";
import { heddle, openBrowser, openPage, pageOf, reportOf, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

function pageWith(name, nProcesses, more, matrixNodes = []) {
    const ranks = Array.from({ length: nProcesses }, (_, i) => i);
    const head = {
        format: 2, kind: "report", title: name, creator: "Heddle", beside: null, headings: { communication: "Communication statistics" }, attributes: [],
        leftOut: [],
        metrics: [{ id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, integer: false, extreme: false }],
        regions: [{ name: "main", file: "", paradigm: "user", role: "function", begin: -1 }],
        paths: { region: [0], parent: [-1], number: [0], label: [null] },
        system: { nodes: { name: ["lab"], class: ["machine"], parent: [-1] }, groups: { name: ranks.map(() => ""), rank: ranks, node: ranks.map(() => 0) },
                  locations: { name: ranks.map(() => ""), thread: ranks.map(() => 0), group: ranks }, others: [] },
        topologies: [], tables: {}, nodes: [], matrixNodes,
    };
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, encode(head, () => 1), more));
    return file;
}

/* 0 -> 1: 4 messages of 1000 bytes together; 1 -> 0: 1 of 0 bytes; 3 -> 2: 10 of 640 bytes, the longest waiting. */
const pairs = [[0, 1, 4, 1000, 0.5, 0, 2], [1, 0, 1, 0, 0, 0.25, 1], [3, 2, 10, 640, 2, 1, 5]];
const sizes = [[0, 1], [7, 10], [8, 4]];
const ofNodes = [[0, 0, 5, 1000, 0.5, 0.25, 3], [1, 1, 10, 640, 2, 1, 5]];

async function rows(part) {
    return Promise.all((await part.locator("tbody tr").all()).map(row => row.locator("th, td").allInnerTexts()));
}

/* The colours in the middle of the cells of the picture, of n x n; "": the ground of the page. A copy is read: the page's own canvas would be
 * made slow to draw on. */
async function colours(part, n) {
    return part.locator("canvas").evaluate((canvas, n) => {
        const left = 64, top = 34, side = Math.min(canvas.clientWidth - left - 136, canvas.clientHeight - top - 8), ratio = devicePixelRatio;
        const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        const at = i => (i + 0.5) * side / n;
        return Array.from({ length: n }, (_, row) => Array.from({ length: n }, (_, column) => {
            const [r, g, b, a] = pen.getImageData((left + at(column)) * ratio, (top + at(row)) * ratio, 1, 1).data;
            return a === 0 ? "" : `${r},${g},${b}`;
        }));
    }, n);
}

async function checkCells(part, n, pairs) {
    (await colours(part, n)).forEach((cells, row) => cells.forEach((colour, column) =>
        assert.equal(colour !== "", pairs.some(([sender, receiver]) => sender === row && receiver === column), `${row} ${column}`)));
}

/* The colours of the scale beside the cells, from the largest value down. */
async function scale(part) {
    return part.locator("canvas").evaluate(canvas => {
        const left = 64, top = 34, side = Math.min(canvas.clientWidth - left - 136, canvas.clientHeight - top - 8), ratio = devicePixelRatio;
        const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        return [0.01, 0.5, 0.99].map(share => pen.getImageData((left + side + 20) * ratio, (top + share * Math.min(side, 200)) * ratio, 1, 1).data.slice(0, 3).join());
    });
}

/* Moves the pointer to a cell of n x n, once the picture stands still: sections above it may still grow. */
async function pointAt(part, n, row, column) {
    const canvas = part.locator("canvas");
    const { width, height } = await canvas.boundingBox();
    const side = Math.min(width - 64 - 136, height - 34 - 8);
    await canvas.hover({ position: { x: 64 + (column + 0.5) * side / n, y: 34 + (row + 0.5) * side / n } });
}

test("pairs are cells of a heat map and rows of a table", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("matrix", 4, {
        "heddle-matrix": encodeMatrix(4, 1, pairs, sizes), "heddle-matrix-nodes": encodeMatrix(2, 1, ofNodes, sizes),
    }, ["left", "right"]));
    const part = page.locator("#part-communication");
    await part.locator("canvas").waitFor();
    await part.scrollIntoViewIfNeeded();
    assert.equal(await part.locator("h2").innerText(), "Communication statistics");
    assert.match(await part.innerText(), /15 messages, 1,640 bytes; Late Sender 2.50 s, Late Receiver 1.25 s; mean transfer 533 ms/);
    assert.match(await part.innerText(), /66.7 % of 64 to 127 bytes, 26.7 % of 128 to 255 bytes, 6.7 % of 0 bytes/);
    assert.deepEqual(await rows(part), [["process 0", "process 1", "4", "1,000", "500 ms", "0 s", "500 ms"], ["process 3", "process 2", "10", "640", "2.00 s", "1.00 s", "500 ms"]]);
    await checkCells(part, 4, pairs);
    const drawn = await colours(part, 4);
    assert.notEqual(drawn[0][1], drawn[3][2]);
    const [most, middle, least] = await scale(part);
    assert.equal(new Set([most, middle, least]).size, 3);
    const near = (a, b) => a.split(",").every((value, i) => Math.abs(value - b.split(",")[i]) < 12);
    assert.ok(near(drawn[0][1], most) && near(drawn[1][0], least), `${drawn[0][1]} ${most}, ${drawn[1][0]} ${least}`); /* 1000 bytes, 0 bytes */

    await pointAt(part, 4, 3, 2);
    assert.deepEqual((await page.locator(".v-tip:visible").innerText()).split("\n").slice(0, 2), ["process 3 \u2192 process 2", "10 messages, 640 bytes"]);
    await screenshot(page, "matrix");

    await part.locator("select").last().selectOption("waiting");
    assert.deepEqual((await rows(part)).map(row => row[0]), ["process 3", "process 0", "process 1"]);
    await part.locator("select").first().selectOption("node");
    await part.locator("th", { hasText: "right" }).first().waitFor();
    assert.deepEqual((await rows(part)).map(row => row.slice(0, 4)), [["left", "left", "5", "1,000"], ["right", "right", "10", "640"]]);
    assert.deepEqual(errors, []);
    await close();
});

test("a part is shown when it is framed, by the wheel, and by keys", async () => {
    const { page, errors, close } = await openPage(browser, pageWith("matrix-zoom", 4, { "heddle-matrix": encodeMatrix(4, 1, pairs, sizes) }));
    const part = page.locator("#part-communication");
    await part.locator("canvas").waitFor();
    assert.equal(await part.locator("select").count(), 1); /* one node */
    await part.scrollIntoViewIfNeeded();
    await pointAt(part, 4, 0, 0);
    await page.mouse.down();
    await pointAt(part, 4, 1, 1);
    await page.mouse.up();
    await part.getByText("Senders: processes 0 to 1. Receivers: processes 0 to 1.").waitFor();
    assert.deepEqual((await rows(part)).map(row => row[0]), ["process 0"]);
    await checkCells(part, 2, pairs.slice(0, 2));
    await page.getByRole("button", { name: "Show all" }).click();
    assert.equal((await rows(part)).length, 2);

    await pointAt(part, 4, 3, 3);
    await page.mouse.wheel(0, -100);
    await part.getByText("Senders: processes 1 to 3. Receivers: processes 1 to 3.").waitFor();
    assert.deepEqual((await rows(part)).map(row => row[0]), ["process 3"]);
    await part.locator("canvas").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("+");
    await part.getByText("Senders: processes 1 to 2. Receivers: processes 1 to 2.").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("-");
    assert.equal((await rows(part)).length, 2);
    await page.getByRole("button", { name: "Dark", exact: true }).or(page.getByRole("button", { name: "Dark or light" })).first().click();
    await checkCells(part, 4, pairs);
    assert.deepEqual(errors, []);
    await close();
});

test("many processes are blocks of them, down to the pairs", async () => {
    const n = 65536, block = 2, all = [];
    for (let i = 0; i < n / block; i++)
        for (const j of [i - 128, i - 1, i + 1, i + 128])
            if (j >= 0 && j < n / block)
                all.push([i, j, 1, 1000 + i, 0, 0, 1e-6]);
    const { page, errors, close } = await openPage(browser, pageWith("matrix-large", 8, { "heddle-matrix": encodeMatrix(n, block, all, [[10, all.length]]) }));
    const part = page.locator("#part-communication");
    await part.locator("canvas").waitFor();
    assert.match(await part.innerText(), /Pairs are added up in blocks of 2 × 2 processes/);
    assert.equal((await rows(part))[0][0], `processes ${n - 2} to ${n - 1}`);
    await pointAt(part, 256, 100, 100);
    assert.match(await page.locator(".v-tip:visible").innerText(), /^processes 25600 to 25855 \u2192 processes 25600 to 25855/);
    await part.locator("canvas").focus();
    for (let i = 0; i < 12; i++)
        await page.keyboard.press("+");
    assert.match(await part.innerText(), /Senders: processes \d+ to \d+\./);
    await screenshot(page, "matrix-large");
    assert.deepEqual(errors, []);
    await close();
});

test("a report's page has the pairs of heddle matrix", async () => {
    const report = reportOf("scorep-jacobi-mpi-c-16");
    const { page, errors, close } = await openPage(browser, pageOf(report, "matrix-jacobi"));
    const part = page.locator("#part-communication");
    await part.locator("canvas").waitFor();
    const { pairs: expected, total } = JSON.parse(heddle("matrix", report, "--json", "--metric", "messages"));
    assert.match(await part.innerText(), new RegExp(`${total.messages} messages, ${total.bytes.toLocaleString("en")} bytes`));
    await checkCells(part, 16, expected.map(pair => [pair.sender, pair.receiver]));
    assert.deepEqual(errors, []);
    await close();
});

test("a page without a matrix has no such section", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("pat-mpi-4", "--no-matrix"), "matrix-none"));
    await page.locator("#part-about").waitFor();
    assert.equal(await page.locator("#part-communication").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

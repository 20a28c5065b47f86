/* saved_pictures.test.mjs: each view is saved as CSV, PNG and SVG. The files are read: the SVG is XML, its text is text that can be read on its ground
 * in both themes, its shapes have the places and colours of the values, and it is as large as the PNG. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openBrowserWithGl, openPage, reportOf, wholePageOf, work } from "./reports.mjs";

let browser, withGl, grid, waits, sizes;

before(async () => {
    [browser, withGl] = await Promise.all([openBrowser(), openBrowserWithGl()]);
    const reports = [reportOf("pat-topo-6"), reportOf("pat-mpi-4", "--stat")];
    [grid, waits] = reports.map((report, i) => wholePageOf(report, `saved-${i}`));
    sizes = join(work, "saved-sizes.html");
    heddle("scaling", ...reports, "--html", sizes, "-f");
});
after(() => Promise.all([browser?.close(), withGl?.close()]));

async function saved(page, button, kind) {
    await page.locator(`button[aria-label="${button}"]`).first().click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[role=menuitem]:has-text("${kind}")`).click()]);
    assert.ok(download.suggestedFilename().endsWith(`.${kind.toLowerCase()}`));
    return readFileSync(await download.path());
}

/* An SVG file, as a parser of XML reads it and as it is drawn by itself: text with its colour, shapes of one colour, problems. */
const read = (page, content) => page.evaluate(text => {
    const { documentElement: picture } = new DOMParser().parseFromString(text, "application/xml");
    const error = picture.querySelector("parsererror")?.textContent ?? (picture.namespaceURI === "http://www.w3.org/2000/svg" ? "" : picture.namespaceURI);
    const host = document.createElement("div");
    host.append(document.adoptNode(picture));
    document.body.append(host);
    const light = colour => /\d+/g[Symbol.match](colour).slice(0, 3).reduce((sum, part, i) => sum + [0.299, 0.587, 0.114][i] * part, 0);
    const ground = picture.querySelector(":scope > rect");
    const out = {
        error, width: Number(picture.getAttribute("width")), height: Number(picture.getAttribute("height")), ground: light(getComputedStyle(ground).fill),
        texts: [...picture.querySelectorAll("text")].map(element => ({ text: element.textContent, light: light(getComputedStyle(element).fill), on: element.getAttribute("fill"),
            x: element.getBBox().x, width: element.getBBox().width })),
        shapes: [...picture.querySelectorAll("path")].filter(shape => shape.closest("defs") === null && shape.getAttribute("fill") !== "none").map(shape => {
            const { x, y, width, height } = shape.getBBox();
            return { fill: shape.getAttribute("fill"), x, y, width, height, d: shape.getAttribute("d") };
        }),
        dashed: picture.querySelectorAll("[stroke-dasharray]:not([stroke-dasharray=none])").length,
        links: [...text.matchAll(/url\(["']?([^)"']*)/g)].map(([, to]) => to).filter(to => !to.startsWith("#") || picture.querySelector(to) === null),
    };
    host.remove();
    return out;
}, content.toString());

const PNG_SIZE = content => [content.readUInt32BE(16), content.readUInt32BE(20)];

/* onThings: text that stands on coloured things, not on the ground. */
async function savedPicture(page, button, texts, onThings = () => false) {
    const content = await saved(page, button, "SVG");
    const picture = await read(page, content);
    assert.equal(picture.error, "");
    assert.deepEqual(picture.links, []);
    assert.doesNotMatch(content.toString(), /light-dark|class=|<image|<foreignObject|href=|rgba\(/);
    for (const text of texts)
        assert.ok(picture.texts.some(one => one.text === text), `"${text}" among ${picture.texts.map(one => one.text).join(", ")}`);
    for (const { text, light, x, width } of picture.texts) {
        assert.ok(onThings(text) || Math.abs(light - picture.ground) > 80, `${text}: ${light} on ${picture.ground}`);
        assert.ok(x > -2 && x + width < picture.width + 2, `${text} is in the picture`);
    }
    const png = await saved(page, button, "PNG");
    const [width, height] = PNG_SIZE(png);
    assert.ok(Math.abs(width / height - picture.width / picture.height) < 0.02, `${width} x ${height}, ${picture.width} x ${picture.height}`);
    const rows = (await saved(page, button, "CSV")).toString().trim().split("\r\n").map(line => line.split(","));
    return { ...picture, rows };
}

for (const colorScheme of ["light", "dark"]) {
    const onPage = (name, file, hash, check, wanted = () => browser) => test(`${name}, ${colorScheme}`, async () => {
        const { page, errors, close } = await openPage(wanted(), file(), hash, { viewport: { width: 1500, height: 1000 }, acceptDownloads: true, colorScheme });
        page.setDefaultTimeout(60000);
        await check(page);
        assert.deepEqual(errors, []);
        await close();
    });
    const PANE = "System tree: save";

    onPage("a topology on two axes: a shape for each colour, and the values in it", () => grid, "#trees&m=visits&view=topology&topology.axes=2", async page => {
        await page.locator(".v-stage canvas").waitFor();
        const { rows, shapes, texts } = await savedPicture(page, PANE, ["x", "y", "0", "1", "2"], text => text.length === 3);
        const cells = shapes.filter(({ fill }) => fill.startsWith("rgb")).flatMap(({ fill, d }) => d.split("Z").filter(box => box !== "").map(box => ({ fill, box })));
        const values = rows.slice(1).map(row => Number(row.at(-2)));
        assert.equal(values.length, 6);
        assert.equal(cells.length, 6);
        assert.equal(new Set(cells.map(({ fill }) => fill)).size, new Set(values).size);
        assert.deepEqual(texts.map(({ text }) => text).filter(text => text.length === 3).sort(), values.map(String).sort());
    });

    onPage("a topology on three axes: the sides of the boxes that are seen", () => grid, "#trees&m=visits&view=topology&topology.axes=3", async page => {
        await page.locator(".v-axis-name").first().waitFor();
        const { shapes, width, height, rows } = await savedPicture(page, PANE, ["x", "y"]);
        assert.equal(rows.length, 7);
        const sides = shapes.filter(({ d }) => /^M[^LZ]+L[^LZ]+L[^LZ]+L[^LZ]+Z$/.test(d));
        assert.ok(sides.length >= 12 && sides.length <= 18, `${sides.length} sides of 6 boxes`);
        for (const side of sides)
            assert.ok(side.x >= 0 && side.y >= 0 && side.x + side.width <= width && side.y + side.height <= height);
    }, () => withGl);

    onPage("bars: their heights are as the values", () => grid, "#trees&m=visits&view=bars", async page => {
        await page.locator(".v-stage canvas").waitFor();
        const { shapes, rows, dashed } = await savedPicture(page, PANE, ["0", "5"]);
        const values = rows.slice(1).map(row => Number(row[1]));
        const bars = shapes.filter(({ width, height }) => width > 10 && height > 50).sort((a, b) => a.x - b.x);
        assert.equal(bars.length, values.length);
        bars.forEach(({ height }, i) => assert.ok(Math.abs(height / bars[0].height - values[i] / values[0]) < 0.02, `bar ${i}`));
        assert.ok(dashed >= 1, "the mean");
    });

    onPage("the box plot", () => waits, "#trees&m=time&view=spread", async page => {
        await page.locator(".v-row").first().waitFor();
        const { rows } = await savedPicture(page, PANE, ["all 4 processes"]);
        assert.equal(rows[1][1], "4");
    });

    onPage("the communication matrix: a cell for each pair", () => waits, "#overview", async page => {
        await page.locator(".matrix-picture canvas").waitFor();
        const { shapes, rows, width } = await savedPicture(page, "Save the communication matrix", ["receiver \u2192", "sender \u2193", "3", "0 bytes"]);
        const side = (width - 64 - 136) / 4;
        const covered = new Set(shapes.flatMap(({ d }) => [...d.matchAll(/M([\d.]+),([\d.]+)H([\d.]+)/g)].flatMap(([, from, top, to]) =>
            Array.from({ length: Math.round((to - from) / side) }, (_, i) => `process ${Math.round((top - 34) / side)},process ${Math.round((from - 64) / side) + i}`))));
        assert.deepEqual([...covered].sort(), rows.slice(1).map(([sender, receiver]) => `${sender},${receiver}`).sort());
    });

    onPage("a timeline excerpt: calls, waits and messages", () => waits, "#overview", async page => {
        await page.locator(".v-timeline svg").first().waitFor();
        const { texts, rows } = await savedPicture(page, "Save the timeline excerpt", ["waits", "waited for"]);
        assert.ok(texts.some(({ text }) => /^waits [\d.]+ ms$/.test(text)));
        assert.ok(texts.some(({ text }) => text === "MPI_Recv"));
        for (const kind of ["call", "wait", "message"])
            assert.ok(rows.some(row => row[0] === kind), kind);
        for (const [, , , , begin, end] of rows.slice(1))
            assert.ok(Number(begin) <= Number(end));
    });

    onPage("the chart of several sizes: a line for each, with its name", () => sizes, "", async page => {
        await page.locator(".v-scaling > .v-chart canvas").waitFor();
        const { texts, shapes, rows } = await savedPicture(page, "Save the values and the chart", ["processes", "4", "6", "Late Sender"]);
        const named = texts.filter(({ text }) => rows.some(row => row[1] === text));
        const points = shapes.filter(({ d }) => /A/.test(d));
        assert.equal(points.length, 2 * named.length);
        const late = rows.find(row => row[1] === "Late Sender");
        assert.deepEqual(late.slice(0, 1).concat(late[2]), ["metric", "sec"]);
        assert.ok(Number(late[3]) > 0 && Number(late[4]) > 0);
    });
}

test("names of a report that XML cannot have are not in the way", async () => {
    const { page, errors, close } = await openPage(browser, waits, "#overview", { viewport: { width: 1500, height: 1000 }, acceptDownloads: true });
    await page.locator(".v-timeline svg").first().waitFor();
    await page.evaluate(() => (document.querySelector(".v-timeline svg text.v-name").textContent = "<a & \u0001\ufffe\u00e9>"));
    const picture = await read(page, await saved(page, "Save the timeline excerpt", "SVG"));
    assert.equal(picture.error, "");
    assert.ok(picture.texts.some(({ text }) => text === "<a & \ufffd\ufffd\u00e9>"));
    assert.deepEqual(errors, []);
    await close();
});

/* views.test.mjs: the views of the system pane and the page of several sizes, in a browser: what they say equals what is
 * in the report, with pointer, keyboard and address; with 65,536 locations; without WebGL. Leaves screenshots. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, html } from "./page_maker.mjs";
import { heddle, openBrowser, openBrowserWithGl, openPage, wholePageOf, reportOf, screenshot, work } from "./reports.mjs";

let browser, withGl;

before(async () => ([browser, withGl] = await Promise.all([openBrowser(), openBrowserWithGl()])));
after(() => Promise.all([browser?.close(), withGl?.close()]));

/* ---- reports made by hand: processes with a thread each, on nodes of four, on a grid in the order of their ranks, the last dimension fastest --- */

const region = (name, paradigm, role) => ({ name, file: "", paradigm, role, begin: -1 });

function headOf(sizes, tables = {}) {
    const n = sizes.reduce((a, b) => a * b, 1);
    const nNodes = Math.ceil(n / 4);
    const strides = sizes.map((_, d) => sizes.slice(d + 1).reduce((a, b) => a * b, 1));
    const ranks = Array.from({ length: n }, (_, i) => i);
    return {
        format: 2, kind: "report", title: `grid ${sizes.join(" x ")}`, creator: "Heddle", beside: null, headings: {}, attributes: [], leftOut: [],
        metrics: [
            { id: "time", name: "Time", unit: "sec", what: "", parent: -1, integer: false, extreme: false, wait: false },
            { id: "visits", name: "Visits", unit: "occ", what: "", parent: -1, integer: true, extreme: false, wait: false },
        ],
        regions: [region("main", "user", "function"), region("MPI_Recv", "mpi", "point2point"), region("MPI_Send", "mpi", "point2point"), region("solve", "user", "function")],
        paths: { region: [0, 1, 2, 3], parent: [-1, 0, 0, 0], number: [10, 11, 12, 13], label: [null, null, null, null] },
        system: {
            nodes: { name: ["machine", ...Array.from({ length: nNodes }, (_, i) => `node${i}`)], class: ["machine", ...new Array(nNodes).fill("node")], parent: [-1, ...new Array(nNodes).fill(0)] },
            groups: { name: ranks.map(rank => `MPI Rank ${rank}`), rank: ranks, node: ranks.map(rank => 1 + Math.floor(rank / 4)) },
            locations: { name: new Array(n).fill(""), thread: new Array(n).fill(0), group: ranks },
        },
        topologies: [{
            name: "grid", dimensions: sizes.map((size, d) => ({ name: "xyzuv"[d], size, periodic: d === 0 })),
            coordinates: [ranks, ...sizes.map((size, d) => ranks.map(rank => Math.floor(rank / strides[d]) % size))],
        }],
        tables: { findings: null, causes: null, pairs: null, statistics: null, instances: null, moments: null, ...tables },
    };
}

/* value(metric, rank): all of it in the first call path. */
function pageMade(name, head, value) {
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, head.metrics === undefined || value === null ? [] : encode(head, (metric, path, location) => (path === 0 ? value(metric, location) : 0))));
    return file;
}

const said = page => page.locator(".v-live").innerText();

async function press(page, ...keys) {
    for (const key of keys)
        await page.keyboard.press(key);
}

/* Views are updated behind a frame. */
const settled = page => page.evaluate(async () => {
    for (let i = 0; i < 2; i++)
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
});

async function choose(page, label, value) {
    await page.locator(".v-view label", { hasText: label }).locator("select").selectOption(value);
    await settled(page);
}

/* What the tip says with the pointer at points of the picture that are `step` pixels apart. */
const tipsOf = (page, step) => page.evaluate(apart => {
    const canvas = document.querySelector(".v-stage canvas"), tip = document.querySelector(".v-tip");
    const box = canvas.getBoundingClientRect();
    const tips = new Set();
    for (let x = apart; x < box.width; x += apart)
        for (let y = apart; y < box.height; y += apart) {
            canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x, clientY: box.top + y }));
            if (!tip.hidden)
                tips.add([...tip.children].map(line => line.textContent).join("\n"));
        }
    return [...tips];
}, step);

/* Like in the address, which follows a moment later. */
async function addressHas(page, part) {
    await page.waitForFunction(text => decodeURIComponent(location.hash).includes(text), part);
}

/* ---- topologies -------------------------------------------------------------------------------------------------------------- */

test("the keyboard tells every place of a real topology, with the value that heddle dump prints", async () => {
    const report = reportOf("pat-topo-6");
    const dumped = new Array(6).fill(0);
    for (const line of heddle("dump", report).split("\n")) {
        const [metric, , process, , value] = line.split("\t");
        if (metric === "visits")
            dumped[Number(process)] += Number(value);
    }
    const { page, errors, close } = await openPage(browser, wholePageOf(report, "views-real"), "#trees&m=visits&view=topology");
    await page.locator(".v-stage canvas").focus();
    for (let y = 0; y < 2; y++) {
        for (let x = 0; x < 3; x++) {
            if (x > 0 || y === 0)
                await press(page, "ArrowRight");
            const text = await said(page);
            const [, process, atX, atY, value] = /process (\d+).*x (\d), y (\d)\. ([\d,]+)/.exec(text) ?? assert.fail(text);
            assert.deepEqual([atX, atY].map(Number), [x, y]);
            assert.equal(Number(process), 2 * x + y);
            assert.equal(Number(value.replace(",", "")), dumped[process]);
        }
        await press(page, "ArrowDown", "ArrowLeft", "ArrowLeft");
    }
    await screenshot(page, "view-topology-real");
    assert.deepEqual(errors, []);
    await close();
});

test("the pointer tells who is at a cell, a click selects, and the address brings it back", async () => {
    const file = pageMade("views-grid", headOf([4, 3]), (metric, rank) => (metric === 0 ? rank + 0.5 : 100 * rank));
    const { page, errors, close } = await openPage(browser, file, "#trees&m=visits&view=topology");
    const box = await page.locator(".v-stage canvas").boundingBox();
    const tips = await tipsOf(page, 20);
    assert.equal(tips.length, 12);
    for (let rank = 0; rank < 12; rank++) {
        const [tip] = tips.filter(text => text.startsWith(`process ${rank},`));
        assert.ok(tip?.includes(`x ${Math.floor(rank / 3)}, y ${rank % 3}`), tip);
        assert.ok(tip.split("\n").includes((100 * rank).toLocaleString("en")), tip);
    }
    await page.mouse.click(box.x + 60, box.y + 60);
    await addressHas(page, "&s=");
    const address = page.url();
    await screenshot(page, "view-topology-selected");
    await close();
    const again = await openPage(browser, file, address.slice(address.indexOf("#")));
    assert.match(await again.page.locator(".pane.system .details").innerText(), /MPI Rank 0: 0/);
    assert.deepEqual([...errors, ...again.errors], []);
    await again.close();
});

test("dimensions are folded, sliced and summed over; the address holds it", async () => {
    const head = headOf([2, 3, 4, 5]);
    const file = pageMade("views-4d", head, (metric, rank) => (metric === 0 ? 1 : rank));
    const { page, errors, close } = await openPage(browser, file, "#trees&m=visits&view=topology&topology.axes=2");
    await choose(page, "x (", "at");
    await page.locator("label", { hasText: "x =" }).locator("input").fill("1");
    await settled(page);
    await choose(page, "y (", "sum");
    await choose(page, "z (", "0");
    await choose(page, "u (", "1");
    await addressHas(page, "topology.fold=2;3,0=1,1=sum");
    const canvas = page.locator(".v-stage canvas");
    await canvas.focus();
    await press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown");
    /* x 1, z 2, u 1, all of y */
    const expected = [0, 1, 2].map(y => ((1 * 3 + y) * 4 + 2) * 5 + 1).reduce((a, b) => a + b);
    const told = await said(page);
    assert.match(told, /x 1, y \(all\), z 2, u 1/);
    assert.ok(told.includes(`. ${expected}. sum of 3 locations`), told);
    assert.match(await page.locator(".v-foot").innerText(), /60 locations at 20 places; 60 locations outside the slice/);
    await screenshot(page, "view-topology-slice");
    const address = page.url();
    await close();
    const again = await openPage(browser, file, address.slice(address.indexOf("#")));
    assert.match(await again.page.locator(".v-foot").innerText(), /60 locations at 20 places/);
    assert.equal(await again.page.locator("label", { hasText: "x =" }).locator("output").innerText(), "1");
    assert.deepEqual([...errors, ...again.errors], []);
    await again.close();
});

test("three axes are drawn, tell what is at the pointer, turn by keyboard", async () => {
    const file = pageMade("views-3d", headOf([4, 3, 2]), (_, rank) => rank + 1);
    const { page, errors, close } = await openPage(withGl, file, "#trees&m=visits&view=topology");
    const canvas = page.locator(".v-stage canvas");
    const tips = await tipsOf(page, 16);
    assert.ok(tips.length >= 12, tips.join("\n"));
    for (const tip of tips) {
        const [, process, x, y, z, value] = /process (\d+)[^]*x (\d), y (\d), z (\d)\s+(\d+)/.exec(tip) ?? assert.fail(tip);
        assert.equal(Number(process), (Number(x) * 3 + Number(y)) * 2 + Number(z));
        assert.equal(Number(value), Number(process) + 1);
    }
    await canvas.focus();
    await press(page, "Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowRight", "ArrowRight", "PageDown");
    assert.match(await said(page), /process 7, .*x 1, y 0, z 1\. 8/);
    await addressHas(page, "topology.part=0.95_0.36");
    const names = await page.locator(".v-axis-name").allInnerTexts();
    assert.deepEqual(names, ["x", "y", "z"]);
    await screenshot(page, "view-topology-3d");
    assert.deepEqual(errors, []);
    await close();
});

test("views are mounted and unmounted many times without losing WebGL", async () => {
    const file = pageMade("views-leak", headOf([3, 3, 3]), (_, rank) => rank);
    const { page, errors, close } = await openPage(withGl, file, "#trees&view=topology");
    for (let i = 0; i < 20; i++)
        for (const name of ["bars", "topology"]) {
            await page.evaluate(text => [...document.querySelectorAll(".pane.system .tabs button")].find(button => button.textContent === text).click(), name);
            await settled(page);
        }
    await page.locator(".v-stage canvas").waitFor();
    assert.equal(await page.locator(".v-stage canvas").count(), 1);
    assert.equal(await page.evaluate(() => document.querySelector(".v-stage canvas").getContext("webgl2").isContextLost()), false);
    assert.deepEqual(errors, []);
    await close();
});

test("without WebGL two axes are shown, and three say why not", async () => {
    const plain = await openBrowser("--disable-3d-apis");
    try {
        const file = pageMade("views-no-gl", headOf([3, 3, 3]), (_, rank) => rank);
        const { page, errors, close } = await openPage(plain, file, "#trees&m=visits&view=topology");
        assert.match(await page.locator(".v-foot").innerText(), /27 locations at 27 places/);
        await choose(page, "Picture", "3");
        assert.match(await page.locator(".v-stage").innerText(), /Three axes need WebGL/);
        assert.deepEqual(errors, []);
        await close();
    } finally {
        await plain.close();
    }
});

/* ---- bars, box plot ---------------------------------------------------------------------------------------------------------- */

const scattered = rank => (rank === 17 ? 5000 : 100 + ((rank * 37) % 40));

test("bars are told in the order wished for, and Enter selects", async () => {
    const file = pageMade("views-bars", headOf([8, 4]), (_, rank) => scattered(rank));
    const { page, errors, close } = await openPage(browser, file, "#trees&m=visits&view=bars");
    await choose(page, "Sorted", "falling");
    await page.locator(".v-stage").focus();
    const told = [];
    for (let i = 0; i < 32; i++) {
        await press(page, "ArrowRight");
        const [, rank, value] = /process (\d+), ([\d,]+)/.exec(await said(page));
        assert.equal(Number(value.replace(",", "")), scattered(Number(rank)));
        told.push(Number(value.replace(",", "")));
    }
    assert.deepEqual(told, Array.from({ length: 32 }, (_, rank) => scattered(rank)).sort((a, b) => b - a));
    await press(page, ...new Array(31).fill("ArrowLeft"), "Enter");
    await addressHas(page, "&s=");
    assert.match(await page.locator(".pane.system .details").innerText(), /MPI Rank 17: 5,000/);
    await choose(page, "Bars", "node");
    await page.locator(".v-stage").focus();
    await press(page, "ArrowRight");
    const nodes = Array.from({ length: 8 }, (_, node) => [0, 1, 2, 3].map(i => scattered(4 * node + i)).reduce((a, b) => a + b));
    assert.equal(await said(page), `node4, ${nodes[4].toLocaleString("en")}`);
    assert.equal(Math.max(...nodes), nodes[4]);
    await screenshot(page, "view-bars");
    assert.deepEqual(errors, []);
    await close();
});

test("the box plot has the quartiles, node by node, and names what is outside", async () => {
    const file = pageMade("views-box", headOf([8, 4]), (_, rank) => scattered(rank));
    const { page, errors, close } = await openPage(browser, file, "#trees&m=visits&view=spread");
    const sorted = Array.from({ length: 32 }, (_, rank) => scattered(rank)).sort((a, b) => a - b);
    const at = p => sorted[Math.floor(p * 31)] + (p * 31 - Math.floor(p * 31)) * (sorted[Math.floor(p * 31) + 1] - sorted[Math.floor(p * 31)]);
    const facts = (await page.locator(".v-facts").innerText()).split("\n").map(text => text.replaceAll(",", ""));
    for (const [name, p] of [["first quartile", 0.25], ["median", 0.5], ["third quartile", 0.75]])   /* the page rounds counts */
        assert.ok(Math.abs(Number(facts[facts.indexOf(name) + 1]) - at(p)) <= 0.5, `${name} ${facts[facts.indexOf(name) + 1]}, ${at(p)}`);
    assert.equal(Number(facts[facts.indexOf("largest") + 1]), 5000);
    assert.equal(await page.locator(".v-row").count(), 9);
    await choose(page, "Drawn as", "violin");
    await choose(page, "Nodes", "max");
    assert.match(await page.locator(".v-row").nth(1).getAttribute("aria-label"), /^node4: largest 5,000/);
    const outliers = page.locator(".v-outliers li");
    assert.equal(await outliers.count(), 1);
    assert.equal(await outliers.innerText(), "process 17, thread 0 5,000".replace(", thread 0", ""));
    await outliers.locator("button").click();
    assert.match(await page.locator(".pane.system .details").innerText(), /MPI Rank 17: 5,000/);
    await screenshot(page, "view-box-plot");
    assert.deepEqual(errors, []);
    await close();
});

/* ---- many locations ---------------------------------------------------------------------------------------------------------- */

test("65,536 locations are drawn and answer", async t => {
    const head = headOf([64, 32, 32]);
    head.metrics = head.metrics.slice(0, 1);
    const file = pageMade("views-65536", head, (_, rank) => 1 + ((rank * 7919) % 1000) / 1000 + (rank % 5000 === 17 ? 9 : 0));
    const { page, errors, close } = await openPage(withGl, file, "#trees&view=tree");
    /* From the change of a control to the frame that shows it. Views are updated behind a frame; reading a pixel waits for WebGL. */
    const timed = async (name, label, value) => {
        const ms = await page.evaluate(async ([label, value]) => {
            const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            const select = [...document.querySelectorAll(".v-view label")].find(one => one.textContent.startsWith(label)).querySelector("select");
            await frame();
            const begin = performance.now();
            select.value = value;
            select.dispatchEvent(new Event("change"));
            await frame();
            await frame();
            document.querySelector(".v-stage canvas")?.getContext("webgl2")?.readPixels(0, 0, 1, 1, 6408, 5121, new Uint8Array(4));
            return performance.now() - begin;
        }, [label, value]);
        t.diagnostic(`${name}: ${ms.toFixed(0)} ms`);
    };
    const show = async view => {
        await page.locator(".pane.system .tabs button", { hasText: view }).click();
        await page.locator(`.v-${view.replace(" ", "")} .v-foot p`).waitFor();
    };
    await show("topology");
    assert.match(await page.locator(".v-foot").innerText(), /65,536 locations at 65,536 places/);
    await screenshot(page, "view-65536-3d");
    await timed("three axes, colours changed (software renderer)", "Colours", "range");
    await choose(page, "Picture", "2");
    await timed("two axes, colours changed", "Colours", "zero");
    const box = await page.locator(".v-stage canvas").boundingBox();
    await page.mouse.move(box.x + 90, box.y + box.height / 2);
    assert.match(await page.locator(".v-tip").innerText(), /process \d+/);
    await screenshot(page, "view-65536-2d");
    await show("bars");
    await timed("bars, sorted", "Sorted", "falling");
    await page.locator(".v-stage").focus();
    await press(page, "ArrowRight", "+", "+", "+", "+", "+", "+", "+", "+", "+");
    await addressHas(page, "bars.part=0_128");
    await press(page, "ArrowRight");
    assert.match(await said(page), /process \d+/);
    await screenshot(page, "view-65536-bars");
    await show("box plot");
    await timed("box plot, drawn as violins", "Drawn as", "violin");
    assert.match(await page.locator("h4").innerText(), /14 outliers of 65,536 processes/);
    await screenshot(page, "view-65536-box-plot");
    assert.deepEqual(errors, []);
    await close();
});

/* ---- several sizes ------------------------------------------------------------------------------------------------------------ */

test("the page of several sizes has shares, growth, lines, and an address", async () => {
    const sizes = [4, 16, 64];
    const metric = (id, name, parent, wait, unit, values, growth) => ({ id, name, unit, what: "", parent, wait, values, growth });
    const head = {
        format: 2, kind: "scaling", title: "a.4, a.16, a.64", creator: "Heddle",
        runs: sizes.map(n => ({ title: `a.${n}.cubex`, processes: n, locations: n, time: 100 * n })),
        metrics: [
            metric("time", "Time", -1, false, "sec", sizes.map(n => 100 * n), 0), metric("visits", "Visits", -1, false, "occ", sizes.map(n => 1000 * n), null),
            metric("mpi_latesender", "Late Sender", 0, true, "sec", [4, 64, 640], 2.25), metric("mpi_barrier_wait", "Wait at Barrier", 0, true, "sec", [null, 32, 128], 0.1),
        ],
        paths: [{ names: ["main", "solve", "MPI_Recv"], values: [1, 10, 200], growth: 0.5 }],
    };
    const file = join(work, "views-scaling.html");
    writeFileSync(file, html(head, []));
    const { page, errors, close } = await openPage(browser, file);
    const row = name => page.locator("tr", { has: page.getByRole("rowheader", { name, exact: true }) });
    assert.deepEqual((await row("Late Sender").locator(".v-number").allInnerTexts()), ["1.0 %", "4.0 %", "10.0 %", "+2.25"]);
    assert.deepEqual((await row("Wait at Barrier").locator(".v-number").allInnerTexts()), ["–", "2.0 %", "2.0 %", "+0.10"]);
    assert.deepEqual((await row("Visits").locator(".v-number").allInnerTexts()), ["4,000", "16,000", "64,000", ""]);
    assert.match(await page.locator(".v-scaling > p").innerText(), /Fastest-growing wait states: Late Sender \(\+2\.25\), Wait at Barrier \(\+0\.10\)/);
    assert.equal(await row("Late Sender").locator("input").isChecked(), true);
    assert.match(await page.locator(".v-chart").getAttribute("aria-label"), /: Late Sender, Wait at Barrier\./);
    await screenshot(page, "view-scaling");
    await page.locator("label", { hasText: "Values" }).locator("select").selectOption("factor");
    await row("Visits").locator("input").check();
    assert.deepEqual((await row("Visits").locator(".v-number").allInnerTexts()).slice(0, 3), ["× 1", "× 4", "× 16"]);
    const address = page.url();
    await close();
    const again = await openPage(browser, file, address.slice(address.indexOf("#")), { colorScheme: "dark" });
    assert.match(await again.page.locator(".v-chart").getAttribute("aria-label"), /smallest run.*: Late Sender, Wait at Barrier, Visits\./);
    await screenshot(again.page, "view-scaling-dark");
    assert.deepEqual([...errors, ...again.errors], []);
    await again.close();
});

test("models of several sizes: predictions, error, and a dashed curve that is not drawn over shares", async () => {
    const sizes = [2, 4, 8, 16];
    const model = { term: "log p", constant: 1, factor: 0.25, exponent: 0, logExponent: 1, error: 0.031 };
    const metric = (id, name, parent, values, of) => ({ id, name, unit: "sec", what: "", parent, wait: parent >= 0, values, growth: 0, model: of });
    const head = {
        format: 2, kind: "scaling", title: "models", creator: "Heddle", isStartupCounted: false, predicted: [32, 64],
        runs: sizes.map(n => ({ title: `a.${n}`, processes: n, locations: n, time: 10 * n })),
        metrics: [metric("time", "Time", -1, sizes.map(n => 10 * n), { ...model, term: "constant", constant: 10, factor: 0, logExponent: 0 }),
            metric("late", "Late Sender", 0, sizes.map(n => n * (1 + Math.log2(n) / 4)), model), metric("other", "Other", 0, sizes.map(() => 1), null)],
        paths: [], waits: [{ name: "Late Sender", names: ["main", "solve", "MPI_Recv"], values: sizes.map(n => n * (1 + Math.log2(n) / 4)), growth: 0, model }],
    };
    const file = join(work, "views-models.html");
    writeFileSync(file, html(head, []));
    const { page, errors, close } = await openPage(browser, file, "#as=share&show=late");
    const row = name => page.locator("tr", { has: page.getByRole("rowheader", { name, exact: true }) });
    assert.deepEqual((await row("Late Sender").getByRole("cell").allInnerTexts()).slice(-4), ["2.25 s", "2.50 s", "3.1 %", "1.00 s + 250 ms · log p"]);
    assert.deepEqual((await row("Time").getByRole("cell").allInnerTexts()).slice(-1), ["10.0 s"]);
    assert.deepEqual((await row("Other").getByRole("cell").allInnerTexts()).slice(-4), ["–", "–", "–", ""]);
    assert.match(await page.locator("main").innerText(), /Start-up .* is not counted[^]*Wait states at call paths that grow most/);
    assert.deepEqual((await row("main › solve › MPI_Recv (Late Sender)").getByRole("cell").allInnerTexts()).slice(-2), ["3.1 %", "1.00 s + 250 ms · log p"]);
    await page.locator(".v-chart canvas").waitFor();
    await page.evaluate(() => {
        const { setLineDash } = CanvasRenderingContext2D.prototype;
        window.dashed = 0;
        CanvasRenderingContext2D.prototype.setLineDash = function (dash) {
            window.dashed += dash.length > 0;
            return setLineDash.call(this, dash);
        };
    });
    const select = page.locator("label", { hasText: "Values" }).locator("select");
    await row("Other").locator("input").check();                       /* drawn anew, as shares: no curve */
    await page.waitForFunction(() => /Other/.test(document.querySelector(".v-chart").ariaLabel));
    assert.equal(await page.evaluate(() => window.dashed), 0);
    await select.selectOption("process");
    await page.waitForFunction(() => window.dashed > 0);
    await screenshot(page, "view-models");
    assert.deepEqual(errors, []);
    await close();
});

/* ---- paper -------------------------------------------------------------------------------------------------------------------- */

test("on paper a dark page is dark ink, without its controls", async () => {
    const file = pageMade("views-paper", headOf([8, 4]), (_, rank) => scattered(rank));
    const { page, errors, close } = await openPage(browser, file, "#trees&m=visits&view=bars", { colorScheme: "dark" });
    await page.locator(".v-stage canvas").waitFor();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.waitForFunction(() => {
        const canvas = document.querySelector(".v-stage canvas");
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const pen = copy.getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        const { data } = pen.getImageData(0, 0, copy.width, copy.height);
        let light = 0, dark = 0;
        for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200 && Math.abs(data[i] - data[i + 1]) < 12 && Math.abs(data[i] - data[i + 2]) < 12)
                data[i] > 160 ? light++ : dark++;
        return dark > 50 && dark > light;
    });
    assert.equal(await page.locator(".v-controls").first().isVisible(), false);
    await screenshot(page, "view-paper");
    assert.deepEqual(errors, []);
    await close();
});

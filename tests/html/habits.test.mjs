/* habits.test.mjs: what is done every day in the explorer: the hot path, zero rows, a root of the call tree, menus of rows, files, a search that keeps the
 * tree, percent of a second report; and that the front page counts and words as the terminal does. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openPage, pageOf, reportOf, screenshot, wholePageOf } from "./reports.mjs";
import { Expected, addHands, addressFollows, isClose, press, rowsOf, settle, whole } from "./shown.mjs";

const LATE = "mpi_latesender";
let browser, report, file, expected;
before(async () => {
    browser = await openBrowser();
    report = reportOf("pat-mpi-4");
    file = wholePageOf(report, "habits");
    expected = new Expected(report, file);
});
after(() => browser.close());

function onPage(name, hash, act, options, page = () => file) {
    test(name, async () => {
        const opened = await openPage(browser, page(), hash, options);
        await addHands(opened.page, { tall: options === undefined });
        await act(opened.page);
        await screenshot(opened.page, name);
        assert.deepEqual(opened.errors, []);
        await opened.close();
    });
}

const { max } = Math;
const inclusive = (id, p) => expected.value(id, false, whole(expected.keys[p])).value;

/* Down from the largest root while a child has more than the call path itself. */
function hotPath(id) {
    const { parent } = expected.head.paths;
    const children = p => parent.flatMap((of, q) => (of === p ? [q] : []));
    const largest = nodes => nodes.reduce((most, q) => (inclusive(id, q) > inclusive(id, most) ? q : most));
    const chain = [largest(children(-1))];
    for (let below = children(chain[0]); below.length > 0; below = children(chain.at(-1))) {
        const next = largest(below);
        if (expected.value(id, false, key => key === expected.keys[chain.at(-1)]).value > inclusive(id, next) || inclusive(id, next) === 0)
            break;
        chain.push(next);
    }
    return chain;
}

/* ---- the hot path ------------------------------------------------------------------------------------------------------- */

onPage("a metric that is chosen opens the call tree down to where it is largest, by link and by click", `#trees&m=${LATE}`, async page => {
    const check = async id => {
        const chain = hotPath(id), rows = await rowsOf(page, "call");
        assert.ok(chain.length > 1);
        for (const p of chain)
            assert.ok(rows.some(({ node }) => node === p), `${expected.keys[p]} is shown`);
        assert.deepEqual(rows.filter(({ open }) => open === "true").map(({ node }) => node), chain.slice(0, -1));
        assert.deepEqual(rows.filter(({ selected }) => selected), [], "all call paths count");
        assert.equal(await page.locator(".pane.call .row.marked").getAttribute("data-node"), String(chain.at(-1)));
    };
    await check(LATE);
    const total = Array.from(expected.row(LATE, () => true));
    for (const { node, value } of (await rowsOf(page, "system")).filter(({ node }) => node >= expected.firstLeaf))
        assert.ok(isClose(value, total[node - expected.firstLeaf], max(...total)));
    await press(page, "metric", "Open all");
    const other = expected.metric("mpi_barrier_wait");
    await page.click(`#metric-${other} .name`);
    await settle(page);
    await check("mpi_barrier_wait");
});

onPage("a call path that was selected stays when another metric is chosen, and what was closed stays closed", "#trees&m=time", async page => {
    await press(page, "call", "Close all");
    await addressFollows(page);
    await page.reload();
    await addHands(page, { tall: true });
    assert.ok((await rowsOf(page, "call")).every(({ open }) => open !== "true"), "the address says that all is closed");
    const [{ node }] = await rowsOf(page, "call");
    await page.click(`#call-${node} .name`);
    await page.click(`#metric-${expected.metric("visits")} .name`);
    await settle(page);
    const rows = await rowsOf(page, "call");
    assert.deepEqual(rows.filter(({ selected }) => selected).map(row => row.node), [node]);
    assert.ok(rows.every(({ open }) => open !== "true"));
});

/* ---- zero rows ---------------------------------------------------------------------------------------------------------- */

onPage("call paths that are zero are counted, and shown if they are wanted", `#trees&m=${LATE}`, async page => {
    await press(page, "call", "Open all");
    const some = await rowsOf(page, "call");
    const [, more] = /^([\d,]+) more call paths are zero$/.exec(await page.locator(".call .zeros").innerText());
    assert.equal(some.length + Number(more), expected.keys.length);
    assert.ok(some.length > 0 && some.every(({ node }) => inclusive(LATE, node) !== 0));
    await page.locator(".call .zeros button").click();
    await settle(page);
    assert.equal((await rowsOf(page, "call")).length, expected.keys.length);
});

onPage("processes that are zero can be hidden", `#trees&m=${LATE}`, async page => {
    const all = await rowsOf(page, "system");
    const nZero = Array.from(expected.row(LATE, () => true)).filter(value => value === 0).length;
    assert.equal(all.filter(({ value, node }) => value === 0 && node >= expected.firstLeaf).length, nZero);
    if (nZero > 0) {
        await page.locator(".system .zeros button").click();
        await settle(page);
        assert.equal((await rowsOf(page, "system")).length, all.length - nZero);
    }
});

/* ---- a root ------------------------------------------------------------------------------------------------------------- */

onPage("a call path is shown as root, values are percent of it, and all come back", "#trees&m=time", async page => {
    const [, root] = hotPath("time");
    await page.click(`#call-${root} .name`, { button: "right" });
    await page.click('[role=menuitem]:has-text("Set as root")');
    await settle(page);
    const rows = await rowsOf(page, "call");
    assert.equal(rows[0].node, root);
    assert.ok(rows.every(({ node }) => whole(expected.keys[root])(expected.keys[node])));
    const below = Array.from(expected.row("time", whole(expected.keys[root])));
    for (const { node, value } of (await rowsOf(page, "system")).filter(({ node }) => node >= expected.firstLeaf))
        assert.ok(isClose(value, below[node - expected.firstLeaf], max(...below)));
    assert.match(await page.textContent(".crumbs"), / as root$/);

    await page.selectOption("#mode-call", "shown");
    await settle(page);
    await press(page, "call", "Close all");
    assert.equal((await rowsOf(page, "call"))[0].text, "100.0");
    await addressFollows(page);
    const other = await openPage(browser, file, new URL(page.url()).hash);
    await addHands(other.page, { tall: true });
    assert.deepEqual(await rowsOf(other.page, "call"), await rowsOf(page, "call"), "the address has the root");
    await other.close();

    await page.click('button:text-is("flat")');
    await settle(page);
    const names = new Set(expected.keys.flatMap((key, p) => (whole(expected.keys[root])(key) ? [expected.names[p]] : [])));
    assert.ok((await rowsOf(page, "call")).every(({ name }) => names.has(name)));
    await page.click('button:text-is("tree")');
    await page.click('.crumbs button:text-is("All call paths")');
    await settle(page);
    assert.equal((await rowsOf(page, "call"))[0].node, 0);
    assert.equal(await page.locator(".crumbs").count(), 0);
    assert.ok(!(await page.$$eval("#mode-call option", options => options.map(({ value }) => value))).includes("shown"));
});

/* ---- menus -------------------------------------------------------------------------------------------------------------- */

onPage("the menu of a row: by right click and by key, with arrow keys, Esc gives the focus back", "#trees&m=time", async page => {
    await page.click(".pane.call .row:first-child .name", { button: "right" });
    assert.equal(await page.getAttribute(".menu", "role"), "menu");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "menuitem");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".menu").count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "tree");
    for (const key of ["Shift+F10", "ContextMenu"]) {
        await page.keyboard.press(key);
        const texts = await page.$$eval("[role=menuitem]", items => items.map(item => item.firstChild.textContent));
        for (const text of ["Expand all below", "Collapse all below", "Expand to the largest value", "Set as root", "Copy name", "Copy call path", "Explanation of Time",
            "Show in the flat profile", "Save these rows as CSV"])
            assert.ok(texts.includes(text), `${text} in ${texts}`);
        await page.keyboard.press("End");
        assert.equal(await page.evaluate(() => document.activeElement.firstChild.textContent), "Save these rows as CSV");
        await page.keyboard.press("ArrowDown");
        assert.equal(await page.evaluate(() => document.activeElement.firstChild.textContent), "Expand all below");
        await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Shift+F10");
    await page.keyboard.press("Enter");
    await settle(page);
    assert.equal((await rowsOf(page, "call")).length + await nMoreZero(page, "call"), expected.keys.length, "all below are open");
    await page.keyboard.press("Shift+F10");
    await page.keyboard.press("e");
    await page.click('[role=menuitem]:has-text("Explanation")');
    await page.waitForSelector(".explanation");
});

const nMoreZero = async (page, pane) => {
    const line = page.locator(`.${pane} .zeros`);
    return await line.count() === 0 ? 0 : Number(/^([\d,]+) more/.exec(await line.innerText())[1]);
};

/* ---- files -------------------------------------------------------------------------------------------------------------- */

async function saved(page, act) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

const ROOMY = { viewport: { width: 1600, height: 1000 }, acceptDownloads: true };
const save = async (page, label, item) => saved(page, async () => {
    await page.click(`button[aria-label="${label}"]`);
    await page.click(`[role=menuitem]:has-text("${item}")`);
});
const isPng = content => content.subarray(1, 4).toString() === "PNG" && content.length > 500;

onPage("trees are saved as CSV: the rows that are shown, inclusive and exclusive", `#trees&m=${LATE}`, async page => {
    const rows = await rowsOf(page, "call");
    const { name, content } = await save(page, "Call tree: save", "rows as CSV");
    assert.equal(name, "pat-mpi-4.late-sender-call-tree.csv");
    const [head, ...lines] = content.toString().trim().split("\r\n").map(line => line.split(","));
    assert.deepEqual(head, ["metric", "call_path_id", "level", "name", "call_path", "inclusive", "exclusive", "unit"]);
    assert.equal(lines.length, rows.length);
    lines.forEach(([id, number, , , path, whole_, own, unit], i) => {
        const { node } = rows[i];
        assert.deepEqual([id, Number(number), path.replaceAll(" > ", ";"), unit], [LATE, expected.head.paths.number[node], expected.keys[node], "s"]);
        assert.ok(isClose(Number(whole_), inclusive(LATE, node), 1));
        assert.ok(isClose(Number(own), expected.value(LATE, false, key => key === expected.keys[node]).value, 1));
    });
    for (const [label, file_] of [["Metric tree: save", "pat-mpi-4.metrics.csv"], ["System tree: save", "pat-mpi-4.late-sender-system-tree.csv"]])
        assert.equal((await save(page, label, "rows as CSV")).name, file_);
}, ROOMY);

for (const [view, title] of [["topology", "topology"], ["bars", "bars"], ["spread", "box-plot"]])
    onPage(`${title} are saved`, `#trees&m=${LATE}&view=${view}&topology.axes=2`, async page => {
        const png = await save(page, "System tree: save", "picture as PNG");
        assert.equal(png.name, `pat-mpi-4.late-sender-${title}.png`);
        assert.ok(isPng(png.content));
        const csv = (await save(page, "System tree: save", "values as CSV")).content.toString().trim().split("\r\n");
        assert.equal(csv.length, view === "spread" ? 2 : 5);
        if (view === "spread") {
            const { content } = await save(page, "System tree: save", "picture as SVG");
            assert.match(content.toString(), /^<\?xml[^]*<svg [^]*<rect[^]*<\/svg>\s*$/);
            assert.doesNotMatch(content.toString(), /light-dark|class=/);
        } else
            for (const value of expected.row(LATE, () => true))
                assert.ok(csv.some(line => line.split(",").some(cell => isClose(Number(cell), value, 1))), `${value} in ${csv}`);
    }, ROOMY);

onPage("the communication matrix is saved", "#overview", async page => {
    await page.waitForSelector(".matrix-picture canvas");
    assert.ok(isPng((await save(page, "Save the communication matrix", "picture as PNG")).content));
    const [head, ...pairs] = (await save(page, "Save the communication matrix", "values as CSV")).content.toString().trim().split("\r\n");
    assert.equal(head, "sender,receiver,messages,bytes,late_sender,late_receiver,mean_transfer");
    const sent = [...expected.values.get("comms_send")?.values() ?? []].length;
    assert.ok(pairs.length > 0 && (sent === 0 || pairs.length > 1));
}, ROOMY);

/* ---- search ------------------------------------------------------------------------------------------------------------- */

onPage("a search keeps the tree: ancestors are opened, matches marked, and the tree is as before when it ends", "#trees&m=time", async page => {
    const before = (await rowsOf(page, "call")).map(({ node }) => node);
    const matches = expected.keys.map((_, p) => p).filter(p => expected.names[p].toLowerCase().includes("recv") && inclusive("time", p) !== 0);
    await page.fill("#find-call", "recv");
    await settle(page);
    const rows = await rowsOf(page, "call");
    for (const p of matches)
        for (let q = p; q >= 0; q = expected.head.paths.parent[q])
            assert.ok(rows.some(({ node }) => node === q), `${expected.keys[q]} is shown`);
    assert.ok(before.every(p => rows.some(({ node }) => node === p)), "what was shown is still there");
    assert.equal(await page.locator(".pane.call .name mark").count(), matches.length);
    assert.ok((await page.locator(".pane.call .name mark").allTextContents()).every(text => text.toLowerCase() === "recv"));
    assert.equal(await page.textContent(".pane.call .matches"), `${matches.length} matches`);
    await page.fill("#find-call", "");
    await settle(page);
    assert.deepEqual((await rowsOf(page, "call")).map(({ node }) => node), before);
});

/* ---- a second report ---------------------------------------------------------------------------------------------------- */

test("values are percent of those of a second report: of the same metric, call path and process", async () => {
    const second = reportOf("pat-mpi-4");
    const page_ = wholePageOf(second, "with itself", "--reference", second);
    const { page, errors, close } = await openPage(browser, page_, "#trees&m=time&mode=eee");
    await addHands(page, { tall: true });
    await page.waitForFunction(() => !document.querySelector(".pane.call").textContent.includes("\u2026"));
    for (const pane of ["metric", "call", "system"])
        for (const { text, value } of await rowsOf(page, pane))
            assert.equal(text, value === 0 ? "\u2013" : "100.0");
    assert.deepEqual(errors, []);
    await close();
});

test("percent of another program run: the shares of both reports' values", async () => {
    const a = reportOf("pat-mpi-4"), b = reportOf("scorep-jacobi-hyb-c-4x2");
    const page_ = wholePageOf(b, "with another", "--reference", a);
    const first = new Expected(b, page_);
    const totals = new Map();
    for (const line of heddle("dump", a).split("\n")) {
        const [id, , , , value] = line.split("\t");
        totals.set(id, (totals.get(id) ?? 0) + Number(value));
    }
    const { page, errors, close } = await openPage(browser, page_, "#trees&m=time&mode=eee&zeros=111");
    await addHands(page, { tall: true });
    for (const { node, text } of (await rowsOf(page, "metric")).filter(({ node }) => ["time", "visits"].includes(first.head.metrics[node].id))) {
        const { id } = first.head.metrics[node];
        const share = 100 * first.value(id, false, () => true).value / totals.get(id);
        assert.ok(Math.abs(Number(text.replace(/,/g, "")) - share) <= (share >= 999 ? 0.51 : 0.051), `${id}: ${text}, not ${share}`);
    }
    await press(page, "system", "Open all");
    const leaves = (await rowsOf(page, "system")).filter(({ node }) => node >= first.firstLeaf);
    assert.ok(leaves.length === first.n && leaves.every(({ text }) => text === "\u2013"), "the threads differ: only sums over those of a process are known");
    await press(page, "system", "Close all");
    assert.match((await rowsOf(page, "system"))[0].text, /^\d/);
    await page.click('a.tab:text-is("Overview")');
    assert.match(await page.textContent("#second-report"), /pat-mpi-4\.cubex\. It has \d+ of the \d+ call paths/);
    assert.deepEqual(errors, []);
    await close();
});

/* ---- as the terminal ---------------------------------------------------------------------------------------------------- */

test("the page counts call paths, words findings and says how the report came about as the summary does", async () => {
    const shown = pageOf(report, "as the summary");
    const { page, errors, close } = await openPage(browser, shown);
    await page.waitForSelector("#part-about");
    const summary = heddle("summary", report, "--width=300");
    const others = /^ +\((\d+) more call paths?\) +(\S+ [mun]?s) +(\S+ %)$/m.exec(summary);
    assert.notEqual(others, null);
    const more = page.locator("#part-why > .more, #part-why .more").last();
    assert.equal(await more.innerText(), `${others[1]} more call path${others[1] === "1" ? "" : "s"} ${others[2].replace("us", "\u00b5s")}, ${others[3]}`);
    const n = await page.locator(".cause").count();
    await more.locator("button").click();
    assert.equal(await page.locator(".cause").count(), Math.min(n + Number(others[1]), 50));
    const lines = summary.slice(summary.indexOf("Analysis run\n")).split("\n").slice(1).filter(line => line.startsWith("  "));
    await page.click("#part-about details:last-of-type summary");
    const facts = await page.$$eval(".attributes tr", rows => rows.map(row => [...row.children].map(cell => cell.textContent)));
    for (const line of lines) {
        const [name, value] = line.trim().split(/ {2,}/);
        assert.ok(facts.some(([key, text]) => key === name && text === value), `${line} in ${facts}`);
    }
    assert.doesNotMatch(await page.textContent("#part-about"), /Heddle::/);
    assert.deepEqual(errors, []);
    await close();
});

/* ---- narrow windows ----------------------------------------------------------------------------------------------------- */

for (const hash of ["", "&explain=mpi_latesender"])
    onPage(`names of metrics are in sight at 1024 pixels${hash === "" ? "" : ", beside the explanation"}`, `#trees&m=${LATE}&om=0-zz${hash}`, async page => {
        const rows = await page.evaluate(() => {
            const tree = document.querySelector(".pane.metric .tree").getBoundingClientRect();
            return [...document.querySelectorAll(".pane.metric .row")].map(row => ({
                text: row.querySelector(".name").textContent, level: row.ariaLevel, hint: row.title,
                isInside: row.querySelector(".name").getBoundingClientRect().right <= tree.right + 1,
            }));
        });
        assert.ok(rows.length > 5);
        assert.deepEqual(rows.filter(({ isInside }) => !isInside), []);
        assert.ok(rows.some(({ text }) => text === "Late Sender"));
    }, { viewport: { width: 1024, height: 768 } });

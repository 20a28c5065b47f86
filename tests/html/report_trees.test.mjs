/* report_trees.test.mjs: what is done in the three trees, on reports of real traces: modes, selecting several, searching, sorting, hiding, the flat
 * profile, explanations, keys, addresses. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openPage, wholePageOf, reportOf, screenshot } from "./reports.mjs";
import { Expected, addHands, addressFollows, alone, isClose, press, rowsOf, settle, textShows, whole } from "./shown.mjs";

let browser, file, expected;
before(async () => {
    browser = await openBrowser();
    const report = reportOf("pat-mpi-4");
    file = wholePageOf(report, "trees");
    expected = new Expected(report, file);
});
after(() => browser.close());

/* A test on a page that must not say anything on the console, nor ask a network for anything. */
function onPage(name, hash, act, options) {
    test(name, async () => {
        const { page, errors, close } = await openPage(browser, file, hash, options);
        await addHands(page, { tall: true });
        await act(page);
        await screenshot(page, name);
        assert.deepEqual(errors, []);
        await close();
    });
}

const nodeOf = key => expected.keys.indexOf(key);
const sum = row => row.reduce((a, b) => a + b, 0);
const all = () => true;

/* One digit behind the point; what is not zero is not shown as zero. */
function percentShows(text, share) {
    if (text === "<0.1" || text === "\u2212<0.1")
        return Math.abs(share) < 0.0005;
    if (text === "\u2013")
        return Number.isNaN(share);
    return Math.abs(Number(text.replace("\u2212", "-")) - 100 * share) <= 0.0501;
}

const choose = async (page, pane, mode) => {
    await page.selectOption(`#mode-${pane}`, mode);
    await settle(page);
};

/* ---- modes -------------------------------------------------------------------------------------------------------------- */

const LATE = "mpi_latesender";

onPage("every mode of the metrics", "#trees&zeros=1", async page => {
    await press(page, "metric", "Open all");
    const { metrics } = expected.head;
    const rootOf = m => (metrics[m].parent < 0 ? m : rootOf(metrics[m].parent));
    const absolute = await rowsOf(page, "metric");
    await choose(page, "metric", "root");
    const shares = await rowsOf(page, "metric");
    assert.equal(shares.length, metrics.length);
    shares.forEach(({ node, value, text }, i) => {
        const root = expected.value(metrics[rootOf(node)].id, false, all).value;
        assert.equal(value, absolute[i].value);
        assert.ok(percentShows(text, root === 0 ? 0 : value / Math.abs(root)), `${metrics[node].id}: ${text} % for ${value} of ${root}`);
    });
    assert.ok(shares.some(({ text, value }) => text !== "100.0" && value !== 0));
});

onPage("metrics that are zero everywhere are counted, and shown if they are wanted", "#trees", async page => {
    await press(page, "metric", "Open all");
    const { metrics } = expected.head;
    const some = await rowsOf(page, "metric");
    const [, more] = /^(\d+) more metrics? (is|are) zero$/.exec(await page.locator(".metric .zeros").innerText());
    assert.equal(some.length + Number(more), metrics.length);
    await page.locator(".metric .zeros button").click();
    await settle(page);
    assert.equal((await rowsOf(page, "metric")).length, metrics.length);
    await page.waitForFunction(() => location.hash.includes("zeros=101"));
    await page.locator(".metric .zeros button").click();
    await settle(page);
    assert.equal((await rowsOf(page, "metric")).length, some.length);
});

onPage("names that do not fit are cut in the middle, and no two look alike", "#trees&zeros=1", async page => {
    await press(page, "metric", "Open all");
    for (const width of [1400, 1000]) {
        await page.setViewportSize({ width, height: 900 });
        await settle(page);
        const rows = await page.evaluate(() => [...document.querySelectorAll(".pane.metric .row")].map(row =>
            ({ level: row.ariaLevel, shown: row.querySelector(".name").textContent, node: Number(row.dataset.node), hint: row.title })));
        const names = new Map();
        assert.ok(width > 1000 || rows.some(({ shown }) => shown.includes("\u2026")));
        for (const { level, shown, node, hint } of rows) {
            const { name } = expected.head.metrics[node];
            assert.equal(names.get(`${level} ${shown}`) ?? name, name);
            names.set(`${level} ${shown}`, name);
            assert.ok(shown === name || hint.startsWith(name), `${shown} for ${name}: ${hint}`);
        }
    }
});

onPage("every mode of the call paths", `#trees&m=${LATE}&zeros=011`, async page => {
    await press(page, "call", "Open all");
    const total = expected.value(LATE, false, all).value, root = expected.value("time", false, all).value;
    for (const [mode, of] of [["absolute", null], ["root", root], ["metric", total]]) {
        await choose(page, "call", mode);
        const rows = await rowsOf(page, "call");
        assert.equal(rows.length, expected.keys.length);
        assert.ok(rows.filter(({ value }) => value !== 0).length > 1);
        for (const { value, text } of rows)
            assert.ok(of === null ? textShows(text, value) : percentShows(text, value / of), `${mode}: ${text} for ${value}`);
    }
});

onPage("every mode of the system", `#trees&m=${LATE}&zeros=011`, async page => {
    await press(page, "call", "Open all");
    const path = nodeOf([...expected.values.get(LATE).keys()][0]);
    await page.evaluate(path => hands.click(hands.row("call", path)), path);
    await press(page, "system", "Open all");
    const leaves = async () => (await rowsOf(page, "system")).filter(({ node }) => node >= expected.firstLeaf);
    const values = Array.from(expected.row(LATE, alone(expected.keys[path])));
    const total = expected.value(LATE, false, all).value, root = expected.value("time", false, all).value;
    const most = Math.max(...values), least = Math.min(...values);
    assert.ok(most > least && least >= 0);
    const shares = {
        root: value => value / root, metric: value => value / total, selection: value => value / sum(values),
        peers: value => (value - least) / (most - least), maximum: value => value / most,
    };
    for (const { value, text, node } of await leaves()) {
        assert.ok(isClose(value, values[node - expected.firstLeaf], most));
        assert.ok(textShows(text, value));
    }
    for (const [mode, share] of Object.entries(shares)) {
        await choose(page, "system", mode);
        for (const { value, text } of await leaves())
            assert.ok(percentShows(text, share(value)), `${mode}: ${text} for ${value}`);
    }
    const modes = await page.$$eval("#mode-system option", options => options.map(option => option.value));
    assert.deepEqual(modes.sort(), ["absolute", ...Object.keys(shares)].sort());
});

/* ---- what is selected --------------------------------------------------------------------------------------------------- */

onPage("several call paths are added up", "#trees&m=time", async page => {
    await press(page, "call", "Open all");
    await press(page, "system", "Open all");
    const rows = await rowsOf(page, "call");
    const leaves = rows.filter(({ open, value }) => open === null && value > 0).slice(0, 3).map(({ node }) => node);
    await page.click(`#call-${leaves[0]} .name`);
    await page.click(`#call-${leaves[2]} .name`, { modifiers: ["Control"] });
    await settle(page);
    assert.deepEqual((await rowsOf(page, "call")).filter(({ selected }) => selected).map(({ node }) => node), [leaves[0], leaves[2]]);
    const keys = [expected.keys[leaves[0]], expected.keys[leaves[2]]];
    const both = expected.row("time", key => keys.includes(key));
    for (const { node, value } of (await rowsOf(page, "system")).filter(({ node }) => node >= expected.firstLeaf))
        assert.ok(isClose(value, both[node - expected.firstLeaf], sum(both)));
    /* all from one to another */
    await page.click(`#call-${rows[0].node} .name`);
    await page.click(`#call-${rows[4].node} .name`, { modifiers: ["Shift"] });
    await settle(page);
    assert.deepEqual((await rowsOf(page, "call")).filter(({ selected }) => selected).map(({ node }) => node), rows.slice(0, 5).map(({ node }) => node));
    const five = expected.row("time", key => rows.slice(0, 5).some(({ node }) => expected.keys[node] === key));
    for (const { node, value } of (await rowsOf(page, "system")).filter(({ node }) => node >= expected.firstLeaf))
        assert.ok(isClose(value, five[node - expected.firstLeaf], sum(five)));
});

onPage("several metrics of one unit are added up, others are not taken", "#trees&m=mpi_latesender", async page => {
    await press(page, "metric", "Open all");
    const barrier = expected.metric("mpi_barrier_wait"), visits = expected.metric("visits");
    await page.click(`#metric-${barrier} .name`, { modifiers: ["Control"] });
    await page.click(`#metric-${visits} .name`, { modifiers: ["Control"] });
    await settle(page);
    const selected = (await rowsOf(page, "metric")).filter(row => row.selected).map(({ node }) => node).sort((a, b) => a - b);
    assert.deepEqual(selected, [barrier, expected.metric(LATE)].sort((a, b) => a - b));
    await press(page, "call", "Close all");
    const [row] = await rowsOf(page, "call");
    const [late, wait] = [LATE, "mpi_barrier_wait"].map(id => expected.value(id, expected.inside(id).length > 0, all).value);
    const both = late + wait;
    assert.ok(isClose(row.value, both, both));
});

/* ---- finding ------------------------------------------------------------------------------------------------------------ */

onPage("search goes from match to match, forwards and backwards, and around", "#trees", async page => {
    const word = "WAIT";
    const matches = expected.keys.map((_, p) => p).filter(p => expected.names[p].toLowerCase().includes(word.toLowerCase()));
    assert.ok(matches.length > 2);
    await page.fill("#find-call", word);
    await settle(page);
    assert.equal(await page.textContent(".pane.call .matches"), `${matches.length} matches`);
    const selected = async () => (await rowsOf(page, "call")).filter(row => row.selected).map(({ node }) => node);
    const seen = [];
    for (let i = 0; i < matches.length; i++) {
        await page.press("#find-call", "Enter");
        await settle(page);
        seen.push(...await selected());
        assert.match(await page.textContent(".pane.call .matches"), new RegExp(`^${i + 1} of ${matches.length} match`));
    }
    assert.deepEqual(seen, matches);
    await page.press("#find-call", "Enter");
    await settle(page);
    assert.deepEqual(await selected(), [matches[0]]);
    await page.press("#find-call", "Shift+Enter");
    await settle(page);
    assert.deepEqual(await selected(), [matches.at(-1)]);
    await page.click('.pane.call button[aria-label="Previous match"]');
    await settle(page);
    assert.deepEqual(await selected(), [matches.at(-2)]);
    await page.fill("#find-call", "no region has this name");
    await settle(page);
    assert.equal(await page.textContent(".pane.call .matches"), "no match");
});

onPage("sorting by value, hiding what is small", "#trees&m=time", async page => {
    await press(page, "call", "Open all");
    const before = await rowsOf(page, "call");
    await page.click('.pane.call button[title^="sort"]');
    await settle(page);
    const rows = await rowsOf(page, "call");
    assert.equal(rows.length, before.length);
    assert.notDeepEqual(rows.map(({ node }) => node), before.map(({ node }) => node));
    const inclusive = p => expected.value("time", false, whole(expected.keys[p])).value;
    const { parent } = expected.head.paths;
    for (const p of new Set(parent)) {
        const siblings = rows.filter(({ node }) => parent[node] === p).map(({ node }) => inclusive(node));
        assert.deepEqual(siblings, [...siblings].sort((a, b) => b - a));
    }
    await page.fill("#hide", "5");
    await settle(page);
    const large = await rowsOf(page, "call");
    const most = inclusive(0);
    const expectedRows = rows.filter(({ node }) => inclusive(node) >= 0.05 * most).map(({ node }) => node);
    assert.ok(large.length < rows.length && large.length > 1);
    assert.deepEqual(large.map(({ node }) => node), expectedRows);
});

onPage("the flat profile adds up regions", "#trees&m=time&flat=1", async page => {
    const rows = await rowsOf(page, "call");
    const names = key => key.split(";");
    assert.ok(rows.length > 10);
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...new Set(expected.names)].sort());
    for (const { name, value, open } of rows) {
        const inclusive = expected.value("time", false, key => names(key).includes(name));
        assert.ok(isClose(value, inclusive.value, inclusive.size), `${name}: ${value}, not ${inclusive.value}`);
        assert.notEqual(open, "true");
    }
    await press(page, "call", "Open all");
    for (const { name, value, level } of await rowsOf(page, "call"))
        if (level === 1) {
            const own = expected.value("time", false, key => names(key).at(-1) === name);
            assert.ok(isClose(value, own.value, own.size), `${name} by itself: ${value}, not ${own.value}`);
        }
    /* nothing is selected yet: the system shows all; then what is selected */
    const everything = expected.row("time", all);
    for (const { node, value } of (await rowsOf(page, "system")).filter(({ node }) => node >= expected.firstLeaf))
        assert.ok(isClose(value, everything[node - expected.firstLeaf], sum(everything)));
    const allreduce = (await rowsOf(page, "call")).find(({ name }) => name === "MPI_Allreduce");
    await page.click(`#call-${allreduce.node} .name`);
    await settle(page);
    const row = expected.row("time", key => names(key).at(-1) === "MPI_Allreduce");
    for (const { node, value } of (await rowsOf(page, "system")).filter(({ node }) => node >= expected.firstLeaf))
        assert.ok(isClose(value, row[node - expected.firstLeaf], sum(row)));
});

/* ---- explanations, keys -------------------------------------------------------------------------------------------------- */

onPage("the explanation of a metric with its drawing is one click away", `#trees&m=${LATE}`, async page => {
    await press(page, "metric", "Open all");
    await page.hover(`#metric-${expected.metric(LATE)}`);
    await page.click(`#metric-${expected.metric(LATE)} button.ask`);
    await settle(page);
    const text = await page.textContent(".explanation");
    assert.match(text, /Late Sender/);
    assert.ok(await page.locator(".explanation pre, .explanation svg").count() > 0, "there is a drawing");
    await page.keyboard.press("Escape");
    await settle(page);
    assert.equal(await page.locator(".explanation").count(), 0);
});

onPage("everything can be done with the keyboard", "#trees&m=time", async page => {
    const selected = async pane => (await rowsOf(page, pane)).filter(row => row.selected).map(({ node }) => node);
    const key = async name => {
        await page.keyboard.press(name);
        await settle(page);
    };
    await press(page, "call", "Close all");
    await key("2");
    const [first] = await rowsOf(page, "call");
    assert.equal(first.open, "false");
    await key("ArrowRight");
    assert.equal((await rowsOf(page, "call"))[0].open, "true");
    await key("ArrowDown");
    assert.deepEqual(await selected("call"), [(await rowsOf(page, "call"))[1].node]);
    await key("ArrowLeft");
    await key("ArrowLeft");
    assert.deepEqual(await selected("call"), [first.node]);
    assert.equal((await rowsOf(page, "call"))[0].open, "false");
    await key("*");
    await key("End");
    assert.deepEqual(await selected("call"), [(await rowsOf(page, "call")).at(-1).node]);
    await key("Home");
    await key("Shift+ArrowDown");
    assert.equal((await selected("call")).length, 2);
    await key("1");
    await key("ArrowDown");
    assert.notDeepEqual(await selected("metric"), [expected.metric("time")]);
    await key("f");
    assert.match(await page.textContent(".pane.call h2"), /^Flat profile/);
    await key("2");
    await key("s");
    assert.equal(await page.getAttribute('.pane.call button[title^="sort"]', "aria-pressed"), "true");
    await key("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "find-call");
    await page.keyboard.type("mpi_recv");
    await key("Enter");
    assert.match((await rowsOf(page, "call")).find(row => row.selected).name, /MPI_Recv/i);
    await key("Escape");
    await key("e");
    assert.equal(await page.locator(".explanation").count(), 1);
    await key("Escape");
    await key("o");
    assert.equal(await page.locator(".pane").count(), 0);
    await key("t");
    assert.equal(await page.locator(".pane").count(), 3);
    await key("?");
    assert.equal(await page.evaluate(() => document.querySelector("dialog").open), true);
    await key("Escape");
    /* from pane to pane */
    const reached = new Set();
    for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement.closest(".pane")?.classList[1]));
    }
    assert.ok(["metric", "call", "system"].every(pane => reached.has(pane)));
});

/* ---- addresses ----------------------------------------------------------------------------------------------------------- */

/* All that can be seen, as text. */
const seen = page => page.evaluate(() => ({
    rows: ["metric", "call", "system"].map(pane => hands.rows(pane)),
    text: document.querySelector("#page").innerText,
    modes: [...document.querySelectorAll("select, input")].map(field => (field.type === "checkbox" ? field.checked : field.value)),
}));

onPage("an address brings back what was seen, and so does going back", "#trees&zeros=011", async page => {
    await press(page, "metric", "Open all");
    await page.click(`#metric-${expected.metric(LATE)} .name`);
    await press(page, "call", "Open all");
    const paths = [...expected.values.get(LATE).keys()].map(nodeOf);
    await page.click(`#call-${paths[0]} .name`);
    await page.click(`#call-${paths[1]} .name`, { modifiers: ["Control"] });
    await page.click(`#call-${nodeOf("pat_mpi;main;late_receiver")} .twisty`);
    await choose(page, "call", "metric");
    await choose(page, "system", "peers");
    await page.click('.pane.call button[title^="sort"]');
    await page.fill("#hide", "0.5");
    await page.fill("#find-metric", "late");
    await addressFollows(page);
    const [before, address] = [await seen(page), page.url()];
    assert.ok(before.rows.every(rows => rows.length > 1), before.rows.map(rows => rows.length).join());

    const other = await openPage(browser, file, new URL(address).hash);
    await addHands(other.page, { tall: true });
    assert.deepEqual(await seen(other.page), before);
    assert.deepEqual(other.errors, []);
    await other.close();

    await page.click('button:text-is("flat")');
    await addressFollows(page);
    assert.notEqual(page.url(), address);
    assert.notDeepEqual(await seen(page), before);
    await page.goBack();
    await settle(page);
    assert.equal(page.url(), address);
    assert.deepEqual((await seen(page)).rows, before.rows);
});

onPage("what an address says wrongly is passed over", "#trees&m=no_such_metric&p=99999.-1.x&oc=zz-1.!&mode=qqq&view=nothing&hide=x&s=7777777&topology.t=12&%", async page => {
    const rows = await rowsOf(page, "metric");
    assert.deepEqual(rows.filter(({ selected }) => selected).map(({ node }) => node), [expected.metric("time")]);
    assert.ok((await rowsOf(page, "call")).length > 0);
    assert.ok((await rowsOf(page, "system")).length > 0);
});

/* report_shown.test.mjs: the numbers on the page are those of heddle dump: of every metric at every call path, with all closed, the first
 * level open and all open; and of every process and thread, for every metric at every call path where it has values. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { after, before, test } from "node:test";
import { foreignReports, openBrowser, openPage, wholePageOf, reportOf, screenshot } from "./reports.mjs";
import { Expected, addHands, alone, isClose, rowsOf, settle, textShows, whole } from "./shown.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

/* Runs in the page: with every metric selected, closed and open: the rows of the call paths, for each of their expansions. Where all is zero
 * one of them is enough. */
async function lookAtCallPaths({ hasValues, expansions }) {
    const seen = [];
    const metrics = hands.rows("metric");
    for (const { node, open } of metrics)
        for (const isOpen of open === null || !hasValues[node] ? [open !== null] : [true, false]) {
            const row = hands.row("metric", node);
            hands.click(row);
            await hands.quickly();
            if (open !== null && (hands.row("metric", node).getAttribute("aria-expanded") === "true") !== isOpen)
                hands.click(hands.row("metric", node).querySelector(".twisty"));
            await hands.quickly();
            for (const expansion of hasValues[node] ? expansions : ["all"]) {
                if (expansion === "none")
                    hands.click(hands.button("call", "Close all"));
                else if (expansion === "all")
                    hands.click(hands.button("call", "Open all"));
                else
                    for (const { node: p, level, open: is } of hands.rows("call"))
                        if (level === 1 && is === "false")
                            hands.click(hands.row("call", p).querySelector(".twisty"));
                await hands.quickly();
                seen.push({ metric: node, isOpen, rows: hands.rows("call") });
            }
            if (open !== null && !isOpen) {
                hands.click(hands.row("metric", node).querySelector(".twisty"));
                await hands.quickly();
            }
        }
    return seen;
}

/* The same of the system, for call paths closed (whole) or open (alone). */
async function lookAtSystem(wanted) {
    const seen = [];
    for (const { metric, paths } of wanted) {
        hands.click(hands.row("metric", metric));
        await hands.quickly();
        for (const isOpen of [true, false]) {
            hands.click(hands.button("call", "Open all"));
            await hands.quickly();
            for (const path of isOpen ? paths : [...paths].reverse()) {
                hands.click(hands.row("call", path));
                await hands.quickly();
                const twisty = hands.row("call", path).querySelector(".twisty");
                const isInner = hands.row("call", path).getAttribute("aria-expanded") !== null;
                if (!isInner && !isOpen)
                    continue;
                if (!isOpen) {
                    hands.click(twisty);
                    await hands.quickly();
                }
                seen.push({ metric, path, isOpen, rows: hands.rows("system") });
                if (!isOpen) {
                    hands.click(hands.row("call", path).querySelector(".twisty"));
                    await hands.quickly();
                }
            }
        }
    }
    return seen;
}

/* In a page that is not painted: elements are read, thousands of times, not pixels. */
async function unseen(page, look, argument) {
    await page.evaluate(() => (document.documentElement.style.visibility = "hidden"));
    const seen = await page.evaluate(look, argument);
    await page.evaluate(() => (document.documentElement.style.visibility = ""));
    return seen;
}

function checkMetrics(expected, rows) {
    const { metrics } = expected.head;
    assert.equal(rows.length, metrics.length);
    for (const { node, open, value, text, name } of rows) {
        const { value: own, size } = expected.value(metrics[node].id, open === "true", () => true);
        assert.equal(name, metrics[node].name);
        assert.ok(isClose(value, own, size), `${metrics[node].id}: ${value}, not ${own}`);
        assert.ok(textShows(text, value), `${metrics[node].id}: ${text} for ${value}`);
    }
}

/* Rows with the same names are looked at together. */
function checkCallPaths(expected, { metric, isOpen, rows }) {
    const { id } = expected.head.metrics[metric];
    const sums = new Map();
    for (const { node, open, value, text } of rows) {
        const key = expected.keys[node], shown = `${key} ${open === "true" ? "alone" : "whole"}`;
        sums.set(shown, { key, isAlone: open === "true", value: sums.has(shown) ? expected.join(id, sums.get(shown).value, value) : value });
        assert.ok(textShows(text, value), `${id} at ${key}: ${text} for ${value}`);
    }
    /* Where one of two paths of one name is open only, their parts cannot be told apart. */
    const isTold = ({ key, isAlone }) => !isAlone ? !sums.has(`${key} alone`) : !sums.has(`${key} whole`);
    for (const sum of [...sums.values()].filter(isTold)) {
        const { value, size } = expected.value(id, isOpen, sum.isAlone ? alone(sum.key) : whole(sum.key));
        assert.ok(isClose(sum.value, value, size), `${id}${isOpen ? ", open," : ""} at ${sum.key} ${sum.isAlone ? "alone" : ""}: ${sum.value}, not ${value}`);
    }
}

function checkSystem(expected, { metric, path, isOpen, rows }) {
    const { id } = expected.head.metrics[metric];
    const isMetricOpen = expected.isOpen.has(metric);
    const { row, size } = expected.locations(id, isMetricOpen, isOpen ? alone(expected.keys[path]) : whole(expected.keys[path]));
    const leaves = rows.filter(({ node, open }) => open === null && node >= expected.firstLeaf);
    assert.equal(leaves.length, expected.n);
    for (const { node, value, text } of leaves) {
        const place = node - expected.firstLeaf;
        assert.ok(isClose(value, row[place], size), `${id} at ${expected.keys[path]}, location ${place}: ${value}, not ${row[place]}`);
        assert.ok(textShows(text, value), `${id} at ${expected.keys[path]}: ${text} for ${value}`);
    }
}

const EXPANSIONS = ["none", "first", "all"];

async function compare(report, name, nPlaces, expansions = EXPANSIONS) {
    const file = wholePageOf(report, name);
    const expected = new Expected(report, file);
    const { page, errors, close } = await openPage(browser, file, "#trees&zeros=111");
    await addHands(page, { tall: true });

    await page.click('.pane.metric button[aria-label="Open all"]');
    await settle(page);
    const metrics = await rowsOf(page, "metric");
    checkMetrics(expected, metrics);
    expected.isOpen = new Set(metrics.filter(({ open }) => open === "true").map(({ node }) => node));

    const hasValues = expected.head.metrics.map(({ id }) => expected.values.get(id).size > 0);
    const seen = await unseen(page, lookAtCallPaths, { hasValues, expansions });
    assert.ok(seen.length >= metrics.length + (expansions.length - 1) * hasValues.filter(has => has).length);
    assert.ok(seen.some(({ rows }) => rows.length === expected.keys.length), "all call paths are seen when all are open");
    seen.forEach(look => checkCallPaths(expected, look));

    /* Only call paths that are alone with their names; those with the largest values first. */
    const unique = expected.keys.map((key, p) => [key, p]).filter(([key]) => expected.keys.indexOf(key) === expected.keys.lastIndexOf(key));
    const wanted = expected.head.metrics.map(({ id }, metric) => ({
        metric, paths: unique.filter(([key]) => expected.values.get(id).has(key)).map(([, p]) => p).slice(0, nPlaces),
    })).filter(({ paths }) => paths.length > 0);
    await page.evaluate(() => hands.click(hands.button("system", "Open all")));
    const places = await unseen(page, lookAtSystem, wanted);
    assert.ok(places.length >= wanted.length);
    places.forEach(look => checkSystem(expected, look));

    await screenshot(page, `shown ${name}`);
    assert.deepEqual(errors, []);
    await close();
}

/* report_values looks at all values of more reports. HEDDLE_RUNS=all: more clicks, which take minutes; else call paths are opened step by step
 * in one report, as that has nothing of its values. */
const all = process.env.HEDDLE_RUNS === "all", expansions = all ? EXPANSIONS : ["all"];

test("pat-mpi-4: all call paths, processes and threads", () => compare(reportOf("pat-mpi-4"), "pat-mpi-4", all ? Infinity : 1));

for (const archive of all ? ["pat-topo-6", "pat-hybtask-2x3"] : ["pat-hybtask-2x3"])
    test(`${archive}: all call paths, some processes and threads`, () => compare(reportOf(archive), archive, 1, expansions));

for (const report of foreignReports(null).filter(report => all || report.includes("-raw-")))
    test(`another tool's ${basename(report)}: all call paths, some processes and threads`, () => compare(report, basename(report, ".cubex"), 1, expansions));

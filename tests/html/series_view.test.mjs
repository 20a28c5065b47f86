/* series_view.test.mjs: the section "Wait states over time": a heat map of which a part is selected, and the wait states of that part. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openPage, pageOf, reportAt, reportOf, root, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

/* Sums by wait state of rows that hold, as the page writes seconds of them: by process and slice. */
function sumsOf(report, holds) {
    const sums = new Map();
    for (const line of heddle("series", report, "--csv").trim().split("\n").slice(1)) {
        const [metric, process, , slice, , , value] = line.split(",");
        if (!["duration", "comp", "mpi", "omp_time"].includes(metric) && holds(Number(process), Number(slice)))
            sums.set(metric, (sums.get(metric) ?? 0) + Number(value));
    }
    return [...sums.values()].sort((a, b) => b - a);
}

async function figures(part) {
    const units = { s: 1, ms: 1e-3, "\u00b5s": 1e-6, us: 1e-6, ns: 1e-9 };
    return (await part.locator("tbody .figure").allInnerTexts()).map(text => {
        const [number, unit] = text.split(" ");
        return Number(number) * units[unit];
    });
}

function checkClose(found, expected) {
    assert.equal(found.length, expected.length);
    found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= 0.006 * expected[i], `${value} ${expected[i]}`));
}

test("a frame selects iterations and processes, whose wait states are listed", async () => {
    const report = reportOf("npb-is-S-8", "--iterations", "rank");
    const { page, errors, close } = await openPage(browser, pageOf(report, "series-is"));
    const part = page.locator("#part-over-time"), canvas = part.locator("canvas");
    assert.equal(await part.locator("h2").innerText(), "Wait states over time");
    checkClose(await figures(part), sumsOf(report, (_, slice) => slice >= 1 && slice <= 11));
    await screenshot(page, "over-time");
    for (const [id, name, words] of [["comp", "Computation", /^Computation: shrinking; most in iteration 1\./], ["mpi", "Time in MPI", /^Time in MPI: shrinking; most in iteration 1\./]]) {
        await part.locator("select").nth(1).selectOption(id);
        await part.getByText(words).waitFor();
        const all = rowsOf(report).filter(row => row.metric === id && row.slice >= 1 && row.slice <= 11).reduce((sum, row) => sum + Number(row.value), 0);
        const text = await part.getByText(`All: iterations 1 to 11, processes 0 to 7; ${name}`).innerText();
        assert.ok(Math.abs(inSeconds(text.match(/([\d.]+ \S+)\.$/)[1]) - all) <= 0.006 * all, text);
    }
    const costs = heddle("series", report, "--lags", "--csv").trim().split("\n").slice(1).map(line => line.split(","));
    const [kind] = costs.filter(([, , what]) => what === "lag").map(([, id, , , , value]) => [id, Number(value)]).sort((a, b) => b[1] - a[1])[0];
    assert.equal(await part.getByLabel("Delays of which wait state").inputValue(), kind);
    assert.equal(await part.locator(".lags").first().locator("li").count(), costs.filter(([, id, what]) => id === kind && what === "lag").length);
    const said = heddle("series", report, "--lags").split("\n").find(line => / iteration \d+: /.test(line)).trim();
    await part.getByText(`Largest: ${said.replace(": ", ", ").replaceAll("us", "\u00b5s")}`).waitFor(); /* as in the terminal */
    for (const side of ["delay", "wait"]) {                                      /* a bar for each iteration, the largest where it is in the report */
        const values = costs.filter(([, id, what]) => id === kind && what === `${side}s`).map(([, , , slice, , value]) => [Number(slice), Number(value)]).filter(([slice]) => slice >= 1 && slice <= 11);
        const [worst] = values.sort((a, b) => b[1] - a[1])[0];
        const bars = part.locator(`.lags[aria-label$=", by iteration of the ${side}"] li`);
        assert.equal(await bars.count(), 11);
        assert.equal(await bars.nth(worst - 1).locator(".lag-bar").evaluate(bar => bar.style.height), "100%");
        assert.ok((await bars.nth(worst - 1).getAttribute("title")).startsWith(`iteration ${worst}: `));
    }
    await part.locator(".lags").first().scrollIntoViewIfNeeded();
    await screenshot(page, "lags");
    await canvas.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await canvas.boundingBox();
    const column = i => x + 84 + (i + 0.5) * (width - 188) / 11, row = i => y + 86 + (i + 0.5) * (height - 94) / 8;
    await page.mouse.move(column(2), row(1));
    await page.mouse.down();
    await page.mouse.move(column(4), row(3), { steps: 4 });
    await page.mouse.up();
    await part.getByText("Selected: iterations 3 to 5, processes 1 to 3").waitFor();
    checkClose(await figures(part), sumsOf(report, (process, slice) => slice >= 3 && slice <= 5 && process >= 1 && process <= 3));
    await canvas.press("ArrowRight");
    await part.getByText("Selected: iterations 4 to 6, processes 1 to 3").waitFor();
    await canvas.press("Escape");
    await part.getByText("All: iterations 1 to 11, processes 0 to 7").waitFor();
    await part.locator("select").first().selectOption("windows");
    await part.getByText("All: windows 1 to 100, processes 0 to 7").waitFor();
    assert.deepEqual(errors, []);
    await close();
});

test("iterations that are joined in the report are named by their numbers", async () => {
    const archive = join(work, "joined"), writer = process.env.HEDDLE_WRITER ?? join(root, "build/tests/writer/tw_bench");
    rmSync(archive, { recursive: true, force: true });
    execFileSync(join(dirname(writer), "tw_sweep"), [archive, "2", "2", "--iterations", "2500", "--blocks", "1", "--rounds", "1"]);
    const report = reportAt(archive, "joined", "--iterations", "iteration"), { page, errors, close } = await openPage(browser, pageOf(report, "series-joined"));
    const part = page.locator("#part-over-time"), said = heddle("series", report, "--lags", "--width=200").split("\n").find(line => / iterations \d+ to \d+: /.test(line)).trim();
    await part.getByText(`Largest: ${said.replace(": ", ", ").replaceAll("us", "\u00b5s")}`).waitFor(); /* as in the terminal */
    await part.getByText(/most of them in the same 4 iterations/).waitFor();
    const titles = await part.locator('.lags[aria-label$=", by iteration of the wait"] li').evaluateAll(bars => bars.map(bar => bar.title.split(":")[0]));
    assert.deepEqual([titles.length, titles[0], titles.at(-1)], [49, "iterations 1 to 52", "iterations 2497 to 2500"]);
    assert.deepEqual(errors, []);
    await close();
});

test("metrics over time have names that differ", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("pat-mpi-4", "--series", "all"), "series-names"));
    const names = await page.locator("#part-over-time select").first().locator("option").allInnerTexts();
    assert.ok(names.includes("Collective (mpi_sync_collective)") && names.includes("Collective (mpi_collective)"), names.join());
    assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
    assert.deepEqual(errors, []);
    await close();
});

test("a report without iterations has windows, one without series no such section", async () => {
    for (const [more, n] of [[[], 1], [["--no-series"], 0]]) {
        const { page, errors, close } = await openPage(browser, pageOf(reportOf("pat-mpi-4", ...more), `series-${n}`));
        await page.locator("#part-about").waitFor();
        assert.equal(await page.locator("#part-over-time").count(), n);
        assert.equal(await page.locator("#part-over-time select").count(), 2 * n);   /* of the wait state, of the delays */
        assert.deepEqual(errors, []);
        await close();
    }
});

const inSeconds = text => {
    const [number, unit] = text.split(" ");
    return Number(number) * { s: 1, ms: 1e-3, "\u00b5s": 1e-6, ns: 1e-9 }[unit];
};

/* Values of the rows of a pane that have one, the largest first. */
async function valuesOf(page, pane) {
    const texts = await page.locator(`.pane.${pane} [role=treeitem]`).allInnerTexts();
    return texts.flatMap(text => text.match(/[\d.]+ (?:s|ms|\u00b5s|ns)\b/g)?.slice(0, 1) ?? []).map(inSeconds).sort((a, b) => b - a);
}

function rowsOf(report, ...more) {
    const [head, ...lines] = heddle("series", report, "--csv", ...more).trim().split("\n").map(line => line.split(","));
    return lines.map(line => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

function sumBy(rows, key) {
    const sums = new Map();
    for (const row of rows)
        sums.set(row[key], (sums.get(row[key]) ?? 0) + Number(row.value));
    return [...sums.values()].sort((a, b) => b - a);
}

test("the trees are of the part that is selected, and say what the report does not have of it", async () => {
    const report = reportOf("npb-is-S-8", "--iterations", "rank");
    const { page, errors, close } = await openPage(browser, pageOf(report, "series-trees"));
    const part = page.locator("#part-over-time"), canvas = part.locator("canvas");
    const isIn = row => row.metric === "mpi_wait_nxn" && row.slice >= 3 && row.slice <= 5;
    await canvas.scrollIntoViewIfNeeded();
    assert.ok(await part.getByText("Show its trees").isDisabled());
    const { x, y, width } = await canvas.boundingBox();
    const column = i => x + 84 + (i + 0.5) * (width - 188) / 11;
    await part.locator("select").nth(1).selectOption("mpi_wait_nxn");
    await page.mouse.move(column(2), y + 30);
    await page.mouse.down();
    await page.mouse.move(column(4), y + 40, { steps: 4 });
    await page.mouse.up();
    await part.getByText("Selected: iterations 3 to 5, processes 0 to 7").waitFor();
    await part.getByText("Show its trees").click();
    await page.getByText("Only iterations 3 to 5: waiting time, computation; other metrics").waitFor();
    await screenshot(page, "trees-of-a-part");
    const byPath = sumBy(rowsOf(report, "--paths").filter(isIn), "path"), [total] = [byPath.reduce((a, b) => a + b, 0)];
    const near = (a, b) => Math.abs(a - b) <= 0.006 * b;
    assert.ok((await valuesOf(page, "metric")).some(value => near(value, total)));
    const paths = await valuesOf(page, "call");
    for (const value of byPath)
        assert.ok(paths.some(shown => near(shown, value)), `${value} ${paths}`);
    const system = await valuesOf(page, "system");
    for (const value of sumBy(rowsOf(report).filter(isIn), "process"))
        assert.ok(system.some(shown => near(shown, value)), `${value} ${system}`);
    assert.match(new URL(page.url()).hash, /slices=i\.2\.5\.0\.8/);
    await page.locator(".pane.call [role=treeitem]").last().click();
    await page.getByText("By process there are sums of all call paths alone").waitFor();
    await page.waitForURL(/&p=/);
    await page.reload();
    await page.getByText("Only iterations 3 to 5: waiting time, computation; other metrics").waitFor();
    await page.evaluate(() => (location.hash = "#trees&m=mpi_wait_nxn&slices=i.2.5.1.3"));
    await page.getByText("By call path there are sums of all processes alone").waitFor();
    await page.getByText(/more call paths? has no value|more call paths? have no value/).waitFor();
    await screenshot(page, "trees-of-some-processes");
    await page.evaluate(() => (location.hash = "#trees&slices=i.2.5.0.8"));
    await page.getByText("Time is not among them").waitFor();
    await page.getByText("Show the whole run").click();
    assert.equal(await page.locator(".slices").count(), 0);
    await page.evaluate(() => (location.hash = "#trees&slices=i.2.99.0.8"));      /* of another report */
    await page.locator(".pane.call").waitFor();
    assert.equal(await page.locator(".slices").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

test("the trees of a part have computation, MPI and counts where the report has them by call path", async () => {
    const report = reportOf("npb-is-S-8", "--iterations", "rank", "--series", "all");
    const { page, errors, close } = await openPage(browser, pageOf(report, "series-all-trees"));
    const near = (a, b) => Math.abs(a - b) <= 0.006 * b;
    for (const [metric, name] of [["comp", "Computation"], ["mpi", "MPI"], ["delay_n2n", "Short-term"], ["delay", "Delay costs"]]) {
        const isIn = row => row.metric === metric && row.slice >= 3 && row.slice <= 5;
        await page.evaluate(id => (location.hash = `#trees&m=${id}&slices=i.2.5.0.8`), metric);
        await page.getByText("Only iterations 3 to 5: waiting time, computation, MPI, classes of MPI calls, the critical path, visits, messages and bytes, delay costs; other metrics").waitFor();
        await page.locator(".pane.metric [role=treeitem][aria-selected=true]").getByText(name, { exact: true }).waitFor();
        const byPath = sumBy(rowsOf(report, "--metric", metric, "--paths").filter(isIn), "path");
        const byProcess = sumBy(rowsOf(report, "--metric", metric).filter(isIn), "process");
        assert.ok(byPath.length > 0 && (byProcess.length === 8 || metric.startsWith("delay")), `${byPath} ${byProcess}`);
        const [metrics, paths, system] = [await valuesOf(page, "metric"), await valuesOf(page, "call"), await valuesOf(page, "system")];
        assert.ok(metrics.some(shown => near(shown, byProcess.reduce((a, b) => a + b, 0))), `${metrics}`);
        assert.ok(paths.some(shown => near(shown, byPath[0])), `${byPath} ${paths}`);
        for (const value of byProcess)
            assert.ok(system.some(shown => near(shown, value)), `${value} ${system}`);
        await screenshot(page, `trees-of-${metric}`);
    }
    await page.evaluate(() => (location.hash = "#trees&m=visits&slices=i.2.5.0.8"));
    const visits = page.locator(".pane.metric [role=treeitem][aria-selected=true]").filter({ hasText: "Visits" });
    await visits.waitFor();
    const counted = sumBy(rowsOf(report, "--metric", "visits").filter(row => row.slice >= 3 && row.slice <= 5), "metric");
    assert.equal(Number((await visits.innerText()).match(/^\d+/)[0]), counted[0]);
    assert.deepEqual(errors, []);
    await close();
});

/* Colours on a line down the canvas, at so many pixels from its right side. */
function coloursDown(canvas, fromRight) {
    return canvas.evaluate((element, right) => {
        const ratio = element.width / element.getBoundingClientRect().width, colours = new Set();
        const { data } = element.getContext("2d").getImageData(Math.round((element.getBoundingClientRect().width - right) * ratio), 0, 1, element.height);
        for (let i = 0; i < data.length; i += 4)
            colours.add(data.slice(i, i + 4).join());
        return colours.size;
    }, fromRight);
}

test("a scale of the colours is beside the heat map, also of one process", async () => {
    for (const [name, ...more] of [["npb-is-S-8", "--iterations", "rank"], ["pat-pthread-3"]]) {
        const { page, errors, close } = await openPage(browser, pageOf(reportOf(name, ...more), `series-scale-${name}`));
        const canvas = page.locator("#part-over-time canvas");
        await canvas.scrollIntoViewIfNeeded();
        assert.ok(await coloursDown(canvas, 104 - 12 - 6) > 20, name);
        assert.deepEqual(errors, []);
        await close();
    }
});

test("wait states of one name are told apart", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("pat-pthread-3"), "series-names"));
    const part = page.locator("#part-over-time"), names = ["Lock Contention (POSIX threads, mutex)", "Lock Contention (POSIX threads, condition)"];
    assert.deepEqual(await part.locator("select option").allInnerTexts().then(all => all.slice(0, 2)), names);
    assert.deepEqual(await part.locator("tbody th").allInnerTexts(), names);
    assert.deepEqual(errors, []);
    await close();
});

test("the last iteration that was found is said to end with its last call, where it is alone", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportAt(new URL("../data/pairs/stencil-8-f3", import.meta.url).pathname, "stencil-8-f3"), "series-last"));
    const rows = await page.locator("#part-over-time table.clusters tbody tr").allInnerTexts();
    assert.deepEqual(rows.map(row => row.includes("the last one ends with its last call")), [false, false, true]);
    assert.deepEqual(errors, []);
    await close();
});

test("counters in computation, and a ratio of two", async () => {
    const archive = join(work, "counted"), writer = process.env.HEDDLE_WRITER ?? join(root, "build/tests/writer/tw_bench");
    rmSync(archive, { recursive: true, force: true });
    execFileSync(writer, ["mixed", archive, "--events", "20000", "--processes", "4", "--counters", "4"]);
    const report = reportAt(archive, "counted"), sums = {};
    for (const { metric, slice, value } of rowsOf(report, "--by", "windows"))
        if (slice >= 1 && slice <= 100)
            sums[metric] = (sums[metric] ?? 0) + Number(value);
    const { page, errors, close } = await openPage(browser, pageOf(report, "counted"));
    const part = page.locator("#part-over-time"), trees = part.getByRole("button", { name: "Show its trees" });
    await part.locator("select").first().selectOption("windows");
    for (const [id, name, value] of [["c_PAPI_TOT_INS", "PAPI_TOT_INS", sums.c_PAPI_TOT_INS], ["ipc", "Instructions per cycle", sums.c_PAPI_TOT_INS / sums.c_PAPI_TOT_CYC]]) {
        await part.locator("select").nth(1).selectOption(id);
        const text = await part.getByText(`All: windows 1 to 100, processes 0 to 3; ${name} in computation`).innerText();
        const found = Number(text.match(/computation ([\d.,\u202f\u00a0]+\d)/)[1].replace(/[,\u202f\u00a0]/g, ""));
        assert.ok(value > 0 && Math.abs(found - value) <= 0.002 * value, `${text} ${value}`);
        assert.ok(await trees.isDisabled());
    }
    await screenshot(page, "counters-over-time");
    assert.deepEqual(errors, []);
    await close();
});

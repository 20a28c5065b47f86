/* efficiencies.test.mjs: the section "Efficiencies" of the overview, and POP's table of the page of several runs, against what the commands say. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openPage, pageOf, reportAt, reportOf, root, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const shown = value => (value === null ? "–" : `${(100 * value).toFixed(1)} %`);

async function cellsOf(part, name) {
    const row = part.locator("tr", { has: part.page().getByRole("rowheader", { name, exact: false }) });
    return (await row.first().locator("td").allInnerTexts());
}

test("a program with MPI has a tree of factors, coloured by value, of main window and whole run", async () => {
    const report = reportOf("npb-is-S-8");
    const { main, whole, lowest, losses, regions } = JSON.parse(heddle("efficiency", report, "--json"));
    const { page, errors, close } = await openPage(browser, pageOf(report, "is"), "#overview");
    const part = page.locator("#part-efficiency");
    for (const [name, key] of [["Parallel efficiency", "parallel"], ["Load balance", "load_balance"], ["Communication efficiency", "communication"],
        ["Serialisation efficiency", "serialisation"], ["Transfer efficiency", "transfer"]])
        assert.deepEqual(await cellsOf(part, name), [shown(main[key]), shown(whole[key])], name);
    const cell = part.locator("tr", { has: page.getByRole("rowheader", { name: "Transfer efficiency" }) }).locator("td").first();
    assert.equal(await cell.getAttribute("class"), main.transfer >= 0.8 ? "grade-good" : main.transfer >= 0.6 ? "grade-fair" : "grade-low");
    assert.match(await part.locator("p").first().innerText(), new RegExp(`Lowest: ${lowest.name}, ${shown(lowest.value)}`));
    const others = losses.filter(({ id, value, call_path_id }) => id !== lowest.id && value < 0.995 && call_path_id !== null);
    assert.ok(others.length > 0 && lowest.who !== null);
    assert.ok((await part.locator("p").first().innerText()).includes(lowest.who));
    const items = await part.locator("ul.losses li").allInnerTexts();
    assert.equal(items.length, others.length);
    others.forEach(({ name, value, who }, i) => assert.ok(items[i].startsWith(`${name}, ${shown(value)}: `) && items[i].includes(who), items[i]));
    assert.equal(await part.locator("table").count(), regions.length > 0 ? 2 : 1);
    assert.equal(await part.locator("svg[role=img] path").count(), 6); // of windows, and of iterations that are found
    assert.equal(await part.locator("tr.group").count(), 0);
    await screenshot(page, "efficiencies");
    await part.locator("h2 .ask").click();
    assert.match(await page.locator(".explanation").innerText(), /share of the time of all threads in which they compute/);
    assert.deepEqual(errors, []);
    await close();
});

test("a program with threads has the hybrid models, too", async () => {
    const report = reportOf("scorep-jacobi-hyb-c-4x2");
    const { main, slices } = JSON.parse(heddle("efficiency", report, "--json"));
    const { page, errors, close } = await openPage(browser, pageOf(report, "hyb"), "#overview", { colorScheme: "dark" });
    const part = page.locator("#part-efficiency");
    assert.equal(await part.locator("tr.group").count(), 4);
    assert.equal((await cellsOf(part, "MPI load balance"))[0], shown(main.hybrid.mpi.load_balance));
    assert.equal((await cellsOf(part, "OpenMP communication efficiency"))[0], shown(main.hybrid.openmp.communication));
    assert.equal((await cellsOf(part, "Serial region efficiency"))[0], shown(main.additive.serial_region));
    assert.match(await part.innerText(), /Threads lose in parallel regions, of all time: /);
    assert.ok(!(await part.innerText()).includes("processes alike"));   // all have two threads
    const isKnown = slices.map(slice => slice.load_balance !== null), begins = isKnown.filter((known, i) => known && !isKnown[i - 1]).length;
    assert.ok(begins > 1);                                              // a gap where no thread computes
    assert.equal((await part.locator("figure path.of-balance").first().getAttribute("d")).match(/M/g).length, begins);
    await screenshot(page, "efficiencies-threads");
    assert.deepEqual(errors, []);
    await close();
});

test("iterations have curves of their own", async () => {
    const report = reportOf("npb-is-S-8", "--iterations=rank");
    const { slices } = JSON.parse(heddle("efficiency", report, "--json")).iterations;
    const least = slices.filter(slice => slice.kind === "iteration").reduce((low, slice) => (slice.parallel < low.parallel ? slice : low));
    const { page, errors, close } = await openPage(browser, pageOf(report, "iterations"), "#overview");
    const figures = page.locator("#part-efficiency figure.efficiency-windows");
    assert.equal(await figures.count(), 2);
    const text = await figures.nth(1).locator("figcaption").innerText();
    assert.match(text, /of 11 iterations; /);
    assert.ok(text.includes(`parallel efficiency is lowest, ${shown(least.parallel)}, in iteration ${least.first}`), text);
    assert.deepEqual(errors, []);
    await close();
});

test("the last one of the iterations that were found is no whole one, and never the lowest", async () => {
    const report = reportAt(join(root, "tests/data/pairs/loop-f1"), "loop-f1");
    const slices = JSON.parse(heddle("efficiency", report, "--json")).iterations.slices.filter(slice => slice.kind === "iteration");
    const least = slices.slice(0, -1).reduce((low, slice) => (slice.parallel < low.parallel ? slice : low));
    assert.ok(slices.at(-1).parallel < least.parallel);
    const { page, errors, close } = await openPage(browser, pageOf(report, "loop"), "#overview");
    const text = await page.locator("#part-efficiency figure.efficiency-windows").nth(1).locator("figcaption").innerText();
    assert.ok(text.includes(`, in iteration ${least.first}; the last one ends with its last call`), text);
    assert.deepEqual(errors, []);
    await close();
});

test("a report without efficiencies has no such section", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("npb-is-S-8", "--compat=scout26"), "bare"), "#overview");
    await page.locator("#part-about").waitFor();
    assert.equal(await page.locator("#part-efficiency").count(), 0);
    assert.deepEqual(errors, []);
    await close();
});

test("the page of several runs has POP's table, and its lines", async () => {
    const file = join(work, "runs.html"), reports = [reportOf("scorep-jacobi-hyb-c-4x2"), reportOf("scorep-jacobi-mpi-c-16")];
    heddle("scaling", ...reports, "--html", file, "-f", "-q");
    const { efficiencies } = JSON.parse(heddle("scaling", ...reports, "--json"));
    const { page, errors, close } = await openPage(browser, file);
    const part = page.locator(".v-efficiencies");
    await part.locator("canvas").first().waitFor();
    for (const [name, id] of [["Global efficiency", "global"], ["Load balance", "load_balance"], ["MPI load balance", "mpi_load_balance"], ["Computation scaling", "computation_scaling"]]) {
        const row = part.locator("tr", { has: page.getByRole("rowheader", { name, exact: true }) });
        assert.deepEqual(await row.locator("td.v-number").allInnerTexts(), efficiencies.factors.find(factor => factor.id === id).values.map(shown), name);
    }
    assert.match(await part.getByRole("img").getAttribute("aria-label"), /Global efficiency, Parallel efficiency, Load balance, Communication efficiency, Computation scaling\./);
    await part.getByLabel("Line of Transfer efficiency").check();
    assert.match(await part.getByRole("img").getAttribute("aria-label"), /Transfer efficiency/);
    await screenshot(page, "scaling-efficiencies");
    assert.deepEqual(errors, []);
    await close();
});

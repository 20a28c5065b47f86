/* compare_pages.test.mjs: the pages of heddle diff and heddle scaling say in a browser what the reports hold. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openPage, program, reportOf, root, screenshot, work } from "./reports.mjs";

let browser, hybrid, mpi; /* the same solver on 4 processes of two threads, and on 16 processes */

before(async () => {
    browser = await openBrowser();
    hybrid = reportOf("scorep-jacobi-hyb-c-4x2");
    mpi = reportOf("scorep-jacobi-mpi-c-16");
});
after(() => browser.close());

/* All of a metric in a report, as heddle dump has it. */
function total(report, metric) {
    return heddle("dump", report).split("\n").map(line => line.split("\t")).filter(fields => fields[0] === metric).reduce((sum, fields) => sum + Number(fields[4]), 0);
}

/* A number as the page writes it, "+1,061.5" or "−0.07". */
const numberOf = text => Number(text.replaceAll(",", "").replace("\u2212", "-"));

/* The first time in a text, "+4.33 s" or "−57.7 ms". */
function secondsOf(text) {
    const [, number, unit] = text.match(/([+\u2212]?[\d.]+) (s|ms|µs|ns)\b/);
    return numberOf(number) * { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 }[unit];
}

function isClose(got, expected, relative) {
    assert.ok(Math.abs(got - expected) <= relative * Math.abs(expected), `${got}, not ${expected}`);
}

test("the page of a difference says how long both take, and what heddle diff says of it", async () => {
    const file = join(work, "difference.html");
    heddle("diff", hybrid, mpi, "--html", file, "-f", "-q");
    const { page, errors, close } = await openPage(browser, file, "#overview");
    await page.getByRole("heading", { name: "Difference B - A" }).waitFor();
    const value = JSON.parse(heddle("diff", hybrid, mpi, "--json"));
    const wall = await page.locator("#wall").innerText();
    assert.match(wall, /^B takes [\d.]+ × as long: [\d.]+ m?s → [\d.]+ m?s \(main window\)/);
    isClose(Number(wall.match(/takes ([\d.]+)/)[1]), value.wall.b / value.wall.a, 6e-3);
    const places = await page.locator("#changed-causes .places > li").allInnerTexts();
    assert.equal(places.length, value.causes.length);
    places.forEach((place, i) => isClose(secondsOf(place), value.causes[i].difference, 6e-3));
    const waits = page.locator("#changed-waits .wait-state");
    assert.deepEqual(await waits.evaluateAll(all => all.map(wait => wait.dataset.metric)), value.waits.map(wait => wait.metric));
    isClose(secondsOf(await waits.first().locator("h3").innerText()), value.waits[0].difference, 6e-3);
    const time = page.locator("#changed-metrics tr[data-metric=time] td");
    isClose(secondsOf((await time.allInnerTexts())[2]), value.metrics.find(metric => metric.metric === "time").difference, 6e-3);
    const names = await page.locator("#part-changes").innerText();
    assert.ok(names.includes(`A: ${hybrid}`) && names.includes(`B: ${mpi}`), names);
    await screenshot(page, "difference-overview");
    await page.getByRole("link", { name: "Explorer" }).click();
    const row = page.getByRole("treeitem").filter({ hasText: "Time" }).first();
    await row.waitFor();
    isClose(secondsOf(await row.innerText()), total(mpi, "time") - total(hybrid, "time"), 6e-3);
    await screenshot(page, "difference-trees");
    assert.deepEqual(errors, []);
    await close();
});

test("a report minus itself has nothing that changed", async () => {
    const file = join(work, "no-difference.html");
    heddle("diff", mpi, mpi, "--html", file, "-f", "-q");
    const { page, errors, close } = await openPage(browser, file, "#overview");
    await page.getByRole("heading", { name: "Difference B - A" }).waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /[+\u2212]0*\.?0*[1-9][\d.,]* [mµn]?s/);
    assert.match(await page.locator("#wall").innerText(), /^B takes as long as A: /);
    assert.deepEqual(errors, []);
    await close();
});

test("the page of several sizes has a chart, and a table with the shares", async () => {
    const file = join(work, "scaling.html");
    heddle("scaling", mpi, hybrid, "--with-startup", "--html", file, "-f", "-q");
    const { page, errors, close } = await openPage(browser, file);
    await page.locator("canvas").first().waitFor();
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "MPI", exact: true }) }).first();
    const cells = (await row.getByRole("cell").allInnerTexts()).slice(1);
    const shares = [hybrid, mpi].map(report => 100 * total(report, "mpi") / total(report, "time"));
    assert.equal(cells.length, 3);
    shares.forEach((share, i) => assert.equal(cells[i], `${share.toFixed(1)} %`));
    isClose(numberOf(cells[2]), (shares[1] - shares[0]) / 2, 1e-3);
    await screenshot(page, "scaling");
    assert.deepEqual(errors, []);
    await close();
});

test("where all runs have as many processes, the page counts locations", async () => {
    const file = join(work, "scaling-threads.html");
    heddle("scaling", reportOf("pat-pthread-3"), reportOf("drb139-worksharingcritical-1x4"), "--html", file, "-f", "-q");
    const { page, errors, close } = await openPage(browser, file);
    await page.locator("canvas").first().waitFor();
    assert.match(await page.locator("header").innerText(), /2 runs · 4 to 10 locations/);
    assert.match(await page.getByRole("img").first().getAttribute("aria-label"), /by number of locations/);
    await screenshot(page, "scaling-threads");
    assert.deepEqual(errors, []);
    await close();
});

test("pages of what is made of an incomplete report say so", async () => {
    const archive = join(work, "cut-off"), part = join(work, "cut-off.cubex"), full = reportOf("pat-mpi-4"), file = join(work, "incomplete.html");
    rmSync(archive, { recursive: true, force: true });
    cpSync(join(root, "tests/data/pat-mpi-4"), archive, { recursive: true });
    truncateSync(join(archive, "traces/1.evt"), 9000);
    assert.equal(spawnSync(program, ["analyze", archive, "-o", part, "-f", "-q", "--no-summary"]).status, 3);
    const covers = "trace coverage 90 % of recorded events (3 of 4 locations complete)", one = `The trace is incomplete: ${covers} in "${part}" (1 of 2 reports). `;
    const pages = { mean: ["-o", join(work, "incomplete.cubex")], diff: [], scaling: [] };
    for (const [command, options] of Object.entries(pages)) {
        heddle(command, full, part, ...options, "--html", file, "-f", "-q");
        const { page, errors, close } = await openPage(browser, file, command === "scaling" ? "" : "#overview");
        await page.waitForSelector("p.caution");
        assert.deepEqual(await page.locator("p.caution").allTextContents(), [command === "scaling" ? `Partial: ${part} ${covers}.` : one]);
        assert.deepEqual(errors, []);
        await close();
    }
});

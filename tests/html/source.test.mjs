/* source.test.mjs: file and line of call paths, the source of the program where a page was given it, and the explanations of findings and causes. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, heddleFails, openBrowser, openPage, pageOf, reportOf, screenshot, work } from "./reports.mjs";

const folder = join(work, "source");
let browser, report;

before(async () => {
    browser = await openBrowser();
    report = reportOf("scorep-jacobi-mpi-c-16");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "src"), { recursive: true });
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "src", "jacobi.c"), Array.from({ length: 120 }, (_, i) => `\tline <b>${i + 1}</b> of jacobi.c;\n`).join(""));
});
after(() => browser.close());

test("call paths have file and line; no source is there unasked", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(report, "source-none"));
    const source = page.locator("[data-metric=mpi_wait_nxn] .places li .source").first();
    assert.equal(await source.innerText(), "in Jacobi, jacobi.c:39");
    assert.match(await source.getAttribute("title"), /\/.*jacobi\.c:39$/);
    assert.equal(await page.locator(".source-lines").count(), 0);
    assert.equal(await page.locator("details.source").count(), 0);
    assert.doesNotMatch(readFileSync(join(work, "source-none.html"), "utf8"), /of jacobi\.c;/);
    assert.deepEqual(errors, []);
    await close();
});

test("the source of a folder is shown around the lines", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(report, "source", "--source", join(folder, "empty"), "--source", join(folder, "src")));
    const source = page.locator("[data-metric=mpi_wait_nxn] .places li details.source").first();
    await source.locator("summary").click();
    const lines = (await source.locator(".line").allInnerTexts()).map(line => line.trim());
    assert.equal(lines.length, 11);
    assert.match(lines[0], /^34\s+line <b>34<\/b> of jacobi\.c;$/);
    assert.match(await source.locator(".meant").innerText(), /39\s+line <b>39<\/b>/);
    await screenshot(page, "source");
    assert.deepEqual(errors, []);
    await close();
});

test("rows of the call tree have their place, the details of a call path its source", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(report, "source-details", "--source", join(folder, "src")));
    await page.locator("[data-metric=mpi_wait_nxn] .places li .into").first().click();
    const details = page.locator(".pane.call .details");
    await details.locator(".source-lines").waitFor();
    assert.match(await details.innerText(), /within\s+Jacobi, \/.*jacobi\.c, line 39/);
    assert.match(await details.locator(".meant").innerText(), /39\s+line <b>39<\/b>/);
    const notes = await page.locator(".pane.call .row").evaluateAll(rows => rows.map(row => [".name", ".note"].map(part => row.querySelector(part).textContent)));
    assert.deepEqual(notes.find(([name]) => name === "Jacobi"), ["Jacobi", "at jacobi.c:39"]);
    assert.deepEqual(notes.find(([name]) => name === "MPI_Allreduce"), ["MPI_Allreduce", ""]);
    assert.deepEqual(errors, []);
    await close();
});

test("what is searched, and what is found, is said", () => {
    const page = join(work, "source-said.html");
    assert.match(heddle("html", report, "-o", page, "-f", "--source", join(folder, "src")), /source: 1 of 2 files found, \d+ excerpts? in the page/);
    assert.match(heddle("html", report, "-o", page, "-f", "--source", join(folder, "empty")), /source: 0 of 2 files found, 0 excerpts in the page/);
    assert.doesNotMatch(heddle("html", report, "-o", page, "-f"), /source:/);
    assert.match(heddleFails("html", report, "-o", page, "-f", "--source", join(folder, "nowhere")), /"[^"]*nowhere" cannot be read/);
    assert.match(heddleFails("html", report, "-o", page, "-f", "--source", join(folder, "src", "jacobi.c")), /is no folder/);
});

test("a communication call as root cause is explained", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(report, "source-cause"));
    const cause = page.locator(".cause").filter({ hasText: "Time in the call itself" }).first();
    await cause.locator(".ask").first().click();
    assert.equal(await page.textContent(".explanation h2"), "Communication call as root cause");
    assert.match(await page.textContent(".explanation"), /Typical reasons/);
    assert.deepEqual(errors, []);
    await close();
});

test("waiting in non-blocking collectives is said to be in the time of a call, and on the critical path", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("pat-nbc-4"), "source-nbc"));
    const waits = page.locator(".cause").filter({ has: page.locator("h3", { hasText: "MPI_Wait" }) }).first();
    assert.match(await waits.textContent(), /without its waiting \(but with that in non-blocking collectives\)/);
    assert.match(await page.textContent("#part-critical"), /waits in a non-blocking collective is on the path itself/);
    assert.deepEqual(errors, []);
    await close();
});

test("the program as root cause is explained", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("drb139-worksharingcritical-1x4"), "source-program"));
    assert.equal(await page.locator(".cause").filter({ hasText: "Time of the program itself" }).count(), 1);
    assert.deepEqual(errors, []);
    await close();
});

test("a metric is explained with reasons, what to do and sources, then with its definition", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(report, "source-cause"), "#overview&explain=mpi_wait_nxn");
    const text = await page.textContent(".explanation");
    const places = ["Typical reasons", "What to do", "Geimer 2009: M. Geimer", "How it is computed", "No process can leave"].map(part => text.indexOf(part));
    assert.ok(places.every((place, i) => place > (places[i - 1] ?? -1)), `in this order: ${places}`);
    await page.goto(`${page.url().split("#")[0]}#overview&explain=delay_n2n_longterm`);
    await page.waitForFunction(() => /Delay costs/.test(document.querySelector(".explanation")?.textContent ?? ""));
    assert.deepEqual(errors, []);
    await close();
});

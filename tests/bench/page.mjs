/* page.mjs: how long the page of a large report takes: to write, to open, and to answer a click. Prints a table; docs/performance.md has it.
 *
 *   node tests/bench/page.mjs BUILD [LOCATIONSxPATHSxMETRICS|REPORT.cubex...]     4096x2000x80 65536x100x80
 *
 * Reports are made by large_report and kept in BUILD/bench. Opening: from the address to the front page, also with the processes that carry
 * its values, or to the trees with a topology; beside it the processor time that the page's process took for it, which other programs on the machine disturb less. A click lasts until
 * the frame that shows what follows has been drawn; of a metric that was not seen before, with reading its values. Each is done with several rows,
 * and the median and the longest are told.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const build = resolve(process.argv[2] ?? "build"), work = join(build, "bench");
const sizes = process.argv.length > 3 ? process.argv.slice(3) : ["4096x2000x80", "65536x100x80"];
const N_CLICKS = 9, N_OPENED = 3;

process.env.HEDDLE_WORK = work;
process.env.HEDDLE = join(build, "heddle");
mkdirSync(work, { recursive: true });
const { openBrowser, openPage } = await import("../html/reports.mjs");

const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
const milliseconds = times => `${Math.round([...times].sort((a, b) => a - b)[times.length >> 1])} (${Math.round(Math.max(...times))})`;
const megabytes = bytes => (bytes / 1e6).toFixed(1);

run("cmake", "--build", build, "--target", "heddle", "large_report");

function folderBytes(folder) {
    return existsSync(folder) ? readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) : 0;
}

/* Runs in the page. */
function addWatch() {
    const frame = () => new Promise(done => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done();
        channel.port2.postMessage(null); /* behind the drawing of the frame */
    }));
    globalThis.shown = async () => {
        do
            await frame();
        while (document.querySelector(".waiting, .loading") !== null);
    };
    /* When nothing has changed for a second. */
    let changed = performance.now();
    new MutationObserver(() => (changed = performance.now())).observe(document, { subtree: true, childList: true, characterData: true });
    globalThis.settled = async () => {
        while (performance.now() < changed + 1000)
            await new Promise(done => setTimeout(done, 100));
        return changed;
    };
    globalThis.timed = async act => {
        await frame();
        const start = performance.now();
        act();
        await shown();
        return performance.now() - start;
    };
    globalThis.click = element => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    globalThis.row = (pane, i) => document.querySelectorAll(`.pane.${pane} [role=treeitem]`)[i];
    globalThis.button = (pane, text) => [...document.querySelectorAll(`.pane.${pane} button`)].find(({ textContent, ariaLabel }) => textContent === text || ariaLabel === text);
}

/* Each line of the table: what is clicked, for i = 0, 1, ...; false: there is none. */
const clicks = {
    "metric, first time": i => row("metric", i) !== undefined && (() => click(row("metric", i))),
    "metric, again": i => row("metric", i) !== undefined && (() => click(row("metric", i))),
    "open or close a metric": i => row("metric", 0) !== undefined && (() => click(row("metric", 0).querySelector(".twisty"))),
    "call path": i => row("call", 1 + 2 * i) !== undefined && (() => click(row("call", 1 + 2 * i))),
    "open or close a call path": i => row("call", 0) !== undefined && (() => click(row("call", 0).querySelector(".twisty"))),
    "open or close all call paths": i => () => click(button("call", i % 2 === 0 ? "Open all" : "Close all")),
    "sort call paths": () => () => click(button("call", "sort")),
    "flat profile or tree": i => () => click(button("call", i % 2 === 0 ? "flat" : "tree")),
    "system row": i => row("system", 1 + i) !== undefined && (() => click(row("system", 1 + i))),
    "open or close all of the system": i => () => click(button("system", i % 2 === 0 ? "Open all" : "Close all")),
    "mode of the system": i => () => {
        const select = document.getElementById("mode-system");
        select.value = ["peers", "absolute", "maximum"][i % 3];
        select.dispatchEvent(new Event("change", { bubbles: true }));
    },
    "topology or tree": i => () => click(button("system", i % 2 === 0 ? "topology" : "tree")),
    "bars or tree": i => () => click(button("system", i % 2 === 0 ? "bars" : "tree")),
    "box plot or tree": i => () => click(button("system", i % 2 === 0 ? "box plot" : "tree")),
};

async function measureClicks(page) {
    const out = {};
    for (const [what, act] of Object.entries(clicks)) {
        if (what === "call path") /* some rows to click on */
            await page.evaluate(async () => timed(() => click(button("call", "Open all"))));
        const times = [];
        for (let i = 0; i < N_CLICKS; i++) {
            const time = await page.evaluate(`(async () => { const act = (${act})(${i}); return act === false ? -1 : timed(act); })()`);
            if (time >= 0)
                times.push(time);
        }
        if (times.length > 0)
            out[what] = milliseconds(times);
    }
    /* with the topology in sight: what a click on metrics and call paths takes then */
    await page.evaluate(async () => timed(() => click(button("system", "topology"))));
    const times = [];
    for (let i = 0; i < N_CLICKS; i++)
        times.push(await page.evaluate(`timed(() => click(row("call", 1 + 2 * ${i}) ?? row("call", 0)))`));
    out["call path, with the topology"] = milliseconds(times);
    return out;
}

/* Of the process that shows pages: the most memory that it had so far. */
async function peakBytes(browser) {
    const { processInfo } = await (await browser.newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
    const of = id => 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "latin1"))[1]);
    return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => of(id)));
}

async function measure(size) {
    const isMade = !size.endsWith(".cubex");
    const report = isMade ? join(work, `page-${size}.cubex`) : size, file = isMade ? join(work, `page-${size}.html`) : size.replace(/cubex$/, "html");
    if (!existsSync(report))
        run(join(build, "tests/bench/large_report"), report, ...size.split("x"));
    const start = performance.now();
    run(process.env.HEDDLE, "html", report, "-o", file, "--force");
    const out = {
        "report [MB]": megabytes(statSync(report).size), "`heddle html` [s]": ((performance.now() - start) / 1000).toFixed(1),
        "page [MB]": megabytes(statSync(file).size), "beside it [MB]": megabytes(folderBytes(`${file}.data`)),
    };
    const opened = {}, shownFirst = [], peaks = [];
    for (let i = 0; i < N_OPENED; i++)
        for (const [what, hash] of [["the front page", ""], ["the trees, topology", "#trees&view=topology"]]) {
            const browser = await openBrowser();
            const { page, errors, close } = await openPage(browser, file, hash);
            const inspector = await page.context().newCDPSession(page);
            await inspector.send("Performance.enable");
            await page.waitForSelector(".part, .pane.system .view, .failure");
            await page.evaluate(addWatch);
            await page.evaluate(() => shown());
            const wall = hash === "" ? await page.evaluate(() => settled()) : await page.evaluate(() => performance.now()); /* since the page was asked for */
            const first = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
            const { metrics } = await inspector.send("Performance.getMetrics");
            (opened[what] ??= []).push([wall / 1000, metrics.find(({ name }) => name === "ProcessTime").value]);
            if (hash === "") {
                shownFirst.push(first / 1000);
                peaks.push(await peakBytes(browser));
            }
            if (i === N_OPENED - 1 && hash !== "") {
                Object.assign(out, ...Object.entries(opened).map(([name, times]) => ({
                    [`opening ${name} [s]`]: `${Math.min(...times.map(([time]) => time)).toFixed(2)} (${Math.min(...times.map(([, time]) => time)).toFixed(2)})`,
                })));
                await page.evaluate(async () => timed(() => click(button("system", "tree"))));
                Object.assign(out, await measureClicks(page));
                out["front page is shown [s]"] = Math.min(...shownFirst).toFixed(2);
                out["its process, at most [MB]"] = megabytes(Math.min(...peaks));
                out["memory of the page [MB]"] = megabytes(await page.evaluate(() => performance.memory.usedJSHeapSize));
            }
            if (errors.length > 0)
                throw new Error(errors.join("\n"));
            await close();
            await browser.close();
        }
    return out;
}

for (const size of sizes) {
    console.log(`| ${size} | |\n| --- | ---: |`);
    for (const [what, value] of Object.entries(await measure(size)))
        console.log(`| ${what} | ${value} |`);
}

/* timeline.test.mjs: timeline excerpts in a browser: bars, waits and messages at their times, with pointer, wheel, touch and keyboard, narrow and
 * dark; those of real archives have what the tables of the report have. Leaves screenshots. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode, html } from "./page_maker.mjs";
import { openBrowser, openPage, pageOf, reportOf, screenshot, work } from "./reports.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/* ---- a report made by hand. Window 0.99 s to 1.03 s, so 40 ms:
 *   process 0   [solve                17][send 19][main           ]      [ms] after the begin of the window
 *   process 1   [solve 10][recv xxxxxxxx 18 . 20][main            ]      x: waits 10 .. 18
 *   process 2   [send 4..6][main                                  ]      a message to process 0 at 4 .. 8, which never is in a receive there
 */
const region = (name, paradigm, role) => ({ name, file: "", paradigm, role, begin: -1 });

function headOf(tables) {
    const ranks = [0, 1, 2];
    return {
        format: 2, kind: "report", title: "made.cubex", creator: "Heddle", beside: null, headings: {}, leftOut: [], unfinished: null, nodes: [], matrixNodes: [],
        attributes: [["Heddle::Archive", "/data/run 1/traces.otf2"]],
        metrics: [{ id: "mpi_latesender", name: "Late Sender", unit: "sec", what: "", parent: -1, integer: false, extreme: false, wait: true }],
        regions: [region("main", "user", "function"), region("solve", "user", "function"), region("MPI_Recv", "mpi", "point2point"), region("MPI_Send", "mpi", "point2point")],
        paths: { region: [0, 1, 2, 3], parent: [-1, 0, 1, 1], number: [10, 11, 12, 13], label: [null, null, null, null] },
        system: {
            nodes: { name: ["machine", "node"], class: ["machine", "node"], parent: [-1, 0] }, others: [],
            groups: { name: ranks.map(String), rank: ranks, node: ranks.map(() => 1) },
            locations: { name: ranks.map(() => ""), thread: ranks.map(() => 0), group: ranks },
        },
        topologies: [], tables: { findings: null, causes: null, pairs: null, statistics: null, ...tables },
    };
}

const made = {
    instances: "instance\tmetric\tpath\tprocess\tthread\tenter\tleave\twaiting\tpeer\n7\tmpi_latesender\t12\t1\t0\t1\t1.01\t0.008\t0\n",
    moments: "instance\tprocess\tthread\tbegin\tend\tpath\tkind\n"
        + "7\t0\t0\t0.99\t1.007\t11\tcall\n7\t0\t0\t1.007\t1.009\t13\tcall\n7\t0\t0\t1.009\t1.03\t10\tcall\n"
        + "7\t1\t0\t0.99\t1\t11\tcall\n7\t1\t0\t1\t1.01\t12\tcall\n7\t1\t0\t1\t1.008\t12\twait\n7\t1\t0\t1.01\t1.03\t10\tcall\n"
        + "7\t2\t0\t0.994\t0.996\t13\tcall\n7\t2\t0\t0.996\t1.03\t10\tcalls\n",
    windows: "instance\tbegin\tend\tlanes\tpartners\tsends\treceives\n7\t0.99\t1.03\t3\t4\t2\t5\n",
    messages: "instance\tsender\tsender_thread\treceiver\treceiver_thread\tsent\treceived\tbytes\ttag\n7\t2\t0\t0\t0\t0.994\t0.998\t1024\t5\n7\t0\t0\t1\t0\t1.007\t1.01\t8400\t9\n",
};

function pageMade(name, tables = made) {
    const head = headOf(tables);
    const file = join(work, `${name}.html`);
    writeFileSync(file, html(head, encode(head, (_, path, location) => (path === 2 && location === 1 ? 0.008 : 0))));
    return file;
}

async function openTimeline(name, { options = {}, tables = made } = {}) {
    const opened = await openPage(browser, pageMade(name, tables), "#overview", options);
    const timeline = opened.page.locator(".v-timeline").first();
    await timeline.locator("svg").waitFor();
    return { ...opened, timeline, stage: timeline.locator(".v-time") };
}

/* Drawing follows a frame later. */
const settled = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

/* What is drawn, in ms after the begin of the window: the two dashed lines are at 10 and 20. */
async function drawn(page, timeline) {
    await settled(page);
    return timeline.locator("svg").first().evaluate(svg => {
        const number = (element, name) => Number(element.getAttribute(name));
        const [a, b] = [...svg.querySelectorAll(".v-edge")].map(line => number(line, "x1"));
        const time = x => 10 + (10 * (x - a)) / (b - a);
        return {
            messages: [...svg.querySelectorAll(".v-message")].map(group => {
                const line = group.querySelector(".v-line");
                return { from: time(number(line, "x1")), to: time(number(line, "x2")), y1: number(line, "y1"), y2: number(line, "y2"), isMain: group.classList.contains("v-message-main"),
                         hasHead: line.getAttribute("marker-end") !== null };
            }),
            waits: [...svg.querySelectorAll(".v-wait > rect:first-child")].map(rect => [time(number(rect, "x")), time(number(rect, "x") + number(rect, "width"))]),
            names: [...svg.querySelectorAll(".v-name")].map(text => text.textContent),
            ticks: [...svg.querySelectorAll(".v-tick")].map(text => text.textContent),
            tops: [...svg.querySelectorAll(".v-name")].map(text => number(text, "y")),
            pixels: (b - a) / 10,
        };
    });
}

const near = (a, b, off = 0.05) => assert.ok(Math.abs(a - b) <= off, `${a} is not ${b}`);

/* Points at what is drawn, and says what the tip says. element: a locator; share: where on its box. */
async function tipAt(page, element, share = [0.5, 0.5]) {
    await element.scrollIntoViewIfNeeded();
    const box = await element.boundingBox();
    await page.mouse.move(box.x + share[0] * box.width, box.y + share[1] * box.height);
    return page.locator(".v-tip:visible").innerText();
}

test("an excerpt shows calls, waits and messages at their times", async () => {
    const { page, timeline, errors, close } = await openTimeline("timeline-made");
    assert.match(await timeline.locator(".v-words").innerText(), /process 1 waits 8 ms in MPI_Recv for process 0, which is in solve\./);
    const { messages, waits, names, ticks } = await drawn(page, timeline);
    assert.deepEqual(names, ["process 0", "process 1", "process 2"]);
    assert.equal(waits.length, 1);
    near(waits[0][0], 10);
    near(waits[0][1], 18);
    assert.equal(messages.length, 2);
    near(messages[0].from, 4);
    near(messages[0].to, 8);
    near(messages[1].from, 17);
    near(messages[1].to, 20);
    assert.ok(messages.every(message => message.hasHead));
    assert.deepEqual(messages.map(message => message.isMain), [false, true]);
    assert.ok(messages[0].y1 > messages[1].y2 && messages[1].y2 > messages[1].y1 && messages[0].y2 < messages[1].y2, "from process 2 up to 0, from 0 down to 1");
    assert.equal(ticks[0], "0");
    assert.ok(ticks.slice(1).every(text => /^\d+ ms$/.test(text)), ticks.join());
    const key = await timeline.locator(".v-key").innerText();
    for (const word of ["compute", "point-to-point", "waiting", "message", "begin and end of the waiting call", "short calls, put together"])
        assert.match(key, new RegExp(word));
    const notes = await timeline.locator(".v-notes").innerText();
    assert.match(notes, /begin of the window, 0\.990000000 s after the first event/);
    assert.match(notes, /Of 2 sends and 5 receives of these threads, 2 messages have both ends here\./);
    assert.match(notes, /The report keeps 1 of 4 processes that exchange messages/);
    await screenshot(page, "timeline-made");
    assert.deepEqual(errors, []);
    await close();
});

test("the pointer is told name, call path, times and length", async () => {
    const { page, timeline, close } = await openTimeline("timeline-tip");
    const words = (await tipAt(page, timeline.locator(".v-wait"), [0.1, 0.5])).split("\n");
    assert.deepEqual(words, ["process 1: waits in MPI_Recv (Late Sender)", "main › solve › MPI_Recv", "8 ms, from 10 ms to 18 ms", "from 1.000000000 s to 1.008000000 s of the archive"]);
    assert.match(await tipAt(page, timeline.locator(".v-call-1").first()), /^process 0: MPI_Send\s+main › solve › MPI_Send\s+2 ms, from 17 ms to 19 ms/);
    assert.match(await tipAt(page, timeline.locator(".v-several")), /^process 2: short calls, most of the time main/);
    assert.deepEqual((await tipAt(page, timeline.locator(".v-message").nth(1))).split("\n"), [
        "message: process 0 to process 1", "8,400 bytes, tag 9", "sent at 17 ms in MPI_Send, received at 20 ms in MPI_Recv", "3 ms from the enter of the send to the leave of the receive"]);
    await close();
});

test("Ctrl and the wheel zoom at the pointer, dragging and the wheel sideways move, a double click shows a call, or all", async () => {
    const { page, timeline, stage, errors, close } = await openTimeline("timeline-pointer");
    const before = await drawn(page, timeline);
    await stage.scrollIntoViewIfNeeded();
    const box = await stage.locator("svg").boundingBox();
    const wait = await timeline.locator(".v-wait").boundingBox();
    const scroll = () => page.evaluate(() => document.querySelector(".overview")?.scrollTop ?? scrollY);

    await page.mouse.move(wait.x + wait.width / 2, wait.y + wait.height / 2);
    const top = await scroll();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -80);
    await page.keyboard.up("Control");
    const zoomed = await drawn(page, timeline);
    assert.ok(zoomed.pixels > 1.5 * before.pixels, "the same time takes more room");
    assert.equal(await scroll(), top);
    const moved = await timeline.locator(".v-wait").boundingBox();
    near(moved.x + moved.width / 2, wait.x + wait.width / 2, 2);

    await page.mouse.wheel(80, 0);
    await settled(page);
    const later = await timeline.locator(".v-wait").boundingBox();
    assert.ok(later.x < moved.x - 10, "to later times");

    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 4);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height - 4, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    near((await timeline.locator(".v-wait").boundingBox()).x - later.x, 40, 2);
    assert.equal(await timeline.locator(".v-detail").innerText(), "", "dragging selects nothing");

    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height - 4);
    near((await drawn(page, timeline)).pixels, before.pixels);
    const send = await timeline.locator(".v-call-1 rect").first().boundingBox();
    await page.mouse.dblclick(send.x + send.width / 2, send.y + send.height / 2);
    const { ticks, pixels } = await drawn(page, timeline);
    assert.ok(pixels > 10 * before.pixels, "a call of 2 of 40 ms");
    assert.ok(ticks.some(text => text === "18.0 ms") && ticks.every(text => Number(text.split(" ")[0]) >= 16.8 && Number(text.split(" ")[0]) <= 19.2), ticks.join());
    assert.deepEqual(errors, []);
    await close();
});

test("the wheel alone scrolls the page", async () => {
    const { page, timeline, stage, close } = await openTimeline("timeline-scroll", { options: { viewport: { width: 900, height: 300 } } });
    const before = await drawn(page, timeline);
    await stage.hover();
    const y = async () => (await stage.boundingBox()).y;
    const top = await y();
    await page.mouse.wheel(0, 60);
    await page.waitForFunction(([selector, old]) => document.querySelector(selector).getBoundingClientRect().y < old, [".v-time", top]);
    assert.equal((await drawn(page, timeline)).pixels, before.pixels);
    await close();
});

test("two fingers zoom", async () => {
    const { page, timeline, stage, errors, close } = await openTimeline("timeline-touch", { options: { hasTouch: true } });
    const before = await drawn(page, timeline);
    await stage.evaluate(element => {
        const box = element.getBoundingClientRect();
        const finger = (type, pointerId, x) => element.dispatchEvent(new PointerEvent(type, { pointerId, pointerType: "touch", bubbles: true, clientX: box.left + x, clientY: box.top + 60, button: 0 }));
        finger("pointerdown", 1, 200);
        finger("pointerdown", 2, 300);
        finger("pointermove", 1, 150);
        finger("pointermove", 2, 350);
        finger("pointerup", 1, 150);
        finger("pointerup", 2, 350);
    });
    near((await drawn(page, timeline)).pixels, 2 * before.pixels, 0.1);
    assert.deepEqual(errors, []);
    await close();
});

test("everything works with buttons and with the keyboard", async () => {
    const { page, timeline, stage, errors, close } = await openTimeline("timeline-keys");
    const pixels = async () => (await drawn(page, timeline)).pixels;
    const before = await pixels();
    const button = name => timeline.getByRole("button", { name, exact: true });
    await button("zoom in").click();
    near(await pixels(), 2 * before);
    const first = (await drawn(page, timeline)).ticks[0];
    await button("to later times").click();
    assert.notEqual((await drawn(page, timeline)).ticks[0], first);
    await button("to earlier times").click();
    assert.equal((await drawn(page, timeline)).ticks[0], first);
    await button("zoom out").click();
    near(await pixels(), before);
    await button("zoom in").click();
    await button("show the whole window").click();
    near(await pixels(), before);

    await stage.focus();
    await page.keyboard.press("+");
    near(await pixels(), 2 * before);
    const place = (await drawn(page, timeline)).ticks[0];
    await page.keyboard.press("ArrowRight");
    assert.notEqual((await drawn(page, timeline)).ticks[0], place);
    await page.keyboard.press("ArrowLeft");
    assert.equal((await drawn(page, timeline)).ticks[0], place);
    await page.keyboard.press("-");
    near(await pixels(), before);
    await page.keyboard.press("+");
    await page.keyboard.press("0");
    near(await pixels(), before);

    const detail = () => timeline.locator(".v-detail").innerText();
    await page.keyboard.press("ArrowDown");
    assert.match(await detail(), /^process 0: main/);
    await page.keyboard.press("Shift+ArrowLeft");
    assert.match(await detail(), /^process 0: MPI_Send main › solve › MPI_Send; 2 ms, from 17 ms to 19 ms/);
    await page.keyboard.press("Shift+ArrowLeft");
    assert.match(await detail(), /^process 0: solve main › solve; 19 ms, from 0 s to 19 ms/);
    await page.keyboard.press("Shift+ArrowLeft");
    assert.match(await detail(), /^process 0: solve/);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowDown");
    assert.match(await detail(), /^process 1: /);
    assert.equal(await timeline.locator(".v-chosen").count(), 1);
    assert.deepEqual(errors, []);
    await close();
});

test("processes are shown by their part in the wait, calls with what is around them", async () => {
    const { page, timeline, close } = await openTimeline("timeline-lanes");
    const fewer = timeline.getByRole("button", { name: "fewer processes and threads" });
    const more = timeline.getByRole("button", { name: "more processes and threads" });
    assert.equal(await timeline.locator(".v-count").innerText(), "3 of 3 processes");
    assert.ok(await more.isDisabled());
    await fewer.click();
    let now = await drawn(page, timeline);
    assert.deepEqual(now.names, ["process 0", "process 1"], "the partner goes first");
    assert.equal(now.messages.length, 1);
    await fewer.click();
    now = await drawn(page, timeline);
    assert.deepEqual([now.names, now.messages.length], [["process 1"], 0], "who waits stays");
    assert.ok(await fewer.isDisabled());
    await more.click();
    await more.click();
    assert.equal((await drawn(page, timeline)).messages.length, 2);

    const bars = async () => timeline.locator(".v-call").count();
    const calls = timeline.locator("label", { hasText: "Calls" }).locator("select");
    assert.equal(await bars(), 9);          /* process 0: solve, main, MPI_Send; process 1: solve, main, MPI_Recv; process 2: solve, main, MPI_Send */
    await calls.selectOption("calls");
    assert.equal(await bars(), 8);
    await calls.selectOption("stack");
    assert.equal(await bars(), 3 + 3 + 4);  /* main, solve and the call of MPI; main of process 2 again, for its short calls */
    await close();
});

test("a click selects a call, whose link leads to the explorer with the metric of the wait", async () => {
    const { page, timeline, errors, close } = await openTimeline("timeline-link");
    await timeline.locator(".v-wait").click({ position: { x: 5, y: 5 } });
    const link = timeline.locator(".v-detail a");
    assert.equal(await link.innerText(), "MPI_Recv in the explorer");
    await timeline.locator(".v-message").nth(1).locator(".v-reach").click({ force: true });
    assert.deepEqual(await link.allInnerTexts(), ["MPI_Send in the explorer", "MPI_Recv in the explorer"]);
    await link.nth(1).click();
    await page.waitForFunction(() => location.hash.startsWith("#trees"));
    assert.equal(await page.locator(".pane.call .row.chosen .name").innerText(), "MPI_Recv");
    assert.equal(await page.locator(".pane.metric .row.chosen .name").innerText(), "Late Sender");
    assert.deepEqual(errors, []);
    await close();
});

test("an excerpt is enlarged over the page, and Esc closes it", async () => {
    const { page, timeline, close } = await openTimeline("timeline-large");
    const small = await drawn(page, timeline);
    await timeline.getByRole("button", { name: "over the whole page" }).click();
    assert.ok((await drawn(page, timeline)).pixels > small.pixels);
    const box = await timeline.boundingBox();
    assert.ok(box.x < 20 && box.width > 1350 && box.height > 850);
    await screenshot(page, "timeline-large");
    await page.keyboard.press("Escape");
    near((await drawn(page, timeline)).pixels, small.pixels);
    await close();
});

test("commands for the piece of the archive are there to be copied", async () => {
    const { page, timeline, errors, close } = await openTimeline("timeline-commands", { options: { permissions: ["clipboard-read", "clipboard-write"] } });
    await timeline.locator(".v-commands summary").click();
    assert.deepEqual(await timeline.locator(".v-commands code").allInnerTexts(), [
        "heddle extract '/data/run 1/traces.otf2' --report made.cubex --instance 7 --margin 5000000ns -o instance-7",
        "heddle export '/data/run 1/traces.otf2' --report made.cubex --instance 7 --margin 5000000ns --perfetto instance-7.json"]);
    const copy = timeline.getByRole("button", { name: /^copy the command: as an archive/ });
    await copy.click();
    await page.waitForFunction(() => document.querySelector(".v-commands button").textContent !== "Copy");
    assert.equal(await copy.innerText(), "Copied");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await timeline.locator(".v-commands code").first().innerText());
    assert.deepEqual(errors, []);
    await close();
});

test("on a narrow screen nothing is wider than the screen, and names stand above their lanes", async () => {
    const { page, timeline, errors, close } = await openTimeline("timeline-narrow", { options: { viewport: { width: 420, height: 800 } } });
    const { names, tops, messages } = await drawn(page, timeline);
    assert.deepEqual(names, ["process 0: waited for", "process 1: waits", "process 2: partner"]);
    assert.ok(tops[0] < tops[1] && tops[1] < tops[2]);
    assert.equal(messages.length, 2);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const box = await timeline.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 420);
    await screenshot(page, "timeline-narrow");
    assert.deepEqual(errors, []);
    await close();
});

test("in a dark page the colours are dark", async () => {
    const { page, timeline, close } = await openTimeline("timeline-dark", { options: { colorScheme: "dark" } });
    await drawn(page, timeline);
    const light = colour => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    const of = (selector, property) => timeline.locator(selector).first().evaluate((element, name) => getComputedStyle(element)[name], property);
    assert.ok(light(await of(".v-call-0 rect", "fill")) < 110);
    assert.ok(light(await of(".v-call-0 text", "fill")) > 180);
    assert.ok(light(await of(".v-message-plain .v-line", "stroke")) > 180);
    await screenshot(page, "timeline-dark");
    await close();
});

test("a report of an older version has no messages, and says so", async () => {
    const { page, timeline, errors, close } = await openTimeline("timeline-older", { tables: { instances: made.instances, moments: made.moments } });
    const { messages, names } = await drawn(page, timeline);
    assert.deepEqual([messages.length, names.length], [0, 3]);
    assert.match(await timeline.locator(".v-notes").innerText(), /older version of Heddle, and has no messages/);
    assert.deepEqual(errors, []);
    await close();
});

test("of very many messages those nearest to the end of the wait are drawn, and more where one zooms in", async () => {
    const lines = Array.from({ length: 700 }, (_, i) => `7\t2\t0\t0\t0\t${(0.99 + i * 5e-5).toFixed(6)}\t${(0.99 + i * 5e-5 + 2e-5).toFixed(6)}\t8\t5\n`);
    const tables = { ...made, messages: made.messages + lines.join(""), windows: made.windows.replace("\t2\t5\n", "\t702\t705\n") };
    const { page, timeline, stage, close } = await openTimeline("timeline-many", { tables });
    const { messages } = await drawn(page, timeline);
    assert.equal(messages.length, 300);
    assert.equal(messages.filter(message => message.isMain).length, 1);
    const notes = () => timeline.locator(".v-notes").innerText();
    assert.match(await notes(), /300 of 702 messages here are drawn, those nearest to the end of the wait/);
    assert.match(await notes(), /at most 500 ends are kept/);
    await stage.focus();
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    const zoomed = (await drawn(page, timeline)).messages.length;
    assert.ok(zoomed > 150 && zoomed < 300, String(zoomed));
    assert.doesNotMatch(await notes(), /are drawn/);
    await close();
});

/* ---- real archives ------------------------------------------------------------------------------------------------------------- */

function tableOf(report, name) {
    const [head, ...lines] = execFileSync("tar", ["-xOf", report, `heddle.${name}.tsv`], { encoding: "utf8", maxBuffer: 2 ** 28 }).split("\n").filter(line => line !== "");
    return lines.map(line => Object.fromEntries(line.split("\t").map((field, i) => [head.split("\t")[i], field])));
}

for (const archive of ["pat-mpi-4", "npb-is-S-8", "scorep-jacobi-hyb-c-4x2"])
    test(`excerpts of ${archive} have the messages of its report`, async () => {
        const report = reportOf(archive, "--stat");
        const [windows, messages, instances] = ["windows", "messages", "instances"].map(name => tableOf(report, name));
        const { page, errors, close } = await openPage(browser, pageOf(report, `timeline-${archive}`), "#overview");
        await page.locator(".v-timeline").first().waitFor();
        const figures = page.locator("figure.instance");
        let nMessages = 0;
        for (let i = 0; i < await figures.count(); i++) {
            const figure = figures.nth(i);
            const number = await figure.getAttribute("data-instance");
            const row = instances.find(one => one.instance === number);
            const window = windows.find(one => one.instance === number);
            const more = figure.getByRole("button", { name: "more processes and threads" });
            while (!await more.isDisabled())
                await more.click();
            await settled(page);
            const ends = await figure.locator("svg").evaluate(svg => {
                const number = (element, name) => Number(element.getAttribute(name));
                const edges = [...svg.querySelectorAll(".v-edge")].map(line => number(line, "x1"));
                return { edges, lines: [...svg.querySelectorAll(".v-message .v-line")].map(line => [number(line, "x1"), number(line, "x2")]) };
            });
            const own = messages.filter(one => one.instance === number);
            assert.equal(ends.lines.length, Math.min(own.length, 300), `instance ${number}`);
            const [enter, leave] = [Number(row.enter), Number(row.leave)];
            const time = x => enter + ((leave - enter) * (x - ends.edges[0])) / (ends.edges[1] - ends.edges[0]);
            const off = (Number(window.end) - Number(window.begin)) * 1e-6;
            if (own.length <= 300)
                own.forEach((one, j) => {
                    near(time(ends.lines[j][0]), Number(one.sent), off);
                    near(time(ends.lines[j][1]), Number(one.received), off);
                });
            nMessages += own.length;
        }
        assert.ok(archive === "npb-is-S-8" || nMessages > 0);
        await screenshot(page, `timeline-${archive}`);
        assert.deepEqual(errors, []);
        await close();
    });

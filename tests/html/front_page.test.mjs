/* front_page.test.mjs: what is wrong, as the front page has it: the same numbers, call paths and processes as heddle summary; every name leads
 * to what it says; explanations, paper, colours, narrow windows. */
import assert from "node:assert/strict";
import { cpSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openPage, pageOf, reportAt, reportOf, root, screenshot, summaryText, work } from "./reports.mjs";

const ARCHIVES = ["pat-mpi-4", "scorep-jacobi-hyb-c-4x2"];

let browser;
const pages = new Map();
before(async () => {
    browser = await openBrowser();
    for (const archive of ARCHIVES)
        pages.set(archive, pageOf(reportOf(archive), archive));
});
after(() => browser.close());

/* ---- heddle summary ------------------------------------------------------------------------------------------------------------ */

const UNITS = { s: 1, ms: 1e-3, us: 1e-6, "\u00b5s": 1e-6, ns: 1e-9 };

/* The rows of a part of the summary: { depth, name, value, share }, with who carries them where the next line says so. */
function summaryOf(report, title) {
    const lines = summaryText(report).split("\n");
    const start = lines.indexOf(title);
    assert.ok(start >= 0, title);
    const end = lines.indexOf("", start);
    const rows = [];
    for (const line of lines.slice(start + 1, end < 0 ? undefined : end)) {
        const row = /^( +)(\S.*?) {2,}(\S+) ([mun]?s) +(\S+) %$/.exec(line);
        if (row !== null)
            rows.push({ depth: row[1].length, name: row[2], value: Number(row[3]) * UNITS[row[4]], share: row[5], who: "" });
        else if (/^ +(process \d+( threads? [\d, -]+)?: |\d+ of \d+ processes: )/.test(line))
            rows.at(-1).who = line.trim().replace(/(\d)-(\d)/g, "$1\u2013$2");
    }
    return rows;
}

/* The sentences of a part, whatever lines they are on. */
function wordsOf(report, title) {
    const lines = summaryText(report).split("\n");
    const start = lines.indexOf(title);
    assert.ok(start >= 0, title);
    return lines.slice(start + 1, lines.indexOf("", start)).join(" ").replace(/\s+/g, " ").trim();
}

/* ---- the page ------------------------------------------------------------------------------------------------------------------ */

/* Runs in the page: the rows that these elements hold, a head with its places. */
function rowsIn(selector) {
    const amount = element => ({
        value: element.querySelector(".figure").textContent, share: element.querySelector(".share").textContent,
        name: element.querySelector(".path-name")?.title ?? element.querySelector(".into").textContent,
    });
    return [...document.querySelectorAll(selector)].map(item => ({
        ...amount(item.querySelector("h3")), lead: item.querySelector(".lead")?.textContent ?? "",
        places: [...item.querySelectorAll(".places > li:not(.title)")].map(place => ({ ...amount(place), who: place.querySelector(".who")?.textContent ?? "" })),
    }));
}

/* The same three digits, of the same unit, but for that the summary has "us". */
const isShown = (text, value) => {
    const [digits, unit] = text.split(" ");
    assert.ok(Math.abs(Number(digits) * UNITS[unit] - value) <= 1e-9 * value, `${text}, not ${value}`);
};
const isPath = (name, full) => {
    const [begin, end] = name.includes("...") ? [name.slice(0, name.indexOf("...")), name.slice(name.lastIndexOf("...") + 3)] : [name, name];
    assert.ok(full.startsWith(begin) && full.endsWith(end), `${full}, not ${name}`);
};

async function openFront(archive, hash = "", options = {}) {
    const opened = await openPage(browser, pages.get(archive), hash, options);
    await opened.page.waitForSelector("#part-about");
    /* who carries what is worked out after the page is there */
    await opened.page.waitForFunction(() => document.querySelectorAll(".places .path-name").length > 0
        && [...document.querySelectorAll("#part-waits .places li")].every(place => place.querySelector(".who") !== null));
    return opened;
}

for (const archive of ARCHIVES)
    test(`${archive}: the top wait states, their call paths and processes are those of heddle summary`, async () => {
        const { page, errors, close } = await openFront(archive);
        const shown = await page.evaluate(rowsIn, ".wait-state");
        const said = summaryOf(reportOf(archive), "Top wait states");
        const states = said.filter(({ depth }) => depth === 2);
        assert.equal(states.length, 3);
        states.forEach((state, i) => {
            const first = said.indexOf(state);
            const next = said.findIndex((row, j) => j > first && row.depth === 2);
            const places = said.slice(first + 1, next < 0 ? undefined : next);
            assert.ok([state.name, state.name.replace(/ \(.*/, "")].includes(shown[i].name), `${shown[i].name}, not ${state.name}`);
            isShown(shown[i].value, state.value);
            assert.equal(shown[i].share, `${state.share} %`);
            assert.equal(shown[i].places.length, places.length);
            places.forEach((place, p) => {
                isPath(place.name, shown[i].places[p].name);
                isShown(shown[i].places[p].value, place.value);
                assert.equal(shown[i].places[p].share, `${place.share} %`);
                assert.equal(shown[i].places[p].who, place.who);
            });
        });
        await screenshot(page, `front ${archive}`);
        assert.deepEqual(errors, []);
        await close();
    });

test("the causes of waiting and the critical path are those of heddle summary", async () => {
    const { page, close } = await openFront("pat-mpi-4");
    const shown = await page.evaluate(rowsIn, ".cause");
    const said = summaryOf(reportOf("pat-mpi-4"), "Root causes of wait states (delay costs)");
    const causes = said.filter(({ depth, name }) => depth === 2 && name.includes(" > "));
    assert.ok(causes.length >= 3);
    assert.equal(shown.length, causes.length);
    causes.forEach((cause, i) => {
        const effects = said.slice(said.indexOf(cause) + 1).slice(0, 2);
        isPath(cause.name, shown[i].name);
        isShown(shown[i].value, cause.value);
        assert.equal(shown[i].share, `${cause.share} %`);
        assert.ok(shown[i].lead.includes(cause.who), `${shown[i].lead}, not ${cause.who}`);
        effects.filter(({ depth }) => depth === 6).forEach((effect, e) => {
            isShown(shown[i].places[e].value, effect.value);
            assert.ok(effect.name.endsWith(`(${shown[i].places[e].who})`));
        });
    });
    const [length, ...places] = summaryOf(reportOf("pat-mpi-4"), "Critical path").filter(({ depth }) => depth === 2);
    const critical = await page.evaluate(() => [...document.querySelectorAll("#part-critical .places li")].map(li =>
        ({ value: li.querySelector(".figure").textContent, name: li.querySelector(".path-name").title })));
    isShown(await page.textContent("#part-critical p .into"), length.value);
    assert.ok(places.length > 0);
    places.forEach((place, i) => {
        isShown(critical[i].value, place.value);
        isPath(place.name, critical[i].name);
    });
    await close();
});

test("every name leads into the trees, to its metrics and its call path, and its address does so too", async () => {
    const { page, errors, close } = await openFront("pat-mpi-4");
    const links = await page.evaluate(() => [...document.querySelectorAll(".overview a.into")].map(a => ({ href: a.getAttribute("href"), text: a.textContent })));
    const selected = () => page.evaluate(() => ["metric", "call"].map(pane =>
        [...document.querySelectorAll(`.pane.${pane} [aria-selected=true] .name`)].map(name => name.textContent)));
    assert.ok(links.length > 30);
    for (const i of [0, 5, 6, 12, 20, links.length - 1]) {
        const { href, text } = links[i];
        await page.locator(".overview a.into").nth(i).click();
        await page.waitForSelector(".pane.system .row");
        const now = await selected();
        assert.ok(now[1].length <= 1);
        assert.ok(now.flat().some(name => text.endsWith(name)) || / /.test(text), `${text} leads to ${now}`);
        assert.equal(await page.evaluate(() => location.hash), href);
        const other = await openPage(browser, pages.get("pat-mpi-4"), href);
        await other.page.waitForSelector(".pane.system .row");
        assert.deepEqual(await other.page.evaluate(() => ["metric", "call"].map(pane =>
            [...document.querySelectorAll(`.pane.${pane} [aria-selected=true] .name`)].map(name => name.textContent))), now);
        await other.close();
        await page.goBack();
        await page.waitForSelector(".overview");
    }
    assert.deepEqual(errors, []);
    await close();
});

test("timelines stand side by side, and a wait state leads to its own; without them the page says how to get them", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("pat-mpi-4", "--stat"), "side by side"), "", { viewport: { width: 1280, height: 800 } });
    await page.locator("#part-instances .v-timeline").nth(1).waitFor();
    const [one, other] = await page.$$eval("#part-instances > .instances > li", all => all.map(li => li.getBoundingClientRect()));
    assert.ok(one.top === other.top && one.right < other.left && other.right <= 1280, JSON.stringify([one, other]));
    const names = await page.$$eval("#part-waits .wait-state", all => all.map(li => [li.dataset.metric, li.querySelector(".lead .link") !== null]));
    assert.ok(names.length > 2 && names.every(([, has]) => has), JSON.stringify(names));
    await page.click(`.wait-state[data-metric="${names[2][0]}"] .lead .link`);
    await page.waitForFunction(id => {
        const { top, height } = document.querySelector(`[data-instances="${id}"]`).getBoundingClientRect();
        return top >= 0 && top + Math.min(height, 100) <= innerHeight;
    }, names[2][0]);
    await page.setViewportSize({ width: 900, height: 800 });
    const [upper, lower] = await page.$$eval("#part-instances > .instances > li", all => all.map(li => li.getBoundingClientRect()));
    assert.ok(upper.bottom <= lower.top && upper.left === lower.left, JSON.stringify([upper, lower]));
    assert.equal(await page.locator("#part-waits code").count(), 0);
    await screenshot(page, "timelines side by side");
    assert.deepEqual(errors, []);
    await close();

    const without = await openFront("pat-mpi-4");
    assert.match(await without.page.textContent("#part-waits code"), /^heddle analyze \/\S*pat-mpi-4\/traces\.otf2 --instances 10 -o instances\.cubex --html$/);
    assert.equal(await without.page.locator("#part-instances, #part-waits .lead .link").count(), 0);
    await without.close();
});

test("what a link leads to is in sight, also where the picture of an instance stands below", async () => {
    const { page, errors, close } = await openPage(browser, pageOf(reportOf("pat-mpi-4", "--stat"), "in sight"), "", { viewport: { width: 1400, height: 800 } });
    await page.locator("#part-waits a.into", { hasText: "MPI_Scatter" }).first().click();
    await page.click(".pane.call .details .worst > summary");
    await page.waitForSelector(".pane.call .details .picture svg, .pane.call .details .picture canvas");
    await page.waitForFunction(() => {
        const row = document.querySelector(".pane.call [aria-selected=true]")?.getBoundingClientRect();
        const tree = document.querySelector(".pane.call .tree").getBoundingClientRect();
        return row !== undefined && row.top >= tree.top - 1 && row.bottom <= tree.bottom + 1;
    });
    await screenshot(page, "link in sight");
    assert.deepEqual(errors, []);
    await close();
});

test("the explanation of a metric, with its drawing, is one click away, and its links lead on", async () => {
    const { page, errors, close } = await openFront("pat-mpi-4");
    await page.click('.wait-state[data-metric="mpi_latesender"] .ask');
    assert.equal(await page.textContent(".explanation h2"), "Late Sender");
    assert.match(await page.textContent(".explanation pre"), /process 1 .*MPI_Recv/);
    assert.doesNotMatch(await page.textContent(".explanation"), /Source: chapter/);
    await page.waitForFunction(() => location.hash === "#overview&explain=mpi_latesender");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".explanation").count(), 0);
    await page.goto(`${page.url().split("#")[0]}#overview&explain=delay`);
    await page.waitForFunction(() => /^Delay costs/.test(document.querySelector(".explanation h2").textContent));
    await page.click(".explanation .more button");
    await page.waitForFunction(() => location.hash === "#overview&explain=delay-costs");
    assert.match(await page.textContent(".explanation"), /last common synchronization point/);
    assert.deepEqual(errors, []);
    await close();
});

test("it is read in dark and light, in a narrow window and on paper", async () => {
    const lightness = colour => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    const colours = page => page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]);
    for (const [scheme, isDark] of [["light", false], ["dark", true]]) {
        const { page, close } = await openFront("pat-mpi-4", "", { colorScheme: scheme });
        const [text, back] = (await colours(page)).map(lightness);
        assert.equal(back < text, isDark);
        assert.ok(Math.abs(back - text) > 150);
        await page.click('button[aria-label="Dark or light"]');
        const [otherText, otherBack] = (await colours(page)).map(lightness);
        assert.equal(otherBack < otherText, !isDark);
        await screenshot(page, `front ${scheme}, changed`);
        await page.emulateMedia({ media: "print" });
        const [printed, paper] = (await colours(page)).map(lightness);
        assert.ok(paper > 250 && printed < 60);
        await close();
    }
    for (const hash of ["", "#trees&m=mpi_latesender"]) {
        const { page, errors, close } = await openPage(browser, pages.get("pat-mpi-4"), hash, { viewport: { width: 400, height: 800 } });
        await page.waitForSelector(".tile, .pane.system .row");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 400);
        assert.ok(await page.evaluate(() => { /* a long name is all there, in several lines */
            const head = document.querySelector(".top h1");
            head.textContent = `difference: "${"run/".repeat(20)}a.cubex" minus "b.cubex"`;
            return head.clientHeight > 30 && head.scrollWidth <= head.clientWidth && document.documentElement.scrollWidth <= 400;
        }));
        await screenshot(page, `narrow ${hash === "" ? "front" : "trees"}`);
        assert.deepEqual(errors, []);
        await close();
    }
});

test("all rows that are open are printed", async () => {
    const { page, errors, close } = await openPage(browser, pages.get("pat-mpi-4"), "#trees");
    await page.waitForSelector(".pane.call .row");
    for (const pane of ["metric", "call"])
        await page.click(`.pane.${pane} button[aria-label="Open all"]`);
    const { rows, all } = await page.evaluate(() => {
        const count = () => document.querySelectorAll(".pane.metric .row").length;
        const before = count();
        dispatchEvent(new Event("beforeprint"));
        const rows = count();
        dispatchEvent(new Event("afterprint"));
        return { rows, all: before };
    });
    assert.ok(rows > all, `${rows} rows, ${all} of them in sight`);
    assert.ok((await page.pdf({ format: "A4" })).length > 10000);
    assert.deepEqual(errors, []);
    await close();
});

test("unfinished operations", async () => {
    const archive = join(work, "unfinished");
    rmSync(archive, { recursive: true, force: true });
    cpSync(join(root, "tests/data/pat-mpi-4"), archive, { recursive: true });
    for (const location of [0, 1, 2, 3])
        truncateSync(join(archive, `traces/${location}.evt`), 8000);
    const report = reportAt(archive, "unfinished");
    const heading = "Unfinished operations (wait-for graph)", words = wordsOf(report, heading);
    const { page, errors, close } = await openPage(browser, pageOf(report, "unfinished"));
    await page.waitForSelector("#part-about");
    const text = await page.textContent("#part-unfinished");
    assert.equal(text.replace(heading, "").replace(/\s+/g, ""), words.replace(/\s+/g, ""));
    const margins = await page.$$eval(".unfinished", all => all.map(one => parseFloat(getComputedStyle(one).marginLeft)));
    assert.ok(margins[0] === 0 && Math.max(...margins) > 0, `${margins}`);
    assert.match(await page.textContent(".caution"), /trace coverage/);
    assert.deepEqual(errors, []);
    await close();
});

/* report_views.test.mjs: the other views of the system pane: topologies, folded and sliced, with two and three axes; bars; box plots. What they
 * say of each place is compared with heddle dump. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openPage, wholePageOf, reportOf, screenshot } from "./reports.mjs";
import { Expected, addHands, addressFollows, settle, textShows, whole } from "./shown.mjs";

const reports = {};
let browser;
before(async () => {
    browser = await openBrowser();
    for (const archive of ["pat-topo-6", "pat-hybtask-2x3"]) {
        const report = reportOf(archive), file = wholePageOf(report, `views ${archive}`);
        reports[archive] = { file, expected: new Expected(report, file) };
    }
});
after(() => browser.close());

function onPage(name, archive, hash, act) {
    test(name, async () => {
        const { file, expected } = reports[archive];
        const { page, errors, close } = await openPage(browser, file, hash);
        await addHands(page);
        await act(page, expected);
        await screenshot(page, name);
        assert.deepEqual(errors, []);
        await close();
    });
}

/* What the view says of the place where its cursor is: "process 3, ... . x 1, y 0. 0.4320 s", in percent "12.5 (0.4320 s)". */
async function said(page) {
    const text = await page.textContent(".v-live");
    const [, value] = /(?:^|[ ,.])([\u2212\d][\d,.e\-\u2212]* [m\u00b5n]?s\b|[\u2212\d][\d,.e\-\u2212]*(?= \([^()]*\)))/.exec(text) ?? [];
    assert.notEqual(value, undefined, text);
    return { text, value };
}

/* Goes over a picture with two axes and gives what is said of each place. */
async function walk(page, [nX, nY]) {
    const out = [];
    await page.locator(".view canvas").last().focus();
    await page.keyboard.press("ArrowRight"); /* to the first place */
    for (let y = 0; y < nY; y++) {
        for (let x = 0; x < nX; x++) {
            if (x > 0)
                await page.keyboard.press(y % 2 === 0 ? "ArrowRight" : "ArrowLeft");
            out.push(await said(page));
        }
        await page.keyboard.press("ArrowDown");
    }
    return out;
}

/* Who is where, and how much, in a topology whose dimensions are fixed at an index, summed over ("sum") or free (null). */
function placesOf({ head }, t, row, fixed) {
    const { dimensions, coordinates } = head.topologies[t];
    const places = new Map();
    for (let i = 0; i < coordinates.length; i += 1 + dimensions.length) {
        const at = coordinates.slice(i + 1, i + 1 + dimensions.length);
        if (fixed.every((want, d) => typeof want !== "number" || want === at[d])) {
            const key = at.map((index, d) => `${dimensions[d].name} ${fixed[d] === "sum" ? "(all)" : index}`).join(", ");
            places.set(key, (places.get(key) ?? 0) + row[coordinates[i]]);
        }
    }
    return places;
}

function check(seen, places) {
    assert.equal(new Set(seen.map(({ text }) => text)).size, places.size);
    for (const { text, value } of seen) {
        const key = [...places.keys()].find(place => text.includes(`. ${place}.`));
        assert.ok(key !== undefined, text);
        assert.ok(textShows(value, places.get(key)), `${text} for ${places.get(key)}`);
    }
}

const METRIC = "mpi_latesender";
const ofMetric = expected => expected.row(METRIC, () => true);
const dimension = async (page, label, option) => {
    await page.locator(`.v-folding label:has-text("${label}") select`).first().selectOption({ label: option });
    await settle(page);
};

onPage("a topology shows every place", "pat-topo-6", `#trees&m=${METRIC}&view=topology&topology.axes=2`, async (page, expected) => {
    check(await walk(page, [3, 2]), placesOf(expected, 0, ofMetric(expected), [null, null]));
});

onPage("a topology is sliced and summed over", "pat-topo-6", `#trees&m=${METRIC}&view=topology&topology.axes=2&topology.t=1`, async (page, expected) => {
    if (await page.getAttribute(".v-folding", "open") === null)
        await page.click(".v-folding summary");
    await dimension(page, "y (2)", "fixed at");
    const slider = page.locator('.v-folding .v-dimension:has-text("y (2)") input[type=range]');
    await slider.fill("1");
    await settle(page);
    check(await walk(page, [3, 1]), placesOf(expected, 1, ofMetric(expected), [null, 1, null]));
    await dimension(page, "y (2)", "summed over");
    check(await walk(page, [3, 1]), placesOf(expected, 1, ofMetric(expected), [null, "sum", null]));
    await dimension(page, "y (2)", "on axis x");
    check(await walk(page, [6, 1]), placesOf(expected, 1, ofMetric(expected), [null, null, null]));
    /* the address tells it */
    await addressFollows(page);
    const other = await openPage(browser, reports["pat-topo-6"].file, new URL(page.url()).hash);
    await addHands(other.page);
    check(await walk(other.page, [6, 1]), placesOf(expected, 1, ofMetric(expected), [null, null, null]));
    assert.deepEqual(other.errors, []);
    await other.close();
});

onPage("a topology with three axes", "pat-topo-6", `#trees&m=${METRIC}&view=topology&topology.axes=3&topology.t=1`, async (page, expected) => {
    assert.equal(await page.locator(".view .v-message").count(), 0, "it can be drawn");
    check(await walk(page, [3, 2]), placesOf(expected, 1, ofMetric(expected), [null, null, null]));
});

onPage("the pointer on a place of a topology says what is there, a click selects it", "pat-topo-6", `#trees&m=${METRIC}&view=topology&topology.axes=2`, async (page, expected) => {
    const row = ofMetric(expected);
    const box = await page.locator(".view canvas").last().boundingBox();
    const seen = new Map();
    for (let i = 0; i < 12; i++)
        for (let j = 0; j < 8; j++) {
            await page.mouse.move(box.x + ((i + 0.5) * box.width) / 12, box.y + ((j + 0.5) * box.height) / 8);
            if (await page.locator(".v-tip").isHidden())
                continue;
            const lines = await page.locator(".v-tip > *").allTextContents();
            const process = Number(/^process (\d+)/.exec(lines[0])[1]);
            const place = expected.head.system.groups.rank.indexOf(process);
            const at = expected.head.topologies[0].coordinates.slice(3 * place + 1, 3 * place + 3);
            assert.equal(lines[1], `x ${at[0]}, y ${at[1]}`);
            assert.ok(textShows(lines[2].split(" (")[0], row[place]), lines[2]);
            seen.set(process, [box.x + ((i + 0.5) * box.width) / 12, box.y + ((j + 0.5) * box.height) / 8]);
        }
    assert.equal(seen.size, 6);
    await page.mouse.click(...seen.get(4));
    await settle(page);
    await page.click('.pane.system button:text-is("tree")');
    await settle(page);
    const selected = await page.evaluate(() => hands.rows("system").filter(row => row.selected).map(({ name }) => name));
    assert.deepEqual(selected, [expected.head.system.groups.name[expected.head.system.groups.rank.indexOf(4)]]);
});

onPage("threads are a topology, too", "pat-hybtask-2x3", "#trees&m=time&view=topology&topology.axes=2", async (page, expected) => {
    assert.match(await page.locator(".view canvas").last().getAttribute("aria-label"), /process.*thread/i);
    const { group, thread } = expected.head.system.locations;
    const row = expected.row("time", () => true);
    const seen = await walk(page, [2, 3]);
    assert.equal(new Set(seen.map(({ text: words }) => words)).size, row.length);
    const values = seen.map(({ value }) => value);
    row.forEach((value, i) => assert.ok(values.some(words => textShows(words, value)), `process ${group[i]}, thread ${thread[i]}: ${value}`));
});

for (const [order, sorted] of [["rank", row => row], ["falling", row => [...row].sort((a, b) => b - a)], ["rising", row => [...row].sort((a, b) => a - b)]])
    onPage(`bars of processes, ${order === "rank" ? "in order" : order}`, "pat-topo-6", `#trees&m=${METRIC}&view=bars`, async (page, expected) => {
        await page.locator('.v-controls label:has-text("Sorted") select').selectOption(order);
        await settle(page);
        await page.locator(".v-bars .v-stage").focus();
        const bars = [];
        for (let i = 0; i < 6; i++) {
            await page.keyboard.press("ArrowRight");
            bars.push((await said(page)).value);
        }
        sorted(Array.from(ofMetric(expected))).forEach((value, i) => assert.ok(textShows(bars[i], value), `bar ${i}: ${bars[i]} for ${value}`));
    });

onPage("a box plot", "pat-topo-6", `#trees&m=${METRIC}&view=box`, async (page, expected) => {
    await page.click('.pane.system button:text-is("box plot")');
    await settle(page);
    const row = Array.from(ofMetric(expected)).sort((a, b) => a - b);
    const text = await page.locator(".view").innerText();
    const numbers = text.match(/[\d.,]+ [m\u00b5n]?s\b/g);
    const median = (row[2] + row[3]) / 2;
    for (const value of [row[0], median, row[5]])
        assert.ok(numbers.some(word => textShows(word, value)), `${value} is not in ${text}`);
});

onPage("a view follows what is selected", "pat-topo-6", `#trees&m=${METRIC}&view=topology&topology.axes=2`, async (page, expected) => {
    await page.click('.pane.call button[aria-label="Open all"]');
    await settle(page);
    const key = [...expected.values.get(METRIC).keys()][0];
    await page.click(`#call-${expected.keys.indexOf(key)} .name`);
    await settle(page);
    check(await walk(page, [3, 2]), placesOf(expected, 0, expected.row(METRIC, whole(key)), [null, null]));
});

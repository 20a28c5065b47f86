/* report_look.test.mjs: the page in the dark, on paper, on a small screen; and where what it needs is missing or damaged. */
import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openPage, pageOf, reportOf, screenshot, screenshots, work } from "./reports.mjs";
import { addHands, headOf, rowsOf, settle } from "./shown.mjs";

let browser, report, file;
before(async () => {
    browser = await openBrowser();
    report = reportOf("pat-mpi-4");
    file = pageOf(report, "look");
});
after(() => browser.close());

/* Runs in the page: what can hardly be read. Contrast as WCAG 2 defines it, 4.5 for text. */
function unreadable() {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const over = (top, ground) => top.slice(0, 3).map((c, i) => (c * top[3] + ground[i] * (255 - top[3])) / 255);
    const luminance = colour => colour.map(c => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = element => {
        const chain = [];
        for (let e = element; e !== null; e = e.parentElement)
            chain.unshift(rgba(getComputedStyle(e).backgroundColor));
        return chain.reduce((below, top) => over(top, below), matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255]);
    };
    const bad = [];
    const walker = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT);
    let n = 0;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement, style = getComputedStyle(element);
        if (node.textContent.trim() === "" || element.closest("button:disabled, option, dialog:not([open]), .v-live, [hidden]") !== null || !element.checkVisibility({ opacityProperty: true }))
            continue;
        n++;
        const below = ground(element), text = over(rgba(style.color), below);
        const [light, dark] = [luminance(text), luminance(below)].sort((a, b) => b - a);
        if ((light + 0.05) / (dark + 0.05) < 4.5)
            bad.push(`${((light + 0.05) / (dark + 0.05)).toFixed(1)}: "${node.textContent.trim().slice(0, 40)}" in ${element.className || element.tagName}`);
    }
    return { n, bad: [...new Set(bad)] };
}

for (const scheme of ["light", "dark"])
    for (const [name, hash] of [["front page", ""], ["trees", "#trees&m=mpi_latesender&explain=mpi_latesender"], ["topology", "#trees&view=topology"], ["bars", "#trees&view=bars"]])
        test(`${name}, ${scheme}: text can be read`, async () => {
            const { page, errors, close } = await openPage(browser, file, hash, { colorScheme: scheme });
            await addHands(page);
            assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), scheme);
            const { n, bad } = await page.evaluate(unreadable);
            await screenshot(page, `${name}, ${scheme}`);
            assert.ok(n > 40, `${n} texts`);
            assert.deepEqual(bad, []);
            assert.deepEqual(errors, []);
            await close();
        });

test("the button changes between dark and light", async () => {
    const { page, errors, close } = await openPage(browser, file, "#trees", { colorScheme: "light" });
    await addHands(page);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click('button[aria-label="Dark or light"]');
    await settle(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.notEqual(await ground(), light);
    assert.deepEqual(errors, []);
    await close();
});

test("on paper all rows are there, dark on light", async () => {
    const { page, errors, close } = await openPage(browser, file, "#trees&zeros=1", { colorScheme: "dark", viewport: { width: 1200, height: 400 } });
    await addHands(page);
    await page.click('.pane.metric button[aria-label="Open all"]');
    await settle(page);
    const { metrics } = headOf(file);
    assert.ok((await rowsOf(page, "metric")).length < metrics.length, "a small window has not all of them");
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await settle(page);
    assert.equal((await rowsOf(page, "metric")).length, metrics.length);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.pdf({ path: join(screenshots, "printed.pdf") });
    assert.deepEqual(errors, []);
    await close();
});

test("nothing is wider than a small screen", async () => {
    for (const hash of ["", "#trees"]) {
        const { page, errors, close } = await openPage(browser, file, hash, { viewport: { width: 800, height: 600 } });
        await addHands(page);
        const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        await screenshot(page, `small${hash}`);
        assert.ok(width <= inner, `${width} pixels of ${inner} at "${hash}"`);
        assert.deepEqual(errors, []);
        await close();
    }
});

test("the page of analyze --html is that of html", async () => {
    const archived = reportOf("pat-mpi-4", "--html");
    assert.equal(readFileSync(join(work, "pat-mpi-4.html"), "utf8"), readFileSync(pageOf(archived, "again"), "utf8"));
});

test("values that are beside the page are read when they are asked for; where they are missing, it says so", async () => {
    const large = pageOf(report, "large", "--max-size", "100K");
    const { page, errors, close } = await openPage(browser, large, "#trees&m=mpi_latesender");
    await addHands(page);
    assert.ok((await rowsOf(page, "call")).length > 0);
    await page.click('a.tab:text-is("Overview")');
    assert.match(await page.textContent("#part-about"), /in the folder large\.html\.data beside this page/);
    assert.deepEqual(errors, []);
    await close();

    renameSync(`${large}.data`, `${large}.elsewhere`);
    try {
        const lost = await openPage(browser, large, "#trees&m=mpi_latesender");
        await lost.page.waitForSelector(".waiting:not(:text('Reading'))");
        assert.match(await lost.page.textContent(".waiting"), /large\.html\.data/);
        await screenshot(lost.page, "values are missing");
        await lost.close();
    } finally {
        renameSync(`${large}.elsewhere`, `${large}.data`);
    }
});

test("a damaged page says that it is", async () => {
    const text = readFileSync(file, "utf8");
    const at = text.indexOf('id="heddle-head">') + 400;
    const damaged = join(work, "damaged.html");
    writeFileSync(damaged, `${text.slice(0, at)}AAAAAAAA${text.slice(at + 8)}`);
    const { page, errors, close } = await openPage(browser, damaged);
    await page.waitForSelector(".failure");
    assert.match(await page.textContent(".failure"), /cannot be shown/);
    assert.ok(errors.length > 0);
    await close();
});

test("a page is the same whenever it is written", () => {
    const again = pageOf(report, "same");
    heddle("html", report, "-o", `${again}.2`, "-f");
    assert.ok(readFileSync(again).equals(readFileSync(`${again}.2`)));
});

/* hostile_page.test.mjs: the page of an archive in which every name attacks (tests/writer/hostile_names.h), and of one that was stopped: names are text,
 * wherever they are shown, and what is missing is said. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { heddle, openBrowser, openPage, pageOf, program, work } from "./reports.mjs";

const archive = join(work, "hostile"), report = join(work, "hostile.cubex");
let browser;
before(async () => {
    rmSync(archive, { recursive: true, force: true });
    execFileSync(join(dirname(program), "tests/writer/tw_hostile"), [archive]);
    heddle("analyze", archive, "-o", report, "-f", "-q", "--stat");
    browser = await openBrowser();
});
after(() => browser.close());

/* Elements that no view of the page has, what a name would have run, and marks that turn text around. */
function attacks() {
    return {
        title: document.title, owned: [...document.querySelectorAll("script:not([id])")].length, images: document.querySelectorAll("img, iframe, object, [onerror]").length,
        turned: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText),
    };
}

for (const hash of ["", "#trees", "#overview"])
    test(`hostile names at "${hash}"`, async () => {
        const { page, errors, close } = await openPage(browser, pageOf(report, "hostile"), hash);
        await page.waitForSelector("main");
        if (hash === "#trees") {
            await page.click("[role=tree] >> nth=1 >> [role=treeitem] >> nth=0");
            await page.keyboard.press("*"); /* all below it */
            await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 20);
        }
        const text = await page.innerText("main");
        assert.ok(text.includes("touch owned`;touch owned"), text);
        assert.deepEqual(await page.evaluate(attacks), { title: await page.title(), owned: 1, images: 0, turned: false });
        assert.ok(!(await page.title()).includes("owned"));
        assert.deepEqual(errors, []);
        await close();
    });

test("a report of a run with too few processors says so", async () => {
    const crowded = join(work, "crowded.cubex");
    const text = readFileSync(report, "latin1");
    assert.ok(text.includes('key="Heddle::MemoryStartBytes"'));
    writeFileSync(crowded, text.replace('key="Heddle::MemoryStartBytes"', 'key="Heddle::SharedProcessors"'), "latin1"); /* as many bytes */
    const { page, errors, close } = await openPage(browser, pageOf(crowded, "crowded"), "#overview");
    assert.match(await page.textContent(".caution"), /^\d+\.$/);
    assert.deepEqual(errors, []);
    await close();
});

test("a partial report says so", async () => {
    const partial = join(work, "partial.cubex");
    const text = readFileSync(report, "latin1");
    assert.ok(text.includes('key="Heddle::Version"'));
    writeFileSync(partial, text.replace('key="Heddle::Version"', 'key="Heddle::Stopped"'), "latin1"); /* as many bytes */
    const { page, errors, close } = await openPage(browser, pageOf(partial, "partial"), "#overview");
    assert.match(await page.textContent(".caution"), /^Partial: the analysis was stopped \S+; results of later phases are missing\.$/);
    assert.deepEqual(errors, []);
    await close();
});

/* reports.mjs: pages of real reports for tests, and the browser that opens them.
 *
 * HEDDLE: the program (build/heddle). HEDDLE_WORK: a folder (build/html) with screenshots/, and for each file of tests a folder for its reports
 * and pages: files of tests run at the same time, and one report is written by one heddle only.
 * HEDDLE_CHROMIUM: the browser (what is in PATH; chromium-headless-shell takes half the time of the whole browser).
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { chromium } from "playwright-core";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const program = resolve(process.env.HEDDLE ?? join(root, "build/heddle"));
const shared = resolve(process.env.HEDDLE_WORK ?? join(root, "build/html"));
export const work = join(shared, basename(process.argv[1], ".mjs"));
export const screenshots = join(shared, "screenshots");
const HANG_MS = 600000; /* what is waited for longer does not come */
mkdirSync(screenshots, { recursive: true });
mkdirSync(work, { recursive: true });

export function heddle(...args) {
    return execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "pipe"] });
}

/* The summary in lines that nothing is cut in, without the dots that lead to numbers. */
export function summaryText(report) {
    return heddle("summary", report, "--width=300").replace(/ \.{4,} /g, "     ");
}

/* What it says on standard error, where it must fail. */
export function heddleFails(...args) {
    const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
    if (status === 0)
        throw new Error(`heddle ${args.join(" ")} succeeds`);
    return stderr;
}

/* The report of an archive of tests/data. */
export function reportOf(archive, ...options) {
    return reportAt(join(root, "tests/data", archive), archive, ...options);
}

export function reportAt(path, name, ...options) {
    const report = join(work, `${name}.cubex`);
    /* 3: a report with findings that say that something is lost */
    const { status, stderr } = spawnSync(program, ["analyze", path, "-o", report, "-f", "-q", ...options], { encoding: "utf8" });
    if (status !== 0 && status !== 3)
        throw new Error(stderr);
    return report;
}

export function pageOf(report, name, ...options) {
    const page = join(work, `${name}.html`);
    heddle("html", report, "-o", page, "-f", ...options);
    return page;
}

/* With start-up, as heddle dump has it. */
export function wholePageOf(report, name, ...options) {
    return pageOf(report, name, "--with-startup", ...options);
}

/* Reports of other tools: those of tests/data/reports, and of the folder more, null: of none. */
export function foreignReports(more = process.env.HEDDLE_CUBES ?? null) {
    const packed = join(root, "tests/data/reports");
    const unpacked = readdirSync(packed).map(name => {
        const report = join(work, basename(name, ".gz"));
        writeFileSync(report, gunzipSync(readFileSync(join(packed, name))));
        return report;
    });
    return [...unpacked, ...(more !== null ? readdirSync(more).filter(name => name.endsWith(".cubex")).map(name => join(more, name)) : [])];
}

/* args: more of the browser's own options. One process for all pages: starting one takes longer than most tests. */
export async function openBrowser(...args) {
    const path = process.env.HEDDLE_CHROMIUM ?? execFileSync("sh", ["-c", "command -v chromium-headless-shell || command -v chromium || command -v chromium-browser"], { encoding: "utf8" }).trim();
    return chromium.launch({ executablePath: path, args: ["--no-sandbox", "--renderer-process-limit=1", ...args], timeout: HANG_MS });
}

/* One whose pages have WebGL, which software draws here: several times as slow as one without. */
export const openBrowserWithGl = () => openBrowser("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader");

/* Opens a page from disk, without a network. errors: what the page says on the console, or throws, and what it asks the network for. */
export async function openPage(browser, file, hash = "", options = {}) {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, offline: true, ...options });
    const page = await context.newPage();
    const errors = [];

    page.on("console", message => {
        /* A picture of what software draws in place of a graphics card is slow, which is said. */
        if ((message.type() === "error" || message.type() === "warning") && !/GPU stall due to ReadPixels/.test(message.text()))
            errors.push(message.text());
    });
    page.on("pageerror", error => errors.push(String(error)));
    page.on("request", request => {
        if (!/^(file|data|blob):/.test(request.url()))
            errors.push(`asks for ${request.url()}`);
    });
    page.setDefaultTimeout(HANG_MS);
    await page.goto(pathToFileURL(file).href + hash);
    return { page, errors, close: () => context.close() };
}

/* For eyes, so where continuous integration runs, nobody waits for them. */
export async function screenshot(page, name) {
    if (!process.env.CI)
        await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/* report_values.test.mjs: every value that the page decodes is the one that heddle dump prints, in all its digits, and every sum that it
 * forms is the sum of these. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { foreignReports, heddle, openBrowser, openPage, wholePageOf, reportOf, root } from "./reports.mjs";

const { build } = createRequire(join(root, "src/report/html/app/package.json"))("esbuild");

let browser, program;

before(async () => {
    const result = await build({
        stdin: { contents: 'export * from "./beside"; export * from "./model";', resolveDir: join(root, "src/report/html/app/src"), loader: "ts" },
        bundle: true, format: "iife", globalName: "decoded", write: false,
    });
    program = result.outputFiles[0].text;
    browser = await openBrowser();
});
after(() => browser.close());

/* Runs in the page: the values that are not zero as heddle dump writes them (but numbers in JavaScript's digits), and what is wrong with
 * the sums of metric, call paths and locations, and of runs of call paths. */
async function lookAt() {
    const { Model, readHead, elementText, besideFolder } = decoded;
    const head = readHead(elementText("heddle-head"));
    const model = new Model(head, elementText, besideFolder(head.beside));
    const { groups, locations } = head.system;
    const escaped = text => text.replace(/[\x00-\x1f\x7f\\]/g, c => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
    const lines = [], wrong = [];

    for (let m = 0; m < model.nMetrics; m++) {
        const metric = head.metrics[m];
        const data = await model.loadMetric(m);
        const isNothing = x => Number.isNaN(x) || x === 0;
        const isClose = (a, b, size) => (isNothing(a) && isNothing(b)) || Math.abs(a - b) <= 1e-12 * (size + Math.abs(b));
        const say = words => wrong.length < 20 && wrong.push(`${metric.id}: ${words}`);
        const rows = [], sizes = []; /* sizes: sums of absolute values, for what cancels out */

        for (let p = 0; p < model.nPaths; p++) {
            const row = new Float64Array(model.nLocations);

            data.rowSum(p, p + 1, row);
            rows.push(row);
            sizes.push(row.reduce((sum, x) => sum + Math.abs(x || 0), 0));
            row.forEach((x, l) => {
                if (!isNothing(x))
                    lines.push(`${escaped(metric.id)}\t${model.pathNames(p).map(escaped).join(";")}\t${groups.rank[locations.group[l]]}\t`
                        + `${locations.thread[l]}\t${x}`);
            });
        }
        if (metric.total !== null && rows.every(row => row.every(isNothing)) && metric.total !== 0)
            say(`a total of ${metric.total} without values`);
        const nothing = metric.extreme ? NaN : 0, size = sizes.reduce((a, b) => a + b, 0);
        const perLocation = new Float64Array(model.nLocations).fill(nothing);
        let total = nothing;
        rows.forEach((row, p) => {
            const sum = row.reduce((a, b) => data.join(a, b), nothing);
            if (!isClose(data.pathSums[p], sum, sizes[p]))
                say(`call path ${p} has ${data.pathSums[p]}, not ${sum}`);
            total = data.join(total, sum);
            row.forEach((x, l) => (perLocation[l] = data.join(perLocation[l], x)));
        });
        perLocation.forEach((x, l) => isClose(data.locationSums[l], x, size) || say(`location ${l} has ${data.locationSums[l]}, not ${x}`));
        if (!isClose(metric.total ?? NaN, total, size))
            say(`a total of ${metric.total}, not ${total}`);
        /* runs of call paths: each subtree, and some that are none */
        const runs = Array.from(model.pathEnd, (end, p) => [p, end]);
        for (let i = 0; i < 200; i++)
            runs.push([Math.floor(i * 0.37 * model.nPaths) % model.nPaths, Math.max(model.nPaths - i % 23, 0)].sort((a, b) => a - b));
        for (const [first, end] of runs.filter(([first, end]) => first < end)) {
            const sum = new Float64Array(model.nLocations), expected = new Float64Array(model.nLocations).fill(nothing);

            data.rowSum(first, end, sum);
            for (let p = first; p < end; p++)
                rows[p].forEach((x, l) => (expected[l] = data.join(expected[l], x)));
            sum.forEach((x, l) => isClose(x, expected[l], size) || say(`call paths ${first} to ${end} at location ${l}: ${x}, not ${expected[l]}`));
        }
    }
    return { lines, wrong, leftOut: head.leftOut.map(([id]) => id), nMetrics: model.nMetrics };
}

async function compare(report, name, ...options) {
    const { page, errors, close } = await openPage(browser, wholePageOf(report, name, ...options));

    await page.evaluate(program + "; globalThis.decoded = decoded;");
    const { lines, wrong, leftOut, nMetrics } = await page.evaluate(lookAt);
    const expected = heddle("dump", report).split("\n").filter(line => line !== "" && !leftOut.includes(line.split("\t")[0]));
    const number = line => line.replace(/[^\t]*$/, digits => String(Number(digits)));

    assert.ok(nMetrics > 0);
    assert.ok(expected.length > 0);
    assert.equal(lines.length, expected.length);
    for (let i = 0; i < lines.length; i++)
        if (lines[i] !== number(expected[i]))
            assert.equal(lines[i], number(expected[i]), `value ${i}`);
    assert.deepEqual(wrong, []);
    assert.deepEqual(errors, []);
    await close();
}

/* HEDDLE_RUNS=all: more archives. */
const more = process.env.HEDDLE_RUNS === "all" ? ["pat-topo-6", "pat-hybtask-2x3", "pat-pthread-3", "scorep-jacobi-mpi-c-16"] : [];

for (const archive of ["pat-mpi-4", "pat-rma-4", "scorep-jacobi-hyb-c-4x2", ...more])
    test(`the page of ${archive} has all values of the report`, () => compare(reportOf(archive), archive));

test("so has a page whose values are beside it", () => compare(reportOf("pat-mpi-4"), "beside it # 100%", "--max-size", "100K"));

for (const report of foreignReports())
    test(`the page of another tool's ${basename(report)} has all values of the report`, () => compare(report, basename(report, ".cubex")));

/* view_modules.test.mjs: the modules of the views that know nothing of pictures: folding, spread, scales, runs of several sizes. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../../src/report/html/app/", import.meta.url));
const { build } = createRequire(`${sources}package.json`)("esbuild");
const names = ["fold", "spread", "scales", "scaling"];
const bundle = await build({
    stdin: { contents: names.map(name => `export * as ${name} from "./views/${name}";`).join("\n"), resolveDir: `${sources}src`, loader: "ts" },
    bundle: true, format: "esm", write: false,
});
const { fold, spread, scales, scaling } =
    await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);

/* ---- fold: a topology of any sizes, its locations in the order of their coordinates, the last dimension fastest ------------- */

function grid(...sizes) {
    const n = sizes.reduce((a, b) => a * b, 1);
    const coordinates = [];
    for (let location = 0; location < n; location++) {
        let rest = location;
        const at = sizes.slice().reverse().map(size => {
            const index = rest % size;
            rest = Math.floor(rest / size);
            return index;
        });
        coordinates.push(location, ...at.reverse());
    }
    return { name: "grid", dimensions: sizes.map((size, d) => ({ name: "abcde"[d], size, periodic: false })), coordinates };
}

const membersAt = (cells, place) => [...cells.members.subarray(cells.start[place], cells.start[place + 1])];

test("a place of two axes holds the location with its coordinates", () => {
    const cells = fold.layout(grid(3, 4), { axes: [[0], [1]], slices: [null, null] });
    assert.deepEqual(cells.size, [3, 4]);
    for (let a = 0; a < 3; a++)
        for (let b = 0; b < 4; b++)
            assert.deepEqual(membersAt(cells, b * 3 + a), [a * 4 + b]);
});

test("the dimension named last on an axis is the innermost", () => {
    const topology = grid(2, 3, 5);
    const cells = fold.layout(topology, { axes: [[0, 1], [2]], slices: [null, null, null] });
    assert.deepEqual(cells.size, [6, 5]);
    for (let place = 0; place < cells.n; place++) {
        const [a, b] = fold.indicesAt(topology, [0, 1], place % 6);
        const c = Math.floor(place / 6);
        assert.deepEqual(membersAt(cells, place), [(a * 3 + b) * 5 + c]);
        assert.equal(place % 6, a * 3 + b);
    }
});

test("a slice leaves out what is elsewhere", () => {
    const cells = fold.layout(grid(2, 3, 5), { axes: [[0], [2]], slices: [null, 1, null] });
    assert.equal(cells.members.length, 10);
    assert.deepEqual(membersAt(cells, 1 + 2 * 4), [(1 * 3 + 1) * 5 + 4]);
});

test("a dimension that is summed over adds up, and takes the extreme of extremes", () => {
    const topology = grid(2, 3);
    const cells = fold.layout(topology, { axes: [[0], []], slices: [null, "sum"] });
    const values = [1, 2, 4, 8, 16, NaN];
    assert.deepEqual([...fold.fill(cells, values, "sum")], [7, 24]);
    assert.deepEqual([...fold.fill(cells, values, "min")], [1, 8]);
    assert.deepEqual([...fold.fill(cells, values, "max")], [4, 16]);
    assert.deepEqual([...fold.fill(cells, new Array(6).fill(NaN), "sum")], [NaN, NaN]);
});

test("coordinates outside of the topology are at no place", () => {
    const topology = { ...grid(2, 2), coordinates: [0, 0, 0, 1, 2, 0, 2, 0, -1, 3, 1, 1] };
    const cells = fold.layout(topology, { axes: [[0], [1]], slices: [null, null] });
    assert.deepEqual([...cells.members], [0, 3]);
});

test("a picture of too many places is none", () => {
    const topology = { name: "sparse", dimensions: [0, 1, 2].map(d => ({ name: `d${d}`, size: 4096, periodic: false })), coordinates: [0, 1, 2, 3] };
    assert.equal(fold.layout(topology, { axes: [[0, 1], [2]], slices: [null, null, null] }), null);
    assert.notEqual(fold.layout(topology, { axes: [[0], []], slices: [null, 2, 3] }), null);
});

test("every arrangement at first has each dimension once", () => {
    for (const sizes of [[7], [4, 4], [2, 3, 4], [8, 8, 8, 8], [4, 4, 4, 4, 2]])
        for (const nAxes of [2, 3]) {
            const topology = grid(...sizes);
            const arrangement = fold.arrange(topology, nAxes);
            assert.equal(arrangement.axes.length, nAxes);
            assert.ok(fold.isArrangement(arrangement, topology));
            assert.equal(fold.layout(topology, arrangement).members.length, sizes.reduce((a, b) => a * b, 1));
        }
});

test("an arrangement comes back out of the address, a wrong one does not", () => {
    const topology = grid(2, 3, 4, 5);
    const arrangement = { axes: [[3, 0], [1]], slices: [null, null, 2, null] };
    assert.equal(fold.arrangementText(arrangement), "3_0;1,2=2");
    assert.deepEqual(fold.parseArrangement("3_0;1,2=2", topology, 2), arrangement);
    assert.deepEqual(fold.parseArrangement("0;1,2=sum,3=0", topology, 2), { axes: [[0], [1]], slices: [null, null, "sum", 0] });
    for (const wrong of ["", "0;1", "0;1,2=4,3=0", "0_0;1,2=0,3=0", "0;1,2=x,3=0", "0;7,2=0,3=0", "0;1;2,3=0", "0;1,2=0,3=0,9=0", "0_2;1,2=0,3=0"])
        assert.equal(fold.parseArrangement(wrong, topology, 2), null, wrong);
});

test("moving and turning keep an arrangement one", () => {
    const topology = grid(2, 3, 4);
    const first = fold.arrange(topology, 2);
    const sliced = fold.moved(first, 1, { slice: 2 });
    assert.ok(fold.isArrangement(sliced, topology));
    assert.equal(sliced.slices[1], 2);
    const back = fold.moved(sliced, 1, 0);
    assert.ok(fold.isArrangement(back, topology));
    assert.equal(back.axes[0].at(-1), 1);
    const axis = back.axes.findIndex(dimensions => dimensions.length > 1);
    const turned = fold.turned(back, axis);
    assert.ok(fold.isArrangement(turned, topology));
    assert.notDeepEqual(turned.axes[axis], back.axes[axis]);
});

test("a line of many is broken into rows that lie below each other", () => {
    const topology = grid(1000, 1);
    const { dimension, length } = fold.breakOf(topology);
    const rows = fold.broken(topology, dimension, length);
    const cells = fold.layout(rows, fold.arrangeRows(rows, dimension));
    assert.deepEqual(cells.size, [length, Math.ceil(1000 / length)]);
    assert.equal(cells.members.length, 1000);
    assert.deepEqual(membersAt(cells, 777), [777]);
    assert.equal(fold.breakOf(grid(32, 32)), null);
});

test("a picture of more points than there is room for keeps the greatest", () => {
    const values = Float64Array.from({ length: 64 }, (_, i) => i % 7);
    values[37] = -99;
    const small = fold.shrunk(values, 8, { x: 0, y: 0, width: 8, height: 8 }, [4, 3]);
    assert.deepEqual([small.width, small.height, small.by], [4, 3, [2, 3]]);
    assert.equal(small.values[Math.floor(4 / 3) * 4 + 2], -99);
    const part = fold.shrunk(values, 8, { x: 5, y: 4, width: 2, height: 2 }, [100, 100]);
    assert.deepEqual([...part.values], [-99, 38 % 7, 45 % 7, 46 % 7]);
});

test("numbers along an axis stand at their places and have room", () => {
    const [inner, outer] = fold.axisTicks(grid(4, 10), [0, 1], 3);
    assert.deepEqual(outer.ticks, [0, 1, 2, 3].map(i => ({ at: 10 * i, label: String(i) })));
    for (const { at, label } of inner.ticks)
        assert.equal(at % 10, Number(label));
    const places = inner.ticks.map(({ at }) => at);
    for (let i = 1; i < places.length; i++)
        assert.ok(places[i] - places[i - 1] >= 3, `${places[i - 1]} and ${places[i]}`);
    assert.deepEqual([0.3, 1, 1.5, 3, 7, 11].map(fold.roundUp).slice(1), [1, 2, 5, 10, 20]);
});

/* ---- spread ------------------------------------------------------------------------------------------------------------------ */

test("quartiles are interpolated, whiskers reach to values, what is beyond is an outlier", () => {
    const { n, min, q25, median, mean, q75, max, low, high, outliers } = spread.spread([2, 1, 4, 3, NaN, 100]);
    assert.deepEqual({ n, min, q25, median, mean, q75, max, low, high, outliers }, { n: 5, min: 1, q25: 2, median: 3, mean: 22, q75: 4, max: 100, low: 1, high: 4, outliers: [5] });
    assert.equal(spread.spread([1, 2, 3, 4]).q25, 1.75);
    assert.equal(spread.spread([NaN]), null);
    assert.deepEqual(spread.spread([5, 5, 5, 5]).outliers, []);
});

test("outliers are told by their distance from the median", () => {
    const values = [...new Array(20).fill(10), -50, 40, 90, 40];
    assert.deepEqual(spread.spread(values).outliers, [22, 20, 21, 23]);
});

test("columns hold every value once", () => {
    const values = Float64Array.from({ length: 103 }, (_, i) => (i * 37) % 101);
    values[50] = NaN;
    const { first, min, mean, max } = spread.columns(values, 10);
    assert.equal(first[0], 0);
    assert.equal(first[10], 103);
    for (let c = 0; c < 10; c++) {
        const own = [...values.subarray(first[c], first[c + 1])].filter(value => !Number.isNaN(value));
        assert.equal(min[c], Math.min(...own));
        assert.equal(max[c], Math.max(...own));
        assert.ok(Math.abs(mean[c] - own.reduce((a, b) => a + b) / own.length) < 1e-12);
    }
});

test("sorting keeps equal ones in order, and the unknown last", () => {
    const values = [3, 1, NaN, 3, 2];
    assert.deepEqual([...spread.ordered(values, "rank")], [0, 1, 2, 3, 4]);
    assert.deepEqual([...spread.ordered(values, "falling")], [0, 3, 4, 1, 2]);
    assert.deepEqual([...spread.ordered(values, "rising")], [1, 4, 0, 3, 2]);
});

test("groups are sums, or extremes; of nobody nothing is known", () => {
    assert.deepEqual([...spread.grouped([1, 2, NaN, 4], [0, 0, 1, 3], 4, "sum")], [3, NaN, NaN, 4]);
    assert.deepEqual([...spread.grouped([1, 2, 8, 4], [0, 0, -1, 0], 1, "max")], [4]);
});

test("a density peaks where most values are", () => {
    const heights = spread.density([1, 1.1, 0.9, 1, 1.05, 9], { min: 0.9, max: 9 }, 50);
    assert.equal(Math.max(...heights), 1);
    assert.ok(heights.indexOf(1) < 5);
    assert.ok(heights[25] < 0.01);
    assert.ok(heights[49] > 0.1);
});

/* ---- scales ------------------------------------------------------------------------------------------------------------------ */

const context = { signed: false, display: value => ({ text: "", fraction: value / 1000 }), text: value => `${value.toPrecision(4)} s` };

test("scales begin where they say", () => {
    assert.equal(scales.scaleOf([2, 4, NaN], context, "zero").fraction(2), 0.5);
    assert.equal(scales.scaleOf([2, 4], context, "range").fraction(2), 0);
    assert.equal(scales.scaleOf([2, 4], context, "mode").fraction(2), 0.002);
    assert.equal(scales.scaleOf([3, 3], context, "range").fraction(3), 0);
    assert.equal(scales.scaleOf([NaN], context, "zero").fraction(1), 0);
});

test("a scale of differences is the same on both sides of zero", () => {
    const { low, high, fraction } = scales.scaleOf([-4, 1], { ...context, signed: true }, "zero");
    assert.deepEqual([low, high, fraction(-4), fraction(1), fraction(0)], [-4, 4, -1, 0.25, 0]);
});

test("numbers of axes have the digits that tell them apart, and no zeros that say nothing", () => {
    assert.deepEqual(scales.tickTexts({ ...context, metric: 0, model: { head: { metrics: [{ unit: "sec" }] } } }, [7.5, 10, 12.5]), ["7.5 s", "10.0 s", "12.5 s"]);
    assert.equal(scales.withoutZeros("1,200"), "1,200");
    assert.equal(scales.withoutZeros("0.0 %"), "0 %");
});

/* ---- runs of several sizes --------------------------------------------------------------------------------------------------- */

const scalingHead = {
    title: "a, b", creator: "Heddle",
    runs: [{ title: "a", processes: 2, locations: 2, time: 10 }, { title: "b", processes: 8, locations: 8, time: 40 }],
    metrics: [
        { id: "time", name: "Time", unit: "sec", what: "", parent: -1, wait: false, values: [10, 40], growth: 0 },
        { id: "visits", name: "Visits", unit: "occ", what: "", parent: -1, wait: false, values: [100, 400], growth: null },
        { id: "late", name: "Late Sender", unit: "sec", what: "", parent: 0, wait: true, values: [null, 8], growth: 10 },
    ],
    paths: [{ names: ["main", "solve", "MPI_Recv"], values: [1, 6], growth: 2.5 }],
};

test("rows follow the tree of metrics, call paths come behind", () => {
    const rows = scaling.rowsOf(scalingHead);
    assert.deepEqual(rows.map(({ key, depth, worst }) => [key, depth, worst]), [["time", 0, 1], ["late", 1, 0.2], ["visits", 0, 0], ["path0", 0, 0.15]]);
    assert.deepEqual(rows.map(row => row.isInteger), [false, false, true, false]);
});

test("values are shown as shares, sums, per process and as factors", () => {
    const [time, late, visits] = scaling.rowsOf(scalingHead);
    assert.deepEqual(scaling.shownAs(late, "share", scalingHead), [null, 0.2]);
    assert.deepEqual(scaling.shownAs(late, "factor", scalingHead), [null, 1]);
    assert.deepEqual(scaling.shownAs(time, "process", scalingHead), [5, 5]);
    assert.deepEqual(scaling.shownAs(time, "factor", scalingHead), [1, 4]);
    assert.deepEqual(scaling.shownAs(visits, "share", scalingHead), [100, 400]);
});

test("a model is of the value per process, and is shown in the form of the chart", () => {
    const model = { term: "p log p", constant: 1, factor: 0.5, exponent: 1, logExponent: 1, error: 0.1 };
    const [time, late] = scaling.rowsOf({ ...scalingHead, metrics: scalingHead.metrics.map(metric => ({ ...metric, model: metric.id === "time" ? model : null })) });
    assert.equal(scaling.modelAt(model, 8), 13);
    assert.equal(scaling.modelAs(time, "process", scalingHead, 8), 13);
    assert.equal(scaling.modelAs(time, "total", scalingHead, 8), 104);
    assert.equal(scaling.modelAs(time, "factor", scalingHead, 8), 10.4);
    assert.equal(scaling.modelAs(time, "share", scalingHead, 8), null);
    assert.equal(scaling.modelAs(late, "total", scalingHead, 8), null);
    const threads = { ...scalingHead, byLocations: true, runs: scalingHead.runs.map((run, i) => ({ ...run, processes: 2, locations: [2, 8][i] })) };
    assert.equal(scaling.modelAs(time, "process", threads, 8), 52);
});

test("labels keep apart and within", () => {
    const places = scaling.spreadLabels([50, 52, NaN, 51, 99], 10, 0, 100);
    assert.ok(Number.isNaN(places[2]));
    const sorted = places.filter(place => !Number.isNaN(place)).sort((a, b) => a - b);
    for (let i = 1; i < sorted.length; i++)
        assert.ok(sorted[i] - sorted[i - 1] >= 10);
    assert.ok(sorted[0] >= 0 && sorted.at(-1) <= 100);
    assert.ok(places[0] < places[3] && places[3] < places[1]);
});

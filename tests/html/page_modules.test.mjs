/* page_modules.test.mjs: the modules of the page that need no browser, on a small report made by hand, compared with sums taken value
 * by value. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bySignificance, encode, matrix, stream, textOf } from "./page_maker.mjs";

const sources = fileURLToPath(new URL("../../src/report/html/app/", import.meta.url));
const { build } = createRequire(`${sources}package.json`)("esbuild");
const names = ["cut", "delay_sums", "format", "forest", "lists", "model", "rank", "series", "sliced", "state", "values", "who"];
const bundle = await build({
    stdin: { contents: names.map(name => `export * as ${name} from "./${name}";`).join("\n"), resolveDir: `${sources}src`, loader: "ts" },
    bundle: true, format: "esm", write: false,
});
const { cut, delay_sums: delaySums, format, forest, lists, model: reading, rank, series, sliced, state, values, who } =
    await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);

/* ---- the report: call paths main > (solve > MPI_Recv, solve > compute > MPI_Recv, MPI_Recv), and a second root -------------- */

const metric = (id, parent, more = {}) => ({ id, name: id.toUpperCase(), unit: "sec", what: `what ${id} is`, parent, integer: false, extreme: false, wait: false, ...more });
const region = name => ({ name, file: "a.c", paradigm: name.startsWith("MPI") ? "mpi" : "user", role: "function", begin: 1 });

function reportHead() {
    return {
        format: 2, kind: "report", title: "small.cubex", creator: "Heddle", beside: null, headings: {}, attributes: [], leftOut: [],
        metrics: [
            metric("time", -1), metric("comp", 0), metric("mpi", 0), metric("latesender", 2, { wait: true }), metric("nxn", 2, { wait: true }),
            metric("visits", -1, { unit: "occ", integer: true }), metric("least", -1, { extreme: true, join: "minimum" }),
            metric("delay_latesender", -1), metric("delay_latesender_longterm", -1), metric("delay_unattributed_latesender", -1, { name: "Late Sender" }),
        ],
        regions: ["main", "solve", "MPI_Recv", "compute", "other"].map(region),
        paths: { region: [0, 1, 2, 3, 2, 1, 2, 4], parent: [-1, 0, 1, 1, 3, 3, 0, -1], number: [10, 11, 12, 13, 14, 15, 16, 17], label: new Array(8).fill(null) },
        system: {
            nodes: { name: ["m", "n0", "n1"], class: ["machine", "node", "node"], parent: [-1, 0, 0] },
            groups: { name: ["MPI Rank 0", "MPI Rank 1", "MPI Rank 2"], rank: [0, 1, 2], node: [1, 1, 2] },
            locations: { name: ["", "", "", "", ""], thread: [0, 1, 0, 1, 0], group: [0, 0, 1, 1, 2] },
        },
        topologies: [],
        tables: { findings: null, pairs: null, statistics: null, instances: null, moments: null,
                  causes: "cause\teffect\twait state\tshort-term\tlong-term\n13\t12\tlatesender\t2\t1\n13\t16\tlatesender\t5\t0\n\t16\tlatesender\t1\t0\n" },
    };
}

const small = (m, p, l) => ((m * 7 + p * 5 + l * 3) % 4 === 0 ? 0 : m * 100 + p * 10 + l + 1);
const BELOW = { 0: [1, 2, 3, 4], 2: [3, 4] };

function value(m, p, l) {
    if (m === 6) /* "least" */
        return (p + l) % 3 === 0 ? NaN : p - l / 2;
    return sum([m, ...BELOW[m] ?? []].map(part => small(part, p, l)));
}

function makeModel(change = () => undefined) {
    const head = reportHead();
    change(head);
    const texts = encode(head, value);
    const rows = head.metrics.map((_, m) => matrix(head, m, value));
    const model = new reading.Model(head, name => textOf(texts, name), () => Promise.reject(new Error("not there")));
    return { model, head, rows };
}

const sum = numbers => numbers.reduce((a, b) => a + b, 0);
const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * (1 + Math.abs(b)), `${a}, not ${b}`);
const below = (tree, node) => Array.from({ length: tree.n }, (_, i) => i).filter(i => {
    for (; i >= 0; i = tree.parent[i])
        if (i === node)
            return true;
    return false;
});

/* ---- numbers as text -------------------------------------------------------------------------------------------------------- */

test("numbers of trees have few digits, and all of them where they are asked for", () => {
    const cases = [[0, "0"], [0.057724, "0.05772"], [1204551, "1,204,551"], [1.234567e-7, "1.23e-7"], [1234.56, "1,234.6"], [123456.7, "123,457"],
        [732833917381, "7.328e11"], [-0.5, "\u22120.5000"], [NaN, "\u2013"], [Infinity, "\u221e"]];
    for (const [x, text] of cases)
        assert.equal(format.number(x), text);
    assert.equal(format.full(0.1 + 0.2), "0.30000000000000004");
    assert.equal(format.full(732833917381), "732,833,917,381");
    assert.equal(format.full(-1234567), "-1,234,567");
    assert.equal(format.withUnit(2, "sec"), "2.00 s");
    assert.equal(format.withUnit(3, "occ", true), "3");
    assert.equal(format.inRow(1204, "bytes", true), "1,204");
});

test("times have three digits and the unit that fits, as in the terminal", () => {
    const cases = [[0, "0 s"], [57.7e-3, "57.7 ms"], [0.9999e-3, "1.00 ms"], [820e-6, "820 \u00b5s"], [5e-9, "5.00 ns"], [12345.4, "12345 s"], [-0.5, "\u2212500 ms"], [NaN, "\u2013"]];
    for (const [x, text] of cases)
        assert.equal(format.seconds(x), text);
    assert.deepEqual(format.axisSeconds([0, 0.5, 1, 1.5]), ["0.0 s", "0.5 s", "1.0 s", "1.5 s"]);
    assert.deepEqual(format.axisSeconds([0.01025, 0.0105, 0.01075]), ["10.25 ms", "10.50 ms", "10.75 ms"], "neighbours differ");
    assert.deepEqual(format.axisSeconds([-20e-6, 0, 20e-6]), ["\u221220 \u00b5s", "0 \u00b5s", "20 \u00b5s"]);
});

test("a report with the usual name is told by the folder of its archive", () => {
    const at = path => format.shownTitle("heddle.cubex", [["Heddle::Archive", path]]);
    assert.equal(at("/home/a/scorep-lu/traces.otf2"), "scorep-lu/heddle.cubex");
    assert.equal(at("scorep-lu/traces.otf2"), "scorep-lu/heddle.cubex");
    for (const path of ["traces.otf2", "./traces.otf2", "../traces.otf2", "/traces.otf2", ""])
        assert.equal(at(path), "heddle.cubex");
    assert.equal(format.shownTitle("before.cubex", [["Heddle::Archive", "a/traces.otf2"]]), "before.cubex");
    assert.equal(format.shownTitle("heddle.cubex", []), "heddle.cubex");
});

test("percent of a second report", () => {
    assert.deepEqual([[3, 2], [2, 0], [0, 0], [1, NaN], [-300, 3], [1, 1]].map(([a, b]) => format.percentOf(a, b)),
        ["150.0", "new", "\u2013", "\u2013", "\u221210,000", "100.0"]);
});

test("a share that is not zero does not look like zero", () => {
    assert.equal(format.percent(0.1234), "12.3");
    assert.equal(format.percent(0), "0.0");
    assert.equal(format.percent(1e-6), "<0.1");
    assert.equal(format.percent(-0.5), "\u221250.0");
    assert.equal(format.percent(NaN), "\u2013");
});

/* ---- open nodes ----------------------------------------------------------------------------------------------------------------- */

test("what was selected in a node that is closed now is that node", () => {
    const { model } = makeModel();
    assert.equal(forest.seenAt(model.pathTree, 4, new Set([0, 1])), 3);
    assert.equal(forest.seenAt(model.pathTree, 4, new Set([0, 1, 3])), 4);
    assert.deepEqual(forest.stillSeen(model.pathTree, [4, 5, 6], new Set([0])), [1, 6]);
    assert.deepEqual([...forest.openTo(model.pathTree, 4, new Set())].sort(), [0, 1, 3]);
});

/* ---- values --------------------------------------------------------------------------------------------------------------------- */

test("a closed metric counts whole, an open one without its children", () => {
    const { model, rows } = makeModel();
    const { inclusive, own } = values.metricValues(model);
    const all = m => sum(rows[m].flat());
    close(inclusive[0], all(0));
    close(own[0], all(0) - all(1) - all(2));
    close(own[2], all(2) - all(3) - all(4));
    close(own[3], inclusive[3]);
});

test("call paths show what they hold and what is below them, for closed and open metrics", () => {
    const { model, rows } = makeModel();
    for (const open of [new Set(), new Set([0]), new Set([0, 2])])
        for (const selected of [[0], [2], [2, 1], [3, 4]]) {
            const terms = values.termsOf(model, selected, open);
            const own = values.pathValues(model, terms);
            const all = values.accumulate(model.pathTree, own, values.joinOf(model, selected[0]));
            const expected = p => sum(selected.map(m => sum(rows[m][p]) - (open.has(m) ? sum(Array.from(model.metricTree.children(m), c => sum(rows[c][p]))) : 0)));
            own.forEach((x, p) => close(x, expected(p)));
            all.forEach((x, p) => close(x, sum(below(model.pathTree, p).map(expected))));
        }
});

test("the system shows the selected call paths, added up from threads to machines", () => {
    const { model, rows } = makeModel();
    const system = new values.SystemTree(model);
    const terms = values.termsOf(model, [2], new Set([2]));
    const marks = Uint8Array.from([0, 1, 1, 0, 0, 0, 1, 0]);
    const ofLocation = values.locationValues(model, terms, values.runsOf(marks));
    const expected = l => sum([1, 2, 6].map(p => rows[2][p][l] - rows[3][p][l] - rows[4][p][l]));
    ofLocation.forEach((x, l) => close(x, expected(l)));
    const { inclusive } = system.values(ofLocation, values.joinOf(model, 2), 0);
    close(inclusive[0], sum([0, 1, 2, 3, 4].map(expected)));
    close(inclusive[1], sum([0, 1, 2, 3].map(expected)));
    close(inclusive[system.nNodes + 1], expected(2) + expected(3));
    assert.deepEqual(system.locationsOf(1), [0, 1, 2, 3]);
    assert.equal(system.kind(system.leafOf(4)), "thread");
});

test("threads are left out where every process has one", () => {
    const { model } = makeModel(head => (head.system.locations = { name: ["", "", ""], thread: [0, 0, 0], group: [0, 1, 2] }));
    const system = new values.SystemTree(model);
    assert.equal(system.hasThreads, false);
    assert.equal(system.tree.n, 6);
    assert.equal(system.kind(system.leafOf(2)), "process");
});

test("of an extreme metric the least counts, and what is not there does not", () => {
    const { model, rows } = makeModel();
    const terms = values.termsOf(model, [6], new Set([6]));
    const least = numbers => numbers.filter(x => !Number.isNaN(x)).reduce((a, b) => Math.min(a, b), Infinity);
    values.pathValues(model, terms).forEach((x, p) => assert.equal(x, least(rows[6][p])));
    values.locationValues(model, terms, [[1, 6]]).forEach((x, l) => assert.equal(x, least(rows[6].slice(1, 6).map(row => row[l]))));
});

test("the flat profile counts a region once, whatever recursion is in it", () => {
    const { model, rows } = makeModel();
    const flat = new values.FlatTree(model);
    const own = values.pathValues(model, values.termsOf(model, [0], new Set()));
    const join = values.joinOf(model, 0);
    const { inclusive, own: alone } = flat.values(own, values.accumulate(model.pathTree, own, join), join, 0);
    const at = p => sum(rows[0][p]);
    close(alone[1], at(1) + at(5));
    close(inclusive[1], sum([1, 2, 3, 4, 5].map(at)));          /* solve in solve is in it already */
    close(inclusive[flat.nRegions + 1], sum([2, 3, 4].map(at)));
    close(inclusive[2], at(2) + at(4) + at(6));
    assert.equal(flat.used[flat.nRegions + 2], 0);              /* MPI_Recv calls nothing */
    const marks = new Uint8Array(model.nPaths);
    const put = (p, isWhole, mark) => marks.fill(mark, p, isWhole ? model.pathEnd[p] : p + 1);
    flat.mark(1, false, put);
    assert.deepEqual([...marks], [0, 1, 1, 1, 1, 1, 0, 0]);
    marks.fill(0);
    flat.mark(1, true, put);
    assert.deepEqual([...marks], [0, 1, 0, 0, 0, 1, 0, 0]);
    marks.fill(0);
    flat.mark(flat.nRegions + 1, false, put);
    assert.deepEqual([...marks], [0, 0, 1, 1, 1, 0, 0, 0]);
});

/* ---- names that are cut --------------------------------------------------------------------------------------------------------- */

test("a name that is too long loses its middle", () => {
    assert.equal(cut.middleCut("MPI_Send", 8), "MPI_Send");
    assert.equal(cut.middleCut("MPI point-to-point wait states", 11), "MPI p\u2026tates");
});

test("names of C++ are shown without their parameters where no other one has the same begin", () => {
    assert.equal(cut.withoutParameters("net::exchange(net::halo<double> const&, int (*)[3]) const"), "net::exchange(\u2026) const");
    assert.equal(cut.withoutParameters("!$omp for @net::step(int, double)"), "!$omp for @net::step(\u2026)");
    for (const name of ["main", "f()", "f(x)", "a phase (with words)", "x::run()::{lambda(int)#1}::operator", "(anonymous namespace)"])
        assert.equal(cut.withoutParameters(name), name);
    const shown = cut.shortNames(["send(int, int)", "send(float, int)", "recv(int, char*)", "recv(int, char*)", "main"]);
    assert.deepEqual([...shown], [["recv(int, char*)", "recv(\u2026)"]]);
});

test("two names that are cut still differ", () => {
    const names = ["MPI point-to-point wait states (propagating vs. terminal)", "MPI point-to-point wait states (propagated vs. terminal)", "short"];
    for (const n of [6, 12, 20, 40]) {
        const shown = cut.cutNames(names, n);
        assert.notEqual(shown.get(names[0]), shown.get(names[1]));
        assert.equal(shown.get("short"), undefined);
    }
    assert.ok(cut.cutNames(names, 24).get(names[0]).length <= 24);
    const alike = cut.cutNames(["a".repeat(20), "a".repeat(21)], 8);
    assert.notEqual(alike.get("a".repeat(20)), alike.get("a".repeat(21)), "more letters where these tell them apart");
});

test("call paths of a list show what tells them apart", () => {
    const chains = [["main", "a", "x", "y", "z", "w"], ["main", "b", "x", "y", "z", "w"], ["main", "c", "d", "e", "f", "g"], ["q"]];
    assert.deepEqual(cut.cutChains(chains, 4), [[null, "a", "x", "y", "z", "w"], [null, "b", "x", "y", "z", "w"], [null, "d", "e", "f", "g"], ["q"]]);
    assert.deepEqual(cut.cutChains([chains[0], chains[0]], 4)[0], [null, "x", "y", "z", "w"], "the same one twice");
});

/* ---- the address ---------------------------------------------------------------------------------------------------------------- */

function stateOf(model) {
    const trees = { metric: model.metricTree, call: model.pathTree, flat: new values.FlatTree(model).tree, system: new values.SystemTree(model).tree };
    const forests = { trees, isView: id => id === "tree" || id === "topology" };
    const initial = {
        page: "overview", flat: false, metrics: [0], paths: [], follows: true, root: -1, regions: [], system: [],
        open: { metric: new Set(), call: new Set(), flat: new Set(), system: new Set([0]) },
        mode: { metric: "absolute", call: "absolute", system: "absolute" }, sort: { metric: false, call: false, system: false },
        search: { metric: "", call: "", system: "" }, hide: 0, view: "tree", views: {}, explain: null, details: true,
        zeros: { metric: false, call: false, system: true }, slices: null,
    };
    return { forests, initial };
}

test("the address holds the state", () => {
    const { model } = makeModel();
    const { forests, initial } = stateOf(model);
    const changed = {
        page: "trees", flat: true, metrics: [3, 4], paths: [2, 4], follows: false, root: 1, regions: [1, 6], system: [4],
        open: { metric: new Set([0, 2]), call: new Set([0, 3]), flat: new Set([1]), system: new Set([0, 1, 2]) },
        mode: { metric: "root", call: "metric", system: "peers" }, sort: { metric: false, call: true, system: true },
        search: { metric: "late & #1", call: "a=b%", system: "\u00e4,/" }, hide: 2.5, view: "topology",
        views: { topology: { "fold x": "1,2 & 3", size: "" } }, explain: "latesender", details: false,
        zeros: { metric: true, call: false, system: false }, slices: { by: "windows", columns: [3, 7], rows: [0, 2] },
    };
    model.head.series = { windows: { rows: 2, columns: Array(10).fill([1, 1, 0, 1]) }, iterations: null };
    const back = hash => state.decodeState(hash, initial, model, forests);
    assert.deepEqual(back(state.encodeState(changed, initial, model, forests)), changed);
    assert.deepEqual(back(state.encodeState(initial, initial, model, forests)), initial);
    assert.equal(state.encodeState(initial, initial, model, forests), "#overview");
    assert.deepEqual(back(""), initial);
    /* nothing is selected, and nothing is open, as somebody closed it */
    const closed = { ...initial, page: "trees", follows: false };
    assert.deepEqual(back(state.encodeState(closed, initial, model, forests)), closed);
    assert.deepEqual(back("#trees&root=1&p=2.7").paths, [2], "what is outside of the root is not selected");
});

test("what an address says of another report is passed over", () => {
    const { model } = makeModel();
    const { forests, initial } = stateOf(model);
    const back = state.decodeState("#trees&m=time,visits,nothing&p=99999.x.-1&r=1e9&s=77&oc=zzzz-zzzzzz.-&mode=pqz&sort=9&hide=-7&view=none&none.x=1&explain=&%=%%&&=",
        initial, model, forests);
    assert.deepEqual(back, { ...initial, page: "trees" });
    for (const slices of ["i.1.2.0.1", "w.3.11.0.2", "w.3.2.0.1", "w.0.1.0.3", "w.0.1.0", "w.x.1.0.1", "w.0.1.0.1.2"])
        assert.equal(state.decodeState(`#trees&slices=${slices}`, initial, Object.assign(makeModel().model, { head: { ...model.head, series:
            { windows: { rows: 2, columns: Array(10).fill([1, 1, 0, 1]) }, iterations: null } } }), forests).slices, null, slices);
    assert.equal(state.decodeState("#trees&hide=1e9", initial, model, forests).hide, 100);
});

/* ---- what is wrong -------------------------------------------------------------------------------------------------------------- */

test("the largest come first, of equal ones the first", () => {
    assert.deepEqual(rank.largestOf([3, 9, 0, 9, -4, NaN, 5], 3), [1, 3, 6]);
    assert.deepEqual(rank.largestOf([3, 9, 5], 5, 4), [1, 2]);
    assert.deepEqual(rank.largestOf([0, -1], 5), []);
    const many = Array.from({ length: 500 }, (_, i) => (i * 7919) % 101);
    assert.deepEqual(rank.largestOf(many, 40), [...many.keys()].filter(i => many[i] > 0).sort((a, b) => many[b] - many[a] || a - b).slice(0, 40));
});

test("wait states are ranked, causes carry what they explain and where it is felt", () => {
    const { model, rows } = makeModel();
    const total = m => sum(rows[m].flat());
    assert.deepEqual(rank.waitStates(model), [3, 4].sort((a, b) => total(b) - total(a)));
    const kinds = rank.delayKinds(model);
    assert.deepEqual(kinds, [{ id: "latesender", name: "Late Sender", shortTerm: 7, longTerm: 8, unattributed: 9 }]);
    kinds.forEach(kind => [kind.shortTerm, kind.longTerm].forEach(m => model.metricData(m)));
    const causes = rank.causesOf(model, kinds);
    close(causes.whole, total(7) + total(8) + total(9));
    close(causes.unattributed, total(9));
    const cause = rank.causeAt(model, causes, 3);
    close(cause.value, sum(rows[7][3]) + sum(rows[8][3]));
    close(cause.longTerm, sum(rows[8][3]));
    assert.deepEqual(cause.effects, [{ path: 6, name: "Late Sender", value: 5 }, { path: 2, name: "Late Sender", value: 3 }]);
    assert.deepEqual(rank.causeAt(model, causes, 7).effects, []);
});

test("who computes longest is a process where each has one thread", () => {
    const { model } = makeModel();
    const balance = { most: 3, value: 1, average: 1, threads: 5, processes: 3 };
    assert.equal(rank.nameOfMost(model, balance), "process 1 thread 1");
    assert.equal(rank.nameOfMost(model, { ...balance, most: 4, threads: 3 }), "process 2");
});

test("long lists of the head may be runs", () => {
    assert.deepEqual([...lists.integersOf({ runs: [5, 1, 3, 7, 0, 2, 9, -4, 3, -1, 0, 1] })], [5, 6, 7, 7, 7, 9, 5, 1, -1]);
    assert.deepEqual([...lists.integersOf({ runs: [4294967290, 1, 4] })], [4294967290, 4294967291, 4294967292, 4294967293]);
    assert.deepEqual(lists.integersOf([3, 1, 2]), [3, 1, 2]);
    const all = { runs: ["MPI Rank ", 0, 3, "I/O", -1, 2, "node0", 8, 2, "node", 10, 1] };
    const names = ["MPI Rank 0", "MPI Rank 1", "MPI Rank 2", "I/O", "I/O", "node08", "node09", "node10"];
    assert.equal(lists.nameCount(all), names.length);
    assert.deepEqual(names.map((_, i) => lists.nameAt(all, i)), names);
    assert.deepEqual([lists.nameCount(names), lists.nameAt(names, 3)], [8, "I/O"]);
});

test("rows of a block that have streams of their own are read one by one", () => {
    const { model, rows } = makeModel();
    const { model: alone } = makeModel();
    const [n, mask] = [model.nLocations, 0b10110101];
    const metric = alone.head.metrics[0];
    const there = rows[0].filter((_, i) => (mask >> i) & 1).map(row => stream(bySignificance(row)));
    metric.blocks = [[0, 0, 0, there.join("").length, mask, ...there.map(text => text.length)]];
    const own = new reading.Model(alone.head, name => (name === "heddle-metric-0" ? there.join("") : null), () => Promise.reject(new Error("not there")));
    for (let first = 0; first < 8; first++)
        for (let end = first; end <= 8; end++) {
            const out = new Float64Array(n);
            own.metricData(0).rowSum(first, end, out);
            for (let l = 0; l < n; l++)
                close(out[l], sum(rows[0].map((row, p) => (p >= first && p < end && (mask >> p) & 1 ? row[l] : 0))));
        }
});

test("who carries a value is said by name, or as ranges where many do", () => {
    const { model } = makeModel();
    assert.equal(who.whoCarries(model, Float64Array.from([1, 2, 0, 1, 0])), "process 0 threads 0\u20131: 75 %, process 1 thread 1: 25 %");
    assert.equal(who.whoCarries(model, Float64Array.from([3, 0, 1, 0, 0])), "process 0: 75 %, process 1: 25 %");
    assert.equal(who.whoCarries(model, new Float64Array(5)), "");
    assert.equal(who.ranges([8, 0, 2, 1, 3]), "0\u20133, 8");
    const n = 16;
    const { model: wide } = makeModel(head => {
        head.system.groups = { name: Array.from({ length: n }, (_, i) => `MPI Rank ${i}`), rank: [...Array(n).keys()], node: new Array(n).fill(1) };
        head.system.locations = { name: new Array(n).fill(""), thread: new Array(n).fill(0), group: [...Array(n).keys()] };
    });
    assert.equal(who.whoCarries(wide, Float64Array.from({ length: n }, (_, i) => (i < 10 ? 1 : 0.05))), "9 of 16 processes: 87 % (0\u20138)");
});

test("a page without its head, or of another format, says so", () => {
    assert.throws(() => reading.readHead(null), /holds no report/);
    assert.throws(() => reading.readHead(stream(Buffer.from('{"format":1}'))), /of format 1; this program reads format 2/);
});

test("a part of the time has visits by call path and by process, where they are counted over time", () => {
    const { model } = makeModel();
    const counts = [{ id: "visits", name: "Visits", words: "", worst: 0, unit: "occ", values: [1, 2, 3, 10, 20, 30, 100, 200, 300] }];
    const columns = [1, 2, 3].map(k => [k, k, k - 1, k]);
    model.head.series = { iterations: null, windows: { region: null, n: 3, processes: 3, block: 1, rows: 3, columns, metrics: [], counters: [], counts, delays: [],
                                                       paths: [["visits", 2, 1, 7, 8], ["visits", 4, 0, 5]] } };
    const slices = { by: "windows", rows: [0, 3], columns: [1, 3] };
    const part = sliced.slicedStore({ model }, slices).model, visits = 5;
    assert.equal(part.head.metrics[visits].total, 2 + 3 + 20 + 30 + 200 + 300);
    assert.equal(part.head.metrics[0].total, null, "time has no values by window here");
    assert.deepEqual([...part.metricData(visits).pathSums], [0, 0, 15, 0, 0, 0, 0, 0]);
    assert.deepEqual([...part.metricData(visits).locationSums], [5, NaN, 50, NaN, 500], "at the first thread of each process");
    assert.match(sliced.slicesText(model, slices, false)[0], /waiting time, visits, messages and bytes; other metrics/);
    assert.equal(series.amountText(counts[0], series.sumOf(model.head.series.windows, counts[0], { rows: [1, 2], columns: [0, 3] })), "60");
});

test("delay costs over time have their sums, by process and by call path", () => {
    const metric = (id, name, parent) => ({ id, name, parent });
    const metrics = [metric("delay", "Delay costs", -1), metric("delay_latesender_aggregate", "Late Sender", 0), metric("delay_latesender", "Short-term", 1),
                     metric("delay_latesender_longterm", "Long-term", 1), metric("delay_n2n", "Short-term", 0)];
    const delay = (id, values) => ({ id, name: id, words: "", worst: 0, values });
    const of = { delays: [delay("delay_latesender", [1, 0, 2]), delay("delay_latesender_longterm", [0, 5, 0]), delay("delay_n2n", [7, 0, 0])],
                 paths: [["delay_latesender", 4, 1, 10, 20], ["delay_latesender_longterm", 4, 2, 5], ["delay_n2n", 6, 0, 3], ["mpi", 4, 0, 9]] };
    delaySums.addDelaySums(of, metrics);
    const found = id => of.delays.find(one => one.id === id);
    assert.deepEqual(found("delay").values, [8, 5, 2]);
    assert.deepEqual([found("delay").parts, found("delay").name], [3, "Delay costs"]);
    assert.deepEqual(found("delay_latesender_aggregate").values, [1, 5, 2]);
    assert.equal(found("delay_latesender_aggregate").name, "Delay costs: Late Sender");
    assert.deepEqual(of.paths.slice(4), [["delay_latesender_aggregate", 4, 0, 0, 10, 25], ["delay", 4, 0, 0, 10, 25], ["delay", 6, 0, 3]]);
    const none = { delays: [], paths: null };
    delaySums.addDelaySums(none, metrics);
    assert.deepEqual(none, { delays: [], paths: null });
});

test("bars of slices are of neighbours where there are many", () => {
    const costs = [{ slice: 0, value: 9 }, { slice: 1, value: 1 }, { slice: 3, value: 2 }, { slice: 120, value: 4 }, { slice: 121, value: 8 }];
    const windows = n => ({ what: "window", n, each: 1 });
    assert.deepEqual(series.barsOf(costs, windows(3)), [{ from: 1, to: 1, value: 1 }, { from: 2, to: 2, value: 0 }, { from: 3, to: 3, value: 2 }]);
    assert.deepEqual(series.barsOf([{ slice: 0, value: 9 }, { slice: 4, value: 1 }], windows(3)), [], "none in them");
    const many = series.barsOf(costs, windows(120));
    assert.equal(many.length, 40);
    assert.deepEqual([many[0], many[39]], [{ from: 1, to: 3, value: 3 }, { from: 118, to: 120, value: 4 }]);
    const joined = { what: "iteration", n: 2999, each: 4 }, bars = series.barsOf([{ slice: 16, value: 1 }, { slice: 750, value: 2 }], joined);
    assert.deepEqual([bars.length, bars[0], bars.at(-1)], [50, { from: 1, to: 60, value: 0 }, { from: 2941, to: 2999, value: 2 }]);
    assert.deepEqual(bars[1], { from: 61, to: 120, value: 1 });
    assert.equal(series.pairText(joined, 705, 705), "in iterations 2817 to 2820");
    assert.equal(series.pairText(joined, 0, 750), "before iteration 1 to iterations 2997 to 2999");
    assert.equal(series.pairText(windows(100), 3, 101), "from window 3 to after window 100");
    assert.deepEqual([[0, 0], [1, 1], [-2, -1]].map(lag => series.lagText(joined, ...lag)), ["in the same 4 iterations", "4 iterations before", "4 to 8 iterations later"]);
    assert.deepEqual([[0, 0], [1, 1], [2, 3]].map(lag => series.lagText(windows(9), ...lag)), ["in the same window", "1 window before", "2 to 3 windows before"]);
});

/* timeline_modules.test.mjs: the modules of the timeline excerpts that know nothing of pictures: tables, parts of the window, rows of calls,
 * commands. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../../src/report/html/app/", import.meta.url));
const { build } = createRequire(`${sources}package.json`)("esbuild");
const names = ["call_class", "instance_commands", "time_axis", "timeline_data", "timeline_rows"];
const bundle = await build({
    stdin: { contents: names.map(name => `export * as ${name} from "./views/${name}";`).join("\n"), resolveDir: `${sources}src`, loader: "ts" },
    bundle: true, format: "esm", write: false,
});
const { call_class: calls, instance_commands: commands, time_axis: axis, timeline_data: data, timeline_rows: rows } =
    await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);

/* ---- tables: process 1 waits in [10, 20] for process 0, process 2 sends to process 0 -------------------------------------------
 *   process 0   4 [compute     ] 18 [send] 19
 *   process 1   5 [..] 10 [recv xxxxxxxx ] 20 [..] 26        x: waits 10 .. 18
 *   process 2   6 [send] 7
 */

const instance = { instance: "3", metric: "mpi_latesender", path: "7", process: "1", thread: "0", enter: "10", leave: "20", waiting: "8", peer: "0" };
const moment = (process, begin, end, path, kind = "call") => ({ instance: "3", process: String(process), thread: "0", begin: String(begin), end: String(end), path: String(path), kind });
const moments = [moment(0, 4, 18, 5), moment(0, 18, 19, 6), moment(1, 5, 10, 4), moment(1, 10, 20, 7), moment(1, 10, 18, 7, "wait"), moment(1, 20, 26, 4, "calls"), moment(2, 6, 7, 6)];
const message = (sender, receiver, sent, received) => ({ instance: "3", sender: String(sender), sender_thread: "0", receiver: String(receiver), receiver_thread: "0",
    sent: String(sent), received: String(received), bytes: "8", tag: "1" });
const messages = [message(2, 0, 6, 8), message(0, 1, 18, 20)];
const windows = [{ instance: "3", begin: "4", end: "26", lanes: "3", partners: "1", sends: "2", receives: "2" }];
const timelineOf = (row, tables = {}) => data.timelineOf(data.instanceOf(row), { moments, windows, messages, ...tables });

test("only the lines of an instance are read", () => {
    const text = "instance\tprocess\n1\t5\n3\t6\n3\t7\n31\t8\n";
    assert.deepEqual(data.rowsOf(text, 3), [{ instance: "3", process: "6" }, { instance: "3", process: "7" }]);
    assert.deepEqual(data.rowsOf(text, 31), [{ instance: "31", process: "8" }]);
    assert.deepEqual(data.rowsOf("instance\tprocess\n1\t5", 1), [{ instance: "1", process: "5" }]);
    for (const none of [null, "", "instance\tprocess", text])
        assert.deepEqual(data.rowsOf(none, 2), []);
});

test("an excerpt has its window, lanes by their part, and messages", () => {
    const timeline = timelineOf(instance);
    assert.deepEqual(timeline.window, { from: 4, to: 26 });
    assert.deepEqual(timeline.lanes.map(lane => [lane.process, lane.part]), [[1, "waits"], [0, "waited for"], [2, "partner"]]);
    assert.deepEqual(timeline.lanes[0].calls.map(call => [call.begin, call.end, call.path, call.isSeveral]), [[5, 10, 4, false], [10, 20, 7, false], [20, 26, 4, true]]);
    assert.deepEqual(timeline.lanes[0].waits.map(({ begin, end }) => [begin, end]), [[10, 18]]);
    assert.deepEqual(timeline.messages.map(m => [m.sender.process, m.receiver.process, m.isOfWait]), [[2, 0, false], [0, 1, true]]);
    assert.deepEqual([timeline.nPartners, timeline.nSends, timeline.nReceives], [1, 2, 2]);
    assert.deepEqual(data.shownLanes(timeline, 2).map(lane => lane.process), [0, 1]);
});

test("a report without windows and messages has the window of its pieces", () => {
    const timeline = timelineOf({ ...instance, peer: "" }, { windows: [], messages: [] });
    assert.deepEqual(timeline.window, { from: 4, to: 26 });
    assert.equal(timeline.nPartners, null);
    assert.deepEqual(timeline.lanes.map(lane => lane.part), ["waits", "partner", "partner"]);
});

test("of threads of one process the one that does not wait is waited for", () => {
    const threads = moments.map(row => ({ ...row, process: "1", thread: row.process === "1" ? "0" : String(Number(row.process) + 1) }));
    const timeline = timelineOf({ ...instance, peer: "" }, { moments: threads, messages: [] });
    assert.deepEqual(timeline.lanes.map(lane => [lane.thread, lane.part]), [[0, "waits"], [1, "waited for"], [3, "waited for"]]);
});

test("where the sender waits, its message is that of the wait", () => {
    const late = { ...instance, metric: "mpi_latereceiver", process: "0", peer: "1", enter: "18", leave: "19" };
    assert.deepEqual(timelineOf(late).messages.map(m => m.isOfWait), [false, true]);
    const sendrecv = [message(1, 0, 10, 30), message(0, 1, 18, 20)];
    assert.deepEqual(timelineOf(instance, { messages: sendrecv }).messages.map(m => m.isOfWait), [false, true]);
});

test("the call at a time is the one that begins there, or that ends there", () => {
    const [waiter, cause] = timelineOf(instance).lanes;
    assert.equal(data.callAt(waiter, 10).path, 7);
    assert.equal(data.callAt(waiter, 10, true).path, 4);
    assert.equal(data.callAt(cause, 19.5), null);
    assert.equal(data.callAt(cause, 3), null);
    assert.equal(data.during(cause, { begin: 10, end: 18 }).path, 5);
    assert.equal(data.during(cause, { begin: 30, end: 31 }), null);
});

test("the name of a call stands where no wait is", () => {
    assert.deepEqual(data.uncovered({ begin: 0, end: 10 }, []), { begin: 0, end: 10 });
    assert.deepEqual(data.uncovered({ begin: 0, end: 10 }, [{ begin: 2, end: 5 }]), { begin: 5, end: 10 });
    assert.deepEqual(data.uncovered({ begin: 0, end: 10 }, [{ begin: -3, end: 12 }]), { begin: 0, end: 0 });
});

test("messages of the lanes and the part that are shown, at most so many", () => {
    const timeline = timelineOf(instance);
    const shown = (lanes, part, n) => {
        const { shown: some, inView } = data.shownMessages(timeline, lanes, part, n);
        return [some.map(m => m.sender.process), inView];
    };
    assert.deepEqual(shown(timeline.lanes, { from: 4, to: 26 }, 9), [[2, 0], 2]);
    assert.deepEqual(shown(timeline.lanes, { from: 4, to: 26 }, 1), [[0], 2]);
    assert.deepEqual(shown(timeline.lanes, { from: 7, to: 9 }, 9), [[2], 1]);
    assert.deepEqual(shown(timeline.lanes.slice(0, 2), { from: 4, to: 26 }, 9), [[0], 1]);
});

/* ---- the part of the window ----------------------------------------------------------------------------------------------------- */

const whole = { from: 2, to: 4 };

test("zooming keeps a time where it is, and never leaves the window", () => {
    const part = axis.zoomed(whole, whole, 0.5, 2.5);
    assert.deepEqual(part, { from: 2.25, to: 3.25 });
    assert.deepEqual(axis.zoomed(whole, part, 0.5, 2.25), { from: 2.25, to: 2.75 });
    assert.deepEqual(axis.zoomed(whole, part, 100), whole);
    let small = whole;
    for (let i = 0; i < 100; i++)
        small = axis.zoomed(whole, small, 0.5, 4);
    assert.ok(small.to === 4 && small.to - small.from > 1e-6 && small.to - small.from < 3e-6);
});

test("moving stops at the ends of the window", () => {
    const part = { from: 2.5, to: 3 };
    assert.deepEqual(axis.moved(whole, part, 1), { from: 3, to: 3.5 });
    assert.deepEqual(axis.moved(whole, part, 10), { from: 3.5, to: 4 });
    assert.deepEqual(axis.moved(whole, part, -10), { from: 2, to: 2.5 });
    assert.deepEqual(axis.moved(whole, whole, 0.3), whole);
});

test("a piece is shown with a little around it", () => {
    const part = axis.around(whole, { from: 3, to: 3.5 });
    assert.ok(Math.abs(part.from - 2.95) < 1e-12 && Math.abs(part.to - 3.55) < 1e-12);
    assert.deepEqual(axis.around(whole, whole), whole);
    assert.ok(axis.isWhole(whole, { ...whole }) && !axis.isWhole(whole, part));
});

test("labels of the axis are round, distinct, and have room", () => {
    const texts = (part, zero, pixels) => axis.ticksOf(part, zero, pixels).map(tick => tick.text);
    assert.deepEqual(texts({ from: 2, to: 2.01 }, 2, 400), ["0", "2 ms", "4 ms", "6 ms", "8 ms", "10 ms"]);
    assert.deepEqual(texts({ from: 0, to: 4e-7 }, 0, 300), ["0", "100 ns", "200 ns", "300 ns", "400 ns"]);
    for (const [from, to] of [[2, 4], [2.9, 2.9001], [2.123456, 2.123457], [3, 3 + 2e-9], [2, 2 + 3e-5]])
        for (const pixels of [120, 300, 900, 3000]) {
            const ticks = axis.ticksOf({ from, to }, 2, pixels);
            assert.ok(ticks.length >= 2, `${from} ${to} ${pixels}`);
            assert.equal(new Set(ticks.map(tick => tick.text)).size, ticks.length);
            assert.ok(ticks.every(tick => tick.at >= from - 1e-12 && tick.at <= to + 1e-12));
            for (const { at, text } of ticks) {
                const [number, unit] = text.split(" ");
                assert.ok(Math.abs(Number(number) * { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 }[unit ?? "s"] - (at - 2)) < 1e-12, text);
            }
        }
});

test("lengths of time are told in the unit that is read easiest", () => {
    assert.deepEqual([0, 2.5, 0.0123456, 3.4e-6, 5e-9].map(seconds => axis.timeText(seconds)), ["0 s", "2.5 s", "12.3 ms", "3.4 µs", "5 ns"]);
    assert.equal(axis.timeText(0.9996), "1 s");
});

/* ---- rows of calls: paths 0 main, 1 main > run, 2 main > run > solve, 3 main > run > solve > MPI_Recv, 4 main > run > io ------- */

const parents = [-1, 0, 1, 2, 1];
const paths = { parent: p => parents[p], depth: p => (parents[p] < 0 ? 0 : 1 + paths.depth(parents[p])), isCompute: p => p !== 3 };
const lane = { calls: [[0, 1, 1], [1, 3, 2], [3, 5, 3], [5, 6, 2], [7, 8, 4]].map(([begin, end, path]) => ({ begin, end, path, isSeveral: false })), waits: [] };
const barsOf = mode => rows.barsOf(paths, lane, mode, rows.commonDepth(paths, [lane])).map(row => row.map(bar => [bar.begin, bar.end, bar.path]));

test("the innermost call alone", () => {
    assert.deepEqual(barsOf("calls"), [[[0, 1, 1], [1, 3, 2], [3, 5, 3], [5, 6, 2], [7, 8, 4]]]);
});

test("a call of MPI stands below the function around it, which is one bar", () => {
    assert.deepEqual(barsOf("functions"), [[[0, 1, 1], [1, 6, 2], [7, 8, 4]], [[3, 5, 3]]]);
    assert.equal(rows.leafRow(paths, 3, "functions", 0), 1);
});

test("the call stack begins with the innermost call that all have around them", () => {
    assert.equal(rows.commonDepth(paths, [lane]), 1);
    assert.deepEqual(barsOf("stack"), [[[0, 6, 1], [7, 8, 1]], [[1, 6, 2], [7, 8, 4]], [[3, 5, 3]]]);
    assert.equal(rows.leafRow(paths, 3, "stack", 1), 2);
    const others = { calls: [{ begin: 0, end: 1, path: 5, isSeveral: false }], waits: [] };
    parents[5] = -1;
    assert.equal(rows.commonDepth(paths, [lane, others]), 0);
});

test("a call path that the report does not have stands in the first row", () => {
    const unknown = { calls: [{ begin: 0, end: 1, path: -1, isSeveral: false }], waits: [] };
    for (const [mode] of rows.STACK_MODES)
        assert.deepEqual(rows.barsOf(paths, unknown, mode, 0).map(row => row.length), [1]);
});

/* ---- classes, commands ---------------------------------------------------------------------------------------------------------- */

test("calls are told apart by what they are about", () => {
    const classOf = (name, paradigm, role) => calls.classOf({ name, paradigm, role });
    assert.equal(classOf("MPI_Recv", "mpi", "point2point"), "point-to-point");
    assert.equal(classOf("MPI_Barrier", "mpi", "barrier"), "collective");
    for (const name of ["MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testsome", "PMPI_Wait", "mpi_waitall_"])
        assert.equal(classOf(name, "mpi", "function"), "point-to-point");
    assert.equal(classOf("MPI_Test_cancelled", "mpi", "function"), "other MPI");
    assert.equal(classOf("MPI_Init", "mpi", "function"), "other MPI");
    assert.equal(classOf("MPI_Init", "", ""), "other MPI");
    assert.equal(classOf("!$omp for", "openmp", "loop"), "threads");
    assert.equal(classOf("MPI_File_read", "mpi", "file io"), "files");
    assert.equal(classOf("solve", "compiler", "function"), "compute");
});

test("commands name archive, report and instance, quoted for a shell", () => {
    const of = (attributes, title) => commands.commandsOf({ head: { attributes, title } }, data.instanceOf({ ...instance, enter: "1", leave: "1.000003" })).map(({ text }) => text);
    assert.deepEqual(of([["Heddle::Archive", "/data/my runs/it's/traces.otf2"]], "heddle.cubex"), [
        "heddle extract '/data/my runs/it'\\''s/traces.otf2' --report heddle.cubex --instance 3 --margin 1500ns -o instance-3",
        "heddle export '/data/my runs/it'\\''s/traces.otf2' --report heddle.cubex --instance 3 --margin 1500ns --perfetto instance-3.json",
    ]);
    assert.match(of([], "a b")[0], /^heddle extract ARCHIVE --report REPORT\.cubex --instance 3 /);
    assert.equal(commands.shellWord("-x"), "'-x'");
});

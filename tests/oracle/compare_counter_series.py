#!/usr/bin/env python3
"""Counters over time: random programs against this second implementation, which knows the events that it writes, over windows
and over iterations, by process and by call path, on any ranks and threads; computation that grows, and why; what series,
pictures, CSV and JSON say of it; damaged tables.

usage: compare_counter_series.py --heddle PROGRAM [--mpirun PROGRAM] --work DIR
"""
import argparse
import bisect
import collections
import csv
import io
import itertools
import json
import pathlib
import random
import re
import shutil
import sys
import tarfile

from compare_counters import Writer
from otf2.enums import CollectiveOp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runner"))
import runner  # noqa: E402

COUNTERS = ("task-clock", "instructions", "cycles", "LLC-misses")
MEMBERS = ["heddle.counter-series.tsv", "heddle.iteration-counter-series.tsv"]


def run(options, *arguments, codes=(0,), launcher=()):
    code, output, errors = runner.run([*launcher, options.heddle, *map(str, arguments)])
    assert code in codes, f"{arguments}: {code}: {errors.decode()}"
    return output.decode(), errors.decode()


class Program:
    """Processes that compute and meet at barriers, with counters before each enter and leave."""

    def __init__(self, archive, n):
        self.writer = Writer(archive, n)
        self.strict = self.writer.metric_class(COUNTERS)
        self.n = n
        self.times = [1000] * n
        self.values = [dict.fromkeys(COUNTERS, 0) for _ in range(n)]
        self.counted = []                                   # process, until, path, {counter: value}
        self.boundaries = [[] for _ in range(n)]            # enters of MPI, enters and leaves of iterations
        self.iterations = [[] for _ in range(n)]            # from, to
        self.pending = [dict.fromkeys(COUNTERS, 0) for _ in range(n)]
        self.has_value = [False] * n

    def event(self, process, step, *arguments):
        w, time = self.writer, self.times[process]
        path = tuple(w.stacks[process])
        w.metric(process, time, self.strict, COUNTERS, [self.values[process][name] for name in COUNTERS])
        if path and self.has_value[process]:
            self.counted.append((process, time, path, self.pending[process]))
        self.pending[process] = dict.fromkeys(COUNTERS, 0)
        self.has_value[process] = True
        step(process, time, *arguments)
        after = tuple(w.stacks[process])
        name = (after if len(after) > len(path) else path)[-1]
        if name == "iteration" or (name.startswith("MPI_") and len(after) > len(path)):
            self.boundaries[process].append(time)
        if name == "iteration":
            if len(after) > len(path):
                self.iterations[process].append([time, None])
            else:
                self.iterations[process][-1][1] = time

    def enter(self, process, name):
        self.event(process, self.writer.enter, name)

    def leave(self, process):
        self.event(process, self.writer.leave)

    def work(self, process, ticks, **counts):
        self.times[process] += ticks
        for name, count in counts.items():
            self.values[process][name.replace("_", "-")] += count
            self.pending[process][name.replace("_", "-")] += count

    def barrier(self):
        for process in range(self.n):
            self.enter(process, "MPI_Barrier")
            self.writer.events[process].mpi_collective_begin(self.times[process])
        end = max(self.times) + 7
        for process in range(self.n):
            self.times[process] = end
            self.writer.events[process].mpi_collective_end(end, CollectiveOp.BARRIER, self.writer.comm, 0, 0, 0)
            self.work(process, 0, instructions=13)           # what MPI does is no work of the program
            self.leave(process)

    def end(self):
        for process in range(self.n):
            while self.writer.stacks[process]:
                self.work(process, 1)
                self.leave(process)
        self.writer.close()


def sums(program, cuts_of):
    """{(counter, process, slice): value}, {(counter, path, slice): value}: what was counted belongs to the slice in which its
    interval ends. cuts_of(process): [(time, slice)], ascending."""
    by_process, by_path = collections.Counter(), collections.Counter()
    for process, until, path, values in program.counted:
        if path[-1].startswith("MPI_"):
            continue
        at = bisect.bisect_left(program.boundaries[process], until)
        end = program.boundaries[process][at] if at < len(program.boundaries[process]) else program.times[process]
        slice = 0
        for time, number in cuts_of(process):
            slice = number if time < end else slice
        for name, value in values.items():
            by_process[name, process, slice] += value
            by_path[name, path, slice] += value
    return {k: v for k, v in by_process.items() if v}, {k: v for k, v in by_path.items() if v}


def window_cuts(report):
    rows = [line.split("\t") for line in table(report, "heddle.slices.tsv")[1:]]
    return [(1000 + round(float(row[2]) * 1e9), int(row[0])) for row in rows if row[1] != "before"]


def iteration_cuts(program, process):
    n, own = max(len(rows) for rows in program.iterations), program.iterations[process]
    cuts = []
    for i, (begin, end) in enumerate(own):
        cuts.append((begin, i + 1))
        if i + 1 == len(own) or own[i + 1][0] > end:
            cuts.append((end, n + 1 if i + 1 == len(own) else n + 2))
    return cuts


def table(report, name):
    with tarfile.open(report) as tar:
        return tar.extractfile(name).read().decode().splitlines() if name in tar.getnames() else None


def paths_of(report):
    text = next(tarfile.open(report).extractfile(name).read() for name in ["anchor.xml"]).decode()
    regions = dict(re.findall(r'<region id="(\d+)"[^>]*>\s*<name>([^<]*)</name>', text))
    paths, stack = {}, []
    for cnode, callee in re.findall(r'<cnode id="(\d+)"[^>]*calleeId="(\d+)"|</cnode>', text[text.index("<program>"):]):
        if cnode:
            stack.append(regions[callee])
            paths[cnode] = tuple(stack)
        else:
            stack.pop()
    return paths


def found(report, name):
    paths, by_process, by_path = paths_of(report), {}, {}
    for line in table(report, name)[1:]:
        counter, path, process, n, first, values = line.split("\t")
        for i, value in enumerate(values.split(",")):
            if value and process:
                by_process[counter, int(process), int(first) + i] = int(value)
            elif value:
                by_path[counter, None if path == "none" else paths[path], int(first) + i] = int(value)
    return by_process, by_path


def joined(expected, kept):
    """What each call path that is kept has with those below it."""
    by_path = collections.Counter()
    for (name, path, slice), value in expected.items():
        while path and path not in kept:
            path = path[:-1]
        by_path[name, path or None, slice] += value
    return dict(by_path)


def analyze(options, archive, *more, launcher=(), threads=1):
    report = options.work / "series.cubex"
    run(options, "analyze", archive / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", "--threads", threads, *more,
        codes=(0, 3), launcher=launcher)
    return report


def check(options, program, archive, *more):
    report = analyze(options, archive, *more)
    for name, cuts_of in ((MEMBERS[0], lambda process: window_cuts(report)),
                          (MEMBERS[1], lambda process: iteration_cuts(program, process))):
        by_process, by_path = sums(program, cuts_of)
        has_process, has_path = found(report, name)
        assert has_process == by_process, (archive, name, set(has_process.items()) ^ set(by_process.items()))
        kept = {path for _, path, _ in has_path}
        assert has_path == joined(by_path, kept), (archive, name, set(has_path.items()) ^ set(joined(by_path, kept).items()))
    tables = [[table(report, name) for name in MEMBERS]]
    if options.mpirun:
        n, threads = next(options.shapes)
        launcher = [options.mpirun, "-n", str(n)]
        tables.append([table(analyze(options, archive, *more, launcher=launcher, threads=threads), name) for name in MEMBERS])
    assert all(one == tables[0] for one in tables), archive
    return report


def random_program(options, seed):
    draw = random.Random(seed)
    archive = options.work / f"random-{seed}"
    program = Program(archive, 4)
    counts = [draw.randrange(0, 12) for _ in range(4)]        # iterations of each process
    for process in range(4):
        program.enter(process, "main")
    for i in range(12):
        for process in range(4):
            if i < counts[process]:
                program.work(process, draw.randrange(1, 40), cycles=draw.randrange(20))
                program.enter(process, "iteration")
            for name in draw.choices("abc", k=draw.randrange(4)):
                program.work(process, draw.randrange(1, 200), instructions=draw.randrange(300), cycles=draw.randrange(200))
                program.enter(process, name)
                program.work(process, draw.randrange(1, 200), task_clock=draw.randrange(300), LLC_misses=draw.randrange(9))
                if draw.random() < 0.3:
                    program.enter(process, "deeper")
                    program.work(process, draw.randrange(1, 90), instructions=draw.randrange(300))
                    program.leave(process)
                    program.work(process, 1)
                program.leave(process)
            program.work(process, 3)
        program.barrier()
        for process in range(4):
            program.work(process, draw.randrange(1, 9), instructions=1)
            if i < counts[process]:
                program.leave(process)
    program.end()
    check(options, program, archive, "--windows", draw.choice((1, 7, 100, 1024)), *(("--iterations", "iteration") if any(counts) else ()))


# ---- computation that grows ------------------------------------------------------------------------------------------

def growing(options, name, of_iteration, n=20):
    """of_iteration(i): ticks and counts of solve in iteration i, from 0 on. Returns the report."""
    program = Program(options.work / name, 2)
    for process in range(2):
        program.enter(process, "main")
    for i in range(n):
        for process in range(2):
            program.work(process, 2)
            program.enter(process, "iteration")
            program.work(process, 5)
            program.enter(process, "solve")
            ticks, counts = of_iteration(i)
            program.work(process, ticks * (process + 1), **{key: value * (process + 1) for key, value in counts.items()})
            program.leave(process)
            program.work(process, 5)
        program.barrier()
        for process in range(2):
            program.work(process, 2)
            program.leave(process)
    program.end()
    return check(options, program, options.work / name, "--iterations", "iteration")


def plain(text):
    return " ".join(text.split())


def check_growing(options):
    more = growing(options, "more-work", lambda i: (100_000 + 20_000 * i, {"task_clock": 100_000 + 20_000 * i, "instructions": 200_000 + 40_000 * i, "cycles": 250_000 + 50_000 * i}))
    text = plain(run(options, "summary", more)[0])
    # the first quarter has iterations 2 to 5 (of 18 that count), the last 16 to 19: 150,000 and 430,000 ticks, of process 1 twice that
    assert re.search(r"most at main > iteration > solve from 450 us to 1.29 ms: 2.9 times the instructions \(more work\); the same cycles per "
                     r"instruction\. heddle series", text), text
    slower = growing(options, "slower-work", lambda i: (100_000 + 5_000 * i, {"task_clock": 100_000 + 5_000 * i, "instructions": 200_000, "cycles": 250_000 + 12_500 * i, "LLC_misses": 100 + 50 * i}))
    text = plain(run(options, "summary", slower)[0])
    assert "% more cycles per instruction (slower work), 4.1 times the last-level misses; the same instructions. heddle series" in text, text
    found = json.loads(run(options, "summary", slower, "--json")[0])["computation_drift"]
    # solve of both processes in iterations 2 to 5 and 16 to 19: 3 times 112,500 and 182,500 ticks, and 281,250 and 456,250 cycles
    of, ratios = found["most"], found["work_or_speed"]
    assert of["call_path"] == ["main", "iteration", "solve"] and abs(of["first"] - 337.5e-6) < 1e-12 and abs(of["last"] - 547.5e-6) < 1e-12, found
    for key, expected in (("time", 547.5 / 337.5), ("instructions", 1), ("cycles", 456.25 / 281.25), ("cpu_time", 1), ("off_cpu", 1), ("misses", 925 / 225)):
        assert abs(ratios[key] - expected) < 1e-9, (key, expected, found)
    assert ratios["rest"] is None and ratios["text"] in text and {row["name"] for row in ratios["counters"]} == set(COUNTERS), found
    text = run(options, "series", slower)[0]
    assert "Counters in computation, of all processes, by iteration\n" in text, text
    lines = text[text.index("Counters in"):].splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  Instructions per cycle"))
    assert lines[at + 1] == "    least in iteration 20: 0.4103, most in iteration 1: 0.8", lines
    at = next(i for i, line in enumerate(lines) if line.startswith("  cycles "))
    assert lines[at + 1] == "    growing" and lines[at + 2] == "    most in iteration 20: 1,462,500, 6.61 %", lines
    assert any(line.startswith("  Last-l") and "per 1,000 instructions" in line for line in lines), lines
    return slower


def check_views(options, report):
    lines = run(options, "series", report, "--metric", "ipc", "--width=300")[0].splitlines()
    assert "Instructions per cycle in computation in 20 iterations" in lines[0] and \
        [line.split()[:3] for line in lines[1:] if line.startswith("  process")] == [["process", "0", "0.5424"], ["process", "1", "0.5424"]], lines
    lines = run(options, "series", report, "--metric", "c_cycles", "--paths", "--width=300")[0].splitlines()
    assert lines[2] == "    main > iteration > solve" and lines[1].split()[:2] == ["cycles", "22,125,000"], lines
    lines = run(options, "series", report, "--metric", "ipc", "--paths", "--width=300")[0].splitlines()
    assert lines[2] == "    main > iteration > solve" and lines[1].split()[3] == "0.5424", lines
    cells = run(options, "series", report, "--metric", "ipc", "--map")[0]
    assert cells.startswith("Instructions per cycle\n") and "least 0.410256 at iteration=20 process=0" in cells, cells
    cells = run(options, "series", report, "--metric", "ipc", "--map", "--by", "windows")[0]        # in some nothing was counted
    assert re.search(r"least 0\.4\d+ at window=\d+ process=0\n  most 0\.8 at window=", cells), cells
    picture = options.work / "ipc.svg"
    run(options, "series", report, "--metric", "ipc", "--picture", picture, "--force")
    assert "<svg" in picture.read_text()
    by_process, by_path = found(report, MEMBERS[1])
    rows = list(csv.DictReader(io.StringIO(run(options, "series", report, "--csv")[0])))
    csv_rows = {(row["metric"][2:].replace("_", "-"), int(row["process"]), int(row["slice"])): float(row["value"]) for row in rows if row["metric"].startswith("c_")}
    assert csv_rows == {(name, process, slice): value for (name, process, slice), value in by_process.items()}, csv_rows
    rows = list(csv.DictReader(io.StringIO(run(options, "series", report, "--csv", "--paths", "--metric", "c_cycles")[0])))
    assert {(tuple(row["path"].split(";")) if row["path"] else None, int(row["slice"])): int(row["value"]) for row in rows} == \
        {(path, slice): value for (name, path, slice), value in by_path.items() if name == "cycles"}
    document = json.loads(run(options, "series", report, "--json")[0])
    for kind, member in (("windows", MEMBERS[0]), ("iterations", MEMBERS[1])):
        by_process, by_path = found(report, member)
        slices = len(document[kind]["slices"])
        has, of_all = {}, collections.Counter()
        for row in document[kind]["counters"]:
            name = row["name"]
            for process in row["processes"]:
                values = [process["before"], *process["values"], process["after"], process["between"]]
                has.update({(name, process["process"], s): v for s, v in enumerate(values) if v})
                of_all.update({(name, s): v for s, v in enumerate(values) if v})
            assert {(name, s): v for s, v in enumerate([row["before"], *row["values"], row["after"], row["between"]]) if v} == \
                {key: v for key, v in of_all.items() if key[0] == name}, row
            assert sum(sum(path["values"]) for path in row["paths"]) == sum(row["values"]) and len(row["values"]) == slices, row
        assert has == by_process, (kind, has, by_process)
    one = json.loads(run(options, "series", report, "--json", "--metric", "ipc")[0])["windows"]
    assert [row["name"] for row in one["counters"]] == ["instructions", "cycles"] and one["series"] == [] and one["paths"] == [], one
    assert json.loads(run(options, "series", report, "--json", "--metric", "comp")[0])["windows"]["counters"] == []
    _, errors = run(options, "series", report, "--metric", "c_lost", codes=(1, 2))
    assert "c_lost" in errors, errors


def check_none(options):
    """Without counters, without delays: no such tables, and series say nothing of them."""
    archive = options.work / "slower-work"
    for how in (("--counters", "none"), ("--no-delay",), ("--no-series",)):
        report = analyze(options, archive, *how)
        assert [table(report, name) for name in MEMBERS] == [None, None], how
    report = analyze(options, archive, "--counters", "none")
    assert "Counters in computation" not in run(options, "series", report)[0]
    report = analyze(options, archive, "--counters", "cycles", "--iterations", "iteration")
    names = {line.split("\t")[0] for line in table(report, MEMBERS[1])[1:]}
    assert names == {"cycles"}, names
    # without windows of delays the drift has no factors, but is there
    assert "instructions" not in plain(run(options, "summary", report)[0]).split("most at")[1].split("heddle series")[0]


def check_damage(options, report):
    damaged = options.work / "damaged.cubex"
    changes = {"a process too far": lambda row: row[:2] + ["4000000000"] + row[3:],
               "no such process": lambda row: row[:2] + ["x"] + row[3:], "neither": lambda row: row[:1] + ["", ""] + row[3:],
               "both": lambda row: row[:1] + ["0", "0"] + row[3:], "a slice too far": lambda row: row[:4] + ["999999"] + row[5:],
               "no number": lambda row: row[:5] + ["1,-2"], "too few fields": lambda row: row[:4],
               "more fields": lambda row: row + ["1"], "no call path": lambda row: row[:1] + ["77777", ""] + row[3:]}
    for what, change in changes.items():
        for member in MEMBERS:
            with tarfile.open(report) as old, tarfile.open(damaged, "w", format=tarfile.USTAR_FORMAT) as new:
                for info in old.getmembers():
                    data = old.extractfile(info).read()
                    if info.name == member:
                        lines = data.decode().splitlines()
                        lines[2] = "\t".join(change(lines[2].split("\t")))
                        data = "".join(line + "\n" for line in lines).encode()
                    info.size = len(data)
                    new.addfile(info, io.BytesIO(data))
            _, errors = run(options, "series", damaged, "--by", "windows" if member == MEMBERS[0] else "iterations", codes=(1,))
            assert member in errors and "line 3" in errors, (what, errors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    options.shapes = itertools.cycle(runner.ways(((3, 1), (2, 2))))     # ranks, threads
    for seed in runner.few(range(1, 13)):
        random_program(options, seed)
    report = check_growing(options)
    kept = options.work / "growing.cubex"
    shutil.copy(report, kept)
    check_views(options, kept)
    check_damage(options, kept)
    check_none(options)
    shutil.rmtree(options.work)


if __name__ == "__main__":
    main()

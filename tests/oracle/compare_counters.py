#!/usr/bin/env python3
"""Counters: sums per call path against this second implementation, which knows the events that it writes; archives with known
factors of work and speed; formulas; values that are wrong. With --archive, of a recorded archive against the events as the
bindings of OTF2 read them, and with --profile against the profile that the recorder wrote.

usage: compare_counters.py --heddle PROGRAM [--mpirun PROGRAM] --work DIR [--archive DIR [--profile FILE.tsv.gz]]...
"""
import argparse
import collections
import gzip
import json
import pathlib
import random
import shutil
import struct
import subprocess

import otf2
from otf2.enums import (CollectiveOp, GroupType, MetricMode, MetricOccurrence, MetricScope, MetricType, Paradigm, RecorderKind,
                        RegionRole, Type)

MEMBERS = [("task-clock", MetricMode.ACCUMULATED_START, Type.UINT64), ("instructions", MetricMode.ACCUMULATED_START, Type.UINT64),
           ("cycles", MetricMode.ACCUMULATED_START, Type.UINT64), ("LLC-misses", MetricMode.ACCUMULATED_START, Type.UINT64),
           ("resident", MetricMode.ABSOLUTE_POINT, Type.INT64), ("energy", MetricMode.ACCUMULATED_START, Type.DOUBLE),
           ("lost", MetricMode.RELATIVE_POINT, Type.UINT64)]
PROCESS_MEMBERS = [("ru_maxrss", MetricMode.ABSOLUTE_NEXT, Type.UINT64), ("ru-utime", MetricMode.ACCUMULATED_START, Type.UINT64)]


class Writer:
    """An archive of n processes with one thread each. sums: what is to be found."""

    def __init__(self, folder, n, members=MEMBERS):
        shutil.rmtree(folder, ignore_errors=True)
        self.trace = otf2.writer.open(str(folder), timer_resolution=10 ** 9).__enter__()
        d = self.trace.definitions
        root = d.system_tree_node("machine", "machine")
        node = d.system_tree_node("node", "node", parent=root)
        self.groups = [d.location_group(f"MPI Rank {i}", system_tree_parent=node) for i in range(n)]
        self.locations = [d.location("Master thread", group=group) for group in self.groups]
        everybody = d.group("locations", GroupType.COMM_LOCATIONS, Paradigm.MPI, members=tuple(self.locations))
        world = d.group("world", GroupType.COMM_GROUP, Paradigm.MPI, members=tuple(self.locations))
        self.everybody, self.comm = everybody, d.comm("MPI_COMM_WORLD", group=world)
        self.regions = {}
        self.members = {name: d.metric_member(name, "", MetricType.OTHER, mode, kind, unit="#") for name, mode, kind in members}
        self.events = [self.trace.event_writer_from_location(location) for location in self.locations]
        self.stacks = [[] for _ in range(n)]
        self.last = [{} for _ in range(n)]
        self.sums = collections.defaultdict(int)

    def metric_class(self, names, occurrence=MetricOccurrence.SYNCHRONOUS_STRICT):
        members = tuple(self.members[name] for name in names)
        return self.trace.definitions.metric_class(members=members, occurrence=occurrence, recorder_kind=RecorderKind.CPU)

    def region(self, name):
        if name not in self.regions:
            mpi = name.startswith("MPI_")
            role = RegionRole.BARRIER if name == "MPI_Barrier" else RegionRole.FUNCTION
            self.regions[name] = self.trace.definitions.region(name, region_role=role,
                                                              paradigm=Paradigm.MPI if mpi else Paradigm.USER)
        return self.regions[name]

    def metric(self, process, time, metric, names, values, counts=True):
        self.events[process].metric(time, metric, values)
        for name, value in zip(names, values):
            mode = self.members[name].metric_mode
            path = ";".join(self.stacks[process])
            last = self.last[process].get(name)
            if not counts or not path:
                pass
            elif mode == MetricMode.RELATIVE_POINT:
                self.sums[name, path, process] += value
            elif last is not None and (value >= last or mode in (MetricMode.ABSOLUTE_POINT, MetricMode.ABSOLUTE_NEXT)):
                self.sums[name, path, process] += value - last
            self.last[process][name] = value

    def enter(self, process, time, name):
        self.events[process].enter(time, self.region(name))
        self.stacks[process].append(name)

    def leave(self, process, time):
        self.events[process].leave(time, self.region(self.stacks[process].pop()))

    def close(self):
        self.trace.close()
        return {key: value for key, value in self.sums.items() if value != 0}


def run(options, *arguments, codes=(0,), launcher=()):
    done = subprocess.run([*launcher, options.heddle, *map(str, arguments)], capture_output=True, timeout=120)
    assert done.returncode in codes, f"{arguments}: {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode(), done.stderr.decode()


def found(options, archive, *more, launcher=()):
    """{(counter, call path, process, thread): value} of the report."""
    report = options.work / "counters.cubex"
    run(options, "analyze", archive / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", *more, codes=(0, 3),
        launcher=launcher)
    values = {}
    for line in run(options, "dump", report)[0].splitlines():
        metric, path, process, thread, value = line.split("\t")
        if metric.startswith("c_"):
            values[metric[2:], path, int(process), int(thread)] = float(value)
    return values


def check(options, archive, sums, *more):
    expected = {(name.replace("-", "_"), path, process, 0): value for (name, path, process), value in sums.items()}
    runs = [found(options, archive, *more)]
    if options.mpirun:
        runs.append(found(options, archive, "--threads", 2, *more,
                          launcher=[options.mpirun, "--oversubscribe", "--allow-run-as-root", "-n", "2"]))
    for values in runs:
        assert values.keys() == expected.keys(), (archive, values.keys() ^ expected.keys())
        for key, value in expected.items():
            assert abs(values[key] - value) <= 1e-9 * abs(value) if isinstance(value, float) else values[key] == value, \
                (archive, key, values[key], value)


# ---- random programs -------------------------------------------------------------------------------------------------

def random_program(options, seed):
    """Nested regions; values of a strict class before each enter and leave, and of two classes of the process before some."""
    draw = random.Random(seed)
    archive = options.work / f"random-{seed}"
    writer = Writer(archive, 3, MEMBERS + PROCESS_MEMBERS)
    names = [name for name, _, _ in MEMBERS]
    strict = writer.metric_class(names)
    of_process = [writer.metric_class([name], MetricOccurrence.SYNCHRONOUS) for name, _, _ in PROCESS_MEMBERS]
    d = writer.trace.definitions
    for process in range(3):
        instances = [(name, d.metric_instance(metric_class, recorder=writer.locations[process],
                                              metric_scope=MetricScope.LOCATION_GROUP, scope=writer.groups[process]))
                     for (name, _, _), metric_class in zip(PROCESS_MEMBERS, of_process)]
        values = dict.fromkeys(names + [name for name, _ in instances], 0)
        time = 1000
        for i in range(draw.randrange(40, 80)):
            time += draw.randrange(1, 50)
            for name in values:
                values[name] += draw.randrange(-20 if name in ("resident", "ru_maxrss") and values[name] > 20 else 0, 100)
            values["energy"] = float(values["energy"]) + 0.25
            values["lost"] = draw.randrange(3)
            writer.metric(process, time, strict, names, [values[name] for name in names])
            for name, instance in instances:
                if draw.random() < 0.6:                      # not strict: values are missing
                    writer.metric(process, time, instance, [name], [values[name]])
            if writer.stacks[process] and (len(writer.stacks[process]) > 4 or draw.random() < 0.5) and i < 39:
                if len(writer.stacks[process]) > 1:
                    writer.leave(process, time)
                    continue
            if len(writer.stacks[process]) < 8:
                writer.enter(process, time, draw.choice("abc") if writer.stacks[process] else "main")
            else:
                writer.leave(process, time)
        while writer.stacks[process]:
            time += 1
            writer.metric(process, time, strict, names, [values[name] for name in names])
            writer.leave(process, time)
    check(options, archive, writer.close())


# ---- work or speed ---------------------------------------------------------------------------------------------------

def imbalance(options, name, slow, members=("task-clock", "instructions", "cycles", "LLC-misses")):
    """Three processes compute and meet at a barrier; what the last one needs of each counter is slow[counter] times that of the
    others; slow["time"]: its time. Returns the root cause of the summary."""
    archive = options.work / name
    writer = Writer(archive, 3)
    strict = writer.metric_class(members)
    base = {"time": 1_000_000, "task-clock": 1_000_000, "instructions": 2_000_000, "cycles": 2_500_000, "LLC-misses": 1000}
    most = round(base["time"] * slow.get("time", 1))
    for process in range(3):
        factor = slow if process == 2 else {}
        values, time = dict.fromkeys(members, 0), 1000

        def at(step, path, *arguments):
            writer.metric(process, time, strict, members, [values[member] for member in members])
            step(process, time, *arguments)

        at(writer.enter, "", "main")
        for _ in range(4):
            begin = time
            at(writer.enter, "", "compute")
            for member in members:
                values[member] += round(base[member] * factor.get(member, 1))
            time += round(base["time"] * factor.get("time", 1))
            at(writer.leave, "")
            at(writer.enter, "", "MPI_Barrier")
            writer.events[process].mpi_collective_begin(time)
            time = begin + most + 100
            writer.events[process].mpi_collective_end(time, CollectiveOp.BARRIER, writer.comm, 0, 0, 0)
            at(writer.leave, "")
            time += 10
        at(writer.leave, "")
    check(options, archive, writer.close())
    report = options.work / "counters.cubex"
    summary = json.loads(run(options, "summary", report, "--json")[0])
    causes = summary["causes"]["call_paths"]
    text = " ".join(run(options, "summary", report)[0].split())
    return next(cause["work_or_speed"] for cause in causes if "compute" in json.dumps(cause["call_path"])), summary, text


def near(value, expected):
    return value is not None and abs(value - expected) <= 1e-6 * expected


def check_work_or_speed(options):
    cause, summary, text = imbalance(options, "more-work", {"time": 1.5, "task-clock": 1.5, "instructions": 1.5, "cycles": 1.5,
                                                            "LLC-misses": 1.5})
    assert near(cause["time"], 1.5) and near(cause["instructions"], 1.5) and near(cause["cycles"], 1) and \
        near(cause["cpu_time"], 1) and near(cause["off_cpu"], 1) and cause["compared"] == 1 and cause["others"] == 2, cause
    assert "process 2 takes 50 % more time than the 2 others; 50 % more instructions (more work)" in text, text
    assert summary["counters"]["call_paths"] == [], summary["counters"]
    assert {row["id"] for row in summary["counters"]["derived"]} == {"ipc", "frequency", "cpu_share", "l3_mpki",
                                                                     "memory_bandwidth"}
    ipc = next(row for row in summary["counters"]["derived"] if row["id"] == "ipc")
    assert near(ipc["least"], 0.8) and near(ipc["most"], 0.8), ipc

    cause, summary, text = imbalance(options, "slower-work", {"time": 2, "task-clock": 2, "cycles": 2, "LLC-misses": 31})
    assert near(cause["instructions"], 1) and near(cause["cycles"], 2) and near(cause["misses"], 31) and \
        near(cause["off_cpu"], 1), cause
    assert "2.0 times the time of the 2 others; 2.0 times the cycles per instruction (slower work), 31.0 times the last-level " \
        "misses; the same instructions" in text, text
    bad = summary["counters"]["call_paths"]
    assert len(bad) == 1 and bad[0]["memory_bound"] and not bad[0]["low_ipc"] and bad[0]["others_wait"], bad
    assert near(bad[0]["misses_per_1000"], 1000 * 33 / 6000), bad

    cause, summary, text = imbalance(options, "lower-clock", {"time": 1.25, "task-clock": 1.25})
    assert near(cause["cycles"], 1) and near(cause["cpu_time"], 1.25), cause
    assert "25 % more CPU time per cycle (lower clock rate)" in text, text

    cause, summary, text = imbalance(options, "off-cpu", {"time": 3})
    assert near(cause["off_cpu"], 3) and near(cause["cpu_time"], 1), cause
    assert "3.0 times the time per CPU time (off the CPU): 4.00 ms of 12.0 ms on the CPU" in text, text
    assert summary["counters"]["call_paths"][0]["off_cpu"], summary["counters"]

    cause, _, text = imbalance(options, "without-clock", {"time": 2, "instructions": 1.25}, ("instructions",))
    assert near(cause["instructions"], 1.25) and near(cause["rest"], 1.6) and cause["cycles"] is None, cause
    assert "60 % more time per instruction (slower work, or off the CPU)" in text, text


# ---- formulas --------------------------------------------------------------------------------------------------------

def check_formulas(options):
    archive, table = options.work / "more-work" / "traces.otf2", options.work / "derived.txt"
    report = options.work / "derived.cubex"

    def analyze(lines, *, codes=(0,)):
        table.write_text(lines)
        return run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--no-summary", "--derived", table, codes=codes)[1]

    analyze('# comment\n\nper_miss [i/m] "Instructions per miss" = -(-{INSTRUCTIONS|nothing}) / ({llc_m*} + 0)\n'
            'ipc = 2 * {instructions} / {cycles}\nmissing = {PAPI_VEC_INS}\n')
    rows = [line.split("\t") for line in run(options, "dump", report, "--call-path", "compute")[0].splitlines()]
    assert {float(row[4]) for row in rows if row[0] == "per_miss"} == {2000.0}, rows
    assert {float(row[4]) for row in rows if row[0] == "ipc"} == {1.6}, rows
    assert not any(row[0] == "missing" for row in rows)
    for line, column, word in [("x = {a|} / 2", 8, "name of a counter is missing"), ("x = (1 + 2", 11, "')' is missing"),
                               ("1x = 2", 1, "id is missing"), ("x [u = 2", 4, "']' is missing"), ("x 2", 3, "'=' is missing"),
                               ("x = 1 2", 7, "operator is missing"), ("x = {a", 7, "'}' is missing"),
                               ("x = ", 5, "a number, 'time', {COUNTER} or '(' is missing"), ("time = 1", 1, "another metric"),
                               ("x = " + 60 * "(", 56, "too deeply")]:
        errors = analyze(f"\n{line}\n", codes=(1, 2))
        assert f"derived.txt, line 2, column {column}: " in errors and word in errors, (line, errors)
    assert "cannot open" in run(options, "analyze", archive, "-o", report, "--force", "--derived", table.with_suffix(".no"),
                                codes=(1, 2))[1]


# ---- what is wrong ---------------------------------------------------------------------------------------------------

def check_wrong(options):
    """Values that go back are a finding, and all else is as it was."""
    archive = options.work / "wrong"
    writer = Writer(archive, 2)
    names = ("instructions", "resident")
    strict = writer.metric_class(names)
    for process in range(2):
        for time, step, values in [(100, "main", (10, 50)), (200, "a", (30, 40)), (300, None, (20, 45)), (400, None, (60, 30))]:
            writer.metric(process, time, strict, names, values)
            if step:
                writer.enter(process, time, step)
            else:
                writer.leave(process, time)
    sums = writer.close()
    assert sums["instructions", "main", 0] == 20 + 40 and ("instructions", "main;a", 0) not in sums
    check(options, archive, sums)
    rows = (options.work / "counters.findings.tsv").read_text().splitlines()
    assert [row.split("\t")[:3] + [row.split("\t")[6]] for row in rows[1:]] == \
        [["counter-falls", "1", str(process), "instructions"] for process in range(2)], rows


# ---- recorded archives -----------------------------------------------------------------------------------------------

def of_events(path):
    """{(counter, call path, process, thread): sum} as the bindings of OTF2 read the events."""
    sums = collections.defaultdict(int)
    with otf2.reader.open(str(path / "traces.otf2")) as trace:
        events = collections.defaultdict(list)
        for location, event in trace.events:
            events[location].append(event)
        locations = collections.defaultdict(list)
        for location in trace.definitions.locations:
            locations[location.group].append(location)
        ranks = next((group.members for group in trace.definitions.groups
                      if group.group_type == GroupType.COMM_LOCATIONS and group.paradigm == Paradigm.MPI), ())
        for process, master in enumerate(ranks):
            group = locations[master.group]
            program = None
            forks = []
            for thread, location in enumerate(group):
                stack, last = [], {}
                for event in events[location]:
                    kind = type(event).__name__
                    if kind == "ProgramBegin":
                        program = event.program_name.split("/")[-1]
                        stack = [program]
                    elif kind == "ProgramEnd":
                        stack = []
                    elif kind == "Metric":
                        metric = event.metric
                        members = (metric.metric_class if hasattr(metric, "metric_class") else metric).members
                        for member, value in zip(members, event.values):
                            if member.name in last and stack:
                                sums[member.name.replace("-", "_"), ";".join(stack), process, thread] += value - last[member.name]
                            last[member.name] = value
                    elif kind == "Enter":
                        stack.append(event.region.name)
                    elif kind == "Leave":
                        stack.pop()
                    elif kind == "ThreadFork" and thread == 0:
                        forks.append((event.time, list(stack)))
                    elif kind == "ThreadTeamBegin" and thread > 0:
                        stack, last = next((list(path) for time, path in reversed(forks) if time <= event.time), [program]), {}
                    elif kind == "ThreadTeamEnd" and thread > 0:
                        stack = []
    return {key: value for key, value in sums.items() if value != 0}


def check_recorded(options, path, profile):
    values = {key: value for key, value in found(options, path).items()}
    expected = of_events(path)
    assert values == expected, (path, [(key, values.get(key), expected.get(key)) for key in values.keys() | expected.keys()
                                       if values.get(key) != expected.get(key)][:5])
    if profile is None:
        return
    recorded = collections.defaultdict(int)
    with gzip.open(profile, "rt") as lines:
        for line in lines:
            name, call_path, process, thread, value = line.rstrip("\n").split("\t")
            call_path = ";".join(part for part in call_path.split(";") if not part.startswith("instance="))
            if name != "visits":
                recorded[name, call_path, int(process), int(thread)] += int(value)
    for key, value in recorded.items():
        assert values.get(key, 0) == value, (path, key, value, values.get(key))
    others = {key for key in values.keys() - recorded.keys() if ";" in key[1]}
    assert not others, (path, sorted(others)[:5])            # the program's root is not in the profile
    print(f"{path.name}: {len(recorded)} values of the recorder's profile")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun")
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--archive", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--profile", action="append", default=[], type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for path in options.archive:
        check_recorded(options, path, next((p for p in options.profile if p.name.startswith(path.name + ".")), None))
    if options.archive:
        return
    for seed in range(3):
        random_program(options, seed)
    check_work_or_speed(options)
    check_formulas(options)
    check_wrong(options)


if __name__ == "__main__":
    main()

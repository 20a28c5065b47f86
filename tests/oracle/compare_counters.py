#!/usr/bin/env python3
"""Counters: sums per call path against this second implementation, which knows the events that it writes; archives with known
factors of work and speed; formulas; values that are wrong. With --archive, of a recorded archive against the events as the
bindings of OTF2 read them, and with --profile against the profile that the recorder wrote.

usage: compare_counters.py --heddle PROGRAM [--mpirun PROGRAM] --work DIR [--archive DIR [--profile FILE.tsv.gz]]...
"""
import argparse
import base64
import collections
import gzip
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tarfile
import xml.etree.ElementTree
import zlib

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
    run(options, "analyze", archive / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", "--no-demangle", *more,
        codes=(0, 3), launcher=launcher)
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
        near(cause["cpu_time"], 1) and near(cause["off_cpu"], 1) and cause["compared"] == 1 and cause["others"] is None and cause["waits"] == 8, cause
    assert cause["counters"] == [{"name": name, "ratio": 1.5} for name in ("instructions", "cycles", "task-clock", "LLC-misses")], cause
    assert "process 2 takes 50 % more time than those that wait for it; 50 % more instructions (more work)" in text, text
    assert summary["counters"]["call_paths"] == [], summary["counters"]
    assert {row["id"] for row in summary["counters"]["derived"]} == {"ipc", "frequency", "cpu_share", "l3_mpki",
                                                                     "memory_bandwidth"}
    ipc = next(row for row in summary["counters"]["derived"] if row["id"] == "ipc")
    assert near(ipc["least"], 0.8) and near(ipc["most"], 0.8), ipc

    cause, summary, text = imbalance(options, "slower-work", {"time": 2, "task-clock": 2, "cycles": 2, "LLC-misses": 31})
    assert near(cause["instructions"], 1) and near(cause["cycles"], 2) and near(cause["misses"], 31) and \
        near(cause["off_cpu"], 1), cause
    assert "2.0 times the time of those that wait for it; 2.0 times the cycles per instruction (slower work), 31.0 times the last-level " \
        "misses; the same instructions" in text, text
    bad = summary["counters"]["call_paths"]
    assert len(bad) == 1 and bad[0]["memory_bound"] and not bad[0]["low_ipc"] and bad[0]["others_wait"], bad
    assert near(bad[0]["misses_per_1000"], 1000 * 33 / 6000), bad

    cause, summary, text = imbalance(options, "lower-clock", {"time": 1.25, "task-clock": 1.25})
    assert near(cause["cycles"], 1) and near(cause["cpu_time"], 1.25), cause
    assert "25 % more CPU time per cycle (lower clock rate)" in text, text

    cause, summary, text = imbalance(options, "off-cpu", {"time": 3})
    assert near(cause["off_cpu"], 3) and near(cause["cpu_time"], 1), cause
    assert "3.0 times the time per CPU time (off the CPU): 1.00 ms of 3.00 ms on the CPU, on average" in text, text
    assert summary["counters"]["call_paths"][0]["off_cpu"], summary["counters"]

    cause, _, text = imbalance(options, "without-clock", {"time": 2, "instructions": 1.25}, ("instructions",))
    assert near(cause["instructions"], 1.25) and near(cause["rest"], 1.6) and cause["cycles"] is None, cause
    assert "60 % more time per instruction (slower work, or off the CPU)" in text, text

    _, _, text = imbalance(options, "misses-alone", {"time": 2, "LLC-misses": 3}, ("LLC-misses",))
    assert "takes 2.0 times the time of those that wait for it; 3.0 times the LLC-misses" in text and "instruction" not in text, text


# ---- work or speed over the intervals of delays ----------------------------------------------------------------------

def member(report, name):
    """Lines of a table of the report, without its head."""
    with tarfile.open(report) as tar:
        return [line.split("\t") for line in tar.extractfile(name).read().decode().splitlines()[1:]] if name in tar.getnames() else []


def rounds(options, name, work, members, n_processes):
    """Processes that do work[round][process] = {call path: {"time": ticks, counter: value}} and meet at a barrier, each round. Returns
    the archive, and what is to be found: {(innermost region, process, counter): [waits, own time, time of others, own, others]}."""
    archive = options.work / name
    writer = Writer(archive, n_processes)
    strict = writer.metric_class(members)
    values = [dict.fromkeys(members, 0) for _ in range(n_processes)]
    times = [1000] * n_processes
    expected = collections.defaultdict(lambda: [0, 0, 0, 0, 0])

    def at(process, step, *arguments):
        writer.metric(process, times[process], strict, members, [values[process][member] for member in members])
        step(process, times[process], *arguments)
        if "lost" in members:
            values[process]["lost"] = 0                                     # relative

    for process in range(n_processes):
        at(process, writer.enter, "main")
    for of in work:
        arrived = []
        for process in range(n_processes):
            for path, does in of[process].items():
                at(process, writer.enter, path)
                for member in members:
                    values[process][member] += does[member]
                times[process] += does["time"]
                at(process, writer.leave)
            at(process, writer.enter, "MPI_Barrier")
            writer.events[process].mpi_collective_begin(times[process])
            arrived.append(times[process])
        last = max(range(n_processes), key=lambda process: arrived[process])
        for process in range(n_processes):
            times[process] = arrived[last] + 10
            writer.events[process].mpi_collective_end(times[process], CollectiveOp.BARRIER, writer.comm, 0, 0, 0)
            values[process] = {member: value + 17 for member, value in values[process].items()}  # in MPI: compared with nothing
            at(process, writer.leave)
            if process == last or arrived[process] == arrived[last]:
                continue
            for path, own in of[last].items():
                others = of[process].get(path, dict.fromkeys(("time", *members), 0))
                if own["time"] > others["time"]:
                    for member in members:
                        row = expected[path, last, member]
                        for i, more in enumerate((1, own["time"], others["time"], own[member], others[member])):
                            row[i] += more
    for process in range(n_processes):
        at(process, writer.leave)
    writer.close()
    return archive, dict(expected)


def compared(options, archive, *more):
    """The report, and its table: the same on any ranks and threads."""
    tables = []
    for launcher, threads in [((), 1)] + ([([options.mpirun, "--oversubscribe", "--allow-run-as-root", "-n", "2"], 2)] if options.mpirun else []):
        report = options.work / "compared.cubex"
        run(options, "analyze", archive / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", "--threads", threads, *more,
            launcher=launcher)
        tables.append(member(report, "heddle.work.tsv"))
    assert all(table == tables[0] for table in tables), tables
    return report, tables[0]


def check_rounds(options, name, work, members, n_processes):
    archive, expected = rounds(options, name, work, members, n_processes)
    report, table = compared(options, archive, "--counters", ",".join(members))
    names = paths_of(report)
    found = {(names[int(path)], int(process), counter): [int(waits), round(float(own_time) * 1e9), round(float(others_time) * 1e9),
                                                         int(own), int(others)]
             for path, process, thread, waits, own_time, others_time, counter, own, others in table}
    found = {key: row for key, row in found.items() if key[0] != "main"}   # it has no time
    assert found == expected, (name, [(key, found.get(key), expected.get(key)) for key in found.keys() | expected.keys()
                                      if found.get(key) != expected.get(key)][:5])
    return report


def paths_of(report):
    """{id of a call path: its innermost region}"""
    with tarfile.open(report) as tar:
        anchor = xml.etree.ElementTree.fromstring(tar.extractfile("anchor.xml").read())
    regions = {region.get("id"): region.findtext("name") for region in anchor.iter("region")}
    return {int(node.get("id")): regions[node.get("calleeId")] for node in anchor.iter("cnode")}


def cause_of(options, report, path):
    summary = json.loads(run(options, "summary", report, "--json")[0])
    text = " ".join(run(options, "summary", report)[0].split())
    return next(cause["work_or_speed"] for cause in summary["causes"]["call_paths"] if path in json.dumps(cause["call_path"])), text


def check_delays(options):
    """What passes outside of the intervals of delays does not count: a process makes the others wait in a few rounds, in which it
    has more of everything by known factors; in all other rounds it has less, and nobody waits for it."""
    members = ("task-clock", "instructions", "cycles", "LLC-misses", "lost")
    base = {"time": 1_000_000, "task-clock": 1_000_000, "instructions": 2_000_000, "cycles": 2_500_000, "LLC-misses": 1000, "lost": 50}

    def work(factors):
        return {member: round(base[member] * factors.get(member, 1)) for member in base}

    for name, factors, expected, words in [
            ("delay-work", dict.fromkeys(base, 1.38), {"instructions": 1.38, "cycles": 1, "cpu_time": 1, "off_cpu": 1},
             "38 % more instructions (more work)"),
            ("delay-cycles", {"time": 1.4, "task-clock": 1.4, "cycles": 1.4, "LLC-misses": 3.1},
             {"instructions": 1, "cycles": 1.4, "cpu_time": 1, "off_cpu": 1},
             "40 % more cycles per instruction (slower work), 3.1 times the last-level misses; the same instructions"),
            ("delay-clock", {"time": 1.25, "task-clock": 1.25}, {"instructions": 1, "cycles": 1, "cpu_time": 1.25, "off_cpu": 1},
             "25 % more CPU time per cycle (lower clock rate)"),
            ("delay-cpu", {"time": 1.5, "task-clock": 0.75, "lost": 4}, {"instructions": 1, "cycles": 1, "cpu_time": 0.75, "off_cpu": 2},
             "2.0 times the time per CPU time (off the CPU): 750 us of 1.50 ms on the CPU, on average")]:
        slow, fast, plain = work(factors), work(dict.fromkeys(base, 0.97)), work({})
        report = check_rounds(options, name, [[{"compute": plain}, {"compute": plain}, {"compute": slow if i in (3, 4, 8) else fast}]
                                              for i in range(12)], members, 3)
        cause, text = cause_of(options, report, "compute")
        assert cause["waits"] == 6 and all(near(cause[key], value) for key, value in expected.items()), (name, cause)
        assert near(cause["time"], factors["time"]) and near(next(row["ratio"] for row in cause["counters"] if row["name"] == "lost"),
                                                             factors.get("lost", 1)), cause
        assert words in text, (name, text)
        assert ("4.0 times the lost" in text) == ("lost" in factors and factors["lost"] == 4), text
        page = options.work / "compared.html"
        run(options, "html", report, "-o", page, "--force")
        head = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="heddle-head">([^<]*)<', page.read_text())[1])))
        assert any(words in text for text in head["workOrSpeed"].values()), (name, head["workOrSpeed"])
    for names, words in [("cycles,nothing", "no such counter"), ("instruction", "--counters instructions"),
                         ("resident", "this counter is none")]:
        errors = run(options, "analyze", options.work / "random-0" / "traces.otf2", "-o", report, "--force", "--counters", names, codes=(1, 2))[1]
        assert words in errors, errors
    run(options, "analyze", options.work / "delay-cpu" / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", "--counters", "none")
    assert member(report, "heddle.work.tsv") == []


def check_random_delays(options):
    for seed in range(4):
        draw = random.Random(seed)
        members = ("instructions", "cycles", "lost")

        def work():
            return {path: {"time": draw.randrange(1, 10 ** draw.randrange(3, 7)), **{member: draw.randrange(10 ** 9) for member in members}}
                    for path in draw.sample(("one", "two", "three"), draw.randrange(1, 4))}

        check_rounds(options, f"delays-{seed}", [[work() for _ in range(5)] for _ in range(40)], members, 5)


# ---- formulas --------------------------------------------------------------------------------------------------------

def check_formulas(options):
    archive, table = options.work / "more-work" / "traces.otf2", options.work / "derived.txt"
    report = options.work / "derived.cubex"

    def analyze(lines, *, codes=(0,)):
        table.write_text(lines)
        return run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--no-summary", "--derived", table, codes=codes)[1]

    said = analyze('# comment\n\nper_miss [i/m] "Instructions per miss" = -(-{INSTRUCTIONS|nothing}) / ({llc_m*} + 0)\n'
                   'ipc = 2 * {instructions} / {cycles}\nmissing = {PAPI_VEC_INS}\n')
    assert "counters that the archive lacks" in said and "metrics:  missing\n" in said, said
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
    check_delays(options)
    check_random_delays(options)
    check_formulas(options)
    check_wrong(options)


if __name__ == "__main__":
    main()

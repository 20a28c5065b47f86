#!/usr/bin/env python3
"""Counters of programs with teams, nested teams and tasks that move between threads, whose METRIC records are partly wrong: of
metrics and classes that are not defined, of another type, not finite, going back, or missing. This second implementation knows
what it writes. Each metric with wrong values has one finding per thread, the rest counts, and no other value of the report is
another one than without counters at all.

usage: compare_counter_faults.py --heddle PROGRAM --work DIR
"""
import argparse
import collections
import pathlib
import shutil
import subprocess

import _otf2
import otf2
from otf2.enums import (CollectiveOp, GroupType, MetricMode, MetricOccurrence, MetricScope, MetricType, Paradigm, RecorderKind,
                        RegionRole, Type)

SUM, LEVEL, RELATIVE = MetricMode.ACCUMULATED_START, MetricMode.ABSOLUTE_POINT, MetricMode.RELATIVE_POINT
STRICT = [("instructions", SUM, Type.UINT64), ("back", SUM, Type.UINT64), ("joules", SUM, Type.DOUBLE), ("level", LEVEL, Type.INT64),
          ("other-type", SUM, Type.UINT64), ("lost", RELATIVE, Type.UINT64)]
PROCESS = [("ru-utime", SUM, Type.UINT64)]
TYPES = {Type.UINT64: _otf2.TYPE_UINT64, Type.INT64: _otf2.TYPE_INT64, Type.DOUBLE: _otf2.TYPE_DOUBLE}
UNKNOWN = 4242  # a number that no class of metrics has
N_PROCESSES, N_THREADS = 2, 4
TICK = 1000


class Program:
    """The events of all locations in order; values of counters before enters and leaves. faulty: some are wrong; counts: there are
    any. expected: {(counter, innermost region, process, thread): sum} of values at times that are inside."""

    def __init__(self, folder, counts, faulty, inside):
        shutil.rmtree(folder, ignore_errors=True)
        self.counts, self.faulty, self.inside = counts, faulty, inside
        self.trace = otf2.writer.open(str(folder), timer_resolution=10 ** 9).__enter__()
        d = self.trace.definitions
        root = d.system_tree_node("node", "node")
        self.groups = [d.location_group(f"MPI Rank {i}", system_tree_parent=root) for i in range(N_PROCESSES)]
        self.locations = [[d.location("Master thread" if t == 0 else f"OMP thread {t}", group=group) for t in range(N_THREADS)]
                          for group in self.groups]
        masters = tuple(threads[0] for threads in self.locations)
        d.group("", GroupType.COMM_LOCATIONS, Paradigm.MPI, members=masters)
        self.world = d.comm("MPI_COMM_WORLD", group=d.group("", GroupType.COMM_GROUP, Paradigm.MPI, members=masters))
        d.group("", GroupType.COMM_LOCATIONS, Paradigm.OPENMP, members=tuple(x for threads in self.locations for x in threads))
        self.outer = [self.team(d, threads[:2]) for threads in self.locations]
        self.inner = [self.team(d, threads[1:]) for threads in self.locations]
        self.regions = {}
        self.members = {name: d.metric_member(name, "", MetricType.OTHER, mode, kind, unit="#") for name, mode, kind in STRICT + PROCESS}
        self.strict = d.metric_class(members=tuple(self.members[name] for name, _, _ in STRICT),
                                     occurrence=MetricOccurrence.SYNCHRONOUS_STRICT, recorder_kind=RecorderKind.CPU)
        of_process = d.metric_class(members=(self.members["ru-utime"],), occurrence=MetricOccurrence.SYNCHRONOUS,
                                    recorder_kind=RecorderKind.CPU)
        self.of_process = [d.metric_instance(of_process, recorder=threads[0], metric_scope=MetricScope.LOCATION_GROUP, scope=group)
                           for threads, group in zip(self.locations, self.groups)]
        self.writers = {(p, t): self.trace.event_writer_from_location(self.locations[p][t])
                        for p in range(N_PROCESSES) for t in range(N_THREADS)}
        self.expected = collections.defaultdict(float)
        self.findings = collections.Counter()
        self.where = {key: [] for key in self.writers}  # stack of the task that runs
        self.last = {key: {} for key in self.writers}
        self.values = {key: collections.Counter() for key in self.writers}
        self.n_values = collections.Counter()
        for process in range(N_PROCESSES):
            self.run(process)
        self.trace.close()
        self.expected = {key: value for key, value in self.expected.items() if value != 0}

    @staticmethod
    def team(d, members):
        return d.comm("", group=d.group("", GroupType.COMM_GROUP, Paradigm.OPENMP, members=tuple(members)))

    def region(self, name):
        role, paradigm = {"MPI_Barrier": (RegionRole.BARRIER, Paradigm.MPI), "MPI_Init": (RegionRole.FUNCTION, Paradigm.MPI),
                          "MPI_Finalize": (RegionRole.FUNCTION, Paradigm.MPI), "parallel": (RegionRole.PARALLEL, Paradigm.OPENMP),
                          "task": (RegionRole.TASK, Paradigm.OPENMP)}.get(name, (RegionRole.FUNCTION, Paradigm.USER))
        if name not in self.regions:
            self.regions[name] = self.trace.definitions.region(name, region_role=role, paradigm=paradigm)
        return self.regions[name]

    # ---- values

    def count(self, at, time, name, mode, value):
        last, where = self.last[at].get(name), self.where[at]
        key = name.replace("-", "_"), where[-1] if where else None, *at
        if where and last is not None and value < last and mode == SUM:
            self.findings["counter-falls", *at, name, ""] += 1
        elif where and self.inside(time) and (mode == RELATIVE or last is not None):
            self.expected[key] += value if mode == RELATIVE else value - last
        self.last[at][name] = value

    def metric(self, at, time):
        """Before an enter or leave."""
        if not self.counts:
            return
        n, of = self.n_values[at], self.values[at]
        self.n_values[at] += 1
        of["instructions"] += 100 + 7 * n
        of["back"] += 50
        of["level"] += 30 - 13 * (n % 5)
        of["other-type"] += 11
        values = {"instructions": of["instructions"], "back": of["back"], "joules": of["instructions"] / 4, "level": of["level"],
                  "other-type": of["other-type"], "lost": n % 3}
        types = [TYPES[kind] for _, _, kind in STRICT]
        bad = set()
        if self.faulty and n % 4 == 3:
            values["back"] -= 180                                      # below the value before; later ones count from here
            self.values[at]["back"] -= 180
        if self.faulty and n % 5 == 2:
            types[4] = _otf2.TYPE_INT64
            bad.add("other-type")
        if self.faulty and n % 6 == 1:
            values["joules"] = float("nan")
            bad.add("joules")
        writer = self.writers[at]
        _otf2.EvtWriter_Metric(writer.handle, None, time, self.strict._ref, types, [self.bits(values[name], kind) for name, _, kind in STRICT])
        self.locations[at[0]][at[1]]._number_of_events_written += 1
        for name, mode, _ in STRICT:
            if name in bad:
                self.findings["counter-type", *at, name, ""] += 1
            else:
                self.count(at, time, name, mode, values[name])
        if self.faulty and n % 3 == 0:
            _otf2.EvtWriter_Metric(writer.handle, None, time, UNKNOWN, [_otf2.TYPE_UINT64], [self.bits(n, Type.UINT64)])
            self.locations[at[0]][at[1]]._number_of_events_written += 1
            self.findings["counter-unknown", *at, "", str(UNKNOWN)] += 1
        if at[1] == 0:
            of["ru-utime"] += 5 + n
            if n % 3 != 1:                                             # of the process, not strict: values are missing
                writer.metric(time, self.of_process[at[0]], [of["ru-utime"]])
                self.count(at, time, "ru-utime", SUM, of["ru-utime"])

    @staticmethod
    def bits(value, kind):
        of = _otf2.MetricValue()
        if kind == Type.DOUBLE:
            of.floating_point = value
        elif kind == Type.INT64:
            of.signed_int = value
        else:
            of.unsigned_int = value
        return of

    # ---- events

    def enter(self, at, time, name):
        self.metric(at, time)
        self.writers[at].enter(time, self.region(name))
        self.where[at].append(name)

    def leave(self, at, time):
        self.metric(at, time)
        self.writers[at].leave(time, self.region(self.where[at].pop()))

    def put_record(self, at, time, kind, *arguments, **more):
        getattr(self.writers[at], kind)(time, *arguments, **more)

    def call(self, at, time, name):
        self.enter(at, time, name)
        self.leave(at, time + TICK)

    def run(self, process):
        main, one, two, three = ((process, t) for t in range(N_THREADS))
        outer, inner = self.outer[process], self.inner[process]
        self.enter(main, 1000, "main")
        self.call(main, 2000, "MPI_Init")
        for i in range(4):
            t = 10_000 + 100_000 * i
            self.enter(main, t, "step")
            self.call(main, t + 2000, "work")
            self.enter(main, t + 5000, "parallel")
            self.put_record(main, t + 5500, "thread_fork", Paradigm.OPENMP, 2)
            for at in (main, one):
                self.put_record(at, t + 6000, "thread_team_begin", outer)
            self.last[one] = {}                                        # what passed between two teams is nobody's
            self.where[one] = ["parallel"]
            for at in (main, one):
                self.enter(at, t + 7000, "body")
            # A task begins on thread 0, is suspended, and goes on at thread 1.
            self.put_record(main, t + 8000, "thread_task_create", outer, 0, i + 1)
            self.put_record(main, t + 9000, "thread_task_switch", outer, 0, i + 1)
            implicit, self.where[main] = self.where[main], ["task"]    # before its first enter: its stub has that name
            self.enter(main, t + 9500, "task")
            self.call(main, t + 10_000, "piece")
            task, self.where[main] = self.where[main][1:], implicit
            self.put_record(main, t + 12_000, "thread_task_switch", outer, 0, 0)
            self.put_record(one, t + 13_000, "thread_task_switch", outer, 0, i + 1)
            implicit, self.where[one] = self.where[one], task
            self.call(one, t + 14_000, "piece")
            self.leave(one, t + 16_000)
            self.where[one] = implicit
            self.put_record(one, t + 17_000, "thread_task_complete", outer, 0, i + 1)
            # Thread 1 forks a team of its own.
            self.enter(one, t + 20_000, "parallel")
            self.put_record(one, t + 20_500, "thread_fork", Paradigm.OPENMP, 3)
            for at in (one, two, three):
                self.put_record(at, t + 21_000, "thread_team_begin", inner)
                if at != one:
                    self.last[at], self.where[at] = {}, ["parallel"]
            for at in (one, two, three):
                self.call(at, t + 22_000 + 500 * at[1], "deep")
            for at in (one, two, three):
                self.put_record(at, t + 30_000, "thread_team_end", inner)
                if at != one:
                    self.where[at] = []
            self.put_record(one, t + 31_000, "thread_join", Paradigm.OPENMP)
            self.leave(one, t + 32_000)
            for at in (main, one):
                self.leave(at, t + 40_000)
                self.put_record(at, t + 41_000, "thread_team_end", outer)
            self.where[one] = []
            self.put_record(main, t + 42_000, "thread_join", Paradigm.OPENMP)
            self.leave(main, t + 43_000)
            self.enter(main, t + 45_000 + 3000 * process, "MPI_Barrier")
            self.put_record(main, t + 45_000 + 3000 * process, "mpi_collective_begin")
            self.put_record(main, t + 50_000, "mpi_collective_end", CollectiveOp.BARRIER, self.world, 0, 0, 0)
            self.leave(main, t + 50_000)
            self.leave(main, t + 60_000)
        self.call(main, 500_000, "MPI_Finalize")
        self.leave(main, 510_000)


def run(options, *arguments):
    done = subprocess.run([options.heddle, *map(str, arguments)], capture_output=True, timeout=120)
    assert done.returncode == 0, f"{arguments}: {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode()


def analyze(options, archive, *more):
    """Values of the report; those of counters by innermost region; findings."""
    report = options.work / "faults.cubex"
    run(options, "analyze", archive / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", *more)
    others, counters = {}, collections.defaultdict(float)
    for line in run(options, "dump", report).splitlines():
        metric, path, process, thread, value = line.split("\t")
        if metric.startswith("c_"):
            counters[metric[2:], path.split(";")[-1], int(process), int(thread)] += float(value)
        else:
            others[metric, path, process, thread] = value
    rows = (options.work / "faults.findings.tsv")
    findings = collections.Counter()
    for line in rows.read_text().splitlines()[1:] if rows.exists() else ():
        kind, count, process, thread, _, _, name, tag = line.split("\t")[:8]
        assert (kind, int(process), int(thread), name, tag) not in findings, line
        findings[kind, int(process), int(thread), name, tag] += int(count)
    rows.unlink(missing_ok=True)
    return others, dict(counters), findings


def check(options, name, more, inside):
    plain, _, none = analyze(options, write(options, "plain", False, False, inside)[0], *more)
    assert not none, none
    for faulty in (False, True):
        archive, program = write(options, "faulty" if faulty else "sound", True, faulty, inside)
        others, counters, findings = analyze(options, archive, *more)
        assert others == plain, (name, faulty, [(key, others.get(key), plain.get(key)) for key in others.keys() | plain.keys()
                                                if others.get(key) != plain.get(key)][:5])
        counters = {key: value for key, value in counters.items() if value != 0}
        assert counters == program.expected, (name, faulty, [(key, counters.get(key), program.expected.get(key))
                                                             for key in counters.keys() | program.expected.keys()
                                                             if counters.get(key) != program.expected.get(key)][:8])
        assert findings == program.findings, (name, faulty, findings - program.findings, program.findings - findings)
        assert faulty == bool(findings)
    print(f"{name}: {len(counters)} sums of counters, {len(findings)} findings")


def write(options, name, counts, faulty, inside):
    archive = options.work / name
    return archive, Program(archive, counts, faulty, inside)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    first = 1000
    check(options, "whole", (), lambda time: True)
    begin, end = 118_500, 341_200
    check(options, "interval", ("--from", f"{(begin - first) / 1e9:.9f}", "--to", f"{(end - first) / 1e9:.9f}"),
          lambda time: begin < time <= end)
    check(options, "region", ("--roi", "step"),
          lambda time: any(10_000 < time - 100_000 * i <= 70_000 for i in range(4)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Work or speed of threads: hybrid archives whose threads have counters of their own. This program knows what each thread does between two
barriers, so it knows for each barrier of a team, and of the processes, what the last one did and what those that waited for it did. It
compares that with heddle.work.tsv, on any ranks and threads, and the words of the summary where factors are known.

usage: compare_counter_threads.py --heddle PROGRAM [--mpirun PROGRAM] --work DIR
"""
import argparse
import collections
import pathlib
import random
import shutil

import otf2
from otf2.enums import CollectiveOp, GroupType, MetricMode, MetricOccurrence, MetricType, Paradigm, RecorderKind, RegionRole, Type

from compare_counters import cause_of, compared, near, paths_of

N_THREADS = 3
MEMBERS = ("task-clock", "instructions", "cycles", "LLC-misses")
REGIONS = {"MPI_Barrier": (RegionRole.BARRIER, Paradigm.MPI), "!$omp parallel @x.c:1": (RegionRole.PARALLEL, Paradigm.OPENMP),
           "!$omp implicit barrier @x.c:9": (RegionRole.IMPLICIT_BARRIER, Paradigm.OPENMP)}
PARALLEL, BARRIER = list(REGIONS)[1:]
NOTHING = dict.fromkeys(("time", *MEMBERS), 0)


class Hybrid:
    """Rounds of work[round][process][thread] = {function: {"time": ticks, counter: value}} in a parallel region, with a barrier of the
    processes behind each. expected: {(function, process, thread, counter): [waits, own time, time of others, own, others]}."""

    def __init__(self, folder, work):
        shutil.rmtree(folder, ignore_errors=True)
        self.n, self.expected = len(work[0]), collections.defaultdict(lambda: [0, 0, 0, 0, 0])
        self.trace = otf2.writer.open(str(folder), timer_resolution=10 ** 9).__enter__()
        d = self.trace.definitions
        root = d.system_tree_node("node", "node")
        groups = [d.location_group(f"MPI Rank {i}", system_tree_parent=root) for i in range(self.n)]
        locations = [[d.location("Master thread" if t == 0 else f"OMP thread {t}", group=group) for t in range(N_THREADS)] for group in groups]
        masters = tuple(threads[0] for threads in locations)
        d.group("", GroupType.COMM_LOCATIONS, Paradigm.MPI, members=masters)
        self.world = d.comm("MPI_COMM_WORLD", group=d.group("", GroupType.COMM_GROUP, Paradigm.MPI, members=masters))
        d.group("", GroupType.COMM_LOCATIONS, Paradigm.OPENMP, members=tuple(location for threads in locations for location in threads))
        self.teams = [d.comm("", group=d.group("", GroupType.COMM_GROUP, Paradigm.OPENMP, members=tuple(threads))) for threads in locations]
        members = tuple(d.metric_member(name, "", MetricType.OTHER, MetricMode.ACCUMULATED_START, Type.UINT64, unit="#") for name in MEMBERS)
        self.metrics = d.metric_class(members=members, occurrence=MetricOccurrence.SYNCHRONOUS_STRICT, recorder_kind=RecorderKind.CPU)
        self.regions = {}
        self.writers = [[self.trace.event_writer_from_location(location) for location in threads] for threads in locations]
        self.values = [[dict.fromkeys(MEMBERS, 100 * t) for t in range(N_THREADS)] for _ in range(self.n)]
        self.write(work)
        self.trace.close()

    def region(self, name):
        if name not in self.regions:
            role, paradigm = REGIONS.get(name, (RegionRole.FUNCTION, Paradigm.USER))
            self.regions[name] = self.trace.definitions.region(name, region_role=role, paradigm=paradigm)
        return self.regions[name]

    def at(self, process, thread, time, kind, name):
        """An enter or a leave, with the values before it."""
        writer, values = self.writers[process][thread], self.values[process][thread]
        writer.metric(time, self.metrics, [values[member] for member in MEMBERS])
        getattr(writer, kind)(time, self.region(name))

    def passed(self, process, thread):
        """In a barrier: compared with nothing."""
        for member in MEMBERS:
            self.values[process][thread][member] += 17

    def compare(self, last, waiting, own, others):
        """last, waiting: (process, thread); what they did."""
        assert last != waiting
        for name, of in own.items():
            other = others.get(name, NOTHING)
            if of["time"] > other["time"]:
                for member in MEMBERS:
                    row = self.expected[name, *last, member]
                    for i, more in enumerate((1, of["time"], other["time"], of[member], other[member])):
                        row[i] += more

    def team(self, process, time, work):
        """A parallel region from a time on. Returns when it ends."""
        threads, ends = range(N_THREADS), []
        self.writers[process][0].thread_fork(time, Paradigm.OPENMP, N_THREADS)
        for thread in threads:
            self.writers[process][thread].thread_team_begin(time, self.teams[process])
            if thread > 0:
                self.values[process][thread]["cycles"] += 1000                # between two teams: nobody's
            self.at(process, thread, time, "enter", PARALLEL)
            at = time
            for name, does in work[thread].items():
                self.at(process, thread, at, "enter", name)
                for member in MEMBERS:
                    self.values[process][thread][member] += does[member]
                at += does["time"]
                self.at(process, thread, at, "leave", name)
            self.at(process, thread, at, "enter", BARRIER)
            ends.append(at)
        last = ends.index(max(ends))
        end = ends[last] + 10
        for thread in threads:
            self.passed(process, thread)
            self.at(process, thread, end, "leave", BARRIER)
            self.at(process, thread, end, "leave", PARALLEL)
            self.writers[process][thread].thread_team_end(end, self.teams[process])
            if ends[thread] < ends[last]:
                self.compare((process, last), (process, thread), work[last], work[thread])
        self.writers[process][0].thread_join(end, Paradigm.OPENMP)
        return end

    def write(self, work):
        times = [1000] * self.n
        for process in range(self.n):
            self.at(process, 0, times[process], "enter", "main")
        for of in work:
            arrived = [self.team(process, times[process], of[process]) for process in range(self.n)]
            last = arrived.index(max(arrived))
            for process in range(self.n):
                self.at(process, 0, arrived[process], "enter", "MPI_Barrier")
                self.writers[process][0].mpi_collective_begin(arrived[process])
                self.writers[process][0].mpi_collective_end(arrived[last] + 10, CollectiveOp.BARRIER, self.world, 0, 0, 0)
                self.passed(process, 0)
                self.at(process, 0, arrived[last] + 10, "leave", "MPI_Barrier")
                if arrived[process] < arrived[last]:
                    self.compare((last, 0), (process, 0), of[last][0], of[process][0])
            times = [arrived[last] + 10] * self.n
        for process in range(self.n):
            self.at(process, 0, times[process], "leave", "main")


def check(options, name, work):
    archive = options.work / name
    expected = dict(Hybrid(archive, work).expected)
    report, table = compared(options, archive, "--counters", ",".join(MEMBERS))
    names = paths_of(report)
    found = {(names[int(path)], int(process), int(thread), counter):
             [int(waits), round(float(own_time) * 1e9), round(float(others_time) * 1e9), int(own), int(others)]
             for path, process, thread, waits, own_time, others_time, counter, own, others in table}
    found = {key: row for key, row in found.items() if key[0] not in ("main", PARALLEL)}     # they have no time
    assert found == expected, (name, [(key, found.get(key), expected.get(key)) for key in sorted(found.keys() | expected.keys())
                                      if found.get(key) != expected.get(key)][:5])
    print(f"{name}: {len(expected)} values of {len({key[1:3] for key in expected})} threads")
    return report


def check_random(options):
    """At each barrier of a team another thread may be the last one, at each of the processes another process."""
    for seed in range(4):
        draw = random.Random(seed)

        def work():
            return {name: {"time": draw.randrange(1, 10 ** draw.randrange(3, 7)), **{member: draw.randrange(10 ** 9) for member in MEMBERS}}
                    for name in draw.sample(("one", "two", "three"), draw.randrange(1, 4))}

        check(options, f"threads-{seed}", [[[work() for _ in range(N_THREADS)] for _ in range(1 + seed)] for _ in range(30)])


def check_factors(options):
    """Thread 1 of the last process makes the others of its team wait in a few rounds, in which it has more by known factors. In all other
    rounds nobody waits for it: it has less in a single process, of which threads are compared, and as much as all where processes are."""
    base = {"time": 1_000_000, "task-clock": 1_000_000, "instructions": 2_000_000, "cycles": 2_500_000, "LLC-misses": 1000}

    def work(factors):
        return {"compute": {member: round(base[member] * factors.get(member, 1)) for member in base}}

    for name, factors, ratios, words in [
            ("work", dict.fromkeys(base, 1.38), {"instructions": 1.38, "cycles": 1, "cpu_time": 1, "off_cpu": 1},
             "38 % more instructions (more work)"),
            ("cycles", {"time": 1.4, "task-clock": 1.4, "cycles": 1.4, "LLC-misses": 3.1},
             {"instructions": 1, "cycles": 1.4, "cpu_time": 1, "off_cpu": 1, "misses": 3.1},
             "40 % more cycles per instruction (slower work), 3.1 times the last-level misses; the same instructions"),
            ("clock", {"time": 1.25, "task-clock": 1.25}, {"instructions": 1, "cycles": 1, "cpu_time": 1.25, "off_cpu": 1},
             "25 % more CPU time per cycle (lower clock rate)"),
            ("cpu", {"time": 1.5, "task-clock": 0.75}, {"instructions": 1, "cycles": 1, "cpu_time": 0.75, "off_cpu": 2},
             "2.0 times the time per CPU time (off the CPU)")]:
        slow, fast, plain = work(factors), work(dict.fromkeys(base, 0.97)), work({})
        for n in (1, 2):
            rest = fast if n == 1 else plain
            rounds = [[[plain, slow if i in (3, 4, 8) and p == n - 1 else rest, plain] for p in range(n)] for i in range(12)]
            report = check(options, f"threads-{name}-{n}", rounds)
            cause, text = cause_of(options, report, "compute")
            assert near(cause["time"], factors["time"]) and all(near(cause[key], value) for key, value in ratios.items()), (name, n, cause)
            assert words in text, (name, n, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun")
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    check_random(options)
    check_factors(options)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures what an analysis costs and prints it as a table; docs/performance.md says what the figures mean.

usage: bench.py --build DIR --work DIR [--quick] [--only WORD]

Instructions are counted with valgrind's callgrind, so they repeat exactly. Times are those that the program itself reports, from
opening the archive to the closed report; they are compared only with times of the same run (best of several). Memory is the
largest resident size of all ranks together, less what they had when MPI was there; the median of several runs.
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from run_matrix import MPI_ENVIRONMENT, first_program  # noqa: E402

MIXED = "mixed"
SCALES = ("p16", "p256", "p4096")
CAUSES = ("p256", "p16384")  # collective operations of all processes
HURTING = ("callpaths", "communicators", "imbalanced", "waitall", "rma")
REAL = ("amg-8", "sweep3d-16", "npb-sp-S-16", "minife-4x2")
# Instructions / those of the baseline: everything, without causes. The first one is what was wanted; the others are half of what they were
# when the OTF2 library read the events.
GOALS = {MIXED: (1.2, 0.75), "callpaths": (1.74, 0.98), "communicators": (1.74, 0.94), "imbalanced": (1.09, 0.75), "waitall": (1.15, 0.92),
         "rma": (1.66, 1.17), "omp 1x64": (1.63, 1.0), "omp 4x64": (1.56, 0.97), "omp 256x1": (1.31, 0.99),
         "amg-8": (1.35, 1.0), "sweep3d-16": (1.69, 0.94), "npb-sp-S-16": (1.74, 0.98), "minife-4x2": (1.11, 0.97)}
SERIES = ("sweep3d-16", "npb-bt-S-9")  # archives in which a loop is found
SERIES_MOST = 5  # [%] that time series, the search for a loop, and efficiencies of windows and iterations may take
WITHOUT_CAUSES = ("--no-delay", "--no-critical-path")
REPEATS = 5
SIMULATED = ((1, 0.5), (8, 1.0), (64, 6.0))  # hypotheses, goal
SIMULATED_EVENTS = 200_000
SMALL_EVENTS = 300_000
# Processes x threads; the same number of events in each.
THREADS = ((1, 64), (4, 64), (256, 1))
THREAD_EVENTS = 3_000_000


class Bench:
    def __init__(self, options):
        self.build, self.work = pathlib.Path(options.build).resolve(), pathlib.Path(options.work).resolve()
        self.quick, self.only = options.quick, options.only
        self.heddle, self.baseline = self.build / "heddle", self.build / "tests" / "bench" / "read_baseline"
        self.mpirun = first_program("mpirun.openmpi", "mpirun")
        self.work.mkdir(parents=True, exist_ok=True)
        self.misses = 0

    def run(self, command, codes=(0, 3)):
        environment = dict(os.environ, **MPI_ENVIRONMENT)
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment,
                              stdin=subprocess.DEVNULL)
        if done.returncode not in codes:
            sys.exit(f"bench: exit code {done.returncode} of {' '.join(map(str, command))}\n{done.stderr}")
        return done.stdout + done.stderr

    def compile(self, writer, *more):
        self.run(["cmake", "--build", self.build, "--target", "heddle", writer, *more])
        self.writer = next(path for path in self.build.rglob(writer) if path.is_file() and os.access(path, os.X_OK))

    def archive_of_threads(self, processes, threads):
        folder = self.work / f"threads-{processes}x{threads}"
        if not (folder / "traces.otf2").exists():
            shutil.rmtree(folder, ignore_errors=True)
            self.run([self.writer.parent / "tw_bench_threads", folder, processes, threads, THREAD_EVENTS])
        return folder / "traces.otf2"

    def archive(self, kind, name=None, *options):
        """The anchor of a synthetic archive, made when it is not there yet. name: of its folder."""
        folder = self.work / (name or kind)
        anchor = next(iter(folder.glob("*.otf2")), None)
        if anchor is None:
            shutil.rmtree(folder, ignore_errors=True)
            self.run([self.writer, kind, folder, *options])
            anchor = next(folder.glob("*.otf2"))
        return anchor

    def small_mixed(self, name, *options):
        return self.archive(MIXED, name, "--events", SMALL_EVENTS, "--processes", 4, *options)

    def analyze_command(self, anchor, ranks=1, threads=1):
        command = [] if ranks == 1 else [self.mpirun, "-n", ranks]
        return command + [self.heddle, "analyze", anchor, "-o", self.work / "bench.cubex", "--force", "--no-summary",
                          "--verbose", "--threads", threads]

    def analyze(self, anchor, ranks=1, threads=1):
        """{name: number} of what the program says about itself."""
        output = self.run(self.analyze_command(anchor, ranks, threads))
        return {name: float(value) for name, value in re.findall(r"\b(\w+)=([0-9.]+)", output)}

    def instructions(self, command, codes=(0, 3), inside=None):
        """inside: a function; only what it and what it calls takes."""
        counts = self.work / "callgrind.out"
        only = [f"--toggle-collect={inside}"] if inside else []
        self.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", *only, *command], codes)
        total = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(errors="replace"), re.M)
        return int(total[1])

    def simulation(self):
        """Instructions of the passes alone, and of the simulation with its model / those of an analysis without causes: without what is
        spent before MPI runs, and before an archive is loaded. Of a hypothesis that selects nothing it is said when the archive is loaded."""
        anchor = self.archive(SCALES[0], "simulation", "--events", SIMULATED_EVENTS)
        command = [self.heddle, "simulate", "--quiet", "--threads", 1]
        start = self.instructions([*command, self.work / "no-archive", "--what-if", "none"], (1, 2))
        load = self.instructions([*command, anchor, "--what-if", "scale no-such-region 2"], (1, 2))
        analysis = self.instructions(self.analyze_command(anchor) + list(WITHOUT_CAUSES)) - start
        for n, goal in SIMULATED:
            words = [word for i in range(n) for word in ("--what-if", f"scale main 1/{i + 2}")]
            passes = self.instructions([*command, anchor, *words], inside="hd_analyze_simulate")
            self.row(f"passes of {n} hypotheses / analysis without causes", SCALES[0], passes / analysis, "<=", goal)
            self.row(f"simulation of {n} hypotheses / analysis without causes", SCALES[0],
                     (self.instructions([*command, anchor, *words]) - load) / analysis, "<=", goal)

    def counters(self):
        """Instructions of loading an archive with values of 4 counters before each enter and leave / of the same without counting them."""
        anchor = self.small_mixed("counters", "--counters", 4)
        for name, options, goal in (("load with counters / without counting", WITHOUT_CAUSES, 1.3), ("the same with causes", (), 1.3)):
            command = self.analyze_command(anchor) + list(options)
            costs = [self.instructions([*command, *more], inside="hd_analyze_load") for more in ((), ("--counters", "none"))]
            self.row(name, "4 counters", costs[0] / costs[1], "<=", goal)

    def series(self, name, anchor):
        """What is on by default beside the rest of the analysis: in percent of that; the part of the loop that is found."""
        command = self.analyze_command(anchor)
        whole, no_loop, none = (self.instructions(command + more) for more in ([], ["--iterations", "none"], ["--no-series"]))
        self.row("series and efficiencies over time / the rest [%]", name, 100 * (whole / none - 1), "<=", SERIES_MOST)
        print(f"of it a loop that is found {100 * (whole - no_loop) / none:.2f}, windows {100 * (no_loop / none - 1):.2f}")

    def seconds(self, anchor, ranks, threads):
        return min(self.analyze(anchor, ranks, threads)["seconds"] for _ in range(1 if self.quick else REPEATS))

    def row(self, figure, archive, value, relation, goal):
        good = value <= goal if relation == "<=" else value >= goal
        self.misses += not good
        print(f"{figure:<58} {archive:<14} {value:8.2f}   {relation} {goal:<4} {'' if good else 'MISSED'}", flush=True)

    def wants(self, word):
        return self.only is None or self.only in word

    def cost(self, anchor, *options):
        """The whole program, MPI's start included."""
        return self.instructions(self.analyze_command(anchor) + list(options)) / self.instructions([self.baseline, anchor])

    def memory(self, name, anchor):
        """The median of several runs: where the system puts pages differs."""
        used = []
        for _ in range(1 if self.quick else REPEATS):
            said = self.analyze(anchor)
            used.append((said["memory_peak_bytes"] - said["memory_start_bytes"]) / said["archive_bytes"])
        self.row("peak memory beyond MPI's start / archive", name, statistics.median(used), "<=", 1.0)

    def calls(self, ranks, mode, recorded, *options):
        """{what: ns}, and the seconds of the whole program"""
        folder = self.work / "recording"
        shutil.rmtree(folder, ignore_errors=True)
        program = self.build / "tests" / "bench" / "record_calls"
        before = [self.heddle, "record", "--keep-raw", "-o", folder, *options, "--"] if recorded else []
        begin, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        said = self.run([self.mpirun, "-n", ranks, *before, program, mode])
        run, now = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        return {**{name: float(ns) for name, ns in re.findall(r"^(\S+) ([\d.]+)$", said, re.M)}, "run": run,
                "processors": now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime}

    def pairs(self, ranks, mode):
        """Alternating runs: the median of each: without recording, with it, and with a profile."""
        runs = [(self.calls(ranks, mode, False), self.calls(ranks, mode, True), self.calls(ranks, mode, True, "--profile")) for _ in range(1 if self.quick else 9)]
        return {name: [statistics.median(run[i][name] for run in runs) for i in (0, 1, 2)] for name in runs[0][0]}

    def recording(self):
        self.run(["cmake", "--build", self.build, "--target", "heddle", "heddle-record-openmpi", "record_calls"])
        one, two, locks = self.pairs(1, "self"), self.pairs(2, "pair"), self.pairs(1, "locks")
        functions = self.pairs(1, "functions")
        added = {name: after - before for found in (one, two, locks, functions) for name, (before, after, _) in found.items()}
        of_profile = {name: after - before for found in (one, two, locks, functions) for name, (before, _, after) in found.items()}
        print("ns without recording, with it, with a profile: " + ", ".join(f"{name} {a:.0f} {b:.0f} {c:.0f}" for found in (one, two, locks, functions) for name, (a, b, c) in found.items() if name not in ("run", "processors")))
        self.row("record: ns added to MPI_Allreduce on MPI_COMM_SELF", "self", added["allreduce"], "<=", 60)
        self.row("record: ns of each record of a message to itself", "self", added["message"] / 8, "<=", 25)
        self.row("record: ns added to a test that finds nothing", "self", added["test"], "<=", 20)
        self.row("record: ns added to the latency of 1 byte", "pair", added["ping-pong"] / 2, "<=", 150)
        self.row("record: ns of each record of a mutex that is free", "locks", added["first-locks"] / 6, "<=", 20)
        self.row("record: a mutex that is free, after 100,000 / not recorded", "locks", locks["locks"][1] / locks["locks"][0], "<=", 2)
        self.row("record --profile: cost of a trace, MPI_Allreduce on MPI_COMM_SELF", "self", of_profile["allreduce"] / added["allreduce"], "<=", 1)
        self.row("record --profile: cost of a trace, a message to itself", "self", of_profile["message"] / added["message"], "<=", 1)
        self.row("record: ns added to an instrumented function", "functions", added["function"], "<=", 30)
        self.row("record --profile: cost of a trace, an instrumented function", "functions", of_profile["function"] / added["function"], "<=", 1.5)
        self.row("record --profile: cost of a trace, a mutex that is free", "locks", of_profile["first-locks"] / added["first-locks"], "<=", 1)
        for ranks in 1, 2, 4:
            none = self.pairs(ranks, "none")
            for name, kind in ("run", "ms"), ("processors", "ms of processors"):
                self.row(f"record: {kind} added to begin and end of {ranks} process{'es' if ranks > 1 else ''}", "none", 1000 * (none[name][1] - none[name][0]), "<=", 50)
        self.calls(1, "self", True)
        times = []
        for _ in range(1 if self.quick else REPEATS):
            again = self.work / "finishing"
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(self.work / "recording" / "raw", again / "raw")
            begin = time.monotonic()
            said = self.run([self.heddle, "record", "--finish", again])
            times.append((time.monotonic() - begin) / int(re.search(r"([\d,]+) events", said).group(1).replace(",", "")) * 1e9)
        self.row("record: ns of finishing per event", "self", min(times), "<=", 75)

    def measure(self):
        archives = [(kind, lambda kind=kind: self.archive(kind)) for kind in (MIXED, *HURTING)]
        shared = ROOT.parent / "shared" / "traces"
        archives += [(name, lambda name=name: shared / name / "traces.otf2") for name in REAL if (shared / name).exists()]
        for name, anchor in archives:
            if self.wants("instructions"):
                self.row("instructions, 1 x 1 / baseline", name, self.cost(anchor()), "<=", GOALS[name][0])
                self.row("the same without causes", name, self.cost(anchor(), *WITHOUT_CAUSES), "<=", GOALS[name][1])
            if self.wants("memory"):
                self.memory(name, anchor())
        if self.wants("series"):
            self.series(MIXED, self.small_mixed("series"))
            for name in SERIES:
                if (shared / name).exists():
                    self.series(name, shared / name / "traces.otf2")
        if self.wants("time"):
            anchor = self.archive(MIXED)
            one, threads, ranks = (self.seconds(anchor, *shape) for shape in ((1, 1), (1, 2), (2, 1)))
            print(f"seconds: 1 x 1 {one:.3f}, 1 x 2 {threads:.3f}, 2 x 1 {ranks:.3f}")
            self.row("time 1 x 1 / 1 x 2", MIXED, one / threads, ">=", 1.7)
            self.row("time 2 x 1 / 1 x 2", MIXED, ranks / threads, "<=", 1.3)
            anchor = self.archive("pingpong")
            self.row("time 1 x 2 / 1 x 1", "pingpong", self.seconds(anchor, 1, 2) / self.seconds(anchor, 1, 1), "<=", 1.3)
        if self.wants("threads"):
            costs = {shape: self.cost(self.archive_of_threads(*shape), *WITHOUT_CAUSES) for shape in THREADS}
            for (processes, threads), cost in costs.items():
                name, anchor = f"omp {processes}x{threads}", self.archive_of_threads(processes, threads)
                self.row("instructions, 1 x 1 / baseline", name, self.cost(anchor), "<=", GOALS[name][0])
                self.row("the same without causes", name, cost, "<=", GOALS[name][1])
                self.memory(name, anchor)
            for shape in THREADS[:-1]:
                self.row("cost per event / that of 256 x 1", f"omp {shape[0]}x{shape[1]}", costs[shape] / costs[THREADS[-1]], "<=", 1.5)
        if self.wants("causes"):
            costs = {}
            for kind in CAUSES:
                commands = [self.analyze_command(self.archive(kind)), self.analyze_command(self.archive(kind)) + list(WITHOUT_CAUSES)]
                whole, without = map(self.instructions, commands)
                costs[kind] = (whole - without) / self.analyze(self.archive(kind))["events"]
            print("instructions of causes per event: " + ", ".join(f"{kind} {cost:.0f}" for kind, cost in costs.items()))
            self.row("causes per event, 16,384 processes / 256", "256, 16384", costs[CAUSES[1]] / costs[CAUSES[0]], "<=", 4)
        if self.wants("simulation"):
            self.simulation()
        if self.wants("counters"):
            self.counters()
        if self.wants("record") and self.mpirun:
            self.recording()
        if self.wants("scale"):
            costs = {kind: self.cost(self.archive(kind)) for kind in SCALES}
            print("instructions / baseline: " + ", ".join(f"{kind} {cost:.2f}" for kind, cost in costs.items()))
            self.row("cost per event, largest / smallest", "16..4096", max(costs.values()) / min(costs.values()), "<=", 1.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--quick", action="store_true", help="times once instead of the best of several")
    parser.add_argument("--only", metavar="WORD", help="instructions, memory, series, time, threads, causes, simulation, counters, record or scale")
    bench = Bench(parser.parse_args())
    bench.compile("tw_bench", "tw_bench_threads", "read_baseline")
    bench.measure()
    print(f"{bench.misses} goals missed" if bench.misses else "all goals reached")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""POP's published formulas on an archive, as one would work them out with a pocket calculator, against heddle efficiency,
and the process that is outside of MPI least.

usage: pop_by_hand.py HEDDLE ARCHIVE.otf2...

For programs whose threads are in one team at a time, and in no tasks: docs/studies/efficiency.md. The table of each process and
thread, and the factors, are printed. Exit status: 1, a factor differs by more than 1e-9.
"""
import json
import os
import subprocess
import sys
import tempfile

import otf2
from otf2 import events
from otf2.enums import Paradigm, RegionRole

PARTS = ("useful", "MPI", "OpenMP")


def part_of(stack, depth, is_first):
    """What a thread does: its innermost region says it. depth: of the stack where a team was made, None: no team."""
    if depth == len(stack):
        return "OpenMP"
    if not stack:
        return "useful" if is_first else None
    region = stack[-1]
    if region.paradigm == Paradigm.MPI:
        return "MPI"
    return "OpenMP" if region.paradigm == Paradigm.OPENMP and region.region_role not in (RegionRole.PARALLEL, RegionRole.LOOP) else "useful"


def read(path):
    """Intervals of each thread, (from, to, part); the main window in ticks; ticks of a second."""
    intervals, since, stacks, depths, begins, ends, first = {}, {}, {}, {}, [], [], {}
    with otf2.reader.open(path) as trace:
        for location in trace.definitions.locations:
            first.setdefault(location.group, location)
        for location, event in trace.events:
            stack = stacks.setdefault(location, [])
            if location in since:
                part = part_of(stack, depths.get(location), first[location.group] == location)
                intervals.setdefault(location, []).append((since[location], event.time, part))
            since[location] = event.time
            if isinstance(event, events.Enter):
                stack.append(event.region)
                if event.region.name == "MPI_Finalize":
                    ends.append(event.time)
            elif isinstance(event, events.Leave):
                if stack.pop().name in ("MPI_Init", "MPI_Init_thread"):
                    begins.append(event.time)
            elif isinstance(event, events.ThreadFork):
                depths[location] = len(stack)
            elif isinstance(event, events.ThreadJoin):
                depths[location] = None
        return intervals, min(begins), max(ends), trace.timer_resolution


def mean(values):
    return sum(values) / len(values)


def work_out(path):
    intervals, begin, end, resolution = read(path)
    processes = {}
    for location in sorted(intervals, key=lambda each: (each.group.name, each.name)):
        sums = dict.fromkeys(PARTS, 0)
        for start, stop, part in intervals[location]:
            if part is not None:
                sums[part] += max(0, min(stop, end) - max(start, begin))
        processes.setdefault(location.group.name, []).append(sums)
        print(f"  {location.group.name:12} {location.name:14} " + " ".join(f"{part} {1e3 * sums[part] / resolution:9.3f} ms " for part in PARTS))
    runtime = end - begin
    useful = [sums["useful"] for threads in processes.values() for sums in threads]
    outside = [runtime - threads[0]["MPI"] for threads in processes.values()]
    loser = min(range(len(outside)), key=outside.__getitem__)
    factors = {"runtime": runtime / resolution, "parallel": mean(useful) / runtime, "load_balance": mean(useful) / max(useful), "communication": max(useful) / runtime}
    if len(useful) > len(outside):
        factors.update(mpi_parallel=mean(outside) / runtime, mpi_load_balance=mean(outside) / max(outside), mpi_communication=max(outside) / runtime,
                       openmp_parallel=mean(useful) / mean(outside), process_outside_least=loser,
                       outside_less=(max(outside) - outside[loser]) / resolution)
    return factors


def heddle_factors(heddle, path):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "r.cubex")
        subprocess.run([heddle, "analyze", "--quiet", "--no-summary", path, "-o", report], check=True)
        document = json.loads(subprocess.run([heddle, "efficiency", report, "--json"], check=True, capture_output=True).stdout)
    main = document["main"]
    for loss in document["losses"]:
        if loss["id"] == "mpi_load_balance":
            main.update(process_outside_least=loss["process"], outside_less=loss["lost"])
    for model, values in (main["hybrid"] or {}).items():
        main.update({f"{model}_{key}": value for key, value in values.items()})
    return main


def main():
    heddle, *archives = sys.argv[1:]
    wrong = 0
    for path in archives:
        print(path)
        of_heddle = heddle_factors(heddle, path)
        for key, value in work_out(path).items():
            is_equal = abs(value - of_heddle[key]) <= 1e-9
            wrong += not is_equal
            print(f"  {key:20} {value:.9f} {of_heddle[key]:.9f} {'' if is_equal else 'differs'}")
    sys.exit(wrong > 0 or not archives)


if __name__ == "__main__":
    main()

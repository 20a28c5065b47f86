#!/usr/bin/env python3
"""--from, --to and --roi report a part of the run (docs/metrics.md#interval).

usage: test_interval.py --openmpi|--mpich HEDDLE --work DIR [--parts N] ARCHIVE...

Of each archive:
  1. a part that holds the whole run has all values and causes of the run, to the last digit
  2. parts that follow each other: the exclusive time, but for that of idle threads, and the critical path of each call path and thread
     add up to those of the run; visits, counts, bytes and waiting times to no more
  3. each part has the invariants (docs/architecture.md#invariants), and the same values on other numbers of ranks and threads
  4. so have regions of interest, with --clock=clc and --memory-limit, too; in processes of one thread the region has all values of the run
"""
import argparse
import pathlib
import re
import sys
import tarfile
import xml.etree.ElementTree

import compare_reference
from run_matrix import CAUSED, Archive, Build, Failure, check_causes, check_costs, check_invariants, metric_kinds, metric_parents, parse_causes, run
from runner import few, ways

BORDERS = (0.11, 0.3, 0.37, 0.52, 0.66, 0.8, 0.93)
COUNTED = re.compile(r"(visits|syncs|comms|bytes|mpi|pthread)(_.*)?$")  # with calls


def length_of(build, anchor):
    """Seconds, as printed."""
    code, output, errors = run([build.heddle, "info", str(anchor)])
    found = re.search(r"^length +([\d.]+) s$", output, re.M)
    if code != 0 or not found:
        raise Failure(f"heddle info: {code} {errors}")
    return float(found[1])


def attributes(report):
    with tarfile.open(report) as archive:
        root = xml.etree.ElementTree.fromstring(archive.extractfile("anchor.xml").read())
    return {row.get("key"): row.get("value") for row in root.findall("attr")}


def analyze(build, archive, work, ranks, threads, placement, *options):
    """Values as text, tables of causes, attributes of the report."""
    report = work / "part.cubex"
    build.analyze(archive.anchor, report, ranks, threads, placement, *options)
    return build.dump(report, work / "part.tsv"), build.causes(report), attributes(report), report


def check_whole(build, archive, work, text, tables):
    for options in (("--from=0", "--to=1000000"), ("--from=0s",), ("--from=0", "--to", "END")):
        again, causes, attrs, _ = analyze(build, archive, work, 1, 2, "cyclic", *options)
        if again != text:
            found, _ = compare_reference.differences(compare_reference.load(str(work / "part.tsv")),
                                                     compare_reference.load(str(work / "whole.tsv")), tick=0.0)
            raise Failure(f"{options}: {len(found)} other values than those of the run\n" + "\n".join(compare_reference.words(found)))
        if causes != tables:
            raise Failure(f"{options}: other causes than those of the run")
        if ("Heddle::From" in attrs) != ("--to=1000000" in options):
            raise Failure(f"{options}: {attrs}")


def additive(values):
    """Times without those of idle threads, and the critical path."""
    sums = {}
    for (metric, *place), value in values.items():
        if metric == "critical_path":
            sums[metric, *place] = value
        elif metric == "time" or metric == "omp_idle_threads":
            sums["time", *place] = sums.get(("time", *place), 0.0) + (value if metric == "time" else -value)
    return sums


def check_sums(parts, whole, what):
    """Every place of the whole: equal to the sum of the parts."""
    for key in set(whole).union(*parts):
        got, expected = sum(part.get(key, 0.0) for part in parts), whole.get(key, 0.0)
        if abs(got - expected) > 1e-9 * abs(expected) + (1e-8 if key[0] == "critical_path" else 1e-10):
            raise Failure(f"{what} {key}: the parts add up to {got:.12g}, the run has {expected:.12g}")


def check_counted(parts, whole, kinds):
    """What calls are counted with: no more than in the run."""
    for key, value in whole.items():
        if kinds.get(key[0], ("S", ""))[0] != "R" or not COUNTED.match(key[0]):
            continue
        got = sum(part.get(key, 0.0) for part in parts)
        if got > value + 1e-9 * abs(value) + 1e-10:
            raise Failure(f"{key}: the parts add up to {got:.12g}, the run has {value:.12g}")


def check_part(build, archive, work, options, kinds, limits=((), )):
    """The values, which have the invariants and are the same on all ranks and threads; limits: options that change nothing."""
    part, causes, attrs, report = analyze(build, archive, work, 1, 1, "block", *options)
    values = compare_reference.load(str(work / "part.tsv"))
    try:
        check_invariants(values, metric_parents(report), kinds)
        check_costs(values)
        check_causes(values, *map(parse_causes, causes))
    except Failure as failure:
        raise Failure(f"{' '.join(options)}: {failure}")
    for ranks, threads, placement in ways(((1, 3, "cyclic"), (3, 1, "node"), (2, 2, "block"))):
        for more in limits:
            if ranks <= archive.processes and analyze(build, archive, work, ranks, threads, placement, *options, *more)[:2] != (part, causes):
                raise Failure(f"{options}: other values on {ranks} x {threads}, {placement} {more}")
    return values, attrs


ARTIFICIAL = {"THREADS", "TASKS", "MEASUREMENT OFF", "TRACE BUFFER FLUSH"}  # of Heddle, not of the archive
WAITS = {wait for waits in CAUSED.values() for wait in waits}


def regions_of(whole):
    """Regions that have call paths below them, those with the most visits first, but the outermost ones."""
    visits = {}
    for (metric, path, *_), value in whole.items():
        names = path.split(";")
        if metric == "visits" and len(names) > 2:
            for name in set(names[1:-1]):
                visits[name] = visits.get(name, 0.0) + value * (names[-1] == name or 1e-6)
    return sorted(visits, key=lambda name: (-visits[name], name))


def check_regions(build, archive, work, whole, kinds):
    regions = [name for name in regions_of(whole) if ":" not in name and "!" not in name and name not in ARTIFICIAL][:3]
    groups = [(name,) for name in regions[:2]] + [tuple(regions[1:])] * (len(regions) == 3)
    for names in groups:
        options = [word for name in names for word in ("--roi", name)]
        values, attrs = check_part(build, archive, work, options, kinds, ((), ("--memory-limit", "1M")))
        if "Heddle::Region" not in attrs or "Heddle::RegionShare" not in attrs:
            raise Failure(f"{options}: not said in the report: {attrs}")
        if any(thread > 0 for _, _, _, thread in whole):
            continue
        for key, value in whole.items():
            if (key[0] in ("time", "visits") or key[0] in WAITS or key[0].startswith("bytes_")) and set(key[1].split(";")) & set(names):
                if abs(values.get(key, 0.0) - value) > 1e-9 * abs(value):
                    raise Failure(f"{options}: {key} is {values.get(key, 0.0):.12g}, {value:.12g} in the run")
    if groups:
        check_part(build, archive, work, ("--roi", regions[0], "--clock=clc"), kinds)
    return f"{len(groups)} groups of regions"


def check(build, archive, work, n_parts):
    length, kinds = length_of(build, archive.anchor), metric_kinds()
    build.analyze(archive.anchor, work / "whole.cubex", 1, 1)
    text = build.dump(work / "whole.cubex", work / "whole.tsv")
    whole = compare_reference.load(str(work / "whole.tsv"))
    check_whole(build, archive, work, text, build.causes(work / "whole.cubex"))
    borders = ["0"] + [f"{length * border * 1e6:.3f}us" for border in BORDERS[:n_parts - 1]] + ["END"]
    parts = []
    for begin, end in zip(borders, borders[1:]):
        options = ("--from", begin, "--to", end)
        values, attrs = check_part(build, archive, work, options, kinds)
        if {"Heddle::From", "Heddle::To"} - set(attrs):
            raise Failure(f"{options}: not said in the report: {attrs}")
        parts.append(values)
    check_sums([additive(part) for part in parts], additive(whole), "additive:")
    check_counted(parts, whole, kinds)
    return f"{len(parts)} parts, " + check_regions(build, archive, work, whole, kinds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--openmpi", metavar="HEDDLE")
    parser.add_argument("--mpich", metavar="HEDDLE")
    parser.add_argument("--work", required=True)
    parser.add_argument("--parts", type=int, default=4)
    options = parser.parse_args()
    build = Build("openmpi", options.openmpi) if options.openmpi else Build("mpich", options.mpich)
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    failed = 0
    for folder in few(options.archives):
        archive = Archive(pathlib.Path(folder).resolve())
        try:
            print("ok   ", archive.name, check(build, archive, work, options.parts), flush=True)
        except Failure as failure:
            failed += 1
            print("FAIL ", archive.name, failure, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""--no-delay and --no-critical-path leave out their own metrics, and change no other value.

usage: test_left_out.py --openmpi|--mpich HEDDLE --work DIR ARCHIVE...
"""
import argparse
import pathlib
import sys
import tarfile
import xml.etree.ElementTree

import compare_reference
from run_matrix import Archive, Build, Failure, metric_parents
from runner import few, ways

DELAY = {"delay", "delay_unattributed", "waitstates_propagating_vs_terminal", "waitstates_direct_vs_indirect"}
CRITICAL_PATH = {"critical_path", "performance_impact"}
LEFT_OUT = {
    ("--no-delay",): (DELAY, "delay costs"),
    ("--no-critical-path",): (CRITICAL_PATH, "critical path"),
    ("--no-delay", "--no-critical-path"): (DELAY | CRITICAL_PATH, "delay costs, critical path"),
}


def root_of(metric, parents):
    while parents[metric] is not None:
        metric = parents[metric]
    return metric


def is_left_out(metric, parents, roots):
    root = root_of(metric, parents)
    return root in roots or ("delay" in roots and root.startswith("delay_"))


def left_out(report):
    """What the report says of itself."""
    with tarfile.open(report) as archive:
        root = xml.etree.ElementTree.fromstring(archive.extractfile("anchor.xml").read())
    return next((row.get("value") for row in root.findall("attr") if row.get("key") == "Heddle::LeftOut"), None)


def analyze(build, archive, work, ranks, threads, options):
    report = work / "r.cubex"
    build.analyze(archive.anchor, report, ranks, threads, "cyclic", *options)
    build.dump(report, work / "r.tsv")
    return compare_reference.load(str(work / "r.tsv")), metric_parents(report), left_out(report)


def check(build, archive, work, compat):
    values, parents, said = analyze(build, archive, work, 1, 2, compat)
    if said is not None:
        raise Failure(f"nothing was left out, but the report says {said}")
    present = {root_of(key[0], parents) for key in values}
    if not DELAY | CRITICAL_PATH <= present | {"delay_unattributed"}:
        raise Failure(f"there is nothing to leave out in {archive.name}: {sorted(present)}")
    for options, (roots, words) in LEFT_OUT.items():
        expected = {key: value for key, value in values.items() if not is_left_out(key[0], parents, roots)}
        for ranks, threads in ways(((1, 1), (2, 2))):
            found, tree, said = analyze(build, archive, work, ranks, threads, (*compat, *options))
            if tree != parents:
                raise Failure(f"other metrics in the report with {options}")
            if said != words:
                raise Failure(f"the report says that {said} was left out with {options}")
            wrong, _ = compare_reference.differences(found, expected, tick=0.0)
            if wrong:
                lines = "\n".join(compare_reference.words(wrong))
                raise Failure(f"with {options}, {ranks} x {threads}, {len(wrong)} values differ\n{lines}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--openmpi", metavar="HEDDLE")
    parser.add_argument("--mpich", metavar="HEDDLE")
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    build = Build("openmpi", options.openmpi) if options.openmpi else Build("mpich", options.mpich)
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    failed = 0
    for folder in few(options.archives):
        archive = Archive(pathlib.Path(folder).resolve())
        for compat in ((), ("--compat=scout26",)):
            try:
                check(build, archive, work, compat)
                print("ok   ", archive.name, *compat, flush=True)
            except Failure as failure:
                failed += 1
                print("FAIL ", archive.name, *compat, failure, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""--clock clc and --clock-report: nothing is received before it was sent any more, whatever the number of ranks and threads, and times
between records change by no more than docs/metrics.md#clocks says.

usage: test_clocks.py --heddle PROGRAM --mpirun PROGRAM --random PROGRAM --work DIR ARCHIVE...
"""
import argparse
import csv
import os
import pathlib
import shutil
import subprocess

from run_matrix import MPI_ENVIRONMENT

KINDS = ("p2p", "collective", "rma", "openmp")
SEEDS = (("", 1), ("", 7), ("", 12), ("", 26), ("threads", 2), ("threads", 25), ("rma", 3))
FADES_IN = 100000
LENGTH, TICK = 60, 1e-6  # [s] of the archives here, at most


def analyze(options, archive, name, ranks, *arguments):
    report = pathlib.Path(options.work) / f"{name}.cubex"
    command = [options.mpirun, "-n", str(ranks)] if ranks > 1 else []
    command += [options.heddle, "analyze", str(archive), "--quiet", "--force", "-o", str(report), "--clock-report", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, **MPI_ENVIRONMENT), timeout=60,
                          stdin=subprocess.DEVNULL)
    assert done.returncode in (0, 3), f"{' '.join(command)}: {done.returncode}\n{done.stderr}"
    with open(report.with_suffix(".clocks.tsv"), newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    findings = report.with_suffix(".findings.tsv")
    clocks = sum(line.startswith("clock-") for line in findings.read_text().splitlines()) if findings.exists() else 0
    dump = subprocess.run([options.heddle, "dump", str(report)], capture_output=True, text=True, check=True).stdout
    measured = [line for line in dump.splitlines() if not line.startswith(("delay", "critical", "imbalance", "performance", "inter", "non_crit"))]
    return rows, clocks, measured


def count(rows, what):
    return sum(int(row[f"{kind}_{what}"]) for row in rows for kind in KINDS)


def check(options, archive, name):
    linear, n_found, _ = analyze(options, archive, name, 1, "--threads=1")
    first, n_left, values = analyze(options, archive, name, 1, "--threads=1", "--clock=clc")
    before = count(linear, "before")
    assert before == count(first, "before") and count(linear, "checked") == count(first, "checked")
    assert (n_found > 0) <= (before > 0), f"{name}: {n_found} findings, and no violation"
    assert count(first, "after") == 0 and n_left == 0, f"{name}: {count(first, 'after')} violations, {n_left} findings are left"
    for row in first:
        assert float(row["largest_shrink_s"]) <= LENGTH / FADES_IN + TICK, row
        assert (int(row["moved"]) > 0) == (float(row["largest_move_s"]) > 0), row
    assert before == 0 or any(int(row["moved"]) > 0 for row in first)
    for ranks, threads, placement in ((1, 3, "cyclic"), (3, 1, "block"), (2, 2, "cyclic")):
        again, _, same = analyze(options, archive, f"{name}-{ranks}x{threads}", ranks, f"--threads={threads}",
                                    f"--placement={placement}", "--clock=clc")
        assert again == first and same == values, f"{name}: {ranks} x {threads} differs"
    return before


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "mpirun", "random", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("archives", nargs="*")
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    pathlib.Path(options.work).mkdir(parents=True)
    before = 0
    for kind, seed in SEEDS:
        archive = pathlib.Path(options.work) / f"random-{kind}{seed}"
        subprocess.run([options.random, str(seed), str(archive)] + ([kind] if kind else []), check=True)
        before += check(options, archive, f"r-{kind}{seed}")
    assert before > 100, f"the archives have only {before} violations"
    for archive in options.archives:
        check(options, archive, pathlib.Path(archive).name)
    print(f"{before} violations in {len(SEEDS)} random programs")


main()

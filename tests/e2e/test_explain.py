#!/usr/bin/env python3
"""heddle explain and heddle metrics; file and line of call paths in text and JSON.

usage: test_explain.py --heddle PROGRAM --work DIR
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

DATA = ROOT / "tests/data"


def run(options, *arguments, code=0, word=""):
    done = subprocess.run([options.heddle, *map(str, arguments)], capture_output=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
    errors = done.stderr.decode()
    assert done.returncode == code and word in errors, f"{arguments}: exit code {done.returncode}: {errors}"
    return done.stdout.decode()


def check_explain(options):
    rows = [line.split("\t") for line in run(options, "metrics", "--all", "--tsv").splitlines()]
    ids = {row[0]: row for row in rows[1:]}
    assert rows[0] == ["id", "parent", "name", "unit", "what"] and len(ids) > 200
    assert all(row[1] == "" or row[1] in ids for row in rows[1:]), "a parent that is not listed"
    by_id = run(options, "explain", "mpi_latesender")
    for part in ("Late Sender (mpi_latesender)", "Typical reasons", "What to do", "Geimer 2009: M. Geimer", "docs/metrics.md#mpi_latesender"):
        assert part in by_id, part
    for words in (["Late Sender"], ["late", "sender"], ["LATE SENDER"]):
        text = run(options, "explain", *words)
        assert text.startswith(by_id) and "Other metrics of this name" in text, words
    assert run(options, "explain", "Wait at Barrier (OpenMP, implicit)") == run(options, "explain", "omp_ibarrier_wait")
    assert "sends have no matching receive" in run(options, "explain", "Unmatched-Send")
    assert "transfer" in run(options, "explain", "communication-call-as-cause")
    assert run(options, "explain", code=2, word="needs 1 operand, METRIC|FINDING, not 0") == ""
    lost = run(options, "explain", "cut-events")
    assert "exit code" in lost and "exit code" not in run(options, "explain", "unbalanced")
    assert run(options, "explain", "late sendr", code=2, word="closest:  Late Sender") == ""
    assert run(options, "explain", "xyzzy", code=2, word="heddle metrics") == ""
    for words in (["computation_scaling"], ["Computation", "scaling"]):
        assert run(options, "explain", *words).startswith("Computation scaling (computation_scaling)\n"), words
    assert run(options, "explain", "instruction_scalin", code=2, word="closest:  instruction_scaling") == ""
    run(options, "explain", code=2, word="METRIC|FINDING")


def check_metrics(options):
    short, whole = run(options, "metrics"), run(options, "metrics", "--all")
    assert set(short.splitlines()) <= set(whole.splitlines()) and len(short) < len(whole)
    found = run(options, "metrics", "Barrier")
    assert "(mpi_barrier_wait, sec)" in found and "mpi_latesender" not in found
    assert run(options, "metrics", "xyzzy", code=2, word="--all") == ""


def check_source(options, report):
    """The place is that of the innermost region that has one; with --verbose and in JSON its file has its folders."""
    text, verbose = run(options, "summary", report), run(options, "summary", report, "--verbose")
    assert re.search(r"Jacobi > MPI_Allreduce .*\n +in Jacobi, jacobi\.c:39\n", text), text
    assert re.search(r"\n +in Jacobi, /home/\S+/jacobi\.c:39\n", verbose)
    assert "A communication call as root cause" in text
    critical = text.split("\nCritical path\n")[1].split("\n\n")[0]
    assert re.search(r"\n +(in \w+, |at )\w+\.c:\d+\n", critical), critical
    causes = run(options, "causes", report)
    assert re.search(r"\n    in ExchangeJacobiMpiData, jacobi\.c:105\n", causes) and "A communication call as root cause" in causes
    document = json.loads(run(options, "summary", report, "--json"))
    places = [row["source"] for row in document["causes"]["call_paths"]]
    assert all(place["file"].startswith("/home/") and place["line"] > 0 and not place["is_call"] for place in places), places


def check_program_as_cause(options):
    """Where functions were not recorded, time is of the program as a whole: what that means is said."""
    report = options.work / "openmp.cubex"
    run(options, "analyze", DATA / "drb139-worksharingcritical-1x4", "-o", report, "-f", "-q")
    for text in (run(options, "summary", report), run(options, "causes", report)):
        assert text.count("The program itself as root cause") == 1, text
    assert "The program itself" not in run(options, "summary", options.work / "jacobi.cubex")


def check_non_blocking(options, other):
    """Their waits count as time of the call, in other delay costs and on the critical path."""
    report = options.work / "nbc.cubex"
    run(options, "analyze", DATA / "pat-nbc-4", "-o", report, "-f", "-q")
    for subcommand in "summary", "causes":
        assert run(options, subcommand, report).count("Only waiting in non-blocking collectives is part of that time") == 1
    text = run(options, "summary", report)
    assert "A call that waits in a non-blocking collective is on the path itself" in text, text
    assert "non-blocking" not in run(options, "summary", other) + run(options, "causes", other)


def check_no_source(options, other):
    """Names of OpenMP constructs have their place already; regions without a line have none."""
    report = options.work / "hybrid.cubex"
    run(options, "analyze", DATA / "scorep-jacobi-hyb-c-4x2", "-o", report, "-f", "-q")
    lines = run(options, "summary", report, "--top", "20").splitlines()
    for line, following in zip(lines, lines[1:]):
        if re.search(r"@\w+\.c:\d+ +[\d.]+ s", line):
            assert not re.match(r" +(at|in) .*\.c:\d+$", following), (line, following)
    assert "MPI:" not in "\n".join(lines)
    assert re.search(r"\n +(at|in \w+,) \w+\.c:\d+\n", run(options, "diff", other, report))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    report = options.work / "jacobi.cubex"
    run(options, "analyze", DATA / "scorep-jacobi-mpi-c-16", "-o", report, "-f", "-q")
    check_explain(options)
    check_metrics(options)
    check_source(options, report)
    check_program_as_cause(options)
    check_non_blocking(options, report)
    check_no_source(options, report)
    print("explanations and places are there")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""heddle dump: its options select lines of what it prints without them; inclusive values are sums of exclusive ones.

usage: test_dump.py --heddle PROGRAM --hostile PROGRAM --work DIR
"""
import argparse
import collections
import csv
import gzip
import io
import math
import os
import pathlib
import shutil
import subprocess

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

DATA = ROOT / "tests/data"
COLUMNS = ["metric", "call_path", "process", "thread", "value"]
ARCHIVES = ["pat-mpi-4", "pat-rma-4", "scorep-jacobi-hyb-c-4x2", "pat-pthread-3"]


def run(options, *arguments, code=0, word=""):
    done = subprocess.run([options.heddle, *map(str, arguments)], capture_output=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
    errors = done.stderr.decode()
    assert done.returncode == code and word in errors, f"{arguments}: exit code {done.returncode}: {errors}"
    return done.stdout.decode()


def lines(options, *arguments):
    return [line.split("\t") for line in run(options, "dump", *arguments).splitlines()]


def check_columns(options, report, every):
    """A head, ids and commas change nothing in the values."""
    head, *rows = lines(options, report, "--header")
    assert head == COLUMNS and rows == every, report
    head, *rows = csv.reader(io.StringIO(run(options, "dump", report, "--csv")))
    assert head == COLUMNS and rows == every, report
    rows = list(csv.DictReader(io.StringIO(run(options, "dump", report, "--csv", "--ids"))))
    assert [[row[key] for key in COLUMNS] for row in rows] == every, report
    ids = {row["call_path_id"]: row["call_path"] for row in rows}
    for row in rows:  # the parent of a call path has its names but the last
        assert ids[row["call_path_id"]] == row["call_path"]
        above = row["call_path"].rpartition(";")[0]
        assert (row["parent"] == "") == (above == "") and ids.get(row["parent"], above) == above, row
    return rows


def check_selections(options, report, every):
    metrics = sorted({row[0] for row in every})
    for chosen in ([metrics[0]], metrics[-2:]):
        words = [word for metric in chosen for word in ("--metric", metric)]
        assert lines(options, report, *words) == [row for row in every if row[0] in chosen]
    path = max((row[1] for row in every), key=lambda names: names.count(";"))
    name = path.rpartition(";")[2]
    expected = [row for row in every if name in row[1].split(";")]
    assert lines(options, report, "--call-path", name) == expected != [], name
    assert lines(options, report, "--call-path", path) == [row for row in every if row[1] == path or row[1].startswith(path + ";")]
    last = max(int(row[2]) for row in every)
    assert lines(options, report, "--process", last) == [row for row in every if int(row[2]) == last] != []
    assert lines(options, report, "--process", f"0-{last}") == every
    assert lines(options, report, "--process=0", f"--process={last}", "-m", metrics[0]) == [
        row for row in every if row[0] == metrics[0] and int(row[2]) in (0, last)]


def check_inclusive(options, report, rows, extremes):
    """rows: with ids."""
    inclusive = list(csv.DictReader(io.StringIO(run(options, "dump", report, "--csv", "--ids", "--inclusive"))))
    parents = {row["call_path_id"]: row["parent"] for row in inclusive}
    sums = collections.defaultdict(float)
    for row in rows:
        at = row["call_path_id"]
        while at:
            sums[row["metric"], at, row["process"], row["thread"]] += float(row["value"])
            at = parents[at]
    found = {tuple(row[key] for key in ("metric", "call_path_id", "process", "thread")): float(row["value"]) for row in inclusive}
    for key in set(sums) | set(found):
        if key[0] not in extremes:
            assert math.isclose(found.get(key, 0), sums[key], rel_tol=1e-9, abs_tol=1e-12), (key, found.get(key), sums[key])
    some = next(row for row in rows if row["metric"] not in extremes)
    selected = lines(options, report, "--inclusive", "--metric", some["metric"], "--call-path", some["call_path"])
    assert selected == [[row[key] for key in COLUMNS] for row in inclusive if row["metric"] == some["metric"] and
                        (row["call_path"] + ";").startswith(some["call_path"] + ";")] != [], some


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--hostile", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    work = pathlib.Path(options.work)

    reports = []
    for name in ARCHIVES:
        run(options, "analyze", DATA / name, "-o", work / f"{name}.cubex", "--quiet", "--no-summary")
        reports.append(work / f"{name}.cubex")
    for packed in sorted((DATA / "reports").glob("*.gz")):
        (work / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
        reports.append(work / packed.stem)
    for report in reports:
        every = lines(options, report)
        assert len(every) > 100 and all(len(row) == 5 for row in every)
        rows = check_columns(options, report, every)
        check_selections(options, report, every)
        check_inclusive(options, report, rows, {"min_time", "max_time"})

    # Names that have commas, quotes, tabs and formulas: each line keeps its columns.
    subprocess.run([options.hostile, work / "hostile"], check=True, timeout=HANG_SECONDS)
    run(options, "analyze", work / "hostile", "-o", work / "hostile.cubex", "--quiet", "--no-summary")
    every = lines(options, work / "hostile.cubex")
    rows = list(csv.reader(io.StringIO(run(options, "dump", work / "hostile.cubex", "--csv"))))
    assert rows[1:] == every and any("," in row[1] for row in every)

    report = reports[0]
    run(options, "dump", report, "--metric", "mpi_latesendr", code=2, word="closest:  mpi_latesender")
    run(options, "dump", report, "--call-path", "nowhere", code=2, word="no call path")
    run(options, "dump", report, "--process", "4", code=2, word="has no process 4")
    for word in ("x", "-1", "3-1", "1-", "99999999999999999999-1"):
        run(options, "dump", report, f"--process={word}", code=2, word="needs an MPI rank")
    print("heddle dump prints what is asked for")


main()

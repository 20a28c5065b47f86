#!/usr/bin/env python3
"""--clock clc and --clock-report: nothing is received before it was sent any more, whatever the number of ranks and threads, and times
between records change by no more than docs/metrics.md#clocks says. Where they are left as they are, results are the same nonetheless.

usage: test_clocks.py --heddle PROGRAM --mpirun PROGRAM --random PROGRAM --bench PROGRAM --work DIR ARCHIVE...
"""
import argparse
import csv
import os
import pathlib
import random
import shutil
import struct
import subprocess

from otf2_bytes import CHUNK_HEADER, END_OF_CHUNK, END_OF_FILE, LITTLE, TIME
from json_sections import time_text
from run_matrix import run

KINDS = ("p2p", "collective", "rma", "openmp")
SEEDS = (("", 1), ("", 20), ("", 24), ("", 46), ("threads", 2), ("threads", 39), ("rma", 3))
FADES_IN = 100000
LENGTH, TICK = 60, 1e-6  # [s] of the archives here, at most


def analyze(options, archive, name, ranks, *arguments):
    report = pathlib.Path(options.work) / f"{name}.cubex"
    command = [options.mpirun, "-n", str(ranks)] if ranks > 1 else []
    command += [options.heddle, "analyze", str(archive), "--quiet", "--force", "-o", str(report), "--clock-report", *arguments]
    code, _, errors = run(command)
    assert code in (0, 3), f"{' '.join(command)}: {code}\n{errors}"
    with open(report.with_suffix(".clocks.tsv"), newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    findings = report.with_suffix(".findings.tsv")
    clocks = sum(line.startswith("clock-") for line in findings.read_text().splitlines()) if findings.exists() else 0
    code, values, errors = run([options.heddle, "dump", str(report)])
    assert code == 0 and values, f"heddle dump {report}: {code}\n{errors}"
    return rows, clocks, values


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


def time_stamps(data):
    """Where they are in a file of events, in the order of this machine, with short records only."""
    at = 0
    while data[at] != END_OF_FILE:
        if data[at] == CHUNK_HEADER:
            assert data[at + 1] == LITTLE
            at += 18
        elif data[at] == END_OF_CHUNK:
            at += 1
        elif data[at] == TIME:
            yield at + 1
            at += 9
        else:
            assert data[at + 1] < 255
            at += 2 + data[at + 1]


def let_clocks_wander(folder, pieces=300):
    """Each location's clock stands, crawls or runs, another way in each piece of the run, and is right at both ends."""
    files = [(path, bytearray(path.read_bytes())) for path in sorted((folder / "traces").glob("*.evt"))]
    stamps = [list(time_stamps(data)) for _, data in files]
    times = [[struct.unpack_from("<Q", data, at)[0] for at in places] for (_, data), places in zip(files, stamps)]
    begin, end = min(map(min, times)), max(map(max, times))
    piece = (end - begin) / pieces
    for number, (path, data) in enumerate(files):
        rng = random.Random(number)
        rates = [rng.choice((0.001, 0.2, 1, 1.9)) for _ in range(pieces + 1)]
        begins = [sum(rates[:i]) for i in range(pieces + 1)]
        for at, time in zip(stamps[number], times[number]):
            i = int((time - begin) / piece)
            wandered = begins[i] * piece + (time - begin - i * piece) * rates[i]
            struct.pack_into("<Q", data, at, begin + int(wandered * pieces / begins[pieces]))
        path.write_bytes(data)


def check_wandering(options):
    """Clocks that contradict the order of epochs more than a thousand times, so that many ranks and threads give up waiting together."""
    folder = pathlib.Path(options.work) / "wandering"
    subprocess.run([options.bench, "rma", str(folder), "--events", "1200000", "--processes", "8"], check=True)
    let_clocks_wander(folder)
    first = analyze(options, folder / "traces.otf2", "wandering", 1, "--threads=1", "--clock=none")
    for ranks, threads in ((1, 2), (1, 3), (2, 1)):
        again = analyze(options, folder / "traces.otf2", f"wandering-{ranks}x{threads}", ranks, f"--threads={threads}", "--clock=none")
        assert again == first, f"wandering clocks: {ranks} x {threads} differs"
    assert first[1] > 0



def check_text(options, archive):
    """What --clock-report prints has the numbers of the table, times with the unit that fits."""
    report = pathlib.Path(options.work) / "text.cubex"
    code, text, errors = run([options.heddle, "analyze", str(archive), "--force", "-o", str(report), "--no-summary", "--clock=clc", "--clock-report"])
    assert code == 0, errors
    with open(report.with_suffix(".clocks.tsv"), newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    most = {key: max(float(row[key]) for row in rows) for key in ("worst_s", "largest_move_s", "largest_shrink_s")}
    moved = sum(int(row["moved"]) for row in rows)
    assert most["worst_s"] > 0 and moved > 0, rows
    assert f", by {time_text(most['worst_s'])} at most (" in text, (most, text)
    assert f"moved: {moved} of " in text and f"points, by {time_text(most['largest_move_s'])} at most" in text, (most, text)
    assert f"longer, {time_text(most['largest_shrink_s'])} shorter" in text, (most, text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "mpirun", "random", "bench", "work"):
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
    check_text(options, pathlib.Path(options.work) / f"random-{SEEDS[1][0]}{SEEDS[1][1]}")
    assert before > 100, f"the archives have only {before} violations"
    for archive in options.archives:
        check(options, archive, pathlib.Path(archive).name)
    check_wandering(options)
    print(f"{before} violations in {len(SEEDS)} random programs")


main()

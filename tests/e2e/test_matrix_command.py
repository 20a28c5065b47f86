#!/usr/bin/env python3
"""heddle matrix: its sums are those of the metrics of messages, on each archive; text, CSV, JSON and pictures say the same; nodes are sums
of processes; the tables do not depend on ranks and threads; damaged tables are errors.

usage: test_matrix_command.py --heddle PROGRAM --mpirun PROGRAM --sweep PROGRAM --work DIR
"""
import argparse
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import xml.etree.ElementTree
from decimal import Decimal

from json_sections import bytes_text
from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

DATA = ROOT / "tests/data"
NAMES = ["heddle.matrix.tsv", "heddle.sizes.tsv"]
MEASURES = {"messages": lambda row: row["messages"], "bytes": lambda row: row["bytes"],
            "waiting": lambda row: row["late_sender"] + row["late_receiver"], "transfer": lambda row: row["mean_transfer"] or 0}
COLUMNS = ["messages", "bytes", "late_sender", "late_receiver"]


def run(options, *arguments, launcher=(), codes=(0,), word=""):
    done = subprocess.run([*launcher, options.heddle, *map(str, arguments)], capture_output=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
    errors = done.stderr.decode()
    assert done.returncode in codes and word in errors, f"{arguments}: exit code {done.returncode}: {errors}"
    return done.stdout.decode()


def analyze(options, archive, name, *more, **how):
    report = pathlib.Path(options.work) / f"{name}.cubex"
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--no-summary", *more, codes=(0, 3), **how)
    return report


def tables(report):
    with tarfile.open(report) as cube:
        return [cube.extractfile(name).read().decode() if name in cube.getnames() else None for name in NAMES]


def rows_of(text):
    head, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, line, strict=True)) for line in lines]


def total(options, report, *metrics):
    rows = (line.split("\t") for line in run(options, "dump", report).splitlines())
    return sum(float(row[4]) for row in rows if row[0] in metrics)


def check_sums(options, report):
    """Added up as decimal numbers, so without rounding; the metrics are rounded to doubles at each call path and location."""
    pairs, sizes = map(rows_of, tables(report))
    sums = {name: sum(Decimal(row[name]) for row in pairs) for name in COLUMNS}
    assert sums["messages"] == total(options, report, "comms_recv", "syncs_recv") == sum(int(row["messages"]) for row in sizes)
    assert sums["messages"] == total(options, report, "comms_send", "syncs_send")
    assert sums["bytes"] == total(options, report, "bytes_rcvd") == total(options, report, "bytes_sent")
    for name, metric in (("late_sender", "mpi_latesender"), ("late_receiver", "mpi_latereceiver")):
        assert abs(sums[name] - Decimal(total(options, report, metric))) <= Decimal("1e-13") * max(1, sums[name]), (report, name)
    return pairs


def check_outputs(options, report, by):
    for measure, value in MEASURES.items():
        document = json.loads(run(options, "matrix", report, "--by", by, "--metric", measure, "--json"))
        pairs = document["pairs"]
        assert [value(row) for row in pairs] == sorted(map(value, pairs), reverse=True)
        for name in COLUMNS:
            assert abs(sum(row[name] for row in pairs) - document["total"][name]) <= 1e-12 * document["total"][name], name
        name = (lambda i: document["nodes"][i]) if by == "node" else str
        expected = [[name(row["sender"]), name(row["receiver"]), *(row[key] for key in (*COLUMNS, "mean_transfer"))] for row in pairs]
        head, *lines = csv.reader(io.StringIO(run(options, "matrix", report, "--by", by, "--metric", measure, "--csv")))
        assert head == ["sender", "receiver", *COLUMNS, "mean_transfer"]
        assert [line[:2] + [float(number) if number else None for number in line[2:]] for line in lines] == expected
        lines = run(options, "matrix", report, "--by", by, "--metric", measure, "--top", 3).splitlines()
        n = min(3, sum(value(row) > 0 for row in pairs))
        first = [line.split() for line in lines[lines.index("") + 3:][:n]] if pairs else []
        assert [line[2:5] for line in first] == [[f"{row['messages']:,}", *bytes_text(row["bytes"]).split()] for row in pairs[:len(first)]], (first, pairs[:3])
    return document


def check_pictures(options, report, pairs):
    picture = pathlib.Path(options.work) / "matrix.svg"
    picture.unlink(missing_ok=True)
    run(options, "matrix", report, "--svg", picture)
    filled = [path for path in xml.etree.ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}path") if "fill" in path.attrib.get("style", "") or
              "fill" in path.attrib]
    assert len(filled) >= len(pairs), (len(filled), len(pairs))
    legends = {}
    for measure in "bytes", "waiting":    # where all values are equal, one colour and one number
        run(options, "matrix", report, "--metric", measure, "--svg", picture, "--force")
        legends[measure] = len(set(re.findall(r"fill:(rgb\([^)]*\))", picture.read_text())))
    values = {row["bytes"] for row in json.loads(run(options, "matrix", report, "--json"))["pairs"]}
    assert (legends["bytes"] == 3) == (len(values) == 1) and legends["waiting"] > 20, (legends, values)
    run(options, "matrix", report, "--svg", picture, codes=(1,), word="exists already")
    run(options, "matrix", report, "--svg", picture, "--force")
    run(options, "matrix", report, "--svg", report, "--force", codes=(2,), word="cannot have the name of the report")
    drawn = run(options, "matrix", report, "--map", "--metric", "messages")
    rows = [line for line in drawn.split("\n\n")[1].splitlines()[1:]]
    n = sum(len(re.findall(r"\d", line[line.index("  ", 2) if line[:4].strip() else 0:][1:])) for line in rows)
    assert n >= 1 and "receiver" in drawn and "sender" in drawn, drawn


def check_nodes(options):
    """Processes 8 to 15 are on the second node of the sweep, and so on: a pair of nodes is the sum of its pairs of processes."""
    folder = pathlib.Path(options.work) / "sweep"
    subprocess.run([options.sweep, folder, "16", "8", "--blocks", "2", "--rounds", "4", "--slow", "40"], check=True, timeout=HANG_SECONDS)
    report = analyze(options, folder, "sweep")
    of_processes, of_nodes = check_outputs(options, report, "process"), check_outputs(options, report, "node")
    assert len(of_nodes["nodes"]) > 1
    for name, value in of_nodes["total"].items():
        assert abs(value - of_processes["total"][name]) <= 1e-12 * value, name
    n = len({row["sender"] for row in of_processes["pairs"]} | {row["receiver"] for row in of_processes["pairs"]}) // len(of_nodes["nodes"])
    sums = {}
    for row in of_processes["pairs"]:
        sums.setdefault((row["sender"] // n, row["receiver"] // n), []).append(row)
    got = {(row["sender"], row["receiver"]): (row["messages"], row["bytes"]) for row in of_nodes["pairs"]}
    assert got == {pair: (sum(row["messages"] for row in rows), sum(row["bytes"] for row in rows)) for pair, rows in sums.items()}
    assert "pairs of nodes" in run(options, "matrix", report, "--by", "node")
    assert "a cell is a block of 4 x 4 processes" in run(options, "matrix", report, "--map") or n * len(of_nodes["nodes"]) <= 32


def check_damage(options, report):
    changes = {"a field is no number": lambda text: text.replace("\t", "\tx", 8), "pairs are not in order": lambda text: text + text.splitlines()[1] + "\n",
               "another head": lambda text: "x" + text, "a column is missing": lambda text: text.rstrip("\n").rpartition("\t")[0] + "\n"}
    for what, change in changes.items():
        damaged = pathlib.Path(options.work) / "damaged.cubex"
        with tarfile.open(report) as cube, tarfile.open(damaged, "w", format=tarfile.USTAR_FORMAT) as copy:
            for member in cube.getmembers():
                data = cube.extractfile(member).read()
                if member.name == NAMES[0]:
                    data = change(data.decode()).encode()
                member.size = len(data)
                copy.addfile(member, io.BytesIO(data))
        for command in ("matrix", "summary"):
            run(options, command, damaged, codes=(1,), word='its table "heddle.matrix.tsv" is damaged in line'), what


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--mpirun", "--sweep", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)

    n_pairs = 0
    for archive in sorted(path.parent for path in DATA.glob("*/traces.otf2")):
        report = analyze(options, archive, archive.name)
        if tables(report)[0] is None:
            run(options, "matrix", report, codes=(1,), word="has no communication matrix")
            assert not total(options, report, "comms_recv", "syncs_recv")
            continue
        n_pairs += len(check_sums(options, report))
        check_outputs(options, report, "process")
    assert n_pairs > 80, n_pairs
    report = pathlib.Path(options.work) / "scorep-jacobi-mpi-c-16.cubex"
    check_pictures(options, report, rows_of(tables(report)[0]))
    check_nodes(options)
    check_damage(options, report)

    # The same tables for any ranks and threads; and none where none is wanted.
    for n, threads, placement in ((2, 2, "cyclic"), (3, 1, "block")):
        for name in ("pat-mpi-4", "scorep-jacobi-hyb-c-4x2"):
            other = analyze(options, DATA / name, "other", "--threads", threads, "--placement", placement, launcher=(options.mpirun, "-n", str(n)))
            assert tables(other) == tables(pathlib.Path(options.work) / f"{name}.cubex"), (name, n, threads)
    left_out = analyze(options, DATA / "pat-mpi-4", "left-out", "--no-matrix")
    run(options, "matrix", left_out, codes=(1,), word="--no-matrix")
    assert "pairs of processes" not in run(options, "summary", left_out)
    for wrong in (["--csv", "--json"], ["--map", "--csv"], ["--by", "thread"], ["--metric", "time"]):
        run(options, "matrix", report, *wrong, codes=(2,))
    print(f"{n_pairs} pairs of processes: their sums are the metrics, and all outputs agree")


main()

#!/usr/bin/env python3
"""heddle series: its sums are those of the metrics of each process, on archives of several kinds; text and CSV say the same; the tables do
not depend on ranks and threads; damaged tables are errors.

usage: test_series.py --heddle PROGRAM --mpirun PROGRAM --sweep PROGRAM --drift PROGRAM --work DIR
"""
import argparse
import base64
import collections
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import zlib

from all_series import STARTUP, TIMES, check_all_series, check_no_distance
from json_sections import time_text
from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

DATA = ROOT / "tests/data"
NAMES = ["heddle.slices.tsv", "heddle.series.tsv", "heddle.path-series.tsv"]
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def run(options, *arguments, launcher=(), codes=(0,), word=""):
    done = subprocess.run([*launcher, options.heddle, *map(str, arguments)], capture_output=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
    errors = done.stderr.decode()
    assert done.returncode in codes and word in errors, f"{arguments}: exit code {done.returncode}: {errors}"
    return done.stdout.decode()


def analyze(options, name, *more, **how):
    report = pathlib.Path(options.work) / f"{name}{''.join(more).replace('-', '')}.cubex"
    run(options, "analyze", DATA / name, "-o", report, "--force", "--quiet", *more, codes=(0, 3), **how)
    return report


def tables(report):
    with tarfile.open(report) as cube:
        return [cube.extractfile(name).read().decode() for name in NAMES]


def check_sums(options, report, *more):
    """Of each process and wait state, over all slices. Returns the rows."""
    rows = list(csv.DictReader(io.StringIO(run(options, "series", report, "--csv", *more))))
    sums = collections.Counter()
    rows = [row for row in rows if row["metric"] != "duration"]
    for row in rows:
        assert float(row["value"]) > 0 and row["processes"] == "1", row
        assert row["metric"].startswith(COUNTS) or row["from"] == "" and "iterations" in more or float(row["value"]) <= (float(row["to"]) - float(row["from"])) * 64, row
        sums[row["metric"], int(row["process"])] += float(row["value"])
    metrics = collections.Counter()
    for line in run(options, "dump", report).splitlines():
        metric, _, process, _, value = line.split("\t")
        metrics[metric, int(process)] += float(value)
    for place, value in sums.items():
        assert abs(value - metrics[place]) <= 1e-9 * max(1, value), (report, place, value, metrics[place])
    return rows


EACH_COUNT = ("visits", "syncs_send", "comms_send", "bytes_sent", "syncs_recv", "comms_recv", "bytes_rcvd", "syncs_coll", "comms_cxch", "comms_csrc",
              "comms_cdst", "bytes_cout", "bytes_cin", "bytes_put", "bytes_get", "syncs_rma_passive", "comms_rma_puts", "syncs", "comms_p2p", "bytes")
COUNTS = ("visits", "syncs_", "comms_", "bytes_")                        # prefixes; with --series all


def check_text(options, report, rows):
    """Computation, MPI and OpenMP, then a line per wait state but for start-up, the largest first; with --metric per process."""
    last = max(int(line.split("\t")[0]) for line in tables(report)[0].splitlines()[1:])
    for more, key in (((), "metric"), (("--metric", "mpi_latesender"), "process")):
        expected = collections.Counter()
        for row in rows:
            if 0 < int(row["slice"]) < last and (row["metric"] not in STARTUP if key == "metric" else row["metric"] == "mpi_latesender"):
                expected[row[key]] += float(row["value"])
        lines = run(options, "series", report, "--width=200", "--top=1000", *more).splitlines()
        assert f"in {last - 1} windows of" in lines[0], lines[0]
        found = [float(number) * UNITS[unit] for number, unit in (line[38:].split()[:2] for line in lines[1::2])]
        n_times = sum(name in expected for name in TIMES)
        assert found[n_times:] == sorted(found[n_times:], reverse=True), found
        found.sort(reverse=True)
        assert len(found) == len(expected) and all(abs(a - b) <= 0.006 * b for a, b in zip(found, sorted(expected.values(), reverse=True))), (found, expected)
        assert all(line.startswith("    most in window ") for line in lines[2::2]), lines


def check_damage(options, report):
    for name, text, changed in ((NAMES[0], b"\twindow\t", b"\twindoo\t"), (NAMES[1], b"mpi_latesender\t", b"mpi_latesendex\t"),
                                (NAMES[2], b"\t1\t", b"\t0\t")):
        damaged = pathlib.Path(options.work) / "damaged.cubex"
        data = report.read_bytes()
        place = data.index(name.encode())
        damaged.write_bytes(data[:place] + data[place:].replace(text, changed, 1))
        run(options, "series", damaged, "--paths", codes=(1,), word=name)


def check_paths(options, report, *more):
    """Of each call path over all slices the metric, of each slice the processes; CSV and JSON say the same, text the largest first."""
    rows = list(csv.DictReader(io.StringIO(run(options, "series", report, "--csv", "--paths", *more))))
    of_slice, of_path, metrics = collections.Counter(), collections.Counter(), collections.Counter()
    for row in csv.DictReader(io.StringIO(run(options, "series", report, "--csv", *more))):
        if row["metric"] != "duration":
            of_slice[row["metric"], row["slice"]] += float(row["value"])
    for row in rows:
        if row["metric"].startswith(COUNTS):
            assert int(row["value"]) > 0 and row["most"] == row["process"] == "", row
            of_slice[row["metric"], row["slice"]] -= int(row["value"])
            of_path[row["metric"], row["path"]] += int(row["value"])
    rows = [row for row in rows if not row["metric"].startswith(COUNTS)]
    for row in rows:
        assert 0 < float(row["most"]) <= float(row["value"]) * (1 + 1e-12) and row["processes"] == "1" and row["process"] != "", row
        of_slice[row["metric"], row["slice"]] -= float(row["value"])
        of_path[row["metric"], row["path"]] += float(row["value"])
    known = {row["metric"] for row in rows}
    assert rows and all(abs(value) < 1e-12 for (metric, _), value in of_slice.items() if metric not in TIMES or metric in known), (report, of_slice)
    for line in run(options, "dump", report).splitlines():
        metric, path, _, _, value = line.split("\t")
        metrics[metric, path.replace("/", ";")] += float(value)
    for place, value in of_path.items():
        assert place[0] in TIMES or abs(value - metrics[place]) <= 1e-9 * max(1, value), (report, place, value, metrics[place])
    shown = json.loads(run(options, "series", report, "--json", *more))["iterations" if more else "windows"]
    values = {(row["metric"], "" if row["call_path_id"] is None else str(row["call_path_id"]), str(row["first"] + i)): (value, most, process) for row in shown["paths"]
              for i, (value, most, process) in enumerate(zip(row["values"], row["most"], row["process"])) if value > 0}
    assert values == {(row["metric"], row["callpath"], row["slice"]): (float(row["value"]), float(row["most"]), int(row["process"])) for row in rows}
    lines = run(options, "series", report, "--paths", "--top", "1", "--width", "200", *more).splitlines()
    assert len(lines) == 4 and "waiting time by call path in" in lines[0], lines
    n, sums = len(shown["slices"]), collections.Counter()
    for row in rows:
        if 1 <= int(row["slice"]) <= n and row["metric"] not in STARTUP + TIMES:
            sums[row["metric"], row["path"]] += float(row["value"])
    number, unit = lines[1][38:].split()[:2]
    assert abs(float(number) * UNITS[unit] - max(sums.values())) <= 0.006 * max(sums.values()), (lines, max(sums.values()))


def check_earlier(options, report):
    """A report of before, whose tables of series have a line for each slice, reads the same."""
    earlier = pathlib.Path(options.work) / "earlier.cubex"
    with tarfile.open(report) as new, tarfile.open(earlier, "w", format=tarfile.USTAR_FORMAT) as old:
        for member in new.getmembers():
            data = new.extractfile(member).read()
            if member.name in ("heddle.series.tsv", "heddle.iteration-series.tsv"):
                lines = ["metric\tprocess\tprocesses\tslice\tvalue"]
                for row in csv.DictReader(io.StringIO(data.decode()), delimiter="\t"):
                    lines += ["\t".join([row["metric"], row["process"], row["processes"], str(slice), repr(int(ticks) / int(row["resolution"]))])
                              for slice, ticks in enumerate(row["values"].split(","), int(row["first"])) if ticks]
                data = ("\n".join(lines) + "\n").encode()
            if member.name in ("heddle.path-series.tsv", "heddle.iteration-path-series.tsv", "heddle.lags.tsv", "heddle.lag-slices.tsv"):
                continue
            member.size = len(data)
            old.addfile(member, io.BytesIO(data))
    for more in (("--csv",), ("--csv", "--by", "windows")):
        assert run(options, "series", earlier, *more) == run(options, "series", report, *more)
    new, old = (json.loads(run(options, "series", name, "--json")) for name in (report, earlier))
    assert old["windows"]["series"] == new["windows"]["series"] and old["windows"]["paths"] is None and old["lags"] is None
    run(options, "series", earlier, "--paths", codes=(1,), word="no time series by call path")
    run(options, "series", earlier, "--lags", codes=(1,), word="does not have causes over time")
    run(options, "html", earlier, "-o", earlier.with_suffix(".html"), "--force")


def check_lags(options, report):
    """Of each kind they add up to the direct costs of delays; text, CSV and JSON say the same."""
    rows = list(csv.DictReader(io.StringIO(run(options, "series", report, "--lags", "--csv"))))
    kinds = {kind["wait_state"]: kind for kind in json.loads(run(options, "series", report, "--json"))["lags"]["kinds"]}
    sums, costs = collections.Counter(), collections.Counter()
    for row in rows:
        if row["what"] == "lag":
            sums[row["wait_state"]] += float(row["value"])
    with tarfile.open(report) as cube:
        for row in csv.DictReader(io.StringIO(cube.extractfile("heddle.causes.tsv").read().decode()), delimiter="\t"):
            if row["cause"] != "" and row["wait state"] != "ompidle":
                costs[row["wait state"]] += float(row["short-term"])
    assert rows and {kind for kind, value in costs.items() if value > 0} == set(sums), (sums, costs)
    for kind, value in sums.items():
        assert abs(value - costs[kind]) <= 1e-6 * value, (report, kind, value, costs[kind])
        lags = [row for row in rows if row["wait_state"] == kind and row["what"] == "lag"]
        pairs = [row for row in rows if row["wait_state"] == kind and row["what"] == "pair"]
        assert len(lags) <= 64 and 1 <= len(pairs) <= 16 and sum(float(row["value"]) for row in pairs) <= value * (1 + 1e-9)
        assert [(one["from"], one["to"], one["value"]) for one in kinds[kind]["lags"]] == [(int(row["from"]), int(row["to"]), float(row["value"])) for row in lags]
        assert [(one["delay"], one["wait"], one["value"]) for one in kinds[kind]["pairs"]] == [(int(row["from"]), int(row["to"]), float(row["value"])) for row in pairs]
    text = run(options, "series", report, "--lags")
    assert "before the wait the delay was" in text and "100.0 %" in text, text
    rest = re.findall(r"\((\d+) more lags?: --csv has all\) +(\S+ [mun]?s) ", text)
    hidden = [sorted((one["value"] for one in kind["lags"]), reverse=True)[8:] for kind in sorted(kinds.values(), key=lambda kind: -kind["value"])]
    assert rest == [(str(len(left)), time_text(sum(left))) for left in hidden if left], (rest, hidden)
    for what in ("delays", "waits"):
        for kind, value in sums.items():
            of_slices = [float(row["value"]) for row in rows if (row["wait_state"], row["what"]) == (kind, what)]
            assert abs(sum(of_slices) - value) <= 1e-6 * value and of_slices == [one["value"] for one in kinds[kind][what]], (report, kind, what, value)
    outside = changed(options, report, "heddle.lag-slices.tsv", lambda row: {**row, "first": "0", "values": "7"})
    lines = run(options, "series", outside, "--lags").splitlines()           # no slice has costs
    kept = [line for line in text.splitlines() if line.startswith(" ") and not re.match("    (delays|waits) ", line)]
    assert kept == [line for line in lines if line.startswith(" ")], (kept, lines)     # the names in the first lines differ
    assert not any(re.match("    (delays|waits)", line) or line != line.rstrip() for line in lines), lines


def numbers(which):
    return [k for part in which.split(",") for k in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]


def check_clusters(options, report, archive, cut):
    """Each iteration is in one of them, as its duration; text, JSON and table agree; its typical iteration is cut out; ranks do not matter."""
    series = json.loads(run(options, "series", report, "--json"))["iterations"]
    clusters = series["clusters"]
    assert clusters and sorted(k for one in clusters for k in numbers(one["which"])) == list(range(1, 12)), clusters
    longest = [slice["longest"] for slice in series["slices"]]
    text = run(options, "series", report)
    for number, one in enumerate(clusters, 1):
        own = numbers(one["which"])
        assert len(own) == one["iterations"] and own[0] == one["first"] and one["typical"] in own, one
        assert abs(sum(longest[k - 1] for k in own) / len(own) - one["duration"]) < 2e-9, one
        assert f"    Cluster {number}, {len(own)} iteration{'s' if len(own) > 1 else ''}: {one['which']}\n" in text, text
        by_cluster, by_iteration = (run(options, "extract", archive, *which, "--report", report, "-o", cut, "--force", codes=(0, 3))
                                    for which in (("--cluster", str(number)), ("--iteration", str(one["typical"]))))
        assert by_cluster == by_iteration and "interval" in by_cluster, number
    run(options, "extract", archive, "--cluster", str(len(clusters) + 1), "--report", report, "-o", cut, "--force", codes=(2,), word=f"clusters 1 to {len(clusters)}")
    run(options, "extract", archive, "--cluster", "1", "--iteration", "1", "--report", report, "-o", cut, "--force", codes=(2,), word="exclude each other")
    other = analyze(options, "npb-is-S-8", "--iterations", "rank", "--threads", "2", "--placement", "cyclic", launcher=(options.mpirun, "-n", "3"))
    with tarfile.open(other) as a, tarfile.open(report) as b:
        for name in ("heddle.clusters.tsv", "heddle.verdicts.tsv"):
            assert a.extractfile(name).read() == b.extractfile(name).read(), name
    counts = ", ".join(str(one["iterations"]) for one in clusters[:-1]) + f" and {clusters[-1]['iterations']}"
    assert f"{len(clusters)} clusters of iterations that are alike, of {counts} iterations." in " ".join(run(options, "summary", report).split())


def check_cluster_nodes(options):
    """Clusters in the call tree (tests/oracle/compare_clusters.py has the values): ranks, memory limit, and what goes with them do not matter; errors."""
    def dump(*more, **how):
        return run(options, "dump", analyze(options, "npb-is-S-8", "--iterations", "rank", "--cluster", "3", *more, **how))
    values = dump()
    names = {name for line in values.splitlines() for name in line.split("\t")[1].split(";") if name.startswith("cluster ")}
    assert names and names <= {"cluster 1", "cluster 2", "cluster 3"}, names
    assert ";rank;cluster 1;MPI_Allreduce\t" in values, values
    assert dump("--threads", "2", "--placement", "cyclic", launcher=(options.mpirun, "-n", "3")) == values
    assert dump("--stat", "--simulate", "network zero") == values and dump("--memory-limit", "1G") == values
    report = analyze(options, "npb-is-S-8", "--cluster", "1")                               # of iterations that are found
    series = json.loads(run(options, "series", report, "--json"))["iterations"]
    assert len(series["clusters"]) == 1 and series["clusters"][0]["iterations"] == 11, series["clusters"]
    assert "(found: each begins with MPI_Allreduce in rank)" in run(options, "series", report, "--width=200")
    for arguments, word in ((("--cluster", "65"), "1 to 64"), (("--cluster", "2", "--no-series"), "about iterations"),
                            (("--cluster", "2", "--iterations", "none"), "about iterations"), (("--cluster", "2", "--to", "0.49"), "about iterations")):
        run(options, "analyze", DATA / "npb-is-S-8", *arguments, codes=(2,), word=word)
    done = subprocess.run([options.heddle, "analyze", DATA / "pat-mpi-4", "--cluster", "2"], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert done.returncode == 2 and "no loop was found" in done.stderr and "replay" not in done.stderr, done.stderr  # said before anything is replayed


def check_iterations(options):
    """Of a region that is named: sums and words, and what is cut out of the archive."""
    report = analyze(options, "npb-is-S-8", "--iterations", "rank")
    assert check_sums(options, report, "--by", "iterations")
    check_paths(options, report, "--by", "iterations")
    run(options, "series", report, "--paths", "--map", codes=(2,), word="exclude each other")
    check_lags(options, report)
    check_earlier(options, report)
    run(options, "series", report, "--lags", "--map", codes=(2,), word="takes none of")
    lines = run(options, "series", report, "--width=200").splitlines()
    assert "in 11 iterations of rank" in lines[0] and lines[1].startswith("  Durations of iterations, summed"), lines
    at = next(i for i, line in enumerate(lines) if "longest is iteration 1 (" in line)
    assert at in (2, 3) and "chronic" not in lines[2] and any("    most in iteration 1 (" in line for line in lines[at:]), lines
    assert "in 100 windows of" in run(options, "series", report, "--by", "windows")
    drawn = run(options, "series", report, "--map")
    assert "across: iteration (11) " in drawn and not any(line != line.rstrip() for line in drawn.splitlines()), drawn
    assert "in 11 iterations" in run(options, "summary", report)
    cut = pathlib.Path(options.work) / "cut"
    archive = DATA / "npb-is-S-8"
    durations = {(row["process"], int(row["slice"])): float(row["value"])
                 for row in csv.DictReader(io.StringIO(run(options, "series", report, "--csv"))) if row["metric"] == "duration"}
    for which, number in ((("--iteration", "3"), 3), (("--worst", "mpi_wait_nxn"), 1), (("--worst", "duration"), 1)):
        run(options, "extract", archive, *which, "--report", report, "-o", cut, "--force", "--quiet", codes=(0, 3))
        again = pathlib.Path(options.work) / "again.cubex"
        run(options, "analyze", cut, "-o", again, "--force", "--quiet", "--iterations", "rank", codes=(0, 3))
        first = [row for row in csv.DictReader(io.StringIO(run(options, "series", again, "--csv"))) if row["metric"] == "duration"]
        assert {row["process"] for row in first if abs(float(row["value"]) - durations[row["process"], number]) <= 2e-9} == set("01234567"), which
    for which, code, word in ((("--iteration", "12"), 2, "iterations 1 to 11"), (("--iteration", "1", "--from", "1ms"), 2, "exclude each other"),
                              (("--worst", "mpi_latereceiver_x"), 2, "")):
        run(options, "extract", archive, *which, "--report", report, "-o", cut, "--force", codes=(code,), word=word)
    check_clusters(options, report, archive, cut)
    check_cluster_nodes(options)
    found = analyze(options, "npb-is-S-8")
    rows = check_sums(options, found, "--by", "iterations")
    assert rows and "in 11 iterations (found: each begins with MPI_Allreduce in rank)" in run(options, "series", found, "--width=200"), run(options, "series", found)
    assert "Iterations were found in the calls: each begins with MPI_Allreduce in rank." in run(options, "summary", found)
    assert sum(row["slice"] in map(str, range(1, 12)) for row in rows) > 0.8 * len(rows), rows
    plain = analyze(options, "npb-is-S-8", "--iterations", "none")
    run(options, "extract", archive, "--iteration", "1", "--report", plain, "-o", cut, "--force", codes=(2,), word="no iterations")
    run(options, "extract", archive, "--worst", "mpi_wait_nxn", "--report", plain, "-o", cut, "--force", "--quiet", codes=(0, 3))
    run(options, "series", plain, "--by", "iterations", codes=(2,), word="no iterations")
    for arguments, word in ((("--iterations", "rang"), "rank"), (("--iterations", "MPI_Allreduce"), "no iterations"),
                            (("--iterations", "rank", "--to", "0.49"), "has an effect only")):
        run(options, "analyze", archive, *arguments, codes=(2,), word=word)
    assert "down: process (8)" in run(options, "series", report, "--map", "--metric", "mpi_latebroadcast")  # the last one does not wait
    assert "iteration" in run(options, "series", report, "--map") and "window" in run(options, "series", report, "--map", "--by", "windows")
    for ending, magic in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        picture = pathlib.Path(options.work) / f"picture.{ending}"
        run(options, "series", report, "--metric", "duration", "-o", picture, "--force")
        assert picture.read_bytes().startswith(magic)
    run(options, "series", report, "-o", "picture.gif", codes=(2,), word="neither in .png nor in .svg")
    damaged, data = pathlib.Path(options.work) / "damaged.cubex", report.read_bytes()
    for name, text, changed in (("heddle.iterations.tsv", b"\n2\t2\t1\t", b"\n2\t3\t1\t"), ("heddle.iteration-series.tsv", b"duration\t", b"durations"),
                                ("heddle.iteration-path-series.tsv", b"\t1\t", b"\t0\t"), ("heddle.lags.tsv", b"\tlag\t", b"\tlap\t"), ("heddle.lag-slices.tsv", b"\twaits\t", b"\twalts\t"), ("heddle.verdicts.tsv", b"\tuneven\t", b"\tunevem\t"), ("heddle.clusters.tsv", b"\n1\t1\t", b"\n1\t0\t")):
        place = data.index(name.encode())
        damaged.write_bytes(data[:place] + data[place:].replace(text, changed, 1))
        run(options, "series", damaged, *(["--lags"] if "lag" in name else ["--paths"]), codes=(1,), word=name)


def check_efficiencies(options):
    """Of iterations: text, CSV and JSON agree; reports without them, and damaged ones. An ideal runtime of 0 is not an unknown one."""
    report = analyze(options, "npb-is-S-8", "--iterations", "rank")
    document = json.loads(run(options, "efficiency", report, "--json"))
    of = document["iterations"]
    slices = of["slices"]
    assert (of["region"], of["how"], of["count"], len(of["clusters"]) > 0) == ("rank", "option", 11, True), of
    assert "The last one ends with its last call" not in run(options, "efficiency", report, "--iterations")
    found = pathlib.Path(options.work) / "found.cubex"
    run(options, "analyze", DATA / "pairs" / "loop-f1", "-o", found, "--force", "--quiet", codes=(0, 3))
    assert "They were found in the calls. The last one ends with its last call" in run(options, "efficiency", found, "--iterations")
    assert [one["kind"] for one in slices] == ["before"] + 11 * ["iteration"] + ["after", "between"]
    assert [one["first"] for one in slices[1:12]] == list(range(1, 12)) and slices[0]["first"] is None
    series = json.loads(run(options, "series", report, "--json"))["iterations"]["slices"]
    for one, other in zip(slices[1:12], series):
        assert all(abs(one[key] - other[name]) < 2e-9 for key, name in (("from", "from"), ("to", "to"), ("runtime", "longest"))), (one, other)
    assert abs(sum(one["useful"] for one in slices) - document["whole"]["useful"]) < 1e-9
    lines = run(options, "efficiency", report, "--iterations").splitlines()
    lines = lines[lines.index(next(line for line in lines if line.startswith("Iterations"))) + 1:][:14]
    shown = [one for one in slices if one["iterations"] or one["runtime"]]
    for line, one in zip(lines, shown):
        assert line.split()[0] == str(one["first"] or one["kind"]) and f" {100 * one['parallel']:.1f} %" in line, (line, one)
    rows = [row for row in csv.DictReader(io.StringIO(run(options, "efficiency", report, "--csv"))) if row["kind"] in ("iteration", "before", "after", "between")]
    assert [(row["kind"], float(row["runtime"])) for row in rows] == [(one["kind"], one["runtime"]) for one in slices], rows
    assert rows[1]["name"] == "1" and float(rows[1]["parallel"]) == slices[1]["parallel"] and rows[0]["from"] == "", rows[:2]
    plain = analyze(options, "npb-is-S-8", "--iterations", "none")
    assert json.loads(run(options, "efficiency", plain, "--json"))["iterations"] is None
    assert "no efficiencies of iterations" in run(options, "efficiency", plain, "--iterations")
    damaged, data, name = pathlib.Path(options.work) / "damaged.cubex", report.read_bytes(), "heddle.iteration-efficiency.tsv"
    for text, changed in ((b"\n2\titeration\t2\t1\t", b"\n2\titeration\t2\t0\t"), (b"\n0\tbefore\t\t", b"\n0\tbefore\t3"), (b"\tafter\t", b"\twhole\t"),
                          (b"\n1\titeration", b"\n3\titeration")):
        place = data.index(name.encode())
        damaged.write_bytes(data[:place] + data[place:].replace(text, changed, 1))
        run(options, "efficiency", damaged, codes=(1,), word=name)
    inside = json.loads(run(options, "efficiency", analyze(options, "npb-is-S-8", "--from", "0.1", "--to", "0.2"), "--json"))   # in MPI_Init
    assert (inside["main"]["ideal_runtime"], inside["main"]["transfer"], inside["main"]["serialisation"]) == (0, 0, None), inside["main"]
    assert inside["whole"]["ideal_runtime"] is None and inside["whole"]["transfer"] is None, inside["whole"]


def check_most(options, report, joined=1):
    """The most of a slice, of wait states at one call path each, is that of the rows by process, which are put together elsewhere. joined:
    processes of a row."""
    of_process, n = collections.defaultdict(dict), 0
    for row in csv.DictReader(io.StringIO(run(options, "series", report, "--csv", "--by", "iterations"))):
        of_process[row["metric"], row["slice"]][int(row["process"])] = float(row["value"])
    for row in csv.DictReader(io.StringIO(run(options, "series", report, "--csv", "--paths", "--by", "iterations"))):
        rows = of_process.pop((row["metric"], row["slice"]))                       # once: of one call path
        most = max(rows.values())
        first = min(process for process, value in rows.items() if value == most)
        assert (float(row["most"]), int(row["process"])) == (most, first), (row, most, first)
        assert int(row["process"]) % joined == 0 and int(row["processes"]) == joined and abs(float(row["value"]) - sum(rows.values())) < 1e-9, row
        n += 1
    assert n > 0 and {metric for metric, _ in of_process} - {*TIMES} == {"duration"}, of_process.keys()


def check_many_clusters(options):
    """Clusters of iterations that are found, of so many processes that the replay packs profiles: the first replay keeps them."""
    archive, report = pathlib.Path(options.work) / "clusters", pathlib.Path(options.work) / "clusters.cubex"
    subprocess.run([options.sweep, archive, "16", "16", "--iterations", "8", "--blocks", "1", "--rounds", "1"], check=True, timeout=HANG_SECONDS)
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--cluster", "2")
    assert ";cluster 1" in run(options, "dump", report)


def check_wide(options):
    """4,100 processes: the 4,096 that the tables hold are of two neighbours each; ranks do not matter."""
    archive, names = pathlib.Path(options.work) / "wide", ["heddle.iteration-series.tsv", "heddle.iteration-path-series.tsv"] + NAMES[1:]
    subprocess.run([options.sweep, archive, "82", "50", "--iterations", "12", "--blocks", "1", "--rounds", "1"], check=True, timeout=HANG_SECONDS)
    reports = [pathlib.Path(options.work) / f"wide{n}.cubex" for n in (1, 3)]
    for report, how in zip(reports, ((), (options.mpirun, "-n", "3"))):
        run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--iterations", "iteration", "--no-delay", "--no-critical-path", *(["--placement", "cyclic"] if how else []), launcher=how)
    check_most(options, reports[0], joined=2)
    with tarfile.open(reports[0]) as a, tarfile.open(reports[1]) as b:
        assert all(a.extractfile(name).read() == b.extractfile(name).read() for name in names)
    shutil.rmtree(archive)
    check_no_distance(run(options, "series", reports[0], "--metric", "imbalance", "--csv"))


def check_many(options):
    """2,500 iterations: 4 neighbours are a slice of waits and of efficiencies; verdicts, clusters and extract are of single ones."""
    archive, n, joined = pathlib.Path(options.work) / "many", 2500, 4
    subprocess.run([options.sweep, archive, "2", "2", "--iterations", str(n), "--blocks", "1", "--rounds", "1"], check=True, timeout=HANG_SECONDS)
    only = ("--iterations", "iteration", "--no-delay", "--no-critical-path")
    report = pathlib.Path(options.work) / "many.cubex"
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", *only)
    assert check_sums(options, report, "--by", "iterations")
    check_most(options, report)
    series = json.loads(run(options, "series", report, "--json"))["iterations"]
    slices, of = series["slices"], json.loads(run(options, "efficiency", report, "--json"))
    assert series["count"] == n and [one["first"] for one in slices] == list(range(1, n, joined)), series["count"]
    assert {one["iterations"] for one in slices} == {joined} and {one["processes"] for one in slices} == {4}
    duration = next(row["verdict"] for row in series["verdicts"] if row["metric"] == "duration")
    assert duration["with"] == n and sum(one["iterations"] for one in series["clusters"]) == n, duration
    own = of["iterations"]["slices"]
    assert len(own) == len(slices) + 3 and abs(sum(one["useful"] for one in own) - of["whole"]["useful"]) < 1e-9
    for one, two in zip(own[1:], slices):
        assert (one["first"], one["iterations"]) == (two["first"], joined) and abs(one["runtime"] - two["longest"]) < 2e-9, (one, two)
    cut = pathlib.Path(options.work) / "cut"
    said = run(options, "extract", archive, "--iteration", str(n - 1), "--margin", "1000s", "--report", report, "-o", cut, "--force")
    assert f"iterations    {n - joined + 1} to {n}, which the report has as one" in said, said
    end = float(re.search(r"interval +0\.0+ s to ([0-9.]+) s", said)[1])
    assert abs(end - json.loads(run(options, "info", archive, "--json"))["length"]) < 1e-8, said
    run(options, "extract", archive, "--iteration", str(n + 1), "--report", report, "-o", cut, "--force", codes=(2,), word=f"iterations 1 to {n}")
    check_joined_lags(options, archive, joined)


def check_joined_lags(options, archive, joined):
    """Lags and slices are named by their iterations."""
    report = pathlib.Path(options.work) / "joined.cubex"
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--iterations", "iteration")
    lines = run(options, "series", report, "--lags", "--width=200").splitlines()
    rows = list(csv.DictReader(io.StringIO(run(options, "series", report, "--lags", "--csv"))))
    pair = next(row for row in rows if row["what"] == "pair" and row["from"] == row["to"] != "0")
    first = (int(pair["from"]) - 1) * joined + 1
    assert f"    in iterations {first} to {first + joined - 1}: {time_text(float(pair['value']))}" in lines, (pair, lines)
    lags = {(row["from"], row["to"]) for row in rows if row["what"] == "lag"}
    assert lags == {("0", "0"), ("1", "1")}, lags
    assert {line[4:].split(" .")[0] for line in lines if re.match("    .* %$", line)} == {f"in the same {joined} iterations", f"{joined} iterations before"}, lines


def check_counts(options):
    """Counts as maps, pictures and JSON; numbers without an exponent; what makes a report have them."""
    report, plain, without = (pathlib.Path(options.work) / f"{name}.cubex" for name in ("counts", "plain", "without"))
    for path, more in ((report, ("--series", "all")), (plain, ()), (without, ("--series", "all", "--no-delay", "--no-critical-path"))):
        run(options, "analyze", DATA / "pairs" / "stencil-8-f3", "-o", path, "--force", "--quiet", *more, codes=(0, 3))
    rows = [row for row in csv.DictReader(io.StringIO(run(options, "series", report, "--csv"))) if row["metric"] == "bytes_sent"]
    sums = collections.Counter()
    for row in rows:
        sums[int(row["process"])] += float(row["value"]) if 1 <= int(row["slice"]) <= 20 else 0
    total = sum(sums.values())
    assert 1e5 < total < 1e8, total
    lines = run(options, "series", report, "--width=200").splitlines()
    line = next(line for line in lines if line.startswith("  Sent (bytes_sent) [bytes] "))
    assert f" {total:,.0f} " in line and not any(line != line.rstrip() for line in lines), (lines, total)
    pictures = []
    for metric, title in (("visits", "Visits"), ("bytes_sent", "Sent (bytes_sent)")):
        drawn = run(options, "series", report, "--map", "--metric", metric).splitlines()
        assert drawn[0] == title and "across: iteration (20)   down: process (8)" in drawn[1], drawn
        picture = pathlib.Path(options.work) / "counts.svg"
        run(options, "series", report, "--metric", metric, "--picture", picture, "--force")
        pictures.append(picture.read_bytes())
    assert pictures[0] != pictures[1] and all(b"<svg" in one for one in pictures)
    of = json.loads(run(options, "series", report, "--json"))
    counts = {one["metric"]: one for one in of["iterations"]["counts"]}
    assert {"visits", "bytes_sent", "comms_cxch"} <= set(counts) and of["windows"]["counts"], set(counts)
    assert {one["process"]: sum(one["values"]) for one in counts["bytes_sent"]["processes"] if sum(one["values"])} == {p: value for p, value in sums.items() if value}
    assert sum(counts["bytes_sent"]["values"]) == total == sum(sum(one["values"]) for one in counts["bytes_sent"]["paths"])
    check_sums_of_counts(options, report, of["iterations"], counts)
    for metric, is_advised in [(metric, True) for metric in EACH_COUNT] + [("mpi_slr_count", False), ("time", False)]:
        for how in ((), ("--map",)) if metric in ("visits", "bytes_put", "time") else ((),):
            for lacking in (plain, without):
                done = subprocess.run([options.heddle, "series", lacking, "--metric", metric, *how], capture_output=True, text=True, timeout=HANG_SECONDS)
                assert done.returncode == 2 and f'no time series of metric "{metric}"' in done.stderr, (metric, done.stderr)
                assert ("heddle analyze --series all, without --no-delay --no-critical-path" in done.stderr) == is_advised, (metric, done.stderr)
                assert ("wait states, comp, mpi" in done.stderr) != is_advised, (metric, done.stderr)
    run(options, "series", report, "--metric", "comms_rma", codes=(2,), word="the run has none of these")
    run(options, "series", report, "--metric", "time", "--map", codes=(2,), word="wait states, comp, mpi")


def check_sums_of_counts(options, report, iterations, counts):
    """Sums of counts where they are asked for, and in the page; not among all others, which would then count twice."""
    sums = [sum(values) for values in zip(*(counts[metric]["values"] for metric in ("bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin")))]
    assert "bytes" not in counts and "MPI bytes" not in run(options, "series", report) and "\nbytes," not in run(options, "series", report, "--csv")
    one, = json.loads(run(options, "series", report, "--json", "--metric", "bytes"))["iterations"]["counts"]
    assert one["metric"] == "bytes" and one["values"] == sums and min(sums) > 0, one
    for of in ("paths", "processes"):
        assert [sum(values) for values in zip(*(part["values"] for part in one[of]))] == sums and len(one[of]) > 1, of
    text = " ".join(run(options, "series", report, "--metric", "bytes", "--paths", "--width=120").splitlines())
    assert all(part in text for part in ("MPI bytes transferred (bytes) by call path in 20 iterations", "MPI_Waitall", "MPI_Isend", "MPI_Allreduce")), text
    rows = list(csv.DictReader(io.StringIO(run(options, "series", report, "--csv", "--metric", "bytes"))))
    assert {row["metric"] for row in rows} == {"bytes"} and len({(row["process"], row["slice"]) for row in rows}) == len(rows)
    assert sum(float(row["value"]) for row in rows if 1 <= int(row["slice"]) <= len(iterations["slices"])) == sum(sums)
    assert run(options, "series", report, "--map", "--metric", "MPI bytes transferred").splitlines()[0] == "MPI bytes transferred (bytes)"
    page = run(options, "html", report, "-o", "-")
    head = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="heddle-head">([^<]*)<', page)[1])))["series"]["iterations"]
    shown = {one["id"]: one for one in head["counts"]}["bytes"]
    assert shown["name"] == "MPI bytes transferred (bytes)" and sum(shown["values"]) == sum(sums), shown
    assert sum(sum(values) for metric, _, _, *values in head["paths"] if metric == "bytes") == sum(sums)


def check_ranks(options):
    """Iterations that are joined are so on any ranks."""
    archive = pathlib.Path(options.work) / "joined"
    subprocess.run([options.sweep, archive, "2", "2", "--iterations", "1100", "--blocks", "1", "--rounds", "1"], check=True, timeout=HANG_SECONDS)
    reports = [pathlib.Path(options.work) / f"joined{k}.cubex" for k in (1, 2)]
    for report, more, launcher in zip(reports, ((), ("--threads", "1", "--placement", "cyclic")), ((), (options.mpirun, "-n", "2"))):
        run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--iterations", "iteration", "--no-delay", "--no-critical-path", *more, launcher=launcher)
    with tarfile.open(reports[0]) as a, tarfile.open(reports[1]) as b:
        for name in [name for name in a.getnames() if "iteration" in name] + ["heddle.verdicts.tsv", "heddle.clusters.tsv", "heddle.efficiency.tsv"]:
            assert a.extractfile(name).read() == b.extractfile(name).read(), name


def drift(options, name, *more, how=()):
    """A report of a program whose solve takes 1 us more in each iteration."""
    archive, report = pathlib.Path(options.work) / name, pathlib.Path(options.work) / f"{name}.cubex"
    shutil.rmtree(archive, ignore_errors=True)
    subprocess.run([options.drift, archive, *more], check=True, timeout=HANG_SECONDS)
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", *how, codes=(0, 3))
    return report


def changed(options, report, name, change):
    """The same report, with another table: change(row) gives its rows, None: without it."""
    other = pathlib.Path(options.work) / "changed.cubex"
    with tarfile.open(report) as old, tarfile.open(other, "w", format=tarfile.USTAR_FORMAT) as new:
        for member in old.getmembers():
            data = old.extractfile(member).read()
            if member.name == name:
                head, *lines = data.decode().splitlines()
                rows = [change(dict(zip(head.split("\t"), line.split("\t")))) for line in lines]
                data = "".join(line + "\n" for line in [head, *("\t".join(row.values()) for row in rows if row is not None)]).encode()
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return other


def check_none(options, report):
    """Reports without wait states, and with no MPI in the slices."""
    def is_time(row):
        return {**row, "first": "0", "values": "7"} if row["metric"] == "mpi" else row if row["metric"] == "comp" else None
    report = changed(options, report, "heddle.iteration-series.tsv", is_time)
    lines = run(options, "series", report, "--by", "iterations", "--width=200").splitlines()
    assert "  no wait states: no process or thread waited for another in them" in lines and not any(line.startswith("  MPI") for line in lines), lines
    assert run(options, "series", report, "--by", "iterations", "--metric", "mpi", "--width=200").splitlines()[1] == "  none in them"


def of_computation(options, report, *more, metric="comp"):
    rows = csv.DictReader(io.StringIO(run(options, "series", report, "--metric", metric, "--paths", "--csv", *more)))
    return {(row["path"].split(";")[-1], int(row["slice"])): (round(float(row["value"]) * 1e9), round(float(row["most"]) * 1e9), int(row["process"])) for row in rows}


def check_drift(options):
    """Computation that grows is found, and the function that makes it grow; where it does not, call paths are there if they are asked for."""
    named = ("--iterations", "iteration")
    report = drift(options, "drift", how=named)
    assert of_computation(options, report, "--by", "iterations") == {
        **{("solve", i): (4000 * i + 300, 1000 * i + 300, 1) for i in range(1, 41)}, **{("assemble", i): (40000, 10000, 0) for i in range(1, 41)}}
    text = " ".join(run(options, "summary", report).split())
    assert "Computation grows over 40 iterations, the first and the last left out: 64.3 us per iteration in the first quarter, 180 us in the last, most at main > iteration > solve from 24.3 us to 140 us." in text, text
    lines = run(options, "series", report, "--width=200").splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  Computation "))
    assert lines[at + 1:at + 3] == ["    growing", "    most in iteration 40 (0.0012022 s to 0.001253 s): 200 us, 4.09 %"], lines
    lines = run(options, "series", report, "--metric", "comp", "--paths", "--width=200").splitlines()
    assert lines[2:4] == ["    main > iteration > solve", "    growing"] and lines[6] == "    main > iteration > assemble" and lines[7].startswith("    most in"), lines
    verdict = next(row["verdict"] for row in json.loads(run(options, "series", report, "--json"))["iterations"]["verdicts"] if row["metric"] == "comp")
    assert "growing" in verdict["words"], verdict
    found = json.loads(run(options, "summary", report, "--json"))["computation_drift"]
    assert found["grows"] and found["iterations"] == 40 and found["most"]["call_path"] == ["main", "iteration", "solve"] and found["work_or_speed"] is None, found
    # iterations 2 to 10 and 31 to 39: of solve 4 processes of 6 and 35 us in the mean, and 300 ns; of assemble 40 us more
    assert [round(1e9 * value) for value in (found["most"]["first"], found["most"]["last"], found["first"], found["last"])] == [24300, 140300, 64300, 180300], found
    assert of_computation(options, report, metric="mpi") == {}
    longer = changed(options, report, "heddle.iterations.tsv", lambda row: {**row, "time": repr(float(row["time"]) * 1000)})
    assert "Computation grows" not in run(options, "summary", longer)
    assert json.loads(run(options, "summary", longer, "--json"))["computation_drift"] is None
    check_none(options, report)
    # calls that take longer, while computation does not: process 1 is there last, and spends least in them
    calls = drift(options, "calls", "--calls", how=named)
    assert of_computation(options, calls, "--by", "iterations") == of_computation(options, calls, "--by", "iterations", metric="mpi") == {}
    assert "heddle analyze --series all" in run(options, "series", calls, "--metric", "mpi", "--paths")
    calls = drift(options, "calls", "--calls", how=(*named, "--series", "all"))
    found = of_computation(options, calls, "--by", "iterations", metric="mpi")
    assert {place: value for place, value in found.items() if place[0] == "MPI_Allreduce"} == {
        ("MPI_Allreduce", i): (4 * (500 + 1000 * (i - 1)) + 3 * 300, 500 + 1000 * (i - 1) + 300, 0) for i in range(1, 41)}, found
    lines = run(options, "series", calls, "--metric", "mpi", "--paths", "--width=200").splitlines()
    assert lines[2:4] == ["    main > iteration > MPI_Allreduce", "    growing"], lines
    check_paths(options, calls, "--by", "iterations")
    check_all_series(lambda *words, **more: run(options, "series", *words, **more), calls, analyze(options, "pat-hybtask-2x3"), analyze(options, "npb-is-S-8", "--series=all", "--no-critical-path"), analyze(options, "pat-pthread-3"), pathlib.Path(options.work))
    found = drift(options, "found", how=())
    assert "most at main > iteration > solve" in " ".join(run(options, "summary", found).split())
    # a first iteration that takes longer, or a last one that has only its call, is no drift
    first = analyze(options, "npb-is-S-8")
    verdict = next(row["verdict"] for row in json.loads(run(options, "series", first, "--json"))["iterations"]["verdicts"] if row["metric"] == "comp")
    assert "shrinking" in verdict["words"] and "Computation shrinks" not in run(options, "summary", first), verdict
    assert "heddle analyze --series all" in run(options, "series", analyze(options, "pat-hybtask-2x3"), "--metric", "omp_time", "--paths")
    # behind one that hides it from the verdict of all, which shrinks or says nothing
    warm = run(options, "summary", drift(options, "warm-up", "--warm-up", how=named))
    assert "Computation grows over 40 iterations, the first and the last left out" in " ".join(warm.split()) and "most at main > iteration > solve" in " ".join(warm.split()), warm
    # half of solve is in an iteration inside of it, which is part of the outer one
    nested = of_computation(options, drift(options, "nested", "--nested", how=named), "--by", "iterations")
    assert nested["solve", 40][0] + nested["iteration", 40][0] == 160300 and nested["iteration", 40][0] == 80150, nested
    # process p has p iterations fewer: what it computes then is behind its last one
    fewer = of_computation(options, drift(options, "fewer", "--fewer", how=named), "--by", "iterations")
    assert fewer["solve", 38][0] == 3 * 38000 + 300 and fewer["solve", 40] == (40000, 40000, 0) and fewer["solve", 41][2] == 3, fewer
    # too few for a verdict, which does not say that it grows, or for the line of the summary
    for n, how, has in (("1", (), False), ("7", (), False), ("7", ("--series", "all"), True), ("9", (), True), ("10", (), True), ("2000", (), True)):
        report = drift(options, "few", "--iterations", n, how=(*named, *how))
        assert bool(of_computation(options, report, "--by", "iterations")) == has, (n, how)
        assert ("Computation grows" in run(options, "summary", report)) == (int(n) >= 10), n
        if not has:
            assert "heddle analyze --series all" in run(options, "series", report, "--paths", "--metric", "comp"), n
        check_sums(options, report, "--by", "iterations")
        check_paths(options, report, "--by", "iterations")
    # the same on ranks and threads
    reports = [drift(options, "drift", how=named + more) for more in (("--series", "all"),)]
    members = [tables(reports[0])]
    for n, threads in ((2, 2), (3, 1)):
        run(options, "analyze", pathlib.Path(options.work) / "drift", "-o", reports[0], "--force", "--quiet", *named, "--series", "all", "--threads", str(threads), launcher=(options.mpirun, "-n", str(n)))
        members.append(tables(reports[0]))
    assert members[0] == members[1] == members[2]
    assert sum(value for (path, slice), (value, _, _) in of_computation(options, reports[0], "--by", "windows").items() if path == "solve") == 4 * 820000 + 40 * 300
    broken = changed(options, reports[0], "heddle.iteration-count-series.tsv", lambda row: {**row, "values": "-1"})
    assert "Computation grows" in run(options, "summary", broken)           # that reads counters alone
    run(options, "series", broken, "--by", "iterations", codes=(1,), word="heddle.iteration-count-series.tsv")
    run(options, "diff", reports[0], reports[0])
    run(options, "html", reports[0], "-o", reports[0].with_suffix(".html"), "--force")


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "mpirun", "sweep", "drift", "work"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    pathlib.Path(options.work).mkdir(parents=True)

    for name in ("pat-mpi-4", "scorep-jacobi-hyb-c-4x2", "pat-hybtask-2x3", "pat-rma-4"):
        report = analyze(options, name)
        rows = check_sums(options, report)
        assert rows, name
        check_paths(options, report)
        check_lags(options, report)
        for n, threads in ((2, 2), (3, 1)):
            other = analyze(options, name, "--threads", str(threads), "--placement", "cyclic", launcher=(options.mpirun, "-n", str(n)))
            assert tables(other) == tables(report), (name, n, threads)
    report = pathlib.Path(options.work) / "pat-mpi-4.cubex"
    check_text(options, report, check_sums(options, report))
    check_damage(options, report)
    few = analyze(options, "pat-mpi-4", "--windows", "7")
    check_text(options, few, check_sums(options, few))
    check_drift(options)
    check_iterations(options)
    check_efficiencies(options)
    check_counts(options)
    check_many(options)
    check_ranks(options)
    check_wide(options)
    check_many_clusters(options)
    for left_out in (["--no-series"], ["--from", "1ms"], ["--compat", "scout26"]):
        run(options, "series", analyze(options, "pat-mpi-4", *left_out), codes=(1,), word="has no time series")
    run(options, "series", report, "--metric", "time", codes=(2,), word="no time series of metric")
    run(options, "analyze", DATA / "pat-mpi-4", "--windows", "1025", codes=(2,), word="at most 1024")


main()

#!/usr/bin/env python3
"""Delay costs over time: what heddle series says of them as text, CSV, JSON and heat map; direct ones by window are those of causes over time;
what makes a report have them.

usage: test_delay_series.py --heddle PROGRAM --work DIR
"""
import argparse
import collections
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess

from run_matrix import HANG_SECONDS, ROOT, TEMPORARY


def run_heddle(options, *arguments, codes=(0,), word=""):
    done = subprocess.run([options.heddle, *map(str, arguments)], capture_output=True, text=True, timeout=HANG_SECONDS,
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, COLUMNS="80"))
    assert done.returncode in codes and word in done.stderr, f"{arguments}: exit code {done.returncode}: {done.stderr}"
    return done.stdout


def rows_of(options, report, *more):
    return list(csv.DictReader(io.StringIO(run_heddle(options, "series", report, "--csv", *more))))


def check_lags(options, report):
    """The direct costs of each window, of all processes, are those of delays in it (in 1 / 256 of a tick)."""
    own, lags = collections.Counter(), collections.Counter()
    for row in rows_of(options, report, "--by", "windows"):
        if row["metric"].startswith("delay_") and not row["metric"].endswith("_longterm"):
            own[row["metric"], int(row["slice"])] += float(row["value"])
    for row in rows_of(options, report, "--lags"):
        if row["what"] == "delays":
            lags["delay_" + row["wait_state"], int(row["from"])] += float(row["value"])
    assert len(lags) > 50 and own.keys() == lags.keys(), (len(own), len(lags))
    assert all(abs(own[key] - lags[key]) < 1e-9 for key in lags), max(abs(own[key] - lags[key]) for key in lags)


def check_outputs(options, report):
    text = run_heddle(options, "series", report)
    assert "\nDelay costs (when waiting is caused), of all processes, by iteration\n  Late Sender, short-term " in text, text
    of, sums = json.loads(run_heddle(options, "series", report, "--json"))["iterations"], collections.Counter()
    for row in rows_of(options, report):
        if row["metric"].startswith("delay_") and 1 <= int(row["slice"]) <= len(of["slices"]):
            sums[row["metric"]] += float(row["value"])
    assert {"delay_latesender", "delay_latesender_longterm", "delay_n2n_longterm"} <= set(sums), sums
    for one in of["series"]:
        if one["metric"].startswith("delay"):
            assert abs(sum(one["values"]) - sums[one["metric"]]) < 1e-9, one["metric"]
    assert set(sums) == {one["metric"] for one in of["series"] if one["metric"].startswith("delay")}
    whole = json.loads(run_heddle(options, "series", report, "--json", "--metric", "delay"))["iterations"]
    assert abs(sum(sum(one["values"]) for one in whole["series"]) - sum(sums.values())) < 1e-9
    assert {one["process"] for one in whole["series"] if sum(one["values"]) > 0.1} == {0, 2, 4, 6}
    most = [(one["values"][i], value) for one in whole["paths"] for i, value in enumerate(one["most"])]
    assert None in [value for _, value in most]                                                    # of several metrics: not known
    assert all(value is None or 0 <= value <= whole_value for whole_value, value in most), most
    drawn = run_heddle(options, "series", report, "--metric", "delay_latesender_longterm", "--map").splitlines()
    assert drawn[0] == "Delay costs: Late Sender, long-term" and "down: process (8)" in drawn[1], drawn
    assert run_heddle(options, "series", report, "--map").splitlines()[0] == "Late Sender"         # the largest wait state
    assert "Delay costs" not in run_heddle(options, "series", report, "--paths")
    assert "solve > nap" in run_heddle(options, "series", report, "--paths", "--metric", "delay_latesender", "-n", "1")


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "work"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    folder = pathlib.Path(options.work)
    folder.mkdir(parents=True)
    for name, more in (("all", ("--series", "all")), ("windows", ("--series", "all", "--iterations", "none")), ("plain", ()), ("without", ("--series", "all", "--no-delay"))):
        run_heddle(options, "analyze", ROOT / "tests/data/pairs/stencil-8-f3", "-o", folder / f"{name}.cubex", "--force", "--quiet", *more, codes=(0, 3))
    check_outputs(options, folder / "all.cubex")
    check_lags(options, folder / "windows.cubex")
    run_heddle(options, "series", folder / "all.cubex", "--metric", "delay_rma", codes=(2,), word="the run has none of these")
    for name in ("plain", "without"):
        for how in ((), ("--map",)):
            run_heddle(options, "series", folder / f"{name}.cubex", "--metric", "delay", *how, codes=(2,), word="heddle analyze --series all, without --no-delay")
        assert "Delay costs" not in run_heddle(options, "series", folder / f"{name}.cubex")


main()

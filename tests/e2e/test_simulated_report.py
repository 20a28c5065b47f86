"""heddle simulate --output, --html, --trace, --metrics: analysis and archive of a simulated run.

  1. none: the report of heddle analyze, byte by byte but for OWN_ATTRIBUTES; the archive shows the same events at the same times (otf2-print)
  2. other hypotheses: heddle analyze of the archive gives the same report; its calls are where the simulation says; the time of each metric is
     that of the report
  3. the same on other ranks and threads
  4. what is refused

usage: test_simulated_report.py --heddle HEDDLE --mpirun PROGRAM --work FOLDER [--every] ARCHIVE...

Without --every other hypotheses are tried with some archives of tests/data only, which have to be among them; with it with all, but for those
that an archive refuses. Nothing else is tested then.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import sys
import tarfile

from otf2_text import otf2_text

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
from runner import few, run

OWN_ATTRIBUTES = {"Heddle::Archive", "Heddle::Simulation", "Heddle::Seconds", "Heddle::MemoryStartBytes", "Heddle::MemoryPeakBytes",
                  "Heddle::IdleShareOfThreads", "Heddle::Parked"}
HYPOTHESES = ["scale ** on process 0 7/3", "without ** + scale ** 1/3", "balance ** to least"]
RUNS = [(3, 2), (7, 1)]
ATTRIBUTE = re.compile(rb'<attr key="([^"]*)" value="([^"]*)"/>\s*')


def heddle(options, *words, expected=(0, 3), ranks=1, threads=1):
    launcher = [options.mpirun, "-n", str(ranks)] if ranks > 1 else []
    code, output, errors = run([*launcher, options.heddle, words[0], "--quiet", "--bind=none", f"--threads={threads}", *map(str, words[1:])])
    assert code in expected, (words, code, errors)
    return code, output, errors


def parts_of(report):
    """{name: bytes}, with the attributes of the anchor as a dictionary."""
    parts = {}
    with tarfile.open(report) as archive:
        for member in archive:
            parts[member.name] = archive.extractfile(member).read()
    anchor = parts["anchor.xml"]
    parts["attributes"] = {key.decode(): value for key, value in ATTRIBUTE.findall(anchor) if key.decode() not in OWN_ATTRIBUTES}
    parts["anchor.xml"] = ATTRIBUTE.sub(b"", anchor).rstrip()
    return parts


def check_same(report, expected, what, is_same_run=True):
    """is_same_run: on the same ranks and threads, which attributes tell."""
    got, wanted = parts_of(report), parts_of(expected)
    if not is_same_run:
        got["attributes"] = wanted["attributes"] = {}
    assert got.keys() == wanted.keys(), (what, got.keys() ^ wanted.keys())
    for name, part in wanted.items():
        assert got[name] == part, (what, name, got[name], part)


def events_of(anchor):
    if shutil.which("otf2-print") is None:
        return None
    shown = otf2_text(anchor)
    assert shown.code == 0 and not shown.errors, (anchor, shown.errors)
    return shown.events


def anchor_of(archive):
    anchor, = pathlib.Path(archive).glob("*.otf2")
    return anchor


def simulate(options, archive, hypothesis, name, *words, **where):
    """(document, report, archive)"""
    report, trace = options.work / f"{name}.cubex", options.work / name
    code, output, _ = heddle(options, "simulate", archive, "--what-if", hypothesis, "--output", report, "--trace", trace, "--force", "--json",
                             "--instances=3", *words, **where)
    return code, json.loads(output), report, trace


def check_identity(options, archive):
    analysed = options.work / "analysed.cubex"
    expected_code, _, _ = heddle(options, "analyze", archive, "--output", analysed, "--instances=3", "--force")
    code, _, report, trace = simulate(options, archive, "none", "none")
    assert code == expected_code, archive
    check_same(report, analysed, archive)
    assert events_of(trace / "traces.otf2") == events_of(anchor_of(archive)), archive
    for ranks, threads in few(RUNS):
        _, _, report, _ = simulate(options, archive, "none", "none", ranks=ranks, threads=threads)
        check_same(report, analysed, (archive, ranks, threads), False)


def calls_of(path, column):
    return [line.split("\t")[:3] + line.split("\t")[column:column + 2] for line in path.read_text().splitlines()[1:]]


def times_of(one):
    return {row["metric"]: row["time"] for row in one["metrics"] if row["time"] != 0}


def check_moved(options, archive, hypothesis):
    new, again, analysed = options.work / "new.tsv", options.work / "again.tsv", options.work / "analysed.cubex"
    _, document, report, trace = simulate(options, archive, hypothesis, "moved", "--times", new, "--metrics")
    outcome, = document["hypotheses"]
    heddle(options, "analyze", trace, "--output", analysed, "--instances=3", "--force")
    check_same(report, analysed, (archive, hypothesis))
    assert parts_of(report)["anchor.xml"] != b"" and b"Heddle::Simulation" in raw_anchor(report)
    _, output, _ = heddle(options, "simulate", trace, "--what-if", "none", "--times", again, "--force", "--json", "--metrics")
    recorded = json.loads(output)["recorded"]
    assert calls_of(new, 5) == calls_of(again, 3), (archive, hypothesis)
    for member in "run_time", "run_time_whole":
        assert recorded[member] == outcome[member], (archive, hypothesis, member)
    assert times_of(recorded) == times_of(outcome), (archive, hypothesis)
    _, _, other, _ = simulate(options, archive, hypothesis, "other", ranks=3, threads=2)
    check_same(other, report, (archive, hypothesis), False)


def raw_anchor(report):
    with tarfile.open(report) as archive:
        return archive.extractfile("anchor.xml").read()


def is_accepted(options, archive, hypothesis):
    code, _, _ = heddle(options, "simulate", archive, "--what-if", hypothesis, expected=(0, 2, 3))
    return code != 2


def check_page(options, archive):
    report, page = options.work / "page.cubex", options.work / "page.html"
    heddle(options, "simulate", archive, "--what-if", "scale main 2", "--output", report, "--html", page, "--force")
    assert b"<title>page.cubex, simulated: scale main 2</title>" in page.read_bytes()
    _, output, _ = run([options.heddle, "summary", str(report)])
    assert output.startswith(b"Simulated run, not a recorded one: scale main 2\n"), output[:200]
    _, output, _ = run([options.heddle, "diff", str(options.work / "none.cubex"), str(report)])
    assert b"page.cubex" in output, output


def check_refused(options, archive):
    report, trace = options.work / "refused.cubex", options.work / "refused"
    report.unlink(missing_ok=True), shutil.rmtree(trace, ignore_errors=True)
    none = ["simulate", archive, "--what-if", "none"]
    for words, code, text in [
            ([*none, "--what-if", "without MPI_Barrier", "--output", report], 2, "there are 2 hypotheses"),
            ([*none, "--what-if", "without MPI_Barrier", "--trace", trace], 2, "there are 2 hypotheses"),
            ([*none, "--html", options.work / "page.html"], 2, "--output SIM.cubex"),
            ([*none, "--instances", "3"], 2, "only with --output"),
            ([*none, "--output", options.work / "none.cubex"], 1, "the report exists already"),
            ([*none, "--trace", options.work / "none"], 1, "exists already"),
            (["simulate", options.work / "none", "--what-if", "none", "--trace", options.work / "none", "--force"], 2, "cannot replace the one"),
            ([*none, "--trace", options.work / "nowhere" / "archive"], 1, "cannot be written")]:
        got, _, errors = heddle(options, *words, expected=(1, 2))
        assert got == code and text in errors.decode(), (words, got, errors)
    assert not report.exists() and not trace.exists()
    assert not list(options.work.glob("*.tmp-*"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("archives", nargs="+")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    archives = {os.path.basename(archive): archive for archive in options.archives}
    for archive in few(options.archives):
        check_identity(options, archive)
    if options.every:
        for archive in options.archives:
            for hypothesis in HYPOTHESES:
                if is_accepted(options, archive, hypothesis):
                    check_moved(options, archive, hypothesis)
        return 0
    for name, hypothesis in zip(["pat-topo-6", "pat-mpi-4", "pat-nbc-4", "pat-rma-4"], [HYPOTHESES[0], *HYPOTHESES]):
        check_moved(options, archives[name], hypothesis)
    check_page(options, archives["pat-mpi-4"])
    check_refused(options, archives["pat-mpi-4"])
    return 0


if __name__ == "__main__":
    sys.exit(main())

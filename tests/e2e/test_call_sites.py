#!/usr/bin/env python3
"""Where call paths are called: from the places of calling contexts (tests/writer/call_site_archive.c) to the report, the same for any
ranks and threads, and to the text, JSON and the HTML report. Calls from several places have none.

usage: test_call_sites.py --heddle PROGRAM --mpirun PROGRAM --writer PROGRAM --work DIR
"""
import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import xml.etree.ElementTree
import zlib

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT

SITES = {"main": None, "main;solve": "/home/me/main.c:12", "main;solve;MPI_Send": "/home/me/solve.c:33",
         "main;solve;MPI_Recv": "/home/me/solve.c:33", "main;solve;norm": None, "main;exchange": None, "main;exchange;leaf": None}
RUNS = [(1, 1, "block"), (1, 3, "cyclic"), (2, 1, "block"), (2, 2, "cyclic"), (4, 1, "block"), (3, 2, "node")]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=HANG_SECONDS,
                          env={**os.environ, **MPI_ENVIRONMENT})
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stderr}"
    return done.stdout


def sites_of(report):
    """Of each call path of a report: file and line of the call, as the format has them."""
    with tarfile.open(report) as archive:
        root = xml.etree.ElementTree.fromstring(archive.extractfile("anchor.xml").read())
    names = {region.get("id"): region.findtext("name") for region in root.iter("region")}
    sites = {}

    def visit(node, above):
        path = above + [names[node.get("calleeId")]]
        sites[";".join(path)] = f"{node.get('mod')}:{node.get('line')}" if node.get("line") is not None else None
        assert (node.get("mod") is None) == (node.get("line") is None), path
        for child in node.findall("cnode"):
            visit(child, path)

    for node in root.find("program").findall("cnode"):
        visit(node, [])
    return sites


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "mpirun", "writer", "work"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    options = parser.parse_args()
    work, heddle = options.work, options.heddle
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)

    def analyze(archive, ranks, threads, *more):
        report = work / "report.cubex"
        run(options.mpirun, "-n", ranks, heddle, "analyze", archive, "-o", report, "-f", "-q", f"--threads={threads}", *more)
        return report

    run(options.writer, work / "placed")
    run(options.writer, work / "bare", "--without-places")
    for ranks, threads, placement in RUNS:
        found = sites_of(analyze(work / "placed", ranks, threads, f"--placement={placement}"))
        assert {path: found.get(path, "no such path") for path in SITES} == SITES, (ranks, threads, placement, found)
    for archive, more in (("bare", []), ("placed", ["--compat=scout26"])):
        assert set(sites_of(analyze(work / archive, 2, 1, *more)).values()) == {None}, (archive, more)
    roi = sites_of(analyze(work / "placed", 2, 1, "--roi=norm"))
    assert roi["main;solve"] == SITES["main;solve"] and roi["main;solve;norm"] is None, roi

    report = analyze(work / "placed", 2, 2)
    for command in ("summary", "causes"):
        text = run(heddle, command, report)
        assert re.search(r"^ +called at solve\.c:33$" if command == "summary" else r"called at (solve\.c:33|main\.c:12)", text, re.M), text
    assert "called at /home/me/solve.c:33" in run(heddle, "summary", report, "--verbose")
    waits = json.loads(run(heddle, "summary", report, "--json"))["waits"]
    sources = [place["source"] for wait in waits for place in wait["call_paths"]]
    assert {"file": "/home/me/solve.c", "line": 33, "region": "MPI_Recv", "is_call": True} in sources, sources
    page = work / "page.html"
    run(heddle, "html", report, "-o", page)
    head = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="heddle-head">([^<]*)<', page.read_text())[1])))
    assert sorted(call[1:] for call in head["calls"]) == [["/home/me/main.c", 12]] + 2 * [["/home/me/solve.c", 33]], head["calls"]


if __name__ == "__main__":
    main()

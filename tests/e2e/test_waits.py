#!/usr/bin/env python3
"""Who waits for whom at the end of a real archive whose event files are cut: in the tables, the drawing and the summary, the same for any ranks
and threads, and gone when the report is replaced by one of the whole archive.

usage: test_waits.py --openmpi|--mpich HEDDLE --work DIR ARCHIVE
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

from run_matrix import Build, Failure, run as run_command

SIZES = (5000, 8000, 12000)  # of each event file [bytes]
RUNS = ((1, 1, "block"), (1, 3, "cyclic"), (3, 2, "block"))
HEAD = "Unfinished operations (wait-for graph)"
NODE = re.compile(r'  n(\d+) \[shape=\w+(?:, color=\w+, penwidth=2)?, label="(?:[^"\\]|\\.)*"\];')
EDGE = re.compile(r'  n(\d+) -> n(\d+) \[style=(solid|dashed)(?:, color=red)?(?:, label="(?:[^"\\]|\\.)*")?\];')


def cut(archive, folder, size):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(archive, folder)
    for path in (folder / "traces").glob("*.evt"):
        with open(path, "r+b") as file:
            file.truncate(size)
    return folder / "traces.otf2"


def tables(report):
    """Both as lists of {column: field}; None where there are none."""
    with tarfile.open(report) as archive:
        names = [name for name in archive.getnames() if "wait" in name]
        if not names:
            return None
        texts = [archive.extractfile(name).read().decode() for name in ("heddle.waitgraph.tsv", "heddle.waits.tsv")]
    rows = [[line.split("\t") for line in text.split("\n") if line] for text in texts]
    return [[dict(zip(table[0], row, strict=True)) for row in table[1:]] for table in rows]


def check_tables(nodes, edges):
    """They fit together: what waits has an edge to what it waits for, and nothing else has one."""
    for i, node in enumerate(nodes):
        waits = [edge for edge in edges if int(edge["from"]) == i]
        if int(node["node"]) != i or (node["kind"] in ("waits", "operation")) != bool(waits):
            raise Failure(f"node {i} has {len(waits)} waits: {node}")
        if node["kind"] in ("waits", "stopped") and node["cut"] != node["count"]:
            raise Failure(f"all recordings are cut, but not that of {node}")
        if node["blocked"] == "certain" and node["kind"] == "waits":
            raise Failure(f"who can go on behind the cut is said to be blocked for certain: {node}")


def check_drawing(text, nodes, edges):
    lines = text.splitlines()
    if lines[0] != "digraph waits {" or lines[-1] != "}":
        raise Failure(f"no drawing: {lines[0]!r} ... {lines[-1]!r}")
    drawn = [NODE.fullmatch(line) for line in lines[3:3 + len(nodes)]]
    arrows = [EDGE.fullmatch(line) for line in lines[3 + len(nodes):-1]]
    if not all(drawn) or not all(arrows):
        raise Failure(f"the drawing is no text of Graphviz: {text}")
    if [(a[1], a[2]) for a in arrows] != [(e["from"], e["to"]) for e in edges]:
        raise Failure("the drawing has other waits than the table")


def section(output):
    """The lines of the summary's section, without those of other sections."""
    return output.partition(HEAD)[2].partition("\n\n")[0]


def check(build, anchor, work):
    """Whether a process waits."""
    report, drawing = work / "r.cubex", work / "r.waitgraph.dot"
    seen = []
    for run in RUNS:
        build.analyze(anchor, report, *run)
        drawn = drawing.read_text() if drawing.exists() else None
        seen.append((tables(report), drawn))
        if seen[-1] != seen[0]:
            raise Failure(f"who waits for whom is not that of one rank and thread on {run}")
    if (seen[0][0] is None) != (seen[0][1] is None):
        raise Failure("there is only one of tables and drawing")
    code, summary, errors = run_command([build.heddle, "summary", str(report)])
    if code != 0:
        raise Failure(f"exit code {code} of heddle summary: {errors}")
    if (HEAD in summary) != (seen[0][0] is not None):
        raise Failure(f"the summary tells of waits, or not, unlike the tables:\n{summary}")
    if seen[0][0] is None:
        return False
    check_tables(*seen[0][0])
    check_drawing(seen[0][1], *seen[0][0])
    told = subprocess.run([build.heddle, "analyze", str(anchor), "-o", str(report), "--force", "--threads", "1"], capture_output=True, text=True)
    if HEAD in summary and "\nEfficiencies\n" in summary and not (summary.index(HEAD) < summary.index("\nEfficiencies\n") and
                                                                  "; ends where processes block" in summary):
        raise Failure(f"what is blocked does not stand before the efficiencies, or these do not say where they end:\n{summary}")
    if told.returncode != 3 or section(told.stdout) != section(summary) or not section(summary).strip():
        raise Failure(f"analyze tells another thing than summary:\n{section(told.stdout)}\n{section(summary)}")
    if f"drawing:  {drawing}" not in told.stderr:
        raise Failure(f"no warning names the drawing: {told.stderr}")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--openmpi")
    parser.add_argument("--mpich")
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("archive", type=pathlib.Path)
    options = parser.parse_args()
    build = Build("openmpi", options.openmpi) if options.openmpi else Build("mpich", options.mpich)
    options.work.mkdir(parents=True, exist_ok=True)
    try:
        n = sum(check(build, cut(options.archive, options.work / "cut", size), options.work) for size in SIZES)
        if n < 2:
            raise Failure(f"a process waits in {n} of {len(SIZES)} archives only")
        report = options.work / "r.cubex"
        build.analyze(options.archive / "traces.otf2", report)
        if tables(report) is not None or (options.work / "r.waitgraph.dot").exists():
            raise Failure("the drawing of an earlier report is still there, or a whole archive has one")
    except Failure as failure:
        sys.exit(str(failure))
    print(f"{n} of {len(SIZES)} archives that are cut have a graph, the same on {len(RUNS)} runs; the whole one has none")


if __name__ == "__main__":
    main()

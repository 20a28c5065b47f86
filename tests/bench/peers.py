#!/usr/bin/env python3
"""What a user would run instead of heddle, on the same archives: seconds, and as a multiple of what heddle takes.

usage: peers.py --build DIR --work DIR [ARCHIVE...]

Each is a whole program from its start to its end, one process and thread, the best of several runs, with the archive in the page cache.
What is not installed is named and left out:

  otf2-print            prints every record, to /dev/null (package otf2-tools)
  Python's otf2         a loop over all events that does nothing (package python3-otf2)
  scout.mpi             Scalasca's analysis, on as many processes as the archive has (of a copy of the archive: it writes beside it)

Without archives: three that are written for it.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from run_matrix import MPI_ENVIRONMENT, first_program  # noqa: E402

KINDS = (("mixed", 1_000_000), ("waitall", 300_000), ("rma", 300_000))
REPEATS = 3
LOOP = "import sys, otf2\nwith otf2.reader.open(sys.argv[1]) as trace:\n    for location, event in trace.events:\n        pass\n"


def python_with_otf2():
    """None: there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.access(python, os.X_OK) and subprocess.run([python, "-c", "import otf2"], capture_output=True).returncode == 0:
            return python
    return None


class Peers:
    def __init__(self, build, work):
        self.heddle, self.work = build / "heddle", work / "peers"
        self.print, self.python, self.scout = shutil.which("otf2-print"), python_with_otf2(), shutil.which("scout.mpi")
        self.mpirun = first_program("mpirun.openmpi", "mpirun")
        self.work.mkdir(parents=True, exist_ok=True)

    def missing(self):
        found = {"otf2-print": self.print, "Python's otf2": self.python, "scout.mpi": self.scout and self.mpirun}
        return [name for name, path in found.items() if not path]

    def seconds(self, command):
        """None: it failed. Said on stderr."""
        best = None
        for _ in range(REPEATS):
            start = time.monotonic()
            done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace", env={**os.environ, **MPI_ENVIRONMENT})
            if done.returncode != 0:
                print(f"peers: exit code {done.returncode} of {' '.join(map(str, command))}\n{done.stderr[-500:]}", file=sys.stderr)
                return None
            took = time.monotonic() - start
            best = took if best is None else min(best, took)
        return best

    def scout_seconds(self, anchor, n_processes):
        copy = self.work / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(anchor.parent, copy)
        return self.seconds([self.mpirun, "-n", n_processes, self.scout, copy / anchor.name])

    def rows(self, anchor):
        """(what is run, seconds or None), heddle first; and how many events."""
        analyze = [self.heddle, "analyze", anchor, "-o", self.work / "peers.cubex", "--force", "--no-summary", "--threads", 1]
        said = subprocess.run([str(word) for word in [*analyze, "--verbose"]], capture_output=True, text=True)
        numbers = dict(re.findall(r"\b(processes|events)=([\d,]+)", said.stderr))
        if "events" not in numbers:
            sys.exit(f"peers: heddle analyze {anchor} ended with {said.returncode}\n{said.stderr}")
        rows = [("heddle analyze", self.seconds(analyze)),
                ("heddle analyze without causes", self.seconds([*analyze, "--no-delay", "--no-critical-path"]))]
        if self.print:
            rows.append(("otf2-print", self.seconds([self.print, anchor])))
        if self.python:
            rows.append(("Python's otf2", self.seconds([self.python, "-c", LOOP, anchor])))
        if self.scout and self.mpirun:
            rows.append(("scout.mpi", self.scout_seconds(anchor, int(numbers["processes"].replace(",", "")))))
        return rows, int(numbers["events"].replace(",", ""))

    def show(self, anchor):
        rows, n_events = self.rows(anchor)
        base = rows[0][1]
        print(f"{anchor.parent.name}, {n_events:,} events")
        for name, took in rows:
            if took is None or base is None:
                print(f"  {name:<32}   failed")
            else:
                print(f"  {name:<32} {took:8.3f} s {took / base:8.2f} x {n_events / took / 1e6:8.2f} million events/s")
        sys.stdout.flush()

    def written(self, writer):
        for kind, n_events in KINDS:
            folder = self.work / kind
            if not (folder / "traces.otf2").exists():
                shutil.rmtree(folder, ignore_errors=True)
                subprocess.run([writer, kind, folder, "--events", str(n_events)], check=True, stdout=subprocess.DEVNULL)
            yield folder / "traces.otf2"


def anchor_of(path):
    """Of an archive's folder, too."""
    if path.is_dir():
        anchors = sorted(path.glob("*.otf2"))
        if len(anchors) != 1:
            sys.exit(f"peers: {path} has {len(anchors)} files .otf2, not one")
        return anchors[0]
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("archives", nargs="*", type=pathlib.Path, metavar="ARCHIVE", help="an anchor file, or its folder")
    options = parser.parse_args()
    build, work = options.build.resolve(), options.work.resolve()
    subprocess.run(["cmake", "--build", build, "--target", "heddle", "tw_bench"], check=True, stdout=subprocess.DEVNULL)
    peers = Peers(build, work)
    if peers.missing():
        print(f"not installed here: {', '.join(peers.missing())}")
    writer = next(path for path in build.rglob("tw_bench") if path.is_file() and os.access(path, os.X_OK))
    for anchor in [anchor_of(path) for path in options.archives] or peers.written(writer):
        peers.show(anchor)


if __name__ == "__main__":
    main()

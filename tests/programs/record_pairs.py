#!/usr/bin/env python3
"""Runs programs before and after a change, with heddle record, and compares the run after it with what heddle simulate predicts from the
run before it, in both directions: rows of docs/studies/simulation.md. Nothing is checked: how far off a prediction is depends on the machine.

usage: record_pairs.py --heddle PROGRAM --mpirun PROGRAM --programs DIR --work DIR [--runs 5] [--only NAME] [--keep]

--keep: what is recorded already is not recorded again. Each variant is run --runs times, and the median run is taken.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runner"))
from runner import ENVIRONMENT  # noqa: E402

# Name, program, ranks, arguments before and after, hypotheses there and back (several: alternatives).
PAIRS = [
    ("messages", "pair_messages", 4, ["3"], ["1"], ["scale ** on process 3 1/3"], ["scale ** on process 3 3"]),
    ("nonblocking", "pair_nonblocking", 4, ["3"], ["1"], ["scale ** on process 0,1 1/3", "balance ** to least"], ["scale ** on process 0,1 3"]),
    ("fence", "pair_fence", 4, ["3"], ["1"], ["scale ** on process 1,3 1/3", "balance ** to least"], ["scale ** on process 1,3 3"]),
    ("loop", "pair_loop", 2, ["3"], ["1"], ["scale !$omp parallel @main on thread 0 1/3"], ["scale !$omp parallel @main on thread 0 3"]),
    ("tasks", "pair_tasks", 2, ["3"], ["1"], ["scale TASKS 1/3"], ["scale TASKS 3"]),
    ("sweep", "pair_sweep", 6, ["3", "1"], ["1.6667", "1.6667"], ["balance **"], []),
    ("sweep", "pair_sweep", 6, ["3", "1"], ["1", "1"], ["scale ** on process 0,3 1/3", "balance ** to least"], ["scale ** on process 0,3 3"]),
]


def run(words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env={**os.environ, **ENVIRONMENT, "OMP_NUM_THREADS": "3"}, **more)
    if done.returncode != 0:
        sys.exit("%s\nexit status %d\n%s" % (" ".join(map(str, words)), done.returncode, done.stderr))
    return done.stdout


def simulate(options, archive, texts):
    words = [word for text in texts for word in ("--what-if", text)]
    return json.loads(run([options.heddle, "simulate", "--quiet", "--json", *words, archive]))


def record(options, name, program, ranks, arguments):
    """The archive of the median run."""
    folder = options.work / ("-".join([name, *arguments]))
    if not (options.keep and folder.is_dir()):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for i in range(options.runs):
            run([options.mpirun, "-n", ranks, options.heddle, "record", "--quiet", "-o", folder / str(i), "--", options.programs / program, *arguments])
    runs = sorted((simulate(options, archive, ["none"])["recorded"]["run_time"], archive) for archive in folder.iterdir())
    middle = runs[(len(runs) - 1) // 2]
    assert middle[0] == statistics.median_low(time for time, _ in runs)
    print("%s: %s s" % (folder.name, " ".join("%.4f" % time for time, _ in runs)), file=sys.stderr)
    return middle[1]


def worst_call(predicted, target, n_processes):
    """The MPI function whose time is furthest off: (name, seconds off, relative), of those beyond 10 % and 1 % of the run of all processes."""
    calls = {call["region"]: call["time"] for call in target["calls"]}
    off = []
    for call in predicted["calls"]:
        there = calls.get(call["region"], 0)
        if call["region"] in ("MPI_Init", "MPI_Init_thread", "MPI_Finalize"):
            continue
        far = abs(call["time"] - there)
        if far > 0.1 * there and far > 0.01 * target["run_time"] * n_processes:
            off.append((far, "%s %.1f ms instead of %.1f ms" % (call["region"], 1000 * call["time"], 1000 * there)))
    return max(off)[1] if off else "all within"


def compare(options, name, source, target, texts, ranks):
    if not texts:
        return
    document, after = simulate(options, source, texts), simulate(options, target, ["none"])["recorded"]
    for predicted in document["hypotheses"]:
        print("| %s | `%s` | %.4f | %.4f | %.4f | %+.2f %% | %s |" % (
            name, predicted["text"], document["recorded"]["run_time"], predicted["run_time"], after["run_time"],
            100 * (predicted["run_time"] / after["run_time"] - 1), worst_call(predicted, after, ranks)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True, type=pathlib.Path)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for name, program, ranks, before, after, there, back in PAIRS:
        if options.only not in (None, name):
            continue
        sides = [record(options, name, program, ranks, arguments) for arguments in (before, after)]
        compare(options, "%s %s, %s" % (name, " ".join(before), " ".join(after)), *sides, there, ranks)
        compare(options, "%s %s, %s" % (name, " ".join(after), " ".join(before)), *reversed(sides), back, ranks)
        sys.stdout.flush()


if __name__ == "__main__":
    main()

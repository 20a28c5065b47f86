"""heddle simulate of random programs: with "none" every call is as recorded, on one rank and on others, and so is the report.

usage: test_simulated_random.py --heddle HEDDLE --mpirun PROGRAM --random TW_RANDOM --work FOLDER [--programs N] [--on-ranks N] [--reports N]
           [--from SEED]

Programs are those of tw_random, in turn of plain MPI, on several nodes, of one-sided communication, and of threads: N in all. The first
--on-ranks of them are simulated on 3 x 2 and 7 x 1 ranks and threads, too, and the report of "none" of the first --reports is compared with
that of heddle analyze.
"""
import argparse
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
from runner import run
from test_simulated_report import RUNS, check_same, heddle

KINDS = [[], ["nodes"], ["rma"], ["threads"]]


def simulate(options, archive, ranks=1, threads=1):
    _, output, _ = heddle(options, "simulate", archive, "--json", "--what-if", "none", ranks=ranks, threads=threads)
    return output


def check_program(options, seed, number):
    """Number of calls, and of those that depend on others."""
    archive = options.work / "program"
    shutil.rmtree(archive, ignore_errors=True)
    code, _, errors = run([options.random, str(seed), str(archive), *KINDS[number % len(KINDS)]])
    assert code == 0, (seed, errors)
    output = simulate(options, archive)
    document = json.loads(output)
    none = document["hypotheses"][0]
    assert none["moved_calls"] == 0 and document["counts"]["cycles"] == 0, (seed, KINDS[number % len(KINDS)], none, document["counts"])
    assert all(none[member] == document["recorded"][member] for member in ("run_time", "run_time_whole", "calls")), (seed, none)
    for ranks, threads in RUNS if number < options.on_ranks else ():
        assert simulate(options, archive, ranks, threads) == output, (seed, ranks, threads)
    if number < options.reports:
        analysed, simulated = options.work / "analysed.cubex", options.work / "simulated.cubex"
        heddle(options, "analyze", archive, "--output", analysed, "--force")
        heddle(options, "simulate", archive, "--what-if", "none", "--output", simulated, "--force")
        check_same(simulated, analysed, (seed, KINDS[number % len(KINDS)]))
    return document["counts"]["calls"], document["counts"]["dependencies"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--random", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--on-ranks", type=int, default=8)
    parser.add_argument("--reports", type=int, default=12)
    parser.add_argument("--from", type=int, default=1, dest="first")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    sums = [0, 0]
    for number in range(options.programs):
        counts = check_program(options, options.first + number, number)
        sums = [total + count for total, count in zip(sums, counts)]
    assert all(sums), sums
    print("%d programs, %d calls, %d dependencies: all as recorded" % (options.programs, *sums))
    return 0


if __name__ == "__main__":
    sys.exit(main())

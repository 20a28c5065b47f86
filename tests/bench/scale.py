#!/usr/bin/env python3
"""Analyses sweeps of 16 to 65,536 processes and prints what they took as a table; docs/performance.md has it.

usage: scale.py --build DIR --work DIR [--largest PROCESSES] [--ranks N,N,...]

Each process computes, sends and receives in 8 sweeps of 12 blocks, with an allreduce of all behind them, and goes through 20 rounds of an
allreduce in its row, one in its column, and a barrier of all. Memory is that of all ranks together, and beyond what MPI took at its start.
"""
import argparse
import re
import shutil
import sys

from bench import Bench

SIDES = (4, 8, 16, 32, 64, 128, 256)
PROGRAM = ("--iterations", 1, "--blocks", 12, "--rounds", 20)


class Scale(Bench):
    def row(self, archive, side, ranks):
        threads = 2 if ranks == 1 else 1
        report = self.work / "scale.cubex"
        said = self.run([*([] if ranks == 1 else [self.mpirun, "-n", ranks]), self.heddle, "analyze", archive, "-o", report, "--force",
                         "--no-summary", "--verbose", "--threads", threads])
        number = {name: float(value) for name, value in re.findall(r"\b(\w+)=([0-9.]+)", said)}
        memory = number["memory_peak_bytes"] - number["memory_start_bytes"]
        print(f"| {side * side:,} | {number['events']:,.0f} | {number['archive_bytes'] / 1e6:,.1f} | {ranks} × {threads} | {number['seconds']:,.1f} "
              f"| {memory / 1e6:,.0f} | {memory / side / side / 1e3:,.0f} | {report.stat().st_size / 1e6:,.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--largest", type=int, default=65536, metavar="PROCESSES", help="leave out larger grids")
    parser.add_argument("--ranks", default="1,2,8", help="numbers of analysis ranks, for the largest one; the others on 1")
    options = parser.parse_args()
    options.quick = options.only = None
    scale = Scale(options)
    scale.compile("tw_sweep")
    sides = [side for side in SIDES if side * side <= options.largest]
    print("| processes | events | archive [MB] | ranks × threads | time [s] | memory [MB] | per process [KB] | report [MB] |\n"
          "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for side in sides:
        archive = scale.work / f"scale-{side}"
        shutil.rmtree(archive, ignore_errors=True)
        scale.run([scale.writer, archive, side, side, *PROGRAM])
        for ranks in map(int, options.ranks.split(",")) if side == sides[-1] else (1,):
            scale.row(archive, side, ranks)
        shutil.rmtree(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())

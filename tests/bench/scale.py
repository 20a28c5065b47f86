#!/usr/bin/env python3
"""Analyses archives of 16 to 65,536 processes and prints what they took as a table; docs/performance.md has it.

usage: scale.py --build DIR --work DIR [--load sweep|multigrid] [--largest PROCESSES] [--ranks N,N,...]

sweep: each process computes, sends and receives in 8 sweeps of 12 blocks, with an allreduce of all behind them, and goes through 20 rounds of an
allreduce in its row, one in its column, and a barrier of all. multigrid: two cycles of a program whose processes have irregular neighbours, on
as many levels as the logarithm of their number (tw_multigrid). Memory is that of all ranks together, and beyond what MPI took at its start.
"""
import argparse
import re
import shutil
import sys

from bench import Bench

LEVELS = (4, 6, 8, 10, 12, 14, 16)  # logarithms of the numbers of processes
LOADS = {  # writer, and its arguments behind the folder
    "sweep": ("tw_sweep", lambda level: (1 << level // 2, 1 << level // 2, "--iterations", 1, "--blocks", 12, "--rounds", 20)),
    "multigrid": ("tw_multigrid", lambda level: (level,)),
}


class Scale(Bench):
    def row(self, archive, processes, ranks):
        threads = 2 if ranks == 1 else 1
        report = self.work / "scale.cubex"
        said = self.run([*([] if ranks == 1 else [self.mpirun, "-n", ranks]), self.heddle, "analyze", archive, "-o", report, "--force",
                         "--no-summary", "--verbose", "--threads", threads])
        number = {name: float(value) for name, value in re.findall(r"\b(\w+)=([0-9.]+)", said)}
        memory = number["memory_peak_bytes"] - number["memory_start_bytes"]
        print(f"| {processes:,} | {number['events']:,.0f} | {number['archive_bytes'] / 1e6:,.1f} | {ranks} × {threads} | {number['seconds']:,.1f} "
              f"| {memory / 1e6:,.0f} | {memory / processes / 1e3:,.0f} | {report.stat().st_size / 1e6:,.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--load", choices=LOADS, default="sweep", help="what the program does")
    parser.add_argument("--largest", type=int, default=65536, metavar="PROCESSES", help="leave out larger numbers")
    parser.add_argument("--ranks", default="1,2,8", help="numbers of analysis ranks, for the largest one; the others on 1")
    options = parser.parse_args()
    options.quick = options.only = None
    scale = Scale(options)
    writer, words = LOADS[options.load]
    scale.compile(writer)
    levels = [level for level in LEVELS if 1 << level <= options.largest]
    print("| processes | events | archive [MB] | ranks × threads | time [s] | memory [MB] | per process [KB] | report [MB] |\n"
          "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for level in levels:
        archive = scale.work / f"scale-{1 << level}"
        shutil.rmtree(archive, ignore_errors=True)
        scale.run([scale.writer, archive, *words(level)])
        for ranks in map(int, options.ranks.split(",")) if level == levels[-1] else (1,):
            scale.row(archive, 1 << level, ranks)
        shutil.rmtree(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())

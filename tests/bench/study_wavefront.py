#!/usr/bin/env python3
"""The wavefront study: how waiting and its causes grow with the grid that a sweep goes over; docs/studies/wavefront.md has what it shows.

usage: study_wavefront.py --build DIR --work DIR [--largest PROCESSES] [--pictures DIR]
"""
import argparse
import pathlib
import shutil
import sys

from bench import Bench

SIDES = (16, 32, 64, 128)
PICTURES_OF = 64
PROGRAM = ("--iterations", 1, "--blocks", 130, "--slow", 5)
MAPS = ("mpi_latesender", "delay_latesender", "delay_latesender_longterm")


class Study(Bench):
    def topology(self, report, metric, *more):
        return self.run([self.heddle, "topology", report, "--metric", metric, *more])

    def total(self, report, metric):
        """Over all processes."""
        head, *places = (line.split("\t") for line in self.topology(report, metric, "--tsv").splitlines())
        return sum(float(place[head.index("value")]) for place in places)

    def report_of(self, side):
        archive, report = self.work / f"sweep-{side}", self.work / f"sweep-{side}.cubex"
        shutil.rmtree(archive, ignore_errors=True)
        self.run([self.writer, archive, side, side, *PROGRAM])
        said = self.run([self.heddle, "analyze", archive, "-o", report, "--force", "--no-summary", "--no-critical-path", "--verbose"])
        shutil.rmtree(archive)
        return report, float(said.rsplit("seconds=", 1)[1])

    def row(self, side):
        report, seconds = self.report_of(side)
        time, waiting, short_term, long_term = (self.total(report, metric) for metric in ("time", *MAPS))
        shares = waiting / time, long_term / (short_term + long_term)
        print(f"| {side * side:,} | {100 * shares[0]:.1f} % | {100 * shares[1]:.1f} % | {seconds:.0f} |", flush=True)
        return shares


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--largest", type=int, default=16384, metavar="PROCESSES", help="leave out larger grids")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="DIR", help=f"draw the maps of {PICTURES_OF} x {PICTURES_OF} processes there")
    options = parser.parse_args()
    options.quick = options.only = None
    study = Study(options)
    study.compile("tw_sweep")
    print("| processes | late-sender time ÷ time | long-term ÷ all costs of late senders | seconds |\n| ---: | ---: | ---: | ---: |")
    shares = [study.row(side) for side in SIDES if side * side <= options.largest]
    if options.pictures and PICTURES_OF ** 2 <= options.largest:
        options.pictures.mkdir(parents=True, exist_ok=True)
        for metric in MAPS:
            study.topology(study.work / f"sweep-{PICTURES_OF}.cubex", metric, "--force", "--output", options.pictures / f"wavefront-{metric}.png")
    rises = all(smaller < larger for a, b in zip(shares, shares[1:]) for smaller, larger in zip(a, b))
    print("both shares rise with the number of processes" if rises else "the shares do not rise")
    return 0 if rises else 1


if __name__ == "__main__":
    sys.exit(main())

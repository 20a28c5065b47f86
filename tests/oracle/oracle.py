#!/usr/bin/python3
"""Slow, sequential analysis of an OTF2 archive (MPI, OpenMP, POSIX threads), written from the definitions of the metrics alone.

usage: oracle.py [--compat=scout26] [--metrics] [--causes] ARCHIVE.otf2

Prints TSV: metric, call path (region display names joined by ';'), process rank, thread rank, value (17 digits);
exclusive along the call tree, zeros left out. --metrics only prints the names of the metrics computed here; --causes adds those
of causes/ to either. Times are integer ticks until they are printed.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import causes
from analysis import METRICS, Analysis
from archive_reader import Archive


def main(arguments):
    compat, with_causes, files = False, '--causes' in arguments, []
    for argument in arguments:
        if argument == '--compat=scout26':
            compat = True
        elif argument == '--metrics':
            print(','.join(METRICS + (causes.METRICS if with_causes else ())))
            return 0
        elif argument == '--causes':
            pass
        elif argument.startswith('-'):
            files = []
            break
        else:
            files.append(argument)
    if len(files) != 1:
        sys.stderr.write(__doc__)
        return 2
    analysis = Analysis(Archive(files[0]), compat, with_causes)
    for problem, count in sorted(analysis.problems.items()):
        sys.stderr.write('oracle: %s: %d\n' % (problem, count))
    for row in analysis.rows():
        sys.stdout.write('%s\t%s\t%d\t%d\t%.17g\n' % row)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

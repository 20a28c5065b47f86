#!/usr/bin/python3
"""One archive, analysed by heddle and by the oracle, with and without --compat=scout26: every value must be equal, and every
instance of a wait state.

usage: compare_archive.py HEDDLE ARCHIVE.otf2 [--causes]

--causes: the metrics of causes/, too.
Exit status: 0 equal, 1 different, 2 something could not be run.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_random import differences_of


def main(arguments):
    with_causes = '--causes' in arguments
    if len(arguments) != 2 + with_causes:
        sys.stderr.write(__doc__)
        return 2
    result = 0
    with tempfile.TemporaryDirectory(prefix='heddle-oracle-') as folder:
        for compat in (False, True):
            differences, count, broken = differences_of(arguments[0], arguments[1], folder, 1, compat, with_causes)
            for metric, rows in sorted(differences.items()):
                for off, key, got, expected in sorted(rows, key=lambda row: -row[0])[:3]:
                    print('%s at %s, process %d thread %d: heddle %.12g, oracle %.12g' % (key + (got, expected)))
            for problem in broken:
                print(problem)
            print('%s: %d values, %d differ' % ('scout26' if compat else 'plain', count, sum(map(len, differences.values()))))
            if differences or broken or count == 0:
                result = 1
    return result


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

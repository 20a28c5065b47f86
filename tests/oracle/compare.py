#!/usr/bin/python3
"""Hold two results against each other, value by value.

usage: compare.py A.tsv B.tsv [--causes] [--metrics-of A|B] [--metrics a,b,...] [--worst N]

Both files: TSV of metric, call path, process rank, thread rank, value; exclusive; absent means zero; equal keys are added
up. Compared are the metrics that the oracle computes, or those of them that occur in one of the files (--metrics-of), or
those given. Times agree within a relative 1e-12 (of the larger of both), counts and bytes if they are equal, the metrics of
causes/ (given by name, or with --causes) within a relative 1e-9 or 1e-12 s, since they contain quotients. Prints the worst differences of each metric and the number of values. Exit status: 0 equal, 1 different, 2 unusable input.
"""
import gzip
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import causes
from analysis import METRICS, TIMES

TOLERANCE, QUOTIENTS = 1e-12, set(causes.METRICS)


def load(filename):
    values = {}
    with (gzip.open(filename, 'rt') if filename.endswith('.gz') else open(filename)) as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith('#') or not line.strip():
                continue
            columns = line.rstrip('\n').split('\t')
            if len(columns) != 5:
                raise ValueError('%s:%d: %d columns, 5 expected' % (filename, number, len(columns)))
            key = (columns[0], columns[1], int(columns[2]), int(columns[3]))
            values[key] = values.get(key, 0.0) + float(columns[4])
    return values


def differences(a, b, metrics):
    """(metric -> [(difference, key, value of A, value of B)], number of values compared)"""
    result, count = {}, 0
    for key in sorted(set(a) | set(b)):
        if key[0] not in metrics:
            continue
        count += 1
        x, y = a.get(key, 0.0), b.get(key, 0.0)
        if key[0] in QUOTIENTS:
            allowed = max(1e-9 * max(abs(x), abs(y)), 1e-12)
        else:
            allowed = TOLERANCE * max(abs(x), abs(y)) if key[0] in TIMES else 0.0
        if not abs(x - y) <= allowed:                                # not: NaN differs from everything
            result.setdefault(key[0], []).append((abs(x - y), key, x, y))
    return result, count


def main(arguments):
    files, metrics, metrics_of, worst = [], set(METRICS), None, 3
    try:
        while arguments:
            argument = arguments.pop(0)
            if argument == '--causes':
                metrics |= QUOTIENTS
            elif argument == '--metrics-of':
                metrics_of = {'A': 0, 'B': 1}[arguments.pop(0)]
            elif argument == '--metrics':
                metrics = set(arguments.pop(0).split(','))
            elif argument == '--worst':
                worst = int(arguments.pop(0))
            else:
                files.append(argument)
        a, b = (load(filename) for filename in files)
    except (ValueError, KeyError, IndexError, OSError) as error:
        sys.stderr.write('compare: %s\n%s' % (error, __doc__))
        return 2
    if metrics_of is not None:
        metrics &= {key[0] for key in (a, b)[metrics_of]}
    different, count = differences(a, b, metrics)
    for metric in sorted(different):
        for difference, key, x, y in sorted(different[metric], key=lambda d: -d[0])[:worst]:
            print('%s\t%s\trank %d thread %d\tA %.17g\tB %.17g\toff by %.3g' % (key + (x, y, difference)))
    total = sum(len(d) for d in different.values())
    print('%d values, %d differ%s' % (count, total, ''.join(' %s(%d)' % (m, len(d)) for m, d in sorted(different.items()))))
    return 1 if total else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

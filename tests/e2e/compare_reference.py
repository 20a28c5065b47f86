#!/usr/bin/env python3
"""Compares two results, value by value: one of Heddle and one that it has to agree with.

usage: compare_reference.py RESULT.tsv REFERENCE.tsv[.gz] [--tick NS]

Both are tables of metric, call path, process, thread and value, as "heddle dump" prints them; a missing row is a zero.
How far apart two values may be depends on what they are:
  times                        one billionth of the reference, plus one tick for the row and each visit of its call path
  numbers of wait states       1, plus a thousandth of the reference
  other counts, and bytes      nothing
Exit status: 0 equal, 1 not, 2 the command line is wrong.
"""
import argparse
import gzip
import re
import sys

COUNTS = re.compile(r"(visits|syncs|comms|bytes)(_.*)?$|mpi_file_.*")
INSTANCES = re.compile(r"mpi_.*_count$")


def load(path):
    """{(metric, call path, process, thread): value}"""
    values = {}
    opened = gzip.open(path, "rt", errors="surrogateescape") if path.endswith(".gz") else open(path, errors="surrogateescape")
    with opened as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("#") or not line.strip():
                continue
            columns = line.rstrip("\n").split("\t")
            if len(columns) != 5:
                sys.exit(f"{path}:{number}: {len(columns)} columns instead of 5")
            key = (columns[0], columns[1], int(columns[2]), int(columns[3]))
            values[key] = values.get(key, 0.0) + float(columns[4])
    return values


def allowed(key, reference, visits, tick):
    """The distance that is still called equal."""
    if INSTANCES.match(key[0]):
        return 1 + abs(reference) / 1000
    if COUNTS.match(key[0]):
        return 0
    return abs(reference) * 1e-9 + tick * 1e-9 * (1 + visits)


def differences(result, reference, tick=1.0):
    """[(key, value of the result, value of the reference)] of all that are not equal, and the number of compared values."""
    found, n = [], 0
    for key in sorted(result.keys() | reference.keys()):
        n += 1
        got, expected = result.get(key, 0.0), reference.get(key, 0.0)
        place = ("visits",) + key[1:]
        visits = max(result.get(place, 0), reference.get(place, 0))
        if abs(got - expected) > allowed(key, expected, visits, tick):
            found.append((key, got, expected))
    return found, n


def words(found, most=3):
    """The largest differences of each metric, as lines of text."""
    lines = []
    for metric in sorted({key[0] for key, _, _ in found}):
        rows = sorted((row for row in found if row[0][0] == metric), key=lambda row: -abs(row[1] - row[2]))
        for key, got, expected in rows[:most]:
            lines.append(f"{metric}: process {key[2]}, thread {key[3]}, {key[1]}: {got:.12g} instead of {expected:.12g}")
        if len(rows) > most:
            lines.append(f"{metric}: and {len(rows) - most} more")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("reference")
    parser.add_argument("--tick", type=float, default=1.0, metavar="NS")
    options = parser.parse_args()
    found, n = differences(load(options.result), load(options.reference), options.tick)
    for line in words(found):
        print(line)
    print(f"{n} values compared, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Random legal programs, analysed by heddle and by the oracle: every value must be equal.

usage: compare_random.py HEDDLE TW_RANDOM FIRST LAST [--compat] [--keep FOLDER]

Writes the programs of seeds FIRST to LAST one by one, analyses each with one rank and with one or two threads, with and
(--compat, or every fourth seed) without --compat=scout26, and compares value by value. Prints the seeds that differ and keeps
their archives. Exit status: 0 all equal, 1 some differ, 2 something could not be run.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare
import oracle


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit('compare_random: %s: exit status %d\n%s' % (' '.join(command), done.returncode, done.stderr))
    return done.stdout


def values_of(rows):
    values = {}
    for metric, path, process, thread, value in rows:
        key = (metric, path, int(process), int(thread))
        values[key] = values.get(key, 0.0) + float(value)
    return values


def differences_of(heddle, anchor, folder, n_threads, compat, with_causes=False):
    """What compare.differences() says of heddle's and the oracle's analysis of one archive; the report goes to folder."""
    report = folder + '/report.cubex'
    run(heddle, 'analyze', '--quiet', '--force', '--bind', 'none', '--threads', str(n_threads),
        '--compat=' + ('scout26' if compat else 'none'), '-o', report, anchor)
    got = values_of(line.split('\t') for line in run(heddle, 'dump', report).splitlines())
    expected = values_of(oracle.Analysis(oracle.Archive(anchor), compat, with_causes).rows())
    return compare.differences(got, expected, set(oracle.METRICS) | (compare.QUOTIENTS if with_causes else set()))


def main(arguments):
    if len(arguments) < 4:
        sys.stderr.write(__doc__)
        return 2
    heddle, generator, first, last = arguments[0], arguments[1], int(arguments[2]), int(arguments[3])
    keep = arguments[arguments.index('--keep') + 1] if '--keep' in arguments else None
    n_values, bad = 0, []
    for seed in range(first, last + 1):
        folder = tempfile.mkdtemp(prefix='heddle-random-')
        run(generator, str(seed), folder + '/trace')
        for compat in (False, True):
            if compat and not ('--compat' in arguments or seed % 4 == 0):
                continue
            differences, count = differences_of(heddle, folder + '/trace/traces.otf2', folder, 1 + seed % 2, compat)
            n_values += count
            for metric, rows in sorted(differences.items()):
                for off, key, got, expected in sorted(rows, key=lambda row: -row[0])[:2]:
                    print('seed %d%s: %s at %s, process %d: heddle %.12g, oracle %.12g'
                          % (seed, ' compat' if compat else '', key[0], key[1], key[2], got, expected))
            if differences:
                bad.append(seed)
        if keep and seed in bad:
            shutil.copytree(folder, '%s/%d' % (keep, seed), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print('%d programs, %d values, %d programs differ%s'
          % (last - first + 1, n_values, len(set(bad)), ': ' + ' '.join(map(str, sorted(set(bad)))) if bad else ''))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

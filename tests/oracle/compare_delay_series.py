#!/usr/bin/python3
"""Delay costs by window and iteration, of random programs or archives: heddle's tables against the oracle's costs, each shared among the slices
of the interval in which the delayer was late ("Delay costs over time").

usage: compare_delay_series.py HEDDLE TW_RANDOM FIRST LAST [--threads] [--rma] [--mpirun MPIRUN]
       compare_delay_series.py HEDDLE --archives [--mpirun MPIRUN] [ARCHIVE.otf2[=REGION]...]

REGION: its instances are the iterations; of random programs those of the function "solve". Compared are, of each metric, each process and slice;
each call path and slice, with the most of a process; that the slices add up to the values of the whole report; that sums such as all delay costs,
which heddle series makes of the tables, are those of their parts; and that tables are the same on several ranks and threads. Damaged tables are
errors. Exit status: 0 all equal, 1 some differ.
"""
import csv
import io
import os
import subprocess
import sys
import tarfile
from bisect import bisect_right
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from analysis import Analysis
from archive_reader import Archive
from compare_iterations import MOST_PATHS, table
from series_runs import check_other_ranks, compare_all, iteration_cuts, report_of, window_cuts

PARTS = 256                                                                          # of a tick, to which each cost is rounded
MEMBERS = {'windows': ('heddle.delay-series.tsv', 'heddle.delay-path-series.tsv'),
           'iterations': ('heddle.iteration-delay-series.tsv', 'heddle.iteration-delay-path-series.tsv')}
SUMS = {'delay': '', 'delay_p2p': ('delay_latesender', 'delay_latereceiver'), 'delay_latesender_aggregate': ('delay_latesender',),
        'delay_omp': ('delay_omp',), 'delay_collective': ('delay_barrier', 'delay_n2n', 'delay_12n', 'delay_n21', 'delay_scan')}
SEEN = Counter()                                                                     # values of each metric
# in some of the programs, by their kind, or in some of the archives
MESSAGES = {'delay_latesender', 'delay_latesender_longterm', 'delay_latereceiver', 'delay_barrier', 'delay_n2n', 'delay_n2n_longterm',
            'delay_12n', 'delay_n21'}
EXPECTED = {(): MESSAGES, ('threads',): {'delay_ompbarrier', 'delay_ompidle', 'delay_omplock'}, ('rma',): {'delay_rma', 'delay_rma_longterm'},
            ('archives',): {'delay_latesender', 'delay_ompbarrier', 'delay_ompidle'}}


def first_enter(location):
    return next(event[0] for event in location.events if event[1] in ('enter', 'program', 'off'))


def costs_of(analysis):
    """[(metric, call path, process, begin and end of the interval of the delayer, costs)]"""
    delays, rows = analysis.causes.delays, []
    for metric, path, start, cause, cost in delays.shares:
        first = start.call.enter if start.call is not None else first_enter(cause.location)
        first = min(first, start.instance.time) if start.kind == 'parallel' else first   # its point is entered at the fork
        rows.append((metric, path, cause.location.process, first, cause.released or cause.call.enter, cost))
    for accounting, path, cost in delays.idle:
        track, end = delays.tracks[accounting.location], accounting.cause
        last = track.times[accounting.last] if end is None else min(track.times[accounting.last], end.instance.time)
        first = track.times[accounting.first] if accounting.first else first_enter(accounting.location)
        rows.append(('delay_ompidle', path, accounting.location.process, first, last, cost))
    return rows


def shares(rows, cuts):
    """cuts: process -> [(begin, slice)]. (metric, process, path, slice) -> [ticks, how many costs]"""
    found = defaultdict(lambda: [0, 0])
    for metric, path, process, first, last, cost in rows:
        if first >= last:
            first = last - 1
        begins = [begin for begin, _ in cuts[process]]
        bounds = [first] + [begin for begin in begins if first < begin < last] + [last]
        for one, two in zip(bounds, bounds[1:]):
            cell = found[metric, process, path.name(), cuts[process][bisect_right(begins, one) - 1][1]]
            cell[0] += cost * (two - one) / (last - first)
            cell[1] += 1
    return found


def allowed(n, ticks):
    """Of n costs, each rounded once as a whole and once for a slice."""
    return 1.5 * n / PARTS + 1e-9 * ticks


def differ(got, own, what, differences):
    """got: key -> ticks, own: key -> [ticks, how many costs]"""
    for key in sorted(set(own) | set(got), key=str):
        ticks, n = own.get(key, (0, 0))
        if abs(got.get(key, 0) - ticks) > allowed(n, ticks):
            differences.append('%s: %s: %g, oracle %g' % (what, key, got.get(key, 0), ticks))


def printed(heddle, report, by, more):
    text = subprocess.run([heddle, 'series', report, '--csv', '--by', by] + more, capture_output=True, check=True).stdout
    return [row for row in csv.DictReader(io.StringIO(text.decode())) if row['metric'].startswith('delay')]


def check_slices(heddle, report, rows, cuts, resolution, by, name, differences):
    """Returns the number of values."""
    cells, processes, paths, most = shares(rows, cuts), defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0]), defaultdict(lambda: (0, 0))
    by_process, by_path, got, got_most = Counter(), defaultdict(dict), Counter(), {}
    for (metric, process, path, slice), (ticks, n) in cells.items():
        for sums, key in ((processes, (metric, process, slice)), (paths, (metric, path, slice))):
            sums[key][0] += ticks
            sums[key][1] += n
        least, largest = most[metric, path, slice]                                       # rounded costs of any process may be most
        most[metric, path, slice] = max(least, ticks - allowed(n, ticks)), max(largest, ticks + allowed(n, ticks))
        SEEN[metric] += ticks >= 1
    for row in printed(heddle, report, by, []):
        by_process[row['metric'], int(row['process']), int(row['slice'])] += float(row['value']) * resolution
    for row in printed(heddle, report, by, ['--paths']):
        key = row['metric'], row['path'], int(row['slice'])
        got[key] += float(row['value']) * resolution
        got_most[key] = float(row['most']) * resolution
        own = cells.get((row['metric'], int(row['process']), row['path'], int(row['slice'])), (0, 0))
        by_path[key] = (got_most[key], own)
    differ(by_process, processes, '%s, %s, processes' % (name, by), differences)
    if len({path for _, path, _ in paths}) < MOST_PATHS:
        differ(got, paths, '%s, %s, call paths' % (name, by), differences)
        for key in sorted(set(most) | set(got_most), key=str):
            if not most[key][0] <= got_most.get(key, 0) <= most[key][1]:
                differences.append('%s, %s, most of a process: %s: %g, oracle %g to %g' % (name, by, key, got_most.get(key, 0), *most[key]))
        for key, (ticks, own) in by_path.items():
            if abs(ticks - own[0]) > allowed(own[1], ticks):
                differences.append('%s, %s: %s: not that process has most' % (name, by, key))
    for metric, starts in SUMS.items():
        own = Counter()
        for (part, process, slice), ticks in by_process.items():
            if not starts or part.replace('_longterm', '') in starts or (metric == 'delay_omp' and part.startswith('delay_omp')):
                own[process, slice] += ticks
        check_sum(heddle, report, by, metric, own, resolution, name, differences)
    return len(processes) + len(paths)


def check_sum(heddle, report, by, metric, own, resolution, name, differences):
    done = subprocess.run([heddle, 'series', report, '--csv', '--by', by, '--metric', metric], capture_output=True)
    if not own or done.returncode != 0:
        if own or done.returncode == 0:
            differences.append('%s: %s: exit code %d: %s' % (name, metric, done.returncode, done.stderr.decode()))
        return
    found = {(int(row['process']), int(row['slice'])): float(row['value']) * resolution for row in csv.DictReader(io.StringIO(done.stdout.decode()))}
    paths = [float(row['value']) * resolution for row in printed(heddle, report, by, ['--metric', metric, '--paths'])]
    if found.keys() != own.keys() or any(abs(found[key] - own[key]) > 1e-6 + 1e-9 * own[key] for key in own):
        differences.append('%s: %s by %s is not the sum of its parts' % (name, metric, by))
    if abs(sum(paths) - sum(own.values())) > 1e-6 + 1e-9 * sum(own.values()):
        differences.append('%s: %s by %s: call paths have %g, processes %g' % (name, metric, by, sum(paths), sum(own.values())))


def check_whole(heddle, report, rows, resolution, name, differences):
    """Slices add up to the metrics of the report, but for what each cost is rounded."""
    text = subprocess.run([heddle, 'dump', report], capture_output=True, check=True).stdout.decode()
    whole, n = Counter(), Counter()
    for line in text.splitlines():
        metric, _, process, _, value = line.split('\t')
        whole[metric, process] += float(value) * resolution if metric.startswith('delay_') else 0
    for metric, _, process, _, _, _ in rows:
        n[metric, str(process)] += 1
    with tarfile.open(report) as cube:
        members = [member for pair in MEMBERS.values() for member in pair[:1] if member in cube.getnames()]
    for member in members:
        sums = Counter()
        for row in table(report, member):
            sums[row['metric'], row['process']] += sum(int(value or 0) for value in row['values'].split(',')) / int(row['resolution']) * resolution
        for key in set(sums) | {key for key in n}:
            if abs(sums[key] - whole[key]) > 0.5 * n[key] / PARTS + 1e-9 * whole[key]:
                differences.append('%s: %s: slices of %s have %g, the report %g' % (name, member, key, sums[key], whole[key]))


def tables(report):
    with tarfile.open(report) as cube:
        return [cube.extractfile(name).read() for name in cube.getnames() if 'delay-' in name]


def check_damage(heddle, report, name, folder, differences):
    damaged = os.path.join(folder, 'damaged.cubex')
    for by, members in MEMBERS.items():
        for member in members:
            of_paths = 'path' in member
            for at, text in ((0, 'mpi_latesender'), (1, '4000000000'), (2 if of_paths else 3, '0'), (4, '999999'), (5, '1,-2')):
                with tarfile.open(report) as old, tarfile.open(damaged, 'w', format=tarfile.USTAR_FORMAT) as new:
                    for info in old.getmembers():
                        data = old.extractfile(info).read()
                        if info.name == member:
                            lines = data.decode().splitlines()
                            cells = lines[1].split('\t')
                            lines[1] = '\t'.join(cells[:at] + [text] + cells[at + 1:])
                            data = ('\n'.join(lines) + '\n').encode()
                        info.size = len(data)
                        new.addfile(info, io.BytesIO(data))
                done = subprocess.run([heddle, 'series', damaged, '--by', by] + (['--paths'] if of_paths else []), capture_output=True)
                if done.returncode != 1 or member not in done.stderr.decode():
                    differences.append('%s: damaged %s, %s: exit code %d: %s' % (name, member, text, done.returncode, done.stderr.decode()))


def compare(options, folder, filename, name, region):
    heddle, differences = options['heddle'], []
    archive = Archive(filename)
    report, region = report_of(heddle, filename, region, folder, name, differences)
    if report is None:
        return differences, 0
    with tarfile.open(report) as cube:
        if MEMBERS['windows'][0] not in cube.getnames():
            return ['%s: no delay costs over time' % name], 0
    analysis = Analysis(archive, False, with_causes=True)
    rows, own = costs_of(analysis), iteration_cuts(archive, filename, region)
    n = check_slices(heddle, report, rows, window_cuts(archive, report), archive.resolution, 'windows', name, differences)
    if own is not None:
        n += check_slices(heddle, report, rows, own, archive.resolution, 'iterations', name, differences)
    check_whole(heddle, report, rows, archive.resolution, name, differences)
    check_other_ranks(options, filename, report, region, tables, folder, name, differences)
    return differences, n


def check_archive(heddle, _, name, __, folder, differences):
    check_damage(heddle, os.path.join(folder, 'r.cubex'), name, folder, differences)


def main(arguments):
    kind, differences, count = compare_all(arguments, compare, check_archive)
    print('\n'.join(differences[:20]))
    print('costs: ' + ', '.join('%s %d' % (metric, SEEN[metric]) for metric in sorted(SEEN) if SEEN[metric]))
    print('%d values compared, %d differences' % (count, len(differences)))
    unseen = [metric for metric in sorted(EXPECTED.get(kind, ())) if not SEEN[metric]]
    if unseen:
        print('no costs at all: ' + ', '.join(unseen))
    return 1 if differences or count == 0 or unseen else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/python3
"""Waiting time over iterations, and verdicts, of archives and random programs: heddle's tables against the oracle's waits and rules that
were written from docs/metrics.md#iterations alone.

usage: compare_iterations.py HEDDLE [--tw-random PROGRAM FIRST LAST KIND] [ARCHIVE=REGION ...]

REGION "": those that the archive marks as dynamic. Compared are, for each process, wait state and slice, the waits whose calls lie in one
slice of the process; where a call of a process crosses a bound, the process's sums over all slices. KIND: programs, threads or rma. Random programs have a
function as their region; those with tasks are left out. Prints what differs. Exit status: 0 all equal, 1 some differ.
"""
import csv
import os
import subprocess
import sys
import tarfile
import tempfile
from bisect import bisect_right
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import run_matrix
from analysis import WAITS, Analysis
from archive_reader import Archive, repair_communicators

NON_BLOCKING = {metric for metric in WAITS if metric.startswith('mpi_nbc_')}       # which have one series
WITHOUT = {metric for metric in WAITS if metric.endswith('_completion')} | {                 # of which there are no series
    'mpi_latesender_wo', 'mpi_rma_early_fence', 'mpi_rma_earlytransfer', 'mpi_rma_late_complete'}
MOST_PATHS = 256
TIMES = {'comp', 'mpi', 'omp_time'}                                                  # compare_time_series.py
BEFORE, AFTER, BETWEEN = 'before', 'after', 'between'


def dynamic_regions(filename):
    import otf2
    repair_communicators(otf2)
    with otf2.reader.open(filename) as trace:
        return {region.name for region in trace.definitions.regions if 'DYNAMIC' in str(region.region_flags)}


def instances(archive, names):
    """process -> [(enter, leave)] of the outermost instances of the region with the longest time."""
    rows, times = defaultdict(lambda: defaultdict(list)), defaultdict(int)     # region -> (process, thread) -> rows
    for location in archive.locations:
        stack, end = [], 0
        for event in location.events:
            end = event[0]
            if event[1] == 'enter':
                stack.append((event[2], event[0]))
            elif event[1] == 'leave' and stack:
                region, enter = stack.pop()
                if region.name in names:
                    rows[region][location.process, location.thread].append((enter, event[0]))
                    times[region] += event[0] - enter + 1
        for region, enter in stack:
            if region.name in names:
                rows[region][location.process, location.thread].append((enter, end))
                times[region] += end - enter + 1
    if not rows:
        return None
    best = max(times, key=lambda region: times[region])
    found = {}
    for process, thread in sorted(rows[best]):
        if process in found:
            continue
        outer = []
        for enter, leave in sorted(rows[best][process, thread], key=lambda row: (row[0], -row[1])):
            if not outer or enter >= outer[-1][1]:
                outer.append((enter, leave))
        found[process] = outer
    return found


def slice_of(bounds, enter, leave):
    """None: the call crosses a bound."""
    k = bisect_right([row[0] for row in bounds], enter)
    if k > 0 and enter < bounds[k - 1][1]:
        return k if leave <= bounds[k - 1][1] else None
    if k < len(bounds) and leave > bounds[k][0]:
        return None
    return BEFORE if k == 0 else AFTER if k == len(bounds) else BETWEEN


def kept_paths(analysis):
    """None: all call paths have sums; else those of 255 that do ("Time series")."""
    times, order = defaultdict(int), []

    def walk(path):
        order.append(path)
        for child in path.children.values():
            walk(child)
    walk(analysis.root)
    if len(order) - 1 <= MOST_PATHS:
        return None
    for (path, location), value in analysis.values['time'].items():
        region = path.region
        for other in ('omp_management', 'omp_idle_threads'):                   # calls are from enter to leave
            value -= analysis.values[other].get((path, location), 0)
        if region.mpi_name or region.is_omp or region.pthread_name or region.paradigm in ('SHMEM', 'MEASUREMENT_SYSTEM'):
            for one in path.ancestors():
                times[one] += value
    return set(sorted(order[1:], key=lambda path: -times[path])[:MOST_PATHS - 1])


def kept_name(path, kept):
    return next((one.name() for one in path.ancestors() if kept is None or one in kept), '')


def expected(archive, analysis, bounds):
    """(metric, process, slice) -> ticks, and (metric, process) of which only the sum is known; (metric, path, slice) -> process -> ticks."""
    values, crossing, paths, kept = defaultdict(int), set(), defaultdict(lambda: defaultdict(int)), kept_paths(analysis)
    for metric, call, value, _, _ in analysis.booked:
        process = call.location.process
        at = slice_of(bounds.get(process, []), call.enter, call.leave)
        if at is None:
            crossing.add(('mpi_nbc_wait' if metric in NON_BLOCKING else metric, process))
        metric = 'mpi_nbc_wait' if metric in NON_BLOCKING else metric
        values[metric, process, at] += value
        paths[metric, kept_name(call.path, kept), at][process] += value
    for process, rows in bounds.items():
        for i, (enter, leave) in enumerate(rows):
            values['duration', process, i + 1] += leave - enter
    return values, crossing, paths


def check_paths(heddle, report, name, archive, n, paths, crossing, differences):
    """Sum, most and process of each call path, of wait states whose calls are in one slice each."""
    last = {0: BEFORE, n + 1: AFTER, n + 2: BETWEEN}
    done = subprocess.run([heddle, 'series', report, '--paths', '--csv', '--by', 'iterations'], capture_output=True, check=True)
    crossed, found = {metric for metric, _ in crossing} | WITHOUT, {}
    for row in csv.DictReader(done.stdout.decode().splitlines()):
        at = last.get(int(row['slice']), int(row['slice']))
        found[row['metric'], row['path'], at] = [round(float(row[key]) * archive.resolution) for key in ('value', 'most')] + [int(row['process'])]
    own = {}
    for (metric, path, at), of in paths.items():
        of = {process: value for process, value in of.items() if value}
        if of:
            most = max(of.values())
            own[metric, path, at] = [sum(of.values()), most, min(process for process, value in of.items() if value == most)]
    for place in sorted({place for place in list(own) + list(found) if place[0] not in crossed | TIMES}, key=str):
        if own.get(place) != found.get(place):
            differences.append('%s: %s: %s, oracle %s' % (name, place, found.get(place), own.get(place)))
    return len(found)


def width_of_bins(lags):
    """The smallest number of lags of a bin with which 64 bins are enough; one begins at 0. Less than a tick may be nothing."""
    of, width = [lag for lag, cost in lags.items() if cost >= 1] or [0], 1
    while max(of) // width - min(of) // width >= 64:
        width += 1
    return width


def check_lags(report, name, archive, bounds, analysis, differences):
    """Direct costs by iterations between delay and wait, and by iteration of the delay and of the wait ("Causes over time"), of kinds whose
    waits lie in one iteration each."""
    begun = {process: [enter for enter, _ in rows] for process, rows in bounds.items()}
    own, crossed = defaultdict(lambda: defaultdict(float)), {'ompidle'}
    slices = defaultdict(lambda: defaultdict(float))                 # (what, kind) -> slice -> ticks
    for kind, start, cause, waiting, cost in analysis.causes.delays.direct:
        rows, other = begun.get(cause.location.process, []), begun.get(waiting.location.process, [])
        first = start.call.enter if start.call is not None else next(
            event[0] for event in cause.location.events if event[1] in ('enter', 'program', 'off'))
        first = min(first, start.instance.time) if start.kind == 'parallel' else first       # its point is entered at the fork
        last, at = cause.released or cause.call.enter, bisect_right(other, waiting.call.enter)
        if bisect_right(other, (waiting.call.leave or waiting.call.enter + 1) - 1) != at:
            crossed.add(kind)
        if first >= last:
            first = last - 1
        cuts = [first] + [enter for enter in rows if first < enter < last] + [last]
        for one, two in zip(cuts, cuts[1:]):
            own[kind][at - bisect_right(rows, one)] += cost * (two - one) / (last - first)
            slices['delays', kind][bisect_right(rows, one)] += cost * (two - one) / (last - first)
        slices['waits', kind][at] += cost
    found, widths = defaultdict(lambda: defaultdict(float)), defaultdict(set)
    of_slices = defaultdict(lambda: defaultdict(float))
    for row in table(report, 'heddle.lags.tsv'):
        assert row['by'] == 'iterations', name
        if row['what'] == 'lag':
            found[row['wait state']][int(row['from'])] = float(row['value']) * archive.resolution
            widths[row['wait state']].add(int(row['to']) - int(row['from']) + 1)
    for row in table(report, 'heddle.lag-slices.tsv'):
        for slice, cost in enumerate(row['values'].split(','), int(row['first'])):
            of_slices[row['what'], row['wait state']][slice] = float(cost or 0) / float(row['resolution']) * archive.resolution
    count = 0
    for what, kind in sorted(place for place in set(slices) | set(of_slices) if place[1] not in crossed):
        one, other = slices[what, kind], of_slices[what, kind]
        for slice in sorted(set(one) | set(other)):
            count += 1
            if abs(one[slice] - other[slice]) > 1 / 512 + 1e-6 * max(1, sum(one.values())):  # the report has 1 / 256 of a tick
                differences.append('%s: %s, %s in slice %d: %g, oracle %g' % (name, kind, what, slice, other[slice], one[slice]))
    for kind in sorted((set(own) | set(found)) - crossed):
        width, lags = width_of_bins(own[kind]), own[kind]
        if widths[kind] - {width}:
            differences.append('%s: %s: bins of %s lags, oracle %d' % (name, kind, sorted(widths[kind]), width))
        own[kind] = defaultdict(float)
        for lag, cost in lags.items():
            own[kind][lag // width * width] += cost
        for lag in sorted(set(own[kind]) | set(found[kind])):
            count += 1
            if abs(own[kind][lag] - found[kind][lag]) > 1e-6 * max(1, sum(own[kind].values())):
                differences.append('%s: %s, lag %d: %g, oracle %g' % (name, kind, lag, found[kind][lag], own[kind][lag]))
    return count


def table(report, name):
    with tarfile.open(report) as cube:
        try:
            lines = cube.extractfile(name).read().decode().splitlines()
        except KeyError:
            return []
    head = lines[0].split('\t')
    return [dict(zip(head, line.split('\t'))) for line in lines[1:] if line]


def verdict(values):
    """The columns of heddle.verdicts.tsv, by the definition."""
    n, total = len(values), sum(values)
    present = [i for i, value in enumerate(values) if value > 0]
    row = {'with': len(present), 'first': present[0] + 1 if present else 0, 'worst': values.index(max(values)) + 1 if present else 0,
           'every': 0, 'spread': '-', 'share': 0, 'correlation': 0, 'change': 0, 'period': 0}
    if not present:
        return row
    gaps = {b - a for a, b in zip(present, present[1:])}
    if len(present) >= 3 and len(gaps) == 1 and gaps != {1}:
        row['every'] = gaps.pop()
    if n < 8:
        return row
    count, held = 0, 0
    for value in sorted(values, reverse=True):
        if 5 * held >= 4 * total:
            break
        held, count = held + value, count + 1
    row['share'] = count / n
    row['spread'] = 'chronic' if count / n >= 0.5 else 'transient' if count / n <= 0.25 else 'uneven'
    order = sorted(values)
    ranks = [(order.index(value) + len(order) - 1 - order[::-1].index(value)) / 2 for value in values]
    middle = (n - 1) / 2
    squares = sum((rank - middle) ** 2 for rank in ranks)
    if squares > 0:
        row['correlation'] = sum((rank - middle) * (i - middle) for i, rank in enumerate(ranks)) / \
            (squares * sum((i - middle) ** 2 for i in range(n))) ** 0.5
    quarter = n // 4
    row['change'] = (sum(values[-quarter:]) - sum(values[:quarter])) / quarter / (total / n)
    if 24 <= n <= 65536:
        mean, slope = total / n, sum((value - total / n) * (i - middle) for i, value in enumerate(values)) / \
            sum((i - middle) ** 2 for i in range(n))
        rest = [value - mean - slope * (i - middle) for i, value in enumerate(values)]
        power, most = sum(x * x for x in rest), min(n // 3, 1024)
        r = [0] + [sum(rest[i] * rest[i - lag] for i in range(lag, n)) / power * n / (n - lag) if power else 0 for lag in range(1, most + 1)]
        peaks = [lag for lag in range(2, most + 1) if r[lag] >= 0.5 and r[lag] >= r[lag - 1] and (lag == most or r[lag] >= r[lag + 1])]
        if peaks:
            row['period'] = min(lag for lag in peaks if r[lag] >= 0.9 * max(r[peak] for peak in peaks))
    return row


def check_verdicts(report, name, sums, n, differences):
    for row in table(report, 'heddle.verdicts.tsv'):
        own = verdict([sums.get((row['metric'], i), 0) for i in range(1, n + 1)])
        for key, value in own.items():
            same = row[key] == value if key == 'spread' else abs(float(row[key]) - value) <= 2e-5 * max(1, abs(value))
            if not same:
                differences.append('%s: verdict on %s: %s %s, not %s' % (name, row['metric'], key, row[key], value))


def compare(heddle, folder, filename, name, region):
    """What differs; the number of values compared."""
    report, differences = os.path.join(folder, 'r.cubex'), []
    names = {region} if region else dynamic_regions(filename)
    archive = Archive(filename)
    if any('task' in event[1] for location in archive.locations for event in location.events):
        return [], 0                                                   # whose regions are left in another order than they are entered
    bounds = instances(archive, names)
    done = subprocess.run([heddle, 'analyze', filename, '-o', report, '-f', '-q', '--no-demangle'] +
                          (['--iterations', region] if region else []), capture_output=True, env=dict(os.environ, TMPDIR=folder))
    if bounds is None:
        return ([] if done.returncode == (2 if region else 0) else ['%s: no iterations, exit code %d' % (name, done.returncode)]), 0
    if done.returncode not in (0, 3):
        return ['%s: exit code %d: %s' % (name, done.returncode, done.stderr.decode())], 0
    n = max(len(rows) for rows in bounds.values())
    assert n <= 1024, name
    analysis = Analysis(archive, False, with_causes=True)
    values, crossing, paths = expected(archive, analysis, bounds)
    n_more = check_lags(report, name, archive, bounds, analysis, differences) + check_paths(heddle, report, name, archive, n, paths, crossing, differences)
    found, sums, last = defaultdict(int), defaultdict(int), {0: BEFORE, n + 1: AFTER, n + 2: BETWEEN}
    for row in table(report, 'heddle.iteration-series.tsv'):
        assert int(row['resolution']) == archive.resolution
        for slice, ticks in enumerate(row['values'].split(','), int(row['first'])):
            if ticks:
                found[row['metric'], int(row['process']), last.get(slice, slice)] += int(ticks)
    own = {(metric, process) for metric, process, _ in values if metric not in WITHOUT}
    for metric, process in sorted({(metric, process) for metric, process, _ in found if metric not in TIMES} | own):
        places = {at for m, p, at in list(values) + list(found) if (m, p) == (metric, process)}
        if (metric, process) in crossing:
            pairs = [('all', sum(values[metric, process, at] for at in places), sum(found[metric, process, at] for at in places))]
        else:
            pairs = [(at, values[metric, process, at], found[metric, process, at]) for at in places]
        for at, one, other in pairs:
            if one != other:
                differences.append('%s: %s of process %d, slice %s: %d, oracle %d' % (name, metric, process, at, other, one))
    longest = defaultdict(int)
    for (metric, process, at), ticks in found.items():
        if metric == 'duration':
            longest[metric, at] = max(longest[metric, at], ticks)
        else:
            sums[metric, at] += ticks
    sums.update(longest)
    check_verdicts(report, name, sums, n, differences)
    return differences, len(values) + n_more


def main(arguments):
    heddle, archives, random, differences, count = arguments[0], [], None, [], 0
    rest = arguments[1:]
    if rest and rest[0] == '--tw-random':
        random, rest = (rest[1], int(rest[2]), int(rest[3]), rest[4]), rest[5:]
    with tempfile.TemporaryDirectory(dir=run_matrix.TEMPORARY.name) as folder:
        for argument in rest:
            filename, _, region = argument.partition('=')
            wrong, n = compare(heddle, folder, os.path.join(filename, 'traces.otf2'), os.path.basename(filename), region)
            differences, count = differences + wrong, count + n
        for seed in range(random[1], random[2] + 1) if random else ():
            program = os.path.join(folder, 'p%d' % seed)
            subprocess.run([random[0], str(seed), program] + ([random[3]] if random[3] != 'programs' else []), check=True, capture_output=True)
            for region in ('solve', 'work'):
                wrong, n = compare(heddle, folder, os.path.join(program, 'traces.otf2'), 'seed %d, %s' % (seed, region), region)
                differences, count = differences + wrong, count + n
    print('\n'.join(differences[:20]))
    print('%d values compared, %d differences' % (count, len(differences)))
    return 1 if differences or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

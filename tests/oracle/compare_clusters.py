#!/usr/bin/python3
"""Clusters of iterations in the call tree ("heddle analyze --cluster"), against the same report without them and against the events.

usage: compare_clusters.py HEDDLE [--sweep PROGRAM] [ARCHIVE=REGION ...]

REGION "": iterations that the archive marks, or else those that are found; +REGION: (1) only, as (2) knows no teams and tasks. Compared are (1) each value of each call path, process and thread with the
sum over its clusters, of metrics that are counted or timed where they happen; delay costs, which compare call paths of two processes, by their
sum alone; (2) visits and time of each call path of the thread that has the iterations, from the events by the rules of
docs/metrics.md#clusters-in-the-call-tree alone; (3) the visits of each cluster. --sweep: also an archive whose loop is found.
Prints what differs. Exit status: 0 all equal, 1 some differ.
"""
import os
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import run_matrix
from archive_reader import Archive
from causes.kinds import EXTENSION, FILES, KINDS, RMA
from compare_iterations import dynamic_regions, instances, table
from compare_loops import loop_of
from model import PAUSE

COMPARED = ('delay', 'cpu_share', 'critical_imbalance', 'critical_path_activities', 'critical_path_imbalance', 'imbalance', 'inter_partition', 'intra_partition',
            'non_critical', 'performance_impact', 'mpi_wait_direct', 'mpi_wait_indirect', 'mpi_wait_propagating', 'mpi_wait_terminal')       # processes are compared path by path
TICK = 0.51


def is_cluster(name):
    return name.startswith('cluster ') and name[8:].isdigit()


def dump(heddle, report):
    """(metric, path, process, thread) -> value"""
    done = subprocess.run([heddle, 'dump', report], capture_output=True, check=True, text=True)
    values = {}
    for line in done.stdout.splitlines():
        metric, path, process, thread, value = line.split('\t')
        values[metric, tuple(path.split(';')), int(process), int(thread)] = float(value)
    return values


def fold(values):
    sums = defaultdict(float)
    for (metric, path, process, thread), value in values.items():
        sums[metric, tuple(name for name in path if not is_cluster(name)), process, thread] += value
    return sums


def totals(values):
    sums = defaultdict(float)
    for (metric, *_), value in values.items():
        sums[metric] += value
    return sums


def check_sums(name, plain, cut, resolution):
    """Returns what differs, and how many values were compared."""
    differences, folded, count = [], fold(cut), 0
    for place in sorted(set(plain) | set(folded), key=str):
        if place[0].startswith(COMPARED):
            continue
        count += 1
        scale = max(1, abs(plain.get(place, 0)) * 1e-12 * resolution)
        if abs(plain.get(place, 0) - folded.get(place, 0)) * resolution >= TICK * scale:
            differences.append('%s: %s: %.12g, with clusters %.12g' % (name, place, plain.get(place, 0), folded.get(place, 0)))
    return differences, count


def check_totals(name, plain, cut):
    """Costs that are shared among call paths: of each kind direct, indirect and unattributed ones are together the waiting time."""
    differences, own, other, count = [], totals(plain), totals(cut), 0
    for kind in KINDS + EXTENSION + (RMA, FILES):
        parts = ('delay_' + kind, 'delay_%s_longterm' % kind, 'delay_unattributed_' + kind)
        both = [sum(sums[one] for one in parts) for sums in (own, other)]
        count += both != [0, 0]
        if abs(both[0] - both[1]) > 1e-6 * max(both[0], 1e-3):
            differences.append('%s: %s: %.12g, with clusters %.12g' % (name, parts[0], both[0], both[1]))
    return differences, count


def paths_of_thread(location, rows, clusters, is_anchor):
    """Visits and ticks of each call path of the thread. Iteration i of rows is of the cluster clusters[i]; is_anchor: of a path."""
    begins, visits, times, stack, until = [enter for enter, _ in rows], Counter(), Counter(), [], None

    def cluster_at(time):
        k = bisect_right(begins, time)
        return clusters[k - 1] if k > 0 and time < rows[k - 1][1] else None

    def path(cluster):
        names, at = [], None
        for name, is_call, of in stack:
            names.append(name)
            if at is None and is_anchor(tuple(names)):
                at = len(names)
                inner = [frame for frame in stack[at:] if frame[1]]
                cluster = inner[0][2] if inner else cluster                # a call stays where it was entered
                if cluster is not None:
                    names.append('cluster %d' % cluster)
        return tuple(names)

    def pass_to(time):
        nonlocal until
        if stack:
            cuts = sorted({bound for row in rows[max(0, bisect_right(begins, until) - 1):bisect_right(begins, time)] for bound in row if until < bound < time})
            for one, two in zip([until] + cuts, cuts + [time]):
                times[path(cluster_at(one))] += two - one
        until = time
    for event in location.events:
        time, kind = event[:2]
        if kind in ('enter', 'program', 'off'):
            pass_to(time)
            name = event[2].name if kind == 'enter' else PAUSE.name if kind == 'off' else event[2].rsplit('/', 1)[-1]
            is_call = kind == 'enter' and event[2].paradigm not in ('USER', 'COMPILER', 'MEASUREMENT_SYSTEM', 'UNKNOWN')
            stack.append((name, is_call, cluster_at(time)))
            visits[path(cluster_at(time))] += 1
        elif kind in ('leave', 'on') and stack:
            pass_to(time)
            stack.pop()
    return visits, times


def anchor_of(archive, rows):
    """Of a loop that was found: the innermost path around all calls in it that each thread enters once."""
    shared, visits = None, Counter()
    for location in archive.locations:
        if location.thread != 0 or location.process not in rows:
            continue
        begin, end, stack, own = rows[location.process][0][0], rows[location.process][-1][1], [], Counter()
        for event in location.events:
            if event[1] in ('enter', 'program'):
                name = event[2].name if event[1] == 'enter' else event[2].rsplit('/', 1)[-1]
                stack.append((name, event[1] == 'enter' and event[2].paradigm == 'MPI'))
                path = tuple(frame[0] for frame in stack)
                own[path] += 1
                if stack[-1][1] and begin <= event[0] < end:
                    outer = path[:next(i for i, frame in enumerate(stack) if frame[1])]
                    shared = outer if shared is None else tuple(a for i, (a, b) in enumerate(zip(shared, outer)) if shared[:i + 1] == outer[:i + 1])
            elif event[1] == 'leave' and stack:
                stack.pop()
        visits |= own
    while shared and visits[shared] > 1:
        shared = shared[:-1]
    return shared


def check_events(name, archive, region, cut, report):
    """Visits and time of call paths with clusters, of the threads that have iterations."""
    dynamic = {region} if region else dynamic_regions(archive.filename)
    loops = None if dynamic else loop_of(archive)
    rows = instances(archive, dynamic) if dynamic else {i: own for i, own in enumerate(loops)} if isinstance(loops, list) else loops
    which, clusters, differences, count = {}, [], [], 0
    for row in table(report, 'heddle.clusters.tsv'):
        for part in row['which'].split(','):
            for k in range(int(part.split('-')[0]), int(part.split('-')[-1]) + 1):
                which[k] = int(row['cluster'])
    clusters = [which[k] for k in sorted(which)]
    anchor = None if dynamic else anchor_of(archive, rows)
    for location in archive.locations:
        if location.thread != 0 or location.process not in rows:
            continue
        visits, times = paths_of_thread(location, rows[location.process], clusters,
                                        (lambda path: path[-1] in dynamic) if dynamic else (lambda path: path == anchor))
        for metric, own, scale in (('visits', visits, 1), ('time', times, archive.resolution)):
            found = {path: value * scale for (one, path, process, thread), value in cut.items()
                     if one == metric and process == location.process and thread == 0}
            for path in sorted(set(found) | {path for path, value in own.items() if value}):
                count += 1
                if abs(found.get(path, 0) - own.get(path, 0)) > 0.5:
                    differences.append('%s: %s of %s, process %d: %.12g, oracle %.12g' % (name, metric, path, location.process, found.get(path, 0), own.get(path, 0)))
    return differences, count


def compare(heddle, folder, filename, name, region, with_events):
    plain, cut = (os.path.join(folder, one + '.cubex') for one in ('plain', 'cut'))
    for report, more in ((plain, []), (cut, ['--cluster', '64'])):
        words = ['--iterations', region] if region else []
        done = subprocess.run([heddle, 'analyze', filename, '-o', report, '-f', '-q', '--no-demangle', *words, *more], capture_output=True, env=dict(os.environ, TMPDIR=folder))
        if done.returncode not in (0, 3):
            return ['%s: exit code %d: %s' % (name, done.returncode, done.stderr.decode())], 0
    archive = Archive(filename)
    archive.filename = filename
    without, having = dump(heddle, plain), dump(heddle, cut)
    if table(plain, 'heddle.clusters.tsv') != table(cut, 'heddle.clusters.tsv') or table(plain, 'heddle.verdicts.tsv') != table(cut, 'heddle.verdicts.tsv'):
        return ['%s: other clusters with the option' % name], 1
    if not any(is_cluster(one) for _, path, _, _ in having for one in path):
        return ['%s: no clusters in the call tree' % name], 1
    differences, count = check_sums(name, without, having, archive.resolution)
    for wrong, n in (check_totals(name, without, having), check_events(name, archive, region, having, cut) if with_events else ([], 0)):
        differences, count = differences + wrong, count + n
    print('%s: %d values, %d differences' % (name, count, len(differences)))
    return differences, count


def main(arguments):
    heddle, archives, differences, count = arguments[0], arguments[1:], [], 0
    with tempfile.TemporaryDirectory(dir=run_matrix.TEMPORARY.name) as folder:
        if archives[:1] == ['--sweep']:
            sweep, archives = archives[1], archives[2:]
            archives.append(os.path.join(folder, 'sweep') + '=')
            subprocess.run([sweep, archives[-1][:-1], '3', '2', '--iterations', '40', '--blocks', '2', '--rounds', '3', '--slow', '2'], check=True, capture_output=True)
        for word in archives:
            filename, region = word.split('=')
            is_plain = not region.startswith('+')                        # +: of programs with tasks and samples only the sums
            wrong, n = compare(heddle, folder, os.path.join(filename, 'traces.otf2'), os.path.basename(filename), region.lstrip('+'), is_plain)
            differences, count = differences + wrong, count + n
    print('\n'.join(differences[:20]))
    print('%d values compared, %d differences' % (count, len(differences)))
    return 1 if differences or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

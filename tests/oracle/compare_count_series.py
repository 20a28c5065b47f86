#!/usr/bin/python3
"""Visits, messages, collective operations, calls for windows and bytes by window and iteration, of random programs or archives: heddle's tables
against what the oracle counts, each at the enter of its call ("Counts over time"; tasks where they are complete); and sums of them, such as all
bytes, which heddle series makes of the tables.

usage: compare_count_series.py HEDDLE TW_RANDOM FIRST LAST [--threads] [--rma] [--mpirun MPIRUN]
       compare_count_series.py HEDDLE --archives [--mpirun MPIRUN] [ARCHIVE.otf2[=REGION]...]

REGION: its instances are the iterations; of random programs those of the function "solve". Compared are, of each metric, each process and
slice; each call path and slice; that the slices add up to the values of the whole report, also with clusters in the call tree, and that
tables are the same on several ranks and threads, and that each metric that programs of this kind have is counted in one of them. Damaged
tables are errors. Exit status: 0 all equal, 1 some differ.
"""
import csv
import io
import os
import subprocess
import sys
import tarfile
from bisect import bisect_right
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from analysis import Analysis
from archive_reader import Archive
from compare_iterations import MOST_PATHS
from compare_time_series import table
from patterns.region_classes import masks
from series_runs import analyze, check_other_ranks, compare_all, iteration_cuts, report_of, window_cuts
from task_replay import TaskReplay

METRICS = ('visits', 'syncs_send', 'comms_send', 'bytes_sent', 'syncs_recv', 'comms_recv', 'bytes_rcvd', 'syncs_coll', 'comms_cxch', 'comms_csrc',
           'comms_cdst', 'bytes_cout', 'bytes_cin', 'bytes_put', 'bytes_get', 'syncs_rma_active', 'syncs_rma_passive', 'comms_rma_puts',
           'comms_rma_gets', 'comms_rma_atomics')
RMA = METRICS[13:]                                                                   # of windows
RMA_CALLS = METRICS[15:]                                                             # visits of their calls
SUMS = {'syncs_p2p': ('syncs_send', 'syncs_recv'), 'syncs_rma': RMA_CALLS[:2], 'syncs': ('syncs_p2p', 'syncs_coll', 'syncs_rma'),
        'comms_p2p': ('comms_send', 'comms_recv'), 'comms_coll': ('comms_cxch', 'comms_csrc', 'comms_cdst'), 'comms_rma': RMA_CALLS[2:],
        'comms': ('comms_p2p', 'comms_coll', 'comms_rma'), 'bytes_p2p': ('bytes_sent', 'bytes_rcvd'), 'bytes_coll': ('bytes_cout', 'bytes_cin'),
        'bytes_rma': ('bytes_put', 'bytes_get'), 'bytes': ('bytes_p2p', 'bytes_coll', 'bytes_rma')}
SEEN = Counter()                                                                     # of each metric, in all
OF_MESSAGES = tuple(metric for metric in METRICS if metric not in RMA)
# in some of the programs, by their kind, or in some of the archives
EXPECTED = {(): OF_MESSAGES, ('threads',): OF_MESSAGES, ('rma',): METRICS, ('archives',): tuple(metric for metric in METRICS if metric not in ('syncs_send', 'syncs_recv'))}


class CountingAnalysis(Analysis):
    """counted: [(metric, call path, process, time, value)]."""

    def __init__(self, archive):
        self.counted, self.completing = [], None
        super().__init__(archive, False)
        self.counted += [(metric, path, process, time, value) for visits, path, process, time, value in self.counted if visits == 'visits'
                         for metric in masks(path.region, RMA_CALLS)]

    def book(self, metric, call, value, leave=None):
        if metric in METRICS and value:
            self.counted.append((metric, call.path, call.location.process, call.enter, value))
        super().book(metric, call, value, leave)


def note_completions():
    """A task counts at its stub when it is complete."""
    on_complete, finish = TaskReplay.on_task_complete, TaskReplay.finish

    def completing(self, at, task_id):
        self.analysis.completing = at.time
        on_complete(self, at, task_id)

    def finishing(self, task, completed_on):
        if completed_on is not None and task.region is not None:
            self.analysis.counted.append(('visits', task.below[completed_on].child(task.region), completed_on.process, self.analysis.completing, 1))
        finish(self, task, completed_on)
    TaskReplay.on_task_complete, TaskReplay.finish = completing, finishing


note_completions()


def found(report, member, place):
    """(metric, place, slice) -> count, of lines that have that place; none: no call path."""
    sums = Counter()
    for row in table(report, member):
        for slice, count in enumerate(row['values'].split(','), int(row['first'])):
            if count and row[place]:
                sums[row['metric'], row[place], slice] += int(count)
    return sums


def differ(got, own, what, differences):
    for key in sorted(set(own) | set(got), key=str):
        if own[key] != got[key]:
            differences.append('%s: %s of %s in slice %d: %d, oracle %d' % ((what,) + key + (got[key], own[key])))


def rows_by_path(heddle, report, by):
    text = subprocess.run([heddle, 'series', report, '--paths', '--csv', '--by', by], capture_output=True, check=True).stdout
    return [row for row in csv.DictReader(io.StringIO(text.decode())) if row['metric'] in METRICS]


def names_in_tables(heddle, report, analysis, name, differences):
    """call path -> name of the one that has lines in its place: itself, or, if there are too many, the nearest caller that is kept. Which are
    kept is what the table of visits says, as those of equal times are in an order that the oracle does not know; a call path that is kept is
    entered, so it has visits."""
    kept, names = {row['path'] for row in rows_by_path(heddle, report, 'windows') if row['metric'] == 'visits'}, {}
    for _, path, _, _, _ in analysis.counted:
        if path not in names:
            names[path] = next((own for own in (one.name() for one in path.ancestors()) if own in kept), '')
    own = {path.name() for path in names}
    if len(own) < MOST_PATHS and kept != own:
        differences.append('%s: not all call paths have visits' % name)
    return names


def check_slices(heddle, report, analysis, names, cuts, by, name, differences):
    """cuts: process -> [(begin, slice)]. Returns the number of values, and metric -> sum."""
    member = 'heddle.iteration-count-series.tsv' if by == 'iterations' else 'heddle.count-series.tsv'
    own, paths, whole = Counter(), Counter(), Counter()
    begins = {process: [begin for begin, _ in of] for process, of in cuts.items()}
    for metric, path, process, time, value in analysis.counted:
        slice = cuts[process][bisect_right(begins[process], time) - 1][1]
        own[metric, str(process), slice] += value
        paths[metric, names[path], slice] += value
        whole[metric] += value
        SEEN[metric] += value
    differ(found(report, member, 'process'), own, '%s, %s' % (name, by), differences)
    check_sums(heddle, report, Counter(own), by, name, differences)
    got = Counter()
    for row in rows_by_path(heddle, report, by):
        got[row['metric'], row['path'], int(row['slice'])] += int(row['value'])
    differ(got, paths, '%s, %s' % (name, by), differences)
    return len(own) + len(paths), +whole


def check_sums(heddle, report, own, by, name, differences):
    """own: (metric, process, slice) -> count."""
    for metric, parts in SUMS.items():
        for part in parts:
            own.update({(metric, process, slice): count for (of, process, slice), count in list(own.items()) if of == part})
        done, got = subprocess.run([heddle, 'series', report, '--metric', metric, '--csv', '--by', by], capture_output=True), Counter()
        for row in csv.DictReader(io.StringIO(done.stdout.decode())):
            got[row['metric'], row['process'], int(row['slice'])] += int(row['value'])
        wanted = Counter({key: count for key, count in own.items() if key[0] == metric})
        differ(got, wanted, '%s, %s' % (name, by), differences)
        if done.returncode != (0 if wanted else 2):
            differences.append('%s: %s: exit code %d: %s' % (name, metric, done.returncode, done.stderr.decode()))


def dumped(heddle, report):
    """Values of the report, (metric, process) and metric -> sum."""
    text, sums = subprocess.run([heddle, 'dump', report], capture_output=True, check=True).stdout.decode(), Counter()
    for line in text.splitlines():
        metric, _, process, _, value = line.split('\t')
        if metric in METRICS:
            sums[metric, process] += int(value)
    return sums


def tables(report):
    with tarfile.open(report) as cube:
        return [cube.extractfile(name).read() for name in cube.getnames() if name.endswith('count-series.tsv')]


def check_clusters(heddle, filename, name, region, folder, differences):
    """A visit of the region is its cluster's, over time as in all: each call path has its value. The program has at most 256."""
    report, values = os.path.join(folder, 'clusters.cubex'), Counter()
    code, errors = analyze(heddle, filename, report, region, folder, more=('--cluster', '3'))
    text = subprocess.run([heddle, 'dump', report, '--csv', '--ids'], capture_output=True, check=True).stdout.decode() if code in (0, 3) else ''
    for row in csv.DictReader(io.StringIO(text)):
        if row['metric'] in METRICS:
            values[row['metric'], row['call_path_id']] += int(row['value'])
    if 'cluster' not in text:
        differences.append('%s: no clusters: %s' % (name, errors))
    for member in ('heddle.count-series.tsv', 'heddle.iteration-count-series.tsv') if text else ():
        sums = Counter()
        for (metric, path, _), value in found(report, member, 'callpath').items():
            sums[metric, path] += value
        if sums != +values:
            differences.append('%s: with clusters %s does not add up to the values of the report' % (name, member))


def check_damage(heddle, report, name, folder, differences):
    damaged = os.path.join(folder, 'damaged.cubex')
    for member in ('heddle.count-series.tsv', 'heddle.iteration-count-series.tsv'):
        for at, text in ((0, 'visits' * 9), (2, '4000000000'), (4, '999999'), (5, '1,-2')):
            with tarfile.open(report) as old, tarfile.open(damaged, 'w', format=tarfile.USTAR_FORMAT) as new:
                for info in old.getmembers():
                    data = old.extractfile(info).read()
                    if info.name == member:
                        lines = data.decode().splitlines()
                        cells = lines[1].split('\t')
                        rows = ['\t'.join(cells[:at] + [text + (str(i) if at == 0 else '')] + cells[at + 1:]) for i in range(21 if at == 0 else 1)]
                        data = '\n'.join([lines[0]] + rows + lines[1:] + ['']).encode()
                    info.size = len(data)
                    new.addfile(info, io.BytesIO(data))
            done = subprocess.run([heddle, 'series', damaged, '--by', 'iterations' if 'iteration' in member else 'windows'], capture_output=True)
            if done.returncode != 1 or member not in done.stderr.decode():
                differences.append('%s: damaged %s: exit code %d: %s' % (name, member, done.returncode, done.stderr.decode()))


def compare(options, folder, filename, name, region):
    heddle, differences = options['heddle'], []
    archive = Archive(filename)
    report, region = report_of(heddle, filename, region, folder, name, differences)
    if report is None:
        return differences, 0
    analysis = CountingAnalysis(archive)
    paths = names_in_tables(heddle, report, analysis, name, differences)
    n, whole = check_slices(heddle, report, analysis, paths, window_cuts(archive, report), 'windows', name, differences)
    members, own = ['heddle.count-series.tsv'], iteration_cuts(archive, filename, region)
    if own is not None:
        n += check_slices(heddle, report, analysis, paths, own, 'iterations', name, differences)[0]
        members.append('heddle.iteration-count-series.tsv')
    values, of_metrics = dumped(heddle, report), Counter()
    for (metric, _), value in values.items():
        of_metrics[metric] += value
    if of_metrics != whole:
        differences.append('%s: the report has %s, oracle %s' % (name, sorted(of_metrics.items()), sorted(whole.items())))
    for member in members:
        of_processes, of_paths = Counter(), Counter()
        for (metric, process, _), value in found(report, member, 'process').items():
            of_processes[metric, process] += value
        for (metric, _, _), value in found(report, member, 'callpath').items():
            of_paths[metric] += value
        if of_processes != +values or of_paths != +of_metrics:
            differences.append('%s: slices of %s do not add up to the values of the report' % (name, member))
    check_other_ranks(options, filename, report, region, tables, folder, name, differences)
    return differences, n


def check_archive(heddle, filename, name, region, folder, differences):
    check_damage(heddle, os.path.join(folder, 'r.cubex'), name, folder, differences)
    check_clusters(heddle, filename, name, region, folder, differences)


def main(arguments):
    kind, differences, count = compare_all(arguments, compare, check_archive)
    print('\n'.join(differences[:20]))
    print('counted: ' + ', '.join('%s %d' % (metric, SEEN[metric]) for metric in METRICS if SEEN[metric]))
    print('%d values compared, %d differences' % (count, len(differences)))
    unseen = [metric for metric in EXPECTED.get(kind, ()) if not SEEN[metric]]
    if unseen:
        print('not counted at all: ' + ', '.join(unseen))
    return 1 if differences or count == 0 or unseen else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

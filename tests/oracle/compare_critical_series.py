#!/usr/bin/python3
"""The critical path and time in classes of MPI calls by window and iteration, of random programs or archives: heddle's tables against pieces of
the oracle's time lines, cut at the bounds of slices ("Critical path over time", "MPI by class over time"); and what heddle series makes of the
tables: sums of classes, and imbalance ("Imbalance over time").

usage: compare_critical_series.py HEDDLE TW_RANDOM FIRST LAST [--threads] [--rma] [--mpirun MPIRUN]
       compare_critical_series.py HEDDLE --archives [--mpirun MPIRUN] [ARCHIVE.otf2[=REGION]...]

REGION: its instances are the iterations; of random programs those of the function "solve". Compared are, of each metric: each process and
slice; each call path with 1 % of the metric and slice, with the process that has most; that slices add up to the values of the report, and that
tables are the same on several ranks and threads. Of programs with tasks, whose time is booked later, sums alone. Exit status: 0 all equal,
1 some differ.
"""
import csv
import io
import os
import subprocess
import sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import causes.causes
from analysis import Analysis
from archive_reader import Archive
from causes.critical_path import CriticalPath
from causes.track import Moment, Track
from compare_time_series import STARTUP, add, has_tasks, table
from patterns.region_classes import RegionClasses, masks
from series_runs import check_other_ranks, compare_all, iteration_cuts, report_of, window_cuts

CLASSES = ('mpi_init_exit', 'mpi_mgmt_comm', 'mpi_mgmt_file', 'mpi_mgmt_win', 'mpi_sync_collective', 'mpi_rma_sync_active',
           'mpi_rma_sync_passive', 'mpi_point2point', 'mpi_collective', 'mpi_rma_communication', 'mpi_io_individual', 'mpi_io_collective')
METRICS = ('critical_path',) + CLASSES
SEEN = Counter()                                                                     # of each metric, in all
EXPECTED = {(): ('critical_path', 'mpi_init_exit', 'mpi_point2point', 'mpi_collective', 'mpi_sync_collective'),
            ('threads',): ('critical_path', 'mpi_point2point'), ('archives',): ('critical_path', 'mpi_point2point'),
            ('rma',): ('critical_path', 'mpi_rma_communication', 'mpi_rma_sync_active', 'mpi_rma_sync_passive', 'mpi_mgmt_win')}


class Pieces(CriticalPath):
    """found: [(location, begin, end, call path)] of the last program."""
    found, spans, off = [], [], None

    def run(self):
        Pieces.found = []
        super().run()

    def book_path(self, track, x, end):
        self.off = (x.call.path, x.wait) if x.until is None and x.call is not None and x.wait > 0 else None
        super().book_path(track, x, end)
        self.off = None

    def book_vector(self, track, vector):
        super().book_vector(track, vector)
        for begin, end, path in between(track, *self.spans[-1]):
            if self.off is not None and path is self.off[0]:
                taken = min(self.off[1], end - begin)
                self.off, begin = (path, self.off[1] - taken), begin + taken
            if begin < end:
                self.found.append((track.location, begin, end, path))


def between(track, first, last):
    begin, end = (mark.time if isinstance(mark, Moment) else track.times[mark] for mark in (first, last))
    for k in range(len(track.times) - 1):
        since, until = max(track.times[k], begin), min(track.times[k + 1], end)
        if track.paths[k] is not None and since < until:
            yield since, until, track.paths[k]


def note_spans():
    span = Track.span

    def noting(self, first, last):
        Pieces.spans[:] = [(first, last)]
        return span(self, first, last)
    Track.span = noting
    causes.causes.CriticalPath = Pieces


note_spans()


def pieces_of(archive):
    """[(metric, location, begin, end, call path)]"""
    Pieces.found, Pieces.tracks_of = [], {}                                          # of a program that is not parallel
    Analysis(archive, False, with_causes=True)
    pieces = [('critical_path',) + piece for piece in Pieces.found]
    for track in Pieces.tracks_of.values():
        for k, path in enumerate(track.paths[:-1]):
            for metric in masks(path.region, CLASSES) if path is not None and path.region is not None else ():
                if track.times[k] < track.times[k + 1]:
                    pieces.append((metric, track.location, track.times[k], track.times[k + 1], path))
    return pieces


def keep_tracks():
    init = CriticalPath.__init__

    def keeping(self, points):
        init(self, points)
        Pieces.tracks_of = points.tracks
    Pieces.__init__ = keeping


keep_tracks()


def kept_of(pieces):
    """metric -> names of the call paths that have series."""
    sums, kept = defaultdict(Counter), {}
    for metric, _, begin, end, path in pieces:
        sums[metric][path.name()] += end - begin
    for metric, of in sums.items():
        startup = {name for name in of if STARTUP.intersection(name.split(';'))}
        whole = sum(of.values())
        others = whole - sum(of[name] for name in startup)
        kept[metric] = {name for name in of if 100 * of[name] >= (whole if name in startup else others)}
    return kept


def name_in(kept, path):
    return next((own for own in (one.name() for one in path.ancestors()) if own in kept), '')


def differ(got, own, what, differences):
    for key in sorted(set(own) | set(got), key=str):
        if own.get(key) != got.get(key):
            differences.append('%s: %s: %s, oracle %s' % (what, key, got.get(key), own.get(key)))


def found(report, member):
    sums = Counter()
    for row in table(report, member):
        for slice, ticks in enumerate(row['values'].split(','), int(row['first'])):
            if ticks and row['metric'] in METRICS:
                sums[row['metric'], int(row['process']), slice] += int(ticks)
    return sums


def csv_of(heddle, report, *arguments):
    done = subprocess.run([heddle, 'series', report, '--csv'] + list(arguments), capture_output=True)
    return done.returncode, list(csv.DictReader(io.StringIO(done.stdout.decode())))


def check_slices(heddle, report, archive, pieces, cuts, by, name, differences):
    own, paths, kept = Counter(), defaultdict(Counter), kept_of(pieces)
    for metric, location, begin, end, path in pieces:
        parts = Counter()
        add(parts, cuts[location.process], begin, end, ())
        for (slice,), length in parts.items():
            own[metric, location.process, slice] += length
            paths[metric, name_in(kept[metric], path), slice][location.process] += length
            SEEN[metric] += length
    what = '%s, %s' % (name, by)
    differ(found(report, 'heddle.iteration-series.tsv' if by == 'iterations' else 'heddle.series.tsv'), own, what, differences)
    wanted = {key: (sum(of.values()), max(of.values()), min(p for p in of if of[p] == max(of.values()))) for key, of in paths.items()}
    got = {(row['metric'], row['path'], int(row['slice'])): (round(float(row['value']) * archive.resolution),
                                                             round(float(row['most']) * archive.resolution), int(row['process']))
           for row in csv_of(heddle, report, '--paths', '--by', by)[1] if row['metric'] in METRICS}
    differ(got, wanted, what, differences)
    check_sums(heddle, report, archive, own, by, what, differences)
    check_imbalance(heddle, report, archive, by, what, differences)
    return len(own) + len(wanted)


def check_sums(heddle, report, archive, own, by, what, differences):
    sums = {metric: parts.split() for metric, parts in RegionClasses.SUMS if metric.startswith('mpi_') and 'file_ops' not in metric}
    for metric in sums:
        parts, wanted = [metric], Counter()
        for part in parts:
            parts += sums.get(part, [])
        for (of, process, slice), value in own.items():
            if of in parts:
                wanted[process, slice] += value
        code, rows = csv_of(heddle, report, '--metric', metric, '--by', by)
        got = Counter()
        for row in rows:
            got[int(row['process']), int(row['slice'])] += round(float(row['value']) * archive.resolution)
        differ(got, wanted, '%s, %s' % (what, metric), differences)
        if code != (0 if wanted else 2):
            differences.append('%s: %s: exit code %d' % (what, metric, code))
        of_paths, of_slices = Counter(), Counter()
        for row in csv_of(heddle, report, '--metric', metric, '--paths', '--by', by)[1]:
            of_paths[int(row['slice'])] += round(float(row['value']) * archive.resolution)
        for (_, slice), value in wanted.items():
            of_slices[slice] += value
        differ(of_paths, of_slices, '%s, %s by call path' % (what, metric), differences)


def check_imbalance(heddle, report, archive, by, what, differences):
    """Of what the report has of computation, which compare_time_series.py compares."""
    comp, n = defaultdict(Counter), 1 + max(location.process for location in archive.locations)
    for row in csv_of(heddle, report, '--metric', 'comp', '--by', by)[1]:
        comp[int(row['slice'])][int(row['process'])] += round(float(row['value']) * archive.resolution)
    for metric, sign in (('imbalance', 0), ('imbalance_above', 1), ('imbalance_below', -1)):
        wanted, got = {}, {}
        for slice, of in comp.items():
            for process in range(n):
                distance = n * of[process] - sum(of.values())                        # n times it
                value = abs(distance) if sign == 0 else max(0, sign * distance)
                if value:
                    wanted[process, slice] = value
        code, rows = csv_of(heddle, report, '--metric', metric, '--by', by)
        for row in rows:
            value = float(row['value']) * archive.resolution * n
            if abs(value - round(value)) > 1e-3 * max(1, 1e-6 * value):
                differences.append('%s: %s is no number of ticks: %s' % (what, metric, row))
            if round(value):
                got[int(row['process']), int(row['slice'])] = round(value)
        if code == 0 or len(archive.locations) > 1:                                  # one location has no imbalance
            differ(got, wanted, '%s, %s' % (what, metric), differences)


def dumped(heddle, report, archive):
    text, sums = subprocess.run([heddle, 'dump', report, '--csv'], capture_output=True, check=True).stdout.decode(), Counter()
    for row in csv.DictReader(io.StringIO(text)):
        if row['metric'] in METRICS:
            sums[row['metric'], int(row['process'])] += round(float(row['value']) * archive.resolution)
    return +sums


def tables(report):
    return [table(report, member) for member in ('heddle.series.tsv', 'heddle.path-series.tsv')] + \
        [table(report, member) for member in ('heddle.iteration-series.tsv', 'heddle.iteration-path-series.tsv', 'heddle.verdicts.tsv') if has(report, member)]


def has(report, member):
    try:
        return bool(table(report, member))
    except KeyError:
        return False


def compare(options, folder, filename, name, region):
    heddle, differences, n = options['heddle'], [], 0
    archive = Archive(filename)
    report, region = report_of(heddle, filename, region, folder, name, differences)
    if report is None:
        return differences, 0
    members = ['heddle.series.tsv'] + (['heddle.iteration-series.tsv'] if has(report, 'heddle.iteration-series.tsv') else [])
    if not has_tasks(archive):
        pieces, own = pieces_of(archive), iteration_cuts(archive, filename, region)
        n += check_slices(heddle, report, archive, pieces, window_cuts(archive, report), 'windows', name, differences)
        if own is not None:
            n += check_slices(heddle, report, archive, pieces, own, 'iterations', name, differences)
    values = dumped(heddle, report, archive)
    for member in members:
        sums, of_paths, whole = Counter(), Counter(), Counter()
        for (metric, process, _), value in found(report, member).items():
            sums[metric, process] += value
        for row in table(report, member.replace('series', 'path-series')):
            if row['metric'] in METRICS:
                of_paths[row['metric']] += sum(int(ticks) for ticks in row['values'].split(',') if ticks)
        for (metric, _), value in values.items():
            whole[metric] += value
        n += len(values)
        differ(sums, values, '%s, sums of %s' % (name, member), differences)
        differ(of_paths, whole, '%s, sums of call paths of %s' % (name, member), differences)
    check_other_ranks(options, filename, report, region, tables, folder, name, differences)
    return differences, n


def main(arguments):
    kind, differences, count = compare_all(arguments, compare)
    differences += ['no program has %s' % metric for metric in EXPECTED.get(kind, ()) if SEEN[metric] == 0]
    print('\n'.join(differences[:20]))
    print('%d values compared, %d differences' % (count, len(differences)))
    return 1 if differences or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/python3
"""Series of computation, MPI and OpenMP by window and iteration, of random programs or archives: heddle's tables against sums of the pieces of
time in which no thread changes what it does, cut at the bounds of slices.

usage: compare_time_series.py HEDDLE TW_RANDOM FIRST LAST [--threads] [--rma]
       compare_time_series.py HEDDLE --archives [ARCHIVE.otf2[=REGION]...]

REGION: its instances are the iterations; of random programs those of the functions "solve" and "work". Compared are, of each of the three:
each process and slice; each call path with 1 % of the time and slice, with the process that has most; that call paths add up to processes.
With tasks a call path may have less than here, but not more; where they move between threads, sums alone are compared. Exit status: 0 all equal,
1 some differ.
"""
import csv
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import run_matrix
from analysis import Analysis
from archive_reader import Archive
from compare_efficiency import OMP_LOCKS, PROGRAM, moves_tasks, state_of_region
from compare_iterations import dynamic_regions, instances
from team_replay import team_instances

OMP_ROLES = ('BARRIER', 'IMPLICIT_BARRIER', 'ATOMIC', 'CRITICAL', 'ORDERED', 'TASK_WAIT', 'FLUSH')
METRICS = ('comp', 'mpi', 'omp_time')
STARTUP = {'MPI_Init', 'MPI_Init_thread', 'MPI_Finalize'}
KNOWN = Counter()                                                                    # ticks at call paths, and of all, of the reports


def metric_of_region(region):
    if region.paradigm == 'OPENMP' and region.role == 'TASK_CREATE':
        return 'comp'
    if region.paradigm == 'OPENMP' and (region.role in OMP_ROLES or region.name in OMP_LOCKS):
        return 'omp_time'
    return {'useful': 'comp', 'mpi': 'mpi'}.get(state_of_region(region))


def names_of(path):
    return tuple(reversed([above.region.name for above in path.ancestors()]))


def entered_paths(analysis):
    """location -> call path of each enter, in order."""
    return {location: [thing.path for _, kind, thing in events if kind == 'enter'] for location, events in analysis.timeline.items()}


def pieces_of(location, paths):
    """[(from, to, metric, names of the call path, None: not defined)] of one location, in order; without forks and joins, but 'fork': where its
    thread is then. paths: of its enters."""
    stacks, task, forks, pieces, before, entered = {None: []}, None, [], [], None, iter(paths)

    def metric():
        stack = stacks[task]
        if any(state_of_region(region) == 'mpi' for kept in stacks.values() for region, _ in kept):
            return 'mpi'
        if forks and task is None and len(stack) <= forks[-1]:
            return 'fork' if stack and metric_of_region(stack[-1][0]) == 'comp' else None
        if stack:
            return metric_of_region(stack[-1][0])
        return 'comp' if task is not None else None

    def path(of):
        if not stacks[task] or (of == 'mpi' and all(state_of_region(region) != 'mpi' for region, _ in stacks[task])):
            return None
        return names_of(stacks[task][-1][1])
    for event in location.events:
        time, kind = event[0], event[1]
        if before is not None and time > before and metric() is not None:
            pieces.append((before, time, metric(), path(metric())))
        before, stack = time, stacks[task]
        if kind in ('enter', 'program', 'off'):
            stack.append((event[2] if kind == 'enter' else PROGRAM, next(entered)))
        elif kind in ('leave', 'on') and stack:
            stack.pop()
        elif kind == 'fork':
            forks.append(len(stack))
        elif kind == 'join' and forks:
            forks.pop()
        elif kind == 'task_switch':
            task = event[2]
            stacks.setdefault(task, [])
        elif kind == 'task_complete':
            task = None if task == event[2] else task
            stacks.pop(event[2], None)
    return pieces


def forks_and_joins(locations, team_masters, paths):
    """[(from, to, names of the parallel region)] of the threads of a process: from a fork to the parallel region of each thread, and from its
    end to the join. paths: as above, of all locations."""
    teams, forks, spans = team_instances(locations, team_masters), {}, []
    for location in locations:
        number, opened = 0, []
        for event in location.events:
            if event[1] == 'fork':
                forks[location, number] = [event[0], None]
                opened.append(number)
                number += 1
            elif event[1] == 'join' and opened:
                forks[location, opened.pop()][1] = event[0]
    for location in locations:
        begins, inside, stacks, task, entered = Counter(), [], {None: []}, None, iter(paths[location])
        for event in location.events:
            time, kind, stack = event[0], event[1], stacks[task]
            if kind == 'team_begin':
                team = teams[event[2], begins[event[2]]]
                inside.append(forks.get((team.master, team.fork_number), [None, None]))
                begins[event[2]] += 1
            elif kind == 'team_end' and inside:
                inside.pop()
            elif kind in ('enter', 'program', 'off'):
                stack.append((event[2] if kind == 'enter' else PROGRAM, next(entered)))
                if kind == 'enter' and event[2].is_omp_parallel and inside and inside[-1][0] is not None:
                    spans.append((inside[-1][0], time, names_of(stack[-1][1])))
            elif kind in ('leave', 'on') and stack:
                region, path = stack.pop()
                if region.is_omp_parallel and inside and inside[-1][1] is not None:
                    spans.append((time, inside[-1][1], names_of(path)))
            elif kind == 'task_switch':
                task = event[2]
                stacks.setdefault(task, [])
            elif kind == 'task_complete':
                task = None if task == event[2] else task
        for region, path in reversed(stacks[None] if location.events else []):           # a thread that stops in one leaves it then
            if region.is_omp_parallel and inside:
                joined = inside.pop()[1]
                if joined is not None:
                    spans.append((time, joined, names_of(path)))
    return [span for span in spans if span[0] < span[1]]


def slices_of_iterations(bounds, n):
    """[(begin, slice)] of a process."""
    cuts = [(float('-inf'), 0)]
    for i, (enter, leave) in enumerate(bounds):
        cuts += [(enter, i + 1), (leave, n + 1 if i + 1 == len(bounds) else n + 2)]
    return cuts


def add(sums, cuts, begin, end, key):
    """cuts: [(begin, slice)] ascending; of equal times the last one counts."""
    for (since, slice), (until, _) in zip(cuts, cuts[1:] + [(float('inf'), None)]):
        length = min(end, until) - max(begin, since)
        if length > 0:
            sums[key + (slice,)] += length


def table(report, member):
    with tarfile.open(report) as cube:
        return list(csv.DictReader(io.StringIO(cube.extractfile(member).read().decode()), delimiter='\t'))


def found(report, member, places):
    sums = Counter()
    for row in table(report, member):
        for slice, ticks in enumerate(row['values'].split(','), int(row['first'])):
            if ticks and row['metric'] in METRICS:
                sums[tuple(row[place] if place == 'metric' else int(row[place] or -1) for place in places) + (slice,)] += int(ticks)
    return sums


def check_slices(heddle, report, name, archive, pieces, forks, cuts, by, differences):
    """cuts: process -> as above. Returns the number of values."""
    member = 'heddle.iteration-%s.tsv' if by == 'iterations' else 'heddle.%s.tsv'
    own, paths = Counter(), Counter()
    for location in archive.locations:
        for begin, end, metric, path in pieces[location]:
            if metric != 'fork':
                add(own, cuts[location.process], begin, end, (metric, location.process))
            add(paths, cuts[location.process], begin, end, (metric, path, location.process))
    for process, spans in forks.items():
        for begin, end, path in spans:
            add(own, cuts[process], begin, end, ('omp_time', process))
            add(paths, cuts[process], begin, end, ('omp_time', path, process))
    values, moves = found(report, member % 'series', ('metric', 'process')), moves_tasks(archive)
    for key in sorted(set(own) | set(values)):
        if own[key] != values[key] and not moves:
            differences.append('%s, %s: %s of process %d in slice %d: %d, oracle %d' % ((name, by) + key + (values[key], own[key])))
    of_paths, of_processes = Counter(), Counter()
    for (metric, _, slice), value in found(report, member % 'path-series', ('metric', 'callpath')).items():
        of_paths[metric, slice] += value
    for (metric, _, slice), value in values.items():
        of_processes[metric, slice] += value
    if of_paths != +of_processes:
        differences.append('%s, %s: call paths do not add up to processes' % (name, by))
    if not moves:
        text = subprocess.run([heddle, 'series', report, '--paths', '--csv', '--by', by], capture_output=True, check=True).stdout
        rows = [row for row in csv.DictReader(io.StringIO(text.decode())) if row['metric'] in METRICS]
        for metric in METRICS:
            check_paths([row for row in rows if row['metric'] == metric], name, archive, paths, '%s: %s' % (by, metric), metric, differences)
    return len(own) + len(paths)


def check_paths(rows, name, archive, paths, by, metric, differences):
    """Of one metric. paths: (metric, names, process, slice) -> ticks."""
    sums, wanted, whole = {}, defaultdict(Counter), Counter()
    for (of, path, process, slice), value in paths.items():
        if path is not None and of in ((metric, 'fork') if metric == 'comp' else (metric,)):
            whole[path] += value
    others = sum(value for path, value in whole.items() if not STARTUP.intersection(path))
    kept = {path for path in whole if whole[path] > 0 and 100 * whole[path] >= (sum(whole.values()) if STARTUP.intersection(path) else others)}
    has_program = any(event[1] == 'program' for location in archive.locations for event in location.events)

    def without_program(path):
        return (PROGRAM.name,) + path[1:] if has_program and path else path
    for row in rows:
        path = tuple(row['path'].split(';')) if row['path'] else ()
        sums[without_program(path), int(row['slice'])] = (round(float(row['value']) * archive.resolution),
                                                        round(float(row['most']) * archive.resolution), int(row['process']))
    if has_tasks(archive):
        kept = {path for path in whole if without_program(path) in {path for path, _ in sums}}
    for (of, path, process, slice), value in paths.items():
        if of == metric:
            path = path or ()
            while path and path not in kept:
                path = path[:-1]
            wanted[without_program(path), slice][process] += value
    own = {key: (sum(of.values()), max(of.values()), min(p for p in of if of[p] == max(of.values()))) for key, of in wanted.items()}
    for key in sorted(set(own) | set(sums)):
        got, expected = sums.get(key), own.get(key)
        if has_tasks(archive):
            is_wrong = key[0] and got and (expected is None or got[0] > expected[0] or got[1] > wanted[key][got[2]])
        else:
            is_wrong = got != expected
        if is_wrong:
            differences.append('%s, %s at %s in slice %d: %s, oracle %s' % (name, by, ';'.join(key[0]), key[1], got, expected))
    KNOWN[metric] += sum(value for (path, _), (value, _, _) in sums.items() if path)
    KNOWN[metric, 'all'] += sum(value for value, _, _ in sums.values())


def has_tasks(archive):
    return any('task' in event[1] for location in archive.locations for event in location.events)


def compare(heddle, folder, filename, name, region):
    report, differences, n = os.path.join(folder, 'r.cubex'), [], 0
    archive = Archive(filename)
    done = subprocess.run([heddle, 'analyze', filename, '-o', report, '-f', '-q', '--no-demangle', '--series', 'all'] +
                          (['--iterations', region] if region else []), capture_output=True, env=dict(os.environ, TMPDIR=folder))
    if region and done.returncode == 2:
        return [], 0                                                                 # it does not have that function
    if done.returncode not in (0, 3):
        return ['%s: exit code %d: %s' % (name, done.returncode, done.stderr.decode())], 0
    paths = defaultdict(list, entered_paths(Analysis(archive, False)))
    pieces = {location: pieces_of(location, paths[location]) for location in archive.locations}
    of_process = defaultdict(list)
    for location in archive.locations:
        of_process[location.process].append(location)
    forks = {process: forks_and_joins(locations, archive.team_masters, paths) for process, locations in of_process.items()}
    rows = [row for row in table(report, 'heddle.slices.tsv') if row['kind'] == 'window']
    begin, end = (round(float(time) * archive.resolution) + archive.offset for time in (rows[0]['from'], rows[-1]['to']))
    cuts = [(float('-inf'), 0)] + [(begin + k * (end - begin) // len(rows), k + 1) for k in range(len(rows) + 1)]
    n += check_slices(heddle, report, name, archive, pieces, forks, {process: cuts for process in of_process}, 'windows', differences)
    names = {region} if region else dynamic_regions(filename)
    bounds = instances(archive, names) if names else None
    if bounds is not None and not has_tasks(archive):                                # left in another order than entered
        most = max(len(of) for of in bounds.values())
        own = {process: slices_of_iterations(bounds.get(process, []), most) for process in of_process}
        n += check_slices(heddle, report, name, archive, pieces, forks, own, 'iterations', differences)
    return differences, n


def main(arguments):
    heddle, differences, count = arguments[0], [], 0
    with tempfile.TemporaryDirectory(dir=run_matrix.TEMPORARY.name) as folder:
        if arguments[1] == '--archives':
            for argument in arguments[2:]:
                filename, _, region = argument.partition('=')
                wrong, n = compare(heddle, folder, filename, os.path.basename(os.path.dirname(filename)), region)
                differences, count = differences + wrong, count + n
        else:
            kind = [option[2:] for option in arguments[4:]]
            for seed in range(int(arguments[2]), int(arguments[3]) + 1):
                program = os.path.join(folder, 'p%d' % seed)
                subprocess.run([arguments[1], str(seed), program] + kind, check=True, capture_output=True)
                for region in ('solve', 'work'):
                    wrong, n = compare(heddle, folder, os.path.join(program, 'traces.otf2'), 'seed %d, %s' % (seed, region), region)
                    differences, count = differences + wrong, count + n
    print('\n'.join(differences[:20]))
    print('at call paths: ' + ', '.join('%s %.4f' % (metric, KNOWN[metric] / KNOWN[metric, 'all']) for metric in METRICS if KNOWN[metric, 'all']))
    print('%d values compared, %d differences' % (count, len(differences)))
    return 1 if differences or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

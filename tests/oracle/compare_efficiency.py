#!/usr/bin/python3
"""Efficiencies of random programs, or of archives, by heddle and recomputed from the events: every sum of every slice must be equal.

usage: compare_efficiency.py HEDDLE TW_RANDOM FIRST LAST [--threads] [--rma] [--mpirun PROGRAM] [--keep FOLDER]
       compare_efficiency.py HEDDLE --archives ARCHIVE.otf2...

Of each archive: the sums of all slices ("Efficiencies" in docs/metrics.md), from the states of the threads in the pieces of
time in which none changes; the same of iterations, instances of a function; that the slices of time windows, and of iterations, add up; that factors are in [0, 1], products and sums of them hold
to 1e-12; that the ideal runtime is that of ideal_clock.py, and the run time that heddle simulate, which is another program with
an oracle of its own, gives for "network zero" (not where MPI is called in parallel, sends wait, calls poll, windows have
epochs, or non-blocking operations go on in calls only); all but the last also of the interval between two times (--from, --to), or of a region (--roi), which are drawn; with --mpirun, that the table
is the same on 3 ranks of 2 threads. Exit status: 0 all equal, 1 some differ, 2 something could not be run.
"""
import bisect
import collections
import functools
import json
import math
import os
import random
import shutil
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'runner'))
import runner
from archive_reader import Archive
from compare_iterations import instances
from compare_simulation import known_calls, nodes_of, simulate
from ideal_clock import IdealClocks, IdealModel
from model import artificial

PROGRAM = artificial('program')
MEMBER = 'heddle.efficiency.tsv'
OF_ITERATIONS = 'heddle.iteration-efficiency.tsv'
ADDED = ('useful', 'serial_useful', 'outside', 'outside_threads', 'parallel_threads', 'serial_threads', 'mpi', 'mpi_elsewhere')
CAUSES = {'mpi': 'parallel_mpi', 'fork': 'fork', 'barrier': 'barrier', 'lock': 'lock', 'tasks': 'tasks', 'ordered': 'ordered', 'calls': 'calls',
          'other': 'other'}
DEVICES = ('CUDA', 'OPENCL', 'OPENACC', 'HIP', 'SHMEM')
OMP_LOCKS = {'omp_%s_lock' % verb for verb in ('destroy destroy_nest init init_nest set set_nest test test_nest unset '
                                               'unset_nest').split()}


# ---- states of threads ---------------------------------------------------------------------------------------------------------


def state_of_region(region):
    name, paradigm, role = region.name, region.paradigm, region.role
    if paradigm == 'MEASUREMENT_SYSTEM':
        return 'other' if name in ('TRACE BUFFER FLUSH', 'TRACING') else 'useful'
    if paradigm in DEVICES:
        return 'useful' if paradigm == 'SHMEM' and name == 'PARALLEL' else 'other'
    if paradigm == 'MPI':
        return 'useful' if name == 'PARALLEL' else 'mpi'
    if paradigm == 'OPENMP':
        states = {'BARRIER': 'barrier', 'IMPLICIT_BARRIER': 'barrier', 'ATOMIC': 'lock', 'CRITICAL': 'lock', 'ORDERED': 'ordered',
                  'TASK_WAIT': 'tasks', 'TASK_CREATE': 'tasks', 'FLUSH': 'calls'}
        return 'lock' if name in OMP_LOCKS else states.get(role, 'useful')
    if paradigm == 'PTHREAD':
        call = name.removeprefix('pthread_')
        if call in ('cancel', 'create', 'detach', 'exit', 'join'):
            return 'calls'
        if call.startswith(('mutex_', 'cond_')):
            return 'lock'
    return 'useful'


def pieces_of(location):
    """[(from, to, state, in parallel)] of one location, in order."""
    stacks, task, forks, n_teams, pieces = {None: []}, None, [], 0, []

    def state():
        stack = stacks[task]
        if any(state_of_region(region) == 'mpi' for kept in stacks.values() for region in kept):
            return 'mpi'
        if forks and task is None and len(stack) <= forks[-1]:
            return 'fork'
        if stack:
            return state_of_region(stack[-1])
        return 'tasks' if task is not None else 'fork' if n_teams else 'idle'

    def is_parallel():
        return bool(forks) or any(region.is_omp_parallel for kept in stacks.values() for region in kept) or \
            state() not in ('useful', 'mpi', 'idle', 'other')
    before = None
    for event in location.events:
        time, kind = event[0], event[1]
        if before is not None and time > before:
            pieces.append((before, time, state(), is_parallel()))
        before, stack = time, stacks[task]
        if kind in ('enter', 'program', 'off'):
            stack.append(event[2] if kind == 'enter' else PROGRAM)
        elif kind in ('leave', 'on'):
            if stack:
                stack.pop()
        elif kind == 'fork':
            forks.append(len(stack))
        elif kind == 'join' and forks:
            forks.pop()
        elif kind == 'team_begin':
            n_teams += 1
        elif kind == 'team_end':
            n_teams -= n_teams > 0
        elif kind == 'task_switch':
            task = event[2]
            stacks.setdefault(task, [])
        elif kind == 'task_complete':
            if task == event[2]:
                task = None
            stacks.pop(event[2], None)
    return pieces


def moves_tasks(archive):
    seen = {}
    for location in archive.locations:
        for event in location.events:
            if event[1] == 'task_switch' and event[2] is not None and seen.setdefault((location.process, event[2]), location) is not location:
                return True
    return False


# ---- sums of a slice -----------------------------------------------------------------------------------------------------------


def most_active(threads):
    ends = []
    for pieces in threads:
        spans = []
        for begin, end, state, _ in pieces:
            if state != 'idle':
                if spans and spans[-1][1] == begin:
                    spans[-1][1] = end
                else:
                    spans.append([begin, end])
        ends += [(begin, 1) for begin, _ in spans] + [(end, -1) for _, end in spans]
    n, most = 0, 1
    for _, step in sorted(ends):
        n += step
        most = max(most, n)
    return most


def elementary(threads, begin, end):
    """(from, to, states of the threads, the first one in parallel) of pieces in which no thread changes."""
    bounds = sorted({begin, end} | {time for pieces in threads for piece in pieces for time in piece[:2] if begin < time < end})
    starts = [[piece[0] for piece in pieces] for pieces in threads]
    for left, right in zip(bounds, bounds[1:]):
        states, parallel = [], False
        for number, pieces in enumerate(threads):
            at = bisect.bisect_right(starts[number], left) - 1
            there = at >= 0 and pieces[at][1] > left
            states.append(pieces[at][2] if there else 'idle')
            if there and (pieces[at][3] if number == 0 else pieces[at][2] != 'idle'):
                parallel = True
        yield left, right, states, parallel


def book_interval(sums, n, totals, length):
    busiest = max(range(len(totals)), key=lambda t: (totals[t]['useful'], -t))
    useful = sum(total['useful'] for total in totals)
    lost = [('imbalance', max(0, n * totals[busiest]['useful'] - useful))]
    lost += [(name, n * totals[busiest][state]) for state, name in CAUSES.items()] + [('absent', n * length)]
    rest = n * length - useful
    for name, time in lost:
        sums[name] += min(time, rest)
        rest -= min(time, rest)


def add_process(sums, threads, n, pieces):
    """pieces: [(begin, end)] of the process that are in the slice."""
    useful, mpi, parallel, first_in, inside = collections.Counter(), collections.Counter(), 0, 0, 0
    for begin, end in pieces:
        of_piece = add_piece(sums, threads, n, begin, end, useful, mpi)
        parallel, first_in, inside = parallel + of_piece[0], first_in + of_piece[1], inside + of_piece[2]
    serial, outside = useful[0] - first_in, inside - mpi[0]
    for name, value in (('processes', 1), ('threads', n), ('useful', sum(useful.values())), ('serial_useful', serial),
                        ('outside', outside), ('outside_threads', n * outside), ('parallel_threads', n * parallel),
                        ('serial_threads', n * serial), ('mpi', sum(mpi.values())), ('mpi_elsewhere', sum(mpi.values()) - mpi[0])):
        sums[name] += value
    for name, value in (('max_useful', max(list(useful.values()) + [-(-sum(useful.values()) // n)])), ('max_outside', outside), ('max_process', parallel + serial)):
        sums[name] = max(sums[name], value)


def add_piece(sums, threads, n, begin, end, useful, mpi):
    """(in parallel, useful of the first thread then, from its first to its last event)"""
    parallel, first_in, since, totals = 0, 0, None, None
    for left, right, states, is_parallel in elementary(threads, begin, end):
        span = right - left
        for number, state in enumerate(states):
            useful[number] += span * (state == 'useful')
            mpi[number] += span * (state == 'mpi')
        if is_parallel:
            if since is None:
                since, totals = left, [collections.Counter() for _ in threads]
            for number, state in enumerate(states):
                totals[number][state] += span
            parallel += span
            first_in += span * (states[0] == 'useful')
        elif since is not None:
            book_interval(sums, n, totals, left - since)
            since = None
    if since is not None:
        book_interval(sums, n, totals, end - since)
    return parallel, first_in, max(0, min(end, threads[0][-1][1]) - max(begin, threads[0][0][0]))


def sums_of(processes, begin, end):
    sums = collections.Counter()
    for threads, n in processes:
        add_process(sums, threads, n, [(begin, end)])
    return sums


# ---- what differs --------------------------------------------------------------------------------------------------------------


def table_of(report, member=MEMBER):
    with tarfile.open(report) as tar:
        if member not in tar.getnames():
            return None
        head, *lines = [line.split('\t') for line in tar.extractfile(member).read().decode().splitlines()]
    return [dict(zip(head, line)) for line in lines if line != ['']]     # the last one may be empty (src/cube/write/cube_out.h)


@functools.lru_cache(maxsize=1)
def pieces_by_process(archive):
    by_process = collections.defaultdict(list)
    for location in archive.locations:
        pieces = pieces_of(location) if location.is_cpu else []
        if pieces:
            by_process[location.process].append(pieces)
    return by_process


def problems_of_sums(archive, rows):
    by_process = pieces_by_process(archive)
    processes = [(threads, most_active(threads)) for _, threads in sorted(by_process.items())]
    first = archive.offset
    for row in rows:
        expected = sums_of(processes, first + int(row['from']), first + int(row['to']))
        names = [name for name in list(row)[6:] if int(row[name]) != expected[name]]
        if names:
            yield '%s %s: %s' % (row['kind'], row['slice'], ', '.join('%s: heddle %s, oracle %d' % (name, row[name], expected[name])
                                                                       for name in names))
            return


def problems_of_windows(rows):
    main = rows[1] if len(rows) > 1 and rows[1]['kind'] != 'window' else rows[0]
    windows = [row for row in rows if row['kind'] == 'window']
    for name in ADDED:
        if windows and sum(int(row[name]) for row in windows) != int(main[name]):
            yield 'windows do not add up: %s' % name


def pieces_of_slices(bounds, begin, end, n):
    """[[(from, to)] for each slice]: before, the n iterations, after, between, of a process with these [(enter, leave)]."""
    slices = [[] for _ in range(n + 3)]
    slices[0].append((begin, bounds[0][0] if bounds else end))
    for i, (enter, leave) in enumerate(bounds):
        slices[i + 1].append((enter, leave))
        slices[n + 2].append((leave, bounds[i + 1][0])) if i + 1 < len(bounds) else slices[n + 1].append((leave, end))
    clipped = [[(max(left, begin), min(right, end)) for left, right in pieces] for pieces in slices]
    return [[(left, right) for left, right in pieces if left < right] for pieces in clipped]


def problems_of_iterations(archive, region, rows, whole):
    """Of the iterations that are instances of a region; None: of those that are found, which only have to add up."""
    for name in ADDED:
        if sum(int(row[name]) for row in rows) != int(whole[name]):
            yield 'iterations do not add up: %s' % name
    if region is None:
        return
    begin, end = (archive.offset + int(whole[key]) for key in ('from', 'to'))
    bounds = instances(archive, {region})
    n = max(len(of) for of in bounds.values())
    if [row['kind'] for row in rows] != ['before'] + n * ['iteration'] + ['after', 'between']:
        yield 'not %d iterations: %d slices' % (n, len(rows))
        return
    sums, longest = [collections.Counter() for _ in rows], [0] * len(rows)
    for process, threads in sorted(pieces_by_process(archive).items()):
        slices = pieces_of_slices(bounds.get(process, []), begin, end, n)
        for i, pieces in enumerate(slices):
            add_process(sums[i], threads, most_active(threads), pieces)
            longest[i] = max(longest[i], sum(right - left for left, right in pieces))
    for row, expected, length in zip(rows, sums, longest):
        wrong = [name for name in list(row)[8:] if int(row[name]) != expected[name]] + ['runtime'] * (int(row['runtime']) != length)
        if wrong:
            yield 'iterations of %s, slice %s: %s' % (region, row['slice'], ', '.join(
                '%s: heddle %s, oracle %d' % (name, row[name], length if name == 'runtime' else expected[name]) for name in wrong))
            return


def near(a, b):
    return a is None or b is None or abs(a - b) <= 1e-12


def product(*factors):
    return None if None in factors else math.prod(factors)


def problems_of_factors(document):
    regions = [row['efficiency'] for row in document['regions']]
    if any(entry['kind'] != 'region' or entry['from'] is not None or entry['hybrid'] or entry['additive'] for entry in regions):
        yield 'a region has factors that are not known of it'
    for entry in [document['whole'], document['main'] or document['whole']] + document['slices'] + (document['iterations'] or {'slices': []})['slices'] + regions:
        if entry['runtime'] == 0:
            if entry['parallel'] is not None:
                yield '%s: an efficiency of no time: %s' % (entry['kind'], entry['parallel'])
            continue
        rules = [(entry['parallel'], product(entry['load_balance'], entry['communication'])),
                 (entry['communication'], product(entry['serialisation'], entry['transfer']))]
        unit = [entry[key] for key in ('parallel', 'load_balance', 'communication', 'serialisation')]
        if entry['hybrid']:
            mpi, openmp, added, causes = entry['hybrid']['mpi'], entry['hybrid']['openmp'], entry['additive'], entry['openmp_causes']
            rules += [(mpi['parallel'], product(mpi['load_balance'], mpi['communication'])),
                      (mpi['communication'], product(mpi['serialisation'], mpi['transfer'])),
                      (entry['parallel'], product(mpi['parallel'], openmp['parallel'])),
                      (openmp['parallel'], product(openmp['load_balance'], openmp['communication'])),
                      (entry['parallel'], added['process'] + added['thread'] - 1),
                      (added['process'], added['process_load_balance'] + added['process_communication'] - 1),
                      (added['thread'], added['serial_region'] + added['openmp'] - 1),
                      (1 - added['openmp'], sum(causes.values()))]
            if added['process_transfer'] is not None:
                rules.append((added['process_communication'], added['process_serialisation'] + added['process_transfer'] - 1))
            unit += [mpi['parallel'], mpi['load_balance'], mpi['communication'], mpi['serialisation'], added['process'],
                     added['process_load_balance'], added['process_communication'], added['thread'], added['serial_region'],
                     added['openmp']] + list(causes.values())
        for a, b in rules:
            if not near(a, b):
                yield '%s from %s: %s is not %s' % (entry['kind'], entry['from'], a, b)
        if any(value is not None and not -1e-12 <= value <= 1 + 1e-12 for value in unit):
            yield '%s from %s: a factor is not in [0, 1]: %s' % (entry['kind'], entry['from'], unit)


def calls_mpi_in_parallel(location):
    """Whether it calls MPI where threads may wait for it: the simulation moves their waits, the ideal clock leaves them as recorded."""
    stack = []
    for event in location.events:
        if event[1] == 'enter':
            if event[2].mpi_name and any(region.is_omp_parallel for region in stack):
                return True
            stack.append(event[2])
        elif event[1] == 'leave' and stack:
            stack.pop()
    return False


def has_own_ideal(archive):
    """Whether the simulation knows waits that the ideal clock leaves out, or the other way round."""
    firsts = {}
    for location in archive.locations:
        if location.is_cpu:
            firsts.setdefault(location.process, location)
    others = [location for location in archive.locations if location.is_cpu and firsts[location.process] is not location]
    names = {event[2].canonical.lower() for location in archive.locations for event in location.events if event[1] == 'enter'}
    kinds = {event[1] for location in archive.locations for event in location.events}
    return any(event[1] == 'enter' and event[2].mpi_name for location in others for event in location.events) or \
        any(map(calls_mpi_in_parallel, firsts.values())) or names & {'mpi_ssend', 'mpi_issend', 'mpi_ssend_init', 'mpi_iscan', 'mpi_iexscan'} or \
        kinds & {'rma_lock', 'rma_group', 'rma_unlock'}


def problems_of_elsewhere(rows):
    """Ideal clocks of other threads than the first ones are no oracle's; what they give is no longer than the run."""
    for row in rows:
        if int(row['mpi_elsewhere']) and row['ideal'] and int(row['ideal']) > int(row['to']) - int(row['from']):
            yield '%s: ideal runtime %s exceeds the runtime' % (row['kind'], row['ideal'])


def problems_of_ideal(heddle, anchor, rows):
    document = json.loads(checked(heddle, 'simulate', anchor, '--what-if', 'network zero', '--json', '--quiet'))
    if document['counts']['polled_waits'] or document['hypotheses'][0]['cycles'] or not rows[0]['ideal']:
        return
    found = [(rows[0], document['hypotheses'][0]['run_time_whole'])]
    if len(rows) > 1 and rows[1]['kind'] == 'main':
        found.append((rows[1], document['hypotheses'][0]['run_time']))
    for row, seconds in found:
        least = max(int(row['max_useful']), int(row['max_outside']))
        if int(row['ideal']) != max(round(seconds * int(row['resolution'])), least):
            yield '%s: ideal runtime %s, simulated %.0f' % (row['kind'], row['ideal'], seconds * int(row['resolution']))


def problems_of_ideal_clocks(model, archive, rows):
    """Of the interval that the second row is of, or else of the whole run and the main window."""
    pieces, first = {process: threads[0] for process, threads in pieces_by_process(archive).items()}, archive.offset
    is_interval = len(rows) > 1 and rows[1]['kind'] in ('interval', 'regions')
    row = rows[1 if is_interval else 0]
    begin, end = first + int(row['from']), first + int(row['to'])
    clocks = IdealClocks(model, pieces, begin if is_interval else 0)
    if any(call.is_polled for calls in clocks.calls.values() for call in calls) or clocks.calls.keys() != pieces.keys():
        return
    found = [(row, clocks.length(begin, end) if clocks.is_known else None)]
    if clocks.is_known and not is_interval and len(rows) > 1 and rows[1]['kind'] == 'main':
        found.append((rows[1], clocks.main_length()))
    for row, length in found:
        if row['kind'] == 'whole' and not any(clocks.calls.values()):
            length = int(row['to']) - int(row['from'])
        expected = '' if length is None else str(max(length, int(row['max_useful']), int(row['max_outside'])))
        if row['ideal'] != expected:
            yield '%s: ideal runtime %s, oracle %s' % (row['kind'], row['ideal'], expected)


def checked(*command):
    code, output, errors = runner.run(list(command))
    if code not in (0, 3):
        sys.exit('compare_efficiency: exit status %d of %s\n%s' % (code, ' '.join(command), errors.decode(errors='replace')))
    return output.decode()


def spans_of_regions(archive):
    """{name: [first enter, last leave]} of regions outside of MPI that first threads alone enter, and without tasks, as these leave
    regions in another order than they enter them."""
    spans, elsewhere = {}, set()
    for location in archive.locations:
        stack, has_tasks = [], any('task' in event[1] for event in location.events)
        for event in location.events:
            if event[1] == 'enter':
                stack.append(event)
            elif event[1] == 'leave' and stack:
                enter = stack.pop()
                if location.thread != 0 or has_tasks:
                    elsewhere.add(enter[2].name)
                elif location.is_cpu and not enter[2].mpi_name and enter[2].paradigm in ('USER', 'COMPILER'):
                    span = spans.setdefault(enter[2].name, [enter[0], event[0]])
                    span[:] = min(span[0], enter[0]), max(span[1], event[0])
    return {name: span for name, span in spans.items() if name not in elsewhere}


def part_of(archive, rows, name):
    """(options, kind of slice, where it is) of a part of the run: a region of interest, or from one time of the main window to another."""
    draw, main = random.Random(name), rows[1] if len(rows) > 1 and rows[1]['kind'] == 'main' else rows[0]
    spans = spans_of_regions(archive)
    if spans and draw.random() < 0.4:
        region = draw.choice(sorted(spans))
        return ['--roi', region], 'regions', [time - archive.offset for time in spans[region]]
    begin, end = (int(main[key]) / int(main['resolution']) for key in ('from', 'to'))
    since, until = ('%.9f' % (begin + (end - begin) * (draw.random() * 0.5 + shift)) for shift in (0, 0.5))
    return ['--from', since, '--to', until], 'interval', None


def analyze(heddle, anchor, report, *options):
    """(rows, document)"""
    checked(heddle, 'analyze', anchor, '-o', report, '--force', '--quiet', '--windows', '7', *options)
    return table_of(report), json.loads(checked(heddle, 'efficiency', report, '--json'))


def problems_of_text(heddle, report, document):
    """What counts each process once is said where processes have different numbers of threads. The summary has 12 lines at most."""
    slices = [entry['hybrid']['mpi'] for entry in (document['main'], document['whole']) if entry and entry['hybrid']]
    text = checked(heddle, 'efficiency', report)
    for key, name in (('parallel', 'MPI parallel efficiency, processes alike'), ('load_balance', 'MPI load balance, processes alike')):
        if (name in text) != any(not near(mpi[key], mpi[key + '_unweighted']) for mpi in slices):
            yield '"%s" %s said' % (name, 'is' if name in text else 'is not')
    block = checked(heddle, 'summary', report, '--width', '80').partition('\nEfficiencies\n')[2].split('\n\n')[0].splitlines()
    if len(block) > 12 or (not block and document['whole']['threads'] > 1):
        yield 'the summary has %d lines of efficiencies:\n%s' % (len(block), '\n'.join(block))


def region_of(archive, name):
    """A region whose instances are taken for iterations; None: no process enters any."""
    if any('task' in event[1] for location in archive.locations for event in location.events):
        return None                                                    # whose regions are left in another order than they are entered
    names = {event[2].name for location in archive.locations for event in location.events
             if event[1] == 'enter' and event[2].name in ('solve', 'work')}
    return random.Random(name).choice(sorted(names)) if names else None


def check_iterations(heddle, anchor, report, archive, name, mpirun):
    """(number of sums, problems) of the iterations."""
    region = region_of(archive, name)
    options = ['--iterations', region] if region else []
    rows, document = analyze(heddle, anchor, report, *options)
    own = table_of(report, OF_ITERATIONS)
    if own is None:
        return 0, ['no iterations of %s' % region] * (region is not None)
    problems = list(problems_of_factors(document)) + list(problems_of_iterations(archive, region, own, rows[0]))
    if mpirun:
        checked(mpirun, '-n', '3', heddle, 'analyze', anchor, '-o', report, '--force', '--quiet', '--bind', 'none', '--threads', '2',
                '--placement', 'cyclic', *options)
        problems += ['another table of iterations on 3 ranks of 2 threads'] * (table_of(report, OF_ITERATIONS) != own)
    return len(own) * (len(own[0]) - 8), problems


def check(heddle, anchor, name, folder, mpirun):
    """(number of sums, problems) of one archive."""
    report, archive = folder + '/report.cubex', Archive(anchor)
    rows, document = analyze(heddle, anchor, report)
    if rows is None:
        return 0, ['no table']
    problems = list(problems_of_text(heddle, report, document))
    part, kind, span = part_of(archive, rows, name)
    inside, of_inside = analyze(heddle, anchor, report, *part)
    if inside is None or inside[1]['kind'] != kind or span not in (None, [int(inside[1]['from']), int(inside[1]['to'])]):
        return 0, ['no table of %s, or of another time' % part]
    tables = ((rows, document), (inside, of_inside))
    for table, described in tables:
        problems += list(problems_of_windows(table)) + list(problems_of_factors(described)) + list(problems_of_elsewhere(table))
        problems += [] if moves_tasks(archive) else list(problems_of_sums(archive, table))
    if not has_own_ideal(archive):
        model = IdealModel(anchor, nodes_of(anchor), known_calls(simulate(heddle, anchor, folder, ['none'])[1]))
        for table, _ in tables:
            problems += list(problems_of_ideal_clocks(model, archive, table))
        problems += [] if model.goes_on_in_calls else list(problems_of_ideal(heddle, anchor, rows))
    if mpirun:
        for options, table in (([], rows), (part, inside)):
            checked(mpirun, '-n', '3', heddle, 'analyze', anchor, '-o', report, '--force', '--quiet', '--windows', '7', '--bind', 'none',
                    '--threads', '2', '--placement', 'cyclic', *options)
            problems += ['another table on 3 ranks of 2 threads'] * (table_of(report) != table)
    count, wrong = check_iterations(heddle, anchor, report, archive, name, mpirun)
    return (len(rows) + len(inside)) * (len(rows[0]) - 6) + count, problems + wrong


def option(arguments, name):
    return arguments[arguments.index(name) + 1] if name in arguments else None


def main(arguments):
    if len(arguments) < 3:
        sys.stderr.write(__doc__)
        return 2
    heddle, bad, n_sums, is_random = arguments[0], [], 0, arguments[1] != '--archives'
    work = list(map(str, runner.few(range(int(arguments[2]), int(arguments[3]) + 1)))) if is_random else arguments[2:]
    words = ['threads'] * ('--threads' in arguments) + ['rma'] * ('--rma' in arguments)
    for name in work:
        folder = tempfile.mkdtemp(prefix='heddle-efficiency-')
        anchor = folder + '/trace/traces.otf2' if is_random else name
        if is_random and runner.run([arguments[1], name, folder + '/trace'] + words)[0] != 0:
            sys.exit('compare_efficiency: no program %s' % name)
        count, problems = check(heddle, anchor, os.path.basename(os.path.dirname(name)) or name, folder, option(arguments, '--mpirun'))
        n_sums += count
        for problem in problems:
            print('%s: %s' % (name, problem))
        if problems:
            bad.append(name)
            if option(arguments, '--keep'):
                shutil.copytree(folder, '%s/%s' % (option(arguments, '--keep'), os.path.basename(name)), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print('%d archives, %d sums, %d differ%s' % (len(work), n_sums, len(bad), ': ' + ' '.join(bad) if bad else ''))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

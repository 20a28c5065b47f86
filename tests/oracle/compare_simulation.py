#!/usr/bin/python3
"""Simulations of random programs, or of archives, by heddle and by an independent evaluator: every new time must be equal.

usage: compare_simulation.py HEDDLE TW_RANDOM FIRST LAST [--threads] [--mpirun PROGRAM] [--keep FOLDER]
       compare_simulation.py HEDDLE --archives ARCHIVE.otf2...

Of each program: that "none" gives the recorded times; that all enters and leaves under hypotheses that are drawn, the
fits, the protocol, and how uncertain run times are, are those of simulation_model.py; that hypotheses that only remove
time make no call later (docs/simulation.md); with --threads, of programs with threads, but for those in which other
threads than the first one call MPI; with --mpirun, that the output is the same on 3 ranks of 2 threads. Exit status: 0 all equal, 1 some
differ, 2 something could not be run.
"""
import collections
import json
import os
import random
import shutil
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'runner'))
import runner
from archive_reader import repair_communicators
from model import TASKS
from simulation_model import HANDLES, Model

OPERATIONS = ('BARRIER BCAST GATHER GATHERV SCATTER SCATTERV ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW ALLREDUCE REDUCE '
              'REDUCE_SCATTER SCAN EXSCAN REDUCE_SCATTER_BLOCK CREATE_HANDLE DESTROY_HANDLE ALLOCATE DEALLOCATE '
              'CREATE_HANDLE_AND_ALLOCATE DESTROY_HANDLE_AND_DEALLOCATE').split()
NUMBERS = {name: number for number, name in enumerate(OPERATIONS)}
NUMBERS.update(INIT=0x100, FINALIZE=0x101)


def simulate(heddle, anchor, folder, hypotheses, *launcher, threads=1):
    words = [word for text in hypotheses for word in ('--what-if', text)]
    code, output, errors = runner.run([*launcher, heddle, 'simulate', anchor, '--quiet', '--bind', 'none', '--threads', str(threads), '--json',
                                       '--times', folder + '/times.tsv', '--force', '--placement', 'cyclic', *words])
    if code != 0:
        sys.exit('compare_simulation: exit status %d of heddle simulate %s %s\n%s' % (code, anchor, words, errors.decode(errors='replace')))
    with open(folder + '/times.tsv') as file:
        return output.decode(), file.read()


# ---- hypotheses ----------------------------------------------------------------------------------------------------------------


WAITS = {'BARRIER', 'IMPLICIT_BARRIER', 'CRITICAL', 'ORDERED', 'ATOMIC', 'FLUSH', 'TASK_WAIT', 'TASK_CREATE'}


def is_computation(path):
    if not path or path[-1].paradigm == 'MEASUREMENT_SYSTEM' or path[-1].pthread_name is not None or any(region.mpi_name is not None for region in path):
        return False
    last = path[-1]
    return not last.is_omp or (last.role not in WAITS and not last.barrier_wait and not last.name.startswith('omp_'))


class Change:
    """kind: scale, balance or without; region: all call paths with it; processes, threads: None for all; over: program or team."""

    def __init__(self, kind, region, processes=None, factor=None, goal=None, threads=None, over='program'):
        self.kind, self.region, self.processes, self.factor, self.goal = kind, region, processes, factor, goal
        self.threads, self.over = threads, over

    def text(self):
        where = self.region.name
        for what, numbers in (('process', self.processes), ('thread', self.threads)):
            where += ' on %s %s' % (what, ','.join(map(str, numbers))) if numbers else ''
        if self.kind == 'scale':
            return 'scale %s %d/%d' % (where, self.factor.numerator, self.factor.denominator)
        return 'balance %s to %s over %s' % (where, self.goal, self.over) if self.kind == 'balance' else 'without ' + where

    def has(self, place, path):
        """place: process and thread."""
        return ((self.processes is None or place[0] in self.processes) and (self.threads is None or place[1] in self.threads)
                and any(region.name == self.region.name for region in path))

    def part(self, place, pieces):
        return sum(time for path, time in pieces.items() if is_computation(path) and self.has(place, path))

    def total(self, model, place):
        stream = model.streams[place]
        return sum(self.part(place, call.before) for call in stream.calls) + self.part(place, stream.tail)

    def resolve(self, model):
        """(process, thread) -> factor"""
        totals = {place: self.total(model, place) for place in model.streams}
        if self.kind != 'balance':
            return {place: self.factor for place in totals}
        factors = {}
        for place, total in totals.items():
            some = sorted(t for other, t in totals.items() if t > 0 and (self.over == 'program' or other[0] == place[0]))
            if some:
                goal = {'mean': sum(some) // len(some), 'least': some[0], 'median': some[(len(some) - 1) // 2]}[self.goal]
            factors[place] = Fraction(goal, total) if total else Fraction(1)
        return factors


def draw_change(model, draw):
    paths = {path for stream in model.streams.values() for call in stream.calls for path in call.before if is_computation(path)}
    paths |= {path for stream in model.streams.values() for path in stream.tail if is_computation(path)}
    paths = sorted(paths, key=lambda path: [region.name for region in path])
    barriers = [call.path for stream in model.streams.values() for call in stream.calls if is_barrier(call)]
    kind = draw.choice(('scale', 'scale', 'balance', 'without'))
    if kind == 'without' and barriers:
        return Change(kind, draw.choice(draw.choice(barriers)))
    names = {region.name: region for path in paths for region in path if region.paradigm != 'MEASUREMENT_SYSTEM'}
    if not names:
        return None
    region = names[draw.choice(sorted(names))]
    all_processes, most = sorted({place[0] for place in model.streams}), max(place[1] for place in model.streams)
    processes = sorted(draw.sample(all_processes, draw.randint(1, len(all_processes)))) if draw.random() < 0.5 else None
    threads = sorted(draw.sample(range(most + 1), draw.randint(1, most + 1))) if most > 0 and draw.random() < 0.3 else None
    factor = draw.choice((Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(3), Fraction(7, 4)))
    every = {path for stream in model.streams.values() for _, path, _ in stream.segments if TASKS in path}
    if any(region.name in [other.name for other in path] for path in every) or kind == 'without':
        kind = 'scale'                                               # tasks are not balanced
    change = Change(kind, region, processes, factor, draw.choice(('mean', 'least', 'median')), threads, draw.choice(('program', 'team')))
    return change if any(change.total(model, place) for place in model.streams) else None


def is_barrier(call):
    if not call.is_mpi():
        return call.is_barrier
    kinds = [record for record in call.records if record[0] in ('send', 'recv', 'recv_request', 'nbc_request')
             or record[0] in ('coll_end', 'nbc_complete') and record[1] not in HANDLES]
    return call.name != 'init' and bool(kinds) and all(record[0] in ('coll_end', 'nbc_complete') and record[1] == 'BARRIER' for record in kinds)


# ---- the evaluation ------------------------------------------------------------------------------------------------------------


def evaluate(model, change, alone=()):
    """New enters and leaves of calls under the change, by the longest paths; None: nothing changes. alone: calls that wait for nobody."""
    factors = change.resolve(model) if change is not None and change.kind != 'without' else {}
    enters, leaves, done = {}, {}, {place: 0 for place in model.streams}
    now = {place: (stream.begin, stream.begin) for place, stream in model.streams.items()}     # new, recorded
    sums, is_going_on = {place: 0 for place in model.streams}, True
    while is_going_on:
        is_going_on = False
        for place, stream in model.streams.items():
            while done[place] < len(stream.calls):
                call = stream.calls[done[place]]
                starts = call.starts and bool(call.dependencies)
                if starts and any(source not in enters for d in call.dependencies for source in d.sources):
                    break
                if call not in enters:
                    before = change.part(place, call.before) if factors else 0
                    factor = factors.get(place, 1)
                    grown = (sums[place] + before) * factor // 1 - sums[place] * factor // 1 - before
                    sums[place] += before
                    begin = call.enter if now[place][1] is None else now[place][0] + call.enter - now[place][1]
                    enters[call], is_going_on = begin + int(grown), True
                if any(source not in enters for d in call.dependencies for source in d.sources):
                    break
                arrivals = [max(enters[s] for s in d.sources) + d.transfer for d in call.dependencies if call not in alone]
                if starts:
                    enters[call] = leaves[call] = max(arrivals)
                else:
                    leaves[call] = max([enters[call], enters[call] + call.local] + arrivals)
                if change is not None and change.kind == 'without' and change.has(place, call.path) and is_barrier(call):
                    leaves[call] = enters[call]
                now[place], is_going_on = (leaves[call], call.leave), True
                done[place] += 1
    return enters, leaves


def problems_of_times(model, changes, table):
    lines = [list(map(int, line.split('\t'))) for line in table.splitlines()[1:]]
    rows  = {tuple(line[:3]): line[3:] for line in lines}
    for h, change in enumerate(changes):
        enters, leaves = evaluate(model, change)
        for place, stream in model.streams.items():
            for call in stream.calls:
                row, name = rows.get(place + (call.index,)), 'call %d of thread %d of process %d' % (call.index, place[1], place[0])
                if row is None or row[:2] != [call.enter, call.leave]:
                    yield '%s is another one: heddle %s, oracle %s' % (name, row and row[:2], [call.enter, call.leave])
                    return
                if call not in leaves:
                    yield 'circle at ' + name
                    return
                if row[2 + 2 * h:4 + 2 * h] != [enters[call], leaves[call]]:
                    yield ('%s: %s (%s): heddle %s, oracle %s, recorded %s' % (change.text() if change else 'none', name,
                           call.path[-1].name if call.path else '', row[2 + 2 * h:4 + 2 * h], [enters[call], leaves[call]], row[:2]))
                    break
                if change is not None and change.kind != 'balance' and (change.factor or 0) <= 1 and (row[2 + 2 * h] > row[0] or row[3 + 2 * h] > row[1]):
                    yield '%s: %s is later' % (change.text(), name)
                    break


def run_time(model, enters, leaves):
    """None: a process has no MPI_Init or MPI_Finalize."""
    begins, ends = [], []
    for calls in model.processes.values():
        begins += [leaves[call] for call in calls if call.name in ('init', 'init_thread')][:1]
        ends += [enters[call] for call in calls if call.name == 'finalize'][:1]
    return max(ends) - min(begins) if len(begins) == len(ends) == len(model.processes) else None


def problems_of_uncertainty(model, changes, document):
    for change, got in zip(changes, document['hypotheses']):
        enters, leaves = evaluate(model, change)
        time = run_time(model, enters, leaves)
        if time is None:
            return
        reordered, off = model.reordered(enters), []
        for factor, alone in ((1, reordered), (0, ()), (4, ())):
            model.set_all_terms(factor)
            off.append(abs(run_time(model, *evaluate(model, change, alone)) - time) if change is not None else 0)
        model.set_all_terms(1)
        expected = (time, len(reordered), off[0], max(off[1:]))
        found = tuple(round(got[key] * (1 if key == 'reordered_calls' else model.resolution))
                      for key in ('run_time', 'reordered_calls', 'uncertain', 'fit_uncertain'))
        if found != expected:
            yield '%s: run time, calls in another order, uncertain, by fits: heddle %s, oracle %s' % (change and change.text(), found, expected)


def problems_of_model(model, document):
    got = {}
    for fit in document['model']['fits']:
        what = fit['region'] if fit['kind'] == 'local' else fit['operation'] if fit['kind'] in ('collective', 'tree') else None
        got[fit['kind'], what, fit['same_node'], fit['log2_bytes'], fit['log2_members']] = (round(fit['median'] * model.resolution), fit['instances'])
    expected = {}
    for (kind, what, *rest), fit in model.fits.items():
        what = what.name if kind == 'local' else NUMBERS[what] if what is not None else None
        expected[(kind, what, *rest)] = fit
    if got != expected:
        yield 'fits: heddle %s, oracle %s' % tuple(sorted(map(str, a.items() - b.items())) for a, b in ((got, expected), (expected, got)))
    rows = {(row['same_node'], row['log2_bytes']): row['protocol'] for row in document['model']['protocol'] if row['protocol']}
    if rows != model.protocol:
        yield 'protocol: heddle %s, oracle %s' % (rows, model.protocol)
    if sum(row['dependencies'] for row in document['model']['trees']) != len(model.trees):
        yield 'trees: heddle %s, oracle %d' % (document['model']['trees'], len(model.trees))


def nodes_of(anchor):
    import otf2
    repair_communicators(otf2)
    with otf2.reader.open(anchor) as trace:
        groups = {}
        for location in trace.definitions.locations:
            parent = location.group.system_tree_parent
            groups[location._ref] = None if parent is None else parent._ref
    return groups


def known_calls(table):
    known = collections.defaultdict(list)
    for line in table.splitlines()[1:]:
        process, thread, _, enter, leave = map(int, line.split('\t')[:5])
        known[process, thread].append((enter, leave))
    return known


def check(heddle, anchor, seed, folder, mpirun):
    """(number of calls, problems) of one archive."""
    by_location, draw = nodes_of(anchor), random.Random(seed)
    model = Model(anchor, by_location, known_calls(simulate(heddle, anchor, folder, ['none'])[1]))
    if model.has_other_callers:
        return 0, []
    changes = [None] + [change for change in (draw_change(model, draw) for _ in range(4)) if change is not None]
    texts = ['none'] + [change.text() for change in changes[1:]]
    output, table = simulate(heddle, anchor, folder, texts)
    document = json.loads(output)
    problems = list(problems_of_times(model, changes, table)) + list(problems_of_model(model, document))
    problems += problems_of_uncertainty(model, changes, document) if not problems else []
    if model.missing or any(place not in model.streams or len(model.streams[place].calls) != len(calls) for place, calls in model.known.items()):
        problems.append('calls are missing')
    if document['hypotheses'][0]['moved_calls'] != 0:
        problems.append('none: %d calls are not as recorded' % document['hypotheses'][0]['moved_calls'])
    if mpirun and simulate(heddle, anchor, folder, texts, mpirun, '-n', '3', threads=2) != (output, table):
        problems.append('another output on 3 ranks of 2 threads')
    return len(texts) * sum(len(stream.calls) for stream in model.streams.values()), problems


def option(arguments, name):
    return arguments[arguments.index(name) + 1] if name in arguments else None


def main(arguments):
    if len(arguments) < 3:
        sys.stderr.write(__doc__)
        return 2
    heddle, bad, n_times, mpirun = arguments[0], [], 0, option(arguments, '--mpirun')
    is_random = arguments[1] != '--archives'
    work = [(str(seed), seed) for seed in runner.few(range(int(arguments[2]), int(arguments[3]) + 1))] if is_random else \
        [(anchor, i) for i, anchor in enumerate(arguments[2:])]
    for name, seed in work:
        folder = tempfile.mkdtemp(prefix='heddle-simulation-')
        anchor = folder + '/trace/traces.otf2' if is_random else name
        if is_random and runner.run([arguments[1], name, folder + '/trace'] + ['threads'] * ('--threads' in arguments))[0] != 0:
            sys.exit('compare_simulation: no program %s' % name)
        count, problems = check(heddle, anchor, seed, folder, mpirun)
        n_times += 2 * count
        for problem in problems:
            print('%s: %s' % (name, problem))
        if problems:
            bad.append(name)
            if option(arguments, '--keep'):
                shutil.copytree(folder, '%s/%s' % (option(arguments, '--keep'), os.path.basename(name)), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print('%d archives, %d times, %d differ%s' % (len(work), n_times, len(bad), ': ' + ' '.join(bad) if bad else ''))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/python3
"""Simulations of random programs, or of archives, by heddle and by an independent evaluator: every new time must be equal.

usage: compare_simulation.py HEDDLE TW_RANDOM FIRST LAST [--threads|--rma] [--mpirun PROGRAM] [--keep FOLDER]
       compare_simulation.py HEDDLE --archives ARCHIVE.otf2...

Odd programs have two processes on each node. Of each program: that "none" gives the recorded times; that all enters and
leaves under hypotheses that are drawn (simulation_changes.py), the fits, the protocol, the network, where processes wait
most, and how uncertain run times are, are those of simulation_model.py; that hypotheses that only remove time make no call
later (docs/simulation.md); with --threads, of programs with threads, but for those in which other threads than the first
one call MPI; with --rma, of programs with one-sided communication; with --mpirun, that the output is the same on 3 ranks of 2 threads. Exit status: 0 all equal, 1 some differ,
2 something could not be run.
"""
import collections
import json
import os
import random
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'runner'))
import runner
from archive_reader import repair_communicators
from model import TASKS
from simulation_changes import Eager, draw_changes, evaluate, has_threads, text_of
from simulation_model import Model

OPERATIONS = ('BARRIER BCAST GATHER GATHERV SCATTER SCATTERV ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW ALLREDUCE REDUCE '
              'REDUCE_SCATTER SCAN EXSCAN REDUCE_SCATTER_BLOCK CREATE_HANDLE DESTROY_HANDLE ALLOCATE DEALLOCATE '
              'CREATE_HANDLE_AND_ALLOCATE DESTROY_HANDLE_AND_DEALLOCATE').split()
NUMBERS = {name: number for number, name in enumerate(OPERATIONS)}
NUMBERS.update(INIT=0x100, FINALIZE=0x101, WIN_CREATE=32, WIN_FREE=33, WIN_FENCE=34)


def simulate(heddle, anchor, folder, hypotheses, *launcher, threads=1):
    words = [word for text in hypotheses for word in ('--what-if', text)]
    code, output, errors = runner.run([*launcher, heddle, 'simulate', anchor, '--quiet', '--bind', 'none', '--threads', str(threads), '--json',
                                       '--times', folder + '/times.tsv', '--force', '--placement', 'cyclic', *words])
    if code != 0:
        sys.exit('compare_simulation: exit status %d of heddle simulate %s %s\n%s' % (code, anchor, words, errors.decode(errors='replace')))
    with open(folder + '/times.tsv') as file:
        return output.decode(), file.read()


# ---- what differs --------------------------------------------------------------------------------------------------------------


def hangs(model, changes):
    return any(isinstance(change, Eager) for change in changes) and \
        len(evaluate(model, changes)[1]) < sum(len(stream.calls) for stream in model.streams.values())


def problems_of_times(model, hypotheses, table, outcomes):
    """A program that would hang: heddle must say so."""
    lines = [list(map(int, line.split('\t'))) for line in table.splitlines()[1:]]
    rows  = {tuple(line[:3]): line[3:] for line in lines}
    for h, changes in enumerate(hypotheses):
        enters, leaves = evaluate(model, changes)
        if hangs(model, changes) != (outcomes[h]['cycles'] > 0):
            yield '%s: %d dropped, oracle: %d calls are not left' % (text_of(changes), outcomes[h]['cycles'], len(enters) - len(leaves))
        if hangs(model, changes):
            continue
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
                    yield ('%s: %s (%s): heddle %s, oracle %s, recorded %s' % (text_of(changes), name, call.path[-1].name if call.path else '',
                           row[2 + 2 * h:4 + 2 * h], [enters[call], leaves[call]], row[:2]))
                    break
                if all(change.is_never_later for change in changes) and (row[2 + 2 * h] > row[0] or row[3 + 2 * h] > row[1]):
                    yield '%s: %s is later' % (text_of(changes), name)
                    break


def run_time(model, enters, leaves):
    """None: a process has no MPI_Init or MPI_Finalize."""
    begins, ends = [], []
    for calls in model.processes.values():
        begins += [leaves[call] for call in calls if call.name in ('init', 'init_thread')][:1]
        ends += [enters[call] for call in calls if call.name == 'finalize'][:1]
    return max(ends) - min(begins) if len(begins) == len(ends) == len(model.processes) else None


def problems_of_uncertainty(model, hypotheses, document):
    for changes, got in zip(hypotheses, document['hypotheses']):
        if hangs(model, changes):
            continue
        enters, leaves = evaluate(model, changes)
        time = run_time(model, enters, leaves)
        if time is None:
            return
        reordered, off = model.reordered(enters), []
        for factor, alone in ((1, reordered), (0, ()), (4, ())):
            model.set_all_terms(factor)
            off.append(abs(run_time(model, *evaluate(model, changes, alone)) - time) if changes else 0)
        model.set_all_terms(1)
        expected = (time, len(reordered), off[0], max(off[1:]))
        found = tuple(round(got[key] * (1 if key == 'reordered_calls' else model.resolution))
                      for key in ('run_time', 'reordered_calls', 'uncertain', 'fit_uncertain'))
        if found != expected:
            yield '%s: run time, calls in another order, uncertain, by fits: heddle %s, oracle %s' % (text_of(changes), found, expected)


def waits_of(model, changes):
    """Waiting by call path: from the enter of a call to the latest time that it depends on, at most to its leave."""
    waits, latest = collections.Counter(), {}
    enters, _ = evaluate(model, changes, latest=latest)
    for calls in model.processes.values():
        for call in calls:
            if call in latest and call.name not in ('init', 'init_thread', 'finalize'):
                waits[without_underscores(' > '.join(region.name for region in call.path))] += max(latest[call] - enters[call], 0)
    return waits


def without_underscores(path):
    """heddle shows names of Fortran without those that compilers add."""
    return None if path is None else ' > '.join(name.rstrip('_') for name in path.split(' > '))


def problems_of_waiting(model, hypotheses, document):
    for changes, got in [([], document['recorded'])] + list(zip(hypotheses, document['hypotheses'])):
        if hangs(model, changes):
            continue
        waits = waits_of(model, changes)
        most = max(waits.values(), default=0)
        found = round(got['waiting'] * model.resolution)
        if found != max(most, 0) or (got['waits_at'] is None) != (most <= 0) or (most > 0 and waits[without_underscores(got['waits_at'])] != most):
            yield '%s: most waiting: heddle %s at %s, oracle %s' % (text_of(changes), found, got['waits_at'], waits.most_common(2))


def problems_of_model(model, document):
    got = {}
    for fit in document['model']['fits']:
        what = fit['region'] if fit['kind'] == 'local' else fit['operation'] if fit['kind'] in ('collective', 'tree') else None
        got[fit['kind'], what, fit['same_node'], fit['log2_bytes'], fit['log2_members']] = (
            round(fit['median'] * model.resolution), round(fit['low'] * model.resolution), fit['instances'], fit['bytes'])
    expected = {}
    for (kind, what, *rest), fit in model.fits.items():
        what = what.name if kind == 'local' else NUMBERS[what] if what is not None else None
        expected[(kind, what, *rest)] = fit
    if got != expected:
        yield 'fits: heddle %s, oracle %s' % tuple(sorted(map(str, a.items() - b.items())) for a, b in ((got, expected), (expected, got)))
    rows = {(row['same_node'], row['log2_bytes']): row['protocol'] for row in document['model']['protocol'] if row['protocol']}
    if rows != model.protocol:
        yield 'protocol: heddle %s, oracle %s' % (rows, model.protocol)
    lines = {('receive' if row['kind'] == 'message' else row['kind'], row['operation'], row['same_node'], row['log2_members']):
             (round(row['latency'] * model.resolution), round(row['time_per_byte'] * model.resolution * 2 ** 32), row['sizes'])
             for row in document['model']['network']}
    expected = {(kind, NUMBERS.get(what), *rest): line for (kind, what, *rest), line in model.lines.items()}
    if lines != expected:
        yield 'network: heddle %s, oracle %s' % (lines, expected)
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
    hypotheses = [[]] + [changes for changes in (draw_changes(model, draw, folder) for _ in range(6)) if changes]
    texts = [text_of(changes) for changes in hypotheses]
    output, table = simulate(heddle, anchor, folder, texts)
    document = json.loads(output)
    problems = list(problems_of_times(model, hypotheses, table, document['hypotheses'])) + list(problems_of_model(model, document))
    in_tasks = any(TASKS in call.path for calls in model.processes.values() for call in calls)      # heddle has more call paths of tasks that move
    problems += problems_of_uncertainty(model, hypotheses, document) if not problems and not in_tasks else []
    problems += problems_of_waiting(model, hypotheses, document) if not problems and not has_threads(model) else []
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
        words = [word[2:] for word in ('--threads', '--rma') if word in arguments] + (['nodes'] if seed % 2 and '--threads' not in arguments else [])
        if is_random and runner.run([arguments[1], name, folder + '/trace'] + words)[0] != 0:
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

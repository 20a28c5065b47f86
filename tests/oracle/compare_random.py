#!/usr/bin/python3
"""Random legal programs, analysed by heddle and by the oracle: every value must be equal.

usage: compare_random.py HEDDLE TW_RANDOM FIRST LAST [--threads|--rma] [--compat] [--no-causes] [--interval]
       [--mpirun PROGRAM] [--keep FOLDER]

Writes the programs of seeds FIRST to LAST one by one, with threads or windows if asked for, analyses each with one
rank and with one or two threads, with and (--compat, or every fourth seed) without --compat=scout26 (then causes are
computed in seconds), and compares value by value, and all instances of wait states with their statistics; without it
the invariants of the metrics are checked, too. TW_RANDOM can be random_queues.py or random_files.py. --no-causes: without the metrics of
causes/. --interval: a part of each program without explicit tasks, too, without the metrics of causes/. --mpirun:
programs with several processes are analysed once more, with two ranks of two threads, and the dumps and tables of
instances must be the same. Prints the seeds that differ and keeps their archives. Exit status: 0 all equal, 1 some
differ, 2 something could not be run.
"""
import collections
import os
import random
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import compare
import compare_files
import compare_instances
import compare_matrix
import compare_messages
import run_matrix
import runner
from analysis import METRICS, Analysis
from archive_reader import Archive


def run(*command, **environment):
    code, output, errors = runner.run(command, **environment)
    if code != 0:
        sys.exit('compare_random: %s: exit status %d\n%s' % (' '.join(command), code, errors.decode(errors='replace')))
    return output.decode()


def values_of(rows):
    values = {}
    for metric, path, process, thread, value in rows:
        key = (metric, path, int(process), int(thread))
        values[key] = values.get(key, 0.0) + float(value)
    return values


def analyze(launcher, heddle, anchor, report, n_threads, compat, *more):
    run(*launcher, heddle, 'analyze', '--quiet', '--force', '--bind', 'none', '--threads', str(n_threads),
        '--compat=' + ('scout26' if compat else 'none'), '--instances', str(compare_instances.ALL), '--no-demangle', *more, '-o', report,
        anchor, TMPDIR=os.path.dirname(report))
    return run(heddle, 'dump', report)


def broken_invariants(values, report, analysis):
    """What does not hold of docs/architecture.md#invariants: signs, children and parents, bounds, and the sums of the times of each location."""
    try:
        run_matrix.check_invariants(values, run_matrix.metric_parents(report), run_matrix.metric_kinds())
    except run_matrix.Failure as failure:
        yield str(failure)
    sums = {}
    for (metric, _, *place), value in values.items():
        if metric in ('time', 'omp_idle_threads'):
            sums[tuple(place)] = sums.get(tuple(place), 0.0) + (value if metric == 'time' else -value)
    for location in analysis.archive.locations:
        recorded = analysis.recorded[location] / analysis.archive.resolution
        summed = sums.get((location.process, location.thread), 0.0)
        if abs(summed - recorded) > 1e-9:
            yield 'times of process %d thread %d sum to %.12g, recorded %.12g' % (location.process, location.thread, summed, recorded)


def differences_of_causes(heddle, report, analysis):
    """What is not the same in the tables of who makes whom wait."""
    for more, expected in zip(((), ('--processes',)), analysis.causes.tables()):
        got = run_matrix.parse_causes(run(heddle, 'causes', '--tsv', *more, report))
        for key in sorted(set(got) | set(expected)):
            for a, b in zip(got.get(key, (0, 0)), expected.get(key, (0, 0))):
                if abs(a - b) > 1e-9 * max(a, b) + 1e-12:
                    yield 'who makes whom wait: %s: heddle %.12g, oracle %.12g' % (key, a, b)


def differences_of(heddle, anchor, folder, n_threads, compat, with_causes):
    """What compare.differences() says of heddle's and the oracle's analysis of one archive, and a list of other problems; the
    report goes to folder."""
    report = folder + '/report.cubex'
    got = values_of(line.split('\t') for line in analyze((), heddle, anchor, report, n_threads, compat).splitlines())
    analysis = Analysis(Archive(anchor), compat, with_causes)
    instances = list(compare_instances.wrong(report, analysis))
    matrix = [words for table in (compare_matrix, compare_messages, compare_files) for words in table.wrong(report, analysis)] if not compat else []
    metrics = set(METRICS) | (compare.QUOTIENTS if with_causes else set())
    rows = values_of(analysis.rows())
    if compat and with_causes:
        archive = Archive(anchor)
        archive.to_seconds()
        analysis = Analysis(archive, compat, with_causes)
        rows = {key: value for key, value in rows.items() if key[0] not in compare.QUOTIENTS}
        rows.update({key: value for key, value in values_of(analysis.rows()).items() if key[0] in compare.QUOTIENTS})
    differences, count = compare.differences(got, rows, metrics)
    broken = instances if compat else instances + list(matrix) + list(broken_invariants(got, report, analysis))
    if with_causes and any(key[0].startswith('delay_') for key in got):
        broken += list(differences_of_causes(heddle, report, analysis))
    return differences, count, broken + [problem for problem in analysis.problems if 'wait for each other' in problem]


def seconds_of(archive, time):
    """So exactly that the program gets the same tick."""
    ticks = (time - archive.offset) * 10 ** 18 // archive.resolution + (time > archive.offset)
    return '%d.%018d' % divmod(ticks, 10 ** 18)


def has_explicit_tasks(archive):
    return any(event[1] == 'task_switch' and event[2] is not None for location in archive.locations for event in location.events)


def differences_within(heddle, archive, folder, seed, options, periods):
    """The same of the part of the run that the options name and periods are."""
    report = folder + '/part.cubex'
    text = analyze((), heddle, folder + '/trace/traces.otf2', report, 1 + seed % 2, False, *options)
    analysis = Analysis(archive, False, False, periods)
    got = values_of(line.split('\t') for line in text.splitlines())
    differences, count = compare.differences(got, values_of(analysis.rows()), set(METRICS))
    problems = list(compare_instances.wrong(report, analysis)) + list(compare_matrix.wrong(report, analysis)) \
        + list(broken_invariants(got, report, analysis))
    try:
        run_matrix.check_costs(got)
        run_matrix.check_causes(got, *(run_matrix.parse_causes(run(heddle, 'causes', '--tsv', *more, report)) for more in ((), ('--processes',))))
    except run_matrix.Failure as failure:
        problems.append(str(failure))
    return differences, count, ['%s: %s' % (' '.join(options), words) for words in problems], got


def differences_of_interval(heddle, folder, seed):
    """A part of the run, whose borders are drawn; half of them are times of records. Nothing where there are explicit tasks."""
    archive, draw = Archive(folder + '/trace/traces.otf2'), random.Random(seed)
    events = [event for location in archive.locations for event in location.events]
    if len(events) < 2 or has_explicit_tasks(archive):
        return {}, 0, []
    times = sorted({max(event[0], archive.offset) for event in events})
    begin, end = sorted(draw.choice((draw.choice(times), draw.randint(times[0], times[-1] + 1))) for _ in range(2))
    end += begin == end
    return differences_within(heddle, archive, folder, seed, ('--from', seconds_of(archive, begin), '--to', seconds_of(archive, end)),
                              collections.defaultdict(lambda: [(begin, end, end - 1)]))[:3]


def instances_of(archive, names):
    """Process -> (enter, leave, leave) of the instances of these regions on all its locations, united where they touch."""
    spans, united = collections.defaultdict(list), collections.defaultdict(list)
    for location in archive.locations:
        stack, process = [], location.process
        for time, kind, *rest in location.events:
            if kind == 'enter':
                stack.append((rest[0], time))
            elif kind == 'leave' and stack:
                region, enter = stack.pop()
                spans[process] += [(enter, time)] * (region.name in names)
        spans[process] += [(enter, location.events[-1][0]) for region, enter in stack if region.name in names]
    for process in spans:
        for enter, leave in sorted(spans[process]):
            if united[process] and enter <= united[process][-1][1]:
                enter, before, _ = united[process].pop()
                leave = max(leave, before)
            united[process].append((enter, leave, leave))
    return united


def differences_of_regions(heddle, folder, seed):
    """One to three regions of interest, of every third program in an interval that is drawn. The critical path is that of the window."""
    archive, draw = Archive(folder + '/trace/traces.otf2'), random.Random(seed)
    events = [event for location in archive.locations for event in location.events]
    names = sorted({event[2].name for event in events if event[1] == 'enter' and event[2].paradigm != 'MEASUREMENT_SYSTEM'})
    if not names or has_explicit_tasks(archive):
        return {}, 0, []
    names = draw.sample(names, min(len(names), draw.randint(1, 3)))
    periods, options = instances_of(archive, names), [word for name in names for word in ('--roi', name)]
    if seed % 3 == 0:
        begin, end = sorted(draw.choice(events)[0] for _ in range(2))
        begin, end = max(begin, archive.offset), max(end, archive.offset) + 1
        options += ['--from', seconds_of(archive, begin), '--to', seconds_of(archive, end)]
        for process, parts in periods.items():
            cut = [(max(start, begin), min(stop, end), min(last, end - 1)) for start, stop, last in parts]
            periods[process] = [(start, stop, last) for start, stop, last in cut if start <= last]
    parts = [part for parts in periods.values() for part in parts]
    if not parts:
        return {}, 0, []
    differences, count, problems, got = differences_within(heddle, archive, folder, seed, options, periods)
    first, last = max(min(part[0] for part in parts), archive.offset), max(part[1] for part in parts)
    if first < last:
        window = values_of(line.split('\t') for line in analyze(
            (), heddle, folder + '/trace/traces.otf2', folder + '/window.cubex', 1, False,
            '--from', seconds_of(archive, first), '--to', seconds_of(archive, last)).splitlines())
        calls = {event[2].name for event in events if event[1] == 'enter' and event[2].mpi_name is not None}
        is_left_at_end = any(part[1] == last for parts in instances_of(archive, calls).values() for part in parts)  # held here, but not by --to
        for key in {key for key in got.keys() | window.keys() if key[0].startswith(('critical', 'non_critical', 'inter_'))}:
            if key[0] == 'critical_path_imbalance' and is_left_at_end:
                continue
            if abs(got.get(key, 0) - window.get(key, 0)) > 1e-9 * abs(window.get(key, 0)) + 1e-12:
                problems.append('%s: %s: %.12g, in the window %.12g' % (' '.join(options), key, got.get(key, 0), window.get(key, 0)))
    return differences, count, problems


def depends_on_ranks(heddle, mpirun, anchor, folder):
    results, tables = [], ('statistics', 'instances', 'moments', 'windows', 'messages', 'matrix', 'sizes')
    for launcher, n_threads in ((), 1), ((mpirun, '-n', '2'), 2):
        dump = analyze(launcher, heddle, anchor, folder + '/report.cubex', n_threads, False)
        results.append([dump] + [compare_instances.text(folder + '/report.cubex', name) for name in tables])
    return results[0] != results[1]


def option(arguments, name):
    return arguments[arguments.index(name) + 1] if name in arguments else None


def check(heddle, seed, folder, arguments):
    """(number of values, problems) of one program."""
    anchor, mpirun, n_values, problems = folder + '/trace/traces.otf2', option(arguments, '--mpirun'), 0, []
    for compat in (False, True):
        if compat and not ('--compat' in arguments or seed % 4 == 0):
            continue
        differences, count, broken = differences_of(heddle, anchor, folder, 1 + seed % 2, compat, '--no-causes' not in arguments)
        n_values += count
        problems += broken
        for metric, rows in sorted(differences.items()):
            problems += ['%s%s at %s, process %d thread %d: heddle %.12g, oracle %.12g'
                         % (('compat: ' if compat else '',) + key + (got, expected))
                         for off, key, got, expected in sorted(rows, key=lambda row: -row[0])[:2]]
    for differences_of_part in (differences_of_interval, differences_of_regions) * ('--interval' in arguments):
        differences, count, broken = differences_of_part(heddle, folder, seed)
        n_values += count
        problems += broken
        for metric, rows in sorted(differences.items()):
            problems += ['part: %s at %s, process %d thread %d: heddle %.12g, oracle %.12g' % (key + (got, expected))
                         for off, key, got, expected in sorted(rows, key=lambda row: -row[0])[:2]]
    if mpirun and len({line.split('\t')[2] for line in run(heddle, 'dump', folder + '/report.cubex').splitlines()}) > 1:
        problems += ['other values with two ranks'] * depends_on_ranks(heddle, mpirun, anchor, folder)
    return n_values, problems


def main(arguments):
    if len(arguments) < 4:
        sys.stderr.write(__doc__)
        return 2
    heddle, generator, first, last = arguments[0], arguments[1], int(arguments[2]), int(arguments[3])
    keep, n_values, bad = option(arguments, '--keep'), 0, []
    words = ['threads'] * ('--threads' in arguments) + ['rma'] * ('--rma' in arguments)
    seeds = runner.few(range(first, last + 1))
    for seed in seeds:
        folder = tempfile.mkdtemp(prefix='heddle-random-')
        run(generator, str(seed), folder + '/trace', *words)
        count, problems = check(heddle, seed, folder, arguments)
        n_values += count
        for problem in problems:
            print('seed %d: %s' % (seed, problem))
        if problems:
            bad.append(seed)
            if keep:
                shutil.copytree(folder, '%s/%d' % (keep, seed), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print('%d programs, %d values, %d programs differ%s'
          % (len(seeds), n_values, len(bad), ': ' + ' '.join(map(str, bad)) if bad else ''))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

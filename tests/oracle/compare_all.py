#!/usr/bin/python3
"""A pass of the comparisons of series, loops, clusters, efficiencies and counters over many archives.

usage: compare_all.py HEDDLE [--limit SECONDS] [--jobs N] [--only KIND,...] FOLDER...

FOLDER: of an archive, or of folders of archives. KIND: iterations, loops, clusters, efficiency, counters, tracks, sampled, "sampled iterations".
Iterations and clusters are those that the archive marks, or else instances of the function with the longest time, and of the one with the
most instances, of those that have 2 to 1,024 on each first thread that has any. A comparison that takes longer than --limit seconds
(120) is ended. Prints a line for each comparison as it ends, then a table. Exit status: 0 none differs, 1 some differ, or nothing was compared.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
KINDS = ('iterations', 'loops', 'clusters', 'efficiency', 'counters', 'tracks', 'sampled', 'sampled iterations')
LEFT_OUT, EQUAL, DIFFER, TOO_LONG = 'left out', 'equal', 'differ', 'too long'


def facts(folder):
    """In a process of its own: regions for iterations; "+" if there are teams, tasks or windows; kinds of metrics that the archive records."""
    import otf2
    from otf2.enums import MetricOccurrence
    from archive_reader import Archive
    from compare_iterations import dynamic_regions, instances
    filename = os.path.join(folder, 'traces.otf2')
    archive, dynamic = Archive(filename), dynamic_regions(filename)
    kinds = {event[1] for location in archive.locations for event in location.events}
    with otf2.reader.open(filename) as trace:
        occurrences = {metric.occurrence for metric in trace.definitions.metrics if hasattr(metric, 'occurrence')}
    names, most, times = {''} if dynamic else set(), Counter(), {}
    functions = {} if dynamic else {event[2].name for location in archive.locations if location.is_cpu for event in location.events
                                    if event[1] == 'enter' and event[2].paradigm in ('USER', 'COMPILER')}
    for name in functions:
        rows = instances(archive, {name})
        counts = [len(of) for of in rows.values()] if rows else [0]
        if min(counts) >= 2 and max(counts) <= 1024:
            most[name], times[name] = max(counts), sum(leave - enter for of in rows.values() for enter, leave in of)
    if most:
        names = {max(sorted(times), key=times.get), max(sorted(most), key=most.get)}
    print('\t'.join(['+' if kinds & {'team_begin', 'task_switch', 'thread_begin'} or archive.windows else '-',
                     '+' if occurrences - {MetricOccurrence.ASYNCHRONOUS} else '-', '+' if MetricOccurrence.ASYNCHRONOUS in occurrences else '-',
                     *sorted(names)]))


def commands(heddle, folder, work, found):
    """[(kind, command)] of an archive."""
    is_partial, has_counters, has_tracks, *regions = found
    anchor = os.path.join(folder, 'traces.otf2')
    rows = [('iterations', ['compare_iterations.py', heddle, f'{folder}={region}']) for region in regions]
    rows += [('loops', ['compare_loops.py', heddle, folder])]
    rows += [('clusters', ['compare_clusters.py', heddle, f'{folder}={"+" if is_partial == "+" else ""}{region}'])
             for region in sorted({'', *regions})]
    rows += [('efficiency', ['compare_efficiency.py', heddle, '--archives', anchor])]
    rows += [('time series', ['compare_time_series.py', heddle, '--archives', anchor])]
    rows += [('critical series', ['compare_critical_series.py', heddle, '--archives', anchor])]
    rows += [('counters', ['compare_counters.py', '--heddle', heddle, '--work', work, '--archive', folder])] if has_counters == '+' else []
    rows += [('tracks', ['compare_tracks.py', '--heddle', heddle, '--work', work, '--archive', folder])] if has_tracks == '+' else []
    rows += [('sampled', ['compare_sampled.py', heddle, folder])]
    return rows + [('sampled iterations', ['compare_sampled.py', heddle, folder, region]) for region in regions]


def outcome(kind, done):
    """(what came out, values that were compared, what differs)"""
    text, errors = done.stdout.strip(), done.stderr.strip()
    count = sum(int(n) for n in re.findall(r'(\d+) (?:values|iterations|sums)\b(?: compared|,| of)', text.splitlines()[-1] if text else ''))
    if kind == 'sampled iterations':
        count = sum(map(int, re.findall(r'(\d+) values compared', text)))
    elif kind == 'sampled':
        count = sum(map(int, re.findall(r': (\d+) values', text)))
    elif kind == 'tracks':
        count = sum(map(int, re.findall(r': (\d+) metrics over time', text)))
    elif kind == 'counters':
        count = sum(map(int, re.findall(r': (\d+) values', text)))
    if done.returncode == 0:
        return EQUAL, count, ''
    if 'no clusters in the call tree' in text or 'no loop was found' in text or (not errors and re.search(r'\b0 (values|iterations) compared, 0 differences', text)):
        return LEFT_OUT, 0, ''
    return DIFFER, count, text[:2000] + errors[-2000:]


def run(kind, command, limit):
    try:
        done = subprocess.run([sys.executable, os.path.join(HERE, command[0]), *command[1:]], capture_output=True, text=True, timeout=limit,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return TOO_LONG, 0, ''
    return outcome(kind, done)


def compare(heddle, folder, options):
    """[(archive, kind, what it is of, what came out, count, what differs)]"""
    name, rows = os.path.basename(folder), []
    try:
        found = subprocess.run([sys.executable, os.path.abspath(__file__), '--facts', folder], capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return [(name, 'all', '', TOO_LONG, 0, '')]
    if found.returncode:
        return [(name, 'all', '', DIFFER, 0, found.stderr[-2000:])]
    with tempfile.TemporaryDirectory(prefix='heddle-all-') as work:
        for kind, command in commands(heddle, folder, work, found.stdout.rstrip('\n').split('\t')):
            if kind in options.only:
                what = command[-1].partition('=')[2] if '=' in command[-1] else command[-1] if kind == 'sampled iterations' else ''
                rows.append((name, kind, what, *run(kind, command, options.limit)))
                print('\t'.join(map(str, rows[-1][:5])) + ('\n' + rows[-1][5] if rows[-1][5] else ''), flush=True)
    return rows


def archives_in(folders):
    found = []
    for folder in map(os.path.abspath, folders):
        own = [folder] + sorted(os.path.join(folder, name) for name in os.listdir(folder))
        found += [one for one in own if os.path.exists(os.path.join(one, 'traces.otf2'))]
    return sorted(found, key=size)


def size(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def main(arguments):
    if arguments[:1] == ['--facts']:
        facts(arguments[1])
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('heddle')
    parser.add_argument('folder', nargs='+')
    parser.add_argument('--limit', type=int, default=120)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--only', type=lambda words: words.split(','), default=KINDS)
    options = parser.parse_args(arguments)
    heddle, archives = os.path.abspath(options.heddle), archives_in(options.folder)
    with ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for of in pool.map(lambda folder: compare(heddle, folder, options), archives) for row in of]
    table = defaultdict(Counter)
    for _, kind, _, came_out, count, _ in rows:
        table[kind].update({came_out: 1, 'values': count})
    print('\t'.join(('kind', EQUAL, DIFFER, LEFT_OUT, TOO_LONG, 'values')))
    for kind, of in table.items():
        print('\t'.join([kind] + [str(of[word]) for word in (EQUAL, DIFFER, LEFT_OUT, TOO_LONG, 'values')]))
    return 1 if any(row[3] == DIFFER for row in rows) or not any(row[4] for row in rows) else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

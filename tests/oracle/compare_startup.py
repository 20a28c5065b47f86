#!/usr/bin/python3
"""Start-up in summaries: its time and the main window against the values of the report and the events of the archive.

usage: compare_startup.py HEDDLE ARCHIVE.otf2...

Exit status: 0 equal, 1 different, 2 something could not be run.
"""
import collections
import os
import re
import sys
import tarfile
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'src', 'python'))
import heddle
import run_matrix
from archive_reader import Archive

STARTUP = {'MPI_Init', 'MPI_Init_thread', 'MPI_Finalize'}


def window_of(archive):
    """First leave of MPI_Init and last enter of MPI_Finalize [ticks]."""
    left, entered = [], []
    for location in archive.locations:
        stack = []
        for event in location.events:
            if event[1] in ('enter', 'program', 'off'):
                stack.append(event[2].name if event[1] == 'enter' else '')
                if stack[-1] == 'MPI_Finalize':
                    entered.append(event[0])
            elif event[1] in ('leave', 'on') and stack.pop() in ('MPI_Init', 'MPI_Init_thread'):
                left.append(event[0])
    return min(left), max(entered)


def outside_of(archive, window):
    """{(process, thread, call path): time outside of the window [s]} but for MPI_Init and MPI_Finalize. While the first
    thread of a process is outside, its other threads are idle there."""
    times = collections.Counter()
    for location in archive.locations:
        if location.thread > 0:
            continue
        threads = [other.thread for other in archive.locations if other.process == location.process]
        stack, before = [], None
        for event in location.events:
            if stack and not STARTUP & set(stack):
                inside = max(0, min(event[0], window[1]) - max(before, window[0]))
                for thread in threads:
                    times[location.process, thread, tuple(stack)] += event[0] - before - inside
            before = event[0]
            if event[1] in ('enter', 'program', 'off'):
                stack.append(event[2].name if event[1] == 'enter' else '')
            elif event[1] in ('leave', 'on', 'program_end') and stack:
                stack.pop()
    return {place: time / archive.resolution for place, time in times.items() if time > 0}


def rows_of(report):
    """The same by the report's table."""
    with heddle.open(report) as cube:
        paths = {path.id: ('',) + path.names[1:] for path in cube.call_paths}  # the program without its name
        return {(cube.locations[location].process.rank, cube.locations[location].thread, paths[int(row['call_path'])]): float(value) / int(row['resolution'] or 1)
                for row in cube.table('heddle.startup.tsv') if row['metric'] == 'time'
                for location, value in enumerate(row['values'].split(','), int(row['first'])) if value}


def attribute(report, key):
    with tarfile.open(report) as cube:
        root = xml.etree.ElementTree.fromstring(cube.extractfile('anchor.xml').read())
    return next(row.get('value') for row in root.findall('attr') if row.get('key') == key)


def output_of(*command):
    code, output, errors = run_matrix.run(command)
    if code not in (0, 3):
        raise run_matrix.Failure('exit code %d of %s\n%s' % (code, ' '.join(command), errors))
    return output


def sections_of(text):
    """{heading: lines}, what is above the first one under ''."""
    sections, heading = {'': []}, ''
    for line in text.split('\n'):
        if line and not line.startswith(' ') and '' in sections and sections[''] and sections[heading][-1:] == ['']:
            heading = line
            sections[heading] = []
        sections[heading].append(line)
    return sections


def time_in(sections):
    return seconds_of(*re.search(r'^  Time +(\S+) ([mun]?s) ', '\n'.join(sections['Time breakdown']), re.M).groups())


def seconds_of(number, unit):
    return float(number) * {'s': 1, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9}[unit]


def is_close(a, b):
    """Three digits are printed."""
    return abs(a - b) <= 5.1e-3 * max(abs(a), abs(b))


def problems_of(heddle, anchor, folder):
    report = os.path.join(folder, 'r.cubex')
    output_of(heddle, 'analyze', anchor, '-o', report, '--force', '--quiet')
    of_startup = whole = 0
    for line in output_of(heddle, 'dump', report).splitlines():
        metric, path, _, _, value = line.split('\t')
        if metric == 'time':
            whole += float(value)
            of_startup += float(value) if STARTUP & set(path.split(';')) else 0
    archive = Archive(anchor)
    window = window_of(archive)
    outside, rows = outside_of(archive, window), rows_of(report)
    of_startup += sum(outside.values())
    for place in sorted(outside.keys() | rows.keys()):
        if abs(outside.get(place, 0) - rows.get(place, 0)) > 1e-12:
            yield 'outside of the main window at %s: %r, by the events %r' % (place, rows.get(place), outside.get(place))
    plain = sections_of(output_of(heddle, 'summary', report))
    full = sections_of(output_of(heddle, 'summary', report, '--with-startup'))
    beginning = ' '.join(plain[''])
    said = re.search(r'Start-up \(MPI_Init, MPI_Finalize\): (\S+) ([mun]?s), ([0-9.]+) % of all time', beginning)
    found = [float(number) for number in attribute(report, 'Heddle::MainWindow').split()]
    expected = [(time - archive.offset) / archive.resolution for time in window]
    if any(abs(a - b) > 2e-9 for a, b in zip(found, expected)):
        yield 'main window %s, by the events %s' % (found, expected)
    if 'main window %.6g s to %.6g s, of ' % tuple(found[:2]) not in beginning:
        yield 'the summary does not have the main window: %s' % beginning
    if said is None or not is_close(seconds_of(said[1], said[2]), of_startup) or abs(float(said[3]) - 100 * of_startup / whole) > 0.06:
        yield 'start-up %s, by the values %g s of %g s' % (said and said.groups(), of_startup, whole)
    if not is_close(time_in(plain), whole - of_startup) or not is_close(time_in(full), whole):
        yield 'time %g s and %g s with start-up, by the values %g s and %g s' % (time_in(plain), time_in(full), whole - of_startup, whole)
    for heading, lines in plain.items():
        if heading and any(name in line for line in lines for name in STARTUP):
            yield '"%s" names start-up' % heading
    if 'Start-up' in ' '.join(full['']) or not any(name in line for lines in full.values() for line in lines for name in STARTUP):
        yield '--with-startup does not count start-up'


def main(arguments):
    if len(arguments) < 2:
        sys.stderr.write(__doc__)
        return 2
    n = 0
    with tempfile.TemporaryDirectory(prefix='heddle-oracle-') as folder:
        for anchor in arguments[1:]:
            for problem in problems_of(arguments[0], anchor, folder):
                print('%s: %s' % (anchor, problem))
                n += 1
    return 1 if n > 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/python3
"""Loops that heddle finds in the calls of a program, against the rule of docs/metrics.md#found-iterations, written down once more from
that text, on the events of the archive.

usage: compare_loops.py HEDDLE [--sweep PROGRAM] ARCHIVE...

Compared are how many iterations there are, or that there are none, and for each iteration its bounds, how many processes have it, their
time and the longest. Archives with windows are left out: which of their calls communicate is not that simple. --sweep: programs that
tw_sweep writes, too. Prints what differs. Exit status: 0 all equal, 1 some differ, or no loop was there.
"""
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import run_matrix
from archive_reader import Archive
from compare_iterations import dynamic_regions, table
from compare_waits import HANDLES

INIT = ('MPI_Init', 'MPI_Init_thread')
LEAST, MOST, TRIED, PER_COUNT, PARTS, STEPS = 8, 65536, 24, 3, 4, 256
INSIDE = {'send': lambda event: ('send',) + event[2:4], 'recv': lambda event: ('recv',) + event[2:4], 'recv_request': lambda event: ('post',),
          'coll_end': lambda event: ('coll', event[3]), 'nbc_request': lambda event: ('nbc',), 'nbc_complete': lambda event: ('nbc',),
          'send_complete': lambda event: None}


class Process:
    """Of the first thread: visits of each call path, and the calls that communicate: (enter, leave, call path, with whom)."""

    def __init__(self, location):
        self.visits, self.calls, stack = Counter(), [], []
        for event in location.events:
            time, kind = event[:2]
            if kind in ('enter', 'program'):
                name = event[2].name if kind == 'enter' else event[2]
                path = (stack[-1][0] if stack else ()) + (name,)
                paradigm = event[2].paradigm if kind == 'enter' else ''
                is_call = paradigm == 'MPI'
                stack.append((path, time, [] if is_call else None, [name in INIT or name == 'MPI_Finalize']))
                self.visits[path] += 1
            elif kind == 'leave' and stack:
                path, enter, partners, counts = stack.pop()
                if partners is not None and counts[0]:
                    self.calls.append((enter, time, path, Counter([path] + [(path, one) for one in partners])))
            elif kind in INSIDE and not (kind == 'coll_end' and event[2] in HANDLES) and stack and stack[-1][2] is not None:
                partner = INSIDE[kind](event)
                stack[-1][2].extend([partner] if partner is not None else [])
                stack[-1][3][0] = True


class Candidate:
    def __init__(self, path, n):
        self.path, self.n, self.step, self.alike, self.span, self.first, self.cover, self.fits = path, n, 1, 1, 0, 0, 0, False

    @property
    def iterations(self):
        return self.n // self.step


def common_count(counts):
    """The largest number of which all counts are multiples: the least, or a half, a third, a quarter of it."""
    for part in range(1, PARTS + 1):
        n = min(counts) // part
        if min(counts) % part == 0 and all(count % n == 0 for count in counts) and (part == 1 or n >= 2 * LEAST):
            return n
    return 0


def candidates_of(processes):
    paths = dict.fromkeys(path for process in processes for path in process.visits)
    counts = {path: [process.visits[path] for process in processes if path in process.visits] for path in paths}
    common = {path: common_count(own) for path, own in counts.items() if len(own) == len(processes)}
    return [Candidate(path, n) for path, n in common.items() if LEAST <= n <= MOST], {path: min(own) for path, own in counts.items()}


def measure(candidates, looked_at, begin):
    """Those that communicate in each visit, with the time from their first to their last enter."""
    kept = []
    for one in candidates:
        enters = [[call[0] for call in process.calls if call[2] == one.path] for process in looked_at]
        if all(len(own) >= LEAST and len(own) % one.n == 0 for own in enters):
            one.span = sum(own[-1] - own[0] for own in enters)
            one.first = sum(max(0, own[0] - begin) for own in enters)
            kept.append(one)
    return kept


def one_of_each_loop(candidates):
    chosen = []
    for n in sorted({one.n for one in candidates}):
        left = sorted((one for one in candidates if one.n == n), key=lambda one: -one.span)
        for _ in range(PER_COUNT):
            alike = [one for one in left if one.span >= left[0].span // 100 * 90]
            if not alike:
                break
            best = min(alike, key=lambda one: one.first)
            best.alike = len(alike)
            chosen.append(best)
            left = left[len(alike):]
    return sorted(chosen, key=lambda one: (-one.span, one.n))[:TRIED]


def cut(process, path, step):
    """Lists of calls: what follows each step-th call of the path, with it."""
    parts, n = [], 0
    for call in process.calls:
        if call[2] == path:
            if n % step == 0:
                parts.append([])
            n += 1
        if parts:
            parts[-1].append(call)
    return parts


def step_of(process, one):
    parts = [sum((call[3] for call in part), Counter()) for part in cut(process, one.path, process.visits[one.path] // one.n)[:-1]]
    for step in range(1, min(len(parts) // LEAST, STEPS) + 1):
        equal = sum(a == b for a, b in zip(parts, parts[step:]))
        if 100 * equal >= (50 if step == 1 else 90) * (len(parts) - step):
            return step
    return 1


def find_step(looked_at, one):
    steps = [step_of(process, one) for process in looked_at]
    most = max(steps)
    if all(most % step == 0 for step in steps) and one.n % most == 0 and one.n // most >= LEAST:
        one.step = most


def cover(process, one):
    """None: the iterations are not alike."""
    parts = cut(process, one.path, one.step * (process.visits[one.path] // one.n))
    sets, lengths = [frozenset(call[2] for call in part) for part in parts[:-1]], [b[0][0] - a[0][0] for a, b in zip(parts, parts[1:])]
    if len(sets) < LEAST - 1:
        return None
    usual, n = Counter(sets).most_common(1)[0]
    if n < LEAST - 1 or 2 * n < len(sets):
        return None
    lengths = sorted(length for own, length in zip(sets, lengths) if 2 * len(own & usual) >= len(own | usual))
    total = sum(min(length, 4 * lengths[len(lengths) // 2]) for length in lengths)
    return total + total // len(sets)


def try_candidates(candidates, looked_at, window):
    best = 0
    for one in candidates:
        most = one.span + one.span // (LEAST - 1)
        if most < best // 100 * 90 or 2 * most < window:
            continue
        find_step(looked_at, one)
        covers = [cover(process, one) for process in looked_at]
        one.cover = sum(own or 0 for own in covers)
        one.fits = None not in covers and 2 * one.cover >= window
        best = max(best, one.cover if one.fits else 0)


def is_part_of(inner, outer, visits):
    between = [visits[inner.path[:length]] for length in range(1, len(inner.path))]
    return outer.alike >= inner.alike or any(outer.iterations <= n < inner.iterations and n % outer.iterations == 0 for n in between)


def outermost(candidates, visits):
    best = max(one.cover for one in candidates)
    near = [one for one in candidates if one.cover >= best // 100 * 90]
    outer = [one for one in near
             if all(is_part_of(other, one, visits) for other in near if other.iterations >= 2 * one.iterations)]
    return min(outer, key=lambda one: (one.iterations, -one.cover)) if outer else None


def middle_of(process, path):
    """Places of the calls of the loop; call paths from the first to the last of these."""
    places = [i for i, call in enumerate(process.calls) if call[2] == path]
    return places, {call[2] for call in process.calls[places[0]:places[-1]]}


def first_of_body(process, path):
    """Where the first iteration begins if each ends with the call: behind the last call before that is in no later one."""
    places, known = middle_of(process, path)
    start = places[0]
    while start > 0 and process.calls[start - 1][2] in known:
        start -= 1
    return start


def end_of(process, one):
    """The call path with which iterations end; None: with none."""
    parts = cut(process, one.path, 1)
    sets = [frozenset(call[2] for call in part) for part in parts[:-1]]
    usual, (places, known), behind = Counter(sets).most_common(1)[0][0], middle_of(process, one.path), []
    for call in process.calls[places[-1]:]:
        if call[2] not in known:
            break
        behind.append(call[2])
    missing = usual - set(behind)
    before = {call[2] for call in process.calls[first_of_body(process, one.path):places[0]]}
    return behind[-1] if missing and missing <= before else None


def bounds_of_ending(process, path, n):
    """None: not n calls that communicate."""
    ends = [call[1] for call in process.calls if call[2] == path]
    if not len(ends) == process.visits[path] == n:
        return None
    marks = [process.calls[first_of_body(process, path)][0]] + ends
    return list(zip(marks, marks[1:]))


def rows_of(processes, looked_at, one):
    ends = {end_of(process, one) for process in looked_at}
    if len(ends) == 1 and None not in ends and all(process.visits[one.path] == one.iterations for process in processes):
        rows = [bounds_of_ending(process, *ends, one.iterations) for process in processes]
        if None not in rows:
            return rows
    return [bounds_of(process, one) for process in processes]


def bounds_of(process, one):
    """None: not all visits are calls that communicate."""
    parts = cut(process, one.path, one.step * (process.visits[one.path] // one.n))
    if sum(call[2] == one.path for call in process.calls) != process.visits[one.path]:
        return None
    known = {call[2] for part in parts[:-1] for call in part}
    end = parts[-1][0][1]
    for i, call in enumerate(parts[-1]):
        if i > 0 and call[2] != one.path and call[2] not in known:
            break
        end = call[1]
        known.add(call[2])
    return [(a[0][0], b[0][0]) for a, b in zip(parts, parts[1:])] + [(parts[-1][0][0], end)]


def loop_of(archive):
    """process -> [(enter, leave)]; None: there is no loop."""
    firsts = {}
    for location in archive.locations:
        if location.thread == 0:
            firsts[location.process] = location
    processes = [Process(firsts[process]) for process in sorted(firsts)]
    calls = [call for process in processes for call in process.calls]
    begin = min((call[1] for call in calls if call[2][-1] in INIT), default=min(location.events[0][0] for location in firsts.values()))
    end = max((call[0] for call in calls if call[2][-1] == 'MPI_Finalize'), default=max(location.events[-1][0] for location in firsts.values()))
    looked_at = [processes[len(processes) * i // min(len(processes), 2)] for i in range(min(len(processes), 2))]
    found, visits = candidates_of(processes)
    found = one_of_each_loop(measure(found, looked_at, begin))
    try_candidates(found, looked_at, (end - begin) * len(looked_at))
    found = [one for one in found if one.fits]
    while found:
        one = outermost(found, visits)
        if one is None:
            return None
        rows = rows_of(processes, looked_at, one)
        if None not in rows:
            return rows
        found.remove(one)
    return None


def compare(heddle, folder, filename, name):
    """What differs; iterations that were compared."""
    report, differences = os.path.join(folder, 'r.cubex'), []
    archive = Archive(filename)
    if archive.windows or dynamic_regions(filename):
        return [], 0
    done = subprocess.run([heddle, 'analyze', filename, '-o', report, '-f', '-q', '--no-delay', '--no-critical-path'], capture_output=True,
                          env=dict(os.environ, TMPDIR=folder))
    if done.returncode not in (0, 3):
        return ['%s: exit code %d: %s' % (name, done.returncode, done.stderr.decode())], 0
    rows, found = loop_of(archive), table(report, 'heddle.iterations.tsv')
    n = len(rows[0]) if rows else 0
    print('%s: %d' % (name, n))
    if len(found) != n:
        return ['%s: %d iterations, oracle %d' % (name, len(found), n)], 0
    first = archive.offset
    for i, row in enumerate(found):
        own = [process[i] for process in rows]
        lengths = [leave - enter for enter, leave in own]
        for key, value in (('from', min(enter for enter, _ in own) - first), ('to', max(leave for _, leave in own) - first),
                           ('time', sum(lengths)), ('longest', max(lengths))):
            if round(float(row[key]) * archive.resolution) != value:
                differences.append('%s: iteration %d: %s %s, oracle %.9f' % (name, i + 1, key, row[key], value / archive.resolution))
        if int(row['processes']) != len(rows):
            differences.append('%s: iteration %d of %s processes' % (name, i + 1, row['processes']))
    return differences, n


def main(arguments):
    heddle, archives, differences, count = arguments[0], arguments[1:], [], 0
    with tempfile.TemporaryDirectory(dir=run_matrix.TEMPORARY.name) as folder:
        if archives[:1] == ['--sweep']:
            sweep, archives = archives[1], archives[2:]
            for i, words in enumerate((('4', '3', '--iterations', '12'), ('3', '2', '--iterations', '40', '--blocks', '2', '--rounds', '3', '--slow', '2'),
                                       ('4', '2', '--iterations', '7'))):
                archives.append(os.path.join(folder, 'sweep%d' % i))
                subprocess.run([sweep, archives[-1], *words], check=True, capture_output=True)
        for filename in archives:
            wrong, n = compare(heddle, folder, os.path.join(filename, 'traces.otf2'), os.path.basename(filename))
            differences, count = differences + wrong, count + n
    print('\n'.join(differences[:20]))
    print('%d iterations compared, %d differences' % (count, len(differences)))
    return 1 if differences or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

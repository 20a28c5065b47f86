"""The analysis of an archive: its processes one after the other, then the parts of patterns/, then the causes of waiting."""
from collections import defaultdict

import causes
import patterns
from metric_sums import add_up, children_first, times_among
from model import Path
from process_replay import ProcessReplay


SUMS = children_first([pair for part in patterns.PARTS for pair in part.SUMS])
WAITS = {metric for part in patterns.PARTS for metric in part.WAITS}
TIMES = times_among(SUMS, {'time'} | WAITS | {metric for part in patterns.PARTS for metric in part.TIMES})
METRICS = ('time', 'visits') + tuple(metric for part in patterns.PARTS for metric in part.WAITS + part.TIMES + part.COUNTS) + \
    tuple(metric for metric, _ in SUMS)


class Analysis:
    """values[metric][call path, location] in ticks, counts or bytes; exclusive along the call tree ("Reading this page")."""

    def __init__(self, archive, compat, with_causes=False, periods=None):
        """periods: process -> (from, to, last) of each of its intervals, in ticks as the records have them: time from `from` to `to`, and
        calls left at `last` at the latest, of programs without explicit tasks ("Analysis interval")."""
        self.archive, self.compat, self.periods = archive, compat, periods
        self.values = defaultdict(lambda: defaultdict(int))
        self.root, self.programs = Path(None, None), {}              # programs: region of each, by its canonical name
        self.entered = defaultdict(dict)                             # location -> its call paths, order of first enter
        self.timeline = defaultdict(list)                            # location -> (time, kind, object) in order
        self.recorded = defaultdict(int)                             # location -> what its times must sum to, idle time off
        self.ran = defaultdict(list)                                 # location -> (begin, end, explicit task), ascending
        self.task_regions = defaultdict(int)                         # (stub, location) -> time of its tasks in their regions
        self.teams, self.forked_calls = [], []                       # of all processes, see TeamReplay
        self.problems = defaultdict(int)
        self.postponed = []                                          # with periods: what is booked with calls, until all are left
        self.booked, self.operation = [], None                       # (metric, call, value, operation of several members or None, leave)
        self.parts = [part(self) for part in patterns.PARTS if not (compat and part.IS_EXTENSION)]
        self.parts_by_type = {type(part): part for part in self.parts}
        self.run()
        if with_causes:
            self.causes = causes.Causes(self)

    def run(self):
        for process in range(1 + max(location.process for location in self.archive.locations)):
            ProcessReplay(self, process, [l for l in self.archive.locations if l.process == process]).run()
        for part in self.parts:
            part.analyze()
        self.book_postponed()
        for part in self.parts:
            part.finish()
        self.sums()

    def note(self, location, time, kind, thing):
        self.timeline[location].append((time, kind, thing))

    def book(self, metric, call, value, leave=None):
        """leave: until when it is the instance, where that is not until the call is left."""
        if value and self.periods is not None:
            self.postponed.append((metric, call, value))
        elif value:
            self.values[metric][call.path, call.location] += value
        if value and metric in WAITS:
            self.booked.append((metric, call, value, self.operation, leave))

    def is_held(self, process, begin, end):
        return self.periods is None or any(start <= begin and end <= last for start, _, last in self.periods[process])

    def within(self, process, begin, end):
        """How much of the time counts."""
        if self.periods is None:
            return end - begin
        return sum(max(0, min(end, stop) - max(begin, start)) for start, stop, _ in self.periods[process])

    def book_postponed(self):
        for metric, call, value in self.postponed:
            if self.is_held(call.location.process, call.enter, call.leave):
                self.values[metric][call.path, call.location] += value
        self.booked = [row for row in self.booked if self.is_held(row[1].location.process, row[1].enter, row[1].leave)]

    def sums(self):
        left_out = {metric for part in patterns.PARTS for metric, _ in part.EXTENSION_SUMS} if self.compat else ()
        add_up([(metric, terms) for metric, terms in SUMS if metric not in left_out], self.values)

    def rows(self):
        """(metric, call path, rank, thread, value), call paths of equal names added up, zeros left out."""
        for metric in METRICS + causes.METRICS:
            total, names = defaultdict(int), {}
            for (path, location), value in self.values.get(metric, {}).items():
                if path not in names:
                    names[path] = path.name()
                total[names[path], location.process, location.thread] += value
            for key in sorted(total):
                if total[key]:
                    is_time = metric in TIMES or metric in causes.METRICS
                    value = float(total[key]) / self.archive.resolution if is_time else total[key]
                    yield (metric,) + key + (value,)

    def instances(self):
        """docs/formats.md#instances: [metric, call path, process, thread, enter, leave, waiting], times since the first event [ticks].
        What several members of an operation waited is one, at the one that waited longest, the lowest process of equals; a barrier of
        threads is explicit or implicit as it is to that one. A lock's ends where it is acquired."""
        operations, single = defaultdict(list), []
        also = {metric: part.SUM_OF_WAITS for part in patterns.PARTS if part.SUM_OF_WAITS for metric in part.WAITS}
        for metric, call, value, operation, leave in self.booked:
            if operation is None:
                single.append([(value, metric, call, leave)])
            else:
                operations[operation, metric if operation[0] != 'barrier' else None].append((value, metric, call, leave))
            if metric in also:
                single.append([(value, also[metric], call, leave)])
        for parts in single + list(operations.values()):
            _, metric, call, leave = min(parts, key=lambda part: (-part[0], part[2].location.process, part[2].location.thread))
            yield (metric, call.path.name(), call.location.process, call.location.thread, call.enter - self.archive.offset,
                   (call.leave if leave is None else leave) - self.archive.offset, sum(part[0] for part in parts))

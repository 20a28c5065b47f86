"""The time line of one location, and the synchronisation points on it ("Synchronisation points", "Time vectors")."""
from bisect import bisect_left, bisect_right
from collections import defaultdict

from .kinds import EVERYBODY


class SyncPoint:
    """position: in the timeline of the location; cut: mark of the Enter of its call; cause: the synchronisation point on
    the side that was waited for; costs: long-term costs collected so far."""

    def __init__(self, location, call, position, cut, wait, total, completion, peers, is_omp=False):
        self.location, self.call, self.position, self.begin, self.cut = location, call, position, position, cut
        self.wait, self.total, self.completion, self.peers, self.is_omp = wait, total, completion, peers, is_omp
        self.cause, self.costs, self.kind, self.propagating, self.previous_join = None, defaultdict(float), None, 0, None
        self.until = None                                            # RMA: the moment at which the wait ended
        self.released = None                                         # of a lock for which others wait: when
        self.order = 0                                               # RMA: among the points of one call

    def place(self, extended=False):
        """Points are in the order in which their calls were entered: one that stands at a Leave goes before those inside. Extended:
        in that of the records, since the call that waits for a condition releases its mutex before it acquires it; a barrier, in
        which tasks may wait for locks, begins with its Enter."""
        return (self.begin, self.order) if extended else (self.cut, self.position, self.order)

    def has_peer(self, process):
        return not self.is_omp and (self.peers is EVERYBODY or process in self.peers)


class Moment:
    """A time on a location that need not have a mark."""

    def __init__(self, time):
        self.time = time


def positive_difference(x, y):
    """What x has more of than y: {call path: ticks}."""
    result = {}
    for path, value in x.items():
        value -= y.get(path, 0)
        if value > 0:
            result[path] = value
    return result


class Track:
    """One location: its marks, i.e. (time, call path from then on), and its synchronisation points in order."""

    def __init__(self, location):
        self.location, self.times, self.paths = location, [], []
        self.points, self.at, self.cuts = [], {}, {}
        self.limit, self.order, self.edges, self.blocks = None, None, set(), {}
        self.begin = SyncPoint(location, None, -1, 0, 0, 0, 0, ())
        self.acquires = []                                           # (position, call, lock and order)
        self.nested = set()                                          # calls of parallel regions inside of others
        self.leave_marks = {}                                        # position -> mark of the Leave
        self.last_marks = {}                                         # position -> mark of the Enter or Leave before it
        self.positions = {}                                          # (kind, object) -> position in the timeline

    def mark(self, time, path):
        self.times.append(time)
        self.paths.append(path)
        return len(self.times) - 1

    def block(self, first, last):
        """The time vector between two marks."""
        result, times, paths = {}, self.times, self.paths
        for k in range(first, last):
            if paths[k] is not None and times[k + 1] != times[k]:
                self.add(result, paths[k], times[k + 1] - times[k])
        return result

    def vector(self, first, last):
        """The time vector between two marks, as scout adds it up: from the vectors between successive edges."""
        result = {}
        self.extend(result, first, last)
        return result

    def extend(self, result, first, last):
        edges = [first] + self.edges[bisect_right(self.edges, first):bisect_left(self.edges, last)] + [last]
        for edge in zip(edges, edges[1:]):
            if edge not in self.blocks:
                block = self.block(*edge)
                self.blocks[edge] = [(path, block[path]) for path in sorted(block, key=self.order.get)]
            for path, value in self.blocks[edge]:
                self.add(result, path, value)

    def span(self, first, last):
        """The time vector, where one or both are moments; only without --compat."""
        if not isinstance(first, Moment) and not isinstance(last, Moment):
            return self.vector(first, last)
        begin, end = (x.time if isinstance(x, Moment) else self.times[x] for x in (first, last))
        stop = bisect_left(self.times, end) if isinstance(last, Moment) else last
        start = max(0, bisect_right(self.times, begin) - 1) if isinstance(first, Moment) else first
        result = defaultdict(int)
        for k in range(start, min(stop, len(self.times) - 1)):
            value = min(self.times[k + 1], end) - max(self.times[k], begin)
            if self.paths[k] is not None and value > 0:
                result[self.paths[k]] += value
        return result

    def add(self, result, path, value):
        """With --compat at most `limit` elements are kept (D23): a new call path takes the place of the smallest one (the
        first one of equal ones), if it is larger."""
        if path in result:
            result[path] += value
            return
        result[path] = value
        if len(result) > self.limit:
            del result[min(result, key=lambda known: (result[known], known is not path, self.order[known]))]

    def order_points(self, extension):
        self.points.sort(key=SyncPoint.place)
        self.extended = sorted(self.points + extension, key=lambda x: x.place(True))
        self.places = {False: [x.place() for x in self.points], True: [x.place(True) for x in self.extended]}
        self.edges = sorted(self.edges | {x.cut for x in self.points})

    def before(self, b):
        """The points before b, last ones first."""
        for index in range(bisect_left(self.places[False], b.place()) - 1, -1, -1):
            yield self.points[index]

    def waits(self, a, b, extended=False):
        """The points strictly between a and b that waited."""
        points, places = (self.extended if extended else self.points), self.places[extended]
        return [x for x in points[bisect_right(places, a.place(extended)):bisect_left(places, b.place(extended))] if x.wait > 0]

    def pruned(self, a, b, extended=False):
        """The time vector without waiting, and without what a does before it is complete."""
        waits = defaultdict(int)
        for x in self.waits(a, b, extended):
            waits[x.call.path] += x.wait
        result = positive_difference(self.vector(a.cut, b.cut), waits)
        path = a.call.path if a.call is not None else None
        if path in result:
            result[path] -= a.total - a.completion
            if result[path] <= 0:
                del result[path]
        return result

    def previous(self, b, process):
        """Last point before b that has the process among its peers."""
        return next((x for x in self.before(b) if x.has_peer(process)), None)

    def previous_omp(self, b):
        """Last point before b of the same instance of the team (D9)."""
        return next((x for x in self.before(b) if x.is_omp and x.instance is b.instance), None)

    def any_previous_omp(self, b):
        return next((x for x in self.before(b) if x.is_omp), None)

"""The critical path ("Critical path")."""
from bisect import bisect_left

from patterns.init_finalize import InitFinalize
from patterns.teams import Teams

from .track import Moment


class CriticalPath:
    def __init__(self, points):
        self.analysis, self.archive, self.compat = points.analysis, points.archive, points.compat
        self.tracks, self.costs, self.teams = points.tracks, points.costs, points.analysis.parts_by_type[Teams]

    def run(self):
        calls = self.analysis.parts_by_type[InitFinalize].setup['finalize']
        if calls:
            latest = max(call.enter for call in calls.values())
            call = calls[min(process for process, call in calls.items() if call.enter == latest)]
            track = self.tracks[call.location]
            last = track.at[track.positions['leave', call]]
            end, index = last.cut, track.points.index(last) - 1
        else:
            track = self.tracks[max(self.archive.locations, key=lambda l: (l.events[-1][0] if l.events else -1, -l.process, -l.thread))]
            end, index = track.end, len(track.points) - 1
        active, seen = [(track, index, end)], set()
        while active:
            track, index, end = active.pop()
            while index >= 0 and not (track.points[index].kind == 'init' or self.next_points(track.points[index], end)):
                index -= 1
            if index < 0:
                self.book_vector(track, track.span(0, end))
                continue
            behind = self.has_tasks(track.points[index])
            if behind:                                               # on the last thread until this one left the barrier
                self.book_vector(track, track.span(self.leave_mark(track.points[index]), end))
            else:
                self.book_path(track, track.points[index], end)
            until = track.points[index].until
            for x in self.next_points(track.points[index], end):
                if x not in seen:
                    seen.add(x)
                    to, cut = self.tracks[x.location], x.cut
                    if behind:
                        cut = self.leave_mark(x)
                        self.costs.book('critical_path', x.call.path, x.location, track.points[index].call.leave - x.call.leave)
                    index_of_x = bisect_left(to.places[False], x.place())
                    if until is not None:
                        cut = Moment(until)
                    active.append((to, index_of_x - 1, cut))

    def has_tasks(self, x):
        """Whether tasks are run in a barrier of a team. scout doesn't know of them here."""
        if x.kind != 'ompbarrier' or self.compat:
            return False
        return any(self.teams.away(point.call, point.call.leave) > 0 for point in x.team)

    def leave_mark(self, x):
        return self.tracks[x.location].leave_marks[x.position]

    def is_inside(self, x, end):
        mark = self.leave_mark(x)
        return end.time <= self.tracks[x.location].times[mark] if isinstance(end, Moment) else end <= mark

    def next_points(self, x, end):
        """Where the path goes from a point. scout: from a barrier to every thread without waiting time (D19). The path does not
        go away from a barrier with tasks if it came in while the thread was in it."""
        if x.kind == 'ompbarrier' and self.compat:
            return [point for point in x.team if point.wait == 0]
        if self.has_tasks(x) and self.is_inside(x, end) and self.teams.away(x.call, x.call.leave) > 0:
            return []
        if x.cause is None or (x.cause is x and not (x.kind == 'parallel' and self.compat)):                 # scout: once from here
            return []
        return [x.cause] if x.kind == 'parallel' or x.wait > 0 else []

    def book_vector(self, track, vector):
        for path, value in vector.items():
            self.costs.book('critical_path', path, track.location, value)

    def book_path(self, track, x, end):
        if x.until is not None:
            self.book_vector(track, track.span(Moment(x.until), end))
            return
        vector = track.span(x.cut, end)
        if x.call is not None and x.call.path in vector:
            vector[x.call.path] -= min(x.wait, vector[x.call.path])
        self.book_vector(track, vector)

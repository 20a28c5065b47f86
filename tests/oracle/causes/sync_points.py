"""The synchronisation points of all locations, and which of them waits for which ("Synchronisation points")."""
from collections import defaultdict

from . import collective_points, message_points, thread_points, window_points
from .accounting import Accounting
from .timelines import Timelines
from .track import SyncPoint

SOURCES = (message_points.init_and_finalize, message_points.messages, collective_points.collectives, thread_points.teams,
           thread_points.barriers)
EXTENSIONS = (window_points.windows, collective_points.prefixes, collective_points.nonblocking, thread_points.locks)
ORDERED = (thread_points.idle_threads,)                              # need the order of points


class SyncPoints:
    """accountings: each says that points waited for another one."""

    def __init__(self, analysis, costs):
        self.analysis, self.archive, self.compat, self.values = analysis, analysis.archive, analysis.compat, analysis.values
        self.costs, self.timelines, self.accountings = costs, Timelines(analysis), []
        self.tracks, self.teams, self.order = self.timelines.tracks, self.timelines.teams, self.timelines.order
        self.extension = defaultdict(dict)                           # location -> position -> point
        for source in SOURCES + (() if self.compat else EXTENSIONS):
            source(self)
        for location, track in self.tracks.items():
            track.order_points(list(self.extension[location].values()))
        for source in ORDERED:
            source(self)

    def add_point(self, call, position, wait, total, completion, peers, is_omp=False):
        """The synchronisation point at a position; there may be one already."""
        track = self.tracks[call.location]
        point = track.at.get(position)
        if point is None:
            # scout: the Enter or Leave before, which is not the Enter of the call if the call has regions inside.
            cut = track.last_marks[position] if self.compat and not call.region.is_omp_parallel else track.cuts[call]
            point = SyncPoint(call.location, call, position, cut, wait, total, completion, peers, is_omp)
            track.at[position] = point
            track.points.append(point)
        return point

    def pair(self, kind, waiting, cause):
        waiting.kind, waiting.cause = kind, cause
        self.accountings.append(Accounting(kind, cause, [waiting]))

    def extension_point(self, call, position, cut, wait):
        """These count as waiting in accountings of the extensions only, so that the others give what they give without."""
        points = self.extension[call.location]
        if position not in points:
            points[position] = SyncPoint(call.location, call, position, cut, 0, call.leave - call.enter, 0, ())
        points[position].wait = max(points[position].wait, wait)
        return points[position]

    def extension_accountings(self, kind, members, pairs):
        """pairs: (waiting point, point of the delayer)."""
        by_cause = defaultdict(list)
        for waiting, cause in pairs:
            by_cause[cause].append(waiting)
        for cause, waiting in by_cause.items():
            accounting = Accounting(kind, cause, waiting)
            accounting.members = {m.process for m in members}
            self.accountings.append(accounting)

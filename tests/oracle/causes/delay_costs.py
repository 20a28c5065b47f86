"""Delay costs: what each wait costs whom ("Delay costs", "Direct and indirect wait states", "Propagating and terminal wait states").

Everything is in memory: a list of synchronisation points for each location, vectors are dictionaries from call path to ticks, and the cost
accountings run in an order in which every cause waits for its effects. Times are integer ticks, shares of them floats.
"""
from collections import defaultdict

from .kinds import EVERYBODY, EXTENSION, LOCKS
from .track import SyncPoint, positive_difference


class DelayCosts:
    def __init__(self, points, costs):
        self.points, self.costs, self.analysis, self.compat = points, costs, points.analysis, points.compat
        self.tracks, self.accountings = points.tracks, points.accountings
        self.found = []                                              # (point since which, point until which, call path -> ticks) of each delay
        self.direct = []                                             # (kind, point since which, until which, that waits, direct costs) of each delay
        self.shares = []                                             # (metric, call path, point since which, until which, costs), each cost
        self.idle = []                                               # (accounting, call path, costs) of idle threads

    def run(self):
        """Every accounting runs when all those have run that add costs to the points it reads."""
        writers, readers, missing = defaultdict(int), defaultdict(list), {}
        for accounting in self.accountings:
            self.prepare(accounting)
            for point in accounting.between:
                writers[point] += 1
            for point in accounting.waiting:
                readers[point].append(accounting)
        ready = []
        for accounting in self.accountings:
            missing[accounting] = sum(1 for point in accounting.waiting if writers[point])
            if not missing[accounting]:
                ready.append(accounting)
        done = 0
        while ready:
            accounting = ready.pop()
            done += 1
            self.account(accounting)
            for point in accounting.between:
                writers[point] -= 1
                if not writers[point]:
                    for reader in readers[point]:
                        missing[reader] -= 1
                        if not missing[reader]:
                            ready.append(reader)
        if done < len(self.accountings):
            self.analysis.problems['cost accountings that wait for each other'] += len(self.accountings) - done

    def account(self, accounting):
        if accounting.kind == 'ompidle':
            self.account_idle(accounting)
        elif accounting.kind == 'ompbarrier':
            self.account_threads(accounting)
        elif accounting.is_pair:
            self.account_pair(accounting)
        else:
            self.account_collective(accounting)

    def prepare(self, accounting):
        """Which points of the causing side get long-term costs."""
        kind, cause = accounting.kind, accounting.cause
        if kind == 'ompidle':
            return
        track = self.tracks[cause.location]
        if accounting.is_pair and kind not in LOCKS:
            accounting.start = self.start(kind, track, cause, accounting.waiting[0].location.process)
        elif kind == 'ompbarrier' or kind in LOCKS:
            accounting.start = self.start(kind, track, cause, None)
        else:
            accounting.start, accounting.intermediate = self.group_start(track, cause, accounting.members)
        accounting.between = (track.waits(accounting.start, cause, kind in EXTENSION)
                              if accounting.start is not None and accounting.waiting else [])

    def start(self, kind, track, point, process):
        """The point before a point at which both sides were synchronised last."""
        if kind in LOCKS:
            return track.any_previous_omp(point) or track.begin
        return track.previous_omp(point) or track.begin if kind == 'ompbarrier' else track.previous(point, process)

    def group_start(self, track, cause, members):
        """Where all members were met last, and the intermediate points: process -> point."""
        remaining, intermediate = members - {track.location.process}, {}
        for point in track.before(cause):
            if point.is_omp:
                continue
            met = remaining if point.peers is EVERYBODY else remaining & point.peers
            if met:
                remaining = remaining - met
                if not remaining:
                    return point, intermediate
                intermediate.update((process, point) for process in met)
        return None, intermediate

    def attribute(self, accounting, waiting, amount, own, other, waits, start):
        """Attributes an amount of waiting time, and the long-term costs of the waiting point, to what the causing side did more than
        the other. Returns the scale, and kind -> factor for waiting times of the causing side."""
        kind, location = accounting.kind, accounting.cause.location
        excess = positive_difference(own, other)
        self.found.append((start, accounting.cause, excess))
        total = sum(excess.values()) + waits
        if not total:
            self.costs.all_unattributed(kind, waiting, amount)
            return 0, {}
        scale = amount / total
        if accounting.is_pair and scale > 1:
            self.costs.unattributed(kind, waiting, amount - total)
            scale = 1
        self.direct.append((kind, start, accounting.cause, waiting, scale * sum(excess.values())))
        longterm = {effect: cost / total for effect, cost in waiting.costs.items()
                    if not (self.compat and effect[0] == kind == 'ompbarrier')}                              # D18
        effect, process = (kind, waiting.call.path), waiting.location.process
        for path, value in excess.items():
            self.shares.append(('delay_' + kind, path, start, accounting.cause, scale * value))
            self.costs.book('delay_' + kind, path, location, scale * value)
            self.costs.make_wait(path, location, effect, process, scale * value, 0)
            for k, factor in longterm.items():
                self.shares.append(('delay_%s_longterm' % k[0], path, start, accounting.cause, factor * value))
                self.costs.book('delay_%s_longterm' % k[0], path, location, factor * value)
                self.costs.make_wait(path, location, k, process, 0, factor * value)
        longterm[effect] = longterm.get(effect, 0) + scale
        return scale, longterm

    def account_pair(self, accounting):
        """Late Sender, Late Receiver, locks, pairs at windows."""
        cause, (waiting,), start = accounting.cause, accounting.waiting, accounting.start
        own, other = self.tracks[cause.location], self.tracks[waiting.location]
        other_start = self.start(accounting.kind, other, waiting, cause.location.process)
        if start is None or other_start is None:
            self.analysis.problems['message without a synchronisation point before'] += 1
            self.costs.all_unattributed(accounting.kind, waiting)
            return
        waits = sum(x.wait for x in accounting.between)
        extended, of_messages = accounting.kind in EXTENSION, accounting.kind in ('latesender', 'latereceiver')
        scale, factors = self.attribute(accounting, waiting, waiting.wait, own.pruned(start, cause, extended),
                                     other.pruned(other_start, waiting, extended), waits, start)
        for x in accounting.between:
            self.pass_on(x, factors)
            x.propagating = max(x.propagating, scale * x.wait if of_messages else 0)
        if of_messages:
            self.costs.book('mpi_wait_indirect_' + accounting.kind, waiting.call.path, waiting.location, scale * waits)

    def pass_on(self, x, factors):
        for kind, factor in factors.items():
            x.costs[kind] += factor * x.wait

    def account_collective(self, accounting):
        cause, kind, start = accounting.cause, accounting.kind, accounting.start
        track, extended = self.tracks[cause.location], kind in EXTENSION
        whole = track.pruned(start, cause, extended) if start is not None else None
        steps = defaultdict(lambda: defaultdict(float))              # point from which they apply -> kind -> factor
        for waiting in accounting.waiting:
            first = accounting.intermediate.get(waiting.location.process, start)
            other = self.tracks[waiting.location]
            other_start = other.previous(waiting, cause.location.process)
            if start is None or other_start is None:
                self.costs.all_unattributed(kind, waiting)
                continue
            own = whole
            if first is not start:                                   # only scout leaves out what the whole way has not
                own = {path: value for path, value in track.pruned(first, cause, extended).items()
                       if path in whole or not self.compat}
            _, factors = self.attribute(accounting, waiting, waiting.wait, own, other.pruned(other_start, waiting, extended),
                                     sum(x.wait for x in track.waits(first, cause, extended)), first)
            for k, factor in factors.items():
                steps[self.applies_from(accounting, first)][k] += factor
        steps.pop(None, None)
        current, coming = defaultdict(float), sorted(steps)
        for x in sorted(accounting.between, key=SyncPoint.place):
            while coming and coming[0] <= x.place():
                for k, factor in steps[coming.pop(0)].items():
                    current[k] += factor
            self.pass_on(x, current)

    def applies_from(self, accounting, first):
        """Place of the first point to which the factors of a rank apply that was met last at a point. scout (D3): an
        intermediate point's from the next one of those on; None: not at all."""
        if not self.compat or first is accounting.start:
            return first.cut, first.position, first.order + 1
        return min((x.place() for x in accounting.intermediate.values() if x.place() > first.place()), default=None)

    def account_threads(self, accounting):
        cause, start = accounting.cause, accounting.start
        own = self.tracks[cause.location].pruned(start, cause)
        waits = sum(x.wait for x in accounting.between)
        for waiting in accounting.waiting:
            other = self.tracks[waiting.location]
            other_start = other.previous_omp(waiting) or other.begin
            _, factors = self.attribute(accounting, waiting, waiting.late, own, other.pruned(other_start, waiting), waits, start)
            for x in accounting.between:
                self.pass_on(x, factors)

    def account_idle(self, accounting):
        track = self.tracks[accounting.location]
        waits = defaultdict(int)
        for x in accounting.between:
            waits[x.call.path] += x.wait
            x.costs['ompidle', None] += accounting.scale * x.wait
        for path, value in positive_difference(track.vector(accounting.first, accounting.last), waits).items():
            self.idle.append((accounting, path, accounting.scale * value))
            self.costs.book('delay_ompidle', path, accounting.location, accounting.scale * value)
            self.costs.make_wait(path, accounting.location, ('ompidle', None), accounting.location.process, accounting.scale * value, 0)

    def propagating(self):
        for track in self.tracks.values():
            for x in track.points:
                if x.propagating:
                    name = {'latesender': 'ls', 'latereceiver': 'lr'}.get(x.kind)
                    if name:
                        self.costs.book('mpi_wait_propagating_' + name, x.call.path, x.location, x.propagating)

"""Synchronisation points of windows and of SHMEM ("One-sided communication")."""
from collections import defaultdict

from patterns.one_sided import OneSided

from .accounting import Accounting
from .collective_points import collective_point
from .kinds import RMA
from .track import SyncPoint


def windows(points):
    one_sided = points.analysis.parts_by_type[OneSided]
    for class_, members, causes, until in one_sided.meetings:
        collective_point(points, class_, members, causes, dict.fromkeys(causes, until), RMA)
    pairs, waiting = [], {m for _, _, causes, _ in one_sided.meetings for m in causes}
    for wait in one_sided.waits:
        # Between two calls of one thread there is nothing that one did more; and no record has two waits in a legal program.
        if wait.is_clamped or wait.record.call.location is wait.cause.call.location or wait.record in waiting:
            points.costs.unattributed(RMA, wait.record, wait.value)
            continue
        waiting.add(wait.record)
        pairs.append((wait, pair_point(points, wait.record, wait.cause), pair_point(points, wait.cause, wait.record)))
    order_in_calls(pairs)
    for wait, own, other in pairs:
        own.wait, own.until, own.kind, own.cause = wait.value, wait.until, RMA, other
        points.accountings.append(Accounting(RMA, other, [own], True))


def pair_point(points, record, other):
    """Each pair has two points of its own, so a record may be several: one at which it waits, one for each that it lets go on."""
    call, track = record.call, points.tracks[record.call.location]
    point = SyncPoint(call.location, call, track.positions['rma', record], track.cuts[call], 0, call.leave - call.enter,
                      max(0, call.leave - other.call.leave), {other.process})
    track.points.append(point)
    return point


def order_in_calls(pairs):
    """Points of one call are in the order of their moments; a wait that is over then comes before what lets others go on."""
    calls = defaultdict(list)
    for wait, own, other in pairs:
        calls[own.call].append((wait.until, 0, own))
        calls[other.call].append((wait.until, 1, other))
    for points in calls.values():
        points.sort(key=lambda point: point[:2])
        position = max(point.position for _, _, point in points)
        for order, (_, _, point) in enumerate(points, 1):
            point.position = point.begin = position
            point.order = order

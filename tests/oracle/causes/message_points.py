"""Synchronisation points of messages, of MPI_Init and of MPI_Finalize."""
from patterns.init_finalize import InitFinalize
from patterns.late_receiver import LateReceivers
from patterns.late_sender import LateSenders

from .kinds import EVERYBODY
from .track import SyncPoint


def init_and_finalize(points):
    """All processes are together there."""
    for kind, calls in points.analysis.parts_by_type[InitFinalize].setup.items():
        if not calls:
            continue
        target, earliest = max(c.enter for c in calls.values()), min(c.leave for c in calls.values())
        for call in calls.values():
            clamped = min(target, call.leave)
            wait = max(0, clamped - call.enter) if kind == 'finalize' else 0
            completion = max(0, call.leave - max(earliest, clamped))
            position = points.tracks[call.location].positions['leave', call]
            point = points.add_point(call, position, wait, call.leave - call.enter, completion, EVERYBODY)
            point.kind = kind
    with_processes = any(path.region.paradigm in ('MPI', 'SHMEM') for path, _ in points.values['visits'])
    for location, track in points.tracks.items():
        if track.times and with_processes and not any(p.kind == 'init' for p in track.points):
            point = SyncPoint(location, None, -1, 0, 0, 0, 0, EVERYBODY)
            point.kind = 'init'
            track.points.append(point)


def messages(points):
    """Late Senders and Late Receivers, and the calls that they waited for."""
    for wait, receive in points.analysis.parts_by_type[LateSenders].instances:
        call, send, track = receive.call, receive.match, points.tracks[receive.call.location]
        waiting = points.add_point(call, track.positions['recv', receive], wait, call.leave - call.enter,
                                   max(0, call.leave - send.request.leave), {send.sender})
        position = points.tracks[send.call.location].positions['send', send]
        cause = points.add_point(send.call, position, 0, send.call.leave - send.call.enter,
                                 max(0, send.call.leave - call.leave), {call.location.process})
        points.pair('latesender', waiting, cause)
    for wait, send in points.analysis.parts_by_type[LateReceivers].instances:
        call, receive, track = send.completion, send.match, points.tracks[send.completion.location]
        posted = receive.request
        position = track.positions['send_complete', send] if ('send_complete', send) in track.positions else \
            track.positions['send', send]
        completion = (min if points.compat else max)(0, call.leave - posted.leave)               # D2
        waiting = points.add_point(call, position, wait, call.leave - call.enter, completion, {posted.location.process})
        position = points.tracks[posted.location].positions['request', receive]
        cause = points.add_point(posted, position, 0, posted.leave - posted.enter, max(0, posted.leave - call.leave),
                                 {call.location.process})
        points.pair('latereceiver', waiting, cause)

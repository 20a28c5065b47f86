"""Synchronisation points of threads: teams, their barriers, idle threads, locks ("Barriers of teams", "Idle threads", "Locks")."""
from bisect import bisect_left, bisect_right

from patterns.locks import lock_metric
from patterns.teams import Teams

from .accounting import Accounting


def teams(points):
    """Parallel regions: all threads of a team go on from the fork."""
    for fork, team in points.teams.items():
        earliest = min(call.enter for call in team.values())
        for location, call in team.items():
            point = points.add_point(call, points.tracks[location].positions['enter', call], 0, max(0, call.enter - fork.time),
                                     call.enter - earliest, None, True)
            point.kind, point.instance = 'parallel', fork
        for location, call in team.items():
            track = points.tracks[location]
            track.at[track.positions['enter', call]].cause = parallel_point(points, fork)


def barriers(points):
    part = points.analysis.parts_by_type[Teams]
    for team, calls in part.barrier_instances:
        latest = max(call.enter for call in calls)
        cause = min((call for call in calls if call.enter == latest), key=lambda call: call.location.thread)
        of_call = {}
        for call in calls:
            track = points.tracks[call.location]
            late = min(latest, call.leave) - call.enter              # as the wait itself
            off = call.tasks if points.compat else part.away(call, min(latest, call.leave))
            wait = 0 if call.is_cut else max(0, late - off)
            point = points.add_point(call, track.positions['leave', call], wait, call.leave - call.enter, 0, None, True)
            point.kind, point.late, point.begin, point.instance = 'ompbarrier', late, track.positions['enter', call], team.fork or team
            of_call[call] = point
        for point in of_call.values():
            point.cause, point.team = of_call[cause], list(of_call.values())
        points.accountings.append(Accounting('ompbarrier', of_call[cause], [p for p in of_call.values() if p.late > 0]))


def parallel_point(points, fork):
    """The synchronisation point of the master of a team, or None."""
    call = points.teams[fork].get(fork.location)
    track = points.tracks[fork.location]
    return track.at.get(track.positions['enter', call]) if call is not None else None


def idle_threads(points):
    """Where idle threads are defined: at the fork of each team of several threads that is in no other team, and at
    the end of the first thread; back to the last join."""
    paradigms = {path.region.paradigm for path in points.order}
    if 'OPENMP' not in paradigms or 'PTHREAD' in paradigms:
        return
    for location, track in points.tracks.items():
        joins = sorted((track.cuts[fork], track.positions['join', fork]) for fork in points.teams
                       if ('join', fork) in track.positions)
        ends = [point for point in track.points if point.kind == 'parallel' and point.instance.location is location
                and len(points.teams[point.instance]) > 1 and point.call not in track.nested]
        threads = [other for other in points.tracks if other.process == location.process and other.is_cpu]
        if location.thread == 0 and any(fork.location.process == location.process for fork in points.teams):
            ends.append(None)
        for end in ends:
            before = joins if end is None else joins[:bisect_left(joins, end.place())]
            after = before[-1] if before else (0, -1)
            accounting = Accounting('ompidle', end, [])
            accounting.location, accounting.first, accounting.last = location, after[0], end.cut if end else track.end
            places = track.places[False]
            until = len(places) if end is None else bisect_left(places, end.place())
            accounting.between = [p for p in track.points[bisect_right(places, after):until] if p.wait > 0]
            accounting.scale = len(threads if end is None else points.teams[end.instance]) - 1
            if accounting.scale > 0:
                points.accountings.append(accounting)


def locks(points):
    """The delayer is the holder before. What it did up to the RELEASE counts, inside the call as well."""
    for location, track in points.tracks.items():
        for position, call, (paradigm, lock, order), (own, mark_of_own) in track.acquires:
            metric = lock_metric(paradigm, call.region)
            time, holder, place, mark = points.timelines.releases.get((location.process, (paradigm, lock, order - 1)), (0,) + (None,) * 3)
            if metric and holder is not None and time > call.enter:
                kind = 'omplock' if paradigm == 'OPENMP' else 'pthreadlock'
                begin = mark_of_own if own > track.positions['enter', call] else track.cuts[call]        # behind its own release
                waiting = points.extension_point(call, position, begin, time - call.enter)
                cause = points.extension_point(holder, place, mark, 0)
                cause.released = time
                points.accountings.append(Accounting(kind, cause, [waiting]))

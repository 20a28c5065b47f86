"""Synchronisation points of collectives, blocking or not ("Collective operations", "Prefix reductions and non-blocking collectives")."""
from patterns.collectives import Collectives, all_overlap, remote, root_of
from patterns.files import Files
from patterns.nonblocking_collectives import NonblockingCollectives

from .accounting import Accounting
from .kinds import CLASS_KINDS, RMA


def synchronised(points, is_blocking):
    """(class, communicator, members, results of the rule)"""
    parts = [points.analysis.parts_by_type[part] for part in (Collectives, Files) if part in points.analysis.parts_by_type]
    return [row for part in parts for row in part.synchronised if (row[2][0].request is None) == is_blocking]


def collectives(points):
    """The two groups of an inter-communicator wait for different ranks: no synchronisation points."""
    for class_, comm, members, results in synchronised(points, True):
        if class_ in CLASS_KINDS and len(comm.groups) > 1:
            for member, target, _ in results:
                points.costs.unattributed(CLASS_KINDS[class_], member, min(target, member.end) - member.begin)
        elif class_ in CLASS_KINDS and results:
            causes = {member: delayer(class_, comm, members, member, target) for member, target, _ in results}
            targets = {member: target for member, target, _ in results}
            for latest in list(causes.values()):
                causes.setdefault(latest, latest)
                targets.setdefault(latest, latest.begin)
            collective_point(points, class_, members, causes, targets, CLASS_KINDS[class_])


def delayer(class_, comm, members, member, target):
    """The rank waited for, lowest rank on ties; itself, if it does not wait."""
    if member.begin >= target:
        return member
    if class_ == 'one_to_n':
        return root_of(comm, members)
    partial = class_ == 'n_to_one' or (class_ == 'nxn' and not all_overlap(members))
    return next(m for m in remote(comm, members, member) if m.begin == target and (m.sent or not partial))


def collective_point(points, class_, members, causes, targets, kind):
    """causes: synchronising rank -> the rank it waits for."""
    earliest = min(m.end for m in causes if class_ != 'one_to_n' or causes[m] is not m)
    of_member = {}
    for member, cause in causes.items():
        call, clamped = member.call, min(targets[member], member.end)
        completion = max(0, member.end - max(earliest, clamped))
        peers = {m.process for m in causes} if class_ in ('barrier', 'nxn', 'file') or cause is member else {cause.process}
        position = points.tracks[call.location].positions['rma' if kind == RMA else 'coll_end', member]
        of_member[member] = points.add_point(call, position, max(0, clamped - member.begin), call.leave - call.enter, completion, peers)
        of_member[member].until = targets[member] if kind == RMA else None
    for latest in dict.fromkeys(causes.values()):
        waiting = [of_member[m] for m, cause in causes.items() if cause is latest and of_member[m].wait > 0]
        for point in waiting:
            point.kind, point.cause = kind, of_member[latest]
        if waiting:
            accounting = Accounting(kind, of_member[latest], waiting)
            accounting.members = {m.process for m in members}
            points.accountings.append(accounting)


def prefixes(points):
    """The delayer is the latest sender of ranks 0 to r."""
    def point(member, wait):
        track = points.tracks[member.call.location]
        return points.extension_point(member.call, track.positions['coll_end', member], track.cuts[member.call], wait)
    for class_, _, members, results in synchronised(points, True):
        if class_ == 'prefix':
            pairs = []
            for member, target, _ in results:
                latest = latest_of_prefix(members, member, target)
                pairs.append((point(member, min(target, member.end) - member.begin), point(latest, 0)))
            points.extension_accountings('scan', members, [p for p in pairs if p[0].wait > 0])


def latest_of_prefix(members, member, target):
    return next(m for m in members[:members.index(member) + 1] if m.sent and m.begin == target)


def nonblocking(points):
    """A rank waits in the completing call for the delayer's starting call."""
    longest, times = points.analysis.parts_by_type[NonblockingCollectives].longest, points.timelines
    for class_, comm, members, results in synchronised(points, False):
        pairs = []
        for member, target, _ in results:
            wait, request, _ = longest.get(member.call, (0, None, None))
            if request == member.request and len(comm.groups) > 1:   # as in collectives()
                points.costs.unattributed('nbc', member, wait)
            elif request == member.request:
                latest = (latest_of_prefix(members, member, target) if class_ == 'prefix' else
                          delayer(class_, comm, members, member, target))
                start, position, _ = times.starts[latest.process, latest.request]
                cause = points.extension_point(start, position, points.tracks[start.location].cuts[start], 0)
                position = times.completions[member.process, times.starts[member.process, member.request][2]]
                cut = points.tracks[member.call.location].cuts[member.call]
                pairs.append((points.extension_point(member.call, position, cut, wait), cause))
        points.extension_accountings('nbc', members, pairs)

"""Collective calls of SHMEM ("SHMEM")."""
from collections import defaultdict

from .one_sided import OneSided, Record, Wait
from .part import Part


def metric_of(name):
    """By the name of the call."""
    if 'broadcast' in name:
        return 'shmem_latebroadcast'
    if any(word in name for word in ('collect', 'to_all', 'alltoall')):
        return 'shmem_wait_nxn'
    if any(word in name for word in ('barrier', 'sync')):
        return 'shmem_barrier_wait'
    return None


class ShmemWaits(Part):
    """What causes of waiting need is added to what OneSided has."""
    WAITS = ('shmem_barrier_wait', 'shmem_wait_nxn', 'shmem_latebroadcast')
    IS_EXTENSION = True

    def __init__(self, analysis):
        super().__init__(analysis)
        self.instances, self.n_of = defaultdict(dict), defaultdict(int)              # as the collectives of OneSided

    def on_rma_end(self, at, ref, root):
        if at.call is None or at.in_mpi or at.call.region.paradigm != 'SHMEM':
            return
        one_sided, record = self.analysis.parts_by_type[OneSided], Record(at)
        window = one_sided.window(ref, at.process)
        record.begin, record.root = at.call.enter, root              # B is the enter, X the leave
        k = self.n_of[window, at.process]
        self.n_of[window, at.process] += 1
        self.instances[window, k][at.process] = one_sided.note(record)

    def analyze(self):
        for window, k, members in self.analysis.parts_by_type[OneSided].complete(self.instances):
            metrics = {metric_of(m.call.region.canonical.lower()) for m in members}
            if len(metrics) > 1:
                self.analysis.problems['collective of SHMEM of different calls'] += 1
                continue
            metric = metrics.pop()
            if metric is None:
                continue
            for m in members:
                m.end = m.call.leave
            cause = self.cause(metric, members)
            if cause is None:
                self.analysis.problems['broadcast of SHMEM without a root'] += 1
                continue
            self.analysis.operation = ('shmem', window, k)
            self.book(metric, members, cause)
            self.analysis.operation = None

    def cause(self, metric, members):
        """Who is waited for: the root, or the last one."""
        if metric == 'shmem_latebroadcast':
            return members[members[0].root] if members[0].root < len(members) else None
        return next(m for m in members if m.begin == max(m.begin for m in members))

    def book(self, metric, members, cause):
        """Who has left before the last one came (clamped) has not met it."""
        met, one_sided = {}, self.analysis.parts_by_type[OneSided]
        for m in members:
            value = max(0, min(cause.begin, m.end) - m.begin)
            self.analysis.book(metric, m.call, value)
            if cause.begin > m.end:
                one_sided.waits.append(Wait(m, value, cause.begin, cause))
            elif m is cause or value > 0 or metric != 'shmem_latebroadcast':
                met[m] = cause
        if len(met) > 1:
            one_sided.meetings.append(('one_to_n' if metric == 'shmem_latebroadcast' else 'barrier', members, met, cause.begin))

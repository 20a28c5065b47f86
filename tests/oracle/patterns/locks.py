"""Locks of OpenMP and of POSIX threads ("Lock Contention"). A lock is (paradigm, number), an ownership (paradigm, number, order)."""
from collections import defaultdict

from .part import Part

PTHREAD_LOCKS = {'mutex_lock': 'mutex_lock', 'mutex_trylock': 'mutex_lock', 'cond_wait': 'conditional', 'cond_timedwait': 'conditional'}


def lock_metric(paradigm, region):
    """By the region of the ACQUIRE; None for regions that are no locks and for other paradigms."""
    if paradigm == 'OPENMP' and region.is_omp:
        critical = region.role in ('CRITICAL', 'CRITICAL_SBLOCK')
        return 'omp_lock_contention_critical' if critical else 'omp_lock_contention_api'
    if paradigm == 'PTHREAD' and region.pthread_name in PTHREAD_LOCKS:
        return 'pthread_lock_contention_' + PTHREAD_LOCKS[region.pthread_name]
    return None


class Locks(Part):
    WAITS = ('omp_lock_contention_critical', 'omp_lock_contention_api', 'pthread_lock_contention_mutex_lock',
             'pthread_lock_contention_conditional')
    SUMS = EXTENSION_SUMS = (('omp_lock_competition', 'omp_lock_contention_api omp_lock_contention_critical'),)

    def __init__(self, analysis):
        super().__init__(analysis)
        self.acquires = []                                           # (call, process, ownership, time)
        self.n_held, self.freed = defaultdict(int), {}               # (process, ownership) -> acquires less releases; time

    def on_acquire(self, at, paradigm, lock, order):
        if order and at.call is not None:                            # order 0 is dropped
            self.n_held[at.process, (paradigm, lock, order)] += 1
            self.acquires.append((at.call, at.process, (paradigm, lock, order), at.time))
            self.analysis.note(at.location, at.time, 'acquire', (paradigm, lock, order))

    def on_release(self, at, paradigm, lock, order):
        if order:
            ownership = at.process, (paradigm, lock, order)
            self.analysis.note(at.location, at.time, 'release', ownership[1])
            self.n_held[ownership] -= 1
            if self.n_held[ownership] <= 0:
                self.freed[ownership] = at.time

    def analyze(self):
        for call, process, (paradigm, lock, order), time in self.acquires:
            metric = lock_metric(paradigm, call.region)
            free = self.freed.get((process, (paradigm, lock, order - 1)))
            if metric and free is not None:
                self.analysis.book(metric, call, max(0, min(free, time) - call.enter), time)

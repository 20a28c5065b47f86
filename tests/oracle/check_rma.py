#!/usr/bin/python3
"""The examples of docs/metrics.md for one-sided communication and the waits of SHMEM, and archives that are
wrong, run through the analysis without files. Prints what is not as it should be; exit status: 0 all right, 1 not.
"""
import os
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import archive_reader
from analysis import Analysis
from model import Communicator, Location, Region
from patterns.one_sided import OneSided
from patterns.shmem_waits import ShmemWaits

WAITS = OneSided.WAITS + ShmemWaits.WAITS


class Archive(archive_reader.Archive):
    """Of calls: for each process a list of (name, enter, leave, record...), a record is (time, kind, ...), ascending. Windows: 0 of all
    processes, 1 of the process itself."""

    def __init__(self, processes):
        self.resolution, self.offset, self.team_masters = 1, 0, {}
        self.locations, self.regions = [], {}
        world = list(range(len(processes)))
        self.comms = {0: Communicator(0, [world], False), 1: Communicator(1, [[]], True)}
        self.windows = self.comms
        for process, calls in enumerate(processes):
            location = Location(process, process, 0, True)
            for name, enter, leave, *records in calls:
                location.events.append((enter, 'enter', self.region(name)))
                location.events += records
                location.events += [(leave, 'leave')] if leave is not None else []
            self.locations.append(location)

    def region(self, name):
        if name not in self.regions:
            paradigm = 'MPI' if name.startswith('MPI_') else 'SHMEM' if name.startswith('shmem') else 'USER'
            role = 'RMA' if name in ('MPI_Put', 'MPI_Get') else 'FUNCTION'
            self.regions[name] = Region(name, name, paradigm, role, '')
        return self.regions[name]


INIT, END = ('MPI_Init', 0, 0), 0xffffffff


def values(processes):
    """{(metric, name of the call, process): value}; every process begins with MPI_Init of length 0."""
    analysis = Analysis(Archive([[INIT] + calls for calls in processes]), False, True)
    result = defaultdict(float)
    for metric, path, process, _, value in analysis.rows():
        result[metric, path.split(';')[-1], process] += value
    return result, analysis


def check(title, processes, expected):
    """Of the metrics that occur in expected, and of all waits of windows, there must be exactly these values."""
    got, analysis = values(processes)
    metrics = {key[0] for key in expected} | set(WAITS)
    bad = 0
    for key in sorted({key for key in got if key[0] in metrics} | set(expected)):
        if abs(got.get(key, 0) - expected.get(key, 0)) > 1e-9:
            print('%s: %s at %s, process %d: %g, expected %g' % ((title,) + key + (got.get(key, 0), expected.get(key, 0))))
            bad += 1
    waits = sum(v for k, v in got.items() if k[0] in WAITS and 'progress' not in k[0]
                and k[0] not in ('mpi_rma_early_fence', 'mpi_rma_late_complete', 'mpi_rma_earlytransfer'))
    costs = sum(v for k, v in got.items() if k[0] in ('delay_rma', 'delay_rma_longterm', 'delay_unattributed_rma'))
    if abs(waits - costs) > 1e-9:
        print('%s: waits sum to %g, their costs to %g' % (title, waits, costs))
        bad += 1
    return bad


def fence(enter, begin, end, leave, name='MPI_Win_fence'):
    return name, enter, leave, (begin, 'rma_begin'), (end, 'rma_end', 0, END)


def sync(name, enter, leave, time, group, level=True):
    return 'MPI_Win_' + name, enter, leave, (time, 'rma_group', level, 0, group)


def put(enter, time, leave, target, window=0):
    return 'MPI_Put', enter, leave, (time, 'rma_op', 8, 0, window, target, enter)


def lock(enter, leave, target, exclusive=True, time=None, window=0):
    return ('MPI_Win_lock' + '_all' * (target == END), enter, leave,
            (enter if time is None else time, 'rma_lock', window, target, exclusive))


def unlock(enter, leave, time, target, window=0):
    return 'MPI_Win_unlock' + '_all' * (target == END), enter, leave, (time, 'rma_unlock', window, target)


def collectives():
    bad = check('create', [[fence(5, 5, 30, 30, 'MPI_Win_create')], [fence(20, 20, 31, 31, 'MPI_Win_create')]],
                {('mpi_rma_wait_at_create', 'MPI_Win_create', 0): 15})
    bad += check('early fence', [[fence(10, 10, 60, 60)], [put(12, 13, 22, 0), fence(25, 25, 58, 58)], [fence(40, 40, 61, 61)]],
                 {('mpi_rma_wait_at_fence', 'MPI_Win_fence', 0): 30, ('mpi_rma_wait_at_fence', 'MPI_Win_fence', 1): 15,
                  ('mpi_rma_early_fence', 'MPI_Win_fence', 0): 12, ('bytes_put', 'MPI_Put', 1): 8,
                  **{('mpi_rma_pairsync_count', 'MPI_Win_fence', p): 3 for p in range(3)},
                  **{('mpi_rma_pairsync_unneeded_count', 'MPI_Win_fence', p): n for p, n in enumerate((2, 2, 3))}})
    bad += check('D14', [[fence(10, 10, 50, 50)], [put(12, 13, 35, 0), fence(70, 70, 90, 90)]],
                 {('mpi_rma_wait_at_fence', 'MPI_Win_fence', 0): 25, ('mpi_rma_early_fence', 'MPI_Win_fence', 0): 25,
                  ('delay_rma', 'MPI_Put', 1): 0, ('delay_unattributed_rma', 'MPI_Win_fence', 0): 25})
    bad += check('D14, a put as late', [[('foo', 0, 10), fence(10, 10, 50, 50)], [('bar', 0, 30), put(30, 31, 35, 0), fence(70, 70, 90, 90)]],
                 {('mpi_rma_wait_at_fence', 'MPI_Win_fence', 0): 25, ('mpi_rma_early_fence', 'MPI_Win_fence', 0): 25,
                  ('delay_rma', 'bar', 1): 25})
    bad += check('costs of a fence', [[('foo', 0, 10), fence(10, 10, 32, 32)], [('foo', 0, 30), fence(30, 30, 33, 33)]],
                 {('mpi_rma_wait_at_fence', 'MPI_Win_fence', 0): 20, ('delay_rma', 'foo', 1): 20})
    return bad


def epochs():
    """post at 30, one target"""
    def late_post(title, *calls, **more):
        return check(title, [list(calls), [sync('post', 30, 33, 30, [0])]],
                     {{'comm': ('mpi_rma_comm_late_post', 'MPI_Put', 0), 'start': ('mpi_rma_sync_late_post', 'MPI_Win_start', 0),
                       'complete': ('mpi_rma_sync_late_post', 'MPI_Win_complete', 0),
                       'transfer': ('mpi_rma_earlytransfer', 'MPI_Put', 0)}[key]: value for key, value in more.items()})
    bad = late_post('late post 1', sync('start', 10, 12, 10, [1]), put(13, 14, 15, 1), sync('complete', 20, 50, 45, [1]), complete=10)
    bad += late_post('late post 1, no record', sync('start', 10, 12, 10, [1]), sync('complete', 20, 50, 20, [1]), complete=10)
    bad += late_post('late post 2', sync('start', 10, 35, 10, [1]), put(36, 37, 38, 1), sync('complete', 40, 45, 45, [1]), start=20)
    bad += late_post('late post 3', sync('start', 10, 12, 10, [1]), put(15, 16, 33, 1), sync('complete', 40, 45, 45, [1]), comm=14,
                     transfer=15)
    bad += check('costs of a late post', [[('foo', 0, 10), sync('start', 10, 35, 10, [1]), put(36, 37, 38, 1),
                                           sync('complete', 40, 41, 41, [1])],
                                          [('foo', 0, 30), sync('post', 30, 33, 30, [0]), sync('wait', 41, 42, 41, [0])]],
                 {('mpi_rma_sync_late_post', 'MPI_Win_start', 0): 20, ('delay_rma', 'foo', 1): 20,
                  ('mpi_rma_pairsync_count', 'MPI_Win_complete', 0): 1, ('mpi_rma_pairsync_count', 'MPI_Win_wait', 1): 1})
    # A post for two, 30-36; process 0 is let go on at 32, so 4 of the post are work for it, with the foo behind. At 1 that would be 1.
    bad += check('a post for two', [[sync('start', 10, 32, 10, [2]), sync('complete', 32, 33, 33, [2]), sync('start', 36, 63, 36, [2]),
                                     sync('complete', 63, 64, 64, [2])],
                                    [sync('start', 10, 35, 10, [2]), sync('complete', 35, 36, 36, [2])],
                                    [('foo', 0, 30), sync('post', 30, 36, 30, [0, 1]), sync('wait', 40, 41, 41, [0, 1]), ('foo', 41, 60),
                                     sync('post', 60, 62, 60, [0]), sync('wait', 65, 66, 66, [0])]],
                 {('mpi_rma_sync_late_post', 'MPI_Win_start', 0): 44, ('mpi_rma_sync_late_post', 'MPI_Win_start', 1): 20,
                  ('delay_rma', 'foo', 2): 59, ('delay_rma', 'MPI_Win_post', 2): 4, ('delay_rma', 'MPI_Win_wait', 2): 1})
    target = [sync('post', 0, 1, 0, [0, 1]), sync('wait', 20, 60, 55, [0, 1])]
    bad += check('early wait', [[sync('start', 2, 3, 2, [2]), put(30, 31, 35, 2), sync('complete', 45, 46, 46, [2])],
                                [sync('start', 2, 3, 2, [2]), sync('complete', 50, 52, 50, [2])], target],
                 {('mpi_rma_early_wait', 'MPI_Win_wait', 2): 30, ('mpi_rma_late_complete', 'MPI_Win_wait', 2): 15,
                  ('mpi_rma_pairsync_unneeded_count', 'MPI_Win_wait', 2): 1,
                  ('mpi_rma_pairsync_unneeded_count', 'MPI_Win_complete', 1): 1})
    bad += check('late complete, no operation', [[sync('start', 2, 25, 2, [2]), sync('complete', 45, 46, 46, [2])],
                                                 [sync('start', 2, 25, 2, [2]), sync('complete', 50, 52, 50, [2])], target],
                 {('mpi_rma_early_wait', 'MPI_Win_wait', 2): 30, ('mpi_rma_late_complete', 'MPI_Win_wait', 2): 25})
    bad += check('clamped', [[sync('start', 2, 25, 2, [2]), sync('complete', 45, 46, 46, [2])],
                             [sync('start', 2, 25, 2, [2]), sync('complete', 70, 72, 70, [2])], target],
                 {('mpi_rma_early_wait', 'MPI_Win_wait', 2): 40, ('mpi_rma_late_complete', 'MPI_Win_wait', 2): 35,
                  ('delay_unattributed_rma', 'MPI_Win_wait', 2): 40})
    bad += check('test', [[sync('start', 2, 3, 2, [1]), sync('complete', 45, 46, 46, [1])],
                          [sync('post', 0, 1, 0, [0]), sync('test', 10, 12, 10, [0], False), sync('test', 40, 47, 46, [0])]],
                 {('mpi_rma_pairsync_count', 'MPI_Win_complete', 0): 1, ('mpi_rma_pairsync_count', 'MPI_Win_test', 1): 1})
    return bad


def locks():
    """process 2 is the target, in MPI all the time"""
    target = [('MPI_Barrier', 0, 100)]
    holder = [('foo', 0, 0), lock(0, 1, 2), unlock(38, 41, 40, 2)]
    bad = check('contention at unlock', [holder, [lock(10, 12, 2), put(14, 14, 15, 2), unlock(20, 45, 44, 2)], target],
                {('mpi_rma_sync_lock_competition', 'MPI_Win_unlock', 1): 20})
    bad += check('contention at lock', [holder, [lock(10, 42, 2), unlock(43, 45, 44, 2)], target],
                 {('mpi_rma_sync_lock_competition', 'MPI_Win_lock', 1): 30})
    bad += check('contention at a put', [holder, [lock(10, 12, 2), put(14, 15, 42, 2), unlock(43, 45, 44, 2)], target],
                 {('mpi_rma_comm_lock_competition', 'MPI_Put', 1): 25})
    bad += check('contention, clamped', [holder, [lock(10, 12, 2), put(14, 15, 36, 2), unlock(43, 45, 44, 2)], target],
                 {('mpi_rma_comm_lock_competition', 'MPI_Put', 1): 21, ('delay_unattributed_rma', 'MPI_Put', 1): 21})
    bad += check('both shared', [[lock(0, 1, 2, False), unlock(38, 41, 40, 2)], [lock(10, 42, 2, False), unlock(43, 45, 44, 2)], target], {})
    bad += check('lock_all', [holder, [lock(10, 12, END, False), put(14, 15, 42, 2), unlock(43, 45, 44, END)], target],
                 {('mpi_rma_comm_lock_competition', 'MPI_Put', 1): 25})
    bad += check('costs of a lock', [[('foo', 0, 5), lock(5, 8, 2), ('foo', 8, 40), unlock(40, 43, 42, 2)],
                                     [('foo', 0, 12), lock(12, 42, 2), unlock(43, 45, 44, 2)], target],
                 {('mpi_rma_sync_lock_competition', 'MPI_Win_lock', 1): 30, ('delay_rma', 'foo', 0): 25,
                  ('delay_rma', 'MPI_Win_lock', 0): 3, ('delay_unattributed_rma', 'MPI_Win_lock', 1): 2})
    # Three wait for each other in their unlocks: process 3 for 1 (until 60), that for 0 (until 40). The path is foo at process 0 until 40.
    # Process 1 did nothing more than 3, but waited 36 in the call that releases: 17 of 53 are nobody's, 36 go on to foo.
    chain = [[lock(0, 1, 2), ('foo', 1, 38), unlock(38, 41, 40, 2), ('MPI_Finalize', 90, 100)],
             [lock(2, 3, 2), unlock(4, 61, 60, 2), ('MPI_Finalize', 90, 100)],
             [('MPI_Barrier', 0, 90), ('MPI_Finalize', 90, 100)],
             [lock(5, 6, 2), unlock(7, 75, 74, 2), ('bar', 75, 95), ('MPI_Finalize', 95, 100)]]
    bad += check('a queue', chain,
                 {('mpi_rma_sync_lock_competition', 'MPI_Win_unlock', 1): 36, ('mpi_rma_sync_lock_competition', 'MPI_Win_unlock', 3): 53,
                  ('delay_rma', 'foo', 0): 36, ('delay_rma_longterm', 'foo', 0): 36, ('delay_unattributed_rma', 'MPI_Win_unlock', 3): 17,
                  ('critical_path', 'bar', 3): 20, ('critical_path', 'MPI_Win_unlock', 3): 15, ('critical_path', 'MPI_Win_unlock', 1): 20,
                  ('critical_path', 'MPI_Win_unlock', 0): 2, ('critical_path', 'foo', 0): 37, ('critical_path', 'MPI_Win_lock', 0): 1})
    bad += check('path through a fence', [[('foo', 0, 10), fence(10, 11, 40, 42), ('foo', 42, 60), ('MPI_Finalize', 60, 62)],
                                          [('bar', 0, 25), fence(25, 30, 41, 43), ('MPI_Finalize', 43, 62)]],
                 {('mpi_rma_wait_at_fence', 'MPI_Win_fence', 0): 19, ('critical_path', 'foo', 0): 18, ('critical_path', 'bar', 1): 25,
                  ('critical_path', 'MPI_Win_fence', 0): 12, ('critical_path', 'MPI_Win_fence', 1): 5})
    return bad


def progress():
    late = [('foo', 0, 42), ('MPI_Recv', 42, 44), ('foo', 44, 95), ('MPI_Barrier', 95, 100)]
    shared = [lock(0, 1, 1, False), put(10, 10, 50, 1), unlock(51, 52, 52, 1)]
    bad = check('progress', [shared, late], {('mpi_rma_comm_wait_for_progress', 'MPI_Put', 0): 32})
    bad += check('progress outside of a lock', [[put(10, 10, 50, 1)], late], {})
    bad += check('progress at a flush', [[lock(0, 1, END, False), put(10, 10, 11, 1),
                                          ('MPI_Win_flush', 20, 43, (43, 'rma_complete', 0, 10)), unlock(51, 60, 60, END)], late],
                 {('mpi_rma_sync_wait_for_progress', 'MPI_Win_flush', 0): 22})
    bad += check('progress at a lock', [[lock(10, 45, 1), unlock(50, 96, 96, 1)], late],
                 {('mpi_rma_sync_wait_for_progress', 'MPI_Win_lock', 0): 32, ('mpi_rma_sync_wait_for_progress', 'MPI_Win_unlock', 0): 45})
    bad += check('onto itself', [[lock(10, 45, 0), unlock(50, 96, 96, 0)], late], {})
    return bad


def wrong():
    """Nothing of this may raise or wait."""
    bad = check('ends of nothing', [[sync('complete', 1, 50, 45, [1]), unlock(51, 60, 55, 1), ('MPI_Win_flush', 61, 62, (62, 'rma_complete', 0, 7))],
                                    [sync('wait', 1, 40, 40, [0]), unlock(51, 60, 55, END)]], {})
    bad += check('no ends', [[sync('start', 1, 20, 1, [1]), put(21, 22, 40, 1), lock(40, 50, 1)], [sync('post', 10, 11, 10, [0]), lock(40, 50, 0)]], {})
    bad += check('twice', [[sync('start', 1, 2, 1, [1]), sync('start', 3, 4, 3, [1]), lock(5, 6, 1), lock(7, 8, 1), unlock(9, 10, 10, 1)],
                           [sync('post', 5, 6, 5, [0]), sync('post', 7, 8, 7, [0])]], {})
    bad += check('lonely', [[sync('start', 1, 2, 1, [1]), sync('complete', 3, 4, 4, [1]), fence(10, 10, 50, 50)], []], {})
    bad += check('not in the window', [[put(1, 2, 3, 9), lock(4, 5, 9), unlock(6, 7, 7, 9)], []], {})
    bad += check('own windows', [[fence(1, 1, 9, 9)[:3] + ((1, 'rma_begin'), (9, 'rma_end', 1, END)), put(10, 11, 12, 0, 1),
                                  lock(13, 14, 0, window=1), unlock(15, 16, 16, 0, 1)],
                                 [fence(5, 5, 9, 9)[:3] + ((5, 'rma_begin'), (9, 'rma_end', 1, END))]], {})
    bad += check('no end of a call', [[('MPI_Win_start', 5, None, (5, 'rma_group', True, 0, [1])), ('MPI_Put', 6, None, (7, 'rma_op', 8, 0, 0, 1, 1))],
                                      [sync('post', 10, 11, 10, [0])]], {})
    bad += check('no begin of a fence', [[('MPI_Win_fence', 5, 40, (40, 'rma_end', 0, END))], [fence(20, 20, 30, 30)]],
                 {('mpi_rma_wait_at_fence', 'MPI_Win_fence', 0): 15})
    bad += check('outside', [[('foo', 0, 10, (1, 'rma_begin'), (2, 'rma_end', 0, END), (3, 'rma_op', 8, 0, 0, 1, 1),
                              (4, 'rma_group', True, 0, [1]), (5, 'rma_lock', 0, 1, True), (6, 'rma_unlock', 0, 1))], []],
                 {('bytes_put', 'foo', 0): 0})
    return bad


def shmem():
    def call(name, enter, leave, root=END):
        return name, enter, leave, (enter + 1, 'rma_begin'), (leave - 1, 'rma_end', 0, root)
    bad = check('SHMEM barrier', [[('foo', 0, 5), call('shmem_barrier_all', 5, 30)], [('foo', 0, 25), call('shmem_barrier_all', 25, 31)]],
                {('shmem_barrier_wait', 'shmem_barrier_all', 0): 20, ('delay_rma', 'foo', 1): 20})
    bad += check('SHMEM broadcast', [[('foo', 0, 10), call('shmem_broadcast64', 10, 45, 1)], [('foo', 0, 40), call('shmem_broadcast64', 40, 44, 1)],
                                     [('foo', 0, 50), call('shmem_broadcast64', 50, 52, 1)]],
                 {('shmem_latebroadcast', 'shmem_broadcast64', 0): 30, ('delay_rma', 'foo', 1): 30})
    bad += check('SHMEM reduction', [[call('shmem_int_sum_to_all', 10, 20)], [call('shmem_int_sum_to_all', 40, 44)]],
                 {('shmem_wait_nxn', 'shmem_int_sum_to_all', 0): 10, ('delay_unattributed_rma', 'shmem_int_sum_to_all', 0): 10})
    return bad


if __name__ == '__main__':
    sys.exit(1 if sum(part() for part in (collectives, epochs, locks, progress, wrong, shmem)) else 0)

#!/usr/bin/python3
"""Random programs in which processes queue for locks of a window, in addition to those of tw_random.

usage: random_queues.py SEED DIRECTORY [rma]

In rounds, each process does a few epochs, with work before and in them. A lock is had in the order in which it was asked for,
exclusive or shared; where the origin waits for it is drawn for each epoch: in the lock call, in an operation, or only at the end. So
often one waits in MPI_Win_unlock, and releases, in that call, what the next one waits for in its MPI_Win_unlock. At the end of a round
all meet in a barrier, or a message goes from one to the next. In every third program clocks are so fast that some times between points of
synchronization have more than 32 bits.
"""
import random
import sys

import otf2
from otf2.enums import CollectiveOp, GroupType, LockType, Paradigm, RegionRole, RmaSyncLevel

ALL, NONE = 0xffffffff, 0xffffffff
AT_LOCK, AT_OPERATION, AT_UNLOCK = range(3)
ROLES = {'MPI_Barrier': RegionRole.BARRIER, 'MPI_Send': RegionRole.POINT2POINT, 'MPI_Recv': RegionRole.POINT2POINT,
         'MPI_Put': RegionRole.RMA}


class Process:
    def __init__(self, rank):
        self.rank, self.now, self.calls, self.n_operations = rank, 0, [], 0

    def call(self, name, enter, leave, *records):
        """records: (time, name of the event, arguments...), ascending."""
        self.calls.append((name, enter, leave, records))
        self.now = leave


class Program:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.unit = (1, 1, 1 << 26)[seed % 3]                            # [ticks]
        n = self.draw.randint(2, 6)
        self.processes = [Process(rank) for rank in range(n)]
        self.n_targets = self.draw.choice((1, 1, 1, 2, n)) if n > 1 else 1
        self.released = {}                                           # target -> last release of a shared, of an exclusive epoch
        self.collective('MPI_Init', [self.draw.randint(0, 5) for _ in self.processes], ())
        for p in self.processes:
            self.work(p)
        self.window_collective('MPI_Win_create', 'rma_win_create', CollectiveOp.CREATE_HANDLE)
        for _ in range(self.draw.randint(1, 4)):
            self.round()
        self.window_collective('MPI_Win_free', 'rma_win_destroy', CollectiveOp.DESTROY_HANDLE)
        for p in self.processes:
            self.work(p)
        self.collective('MPI_Finalize', [p.now for p in self.processes], ())

    def below(self, n):
        return self.draw.randrange(n)

    def work(self, p):
        for _ in range(self.below(3)):
            p.call(self.draw.choice(('work', 'solve', 'io')), p.now, p.now + self.draw.choice((1, 3, 10, 40, 100)))
            p.now += self.below(3)

    def collective(self, name, enters, records):
        last = max(enters)
        for p, enter in zip(self.processes, enters):
            leave = last + 2 + self.below(4)
            p.call(name, enter, leave, *((enter if at_begin else leave - self.below(2),) + tuple(rest) for at_begin, *rest in records))

    def window_collective(self, name, event, op):
        enters = [p.now for p in self.processes]
        last = max(enters)
        for p, enter in zip(self.processes, enters):
            leave = last + 4 + self.below(4)
            end = leave - self.below(2)
            p.call(name, enter, leave, (enter, 'rma_collective_begin'), (end, event, 'window'),
                   (end, 'rma_collective_end', op, RmaSyncLevel.PROCESS, 'window', NONE, 0, 0))

    def round(self):
        left = {p: self.below(5) for p in self.processes}
        for p in self.processes:
            self.work(p)
        while any(left.values()):
            p = min((p for p in left if left[p]), key=lambda p: p.now)
            left[p] -= 1
            self.epoch(p)
        if self.below(3):
            self.collective('MPI_Barrier', [p.now for p in self.processes],
                            [(True, 'mpi_collective_begin'), (False, 'mpi_collective_end', CollectiveOp.BARRIER, 'world', NONE, 0, 0)])
        else:
            for sender, receiver in zip(self.processes, self.processes[1:]):
                sender.call('MPI_Send', sender.now, sender.now + 1 + self.below(2), (sender.now, 'mpi_send', receiver.rank, 'world', 7, 8))
                leave = max(receiver.now + 1, sender.now + self.below(3))
                receiver.call('MPI_Recv', receiver.now, leave, (leave, 'mpi_recv', sender.rank, 'world', 7, 8))
                self.work(receiver)

    def epoch(self, p):
        is_all, is_exclusive = self.below(8) == 0, self.below(4) > 0
        is_exclusive = is_exclusive and not is_all
        target = self.below(self.n_targets)
        targets = range(len(self.processes)) if is_all else [target]
        granted = max(max(self.released.get(t, (0, 0))) if is_exclusive else self.released.get(t, (0, 0))[1] for t in targets)
        granted += 2 if granted else 0
        where = self.below(3)
        suffix, remote = ('_all', ALL) if is_all else ('', target)
        lock = (p.now, 'rma_request_lock', 'window', remote, 0, LockType.EXCLUSIVE if is_exclusive else LockType.SHARED)
        p.call('MPI_Win_lock' + suffix, p.now, max(p.now + 1, granted if where == AT_LOCK else 0) + self.below(3), lock)
        for _ in range(self.below(3) + (where == AT_OPERATION)):
            if self.below(2):
                self.work(p)
            enter, p.n_operations = p.now, p.n_operations + 1
            leave = max(enter + 1, granted if where == AT_OPERATION else 0) + self.below(3)
            p.call('MPI_Put', enter, leave, (enter + self.below(2), 'rma_put', 'window', target, 8, p.n_operations))
        if self.below(2):
            self.work(p)
        enter = p.now
        release = max(enter + 1, granted + 1) + self.below(6)
        p.call('MPI_Win_unlock' + suffix, enter, release + self.below(6), (release, 'rma_release_lock', 'window', remote, 0))
        for t in targets:
            shared, exclusive = self.released.get(t, (0, 0))
            self.released[t] = (shared, max(exclusive, release)) if is_exclusive else (max(shared, release), exclusive)
        p.now += self.below(3)
        self.work(p)

    def write(self, directory):
        with otf2.writer.open(directory, timer_resolution=1000000 * self.unit) as archive:
            definitions, locations, regions = archive.definitions, [], {}
            for name in ['main'] + sorted({call[0] for p in self.processes for call in p.calls}):
                regions[name] = definitions.region(name, canonical_name=name, region_role=ROLES.get(name, RegionRole.FUNCTION),
                                                   paradigm=Paradigm.MPI if name.startswith('MPI_') else Paradigm.USER)
            node = definitions.system_tree_node('node', class_name='machine')
            for p in self.processes:
                group = definitions.location_group('Process %d' % p.rank, system_tree_parent=node)
                locations.append(definitions.location('Process %d' % p.rank, group=group))
            definitions.group('', group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=locations)
            world = definitions.group('', group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=locations)
            known = {'world': definitions.comm('MPI_COMM_WORLD', group=world)}
            known['window'] = definitions.rma_win('window', comm=known['world'])
            start = 1000000
            for p, location in zip(self.processes, locations):
                writer = archive.event_writer_from_location(location)
                writer.enter(start, regions['main'])
                for name, enter, leave, records in p.calls:
                    writer.enter(start + enter * self.unit, regions[name])
                    for time, event, *arguments in records:
                        getattr(writer, event)(start + time * self.unit, *(known.get(a, a) if isinstance(a, str) else a for a in arguments))
                    writer.leave(start + leave * self.unit, regions[name])
                writer.leave(start + p.now * self.unit, regions['main'])


def main(arguments):
    if len(arguments) < 2 or not arguments[0].isdigit():
        sys.stderr.write(__doc__)
        return 2
    Program(int(arguments[0])).write(arguments[1])
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

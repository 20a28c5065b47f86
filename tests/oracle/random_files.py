#!/usr/bin/python3
"""Random programs that use files, in addition to those of tw_random.

usage: random_files.py SEED DIRECTORY [rma]

Processes open files together, alone or through another interface; read, write, seek and close them, some of it without blocking; most
collective calls end after the last process has come, some before. In between they work, and meet in barriers.
"""
import random
import sys

import otf2
from otf2.enums import (CollectiveOp, GroupType, IoAccessMode, IoOperationFlag, IoOperationMode, IoParadigmClass, IoParadigmFlag,
                        IoSeekOption, Paradigm, RegionRole)

NONE = 0xffffffff
BLOCKING, NON_BLOCKING, COLLECTIVE = IoOperationFlag.NONE, IoOperationFlag.NON_BLOCKING, IoOperationFlag.COLLECTIVE
ROLES = {'MPI_Barrier': RegionRole.BARRIER, 'MPI_Wait': RegionRole.FUNCTION, 'read': RegionRole.FILE_IO, 'write': RegionRole.FILE_IO,
         'open': RegionRole.FILE_IO_METADATA, 'lseek': RegionRole.FILE_IO_METADATA, 'close': RegionRole.FILE_IO_METADATA}


class Process:
    def __init__(self, rank):
        self.rank, self.now, self.events, self.n_requests, self.open = rank, 0, [], 0, []

    def add(self, time, event, *arguments):
        self.events.append((time, event, arguments))

    def enter(self, name):
        self.add(self.now, 'enter', 'region ' + name)

    def leave(self, name, time):
        self.now = time
        self.add(time, 'leave', 'region ' + name)


class Program:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.processes = [Process(rank) for rank in range(self.draw.randint(1, 5))]
        n = len(self.processes)
        self.comms = {'comm world': list(range(n)), 'comm part': sorted(self.draw.sample(range(n), self.draw.randint(1, n)))}
        self.shared = [(i, self.draw.choice(list(self.comms))) for i in range(self.draw.randint(1, 3))]
        for p in self.processes:
            p.enter('main')
        for _ in range(self.draw.randint(3, 14)):
            self.draw.choice((self.alone, self.alone, self.together, self.together, self.together, self.barrier))()
        for p in self.processes:
            self.work(p)
            p.leave('main', p.now)

    def below(self, n):
        return self.draw.randrange(n)

    def work(self, p):
        for _ in range(self.below(3)):
            p.enter('work')
            if self.below(4) == 0:
                self.posix(p, 'own', 'write', self.below(4) == 0)
            p.leave('work', p.now + self.draw.choice((1, 3, 10, 40, 100)))
            p.now += self.below(3)

    def posix(self, p, handle, name, is_without_region):
        """A read or write through POSIX; is_without_region: its call is not recorded."""
        if not is_without_region:
            p.enter(name)
        mode = IoOperationMode.READ if name == 'read' else IoOperationMode.WRITE
        size = self.draw.choice((0, 1, 512, 100000))
        begin, end = p.now + self.below(2), p.now + 2 + self.below(9)
        p.add(begin, 'io_operation_begin', 'handle %s %d' % (handle, p.rank), mode, BLOCKING, size, 7)
        p.add(end, 'io_operation_complete', 'handle %s %d' % (handle, p.rank), self.draw.choice((size, size // 2)), 7)
        p.now = end
        if not is_without_region:
            p.leave(name, end + self.below(2))

    def alone(self):
        p = self.draw.choice(self.processes)
        self.work(p)
        for name in self.draw.choices(('open', 'lseek', 'read', 'write', 'close'), k=self.below(4)):
            if name in ('read', 'write'):
                self.posix(p, 'own', name, self.below(5) == 0)
                continue
            p.enter(name)
            event = {'open': ('io_create_handle', IoAccessMode.READ_WRITE, 0, 0), 'lseek': ('io_seek', 0, IoSeekOption.FROM_START, 0),
                     'close': ('io_destroy_handle',)}[name]
            p.add(p.now + self.below(3), event[0], 'handle own %d' % p.rank, *event[1:])
            p.leave(name, p.now + 2 + self.below(5))
        number, comm = self.draw.choice(self.shared)
        if self.below(2) and p.rank in self.comms[comm]:
            self.individual(p, 'handle shared %d' % number)

    def individual(self, p, handle):
        mode = self.draw.choice((IoOperationMode.READ, IoOperationMode.WRITE))
        what = 'read' if mode == IoOperationMode.READ else 'write'
        p.n_requests += 1
        size, is_blocking = self.draw.choice((0, 8, 4096)), self.below(3) > 0
        name = 'MPI_File_' + ('' if is_blocking else 'i') + what
        p.enter(name)
        p.add(p.now, 'io_operation_begin', handle, mode, BLOCKING if is_blocking else NON_BLOCKING, size, p.n_requests)
        if is_blocking and self.below(2):
            self.posix(p, 'inner', what, False)
        p.now += 1 + self.below(5)
        if is_blocking:
            p.add(p.now, 'io_operation_complete', handle, size, p.n_requests)
            p.leave(name, p.now)
            return
        p.add(p.now, 'io_operation_issued', handle, p.n_requests)
        p.leave(name, p.now)
        self.work(p)
        p.enter('MPI_Wait')
        end = p.now + self.below(20)
        if self.below(5):
            event = ('io_operation_complete', handle, size, p.n_requests) if self.below(4) else ('io_operation_cancelled', handle, p.n_requests)
            p.add(end, *event)
        p.leave('MPI_Wait', end)

    def together(self):
        number, comm = self.draw.choice(self.shared)
        kind = self.draw.choice(('open', 'close', 'read_all', 'write_all', 'write_all', 'iwrite_all'))
        members = [self.processes[rank] for rank in self.comms[comm]]
        for p in members:
            self.work(p)
        last, waits = max(p.now for p in members), self.below(4) > 0
        for p in members:
            name, handle, enter = 'MPI_File_' + kind, 'handle shared %d' % number, p.now
            p.enter(name)
            end = max(last if waits else 0, enter) + 3 + self.below(6)
            p.n_requests += 1
            if kind == 'open':
                p.add(end - self.below(2), 'io_create_handle', handle, IoAccessMode.READ_WRITE, 0, 0)
            elif kind == 'close':
                p.add(enter + self.below(2), 'io_destroy_handle', handle)
            else:
                mode = IoOperationMode.READ if kind == 'read_all' else IoOperationMode.WRITE
                flags = IoOperationFlag(3) if kind == 'iwrite_all' else COLLECTIVE
                p.add(enter, 'io_operation_begin', handle, mode, flags, 64, p.n_requests)
                if kind != 'iwrite_all':
                    if self.below(3) == 0:
                        self.posix(p, 'inner', 'write', False)
                    end = max(end, p.now)
                    p.add(end, 'io_operation_complete', handle, 64, p.n_requests)
            p.leave(name, end + self.below(2))

    def barrier(self):
        last = max(p.now for p in self.processes)
        for p in self.processes:
            p.enter('MPI_Barrier')
            p.add(p.now, 'mpi_collective_begin')
            end = last + 1 + self.below(4)
            p.add(end, 'mpi_collective_end', CollectiveOp.BARRIER, 'comm world', NONE, 0, 0)
            p.leave('MPI_Barrier', end + self.below(2))
            self.work(p)

    def write(self, directory):
        with otf2.writer.open(directory, timer_resolution=1000000) as archive:
            definitions, locations, known = archive.definitions, [], {}
            for name in sorted({a for p in self.processes for _, event, a in p.events for a in a[:1] if event == 'enter'}):
                name = name.split()[1]
                paradigm = Paradigm.MPI if name.startswith('MPI_') else Paradigm.NONE if name in ROLES else Paradigm.USER
                known['region ' + name] = definitions.region(name, canonical_name=name, paradigm=paradigm,
                                                             region_role=ROLES.get(name, RegionRole.FUNCTION))
            node = definitions.system_tree_node('node', class_name='machine')
            for p in self.processes:
                group = definitions.location_group('Process %d' % p.rank, system_tree_parent=node)
                locations.append(definitions.location('Process %d' % p.rank, group=group))
            definitions.group('', group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=locations)
            for name, ranks in self.comms.items():
                group = definitions.group('', group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=[locations[r] for r in ranks])
                known[name] = definitions.comm(name, group=group)
            interfaces = [definitions.io_paradigm(identification=name, name=name, io_paradigm_class=class_,
                                                  io_paradigm_flags=IoParadigmFlag.NONE)
                          for name, class_ in (('MPI-IO', IoParadigmClass.PARALLEL), ('POSIX I/O', IoParadigmClass.SERIAL))]
            files = [definitions.io_regular_file('out-%d.dat' % i, scope=node) for i in range(3)]
            for number, comm in self.shared:
                known['handle shared %d' % number] = definitions.io_handle(file=files[number], io_paradigm=interfaces[0], comm=known[comm])
            for p in self.processes:
                known['handle inner %d' % p.rank] = definitions.io_handle(file=files[0], io_paradigm=interfaces[1],
                                                                          parent=known['handle shared 0'])
                known['handle own %d' % p.rank] = definitions.io_handle(file=files[p.rank % 3], io_paradigm=interfaces[1])
            start = 1000000
            for p, location in zip(self.processes, locations):
                writer = archive.event_writer_from_location(location)
                for time, event, arguments in sorted(p.events, key=lambda row: row[0]):
                    getattr(writer, event)(start + time, *(known[a] if isinstance(a, str) else a for a in arguments))


def main(arguments):
    if len(arguments) < 2 or not arguments[0].isdigit():
        sys.stderr.write(__doc__)
        return 2
    Program(int(arguments[0])).write(arguments[1])
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

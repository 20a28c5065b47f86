"""Operations on files, and waiting in collective ones ("Files", "Wait at Collective I/O"), not with --compat=scout26.

What the program asked for is an operation on a handle without a parent; others are inner ones."""
from collections import defaultdict

from .collectives import Member, all_overlap
from .part import Part

FILE_ROLES = ('FILE_IO', 'FILE_IO_METADATA')


class Files(Part):
    """table: (file, interface, is inner) -> [processes, reads, writes, others, bytes read, bytes written, time]."""
    WAITS = ('mpi_file_wait', 'mpi_io_wait')
    TIMES = ('io_time_mpi', 'io_time_other', 'io_time_metadata')
    COUNTS = ('io_reads', 'io_writes', 'io_others', 'io_bytes_read', 'io_bytes_written', 'io_inner_operations', 'io_inner_bytes_read',
              'io_inner_bytes_written')
    SUMS = (('io_time', 'io_time_mpi io_time_other'), ('io_operations', 'io_reads io_writes io_others'),
            ('io_bytes', 'io_bytes_read io_bytes_written'), ('io_inner_bytes', 'io_inner_bytes_read io_inner_bytes_written'))
    IS_EXTENSION = True

    def __init__(self, analysis):
        super().__init__(analysis)
        self.open = {}                                               # (location, handle, number) -> (call, mode, begin), the last first
        self.collectives = defaultdict(dict)                         # (file, communicator, k) -> process -> Member
        self.n_of = defaultdict(int)                                 # (process, file, communicator) -> collective calls so far
        self.calls = {}                                              # call made for files -> the file of its first record
        self.left = defaultdict(list)                                # location -> calls made for files
        self.table = defaultdict(lambda: [set(), 0, 0, 0, 0, 0, 0])
        self.synchronised, self.is_used = [], False

    # ---- while a process is replayed

    def counts_at(self, at):
        """In a part of the run what begins there counts."""
        periods = self.analysis.periods
        return periods is None or any(start <= at.time <= last for start, _, last in periods[at.process])

    def use(self, at, handle, metric, inner, row, n):
        """Counts at the innermost call."""
        self.is_used = True
        self.analysis.values[inner if handle.is_inner else metric][at.call.path, at.location] += n
        entry = self.table[handle.file, handle.interface, handle.is_inner]
        entry[0].add(at.process)
        entry[row] += n

    def note_call(self, at, handle):
        is_made_for_files = at.call.region.role in FILE_ROLES or at.in_mpi
        if is_made_for_files:
            self.calls.setdefault(at.call, (handle, self.counts_at(at)))
        return is_made_for_files

    def on_file_other(self, at, handle, opens):
        if at.call is None:
            return
        self.note_call(at, handle)
        if self.counts_at(at):
            self.use(at, handle, 'io_others', 'io_inner_operations', 3, 1)
        if opens:
            self.collective(at, handle, 'mpi_file_wait')

    def on_file_begin(self, at, handle, mode, is_blocking, is_collective, number):
        if at.call is None:
            return
        is_made_for_files, counts = self.note_call(at, handle), self.counts_at(at)
        metric, row = {'READ': ('io_reads', 1), 'WRITE': ('io_writes', 2)}.get(mode, ('io_others', 3))
        if counts:
            self.use(at, handle, metric, 'io_inner_operations', row, 1)
        operations = self.open.setdefault((at.location, handle.ref, number), [])
        operations.append([at, mode, counts, None if is_made_for_files else at.time])
        if is_collective and is_blocking:
            self.collective(at, handle, 'mpi_io_wait')

    def end_time(self, at, handle, operation):
        begun, _, counts, begin = operation
        if begin is not None and counts:
            self.table[handle.file, handle.interface, handle.is_inner][6] += at.time - begin
        operation[3] = None

    def on_file_issued(self, at, handle, number):
        if self.open.get((at.location, handle.ref, number)):
            self.end_time(at, handle, self.open[at.location, handle.ref, number][-1])

    def on_file_complete(self, at, handle, number, n_bytes):
        if not self.open.get((at.location, handle.ref, number)):
            return
        operation = self.open[at.location, handle.ref, number].pop()
        self.end_time(at, handle, operation)
        if operation[2] and operation[1] in ('READ', 'WRITE'):
            what, row = ('read', 4) if operation[1] == 'READ' else ('written', 5)
            self.use(operation[0], handle, 'io_bytes_' + what, 'io_inner_bytes_' + what, row, n_bytes)

    def collective(self, at, handle, metric):
        if handle.comm is None or not at.in_mpi:
            return
        key = at.process, handle.file, handle.interface, handle.is_inner, handle.comm
        member = Member(at.process, at.call, at.call.enter, None, at.call.enter, metric, 0, 0, 0)
        self.collectives[key[1:] + (self.n_of[key],)][at.process] = member
        self.n_of[key] += 1
        self.analysis.note(at.location, at.time, 'coll_end', member)

    def call_left(self, process, call, is_outermost):
        if call in self.calls:
            self.left[call.location].append(call)
            handle, counts = self.calls.pop(call)
            if counts and self.analysis.is_held(process, call.enter, call.leave):
                self.table[handle.file, handle.interface, handle.is_inner][6] += call.leave - call.enter

    # ---- when all processes are done

    def analyze(self):
        for key, by_process in self.collectives.items():
            comm = self.archive.comms[key[3]]
            if len(comm.groups) > 1 or comm.self_only or len(comm.members(None)) == 1:
                continue
            if any(process not in by_process for process in comm.members(None)):
                self.analysis.problems['incomplete collective'] += 1
                continue
            members = [by_process[process] for process in comm.members(None)]
            for member in members:
                member.end = member.call.leave - self.inner_time(member.call)
            if len({member.op for member in members}) == 1 and all_overlap(members):
                latest = max(member.begin for member in members)
                self.synchronised.append(('file', comm, members, [(member, latest, None) for member in members]))
                self.analysis.operation = ('file',) + key
                for member in members:
                    self.analysis.book(member.op, member.call, latest - member.begin)
                self.analysis.operation = None

    def inner_time(self, call):
        """What calls made for files take inside of a call."""
        total, until = 0, call.enter
        for inner in sorted(self.left[call.location], key=lambda inner: inner.enter):
            if inner is not call and call.enter <= inner.enter and inner.leave <= call.leave:
                total += max(0, inner.leave - max(until, inner.enter))
                until = max(until, inner.leave)
        return total

    def finish(self):
        values = self.analysis.values
        for (path, location), value in values['time'].items() if self.is_used else ():
            region = path.region
            if region.paradigm == 'MPI' and region.name.startswith('MPI_File_'):
                values['io_time_mpi'][path, location] += value
            elif region.paradigm != 'MPI' and region.role in FILE_ROLES:
                values['io_time_other'][path, location] += value
                if region.role == 'FILE_IO_METADATA':
                    values['io_time_metadata'][path, location] += value

    def rows(self):
        """The lines of heddle.files.tsv, in any order: file, interface, inner, processes, reads, writes, others, bytes, bytes, time."""
        return [[file, interface, int(is_inner), len(entry[0])] + entry[1:]
                for (file, interface, is_inner), entry in self.table.items()]

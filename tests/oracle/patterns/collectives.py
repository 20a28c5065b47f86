"""Collective operations of MPI: which members are one operation, and who waits for whom in it ("Collectives", "Inter-communicators",
"Counts", "Bytes")."""
from collections import defaultdict

from .messages import TEST
from .part import Part

HANDLE_OPERATIONS = {'CREATE_HANDLE', 'DESTROY_HANDLE', 'ALLOCATE', 'DEALLOCATE', 'CREATE_HANDLE_AND_ALLOCATE',
                     'DESTROY_HANDLE_AND_DEALLOCATE'}                # neither wait nor count (D5)
OPERATION_CLASSES = {op: class_ for class_, ops in {
    'barrier': 'BARRIER', 'one_to_n': 'BCAST SCATTER SCATTERV', 'n_to_one': 'GATHER GATHERV REDUCE',
    'nxn': 'ALLGATHER ALLGATHERV ALLTOALL ALLREDUCE REDUCE_SCATTER REDUCE_SCATTER_BLOCK', 'prefix': 'SCAN EXSCAN',
    'alltoallv': 'ALLTOALLV ALLTOALLW'}.items() for op in ops.split()}
SELF = 0xfffffffe                                                    # root of an inter-communicator: the process itself


class Member:
    """What one rank contributes to a collective: begin (B), end (X), the time from which it waits, root field, bytes."""

    def __init__(self, process, call, begin, end, wait_from, op, root, sent, received, request=None):
        self.process, self.call, self.begin, self.end, self.wait_from = process, call, begin, end, wait_from
        self.op, self.root, self.sent, self.received = op, root, sent, received
        self.request = request                                       # position among the requests, if non-blocking


def remote(comm, members, member):
    """The ranks a rank waits for: all of an intra-communicator, the remote group of an inter-communicator."""
    if len(comm.groups) == 1:
        return members
    group = comm.group_of(member.process)
    return [m for m in members if comm.group_of(m.process) != group]


def root_of(comm, members):
    """The root's member; in an inter-communicator it is marked SELF."""
    if len(comm.groups) == 1:
        return members[members[0].root] if members[0].root < len(members) else None
    return next((member for member in members if member.root == SELF), None)


def all_overlap(members):
    return min(m.end for m in members) > max(m.begin for m in members)


# The rules, one for each class of operations: (member, the B waited for, earliest X of the synchronising ranks or None: no completion)

def barrier(comm, members):
    """The rule of Wait at Barrier; inter-communicator: the earliest X is that of all ranks of both groups."""
    earliest = min(m.end for m in members)
    return [(m, max(o.begin for o in remote(comm, members, m)), earliest) for m in members]


def nxn(comm, members):
    """The rule of Wait at N x N. A rank that sends and receives nothing: with full overlap it is treated as in a barrier (it synchronises in
    fact), with partial overlap it is neither sender nor receiver; all ranks zero: skipped. Inter-communicator: overlap
    over all ranks, senders those of the remote group, both groups' latest senders synchronise."""
    if not any(m.sent or m.received for m in members):
        return []
    if all_overlap(members):
        return barrier(comm, members)
    synchronising = []
    for member in members:
        senders = [m for m in remote(comm, members, member) if m.sent]
        if not senders:
            continue
        target = max(m.begin for m in senders)
        latest = next(m for m in senders if m.begin == target)
        if member.received and member.begin < target:
            synchronising.append((member, target))
        if all(m is not latest for m, _ in synchronising):
            synchronising.append((latest, latest.begin))
    unique = {}
    for member, target in synchronising:                             # a latest sender may also wait (inter-communicator)
        unique[member] = max(target, unique.get(member, target))
    if not unique:
        return []
    earliest = min(m.end for m in unique)
    return [(m, target, earliest) for m, target in unique.items()]


def one_to_n(comm, members):
    """The rule of Late Broadcast."""
    root = root_of(comm, members)
    if root is None or root.sent == 0:
        return []
    return [(m, root.begin, None) for m in remote(comm, members, root)
            if m is not root and m.received and m.begin < root.begin]


def n_to_one(comm, members):
    """The rule of Early Reduce."""
    root = root_of(comm, members)
    if root is None or root.received == 0:
        return []
    senders = [m for m in remote(comm, members, root) if m.sent]
    if not senders:
        return []
    target = max(m.begin for m in senders)
    return [(root, target, None)] if root.begin < target else []


def prefix(comm, members):
    """The rule of Early Scan; zero payload is decided for each rank, which is the same as for all: all ranks give the same count."""
    result, target = [], None
    for member in members:
        if member.sent:
            target = member.begin if target is None else max(target, member.begin)
        if target is not None and (member.sent or member.received) and member.begin < target:
            result.append((member, target, None))
    return result


RULES = {'barrier': barrier, 'nxn': nxn, 'one_to_n': one_to_n, 'n_to_one': n_to_one, 'prefix': prefix}


class Collectives(Part):
    """The blocking ones, and for others what is common. synchronised: (class, communicator, members, results of the rule) of all."""
    WAITS = ('mpi_barrier_wait', 'mpi_barrier_completion', 'mpi_earlyreduce', 'mpi_earlyscan', 'mpi_latebroadcast', 'mpi_wait_nxn',
             'mpi_nxn_completion')
    COUNTS = ('syncs_coll', 'comms_cxch', 'comms_csrc', 'comms_cdst', 'bytes_cout', 'bytes_cin')
    SUMS = (('comms_coll', 'comms_cxch comms_csrc comms_cdst'), ('bytes_coll', 'bytes_cout bytes_cin'))
    NAMES = {'barrier': ('mpi_barrier_wait', 'mpi_barrier_completion'), 'nxn': ('mpi_wait_nxn', 'mpi_nxn_completion'),
             'one_to_n': ('mpi_latebroadcast', None), 'n_to_one': ('mpi_earlyreduce', None), 'prefix': ('mpi_earlyscan', None)}

    def __init__(self, analysis):
        super().__init__(analysis)
        self.instances = defaultdict(dict)                           # (comm, self process, k) -> process -> Member
        self.begins, self.n_of = {}, defaultdict(int)                # last begin of a location; (process, comm) -> collectives
        self.synchronised = []

    def on_coll_begin(self, at):
        self.begins[at.location] = at.time

    def on_coll_end(self, at, op, comm, root, sent, received):
        if not at.in_mpi or op in HANDLE_OPERATIONS:
            return
        begin = self.begins.get(at.location, at.call.enter)
        member = Member(at.process, at.call, begin, at.time, begin, op, root, sent, received)
        self.add(self.instances, self.n_of, comm, member)
        self.analysis.note(at.location, at.time, 'coll_end', member)
        self.count(member)

    def add(self, instances, n_of, comm, member):
        """The k-th operation of a process on a communicator; those on MPI_COMM_SELF are each process's own."""
        owner = member.process if self.archive.comms[comm].self_only else None
        k = n_of[member.process, comm]
        n_of[member.process, comm] += 1
        instances[comm, owner, k][member.process] = member

    def count(self, member):
        """Communicators of size 1 and Alltoallv/w included."""
        metric = {(False, False): 'syncs_coll', (True, True): 'comms_cxch', (True, False): 'comms_csrc',
                  (False, True): 'comms_cdst'}[member.sent > 0, member.received > 0]
        self.analysis.book(metric, member.call, 1)
        self.analysis.book('bytes_cout', member.call, member.sent)
        self.analysis.book('bytes_cin', member.call, member.received)

    def analyze(self):
        self.apply_rules(self.instances, lambda class_, member, target, first: self.book(*self.NAMES[class_], member, target, first))

    def apply_rules(self, instances, book):
        """Orders the members by rank, leaves out what is not analysed, books the results."""
        for (comm_ref, owner, k), by_process in instances.items():
            comm = self.archive.comms[comm_ref]
            processes = comm.members(owner)
            if len(processes) == 1:
                continue
            if any(p not in by_process for p in processes):
                self.analysis.problems['incomplete collective'] += 1
                continue
            members = [by_process[p] for p in processes]
            class_ = self.class_of(members)
            if class_ is None:
                continue
            results = RULES[class_](comm, members)
            self.synchronised.append((class_, comm, members, results))
            self.analysis.operation = (id(instances), comm_ref, owner, k)
            for member, target, first in results:
                if member.call.region.mpi_name not in TEST:          # one that a test call completes gets nothing
                    book(class_, member, target, first)
            self.analysis.operation = None

    def class_of(self, members):
        """Class of rules; None: no member waits. MPI_Alltoallv and MPI_Alltoallw count if all take part and overlap (D20)."""
        class_ = OPERATION_CLASSES.get(members[0].op)
        if any(OPERATION_CLASSES.get(m.op) != class_ for m in members):
            self.analysis.problems['collective of different classes'] += 1
            return None
        if class_ != 'alltoallv':
            return class_
        return 'nxn' if not self.compat and all(m.sent and m.received for m in members) and all_overlap(members) else None

    def book(self, wait, completion, member, target, first):
        """target: the B waited for; first: earliest X of the synchronising ranks."""
        clamped = min(target, member.end)
        self.analysis.book(wait, member.call, max(0, clamped - member.wait_from))
        if completion:
            # Not from before the own B, which is later than both only between groups with wrong clocks.
            self.analysis.book(completion, member.call, max(0, member.end - max(first, clamped, member.begin)))

#!/usr/bin/python3
"""Slow, sequential analysis of an OTF2 archive (MPI, OpenMP, POSIX threads), written from the metric catalogue alone.

usage: oracle.py [--compat=scout26] [--metrics] [--causes] ARCHIVE.otf2

Prints TSV: metric, call path (region display names joined by ';'), process rank, thread rank, value (17 digits);
exclusive along the call tree, zeros left out. --metrics only prints the names of the metrics computed here; --causes adds those
of causes.py to either.
Section numbers are those of the metric catalogue (PATTERNS). Times are integer ticks until they are printed.
"""
import bisect
import heapq
import os
import re
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import causes
import rma
import samples

# ---------------------------------------------------------------------------------------------------------------------
# Metrics (chapter 4): kind of unit, and the sums

TIME_CLASSES = (                                                     # kind P, times
    'execution', 'overhead', 'mpi', 'mpi_init_exit', 'mpi_mgmt_comm', 'mpi_mgmt_file', 'mpi_mgmt_win',
    'mpi_sync_collective', 'mpi_rma_sync_active', 'mpi_rma_sync_passive', 'mpi_point2point', 'mpi_collective',
    'mpi_rma_communication', 'mpi_io_individual', 'mpi_io_collective', 'omp_ebarrier', 'omp_ibarrier', 'omp_critical',
    'omp_lock_api', 'omp_ordered', 'omp_taskwait', 'omp_flush', 'pthread_management', 'pthread_lock_api',
    'pthread_conditional', 'openacc_time', 'openacc_setup', 'openacc_comm', 'openacc_sync', 'openacc_kernel_launches',
    'opencl_time', 'opencl_kernel_executions', 'cuda_time', 'cuda_kernel_executions')
VISIT_CLASSES = (                                                    # kind P, counts
    'syncs_rma_active', 'syncs_rma_passive', 'comms_rma_puts', 'comms_rma_gets', 'comms_rma_atomics', 'mpi_file_iops',
    'mpi_file_irops', 'mpi_file_iwops', 'mpi_file_cops', 'mpi_file_crops', 'mpi_file_cwops')
TIME_MEASURED = (                                                    # kind R, times
    'time', 'mpi_init_completion', 'mpi_finalize_wait', 'mpi_barrier_wait', 'mpi_barrier_completion', 'mpi_latesender',
    'mpi_latesender_wo', 'mpi_lswo_different', 'mpi_lswo_same', 'mpi_latereceiver', 'mpi_earlyreduce', 'mpi_earlyscan',
    'mpi_latebroadcast', 'mpi_wait_nxn', 'mpi_nxn_completion', 'omp_management', 'omp_fork', 'omp_idle_threads',
    'omp_limited_parallelism', 'omp_ebarrier_wait', 'omp_ibarrier_wait', 'omp_lock_contention_critical',
    'omp_lock_contention_api', 'pthread_lock_contention_mutex_lock', 'pthread_lock_contention_conditional')
COUNT_MEASURED = (                                                   # kind R, counts and bytes
    'visits', 'syncs_send', 'mpi_slr_count', 'syncs_recv', 'mpi_sls_count', 'mpi_slswo_count', 'syncs_coll',
    'comms_send', 'mpi_clr_count', 'comms_recv', 'mpi_cls_count', 'mpi_clswo_count', 'comms_cxch', 'comms_csrc',
    'comms_cdst', 'bytes_sent', 'bytes_rcvd', 'bytes_cout', 'bytes_cin')
NONBLOCKING = (                                                      # D11, not under --compat; so are those that follow
    'mpi_nbc_barrier_wait', 'mpi_nbc_wait_nxn', 'mpi_nbc_latebroadcast', 'mpi_nbc_earlyreduce', 'mpi_nbc_earlyscan')
SHMEM_CLASSES = (                                                    # kind P, times
    'shmem', 'shmem_init_exit', 'shmem_memory_management', 'shmem_sync_collective', 'shmem_point2point_synchronization',
    'shmem_lock_completion', 'shmem_wait_until', 'shmem_collective', 'shmem_rma_communication')
TIME_EXTENSION = NONBLOCKING + ('omp_taskwait_wait', 'omp_task_time', 'omp_task_switch_time', 'omp_task_create_time') + SHMEM_CLASSES
TASK_SIZES = (('omp_task_count_1us', 1), ('omp_task_count_10us', 10), ('omp_task_count_100us', 100),    # below [us]
              ('omp_task_count_1ms', 1000), ('omp_task_count_10ms', 10000), ('omp_task_count_long', None))
COUNT_EXTENSION = ('omp_task_count',) + tuple(name for name, _ in TASK_SIZES)
TIME_EXTENSION += rma.TIMES
COUNT_EXTENSION += rma.COUNTS
SUM_EXTENSION = ('mpi_nbc_wait', 'omp_lock_competition')
# Kind S, children before parents. A name with '-' is subtracted.
SUMS = (
    ('mpi_management', 'mpi_init_exit mpi_mgmt_comm mpi_mgmt_file mpi_mgmt_win'),
    ('mpi_rma_synchronization', 'mpi_rma_sync_active mpi_rma_sync_passive'),
    ('mpi_synchronization', 'mpi_sync_collective mpi_rma_synchronization'),
    ('mpi_communication', 'mpi_point2point mpi_collective mpi_rma_communication'),
    ('mpi_io', 'mpi_io_individual mpi_io_collective'),
    ('omp_barrier', 'omp_ebarrier omp_ibarrier'),
    ('omp_synchronization', 'omp_barrier omp_critical omp_lock_api omp_ordered omp_taskwait'),
    ('omp_time', 'omp_management omp_synchronization omp_flush'),
    ('pthread_synchronization', 'pthread_lock_api pthread_conditional'),
    ('pthread_time', 'pthread_management pthread_synchronization'),
    ('comp', 'execution -mpi -omp_time -pthread_time -openacc_time -opencl_time -cuda_time -shmem'),
    ('shmem_synchronization', 'shmem_sync_collective shmem_point2point_synchronization'),
    ('shmem_communication', 'shmem_collective shmem_rma_communication'),
    ('syncs_p2p', 'syncs_send syncs_recv'),
    ('syncs_rma', 'syncs_rma_active syncs_rma_passive'),
    ('syncs', 'syncs_p2p syncs_coll syncs_rma'),
    ('comms_p2p', 'comms_send comms_recv'),
    ('comms_coll', 'comms_cxch comms_csrc comms_cdst'),
    ('comms_rma', 'comms_rma_puts comms_rma_gets comms_rma_atomics'),
    ('comms', 'comms_p2p comms_coll comms_rma'),
    ('mpi_file_ops', 'mpi_file_iops mpi_file_cops'),
    ('bytes_p2p', 'bytes_sent bytes_rcvd'),
    ('bytes_coll', 'bytes_cout bytes_cin'),
    ('bytes_rma', 'bytes_put bytes_get'),
    ('bytes', 'bytes_p2p bytes_coll bytes_rma'),
    ('mpi_nbc_wait', ' '.join(NONBLOCKING)),
    ('omp_lock_competition', 'omp_lock_contention_api omp_lock_contention_critical'),
)
BYTES_RMA = ('bytes_put', 'bytes_get')                               # D6, not under --compat
TIME_SUMS = {s for s, _ in SUMS if not s.startswith(('syncs', 'comms', 'bytes', 'mpi_file'))}
TIMES = set(TIME_CLASSES) | set(TIME_MEASURED) | set(TIME_EXTENSION) | TIME_SUMS
METRICS = (TIME_MEASURED + TIME_CLASSES + TIME_EXTENSION + COUNT_MEASURED + COUNT_EXTENSION + VISIT_CLASSES + BYTES_RMA
           + tuple(s for s, _ in SUMS))


# ---------------------------------------------------------------------------------------------------------------------
# Objects

class Region:
    """One region definition; mpi_name is the lower-case name without 'MPI_' if the region is of class MPI (24.1)."""

    def __init__(self, name, canonical, paradigm, role, source):
        self.name, self.canonical, self.paradigm, self.role, self.source = name, canonical, paradigm, role, source
        internal = paradigm == 'MEASUREMENT_SYSTEM'
        name_lower = canonical.lower()
        call = name_lower[name_lower.startswith('pmpi_'):]           # PMPI_: the profiling interface's name of the same call
        is_mpi = source == 'MPI' or paradigm == 'MPI' and call.startswith('mpi_')            # not all writers give the file
        self.mpi_name = call.removeprefix('mpi_') if is_mpi and not internal else None
        omp_name = name_lower.split(' @')[0]
        self.is_omp = not internal and not is_mpi and (name_lower.startswith('!$omp') or source == 'OMP')
        self.is_omp_parallel = omp_name == '!$omp parallel' and not internal
        self.barrier_wait = BARRIER_WAITS.get(omp_name) if self.is_omp else None               # 9.1
        pthread = source == 'PTHREAD' and not internal and not is_mpi and not self.is_omp
        self.pthread_name = name_lower[len('pthread_'):] if pthread else None
        self.opens_parallel_compat = source == 'OMP' or name.startswith('!$omp parallel @')    # 9.8
        self.opens_parallel = self.opens_parallel_compat or paradigm == 'OPENMP'


class Path:
    """A call path: parent and region."""

    def __init__(self, parent, region):
        self.parent, self.region, self.children = parent, region, {}
        self.depth = 0 if parent is None else parent.depth + 1

    def child(self, region):
        if region not in self.children:
            self.children[region] = Path(self, region)
        return self.children[region]

    def name(self):
        names, path = [], self
        while path.region is not None:
            names.append(path.region.name)
            path = path.parent
        return ';'.join(reversed(names))


class Call:
    """One region instance on a location."""
    __slots__ = ('location', 'path', 'region', 'enter', 'leave', 'late_sender', 'away', 'tasks', 'inside', 'is_cut',
                 'task')

    def __init__(self, location, path, enter):
        self.location, self.path, self.region, self.enter, self.leave = location, path, path.region, enter, None
        self.late_sender = False                                     # a positive Late Sender wait was booked here
        self.away = 0                                                # of an implicit task: spent in others, while it was open
        self.tasks = 0                                               # execution time of tasks completed inside (9.3)
        self.inside = defaultdict(int)                               # of an explicit task: location -> time in it
        self.is_cut = False                                          # never left


class Task:
    """An implicit task of a location, or an explicit one, on however many locations it runs (docs/metrics.md#moved-tasks; with
    compat one per location): its stack, and the call path below which that starts. Explicit ones: the region entered first, the
    call path at which the implicit task stood when it first came to a location, and their turns; time is charged up to `charged`."""

    def __init__(self, base):
        self.stack, self.base, self.left = [], base, None
        self.region, self.below, self.turns, self.charged = None, {}, [], 0


class Turn:
    """What a location does of an explicit task from a switch to it until it leaves off, in and outside of the task's regions."""

    def __init__(self, location, begin):
        self.begin, self.location, self.in_regions, self.outside, self.barrier = begin, location, 0, 0, None


class Fork:
    """A ThreadFork: call path at which it stands, whether in a call, time, and the time of its ThreadJoin."""

    def __init__(self, location, path, in_call, time):
        self.location, self.path, self.in_call, self.time, self.joined = location, path, in_call, time, None


class Team:
    """One instance of a thread team (9.3): the number of its fork on the location that is thread 0, and what the members
    do: location -> its barriers."""

    def __init__(self, master, fork_number):
        self.master, self.fork_number, self.fork, self.barriers = master, fork_number, None, defaultdict(list)


class Location:
    def __init__(self, ref, process, thread, is_cpu):
        self.ref, self.process, self.thread, self.is_cpu, self.events = ref, process, thread, is_cpu, []


class Communicator:
    """Members are world ranks; an inter-communicator has two groups. self_only: MPI_COMM_SELF and the like."""

    def __init__(self, ref, groups, self_only):
        self.ref, self.groups, self.self_only = ref, groups, self_only

    def group_of(self, process):
        return 1 if len(self.groups) == 2 and process not in self.groups[0] else 0

    def peer(self, process, rank):
        """World rank of a rank in a message record of the process (7.7: of the remote group)."""
        if self.self_only:
            return process
        group = self.groups[1 - self.group_of(process) if len(self.groups) == 2 else 0]
        return group[rank] if rank < len(group) else None

    def rank(self, process):
        return 0 if self.self_only else self.groups[self.group_of(process)].index(process)

    def members(self, process):
        """World ranks in the order of ties: by rank; group A before group B."""
        return [process] if self.self_only else [p for g in self.groups for p in g]


class Message:
    """A send or a receive. request and completion are calls, time is that of the SEND or RECV record."""
    __slots__ = ('time', 'call', 'key', 'bytes', 'rank', 'sender', 'request', 'completion', 'cancelled', 'match')

    def __init__(self, time, call):
        self.time, self.call, self.request, self.completion = time, call, call, call
        self.cancelled, self.match = False, None


class Member:
    """What one rank contributes to a collective: begin (B), end (X), wait_from (see 7.8), root field, bytes."""

    def __init__(self, process, call, begin, end, wait_from, op, root, sent, received, request=None):
        self.process, self.call, self.begin, self.end, self.wait_from = process, call, begin, end, wait_from
        self.op, self.root, self.sent, self.received = op, root, sent, received
        self.request = request                                       # position among the requests, if non-blocking


# ---------------------------------------------------------------------------------------------------------------------
# Input

class Archive:
    """Definitions and events of an archive, read with the bindings of OTF2, which merge the clock offsets (17.1) and the
    identifier maps of the local definitions into the records."""

    def __init__(self, filename):
        import otf2
        self.remote_groups = repair_communicators(otf2)
        self.locations, self.comms, self.windows = [], {}, {}                        # windows: their communicators
        with otf2.reader.open(filename, batch_events=10000) as trace:
            definitions = trace.definitions
            self.resolution, self.offset = trace.timer_resolution, definitions.clock_properties.global_offset
            self.read_regions(otf2, definitions)
            self.read_locations(otf2, definitions)
            self.read_communicators(otf2, definitions)
            self.read_events(otf2, trace)
        for location in self.locations:
            location.events = place_flushes(location.events)

    def to_seconds(self):
        """Times as scout has them, so that what is left of equal ones is what scout has left (13.6: a denominator of 1e-17)."""
        for location in self.locations:
            location.events = [((event[0] - self.offset) / self.resolution,) + tuple(event[1:]) for event in location.events]
        self.resolution = 1.0

    def read_regions(self, otf2, definitions):
        """24.1, with the repairs for old Score-P."""
        self.regions = {}
        roles = {'POINT2POINT': 'bsend_init iprobe irecv probe recv_init rsend_init send_init ssend_init',
                 'RMA': 'put get', 'ATOMIC': 'accumulate', 'ALLOCATE': 'alloc_mem', 'DEALLOCATE': 'free_mem'}
        repaired = {'mpi_' + name: role for role, names in roles.items() for name in names.split()}
        for region in definitions.regions:
            role, paradigm = enum_name(region.region_role), enum_name(region.paradigm)
            canonical = region.canonical_name or region.name or ''
            if paradigm == 'MPI':
                role = repaired.get(canonical.lower().removeprefix('p'), role) if role == 'FUNCTION' else role
            self.regions[region._ref] = Region(region.name or '', canonical, paradigm, role, region.source_file or '')

    def read_locations(self, otf2, definitions):
        """Processes: the rank in the MPI COMM_LOCATIONS group; location groups that are not in it come after, in the order
        of their definitions. A group of accelerator locations belongs to the process that created it. Threads: first the CPU
        threads of the process, then all others; each in the order of the definitions."""
        groups = []
        for group in definitions.groups:
            if group.group_type == otf2.GroupType.COMM_LOCATIONS and group.paradigm == otf2.Paradigm.MPI:
                groups = [location.group._ref for location in group.members]

        def owner(group):
            creator = getattr(group, 'creating_location_group', None)
            is_process = enum_name(group.location_group_type) == 'PROCESS'
            return group._ref if is_process or creator is None else owner(creator)
        for location in definitions.locations:
            if owner(location.group) not in groups:
                groups.append(owner(location.group))
        threads = defaultdict(int)
        self.by_ref = {}
        kind = {location._ref: 0 if enum_name(location.type) == 'CPU_THREAD' else 1 for location in definitions.locations}
        for location in sorted(definitions.locations, key=lambda l: kind[l._ref]):
            process = groups.index(owner(location.group))
            self.by_ref[location._ref] = Location(location._ref, process, threads[process], kind[location._ref] == 0)
            threads[process] += 1
            self.locations.append(self.by_ref[location._ref])
        self.locations.sort(key=lambda l: (l.process, l.thread))

    def read_communicators(self, otf2, definitions):
        """3.1: ranks in records are ranks within the communicator; 7.7: inter-communicators. team_masters: thread 0 of teams."""
        self.team_masters = {}
        for comm in definitions.comms:
            groups = [comm.group] + ([self.remote_groups[comm._ref]] if comm._ref in self.remote_groups else [])
            self_only = groups[0].group_type == otf2.GroupType.COMM_SELF
            refs = [[member._ref for member in group.members] for group in groups]
            self.comms[comm._ref] = Communicator(comm._ref, [[self.by_ref[r].process for r in g] for g in refs], self_only)
            if refs[0]:
                self.team_masters[comm._ref] = refs[0][0]
        for window in definitions.rma_wins:
            self.windows[window._ref] = self.comms[window.comm._ref]

    def read_events(self, otf2, trace):
        """3.1: events become tuples (time, kind, ...)."""
        e = otf2.events
        op_name = enum_name
        stacks  = {}
        # 3.1; generation 0 is the implicit task
        task_id = lambda v: ((v.thread_team._ref, v.creating_thread, v.generation_number) if v.generation_number else None)
        create = {
            e.Enter: lambda v: ('enter', self.regions[v.region._ref]),
            e.Leave: lambda v: ('leave',),
            e.ProgramBegin: lambda v: ('program', v.program_name, list(v.program_arguments)),
            e.ProgramEnd: lambda v: ('leave',),
            e.BufferFlush: lambda v: ('flush', v.stop_time),
            e.MeasurementOnOff: lambda v: ('on' if op_name(v.measurement_mode) == 'ON' else 'off',),
            e.MpiSend: lambda v: ('send', v.communicator._ref, v.receiver, v.msg_tag, v.msg_length, None),
            e.MpiIsend: lambda v: ('send', v.communicator._ref, v.receiver, v.msg_tag, v.msg_length, v.request_id),
            e.MpiIsendComplete: lambda v: ('send_complete', v.request_id),
            e.MpiIrecvRequest: lambda v: ('recv_request', v.request_id),
            e.MpiRecv: lambda v: ('recv', v.communicator._ref, v.sender, v.msg_tag, None),
            e.MpiIrecv: lambda v: ('recv', v.communicator._ref, v.sender, v.msg_tag, v.request_id),
            e.MpiRequestCancelled: lambda v: ('cancelled', v.request_id),
            e.MpiCollectiveBegin: lambda v: ('coll_begin',),
            e.MpiCollectiveEnd: lambda v: ('coll_end', op_name(v.collective_op), v.communicator._ref, v.root,
                                           v.size_sent, v.size_received),
            e.NonBlockingCollectiveRequest: lambda v: ('nbc_request', v.request_id),
            e.NonBlockingCollectiveComplete: lambda v: ('nbc_complete', op_name(v.collective_op), v.communicator._ref,
                                                        v.root, v.size_sent, v.size_received, v.request_id),
            e.RmaPut: lambda v: ('rma_op', v.bytes, 0, v.win._ref, v.remote, v.matching_id),
            e.RmaGet: lambda v: ('rma_op', 0, v.bytes, v.win._ref, v.remote, v.matching_id),
            e.RmaAtomic: lambda v: ('rma_op', v.bytes_sent, v.bytes_received, v.win._ref, v.remote, v.matching_id),
            e.RmaCollectiveBegin: lambda v: ('rma_begin',),
            e.RmaCollectiveEnd: lambda v: ('rma_end', v.win._ref, v.root),
            e.RmaGroupSync: lambda v: ('rma_group', v.sync_level.value != 0, v.win._ref, self.group_members(otf2, v.group)),
            e.RmaRequestLock: lambda v: ('rma_lock', v.win._ref, v.remote, op_name(v.lock_type) == 'EXCLUSIVE'),
            e.RmaReleaseLock: lambda v: ('rma_unlock', v.win._ref, v.remote),
            e.RmaOpCompleteBlocking: lambda v: ('rma_complete', v.win._ref, v.matching_id),
            e.RmaOpCompleteNonBlocking: lambda v: ('rma_complete', v.win._ref, v.matching_id),
            e.RmaOpCompleteRemote: lambda v: ('rma_complete', v.win._ref, v.matching_id),
            e.ThreadFork: lambda v: ('fork',),
            e.ThreadJoin: lambda v: ('join',),
            e.ThreadTeamBegin: lambda v: ('team_begin', v.thread_team._ref),
            e.ThreadTeamEnd: lambda v: ('team_end',),
            e.ThreadAcquireLock: lambda v: ('acquire', enum_name(v.model), v.lock_id, v.acquisition_order),
            e.ThreadReleaseLock: lambda v: ('release', enum_name(v.model), v.lock_id, v.acquisition_order),
            e.ThreadTaskSwitch: lambda v: ('task_switch', task_id(v)),
            e.ThreadTaskComplete: lambda v: ('task_complete', task_id(v)),
            e.ThreadBegin: lambda v: ('thread_begin',),
            e.ThreadEnd: lambda v: ('thread_end',),
        }
        for location, event in trace.events:
            make, events = create.get(type(event)), self.by_ref[location._ref].events
            stack = stacks.setdefault(location._ref, samples.Samples(self.regions, self.by_ref[location._ref].thread > 0))
            if isinstance(event, (e.CallingContextEnter, e.CallingContextSample)):
                events += stack.follow(event.time, event.calling_context, event.unwind_distance, isinstance(event, e.CallingContextEnter))
            elif isinstance(event, e.CallingContextLeave):
                events += stack.leave(event.time, event.calling_context)
            elif make is not None:
                if len(stack.stacks) > 1 or stack.stacks[None] or type(event) is e.ThreadTaskSwitch:
                    events += stack.note((event.time,) + make(event))
                events.append((event.time,) + make(event))
        for ref, stack in stacks.items():
            events = self.by_ref[ref].events
            events += stack.close(events[-1][0]) if events else []

    def group_members(self, otf2, group):
        """World ranks of a group of processes; None: the process itself."""
        if group.group_type == otf2.GroupType.COMM_SELF:
            return None
        return list(dict.fromkeys(self.by_ref[member._ref].process for member in group.members))


def repair_communicators(otf2):
    """The bindings of OTF2 3.0 mix up the fields of inter-communicators and refuse one as the parent of a communicator.
    This takes the place of their constructors: parents are left out, an inter-communicator becomes a communicator of its
    group A. Returns a dictionary that will hold group B by the reference of the inter-communicator."""
    remote_groups, comm_type = {}, otf2.definitions.Comm

    def comm(definitions, ref, name, group, parent, flags):
        return comm_type(definitions.comms, ref, definitions.strings[name], definitions.groups[group], None, flags)

    def inter_comm(definitions, ref, name, group_a, group_b, common, flags):
        remote_groups[ref] = definitions.groups[group_b]
        return comm(definitions, ref, name, group_a, None, flags)
    comm_type._construct = staticmethod(comm)
    otf2.definitions.InterComm._construct = staticmethod(inter_comm)
    return remote_groups


def enum_name(value):
    """Last part of the name of an enumeration value; newer ones are not known to the bindings."""
    try:
        return str(value).split('.')[-1]
    except KeyError:
        return 'UNKNOWN'


def place_flushes(events):
    """5.5: a flush becomes Enter and Leave, both moved behind all events that are not later than themselves; the Leave
    before the next one, whatever the record of the flush says: nothing is recorded meanwhile."""
    moved, kept = [], []
    for event in events:
        if event[1] == 'flush':
            moved.append(event)
        else:
            kept.append(event)
    for start, _, stop in moved:
        at = len(kept)
        while at > 0 and kept[at - 1][0] > start:
            at -= 1
        kept.insert(at, (start, 'enter', FLUSH))
        at += 1
        kept.insert(at, (min(stop, kept[at][0]) if at < len(kept) else stop, 'leave'))
    return kept


BARRIER_WAITS = {'!$omp barrier': 'omp_ebarrier_wait', '!$omp ibarrier': 'omp_ibarrier_wait',     # 9.1
                 '!$omp implicit barrier': 'omp_ibarrier_wait'}
FLUSH = Region('TRACE BUFFER FLUSH', 'TRACE BUFFER FLUSH', 'MEASUREMENT_SYSTEM', 'ARTIFICIAL', '')
PAUSE = Region('MEASUREMENT OFF', 'MEASUREMENT OFF', 'MEASUREMENT_SYSTEM', 'ARTIFICIAL', '')
TASKS = Region('TASKS', 'TASKS', 'MEASUREMENT_SYSTEM', 'ARTIFICIAL', '')
THREADS = Region('THREADS', 'THREADS', 'MEASUREMENT_SYSTEM', 'ARTIFICIAL', '')


def team_instances(locations, team_masters):
    """9.3: (team reference, k) -> Team, by counting on each location; the fork is known from the one that is thread 0 of the
    team, if that one's recording goes so far."""
    teams = {}
    for location in locations:
        n_forks, begins, open_forks = 0, defaultdict(int), []        # open_forks: [number, has a team begun]
        for event in location.events:
            if event[1] == 'fork':
                open_forks.append([n_forks, False])
                n_forks += 1
            elif event[1] == 'join' and open_forks:
                open_forks.pop()
            elif event[1] == 'team_begin':
                team = teams.setdefault((event[2], begins[event[2]]), Team(location, -1))
                begins[event[2]] += 1
                if team_masters.get(event[2]) == location.ref:
                    team.master = location
                    if open_forks and not open_forks[-1][1]:
                        team.fork_number, open_forks[-1][1] = open_forks[-1][0], True
    return teams


def merged_events(locations, is_early):
    """The events of all locations of a process in one order: time, ties lower thread first; the order of the records of
    one location is never changed, even if its time stamps are not monotonous. is_early(event): it belongs behind an event of
    the same time of another location that has not been there yet."""
    queue = []
    for location in locations:
        if location.events:
            queue.append((location.events[0][0], location.thread, 0, location))
    heapq.heapify(queue)
    held = []
    while queue:
        latest, thread, i, location = heapq.heappop(queue)
        if is_early(location, location.events[i]) and queue and queue[0][0] <= latest:
            held.append((latest, thread, i, location))
            continue
        yield location, location.events[i]
        if i + 1 < len(location.events):
            heapq.heappush(queue, (max(latest, location.events[i + 1][0]), thread, i + 1, location))
        for entry in held:
            heapq.heappush(queue, entry)
        held = []


# ---------------------------------------------------------------------------------------------------------------------
# Analysis

class Analysis:
    """values[metric][call path, location] in ticks, counts or bytes."""

    def __init__(self, archive, compat, with_causes=False, period=None):
        """period: (from, to) in ticks as the records have them, of programs without explicit tasks (docs/metrics.md#interval)"""
        self.archive, self.compat, self.period = archive, compat, period
        self.postponed = []                                          # with a period: what is booked with calls, until all are left
        self.values = defaultdict(lambda: defaultdict(int))
        self.root = Path(None, None)
        self.entered = defaultdict(dict)                             # location -> its call paths, order of first enter
        self.programs = {}                                           # region of the program, by its canonical name
        self.sends, self.receives, self.send_completions = [], [], []
        self.collectives = defaultdict(dict)                         # (comm, self process, k) -> process -> Member
        self.nonblocking = defaultdict(dict)
        self.setup = {'init': {}, 'finalize': {}}                    # process -> first call
        self.recorded = defaultdict(int)                             # location -> what its times must sum to, idle time off
        self.ran = defaultdict(list)                                 # location -> (begin, end, explicit task), ascending
        self.task_regions = defaultdict(int)                         # (stub, location) -> time of its tasks in their regions
        self.problems = defaultdict(int)
        self.booked, self.operation = [], None                       # (metric, call, value, operation of several members or None, leave)
        self.timeline = defaultdict(list)                            # for causes.py: location -> (time, kind, object) in order
        self.late_sender_instances, self.late_receiver_instances = [], []
        self.synchronised, self.barrier_instances, self.forked_calls = [], [], []
        self.one_sided = rma.OneSided(self)
        n_processes = 1 + max(location.process for location in archive.locations)
        for process in range(n_processes):
            self.replay_process(process, [l for l in archive.locations if l.process == process])
        self.match_messages()
        self.late_senders()
        self.late_receivers()
        self.blocking_collectives()
        if not compat:
            self.nonblocking_collectives()
            self.one_sided.analyze()
        self.init_and_finalize()
        self.book_postponed()
        self.time_classes()
        self.idle_threads()
        self.sums()
        if with_causes:
            self.causes = causes.Causes(self)

    def book(self, metric, call, value, leave=None):
        """1.2. leave: until when it is the instance, where that is not until the call is left."""
        if value and self.period:
            self.postponed.append((metric, call, value))
        elif value:
            self.values[metric][call.path, call.location] += value
        if value and metric in INSTANCE_METRICS:
            self.booked.append((metric, call, value, self.operation, leave))

    def is_held(self, begin, end):
        return self.period is None or self.period[0] <= begin and end < self.period[1]

    def within(self, begin, end):
        """How much of the time counts."""
        return end - begin if self.period is None else max(0, min(end, self.period[1]) - max(begin, self.period[0]))

    def book_postponed(self):
        for metric, call, value in self.postponed:
            if self.is_held(call.enter, call.leave):
                self.values[metric][call.path, call.location] += value
        self.booked = [row for row in self.booked if self.is_held(row[1].enter, row[1].leave)]

    # ---- chapters 3, 5: one process

    def replay_process(self, process, locations):
        """Chapters 3 and 5: call tree, time, visits, and the message and collective records of one process."""
        implicit = {location: Task(self.root) for location in locations}
        current = dict(implicit)                                     # the task that runs on a location
        tasks = {}                                                   # explicit tasks that are not completed
        keys = {}                                                    # (location, task in the records) -> key in tasks
        forks = {location: [] for location in locations}
        open_forks = {location: [] for location in locations}
        teams = team_instances(locations, self.archive.team_masters)
        team_begins = defaultdict(int)                               # (location, team reference) -> ThreadTeamBegins so far
        inside = {location: [] for location in locations}            # teams the location is in, inner ones last; may be None
        bases = {location: [] for location in locations}             # for each of them, where the location was before
        level = defaultdict(int)                                     # open parallel regions of a location
        forked_calls = []                                            # (call of a parallel region, fork)
        acquires, held, freed = [], defaultdict(int), {}             # 10.1; by (paradigm, lock, order)
        begins = {}                                                  # last COLL_BEGIN of a location
        active = {}                                                  # request -> Message or Call
        n_collectives = defaultdict(int)
        nbc_requests, nbc_completions = [], {}
        program = self.root
        by_ref = {location.ref: location for location in locations}

        def enter(location, time, region):
            task = current[location]
            stack = task.stack
            path = (stack[-1].path if stack else task.base).child(region)
            call = Call(location, path, time)
            charge(location, time)
            if task is not implicit[location] and task.region is None and region.role != 'ARTIFICIAL':
                task.region = region                                 # 5.3, row of TaskSwitch
                stub = task.below[location].child(region)
                self.entered[location][stub] = True                  # in the order of 5.1 before TASKS: seen in references
                self.entered[location][task.base] = True
            stack.append(call)
            self.timeline[location].append((time, 'enter', call))
            self.entered[location][path] = True
            self.book('visits', call, 1)
            team = inside[location][-1] if inside[location] else None
            if region.is_omp_parallel:
                level[location] += 1
                if team is not None and team.fork is not None:
                    forked_calls.append((call, team.fork))
            elif region.barrier_wait and team is not None and level[location] > 0:
                team.barriers[location].append(call)
                call.task = task if task is not implicit[location] else None
            return call

        def leave(location, time):
            stack = current[location].stack
            if not stack:
                self.problems['Leave without Enter'] += 1
                return
            charge(location, time)
            call = stack.pop()
            call.leave = time
            self.one_sided.left(process, call, all(outer.region.mpi_name is None for outer in stack))
            self.timeline[location].append((time, 'leave', call))
            if call.region.is_omp_parallel:
                level[location] -= 1
            if current[location] is implicit[location]:
                counted = self.within(call.enter, time)              # 5.4, exclusive: subtracted from the caller
                self.values['time'][call.path, location] += counted
                if stack:
                    self.values['time'][stack[-1].path, location] -= counted
                else:
                    self.recorded[location] += counted
                call.inside[location] = time - call.enter - call.away
            if call.region.role == 'TASK_WAIT' and call.region.is_omp and not call.is_cut and not self.compat and \
                    self.is_held(call.enter, time):                  # 9.6
                for where, inside in call.inside.items():
                    self.values['omp_taskwait_wait'][call.path, where] += inside
            self.note_setup(process, call)

        def charge(location, time):
            """5.7: of an explicit task every moment is booked as it comes. (D21 is in neither mode: the references agree
            without it.)"""
            task = current[location]
            if task is implicit[location]:
                return
            span, task.charged = time - task.charged, time
            if not task.stack:
                task.turns[-1].outside += span
                return
            task.turns[-1].in_regions += span
            self.values['time'][task.stack[-1].path, location] += span
            for call in task.stack:
                call.inside[location] += span
            if self.compat and task.base.parent.region is not None:
                self.values['time'][task.base.parent, location] -= span              # 5.4: TASKS is no part of the program

        def suspend(location, time):
            """The running task leaves off."""
            task = current[location]
            charge(location, time)
            task.left = time
            if task is implicit[location]:
                return
            self.ran[location].append((task.turns[-1].begin, time, task))
            turn, stack = task.turns[-1], implicit[location].stack
            if stack and not self.compat:                            # no time of the implicit task
                self.values['time'][stack[-1].path, location] -= turn.in_regions + turn.outside
            turn.barrier = next((call for call in reversed(stack) if call.region.barrier_wait), None)       # 9.3
            current[location] = implicit[location]

        def resume_implicit(location, time):
            if implicit[location].left is not None:
                for call in implicit[location].stack:
                    call.away += time - max(implicit[location].left, call.enter)
            implicit[location].left = None

        def switch(location, time, task_id):
            """5.3, 5.7: TaskSwitch; task_id is None for the implicit task."""
            was_implicit = current[location] is implicit[location]
            if task_id is None:
                if not was_implicit:
                    suspend(location, time)
                    resume_implicit(location, time)
                note_task(location, time)
                return
            left = implicit[location].left
            suspend(location, time)
            if not was_implicit:
                implicit[location].left = left                       # since it left off, several tasks may have run
            task = tasks.setdefault(key_of(location, task_id), Task(program.child(TASKS)))
            stack = implicit[location].stack
            task.below.setdefault(location, stack[-1].path if stack else implicit[location].base)
            task.turns.append(Turn(location, time))
            task.charged, current[location] = time, task
            note_task(location, time)

        def note_task(location, time):
            task = current[location]
            known = (None, ()) if task is implicit[location] else (task, tuple(task.stack))
            self.timeline[location].append((time, 'task', known))

        def complete(location, time, task_id):
            """5.3, 5.4, 5.7: TaskComplete."""
            key = keys.pop((location, task_id), None)
            task = tasks.pop(key, None)
            if task is None:
                return
            if current[location] is task:
                suspend(location, time)
                resume_implicit(location, time)
                note_task(location, time)
            self.finish_task(task, location)

        def cut(location, time):
            """The end of a stream closes what is open. Tasks that are not completed are not counted, but their time is."""
            if current[location] is not implicit[location]:
                suspend(location, time)
                resume_implicit(location, time)
                note_task(location, time)
            while implicit[location].stack:
                self.problems['Enter without Leave'] += 1
                implicit[location].stack[-1].is_cut = True
                leave(location, time)

        def key_of(location, task_id):
            """With compat what goes on on another thread is another task."""
            instance = team_begins[location, task_id[0]]
            return keys.setdefault((location, task_id), (location if self.compat else None, instance) + task_id)

        def is_early(location, event):
            """A team begins behind its fork, and what goes on elsewhere leaves off first (docs/metrics.md#moved-tasks)."""
            if event[1] == 'team_begin':
                team = teams.get((event[2], team_begins[location, event[2]]))
                return team is not None and len(forks[team.master]) <= team.fork_number
            if event[1] != 'task_switch' or event[2] is None:
                return False
            task = tasks.get(key_of(location, event[2]))
            return task is not None and any(current[other] is task for other in locations if other is not location)

        for location, event in merged_events(locations, is_early):
            time, kind = event[:2]
            call = current[location].stack[-1] if current[location].stack else None
            in_mpi = call is not None and call.region.mpi_name is not None          # 6.1: others are ignored
            if kind == 'enter':
                enter(location, time, event[2])
            elif kind == 'leave':
                leave(location, time)
            elif kind == 'program':
                canonical = ' '.join([event[2]] + event[3])
                region = self.programs.setdefault(canonical, Region(os.path.basename(event[2]), canonical,
                                                                    'MEASUREMENT_SYSTEM', 'ARTIFICIAL', ''))
                program = enter(location, time, region).path
            elif kind == 'off':
                enter(location, time, PAUSE)
            elif kind == 'on':
                if call is not None and call.region is PAUSE:
                    leave(location, time)
            elif kind == 'fork':
                fork = Fork(location, call.path if call else current[location].base, call is not None, time)
                forks[location].append(fork)
                self.timeline[location].append((time, 'fork', fork))
                open_forks[location].append(fork)
            elif kind == 'join':
                if open_forks[location]:
                    open_forks[location][-1].joined = time
                    self.timeline[location].append((time, 'join', open_forks[location].pop()))
            elif kind == 'team_begin':
                if not inside[location]:                             # numbers may come again
                    keys = {key: task for key, task in keys.items() if key[0] is not location}
                team = teams.get((event[2], team_begins[location, event[2]]))
                team_begins[location, event[2]] += 1
                inside[location].append(team)
                bases[location].append(current[location].base)
                if team is not None and 0 <= team.fork_number < len(forks[team.master]):
                    team.fork = forks[team.master][team.fork_number]
                else:
                    self.problems['ThreadTeamBegin without a fork before it'] += 1
                if not current[location].stack:
                    current[location].base = team.fork.path if team is not None and team.fork is not None else program
            elif kind == 'team_end':
                if inside[location]:
                    inside[location].pop()
                    base = bases[location].pop()
                    if not current[location].stack:
                        current[location].base = base
            elif kind == 'thread_begin':
                current[location].base = program.child(THREADS)
            elif kind == 'task_switch':
                switch(location, time, event[2])
            elif kind == 'task_complete':
                complete(location, time, event[2])
            elif kind == 'acquire':
                if event[4] and call is not None:                    # 3.1: order 0 is dropped
                    held[event[2:]] += 1
                    acquires.append((call, event[2:], time))
                    self.timeline[location].append((time, 'acquire', event[2:]))
            elif kind == 'release':
                if event[4]:
                    self.timeline[location].append((time, 'release', event[2:]))
                    held[event[2:]] -= 1
                    if held[event[2:]] <= 0:
                        freed[event[2:]] = time
            elif kind.startswith('rma_'):
                if not self.compat:
                    self.one_sided.add(process, location, time, call, event)
            elif kind in ('send', 'recv', 'recv_request', 'send_complete', 'cancelled'):
                if in_mpi:
                    self.message_record(process, time, call, event, active)
            elif kind == 'coll_begin':
                begins[location] = time
            elif kind == 'coll_end':
                if in_mpi and event[2] not in HANDLE_OPERATIONS:                    # D5
                    op, comm, root, sent, received = event[2:]
                    member = Member(process, call, begins.get(location, call.enter), time, None, op, root, sent, received)
                    member.wait_from = member.begin
                    owner = process if self.archive.comms[comm].self_only else None
                    k = n_collectives[comm]
                    n_collectives[comm] += 1
                    self.collectives[comm, owner, k][process] = member
                    self.timeline[location].append((time, 'coll_end', member))
                    self.collective_counts(member)
            elif kind == 'nbc_request':
                if in_mpi:
                    self.timeline[location].append((time, 'nbc_request', (len(nbc_requests), event[2])))
                    nbc_requests.append((event[2], call))
            elif kind == 'nbc_complete':
                if in_mpi:
                    nbc_completions[event[7]] = (event, call)
                    self.timeline[location].append((time, 'nbc_complete', event[7]))
        for location in locations:
            if location.events:
                cut(location, location.events[-1][0])
        for task in tasks.values():
            for call in task.stack:
                call.leave, call.is_cut = call.location.events[-1][0], True
                self.timeline[call.location].append((call.leave, 'leave', call))
                self.note_setup(process, call)
            self.finish_task(task, None)
        self.forked_calls += forked_calls
        self.thread_management(forked_calls)
        self.thread_barriers(teams.values())
        self.locks(acquires, freed)
        self.nonblocking_members(process, nbc_requests, nbc_completions)

    def finish_task(self, task, completed_on):
        """The stubs (5.3) of an explicit task, and what is counted when it is completed; completed_on None: it never is."""
        executed, in_regions, outside = defaultdict(int), defaultdict(int), defaultdict(int)
        for turn in task.turns:
            executed[turn.location] += turn.in_regions + turn.outside
            in_regions[turn.location] += turn.in_regions
            outside[turn.location] += turn.outside
        for location in executed:
            below = task.below[location]
            if task.region is None:
                if not self.compat and below.region is not None:
                    self.values['time'][below, location] += outside[location]
                continue
            stub = below.child(task.region)
            self.entered[location][stub] = True
            if not self.compat:                                      # every moment counts once (docs/metrics.md#tasks)
                self.values['time'][stub, location] += outside[location]
            elif completed_on is not None:
                self.values['time'][stub, location] += executed[location]
                self.values['time'][below, location] -= executed[location]
            self.values['visits'][stub, location] += location is completed_on
            if completed_on is not None or not self.compat:
                self.task_regions[stub, location] += in_regions[location]
            if not self.compat:                                      # docs/metrics.md#openmp-tasks
                self.values['omp_task_time'][stub, location] += executed[location]
                self.values['omp_task_switch_time'][stub, location] += outside[location]
                if location is completed_on:
                    self.task_size(sum(executed.values()), stub, location)
        if self.compat and completed_on is not None and task.turns[-1].barrier is not None:
            task.turns[-1].barrier.tasks += executed[completed_on]   # 9.3

    def note_setup(self, process, call):
        """7.6: first MPI_Init(_thread) and MPI_Finalize of a process."""
        kind = {'init': 'init', 'init_thread': 'init', 'finalize': 'finalize'}.get(call.region.mpi_name)
        if kind:
            self.setup[kind].setdefault(process, call)

    def task_size(self, executed, stub, location):
        """docs/metrics.md#openmp-tasks"""
        size = next(name for name, limit in TASK_SIZES if limit is None or executed * 1000000 < limit * self.archive.resolution)
        self.values['omp_task_count'][stub, location] += 1
        self.values[size][stub, location] += 1

    def thread_management(self, forked_calls):
        """9.2 and the second row of 5.4. Exclusive time: the terms come out of the ancestor on the thread that forked; on
        the other threads ancestors have none, nor has THREADS (third row from the end of 5.4: the sum of its children)."""
        for call, forked in forked_calls:
            fork = max(0, call.enter - forked.time)
            join = max(0, forked.joined - call.leave) if forked.joined is not None else 0
            key, counted = (call.path, call.location), self.within(call.enter - fork, call.enter) + self.within(call.leave, call.leave + join)
            if self.is_held(call.enter - fork, call.leave + join):
                self.values['omp_fork'][key] += fork
                self.values['omp_management'][key] += fork + join
            self.values['time'][key] += counted
            if call.location is forked.location and forked.in_call:
                self.values['time'][forked.path, forked.location] -= counted
            else:
                self.recorded[call.location] += counted

    def thread_barriers(self, teams):
        """9.3: the n-th barriers of the members of a team are one instance, explicit and implicit ones counted together."""
        for team in teams:
            for n in range(max(map(len, team.barriers.values()), default=0)):
                calls = [barriers[n] for barriers in team.barriers.values() if n < len(barriers)]
                latest = max(call.enter for call in calls)
                self.barrier_instances.append((team, calls))
                self.operation = ('barrier', id(team), n)
                for call in calls:
                    if call.is_cut:                                  # the trigger is the Leave
                        continue
                    until = min(latest, call.leave)
                    off = call.tasks if self.compat else self.away(call, until)
                    self.book(call.region.barrier_wait, call, max(0, until - call.enter - off))
                self.operation = None

    def away(self, call, until):
        """docs/metrics.md#openmp-barriers: for how long, since its enter, another task ran than the one that is in the call."""
        ran = self.ran[call.location]
        first, last = bisect.bisect_left(ran, (call.enter,)), bisect.bisect_left(ran, (until,))
        if call.task is None:
            return sum(min(until, end) - begin for begin, end, _ in ran[first:last])
        own = [(max(call.enter, begin), min(until, end)) for begin, end, task in ran[:last] if task is call.task]
        return until - call.enter - sum(max(0, end - begin) for begin, end in own)

    def lock_metric(self, paradigm, region):
        return lock_metric(paradigm, region)

    def locks(self, acquires, freed):
        """10.1 to 10.3"""
        for call, (paradigm, lock, order), time in acquires:
            metric = lock_metric(paradigm, call.region)
            free = freed.get((paradigm, lock, order - 1))
            if metric and free is not None:
                self.book(metric, call, max(0, min(free, time) - call.enter), time)

    # ---- chapters 3, 6, 11, 16: messages

    def message_record(self, process, time, call, event, active):
        """3.1, 3.2 and the send rows of chapter 11: requests, completions, cancelled requests."""
        kind = event[1]
        if kind in ('send', 'recv'):
            comm = self.archive.comms[event[2]]
            peer = comm.peer(process, event[3])
        if kind == 'send':
            message = Message(time, call)
            message.bytes, message.sender, message.rank = event[5], process, comm.rank(process)
            message.key = (event[2], process, peer, event[4])
            self.sends.append(message)
            self.timeline[call.location].append((time, 'send', message))
            if event[6] is None:
                self.send_completions.append(message)
            else:
                message.completion = None
                active[event[6]] = message
            if message.bytes == 0:                                   # cancelled sends count as well (6.4)
                self.book('syncs_send', call, 1)
            else:
                self.book('comms_send', call, 1)
                self.book('bytes_sent', call, message.bytes)
        elif kind == 'recv_request':
            active[event[2]] = call
            self.timeline[call.location].append((time, 'recv_request', event[2]))
        elif kind == 'recv':
            message = Message(time, call)
            message.key = (event[2], peer, process, event[4])
            if event[5] is not None:
                message.request = active.pop(event[5], None)         # no request record: no Late Receiver
            self.receives.append(message)
            self.timeline[call.location].append((time, 'recv', (message, event[5])))
        elif kind == 'send_complete':
            message = active.pop(event[2], None)
            if isinstance(message, Message):
                message.completion = call
                self.send_completions.append(message)
                self.timeline[call.location].append((time, 'send_complete', message))
        elif kind == 'cancelled':
            message = active.pop(event[2], None)
            if isinstance(message, Message):
                message.cancelled = True

    def match_messages(self):
        """3.2: k-th SEND record to k-th RECV record of (communicator, source, destination, tag); receive rows of chapter 11.
        A send whose request was freed has no completion: none of the patterns of 6.3 can apply to its own request call."""
        channels = defaultdict(lambda: ([], []))
        for send in self.sends:
            if not send.cancelled:
                channels[send.key][0].append(send)
        for receive in self.receives:
            channels[receive.key][1].append(receive)
        for sends, receives in channels.values():
            for send, receive in zip(sends, receives):
                send.match, receive.match = receive, send
            if len(sends) != len(receives):
                self.problems['unmatched send' if len(sends) > len(receives) else 'unmatched receive'] += \
                    abs(len(sends) - len(receives))
        for receive in self.receives:
            send = receive.match
            if send is None:
                continue
            receive.bytes = send.bytes
            if send.bytes == 0:
                self.book('syncs_recv', receive.call, 1)
            else:
                self.book('comms_recv', receive.call, 1)
                self.book('bytes_rcvd', receive.call, send.bytes)

    def late_senders(self):
        """6.2 and chapter 16, location by location in the order of the RECV records."""
        by_location = defaultdict(list)
        for receive in self.receives:
            if receive.match is not None:
                by_location[receive.call.location].append(receive)
        for receives in by_location.values():
            pending = []                                             # (wait, receive), in the order of becoming pending
            multi, largest, largest_receive = None, 0, None
            for receive in receives:
                call = receive.call
                if multi is not None and call is not multi:          # the wait-multi call before was left
                    self.book_late_sender(largest, largest_receive, pending)
                    multi, largest, largest_receive = None, 0, None
                self.wrong_order(receive, pending)
                name = call.region.mpi_name
                if name in TEST:
                    continue
                wait = min(receive.match.request.enter, call.leave) - call.enter
                if name in WAIT_MULTI:
                    multi = call
                    if wait > largest:
                        largest, largest_receive = wait, receive
                else:
                    self.book_late_sender(wait, receive, pending)
            if multi is not None:
                self.book_late_sender(largest, largest_receive, pending)

    def book_late_sender(self, wait, receive, pending):
        """6.2"""
        if wait <= 0:
            return
        receive.call.late_sender = True
        self.late_sender_instances.append((wait, receive))
        self.book('mpi_latesender', receive.call, wait)
        self.book('mpi_cls_count' if receive.bytes else 'mpi_sls_count', receive.call, 1)
        pending.append((wait, receive))
        if self.compat and len(pending) > 100:                       # D1
            del pending[0]

    def wrong_order(self, receive, pending):
        """16: which pending Late Senders were sent after the message received now."""
        hits = [entry for entry in pending if receive.match.time < entry[1].match.time]
        for entry in hits:
            wait, late = entry
            pending.remove(entry)
            a, b = late.match, receive.match
            same = a.rank == b.rank if self.compat else a.sender == b.sender
            # scout books the parts and the counts of all hits of one receive at the call path of the first hit.
            call = hits[0][1].call if self.compat else late.call
            self.book('mpi_latesender_wo', late.call, wait)
            self.book('mpi_lswo_same' if same else 'mpi_lswo_different', call, wait)
            self.book('mpi_clswo_count' if late.bytes else 'mpi_slswo_count', call, 1)

    def late_receivers(self):
        """6.3. Ties in a wait-multi call: the first completion."""
        multi = {}
        for send in self.send_completions:
            call, receive = send.completion, send.match
            if receive is None or receive.request is None:
                continue
            posted = receive.request.enter
            if not call.enter < posted < call.leave:
                continue
            name, wait = call.region.mpi_name, posted - call.enter
            if name in BLOCK_SEND or name in WAIT_SINGLE:
                self.book_late_receiver(call, wait, send)
            elif name in WAIT_MULTI and not call.late_sender:
                if call not in multi or wait > multi[call][0]:
                    multi[call] = (wait, send)
        for call, (wait, send) in multi.items():
            self.book_late_receiver(call, wait, send)

    def book_late_receiver(self, call, wait, send):
        self.late_receiver_instances.append((wait, send))
        self.book('mpi_latereceiver', call, wait)
        self.book('mpi_clr_count' if send.bytes else 'mpi_slr_count', call, 1)

    # ---- chapters 7, 11: collectives

    def collective_counts(self, member):
        """11, rows of COLL_END; communicators of size 1 and Alltoallv/w included."""
        sent, received = member.sent > 0, member.received > 0
        metric = {(False, False): 'syncs_coll', (True, True): 'comms_cxch', (True, False): 'comms_csrc',
                  (False, True): 'comms_cdst'}[sent, received]
        self.book(metric, member.call, 1)
        self.book('bytes_cout', member.call, member.sent)
        self.book('bytes_cin', member.call, member.received)

    def blocking_collectives(self):
        """7.1 to 7.5"""
        names = {'barrier': ('mpi_barrier_wait', 'mpi_barrier_completion'), 'nxn': ('mpi_wait_nxn', 'mpi_nxn_completion'),
                 'one_to_n': ('mpi_latebroadcast', None), 'n_to_one': ('mpi_earlyreduce', None),
                 'prefix': ('mpi_earlyscan', None)}
        self.all_collectives(self.collectives, names)

    def nonblocking_collectives(self):
        """7.8: the rules of 7.2 to 7.5 with B := Enter of the starting call and X := Leave of the completing call; a wait
        starts at the Enter of the completing call. No completion metrics. Of several operations completed by one call only
        the longest wait counts (docs/metrics.md), the first request on ties, so that a call never waits longer than it lasts."""
        names = {'barrier': ('mpi_nbc_barrier_wait', None), 'nxn': ('mpi_nbc_wait_nxn', None),
                 'one_to_n': ('mpi_nbc_latebroadcast', None), 'n_to_one': ('mpi_nbc_earlyreduce', None),
                 'prefix': ('mpi_nbc_earlyscan', None)}
        self.longest = {}
        self.all_collectives(self.nonblocking, names)
        for call, (wait, _, metric) in self.longest.items():
            self.book(metric, call, wait)

    def nonblocking_members(self, process, requests, completions):
        """7.8: numbered by the request records; operations never completed are left out of the numbering, since only the
        completion names the communicator."""
        count = defaultdict(int)
        for position, (request, start) in enumerate(requests):
            if request not in completions:
                self.problems['non-blocking collective never completed'] += 1
                continue
            (_, _, op, comm, root, sent, received, _), call = completions[request]
            if op in HANDLE_OPERATIONS:
                continue
            owner = process if self.archive.comms[comm].self_only else None
            k = count[comm]
            count[comm] += 1
            self.nonblocking[comm, owner, k][process] = Member(process, call, start.enter, call.leave, call.enter, op, root,
                                                               sent, received, position)

    def all_collectives(self, collectives, names):
        """7.1: order the members by rank, leave out what is not analysed, book the results."""
        for (comm_ref, owner, k), by_process in collectives.items():
            comm = self.archive.comms[comm_ref]
            processes = comm.members(owner)
            if len(processes) == 1:
                continue
            if any(p not in by_process for p in processes):
                self.problems['incomplete collective'] += 1
                continue
            members = [by_process[p] for p in processes]
            class_ = OPERATION_CLASSES.get(members[0].op)
            if any(OPERATION_CLASSES.get(m.op) != class_ for m in members):
                self.problems['collective of different classes'] += 1
                continue
            if class_ == 'alltoallv':
                class_ = 'nxn' if self.alltoallv_counts(members) else None
            if class_ is None:
                continue
            results = getattr(self, class_)(comm, members)
            self.synchronised.append((class_, comm, members, results))
            self.operation = (id(collectives), comm_ref, owner, k)
            for member, target, first in results:
                self.book_collective(names[class_], member, target, first)
            self.operation = None

    def book_collective(self, names, member, target, first):
        """7.1, row "clamp". target: the B waited for (None: no wait); first: earliest X of the synchronising ranks (None:
        no completion). A non-blocking operation completed by a test call gets nothing (7.8)."""
        if member.call.region.mpi_name in TEST:
            return
        clamped = min(target, member.end)
        if member.request is not None:
            wait = clamped - member.wait_from
            best = self.longest.get(member.call, (0, 0, None))
            if wait > 0 and (wait > best[0] or (wait == best[0] and member.request < best[1])):
                self.longest[member.call] = (wait, member.request, names[0])
            return
        self.book(names[0], member.call, max(0, clamped - member.wait_from))
        if names[1]:
            # Not from before the own B, which is later than both only between groups with wrong clocks (DESIGN 6.2).
            self.book(names[1], member.call, max(0, member.end - max(first, clamped, member.begin)))

    def remote(self, comm, members, member):
        """7.7: the ranks a rank waits for: all of an intra-communicator, the remote group of an inter-communicator."""
        if len(comm.groups) == 1:
            return members
        group = comm.group_of(member.process)
        return [m for m in members if comm.group_of(m.process) != group]

    def barrier(self, comm, members):
        """7.2; inter-communicator: the earliest X is that of all ranks of both groups."""
        earliest = min(m.end for m in members)
        return [(m, max(o.begin for o in self.remote(comm, members, m)), earliest) for m in members]

    def nxn(self, comm, members):
        """7.2. A rank that sends and receives nothing: with full overlap it is treated as in a barrier (it synchronises in
        fact), with partial overlap it is neither sender nor receiver; all ranks zero: skipped. Inter-communicator: overlap
        over all ranks, senders those of the remote group, both groups' latest senders synchronise."""
        if not any(m.sent or m.received for m in members):
            return []
        if min(m.end for m in members) > max(m.begin for m in members):
            return self.barrier(comm, members)
        synchronising = []
        for member in members:
            senders = [m for m in self.remote(comm, members, member) if m.sent]
            if not senders:
                continue
            target = max(m.begin for m in senders)
            latest = next(m for m in senders if m.begin == target)
            if member.received and member.begin < target:
                synchronising.append((member, target))
            if all(m is not latest for m, _ in synchronising):
                synchronising.append((latest, latest.begin))
        unique = {}
        for member, target in synchronising:                         # a latest sender may also wait (inter-communicator)
            unique[member] = max(target, unique.get(member, target))
        if not unique:
            return []
        earliest = min(m.end for m in unique)
        return [(m, target, earliest) for m, target in unique.items()]

    def root_of(self, comm, members):
        """The root's member; 7.7: it is marked SELF, or known by its rank in the remote group."""
        if len(comm.groups) == 1:
            return members[members[0].root] if members[0].root < len(members) else None
        for member in members:
            if is_special(member.root, 'SELF'):
                return member
        return None

    def one_to_n(self, comm, members):
        """7.3"""
        root = self.root_of(comm, members)
        if root is None or root.sent == 0:
            return []
        return [(m, root.begin, None) for m in self.remote(comm, members, root)
                if m is not root and m.received and m.begin < root.begin]

    def n_to_one(self, comm, members):
        """7.4"""
        root = self.root_of(comm, members)
        if root is None or root.received == 0:
            return []
        senders = [m for m in self.remote(comm, members, root) if m.sent]
        if not senders:
            return []
        target = max(m.begin for m in senders)
        return [(root, target, None)] if root.begin < target else []

    def prefix(self, comm, members):
        """7.5; zero payload is decided for each rank, which is the same as for all: all ranks give the same count."""
        result, target = [], None
        for member in members:
            if member.sent:
                target = member.begin if target is None else max(target, member.begin)
            if target is not None and (member.sent or member.received) and member.begin < target:
                result.append((member, target, None))
        return result

    def alltoallv_counts(self, members):
        """7.9 (D20)"""
        return (not self.compat and all(m.sent and m.received for m in members)
                and min(m.end for m in members) > max(m.begin for m in members))

    def init_and_finalize(self):
        """7.6; over the processes that have the call, if there are at least two."""
        for kind, calls in self.setup.items():
            if len(calls) < 2:
                continue
            target = max(call.enter for call in calls.values())
            earliest = min(call.leave for call in calls.values())
            self.operation = kind
            for call in calls.values():
                clamped = min(target, call.leave)
                if kind == 'init':
                    self.book('mpi_init_completion', call, max(0, call.leave - max(earliest, clamped)))
                else:
                    self.book('mpi_finalize_wait', call, max(0, clamped - call.enter))
            self.operation = None

    # ---- chapters 4, 24: final report

    def time_classes(self):
        """24.2: mask times exclusive time, mask times visits."""
        for (path, location), value in self.values['time'].items():
            for metric in masks(path.region, TIME_CLASSES + (() if self.compat else ('omp_task_create_time',) + SHMEM_CLASSES)):
                self.values[metric][path, location] += value
        for (path, location), value in self.values['visits'].items():
            for metric in masks(path.region, VISIT_CLASSES):
                self.values[metric][path, location] += value

    def idle_threads(self):
        """9.8, after the time classes, which are without idle time."""
        paths = {}                                                   # in the order of 5.1
        for location in self.archive.locations:
            paths.update(self.entered[location])
        if not any(p.region.paradigm == 'OPENMP' for p in paths) or any(p.region.paradigm == 'PTHREAD' for p in paths):
            return
        masters = {l.process: l for l in self.archive.locations if l.thread == 0}
        workers = [l for l in self.archive.locations if l.thread > 0 and l.is_cpu]
        parallel = self.parallel_nodes_walk(paths) if self.compat else self.parallel_nodes(paths)
        time = dict(self.values['time'])
        totals = defaultdict(int)                                    # (topmost parallel node, location)
        for (path, location), value in time.items():
            if parallel[path] is not None:
                totals[parallel[path], location] += value
        if not self.compat:                                          # a task's time counts where the task ran
            for (stub, location), value in self.task_regions.items():
                if parallel[stub] is not None:
                    totals[parallel[stub], location] += value

        def book(path, worker, idle, limited):
            for metric, value in (('omp_idle_threads', idle + limited), ('omp_limited_parallelism', limited),
                                  ('time', idle + limited)):
                if value:
                    self.values[metric][path, worker] += value
        # docs/metrics.md#idle-threads: the call paths of workers without teams begin with OpenMP
        unknown = {worker for worker in workers if not any(event[1] == 'team_begin' for event in worker.events) and
                   any(path.parent is self.root and path.region.paradigm == 'OPENMP' for path in self.entered[worker])}
        for worker in workers:
            master = masters[worker.process]
            for path in paths:
                if parallel[path] is None:
                    book(path, worker, time.get((path, master), 0), 0)
                elif parallel[path] is path and (self.compat or worker not in unknown):
                    limited = totals[path, master] - totals[path, worker]
                    if limited / self.archive.resolution >= 1e-10:
                        book(path, worker, 0, limited)

    def parallel_nodes(self, paths):
        """9.8: call path -> its topmost OpenMP node, or None."""
        result = {self.root: None}
        for path in sorted(paths, key=lambda p: p.depth):
            result[path] = (TASKS if path.region is TASKS else
                            result.get(path.parent) or (path if path.region.opens_parallel else None))
        return result

    def parallel_nodes_walk(self, paths):
        """9.8, scout (D22): one open node while the call paths are walked in the order of 5.1."""
        result, node = {}, None
        for path in paths:
            if node is not None and path.depth <= node.depth:
                node = None
            if node is None and path.region.opens_parallel_compat:
                node = path
            result[path] = node
        return result

    def sums(self):
        """4.1, 4.2, kind S."""
        for metric, terms in SUMS:
            if self.compat and metric in SUM_EXTENSION:
                continue
            result = defaultdict(int)
            for term in terms.split():
                sign, name = (-1, term[1:]) if term[0] == '-' else (1, term)
                for key, value in self.values.get(name, {}).items():
                    result[key] += sign * value
            self.values[metric] = result

    def rows(self):
        """1.2: (metric, call path, rank, thread, value), call paths of equal names added up, zeros left out."""
        for metric in METRICS + causes.METRICS:
            total, names = defaultdict(int), {}
            for (path, location), value in self.values.get(metric, {}).items():
                if path not in names:
                    names[path] = path.name()
                total[names[path], location.process, location.thread] += value
            for key in sorted(total):
                if total[key]:
                    is_time = metric in TIMES or metric in causes.METRICS
                    value = float(total[key]) / self.archive.resolution if is_time else total[key]
                    yield (metric,) + key + (value,)


    def instances(self):
        """docs/formats.md#instances: [metric, call path, process, thread, enter, leave, waiting], times since the first event [ticks].
        What several members of an operation waited is one, at the one that waited longest, the lowest process of equals; a barrier of
        threads is explicit or implicit as it is to that one. A lock's ends where it is acquired."""
        operations, single = defaultdict(list), []
        for metric, call, value, operation, leave in self.booked:
            if operation is None:
                single.append([(value, metric, call, leave)])
            else:
                operations[operation, metric if operation[0] != 'barrier' else None].append((value, metric, call, leave))
            if metric in NONBLOCKING:
                single.append([(value, 'mpi_nbc_wait', call, leave)])
        for parts in single + list(operations.values()):
            _, metric, call, leave = min(parts, key=lambda part: (-part[0], part[2].location.process, part[2].location.thread))
            yield (metric, call.path.name(), call.location.process, call.location.thread, call.enter - self.archive.offset,
                   (call.leave if leave is None else leave) - self.archive.offset, sum(part[0] for part in parts))


# ---------------------------------------------------------------------------------------------------------------------
# Tables

INSTANCE_METRICS = (set(TIME_MEASURED) | set(NONBLOCKING) | set(rma.TIMES)) - {
    'time', 'mpi_lswo_different', 'mpi_lswo_same', 'omp_management', 'omp_fork', 'omp_idle_threads', 'omp_limited_parallelism'}

TEST = {'test', 'testany', 'testall', 'testsome'}                    # 6.1
WAIT_SINGLE = {'wait', 'waitany'}
WAIT_MULTI = {'waitall', 'waitsome'}
BLOCK_SEND = {'send', 'ssend'}
HANDLE_OPERATIONS = {'CREATE_HANDLE', 'DESTROY_HANDLE', 'ALLOCATE', 'DEALLOCATE', 'CREATE_HANDLE_AND_ALLOCATE',
                     'DESTROY_HANDLE_AND_DEALLOCATE'}                # D5
PTHREAD_LOCKS = {'mutex_lock': 'mutex_lock', 'mutex_trylock': 'mutex_lock', 'cond_wait': 'conditional',     # 10.3
                 'cond_timedwait': 'conditional'}
OPERATION_CLASSES = {op: class_ for class_, ops in {                 # 7.1
    'barrier': 'BARRIER', 'one_to_n': 'BCAST SCATTER SCATTERV', 'n_to_one': 'GATHER GATHERV REDUCE',
    'nxn': 'ALLGATHER ALLGATHERV ALLTOALL ALLREDUCE REDUCE_SCATTER REDUCE_SCATTER_BLOCK', 'prefix': 'SCAN EXSCAN',
    'alltoallv': 'ALLTOALLV ALLTOALLW'}.items() for op in ops.split()}


def lock_metric(paradigm, region):
    """10.2, 10.3: by the region of the ACQUIRE; None for regions that are no locks and for other paradigms."""
    if paradigm == 'OPENMP' and region.is_omp:
        critical = region.role in ('CRITICAL', 'CRITICAL_SBLOCK')
        return 'omp_lock_contention_critical' if critical else 'omp_lock_contention_api'
    if paradigm == 'PTHREAD' and region.pthread_name in PTHREAD_LOCKS:
        return 'pthread_lock_contention_' + PTHREAD_LOCKS[region.pthread_name]
    return None


def is_special(root, name):
    """The bindings give the special root values of OTF2 as numbers: none 2^32-1, self 2^32-2, this group 2^32-3."""
    return root == {'NONE': 0xffffffff, 'SELF': 0xfffffffe, 'THIS_GROUP': 0xfffffffd}[name]


def expand(prefix, words):
    """Expands 'a{b,c}d e' to {prefix + 'abd', prefix + 'acd', prefix + 'e'}."""
    result = set()
    for word in words.split():
        expanded = [word]
        while any('{' in w for w in expanded):
            step = []
            for w in expanded:
                if '{' in w:
                    head, rest = w.split('{', 1)
                    inner, tail = rest.split('}', 1)
                    step += [head + i + tail for i in inner.split(',')]
                else:
                    step.append(w)
            expanded = step
        result |= {prefix + w for w in expanded}
    return result


MPI_INIT_EXIT = expand('MPI_', 'Init Init_thread Initialized Finalize Finalized')
MPI_MGMT_COMM = expand('MPI_', '''Cart_{coords,create,get,map,rank,shift,sub} Cartdim_get
    Comm_{accept,compare,connect,create,create_group,create_keyval,delete_attr,disconnect,dup,dup_with_info,free}
    Comm_{free_keyval,get_attr,get_info,get_name,get_parent,group,idup,join,rank,remote_group,remote_size,set_attr}
    Comm_{set_info,set_name,size,spawn,spawn_multiple,split,split_type,test_inter} Dims_create
    Dist_graph_{create,create_adjacent,neighbors,neighbors_count} Graph_{create,get,map,neighbors,neighbors_count}
    Graphdims_get Intercomm_{create,merge} Topo_test {Close,Open}_port {Lookup,Publish,Unpublish}_name''')
MPI_MGMT_FILE = expand('MPI_File_', '''close delete
    get_{amode,atomicity,byte_offset,group,info,position,position_shared,size,type_extent,view} open preallocate seek
    seek_shared set_{atomicity,info,size,view} sync''')
MPI_MGMT_WIN = expand('MPI_Win_', '''allocate allocate_shared attach create create_dynamic create_keyval delete_attr detach
    free free_keyval get_{attr,group,info,name} set_{attr,info,name} shared_query''')
MPI_RMA_SYNC_ACTIVE = expand('MPI_Win_', 'complete fence post start test wait')
MPI_RMA_SYNC_PASSIVE = expand('MPI_Win_', 'flush flush_all flush_local flush_local_all lock lock_all unlock unlock_all sync')
MPI_TEST_WAIT = expand('MPI_', '{Test,Wait}{,all,any,some}')
MPI_IO_INDIVIDUAL = expand('MPI_File_', '{read,write,iread,iwrite}{,_at,_shared}')
MPI_IO_COLLECTIVE = expand('MPI_File_', '{iread,iwrite}_{all,at_all} {read,write}_{all,at_all,ordered}{,_begin,_end}')
OMP_LOCK_API = expand('omp_', '{destroy,init,set,test,unset}{,_nest}_lock')
PTHREAD_MANAGEMENT = expand('pthread_', 'cancel create detach exit join')
PTHREAD_LOCK_API = expand('pthread_mutex_', 'destroy init lock trylock unlock')
PTHREAD_CONDITIONAL = expand('pthread_cond_', 'broadcast destroy init signal timedwait wait')
OPENACC = {'openacc_setup': expand('acc_', 'init shutdown'), 'openacc_comm': expand('acc_', 'upload download'),
           'openacc_sync': {'acc_wait'}, 'openacc_kernel_launches': {'acc_launch_kernel'}}


def shmem_words(words, rest):
    return 'p?shmemx?_(?:.*_)?(?:%s)[0-9]*%s' % (words, rest)


LAST = '(?:_(?:nb|nbi|signal))*'
SHMEM = tuple((re.compile(pattern), metrics.split()) for pattern, metrics in (       # chapter 18: the first that matches the whole name
    ('p?shmemx?_(?:init|init_thread|finalize|global_exit)|start_pes', 'shmem_init_exit'),
    ('p?shmemx?_(?:malloc|malloc_with_hints?|calloc|realloc|align|free)|sh(?:malloc|realloc|memalign|free)|shp(?:alloc|clmove|deallc)',
     'shmem_memory_management'),
    (shmem_words('(?:broadcast|f?collect|alltoalls?)(?:mem)?|alltoallv|to|reduce|inscan|exscan', '(?:_.*)?'), 'shmem_collective'),
    (shmem_words('barrier|sync', '(?:_.*)?') + '|barrier.*', 'shmem_sync_collective'),
    (shmem_words('lock', LAST), 'shmem_point2point_synchronization shmem_lock_completion'),
    (shmem_words('wait|until', '(?:_.*)?'), 'shmem_point2point_synchronization shmem_wait_until'),
    (shmem_words('fence|quiet|poll|test|event', '(?:_.*)?') + '|p?shmemx?_signal_fetch', 'shmem_point2point_synchronization'),
    (shmem_words('atomic', '(?:_.*)?'), 'shmem_rma_communication'),
    (shmem_words('(?:put|get)(?:mem)?|ib?(?:put|get)|p|g|[cm]?swap|f?add|f?inc|fetch|set', LAST), 'shmem_rma_communication')))


def shmem_masks(name):
    if name == 'PARALLEL':
        return []
    return ['shmem'] + next((metrics for pattern, metrics in SHMEM if pattern.fullmatch(name)), [])


def mpi_masks(name, role):
    """24.2, paradigm mpi"""
    if name != 'PARALLEL':
        yield 'mpi'
    for metric, members in (('mpi_init_exit', MPI_INIT_EXIT), ('mpi_mgmt_comm', MPI_MGMT_COMM),
                            ('mpi_mgmt_file', MPI_MGMT_FILE), ('mpi_mgmt_win', MPI_MGMT_WIN),
                            ('mpi_rma_sync_active', MPI_RMA_SYNC_ACTIVE), ('syncs_rma_active', MPI_RMA_SYNC_ACTIVE),
                            ('mpi_rma_sync_passive', MPI_RMA_SYNC_PASSIVE), ('syncs_rma_passive', MPI_RMA_SYNC_PASSIVE),
                            ('mpi_io_individual', MPI_IO_INDIVIDUAL), ('mpi_io_collective', MPI_IO_COLLECTIVE),
                            ('comms_rma_puts', expand('MPI_', '{Put,Rput}')),
                            ('comms_rma_gets', expand('MPI_', '{Get,Rget}'))):
        if name in members:
            yield metric
    if role == 'BARRIER':
        yield 'mpi_sync_collective'
    if role == 'POINT2POINT' or name in MPI_TEST_WAIT:
        yield 'mpi_point2point'
    if role in ('COLL_ONE2ALL', 'COLL_ALL2ONE', 'COLL_ALL2ALL', 'COLL_OTHER'):
        yield 'mpi_collective'
    if role in ('RMA', 'ATOMIC'):
        yield 'mpi_rma_communication'
    if role == 'ATOMIC':
        yield 'comms_rma_atomics'
    if name in MPI_IO_INDIVIDUAL:
        yield 'mpi_file_iops'
        yield 'mpi_file_irops' if 'read' in name else 'mpi_file_iwops'
    if name in MPI_IO_COLLECTIVE:
        yield 'mpi_file_cops'
        yield 'mpi_file_crops' if 'read' in name else 'mpi_file_cwops'
    if name in MPI_MGMT_FILE:
        yield 'mpi_file_iops' if any(word in name for word in ('delete', 'get', 'seek')) else 'mpi_file_cops'


def masks(region, wanted):
    """24.2: the P metrics of a region."""
    name, role, paradigm, found = region.name, region.role, region.paradigm, []
    overhead = (paradigm == 'MEASUREMENT_SYSTEM' and name in ('TRACE BUFFER FLUSH', 'TRACING')
                or paradigm in ('OPENCL', 'CUDA') and name == 'BUFFER FLUSH')
    found.append('overhead' if overhead else 'execution')
    if paradigm == 'MPI':
        found += mpi_masks(name, role)
    elif paradigm == 'OPENMP':
        found += {'BARRIER': ['omp_ebarrier'], 'IMPLICIT_BARRIER': ['omp_ibarrier'], 'CRITICAL': ['omp_critical'],
                  'ATOMIC': ['omp_critical'], 'ORDERED': ['omp_ordered'], 'TASK_WAIT': ['omp_taskwait'],
                  'FLUSH': ['omp_flush'], 'TASK_CREATE': ['omp_task_create_time']}.get(role, [])
        found += ['omp_lock_api'] if name in OMP_LOCK_API else []
    elif paradigm == 'PTHREAD':
        found += [metric for metric, members in (('pthread_management', PTHREAD_MANAGEMENT),
                                                 ('pthread_lock_api', PTHREAD_LOCK_API),
                                                 ('pthread_conditional', PTHREAD_CONDITIONAL)) if name in members]
    elif paradigm == 'SHMEM':
        found += shmem_masks(name)
    elif paradigm == 'OPENACC':
        found += ['openacc_time'] + [metric for metric, members in OPENACC.items() if name.split('@')[0] in members]
    elif paradigm in ('OPENCL', 'CUDA') and not overhead:
        kind = paradigm.lower()
        kernel = region.source == paradigm + '_KERNEL'               # kernels are not part of the paradigm's time
        found.append(kind + ('_kernel_executions' if kernel else '_time'))
    return [metric for metric in found if metric in wanted]


# ---------------------------------------------------------------------------------------------------------------------

def main(arguments):
    compat, with_causes, files = False, '--causes' in arguments, []
    for argument in arguments:
        if argument == '--compat=scout26':
            compat = True
        elif argument == '--metrics':
            print(','.join(METRICS + (causes.METRICS if with_causes else ())))
            return 0
        elif argument == "--causes":
            pass
        elif argument.startswith('-'):
            files = []
            break
        else:
            files.append(argument)
    if len(files) != 1:
        sys.stderr.write(__doc__)
        return 2
    analysis = Analysis(Archive(files[0]), compat, with_causes)
    for problem, count in sorted(analysis.problems.items()):
        sys.stderr.write('oracle: %s: %d\n' % (problem, count))
    for row in analysis.rows():
        sys.stdout.write('%s\t%s\t%d\t%d\t%.17g\n' % row)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

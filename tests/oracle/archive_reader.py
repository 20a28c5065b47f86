"""The definitions and events of an archive, by the bindings of OTF2."""
from collections import defaultdict

import samples
from model import FLUSH, Communicator, Handle, Location, Region

REPAIRED_ROLES = {'mpi_' + name: role for role, names in {           # old versions of Score-P have FUNCTION for all of them
    'POINT2POINT': 'bsend_init iprobe irecv probe recv_init rsend_init send_init ssend_init',
    'RMA': 'put get', 'ATOMIC': 'accumulate', 'ALLOCATE': 'alloc_mem', 'DEALLOCATE': 'free_mem'}.items() for name in names.split()}


class Archive:
    """Definitions and events of an archive, read with the bindings of OTF2, which merge the clock offsets ("Clocks") and the
    identifier maps of the local definitions into the records."""

    def __init__(self, filename):
        import otf2
        self.remote_groups = repair_communicators(otf2)
        self.locations, self.comms, self.windows = [], {}, {}                        # windows: their communicators
        with otf2.reader.open(filename, batch_events=10000) as trace:
            definitions = trace.definitions
            self.resolution, self.offset = trace.timer_resolution, definitions.clock_properties.global_offset
            self.read_regions(definitions)
            self.read_locations(otf2, definitions)
            self.read_communicators(otf2, definitions)
            self.read_handles(definitions)
            self.read_events(otf2, trace)
        for location in self.locations:
            location.events = place_flushes(location.events)

    def to_seconds(self):
        """Times as scout has them, so that what is left of equal ones is what scout has left (a denominator of 1e-17)."""
        for location in self.locations:
            location.events = [((event[0] - self.offset) / self.resolution,) + tuple(event[1:]) for event in location.events]
        self.resolution = 1.0

    def read_regions(self, definitions):
        self.regions = {}
        for region in definitions.regions:
            role, paradigm = enum_name(region.region_role), enum_name(region.paradigm)
            canonical = region.canonical_name or region.name or ''
            if paradigm == 'MPI':
                role = REPAIRED_ROLES.get(canonical.lower().removeprefix('p'), role) if role == 'FUNCTION' else role
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
            if enum_name(location.type) != 'METRIC':                   # such ones have a number, but are no threads
                self.locations.append(self.by_ref[location._ref])
        self.locations.sort(key=lambda l: (l.process, l.thread))

    def read_communicators(self, otf2, definitions):
        """Ranks in records are ranks within the communicator. team_masters: thread 0 of teams."""
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

    def read_handles(self, definitions):
        """Handles of files; those of one name are one file."""
        self.handles = {}
        for handle in definitions.io_handles:
            file = getattr(handle.file, 'name', None) or handle.name or '(no name)'
            comm = handle.comm._ref if handle.comm is not None else None
            interface = handle.io_paradigm.name if handle.io_paradigm is not None else 'unknown'
            self.handles[handle._ref] = Handle(handle._ref, file, interface, handle.parent is not None, comm)

    def read_events(self, otf2, trace):
        """Events become tuples (time, kind, ...); calling contexts become enters and leaves."""
        e, stacks = otf2.events, {}
        create = self.record_makers(otf2)
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

    def record_makers(self, otf2):
        """Class of a record of OTF2 -> function that makes (kind, ...) of one; other records are left out."""
        e = otf2.events

        def task_id(v):
            """Generation 0 is the implicit task: None."""
            return (v.thread_team._ref, v.creating_thread, v.generation_number) if v.generation_number else None

        def file_other(v):
            return 'file_other', self.handles[v.handle._ref], False

        def file_opened(v):
            return 'file_other', self.handles[v.handle._ref], True

        def rma_complete(v):
            return 'rma_complete', v.win._ref, v.matching_id
        return {
            e.Enter: lambda v: ('enter', self.regions[v.region._ref]),
            e.Leave: lambda v: ('leave',),
            e.ProgramBegin: lambda v: ('program', v.program_name, list(v.program_arguments)),
            e.ProgramEnd: lambda v: ('leave',),
            e.BufferFlush: lambda v: ('flush', v.stop_time),
            e.MeasurementOnOff: lambda v: ('on' if enum_name(v.measurement_mode) == 'ON' else 'off',),
            e.MpiSend: lambda v: ('send', v.communicator._ref, v.receiver, v.msg_tag, v.msg_length, None),
            e.MpiIsend: lambda v: ('send', v.communicator._ref, v.receiver, v.msg_tag, v.msg_length, v.request_id),
            e.MpiIsendComplete: lambda v: ('send_complete', v.request_id),
            e.MpiIrecvRequest: lambda v: ('recv_request', v.request_id),
            e.MpiRecv: lambda v: ('recv', v.communicator._ref, v.sender, v.msg_tag, None),
            e.MpiIrecv: lambda v: ('recv', v.communicator._ref, v.sender, v.msg_tag, v.request_id),
            e.MpiRequestCancelled: lambda v: ('cancelled', v.request_id),
            e.MpiCollectiveBegin: lambda v: ('coll_begin',),
            e.MpiCollectiveEnd: lambda v: ('coll_end', enum_name(v.collective_op), v.communicator._ref, v.root,
                                           v.size_sent, v.size_received),
            e.NonBlockingCollectiveRequest: lambda v: ('nbc_request', v.request_id),
            e.NonBlockingCollectiveComplete: lambda v: ('nbc_complete', enum_name(v.collective_op), v.communicator._ref,
                                                        v.root, v.size_sent, v.size_received, v.request_id),
            e.RmaPut: lambda v: ('rma_op', v.bytes, 0, v.win._ref, v.remote, v.matching_id),
            e.RmaGet: lambda v: ('rma_op', 0, v.bytes, v.win._ref, v.remote, v.matching_id),
            e.RmaAtomic: lambda v: ('rma_op', v.bytes_sent, v.bytes_received, v.win._ref, v.remote, v.matching_id),
            e.RmaCollectiveBegin: lambda v: ('rma_begin',),
            e.RmaCollectiveEnd: lambda v: ('rma_end', v.win._ref, v.root),
            e.RmaGroupSync: lambda v: ('rma_group', v.sync_level.value != 0, v.win._ref, self.group_members(otf2, v.group)),
            e.RmaRequestLock: lambda v: ('rma_lock', v.win._ref, v.remote, enum_name(v.lock_type) == 'EXCLUSIVE'),
            e.RmaReleaseLock: lambda v: ('rma_unlock', v.win._ref, v.remote),
            e.RmaOpCompleteBlocking: rma_complete,
            e.RmaOpCompleteNonBlocking: rma_complete,
            e.RmaOpCompleteRemote: rma_complete,
            e.ThreadFork: lambda v: ('fork',),
            e.ThreadJoin: lambda v: ('join',),
            e.ThreadTeamBegin: lambda v: ('team_begin', v.thread_team._ref),
            e.ThreadTeamEnd: lambda v: ('team_end',),
            e.ThreadAcquireLock: lambda v: ('acquire', enum_name(v.model), v.lock_id, v.acquisition_order),
            e.ThreadReleaseLock: lambda v: ('release', enum_name(v.model), v.lock_id, v.acquisition_order),
            e.ThreadTaskCreate: lambda v: ('task_create', task_id(v)),
            e.ThreadTaskSwitch: lambda v: ('task_switch', task_id(v)),
            e.ThreadTaskComplete: lambda v: ('task_complete', task_id(v)),
            e.ThreadCreate: lambda v: ('thread_create', v.thread_contingent._ref, v.sequence_count),
            e.ThreadBegin: lambda v: ('thread_begin', v.thread_contingent._ref, v.sequence_count),
            e.ThreadWait: lambda v: ('thread_wait', v.thread_contingent._ref, v.sequence_count),
            e.ThreadEnd: lambda v: ('thread_end', v.thread_contingent._ref, v.sequence_count),
            e.IoCreateHandle: file_opened,
            e.IoDestroyHandle: file_opened,
            e.IoDuplicateHandle: lambda v: ('file_other', self.handles[v.new_handle._ref], False),
            e.IoSeek: file_other,
            e.IoChangeStatusFlags: file_other,
            e.IoAcquireLock: file_other,
            e.IoTryLock: file_other,
            e.IoOperationBegin: lambda v: ('file_begin', self.handles[v.handle._ref], enum_name(v.mode),
                                           not v.operation_flags.value & 1, bool(v.operation_flags.value & 2), v.matching_id),
            e.IoOperationIssued: lambda v: ('file_issued', self.handles[v.handle._ref], v.matching_id),
            e.IoOperationComplete: lambda v: ('file_complete', self.handles[v.handle._ref], v.matching_id, v.bytes_result),
            e.IoOperationCancelled: lambda v: ('file_complete', self.handles[v.handle._ref], v.matching_id, 0),
        }

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
    """A flush becomes Enter and Leave, both moved behind all events that are not later than themselves; the Leave
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

"""Waiting in one-sided communication ("One-sided communication" and its sections), not with --compat=scout26 (D6).

While the records of a process are replayed, they are only noted, each with the call in which it is; everything is found out when all
processes are done. Decisions where docs/metrics.md is open are in comments.
"""
from bisect import bisect_left
from collections import defaultdict

from .part import Part

COLLECTIVES = {'win_create': 'create', 'win_allocate': 'create', 'win_allocate_shared': 'create', 'win_create_dynamic': 'create',
               'win_free': 'free', 'win_fence': 'fence'}
LOCK_CALLS, UNLOCK_CALLS = {'win_lock', 'win_lock_all'}, {'win_unlock', 'win_unlock_all'}
# "Wait for Progress". Not MPI_Wait and the like, which may complete operations with a request: their time is none of
# synchronization of windows.
COMPLETING_CALLS = {'win_flush', 'win_flush_all', 'win_flush_local', 'win_flush_local_all', 'win_unlock_all'}
ALL = 0xffffffff                                                     # an undefined remote: of MPI_Win_lock_all


class Record:
    """A record of one-sided communication in a call. Of collectives begin and end are B and X."""

    def __init__(self, at):
        self.process, self.call, self.time = at.process, at.call, at.time
        self.begin, self.end = None, at.time


class Operation(Record):
    """ordinal: how many collectives of the window the origin had before."""

    def __init__(self, at, target, ordinal):
        super().__init__(at)
        self.target, self.ordinal, self.is_locked = target, ordinal, False


class Epoch:
    """An access or exposure epoch. begin, end: records, end is None if it never ends; matches: process -> epoch of the other side."""

    def __init__(self, begin, group):
        self.begin, self.group, self.end, self.operations, self.matches = begin, group, None, [], {}


class Lock:
    """A lock epoch: records of request and release; operations onto the target."""

    def __init__(self, request, target, is_exclusive):
        self.request, self.target, self.is_exclusive, self.release, self.operations = request, target, is_exclusive, None, []
        self.origin = request.process

    def events(self):
        """(time, record that stands for it), in the order of the records."""
        yield self.request.call.enter, self.request
        yield self.request.time, self.request
        for operation in self.operations:
            yield operation.call.enter, operation
            yield operation.time, operation
        yield self.release.call.enter, self.release


class Wait:
    """A wait that has one cause: at which record, how long, until when; record of the cause; whether its call was left before."""

    def __init__(self, record, value, until, cause):
        self.record, self.value, self.until, self.cause = record, value, until, cause
        self.is_clamped = until > record.call.leave


class OneSided(Part):
    """Of all processes. Windows are (reference, process if it is that of one process only).

    For the causes of waiting: waits, of one process for one other, and meetings: (class, members, member -> the one it
    waited for, until when)."""
    WAITS = ('mpi_rma_wait_at_create', 'mpi_rma_wait_at_free', 'mpi_rma_wait_at_fence', 'mpi_rma_early_fence', 'mpi_rma_sync_late_post',
             'mpi_rma_comm_late_post', 'mpi_rma_earlytransfer', 'mpi_rma_early_wait', 'mpi_rma_late_complete',
             'mpi_rma_sync_lock_competition', 'mpi_rma_comm_lock_competition', 'mpi_rma_sync_wait_for_progress',
             'mpi_rma_comm_wait_for_progress')
    COUNTS = ('mpi_rma_pairsync_count', 'mpi_rma_pairsync_unneeded_count', 'bytes_put', 'bytes_get')
    SUMS = (('bytes_rma', 'bytes_put bytes_get'),)
    IS_EXTENSION = True

    def __init__(self, analysis):
        super().__init__(analysis)
        self.begins = {}                                             # location -> last begin of a collective
        self.n_collectives = defaultdict(int)                        # (window, process) -> so far
        self.collectives = defaultdict(dict)                         # (window, k) -> process -> Record
        self.accesses, self.exposures = defaultdict(list), defaultdict(list)         # window -> epochs as they begin
        self.open_accesses, self.open_exposures = {}, {}             # (window, process) -> Epoch
        self.locks = defaultdict(list)                               # (window, target) -> lock epochs that are released
        self.open_locks = {}                                         # (window, origin, target) -> Lock
        self.requests = defaultdict(list)                            # call of a lock -> its Lock epochs, for MPI_Win_lock_all
        self.operations = defaultdict(list)                          # window -> operations
        self.by_id = {}                                              # (window, process, matching id) -> operation
        self.progress = []                                           # (call, target) that may wait for progress
        self.mpi_calls = defaultdict(list)                           # process -> location -> outermost MPI calls as they end
        self.waits, self.meetings = [], []
        self.contended = set()                                       # calls with lock contention

    # ---- while a process is replayed

    def window(self, ref, process):
        return ref, process if self.comm(ref).self_only else None

    def comm(self, ref):
        return self.archive.windows[ref]

    def problem(self, text):
        self.analysis.problems[text] += 1

    def note(self, record):
        self.analysis.note(record.call.location, record.time, 'rma', record)
        return record

    def on_rma_begin(self, at):
        self.begins[at.location] = at.time

    def on_rma_end(self, at, ref, root):
        begin = self.begins.pop(at.location, None)
        if not at.in_mpi:
            return
        record, window = Record(at), self.window(ref, at.process)
        record.begin = at.call.enter if begin is None or begin < at.call.enter else begin            # one of a call before is none
        k = self.n_collectives[window, at.process]
        self.n_collectives[window, at.process] += 1
        self.collectives[window, k][at.process] = self.note(record)

    def on_rma_group(self, at, synchronises, ref, group):
        if not at.in_mpi:
            return
        window, name = self.window(ref, at.process), at.call.region.mpi_name
        group = [at.process] if group is None else group
        if name in ('win_start', 'win_post'):
            epochs, is_open = ((self.accesses, self.open_accesses) if name == 'win_start' else
                               (self.exposures, self.open_exposures))
            if (window, at.process) in is_open:                         # that one never ends
                self.problem('epoch of a window begun twice')
            epoch = is_open[window, at.process] = Epoch(self.note(Record(at)), group)
            epochs[window].append(epoch)
        elif name == 'win_complete' or name == 'win_wait' or name == 'win_test' and synchronises:
            is_open = self.open_accesses if name == 'win_complete' else self.open_exposures
            epoch = is_open.pop((window, at.process), None)
            if epoch is None:
                self.problem('end of an epoch of a window that did not begin')
            else:
                epoch.end = self.note(Record(at))

    def on_rma_op(self, at, put, got, ref, remote, matching_id):
        if not at.in_mpi:
            return
        self.analysis.book('bytes_put', at.call, put)
        self.analysis.book('bytes_get', at.call, got)
        window, target = self.window(ref, at.process), self.comm(ref).peer(at.process, remote)
        if target is None:
            self.problem('operation onto a process that is not in the window')
            return
        operation = self.note(Operation(at, target, self.n_collectives[window, at.process]))
        self.operations[window].append(operation)
        self.by_id[window, at.process, matching_id] = operation
        if (window, at.process) in self.open_accesses:
            self.open_accesses[window, at.process].operations.append(operation)
        lock = self.open_locks.get((window, at.process, target))
        if lock is not None:
            operation.is_locked = True
            lock.operations.append(operation)
            self.progress.append((at.call, target))

    def targets(self, ref, process, remote):
        if remote == ALL:
            return self.comm(ref).members(process)
        target = self.comm(ref).peer(process, remote)
        return [] if target is None else [target]

    def on_rma_lock(self, at, ref, remote, is_exclusive):
        if not at.in_mpi or at.call.region.mpi_name not in LOCK_CALLS:
            return
        window, record = self.window(ref, at.process), self.note(Record(at))
        for target in self.targets(ref, at.process, remote):
            if (window, at.process, target) in self.open_locks:
                self.problem('lock of a window that was held already')
            lock = self.open_locks[window, at.process, target] = Lock(record, target, is_exclusive)
            self.requests[at.call].append(lock)
            if at.call.region.mpi_name == 'win_lock':
                self.progress.append((at.call, target))

    def on_rma_unlock(self, at, ref, remote):
        """A release without a target ends what MPI_Win_lock_all has begun."""
        if not at.in_mpi or at.call.region.mpi_name not in UNLOCK_CALLS:
            return
        window, record, found = self.window(ref, at.process), self.note(Record(at)), False
        for target in self.targets(ref, at.process, remote):
            lock = self.open_locks.pop((window, at.process, target), None)
            if lock is not None:
                lock.release, found = record, True
                self.locks[window, target].append(lock)
                if at.call.region.mpi_name == 'win_unlock':
                    self.progress.append((at.call, target))
        if not found:
            self.problem('unlock of a window that was not locked')

    def on_rma_complete(self, at, ref, matching_id):
        """The targets of calls that complete operations of a lock epoch."""
        if not at.in_mpi:
            return
        operation = self.by_id.get((self.window(ref, at.process), at.process, matching_id))
        if operation is not None and operation.is_locked and at.call.region.mpi_name in COMPLETING_CALLS:
            self.progress.append((at.call, operation.target))

    def call_left(self, process, call, is_outermost):
        if call.region.mpi_name is not None and is_outermost:
            self.mpi_calls[process].append(call)

    # ---- afterwards

    def analyze(self):
        self.window_collectives()
        self.match_epochs()
        self.late_posts()
        self.early_transfers()
        self.early_waits()
        self.lock_contention()
        self.wait_for_progress()
        self.pairs()

    def wait(self, metric, record, value, until, cause):
        """A wait with one cause; it lasts until the time given, or until its call is left."""
        self.analysis.book(metric, record.call, value)
        self.waits.append(Wait(record, value, until, cause))

    def complete(self, collectives):
        """Collectives of which all members of a window are there, of windows of at least two: (window, k), members by rank."""
        for (window, k), by_process in collectives.items():
            processes = self.comm(window[0]).members(window[1])
            if len(processes) < 2:
                continue
            if any(process not in by_process for process in processes):
                self.problem('incomplete collective of a window')
                continue
            yield window, k, [by_process[process] for process in processes]

    def window_collectives(self):
        """Wait at Create, Wait at Free, Wait at Fence, Early Fence."""
        latest_onto = {}                                             # (window, ordinal, target) -> operation, lowest origin of equals
        for window, operations in self.operations.items():
            for o in sorted(operations, key=lambda o: o.process):
                known = latest_onto.get((window, o.ordinal, o.target))
                if known is None or o.call.leave > known.call.leave:
                    latest_onto[window, o.ordinal, o.target] = o
        for window, k, members in self.complete(self.collectives):
            kinds = {COLLECTIVES.get(m.call.region.mpi_name) for m in members}
            if len(kinds) > 1:
                self.problem('collective of a window of different calls')
                continue
            kind, latest = kinds.pop(), max(m.begin for m in members)
            if kind is None:
                continue
            all_overlap = min(m.end for m in members) > latest
            self.analysis.operation = ('window', window, k)
            for m in members:
                last = latest_onto.get((window, k, m.process)) if kind == 'fence' else None
                early = last.call.leave - m.call.enter if last and m.call.enter < last.call.leave <= m.end else 0
                if all_overlap:
                    self.analysis.book('mpi_rma_wait_at_' + kind, m.call, latest - m.begin)
                    self.analysis.book('mpi_rma_early_fence', m.call, min(early, latest - m.begin))
                elif early:                                          # D14
                    self.analysis.book('mpi_rma_early_fence', m.call, early)
                    self.wait('mpi_rma_wait_at_fence', m, early, last.call.leave, last)
            self.analysis.operation = None
            if all_overlap:
                first = next(m for m in members if m.begin == latest)
                self.meetings.append(('barrier', members, {m: first for m in members}, latest))

    def match_epochs(self):
        """Epochs are numbered as they begin; one that never ends has a number, too."""
        for window in {**self.accesses, **self.exposures}:
            channels = defaultdict(lambda: ([], []))                 # (origin, target) -> access epochs, exposure epochs
            for epoch in self.accesses[window]:
                for target in epoch.group:
                    channels[epoch.begin.process, target][0].append(epoch)
            for epoch in self.exposures[window]:
                for origin in epoch.group:
                    channels[origin, epoch.begin.process][1].append(epoch)
            for (origin, target), (accesses, exposures) in channels.items():
                for access, exposure in zip(accesses, exposures):
                    access.matches[target], exposure.matches[origin] = exposure, access
                if len(accesses) != len(exposures):
                    self.analysis.problems['epoch of a window without a counterpart'] += abs(len(accesses) - len(exposures))

    def ended(self, epochs):
        return (epoch for window in epochs.values() for epoch in window if epoch.end is not None)

    def late_posts(self):
        """Late Post."""
        def end(record):
            """Score-P: a record without operations completed before has the time of the enter."""
            return record.time if record.time > record.call.enter else record.call.leave
        for epoch in self.ended(self.accesses):
            if not epoch.matches:
                continue
            posted = max(e.begin.call.enter for e in epoch.matches.values())
            target = min(t for t, e in epoch.matches.items() if e.begin.call.enter == posted)
            cause = epoch.matches[target].begin
            for record in (epoch.end, epoch.begin):
                if record.call.enter < posted < end(record):
                    self.wait('mpi_rma_sync_late_post', record, posted - record.call.enter, posted, cause)
                    break
            else:
                for o in reversed(epoch.operations):
                    if o.time < posted < o.call.leave:
                        self.wait('mpi_rma_comm_late_post', o, posted - o.time, posted, cause)
                        break

    def early_transfers(self):
        """Early Transfer. Of several operations of one call the longest, so that a call never waits longer than it lasts."""
        longest = {}
        for epoch in self.ended(self.accesses):
            for o in epoch.operations:
                if o.target in epoch.matches:
                    posted = epoch.matches[o.target].begin.call.enter
                    if o.call.enter < posted < o.call.leave:
                        longest[o.call] = max(longest.get(o.call, 0), posted - o.call.enter)
        for call, value in longest.items():
            self.analysis.book('mpi_rma_earlytransfer', call, value)

    def early_waits(self):
        """Early Wait, Late Complete."""
        for epoch in self.ended(self.exposures):
            origins = {origin: e for origin, e in epoch.matches.items() if e.end is not None}
            wait = epoch.end.call
            if wait.region.mpi_name != 'win_wait' or not origins:
                continue
            completed = max(e.end.call.enter for e in origins.values())
            clamped = min(completed, wait.leave)
            if clamped <= wait.enter:
                continue
            last = origins[min(o for o, e in origins.items() if e.end.call.enter == completed)]
            self.wait('mpi_rma_early_wait', epoch.end, clamped - wait.enter, completed, last.end)
            left = [o.call.leave for e in origins.values() for o in e.operations if o.target == epoch.end.process]
            latest = max(left or [e.begin.call.leave for e in origins.values()])     # D15
            self.analysis.book('mpi_rma_late_complete', wait, max(0, clamped - max(latest, wait.enter)))

    def lock_contention(self):
        """Lock Contention of windows. A release at the same time is none before; of several at one time the lowest origin is the holder."""
        predecessors = {}
        for locks in self.locks.values():
            locks.sort(key=lambda lock: (lock.release.time, lock.origin))
            for lock in locks:
                before = [p for p in locks[:locks.index(lock)] if p.release.time < lock.release.time]
                if not lock.is_exclusive:
                    before = [p for p in before if p.is_exclusive]
                if before:
                    free = before[-1].release.time
                    predecessors[lock] = next(p for p in before if p.release.time == free)
        for call, locks in self.requests.items():
            known = [lock for lock in locks if lock in predecessors]
            if not known:
                continue
            latest = max(predecessors[lock].release.time for lock in known)          # MPI_Win_lock_all: one target counts
            lock = min((lock for lock in known if predecessors[lock].release.time == latest), key=lambda lock: lock.target)
            events = [(time, record) for time, record in lock.events() if time <= latest]
            if not events:
                continue
            time, record = events[-1]
            value = min(latest, record.call.leave) - time
            if value > 0:
                is_sync = record.call.region.mpi_name in LOCK_CALLS | UNLOCK_CALLS
                self.wait('mpi_rma_%s_lock_competition' % ('sync' if is_sync else 'comm'), record, value, latest,
                          predecessors[lock].release)
                self.contended.add(record.call)

    def wait_for_progress(self):
        """Wait for Progress. An unlock that ends nothing, and operations outside of lock epochs, are not in self.progress."""
        by_location = defaultdict(dict)                              # process -> location -> its calls, and when they are left
        for process, calls in self.mpi_calls.items():
            for call in sorted(calls, key=lambda c: c.enter):
                by_location[process].setdefault(call.location, []).append(call)
            for location, own in by_location[process].items():
                by_location[process][location] = own, [call.leave for call in own]
        longest = {}
        for call, target in self.progress:
            if call in self.contended or target == call.location.process:
                continue
            first = None
            for own, leaves in by_location[target].values():
                at = bisect_left(leaves, call.enter)
                if at < len(own) and (first is None or own[at].enter < first):
                    first = own[at].enter
            if first is not None and call.enter < first <= call.leave:
                longest[call] = max(longest.get(call, 0), first - call.enter)
        for call, value in longest.items():
            is_sync = call.region.mpi_name.startswith('win_')
            self.analysis.book('mpi_rma_%s_wait_for_progress' % ('sync' if is_sync else 'comm'), call, value)

    def pairs(self):
        """Pair-wise synchronizations. Fences are counted where they are, also where other processes lack theirs."""
        def book(call, pairs, used):
            self.analysis.book('mpi_rma_pairsync_count', call, pairs)
            self.analysis.book('mpi_rma_pairsync_unneeded_count', call, pairs - used)
        for epoch in self.ended(self.accesses):
            book(epoch.end.call, len(epoch.group), len({o.target for o in epoch.operations} & set(epoch.group)))
        for epoch in self.ended(self.exposures):
            process = epoch.end.process
            book(epoch.end.call, len(epoch.group),
                 sum(1 for e in epoch.matches.values() if any(o.target == process for o in e.operations)))
        partners = defaultdict(set)
        for window, operations in self.operations.items():
            for o in operations:
                partners[window, o.ordinal, o.process].add(o.target)
                partners[window, o.ordinal, o.target].add(o.process)
        for (window, k), members in self.collectives.items():
            size = len(self.comm(window[0]).members(window[1]))
            for process, m in members.items():
                if m.call.region.mpi_name == 'win_fence':
                    book(m.call, size, len(partners[window, k, process]))

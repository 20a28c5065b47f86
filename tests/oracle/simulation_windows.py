"""What calls of one-sided communication depend on ("Windows" of docs/simulation.md), from the records of each process."""
from bisect import bisect_right
from collections import defaultdict

from simulation_threads import Dependency

COLLECTIVES = {'win_create': 'WIN_CREATE', 'win_allocate': 'WIN_CREATE', 'win_allocate_shared': 'WIN_CREATE', 'win_create_dynamic': 'WIN_CREATE',
               'win_free': 'WIN_FREE', 'win_fence': 'WIN_FENCE'}
COMPLETING = {'win_flush', 'win_flush_all', 'win_flush_local', 'win_flush_local_all', 'win_unlock_all'}
NO_ACCESS = {'win_post', 'win_wait', 'win_test', 'win_fence'}        # they are calls of no access epoch
ALL = 0xffffffff


def is_fence(call):
    return call.name == 'win_fence' and any(record[0] == 'rma_end' for record in call.records)


class Epoch:
    """Of one side for one process of the other: calls that begin and end it; number: of the process's calls."""

    def __init__(self, begin):
        self.begin, self.end = begin, None


class Lock:
    def __init__(self, call, is_exclusive):
        self.begin, self.is_exclusive, self.end, self.release = call, is_exclusive, None, None


class Windows:
    def __init__(self, model):
        self.model, self.windows = model, model.archive.windows
        self.collectives = defaultdict(lambda: defaultdict(list))    # window -> process -> [(kind, call)]
        self.accesses, self.exposures = defaultdict(list), defaultdict(list)         # (window, origin, target) -> epochs
        self.locks = defaultdict(list)                               # (window, target) -> lock epochs that ended
        self.on_locked = []                                          # (call, target), each once
        for process, calls in model.processes.items():
            self.read(process, calls)

    def group(self, window):
        return [process for group in self.windows[window].groups for process in group]

    def is_shared(self, window):
        return not self.windows[window].self_only and len(self.group(window)) > 1

    def read(self, process, calls):
        open_epochs, open_locks, operations = {}, {}, {}
        for call in calls:
            targets = []
            for kind, *rest in call.records:
                handler = getattr(self, 'on_' + kind, None)
                if handler is not None:
                    handler(process, call, open_epochs, open_locks, operations, targets, *rest)
            self.on_locked += [(call, target) for target in dict.fromkeys(targets) if target != process]

    # ---- records -------------------------------------------------------------------------------------------------------------

    def on_rma_end(self, process, call, open_epochs, open_locks, operations, targets, window, _):
        if self.is_shared(window) and call.name in COLLECTIVES:
            self.collectives[window][process].append((COLLECTIVES[call.name], call))

    def on_rma_group(self, process, call, open_epochs, open_locks, operations, targets, synchronises_group, window, group):
        is_access = call.name in ('win_start', 'win_complete')
        if group is None or self.windows[window].self_only:
            return
        if call.name in ('win_start', 'win_post'):
            open_epochs[window, is_access] = []
            for other in group:
                key = (window, process, other) if is_access else (window, other, process)
                epoch = Epoch(call)
                (self.accesses if is_access else self.exposures)[key].append(epoch)
                open_epochs[window, is_access].append(epoch)
        elif call.name in ('win_complete', 'win_wait') or call.name == 'win_test' and synchronises_group:
            for epoch in open_epochs.pop((window, is_access), ()):
                epoch.end = call

    def on_rma_op(self, process, call, open_epochs, open_locks, operations, targets, put, got, window, remote, number):
        target = self.model.archive.windows[window].peer(process, remote)
        operations[window, number] = (target, (window, target) in open_locks)
        if (window, target) in open_locks:
            targets.append(target)

    def targets(self, window, process, remote):
        if remote == ALL:
            return self.group(window)
        target = self.windows[window].peer(process, remote)
        return [] if target is None else [target]

    def on_rma_lock(self, process, call, open_epochs, open_locks, operations, targets, window, remote, is_exclusive):
        if self.windows[window].self_only:
            return
        for target in self.targets(window, process, remote):
            open_locks[window, target] = Lock(call, is_exclusive and remote != ALL)
        if remote != ALL:
            targets += self.targets(window, process, remote)

    def on_rma_unlock(self, process, call, open_epochs, open_locks, operations, targets, window, remote, time):
        for target in self.targets(window, process, remote):
            lock = open_locks.pop((window, target), None)
            if lock is None:
                continue
            lock.end, lock.release = call, time
            self.locks[window, target].append(lock)
            if remote != ALL:
                targets.append(target)

    def on_rma_complete(self, process, call, open_epochs, open_locks, operations, targets, window, number):
        target, is_locked = operations.get((window, number), (None, False))
        call.completes_operations |= is_locked and call.name in COMPLETING | {'win_unlock'}
        if is_locked and call.name in COMPLETING:
            targets.append(target)

    # ---- what depends on what ------------------------------------------------------------------------------------------------

    def settle(self):
        self.settle_collectives()
        for key, accesses in self.accesses.items():
            for access, exposure in zip(accesses, self.exposures[key]):
                self.settle_epoch(access, exposure)
        for locks in self.locks.values():
            self.settle_locks(locks)
        self.settle_targets()

    def depend(self, call, on, kind):
        call.dependencies.append(Dependency(kind, [on], 0, self.model.same(call.process, on.process)))

    def settle_collectives(self):
        for window, by_process in self.collectives.items():
            members = self.group(window)
            for k in range(min(len(by_process[process]) for process in members)):
                kinds, calls = {by_process[process][k][0] for process in members}, [by_process[process][k][1] for process in members]
                if len(kinds) > 1 or min(call.leave for call in calls) < max(call.enter for call in calls):
                    continue
                kind, same = kinds.pop(), len({self.model.node[process] for process in members}) == 1
                for call in calls:
                    call.dependencies.append(Dependency('collective', calls, 0, same, kind, len(members)))
                    call.dependencies[-1].is_for_all, call.dependencies[-1].processes = True, set(members)

    def settle_epoch(self, access, exposure):
        posted = exposure.begin.enter
        if access.end is not None:
            calls = self.model.processes[access.end.process]
            inside = [call for call in calls[calls.index(access.begin):calls.index(access.end) + 1] if self.is_at_window(call)]
            waiting = [call for call in inside if call.enter < posted <= call.leave][:1] or [access.end]
            if posted <= waiting[0].leave:
                self.depend(waiting[0], exposure.begin, 'epoch')
        if access.end is not None and exposure.end is not None:
            self.depend(exposure.end, access.end, 'epoch')

    @staticmethod
    def is_at_window(call):
        """MPI_Wait is none, though it may complete an operation."""
        kinds = {'rma_group', 'rma_op', 'rma_lock', 'rma_unlock'} | ({'rma_complete'} if call.name in COMPLETING else set())
        return call.name not in NO_ACCESS and any(record[0] in kinds for record in call.records)

    def settle_locks(self, locks):
        if not any(lock.is_exclusive for lock in locks):
            return
        latest = exclusive = None
        locks.sort(key=lambda lock: (lock.release, lock.begin.process))
        for release in sorted({lock.release for lock in locks}):
            now = [lock for lock in locks if lock.release == release]
            for lock in now:
                self.settle_lock(lock, latest if lock.is_exclusive else exclusive)
            latest = now[0]
            exclusive = next((lock for lock in now if lock.is_exclusive), exclusive)

    def settle_lock(self, lock, before):
        if before is None or before.begin.process == lock.begin.process:
            return
        calls = self.model.processes[lock.begin.process]
        for call in calls[calls.index(lock.begin):calls.index(lock.end) + 1]:
            if self.is_at_window(call) and call.leave >= before.release:
                self.depend(call, before.end, 'window lock')
                return

    def settle_targets(self):
        n, absent = defaultdict(lambda: [0, 0]), []
        for call, target in self.on_locked:
            calls = self.model.processes[target]
            i = bisect_right([other.leave for other in calls], call.enter)
            if i == len(calls) or calls[i].enter <= call.enter:
                continue
            same = self.model.same(call.process, target)
            n[same][0] += 1
            n[same][1] += call.leave < calls[i].enter
            if call.leave >= calls[i].enter:
                absent.append((call, calls[i]))
        for call, there in absent:
            total, left = n[self.model.same(call.process, there.process)]
            if not (left >= 2 and 10 * left >= total):
                self.depend(call, there, 'access')

"""What each call of an archive depends on, and how long it takes alone (docs/simulation.md), from its records: slow, sequential.
MPI of one thread per process."""
from bisect import bisect_right
from collections import Counter, defaultdict

from archive_reader import Archive
from simulation_threads import HANDLES, Dependency, Process
from simulation_windows import Windows

WAITS = {'wait', 'waitany', 'waitall', 'waitsome'}
SYNCHRONOUS, NEVER = {'ssend', 'issend'}, {'bsend', 'ibsend', 'rsend', 'irsend'}
FIRST, LAST = {'BCAST', 'SCATTER', 'SCATTERV'}, {'GATHER', 'GATHERV', 'REDUCE'}
PREFIX, EXCHANGE = {'SCAN', 'EXSCAN'}, {'ALLTOALLV', 'ALLTOALLW'}
SYNCHRONISING = {'BARRIER', 'INIT', 'FINALIZE', 'WIN_CREATE', 'WIN_FREE', 'WIN_FENCE'}
ROOT_SELF = 2 ** 32 - 2


class Model:
    def __init__(self, anchor, nodes, known):
        """nodes: location -> node. known: (process, thread) -> [(enter, leave)] of the calls that the simulation has, in their order."""
        archive, self.anchor, self.delays = Archive(anchor), anchor, None
        self.archive, self.resolution = archive, archive.resolution
        self.streams, self.has_other_callers = {}, False             # (process, thread) -> its calls and computation; whether others call MPI
        self.processes, self.missing = defaultdict(list), 0          # process -> calls of MPI; calls that should be known
        self.known = known
        self.node = {location.process: nodes[location.ref] for location in archive.locations if location.thread == 0}
        for process in sorted({location.process for location in archive.locations if location.events}):
            self.read(process)
        self.leaves = {process: [call.leave for call in calls] for process, calls in self.processes.items()}
        self.stays = {process: self.begins_of_stays(calls) for process, calls in self.processes.items()}
        if self.has_other_callers:
            return
        self.match_messages()
        self.match_collectives()
        self.learn_protocol()
        self.settle_sends()
        self.settle_collectives()
        Windows(self).settle()
        self.fit()

    def same(self, a, b):
        return self.node[a] == self.node[b]

    # ---- calls ---------------------------------------------------------------------------------------------------------------

    def read(self, process):
        """The calls of all threads, in their order, with the computation before them."""
        locations = [location for location in self.archive.locations if location.process == process and location.is_cpu]
        known = {thread: set(self.known.get((process, thread), ())) for thread in range(len(locations))}
        read = Process(locations, self.archive.team_masters, known, self)
        self.missing += read.missing
        for thread, stream in read.streams.items():
            if stream.begin is None and not stream.calls:
                continue
            self.streams[process, thread] = stream
            before, place = Counter(), 0
            for index, call in enumerate(stream.calls):
                call.index = index
                since = stream.calls[index - 1].leave if index else 0
                while place < len(stream.segments) and stream.segments[place][0] <= call.enter:
                    end, path, time = stream.segments[place]
                    before[path] += time
                    call.in_mpi_before += time if end - time >= since and any(region.mpi_name for region in path) else 0
                    place += 1
                call.before, before = before, Counter()
            for _, path, time in stream.segments[place:]:
                before[path] += time
            stream.tail = before
            calls = [call for call in stream.calls if call.is_mpi()]
            if thread == 0:
                self.processes[process] = calls
            elif calls:
                self.has_other_callers = True

    def is_collective(self, record):
        """Whether it is one of an operation of several processes."""
        if record[0] not in ('coll_end', 'nbc_complete') or record[1] in HANDLES:
            return False
        comm = self.archive.comms[record[2]]
        return not comm.self_only and sum(map(len, comm.groups)) > 1

    def is_logged(self, call):
        """Whether the call has records that are kept."""
        return call.name in ('init', 'init_thread', 'finalize') or any(
            kind in ('send', 'recv', 'recv_request', 'nbc_request') or (kind == 'nbc_complete' and rest[0] not in HANDLES) or
            self.is_collective((kind, *rest)) or (kind == 'send_complete' and call.name in WAITS)
            for kind, *rest in call.records)

    def has_records(self, call, at_all):
        """Whether the call communicates; at_all: or may do so."""
        return call.name in ('init', 'init_thread', 'finalize') or (at_all and bool(call.records)) or any(
            record[0] in ('send', 'recv', 'recv_request', 'nbc_request') or self.is_collective(record) for record in call.records)

    # ---- messages ------------------------------------------------------------------------------------------------------------

    def match_messages(self):
        sends, receives = defaultdict(list), defaultdict(list)
        for process, calls in self.processes.items():
            requests, posts = {}, {}
            for call in calls:
                n_posts = 0
                for kind, *rest in call.records:
                    if kind == 'send':
                        comm, peer, tag, size, request = rest
                        send = {'call': call, 'size': size, 'tag': tag, 'done': call if request is None else None, 'process': process}
                        key = (comm, process, self.peer(comm, process, peer), tag)
                        sends[key].append(send)
                        requests[request] = (key, send)
                    elif kind == 'send_complete' and rest[0] in requests:
                        if call.name in WAITS:
                            requests[rest[0]][1]['done'] = call
                            call.completes_sends = True
                    elif kind == 'cancelled':
                        key, send = requests.pop(rest[0], (None, None))
                        if send in sends.get(key, ()):
                            sends[key].remove(send)
                    elif kind == 'recv_request':
                        posts[rest[0]] = (call.index, n_posts, call)
                        n_posts += 1
                    elif kind == 'recv':
                        comm, peer, tag, request = rest
                        post = (call.index, 2 ** 31, call) if request is None else posts.pop(request, None)
                        receives[comm, self.peer(comm, process, peer), process, tag].append({'call': call, 'post': post})
        self.messages = []
        for key, some in receives.items():
            some.sort(key=lambda receive: (receive['post'] or (receive['call'].index, 2 ** 31))[:2])
            self.messages += zip(sends[key], some)

    def peer(self, comm, process, rank):
        communicator = self.archive.comms[comm]
        if communicator.self_only:
            return process
        groups = communicator.groups
        if len(groups) == 1:
            return groups[0][rank]
        return groups[1 if process in groups[0] else 0][rank]

    def next_call(self, process, time):
        calls = self.processes[process]
        i = bisect_right(self.leaves[process], time)
        return calls[i] if i < len(calls) and calls[i].enter > time else None

    def begins_of_stays(self, calls):
        """Of each call, the first one of its stay in MPI: calls with less than 100 us between are one."""
        begins = []
        for call, before in zip(calls, [None, *calls]):
            goes_on = before is not None and call.index == before.index + 1 and call.enter < before.leave + self.resolution // 10000
            begins.append(begins[-1] if goes_on else call)
        return begins

    def there_call(self, process, time):
        """The call with whose enter the process is in MPI at that time, or else next."""
        calls, i = self.processes[process], bisect_right(self.leaves[process], time)
        if i == len(calls):
            return None
        first = self.stays[process][i]
        return first if first.enter <= time else calls[i]

    def learn_protocol(self):
        evidence = defaultdict(lambda: [0, 0, 0, 0])
        for send, receive in self.messages:
            done, post = send['done'], receive['post']
            if done is None or post is None or send['call'].name in SYNCHRONOUS | NEVER or any(r[0] == 'recv' for r in done.records):
                continue
            if send['process'] == receive['call'].process or post[2].enter <= done.enter:
                continue
            n, following = evidence[self.same(send['process'], receive['call'].process), send['size'].bit_length()], \
                self.next_call(receive['call'].process, done.enter)
            n[0] += 1
            n[1] += done.leave < post[2].enter
            if following is not None:
                n[2] += 1
                n[3] += done.leave < following.enter
        self.protocol, self.evidence = {}, evidence
        for key, n in evidence.items():
            if n[3] >= 2 and n[3] >= n[2] / 10:
                self.protocol[key] = 'eager'
            elif n[1] >= 2 and n[1] >= n[0] / 20:
                self.protocol[key] = 'progress' if n[2] >= 4 else 'eager'
            elif n[0] >= 8:
                self.protocol[key] = 'rendezvous'

    def protocol_of(self, same, size):
        for distance in range(65):
            for at in (size - distance, size + distance):
                if (same, at) in self.protocol:
                    return self.protocol[same, at]
        return 'eager'

    def settle_sends(self):
        for send, receive in self.messages:
            call, done, post = receive['call'], send['done'], receive['post']
            same = self.same(send['process'], call.process)
            call.dependencies.append(Dependency('receive', [send['call']], send['size'], same, send=send))
            if post is not None and post[2] is not call and post[2].is_polled:
                post[2].dependencies.append(Dependency('receive', [send['call']], send['size'], same, send=send))
            if done is None or post is None or send['call'].name in NEVER:
                continue
            protocol = self.protocol_of(same, send['size'].bit_length())
            if send['call'].name in SYNCHRONOUS:
                protocol = 'rendezvous'
            there = self.there_call(call.process, done.enter) if send['process'] != call.process else None
            if protocol == 'rendezvous' and done.leave >= post[2].enter:
                done.dependencies.append(Dependency('rendezvous', [post[2]], send['size'], same, send=send))
                done.dependencies[-1].is_synchronous = send['call'].name in SYNCHRONOUS
            if protocol == 'progress' and there is not None and done.leave >= there.enter:
                done.dependencies.append(Dependency('progress', [there], send['size'], same, send=send))

    # ---- collective operations -----------------------------------------------------------------------------------------------

    def match_collectives(self):
        blocking, others = defaultdict(lambda: defaultdict(list)), defaultdict(lambda: defaultdict(list))
        for process, calls in self.processes.items():
            requests, done, n_requests = {}, [], 0
            for call in calls:
                if call.name in ('init', 'init_thread', 'finalize'):
                    blocking[call.name[:4]][process].append((call, call, 'BARRIER', 0, 0, 0))
                for kind, *rest in call.records:
                    if kind == 'coll_end' and rest[0] not in HANDLES:
                        operation, comm, root, sent, received = rest
                        blocking[comm][process].append((call, call, operation, root, sent, received))
                    elif kind == 'nbc_request':
                        requests[rest[0]] = (n_requests, call)
                        n_requests += 1
                    elif kind == 'nbc_complete':
                        operation, comm, root, sent, received, request = rest
                        number, start = requests.pop(request)
                        if operation in HANDLES:
                            continue
                        done.append((comm, number, (start, call, operation, root, sent, received)))
            for comm, number, member in sorted(done, key=lambda row: row[:2]):
                others[comm][process].append(member)
        self.operations = []                                         # (comm, non-blocking, {process: member})
        for is_nbc, table in ((False, blocking), (True, others)):
            for comm, by_process in table.items():
                everybody = sorted(self.processes) if comm in ('init', 'fina') else \
                    [process for group in self.archive.comms[comm].groups for process in group]
                if comm not in ('init', 'fina') and (self.archive.comms[comm].self_only or len(everybody) < 2):
                    continue
                for k in range(min(len(by_process[process]) for process in everybody)):
                    self.operations.append((comm, is_nbc, {process: by_process[process][k] for process in everybody}))

    def after(self, member):
        """The call of MPI after the one that starts a non-blocking operation."""
        calls = self.processes[member[0].process]
        return next((call for call in calls[calls.index(member[0]) + 1:]), member[0])

    def learn_progress(self):
        """Kinds of non-blocking operations that go on in calls of MPI only."""
        seen = defaultdict(lambda: [0, 0])
        for comm, is_nbc, members in self.operations:
            for operation, waiter, sources, _ in self.waits(members, comm) if is_nbc else ():
                again = max(self.after(source).enter for source in sources)
                seen[operation][0] += waiter[1].enter < again
                seen[operation][1] += waiter[1].leave < again
        self.progressing = {operation for operation, (n, left) in seen.items() if n >= 4 and 10 * left < n}

    def settle_collectives(self):
        self.learn_progress()
        later = defaultdict(lambda: [0, 0])
        rooted = []
        for comm, is_nbc, members in self.operations:
            groups = [sorted(members)] if comm in ('init', 'fina') else self.archive.comms[comm].groups
            for operation, waiter, sources, is_for_all in self.waits(members, comm):
                starts = [self.after(source) if is_nbc and operation in self.progressing else source[0] for source in sources]
                name = 'FINALIZE' if comm == 'fina' else 'INIT' if comm == 'init' else operation
                waiter[1].dependencies.append(self.on(name, waiter, starts, members))
                waiter[1].dependencies[-1].is_for_all = is_for_all
            names, most = {member[2] for member in members.values()}, max(max(member[4:]) for member in members.values())
            if len(names) > 1 or most == 0 or is_nbc:
                continue
            operation = names.pop()
            if operation in FIRST | LAST and len(groups) == 1 and len(members) > 2:
                rooted.append((groups[0], members, operation))
            if operation in PREFIX:
                for i, process in enumerate(groups[0][1:], 1):
                    waiter = members[process]
                    waiter[1].dependencies.append(self.on(operation, waiter, [members[p][0] for p in groups[0][:i]], members))
        for ranks, members, operation in rooted:
            key, n, root = self.tree_key(ranks, members, operation)
            for i, a in enumerate(ranks):
                for k, b in enumerate(ranks):
                    if i != k and members[b][0].enter > members[a][0].enter and self.is_looked_at(n, (i - root) % n, (k - root) % n):
                        counts = later[key + ((i - root) % n, (k - root) % n)]
                        counts[0] += 1
                        counts[1] += members[a][1].leave < members[b][0].enter
        self.trees = {key for key, (n, left) in later.items() if n >= 3 and left == 0}
        for ranks, members, operation in rooted:
            self.settle_tree(ranks, members, operation)

    def on(self, operation, waiter, sources, members, kind='collective', is_leave=False):
        same = len({self.node[process] for process in members}) == 1
        dependency = Dependency(kind, sources, max(waiter[4:]), same, operation, len(members), is_leave=is_leave)
        dependency.processes = set(members)
        return dependency

    def waits(self, members, comm):
        """(operation, member that waits, members that it waits for, whether for all), but of prefix reductions and trees."""
        groups = [sorted(members)] if comm in ('init', 'fina') else self.archive.comms[comm].groups
        names, most = {member[2] for member in members.values()}, max(max(member[4:]) for member in members.values())
        operation = names.pop()
        if names or operation in HANDLES or operation in PREFIX or (most == 0 and operation != 'BARRIER') or (
                operation in EXCHANGE and any(not m[4] or not m[5] for m in members.values())):
            return
        for i, group in enumerate(groups):
            other = groups[1 - i] if len(groups) > 1 else group
            if operation in FIRST | LAST:
                yield from self.root_waits(group, other, members, operation, len(groups) == 1)
                continue
            sources = [members[process] for process in other if operation == 'BARRIER' or members[process][4] > 0]
            for process in group:
                if sources and (operation == 'BARRIER' or members[process][5] > 0):
                    yield operation, members[process], sources, True

    @staticmethod
    def root_waits(group, other, members, operation, is_one_group):
        for rank, process in enumerate(group):
            root = members[process]
            for peer in other if root[3] == (rank if is_one_group else ROOT_SELF) else ():
                member = members[peer]
                if peer != process and member[5 if operation in FIRST else 4]:
                    yield (operation, member, [root], False) if operation in FIRST else (operation, root, [member], False)

    @staticmethod
    def is_looked_at(n, a, b):
        return n <= 64 or abs(a - b).bit_count() == 1

    def tree_key(self, ranks, members, operation):
        n = len(ranks)
        return (operation, n, max(max(m[4:]) // n for m in members.values()).bit_length()), n, next(iter(members.values()))[3]

    def settle_tree(self, ranks, members, operation):
        key, n, root = self.tree_key(ranks, members, operation)
        for i, a in enumerate(ranks):
            call = members[a][1]
            if operation in LAST and i == root:
                continue
            latest, latest_time, is_left = None, call.enter, False
            end = call.leave + (call.leave - call.enter) // 32
            following = self.streams[a, 0].calls[call.index + 1:call.index + 2]
            if following and following[0].enter <= end:
                end = max(call.leave, following[0].enter - 1)
            for b in ranks:
                start = members[b][0]
                before = self.streams[b, 0].calls[start.index - 1] if start.index > 0 else None
                time = start.enter if start.enter <= call.leave else before.leave if before else 0
                if b != a and latest_time < time <= end:
                    latest, latest_time, is_left = b, time, start.enter > call.leave
            for k, b in enumerate(ranks):
                start, leaves = members[b][0], b == latest and is_left
                if k == i or (start.enter > call.leave and not leaves) or (operation in FIRST and k == root):
                    continue
                if b == latest or key + ((i - root) % n, (k - root) % n) in self.trees:
                    source = self.streams[b, 0].calls[start.index - 1] if leaves else start
                    call.dependencies.append(self.on(operation, members[a], [source], members, 'tree', leaves))

    # ---- fits ----------------------------------------------------------------------------------------------------------------

    @staticmethod
    def quantile(values, parts):
        value = values[(len(values) + parts - 1) // parts - 1]
        if value < 8:
            return value
        shift = value.bit_length() - 4
        return value >> shift << shift

    def fit_of(self, observed):
        """(median, 10 % quantile, instances, mean bytes) of [(time, bytes)]"""
        values = sorted(max(0, value) for value, _ in observed)
        return self.quantile(values, 2), self.quantile(values, 10), len(values), sum(size for _, size in observed) // len(observed)

    def medians(self, observed):
        everything = defaultdict(list)
        for (kind, what, same, _, _), values in observed.items():
            everything[kind, what, same, None, None] += values
        for group, values in [*observed.items(), *everything.items()]:
            self.fits[group] = self.fit_of(values)

    def fitted(self, group, default):
        fit = self.fits.get(group, self.fits.get(group[:3] + (None, None)))
        return default if fit is None else fit[0] * self.fit_factor

    def local_group(self, call):
        ds = call.dependencies
        return ('local', call.path[-1], all(d.same for d in ds), sum(d.size for d in ds).bit_length(), max(d.members for d in ds).bit_length())

    def fit(self):
        order = ('receive', 'rendezvous', 'progress', 'collective', 'tree', 'fork', 'join', 'thread barrier', 'lock', 'task', 'taskwait',
                 'epoch', 'window lock', 'access')
        calls = [c for stream in self.streams.values() for c in stream.calls if c.dependencies]
        observed, self.fits, self.fit_factor = defaultdict(list), {}, 1
        for call in calls:
            call.dependencies.sort(key=lambda d: (order.index(d.kind),) + d.place())
            latest = max(d.time for d in call.dependencies)
            decided = next(d for d in call.dependencies if d.time == latest)
            if latest > call.enter or call.starts:
                observed[decided.group()].append((call.leave - latest, decided.size))
        self.medians(observed)
        observed = defaultdict(list)
        for call in calls:
            if not call.starts and all(d.time <= call.enter and d.time + self.fitted(d.group(), 0) <= call.enter for d in call.dependencies):
                observed[self.local_group(call)].append((call.leave - call.enter, sum(d.size for d in call.dependencies)))
        self.medians(observed)
        self.lines = self.lines_of_fits()
        self.set_all_terms(1)
        self.find_order()

    def set_all_terms(self, factor):
        """With all fits so many times as long."""
        self.fit_factor = factor
        for call in (c for stream in self.streams.values() for c in stream.calls):
            self.set_terms(call)

    def lines_of_fits(self):
        """(kind, operation, same node, members) -> latency, ticks of 2^32 bytes, number of sizes"""
        points, lines = defaultdict(list), {}
        for (kind, what, same, size, members), (_, low, n, mean) in sorted(self.fits.items(), key=lambda fit: fit[0][3] or 0):
            if size is not None and kind in ('receive', 'collective', 'tree') and what not in SYNCHRONISING:
                points[kind, what, same, members].append((mean, low, n))
        for key, some in points.items():
            frequent = [point for point in some if point[2] >= 8]
            some = frequent if len(frequent) > 1 else some
            (x, y, _), (x2, y2, _) = some[0], some[-1]
            slope = ((y2 - y) << 32) // (x2 - x) if y2 > y and x2 > x else 0
            lines[key] = max(0, y - (x * slope >> 32)), slope, len(some)
        return lines

    # ---- order ---------------------------------------------------------------------------------------------------------------

    def neighbours(self):
        """Calls that receive, with the one before at their call path: (both calls, earliest dependency, latest of the one before)."""
        for calls in self.processes.values():
            last = {}
            for call in calls:
                receives = [d for d in call.dependencies if d.kind == 'receive']
                if not receives or call.name in ('waitall', 'testall'):
                    continue
                earliest, latest = min(receives, key=lambda d: d.time), max(receives, key=lambda d: d.time)
                before = last.get(call.path)
                if before is not None and before[1].sources[0].process != earliest.sources[0].process:
                    yield (before[0], call), earliest, before[1]
                last[call.path] = call, latest

    def find_order(self):
        late = Counter(calls[1].path for calls, earliest, before in self.neighbours()
                       if earliest.transfer >= 0 and earliest.time + earliest.transfer < before.time)
        self.directed = {path for path, n in late.items() if n >= 3}

    def reordered(self, enters):
        return {call for calls, earliest, before in self.neighbours() for call in calls
                if call.path not in self.directed and earliest.time >= before.time
                and enters[earliest.sources[0]] < enters[before.sources[0]]}

    # ---- terms ---------------------------------------------------------------------------------------------------------------

    def set_terms(self, call):
        call.local = call.leave - call.enter
        if not call.dependencies:
            return
        latest = max(d.time for d in call.dependencies)
        arrivals = [d.time + self.fitted(d.group(), 0) for d in call.dependencies]
        for d, arrival in zip(call.dependencies, arrivals):
            d.transfer = min(arrival - d.time, call.leave - d.time)
        if latest > call.enter or call.starts:
            decided = next(d for d in call.dependencies if d.time == latest)
        elif max(arrivals) > call.enter:
            decided = call.dependencies[arrivals.index(max(arrivals))]
        else:
            return
        decided.transfer = call.leave - decided.time
        if call.is_nested:
            return
        local = 0 if call.was_idle else self.fitted(self.local_group(call), call.leave - latest)
        call.local = min(max(0, local), call.leave - call.enter)

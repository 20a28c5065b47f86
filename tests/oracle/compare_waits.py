#!/usr/bin/python3
"""Who waits for whom at the end of random programs that were stopped: heddle's tables against rules that were written from
docs/user-guide.md#what-could-not-finish alone: process by process, without a graph, by trying everything until nothing changes.

usage: compare_waits.py HEDDLE TW_RANDOM FIRST LAST [--rma] [--mpirun PROGRAM]

Compared are, for each process, whether it waits, was doing something else or has finished, whether nothing can help it, for certain or as it looks, and
with which others it is in a cycle. --mpirun: on two ranks of two threads, too, where all tables have to be the same. Prints the seeds that differ.
Exit status: 0 all equal, 1 some differ.
"""
import os
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import run_matrix
import runner
from archive_reader import Archive

OPERATIONS = ('barrier bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw allreduce reduce '
              'reduce_scatter scan exscan reduce_scatter_block').split()
SILENT = ('win_create win_allocate win_allocate_shared win_create_dynamic comm_dup comm_split comm_split_type comm_create cart_create cart_sub '
          'graph_create file_open file_close').split()          # collectives without a record
NEED_ONE = 'bcast gather gatherv scatter scatterv alltoallv alltoallw reduce scan exscan'.split()
HANDLES = ('CREATE_HANDLE', 'DESTROY_HANDLE', 'ALLOCATE', 'DEALLOCATE', 'CREATE_HANDLE_AND_ALLOCATE', 'DESTROY_HANDLE_AND_DEALLOCATE')
WORLD = 'all processes'
MAX_COMMUNICATORS = 8


class Process:
    """One thread each: what it had done when its recording ended."""

    def __init__(self, number, events, program):
        self.number, self.program = number, program
        self.stack, self.completed, self.requests, self.sends = [], {}, {}, []      # sends: [key, cancelled, frame, request]
        self.received, self.exposed, self.accessed = {}, {}, {}
        self.taken, self.told, self.events = {}, {}, len(events)
        for event in events:
            handler = getattr(self, 'on_' + event[1], None)
            if handler is not None:
                handler(*event[2:])
        self.top = self.stack[-1] if self.stack else None
        self.init = self.completed.get(WORLD, 0)

    # -- records

    def enter(self, name, call):
        self.stack.append({'name': name, 'call': call, 'records': []})

    def on_enter(self, region):
        is_mpi = region.canonical.lower().startswith(('mpi_', 'pmpi_'))
        self.enter(region.name, region.canonical.lower().partition('mpi_')[2] if is_mpi else None)

    def on_program(self, name, _):
        self.enter(name, None)

    def on_off(self):
        self.enter('MEASUREMENT OFF', None)

    def on_on(self):
        self.on_leave()

    def on_leave(self):
        frame = self.stack.pop()
        if frame['call'] in ('init', 'init_thread'):
            self.completed[WORLD] = 1
        elif frame['call'] == 'finalize':
            self.completed[WORLD] = 2

    def note(self, kind):
        if self.stack:
            self.stack[-1]['records'].append(kind)

    def on_send(self, comm, receiver, tag, _, request):
        key = (comm, tag, self.number, self.program.archive.comms[comm].peer(self.number, receiver))
        self.sends.append({'key': key, 'cancelled': False, 'frame': self.stack[-1], 'request': request})
        if request is not None:
            self.requests[request] = ('send', self.sends[-1])
        self.note('send')

    def on_send_complete(self, request):
        self.requests.pop(request, None)
        self.note('completion')

    def on_recv_request(self, request):
        self.requests[request] = ('receive',)

    def on_recv(self, comm, sender, tag, request):
        key = (comm, tag, self.program.archive.comms[comm].peer(self.number, sender), self.number)
        self.received[key] = self.received.get(key, 0) + 1
        self.requests.pop(request, None)
        self.note('recv')

    def on_cancelled(self, request):
        what = self.requests.pop(request, ('none',))
        if what[0] == 'send':
            what[1]['cancelled'] = True

    def on_coll_end(self, operation, comm, *_):
        if operation not in HANDLES:
            self.completed[comm] = self.completed.get(comm, 0) + 1
            self.note('collective')

    def on_nbc_request(self, request):
        self.requests[request] = ('other',)

    def on_nbc_complete(self, *values):
        self.requests.pop(values[-1], None)
        self.note('completion')

    def on_rma_end(self, window, *_):
        key = ('window', window)
        self.completed[key] = self.completed.get(key, 0) + 1
        self.note('collective')

    def tell(self, window, kind, group, book):
        for peer in group:
            book[(window, kind, peer)] = book.get((window, kind, peer), 0) + 1

    def end_access(self, window, group):
        self.tell(window, 'complete', group, self.told)
        self.tell(window, 'post', group, self.taken)

    def on_rma_group(self, is_done, window, group):
        group, call = [self.number] if group is None else group, self.stack[-1]['call']
        if call == 'win_post':
            if window in self.exposed:
                self.tell(window, 'complete', self.exposed[window], self.taken)
            self.exposed[window] = group
            self.tell(window, 'post', group, self.told)
        elif call == 'win_start':
            if window in self.accessed:
                self.end_access(window, self.accessed[window])
            self.accessed[window] = group
        elif call == 'win_complete' and window in self.accessed:
            self.stack[-1]['epoch'] = (window, self.accessed[window])
            self.end_access(window, self.accessed.pop(window))
        elif call in ('win_wait', 'win_test') and is_done and window in self.exposed:
            self.stack[-1]['epoch'] = (window, self.exposed[window])
            self.tell(window, 'complete', self.exposed.pop(window), self.taken)
        elif call == 'win_test' and not is_done:
            return
        self.note('group')

    # -- what it waits for: a list of ('peer', process, doubtful), ('anybody', doubtful), ('operation', where, number, what, sure)

    def path(self):
        return tuple(frame['name'] for frame in self.stack)

    def may_receive(self):
        return self.waits and (any(r[0] == 'receive' for r in self.requests.values()) or self.is_receiving())

    def is_receiving(self):
        call, records = self.top['call'], self.top['records']
        if call in ('sendrecv', 'sendrecv_replace'):
            return len(records) <= 1
        return call in ('recv', 'mrecv', 'probe', 'mprobe') and not records

    def find_waits(self):
        self.needs_all, self.waits = False, []
        if self.top is None or self.top['call'] is None or self.init == 2:
            return
        call, records = self.top['call'], self.top['records']
        if call in ('init', 'init_thread', 'finalize'):
            self.waits = [('operation', WORLD, call == 'finalize', 'init or finalize', True)]
        elif call in ('send', 'ssend'):
            self.waits = [('peer', s['key'][3], None) for s in self.sends if s['frame'] is self.top and self.program.is_unmatched(s)]
        elif self.is_receiving():
            self.waits = [('anybody', None)]
        elif call in ('wait', 'waitany', 'waitall', 'waitsome'):
            self.find_requests(records)
        elif call in ('win_start', 'win_complete', 'win_wait'):
            self.find_epoch(call, records)
        elif call in ('win_lock', 'win_lock_all', 'win_unlock', 'win_unlock_all', 'win_flush', 'win_flush_all',
                      'intercomm_create', 'intercomm_merge'):
            self.waits = [('anybody', True)]
        elif call in OPERATIONS + SILENT + ['win_fence', 'win_free']:
            self.find_operations(call, records)

    def find_requests(self, records):
        if records:
            return
        doubt = any(r[0] == 'send' and not self.program.is_unmatched(r[1]) for r in self.requests.values())
        for request in self.requests.values():
            if request[0] == 'send' and self.program.is_unmatched(request[1]):
                self.waits.append(('peer', request[1]['key'][3], doubt or None))
            elif request[0] == 'receive':
                self.waits.append(('anybody', doubt or None))
            elif request[0] == 'other':
                self.waits.append(('anybody', True))

    def find_epoch(self, call, records):
        is_exposure, kind = call == 'win_wait', 'complete' if call == 'win_wait' else 'post'
        epoch = self.top.get('epoch')
        if epoch is None:
            still_open = list((self.exposed if is_exposure else self.accessed).items())
            if len(still_open) != 1 or ('group' in records and call != 'win_start'):
                self.waits = [('anybody', True)]
                return
            epoch = still_open[0]
        window, group = epoch
        self.needs_all = True
        for peer in group:
            wanted = self.taken.get((window, kind, peer), 0) + (self.top.get('epoch') is None)
            if self.program.processes[peer].told.get((window, kind, self.number), 0) < wanted:
                self.waits.append(('peer', peer, False))

    def find_operations(self, call, records):
        if records:
            return
        is_window = call in ('win_fence', 'win_free')
        places = self.program.windows() if is_window else self.program.communicators()
        mine   = [place for place, members in places.items() if self.number in members]
        if not 0 < len(mine) <= MAX_COMMUNICATORS:
            self.waits = [('anybody', True)]
            return
        what = call if call in OPERATIONS else self.top['name']
        self.waits = [('operation', place, self.completed.get(place, 0), what, len(mine) == 1) for place in mine]


def mpi_communicators(anchor):
    """Others are teams of threads."""
    import otf2
    with otf2.reader.open(anchor) as trace:
        return {comm._ref for comm in trace.definitions.comms if comm.group.paradigm == otf2.Paradigm.MPI}


class Program:
    def __init__(self, anchor):
        self.archive   = Archive(anchor)
        self.of_mpi    = mpi_communicators(anchor)
        self.processes = {l.process: Process(l.process, l.events, self) for l in self.archive.locations}
        for process in self.processes.values():
            process.find_waits()
        self.over = {p.number for p in self.processes.values()     # in an operation that may be over
                     if any(w[0] == 'operation' and not any(self.missing(p, w)) for w in p.waits)}

    def communicators(self):
        return {ref: c.members(0) for ref, c in self.archive.comms.items()
                if ref in self.of_mpi and not c.self_only and sum(len(g) for g in c.groups) > 1}

    def windows(self):
        return {('window', ref): c.members(0) for ref, c in self.archive.windows.items() if not c.self_only and sum(len(g) for g in c.groups) > 1}

    def is_unmatched(self, send):
        alike  = [s for s in self.processes[send['key'][2]].sends if s['key'] == send['key'] and not s['cancelled']]
        number = next(i for i, s in enumerate(alike) if s is send)
        peer   = self.processes.get(send['key'][3])
        return peer is None or number >= peer.received.get(send['key'], 0)

    def has_messages(self, receiver):
        return any(s['key'][3] == receiver and not s['cancelled'] and self.is_unmatched(s) for p in self.processes.values() for s in p.sends)

    def missing(self, process, wait):
        """Who is not there, and who perhaps is."""
        _, place, number, what, sure = wait
        members = self.processes if place == WORLD else {**self.communicators(), **self.windows()}[place]
        hard, soft = set(), set()
        for member in members:
            other = self.processes[member]
            if other.completed.get(place, 0) > number:
                continue
            if not any(w[0] == 'operation' and w[1:4] == wait[1:4] for w in other.waits):
                hard.add(member)
            elif not sure and other.path() != process.path():
                soft.add(member)
        return hard, soft

    def is_finished(self, process):
        return process.init == 2 or (process.init == 0 and process.top is None and process.events > 0)

    def kind(self, number):
        process = self.processes[number]
        if self.is_finished(process):
            return 'finished'
        return 'waits' if process.waits and number not in self.over else 'stopped'

    def can_go(self, process, wait, can, certain):
        others = can - {process.number}
        if wait[0] == 'anybody':
            doubt = wait[1] if wait[1] is not None else self.has_messages(process.number)
            return (certain and doubt) or bool(others)
        if wait[0] == 'peer':
            doubt = wait[2] if wait[2] is not None else wait[1] in self.processes and self.processes[wait[1]].may_receive()
            return (certain and doubt) or wait[1] in can
        hard, soft = self.missing(process, wait)
        if wait[3] in NEED_ONE:
            return not hard | soft or (certain and bool(soft)) or bool((hard | soft) & can)
        return (hard if certain else hard | soft) <= can

    def who_can_go(self, certain):
        can = {n for n in self.processes if self.kind(n) == 'stopped'}
        while True:
            more = {n for n, p in self.processes.items() if self.kind(n) == 'waits' and n not in can and
                    (all if p.needs_all else any)(self.can_go(p, w, can, certain) for w in p.waits)}
            if not more:
                return can
            can |= more

    def depends(self, process, blocked):
        for wait in process.waits:
            if wait[0] == 'peer':
                yield wait[1]
            elif wait[0] == 'anybody':
                yield from blocked
            else:
                yield from set.union(*self.missing(process, wait))

    def result(self, has_stopped):
        """{process: (kind, blocked, processes of its cycle)} of those that have not finished; none if no process waits, and none stopped."""
        if not has_stopped and not any(self.kind(n) == 'waits' for n in self.processes):
            return {}
        certain, likely = self.who_can_go(True), self.who_can_go(False)
        blocked = {n for n in self.processes if self.kind(n) == 'waits' and n not in likely}
        reach   = {n: {m for m in self.depends(self.processes[n], blocked) if m in blocked} for n in blocked}
        for _ in blocked:
            for n in blocked:
                reach[n] |= {k for m in reach[n] for k in reach[m]}
        found = {}
        for n in self.processes:
            if self.kind(n) == 'finished':
                continue
            cycle = frozenset(m for m in blocked if m in reach[n] and n in reach[m]) if n in blocked else frozenset()
            alone = cycle == {n} and not any(w[0] == 'peer' and w[1] == n for w in self.processes[n].waits)
            state = 'no' if n not in blocked else 'likely' if n in certain else 'certain'
            found[n] = (self.kind(n), state, frozenset() if alone else cycle)
        return found


def run(*command):
    code, _, errors = runner.run(command)
    if code not in (0, 3):
        sys.exit('compare_waits: %s: exit status %d\n%s' % (' '.join(command), code, errors.decode(errors='replace')))


def tables(report):
    with tarfile.open(report) as archive:
        names = [name for name in archive.getnames() if name in ('heddle.waitgraph.tsv', 'heddle.waits.tsv')]
        return [archive.extractfile(name).read().decode() for name in names]


def has_stopped(report):
    """Whether the report has a finding that processes stopped early."""
    findings = report.replace('.cubex', '.findings.tsv')
    return os.path.exists(findings) and any(line.startswith('stopped\t') for line in open(findings))


def numbers(runs):
    for part in runs.split(','):
        first, _, last = part.partition('-')
        yield from range(int(first), int(last or first) + 1)


def told(texts):
    """The same of heddle's tables."""
    if not texts:
        return {}
    lines = [line.split('\t') for line in texts[0].split('\n') if line]
    nodes = [dict(zip(lines[0], line)) for line in lines[1:]]
    found, cycles = {}, {}
    for node in nodes:
        if node['kind'] in ('waits', 'stopped', 'no-recording'):
            for n in numbers(node['processes']):
                found[n] = ('waits' if node['kind'] == 'waits' else 'stopped', node['blocked'], node['cycle'])
                cycles.setdefault(node['cycle'], set()).add(n)
    return {n: (kind, blocked, frozenset(cycles[cycle]) if cycle else frozenset()) for n, (kind, blocked, cycle) in found.items()}


def main():
    words = sys.argv[1:]
    mpirun = words.pop(words.index('--mpirun') + 1) if '--mpirun' in words else None
    kinds  = ['rma'] if '--rma' in words else []
    heddle, writer, first, last = [word for word in words if not word.startswith('--')]
    n, n_waiting, n_cycles, n_certain, wrong = 0, 0, 0, 0, []
    for seed in range(int(first), int(last) + 1):
        with tempfile.TemporaryDirectory() as folder:
            archive, report = os.path.join(folder, 'trace'), os.path.join(folder, 'r.cubex')
            anchor = os.path.join(archive, 'traces.otf2')
            run(writer, str(seed), archive, *kinds, 'stopped')
            run(heddle, 'analyze', '--quiet', '--force', '--threads', '1', '-o', report, anchor)
            texts = tables(report)
            expected, found = Program(anchor).result(has_stopped(report)), told(texts)
            if mpirun is not None:
                run(mpirun, '-n', '2', heddle, 'analyze', '--quiet', '--force', '--bind', 'none', '--threads', '2', '-o', report, anchor)
                if tables(report) != texts:
                    print('seed %d: other tables on two ranks' % seed)
                    wrong.append(seed)
        n += 1
        n_waiting += any(kind == 'waits' for kind, _, _ in expected.values())
        n_cycles  += any(cycle for _, _, cycle in expected.values())
        n_certain += any(cycle and state == 'certain' for _, state, cycle in expected.values())
        if expected != found:
            wrong.append(seed)
            for process in sorted(set(expected) | set(found)):
                if expected.get(process) != found.get(process):
                    print('seed %d, process %d: %s, expected %s' % (seed, process, found.get(process), expected.get(process)))
    print('%d programs, in %d of them a process waits, in %d in a cycle (%d certain); %d differ%s'
          % (n, n_waiting, n_cycles, n_certain, len(wrong), ': ' + ' '.join(map(str, wrong)) if wrong else ''))
    sys.exit(1 if wrong or n_waiting == 0 else 0)


if __name__ == '__main__':
    main()

"""What the threads of a process do in the order of time, and which of their calls depend on which (docs/simulation.md): forks, barriers,
locks, ordered regions, tasks, created threads."""
import functools
import heapq
import os
from collections import Counter, defaultdict

from model import PAUSE, TASKS, THREADS, artificial

TESTS, PROBES = {'test', 'testany', 'testall', 'testsome'}, {'probe', 'iprobe', 'mprobe', 'improbe'}
HANDLES = {'CREATE_HANDLE', 'ALLOCATE', 'CREATE_HANDLE_AND_ALLOCATE', 'DESTROY_HANDLE', 'DEALLOCATE', 'DESTROY_HANDLE_AND_DEALLOCATE'}
LOCK_CALLS = {'mutex_lock', 'mutex_trylock', 'cond_wait', 'cond_timedwait'}


@functools.cache
def program_of(name):
    region = artificial(name)
    region.is_program = True
    return region


class Call:
    """A call of MPI with records, or a moment or a wait of a thread. before: computation since the call before, call path -> time.
    in_mpi_before: time in other calls of MPI since then."""

    def __init__(self, location, path, enter, leave=None, is_barrier=False):
        self.process, self.thread, self.path, self.enter, self.leave = location.process, location.thread, path, enter, leave
        self.name, self.records, self.begin, self.before, self.dependencies, self.in_mpi_before = None, [], None, None, [], 0
        self.local, self.index, self.is_barrier, self.is_idle, self.starts = None, None, is_barrier, False, False
        self.is_nested, self.is_polled, self.completes_sends = False, False, False                # nested: it encloses the call before it
        self.completes_operations = False                            # at a window, in a lock epoch
        self.is_cut = False                                          # the end of the recording closed it

    def is_mpi(self):
        return self.name is not None

    def order(self):
        return (self.leave, self.enter == self.leave, -self.enter)


class Polls:
    """Tests and probes without a record one after the other ("Polled waits")."""

    def __init__(self, call, short):
        self.around, self.begin, self.short = call.path[:-1], call.enter, short
        self.n, self.n_short = 0, 0

    def add(self, call, time, passed):
        """passed: time of the region around since the last call with a record, until now."""
        self.n, self.is_probe, self.last_leave, self.last_length = self.n + 1, call.name in PROBES, time, time - call.enter
        self.passed = passed

    def goes_on(self, call):
        """Whether the call comes after nothing but time of the region around."""
        gap = call.enter - self.last_leave
        if call.path[:-1] != self.around or call.around_time - self.passed != gap:
            return False
        self.n_short += gap <= self.short or gap // 10 <= self.last_length
        return True

    def is_wait(self, call):
        """Whether the call, which has records, is what they waited for."""
        return ((call.name in TESTS or self.is_probe) and self.goes_on(call) and 2 * self.n_short >= self.n and
                any(kind in ('recv', 'recv_request') or (kind == 'nbc_complete' and rest[0] not in HANDLES) for kind, *rest in call.records))


class Dependency:
    """sources: calls of whose enters the latest counts; is_leave: the leave of one; send: of a message."""

    def __init__(self, kind, sources, size, same, operation=None, members=0, send=None, is_leave=False):
        self.send, self.processes, self.moved = send, None, None
        self.kind, self.sources, self.size, self.same, self.operation, self.members = kind, sources, size, same, operation, members
        self.transfer, self.is_for_all, self.is_synchronous, self.is_leave = None, False, False, is_leave
        self.time = max(source.leave if is_leave else source.enter for source in sources)

    def new_time(self, enters, leaves):
        """None: not known yet."""
        times = [(leaves if self.is_leave else enters).get(source) for source in self.sources]
        return None if None in times else max(times)

    def place(self):
        """Of several with equal times the first one decides: by process, thread and call, and those on all members last."""
        last = self.sources[-1]
        return (2 ** 32, 0, 0) if self.is_for_all else (last.process, last.thread, last.index)

    def group(self):
        return (self.kind, self.operation, self.same, self.size.bit_length(), self.members.bit_length())


def moved_tasks(locations):
    """(team, its instance, task) of those that several threads run."""
    threads = defaultdict(set)
    for location in locations:
        n_begun = Counter()
        for _, kind, *rest in location.events:
            if kind == 'team_begin':
                n_begun[rest[0]] += 1
            elif kind == 'task_switch' and rest[0] is not None:
                threads[n_begun[rest[0][0]], rest[0]].add(location.thread)
    return {key for key, some in threads.items() if len(some) > 1}


class Frame:
    part = 0                                                         # of its task

    def __init__(self, region, enter, instance=None):
        self.region, self.enter, self.away, self.instance = region, enter, [], instance     # away: when the task went on after others ran


class Task:
    """part: of one that moves to another thread, how often it went on."""

    def __init__(self, key, base):
        self.key, self.base, self.frames, self.left, self.part = key, base, [], None, 0

    def path(self):
        return self.base + tuple(frame.region for frame in self.frames)


class Team:
    """An instance: calls of its threads. barriers: number -> [(thread, times at which it is there, its call)]."""

    def __init__(self):
        self.fork, self.begins, self.ends, self.join, self.barriers = None, [], [], None, defaultdict(list)
        self.path = None                                             # call path of the fork


class Membership:
    def __init__(self, team, owner, fork, base, task):
        self.team, self.owner, self.fork, self.base, self.task = team, owner, fork, base, task
        self.has_parallel, self.n_barriers, self.parallel = False, 0, None


class Stream:
    """A location. segments: (end, call path, time). calls: in their order, once all are known."""

    def __init__(self, location):
        self.location, self.calls, self.segments, self.begin, self.last, self.end = location, [], [], None, None, None
        self.implicit = Task(None, ())
        self.task = self.implicit
        self.current, self.depth = None, 0                           # call of MPI that is open, and regions in it
        self.since, self.polls = Counter(), None                     # call path -> time since the last call with records
        self.teams, self.forks, self.forked, self.n_begun = [], [], [], defaultdict(int)
        self.instances = []                                          # [regions that are open, enter, leave] of each region
        self.is_cut, self.owned, self.switched, self.outside = False, set(), 0, Membership(None, False, None, (), None)

    def book(self, time):
        if self.last is not None and time >= self.last:
            path = self.task.path() if self.task.frames else ()
            self.segments.append((time, path, time - self.last))
            self.since[path] += time - self.last
        self.last = time

    def team(self):
        return self.teams[-1] if self.teams else self.outside

    def running(self):
        """Of the innermost team: an explicit task, or the implicit one of this thread."""
        team = self.team()
        return (id(team.team), team.task) if team.task else (id(team.team), self.location.thread)

    def put(self, enter, leave, path=None, is_barrier=False):
        self.calls.append(Call(self.location, self.task.path() if path is None else path, enter, leave, is_barrier))
        return self.calls[-1]


class Process:
    def __init__(self, locations, team_masters, known, model):
        """known: thread -> set of (enter, leave) of the calls that the simulation has. model: says which calls have records."""
        self.streams = {location.thread: Stream(location) for location in locations}
        self.team_masters, self.known, self.model = team_masters, known, model
        self.teams, self.tasks, self.program, self.missing, self.moved = {}, {}, (), 0, moved_tasks(locations)
        self.releases, self.created, self.ended, self.creations, self.children = {}, {}, {}, {}, defaultdict(list)
        self.acquires, self.ordered, self.begun, self.waits, self.joins, self.thread_begins = [], [], [], [], [], []
        events = [[(event[0], location.thread, i, event) for i, event in enumerate(location.events + [(location.events[-1][0], 'cut')])]
                  for location in locations if location.events]
        for time, thread, _, event in heapq.merge(*events):
            handler = getattr(self, 'on_' + event[1], None)
            stream = self.streams[thread]
            if handler is not None:
                handler(stream, time, *event[2:])
            elif stream.current is not None:
                stream.current.records.append(event[1:] + ((time,) if event[1] == 'rma_unlock' else ()))
            stream.end = time
        self.connect()

    # ---- regions -------------------------------------------------------------------------------------------------------------

    def on_enter(self, stream, time, region):
        stream.begin = time if stream.begin is None else stream.begin
        stream.book(time)
        stream.task.frames.append(Frame(region, time, [[frame.region for frame in stream.task.frames] + [region], time, None]))
        stream.instances.append(stream.task.frames[-1].instance)
        stream.task.frames[-1].part = stream.task.part
        if stream.current is not None:
            stream.depth += 1
        elif region.mpi_name is not None:
            stream.current, stream.depth = Call(stream.location, stream.task.path(), time), 0
            stream.current.name = region.mpi_name
            stream.current.around_time = stream.since[stream.current.path[:-1]]

    def on_program(self, stream, time, name, _):
        self.on_enter(stream, time, program_of(os.path.basename(name)))
        self.program = stream.task.path() if stream.location.thread == 0 else self.program

    def on_off(self, stream, time):
        self.on_enter(stream, time, PAUSE)

    def on_on(self, stream, time):
        if stream.task.frames and stream.task.frames[-1].region is PAUSE:
            self.on_leave(stream, time)

    def on_leave(self, stream, time):
        if not stream.task.frames:
            return
        stream.book(time)
        frame, path = stream.task.frames[-1], stream.task.path()
        if stream.current is not None and stream.depth > 0:
            stream.depth -= 1
        elif stream.current is not None:
            self.left_mpi(stream, time)
        elif frame.region.is_omp:
            self.left_omp(stream, time, frame, path)
        stream.task.frames.pop().instance[2] = time

    def on_cut(self, stream, time):
        """The end of the recording closes what is open."""
        stream.is_cut = True
        while stream.task.frames:
            self.on_leave(stream, time)
        if stream.task is not stream.implicit:
            stream.team().task = None
            self.go_on(stream, time, stream.implicit)
        while stream.task.frames:
            self.on_leave(stream, time)

    def left_mpi(self, stream, time):
        call, stream.current = stream.current, None
        call.leave = time
        if self.model.is_logged(call):
            if stream.polls is not None and stream.polls.is_wait(call):
                stream.segments = [part for part in stream.segments if not stream.polls.begin < part[0] <= call.enter]
                call.enter, call.is_polled = stream.polls.begin, True
            stream.polls = None
        if (call.enter, time) in self.known[call.thread] and self.model.has_records(call, True):
            stream.calls.append(call)
            stream.since = Counter()
            return
        if (call.enter, time) in self.known[call.thread] and self.model.archive.windows:      # whoever waits for it to be in MPI may see it
            stream.calls.append(call)
            stream.since = Counter()
        self.missing += self.model.has_records(call, False)
        if call.name in TESTS | PROBES and len(call.path) > 1 and not any(record[0] == 'send_complete' for record in call.records):
            if stream.polls is None or not stream.polls.goes_on(call):
                stream.polls = Polls(call, self.model.resolution // 1000)
            stream.polls.add(call, time, stream.since[stream.polls.around])
        elif call.name in TESTS | PROBES:
            stream.polls = None

    def left_omp(self, stream, time, frame, path):
        team, frames = stream.team(), stream.task.frames
        if frame.region.role == 'TASK_WAIT' and (stream.is_cut or frame.part != stream.task.part):
            return
        if frame.region.role == 'TASK_WAIT':
            call = stream.put(max(frame.enter, stream.switched), time, path)
            self.waits.append((time, call.thread, len(stream.calls), call, stream.running()))
        elif frame.region.role == 'ORDERED_SBLOCK' and len(frames) > 1 and frames[-2].region.role == 'ORDERED':
            acquire = stream.put(frames[-2].enter, frame.enter, path[:-1])
            self.ordered += [(acquire.leave, acquire.thread, id(team.team), acquire, False)]
            release = stream.put(time, time, path[:-1])
            self.ordered += [(time, acquire.thread, id(team.team), release, True)]
        elif frame.region.is_omp_parallel and team.team is not None and not team.has_parallel:
            self.left_parallel(stream, time, frame, path)
            if stream.is_cut:
                stream.teams.pop()
        elif frame.region.barrier_wait and team.team is not None:
            there = [frame.enter] + frame.away
            points = [stream.put(at, at, path) for at in there] if frame.away else []
            call = stream.put(there[-1], time, path, is_barrier=True)
            points, call.is_cut = points or [call], stream.is_cut
            team.team.barriers[team.n_barriers].append((points, call))
            team.n_barriers += 1

    def left_parallel(self, stream, time, frame, path):
        team = stream.team()
        team.has_parallel = True
        if team.owner:
            team.team.fork = stream.put(team.fork, team.fork, path)
            if stream.forked:
                stream.forked[-1].parallel = (time, path)
            return
        begin = stream.put(frame.enter, frame.enter, path)
        begin.is_idle = True
        team.team.begins.append(begin)
        team.team.ends.append(stream.put(time, time, path))

    # ---- teams and threads ---------------------------------------------------------------------------------------------------

    def on_fork(self, stream, time):
        stream.book(time)
        stream.forks.append([time, False, stream.task.path() or self.program])

    def on_join(self, stream, time):
        stream.book(time)
        if stream.forks and stream.forks.pop()[1] and stream.forked:
            team = stream.forked.pop()
            if team.parallel is not None:
                team.team.join = stream.put(team.parallel[0], time, team.parallel[1])

    def on_team_begin(self, stream, time, ref):
        key = (ref, stream.n_begun[ref])
        stream.n_begun[ref] += 1
        team = self.teams.setdefault(key, Team())
        owner = self.team_masters.get(ref) == stream.location.ref and bool(stream.forks) and not stream.forks[-1][1]
        member = Membership(team, owner, stream.forks[-1][0] if owner else None, stream.implicit.base, None)
        stream.teams.append(member)
        if owner:
            stream.forks[-1][1] = True
            stream.forked.append(member)
            team.path = stream.forks[-1][2]
        elif stream.location.thread > 0:
            if team.path is None:                                    # the one that forked it has not begun it yet
                team.path = next((other.forks[-1][2] for other in self.streams.values() if other.location.ref == self.team_masters.get(ref)
                                  and other.forks and not other.forks[-1][1]), None)
            stream.task.base, stream.last = team.path or self.program, time

    def on_team_end(self, stream, time):
        if stream.teams:
            member = stream.teams.pop()
            if not stream.task.frames and stream.location.thread > 0:
                stream.task.base = member.base

    def on_thread_create(self, stream, time, comm, number):
        stream.book(time)
        self.created[comm, number] = stream.put(time, time)

    def on_thread_begin(self, stream, time, comm, number):
        if stream.location.thread > 0:
            stream.last, stream.task.base = time, self.program + (THREADS,)
            call = stream.put(time, time)
            call.is_idle = True
            self.thread_begins.append(((comm, number), call))

    def on_thread_end(self, stream, time, comm, number):
        stream.book(time)
        self.ended[comm, number] = stream.put(time, time)
        self.on_team_end(stream, time)

    def on_thread_wait(self, stream, time, comm, number):
        if stream.task.frames:
            stream.book(time)
            self.joins.append(((comm, number), stream.put(stream.task.frames[-1].enter, time)))

    # ---- locks ---------------------------------------------------------------------------------------------------------------

    def on_acquire(self, stream, time, model, lock, order):
        frame = stream.task.frames[-1] if stream.task.frames else None
        if frame is None or order == 0 or (model != 'OPENMP' and frame.region.pthread_name not in LOCK_CALLS):
            return
        stream.book(time)
        stream.owned.add((model, lock))
        self.acquires.append(((model, lock, order - 1), stream.put(frame.enter, time)))

    def on_release(self, stream, time, model, lock, order):
        if order == 0 or model not in ('OPENMP', 'PTHREAD'):
            return
        stream.book(time)
        if (model, lock) in stream.owned:
            call = stream.put(time, time)
            last = self.releases.get((model, lock, order))
            if last is None or time > last.enter:
                self.releases[model, lock, order] = call

    # ---- tasks ---------------------------------------------------------------------------------------------------------------

    def key(self, stream, task_id):
        return (id(stream.team().team),) + task_id[1:]

    def on_task_create(self, stream, time, task_id):
        stream.book(time)
        call = stream.put(time, time)
        self.creations[self.key(stream, task_id)] = call
        self.children[stream.running()].append((time, call.thread, len(stream.calls), self.key(stream, task_id)))

    def go_on(self, stream, time, task):
        if task.left is not None and time > task.left:
            barrier = next((frame for frame in reversed(task.frames) if frame.region.barrier_wait), None)
            if barrier is not None:
                barrier.away.append(time)
        stream.task = task

    def on_task_switch(self, stream, time, task_id):
        if task_id is None and stream.task is stream.implicit:
            return
        last = stream.last
        path = stream.task.path()
        stream.book(time)
        stream.switched, stream.task.left = time, time
        if task_id is None:
            stream.team().task = None
            self.go_on(stream, time, stream.implicit)
            return
        key = self.key(stream, task_id)
        call = stream.put(last, time, path)
        self.begun.append((time, call.thread, len(stream.calls), key, call))
        stream.team().task = key
        self.go_on(stream, time, self.tasks.setdefault(key, Task(key, self.program + (TASKS,))))
        stream.task.part += (stream.n_begun[task_id[0]], task_id) in self.moved

    def on_task_complete(self, stream, time, task_id):
        key = self.key(stream, task_id)
        stream.book(time)
        call = stream.put(time, time)
        self.ended[key] = call
        stream.switched, stream.team().task = time, None
        if stream.task is not stream.implicit:
            stream.task.left = time
            self.go_on(stream, time, stream.implicit)
        self.tasks.pop(key, None)

    # ---- what depends on what ------------------------------------------------------------------------------------------------

    @staticmethod
    def depend(call, on, kind):
        if on is not None and on.thread != call.thread and on.enter <= call.leave:
            call.dependencies.append(Dependency(kind, [on], 0, True))

    @staticmethod
    def depend_on_all(call, sources, kind, members=0):
        if sources:
            call.dependencies.append(Dependency(kind, sources, 0, True, None, members))
            call.dependencies[-1].is_for_all = True

    def connect(self):
        for stream in self.streams.values():
            stream.calls.sort(key=Call.order)
            last = None
            for call in stream.calls:
                if call.is_idle and last is not None:
                    call.enter = last.leave
                call.starts = call.is_idle and last is None and (stream.begin is None or stream.begin >= call.enter)
                call.is_nested = last is not None and call.enter < last.leave
                last = call
        for team in self.teams.values():
            self.connect_team(team)
        for before, call in self.acquires:
            self.depend(call, self.releases.get(before), 'lock')
        last = {}
        for _, _, team, call, is_end in sorted(self.ordered, key=lambda row: row[:2]):
            if is_end:
                last[team] = call
            else:
                self.depend(call, last.get(team), 'lock')
        self.connect_tasks()
        for key, call in self.thread_begins:
            self.depend(call, self.created.get(key), 'fork')
        for key, call in self.joins:
            self.depend(call, self.ended.get(key), 'join')

    def connect_team(self, team):
        for begin in team.begins:
            self.depend(begin, team.fork, 'fork')
        if team.join is not None:
            self.depend_on_all(team.join, [end for end in team.ends if end.leave <= team.join.leave], 'join')
        n_threads = len(team.begins) + (team.fork is not None)
        for members in team.barriers.values():
            if len(members) != n_threads or n_threads == 1:
                continue
            first = min((call.leave for _, call in members if not call.is_cut), default=0)
            sources = []
            for points, _ in members:                                # what runs after somebody left is of later on
                sources += [point for point in points if len(points) == 1 or point.enter <= first][-1:]
            for call in (call for _, call in members if not call.is_cut):
                self.depend_on_all(call, sources, 'thread barrier', n_threads)

    def connect_tasks(self):
        seen = set()
        for _, _, _, key, call in sorted(self.begun, key=lambda row: row[:3]):
            if key not in seen:
                self.depend(call, self.creations.get(key), 'task')
            seen.add(key)
        done = set()
        for time, thread, place, call, task in sorted(self.waits, key=lambda row: row[:3]):
            children = [row[3] for row in self.children[task] if row[:3] < (time, thread, place) and row[3] not in done]
            done.update(children)
            self.depend_on_all(call, [self.ended[key] for key in children if key in self.ended and self.ended[key].leave <= time], 'taskwait')

"""Causes of waiting: chapters 12 to 15 of the metric catalogue (PATTERNS), for oracle.py.

Computational imbalance, delay costs, direct and propagating wait states, critical path and performance impact. Everything is in
memory: a list of synchronisation points for each location, vectors are dictionaries from call path to ticks, and the cost
accountings run in an order in which every cause waits for its effects. Times are integer ticks, shares of them floats.
"""
from bisect import bisect_left, bisect_right
from collections import defaultdict

KINDS = ('latesender', 'latereceiver', 'barrier', 'n2n', '12n', 'n21', 'ompbarrier', 'ompidle')
LOCKS = ('omplock', 'pthreadlock')
EXTENSION = ('scan', 'nbc') + LOCKS                                  # 13.9, not under --compat
RMA = 'rma'                                                          # likewise, but synchronisation points for all accountings
CAPPED = ('latesender', 'latereceiver') + LOCKS
CLASS_KINDS = {'barrier': 'barrier', 'nxn': 'n2n', 'one_to_n': '12n', 'n_to_one': 'n21'}
# Kind S, children before parents (4.3). A name with '-' is subtracted.
SUMS = tuple(('delay_%s_aggregate' % k, 'delay_%s delay_%s_longterm' % (k, k)) for k in KINDS) + (
    ('delay_p2p', 'delay_latesender_aggregate delay_latereceiver_aggregate'),
    ('delay_collective', 'delay_barrier_aggregate delay_n21_aggregate delay_12n_aggregate delay_n2n_aggregate'),
    ('delay_mpi', 'delay_p2p delay_collective'),
    ('delay_omp', 'delay_ompbarrier_aggregate delay_ompidle_aggregate'),
    ('delay', 'delay_mpi delay_omp'),
    ('mpi_wait_propagating', 'mpi_wait_propagating_ls mpi_wait_propagating_lr'),
    ('mpi_wait_terminal_ls', 'mpi_latesender -mpi_wait_propagating_ls'),
    ('mpi_wait_terminal_lr', 'mpi_latereceiver -mpi_wait_propagating_lr'),
    ('mpi_wait_terminal', 'mpi_wait_terminal_ls mpi_wait_terminal_lr'),
    ('waitstates_propagating_vs_terminal', 'mpi_wait_propagating mpi_wait_terminal'),
    ('mpi_wait_indirect', 'mpi_wait_indirect_latesender mpi_wait_indirect_latereceiver'),
    ('mpi_wait_direct_latesender', 'mpi_latesender -mpi_wait_indirect_latesender'),
    ('mpi_wait_direct_latereceiver', 'mpi_latereceiver -mpi_wait_indirect_latereceiver'),
    ('mpi_wait_direct', 'mpi_wait_direct_latesender mpi_wait_direct_latereceiver'),
    ('waitstates_direct_vs_indirect', 'mpi_wait_direct mpi_wait_indirect'),
    ('intra_partition_imbalance', 'critical_imbalance_impact -inter_partition_imbalance'),
    ('performance_impact_criticalpath', 'critical_path_activities critical_imbalance_impact'),
    ('performance_impact', 'performance_impact_criticalpath non_critical_path_activities'),
    ('delay_unattributed', ' '.join('delay_unattributed_' + k for k in KINDS + EXTENSION + (RMA,))),
)
MEASURED = tuple(name % k for k in KINDS for name in ('delay_%s', 'delay_%s_longterm')) + (
    'mpi_wait_propagating_ls', 'mpi_wait_propagating_lr', 'mpi_wait_indirect_latesender', 'mpi_wait_indirect_latereceiver',
    'critical_path', 'critical_path_imbalance', 'critical_path_activities', 'critical_imbalance_impact',
    'inter_partition_imbalance', 'non_critical_path_activities', 'imbalance', 'imbalance_above', 'imbalance_above_single',
    'imbalance_below', 'imbalance_below_bypass', 'imbalance_below_singularity')
UNATTRIBUTED = tuple('delay_unattributed_' + k for k in KINDS)       # not under --compat
EXTENDED = tuple(name % k for k in EXTENSION + (RMA,) for name in ('delay_%s', 'delay_%s_longterm', 'delay_unattributed_%s'))
METRICS = MEASURED + UNATTRIBUTED + EXTENDED + tuple(s for s, _ in SUMS)
NOT_EXCESS = (                                                       # 15.6
    'mpi_finalize_wait mpi_rma_wait_at_create mpi_rma_wait_at_free mpi_barrier_wait mpi_rma_sync_late_post '
    'mpi_rma_comm_late_post mpi_rma_early_wait mpi_rma_wait_at_fence mpi_rma_sync_lock_competition '
    'mpi_rma_comm_lock_competition mpi_rma_sync_wait_for_progress mpi_rma_comm_wait_for_progress mpi_latesender '
    'mpi_latereceiver mpi_earlyreduce mpi_earlyscan mpi_latebroadcast mpi_wait_nxn omp_management omp_ebarrier_wait '
    'omp_ibarrier_wait omp_lock_contention_critical omp_lock_contention_api omp_ordered omp_idle_threads').split()
LIMIT = 128                                                          # elements of a vector, under --compat
EVERYBODY = object()                                                 # peers of MPI_Init and MPI_Finalize


class SyncPoint:
    """13.2. position: in the timeline of the location; cut: mark of the Enter of its call; cause: the synchronisation point on
    the side that was waited for; costs: long-term costs collected so far."""

    def __init__(self, location, call, position, cut, wait, total, completion, peers, is_omp=False):
        self.location, self.call, self.position, self.begin, self.cut = location, call, position, position, cut
        self.wait, self.total, self.completion, self.peers, self.is_omp = wait, total, completion, peers, is_omp
        self.cause, self.costs, self.kind, self.propagating, self.previous_join = None, defaultdict(float), None, 0, None
        self.until = None                                            # RMA: the moment at which the wait ended
        self.order = 0                                               # RMA: among the points of one call

    def place(self, extended=False):
        """Points are in the order in which their calls were entered: one that stands at a Leave goes before those inside. 13.9:
        in that of the records, since the call that waits for a condition releases its mutex before it acquires it; a barrier, in
        which tasks may wait for locks, begins with its Enter."""
        return (self.begin, self.order) if extended else (self.cut, self.position, self.order)

    def has_peer(self, process):
        return not self.is_omp and (self.peers is EVERYBODY or process in self.peers)


class Moment:
    """A time on a location that need not have a mark."""

    def __init__(self, time):
        self.time = time


class Accounting:
    """One cost accounting of 13.4 to 13.8: of the waiting synchronisation points to the one they waited for."""

    def __init__(self, kind, cause, waiting, is_pair=False):
        self.kind, self.cause, self.waiting = kind, cause, waiting
        self.is_pair = is_pair or kind in CAPPED                     # 13.4, 13.5


def top(stack, task):
    """Call path of a location, None outside. An explicit task that is in no region is at TASKS."""
    return stack[-1].path if stack else task.base if task is not None else None


def positive_difference(x, y):
    """13.3"""
    result = {}
    for path, value in x.items():
        value -= y.get(path, 0)
        if value > 0:
            result[path] = value
    return result


class Track:
    """One location: its marks, i.e. (time, call path from then on), and its synchronisation points in order."""

    def __init__(self, location):
        self.location, self.times, self.paths = location, [], []
        self.points, self.at, self.cuts = [], {}, {}
        self.limit, self.order, self.edges, self.blocks = None, None, set(), {}
        self.begin = SyncPoint(location, None, -1, 0, 0, 0, 0, ())
        self.acquires = []                                           # (position, call, lock and order)
        self.nested = set()                                          # calls of parallel regions inside of others
        self.leave_marks = {}                                        # position -> mark of the Leave
        self.last_marks = {}                                         # position -> mark of the Enter or Leave before it
        self.positions = {}                                          # (kind, object) -> position in the timeline

    def mark(self, time, path):
        self.times.append(time)
        self.paths.append(path)
        return len(self.times) - 1

    def block(self, first, last):
        """V of 13.3, between two marks."""
        result, times, paths = {}, self.times, self.paths
        for k in range(first, last):
            if paths[k] is not None and times[k + 1] != times[k]:
                self.add(result, paths[k], times[k + 1] - times[k])
        return result

    def vector(self, first, last):
        """V of 13.3: scout adds up the vectors between successive edges."""
        result = {}
        self.extend(result, first, last)
        return result

    def extend(self, result, first, last):
        edges = [first] + self.edges[bisect_right(self.edges, first):bisect_left(self.edges, last)] + [last]
        for edge in zip(edges, edges[1:]):
            if edge not in self.blocks:
                block = self.block(*edge)
                self.blocks[edge] = [(path, block[path]) for path in sorted(block, key=self.order.get)]
            for path, value in self.blocks[edge]:
                self.add(result, path, value)

    def span(self, first, last):
        """V, where one or both are moments; only without --compat."""
        if not isinstance(first, Moment) and not isinstance(last, Moment):
            return self.vector(first, last)
        begin, end = (x.time if isinstance(x, Moment) else self.times[x] for x in (first, last))
        stop = bisect_left(self.times, end) if isinstance(last, Moment) else last
        start = max(0, bisect_right(self.times, begin) - 1) if isinstance(first, Moment) else first
        result = defaultdict(int)
        for k in range(start, min(stop, len(self.times) - 1)):
            value = min(self.times[k + 1], end) - max(self.times[k], begin)
            if self.paths[k] is not None and value > 0:
                result[self.paths[k]] += value
        return result

    def add(self, result, path, value):
        """scout keeps no more than 128 elements: a new call path takes the place of the smallest one (the first one of equal ones), if
        it is larger."""
        if path in result:
            result[path] += value
            return
        result[path] = value
        if len(result) > self.limit:
            del result[min(result, key=lambda known: (result[known], known is not path, self.order[known]))]

    def order_points(self, extension):
        self.points.sort(key=SyncPoint.place)
        self.extended = sorted(self.points + extension, key=lambda x: x.place(True))
        self.places = {False: [x.place() for x in self.points], True: [x.place(True) for x in self.extended]}
        self.edges = sorted(self.edges | {x.cut for x in self.points})

    def before(self, b):
        """The points before b, last ones first."""
        for index in range(bisect_left(self.places[False], b.place()) - 1, -1, -1):
            yield self.points[index]

    def waits(self, a, b, extended=False):
        """The points strictly between a and b that waited."""
        points, places = (self.extended if extended else self.points), self.places[extended]
        return [x for x in points[bisect_right(places, a.place(extended)):bisect_left(places, b.place(extended))] if x.wait > 0]

    def pruned(self, a, b, extended=False):
        """13.3"""
        waits = defaultdict(int)
        for x in self.waits(a, b, extended):
            waits[x.call.path] += x.wait
        result = positive_difference(self.vector(a.cut, b.cut), waits)
        path = a.call.path if a.call is not None else None
        if path in result:
            result[path] -= a.total - a.completion
            if result[path] <= 0:
                del result[path]
        return result

    def previous(self, b, process):
        """Last point before b that has the process among its peers."""
        return next((x for x in self.before(b) if x.has_peer(process)), None)

    def previous_omp(self, b):
        """Last point before b of the same instance of the team (D9)."""
        return next((x for x in self.before(b) if x.is_omp and x.instance is b.instance), None)

    def any_previous_omp(self, b):
        return next((x for x in self.before(b) if x.is_omp), None)


class Causes:
    """Adds the metrics of chapters 12 to 15 to the values of an analysis."""

    def __init__(self, analysis):
        self.analysis, self.archive, self.compat, self.values = analysis, analysis.archive, analysis.compat, analysis.values
        self.accountings, self.order = [], {}
        self.causes, self.pairs = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])                   # short- and long-term
        for location in self.archive.locations:                      # call paths in the order of 5.1
            for path in analysis.entered[location]:
                self.order.setdefault(path, len(self.order))
        self.teams = defaultdict(dict)                               # fork -> location -> call of its parallel region
        for call, fork in analysis.forked_calls:
            self.teams[fork][call.location] = call
        self.releases = {}                                           # (process, lock and order) -> time, call, position, mark
        self.starts, self.completions = {}, {}                       # non-blocking collectives
        self.tracks = {location: self.track(location) for location in self.archive.locations}
        self.setup_points()
        self.message_points()
        self.collective_points()
        self.thread_points()
        self.extension = defaultdict(dict)                           # location -> position -> point (13.9)
        if not self.compat:
            self.window_points()
            self.prefix_points()
            self.nonblocking_points()
            self.lock_points()
        for location, track in self.tracks.items():
            track.order_points(list(self.extension[location].values()))
        self.idle_accountings()
        self.delay_costs()
        if any(path.region.paradigm in ('MPI', 'OPENMP') for path, _ in self.values['visits']):              # 1.3
            self.propagating()
            self.critical_path()
            self.impact()
            self.critical_imbalance()
        self.imbalance()
        self.sums()

    def book(self, metric, path, location, value):
        if value:
            self.values[metric][path, location] += value

    # ---- 13.2, 13.3: synchronisation points and vectors

    def track(self, location):
        """13.3: the time line of a location as marks. Fork and join time belong to the parallel region."""
        track, stacks, task, requests, last_release = Track(location), defaultdict(list), None, {}, (-1, None)
        track.order, track.limit = self.order, LIMIT if self.compat else len(self.order)
        stack, switched, latest, inside = stacks[task], False, 0, 0  # latest: mark of the Enter or Leave before
        parallel = {team[location]: fork for fork, team in self.teams.items() if location in team}
        opened = {fork: call for call, fork in parallel.items()}
        for position, (time, kind, thing) in enumerate(self.analysis.timeline[location]):
            if switched and kind in ('enter', 'leave') and track.paths:
                # scout does not see TaskSwitch: time before an Enter belongs to its parent, before a Leave to what is left.
                track.paths[-1], switched = thing.path if kind == 'leave' else thing.path.parent, False
            if kind == 'enter':
                fork = parallel.get(thing)
                if fork is not None:
                    track.nested.update([thing] if inside else [])
                    inside += 1
                if fork is not None and fork.location is not location:
                    track.cuts[thing] = track.mark(min(fork.time, time), thing.path)
                latest = track.mark(time, thing.path)
                track.cuts.setdefault(thing, latest)
                stack.append(thing)
            elif kind == 'leave':
                if thing in stack:
                    stack.remove(thing)
                fork = parallel.get(thing)
                inside -= fork is not None
                track.last_marks[position] = latest
                if fork is None:
                    latest = track.leave_marks[position] = track.mark(time, top(stack, task))
                else:
                    latest = track.mark(time, thing.path)
                    if fork.location is not location:
                        track.mark(max(time, fork.joined or time), top(stack, task))
            elif kind == 'fork' and thing in opened:
                track.cuts[opened[thing]] = track.mark(time, opened[thing].path)
            elif kind == 'join':
                track.cuts[thing] = track.mark(time, top(stack, task))
            elif kind == 'task':
                task, entered = thing                                # of an explicit one maybe on other locations
                if task is not None:
                    stacks[task] = list(entered)
                stack = stacks[task]
                if self.compat:
                    switched = True
                else:
                    track.mark(time, top(stack, task))
            elif kind == 'recv_request':
                requests[thing] = position
                track.edges.add(latest)                              # scout: like a synchronisation point without a partner
            elif kind == 'acquire':
                track.acquires.append((position, stack[-1], thing, last_release))
            elif kind == 'release' and not self.compat:
                last_release = position, track.mark(time, track.paths[-1] if track.paths else None)
                self.releases[location.process, thing] = (time, stack[-1] if stack else None) + last_release
            elif kind == 'nbc_request':
                self.starts[location.process, thing[0]] = (stack[-1], position, thing[1])
            elif kind == 'nbc_complete':
                self.completions[location.process, thing] = position
            elif kind == 'recv':
                thing, request = thing
                track.positions['request', thing] = requests.pop(request, None) if request is not None else position
            track.positions[kind, thing] = position
            track.last_marks.setdefault(position, latest)
        if track.times:
            track.end = track.mark(track.times[-1], None)
        return track

    def add_point(self, call, position, wait, total, completion, peers, is_omp=False):
        """The synchronisation point at a position; there may be one already."""
        track = self.tracks[call.location]
        point = track.at.get(position)
        if point is None:
            # scout: the Enter or Leave before, which is not the Enter of the call if the call has regions inside.
            cut = track.last_marks[position] if self.compat and not call.region.is_omp_parallel else track.cuts[call]
            point = SyncPoint(call.location, call, position, cut, wait, total, completion, peers, is_omp)
            track.at[position] = point
            track.points.append(point)
        return point

    def setup_points(self):
        """MPI_Init and MPI_Finalize (7.6)."""
        for kind, calls in self.analysis.setup.items():
            if not calls:
                continue
            target, earliest = max(c.enter for c in calls.values()), min(c.leave for c in calls.values())
            for call in calls.values():
                clamped = min(target, call.leave)
                wait = max(0, clamped - call.enter) if kind == 'finalize' else 0
                completion = max(0, call.leave - max(earliest, clamped))
                position = self.tracks[call.location].positions['leave', call]
                point = self.add_point(call, position, wait, call.leave - call.enter, completion, EVERYBODY)
                point.kind = kind
        with_processes = any(path.region.paradigm in ('MPI', 'SHMEM') for path, _ in self.values['visits'])
        for location, track in self.tracks.items():
            if track.times and with_processes and not any(p.kind == 'init' for p in track.points):
                point = SyncPoint(location, None, -1, 0, 0, 0, 0, EVERYBODY)
                point.kind = 'init'
                track.points.append(point)

    def message_points(self):
        """Rows 1 to 4 of 13.2."""
        for wait, receive in self.analysis.late_sender_instances:
            call, send, track = receive.call, receive.match, self.tracks[receive.call.location]
            waiting = self.add_point(call, track.positions['recv', receive], wait, call.leave - call.enter,
                                     max(0, call.leave - send.request.leave), {send.sender})
            position = self.tracks[send.call.location].positions['send', send]
            cause = self.add_point(send.call, position, 0, send.call.leave - send.call.enter,
                                   max(0, send.call.leave - call.leave), {call.location.process})
            self.pair('latesender', waiting, cause)
        for wait, send in self.analysis.late_receiver_instances:
            call, receive, track = send.completion, send.match, self.tracks[send.completion.location]
            posted = receive.request
            position = track.positions['send_complete', send] if ('send_complete', send) in track.positions else \
                track.positions['send', send]
            completion = (min if self.compat else max)(0, call.leave - posted.leave)               # D2
            waiting = self.add_point(call, position, wait, call.leave - call.enter, completion, {posted.location.process})
            position = self.tracks[posted.location].positions['request', receive]
            cause = self.add_point(posted, position, 0, posted.leave - posted.enter, max(0, posted.leave - call.leave),
                                   {call.location.process})
            self.pair('latereceiver', waiting, cause)

    def pair(self, kind, waiting, cause):
        waiting.kind, waiting.cause = kind, cause
        self.accountings.append(Accounting(kind, cause, [waiting]))

    def collective_points(self):
        """Row 5 of 13.2. The two groups of an inter-communicator (7.7) wait for different ranks: no synchronisation points."""
        for class_, comm, members, results in self.analysis.synchronised:
            if class_ in CLASS_KINDS and members[0].request is None and len(comm.groups) > 1:
                for member, target, _ in results:
                    self.unattributed(CLASS_KINDS[class_], member, min(target, member.end) - member.begin)
            elif class_ in CLASS_KINDS and results and members[0].request is None:
                causes = {member: self.delayer(class_, comm, members, member, target) for member, target, _ in results}
                targets = {member: target for member, target, _ in results}
                for latest in list(causes.values()):
                    causes.setdefault(latest, latest)
                    targets.setdefault(latest, latest.begin)
                self.collective_point(class_, members, causes, targets, CLASS_KINDS[class_])

    def delayer(self, class_, comm, members, member, target):
        """13.6: the rank waited for, lowest rank on ties; itself, if it does not wait."""
        if member.begin >= target:
            return member
        if class_ == 'one_to_n':
            return self.analysis.root_of(comm, members)
        partial = class_ == 'n_to_one' or (class_ == 'nxn' and min(m.end for m in members) <= max(m.begin for m in members))
        remote = self.analysis.remote(comm, members, member)
        return next(m for m in remote if m.begin == target and (m.sent or not partial))

    def collective_point(self, class_, members, causes, targets, kind):
        """causes: synchronising rank -> the rank it waits for."""
        earliest = min(m.end for m in causes if class_ != 'one_to_n' or causes[m] is not m)
        points = {}
        for member, cause in causes.items():
            call, clamped = member.call, min(targets[member], member.end)
            completion = max(0, member.end - max(earliest, clamped))
            peers = {m.process for m in causes} if class_ in ('barrier', 'nxn') or cause is member else {cause.process}
            position = self.tracks[call.location].positions['rma' if kind == RMA else 'coll_end', member]
            points[member] = self.add_point(call, position, max(0, clamped - member.begin), call.leave - call.enter, completion,
                                            peers)
            points[member].until = targets[member] if kind == RMA else None
        for latest in dict.fromkeys(causes.values()):
            waiting = [points[m] for m, cause in causes.items() if cause is latest and points[m].wait > 0]
            for point in waiting:
                point.kind, point.cause = kind, points[latest]
            if waiting:
                accounting = Accounting(kind, points[latest], waiting)
                accounting.members = {m.process for m in members}
                self.accountings.append(accounting)

    def window_points(self):
        """docs/metrics.md#delay-rma, and what is alike in SHMEM."""
        for class_, members, causes, until in self.analysis.one_sided.meetings:
            self.collective_point(class_, members, causes, dict.fromkeys(causes, until), RMA)
        pairs, waiting = [], {m for _, _, causes, _ in self.analysis.one_sided.meetings for m in causes}
        for wait in self.analysis.one_sided.waits:
            # Between two calls of one thread there is nothing that one did more; and no record has two waits in a legal program.
            if wait.is_clamped or wait.record.call.location is wait.cause.call.location or wait.record in waiting:
                self.unattributed(RMA, wait.record, wait.value)
                continue
            waiting.add(wait.record)
            pairs.append((wait, self.pair_point(wait.record, wait.cause), self.pair_point(wait.cause, wait.record)))
        self.order_in_calls(pairs)
        for wait, own, other in pairs:
            own.wait, own.until, own.kind, own.cause = wait.value, wait.until, RMA, other
            self.accountings.append(Accounting(RMA, other, [own], True))

    def pair_point(self, record, other):
        """Each pair has two points of its own, so a record may be several: one at which it waits, one for each that it lets go on."""
        call, track = record.call, self.tracks[record.call.location]
        point = SyncPoint(call.location, call, track.positions['rma', record], track.cuts[call], 0, call.leave - call.enter,
                          max(0, call.leave - other.call.leave), {other.process})
        track.points.append(point)
        return point

    def order_in_calls(self, pairs):
        """Points of one call are in the order of their moments; a wait that is over then comes before what lets others go on."""
        calls = defaultdict(list)
        for wait, own, other in pairs:
            calls[own.call].append((wait.until, 0, own))
            calls[other.call].append((wait.until, 1, other))
        for points in calls.values():
            points.sort(key=lambda point: point[:2])
            position = max(point.position for _, _, point in points)
            for order, (_, _, point) in enumerate(points, 1):
                point.position = point.begin = position
                point.order = order

    # ---- 13.9

    def extension_point(self, call, position, cut, wait):
        """These count as waiting in accountings of 13.9 only, so that the others give what they give without."""
        points = self.extension[call.location]
        if position not in points:
            points[position] = SyncPoint(call.location, call, position, cut, 0, call.leave - call.enter, 0, ())
        points[position].wait = max(points[position].wait, wait)
        return points[position]

    def extension_accountings(self, kind, members, pairs):
        """pairs: (waiting point, point of the delayer)."""
        by_cause = defaultdict(list)
        for waiting, cause in pairs:
            by_cause[cause].append(waiting)
        for cause, waiting in by_cause.items():
            accounting = Accounting(kind, cause, waiting)
            accounting.members = {m.process for m in members}
            self.accountings.append(accounting)

    def prefix_points(self):
        """7.5; the delayer is the latest sender of ranks 0 to r."""
        for class_, comm, members, results in self.analysis.synchronised:
            if class_ == 'prefix' and members[0].request is None:
                def point(member, wait):
                    track = self.tracks[member.call.location]
                    return self.extension_point(member.call, track.positions['coll_end', member], track.cuts[member.call], wait)
                pairs = []
                for member, target, _ in results:
                    latest = self.latest_of_prefix(members, member, target)
                    pairs.append((point(member, min(target, member.end) - member.begin), point(latest, 0)))
                self.extension_accountings('scan', members, [p for p in pairs if p[0].wait > 0])

    def latest_of_prefix(self, members, member, target):
        return next(m for m in members[:members.index(member) + 1] if m.sent and m.begin == target)

    def nonblocking_points(self):
        """7.8; a rank waits in the completing call for the delayer's starting call."""
        for class_, comm, members, results in self.analysis.synchronised:
            pairs = []
            for member, target, _ in results if members[0].request is not None else ():
                wait, request, _ = self.analysis.longest.get(member.call, (0, None, None))
                if request == member.request and len(comm.groups) > 1:          # as in collective_points()
                    self.unattributed('nbc', member, wait)
                elif request == member.request:
                    latest = (self.latest_of_prefix(members, member, target) if class_ == 'prefix' else
                              self.delayer(class_, comm, members, member, target))
                    start, position, _ = self.starts[latest.process, latest.request]
                    cause = self.extension_point(start, position, self.tracks[start.location].cuts[start], 0)
                    position = self.completions[member.process, self.starts[member.process, member.request][2]]
                    cut = self.tracks[member.call.location].cuts[member.call]
                    pairs.append((self.extension_point(member.call, position, cut, wait), cause))
            self.extension_accountings('nbc', members, pairs)

    def lock_points(self):
        """10.1; the delayer is the holder before. What it did up to the RELEASE counts, inside the call as well."""
        for location, track in self.tracks.items():
            for position, call, (paradigm, lock, order), (own, mark_of_own) in track.acquires:
                metric = self.analysis.lock_metric(paradigm, call.region)
                time, holder, place, mark = self.releases.get((location.process, (paradigm, lock, order - 1)), (0,) + (None,) * 3)
                if metric and holder is not None and time > call.enter:
                    kind = 'omplock' if paradigm == 'OPENMP' else 'pthreadlock'
                    begin = mark_of_own if own > track.positions['enter', call] else track.cuts[call]        # behind its own release
                    waiting = self.extension_point(call, position, begin, time - call.enter)
                    self.accountings.append(Accounting(kind, self.extension_point(holder, place, mark, 0), [waiting]))

    # ---- 13.2, OpenMP

    def thread_points(self):
        """Rows 7 and 8 of 13.2."""
        for fork, team in self.teams.items():
            earliest = min(call.enter for call in team.values())
            for location, call in team.items():
                point = self.add_point(call, self.tracks[location].positions['enter', call], 0, max(0, call.enter - fork.time),
                                       call.enter - earliest, None, True)
                point.kind, point.instance = 'parallel', fork
            for location, call in team.items():
                track = self.tracks[location]
                track.at[track.positions['enter', call]].cause = self.parallel_point(fork)
        for team, calls in self.analysis.barrier_instances:
            latest = max(call.enter for call in calls)
            cause = min((call for call in calls if call.enter == latest), key=lambda call: call.location.thread)
            points = {}
            for call in calls:
                position = self.tracks[call.location].positions['leave', call]
                late = min(latest, call.leave) - call.enter          # as the wait itself (9.3)
                off = call.tasks if self.compat else self.analysis.away(call, min(latest, call.leave))
                wait = 0 if call.is_cut else max(0, late - off)
                points[call] = self.add_point(call, position, wait, call.leave - call.enter, 0, None, True)
                points[call].kind, points[call].late = 'ompbarrier', late
                points[call].begin = self.tracks[call.location].positions['enter', call]
                points[call].instance = team.fork or team
            for point in points.values():
                point.cause, point.team = points[cause], list(points.values())
            self.accountings.append(Accounting('ompbarrier', points[cause], [p for p in points.values() if p.late > 0]))

    def parallel_point(self, fork):
        """The synchronisation point of the master of a team, or None."""
        call = self.teams[fork].get(fork.location)
        track = self.tracks[fork.location]
        return track.at.get(track.positions['enter', call]) if call is not None else None

    def idle_accountings(self):
        """13.8, where idle threads are defined (9.8): at the fork of each team of several threads that is in no other team, and at
        the end of the first thread; back to the last join."""
        paradigms = {path.region.paradigm for path in self.order}
        if 'OPENMP' not in paradigms or 'PTHREAD' in paradigms:
            return
        for location, track in self.tracks.items():
            joins = sorted((track.cuts[fork], track.positions['join', fork]) for fork in self.teams
                           if ('join', fork) in track.positions)
            ends = [point for point in track.points if point.kind == 'parallel' and point.instance.location is location
                    and len(self.teams[point.instance]) > 1 and point.call not in track.nested]
            threads = [other for other in self.tracks if other.process == location.process and other.is_cpu]
            if location.thread == 0 and any(fork.location.process == location.process for fork in self.teams):
                ends.append(None)
            for end in ends:
                after = max((join for join in joins if end is None or join < end.place()), default=(0, -1))
                accounting = Accounting('ompidle', end, [])
                accounting.location, accounting.first, accounting.last = location, after[0], end.cut if end else track.end
                accounting.between = [p for p in track.points if p.place() > after and p.wait > 0
                                      and (end is None or p.place() < end.place())]
                accounting.scale = len(threads if end is None else self.teams[end.instance]) - 1
                if accounting.scale > 0:
                    self.accountings.append(accounting)

    # ---- 13.4 to 13.8, 14: costs

    def delay_costs(self):
        """Every accounting runs when all those have run that add costs to the points it reads."""
        writers, readers, missing = defaultdict(int), defaultdict(list), {}
        for accounting in self.accountings:
            self.prepare(accounting)
            for point in accounting.between:
                writers[point] += 1
            for point in accounting.waiting:
                readers[point].append(accounting)
        ready = []
        for accounting in self.accountings:
            missing[accounting] = sum(1 for point in accounting.waiting if writers[point])
            if not missing[accounting]:
                ready.append(accounting)
        done = 0
        while ready:
            accounting = ready.pop()
            done += 1
            getattr(self, 'account_' + {'ompidle': 'idle', 'ompbarrier': 'threads', **dict.fromkeys(CAPPED, 'pair')}
                    .get(accounting.kind, 'pair' if accounting.is_pair else 'collective'))(accounting)
            for point in accounting.between:
                writers[point] -= 1
                if not writers[point]:
                    for reader in readers[point]:
                        missing[reader] -= 1
                        if not missing[reader]:
                            ready.append(reader)
        if done < len(self.accountings):
            self.analysis.problems['cost accountings that wait for each other'] += len(self.accountings) - done

    def prepare(self, accounting):
        """Which points of the causing side get long-term costs."""
        kind, cause = accounting.kind, accounting.cause
        if kind == 'ompidle':
            return
        track = self.tracks[cause.location]
        if accounting.is_pair and kind not in LOCKS:
            accounting.start = self.start(kind, track, cause, accounting.waiting[0].location.process)
        elif kind == 'ompbarrier' or kind in LOCKS:
            accounting.start = self.start(kind, track, cause, None)
        else:
            accounting.start, accounting.intermediate = self.group_start(track, cause, accounting.members)
        accounting.between = (track.waits(accounting.start, cause, kind in EXTENSION)
                              if accounting.start is not None and accounting.waiting else [])

    def start(self, kind, track, point, process):
        """The point before a point at which both sides were synchronised last."""
        if kind in LOCKS:
            return track.any_previous_omp(point) or track.begin
        return track.previous_omp(point) or track.begin if kind == 'ompbarrier' else track.previous(point, process)

    def group_start(self, track, cause, members):
        """13.6, a_z and the intermediate points: process -> point."""
        remaining, intermediate = members - {track.location.process}, {}
        for point in track.before(cause):
            if point.is_omp:
                continue
            met = remaining if point.peers is EVERYBODY else remaining & point.peers
            if met:
                remaining = remaining - met
                if not remaining:
                    return point, intermediate
                intermediate.update((process, point) for process in met)
        return None, intermediate

    def charge(self, accounting, waiting, amount, own, other, waits):
        """Charges an amount of waiting time, and the long-term costs of the waiting point, to what the causing side did more than
        the other. Returns the scale, and kind -> factor for waiting times of the causing side."""
        kind, location = accounting.kind, accounting.cause.location
        excess = positive_difference(own, other)
        total = sum(excess.values()) + waits
        if not total:
            self.all_unattributed(kind, waiting)
            return 0, {}
        scale = amount / total
        if accounting.is_pair and scale > 1:
            self.unattributed(kind, waiting, amount - total)
            scale = 1
        longterm = {effect: cost / total for effect, cost in waiting.costs.items()
                    if not (self.compat and effect[0] == kind == 'ompbarrier')}                              # D18
        effect, process = (kind, waiting.call.path), waiting.location.process
        for path, value in excess.items():
            self.book('delay_' + kind, path, location, scale * value)
            self.make_wait(path, location, effect, process, scale * value, 0)
            for k, factor in longterm.items():
                self.book('delay_%s_longterm' % k[0], path, location, factor * value)
                self.make_wait(path, location, k, process, 0, factor * value)
        longterm[effect] = longterm.get(effect, 0) + scale
        return scale, longterm

    def make_wait(self, path, location, effect, process, short, long):
        """Who makes whom wait; effect: kind and call path of the wait in the end, process: the one that waits directly."""
        for table, key in ((self.causes, (path,) + effect), (self.pairs, (location.process, process))):
            table[key][0] += short
            table[key][1] += long

    def unattributed(self, kind, waiting, value, effect=None):
        """effect: kind and call path of the wait in the end, where it is not this one."""
        if value > 0 and not self.compat:
            self.book('delay_unattributed_' + kind, waiting.call.path, waiting.call.location, value)
            self.causes[(None,) + (effect or (kind, waiting.call.path))][effect is not None] += value

    def all_unattributed(self, kind, waiting):
        """A wait, and the long-term costs that came to it, if nobody can be charged."""
        self.unattributed(kind, waiting, waiting.wait)
        for k, cost in waiting.costs.items():
            self.unattributed(k[0], waiting, cost, k)

    def tables(self):
        """Who makes whom wait, as heddle prints it: {(cause, effect, kind): [short-term, long-term]}, {(process, process): ...}"""
        causes, pairs = defaultdict(lambda: [0, 0]), {}
        for (cause, kind, effect), row in self.causes.items():
            for term in range(2):
                causes[cause.name() if cause else '', effect.name() if effect else '', kind][term] += row[term] / self.archive.resolution
        for (process, waiting), row in self.pairs.items():
            pairs[str(process), str(waiting)] = [value / self.archive.resolution for value in row]
        return causes, pairs

    def account_pair(self, accounting):
        """13.4, 13.5, 14"""
        cause, (waiting,), start = accounting.cause, accounting.waiting, accounting.start
        own, other = self.tracks[cause.location], self.tracks[waiting.location]
        other_start = self.start(accounting.kind, other, waiting, cause.location.process)
        if start is None or other_start is None:
            self.analysis.problems['message without a synchronisation point before'] += 1
            self.all_unattributed(accounting.kind, waiting)
            return
        waits = sum(x.wait for x in accounting.between)
        extended, of_messages = accounting.kind in EXTENSION, accounting.kind in ('latesender', 'latereceiver')
        scale, factors = self.charge(accounting, waiting, waiting.wait, own.pruned(start, cause, extended),
                                     other.pruned(other_start, waiting, extended), waits)
        for x in accounting.between:
            self.pass_on(x, factors)
            x.propagating = max(x.propagating, scale * x.wait if of_messages else 0)
        if of_messages:
            self.book('mpi_wait_indirect_' + accounting.kind, waiting.call.path, waiting.location, scale * waits)

    def pass_on(self, x, factors):
        for kind, factor in factors.items():
            x.costs[kind] += factor * x.wait

    def account_collective(self, accounting):
        """13.6"""
        cause, kind, start = accounting.cause, accounting.kind, accounting.start
        track, extended = self.tracks[cause.location], kind in EXTENSION
        whole = track.pruned(start, cause, extended) if start is not None else None
        steps = defaultdict(lambda: defaultdict(float))              # point from which they apply -> kind -> factor
        for waiting in accounting.waiting:
            first = accounting.intermediate.get(waiting.location.process, start)
            other = self.tracks[waiting.location]
            other_start = other.previous(waiting, cause.location.process)
            if start is None or other_start is None:
                self.all_unattributed(kind, waiting)
                continue
            own = whole
            if first is not start:                                   # only scout leaves out what the whole way has not
                own = {path: value for path, value in track.pruned(first, cause, extended).items()
                       if path in whole or not self.compat}
            _, factors = self.charge(accounting, waiting, waiting.wait, own, other.pruned(other_start, waiting, extended),
                                     sum(x.wait for x in track.waits(first, cause, extended)))
            for k, factor in factors.items():
                steps[self.applies_from(accounting, first)][k] += factor
        steps.pop(None, None)
        current, coming = defaultdict(float), sorted(steps)
        for x in sorted(accounting.between, key=SyncPoint.place):
            while coming and coming[0] <= x.place():
                for k, factor in steps[coming.pop(0)].items():
                    current[k] += factor
            self.pass_on(x, current)

    def applies_from(self, accounting, first):
        """Place of the first point to which the factors of a rank apply that was met last at a point. scout (D3): an
        intermediate point's from the next one of those on; None: not at all."""
        if not self.compat or first is accounting.start:
            return first.cut, first.position, first.order + 1
        return min((x.place() for x in accounting.intermediate.values() if x.place() > first.place()), default=None)

    def account_threads(self, accounting):
        """13.7"""
        cause, start = accounting.cause, accounting.start
        own = self.tracks[cause.location].pruned(start, cause)
        waits = sum(x.wait for x in accounting.between)
        for waiting in accounting.waiting:
            other = self.tracks[waiting.location]
            other_start = other.previous_omp(waiting) or other.begin
            _, factors = self.charge(accounting, waiting, waiting.late, own, other.pruned(other_start, waiting), waits)
            for x in accounting.between:
                self.pass_on(x, factors)

    def account_idle(self, accounting):
        """13.8"""
        track = self.tracks[accounting.location]
        waits = defaultdict(int)
        for x in accounting.between:
            waits[x.call.path] += x.wait
            x.costs['ompidle', None] += accounting.scale * x.wait
        for path, value in positive_difference(track.vector(accounting.first, accounting.last), waits).items():
            self.book('delay_ompidle', path, accounting.location, accounting.scale * value)
            self.make_wait(path, accounting.location, ('ompidle', None), accounting.location.process, accounting.scale * value, 0)

    def propagating(self):
        """14"""
        for track in self.tracks.values():
            for x in track.points:
                if x.propagating:
                    name = {'latesender': 'ls', 'latereceiver': 'lr'}.get(x.kind)
                    if name:
                        self.book('mpi_wait_propagating_' + name, x.call.path, x.location, x.propagating)

    # ---- 15: critical path

    def critical_path(self):
        """15.1, 15.2"""
        calls = self.analysis.setup['finalize']
        if calls:
            latest = max(call.enter for call in calls.values())
            call = calls[min(process for process, call in calls.items() if call.enter == latest)]
            track = self.tracks[call.location]
            last = track.at[track.positions['leave', call]]
            end, index = last.cut, track.points.index(last) - 1
        else:
            track = self.tracks[max(self.archive.locations, key=lambda l: (l.events[-1][0] if l.events else -1, -l.process, -l.thread))]
            end, index = track.end, len(track.points) - 1
        active, seen = [(track, index, end)], set()
        while active:
            track, index, end = active.pop()
            while index >= 0 and not (track.points[index].kind == 'init' or self.next_points(track.points[index], end)):
                index -= 1
            if index < 0:
                self.book_vector(track, track.span(0, end))
                continue
            behind = self.has_tasks(track.points[index])
            if behind:                                               # on the last thread until this one left the barrier
                self.book_vector(track, track.span(self.leave_mark(track.points[index]), end))
            else:
                self.book_path(track, track.points[index], end)
            until = track.points[index].until
            for x in self.next_points(track.points[index], end):
                if x not in seen:
                    seen.add(x)
                    to, cut = self.tracks[x.location], x.cut
                    if behind:
                        cut = self.leave_mark(x)
                        self.book('critical_path', x.call.path, x.location, track.points[index].call.leave - x.call.leave)
                    index_of_x = bisect_left(to.places[False], x.place())
                    if until is not None:
                        cut = Moment(until)
                    active.append((to, index_of_x - 1, cut))

    def has_tasks(self, x):
        """Whether tasks are run in a barrier of a team. scout doesn't know of them here."""
        if x.kind != 'ompbarrier' or self.compat:
            return False
        return any(self.analysis.away(point.call, point.call.leave) > 0 for point in x.team)

    def leave_mark(self, x):
        return self.tracks[x.location].leave_marks[x.position]

    def is_inside(self, x, end):
        mark = self.leave_mark(x)
        return end.time <= self.tracks[x.location].times[mark] if isinstance(end, Moment) else end <= mark

    def next_points(self, x, end):
        """15.2: where the path goes from a point. scout: from a barrier to every thread without waiting time (D19). The path does not
        go away from a barrier with tasks if it came in while the thread was in it."""
        if x.kind == 'ompbarrier' and self.compat:
            return [point for point in x.team if point.wait == 0]
        if self.has_tasks(x) and self.is_inside(x, end) and self.analysis.away(x.call, x.call.leave) > 0:
            return []
        if x.cause is None or (x.cause is x and not (x.kind == 'parallel' and self.compat)):                 # scout: once from here
            return []
        return [x.cause] if x.kind == 'parallel' or x.wait > 0 else []

    def book_vector(self, track, vector):
        for path, value in vector.items():
            self.book('critical_path', path, track.location, value)

    def book_path(self, track, x, end):
        if x.until is not None:
            self.book_vector(track, track.span(Moment(x.until), end))
            return
        vector = track.span(x.cut, end)
        if x.call is not None and x.call.path in vector:
            vector[x.call.path] -= min(x.wait, vector[x.call.path])
        self.book_vector(track, vector)

    def impact(self):
        """15.3 to 15.5"""
        path_time = self.values['critical_path']
        on_path = defaultdict(int)
        for (path, _), value in path_time.items():
            on_path[path] += value
        cost, inter = defaultdict(float), defaultdict(float)
        for location, track in self.tracks.items():
            own = self.activities(track)
            for path in {**own, **on_path}:
                total, local = on_path.get(path, 0), own.get(path, 0)
                if total > 0:
                    self.book('critical_path_activities', path, location, min(total, local))
                if local > total:
                    self.book('non_critical_path_activities', path, location, local - total)
            surplus = sum(on_path.values()) - sum(own.values())
            excess = {path: total - own.get(path, 0) for path, total in on_path.items() if total > own.get(path, 0)}
            self.share(cost, excess, surplus)
            visited = dict.fromkeys(path for path, value in own.items() if value > 0)
            missed = {path: total for path, total in on_path.items() if path not in visited}
            covered = sum(max(own[path], on_path.get(path, 0)) for path in visited)
            self.share(inter, missed, sum(on_path.values()) - covered)
        for (path, location), value in list(path_time.items()):
            if value > 0:
                for metric, costs in (('critical_imbalance_impact', cost), ('inter_partition_imbalance', inter)):
                    if None not in costs:
                        self.book(metric, path, location, max(0, value / on_path[path] * costs[path]))

    def share(self, result, parts, amount):
        """Adds the amount in proportion to the parts. No parts: D4."""
        total = sum(parts.values())
        for path, value in parts.items():
            if total:
                result[path] += value * amount / total
        if not total and self.compat:
            result[None] = float('nan')

    def activities(self, track):
        """15.3, l(c)"""
        waits, own = defaultdict(int), defaultdict(int)
        for x in track.points:
            if x.call is not None:
                waits[x.call.path] += x.wait
        regions = [x for x in track.points if x.kind == 'parallel'] if track.location.thread > 0 else []
        if not regions:
            own = track.vector(0, track.end) if track.times else own
        passed = (-1, -1)
        for start in regions:                                        # those of inner teams are in it already
            last = [x for x in track.points if x.kind == 'ompbarrier' and x.instance is start.instance]
            if last and start.place() > passed:
                track.extend(own, start.cut, last[-1].cut)
                passed = last[-1].place()
        return {path: value - min(value, waits[path]) for path, value in own.items()}

    def critical_imbalance(self):
        """15.6"""
        n = len(self.archive.locations)
        path_time, area = defaultdict(int), defaultdict(int)
        for (path, _), value in self.values['critical_path'].items():
            for ancestor in ancestors(path):
                path_time[ancestor] += value
        for sign, metrics in ((1, ['time']), (-1, NOT_EXCESS)):
            for metric in metrics:
                for (path, _), value in self.values.get(metric, {}).items():
                    for ancestor in ancestors(path):
                        area[ancestor] += sign * value
        for (path, location), value in list(self.values['critical_path'].items()):
            if path_time[path] > 0:
                self.book('critical_path_imbalance', path, location,
                          max(0, (path_time[path] - area[path] / n) / path_time[path]) * value)

    # ---- 12: computational imbalance

    def imbalance(self):
        locations = self.archive.locations
        if len(locations) < 2:
            return
        processes = {location.process for location in locations}
        has_omp = any(path.region.paradigm == 'OPENMP' for path, _ in self.values['visits'])
        for path in dict.fromkeys(path for path, _ in self.values['visits']):
            parallel = any(p.region.name.startswith('!$omp parallel @') for p in ancestors(path))
            value = {location: self.values['comp'].get((path, location), 0) for location in locations}
            participants = [location for location in locations if parallel or location.thread == 0]
            average = sum(value.values()) / (len(locations) if parallel else len(processes))
            for location in participants:
                self.book('imbalance', path, location, abs(value[location] - average))
                self.book('imbalance_above', path, location, max(0, value[location] - average))
                self.book('imbalance_below', path, location, max(0, average - value[location]))
            visitors = [location for location in locations if self.values['visits'].get((path, location))]
            if not average or len(visitors) == len(locations) or (has_omp and not parallel):
                continue
            for location in locations:
                if location not in visitors:
                    self.book('imbalance_below_bypass', path, location, average)
                    if len(visitors) == 1:
                        self.book('imbalance_below_singularity', path, location, average)
            if len(visitors) == 1:
                self.book('imbalance_above_single', path, visitors[0], average * (len(locations) - 1))

    def sums(self):
        """4.3, kind S."""
        for metric, terms in SUMS:
            result = defaultdict(float)
            for term in terms.split():
                sign, name = (-1, term[1:]) if term[0] == '-' else (1, term)
                for key, value in self.values.get(name, {}).items():
                    result[key] += sign * value
            self.values[metric] = result


def ancestors(path):
    while path is not None and path.region is not None:
        yield path
        path = path.parent

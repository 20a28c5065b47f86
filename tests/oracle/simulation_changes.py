"""Hypotheses (docs/simulation.md#hypotheses): drawn at random for a model of simulation_model.py, and evaluated by the longest paths."""
from fractions import Fraction

from model import TASKS
from simulation_model import NEVER, SYNCHRONISING, SYNCHRONOUS
from simulation_pieces import BalancePer, Change, Iterations, OfPieces, RemoveDelay, ScaleIn, Selection, instances_of, is_computation
from simulation_threads import HANDLES, Dependency
from simulation_windows import is_fence

FACTORS = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(3), Fraction(7, 4))


def is_started(record):
    """Whether a non-blocking operation is complete; also one of a process alone."""
    return record[0] == 'nbc_complete' and record[1] not in HANDLES


def is_barrier(model, call):
    if not call.is_mpi():
        return call.is_barrier
    if is_fence(call):
        return True
    kinds = [record for record in call.records if record[0] in ('send', 'recv', 'recv_request', 'nbc_request') or is_started(record) or model.is_collective(record)]
    return call.name != 'init' and bool(kinds) and all(record[0] in ('coll_end', 'nbc_complete') and record[1] == 'BARRIER' for record in kinds)


def moves_data(model, call):
    return call.completes_sends or call.completes_operations or any(
        record[0] in ('send', 'recv', 'rma_op') or record[1:2] != ('BARRIER',) and (is_started(record) or model.is_collective(record))
        for record in call.records)


# ---- kinds of changes ----------------------------------------------------------------------------------------------------------


class Scale(Selection):
    def __init__(self, region, processes, threads, factor):
        super().__init__(region, processes, threads)
        self.factor, self.is_never_later = factor, factor <= 1

    def text(self):
        return 'scale %s %d/%d' % (self.where(), self.factor.numerator, self.factor.denominator)

    def factors(self, model):
        return {place: self.factor for place in model.streams}


class Balance(Selection):
    is_never_later = False

    def __init__(self, region, processes, threads, goal, over):
        super().__init__(region, processes, threads)
        self.goal, self.over = goal, over

    def text(self):
        return 'balance %s to %s over %s' % (self.where(), self.goal, self.over)

    def factors(self, model):
        totals, factors = self.totals(model), {}
        for place, total in totals.items():
            some = sorted(t for other, t in totals.items() if t > 0 and (self.over == 'program' or other[0] == place[0]))
            goal = {'mean': sum(some) // len(some), 'least': some[0], 'median': some[(len(some) - 1) // 2]}[self.goal] if some else 0
            factors[place] = Fraction(goal, total) if total else Fraction(1)
        return factors


class Without(Selection):
    def text(self):
        return 'without ' + self.where()

    def drops(self, model, process, call):
        return self.has(process, call.path) and is_barrier(model, call)


class Network(Change):
    """kind: ideal, zero, or a line: latency and bandwidth are factors then."""

    def __init__(self, kind, latency=Fraction(1), bandwidth=Fraction(1)):
        self.kind, self.latency, self.bandwidth = kind, latency, bandwidth
        self.is_never_later = kind == 'ideal' or kind == 'line' and latency <= 1 and bandwidth >= 1

    def text(self):
        if self.kind != 'line':
            return 'network ' + self.kind
        return 'network latency %d/%d bandwidth %d/%d' % (self.latency.numerator, self.latency.denominator, self.bandwidth.numerator,
                                                         self.bandwidth.denominator)

    def between(self, call, time):
        if self.kind != 'zero':
            return time
        return 0 if time < 0 and call.is_mpi() else time - call.in_mpi_before

    def local(self, model, call, local):
        return 0 if self.kind == 'zero' and call.is_mpi() or self.kind == 'ideal' and moves_data(model, call) else local

    def transfer(self, model, call, dependency, transfer):
        if dependency.kind == 'extra':
            return None if self.kind == 'zero' else 0
        if self.kind == 'zero' and call.is_mpi():
            waits = dependency.kind in ('receive', 'collective', 'epoch', 'window lock') or dependency.kind == 'rendezvous' and dependency.is_synchronous
            return 0 if waits else None
        if dependency.kind not in ('receive', 'rendezvous', 'progress', 'collective', 'tree'):
            return transfer
        if dependency.kind == 'collective' and dependency.operation in SYNCHRONISING:
            return transfer
        if self.kind == 'ideal':
            return min(transfer, 0)
        kind = 'receive' if dependency.kind in ('rendezvous', 'progress') else dependency.kind
        same = dependency.same if dependency.moved is None else dependency.moved[2]
        line = model.lines.get((kind, dependency.operation, same, dependency.members.bit_length()))
        if line is None:
            return transfer
        cost = dependency.size * line[1] >> 32
        return max(min(transfer, 0), transfer + line[0] * self.latency // 1 - line[0] + cost / self.bandwidth // 1 - cost)


class WithoutMessages(Selection):
    """tag: None for all."""

    def __init__(self, model, region, processes, least, most, tag):
        super().__init__(region, processes)
        self.least, self.most, self.tag = least, most, tag
        roles, self.is_idle = {}, set()                               # call -> [(send, whether it is one of the call's records)]
        for send, receive in model.messages:
            post = receive['post'][2] if receive['post'] else None
            for call, other, is_record in ((send['call'], None, True), (send['done'], send['call'], False), (receive['call'], None, True),
                                           (post, receive['call'], True)):
                if call is not None and call is not other:
                    roles.setdefault(call, []).append((send, is_record))
        for call, some in roles.items():
            n_records = sum(record[0] in ('send', 'recv', 'recv_request') for record in call.records)
            has_others = any(record[0] in ('coll_end', 'nbc_complete', 'nbc_request') for record in call.records)
            if not has_others and n_records == sum(is_record for _, is_record in some) and all(self.selects(send) for send, _ in some):
                self.is_idle.add(call)

    def selects(self, send):
        return self.has((send['process'], 0), send['call'].path) and self.least <= send['size'] <= self.most and self.tag in (None, send['tag'])

    def text(self):
        return 'without messages %s bytes %d-%d%s' % (self.where(), self.least, self.most, '' if self.tag is None else ' tag %d' % self.tag)

    def local(self, model, call, local):
        return 0 if call in self.is_idle else local

    def transfer(self, model, call, dependency, transfer):
        return None if dependency.send is not None and self.selects(dependency.send) else transfer


class Eager(Change):
    def __init__(self, model, limit):
        self.limit, self.extra = limit, {}
        for send, receive in model.messages:
            done, post = send['done'], receive['post']
            same = model.same(send['process'], receive['call'].process)
            if (done is None or post is None or send['call'].name in SYNCHRONOUS | NEVER or send['size'] <= limit or
                    send['process'] == receive['call'].process or model.protocol_of(same, send['size'].bit_length()) != 'eager'):
                continue
            dependency = Dependency('extra', [post[2]], send['size'], same, send=send)
            dependency.transfer = 0
            self.extra.setdefault(done, []).append(dependency)
        self.is_never_later = not self.extra

    def text(self):
        return 'eager %d' % self.limit

    def transfer(self, model, call, dependency, transfer):
        is_send = dependency.kind == 'progress' or dependency.kind == 'rendezvous' and not dependency.is_synchronous
        return None if is_send and dependency.size <= self.limit else transfer

    def added(self, model):
        return self.extra


class Interference(Selection):
    def __init__(self, model, region, processes, threads):
        super().__init__(region, processes, threads)
        pieces = {}
        for process, stream in model.streams.items():
            for some in [call.before for call in stream.calls] + [stream.tail]:
                for path, time in some.items():
                    if time:
                        pieces.setdefault((process, path), []).append(time)
        self.typical = {key: sorted(times)[(len(times) - 1) // 2] for key, times in pieces.items()}

    def text(self):
        return 'interference %s off' % self.where()

    def between(self, call, time):
        place = (call.process, call.thread)
        for path, piece in call.before.items():
            if piece and is_computation(path) and self.has(place, path) and piece > 3 * self.typical[place, path]:
                time += self.typical[place, path] - piece
        return time


class Overlap(Selection):
    def __init__(self, model, region, processes, threads):
        super().__init__(region, processes, threads)
        self.deferring = set()
        for process, stream in model.streams.items():
            for call, following in zip(stream.calls, stream.calls[1:]):
                if (following.enter - call.leave < model.resolution // 10000 and not {call.name, following.name} & {'init', 'init_thread', 'finalize'} and
                        self.has(process, call.path) and self.has(process, following.path)):
                    self.deferring.add(call)

    def text(self):
        return 'overlap ' + self.where()

    def defers(self, call):
        return call in self.deferring


class Place(Change):
    """path: the file that is written; node_of: process -> number."""
    is_never_later = False

    def __init__(self, path, node_of):
        self.path, self.node_of = path, node_of
        with open(path, 'w') as file:
            file.writelines('%d new%d\n' % row for row in node_of.items())

    def text(self):
        return 'place ' + self.path

    def transfer(self, model, call, dependency, transfer):
        if dependency.kind == 'extra':
            return transfer
        collective = dependency.kind in ('collective', 'tree')
        members = dependency.processes if collective else {call.process, dependency.sources[0].process}
        group = dependency.group()
        dependency.moved = group[:2] + (len({self.node_of[process] for process in members}) == 1,) + group[3:]
        before, after = model.fitted(group, None), model.fitted(dependency.moved, None)
        return transfer if before is None or after is None else max(min(transfer, 0), transfer + after - before)


# ---- the draw ------------------------------------------------------------------------------------------------------------------


def has_threads(model):
    return any(not call.is_mpi() for stream in model.streams.values() for call in stream.calls)


def draw_selection(model, draw):
    """(region, processes, threads) of computation; None: there is none."""
    paths = {path for stream in model.streams.values() for pieces in [call.before for call in stream.calls] + [stream.tail] for path in pieces
             if is_computation(path)}
    names = {region.name: region for path in paths for region in path if region.paradigm != 'MEASUREMENT_SYSTEM' or region.is_program}
    if not names:
        return None
    region, everybody, most = names[draw.choice(sorted(names))], sorted(model.processes), max(place[1] for place in model.streams)
    processes = sorted(draw.sample(everybody, draw.randint(1, len(everybody)))) if draw.random() < 0.5 else None
    threads = sorted(draw.sample(range(most + 1), draw.randint(1, most + 1))) if most > 0 and draw.random() < 0.3 else None
    return region, processes, threads


def has_tasks(model, region):
    return any(region.name == other.name for stream in model.streams.values() for _, path, _ in stream.segments if TASKS in path for other in path)


def draw_computation(model, draw, make):
    selection = draw_selection(model, draw)
    if selection is None:
        return None
    change = make(*selection)
    return change if change is not None and any(change.totals(model).values()) else None


def draw_without(model, draw):
    barriers = [call.path for stream in model.streams.values() for call in stream.calls if is_barrier(model, call)]
    return Without(draw.choice(draw.choice(barriers)), None) if barriers else None


def draw_network(model, draw):
    kind = draw.choice(('ideal', 'zero', 'line'))
    if kind != 'line':
        return Network(kind)
    has_sizes = any(line[2] > 1 for line in model.lines.values())
    return Network(kind, draw.choice(FACTORS), draw.choice(FACTORS[1:]) if has_sizes else Fraction(1)) if model.lines else None


def draw_messages(model, draw):
    if not model.messages:
        return None
    send = draw.choice(model.messages)[0]
    least = draw.choice((0, 0, send['size']))
    most = least if draw.random() < 0.2 else draw.choice((send['size'], 10 ** 9))
    change = WithoutMessages(model, draw.choice(send['call'].path), draw.choice((None, None, [send['process']])), least, most,
                             draw.choice((None, send['tag'])))
    return change if any(change.selects(message[0]) for message in model.messages) else None


def draw_place(model, draw, folder):
    relations = {same for (kind, _, same, _, _) in model.fits if kind != 'local'}              # also of windows
    if len(relations) < 2:
        return None
    return Place('%s/places%d' % (folder, draw.randint(0, 10 ** 9)), {process: draw.randint(0, 2) for process in model.processes})


def draw_instances(model, draw):
    """A change of instances of a region: balance, scale, or remove delay. Not of one that tasks enter, which may move inside of it."""
    per = draw_selection(model, draw)
    if per and has_tasks(model, per[0]):
        return None
    n = max((len(instances_of(stream, per[0])) for stream in model.streams.values()), default=0) if per else 0
    if n == 0:
        return None
    iterations = Iterations(per[0], set(draw.sample(range(1, n + 1), draw.randint(1, n))))
    makers = {'balance': lambda *where: None if has_tasks(model, where[0]) else BalancePer(
                  model, *where, draw.choice(('mean', 'least', 'median')), draw.choice(('program', 'team')), per[0], draw.choice((None, iterations))),
              'scale': lambda *where: ScaleIn(model, *where, draw.choice(FACTORS), iterations),
              'delay': lambda *where: RemoveDelay(model, *where, iterations)}
    change = draw_computation(model, draw, makers[draw.choice(sorted(makers))])
    return change if change and change.has_any else None


def draw_change(model, draw, folder):
    of_threads = ('scale', 'scale', 'balance', 'without', 'network', 'delay', 'per')
    kind = draw.choice(of_threads if has_threads(model) else of_threads + ('network', 'messages', 'eager', 'interference', 'overlap', 'place'))
    if kind == 'delay':
        return draw_computation(model, draw, lambda *where: RemoveDelay(model, *where))
    if kind == 'per':
        return draw_instances(model, draw)
    if kind == 'interference':
        return draw_computation(model, draw, lambda *where: Interference(model, *where))
    if kind == 'overlap':
        selection = draw_selection(model, draw)
        change = Overlap(model, *selection) if selection else None
        calls = [(place, call) for place, stream in model.streams.items() for call in stream.calls]
        return change if change and any(change.has(process, call.path) for process, call in calls) else None
    if kind == 'place':
        return draw_place(model, draw, folder)
    if kind == 'messages':
        return draw_messages(model, draw)
    if kind == 'eager':
        return Eager(model, draw.choice([send['size'] - draw.randint(0, 1) for send, _ in model.messages if send['size']] or [0]))
    if kind == 'scale':
        return draw_computation(model, draw, lambda *where: Scale(*where, draw.choice(FACTORS)))
    if kind == 'balance':
        return draw_computation(model, draw, lambda *where: None if has_tasks(model, where[0]) else Balance(
            *where, draw.choice(('mean', 'least', 'median')), draw.choice(('program', 'team'))))
    return draw_without(model, draw) if kind == 'without' else draw_network(model, draw)


def draw_changes(model, draw, folder):
    """One change, or two of different kinds; None: there is nothing to change."""
    changes = [change for change in (draw_change(model, draw, folder) for _ in range(draw.choice((1, 1, 2)))) if change is not None]
    are_computation = [isinstance(change, (Scale, Balance, Interference, OfPieces)) for change in changes]
    if len(changes) == 2 and (type(changes[0]) is type(changes[1]) or all(are_computation)):
        changes.pop()
    return changes or None


def text_of(changes):
    return ' + '.join(change.text() for change in changes) or 'none'


# ---- the evaluation ------------------------------------------------------------------------------------------------------------


def evaluate(model, changes, alone=(), latest=None):
    """({call: enter}, {call: leave}) under the changes, by the longest paths; not of calls that wait for each other in a circle.
    alone: calls that wait for nobody. latest: is filled, {call: the latest time that it waits for, transfers not counted}."""
    added = {}
    for change in changes:
        added.update(change.added(model))
    scaled = [(change, change.factors(model)) for change in changes]
    scaled = [(change, factors) for change, factors in scaled if factors is not None]
    enters, leaves, done = {}, {}, {place: 0 for place in model.streams}
    now = {place: (stream.begin, stream.begin) for place, stream in model.streams.items()}     # new, recorded
    sums, pending, is_going_on = {place: 0 for place in model.streams}, {}, True
    places = [change for change in changes if isinstance(change, Place)]
    changes = places + [change for change in changes if change not in places]
    for dependency in (d for stream in model.streams.values() for call in stream.calls for d in call.dependencies):
        dependency.moved = None
    while is_going_on:
        is_going_on = False
        for place, stream in model.streams.items():
            while done[place] < len(stream.calls):
                call = stream.calls[done[place]]
                dependencies = call.dependencies + added.get(call, [])
                times = {d: d.new_time(enters, leaves) for d in dependencies}
                if call.starts and call.dependencies and None in times.values():
                    break
                if call not in enters:
                    between = call.enter - now[place][1] if now[place][1] is not None else 0
                    for change in sorted(changes, key=lambda change: not isinstance(change, Network)):
                        between = change.between(call, between)
                    for change, factors in scaled:
                        before = change.part(place, call.before)
                        between += (sums[place] + before) * factors[place] // 1 - sums[place] * factors[place] // 1 - before
                        sums[place] += before
                    enters[call], is_going_on = (now[place][0] if now[place][0] is not None else call.enter) + int(between), True
                    times = {d: d.new_time(enters, leaves) for d in dependencies}
                if None in times.values():
                    break
                waits = waits_of(model, changes, times, call, () if call in alone else dependencies)
                if call.starts and call.dependencies:
                    enters[call] = max(time + transfer for time, transfer in waits)
                pending_until, pending_from = pending.pop(place, (enters[call], enters[call]))
                waited = max([pending_until] + [time + transfer for time, transfer in waits])
                waits_for = max([pending_from] + [time for time, _ in waits])
                leaves[call] = enters[call] + local_of(model, changes, call)
                if any(change.defers(call) for change in changes):
                    pending[place] = waited, waits_for
                    waits_for = enters[call]
                elif call not in alone:
                    leaves[call] = max(leaves[call], waited)
                if any(change.drops(model, place, call) for change in changes):
                    leaves[call] = enters[call]
                if call.is_nested and now[place][0] is not None:
                    leaves[call] = max(leaves[call], now[place][0])
                now[place], is_going_on = (leaves[call], call.leave), True
                done[place] += 1
                if latest is not None:
                    latest[call] = min(waits_for, leaves[call])
    return enters, leaves


def local_of(model, changes, call):
    local = call.local
    for change in changes:
        local = change.local(model, call, local)
    return local


def waits_of(model, changes, known, call, dependencies):
    """New time and transfer of each that the call waits for."""
    times = []
    for dependency in dependencies:
        transfer = dependency.transfer
        for change in changes:
            transfer = change.transfer(model, call, dependency, transfer) if transfer is not None else None
        if transfer is not None:
            times.append((known[dependency], int(transfer)))
    return times

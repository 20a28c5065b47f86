"""Hypotheses (docs/simulation.md#hypotheses): drawn at random for a model of simulation_model.py, and evaluated by the longest paths."""
from fractions import Fraction

from simulation_model import HANDLES, NEVER, SYNCHRONOUS, Dependency

FACTORS = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(3), Fraction(7, 4))


def is_computation(path):
    return path and path[-1].paradigm != 'MEASUREMENT_SYSTEM' and is_outside(path)


def is_outside(path):
    return all(region.mpi_name is None for region in path)


def is_barrier(call):
    kinds = [record for record in call.records if record[0] in ('send', 'recv', 'recv_request', 'nbc_request')
             or record[0] in ('coll_end', 'nbc_complete') and record[1] not in HANDLES]
    return call.name != 'init' and bool(kinds) and all(record[0] in ('coll_end', 'nbc_complete') and record[1] == 'BARRIER' for record in kinds)


def moves_data(call):
    return call.completes_sends or any(
        record[0] in ('send', 'recv') or record[0] in ('coll_end', 'nbc_complete') and record[1] != 'BARRIER' and record[1] not in HANDLES
        for record in call.records)


# ---- kinds of changes ----------------------------------------------------------------------------------------------------------


class Change:
    """is_never_later: under it no call is entered or left later than recorded."""
    is_never_later = True

    def factors(self, model):
        """process -> factor of the computation that part() finds; None: computation stays as it is."""
        return None

    def between(self, process, pieces, time):
        """Time between two calls."""
        return time

    def local(self, call, local):
        return local

    def transfer(self, model, call, dependency, transfer):
        """None: it does not wait."""
        return transfer

    def drops(self, process, call):
        return False

    def added(self, model):
        """call -> dependencies that it gets"""
        return {}

    def defers(self, call):
        """Whether the next call waits in its place."""
        return False


class Selection(Change):
    """region: all call paths with it; processes: None for all."""

    def __init__(self, region, processes):
        self.region, self.processes = region, processes

    def where(self):
        return self.region.name + (' on process ' + ','.join(map(str, self.processes)) if self.processes else '')

    def has(self, process, path):
        return (self.processes is None or process in self.processes) and any(region.name == self.region.name for region in path)

    def part(self, process, pieces):
        return sum(time for path, time in pieces.items() if is_computation(path) and self.has(process, path))

    def totals(self, model):
        return {process: sum(self.part(process, call.before) for call in calls) + self.part(process, model.tails[process])
                for process, calls in model.processes.items()}


class Scale(Selection):
    def __init__(self, region, processes, factor):
        super().__init__(region, processes)
        self.factor, self.is_never_later = factor, factor <= 1

    def text(self):
        return 'scale %s %d/%d' % (self.where(), self.factor.numerator, self.factor.denominator)

    def factors(self, model):
        return {process: self.factor for process in model.processes}


class Balance(Selection):
    is_never_later = False

    def __init__(self, region, processes, goal):
        super().__init__(region, processes)
        self.goal = goal

    def text(self):
        return 'balance %s to %s' % (self.where(), self.goal)

    def factors(self, model):
        totals = self.totals(model)
        some = sorted(total for total in totals.values() if total > 0)
        goal = {'mean': sum(some) // len(some), 'least': some[0], 'median': some[(len(some) - 1) // 2]}[self.goal]
        return {process: Fraction(goal, total) if total else Fraction(1) for process, total in totals.items()}


class Without(Selection):
    def text(self):
        return 'without ' + self.where()

    def drops(self, process, call):
        return self.has(process, call.path) and is_barrier(call)


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

    def between(self, process, pieces, time):
        return sum(piece for path, piece in pieces.items() if is_outside(path)) if self.kind == 'zero' else time

    def local(self, call, local):
        return 0 if self.kind == 'zero' or self.kind == 'ideal' and moves_data(call) else local

    def transfer(self, model, call, dependency, transfer):
        if dependency.kind == 'extra':
            return None if self.kind == 'zero' else 0
        if self.kind == 'zero':
            waits = dependency.kind in ('receive', 'collective') or dependency.kind == 'rendezvous' and dependency.is_synchronous
            return 0 if waits else None
        if dependency.kind == 'collective' and dependency.operation in ('BARRIER', 'INIT', 'FINALIZE'):
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
        return self.has(send['process'], send['call'].path) and self.least <= send['size'] <= self.most and self.tag in (None, send['tag'])

    def text(self):
        return 'without messages %s bytes %d-%d%s' % (self.where(), self.least, self.most, '' if self.tag is None else ' tag %d' % self.tag)

    def local(self, call, local):
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
    def __init__(self, model, region, processes):
        super().__init__(region, processes)
        pieces = {}
        for process, calls in model.processes.items():
            for some in [call.before for call in calls] + [model.tails[process]]:
                for path, time in some.items():
                    if time:
                        pieces.setdefault((process, path), []).append(time)
        self.typical = {key: sorted(times)[(len(times) - 1) // 2] for key, times in pieces.items()}

    def text(self):
        return 'interference %s off' % self.where()

    def between(self, process, pieces, time):
        for path, piece in pieces.items():
            if piece and is_computation(path) and self.has(process, path) and piece > 3 * self.typical[process, path]:
                time += self.typical[process, path] - piece
        return time


class Overlap(Selection):
    def __init__(self, model, region, processes):
        super().__init__(region, processes)
        self.deferring = set()
        for process, calls in model.processes.items():
            for call, following in zip(calls, calls[1:]):
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


def draw_selection(model, draw):
    """(region, processes) of computation; None: there is none."""
    paths = {path for calls in model.processes.values() for call in calls for path in call.before if is_computation(path)}
    paths |= {path for pieces in model.tails.values() for path in pieces if is_computation(path)}
    names = {region.name: region for path in paths for region in path if region.paradigm != 'MEASUREMENT_SYSTEM'}
    if not names:
        return None
    region = names[draw.choice(sorted(names))]
    processes = sorted(draw.sample(sorted(model.processes), draw.randint(1, len(model.processes)))) if draw.random() < 0.5 else None
    return region, processes


def draw_computation(model, draw, make):
    selection = draw_selection(model, draw)
    if selection is None:
        return None
    change = make(*selection)
    return change if any(change.totals(model).values()) else None


def draw_without(model, draw):
    barriers = [call.path for calls in model.processes.values() for call in calls if is_barrier(call)]
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
    relations = {same for (kind, _, same, _, _) in model.fits if kind != 'local'}
    if len(relations) < 2:
        return None
    return Place('%s/places%d' % (folder, draw.randint(0, 10 ** 9)), {process: draw.randint(0, 2) for process in model.processes})


def draw_change(model, draw, folder):
    kind = draw.choice(('scale', 'scale', 'balance', 'without', 'network', 'network', 'messages', 'eager', 'interference', 'overlap', 'place'))
    if kind == 'interference':
        return draw_computation(model, draw, lambda *where: Interference(model, *where))
    if kind == 'overlap':
        selection = draw_selection(model, draw)
        change = Overlap(model, *selection) if selection else None
        calls = [(process, call) for process, calls in model.processes.items() for call in calls]
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
        return draw_computation(model, draw, lambda *where: Balance(*where, draw.choice(('mean', 'least', 'median'))))
    return draw_without(model, draw) if kind == 'without' else draw_network(model, draw)


def draw_changes(model, draw, folder):
    """One change, or two of different kinds; None: there is nothing to change."""
    changes = [change for change in (draw_change(model, draw, folder) for _ in range(draw.choice((1, 1, 2)))) if change is not None]
    are_computation = [isinstance(change, (Scale, Balance, Interference)) for change in changes]
    if len(changes) == 2 and (type(changes[0]) is type(changes[1]) or all(are_computation)):
        changes.pop()
    return changes or None


def text_of(changes):
    return ' + '.join(change.text() for change in changes) or 'none'


# ---- the evaluation ------------------------------------------------------------------------------------------------------------


def evaluate(model, changes, alone=()):
    """({call: enter}, {call: leave}) under the changes, by the longest paths; not of calls that wait for each other in a circle.
    alone: calls that wait for nobody."""
    added = {}
    for change in changes:
        added.update(change.added(model))
    scaled = [(change, change.factors(model)) for change in changes]
    scaled = [(change, factors) for change, factors in scaled if factors is not None]
    enters, leaves, done = {}, {}, {process: 0 for process in model.processes}
    now = {process: (model.begins[process], model.begins[process]) for process in model.processes}     # new, recorded
    sums, pending, is_going_on = {process: 0 for process in model.processes}, {}, True
    places = [change for change in changes if isinstance(change, Place)]
    changes = places + [change for change in changes if change not in places]
    for calls in model.processes.values():
        for dependency in (d for call in calls for d in call.dependencies):
            dependency.moved = None
    while is_going_on:
        is_going_on = False
        for process, calls in model.processes.items():
            while done[process] < len(calls):
                call = calls[done[process]]
                if call not in enters:
                    between = call.enter - now[process][1]
                    for change in sorted(changes, key=lambda change: not isinstance(change, Network)):
                        between = change.between(process, call.before, between)
                    for change, factors in scaled:
                        before = change.part(process, call.before)
                        between += (sums[process] + before) * factors[process] // 1 - sums[process] * factors[process] // 1 - before
                        sums[process] += before
                    enters[call], is_going_on = now[process][0] + int(between), True
                dependencies = call.dependencies + added.get(call, [])
                times = {d: d.new_time(enters, leaves) for d in dependencies}
                if None in times.values():
                    break
                waited = max([pending.pop(process, enters[call])] + waits_of(model, changes, times, call, () if call in alone else dependencies))
                leaves[call] = enters[call] + local_of(changes, call)
                if any(change.defers(call) for change in changes):
                    pending[process] = waited
                elif call not in alone:
                    leaves[call] = max(leaves[call], waited)
                if any(change.drops(process, call) for change in changes):
                    leaves[call] = enters[call]
                now[process], is_going_on = (leaves[call], call.leave), True
                done[process] += 1
    return enters, leaves


def local_of(changes, call):
    local = call.local
    for change in changes:
        local = change.local(call, local)
    return local


def waits_of(model, changes, known, call, dependencies):
    """New time and transfer of each that the call waits for."""
    times = []
    for dependency in dependencies:
        transfer = dependency.transfer
        for change in changes:
            transfer = change.transfer(model, call, dependency, transfer) if transfer is not None else None
        if transfer is not None:
            times.append(known[dependency] + int(transfer))
    return times

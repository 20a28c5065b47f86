"""Changes of computation (docs/simulation.md#hypotheses): what is selected, and where it is about pieces of it, such as those in iterations."""
from bisect import bisect_left

from analysis import Analysis
from archive_reader import Archive

WAITS = {'BARRIER', 'IMPLICIT_BARRIER', 'CRITICAL', 'ORDERED', 'ATOMIC', 'FLUSH', 'TASK_WAIT', 'TASK_CREATE'}       # roles of OpenMP


def is_computation(path):
    if not path or (path[-1].paradigm == 'MEASUREMENT_SYSTEM' and not path[-1].is_program) or path[-1].pthread_name is not None or not is_outside(path):
        return False
    last = path[-1]
    return not last.is_omp or (last.role not in WAITS and not last.barrier_wait and not last.name.startswith('omp_'))


def is_outside(path):
    return all(region.mpi_name is None for region in path)


# ---- what is selected ----------------------------------------------------------------------------------------------------------


class Change:
    """is_never_later: under it no call is entered or left later than recorded."""
    is_never_later = True

    def factors(self, model):
        """process -> factor of the computation that part() finds; None: computation stays as it is."""
        return None

    def between(self, call, time):
        """Time before a call."""
        return time

    def local(self, model, call, local):
        return local

    def transfer(self, model, call, dependency, transfer):
        """None: it does not wait."""
        return transfer

    def drops(self, model, process, call):
        return False

    def added(self, model):
        """call -> dependencies that it gets"""
        return {}

    def defers(self, call):
        """Whether the next call waits in its place."""
        return False


class Selection(Change):
    """region: all call paths with it; processes, threads: None for all."""

    def __init__(self, region, processes, threads=None):
        self.region, self.processes, self.threads = region, processes, threads

    def where(self):
        return self.region.name + ''.join(' on %s %s' % (what, ','.join(map(str, numbers)))
                                          for what, numbers in (('process', self.processes), ('thread', self.threads)) if numbers)

    def has(self, place, path):
        """place: process and thread."""
        return ((self.processes is None or place[0] in self.processes) and (self.threads is None or place[1] in self.threads)
                and any(region.name == self.region.name for region in path))

    def part(self, process, pieces):
        return sum(time for path, time in pieces.items() if is_computation(path) and self.has(process, path))

    def totals(self, model):
        return {place: sum(self.part(place, call.before) for call in stream.calls) + self.part(place, stream.tail)
                for place, stream in model.streams.items()}


# ---- pieces of it -------------------------------------------------------------------------------------------------------------


class OfPieces(Selection):
    """longer: what segments of a stream are longer by, place -> [ticks]."""

    def make(self, model, longer):
        self.longer = {}
        for place, stream in model.streams.items():
            at = 0
            for call in stream.calls:
                end = at
                while end < len(stream.segments) and stream.segments[end][0] <= call.enter:
                    end += 1
                self.longer[id(call.before)] = sum(longer[place][at:end])
                at = end

    def between(self, call, time):
        return time + self.longer[id(call.before)]

    def is_selected(self, place, path):
        return is_computation(path) and self.has(place, path)

    def rows(self, model, place, per):
        """(k, time) of each segment: of which instance of the region `per` it is; None: of none, or it is not selected. A thread that never enters
        the region has the instances of its process's first one; there, all before a call counts with its enter."""
        stream = model.streams[place]
        own = instances_of(stream, per)
        instances, enters = own or instances_of(model.streams.get((place[0], 0)), per), [call.enter for call in stream.calls]
        for end, path, time in stream.segments:
            if not own:
                at = bisect_left(enters, end)
                end = enters[at] if at < len(enters) else stream.end
            k = next((k for k, (enter, leave) in enumerate(instances) if enter < end <= leave), None) if self.is_selected(place, path) else None
            yield k, time if k is not None else 0


def instances_of(stream, per):
    """[(enter, leave)] of a region; one inside of another belongs to that."""
    return [(enter, leave) for regions, enter, leave in (stream.instances if stream else ())
            if regions[-1].name == per.name and [region.name for region in regions].index(per.name) == len(regions) - 1]


class Iterations:
    """Instances of a region, which count from 1. per: that region."""

    def __init__(self, per, numbers):
        self.per, self.numbers = per, numbers

    def text(self):
        return ' in iteration %s of %s' % (','.join(map(str, sorted(self.numbers))), self.per.name)

    def has(self, k):
        return k is not None and k + 1 in self.numbers


class ScaleIn(OfPieces):
    """In some instances of a region; what is left of a tick is carried inside of an instance."""

    def __init__(self, model, region, processes, threads, factor, iterations):
        super().__init__(region, processes, threads)
        self.factor, self.iterations, self.is_never_later, self.has_any = factor, iterations, factor <= 1, False
        longer = {place: [] for place in model.streams}
        for place in model.streams:
            sums = {}
            for k, time in self.rows(model, place, iterations.per):
                before = sums.get(k, 0)
                sums[k] = before + time
                is_in = iterations.has(k)
                self.has_any |= is_in and time > 0
                longer[place].append(sums[k] * factor // 1 - before * factor // 1 - time if is_in else 0)
        self.make(model, longer)

    def text(self):
        return 'scale %s%s %d/%d' % (self.where(), self.iterations.text(), self.factor.numerator, self.factor.denominator)


class BalancePer(OfPieces):
    """Of each instance of a region: the k-th ones with each other. iterations: only those; None: all."""
    is_never_later = False

    def __init__(self, model, region, processes, threads, goal, over, per, iterations):
        super().__init__(region, processes, threads)
        self.goal, self.over, self.per, self.iterations = goal, over, per, iterations
        totals = {}                                                  # (place, k) -> ticks
        rows = {place: [(k if iterations is None or iterations.has(k) else None, time) for k, time in self.rows(model, place, per)] for place in model.streams}
        for place, some in rows.items():
            for k, time in some:
                if k is not None:
                    totals[place, k] = totals.get((place, k), 0) + time
        self.has_any = any(totals.values())
        longer = {}
        for place, some in rows.items():
            longer[place], sums = [], {}
            for k, time in some:
                total = totals.get((place, k), 0)
                if not total:
                    longer[place].append(0)
                    continue
                all_of = sorted(t for (other, j), t in totals.items() if j == k and t > 0 and (over == 'program' or other[0] == place[0]))
                goal_time = {'mean': sum(all_of) // len(all_of), 'least': all_of[0], 'median': all_of[(len(all_of) - 1) // 2]}[goal]
                before = sums.get(k, 0)
                sums[k] = before + time
                longer[place].append(sums[k] * goal_time // total - before * goal_time // total - time)
        self.make(model, longer)

    def text(self):
        some = self.iterations.text().split(' of ')[0] if self.iterations else ''
        return 'balance %s%s to %s over %s per %s' % (self.where(), some, self.goal, self.over, self.per.name)


class RemoveDelay(OfPieces):
    """Of each delay that the analysis finds the computation is taken from the latest segments of its interval. iterations: of those inside of them;
    None: all."""

    def __init__(self, model, region, processes, threads, iterations=None):
        super().__init__(region, processes, threads)
        self.iterations, self.has_any = iterations, iterations is None
        delays, longer = {}, {}
        for place, since, until, path, time in found_delays(model):
            delays.setdefault((place, path), []).append((until, -since, time))
        for place, stream in model.streams.items():
            longer[place] = [0] * len(stream.segments)
            by_path = {}
            inside = [True] * len(stream.segments) if iterations is None else [iterations.has(k) for k, _ in self.rows(model, place, iterations.per)]
            for i, (end, path, time) in enumerate(stream.segments):
                if self.is_selected(place, path) and inside[i]:
                    self.has_any |= time > 0
                    by_path.setdefault(tuple(region.name for region in path), []).append((end - time, time, i))
            for path, segments in by_path.items():
                for until, since, time in sorted(delays.get((place, path), ())):
                    some = [segment for segment in segments if -since <= segment[0] < until]
                    time += sum(longer[place][i] for _, _, i in some)
                    for _, length, i in reversed(some):
                        part = max(0, min(time, length + longer[place][i]))
                        longer[place][i] -= part
                        time -= part
        self.make(model, longer)

    def text(self):
        return 'remove delay ' + self.where() + (self.iterations.text() if self.iterations else '')


def found_delays(model):
    """[(place, since, until, names of the call path, ticks)] of the oracle of the analysis."""
    if model.delays is None:
        analysis = Analysis(Archive(model.anchor), False, True)
        delays, model.delays = analysis.causes.delays, []
        for start, cause, excess in delays.found:
            times = delays.tracks[cause.location].times
            for path, time in excess.items():
                names = tuple(reversed([at.region.name for at in path.ancestors()]))
                model.delays.append(((cause.location.process, cause.location.thread), times[start.cut], times[cause.cut], names, time))
    return model.delays

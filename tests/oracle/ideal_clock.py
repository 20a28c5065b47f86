"""Where the clocks of an archive would be if data took no time ("Ideal runtime" in docs/metrics.md), of the run or of an interval of it: slow,
from what each call depends on (simulation_model.py). First threads only; nothing of heddle's but which calls it knows."""

from bisect import bisect_right
from itertools import accumulate

from simulation_model import Model

WAITS = ('receive', 'collective')                                    # the other dependencies are of data, protocols and windows


class IdealModel(Model):
    def learn_progress(self):
        """Operations end as soon as all have started them, also those that go on in calls of MPI only."""
        super().learn_progress()
        self.goes_on_in_calls, self.progressing = bool(self.progressing), set()


class IdealClocks:
    def __init__(self, model, pieces, begin):
        """pieces: process -> [(from, to, state, in parallel)] of its first thread. begin: of the interval, as recorded; 0: the run."""
        self.pieces, self.begin = pieces, begin
        in_mpi = {process: [piece[:2] for piece in of if piece[2] == 'mpi'] for process, of in pieces.items()}
        self.since = {process: [since for since, _ in of] for process, of in in_mpi.items()}                     # pieces in MPI begin,
        self.until = {process: [to for _, to in of] for process, of in in_mpi.items()}                           # end,
        self.summed = {process: list(accumulate((to - since for since, to in of), initial=0)) for process, of in in_mpi.items()}   # time of those before
        self.calls = {process: [call for call in model.streams[process, 0].calls if call.is_mpi()] for process in pieces
                      if (process, 0) in model.streams}
        self.enters, self.leaves, done = {}, {}, dict.fromkeys(self.calls, 0)
        while any([self.advance(process, done) for process in self.calls]):
            pass
        self.is_known = all(done[process] == len(calls) for process, calls in self.calls.items())

    def in_mpi_until(self, process, time):
        begun = bisect_right(self.since[process], time)
        return self.summed[process][begun] - (max(0, self.until[process][begun - 1] - time) if begun else 0)

    def outside(self, process, begin, end):
        """Time without MPI."""
        return end - begin - max(0, self.in_mpi_until(process, end) - self.in_mpi_until(process, begin))

    def after(self, process, call, time):
        """The clock at a recorded time at which no call with records is open, after a call; None: before the first."""
        if call is None or call.leave < self.begin:
            return time if time < self.begin else self.begin + self.outside(process, self.begin, time)
        return self.leaves[call] + self.outside(process, call.leave, time)

    def advance(self, process, done):
        """Calls of which all that they wait for is known; whether there were any."""
        calls, since = self.calls[process], done[process]
        while done[process] < len(calls):
            call, before = calls[done[process]], calls[done[process] - 1] if done[process] else None
            self.enters[call] = self.after(process, before, call.enter)
            sources = [source for dependency in call.dependencies if dependency.kind in WAITS for source in dependency.sources]
            if any(source not in self.enters for source in sources):
                break
            own = min(call.leave, self.begin) if call.enter < self.begin else self.enters[call]
            self.leaves[call] = max([own] + [self.enters[source] for source in sources])
            done[process] += 1
        return done[process] > since

    def last(self, process, end):
        """The clock at the end of the interval, or of the process."""
        end = min(end, self.pieces[process][-1][1])
        call = next((call for call in reversed(self.calls[process]) if call.enter < end), None)
        if call is not None and call.leave > end:
            return max(self.enters[call], self.begin)
        return self.after(process, call, end)

    def length(self, begin, end):
        return max(self.last(process, end) for process in self.calls) - begin

    def main_length(self):
        """From the earliest leave of MPI_Init to the latest enter of MPI_Finalize; None: a process lacks one of them."""
        begins = [[self.leaves[call] for call in calls if call.name in ('init', 'init_thread')][:1] for calls in self.calls.values()]
        ends = [[self.enters[call] for call in calls if call.name == 'finalize'][:1] for calls in self.calls.values()]
        return max(map(max, ends)) - min(map(min, begins)) if all(begins) and all(ends) else None

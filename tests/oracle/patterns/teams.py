"""Teams of threads ("Management, Fork", "Wait at Barrier (OpenMP)")."""
import bisect

from .part import Part


class Teams(Part):
    """barrier_instances: (team, calls)."""
    WAITS = ('omp_ebarrier_wait', 'omp_ibarrier_wait')
    TIMES = ('omp_management', 'omp_fork')

    def __init__(self, analysis):
        super().__init__(analysis)
        self.barrier_instances = []

    def analyze(self):
        self.management()
        self.barriers()

    def management(self):
        """Exclusive time: the terms come out of the ancestor on the thread that forked; on the other threads ancestors have none, nor
        has THREADS."""
        analysis, values = self.analysis, self.analysis.values
        for call, forked in analysis.forked_calls:
            fork = max(0, call.enter - forked.time)
            join = max(0, forked.joined - call.leave) if forked.joined is not None else 0
            key = call.path, call.location
            process = call.location.process
            counted = analysis.within(process, call.enter - fork, call.enter) + analysis.within(process, call.leave, call.leave + join)
            if analysis.is_held(process, call.enter - fork, call.leave + join):
                values['omp_fork'][key] += fork
                values['omp_management'][key] += fork + join
            values['time'][key] += counted
            if call.location is forked.location and forked.in_call:
                values['time'][forked.path, forked.location] -= counted
            else:
                analysis.recorded[call.location] += counted

    def barriers(self):
        """The n-th barriers of the members of a team are one instance, explicit and implicit ones counted together."""
        for team in self.analysis.teams:
            for n in range(max(map(len, team.barriers.values()), default=0)):
                calls = [barriers[n] for barriers in team.barriers.values() if n < len(barriers)]
                latest = max(call.enter for call in calls)
                self.barrier_instances.append((team, calls))
                self.analysis.operation = ('barrier', id(team), n)
                for call in calls:
                    if call.is_cut:                                  # the trigger is the Leave
                        continue
                    until = min(latest, call.leave)
                    off = call.tasks if self.compat else self.away(call, until)
                    self.analysis.book(call.region.barrier_wait, call, max(0, until - call.enter - off))
                self.analysis.operation = None

    def away(self, call, until):
        """For how long, since its enter, another task ran than the one that is in the call."""
        ran = self.analysis.ran[call.location]
        first, last = bisect.bisect_left(ran, (call.enter,)), bisect.bisect_left(ran, (until,))
        if call.task is None:
            return sum(min(until, end) - begin for begin, end, _ in ran[first:last])
        own = [(max(call.enter, begin), min(until, end)) for begin, end, task in ran[:last] if task is call.task]
        return until - call.enter - sum(max(0, end - begin) for begin, end in own)

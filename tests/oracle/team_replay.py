"""Teams of threads of one process: forks, and which instance of a team a location is in ("Threads")."""
from collections import defaultdict

from model import Fork, Team


def team_instances(locations, team_masters):
    """(team reference, k) -> Team, by counting on each location; the fork is known from the one that is thread 0 of the
    team, if that one's recording goes so far."""
    teams = {}
    for location in locations:
        n_forks, begins, open_forks = 0, defaultdict(int), []        # open_forks: [number, has a team begun]
        for event in location.events:
            if event[1] == 'fork':
                open_forks.append([n_forks, False])
                n_forks += 1
            elif event[1] == 'join' and open_forks:
                open_forks.pop()
            elif event[1] == 'team_begin':
                team = teams.setdefault((event[2], begins[event[2]]), Team(location, -1))
                begins[event[2]] += 1
                if team_masters.get(event[2]) == location.ref:
                    team.master = location
                    if open_forks and not open_forks[-1][1]:
                        team.fork_number, open_forks[-1][1] = open_forks[-1][0], True
    return teams


class TeamReplay:
    """instances: (team reference, k) -> Team. forked_calls: (call of a parallel region, fork)."""

    def __init__(self, replay):
        self.replay, self.analysis = replay, replay.analysis
        self.forks = {location: [] for location in replay.locations}
        self.open_forks = {location: [] for location in replay.locations}
        self.instances = team_instances(replay.locations, self.analysis.archive.team_masters)
        self.begins = defaultdict(int)                               # (location, team reference) -> ThreadTeamBegins so far
        self.inside = {location: [] for location in replay.locations}            # teams it is in, inner ones last; may be None
        self.bases = {location: [] for location in replay.locations}             # for each of them, where it was before
        self.level = defaultdict(int)                                # open parallel regions of a location
        self.forked_calls = []

    def next_instance(self, location, ref):
        return self.instances.get((ref, self.begins[location, ref]))

    def is_early(self, location, ref):
        team = self.next_instance(location, ref)
        return team is not None and len(self.forks[team.master]) <= team.fork_number

    def entered(self, call, task):
        """task: the explicit one that enters it, or None."""
        location = call.location
        team = self.inside[location][-1] if self.inside[location] else None
        if call.region.is_omp_parallel:
            self.level[location] += 1
            if team is not None and team.fork is not None:
                self.forked_calls.append((call, team.fork))
        elif call.region.barrier_wait and team is not None and self.level[location] > 0:
            team.barriers[location].append(call)
            call.task = task

    def left(self, call):
        if call.region.is_omp_parallel:
            self.level[call.location] -= 1

    def on_fork(self, at):
        base = self.replay.tasks.current[at.location].base
        fork = Fork(at.location, at.call.path if at.call else base, at.call is not None, at.time)
        self.forks[at.location].append(fork)
        self.analysis.note(at.location, at.time, 'fork', fork)
        self.open_forks[at.location].append(fork)

    def on_join(self, at):
        if self.open_forks[at.location]:
            self.open_forks[at.location][-1].joined = at.time
            self.analysis.note(at.location, at.time, 'join', self.open_forks[at.location].pop())

    def on_team_begin(self, at, ref):
        location, task = at.location, self.replay.tasks.current[at.location]
        if not self.inside[location]:                                # numbers may come again
            self.replay.tasks.forget_numbers(location)
        team = self.next_instance(location, ref)
        self.begins[location, ref] += 1
        self.inside[location].append(team)
        self.bases[location].append(task.base)
        if team is not None and 0 <= team.fork_number < len(self.forks[team.master]):
            team.fork = self.forks[team.master][team.fork_number]
        else:
            self.analysis.problems['ThreadTeamBegin without a fork before it'] += 1
        if not task.stack:
            task.base = team.fork.path if team is not None and team.fork is not None else self.replay.program

    def on_team_end(self, at):
        if self.inside[at.location]:
            self.inside[at.location].pop()
            base, task = self.bases[at.location].pop(), self.replay.tasks.current[at.location]
            if not task.stack:
                task.base = base

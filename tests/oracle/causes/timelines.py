"""The time lines of all locations, made from what the analysis noted of their records."""
from collections import defaultdict

from .track import Track

LIMIT = 128                                                          # elements of a time vector, with --compat=scout26 (D23)


def top(stack, task):
    """Call path of a location, None outside. An explicit task that is in no region is at TASKS."""
    return stack[-1].path if stack else task.base if task is not None else None


class Timelines:
    """tracks: location -> Track. order: call path -> its number. teams: fork -> location -> call of its parallel region.
    releases: (process, ownership of a lock) -> (time, call, position, mark). Non-blocking collectives: starts: (process, position among the
    requests) -> (call, position, request), completions: (process, request) -> position."""

    def __init__(self, analysis):
        self.analysis, self.compat = analysis, analysis.compat
        self.order, self.teams = {}, defaultdict(dict)
        self.releases, self.starts, self.completions = {}, {}, {}
        for location in analysis.archive.locations:
            for path in analysis.entered[location]:
                self.order.setdefault(path, len(self.order))
        for call, fork in analysis.forked_calls:
            self.teams[fork][call.location] = call
        self.tracks = {location: self.track(location) for location in analysis.archive.locations}

    def track(self, location):
        """The time line of a location as marks. Fork and join time belong to the parallel region."""
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
                track.edges.add(track.cuts[thing])                   # scout: the same
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

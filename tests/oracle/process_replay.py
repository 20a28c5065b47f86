"""The events of one process in one order: call tree, time, visits ("Call paths", "Time", "Visits")."""
import heapq
import os

from model import PAUSE, THREADS, At, Call, Region
from task_replay import TaskReplay
from team_replay import TeamReplay


def merged_events(locations, is_early):
    """The events of all locations of a process in one order: time, ties lower thread first; the order of the records of
    one location is never changed, even if its time stamps are not monotonous. is_early(event): it belongs behind an event of
    the same time of another location that has not been there yet."""
    queue = []
    for location in locations:
        if location.events:
            queue.append((location.events[0][0], location.thread, 0, location))
    heapq.heapify(queue)
    held = []
    while queue:
        latest, thread, i, location = heapq.heappop(queue)
        if is_early(location, location.events[i]) and queue and queue[0][0] <= latest:
            held.append((latest, thread, i, location))
            continue
        yield location, location.events[i]
        if i + 1 < len(location.events):
            heapq.heappush(queue, (max(latest, location.events[i + 1][0]), thread, i + 1, location))
        for entry in held:
            heapq.heappush(queue, entry)
        held = []


def handlers_of(objects):
    """Kind of record -> the methods on_KIND of the objects, in their order."""
    result = {}
    for thing in objects:
        for name in dir(thing):
            if name.startswith('on_'):
                result.setdefault(name[len('on_'):], []).append(getattr(thing, name))
    return result


class ProcessReplay:
    """Calls are entered and left here; what records say of teams, tasks, messages and so on is for the objects that have a
    method on_KIND(at, ...) for that kind of record: TeamReplay, TaskReplay, and the parts of the analysis."""

    def __init__(self, analysis, process, locations):
        self.analysis, self.process, self.locations = analysis, process, locations
        self.program = analysis.root
        self.tasks = TaskReplay(self)
        self.teams = TeamReplay(self)
        self.handlers = handlers_of([self, self.teams, self.tasks] + analysis.parts)

    def run(self):
        for location, event in merged_events(self.locations, self.is_early):
            stack = self.tasks.current[location].stack
            at = At(self.process, location, event[0], stack[-1] if stack else None)
            for handler in self.handlers.get(event[1], ()):
                handler(at, *event[2:])
        for location in self.locations:
            if location.events:
                self.cut(location, location.events[-1][0])
        self.tasks.end()
        self.analysis.teams += self.teams.instances.values()
        self.analysis.forked_calls += self.teams.forked_calls

    def is_early(self, location, event):
        """A team begins behind its fork, and what goes on elsewhere leaves off first ("Tasks that move")."""
        if event[1] == 'team_begin':
            return self.teams.is_early(location, event[2])
        return event[1] == 'task_switch' and event[2] is not None and self.tasks.is_elsewhere(location, event[2])

    def enter(self, location, time, region):
        analysis, task = self.analysis, self.tasks.current[location]
        path = (task.stack[-1].path if task.stack else task.base).child(region)
        call = Call(location, path, time)
        self.tasks.book_until(location, time)
        self.tasks.note_region(location, region)
        task.stack.append(call)
        analysis.note(location, time, 'enter', call)
        analysis.entered[location][path] = True
        analysis.book('visits', call, 1)
        self.teams.entered(call, task if task.is_explicit else None)
        return call

    def leave(self, location, time):
        analysis, stack = self.analysis, self.tasks.current[location].stack
        if not stack:
            analysis.problems['Leave without Enter'] += 1
            return
        self.tasks.book_until(location, time)
        call = stack.pop()
        call.leave = time
        analysis.note(location, time, 'leave', call)
        self.teams.left(call)
        if not self.tasks.current[location].is_explicit:
            counted = analysis.within(location.process, call.enter, time)              # exclusive: subtracted from the caller
            analysis.values['time'][call.path, location] += counted
            if stack:
                analysis.values['time'][stack[-1].path, location] -= counted
            else:
                analysis.recorded[location] += counted
            call.inside[location] = time - call.enter - call.away
        is_outermost = all(outer.region.mpi_name is None for outer in stack)
        for part in analysis.parts:
            part.call_left(self.process, call, is_outermost)

    def cut(self, location, time):
        """The end of a stream closes what is open. Tasks that are not completed are not counted, but their time is."""
        self.tasks.stop(location, time)
        stack = self.tasks.implicit[location].stack
        while stack:
            self.analysis.problems['Enter without Leave'] += 1
            stack[-1].is_cut = True
            self.leave(location, time)

    def on_enter(self, at, region):
        self.enter(at.location, at.time, region)

    def on_leave(self, at):
        self.leave(at.location, at.time)

    def on_program(self, at, name, arguments):
        canonical = ' '.join([name] + arguments)
        region = self.analysis.programs.setdefault(canonical, Region(os.path.basename(name), canonical,
                                                                     'MEASUREMENT_SYSTEM', 'ARTIFICIAL', ''))
        self.program = self.enter(at.location, at.time, region).path

    def on_off(self, at):
        self.enter(at.location, at.time, PAUSE)

    def on_on(self, at):
        if at.call is not None and at.call.region is PAUSE:
            self.leave(at.location, at.time)

    def on_thread_begin(self, at, comm, number):
        self.tasks.current[at.location].base = self.program.child(THREADS)

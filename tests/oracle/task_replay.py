"""Implicit and explicit tasks of one process: which one runs on a location, and where its time goes ("Where the time of tasks is",
"Tasks that move")."""
from collections import defaultdict

from model import TASKS, Task, Fragment


class TaskReplay:
    """implicit, current: location -> Task."""

    def __init__(self, replay):
        self.replay, self.analysis, self.compat = replay, replay.analysis, replay.analysis.compat
        self.implicit = {location: Task(self.analysis.root, False) for location in replay.locations}
        self.current = dict(self.implicit)
        self.open = {}                                               # explicit tasks that are not completed
        self.numbers = {}                                            # (location, task in the records) -> key in open

    def number_of(self, location, task_id):
        """With compat what goes on on another thread is another task."""
        instance = self.replay.teams.begins[location, task_id[0]]
        return self.numbers.setdefault((location, task_id), (location if self.compat else None, instance) + task_id)

    def forget_numbers(self, location):
        self.numbers = {key: task for key, task in self.numbers.items() if key[0] is not location}

    def is_elsewhere(self, location, task_id):
        task = self.open.get(self.number_of(location, task_id))
        return task is not None and any(self.current[other] is task for other in self.replay.locations if other is not location)

    def note_region(self, location, region):
        """The region that a task enters first names its stub, which is seen before TASKS in the order of call paths."""
        task = self.current[location]
        if task.is_explicit and task.region is None and region.role != 'ARTIFICIAL':
            task.region = region
            self.analysis.entered[location][task.below[location].child(region)] = True
            self.analysis.entered[location][task.base] = True

    def book_until(self, location, time):
        """Of an explicit task every moment is booked as it comes. (With compat it is not subtracted from the region in which the task
        was created, whatever the deviation D21 says: the references agree without that.)"""
        task, values = self.current[location], self.analysis.values
        if not task.is_explicit:
            return
        span, task.booked_until = time - task.booked_until, time
        if not task.stack:
            task.fragments[-1].outside += span
            return
        task.fragments[-1].in_regions += span
        values['time'][task.stack[-1].path, location] += span
        for call in task.stack:
            call.inside[location] += span
        if self.compat and task.base.parent.region is not None:
            values['time'][task.base.parent, location] -= span       # TASKS is no part of the program

    def suspend(self, location, time):
        """The running task leaves off."""
        task = self.current[location]
        self.book_until(location, time)
        task.left = time
        if not task.is_explicit:
            return
        fragment, stack = task.fragments[-1], self.implicit[location].stack
        self.analysis.ran[location].append((fragment.begin, time, task))
        if stack and not self.compat:                                # no time of the implicit task
            self.analysis.values['time'][stack[-1].path, location] -= fragment.in_regions + fragment.outside
        fragment.barrier = next((call for call in reversed(stack) if call.region.barrier_wait), None)
        self.current[location] = self.implicit[location]

    def resume_implicit(self, location, time):
        task = self.implicit[location]
        if task.left is not None:
            for call in task.stack:
                call.away += time - max(task.left, call.enter)
        task.left = None

    def stop(self, location, time):
        """Back to the implicit task, if it is not the one that runs."""
        if self.current[location].is_explicit:
            self.suspend(location, time)
            self.resume_implicit(location, time)
            self.note_task(location, time)

    def note_task(self, location, time):
        task = self.current[location]
        known = (task, tuple(task.stack)) if task.is_explicit else (None, ())
        self.analysis.note(location, time, 'task', known)

    def on_task_switch(self, at, task_id):
        """task_id is None for the implicit task."""
        location, was_explicit = at.location, self.current[at.location].is_explicit
        if task_id is None:
            if was_explicit:
                self.suspend(location, at.time)
                self.resume_implicit(location, at.time)
            self.note_task(location, at.time)
            return
        left = self.implicit[location].left
        self.suspend(location, at.time)
        if was_explicit:
            self.implicit[location].left = left                      # since it left off, several tasks may have run
        task = self.open.setdefault(self.number_of(location, task_id), Task(self.replay.program.child(TASKS), True))
        stack = self.implicit[location].stack
        task.below.setdefault(location, stack[-1].path if stack else self.implicit[location].base)
        task.fragments.append(Fragment(location, at.time))
        task.booked_until, self.current[location] = at.time, task
        self.note_task(location, at.time)

    def on_task_complete(self, at, task_id):
        task = self.open.pop(self.numbers.pop((at.location, task_id), None), None)
        if task is None:
            return
        if self.current[at.location] is task:
            self.stop(at.location, at.time)
        self.finish(task, at.location)

    def end(self):
        """What was not completed when the recording ended."""
        for task in self.open.values():
            for call in task.stack:
                call.leave, call.is_cut = call.location.events[-1][0], True
                self.analysis.note(call.location, call.leave, 'leave', call)
                for part in self.analysis.parts:
                    part.call_left(self.replay.process, call, False)
            self.finish(task, None)

    def finish(self, task, completed_on):
        """The stubs of an explicit task, and what is counted when it is completed; completed_on None: it never is."""
        executed, in_regions, outside = defaultdict(int), defaultdict(int), defaultdict(int)
        values = self.analysis.values
        for fragment in task.fragments:
            executed[fragment.location] += fragment.in_regions + fragment.outside
            in_regions[fragment.location] += fragment.in_regions
            outside[fragment.location] += fragment.outside
        for location in executed:
            below = task.below[location]
            if task.region is None:
                if not self.compat and below.region is not None:
                    values['time'][below, location] += outside[location]
                continue
            stub = below.child(task.region)
            self.analysis.entered[location][stub] = True
            if not self.compat:                                      # every moment counts once
                values['time'][stub, location] += outside[location]
            elif completed_on is not None:
                values['time'][stub, location] += executed[location]
                values['time'][below, location] -= executed[location]
            values['visits'][stub, location] += location is completed_on
            if completed_on is not None or not self.compat:
                self.analysis.task_regions[stub, location] += in_regions[location]
        for part in self.analysis.parts:
            part.task_finished(task, executed, outside, completed_on)
        if self.compat and completed_on is not None and task.fragments[-1].barrier is not None:
            task.fragments[-1].barrier.tasks += executed[completed_on]

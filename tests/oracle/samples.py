"""Records with calling contexts become enters and leaves ("Samples").

A context is a path of calls. Of a record's path, the last (unwind distance - 1) calls are new since the record before. What is not a call of
the program's, but the inside of a library (MPI, POSIX threads, waiting calls of OpenMP), is no call path of its own.
"""

WAITING = ('BARRIER', 'IMPLICIT_BARRIER', 'TASK_WAIT', 'CRITICAL', 'ATOMIC', 'FUNCTION')


def is_library(region):
    return region.paradigm in ('MPI', 'SHMEM', 'PTHREAD') or (region.paradigm == 'OPENMP' and region.role in WAITING)


class Samples:
    """What is open on one location, per task (None: the implicit one). Of each call of the path: its region (None: not entered), and whether
    a sample entered it."""

    def __init__(self, regions, is_worker):
        self.regions, self.is_worker, self.task, self.stacks = regions, is_worker, None, {None: []}

    def path(self, context):
        path = []
        while context is not None:
            path.insert(0, self.regions[context.region._ref])
            context = context.parent
        return path

    def leave_to(self, time, depth):
        stack, events = self.stacks[self.task], []
        while len(stack) > depth:
            if stack.pop()[0] is not None:
                events.append((time, 'leave'))
        return events

    def follow(self, time, context, distance, is_call):
        """A sample, or a call that is entered."""
        path, stack = self.path(context), self.stacks[self.task]
        kept   = len(path) - max(distance - 1, 0)
        events = self.leave_to(time, kept)
        if self.task is not None and not stack:
            stack += [(None, True)] * kept                           # around the task
        while len(stack) < len(path):
            region, is_own = path[len(stack)], is_call and len(stack) == len(path) - 1
            inner  = next((r for r, _ in reversed(stack) if r is not None), None)
            hidden = not is_own and inner is not None and is_library(inner)
            stack.append((None if hidden else region, not is_own))
            if not hidden:
                events.append((time, 'enter', region))
        return events

    def leave(self, time, context):
        return self.leave_to(time, len(self.path(context)) - 1)

    def close(self, time):
        """What samples entered last, as the recording or a team ends."""
        stack, depth = self.stacks[self.task], len(self.stacks[self.task])
        while depth > 0 and stack[depth - 1][1]:
            depth -= 1
        return self.leave_to(time, depth)

    def note(self, event):
        """A record of another kind; returns what comes before it."""
        if event[1] == 'task_switch':
            self.task = event[2]
            self.stacks.setdefault(self.task, [])
        elif event[1] == 'task_complete':
            self.stacks.pop(event[2], None)
            self.task = None if self.task == event[2] else self.task
        elif event[1] in ('leave', 'thread_end') or (event[1] == 'team_end' and self.is_worker):
            return self.close(event[0])
        return []

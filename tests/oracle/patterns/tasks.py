"""Explicit tasks: how many, how long, and waiting for them ("Where the time of tasks is", and the metrics of tasks)."""
from .part import Part

SIZES = (('omp_task_count_1us', 1), ('omp_task_count_10us', 10), ('omp_task_count_100us', 100),       # below [us]
         ('omp_task_count_1ms', 1000), ('omp_task_count_10ms', 10000), ('omp_task_count_long', None))


class Tasks(Part):
    TIMES = ('omp_taskwait_wait', 'omp_task_time', 'omp_task_switch_time')
    COUNTS = ('omp_task_count',) + tuple(name for name, _ in SIZES)
    IS_EXTENSION = True

    def task_finished(self, task, executed, outside, completed_on):
        if task.region is None:
            return
        values = self.analysis.values
        for location in executed:
            stub = task.below[location].child(task.region)
            values['omp_task_time'][stub, location] += executed[location]
            values['omp_task_switch_time'][stub, location] += outside[location]
            if location is completed_on:
                values['omp_task_count'][stub, location] += 1
                values[self.size(sum(executed.values()))][stub, location] += 1

    def size(self, executed):
        return next(name for name, limit in SIZES if limit is None or executed * 1000000 < limit * self.archive.resolution)

    def call_left(self, process, call, is_outermost):
        """In a taskwait, what the thread does not do of other tasks."""
        if call.region.role == 'TASK_WAIT' and call.region.is_omp and not call.is_cut and \
                self.analysis.is_held(call.location.process, call.enter, call.leave):
            for where, inside in call.inside.items():
                self.analysis.values['omp_taskwait_wait'][call.path, where] += inside

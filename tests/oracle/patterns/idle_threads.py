"""Workers without work ("Idle threads, Limited parallelism"); computed after the time classes, which are without idle time."""
from collections import defaultdict

from model import TASKS

from .part import Part

LEAST = 1e-10                                                        # [s] less is no limited parallelism


class IdleThreads(Part):
    TIMES = ('omp_idle_threads', 'omp_limited_parallelism')

    def finish(self):
        analysis, paths = self.analysis, {}                          # in the order of "Call paths"
        for location in self.archive.locations:
            paths.update(analysis.entered[location])
        if not any(p.region.paradigm == 'OPENMP' for p in paths) or any(p.region.paradigm == 'PTHREAD' for p in paths):
            return
        masters = {l.process: l for l in self.archive.locations if l.thread == 0}
        parallel = self.parallel_nodes_of_scout(paths) if self.compat else self.parallel_nodes(paths)
        time = dict(analysis.values['time'])
        totals = self.totals(parallel, time)
        for worker in (l for l in self.archive.locations if l.thread > 0 and l.is_cpu):
            master, is_unknown = masters[worker.process], not self.compat and self.is_unknown(worker)
            for path in paths:
                if parallel[path] is None:
                    self.book(path, worker, time.get((path, master), 0), 0)
                elif parallel[path] is path and not is_unknown:
                    limited = totals[path, master] - totals[path, worker]
                    if limited / self.archive.resolution >= LEAST:
                        self.book(path, worker, 0, limited)

    def book(self, path, worker, idle, limited):
        for metric, value in (('omp_idle_threads', idle + limited), ('omp_limited_parallelism', limited), ('time', idle + limited)):
            if value:
                self.analysis.values[metric][path, worker] += value

    def totals(self, parallel, time):
        """(topmost parallel node, location) -> time in it; without compat a task's time counts where the task ran."""
        totals = defaultdict(int)
        for (path, location), value in time.items():
            if parallel[path] is not None:
                totals[parallel[path], location] += value
        if not self.compat:
            for (stub, location), value in self.analysis.task_regions.items():
                if parallel[stub] is not None:
                    totals[parallel[stub], location] += value
        return totals

    def is_unknown(self, worker):
        """The call paths of workers without teams begin with OpenMP."""
        return not any(event[1] == 'team_begin' for event in worker.events) and \
            any(path.parent is self.analysis.root and path.region.paradigm == 'OPENMP' for path in self.analysis.entered[worker])

    def parallel_nodes(self, paths):
        """Call path -> its topmost OpenMP node, or None."""
        result = {self.analysis.root: None}
        for path in sorted(paths, key=lambda p: p.depth):
            result[path] = (TASKS if path.region is TASKS else
                            result.get(path.parent) or (path if path.region.opens_parallel else None))
        return result

    def parallel_nodes_of_scout(self, paths):
        """One open node while the call paths are walked in their order (D22)."""
        result, node = {}, None
        for path in paths:
            if node is not None and path.depth <= node.depth:
                node = None
            if node is None and path.region.opens_parallel_compat:
                node = path
            result[path] = node
        return result

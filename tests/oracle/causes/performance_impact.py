"""What the critical path costs the others ("Performance impact", "Imbalance of the critical path")."""
from collections import defaultdict

NOT_EXCESS = (                                                       # not taken for work
    'mpi_finalize_wait mpi_rma_wait_at_create mpi_rma_wait_at_free mpi_barrier_wait mpi_rma_sync_late_post '
    'mpi_rma_comm_late_post mpi_rma_early_wait mpi_rma_wait_at_fence mpi_rma_sync_lock_competition '
    'mpi_rma_comm_lock_competition mpi_rma_sync_wait_for_progress mpi_rma_comm_wait_for_progress mpi_latesender '
    'mpi_latereceiver mpi_earlyreduce mpi_earlyscan mpi_latebroadcast mpi_wait_nxn omp_management omp_ebarrier_wait '
    'omp_ibarrier_wait omp_lock_contention_critical omp_lock_contention_api omp_ordered omp_idle_threads').split()


class PerformanceImpact:
    def __init__(self, points):
        self.archive, self.compat, self.tracks = points.archive, points.compat, points.tracks
        self.values, self.costs = points.values, points.costs

    def impact(self):
        path_time = self.values['critical_path']
        on_path = defaultdict(int)
        for (path, _), value in path_time.items():
            on_path[path] += value
        cost, inter = defaultdict(float), defaultdict(float)
        for location, track in self.tracks.items():
            own = self.activities(track)
            for path in {**own, **on_path}:
                total, local = on_path.get(path, 0), own.get(path, 0)
                if total > 0:
                    self.costs.book('critical_path_activities', path, location, min(total, local))
                if local > total:
                    self.costs.book('non_critical_path_activities', path, location, local - total)
            surplus = sum(on_path.values()) - sum(own.values())
            excess = {path: total - own.get(path, 0) for path, total in on_path.items() if total > own.get(path, 0)}
            self.share(cost, excess, surplus)
            visited = dict.fromkeys(path for path, value in own.items() if value > 0)
            missed = {path: total for path, total in on_path.items() if path not in visited}
            covered = sum(max(own[path], on_path.get(path, 0)) for path in visited)
            self.share(inter, missed, sum(on_path.values()) - covered)
        for (path, location), value in list(path_time.items()):
            if value > 0:
                for metric, costs in (('critical_imbalance_impact', cost), ('inter_partition_imbalance', inter)):
                    if None not in costs:
                        self.costs.book(metric, path, location, max(0, value / on_path[path] * costs[path]))

    def share(self, result, parts, amount):
        """Adds the amount in proportion to the parts. No parts: with --compat there is no result (D4)."""
        total = sum(parts.values())
        for path, value in parts.items():
            if total:
                result[path] += value * amount / total
        if not total and self.compat:
            result[None] = float('nan')

    def activities(self, track):
        """Call path -> time that is no waiting."""
        waits, own = defaultdict(int), defaultdict(int)
        for x in track.points:
            if x.call is not None:
                waits[x.call.path] += x.wait
        regions = [x for x in track.points if x.kind == 'parallel'] if track.location.thread > 0 else []
        if not regions:
            own = track.vector(0, track.end) if track.times else own
        passed, last_barrier = (-1, -1), {x.instance: x for x in track.points if x.kind == 'ompbarrier'}
        for start in regions:                                        # those of inner teams are in it already
            last = last_barrier.get(start.instance)
            if last is not None and start.place() > passed:
                track.extend(own, start.cut, last.cut)
                passed = last.place()
        return {path: value - min(value, waits[path]) for path, value in own.items()}

    def critical_imbalance(self):
        n = len(self.archive.locations)
        path_time, area = defaultdict(int), defaultdict(int)
        for (path, _), value in self.values['critical_path'].items():
            for ancestor in path.ancestors():
                path_time[ancestor] += value
        for sign, metrics in ((1, ['time']), (-1, NOT_EXCESS)):
            for metric in metrics:
                for (path, _), value in self.values.get(metric, {}).items():
                    for ancestor in path.ancestors():
                        area[ancestor] += sign * value
        for (path, location), value in list(self.values['critical_path'].items()):
            if path_time[path] > 0:
                self.costs.book('critical_path_imbalance', path, location,
                          max(0, (path_time[path] - area[path] / n) / path_time[path]) * value)

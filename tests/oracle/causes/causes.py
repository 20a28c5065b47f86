"""Adds the metrics of causes to the values of an analysis."""
from metric_sums import add_up

from .cost_table import CostTable
from .critical_path import CriticalPath
from .delay_costs import DelayCosts
from .imbalance import imbalance
from .kinds import SUMS
from .performance_impact import PerformanceImpact
from .sync_points import SyncPoints


class Causes:
    def __init__(self, analysis):
        self.costs = CostTable(analysis)
        points = SyncPoints(analysis, self.costs)
        self.delays = delays = DelayCosts(points, self.costs)
        delays.run()
        if any(path.region.paradigm in ('MPI', 'OPENMP') for path, _ in analysis.values['visits']):
            delays.propagating()
            CriticalPath(points).run()
            impact = PerformanceImpact(points)
            impact.impact()
            impact.critical_imbalance()
        imbalance(analysis, self.costs)
        add_up(SUMS, analysis.values)

    def tables(self):
        return self.costs.tables()

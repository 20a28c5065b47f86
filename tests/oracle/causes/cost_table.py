"""Where costs are booked: metrics, and the tables of causes and effects ("Unattributed waiting time", "Root causes and their effects")."""
from collections import defaultdict


class CostTable:
    """causes: (cause, kind, effect) -> [short-term, long-term], call paths; pairs: (process, process that waits) -> the same."""

    def __init__(self, analysis):
        self.archive, self.compat, self.values = analysis.archive, analysis.compat, analysis.values
        self.causes, self.pairs = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])

    def book(self, metric, path, location, value):
        if value:
            self.values[metric][path, location] += value

    def make_wait(self, path, location, effect, process, short, long):
        """Who makes whom wait; effect: kind and call path of the wait in the end, process: the one that waits directly."""
        for table, key in ((self.causes, (path,) + effect), (self.pairs, (location.process, process))):
            table[key][0] += short
            table[key][1] += long

    def unattributed(self, kind, waiting, value, effect=None):
        """effect: kind and call path of the wait in the end, where it is not this one."""
        if value > 0 and not self.compat:
            self.book('delay_unattributed_' + kind, waiting.call.path, waiting.call.location, value)
            self.causes[(None,) + (effect or (kind, waiting.call.path))][effect is not None] += value

    def all_unattributed(self, kind, waiting, amount=None):
        """A wait, or the amount of it that counts, and the long-term costs that came to it, if no cause is known."""
        self.unattributed(kind, waiting, waiting.wait if amount is None else amount)
        for k, cost in waiting.costs.items():
            self.unattributed(k[0], waiting, cost, k)

    def tables(self):
        """Who makes whom wait, as heddle prints it: {(cause, effect, kind): [short-term, long-term]}, {(process, process): ...}"""
        causes, pairs = defaultdict(lambda: [0, 0]), {}
        for (cause, kind, effect), row in self.causes.items():
            for term in range(2):
                causes[cause.name() if cause else '', effect.name() if effect else '', kind][term] += row[term] / self.archive.resolution
        for (process, waiting), row in self.pairs.items():
            pairs[str(process), str(waiting)] = [value / self.archive.resolution for value in row]
        return causes, pairs

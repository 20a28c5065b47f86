"""The first MPI_Init or MPI_Init_thread, and MPI_Finalize, of each process ("Initialization Completion", "Wait at Finalize")."""
from .part import Part


class InitFinalize(Part):
    """setup: 'init' and 'finalize' -> process -> first call."""
    WAITS = ('mpi_init_completion', 'mpi_finalize_wait')

    def __init__(self, analysis):
        super().__init__(analysis)
        self.setup = {'init': {}, 'finalize': {}}

    def call_left(self, process, call, is_outermost):
        kind = {'init': 'init', 'init_thread': 'init', 'finalize': 'finalize'}.get(call.region.mpi_name)
        if kind:
            self.setup[kind].setdefault(process, call)

    def analyze(self):
        """Over the processes that have the call, if there are at least two."""
        for kind, calls in self.setup.items():
            if len(calls) < 2:
                continue
            target = max(call.enter for call in calls.values())
            earliest = min(call.leave for call in calls.values())
            self.analysis.operation = kind
            for call in calls.values():
                clamped = min(target, call.leave)
                if kind == 'init':
                    self.analysis.book('mpi_init_completion', call, max(0, call.leave - max(earliest, clamped)))
                else:
                    self.analysis.book('mpi_finalize_wait', call, max(0, clamped - call.enter))
            self.analysis.operation = None

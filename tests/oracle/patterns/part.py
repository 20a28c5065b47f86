"""What a part of the analysis is."""


class Part:
    """Some metrics, and what books them. A part reads the records of the kinds for which it has a method on_KIND(at, ...), with what
    archive_reader.py gives for such a record; then analyze() has all processes, and finish() the booked values of all parts.

    What other parts found out is in self.analysis.parts_by_type[Type]."""
    WAITS = ()              # metrics: times; everything that is booked for one is an instance of a wait state
    TIMES = ()              # metrics: other times
    COUNTS = ()             # metrics: occurrences, bytes
    SUMS = ()               # (metric, 'metric -metric ...'): the sum, a name with '-' is subtracted
    EXTENSION_SUMS = ()     # those of SUMS that are not there with --compat=scout26
    SUM_OF_WAITS = None     # the one of SUMS of which the instances of WAITS are instances, too
    IS_EXTENSION = False    # not there with --compat=scout26 at all

    def __init__(self, analysis):
        self.analysis, self.archive, self.compat = analysis, analysis.archive, analysis.compat

    def call_left(self, process, call, is_outermost):
        """A call is left; is_outermost: in no call of MPI. If call.is_cut, it was open at the end."""

    def task_finished(self, task, executed, outside, completed_on):
        """An explicit task is completed on a location, or (None) not when the recording ended. executed, outside: location -> time that
        it ran there, and the part of it outside of its regions."""

    def analyze(self):
        """All processes were replayed, and the parts before this one have analyzed."""

    def finish(self):
        """All values are booked but those of the parts after this one that are computed from others."""

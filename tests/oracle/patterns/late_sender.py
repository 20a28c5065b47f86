"""Receives that wait for their sends ("Late Sender", "Messages in Wrong Order", "Numbers of wait states")."""
from collections import defaultdict

from .messages import TEST, WAIT_MULTI, Messages
from .part import Part

KEPT_BY_SCOUT = 100                                                  # D1: pending Late Senders of a location


class LateSenders(Part):
    """instances: (wait, receive)."""
    WAITS = ('mpi_latesender', 'mpi_latesender_wo')
    TIMES = ('mpi_lswo_different', 'mpi_lswo_same')
    COUNTS = ('mpi_sls_count', 'mpi_slswo_count', 'mpi_cls_count', 'mpi_clswo_count')

    def __init__(self, analysis):
        super().__init__(analysis)
        self.instances = []

    def analyze(self):
        """Location by location in the order of the RECV records."""
        by_location = defaultdict(list)
        for receive in self.analysis.parts_by_type[Messages].receives:
            if receive.match is not None:
                by_location[receive.call.location].append(receive)
        for receives in by_location.values():
            pending = []                                             # (wait, receive), in the order of becoming pending
            multi, largest, largest_receive = None, 0, None
            for receive in receives:
                call = receive.call
                if multi is not None and call is not multi:          # the wait-multi call before was left
                    self.book(largest, largest_receive, pending)
                    multi, largest, largest_receive = None, 0, None
                self.wrong_order(receive, pending)
                name = call.region.mpi_name
                if name in TEST:
                    continue
                wait = min(receive.match.request.enter, call.leave) - call.enter
                if name in WAIT_MULTI:
                    multi = call
                    if wait > largest:
                        largest, largest_receive = wait, receive
                else:
                    self.book(wait, receive, pending)
            if multi is not None:
                self.book(largest, largest_receive, pending)

    def book(self, wait, receive, pending):
        if wait <= 0:
            return
        receive.call.late_sender = True
        self.instances.append((wait, receive))
        self.analysis.book('mpi_latesender', receive.call, wait)
        self.analysis.book('mpi_cls_count' if receive.bytes else 'mpi_sls_count', receive.call, 1)
        pending.append((wait, receive))
        if self.compat and len(pending) > KEPT_BY_SCOUT:
            del pending[0]

    def wrong_order(self, receive, pending):
        """Which pending Late Senders were sent after the message received now."""
        hits = [entry for entry in pending if receive.match.time < entry[1].match.time]
        for entry in hits:
            wait, late = entry
            pending.remove(entry)
            a, b = late.match, receive.match
            same = a.rank == b.rank if self.compat else a.sender == b.sender
            # scout books the parts and the counts of all hits of one receive at the call path of the first hit.
            call = hits[0][1].call if self.compat else late.call
            self.analysis.book('mpi_latesender_wo', late.call, wait)
            self.analysis.book('mpi_lswo_same' if same else 'mpi_lswo_different', call, wait)
            self.analysis.book('mpi_clswo_count' if late.bytes else 'mpi_slswo_count', call, 1)

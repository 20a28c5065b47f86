"""Sends that wait until their receives are posted ("Late Receiver", "Numbers of wait states")."""
from .messages import BLOCK_SEND, WAIT_MULTI, WAIT_SINGLE, Messages
from .part import Part


class LateReceivers(Part):
    """instances: (wait, send)."""
    WAITS = ('mpi_latereceiver',)
    COUNTS = ('mpi_slr_count', 'mpi_clr_count')

    def __init__(self, analysis):
        super().__init__(analysis)
        self.instances = []

    def analyze(self):
        """Ties in a wait-multi call: the first completion. A call that is a Late Sender is no Late Receiver, too."""
        multi = {}
        for send in self.analysis.parts_by_type[Messages].send_completions:
            call, receive = send.completion, send.match
            if receive is None or receive.request is None:
                continue
            posted = receive.request.enter
            if not call.enter < posted < call.leave:
                continue
            name, wait = call.region.mpi_name, posted - call.enter
            if name in BLOCK_SEND or name in WAIT_SINGLE:
                self.book(call, wait, send)
            elif name in WAIT_MULTI and not call.late_sender:
                if call not in multi or wait > multi[call][0]:
                    multi[call] = (wait, send)
        for call, (wait, send) in multi.items():
            self.book(call, wait, send)

    def book(self, call, wait, send):
        self.instances.append((wait, send))
        self.analysis.book('mpi_latereceiver', call, wait)
        self.analysis.book('mpi_clr_count' if send.bytes else 'mpi_slr_count', call, 1)

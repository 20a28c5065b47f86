"""Messages that could travel while their receivers did other things ("Overlap of non-blocking receives")."""
from .messages import Messages
from .part import Part


class ReceiveOverlaps(Part):
    TIMES = ('mpi_receive_overlap',)
    IS_EXTENSION = True

    def analyze(self):
        for receive in self.analysis.parts_by_type[Messages].receives:
            if receive.match is None or receive.request is None:
                continue
            begin = max(receive.request.enter, receive.match.request.enter)
            self.analysis.book('mpi_receive_overlap', receive.call, max(0, receive.call.enter - begin))

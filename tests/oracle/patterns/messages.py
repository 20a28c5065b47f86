"""Messages: sends, receives, their requests, which belong together, and how many there are ("Messages", "Counts", "Bytes")."""
from collections import defaultdict

from .part import Part

TEST = {'test', 'testany', 'testall', 'testsome'}
WAIT_SINGLE = {'wait', 'waitany'}
WAIT_MULTI = {'waitall', 'waitsome'}
BLOCK_SEND = {'send', 'ssend'}


class Message:
    """A send or a receive. request and completion are calls, time is that of the SEND or RECV record."""
    __slots__ = ('time', 'call', 'key', 'bytes', 'rank', 'sender', 'request', 'completion', 'cancelled', 'match', 'posted')

    def __init__(self, time, call):
        self.time, self.call, self.request, self.completion = time, call, call, call
        self.cancelled, self.match, self.posted = False, None, None


def in_posting_order(receives):
    """Those of a channel, given in the order of their records: a receive stands before all that the same thread posted later."""
    result, done = [], set()
    for last in receives:
        if last in done:
            continue
        thread, number = last.posted
        earlier = [r for r in receives if r not in done and r.posted[0] is thread and r.posted[1] <= number]
        result += sorted(earlier, key=lambda receive: receive.posted[1])
        done.update(earlier)
    return result


class Messages(Part):
    """sends, receives: in the order of their records. send_completions: sends in the order in which they were completed."""
    COUNTS = ('syncs_send', 'syncs_recv', 'comms_send', 'comms_recv', 'bytes_sent', 'bytes_rcvd')
    SUMS = (('syncs_p2p', 'syncs_send syncs_recv'), ('comms_p2p', 'comms_send comms_recv'), ('bytes_p2p', 'bytes_sent bytes_rcvd'))

    def __init__(self, analysis):
        super().__init__(analysis)
        self.sends, self.receives, self.send_completions = [], [], []
        self.active = {}                                             # (process, request) -> send, or post of a receive
        self.n_posts = defaultdict(int)                              # location -> how many receives it has posted

    def post(self, call):
        """The location that posts a receive, and the how manieth it is there."""
        self.n_posts[call.location] += 1
        return call.location, self.n_posts[call.location]

    def on_send(self, at, comm, receiver, tag, n_bytes, request):
        if not at.in_mpi:
            return
        message, communicator = Message(at.time, at.call), self.archive.comms[comm]
        message.bytes, message.sender, message.rank = n_bytes, at.process, communicator.rank(at.process)
        message.key = (comm, at.process, communicator.peer(at.process, receiver), tag)
        self.sends.append(message)
        self.analysis.note(at.location, at.time, 'send', message)
        if request is None:
            self.send_completions.append(message)
        else:
            message.completion = None
            self.active[at.process, request] = message
        if n_bytes == 0:                                             # cancelled sends count as well
            self.analysis.book('syncs_send', at.call, 1)
        else:
            self.analysis.book('comms_send', at.call, 1)
            self.analysis.book('bytes_sent', at.call, n_bytes)

    def on_recv_request(self, at, request):
        if at.in_mpi:
            self.active[at.process, request] = at.call, self.post(at.call)
            self.analysis.note(at.location, at.time, 'recv_request', request)

    def on_recv(self, at, comm, sender, tag, request):
        if not at.in_mpi:
            return
        message = Message(at.time, at.call)
        message.key = (comm, self.archive.comms[comm].peer(at.process, sender), at.process, tag)
        if request is not None:                                                      # no request record: no Late Receiver
            post = self.active.pop((at.process, request), None)
            message.request, message.posted = post if isinstance(post, tuple) else (None, None)
        if message.posted is None:
            message.posted = self.post(at.call)
        self.receives.append(message)
        self.analysis.note(at.location, at.time, 'recv', (message, request))

    def on_send_complete(self, at, request):
        message = self.active.pop((at.process, request), None) if at.in_mpi else None
        if isinstance(message, Message):
            message.completion = at.call
            self.send_completions.append(message)
            self.analysis.note(at.location, at.time, 'send_complete', message)

    def on_cancelled(self, at, request):
        message = self.active.pop((at.process, request), None) if at.in_mpi else None
        if isinstance(message, Message):
            message.cancelled = True

    def analyze(self):
        """The k-th SEND record belongs to the k-th receive of (communicator, source, destination, tag); D31: to the k-th RECV record. A
        send whose request was freed has no completion: it cannot be a Late Receiver in the call that started it."""
        channels = defaultdict(lambda: ([], []))
        for send in self.sends:
            if not send.cancelled:
                channels[send.key][0].append(send)
        for receive in self.receives:
            channels[receive.key][1].append(receive)
        for sends, receives in channels.values():
            if not self.analysis.compat:
                receives = in_posting_order(receives)
            for send, receive in zip(sends, receives):
                send.match, receive.match = receive, send
            if len(sends) != len(receives):
                self.analysis.problems['unmatched send' if len(sends) > len(receives) else 'unmatched receive'] += \
                    abs(len(sends) - len(receives))
        for receive in self.receives:
            send = receive.match
            if send is None:
                continue
            receive.bytes = send.bytes
            if send.bytes == 0:
                self.analysis.book('syncs_recv', receive.call, 1)
            else:
                self.analysis.book('comms_recv', receive.call, 1)
                self.analysis.book('bytes_rcvd', receive.call, send.bytes)

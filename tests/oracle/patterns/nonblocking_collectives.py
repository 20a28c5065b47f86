"""Non-blocking collectives ("Non-blocking collectives"), not with --compat=scout26 (D11)."""
from collections import defaultdict

from .collectives import HANDLE_OPERATIONS, Collectives, Member
from .part import Part


class NonblockingCollectives(Part):
    """longest: completing call -> (wait, position of the request, metric)."""
    NAMES = {'barrier': 'mpi_nbc_barrier_wait', 'nxn': 'mpi_nbc_wait_nxn', 'one_to_n': 'mpi_nbc_latebroadcast',
             'n_to_one': 'mpi_nbc_earlyreduce', 'prefix': 'mpi_nbc_earlyscan'}
    WAITS = tuple(NAMES.values())
    SUMS = EXTENSION_SUMS = (('mpi_nbc_wait', ' '.join(WAITS)),)
    SUM_OF_WAITS = 'mpi_nbc_wait'

    def __init__(self, analysis):
        super().__init__(analysis)
        self.requests = defaultdict(list)                            # process -> (request, starting call)
        self.completions = {}                                        # (process, request) -> (completing call, what its record says)
        self.longest = {}

    def on_nbc_request(self, at, request):
        if at.in_mpi:
            self.analysis.note(at.location, at.time, 'nbc_request', (len(self.requests[at.process]), request))
            self.requests[at.process].append((request, at.call))

    def on_nbc_complete(self, at, op, comm, root, sent, received, request):
        if at.in_mpi:
            self.completions[at.process, request] = at.call, op, comm, root, sent, received
            self.analysis.note(at.location, at.time, 'nbc_complete', request)

    def analyze(self):
        """The rules of the blocking ones, with B := Enter of the starting call and X := Leave of the completing call; a wait
        starts at the Enter of the completing call. No completion metrics. Of several operations completed by one call only
        the longest wait counts, the first request on ties, so that a call never waits longer than it lasts."""
        collectives, instances, n_of = self.analysis.parts_by_type[Collectives], defaultdict(dict), defaultdict(int)
        for process, requests in self.requests.items():
            for position, (request, start) in enumerate(requests):
                self.add_member(collectives, instances, n_of, process, position, request, start)
        if self.compat:
            return
        collectives.apply_rules(instances, self.keep_longest)
        for call, (wait, _, metric) in self.longest.items():
            self.analysis.book(metric, call, wait)

    def add_member(self, collectives, instances, n_of, process, position, request, start):
        """Numbered by the request records; operations never completed are left out of the numbering, since only the
        completion names the communicator."""
        if (process, request) not in self.completions:
            self.analysis.problems['non-blocking collective never completed'] += 1
            return
        call, op, comm, root, sent, received = self.completions[process, request]
        if op not in HANDLE_OPERATIONS:
            collectives.add(instances, n_of, comm, Member(process, call, start.enter, call.leave, call.enter, op, root, sent, received,
                                                          position))

    def keep_longest(self, class_, member, target, _):
        wait = min(target, member.end) - member.wait_from
        best = self.longest.get(member.call, (0, 0, None))
        if wait > 0 and (wait > best[0] or (wait == best[0] and member.request < best[1])):
            self.longest[member.call] = (wait, member.request, self.NAMES[class_])

"""What the analysis talks about: regions, call paths, calls, tasks, teams, locations, communicators.

Words in quotes in comments of the oracle are the titles of sections of docs/metrics.md; D1 and so on are its deviations
from Scalasca 2.6, whose analyser is scout.
"""
from collections import defaultdict, namedtuple

BARRIER_WAITS = {'!$omp barrier': 'omp_ebarrier_wait', '!$omp ibarrier': 'omp_ibarrier_wait',     # "Wait at Barrier (OpenMP)"
                 '!$omp implicit barrier': 'omp_ibarrier_wait'}


class Region:
    """One region definition; mpi_name is the lower-case name without 'MPI_' if the region is a call of MPI ("Region classes")."""

    def __init__(self, name, canonical, paradigm, role, source):
        self.name, self.canonical, self.paradigm, self.role, self.source = name, canonical, paradigm, role, source
        internal = paradigm == 'MEASUREMENT_SYSTEM'
        name_lower = canonical.lower()
        call = name_lower[name_lower.startswith('pmpi_'):]           # PMPI_: the profiling interface's name of the same call
        is_mpi = source == 'MPI' or paradigm == 'MPI' and call.startswith('mpi_')            # not all writers give the file
        self.mpi_name = call.removeprefix('mpi_') if is_mpi and not internal else None
        omp_name = name_lower.split('@')[0].rstrip(' ')
        self.is_program = False                                      # of a record that says where the program begins
        self.is_omp = not internal and not is_mpi and (name_lower.startswith('!$omp') or source == 'OMP')
        self.is_omp_parallel = omp_name == '!$omp parallel' and not internal
        self.barrier_wait = BARRIER_WAITS.get(omp_name) if self.is_omp else None
        pthread = source == 'PTHREAD' and not internal and not is_mpi and not self.is_omp
        self.pthread_name = name_lower[len('pthread_'):] if pthread else None
        self.opens_parallel_compat = source == 'OMP' or name.startswith('!$omp parallel @')    # "Idle threads"
        self.opens_parallel = self.opens_parallel_compat or paradigm == 'OPENMP'


def artificial(name):
    return Region(name, name, 'MEASUREMENT_SYSTEM', 'ARTIFICIAL', '')


FLUSH, PAUSE = artificial('TRACE BUFFER FLUSH'), artificial('MEASUREMENT OFF')
TASKS, THREADS = artificial('TASKS'), artificial('THREADS')          # "Call paths"


class Path:
    """A call path: parent and region."""

    def __init__(self, parent, region):
        self.parent, self.region, self.children = parent, region, {}
        self.depth = 0 if parent is None else parent.depth + 1

    def child(self, region):
        if region not in self.children:
            self.children[region] = Path(self, region)
        return self.children[region]

    def name(self):
        return ';'.join(reversed([path.region.name for path in self.ancestors()]))

    def ancestors(self):
        """The call path itself, and those above it, without the root, which has no region."""
        path = self
        while path.region is not None:
            yield path
            path = path.parent


Handle = namedtuple('Handle', 'ref file interface is_inner comm')        # of a file; comm: the number of a communicator, or None


class Call:
    """One region instance on a location."""
    __slots__ = ('location', 'path', 'region', 'enter', 'leave', 'late_sender', 'away', 'tasks', 'inside', 'is_cut',
                 'task')

    def __init__(self, location, path, enter):
        self.location, self.path, self.region, self.enter, self.leave = location, path, path.region, enter, None
        self.late_sender = False                                     # a positive Late Sender wait was booked here
        self.away = 0                                                # of an implicit task: spent in others, while it was open
        self.tasks = 0                                               # execution time of tasks completed in a barrier
        self.inside = defaultdict(int)                               # of an explicit task: location -> time in it
        self.is_cut = False                                          # never left


class At(namedtuple('At', 'process location time call')):
    """Where and when a record is; call: the innermost one that is open, or None."""

    @property
    def in_mpi(self):
        """Records of MPI outside of its calls are ignored."""
        return self.call is not None and self.call.region.mpi_name is not None


class Task:
    """An implicit task of a location, or an explicit one, on however many locations it runs ("Tasks that move"; with compat one
    per location): its stack, and the call path below which that starts. Explicit ones: the region entered first, the
    call path at which the implicit task stood when it first came to a location, and their fragments; time is booked up to `booked_until`."""

    def __init__(self, base, is_explicit):
        self.is_explicit, self.stack, self.base, self.left = is_explicit, [], base, None
        self.region, self.below, self.fragments, self.booked_until = None, {}, [], 0


class Fragment:
    """What a location does of an explicit task from a switch to it until it leaves off, in and outside of the task's regions."""

    def __init__(self, location, begin):
        self.begin, self.location, self.in_regions, self.outside, self.barrier = begin, location, 0, 0, None


class Fork:
    """A ThreadFork: call path at which it stands, whether in a call, time, and the time of its ThreadJoin."""

    def __init__(self, location, path, in_call, time):
        self.location, self.path, self.in_call, self.time, self.joined = location, path, in_call, time, None


class Team:
    """One instance of a thread team ("Threads"): the number of its fork on the location that is thread 0, and what the members
    do: location -> its barriers."""

    def __init__(self, master, fork_number):
        self.master, self.fork_number, self.fork, self.barriers = master, fork_number, None, defaultdict(list)


class Location:
    """One stream of events, which are tuples (time, kind, ...). thread: its number in the process."""

    def __init__(self, ref, process, thread, is_cpu):
        self.ref, self.process, self.thread, self.is_cpu, self.events = ref, process, thread, is_cpu, []


class Communicator:
    """Members are world ranks; an inter-communicator has two groups. self_only: MPI_COMM_SELF and the like."""

    def __init__(self, ref, groups, self_only):
        self.ref, self.groups, self.self_only = ref, groups, self_only

    def group_of(self, process):
        return 1 if len(self.groups) == 2 and process not in self.groups[0] else 0

    def peer(self, process, rank):
        """World rank of a rank in a message record of the process ("Inter-communicators": of the remote group)."""
        if self.self_only:
            return process
        group = self.groups[1 - self.group_of(process) if len(self.groups) == 2 else 0]
        return group[rank] if rank < len(group) else None

    def rank(self, process):
        return 0 if self.self_only else self.groups[self.group_of(process)].index(process)

    def members(self, process):
        """World ranks in the order of ties: by rank; group A before group B."""
        return [process] if self.self_only else [p for g in self.groups for p in g]

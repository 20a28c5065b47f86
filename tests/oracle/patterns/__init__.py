"""The metrics, part by part. A new pattern is a file with a class derived from Part, and its entry here."""
from .collectives import Collectives
from .files import Files
from .idle_threads import IdleThreads
from .init_finalize import InitFinalize
from .late_receiver import LateReceivers
from .late_sender import LateSenders
from .locks import Locks
from .messages import Messages
from .nonblocking_collectives import NonblockingCollectives
from .one_sided import OneSided
from .receive_overlap import ReceiveOverlaps
from .region_classes import RegionClasses
from .shmem_waits import ShmemWaits
from .tasks import Tasks
from .teams import Teams

PARTS = (                                                            # those that read others' results come after them
    Messages, LateSenders, LateReceivers, ReceiveOverlaps,
    Collectives, NonblockingCollectives, InitFinalize,
    OneSided, ShmemWaits, Files,
    Tasks, Teams, Locks,
    RegionClasses, IdleThreads)

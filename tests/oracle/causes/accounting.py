"""One cost accounting ("Delay costs")."""
from .kinds import CAPPED


class Accounting:
    """Of the waiting synchronisation points to the one they waited for."""

    def __init__(self, kind, cause, waiting, is_pair=False):
        self.kind, self.cause, self.waiting = kind, cause, waiting
        self.is_pair = is_pair or kind in CAPPED

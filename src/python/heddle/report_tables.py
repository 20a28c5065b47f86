"""The tables that a report of Heddle carries beside its metrics: instances of wait states, their statistics, and their causes."""
from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Sequence

from .cube_archive import ReportError, array_of, combine
from .cube_tree import CallPath, Metric


@dataclasses.dataclass(frozen=True)
class Instance:
    """One occurrence of a wait state. Times in seconds; enter and leave count from the first event."""
    number: int
    metric: Metric
    call_path: CallPath
    process: int
    thread: int
    enter: float
    leave: float
    waiting: float  # of all members
    peer: int | None  # process that was waited for


@dataclasses.dataclass(frozen=True)
class Statistic:
    """The instances of a wait state at a call path, or at all of them (None)."""
    metric: Metric
    call_path: CallPath | None
    count: int
    mean: float
    median: float
    minimum: float
    maximum: float
    sum: float
    variance: float
    lower_quartile: float
    upper_quartile: float


@dataclasses.dataclass(frozen=True)
class Cause:
    """Waiting at a call path that another one causes. None: nobody can be charged; elsewhere."""
    cause: CallPath | None
    waiting_at: CallPath | None
    wait_state: str  # "latesender", "n2n", ...
    short_term: float
    long_term: float

    @property
    def value(self) -> float:
        return self.short_term + self.long_term


@dataclasses.dataclass(frozen=True)
class Pair:
    """Waiting of a process that another one causes. None: pairs that are not listed."""
    process: int | None
    waiting_process: int | None
    short_term: float
    long_term: float

    @property
    def value(self) -> float:
        return self.short_term + self.long_term


@dataclasses.dataclass(frozen=True)
class Matrix:
    """The communication matrix: arrays with an element for each pair of processes with messages, by sender, then receiver. Times in seconds, of
    all messages of a pair; sizes: {smallest size of a class in bytes: messages}."""
    sender: Sequence[int]
    receiver: Sequence[int]
    messages: Sequence[int]
    bytes: Sequence[int]
    late_sender: Sequence[float]  # waiting time of the receiver
    late_receiver: Sequence[float]  # waiting time of the sender
    transfer: Sequence[float]
    sizes: dict[int, int]

    def __len__(self) -> int:
        return len(self.sender)

    @property
    def waiting(self) -> Sequence[float]:
        return combine(self.late_sender, self.late_receiver, operator.add)


@dataclasses.dataclass(frozen=True)
class Prediction:
    """A simulated run, or the recorded one. Times in seconds."""
    kind: str  # "recorded", "asked", "candidate", "bound" or "step"
    hypothesis: str  # of a step without those of the steps before
    run_time: float
    promised: float | None  # what delay costs alone promise to save; None: they say nothing of it
    waiting: float  # of all processes, at the call path that waits most
    waits_at: str | None


@dataclasses.dataclass(frozen=True)
class Curve:
    """The run time over the percentage of the computation of a selection that is removed."""
    selection: str
    run_times: dict[int, float]
    next: str | None  # selection that determines most of the run time when all is removed
    next_share: float


def unescape(cell: str) -> str:
    r"""A name as it was: tables write some bytes as \xNN."""
    data = re.sub(rb"\\x([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), cell.encode("utf-8", "surrogateescape"))
    return data.decode("utf-8", "surrogateescape")


def read_table(text: str, name: str) -> list[dict[str, str]]:
    """The rows of a table as its columns name them; an empty cell is unknown, or none."""
    lines = text.split("\n")
    head = lines[0].split("\t")
    rows = [line.split("\t") for line in lines[1:] if line]
    if any(len(row) != len(head) for row in rows):
        raise ReportError(f'the report is damaged: its table "{name}" has lines of other columns')
    return [dict(zip(head, row)) for row in rows]


class Tables:
    """Rows of tables with the report's own metrics and call paths."""

    def __init__(self, metrics: dict[str, Metric], call_paths: dict[int, CallPath]):
        self._metrics, self._call_paths = metrics, call_paths

    def _path(self, cell: str) -> CallPath | None:
        if cell == "":
            return None
        if int(cell) not in self._call_paths:
            raise ValueError(f"there is no call path {cell}")
        return self._call_paths[int(cell)]

    def instance(self, row: dict[str, str]) -> Instance:
        return Instance(int(row["instance"]), self._metrics[row["metric"]], self._path(row["path"]), int(row["process"]), int(row["thread"]),
                        float(row["enter"]), float(row["leave"]), float(row["waiting"]), int(row["peer"]) if row["peer"] else None)

    def statistic(self, row: dict[str, str]) -> Statistic:
        keys = ("mean", "median", "minimum", "maximum", "sum", "variance", "quartile25", "quartile75")
        return Statistic(self._metrics[row["metric"]], self._path(row["path"]), int(row["count"]), *(float(row[key]) for key in keys))

    def cause(self, row: dict[str, str]) -> Cause:
        return Cause(self._path(row["cause"]), self._path(row["effect"]), row["wait state"], float(row["short-term"]), float(row["long-term"]))

    @staticmethod
    def pair(row: dict[str, str]) -> Pair:
        return Pair(*(int(row[key]) if row[key] else None for key in ("process", "waiting process")), float(row["short-term"]), float(row["long-term"]))

    @staticmethod
    def prediction(row: dict[str, str]) -> Prediction:
        return Prediction(row["kind"], unescape(row["hypothesis"]), float(row["run_time"]), float(row["promised"]) if row["promised"] else None,
                          float(row["waiting"]), unescape(row["waits_at"]) or None)

    @staticmethod
    def curve(row: dict[str, str]) -> Curve:
        times = {int(key[len("run_time_"):]): float(cell) for key, cell in row.items() if key.startswith("run_time_")}
        return Curve(unescape(row["selection"]), times, unescape(row["next"]) or None, float(row["next_share"]))

    @staticmethod
    def matrix(pairs: list[dict[str, str]], sizes: list[dict[str, str]]) -> Matrix:
        whole = [array_of([int(row[key]) for row in pairs], "q") for key in ("sender", "receiver", "messages", "bytes")]
        times = [array_of([float(row[key]) for row in pairs], "d") for key in ("late_sender", "late_receiver", "transfer")]
        return Matrix(*whole, *times, {int(row["from"]): int(row["messages"]) for row in sizes})

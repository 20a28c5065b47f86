"""A report: its trees, its values, and the tables that it carries."""
from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from . import cube_archive
from .cube_archive import FORMATS, Archive, ReportError, Rows
from .cube_tree import CallPath, Metric, Trees
from .report_tables import Cause, Curve, Instance, Matrix, Pair, Prediction, Statistic, Tables, read_table

TRY = {"heddle.instances.tsv": "heddle analyze --instances 10", "heddle.statistics.tsv": "heddle analyze --stat",
       "heddle.causes.tsv": "heddle analyze without --no-delay", "heddle.pairs.tsv": "heddle analyze without --no-delay",
       "heddle.matrix.tsv": "heddle analyze of a program with MPI, without --no-matrix",
       "heddle.predictions.tsv": "heddle analyze --simulate advice", "heddle.curves.tsv": "heddle analyze --simulate curves"}


class Row(NamedTuple):
    """A value that is not zero."""
    metric: str
    call_path_id: int
    parent: int | None  # id of the call path above, None: a root
    name: str
    process: int
    thread: int
    value: float


def open(path) -> Report:  # pylint: disable=redefined-builtin
    """Opens a report. It is a context manager; values are read from the file when they are asked for."""
    return Report(path)


class Report:
    """A Cube4 report.

    metrics, call_paths, nodes, processes, locations: lists in the order of the report; parents come before children.
    attributes: {key: value} of the report as a whole; of keys that occur several times the last one.
    left_out: {id of a metric: why it cannot be read}
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        self._archive = Archive(self.path)
        try:
            trees = Trees(self._archive)
        except BaseException:
            self.close()
            raise
        self.metrics, self.left_out, self.regions, self.call_paths = trees.metrics, trees.left_out, trees.regions, trees.call_paths
        self.nodes, self.processes, self.locations = trees.nodes, trees.processes, trees.locations
        self.attributes = dict(trees.attributes)
        self._rows: dict[str, Rows] = {}
        self._wide: list[int] | None = None
        self._ends: list[int] | None = None
        self._metric_of_id = {metric.id: metric for metric in self.metrics}

    def close(self) -> None:
        self._archive.close()

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __repr__(self):
        return f"Report({self.path!r}, {len(self.metrics)} metrics, {len(self.call_paths)} call paths, {len(self.locations)} locations)"

    # ---- trees ---------------------------------------------------------------------------------------------------------------------

    @property
    def metric_roots(self) -> list[Metric]:
        return [metric for metric in self.metrics if metric.parent is None]

    @property
    def call_roots(self) -> list[CallPath]:
        return [path for path in self.call_paths if path.parent is None]

    def metric(self, metric: str | Metric) -> Metric:
        """The metric of an id, such as "mpi_latesender"."""
        if isinstance(metric, Metric):
            return metric
        if metric not in self._metric_of_id:
            why = f": {self.left_out[metric]}" if metric in self.left_out else ""
            raise ReportError(f'report "{self.path}" has no metric "{metric}"{why}')
        return self._metric_of_id[metric]

    def select(self, names: str) -> list[CallPath]:
        """Call paths that end with these names, outer ones first, joined by ";": "solve;MPI_Recv", or just "MPI_Recv". A region goes by
        its name or by its name for the linker."""
        wanted = names.split(";")
        found = []
        for path in self.call_paths:
            at, rest = path, list(wanted)
            while rest and at is not None and rest[-1] in (at.name, at.region.mangled_name):
                rest.pop()
                at = at.parent
            if not rest:
                found.append(path)
        return found

    # ---- values --------------------------------------------------------------------------------------------------------------------

    def row(self, metric: str | Metric, call_path: CallPath, inclusive: bool = False):
        """The values of a metric at a call path: an array with one for each location; exclusive, or with all that the call path calls."""
        rows, metric = self._rows_of(metric), self.metric(metric)
        value = self._inclusive(rows, metric, call_path.index) if inclusive else self._exclusive(rows, metric, call_path.index)
        return rows.zeros() if value is None else value

    def values(self, metric: str | Metric, inclusive: bool = False):
        """All values of a metric: [call path][location]. A two-dimensional array of numpy where that is installed, else a list of arrays."""
        rows = [self.row(metric, path, inclusive) for path in self.call_paths]
        return cube_archive.numpy.array(rows) if cube_archive.numpy is not None and rows else rows

    def total(self, metric: str | Metric) -> float:
        """The sum over all call paths and locations; of a minimum or maximum the least or largest value that is not zero."""
        metric = self.metric(metric)
        every = (value for path in self.call_paths for value in self.row(metric, path).tolist())
        if metric.is_additive:
            return sum(every)
        return (min if metric.dtype == "MINDOUBLE" else max)((value for value in every if value != 0), default=0)

    def rows(self, metrics: str | Metric | Iterable[str | Metric] | None = None, inclusive: bool = False) -> Iterator[Row]:
        """Values that are not zero, of some metrics or of all that are stored, in the order of heddle dump."""
        for metric in self._chosen(metrics):
            rows = self._rows_of(metric)
            if rows.is_empty:
                continue
            for path in self.call_paths:
                values = self._inclusive(rows, metric, path.index) if inclusive else self._exclusive(rows, metric, path.index)
                if values is None:
                    continue
                parent = path.parent.id if path.parent is not None else None
                for location, value in zip(self.locations, values.tolist()):
                    if value != 0:
                        yield Row(metric.id, path.id, parent, path.name, location.process.rank, location.thread, value)

    def frame(self, metrics: str | Metric | Iterable[str | Metric] | None = None, inclusive: bool = False):
        """The same as a pandas.DataFrame with the columns metric, call_path_id, parent, name, process, thread, value."""
        try:
            import pandas  # pylint: disable=import-outside-toplevel
        except ImportError:
            raise ImportError("frame() needs pandas (python3-pandas, or pip install pandas); rows() gives the same without it") from None
        frame = pandas.DataFrame(list(self.rows(metrics, inclusive)), columns=Row._fields)
        frame["parent"] = frame["parent"].astype("Int64")  # a root has none
        return frame

    def _chosen(self, metrics) -> list[Metric]:
        if metrics is None:
            return [metric for metric in self.metrics if not metric.is_derived]
        return [self.metric(one) for one in ([metrics] if isinstance(metrics, (str, Metric)) else metrics)]

    def _rows_of(self, metric) -> Rows:
        metric = self.metric(metric)
        if metric.is_derived:
            raise ReportError(f'metric "{metric.id}" is computed by an expression: heddle dump --metric {metric.id} has its values')
        if metric.id not in self._rows:
            is_wide, code = metric.kind == "INCLUSIVE", FORMATS[metric.dtype]
            order = self._wide_order() if is_wide else range(len(self.call_paths))
            code = "q" if is_wide and code == "Q" else code  # differences can be negative
            self._rows[metric.id] = Rows(self._archive, metric.number, code, len(self.locations), order)
        return self._rows[metric.id]

    def _wide_order(self) -> list[int]:
        """Call paths by the rows of metrics that are stored inclusively: each root, then for each call path all of its children."""
        if self._wide is None:
            self._wide = []
            for path in self.call_paths:
                if path.parent is None:
                    self._wide.append(path.index)
                self._wide += [child.index for child in path.children]
        return self._wide

    def _end(self, index: int) -> int:
        """The place after the last call path below."""
        if self._ends is None:
            self._ends = list(range(1, len(self.call_paths) + 1))
            for path in reversed(self.call_paths):
                if path.parent is not None:
                    self._ends[path.parent.index] = max(self._ends[path.parent.index], self._ends[path.index])
        return self._ends[index]

    def _exclusive(self, rows: Rows, metric: Metric, index: int):
        """None: all zero."""
        own = rows.get(index)
        if metric.kind != "INCLUSIVE":
            return own
        for child in self.call_paths[index].children:
            below = rows.get(child.index)
            if below is not None:
                own = cube_archive.combine(rows.zeros() if own is None else own, below, operator.sub)
        return own

    def _inclusive(self, rows: Rows, metric: Metric, index: int):
        if metric.kind == "INCLUSIVE":
            return rows.get(index)
        how = operator.add if metric.is_additive else _least if metric.dtype == "MINDOUBLE" else _most
        value = None
        for below in range(index, self._end(index)):
            more = rows.get(below)
            if more is not None:
                value = more if value is None else _combine(value, more, how)
        return value

    # ---- tables --------------------------------------------------------------------------------------------------------------------

    @property
    def members(self) -> list[str]:
        """Names of the further files that the report carries, such as "heddle.findings.tsv"."""
        return [name for name in self._archive.members if not name.endswith((".index", ".data", "anchor.xml"))]

    def member(self, name: str) -> bytes | None:
        """All of such a file, None: there is none."""
        return self._archive.member(name)

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of a table that the report carries, as texts by the names of its columns (docs/formats.md)."""
        data = self.member(name)
        if data is None:
            hint = f"; try {TRY[name]}" if name in TRY else ""
            raise ReportError(f'report "{self.path}" has no table "{name}"{hint}')
        return read_table(data.decode("utf-8", "surrogateescape"), name)

    def instances(self, metric: str | Metric | None = None) -> list[Instance]:
        """The most severe instances of a wait state, or of each; of each the longest first."""
        wanted = None if metric is None else self.metric(metric)
        return [one for one in self._table_of("heddle.instances.tsv", "instance") if wanted in (None, one.metric)]

    def statistics(self, metric: str | Metric | None = None) -> list[Statistic]:
        """How long single waits of a wait state, or of each, were: at all call paths together (None), and at each."""
        wanted = None if metric is None else self.metric(metric)
        return [one for one in self._table_of("heddle.statistics.tsv", "statistic") if wanted in (None, one.metric)]

    def causes(self) -> list[Cause]:
        """Which call path causes how much waiting where."""
        return self._table_of("heddle.causes.tsv", "cause")

    def pairs(self) -> list[Pair]:
        """Which process causes how much waiting of which."""
        return self._table_of("heddle.pairs.tsv", "pair")

    def predictions(self) -> list[Prediction]:
        """Run times that a simulation predicts: the recorded one, then hypotheses, candidates and steps of the advice."""
        return self._table_of("heddle.predictions.tsv", "prediction")

    def curves(self) -> list[Curve]:
        """The run time when computation is removed, of each selection that was asked for."""
        return self._table_of("heddle.curves.tsv", "curve")

    def matrix(self) -> Matrix:
        """Who communicates with whom: messages, bytes and waiting of each pair of processes, as arrays."""
        name = "heddle.matrix.tsv"
        return self._read(name, lambda: Tables.matrix(self.table(name), self.table("heddle.sizes.tsv")))

    def _table_of(self, name: str, kind: str) -> list:
        tables = Tables(self._metric_of_id, {path.id: path for path in self.call_paths})
        return self._read(name, lambda: [getattr(tables, kind)(row) for row in self.table(name)])

    def _read(self, name: str, how):
        try:
            return how()
        except (KeyError, ValueError, OverflowError) as error:
            if isinstance(error, ReportError):
                raise
            raise ReportError(f'report "{self.path}" is damaged: its table "{name}": {error}') from None


def _least(left: float, right: float) -> float:
    """Of a minimum zero is no value."""
    return right if left == 0 else left if right == 0 else min(left, right)


def _most(left: float, right: float) -> float:
    return right if left == 0 else left if right == 0 else max(left, right)


def _combine(left, right, how):
    if how is operator.add:
        return cube_archive.combine(left, right, how)
    values = [how(a, b) for a, b in zip(left.tolist(), right.tolist())]
    return cube_archive.numpy.array(values) if cube_archive.numpy is not None else type(left)(left.typecode, values)

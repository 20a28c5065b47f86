"""Metrics, call tree and system tree of a report, as its anchor describes them."""
from __future__ import annotations

import dataclasses
import re
import zlib
from xml.etree import ElementTree

from .cube_archive import FORMATS, Archive, ReportError

STORED = ("INCLUSIVE", "EXCLUSIVE")
DERIVED = ("PREDERIVED_INCLUSIVE", "PREDERIVED_EXCLUSIVE", "POSTDERIVED")


@dataclasses.dataclass(eq=False)
class Metric:
    """A metric; in the metric tree a parent's value contains those of its children."""
    id: str
    name: str
    unit: str  # "sec", "occ", "bytes"
    description: str
    parent: Metric | None
    kind: str  # "EXCLUSIVE", "INCLUSIVE": how it is stored; "POSTDERIVED", ...: it is computed
    dtype: str
    number: int = dataclasses.field(repr=False)  # its id in the file
    children: list[Metric] = dataclasses.field(default_factory=list, repr=False)

    @property
    def is_derived(self) -> bool:
        """Computed by an expression. This package has no values of such metrics; heddle dump has."""
        return self.kind in DERIVED

    @property
    def is_additive(self) -> bool:
        """Whether its values can be added up: not those of a minimum or maximum."""
        return self.dtype not in ("MINDOUBLE", "MAXDOUBLE")

    def __repr__(self):
        return f"Metric({self.id!r}, {self.name!r})"


@dataclasses.dataclass(eq=False)
class Region:
    """A function, or a marked part of a program."""
    id: int
    name: str
    mangled_name: str
    paradigm: str
    role: str
    file: str
    begin_line: int | None
    end_line: int | None

    def __repr__(self):
        return f"Region({self.name!r})"


@dataclasses.dataclass(eq=False)
class CallPath:
    """A node of the call tree."""
    id: int
    name: str  # of its region, with parameters
    region: Region
    parent: CallPath | None
    index: int  # its place in Report.call_paths
    line: int | None = None  # where it is called
    file: str = ""
    children: list[CallPath] = dataclasses.field(default_factory=list, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names from the root."""
        names, at = [], self
        while at is not None:
            names.append(at.name)
            at = at.parent
        return tuple(reversed(names))

    def __repr__(self):
        return f"CallPath({self.id}, {';'.join(self.names)!r})"


@dataclasses.dataclass(eq=False)
class Node:
    """A node of the system tree: a machine, a rack, a compute node, ..."""
    name: str
    class_name: str
    parent: Node | None
    children: list[Node] = dataclasses.field(default_factory=list, repr=False)
    processes: list[Process] = dataclasses.field(default_factory=list, repr=False)

    def __repr__(self):
        return f"Node({self.name!r}, {self.class_name!r})"


@dataclasses.dataclass(eq=False)
class Process:
    """A location group."""
    rank: int  # MPI rank
    name: str
    kind: str  # "process", "metrics", "accelerator"
    node: Node
    locations: list[Location] = dataclasses.field(default_factory=list, repr=False)

    def __repr__(self):
        return f"Process({self.rank})"


@dataclasses.dataclass(eq=False)
class Location:
    """A thread, an accelerator stream, or a stream of metrics: a column of values."""
    index: int  # its column
    name: str
    kind: str  # "thread", "accelerator stream", "metric"
    thread: int  # its number in its process
    process: Process

    def __repr__(self):
        return f"Location({self.index}, process={self.process.rank}, thread={self.thread})"


def _quote(match: re.Match) -> bytes:
    """Some writers leave out the quotes of attributes, which is no XML."""
    return re.sub(rb'("[^"]*"|\'[^\']*\')|=([^\s"\'>]+)', lambda part: part[1] or b'="' + part[2] + b'"', match[0])


def _anchor(archive: Archive) -> ElementTree.Element:
    names = [name for name in archive.members if name.endswith("anchor.xml")]
    if not names:
        raise ReportError(f'"{archive.path}" is no Cube report, or ends too early: it has no anchor.xml')
    text = archive.member(names[-1])
    if text[:2] == b"\x1f\x8b":
        try:
            text = zlib.decompress(text, 15 + 16)
        except zlib.error as error:
            raise archive.damaged(f"anchor.xml: {error}") from None
    if b"<!DOCTYPE" in text:  # without one there are no entities that could blow up
        raise archive.damaged("its anchor has a document type")
    text = text.rstrip(b"\0")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError:
        pass
    try:
        return ElementTree.fromstring(re.sub(rb"<[A-Za-z][^<>]*>", _quote, text))
    except ElementTree.ParseError as error:
        raise archive.damaged(f"anchor.xml: {error}") from None


def _number(text: str | None, what: str) -> int:
    if text is None or not re.fullmatch(r"[0-9]+", text.strip()):
        raise ReportError(f"the report is damaged: {what} is no number")
    return int(text)


def _line(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"[0-9]+", text) and int(text) > 0 else None


def _text(element, tag: str) -> str:
    return element.findtext(tag) or ""


class Trees:
    """All that the anchor says: attributes, metrics, regions, call_paths, nodes, processes, locations."""

    def __init__(self, archive: Archive):
        root = _anchor(archive)
        version = root.get("version", "")
        if root.tag != "cube" or (version and not version.startswith("4")):
            raise ReportError(f'"{archive.path}" is no report of version 4 of Cube')
        self.attributes = [(one.get("key", ""), one.get("value", "")) for one in root.findall("attr")]
        self.metrics: list[Metric] = []  # parents before children
        self.left_out: dict[str, str] = {}  # metrics that cannot be read, and why
        self.call_paths: list[CallPath] = []  # depth-first
        self.nodes: list[Node] = []  # depth-first
        self.processes: list[Process] = []
        self._take_metrics(root)
        self._take_program(root)
        self._take_system(root)

    def _take_metrics(self, root):
        todo = [(one, None) for one in reversed(root.findall("metrics/metric"))]
        while todo:
            element, parent = todo.pop()
            kind, dtype = element.get("type", "INCLUSIVE"), _text(element, "dtype")
            metric = Metric(_text(element, "uniq_name"), _text(element, "disp_name"), _text(element, "uom"), _text(element, "descr"), parent, kind,
                            dtype, _number(element.get("id"), "the id of a metric"))
            if kind not in STORED + DERIVED or (kind in STORED and dtype not in FORMATS):
                self.left_out[metric.id] = f'its values are of type "{dtype}"' if kind in STORED + DERIVED else f'it is of kind "{kind}"'
                metric = parent
            elif element.get("viztype") == "GHOST":  # hidden
                metric = parent
            else:
                self.metrics.append(metric)
                if parent is not None:
                    parent.children.append(metric)
            todo += [(one, metric) for one in reversed(element.findall("metric"))]

    def _take_program(self, root):
        regions = {}
        for element in root.findall("program/region"):
            number = _number(element.get("id"), "the id of a region")
            regions.setdefault(number, Region(number, _text(element, "name"), _text(element, "mangled_name"), _text(element, "paradigm"),
                                              _text(element, "role"), element.get("mod", ""), _line(element.get("begin")), _line(element.get("end"))))
        self.regions = list(regions.values())
        todo = [(one, None) for one in reversed(root.findall("program/cnode"))]
        while todo:
            element, parent = todo.pop()
            number, callee = _number(element.get("id"), "the id of a call path"), _number(element.get("calleeId"), "the callee of a call path")
            if callee not in regions:
                raise ReportError(f"the report is damaged: call path {number} is of an undefined region")
            name = regions[callee].name + "".join(f"{{{one.get('parkey', '')}={one.get('parvalue', '')}}}" for one in element.findall("parameter"))
            path = CallPath(number, name, regions[callee], parent, len(self.call_paths), _line(element.get("line")), element.get("mod", ""))
            self.call_paths.append(path)
            if parent is not None:
                parent.children.append(path)
            todo += [(one, path) for one in reversed(element.findall("cnode"))]

    def _take_system(self, root):
        locations = {}
        todo = [(one, None) for one in reversed([*root.findall("system/systemtreenode"), *root.findall("system/machine")])]
        while todo:
            element, parent = todo.pop()
            class_name = {"machine": "machine", "node": "node"}.get(element.tag) or _text(element, "class")
            node = Node(_text(element, "name"), class_name, parent)
            self.nodes.append(node)
            if parent is not None:
                parent.children.append(node)
            for group in [*element.findall("locationgroup"), *element.findall("process")]:
                self._take_group(group, node, locations)
            todo += [(one, node) for one in reversed([*element.findall("systemtreenode"), *element.findall("node")])]
        if sorted(locations) != list(range(len(locations))):
            raise ReportError("the report is damaged: its locations are not numbered from 0 on")
        self.locations = [locations[i] for i in range(len(locations))]

    def _take_group(self, element, node: Node, locations: dict[int, Location]):
        rank = element.findtext("rank")
        process = Process(_number(rank, "the rank of a process") if rank else 0, _text(element, "name"), _text(element, "type") or "process", node)
        node.processes.append(process)
        self.processes.append(process)
        for one in [*element.findall("location"), *element.findall("thread")]:
            number, thread = _number(one.get("Id"), "the id of a location"), one.findtext("rank")
            location = Location(number, _text(one, "name"), _text(one, "type") or "thread",
                                _number(thread, "the rank of a location") if thread else 0, process)
            if number in locations:
                raise ReportError("the report is damaged: its locations are not numbered from 0 on")
            locations[number] = location
            process.locations.append(location)

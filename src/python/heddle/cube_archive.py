"""A Cube4 report as a file: the members of its tar archive, and rows of values in them."""
from __future__ import annotations

import array
import builtins
import re
import struct
import sys
import zlib

try:
    import numpy
except ImportError:
    numpy = None

BLOCK = 512
SPARSE, DENSE, EMPTY = 1, 3, 0  # kinds of an index
# Type codes of array and struct.
FORMATS = {
    "DOUBLE": "d", "FLOAT": "d", "MINDOUBLE": "d", "MAXDOUBLE": "d", "INTEGER": "q", "INT64": "q", "UINT64": "Q", "INT32": "i", "INT": "i",
    "UINT32": "I", "UNSIGNED INT": "I", "INT16": "h", "SHORT INT": "h", "UINT16": "H", "UNSIGNED SHORT INT": "H", "INT8": "b", "CHAR": "b",
    "UINT8": "B",
}


class ReportError(ValueError):
    """A file that is no report, a damaged one, or something that a report does not have."""


def _octal(field: bytes) -> int | None:
    match = re.match(rb" *([0-7]*)(?:[\0 ]|$)", field)
    return None if match is None else int(match[1] or b"0", 8)


def _is_header(block: bytes) -> bool:
    """Checksums are not looked at: several releases of Cube write wrong ones."""
    return len(block) == BLOCK and block[257:262] == b"ustar" and block[0] != 0 and _octal(block[124:136]) is not None


class Archive:
    """The members of a report by their names: (place in the file, bytes)."""

    def __init__(self, path):
        self.path = path
        self._file = builtins.open(path, "rb")
        try:
            self._bytes = self._file.seek(0, 2)
            self.members = dict(self._find_members())
        except BaseException:
            self._file.close()
            raise

    def close(self):
        self._file.close()

    def damaged(self, what: str) -> ReportError:
        return ReportError(f'report "{self.path}" is damaged: {what}')

    def read(self, place: int, n: int) -> bytes:
        self._file.seek(place)
        data = self._file.read(n)
        if len(data) != n:
            raise self.damaged("it ends too early")
        return data

    def member(self, name: str) -> bytes | None:
        """All of a member, None: there is none."""
        return self.read(*self.members[name]) if name in self.members else None

    def _block(self, place: int) -> bytes:
        self._file.seek(place)
        return self._file.read(BLOCK)

    def _find_members(self):
        if not _is_header(self._block(0)):
            raise ReportError(f'"{self.path}" is no Cube4 report: it does not begin like a tar archive')
        place, forced = 0, None
        while place + BLOCK <= self._bytes:
            block, data = self._block(place), place + BLOCK
            size = _octal(block[124:136]) or 0
            if block[156:157] == b"x":  # the size of the next one, beyond 8 GiB
                match = re.search(rb" size=(\d+)", self.read(data, min(size, BLOCK)))
                forced = int(match[1]) if match else None
            else:
                size = forced if forced is not None else size
                forced = None
                size = self._packed_size(data) or min(size, self._bytes - data)
                yield block[:100].split(b"\0")[0].decode("utf-8", "replace"), (data, size)
            place = self._next_header(data, size)

    def _next_header(self, data: int, size: int) -> int:
        """Cube's writers put an empty block after members that fill their last block; tar programs do not. Where neither place has a
        header, the size was wrong, and the next one is searched for."""
        for place in (data + (size // BLOCK + (size > 0)) * BLOCK, data + (size + BLOCK - 1) // BLOCK * BLOCK):
            if _is_header(self._block(place)):
                return place
        for place in range(data, self._bytes, BLOCK):
            if _is_header(self._block(place)):
                return place
        return self._bytes

    def _packed_size(self, data: int) -> int:
        """Of a compressed member, whose header may give the size that it has uncompressed. 0: it is no such member."""
        self._file.seek(data)
        head = self._file.read(19)
        if len(head) < 19 or head[:11] != b"ZCUBEX.DATA":
            return 0
        for order in "<>":
            n, = struct.unpack_from(order + "Q", head, 11)
            rest = self._bytes - data - 19 - 24 * n
            if rest < 0:
                continue
            self._file.seek(data + 19)
            ends = [start + size for _, start, size in struct.iter_unpack(order + "QQQ", self._file.read(24 * n))]
            if all(end <= rest for end in ends):
                return 19 + 24 * n + max(ends, default=0)
        return 0


def numbers(data: bytes, code: str, swaps: bool):
    """An array of numbers: numpy's where it is installed, else array's. Integers have 64 bits."""
    wide = code if code in "dQ" else "q"
    if numpy is not None:
        kind = numpy.dtype({"d": "f8", "Q": "u8", "q": "i8", "i": "i4", "I": "u4", "h": "i2", "H": "u2", "b": "i1", "B": "u1"}[code])
        little = (sys.byteorder == "little") != swaps
        return numpy.frombuffer(data, kind.newbyteorder("<" if little else ">")).astype({"d": "f8", "Q": "u8", "q": "i8"}[wide])
    values = array.array(code, data)
    if swaps:
        values.byteswap()
    return values if code == wide else array.array(wide, values)


def array_of(values: list, code: str):
    """An array of numbers of Python: "q" or "d"."""
    return numpy.array(values, {"d": "f8"}.get(code, "i8")) if numpy is not None else array.array(code, values)


def zeros(n: int, code: str):
    if numpy is not None:
        return numpy.zeros(n, {"d": "f8", "Q": "u8"}.get(code, "i8"))
    wide = code if code in "dQ" else "q"
    return array.array(wide, bytes(8 * n))


def combine(left, right, how):
    """An array of how(a, b); how is one of the operator module, min or max."""
    if numpy is not None:
        return {min: numpy.minimum, max: numpy.maximum}.get(how, how)(left, right)
    return array.array(left.typecode, map(how, left, right))


class Rows:
    """The rows of one metric as the file has them; a row has a value for each location."""

    def __init__(self, archive: Archive, number: int, code: str, n_locations: int, path_of_row: list[int] | range):
        self._archive, self._code, self._n = archive, code, n_locations
        self._row_bytes = n_locations * struct.calcsize("=" + self._code)
        self._places, self._swaps, self._is_packed = {}, False, False  # call path: (place, bytes)
        index, data = f"{number}.index", f"{number}.data"
        if index in archive.members and data in archive.members:
            self._find_rows(archive.member(index), *archive.members[data], path_of_row)

    def _find_rows(self, index: bytes, data: int, size: int, path_of_row):
        archive = self._archive
        if len(index) < 18 or index[:11] != b"CUBEX.INDEX":
            raise archive.damaged("an index does not begin like one")
        self._swaps = (index[11] == 1) != (sys.byteorder == "little")
        order = "<" if index[11] == 1 else ">"
        kind = index[17]
        if kind == SPARSE:
            n, = struct.unpack_from(order + "I", index, 18) if len(index) >= 22 else (0,)
            if len(index) < 22 + 4 * n and n > 0:
                raise archive.damaged("an index is too short")
            rows = struct.unpack_from(f"{order}{n}I", index, 22)
        elif kind in (DENSE, EMPTY):
            rows = range(len(path_of_row) if kind == DENSE else 0)
        else:
            raise archive.damaged("an index is of an unknown kind")
        if any(row >= len(path_of_row) for row in rows):
            raise archive.damaged("it has a row of an undefined call path")
        places = self._packed_places(data, size, order) if archive.read(data, min(size, 11)) == b"ZCUBEX.DATA" else None
        self._is_packed = places is not None
        for i, row in enumerate(rows):
            if places is None:
                place = (data + 10 + i * self._row_bytes, self._row_bytes)
            elif i < len(places):
                place = places[i]
            else:
                raise archive.damaged("it has fewer compressed rows than its index says")
            if sum(place) > data + size:
                raise archive.damaged("it has fewer rows than its index says")
            self._places[path_of_row[row]] = place

    def _packed_places(self, data: int, size: int, order: str) -> list[tuple[int, int]]:
        n, = struct.unpack(order + "Q", self._archive.read(data + 11, 8))
        if 19 + 24 * n > size:
            raise self._archive.damaged("compressed rows whose list is too short")
        begin = data + 19 + 24 * n
        return [(begin + start, n_bytes) for _, start, n_bytes in struct.iter_unpack(order + "QQQ", self._archive.read(data + 19, 24 * n))]

    @property
    def is_empty(self) -> bool:
        return not self._places

    def zeros(self):
        return zeros(self._n, self._code)

    def get(self, path: int):
        """The row of a call path (its place in the report), None: all its values are zero."""
        if path not in self._places:
            return None
        data = self._archive.read(*self._places[path])
        if self._is_packed:
            try:
                data = zlib.decompressobj().decompress(data, self._row_bytes + 1)
            except zlib.error as error:
                raise self._archive.damaged(f"a compressed row: {error}") from None
            if len(data) != self._row_bytes:
                raise self._archive.damaged("a compressed row has a wrong size")
        return numbers(data, self._code, self._swaps)

"""The bytes of OTF2 files, as far as damaging them with care needs it: chunks, records, and numbers of a size that varies.

A file of events or definitions is a row of chunks: a head (3, byte order, numbers of the first and the last event), records, 0 up to the end of
the chunk; behind the last record of the file 2, 1. A record is its kind, its length (a byte, or 255 and eight bytes) and its content. Events
share time stamps: 5 and eight bytes.
"""
import struct

END_OF_CHUNK, END_OF_FILE, LAST_MARK = 1, 2, 4 # 0, too, ends a chunk
HEAD_BYTES = 18
TIME, ATTRIBUTES, ENTER, LEAVE, PROGRAM_BEGIN, PROGRAM_END = 5, 6, 12, 13, 83, 84  # in files of events
CLOCK, STRING, TREE_NODE, LOCATION_GROUP, LOCATION, REGION, GROUP, COMM, WINDOW = 5, 10, 12, 13, 14, 15, 18, 22, 24  # of global definitions
CART_DIMENSION, CART_TOPOLOGY, CART_COORDINATE = 30, 31, 32
CLOCK_OFFSET, MAPPING_TABLE = 6, 5  # of definitions of a location


class Record:
    """is_time: content is the eight bytes of the time. at: where it stood in the file."""

    def __init__(self, kind, content, at=None, is_time=False):
        self.kind, self.content, self.at, self.is_time = kind, content, at, is_time

    def bytes(self):
        if self.is_time:
            return bytes([TIME]) + self.content
        n = len(self.content)
        return bytes([self.kind]) + (bytes([n]) if n < 255 else b"\xff" + struct.pack("<Q", n)) + self.content


def parse(data, events, chunk=None):
    """The records of a file in little-endian order, up to where it is not one any more. Returns (records, whole): whole if its end is there."""
    records, at = [], HEAD_BYTES
    chunk = chunk or len(data) + 1
    if data[:2] != b"\x03B":
        return records, False
    while at < len(data):
        kind = data[at]
        if kind == END_OF_FILE:
            return records, True
        if kind <= END_OF_CHUNK:
            at = (at // chunk + 1) * chunk
            if data[at:at + 2] != b"\x03B":
                return records, False
            at += HEAD_BYTES
            continue
        is_time = events and kind == TIME
        if is_time:
            start, length = at + 1, 8
        elif at + 1 < len(data) and data[at + 1] < 255:
            start, length = at + 2, data[at + 1]
        elif at + 10 <= len(data):
            start, length = at + 10, struct.unpack_from("<Q", data, at + 2)[0]
        else:
            return records, False
        if start + length > len(data) or kind <= LAST_MARK:
            return records, False
        records.append(Record(kind, data[start:start + length], at, is_time))
        at = start + length
    return records, False


def write(head, records):
    """A file of one chunk."""
    return head + b"".join(record.bytes() for record in records) + bytes([END_OF_FILE, END_OF_CHUNK])


def is_event(record):
    return not record.is_time and record.kind != ATTRIBUTES


def n_events(records):
    return sum(map(is_event, records))


def depth(records):
    """How many calls are open at the end."""
    n = 0
    for record in records:
        if not record.is_time:
            n = {ENTER: n + 1, PROGRAM_BEGIN: n + 1, LEAVE: max(n - 1, 0), PROGRAM_END: 0}.get(record.kind, n)
    return n


def number(value, undefined=False):
    """As OTF2 writes it: how many bytes, and these."""
    if undefined:
        return b"\xff"
    n = (value.bit_length() + 7) // 8
    return bytes([n]) + value.to_bytes(n, "little")


def read_number(content, at):
    """(value, where it ends); None for one that is not a number, or undefined."""
    if at >= len(content):
        return None, at
    n = content[at]
    if n == 255:
        return None, at + 1
    if n > 8 or at + 1 + n > len(content):
        return None, at
    return int.from_bytes(content[at + 1:at + 1 + n], "little"), at + 1 + n


def fields(content, kinds):
    """Cuts a content into fields by a string of kinds: n (number), b (byte), l (a count, and as many numbers as it says)."""
    at, cut = 0, []
    for kind in kinds:
        start = at
        if kind == "b":
            at += 1
        elif kind == "n":
            _, at = read_number(content, at)
        else:
            n, at = read_number(content, at)
            for _ in range(min(n or 0, len(content))):
                _, at = read_number(content, at)
        cut.append(content[start:at])
    return cut + [content[at:]]

"""OTF2 archives byte by byte: read, changed and written again without an OTF2 library, in either byte order.

An archive is an anchor and chunked files of records. Numbers are a byte with their size and that many bytes (size 0: 0, size 255: all ones),
in the order of bytes that each chunk names; some have all their bytes. A record is its kind, its length (not those with one number only),
and its fields; before it there can be a time stamp and a list of attributes, both records of their own.
"""
import pathlib

LITTLE, BIG = ord("B"), ord("#")
END_OF_CHUNK, END_OF_FILE, CHUNK_HEADER, TIME, ATTRIBUTES = 0, 2, 3, 5, 6
END = bytes([END_OF_FILE, 1])
SIONLIB = 2  # what the files are in
MARGIN = 64  # of a chunk, for its head, its end and the attributes of one event

# Fields: b a byte, n a number, Q and D eight bytes, I four bytes, s a text, V a value whose type is the byte before it,
# bN* as many of N as the byte says, nN* as many as the number says, A attributes, M a mapping table, P properties of an I/O paradigm,
# T types and values of metrics.
DEFINITIONS = {5: "nnnn", 6: "bnb", 7: "bbbV", 8: "bnnbnP", 10: "ns", 11: "nnbn", 12: "nnnn", 13: "nnbnn", 14: "nnbnn", 15: "nnnbnnnnbbn",
               16: "nnnnn", 17: "nnn", 18: "nnbnn*bbn", 19: "nnnbbbbnn", 20: "nbn*bb", 21: "nnnbn", 22: "nnnnn", 23: "nnb", 24: "nnnn",
               25: "nn", 26: "nnnbV", 27: "nb", 28: "nnnbV", 29: "nnnbV", 30: "nnnb", 31: "nnnbn*", 32: "nnbn*", 33: "nnn", 34: "nnnn",
               35: "nnbV", 36: "nnbbnn", 37: "nnbV", 38: "nnn", 39: "nnn", 40: "nnnbnnn", 41: "nbn", 42: "nnbV", 43: "nnnnnn"}
LOCAL_DEFINITIONS = {**DEFINITIONS, 5: "M", 6: "QnD"}
EVENTS = {6: "A", 10: "Q", 11: "b", 12: "n", 13: "n", 14: "nnnn", 15: "nnnnn", 16: "n", 17: "n", 18: "nnnn", 19: "nnnnn", 20: "n", 21: "n", 22: "",
          23: "bnnnn", 24: "n", 25: "", 26: "nn", 27: "nn", 28: "n", 29: "n", 30: "n", 31: "nT", 32: "nn", 33: "nn", 34: "nn", 35: "n",
          36: "n", 37: "", 38: "bnnnnn", 39: "nnn", 40: "nnnb", 41: "nnnb", 42: "nnnb", 43: "nnn", 44: "nnb", 45: "n", 46: "nnnn",
          47: "nnnn", 48: "nnbnnn", 49: "nn", 50: "nn", 51: "nn", 52: "nn", 53: "bn", 54: "b", 55: "n", 56: "n", 57: "bnn", 58: "bnn",
          59: "nnn", 60: "nnn", 61: "nnn", 62: "nn", 63: "nn", 64: "nn", 65: "nn", 66: "nn", 67: "n", 68: "nnn", 69: "nbnn", 70: "n",
          71: "nnn", 72: "nnbn", 73: "nn", 74: "nn", 75: "nbnnn", 76: "nn", 77: "nn", 78: "nnn", 79: "nn", 80: "nb", 81: "nb", 82: "nb",
          83: "nnn*", 84: "n", 85: "n", 86: "bnnnnn", 87: "n", 88: "n"}
WITHOUT_LENGTH = {12, 13, 16, 17, 20, 21, 24, 28, 29, 30}  # events
ENTER, LEAVE, PARAMETER, CONTEXT_ENTER, CONTEXT_LEAVE, SAMPLE = 12, 13, 34, 66, 67, 68


class Reader:
    def __init__(self, data, order=LITTLE):
        self.data, self.at, self.order = data, 0, order

    def take(self, n):
        assert self.at + n <= len(self.data), "a field reaches over the end"
        self.at += n
        return self.data[self.at - n:self.at]

    def full(self, n):
        return int.from_bytes(self.take(n), "little" if self.order == LITTLE else "big")

    def number(self):
        size = self.full(1)
        assert size <= 8 or size == 255, "no size of a number"
        return -1 if size == 255 else self.full(size)

    def text(self):
        return self.take(self.data.index(0, self.at) + 1 - self.at)

    def value(self, kind):
        sizes = {0: 0, 1: 1, 2: 2, 5: 1, 6: 2, 9: 4, 10: 8}
        return ("full", sizes[kind], self.full(sizes[kind])) if kind in sizes else ("number", self.number())

    def fields(self, layout):
        """A list of values: bytes of texts, ("full", size, value) and ("number", value). Records of earlier versions end before the layout."""
        fields, i = [], 0
        while i < len(layout) and self.at < len(self.data):
            code, i = layout[i], i + 1
            if layout[i + 1:i + 2] == "*":
                fields += self.fields(code)
                fields += self.fields(layout[i] * fields[-1][-1])
                i += 2
            elif code == "n":
                fields.append(("number", self.number()))
            elif code in "bIQD":
                fields.append(("full", {"b": 1, "I": 4}.get(code, 8), self.full({"b": 1, "I": 4}.get(code, 8))))
            elif code == "s":
                fields.append(self.text())
            elif code == "V":
                fields.append(self.value(fields[-1][-1]))
            elif code == "T":
                fields += self.fields("b")
                fields += self.fields("bn" * fields[-1][-1])
            elif code == "A":
                fields += self.fields("n")
                for _ in range(fields[-1][-1]):
                    fields += self.fields("nbV")
            elif code == "M":
                fields += self.fields("bnb")
                fields += self.fields("n" * fields[-2][-1] * (2 if fields[-1][-1] else 1))
            elif code == "P":
                fields += self.fields("b")
                n = fields[-1][-1]
                fields += self.fields("b" * 2 * n)
                fields += [self.value(kind[-1]) for kind in (fields[-n:] if n else [])]
            else:
                raise AssertionError(code)
        return fields


def number(value):
    return ("number", value)


def byte(value):
    return ("full", 1, value)


def pack(fields, order):
    name, out = "little" if order == LITTLE else "big", b""
    for field in fields:
        if isinstance(field, bytes):
            out += field
        elif field[0] == "full":
            out += field[2].to_bytes(field[1], name)
        elif field[1] == -1:
            out += b"\xff"
        else:
            size = (field[1].bit_length() + 7) // 8
            out += bytes([size]) + field[1].to_bytes(size, name)
    return out


class File:
    """Records (kind, fields) in order, those of time and attributes among them."""

    def __init__(self, path, layouts, chunk_bytes):
        self.path, self.layouts, self.is_events, self.records = path, layouts, layouts is EVENTS, []
        data = path.read_bytes()
        for begin in range(0, len(data), chunk_bytes):
            self.read_chunk(data[begin:begin + chunk_bytes])

    def read_chunk(self, data):
        head = Reader(data)
        assert head.full(1) == CHUNK_HEADER, self.path
        reader = Reader(data, head.full(1))
        reader.at = 18
        while reader.at < len(data):
            kind = reader.full(1)
            if kind in (END_OF_CHUNK, END_OF_FILE):
                break
            if kind == TIME and self.is_events:
                self.records.append((kind, reader.fields("Q")))
            elif self.is_events and kind in WITHOUT_LENGTH:
                self.records.append((kind, reader.fields("n")))
            else:
                length = reader.full(1)
                length = reader.full(8) if length == 255 else length
                part = Reader(reader.take(length), reader.order)
                assert kind in self.layouts, (self.path, kind)
                self.records.append((kind, part.fields(self.layouts[kind])))
                assert part.at == length, (self.path, kind, part.data, self.records[-1])

    def pack(self, order, chunk_bytes):
        """Chunks of at most that size, all but the last one filled up; those of events begin with a time stamp."""
        chunks, body, first, n, time, ends_with_attributes = [], b"", 1, 0, b"", False
        for kind, fields in self.records:
            packed = pack(fields, order)
            if not (self.is_events and (kind in WITHOUT_LENGTH or kind == TIME)):
                packed = (bytes([len(packed)]) if len(packed) < 255 else b"\xff" + pack([("full", 8, len(packed))], order)) + packed
            packed = bytes([kind]) + packed
            if len(body) + len(packed) + MARGIN > chunk_bytes and kind not in (TIME, ATTRIBUTES) and not ends_with_attributes:
                chunks.append((first, n, body))
                body, first = time, n + 1
            time = packed if kind == TIME and self.is_events else time
            ends_with_attributes = kind == ATTRIBUTES and self.is_events
            n += kind not in (TIME, ATTRIBUTES)
            body += packed
        data = b""
        for first, last, part in [*chunks, (first, n, body)]:
            numbers = (first, last) if self.is_events else (0, 0)
            data = data.ljust((len(data) + chunk_bytes - 1) // chunk_bytes * chunk_bytes, bytes([END_OF_CHUNK]))
            data += bytes([CHUNK_HEADER, order]) + pack([("full", 8, number) for number in numbers], order) + part
        return data + END


class Archive:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        anchor = Reader((self.folder / "traces.otf2").read_bytes())
        anchor.full(1)
        anchor.order = anchor.full(1)
        self.magic, self.anchor_format, self.format = anchor.text(), anchor.full(1), anchor.full(1)
        self.version = [anchor.full(1) for _ in range(3)]
        self.event_chunk, self.definition_chunk = anchor.full(8), anchor.full(8)
        self.substrate, self.compression = anchor.full(1), anchor.full(1)
        self.n_locations, self.n_definitions = anchor.full(8), anchor.full(8)
        self.texts = [anchor.text() for _ in range(3)]
        self.properties = [(anchor.text(), anchor.text()) for _ in range(anchor.full(4))]
        self.rest = [anchor.full(8), anchor.full(4), anchor.full(4)]  # its number, snapshots, thumbnails
        self.definitions = File(self.folder / "traces.def", DEFINITIONS, self.definition_chunk)
        files = sorted((self.folder / "traces").iterdir())
        self.local_definitions = {f.stem: File(f, LOCAL_DEFINITIONS, self.definition_chunk) for f in files if f.suffix == ".def"}
        self.events = {f.stem: File(f, EVENTS, self.event_chunk) for f in files if f.suffix == ".evt"}

    def define(self, kind, *fields):
        self.definitions.records.append((kind, list(fields)))
        self.n_definitions += 1

    def mapping(self, location, kind):
        """Local to global number: a function."""
        for record, fields in self.local_definitions[location].records if location in self.local_definitions else []:
            if record == 5 and fields[0][-1] == kind:
                values = [field[-1] for field in fields[3:]]
                table = dict(zip(values[::2], values[1::2])) if fields[2][-1] else dict(enumerate(values))
                return lambda ref: table.get(ref, ref)
        return lambda ref: ref

    def write(self, folder, order=LITTLE, chunk_bytes=16 << 20):
        folder = pathlib.Path(folder)
        for kind, fields in self.definitions.records:
            if kind == 14:
                file      = self.events.get(str(fields[0][-1]))
                fields[3] = number(sum(kind not in (TIME, ATTRIBUTES) for kind, _ in file.records) if file else 0)
        (folder / "traces").mkdir(parents=True)
        self.event_chunk, self.definition_chunk = chunk_bytes, 16 << 20  # the largest there is
        anchor = [self.magic, *map(byte, (self.anchor_format, self.format, *self.version)), ("full", 8, self.event_chunk),
                  ("full", 8, self.definition_chunk), byte(self.substrate), byte(self.compression), ("full", 8, self.n_locations),
                  ("full", 8, self.n_definitions), *self.texts]
        if self.anchor_format > 1:
            anchor += [("full", 4, len(self.properties)), *(text for pair in self.properties for text in pair), ("full", 8, self.rest[0])]
        if self.anchor_format > 2:
            anchor += [("full", 4, number) for number in self.rest[1:]]
        (folder / "traces.otf2").write_bytes(bytes([CHUNK_HEADER, order]) + pack(anchor, order) + END)
        for path, file in [("traces.def", self.definitions), *((f"traces/{n}.def", f) for n, f in self.local_definitions.items()),
                           *((f"traces/{n}.evt", f) for n, f in self.events.items())]:
            (folder / path).write_bytes(file.pack(order, self.event_chunk if file.is_events else self.definition_chunk))


REGION_MAPPING = 3
TASK_SWITCH, TASK_COMPLETE, PROGRAM_BEGIN = 60, 61, 83


class Level:
    def __init__(self, context, region, recorded):
        self.context, self.region, self.recorded = context, region, recorded


def is_user_function(fields):
    role, paradigm = fields[8][-1], fields[9][-1]
    return role == 1 and paradigm in (1, 2)


class Sampling:
    """Turns the enters and leaves of an archive into what a sampling one would have: a user's function is seen by a sample as soon as it was
    entered or left, all other calls, and the outermost ones, are recorded with their calling contexts.

    far: unwind distances say as little as they may (all inside of the innermost recorded call has been left and entered again), a call
    that goes on has another context than before, and the contexts of a task begin with those around it.
    """

    def __init__(self, archive, far=False):
        self.archive, self.far, self.contexts, self.n_samples = archive, far, {}, 0
        self.functions = {fields[0][-1] for kind, fields in archive.definitions.records if kind == 15 and is_user_function(fields)}
        name = max(fields[0][-1] for kind, fields in archive.definitions.records if kind == 10) + 1
        archive.define(10, number(name), b"timer\0")
        archive.define(36, number(0), number(name), byte(0), byte(1), number((1 << 64) - 3), number(10))  # every 10 ms
        for location, file in archive.events.items():
            self.stacks, self.task, self.place = {None: []}, None, 0
            region_of = archive.mapping(location, REGION_MAPPING)
            file.records = [record for old in file.records for record in self.convert(old, region_of)]

    def context(self, stack, region, place=0):
        key = (stack[-1].context if stack else -1, region, place)
        if key not in self.contexts:
            self.contexts[key] = len(self.contexts)
            self.archive.define(34, number(self.contexts[key]), number(region), number(-1), number(key[0]))
        return self.contexts[key]

    def distance(self, stack, n_new):
        while self.far and n_new < len(stack) and not stack[-1 - n_new].recorded:
            n_new += 1
        return number(n_new + 1)

    def convert(self, record, region_of):
        kind, fields = record
        if kind == ENTER:
            return [self.enter(region_of(fields[0][-1]))]
        if kind == LEAVE:
            return [self.leave(region_of(fields[0][-1]))]
        task = tuple(field[-1] for field in fields) if kind in (TASK_SWITCH, TASK_COMPLETE) else None
        if kind == TASK_SWITCH:
            self.task = task if task[2] != 0 else None
            if self.task not in self.stacks:
                around = [Level(level.context, level.region, True) for level in self.stacks[None]] if self.far else []
                self.stacks[self.task] = around
                self.roots = len(around)
        elif kind == TASK_COMPLETE:
            self.task = None if task == self.task else self.task
            self.stacks.pop(task, None)
        return [record]

    def enter(self, region):
        stack    = self.stacks[self.task]
        is_first = not stack or (self.task is not None and len(stack) == self.roots)
        stack.append(Level(self.context(stack, region), region, is_first or region not in self.functions))
        if stack[-1].recorded:
            return CONTEXT_ENTER, [number(stack[-1].context), self.distance(stack, 1)]
        return self.sample(stack, 1)

    def leave(self, region):
        stack = self.stacks[self.task]
        assert stack[-1].region == region
        level = stack.pop()
        if level.recorded:
            return CONTEXT_LEAVE, [number(self.context(stack, region, self.next_place()) if self.far else level.context)]
        if self.far and stack[-1].recorded is False:
            stack[-1].context = self.context(stack[:-1], stack[-1].region, self.next_place())
        return self.sample(stack, 0)

    def next_place(self):
        self.place = (self.place + 1) % 3
        return self.place

    def sample(self, stack, n_new):
        self.n_samples += 1
        return SAMPLE, [number(stack[-1].context), self.distance(stack, n_new), number(0)]


LATER_FIELDS = {(3, 0): {5: 3, 13: 4, 22: 4, 24: 3}, (2, 0): {26: 3, 28: 3, 29: 3}, (1, 4): {11: 3}, (1, 2): {15: 7}}  # kind: fields before
LATER_DEFINITIONS = {(3, 0): {43}, (2, 1): {8, 37, 38, 39, 40, 41, 42}, (1, 5): {6, 7, 33, 34, 35, 36}, (1, 3): {30, 31, 32}}
LATER_EVENTS = {(3, 0): {85, 86, 87, 88}, (2, 1): {*range(69, 85)}, (1, 5): {66, 67, 68}, (1, 3): {62, 63, 64, 65}}
TO_OLD_OPENMP = {53: (24, lambda f: f[1:]), 54: (25, lambda f: []), 57: (26, lambda f: f[1:]), 58: (27, lambda f: f[1:]),
                 59: (28, lambda f: [task_number(f)]), 60: (29, lambda f: [task_number(f)]), 61: (30, lambda f: [task_number(f)])}


def task_number(fields):
    generation = fields[2][-1]
    return number((fields[1][-1] << 32 | generation) if generation != 0 else 0)


def make_older(archive, version):
    """As an OTF2 of that version (major, minor) would have written it: fields and records that it does not have are left out, and before
    1.2 OpenMP has records of its own, and no teams."""
    archive.version = [*version, 0]
    archive.anchor_format = 3 if version >= (1, 4) else 2 if version >= (1, 2) else 1
    left_out = {kind for since, kinds in LATER_DEFINITIONS.items() if version < since for kind in kinds}
    lengths = {kind: n for since, cuts in LATER_FIELDS.items() if version < since for kind, n in cuts.items()}
    archive.definitions.records = [(kind, fields[:lengths.get(kind)]) for kind, fields in archive.definitions.records if kind not in left_out]
    archive.n_definitions = len(archive.definitions.records)
    left_out = later_events(version)
    for file in archive.events.values():
        leave_out(file, left_out)
        if version < (1, 2):
            file.records = [(TO_OLD_OPENMP[kind][0], TO_OLD_OPENMP[kind][1](fields)) if kind in TO_OLD_OPENMP else (kind, fields)
                            for kind, fields in file.records]


def later_events(version):
    return {kind for since, kinds in LATER_EVENTS.items() if version < since for kind in kinds} | ({55, 56} if version < (1, 2) else set())


def leave_out(file, kinds):
    """Records of events, with their attributes."""
    before, kept = {}, []
    for kind, fields in file.records:
        if kind in (TIME, ATTRIBUTES):
            before[kind] = fields
        else:
            if kind not in kinds:
                kept += [*sorted(before.items()), (kind, fields)]
                before.pop(TIME, None)
            before.pop(ATTRIBUTES, None)
    file.records = kept

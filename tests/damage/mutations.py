"""Damaged variants of OTF2 archives. The same seed gives the same variants, and each has a name that says what was done."""
import pathlib
import random

import otf2_records as otf2

EDGES = [0, 1, 2, 3, 255, 256, 2**16, 2**22, 2**24, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**60, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]
UNDEFINED = -1


class Archive:
    """files: bytes by the path inside of the archive."""

    def __init__(self, folder):
        self.name = folder.name
        self.files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
                      if path.suffix in (".otf2", ".def", ".evt")}
        anchor = self.files["traces.otf2"]
        self.chunk, self.def_chunk = (int.from_bytes(anchor[at:at + 8], "little") for at in (12, 20))
        self.events = [path for path in self.files if path.endswith(".evt")]
        self.local = [path for path in self.files if path.startswith("traces/") and path.endswith(".def")]
        self.records = {path: self.parse(path, data)[0] for path, data in self.files.items() if path != "traces.otf2"}

        self.boundaries = [(self, path, at) for path, data in self.files.items() for at in self.ends_of_records(path, len(data))]

    def ends_of_records(self, path, n):
        return {0, 1, 2, 10, otf2.HEAD_BYTES, n - 1} | {record.at + len(record.bytes()) for record in self.records.get(path, [])} - {n}

    def parse(self, path, data):
        is_events = path.endswith(".evt")
        return otf2.parse(data, is_events, self.chunk if is_events else self.def_chunk)

    def number_of_events(self, path):
        return otf2.n_events(self.records[path])

    def rewritten(self, path, records):
        return otf2.write(self.files[path][:otf2.HEAD_BYTES], records)


class Variant:
    """changed: bytes, None (the file is not there) or "folder" (one is in its place), by path."""

    def __init__(self, archive, name, changed, ends_early=False, is_cut=False):
        """ends_early: the first thread of a process ends inside of calls. is_cut: only files of events end early, or are missing."""
        self.archive, self.name, self.changed, self.ends_early = archive, f"{archive.name}: {name}", changed, ends_early
        self.is_cut = is_cut and all(path.endswith(".evt") for path in changed)

    def data(self, path):
        return self.changed.get(path, self.archive.files.get(path))

    def readable_events(self):
        """Of each event file of the archive: how many events stand before the damage, and how many there were."""
        archive, counts = self.archive, {}
        for path in archive.events:
            data = self.data(path)
            n = archive.number_of_events(path)
            if data is not archive.files[path]:
                n = otf2.n_events(archive.parse(path, data)[0]) if isinstance(data, bytes) else 0
            counts[path] = (n, archive.number_of_events(path))
        return counts

    def loses(self):
        """True: something that was recorded is not in the files any more, and that can be told. False: that is not known."""
        if self.ends_early or ("traces.def" not in self.changed and any(n < whole for n, whole in self.readable_events().values())):
            return True
        for path, data in self.changed.items():
            if path in self.archive.records and not path.endswith(".evt"):
                records, is_whole = self.archive.parse(path, data) if isinstance(data, bytes) else ([], False)
                if not is_whole or (path == "traces.def" and len(records) < len(self.archive.records[path])):
                    return True
        return False


# ---- bytes ---------------------------------------------------------------------------------------------------------------

def cut(archive, path, at):
    return Variant(archive, f"{path} cut at {at}", {path: archive.files[path][:at]}, is_cut=True)


def cut_somewhere(archive, rng, path):
    return cut(archive, path, rng.randrange(len(archive.files[path])))


def flipped(archive, rng, path):
    data, places = bytearray(archive.files[path]), []
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        bit = rng.randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8
        places.append(f"{bit // 8}.{bit % 8}")
    return Variant(archive, f"{path} bits {' '.join(places)}", {path: bytes(data)})


def overwritten(archive, rng, path):
    data = bytearray(archive.files[path])
    at, n = rng.randrange(len(data)), rng.choice([1, 2, 4, 8, 64, 512])
    n = min(n, len(data) - at)
    kind = rng.choice(["zeros", "ones", "noise"])
    data[at:at + n] = bytes(n) if kind == "zeros" else b"\xff" * n if kind == "ones" else rng.randbytes(n)
    return Variant(archive, f"{path} {n} bytes of {kind} at {at}", {path: bytes(data)})


def inserted_or_removed(archive, rng, path):
    data = archive.files[path]
    at, n = rng.randrange(len(data)), rng.choice([1, 2, 9, 100])
    if rng.random() < 0.5:
        return Variant(archive, f"{path} without {n} bytes at {at}", {path: data[:at] + data[at + n:]})
    return Variant(archive, f"{path} {n} bytes put in at {at}", {path: data[:at] + rng.randbytes(n) + data[at:]})


def other_end(archive, rng, path):
    """Something else where the end mark was."""
    data = archive.files[path]
    end = rng.choice([b"\x02\x02", b"\x02\x00", b"\x02", b"\x01\x01", b"\x01\x02", b"\x00\x00", b"\x02\x01\x02\x01", b"\x02" * 300, data])
    return Variant(archive, f"{path} ends with {end[:4].hex()} ({len(end)} bytes)", {path: data[:-2] + end})


# ---- files ---------------------------------------------------------------------------------------------------------------

def missing(archive, rng, path):
    what, data = rng.choice([("missing", None), ("empty", b""), ("a folder", "folder"), ("only the end of a file", b"\x02\x01"),
                             ("zeros", bytes(len(archive.files[path])))])
    return Variant(archive, f"{path} {what}", {path: data})


def several_missing(archive, rng):
    suffix = rng.choice([".evt", ".def", ""])
    gone = [path for path in archive.files if "/" in path and path.endswith(suffix) and rng.random() < rng.choice([0.3, 1])]
    return Variant(archive, f"{len(gone)} files {suffix} missing: {' '.join(gone)}", dict.fromkeys(gone), is_cut=True)


def exchanged(archive, rng):
    paths = rng.choice([archive.events, archive.local])
    if len(paths) < 2:
        return None
    a, b = rng.sample(paths, 2)
    return Variant(archive, f"{a} and {b} exchanged", {a: archive.files[b], b: archive.files[a]})


def foreign(archive, rng, archives):
    other = rng.choice(archives)
    kind = rng.choice([archive.events, archive.local, ["traces.def"], ["traces.otf2"]])
    path = rng.choice(kind)
    candidates = [p for p in other.files if p.endswith(path[-4:]) and ("/" in p) == ("/" in path)]
    if other is archive or not candidates:
        return None
    source = rng.choice(candidates)
    return Variant(archive, f"{path} is {source} of {other.name}", {path: other.files[source]})


# ---- definitions ---------------------------------------------------------------------------------------------------------

LAYOUTS = {otf2.CLOCK: "nnnn", otf2.STRING: "n", otf2.TREE_NODE: "nnnn", otf2.LOCATION_GROUP: "nnbnn", otf2.LOCATION: "nnbnn",
           otf2.REGION: "nnnbnnnnbbn", otf2.GROUP: "nnblb", otf2.COMM: "nnnnn", otf2.WINDOW: "nnnn", otf2.CART_DIMENSION: "nnnb",
           otf2.CART_TOPOLOGY: "nnnbn", otf2.CART_COORDINATE: "nnbn", 27: "nb", 26: "nnb", 43: "nnnnnn", 11: "nnnb"}


def value_for(rng):
    value = rng.choice(EDGES + [UNDEFINED, UNDEFINED, rng.randrange(300)])
    return ("undefined", otf2.number(0, True)) if value == UNDEFINED else (str(value), otf2.number(value))


def with_field(rng, record, layout):
    """The record with another value in one of its fields; what was done."""
    parts = otf2.fields(record.content, layout)
    i = rng.randrange(len(layout))
    if layout[i] == "b":
        value = rng.randrange(256)
        text, parts[i] = str(value), bytes([value])
    elif layout[i] == "l":
        members = otf2.read_number(parts[i], 0)[0] or 0
        kind = rng.choice(["members", "count", "none"])
        text, number = value_for(rng)
        if kind == "members":
            parts[i] = otf2.number(members) + b"".join(number for _ in range(members))
        elif kind == "count":
            parts[i] = number + parts[i][otf2.read_number(parts[i], 0)[1]:]
        else:
            parts[i] = otf2.number(0)
        text = f"{kind} {text}"
    else:
        text, parts[i] = value_for(rng)
    return otf2.Record(record.kind, b"".join(parts), record.at), f"field {i}: {text}"


def edited_definitions(archive, rng):
    path, done = "traces.def", []
    records = list(archive.records[path])
    kinds = sorted({record.kind for record in records} & set(LAYOUTS))
    for _ in range(rng.choice([1, 1, 2, 5])):
        kind = rng.choice(kinds)
        i = rng.choice([i for i, record in enumerate(records) if record.kind == kind])
        records[i], what = with_field(rng, records[i], LAYOUTS[kind])
        done.append(f"definition {i} of kind {kind} {what}")
    return Variant(archive, f"{path} {'; '.join(done)}", {path: archive.rewritten(path, records)})


def definitions_in_disorder(archive, rng):
    path = "traces.def"
    records = list(archive.records[path])
    kind = rng.choice(sorted({record.kind for record in records}))
    chosen = [i for i, record in enumerate(records) if record.kind == kind]
    how = rng.choice(["left out", "doubled", "reversed", "all of its kind left out", "last"])
    if how == "left out":
        del records[rng.choice(chosen)]
    elif how == "doubled":
        i = rng.choice(chosen)
        records.insert(i, records[i])
    elif how == "reversed":
        for a, b in zip(chosen, [records[i] for i in reversed(chosen)]):
            records[a] = b
    elif how == "last":
        records.append(records.pop(rng.choice(chosen)))
    else:
        records = [record for record in records if record.kind != kind]
    return Variant(archive, f"{path} definition of kind {kind} {how}", {path: archive.rewritten(path, records)})


def anchor_numbers(archive, rng):
    """Another number of chunk sizes, locations, definitions or properties."""
    data = bytearray(archive.files["traces.otf2"])
    properties = 46
    for _ in range(3):
        properties = data.index(0, properties) + 1
    at, size = rng.choice([(12, 8), (20, 8), (30, 8), (38, 8), (properties, 4), (properties, 4)])
    value = rng.choice([value for value in EDGES + [2**20, 2**27, 2**31 + 5] if value < 2**(8 * size)])
    data[at:at + size] = value.to_bytes(size, "little")
    return Variant(archive, f"traces.otf2 {value} at {at}", {"traces.otf2": bytes(data)})


def long_list(archive, rng):
    """A list with more elements than there are bytes, before a file that goes on with zeros: they are numbers, too."""
    lists = {"traces.def": [(otf2.GROUP, "nnb")], rng.choice(archive.local): [(otf2.MAPPING_TABLE, "b")],
             rng.choice(archive.events): [(otf2.PROGRAM_BEGIN, "n"), (otf2.ATTRIBUTES, "")]}
    path = rng.choice(list(lists))
    records = list(archive.records[path])
    found = [(i, layout) for i, record in enumerate(records) for kind, layout in lists[path] if record.kind == kind and not record.is_time]
    if not found:
        return None
    i, layout = rng.choice(found)
    parts = otf2.fields(records[i].content, layout + "n")
    n = rng.choice([2**20, 2**24, 2**28, 2**31, 2**32 - 1] + [2**40, 2**60, 2**61, 2**63] * (records[i].kind == otf2.MAPPING_TABLE))
    parts[len(layout)] = otf2.number(n)
    records[i] = otf2.Record(records[i].kind, b"".join(parts))
    data = archive.rewritten(path, records)
    if rng.random() < 0.5:
        data = data[:otf2.HEAD_BYTES + sum(len(record.bytes()) for record in records[:i + 1])] + bytes(300000)
    return Variant(archive, f"{path} record {i} of kind {records[i].kind} has {n} elements, {len(data)} bytes", {path: data})


def circle_of_nodes(archive, rng):
    """Every node of the system tree has another one above it."""
    path = "traces.def"
    records = list(archive.records[path])
    nodes = [i for i, record in enumerate(records) if record.kind == otf2.TREE_NODE]
    refs = [otf2.read_number(records[i].content, 0)[0] for i in nodes]
    shift = rng.randrange(len(nodes))
    for place, i in enumerate(nodes):
        parts = otf2.fields(records[i].content, "nnnn")
        parts[3] = otf2.number(refs[(place + shift) % len(refs)])
        records[i] = otf2.Record(otf2.TREE_NODE, b"".join(parts))
    return Variant(archive, f"{path} tree nodes in a circle, {shift} further", {path: archive.rewritten(path, records)})


def contradicting_counts(archive, rng):
    path = "traces.def"
    records = list(archive.records[path])
    counts = []
    for i, record in enumerate(records):
        if record.kind == otf2.LOCATION and rng.random() < 0.6:
            parts = otf2.fields(record.content, "nnbnn")
            counts.append(rng.choice([0, 1, 10**6, 2**32, 2**63, 2**64 - 1, rng.randrange(2000)]))
            parts[3] = otf2.number(counts[-1])
            records[i] = otf2.Record(otf2.LOCATION, b"".join(parts))
    return Variant(archive, f"{path} numbers of events {counts}", {path: archive.rewritten(path, records)})


def edited_local(archive, rng):
    path = rng.choice(archive.local)
    records = list(archive.records[path])
    if not records:
        return None
    i = rng.randrange(len(records))
    record = records[i]
    layout = "nnn" if record.kind == otf2.CLOCK_OFFSET else "bnb"
    how = rng.choice(["edited", "left out", "doubled"])
    if how == "left out":
        del records[i]
    elif how == "doubled":
        records.insert(i, record)
    elif record.kind == otf2.CLOCK_OFFSET:
        content = bytearray(record.content)
        at = rng.randrange(len(content) - 7)
        content[at:at + 8] = rng.choice([b"\xff" * 8, bytes(8), rng.randbytes(8), (2**63).to_bytes(8, "little")])
        records[i], how = otf2.Record(record.kind, bytes(content)), f"eight other bytes at {at}"
    else:
        records[i], how = with_field(rng, record, layout)
    return Variant(archive, f"{path} definition {i} {how}", {path: archive.rewritten(path, records)})


# ---- events --------------------------------------------------------------------------------------------------------------

def edited_events(archive, rng):
    """A record left out, doubled, moved, of another kind, with another number in it."""
    path = rng.choice(archive.events)
    records = list(archive.records[path])
    i, j = rng.randrange(len(records)), rng.randrange(len(records))
    how = rng.choice(["left out", "doubled", "moved", "of another kind", "without content", "number", "number", "number"])
    record = records[i]
    if how == "left out":
        del records[i]
    elif how == "doubled":
        records.insert(i, record)
    elif how == "moved":
        records.insert(j, records.pop(i))
        how += f" to {j}"
    elif record.is_time:
        return None
    elif how == "of another kind":
        kind = rng.choice([k for k in range(6, 256) if k not in (otf2.ATTRIBUTES,)])
        records[i], how = otf2.Record(kind, record.content), f"of kind {kind} for {record.kind}"
    elif how == "without content":
        records[i] = otf2.Record(record.kind, b"")
    else:
        at = 0
        starts = []
        while at < len(record.content):
            value, end = otf2.read_number(record.content, at)
            if end == at:
                break
            starts.append((at, end))
            at = end
        if not starts:
            return None
        start, end = rng.choice(starts)
        text, number = value_for(rng)
        records[i] = otf2.Record(record.kind, record.content[:start] + number + record.content[end:])
        how = f"of kind {record.kind} has {text} at {start}"
    return Variant(archive, f"{path} record {i} {how}", {path: archive.rewritten(path, records)})


def other_times(archive, rng):
    path = rng.choice(archive.events)
    records = list(archive.records[path])
    times = [i for i, record in enumerate(records) if record.is_time]
    how = rng.choice(["backwards", "one moved", "one moved", "zero", "far", "exchanged"])
    for _ in range(rng.choice([1, 3, 20])):
        i, j = rng.choice(times), rng.choice(times)
        time = int.from_bytes(records[i].content, "little")
        if how == "backwards":
            for a, b in zip(times, [records[k] for k in reversed(times)]):
                records[a] = b
            break
        if how == "exchanged":
            records[i], records[j] = records[j], records[i]
            continue
        time = {"one moved": time + rng.randrange(-10**9, 10**9), "zero": 0, "far": rng.choice([2**63, 2**64 - 1, time * 2])}[how]
        records[i] = otf2.Record(otf2.TIME, (time % 2**64).to_bytes(8, "little"), is_time=True)
    return Variant(archive, f"{path} times {how} at {i}", {path: archive.rewritten(path, records)})


def stopped(archive, rng):
    """Processes that end before MPI_Finalize, as in a crash: the definitions know how many events were recorded."""
    changed, ends, counts, is_inside = {}, [], {}, False
    for path in archive.events:
        if rng.random() < 0.5:
            continue
        records = archive.records[path]
        kept = records[:rng.randrange(len(records) // 2, len(records))]
        changed[path] = archive.rewritten(path, kept)
        counts[int(path[7:-4])] = otf2.n_events(kept)
        ends.append(f"{path} after {otf2.n_events(kept)}")
        is_inside |= int(path[7:-4]) < 2**32 and otf2.depth(kept) > 0 # Score-P's first thread of a process
    definitions = list(archive.records["traces.def"])
    for i, record in enumerate(definitions):
        if record.kind == otf2.LOCATION:
            parts = otf2.fields(record.content, "nnbnn")
            ref = otf2.read_number(parts[0], 0)[0]
            if ref in counts:
                parts[3] = otf2.number(counts[ref])
                definitions[i] = otf2.Record(otf2.LOCATION, b"".join(parts))
    changed["traces.def"] = archive.rewritten("traces.def", definitions)
    return Variant(archive, f"stopped: {', '.join(ends)}", changed, is_inside) if ends else None


# ---- all of them ---------------------------------------------------------------------------------------------------------

def of_events(make):
    return lambda archive, rng, archives: make(archive, rng, rng.choice(archive.events))


def of_local(make):
    return lambda archive, rng, archives: make(archive, rng, rng.choice(archive.local))


def of_file(make, path):
    return lambda archive, rng, archives: make(archive, rng, path)


def plain(make):
    return lambda archive, rng, archives: make(archive, rng)


KINDS = {  # what: how much of it, how it is made
    "events cut anywhere": (8, of_events(cut_somewhere)),
    "definitions cut anywhere": (4, of_file(cut_somewhere, "traces.def")),
    "definitions of a location cut anywhere": (3, of_local(cut_somewhere)),
    "anchor cut": (2, of_file(cut_somewhere, "traces.otf2")),
    "bits of events": (10, of_events(flipped)),
    "bits of definitions": (8, of_file(flipped, "traces.def")),
    "bits of definitions of a location": (4, of_local(flipped)),
    "bits of the anchor": (4, of_file(flipped, "traces.otf2")),
    "bytes of events": (5, of_events(overwritten)),
    "bytes of definitions": (4, of_file(overwritten, "traces.def")),
    "bytes of the anchor": (2, of_file(overwritten, "traces.otf2")),
    "numbers of the anchor": (2, plain(anchor_numbers)),
    "bytes put in or taken out": (4, lambda archive, rng, archives: inserted_or_removed(archive, rng, rng.choice(list(archive.files)))),
    "files missing or empty": (3, lambda archive, rng, archives: missing(archive, rng, rng.choice(list(archive.files)))),
    "several files missing": (1, plain(several_missing)),
    "ends of files": (1, lambda archive, rng, archives: other_end(archive, rng, rng.choice(list(archive.records)))),
    "files exchanged": (2, plain(exchanged)),
    "files of another archive": (3, lambda archive, rng, archives: foreign(archive, rng, archives)),
    "definitions edited": (10, plain(edited_definitions)),
    "definitions in disorder": (3, plain(definitions_in_disorder)),
    "lists too long": (2, plain(long_list)),
    "tree nodes in a circle": (1, plain(circle_of_nodes)),
    "numbers of events contradict": (2, plain(contradicting_counts)),
    "definitions of a location edited": (3, plain(edited_local)),
    "events edited": (10, plain(edited_events)),
    "times": (4, plain(other_times)),
    "processes stopped": (3, plain(stopped)),
}
CUT_SHARE = 0.25  # of all variants, at boundaries of records


def variants(folders, n, seed):
    """n variants as (what, variant), a mixture at each place of the list."""
    archives = [Archive(pathlib.Path(folder)) for folder in folders]
    rng = random.Random(seed)
    made = [("records cut off", cut(*rng.choice(archive.boundaries))) for archive in rng.choices(archives, k=int(CUT_SHARE * n))]
    names, weights = list(KINDS), [weight for weight, _ in KINDS.values()]
    while len(made) < n:
        name = rng.choices(names, weights)[0]
        variant = KINDS[name][1](rng.choice(archives), rng, archives)
        if variant is not None:
            made.append((name, variant))
    rng.shuffle(made)
    return made

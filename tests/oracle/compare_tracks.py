#!/usr/bin/env python3
"""Metrics that are recorded over time, by window, against this second implementation, which knows the values that it writes: sums,
levels, what is declared as a sum but falls, relative values; of processes, of a node, of a location; as heddle series says them, on
any ranks and threads, and as heddle export writes them. With --archive, of a recorded archive as the bindings of OTF2 read it.

usage: compare_tracks.py --heddle PROGRAM [--mpirun PROGRAM] --work DIR [--archive DIR]...
"""
import argparse
import collections
import json
import pathlib
import random

import otf2
from otf2.enums import LocationType, MetricMode, MetricOccurrence, MetricScope, RecorderKind, Type

from compare_counters import Writer, member, run

MEMBERS = [("energy", MetricMode.ACCUMULATED_START, Type.UINT64), ("power", MetricMode.ABSOLUTE_POINT, Type.DOUBLE),
           ("falls", MetricMode.ACCUMULATED_START, Type.INT64), ("packets", MetricMode.RELATIVE_NEXT, Type.UINT64)]
N_WINDOWS = 7


def windows_of(first, length):
    """Where slices begin: slice 0 has no begin, the last one no end."""
    return [first + k * length // N_WINDOWS for k in range(N_WINDOWS + 1)]


def slice_of(bounds, time):
    return sum(time >= bound for bound in bounds)


def expect(mode, values, bounds):
    """{slice: (kind, n, sum or (least, mean, most))} of values [(time, value)]."""
    is_relative = "RELATIVE" in str(mode)
    is_level = "ABSOLUTE" in str(mode) or (not is_relative and any(later[1] < value[1] for value, later in zip(values, values[1:])))
    counts, sums, pieces = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for i, (time, value) in enumerate(values):
        at = slice_of(bounds, time)
        counts[at] += 1
        sums[at] += value if is_relative else value - values[i - 1][1] if i > 0 else 0
        pieces[at].append((0, value))
        end = values[i + 1][0] if i + 1 < len(values) else time
        edges = [time, *[bound for bound in bounds if time < bound < end], end]
        for begin, until in zip(edges, edges[1:]):
            if until > begin:
                pieces[slice_of(bounds, begin)].append((until - begin, value))
    found = {}
    for at in pieces:
        covered = sum(length for length, _ in pieces[at])
        if is_level:
            last = [value for length, value in pieces[at] if length == 0]
            mean = sum(length * value for length, value in pieces[at]) / covered if covered > 0 else last[-1]
            found[at] = "level", counts[at], (min(v for _, v in pieces[at]), mean, max(v for _, v in pieces[at]))
        elif counts[at] > 0:
            found[at] = "sum", counts[at], sums[at]
    return found


def check(options, archive, expected):
    """expected: {(name, scope): {slice: ...}}"""
    tables = []
    report = options.work / "tracks.cubex"
    launchers = [((), 1)] + ([([options.mpirun, "--oversubscribe", "--allow-run-as-root", "-n", "2"], 2)] if options.mpirun else [])
    for launcher, threads in launchers:
        run(options, "analyze", archive / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", "--windows", N_WINDOWS, "--threads",
            threads, codes=(0, 3), launcher=launcher)
        tables.append(member(report, "heddle.tracks.tsv"))
    assert tables[0] and all(table == tables[0] for table in tables), archive
    tracks = json.loads(run(options, "series", report, "--json", codes=(0, 3))[0])["tracks"]
    found = {(track["name"], track["scope"]): {row["slice"]: row for row in track["slices"]} for track in tracks}
    kinds = {(track["name"], track["scope"]): track["kind"] for track in tracks}
    assert len(found) == len(tracks)
    assert found.keys() == expected.keys(), (archive, found.keys() ^ expected.keys())
    for key, slices in expected.items():
        assert found[key].keys() == slices.keys(), (archive, key, found[key].keys() ^ slices.keys())
        for at, (kind, n, value) in slices.items():
            row = found[key][at]
            values = (row["sum"],) if kind == "sum" else (row["least"], row["mean"], row["most"])
            assert kinds[key] == kind and row["values"] == n, (archive, key, at, row, kind, n)
            for one, other in zip(values, (value,) if kind == "sum" else value):
                assert abs(one - other) <= 1e-9 * max(abs(other), 1), (archive, key, at, row, value)
    text = run(options, "series", report, codes=(0, 3))[0]
    assert "Metrics recorded over time" in text and all(name[:20] in text for name, _ in list(expected)[:8]), text
    print(f"{archive.name}: {sum(map(len, expected.values()))} values of {len(expected)} metrics")


def check_export(options, archive, values):
    """A track for each metric of each thing: levels, and what falls, as it is; sums per second."""
    file, tracks = options.work / "tracks.json", collections.defaultdict(list)
    run(options, "export", archive / "traces.otf2", "--perfetto", file, "--force", "--quiet", codes=(0, 3))
    for event in json.loads(file.read_text())["traceEvents"]:
        if event["ph"] == "C":
            tracks[event["name"]].append(event["args"]["value"])
    for (name, scope, mode), of in values.items():
        of = [value for _, value in of]
        is_level = mode == MetricMode.ABSOLUTE_POINT or mode == MetricMode.ACCUMULATED_START and any(b < a for a, b in zip(of, of[1:]))
        found = tracks.pop(f"{name} [#]{'' if is_level else ' per s'}, {scope}", [])
        if is_level:
            assert found == [value for value, before in zip(of, [None, *of]) if value != before], (archive, name, scope, found, of)
        else:
            assert len(found) > 1 or len(of) == 1, (archive, name, scope, found, of)
    assert not tracks, (archive, sorted(tracks))


def synthetic(options, seed):
    draw = random.Random(seed)
    archive = options.work / f"tracks-{seed}"
    writer = Writer(archive, 2, MEMBERS)
    d = writer.trace.definitions
    samplers = [d.location("sampler", type=LocationType.METRIC, group=group) for group in writer.groups]
    metric_class = writer.metric_class([name for name, _, _ in MEMBERS], MetricOccurrence.ASYNCHRONOUS)
    node = writer.groups[0].system_tree_parent
    instances = [(0, "process 0", d.metric_instance(metric_class, recorder=samplers[0], metric_scope=MetricScope.LOCATION_GROUP,
                                                    scope=writer.groups[0])),
                 (1, "process 1", d.metric_instance(metric_class, recorder=samplers[1], metric_scope=MetricScope.LOCATION_GROUP,
                                                    scope=writer.groups[1])),
                 (0, "node node", d.metric_instance(metric_class, recorder=samplers[0], metric_scope=MetricScope.SYSTEM_TREE_NODE, scope=node))]
    first, last = 1000, 1_000_000
    for process in range(2):
        writer.enter(process, first, "main")
        writer.leave(process, last)
    events = [writer.trace.event_writer_from_location(sampler) for sampler in samplers]
    values = collections.defaultdict(list)
    records = sorted((draw.randrange(first, last), i) for i in range(3) for _ in range(draw.choice((1, 4, 60))))
    state = collections.defaultdict(lambda: [0, 0.0, 0, 0])
    for time, i in records:
        recorder, scope, instance = instances[i]
        state[i][0] += draw.randrange(1000)
        state[i][1] = draw.randrange(1000) / 8
        state[i][2] += draw.randrange(-100, 200)
        state[i][3] = draw.randrange(20)
        events[recorder].metric(time, instance, list(state[i]))
        for (name, mode, _), value in zip(MEMBERS, state[i]):
            values[name, scope, mode].append((time, value))
    writer.close()
    with otf2.reader.open(str(archive / "traces.otf2")) as trace:
        clock = trace.definitions.clock_properties
        bounds = windows_of(clock.global_offset, clock.trace_length)
    check(options, archive, {(name, scope): expect(mode, of, bounds) for (name, scope, mode), of in values.items()})
    check_export(options, archive, values)


def recorded(options, archive):
    values = collections.defaultdict(list)
    with otf2.reader.open(str(archive / "traces.otf2")) as trace:
        clock = trace.definitions.clock_properties
        first, length = clock.global_offset, clock.trace_length
        numbers = {}
        for location in trace.definitions.locations:
            numbers.setdefault(location.group, []).append(location)
        for location, event in trace.events:
            if type(event).__name__ != "Metric":
                continue
            is_instance = hasattr(event.metric, "metric_class")
            metric_class = event.metric.metric_class if is_instance else event.metric
            if metric_class.occurrence == MetricOccurrence.ASYNCHRONOUS:
                for metric, value in zip(metric_class.members, event.values):
                    values[metric.name, metric.metric_mode, location, event.metric].append((event.time - first, value))
    bounds = windows_of(0, length)
    by_name = collections.defaultdict(list)
    for (name, mode, location, metric), of in values.items():
        by_name[name].append(expect(mode, of, bounds))
    report = options.work / "recorded.cubex"
    run(options, "analyze", archive / "traces.otf2", "-o", report, "--force", "--quiet", "--no-summary", "--windows", N_WINDOWS, codes=(0, 3))
    found = collections.defaultdict(list)
    for track in json.loads(run(options, "series", report, "--json", codes=(0, 3))[0])["tracks"]:
        found[track["name"]].append({row["slice"]: row for row in track["slices"]})
    assert found.keys() == by_name.keys(), found.keys() ^ by_name.keys()
    for name, expected in by_name.items():
        def key(slices, is_row):
            return sorted((at, row["values"], round(row["sum"] if row["mean"] is None else row["mean"], 3)) if is_row else
                          (at, row[1], round(row[2] if row[0] == "sum" else row[2][1], 3)) for at, row in slices.items())
        left, right = sorted(key(s, True) for s in found[name]), sorted(key(s, False) for s in expected)
        assert left == right, (archive, name, left, right)
    print(f"{archive.name}: {len(by_name)} metrics over time")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun")
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--archive", action="append", default=[], type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for archive in options.archive:
        recorded(options, archive)
    for seed in range(0 if options.archive else 6):
        synthetic(options, seed)


if __name__ == "__main__":
    main()

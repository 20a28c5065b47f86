#!/usr/bin/env python3
"""The Python package: the example of its README; the values, trees and tables that heddle prints of the same reports, with numpy and without;
reports as other tools write them; damaged ones.

usage: test_package.py --heddle PROGRAM --hostile PROGRAM --work DIR
       test_package.py --values REPORT       (prints the rows of a report, without numpy)
"""
import argparse
import ast
import csv
import doctest
import gzip
import io
import json
import math
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tarfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src/python"
DATA = ROOT / "tests/data"
HANG_SECONDS = 1200
sys.path.insert(0, str(PACKAGE))
if "--values" in sys.argv:
    sys.modules["numpy"] = None

import heddle  # noqa: E402

try:
    import numpy
    import pandas
except ImportError:
    numpy = pandas = None


def run(options, *arguments, codes=(0,), folder=None):
    done = subprocess.run([options.heddle, *map(str, arguments)], capture_output=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL, cwd=folder)
    assert done.returncode in codes, f"{arguments}: exit code {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode("utf-8", "surrogateescape")


def analyze(options, archive, name, *more, codes=(0,)):
    report = options.work / f"{name}.cubex"
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--no-summary", *more, codes=codes)
    return report


def dumped(options, report, *more):
    """(metric, id, id of the parent, process, thread, value) of each value that heddle dump prints."""
    lines = csv.DictReader(io.StringIO(run(options, "dump", report, "--csv", "--ids", *more), newline=""))
    return [(line["metric"], int(line["call_path_id"]), int(line["parent"]) if line["parent"] else None, int(line["process"]), int(line["thread"]),
             float(line["value"])) for line in lines]


def read(report, inclusive=False):
    return [(row.metric, row.call_path_id, row.parent, row.process, row.thread, float(row.value)) for row in report.rows(inclusive=inclusive)]


# ---- values --------------------------------------------------------------------------------------------------------------------------


def check_values(options, path):
    with heddle.open(path) as report:
        stored = {metric.id for metric in report.metrics if not metric.is_derived}
        every = [row for row in dumped(options, path) if row[0] in stored]
        assert read(report) == every, f"{path}: other values than heddle dump has"
        extremes = {metric.id for metric in report.metrics if not metric.is_additive}
        inclusive = {row[:5]: row[5] for row in dumped(options, path, "--inclusive") if row[0] in stored}
        found = {row[:5]: row[5] for row in read(report, inclusive=True)}
        for key in set(inclusive) | set(found):  # sums of what is stored inclusively are rounded in other ways
            assert math.isclose(found.get(key, 0), inclusive.get(key, 0), rel_tol=1e-12, abs_tol=1e-15), (path, key, found.get(key), inclusive.get(key))
        for metric in list(stored)[:8]:
            check_metric(report, metric, [row for row in every if row[0] == metric], metric in extremes)
        return len(every)


def check_metric(report, metric, rows, is_extreme):
    """The same as an array, as a sum and as a frame."""
    values = report.values(metric)
    assert len(values) == len(report.call_paths) and all(len(row) == len(report.locations) for row in values)
    places = {path.id: path.index for path in report.call_paths}
    columns = {(location.process.rank, location.thread): location.index for location in report.locations}
    for _, path, _, process, thread, value in rows:
        assert values[places[path]][columns[process, thread]] == value
    assert sum(1 for row in values for value in row if value != 0) == len(rows)
    if not is_extreme:
        assert math.isclose(report.total(metric), math.fsum(row[5] for row in rows), rel_tol=1e-9, abs_tol=1e-12)
        roots = [report.row(metric, root, inclusive=True) for root in report.call_roots]
        assert math.isclose(math.fsum(value for row in roots for value in row), report.total(metric), rel_tol=1e-9, abs_tol=1e-12)
    if numpy is not None:
        assert isinstance(values, numpy.ndarray) and values.shape == (len(report.call_paths), len(report.locations))
        frame = report.frame(metric)
        assert list(frame.columns) == ["metric", "call_path_id", "parent", "name", "process", "thread", "value"]
        assert [tuple(None if cell is pandas.NA else cell for cell in row) for row in frame.itertuples(index=False)] == list(report.rows(metric))


def check_without_numpy(path):
    """The same values, as arrays of Python's own."""
    done = subprocess.run([sys.executable, "-B", __file__, "--values", str(path)], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert done.returncode == 0, done.stderr
    with heddle.open(path) as report:
        assert done.stdout.split("\n")[:-1] == [repr(row) for row in read(report) + read(report, inclusive=True)], path


def print_values(path):
    with heddle.open(path) as report:
        assert type(report.row(report.metrics[0], report.call_paths[0])).__name__ == "array"
        assert isinstance(report.values(report.metrics[0]), list)
        assert "heddle.matrix.tsv" not in report.members or type(report.matrix().waiting).__name__ == "array"
        for row in read(report) + read(report, inclusive=True):
            print(repr(row))


# ---- trees and tables ------------------------------------------------------------------------------------------------------------------


def check_trees(options, path):
    with heddle.open(path) as report:
        summary = json.loads(run(options, "summary", path, "--json"))["report"]
        assert (len(report.processes), len(report.locations), len(report.call_paths)) == tuple(
            summary[key] for key in ("processes", "locations", "call_paths"))
        for things in (report.metrics, report.call_paths, report.nodes):
            for thing in things:
                assert thing.parent is None or thing in thing.parent.children
                assert all(child.parent is thing for child in thing.children)
        for location in report.locations:
            assert location in location.process.locations and location.process in location.process.node.processes
        for path in report.call_paths:
            assert path in report.select(";".join(path.names)) or ";" in "".join(path.names) and path.names[-1]
            assert path.region in report.regions and path.name.startswith(path.region.name)


def names_of(path):
    return None if path is None else list(path.names)


def check_tables(options, path):
    """The tables are what heddle prints of them."""
    with heddle.open(path) as report:
        waits = heddle.loads(run(options, "instances", path, "--json", "--top=1000"))["waits"]
        by_number = {instance.number: instance for instance in report.instances()}
        for wait in waits:
            own = [instance.number for instance in report.instances(wait["metric"])]
            assert own == [instance["instance"] for instance in wait["instances"]]
            for row in wait["instances"]:
                one = by_number[row["instance"]]
                assert (one.metric.id, one.call_path.id, one.process, one.thread, one.peer, one.enter, one.leave, one.waiting) == tuple(
                    row[key] for key in ("metric", "call_path_id", "process", "thread", "peer", "enter", "leave", "waiting"))
            all_of_it = next(one for one in report.statistics(wait["metric"]) if one.call_path is None)
            for key in ("count", "sum", "mean", "median", "minimum", "maximum", "lower_quartile", "upper_quartile", "variance"):
                assert getattr(all_of_it, key) == wait[key], (key, wait)
        causes = heddle.loads(run(options, "causes", path, "--json"))["causes"]
        assert [(names_of(one.cause), names_of(one.waiting_at), one.wait_state, one.short_term, one.long_term) for one in report.causes()] == [
            (row["cause"]["call_path"], row["waiting_at"]["call_path"], row["wait_state"], row["short_term"], row["long_term"]) for row in causes]
        pairs = heddle.loads(run(options, "causes", path, "--json", "--processes"))["pairs"]
        assert [(one.process, one.waiting_process, one.short_term, one.long_term) for one in report.pairs()] == [
            (row["process"], row["waiting_process"], row["short_term"], row["long_term"]) for row in pairs]
        check_matrix(options, path, report)
        for name in report.members:
            assert not name.endswith(".tsv") or isinstance(report.table(name), list)


def check_predictions(options):
    path = analyze(options, DATA / "pat-mpi-4", "predicted", "--simulate=advice", "--simulate=curves", "--simulate=scale main 1/2")
    document = heddle.loads(run(options, "summary", path, "--json"))["predictions"]
    with heddle.open(path) as report:
        recorded, *rows = report.predictions()
        assert (recorded.kind, recorded.run_time, recorded.waiting, recorded.waits_at) == ("recorded", *(document[key] for key in ("run_time", "waiting", "waits_at")))
        for kinds, key in ({"asked"}, "hypotheses"), ({"candidate", "bound"}, "candidates"), ({"step"}, "advice"):
            assert [(row.hypothesis, row.run_time, row.promised, row.waiting, row.waits_at) for row in rows if row.kind in kinds] == [
                (row["text"], row["run_time"], row.get("promised"), row["waiting"], row["waits_at"]) for row in document[key]], key
        assert [(curve.selection, curve.run_times, curve.next, curve.next_share) for curve in report.curves()] == [
            (curve["text"], {point["removed"]: point["run_time"] for point in curve["points"]}, curve["next"], curve["next_share"]) for curve in document["curves"]]
        assert rows and report.curves()


def check_matrix(options, path, report):
    document = heddle.loads(run(options, "matrix", path, "--json", codes=(0, 1)) or "null") if "heddle.matrix.tsv" in report.members else None
    if document is None:
        fails(heddle.ReportError, "no table", report.matrix)
        return
    matrix, rows = report.matrix(), sorted(document["pairs"], key=lambda row: (row["sender"], row["receiver"]))
    assert len(matrix) == len(rows)
    for key in ("sender", "receiver", "messages", "bytes", "late_sender", "late_receiver"):
        assert getattr(matrix, key).tolist() == [row[key] for row in rows], key
    assert matrix.waiting.tolist() == [row["late_sender"] + row["late_receiver"] for row in rows]
    assert matrix.sizes == {row["from_bytes"]: row["messages"] for row in document["sizes"] if row["messages"]}
    assert sum(matrix.sizes.values()) == document["total"]["messages"]


# ---- as other tools write them ---------------------------------------------------------------------------------------------------------


def rewritten(path, name, change, anchor=lambda text: text):
    """A copy whose members are change(index, data), and whose anchor is another text."""
    target = path.with_name(f"{path.stem}-{name}.cubex")
    with tarfile.open(path) as source:
        members = {member.name: source.extractfile(member).read() for member in source.getmembers()}
    for index in [name for name in members if name.endswith(".index")]:
        members[index], members[index[:-5] + "data"] = change(members[index], members[index[:-5] + "data"])
    members["anchor.xml"] = anchor(members["anchor.xml"])
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return target


def compressed(n_locations):
    def change(index, data):
        if len(data) == 10:
            return index, data
        rows = [data[10 + 8 * n_locations * i:10 + 8 * n_locations * (i + 1)] for i in range((len(data) - 10) // (8 * n_locations))]
        packed, entries, at = [zlib.compress(row) for row in rows], b"", 0
        for i, row in enumerate(packed):
            entries += struct.pack("<QQQ", 8 * n_locations * i, at, len(row))
            at += len(row)
        return index, b"ZCUBEX.DATA" + struct.pack("<Q", len(rows)) + entries + b"".join(packed)
    return change


def big_endian(index, data):
    """All numbers of a report have four bytes in the index and eight in the data."""
    head = index[:11] + struct.pack(">IH", 1, 0) + index[17:18]
    rows = struct.unpack(f"<{(len(index) - 18) // 4}I", index[18:])
    values = struct.unpack(f"<{(len(data) - 10) // 8}Q", data[10:])
    return head + struct.pack(f">{len(rows)}I", *rows), data[:10] + struct.pack(f">{len(values)}Q", *values)


def check_writers(options, path):
    with heddle.open(path) as report:
        n = len(report.locations)
    for name, change, anchor in (("compressed", compressed(n), gzip.compress), ("big", big_endian, lambda text: text),
                                 # as if values were stored inclusively: rows are in another order, and differences are taken
                                 ("wide", lambda index, data: (index, data), lambda text: text.replace(b'type="EXCLUSIVE"', b'type="INCLUSIVE"')),
                                 ("unquoted", lambda index, data: (index, data), lambda text: text.replace(b'type="EXCLUSIVE"', b"type=EXCLUSIVE"))):
        target = rewritten(path, name, change, anchor)
        assert check_values(options, target) > 100
        check_without_numpy(target)


# ---- what is wrong -----------------------------------------------------------------------------------------------------------------------


def fails(kind, words, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"{arguments}: no {kind.__name__}")


def check_errors(options, path, bare):
    fails(FileNotFoundError, "nowhere", heddle.open, options.work / "nowhere.cubex")
    fails(heddle.ReportError, "does not begin like a tar archive", heddle.open, __file__)
    report = heddle.open(path)
    fails(heddle.ReportError, 'has no metric "tim"', report.metric, "tim")
    fails(heddle.ReportError, "no table", report.table, "nothing.tsv")
    fails(heddle.ReportError, "heddle analyze --instances", heddle.open(bare).instances)
    fails(heddle.ReportError, "without --no-delay", heddle.open(bare).causes)
    fails(heddle.ReportError, "of a program with MPI, without --no-matrix", heddle.open(bare).matrix)
    fails(heddle.ReportError, "--simulate advice", heddle.open(bare).predictions)
    text = json.dumps(heddle.load(io.StringIO(run(options, "causes", path, "--json"))))
    fails(heddle.DocumentError, "version 2", heddle.loads, text.replace('"version": 1', '"version": 2'))
    for wrong in ("", "[]", "{}", "nothing", b"\xff"):
        fails(heddle.DocumentError, "is no", heddle.loads, wrong)


def check_damage(options, path):
    """A damaged report is refused, or read as far as it can be; nothing else comes out."""
    data, target, numbers, refused = path.read_bytes(), options.work / "damaged.cubex", random.Random(7), 0
    for i in range(400):
        if i % 4 == 0:
            changed = data[:numbers.randrange(len(data))]
        else:
            changed = bytearray(data)
            for _ in range(numbers.choice((1, 3, 20))):
                changed[numbers.randrange(len(data))] = numbers.randrange(256)
        target.write_bytes(changed)
        try:
            with heddle.open(target) as report:
                list(report.rows())
                report.causes()
                report.instances()
                report.matrix()
        except heddle.ReportError:
            refused += 1
    assert 50 < refused < 400, refused


def check_names(options, path):
    """Names in tables are escaped, those of trees are not."""
    with heddle.open(path) as report:
        regions = {region.name for region in report.regions}
        lines = csv.DictReader(io.StringIO(run(options, "dump", path, "--csv", "--metric", "visits"), newline=""))
        names = {heddle.unescape(name) for line in lines for name in line["call_path"].split(";")}
        odd = {name for name in names & regions if "\\" in name or name[:1] in ("=", "+", "-", "@")}
        assert len(odd) > 2, names


def check_frame_needs_pandas(path):
    script = (f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); sys.modules['pandas'] = None; import heddle\n"
              f"try: heddle.open({str(path)!r}).frame()\nexcept ImportError as error: print(error)")
    done = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert done.stdout.startswith("frame() needs pandas") and "rows()" in done.stdout, done


def check_example(options):
    """What the README shows is what comes out."""
    folder = options.work / "example"
    folder.mkdir()
    run(options, "analyze", DATA / "pat-mpi-4", "-o", "heddle.cubex", "--instances", "3", "--quiet", "--no-summary", folder=folder)
    (folder / "summary.json").write_text(run(options, "summary", "heddle.cubex", "--json", folder=folder))
    os.chdir(folder)
    failed, n = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False)
    assert failed == 0 and n > 15


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--hostile", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    options.work = pathlib.Path(options.work)
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)

    for source in (PACKAGE / "heddle").glob("*.py"):  # the syntax of the oldest Python that it is for
        ast.parse(source.read_text(), feature_version=(3, 9))
    reports = {}
    for anchor in sorted(DATA.glob("*/traces.otf2")):
        name = anchor.parent.name
        reports[name] = analyze(options, anchor, name, "--instances=4")
        check_values(options, reports[name])
        check_values(options, analyze(options, anchor, f"{name}-compat", "--compat=scout26"))
        check_trees(options, reports[name])
        check_tables(options, reports[name])
    for packed in sorted((DATA / "reports").glob("*.gz")):
        path = options.work / packed.stem
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        assert check_values(options, path) > 100
        check_without_numpy(path)
        check_trees(options, path)
    for name in ("pat-mpi-4", "scorep-jacobi-hyb-c-4x2", "pat-pthread-3"):
        check_without_numpy(reports[name])
    check_writers(options, reports["pat-mpi-4"])
    subprocess.run([options.hostile, options.work / "hostile"], check=True, timeout=HANG_SECONDS)
    names = analyze(options, options.work / "hostile", "names", codes=(0, 3))
    check_values(options, names)
    check_names(options, names)
    check_errors(options, reports["pat-mpi-4"], analyze(options, DATA / "pat-mpi-4", "bare", "--no-delay", "--no-matrix"))
    check_damage(options, reports["pat-nbc-4"])
    check_predictions(options)
    check_frame_needs_pandas(reports["pat-nbc-4"])
    if numpy is None:
        assert not os.environ.get("CI") and not os.environ.get("HEDDLE_MUST_RUN"), "numpy and pandas are not there"
        print("numpy or pandas is not there: arrays, frames and the README's example are not tested")
    else:
        check_example(options)
    print("the Python package has what heddle prints")


if "--values" in sys.argv:
    print_values(sys.argv[-1])
else:
    main()

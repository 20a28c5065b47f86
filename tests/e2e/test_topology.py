#!/usr/bin/env python3
"""heddle topology: topologies of the archive come into the report, and values stand where the processes are.

usage: test_topology.py --heddle PROGRAM --mpirun PROGRAM --work DIR
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import gzip
import io
import xml.etree.ElementTree

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

TOPO = ROOT / "tests" / "data" / "pat-topo-6"
THREADS = ROOT / "tests" / "data" / "pat-omptask-4"
HYBRID = ROOT / "tests" / "data" / "scorep-jacobi-hyb-c-4x2"


def run(options, *arguments, ranks=1, code=0):
    command = ([options.mpirun, "-n", str(ranks)] if ranks > 1 else []) + [options.heddle, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
    assert done.returncode == code, f"{command}: exit code {done.returncode} instead of {code}: {done.stderr}"
    return done.stderr if code else done.stdout


def analyze(options, archive, ranks=1):
    report = pathlib.Path(options.work) / f"{archive.name}-{ranks}.cubex"
    run(options, "analyze", archive, "-o", report, "--force", "--quiet", "--no-summary", ranks=ranks)
    return report


def table(text):
    head, *rows = [line.split("\t") for line in text.splitlines()]
    return head, rows


STARTUP = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize"}


def outside(report):
    """Metric, call path, location and value of what is outside of the main window, but for MPI_Init and MPI_Finalize."""
    with tarfile.open(report) as archive:
        text = archive.extractfile("heddle.startup.tsv").read()
    rows = table((gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text).decode())[1]
    return [(metric, path, location, float(value) / int(resolution or 1)) for metric, path, resolution, first, values in rows
            for location, value in enumerate(values.split(","), int(first)) if value]


def values(options, report, metric, key, left_out=STARTUP):
    """Sums of a metric as heddle dump has them, by key(process, thread), without call paths that these functions are in;
    then without what is outside of the main window, too."""
    sums, locations = {}, set()
    for line in run(options, "dump", report).splitlines():
        name, path, process, thread, value = line.split("\t")
        locations.add((int(process), int(thread)))
        if name == metric and not left_out & set(path.split(";")):
            place = key(int(process), int(thread))
            sums[place] = sums.get(place, 0) + float(value)
    for name, _, location, value in outside(report) if left_out else ():
        if name == metric:
            sums[key(*sorted(locations)[int(location)])] -= float(value)
    return sums


def same(rows, sums):
    assert {place for place in sums if sums[place]} <= set(rows), (rows, sums)
    for place, value in rows.items():
        assert abs(value - sums.get(place, 0)) <= 1e-12 * abs(value), (place, value, sums)


def recorded_topologies(options):
    """The coordinates are those that MPI_Cart_create() gives without reordering."""
    report = analyze(options, TOPO)
    names = [line.split("\t")[0] for line in run(options, "topology", "--list", report).splitlines()]
    assert names == ["sweep grid", "halo box", "Process x Thread", "nodes"], names
    head, rows = table(run(options, "topology", report, "--metric", "time", "--tsv"))
    assert head == ["x", "y", "value", "locations"], head
    assert len(rows) == 6
    same({(int(x), int(y)): float(v) for x, y, v, _ in rows}, values(options, report, "time", lambda p, t: (p // 2, p % 2)))
    _, rows = table(run(options, "topology", report, "--metric", "time", "--tsv", "--with-startup"))
    same({(int(x), int(y)): float(v) for x, y, v, _ in rows}, values(options, report, "time", lambda p, t: (p // 2, p % 2), set()))
    of_init = [run(options, "topology", report, "--metric", "time", "--tsv", "--call-path", "MPI_Init", *more) for more in ([], ["--with-startup"])]
    assert of_init[0] == of_init[1] and any(float(row[2]) > 0 for row in table(of_init[0])[1]), of_init
    note = "\nStart-up (MPI_Init, MPI_Finalize) is not counted; --with-startup counts it.\n"
    assert run(options, "topology", report).endswith(note) and note not in run(options, "topology", report, "--with-startup")
    head, rows = table(run(options, "topology", report, "--name", "halo box", "--metric", "visits", "--fold", "zy", "--slice", "x=2",
                           "--tsv"))
    assert {(x, y, z) for x, y, z, *_ in rows} == {("2", "0", "0"), ("2", "1", "0")}, rows
    same({int(y): float(v) for _, y, _, v, _ in rows},
         {p % 2: v for p, v in values(options, report, "visits", lambda p, t: p).items() if p // 2 == 2})
    with tarfile.open(report) as archive:
        anchor = archive.extractfile("anchor.xml").read()
    anchor = gzip.decompress(anchor) if anchor[:2] == b"\x1f\x8b" else anchor
    machine = xml.etree.ElementTree.fromstring(anchor).find("system/systemtreenode")
    assert [(attr.get("key"), attr.get("value")) for attr in machine.findall("attr")] == [("platform", "Linux")]
    box = xml.etree.ElementTree.fromstring(anchor).find(".//cart[@name='halo box']")
    assert [dim.get("periodic") for dim in box.findall("dim")] == ["true", "false", "true"]


def a_grid_that_is_given(options):
    """The report says on which grid messages were looked at; heddle topology takes it."""
    report = pathlib.Path(options.work) / "given.cubex"
    run(options, "analyze", HYBRID, "-o", report, "--force", "--quiet", "--no-summary", "--topology=torus:2x2")
    text = run(options, "topology", report, "--metric", "topo_hops")
    assert 'on "torus:2x2"  across: x (2, periodic)   down: y (2, periodic)' in text, text
    metrics = {line.split("\t")[0] for line in run(options, "dump", report).splitlines()}
    assert "topo_neighbour_comms" in metrics, metrics
    run(options, "analyze", TOPO, "-o", report, "--force", "--quiet", "--no-summary", "--topology=none")
    assert not any(line.startswith("topo_") for line in run(options, "dump", report).splitlines())
    error = run(options, "analyze", TOPO, "-o", report, "--force", "--topology=sweep", code=2)
    assert "there is: sweep grid" in error.replace("  ", ""), error
    assert error.count("heddle: error") == 1
    assert "exclude each other" in run(options, "analyze", TOPO, "-o", report, "--force", "--compat=scout26", "--topology=grid:6", code=2)
    run(options, "analyze", TOPO, "-o", report, "--force", "--quiet", "--no-summary", "--compat=scout26", "--topology=none")


def a_file_of_places(options):
    """Ranks, and the one host that these archives were recorded on; the report has the topology, for any number of ranks."""
    places = pathlib.Path(options.work) / "places.txt"
    places.write_text("# columns of the sweep\nrank row column\nperiodic no yes\n" + "".join(f"{p} {p % 2} {p // 2}\n" for p in range(6)))
    texts = set()
    for ranks in (1, 2):
        report = pathlib.Path(options.work) / f"places-{ranks}.cubex"
        run(options, "analyze", TOPO, "-o", report, "--force", "--quiet", "--no-summary", f"--topology=file:{places}", ranks=ranks)
        texts.add(run(options, "topology", report, "--metric", "time", "--tsv"))
        assert f"file:{places}\trow 2 x column 3 periodic" in run(options, "topology", "--list", report)
    head, rows = table(texts.pop())
    assert not texts and head[:2] == ["row", "column"], head
    same({(int(r), int(c)): float(v) for r, c, v, _ in rows}, values(options, report, "time", lambda p, t: (p % 2, p // 2)))
    places.write_text("host x\nvm 3\n")
    run(options, "analyze", TOPO, "-o", report, "--force", "--quiet", "--no-summary", f"--topology=file:{places}")
    assert table(run(options, "topology", report, "--metric", "time", "--tsv"))[1][0][0] == "3"
    for ranks in (1, 2):
        places.write_text("rank x\n0 0\n0 1\n")
        error = run(options, "analyze", TOPO, "-o", report, "--force", f"--topology=file:{places}", ranks=ranks, code=1)
        assert f'"{places}", line 3: rank 0 is in line 2 already' in error, error
        assert error.count("heddle: error") == 1, error
        error = run(options, "analyze", TOPO, "-o", report, "--force", f"--topology=slurm:{options.work}/none", ranks=ranks, code=1)
        assert "cannot open" in error and error.count("heddle: error") == 1, error


def a_file_of_switches(options):
    """All processes are on one node: nothing to tell apart; the grid is looked at as without the file."""
    switches = pathlib.Path(options.work) / "topology.conf"
    report = pathlib.Path(options.work) / "switches.cubex"
    switches.write_text("SwitchName=s0 Nodes=vm\n")
    run(options, "analyze", TOPO, "-o", report, "--force", "--quiet", "--no-summary", f"--topology=grid:6,slurm:{switches}")
    metrics = {line.split("\t")[0] for line in run(options, "dump", report).splitlines()}
    assert "topo_hops" in metrics and not any(metric.startswith("machine_") for metric in metrics), metrics
    assert f"{'Network switches':26}{switches}" in run(options, "summary", report)
    switches.write_text("SwitchName=s0 Nodes=other[0-3]\n")
    error = run(options, "analyze", TOPO, "-o", report, "--force", f"--topology=slurm:{switches}", code=1)
    assert "has no switch for 1 of the archive's 1 hosts" in error and "vm" in error, error


def without_mpi(options):
    report = pathlib.Path(options.work) / "threads.cubex"
    error = run(options, "analyze", THREADS, "-o", report, "--force", "--topology=grid:1", code=2)
    assert "no MPI processes" in error, error
    assert "Topology" not in run(options, "analyze", THREADS, "-o", report, "--force")


def with_anchor(report, other, change):
    """Another report, with another anchor."""
    with tarfile.open(report) as source, tarfile.open(other, "w", format=tarfile.USTAR_FORMAT) as target:
        for member in source:
            data = source.extractfile(member).read()
            if member.name == "anchor.xml":
                before = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
                data = change(before)
                assert data != before
                member.size = len(data)
            target.addfile(member, io.BytesIO(data))
    return other


def a_topology_that_the_report_lacks(options):
    """heddle topology takes the first one then: here the report names one that it does not have."""
    other = with_anchor(analyze(options, TOPO), pathlib.Path(options.work) / "lacks.cubex",
                        lambda text: text.replace(b'key="Heddle::Topology" value="sweep grid"', b'key="Heddle::Topology" value="gone"'))
    assert 'on "sweep grid"' in run(options, "topology", other)


def processes_that_are_not_on_the_topology(options):
    """A row has them: the parts add up to the whole all the same."""
    def drop(text):
        begin = text.index(b'<cart name="sweep grid"')
        end = text.index(b"</cart>", begin)
        return text[:begin] + re.sub(rb'<coord locId="[45]">[^<]*</coord>\n', b"", text[begin:end]) + text[end:]
    report = with_anchor(analyze(options, TOPO), pathlib.Path(options.work) / "subset.cubex", drop)
    head, rows = table(run(options, "topology", report, "--by", "coordinate", "--metric", "time", "--tsv"))
    assert [row[:3] for row in rows] == [["x", "0", "2"], ["x", "1", "2"], ["x", "(not on it)", "2"], ["y", "0", "2"], ["y", "1", "2"],
                                         ["y", "(not on it)", "2"], ["border", "interior", "2"], ["border", "border", "2"],
                                         ["border", "(not on it)", "2"]], rows
    for division in ("x", "y", "border"):
        same({"all": sum(float(row[-1]) for row in rows if row[0] == division)}, values(options, report, "time", lambda p, t: "all"))
    same({"rest": float(rows[2][-1])}, {"rest": sum(v for p, v in values(options, report, "time", lambda p, t: p).items() if p > 3)})
    assert "\n(not on it)          2" in run(options, "topology", report, "--by", "coordinate")


def a_call_path(options):
    report = analyze(options, TOPO)
    text = run(options, "topology", report, "--metric", "visits", "--call-path", "MPI_Recv", "--tsv")
    total = sum(float(row[2]) for row in table(text)[1])
    expected = sum(float(line.split("\t")[4]) for line in run(options, "dump", report).splitlines()
                   if line.startswith("visits\t") and line.split("\t")[1].endswith(";MPI_Recv"))
    assert total == expected > 0, (total, expected)


def tables_by_coordinate_and_node(options):
    """Each division adds up to the whole; a node has what its processes have."""
    report = analyze(options, TOPO)
    head, rows = table(run(options, "topology", report, "--by", "coordinate", "--tsv", "--metric", "time"))
    assert head == ["division", "part", "processes", "computation", "waiting", "mpi_latesender", "mpi_latereceiver", "messages", "bytes",
                    "time"], head
    assert [row[:3] for row in rows] == [["x", "0", "2"], ["x", "1", "2"], ["x", "2", "2"], ["y", "0", "3"], ["y", "1", "3"],
                                         ["border", "interior", "2"], ["border", "border", "4"]], rows
    for column, metric in ((5, "mpi_latesender"), (6, "mpi_latereceiver"), (8, "bytes_sent"), (9, "time")):
        same({int(row[1]): float(row[column]) for row in rows[:3]}, values(options, report, metric, lambda p, t: p // 2))
        same({int(row[1]): float(row[column]) for row in rows[3:5]}, values(options, report, metric, lambda p, t: p % 2))
        same({row[1]: float(row[column]) for row in rows[5:]},
             values(options, report, metric, lambda p, t: "interior" if p // 2 == 1 else "border"))
    head, rows = table(run(options, "topology", report, "--by", "node", "--tsv"))
    assert len(rows) == 1 and rows[0][:3] == ["node", "vm", "6"], rows
    same({"all": float(rows[0][5])}, values(options, report, "mpi_latesender", lambda p, t: "all"))
    error = run(options, "topology", analyze(options, HYBRID), "--by", "distance", code=2)
    assert "no messages by distance" in error and "heddle analyze --topology=grid:2x2" in error, error
    error = run(options, "topology", analyze(options, HYBRID), "--by", "coordinate", code=2)
    assert "has no topology of processes" in error and "--name grid:2x2" in error, error
    error = run(options, "topology", analyze(options, HYBRID), "--by", "coordinate", "--name", "Process x Thread", code=2)
    assert "not one of processes" in error, error
    _, rows = table(run(options, "topology", analyze(options, HYBRID), "--by", "coordinate", "--name", "grid:2x2", "--tsv"))
    assert [row[:3] for row in rows] == [["x", "0", "2"], ["x", "1", "2"], ["y", "0", "2"], ["y", "1", "2"]], rows
    _, rows = table(run(options, "topology", report, "--by", "coordinate", "--name", "Process x Thread", "--tsv"))
    assert {row[0] for row in rows} == {"Process"} and len(rows) == 6, rows
    summary = run(options, "summary", report)
    assert "Wait states by node" not in summary and "Wait states by topology coordinate" not in summary, summary


def files_of_a_topology_are_not_replaced(options):
    text = "rank x\n" + "".join(f"{rank} {rank}\n" for rank in range(6))
    for name in ("places.cubex", "places.html", "places.stat"):
        places = pathlib.Path(options.work) / name
        places.write_text(text)
        report = places.with_suffix(".cubex")
        for command in (["analyze", "--html", "--stat"],
                        ["simulate", "--what-if=none"] + (["--html", places] if name == "places.html" else [])):
            if command[0] == "simulate" and name == "places.stat":
                continue
            error = run(options, *command, TOPO, f"--topology=file:{places}", "-o", report, "--force", "--quiet", code=2)
            assert "is read, and is not replaced" in error and places.read_text() == text, error
        places.unlink()


def tables_add_up_to_the_whole(options):
    """By node, coordinate and distance: also with processes that are not on the topology."""
    metrics = {"messages": ("comms_send", "syncs_send"), "bytes": ("bytes_sent",), "mpi_latesender": ("mpi_latesender",),
               "mpi_latereceiver": ("mpi_latereceiver",)}
    report = pathlib.Path(options.work) / "whole.cubex"
    for topology in ((), ("--topology=grid:2x3",), ("--topology=halo box",)):
        run(options, "analyze", TOPO, "-o", report, "--force", "--quiet", "--no-summary", *topology)
        wholes = {column: sum(values(options, report, metric, lambda p, t: 0).get(0, 0) for metric in ids) for column, ids in metrics.items()}
        assert wholes["messages"] > 0 and wholes["mpi_latesender"] > 0, wholes
        for by in ("coordinate", "node", "distance"):
            head, rows = table(run(options, "topology", report, "--by", by, "--tsv"))
            for division in {row[0] for row in rows}:
                for column, whole in wholes.items():
                    total = sum(float(row[head.index(column)]) for row in rows if row[0] == division)
                    assert abs(total - whole) <= 1e-9 * whole, (topology, by, division, column, total, whole)


def a_grid_that_is_too_large_is_told(options):
    report = pathlib.Path(options.work) / "large.cubex"
    for grid, says in (("grid:2x3", False), ("grid:3x3", True), ("torus:7", True), ("halo box", False)):
        done = subprocess.run([options.heddle, "analyze", TOPO, "-o", report, "--force", "--quiet", f"--topology={grid}"], capture_output=True, text=True,
                              timeout=HANG_SECONDS, check=True)
        assert ("places, the program 6 processes: the last places stay empty" in done.stderr) == says, (grid, done.stderr)


def hops_on_every_topology(options):
    """Those of the topologies that messages are not looked at on are the same as if they were, on any number of ranks; and damage is passed over."""
    def rows_on(report, kind):
        _, rows = table(run(options, "topology", report, "--by", "distance", "--tsv"))
        return {row[1]: [float(f"{float(number):.9g}") for number in row[2:]] for row in rows if row[0] == kind}

    report, other = analyze(options, TOPO), pathlib.Path(options.work) / "halo-box.cubex"
    for ranks, threads in (1, 1), (2, 2), (3, 1):
        run(options, "analyze", TOPO, "-o", other, "--force", "--quiet", "--no-summary", "--topology=halo box", f"--threads={threads}", ranks=ranks)
        assert rows_on(other, "hops") == rows_on(report, "hops halo box") != {}
        assert rows_on(other, "hops sweep grid") == rows_on(report, "hops") != {}
    for damage in b"9 1 1 1 1;|halo box", b"0 1 1|halo box", b"no numbers", b"":
        with_anchor(report, other, lambda text: re.sub(rb'(<attr key="Heddle::Hops" value=")[^"]*', lambda found: found[1] + damage, text))
        assert rows_on(other, "hops halo box") == {} and rows_on(other, "hops") != {}


def processes_and_threads(options):
    report = analyze(options, HYBRID)
    _, rows = table(run(options, "topology", report, "--metric", "time", "--tsv"))
    same({(int(p), int(t)): float(v) for p, t, v, _ in rows}, values(options, report, "time", lambda p, t: (p, t)))
    _, rows = table(run(options, "topology", report, "--metric", "time", "--fold", "Process", "--tsv"))
    assert all(t == "all" and n == "2" for _, t, _, n in rows), rows
    same({int(p): float(v) for p, _, v, _ in rows}, values(options, report, "time", lambda p, t: p))


def what_every_report_has(options):
    report = analyze(options, HYBRID)
    _, rows = table(run(options, "topology", report, "--name", "nodes", "--metric", "time", "--tsv"))
    same({int(s): float(v) for _, s, v, _ in rows}, values(options, report, "time", lambda p, t: p))
    _, rows = table(run(options, "topology", report, "--name", "grid:2x2", "--metric", "time", "--tsv"))
    same({(int(x), int(y)): float(v) for x, y, v, _ in rows}, values(options, report, "time", lambda p, t: (p // 2, p % 2)))
    assert "no topology" in run(options, "topology", report, "--name", "torus", code=2)
    assert "grid:3" in run(options, "topology", report, "--name", "grid:3", code=2)
    assert "not of the form" in run(options, "topology", report, "--name", "grid:2xx2", code=2)
    assert "mpi_latesender" in run(options, "topology", report, "--metric", "mpi_latesende", code=2)


def the_same_for_any_ranks(options):
    texts = {run(options, "topology", analyze(options, TOPO, ranks), "--tsv") for ranks in (1, 2)}
    assert len(texts) == 1


def pictures(options):
    report = analyze(options, TOPO)
    folder = pathlib.Path(options.work) / "pictures"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    assert run(options, "topology", report, "--output", folder / "a.png") == ""
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")
    run(options, "topology", report, "--output", folder / "a.svg")
    assert xml.etree.ElementTree.parse(folder / "a.svg").getroot().tag.endswith("svg")
    assert "exists already" in run(options, "topology", report, "--output", folder / "a.svg", code=1)
    run(options, "topology", report, "--output", folder / "a.svg", "--force")
    assert "ends neither" in run(options, "topology", report, "--output", folder / "a.jpg", code=2)
    run(options, "topology", report, "--output", folder / "none" / "a.svg", code=1)
    assert sorted(path.name for path in folder.iterdir()) == ["a.png", "a.svg"]


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--mpirun", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)
    for test in (recorded_topologies, a_grid_that_is_given, a_file_of_places, a_file_of_switches, without_mpi, a_topology_that_the_report_lacks,
                 processes_that_are_not_on_the_topology,
                 tables_by_coordinate_and_node, files_of_a_topology_are_not_replaced, tables_add_up_to_the_whole, a_grid_that_is_too_large_is_told, hops_on_every_topology, a_call_path, processes_and_threads, what_every_report_has, the_same_for_any_ranks, pictures):
        test(options)
        print("ok  ", test.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main())

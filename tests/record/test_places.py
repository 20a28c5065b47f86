#!/usr/bin/env python3
"""heddle record: where processes and threads are bound, topologies that the program defines, and clocks of nodes.

usage: test_places.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import os
import platform
import re
import shutil
import struct
import subprocess

from recording import Run, by_rank, fresh, main, program, record, test, test_once, topologies, values, waited


@test
def topologies_of_the_program_are_recorded(options):
    folder = fresh(options, "topologies")
    alone = Run([options.mpirun, "-n", 4, program(options, "own_topologies")], folder).must(0)
    run = record(options, folder, "--keep-raw", "--", program(options, "own_topologies")).must(0)
    assert run.output == alone.output
    square, mesh = ["Dimension 0 2 F", "Dimension 1 2 F"], {0: (0, 0), 1: (1, 0), 2: (0, 1), 3: (1, 1)}
    assert topologies(options, folder / "run") == {
        "mesh": (["x 2 T", "y 2 F"], mesh), "line": (["Dimension 0 4 F"], {rank: (rank,) for rank in range(4)}), "twice": (square, mesh),
        "differs": (square, {rank: mesh[rank] for rank in range(3)}), "outside": (["x 2 F", "y 2 F"], {0: (0, 0), 1: (0, 0), 2: (0, 1), 3: (1, 1)})}
    assert [line for line in run.errors.splitlines() if "topology" in line] == ["heddle: warning: topology " + line for line in (
        '"line": coordinates are omitted, as they are not inside of its dimensions (4 times, first in process 0)',
        '"line": a thread has several coordinates; the first count (3 times, first in process 1)',
        '"wrong sizes": it needs 1 to 32 dimensions, of sizes above 0 (4 times, first in process 0)',
        '"too many": it needs 1 to 32 dimensions, of sizes above 0 (4 times, first in process 0)',
        '"nothing": it needs 1 to 32 dimensions, of sizes above 0 (4 times, first in process 0)',
        '"differs": it is defined otherwise than by the first process, which counts (process 3)',
        '"twice": it is defined twice, with other dimensions; the first definition counts (4 times, first in process 0)',
        '"outside": coordinates are omitted, as they are not inside of its dimensions (3 times, first in process 0)',
        '"outside": a thread has several coordinates; the first count (process 3)',
        '"not defined": coordinates on it are omitted, as it is not defined (4 times, first in process 0)')], run.errors
    assert all(len(file.read_bytes().rstrip(b"\0")) < 30000 for file in (folder / "run" / "raw").glob("*.def"))  # the same again takes no space
    shown = Run([options.heddle, "analyze", "run"], folder).must(0).output
    assert re.search(r"Process topology +mesh\n", shown), shown
    assert "no inconsistencies found" in shown, shown
    shown = Run([options.heddle, "topology", "--by=distance", "run"], folder).must(0).output
    assert re.search(r'topology "mesh"\n\n.*\n1 hop +4 100.0 %', shown), shown


def system_tree(options, archive):
    """{MPI rank: its place, as "machine Linux > node NAME > core 0"}; properties of locations."""
    shown = subprocess.run([options.otf2_print, "-G", archive / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    nodes, places = {}, {}
    for number, name, kind, parent in re.findall(r'SYSTEM_TREE_NODE +(\d+)  Name: "([^"]*)".*Class: "(\w+)".*Parent: (?:UNDEFINED|"[^"]*" <(\d+)>)', shown):
        nodes[number] = f"{nodes[parent]} > {kind} {name}" if parent else f"{kind} {name}"
    for rank, parent in re.findall(r'LOCATION_GROUP +\d+  Name: "MPI Rank (\d+)".*Parent: "[^"]*" <(\d+)>', shown):
        places[int(rank)] = nodes[parent].replace(platform.node(), "HOST").removeprefix("machine Linux > ")
    return places, re.findall(r'(LOCATION(?:_GROUP)?)_PROPERTY .*HEDDLE::PROCESSORS.*Value: "([^"]*)"', shown)


@test
def processes_stand_where_they_are_bound(options):
    processors = sorted(os.sched_getaffinity(0))
    first, other = processors[0], processors[-1]
    if first == other:
        print("one processor only: not tested")
        return
    folder, words = fresh(options, "places"), [options.heddle, "record", "-o", "run", "--keep-raw", "--", program(options, "late_sender")]
    run = Run(by_rank(options.mpirun, *[["taskset", "-c", processor, *words] for processor in (first, first, other, other)]), folder).must(0)
    assert f"note: 4 threads share 2 processors of node {platform.node()}: " in run.errors, run.errors
    places, bound = system_tree(options, folder / "run")
    assert bound == [("LOCATION_GROUP", str(first))] * 2 + [("LOCATION_GROUP", str(other))] * 2, bound
    assert places[0] == places[1] and places[2] == places[3] and places[0].startswith("node HOST"), places
    [machine] = (folder / "run" / "raw").glob("*.machine")
    assert re.fullmatch(r"node 0 \S+\n(socket \d+ \S+\n)*(numa \d+ \S+\n)*(core \d+ \S+\n)*", machine.read_text()), machine.read_text()
    last = other + 9
    rest = ",".join(str(i) for i in range(last) if i != first)
    for text, wanted in [  # another machine: sockets, of which one is a NUMA domain and has cores
        (f"node 0 0-{last}\nsocket 0 {first},{last}\nsocket 1 {rest}\nnuma 0 {first},{last}\nnuma 3 {other},{last - 1}\ncore 0 {first}\ncore 5 {other}\n",
         ["node HOST > socket 0 > core 0"] * 2 + ["node HOST > socket 1 > numa 3 > core 5"] * 2),
        (f"node 0 {first},{other}\nsocket 0 {first},{other}\ncore 0 {first},{other}\n", ["node HOST"] * 4),  # levels that say nothing
        ("node\nsocket 0\ncore x 1\ncore 0 9-1\nsocket 0 99999999\n\0\xff", ["node HOST"] * 4), ("", ["node HOST"] * 4)]:
        machine.write_text(text)
        (folder / "run" / "traces.otf2").unlink()
        shutil.rmtree(folder / "run" / "traces")
        Run([options.heddle, "record", "--finish=run", "--keep-raw"], folder).must(0)
        assert [place for _, place in sorted(system_tree(options, folder / "run")[0].items())] == wanted, text
        if "numa 3" in text:
            Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
            shown = Run([options.heddle, "topology", "--list", "run"], folder).must(0).output
            assert "machine\tNode 1 x Socket 2 x Core 1 x Slot 2\n" in shown, shown
            shown = Run([options.heddle, "topology", "--name=machine", "--fold=Socket,Slot", "run"], folder).must(0).output
            assert "on \"machine\"  across: Socket (2)   down: Slot (2)" in shown, shown
            assert "Same core " in Run([options.heddle, "topology", "--by=distance", "run"], folder).must(0).output
            (folder / "run" / "heddle.cubex").unlink()
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    shared = f"4 threads share 2 processors of node {platform.node()}: their times have waiting for a processor in them"
    assert f"\n{shared}.\n" in Run([options.heddle, "summary", "--width=200", "run"], folder).must(0).output
    assert f"\n{shared}.\n" in Run([options.heddle, "efficiency", "--width=200", "run"], folder).must(0).output
    Run([options.heddle, "extract", "--from=0", "--to=1ms", "-o", "part", "run"], folder).must(0)
    assert "HEDDLE::SHARED_PROCESSORS" in (folder / "part" / "traces.otf2").read_bytes().decode("latin-1")
    assert "machine" not in Run([options.heddle, "topology", "--list", "run"], folder).must(0).output
    Run([options.heddle, "topology", "--name=machine", "run"], folder).must(2, "does not say on which sockets or cores", "--name nodes")


@test_once
def plugins_of_hwloc_are_not_loaded(options):
    folder = fresh(options, "plugins")
    run = Run([options.heddle, "record", "-o", "run", "--keep-raw", "--", "/bin/true"], folder, {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": "loaded"}).must(0)
    loaded = [file.read_text() for file in folder.glob("loaded.*")]
    assert any("/bin/true" in text for text in loaded) and not any("hwloc/hwloc_" in text for text in loaded), run.errors
    assert len(list((folder / "run" / "raw").glob("*.machine"))) == 1


@test
def enough_processors_are_no_note(options):
    folder = fresh(options, "enough")
    n = len(os.sched_getaffinity(0))
    run = record(options, folder, "--", program(options, "late_sender"), n=2).must(0)
    assert ("2 threads share 1 processor of node" in run.errors) == (n == 1) and (n == 1 or "share" not in run.errors), run.errors
    folder = fresh(options, "enough_profile")
    run = record(options, folder, "--profile", "--", program(options, "late_sender"), n=n + n % 2 + 2).must(0)
    assert f"{n + n % 2 + 2} threads share {n} processor" in Run([options.heddle, "summary", "--width=200", "run"], folder).must(0).output


@test
def threads_that_openmp_binds_stay_bound_as_they_are(options):
    if not (options.programs / "hybrid").exists() or len(os.sched_getaffinity(0)) < 2:
        return
    folder, more = fresh(options, "bound-threads"), {"OMP_PLACES": "threads", "OMP_PROC_BIND": "spread", "OMP_NUM_THREADS": "2"}
    record(options, folder, "--", program(options, "hybrid"), n=2, more=more).must(0)
    places, bound = system_tree(options, folder / "run")
    threads = [which for kind, which in bound if kind == "LOCATION"]
    assert set(places.values()) == {"node HOST"} or len(os.sched_getaffinity(0)) < os.cpu_count(), places
    assert len(threads) == 4 and len(set(threads)) == 2 and all(which.isdigit() for which in threads), bound
    assert all(str(min(os.sched_getaffinity(0))) in which and which != threads[0] for kind, which in bound if kind == "LOCATION_GROUP"), bound
    plain = Run(["sh", "-c", "grep Cpus_allowed_list /proc/self/status"], folder, more).output
    shown = Run([options.heddle, "record", "-o", "shell", "--", "/bin/sh", "-c", "grep Cpus_allowed_list /proc/self/status"], folder, more).output
    assert shown == plain != "", (shown, plain)  # heddle's own OpenMP does not bind what it starts


@test
def clocks_of_several_nodes_become_one(options):
    folder = fresh(options, "nodes")
    (folder / "node.sh").write_text('#!/bin/sh\nif [ $((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} % 2)) = 1 ]; then export HEDDLE_RECORD_NODE=second HEDDLE_RECORD_CLOCK=monotonic; else export HEDDLE_RECORD_NODE=first; fi\nexec "$@"\n')
    (folder / "node.sh").chmod(0o755)
    words = [options.mpirun, "-n", 4, "./node.sh", options.heddle, "record", "-o", "run", "--"]
    run = Run([*words, program(options, "late_sender")], folder).must(0, "recorded 4 processes")
    waits = values(options, folder / "run", "mpi_latesender")  # each message is between the nodes
    assert list(waits) == ["late_sender;exchange;MPI_Recv"] and abs(sum(waits.values()) / waited(run) - 1) < 0.1, (waits, run.output)
    shown = subprocess.run([options.otf2_print, "--show-clock-offsets", folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    offsets = re.findall(r"CLOCK_OFFSET +(\d) +Time: \d+, Offset: ([-+]\d+),", shown)
    assert len(offsets) == 8 and all((int(offset) == 0) == (int(location) % 2 == 0) for location, offset in offsets), offsets
    shutil.rmtree(folder / "run")
    Run([*words, program(options, "ending_program"), "kill"], folder)  # without the second measurement
    Run([options.heddle, "record", "--finish", "run"], folder).must(0)
    assert Run([options.heddle, "analyze", "-q", "run"], folder).code in (0, 3)


@test_once
def a_clock_that_jumps_is_told(options):
    folder = fresh(options, "jump")
    for jump in 0, 1:
        shutil.rmtree(folder / "run", ignore_errors=True)
        record(options, folder, "--keep-raw", "--", program(options, "late_sender"), n=2).must(0)
        path = next((folder / "run" / "raw").glob("*-0.def"))
        data, at, n = bytearray(path.read_bytes()), 0, 0
        if struct.unpack_from("<QQ", data, 40)[0] == 0:
            return  # no time stamp counter
        while struct.unpack_from("<I", data, at)[0] != 0:
            kind, size = struct.unpack_from("<II", data, at)
            if kind == 2:  # HD_RAW_CLOCK: as if seconds were between them, and the last one had jumped by half of one
                struct.pack_into("<QQ", data, at + 16, 10**9 * (n + 1) + jump * 5 * 10**8 * (n == 3), 2 * 10**9 * (n + 1))
                n += 1
            at += size
        path.write_bytes(data)
        for name in "traces.otf2", "traces.def", "traces":
            shutil.rmtree(folder / "run" / name) if name == "traces" else (folder / "run" / name).unlink()
        run = Run([options.heddle, "record", "--finish", "run"], folder)
        assert n >= 4 and ("did not go at one rate" in run.errors) == bool(jump), (n, run.errors)


main()

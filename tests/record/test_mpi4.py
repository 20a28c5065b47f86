#!/usr/bin/env python3
"""heddle record: what is new in MPI 4, where the MPI library has it.

usage: test_mpi4.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import re
import subprocess

from recording import compare, fresh, main, program, record, records, test, values, waited


def communicators(options, archive):
    """Names, and numbers of members, in the order of the definitions."""
    shown = subprocess.run([options.otf2_print, "-G", archive / "traces.otf2"], capture_output=True, text=True, check=True)
    assert not shown.stderr, shown.stderr
    sizes = dict(re.findall(r"GROUP +(\d+) .* (\d+) Members?", shown.stdout))
    return [(name, int(sizes[group])) for name, group in re.findall(r'COMM +\d+  Name: "([^"]*)".*, Group: "[^"]*" <(\d+)>', shown.stdout)]


@test
def sessions_are_recorded_as_communicators_of_the_world(options):
    if not program(options, "sessions").exists():
        print("this MPI library has no sessions: not tested")
        return
    folder = fresh(options, "sessions")
    run = record(options, folder, "--", program(options, "sessions")).must(0, "recorded 4 processes")
    assert "warning" not in run.errors, run.errors
    compare(records(options, folder / "run"), "sessions.c")
    found = communicators(options, folder / "run")
    assert found[:2] == [("mpi://WORLD", 4), ("mpi://SELF", 0)] and sorted(found[2:]) == [("", 0)] * 3 + [("", 4)] * 6, found
    waits = values(options, folder / "run", "mpi_latesender")
    assert abs(sum(waits.values()) / waited(run) - 1) < 0.1, (waits, run.output)
    assert not (folder / "run" / "heddle.findings.tsv").exists()


@test
def sessions_and_mpi_init_are_one_world(options):
    if not program(options, "sessions").exists():
        return
    for word in "world", "after":  # MPI_Init after the first session; before it
        folder = fresh(options, f"sessions-{word}")
        run = record(options, folder, "--", program(options, "sessions"), word).must(0, "recorded 4 processes")
        assert "warning" not in run.errors, run.errors
        seen = records(options, folder / "run")
        wanted = {"MPI_SEND": 12, "MPI_RECV": 12, "COMM_CREATE": 32, "COMM_DESTROY": 32, "MPI_COLLECTIVE_END": 84}
        assert {kind: seen[kind] for kind in wanted} == wanted, seen
        assert sorted(communicators(options, folder / "run")) == [("", 0)] * 2 + [("", 4)] * 4 + [("MPI_COMM_SELF", 0), ("MPI_COMM_WORLD", 4)]
        values(options, folder / "run", "mpi_latesender")
        assert not (folder / "run" / "heddle.findings.tsv").exists()


@test
def a_part_of_a_run_with_sessions_is_recorded(options):
    if not program(options, "sessions").exists():
        return
    folder = fresh(options, "sessions-window")
    record(options, folder, "--window=300ms:1m", "--", program(options, "sessions")).must(0)
    seen = records(options, folder / "run")
    assert 0 < seen["MPI_SEND"] == seen["MPI_RECV"] <= 12 and seen["COMM_CREATE"] < 36 and seen["ENTER"] == seen["LEAVE"] and seen["MPI_COLLECTIVE_END"] % 4 == 0, seen
    values(options, folder / "run", "mpi_latesender")
    assert not (folder / "run" / "heddle.findings.tsv").exists()


@test
def a_partitioned_message_is_sent_by_its_last_partition(options):
    if not program(options, "partitioned").exists():
        print("this MPI library has no partitioned communication: not tested")
        return
    folder = fresh(options, "partitioned")
    run = record(options, folder, "--", program(options, "partitioned"), n=2).must(0, "recorded 2 processes, 6 threads")
    assert "warning" not in run.errors, run.errors
    compare(records(options, folder / "run"), "partitioned.c")
    waits = values(options, folder / "run", "mpi_latesender")
    assert set(waits) <= {"partitioned;main;receive;MPI_Wait", "partitioned;receive;MPI_Wait", "partitioned;main;receive_by_looking;MPI_Wait"}, waits
    assert 0.9 * 6 * 0.2 < sum(waits.values()) < 1.05 * waited(run), (waits, run.output)
    assert sum(values(options, folder / "run", "bytes_rcvd").values()) == 7 * 32000
    assert not (folder / "run" / "heddle.findings.tsv").exists()


@test
def a_send_and_a_receive_in_one_request_are_both_recorded(options):
    if not program(options, "isendrecv").exists():
        return
    folder = fresh(options, "isendrecv")
    run = record(options, folder, "--", program(options, "isendrecv"), n=2).must(0, "recorded 2 processes")
    assert "warning" not in run.errors, run.errors
    compare(records(options, folder / "run"), "isendrecv.c")
    values(options, folder / "run", "mpi_latesender")
    assert not (folder / "run" / "heddle.findings.tsv").exists()


@test
def persistent_collective_operations_are_recorded_at_each_start(options):
    if not program(options, "persistent").exists():
        print("this MPI library has no persistent collective operations: not tested")
        return
    folder = fresh(options, "persistent")
    run = record(options, folder, "--", program(options, "persistent")).must(0, "recorded 4 processes")
    assert "warning" not in run.errors, run.errors
    seen = records(options, folder / "run")
    compare(seen, "persistent.c")
    large = {"MPI_ISEND": 12, "MPI_ISEND_COMPLETE": 12, "MPI_IRECV": 8, "MPI_RECV": 4, "MPI_COLLECTIVE_END": 16}
    without = {"MPI_COLLECTIVE_END": 8}
    assert any({kind: seen[kind] for kind in large} == {kind: wanted.get(kind, 0) for kind in large} for wanted in (large, without)), seen
    waits = values(options, folder / "run", "mpi_nbc_barrier_wait")
    assert set(waits) == {"persistent;main;MPI_Wait"} and 0.8 * 6 * 0.2 < sum(waits.values()) < 1.05 * waited(run), (waits, run.output)
    assert not (folder / "run" / "heddle.findings.tsv").exists()


@test
def partitioned_messages_at_the_border_of_a_part_are_omitted(options):
    if not program(options, "partitioned").exists():
        return
    for n in range(3):
        folder = fresh(options, "partitioned-part")
        record(options, folder, f"--window={300 + 70 * n}ms:{400 + 50 * n}ms", "--", program(options, "partitioned"), n=2).must(0)
        seen = records(options, folder / "run")
        assert seen["MPI_ISEND"] + seen["MPI_SEND"] == seen["MPI_IRECV"] == seen["MPI_IRECV_REQUEST"] - seen["MPI_REQUEST_CANCELLED"] < 7, seen
        assert seen["MPI_ISEND"] == seen["MPI_ISEND_COMPLETE"] and seen["ENTER"] == seen["LEAVE"], seen
        values(options, folder / "run", "mpi_latesender")
        assert not (folder / "run" / "heddle.findings.tsv").exists()


main()

#!/usr/bin/env python3
"""heddle record: OpenMP of GCC and of Clang.

usage: test_openmp.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import re
import subprocess
from pathlib import Path

import sequences
from recording import Run, check_sequences, compare, fresh, main, program, record, records, test_once, values


def check_openmp(options, name):
    if not program(options, name).exists():
        return
    folder = fresh(options, name)
    plain = Run([program(options, name)], folder).must(0)
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, name)], folder).must(0, "recorded 1 process, 6 threads")
    assert run.output == plain.output, (run.output, plain.output)
    seen = records(options, folder / "run")
    compare(seen, "openmp_constructs.c")
    check_sequences(options, folder / "run")
    regions = sequences.sequences(options.otf2_print, folder / "run")
    assert regions["!$omp ordered"] == regions["!$omp ordered sblock"] == {"": 6}, regions  # 6 iterations; what is in the block is computation
    assert seen["ENTER"] == seen["LEAVE"], seen
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()


@test_once
def openmp_of_gcc_has_its_records(options):
    check_openmp(options, "openmp_constructs")


@test_once
def openmp_of_clang_has_the_same_records(options):
    check_openmp(options, "openmp_constructs_clang")


def places_in_source(construct):
    lines = (Path(__file__).parent / "inlined.c").read_text().splitlines()
    return [number for number, line in enumerate(lines, 1) if "/* place" in line and construct in line.partition("/* place")[2]]


def check_places(options, name):
    if not program(options, name).exists():
        return
    folder = fresh(options, name)
    record(options, folder, "--", program(options, name), n=2).must(0, "recorded 2 processes, 4 threads")
    regions = subprocess.run([options.otf2_print, "-G", folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    places = re.findall(r'^REGION .*Name: "!\$omp (parallel|for) @.*File: "[^"]*/inlined.c" <\d+>, Begin: (\d+)', regions, re.M)
    assert [int(line) for construct, line in places if construct == "parallel"] == places_in_source("parallel"), places
    assert [line for construct, line in places if construct == "for"] == [str(places_in_source("for")[0])] or "clang" in name, places
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    waits = Run([options.heddle, "summary", "run", "--top", "20"], folder).must(0).output.partition("Top wait states")[2].partition("Root causes")[0]
    assert re.search(rf"main > MPI_Barrier .*\n +called at inlined.c:{places_in_source('barrier')[0]}\n", waits), waits
    for number in places_in_source("allreduce"):  # it is called at two places
        assert re.search(rf"main > MPI_Allreduce:{number} .*\n +called at inlined.c:{number}\n", waits), waits
    assert [int(line) for line in re.findall(r'^REGION .*Name: "MPI_Allreduce" .*Role: COLL_ALL2ALL, Paradigm: "MPI".*File: "[^"]*/inlined.c" <\d+>, Begin: (\d+)', regions, re.M)] == places_in_source("allreduce"), regions
    assert len(re.findall(r'^REGION .*Name: "MPI_Barrier"', regions, re.M)) == 1, regions


@test_once
def constructs_and_calls_have_their_lines_also_in_functions_that_are_inlined(options):
    check_places(options, "inlined")
    check_places(options, "inlined_clang")


@test_once
def a_parallel_region_of_a_stripped_program_has_the_name_of_an_exported_function(options):
    if not program(options, "pair_loop").exists():
        return
    folder = fresh(options, "stripped_openmp")
    subprocess.run(["strip", "-o", folder / "loop", program(options, "pair_loop")], check=True)
    record(options, folder, "--", folder / "loop", "1", n=2).must(0, "recorded 2 processes, 6 threads")
    regions = subprocess.run([options.otf2_print, "-G", folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r'^REGION .*?Name: "!\$omp (.*?)"', regions, re.M)) == {"parallel @main", "implicit barrier @main"}, regions


@test_once
def teams_that_libomp_uses_again_before_it_tells_their_end_have_their_own(options):
    if not program(options, "reused_team_clang").exists():
        return
    folder = fresh(options, "reused_team")
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "reused_team_clang")], folder).must(0, "recorded 1 process, 4 threads")
    seen = records(options, folder / "run")
    assert run.output == "4\n", run.output
    compare(seen, "reused_team.c")
    assert seen["ENTER"] == seen["LEAVE"], seen


@test_once
def a_child_that_leaves_a_team_leaves_the_records_of_its_parent(options):
    if not program(options, "forked_child").exists():
        return
    folder = fresh(options, "forked_child")
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "forked_child")], folder).must(0, "recorded 1 process, 1 thread")
    assert run.output == "parent\n", run.output
    times = values(options, folder / "run", "time")
    assert sum(time for path, time in times.items() if "parallel" in path) < 0.5 < sum(times.values()), times  # the child is in the team for a second


@test_once
def waits_for_one_of_several_openmp_locks_are_found(options):
    for name in "openmp_locks", "openmp_locks_clang":
        if not program(options, name).exists():
            continue
        folder = fresh(options, name)
        Run([options.heddle, "record", "-o", "run", "--", program(options, name)], folder).must(0)
        for metric in "omp_lock_contention_api", "omp_lock_contention_critical":
            waits = sum(values(options, folder / "run", metric).values())
            assert 0.01 < waits, (name, metric, waits)


@test_once
def constructs_keep_their_kind_when_there_are_too_many_names(options):
    for name in "many_locks", "many_locks_clang":
        if not program(options, name).exists():
            continue
        folder = fresh(options, name)
        run = Run([options.heddle, "record", "-o", "run", "--", program(options, name)], folder).must(0)
        assert run.output == "5\n", run.output
        seen = records(options, folder / "run")
        assert seen["ENTER"] == seen["LEAVE"] and 32000 < seen["THREAD_ACQUIRE_LOCK"] == seen["THREAD_RELEASE_LOCK"] < 33000, seen
        regions = sequences.sequences(options.otf2_print, folder / "run")
        assert not [region for region in regions if region.startswith("MPI_")] and regions["!$omp critical"] == {"": 4}, regions
        Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
        assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()


main()

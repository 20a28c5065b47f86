#!/usr/bin/env python3
"""heddle record: what is in the archives of programs that were written for it, what of a program stays as it is, and what goes wrong.

usage: test_record.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import collections
import filecmp
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import time

from recording import HANG_SECONDS, ROOT, Run, by_rank, check_archive, check_sequences, compare, fresh, main, must_end, program, record, records, test, test_once, topologies, values, visits, waited


@test
def a_late_sender_is_found_as_programmed(options):
    folder = fresh(options, "late")
    run = record(options, folder, "--", program(options, "late_sender")).must(0, "recorded 4 processes, 4 threads")
    waits = values(options, folder / "run", "mpi_latesender")
    assert list(waits) == ["late_sender;exchange;MPI_Recv"] and abs(sum(waits.values()) / waited(run) - 1) < 0.1, (waits, run.output)
    assert not (folder / "run" / "raw").exists() and not (folder / "run" / "heddle.findings.tsv").exists()
    shown = Run([options.heddle, "info", "run"], folder).must(0).output
    assert re.search(r"^creator +heddle record\nmachine +Linux$", shown, re.M), shown


@test
def fortran_is_recorded_too(options):
    if not program(options, "fortran_calls").exists():
        return
    folder = fresh(options, "fortran")
    run = record(options, folder, "--", program(options, "fortran_calls"), n=2).must(0, "recorded 2 processes")
    seen = records(options, folder / "run")
    wanted = {"MPI_SEND": 1, "MPI_RECV": 1, "MPI_ISEND": 2, "MPI_ISEND_COMPLETE": 2, "MPI_IRECV": 2, "MPI_COLLECTIVE_END": 20, "NON_BLOCKING_COLLECTIVE_COMPLETE": 6, "COMM_CREATE": 10}
    assert {kind: seen[kind] for kind in wanted} == wanted and "wrong" not in run.output, (seen, run.output)
    assert seen["THREAD_ACQUIRE_LOCK"] == 0 and seen["THREAD_FORK"] == 2, seen  # what libgfortran does for itself
    waits = values(options, folder / "run", "mpi_latesender")
    assert abs(waits["fortran_calls;step;exchange_;MPI_Recv"] / waited(run) - 1) < 0.1, (waits, run.output)
    assert set(waits) <= {"fortran_calls;step;exchange_;MPI_Recv", "fortran_calls;MAIN__;MPI_Waitall"}, waits  # the caller, not the layer of the MPI library
    assert topologies(options, folder / "run") == {"rows": (["row 2 T", "column 1 F"], {0: (0, 0), 2: (1, 0)}), "plain": (["Dimension 0 2 F"], {0: (1,), 2: (0,)})}


@test
def grids_and_files_are_recorded(options):
    folder = fresh(options, "files")
    record(options, folder, "--", program(options, "grids_and_files")).must(0, "recorded as calls only: neighbourhood collectives\n")
    compare(records(options, folder / "run"), "grids_and_files.c")
    check_sequences(options, folder / "run")
    definitions = subprocess.run([options.otf2_print, "-G", folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    places = re.findall(r'CART_COORDINATE .*"the grid" <\d+>, Rank: (\d) .*Coordinates: \((\d), (\d)\)', definitions)
    assert sorted(places) == [(str(rank), str(rank // 2), str(rank % 2)) for rank in range(4)], definitions
    assert definitions.count("CART_TOPOLOGY ") == 3 and "Size: 2, Periodicity: TRUE" in definitions, definitions  # and two columns
    sums = {metric: sum(values(options, folder / "run", metric).values()) for metric in ("io_bytes_read", "io_bytes_written")}
    assert sums == {"io_bytes_read": 4 * (16 + 32 + 16), "io_bytes_written": 4 * (256 + 4 + 4)}, sums
    assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()


@test
def functions_regions_and_iterations_are_recorded(options):
    folder = fresh(options, "parts")
    program_ = program(options, "marked_functions")
    record(options, folder, "--", program_, n=2).must(0, "recorded 2 processes")
    whole = {"main": 1, "main;before MPI": 1, "main;before MPI;MPI_Init": 1, "main;step": 5, "main;step;inner": 5, "main;step;inner;exchange": 5,
             "main;step;inner;exchange;MPI_Sendrecv_replace": 5, "main;step;inner;excluded": 5, "main;jumps": 1, "main;jumps;left_by_jump": 1,
             "main;short_one": 10, "main;MPI_Finalize": 1}
    whole.update({"main" + depth * ";deep": 1 for depth in range(1, 71)})
    assert visits(options, folder / "run") == whole, visits(options, folder / "run")
    definitions = subprocess.run([options.otf2_print, "-G", folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    assert re.findall(r'REGION .*"(.*?)" <\d+> \(Aka.*Paradigm: USER, Flags: {DYNAMIC}', definitions) == ["step"], definitions
    shutil.rmtree(folder / "run")
    record(options, folder, "--filter", ROOT / "tests" / "record" / "exclude.filter", "--", program_, n=2).must(0)
    kept = {path: n for path, n in whole.items() if not re.search("excluded|jump|short", path)}
    assert visits(options, folder / "run") == kept, visits(options, folder / "run")


@test_once
def short_functions_are_dropped_and_named(options):
    for trial in range(6):  # a busy machine makes them long, so that one process may not drop them, or late
        folder = fresh(options, "short")
        run = record(options, folder, "--", program(options, "marked_functions"), "long", n=2).must(0)
        seen = visits(options, folder / "run")["main;short_one"]
        if "not recorded to the end: short_one\n" in run.errors and seen < 300000:
            break
    if seen == 300000 and os.getloadavg()[0] > os.cpu_count():
        return  # a call takes more than 1 us where processes wait for each other
    assert seen in (100000, 200000) and "not recorded to the end: short_one\n" in run.errors, (trial, seen, run.errors)
    shutil.rmtree(folder / "run")
    run = record(options, folder, "--all-functions", "--", program(options, "marked_functions"), "long", n=2).must(0)
    assert visits(options, folder / "run")["main;short_one"] == 300000 and "to the end" not in run.errors, run.errors


def check_part(options, folder, n, *words):
    """Records it, too."""
    return check_archive(options, folder, record(options, folder, *words).must(0), n)


@test
def parts_of_a_run_are_recorded(options):
    paused = program(options, "paused")
    seen = check_part(options, fresh(options, "together"), 10, "--", paused, "together")
    assert seen["MEASUREMENT_ON_OFF"] == 8 and seen["MPI_ISEND"] == 40, seen
    seen = check_part(options, fresh(options, "apart"), None, "--", paused, "apart")
    assert 8 == seen["MEASUREMENT_ON_OFF"] and 40 <= seen["MPI_IRECV"] < 80, seen
    for late in 0.02, 0.08, 0.32:  # on a busy machine others come late, too, which the waits lack
        folder = fresh(options, "iterations")
        seen = check_part(options, folder, 4, "--iterations=12-15", "--", paused, "", int(late * 1e6))
        assert seen["MEASUREMENT_ON_OFF"] == 0 and seen["MPI_ISEND"] == 16 and not any("Init" in path for path in visits(options, folder / "run")), seen
        waits = sum(values(options, folder / "run", "mpi_latesender").values()) / (4 * late)
        if 0.9 < waits < 6:
            break
    assert 0.9 < waits < 6, (late, waits)  # of the process behind rank 0, and of those that wait for it
    for n in range(2):  # the begin of a window is at any place
        for slower in 1, 2, 4, 8, 16:  # a busy machine is not as far as the iterations when a window ends
            folder = fresh(options, f"window-{n}")
            words = [f"--window={200 * slower}ms:{(300 + 50 * n) * slower}ms", "--", paused, "", 50000 * slower]
            run = record(options, folder, *words).must(0)
            if "nothing was recorded" in run.errors:
                continue
            seen = check_archive(options, folder, run, None)
            if seen["MPI_IRECV"] > 0:
                break
        assert 0 < seen["MPI_IRECV"] < 80, (slower, seen)
    folder = fresh(options, "no part")
    record(options, folder, "--window=1h:1s", "--", paused).must(0, "nothing was recorded of the part of the run")
    shutil.rmtree(folder / "run")
    for words in ("--window=60", "--window=60:30", "--window=1s:0s", "--iterations=0-3", "--iterations=4-3", "--iterations=x"):
        Run([options.heddle, "record", words, "-o", "run", "--", paused], folder).must(2, "is no part of a run", "such as")
        assert not (folder / "run").exists()


@test
def several_levels_of_callers_are_recorded(options):
    folder = fresh(options, "callers")
    record(options, folder, "--callers=5", "--", program(options, "marked_parts"), n=2).must(0)
    assert visits(options, folder / "run")["main;step;inner;through;exchange;MPI_Sendrecv_replace"] == 5, visits(options, folder / "run")
    analyze = [options.heddle, "analyze", folder / "run", "-o", "callers.cubex", "--force", "--quiet", "--mpi=no", "--iterations"]
    Run([*analyze, "exchange"], folder).must(0, 'region "exchange" are no iterations')
    assert "no iterations" not in Run([*analyze, "step"], folder).must(0).errors  # the program marks it


@test
def functions_of_a_stripped_program_have_their_addresses(options):
    folder = fresh(options, "python-stripped")  # no interpreter of Python
    subprocess.run(["strip", "-o", folder / "parts", program(options, "marked_parts")], check=True)
    symbols = subprocess.run(["nm", program(options, "marked_parts")], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = {name: f"parts+{int(address, 16):#x}" for address, kind, name in re.findall(r"^([0-9a-f]+) ([tT]) (\w+)$", symbols, re.M)}
    record(options, folder, "--callers=5", "--", folder / "parts", n=2).must(0, "no symbol table", str(folder / "parts"), "debug symbols")
    path = ";".join([names["main"], "step", "inner", names["through"], names["exchange"], "MPI_Sendrecv_replace"])
    assert (seen := visits(options, folder / "run"))[path] == 5, (path, seen)
    record(options, fresh(options, "stripped_once"), "--", shutil.copy(folder / "parts", folder / "python4.1"), n=2).must(0, "no symbol table", 'heddle_record.region("NAME")')


@test
def counters_are_recorded(options):
    folder = fresh(options, "counters")
    program_ = program(options, "hybrid") if program(options, "hybrid").exists() else program(options, "marked_functions")
    probe = Run([options.heddle, "record", "--counters=task-clock", "-o", "probe", "--", "true"], folder)
    names = ["task-clock", "page-faults"] if probe.code == 0 else []  # containers may forbid perf_event_open()
    assert names or "the kernel forbids" in probe.errors, probe.errors
    names += ["ru_utime", "ru_maxrss", "ru_minflt"]
    record(options, folder, "--counters=" + ",".join(names), "--", program_, n=2).must(0)
    shown = subprocess.run([options.otf2_print, folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    last, seen = {}, collections.Counter()
    lines = [line for line in shown.splitlines() if re.match("(METRIC|ENTER|LEAVE) ", line)]
    for line, after in zip(lines, lines[1:]):
        if line.startswith("METRIC"):
            location, values_ = line.split()[1], [int(value) for value in re.findall(r"UINT64; (\d+)\)", line)]
            assert len(values_) == len(names) and all(new >= old for new, old in zip(values_, last.get(location, values_))), (location, values_, last)
            last[location] = values_
        seen[line.split()[0]] += 1
    assert lines and seen["METRIC"] == seen["ENTER"] + seen["LEAVE"] + 1 and lines[-1].startswith("LEAVE"), seen
    assert all(values_[names.index("ru_maxrss")] > 100 for values_ in last.values()) and sum(map(sum, last.values())) > 0, last
    definitions = subprocess.run([options.otf2_print, "-G", folder / "run" / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    assert re.findall(r'METRIC_MEMBER .*Name: "(.*?)"', definitions) == names, definitions
    assert "task-clock" not in names or re.search(r'METRIC_MEMBER .*Name: "task-clock".*Unit: "ns"', definitions), definitions
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    run = Run([options.heddle, "record", "--counters=" + names[0], "-o", "keys", "--", program(options, "posix_threads"), "keys"], folder).must(0)
    assert "could not be read" not in run.errors, run.errors  # threads that lock a mutex in a destructor
    run = Run([options.heddle, "record", "--counters=cycles,instructions", "-o", "cycles", "--", "true"], folder)
    assert run.code == 0 or (run.code == 2 and re.search('has no counter "(cycles|instructions)"|forbids counting "cycles"', run.errors)), run.errors
    assert run.code == 0 or not (folder / "cycles").exists()
    Run([options.heddle, "record", "--counters=sheep", "-o", "sheep", "--", "true"], folder).must(2, 'no counter "sheep"', "ru_utime")
    Run([options.heddle, "record", "--counters=ru_utime,ru_utime", "-o", "sheep", "--", "true"], folder).must(2, "named twice")


@test_once
def wrong_filters_are_refused(options):
    folder = fresh(options, "filters")
    for number, (text, words) in enumerate((("SCOREP_FILE_NAMES_BEGIN\n", "filtered by their files"), ("EXCLUDE a\n", "outside of"),
                                            ("SCOREP_REGION_NAMES_BEGIN\na\n", "line 2: EXCLUDE or INCLUDE"), ("SCOREP_REGION_NAMES_BEGIN EXCLUDE a", "is missing"))):
        (folder / f"{number}.filter").write_text(text)
        run = Run([options.heddle, "record", "--filter", f"{number}.filter", "-o", "run", "--", program(options, "marked_parts")], folder).must(1, words)
        assert not (folder / "run").exists() and not run.output, run.output
    Run([options.heddle, "record", "--filter=none", "-o", "run", "--", program(options, "marked_parts")], folder).must(1, "cannot open the filter file")


@test_once
def python_and_cxx_mark_their_parts(options):
    folder = fresh(options, "python")
    (folder / "program.py").write_text("import heddle_record\nheddle_record.topology_define('mesh', {'x': 2, 'y': 3}, periodic=['y'])\nheddle_record.topology_place('mesh', 1, 2)\nfor i in range(3):\n    with heddle_record.iteration('step'), heddle_record.region('part'):\n        print(i)\n")
    (folder / "program.cc").write_text('''#include <heddle/record.h>
#include <atomic>
#include <thread>
static std::atomic<int> there{0};
static void place(int i) { heddle_topology_place("threads", 1, &i); for (there++; there < 3;) std::this_thread::yield(); }
int main() {
    const int sizes[] = { 2, 3 }, periodic[] = { 0, 1 }, here[] = { 1, 2 };
    const char *names[] = { "x", "y" };
    heddle_topology_define("mesh", 2, sizes, periodic, names);
    heddle_topology_place("mesh", 2, here);
    heddle_topology_define("threads", 1, sizes + 1, NULL, NULL);
    for (int i = 0; i < 3; i++) { heddle::iteration step("step"); heddle::region part("part"); }
    std::thread one(place, 0), two(place, 1);
    place(2);
    one.join();
    two.join();
}
''')
    api = ROOT / "src" / "record" / "api"
    words = ["c++", "-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{api}", "-o", "cxx", "program.cc", "-ldl", "-pthread"]
    assert subprocess.run(words, cwd=folder).returncode == 0
    for name, command in (("cxx", ["./cxx"]), ("py", [sys.executable, "program.py"])):
        alone = Run(command, folder, {"PYTHONPATH": api, "PYTHONDONTWRITEBYTECODE": "1"}).must(0)
        run = Run([options.heddle, "record", "--mpi=none", "-o", f"run-{name}", "--", *command], folder, {"PYTHONPATH": api, "PYTHONDONTWRITEBYTECODE": "1"}).must(0, "recorded 1 process")
        assert run.output == alone.output
        seen = {path.rpartition("main;")[2]: n for path, n in visits(options, folder / f"run-{name}").items()}
        assert seen["step"] == 3 and seen["step;part"] == 3, seen
        found = topologies(options, folder / f"run-{name}")
        assert found["mesh"] == (["x 2 F", "y 3 T"], {0: (1, 2)}), found
        assert name == "py" or sorted(found["threads"][1].items()) in ([(0, (2,)), (1, (0,)), (2, (1,))], [(0, (2,)), (1, (1,)), (2, (0,))]), found


@test
def messages_to_other_worlds_are_counted(options):
    folder = fresh(options, "spawn")
    if Run([options.mpirun, "-n", 2, program(options, "spawning")], folder).code != 0:
        return  # MPI libraries of some distributions cannot spawn
    run = record(options, folder, "--", program(options, "spawning"), n=2).must(0, "4 messages of 16 bytes to processes of other worlds\n")
    assert run.output == "got 7\n" and "unknown" not in run.errors, (run.output, run.errors)
    seen = records(options, folder / "run")
    assert seen["MPI_SEND"] == seen["MPI_RECV"] == 1 and seen["NON_BLOCKING_COLLECTIVE_REQUEST"] == 0, seen
    assert seen["MPI_COLLECTIVE_BEGIN"] == seen["MPI_COLLECTIVE_END"] == 2 * 5, seen  # MPI_Init, _Finalize, _Comm_split, _Barrier, _Comm_free
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()


@test
def the_analysis_can_follow_at_once(options):
    folder = fresh(options, "at once")
    run = record(options, folder, "--html", "--", program(options, "late_sender"), more={"OMP_NUM_THREADS": "1"}).must(0, "recorded 4 processes")
    assert "\033" not in run.output, run.output  # the launcher shows a terminal
    assert "Late Sender" in run.output and re.search(r"Analysis ranks +1\n +Threads per rank +%d\n" % len(os.sched_getaffinity(0)), run.output), run.output
    assert (folder / "run" / "heddle.cubex").exists() and (folder / "run" / "heddle.html").exists(), list((folder / "run").iterdir())
    shutil.rmtree(folder / "run")
    # When a process fails, Open MPI kills the others, in tests at once: here not before heddle record has seen their ends.
    run = record(options, folder, "--analyze", "-q", "--", program(options, "ending_program"), "return", n=2,
                 more={"OMPI_MCA_odls_base_sigkill_timeout": "5"}).must(7)
    end = time.monotonic() + HANG_SECONDS  # the launcher ends heddle record when a program fails, but not the analysis
    while not (folder / "run" / "heddle.cubex").exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert not run.output and (folder / "run" / "heddle.cubex").exists(), (run.output, run.errors)


@test
def ranks_that_were_not_recorded_have_a_place_in_the_archive(options):
    folder = fresh(options, "absent")
    late_sender = program(options, "late_sender")
    Run([options.heddle, "record", "-o", "nosuch/run", "--", late_sender], folder).must(1, "cannot make the folder", "try:      --output DIR")
    for recorded in 0, 1:
        words = [[options.heddle, "record", "-o", f"run{recorded}", "--", late_sender] if rank == recorded else [late_sender] for rank in range(2)]
        Run(by_rank(options.mpirun, *words), folder).must(0)  # the other one never ends for heddle record
        Run([options.heddle, "record", f"--finish=run{recorded}"], folder).must(0, "recorded 1 process", "1 of 2 processes have recorded nothing")
        Run([options.heddle, "record", f"--finish=run{recorded}"], folder).must(0, f"there is an archive already, and nothing to make: run{recorded}/traces.otf2")
        Run([options.heddle, "analyze", "-q", f"run{recorded}"], folder).must(3, "1 process ends inside of calls", f"process {1 - recorded}")
        shown = Run([options.otf2_print, folder / f"run{recorded}" / "traces.otf2"], folder).must(0)
        assert "rror" not in shown.errors, shown.errors


@test_once
def a_world_of_too_many_processes_is_damaged(options):
    """The size of the world is what most say; where none but a few of very many recorded, no archive is made of all of them."""
    folder = fresh(options, "damaged-world")
    record(options, folder, "--keep-raw", "--", program(options, "late_sender"), n=4).must(0)
    for n_damaged, code, said in ((1, 0, "recorded 3 processes"), (4, 1, "MPI_COMM_WORLD has 16777216 processes, of which 4 have recorded")):
        copy, n = folder / f"copy{n_damaged}", 0
        shutil.copytree(folder / "run" / "raw", copy / "raw")
        for path in sorted((copy / "raw").glob("*.def")):
            data = path.read_bytes()
            for rank in range(n_damaged):
                world = struct.pack("<QQ", rank, 4)
                n += data.count(world)
                data = data.replace(world, struct.pack("<QQ", rank, 1 << 24))
            path.write_bytes(data)
        assert n >= n_damaged, n
        Run([options.heddle, "record", "--finish", copy], folder).must(code, said)



@test_once
def a_full_disk_is_told_and_the_archive_can_be_made_later(options):
    folder = fresh(options, "full")
    (folder / "disk").mkdir()
    script = """mount -t tmpfs -o size=10M tmpfs disk || exit 77
        head -c 4994304 /dev/zero > disk/fill
        "$0" record -o disk/run -- "$1" hot 2> errors
        code=$?
        rm disk/fill
        "$0" record --finish disk/run 2> finished || exit 1
        exit $code"""
    run = Run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, options.heddle, program(options, "posix_threads")], folder)
    if run.code == 77 or run.errors.startswith("unshare:"):
        return  # not everybody may mount
    run.must(0)
    errors = (folder / "errors").read_text()
    assert "the disk is full" in errors and "[OTF2]" not in errors and re.search("try: +heddle record --finish", errors), errors
    assert "recorded 1 process" in (folder / "finished").read_text(), (folder / "finished").read_text()


@test_once
def an_archive_is_whole_or_fails_where_files_may_not_be_so_long(options):
    """libotf2 writes a file in pieces of 4 MiB: one of the first, and the last."""
    folder = fresh(options, "too_long")
    record(options, folder, "--keep-raw", "--", program(options, "under_tool"), 250000, n=1).must(0)
    sizes = {path.name: path.stat().st_size for path in (folder / "run" / "traces").iterdir()}
    assert sizes["0.evt"] > 5 << 20, sizes
    shutil.rmtree(folder / "run" / "traces")
    for name in "traces.otf2", "traces.def":
        (folder / "run" / name).unlink()
    for limit in 1000, 3000000, sizes["0.evt"] - 1:
        run = Run(["prlimit", f"--fsize={limit}", options.heddle, "record", "--finish=run"], folder).must(1, "cannot write the archive in", "File is too large")
        assert {path.name for path in (folder / "run").iterdir()} == {"raw"}, (limit, run.errors)
    Run([options.heddle, "record", "--finish=run"], folder).must(0, "recorded 1 process")
    assert {path.name: path.stat().st_size for path in (folder / "run" / "traces").iterdir()} == sizes, sizes
    for limit in 1000, 5000000, sizes["0.evt"] - 8192:  # heddle extract writes with libotf2, too
        run = Run(["prlimit", f"--fsize={limit}", options.heddle, "extract", "run", "--from=0", "--to=60", "-o", "part"], folder)
        run.must(1, "cannot write the archive in", "File too large")
        assert {path.name for path in folder.iterdir()} == {"run"}, (limit, list(folder.iterdir()))


@test_once
def a_process_without_room_is_told_with_the_reason(options):
    """Each has 192 KiB at least: one of four has none, so that it stops before MPI_Init."""
    folder = fresh(options, "no room")
    (folder / "disk").mkdir()
    script = 'mount -t tmpfs -o size=700k tmpfs disk || exit 77; exec "$0" -n 4 "$1" record -o disk/run -- "$2"'
    run = Run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, options.mpirun, options.heddle, program(options, "late_sender")], folder)
    if run.code == 77 or run.errors.startswith("unshare:"):
        return  # not everybody may mount
    run.must(0, "recorded 3 processes, 3 threads", "1 of 4 processes have recorded nothing", "recorded to its end: the disk is full")
    assert "other programs" not in run.errors, run.errors


@test
def the_archive_is_made_when_nobody_reads_what_is_said(options):
    folder = fresh(options, "nobody reads")
    command = [options.heddle, "record", "--html", "-o", "run", "--", options.mpirun, "-n", "2", program(options, "late_sender")]
    recording = subprocess.Popen([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 env={**os.environ, "OMP_NUM_THREADS": "1"})
    recording.stdout.close()
    recording.wait(timeout=HANG_SECONDS)  # with 0, or what becomes of a launcher that says something
    assert (folder / "run" / "heddle.html").exists() and not (folder / "run" / "raw").exists(), list((folder / "run").iterdir())


@test
def every_call_has_its_records(options):
    folder = fresh(options, "calls")
    record(options, folder, "--", program(options, "every_call")).must(0)
    seen = records(options, folder / "run")
    compare(seen, "every_call.c")
    check_sequences(options, folder / "run")
    assert seen["ENTER"] < 200000, seen  # of 200,000 calls of each of five functions in a row, with an enter and a caller each
    assert seen["MPI_COLLECTIVE_BEGIN"] == seen["MPI_COLLECTIVE_END"] and seen["ENTER"] == seen["LEAVE"]
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()


@test
def threads_that_call_mpi_are_recorded(options):
    for name in "hybrid", "hybrid_clang":
        if not program(options, name).exists():
            continue
        folder = fresh(options, name)
        run = record(options, folder, "--", program(options, name), n=2).must(0, "recorded 2 processes, 4 threads")
        assert run.output == "2450\n2450\n", run.output
        compare(records(options, folder / "run"), "hybrid.c")
        check_sequences(options, folder / "run")
        Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
        assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()


@test
def functions_of_libraries_that_are_gone_have_no_names_of_others(options):
    folder, programs = fresh(options, "plugins"), options.programs.resolve()
    for i, (functions, wanted) in enumerate(((["-plugin_a"], {"plugin_a": 2}), (["plugin_b", "-plugin_a"], {"plugin_a": 2, "plugin_b": 2}), (["-plugin_a", "plugin_b"], {}))):
        Run([options.heddle, "record", "-o", f"run-{i}", "--", program(options, "plugins"), programs, *functions], folder).must(0)
        seen = visits(options, folder / f"run-{i}")
        found = {name: n for name, n in seen.items() if name.startswith("plugin_") and ";" not in name}
        assert found == wanted or (functions[0] == "-plugin_a" and found == {"plugin_a": 2, "plugin_b": 2}), seen  # where the second one has the first one's place


@test_once
def a_library_that_was_built_anew_has_not_the_names_of_the_other(options):
    """While the program runs, and before the archive is made."""
    folder = fresh(options, "built_anew")
    for name in "plugin_a.so", "plugin_b.so":
        shutil.copy(options.programs / name, folder)

    def named(archive):
        return {name: n for name, n in visits(options, folder / archive).items() if name.startswith("plugin_") and ";" not in name}
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "plugins"), folder, "-plugin_a", "-plugin_b=plugin_a"], folder).must(0)
    assert named("run") in ({}, {"plugin_b": 2}), (named("run"), run.errors)  # none where the second one has the first one's place
    assert not named("run") or "plugin_a.so" in run.errors, run.errors
    shutil.copy(options.programs / "plugin_a.so", folder / "plugin_a.so")
    Run([options.heddle, "record", "--keep-raw", "-o", "kept", "--", program(options, "plugins"), folder, "plugin_a"], folder).must(0)
    assert named("kept") == {"plugin_a": 2}, named("kept")
    shutil.copytree(folder / "kept" / "raw", folder / "later" / "raw")
    shutil.copy(options.programs / "plugin_b.so", folder / "plugin_a.so")
    Run([options.heddle, "record", "--finish", "later"], folder).must(0, "these files were replaced after they were loaded", "plugin_a.so")
    assert named("later") == {}, named("later")


@test_once
def damaged_raw_files_are_read_as_far_as_they_go(options):
    folder = fresh(options, "damaged")
    record(options, folder, "--keep-raw", "--", program(options, "ending_program"), n=2).must(0)
    random = __import__("random").Random(7)
    for trial in range(12):
        copy = folder / f"copy-{trial}"
        shutil.copytree(folder / "run" / "raw", copy / "raw")
        for path in sorted((copy / "raw").glob("*-*-*.*")):
            data = bytearray(path.read_bytes()[:65536])
            for _ in range(1 + trial):
                data[random.randrange(len(data.rstrip(b"\0")) if path.suffix == ".def" else 8192)] = random.randrange(256)
            path.write_bytes(data[:random.randrange(len(data))] if trial % 3 == 0 else data)
        done = Run([options.heddle, "record", "--finish", copy], folder)
        assert done.code in (0, 1) and (done.code == 0 or "heddle: error: " in done.errors), (trial, done.code, done.errors)
        if (copy / "traces.otf2").exists():
            assert Run([options.heddle, "analyze", "-q", copy], folder).code in (0, 1, 3)


@test_once
def raw_files_of_another_version_are_refused(options):
    folder = fresh(options, "version")
    record(options, folder, "--keep-raw", "--", program(options, "late_sender"), n=2).must(0)
    shutil.copytree(folder / "run" / "raw", folder / "old" / "raw")
    for path in (folder / "old" / "raw").glob("*.def"):
        data = bytearray(path.read_bytes())
        data[16:24] = (int.from_bytes(data[16:24], "little") - 1).to_bytes(8, "little")  # the first word of what is defined first
        path.write_bytes(data)
    Run([options.heddle, "record", "--finish", "old"], folder).must(1, "or one of another version of heddle record", "try:      the heddle that recorded it")
    assert not (folder / "old" / "traces.otf2").exists() and list((folder / "old" / "raw").glob("*.log"))


@test_once
def a_window_that_is_copied_is_not_there_twice(options):
    """A process may be killed while its full window is copied to the end of the file, or before that is used again."""
    folder, window = fresh(options, "copied"), 1 << 17
    record(options, folder, "--keep-raw", "--", program(options, "many_calls"), 2000, 5, n=2).must(0)
    archive = {path.name: path.read_bytes() for path in (folder / "run" / "traces").iterdir()}
    for length, is_empty in (8, False), (16, False), (1000, False), (window - 8, False), (window, False), (window, True):
        copy = folder / f"copy-{length}-{is_empty}"
        shutil.copytree(folder / "run" / "raw", copy / "raw")
        for path in (copy / "raw").glob("*.log"):
            data = path.read_bytes()
            assert len(data) % window == 0 and len(data) >= 3 * window, (path, len(data))
            path.write_bytes((data[:8] + bytes(8) + data[16:] if is_empty else data) + data[:length])
        Run([options.heddle, "record", "--finish", copy], folder).must(0)
        assert {path.name: path.read_bytes() for path in (copy / "traces").iterdir()} == archive, (length, is_empty)


@test
def output_and_exit_code_stay(options):
    folder = fresh(options, "same")
    for how, code in (("", 0), ("return", 7)):
        plain = Run([options.mpirun, "-n", 2, program(options, "ending_program"), how, "it's", "two\nlines"], folder)
        shutil.rmtree(folder / "run", ignore_errors=True)
        with_it = record(options, folder, "-q", "--", program(options, "ending_program"), how, "it's", "two\nlines", n=2)
        assert (plain.code, plain.output) == (code, "it's\ntwo\nlines\n") == (with_it.code, with_it.output), (plain.code, with_it.code, with_it.output)
        assert how or not with_it.errors, with_it.errors
    assert "calls only" not in record(options, fresh(options, "same"), "--", program(options, "ending_program"), "file", n=2).must(0).errors


@test
def calls_with_wrong_arguments_are_no_messages(options):
    folder = fresh(options, "wrong_calls")
    plain = Run([options.mpirun, "-n", 2, program(options, "wrong_calls")], folder).must(0)
    assert plain.output.splitlines().count("truncated 1 1, then 1") == 2 and plain.output.count("type 1, tag 1, rank 1, root 1, type 1") == 2, plain.output
    with_it = record(options, folder, "-q", "--", program(options, "wrong_calls"), n=2).must(0)
    assert sorted(plain.output.splitlines()) == sorted(with_it.output.splitlines()) and not with_it.errors, (plain.output, with_it.output, with_it.errors)
    compare(records(options, folder / "run"), "wrong_calls.c")
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)


@test
def nothing_is_lost_when_a_program_ends_early(options):
    for how in ("abort", "exit", "_exit", "segv", "kill", "exec", "fork", "system"):
        folder = fresh(options, f"end-{how}")
        run = record(options, folder, "--", program(options, "ending_program"), how, n=2)
        must_end(options, run, how)
        Run([options.heddle, "record", "--finish", "run"], folder).must(0)  # the launcher may have ended heddle record
        seen = records(options, folder / "run")
        assert seen["MPI_COLLECTIVE_END"] >= 2 * 100, (how, seen)  # of 101; one may not have left the last barrier
        done = Run([options.heddle, "analyze", "-q", "run"], folder)
        assert done.code in ((0,) if how in ("fork", "system") else (0, 3)), (how, done.code, done.errors)


def calls_of(options, archive, rank):
    """{function: how many are left} of a rank"""
    shown = subprocess.run([options.otf2_print, "-L", str(rank), archive / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    return collections.Counter(re.findall(r'^LEAVE +\d+ +\d+ +Region: "(MPI_\w+)"', shown, re.M))


@test
def each_call_is_kept_when_it_is_killed_at_any_time(options):
    folder = fresh(options, "kills")
    random = __import__("random").Random(11)
    n_kept = 0
    for trial in range(options.kills):
        case = folder / str(trial)
        case.mkdir()
        early = ["early"] if trial % 4 == 3 else []
        limit = ["timeout", "-k", 5, 20]  # launchers may wait for ever for a process that ends within MPI_Init
        words = [program(options, "killed"), ".", random.randrange(400000 if early else 40000), *early]
        if trial % 2:
            Run([*limit, options.heddle, "record", "-o", "run", "--", options.mpirun, "-n", 2, *words], case)
        else:
            Run([*limit, options.mpirun, "-n", 2, options.heddle, "record", "-o", "run", "--", *words], case)
        Run([options.heddle, "record", "--finish", "run"], case).must(0)
        for rank in range(2):
            path = case / f"calls-{rank}"
            counts = struct.unpack("2Q", path.read_bytes()[:16]) if path.exists() and path.stat().st_size else (0, 0)
            left = calls_of(options, case / "run", rank) if sum(counts) else collections.Counter()
            for function, returned in zip(("MPI_Sendrecv", "MPI_Allreduce"), counts):
                n_kept += returned
                assert returned <= left[function] <= returned + 1 or not sum(counts), (trial, words, rank, function, returned, left)
        shutil.rmtree(case)
    assert n_kept > options.kills, n_kept


@test
def a_hanging_run_says_who_waits(options):
    for seconds in 3, 12, 48:  # until it hangs, on a busy machine
        folder = fresh(options, "hang")
        command = ["timeout", "-s", "TERM", seconds, options.mpirun, "-n", "2", options.heddle, "record", "-o", "run", "--", program(options, "ending_program"), "hang"]
        assert Run(command, folder).code != 0, seconds
        finish = Run([options.heddle, "record", "--finish=run"], folder)
        n = records(options, folder / "run")["MPI_COLLECTIVE_END"] if finish.code == 0 else 0
        if n == 2 * 101:
            break
    assert n == 2 * 101, (seconds, n, finish.errors)
    Run([options.heddle, "analyze", "run"], folder)
    summary = Run([options.heddle, "summary", "run"], folder).output
    assert "MPI_Barrier" in summary and "process 0" in summary, summary


@test_once
def one_recording_gives_one_archive(options):
    folder = fresh(options, "twice")
    record(options, folder, "--keep-raw", "--", program(options, "every_call")).must(0)
    for path in (folder / "run" / "raw").glob("*.def"):  # what is loaded is defined once
        assert len(re.findall(rb"/libmpi(?:ch)?\.so[.\d]*\0", path.read_bytes())) == 1, path
    for threads in "1", "4":
        again = folder / f"again-{threads}"
        again.mkdir()
        shutil.copytree(folder / "run" / "raw", again / "raw")
        Run([options.heddle, "analyze", again], folder).must(1, f"heddle record --finish={again}")
        Run([options.heddle, "record", "--finish", again], folder, {"OMP_NUM_THREADS": threads}).must(0)
        names = [str(path.relative_to(again)) for path in again.rglob("*") if path.is_file()]
        assert "traces.otf2" in names and not (again / "raw").exists(), names
        different = [name for name in names if not filecmp.cmp(again / name, folder / "run" / name, shallow=False)]
        assert different in ([], ["traces.otf2"]), different  # the anchor has an identifier of its own
    before = (folder / "again-1" / "traces.otf2").read_bytes()
    Run([options.heddle, "record", "--finish", "again-1"], folder).must(0)
    assert (folder / "again-1" / "traces.otf2").read_bytes() == before


@test
def what_cannot_be_recorded_is_said_before(options):
    folder = fresh(options, "errors")
    shutil.copy(program(options, "late_sender"), folder / "other")
    with open(folder / "other", "r+b") as file:
        file.seek(18)  # e_machine
        file.write(b"\xf3\x00")  # RISC-V
    shutil.copy(program(options, "late_sender"), folder / "owner")
    (folder / "owner").chmod(0o755 | stat.S_ISUID)
    (folder / "static.c").write_text("int main(void) { return 0; }\n")
    has_static = subprocess.run(["cc", "-static", "-o", "static", "static.c"], cwd=folder, capture_output=True).returncode == 0
    cases = [("./other", "another architecture"), ("./owner", "rights of its owner"), ("./nowhere", "there is no command")]
    for name, words in cases + ([("./static", "linked statically")] if has_static else []):
        run = Run([options.heddle, "record", "-o", "run", "--", name], folder)
        assert run.code in (1, 2) and words in run.errors and "try:" in run.errors + "try:" * (name == "./nowhere"), run.errors
        assert not (folder / "run").exists()
    (folder / "run").mkdir()
    (folder / "run" / "mine").write_text("x")
    record(options, folder, "--", program(options, "ending_program"), "", "never", n=2)
    run = Run([options.heddle, "record", "-o", "run", "--", program(options, "late_sender")], folder).must(1, "there is a folder \"run\" already")
    assert not run.output and sorted(path.name for path in (folder / "run").iterdir()) == ["mine"]
    Run([options.heddle, "record"], folder).must(2, "needs a program")
    Run([options.heddle, "record", "--finish=run", "true"], folder).must(2, "--finish runs nothing")
    Run([options.heddle, "record", "--counters", "-o", "here", "--", "true"], folder).must(2, '"--counters" needs a value: NAME,..., and "-o" is an option')


@test
def the_wrong_library_is_refused_before_it_crashes(options):
    folder = fresh(options, "wrong")
    other = {"openmpi": "mpich", "mpich": "openmpi"}[options.mpi]
    if not (options.libraries / f"libheddle-record-{other}.so").exists():
        return
    run = Run([options.heddle, "record", f"--mpi={other}", "-o", "run", "--", program(options, "late_sender")], folder)
    assert run.code != 0 and "another MPI library" in run.errors and f"--mpi={options.mpi}" in run.errors, run.errors


@test
def other_programs_are_not_disturbed(options):
    folder = fresh(options, "others")
    run = Run([options.heddle, "record", "-o", "run", f"--mpi={options.mpi}", "--", "sh", "-c", "echo a; true; exit 4"], folder)
    assert (run.code, run.output) == (4, "a\n") and "nothing was recorded" in run.errors, (run.code, run.output, run.errors)
    assert not (folder / "run").exists()


@test_once
def a_limit_of_the_files_stops_the_recording_only(options):
    if not program(options, "openmp_constructs").exists():
        return
    folder = fresh(options, "limit")
    limited = ["sh", "-c", 'ulimit -f 200; exec "$0" "$@"', options.heddle, "record", "-o", "run", "--", program(options, "openmp_constructs")]
    run = Run(limited, folder).must(0, "is not recorded from now on: files may not get longer")
    assert run.output == Run([program(options, "openmp_constructs")], folder).output


@test
def recording_ends_at_the_limit(options):
    folder = fresh(options, "size")
    run = record(options, folder, "--limit=2M", "--all-functions", "--", program(options, "marked_functions"), "long", n=2)
    run.must(0, "as much as --limit says", "not recorded to their ends")
    assert 20000 < visits(options, folder / "run")["main;short_one"] < 60000, visits(options, folder / "run")  # 40 bytes for each


@test
def the_libraries_need_no_other(options):
    library = options.libraries / f"libheddle-record-{options.mpi}.so"
    names = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
    assert not re.search(r"\b(P?MPI_|ompi_|OTF2_|GOMP_|omp_)", names), names


main()

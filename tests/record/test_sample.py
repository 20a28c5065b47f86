#!/usr/bin/env python3
"""heddle record --sample: functions that compute, beside calls that stay as they are.

The program computes by the clock of its processor time, and samples come at ticks of the kernel, up to 10 ms apart: a function that has 3/4 of 700 ms has some
50 samples or more, of which a random choice has 60 % to 90 %. The time of a function in the archive is wall time: where other programs take the processor, that time
counts for the function which waits for it. So 35 % to 98 % are allowed, which neither exchanged functions nor a single one have.

usage: test_sample.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import os
import re
import shutil
import struct
import subprocess
import time

from recording import Run, fresh, main, program, record, records, test, test_once, values

SAMPLE, CALLS = 54, {"ENTER", "LEAVE"}
WINDOW = 1 << 17
ROOM = 0.35, 0.98  # of a share of 3/4
CLOCK_OF_TICKS = 6  # CLOCK_MONOTONIC_COARSE


def sampled(options, folder, *words, steps=20, ms=9, how="", hz=100):
    return record(options, folder, f"--sample={hz}", *words, "--", program(options, "sampled"), steps, ms, how, n=2)


def paths(options, archive, metric="time"):
    """{call path without the program: sum over all threads}"""
    return {path.partition(";")[2]: value for path, value in values(options, archive, metric).items() if ";" in path}


def share(options, archive, metric="time"):
    """Of assemble in assemble and solve, and the seconds of both; both are below work, and work below what calls it."""
    seen = paths(options, archive, metric)
    parts = {name: sum(value for path, value in seen.items() if f"work;{name}" in path) for name in ("assemble", "solve")}
    assert all(parts.values()), seen
    assert not any(re.search(r"(assemble|solve).*;(work|step|main|exchange|MPI_)|solve.*;assemble|assemble.*;solve", path) for path in seen), sorted(seen)
    return parts["assemble"] / sum(parts.values()), sum(parts.values())


def is_shared(options, archive, metric="time"):
    found = share(options, archive, metric)[0]
    assert ROOM[0] < found < ROOM[1], (metric, found)


def raw_samples(archive):
    """Of each log: [(stack depth, samples that got lost before it)]"""
    logs = []
    for path in sorted((archive / "raw").glob("*.log")):
        words, logs, at, found = path.read_bytes(), logs, 0, []
        while at + 16 <= len(words):
            head = struct.unpack_from("<Q", words, at + 8)[0]
            if head == 0:
                at = (at // WINDOW + 1) * WINDOW
                continue
            if head & 255 == SAMPLE:
                found.append((head >> 8 & 255, head >> 32 & 0xFFFF))
            at += 16 + 8 * (head >> 8 & 255)
        logs.append(found)
    return logs


@test
def the_function_that_computes_is_named_as_the_cause(options):
    folder = fresh(options, "cause")
    run = sampled(options, folder, "--keep-raw").must(0, "recorded 2 processes, 2 threads", " samples, one in ")
    assert "warning" not in run.errors and "computed" in run.output, (run.errors, run.output)
    is_shared(options, folder / "run")
    late = paths(options, folder / "run", "mpi_latesender")
    assert list(late) == ["main;step;exchange;MPI_Recv"], late
    causes = Run([options.heddle, "causes", "run"], folder).must(0).output
    of_causes = {"assemble": 0.0, "solve": 0.0}  # [%]
    for name, percent in re.findall(r"^  \S.*> work > (assemble|solve)\b.* ([\d.]+) %$\n(?:    at sampled.c:\d+\n)?    causes waiting at", causes, re.M):
        of_causes[name] += float(percent)
    assert sum(of_causes.values()) > 50 and ROOM[0] < of_causes["assemble"] / sum(of_causes.values()) < ROOM[1], causes
    depths = [depth for log in raw_samples(folder / "run") for depth, _ in log]
    known = [depth for depth in depths if depth > 1 or os.uname().machine != "aarch64"]  # there neither clocks of the kernel nor stubs of the linker can be unwound
    assert len(known) > 10 and 5 <= min(known) and max(known) < 40, depths


@test
def calls_are_the_same_with_and_without(options):
    for how in "", "polls":
        folder = fresh(options, "same" + how)
        record(options, folder, "--", program(options, "sampled"), 20, 4, how, n=2).must(0)
        without, waited = records(options, folder / "run"), sum(values(options, folder / "run", "mpi_latesender").values())
        (folder / "run").rename(folder / "without")
        sampled(options, folder, ms=4, how=how, hz=1000).must(0)
        having, waits = records(options, folder / "run"), sum(values(options, folder / "run", "mpi_latesender").values())
        assert {kind: n for kind, n in having.items() if kind not in CALLS} == {kind: n for kind, n in without.items() if kind not in CALLS}, (having, without)
        calls = [{path: n for path, n in mpi_visits(options, folder / name).items() if "Iprobe" not in path} for name in ("run", "without")]
        assert calls[0] == calls[1], calls
        # rank 1 waits for what rank 0 computes, 320 ms of processor time: less only where other programs take the processor from rank 1, too
        assert how == "polls" or (waited > 0.05 and waits > 0.05), (waited, waits)


def mpi_visits(options, archive):
    sums = {}
    for path, n in values(options, archive, "visits").items():
        call = path.split(";")[-1]
        if call.startswith("MPI_"):
            sums[call] = sums.get(call, 0) + n
    return sums


@test_once
def threads_have_samples_of_their_own(options):
    folder = fresh(options, "threads")
    sampled(options, folder, how="threads").must(0)
    is_shared(options, folder / "run")
    assert any(path.startswith("THREADS;work_in_thread;work;assemble") for path in paths(options, folder / "run")), paths(options, folder / "run")
    for name in "sampled", "sampled_clang":
        built = program(options, name)
        if not built.exists() or not re.search("libgomp|libomp", subprocess.run(["ldd", built], capture_output=True, text=True, check=True).stdout):
            continue
        folder = fresh(options, "team-" + name)
        record(options, folder, "--sample=100", "--", built, 20, 9, "team", n=2).must(0)
        is_shared(options, folder / "run")
        inside = [path for path in paths(options, folder / "run") if "assemble" in path]
        around = re.compile(r"main;step;!\$omp parallel @step;(step|[\w.]*omp_outlined[\w.]*);work;assemble")
        assert inside and all(around.match(path) for path in inside), inside


def counted(options, archive):
    """What the counters of all threads have counted from their first values to the last ones, by the archive: a list."""
    shown = subprocess.run([options.otf2_print, archive / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    of_thread = {}
    for line in shown.splitlines():
        if line.startswith("METRIC "):
            of_thread.setdefault(line.split()[1], []).append([int(value) for value in re.findall(r"UINT64; (\d+)\)", line)])
    assert all(new >= old for rows in of_thread.values() for before, after in zip(rows, rows[1:]) for old, new in zip(before, after)), of_thread
    return [sum(column) for column in zip(*([last - first for first, last in zip(rows[0], rows[-1])] for rows in of_thread.values()))]


@test_once
def counters_are_those_of_the_functions_that_samples_show(options):
    folder = fresh(options, "counters")
    probe = Run([options.heddle, "record", "--counters=task-clock", "-o", "probe", "--", "true"], folder)
    clock, unit = ("task-clock", 1e-9) if probe.code == 0 else ("ru_utime", 1e-6)  # containers may forbid perf_event_open()
    for how in "", "threads", "team":
        folder = fresh(options, "counters" + how)
        run = sampled(options, folder, f"--counters={clock},ru_minflt,ru_maxrss", steps=5, ms=36, how=how).must(0, " samples, one in ")
        metrics = ["c_" + name.replace("-", "_") for name in (clock, "ru_minflt", "ru_maxrss")]
        is_shared(options, folder / "run", metrics[0])
        computed = sum(int(ns) for ns in re.search(r"computed (\d+) (\d+)", run.output).groups()) * 1e-9
        seconds = share(options, folder / "run", metrics[0])[1] * unit
        assert 0.9 < seconds / computed < 1.1, (how, seconds, computed)
        assert not (folder / "run" / "heddle.findings.tsv").exists(), (folder / "run" / "heddle.findings.tsv").read_text()
        if not how:  # all is of some call path; threads also count between two teams, and where nothing is open
            assert [sum(values(options, folder / "run", metric).values()) for metric in metrics] == counted(options, folder / "run")


@test_once
def short_steps_have_the_functions_that_others_have_shown(options):
    folder = fresh(options, "short")
    sampled(options, folder, steps=300, ms=1).must(0)  # 4 ms from call to call, and a sample in 10 ms
    found, seconds = share(options, folder / "run")
    all_of_it = sum(value for path, value in paths(options, folder / "run").items() if path.startswith("main;step") and "exchange" not in path)
    assert ROOM[0] < found < ROOM[1] and seconds > 0.85 * all_of_it, (found, seconds, all_of_it)


@test_once
def signals_of_the_program_stay_its_own(options):
    for how in "signals", "blocks":
        folder = fresh(options, how)
        run = sampled(options, folder, how=how).must(0)
        assert "wrong" not in run.output and "computed" in run.output, run.output
        is_shared(options, folder / "run")


@test_once
def a_function_whose_table_of_frames_is_wrong_has_no_callers(options):
    folder = fresh(options, "astray")
    sampled(options, folder, "--keep-raw", how="astray").must(0, "recorded 2 processes, 2 threads")
    depths = [depth for log in raw_samples(folder / "run") for depth, _ in log]
    assert depths.count(1) > 10 and max(depths) > 4, depths
    seen = paths(options, folder / "run")
    assert any(path.endswith("turn_astray") and value > 0.2 for path, value in seen.items()), seen
    is_shared(options, folder / "run")


@test_once
def small_stacks_suffice(options):
    for words in ["--sample=1000"], ["--sample=1000", "--counters=ru_utime"], ["--callers=9"], ["--profile"]:
        folder = fresh(options, "small")
        run = record(options, folder, *words, "--", program(options, "sampled"), 1, 9, "small", n=2).must(0)
        assert "computed" in run.output, run.output


@test
def children_and_other_programs_are_not_sampled(options):
    folder = fresh(options, "child")
    run = sampled(options, folder, how="child").must(0, "recorded 2 processes, 2 threads")
    assert "wrong" not in run.output, run.output
    is_shared(options, folder / "run")


@test
def a_process_that_is_killed_was_computing(options):
    folder = fresh(options, "killed")
    assert sampled(options, folder, how="kill").code != 0
    Run([options.heddle, "record", "--finish", "run"], folder).must(0)
    assert Run([options.heddle, "analyze", "-q", "run"], folder).code in (0, 3)
    last = sum(value for path, value in paths(options, folder / "run").items() if path.startswith("main;turn"))
    assert last > 0.3, paths(options, folder / "run")  # 0.5 s of processor time up to the last sample
    is_shared(options, folder / "run")


@test_once
def a_pause_has_no_samples(options):
    folder = fresh(options, "pause")
    sampled(options, folder, steps=20, how="pauses").must(0)
    is_shared(options, folder / "run")
    assert records(options, folder / "run")["MPI_SEND"] == 10


@test_once
def long_computing_fills_windows(options):
    """Without a call in between: the handler takes the next window. A sample comes at a tick of the kernel, 1 ms to 10 ms apart. Samples of 80 bytes would
    take 13,000 ticks for 1 MiB, the window of --last, so a stack of 200 calls is made: 650 samples fill it, and 80 one of 128 KiB."""
    seconds = max(1, 1000 * time.clock_getres(CLOCK_OF_TICKS))
    for slower in 1, 4:  # a thread that has a processor for less than a tick has fewer samples
        folder, deep = fresh(options, "deep"), ["--", program(options, "sampled"), 10 * slower, int(100 * seconds), "deep"]
        record(options, folder, "--sample=1000", "--keep-raw", *deep, n=2).must(0)
        logs = raw_samples(folder / "run")
        size = max(path.stat().st_size for path in (folder / "run" / "raw").glob("*.log"))
        if size > 1 << 20:
            break
    assert size > 1 << 20 and sum(lost for log in logs for _, lost in log) == 0, (size, sum(map(len, logs)), slower)
    assert sum(depth * 8 > 1200 for log in logs for depth, _ in log) > 500, logs
    for longer in 1, 4, 16:  # as above
        folder = fresh(options, "deep-limit")
        run = record(options, folder, "--sample=1000", "--keep-raw", "--limit=1M", *deep[:2], deep[2] * longer, *deep[3:], n=2).must(0)
        if "samples got lost" in run.errors:
            break
    run.must(0, "samples got lost")
    assert max(path.stat().st_size for path in (folder / "run" / "raw").glob("*.log")) == 1 << 20
    folder = fresh(options, "deep-last")
    run = record(options, folder, "--sample=1000", "--last=1s", *deep, n=2).must(0, "s of the run")
    seen = paths(options, folder / "run")
    assert "got lost" not in run.errors and any("down;down" in path and path.endswith("turn") for path in seen), (run.errors, list(seen)[:5])


@test_once
def the_report_says_how_it_was_sampled(options):
    folder = fresh(options, "said")
    sampled(options, folder).must(0)
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    shown = Run([options.heddle, "info", "run"], folder).must(0).output
    assert re.search(r"sampling +processor time", shown), shown
    shown = Run([options.heddle, "summary", "--verbose", "run"], folder).must(0).output
    assert re.search(r"Sampling +processor time of the thread every", shown), shown


@test_once
def one_recording_gives_one_archive(options):
    folder = fresh(options, "twice")
    sampled(options, folder, "--keep-raw", how="threads").must(0)
    for threads in "1", "4":
        again = folder / f"again-{threads}"
        again.mkdir()
        shutil.copytree(folder / "run" / "raw", again / "raw")
        Run([options.heddle, "record", "--finish", again], folder, {"OMP_NUM_THREADS": threads}).must(0)
        for path in ["traces.def"] + [f"traces/{path.name}" for path in (folder / "run" / "traces").glob("*.evt")]:
            assert (again / path).read_bytes() == (folder / "run" / path).read_bytes(), path


@test_once
def what_cannot_be_is_refused(options):
    folder = fresh(options, "refused")
    for words, said in ((["--sample=0"], "--sample"), (["--sample=often"], "--sample"), (["--sample=-1"], "--sample"), (["--sample=10001"], "at most 10000"),
                        (["--sample=100", "--callers=2"], "excludes --callers")):
        Run([options.heddle, "record", *words, "-o", "run", "--", program(options, "sampled")], folder).must(2, said)
        assert not (folder / "run").exists()
    words = f"ulimit -i 0; exec {options.heddle} record --sample=100 -o run -- {program(options, 'sampled')}"
    Run(["sh" if shutil.which("bash") is None else "bash", "-c", words], folder).must(2, "the system does not allow")
    assert not (folder / "run").exists()


main()

#!/usr/bin/env python3
"""heddle record --last: the end of a run, how much of it stays on the disk, and how it begins in the middle.

usage: test_last.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import random
import re
import shutil
import subprocess
import time

from recording import HANG_SECONDS, Run, fresh, main, program, record, records, test, test_once, values, visits

WINDOW = 1 << 20
SMALL = "--last=1h", "--limit=2M"  # two windows of each process, however fast it is


def is_consistent(seen):
    """Nothing that one side only has recorded, begins without ends, or the other way round."""
    messages = seen["MPI_SEND"] + seen["MPI_ISEND"]
    assert messages == seen["MPI_IRECV"] + seen["MPI_RECV"] > 0 and seen["MPI_ISEND"] == seen["MPI_ISEND_COMPLETE"], seen
    assert seen["MPI_IRECV_REQUEST"] == seen["MPI_IRECV"] + seen["MPI_REQUEST_CANCELLED"], seen
    assert seen["ENTER"] == seen["LEAVE"] > 0 and seen["PROGRAM_BEGIN"] == seen["PROGRAM_END"] == 2, seen
    assert seen["MPI_COLLECTIVE_BEGIN"] == seen["MPI_COLLECTIVE_END"] > 0 and seen["MPI_COLLECTIVE_END"] % 2 == 0, seen
    assert seen["NON_BLOCKING_COLLECTIVE_REQUEST"] == seen["NON_BLOCKING_COLLECTIVE_COMPLETE"], seen


def has_no_findings(options, folder):
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    findings = folder / "run" / "heddle.findings.tsv"
    said = {line.split("\t")[0] for line in findings.read_text().splitlines()[1:]} if findings.exists() else set()
    assert said <= {"fewer-iterations"}, findings.read_text()


def last_part(options, folder, *words, seconds=0, how=""):
    return record(options, folder, *words, "--", program(options, "last_part"), seconds, how, n=2)


def begins(options, archive):
    """When each location begins."""
    shown = subprocess.run([options.otf2_print, archive / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^PROGRAM_BEGIN +\d+ +(\d+)", shown, re.M)


@test
def the_end_of_a_run_is_kept(options):
    folder = fresh(options, "end")
    last_part(options, folder, "--last=300ms", seconds=1).must(0, "the last 0.3 s of the run")
    shutil.rmtree(folder / "run")
    run = last_part(options, folder, *SMALL).must(0, "s of the run")
    assert re.fullmatch(r"\d+ messages\n", run.output) and "warning" not in run.errors, (run.output, run.errors)
    seen = records(options, folder / "run")
    is_consistent(seen)
    assert seen["MPI_RECV"] < int(run.output.split()[0]), (seen, run.output)
    assert len(set(begins(options, folder / "run"))) == 1, begins(options, folder / "run")
    has_no_findings(options, folder)
    called = visits(options, folder / "run")  # "outer" was open when it began, MPI_Init was over
    assert called["main;outer"] == 1 and called["main;outer;steps;step"] > 0 and not any("Init" in path for path in called), called


@test
def the_space_on_the_disk_is_bounded(options):
    for words, most in (["--last=1ms"], 3), (SMALL, 2):
        folder = fresh(options, "bounded")
        run = last_part(options, folder, "--keep-raw", *words).must(0, "s of the run")
        logs = sorted((folder / "run" / "raw").glob("*.log"))
        assert len(logs) == 2 and all(WINDOW < path.stat().st_size <= most * WINDOW for path in logs), [(path.name, path.stat().st_size) for path in logs]
        assert 100 * int(run.output.split()[0]) > 3.5 * WINDOW, run.output  # bytes of a message: what there would be without
        assert all(path.stat().st_size < WINDOW // 8 for path in (folder / "run" / "raw").glob("*.begin")), list((folder / "run" / "raw").iterdir())
        if most == 2:
            is_consistent(records(options, folder / "run"))
            has_no_findings(options, folder)


@test
def a_short_run_is_kept_as_a_whole(options):
    folder = fresh(options, "short")
    run = record(options, folder, "--last=1h", "--", program(options, "late_sender")).must(0, "recorded 4 processes")
    assert "of the run" not in run.errors, run.errors
    assert list(values(options, folder / "run", "mpi_latesender")) == ["late_sender;exchange;MPI_Recv"]


@test
def the_end_is_kept_when_a_process_is_killed(options):
    folder = fresh(options, "killed")
    assert last_part(options, folder, *SMALL, how="kill").code != 0
    Run([options.heddle, "record", "--finish", "run"], folder).must(0)  # the launcher may have ended heddle record
    assert len(set(begins(options, folder / "run"))) == 1
    seen = records(options, folder / "run")
    assert seen["MPI_SEND"] + seen["MPI_ISEND"] == seen["MPI_IRECV"] + seen["MPI_RECV"] > 0 and seen["MPI_ISEND"] == seen["MPI_ISEND_COMPLETE"], seen
    assert Run([options.heddle, "analyze", "-q", "run"], folder).code in (0, 3)
    assert visits(options, folder / "run")["main;outer;MPI_Barrier"] == 1, visits(options, folder / "run")


@test
def the_end_of_a_run_that_hangs_says_who_waits(options):
    folder = fresh(options, "hang")
    command = [options.heddle, "record", "-o", "run", "--last=100ms", "--", options.mpirun, "-n", 2, program(options, "last_part"), 0, "hang"]
    with open(folder / "output", "w") as output:
        recording = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        while "messages" not in (folder / "output").read_text():
            assert recording.poll() is None, (folder / "output").read_text()
            time.sleep(0.1)
        try:
            recording.wait(timeout=2)
        except subprocess.TimeoutExpired:
            recording.terminate()
        recording.wait(timeout=HANG_SECONDS)  # its exit code is that of a launcher that was ended
    Run([options.heddle, "record", "--finish=run"], folder).must(0)
    Run([options.heddle, "analyze", "run"], folder)
    summary = Run([options.heddle, "summary", "run"], folder).output
    assert "MPI_Recv" in summary and "process 1" in summary, summary


@test
def it_may_begin_in_a_team_or_in_a_pause(options):
    folder = fresh(options, "team")
    last_part(options, folder, *SMALL, how="team").must(0, "s of the run", "4 threads")
    seen = records(options, folder / "run")
    is_consistent(seen)
    for begin, end in ("THREAD_FORK", "THREAD_JOIN"), ("THREAD_TEAM_BEGIN", "THREAD_TEAM_END"):
        assert seen[begin] == seen[end] > 0, seen
    has_no_findings(options, folder)
    folder = fresh(options, "pause")
    last_part(options, folder, *SMALL, how="pause").must(0, "s of the run")
    seen = records(options, folder / "run")
    is_consistent(seen)
    assert seen["MEASUREMENT_ON_OFF"] > 0, seen
    has_no_findings(options, folder)


@test_once
def one_recording_gives_one_archive(options):
    folder = fresh(options, "twice")
    last_part(options, folder, *SMALL, "--keep-raw").must(0)
    for threads in "1", "4":
        again = folder / f"again-{threads}"
        again.mkdir()
        shutil.copytree(folder / "run" / "raw", again / "raw")
        Run([options.heddle, "record", "--finish", again], folder, {"OMP_NUM_THREADS": threads}).must(0)
        for path in ("traces.def", "traces/0.evt", "traces/1.evt"):
            assert (again / path).read_bytes() == (folder / "run" / path).read_bytes(), path


@test_once
def damaged_raw_files_are_read_as_far_as_they_go(options):
    folder = fresh(options, "damaged")
    last_part(options, folder, "--last=1ms", "--keep-raw").must(0)
    chance = random.Random(7)
    for trial in range(8):
        copy = folder / f"copy-{trial}"
        shutil.copytree(folder / "run" / "raw", copy / "raw")
        for path in sorted((copy / "raw").glob("*-*-*.*")):
            data = bytearray(path.read_bytes())
            for _ in range(1 + 4 * trial):
                data[chance.randrange(len(data.rstrip(b"\0")) if path.suffix == ".def" else min(len(data), 8192))] = chance.randrange(256)
            path.write_bytes(data[:chance.randrange(len(data))] if trial % 3 == 0 else data)
        done = Run([options.heddle, "record", "--finish", copy], folder)
        assert done.code in (0, 1) and (done.code == 0 or "heddle: error: " in done.errors), (trial, done.code, done.errors)
        if (copy / "traces.otf2").exists():
            assert Run([options.heddle, "analyze", "-q", copy], folder).code in (0, 1, 3), trial
        shutil.rmtree(copy)


@test_once
def what_contradicts_is_refused(options):
    folder = fresh(options, "refused")
    for words, said in ((["--last=60"], "is no part of a run"), (["--last=0s"], "is no part of a run"), (["--last=1s", "--window=1s:1s"], "excludes --window"),
                        (["--last=1s", "--iterations=2"], "excludes --window and --iterations")):
        Run([options.heddle, "record", *words, "-o", "run", "--", program(options, "last_part")], folder).must(2, said)
        assert not (folder / "run").exists()


main()

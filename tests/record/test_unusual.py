#!/usr/bin/env python3
"""heddle record with programs that do what few do, and as few start them: nothing of theirs changes."""
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import time

from recording import HANG_SECONDS, Run, fresh, main, program, record, records, test, test_once


@test
def what_few_programs_do_with_mpi_is_recorded(options):
    folder = fresh(options, "unusual")
    plain = Run([options.mpirun, "-n", 4, program(options, "unusual")], folder).must(0).output
    assert plain == "done\n", plain
    for name, words in {"trace": [], "deep": ["--callers=4"], "sampled": ["--sample=200"], "end": ["--last=60s"], "sums": ["--profile"]}.items():
        below = folder / name
        below.mkdir()
        run = record(options, below, *words, "--", program(options, "unusual")).must(0, "recorded 4 processes, 4 threads")
        assert run.output == plain and run.errors.count("warning") == 1, (name, run.output, run.errors)
        assert "recorded as calls only: calls on communicators that callbacks of MPI" in run.errors, (name, run.errors)
        if name == "sums":
            continue
        done = Run([options.heddle, "analyze", "-q", "run"], below).must(0)
        assert not (below / "run" / "heddle.findings.tsv").exists(), (name, done.errors)
        seen = records(options, below / "run")
        n = seen["RMA_PUT"] // 4  # there are dynamic windows
        assert seen["MPI_SEND"] + seen["MPI_ISEND"] == seen["MPI_RECV"] + seen["MPI_IRECV"] == 4 * (1 + n + 12 + 1), seen
        assert seen["MPI_REQUEST_CANCELLED"] == 12 and seen["ENTER"] == seen["LEAVE"], seen
        assert seen["RMA_WIN_CREATE"] == seen["RMA_WIN_DESTROY"] == 4 * (1 + n), seen


@test
def a_child_of_clone_records_nothing(options):
    folder = fresh(options, "clone")
    run = record(options, folder, "--", program(options, "unusual"), "clone", n=1).must(0, "recorded 1 process, 1 thread")
    assert run.output == "done\n" and "warning" not in run.errors, (run.output, run.errors)
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    assert records(options, folder / "run")["MPI_COLLECTIVE_END"] == 1 + 1 + 1000 + 1 + 1, records(options, folder / "run")


@test
def the_exit_code_is_that_of_the_program_without_a_recording(options):
    folder = fresh(options, "removed")
    run = record(options, folder, "--", program(options, "unusual"), "remove", folder / "run").must(0, "cannot write")
    assert run.output == "done\n" and not (folder / "run").exists(), (run.output, run.errors)


def until(condition):
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < HANG_SECONDS, "nothing comes"
        time.sleep(0.05)


def state(process):
    """Z: it is over."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def holds_pipes(process):
    try:
        return any(os.readlink(entry).startswith(("pipe:", "socket:")) for entry in pathlib.Path(f"/proc/{process}/fd").iterdir())
    except FileNotFoundError:  # it closes some
        return True


def started(options, folder, errors):
    """heddle record of a program that waits for a signal, and the processes below it by their names."""
    heddle = subprocess.Popen([options.heddle, "record", "-o", "run", "--", program(options, "unusual"), "pause"], cwd=folder, stdout=subprocess.PIPE, stderr=errors)
    assert heddle.stdout.readline() == b"waits\n"
    children = dict(reversed(line.split()) for line in Run(["ps", "-o", "pid=,comm=", "--ppid", heddle.pid], folder).output.splitlines() if "ps" not in line.split())
    assert children.keys() == {"unusual", "heddle"}, children
    return heddle, int(children["unusual"]), int(children["heddle"])


@test
def the_archive_is_made_when_a_launcher_has_killed_heddle_record(options):
    folder = fresh(options, "killed")
    with open(folder / "errors", "wb") as errors:
        heddle, child, keeper = started(options, folder, errors)
    heddle.kill()
    until(lambda: not holds_pipes(keeper))
    assert not (folder / "run" / "traces.otf2").exists()
    os.kill(child, signal.SIGTERM)
    heddle.communicate(timeout=HANG_SECONDS)
    until(lambda: state(keeper) == "Z")
    said = (folder / "errors").read_text()
    assert "recorded 1 process, 1 thread" in said and not (folder / "run" / "raw").exists(), said
    assert records(options, folder / "run")["MPI_COLLECTIVE_END"] == 2, records(options, folder / "run")


@test
def another_recording_with_the_name_of_one_that_was_killed_stays(options):
    folder = fresh(options, "replaced")
    first, child, keeper = started(options, folder, subprocess.DEVNULL)
    first.kill()
    shutil.rmtree(folder / "run")
    second, other, _ = started(options, folder, subprocess.DEVNULL)
    os.kill(child, signal.SIGTERM)
    until(lambda: state(keeper) == "Z")
    assert (folder / "run" / "raw").exists() and not (folder / "run" / "traces.otf2").exists()
    os.kill(other, signal.SIGTERM)
    second.communicate(timeout=HANG_SECONDS)
    assert second.returncode == 128 + signal.SIGTERM and records(options, folder / "run")["MPI_COLLECTIVE_END"] == 2


@test
def the_exit_code_stays_when_what_makes_the_archive_is_killed(options):
    folder = fresh(options, "alone")
    heddle, child, keeper = started(options, folder, subprocess.PIPE)
    os.kill(keeper, signal.SIGKILL)
    os.kill(child, signal.SIGTERM)
    said = heddle.communicate(timeout=HANG_SECONDS)[1].decode()
    assert heddle.returncode == 128 + signal.SIGTERM and "--finish=" in said, (heddle.returncode, said)
    Run([options.heddle, "record", "--finish", "run"], folder).must(0, "recorded 1 process, 1 thread")


def stopped_analysis(folder):
    """The process that analyses the recording there, stopped before its report; None: it was over before."""
    report = folder / "run" / "heddle.cubex"
    while not report.exists():
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes().split(b"\0")
                if words[1:2] == [b"analyze"] and bytes(folder) in b" ".join(words):
                    analysis = int(entry.parent.name)
                    os.kill(analysis, signal.SIGSTOP)
                    until(lambda: state(analysis) in "TZ")
                    if not report.exists():
                        return analysis if state(analysis) == "T" else None
                    os.kill(analysis, signal.SIGCONT)
            except OSError:  # it is over
                continue
    return None


@test_once
def ctrl_c_ends_the_analysis(options):
    for number in range(5):  # it may be over before it is seen
        folder = fresh(options, f"interrupted{number}")
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(folder)
            os.execv(options.heddle, [str(options.heddle), "record", "--analyze", "-o", "run", "--", str(program(options, "unusual")), "clone"])
        analysis = stopped_analysis(folder)
        if analysis is not None:
            os.write(terminal, b"\3")
            time.sleep(0.5)
            os.kill(analysis, signal.SIGCONT)
        try:
            while os.read(terminal, 4096):
                pass
        except OSError:  # closed
            pass
        assert os.waitpid(process, 0)[1] == 0
        if analysis is not None:
            assert (folder / "run" / "traces.otf2").exists() and not (folder / "run" / "heddle.cubex").exists()
            return
    raise AssertionError("no analysis was seen")


@test_once
def a_script_without_an_interpreter_is_one_of_the_shell(options):
    folder = fresh(options, "script")
    script = folder / "script"
    script.write_text(f'echo "$# $1"\nexec {program(options, "unusual")} clone\n')
    script.chmod(0o755)
    run = Run([options.heddle, "record", f"--mpi={options.mpi}", "-o", "run", "--", "./script", "two words", "b"], folder).must(0, "recorded 1 process")
    assert run.output == "2 two words\ndone\n", run.output
    script.write_bytes(b"echo \0\n")
    Run([options.heddle, "record", "-o", "binary", "--", "./script"], folder).must(1, "cannot be started")


@test_once
def rare_constructs_of_openmp_stay_as_they_are(options):
    if not program(options, "openmp_rare").exists():
        return
    folder = fresh(options, "rare")
    for cancels in "false", "true":
        more = {"OMP_CANCELLATION": cancels}
        plain = Run([program(options, "openmp_rare")], folder, more).must(0).output
        for i, words in enumerate(([], ["--sample=100"], ["--profile"])):
            run = Run([options.heddle, "record", "-q", *words, "-o", f"{cancels}{i}", "--", program(options, "openmp_rare")], folder, more).must(0)
            assert run.output == plain and "warning" not in run.errors, (words, run.output, run.errors)
            if "--profile" not in words:
                Run([options.heddle, "analyze", "-q", f"{cancels}{i}"], folder).must(0)
                assert not (folder / f"{cancels}{i}" / "heddle.findings.tsv").exists(), words


ASKED = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *run(void *one) { return one; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    printf("%s\\n", getenv("ASAN_OPTIONS"));
    return *((volatile char *)malloc(1)) & 0;
}
"""


@test_once
def programs_with_the_address_sanitizer_are_recorded(options):
    folder = fresh(options, "sanitizer")
    (folder / "asked.c").write_text(ASKED)
    if Run(["cc", "-fsanitize=address", "-o", "asked", "asked.c", "-lpthread"], folder).code != 0 or Run(["./asked"], folder, {"ASAN_OPTIONS": "detect_leaks=0"}).code != 0:
        return
    for words in [], ["--sample=100"]:
        run = Run([options.heddle, "record", *words, "-q", "-o", f"run{len(words)}", "--", "./asked"], folder, {"ASAN_OPTIONS": "detect_leaks=0"}).must(0)
        assert "detect_leaks=0:" in run.output and records(options, folder / f"run{len(words)}")["THREAD_CREATE"] == 1, run.output
    asked = {"ASAN_OPTIONS": "verify_asan_link_order=1:detect_leaks=0"}
    Run([options.heddle, "record", "-q", "-o", "ordered", "--", "./asked"], folder, asked).must(0)
    run = Run([options.heddle, "record", "-q", "-o", "leaks", "--", "./asked"], folder, {"ASAN_OPTIONS": "detect_leaks=1:exitcode=9"})
    assert run.code in (0, 9) and ("1 byte(s)" in run.errors) == (run.code == 9), (run.code, run.errors)


main()

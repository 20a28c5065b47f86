#!/usr/bin/env python3
"""heddle scan: what Score-P is told, what becomes of the trace, what is advised, and what goes wrong. The program that is
measured is a stand-in, measured_program.c, which writes the archive that Score-P would write.

usage: test_scan.py --heddle PROGRAM --mpirun PROGRAM --program PROGRAM --work DIR
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY
from test_errors import fresh, names

ANALYSIS = ["--analyze-option=--threads=2", "--analyze-option=--bind=none"]
tests = []


def test(function):
    tests.append(function)
    return function


class Scan:
    """A run of heddle scan in a folder, without variables of Score-P but those that are given."""

    def __init__(self, options, folder, *arguments, environment=(), standard_input=""):
        self.folder = folder
        done = subprocess.run([options.heddle, "scan", *map(str, arguments)], input=standard_input, capture_output=True, text=True,
                              cwd=folder, env=surroundings(environment), timeout=HANG_SECONDS)
        self.code, self.output, self.errors = done.returncode, done.stdout, done.stderr

    def must(self, code, *words):
        assert self.code == code, f"exit code {self.code} instead of {code}: {self.errors}"
        for word in words:
            assert word in self.errors, f"{word!r} is not said: {self.errors}"
        return self

    def says(self, *patterns):
        for pattern in patterns:
            assert re.search(pattern, self.output), f"{pattern!r} is not in {self.output}"
        return self


def surroundings(more=()):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCOREP_", "SLURM_", "OMP_NUM_"))}
    return {**kept, "TMPDIR": TEMPORARY.name, **MPI_ENVIRONMENT, **dict(more)}


def recorded(path):
    return dict(line.split("=", 1) for line in path.read_text().splitlines())


def n_events(options, archive):
    return int(re.search(r"^events +([\d,]+)$", subprocess.run([options.heddle, "info", archive], capture_output=True, text=True).stdout,
                         re.M)[1].replace(",", ""))


@test
def the_program_runs_and_its_trace_is_analysed(options):
    folder = fresh(options, "run")
    seen = Scan(options, folder, *ANALYSIS, options.mpirun, "-n", "3", options.program, "--environment=seen", "-n", "7 and more", "--echo",
                standard_input="from outside\n").must(0, "heddle: running ").says("argument -n\nargument 7 and more\nfrom outside\n")
    assert names(folder) == ["scorep_measured_program_3_trace", "seen"]
    assert {"traces.otf2", "heddle.cubex"} <= set(names(folder / "scorep_measured_program_3_trace"))
    assert recorded(folder / "seen") == {"SCOREP_ENABLE_TRACING": "true", "SCOREP_ENABLE_PROFILING": "false",
                                         "SCOREP_EXPERIMENT_DIRECTORY": str(folder.resolve() / "scorep_measured_program_3_trace")}
    seen.says(r"Load balance", r"\nAdvice for the next measurement\n  No trace buffer was flushed\.\n  Process 0 has the most events")
    values = subprocess.run([options.heddle, "dump", folder / "scorep_measured_program_3_trace"], capture_output=True, text=True).stdout
    assert len({line.split("\t")[2] for line in values.splitlines()}) == 3
    # nothing but the trace is in the environment of what is not said: no variable of Heddle's own
    assert all(line.startswith("  ") for line in seen.errors.splitlines() if "SCOREP_" in line)


@test
def names_of_experiment_directories(options):
    folder = fresh(options, "names")
    program = shutil.copy(options.program, folder / "lu")
    (folder / "hosts").write_text("a\n")
    for words, environment, name in (
            ([program], {}, "scorep_lu_O_trace"), ([program], {"OMP_NUM_THREADS": "4"}, "scorep_lu_Ox4_trace"),
            (["./lu", "-n", "9"], {}, "scorep_lu_O_trace"), (["mpirun", "-np", "8", "./lu", "-n", "9"], {}, "scorep_lu_8_trace"),
            (["mpirun", "--hostfile", "./hosts", "-n", "16", "--map-by", "sh", "./lu"], {"OMP_NUM_THREADS": "4,2"}, "scorep_lu_16x4_trace"),
            (["/usr/bin/srun", "--ntasks=32", "./lu"], {}, "scorep_lu_32_trace"), (["srun", "-n8", "./lu"], {}, "scorep_lu_8_trace"),
            (["srun", "./lu"], {"SLURM_NTASKS": "64"}, "scorep_lu_64_trace"), (["srun", "./lu"], {}, "scorep_lu_trace"),
            (["mpiexec.hydra", "-n", "2", "sh", "-c", "true"], {}, "scorep_sh_2_trace"), (["mpirun", "-n", "2", "nowhere"], {}, "scorep_program_2_trace"),
            (["env", "A=1", "-u", "B", "mpirun", "-np", "8", "./lu"], {}, "scorep_lu_8_trace"), (["env", "A=1", "./lu", "-n", "8"], {}, "scorep_lu_O_trace")):
        paths = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        (folder / "bin").mkdir(exist_ok=True)
        for launcher in ("mpirun", "srun", "mpiexec.hydra"):
            (folder / "bin" / launcher).write_text("#!/bin/sh\n")
            (folder / "bin" / launcher).chmod(0o755)
        if str(words[0]).startswith("/usr/bin/"):
            words = [folder / "bin" / "srun", *words[1:]]
        Scan(options, folder, "--dry-run", *words, environment={**paths, **environment}).must(0).says(rf"DIRECTORY={folder.resolve()}/{name}\n")
    assert sorted(names(folder)) == ["bin", "hosts", "lu"], names(folder)


@test
def a_dry_run_is_for_a_shell(options):
    folder = fresh(options, "dry run")
    (folder / "f.filter").write_text("")
    scan = Scan(options, folder, "--dry-run", "--memory=1536K", "--filter=f.filter", "--profile", "-o", "the trace/", options.program, "it's", "two\nlines", "--environment=seen").must(0)
    assert names(folder) == ["f.filter"]
    subprocess.run(["sh", "-e"], input=scan.output, text=True, cwd=folder, env=surroundings(), check=True, capture_output=True)
    here = folder.resolve()
    assert recorded(folder / "seen") == {"SCOREP_ENABLE_TRACING": "true", "SCOREP_ENABLE_PROFILING": "true", "SCOREP_TOTAL_MEMORY": "1572864",
                                         "SCOREP_EXPERIMENT_DIRECTORY": f"{here}/the trace", "SCOREP_FILTERING_FILE": f"{here}/f.filter"}


@test
def what_the_user_has_set_stays(options):
    folder = fresh(options, "user")
    own = {"SCOREP_METRIC_PAPI": "PAPI_TOT_CYC", "SCOREP_TOTAL_MEMORY": "50M", "SCOREP_EXPERIMENT_DIRECTORY": "mine", "SCOREP_ENABLE_TRACING": "false",
           "SCOREP_MPI_ENABLE_GROUPS": "all"}
    Scan(options, folder, "-q", "--no-analysis", options.program, "--environment=seen", environment=own).must(0, "heddle analyze")
    assert recorded(folder / "seen") == {**own, "SCOREP_ENABLE_TRACING": "true", "SCOREP_ENABLE_PROFILING": "false",
                                         "SCOREP_EXPERIMENT_DIRECTORY": f"{folder.resolve()}/mine"}
    Scan(options, folder, "--dry-run", "--memory=8M", "-o", "other", options.mpirun, "-n", "2", options.program, environment=own).must(0).says(
        "MEMORY=8M", "DIRECTORY=.*/other", "mca_base_env_list='.*SCOREP_METRIC_PAPI;.*SCOREP_MPI_ENABLE_GROUPS;.*SCOREP_ENABLE_TRACING")
    # Open MPI takes either this variable or -x
    assert "mca_base_env_list" not in Scan(options, folder, "--dry-run", options.mpirun, "-x", "PATH", "-n", "2", options.program).must(0).output
    assert "mca_base_env_list" in Scan(options, folder, "--dry-run", options.mpirun, "-n", "2", options.program, "-x").must(0).output


@test
def other_nodes_get_the_environment(options):
    """Of Open MPI: a daemon that starts with nothing of the job in its environment, as on another node."""
    if "Open MPI" not in subprocess.run([options.mpirun, "--version"], capture_output=True, text=True).stdout:
        return
    folder = fresh(options, "nodes")
    agent = folder / "agent"
    own = " ".join(f"{name}={value}" for name, value in MPI_ENVIRONMENT.items())
    agent.write_text(f'#!/bin/sh\nwhile [ "${{1#-}}" != "$1" ]; do shift; done\nshift\nexec env -i PATH="$PATH" HOME="$HOME" {own} sh -c "$*"\n')
    agent.chmod(0o755)
    command = [options.mpirun, "--mca", "plm_rsh_agent", agent, "-H", "127.0.0.2:1", "-n", "1"]
    Scan(options, folder, *ANALYSIS, "-o", "trace", *command, options.program, "--environment=seen").must(0)
    assert recorded(folder / "seen")["SCOREP_EXPERIMENT_DIRECTORY"] == f"{folder.resolve()}/trace"


@test
def buffers_that_are_too_small(options):
    folder = fresh(options, "memory")
    command = [options.mpirun, "-n", "2", options.program, "--calls=250000"]
    first = Scan(options, folder, *ANALYSIS, *command).must(0)
    first.says(r"Trace buffers were flushed 2 times, in 2 processes: 40\.0 us of all", r"enough for it: SCOREP_TOTAL_MEMORY=\d+M \(heddle scan --memory=\d+M\)")
    advised = int(re.search(r"enough for it: SCOREP_TOTAL_MEMORY=(\d+)M", first.output)[1])
    sizes = [path.stat().st_size for path in (folder / "scorep_measured_program_2_trace" / "traces").glob("*.evt")]
    assert max(sizes) * 1.1 / 2**20 + 4 <= advised <= max(sizes) * 1.1 / 2**20 + 5, (advised, sizes)
    with_filter = int(re.search(r"enough then: SCOREP_TOTAL_MEMORY=(\d+)M|enough then: Score-P's default", first.output)[1] or 16)
    assert with_filter < advised
    # The trace is there: it is not replaced unless that is asked for, and then it says what is needed.
    Scan(options, folder, *command).must(1, "the experiment directory exists already", "--force to replace it")
    second = Scan(options, folder, *ANALYSIS, "--force", *command).must(0, f"SCOREP_TOTAL_MEMORY={advised}M  (as the trace in \"scorep_measured_program_2_trace\" needs)")
    second.says(r"No trace buffer was flushed")
    assert (folder / "scorep_measured_program_2_trace" / "heddle.cubex").exists()


@test
def functions_that_are_too_short(options):
    folder = fresh(options, "filter")
    command = [options.mpirun, "-n", "2", options.program, "--calls=100"]
    first = Scan(options, folder, *ANALYSIS, "--write-filter=lu.filter", *command).must(0)
    before = n_events(options, folder / "scorep_measured_program_2_trace")
    first.says(r"2 functions of less than 10 us that call neither MPI nor OpenMP make 6\d\.\d % of the events",
               r"tick +200 visits +3\.00 us each", r"tock \(int\) +200 visits +1\.00 us each", r"800 of 1,\d+ events less", "filter file: lu.filter\n")
    text = (folder / "lu.filter").read_text()
    assert re.fullmatch(r"# [^\n]*\nSCOREP_REGION_NAMES_BEGIN\n  EXCLUDE MANGLED\n    tick\n    tock\\ \(int\)\nSCOREP_REGION_NAMES_END\n", text), text
    # With it, the next trace has exactly that many events less.
    second = Scan(options, folder, *ANALYSIS, "--filter=lu.filter", "-o", "filtered", *command).must(0).says(r"No filter is needed")
    assert n_events(options, folder / "filtered") == before - 800
    # On an archive, with and without a report; the rules of the older file stay in the new one.
    (folder / "old.filter").write_text("SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE old\nSCOREP_REGION_NAMES_END")
    archive = folder / "scorep_measured_program_2_trace"
    advice = first.output[first.output.index("\nAdvice"):].split("    filter file")[0]
    again = Scan(options, folder, "--advise", archive, "--filter=old.filter", "--write-filter=new.filter").must(0)
    assert again.output.split("    filter file")[0] == advice, again.output
    assert (folder / "new.filter").read_text() == (folder / "old.filter").read_text() + "\n" + text
    Scan(options, folder, "--advise", archive, "--write-filter=new.filter").must(1, "the filter file exists already")
    Scan(options, folder, "--advise", archive, "--write-filter=new.filter", "--force").must(0)
    assert (folder / "new.filter").read_text() == text
    (archive / "heddle.cubex").unlink()
    on_the_fly = Scan(options, folder, "--advise", archive / "traces.otf2", "--write-filter=third.filter").must(0, "for a temporary report")
    assert on_the_fly.output.split("    filter file")[0] == advice and (folder / "third.filter").read_text() == text
    assert "heddle.cubex" not in names(archive)
    # A report of a part of the run is not used.
    subprocess.run([options.heddle, "analyze", "-q", "--bind=none", "--to=1ms", archive], check=True, capture_output=True)
    assert Scan(options, folder, "--advise", archive, "--write-filter=lu.filter", "-fq").must(0).output.split("    filter file")[0] == advice
    Scan(options, folder, "--advise", folder / "filtered", "--write-filter=none.filter").must(0, "no filter file is written, as none is needed")
    assert "none.filter" not in names(folder)
    # What a report that heddle scan was asked for does not say is not analysed again.
    elsewhere = Scan(options, folder, *ANALYSIS, "--analyze-option=--output=own.cubex", "-o", "c", *command).must(0, "heddle: no advice", "--advise=")
    assert "Advice" not in elsewhere.output and "own.cubex" in names(folder) and "temporary" not in elsewhere.errors
    Scan(options, folder, *ANALYSIS, "--analyze-option=--to=1ms", "-o", "d", *command).must(0, "heddle: no advice")
    # The report of another archive.
    shutil.copy(folder / "filtered" / "heddle.cubex", archive / "heddle.cubex")
    shutil.copytree(ROOT / "tests" / "data" / "pat-mpi-4", folder / "other")
    shutil.copy(folder / "filtered" / "heddle.cubex", folder / "other")
    Scan(options, folder, "--advise", "other").must(1, "is not one of this archive: it has 2 locations, the archive 4")


@test
def a_profile_is_enough(options):
    folder = fresh(options, "profile")
    Scan(options, folder, *ANALYSIS, options.mpirun, "-n", "2", options.program, "--calls=250000").must(0)
    trace, profile = folder / "scorep_measured_program_2_trace", folder / "scorep_measured_program_2_sum"
    profile.mkdir()
    (trace / "heddle.cubex").rename(profile / "profile.cubex") # visits and times, as in a profile
    by_folder = Scan(options, folder, "--advise", profile).must(0).says(r"Process [01] has the most events: about [\d.]+ MiB", "2 functions of less than 10 us")
    size = max(path.stat().st_size for path in (trace / "traces").glob("*.evt")) / 2**20
    estimate = float(re.search(r"about ([\d.]+) MiB", by_folder.output)[1])
    assert size <= estimate <= 1.5 * size, (size, estimate)
    assert "was flushed" not in by_folder.output
    by_file = Scan(options, folder, "--advise", profile / "profile.cubex").must(0)
    assert by_file.output.replace("/profile.cubex", "") == by_folder.output
    # The next trace gets the memory.
    shutil.rmtree(trace)
    scan = Scan(options, folder, "--dry-run", options.mpirun, "-n", "2", options.program).must(0).says('as the profile in "scorep_measured_program_2_sum" needs')
    assert re.search(r"enough for it: (SCOREP_TOTAL_MEMORY=\d+M)", by_folder.output)[1] in scan.output


@test
def what_fails(options):
    folder = fresh(options, "fails")
    program = options.program
    Scan(options, folder, "-o", "a", program, "--not-instrumented").must(1, "heddle: error: the program has left no trace", "scorep mpicc")
    Scan(options, folder, "-o", "a", program, "--not-instrumented", "--exit=7").must(7, "the command has failed, with exit code 7", "the program has left no trace")
    Scan(options, folder, "-o", "b", program, "--only-folder").must(1, "the experiment directory has no traces.otf2")
    failed = Scan(options, folder, *ANALYSIS, "-o", "c", program, "--exit=9").must(9, "the command has failed, with exit code 9").says("Load balance", "Advice")
    assert "heddle: error" not in failed.errors and (folder / "c" / "heddle.cubex").exists()
    Scan(options, folder, "-o", "d", options.mpirun, "-n", "2", program, "--not-instrumented", "--exit=5").must(5)
    Scan(options, folder, "-o", "d", "sh", "-c", "kill -9 $$").must(137, "the command was ended by", "the program has left no trace")
    Scan(options, folder, "nowhere", "-x").must(1, 'there is no command "nowhere"')
    shutil.copy(program, folder / "here")
    Scan(options, folder, "here").must(1, 'there is no command "here"', "try:      ./here")
    (folder / "text").write_text("")
    Scan(options, folder, "./text").must(1, '"./text" cannot be run')
    Scan(options, folder, "--filter=nowhere", program).must(1, "the filter file cannot be read", "from:     --filter")
    Scan(options, folder, program, environment={"SCOREP_FILTERING_FILE": "nowhere"}).must(1, "SCOREP_FILTERING_FILE of the environment")
    Scan(options, folder).must(2, "needs a command line that starts a program")
    Scan(options, folder, "--advise=c", program).must(2, "--advise runs nothing")
    Scan(options, folder, "--no-analysis", "--write-filter=f", program).must(2, "--no-analysis excludes")
    Scan(options, folder, program, environment={"PMIX_RANK": "0"}).must(2, "cannot be started by one")
    Scan(options, folder, "--advise=nowhere").must(1, "heddle: error")
    Scan(options, folder, "-o", "e", "--analyze-option=--nonsense", program).must(2, 'has no option "--nonsense"')
    # A folder of something else is not replaced, whatever is said.
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.tex").write_text("")
    Scan(options, folder, "-fo", "mine", program).must(1, "it is no experiment directory of Score-P")
    # Neither is one that holds what is needed, or the current folder.
    shutil.copy(folder / "here", folder / "c")
    (folder / "c" / "f.filter").write_text("")
    for words in (["--filter=c/f.filter", program], ["c/here"]):
        Scan(options, folder, "-fo", "c", *words).must(1, "it holds what the measurement needs", "needed: ", "/c/" if words[0] != "c/here" else "c/here")
    Scan(options, folder / "c", "-fo", ".", program).must(1, "it holds the current folder")
    assert {"f.filter", "here", "traces.otf2"} <= set(names(folder / "c"))
    # Neither is one for a command that is not there.
    Scan(options, folder, "-fo", "c", "nowhere").must(1)
    assert names(folder / "mine") == ["thesis.tex"] and "traces.otf2" in names(folder / "c")


@test
def signals(options):
    folder = fresh(options, "signals")

    def started(name, *more):
        child = subprocess.Popen([options.heddle, "scan", *ANALYSIS, "-o", name, *more, options.program, f"--pause={name}.ready"], cwd=folder, env=surroundings(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        while not (folder / f"{name}.ready").exists() and child.poll() is None:
            time.sleep(0.01)
        return child

    def ended(child):
        output, errors = child.communicate(timeout=HANG_SECONDS)
        return child.returncode, output, errors

    # The program's own matter: it goes on, and so does the rest.
    for more in ([], [options.mpirun, "-n", "1"]):
        child = started(f"usr1-{len(more)}", *more)
        child.send_signal(signal.SIGUSR1)
        code, output, errors = ended(child)
        assert code == 0 and "got SIGUSR1\n" in output and "Advice" in output, (code, output, errors)
    # The end of the program, and of the rest.
    child = started("term")
    child.send_signal(signal.SIGTERM)
    code, output, errors = ended(child)
    assert code == 128 + signal.SIGTERM and "the command was ended by SIGTERM" in errors and "Load balance" not in output, (code, output, errors)


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "mpirun", "program", "work"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    options.program = os.path.abspath(options.program)
    wrong = 0
    for function in tests:
        try:
            function(options)
        except AssertionError as problem:
            wrong += 1
            print(f"{function.__name__.replace('_', ' ')}: {problem}")
    print(f"{len(tests) - wrong} of {len(tests)} are right")
    sys.exit(1 if wrong else 0)


main()

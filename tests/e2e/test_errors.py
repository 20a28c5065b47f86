#!/usr/bin/env python3
"""What goes wrong is said once, with the right exit code, and leaves nothing half-written behind.

usage: test_errors.py --heddle PROGRAM --mpirun PROGRAM --sweep PROGRAM --work DIR
"""
import argparse
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys

import otf2_bytes
from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY, by_rank

ARCHIVE = ROOT / "tests" / "data" / "pat-mpi-4"
STRING, LOCATION, REGION, PROGRAM_END, REGIONS = 10, 14, 15, 84, 3
tests = []


class Skipped(Exception):
    pass


def test(function):
    tests.append(function)
    return function


class Run:
    def __init__(self, options, arguments, ranks=1, folders=None, stdout_to=subprocess.PIPE, environment=(), **more):
        """folders: one for each rank, to start it in; environment: more variables"""
        program = [options.heddle, *map(str, arguments)]
        command = [options.mpirun, "-n", str(ranks)] if ranks > 1 else []
        command += program
        if folders:
            command = by_rank(options.mpirun, *[["env", "-C", folder, *program] for folder in folders])
        environment = dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT, **dict(environment))
        done = subprocess.run(command, stdout=stdout_to, stderr=subprocess.PIPE, text=True, errors="replace", env=environment, timeout=HANG_SECONDS,
                              stdin=subprocess.DEVNULL, **more)
        self.code, self.output, self.errors = done.returncode, done.stdout, done.stderr

    def must(self, code, *words):
        """Ends with this exit code and, if that is an error, says so once, in these words."""
        assert self.code == code, f"exit code {self.code} instead of {code}: {self.errors}"
        n = self.errors.count("heddle: error: ")
        assert n == (1 if code in (1, 2) else 0), f"{n} errors are reported: {self.errors}"
        for word in words:
            assert word in self.errors, f"{word!r} is not said: {self.errors}"
        return self


def fresh(options, name):
    folder = pathlib.Path(options.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def keep_calls_of_mpi(archive, cut, until):
    """Of enters and leaves; of location `cut` only the first part of its records, up to a call."""
    strings = {fields[0][-1]: fields[1] for kind, fields in archive.definitions.records if kind == STRING}
    calls   = {fields[0][-1] for kind, fields in archive.definitions.records if kind == REGION and strings[fields[1][-1]].startswith(b"MPI_")}
    for name, file in archive.events.items():
        number, kept, held = archive.mapping(name, REGIONS), [], []
        for i, (kind, fields) in enumerate(file.records):
            if name == cut and until is not None and i >= until * len(file.records) and kind in (otf2_bytes.TIME, otf2_bytes.ENTER):
                if held == [] and (kept == [] or kept[-1][0] == otf2_bytes.LEAVE):
                    break
            held.append((kind, fields))
            if kind in (otf2_bytes.TIME, otf2_bytes.ATTRIBUTES):
                continue
            if kind not in (otf2_bytes.PROGRAM_BEGIN, PROGRAM_END) and (kind not in (otf2_bytes.ENTER, otf2_bytes.LEAVE) or number(fields[0][-1]) in calls):
                kept += held
            held = []
        file.records = kept


@test
def an_interval_without_a_length_or_outside_of_the_run(options):
    folder = fresh(options, "no_interval")
    for command in (("analyze", ARCHIVE, "-o", folder / "r.cubex"), ("extract", ARCHIVE, "-o", folder / "x"),
                    ("export", ARCHIVE, "--perfetto", folder / "p")):
        for begin, end, words in (("10ms", "5ms", "--from is not before --to"), ("5ms", "5ms", "--from is not before --to"),
                                  ("0", "0", "--to is not after the begin of the run"),
                                  ("1000", "1001", "contains no part of the run")):
            Run(options, [*command, "--from", begin, "--to", end]).must(2, words, "run:")
    assert not any(folder.iterdir())


@test
def no_archive(options):
    folder = fresh(options, "no-archive")
    for ranks in (1, 3):
        Run(options, ["analyze", folder / "traces.otf2", "-o", folder / "r.cubex"], ranks).must(1, "traces.otf2")
    Run(options, ["info", folder / "traces.otf2"]).must(1, "traces.otf2")
    Run(options, ["dump", folder / "r.cubex"]).must(1, "r.cubex")
    Run(options, ["summary", folder / "r.cubex"]).must(1, "r.cubex")
    assert names(folder) == []


@test
def a_folder_without_an_archive(options):
    folder = fresh(options, "empty-folder")
    Run(options, ["analyze", folder]).must(1, "empty-folder")
    assert names(folder) == []


@test
def not_an_archive(options):
    folder = fresh(options, "not-an-archive")
    (folder / "traces.otf2").write_bytes(b"this is no trace\n" * 100)
    (folder / "notes.txt").write_text("neither is this")
    for ranks in (1, 2):
        Run(options, ["analyze", folder / "traces.otf2", "-o", folder / "r.cubex"], ranks).must(1, "traces.otf2")
    Run(options, ["analyze", folder / "notes.txt", "-o", folder / "r.cubex"]).must(1, "notes.txt")
    Run(options, ["dump", folder / "notes.txt"]).must(1, "notes.txt")
    Run(options, ["summary", folder / "notes.txt"]).must(1, "notes.txt")
    Run(options, ["causes", folder / "notes.txt"]).must(1, "notes.txt")
    assert names(folder) == ["notes.txt", "traces.otf2"]


@test
def regions_of_interest(options):
    """That the archive does not have, that no process enters there, and that the compatibility mode does not know."""
    folder = fresh(options, "regions")
    analyze = ["analyze", ARCHIVE, "--quiet", "-o", folder / "r.cubex"]
    for ranks in (1, 2):
        Run(options, [*analyze, "--roi", "late_sendr"], ranks).must(2, 'no region "late_sendr"', "late_sender")
        Run(options, [*analyze, "--roi", "receiver"], ranks).must(2, 'no region "receiver"', "late_receiver")
        Run(options, [*analyze, "--roi", "late_sender", "--to", "1us"], ranks).must(2, "no process enters", "from --from to --to")
    Run(options, [*analyze, "--roi", "late_sender", "--compat=scout26"]).must(2, "--roi excludes --compat=scout26")
    assert names(folder) == []
    some = [*analyze, "--roi", "compute", "--from", "0", "--to", "END"]
    some.remove("--quiet")
    Run(options, some).must(0)


@test
def a_file_of_statistics(options):
    """One that is there already, of another analyser perhaps, is only replaced, or removed with the report that it is of, with --force."""
    folder = fresh(options, "statistics")
    report, stat = folder / "r.cubex", folder / "r.stat"
    stat.write_text("of somebody else\n")
    analyze = ["analyze", ARCHIVE, "--quiet", "-o", report]
    for option in ("--stat", "--instances=3"):
        Run(options, [*analyze, option], 2).must(1, "r.stat", "--force")
    assert names(folder) == ["r.stat"]
    Run(options, analyze).must(0)
    assert stat.read_text() == "of somebody else\n"
    Run(options, [*analyze, "--stat", "--force"]).must(0)
    assert stat.read_text().startswith("PatternName Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\nmpi_latesender 45 ")
    Run(options, [*analyze, "--force"]).must(0)
    assert names(folder) == ["r.cubex"]
    stat.mkdir()
    Run(options, [*analyze, "--stat", "--force"], 2).must(1, "file of statistics", "r.stat", "is complete")
    assert names(folder) == ["r.cubex", "r.stat"]
    stat.rmdir()
    for text in ("0", "65536", "-1", "all"):
        Run(options, [*analyze, "--force", "--instances", text]).must(2, "instances")


@test
def damaged_tables_of_instances(options):
    """A summary refuses them; without tables it has no section of them."""
    folder = fresh(options, "damaged-instances")
    report = folder / "r.cubex"
    Run(options, ["analyze", ARCHIVE, "--quiet", "-o", report]).must(0)
    assert "Wait-state instances" not in Run(options, ["summary", report]).must(0).output
    said = Run(options, ["analyze", ARCHIVE, "-o", report, "--force", "--instances", "2"]).must(0).output
    assert " instance 7: process 3 waiting for process 2,\n      from 0.477772757 s" in said and said == Run(options, ["summary", report, "--instances=2"]).must(0).output
    assert Run(options, ["summary", report, "--instances=1", "--top=9"]).must(0).output.count("\n      instance ") == 9
    whole = report.read_bytes()
    for table, old, new in (("statistics", b"mpi_latesender\t\t45\t", b"mpi_latesender\t\t-5\t"),
                            ("statistics", b"metric\tpath\tcount", b"metric\tpaht\tcount"),
                            ("instances", b"\tmpi_latesender\t65\t3\t", b"\tmpi_latesender\t99\t3\t"),
                            ("instances", b"\tmpi_latesender\t65\t3\t", b"\tmpi_latesender\t\t653\t"),
                            ("instances", b"\tmpi_latesender\t65\t3\t", b"\tmpi_latesender\t65\tx\t"),
                            ("instances", b"\t65\t3\t0\t0.4", b"\t65\t3\t0\t9.4")):
        assert whole.count(old) >= 1, old
        report.write_bytes(whole.replace(old, new, 1))
        Run(options, ["summary", report]).must(1, f"heddle.{table}.tsv", "damaged in line")


@test
def an_archive_that_cannot_be_read(options):
    folder = fresh(options, "not-readable")
    shutil.copytree(ARCHIVE, folder / "a")
    (folder / "a" / "traces.def").unlink()
    (folder / "a" / "traces.def").mkdir()  # also root cannot read a folder as a file
    Run(options, ["analyze", folder / "a", "-o", folder / "r.cubex"], 2).must(1, "a/traces")
    if os.geteuid() != 0:
        (folder / "a" / "traces.otf2").chmod(0)
        Run(options, ["analyze", folder / "a", "-o", folder / "r.cubex"]).must(1, "ermission")
    assert names(folder) == ["a"]


@test
def an_archive_that_not_all_ranks_see(options):
    """The second rank starts in a folder where half of the event files are missing; then all are, for both."""
    folder = fresh(options, "partly-visible")
    for name in ("a", "b"):
        shutil.copytree(ARCHIVE, folder / name / "t")
    for i in (2, 3):
        (folder / "b" / "t" / "traces" / f"{i}.evt").unlink()
    arguments = ["analyze", "t", "-o", folder / "r.cubex", "--no-summary", "--quiet"]
    Run(options, arguments, folders=[folder / "a", folder / "b"]).must(1, "not all nodes see the same archive", "t/traces/2.evt")
    Run(options, arguments, folders=[folder / "b", folder / "b"]).must(3, "2 locations have no event file")
    shutil.rmtree(folder / "a" / "t")
    Run(options, arguments, folders=[folder / "b", folder / "a"]).must(1, "cannot find the archive", "rank 1")


@test
def a_report_that_cannot_be_written(options):
    folder = fresh(options, "not-writable")
    (folder / "file").write_text("")
    for ranks in (1, 3):
        Run(options, ["analyze", ARCHIVE, "-o", folder / "file" / "r.cubex"], ranks).must(1, "r.cubex", "Not a directory")
    Run(options, ["analyze", ARCHIVE, "-o", folder / "none" / "r.cubex"]).must(1, "No such file or directory")
    Run(options, ["analyze", ARCHIVE, "-o", "/proc/r.cubex"]).must(1, "/proc/r.cubex")
    (folder / "folder").mkdir()
    for more in ([], ["--force"]):
        Run(options, ["analyze", ARCHIVE, "-o", folder / "folder", *more]).must(1, "folder", "Is a directory")
    # A device or a pipe is not replaced by a file, whatever is said.
    os.mkfifo(folder / "pipe")
    Run(options, ["analyze", ARCHIVE, "-o", folder / "pipe", "--force"]).must(1, "pipe", "it is no regular file")
    Run(options, ["jobscript", "--memory-per-node=64G", "--cores-per-node=8", ARCHIVE, "-o", folder / "pipe", "--force"]).must(1, "it is no regular file")
    assert (folder / "pipe").is_fifo()
    assert names(folder) == ["file", "folder", "pipe"] and names(folder / "folder") == []


@test
def a_disk_that_is_full(options):
    """Stands for it: no file may grow beyond 4 KiB."""
    folder = fresh(options, "full")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    os.environ["OMPI_MCA_btl"] = "self"
    try:
        probe = Run(options, ["analyze", "/nowhere"], preexec_fn=limit, restore_signals=False)
        if "/nowhere" not in probe.errors:
            raise Skipped("the MPI library itself cannot start that way")
        Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex"], preexec_fn=limit, restore_signals=False).must(1, "r.cubex")
    finally:
        del os.environ["OMPI_MCA_btl"]
    assert names(folder) == []


@test
def few_files_may_be_open(options):
    """With more threads than files that may be open no more than these read, and the report is the same."""
    folder = fresh(options, "few-files")
    subprocess.run([options.sweep, folder / "a", "16", "16", "--blocks", "2"], check=True)

    def analyze(name, *more, **how):
        Run(options, ["analyze", folder / "a", "-o", folder / name, "--bind=none", "-q", *more], **how).must(0)
        return Run(options, ["dump", folder / name]).must(0).output

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))

    expected = analyze("r.cubex", "--threads=1")
    assert analyze("1.cubex", "--threads=8", "--max-open-files=1") == expected
    assert analyze("3.cubex", "--threads=8", "--max-open-files=3", ranks=2) == expected
    Run(options, ["analyze", ARCHIVE, "--max-open-files=0"]).must(2, "--max-open-files")
    if "/nowhere" not in Run(options, ["analyze", "/nowhere"], preexec_fn=limit).errors:
        raise Skipped("the MPI library itself cannot start that way")
    assert analyze("limit.cubex", "--threads=64", preexec_fn=limit) == expected
    assert analyze("both.cubex", "--threads=64", "--max-open-files=64", preexec_fn=limit) == expected


@test
def event_files_that_are_cut_off(options):
    """In and behind the first chunk: whole events are read, and what is behind them is left. Nothing is lost with the last byte, which says nothing."""
    folder = fresh(options, "cut-chunks")
    subprocess.run([options.sweep, folder / "a", "2", "2", "--iterations", "10", "--blocks", "60", "--rounds", "20"], check=True)
    file, chunk = folder / "a" / "traces" / "0.evt", 256 * 1024
    whole = file.stat().st_size
    assert chunk + 20 < whole < 2 * chunk
    for size in (whole, whole - 1):
        os.truncate(file, size)
        Run(options, ["analyze", folder / "a", "-o", folder / "r.cubex", "--force", "-q"]).must(0)
    for size in (whole - 2, 300000, chunk + 19, chunk + 1, chunk, chunk - 1):
        os.truncate(file, size)
        Run(options, ["analyze", folder / "a", "-o", folder / "r.cubex", "--force", "-q"]).must(3, "ends too early")
    shutil.rmtree(folder / "a")


@test
def results_that_cannot_be_printed(options):
    folder = fresh(options, "full-output")
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "-q"]).must(0)
    with open("/dev/full", "w") as full:
        done = subprocess.run([options.heddle, "dump", folder / "r.cubex"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and done.stderr.count("heddle: error: ") == 1, done.stderr


@test
def a_summary_that_cannot_be_printed(options):
    folder = fresh(options, "full-summary")
    with open("/dev/full", "w") as full:
        done = subprocess.run([options.heddle, "analyze", ARCHIVE, "-o", folder / "r.cubex"], stdout=full, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 1 and 'r.cubex" is complete' in done.stderr, done.stderr
    Run(options, ["summary", folder / "r.cubex"]).must(0)


@test
def findings_that_cannot_be_written(options):
    folder = fresh(options, "findings-folder")
    shutil.copytree(ARCHIVE, folder / "a")
    (folder / "a" / "traces" / "2.evt").unlink()
    (folder / "r.findings.tsv").mkdir()
    Run(options, ["analyze", folder / "a", "-o", folder / "r.cubex", "-q"]).must(1, "table of trace diagnostics", 'r.cubex" is complete')
    Run(options, ["summary", folder / "r.cubex"]).must(0)
    assert names(folder) == ["a", "r.cubex", "r.findings.tsv"]


@test
def reports_of_cube_3_and_other_files_are_refused(options):
    folder = fresh(options, "no_reports")
    (folder / "old.cube").write_text('<?xml version="1.0" encoding="UTF-8"?>\n<cube version="3.0">\n</cube>\n')
    (folder / "notes.txt").write_text("hello\n")
    for command in "dump", "summary", "topology", "causes":
        Run(options, [command, folder / "old.cube"]).must(1, "Cube 3", "try:      make a .cubex file of it with cube3to4")
        Run(options, [command, folder / "notes.txt"]).must(1, "is no Cube report")
        Run(options, [command, folder / "nothing.cubex"]).must(1, "cannot open report")


@test
def a_report_is_not_replaced_unasked(options):
    folder = fresh(options, "exists")
    (folder / "r.cubex").write_text("precious")
    for ranks in (1, 3):
        Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex"], ranks).must(1, "r.cubex", "--force")
    assert (folder / "r.cubex").read_text() == "precious"
    assert names(folder) == ["r.cubex"]
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--force", "-q"], 2).must(0)
    assert (folder / "r.cubex").stat().st_size > 1000
    assert [name for name in names(folder) if "tmp" in name] == []


@test
def an_archive_is_not_replaced(options):
    folder = fresh(options, "own") / "a"
    shutil.copytree(ARCHIVE, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    os.symlink(folder / "traces.def", folder / "link.cubex")
    for name in ("traces.otf2", "traces.def", "traces/1.evt", "link.cubex"):
        Run(options, ["analyze", folder, "-o", folder / name, "--force"]).must(2, "file of the archive")
    Run(options, ["analyze", "..", "-o", "2.def", "--force"], cwd=folder / "traces").must(2, "file of the archive")
    Run(options, ["jobscript", "--memory-per-node=64G", "--cores-per-node=8", folder, "-o", folder / "traces.otf2", "--force"]).must(2, "file of the archive")
    (folder / "link.cubex").unlink()
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@test
def the_report_stands_beside_the_archive(options):
    folder = fresh(options, "beside")
    shutil.copytree(ARCHIVE, folder / "a")
    Run(options, ["analyze", folder / "a", "-q"]).must(0)
    assert "heddle.cubex" in names(folder / "a")


@test
def too_few_ranks(options):
    folder = fresh(options, "too-few")
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--traces-per-rank", "1"], 2).must(1, "4", "2", "-n 4")
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--traces-per-rank=3"]).must(1, "--traces-per-rank")
    assert names(folder) == []
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--traces-per-rank=2", "-q"], 2).must(0)


@test
def more_ranks_than_processes(options):
    folder = fresh(options, "surplus")
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex"], 6).must(0, "6", "4")


@test
def wrong_command_lines(options):
    folder = fresh(options, "usage")
    for ranks in (1, 2):
        Run(options, ["analyze", "--thread", "2", ARCHIVE], ranks).must(2, "--thread", "--threads")
        Run(options, ["analyse", ARCHIVE], ranks).must(2, "analyse", "heddle analyze")
    Run(options, ["analyze"]).must(2, "ARCHIVE")
    bare = Run(options, [])
    assert bare.code == 2 and bare.output == "" and bare.errors == Run(options, ["help"]).must(0).output
    Run(options, ["analyze", ARCHIVE, ARCHIVE]).must(2)
    Run(options, ["analyze", "--threads", "0", ARCHIVE]).must(2, "--threads")
    Run(options, ["analyze", "--threads=4097", ARCHIVE]).must(2, "--threads", "4096")
    Run(options, ["analyze", "--threads", "two", ARCHIVE]).must(2, "--threads", "two")
    Run(options, ["analyze", "--threads"]).must(2, "--threads")
    Run(options, ["analyze", "--placement=round", ARCHIVE]).must(2, "block|cyclic|node")
    Run(options, ["analyze", "--force=yes", ARCHIVE]).must(2, "--force")
    Run(options, ["analyze", "-x", ARCHIVE]).must(2, "-x")
    assert names(folder) == []


@test
def names_cannot_drive_the_terminal(options):
    done = Run(options, ["info", "no\x1b[31mred\nline"]).must(1)
    assert "\x1b" not in done.errors


@test
def locations_that_are_not_defined_are_missed(options):
    folder = fresh(options, "undefined")
    archive = otf2_bytes.Archive(ROOT / "tests" / "data" / "scorep-jacobi-hyb-c-4x2")
    archive.definitions.records.remove(next(record for record in archive.definitions.records if record[0] == LOCATION and record[1][0][-1] > 7))
    archive.n_definitions -= 1
    archive.write(folder / "a")
    Run(options, ["analyze", folder / "a", "-o", folder / "r.cubex"]).must(1, "locations are missing", "7 of 8")
    assert names(folder) == ["a"]


@test
def a_process_that_never_comes_to_its_end_is_missed(options):
    """Between two calls of MPI, where nothing else was recorded, no call is open."""
    folder = fresh(options, "no-finalize")
    for until in (None, 0.6, 0):
        archive = otf2_bytes.Archive(ARCHIVE)
        keep_calls_of_mpi(archive, "1", until)
        archive.write(folder / f"{until}")
        for ranks in (1, 2):
            run = Run(options, ["analyze", folder / f"{until}", "-o", folder / "r.cubex", "--force"], ranks).must(0 if until is None else 3)
            assert ("; 1 process stopped early" in run.output.splitlines()[0]) == (until is not None), run.output


@test
def an_incomplete_archive_is_analysed(options):
    folder = fresh(options, "incomplete")
    shutil.copytree(ARCHIVE, folder / "a")
    events = folder / "a" / "traces"
    with open(events / "1.evt", "r+b") as file:
        file.truncate(9000)
    (events / "2.evt").unlink()
    for ranks in (1, 2):
        report = folder / f"r{ranks}.cubex"
        done = Run(options, ["analyze", folder / "a", "-o", report, "--force"], ranks).must(3, "heddle: warning: ")
        assert "; trace coverage 67 % of recorded events (2 of 4 locations complete)\n" in done.output.split("Time breakdown")[0], done.output[:300]
        rows = (folder / f"r{ranks}.findings.tsv").read_text().splitlines()
        kinds = {row.split("\t")[0] for row in rows[1:]}
        assert {"no-events", "cut-events"} <= kinds, kinds
        assert report.exists()
        for warning in done.errors.split("heddle: warning: ")[1:]:
            if not warning.startswith("more replay threads than cores"):  # of this machine, not of the trace
                assert "first:" in warning and "all:" in warning, warning
    assert (folder / "r1.findings.tsv").read_text() == (folder / "r2.findings.tsv").read_text()


@test
def causes_that_are_not_there(options):
    folder = fresh(options, "causes")
    report, without = folder / "r.cubex", folder / "without.cubex"
    Run(options, ["analyze", ARCHIVE, "-q", "-o", report]).must(0)
    Run(options, ["analyze", ARCHIVE, "-q", "--no-delay", "-o", without]).must(0)
    assert "causes waiting at" in Run(options, ["causes", report]).must(0).output
    assert "is caused by" in Run(options, ["causes", report, "--of", "main"]).must(0).output
    assert "delays process" in Run(options, ["causes", report, "--processes"]).must(0).output
    Run(options, ["causes", report, "--of", "no such region"]).must(2, "no such region")
    Run(options, ["causes", report, "--by", "main", "--processes"]).must(2, "--processes")
    Run(options, ["causes", without]).must(1, "no table of causes")
    Run(options, ["causes"]).must(2, "REPORT")


@test
def help_and_version(options):
    for arguments in (["--help"], ["help"], ["help", "analyze"], ["analyze", "--help"], ["dump", "-h"], ["--version"]):
        assert Run(options, arguments).must(0).output.startswith(("usage: heddle", "heddle "))
    assert Run(options, ["help", "--man"]).must(0).output.startswith(".TH HEDDLE 1")
    assert Run(options, ["analyze", "--help"], 3).must(0).output.count("usage: ") == 1
    Run(options, ["help", "analyse"]).must(2, "heddle analyze")
    for word in ("--help", "-h"):
        assert Run(options, [word, "dump"]).must(0).output == Run(options, ["dump", "--help"]).must(0).output
    Run(options, ["--top", "3", "summary"]).must(2, 'no option "--top": options stand behind the subcommand')


def run_all(tests, options):
    """Each as a line; returns the exit code."""
    options.heddle = str(pathlib.Path(options.heddle).resolve())
    failed = 0
    for function in tests:
        if options.only not in (None, function.__name__):
            continue
        try:
            function(options)
            print(f"ok   {function.__name__}", flush=True)
        except Skipped as reason:
            print(f"skipped {function.__name__}: {reason}", flush=True)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"FAIL {function.__name__}: {type(error).__name__} {error}", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--sweep", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("only", nargs="?")
    return run_all(tests, parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())

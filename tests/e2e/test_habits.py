#!/usr/bin/env python3
"""Slips that habit makes, each with a message that says what to do: another kind of file, a folder, a name that is almost right, a letter that is
no option any more, a size without a unit, standard output.

usage: test_habits.py --heddle PROGRAM --mpirun PROGRAM --work DIR
"""
import argparse
import csv
import fcntl
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import test_errors
from test_errors import ARCHIVE, Run, fresh, names

tests = []


def test(function):
    tests.append(function)
    return function


def archive_in(folder, has_events=True):
    shutil.copytree(ARCHIVE, folder)
    if not has_events:
        shutil.rmtree(folder / "traces")
    return folder


def report_in(options, folder, archive=ARCHIVE):
    Run(options, ["analyze", archive, "--quiet", "--no-summary", "--bind=none", "-o", folder / "r.cubex"]).must(0)
    return folder / "r.cubex"


@test
def a_folder_stands_for_its_report(options):
    folder = fresh(options, "folder") / "a"
    archive_in(folder)
    Run(options, ["analyze", folder, "--quiet", "--bind=none"]).must(0)
    whole = Run(options, ["dump", folder / "heddle.cubex"]).must(0).output
    assert Run(options, ["dump", folder]).must(0).output == whole == Run(options, ["dump", f"{folder}/"]).must(0).output
    assert "a/heddle.cubex" in Run(options, ["summary", folder]).must(0).output.splitlines()[0]
    for command in (["causes"], ["topology"], ["diff", folder], ["cut", "--root=main", "-o", folder.parent / "cut.cubex"]):
        Run(options, [*command, folder]).must(0)
    Run(options, ["html", folder]).must(0)
    assert "heddle.html" in names(folder) and names(folder.parent) == ["a", "cut.cubex"]
    Run(options, ["diff", folder, folder, "--html", folder / "heddle.cubex", "--force"]).must(2, "cannot have the name of what it is made of")
    assert Run(options, ["dump", folder]).must(0).output == whole


@test
def an_archive_is_no_report(options):
    folder = fresh(options, "no-report") / "a"
    archive_in(folder)
    for command in ("summary", "causes", "topology", "dump", "html", "cut"):
        arguments = [command, "--root=main", "-o", folder / "c.cubex"] if command == "cut" else [command]
        Run(options, [*arguments, folder]).must(1, "is an archive that has no report yet", 'try:      heddle analyze "')
        for name in ("traces.otf2", "traces.def", "traces/0.evt"):
            Run(options, [*arguments, folder / name]).must(1, "is a file of an archive, not a report", 'try:      heddle analyze "')
    Run(options, ["scaling", folder, folder]).must(1, "is an archive that has no report yet")
    Run(options, ["analyze", folder, "--quiet", "--bind=none"]).must(0)
    Run(options, ["summary", folder / "traces.otf2"]).must(1, "not a report", 'report:   "', "a/heddle.cubex")
    Run(options, ["summary", "traces.otf2"], cwd=folder).must(1, 'report:   "heddle.cubex"')
    Run(options, ["summary", folder.parent]).must(1, "the folder has no heddle.cubex", "found:    ", "a/heddle.cubex")
    assert not (folder / "c.cubex").exists()


@test
def a_report_is_no_archive(options):
    folder = fresh(options, "no-archive")
    report = report_in(options, folder)
    for command in ("analyze", "info", "plan", "extract", "jobscript"):
        Run(options, [command, report]).must(1, "is a report, not an archive", "try:      heddle summary")
    archive_in(folder / "a")
    Run(options, ["analyze", "r.cubex"], cwd=folder).must(1, "is a report", 'found:    "a/traces.otf2"')
    assert names(folder) == ["a", "r.cubex"] and "heddle.cubex" not in names(folder / "a")


@test
def archives_near_a_folder_are_named(options):
    folder = fresh(options, "near")
    Run(options, ["analyze", folder]).must(1, "there is no archive in the folder", "try:      a folder of Score-P (scorep-*) or of heddle record (heddle-*)")
    Run(options, ["analyze", folder / "not-there"]).must(1, "cannot find the archive", "of heddle record (heddle-*)")
    for name in ("a", "b", "c", "d", "e"):
        archive_in(folder / name)
    Run(options, ["analyze", "."], cwd=folder).must(1, 'found:    "a/traces.otf2", "b/traces.otf2", "c/traces.otf2" and 2 more\n')
    Run(options, ["info", folder / "a" / "traces"]).must(1, "there is no archive", "found:    ", "a/traces.otf2")
    Run(options, ["info", f"{folder}/a/traces/"]).must(1, "a/traces.otf2")
    Run(options, ["info", "traces.def"], cwd=folder / "a").must(1, "is not the anchor file", 'found:    "traces.otf2"\n')
    assert sorted(path.name for path in folder.rglob("*.cubex")) == []


@test
def an_archive_without_its_events(options):
    """The folder of event files was not copied, or is empty: there is no report of nothing."""
    folder = fresh(options, "no-events")
    archive_in(folder / "a", has_events=False)
    for what in ("missing", "empty"):
        for ranks in (1, 2):
            Run(options, ["analyze", folder / "a", "--html"], ranks).must(1, f'traces" of the archive is {what}', "copy the archive as a whole")
        Run(options, ["extract", folder / "a", "--to=1ms"]).must(1, f"of the archive is {what}")
        Run(options, ["info", folder / "a"]).must(0)
        Run(options, ["plan", folder / "a"]).must(0, "no event files can be read")
        assert names(folder / "a") == (["traces.def", "traces.otf2"] if what == "missing" else ["traces", "traces.def", "traces.otf2"])
        (folder / "a" / "traces").mkdir(exist_ok=True)


@test
def a_report_has_the_ending_of_one(options):
    folder = fresh(options, "ending")
    report = report_in(options, folder)
    Run(options, ["analyze", ARCHIVE, "-o", folder / "foo"], 2).must(2, "ends in .cubex", "foo.cubex")
    for command in (["mean", report, report], ["merge", report, report], ["diff", report, report], ["cut", report, "--root=main"]):
        Run(options, [*command, "-o", folder / "foo"]).must(2, "ends in .cubex", "foo.cubex")
    Run(options, ["cut", report, "--root=main", "-o", folder / ".cubex"]).must(0)
    assert names(folder) == [".cubex", "r.cubex"]


@test
def standard_output(options):
    folder = fresh(options, "stdout")
    report = report_in(options, folder)
    Run(options, ["html", report, "-o", folder / "page.html"]).must(0)
    page = Run(options, ["html", report, "-o", "-"], cwd=folder).must(0)
    assert page.output == (folder / "page.html").read_text() and page.errors == ""
    assert len(Run(options, ["html", report, "-o", "-", "--max-size=1B"], cwd=folder).must(0).output) == len(page.output)
    sizes = ["--memory-per-node=64G", "--cores-per-node=8"]
    assert Run(options, ["jobscript", *sizes, ARCHIVE, "-o", "-"]).must(0).output == Run(options, ["jobscript", *sizes, ARCHIVE]).must(0).output
    for command in (["analyze", ARCHIVE], ["mean", report, report], ["merge", report, report], ["diff", report, report],
                    ["cut", report, "--root=main"], ["extract", ARCHIVE, "--to=1ms"], ["topology", report]):
        Run(options, [*command, "-o", "-"], cwd=folder).must(2, "to standard output", "./-")
    for command in (["mean", report, report], ["diff", report, report], ["scaling", report, report]):
        Run(options, [*command, "--html", "-"], cwd=folder).must(2, "to standard output")
    for command in (["matrix", report, "--picture"], ["simulate", ARCHIVE, "--curves", "--svg"], ["simulate", ARCHIVE, "--what-if=none", "--times"],
                    ["simulate", ARCHIVE, "--what-if=none", "--trace"], ["scan", f"--advise={ARCHIVE}", "--write-filter"]):
        Run(options, [*command, "-"], cwd=folder).must(2, "to standard output", "./-")
    assert names(folder) == ["page.html", "r.cubex"]
    with open("/dev/full", "w") as full:
        Run(options, ["html", report, "-o", "-"], stdout_to=full).must(1, "standard output cannot be written")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([options.heddle, "html", report, "-o", "-"], restore_signals=True, check=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert done.returncode == -signal.SIGPIPE and done.stderr == b"", done


@test
def a_matrix_of_no_messages_says_what_is_not_in_it(options):
    folder = fresh(options, "no-messages")
    report = report_in(options, folder, ARCHIVE.parent / "pat-rma-4")
    for option in ([], ["--map"]):
        said = Run(options, ["matrix", report, *option]).must(0).output
        assert "0 messages" in said and "Collective operations and one-sided communication are not in the matrix." in said, said


@test
def a_metric_without_values_is_omitted_silently(options):
    """The root of counters, which reports that are combined do not have."""
    folder = fresh(options, "counters")
    report = report_in(options, folder, ARCHIVE.parent / "ctr-process-master-4")
    assert '"counters" is omitted' not in Run(options, ["diff", report, report]).must(0).errors


@test
def a_report_is_written_when_nobody_reads(options):
    """What is said has no reader: of an analysis, and while its summary is printed."""
    folder = fresh(options, "unread")
    for stream in "stderr", "stdout":
        reader, writer = os.pipe()
        os.close(reader)
        report = folder / f"{stream}.cubex"
        done = subprocess.run([options.heddle, "analyze", ARCHIVE, "-o", report, "--verbose", "--threads", "1"], restore_signals=True, check=False,
                              **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer})
        os.close(writer)
        assert done.returncode == (0 if stream == "stderr" else -signal.SIGPIPE), (stream, done)
        assert "mpi_latesender" in subprocess.run([options.heddle, "dump", report], stdout=subprocess.PIPE, text=True, check=True).stdout, stream


@test
def an_extract_replaces_an_extract_only(options):
    folder = fresh(options, "replace")
    archive_in(folder / "a")
    extract = ["extract", folder / "a", "-o", folder / "x"]
    Run(options, [*extract, "--to=1ms"]).must(0)
    before = (folder / "x" / "traces.otf2").read_bytes()
    Run(options, [*extract, "--to=2s"]).must(1, "exists already", "--force")
    assert (folder / "x" / "traces.otf2").read_bytes() == before
    Run(options, ["analyze", folder / "x", "--quiet", "--html", "--bind=none"]).must(0)
    Run(options, [*extract, "--to=2s", "--force"]).must(0)
    assert "heddle.cubex" not in names(folder / "x") and names(folder) == ["a", "x"]
    (folder / "x" / "notes").write_text("mine")
    Run(options, [*extract, "--to=1ms", "--force"]).must(1, "is not replaced", 'has:      "notes"')
    assert (folder / "x" / "notes").read_text() == "mine"
    Run(options, ["extract", folder / "a", "-o", folder / "a", "--to=1ms", "-f"]).must(2, "cannot replace the one that it is made of")
    (folder / "y").mkdir()
    (folder / "file").write_text("mine")
    for name in ("y", "file"):
        Run(options, ["extract", folder / "a", "-o", folder / name, "--to=1ms", "-f"]).must(1, "is not replaced")
    assert names(folder) == ["a", "file", "x", "y"]
    Run(options, ["extract", folder / "a", "-o", f"{folder}/z//", "--to=1ms"]).must(0)
    assert names(folder / "z") == ["traces", "traces.def", "traces.otf2"]


@test
def metrics_go_by_id_and_name(options):
    folder = fresh(options, "metrics")
    report = report_in(options, folder)
    expected = Run(options, ["topology", report, "--metric=mpi_latesender", "--tsv"]).must(0).output
    for name in ("Late Sender", "late sender"):
        assert Run(options, ["topology", report, "--tsv", "-m", name]).must(0).output == expected
    assert Run(options, ["topology", report, "--by=node", "-m", "Late Sender"]).must(0).output
    for name in ("late_sender", "latesender", "Late Sendr", "mpi_late_sender", "MPI_LATESENDER"):
        for more in ([], ["--by=node"]):
            Run(options, ["topology", report, "--metric", name, *more]).must(2, "has no metric", "closest:  mpi_latesender (Late Sender)")
    assert "closest" not in Run(options, ["topology", report, "--metric=xyzzy"]).must(2, "has no metric").errors
    Run(options, ["diff", report, report, "--fail-if", "late_sender > +5%"]).must(2, "closest:  mpi_latesender")


@test
def call_paths_have_any_separator(options):
    folder = fresh(options, "paths")
    report = report_in(options, folder)
    expected = Run(options, ["causes", report, "--of", "late_sender;MPI_Recv"]).must(0).output.splitlines()[1:]
    for path in ("late_sender > MPI_Recv", "late_sender>MPI_Recv", "late_sender/MPI_Recv", "main/late_sender/MPI_Recv"):
        assert Run(options, ["causes", report, "--of", path]).must(0).output.splitlines()[1:] == expected
    for path in ("main/MPI_Recv", "late_sender > MPI_Rec", "mpi_recv"):
        for command in (["causes", report, "--of"], ["causes", report, "--by"], ["topology", report, "--call-path"],
                        ["cut", report, "-o", folder / "c.cubex", "--root"]):
            Run(options, [*command, path]).must(2, "no call path", "closest:  pat_mpi > main > late_sender > MPI_Recv")
    Run(options, ["diff", report, report, "--fail-if", "mpi_latesender at main/MPI_Recv > +5%"]).must(2, "closest:  pat_mpi > main > ")
    assert names(folder) == ["r.cubex"]


@test
def reports_of_two_programs(options):
    folder = fresh(options, "programs")
    report = report_in(options, folder)
    other = folder / "o.cubex"
    Run(options, ["analyze", ARCHIVE.parent / "pat-hybtask-2x3", "--quiet", "--bind=none", "-o", other]).must(0)
    assert "seem to be of different programs" in Run(options, ["diff", report, other]).must(0).errors
    assert "different programs" not in Run(options, ["diff", report, report]).must(0).errors
    assert "different programs" not in Run(options, ["merge", report, other, "-o", folder / "m.cubex"]).must(0).errors


@test
def a_report_of_reports_has_no_tables(options):
    work = fresh(options, "cut-tables")
    report = report_in(options, work)
    Run(options, ["cut", report, "--root=main", "-q", "-o", work / "cut.cubex"]).must(0)
    Run(options, ["mean", report, report, "-q", "-o", work / "mean.cubex"]).must(0)
    for command, table, has_part in (("causes", "table of causes", True), ("instances", "instances of wait states", True),
                                     ("series", "time series", False)):
        for name in ("cut.cubex", "mean.cubex"):
            said = Run(options, [command, work / name]).must(1, f"has no {table}", "note:     reports made of other reports have none").errors
            assert ("try:      heddle analyze --roi=REGION" in said) == (has_part and name == "cut.cubex"), said
    Run(options, ["instances", report]).must(1, f'try:      heddle analyze --instances 10 -o instances.cubex "{ARCHIVE}')


@test
def an_analysis_says_what_to_do_next(options):
    work = fresh(options, "next")
    for more, says in (([], True), (["--quiet"], False), (["--no-summary"], False)):
        done = Run(options, ["analyze", ARCHIVE, "--bind=none", "-f", "-o", work / "r.cubex", *more]).must(0)
        assert (f"next:     heddle html {work / 'r.cubex'}  #" in done.errors and f"heddle simulate {ARCHIVE}  #" in done.errors) == says, more


@test
def tables_have_commas_as_well_as_tabs(options):
    report = report_in(options, fresh(options, "commas"))
    for command in (["causes"], ["causes", "--processes"], ["topology"], ["topology", "--by=node"], ["scaling", report]):
        tabs, commas = (Run(options, [*command, report, how]).must(0).output for how in ("--tsv", "--csv"))
        assert list(csv.reader(commas.splitlines())) == [line.split("\t") for line in tabs.splitlines()] and "\t" in tabs, command
        Run(options, [*command, report, "--csv", "--json"]).must(2, "exclude each other")


@test
def a_temporary_report_is_not_named(options):
    work = fresh(options, "temporary")
    said = Run(options, ["efficiency", archive_in(work / "a")]).must(0).errors
    assert "for a temporary report" in said and "is written" not in said and "heddle.cubex" not in said, said


@test
def a_folder_or_a_file_in_the_way_is_named_as_such(options):
    work = fresh(options, "in-the-way")
    (work / "folder").mkdir()
    (work / "file").touch()
    Run(options, ["analyze", ARCHIVE, "-o", work / "folder"]).must(1, f'--output "{work}/folder/heddle.cubex"')
    Run(options, ["analyze", ARCHIVE, "-o", work / "none" / "r.cubex"]).must(1, "in a folder that exists")
    Run(options, ["extract", ARCHIVE, "--from=0", "--to=1ms", "-o", work / "file"]).must(1, "has the name of a file", "try:      a folder that does not exist yet")
    Run(options, ["record", "-o", work / "file", "--", "/bin/true"]).must(1, f'there is a file "{work}/file" already', "another name")
    assert "archive       " + str(ARCHIVE) + "/traces.otf2" in Run(options, ["info", f"{ARCHIVE}//"]).must(0).output


@test
def causes_are_offered_where_there_are_some(options):
    work = fresh(options, "next-causes")
    done = Run(options, ["analyze", ARCHIVE, "--bind=none", "-f", "-o", work / "r.cubex"]).must(0)
    assert "heddle causes" in done.errors, done.errors
    alone = Run(options, ["analyze", ARCHIVE, "--bind=none", "-f", "-o", work / "r.cubex", "--no-delay"]).must(0)
    assert "next:     heddle html" in alone.errors and "heddle causes" not in alone.errors, alone.errors
    quiet = Run(options, ["analyze", ARCHIVE, "--bind=none", "-f", "-o", work / "r.cubex", "--no-summary"]).must(0)
    assert f'report "{work / "r.cubex"}" is written' in quiet.errors and quiet.output == "", quiet.errors


@test
def an_interval_is_named_first(options):
    work = fresh(options, "interval")
    for more, words in ((["--from=0.42", "--to=450ms"], "; only from 0.42 s to 0.45 s"), (["--from=0.42"], "; only from 0.42 s to the end"), ([], None)):
        first = Run(options, ["analyze", ARCHIVE, "--bind=none", "-f", "-o", work / "r.cubex", *more]).must(0).output.splitlines()[0]
        assert first.endswith(words) if words else "only" not in first, (more, first)


@test
def no_line_ends_with_a_blank(options):
    work = fresh(options, "blanks")
    Run(options, ["analyze", ARCHIVE, "--bind=none", "-o", work / "r.cubex", "--instances=2"]).must(0)
    for words in (["summary"], ["series"], ["series", "--lags"], ["series", "--paths"], ["efficiency"], ["causes"], ["instances"], ["matrix"],
                  ["matrix", "--map"], ["topology"], ["diff", work / "r.cubex"]):
        for width in (60, 80, 132):
            text = Run(options, [words[0], work / "r.cubex", *words[1:]], environment={"COLUMNS": str(width)}).must(0).output
            assert text and not re.search(r" $", text, re.M), (words, width, text)
    text = Run(options, ["simulate", ARCHIVE, "--curves", "--advise"]).must(0).output
    assert "(recorded)" in text and not re.search(r" $", text, re.M), text
    text = Run(options, ["simulate", ARCHIVE, "--advise"], environment={"COLUMNS": "60"}).must(0).output   # heads above their columns
    assert re.search(r"^  Advice, each with those above\n +run time +saved", text, re.M), text


@test
def pictures_are_what_their_names_say(options):
    work = fresh(options, "pictures")
    report = report_in(options, work)
    for words in (["matrix", report], ["topology", report], ["series", report, "--metric=mpi_latesender"]):
        for name, begin in (("p.png", b"\x89PNG"), ("p.SVG", b"<?xml")):
            Run(options, [*words, "--picture", work / name, "--force"]).must(0)
            assert (work / name).read_bytes().startswith(begin), (words, name)
        for name in ("p.pdf", "p"):
            Run(options, [*words, "--picture", work / name]).must(2, "ends neither in .png nor in .svg")
            assert not (work / name).exists(), (words, name)


@test
def sizes_have_units(options):
    folder = fresh(options, "sizes")
    for ranks in (1, 2):
        Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--memory-limit", "10"], ranks).must(2, '"10" is a size of 10 bytes', "10G or 10M")
    for command in ("plan", "jobscript"):
        Run(options, [command, ARCHIVE, "--cores-per-node=8", "--memory-per-node", "64"]).must(2, "64 bytes", "64G or 64M")
        Run(options, [command, ARCHIVE, "--cores-per-node=8", "--memory-per-node", "64 G"]).must(2, "such as 512M or 64G")
    rows = [Run(options, ["plan", ARCHIVE, "--cores-per-node=8", "--memory-per-node", size]).must(0).output for size in ("64G", "64GB", "64GiB", "68719476736")]
    assert len(set(rows)) == 1
    assert names(folder) == []


@test
def letters_mean_one_option(options):
    """In all subcommands; what is typed is what an error names; a letter that an older version had names its option."""
    meaning = {}
    commands = re.findall(r"^  heddle (\w+) ", Run(options, ["help"]).must(0).output, re.M)
    assert len(commands) >= 17
    for command in commands:
        for letter, name in re.findall(r"^  -(\w), --([\w-]+)", Run(options, ["help", command]).must(0).output, re.M):
            assert meaning.setdefault(letter, name) == name, (command, letter, name)
    assert {"m": "metric", "n": "top", "o": "output", "f": "force", "q": "quiet", "v": "verbose", "t": "threads", "h": "help"} == meaning
    for command, letter, name in (("plan", "m", "memory-per-node"), ("plan", "n", "traces-per-rank"), ("jobscript", "s", "system"),
                                  ("analyze", "n", "traces-per-rank"), ("analyze", "b", "bind"), ("cut", "p", "prune"), ("extract", "i", "instance"),
                                  ("topology", "l", "list"), ("diff", "m", "markdown"), ("diff", "a", "all"), ("causes", "p", "processes"), ("scaling", "a", "all")):
        Run(options, [command, f"-{letter}", "1"]).must(2, f'has no option "-{letter}"', f"now:      --{name}\n")
        assert f"--{name}" in Run(options, ["help", command]).must(0).output
    assert '"-n" needs a number' in Run(options, ["summary", "-n", "0", "r"]).must(2).errors
    assert '"--top" needs a number' in Run(options, ["summary", "--top=0", "r"]).must(2).errors


SLURM = {"SLURM_JOB_ID": "77", "SLURM_NTASKS": "16"}
STEP = {**SLURM, "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "16"}
LAUNCHED = [  # (variables of 16 processes, the one with their number)
    (STEP, "SLURM_PROCID"),
    ({"FLUX_JOB_SIZE": "16"}, "FLUX_TASK_RANK"),
    ({"JSM_NAMESPACE_SIZE": "16"}, "JSM_NAMESPACE_RANK"),
    ({"PMI_SIZE": "16"}, "PMI_RANK"),
    ({"PMI_SIZE": "16"}, "PALS_RANKID"),
]
# The number of a process, of launchers that do not say how many there are.
NUMBERED = ["ALPS_APP_PE", "MPT_MPI_RANK", "PLE_RANK_ON_NODE", "PMI_ID", "PMIX_RANK"]
ALONE = [
    {**SLURM, "SLURM_PROCID": "0"},  # a batch script
    {**STEP, "SLURM_PROCID": "0", "SLURM_STEP_ID": "4294967291"},
    {**STEP, "SLURM_PROCID": "0", "SLURM_STEP_ID": "batch"},
    {**STEP, "SLURM_PROCID": "0", "SLURM_STEP_ID": "4294967290"},  # a shell of salloc
    {**STEP, "SLURM_PROCID": "0", "SLURM_PTY_PORT": "40000"},
    {**STEP, "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"},
    {**STEP, "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "many"},
    {"FLUX_JOB_SIZE": "1", "FLUX_TASK_RANK": "0"},
    {"FLUX_JOB_SIZE": "16"},
]


@test
def processes_that_each_believe_to_be_alone(options):
    """One of them says so; none of them writes anything, none of them succeeds."""
    folder = fresh(options, "singletons")
    analyze = ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--quiet", "--bind=none"]
    for variables, rank in LAUNCHED:
        if "PMI_SIZE" in variables and not is_open_mpi(options):
            continue  # MPICH takes these for its own
        first = Run(options, analyze, environment={**variables, rank: "0"}).must(2, "heddle runs as 16 ", "each of them is alone", "MPI", f"env -u {rank}")
        assert first.output == ""
        for other in ("1", "15"):
            done = Run(options, analyze, environment={**variables, rank: other})
            assert done.code == 2 and done.output == "" == done.errors, done.errors
        assert names(folder) == []
    for rank in NUMBERED:
        if rank.startswith("PMI") and not is_open_mpi(options):
            continue
        first = Run(options, analyze, environment={rank: "1"}).must(2, "heddle runs as several ", "each of them is alone", f"env -u {rank}")
        assert first.output == ""
        done = Run(options, analyze, environment={rank: "2"})
        assert done.code == 2 and done.output == "" == done.errors, done.errors
        assert names(folder) == []
        Run(options, [*analyze[:2], "-o", folder / f"{rank}.cubex", *analyze[4:]], environment={rank: "0"}).must(0)
        (folder / f"{rank}.cubex").unlink()
    assert "srun --mpi=pmix" in Run(options, analyze, environment={**STEP, "SLURM_PROCID": "0"}).must(2).errors


@test
def processes_that_are_alone(options):
    folder = fresh(options, "alone")
    for variables in ALONE:
        Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--force", "--quiet", "--bind=none"], environment=variables).must(0)
    # ranks that know of each other, whatever else is in the environment, and commands that are for one process
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--force", "--quiet"], 2, environment={**STEP, "SLURM_PROCID": "0"}).must(0)
    Run(options, ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--force", "--quiet"], 2, environment={"FLUX_JOB_SIZE": "4", "FLUX_TASK_RANK": "0"}).must(0)
    Run(options, ["info", ARCHIVE], environment={**STEP, "SLURM_PROCID": "0"}).must(0)


def loaded(options, words, variables={}):
    """Names of the libraries that a run loads."""
    done = Run(options, words, environment={**variables, "LD_DEBUG": "files"}).must(0)
    return set(re.findall(r"file=([^ ]+?)\.so[^ ]* \[0\];  (?:needed|dynamically loaded)", done.errors))


@test
def libraries_that_a_run_does_not_need(options):
    folder = fresh(options, "libraries")
    analyze = ["analyze", ARCHIVE, "-o", folder / "r.cubex", "--force", "--quiet", "--bind=none"]
    heavy = re.compile("mpi|open-pal|open-rte|cairo|fontconfig|X11")
    for words, variables in ((analyze, {}), ([*analyze, "--mpi=no"], {}), (analyze, {**STEP, "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}),
                             (analyze, {"PMI_SIZE": "1", "PMI_RANK": "0"}), (["summary", folder / "r.cubex"], {})):
        names_of = loaded(options, words, variables)
        assert any("trace-format" in name or "otf2" in name for name in names_of), names_of  # they are seen
        assert not [name for name in names_of if heavy.search(pathlib.Path(name).name)], names_of
    assert any(pathlib.Path(name).name in ("heddle-mpi", "libmpi", "libmpich") for name in loaded(options, [*analyze, "--mpi=yes"]))
    picture = ["topology", report_in(options, fresh(options, "topology"), ARCHIVE.parent / "pat-topo-6"), "--output", folder / "p.svg"]
    assert "cairo" in " ".join(loaded(options, picture))


@test
def a_second_process_with_the_same_output(options):
    folder = fresh(options, "claimed")
    report, lock = folder / "r.cubex", folder / "r.cubex.lock"
    analyze = ["analyze", ARCHIVE, "-o", report, "--quiet", "--bind=none"]
    with open(lock, "w") as file:
        file.write("process 4711 on node7\n")
        file.flush()
        fcntl.lockf(file, fcntl.LOCK_EX)
        Run(options, analyze).must(1, "is being written by another heddle", "process 4711 on node7")
        assert names(folder) == ["r.cubex.lock"]
    Run(options, analyze).must(0)  # what a process that was killed has left
    assert report.exists() and not lock.exists()


@test
def a_part_of_open_mpi_that_has_a_thread_stays_loaded(options):
    """That for PMIx: events that come at the end, of other ranks that end, may still be handled by it."""
    if not is_open_mpi(options):
        return
    folder = fresh(options, "pmix")
    run = Run(options, ["analyze", ARCHIVE, "--quiet", "--no-summary", "--bind=none", "-o", folder / "r.cubex"], ranks=2, environment={"LD_DEBUG": "files"})
    assert run.code == 0, run.errors[-2000:]
    ranks = set(re.findall(r"^ *(\d+):\tfile=libmpi\.so", run.errors, re.M))
    parts = {(pid, part) for pid, part in re.findall(r"^ *(\d+):\tcalling init: \S*/mca_pmix_(\w+)\.so", run.errors, re.M) if pid in ranks}
    gone = set(re.findall(r"^ *(\d+):\tfile=\S*/mca_pmix_(\w+)\.so \[0\];\s+destroying", run.errors, re.M))
    assert len(ranks) == 2 and {pid for pid, _ in parts - gone} == (ranks if parts else set()), (ranks, parts, gone)


def is_open_mpi(options):
    return "Open MPI" in Run(options, ["--version"]).must(0).output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("only", nargs="?")
    return test_errors.run_all(tests, parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""heddle record --profile and --advise: what a profile has is what an analysis of a trace of the same program has, and the size of the
trace that it tells is right.

usage: test_profile.py --heddle PROGRAM --mpi openmpi|mpich --mpirun PROGRAM --programs DIR --otf2-print PROGRAM --libraries DIR --work DIR
"""
import collections
import json
import re
import shutil
import struct
import subprocess
import tarfile

import jsonschema

from recording import ROOT, Run, fresh, main, must_end, program, record, test, test_once, waited

EXACT = {"visits", "syncs_send", "syncs_recv", "syncs_coll", "comms_send", "comms_recv", "comms_cxch", "comms_csrc", "comms_cdst",
         "bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin", "bytes_put", "bytes_get"}
SIZE_ERROR = 0.05  # of events and bytes, of programs with some thousand calls: docs/record.md


def dump(options, report):
    """{(metric, call path, process, thread): value}; constructs of one function at several lines are added up"""
    sums = collections.Counter()
    for line in subprocess.run([options.heddle, "dump", report], capture_output=True, text=True, check=True).stdout.splitlines():
        fields = line.split("\t")
        sums[tuple(fields[:4])] += float(fields[4])
    return dict(sums)


def profile(options, folder, *words, n=2):
    run = record(options, folder, "--profile", *words, n=n)
    assert not (folder / "run" / "traces.otf2").exists()
    return run


def both(options, name, *words, n=2):
    """The values of a profile, and of the analysis of a trace, of the same program."""
    folder = fresh(options, name)
    profile(options, folder, *words, n=n).must(0, "visits of ", "run/profile.cubex\n")
    assert not (folder / "run" / "raw").exists()
    (folder / "run").rename(folder / "profile")
    record(options, folder, "--all-functions", *words, n=n).must(0)
    Run([options.heddle, "analyze", "-q", "run"], folder).must(0)
    return dump(options, folder / "profile" / "profile.cubex"), dump(options, folder / "run")


def same(of_profile, of_trace, keep=lambda key: True):
    seen, wanted = ({key: value for key, value in values.items() if key[0] in EXACT and keep(key)} for values in (of_profile, of_trace))
    different = {key: (seen.get(key), wanted.get(key)) for key in seen.keys() | wanted.keys() if seen.get(key) != wanted.get(key)}
    assert not different and seen, different


def sums(values, metric):
    """{call path: of all threads}"""
    found = collections.Counter()
    for key, value in values.items():
        if key[0] == metric:
            found[key[1]] += value
    return found


@test
def a_profile_has_the_visits_and_bytes_of_a_trace(options):
    for name, n in ("grids_and_files", 4), ("late_sender", 4), ("marked_functions", 2), ("fortran_calls", 2), ("hybrid", 2), ("hybrid_clang", 2), ("openmp_locks", 2), ("openmp_locks_clang", 2), ("posix_threads_mpi", 2):
        if program(options, name).exists():
            same(*both(options, f"same-{name}", "--", program(options, name), n=n))
    same(*both(options, "callers", "--callers=5", "--", program(options, "marked_parts")))
    same(*both(options, "filter", "--filter", ROOT / "tests" / "record" / "exclude.filter", "--", program(options, "marked_functions")))
    same(*both(options, "iterations", "--iterations=12-15", "--", program(options, "paused"), n=4))
    polls = "MPI_Iprobe", "MPI_Improbe", "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Waitsome"  # as often as it takes
    same(*both(options, "every", "--", program(options, "every_call"), n=4), lambda key: key[1].rpartition(";")[2] not in (*polls, "main", "messages"))


@test_once
def calls_have_their_lines(options):
    if not program(options, "inlined").exists():
        return
    folder = fresh(options, "lines")
    profile(options, folder, "--", program(options, "inlined")).must(0)
    with tarfile.open(folder / "run" / "profile.cubex") as report:
        anchor = report.extractfile("anchor.xml").read().decode()
    names = dict(re.findall(r'<region id="(\d+)"[^>]*>\s*<name>([^<]*)', anchor))
    called = [(names[callee], int(line)) for line, callee in re.findall(r'<cnode id="\d+" line="(\d+)" mod="[^"]*/inlined.c" calleeId="(\d+)"', anchor)]
    source = (ROOT / "tests" / "record" / "inlined.c").read_text().splitlines()
    for place, n in ("barrier", 1), ("allreduce", 2):
        lines = [line for name, line in called if name == f"MPI_{place.capitalize()}"]
        assert len(lines) == n and all(source[line - 1].endswith(f"/* place {place} */") for line in lines), called


def is_stub(path):
    return "TASKS" not in path and path.rpartition(";")[2].partition(" @")[0] == "!$omp task"


@test
def tasks_have_their_call_paths(options):
    """On which thread a task runs, and where its thread was, is another matter in each run."""
    for name in "openmp_constructs", "openmp_constructs_clang":
        if not program(options, name).exists():
            continue
        of_profile, of_trace = both(options, f"tasks-{name}", "--", program(options, name))
        seen, wanted = ({path: n for path, n in sums(values, "visits").items() if not is_stub(path)} for values in (of_profile, of_trace))
        assert seen == wanted and any("TASKS;" in path for path in seen), {path: (seen.get(path), wanted.get(path)) for path in seen.keys() | wanted.keys() if seen.get(path) != wanted.get(path)}
        stubs = [sum(n for path, n in sums(values, "visits").items() if is_stub(path)) for values in (of_profile, of_trace)]
        assert stubs[0] == stubs[1] == sum(sums(of_profile, "omp_task_count").values()), (stubs, sums(of_profile, "omp_task_count"))
        ran = sum(value for path, value in sums(of_profile, "time").items() if "TASKS" in path)
        assert abs(ran - sum(sums(of_profile, "omp_task_time").values())) < 1e-6, ran


@test
def times_are_those_of_the_calls(options):
    folder = fresh(options, "times")
    run = profile(options, folder, "--", program(options, "late_sender"), n=4).must(0, "MPI_Recv")
    values = dump(options, folder / "run" / "profile.cubex")
    receives = sum(value for key, value in values.items() if key[0] == "time" and key[1].endswith("exchange;MPI_Recv"))
    # as the program has it, where another one may have had the processor between the program's clock and the recorder's
    assert 0.8 * waited(run) <= receives < waited(run) + 0.5, (waited(run), receives)
    assert not any("latesender" in key[0] or "delay" in key[0] or "critical" in key[0] for key in values), {key[0] for key in values}
    for process in range(4):  # nothing is missing
        own = sum(value for key, value in values.items() if key[0] == "time" and key[2] == str(process))
        assert 0 < own < 60 and own >= 0.2, (process, own)
    Run([options.heddle, "summary", "run"], folder).must(0)
    Run([options.heddle, "analyze", "run"], folder).must(1, 'found:    "run/profile.cubex", a profile: it has no events', 'heddle summary "run"')
    info = Run([options.heddle, "summary", "run"], folder).output
    assert "Recorded as a profile of" in info and "the report has no wait states" in info, info


@test
def a_killed_program_has_its_profile(options):
    folder = fresh(options, "killed")
    for trial, us in enumerate((3000, 20000, 39000)):
        case = folder / str(trial)
        case.mkdir()
        Run(["timeout", "-k", 5, 20, options.mpirun, "-n", 2, options.heddle, "record", "--profile", "-o", "run", "--", program(options, "killed"), ".", us], case)
        Run([options.heddle, "record", "--finish", "run"], case).must(0)  # the launcher may have ended heddle record
        values = dump(options, case / "run" / "profile.cubex")
        for rank in range(2):
            counts = struct.unpack("2Q", (case / f"calls-{rank}").read_bytes()[:16])
            for function, returned in zip(("MPI_Sendrecv", "MPI_Allreduce"), counts):
                visits = sum(value for key, value in values.items() if key[0] == "visits" and key[1].endswith(";" + function) and key[2] == str(rank))
                assert returned <= visits <= returned + 1, (trial, rank, function, returned, visits)
    run = Run([options.heddle, "record", "--profile", "-o", "threads", "--", program(options, "posix_threads"), "killed"], folder)
    assert run.code == 137 and "recorded 1 process, 3 threads" in run.errors, (run.code, run.errors)


@test
def programs_that_end_early_stay_as_they_are(options):
    for how in ("", "abort", "_exit", "segv", "exec", "fork", "system"):
        folder = fresh(options, f"end-{how}")
        plain = Run([options.mpirun, "-n", 2, program(options, "ending_program"), how], folder)
        run = profile(options, folder, "-q", "--", program(options, "ending_program"), how)
        must_end(options, run, how)
        assert how not in ("", "fork", "system") or run.output == plain.output, (how, run.code, run.output, plain.output)
        Run([options.heddle, "record", "--finish", "run"], folder).must(0)
        Run([options.heddle, "record", "--finish", "run"], folder).must(0, "there is a profile already, and nothing to make: run/profile.cubex")
        values = dump(options, folder / "run" / "profile.cubex")
        barriers = sum(value for key, value in values.items() if key[0] == "visits" and key[1].endswith("MPI_Barrier"))
        assert how == "" or barriers >= 200, (how, barriers)


@test_once
def paths_without_room_are_said(options):
    folder = fresh(options, "full")
    words = [options.heddle, "record", "--profile", "-o", "run", "--", program(options, "many_paths")]
    run = Run([*words, 16], folder).must(0, "65536 call paths", "visits are part of their callers: a thread has more than 65536 call paths")
    lost = int(re.search(r"warning: ([\d,]+) visits are part", run.errors).group(1).replace(",", ""))
    visits = sum(value for key, value in dump(options, folder / "run" / "profile.cubex").items() if key[0] == "visits" and key[1].count(";") >= 2)
    assert visits + lost == 2 * 17 * (1 << 16), (visits, lost)  # each function calls go()
    shutil.rmtree(folder / "run")
    Run([*words, 4], folder).must(0)
    limited = ["sh", "-c", 'ulimit -f 1000; exec "$0" "$@"', *words]  # 512 kB or 1 MB
    shutil.rmtree(folder / "run")
    run = Run([*limited, 15], folder).must(0, "files may not get longer")
    assert run.output == Run([program(options, "many_paths"), 15], folder).output and "part of their callers" not in run.errors, run.errors


@test_once
def one_recording_gives_one_profile(options):
    folder = fresh(options, "again")
    profile(options, folder, "--keep-raw", "--", program(options, "grids_and_files"), n=4).must(0)
    first = (folder / "run" / "profile.cubex").read_bytes()
    (folder / "run" / "profile.cubex").unlink()
    Run([options.heddle, "record", "--keep-raw", "--finish=run"], folder).must(0)
    assert (folder / "run" / "profile.cubex").read_bytes() == first
    random = __import__("random").Random(5)
    tables = sorted((folder / "run" / "raw").glob("*.profile"))
    for trial in range(30):  # damaged files
        copy = folder / f"damaged-{trial}"
        shutil.copytree(folder / "run" / "raw", copy / "raw")
        path = copy / "raw" / random.choice(tables).name
        data = bytearray(path.read_bytes())
        for _ in range(random.randrange(1, 30)):
            data[random.randrange(4000)] = random.randrange(256)
        path.write_bytes(data[:random.randrange(len(data))] if trial % 3 == 0 else data)
        done = Run([options.heddle, "record", "--finish", copy], folder)
        assert done.code in (0, 1) and (done.code == 0 or "heddle: error: " in done.errors), (trial, done.code, done.errors)
        shutil.rmtree(copy)


def advise(options, folder):
    """What it says as JSON, valid by the schema."""
    said = json.loads(Run([options.heddle, "record", "--advise", "run", "--json"], folder).must(0).output)
    schema = json.loads((ROOT / "docs" / "schema" / "heddle-1.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(said)
    known = schema["$defs"]["command_record"]["properties"].keys() | {"schema", "version", "command", "program"}
    assert said.keys() == known and said["command"] == "record", said.keys() ^ known
    return said


def files_of(folder):
    archive = sum(path.stat().st_size for path in [folder / "traces.otf2", folder / "traces.def", *(folder / "traces").iterdir()])
    return archive, sum(path.stat().st_size for path in (folder / "raw").glob("*.log"))


@test
def the_size_of_a_trace_is_told(options):
    folder = fresh(options, "size")
    for name, words in ("many_calls", (2000, 5)), ("hybrid", ()), ("posix_threads_mpi", ()), ("marked_functions", ("long",)):
        words = program(options, name), *words
        if not words[0].exists():
            continue
        profile(options, folder, "-q", "--", *words).must(0)
        said = advise(options, folder)
        shutil.rmtree(folder / "run")
        for options_, key in ((), "trace"), (("--all-functions",), "all_functions"):
            run = record(options, folder, "--keep-raw", *options_, "--", *words, n=2).must(0)
            events = int(re.search(r"([\d,]+) events", run.errors).group(1).replace(",", ""))
            archive, raw = files_of(folder / "run")
            shutil.rmtree(folder / "run")
            for told, is_ in (said[key]["events"], events), (said[key]["archive_bytes"], archive), (said[key]["raw_bytes"], raw):
                assert abs(told - is_) <= SIZE_ERROR * is_ or (name, key) == ("marked_functions", "trace"), (name, key, told, is_)
            assert sum(process["events"] for process in said[key]["processes"]) <= said[key]["events"] and len(said[key]["processes"]) == 2


@test_once
def of_very_many_locks_those_that_a_trace_has_are_told(options):
    if not program(options, "posix_threads_mpi").exists():
        return
    folder = fresh(options, "hot")
    words = "--", program(options, "posix_threads_mpi"), "hot"
    profile(options, folder, "-q", *words).must(0)
    said = advise(options, folder)
    shutil.rmtree(folder / "run")
    run = record(options, folder, *words, n=2).must(0, "calls for mutexes that did not wait were not recorded to the end")
    events = int(re.search(r"([\d,]+) events", run.errors).group(1).replace(",", ""))
    assert abs(said["trace"]["events"] - events) <= 2 * SIZE_ERROR * events < said["all_functions"]["events"] / 10, (said["trace"], events)


@test_once
def a_filter_is_proposed_that_works(options):
    folder = fresh(options, "advice")
    words = program(options, "many_calls"), 3000, 0
    profile(options, folder, "-q", "--", *words).must(0)
    run = Run([options.heddle, "record", "--advise", "run", "-o", "short.filter"], folder).must(0)
    assert re.search(r" tiny +60,000 visits .* 4\d\.\d % of events", run.output) and "filter file: short.filter" in run.output, run.output
    Run([options.heddle, "record", "--advise", "run/profile.cubex", "-o", "short.filter"], folder).must(1, "exists already", "--force")
    Run([options.heddle, "record", "--advise", "run", "-o", "short.filter", "--force"], folder).must(0)
    said = advise(options, folder)
    assert {function["name"]: function["visits"] for function in said["functions"]} == {"tiny": 60000, "synchronize": 6000}, said
    shutil.rmtree(folder / "run")
    run = record(options, folder, "--keep-raw", "--filter=short.filter", "--", *words, n=2).must(0)
    events = int(re.search(r"([\d,]+) events", run.errors).group(1).replace(",", ""))
    assert abs(said["filtered"]["events"] - events) < SIZE_ERROR * events and said["trace"]["events"] - said["filtered"]["events"] == 132000, (said["filtered"], events)
    shutil.rmtree(folder / "run")
    profile(options, folder, "-q", "--filter=short.filter", "--", *words).must(0)
    assert "No filter is needed" in Run([options.heddle, "record", "--advise", "run"], folder).must(0).output


@test_once
def a_large_trace_has_options_that_help(options):
    folder = fresh(options, "large")
    profile(options, folder, "-q", "--", program(options, "many_calls"), 100, 180000).must(0)
    run = Run([options.heddle, "record", "--advise", "run"], folder).must(0)
    assert re.search(r"--iterations=50-\d+ ", run.output) and re.search(r"--window=\d+(ms|s):\d+", run.output) and "--limit=" in run.output, run.output
    said = advise(options, folder)
    assert len(said["options"]) == 2 and said["trace"]["archive_bytes"] > 1e9, said
    first, last = map(int, re.search(r"--iterations=(\d+)-(\d+)", run.output).groups())
    shutil.rmtree(folder / "run")
    record(options, folder, "--keep-raw", f"--iterations={first}-{last}", "--", program(options, "many_calls"), 100, 180000, n=2).must(0)
    assert 1e8 < files_of(folder / "run")[0] < 2.2e8, files_of(folder / "run")
    shutil.rmtree(folder / "run")


@test_once
def what_a_profile_cannot_have_is_an_error(options):
    folder = fresh(options, "errors")
    for words in ("--analyze",), ("--counters=task-clock",), ("--sample=100",), ("--last=1s",), ("--limit=10M",):
        Run([options.heddle, "record", "--profile", *words, "-o", "run", "--", program(options, "late_sender")], folder).must(2, f"--profile excludes {words[0].partition('=')[0]}: ")
        assert not (folder / "run").exists()
    for words in ("--advise=x", "--finish=x"), ("--advise=x", "--profile"), ("--advise=x", "--", "true"):
        Run([options.heddle, "record", *words], folder).must(2, "--advise runs nothing")
    Run([options.heddle, "record", "--json", "--", "true"], folder).must(2, "for --advise")
    Run([options.heddle, "record", "--advise=nothing"], folder).must(1, "cannot open report", "heddle record --profile")
    run = profile(options, folder, "--html", "--", program(options, "late_sender"), n=4).must(0)
    assert (folder / "run" / "profile.html").stat().st_size > 100000, run.errors


if __name__ == "__main__":
    main()

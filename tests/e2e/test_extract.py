#!/usr/bin/env python3
"""heddle extract writes archives that otf2-print and heddle analyze read, with the events of the part.

usage: test_extract.py --openmpi|--mpich HEDDLE --work DIR [--library FAULT_LIBRARY] ARCHIVE...

Of each archive:
  1. the part that holds the whole run: otf2-print shows the same definitions, and the same events at the same times
  2. some parts: otf2-print shows the events of the part, as they were; besides those only what is begun at its begin and ended at its
     end, and without those that the program says it left out; every region that is entered is left by its task; heddle analyze reads it
  3. the worst instances: heddle analyze finds in the part what waited there in the whole run
Of random programs: the part lacks exactly the receives whose messages were sent before it, in whatever order they were completed.
Once: what cannot be done has an error, and leaves nothing behind; nor does a signal. What a damaged archive has lost the part has lost, too, and says so.
"""
import argparse
import collections
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import compare_reference
import otf2_bytes
from otf2_text import otf2_text
from run_matrix import HANG_SECONDS, Archive, Build, Failure, run
from runner import few

PARTS = ((0.0, 0.31), (0.2, 0.45), (0.449, 0.4501), (0.5, 0.77), (0.7, 1.1))
WORDS = re.compile(r"^([A-Z_]+) +(\d+) +(\d+)  ?(.*)$", re.M)


def extract(build, archive, to, *options):
    """What it prints."""
    shutil.rmtree(to, ignore_errors=True)
    code, output, errors = run([build.heddle, "extract", str(archive.anchor), "-o", str(to), *options])
    if code != 0:
        raise Failure(f"heddle extract {' '.join(options)}: exit code {code}\n{errors.strip()}")
    return output


def otf2_print(anchor):
    shown = otf2_text(anchor)
    if shown.code != 0 or shown.errors:
        raise Failure(f"otf2-print {anchor}: exit code {shown.code}\n{shown.errors}")
    return shown


def events_of(anchor):
    """{location: [(time, kind, rest)]}"""
    events = collections.defaultdict(list)
    for kind, location, time, rest in WORDS.findall(otf2_print(anchor).events):
        events[location].append((int(time), kind, rest))
    return events


def definitions_of(anchor):
    """Lines, without the numbers of events."""
    return re.sub(r"(# Events: *)\d+", r"\1", otf2_print(anchor).definitions)


def length_of(anchor):
    """Of the run, in nanoseconds."""
    clock = re.search(r"^CLOCK_PROPERTIES.*?Ticks per Seconds: (\d+), Global Offset: (\d+), Length: (\d+)", otf2_print(anchor).definitions, re.M)
    if not clock:
        raise Failure("no clock is printed")
    return int(clock[3]) * 10**9 / int(clock[1])


BEGINS = {"ENTER": "LEAVE", "PROGRAM_BEGIN": "PROGRAM_END", "THREAD_FORK": "THREAD_JOIN", "THREAD_TEAM_BEGIN": "THREAD_TEAM_END",
          "THREAD_BEGIN": "THREAD_END"}
ENDS = set(BEGINS.values())
SWITCHES = {"THREAD_TASK_SWITCH", "THREAD_TASK_COMPLETE"}


def check_nesting(events, where):
    """Every task leaves what it entered last."""
    for location, rows in events.items():
        stacks, current = collections.defaultdict(list), "implicit"
        for time, kind, rest in rows:
            if kind == "THREAD_TASK_SWITCH":
                current = "implicit" if "Generation Number: 0" in rest or re.search(r"\bGeneration(?: Number)?: 0\b", rest) else rest
            elif kind == "THREAD_TASK_COMPLETE":
                if stacks[rest]:
                    raise Failure(f"{where}: location {location}, {time}: task {rest} is over, open is {stacks[rest]}")
                current = "implicit" if current == rest else current
            elif kind in BEGINS:
                stacks[current].append((kind, rest))
            elif kind in ENDS:
                stack = stacks[current] or (stacks["implicit"] if kind != "LEAVE" else [])
                if not stack or BEGINS[stack[-1][0]] != kind or (kind == "LEAVE" and stack[-1][1] != rest):
                    raise Failure(f"{where}: location {location}, {time}: {kind} {rest}, open is {stack[-1:]}")
                stack.pop()
        if any(stacks.values()):
            raise Failure(f"{where}: location {location}: never ended: {[s for s in stacks.values() if s]}")


def check_part(build, archive, whole, begin, end, work):
    options = ("--from", f"{begin / 10**9:.9f}", "--to", f"{end / 10**9:.9f}")
    said = extract(build, archive, work / "part", *options)
    part, where = events_of(work / "part" / "traces.otf2"), " ".join(options)
    n_left_out = sum(map(int, re.findall(r"^omitted +(\d+)", said, re.M)))
    check_nesting(part, where)
    times = [time for rows in part.values() for time, *_ in rows]
    if not times:
        raise Failure(f"{where}: nothing in it")
    missing = 0
    for location in set(whole) | set(part):
        wanted = [row for row in whole.get(location, []) if min(times) <= row[0] < max(times)]
        left, rows, i = [], part.get(location, []), 0
        for row in rows:  # the events of the part, with others among them at its borders
            j = i
            while j < len(wanted) and wanted[j] != row and wanted[j][0] <= row[0]:
                j += 1
            if j < len(wanted) and wanted[j] == row:
                left += wanted[i:j]
                i = j + 1
            elif row[0] not in (min(times), max(times), rows[-1][0]):
                raise Failure(f"{where}: location {location} has {row}, which the run has not")
        missing += len(left) + len(wanted) - i
    if missing > n_left_out:
        raise Failure(f"{where}: {missing} events are missing, {n_left_out} were left out as it says")
    n = sum(map(len, part.values()))
    if f"events        {n:,}\n" not in said or "  try:      heddle analyze " not in said:
        raise Failure(f"{where}: there are {n} events; it says {said}")
    build.analyze(work / "part" / "traces.otf2", work / "part.cubex")


def sums_of_waits(build, report, work):
    build.dump(report, work / "dump.tsv")
    sums = collections.defaultdict(float)
    for (metric, path, process, thread), value in compare_reference.load(str(work / "dump.tsv")).items():
        sums[metric, process, thread] += value
    return sums


def check_instances(build, archive, work):
    """Number of instances found."""
    report = work / "instances.cubex"
    build.analyze(archive.anchor, report, 1, 2, "block", "--instances", "1")
    code, output, errors = run(["tar", "-xOf", str(report), "heddle.instances.tsv"])
    if code != 0:
        raise Failure(f"no table of instances\n{errors}")
    rows = few([line.split("\t") for line in output.splitlines()[1:]])
    sums = sums_of_waits(build, report, work)
    for number, metric, _, process, thread, enter, leave, waiting, _ in rows:
        if metric.startswith(("mpi_rma", "omp_", "pthread_")) or "_wo" in metric or "lswo" in metric or "completion" in metric:
            continue  # of several records, or of what is told of others later
        margin = 0.4 * float(leave)
        extract(build, archive, work / "instance", "--instance", number, "--report", str(report), "--margin", f"{margin:.9f}")
        anchor = work / "instance" / "traces.otf2"
        check_nesting(events_of(anchor), f"instance {number}")
        build.analyze(anchor, work / "instance.cubex")
        found = sums_of_waits(build, work / "instance.cubex", work)[metric, int(process), int(thread)]
        whole = sums[metric, int(process), int(thread)]
        if found <= 0 or found > whole * (1 + 1e-9):
            raise Failure(f"instance {number}, {metric}, process {process}: {waiting} s in the run, {found:.9g} s in the part")
    return len(rows)


RECORD = re.compile(r"(?:Sender|Receiver): \d+ \(.*? <(\d+)>\), Communicator: (.*), Tag: (\d+), Length")
REQUEST = re.compile(r"Request: (\d+)")


def matched(whole):
    """[(send time, location and position of the receive in its events)], in MPI's order: that of sends, and of posts; how many receives
    were completed in another one."""
    sends, receives, n_swapped = collections.defaultdict(list), collections.defaultdict(list), 0
    for location, rows in whole.items():
        requests, n_posts, entered = {}, 0, 0
        for i, (time, kind, rest) in enumerate(rows):
            record, number = RECORD.match(rest), REQUEST.search(rest)
            if kind in ("MPI_SEND", "MPI_ISEND") and record:
                key = (record[2], location, record[1], record[3])
                sends[key].append(time)
                if kind == "MPI_ISEND":
                    requests[number[1]] = key, len(sends[key]) - 1
            elif kind == "MPI_IRECV_REQUEST":
                requests[number[1]] = n_posts
                n_posts += 1
            elif kind in ("MPI_RECV", "MPI_IRECV"):
                post = requests.pop(number[1]) if kind == "MPI_IRECV" else n_posts
                n_posts += kind == "MPI_RECV"
                if record:
                    receives[record[2], record[1], location, record[3]].append((post, location, i))
            elif kind == "MPI_REQUEST_CANCELLED" and isinstance(requests.get(number[1]), tuple):
                key, place = requests.pop(number[1])
                sends[key][place] = None
    pairs = []
    for key, of_channel in receives.items():
        n_swapped += of_channel != sorted(of_channel)
        pairs += zip((time for time in sends[key] if time is not None), sorted(of_channel))
    return [(time, location, i) for time, (_, location, i) in pairs], n_swapped


def check_random(build, program, work):
    seeds, n_swapped, n_before = few(range(1, 41)), 0, 0
    for seed in seeds:
        shutil.rmtree(work / "random", ignore_errors=True)
        subprocess.run([program, str(seed), str(work / "random")], check=True)
        whole, length = events_of(work / "random" / "traces.otf2"), length_of(work / "random" / "traces.otf2")
        pairs, n = matched(whole)
        n_swapped += n
        first = min(rows[0][0] for rows in whole.values() if rows)
        for share in (0.2, 0.4, 0.6, 0.8) if n else ():
            begin = int(share * length) // 1000
            extract(build, Archive(work / "random"), work / "part", "--from", f"{begin / 10**6:.6f}", "--to", "1000")
            part = events_of(work / "part" / "traces.otf2")
            for location, rows in whole.items():
                before = {i for time, l, i in pairs if l == location and time < first + begin <= rows[i][0]}
                there = [row for i, row in enumerate(rows) if row[0] >= first + begin and row[1] in ("MPI_RECV", "MPI_IRECV") and i not in before]
                n_before += len(before)
                if there != [row for row in part.get(location, []) if row[1] in ("MPI_RECV", "MPI_IRECV")]:
                    raise Failure(f"random program {seed} from {begin} us: location {location} has other receives")
    if n_swapped < len(seeds) / 8 or n_before < 2.5 * len(seeds):
        raise Failure(f"{n_swapped} channels with receives in another order, {n_before} receives were left out")
    return f"{n_swapped} channels with receives in another order, {n_before} receives were left out"


def check(build, archive, work):
    extract(build, archive, work / "all", "--margin", "1", "--from", "0.000000001")
    anchor = work / "all" / "traces.otf2"
    if definitions_of(anchor) != definitions_of(archive.anchor):
        raise Failure("other definitions")
    whole, length = events_of(archive.anchor), length_of(archive.anchor)
    if events_of(anchor) != whole:
        raise Failure("other events")
    for begin, end in PARTS:
        check_part(build, archive, whole, *(int(border * length) for border in (begin, end)), work)
    return f"{len(PARTS)} parts, {check_instances(build, archive, work)} instances"


def check_errors(build, archive, work):
    """Each with an exit code and words; nothing is left behind."""
    there, folder = work / "there", work / "none"
    there.mkdir(exist_ok=True)
    report = work / "plain.cubex"
    build.analyze(archive.anchor, report)
    before = sorted(path.name for path in work.iterdir())
    for code, words, options in (
        (2, "neither an instance", ()),
        (2, "exclude each other", ("--instance", "1", "--from", "1ms")),
        (2, "--from is not before --to", ("--from", "1s", "--to", "0.5s")),
        (2, "the interval from --from to --to", ("--from", "1000000s")),
        (2, "has no instances", ("--instance", "1", "--report", str(report))),
        (2, "--report has an effect", ("--to", "1ms", "--report", str(report))),
        (2, "needs a time", ("--margin", "wide")),
        (1, "heddle analyze --instances", ("--instance", "1", "--report", str(work / "not-there.cubex"))),
        (1, "exists already", ("--to", "1ms", "-o", str(there))),
        (1, "cannot be written", ("--to", "1ms", "-o", str(work / "no" / "folder"))),
    ):
        got, output, errors = run([build.heddle, "extract", str(archive.anchor), "-o", str(folder), *options])
        if got != code or words not in errors or output:
            raise Failure(f"{options}: exit code {got}, expected {code} with \"{words}\"\n{output}{errors}")
        if sorted(path.name for path in work.iterdir()) != before:
            raise Failure(f"{options}: something is left behind: {sorted(path.name for path in work.iterdir())}")


def check_interrupted(build, archive, work):
    """Ended by a signal while it writes: nothing is left behind, or, where it came too late, the whole."""
    folder, ended = work / "interrupted", False
    for _ in range(200):
        if ended:
            return
        folder.mkdir()
        process = subprocess.Popen([build.heddle, "extract", str(archive.anchor), "--to", "1000s", "-q", "-o", str(folder / "part")])
        while process.poll() is None and not any(folder.iterdir()):
            time.sleep(0.0005)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=HANG_SECONDS)
        names = sorted(path.name for path in folder.iterdir())
        if process.returncode not in (0, -signal.SIGTERM) or names not in ([], ["part"]):
            raise Failure(f"interrupted: exit code {process.returncode}, left behind: {names}")
        ended |= process.returncode != 0 and not names
        shutil.rmtree(folder)
    raise Failure("interrupted: it was never ended before it was complete")


def findings_of(build, anchor, report):
    """The exit code, what the report covers, and the findings about locations."""
    report.unlink(missing_ok=True)
    table = report.with_suffix(".findings.tsv")
    table.unlink(missing_ok=True)
    code  = build.analyze(anchor, report)
    first = run([build.heddle, "summary", str(report)])[1].split("\n", 1)[0]
    rows  = table.read_text().splitlines() if table.exists() else []
    return code, first.partition("; trace coverage ")[2], rows


def extract_damaged(build, anchor, to, words, *options):
    """A part in which something is lost: words of the warning, "" where nothing is."""
    shutil.rmtree(to, ignore_errors=True)
    code, _, errors = run([build.heddle, "extract", str(anchor), "-q", "-o", str(to), *options])
    if code != (3 if words else 0) or words not in errors or (not words and errors):
        raise Failure(f"{anchor.parent.name} {' '.join(options)}: exit code {code}, expected \"{words}\"\n{errors}")
    otf2_print(to / "traces.otf2")
    return to / "traces.otf2"


def cut_file(copy, name):
    with open(copy / "traces" / f"{name}.evt", "r+b") as events:
        events.truncate(events.seek(0, 2) // 2)


def edit_middle(copy, name, edit):
    """edit: gets the records of a location, and the number of a time in their middle."""
    archive = otf2_bytes.Archive(copy)
    records = archive.events[name].records
    middle  = len(records) // 2
    while records[middle][0] != otf2_bytes.TIME:
        middle += 1
    edit(records, middle)
    shutil.rmtree(copy)
    archive.write(copy)


def stop_process(copy, name):
    edit_middle(copy, name, lambda records, middle: records.__delitem__(slice(middle, None)))


def damage_time(copy, name):
    edit_middle(copy, name, lambda records, middle: records.__setitem__(middle, (otf2_bytes.TIME, [("full", 8, 1 << 60)])))


def add_unknown(copy, name):
    edit_middle(copy, name, lambda records, middle: records.insert(middle + 1, (UNKNOWN_KIND, [otf2_bytes.number(7)])))


UNKNOWN_KIND = 240  # of a record
DAMAGES = (("cut", "1 location has an event file that ends too early", cut_file),
           ("missing", "1 location has no event file", lambda copy, name: (copy / "traces" / f"{name}.evt").unlink()),
           ("stopped", "1 process ends inside of calls", stop_process),
           ("all missing", "locations have no event file", lambda copy, name: [file.unlink() for file in (copy / "traces").glob("*.evt")]),
           ("undefined", "1 location has no readable definitions of its own; its events are omitted",
            lambda copy, name: (copy / "traces" / f"{name}.def").unlink()),
           ("mistimed", "1 location has records far after the end of the recording", damage_time),
           ("unknown", "1 location has records of a kind", add_unknown))


def check_damaged(build, archive, work):
    """What is lost in the part has a warning and exit code 3, and is lost in the new archive, too. What is lost behind it is not."""
    end = f"{0.95 * length_of(archive.anchor) / 10**9:.9f}"
    for what, words, damage in DAMAGES:
        copy = work / what.replace(" ", "-")
        shutil.copytree(archive.anchor.parent, copy)
        for file in copy.rglob("*"):
            file.chmod(0o755)
        damage(copy, "1")
        rest     = extract_damaged(build, copy / archive.anchor.name, work / "rest", words, "--to", "1000s")
        expected = findings_of(build, copy / archive.anchor.name, work / "damaged.cubex")
        found    = findings_of(build, rest, work / "rest.cubex")
        kinds    = [row.split("\t")[0] for row in found[2][1:]]
        if found[0] != 3 or not found[1] or (what not in ("undefined", "mistimed", "unknown") and found != expected):
            raise Failure(f"{what}: in the part {found}\nin the archive {expected}")
        if what == "undefined" and ("1" in events_of(rest) or "no-events" not in kinds):
            raise Failure(f"{what}: {found}")
        if what in ("mistimed", "unknown") and kinds != ["cut-events"]:
            raise Failure(f"{what}: {found}")
        if what == "mistimed" and len(events_of(rest)["1"]) != len(events_of(archive.anchor)["1"]):
            raise Failure(f"{what}: events behind the time are missing")
        if what in ("cut", "stopped"):
            before = extract_damaged(build, copy / archive.anchor.name, work / "before", "", "--to", "1ms")
            if findings_of(build, before, work / "before.cubex")[0] != 0:
                raise Failure(f"{what}: the part before is not whole")
            behind = extract_damaged(build, copy / archive.anchor.name, work / "behind", words, "--from", end)
            kinds  = {row.split("\t")[0] for row in findings_of(build, behind, work / "behind.cubex")[2]}
            if ("stopped" if what == "stopped" else "no-events") not in kinds:
                raise Failure(f"{what}: behind it {kinds}")


def check_not_needed(build, archive, work):
    """A location without its own definitions, where nothing depends on any: all its events are there, and that something is missing."""
    whole = work / "whole"
    extract(build, archive, whole, "--to", "1000s")
    (whole / "traces" / "1.def").unlink()
    shutil.rmtree(work / "rest")
    code, _, errors = run([build.heddle, "extract", str(whole), "-q", "-o", str(work / "rest"), "--to", "1000s"])
    if code != 3 or "nothing that would change its events" not in errors:
        raise Failure(f"not needed: exit code {code}\n{errors}")
    found = findings_of(build, work / "rest" / "traces.otf2", work / "rest.cubex")
    if found[0] != 3 or [row.split("\t")[0] for row in found[2][1:]] != ["no-definitions"]:
        raise Failure(f"not needed: {found}")
    if len(otf2_bytes.Archive(work / "rest").events["1"].records) != len(otf2_bytes.Archive(whole).events["1"].records):
        raise Failure("not needed: events are missing")


def check_unreadable(build, archive, work, library):
    """A file that is there and cannot be read is an error, as of heddle analyze; nothing is left behind."""
    for suffix in ("/1.evt", "/1.def"):
        folder = work / "unreadable"
        folder.mkdir()
        faults = ["env", f"LD_PRELOAD={library}", f"FAULT_READ={suffix}:0"]
        code, output, errors = run([*faults, build.heddle, "extract", str(archive.anchor), "--from", "1ms", "-o", str(folder / "part")])
        if code != 1 or "a file of the archive cannot be read: Input/output error" not in errors or output or any(folder.iterdir()):
            raise Failure(f"unreadable {suffix}: exit code {code}, left behind: {list(folder.iterdir())}\n{errors}")
        folder.rmdir()


def check_full(build, archive, work):
    """A disk that is full; stands for it: no file may grow beyond 1 KiB. Says so, and leaves nothing behind."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    folder = work / "full"
    folder.mkdir()
    done = subprocess.run([build.heddle, "extract", str(archive.anchor), "--to", "1000s", "-q", "-o", str(folder / "part")], preexec_fn=limit,
                          restore_signals=False, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 1 or "File too large" not in done.stderr or any(folder.iterdir()):
        raise Failure(f"full: exit code {done.returncode}, left behind: {list(folder.iterdir())}\n{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--openmpi", metavar="HEDDLE")
    parser.add_argument("--mpich", metavar="HEDDLE")
    parser.add_argument("--random", help="tw_random")
    parser.add_argument("--library", help="fault_library, for files that cannot be read")
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    build = Build("openmpi", options.openmpi) if options.openmpi else Build("mpich", options.mpich)
    work = pathlib.Path(options.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    archives, failed = [Archive(pathlib.Path(folder).resolve()) for folder in few(options.archives)], 0
    if options.random:
        try:
            print("ok    random programs:", check_random(build, options.random, work), flush=True)
        except Failure as failure:
            failed += 1
            print("FAIL ", failure, flush=True)
    for i, archive in enumerate(archives):
        try:
            if i == 0:
                check_errors(build, archive, work)
                check_interrupted(build, archive, work)
                check_damaged(build, archive, work)
                check_not_needed(build, archive, work)
                if options.library:
                    check_unreadable(build, archive, work, options.library)
                check_full(build, archive, work)
            print("ok   ", archive.name, check(build, archive, work), flush=True)
        except Failure as failure:
            failed += 1
            print("FAIL ", archive.name, failure, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

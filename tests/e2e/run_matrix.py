#!/usr/bin/env python3
"""Analyses archives on many numbers of ranks and threads and demands one and the same result, which has to be right, too.

usage: run_matrix.py --openmpi HEDDLE [--mpich HEDDLE] --work DIR [--run RxT:PLACEMENT:MPI]... [--all] FOLDER_OR_ARCHIVE...

Of each archive:
  1. one rank with one thread: the result, on which the invariants are tested (docs/architecture.md#invariants);
     the margins of the tables of causes (docs/metrics.md#who-makes-whom-wait);
     the sums of all instances of each wait state are its values (docs/formats.md#statistics);
     the length of the critical path against the time stamps of the events, where otf2-print is installed;
     "heddle dump" against an independent reader of reports, where ../shared/tools is beside the checkout;
     the times of each thread against the time stamps of its events, where otf2-print is installed
  2. the same with --compat=scout26 against the reference result, where there is one
  3. all other combinations: the same values as in 1, the same statistics, instances and moments
Prints a line for each archive. Exit status: 0 all is well, 1 not, 2 the command line is wrong.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree

import compare_reference
from otf2_text import otf2_text

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "runner"))
import runner  # noqa: E402
from runner import ENVIRONMENT as MPI_ENVIRONMENT, HANG_SECONDS, by_rank  # noqa: E402, F401

SHARED_TOOLS = ROOT.parent / "shared" / "tools"
RANKS, THREADS, PLACEMENTS = (1, 2, 3, 4, 7, 16), (1, 2, 3), ("block", "cyclic", "node")
EXACT = 1e-12
INSTANCES = ("--instances", "7")
# Some of the wait states that have instances wherever they have time.
WITH_INSTANCES = {"mpi_latesender", "mpi_latesender_wo", "mpi_latereceiver", "mpi_wait_nxn", "mpi_nxn_completion", "mpi_barrier_wait",
                  "mpi_barrier_completion", "mpi_latebroadcast", "mpi_earlyreduce", "mpi_earlyscan", "mpi_init_completion",
                  "mpi_finalize_wait", "mpi_nbc_wait", "mpi_rma_wait_at_fence", "mpi_rma_early_fence", "mpi_rma_wait_at_create",
                  "mpi_rma_wait_at_free", "mpi_rma_sync_late_post", "mpi_rma_early_wait", "mpi_rma_sync_lock_competition",
                  "omp_ebarrier_wait", "omp_ibarrier_wait", "omp_lock_contention_critical", "omp_lock_contention_api",
                  "pthread_lock_contention_mutex_lock", "pthread_lock_contention_conditional"}


# Launchers that start at the same moment as those of other tests get into each other's way in one folder.
TEMPORARY = tempfile.TemporaryDirectory(prefix="heddle-")


class Failure(Exception):
    pass


def is_writing(pid, folder):
    """Whether a process has a file of the folder open that has no name yet, or one that is not for good."""
    try:
        files = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
    except OSError:  # it ends
        return False
    return any(file.startswith(f"{folder}/#") or (file.startswith(f"{folder}/") and ".tmp-" in file) for file in files)


def first_program(*names):
    for name in names:
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            path = os.path.join(folder, name)
            if os.access(path, os.X_OK):
                return path
    return names[-1]


def run(command):
    """Exit code, standard output, standard error."""
    try:
        code, output, errors = runner.run(command, TMPDIR=TEMPORARY.name)
    except (subprocess.TimeoutExpired, TimeoutError):
        raise Failure(f"not finished after {HANG_SECONDS} s: {' '.join(map(str, command))}")
    return code, output.decode(errors="surrogateescape"), errors.decode(errors="surrogateescape")


class Build:
    def __init__(self, mpi, heddle):
        self.mpi, self.heddle = mpi, str(pathlib.Path(heddle).resolve())
        self.mpirun = first_program(f"mpirun.{mpi}", "mpirun")

    def analyze(self, anchor, report, ranks=1, threads=1, placement="block", *more):
        """The exit code: 0, or 3 for an incomplete archive."""
        command = [] if ranks == 1 else [self.mpirun, "-n", str(ranks)]
        command += [self.heddle, "analyze", str(anchor), "-o", str(report), "--force", "--quiet", "--bind", "none"]
        command += ["--threads", str(threads), "--placement", placement, *more]
        code, _, errors = run(command)
        if code not in (0, 3):
            raise Failure(f"exit code {code} of {' '.join(command)}\n{errors.strip()}")
        return code

    def causes(self, report):
        """The tables of causes: call paths, processes; empty where the report has none."""
        tables = []
        for more in ([], ["--processes"]):
            code, output, errors = run([self.heddle, "causes", str(report), "--tsv", *more])
            if code != 0 and "has no table of causes" not in errors:
                raise Failure(f"exit code {code} of heddle causes {report}\n{errors.strip()}")
            tables.append(output)
        return tables

    def dump(self, report, path):
        code, output, errors = run([self.heddle, "dump", str(report)])
        if code != 0:
            raise Failure(f"exit code {code} of heddle dump {report}\n{errors.strip()}")
        path.write_text(output, errors="surrogateescape")
        return output


def metric_kinds():
    """{metric: (kind, bound)} as the table of the program has them."""
    table = (ROOT / "src" / "profile" / "metric_table.h").read_text()
    rows = re.findall(r'^X\((\w+), (\w+), "[^"]*", (\w+), (\w), (\w+), (\w+),', table, re.M)
    return {row[0]: (row[3], row[5]) for row in rows}


def metric_parents(report):
    """{metric: its parent or None} of a report."""
    parents = {}

    def walk(element, parent):
        name = element.findtext("uniq_name")
        parents[name] = parent
        for child in element.findall("metric"):
            walk(child, name)

    with tarfile.open(report) as archive:
        root = xml.etree.ElementTree.fromstring(archive.extractfile("anchor.xml").read())
    for element in root.find("metrics").findall("metric"):
        walk(element, None)
    return parents


def check_invariants(values, parents, kinds):
    for (metric, *place), value in values.items():
        kind, bound = kinds.get(metric, ("S", "NONE"))
        slack = EXACT * max(1.0, abs(value))
        where = f"{metric} at {place}"
        if kind in "RP" and value < 0:
            raise Failure(f"negative: {where}: {value:.17g}")
        parent = parents.get(metric)
        if kind in "RP" and bound != "NONE" and kinds.get(parent, ("S",))[0] in "RP":
            if value > values.get((parent, *place), 0.0) + slack:
                raise Failure(f"larger than its parent: {where}: {value:.17g} > {values.get((parent, *place), 0.0):.17g}")
        if bound == "TIME" and value > values.get(("time", *place), 0.0) + slack:
            raise Failure(f"larger than the time of its call path: {where}: {value:.17g}")


KINDS = ("latesender", "latereceiver", "barrier", "n2n", "12n", "n21", "ompbarrier", "ompidle", "scan", "nbc", "omplock", "pthreadlock",
         "rma", "fileio")
CAUSED = {  # kind of delay: the waiting times that its costs add up to
    "latesender": ("mpi_latesender",), "latereceiver": ("mpi_latereceiver",), "barrier": ("mpi_barrier_wait",),
    "n2n": ("mpi_wait_nxn",), "12n": ("mpi_latebroadcast",), "n21": ("mpi_earlyreduce",),
    "ompbarrier": ("omp_ebarrier_wait", "omp_ibarrier_wait"),
    "scan": ("mpi_earlyscan",), "nbc": ("mpi_nbc_wait",),
    "omplock": ("omp_lock_contention_critical", "omp_lock_contention_api"),
    "pthreadlock": ("pthread_lock_contention_mutex_lock", "pthread_lock_contention_conditional"),
    "rma": ("mpi_rma_wait_at_create", "mpi_rma_wait_at_free", "mpi_rma_wait_at_fence", "mpi_rma_sync_late_post", "mpi_rma_comm_late_post",
            "mpi_rma_early_wait", "mpi_rma_sync_lock_competition", "mpi_rma_comm_lock_competition",
            "shmem_barrier_wait", "shmem_wait_nxn", "shmem_latebroadcast"),
    "fileio": ("mpi_file_wait", "mpi_io_wait"),
}


def sums_of(values):
    """{metric: sum over all call paths, processes and threads}"""
    sums = {}
    for key, value in values.items():
        sums[key[0]] = sums.get(key[0], 0.0) + value
    return sums


def check_costs(values):
    """Costs and unattributed time sum to the waiting times; not those of barriers in which tasks were done."""
    sums = sums_of(values)
    for kind, waits in CAUSED.items():
        if kind == "ompbarrier" and sums.get("omp_task_count"):
            continue
        costs = sum(sums.get(name, 0.0) for name in (f"delay_{kind}", f"delay_{kind}_longterm", f"delay_unattributed_{kind}"))
        expected = sum(sums.get(name, 0.0) for name in waits)
        if abs(costs - expected) > 1e-9 * expected + EXACT:
            raise Failure(f"the costs of {kind} add up to {costs:.17g} s, the waiting times to {expected:.17g} s")


def parse_causes(text):
    """{(cause, effect, kind) or (process, waiting process): (short-term, long-term)} of "heddle causes --tsv"."""
    table = {}
    for line in text.splitlines()[1:]:
        *key, short, long = line.split("\t")
        short_before, long_before = table.get(tuple(key), (0.0, 0.0))
        table[tuple(key)] = (short_before + float(short), long_before + float(long))
    return table


def add_up(pairs):
    sums = {}
    for key, value in pairs:
        sums[key] = sums.get(key, 0.0) + value
    return sums


def check_margins(what, margins, expected):
    for key in margins.keys() | expected.keys():
        if abs(margins.get(key, 0.0) - expected.get(key, 0.0)) > 1e-9 * expected.get(key, 0.0) + EXACT:
            raise Failure(f"{what} {key}: {margins.get(key, 0.0):.17g} s in the table, {expected.get(key, 0.0):.17g} s in the metrics")


def check_causes(values, causes, pairs):
    """The margins of the tables of causes are the metrics: of each cause its delay costs, of each effect its waiting time, of
    pairs of processes the costs of each process."""
    costs = {"delay_" + kind + suffix: (kind, place) for kind in KINDS for place, suffix in enumerate(("", "_longterm"))}
    for place, name in enumerate(("short-term", "long-term")):
        got = add_up(((kind, cause), row[place]) for (cause, _, kind), row in causes.items() if cause)
        check_margins(f"{name} costs of", got, add_up(((costs[key[0]][0], key[1]), value) for key, value in values.items()
                                                       if key[0] in costs and costs[key[0]][1] == place))
        got = add_up((process, row[place]) for (process, _), row in pairs.items() if process)
        if ("", "") not in pairs:
            check_margins(f"{name} costs of process", got, add_up((str(key[2]), value) for key, value in values.items()
                                                                  if key[0] in costs and costs[key[0]][1] == place))
    check_margins("unattributed:", add_up((kind, sum(row)) for (cause, _, kind), row in causes.items() if not cause),
                  add_up((key[0][len("delay_unattributed_"):], value) for key, value in values.items()
                         if key[0].startswith("delay_unattributed_")))
    for kind, waits in CAUSED.items():
        if any(not effect for _, effect, of_kind in causes if of_kind == kind):
            continue
        if kind == "ompbarrier" and any(key[0] == "omp_task_count" for key in values):
            continue
        check_margins(f"waits ({kind}) at", add_up((effect, sum(row)) for (_, effect, of_kind), row in causes.items() if of_kind == kind),
                      add_up((key[1], value) for key, value in values.items() if key[0] in waits))


def run_lengths(anchor):
    """Seconds from each MPI_Init, and from each location's first event, to the MPI_Finalize that is entered last, or the end;
    None where they cannot be told."""
    try:
        _, definitions, events, _ = otf2_text(anchor)
        resolution = int(re.search(r"^CLOCK_PROPERTIES.*?(\d{4,})", definitions, re.M)[1])
    except (OSError, TypeError):
        return None
    starts, first, ends, finalizes = set(), {}, [0], []
    for event, location, time, rest in re.findall(r"^([A-Z_]+) +(\d+) +(\d+)  (.*)", events, re.M):
        first.setdefault(location, int(time))
        ends.append(int(time))
        if event == "ENTER" and '"MPI_Finalize"' in rest:
            finalizes.append(int(time))
        elif event == "ENTER" and re.search('"MPI_Init(_thread)?"', rest):
            starts.add(int(time))
    end = max(finalizes or ends)
    return [(end - start) / resolution for start in starts | set(first.values())]


def check_critical_path(values, anchor, findings):
    """The path is as long as the run, from where it comes. Clocks that are wrong make it longer."""
    sums = sums_of(values)
    is_parallel = "mpi" in sums or "omp_time" in sums
    if not is_parallel or re.search(r"^clock-", findings, re.M):
        return False
    lengths, length = run_lengths(anchor), sums.get("critical_path", 0.0)
    if not lengths:
        return False
    if all(abs(length - expected) > 1e-9 * expected + EXACT for expected in lengths):
        raise Failure(f"the critical path is {length:.12g} s long, the run at most {max(lengths):.12g} s")
    return True


def recorded_times(anchor):
    """{(process, thread): (seconds, whether fork and join come on top)}, None where it cannot be told.

    A thread is recorded while it is in the program or in a region, workers also from the fork of their team until it is joined.
    Workers that fork teams of their own are left out."""
    try:
        _, definitions, events, _ = otf2_text(anchor)
        resolution = int(re.search(r"^CLOCK_PROPERTIES.*?(\d{4,})", definitions, re.M)[1])
    except (OSError, TypeError):
        return None
    threads, n_threads = {}, {}
    locations = re.findall(r'^LOCATION +(\d+) .*CPU_THREAD.*Group: "(.*)" <(\d+)>$', definitions, re.M)
    for location, group, reference in locations:
        rank = re.fullmatch(r"MPI Rank (\d+)", group)
        if rank is None and len({row[2] for row in locations}) > 1:
            continue
        process = int(rank[1]) if rank else 0
        threads[location] = (process, n_threads.get(process, 0))
        n_threads[process] = threads[location][1] + 1
    depth, inside, forks = dict.fromkeys(threads, 0), dict.fromkeys(threads, 0), set()
    for event, location, time in re.findall(r"^([A-Z_]+) +(\d+) +(\d+)  ", events, re.M):
        if event in ("ENTER", "PROGRAM_BEGIN") and location in threads:
            inside[location] -= int(time) if depth[location] == 0 else 0
            depth[location] += 1
        elif event in ("LEAVE", "PROGRAM_END") and location in threads:
            depth[location] -= 1
            inside[location] += int(time) if depth[location] == 0 else 0
        elif event == "THREAD_FORK":
            forks.add(location)
    return {
        place: (inside[location] / resolution, place[1] > 0)
        for location, place in threads.items() if place[1] == 0 or location not in forks
    }


def check_recorded_times(values, anchor):
    expected = recorded_times(anchor)
    if not expected:
        return False
    sums = {}
    for (metric, _, process, thread), value in values.items():
        if metric in ("time", "omp_idle_threads", "omp_management"):
            sums[process, thread, metric] = sums.get((process, thread, metric), 0.0) + value
    for (process, thread), (seconds, is_managed) in expected.items():
        found = sums.get((process, thread, "time"), 0.0) - sums.get((process, thread, "omp_idle_threads"), 0.0)
        if is_managed:
            found -= sums.get((process, thread, "omp_management"), 0.0)
        if abs(found - seconds) > 1e-9 * seconds + 1e-12:
            raise Failure(f"process {process}, thread {thread} was recorded for {seconds:.12g} s, its times sum to {found:.12g} s")
    return True


def check_other_reader(report, dump, work):
    reader, judge = SHARED_TOOLS / "cubex.py", SHARED_TOOLS / "check_reference.py"
    if not reader.exists() or not judge.exists():
        return False
    code, output, errors = run([sys.executable, str(reader), str(report)])
    if code != 0:
        raise Failure(f"cubex.py cannot read {report}\n{errors.strip()}")
    other = work / "other.tsv"
    other.write_text(output, errors="surrogateescape")
    code, output, _ = run([sys.executable, str(judge), str(dump), str(other), "--tick", "0.001"])
    if code != 0:
        lines = output.strip().splitlines()
        raise Failure(f"another reader finds other values than heddle dump in {report}\n" + "\n".join(lines[:5] + lines[-1:]))
    return True


class Archive:
    def __init__(self, folder):
        self.folder, self.name = folder, folder.name
        self.anchor = folder / "traces.otf2"
        self.kinds, self.processes = set(), 0
        index = folder.parent / "INDEX.tsv"
        if index.exists():
            for line in index.read_text().splitlines():
                columns = line.split("\t")
                if columns[0] == self.name:
                    self.kinds, self.processes = set(columns[1].split(",")), int(columns[2])
        references = [folder.parent / "reference", folder.parent.parent / "reference"]
        paths = [path / f"{self.name}.tsv.gz" for path in references]
        self.reference = next((path for path in paths if path.exists()), None)
        self.bytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

    def __lt__(self, other):
        return (self.bytes, self.name) < (other.bytes, other.name)


def archives_in(paths):
    found = []
    for path in map(pathlib.Path, paths):
        if (path / "traces.otf2").exists():
            found.append(Archive(path.resolve()))
        elif path.is_dir():
            found += [Archive(anchor.parent.resolve()) for anchor in path.glob("*/traces.otf2")]
        else:
            print(f"(no {path} here)")
    return sorted(found)


def check_reference(archive, build, work):
    report, dump = work / "compat.cubex", work / "compat.tsv"
    build.analyze(archive.anchor, report, 1, 1, "block", "--compat=scout26")
    build.dump(report, dump)
    result, reference = compare_reference.load(str(dump)), compare_reference.load(str(archive.reference))
    found, n = compare_reference.differences(result, reference)
    if found:
        lines = "\n".join(compare_reference.words(found))
        raise Failure(f"{len(found)} of {n} values differ from the reference\n{lines}")
    return n


def instance_tables(report):
    """The tables of instances as they are, and the file beside the report."""
    with tarfile.open(report) as members:
        tables = [members.extractfile(f"heddle.{name}.tsv").read().decode() for name in ("statistics", "instances", "moments", "windows", "messages")]
    return tables + [report.with_suffix(".stat").read_text()]


def table_rows(text):
    head, *lines = (line.split("\t") for line in text.splitlines() if line)
    return [dict(zip(head, line, strict=True)) for line in lines]


def check_statistics(values, text):
    sums = {}
    for (metric, *_), value in values.items():
        sums[metric] = sums.get(metric, 0.0) + value
    rows, paths = table_rows(text), {}
    for row in rows:
        if row["path"] == "":
            if abs(float(row["sum"]) - sums.get(row["metric"], 0.0)) > 1e-9 * float(row["sum"]) + 1e-12:
                raise Failure(f"the instances of {row['metric']} sum to {row['sum']}, its values to {sums.get(row['metric'])}")
        else:
            for key in "count", "sum":
                paths[row["metric"], key] = paths.get((row["metric"], key), 0.0) + float(row[key])
        spread = [float(row[key]) for key in ("minimum", "quartile25", "median", "quartile75", "maximum")]
        if any(low > high + EXACT for low, high in zip(spread, spread[1:])):
            raise Failure(f"the quartiles of {row['metric']} are not in order")
    for row in rows:
        for key in ("count", "sum") if row["path"] == "" else ():
            if abs(float(row[key]) - paths[row["metric"], key]) > 1e-9 * float(row[key]):
                raise Failure(f"{key} of {row['metric']} is {row[key]}, over its call paths {paths[row['metric'], key]}")
    missing = {metric for metric in sums if metric in WITH_INSTANCES and sums[metric] > 0} - {row["metric"] for row in rows}
    if missing:
        raise Failure(f"no statistics of {', '.join(sorted(missing))}")


def check_moments(instances, moments):
    """A thread is at one place at a time, and the wait of an instance is there, within its call."""
    for instance in table_rows(instances):
        lanes = {}
        for row in moments.get(instance["instance"], []):
            lanes.setdefault((row["process"], row["thread"], row["kind"]), []).append((float(row["begin"]), float(row["end"])))
        for lane, spans in lanes.items():
            if any(end <= begin for begin, end in spans) or any(a[1] > b[0] + EXACT for a, b in zip(spans, spans[1:])):
                raise Failure(f"moments of instance {instance['instance']} overlap at {lane}")
        if not lanes:
            continue
        waits = lanes.get((instance["process"], instance["thread"], "wait"), [])
        enter, leave = float(instance["enter"]), float(instance["leave"])
        if len(waits) != 1 or waits[0][0] < enter - EXACT or waits[0][1] > leave + EXACT:
            raise Failure(f"the wait of instance {instance['instance']} is {waits}, not within {enter} and {leave}")


def check_windows(instances, moments, windows, messages):
    """A window has the call that waits, and no more threads than it says; messages lie in it, between threads of the excerpt."""
    calls = {row["instance"]: (float(row["enter"]), float(row["leave"])) for row in table_rows(instances)}
    lanes = {number: {(row["process"], row["thread"]) for row in rows} for number, rows in moments.items()}
    spans = {}
    for row in table_rows(windows):
        number, begin, end = row["instance"], float(row["begin"]), float(row["end"])
        spans[number] = begin, end
        if begin > calls[number][0] or end < calls[number][1] or len(lanes.get(number, ())) > int(row["lanes"]):
            raise Failure(f"the window of instance {number} is {row}")
    if not set(lanes) <= set(spans):
        raise Failure(f"instances {sorted(set(lanes) - set(spans))} have no window")
    for row in table_rows(messages):
        number = row["instance"]
        ends = {(row["sender"], row["sender_thread"]), (row["receiver"], row["receiver_thread"])}
        times = float(row["sent"]), float(row["received"])
        if not ends <= lanes[number] or not all(spans[number][0] <= time <= spans[number][1] for time in times):
            raise Failure(f"a message of instance {number} is not in its window: {row}")


def check_archive(archive, builds, runs, work):
    """A line of what was checked."""
    build = builds[0]
    report, dump = work / "first.cubex", work / "first.tsv"
    findings_path = report.with_suffix(".findings.tsv")
    findings_path.unlink(missing_ok=True)
    code = build.analyze(archive.anchor, report, 1, 1, "block", *INSTANCES)
    text = build.dump(report, dump)
    values = compare_reference.load(str(dump))
    if not values:
        raise Failure("the report is empty")
    done = [f"{len(values)} values"]
    check_invariants(values, metric_parents(report), metric_kinds())
    check_costs(values)
    instances = instance_tables(report)
    check_statistics(values, instances[0])
    moments = {}
    for row in table_rows(instances[2]):
        moments.setdefault(row["instance"], []).append(row)
    check_moments(instances[1], moments)
    check_windows(instances[1], moments, *instances[3:5])
    tables = build.causes(report)
    check_causes(values, *map(parse_causes, tables))
    if archive.bytes < 1_000_000 and code == 0 and check_recorded_times(values, archive.anchor):
        done.append("recorded times")
    findings = findings_path.read_text(errors="surrogateescape") if findings_path.exists() else ""
    if archive.bytes < 4_000_000 and code == 0 and check_critical_path(values, archive.anchor, findings):
        done.append("critical path")
    if check_other_reader(report, dump, work):
        done.append("second reader")
    if archive.reference is not None:
        done.append(f"{check_reference(archive, build, work)} reference values")
    for ranks, threads, placement, mpi in runs:
        for build in builds:
            if mpi not in ("any", build.mpi):
                continue
            again = work / "again.cubex"
            if build.analyze(archive.anchor, again, ranks, threads, placement, *INSTANCES) != code:
                raise Failure(f"another exit code with {ranks} x {threads} {placement} {build.mpi}")
            if build.dump(again, work / "again.tsv") != text:
                found, _ = compare_reference.differences(
                    compare_reference.load(str(work / "again.tsv")), values, tick=0.0
                )
                lines = "\n".join(compare_reference.words(found)) or "the same values in another order"
                raise Failure(f"another result with {ranks} x {threads} {placement} {build.mpi}\n{lines}")
            if build.causes(again) != tables:
                raise Failure(f"another table of causes with {ranks} x {threads} {placement} {build.mpi}")
            if instance_tables(again) != instances:
                raise Failure(f"other instances of wait states with {ranks} x {threads} {placement} {build.mpi}")
    done.append(f"{len(runs)} other runs")
    return ", ".join(done)


def parse_run(text):
    match = re.fullmatch(r"(\d+)x(\d+):(block|cyclic|node):(openmpi|mpich|any)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text} is not like 4x2:cyclic:openmpi")
    return int(match[1]), int(match[2]), match[3], match[4]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--openmpi", metavar="HEDDLE")
    parser.add_argument("--mpich", metavar="HEDDLE")
    parser.add_argument("--work", required=True)
    parser.add_argument("--run", action="append", type=parse_run, default=[])
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    builds = [Build(mpi, heddle) for mpi, heddle in (("openmpi", options.openmpi), ("mpich", options.mpich)) if heddle]
    if not builds:
        parser.error("neither --openmpi nor --mpich is given")
    runs = runner.few(options.run)
    if options.all:
        runs = [(r, t, p, "any") for r in RANKS for t in THREADS for p in PLACEMENTS]
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    archives, n_failed = archives_in(options.paths), 0
    for archive in archives:
        try:
            print(f"ok    {archive.name}: {check_archive(archive, builds, runs, work)}", flush=True)
        except Failure as failure:
            n_failed += 1
            print(f"FAIL  {archive.name}: " + str(failure).replace("\n", "\n      "), flush=True)
    print(f"{len(archives)} archives, {n_failed} failed")
    return 1 if n_failed or not archives else 0


if __name__ == "__main__":
    sys.exit(main())

"""What the tests of heddle record share: running a program, and what is in its archive."""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "runner"))
sys.path.insert(0, str(ROOT / "tests" / "record"))
import sequences  # noqa: E402
from runner import ENVIRONMENT, HANG_SECONDS, by_rank  # noqa: E402, F401

tests = []


def test(function):
    tests.append(function)
    return function


def test_once(function):
    """One that has nothing of an MPI library in it: with Open MPI, where the recorder is built for it; HEDDLE_RUNS=all: with each."""
    def where_wanted(options):
        if options.mpi == "openmpi" or os.environ.get("HEDDLE_RUNS", "all") == "all" or not (options.libraries / "libheddle-record-openmpi.so").exists():
            function(options)
    where_wanted.__name__ = function.__name__
    return test(where_wanted)


def fresh(options, name):
    folder = pathlib.Path(options.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


class Run:
    def __init__(self, words, folder, more=()):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=folder, timeout=HANG_SECONDS, errors="replace",
                              env={**os.environ, **ENVIRONMENT, **dict(more)})
        self.code, self.output, self.errors = done.returncode, done.stdout, done.stderr

    def must(self, code, *words):
        assert self.code == code, f"exit code {self.code} instead of {code}: {self.errors}"
        for word in words:
            assert word in self.errors, f"{word!r} is not said: {self.errors}"
        return self


def record(options, folder, *words, n=4, more=()):
    """N ranks of a program, recorded in FOLDER/run."""
    return Run([options.mpirun, "-n", n, options.heddle, "record", "-o", "run", *words], folder, more)


def must_end(options, run, how):
    """The launcher's exit code, of ending_program. MPICH's (4.2) says 0 after one of eight programs that failed, also without heddle record. The exit code
    of heddle record itself is in a_program_with_threads_may_be_killed()."""
    fails = how not in ("", "fork", "system")
    assert (run.code != 0) == fails or (fails and options.mpi == "mpich"), (how, run.code, run.errors)


def program(options, name):
    return options.programs / name


def records(options, archive):
    """How many records of each kind."""
    shown = subprocess.run([options.otf2_print, archive / "traces.otf2"], capture_output=True, text=True, check=True)
    assert not shown.stderr, shown.stderr
    return collections.Counter(line.split()[0] for line in shown.stdout.splitlines() if re.match(r"[A-Z][A-Z_]+ ", line))


def topologies(options, archive):
    """{name: (dimensions, {rank in the communicator: coordinates})}"""
    shown = subprocess.run([options.otf2_print, "-G", archive / "traces.otf2"], capture_output=True, text=True, check=True)
    assert not shown.stderr, shown.stderr
    dimensions = dict(re.findall(r'CART_DIMENSION +(\d+)  (Name: "[^"]*".*)', shown.stdout))
    dimensions = {number: re.sub(r'Name: "(.*)" <\d+>, Size: (\d+), Periodicity: (\w).*', r"\1 \2 \3", text) for number, text in dimensions.items()}
    found = {}
    for name, text in re.findall(r'CART_TOPOLOGY +\d+  Name: "([^"]*)" .*Dimensions?: \((.*)\)', shown.stdout):
        found[name] = [dimensions[number] for number in re.findall(r"<(\d+)>", text)], {}
    for name, rank, text in re.findall(r'CART_COORDINATE .*Topology: "([^"]*)" <\d+>, Rank: (\d+) .*Coordinates?: \((.*)\)', shown.stdout):
        found[name][1][int(rank)] = tuple(int(number) for number in text.split(", "))
    return found


def values(options, archive, metric):
    """{call path: sum over all threads}"""
    if not (archive / "heddle.cubex").exists():
        Run([options.heddle, "analyze", "-q", archive], archive.parent).must(0)
    sums = collections.Counter()
    for line in subprocess.run([options.heddle, "dump", archive], capture_output=True, text=True, check=True).stdout.splitlines():
        fields = line.split("\t")
        if fields[0] == metric:
            sums[fields[1]] += float(fields[-1])
    return sums


def compare(seen, source):
    """The numbers of records with those that the comments of a program say."""
    wanted = collections.Counter()
    for text in re.findall(r"records(?: of main)?: ([A-Z_0-9\s*]+)\*/", (ROOT / "tests" / "record" / source).read_text()):
        for kind, number in re.findall(r"([A-Z_]+) (\d+)", text):
            wanted[kind] += int(number)
    assert wanted and {kind: seen[kind] for kind in wanted} == dict(wanted), {kind: (seen[kind], wanted[kind]) for kind in wanted}


def check_sequences(options, archive):
    """In each call the records that Score-P writes in it."""
    lines, n = sequences.wrong(options.otf2_print, archive)
    assert n > 10 and not lines, lines


def waited(run):
    """What the programs say, in seconds."""
    return sum(int(ns) for ns in re.findall(r"waited +(\d+)", run.output)) / 1e9


def visits(options, archive):
    """{call path: visits of process 0}"""
    if not (archive / "heddle.cubex").exists():
        assert Run([options.heddle, "analyze", "-q", archive], archive.parent).code in (0, 3)
    shown = subprocess.run([options.heddle, "dump", archive], capture_output=True, text=True, check=True).stdout
    lines = [line.split("\t") for line in shown.splitlines()]
    return {fields[1].partition(";")[2]: int(fields[4]) for fields in lines if fields[0] == "visits" and fields[2] == "0" and ";" in fields[1]}


def check_archive(options, folder, run, n):
    """N iterations of each of 4 processes of the program paused, and nothing that has one side only."""
    assert run.output == "20 iterations\n" and "warning" not in run.errors, (run.output, run.errors)
    seen = records(options, folder / "run")
    assert seen["MPI_ISEND"] + seen["MPI_SEND"] == seen["MPI_IRECV"] and seen["MPI_ISEND"] == seen["MPI_ISEND_COMPLETE"] and seen["MPI_IRECV_REQUEST"] == seen["MPI_IRECV"] + seen["MPI_REQUEST_CANCELLED"], seen
    assert seen["MPI_COLLECTIVE_BEGIN"] == seen["MPI_COLLECTIVE_END"] and seen["MPI_COLLECTIVE_END"] % 4 == 0 and seen["ENTER"] == seen["LEAVE"], seen
    assert seen["RMA_COLLECTIVE_END"] % 4 == 0 and seen["NON_BLOCKING_COLLECTIVE_REQUEST"] == seen["NON_BLOCKING_COLLECTIVE_COMPLETE"], seen
    done = Run([options.heddle, "analyze", "-q", "run"], folder)
    findings = folder / "run" / "heddle.findings.tsv"
    said = {line.split("\t")[0] for line in findings.read_text().splitlines()[1:]} if findings.exists() else set()
    assert done.code == 0 and said <= ({"fewer-iterations"} if n is None else set()), (done.errors, findings.read_text())
    assert n is None or visits(options, folder / "run")["main;step"] == n, visits(options, folder / "run")
    return seen


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "mpi", "mpirun", "programs", "otf2-print", "libraries", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--kills", type=int, default=4, help="programs that are killed")
    parser.add_argument("--only", help="a part of a test's name")
    options = parser.parse_args()
    options.work, options.programs, options.libraries = os.path.abspath(options.work), pathlib.Path(options.programs), pathlib.Path(options.libraries)
    wrong = n = 0
    for function in tests:
        if options.only and options.only not in function.__name__:
            continue
        n += 1
        try:
            function(options)
        except AssertionError as problem:
            wrong += 1
            print(f"{function.__name__.replace('_', ' ')}: {problem}", flush=True)
    print(f"{n - wrong} of {n} are right")
    sys.exit(1 if wrong else 0)

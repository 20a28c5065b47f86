#!/usr/bin/env python3
"""An analysis that is killed, stopped, or let down by disk and memory: it ends, says why once, and leaves nothing half-written.

A library that is loaded before all others stops the process where something is to be done to it, and makes reads, writes and memory
fail (fault_library.c).

usage: test_faults.py --heddle PROGRAM --mpirun PROGRAM --library FAULT_LIBRARY --work DIR [--all] [TEST]
"""
import argparse
import errno
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

ARCHIVE = ROOT / "tests" / "data" / "pat-mpi-4"
PHASES = ("load", "replay", "backward replay", "report")
RANK = re.compile(r"heddle: rank (\d+) node=\S+ pid=(\d+) processes=([\d,-]+)\n")
tests = []


def test(function):
    tests.append(function)
    return function


def fresh(options, name):
    folder = pathlib.Path(options.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def environment(options, faults):
    # Open MPI's own time between the signals that end ranks.
    return dict(os.environ, TMPDIR=TEMPORARY.name, **{**MPI_ENVIRONMENT, "OMPI_MCA_odls_base_sigkill_timeout": "1"}), \
        ["env", f"LD_PRELOAD={options.library}", *(f"FAULT_{key}={value}" for key, value in faults.items())]


class Analysis:
    """Runs one, and does something when the first rank has stopped, where a phase begins or it opens its report; then it goes on."""

    def __init__(self, options, report, *more, ranks=1, act=None, archive=ARCHIVE, **faults):
        variables, words = environment(options, faults)
        launcher = [options.mpirun, "-n", str(ranks)] if ranks > 1 else []
        command = [*launcher, *words, options.heddle, "analyze", str(archive), "-o", str(report), "-v", "--threads=2", "--bind=none", *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", env=variables,
                                        stdin=subprocess.DEVNULL)
        self.pids, self.hosted, self.errors = {}, {}, ""
        has_acted = False
        timer = threading.Timer(HANG_SECONDS, self.kill_all)
        timer.start()
        try:
            for line in self.process.stderr:
                self.errors += line
                rank = RANK.fullmatch(line)
                if rank:
                    self.pids[int(rank[1])] = int(rank[2])
                    self.hosted[int(rank[1])] = rank[3]
                if act is not None and not has_acted and len(self.pids) == ranks and self.wait_until_stopped(line, faults):
                    has_acted = True
                    act(self)
                    self.signal([0], signal.SIGCONT)
            self.output = self.process.stdout.read()
            self.code = self.process.wait(HANG_SECONDS)
        finally:
            timer.cancel()
            self.kill_all()
        assert act is None or has_acted, f"it did not stop: {self.errors}"

    def wait_until_stopped(self, line, faults):
        """After the line that says that the phase begins in which it does."""
        if not re.match(rf"heddle: {faults.get('STOP_PHASE', 'report')}( \(|$)", line):
            return False
        while state_of(self.pids[0]) not in (None, "T"):
            time.sleep(0.001)
        return state_of(self.pids[0]) == "T"

    def kill_all(self):
        """What should have ended by itself."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)  # a launcher ends its ranks
            time.sleep(2)
            self.process.kill()

    def signal(self, ranks, number):
        """Returns when a process that is not stopped has taken it."""
        for rank in ranks:
            try:
                os.kill(self.pids[rank], number)
            except ProcessLookupError:  # killed before
                continue
            while state_of(self.pids[rank]) not in (None, "T") and is_pending(self.pids[rank], number):
                time.sleep(0.001)

    def said(self):
        return re.findall(r"heddle: error: .*", self.errors)


def state_of(pid):
    """A letter of proc(5), None when it is over."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return None
    return None if state in "ZX" else state


def is_pending(pid, number):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    return bool(int(re.search(r"^ShdPnd:\s*(\w+)", status, re.M)[1], 16) >> (number - 1) & 1)


def dump(options, report):
    return subprocess.run([options.heddle, "dump", report], capture_output=True, text=True, check=True).stdout


@test
def a_rank_that_is_killed_ends_all(options):
    """In each phase, the first rank and another one; nothing is left, not even under another name, and a running rank neither."""
    for phase in PHASES if options.all else ("replay", "report"):
        for rank in (0, 1) if options.all else (1,):
            folder = fresh(options, "killed")
            run = Analysis(options, folder / "r.cubex", ranks=2, STOP_PHASE=phase, act=lambda run: run.signal([rank], signal.SIGKILL))
            assert run.code != 0, (phase, rank, run.code, run.errors)
            assert names(folder) == [], (phase, rank, names(folder))
            assert run.hosted == {0: "0-1", 1: "2-3"}, run.hosted
            until = time.monotonic() + HANG_SECONDS  # launchers kill, and do not wait
            while any(map(state_of, run.pids.values())):
                assert time.monotonic() < until, (phase, rank, run.pids)
                time.sleep(0.05)


@test
def a_signal_ends_all_cleanly(options):
    """Before there are results: an error, 128 + the signal, nothing left. During backward replay: the results without causes. Later: the whole."""
    folder = fresh(options, "whole")
    Analysis(options, folder / "whole.cubex", "--no-summary")
    Analysis(options, folder / "part.cubex", "--no-delay", "--no-critical-path", "--no-summary")
    whole, part = dump(options, folder / "whole.cubex"), dump(options, folder / "part.cubex")
    assert whole and part and whole != part
    who = [(1, [0]), (2, [0, 1]), (2, [1])] + ([(2, [0]), (3, [0, 1, 2]), (3, [2])] if options.all else [])
    phases = {(1, 0): PHASES, (2, 0): ("replay",), (2, 1): ("backward replay",)}
    numbers = [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1] + ([signal.SIGHUP, signal.SIGUSR2, signal.SIGXCPU] if options.all else [])
    n = 0
    for ranks, targets in who:
        for phase in PHASES if options.all else phases[ranks, targets[0]]:
            number = numbers[n % len(numbers)]
            n += 1
            folder = fresh(options, "signal")
            run = Analysis(options, folder / "r.cubex", ranks=ranks, STOP_PHASE=phase, act=lambda run: run.signal(targets, number))
            what = (phase, ranks, targets, number.name, run.code, run.errors)
            if phase in ("load", "replay"):
                assert run.code == 128 + number, what
                assert len(run.said()) == 1 and f"stopped by {number.name} while " in run.said()[0], what
                assert names(folder) == [] and run.output == "", what
                continue
            assert run.said() == [] and names(folder) == ["r.cubex"], what
            first = run.output.splitlines()[0]
            if phase == "report":
                assert run.code == 0 and dump(options, folder / "r.cubex") == whole and first.startswith("Report "), what
                continue
            assert run.code == 3 and first.startswith(f"Partial: the analysis was stopped by {number.name} during backward replay;"), what
            assert dump(options, folder / "r.cubex") == part, what
            assert f"{'Not computed':26}delay costs, critical path" in run.output, what


@test
def a_page_is_left_out(options):
    for phase in ("backward replay", "report"):
        folder = fresh(options, "page")
        run = Analysis(options, folder / "r.cubex", "--html", STOP_PHASE=phase, act=lambda run: run.signal([0], signal.SIGTERM))
        assert run.code == 3 and run.said() == [] and "the page is not written" in run.errors, (phase, run.code, run.errors)
        assert names(folder) == ["r.cubex"], names(folder)


@test
def a_page_that_is_being_written_is_left_out(options):
    folder = fresh(options, "in-page")
    run = Analysis(options, folder / "r.cubex", "--html", act=lambda run: run.signal([0], signal.SIGTERM), STOP_OPEN=folder / "r.cubex")
    assert run.code == 3 and run.said() == [] and "the page is not written" in run.errors, (run.code, run.errors)
    assert names(folder) == ["r.cubex"], names(folder)


@test
def a_second_signal_ends_it_at_once(options):
    def act(run):
        run.signal([0], signal.SIGCONT)
        run.signal([0], signal.SIGTERM)
        run.signal([0], signal.SIGTERM)  # batch system and launcher: nothing more than the first
        time.sleep(2.5)
        run.signal([0], signal.SIGINT)

    folder = fresh(options, "second")
    run = Analysis(options, folder / "r.cubex", STOP_PHASE="report", act=act, SLOW_WRITE_US=600000000)
    assert run.code == 128 + signal.SIGTERM and "ended by a signal" in run.said()[0] and len(run.said()) == 1, (run.code, run.errors)
    assert names(folder) == []


@test
def what_a_killed_run_left_is_removed(options):
    """A file without a lock has no owner; one that is locked, and what is no report in the making, stays."""
    folder = fresh(options, "left")
    for name in ("r.cubex.tmp-1", "r.cubex.tmp-x", "r.cubexx.tmp-1", "r.cubex.tmp-2"):
        (folder / name).write_text("half")
    (folder / "r.cubex.tmp-3").symlink_to(folder / "r.cubex.tmp-x")
    (folder / "r.cubex.tmp-4").mkdir()
    holder = subprocess.Popen([sys.executable, "-c", "import fcntl, struct, sys\n"
                               "file = open(sys.argv[1], 'r+')\n"
                               "fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0))\n"
                               "print('held', flush=True)\nsys.stdin.read()", str(folder / "r.cubex.tmp-2")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    try:
        assert Analysis(options, folder / "r.cubex", "--no-summary").code == 0
    finally:
        holder.communicate()
    assert names(folder) == ["r.cubex", "r.cubex.tmp-2", "r.cubex.tmp-3", "r.cubex.tmp-4", "r.cubex.tmp-x", "r.cubexx.tmp-1"], names(folder)


@test
def planted_links_lead_nowhere(options):
    """Links under the names that are written, to files elsewhere: these stay as they are."""
    folder = fresh(options, "links")
    for command in (["analyze", str(ARCHIVE), "-q", "--stat", "--html", "-o"], ["html", "REPORT", "-o"], ["merge", "REPORT", "REPORT", "-q", "-o"]):
        for kind in ("file", "nothing"):
            shutil.rmtree(folder)
            folder.mkdir()
            (folder / "elsewhere").mkdir()
            report = folder / "whole.cubex"
            subprocess.run([options.heddle, "analyze", ARCHIVE, "-q", "-o", report], check=True)
            victim = folder / "elsewhere" / "victim"
            if kind == "file":
                victim.write_text("precious")
            out = folder / "out" / ("r.html" if command[0] == "html" else "r.cubex")
            out.parent.mkdir()
            for suffix in ("", ".stat", ".findings.tsv", ".html", ".html.data"):
                name = out if suffix == "" else out.with_name("r" + suffix)
                if not name.is_symlink():
                    name.symlink_to(victim)
            words = [options.heddle, *(str(report) if word == "REPORT" else word for word in command), str(out)]
            first = subprocess.run(words, capture_output=True, text=True)
            assert first.returncode == 1 and first.stderr.count("heddle: error: ") == 1, (words, first)
            subprocess.run([*words, "--force"], capture_output=True, text=True, check=True)
            assert [path.name for path in (folder / "elsewhere").iterdir()] == (["victim"] if kind == "file" else []), words
            assert kind == "nothing" or victim.read_text() == "precious", words
            assert out.is_file() and not out.is_symlink(), words


def must_fail(run, folder, *words):
    assert run.code == 1 and len(run.said()) == 1, (run.code, run.errors)
    for word in words:
        assert word in run.errors, (word, run.errors)
    assert names(folder) == [], names(folder)


@test
def a_disk_that_fails(options):
    """Full after any number of bytes, over quota, broken, on one rank or all; and when the file is closed."""
    places = range(0, 120000, 800) if options.all else (0, 1, 5000, 90000)
    for i, place in enumerate(places):
        ranks, code = (1, 2)[i % 2], (errno.ENOSPC, errno.EDQUOT, errno.EIO)[i % 3]
        folder = fresh(options, "disk")
        run = Analysis(options, folder / "r.cubex", ranks=ranks, WRITE=f"{place}:{code}", **({"RANK": 1} if ranks > 1 and place < 2 else {}))
        if run.code == 0 and place > 90000 / ranks:
            continue
        must_fail(run, folder, os.strerror(code), "r.cubex")
    folder = fresh(options, "close")
    must_fail(Analysis(options, folder / "r.cubex", CLOSE=errno.EDQUOT), folder, os.strerror(errno.EDQUOT))
    if os.geteuid() == 0:
        folder = fresh(options, "tmpfs")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], stderr=subprocess.DEVNULL).returncode == 0:
            try:
                for ranks in (1, 2) if options.all else (1,):
                    must_fail(Analysis(options, folder / "r.cubex", ranks=ranks), folder, os.strerror(errno.ENOSPC))
            finally:
                subprocess.run(["umount", folder], check=True)


@test
def an_archive_that_fails_to_be_read(options):
    """In the middle of the load: bytes that the disk no longer has, and files that cannot be opened."""
    for i, (suffix, place) in enumerate((("2.evt", 0), ("2.evt", 20), ("3.evt", 4096), ("1.def", 0))):
        for ranks in (1, 2) if options.all else (1 + (i == 2),):
            folder = fresh(options, "read")
            run = Analysis(options, folder / "r.cubex", ranks=ranks, READ=f"/{suffix}:{place}")
            must_fail(run, folder, os.strerror(errno.EIO), suffix)
    folder = fresh(options, "folder")
    shutil.copytree(ARCHIVE, folder.parent / "copy", dirs_exist_ok=True)
    events = folder.parent / "copy" / "traces" / "2.evt"
    events.unlink()
    events.mkdir()
    must_fail(Analysis(options, folder / "r.cubex", archive=folder.parent / "copy"), folder, os.strerror(errno.EISDIR), "2.evt")
    shutil.rmtree(folder.parent / "copy")


@test
def memory_that_runs_out(options):
    """The program gets memory so many times, in one rank of two or alone."""
    done = set()
    for i, n in enumerate([*range(0, 3500, 7), 20000] if options.all else (0, 300, 1100)):
        for ranks in (1, 2) if i % 20 == 0 or not options.all else (1,):
            folder = fresh(options, "memory")
            run = Analysis(options, folder / "r.cubex", "--stat", ranks=ranks, MEMORY=n, **({"RANK": 1} if ranks > 1 else {}))
            done.add(run.code == 0)
            if run.code != 0:
                must_fail(run, folder, "out of memory")
    assert not options.all or done == {False, True}


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--mpirun", "--library", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--all", action="store_true", help="all places, signals and ranks: some minutes")
    parser.add_argument("only", nargs="?")
    options = parser.parse_args()
    options.heddle, options.library = (str(pathlib.Path(path).resolve()) for path in (options.heddle, options.library))
    failed = 0
    for function in tests:
        if options.only not in (None, function.__name__):
            continue
        start = time.monotonic()
        try:
            function(options)
            print(f"ok   {function.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"FAIL {function.__name__}: {type(error).__name__} {error}", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

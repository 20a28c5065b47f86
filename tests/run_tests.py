#!/usr/bin/env python3
"""Runs a part of the tests and shows how it goes; at the end, what came of all parts. "./dev test" calls it.

usage: run_tests.py RESULTS part NAME FOLDER ALONE [CTEST ARGUMENT]...   the tests of a build folder, with ctest
       run_tests.py RESULTS command NAME ALONE -- COMMAND...             a command that is a test as a whole
       run_tests.py RESULTS end                                          the slowest tests, those that failed, the numbers of all parts
       run_tests.py targets FOLDER PATTERN      what has to be built for the tests that match; nothing: all, as it was never built

RESULTS: a table that the parts add their rows to: part, test, outcome, seconds, how it is run alone, what a failed one said of it. ALONE: a command line in which NAME
stands for the test's name. On a terminal a line shows what runs; elsewhere there is a line each minute. A test that hangs is ended: when its
processes have used no processor time for IDLE_SECONDS (where /proc shows it), or after HANG_SECONDS. HEDDLE_JOBS: how many tests at a time
(default: three for two cores, as tests wait for programs that start and end; at most 8).

Exit status: of "command" and "end": 0 it passed, all passed; 1 not; of "part": 0.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

HANG_SECONDS = 3600
IDLE_SECONDS = int(os.environ.get("HEDDLE_TEST_IDLE_SECONDS", 300))
BUSY_SHARE = 0.001  # of one core: a process that runs gets more even beside a hundred others, one that waits and looks ten times a second uses less
SLOWEST = 10
SAYS = re.compile(r"FAIL|\b[Ee]rror\b|ERROR|Assert|differ|instead of")  # lines of a test's output that say what is wrong
N_SAID, SAID_CHARACTERS = 4, 600
ROW = re.compile(r"\s*(\d+)/(\d+) Test +#\d+: (\S+) \.*\s*(Passed|[\w ]*\*\*\*.*?) +([\d.]+) sec")
START = re.compile(r"\s*Start +\d+: (\S+)")
ENVIRONMENT = dict(line.split("=", 1) for line in (pathlib.Path(__file__).parent / "environment").read_text().split())


def in_words(seconds):
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"


class Progress:
    """What runs, in a line that is written over on a terminal, and said once a minute elsewhere."""

    def __init__(self, name):
        self.name, self.start, self.said = name, time.monotonic(), time.monotonic()
        self.is_terminal = sys.stdout.isatty()

    def show(self, words):
        now = time.monotonic()
        if self.is_terminal:
            print(f"\r\033[K   {words}"[:os.get_terminal_size().columns], end="", flush=True)
        elif now - self.said >= 60:
            self.said = now
            print(f"   {self.name}: {words}, {in_words(now - self.start)}", flush=True)

    def say(self, words):
        print(("\r\033[K" if self.is_terminal else "") + words, flush=True)

    def seconds(self):
        return time.monotonic() - self.start


def add_rows(results, rows):
    with open(results, "a") as file:
        for row in rows:
            file.write("\t".join(map(str, row)) + "\n")


def counts(rows):
    return ", ".join(f"{sum(row[2] == outcome for row in rows)} {outcome}" for outcome in ("passed", "failed", "skipped"))


def outcome_of(words):
    return "passed" if words == "Passed" else "skipped" if "Skipped" in words else "failed"


def what_failed(lines):
    """Of a failed test's output: the last lines that say what is wrong, or else its last lines."""
    lines = [" ".join(line.split())[:SAID_CHARACTERS] for line in lines if line.strip()]
    return "\0".join(([line for line in lines if SAYS.search(line)] or lines)[-N_SAID:])


def processes():
    """Of each process: its parent, and the processor seconds it and its ended children have used."""
    found, ticks = {}, os.sysconf("SC_CLK_TCK")
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended
        found[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / ticks
    return found


class IdleWatch(threading.Thread):
    """Ends the children of a process whose processes, all together, make no progress: use no processor time."""

    def __init__(self, parent, progress):
        super().__init__(daemon=True)
        self.parent, self.progress, self.over = parent, progress, threading.Event()
        self.marks = {}  # child: the processor seconds and the time when it was last seen to run

    def run(self):
        while not self.over.wait(IDLE_SECONDS / 10):
            self.look()

    def look(self):
        found = processes()
        children = {}
        for pid, (parent, _) in found.items():
            children.setdefault(parent, []).append(pid)
        for child in children.get(self.parent, []):
            family = [child]
            for pid in family:
                family += children.get(pid, [])
            used, now = sum(found[pid][1] for pid in family), time.monotonic()
            before, since = self.marks.get(child, (-1, now))
            if not 0 <= used - before <= BUSY_SHARE * max(now - since, IDLE_SECONDS / 10):
                self.marks[child] = used, now
            elif now - since >= IDLE_SECONDS:
                self.progress.say(f"no processor time used for {in_words(now - since)}, ended: processes {' '.join(map(str, family))}")
                for pid in family:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass


def run_part(results, name, folder, alone, arguments):
    jobs = os.environ.get("HEDDLE_JOBS") or str(min((os.cpu_count() or 2) * 3 // 2, 8))
    command = ["ctest", "--output-on-failure", "-j", jobs, "--no-tests=error", "--timeout", str(HANG_SECONDS), *arguments]
    progress, rows, running, text, failed_text, said = Progress(name), [], [], [], False, {}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               env={**ENVIRONMENT, **os.environ})
    watch = IdleWatch(process.pid, progress)
    watch.start()
    for line in process.stdout:
        start, done = START.match(line), ROW.match(line)
        if start:
            running.append(start[1])
        if done:
            number, n, test, words, seconds = done.groups()
            outcome = outcome_of(words)
            rows.append((name, test, outcome, seconds, alone.replace("NAME", test)))
            running = [other for other in running if other != test]
            failed_text = outcome == "failed"
            if failed_text:
                progress.say(f"FAIL {test}: {words.replace('***', ' ').strip(' :')} after {seconds} s; alone: {rows[-1][4]}")
            elif outcome == "skipped":
                progress.say(f"skip {test}; alone: {rows[-1][4]}")
            n_failed = sum(row[2] == "failed" for row in rows)
            progress.show(f"{number} of {n}" + (f", {n_failed} failed" if n_failed else "") + f"; running: {' '.join(running)}")
        elif start or "% tests passed" in line:
            failed_text = False
        elif failed_text and line.strip():
            said.setdefault(rows[-1][1], []).append(line)
            progress.say("     " + line.rstrip())
        text.append(line)
    code = process.wait()
    watch.over.set()
    if not rows or (code != 0 and not any(row[2] == "failed" for row in rows)):
        progress.say("".join(text))
        rows.append((name, "ctest", "failed", 0, " ".join(command)))
    add_rows(results, [(*row, what_failed(said.get(row[1], []))) for row in rows])
    progress.say(f"   {name}: {counts(rows)}, {in_words(progress.seconds())}")


def run_command(results, name, alone, command):
    progress, text = Progress(name), []
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               env={**ENVIRONMENT, **os.environ})
    for line in process.stdout:
        text.append(line)
        progress.show(line.strip())
    outcome = "passed" if process.wait() == 0 else "failed"
    if outcome == "failed":
        progress.say("".join(text) + f"FAIL {name}: exit status {process.returncode}; alone: {alone}")
    add_rows(results, [(name, name, outcome, f"{progress.seconds():.2f}", alone, what_failed(text) if outcome == "failed" else "")])
    progress.say(f"   {name}: {outcome}, {in_words(progress.seconds())}")
    return 0 if outcome == "passed" else 1


def targets(folder, pattern):
    folder = pathlib.Path(folder).resolve()
    if not (folder / "CTestTestfile.cmake").exists():
        return ""
    shown = subprocess.run(["ctest", "-R", pattern, "--show-only=json-v1"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    tests = json.loads(shown)["tests"]
    if not all("command" in test for test in tests):
        return ""
    programs = {pathlib.Path(word) for test in tests for word in test["command"] if word.startswith(f"{folder}/") and os.access(word, os.X_OK)}
    if any("install" in label for test in tests for of in test["properties"] if of["name"] == "LABELS" for label in of["value"]):
        return ""  # they install all there is
    return " ".join(["test_tools", *sorted(str(path.relative_to(folder)) for path in programs if path.is_file())])


def end(results):
    rows = [line.split("\t") for line in pathlib.Path(results).read_text().splitlines()]
    print("== the slowest")
    for part, test, _, seconds, *_ in sorted(rows, key=lambda row: -float(row[3]))[:SLOWEST]:
        print(f"   {float(seconds):7.1f} s  {test}" + (f"  ({part})" if part != test else ""))
    for outcome in "skipped", "failed":
        if any(row[2] == outcome for row in rows):
            print(f"== {outcome}; to see one alone:")
            for part, test, _, _, alone, said in (row for row in rows if row[2] == outcome):
                print(f"   {test} ({part}): {alone}", *said.split("\0") if said else (), sep="\n      ")
    print(counts(rows))
    return 1 if any(row[2] == "failed" for row in rows) or not rows else 0


def main(words):
    if len(words) >= 5 and words[1] == "part":
        run_part(words[0], words[2], words[3], words[4], words[5:])
    elif len(words) >= 6 and words[1] == "command" and words[4] == "--":
        return run_command(words[0], words[2], words[3], words[5:])
    elif len(words) == 3 and words[0] == "targets":
        print(targets(words[1], words[2]))
    elif len(words) == 2 and words[1] == "end":
        return end(words[0])
    else:
        sys.stderr.write(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

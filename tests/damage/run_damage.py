#!/usr/bin/env python3
"""Analyses damaged archives, and demands of each: no signal, no report of a sanitizer, no hang; an error that leaves nothing behind, or a
report that can be read and does not claim to be complete where something was lost. Exports them as well, and reads the events by both
readers, of which each has to find the same.

usage: run_damage.py --forked PROGRAM [--readers PROGRAM] [--heddle PROGRAM --mpirun PROGRAM] --work DIR [--seed S] [--jobs J] [--only I] N ARCHIVE...
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import mutations
from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT

LIMIT = 10  # seconds of a processor
OPTIONS = "max_allocation_size_mb=256:allocator_may_return_null=1:detect_leaks=1:handle_abort=1" # what is too large is "out of memory"
LEAKS = pathlib.Path(__file__).resolve().parent / "leaks.txt"
SANITIZER = re.compile(r"(ERROR: AddressSanitizer|ERROR: LeakSanitizer|runtime error:|bug in heddle|out of memory|Assertion|SUMMARY: \w+Sanitizer)[^\n]*")
COVERS = re.compile(r'^Report "[^\n]*; ([^\n]*)', re.M)


class Server:
    """forked_heddle; see there."""

    def __init__(self, options, folder):
        environment = dict(os.environ, ASAN_OPTIONS=OPTIONS, LSAN_OPTIONS=f"suppressions={LEAKS}:print_suppressions=0", UBSAN_OPTIONS="print_stacktrace=1", OMP_NUM_THREADS="1")
        self.process = subprocess.Popen([options.forked], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder,
                                        env=environment)

    def run(self, output, *arguments):
        self.process.stdin.write("\t".join([output, output, str(LIMIT), *arguments]) + "\n")
        self.process.stdin.flush()
        code, ms = self.process.stdout.readline().split()
        return code if code == "limit" else int(code), float(ms)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def put(folder, variant):
    """Writes the archive into the folder "a", with an empty one beside it for the report."""
    for name in ("a", "out"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "a" / "traces").mkdir(parents=True)
    (folder / "out").mkdir()
    for path in {**variant.archive.files, **variant.changed}:
        data = variant.data(path)
        if isinstance(data, bytes):
            (folder / "a" / path).write_bytes(data)
        elif data is not None:
            (folder / "a" / path).mkdir()


def share(n, whole, n_cut, n_locations):
    percent = 100 * n // whole
    what = "0 %" if n == 0 else "less than 1 %" if percent < 1 else f"{percent} %"
    return f"trace coverage {what} of recorded events ({n_locations - n_cut} of {n_locations} locations complete)"


def complaints(variant, code, text, left, dumped):
    """What is wrong with the outcome."""
    found = SANITIZER.search(text) or SANITIZER.search(dumped[1])
    if code == "limit":
        yield f"takes longer than {LIMIT} s"
    elif code not in (0, 1, 2, 3):
        yield f"exit code {code}"
    if found:
        yield found.group()
    if code in (1, 2):
        if left:
            yield f"leaves {left}"
        if text.count("heddle: error: ") != 1:
            yield "no error is said, or several"
    if code not in (0, 3):
        return
    if not {"r.cubex"} <= set(left) <= {"r.cubex", "r.findings.tsv", "r.stat", "r.waitgraph.dot"}:
        yield f"leaves {left}"
    if dumped[0] != 0:
        yield f"the report cannot be read: {dumped[0]}"
    first = COVERS.search(text)
    if (first is not None) != (code == 3):
        yield f"exit code {code}, and the first line of the summary {'says' if first else 'does not say'} what is lost"
    if code == 0 and variant.loses():
        yield "claims to be complete"
    counts = variant.readable_events().values() if variant.is_cut else []
    if code == 3 and sum(n for n, _ in counts) < sum(whole for _, whole in counts):
        expected = share(sum(n for n, _ in counts), sum(whole for _, whole in counts), sum(n < whole for n, whole in counts), len(counts))
        if first.group(1) != expected:
            yield f"{first.group(1)!r} instead of {expected!r}"


def arguments_of(number):
    return ["analyze", "a", "-o", "out/r.cubex", "--bind=none"] + [["--stat"], ["--no-delay"], [], []][number // 2 % 4]


def export_complaints(server, folder):
    """heddle export of the same archive: files that are complete, or an error and none."""
    code, _ = server.run("exported", "export", "a", "--perfetto", "out/t.json", "--paraver", "out/t")
    text = (folder / "exported").read_text(errors="replace")
    left = sorted(path.name for path in (folder / "out").iterdir() if path.name.startswith("t."))
    if code not in (0, 1, 3) or SANITIZER.search(text):
        yield f"export: exit code {code}: {text[-1000:]}"
    elif left != ([] if code == 1 else ["t.json", "t.pcf", "t.prv", "t.row"]):
        yield f"export: exit code {code}, left {left}"
    elif code != 1:
        events = json.loads((folder / "out" / "t.json").read_text())["traceEvents"]
        if collections.Counter((e["pid"], e["tid"]) for e in events if e["ph"] == "B") != \
                collections.Counter((e["pid"], e["tid"]) for e in events if e["ph"] == "E"):
            yield "export: slices that begin and do not end"


def reader_complaints(readers, folder):
    """Both readers find the same records, up to the same damage (compare_readers)."""
    done = subprocess.run([readers, "a/traces.otf2"], cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          env=dict(os.environ, ASAN_OPTIONS=OPTIONS.replace("detect_leaks=1", "detect_leaks=0")))
    if done.returncode != 0:
        yield f"readers: exit code {done.returncode}: {(done.stdout + done.stderr)[-1000:]}"


def run_one(server, folder, number, variant, readers):
    put(folder, variant)
    code, ms = server.run("said", *arguments_of(number), f"--threads={1 + number % 2}")
    text = (folder / "said").read_text(errors="replace")
    left = sorted(path.name for path in (folder / "out").iterdir())
    dumped = (0, "")
    if code in (0, 3):
        dumped = (server.run("dumped", "dump", "out/r.cubex")[0], "")
        if dumped[0] != 0:
            dumped = (dumped[0], (folder / "dumped").read_text(errors="replace"))
    told = [*complaints(variant, code, text, left, dumped), *export_complaints(server, folder)]
    return code, told + (list(reader_complaints(readers, folder)) if readers else []), ms


def run_on_ranks(options, folder, number, variant):
    """The real program with 2 ranks of 2 threads: the same exit code and the same report as without MPI."""
    environment = dict(os.environ, ASAN_OPTIONS=OPTIONS.replace("detect_leaks=1", "detect_leaks=0"), **MPI_ENVIRONMENT)
    put(folder, variant)
    start = time.monotonic()
    try:
        done = subprocess.run([options.mpirun, "-n", "2", options.heddle, *arguments_of(number), "--threads=2"], cwd=folder, env=environment,
                              capture_output=True, text=True, errors="replace", timeout=HANG_SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "limit", ["2 ranks hang"], 1e3 * HANG_SECONDS
    left = sorted(path.name for path in (folder / "out").iterdir())
    return done.returncode, list(complaints(variant, done.returncode, done.stdout + done.stderr, left, (0, ""))), 1e3 * (time.monotonic() - start)


def dump_of(server, folder):
    server.run("dumped", "dump", "out/r.cubex")
    return (folder / "dumped").read_text(errors="replace")


class Totals:
    def __init__(self):
        self.lock = threading.Lock()
        self.codes = collections.defaultdict(collections.Counter)
        self.bad, self.slowest, self.on_ranks, self.is_stopped = [], 0, 0, False

    def stop(self, *_):
        """Ends early, with the table of what was done until then."""
        self.is_stopped = True


def work(options, totals, variants, job):
    folder = pathlib.Path(options.work).resolve() / f"job-{job}"
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(options, folder)
    for number, (what, variant) in variants:
        if totals.is_stopped:
            break
        outcome = run_one(server, folder, number, variant, options.readers)
        if options.ranks_every and number % options.ranks_every == 0:
            alone = dump_of(server, folder) if outcome[0] in (0, 3) else ""
            more = run_on_ranks(options, folder, number, variant)
            if more[0] != outcome[0]:
                more[1].append(f"exit code {more[0]} with 2 ranks, {outcome[0]} without MPI")
            elif more[0] in (0, 3) and alone != dump_of(server, folder):
                more[1].append("another report with 2 ranks")
            outcome = (outcome[0], outcome[1] + more[1], outcome[2])
            with totals.lock:
                totals.on_ranks += 1
        with totals.lock:
            totals.codes[what][outcome[0]] += 1
            totals.slowest = max(totals.slowest, outcome[2])
            for complaint in outcome[1]:
                totals.bad.append((what, number, complaint))
                print(f"FAIL {number} {variant.name[:300]}\n     {complaint}", flush=True)
        if options.only is not None:
            print(f"{variant.name}\nloses: {variant.loses()}  exit code: {outcome[0]}\n" + (folder / "said").read_text(errors="replace"))
    server.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--forked", required=True)
    parser.add_argument("--readers", help="compare_readers")
    parser.add_argument("--heddle")
    parser.add_argument("--mpirun")
    parser.add_argument("--ranks-every", type=int, default=0, help="each how many variants are analysed on 2 ranks, too")
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("n", type=int)
    parser.add_argument("archives", nargs="+", help="folders with traces.otf2, or these files")
    options = parser.parse_args()
    options.archives = [path.parent if path.is_file() else path for path in map(pathlib.Path, options.archives)]
    options.heddle = options.heddle and str(pathlib.Path(options.heddle).resolve())
    options.readers = options.readers and str(pathlib.Path(options.readers).resolve())
    options.forked = str(pathlib.Path(options.forked).resolve())
    start, totals = time.monotonic(), Totals()
    made = list(enumerate(mutations.variants(options.archives, options.n, options.seed)))
    if options.only is not None:
        made = [made[options.only]]
    signal.signal(signal.SIGTERM, totals.stop)
    threads = [threading.Thread(target=work, args=(options, totals, made[job::options.jobs], job)) for job in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"| {'what was damaged':40} |     n |  0 |  1 |  3 | other |\n| --- | --- | --- | --- | --- | --- |")
    for what in sorted(totals.codes):
        codes = totals.codes[what]
        print(f"| {what:40} | {sum(codes.values())} | {codes[0]} | {codes[1]} | {codes[3]} | {sum(codes.values()) - codes[0] - codes[1] - codes[3]} |")
    n = sum(sum(codes.values()) for codes in totals.codes.values())
    print(f"{n} variants, {totals.on_ranks} of them on 2 ranks, too; {len(totals.bad)} failures; {time.monotonic() - start:.0f} s; "
          f"the slowest analysis {totals.slowest / 1e3:.2f} s")
    kinds = collections.Counter(re.sub(r"0x[0-9a-f]+|\d+", "N", complaint) for _, _, complaint in totals.bad)
    for complaint, count in kinds.most_common():
        print(f"  {count} x {complaint}")
    return 1 if totals.bad or n != len(made) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""--memory-limit changes no value, leaves nothing in the scratch directory, and says what is wrong with one.

usage: test_memory_limit.py --openmpi|--mpich HEDDLE --writers DIR --work DIR ARCHIVE...

With a limit of one byte all that can go to scratch is dropped from memory again and again.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

import compare_reference
from run_matrix import HANG_SECONDS, INSTANCES, MPI_ENVIRONMENT, Archive, Build, Failure, instance_tables
from runner import few, ways

SHAPES = ((1, 1), (1, 3), (2, 2))


def attribute(report, key):
    """What the report says of itself."""
    with tarfile.open(report) as archive:
        root = xml.etree.ElementTree.fromstring(archive.extractfile("anchor.xml").read())
    return next((row.get("value") for row in root.findall("attr") if row.get("key") == key), None)


def make(work, writers):
    """Synthetic archives, so that there is something to write: messages and collectives; teams of threads."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    mixed, threads = work / "mixed", work / "threads"
    for command in ([writers / "tw_bench", "mixed", mixed, "--events", "300000", "--chunk", "262144"],
                    [writers / "tw_bench_threads", threads, "2", "4", "100000"]):
        subprocess.run([str(word) for word in command], check=True)
    return [mixed, threads]


def result_of(build, archive, work, ranks, threads, options):
    report = work / "r.cubex"
    build.analyze(archive.anchor, report, ranks, threads, "cyclic", *INSTANCES, *options)
    build.dump(report, work / "r.tsv")
    return (compare_reference.load(str(work / "r.tsv")), instance_tables(report)), attribute(report, "Heddle::ScratchBytes")


def check_same(build, archive, work, compat):
    scratch = work / "scratch"
    scratch.mkdir(exist_ok=True)
    expected, said = result_of(build, archive, work, 1, 1, compat)
    if said is not None:
        raise Failure(f"there is no limit, but the report says that {said} bytes went to scratch")
    for ranks, threads in ways(SHAPES):
        found, said = result_of(build, archive, work, ranks, threads, (*compat, "--memory-limit", "1B", "--scratch", str(scratch)))
        if said is None or int(said) == 0:
            raise Failure(f"{said} bytes went to scratch")
        if any(scratch.iterdir()):
            raise Failure(f"left in the scratch directory: {sorted(scratch.iterdir())}")
        wrong, _ = compare_reference.differences(found[0], expected[0], tick=0.0)
        if wrong:
            lines = "\n".join(compare_reference.words(wrong))
            raise Failure(f"{ranks} x {threads} with a memory limit, {len(wrong)} values differ\n{lines}")
        if found[1] != expected[1]:
            raise Failure(f"{ranks} x {threads} with a memory limit, instances of wait states differ")


def analyze(build, archive, work, *options, ranks=1, before=(), **more):
    """Exit code and errors; the report must not be there unless it is complete."""
    report = work / "limited.cubex"
    report.unlink(missing_ok=True)
    command = [*before, *([build.mpirun, "-n", str(ranks)] if ranks > 1 else [])]
    command += [build.heddle, "analyze", str(archive), "-o", str(report), "--no-summary", "--bind", "none", "--threads", "2"]
    command += options
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **MPI_ENVIRONMENT), **more)
    left = sorted(path.name for path in work.glob("limited.cubex*"))
    if done.returncode != 0 and left:
        raise Failure(f"an error leaves {left}")
    return done.returncode, done.stderr


def must(result, code, *words, each_rank=False):
    """Ends with this exit code and says these words; an error once, or on each rank that comes that far."""
    got, said = result
    if got != code:
        raise Failure(f"exit code {got} instead of {code}: {said}")
    n = said.count("heddle: error: ")
    if n != (code in (1, 2)) and not (each_rank and n > 0):
        raise Failure(f"{n} errors are reported: {said}")
    for word in words:
        if word not in said:
            raise Failure(f"{word!r} is not said: {said}")


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))


def check_directory(build, archive, work):
    nowhere = work / "nowhere"
    must(analyze(build, archive, work, "--scratch", str(work)), 2, "--memory-limit")
    for ranks in (1, 2):
        result = analyze(build, archive, work, "--memory-limit", "1G", "--scratch", str(nowhere), ranks=ranks)
        must(result, 1, "nowhere", "--scratch")
    must(analyze(build, archive, work, "--memory-limit", "1G", "--scratch", str(archive / "traces.otf2")), 1, "traces.otf2")
    must(analyze(build, archive, work, "--memory-limit", "1K"), 0, "the memory limit is too small", "--memory-limit")
    code, said = analyze(build, archive, work, "--memory-limit", "4G")
    if code != 0 or "too small" in said:
        raise Failure(f"a limit of 4 GiB for a small archive: {said}")


def check_no_space(build, archive, work):
    """False: the MPI library itself writes larger files when it starts."""
    scratch = work / "scratch"
    if "/nowhere" not in analyze(build, "/nowhere", work, preexec_fn=small_files)[1]:
        return False
    must(analyze(build, archive, work, "--memory-limit", "1B", "--scratch", str(scratch), preexec_fn=small_files), 1,
         "no space in the scratch directory")
    if any(scratch.iterdir()):
        raise Failure(f"left in the scratch directory: {sorted(scratch.iterdir())}")


def check_full_disk(build, archive, work):
    """A file system that is full before the analysis has begun, while it loads, while it replays. False: not permitted."""
    scratch = work / "scratch"

    def mounted(kibibytes):
        return ("unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size={kibibytes}k none "{scratch}" && exec "$@"', "sh")

    if shutil.which("unshare") is None or subprocess.run([*mounted(64), "true"], capture_output=True).returncode != 0:
        return False
    limited = ("--memory-limit", "1B", "--scratch", str(scratch))
    for ranks in 1, 2:
        phases = set()
        for kibibytes in (128, 512, *range(1024, 4096, 128)):
            result = analyze(build, archive, work, *limited, ranks=ranks, before=mounted(kibibytes))
            if result[0] == 0:
                break
            must(result, 1, "no space in the scratch directory", each_rank=kibibytes >= 512)
            phases.add(([None] + [phase for phase in ("load", "replay") if f"heddle: {phase}" in result[1]])[-1])
        if phases != {None, "load", "replay"}:
            raise Failure(f"with {ranks} ranks the disk is full before or in {phases} only")
    must(analyze(build, archive, work, *limited, before=mounted(262144)), 0, "is itself in memory")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--openmpi", metavar="HEDDLE")
    parser.add_argument("--mpich", metavar="HEDDLE")
    parser.add_argument("--writers", required=True, help="folder of tw_bench and tw_bench_threads")
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    build = Build("openmpi", options.openmpi) if options.openmpi else Build("mpich", options.mpich)
    work = pathlib.Path(options.work).resolve()
    synthetic = make(work, pathlib.Path(options.writers))
    checks = [(f"{path.name} {' '.join(compat)}", lambda path=path, compat=compat: check_same(build, Archive(path), work, compat))
              for path in [pathlib.Path(folder).resolve() for folder in few(options.archives)] + synthetic
              for compat in ((), ("--compat=scout26",))]
    checks += [(check.__name__, lambda check=check: check(build, synthetic[0], work))
               for check in (check_directory, check_no_space, check_full_disk)]
    failed = 0
    for name, check in checks:
        try:
            print("skip " if check() is False else "ok   ", name, flush=True)
        except Failure as failure:
            failed += 1
            print("FAIL ", name, failure, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

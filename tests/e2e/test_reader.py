#!/usr/bin/env python3
"""--reader: all commands that read events find the same with either reader, and the one that is asked for reads.

usage: test_reader.py --heddle PROGRAM --work DIR ARCHIVE...
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT

READERS = ("auto", "otf2")
BINDING = re.compile(r"symbol `(OTF2_\w+)'")


def run(options, *arguments, code=0, **environment):
    command = [options.heddle, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **MPI_ENVIRONMENT, **environment))
    assert done.returncode == code, f"{command}: exit code {done.returncode} instead of {code}: {done.stderr[-2000:]}"
    return done


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def results(options, reader, archive):
    """What each command makes of the archive: values, files. An anchor has an identifier of its own."""
    work = options.work / "r"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    chosen = f"--reader={reader}"
    run(options, "analyze", archive, chosen, "-o", work / "a.cubex", "--stat", "--quiet", "--no-summary")
    run(options, "analyze", archive, chosen, "-o", work / "c.cubex", "--clock=clc", "--roi=main", "--quiet", "--no-summary")
    run(options, "extract", archive, chosen, "-o", work / "extract", "--from=0.0001", "--quiet")
    run(options, "export", archive, chosen, "--perfetto", work / "t.json", "--paraver", work / "t")
    run(options, "simulate", archive, chosen, "--what-if", "scale main 1/2", "--trace", work / "simulated", "--times", work / "times.tsv", "--quiet")
    dumps = {name: run(options, "dump", work / name).stdout for name in ("a.cubex", "c.cubex")}
    return {**dumps, **{name: data for name, data in contents(work).items() if not name.endswith((".cubex", "/traces.otf2"))}}


def check_same(options, archive):
    auto, otf2 = (results(options, reader, archive) for reader in READERS)
    assert auto.keys() == otf2.keys(), f"{archive}: {sorted(auto.keys() ^ otf2.keys())}"
    differ = [name for name in auto if auto[name] != otf2[name]]
    assert not differ, f"{archive}: other contents of {differ}"
    assert len(auto["a.cubex"]) > 1000 and any(name.startswith("extract/traces/") for name in auto)


def check_who_reads(options, archive):
    """As far as the dynamic linker tells which functions are called."""
    functions = {reader: set(BINDING.findall(run(options, "analyze", archive, f"--reader={reader}", "-o", options.work / "b.cubex", "--force", "--quiet",
                                                 LD_DEBUG="bindings").stderr)) for reader in READERS}
    if "OTF2_Reader_Open" in functions["auto"]:
        reads = {reader: "OTF2_Reader_ReadLocalEvents" in functions[reader] for reader in READERS}
        is_lazy = "OTF2_EvtWriter_Enter" not in functions["auto"] # of heddle extract
        assert reads == {"auto": not is_lazy, "otf2": True}, reads


def check_words(options, archive):
    for command in ("analyze", "extract", "export", "simulate"):
        said = run(options, command, archive, "--reader=sion", code=2).stderr
        assert "--reader" in said and "otf2" in said, said
        assert "--reader=auto|otf2" in run(options, command, "--help").stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("archives", nargs="+")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for archive in options.archives:
        check_same(options, archive)
    check_who_reads(options, options.archives[0])
    check_words(options, options.archives[0])
    print(f"{len(options.archives)} archives, the same with either reader")
    return 0


if __name__ == "__main__":
    sys.exit(main())

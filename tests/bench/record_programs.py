#!/usr/bin/env python3
"""What heddle record costs programs of the distribution: docs/record.md has the table.

usage: record_programs.py --heddle PROGRAM --mpirun PROGRAM --work DIR [--pairs N] [NAME]...

Each program runs N times without and with the recorder, in turn. Told are medians of the quotients: of the time that the program itself tells of its
computation, of the time from begin to end, with start and finishing, and of the processor time. Packages are fetched as by tests/record/packages.py.
"""
import argparse
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "record"))
import packages  # noqa: E402


def programs(root, work):
    """{name: (ranks, command, inputs, what it says of its time)}; GROMACS, CP2K and Elk have two threads for each rank."""
    binary, share = root / "usr" / "bin", root / "usr" / "share"
    environment = {**packages.environment_of(root), "GMXLIB": str(share / "gromacs" / "top")}
    tpr = packages.water(work, binary / "gmx_mpi", environment)
    return {
        "gromacs": (2, [binary / "gmx_mpi", "mdrun", "-s", tpr, "-ntomp", "2", "-nsteps", "5000"], {}, r"Time: +[\d.]+ +([\d.]+)"),
        "lammps": (4, [binary / "lmp", "-in", "in.lj"], {"in.lj": packages.LAMMPS.replace("run 100", "run 5000")}, r"Loop time of ([\d.]+)"),
        "cp2k": (2, [binary / "cp2k.psmp", "-i", "water.inp"],
                 {"water.inp": packages.CP2K.format(data=share / "cp2k").replace("MAX_SCF 4", "MAX_SCF 40\n      EPS_SCF 1.0E-12")},
                 r"(?m)^ CP2K +1 +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+)"),
        "pw.x": (4, [binary / "pw.x", "-nk", "2", "-in", "si.in"],
                 {"si.in": packages.ESPRESSO.replace("ecutwfc=12.0", "ecutwfc=40.0").replace("2 2 2 1 1 1", "4 4 4 1 1 1"), "Si.UPF": packages.potential(root)},
                 r"PWSCF +: .*?([\d.]+)s WALL"),
        "elk": (2, [binary / "elk-lapw"], {"elk.in": packages.ELK.format(species=share / "elk-lapw" / "species").replace("maxscl\n  2", "maxscl\n  30")},
                r"(?m)^ total +: +([\d.]+)"),
        "hpcc": (4, [binary / "hpcc"], {"hpccinf.txt": packages.HPCC.replace("200 Ns", "1500 Ns")}, r"MPIRandomAccess_time=([\d.]+)"),
    }


def once(options, environment, name, program, is_recorded):
    """[s]: what the program says, from begin to end, of processors"""
    ranks, command, inputs, own = program
    folder = options.work / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path, text in inputs.items():
        (folder / path).write_text(text)
    recorder = [options.heddle, "record", "-q", "-o", folder / "run", "--"] if is_recorded else []
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(word) for word in [options.mpirun, "-n", ranks, *recorder, *command]], cwd=folder, env=environment, capture_output=True, text=True,
                          errors="replace")
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    written = done.stdout + "".join(path.read_text(errors="replace") for path in sorted(folder.iterdir()) if path.is_file() and path.suffix in (".txt", ".OUT", ".log"))
    if done.returncode != 0 or re.search(own, written) is None:
        sys.exit(f"{name}: exit code {done.returncode}: {done.stderr[-500:]}")
    return float(re.search(own, written)[1]), wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("heddle", "mpirun", "work"):
        parser.add_argument("--" + name, required=True, type=lambda path: pathlib.Path(path).resolve() if "/" in path else path)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    root = packages.fetch(options.work / "packages", sorted({*packages.PACKAGES, *packages.MORE}))
    environment = packages.environment_of(root)
    print("| program | its own time, recorded ÷ plain | from begin to end | processor time | plain [s] |\n| --- | ---: | ---: | ---: | ---: |")
    for name, program in programs(root, options.work).items():
        if options.names and name not in options.names:
            continue
        pairs = [(once(options, environment, name, program, False), once(options, environment, name, program, True)) for _ in range(options.pairs)]
        quotients = [statistics.median(recorded[i] / plain[i] for plain, recorded in pairs) for i in range(3)]
        print(f"| {name} | " + " | ".join(f"{quotient:.3f}" for quotient in quotients) + f" | {statistics.median(plain[1] for plain, _ in pairs):.2f} |", flush=True)


if __name__ == "__main__":
    main()

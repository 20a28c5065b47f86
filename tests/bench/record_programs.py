#!/usr/bin/env python3
"""What heddle record costs programs of the distribution: docs/record.md has the table.

usage: record_programs.py --heddle PROGRAM --mpirun PROGRAM --work DIR [--pairs N] [NAME]...

Each program runs N times without and with the recorder, in turn. Told are medians of the quotients: of the time that the program itself tells of its
computation; of the time from begin to end and of the processor time, both without and with making the archive. The archive is made once more of the same raw
files (heddle record --finish), and what that takes beyond the start of heddle is taken off: of all processors that it uses, as in the recording. Of NetPIPE,
a line of its own says what is added to the latency of 1 byte. Packages are fetched as by tests/record/packages.py. A program that does not run here without
the recorder is skipped with a message.
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


# Molecular dynamics of a molecule of water, on a finer grid.
STEPS = """&MOTION
  &MD
    ENSEMBLE NVE
    STEPS 20
    TIMESTEP 0.5
  &END MD
&END MOTION
"""

# ScaLAPACK's test of LU factorizations: 225 of them, of small matrices, on 2 x 2 processes.
LU = """'heddle'
'MPI'
'LU.out' file
6 device out
5 sizes
300 310 320 330 340 M
300 310 320 330 340 N
5 blocks
1 2 3 4 5 NB
3 right sides
1 3 9 NRHS
3 their blocks
1 3 5 NBRHS
1 grids
2 P
2 Q
1.0 threshold
F condition
"""


def programs(root, work):
    """{name: function: (ranks, command, inputs, what it says of its time)}; GROMACS, CP2K and Elk have two threads for each rank. Each runs for some seconds:
    what begin and end cost is told by tests/bench/bench.py."""
    binary, share = root / "usr" / "bin", root / "usr" / "share"

    def gromacs():
        environment = {**packages.environment_of(root), "GMXLIB": str(share / "gromacs" / "top")}
        tpr = packages.water(work, binary / "gmx_mpi", environment)
        return 2, [binary / "gmx_mpi", "mdrun", "-s", tpr, "-ntomp", "2", "-nsteps", "5000"], {}, r"Time: +[\d.]+ +([\d.]+)"

    return {
        "gromacs": gromacs,
        "lammps": lambda: (4, [binary / "lmp", "-in", "in.lj"], {"in.lj": packages.LAMMPS.replace("run 100", "run 5000")}, r"Loop time of ([\d.]+)"),
        "cp2k": lambda: (2, [binary / "cp2k.psmp", "-i", "water.inp"],
                         {"water.inp": packages.CP2K.format(data=share / "cp2k").replace("RUN_TYPE ENERGY", "RUN_TYPE MD").replace("CUTOFF 100", "CUTOFF 200")
                          .replace("MAX_SCF 4", "MAX_SCF 40\n      EPS_SCF 1.0E-7") + STEPS},
                         r"(?m)^ CP2K +1 +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+)"),
        "pw.x": lambda: (4, [binary / "pw.x", "-nk", "2", "-in", "si.in"],
                         {"si.in": packages.ESPRESSO.replace("ecutwfc=12.0", "ecutwfc=80.0").replace("2 2 2 1 1 1", "8 8 8 1 1 1"),
                          "Si.UPF": packages.potential(root)}, r"PWSCF +: .*?([\d.]+)s WALL"),
        "elk": lambda: (2, [binary / "elk-lapw"],
                        {"elk.in": packages.ELK.format(species=share / "elk-lapw" / "species").replace("maxscl\n  2", "maxscl\n  30").replace("2  2  2", "22  22  22")},
                        r"(?m)^ total +: +([\d.]+)"),
        "hpcc": lambda: (4, [binary / "hpcc"], {"hpccinf.txt": packages.HPCC.replace("200 Ns", "1500 Ns")}, r"MPIRandomAccess_time=([\d.]+)"),
        "xdlu": lambda: (4, [next(root.rglob("scalapack/openmpi-tests/xdlu"))], {"LU.dat": LU}, r"(?m)^WALL(?: +\d+){7} +([\d.]+)"),
        "netpipe": lambda: (2, [binary / "NPopenmpi", "-l", "1", "-u", "1", "-n", "200000"], {}, r"1 bytes +\d+ times .* in +([\d.]+) usec"),
    }


class DoesNotRun(Exception):
    """A program, without the recorder."""


def timed(words, folder, environment):
    """[s]: from begin to end, of processors; and what was said"""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True, errors="replace")
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def start(options, environment):
    """[s]: of heddle itself: from begin to end, of processors"""
    runs = [timed([options.heddle, "record", "--help"], options.work, environment)[:2] for _ in range(options.pairs)]
    return [statistics.median(run[i] for run in runs) for i in (0, 1)]


def finish(options, environment, folder):
    """[s]: making the archive of the raw files of a run once more: from begin to end, of processors"""
    again = folder / "again"
    again.mkdir()
    (folder / "run" / "raw").rename(again / "raw")
    *times, done = timed([options.heddle, "record", "-q", "--keep-raw", "--finish", again], folder, environment)
    if done.returncode != 0 or not (again / "traces.otf2").exists():
        sys.exit(f"--finish: exit code {done.returncode}: {done.stderr[-500:]}")
    return [max(0.0, taken - own) for taken, own in zip(times, options.start)]


def once(options, environment, folder, program, is_recorded):
    """What the program says, all of it together; [s] from begin to end, of processors: without making an archive, and with it"""
    ranks, command, inputs, own = program
    folder.mkdir(parents=True)
    for path, text in inputs.items():
        (folder / path).write_text(text)
    recorder = [options.heddle, "record", "-q", "--keep-raw", "-o", folder / "run", "--"] if is_recorded else []
    wall, cpu, done = timed([options.mpirun, "-n", ranks, *recorder, *command], folder, environment)
    written = done.stdout + done.stderr + "".join(path.read_text(errors="replace") for path in sorted(folder.iterdir()) if path.is_file() and path.suffix in (".txt", ".OUT", ".log"))
    if done.returncode != 0 or re.search(own, written) is None:
        why = f"exit code {done.returncode}: {' '.join((done.stderr or done.stdout)[-500:].split())}"
        if not is_recorded:
            raise DoesNotRun(why)
        sys.exit(f"{folder}: {why}")
    archive = finish(options, environment, folder) if is_recorded else [0.0, 0.0]
    return sum(map(float, re.findall(own, written))), wall - archive[0], cpu - archive[1], wall, cpu


def measure(options, environment, name, prepare):
    """A line of the table. Folders are removed afterwards: some file systems look for a while at what was removed when files are made."""
    folder = options.work / name
    shutil.rmtree(folder, ignore_errors=True)
    try:
        program = prepare()
        pairs = [[once(options, environment, folder / f"{i}-{kind}", program, kind == "recorded") for kind in ("plain", "recorded")] for i in range(options.pairs)]
    except (DoesNotRun, AssertionError, OSError, StopIteration) as why:
        print(f"{name} is skipped, as it does not run here: {why}", file=sys.stderr, flush=True)
        return
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if name == "netpipe":
        plain, recorded = ([pair[i][0] for pair in pairs] for i in (0, 1))
        print(f"\n{name}: latency of 1 byte [us]: plain {statistics.median(plain):.2f}, recorded {statistics.median(recorded):.2f}, added "
              f"{statistics.median(after - before for before, after in zip(plain, recorded)):.2f}; of the best runs {min(recorded) - min(plain):.2f}", flush=True)
        return
    quotients = [statistics.median(recorded[i] / plain[i] for plain, recorded in pairs) for i in range(5)]
    plain = [statistics.median(plain[i] for plain, _ in pairs) for i in (3, 4)]
    print(f"| {name} | " + " | ".join(f"{quotient:.3f}" for quotient in quotients) + " | " + " | ".join(f"{seconds:.2f}" for seconds in plain) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("heddle", "mpirun", "work"):
        parser.add_argument("--" + name, required=True, type=lambda path: pathlib.Path(path).resolve() if "/" in path else path)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    root = packages.fetch(options.work / "packages", sorted({*packages.PACKAGES, *packages.MORE, "netpipe-openmpi"}))
    environment = packages.environment_of(root)
    options.start = start(options, environment)
    print("Recorded ÷ plain; from begin to end and processor time without making the archive, and with it\n\n"
          "| program | its own time | from begin to end | processor time | begin to end, with the archive | processor time, with the archive | "
          "plain, begin to end [s] | plain, processors [s] |\n| --- |" + " ---: |" * 7)
    for name, prepare in programs(root, options.work).items():
        if not options.names or name in options.names:
            measure(options, environment, name, prepare)


if __name__ == "__main__":
    main()

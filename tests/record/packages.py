#!/usr/bin/env python3
"""heddle record with programs of the distribution as they are: one in C (hpcc), one in Fortran with OpenMP (elk-lapw), one in Python (mpi4py).

usage: packages.py --heddle PROGRAM --mpirun PROGRAM --work DIR

Packages are fetched with apt-get and unpacked into a folder below DIR: nothing is installed, no rights are needed. Exit code 77, with a
message, where that is not possible. Each program runs without and with the recorder; exit code and results have to be the same, and the
analysis has to find everything matched and complete.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "runner"))
from runner import ENVIRONMENT, HANG_SECONDS  # noqa: E402

PACKAGES = ("hpcc", "elk-lapw", "python3-mpi4py")

# Small: order 200 on 2 x 2 processes.
HPCC = """HPLinpack benchmark input file
heddle
HPL.out output file
6 device out
1 problem sizes
200 Ns
1 NBs
40 NBs
0 PMAP
1 grids
2 Ps
2 Qs
16.0 threshold
1 panel fact
2 PFACTs
1 stopping criterion
4 NBMINs
1 panels in recursion
2 NDIVs
1 recursive panel fact
1 RFACTs
1 broadcast
1 BCASTs
1 lookahead depth
1 DEPTHs
2 SWAP
64 swapping threshold
0 L1
0 U
1 Equilibration
8 memory alignment
#####
0 additional sizes for PTRANS
200
0 additional block sizes
40
"""

# Aluminium, two iterations.
ELK = """tasks
  0

avec
  1.0  1.0  0.0
  1.0  0.0  1.0
  0.0  1.0  1.0

scale
  3.8267

sppath
  "{species}/"

atoms
  1
  "Al.in"
  1
  0.0  0.0  0.0    0.0  0.0  0.0

ngridk
  2  2  2

maxscl
  2
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def fetch(folder):
    """Unpacks the packages, and what they need and this system lacks. Returns the root of what is unpacked."""
    root = folder / "root"
    if (folder / "complete").exists():
        return root
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        skip("there is no apt-get")
    folder.mkdir(parents=True, exist_ok=True)
    plan = subprocess.run(["apt-get", "install", "-s", "--no-install-recommends", *PACKAGES], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    names = set(re.findall(r"^Inst (\S+)", plan.stdout, re.M)) | set(PACKAGES)
    done = subprocess.run(["apt-get", "download", *sorted(names)], cwd=folder, capture_output=True, text=True, timeout=600)
    if plan.returncode != 0 or done.returncode != 0:
        skip("the packages cannot be fetched: " + (plan.stderr + done.stderr).strip()[:300])
    for path in folder.glob("*.deb"):
        subprocess.run(["dpkg", "-x", path, root], check=True)
    (folder / "complete").touch()
    return root


def run(words, folder, environment):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True, timeout=10 * HANG_SECONDS, errors="replace")
    return done.returncode, done.stdout, done.stderr


def check(options, name, n, command, environment, inputs, same):
    """same: a regular expression of lines that are the same with and without the recorder, in the output or in a file that the program writes."""
    results = []
    for kind in ("plain", "recorded"):
        folder = options.work / name / kind
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path, text in inputs.items():
            (folder / path).write_text(text)
        recorder = [options.heddle, "record", "-o", folder / "run", "--"] if kind == "recorded" else []
        code, output, errors = run([options.mpirun, "-n", n, *recorder, *command], folder, environment)
        assert code == 0, f"{name}, {kind}: exit code {code}: {output[-500:]}{errors[-500:]}"
        written = output + "".join(path.read_text(errors="replace") for path in sorted(folder.iterdir()) if path.is_file() and path.suffix in (".txt", ".OUT"))
        results.append(re.findall(same, written, re.M))
    assert results[0] and results[0] == results[1], f"{name}: other results: {results}"
    said = re.search(r"recorded (\d+) processes, (\d+) threads, ([\d,]+) events", errors)
    assert said and int(said.group(1)) == n and "warning" not in errors.replace("recorded as calls only", ""), errors
    code, output, errors = run([options.heddle, "analyze", folder / "run"], folder, environment)
    findings = folder / "run" / "heddle.findings.tsv"
    assert code == 0 and not findings.exists(), f"{name}: {errors}{findings.read_text() if findings.exists() else ''}"
    print(f"{name}: {said.group(0)}, nothing unmatched")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("heddle", "mpirun", "work"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    options.work = pathlib.Path(options.work).resolve()
    root = fetch(options.work / "packages")
    libraries = root / "usr" / "lib"
    folders = sorted({str(path.parent) for path in libraries.rglob("*.so*")} - {str(path.parent) for path in libraries.rglob("dist-packages/**/*.so")})
    environment = {**os.environ, **ENVIRONMENT, "LD_LIBRARY_PATH": ":".join(folders), "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive",
                   "PYTHONPATH": str(libraries / "python3" / "dist-packages")}
    binary = root / "usr" / "bin"
    check(options, "hpcc", 4, [binary / "hpcc"], environment, {"hpccinf.txt": HPCC}, r"^(?:Success|CommWorldProcs|HPL_N|PTRANS_residual)=.*$")
    species = root / "usr" / "share" / "elk-lapw" / "species"
    check(options, "elk-lapw", 2, [binary / "elk-lapw"], environment, {"elk.in": ELK.format(species=species)}, r"^ *total energy +: .*$")
    ring = ["/usr/bin/python3", "-m", "mpi4py.bench", "ringtest", "-n", "100", "-l", "20"]
    check(options, "mpi4py", 4, ring, environment, {}, r"^time for .*? = ")


main()

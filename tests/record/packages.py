#!/usr/bin/env python3
"""heddle record with programs of the distribution as they are: one in C (hpcc), one in Fortran with OpenMP (elk-lapw), one in Python (mpi4py).

usage: packages.py --set packages|more_packages --heddle PROGRAM --mpirun PROGRAM --work DIR

more_packages: others, which are large: LAMMPS, GROMACS, CP2K, Quantum ESPRESSO, NWChem (one-sided communication), h5py (MPI-IO), ScaLAPACK's test.

Packages are fetched with apt-get and unpacked into a folder below DIR: nothing is installed, no rights are needed. Exit code 77, with a
message, where that is not possible. Each program runs without and with the recorder; exit code and results have to be the same, and the
analysis has to find everything matched and complete.
"""
import argparse
import gzip
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
MORE = ("lammps", "liblammps0", "gromacs", "gromacs-data", "cp2k", "cp2k-data", "quantum-espresso", "quantum-espresso-data", "nwchem-openmpi", "nwchem-data",
        "python3-mpi4py", "python3-h5py-mpi", "scalapack-mpi-test", "scalapack-test-common")

USUAL_WARNINGS = ("recorded as calls only", "calls for mutexes that did not wait")

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

# Atoms of a Lennard-Jones liquid.
LAMMPS = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 50
run 100
"""

# A box of water.
GROMACS = """integrator = md
dt = 0.002
nsteps = 50
nstenergy = 10
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
gen-vel = yes
gen-temp = 300
gen-seed = 1
"""
TOPOLOGY = """#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
"""

# A molecule of water.
CP2K = """&GLOBAL
  PROJECT water
  RUN_TYPE ENERGY
  PRINT_LEVEL LOW
&END GLOBAL
&FORCE_EVAL
  METHOD QS
  &DFT
    BASIS_SET_FILE_NAME {data}/GTH_BASIS_SETS
    POTENTIAL_FILE_NAME {data}/POTENTIAL
    &MGRID
      CUTOFF 100
    &END MGRID
    &SCF
      MAX_SCF 4
    &END SCF
    &XC
      &XC_FUNCTIONAL PADE
      &END XC_FUNCTIONAL
    &END XC
  &END DFT
  &SUBSYS
    &CELL
      ABC 6 6 6
    &END CELL
    &COORD
      O 0 0 0
      H 0 -0.757 0.587
      H 0 0.757 0.587
    &END COORD
    &KIND H
      BASIS_SET DZV-GTH
      POTENTIAL GTH-PADE
    &END KIND
    &KIND O
      BASIS_SET DZVP-GTH
      POTENTIAL GTH-PADE
    &END KIND
  &END SUBSYS
&END FORCE_EVAL
"""

# Silicon.
ESPRESSO = """&control
 calculation='scf', prefix='si', pseudo_dir='./', outdir='./tmp'
/
&system
 ibrav=2, celldm(1)=10.2, nat=2, ntyp=1, ecutwfc=12.0
/
&electrons
/
ATOMIC_SPECIES
 Si 28.086 Si.UPF
ATOMIC_POSITIONS alat
 Si 0.00 0.00 0.00
 Si 0.25 0.25 0.25
K_POINTS automatic
 2 2 2 1 1 1
"""

NWCHEM = """start water
geometry units angstrom
 O 0 0 0
 H 0 1 -1
 H 0 -1 -1
end
basis
 * library 6-31g
end
task scf
"""

HDF5 = """from mpi4py import MPI
import h5py
world = MPI.COMM_WORLD
with h5py.File("rows.h5", "w", driver="mpio", comm=world) as file:
    rows = file.create_dataset("rows", (world.size * 1000,), dtype="d")
    rows[world.rank * 1000:(world.rank + 1) * 1000] = world.rank
total = world.allreduce(world.rank)
if world.rank == 0:
    print(total, "written")
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def fetch(folder, packages):
    """Unpacks the packages, and what they need and this system lacks. Returns the root of what is unpacked."""
    root, complete = folder / "root", folder / "complete"
    there = set(complete.read_text().split()) if complete.exists() else set()
    packages = sorted(set(packages) - there)
    if not packages:
        return root
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        skip("there is no apt-get")
    folder.mkdir(parents=True, exist_ok=True)
    plan = subprocess.run(["apt-get", "install", "-s", "--no-install-recommends", *packages], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    names = set(re.findall(r"^Inst (\S+)", plan.stdout, re.M)) | set(packages)
    done = subprocess.run(["apt-get", "download", *sorted(names)], cwd=folder, capture_output=True, text=True, timeout=1200)
    if plan.returncode != 0 or done.returncode != 0:
        skip("the packages cannot be fetched: " + (plan.stderr + done.stderr).strip()[:300])
    for path in folder.glob("*.deb"):
        subprocess.run(["dpkg", "-x", path, root], check=True)
    complete.write_text("\n".join(sorted({*there, *packages})) + "\n")
    return root


def environment_of(root):
    libraries = root / "usr" / "lib"
    folders = sorted({str(path.parent) for path in libraries.rglob("*.so*")} - {str(path.parent) for path in libraries.rglob("dist-packages/**/*.so")})
    return {**os.environ, **ENVIRONMENT, "LD_LIBRARY_PATH": ":".join(folders), "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive",
            "PYTHONPATH": str(libraries / "python3" / "dist-packages")}


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
        written = output + "".join(path.read_text(errors="replace") for path in sorted(folder.iterdir()) if path.is_file() and path.suffix in (".txt", ".OUT", ".log"))
        results.append(re.findall(same, written, re.M))
    assert results[0] and results[0] == results[1], f"{name}: other results: {results}"
    said = re.search(r"recorded (\d+) process(?:es)?, (\d+) threads?, ([\d,]+) events", errors)
    warnings = [line for line in errors.splitlines() if "warning:" in line and not any(usual in line for usual in USUAL_WARNINGS)]
    assert said and int(said.group(1)) == n and not warnings, errors
    code, output, errors = run([options.heddle, "analyze", folder / "run"], folder, environment)
    findings = folder / "run" / "heddle.findings.tsv"
    assert code == 0 and not findings.exists(), f"{name}: {errors}{findings.read_text() if findings.exists() else ''}"
    print(f"{name}: {said.group(0)}, nothing unmatched")


def usual(options, root, environment):
    binary = root / "usr" / "bin"
    check(options, "hpcc", 4, [binary / "hpcc"], environment, {"hpccinf.txt": HPCC}, r"^(?:Success|CommWorldProcs|HPL_N|PTRANS_residual)=.*$")
    species = root / "usr" / "share" / "elk-lapw" / "species"
    check(options, "elk-lapw", 2, [binary / "elk-lapw"], environment, {"elk.in": ELK.format(species=species)}, r"^ *total energy +: .*$")
    ring = ["/usr/bin/python3", "-m", "mpi4py.bench", "ringtest", "-n", "100", "-l", "20"]
    check(options, "mpi4py", 4, ring, environment, {}, r"^time for .*? = ")


def water(work, gmx, environment):
    """The input of GROMACS, which its tools make."""
    folder = work / "water"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "topol.top").write_text(TOPOLOGY)
    (folder / "md.mdp").write_text(GROMACS)
    for words in (["solvate", "-cs", "spc216", "-box", "2.5", "2.5", "2.5", "-o", "conf.gro", "-p", "topol.top"],
                  ["grompp", "-f", "md.mdp", "-c", "conf.gro", "-p", "topol.top", "-o", "run.tpr"]):
        code, output, errors = run([gmx, *words], folder, environment)
        assert code == 0, f"gmx_mpi {words[0]}: {errors[-500:]}"
    return folder / "run.tpr"


def potential(root):
    return gzip.decompress(next(root.rglob("pseudo-LDA-0.5/Si.pz-vbc.UPF.gz")).read_bytes()).decode()


def more(options, root, environment):
    binary, share = root / "usr" / "bin", root / "usr" / "share"
    check(options, "lammps", 4, [binary / "lmp", "-in", "in.lj"], environment, {"in.lj": LAMMPS}, r"^ +(?:0|50|100)(?: +\S+){5}")
    environment = {**environment, "GMXLIB": str(share / "gromacs" / "top")}
    tpr = water(options.work, binary / "gmx_mpi", environment)
    check(options, "gromacs", 2, [binary / "gmx_mpi", "mdrun", "-s", tpr, "-ntomp", "2", "-reprod"], environment, {}, r"^ +-?\d\.\d{5}e[+-]\d+.*$")
    check(options, "cp2k", 2, [binary / "cp2k.psmp", "-i", "water.inp"], environment, {"water.inp": CP2K.format(data=share / "cp2k")}, r"ENERGY\|.*-\d+\.\d{6}")
    check(options, "pw.x", 4, [binary / "pw.x", "-nk", "2", "-in", "si.in"], environment, {"si.in": ESPRESSO, "Si.UPF": potential(root)}, r"^! +total energy.*$")
    basis = {**environment, "NWCHEM_BASIS_LIBRARY": f"{share}/nwchem/libraries/"}
    check(options, "nwchem", 3, [binary / "nwchem.openmpi", "water.nw"], basis, {"water.nw": NWCHEM}, r"Total SCF energy = +-\d+\.\d{6}")
    check(options, "h5py", 4, ["/usr/bin/python3", "rows.py"], environment, {"rows.py": HDF5}, r"^6 written")
    lu = next(root.rglob("scalapack/openmpi-tests/xdlu"))
    check(options, "scalapack", 4, [lu], environment, {"LU.dat": (share / "scalapack" / "LU.dat").read_text()}, r"^ *\d+ tests completed.*$")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("heddle", "mpirun", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--set", choices=("packages", "more_packages"), required=True)
    options = parser.parse_args()
    options.work = pathlib.Path(options.work).resolve()
    is_more = options.set == "more_packages"
    root = fetch(options.work / "packages", MORE if is_more else PACKAGES)
    (more if is_more else usual)(options, root, environment_of(root))


if __name__ == "__main__":
    main()

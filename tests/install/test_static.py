#!/usr/bin/env python3
"""HEDDLE_STATIC: the program with static libraries, and the wholly static ones, with and without MPI, analyse as the shared one does.

Compiled by a stand-in for Cray's cc, which brings the MPI library (MPICH) by itself, statically where CRAYPE_LINK_TYPE says so. Debian has no static
libudev, which its hwloc asks for properties of disks: where there is none, the test links one that knows none.
"""
import os
import pathlib
import re
import shutil
import stat
import subprocess

from place import HANG_SECONDS, Place, analyze, needed, run, skip

CC = """#!/bin/sh
# A compiler that brings the MPI library, but for a program without.
if [ "$CRAYPE_LINK_TYPE" = none ]; then exec gcc "$@"; fi
case " $* " in *" -c "* | *" -E "* | *" -v "*) exec gcc -I{include} "$@" ;; esac
if [ "$CRAYPE_LINK_TYPE" = static ]; then
    exec gcc -I{include} -static "$@" {static}
fi
exec gcc -I{include} "$@" -lmpich
"""


def libraries_of_debian(folder):
    """Archives that MPICH needs, found as gcc finds them; None: one of them is not here."""
    words = ["-lmpich", "-lhwloc", "-Wl,--whole-archive", "-lucp", "-luct", "-lucs", "-lucm", "-Wl,--no-whole-archive", "-lnuma", "-lm", f"-L{folder}", "-ludev"]
    for name in [word[2:] for word in words if word.startswith("-l")] + ["otf2", "z", "expat", "gomp"]:
        if name != "udev" and run(["gcc", f"-print-file-name=lib{name}.a"]).strip() == f"lib{name}.a":
            return None, f"lib{name}.a"
    return " ".join(words), None


def udev(folder, source):
    """libudev for the linker: a static one that knows no disks, and the system's shared one, which may be there without its .so."""
    folder.mkdir()
    if run(["gcc", "-print-file-name=libudev.a"]).strip() == "libudev.a":
        run(["gcc", "-Wall", "-Wextra", "-Werror", "-c", source / "docs/install/no_udev.c", "-o", folder / "udev.o"])
        run(["ar", "rcs", folder / "libudev.a", folder / "udev.o"])
    shared = run(["gcc", "-print-file-name=libudev.so.1"]).strip()
    if shared != "libudev.so.1":
        (folder / "libudev.so").symlink_to(os.path.realpath(shared))


def build(place, link, cc, folder, mpi="any"):
    """In one folder: what a build has in common with the one before is not compiled again."""
    kind = "none" if mpi == "none" else "static" if link == "ON" else "dynamic"
    env = {**os.environ, "CRAYPE_LINK_TYPE": kind, "CC": str(cc)}
    run(["cmake", "-S", place.source, "-B", place.work / "build", "-G", "Ninja", f"-DHEDDLE_STATIC={link}", f"-DHEDDLE_MPI={mpi}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O0",
         "-DBUILD_TESTING=OFF", f"-DCMAKE_LIBRARY_PATH={folder}"], env=env)
    run(["cmake", "--build", place.work / "build", "-j", "2"], env=env)
    return place.work / "build/heddle"


def main():
    place = Place()
    folder = place.work / "lib"
    include = pathlib.Path("/usr/include") / run(["gcc", "-print-multiarch"]).strip() / "mpich"
    if shutil.which("mpirun.mpich") is None or not include.exists():
        skip("there is no MPICH of Debian here")
    static, missing = libraries_of_debian(folder)
    if missing:
        skip(f"there is no {missing} here")
    udev(folder, place.source)
    cc = place.work / "cc"
    cc.write_text(CC.format(include=include, static=static))
    cc.chmod(cc.stat().st_mode | stat.S_IXUSR)
    launcher = ["mpirun.mpich", "-n", "2"]
    expected = analyze(place.build / "heddle", place, place.work / "shared.cubex")

    program = build(place, "ON", cc, folder)
    place.check("INTERP" not in run(["readelf", "-lW", program]) and needed(program)[0] == [], f"it is not static: {needed(program)}")
    place.check(analyze(program, place, place.work / "static.cubex", launcher) == expected, "the static program gives another report")
    place.check("\nlinked        statically\n" in run([program, "--version"]), "--version does not say that it is static")
    place.check("\nMPI           MPICH " in run([program, "--version"]), "--version does not name the MPI library")

    program = build(place, "libraries", cc, folder)
    parts = (program, place.work / "build/heddle-mpi.so")
    libraries = " ".join(name for part in parts for name in needed(part)[0])
    place.check(re.search(r"libmpich|libmpi", libraries) is not None, f"MPI is not shared: {libraries}")
    place.check(re.search(r"otf2|open-trace|hwloc|libz|expat|cairo", libraries) is None, f"shared are {libraries}")
    place.check(analyze(program, place, place.work / "libraries.cubex", launcher) == expected, "the program with static libraries gives another report")
    place.check((place.work / "build/pages/man1/heddle-analyze.1").exists(), "there are no pages")

    # One file for a cluster, which runs where nothing is installed and nothing is set.
    program = build(place, "ON", cc, folder, "none")
    place.check("INTERP" not in run(["readelf", "-lW", program]) and needed(program)[0] == [], f"without MPI it is not static: {needed(program)}")
    alone = shutil.copy(program, place.work / "alone")
    place.check(analyze(alone, place, place.work / "alone.cubex", ["env", "-i"]) == expected, "the static program without MPI gives another report")

    # What is not there is named before anything is compiled: Debian has no static Open MPI.
    done = subprocess.run(["cmake", "-S", place.source, "-B", place.work / "without", "-DHEDDLE_STATIC=ON", "-DBUILD_TESTING=OFF"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=HANG_SECONDS)
    if run(["gcc", "-print-file-name=libmpi.a"]).strip() == "libmpi.a":
        place.check(done.returncode != 0 and "libmpi.a, which ompi-c needs" in done.stdout and "HEDDLE_STATIC=libraries, or OFF" in done.stdout, done.stdout)
    place.end()


main()

#!/usr/bin/env python3
"""heddle --version says what the program was built with, and revision.cmake which revision it is."""
import re
import shutil
import subprocess

from place import Place, run


def revision(source, place):
    run(["cmake", f"-DSOURCE={source}", f"-DOUTPUT={place.work}/revision.h", "-P", place.source / "src/cli/revision.cmake"])
    return re.fullmatch(r'#define HD_REVISION "(.*)"\n*', (place.work / "revision.h").read_text())[1]


def main():
    place = Place("mpi", "linked", "type")
    out = run([place.build / "heddle", "--version"])
    facts = dict(re.split(r"  +", line, 1) for line in out.split("\n")[1:-1])
    cache = (place.build / "CMakeCache.txt").read_text()
    expected = {
        "OTF2": re.search(r"[\d.]+$", run([re.search(r"^OTF2_CONFIG:.*=(.*)$", cache, re.M)[1], "--version"]).split("\n")[0])[0],
        "hwloc": run(["pkg-config", "--modversion", "hwloc"]).strip(),
        "linked": place.args.linked,
        "build type": place.args.type,
        "zlib": run(["pkg-config", "--modversion", "zlib"]).strip(),
        "expat": run(["pkg-config", "--modversion", "expat"]).strip(),
    }
    if place.args.mpi == "openmpi":
        expected["MPI"] = "Open MPI " + run(["pkg-config", "--modversion", "ompi-c"]).strip()
    elif place.args.mpi == "mpich":
        expected["MPI"] = "MPICH " + run(["pkg-config", "--modversion", "mpich"]).strip()
    version = re.search(r"^project\(heddle VERSION ([\d.]+)", (place.source / "CMakeLists.txt").read_text(), re.M)[1]
    place.check(out.startswith(f"heddle {version}\n"), f"version: {out}")
    for name, value in expected.items():
        place.check(facts.get(name) == value, f"{name}: {facts.get(name)}, not {value}")
    place.check(re.search(r"^\w+ \d+\.\d+", facts.get("compiler", "")) is not None, f"compiler: {facts.get('compiler')}")
    place.check(re.fullmatch(r"\d\.\d", facts.get("OpenMP", "")) is not None, f"OpenMP: {facts.get('OpenMP')}")
    place.check("cairo" in facts and "revision" in facts, f"facts: {sorted(facts)}")
    place.check(out == run([place.build / "heddle", "-V"]), "-V says something else")

    # A checkout, one with a change, what git archive packs of it, and a folder that is none.
    git = shutil.which("git")
    if git is not None:
        tree = place.work / "tree"
        (tree / "src/cli").mkdir(parents=True)
        for name in (".gitattributes", "src/cli/archived_revision.txt"):
            shutil.copy(place.source / name, tree / name)
        place.check(revision(tree, place) == "", "a folder that is no checkout has a revision")
        me = [git, "-C", tree, "-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]
        run([*me, "init", "-q"])
        run([*me, "add", "-A"])
        run([*me, "commit", "-qm", "one"])
        head = run([*me, "rev-parse", "HEAD"])[:12]
        place.check(revision(tree, place) == head, "the revision of a checkout")
        (place.work / "packed").mkdir()
        subprocess.run(f"'{git}' -C '{tree}' archive HEAD | tar x -C '{place.work}/packed'", shell=True, check=True)
        place.check(revision(place.work / "packed", place) == head, "the revision of what git archive packed")
        (tree / ".gitattributes").write_text((tree / ".gitattributes").read_text() + "\n")
        place.check(revision(tree, place) == head + ", with changes", "a checkout with changes")
    place.end()


main()

#!/usr/bin/env python3
"""The recipes for Spack, EasyBuild and containers and the module file, read as these programs read them: with stand-ins for what they bring.

What a recipe asks of the build exists there, and its version is this one. The module file is run by tclsh.
"""
import ast
import os
import pathlib
import re
import shutil
import sys
import types

from containers import bases_of, commands_of, packages_of
from place import Place, run

FOLDER = pathlib.Path("docs/install")


def spack(path):
    """The class of the recipe: (directives as (name, arguments, keywords), arguments of cmake)."""
    directives = []

    class CMakePackage:
        define = staticmethod(lambda name, value: (name, value))
        define_from_variant = staticmethod(lambda name, variant: (name, variant))

    module = types.ModuleType("spack.package")
    module.CMakePackage = CMakePackage
    for name in ("version", "license", "variant", "depends_on", "conflicts", "generator", "maintainers"):
        setattr(module, name, lambda *words, _name=name, **more: directives.append((_name, words, more)))
    module.__all__ = [name for name in vars(module) if not name.startswith("_")]
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module
    names = {}
    exec(compile(ast.parse(path.read_text(), str(path)), str(path), "exec"), names)
    package = names["Heddle"]()
    package.spec, package.run_tests = {"mpi": types.SimpleNamespace(mpicc="/mpi/bin/mpicc")}, False
    return directives, package.cmake_args()


def easybuild(path):
    names = {"SOURCE_TAR_GZ": "%(name)s-%(version)s.tar.gz"}
    exec(compile(ast.parse(path.read_text(), str(path)), str(path), "exec"), names)
    return names


def loaded(module):
    """What a module file does, as [command, word, ...], each in its own line of what tclsh prints."""
    script = """proc say {args} {puts [join $args "\\t"]}
        foreach name {module-whatis conflict prepend-path append-path} {interp alias {} $name {} say $name}
        source [lindex $argv 0]; ModulesHelp"""
    return [line.split("\t") for line in run(["tclsh", "/dev/stdin", module], input=script).split("\n")]


def check_containers(place):
    """Both do the same; what they install is in the Debian that they begin with, if this is it."""
    place.check(bases_of(place.source) == {"docker.io/library/debian:12"}, f"containers begin with {bases_of(place.source)}")
    needed = re.search(r"^needs_build='([^']*)'", (place.source / "dev").read_text(), re.M)[1]
    needed = {line.split()[0] for line in needed.splitlines()} - {"python3"}
    for mpi in ("openmpi", "mpich"):
        recipes = commands_of(place.source, mpi)
        installs = [[[packages_of(command, mpi) for command in stage if "apt-get install" in command] for stage in stages] for stages in recipes.values()]
        place.check(installs[0] == installs[1], f"the containers differ: {installs}")
        built, last = installs[0]
        wanted = needed if mpi == "openmpi" else needed - {"openmpi-bin", "libopenmpi-dev"} | {"mpich", "libmpich-dev"}
        place.check(set(built[0]) == wanted | {"file"}, f"containers install {sorted(built[0])}, not {sorted(wanted)}")
        place.check(last == [["openmpi-bin" if mpi == "openmpi" else "mpich"]], f"the last stage installs {last}")
        debian = pathlib.Path("/etc/debian_version")
        if debian.exists() and debian.read_text().startswith("12") and shutil.which("apt-cache") is not None:
            policy = run(["apt-cache", "policy", *built[0], *last[0]], env={**os.environ, "LC_ALL": "C"})
            there = set(re.findall(r"^(\S+):\n  Installed: .*\n  Candidate: \d", policy, re.M))
            place.check(there == {*built[0], *last[0]}, f"Debian has no {sorted({*built[0], *last[0]} - there)}")


def main():
    place = Place()
    check_containers(place)
    text = (place.source / "CMakeLists.txt").read_text()
    version = re.search(r"^project\(heddle VERSION ([\d.]+)", text, re.M)[1]
    options = set(re.findall(r"^(?:option|set)\((\w+) ", text + (place.source / "src" / "libraries.cmake").read_text(), re.M)) | {"MPI_C_COMPILER"}
    dependencies = {"otf2", "hwloc", "expat", "cairo", "cmake", "ninja"}

    directives, defined = spack(place.source / FOLDER / "spack/packages/heddle/package.py")
    place.check(("version", (version,), {}) in directives, f"Spack's recipe has no version {version}")
    on = {words[0].split("@")[0].split()[0] for name, words, _ in directives if name == "depends_on"}
    place.check(on == dependencies | {"mpi", "zlib-api", "pkgconfig", "c"}, f"Spack's recipe depends on {sorted(on)}")
    variants = {words[0] for name, words, _ in directives if name == "variant"}
    for name, value in defined:
        place.check(name in options, f"Spack's recipe sets {name}, which the build does not have")
    place.check(dict(defined)["HEDDLE_PICTURES"] in variants, "Spack's recipe: a variant that is not declared")
    place.check("namespace:" in (place.source / FOLDER / "spack/repo.yaml").read_text(), "repo.yaml names no namespace")

    recipes = list((place.source / FOLDER / "easybuild").glob("*.eb"))
    place.check(len(recipes) == 1, f"recipes for EasyBuild: {recipes}")
    recipe = easybuild(recipes[0])
    toolchain = recipe["toolchain"]
    place.check(recipes[0].name == f"{recipe['name']}-{recipe['version']}-{toolchain['name']}-{toolchain['version']}.eb", "EasyBuild does not find the file by its name")
    place.check(recipe["version"] == version, f"EasyBuild's recipe is for {recipe['version']}")
    on = {name.lower() for name, _ in recipe["dependencies"] + recipe["builddependencies"]}
    place.check(on == dependencies | {"zlib", "pkgconf"}, f"EasyBuild's recipe depends on {sorted(on)}")
    for name in re.findall(r"-D(\w+)=", recipe["configopts"]):
        place.check(name in options, f"EasyBuild's recipe sets {name}, which the build does not have")
    prefix = place.install()
    for name in recipe["sanity_check_paths"]["files"] + recipe["sanity_check_paths"]["dirs"]:
        place.check((prefix / name).exists(), f"EasyBuild's recipe expects {name}")
    for command in recipe["sanity_check_commands"]:
        run(command.split(), env={**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"})

    module = prefix / "share/heddle/modulefiles/heddle" / version
    place.check(module.read_text().startswith("#%Module1.0\n"), "the module file is not one")
    if shutil.which("tclsh") is None:
        print("there is no tclsh here: the module file is not run")
    else:
        done = loaded(module)
        for command, name, folder in (("prepend-path", "PATH", "bin"), ("prepend-path", "MANPATH", "share/man"), ("prepend-path", "XDG_DATA_DIRS", "share")):
            place.check([command, name, str(prefix / folder)] in done, f"the module file does not {command} {name}: {done}")
        place.check(["conflict", "heddle"] in done, "two versions can be loaded at once")
    place.end()


main()

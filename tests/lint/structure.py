#!/usr/bin/env python3
"""The structure of the sources: no folder of more than 25 .c files, no file of more than 650 lines, no circle of files that include each other,
no header of MPI, OTF2 or hwloc outside of the folders that may know it.

usage: structure.py        (part of ./dev lint)

A .c and a .h of the same name are one unit, and every include of a header of the project is an arrow between units. What is still over a limit
stands in structure-known.txt, with how far: it may get better, not worse, and a row that is no longer needed has to go.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRODUCT = ("src", "scheduler", "replay", "openmp-patterns", "topology")
MAX_C_FILES, MAX_LINES = 25, 650
LIBRARIES = {"mpi.h": ("src/analysis_comm", "scheduler", "src/record/preload"), "otf2/": ("src/trace", "src/record/finish"),
             "hwloc.h": ("scheduler",)}  # and the folders that may include their headers
SOURCES = (".c", ".h", ".py", ".ts", ".tsx", ".mjs", ".sh")


def files():
    for top in (*PRODUCT, "tests", "jobscripts"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SOURCES and path.is_file() and not {"node_modules", "dist", "data"} & set(path.parts):
                yield path


def name_of(path):
    return str(path.relative_to(ROOT))


def over_limits():
    """(kind, name, number) of each folder and file over its limit."""
    folders = {}
    for path in files():
        lines = path.read_text(errors="replace").count("\n")
        if lines > MAX_LINES:
            yield "lines", name_of(path), lines
        if path.suffix == ".c" and path.parts[len(ROOT.parts)] != "tests":
            folders[path.parent] = folders.get(path.parent, 0) + 1
    for folder, n in folders.items():
        if n > MAX_C_FILES:
            yield "files", name_of(folder), n


def includes():
    """{unit: units that it includes}; a unit is a path without its ending."""
    headers, arrows = {}, {}
    paths = [path for path in files() if path.suffix in (".c", ".h") and path.parts[len(ROOT.parts)] in PRODUCT]
    for path in paths:
        if path.suffix == ".h":
            headers[path.name] = name_of(path.with_suffix(""))
    for path in paths:
        unit = arrows.setdefault(name_of(path.with_suffix("")), set())
        for header in re.findall(r'^#include "([\w.]+)"', path.read_text(errors="replace"), re.M):
            if header in headers and headers[header] != name_of(path.with_suffix("")):
                unit.add(headers[header])
    return arrows


def foreign_includes():
    """Includes of a library's header in a folder that may not know it."""
    for path in files():
        if path.suffix not in (".c", ".h") or path.parts[len(ROOT.parts)] not in PRODUCT:
            continue
        for header in re.findall(r"^#include <([\w./]+)>", path.read_text(errors="replace"), re.M):
            for library, folders in LIBRARIES.items():
                if header.startswith(library) and not any(ROOT / folder in path.parents for folder in folders):
                    yield f"{name_of(path)}: <{header}> is for {', '.join(folders)} only"


def circles(arrows):
    """Strongly connected components of more than one unit (Tarjan's algorithm, without recursion)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in sorted(arrows):
        work = [(root, iter(sorted(arrows[root])))] if root not in index else []
        while work:
            unit, others = work[-1]
            if unit not in index:
                index[unit] = low[unit] = len(index)
                stack.append(unit)
                on_stack.add(unit)
            for other in others:
                if other not in index:
                    work.append((other, iter(sorted(arrows[other]))))
                    break
                if other in on_stack:
                    low[unit] = min(low[unit], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    group = []
                    while not group or group[-1] != unit:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    if len(group) > 1:
                        found.append(sorted(group))
    return sorted(found)


def main():
    known = {}
    for line in (ROOT / "tests" / "lint" / "structure-known.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            kind, name, number = line.split()
            known[kind, name] = int(number)
    found = {(kind, name): number for kind, name, number in over_limits()}
    groups = circles(includes())
    found.update({("circle", group[0]): len(group) for group in groups})
    wrong = list(foreign_includes())
    for key, number in sorted(found.items()):
        if number > known.get(key, 0):
            of = f": {' '.join(next(group for group in groups if group[0] == key[1]))}" if key[0] == "circle" else ""
            wrong.append(f"{key[1]}: {number} {'files in a circle' if key[0] == 'circle' else key[0]}{of}")
    for key, number in sorted(known.items()):
        if found.get(key, 0) < number:
            wrong.append(f"structure-known.txt: {' '.join(key)} has {found.get(key, 0)} now, not {number}")
    print("\n".join(wrong) or f"{len(found)} known")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

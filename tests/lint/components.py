#!/usr/bin/env python3
"""The picture of the architecture: docs/components.dot and docs/components.svg, from the includes of the sources.

usage: components.py [--write]        (part of ./dev lint; ./dev picture writes, with Graphviz)

A box is a folder of sources, an arrow an include of one of its headers; an arrow that follows from others is left away. What stands in
a box is from the table "Components" of docs/architecture.md, which has to have a row for each folder, or for the folder around it.
"""
import hashlib
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRODUCT = ("src", "scheduler", "replay", "openmp-patterns", "topology")
DOT, SVG, PAGE = (ROOT / "docs" / name for name in ("components.dot", "components.svg", "architecture.md"))
LIBRARIES = {"mpi.h": "MPI", "otf2/otf2.h": "OTF2", "hwloc.h": "hwloc", "expat.h": "Expat", "zlib.h": "zlib", "cairo.h": "Cairo"}
COLOURS = {"src/cli": "#fff2cc", "src/report": "#dae8fc", "src/cube": "#e1d5e7", "replay": "#d5e8d4", "src/trace": "#f8cecc",
           "openmp-patterns": "#d5e8d4", "topology": "#d5e8d4", "scheduler": "#ffe6cc", "src/profile": "#ffe6cc"}


def folder_of(path):
    return str(path.parent.relative_to(ROOT))


def group_of(folder):
    """The folder of the first level that a folder is part of: src/cube of src/cube/read."""
    return "/".join(folder.split("/")[:2 if folder.startswith("src/") else 1])


def includes():
    """({folder: folders that it includes}, {folder: libraries})"""
    paths = [path for top in PRODUCT for ending in ("*.c", "*.h") for path in sorted((ROOT / top).rglob(ending))]
    home = {}
    for path in paths:
        if path.suffix == ".h" and home.setdefault(path.name, folder_of(path)) != folder_of(path):
            sys.exit(f"{path.name} is in {home[path.name]} and in {folder_of(path)}: an include does not say which")
    arrows, libraries = {folder_of(path): set() for path in paths if path.suffix == ".c"}, {}
    for path in paths:
        folder, text = folder_of(path), path.read_text(errors="replace")
        arrows.setdefault(folder, set()).update(home[name] for name in re.findall(r'^#include "([\w.]+)"', text, re.M)
                                                if home.get(name, folder) != folder)
        libraries.setdefault(folder, set()).update(LIBRARIES[name] for name in re.findall(r"^#include <([\w./]+)>", text, re.M)
                                                   if name in LIBRARIES)
    return arrows, libraries


def reached(arrows, folder, known):
    """All folders that are reached from one."""
    if folder not in known:
        known[folder] = set()
        for other in arrows[folder]:
            known[folder] |= {other} | reached(arrows, other, known)
    return known[folder]


def reduced(arrows):
    """Without the arrows that follow from others."""
    known = {}
    for folder in arrows:
        if folder in reached(arrows, folder, known):
            sys.exit(f"{folder} includes itself through {', '.join(sorted(known[folder]))}")
    return {folder: {other for other in others if not any(other in known[third] for third in others)} for folder, others in arrows.items()}


def descriptions():
    table = PAGE.read_text().partition("## Components")[2].partition("\n## ")[0]
    return {folder.rstrip("/"): text for folder, text in re.findall(r"^\| `([\w/-]+)` \| ([^|]*?) \|", table, re.M)}


def label(name, text, ends="<br/>"):
    lines = "".join(f'{ends}<font point-size="10">{line}</font>' for line in textwrap.wrap(text, 26))
    return f"<<b>{name}</b>{lines}{ends if 'align' in ends else ''}>"


def drawing():
    arrows, libraries = includes()
    texts = descriptions()
    groups = {group_of(folder) for folder in arrows if group_of(folder) != folder}
    missing = [folder for folder in arrows if folder not in texts and group_of(folder) not in texts]
    surplus = [folder for folder in texts if folder not in arrows and folder not in groups]
    if missing or surplus:
        sys.exit(f"docs/architecture.md: the table \"Components\" lacks {missing}, and has {surplus} without sources")
    out = ["// ./dev picture makes this of the includes of the sources, and components.svg of this.", "digraph components {",
           '    compound=true; rankdir=TB; nodesep=0.25; ranksep=0.45; labeljust=l; fontname="sans-serif";',
           '    node [shape=box, style="filled,rounded", fillcolor=white, fontname="sans-serif", fontsize=13, margin="0.12,0.06"];',
           '    edge [color="#555555", arrowsize=0.7];']

    def node(folder, margin):
        name = folder.removeprefix(group_of(folder) + "/")
        fill = "" if group_of(folder) in groups else f', fillcolor="{COLOURS.get(folder, "#f5f5f5")}"'
        out.append(f'{margin}"{folder}" [label={label(name, texts.get(folder, "") if folder not in groups else "")}{fill}];')

    for group in sorted(groups):
        out.append(f'    subgraph "cluster {group}" {{')
        title = label(group, texts.get(group, ""), '<br align="left"/>')
        out.append(f'        label={title}; style="filled,rounded"; color="{COLOURS.get(group, "#f5f5f5")}";')
        for folder in sorted(arrows):
            if group_of(folder) == group:
                node(folder, "        ")
        out.append("    }")
    for folder in sorted(arrows):
        if group_of(folder) not in groups:
            node(folder, "    ")
    for library in sorted(set().union(*libraries.values())):
        out.append(f'    "{library}" [shape=ellipse, style=dashed, fontsize=11];')
    for folder, others in sorted(reduced(arrows).items()):
        out += [f'    "{folder}" -> "{other}";' for other in sorted(others)]
    known = {}
    for library in sorted(set().union(*libraries.values())):
        users = sorted((folder for folder in libraries if library in libraries[folder]), key=lambda folder: len(reached(arrows, folder, known)))
        for group in sorted({group_of(folder) for folder in users}):  # one arrow for each group, from its lowest folder
            inside = [folder for folder in users if group_of(folder) == group]
            tail = f', ltail="cluster {group}"' if len(inside) > 1 else ""
            out.append(f'    "{inside[0]}" -> "{library}" [style=dashed{tail}];')
    return "\n".join([*out, "}", ""])


def main():
    text = drawing()
    mark = f"<!-- components.dot {hashlib.sha256(text.encode()).hexdigest()} -->"
    if "--write" in sys.argv[1:]:
        DOT.write_text(text)
        picture = subprocess.run(["dot", "-Tsvg", str(DOT)], check=True, capture_output=True, text=True).stdout
        SVG.write_text(re.sub(r"<!-- Generated by.*?-->", mark, picture, count=1, flags=re.S))
    elif not DOT.exists() or DOT.read_text() != text or mark not in SVG.read_text():
        sys.exit("docs/components.svg is not that of the sources: ./dev picture draws it")
    print(f"{text.count(' -> ')} arrows")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Links in documents, and references to documents in sources (docs/metrics.md#late-sender), lead to a file and a place in it.
Names of sources in documents (`oplog.h`) are those of files. File names are unique, so a file that has moved is found again.

usage: links.py [--write]       (part of ./dev lint; the test named links)

  --write   links to files that have moved are corrected
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = {"node_modules", "dist", "data", ".git"}
SOURCES = (".c", ".h", ".py", ".ts", ".tsx", ".mjs", ".sh", ".txt", ".md")
LINK = re.compile(r"\]\(([^)\s]+)\)")
REFERENCE = re.compile(r"\b((?:docs/|tests/|src/|jobscripts/|\.\./)?[\w./-]*\w\.md)(#[\w-]+)?")
NAME = re.compile(r"`([\w./-]+\.(?:c|h|py|mjs|tsx?))`")
OTHERS = {"mpi.h", "otf2/otf2.h", "hwloc.h"}  # headers of libraries
CODE = re.compile(r"^```.*?^```|^(?: {4}|\t).*?$|`[^`\n]+`", re.S | re.M)


def files():
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if path.suffix in SOURCES and path.is_file() and not SKIPPED & set(parts) and not parts[0].startswith("build"):
            yield path


def slug(heading):
    return re.sub(r"[^\w -]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()).replace(" ", "-")


def places(path, known={}):
    """Anchors and headings of a document."""
    if path not in known:
        text = path.read_text()
        known[path] = set(re.findall(r'<a id="([^"]+)"></a>', text)) | {slug(line) for line in re.findall(r"^#+ (.*)$", text, re.M)}
    return known[path]


def homes():
    """{name: files of this name}"""
    found = {}
    for path in files():
        found.setdefault(path.name, []).append(path)
    return found


def wrong_link(target, folders):
    """What is wrong with a link; folders: where its path may begin."""
    name, _, place = target.partition("#")
    found = [path for path in ((folder / name).resolve() for folder in folders) if path.exists()]
    if not found:
        return f"no file {name}"
    if place and found[0].suffix == ".md" and not any(place in places(path) for path in found if path.suffix == ".md"):
        return f"no place #{place} in {found[0].relative_to(ROOT)}"
    return None


def references(path, text):
    """(target, folders where its path may begin) of each link of a document, or reference to a document in a source."""
    if path.suffix == ".md":
        return [(target if not target.startswith("#") else path.name + target, [path.parent]) for target in LINK.findall(CODE.sub("", text))]
    return [("".join(match), [path.parent, ROOT, ROOT / "docs"]) for match in REFERENCE.findall(text) if match[0].startswith("docs/") or match[1]]


def is_file(path, name, known):
    """Whether a name in a document is that of a file; with folders it is one from the top of the repository, or beside the document."""
    if "/" in name:
        return name in OTHERS or (ROOT / name).exists() or (path.parent / name).exists()
    return name in known or name in OTHERS


def corrected(path, target, known):
    """The target where the file is now, the target itself if that is unknown."""
    name, sharp, place = target.partition("#")
    found = known.get(pathlib.PurePath(name).name, [])
    return os.path.relpath(found[0], path.parent) + sharp + place if path.suffix == ".md" and len(found) == 1 else target


def main():
    wrong, n, known, write = [], 0, homes(), "--write" in sys.argv[1:]
    for path in files():
        text = new = path.read_text(errors="replace")
        for target, folders in references(path, text):
            if re.match(r"\w+:", target):
                continue
            n += 1
            reason = wrong_link(target, folders)
            if reason is not None and write and corrected(path, target, known) != target:
                new = new.replace(f"]({target})", f"]({corrected(path, target, known)})")
            elif reason is not None:
                wrong.append(f"{path.relative_to(ROOT)}: {target}: {reason}")
        if path.suffix == ".md":
            wrong += [f"{path.relative_to(ROOT)}: no file {name}" for name in NAME.findall(text) if not is_file(path, name, known)]
        if new != text:
            path.write_text(new)
    print("\n".join(sorted(set(wrong))) or f"{n} links")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Links between documents, and references to documents in sources (docs/metrics.md#late-sender), lead to a file and a place in it.

usage: links.py        (part of ./dev lint; the test named links)
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = {"node_modules", "dist", "data", ".git"}
SOURCES = (".c", ".h", ".py", ".ts", ".tsx", ".mjs", ".sh", ".txt", ".md")
LINK = re.compile(r"\]\(([^)\s]+)\)")
REFERENCE = re.compile(r"\b((?:docs/|tests/|src/|jobscripts/|\.\./)?[\w./-]*\w\.md)(#[\w-]+)?")
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


def wrong_link(target, folders):
    """What is wrong with a link; folders: where its path may begin."""
    name, _, place = target.partition("#")
    found = [path for path in ((folder / name).resolve() for folder in folders) if path.exists()]
    if not found:
        return f"no file {name}"
    if place and found[0].suffix == ".md" and not any(place in places(path) for path in found if path.suffix == ".md"):
        return f"no place #{place} in {found[0].relative_to(ROOT)}"
    return None


def main():
    wrong, n = [], 0
    for path in files():
        text = path.read_text(errors="replace")
        if path.suffix == ".md":
            targets = LINK.findall(CODE.sub("", text))
            folders = [path.parent]
        else:
            targets = ["".join(match) for match in REFERENCE.findall(text) if match[0].startswith("docs/") or match[1]]
            folders = [path.parent, ROOT, ROOT / "docs"]
        for target in targets:
            if re.match(r"\w+:", target):
                continue
            n += 1
            reason = wrong_link(target if not target.startswith("#") else path.name + target, folders)
            if reason is not None:
                wrong.append(f"{path.relative_to(ROOT)}: {target}: {reason}")
    print("\n".join(sorted(set(wrong))) or f"{n} links")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

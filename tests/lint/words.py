#!/usr/bin/env python3
"""Looks for words that were retired (retired-words.txt) in all that users read: words.py [FILE...]

Without files: string literals of src/**/*.c, of the analysis' own folders likewise; texts of the HTML report; docs/*.md, README.md.
A line of C whose text has to stay ends in a comment with "words:" and the reason.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("src", "replay", "scheduler", "openmp-patterns", "topology", "jobscripts")
LITERAL = re.compile(r'/\*.*?\*/|//[^\n]*|"((?:[^"\\\n]|\\.)*)"', re.S)
TSX_COMMENT = re.compile(r"/\*.*?\*/", re.S)
NOT_PROSE = ("heddle.moments.tsv", "HD_", "#include")  # names of files and identifiers


def retired():
    rows = []
    for number, line in enumerate((root / "tests/lint/retired-words.txt").read_text().splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != 3 or not all(fields):
            sys.exit(f"tests/lint/retired-words.txt:{number}: not pattern, replacement and reason, separated by tabs")
        rows.append((re.compile(fields[0]), *fields[1:]))
    return rows


def sources():
    for folder in FOLDERS:
        yield from sorted((root / folder).rglob("*.c"))
    yield from sorted((root / "src/report").rglob("headings.h"))
    yield from sorted((root / "src").rglob("metric_table.h"))
    yield from sorted(path for path in (root / "src/report/html").rglob("*.ts*") if "dist" not in path.parts and "node_modules" not in path.parts)
    yield from sorted((root / "docs").glob("*.md"))
    yield root / "README.md"


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def c_texts(text):
    """The literals at their places, all else blank. A literal that goes on in the next line is one text."""
    out = []
    at = 0
    for match in LITERAL.finditer(text):
        out.append(re.sub(r"[^\n]", "\0", text[at:match.start()]))
        out.append(match.group(0)[1:-1].join("\0\0") if match.group(1) is not None else re.sub(r"[^\n]", "\0", match.group(0)))
        at = match.end()
    return "".join(out)


def read_text(path):
    """(what users read, with its places; the text itself)"""
    text = path.read_text()
    if path.suffix in (".c", ".h"):
        return c_texts(text), text
    return (TSX_COMMENT.sub(blank, text), text) if path.suffix in (".ts", ".tsx") else (text, text)


def main():
    rows = retired()
    paths = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or list(sources())
    n = 0
    for path in paths:
        seen, text = read_text(path)
        lines = text.split("\n")
        for number, line in enumerate(seen.split("\n"), 1):
            if "words:" in lines[number - 1]:
                continue
            for pattern, replacement, reason in rows:
                match = pattern.search(line)
                if match is not None:
                    print(f"{path.relative_to(root) if path.is_relative_to(root) else path}:{number}: \"{match.group(0)}\" is retired: "
                          f"{replacement} ({reason})")
                    n += 1
    if n > 0:
        sys.exit(f"{n} retired words in {len(paths)} files")


if __name__ == "__main__":
    main()

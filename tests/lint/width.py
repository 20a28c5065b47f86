#!/usr/bin/env python3
"""Lines of C, and of text in Markdown files, have at most 120 columns and no control characters: width.py [--write] [FILE...]

Without files: all of the repository but the C of src/cli and src/report. In Markdown headings, tables, code and what cannot be broken (code spans, links, anchors) are free,
in C the rows of tables that are macros: X(...).

  --write   fill paragraphs of Markdown anew that have a longer line; C is broken by hand
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 120
WORD = re.compile(r"(?:`[^`]+`|\[[^\]]{1,60}\]\([^)]*\)|<a id=\"[^\"]*\">|[^\s`\[<]+|\S)+?(?=\s|$)")
ITEM = re.compile(r" *(?:[-*+]|\d+[.)])\s+")
NOT_TEXT = re.compile(r" *(?:\||#+ |<a id=\"[^\"]*\"></a>$|<!--)")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # makes a file binary for git and grep
STARTS_BLOCK = re.compile(r"(?:[-+*=]+|\d+[.)]|#+|>.*|\|.*)$")  # what a line of a paragraph must not begin with


def paragraphs(lines):
    """(first line, one after the last, columns of the first line's mark, indentation of the others) of each paragraph."""
    fenced, content, i = False, 0, 0
    while i < len(lines):
        line = lines[i]
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced or not line.strip() or NOT_TEXT.match(line) or line.lstrip().startswith("```"):
            i += 1
            continue
        item = ITEM.match(line)
        indentation = len(line) - len(line.lstrip())
        if indentation - content >= 4 or (indentation >= 4 and "   " in line.strip()):  # code
            i += 1
            continue
        content = item.end() if item else (content if indentation >= content > 0 else 0)
        end = i + 1
        while end < len(lines) and lines[end].strip() and not NOT_TEXT.match(lines[end]) and not ITEM.match(lines[end]) \
                and not lines[end].lstrip().startswith("```"):
            end += 1
        yield i, end, item.end() if item else indentation, content if item else indentation
        i = end


def words(text):
    return [match.group(0).replace("\n", " ") for match in WORD.finditer(text.strip())]


def fill(lines, mark, indentation):
    """The paragraph's lines with at most WIDTH columns."""
    out, line = [], [lines[0][:mark].rstrip() + " " * (mark - len(lines[0][:mark].rstrip()))]
    rest = words(" ".join([lines[0][mark:].strip(), *(other.strip() for other in lines[1:])]))
    length = mark
    for i, word in enumerate(rest):
        fits = length + (len(line) > 1) + len(word) <= WIDTH
        if not fits and len(line) > 1:
            carried = []
            while len(line) > 2 and STARTS_BLOCK.match((carried or [word])[0]):
                carried.insert(0, line.pop())
            out.append(line[0] + " ".join(line[1:]))
            line = [" " * indentation, *carried]
            length = indentation + len(" ".join(carried))
        length += (len(line) > 1) + len(word)
        line.append(word)
    out.append(line[0] + " ".join(line[1:]))
    return out


def too_long(line, indentation):
    return len(line) > WIDTH and len(words(line[indentation:])) > 1


def long_c_lines(text):
    """(number, columns) of each"""
    return [(i, len(line)) for i, line in enumerate(text.split("\n"), 1) if len(line) > WIDTH and not line.lstrip().startswith("X(")]


def files():
    for path in sorted(path for ending in ("*.md", "*.c", "*.h") for path in ROOT.rglob(ending)):
        if not {"node_modules", "dist"} & set(path.parts) and not any(part.startswith("build") for part in path.relative_to(ROOT).parts[:1]):
            if path.suffix == ".md" or not path.is_relative_to(ROOT / "src/cli") and not path.is_relative_to(ROOT / "src/report"):
                yield path


def main(arguments):
    write = "--write" in arguments
    paths = [pathlib.Path(name).resolve() for name in arguments if name != "--write"] or list(files())
    n = n_control = 0
    for path in paths:
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for number in (i for i, line in enumerate(path.read_text().split("\n"), 1) if CONTROL.search(line)):
            print(f"{shown}:{number}: control character")
            n_control += 1
        if path.suffix in (".c", ".h"):
            for number, columns in long_c_lines(path.read_text()):
                print(f"{shown}:{number}: {columns} columns")
                n += 1
            continue
        lines = path.read_text().split("\n")
        out, at = [], 0
        for begin, end, mark, indentation in paragraphs(lines):
            out += lines[at:begin]
            at = begin
            long = [i for i in range(begin, end) if too_long(lines[i], mark if i == begin else indentation)]
            if long and write:
                out += fill(lines[begin:end], mark, indentation)
                at = end
            elif long:
                n += len(long)
                for i in long:
                    print(f"{shown}:{i + 1}: {len(lines[i])} columns")
        if write:
            path.write_text("\n".join(out + lines[at:]))
    if n_control > 0:
        sys.exit(f"{n_control} lines have control characters")
    if n > 0:
        sys.exit(f"{n} lines of text are longer than {WIDTH} columns (tests/lint/width.py --write fills those of Markdown anew)")


if __name__ == "__main__":
    main(sys.argv[1:])

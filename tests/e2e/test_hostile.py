#!/usr/bin/env python3
"""Names in archives and reports may be anything: all that is printed and written shows them, and does nothing else.

An archive in which every name attacks (tests/writer/hostile_names.h), and reports whose texts do, go through every subcommand. No output has
characters that drive terminals, turn writing around or are no UTF-8; tables keep their columns, have no cell that is a formula, and give
the names back; the page has no markup but its own.

usage: test_hostile.py --heddle PROGRAM --hostile WRITER --work DIR [TEST]
"""
import argparse
import ast
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree
from xml.sax.saxutils import escape

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY

SMALL = ROOT / "tests" / "data" / "pat-topo-6"
ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")
# Controls but the end of a line, what is no character, separators, marks of direction, what cannot be seen.
BAD_OR_TAB = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
                        "\U000e0000-\U000e007f]")
BAD = re.compile(BAD_OR_TAB.pattern.replace("\x00-\x09", "\x00-\x08"))
tests = []


def test(function):
    tests.append(function)
    return function


def hostile_names():
    text = (ROOT / "tests" / "writer" / "hostile_names.h").read_text()
    literals = re.findall(r'^    "(.*)",$', text, re.M)
    assert len(literals) > 20
    return [ast.literal_eval(f'b"{literal}"') for literal in literals]


def check_text(what, data, lines=True):
    """Bytes that people and terminals may see. Returns the text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise AssertionError(f"{what}: {error} in {data[max(0, error.start - 60):][:120]!r}") from error
    bad = BAD.search(text) if lines else BAD_OR_TAB.search(text)
    assert bad is None, f"{what}: {bad[0]!r} in {text[max(0, bad.start() - 60):][:120]!r}"
    return text


def unescaped(cell):
    return ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), cell.encode())


def check_table(what, data, n_columns=None):
    """Rows of a table for scripts: as many cells in each, and none that a spreadsheet computes. Returns them."""
    rows = [row.split("\t") for row in check_text(what, data).splitlines()]
    assert rows and all(len(row) == (n_columns or len(rows[0])) for row in rows), (what, {len(row) for row in rows})
    for row in rows:
        for cell in row:
            assert cell[:1] not in ("=", "+", "-", "@") or re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?|-?inf|-?nan", cell), (what, cell)
    return rows


def check_csv(what, data, n_columns):
    """The same, separated by commas."""
    rows = list(csv.reader(io.StringIO(check_text(what, data))))
    return check_table(what, "\n".join("\t".join(row) for row in rows).encode(), n_columns)


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def __call__(self, *arguments, codes=(0,)):
        environment = dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT)
        done = subprocess.run([self.options.heddle, *map(str, arguments)], capture_output=True, env=environment, cwd=self.folder, timeout=HANG_SECONDS,
                              stdin=subprocess.DEVNULL)
        assert done.returncode in codes, (arguments, done)
        check_text(arguments, done.stderr)
        check_text(arguments, done.stdout)
        return done.stdout


def fresh(options, name):
    folder = pathlib.Path(options.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def members(report):
    with tarfile.open(report) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}


def markup_of(page):
    """How often markup begins in the page, besides what holds values."""
    page, n = re.subn(rb'<script type="text/plain" id="heddle-(head|matrix|matrix-nodes|(?:metric|paths)-\d+)">[^<]*</script>', b"", page)
    assert n > 1
    return {word: len(re.findall(word, page)) for word in (rb"<script", rb"</script", rb"<!--", rb"<img", rb"</title", rb"</style", rb"onerror")}


def show_all(run, folder, report, is_analysed):
    """A report through everything that shows one; the rows of its dump."""
    for arguments in (["summary", report, "--top=30"], ["topology", report, "--list"]):
        run(*arguments)
    if is_analysed:
        run("causes", report)
        run("causes", report, "--processes")
        check_table("causes", run("causes", report, "--tsv"))
        check_table("processes", run("causes", report, "--processes", "--tsv"))
    run("diff", report, report)
    run("diff", report, report, "--markdown", folder / "diff.md", codes=(0, 2))
    check_table("scaling", run("scaling", report, report, "--tsv"))
    run("scaling", report, report)
    run("scaling", report, report, "--quiet", "--extrap", folder / "e.txt", "--force")
    check_text("values for Extra-P", (folder / "e.txt").read_bytes())
    run("html", report, "-o", folder / "page.html", "--force")
    for arguments in (["summary", report], ["topology", report, "--list"], ["diff", report, report], ["scaling", report, report],
                      *([["causes", report], ["instances", report, "--top=30"]] if is_analysed else [])):
        assert json.loads(run(*arguments, "--json"))["schema"] == "heddle", arguments
    if is_analysed:
        run("instances", report)
        check_csv("instances", run("instances", report, "--csv", "--top=30"), 10)
    rows = check_table("dump", run("dump", report), 5)
    assert check_csv("dump", run("dump", report, "--csv"), 5)[1:] == rows
    check_table("topology", run("topology", report, "--tsv", codes=(0, 1, 2)) or b"x")
    run("merge", report, report, "-o", folder / "merged.cubex", "--force", "--html", folder / "merged.html")
    xml.etree.ElementTree.fromstring(members(folder / "merged.cubex")["anchor.xml"])
    return rows


@test
def an_archive_of_hostile_names(options):
    folder, names = fresh(options, "archive"), hostile_names()
    run = Runner(options, folder)
    subprocess.run([options.hostile, folder / "a"], check=True)
    report = folder / "r.cubex"
    run("info", "a")
    run("plan", "a")
    run("jobscript", "--system=slurm", "--local", "a")
    run("analyze", "a", "-o", report, "--stat", "--verbose", "--show-placement", "--html", codes=(0, 3))
    rows = check_table("findings", (folder / "r.findings.tsv").read_bytes())
    head = rows[0]
    found = [unescaped(row[head.index("communicator")]) for row in rows[1:]]
    assert found == names, set(found) ^ set(names)
    paths = [row[head.index("call path")].split(";") for row in rows[1:]]
    found = [unescaped(path[1]) for path in paths]
    assert found == names and all(len(path) == 3 for path in paths), set(found) ^ set(names)
    check_text("statistics", (folder / "r.stat").read_bytes())
    for name, data in members(report).items():
        assert re.fullmatch(r"[a-z0-9.-]+", name), name
        if not name.endswith((".data", ".index")):
            check_text(name, data)
    in_report = {region.findtext("name") for region in xml.etree.ElementTree.fromstring(members(report)["anchor.xml"]).iter("region")}
    assert in_report >= {name.decode() for name in names if name.isascii() and min(name) >= 32}, in_report
    dumped = show_all(run, folder, report, True)
    shown = {unescaped(row[1].split(";")[1]).decode() for row in dumped if ";" in row[1]}
    assert shown == in_report - {"main", "MPI_Send", "MPI_Recv"}, shown ^ in_report
    Runner(options, folder)("analyze", SMALL, "-o", "other.cubex", "-q", "--html")
    assert markup_of((folder / "r.html").read_bytes()) == markup_of((folder / "other.html").read_bytes()) == \
        markup_of((folder / "merged.html").read_bytes())
    run("extract", "a", "-o", folder / "part", "--from=0", "--to=0.001")
    run("export", "a", "--perfetto", folder / "t.json", "--paraver", folder / "t", "--report", report)
    shown = {event["name"] for event in json.loads(check_text("Perfetto", (folder / "t.json").read_bytes()))["traceEvents"] if event["ph"] == "B"}
    assert len(shown - {"main", "MPI_Send", "MPI_Recv"}) >= len(names) - 3, shown
    for suffix in (".prv", ".pcf", ".row"):
        check_text(suffix, (folder / "t").with_suffix(suffix).read_bytes())
    assert all(re.fullmatch(r"[123](:\d+)+", line) for line in (folder / "t.prv").read_text().splitlines()[1:])
    values = (folder / "t.pcf").read_text().split("User function\nVALUES\n")[1].splitlines()
    assert all(re.match(r"\d+    \S", line) for line in values), values
    assert {unescaped(line.split("    ", 1)[1]) for line in values} >= set(names), set(names)
    left = sorted(path.name for path in folder.iterdir())
    assert not any("owned" in name or "tmp" in name for name in left) and not pathlib.Path("/tmp/owned").exists(), left


def repacked(report, to, change):
    """The report with its texts changed: change(anchor) -> anchor."""
    with tarfile.open(to, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in members(report).items():
            data = change(data) if name == "anchor.xml" else data
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


@test
def reports_of_hostile_texts(options):
    """One name at a time in all places of a report where text from outside can be: metrics, regions, system, topologies, attributes."""
    folder = fresh(options, "reports")
    run = Runner(options, folder)
    run("analyze", SMALL, "-o", "r.cubex", "-q", "--html")
    for i, name in enumerate(hostile_names() + [b"x" * 5000]):
        text = "".join(c for c in name.decode("utf-8", "replace") if c in "\t\n\r" or (ord(c) >= 32 and not 0xFFFE <= ord(c) <= 0xFFFF))

        def change(anchor):
            quoted = escape(text, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}).encode()
            anchor = re.sub(rb"<uniq_name>(mpi_latesender|comp)</uniq_name>", rb"<uniq_name>\1" + quoted.replace(b"\\", rb"\\") + b"</uniq_name>", anchor)
            for tag in (b"disp_name", b"uom", b"descr", b"name", b"mangled_name", b"class", b"url", b"role", b"paradigm"):
                anchor = re.sub(b"<" + tag + rb">[^<]*</" + tag + b">", lambda _: b"<" + tag + b">" + quoted + b"</" + tag + b">", anchor)
            for key in (b"mod", b"name", b"value"):
                anchor = re.sub(b" " + key + rb'="[^"]*"', lambda _: b" " + key + b'="' + quoted + b'"', anchor)
            return anchor

        hostile = folder / f"hostile-{i}.cubex"
        repacked(folder / "r.cubex", hostile, change)
        if i % 4 == 0 or i > 20:
            show_all(run, folder, hostile, False)
        else:
            for arguments in (["summary"], ["dump"], ["topology", "--list"], ["html", "--force", "-o", folder / "page.html"]):
                run(arguments[0], hostile, *arguments[1:])
        assert markup_of((folder / "page.html").read_bytes()) == markup_of((folder / "r.html").read_bytes()), text


@test
def file_names_that_are_hostile(options):
    folder = fresh(options, "files")
    run = Runner(options, folder)
    run("analyze", SMALL, "-o", "r.cubex", "-q")
    for name in hostile_names():
        file = os.fsdecode(name.replace(b"/", b"_").replace(b"\0", b"_")) + ".cubex"
        shutil.copy(folder / "r.cubex", folder / file)
        run("summary", "./" + file)
        run("dump", "./no-" + file, codes=(1,))
        run("html", "./" + file, "-o", "page.html", "--force")
        title = re.search(rb"<title>(.*?)</title>", (folder / "page.html").read_bytes(), re.S)[1]
        assert re.search(rb"[<>\"']|&(?!(lt|gt|amp|quot|apos);)", title) is None and title.endswith(b".cubex"), title
        check_text("title", title, False)


@test
def two_names_of_one_file(options):
    """For a report and its page: noticed before anything is written."""
    folder = fresh(options, "same")
    run = Runner(options, folder)
    run("analyze", SMALL, "-o", "r.cubex", "-q")
    (folder / "sub").mkdir()
    (folder / "link").symlink_to(folder)
    before = sorted(folder.iterdir())
    for other in ("./x.cubex", "sub/../x.cubex", "link/x.cubex", folder / "x.cubex"):
        run("merge", "r.cubex", "r.cubex", "-o", "x.cubex", "--html", other, "--force", codes=(2,))
        run("diff", "r.cubex", "r.cubex", "-o", other, "--html", "x.cubex", codes=(2,))
    assert sorted(folder.iterdir()) == before


@test
def reports_whose_members_are_hostile(options):
    """Headers of members that lie, climb out of folders, or are very many: read in time, or refused; nothing is ever unpacked."""
    folder = fresh(options, "members")
    run = Runner(options, folder)
    run("analyze", SMALL, "-o", "r.cubex", "-q")
    whole = members(folder / "r.cubex")
    expected = run("dump", "r.cubex")
    with tarfile.open(folder / "climb.cubex", "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, kind in (("../../owned", tarfile.REGTYPE), ("/tmp/owned", tarfile.REGTYPE), ("link", tarfile.SYMTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, 5 if kind == tarfile.REGTYPE else 0, "/etc/passwd"
            tar.addfile(info, io.BytesIO(b"owned"))
        for name, data in whole.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    assert run("dump", "climb.cubex") == expected, "values"
    assert sorted(path.name for path in folder.iterdir()) == ["climb.cubex", "r.cubex", "r.findings.tsv"], list(folder.iterdir())
    assert not pathlib.Path("/tmp/owned").exists()

    # Many members that say they are compressed, with an index of all that is left of the file: each has to be looked at once, not all of it.
    packed = io.BytesIO()
    rest = 24_000_000
    for i in range(rest // 1024):
        info = tarfile.TarInfo(f"{i}.data")
        info.size = 19
        n_rows = (rest - i * 1024) // 24 - 100
        packed.write(info.tobuf(tarfile.USTAR_FORMAT))
        packed.write((b"ZCUBEX.DATA" + max(n_rows, 1).to_bytes(8, "little")).ljust(512, b"\0"))
    (folder / "packed.cubex").write_bytes(packed.getvalue())
    Runner(options, folder)("dump", "packed.cubex", codes=(1,))


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--hostile", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("only", nargs="?")
    options = parser.parse_args()
    options.heddle = str(pathlib.Path(options.heddle).resolve())
    failed = 0
    for function in tests:
        if options.only not in (None, function.__name__):
            continue
        try:
            function(options)
            print(f"ok   {function.__name__}", flush=True)
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"FAIL {function.__name__}: {type(error).__name__} {error}", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""heddle html and heddle analyze --html: what they write, what they refuse, what they leave behind.

usage: test_html.py --heddle HEDDLE --mpirun MPIRUN --large-report LARGE_REPORT --work DIR ARCHIVE

What is in a page is tested in tests/html and tests/report/html/test_page.c.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, is_writing


class Failure(Exception):
    pass


class Html:
    def __init__(self, options):
        self.heddle, self.mpirun, self.archive = pathlib.Path(options.heddle).resolve(), options.mpirun, pathlib.Path(options.archive).resolve()
        self.large_report, self.work = pathlib.Path(options.large_report).resolve(), pathlib.Path(options.work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def run(self, *arguments, code=0, says=(), ranks=1):
        command = [*([] if ranks == 1 else [self.mpirun, "-n", str(ranks)]), self.heddle, *arguments]
        done = subprocess.run([str(part) for part in command], cwd=self.work, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, **MPI_ENVIRONMENT))
        said = done.stdout + done.stderr
        if done.returncode not in ((0, 3) if code == 0 else (code,)):
            raise Failure(f"exit code {done.returncode} of {' '.join(map(str, arguments))}\n{said}")
        for words in says:
            if words not in said:
                raise Failure(f"{' '.join(map(str, arguments))} does not say {words!r}, but\n{said}")
        return said

    def files(self, *expected):
        found = sorted(path.name for path in self.work.iterdir())
        if found != sorted(expected):
            raise Failure(f"there are {found}, not {sorted(expected)}")

    def read(self, name):
        return (self.work / name).read_bytes()


def test_one_file(html):
    html.run("analyze", html.archive, "-o", "r.cubex", "--html", says=['page: "r.html"'])
    html.files("r.cubex", "r.html")
    html.run("html", "r.cubex", "-o", "again.html", says=['page: "again.html"'])
    if html.read("r.html") != html.read("again.html"):
        raise Failure("the pages of analyze --html and html differ")
    page = html.read("r.html")
    if not page.startswith(b"<!DOCTYPE html>") or not page.endswith(b"</html>\n"):
        raise Failure("the page is no complete page")
    (html.work / "again.html").unlink()


def test_of_several_ranks(html):
    html.run("analyze", html.archive, "-o", "s.cubex", "--html", "--threads", "2", ranks=2)
    html.run("html", "s.cubex", "-o", "again.html")
    if html.read("s.html") != html.read("again.html"):
        raise Failure("the pages of analyze --html on 2 ranks and html differ")
    for name in ("s.cubex", "s.html", "again.html"):
        (html.work / name).unlink()


def test_refusals(html):
    before = html.read("r.html")
    html.run("html", "r.cubex", code=1, says=["the page exists already", "--force"])
    html.run("html", "nothing.cubex", code=1, says=["nothing.cubex"])
    html.run("html", html.archive / "traces.otf2", "-o", "x.html", code=1, says=["is a file of an archive, not a report"])
    html.run("html", "r.cubex", "-o", "no/such/folder.html", code=1, says=["cannot be written"])
    html.run("html", "r.cubex", "-o", ".", code=1, says=["cannot be written"])
    html.run("html", "r.cubex", "-o", "r.cubex", "--force", code=2, says=["cannot have the name of the report"])
    html.run("html", "r.cubex", "--max-size", "lots", code=2)
    html.run("html", code=2)
    # an analysis does not start when its page could not be written
    (html.work / "t.html").write_text("mine")
    html.run("analyze", html.archive, "-o", "t.cubex", "--html", code=1, says=["the page exists already"])
    if html.read("t.html") != b"mine":
        raise Failure("a page was replaced")
    (html.work / "t.html").unlink()
    if html.read("r.html") != before:
        raise Failure("a page was replaced")
    html.files("r.cubex", "r.html")


def test_beside(html):
    html.run("html", "r.cubex", "-o", "large.html", "--max-size", "1B", says=["large.html.data", "belongs beside it"])
    html.files("r.cubex", "r.html", "large.html", "large.html.data")
    html.run("html", "r.cubex", "-o", "large.html", "--max-size", "1B", code=1, says=["already"])
    html.run("html", "r.cubex", "-o", "large.html", "--force")
    html.files("r.cubex", "r.html", "large.html")
    (html.work / "large.html").unlink()


def test_damaged(html):
    report = html.read("r.cubex")
    for length in (0, 100, len(report) // 3, len(report) // 2):
        (html.work / "d.cubex").write_bytes(report[:length])
        html.run("html", "d.cubex", code=1)
    (html.work / "d.cubex").unlink()
    html.files("r.cubex", "r.html")


def test_interrupted(html):
    """A page in the making is removed when the program is ended."""
    subprocess.run([str(html.large_report), "l.cubex", "512", "2000", "80"], cwd=html.work, check=True, capture_output=True)
    for _ in range(100):
        program = subprocess.Popen([str(html.heddle), "html", "l.cubex"], cwd=html.work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not is_writing(program.pid, html.work.resolve()) and program.poll() is None:
            time.sleep(0.001)
        program.send_signal(signal.SIGTERM)
        code = program.wait(timeout=HANG_SECONDS)
        if code != 0:
            break
        (html.work / "l.html").unlink()  # it was complete when the signal came
    if code not in (-signal.SIGTERM, 128 + signal.SIGTERM):
        raise Failure(f"it ended with {code}, not by the signal")
    html.files("l.cubex", "r.cubex", "r.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--large-report", required=True, help="the program of tests/bench")
    parser.add_argument("archive")
    options = parser.parse_args()
    html = Html(options)
    for test in (test_one_file, test_of_several_ranks, test_refusals, test_beside, test_damaged, test_interrupted):
        try:
            test(html)
            print(f"ok   {test.__name__}")
        except Failure as failure:
            print(f"FAIL {test.__name__}: {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

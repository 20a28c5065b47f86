#!/usr/bin/env python3
"""What heddle analyze says of its progress: one line that moves on a terminal, a line per phase elsewhere, nothing with --quiet.

usage: test_progress.py --heddle HEDDLE --archive ARCHIVE --work FOLDER
"""
import argparse
import os
import pathlib
import pty
import re
import subprocess
import sys

PHASES = ["load", "unify call trees", "replay", "backward replay", "report"]
LINE = re.compile(r"heddle: ([a-z ]+?) \((?:[\d,]+ (?:events|calls), )?after \d+\.\d s\)")


def on_terminal(command, environment):
    """Standard error of a program that has a terminal for it."""
    ours, its = pty.openpty()
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its, env=environment)
    os.close(its)
    text = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    program.wait()
    return text.decode()


def phases(text):
    return [LINE.fullmatch(line)[1] if LINE.fullmatch(line) else line for line in text.splitlines()]


def main():
    parser = argparse.ArgumentParser()
    for name in ("heddle", "archive", "work"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    command = [options.heddle, "analyze", options.archive, "-o", str(work / "r.cubex"), "--force", "--no-summary", "--threads=1"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_COMM_", "PMIX_", "PMI_"))}
    environment["TERM"] = "xterm"

    piped = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True, env=environment).stderr
    quiet = subprocess.run([*command, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True, env=environment).stderr
    drawn = on_terminal(command, environment)
    dumb = on_terminal(command, {**environment, "TERM": "dumb"})
    launched = on_terminal(command, {**environment, "PMI_RANK": "0"})
    quiet_drawn = on_terminal([*command, "--quiet"], environment)
    wrong, written = [], f'heddle: report "{work / "r.cubex"}" is written'
    for what, text in (("not on a terminal", piped), ("on a dumb one", dumb.replace("\r\n", "\n")), ("of a launcher", launched.replace("\r\n", "\n"))):
        if phases(text) != [*PHASES, written] or "\r" in text or "\x1b" in text:
            wrong.append(f"{what}: {text!r}")
    if "load" in piped and not re.search(r"heddle: load \([\d,]+ events, after", piped):
        wrong.append(f"no number of events: {piped!r}")
    if quiet or quiet_drawn:
        wrong.append(f"--quiet: {quiet!r} {quiet_drawn!r}")
    if not drawn.endswith(f"\r\x1b[K{written}\r\n") or drawn.count("\n") != 1:
        wrong.append(f"on a terminal: {drawn!r}")
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Text is as wide as --width, or the variable COLUMNS, asks for; without either it has 80 columns in a pipe. Leaders, colours.

usage: test_width.py --heddle HEDDLE --work DIR ARCHIVE
"""
import argparse
import os
import pathlib
import subprocess

COMMANDS = (["summary"], ["causes"], ["instances"], ["series"], ["efficiency", "--windows"], ["diff"], ["scaling"])
NOT_WRAPPED = ("diff", "scaling")    # columns
NARROW = (["efficiency", "--windows"], ["matrix"], ["topology", "--by=node"], ["topology", "--by=distance"], ["help", "plan"], ["help"])


def text_of(options, command, columns=None, *more):
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    if columns is not None:
        environment["COLUMNS"] = columns
    reports = [options.report] * {"diff": 2, "scaling": 2, "help": 0}.get(command[0], 1)
    done = subprocess.run([options.heddle, *command, *reports, *more], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, (command, more, done.stderr)
    return done.stdout


def widest(text):
    """Of lines without the name of a file."""
    return max(len(line) for line in text.splitlines() if '"' not in line and not line.startswith("  Archive "))


def check(options, command):
    usual, narrow, wide = (text_of(options, command, None, *more) for more in ((), ("--width=70",), ("--width=140",)))
    assert len({usual, narrow, wide}) == 3, command
    assert widest(usual) <= widest(wide) <= 140, (command, widest(wide))
    if command[0] not in NOT_WRAPPED:
        assert widest(narrow) <= 70 and widest(usual) <= 80, (command, widest(narrow), widest(usual))
    assert text_of(options, command, "140") == wide, command
    assert text_of(options, command, "140", "--width=70") == narrow, command
    for no_width in ("", "0", "-1", "x", "80x", "99999999999999999999"):
        assert text_of(options, command, no_width) == usual, (command, no_width)


def check_narrow(options):
    """Tables and help fit in 60 columns; a table of topology is divided, and has no limit in a pipe."""
    for command in NARROW:
        text = text_of(options, command, "60")
        assert widest("\n".join(line for line in text.splitlines() if not line.startswith(("Start-up", "  heddle ", "  mpirun ")))) <= 60, (command, text)
    usual = text_of(options, ["topology", "--by=node"])
    assert widest(usual) > 80 and sorted(set(usual.split())) == sorted(set(text_of(options, ["topology", "--by=node"], "60").split())), usual


def check_leaders(options):
    """Dots lead from a name to a number that is far away, and nothing else has them."""
    lines = {columns: text_of(options, ["summary"], str(columns)).splitlines() for columns in (80, 200)}
    times = {columns: next(line for line in text if line.startswith("  Time ")) for columns, text in lines.items()}
    assert "..." not in times[80] and len(times[80]) == 80, times[80]
    heads = [line for line in text_of(options, ["scaling"], "200").splitlines() if line.startswith(("Time ", "Share "))]
    assert len(heads) >= 2 and not any(".." in line for line in heads), heads
    name, dots, *number = times[200].split()
    assert name == "Time" and set(dots) == {"."} and len(dots) > 100 and number[-1] == "%" and len(times[200]) == 200, times[200]


def check_colours(options):
    """A pipe has colours if the user asks for it (CLICOLOR_FORCE), but with NO_COLOR never."""
    for variables, is_coloured in (({}, False), ({"CLICOLOR_FORCE": "1"}, True), ({"CLICOLOR_FORCE": "0"}, False),
                                   ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False)):
        environment = {key: value for key, value in os.environ.items() if key not in ("CLICOLOR_FORCE", "NO_COLOR")}
        done = subprocess.run([options.heddle, "summary", options.report], env={**environment, **variables}, capture_output=True, text=True)
        assert done.returncode == 0 and ("\033[1m" in done.stdout) == is_coloured, variables


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("archive", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.report = options.work / "r.cubex"
    subprocess.run([options.heddle, "analyze", options.archive, "-o", options.report, "--force", "--quiet", "--instances", "3", "--topology=grid:2x2"], check=True)
    for command in COMMANDS:
        check(options, command)
    narrow = text_of(options, ["summary"], "60")
    assert widest("\n".join(line for line in narrow.splitlines() if not line.startswith("  Main window"))) <= 60, narrow
    assert "bytes    transfer" in narrow and "bytes     waiting" in narrow, narrow
    check_narrow(options)
    check_leaders(options)
    check_colours(options)
    done = subprocess.run([options.heddle, "summary", options.report, "--width=0"], capture_output=True, text=True)
    assert done.returncode == 2 and "--width" in done.stderr, done


if __name__ == "__main__":
    main()

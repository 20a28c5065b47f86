#!/usr/bin/env python3
"""Samples of output in documents are what the program prints: check_samples.py --heddle FILE [--write]

A sample is a block of code behind a comment that says how it is made:

    <!-- sample of ARCHIVE [OPTION...]: COMMAND [: SECTION[/LINES], ...] -->

ARCHIVE is a folder of tests/data. The COMMAND of heddle is given its report, heddle.cubex, which was made with the options of
"heddle analyze"; "simulate" is given the archive, and "diff" the reports before.cubex and after.cubex of two archives:
"<!-- sample of ARCHIVE ARCHIVE: diff -->". A command without a report is "<!-- sample: help -->". Sections are headings of the output, or its lines that begin with them and have columns, each cut after so many
lines; without sections it is the whole output. A first line of the block that begins with "$" is kept.

  --write   put what is printed into the documents
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SAMPLE = re.compile(r"<!-- sample(?: of (?P<archive>[\w/-]+)(?P<options>[^:]*))?: (?P<command>[^:]*?)(?:: (?P<sections>.*?))? -->\n\n"
                    r"(?P<block>(?:    .*\n|\n(?=\n*    ))+)")


class Program:
    def __init__(self, heddle, folder):
        self.heddle, self.folder, self.reports = str(pathlib.Path(heddle).resolve()), folder, {}
        self.environment = {**os.environ, **dict(line.split("=", 1) for line in (ROOT / "tests/environment").read_text().split())}

    def run(self, *arguments, folder=None):
        done = subprocess.run([self.heddle, *arguments], cwd=folder or self.folder, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"heddle {shlex.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def output(self, sample):
        """What the sample's command prints."""
        command = shlex.split(sample["command"])
        if sample["archive"] is None:
            return self.run(*command)
        if command[0] == "simulate":
            return self.run(command[0], "traces.otf2", *command[1:], folder=ROOT / "tests/data" / sample["archive"])
        options = tuple(shlex.split(sample["options"]))
        if command[0] == "diff":
            archives, options = {"before.cubex": sample["archive"], "after.cubex": options[0]}, ()
        else:
            archives = {"heddle.cubex": sample["archive"]}
        key = (*archives.values(), options)
        if key not in self.reports:
            self.reports[key] = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            for report, archive in archives.items():
                self.run("analyze", str(ROOT / "tests/data" / archive), "-o", report, "--quiet", *options, folder=self.reports[key])
        return self.run(command[0], *archives, *command[1:], folder=self.reports[key])


def sections_of(output, wanted):
    """The sections of the output, each as far as it is wanted."""
    lines, taken = output.split("\n"), []
    for name in re.split(r", (?=[A-Z])", wanted):
        name, _, limit = name.partition("/")
        begin = next((i for i, line in enumerate(lines) if line == name or line.startswith(name + "  ")), None)
        if begin is None:
            sys.exit(f"the output has no section \"{name}\"")
        end = next((i for i in range(begin + 1, len(lines)) if lines[i] and not lines[i].startswith(" ")), len(lines))
        section = lines[begin:end]
        while not section[-1]:
            section.pop()
        taken += section[:int(limit)] + ["..."] if limit and int(limit) < len(section) else section
        taken.append("")
    return "\n".join(taken)


def block_of(sample, output):
    text = sections_of(output, sample["sections"]) if sample["sections"] else output
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    first = sample["block"].split("\n")[0].strip()
    if first.startswith("$"):
        lines = [first, *(["..."] if sample["sections"] else []), *lines]
    return "".join(f"    {line}\n" if line else "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    wrong, n = [], 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(arguments.heddle, folder)
        for path in DOCUMENTS:
            text = new = path.read_text()
            for sample in SAMPLE.finditer(text):
                n += 1
                block = block_of(sample, program.output(sample))
                if block != sample["block"]:
                    wrong.append(f"{path.relative_to(ROOT)}:{text[:sample.start()].count(chr(10)) + 1}: {sample['command']}")
                    new = new.replace(sample[0], sample[0].replace(sample["block"], block))
            if arguments.write:
                path.write_text(new)
    if n == 0 or n != sum(path.read_text().count("<!-- sample") for path in DOCUMENTS):
        sys.exit("a sample in the documents has no block of code behind it, or there is none at all")
    if wrong and not arguments.write:
        sys.exit("\n".join(["samples that are not what the program prints (tests/cli/check_samples.py --write puts it there):", *wrong]))
    print(f"{n} samples, {len(wrong)} " + ("written" if arguments.write else "wrong"))


if __name__ == "__main__":
    main()

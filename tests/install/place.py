"""What the tests of installing share: their arguments, an installed heddle, running programs."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ARCHIVE = "tests/data/pat-mpi-4/traces.otf2"
HANG_SECONDS = 1200


class Place:
    def __init__(self, *more):
        parser = argparse.ArgumentParser()
        for name in ("source", "build", "work"):
            parser.add_argument("--" + name, required=True, type=pathlib.Path)
        for name in more:
            parser.add_argument("--" + name, required=True)
        self.args = parser.parse_args()
        self.source, self.build, self.work = self.args.source.resolve(), self.args.build.resolve(), self.args.work.resolve()
        self.wrong = []
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def check(self, fine, words):
        if not fine:
            self.wrong.append(words)

    def install(self):
        """Installs into a prefix of its own, which it returns."""
        prefix = self.work / "prefix"
        run(["cmake", "--install", self.build, "--prefix", prefix])
        return prefix

    def commands(self):
        """The subcommands that are declared; those that are registered are the same."""
        headers = (self.source / "src/cli/commands").rglob("*.h")
        declared = [name for header in headers for name in re.findall(r"^extern const hd_command hd_cmd_(\w+);", header.read_text(), re.M)]
        overview = re.findall(r"^  heddle (\w+) ", run([self.build / "heddle", "help"]), re.M)
        self.check(sorted(declared) == sorted(overview), f"declared are {sorted(declared)}, \"heddle help\" has {sorted(overview)}")
        return declared

    def end(self):
        print("\n".join(self.wrong) or "all is well")
        sys.exit(1 if self.wrong else 0)


def run(command, **how):
    """Standard output of a command that has to succeed."""
    how.setdefault("timeout", HANG_SECONDS)
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def skip(words):
    """Ends the test: it is skipped, or has failed where ./dev on Debian has installed what it needs."""
    print("skipped:", words)
    release = pathlib.Path("/etc/os-release")
    is_debian = release.exists() and re.search(r"^ID=debian$", release.read_text(), re.M) is not None
    sys.exit(1 if is_debian and os.environ.get("HEDDLE_MUST_RUN") else 77)


def needed(program):
    """(libraries that a program is linked with, its run path)"""
    out = run(["readelf", "-d", program], env={**os.environ, "LC_ALL": "C"})
    paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", out)
    return re.findall(r"\(NEEDED\).*\[(.*)\]", out), [path for word in paths for path in word.split(":") if path]


def analyze(program, place, report, launcher=()):
    """The values of the report that a program makes of a real trace."""
    run([*launcher, program, "analyze", "--threads", "2", "--quiet", place.source / ARCHIVE, "-o", report], cwd=place.work)
    return run([program, "dump", report])

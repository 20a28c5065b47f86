#!/usr/bin/env python3
"""An installed heddle: all its files below the prefix, and the program runs from there and gives what the built one gives."""
import os
import re
import sys

from place import Place, analyze, needed, run

FILES = """bin/heddle share/man/man1/heddle.1 share/bash-completion/completions/heddle share/zsh/site-functions/_heddle
share/fish/vendor_completions.d/heddle.fish share/doc/heddle/README.md share/doc/heddle/LICENSE share/doc/heddle/CHANGELOG.md
share/doc/heddle/docs/user-guide.md share/doc/heddle/docs/metrics.md share/doc/heddle/docs/install/README.md
share/heddle/jobscripts/slurm.sh share/heddle/jobscripts/wait.inc share/heddle/schema/heddle-1.json share/heddle/python/heddle/__init__.py
share/doc/heddle/docs/json.md""".split()


def main():
    place = Place("mpirun")
    prefix = place.install()
    files = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    manifest = (place.build / "install_manifest.txt").read_text().split("\n")
    place.check({path for path in manifest if path} == {str(prefix / name) for name in files}, "files outside of the prefix, or not in the manifest")
    for name in FILES + [f"share/man/man1/heddle-{command}.1" for command in place.commands()]:
        place.check(name in files, f"{name} is not installed")
    scripts = {path.name for path in (place.source / "jobscripts").iterdir() if path.suffix in (".sh", ".inc", ".md")}
    installed = {path.name for path in (prefix / "share/heddle/jobscripts").iterdir()}
    place.check(scripts == installed, f"job scripts: {scripts ^ installed}")
    for path in prefix.rglob("*"):
        place.check(not path.name.startswith("CMake") and path.suffix not in (".in", ".cmake"), f"{path} is installed")
    for path in (prefix / "share/doc/heddle/docs").rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
            source = place.source / "docs" / path.relative_to(prefix / "share/doc/heddle/docs")
            place.check((source.parent / link).exists(), f"{path.name} points to {link}, which is not there")

    _, path = needed(prefix / "bin/heddle")
    place.check(not any(str(place.build) in folder or str(place.source) in folder for folder in path), f"run path {path}")
    launcher = [place.args.mpirun, "-n", "2"]
    expected = analyze(place.build / "heddle", place, place.work / "built.cubex", launcher)
    values = analyze(prefix / "bin/heddle", place, place.work / "installed.cubex", launcher)
    place.check(len(expected) > 1000 and values == expected, "the installed program gives another report")

    script = "import heddle; print(sum(1 for row in heddle.open('installed.cubex').rows()))"
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    n = run([python, "-B", "-c", script], cwd=place.work, env={"PYTHONPATH": f"{prefix}/share/heddle/python"})
    place.check(int(n) == len(values.splitlines()), f"the Python package has {n} values")

    # Where the shell and man look by themselves once PATH has the program.
    env = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "XDG_DATA_DIRS": f"{prefix}/share"}
    env.pop("MANPATH", None)
    if os.path.exists("/usr/bin/man"):
        place.check(run(["/usr/bin/man", "-w", "heddle-analyze"], env=env).strip() == f"{prefix}/share/man/man1/heddle-analyze.1", "man does not find the page")
    if os.path.exists("/usr/share/bash-completion/bash_completion"):
        script = "source /usr/share/bash-completion/bash_completion; _completion_loader heddle; complete -p heddle"
        place.check("-F _heddle heddle" in run(["bash", "--norc", "-c", script], env=env), "bash-completion does not find the file")
    place.end()


main()

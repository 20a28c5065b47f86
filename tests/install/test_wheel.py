#!/usr/bin/env python3
"""The Python package as a wheel: built without a network, it holds the package alone, has Heddle's version, and reads a report."""
import re
import shutil
import subprocess
import sys
import zipfile

from place import Place, analyze, run, skip

PYTHON = "/usr/bin/python3" if shutil.which("/usr/bin/python3") else sys.executable


def main():
    place = Place()
    for module in ("pip", "setuptools", "wheel"):
        if subprocess.run([PYTHON, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode != 0:
            skip(f"{PYTHON} has no {module}")
    source, out, target = place.work / "source", place.work / "out", place.work / "target"
    shutil.copytree(place.source / "src/python", source, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir"]
    run([*pip, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", out, source], cwd=place.work)
    wheels = [path.name for path in out.iterdir()]
    version = re.search(r"VERSION ([\d.]+)", (place.source / "CMakeLists.txt").read_text().split("project(heddle")[1])[1]
    place.check(wheels == [f"heddle-{version}-py3-none-any.whl"], f"wheels: {wheels}")
    names = {name for name in zipfile.ZipFile(out / wheels[0]).namelist() if ".dist-info/" not in name}
    place.check(names == {f"heddle/{path.name}" for path in (source / "heddle").glob("*.py")}, f"the wheel holds {names}")

    run([*pip, "install", "--no-index", "--no-deps", "--target", target, out / wheels[0]], cwd=place.work)
    values = analyze(place.build / "heddle", place, place.work / "built.cubex")
    script = "import heddle; print(heddle.__version__, sum(1 for row in heddle.open('built.cubex').rows()))"
    words = run([PYTHON, "-c", script], cwd=place.work, env={"PYTHONPATH": str(target)}).split()
    place.check(words == [version, str(len(values.splitlines()))], f"the installed package says {words}")
    place.end()


main()

#!/usr/bin/env python3
"""The archive of the sources: equal for equal revisions, complete, and enough to build a container's package from, with the
commands of the container recipes."""
import os
import re
import shutil
import subprocess
import tarfile

from containers import commands_of
from place import HANG_SECONDS, Place, analyze, run, skip


def make(place, checkout, **how):
    """The archive that the target "dist" makes of a checkout, moved to the test's folder."""
    build = place.work / "configured"
    if not build.exists():
        run(["cmake", "-S", checkout, "-B", build, "-G", "Ninja", "-DBUILD_TESTING=OFF"])
    run(["cmake", "--build", build, "--target", "dist"], **how)
    (made,) = build.glob("heddle-*.tar.gz")
    return made.rename(place.work / made.name)


def main():
    place = Place()
    git = shutil.which("git")
    if git is None or subprocess.run([git, "-C", place.source, "rev-parse"], capture_output=True).returncode != 0:
        skip("this is no checkout")
    checkout = place.work / "checkout"
    run([git, "clone", "--quiet", "--no-hardlinks", place.source, checkout])
    head = run([git, "-C", checkout, "rev-parse", "HEAD"])[:12]
    version = re.search(r"^project\(heddle VERSION ([\d.]+)", (checkout / "CMakeLists.txt").read_text(), re.M)[1]

    archive = make(place, checkout)
    place.check(archive.name == f"heddle-{version}.tar.gz", archive.name)
    first = archive.read_bytes()
    # Another day, another user's settings, and a change that is not committed.
    os.utime(checkout / "README.md", (1e9, 1e9))
    (checkout / "README.md").write_text("changed\n")
    (checkout / "new").write_text("")
    home = place.work / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[tar]\n\tumask = 0077\n[core]\n\tautocrlf = true\n[gzip]\n")
    place.check(make(place, checkout, env={**os.environ, "HOME": str(home), "TZ": "Asia/Tokyo"}, umask=0o077).read_bytes() == first,
                "the same revision gives another archive")
    run([git, "-C", checkout, "checkout", "--quiet", "README.md"])

    with tarfile.open(archive) as members:
        names = [member.name for member in members if not member.isdir()]
        modes = {member.mode for member in members}
    tracked = run([git, "-C", checkout, "ls-files"]).splitlines()
    place.check(sorted(names) == sorted(f"heddle-{version}/{name}" for name in tracked), f"{len(names)} files, not {len(tracked)}")
    place.check(modes <= {0o755, 0o644}, f"permissions: {sorted(map(oct, modes))}")
    run(["tar", "xf", archive, "-C", place.work])
    source = place.work / f"heddle-{version}"
    done = subprocess.run(["cmake", f"-DSOURCE={source}", "-DPREFIX=x", f"-DOUTPUT={place.work}/x", "-P", source / "docs/install/dist.cmake"],
                          capture_output=True, text=True)
    place.check(done.returncode != 0 and "is no checkout" in done.stderr, f"sources that are no checkout were packed: {done.stderr}")

    # Those files are the ones that are tested; that they are enough, and the recipes, takes minutes.
    if os.environ.get("HEDDLE_RUNS", "all") != "all":
        run(["cmake", "-S", source, "-B", place.work / "build", "-G", "Ninja", "-DBUILD_TESTING=OFF"])
        run(["cmake", "--build", place.work / "build", "--target", "hd_base"], timeout=HANG_SECONDS)
        place.end()
    # The commands of the recipes, in folders of the test.
    (build, last), (build_too, last_too) = commands_of(source, "openmpi").values()
    place.check(build[-4:] == build_too[-4:], f"the recipes build otherwise: {build[-4:]}, {build_too[-4:]}")
    script = "\n".join(build[-4:])
    for folder, here in (("/src", source), ("/build", place.work / "build"), ("/package", place.work / "package")):
        script = re.sub(rf"(?<= ){folder}\b", str(here), script)
    run(["sh", "-ec", script], cwd=place.work, timeout=HANG_SECONDS)
    (package,) = (place.work / "package").glob("heddle_*.deb")
    run(["dpkg-deb", "-x", package, place.work / "root"])
    program = place.work / "root/usr/bin/heddle"
    facts = run([program, "--version"])
    place.check(facts.startswith(f"heddle {version}\n") and re.search(rf"^revision +{head}$", facts, re.M) is not None, facts)
    place.check(analyze(program, place, place.work / "packed.cubex") == analyze(place.build / "heddle", place, place.work / "built.cubex"),
                "the program of the archive gives another report")
    # What the last stage installs can be installed.
    if shutil.which("apt-get") is not None:
        run(["apt-get", "install", "--simulate", "--no-install-recommends", package])
    place.end()


main()

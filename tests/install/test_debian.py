#!/usr/bin/env python3
"""The Debian package: what it holds and depends on; installed into a root of its own, and run from there."""
import os
import re
import shutil
import subprocess

from place import Place, analyze, needed, run, skip


def packages_of(program):
    """The Debian packages that have the libraries a program is linked with."""
    libraries, _ = needed(program)
    paths = dict(re.findall(r"^\s*(\S+) => (\S+)", run(["ldd", program]), re.M))
    packages = set()
    for name in libraries:
        path = os.path.realpath(paths[name])
        owner = subprocess.run(["dpkg", "-S", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if owner.returncode != 0:  # /lib is /usr/lib today, and not in the package's list
            path = path.removeprefix("/usr")
        packages.add(run(["dpkg", "-S", path]).split(":")[0])
    return packages


def install(package, root):
    """With dpkg, which needs a database for it."""
    for name in ("info", "updates", "triggers"):
        (root / "var/lib/dpkg" / name).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    run(["dpkg", f"--root={root}", f"--log={root}/dpkg.log", "--force-depends", "--force-not-root", "--force-script-chrootless", "--install", package])


def main():
    place = Place()
    for program in ("dpkg", "dpkg-shlibdeps", "cpack"):
        if shutil.which(program) is None:
            skip(f"there is no {program} here")
    out = place.work / "out"
    run(["cpack", "-G", "DEB", "-B", out, "-D", "CPACK_DEBIAN_PACKAGE_MAINTAINER=A Site <heddle@example.org>"], cwd=place.build)
    packages = list(out.glob("*.deb"))
    place.check(len(packages) == 1, f"packages: {packages}")
    package = packages[0]
    fields = dict(re.findall(r"^([\w-]+): (.*)$", run(["dpkg-deb", "--field", package]), re.M))
    version = re.search(r"VERSION ([\d.]+)", (place.source / "CMakeLists.txt").read_text().split("project(heddle")[1])[1]
    architecture = run(["dpkg", "--print-architecture"]).strip()
    place.check(package.name == f"heddle_{version}-1_{architecture}.deb", package.name)
    place.check(fields["Package"] == "heddle" and fields["Version"] == f"{version}-1" and fields["Architecture"] == architecture, f"{fields}")
    place.check(fields["Maintainer"] == "A Site <heddle@example.org>", fields["Maintainer"])
    depends = {word.split()[0] for word in fields["Depends"].split(", ")}
    parts = [place.build / "heddle", *place.build.glob("heddle-*.so"), *place.build.glob("record/*.so")]
    linked = set().union(*map(packages_of, parts))
    place.check(depends == linked, f"depends on {depends}, linked with {linked}")
    place.check(fields["Recommends"] in ("openmpi-bin, libcairo2", "mpich, libcairo2"), f"recommends {fields['Recommends']}")

    listed = {name: mode for mode, name in re.findall(r"^(\S+ \S+) .* \./(\S*)$", run(["dpkg-deb", "--contents", package]), re.M)}
    for name, mode in listed.items():
        folder, program = name.endswith("/") or name == "", name == "usr/bin/heddle"
        expected = "drwxr-xr-x root/root" if folder else "-rwxr-xr-x root/root" if program else "-rw-r--r-- root/root"
        place.check(mode == expected, f"{name}: {mode}")
    for source in (place.source / "src/python/heddle").glob("*.py"):
        place.check(f"usr/lib/python3/dist-packages/heddle/{source.name}" in listed, f"the package has no {source.name}")
    pages = [f"usr/share/man/man1/heddle-{command}.1.gz" for command in place.commands()]
    for name in pages + ["usr/bin/heddle", "usr/share/man/man1/heddle.1.gz", "usr/share/doc/heddle/copyright", "usr/share/doc/heddle/changelog.gz",
                         "usr/share/doc/heddle/changelog.Debian.gz", "usr/share/bash-completion/completions/heddle",
                         "usr/share/zsh/site-functions/_heddle", "usr/share/fish/vendor_completions.d/heddle.fish", "usr/share/heddle/jobscripts/slurm.sh",
                         "usr/share/heddle/schema/heddle-1.json"]:
        place.check(name in listed, f"the package has no {name}")
    place.check(not any("modulefiles" in name or name.endswith((".1", ".pyc")) or "heddle/python/" in name for name in listed), "what does not belong into a package")

    root = place.work / "root"
    install(package, root)
    program = root / "usr/bin/heddle"
    _, path = needed(program)
    place.check(all(folder.startswith("/usr/lib/") for folder in path), f"run path {path}")  # of a compiler in a folder of its own
    values = analyze(program, place, place.work / "package.cubex")
    expected = analyze(place.build / "heddle", place, place.work / "built.cubex")
    place.check(len(expected) > 1000 and values == expected, "the program of the package gives another report")
    script = "import heddle; print(sum(1 for row in heddle.open('package.cubex').rows()))"
    n = run(["/usr/bin/python3", "-B", "-c", script], cwd=place.work, env={"PYTHONPATH": str(root / "usr/lib/python3/dist-packages")})
    place.check(int(n) == len(values.splitlines()), f"the Python package has {n} values")
    place.check("heddle" in run(["dpkg-query", f"--admindir={root}/var/lib/dpkg", "--list", "heddle"]), "dpkg does not know of it")
    if shutil.which("lintian") is not None:
        # CPack's package closes no bugs of Debian, and the address is an example.
        found = run(["lintian", "--allow-root", "--fail-on", "none", "--suppress-tags",
                     "initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog" + (",custom-library-search-path" if path else ""), package])
        place.check(not re.search(r"^[EW]:", found, re.M), found)
    place.end()


main()

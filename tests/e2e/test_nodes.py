#!/usr/bin/env python3
"""Several nodes, made of network namespaces with a host name, a file system view and an address each: Open MPI over TCP between them,
shared memory inside. The report is the same as on one node, and an archive that not all nodes see is an error.

Exits with 77 (skipped) where namespaces are not permitted.

usage: test_nodes.py --heddle PROGRAM --mpirun PROGRAM --work DIR
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT, TEMPORARY, runner

ARCHIVES = [ROOT / "tests" / "data" / name for name in ("pat-mpi-4", "scorep-jacobi-mpi-c-16", "pat-hybtask-2x3")]
N_NODES, RANKS = 3, 2  # per node
SKIPPED = 77

# What mpirun starts its daemons with: agent [OPTION]... ADDRESS COMMAND...; BLIND: a node that sees another folder
AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
node=PREFIX-${1##*.}
shift
hide=':'
[ "$node" = "BLIND" ] && hide='mount --bind "$HEDDLE_HIDE" "$HEDDLE_HIDDEN"'
exec ip netns exec "$node" unshare --uts --mount sh -c "hostname $node && $hide && $*"
"""


def command(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=HANG_SECONDS, **more)


class Nodes:
    """Node i is namespace PREFIX-i with address 10.77.0.i, i from 1 on; they are ports of a bridge in a namespace of its own."""

    def __init__(self, folder):
        self.prefix = f"heddle-{os.getpid()}"
        self.names = [f"{self.prefix}-{i}" for i in range(1, N_NODES + 1)]
        self.switch = f"{self.prefix}-switch"
        self.folder = folder

    def __enter__(self):
        try:
            self.make()
        except PermissionError as problem:
            self.__exit__()
            print(f"skipped: {problem}")
            sys.exit(SKIPPED)
        return self

    def must(self, *words):
        try:
            done = command(*words)
        except FileNotFoundError as problem:
            raise PermissionError(str(problem)) from problem
        if done.returncode != 0:
            raise PermissionError(f"{' '.join(words)}: {done.stderr.strip()}")

    def make(self):
        self.must("ip", "netns", "add", self.switch)
        self.must("ip", "-n", self.switch, "link", "add", "bridge", "type", "bridge")
        self.must("ip", "-n", self.switch, "link", "set", "bridge", "up")
        for i, name in enumerate(self.names, 1):
            self.must("ip", "netns", "add", name)
            self.must("ip", "-n", name, "link", "set", "lo", "up")
            self.must("ip", "-n", self.switch, "link", "add", f"port{i}", "type", "veth", "peer", "name", "eth0", "netns", name)
            self.must("ip", "-n", self.switch, "link", "set", f"port{i}", "master", "bridge", "up")
            self.must("ip", "-n", name, "address", "add", f"10.77.0.{i}/24", "dev", "eth0")
            self.must("ip", "-n", name, "link", "set", "eth0", "up")
        self.must("ip", "netns", "exec", self.names[0], "unshare", "--uts", "--mount", "true")

    def __exit__(self, *_):
        for name in self.names + [self.switch]:
            command("ip", "netns", "delete", name)

    def run(self, options, arguments, hidden=None, empty=None):
        """heddle on all nodes. The last node sees the folder `empty` where the others see `hidden`."""
        agent = self.folder / "agent"
        agent.write_text(AGENT.replace("PREFIX", self.prefix).replace("BLIND", self.names[-1] if hidden else ""))
        agent.chmod(0o755)
        hosts = ",".join(f"10.77.0.{i}:{RANKS}" for i in range(1, N_NODES + 1))
        words = [options.mpirun, "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,vader,self", "--mca", "pml", "ob1",
                 "--mca", "oob_tcp_if_include", "10.77.0.0/24", "--mca", "btl_tcp_if_include", "10.77.0.0/24",
                 "--host", hosts, "-n", N_NODES * RANKS, "--map-by", "node",
                 "-x", "TMPDIR", "-x", "OMP_WAIT_POLICY", options.heddle, *arguments]
        environment = dict(os.environ, TMPDIR=TEMPORARY.name, HEDDLE_HIDE=str(empty), HEDDLE_HIDDEN=str(hidden),
                           **MPI_ENVIRONMENT)
        return command("ip", "netns", "exec", self.names[0], "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.names[0], *words,
                       env=environment)


def same_report_as_on_one_node(options, nodes):
    for archive in runner.few(ARCHIVES):
        report = nodes.folder / "one.cubex"
        one = command(options.heddle, "analyze", archive, "-o", report, "--force", "--no-summary", "--quiet",
                      env=dict(os.environ, TMPDIR=TEMPORARY.name, **MPI_ENVIRONMENT))
        many = nodes.run(options, ["analyze", archive, "-o", nodes.folder / "many.cubex", "--force", "--no-summary", "--quiet",
                                   "--show-placement"])
        assert one.returncode == many.returncode == 0, (one.stderr, many.stderr)
        assert set(re.findall(r"^rank \d+  node (\d+)", many.stdout, re.M)) == set(map(str, range(N_NODES))), many.stdout
        dumps = [command(options.heddle, "dump", path).stdout for path in (report, nodes.folder / "many.cubex")]
        assert dumps[0] and dumps[0] == dumps[1], archive.name


def an_archive_that_one_node_does_not_see(options, nodes):
    archive = nodes.folder / "archive"
    shutil.rmtree(archive, ignore_errors=True)
    shutil.copytree(ARCHIVES[0], archive)
    empty = nodes.folder / "empty"
    empty.mkdir(exist_ok=True)
    done = nodes.run(options, ["analyze", archive, "-o", nodes.folder / "none.cubex", "--quiet"], archive / "traces", empty)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert done.stderr.count("heddle: error: ") == 1, done.stderr
    assert re.search(rf"not all nodes see the same archive: .*\.evt\" is there on node {nodes.names[0]}, but not on node {nodes.names[-1]}\b",
                     done.stderr), done.stderr
    done = nodes.run(options, ["analyze", archive, "-o", nodes.folder / "none.cubex", "--quiet"], archive, empty)
    assert done.returncode == 1 and nodes.names[-1] in done.stderr, (done.returncode, done.stderr)
    assert not (nodes.folder / "none.cubex").exists()


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--mpirun", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    options.mpirun = shutil.which(options.mpirun)
    folder = pathlib.Path(options.work).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with Nodes(folder) as nodes:
        for test in (same_report_as_on_one_node, an_archive_that_one_node_does_not_see):
            test(options, nodes)
            print("ok  ", test.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main())

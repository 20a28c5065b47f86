"""Runs heddle many times for a test, without starting it each time: runner.h, for Python.

A command is run by a server where it is that of the environment's HEDDLE, alone or as "mpirun -n N heddle ...", and by itself otherwise, or where
HEDDLE_RUNS is "all". Servers belong to the process and end with it.
"""
import atexit
import ctypes
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import tempfile

HANG_SECONDS = 1200  # what runs longer hangs; everything here takes less than a twentieth of it
ENVIRONMENT = dict(line.split("=", 1) for line in (pathlib.Path(__file__).resolve().parents[1] / "environment").read_text().split())
PR_SET_PDEATHSIG = 1
END_SECONDS = 5


def by_rank(mpirun, *commands):
    """Starts a command for each rank. mpirun has ":" for it, with which that of Open MPI 5 crashes where PMIx is a package of its own, as in Debian 13
    (https://github.com/open-mpi/ompi/issues/13303)."""
    cases = "".join(f"{rank}) exec {shlex.join(map(str, words))};;" for rank, words in enumerate(commands))
    return [mpirun, "-n", str(len(commands)), "sh", "-c", f"case ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} in {cases} esac"]


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Server:
    def __init__(self, ranks, folder):
        """ranks: 0: forked_heddle, else served_heddle on so many."""
        self.errors = f"{folder}/{ranks}.err"
        more = {"env": {**os.environ, **ENVIRONMENT, "TMPDIR": str(folder)}, "preexec_fn": end_with_parent}
        if ranks == 0:
            ours, theirs = socket.socketpair()
            with theirs:
                self.process = subprocess.Popen([os.environ["HEDDLE_FORKED"]], stdin=theirs, stdout=theirs, **more)
            sockets = [ours]
        else:
            path = f"{folder}/{ranks}"
            with socket.socket(socket.AF_UNIX) as listener, open(self.errors, "w") as errors:
                listener.bind(path)
                listener.listen(ranks)
                listener.settimeout(1)
                self.process = subprocess.Popen([os.environ["HEDDLE_MPIRUN"], "-n", str(ranks), os.environ["HEDDLE_SERVED"], path],
                                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, **more)
                sockets = [self.accept(listener) for _ in range(ranks)]
            os.unlink(path)
        for one in sockets:
            one.settimeout(HANG_SECONDS)
        self.sockets, self.answers = sockets, [one.makefile("r") for one in sockets]
        if ranks:
            order = sorted(range(ranks), key=lambda i, numbers=[int(answer.readline()) for answer in self.answers]: numbers[i])
            self.sockets, self.answers = [self.sockets[i] for i in order], [self.answers[i] for i in order]

    def accept(self, listener):
        while True:
            try:
                return listener.accept()[0]
            except TimeoutError:
                if self.process.poll() is not None:
                    raise RuntimeError(f"the job of served_heddle ends when it starts\n{pathlib.Path(self.errors).read_text()}") from None

    def ask(self, words):
        """The exit code, -signal; None: the job has ended with this call."""
        for one in self.sockets:
            try:
                one.sendall(("\t".join(words) + "\n").encode(errors="surrogateescape"))
            except (BrokenPipeError, ConnectionResetError):  # which shows when there is no answer
                pass
        try:
            lines = [answer.readline() for answer in self.answers]
        except ConnectionResetError:
            return None
        if not all(lines):
            return None
        codes = {-signal.SIGKILL if line.startswith("limit") else int(line.split()[0]) for line in lines}
        if len(codes) != 1:
            raise RuntimeError(f"the ranks end with {codes}: {words}")
        return codes.pop()

    def close(self):
        """What does not end by itself soon is killed; a launcher then ends its ranks. Returns the exit code."""
        for one in self.answers + self.sockets:
            one.close()
        for stop in (self.process.terminate, self.process.kill):
            try:
                return self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                stop()
        return self.process.wait()


class Runner:
    def __init__(self):
        self.folder, self.servers = tempfile.TemporaryDirectory(prefix="heddle-runner-"), {}
        atexit.register(self.close)

    def close(self):
        for server in self.servers.values():
            server.close()
        self.folder.cleanup()

    def run(self, ranks, arguments):
        if ranks not in self.servers:
            self.servers[ranks] = Server(ranks, self.folder.name)
        server, out, err = self.servers[ranks], f"{self.folder.name}/out", f"{self.folder.name}/err"
        for path in (out, err):
            open(path, "w").close()
        try:
            code = server.ask([out, err] + [str(HANG_SECONDS)] * (ranks == 0) + arguments)
        except TimeoutError:
            server.close()
            del self.servers[ranks]
            raise
        output, errors = (pathlib.Path(path).read_bytes() for path in (out, err))
        if code is None:
            code = server.close()
            errors += pathlib.Path(server.errors).read_bytes() if ranks else b""
            del self.servers[ranks]
        return code, output, errors


def few(things):
    """Of a list of archives, runs or seeds (a range) what HEDDLE_RUNS wants: all of it, or the first ones, at least that many. Seeds do not
    differ in kind."""
    share, least = {"single": (6, 1), "short": (3, 2), "some": (3 if isinstance(things, range) else 2, 2)}.get(os.environ.get("HEDDLE_RUNS"), (1, 0))
    return things[:max(least, len(things) // share)]


def ways(shapes):
    """Of ranks and threads: all; under sanitizers (HEDDLE_RUNS=single) the last one, which is to have several of both."""
    return shapes[-1:] if os.environ.get("HEDDLE_RUNS") == "single" else shapes


runner = None


def is_program(word, program):
    return os.path.realpath(word) == os.path.realpath(program)


def served(command):
    """(number of ranks, arguments of heddle) where a server runs this command, else None."""
    if "HEDDLE_FORKED" not in os.environ or os.environ.get("HEDDLE_RUNS", "all") == "all":
        return None
    words, ranks = [str(word) for word in command], 0
    if "HEDDLE_SERVED" in os.environ and is_program(words[0], os.environ["HEDDLE_MPIRUN"]) and words[1] == "-n":
        ranks, words = int(words[2]), words[3:]
    if not is_program(words[0], os.environ["HEDDLE"]) or any("\t" in word or "\n" in word for word in words):
        return None
    return ranks, words[1:]


def run(command, **environment):
    """Exit code (negative: a signal), standard output and standard error, as bytes. A job of Open MPI has a folder of its own: one that starts
    fails where another one that ends removes the folder of both."""
    global runner
    runner, how = runner or Runner(), served(command)
    if how is not None:
        return runner.run(*how)
    done = subprocess.run([str(word) for word in command], capture_output=True, stdin=subprocess.DEVNULL, timeout=HANG_SECONDS,
                          env={**os.environ, **ENVIRONMENT, "OMPI_MCA_orte_tmpdir_base": runner.folder.name, **environment})
    return done.returncode, done.stdout, done.stderr

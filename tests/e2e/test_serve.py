#!/usr/bin/env python3
"""heddle html --serve: the page at its address, and nothing else; to this machine alone; ended by Ctrl-C or by --idle.

usage: test_serve.py --heddle PROGRAM --work DIR
"""
import argparse
import errno
import hashlib
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from run_matrix import HANG_SECONDS, MPI_ENVIRONMENT, ROOT

ARCHIVE = ROOT / "tests" / "data" / "pat-mpi-4"


def environment(options):
    return dict(os.environ, TMPDIR=options.work, USER="ada", **MPI_ENVIRONMENT)


class Server:
    """A heddle that serves; address, port and token are what it prints."""

    def __init__(self, options, report, *more):
        self.process = subprocess.Popen([options.heddle, "html", report, "--serve", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment(options))
        lines = [self.process.stdout.readline() for _ in range(4)]
        self.said = "".join(lines)
        found = re.search(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.said)
        assert found, (self.said, self.process.stderr.read())
        self.port, self.path = int(found[1]), f"/{found[2]}/"
        assert f"ssh -L {self.port}:127.0.0.1:{self.port} ada@{socket.gethostname()}" in self.said, self.said

    def ask(self, path, method="GET", host=None, address="127.0.0.1"):
        connection = http.client.HTTPConnection(address, self.port, timeout=HANG_SECONDS)
        connection.request(method, path, headers={} if host is None else {"Host": host})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), body

    def send(self, data):
        """The answer; what is cut off has none."""
        answer = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANG_SECONDS) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65536):
                    answer += part
            except ConnectionError:
                pass
            except OSError as error:
                assert error.errno == errno.ENOTCONN, error
        return answer

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        output, errors = self.process.communicate(timeout=HANG_SECONDS)
        assert self.process.returncode == 0 and errors == "", (self.process.returncode, errors)
        return output


def refused(options, *arguments, code, word):
    done = subprocess.run([options.heddle, "html", *arguments], capture_output=True, text=True, env=environment(options), timeout=HANG_SECONDS)
    assert done.returncode == code and word in done.stderr, (done.returncode, done.stderr)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--heddle", "--work"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    report, page = pathlib.Path(options.work) / "r.cubex", pathlib.Path(options.work) / "p.html"
    run = dict(check=True, env=environment(options), timeout=HANG_SECONDS, stdout=subprocess.DEVNULL)
    subprocess.run([options.heddle, "analyze", ARCHIVE, "--quiet", "--no-summary", "--bind=none", "-o", report], **run)
    subprocess.run([options.heddle, "html", report, "-o", page], **run)
    before = sorted(os.listdir(options.work))

    server = Server(options, report)
    assert sorted(os.listdir(options.work)) == before, "files stay in TMPDIR"
    status, head, body = server.ask(server.path)
    assert status == 200 and head["Content-Type"] == "text/html; charset=utf-8" and head["Cache-Control"] == "no-store", head
    assert hashlib.sha256(body).digest() == hashlib.sha256(page.read_bytes()).digest() and int(head["Content-Length"]) == len(body)
    status, head, body = server.ask(server.path, "HEAD")
    assert (status, body, int(head["Content-Length"])) == (200, b"", page.stat().st_size)
    assert server.ask(server.path + "?x=1")[0] == 200
    assert server.ask(server.path, host=f"localhost:{server.port}")[0] == server.ask(server.path, host="LOCALHOST")[0] == 200

    # Another address, another name of the host, another method, no HTTP.
    wrong = server.path.replace(server.path[5], "f" if server.path[5] != "f" else "e")
    for path in ("/", wrong, server.path[:-1], server.path + "x", "/" + server.path, "/..%2f"):
        assert server.ask(path)[0] == 404, path
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1:1x", "[::1]", "", "127.0.0.2"):
        assert server.ask(server.path, host=host)[0] == 403, host
    assert b" 403 " in server.send(f"GET {server.path} HTTP/1.1\r\n\r\n".encode())
    assert b" 403 " in server.send(f"GET {server.path} HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n".encode())
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "get"):
        status, head, _ = server.ask(server.path, method)
        assert (status, head.get("Allow")) == (405, "GET, HEAD"), method
    assert b" 400 " in server.send(b"nonsense\r\n\r\n")
    for data in (b"", b"GET", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"GET /" + b"a" * 10000 + b"\r\n\r\n", b"GET /\0 HTTP/1.1\r\n\r\n"):
        assert server.send(data) == b"", data[:20]

    # Who asks for the page and goes away, and who says nothing, hold it up for a while only.
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(f"GET {server.path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    with socket.create_connection(("127.0.0.1", server.port)):
        assert server.ask(server.path)[0] == 200

    # This machine alone: no other address of it listens.
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} | {"127.0.0.2"}
    for address in others - {"127.0.0.1"}:
        try:
            server.ask(server.path, address=address)
            raise AssertionError(f"it listens at {address}")
        except OSError:
            pass

    refused(options, report, "--serve", "--port", str(server.port), code=1, word="another --port, or none")
    other = Server(options, report)
    assert other.port != server.port and other.path != server.path
    assert other.stop(signal.SIGTERM) == "stopped; the page was sent 0 times\n"

    threads = [threading.Thread(target=lambda: server.ask(server.path)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    output = server.stop()
    assert re.fullmatch(r"stopped; the page was sent 1\d times\n", output), output

    chosen = Server(options, report, "--port", str(server.port), "--idle=1")
    assert chosen.port == server.port
    begin = time.monotonic()
    output, _ = chosen.process.communicate(timeout=HANG_SECONDS)
    assert chosen.process.returncode == 0 and "(--idle)" in output and time.monotonic() - begin > 0.5
    refused(options, report, "--serve", "-o", "x.html", code=2, word="--serve writes no file")
    refused(options, report, "--port", "99", code=2, word="--port is for --serve")
    refused(options, report, "--serve", "--port", "0", code=2, word="--port")
    refused(options, str(report) + "x", "--serve", code=1, word="")
    assert sorted(os.listdir(options.work)) == before
    return 0


if __name__ == "__main__":
    sys.exit(main())

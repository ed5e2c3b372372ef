# SPDX-License-Identifier: Apache-2.0
"""Servers of S3 over loopback (moto, versitygw), and a proxy that answers in their place."""

import http.client
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

VERSITYGW = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
KEY, SECRET = "a-key-of-tests", "a-secret-of-tests"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def options(port: int, key: str = KEY, secret: str = SECRET) -> dict[str, Any]:
    """Those of s3fs."""
    where = {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "eu-west-1"}
    return {"key": key, "secret": secret, "client_kwargs": where}


@contextmanager
def started(
    call: list[str | Path], port: int, **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A server that listens."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(call, env={**os.environ, **environment}, **quiet)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert server.poll() is None, f"{call[0]} ended with {server.returncode}"
                assert time.monotonic() < deadline, f"{call[0]} does not start"
                time.sleep(0.1)
        yield server
    finally:
        server.kill()
        server.wait()


@contextmanager
def moto() -> Iterator[int]:
    """The port of moto's server."""
    port = free_port()
    call: list[str | Path] = [
        sys.executable,
        "-m",
        "moto.server",
        "-H",
        "127.0.0.1",
        "-p",
        str(port),
    ]
    with started(call, port, MOTO_S3_CUSTOM_ENDPOINTS=""):
        yield port


def built_versitygw(folder: Path) -> Path | None:
    """The program: that of PATH, or one that Go builds into the folder."""
    if found := shutil.which("versitygw"):
        return Path(found)
    program = folder / "versitygw"
    if not program.exists() and shutil.which("go"):
        folder.mkdir(parents=True, exist_ok=True)
        # cgo is for a back end that is not used.
        environment = {**os.environ, "GOBIN": str(folder), "CGO_ENABLED": "0"}
        subprocess.run(["go", "install", VERSITYGW], env=environment, check=True)
    return program if program.exists() else None


def versitygw(program: Path, folder: Path, port: int, *more: str) -> list[str | Path]:
    """How it is called: buckets are folders."""
    flags = ["--access", KEY, "--secret", SECRET, "--region", "eu-west-1", "--quiet"]
    places = ["posix", "--sidecar", folder / "meta", *more, folder / "data"]
    return [program, *flags, "--port", f"127.0.0.1:{port}", *places]


Rule = Callable[[str, str], tuple[int, str, str] | None]


class Proxy:
    """Passes requests on, and notes them, unless its rule has an answer: status, code, message."""

    def __init__(self, behind: int) -> None:
        self.behind = behind
        self.rule: Rule = lambda method, path: None  # noqa: ARG005
        self.drop: set[str] = set()
        """Headers that are not passed on."""
        self.lost: set[str] = set()
        """Methods whose first answer is lost."""
        self.seen: list[tuple[str, str]] = []
        self.lock = threading.Lock()

    @contextmanager
    def running(self) -> Iterator[int]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with proxy.lock:
                    proxy.seen.append((self.command, self.path))
                    answer = proxy.rule(self.command, self.path)
                if answer is None:
                    passed = proxy.passed_on(self, body)
                    if self.command in proxy.lost:
                        proxy.lost.discard(self.command)
                        self.close_connection = True
                    else:
                        self.reply(*passed)
                else:
                    status, code, message = answer
                    text = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
                    self.reply(status, {"Content-Type": "application/xml"}, text.encode())

            do_PUT = do_POST = do_DELETE = do_HEAD = do_GET  # noqa: N815

            def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def passed_on(
        self, request: BaseHTTPRequestHandler, body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        behind = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=60)
        headers = {k: v for k, v in request.headers.items() if k.lower() not in self.drop}
        behind.request(request.command, request.path, body, headers)
        answer = behind.getresponse()
        data = answer.read()
        hop = ("connection", "transfer-encoding", "date", "server")
        kept = {k: v for k, v in answer.getheaders() if k.lower() not in hop}
        behind.close()
        return answer.status, kept, data

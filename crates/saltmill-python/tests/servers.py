# SPDX-License-Identifier: Apache-2.0
"""Servers of S3 over loopback (moto, versitygw, SeaweedFS), and a proxy that answers for them."""

import http.client
import json
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
SEAWEEDFS = "github.com/seaweedfs/seaweedfs@v0.0.0-20261109003541-7506e5f91cd6"
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


def built(program: Path, build: Callable[[dict[str, str]], None]) -> Path | None:
    """The program: that of PATH, or one that Go builds at this place."""
    if found := shutil.which(program.name):
        return Path(found)
    if not program.exists() and shutil.which("go"):
        program.parent.mkdir(parents=True, exist_ok=True)
        # cgo is for back ends that are not used.
        build({**os.environ, "GOBIN": str(program.parent), "CGO_ENABLED": "0"})
    return program if program.exists() else None


def built_versitygw(folder: Path) -> Path | None:
    def build(environment: dict[str, str]) -> None:
        subprocess.run(["go", "install", VERSITYGW], env=environment, check=True)

    return built(folder / "versitygw", build)


def built_seaweedfs(folder: Path) -> Path | None:
    """`go install` refuses a module that replaces another: it is built where its sources are."""
    program = folder / "weed"

    def build(environment: dict[str, str]) -> None:
        fetch = ["go", "mod", "download", "-json", SEAWEEDFS]
        fetched = subprocess.run(fetch, cwd=folder, check=True, stdout=subprocess.PIPE)
        sources = json.loads(fetched.stdout)["Dir"]
        make = ["go", "build", "-o", program, "./weed"]
        subprocess.run(make, cwd=sources, env=environment, check=True)

    return built(program, build)


def versitygw(program: Path, folder: Path, port: int, *more: str) -> list[str | Path]:
    """How it is called: buckets are folders."""
    flags = ["--access", KEY, "--secret", SECRET, "--region", "eu-west-1", "--quiet"]
    places = ["posix", "--sidecar", folder / "meta", *more, folder / "data"]
    return [program, *flags, "--port", f"127.0.0.1:{port}", *places]


def seaweedfs(program: Path, folder: Path, port: int) -> list[str | Path]:
    """How it is called: all of its servers are one process, which tells nobody of itself."""
    identity = {
        "name": "tests",
        "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
        "actions": ["Admin", "Read", "Write", "List"],
    }
    config = folder / "s3.json"
    config.write_text(json.dumps({"identities": [identity]}))
    others = {
        f"{server}.port{kind}": str(free_port())
        for server in ("master", "volume", "filer")
        for kind in ("", ".grpc")
    }
    flags = {
        "dir": str(folder / "data"),
        "ip": "127.0.0.1",
        "master.telemetry": "false",
        "master.volumeSizeLimitMB": "1024",
        "volume.max": "0",  # as many as there is room for
        "filer.localSocket": str(folder / "filer.sock"),
        "s3.localSocket": str(folder / "s3.sock"),
        "s3.config": str(config),
        "s3.port": str(port),
        "s3.port.grpc": str(free_port()),
        "s3.port.iceberg": "0",
        "s3.port.lance": "0",
        **others,
    }
    call = [f"-{name}={value}" for name, value in flags.items()]
    return [program, "-v=-1", "server", "-s3", *call]


SERVERS = {
    "versitygw": (VERSITYGW, built_versitygw, versitygw),
    "seaweedfs": (SEAWEEDFS, built_seaweedfs, seaweedfs),
}
"""The version, how it is built, how it is called."""

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

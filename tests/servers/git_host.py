"""A stand-in of a git host, on loopback, that serves repositories over HTTP and misbehaves.

with GitHost(folder) as host:
    host.url_template           # for KINFOLK_UPSTREAM: {owner}+{repo}/repo below the folder
    host.fault = "cut"          # what happens to all requests from now on
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, Self, get_args

GitFault = Literal[
    "silent", "bytewise", "cut", "short-length", "html", "server-error", "redirect", "unknown-commit", "damaged-pack"
]
"""`silent` sends nothing while it lasts, `bytewise` a byte in a fifth of a second. `unknown-commit` offers a commit
that the repository does not have."""
GIT_FAULTS: tuple[GitFault, ...] = get_args(GitFault)
HTML = b"<!doctype html><title>Sign in</title><h1>Sign in to continue</h1>"
BYTE_S = 0.2


class GitHost:
    """`requests` counts the requests of each fault."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests: Counter[GitFault | None] = Counter()
        self._fault: GitFault | None = None
        self._changed = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.host = self

    @property
    def url_template(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/{{owner}}+{{repo}}/repo"

    @property
    def fault(self) -> GitFault | None:
        return self._fault

    @fault.setter
    def fault(self, fault: GitFault | None) -> None:
        self._fault = fault
        self._changed.set()
        self._changed = threading.Event()

    def until_changed(self, timeout_s: float | None = None) -> bool:
        """Block until there is another fault, or none. Whether there is."""
        return self._changed.wait(timeout_s)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.fault = None
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    host: GitHost

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing about clients that were killed."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        return body

    def _answer(self, body: bytes) -> None:
        host = self.server.host
        fault = host.fault
        host.requests[fault] += 1
        match fault:
            case "silent":
                host.until_changed()
            case "html":
                self._send(200, HTML, {"Content-Type": "text/html"})
            case "server-error":
                self._send(500, b"")
            case "redirect":
                self._send(302, b"", {"Location": f"http://127.0.0.2:1{self.path}"})
            case _:
                self._misbehave(fault, *self._run_git(body))

    def _misbehave(self, fault: GitFault | None, status: int, headers: dict[str, str], content: bytes) -> None:
        if fault == "unknown-commit":
            content = re.sub(rb"[0-9a-f]{40}", b"5" * 40, content)
        if fault == "damaged-pack" and b"PACK" in content:
            middle = (content.index(b"PACK") + len(content)) // 2
            content = content[:middle] + bytes(256 - 1 - byte for byte in content[middle:-40]) + content[-40:]
        length = len(content) // 2 if fault == "short-length" else len(content)
        content = content[: len(content) // 2] if fault == "cut" else content
        self._send(status, content, headers, length=length, bytewise=fault == "bytewise")

    def _send(
        self,
        status: int,
        content: bytes,
        headers: dict[str, str] | None = None,
        *,
        length: int | None = None,
        bytewise: bool = False,
    ) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Length": str(len(content) if length is None else length),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        with contextlib.suppress(OSError):  # the client has given up
            self.end_headers()
            if not bytewise:
                self.wfile.write(content)
                return
            for number in range(len(content)):
                if self.server.host.until_changed(BYTE_S):
                    return
                self.wfile.write(content[number : number + 1])

    def _run_git(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of `git http-backend`, a CGI program."""
        path, _, query = self.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.server.host.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "REMOTE_ADDR": "127.0.0.1",
        }
        output = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=False)
        head, _, content = output.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line)
        return int(headers.pop("Status", "200").split()[0]), headers, content

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

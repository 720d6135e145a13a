"""A stand-in of an npm registry, on loopback, that can misbehave.

    with NpmRegistry({"@acme/tiles": {"4.2.0": {"index.d.ts": "export const a: 1"}}}) as registry:
        registry.url                                        # for KINFOLK_NPM_REGISTRY
        registry.tarball_faults["@acme/tiles"] = "bomb"     # what happens to requests of this package's tarballs
        registry.add("zod", "4.0.0", {"index.d.ts": "..."}) # one more version

`package.json` of a package is made of its name, its version and the file `package.json` that is given, as a dict. Its
dependencies are in the packument, as in abbreviated packuments of npm.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import sys
import tarfile
import threading
from collections.abc import Mapping
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import unquote, urlsplit

PackageFiles = Mapping[str, str | Mapping[str, object]]
"""Path -> text. `package.json` may be a dict, without name and version."""
Fault = Literal[
    "server-error", "limit", "limit-for-1s", "missing", "html", "list", "slow", "endless", "large", "redirect",
    "redirect-to-itself", "wrong-integrity", "no-integrity", "cut", "not-gzip", "bomb", "many-files", "paths", "links",
]  # fmt: skip
"""`slow` sends nothing until the server stops. `paths` and `links` are files whose names or kinds are attacks."""
ABBREVIATED = "application/vnd.npm.install-v1+json"
_IN_PACKUMENT = ("dependencies", "peerDependencies", "peerDependenciesMeta", "optionalDependencies", "deprecated")
BOMB_BYTES = 4 << 20
MANY_FILES = 600


class NpmRegistry:
    """`requests` are the paths of all requests. `redirect_to` is the origin that the fault `redirect` leads to."""

    def __init__(self, packages: Mapping[str, Mapping[str, PackageFiles]] | None = None) -> None:
        self._packages: dict[str, dict[str, PackageFiles]] = {}
        self._tarballs: dict[tuple[str, str], bytes] = {}
        self.dist_tags: dict[str, dict[str, str]] = {}
        self.packument_faults: dict[str, Fault] = {}
        self.tarball_faults: dict[str, Fault] = {}
        self.fault: Fault | None = None
        """The fault of all requests without one of their own."""
        self.redirect_to = ""
        self.tarball_origin = ""
        """The origin in addresses of tarballs; empty for this server's."""
        self.requests: list[str] = []
        self.accepts: list[str] = []
        self.received = threading.Event()
        """Set with the first request."""
        self.released = threading.Event()
        for name, versions in (packages or {}).items():
            for version, files in versions.items():
                self.add(name, version, files)
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.registry = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def add(self, name: str, version: str, files: PackageFiles) -> None:
        """Publish a version, or replace it."""
        self._packages.setdefault(name, {})[version] = files
        self._tarballs.pop((name, version), None)

    def remove(self, name: str, version: str) -> None:
        del self._packages[name][version]

    def start(self) -> Self:
        """Serve until `stop`."""
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def stop(self) -> None:
        """Refuse all connections from now on."""
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def packuments(self) -> list[str]:
        """The names of packages in requests of packuments."""
        return [unquote(path[1:]) for path in self.requests if "/-/" not in path]

    @property
    def tarballs(self) -> list[str]:
        """The file names of requested tarballs: `tiles-4.2.0.tgz`."""
        return [path.rpartition("/")[2] for path in self.requests if "/-/" in path]

    def packument(self, name: str) -> dict[str, object] | None:
        """The abbreviated packument; None for an unknown package."""
        versions = self._packages.get(name)
        if versions is None:
            return None
        tags = self.dist_tags.get(name) or {"latest": list(versions)[-1]}
        return {"name": name, "dist-tags": tags, "versions": {each: self._version(name, each) for each in versions}}

    def tarball(self, name: str, version: str) -> bytes:
        if (name, version) not in self._tarballs:
            fault = self.tarball_faults.get(name)
            files = [(f"package/{path}", text) for path, text in self._files(name, version).items()]
            self._tarballs[name, version] = _tarball(tuple(files), fault)
        return self._tarballs[name, version]

    def _files(self, name: str, version: str) -> dict[str, str]:
        files = dict(self._packages[name][version])
        manifest = files.pop("package.json", {})
        first = manifest if isinstance(manifest, str) else json.dumps({"name": name, "version": version, **manifest})
        return {"package.json": first, **{path: str(text) for path, text in files.items()}}

    def _version(self, name: str, version: str) -> dict[str, object]:
        manifest = self._packages[name][version].get("package.json", {})
        facts = manifest if isinstance(manifest, Mapping) else {}
        content, fault = self.tarball(name, version), self.tarball_faults.get(name)
        digest = base64.b64encode(hashlib.sha512(b"other" if fault == "wrong-integrity" else content).digest()).decode()
        file = f"{name.rpartition('/')[2]}-{version}.tgz"
        dist = {
            "tarball": f"{self.tarball_origin or self.url}/{name}/-/{file}",
            "shasum": hashlib.sha1(content, usedforsecurity=False).hexdigest(),
            "integrity": f"sha512-{digest}",
        }
        if fault == "no-integrity":
            del dist["integrity"]
        return {"name": name, "version": version, **{k: facts[k] for k in _IN_PACKUMENT if k in facts}, "dist": dist}

    def answer(self, path: str) -> bytes | None:
        """The body of an answer without a fault; None for what does not exist."""
        name, _, file = unquote(path).strip("/").partition("/-/")
        if not file:
            found = self.packument(name)
            return None if found is None else json.dumps(found).encode()
        version = file.removeprefix(f"{name.rpartition('/')[2]}-").removesuffix(".tgz")
        return self.tarball(name, version) if version in self._packages.get(name, {}) else None

    def fault_of(self, path: str) -> Fault | None:
        name, _, file = unquote(path).strip("/").partition("/-/")
        return (self.tarball_faults if file else self.packument_faults).get(name, self.fault)


@cache
def _tarball(files: tuple[tuple[str, str], ...], fault: Fault | None) -> bytes:
    if fault == "not-gzip":
        return b"<!doctype html>"
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz", compresslevel=1) as archive:
        for path, text in files:
            _add(archive, path, text.encode())
        if fault == "bomb":
            _add(archive, "package/huge.d.ts", b"\n" * BOMB_BYTES)
        if fault == "many-files":
            for number in range(MANY_FILES):
                _add(archive, f"package/many/{number}.d.ts", b"export {}")
        if fault == "paths":
            _add_hostile_paths(archive)
        if fault == "links":
            _add_links(archive)
    content = written.getvalue()
    return content[: len(content) // 2] if fault == "cut" else content


def _add(archive: tarfile.TarFile, path: str, content: bytes) -> None:
    member = tarfile.TarInfo(path)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


HOSTILE_PATHS = (
    "../outside.d.ts", "package/../../outside.d.ts", "/absolute.d.ts", "package//twice.d.ts", "package/./dot.d.ts",
    "package/a\\b.d.ts", "package/line\nbreak.d.ts", "package/.git/config.d.ts", f"package/{'deep/' * 40}file.d.ts",
    f"package/{'long' * 300}.d.ts",
)  # fmt: skip


def _add_hostile_paths(archive: tarfile.TarFile) -> None:
    for path in (*HOSTILE_PATHS, "package/__proto__", "package/__proto__.d.ts", "package/constructor/index.d.ts"):
        _add(archive, path, b"export const hostile: true")
    _add(archive, "package/not-text.d.ts", b"\xff\xfe\x00")


def _add_links(archive: tarfile.TarFile) -> None:
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
        member = tarfile.TarInfo(f"package/kind-{kind.decode()}.d.ts")
        member.type, member.linkname = kind, "/etc/passwd"
        archive.addfile(member)


_REPLIES: Mapping[Fault | None, tuple[int, bytes, Mapping[str, str]]] = {
    "server-error": (500, b"<h1>Internal error</h1>", {}),
    "limit": (429, b"", {}),
    "limit-for-1s": (429, b"", {"retry-after": "1"}),
    "missing": (404, b'{"error": "not found"}', {}),
    "html": (200, b"<!doctype html><title>Sign in</title>", {}),
    "list": (200, b'[["versions"]]', {}),
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    registry: NpmRegistry

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing about clients that disconnected."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        registry, path = self.server.registry, urlsplit(self.path).path
        registry.requests.append(path)
        registry.accepts.append(self.headers.get("accept", ""))
        registry.received.set()
        fault = registry.fault_of(path)
        if fault in _REPLIES:
            self._send(*_REPLIES[fault])
        elif fault == "slow":
            registry.released.wait()
        elif fault == "redirect":
            self._send(302, b"", {"location": registry.redirect_to + path})
        elif fault == "redirect-to-itself":
            self._send(302, b"", {"location": path})
        elif fault in ("endless", "large"):
            self._send_forever(100 << 20 if fault == "large" else None)
        else:
            self._answer(path)

    def _answer(self, path: str) -> None:
        body = self.server.registry.answer(path)
        if body is None:
            self._send(404, b'{"error": "not found"}')
        else:
            self._send(200, body)

    def _send(self, status: int, content: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        with contextlib.suppress(OSError):  # the client may have disconnected
            self.end_headers()
            self.wfile.write(content)

    def _send_forever(self, length: int | None) -> None:
        self.send_response(200)
        if length is not None:
            self.send_header("content-length", str(length))
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.end_headers()
            while not self.server.registry.released.is_set():
                self.wfile.write(b" " * 65536)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

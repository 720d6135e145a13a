"""The site under attack. Any checkout can serve it, so one command measures before and after a fix."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.servers.serving import LEAN, PLAIN, Server, serving  # noqa: E402 - needs the path above
from tests.sites.sample_site import SITE  # noqa: E402 - needs the path above

__all__ = ["KEYS", "LEAN", "PLAIN", "Fault", "Server", "Site", "fault", "faults"]

KEYS = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
"""Headers of a search request."""


class DefectPresent(AssertionError):
    """The defect is present; the message is the figure."""


@dataclass(frozen=True)
class Site:
    """A checkout, and a folder of its own for all files that the measurement writes."""

    source: Path
    folder: Path

    @property
    def site(self) -> Path:
        """The sample site of the checkout."""
        return self.source / SITE.relative_to(ROOT)

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Settings of a process that runs the checkout's code on the bundled docs."""
        frontend = self.source / "frontend" / "dist"
        return {
            "PYTHONPATH": str(self.source / "src"),
            "KINFOLK_SITE": str(self.site),
            "KINFOLK_MIRROR": "off",
            "KINFOLK_NPM_IMPORT": "off",
            "KINFOLK_FIGURES": "off",
            "KINFOLK_RELEASE_NOTES": "off",
            "KINFOLK_PRERENDER": "off",
            "KINFOLK_VAR": str(self.folder / "var"),
            "KINFOLK_FRONTEND": str(frontend if frontend.exists() else ROOT / "frontend" / "dist"),
            **(more or {}),
        }

    @contextlib.contextmanager
    def serving(
        self, *arguments: str, environment: Mapping[str, str] | None = None, descriptors: int | None = None
    ) -> Iterator[Server]:
        """Run the server of the checkout until the block ends. `descriptors` limits the open files of each process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        environment = self.environment(environment)
        # A forked server would have the modules of this checkout.
        with serving(
            self.folder, *arguments, environment=environment, descriptors=descriptors, own_interpreter=True
        ) as server:
            yield server

    def content(self) -> Path:
        """A writable copy of the bundled docs."""
        copy = self.folder / "content"
        if not copy.exists():
            shutil.copytree(self.site / "repos", copy)
        return copy


@dataclass(frozen=True)
class Fault:
    """A defect of docs/faults.md. `measure` returns the figure, or raises DefectPresent with it."""

    id: str
    title: str
    measure: Callable[[Site], str]


_FAULTS: dict[str, Fault] = {}


def fault(id: str, title: str) -> Callable[[Callable[[Site], str]], Callable[[Site], str]]:
    """Register a measurement. `id` is that of docs/faults.md; a letter marks one of several parts: D14a."""

    def register(measure: Callable[[Site], str]) -> Callable[[Site], str]:
        if id in _FAULTS:
            raise ValueError(f"two faults have the id {id}")
        _FAULTS[id] = Fault(id, title, measure)
        return measure

    return register


def faults() -> list[Fault]:
    """All registered faults, by number."""
    return sorted(_FAULTS.values(), key=lambda one: (int("".join(filter(str.isdigit, one.id))), one.id))


def expect(ok: bool, figure: str) -> str:
    """Return the figure. Raises DefectPresent with it unless `ok`."""
    if not ok:
        raise DefectPresent(figure)
    return figure


def probe(server: Server, path: str = "/_server/theme.get", *, timeout_s: float = 30.0) -> float:
    """Seconds until the server responds to a small request; at most `timeout_s`."""
    began = time.perf_counter()
    with contextlib.suppress(httpx.HTTPError):
        httpx.get(server.url + path, timeout=timeout_s)
    return time.perf_counter() - began


def outage(server: Server, *, within_s: float = 60.0) -> float:
    """Seconds until the server responds again. Each attempt, every 50 ms, opens a new connection."""
    began = time.perf_counter()
    while time.perf_counter() - began < within_s:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{server.url}/_server/theme.get", timeout=1.0).status_code == 200:
                break
        time.sleep(0.05)
    return time.perf_counter() - began


def resident_mb(pid: int) -> float:
    """Resident memory of a process in MB."""
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def connect(server: Server, *, timeout_s: float = 30.0) -> socket.socket:
    """Open a TCP connection to the server."""
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=timeout_s)

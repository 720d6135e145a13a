"""Disks that become full while the server runs: that of `var`, and that of temporary files."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
from tests.faults.outages.family_site import family_site
from tests.faults.outages.readers import named, reading, search_status, seconds, send_feedback, status_of, until
from tests.faults.site import Site, expect, fault
from tests.servers.serving import free_port

SIZE_MB = 120
FULL_S = 8.0


@contextlib.contextmanager
def small_disk(folder: Path, size_mb: int = SIZE_MB) -> Iterator[Path]:
    """A file system of its own, in memory. Needs root."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_mb}m", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Fill the disk of a folder to the last byte."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        for block in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * block)
    try:
        yield
    finally:
        ballast.unlink()


@fault("F1a", "The disk of `var` becomes full while the server runs")
def full_var(site: Site) -> str:
    with small_disk(site.folder / "disk") as disk, family_site(site, var=disk / "var") as running:
        server = running.server
        send_feedback(server, "before")
        with reading(server) as requested:
            with filled(disk):
                during = [send_feedback(server, f"during {number} {'x' * 1900}", 2) for number in range(12)]
                pushed = running.push(2)
                until(lambda: False, within_s=FULL_S)
                stayed = running.shows(1) or running.shows(2)
            shown = running.shown(2)
            after = until(lambda: send_feedback(server, "after", 1) == 200)
            found = until(lambda: search_status(server, "Revision 2") == 200)
        # Answers about one page replace each other.
        accepted = 1 + (200 in during) + (after is not None)
        notes = len(set(running.notes()))
        logged = named(server, "space left") or named(server, "disk is full")
    figure = (
        f"{requested}; {during.count(200)} of {len(during)} answers stored, {during.count(503)} refused; push {pushed},"
        f" shown {shown} after space was freed; {notes} of {accepted} accepted answers are stored;"
        f" log {'names' if logged else 'does not name'} it; workers lost {server.log.count('worker is replaced')}"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and stayed and shown != "never"
    return expect(fine and found is not None and notes == accepted and logged, figure)


@fault("F1b", "The disk of temporary files and metrics becomes full while the server runs")
def full_temporary(site: Site) -> str:
    port = free_port()
    with small_disk(site.folder / "tmp", 40) as disk:
        environment = {"TMPDIR": str(disk), "KINFOLK_METRICS": f"127.0.0.1:{port}"}
        with family_site(site, environment) as running:
            server = running.server
            with reading(server) as requested:
                with filled(disk):
                    pushed = running.push(2)
                    meanwhile = running.shown(2, within_s=30)
                    stored = send_feedback(server, "during")
                    full = str(requested)
                    killed = server.workers()[0]
                    os.kill(killed, 9)
                    two = until(lambda: len(server.workers()) == 2 and killed not in server.workers())
                    until(lambda: False, within_s=FULL_S)
                    fresh = {status_of(server, f"/query/latest/docs/framework/react/overview?n={n}") for n in range(20)}
                    workers = len(server.workers())
                ready = until(lambda: len(server.workers()) == 2 and status_of(server, "/readyz") == 200)
                scraped = until(lambda: _scraped(port))
            ended = server.log.count("worker is replaced")
    figure = (
        f"{full}; push {pushed}, shown {meanwhile} on the full disk; answer {stored}; a killed worker is replaced"
        f" {seconds(two)}; pages then {sorted(fresh)}; {ended} workers ended; metrics {seconds(scraped)}"
    )
    fine = requested.wrong == 0 and fresh == {200} and stored == 200 and ready is not None and scraped is not None
    return expect(fine and workers == 2 and ended <= 1 and meanwhile != "never", figure)


def _scraped(port: int) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return "kinfolk_requests_total" in httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=5).text
    return False

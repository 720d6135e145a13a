"""SIGKILL of each process of the server: workers, their children, and the parent."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from tests.faults.outages.family_site import WORKERS, FamilySite, family_site
from tests.faults.outages.readers import named, reading, search_status, seconds, send_feedback, status_of, until
from tests.faults.site import Server, Site, expect, fault
from tests.servers.npm_registry import NpmRegistry
from tests.servers.serving import command_of, descendants, free_port, serving

KINDS = {
    "link check": b"\0check\0--json",
    "git": b"\0fetch\0",
    "index-pack": b"index-pack",
    "index build": b"\0index\0--background",
    "Markdown": b"process_main",
    "code check": b"code_check_process",
}
"""Processes that workers start -> a part of their command lines."""
KILLS = 2
"""Processes of each kind that are killed, one after another; one check of links, which begins again after 30 s."""
APPEARS_S = 60.0


@contextlib.contextmanager
def complete_site(site: Site, more: dict[str, str]) -> Iterator[FamilySite]:
    """A site with all services that start processes."""
    with NpmRegistry() as registry:
        environment = {
            "KINFOLK_HIGHLIGHT": "on",
            "KINFOLK_CODE_CHECKS": "on",
            "KINFOLK_LINK_CHECK": "on",
            "KINFOLK_NPM_REGISTRY": registry.url,
            **more,
        }
        with family_site(site, environment) as running:
            yield running


def _longest(shown_s: list[float | None]) -> str:
    return "never" if None in shown_s or not shown_s else f"{max(each for each in shown_s if each is not None):.1f} s"


def _kill_next(server: Server, part: bytes) -> bool:
    """Kill the next process with this part in its command line. Some live for milliseconds only."""
    until_s = time.monotonic() + APPEARS_S
    while time.monotonic() < until_s:
        pid = running_of(server, part)
        if pid is not None:
            kill(pid)
            return True
    return False


def _is_replaced(server: Server, worker: int) -> bool:
    return len(server.workers()) == 2 and worker not in server.workers()


def running_of(server: Server, part: bytes) -> int | None:
    """A process of the server whose command line has this part."""
    found = (pid for pid in descendants(server.process.pid) if part in command_of(pid))
    return next(found, None)


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
        os.kill(pid, signal.SIGKILL)


@fault("F7a", "SIGKILL of each process that the server starts, one after another")
def killed_children(site: Site) -> str:
    with complete_site(site, {}) as running:
        server, revision = running.server, 1
        accepted: dict[int, str] = {}
        killed: dict[str, int] = dict.fromkeys(KINDS, 0)
        shown_s: dict[str, list[float | None]] = {kind: [] for kind in KINDS}
        with reading(server) as requested:
            for number, (kind, again) in enumerate(itertools.product(KINDS, range(KILLS))):
                if kind == "link check" and again:
                    continue
                revision += 1
                running.push(revision)
                if not _kill_next(server, KINDS[kind]):
                    continue
                killed[kind] += 1
                if send_feedback(server, f"{kind} {number}", number % 5) == 200:
                    accepted[number % 5] = f"{kind} {number}"
                shown_s[kind].append(until(partial(running.shows, revision)))
            for worker in server.workers():
                kill(worker)
                until(partial(_is_replaced, server, worker))
                until(lambda: all(search_status(server) == 200 for _ in range(12)))
            revision += 1
            running.push(revision)
            shown = running.shown(revision)
        checked = named(server, "docs checked")
        ready = until(lambda: status_of(server, "/readyz") == 200 and search_status(server) == 200)
        lost = set(accepted.values()) - set(running.notes())
    times = ", ".join(f"{kind} {killed[kind]}, {_longest(shown_s[kind])}" for kind in KINDS if killed[kind])
    figure = (
        f"killed, and the longest time until a push is shown: {times}; then both workers, {shown};"
        f" {requested.wrong} wrong of {requested.pages.total()} pages, {requested.pages[0]} without response of a"
        f" killed worker; {requested.unanswered} of {requested.searches.total()} searches failed; {len(lost)} of"
        f" {len(accepted)} accepted answers lost"
    )
    fine = (
        requested.wrong == 0
        and requested.pages[0] <= 4
        and not lost
        and all(killed[kind] for kind in KINDS if kind != "link check")
    )
    # The links are checked 30 s after the start, and the server may need more time for its index.
    fine = fine and (killed["link check"] > 0 or checked)
    return expect(
        fine and None not in itertools.chain(*shown_s.values()) and shown != "never" and ready is not None, figure
    )


@fault("F7b", "SIGKILL of the parent process")
def killed_parent(site: Site) -> str:
    temporary = site.folder / "tmp"
    temporary.mkdir(parents=True)
    more = {"KINFOLK_METRICS": f"127.0.0.1:{free_port()}", "TMPDIR": str(temporary)}
    with complete_site(site, more) as running:
        server = running.server
        address = urlsplit(server.url)
        sent = [send_feedback(server, f"{page}", page) for page in range(3)]
        running.push(2)
        until(lambda: running_of(server, KINDS["index build"]) is not None, within_s=20)
        children = {pid: command_of(pid) for pid in descendants(server.process.pid)}
        server.process.kill()
        server.process.wait()
        free = until(lambda: _is_free(address.port or 0))
        gone = until(lambda: not any(_is_running(pid, command) for pid, command in children.items()))
        left = sorted({command[-60:].decode() for pid, command in children.items() if _is_running(pid, command)})
        folders = len(list(temporary.glob("kinfolk-metrics-*")))
        running.family.push(3)
        again = site.folder / "again"
        again.mkdir()
        began_s = time.monotonic()
        environment = site.environment(running.environment)
        with serving(again, *WORKERS, environment=environment, port=address.port, own_interpreter=True) as second:
            answered_s = time.monotonic() - began_s
            pages = {status_of(second, f"/query/latest?{number}") for number in range(10)}
            shown = until(lambda: running.shows(3, second))
            searched = until(lambda: search_status(second) == 200)
            folders_after = len(list(temporary.glob("kinfolk-metrics-*")))
            notes = running.notes()
    figure = (
        f"port free {seconds(free)}, {len(children)} processes gone {seconds(gone)}{', '.join(['', *left])}; a start"
        f" answers after {answered_s:.1f} s, pages {sorted(pages)}, search {seconds(searched)}, a push of the outage is"
        f" shown {seconds(shown)}; {sent.count(200) - len(notes)} of {sent.count(200)} accepted answers lost;"
        f" {folders} folders of metrics, then {folders_after}"
    )
    fine = free is not None and gone is not None and pages == {200} and len(notes) == sent.count(200) == 3
    return expect(fine and shown is not None and searched is not None and folders_after == 1, figure)


def _is_running(pid: int, command: bytes) -> bool:
    """Whether this process has not ended: its pid may be that of another one by now."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z" and command_of(pid) == command


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True

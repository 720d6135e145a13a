"""Upstreams that are slow, answer something else than was requested, or are down for a while."""

from __future__ import annotations

import contextlib
import itertools
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler

from aiosmtpd.controller import Controller
from tests.faults.outages.clock_faults import Browser, Inbox, JumpingClock
from tests.faults.outages.family_site import FamilySite, family_site
from tests.faults.outages.readers import named, reading, seconds, until
from tests.faults.site import Site, expect, fault
from tests.servers.figure_servers import HTML, Reply, repository_reply, serve_figures, text_reply
from tests.servers.git_host import GIT_FAULTS, GitHost
from tests.servers.npm_api import Fault, NpmApi

from kinfolk.config.catalog import load_catalog

FETCH_TIMEOUT_S = 5
REQUESTS = 3
"""Requests with a fault before it ends."""
MOST_RECOVERY_S = 90.0


@fault("F5a", "The git host is slow, silent, or answers something else")
def faulty_git_host(site: Site) -> str:
    with GitHost(site.folder / "family" / "upstream") as host:
        environment = {"KINFOLK_UPSTREAM": host.url_template, "KINFOLK_FETCH_TIMEOUT_S": str(FETCH_TIMEOUT_S)}
        with family_site(site, environment) as running:
            server, recovered_s = running.server, {}
            early: list[str] = []
            unnamed: list[str] = []
            with reading(server) as requested:
                for revision, each in enumerate(GIT_FAULTS, 2):
                    host.fault = each
                    running.push(revision)
                    size = len(server.log)
                    until(lambda: host.requests[each] >= REQUESTS, within_s=20)  # noqa: B023 - called at once
                    until(lambda: '"mirror failed"' in server.log[size:], within_s=20)  # noqa: B023
                    if '"mirror failed"' not in server.log[size:]:
                        unnamed.append(each)
                    if not running.shows(revision - 1):
                        early.append(each)
                    host.fault = None
                    recovered_s[each] = until(lambda: running.shows(revision), within_s=MOST_RECOVERY_S)  # noqa: B023
            down = named(server, "worker is replaced")
    figure = (
        f"{requested}; until the push of the time is shown after the fault: "
        f"{', '.join(f'{each} {seconds(recovered_s[each])}' for each in GIT_FAULTS)}; the last good pages stay"
        f"{_except(early)}; log names all{_except(unnamed)}"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and not early and not unnamed and not down
    recovered = all(each is not None and each <= MOST_RECOVERY_S for each in recovered_s.values())
    return expect(fine and recovered, figure)


def _except(names: list[str]) -> str:
    return f" except {', '.join(names)}" if names else ""


def _bytewise(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    for _ in range(1000):
        handler.wfile.write(b" ")
        time.sleep(0.2)


def _cut(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"stargazers_count": 7')


NPM_FAULTS: tuple[Fault | None, ...] = (
    "server-error", None, "html", None, "cut", None, "error-200", None, "short", None, "other-package", None,
    "limit-for-1s", None, "endless", None, "slow", None,
)  # fmt: skip


def _wrong_answers(repository: str) -> list[Reply]:
    """Answers to the request for the stars of a repository."""
    return [
        text_reply(200, HTML),
        repository_reply(repository, 10**30),
        repository_reply(repository, -5),
        repository_reply(repository, "many"),
        repository_reply("evil/other", 7),
        text_reply(302, "", location="http://127.0.0.2:1/"),
        text_reply(500, ""),
        text_reply(200, "[" * 100_000),
        _cut,
        _bytewise,
    ]


@fault("F5b", "GitHub's API and npm's API of counts are slow, or answer something else")
def faulty_apis(site: Site) -> str:
    clock = JumpingClock(site.folder / "clock")
    repositories = sorted({ref.repo for ref in load_catalog(site.site).refs})
    with serve_figures() as github, NpmApi(today=datetime.now(UTC).date()) as npm:
        github.stars = {name: 1000 + at for at, name in enumerate(repositories)}
        github.contributors = {name: 10 + at for at, name in enumerate(repositories)}
        npm.faults = itertools.cycle(NPM_FAULTS)
        wrong_answers = {
            f"/repos/{name}": _wrong_answers(name)[at % len(_wrong_answers(name))]
            for at, name in enumerate(repositories)
        }
        environment = {
            **clock.environment(site.environment()["PYTHONPATH"]),
            "KINFOLK_FIGURES": "on",
            "KINFOLK_GITHUB_API": github.url,
            "KINFOLK_NPM_IMPORT": "on",
            "KINFOLK_NPM_DOWNLOADS_API": npm.url,
            "KINFOLK_NPM_INTERVAL_S": "0.2",
        }
        github.replies |= wrong_answers
        with family_site(site, environment) as running, reading(running.server) as requested:
            until(lambda: set(wrong_answers) <= set(github.paths), within_s=120)
            until(lambda: len(npm.arrivals) > len(NPM_FAULTS), within_s=120)
            wrong = _stars(running)
            github.replies.clear()
            npm.faults = iter(())
            arrived = len(npm.arrivals)
            clock.set_hours(1)
            right_s = until(lambda: _stars(running) == github.stars, within_s=120)
            npm_s = until(lambda: len(npm.arrivals) > arrived + 5)
            github.replies |= wrong_answers
            sent = len(github.paths)
            clock.set_hours(4)
            until(lambda: set(wrong_answers) <= set(github.paths[sent:]), within_s=120)
            stayed = _stars(running) == github.stars
            logged = named(running.server, "figure not fetched") and named(running.server, "request to npm failed")
    figure = (
        f"{requested}; {len(wrong_answers)} answers of GitHub that are wrong: {len(wrong)} values stored; all right"
        f" {seconds(right_s)} after the time of the next attempt; wrong again:"
        f" values {'stay' if stayed else 'are lost'};"
        f" npm: {len(set(NPM_FAULTS)) - 1} faults, import goes on {seconds(npm_s)};"
        f" log {'names' if logged else 'does not name'} them"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and not wrong and stayed and logged
    return expect(fine and right_s is not None and npm_s is not None, figure)


def _stars(running: FamilySite) -> dict[str, int]:
    """The stored stars by repository."""
    query = "SELECT subject, value FROM figures WHERE name = 'stars' AND value IS NOT NULL"
    with closing(sqlite3.connect(f"file:{running.database}?mode=ro", uri=True, timeout=5)) as database:
        return {subject.removeprefix("repository:"): value for subject, value in database.execute(query)}


@contextlib.contextmanager
def _bad_mail_server(port: int, greeting: bytes) -> Iterator[None]:
    """Accepts connections, sends this, and answers nothing."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        accepted: list[socket.socket] = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    accepted.append(connection)
                    connection.sendall(greeting)

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for connection in accepted:
                connection.close()


@fault("F5c", "The mail server is down, silent, or answers something else")
def faulty_mail_server(site: Site) -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    environment = {
        "KINFOLK_SECRET": "0123456789abcdef0123456789abcdef",
        "KINFOLK_SMTP": f"smtp://127.0.0.1:{port}",
        "KINFOLK_MAIL_FROM": "login@example.com",
    }
    faults = {"down": None, "silent": b"", "no SMTP": b"HTTP/1.1 400 Bad Request\r\n\r\n", "busy": b"421 try later\r\n"}
    waited: dict[str, tuple[float, float | None]] = {}
    with family_site(site, environment) as running, reading(running.server) as requested:
        for name, greeting in faults.items():
            inbox = Inbox()
            with closing(Browser(running.server, inbox)) as reader:
                with contextlib.nullcontext() if greeting is None else _bad_mail_server(port, greeting):
                    size = len(running.server.log)
                    began_s = time.monotonic()
                    begun = reader.request_code(f"{len(waited)}@example.com")
                    answered_s = time.monotonic() - began_s
                    until(partial(_names_mail, running, size), within_s=40)
                controller = Controller(inbox, hostname="127.0.0.1", port=port)
                controller.start()
                arrived_s = until(lambda: inbox.codes)  # noqa: B023 - called at once
                accepted = begun and arrived_s is not None and reader.enter(inbox.codes[-1])
                controller.stop()
                waited[name] = answered_s, arrived_s if accepted else None
        logged = named(running.server, "mail server not reached")
    arrivals = ", ".join(f"{name} {seconds(each)}" for name, (_, each) in waited.items())
    figure = (
        f"{requested}; a sign-in begins after at most {max(each for each, _ in waited.values()):.1f} s; after the"
        f" server answers, the code arrives and is accepted: {arrivals};"
        f" log {'names' if logged else 'does not name'} it"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and logged
    return expect(fine and all(each is not None for _, each in waited.values()), figure)


def _names_mail(running: FamilySite, since: int) -> bool:
    return '"mail server not reached"' in running.server.log[since:] or '"mail not sent"' in running.server.log[since:]

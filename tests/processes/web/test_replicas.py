"""Two replicas behind nginx that share a PostgreSQL database."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import httpx
import pytest
from tests.processes.family import eventually, kill
from tests.servers.databases import PostgresServer
from tests.servers.replicas import PAGE, ReplicatedSite, replicated
from tests.servers.serving import Server

from kinfolk.db.postgresql_connection import ANSWER_S

VISIBLE_S = 2.0
"""From the webhook to all workers of all replicas."""
MIN_REQUESTS = 60


@pytest.fixture(scope="module")
def database(postgresql: PostgresServer) -> Iterator[str]:
    url = postgresql.take_upgraded()
    yield url.render_as_string(hide_password=False)
    postgresql.drop(url)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, built: Path, database: str) -> Iterator[ReplicatedSite]:
    assert built
    with replicated(tmp_path_factory.mktemp("replicas"), database, KINFOLK_REFRESH_S="0") as site:
        yield site


def code_of_mail(postgresql: PostgresServer, database: str) -> str:
    """The code of the newest mail that waits in the database."""
    with postgresql.connect(re.search(r"/(\w+)\?", database).group(1)) as connection:  # type: ignore[union-attr]
        row = connection.execute("SELECT text FROM outgoing_mail ORDER BY id DESC LIMIT 1").fetchone()
    assert row is not None
    return str(re.search(r"\d{4} \d{4}", row[0]).group())  # type: ignore[union-attr]


def seconds_to_all_workers(site: ReplicatedSite, began: datetime, commit: str) -> list[float]:
    """Seconds from the webhook until each of the workers shows a commit."""
    times = eventually(partial(site.shown_by_all, commit), "all workers show the commit")
    return [(datetime.fromisoformat(each) - began).total_seconds() for each in times]


def test_push_is_visible_on_all_workers_of_all_replicas(site: ReplicatedSite) -> None:
    taken = []
    for revision in (2, 3, 4):
        began = datetime.now(UTC)
        commit = site.push(revision)
        taken.append(seconds_to_all_workers(site, began, commit)[-1])
    # Other tests of this machine may delay one of them.
    assert min(taken) <= VISIBLE_S
    for server in site.replicas:
        # The kernel assigns each connection to one of two workers.
        for _ in range(8):
            assert "This is revision 4." in httpx.get(server.url + PAGE).text


def test_session_and_wrong_codes_are_shared(site: ReplicatedSite, postgresql: PostgresServer, database: str) -> None:
    first, second = (server.url for server in site.replicas)
    headers = {"origin": site.url, "host": site.url.removeprefix("http://")}

    def begin(client: httpx.Client) -> str:
        client.post(f"{first}/auth/email", data={"email": "ada@example.com"})
        return code_of_mail(postgresql, database)

    with httpx.Client(headers=headers) as reader:
        code = begin(reader)
        assert reader.post(f"{second}/auth/code", data={"code": code}).headers["location"] == "/dashboard"
        assert "ada@example.com" in reader.get(f"{first}/auth/export").text
    with httpx.Client(headers=headers) as guesser:
        code = begin(guesser)
        for replica in (first, second, first, second, first):
            answer = guesser.post(f"{replica}/auth/code", data={"code": "1234"})
            assert answer.headers["location"].endswith("error=code")
        assert guesser.post(f"{second}/auth/code", data={"code": code}).headers["location"].endswith("error=expired")


def test_site_goes_on_while_the_database_does_not_answer(site: ReplicatedSite, postgresql: PostgresServer) -> None:
    """A stopped server accepts connections and answers nothing: worse than one that is gone."""
    server = site.replicas[0]
    headers = {"origin": site.url, "host": site.url.removeprefix("http://")}
    form = {"email": "eve@example.com"}
    with httpx.Client(base_url=server.url, timeout=30, headers=headers) as client:
        client.get(PAGE)
        with postgresql.frozen():
            began_s = time.monotonic()
            refused = client.post("/auth/email", data=form)
            assert time.monotonic() - began_s < ANSWER_S
            assert (refused.status_code, "Sign-in is not available" in refused.text) == (503, True)
            began_s = time.monotonic()
            assert {client.get(PAGE).status_code for _ in range(20)} == {200}
            assert time.monotonic() - began_s < 1
            site.push(6, to=server.url)
            eventually(lambda: "revision 6." in client.get(PAGE).text, "a push is shown without the database")
        eventually(lambda: client.post("/auth/email", data=form).status_code == 303, "sign-in is back")
        other = site.replicas[1].url
        eventually(lambda: "revision 6." in httpx.get(other + PAGE).text, "the other replica learns of the push")


@pytest.fixture
def other_replica(site: ReplicatedSite) -> Iterator[Server]:
    """The second replica, started again if the first try of a test has killed it."""
    if site.replicas[1].process.poll() is None:
        yield site.replicas[1]
    else:
        with site.replica(1) as server:
            yield server


def test_killed_replica_fails_no_request_and_returns(site: ReplicatedSite, other_replica: Server) -> None:
    statuses: list[int | str] = []
    done = threading.Event()

    def read() -> None:
        with httpx.Client(base_url=site.url, timeout=20) as client:
            while not done.is_set():
                try:
                    statuses.append(client.get(PAGE).status_code)
                except httpx.TransportError as failure:
                    statuses.append(repr(failure))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    eventually(lambda: len(statuses) > MIN_REQUESTS, "requests are answered")
    kill(other_replica)
    after = len(statuses)
    eventually(lambda: len(statuses) > after + MIN_REQUESTS, "requests are answered by the other replica")
    commit = site.push(7, to=site.replicas[0].url)
    with site.replica(1) as returned:
        eventually(lambda: "This is revision 7." in httpx.get(returned.url + PAGE).text, "it has caught up")
        done.set()
        for reader in readers:
            reader.join()
        assert commit
        assert set(statuses) == {200}

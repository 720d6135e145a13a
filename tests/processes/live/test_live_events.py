"""Live events between real processes: pushes, killed workers, stops, limits."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
from tests.inputs.stored_stars import StoredStars
from tests.processes.family import STORE, TIMEOUT_S, Family, eventually, html_of, mirrored_family, revision_of
from tests.servers.databases import PostgresServer, sqlite_url
from tests.servers.serving import LEAN, Server, serving

from kinfolk.content.sponsors import CurrentSponsors, SponsorConfig
from kinfolk.db.database import Database
from kinfolk.live.topics import encode_topics
from kinfolk.maintenance.open_maintenance import open_overrides

PAGE = "/store/latest/docs/overview"
SECRET = {"KINFOLK_WEBHOOK_SECRET": "secret", "KINFOLK_REFRESH_S": "0"}
FAMILY: tuple[str, dict[str, str]] = ("figures.family", {})
FIGURES = ("figures.library", {"library": "store"})
PAGE_TOPIC = ("docs.page", {"library": "store", "version": "latest", "path": "overview"})


class StreamReader:
    """Reads a stream in a thread, and reconnects with the id of the last event as a browser does."""

    def __init__(self, url: str, *topics: tuple[str, dict[str, str]]) -> None:
        self._url = url
        self._query = encode_topics(*topics)
        self._arrived = threading.Condition()
        self._stopped = False
        self._connection: http.client.HTTPConnection | None = None
        self.events: list[tuple[str, dict[str, object]]] = []
        self.last_id = ""
        self.connects = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        if self._connection is not None and self._connection.sock is not None:
            # Ends the read that the thread waits for.
            with contextlib.suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive()

    def wait_for(self, name: str, count: int = 1, *, within_s: float = TIMEOUT_S) -> list[dict[str, object]]:
        """The contents of the events of a name, once there are enough."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.of(name)) >= count, within_s), (name, self.events)
        return self.of(name)

    def of(self, name: str) -> list[dict[str, object]]:
        return [content for each, content in self.events if each == name]

    def _run(self) -> None:
        while not self._stopped:
            address = urlsplit(self._url)
            connection = http.client.HTTPConnection(address.netloc, timeout=TIMEOUT_S)
            with contextlib.suppress(http.client.HTTPException, OSError), contextlib.closing(connection):
                connection.request("GET", f"/api/live?{urlencode({'q': self._query, 'last': self.last_id})}")
                response = connection.getresponse()
                # `getresponse` drops the socket of a response that ends the connection.
                self._connection = connection
                if response.status == 200:
                    self.connects += 1
                    self._read(response)
            time.sleep(0.05)

    def _read(self, response: http.client.HTTPResponse) -> None:
        name, content, id = "", "", None
        for raw in response:
            line = raw.decode().rstrip()
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                content = value
            elif field == "id":
                id = value
            elif not line and name:
                with self._arrived:
                    self.last_id = id if id is not None else self.last_id
                    self.events.append((name, json.loads(content)))
                    self._arrived.notify_all()
                name, content, id = "", "", None


@pytest.fixture
def family(tmp_path: Path, built: Path) -> Family:
    assert built
    return mirrored_family(tmp_path / "family")


@pytest.fixture
def server(tmp_path: Path, built: Path) -> Iterator[Server]:
    assert built
    with serving(tmp_path, environment=LEAN) as found:
        yield found


@dataclass(frozen=True)
class SharedServer:
    """A server that tests neither stop nor kill, and the folder of its database."""

    url: str
    folder: Path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[SharedServer]:
    assert built
    folder = tmp_path_factory.mktemp("live")
    with serving(folder, environment=LEAN) as found:
        yield SharedServer(found.url, folder)


def stars_of(folder: Path) -> StoredStars:
    """The stars of the store's repository, for a server whose database is the file in `folder`."""
    return StoredStars(Database(sqlite_url(folder / "var" / "kinfolk.sqlite"), lock_folder=folder), STORE.repo)


def stars_in(snapshot: dict[str, object]) -> object:
    data = snapshot["data"]
    assert isinstance(data, dict)
    return data["stars"]


def push(family: Family, server: Server, revision: int) -> None:
    """Push a revision, and notify one server by its webhook."""
    family.push(revision)
    body = json.dumps({"ref": "refs/heads/main", "repository": {"full_name": STORE.repo}}).encode()
    digest = hmac.new(b"secret", body, hashlib.sha256).hexdigest()
    headers = {"x-hub-signature-256": f"sha256={digest}", "x-github-event": "push"}
    answer = httpx.post(f"{server.url}/_hooks/github", content=body, headers=headers, timeout=TIMEOUT_S)
    assert answer.status_code == 202


def check_push_reaches_both(family: Family, one: Server, other: Server) -> None:
    """A push that one server receives is shown by the other, and its open pages learn of it."""
    assert {revision_of(html_of(each, PAGE)) for each in (one, other)} == {1}
    with StreamReader(other.url, PAGE_TOPIC) as reader:
        (first,) = reader.wait_for("snapshot")
        push(family, one, 2)
        eventually(lambda: revision_of(html_of(one, PAGE)) == 2, "the server that was notified shows it")
        shown_s = time.monotonic()
        eventually(lambda: revision_of(html_of(other, PAGE)) == 2, "the other server shows it")
        print(f"the other server shows it {time.monotonic() - shown_s:.2f} s later")
        changed = reader.wait_for("snapshot", 2)[1]
        assert changed["v"] != first["v"]


def test_servers_with_one_file_show_a_push_to_one_of_them(family: Family) -> None:
    environment = family.environment | SECRET
    with serving(family.folder, environment=environment) as one, serving(family.folder, environment=environment) as two:
        check_push_reaches_both(family, one, two)


@pytest.mark.parametrize("mirrors", ["shared", "own"])
def test_servers_with_one_postgresql_show_a_push_to_one_of_them(
    family: Family, postgresql: PostgresServer, mirrors: str
) -> None:
    """With a mirror of its own, the other server is one on another host."""
    url = postgresql.create()
    address = {"KINFOLK_DATABASE_URL": url.set(drivername="postgresql").render_as_string(hide_password=False)}
    environment = family.environment | SECRET | address
    other = Family(family.folder, family.upstreams)
    if mirrors == "own":
        other = family.copied(family.folder.parent / "other")
    own = other.environment | {"KINFOLK_UPSTREAM": family.environment["KINFOLK_UPSTREAM"]}
    with (
        serving(family.folder, environment=environment) as one,
        serving(other.folder, environment=environment | own | SECRET) as two,
    ):
        check_push_reaches_both(family, one, two)


def test_promotion_that_another_process_stored_is_shown(shared: SharedServer, tmp_path: Path) -> None:
    database = Database(sqlite_url(shared.folder / "var" / "kinfolk.sqlite"), lock_folder=shared.folder)
    page = f"{shared.url}{PAGE}"
    assert "Conference" not in httpx.get(page, timeout=TIMEOUT_S).text
    fields = {"slots": ["footer"], "title": "Conference", "text": "In May.", "href": "/blog"}
    open_overrides(database, no_sponsors(tmp_path)).put_promotion("", fields, slots=["footer"])
    stored_s = time.monotonic()
    eventually(lambda: "Conference" in httpx.get(page, timeout=TIMEOUT_S).text, "the server shows the promotion")
    print(f"the server shows it {time.monotonic() - stored_s:.2f} s later")
    database.close()


def no_sponsors(folder: Path) -> CurrentSponsors:
    return CurrentSponsors(SponsorConfig(), (), become_url="https://example.com", folder=folder)


def test_no_state_is_missed_when_a_worker_is_killed(server: Server, tmp_path: Path) -> None:
    stars = stars_of(tmp_path)
    stars.put(1)
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(StreamReader(server.url, FIGURES)) for _ in range(20)]
        for reader in readers:
            reader.wait_for("snapshot")
        (worker,) = server.workers()
        os.kill(worker, signal.SIGKILL)
        stars.put(2)
        for reader in readers:
            assert stars_in(reader.wait_for("snapshot", 2)[1]) == 2
        stars.put(3)
        for reader in readers:
            # Nothing is sent twice.
            assert [stars_in(content) for content in reader.wait_for("snapshot", 3)] == [1, 2, 3]
    stars.database.close()


def test_reader_that_reconnects_gets_only_what_is_new(shared: SharedServer) -> None:
    stars = stars_of(shared.folder)
    stars.put(1)
    with StreamReader(shared.url, FIGURES, PAGE_TOPIC) as reader:
        reader.wait_for("snapshot", 2)
        last = reader.last_id
    parameters = {"q": encode_topics(FIGURES, PAGE_TOPIC), "last": last}
    with httpx.stream("GET", f"{shared.url}/api/live", params=parameters, timeout=TIMEOUT_S) as response:
        # Without the comments, which come at any time.
        lines = (line for line in response.iter_lines() if line and not line.startswith(":"))
        begin = [next(lines) for _ in range(3)]
        assert begin[1] == "event: hello"
        stars.put(2)
        assert next(lines) == "event: snapshot"
        assert '"stars":2' in next(lines)
    stars.database.close()


def test_stop_ends_streams_at_once(server: Server) -> None:
    with StreamReader(server.url, FAMILY) as reader:
        reader.wait_for("hello")
        began_s = time.monotonic()
        server.process.terminate()
        bye = reader.wait_for("bye")[0]
        server.process.wait(TIMEOUT_S)
        assert isinstance(bye["retryMs"], int)
        assert 1000 <= bye["retryMs"] <= 10_000
        assert time.monotonic() - began_s < 10
        assert server.process.returncode == 0


def test_streams_of_one_browser_and_of_one_address_are_limited(shared: SharedServer) -> None:
    def status(browser: str, address: str) -> int:
        parameters = {"q": encode_topics(FAMILY), "b": browser}
        opened = client.send(
            client.build_request(
                "GET", f"{shared.url}/api/live", params=parameters, headers={"x-forwarded-for": address}
            ),
            stream=True,
        )
        if opened.status_code == 503:
            assert opened.headers["retry-after"] == "60"
        return opened.status_code

    with httpx.Client(timeout=TIMEOUT_S, limits=httpx.Limits(max_connections=None)) as client:
        assert [status("one", "203.0.113.1") for _ in range(3)] == [200, 200, 503]
        assert [status(f"b{number}", "203.0.113.2") for number in range(21)] == [200] * 20 + [503]
        assert status("other", "203.0.113.3") == 200


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "invalid"),
        ("q=!!", 400, "invalid"),
        ("q=" + "A" * 5000, 400, "invalid"),
        (
            f"q={encode_topics(('docs.page', {'library': 'query', 'version': 'latest', 'path': 'nope'}))}",
            404,
            "not_found",
        ),
        (f"q={encode_topics(('docs.page', {'library': 'x', 'version': 'latest', 'path': '../a'}))}", 404, "not_found"),
        (f"q={encode_topics(('figures.library', {'library': 'nope'}))}", 404, "not_found"),
        (f"q={encode_topics(('statistics.import', {}))}", 403, "refused"),
        (f"q={encode_topics(('content.changed', {'repo': 'a/b', 'branch': 'c'}))}", 403, "refused"),
    ],
)
@pytest.mark.parametrize("path", ["/api/live", "/api/live/snapshot"])
def test_hostile_requests_get_an_error(shared: SharedServer, path: str, query: str, status: int, code: str) -> None:
    answer = httpx.get(f"{shared.url}{path}?{query}", timeout=TIMEOUT_S)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_snapshots_are_cached_for_a_minute(shared: SharedServer) -> None:
    address = f"{shared.url}/api/live/snapshot?q={encode_topics(PAGE_TOPIC)}"
    answer = httpx.get(address, timeout=TIMEOUT_S)
    assert answer.headers["cache-control"] == "public, max-age=60"
    (state,) = answer.json()
    assert state["data"]["digest"] == state["v"]
    again = httpx.get(address, headers={"if-none-match": answer.headers["etag"]}, timeout=TIMEOUT_S)
    assert again.status_code == 304


def test_readers_that_leave_are_forgotten(shared: SharedServer) -> None:
    for _ in range(3):
        with StreamReader(shared.url, FAMILY) as reader:
            reader.wait_for("hello")
    for _ in range(30):
        with contextlib.suppress(httpx.HTTPError):
            httpx.get(f"{shared.url}/api/live?q={encode_topics(FAMILY)}&b=same", timeout=0.05)

    def is_free() -> bool:
        parameters = {"q": encode_topics(FAMILY), "b": "same"}
        with httpx.stream("GET", f"{shared.url}/api/live", params=parameters, timeout=TIMEOUT_S) as response:
            return response.status_code == 200

    eventually(is_free, "the streams of the browser are closed")

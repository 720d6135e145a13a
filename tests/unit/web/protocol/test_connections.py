"""Connections: deadlines, limits and the order of responses, with a clock that the test sets."""

from __future__ import annotations

import asyncio
import dataclasses
import socket
from collections.abc import Callable, Iterator
from ipaddress import ip_network

import pytest
from prometheus_client import REGISTRY
from starlette.types import Receive, Send
from tests.sites.sample_site import read_settings
from tests.unit.web.protocol.fake_connections import (
    PAGE,
    AdjustableClockLoop,
    FakeRendererApp,
    FakeServer,
    Handler,
    get,
    post,
)

from kinfolk.config.settings import Settings
from kinfolk.site.site import Site, open_site
from kinfolk.web.protocol.client_limits import HEAD_S, MAX_HEAD_BYTES, MAX_HEADERS, MAX_UNREAD_BYTES, STALLED_S, is_host
from kinfolk.web.protocol.connections import CHECK_EVERY_S as SWEEP_PAUSE_S
from kinfolk.web.protocol.connections import HEALTH_RESERVE, Connections
from kinfolk.web.protocol.http11 import BODY_S, LINGER_S, STOPPING_IDLE_S

MakeServer = Callable[..., FakeServer]
CHECK_EVERY_S = 2 * SWEEP_PAUSE_S
"""Deadlines are checked once a second."""
CLOSE = "connection: close\r\n"


@pytest.fixture(scope="module")
def site() -> Site:
    off = dict.fromkeys(("KINFOLK_MIRROR", "KINFOLK_HIGHLIGHT", "KINFOLK_SEARCH"), "off")
    return open_site(read_settings(off | {"KINFOLK_REFRESH_S": "0"}))


@pytest.fixture
def loop() -> Iterator[AdjustableClockLoop]:
    loop = AdjustableClockLoop()
    yield loop
    loop.close()


@pytest.fixture
def make(site: Site, settings: Settings, loop: AdjustableClockLoop) -> MakeServer:
    def server(**changed: object) -> FakeServer:
        return FakeServer(FakeRendererApp(site, dataclasses.replace(settings, **changed)), loop)  # type: ignore[arg-type]

    return server


@pytest.fixture
def server(make: MakeServer) -> FakeServer:
    """A server that has PAGE in its cache."""
    server = make()
    connection = server.connect()
    connection.send(get())
    server.run_until_idle()
    assert connection.statuses() == [200]
    connection.close_from_client()
    server.run_until_idle()
    return server


def refusals(reason: str) -> float:
    return REGISTRY.get_sample_value("kinfolk_refused_total", {"kind": "connection", "reason": reason}) or 0.0


# Deadlines


def test_new_connection_that_sends_nothing_is_closed(server: FakeServer) -> None:
    connection = server.connect()
    server.wait(HEAD_S - CHECK_EVERY_S)
    assert not connection.has_eof
    server.wait(2 * CHECK_EVERY_S + LINGER_S)
    assert connection.is_lost
    assert connection.received == b""


@pytest.mark.parametrize("before", [b"", get()], ids=["first request", "later request"])
def test_head_has_a_deadline_also_when_bytes_keep_coming(server: FakeServer, before: bytes) -> None:
    connection = server.connect()
    connection.send(before)
    for byte in get()[:12]:
        connection.send(bytes([byte]))
        server.wait(1)
    server.wait(LINGER_S + CHECK_EVERY_S)
    assert connection.is_lost
    assert connection.statuses()[-1] == 408


def test_empty_lines_do_not_extend_the_deadline(server: FakeServer) -> None:
    connection = server.connect()
    for _ in range(int(HEAD_S + LINGER_S + CHECK_EVERY_S)):
        connection.send(b"\r\n")
        server.wait(1)
    assert connection.is_lost


def test_idle_connection_is_kept_for_its_next_request(server: FakeServer) -> None:
    connection = server.connect()
    for _ in range(3):
        connection.send(get())
        server.wait(30 - CHECK_EVERY_S)
    assert connection.statuses() == [200, 200, 200]
    assert not connection.has_eof
    server.wait(2 * CHECK_EVERY_S + LINGER_S)
    assert connection.is_lost


@pytest.mark.parametrize("target", [PAGE, "/_server/theme.get", "/nowhere"])
def test_body_that_no_application_reads_has_a_deadline(server: FakeServer, target: str) -> None:
    connection = server.connect()
    connection.send(get(target, "content-length: 1000000\r\n"))
    server.run_until_idle()
    answered = connection.statuses()
    for _ in range(int(BODY_S + CHECK_EVERY_S)):
        connection.send(b"x")
        server.wait(1)
    server.wait(LINGER_S + CHECK_EVERY_S)
    assert connection.is_lost
    assert connection.statuses() == answered
    assert len(answered) == 1


def test_body_that_an_application_reads_has_a_deadline(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(b"POST /_server/theme.set HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n")
    for _ in range(int(BODY_S + LINGER_S + 2 * CHECK_EVERY_S)):
        connection.send(b"x")
        server.wait(1)
    assert connection.is_lost
    assert connection.statuses() == [408]


def test_too_large_unread_body_ends_the_connection(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(get(PAGE, f"content-length: {MAX_UNREAD_BYTES * 2}\r\n"))
    for _ in range(MAX_UNREAD_BYTES // 2**18 + 1):
        connection.send(b"x" * 2**18)
    server.wait(LINGER_S + CHECK_EVERY_S)
    assert connection.is_lost
    assert connection.statuses() == [200]


@pytest.mark.parametrize("target", [PAGE, "/robots.txt", "/stream"])
def test_client_that_does_not_read_its_answer_is_dropped(server: FakeServer, target: str) -> None:
    async def stream(_: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _number in range(100):
            await send({"type": "http.response.body", "body": b"x" * 10_000, "more_body": True})

    server.app.handlers["/stream"] = stream
    connection = server.connect(reads_all=False)
    connection.send(get(target))
    server.wait(STALLED_S - CHECK_EVERY_S)
    assert not connection.is_lost
    server.wait(2 * CHECK_EVERY_S)
    assert connection.is_lost
    assert server.state.tasks == set()


def test_slow_client_keeps_its_connection_while_it_reads(server: FakeServer) -> None:
    connection = server.connect(reads_all=False)
    connection.send(get())
    for _ in range(5):
        server.wait(STALLED_S - 2 * CHECK_EVERY_S)
        connection.read(10)
    assert not connection.is_lost


def test_close_does_not_wait_for_a_client_that_does_not_read(server: FakeServer) -> None:
    connection = server.connect(reads_all=False)
    connection.send(get(PAGE, CLOSE))
    server.run_until_idle()
    assert connection.is_closing()
    server.wait(STALLED_S + CHECK_EVERY_S)
    assert connection.is_lost


def test_connections_with_most_unsent_bytes_are_dropped(server: FakeServer, settings: Settings) -> None:
    server.app.connections = Connections(settings, unsent_bytes=1000)
    connections = [server.connect(reads_all=False) for _ in range(5)]
    for connection in connections:
        connection.send(get("/robots.txt") + get())
    server.wait(3)
    assert sum(connection.get_write_buffer_size() for connection in connections) <= 1000


# Limits of connections


def test_connections_above_the_limit_get_health_checks_only(make: MakeServer) -> None:
    server = make(connections=32)
    busy = asyncio.Event()
    server.app.handlers["/wait"] = server.app.handlers["/healthz"] = _answering(busy)
    first = [server.connect() for _ in range(32)]
    for connection in first:
        connection.send(get("/wait"))
    page, health = server.connect(), server.connect()
    page.send(get())
    health.send(get("/healthz"))
    busy.set()
    server.wait(LINGER_S + CHECK_EVERY_S)
    refused, answered = page.responses()[0], health.responses()[0]
    assert (refused.status, refused.headers["retry-after"], refused.headers["connection"]) == (503, "10", "close")
    assert (answered.status, answered.headers["connection"]) == (200, "close")
    assert page.is_lost
    assert health.is_lost
    assert all(connection.statuses() == [200] for connection in first)


def test_connections_above_the_health_reserve_are_closed(make: MakeServer) -> None:
    server = make(connections=32)
    server.app.handlers["/wait"] = _answering(asyncio.Event())
    connections = [server.connect() for _ in range(32)]
    for connection in connections:
        connection.send(get("/wait"))
    connections += [server.connect() for _ in range(HEALTH_RESERVE + 5)]
    server.run_until_idle()
    assert sum(connection.is_lost for connection in connections) == 5
    assert len(server.app.connections) == 32 + HEALTH_RESERVE
    for connection in connections:
        connection.close_from_client()
    server.run_until_idle()


def test_new_connections_evict_waiting_ones(make: MakeServer) -> None:
    server = make(connections=32)
    slow = [server.connect() for _ in range(100)]
    for connection in slow:
        connection.send(b"GET / HTTP/1.1\r\n")
    for _ in range(10):
        reader = server.connect()
        reader.send(get())
        server.run_until_idle()
        assert reader.statuses() == [200]
    assert any(connection.is_lost for connection in slow)


def test_connection_above_the_limit_may_make_a_request_once_there_is_room(make: MakeServer) -> None:
    server = make(connections=32)
    first = [server.connect() for _ in range(32)]
    reader = server.connect()
    first[0].close_from_client()
    server.run_until_idle()
    reader.send(get())
    server.run_until_idle()
    assert reader.statuses() == [200]


def test_connections_of_one_address_are_limited(make: MakeServer) -> None:
    server = make(connections_per_address=3)
    before = refusals("address_limit")
    first = [server.connect("2001:db8:1:2::1"), server.connect("2001:db8:1:2::2"), server.connect("2001:db8:1:2:3::")]
    neighbor, other = server.connect("2001:db8:1:2:ffff::9"), server.connect("2001:db8:1:3::1")
    server.run_until_idle()
    assert neighbor.statuses() == [503]
    assert neighbor.is_lost
    assert not other.is_lost
    assert refusals("address_limit") == before + 1
    first[0].close_from_client()
    server.run_until_idle()
    assert not server.connect("2001:db8:1:2:ffff::9").is_closing()


def test_connections_of_trusted_proxies_are_not_counted_by_address(make: MakeServer) -> None:
    server = make(connections_per_address=3, trusted_proxies=(ip_network("10.0.0.0/8"),))
    assert not any(server.connect("10.1.2.3").is_closing() for _ in range(10))
    assert not any(server.connect("::ffff:10.1.2.3").is_closing() for _ in range(10))
    assert [server.connect("127.0.0.1").is_closing() for _ in range(4)] == [False, False, False, True]


class Unchecked:
    """A connection whose check raises; `checks` counts them."""

    unsent_bytes = 0
    stalled = False

    def __init__(self, *, fails: bool) -> None:
        self.checks = 0
        self._fails = fails

    def waits_since_s(self) -> float | None:
        return None

    def check(self, now_s: float) -> None:
        self.checks += 1
        if self._fails:
            raise RuntimeError(f"cannot be checked at {now_s}")

    def drop(self, reason: str) -> None:
        raise AssertionError(reason)


def test_failed_check_does_not_affect_other_connections(settings: Settings, loop: AdjustableClockLoop) -> None:
    connections, broken, sound = Connections(settings), Unchecked(fails=True), Unchecked(fails=False)
    for each in (broken, sound):
        connections.admit(each, None, loop)
    for _ in range(3):
        loop.skip(SWEEP_PAUSE_S)
        loop.run_until_complete(asyncio.sleep(0))
        loop.run_until_complete(asyncio.sleep(0))
    assert (broken.checks, sound.checks, len(connections)) == (1, 3, 1)


def test_limit_reserves_file_descriptors(settings: Settings) -> None:
    assert Connections(settings, descriptors=20_000).limit == settings.connections
    assert Connections(settings, descriptors=1024).limit < 1024 - HEALTH_RESERVE - 100


def test_open_connections_are_in_the_metrics(make: MakeServer) -> None:
    server = make()
    connections = [server.connect() for _ in range(3)]
    server.wait(CHECK_EVERY_S)
    assert REGISTRY.get_sample_value("kinfolk_connections") == 3
    for connection in connections:
        connection.close_from_client()
    server.wait(CHECK_EVERY_S)
    assert REGISTRY.get_sample_value("kinfolk_connections") == 0


# Heads and bodies


@pytest.mark.parametrize(
    ("before", "piece"),
    [
        (get()[:-2], b"x-header: " + b"x" * 1000 + b"\r\n"),
        (get()[:-2] + b"x-header: ", b"x" * 1000),
        (b"GET /", b"x" * 1000),
        (get(PAGE, "transfer-encoding: chunked\r\n") + b"0\r\n", b"x-trailer: " + b"x" * 1000 + b"\r\n"),
        (get("/nowhere", "transfer-encoding: chunked\r\n") + b"0\r\nx-trailer: ", b"x" * 1000),
        (get("/nowhere", "transfer-encoding: chunked\r\n") + b"1;", b"x" * 1000),
        (get("/nowhere", "transfer-encoding: chunked\r\n"), b"0" * 1000),
        (get("/nowhere", "transfer-encoding: chunked\r\n"), b"1\r\nx\r\n" * 1000),
    ],
    ids=["headers", "header", "target", "trailers", "trailer", "chunk extension", "chunk size", "small chunks"],
)
def test_bytes_outside_the_body_are_limited(server: FakeServer, before: bytes, piece: bytes) -> None:
    connection = server.connect()
    connection.send(before)
    server.run_until_idle()
    sent = 0
    while not connection.has_eof and sent < 10 * MAX_HEAD_BYTES:
        connection.send(piece)
        sent += len(piece)
        server.run_until_idle()
    assert connection.has_eof
    assert sent <= 3 * MAX_HEAD_BYTES


def test_trailers_do_not_become_headers(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(
        get("/nowhere", "transfer-encoding: chunked\r\n") + b"1\r\nx\r\n0\r\nx-forwarded-for: 10.0.0.1\r\n\r\n"
    )
    server.run_until_idle()
    assert connection.statuses() == [404]
    assert b"x-forwarded-for" not in dict(connection.protocol.scope["headers"])


def test_body_in_small_chunks_is_read(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(get("/_server/theme.get", "transfer-encoding: chunked\r\n") + b"8\r\n12345678\r\n" * 20_000)
    connection.send(b"0\r\n\r\n" + get())
    server.run_until_idle()
    assert connection.statuses() == [200, 200]


def test_number_of_headers_is_limited(server: FakeServer) -> None:
    for number, status in ((MAX_HEADERS - 1, 200), (MAX_HEADERS, 431)):
        connection = server.connect()
        connection.send(get(PAGE, "a: b\r\n" * number))
        assert connection.statuses() == [status]


@pytest.mark.parametrize("target", [PAGE, "/nowhere", "/_server/theme.get"])
@pytest.mark.parametrize(
    "hosts",
    [
        "",
        "host: a\r\nhost: a\r\n",
        "host: a\r\nhost: b\r\n",
        "host:\r\n",
        "host: a b\r\n",
        "host: a,b\r\n",
        "host: a/b\r\n",
        "host: user@a\r\n",
        "host: a:b\r\n",
        "host: a:123456\r\n",
        "host: [::1\r\n",
        "host: <script>\r\n",
        f"host: {'a' * 300}\r\n",
    ],
)
def test_request_needs_one_valid_host(server: FakeServer, target: str, hosts: str) -> None:
    connection = server.connect()
    connection.send(f"GET {target} HTTP/1.1\r\n{hosts}\r\n".encode() + get())
    server.run_until_idle()
    assert connection.statuses() == [400]


@pytest.mark.parametrize("host", ["a", "kinfolk.test", "a_b.example", "127.0.0.1:8000", "[::1]", "[::1]:80", "x%20y"])
def test_names_and_addresses_are_hosts(host: str) -> None:
    assert is_host(host.encode())


def test_old_clients_need_no_host(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(f"GET {PAGE} HTTP/1.0\r\n\r\n".encode())
    server.run_until_idle()
    assert connection.statuses() == [200]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (f"http://kinfolk.test{PAGE}", 200),
        (f"HTTPS://Kinfolk.test:443{PAGE}?utm=x", 200),
        ("http://kinfolk.test", 200),
        ("http://kinfolk.test?a=b", 200),
        (f"http://user@kinfolk.test{PAGE}", 400),
        (f"http://{PAGE}", 400),
        (f"ftp://kinfolk.test{PAGE}", 400),
        ("*", 400),
    ],
)
def test_absolute_target_is_answered_like_its_path(server: FakeServer, target: str, status: int) -> None:
    connection = server.connect()
    connection.send(get(target))
    server.run_until_idle()
    assert connection.statuses() == [status]


def test_host_of_the_target_replaces_the_header(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(get("http://other.test/nowhere"))
    assert dict(connection.protocol.scope["headers"])[b"host"] == b"other.test"


# Order of responses


def test_rejection_follows_earlier_responses(server: FakeServer) -> None:
    busy = asyncio.Event()
    server.app.handlers["/wait"] = _answering(busy)
    connection = server.connect()
    connection.send(get("/wait") + get("/nowhere") + b"this is no HTTP\r\n\r\n")
    server.run_until_idle()
    assert connection.received == b""
    busy.set()
    server.run_until_idle()
    assert connection.statuses() == [200, 404, 400]
    assert connection.has_eof


def test_invalid_body_is_answered_once(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(get("/nowhere") + get("/_server/theme.get", "transfer-encoding: chunked\r\n") + b"x\r\n" + get())
    server.run_until_idle()
    assert connection.statuses() == [404, 400]


def test_pipelined_requests_are_limited(server: FakeServer) -> None:
    busy = asyncio.Event()
    server.app.handlers["/wait"] = _answering(busy)
    connection = server.connect()
    connection.send(get("/wait") + get("/_server/theme.get") * 2000)
    assert connection.is_paused
    assert len(connection.protocol.pipeline) < 100
    busy.set()
    while len(connection.responses()) < 2001:
        server.run_until_idle()
    assert set(connection.statuses()) == {200}
    assert not connection.is_paused


@pytest.mark.no_cover
def test_500_pipelined_requests_are_answered_in_order(server: FakeServer) -> None:
    targets = [f"/blog/nowhere/{number}" if number % 3 else PAGE for number in range(500)]
    connection = server.connect()
    connection.send(b"".join(map(get, targets)))
    while len(connection.responses()) < 500:
        server.run_until_idle()
    for target, answer in zip(targets, connection.responses(), strict=True):
        assert f"<title>{target}</title>".encode() in answer.body


def test_bytes_after_the_last_request_are_not_answered(server: FakeServer) -> None:
    for last in (get(PAGE, CLOSE), get(version="1.0"), get(PAGE, "connection: upgrade\r\nupgrade: h2c\r\n")):
        connection = server.connect()
        connection.send(last + get() + b"junk")
        server.run_until_idle()
        assert connection.statuses() == [200]
        assert connection.responses()[0].headers["connection"] == "close"
        assert connection.is_lost


def test_body_of_an_upgrade_request_is_not_a_request(server: FakeServer) -> None:
    connection = server.connect()
    upgrade = f"content-length: {len(get())}\r\nconnection: upgrade\r\nupgrade: h2c\r\n"
    connection.send(get("/nowhere", upgrade))
    connection.send(get())
    server.run_until_idle()
    assert connection.statuses() == [400]


def test_unread_expected_body_ends_the_connection(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(get("/nowhere", "expect: 100-continue\r\n", "content-length: 1000\r\n"))
    server.run_until_idle()
    connection.send(get())
    server.run_until_idle()
    assert connection.statuses() == [404]
    assert connection.has_eof


def test_application_is_notified_of_a_disconnect(server: FakeServer) -> None:
    gone: list[str] = []

    async def listen(receive: Receive, _: Send) -> None:
        await receive()
        gone.append((await receive())["type"])

    server.app.handlers["/listen"] = listen
    connection = server.connect()
    connection.send(get("/listen") + get("/nowhere"))
    server.run_until_idle()
    connection.close_from_client()
    server.run_until_idle()
    assert gone == ["http.disconnect"]


@pytest.mark.parametrize("target", ["/_server/theme.set", "/_hooks/github", "/1/indexes/*/queries"])
def test_disconnect_is_not_an_error(make: MakeServer, caplog: pytest.LogCaptureFixture, target: str) -> None:
    server = make(webhook_secret="x")
    connection = server.connect()
    connection.send(post(target, b"")[:-4].replace(b"length: 0", b"length: 100") + b"\r\n\r\nabc")
    server.run_until_idle()
    connection.close_from_client()
    server.run_until_idle()
    assert server.state.tasks == set()
    assert caplog.records == []


# While the server stops


def test_requests_that_arrive_while_the_server_stops_are_answered(server: FakeServer) -> None:
    busy, idle = server.connect(), server.connect()
    for connection in (busy, idle):
        connection.send(get())
        connection.protocol.shutdown()
    server.wait(STOPPING_IDLE_S / 2)
    busy.send(get())
    server.wait(STOPPING_IDLE_S + LINGER_S, step_s=0.1)
    assert busy.statuses() == [200, 200]
    assert busy.responses()[1].headers["connection"] == "close"
    assert idle.statuses() == [200]
    assert busy.is_lost
    assert idle.is_lost


def test_request_that_the_event_loop_has_not_read_yet_is_answered(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(get())
    server.run_until_idle()
    connection.socket, client = socket.socketpair()
    with connection.socket, client:
        connection.protocol.shutdown()
        client.send(get())
        server.wait(STOPPING_IDLE_S + LINGER_S, step_s=0.1)
        assert not connection.has_eof
        connection.send(connection.socket.recv(1000))
        server.wait(STOPPING_IDLE_S + LINGER_S, step_s=0.1)
    assert connection.statuses() == [200, 200]
    assert connection.is_lost


def test_response_during_shutdown_has_connection_close(server: FakeServer) -> None:
    go = asyncio.Event()
    server.app.handlers["/wait"] = _answering(go)
    connection = server.connect()
    connection.send(get("/wait"))
    server.run_until_idle()
    connection.protocol.shutdown()
    go.set()
    server.run_until_idle()
    assert connection.responses()[0].headers["connection"] == "close"
    assert connection.is_lost


async def _answer(send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def _answering(event: asyncio.Event) -> Handler:
    async def answer(_: Receive, send: Send) -> None:
        await event.wait()
        await _answer(send)

    return answer


# Headers of all responses


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (get(), 200),
        (get(PAGE, 'if-none-match: "*"\r\n'), 200),
        (get(PAGE, "if-none-match: *\r\n"), 304),
        (get("/nowhere"), 404),
        (post("/", b""), 405),
        (get("/_server/nope"), 404),
        (get("/" + "x" * 5000), 414),
        (get("/..%2fx"), 400),
        (get("*"), 400),
        (b"junk\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (get(version="2.0"), 505),
        (get(PAGE, "transfer-encoding: gzip\r\n"), 501),
        (get(PAGE, "a: b\r\n" * 300), 431),
    ],
)
def test_all_responses_have_security_headers(make: MakeServer, request_: bytes, status: int) -> None:
    server = make(hsts_s=86400)
    connection = server.connect()
    connection.send(get())
    server.run_until_idle()
    connection.send(request_)
    server.run_until_idle()
    cold, answer = connection.responses()
    assert answer.status == status
    for found in (cold, answer):
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["strict-transport-security"] == "max-age=86400"


def test_hsts_is_off_by_default(server: FakeServer) -> None:
    connection = server.connect()
    connection.send(get() + get("/nowhere") + b"junk")
    server.run_until_idle()
    assert [answer.headers.get("strict-transport-security") for answer in connection.responses()] == [None] * 3


@pytest.mark.parametrize("accept", ["text/markdown", "TEXT/MARKDOWN", "Text/Markdown;q=1, */*;q=0.5"])
def test_markdown_is_sent_also_for_cached_pages(make: MakeServer, accept: str) -> None:
    server = make()
    connection = server.connect()
    for headers in ([f"accept: {accept}\r\n"], [], [f"accept: {accept}\r\n"]):
        connection.send(get(PAGE, *headers))
        server.run_until_idle()
    kinds = [answer.headers["content-type"] for answer in connection.responses()]
    assert kinds == ["text/markdown; charset=utf-8", "text/html; charset=utf-8", "text/markdown; charset=utf-8"]

"""One connection at a time: deadlines, limits and answers in turn, by a clock that the test sets."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterator
from ipaddress import ip_network

import pytest
from prometheus_client import REGISTRY
from starlette.types import Receive, Send
from tests.unit.wire import PAGE, App, Edge, Handler, SkippingLoop, get, post

from kinfolk.settings import Settings, read_settings
from kinfolk.site import Site, open_site
from kinfolk.web.connections import SPARE, Connections
from kinfolk.web.connections import SWEEP_S as SWEEP_PAUSE_S
from kinfolk.web.limits import HEAD_S, LARGEST_HEAD, LARGEST_UNREAD, MOST_HEADERS, STALLED_S, is_host
from kinfolk.web.protocol import BODY_S, LINGER_S, QUIET_S

MakeEdge = Callable[..., Edge]
SWEEP_S = 2 * SWEEP_PAUSE_S
"""Deadlines are checked once a second."""
CLOSE = "connection: close\r\n"


@pytest.fixture(scope="module")
def site() -> Site:
    off = dict.fromkeys(("KINFOLK_MIRROR", "KINFOLK_HIGHLIGHT", "KINFOLK_SEARCH"), "off")
    return open_site(read_settings(off | {"KINFOLK_REFRESH_S": "0"}))


@pytest.fixture
def loop() -> Iterator[SkippingLoop]:
    loop = SkippingLoop()
    yield loop
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


@pytest.fixture
def make(site: Site, settings: Settings, loop: SkippingLoop) -> MakeEdge:
    def edge(**changed: object) -> Edge:
        return Edge(App(site, dataclasses.replace(settings, **changed)), loop)  # type: ignore[arg-type]

    return edge


@pytest.fixture
def edge(make: MakeEdge) -> Edge:
    """One that keeps PAGE."""
    edge = make()
    wire = edge.connect()
    wire.send(get())
    edge.settle()
    assert wire.statuses() == [200]
    wire.close_from_client()
    edge.settle()
    return edge


def refusals(reason: str) -> float:
    return REGISTRY.get_sample_value("kinfolk_refused_total", {"kind": "connection", "reason": reason}) or 0.0


# Deadlines


def test_new_connection_that_sends_nothing_is_closed(edge: Edge) -> None:
    wire = edge.connect()
    edge.wait(HEAD_S - SWEEP_S)
    assert not wire.has_eof
    edge.wait(2 * SWEEP_S + LINGER_S)
    assert wire.is_lost
    assert wire.received == b""


@pytest.mark.parametrize("before", [b"", get()], ids=["first request", "later request"])
def test_head_has_a_deadline_also_when_bytes_keep_coming(edge: Edge, before: bytes) -> None:
    wire = edge.connect()
    wire.send(before)
    for byte in get()[:12]:
        wire.send(bytes([byte]))
        edge.wait(1)
    edge.wait(LINGER_S + SWEEP_S)
    assert wire.is_lost
    assert wire.statuses()[-1] == 408


def test_empty_lines_before_a_request_are_no_sign_of_life(edge: Edge) -> None:
    wire = edge.connect()
    for _ in range(int(HEAD_S + LINGER_S + SWEEP_S)):
        wire.send(b"\r\n")
        edge.wait(1)
    assert wire.is_lost


def test_idle_connection_is_kept_for_its_next_request(edge: Edge) -> None:
    wire = edge.connect()
    for _ in range(3):
        wire.send(get())
        edge.wait(30 - SWEEP_S)
    assert wire.statuses() == [200, 200, 200]
    assert not wire.has_eof
    edge.wait(2 * SWEEP_S + LINGER_S)
    assert wire.is_lost


@pytest.mark.parametrize("target", [PAGE, "/_server/theme.get", "/nowhere"])
def test_body_that_no_application_reads_has_a_deadline(edge: Edge, target: str) -> None:
    wire = edge.connect()
    wire.send(get(target, "content-length: 1000000\r\n"))
    edge.settle()
    answered = wire.statuses()
    for _ in range(int(BODY_S + SWEEP_S)):
        wire.send(b"x")
        edge.wait(1)
    edge.wait(LINGER_S + SWEEP_S)
    assert wire.is_lost
    assert wire.statuses() == answered
    assert len(answered) == 1


def test_body_that_an_application_waits_for_has_a_deadline(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(b"POST /_server/theme.set HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n")
    for _ in range(int(BODY_S + LINGER_S + 2 * SWEEP_S)):
        wire.send(b"x")
        edge.wait(1)
    assert wire.is_lost
    assert wire.statuses() == [408]


def test_body_larger_than_is_thrown_away_ends_the_connection(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(get(PAGE, f"content-length: {LARGEST_UNREAD * 2}\r\n"))
    for _ in range(LARGEST_UNREAD // 2**18 + 1):
        wire.send(b"x" * 2**18)
    edge.wait(LINGER_S + SWEEP_S)
    assert wire.is_lost
    assert wire.statuses() == [200]


@pytest.mark.parametrize("target", [PAGE, "/robots.txt", "/stream"])
def test_client_that_does_not_read_its_answer_is_dropped(edge: Edge, target: str) -> None:
    async def stream(_: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _number in range(100):
            await send({"type": "http.response.body", "body": b"x" * 10_000, "more_body": True})

    edge.app.handlers["/stream"] = stream
    wire = edge.connect(takes_all=False)
    wire.send(get(target))
    edge.wait(STALLED_S - SWEEP_S)
    assert not wire.is_lost
    edge.wait(2 * SWEEP_S)
    assert wire.is_lost
    assert edge.state.tasks == set()


def test_slow_reader_keeps_its_connection_while_it_takes_something(edge: Edge) -> None:
    wire = edge.connect(takes_all=False)
    wire.send(get())
    for _ in range(5):
        edge.wait(STALLED_S - 2 * SWEEP_S)
        wire.take(10)
    assert not wire.is_lost


def test_closing_does_not_wait_for_a_client_that_takes_nothing(edge: Edge) -> None:
    wire = edge.connect(takes_all=False)
    wire.send(get(PAGE, CLOSE))
    edge.settle()
    assert wire.is_closing()
    edge.wait(STALLED_S + SWEEP_S)
    assert wire.is_lost


def test_unsent_answers_are_dropped_before_they_fill_the_memory(edge: Edge, settings: Settings) -> None:
    edge.app.connections = Connections(settings, unsent_bytes=1000)
    wires = [edge.connect(takes_all=False) for _ in range(5)]
    for wire in wires:
        wire.send(get("/robots.txt") + get())
    edge.wait(3)
    assert sum(wire.get_write_buffer_size() for wire in wires) <= 1000


# How many connections


def test_connections_above_the_limit_get_health_checks_only(make: MakeEdge) -> None:
    edge = make(connections=32)
    busy = asyncio.Event()
    edge.app.handlers["/wait"] = edge.app.handlers["/healthz"] = _answering(busy)
    first = [edge.connect() for _ in range(32)]
    for wire in first:
        wire.send(get("/wait"))
    page, health = edge.connect(), edge.connect()
    page.send(get())
    health.send(get("/healthz"))
    busy.set()
    edge.wait(LINGER_S + SWEEP_S)
    refused, answered = page.answers()[0], health.answers()[0]
    assert (refused.status, refused.headers["retry-after"], refused.headers["connection"]) == (503, "10", "close")
    assert (answered.status, answered.headers["connection"]) == (200, "close")
    assert page.is_lost
    assert health.is_lost
    assert all(wire.statuses() == [200] for wire in first)


def test_connections_above_the_spare_ones_are_closed_at_once(make: MakeEdge) -> None:
    edge = make(connections=32)
    edge.app.handlers["/wait"] = _answering(asyncio.Event())
    wires = [edge.connect() for _ in range(32)]
    for wire in wires:
        wire.send(get("/wait"))
    wires += [edge.connect() for _ in range(SPARE + 5)]
    edge.settle()
    assert sum(wire.is_lost for wire in wires) == 5
    assert len(edge.app.connections) == 32 + SPARE
    for wire in wires:
        wire.close_from_client()
    edge.settle()


def test_readers_take_the_place_of_connections_that_wait_for_their_clients(make: MakeEdge) -> None:
    edge = make(connections=32)
    slow = [edge.connect() for _ in range(100)]
    for wire in slow:
        wire.send(b"GET / HTTP/1.1\r\n")
    for _ in range(10):
        reader = edge.connect()
        reader.send(get())
        edge.settle()
        assert reader.statuses() == [200]
    assert any(wire.is_lost for wire in slow)


def test_connection_above_the_limit_may_make_a_request_once_there_is_room(make: MakeEdge) -> None:
    edge = make(connections=32)
    first = [edge.connect() for _ in range(32)]
    reader = edge.connect()
    first[0].close_from_client()
    edge.settle()
    reader.send(get())
    edge.settle()
    assert reader.statuses() == [200]


def test_one_address_has_a_limit_of_its_own(make: MakeEdge) -> None:
    edge = make(connections_per_address=3)
    before = refusals("address_limit")
    first = [edge.connect("2001:db8:1:2::1"), edge.connect("2001:db8:1:2::2"), edge.connect("2001:db8:1:2:3::")]
    neighbor, other = edge.connect("2001:db8:1:2:ffff::9"), edge.connect("2001:db8:1:3::1")
    edge.settle()
    assert neighbor.statuses() == [503]
    assert neighbor.is_lost
    assert not other.is_lost
    assert refusals("address_limit") == before + 1
    first[0].close_from_client()
    edge.settle()
    assert not edge.connect("2001:db8:1:2:ffff::9").is_closing()


def test_connections_of_trusted_proxies_are_not_counted_by_address(make: MakeEdge) -> None:
    edge = make(connections_per_address=3, trusted_proxies=(ip_network("10.0.0.0/8"),))
    assert not any(edge.connect("10.1.2.3").is_closing() for _ in range(10))
    assert not any(edge.connect("::ffff:10.1.2.3").is_closing() for _ in range(10))
    assert [edge.connect("127.0.0.1").is_closing() for _ in range(4)] == [False, False, False, True]


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


def test_connection_that_cannot_be_checked_does_not_end_the_deadlines_of_others(
    settings: Settings, loop: SkippingLoop
) -> None:
    connections, broken, sound = Connections(settings), Unchecked(fails=True), Unchecked(fails=False)
    for each in (broken, sound):
        connections.admit(each, None, loop)
    for _ in range(3):
        loop.skip(SWEEP_PAUSE_S)
        loop.run_until_complete(asyncio.sleep(0))
        loop.run_until_complete(asyncio.sleep(0))
    assert (broken.checks, sound.checks, len(connections)) == (1, 3, 1)


def test_limit_leaves_file_descriptors_for_everything_else(settings: Settings) -> None:
    assert Connections(settings, descriptors=20_000).limit == settings.connections
    assert Connections(settings, descriptors=1024).limit < 1024 - SPARE - 100


def test_open_connections_are_measured(make: MakeEdge) -> None:
    edge = make()
    wires = [edge.connect() for _ in range(3)]
    edge.wait(SWEEP_S)
    assert REGISTRY.get_sample_value("kinfolk_connections") == 3
    for wire in wires:
        wire.close_from_client()
    edge.wait(SWEEP_S)
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
def test_what_is_not_a_body_has_a_limit(edge: Edge, before: bytes, piece: bytes) -> None:
    wire = edge.connect()
    wire.send(before)
    edge.settle()
    sent = 0
    while not wire.has_eof and sent < 10 * LARGEST_HEAD:
        wire.send(piece)
        sent += len(piece)
        edge.settle()
    assert wire.has_eof
    assert sent <= 3 * LARGEST_HEAD


def test_trailers_do_not_become_headers(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(get("/nowhere", "transfer-encoding: chunked\r\n") + b"1\r\nx\r\n0\r\nx-forwarded-for: 10.0.0.1\r\n\r\n")
    edge.settle()
    assert wire.statuses() == [404]
    assert b"x-forwarded-for" not in dict(wire.protocol.scope["headers"])


def test_body_in_chunks_of_some_bytes_is_read(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(get("/_server/theme.get", "transfer-encoding: chunked\r\n") + b"8\r\n12345678\r\n" * 20_000)
    wire.send(b"0\r\n\r\n" + get())
    edge.settle()
    assert wire.statuses() == [200, 200]


def test_number_of_headers_has_a_limit(edge: Edge) -> None:
    for number, status in ((MOST_HEADERS - 1, 200), (MOST_HEADERS, 431)):
        wire = edge.connect()
        wire.send(get(PAGE, "a: b\r\n" * number))
        assert wire.statuses() == [status]


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
def test_request_needs_one_valid_host(edge: Edge, target: str, hosts: str) -> None:
    wire = edge.connect()
    wire.send(f"GET {target} HTTP/1.1\r\n{hosts}\r\n".encode() + get())
    edge.settle()
    assert wire.statuses() == [400]


@pytest.mark.parametrize("host", ["a", "kinfolk.test", "a_b.example", "127.0.0.1:8000", "[::1]", "[::1]:80", "x%20y"])
def test_names_and_addresses_are_hosts(host: str) -> None:
    assert is_host(host.encode())


def test_old_clients_need_no_host(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(f"GET {PAGE} HTTP/1.0\r\n\r\n".encode())
    edge.settle()
    assert wire.statuses() == [200]


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
def test_target_with_a_host_is_answered_as_one_without(edge: Edge, target: str, status: int) -> None:
    wire = edge.connect()
    wire.send(get(target))
    edge.settle()
    assert wire.statuses() == [status]


def test_host_of_the_target_replaces_the_header(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(get("http://other.test/nowhere"))
    assert dict(wire.protocol.scope["headers"])[b"host"] == b"other.test"


# Answers in turn


def test_error_waits_for_the_answers_to_earlier_requests(edge: Edge) -> None:
    busy = asyncio.Event()
    edge.app.handlers["/wait"] = _answering(busy)
    wire = edge.connect()
    wire.send(get("/wait") + get("/nowhere") + b"this is no HTTP\r\n\r\n")
    edge.settle()
    assert wire.received == b""
    busy.set()
    edge.settle()
    assert wire.statuses() == [200, 404, 400]
    assert wire.has_eof


def test_broken_body_is_answered_once(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(get("/nowhere") + get("/_server/theme.get", "transfer-encoding: chunked\r\n") + b"x\r\n" + get())
    edge.settle()
    assert wire.statuses() == [404, 400]


def test_requests_that_wait_are_bounded(edge: Edge) -> None:
    busy = asyncio.Event()
    edge.app.handlers["/wait"] = _answering(busy)
    wire = edge.connect()
    wire.send(get("/wait") + get("/_server/theme.get") * 2000)
    assert wire.is_paused
    assert len(wire.protocol.pipeline) < 100
    busy.set()
    while len(wire.answers()) < 2001:
        edge.settle()
    assert set(wire.statuses()) == {200}
    assert not wire.is_paused


def test_500_requests_at_once_are_answered_in_their_order(edge: Edge) -> None:
    targets = [f"/nowhere/{number}" if number % 3 else PAGE for number in range(500)]
    wire = edge.connect()
    wire.send(b"".join(map(get, targets)))
    while len(wire.answers()) < 500:
        edge.settle()
    for target, answer in zip(targets, wire.answers(), strict=True):
        assert f"<title>{target}</title>".encode() in answer.body


def test_what_follows_the_last_request_is_not_answered(edge: Edge) -> None:
    for last in (get(PAGE, CLOSE), get(version="1.0"), get(PAGE, "connection: upgrade\r\nupgrade: h2c\r\n")):
        wire = edge.connect()
        wire.send(last + get() + b"junk")
        edge.settle()
        assert wire.statuses() == [200]
        assert wire.answers()[0].headers["connection"] == "close"
        assert wire.is_lost


def test_body_of_a_request_for_another_protocol_is_not_taken_for_a_request(edge: Edge) -> None:
    wire = edge.connect()
    upgrade = f"content-length: {len(get())}\r\nconnection: upgrade\r\nupgrade: h2c\r\n"
    wire.send(get("/nowhere", upgrade))
    wire.send(get())
    edge.settle()
    assert wire.statuses() == [400]


def test_request_whose_body_was_not_asked_for_is_the_last(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(get("/nowhere", "expect: 100-continue\r\n", "content-length: 1000\r\n"))
    edge.settle()
    wire.send(get())
    edge.settle()
    assert wire.statuses() == [404]
    assert wire.has_eof


def test_application_learns_that_the_client_is_gone(edge: Edge) -> None:
    gone: list[str] = []

    async def listen(receive: Receive, _: Send) -> None:
        await receive()
        gone.append((await receive())["type"])

    edge.app.handlers["/listen"] = listen
    wire = edge.connect()
    wire.send(get("/listen") + get("/nowhere"))
    edge.settle()
    wire.close_from_client()
    edge.settle()
    assert gone == ["http.disconnect"]


@pytest.mark.parametrize("target", ["/_server/theme.set", "/_hooks/github", "/1/indexes/*/queries"])
def test_client_that_disconnects_is_no_error(make: MakeEdge, caplog: pytest.LogCaptureFixture, target: str) -> None:
    edge = make(webhook_secret="x")
    wire = edge.connect()
    wire.send(post(target, b"")[:-4].replace(b"length: 0", b"length: 100") + b"\r\n\r\nabc")
    edge.settle()
    wire.close_from_client()
    edge.settle()
    assert edge.state.tasks == set()
    assert caplog.records == []


# While the server stops


def test_requests_that_arrive_while_the_server_stops_are_answered(edge: Edge) -> None:
    busy, idle = edge.connect(), edge.connect()
    for wire in (busy, idle):
        wire.send(get())
        wire.protocol.shutdown()
    edge.wait(QUIET_S / 2)
    busy.send(get())
    edge.wait(QUIET_S + LINGER_S, step_s=0.1)
    assert busy.statuses() == [200, 200]
    assert busy.answers()[1].headers["connection"] == "close"
    assert idle.statuses() == [200]
    assert busy.is_lost
    assert idle.is_lost


def test_answer_under_way_says_that_the_connection_closes(edge: Edge) -> None:
    go = asyncio.Event()
    edge.app.handlers["/wait"] = _answering(go)
    wire = edge.connect()
    wire.send(get("/wait"))
    edge.settle()
    wire.protocol.shutdown()
    go.set()
    edge.settle()
    assert wire.answers()[0].headers["connection"] == "close"
    assert wire.is_lost


async def _answer(send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def _answering(event: asyncio.Event) -> Handler:
    async def answer(_: Receive, send: Send) -> None:
        await event.wait()
        await _answer(send)

    return answer


# Headers of every answer


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
def test_every_answer_has_the_security_headers(make: MakeEdge, request_: bytes, status: int) -> None:
    edge = make(hsts_s=86400)
    wire = edge.connect()
    wire.send(get())
    edge.settle()
    wire.send(request_)
    edge.settle()
    cold, answer = wire.answers()
    assert answer.status == status
    for found in (cold, answer):
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["strict-transport-security"] == "max-age=86400"


def test_hsts_is_off_by_default(edge: Edge) -> None:
    wire = edge.connect()
    wire.send(get() + get("/nowhere") + b"junk")
    edge.settle()
    assert [answer.headers.get("strict-transport-security") for answer in wire.answers()] == [None] * 3


@pytest.mark.parametrize("accept", ["text/markdown", "TEXT/MARKDOWN", "Text/Markdown;q=1, */*;q=0.5"])
def test_markdown_is_sent_whether_the_page_is_cached_or_not(make: MakeEdge, accept: str) -> None:
    edge = make()
    wire = edge.connect()
    for headers in ([f"accept: {accept}\r\n"], [], [f"accept: {accept}\r\n"]):
        wire.send(get(PAGE, *headers))
        edge.settle()
    kinds = [answer.headers["content-type"] for answer in wire.answers()]
    assert kinds == ["text/markdown; charset=utf-8", "text/html; charset=utf-8", "text/markdown; charset=utf-8"]

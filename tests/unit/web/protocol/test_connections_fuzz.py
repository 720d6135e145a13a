"""Fuzz tests of connections: requests, mutated requests, pauses and disconnects."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Receive, Send
from tests.sites.sample_site import read_settings
from tests.unit.web.protocol.fake_connections import (
    PAGE,
    AdjustableClockLoop,
    FakeConnection,
    FakeRendererApp,
    FakeServer,
    get,
)

from kinfolk.site.site import open_site
from kinfolk.web.protocol.client_limits import HEAD_S, MAX_HEAD_BYTES
from kinfolk.web.protocol.http11 import BODY_S, HEAD_CHUNK, LINGER_S

pytestmark = pytest.mark.fuzz
CASES = settings(max_examples=int(os.environ.get("FUZZ_CASES", "200")), deadline=None)
READ = 2**18
"""The maximum number of bytes of one read from a socket."""
LONGEST_WAIT_S = int(max(HEAD_S, BODY_S, 30) + LINGER_S + 5)

FIELDS = [
    b"host: kinfolk.test\r\n",
    b"host: other\r\n",
    b"accept-encoding: br\r\n",
    b"if-none-match: *\r\n",
    b"accept: text/markdown\r\n",
    b"connection: close\r\n",
    b"connection: upgrade\r\nupgrade: websocket\r\n",
    b"expect: 100-continue\r\n",
    b"content-length: 5\r\n",
    b"content-length: 0\r\n",
    b"content-length: 99999999999999999999\r\n",
    b"transfer-encoding: chunked\r\n",
    b"transfer-encoding: gzip\r\n",
    b"content-type: application/json\r\n",
    b"content-type: multipart/form-data; boundary=x\r\n",
    b"cookie: theme=dark\r\n",
    b"range: bytes=0-\r\n",
    b" folded\r\n",
    b"no colon\r\n",
    b"x: \x00\r\n",
    b"x: \xff\r\n",
    b"x: " + b"y" * 3000 + b"\r\n",
    b"x: y\r\n" * 300,
]
LINES = [
    b"GET %b HTTP/1.1\r\n" % PAGE.encode(),
    b"HEAD %b HTTP/1.1\r\n" % PAGE.encode(),
    b"GET %b HTTP/1.0\r\n" % PAGE.encode(),
    b"GET http://kinfolk.test/nowhere HTTP/1.1\r\n",
    b"GET /wait HTTP/1.1\r\n",
    b"GET /robots.txt HTTP/1.1\r\n",
    b"GET /%ff%00?a=%zz HTTP/1.1\r\n",
    b"GET /nowhere?" + b"x" * 5000 + b" HTTP/1.1\r\n",
    b"POST /_server/theme.set HTTP/1.1\r\n",
    b"POST /_hooks/github HTTP/1.1\r\n",
    b"POST /1/indexes/*/queries HTTP/1.1\r\n",
    b"OPTIONS * HTTP/1.1\r\n",
    b"CONNECT a:80 HTTP/1.1\r\n",
    b"GET / HTTP/2.0\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /\r\n",
    b"\r\n",
]
BODIES = [
    b"",
    b"12345",
    b'{"data":null}',
    b"5\r\n12345\r\n0\r\n\r\n",
    b"5;a=b\r\n12345\r\n0\r\nx: y\r\n\r\n",
    b"fffffffffffffffff\r\n",
    b"-1\r\n",
    b"1\r\nx\r\n" * 500,
    b"0\r\n" + b"x: y\r\n" * 100,
    b"1;" + b"x" * 3000,
]
requests = st.builds(
    lambda line, fields, blank, body: line + b"".join(fields) + blank + body,
    st.sampled_from(LINES),
    st.lists(st.sampled_from(FIELDS) | st.binary(max_size=20), max_size=5),
    st.sampled_from([b"\r\n", b"\n", b""]),
    st.sampled_from(BODIES) | st.binary(max_size=50),
)

mutations = st.lists(
    st.tuples(st.sampled_from(["insert", "delete", "repeat", "replace"]), st.integers(0, 4000), st.binary(max_size=8)),
    max_size=4,
)
targets = st.lists(
    st.sampled_from([PAGE, "/blog/nowhere/1", "/blog/nowhere/2", "/wait?1", "/wait?2", "/blog/nowhere/3"]), max_size=6
)
cuts = st.lists(st.integers(0, 8000), max_size=8)
pauses_s = st.lists(st.sampled_from([0, 0, 0, 1, 6, 12, 31]), max_size=8)


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    """A server that has PAGE in its cache, and answers /wait after a second."""

    async def wait(_: Receive, send: Send) -> None:
        await asyncio.sleep(1)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"done"})

    off = dict.fromkeys(("KINFOLK_MIRROR", "KINFOLK_HIGHLIGHT", "KINFOLK_SEARCH"), "off")
    app = FakeRendererApp(open_site(read_settings(off)))
    app.handlers["/wait"] = wait
    loop = AdjustableClockLoop()
    loop.set_exception_handler(_unexpected)
    server = FakeServer(app, loop)
    connection = server.connect()
    connection.send(get())
    server.run_until_idle()
    connection.close_from_client()
    server.run_until_idle()
    yield server
    loop.close()


def _unexpected(_: asyncio.AbstractEventLoop, about: dict[str, object]) -> None:
    raise AssertionError(about)


def mutated(data: bytes, changes: list[tuple[str, int, bytes]]) -> bytes:
    for kind, place, piece in changes:
        at = place % (len(data) + 1)
        after = at + len(piece)
        inserted = {"insert": piece, "delete": b"", "repeat": data[at:after] * 3, "replace": piece}[kind]
        data = data[:at] + inserted + data[at if kind == "insert" else after :]
    return data


def send_in_pieces(
    server: FakeServer, connection: FakeConnection, data: bytes, at: list[int], waits_s: list[int]
) -> None:
    """Send the data in pieces with pauses in between."""
    places = sorted({place % (len(data) + 1) for place in at} | {0, len(data)})
    for number, (start, end) in enumerate(pairwise(places)):
        # Data that arrives while reading is paused stays in the kernel.
        for _ in range(100):
            if not connection.is_paused:
                break
            server.wait(1)
        connection.send(data[start:end])
        check_memory(connection)
        if number < len(waits_s) and waits_s[number]:
            server.wait(waits_s[number], step_s=3)


def check_memory(connection: FakeConnection) -> None:
    """The buffers of a connection are limited."""
    protocol = connection.protocol
    waiting = [cycle for cycle, _ in protocol.pipeline]
    assert len(waiting) <= HEAD_CHUNK // 20
    assert len(protocol._unparsed) <= READ
    assert sum(len(cycle.body) for cycle in waiting) <= READ
    assert len(protocol.url) + sum(len(a) + len(b) for a, b in protocol.headers or ()) <= MAX_HEAD_BYTES + READ


def check_answers(connection: FakeConnection) -> None:
    """No response is invalid or 500. After a HEAD request responses cannot be parsed: its response has no body."""
    assert b"HTTP/1.1 500" not in connection.received
    if b"HEAD" not in connection.sent:
        connection.responses()


@CASES
@given(st.lists(requests, max_size=4), mutations, cuts, pauses_s, st.booleans(), st.sampled_from(["", "eof", "reset"]))
def test_arbitrary_bytes_do_not_break_a_connection(  # noqa: PLR0917 - hypothesis names nothing
    server: FakeServer,
    parts: list[bytes],
    changes: list[tuple[str, int, bytes]],
    at: list[int],
    waits_s: list[int],
    reads_all: bool,
    end: str,
) -> None:
    connection = server.connect(reads_all=reads_all)
    send_in_pieces(server, connection, mutated(b"".join(parts), changes), at, waits_s)
    if end == "eof":
        connection.close_from_client()
    elif end == "reset":
        connection.reset_from_client()
    else:
        server.run_until_idle()
    if reads_all:
        check_answers(connection)
    server.wait(LONGEST_WAIT_S, step_s=8)
    if not reads_all or not connection.is_lost:
        server.wait(LONGEST_WAIT_S, step_s=8)
    assert connection.is_lost
    assert server.state.tasks == set()
    assert len(server.app.connections) == 0


@CASES
@given(targets, st.none() | requests, mutations, cuts)
def test_requests_before_invalid_bytes_are_answered_in_order(
    server: FakeServer, wanted: list[str], junk: bytes | None, changes: list[tuple[str, int, bytes]], at: list[int]
) -> None:
    connection = server.connect()
    send_in_pieces(server, connection, b"".join(map(get, wanted)) + mutated(junk or b"", changes), at, [])
    for _ in range(2 * len(wanted)):
        server.wait(1)
    server.run_until_idle()
    answers = connection.responses(len(wanted))
    assert len(answers) == len(wanted)
    for target, answer in zip(wanted, answers, strict=True):
        if target.startswith("/wait"):
            assert (answer.status, answer.body) == (200, b"done")
        else:
            assert answer.status == (200 if target == PAGE else 404)
            assert f"<title>{target}</title>".encode() in answer.body
    if not connection.is_lost:
        connection.reset_from_client()
    server.run_until_idle()
    assert connection.is_lost

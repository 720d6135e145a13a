"""Requests that servers could parse differently: each is rejected, or parsed as one request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.types import Receive, Send
from tests.sites.sample_site import read_settings
from tests.unit.web.protocol.fake_connections import PAGE, AdjustableClockLoop, FakeRendererApp, FakeServer, get

from kinfolk.site.site import open_site

HIDDEN = b"GET /hidden HTTP/1.1\r\nhost: a\r\n\r\n"
SIZE = len(HIDDEN)
CHUNKED = b"transfer-encoding: chunked\r\n"
LENGTH = b"content-length: %d\r\n" % SIZE
HEX = b"%x" % SIZE

FRAMING = {
    "length and chunked": LENGTH + CHUNKED,
    "chunked and length": CHUNKED + LENGTH,
    "length 0 and chunked": b"content-length: 0\r\n" + CHUNKED,
    "two lengths": b"content-length: 0\r\n" + LENGTH,
    "two equal lengths": LENGTH + LENGTH,
    "list of lengths": b"content-length: %d, %d\r\n" % (SIZE, SIZE),
    "list of lengths 0": b"content-length: 0, %d\r\n" % SIZE,
    "signed length": b"content-length: +%d\r\n" % SIZE,
    "negative length": b"content-length: -1\r\n",
    "hexadecimal length": b"content-length: 0x%x\r\n" % SIZE,
    "length with a space": b"content-length: 3 3\r\n",
    "length with an exponent": b"content-length: 1e1\r\n",
    "length with a point": b"content-length: %d.0\r\n" % SIZE,
    "length above 64 bits": b"content-length: %d\r\n" % (2**64 + SIZE),
    "empty length": b"content-length: \r\n",
    "length behind a vertical tab": b"content-length: \x0b%d\r\n" % SIZE,
    "length behind NUL": b"content-length: \x00%d\r\n" % SIZE,
    "length in words": b"content-length: none\r\n",
    "length with space before colon": b"content-length : %d\r\n" % SIZE,
    "unknown coding": b"transfer-encoding: xchunked\r\n",
    "shortened coding": b"transfer-encoding: chunk\r\n",
    "coding identity": b"transfer-encoding: identity\r\n",
    "coding gzip": b"transfer-encoding: gzip\r\n",
    "chunked not last": b"transfer-encoding: chunked, identity\r\n",
    "chunked twice": b"transfer-encoding: chunked, chunked\r\n",
    "chunked in two headers": CHUNKED + CHUNKED,
    "chunked and another header": CHUNKED + b"transfer-encoding: identity\r\n",
    "another header and chunked": b"transfer-encoding: identity\r\n" + CHUNKED,
    "gzip and chunked": b"transfer-encoding: gzip, chunked\r\n",
    "quoted coding": b'transfer-encoding: "chunked"\r\n',
    "coding with a parameter": b"transfer-encoding: chunked;x=y\r\n",
    "coding behind a vertical tab": b"transfer-encoding: \x0bchunked\r\n",
    "coding behind NUL": b"transfer-encoding: \x00chunked\r\n",
    "coding before NUL": b"transfer-encoding: chunked\x00\r\n",
    "coding before a non-breaking space": b"transfer-encoding: chunked\xa0\r\n",
    "coding with space before colon": b"transfer-encoding : chunked\r\n",
    "coding with tab before colon": b"transfer-encoding\t: chunked\r\n",
    "coding on a folded line": b"transfer-encoding:\r\n chunked\r\n",
    "coding on the line of another header": LENGTH + b"x: y\r\n transfer-encoding: chunked\r\n",
    "empty coding": b"transfer-encoding:\r\n",
    "coding behind a bare LF": LENGTH + b"x: y\ntransfer-encoding: chunked\r\n",
    "coding behind a bare CR": LENGTH + b"x: y\rtransfer-encoding: chunked\r\n",
    "name with NUL": LENGTH + b"transfer-encoding\x00: chunked\r\n",
    "name with space": LENGTH + b"transfer encoding: chunked\r\n",
    "empty name": LENGTH + b": chunked\r\n",
    "line without colon": LENGTH + b"transfer-encoding\r\n",
    "name that is not ASCII": LENGTH + b"transfer-encoding\xff: chunked\r\n",
    "folded host": LENGTH + b" x\r\n",
    "value with CR": LENGTH + b"x: a\rb\r\n",
    "another protocol with a body": LENGTH + b"connection: upgrade\r\nupgrade: h2c\r\n",
    "another protocol with chunks": CHUNKED + b"connection: upgrade\r\nupgrade: websocket\r\n",
}
"""Headers of a request whose body contains another request."""

CHUNKS = {
    "size above 64 bits": b"10000000000000000%b\r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "negative size": b"-1\r\n%b" % HIDDEN,
    "signed size": b"+%b\r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "size with 0x": b"0x%b\r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "size behind a space": b" %b\r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "size before a space": b"%b \r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "size before NUL": b"%b\x00\r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "size before a bare LF": b"%b\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "size before a bare CR": b"%b\r%b\r\n0\r\n\r\n" % (HEX, HIDDEN),
    "no size": b"\r\n%b" % HIDDEN,
    "no hexadecimal size": b"x\r\n%b" % HIDDEN,
    "extension with a bare LF": b"1;\nx\r\nx\r\n%b" % HIDDEN,
    "extension with a bare CR": b"1;a=\rb\r\nx\r\n%b" % HIDDEN,
    "extension with NUL": b"1;a=\x00\r\nx\r\n%b" % HIDDEN,
    "chunk longer than its size": b"1\r\n%b\r\n0\r\n\r\n" % HIDDEN,
    "chunk without its end": b"1\r\nx%b" % HIDDEN,
    "chunk that ends with LF": b"1\r\nx\n0\r\n\r\n%b" % HIDDEN,
    "last chunk that ends with LF": b"0\n\n%b" % HIDDEN,
    "trailer with a bare LF": b"0\r\nx: y\n\r\n%b" % HIDDEN,
    "trailer without colon": b"0\r\n%b" % HIDDEN,
    "trailer with NUL": b"0\r\nx: \x00\r\n\r\n%b" % HIDDEN,
    "trailer with a length": b"0\r\ncontent-length: %d\r\n\r\n" % SIZE,
    "trailer with a coding": b"0\r\ntransfer-encoding: chunked\r\n\r\n",
}
"""Bodies in chunks."""

LINES = {
    "tab": b"GET\t/ HTTP/1.1",
    "space in the target": b"GET /hidden /x HTTP/1.1",
    "NUL in the target": b"GET /\x00 HTTP/1.1",
    "CR in the target": b"GET /\rx HTTP/1.1",
    "LF in the target": b"GET /\nx HTTP/1.1",
    "target that is not ASCII": b"GET /\xff HTTP/1.1",
    "space behind the version": b"GET / HTTP/1.1 ",
    "CR behind the version": b"GET / HTTP/1.1\r",
    "no version": b"GET /",
    "HTTP/0.9": b"GET / HTTP/0.9",
    "HTTP/1.2": b"GET / HTTP/1.2",
    "HTTP/2": b"GET / HTTP/2.0",
    "long version": b"GET / HTTP/1.10",
    "lower case version": b"GET / http/1.1",
    "lower case method": b"get / HTTP/1.1",
    "unknown method": b"HIDE / HTTP/1.1",
    "method with NUL": b"GET\x00 / HTTP/1.1",
    "authority": b"CONNECT a:80 HTTP/1.1",
    "user in the target": b"GET http://a@b/ HTTP/1.1",
    "two requests in a line": b"GET / HTTP/1.1 GET /hidden HTTP/1.1",
}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    """A server that has PAGE in its cache, and answers /hidden with 299."""

    async def hidden(_: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 299, "headers": []})
        await send({"type": "http.response.body"})

    off = dict.fromkeys(("KINFOLK_MIRROR", "KINFOLK_HIGHLIGHT", "KINFOLK_SEARCH"), "off")
    app = FakeRendererApp(open_site(read_settings(off)))
    app.handlers["/hidden"] = hidden
    loop = AdjustableClockLoop()
    server = FakeServer(app, loop)
    connection = server.connect()
    connection.send(get())
    server.run_until_idle()
    yield server
    loop.close()


def statuses_of(server: FakeServer, request: bytes, *, piece: int) -> list[int]:
    """Statuses of the responses to these bytes, sent in pieces of this size."""
    connection = server.connect()
    for at in range(0, len(request), piece):
        connection.send(request[at : at + piece])
    server.run_until_idle()
    connection.close_from_client()
    server.run_until_idle()
    return connection.statuses()


@pytest.mark.parametrize("piece", [100_000, 7], ids=["whole", "in pieces"])
@pytest.mark.parametrize("target", [PAGE, "/_server/theme.get"], ids=["cached", "application"])
@pytest.mark.parametrize("headers", FRAMING.values(), ids=FRAMING)
def test_request_with_ambiguous_framing_is_refused(server: FakeServer, headers: bytes, target: str, piece: int) -> None:
    head = f"GET {target} HTTP/1.1\r\nhost: a\r\n".encode() + headers + b"\r\n"
    for body in (HIDDEN, b"%b\r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN), b"0\r\n\r\n" + HIDDEN):
        statuses = statuses_of(server, head + body, piece=piece)
        assert statuses in ([400], [501])


@pytest.mark.parametrize("piece", [100_000, 7], ids=["whole", "in pieces"])
@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
def test_body_with_ambiguous_chunks_is_one_request(server: FakeServer, chunks: bytes, piece: int) -> None:
    for target in (PAGE, "/_server/theme.get"):
        head = f"POST {target} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n".encode()
        statuses = statuses_of(server, head + chunks, piece=piece)
        assert len(statuses) == 1
        assert statuses != [299]


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_malformed_request_line_is_refused(server: FakeServer, line: bytes) -> None:
    for piece in (100_000, 7):
        statuses = statuses_of(server, line + b"\r\nhost: a\r\n\r\n" + HIDDEN, piece=piece)
        assert len(statuses) == 1
        assert statuses[0] in (400, 505)


@pytest.mark.parametrize(
    "headers",
    [
        LENGTH,
        b"Content-Length:%d\r\n" % SIZE,
        b"content-length:   0%d  \r\n" % SIZE,
        LENGTH + b"transfer_encoding: chunked\r\n",
        LENGTH + b"x-transfer-encoding: chunked\r\n",
        LENGTH + b"te: chunked\r\n",
    ],
)
def test_body_with_a_length_is_not_a_request(server: FakeServer, headers: bytes) -> None:
    for target in (PAGE, "/_server/theme.get"):
        request = f"GET {target} HTTP/1.1\r\nhost: a\r\n".encode() + headers + b"\r\n" + HIDDEN
        assert statuses_of(server, request + get(), piece=11) == [200, 200]


@pytest.mark.parametrize("headers", [CHUNKED, b"Transfer-Encoding:chunked\r\n", b"transfer-encoding: \tCHUNKED \r\n"])
def test_chunked_body_is_not_a_request(server: FakeServer, headers: bytes) -> None:
    chunks = b"%b;a=b\r\n%b\r\n000%b\r\n%b\r\n0\r\nx: y\r\n\r\n" % (HEX, HIDDEN, HEX, HIDDEN)
    for target in (PAGE, "/_server/theme.get"):
        request = f"GET {target} HTTP/1.1\r\nhost: a\r\n".encode() + headers + b"\r\n" + chunks
        assert statuses_of(server, request + get(), piece=11) == [200, 200]


def test_http_1_0_has_no_chunks(server: FakeServer) -> None:
    request = b"GET / HTTP/1.0\r\n" + CHUNKED + b"\r\n%b\r\n%b\r\n0\r\n\r\n" % (HEX, HIDDEN)
    assert statuses_of(server, request, piece=100_000) == [400]

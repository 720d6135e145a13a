"""Bytes over a connection: pipelined requests, bodies, pieces, endless requests."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests.servers.serving import LEAN, Server, serving

PAGE = "/ranger/latest/docs/overview"
CLOSE = "connection: close\r\n"
PATIENCE_S = 30


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Server]:
    """A server that has PAGE in its cache."""
    assert built
    with serving(tmp_path_factory.mktemp("protocol"), environment=LEAN) as server:
        assert httpx.get(server.url + PAGE, timeout=PATIENCE_S).status_code == 200
        yield server


def get(target: str, *headers: str, version: str = "1.1") -> bytes:
    return f"GET {target} HTTP/{version}\r\nhost: kinfolk.test\r\n{''.join(headers)}\r\n".encode()


def exchange(server: Server, *pieces: bytes) -> list[tuple[int, bytes]]:
    """Status and body of all responses until the connection closes."""
    at = urlsplit(server.url)
    with socket.create_connection((at.hostname, at.port), timeout=PATIENCE_S) as connection:
        for piece in pieces:
            connection.sendall(piece)
        with connection.makefile("rb") as stream:
            came = stream.read()
    answers = []
    while came:
        head, _, rest = came.partition(b"\r\n\r\n")
        status = re.match(rb"HTTP/1\.[01] (\d+) ", head)
        length = re.search(rb"\ncontent-length: (\d+)", head)
        assert status is not None, head[:200]
        size = int(length[1]) if length else 0
        answers.append((int(status[1]), rest[:size]))
        came = rest[size:]
    return answers


def test_pipelined_requests_are_answered_in_order(server: Server) -> None:
    known = get(PAGE, "if-none-match: *\r\n")
    came = exchange(server, get(PAGE) + known + get("/_server/nope") + get(PAGE) + known + get(PAGE, CLOSE))
    assert [status for status, _ in came] == [200, 304, 404, 200, 304, 200]
    assert came[0] == came[3] == came[5]


@pytest.mark.parametrize(
    "request_",
    [
        get(PAGE, CLOSE),
        get(PAGE, version="1.0"),
        get(f"http://kinfolk.test{PAGE}", CLOSE),
        get(f"{PAGE}?utm_source=elsewhere", CLOSE),
        get(PAGE, "Accept-Encoding: identity\r\n", CLOSE),
        get(PAGE, "connection: upgrade, close\r\nupgrade: websocket\r\n"),
    ],
)
def test_cached_page_is_the_same_for_all_request_forms(server: Server, request_: bytes) -> None:
    assert exchange(server, request_) == exchange(server, get(PAGE) + get(PAGE, CLOSE))[:1]


def test_request_in_pieces_is_answered(server: Server) -> None:
    request = get(PAGE) + get(PAGE, CLOSE)
    came = exchange(server, *(request[at : at + 7] for at in range(0, len(request), 7)))
    assert [status for status, _ in came] == [200, 200]


def test_request_body_is_not_the_next_request(server: Server) -> None:
    body = get("/nowhere").decode()
    came = exchange(server, get(PAGE, f"content-length: {len(body)}\r\n") + body.encode() + get(PAGE, CLOSE))
    assert [status for status, _ in came] == [200, 200]


def test_endless_headers_are_rejected(server: Server) -> None:
    at = urlsplit(server.url)
    endless = get(PAGE)[:-2] + b"".join(b"x-%d: %b\r\n" % (number, b"x" * 1000) for number in range(10_000))
    with (
        socket.create_connection((at.hostname, at.port), timeout=PATIENCE_S) as connection,
        pytest.raises(ConnectionError),
    ):
        connection.sendall(endless)


def test_large_body_is_not_a_long_head(server: Server) -> None:
    head = "POST /_server/theme.set HTTP/1.1\r\nhost: kinfolk.test\r\ncontent-length: 200000\r\n\r\n"
    came = exchange(server, head.encode() + b"x" * 200_000 + get(PAGE, CLOSE))
    assert [status for status, _ in came] == [413, 200]


def test_bytes_that_are_not_http_are_rejected(server: Server) -> None:
    assert [status for status, _ in exchange(server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")] == [400]


def test_pages_are_served_while_slow_clients_use_all_descriptors(tmp_path: Path, built: Path) -> None:
    assert built
    with (
        serving(tmp_path, environment=LEAN, descriptors=512) as server,
        contextlib.ExitStack() as stack,
    ):
        for _ in range(3):
            for _ in range(200):
                stack.enter_context(_connected(server)).sendall(b"GET / HTTP/1.1\r\n")
            assert [httpx.get(server.url + PAGE, timeout=PATIENCE_S).status_code for _ in range(5)] == [200] * 5
        assert "fewer connections than set" in server.log


def test_stop_answers_all_sent_requests(tmp_path: Path, built: Path) -> None:
    """Each connection is answered until a response has `connection: close`."""
    assert built
    with serving(tmp_path, environment=LEAN) as server, contextlib.ExitStack() as stack:
        assert httpx.get(server.url + PAGE, timeout=PATIENCE_S).status_code == 200
        readers = [stack.enter_context(_connected(server)) for _ in range(20)]
        request = get(PAGE, "if-none-match: *\r\n")
        for reader in readers:
            reader.sendall(request)
            assert reader.recv(65536).startswith(b"HTTP/1.1 304")
            reader.sendall(request)
        # Reaches the worker while the requests are in its queue.
        os.kill(server.workers()[0], signal.SIGTERM)
        for reader in readers:
            came = b""
            while data := reader.recv(65536):
                came += data
                if b"connection: close" not in came:
                    reader.sendall(request)
            assert came.count(b"\r\n\r\n") == came.count(b"HTTP/1.1 304")
            assert came.count(b"connection: close") == 1


def _connected(server: Server) -> socket.socket:
    at = urlsplit(server.url)
    return socket.create_connection((at.hostname, at.port), timeout=PATIENCE_S)

"""Slow clients, large requests, lost connections and malformed HTTP/1.1: D8, D11 and parts of D14."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator

import httpx
from tests.faults.site import LEAN, Server, Site, connect, expect, fault, probe, resident_mb

PAGE = "/ranger/latest/docs/overview"
GET = f"GET {PAGE} HTTP/1.1\r\nhost: kinfolk.test\r\n\r\n".encode()
MB = 1 << 20
CHUNKED = f"GET {PAGE} HTTP/1.1\r\nhost: kinfolk.test\r\ntransfer-encoding: chunked\r\n\r\n0\r\n".encode()


def _sent(server: Server, head: bytes, piece: bytes, size: int) -> int:
    """Send `piece` repeatedly, up to `size` bytes. Returns the bytes sent before the server closes the connection."""
    taken = 0
    with connect(server, timeout_s=20) as connection, contextlib.suppress(OSError):
        connection.sendall(head)
        while taken < size:
            connection.sendall(piece)
            taken += len(piece)
        # Bytes in kernel buffers do not count: only a response shows that the server read them.
        connection.sendall(b"\r\n\r\n" + GET)
        connection.recv(1)
    return taken


@fault("D8a", "Trailers of 20 MB are buffered")
def trailers(site: Site) -> str:
    with site.serving(environment=LEAN) as server:
        httpx.get(server.url + PAGE, timeout=30)
        (worker,) = server.workers()
        before = resident_mb(worker)
        lines = b"".join(b"x-%d: %b\r\n" % (number, b"y" * 40) for number in range(1000))
        taken = _sent(server, CHUNKED, lines, 20 * MB)
        grown = resident_mb(worker) - before
        return expect(taken < 6 * MB and grown < 40, f"{taken / MB:.1f} MB sent, {max(grown, 0):.0f} MB more memory")


@fault("D8b", "One trailer of 60 MB is joined piece by piece")
def trailer(site: Site) -> str:
    with site.serving(environment=LEAN) as server:
        httpx.get(server.url + PAGE, timeout=30)
        began = time.perf_counter()
        taken = _sent(server, CHUNKED + b"x: ", b"y" * 65536, 60 * MB)
        took_s = time.perf_counter() - began
        return expect(taken < 6 * MB, f"{taken / MB:.1f} MB sent in {took_s:.1f} s")


@fault("D11a", "Request heads that arrive byte by byte have no deadline")
def dripping(site: Site) -> str:
    number = 200
    with site.serving(environment=LEAN) as server, contextlib.ExitStack() as stack:
        drips = [stack.enter_context(connect(server)) for _ in range(number)]
        for at in range(14):
            for one in drips:
                with contextlib.suppress(OSError):
                    one.sendall(GET[at : at + 1])
            time.sleep(1)
        is_open = sum(_is_open(one) for one in drips)
        return expect(is_open == 0, f"{is_open} of {number} connections open after 14 s")


def _is_open(connection: socket.socket) -> bool:
    """Whether the peer has not closed the connection."""
    connection.setblocking(False)
    try:
        while data := connection.recv(65536):
            del data
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


@fault("D11b", "1,200 slow connections use all of 1,024 file descriptors")
def descriptors(site: Site) -> str:
    with site.serving(environment=LEAN, descriptors=1024) as server, _slow(server, 1200):
        failed = tried = 0
        until = time.perf_counter() + 20
        while time.perf_counter() < until:
            tried += 1
            try:
                answer = httpx.get(server.url + PAGE, timeout=2)
                failed += answer.status_code != 200
            except httpx.HTTPError:
                failed += 1
            time.sleep(0.1)
        return expect(failed == 0, f"{failed} of {tried} requests of a reader failed in 20 s")


@fault("D11c", "A client that does not read keeps its connection and its responses in memory")
def stalled(site: Site) -> str:
    number = 600
    with site.serving(environment=LEAN) as server:
        size = len(httpx.get(server.url + PAGE, timeout=30, headers={"accept-encoding": "identity"}).content)
        with connect(server) as connection:
            for _ in range(number):
                connection.sendall(GET)
            time.sleep(36)
            came = 0
            connection.settimeout(5)
            with contextlib.suppress(OSError):
                while data := connection.recv(1 << 20):
                    came += len(data)
        shown = f"{came / MB:.1f} of {number * size / MB:.1f} MB came after 36 s"
        return expect(came < number * size, shown)


@contextlib.contextmanager
def _slow(server: Server, number: int) -> Iterator[None]:
    """Hold this many connections that each send a byte a second. Closed ones are opened again until the block ends."""
    ends = threading.Event()
    connections: list[socket.socket | None] = [None] * number

    def drip() -> None:
        while True:
            for at in range(number):
                one = connections[at]
                with contextlib.suppress(OSError):
                    if one is None or not _is_open(one):
                        if one is not None:
                            one.close()
                        connections[at] = one = connect(server, timeout_s=2)
                        one.sendall(b"GET /")
                    else:
                        one.sendall(b"x")
            opened.set()
            if ends.wait(1):
                return

    opened = threading.Event()
    thread = threading.Thread(target=drip)
    thread.start()
    try:
        opened.wait(20)
        yield
    finally:
        ends.set()
        thread.join()
        for one in filter(None, connections):
            one.close()


def _status(server: Server, request: bytes) -> bytes:
    """Status of the first response; empty without a response."""
    with connect(server) as connection:
        connection.sendall(request)
        found = re.match(rb"HTTP/1\.1 (\d+)", connection.recv(65536))
        return found[1] if found else b""


@fault("D14h", "Requests without a Host header, with two, or with an invalid one are accepted")
def hosts(site: Site) -> str:
    line = f"GET {PAGE} HTTP/1.1\r\n".encode()
    with site.serving(environment=LEAN) as server:
        httpx.get(server.url + PAGE, timeout=30)
        wrong = [b"", b"host: a\r\nhost: b\r\n", b"host: <x>\r\n"]
        found = [_status(server, line + host + b"connection: close\r\n\r\n").decode() for host in wrong]
        return expect(set(found) == {"400"}, f"none, two, malformed: {', '.join(found)}")


@fault("D14n", "Responses without nosniff")
def nosniff(site: Site) -> str:
    paths = ["/_server/theme.get", "/_server/nope", "/1/indexes/x", "/site.webmanifest", "/opensearch.xml"]
    paths += ["/query/latest/", "/_nope", "/..%2fx", "/" + "x" * 5000, PAGE]
    with site.serving(environment=LEAN) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        lacking = [path[:20] for path in paths if "x-content-type-options" not in client.get(path).headers]
        return expect(not lacking, f"{len(lacking)} of {len(paths)} answers: {' '.join(lacking) or 'none'}")


@fault("D14m", "Accept: TEXT/MARKDOWN returns the cached HTML")
def accept(site: Site) -> str:
    with site.serving(environment=LEAN) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        wish = {"accept": "TEXT/MARKDOWN"}
        cold = client.get(PAGE, headers=wish).headers["content-type"]
        client.get(PAGE)
        cached = client.get(PAGE, headers=wish).headers["content-type"]
        return expect(cold == cached, f"cold {cold}, cached {cached}")


@fault("D14s", "SIGTERM resets connections whose request has been sent")
def stop(site: Site) -> str:
    number, lost = 48, []
    with site.serving(environment=LEAN) as server:
        httpx.get(server.url + PAGE, timeout=30)
        stopping = threading.Event()

        def read() -> None:
            with connect(server) as connection, connection.makefile("rb") as stream:
                while True:
                    if stopping.is_set() and not _is_quiet(connection):
                        return  # closed before the request was sent: a client retries on another connection
                    with contextlib.suppress(OSError):
                        connection.sendall(GET)
                        answered = _read_answer(stream)
                        if answered is not None:
                            if answered:
                                return
                            continue
                    lost.append(1)
                    return

        threads = [threading.Thread(target=read) for _ in range(number)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        stopping.set()
        server.process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join(20)
        return expect(not lost, f"{len(lost)} of {number} busy connections lost a request")


def _is_quiet(connection: socket.socket) -> bool:
    """Whether the connection has neither data nor an end of file to read."""
    connection.settimeout(0)
    try:
        connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        pass
    finally:
        connection.settimeout(20)
    return False


def _read_answer(stream: object) -> bool | None:
    """Whether the connection closes after this response; None without a response."""
    head: dict[bytes, bytes] = {}
    read = getattr(stream, "readline")  # noqa: B009
    if not read().startswith(b"HTTP/1.1 200"):
        return None
    while (line := read()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        head[name.lower()] = value.strip()
    size = int(head.get(b"content-length", b"0"))
    if len(getattr(stream, "read")(size)) < size:  # noqa: B009
        return None
    return head.get(b"connection") == b"close"


@fault("D14t", "Clients that disconnect leave tracebacks in the log")
def tracebacks(site: Site) -> str:
    heads = ["/_server/theme.set", "/_hooks/github", "/1/indexes/*/queries"]
    secret = {"KINFOLK_WEBHOOK_SECRET": "x"}
    with site.serving(environment=LEAN | secret) as server:
        for path in heads:
            for linger in (False, True):
                connection = connect(server)
                connection.sendall(f"POST {path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nabc".encode())
                time.sleep(0.1)
                if linger:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
        probe(server)
        time.sleep(0.5)
        found = server.log.count("Traceback")
        return expect(found == 0, f"{found} tracebacks of {2 * len(heads)} disconnects")

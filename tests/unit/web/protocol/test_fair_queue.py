"""The order in which requests of several clients are served, and which are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from ipaddress import ip_network

import pytest
from starlette.types import Message, Receive, Scope, Send

from kinfolk.rendering.isolates.isolate_pool import TooBusy
from kinfolk.web.protocol import fair_queue
from kinfolk.web.protocol.fair_queue import MAX_WAITING, FairQueue, Lane, TooManyWaiting, client_of

pytestmark = pytest.mark.anyio

LOOPBACK = (ip_network("127.0.0.1/32"),)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Requests:
    """Requests to one queue. Each is served until `finish` is called as many times as requests came before it."""

    def __init__(self, slots: int = 1) -> None:
        self.queue = FairQueue(slots)
        self.served: list[str] = []
        self._going = asyncio.Semaphore(0)

    def send(self, client: str, name: str = "", lane: Lane = "first") -> asyncio.Task[None]:
        return asyncio.create_task(self._request(client, name or client, lane))

    async def _request(self, client: str, name: str, lane: Lane) -> None:
        async with self.queue.turn(client, lane):
            self.served.append(name)
            await self._going.acquire()

    async def finish(self, number: int = 1) -> None:
        for _ in range(number):
            self._going.release()
            await run_ready_tasks()


async def run_ready_tasks() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


async def test_clients_take_turns() -> None:
    requests = Requests()
    for client, name in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("b", "b2"), ("c", "c1")]:
        requests.send(client, name)
        await run_ready_tasks()
    await requests.finish(6)
    assert requests.served == ["a1", "a2", "b1", "c1", "a3", "b2"]
    assert requests.queue.is_idle


async def test_slots_are_served_at_once() -> None:
    requests = Requests(slots=2)
    for name in ("1", "2", "3"):
        requests.send("a", name)
    await run_ready_tasks()
    assert requests.served == ["1", "2"]
    assert not requests.queue.is_idle
    await requests.finish(3)
    assert requests.served == ["1", "2", "3"]


async def test_missing_addresses_wait_for_all_others_and_take_one_slot() -> None:
    requests = Requests(slots=2)
    for name in ("m1", "m2"):
        requests.send("a", name, "last")
    await run_ready_tasks()
    assert requests.served == ["m1"]
    for name in ("e1", "e2"):
        requests.send("b", name)
    await run_ready_tasks()
    assert requests.served == ["m1", "e1"]
    await requests.finish(4)
    assert requests.served == ["m1", "e1", "e2", "m2"]


async def test_client_with_too_many_waiting_requests_is_refused_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "REFUSAL_PAUSE_S", 0.02)
    requests = Requests()
    for _ in range(1 + MAX_WAITING):
        requests.send("a")
    await run_ready_tasks()
    refused = requests.send("a")
    await run_ready_tasks()
    assert not refused.done()
    with pytest.raises(TooManyWaiting):
        await refused
    other = requests.send("b")
    await requests.finish(2)
    assert requests.served == ["a", "a", "b"]
    other.cancel()


@pytest.mark.parametrize(("waiting", "error"), [(1, TooBusy), (2, TooManyWaiting)])
async def test_request_that_waited_too_long_is_refused(
    monkeypatch: pytest.MonkeyPatch, waiting: int, error: type[Exception]
) -> None:
    requests = Requests()
    requests.send("other")
    await run_ready_tasks()
    monkeypatch.setattr(fair_queue, "PATIENCE_S", 0.02)
    first = requests.send("a")
    await run_ready_tasks()
    monkeypatch.setattr(fair_queue, "PATIENCE_S", 60)
    for _ in range(waiting - 1):
        requests.send("a")
    with pytest.raises(error):
        await first
    await requests.finish(waiting)
    assert requests.served == ["other", *["a"] * (waiting - 1)]
    assert requests.queue.is_idle or waiting > 1


async def test_disconnected_client_gives_its_turn_to_the_next() -> None:
    requests = Requests()
    requests.send("a")
    await run_ready_tasks()
    left = [requests.send("b"), requests.send("c")]
    requests.send("d")
    await run_ready_tasks()
    left[0].cancel()
    await requests.finish()
    left[1].cancel()
    await run_ready_tasks()
    await requests.finish()
    assert requests.served == ["a", "c", "d"]
    assert requests.queue.is_idle


async def test_client_that_leaves_as_its_turn_begins_frees_the_slot() -> None:
    requests = Requests()
    requests.send("a")
    await run_ready_tasks()
    left = requests.send("b")
    await run_ready_tasks()
    requests._going.release()
    while not requests.queue._free:  # until the turn of `a` ends, which begins that of `b`
        left.cancel()
        await asyncio.sleep(0)
    await run_ready_tasks()
    assert requests.queue.is_idle


@pytest.mark.parametrize(
    ("agent", "forwarded", "client"),
    [
        ("Mozilla/5.0 Chrome/140", "", "127.0.0.1"),
        ("Mozilla/5.0 Chrome/140", "203.0.113.7", "203.0.113.7"),
        ("Mozilla/5.0 (compatible; Examplebot/2.1; +https://example.org/bot)", "203.0.113.7", "robot examplebot"),
        ("SomeCrawler", "203.0.113.7", "robot somecrawler"),
        ("x" * 400 + "bot", "203.0.113.7", "203.0.113.7"),
    ],
)
def test_robot_that_identifies_itself_is_one_client(agent: str, forwarded: str, client: str) -> None:
    headers = [(b"user-agent", agent.encode()), *([(b"x-forwarded-for", forwarded.encode())] if forwarded else [])]
    assert client_of({"headers": headers, "client": ("127.0.0.1", 4000)}, LOOPBACK) == client


def test_robot_without_a_name_is_found() -> None:
    make: Callable[[bytes], str] = lambda agent: client_of({"headers": [(b"user-agent", agent)], "client": None}, ())  # noqa: E731
    assert make(b"bot" + b"y" * 100).startswith("robot bot")
    assert len(make(b"bot" + b"y" * 100)) <= 66


async def test_turn_of_an_application_ends_when_its_response_begins() -> None:
    queue = FairQueue(1)
    reading = asyncio.Event()

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await reading.wait()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    in_turn = queue.in_turn(app, "a", "first")
    answering = asyncio.ensure_future(in_turn({"type": "http", "path": "/"}, receive, send))
    await run_ready_tasks()
    assert queue.is_idle
    assert [message["status"] for message in messages] == [200]
    reading.set()
    await answering


async def test_application_is_not_called_without_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "PATIENCE_S", 0.02)
    queue = FairQueue(1)
    messages: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise AssertionError("was called")

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        messages.append(message)

    async with queue.turn("other"):
        await queue.in_turn(app, "a", "first")({"type": "http", "path": "/", "method": "GET"}, receive, send)
    assert messages[0]["status"] == 503
    assert (b"retry-after", b"10") in messages[0]["headers"]

"""Streams that are opened while their topics change, or while the server stops."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from starlette.types import Message, Scope

from kinfolk.config.settings import Settings
from kinfolk.live.hub import Hub
from kinfolk.live.topic_state import TopicState
from kinfolk.live.topics import Topic, encode_topics
from kinfolk.web.endpoints.live.live_stream import LiveStreams

pytestmark = pytest.mark.anyio
FAMILY: tuple[str, dict[str, str]] = ("figures.family", {})
QUERY = ("figures.library", {"library": "query"})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class SlowSource:
    """Resolves topics at version 1. That of a library is blocked until `go_on`."""

    def __init__(self) -> None:
        self.is_waiting, self.go_on = asyncio.Event(), asyncio.Event()

    async def resolve(self, topic: Topic) -> TopicState:
        if topic.kind.name == "figures.library":
            self.is_waiting.set()
            await self.go_on.wait()
        return TopicState(topic.key, "1", {"stars": 1}, "")


class Client:
    """A client of the ASGI application, which fails as a server does when a body is sent without a head."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.has_body, self._left = asyncio.Event(), asyncio.Event()
        self.leave: Callable[[], None] = self._left.set

    async def receive(self) -> Message:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.body" and not self.messages:
            raise RuntimeError("a body without a head")
        self.messages.append(message)
        if message["type"] == "http.response.body":
            self.has_body.set()

    @property
    def body(self) -> str:
        return b"".join(message.get("body", b"") for message in self.messages).decode()

    @property
    def events(self) -> list[Any]:
        """The contents of snapshots."""
        lines = self.body.splitlines()
        return [json.loads(data.removeprefix("data: ")) for name, data in pairwise(lines) if name == "event: snapshot"]


def scope_of(*topics: tuple[str, dict[str, str]]) -> Scope:
    return {
        "type": "http",
        "method": "GET",
        "path": "/api/live",
        "query_string": f"q={encode_topics(*topics)}".encode(),
        "headers": [],
        "client": ("203.0.113.7", 5000),
    }


async def no_maintainer(*_: object) -> bool:
    return False


async def test_change_before_the_head_of_a_stream_is_part_of_its_first_states(settings: Settings) -> None:
    source, client = SlowSource(), Client()
    hub = Hub(source.resolve)
    streams = LiveStreams(hub, settings, no_maintainer)
    task = asyncio.create_task(streams(scope_of(FAMILY, QUERY), client.receive, client.send))
    await source.is_waiting.wait()
    hub.change(TopicState("figures.family", "2", {"stars": 2}, ""))
    source.go_on.set()
    await client.has_body.wait()
    assert {event["topic"]: event["v"] for event in client.events} == {
        "figures.family": "2",
        "figures.library?library=query": "1",
    }
    hub.change(TopicState("figures.family", "3", {"stars": 3}, ""))
    assert client.events[-1]["v"] == "3"
    client.leave()
    await task


async def test_stream_that_is_opened_during_a_stop_says_when_to_connect_again(settings: Settings) -> None:
    source, client = SlowSource(), Client()
    streams = LiveStreams(Hub(source.resolve), settings, no_maintainer)
    task = asyncio.create_task(streams(scope_of(QUERY), client.receive, client.send))
    await source.is_waiting.wait()
    streams.stop()
    source.go_on.set()
    await task
    # Browsers write other statuses to the console.
    assert client.messages[0]["status"] == 200
    assert re.fullmatch(r'event: bye\ndata: {"retryMs":\d{4,5}}\n\n', client.body)
    assert client.messages[-1]["more_body"] is False
    assert len(streams) == 0

"""Live events: topics, patches, the store on both databases, and the listener."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.servers.databases import PostgresServer

from kinfolk.db.database import Database
from kinfolk.live.change_listener import ChangeListener
from kinfolk.live.hub import Hub
from kinfolk.live.topic_state import TopicState, patch_operations
from kinfolk.live.topic_store import MAX_DATA, StoredTopic, TopicStore
from kinfolk.live.topics import MOST_TOPICS, Topic, encode_topics, parse_topics, topic_key
from kinfolk.runtime.errors import Invalid, NotFound, Unavailable

NOW = datetime(2026, 11, 23, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone
WAIT_S = 10

# Topics


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_key_does_not_depend_on_the_order_of_arguments() -> None:
    page = {"library": "query", "version": "latest", "path": "a/b"}
    turned = dict(reversed(page.items()))
    (first,), (second,) = (parse_topics(encode_topics(("docs.page", each))) for each in (page, turned))
    assert first.key == second.key == "docs.page?library=query&path=a/b&version=latest"


def test_topic_of_a_page_has_any_path() -> None:
    arguments = {"library": "query", "version": "latest", "path": "a&b=c#100%?$größe"}
    (topic,) = parse_topics(encode_topics(("docs.page", arguments)))
    assert topic.arguments == arguments
    assert topic.key == "docs.page?library=query&path=a%26b%3Dc#100%25?$größe&version=latest"


def test_repeated_topics_count_once() -> None:
    topics = parse_topics(encode_topics(*[("figures.family", {})] * MOST_TOPICS))
    assert [topic.key for topic in topics] == ["figures.family"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "!!!",
        "a" * 5000,
        encoded(None),
        encoded([]),
        encoded({"name": "figures.family", "args": {}}),
        encoded([["figures.family", {}]]),
        encoded([{"name": "figures.family"}]),
        encoded([{"name": "nope", "args": {}}]),
        encoded([{"name": "figures.family", "args": {"library": "query"}}]),
        encoded([{"name": "figures.library", "args": {}}]),
        encoded([{"name": "figures.library", "args": {"library": 7}}]),
        encoded([{"name": "figures.library", "args": {"library": ""}}]),
        encoded([{"name": "figures.library", "args": {"library": "a\nb"}}]),
        encoded([{"name": "figures.library", "args": {"library": "a&b=c"}}]),
        encoded([{"name": "docs.page", "args": {"library": "q", "version": "v", "path": "p" * 390}}]),
        encoded([{"name": "figures.library", "args": {"library": f"l{number}"}} for number in range(9)]),
        base64.urlsafe_b64encode(b"[" * 3000).decode(),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    ],
)
def test_hostile_lists_of_topics_are_refused(query: str) -> None:
    with pytest.raises(Invalid):
        parse_topics(query)


# Patches

JSON = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.text(max_size=3)
OBJECTS = st.dictionaries(st.text(alphabet="ab~/", max_size=3), JSON, max_size=5)


def applied(data: Mapping[str, Any], operations: list[dict[str, Any]]) -> dict[str, Any]:
    """JSON Patch (RFC 6902) on a flat object."""
    changed = dict(data)
    for operation in operations:
        name = operation["path"].removeprefix("/").replace("~1", "/").replace("~0", "~")
        if operation["op"] == "remove":
            del changed[name]
        else:
            assert (name in changed) == (operation["op"] == "replace")
            changed[name] = operation["value"]
    return changed


@given(before=OBJECTS, after=OBJECTS)
def test_patch_of_a_state_makes_the_next_one(before: dict[str, Any], after: dict[str, Any]) -> None:
    changed = applied(before, patch_operations(before, after))
    assert json.dumps(changed, sort_keys=True) == json.dumps(after, sort_keys=True)


def test_short_state_is_sent_whole() -> None:
    before = TopicState("figures.family", "1", {"stars": 1}, "t")
    after = TopicState("figures.family", "2", {"stars": 2}, "t")
    assert after.patch_from(before) is after.snapshot
    many = {f"a{number}": number for number in range(50)}
    event = TopicState("k", "2", {**many, "a1": 99}, "t").patch_from(TopicState("k", "1", many, "t"))
    assert event.startswith(b"event: patch\n")
    assert json.loads(event.split(b"data: ")[1])["ops"] == [{"op": "replace", "path": "/a1", "value": 99}]


# The store


@pytest.fixture
def store(database: Database) -> TopicStore:
    return TopicStore(database, now=lambda: NOW)


def test_versions_rise_with_each_change_of_any_topic(store: TopicStore) -> None:
    assert store.publish("a", {"n": 1})
    assert store.publish("b", {"n": 1})
    assert not store.publish("a", {"n": 1})
    assert store.publish("a", {"n": 2})
    assert [(each.key, each.version) for each in store.changed_since(0)] == [("b", 2), ("a", 3)]
    assert store.changed_since(3) == []
    assert store.get("a") == StoredTopic("a", 3, {"n": 2}, NOW)
    assert store.get("none") is None
    assert store.last_version() == 3


def test_parallel_publishers_get_different_versions(store: TopicStore) -> None:
    threads = [
        threading.Thread(target=store.publish, args=(f"t{number % 4}", {"n": number}), daemon=True)
        for number in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    found = store.changed_since(0)
    assert len({each.version for each in found}) == 4
    assert store.last_version() == 24


def test_huge_state_is_refused(store: TopicStore) -> None:
    with pytest.raises(ValueError, match="characters"):
        store.publish("a", {"text": "x" * MAX_DATA})


# The listener


class Heard:
    """Runs a listener in a thread, and waits for what it hears."""

    def __init__(self, store: TopicStore) -> None:
        self._arrived = threading.Condition()
        self.topics: list[StoredTopic] = []
        self.failure: Exception | None = None
        self.ready = threading.Event()
        self.listener = ChangeListener(store, self._hear, on_ready=self.ready.set)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.listener.run()
        except Exception as failure:  # noqa: BLE001 - a test reads it
            self.failure = failure
            with self._arrived:
                self._arrived.notify_all()

    def _hear(self, topic: StoredTopic) -> None:
        with self._arrived:
            self.topics.append(topic)
            self._arrived.notify_all()

    def wait_for(self, version: int) -> None:
        with self._arrived:
            arrived = self._arrived.wait_for(
                lambda: any(topic.version >= version for topic in self.topics) or self.failure is not None, WAIT_S
            )
        assert arrived
        assert self.failure is None

    def wait_for_failure(self) -> None:
        with self._arrived:
            assert self._arrived.wait_for(lambda: self.failure is not None, WAIT_S)

    def stop(self) -> None:
        self.listener.stop()
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()


@pytest.fixture
def other_process(database: Database, tmp_path: Path) -> Iterator[TopicStore]:
    """The store as another process has it: with connections of its own."""
    other = Database(database.url, lock_folder=tmp_path / "locks")
    yield TopicStore(other, now=lambda: NOW)
    other.close()


def heard_after_start(store: TopicStore, other: TopicStore) -> Heard:
    """A listener that has begun to listen: it has heard a first event."""
    heard = Heard(store)
    for number in range(1000):
        other.publish("first", {"n": number})
        heard.listener.wake()
        with heard._arrived:
            if heard._arrived.wait_for(lambda: bool(heard.topics), 0.02):
                return heard
    raise AssertionError("the listener hears nothing")


def test_changes_of_other_processes_are_noticed_in_order(store: TopicStore, other_process: TopicStore) -> None:
    heard = heard_after_start(store, other_process)
    for number in range(20):
        other_process.publish(f"t{number % 3}", {"n": number})
    heard.wait_for(other_process.last_version())
    heard.stop()
    versions = [topic.version for topic in heard.topics]
    assert versions == sorted(versions)
    latest = {topic.key: topic.data["n"] for topic in heard.topics}
    assert latest | {"first": 0} == {"t0": 18, "t1": 19, "t2": 17, "first": 0}


def test_former_changes_are_not_reported(store: TopicStore, other_process: TopicStore) -> None:
    other_process.publish("old", {"n": 1})
    heard = heard_after_start(store, other_process)
    heard.stop()
    assert "old" not in {topic.key for topic in heard.topics}


def test_nothing_is_missed_while_the_database_is_away(
    postgresql: PostgresServer, postgresql_database: Database, tmp_path: Path
) -> None:
    store = TopicStore(postgresql_database, now=lambda: NOW)
    heard = heard_after_start(store, store)
    postgresql.stop()
    heard.wait_for_failure()
    assert isinstance(heard.failure, Unavailable)
    postgresql.start()
    other = TopicStore(Database(postgresql_database.url, lock_folder=tmp_path), now=lambda: NOW)
    other.publish("meanwhile", {"n": 1})
    # The supervisor runs the service again.
    heard.failure = None
    again = threading.Thread(target=heard._run, daemon=True)
    again.start()
    heard.wait_for(other.last_version())
    assert heard.topics[-1].key == "meanwhile"
    heard.listener.stop()
    again.join(WAIT_S)
    other.database.close()


# The hub


class Follower:
    def __init__(self) -> None:
        self.states: list[str] = []

    def changed(self, state: TopicState, before: TopicState) -> None:
        assert state.version != before.version
        self.states.append(state.version)


(IMPORT,) = parse_topics(encode_topics(("statistics.import", {})))
FAMILY, QUERY = parse_topics(encode_topics(("figures.family", {}), ("figures.library", {"library": "query"})))


class Source:
    """Counts how often a topic is resolved."""

    def __init__(self) -> None:
        self.version = "1"
        self.calls = 0

    async def resolve(self, topic: Topic) -> TopicState | None:
        self.calls += 1
        return None if topic.key == QUERY.key else TopicState(topic.key, self.version, {}, "")


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_followers_hear_changes_until_they_leave() -> None:
    hub, one, two = Hub(Source().resolve), Follower(), Follower()
    await hub.follow([FAMILY], one)
    await hub.follow([FAMILY], two)
    hub.change(TopicState(FAMILY.key, "2", {}, ""))
    hub.change(TopicState(FAMILY.key, "2", {}, ""))
    hub.leave([FAMILY], two)
    hub.change(TopicState(FAMILY.key, "3", {}, ""))
    assert (one.states, two.states) == (["2", "3"], ["2"])
    assert hub.follower_counts() == {FAMILY.key: 1}


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_stored_topic_is_read_once_and_again_after_a_change() -> None:
    source, follower = Source(), Follower()
    hub = Hub(source.resolve)
    for _ in range(3):
        await hub.follow([IMPORT], follower)
        hub.leave([IMPORT], follower)
    assert source.calls == 1
    hub.change(TopicState(IMPORT.key, "9", {}, ""))
    source.version = "9"
    assert [state.version for state in await hub.follow([IMPORT], follower)] == ["9"]
    assert source.calls == 2


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_change_while_a_topic_is_resolved_is_not_missed() -> None:
    class SlowSource(Source):
        async def resolve(self, topic: Topic) -> TopicState | None:
            state = await super().resolve(topic)
            if self.calls == 1:
                self.version = "2"
                hub.change(TopicState(topic.key, "2", {}, ""))
            return state

    hub = Hub(SlowSource().resolve)
    assert [state.version for state in await hub.follow([FAMILY], Follower())] == ["2"]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_refresh_notifies_followers_of_topics_that_changed() -> None:
    source, follower = Source(), Follower()
    hub = Hub(source.resolve)
    await hub.follow([FAMILY], follower)
    await hub.refresh("figures.family")
    source.version = "2"
    await hub.refresh("docs.page")
    assert follower.states == []
    await hub.refresh("docs.page", "figures.family")
    assert follower.states == ["2"]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_unknown_topic_is_not_found() -> None:
    with pytest.raises(NotFound):
        await Hub(Source().resolve).follow([QUERY], Follower())


def test_topic_keys_have_their_arguments() -> None:
    assert topic_key("figures.family") == "figures.family"
    assert topic_key("content.changed", repo="a/b", branch="main") == "content.changed?branch=main&repo=a/b"

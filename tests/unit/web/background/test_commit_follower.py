"""Commits that other hosts announce: fetched once, tried again, and never replaced by older ones."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from types import SimpleNamespace
from typing import cast

from tests.processes.family import eventually

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import Dependency
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.db.database import Database
from kinfolk.live.topic_store import TopicStore
from kinfolk.web.background.commit_follower import DATABASE_RETRY_S, CommitFollower, content_key

REF = Ref("acme/tiles", "main")
NOW = datetime(2026, 11, 28, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone


@dataclass
class Remote:
    """A remote with one branch. `is_away` makes fetches fail."""

    commit: str = "c1"
    is_away: bool = False


@dataclass
class Host:
    """A host with a mirror of a remote. `during` is called in a fetch, between its read of the remote and its end."""

    remote: Remote
    commit: str = "c1"
    fetches: int = 0
    during: Callable[[], None] = lambda: None
    synced_s: float | None = None
    source: Host = field(init=False)

    def __post_init__(self) -> None:
        self.source = self

    @property
    def docs(self) -> SimpleNamespace:
        return SimpleNamespace(snapshot=SimpleNamespace(trees={REF: SimpleNamespace(revision=self.commit)}))

    def synced_at_s(self, ref: Ref) -> float | None:
        assert ref == REF
        return self.synced_s

    def refresh_content(self, refs: Collection[Ref]) -> frozenset[Dependency]:
        if refs:
            self.fetches += 1
            found = self.remote.commit
            self.during()
            if not self.remote.is_away:
                self.commit = found
        return frozenset()


def follower_of(host: Host, database: Database, clock: Callable[[], float] = time.monotonic) -> CommitFollower:
    topics = TopicStore(database, now=lambda: NOW)
    publisher = cast(DocsPublisher, host)
    return CommitFollower(topics, publisher, [REF], is_fetched=lambda _: True, lock_folder=None, clock=clock)


def push(host: Host, follower: CommitFollower, commit: str) -> None:
    """Fetch a new commit of the remote, and announce it."""
    host.remote.commit = commit
    follower.fetch_begins()
    host.refresh_content([REF])
    follower.announce([REF])


def announced(database: Database) -> object:
    stored = TopicStore(database, now=lambda: NOW).get(content_key(REF))
    return stored.data["commit"] if stored is not None else None


@contextmanager
def running(follower: CommitFollower) -> Iterator[None]:
    thread = threading.Thread(target=follower.run)
    thread.start()
    try:
        yield
    finally:
        follower.stop()
        thread.join()


def test_announced_commit_is_fetched(sqlite_database: Database) -> None:
    remote = Remote()
    first, second = Host(remote), Host(remote)
    push(first, follower_of(first, sqlite_database), "c2")
    with running(follower_of(second, sqlite_database)):
        eventually(lambda: second.commit == "c2", "the commit of the other host is shown")
    assert second.fetches == 1


def test_failed_fetch_keeps_the_commit_and_is_tried_again(sqlite_database: Database) -> None:
    remote = Remote()
    first, second = Host(remote), Host(remote)
    push(first, follower_of(first, sqlite_database), "c2")
    remote.is_away = True
    follower = follower_of(second, sqlite_database)
    with running(follower):
        eventually(lambda: follower.is_behind, "a fetch fails")
        assert second.commit == "c1"
        remote.is_away = False
        eventually(lambda: second.commit == "c2", "the commit is shown later")
    assert announced(sqlite_database) == "c2"


def test_slow_fetch_of_an_old_commit_does_not_replace_a_newer_one(sqlite_database: Database) -> None:
    remote = Remote()
    slow, fast = Host(remote), Host(remote)
    of_slow, of_fast = follower_of(slow, sqlite_database), follower_of(fast, sqlite_database)

    def overtake() -> None:
        slow.during = lambda: None
        push(fast, of_fast, "c3")

    slow.during = overtake
    push(slow, of_slow, "c2")
    assert (slow.commit, announced(sqlite_database)) == ("c2", "c3")
    with running(of_slow):
        eventually(lambda: slow.commit == "c3", "the host that was late fetches again")
    assert announced(sqlite_database) == "c3"


def test_commit_is_announced_after_an_outage_of_the_database(sqlite_database: Database) -> None:
    host = Host(Remote())
    now_s = [0.0]
    follower = follower_of(host, sqlite_database, lambda: now_s[0])
    sqlite_database.refusal = "The database is away"
    push(host, follower, "c2")
    sqlite_database.refusal = None
    assert announced(sqlite_database) is None
    now_s[0] = DATABASE_RETRY_S
    with running(follower):
        eventually(lambda: announced(sqlite_database) == "c2", "the commit is announced")

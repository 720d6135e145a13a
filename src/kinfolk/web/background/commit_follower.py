"""Shows the commits that other processes have fetched, and announces those that this one has fetched.

Processes of one host share a mirror: one of them fetches, the others read it. Hosts that share a database each fetch
from the remote, after one of them has announced a commit in the topic of its branch.

A commit is announced only if the topic has not changed since its fetch began. So a slow fetch of an old commit does not
replace the announcement of a newer one, whatever the order in which they end.
"""

from __future__ import annotations

import fcntl
import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.live.topic_store import DATA_CHANGED, StoredTopic, TopicStore
from kinfolk.live.topics import topic_key
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CONTENT_CHANGED = "content.changed"
FIRST_RETRY_S, LONGEST_RETRY_S = 0.5, 60.0
"""Between two fetches of a commit that the remote does not have yet, or that cannot be fetched."""
DATABASE_RETRY_S = 5.0
"""Seconds until an announcement is repeated that the database did not store."""
LOCK_POLL_S = 0.05
CONFIRMED = 3
"""Fetches after which another commit than the announced one is taken for the branch's: the branch was reset."""


@dataclass(frozen=True)
class _Announced:
    """A commit that this process should show. `version` is that of its topic."""

    commit: str
    version: int
    tries: int = 0
    confirmed: int = 0
    due_s: float = 0.0


class CommitFollower:
    """A service, for one process. All other methods are thread-safe."""

    def __init__(
        self,
        topics: TopicStore,
        publisher: DocsPublisher,
        refs: Iterable[Ref],
        *,
        is_fetched: Callable[[Ref], bool],
        lock_folder: Path | None,
        on_announced: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`is_fetched` says whether this server has a mirror of a branch. Processes of a host share `lock_folder`."""
        self._topics = topics
        self._publisher = publisher
        self._refs = {content_key(ref): ref for ref in refs}
        self._is_fetched = is_fetched
        self._lock_folder = lock_folder
        self._on_announced = on_announced
        self._clock = clock
        self.on_fetched: Callable[[Collection[Ref]], None] = lambda _: None
        """Gets the branches of each fetch."""
        # Guards the next four attributes.
        self._state = threading.Lock()
        self._seen: dict[Ref, int] = {}
        self._announced: dict[Ref, _Announced] = {}
        self._unstored: dict[Ref, int] = {}
        self._store_again_s = 0.0
        self._at_fetch = threading.local()
        self._is_loaded = False
        self._woken = threading.Event()
        self._stopped = threading.Event()

    def notice(self, stored: StoredTopic) -> None:
        """The topic of a branch has changed: another process or this one has fetched a commit. Does not block."""
        ref, commit = self._refs.get(stored.key), stored.data.get("commit")
        if ref is None or not isinstance(commit, str):
            return
        with self._state:
            if stored.version <= self._seen.get(ref, -1):
                return
            self._seen[ref] = stored.version
            if self._commit(ref) != commit:
                self._announced[ref] = _Announced(commit, stored.version)
            else:
                self._announced.pop(ref, None)
        self._woken.set()

    def fetch_begins(self) -> None:
        """Call it before each fetch, in its thread."""
        with self._state:
            self._at_fetch.seen = dict(self._seen)

    def announce(self, refs: Collection[Ref]) -> None:
        """Announce the commits of these branches, which this thread has fetched. Blocks."""
        seen: Mapping[Ref, int] = getattr(self._at_fetch, "seen", {})
        for ref in refs:
            self._announce(ref, seen.get(ref, 0))

    @property
    def is_behind(self) -> bool:
        """Whether a commit that another process has fetched is not shown after a first attempt."""
        with self._state:
            return any(each.tries for each in self._announced.values())

    def stop(self) -> None:
        """Stop `run`. Does not block."""
        self._stopped.set()
        self._woken.set()

    def run(self) -> None:
        """The service. Raises Unavailable while the database is away, and goes on when it is called again."""
        while not self._stopped.is_set():
            if not self._is_loaded:
                for stored in self._topics.states_of(CONTENT_CHANGED):
                    self.notice(stored)
                self._is_loaded = True
            self._woken.wait(self._follow())
            self._woken.clear()

    def _follow(self) -> float | None:
        """Announce and fetch what is due. Seconds until more is due."""
        with self._state:
            is_due = self._clock() >= self._store_again_s
            unstored, self._unstored = (self._unstored, {}) if is_due else ({}, self._unstored)
        for ref, seen in unstored.items():
            self._announce(ref, seen)
        due = self._due()
        if due:
            self._catch_up(due)
        with self._state:
            due_s = [each.due_s for each in self._announced.values()]
            due_s += [self._store_again_s] if self._unstored else []
        return max(0.0, min(due_s) - self._clock()) if due_s else None

    def _due(self) -> dict[Ref, _Announced]:
        """The branches whose announced commit is to be fetched now."""
        now_s = self._clock()
        with self._state:
            for ref in [ref for ref, each in self._announced.items() if self._commit(ref) == each.commit]:
                del self._announced[ref]
            due = {ref: each for ref, each in self._announced.items() if each.due_s <= now_s}
        foreign = [ref for ref in due if not self._is_fetched(ref)]
        with self._state:
            for ref in foreign:
                self._announced.pop(ref, None)
        return {ref: each for ref, each in due.items() if ref not in foreign}

    def _catch_up(self, due: Mapping[Ref, _Announced]) -> None:
        """Show these commits, from the mirror of this host or else from the remote."""
        began_s = math.inf
        with self._alone_on_host():
            # Another process of this host may have fetched them.
            self._publisher.refresh_content(())
            missing = [ref for ref, each in due.items() if self._commit(ref) != each.commit]
            if missing and not self._stopped.is_set():
                self.fetch_begins()
                began_s = self._clock()
                self._publisher.refresh_content(missing)
                self.on_fetched(missing)
        for ref in missing:
            if self._commit(ref) != due[ref].commit:
                self._try_later(ref, due[ref], began_s)

    def _try_later(self, ref: Ref, announced: _Announced, began_s: float) -> None:
        """The remote does not have the commit, or could not be reached. The last good commit stays."""
        is_confirmed = (self._publisher.source.synced_at_s(ref) or 0.0) >= began_s
        confirmed = announced.confirmed + is_confirmed
        log.info("commit not fetched yet", ref=str(ref), commit=announced.commit[:12], tries=announced.tries + 1)
        if confirmed == CONFIRMED:
            self._announce(ref, announced.version)
        pause_s = min(FIRST_RETRY_S * 2 ** min(announced.tries, 10), LONGEST_RETRY_S)
        later = replace(announced, tries=announced.tries + 1, confirmed=confirmed, due_s=self._clock() + pause_s)
        with self._state:
            # A later announcement is fetched instead.
            if self._announced.get(ref) == announced:
                self._announced[ref] = later

    def _announce(self, ref: Ref, seen: int) -> None:
        commit = self._commit(ref)
        if commit is None:
            return
        try:
            is_stored = self._topics.publish_after(content_key(ref), {"commit": commit}, seen)
            if is_stored:
                self._topics.publish(topic_key(DATA_CHANGED, source="content"), {"commit": commit})
            else:
                newer = self._topics.get(content_key(ref))
                if newer is not None:
                    self._require(ref, newer)
        except Unavailable as failure:
            log.warning("commit not announced", ref=str(ref), reason=failure.message)
            with self._state:
                self._unstored.setdefault(ref, seen)
                self._store_again_s = self._clock() + DATABASE_RETRY_S
            self._woken.set()
            return
        self._on_announced()

    def _require(self, ref: Ref, stored: StoredTopic) -> None:
        """Fetch the branch once more: its topic has changed since the last fetch began."""
        commit = stored.data.get("commit")
        with self._state:
            self._seen[ref] = max(stored.version, self._seen.get(ref, 0))
            if isinstance(commit, str) and self._commit(ref) != commit:
                self._announced[ref] = _Announced(commit, stored.version)
        self._woken.set()

    def _commit(self, ref: Ref) -> str | None:
        tree = self._publisher.docs.snapshot.trees.get(ref)
        return tree.revision if tree is not None else None

    @contextmanager
    def _alone_on_host(self) -> Iterator[None]:
        """Wait until no other process of this host catches up: it fetches for all of them."""
        if self._lock_folder is None or not self._lock_folder.is_dir():
            yield
            return
        with (self._lock_folder / "follow.lock").open("w") as file:
            while not self._stopped.is_set():
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    self._stopped.wait(LOCK_POLL_S)
                else:
                    break
            yield


def content_key(ref: Ref) -> str:
    """The topic of a branch."""
    return topic_key(CONTENT_CHANGED, repo=ref.repo, branch=ref.branch)

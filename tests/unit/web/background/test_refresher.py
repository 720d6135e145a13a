"""A process reads the content that other processes publish, also during its start."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import Dependency, prose_page
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.sources.snapshot import ContentSource, Snapshot
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.web.background.refresher import HistoryRefresher, Refresher

PATIENCE_S = 30.0
EVERY_S = 0.05
QUERY, TABLE = Ref("TanStack/query", "main"), Ref("TanStack/table", "main")
Refs = Collection[Ref] | None


class IdleSource:
    """A content source whose `stop` does nothing."""

    def stop(self) -> None:
        pass


class RecordingPublisher:
    """A publisher that records the refs of each refresh. The first `failing` refreshes fail."""

    def __init__(self, *, failing: int = 0, takes_s: float = 0.0) -> None:
        self.source = IdleSource()
        self.taken: queue.Queue[Refs] = queue.Queue()
        self.times: queue.Queue[tuple[float, float]] = queue.Queue()
        self._failing = failing
        self._takes_s = takes_s

    def refresh_content(self, refs: Refs) -> frozenset[str]:
        began = time.monotonic()
        self.taken.put(refs)
        threading.Event().wait(self._takes_s)
        self.times.put((began, time.monotonic()))
        if self._failing:
            self._failing -= 1
            raise OSError("No space left on device")
        return frozenset({"something"})

    fetch_histories = refresh_content


@contextmanager
def supervised(service: Refresher | HistoryRefresher) -> Iterator[Supervisor]:
    supervisor = Supervisor()
    supervisor.start("refresher", service.run, stop=service.stop)
    try:
        yield supervisor
    finally:
        assert supervisor.stop(within_s=PATIENCE_S) == []


def refresher(publisher: RecordingPublisher, every_s: float, **options: Path) -> Refresher:
    return Refresher(cast("DocsPublisher", publisher), every_s, **options)  # type: ignore[arg-type]


def refreshes_after_start(published: Path, publish: Callable[[], object]) -> list[Refs]:
    """The first refresh, and the one after another publication."""
    publisher = RecordingPublisher()
    with supervised(refresher(publisher, 0, published=published)):
        first = publisher.taken.get(timeout=PATIENCE_S)
        publish()
        return [first, publisher.taken.get(timeout=PATIENCE_S)]


def test_other_processes_can_refresh_after_a_long_refresh() -> None:
    publisher = RecordingPublisher(takes_s=2 * EVERY_S)
    with supervised(refresher(publisher, EVERY_S)):
        (_, ended), (began, _) = (publisher.times.get(timeout=PATIENCE_S) for _ in range(2))
    assert began - ended >= EVERY_S


def test_content_published_during_the_start_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinfolk.web.background.refresher.CHECK_PUBLISHED_EVERY_S", EVERY_S)
    published = tmp_path / "published.json"
    published.write_text("{}")
    assert refreshes_after_start(published, lambda: published.write_text('{"newer": 1}')) == [(), ()]


def test_failed_refresh_of_a_push_is_repeated() -> None:
    publisher = RecordingPublisher(failing=1)
    service = refresher(publisher, 0)
    with supervised(service) as supervisor:
        service.wake([QUERY])
        assert [publisher.taken.get(timeout=PATIENCE_S) for _ in range(2)] == [{QUERY}, {QUERY}]
        assert supervisor.states()[0].last_error == "OSError: No space left on device"


def test_requested_histories_are_fetched_and_failures_repeated() -> None:
    publisher = RecordingPublisher(failing=1)
    service = HistoryRefresher(cast("DocsPublisher", publisher))
    service.wake([QUERY])
    service.wake([TABLE])
    with supervised(service):
        assert [publisher.taken.get(timeout=PATIENCE_S) for _ in range(2)] == [{QUERY, TABLE}] * 2
        service.wake(None)
        assert publisher.taken.get(timeout=PATIENCE_S) is None


class FailingSource:
    """A source whose content cannot be read."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.is_history_fetched = False
        self._snapshot = snapshot

    def refresh(self, refs: Refs) -> Snapshot:
        del refs
        raise OSError("Input/output error")

    def fetch_history(self, refs: Refs) -> Snapshot:
        del refs
        self.is_history_fetched = True
        return self._snapshot


def test_failed_part_of_a_refresh_does_not_stop_the_others(
    docs_from_files: Callable[[dict[str, str]], DocsSnapshot],
) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/overview.md": "# Overview"})
    source = FailingSource(docs.snapshot)
    publisher = DocsPublisher(docs, cast("ContentSource", source))
    calls: list[str] = []
    purged: list[frozenset[str]] = []

    def fail() -> frozenset[Dependency]:
        calls.append("failed")
        raise OSError("blog unreadable")

    def read_terms() -> frozenset[Dependency]:
        calls.append("read")
        return frozenset({prose_page("terms")})

    def failing_listener(tags: frozenset[str]) -> None:
        raise RuntimeError(str(tags))

    publisher.add_source(fail)
    publisher.add_source(read_terms)
    publisher.on_purge(failing_listener)
    publisher.on_purge(purged.append)
    with pytest.raises(OSError, match="blog unreadable"):
        publisher.refresh()
    assert (calls, purged, source.is_history_fetched) == (["failed", "read"], [frozenset({"page:terms"})], True)


def test_process_that_does_not_lead_fetches_pushes_only() -> None:
    publisher = RecordingPublisher()
    answers = iter((False, False, True))
    refresher = Refresher(cast(DocsPublisher, publisher), EVERY_S, leads=lambda: next(answers, False))
    with supervised(refresher):
        taken = [publisher.taken.get(timeout=PATIENCE_S) for _ in range(3)]
        assert taken == [(), (), None]
        refresher.wake([QUERY])
        while publisher.taken.get(timeout=PATIENCE_S) != {QUERY}:
            pass
    assert refresher.followed_s is not None

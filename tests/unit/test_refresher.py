"""A process follows what the others publish, also what they published while it was still starting."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from kinfolk.docs import Docs
from kinfolk.site import Editions
from kinfolk.sources.snapshot import Ref, Snapshot, Source
from kinfolk.supervision import Supervisor
from kinfolk.web.refresher import HistoryRefresher, Refresher

PATIENCE_S = 30.0
EVERY_S = 0.05
QUERY, TABLE = Ref("TanStack/query", "main"), Ref("TanStack/table", "main")
Refs = Collection[Ref] | None


class Idle:
    """A source of docs with nothing that could be stopped."""

    def stop(self) -> None:
        pass


class Looks:
    """Docs that are looked at: notes which branches each look was for. The first `failing` of them fail."""

    def __init__(self, *, failing: int = 0, takes_s: float = 0.0) -> None:
        self.source = Idle()
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
    supervisor.start("looks", service.run, stop=service.stop)
    try:
        yield supervisor
    finally:
        assert supervisor.stop(within_s=PATIENCE_S) == []


def refresher(looks: Looks, every_s: float, **options: Path) -> Refresher:
    return Refresher(cast("Editions", looks), every_s, **options)  # type: ignore[arg-type]


def looks_after_start(published: Path, publish: Callable[[], object]) -> list[Refs]:
    """The first look, and the one after others have published once more."""
    looks = Looks()
    with supervised(refresher(looks, 0, published=published)):
        first = looks.taken.get(timeout=PATIENCE_S)
        publish()
        return [first, looks.taken.get(timeout=PATIENCE_S)]


def test_after_a_long_look_others_have_time_to_look() -> None:
    looks = Looks(takes_s=2 * EVERY_S)
    with supervised(refresher(looks, EVERY_S)):
        (_, ended), (began, _) = (looks.times.get(timeout=PATIENCE_S) for _ in range(2))
    assert began - ended >= EVERY_S


def test_what_was_published_while_a_process_started_is_looked_at(tmp_path: Path) -> None:
    published = tmp_path / "published.json"
    published.write_text("{}")
    assert looks_after_start(published, lambda: published.write_text('{"newer": 1}')) == [(), ()]


def test_a_push_whose_look_fails_is_looked_at_again() -> None:
    looks = Looks(failing=1)
    service = refresher(looks, 0)
    with supervised(service) as supervisor:
        service.wake([QUERY])
        assert [looks.taken.get(timeout=PATIENCE_S) for _ in range(2)] == [{QUERY}, {QUERY}]
        assert supervisor.states()[0].last_error == "OSError: No space left on device"


def test_histories_of_all_branches_woken_for_are_fetched_and_a_failure_is_repeated() -> None:
    looks = Looks(failing=1)
    service = HistoryRefresher(cast("Editions", looks))
    service.wake([QUERY])
    service.wake([TABLE])
    with supervised(service):
        assert [looks.taken.get(timeout=PATIENCE_S) for _ in range(2)] == [{QUERY, TABLE}] * 2
        service.wake(None)
        assert looks.taken.get(timeout=PATIENCE_S) is None


class Failing:
    """A source whose content cannot be read."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.looked_back = False
        self._snapshot = snapshot

    def refresh(self, refs: Refs) -> Snapshot:
        del refs
        raise OSError("Input/output error")

    def look_back(self, refs: Refs) -> Snapshot:
        del refs
        self.looked_back = True
        return self._snapshot


def test_one_part_of_a_refresh_that_fails_does_not_keep_the_others_from_it(
    shelved: Callable[[dict[str, str]], Docs],
) -> None:
    docs = shelved({"TanStack/query/main/docs/overview.md": "# Overview"})
    source = Failing(docs.snapshot)
    editions = Editions(docs, cast("Source", source))
    seen: list[str] = []
    purged: list[frozenset[str]] = []

    def fail() -> frozenset[str]:
        seen.append("failed")
        raise OSError("blog unreadable")

    def look() -> frozenset[str]:
        seen.append("looked")
        return frozenset({"page:terms"})

    def bad_listener(tags: frozenset[str]) -> None:
        raise RuntimeError(str(tags))

    editions.beside(fail)
    editions.beside(look)
    editions.on_purge(bad_listener)
    editions.on_purge(purged.append)
    with pytest.raises(OSError, match="blog unreadable"):
        editions.refresh()
    assert (seen, purged, source.looked_back) == (["failed", "looked"], [frozenset({"page:terms"})], True)

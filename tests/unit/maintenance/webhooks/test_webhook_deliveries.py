"""The log of deliveries: limits, counts, repeated deliveries, a database that is away, results of pushes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.sync_progress import RepoDone
from kinfolk.db.database import Database
from kinfolk.maintenance.webhooks import webhook_deliveries
from kinfolk.maintenance.webhooks.delivery import (
    LONGEST_DETAIL,
    LONGEST_REPO,
    CountedDelivery,
    DeliveryOutcome,
    DeliveryResult,
    PushSync,
    SentEvent,
    WebhookDelivery,
)
from kinfolk.maintenance.webhooks.delivery_log import MOST_COUNTED, MOST_WAITING, WRITE_EVERY_S, DeliveryLog
from kinfolk.maintenance.webhooks.push_results import MOST_PENDING, PushResults
from kinfolk.maintenance.webhooks.webhook_deliveries import COUNTED_S, KEPT_DAYS, KEPT_ROWS, WebhookDeliveries
from kinfolk.runtime.errors import Unavailable

REF = Ref("acme/atlas", "main")
OLD, NEW, OTHER = "a" * 40, "b" * 40, "c" * 40
REFUSED = CountedDelivery("github", 403, "wrong_signature")


class Clock:
    """Wall time for rows, and seconds for the service."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 29, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone
        self.now_s = 100.0

    def __call__(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database: Database, clock: Clock) -> WebhookDeliveries:
    return WebhookDeliveries(database, now=clock)


@pytest.fixture
def log(sqlite_database: Database, clock: Clock) -> DeliveryLog:
    return DeliveryLog(WebhookDeliveries(sqlite_database, now=clock), clock=clock.seconds)


def delivery(
    key: str, at: datetime, *, outcome: DeliveryOutcome = "push", id: str = "", repo: str = "acme/atlas"
) -> WebhookDelivery:
    return WebhookDelivery(key, at, "github", SentEvent(id, "push", repo, "main", NEW), 202, outcome)


def keys(store: WebhookDeliveries, *, result: DeliveryResult | None = None, repo: str = "") -> list[str]:
    return [each.key for each in store.newest(limit=500, result=result, repo=repo)]


# The table


def test_stored_delivery_is_read_as_it_was(store: WebhookDeliveries, clock: Clock) -> None:
    sent = SentEvent("7d3", "push", "acme/atlas", "main", NEW)
    sync = PushSync("failed", 1200, OLD, "no answer within 60 s")
    stored = WebhookDelivery("a", clock.now, "github", sent, 202, "push", "main, v4", sync=sync)
    store.put([stored], {})
    assert store.newest(limit=10) == [stored]


def test_deliveries_are_found_by_result_and_repository(store: WebhookDeliveries, clock: Clock) -> None:
    rows = [
        delivery("a", clock.now),
        delivery("b", clock.now + timedelta(seconds=1), outcome="other_branch"),
        delivery("c", clock.now + timedelta(seconds=2), repo="acme/loom"),
    ]
    store.put(rows, {})
    assert keys(store) == ["c", "b", "a"]
    assert keys(store, result="accepted") == ["c", "a"]
    assert keys(store, repo="acme/atlas") == ["b", "a"]
    assert store.repositories() == ["acme/atlas", "acme/loom"]


def test_result_of_a_push_replaces_its_row(store: WebhookDeliveries, clock: Clock) -> None:
    first = delivery("a", clock.now)
    store.put([first], {})
    store.put([WebhookDelivery(**{**vars(first), "sync": PushSync("served", 900, NEW)})], {})
    (found,) = store.newest(limit=10)
    assert found.sync == PushSync("served", 900, NEW)


def test_repeated_delivery_names_how_many_came_before(store: WebhookDeliveries, clock: Clock) -> None:
    times = [clock.now + timedelta(seconds=second) for second in range(4)]
    store.put([delivery(str(index), at, id="7d3") for index, at in enumerate(times[:3])], {})
    store.put([delivery("other", times[3], id="9f0"), delivery("unnamed", times[3])], {})
    assert {each.key: each.earlier for each in store.newest(limit=10)} == {
        "0": 0,
        "1": 1,
        "2": 2,
        "other": 0,
        "unnamed": 0,
    }


def test_refusals_are_one_row_a_minute_for_each_reason(store: WebhookDeliveries, clock: Clock) -> None:
    store.put([], {REFUSED: 40, CountedDelivery("github", 413, "too_large"): 1})
    clock.now += timedelta(seconds=COUNTED_S - 1)
    store.put([], {REFUSED: 2})
    clock.now += timedelta(seconds=2)
    store.put([], {REFUSED: 1})
    found = sorted((each.outcome, each.count) for each in store.newest(limit=10))
    assert found == [("too_large", 1), ("wrong_signature", 1), ("wrong_signature", 42)]


def test_clock_that_was_set_back_does_not_hide_counts(store: WebhookDeliveries, clock: Clock) -> None:
    store.put([], {REFUSED: 1})
    clock.now -= timedelta(days=1)
    store.put([], {REFUSED: 5})
    assert sorted(each.count for each in store.newest(limit=10)) == [1, 5]


def test_old_rows_are_deleted(store: WebhookDeliveries, clock: Clock) -> None:
    store.put([delivery("old", clock.now)], {})
    clock.now += timedelta(days=KEPT_DAYS)
    store.put([delivery("new", clock.now)], {})
    assert keys(store) == ["new", "old"]
    clock.now += timedelta(seconds=1)
    store.put([], {})
    assert keys(store) == ["new"]


def test_flood_of_one_result_leaves_the_others(
    store: WebhookDeliveries, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_deliveries, "KEPT_ROWS", dict.fromkeys(KEPT_ROWS, 3))
    store.put([delivery("push", clock.now)], {})
    for _ in range(5):
        clock.now += timedelta(minutes=2)
        store.put([], {REFUSED: 1000})
    assert [each.count for each in store.newest(limit=10, result="refused")] == [1000] * 3
    assert keys(store, result="accepted") == ["push"]
    assert sum(KEPT_ROWS.values()) <= 500


def test_texts_are_printable_and_short(store: WebhookDeliveries, clock: Clock) -> None:
    sent = SentEvent("\x00id\u202e", "push\n" * 100, "acme/" + "x" * 9000, "\ud800main", "not a commit")
    row = WebhookDelivery("a", clock.now, "github", sent, 400, "invalid", "\x1b[31mred" + "y" * 9000)
    store.put([row], {})
    (found,) = store.newest(limit=10)
    assert (found.sent.id, found.sent.ref, found.sent.commit) == ("id", "main", "")
    assert (len(found.sent.repo), found.sent.event.isprintable()) == (LONGEST_REPO, True)
    assert (found.detail[:6], len(found.detail)) == ("[31mre", LONGEST_DETAIL)


# Writing in the background


@contextmanager
def locked(database: Database) -> Iterator[None]:
    """A database that refuses every transaction."""
    database.refusal = "locked"
    yield
    database.refusal = None


def test_service_writes_at_once_and_then_once_a_second(log: DeliveryLog, clock: Clock) -> None:
    service = threading.Thread(target=log.run)
    log.add("github", SentEvent("1", "push", "acme/atlas"), status=202, outcome="push")
    service.start()
    log.stop()
    service.join(10)
    assert [each.sent.id for each in log.store.newest(limit=10)] == ["1"]
    assert log.due_in_s() is None
    log.add("github", SentEvent("2", "push", "acme/atlas"), status=202, outcome="push")
    assert log.due_in_s() == WRITE_EVERY_S
    clock.now_s += 5
    assert (log.due_in_s() or 0) < 0


def test_refusals_wait_for_their_interval(log: DeliveryLog, clock: Clock) -> None:
    log.count(REFUSED)
    log.flush()
    for _ in range(1000):
        log.count(REFUSED)
    log.add("github", SentEvent("1", "push", "acme/atlas"), status=202, outcome="push")
    clock.now_s += 2
    log.flush(counts=False)
    assert [each.count for each in log.store.newest(limit=10, result="refused")] == [1]
    assert (log.due_in_s() or 0) > 0
    log.flush()
    assert [each.count for each in log.store.newest(limit=10, result="refused")] == [1001]


def test_deliveries_wait_for_a_database_that_is_away(log: DeliveryLog, sqlite_database: Database, clock: Clock) -> None:
    first = log.add("github", SentEvent("1", "push", "acme/atlas"), status=202, outcome="push")
    log.count(REFUSED)
    with locked(sqlite_database):
        for _ in range(2):
            with pytest.raises(Unavailable):
                log.flush()
        log.update(WebhookDelivery(**{**vars(first), "sync": PushSync("served", 900, NEW)}))
        log.count(REFUSED)
    log.flush()
    push, refused = sorted(log.store.newest(limit=10), key=lambda each: each.result)
    assert (push.sync, push.at, refused.count) == (PushSync("served", 900, NEW), clock.now, 2)


def test_memory_is_bounded_while_the_database_is_away(log: DeliveryLog, sqlite_database: Database) -> None:
    with locked(sqlite_database):
        for index in range(MOST_WAITING + 5):
            log.add("github", SentEvent(str(index), "push", "acme/atlas"), status=202, outcome="push")
        for index in range(MOST_COUNTED + 5):
            log.count(CountedDelivery("github", 200, "unused_event", f"event {index}", "acme/atlas"))
        with pytest.raises(Unavailable):
            log.flush()
    log.flush()
    found = log.store.newest(limit=500)
    assert [each.sent.id for each in found if each.result == "accepted"].count("0") == 0
    assert {each.count for each in found if not each.sent.repo} == {5}


# What came of a push


class Syncs:
    """A served commit, and the last sync of the repository."""

    def __init__(self, log: DeliveryLog, clock: Clock) -> None:
        self.commit: str | None = OLD
        self.done: dict[str, RepoDone] = {REF.repo: self.sync("failed", reason="before the push")}
        self.results = PushResults(log, served=lambda _: self.commit, done=self.done, clock=clock.seconds)
        self._log = log

    def sync(self, outcome: str, *updated: str, reason: str = "") -> RepoDone:
        return RepoDone(REF.repo, outcome, updated, reason, 0, 0.1)  # type: ignore[arg-type]

    def push(self, commit: str = NEW) -> None:
        sent = SentEvent("1", "push", REF.repo, REF.branch, commit)
        self.results.expect(self._log.add("github", sent, status=202, outcome="push"), REF)

    def stored(self) -> PushSync | None:
        self._log.flush()
        return self._log.store.newest(limit=1)[0].sync


@pytest.fixture
def syncs(log: DeliveryLog, clock: Clock) -> Syncs:
    return Syncs(log, clock)


def test_push_has_the_time_until_its_commit_is_served(syncs: Syncs, clock: Clock) -> None:
    syncs.push()
    syncs.results.sync_begins()
    assert syncs.stored() is None
    syncs.commit = NEW
    clock.now_s += 1.25
    syncs.results.sync_ended([REF])
    assert syncs.stored() == PushSync("served", 1250, NEW)


@pytest.mark.parametrize(
    ("commit", "outcome", "updated", "expected"),
    [
        (OTHER, "updated", ["main"], PushSync("served", 0, OTHER)),
        (OLD, "updated", ["main"], PushSync("no_change", 0, OLD)),
        (OLD, "unchanged", [], PushSync("no_commit", 0, OLD)),
        (OLD, "failed", [], PushSync("failed", 0, OLD, "main: no answer")),
        (NEW, "failed", ["main"], PushSync("served", 0, NEW)),
        (None, "failed", [], PushSync("failed", 0, "", "main: no answer")),
    ],
)
def test_push_has_the_outcome_of_its_sync(
    syncs: Syncs, commit: str | None, outcome: str, updated: list[str], expected: PushSync
) -> None:
    syncs.push()
    syncs.results.sync_begins()
    syncs.commit = commit
    syncs.done[REF.repo] = syncs.sync(outcome, *updated, reason="main: no answer" if outcome == "failed" else "")
    syncs.results.sync_ended(None)
    assert syncs.stored() == expected


def test_failure_before_the_push_is_not_that_of_its_sync(syncs: Syncs) -> None:
    syncs.push()
    syncs.results.sync_begins()
    syncs.results.sync_ended(None)
    assert syncs.stored() == PushSync("no_commit", 0, OLD)


def test_sync_that_began_before_the_push_or_of_other_branches_is_not_its_sync(syncs: Syncs) -> None:
    syncs.results.sync_begins()
    syncs.push()
    syncs.results.sync_ended(None)
    syncs.results.sync_begins()
    syncs.results.sync_ended([Ref("acme/atlas", "v4")])
    assert syncs.stored() is None
    syncs.results.sync_begins()
    syncs.results.sync_ended([REF])
    assert syncs.stored() is not None


def test_results_of_few_pushes_are_awaited(syncs: Syncs, log: DeliveryLog) -> None:
    for _ in range(MOST_PENDING + 3):
        syncs.push()
    syncs.results.sync_begins()
    syncs.results.sync_ended([REF])
    log.flush()
    assert sum(each.sync is not None for each in log.store.newest(limit=500)) == MOST_PENDING

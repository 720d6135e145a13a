"""Adds to the delivery of a push how the sync after it ended, and after how long its commit was served.

Only the process that received the push knows both. If it ends before the sync does, the delivery has no result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.sync_progress import RepoDone
from kinfolk.maintenance.webhooks.delivery import PushSync, SyncOutcome, WebhookDelivery
from kinfolk.maintenance.webhooks.delivery_log import DeliveryLog

MOST_PENDING = 100
"""Pushes of which no sync has ended. Results of older ones are not stored."""


@dataclass(frozen=True)
class _PendingPush:
    """A push to a branch. `before` is the commit that was served when it came, `done` the last sync until then."""

    delivery: WebhookDelivery
    ref: Ref
    received_s: float
    before: str | None
    done: RepoDone | None


class PushResults:
    """For any number of threads; `sync_begins` and `sync_ended` for that of the refreshes."""

    def __init__(
        self,
        log: DeliveryLog,
        *,
        served: Callable[[Ref], str | None],
        done: Mapping[str, RepoDone],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`served` gives the commit of a branch that is served now, `done` the last sync of each repository."""
        self._log = log
        self._served = served
        self._done = done
        self._clock = clock
        self._lock = threading.Lock()
        self._pending: dict[str, _PendingPush] = {}
        self._syncing: frozenset[str] = frozenset()

    def expect(self, delivery: WebhookDelivery, ref: Ref) -> None:
        """Wait for the next sync of the branch. Call it before the sync is requested. Does not block."""
        push = _PendingPush(delivery, ref, self._clock(), self._served(ref), self._done.get(ref.repo))
        with self._lock:
            self._pending[delivery.key] = push
            if len(self._pending) > MOST_PENDING:
                del self._pending[next(iter(self._pending))]

    def sync_begins(self) -> None:
        """A sync fetches all commits of the pushes before it."""
        with self._lock:
            self._syncing = frozenset(self._pending)

    def sync_ended(self, refs: Collection[Ref] | None) -> None:
        """The sync of these branches, or of all, has ended, and what it has fetched is served."""
        with self._lock:
            ended = [
                self._pending.pop(key)
                for key, push in list(self._pending.items())
                if key in self._syncing and (refs is None or push.ref in refs)
            ]
        for push in ended:
            self._log.update(replace(push.delivery, sync=self._result(push)))

    def _result(self, push: _PendingPush) -> PushSync:
        commit, done = self._served(push.ref), self._done.get(push.ref.repo)
        if done is push.done:
            done = None
        after_ms = max(0, round((self._clock() - push.received_s) * 1000))
        is_updated = done is not None and push.ref.branch in done.updated
        outcome: SyncOutcome
        if commit is not None and (commit == push.delivery.sent.commit or commit != push.before):
            outcome = "served"
        elif done is not None and done.outcome == "failed" and not is_updated:
            return PushSync("failed", after_ms, commit or "", done.reason)
        else:
            outcome = "no_change" if is_updated else "no_commit"
        return PushSync(outcome, after_ms, commit or "")

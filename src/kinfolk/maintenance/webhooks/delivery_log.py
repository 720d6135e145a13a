"""Writes deliveries of webhooks to the database in the background: a request never waits for it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

from kinfolk.accounts.secret_tokens import new_id
from kinfolk.maintenance.webhooks.delivery import CountedDelivery, DeliveryOutcome, SentEvent, WebhookDelivery
from kinfolk.maintenance.webhooks.webhook_deliveries import WebhookDeliveries
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import Supervisor

WRITE_EVERY_S = 1.0
"""Seconds between two writes of deliveries."""
COUNT_EVERY_S = 10.0
"""Seconds between two writes of counts."""
MOST_WAITING = 500
"""Deliveries in memory while the database is away. The oldest ones are dropped, as those of the table are."""
MOST_COUNTED = 100
"""Different counts between two writes. Further ones are counted without event and repository."""


class DeliveryLog(Service):
    """For any number of threads. Only `run` and `flush` block."""

    def __init__(self, store: WebhookDeliveries, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.store = store
        self._clock = clock
        # Guards the next attributes, and is notified of their changes.
        self._changed = threading.Condition()
        self._waiting: dict[str, WebhookDelivery] = {}
        self._counts: Counter[CountedDelivery] = Counter()
        self._write_s = 0.0
        self._count_s = 0.0
        self._stopped = False
        # One write at a time: an older state of a delivery must not replace a newer one.
        self._writing = threading.Lock()

    def start(self, supervisor: Supervisor) -> None:
        with self._changed:
            self._stopped = False
        supervisor.start("webhook deliveries", self.run, stop=self.stop)

    def add(
        self, host: str, sent: SentEvent, *, status: int, outcome: DeliveryOutcome, detail: str = ""
    ) -> WebhookDelivery:
        """Store a delivery that came now."""
        delivery = WebhookDelivery(new_id(), self.store.now(), host, sent.printable(), status, outcome, detail)
        self.update(delivery)
        return delivery

    def update(self, delivery: WebhookDelivery) -> None:
        """Store what has become of a delivery."""
        with self._changed:
            self._put(delivery)
            self._changed.notify_all()

    def count(self, counted: CountedDelivery) -> None:
        """Count a delivery of which only the number is stored."""
        with self._changed:
            self._add(counted, 1)
            self._changed.notify_all()

    def stop(self) -> None:
        """Make `run` write the rest and return. Does not block."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def run(self) -> None:
        """The service. Raises Unavailable; what was not written is written by the next call."""
        while self._wait():
            self.flush(counts=self._clock() >= self._count_s)
        self.flush()

    def flush(self, *, counts: bool = True) -> None:
        """Write what waits, with the counts or without. Raises Unavailable."""
        with self._writing:
            with self._changed:
                deliveries, self._waiting = self._waiting, {}
                counted, self._counts = (self._counts, Counter()) if counts else (Counter(), self._counts)
                self._write_s = self._clock() + WRITE_EVERY_S
                if counts:
                    self._count_s = self._clock() + COUNT_EVERY_S
            if not deliveries and not counted:
                return
            try:
                self.store.put(deliveries.values(), counted)
            except BaseException:
                self._put_back(deliveries, counted)
                raise

    def due_in_s(self) -> float | None:
        """Seconds until the next write; None if nothing waits."""
        with self._changed:
            due_s = [self._write_s] if self._waiting else []
            due_s += [self._count_s] if self._counts else []
            return min(due_s) - self._clock() if due_s else None

    def _wait(self) -> bool:
        """Block until something is due. False once stopped."""
        with self._changed:
            while not self._stopped:
                wait_s = self.due_in_s()
                if wait_s is not None and wait_s <= 0:
                    return True
                self._changed.wait(wait_s)
            return False

    def _put(self, delivery: WebhookDelivery) -> None:
        self._waiting[delivery.key] = delivery
        if len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]

    def _add(self, counted: CountedDelivery, count: int) -> None:
        if counted not in self._counts and len(self._counts) >= MOST_COUNTED:
            counted = counted._replace(event="", repo="")
        self._counts[counted] += count

    def _put_back(self, deliveries: dict[str, WebhookDelivery], counted: Counter[CountedDelivery]) -> None:
        with self._changed:
            newer, self._waiting = self._waiting, {}
            for delivery in (deliveries | newer).values():
                self._put(delivery)
            for each, count in counted.items():
                self._add(each, count)

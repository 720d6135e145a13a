"""A delivery of a webhook: what the code host sent, and what this site did with it.

Nothing of the payload is stored but the repository, the branch or tag, and the commit; of requests without a valid
signature only their number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

DeliveryOutcome = Literal[
    "push",
    "tag",
    "pull_request",
    "release",
    "star",
    "ping",
    "other_branch",
    "other_repository",
    "unused_event",
    "no_change",
    "turned_off",
    "no_secret",
    "wrong_signature",
    "too_large",
    "too_slow",
    "invalid",
    "no_mirror",
    "not_stored",
]
DeliveryResult = Literal["accepted", "ignored", "refused", "failed"]
RESULTS: Mapping[DeliveryOutcome, DeliveryResult] = {
    "push": "accepted",
    "tag": "accepted",
    "pull_request": "accepted",
    "release": "accepted",
    "star": "accepted",
    "ping": "accepted",
    "other_branch": "ignored",
    "other_repository": "ignored",
    "unused_event": "ignored",
    "no_change": "ignored",
    "turned_off": "ignored",
    "no_secret": "refused",
    "wrong_signature": "refused",
    "too_large": "refused",
    "too_slow": "refused",
    "invalid": "refused",
    "no_mirror": "failed",
    "not_stored": "failed",
}
SyncOutcome = Literal["served", "no_change", "no_commit", "failed"]
"""How the sync after a push ended: a commit is served; it changes no file of the docs; the host had no new one."""

LONGEST_ID, LONGEST_EVENT, LONGEST_REPO, LONGEST_REF, LONGEST_DETAIL = 64, 64, 200, 255, 300
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_DELETED = re.compile("0+")


class SentEvent(NamedTuple):
    """What a code host names: the id of the delivery, the event, the repository, the branch or tag, and its commit."""

    id: str = ""
    event: str = ""
    repo: str = ""
    ref: str = ""
    commit: str = ""

    def printable(self) -> SentEvent:
        """The same in printable texts of limited length. A commit that is none is left out."""
        is_commit = _COMMIT.fullmatch(self.commit) is not None and not _DELETED.fullmatch(self.commit)
        return SentEvent(
            printable(self.id, LONGEST_ID),
            printable(self.event, LONGEST_EVENT),
            printable(self.repo, LONGEST_REPO),
            printable(self.ref, LONGEST_REF),
            self.commit if is_commit else "",
        )


@dataclass(frozen=True)
class PushSync:
    """How the sync after a push ended, `after_ms` after its delivery. `commit` is the one that is served since."""

    outcome: SyncOutcome
    after_ms: int
    commit: str = ""
    reason: str = ""


@dataclass(frozen=True)
class WebhookDelivery:
    """A delivery, or `count` of them with one outcome. `key` names the row.

    `detail` depends on the outcome: the branches that the site shows, the reason of a failure. `earlier` counts the
    deliveries with the same id before this one: the host repeated it.
    """

    key: str
    at: datetime
    host: str
    sent: SentEvent
    status: int
    outcome: DeliveryOutcome
    detail: str = ""
    count: int = 1
    sync: PushSync | None = None
    earlier: int = 0

    @property
    def result(self) -> DeliveryResult:
        return RESULTS[self.outcome]


class CountedDelivery(NamedTuple):
    """Deliveries of which only the number is stored: refused ones, and events that this site does not use."""

    host: str
    status: int
    outcome: DeliveryOutcome
    event: str = ""
    repo: str = ""


def printable(text: str, longest: int) -> str:
    """The printable characters of a text, at most `longest`."""
    return "".join(filter(str.isprintable, text[: 4 * longest]))[:longest]

"""Query sessions: which of the searches that typing produces count as a query.

Every key press is a search. A search counts when it is complete: the same client sent nothing for QUERY_PAUSE_S,
or its next text does not continue this one, or it clicked a hit. The same text for another page or with other filters
counts once in REPEAT_S. Client ids are anonymous and stay in the memory of this process.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from kinfolk.runtime.cache import LRUCache

QUERY_PAUSE_S = 3.0
REPEAT_S = 600.0
MAX_CLIENTS = 10_000
MIN_QUERY_LENGTH = 2


@dataclass(frozen=True)
class LoggedQuery:
    """`hits` is the number of hits of the first search with the complete text."""

    index: str
    text: str
    hits: int


@dataclass(frozen=True)
class _Session:
    last: LoggedQuery | None
    """The last search, if it is not counted yet."""
    at_s: float
    counted: str = ""
    counted_at_s: float = 0.0


class QuerySessions:
    """For one thread."""

    def __init__(self) -> None:
        self._sessions: LRUCache[str, _Session] = LRUCache(MAX_CLIENTS)
        self._pending: dict[str, None] = {}

    @property
    def has_pending(self) -> bool:
        """Whether a search may be complete later."""
        return bool(self._pending)

    def searched(self, client: str, search: LoggedQuery, now_s: float) -> list[LoggedQuery]:
        """Record a search. Returns the searches of the same client that are complete now."""
        before = self._sessions.get(client) or _Session(None, now_s)
        if before.counted == search.text and now_s - before.counted_at_s < REPEAT_S:
            return []
        done: list[LoggedQuery] = []
        last = before.last
        if last is not None and last.text != search.text and not is_continued(last.text, search.text):
            done.append(last)
            before = _Session(None, now_s, last.text, now_s)
        elif last is not None and last.text == search.text:
            search = last
        if len(search.text) < MIN_QUERY_LENGTH:
            self._sessions.put(client, before)
            return done
        self._sessions.put(client, _Session(search, now_s, before.counted, before.counted_at_s))
        self._pending.pop(client, None)
        self._pending[client] = None
        return done

    def clicked(self, client: str, now_s: float) -> list[LoggedQuery]:
        """The client clicked a hit: its last search is complete."""
        session = self._sessions.get(client)
        if session is None or session.last is None:
            return []
        self._pending.pop(client, None)
        self._sessions.put(client, _Session(None, now_s, session.last.text, now_s))
        return [session.last]

    def due(self, now_s: float) -> list[LoggedQuery]:
        """Searches that were the last of their client for QUERY_PAUSE_S."""
        done = []
        for client in list(self._pending):
            session = self._sessions.get(client)
            if session is None or session.last is None:
                del self._pending[client]
            elif now_s - session.at_s >= QUERY_PAUSE_S:
                del self._pending[client]
                done.append(session.last)
                self._sessions.put(client, _Session(None, now_s, session.last.text, now_s))
            else:
                break  # the others are more recent
        return done

    def all(self) -> list[LoggedQuery]:
        """All pending searches."""
        return self.due(float("inf"))


def is_continued(before: str, after: str) -> bool:
    """Whether `after` extends, shortens or corrects `before`."""
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))))
    return shared >= min(len(before), len(after)) or shared * 2 >= max(len(before), len(after))

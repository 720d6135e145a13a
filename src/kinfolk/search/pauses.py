"""Which of the many searches that typing makes is what somebody searched for.

Every key press is a search. One counts when its text stood still: nothing further came from the same reader for
PAUSE_S seconds, or the next text was another one instead of this one continued, or one of its hits was clicked. The
same text again, for another page or with other filters, counts once in AGAIN_S. A reader is told from others by a
digest that changes with every start of the server, stays in memory, and is written down nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from kinfolk.cache import Recent

PAUSE_S = 3.0
AGAIN_S = 600.0
MOST_READERS = 10_000
SHORTEST = 2
"""Letters. A single one is a beginning."""


@dataclass(frozen=True)
class Searched:
    """A search as it is counted: `hits` is how many there were when its text was first complete."""

    index: str
    text: str
    hits: int


@dataclass(frozen=True)
class _Typing:
    last: Searched | None
    """Not counted yet."""
    at_s: float
    counted: str = ""
    counted_at_s: float = 0.0


class Pauses:
    """Hears all searches of this process. Not for several threads."""

    def __init__(self) -> None:
        self._readers: Recent[str, _Typing] = Recent(MOST_READERS)
        self._waiting: dict[str, None] = {}

    @property
    def waits(self) -> bool:
        """Whether something may be due later."""
        return bool(self._waiting)

    def heard(self, reader: str, search: Searched, now_s: float) -> list[Searched]:
        """Hear a search, and tell what of the same reader it shows to have been complete."""
        before = self._readers.get(reader) or _Typing(None, now_s)
        if before.counted == search.text and now_s - before.counted_at_s < AGAIN_S:
            return []
        done: list[Searched] = []
        last = before.last
        if last is not None and last.text != search.text and not is_continued(last.text, search.text):
            done.append(last)
            before = _Typing(None, now_s, last.text, now_s)
        elif last is not None and last.text == search.text:
            search = last
        if len(search.text) < SHORTEST:
            self._readers.put(reader, before)
            return done
        self._readers.put(reader, _Typing(search, now_s, before.counted, before.counted_at_s))
        self._waiting.pop(reader, None)
        self._waiting[reader] = None
        return done

    def clicked(self, reader: str, now_s: float) -> list[Searched]:
        """This reader has chosen a hit: what they typed last was complete."""
        typing = self._readers.get(reader)
        if typing is None or typing.last is None:
            return []
        self._waiting.pop(reader, None)
        self._readers.put(reader, _Typing(None, now_s, typing.last.text, now_s))
        return [typing.last]

    def due(self, now_s: float) -> list[Searched]:
        """What has stood still for long enough by now."""
        done = []
        for reader in list(self._waiting):
            typing = self._readers.get(reader)
            if typing is None or typing.last is None:
                del self._waiting[reader]
            elif now_s - typing.at_s >= PAUSE_S:
                del self._waiting[reader]
                done.append(typing.last)
                self._readers.put(reader, _Typing(None, now_s, typing.last.text, now_s))
            else:
                break  # those after it were heard later
        return done

    def all(self) -> list[Searched]:
        """What is waiting, at the end."""
        return self.due(float("inf"))


def is_continued(before: str, after: str) -> bool:
    """Whether `after` is the same thought typed on, taken back a little, or mended."""
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))))
    return shared >= min(len(before), len(after)) or shared * 2 >= max(len(before), len(after))

"""How long an answer may be kept, and by whom: the site's whole caching policy in one table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from threading import RLock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class Lifetime:
    """Two headers: one for browsers, one (RFC 9213) that only a CDN reads and we can purge by tag."""

    browser: str
    cdn: str | None = None

    @property
    def shared(self) -> bool:
        """Whether anyone but the visitor may keep it."""
        return self.cdn is not None

    def headers(self) -> tuple[tuple[str, str], ...]:
        """The response headers, name and value."""
        kept = (("cache-control", self.browser),)
        return (*kept, ("cdn-cache-control", self.cdn)) if self.cdn else kept


PRIVATE = Lifetime("private, no-store")
"""Depends on who asks."""
DOCS = Lifetime("public, max-age=0, must-revalidate", "max-age=300, stale-while-revalidate=300")
"""Spec section 9: docs, and every page made of them."""
FILES = Lifetime("public, max-age=0, must-revalidate", "max-age=3600, stale-while-revalidate=3600")
"""Example files and directories."""
EMBED = Lifetime(
    "public, max-age=300, s-maxage=3600, stale-while-revalidate=3600", "max-age=3600, stale-while-revalidate=3600"
)
"""Spec section 2: the sponsor pack on other people's pages."""
ICONS = Lifetime("public, max-age=86400", "max-age=86400")
"""Drawings that devices know by a fixed name: yesterday's does no harm."""
FOREVER = Lifetime("public, max-age=31536000, immutable", "max-age=31536000")
"""Named by its own digest or commit."""


class Recent(Generic[K, V]):
    """A dict that keeps the most recently used entries up to a total `limit`, each weighing what `put` says."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.weight = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        found = self._entries.get(key)
        if found is None:
            return None
        self._entries.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V, *, weight: int = 1) -> None:
        """Keep `value`, letting go of the longest unused. One that is heavier than the limit is not kept."""
        self.drop(key)
        if weight > self.limit:
            return
        self._entries[key] = (value, weight)
        self.weight += weight
        while self.weight > self.limit:
            _, (_, dropped) = self._entries.popitem(last=False)
            self.weight -= dropped

    def drop(self, key: K) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self.weight -= found[1]

    def __len__(self) -> int:
        return len(self._entries)

    def items(self) -> list[tuple[K, V]]:
        return [(key, value) for key, (value, _) in self._entries.items()]


class SharedRecent(Recent[K, V]):
    """A Recent that several threads read and fill."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._turn = RLock()

    def get(self, key: K) -> V | None:
        with self._turn:
            return super().get(key)

    def put(self, key: K, value: V, *, weight: int = 1) -> None:
        with self._turn:
            super().put(key, value, weight=weight)

    def drop(self, key: K) -> None:
        with self._turn:
            super().drop(key)

    def items(self) -> list[tuple[K, V]]:
        with self._turn:
            return super().items()

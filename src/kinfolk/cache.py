"""How long an answer may be kept, and by whom: the site's whole caching policy in one table. And caches in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum
from threading import Lock
from typing import Any, Generic, TypeVar

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


class Worth(IntEnum):
    """What making an entry of a cache again would cost. Caches of the least worth give way first."""

    MISSING = 0
    """Pages at addresses that do not exist, and pages with a query."""
    RENDERED = 1
    """Bodies of Markdown: a finished page holds the same again."""
    TEXTS = 2
    """Machine-readable texts: Markdown of pages, llms.txt, sitemaps, feeds."""
    PICTURES = 3
    """Share pictures."""
    SEARCH = 4
    """Answers to searches."""
    SNIPPETS = 5
    """Highlighted code; without it pages are made with plain code first."""
    PAGES = 6
    """Finished pages, and what finds them."""


class Recent(Generic[K, V]):
    """A dict that keeps the most recently used entries up to a total `limit`, each weighing what `put` says.

    For one thread that calls it; only `give_way` may be called from others. Keys are compared in C: strings, bytes, and
    tuples of these.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.weight = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._turn = Lock()
        self._budget: CacheBudget | None = None

    def get(self, key: K) -> V | None:
        # Without the lock: each of these calls is atomic, and pages are looked up with every request.
        found = self._entries.get(key)
        if found is None:
            return None
        try:  # noqa: SIM105 - suppress() takes twice the time of all of this
            self._entries.move_to_end(key)
        except KeyError:  # it gave way to another cache meanwhile
            pass
        return found[0]

    def put(self, key: K, value: V, *, weight: int = 1) -> None:
        """Keep `value`, dropping the longest unused entries. One that is heavier than the limit is not kept."""
        with self._turn:
            before = self.weight
            self._remove(key)
            if weight <= self.limit:
                self._entries[key] = (value, weight)
                self.weight += weight
                self._shrink(self.limit)
            grown = self.weight - before
        self._tell(grown)

    def drop(self, key: K) -> None:
        with self._turn:
            before = self.weight
            self._remove(key)
            grown = self.weight - before
        self._tell(grown)

    def give_way(self, weight: int) -> int:
        """Drop the longest unused entries until `weight` is free; how much is. For the budget: it is not told."""
        with self._turn:
            before = self.weight
            self._shrink(max(0, before - weight))
            return before - self.weight

    def join(self, budget: CacheBudget) -> None:
        """Report every change of weight to this budget."""
        self._budget = budget

    def __len__(self) -> int:
        return len(self._entries)

    def items(self) -> list[tuple[K, V]]:
        with self._turn:
            return [(key, value) for key, (value, _) in self._entries.items()]

    def _remove(self, key: K) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self.weight -= found[1]

    def _shrink(self, limit: int) -> None:
        while self.weight > limit:
            _, (_, dropped) = self._entries.popitem(last=False)
            self.weight -= dropped

    def _tell(self, grown: int) -> None:
        # Not while the lock is held: the budget may make this very cache give way.
        if grown and self._budget is not None:
            self._budget.changed(grown)


class SharedRecent(Recent[K, V]):
    """A Recent that several threads read and fill, with keys of any type."""

    def get(self, key: K) -> V | None:
        with self._turn:
            return super().get(key)


class CacheBudget:
    """One limit in bytes for several caches. When they exceed it together, those of the least worth give way first.

        budget = CacheBudget(160 << 20)
        pages = budget.add("pages", Worth.PAGES, Recent(96 << 20))

    The limit of each cache still holds. A put costs an addition here, and only over the limit a look at each cache.
    From any thread.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._turn = Lock()
        self._total = 0
        self._caches: list[tuple[Worth, str, Recent[Any, Any], int]] = []

    @property
    def total(self) -> int:
        """Bytes held by all caches together."""
        return self._total

    def add(self, name: str, worth: Worth, cache: C, *, keeps: int = 0) -> C:
        """Count this cache, which must be empty and weigh its entries in bytes. Several may have one name.

        It gives way down to `keeps` bytes; below that only when all others have given way as far.
        """
        with self._turn:
            self._caches.append((worth, name, cache, keeps))
            self._caches.sort(key=lambda each: each[0])
        cache.join(self)
        return cache

    def changed(self, weight: int) -> None:
        """A cache holds so many bytes more."""
        with self._turn:
            self._total += weight
            if self._total <= self.limit:
                return
            self._make_room(spared=True)
            self._make_room(spared=False)

    def _make_room(self, *, spared: bool) -> None:
        for _, _, cache, keeps in self._caches:
            if self._total <= self.limit:
                return
            room = cache.weight - (keeps if spared else 0)
            if room > 0:
                self._total -= cache.give_way(min(room, self._total - self.limit))

    def sizes(self) -> dict[str, int]:
        """Bytes held by the caches of each name."""
        sizes: dict[str, int] = {}
        for _, name, cache, _ in tuple(self._caches):
            sizes[name] = sizes.get(name, 0) + cache.weight
        return sizes


C = TypeVar("C", bound=Recent[Any, Any])

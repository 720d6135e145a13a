"""The caching policy of all responses, and the caches in memory with their common limit."""

from __future__ import annotations

from bisect import bisect
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
    """The `Cache-Control` of browsers, and the `CDN-Cache-Control` (RFC 9213) of a CDN, which is purged by tag."""

    browser: str
    cdn: str | None = None

    @property
    def shared(self) -> bool:
        """Whether shared caches may store the response."""
        return self.cdn is not None

    def headers(self) -> tuple[tuple[str, str], ...]:
        """The response headers, name and value."""
        browser = (("cache-control", self.browser),)
        return (*browser, ("cdn-cache-control", self.cdn)) if self.cdn else browser


STALE_IF_ERROR_S = 86_400
"""Seconds after its lifetime that a CDN may send a response while the server fails (RFC 5861).

Only `CDN-Cache-Control` has it: in `Cache-Control`, `must-revalidate` and `s-maxage` forbid caches to send stale
responses.
"""


def _cdn(max_age_s: int, *, revalidate_s: int) -> str:
    return f"max-age={max_age_s}, stale-while-revalidate={revalidate_s}, stale-if-error={STALE_IF_ERROR_S}"


REVALIDATED = "public, max-age=0"
"""The beginning of the `Cache-Control` of what browsers request again each time, and a purge can drop: DOCS, FILES."""
PRIVATE = Lifetime("private, no-store")
"""Responses that depend on the visitor."""
DOCS = Lifetime(f"{REVALIDATED}, must-revalidate", _cdn(300, revalidate_s=300))
"""Spec section 9: docs, and every page that shows them."""
FILES = Lifetime(f"{REVALIDATED}, must-revalidate", _cdn(3600, revalidate_s=3600))
"""Example files and directories."""
EMBED = Lifetime("public, max-age=300, s-maxage=3600, stale-while-revalidate=3600", _cdn(3600, revalidate_s=3600))
"""Spec section 2: the sponsor pack that other sites embed."""
ICONS = Lifetime("public, max-age=86400", _cdn(86_400, revalidate_s=86_400))
"""Icons at fixed addresses, where a stale one is harmless for a day."""
FOREVER = Lifetime("public, max-age=31536000, immutable", "max-age=31536000")
"""Files whose address contains their digest or commit. A year is longer than any failure."""


PROTECTED_SHARE = 0.8
"""Share of a SegmentedLRUCache for entries that were requested more than once, as in Caffeine."""


class CachePriority(IntEnum):
    """The cost of making an entry again. `CacheBudget` evicts from caches of the lowest priority first."""

    MISSING = 0
    """Pages at addresses that do not exist, and pages with a query."""
    RENDERED = 1
    """Rendered Markdown: a finished page contains the same bytes."""
    TEXTS = 2
    """Machine-readable texts: Markdown of pages, llms.txt, sitemaps, feeds."""
    PICTURES = 3
    """Share images."""
    SEARCH = 4
    """Search results."""
    SNIPPETS = 5
    """Highlighted code; without it pages are rendered with plain code first."""
    PAGES = 6
    """Finished pages and their addresses."""


class LRUCache(Generic[K, V]):
    """An LRU cache with a weight for each entry and an optional common budget.

    `limit` is the largest total weight, in the unit that the callers of `put` use: bytes, or 1 for each entry.
    Thread-safe for keys that are compared in C: strings, bytes, and tuples of these. ThreadSafeLRUCache is for others.
    decisions/0015 says why it does not use `cachetools`.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.weight = 0
        """The total weight of all entries."""
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()
        self._budget: CacheBudget | None = None

    def get(self, key: K) -> V | None:
        """The value, which becomes the most recently used one."""
        # Without the lock, which takes as long as the rest: each call is atomic. A cached page needs two lookups.
        found = self._entries.get(key)
        if found is None:
            return None
        try:  # noqa: SIM105 - suppress() takes twice as long as the whole method
            self._entries.move_to_end(key)
        except KeyError:  # evicted by the budget since the lookup
            pass
        return found[0]

    def put(self, key: K, value: V, *, weight: int = 1) -> None:
        """Store `value` and evict the least recently used entries. A value heavier than the limit is not stored."""
        with self._lock:
            before = self.weight
            self._remove(key)
            if weight <= self.limit:
                self._entries[key] = (value, weight)
                self.weight += weight
                self._shrink(self.limit)
            growth = self.weight - before
        self._report(growth)

    def remove(self, key: K) -> None:
        """Remove the entry, if there is one."""
        with self._lock:
            before = self.weight
            self._remove(key)
            growth = self.weight - before
        self._report(growth)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            growth = -self.weight
            self._entries.clear()
            self.weight = 0
        self._report(growth)

    def evict(self, weight: int) -> int:
        """Evict the least recently used entries until `weight` is free, and return the weight freed.

        `CacheBudget` calls this and subtracts the result itself.
        """
        with self._lock:
            before = self.weight
            self._shrink(max(0, before - weight))
            return before - self.weight

    def join(self, budget: CacheBudget) -> None:
        """Report every change of weight to this budget."""
        self._budget = budget

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: K) -> bool:
        return key in self._entries

    def items(self) -> list[tuple[K, V]]:
        """All entries, the least recently used first. They do not become more recently used."""
        with self._lock:
            return [(key, value) for key, (value, _) in self._entries.items()]

    def _remove(self, key: K) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self.weight -= found[1]

    def _shrink(self, limit: int) -> None:
        while self.weight > limit:
            _, (_, weight) = self._entries.popitem(last=False)
            self.weight -= weight

    def _report(self, growth: int) -> None:
        # Outside the lock, because the budget may call `evict` of this cache.
        if growth and self._budget is not None:
            self._budget.changed(growth)


class ThreadSafeLRUCache(LRUCache[K, V]):
    """An LRUCache that is thread-safe with keys of any type: a comparison in Python can be interrupted."""

    def get(self, key: K) -> V | None:
        """The value, which becomes the most recently used one."""
        with self._lock:
            return super().get(key)


class SegmentedLRUCache(LRUCache[K, V]):
    """An LRUCache that keeps what is requested more than once (segmented LRU; Karedla, Love and Wherry, 1994).

    An entry begins on probation, and its first `get` protects it. Eviction begins with entries on probation, so that
    a crawler that requests each entry once evicts none of the protected ones. These take at most PROTECTED_SHARE of the
    limit; above it, the least recently used of them are on probation again. For one thread, except `evict`.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._protected: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._protected_weight = 0

    def get(self, key: K) -> V | None:
        """The value, which becomes the most recently used protected one."""
        found = self._protected.get(key)
        if found is None:
            return self._protect(key)
        try:  # noqa: SIM105 - suppress() takes twice as long as the whole method
            self._protected.move_to_end(key)
        except KeyError:  # evicted by the budget since the lookup
            pass
        return found[0]

    def put(self, key: K, value: V, *, weight: int = 1) -> None:
        """Store `value`, protected if the entry that it replaces was. A value heavier than the limit is not stored."""
        protected = key in self._protected
        super().put(key, value, weight=weight)
        if protected:
            self._protect(key)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._entries.update(self._protected)
            self._protected.clear()
            self._protected_weight = 0
        super().clear()

    def __len__(self) -> int:
        return len(self._entries) + len(self._protected)

    def __contains__(self, key: K) -> bool:
        return key in self._entries or key in self._protected

    def items(self) -> list[tuple[K, V]]:
        """All entries in the order of their eviction."""
        with self._lock:
            entries = (*self._entries.items(), *self._protected.items())
            return [(key, value) for key, (value, _) in entries]

    def _protect(self, key: K) -> V | None:
        with self._lock:
            found = self._entries.pop(key, None)
            if found is None:
                return None
            self._protected[key] = found
            self._protected_weight += found[1]
            while self._protected_weight > self.limit * PROTECTED_SHARE:
                demoted, entry = self._protected.popitem(last=False)
                self._protected_weight -= entry[1]
                self._entries[demoted] = entry
            return found[0]

    def _remove(self, key: K) -> None:
        super()._remove(key)
        found = self._protected.pop(key, None)
        if found is not None:
            self.weight -= found[1]
            self._protected_weight -= found[1]

    def _shrink(self, limit: int) -> None:
        while self.weight > limit:
            protected = not self._entries
            _, (_, weight) = (self._protected if protected else self._entries).popitem(last=False)
            self.weight -= weight
            self._protected_weight -= weight if protected else 0


class CacheBudget:
    """One limit in bytes for several caches. Above it, caches of the lowest priority are evicted first.

        budget = CacheBudget(160 << 20)
        pages = budget.add("pages", CachePriority.PAGES, LRUCache(96 << 20))

    The limit of each cache holds as well. Thread-safe.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = Lock()
        self._total = 0
        self._caches: list[tuple[CachePriority, str, LRUCache[Any, Any], int]] = []

    @property
    def total(self) -> int:
        """Bytes held by all caches together."""
        return self._total

    def add(self, name: str, priority: CachePriority, cache: C, *, reserve: int = 0) -> C:
        """Count this cache, which must be empty and use bytes as weights. Several caches may share a name.

        The last `reserve` bytes of the cache are evicted only after all other caches are down to their reserves.
        """
        with self._lock:
            at = bisect(self._caches, priority, key=lambda each: each[0])
            self._caches.insert(at, (priority, name, cache, reserve))
        cache.join(self)
        return cache

    def changed(self, growth: int) -> None:
        """Add `growth` bytes, which may be negative, to the total; evict when it exceeds the limit."""
        with self._lock:
            self._total += growth
            if self._total <= self.limit:
                return
            self._evict(respect_reserves=True)
            self._evict(respect_reserves=False)

    def _evict(self, *, respect_reserves: bool) -> None:
        for _, _, cache, reserve in self._caches:
            if self._total <= self.limit:
                return
            available = cache.weight - (reserve if respect_reserves else 0)
            if available > 0:
                self._total -= cache.evict(min(available, self._total - self.limit))

    def sizes(self) -> dict[str, int]:
        """Bytes held by the caches of each name."""
        sizes: dict[str, int] = {}
        for _, name, cache, _ in tuple(self._caches):
            sizes[name] = sizes.get(name, 0) + cache.weight
        return sizes


C = TypeVar("C", bound=LRUCache[Any, Any])

"""Caches: each has a limit of its own, and all caches of a worker process share one."""

from __future__ import annotations

import os
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinfolk.runtime.cache import CacheBudget, CachePriority, LRUCache, SegmentedLRUCache, ThreadSafeLRUCache

CASES = int(os.environ.get("FUZZ_CASES", "200"))


def filled(
    budget: CacheBudget, name: str, priority: CachePriority, entries: int, *, weight: int = 10
) -> LRUCache[str, str]:
    cache: LRUCache[str, str] = budget.add(name, priority, LRUCache(1000))
    for at in range(entries):
        cache.put(f"{name} {at}", "value", weight=weight)
    return cache


def test_cache_of_lowest_priority_is_evicted_first() -> None:
    budget = CacheBudget(100)
    pages = filled(budget, "pages", CachePriority.PAGES, 4)
    texts = filled(budget, "texts", CachePriority.TEXTS, 3)
    missing = filled(budget, "missing", CachePriority.MISSING, 3)
    for at in range(4, 8):
        pages.put(f"pages {at}", "value", weight=10)
    assert (len(pages), len(texts), len(missing)) == (8, 2, 0)
    assert budget.sizes() == {"pages": 80, "texts": 20, "missing": 0}
    assert budget.total == 100


def test_reserve_is_evicted_only_after_other_caches_are_down_to_theirs() -> None:
    budget = CacheBudget(60)
    texts: LRUCache[str, str] = budget.add("texts", CachePriority.TEXTS, LRUCache(1000), reserve=20)
    for at in range(4):
        texts.put(str(at), "value", weight=10)
    pages: LRUCache[str, str] = budget.add("pages", CachePriority.PAGES, LRUCache(1000), reserve=50)
    for at in range(5):
        pages.put(str(at), "value", weight=10)
    # Four pages and two texts fill the budget. With the fifth page neither exceeds its reserve: a text is evicted.
    assert (texts.weight, pages.weight) == (10, 50)


def test_least_recently_used_entries_of_a_cache_are_evicted_first() -> None:
    budget = CacheBudget(30)
    texts = filled(budget, "texts", CachePriority.TEXTS, 3)
    assert texts.get("texts 0") == "value"
    filled(budget, "pages", CachePriority.PAGES, 2)
    assert [key for key, _ in texts.items()] == ["texts 0"]


def test_entry_of_low_priority_is_not_stored_when_others_fill_the_budget() -> None:
    budget = CacheBudget(30)
    pages = filled(budget, "pages", CachePriority.PAGES, 3)
    texts = filled(budget, "texts", CachePriority.TEXTS, 1)
    assert (len(pages), len(texts), budget.total) == (3, 0, 30)


def test_removed_and_replaced_entries_no_longer_count() -> None:
    budget = CacheBudget(100)
    pages = filled(budget, "pages", CachePriority.PAGES, 3)
    pages.remove("pages 0")
    pages.put("pages 1", "smaller", weight=1)
    pages.put("too large", "x", weight=5000)
    assert (budget.total, pages.weight) == (11, 11)
    pages.clear()
    assert (budget.total, pages.weight, len(pages)) == (0, 0, 0)


def test_limit_of_a_cache_holds_within_the_budget() -> None:
    budget = CacheBudget(1000)
    small: LRUCache[str, int] = budget.add("small", CachePriority.PAGES, LRUCache(25))
    for at in range(10):
        small.put(str(at), at, weight=10)
    assert (len(small), budget.total) == (2, 20)


def test_put_below_the_limit_evicts_nothing() -> None:
    class CountingCache(LRUCache[str, int]):
        calls = 0

        def evict(self, weight: int) -> int:
            CountingCache.calls += 1
            return super().evict(weight)

    budget = CacheBudget(1000)
    cache = budget.add("counting", CachePriority.PAGES, CountingCache(1000))
    for at in range(100):
        cache.put(str(at), at, weight=10)
    assert CountingCache.calls == 0
    cache.put("one more", 1, weight=10)
    assert len(cache) == 100


@pytest.mark.parametrize("kind", [LRUCache, SegmentedLRUCache, ThreadSafeLRUCache])
def test_caches_of_several_threads_stay_within_their_budget(kind: type[LRUCache[str, str]]) -> None:
    budget = CacheBudget(500)
    priorities = CachePriority.TEXTS, CachePriority.SEARCH, CachePriority.PAGES
    caches: list[LRUCache[str, str]] = [budget.add(each.name, each, kind(400)) for each in priorities]
    failures: list[BaseException] = []

    def use(cache: LRUCache[str, str]) -> None:
        try:
            for at in range(3000):
                cache.put(str(at % 70), "value", weight=at % 17)
                cache.get(str((at * 7) % 70))
                if at % 5 == 0:
                    cache.remove(str(at % 70))
        except BaseException as failure:  # noqa: BLE001 - asserted below
            failures.append(failure)

    threads = [threading.Thread(target=use, args=(cache,)) for cache in caches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert budget.total == sum(cache.weight for cache in caches) <= 500


Steps = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 60), st.booleans()), max_size=60)


@pytest.mark.fuzz
@settings(max_examples=CASES, deadline=None)
@given(Steps)
def test_total_equals_the_weights_of_all_caches_after_any_steps(
    steps: list[tuple[int, int, int, bool]],
) -> None:
    budget = CacheBudget(150)
    priorities = CachePriority.MISSING, CachePriority.RENDERED, CachePriority.PAGES
    caches: list[LRUCache[str, int]] = [budget.add(each.name, each, LRUCache(100)) for each in priorities]
    for which, key, weight, removes in steps:
        if removes:
            caches[which].remove(str(key))
        else:
            caches[which].put(str(key), weight, weight=weight)
        assert budget.total == sum(cache.weight for cache in caches) <= 150
        assert all(cache.weight == sum(value for _, value in cache.items()) <= 100 for cache in caches)


def test_segmented_cache_evicts_entries_requested_once_first() -> None:
    cache: SegmentedLRUCache[str, int] = SegmentedLRUCache(10)
    for number, key in enumerate("abc"):
        cache.put(key, number, weight=2)
    assert cache.get("a") == 0
    for number, key in enumerate("defg"):
        cache.put(key, number, weight=2)
    assert [key for key, _ in cache.items()] == ["d", "e", "f", "g", "a"]
    assert (cache.weight, len(cache)) == (10, 5)


def test_segmented_cache_protects_a_share_of_its_limit() -> None:
    cache: SegmentedLRUCache[str, int] = SegmentedLRUCache(10)
    for number, key in enumerate("abcde"):
        cache.put(key, number, weight=2)
        cache.get(key)
    assert [key for key, _ in cache.items()] == ["a", "b", "c", "d", "e"]
    cache.put("f", 5, weight=2)
    assert cache.get("a") is None
    assert cache.get("b") == 1


def test_segmented_cache_counts_what_it_replaces_and_removes() -> None:
    budget = CacheBudget(100)
    cache: SegmentedLRUCache[str, int] = budget.add("pages", CachePriority.PAGES, SegmentedLRUCache(20))
    cache.put("a", 1, weight=5)
    cache.get("a")
    cache.put("b", 1, weight=5)
    cache.put("a", 2, weight=8)
    assert (cache.get("a"), cache.weight, budget.total) == (2, 13, 13)
    assert cache.evict(6) == 13  # the budget subtracts it itself
    cache.put("a", 3, weight=7)
    cache.get("a")
    cache.remove("a")
    cache.remove("unknown")
    assert (cache.weight, budget.total) == (0, 13)
    cache.put("c", 1, weight=30)
    assert cache.get("c") is None
    cache.put("d", 1, weight=3)
    cache.get("d")
    cache.clear()
    assert (len(cache), cache.weight, cache.items()) == (0, 0, [])

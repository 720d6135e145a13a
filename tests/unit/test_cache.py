"""Caches: each has a limit of its own, and all of a worker have one together."""

from __future__ import annotations

import os
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinfolk.cache import CacheBudget, Recent, SharedRecent, Worth

CASES = int(os.environ.get("FUZZ_CASES", "200"))


def filled(budget: CacheBudget, name: str, worth: Worth, entries: int, *, weight: int = 10) -> Recent[str, str]:
    cache: Recent[str, str] = budget.add(name, worth, Recent(1000))
    for at in range(entries):
        cache.put(f"{name} {at}", "value", weight=weight)
    return cache


def test_the_cache_of_the_least_worth_gives_way_first() -> None:
    budget = CacheBudget(100)
    pages = filled(budget, "pages", Worth.PAGES, 4)
    texts = filled(budget, "texts", Worth.TEXTS, 3)
    missing = filled(budget, "missing", Worth.MISSING, 3)
    for at in range(4, 8):
        pages.put(f"pages {at}", "value", weight=10)
    assert (len(pages), len(texts), len(missing)) == (8, 2, 0)
    assert budget.sizes() == {"pages": 80, "texts": 20, "missing": 0}
    assert budget.total == 100


def test_a_cache_gives_way_below_what_it_keeps_only_when_all_others_have_given_way() -> None:
    budget = CacheBudget(60)
    texts: Recent[str, str] = budget.add("texts", Worth.TEXTS, Recent(1000), keeps=20)
    for at in range(4):
        texts.put(str(at), "value", weight=10)
    pages: Recent[str, str] = budget.add("pages", Worth.PAGES, Recent(1000), keeps=50)
    for at in range(5):
        pages.put(str(at), "value", weight=10)
    # Four pages and two texts fill the budget. With the fifth page neither is above what it keeps: texts give way.
    assert (texts.weight, pages.weight) == (10, 50)


def test_the_longest_unused_entries_of_a_cache_give_way_first() -> None:
    budget = CacheBudget(30)
    texts = filled(budget, "texts", Worth.TEXTS, 3)
    assert texts.get("texts 0") == "value"
    filled(budget, "pages", Worth.PAGES, 2)
    assert [key for key, _ in texts.items()] == ["texts 0"]


def test_an_entry_of_little_worth_is_not_kept_where_others_fill_the_budget() -> None:
    budget = CacheBudget(30)
    pages = filled(budget, "pages", Worth.PAGES, 3)
    texts = filled(budget, "texts", Worth.TEXTS, 1)
    assert (len(pages), len(texts), budget.total) == (3, 0, 30)


def test_what_is_dropped_or_replaced_no_longer_counts() -> None:
    budget = CacheBudget(100)
    pages = filled(budget, "pages", Worth.PAGES, 3)
    pages.drop("pages 0")
    pages.put("pages 1", "smaller", weight=1)
    pages.put("too large", "x", weight=5000)
    assert (budget.total, pages.weight) == (11, 11)


def test_the_limit_of_a_cache_holds_within_the_budget() -> None:
    budget = CacheBudget(1000)
    small: Recent[str, int] = budget.add("small", Worth.PAGES, Recent(25))
    for at in range(10):
        small.put(str(at), at, weight=10)
    assert (len(small), budget.total) == (2, 20)


def test_a_put_below_the_limit_looks_at_no_cache() -> None:
    class Counting(Recent[str, int]):
        asked = 0

        def give_way(self, weight: int) -> int:
            Counting.asked += 1
            return super().give_way(weight)

    budget = CacheBudget(1000)
    cache = budget.add("counting", Worth.PAGES, Counting(1000))
    for at in range(100):
        cache.put(str(at), at, weight=10)
    assert Counting.asked == 0
    cache.put("one more", 1, weight=10)
    assert len(cache) == 100


@pytest.mark.parametrize("kind", [Recent, SharedRecent])
def test_caches_of_several_threads_stay_within_their_budget(kind: type[Recent[str, str]]) -> None:
    budget = CacheBudget(500)
    worths = Worth.TEXTS, Worth.SEARCH, Worth.PAGES
    caches: list[Recent[str, str]] = [budget.add(worth.name, worth, kind(400)) for worth in worths]
    failures: list[BaseException] = []

    def use(cache: Recent[str, str]) -> None:
        try:
            for at in range(3000):
                cache.put(str(at % 70), "value", weight=at % 17)
                cache.get(str((at * 7) % 70))
                if at % 5 == 0:
                    cache.drop(str(at % 70))
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
def test_after_any_steps_the_total_is_what_the_caches_hold_and_within_the_limit(
    steps: list[tuple[int, int, int, bool]],
) -> None:
    budget = CacheBudget(150)
    worths = Worth.MISSING, Worth.RENDERED, Worth.PAGES
    caches: list[Recent[str, int]] = [budget.add(worth.name, worth, Recent(100)) for worth in worths]
    for which, key, weight, drops in steps:
        if drops:
            caches[which].drop(str(key))
        else:
            caches[which].put(str(key), weight, weight=weight)
        assert budget.total == sum(cache.weight for cache in caches) <= 150
        assert all(cache.weight == sum(value for _, value in cache.items()) <= 100 for cache in caches)

"""Tests of the comparison of sequences."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinfolk.content.changes.sequence_difference import MOST_ITEMS, AlignedSpan, compare, without_islands

sequences = st.lists(st.sampled_from("abc"), max_size=12)
RANDOM = random.Random(5)  # noqa: S311 - not for secrets


@given(sequences, sequences)
def test_spans_cover_both_sequences_and_equal_ones_are_equal(old: list[str], new: list[str]) -> None:
    spans = compare(old, new)
    assert [one for span in spans for one in old[span.start : span.end]] == old
    assert [one for span in spans for one in new[span.new_start : span.new_end]] == new
    assert all((old[s.start : s.end] == new[s.new_start : s.new_end]) == s.is_same for s in spans)
    assert all(one.is_same != two.is_same for one, two in pairwise(spans))


@given(sequences)
def test_one_insertion_is_found(old: list[str]) -> None:
    at = len(old) // 2
    spans = compare(old, [*old[:at], "new", *old[at:]])
    assert [span for span in spans if not span.is_same] == [AlignedSpan(False, at, at, at, at + 1)]


def test_islands_belong_to_the_change_around_them() -> None:
    spans = compare("a b c".split(), "x b y".split())
    assert without_islands(spans, lambda start, end: end - start < 2) == [AlignedSpan(False, 0, 3, 0, 3)]
    assert without_islands(spans, lambda *_: False) == spans


def random_words(words: int, vocabulary: int) -> list[int]:
    return [RANDOM.randrange(vocabulary) for _ in range(words)]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["x"] * 100_000, ["x"] * 50_000 + ["y"] + ["x"] * 49_000),
        (["x"] * MOST_ITEMS, ["y", "x"] * (MOST_ITEMS // 2)),
        (random_words(MOST_ITEMS, 2), random_words(MOST_ITEMS, 2)),
        (random_words(MOST_ITEMS, 2_000), random_words(MOST_ITEMS, 2_000)),
        (list(range(MOST_ITEMS)), list(range(MOST_ITEMS))[::-1]),
    ],
    ids=["equal", "every second", "two words", "many words", "reversed"],
)
def test_hostile_sequences_take_bounded_time(old: list[object], new: list[object]) -> None:
    start_s = time.process_time()
    compare(old, new)
    assert time.process_time() - start_s < 2


def test_longer_sequences_are_replaced() -> None:
    old = list(range(MOST_ITEMS + 3))
    assert compare(old, [0, *reversed(old[1:-1]), old[-1]])[1] == AlignedSpan(False, 1, len(old) - 1, 1, len(old) - 1)

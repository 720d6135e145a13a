"""The difference of two sequences, such as the blocks of a page, the words of a paragraph or the lines of code.

libgit2 compares them, which pygit2 has: its xdiff bounds the cost of sequences that have little in common, which
difflib does not. decisions/0037-differences.md has the libraries compared, with their times on hostile sequences.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

import pygit2

MOST_ITEMS = 20_000
"""Items of a sequence, without those that both begin or end with. A longer one is replaced as a whole."""


class AlignedSpan(NamedTuple):
    """Items `start` to `end` of the old sequence correspond to `new_start` to `new_end` of the new one.

    They are equal if `is_same`; otherwise the old ones are removed and the new ones added.
    """

    is_same: bool
    start: int
    end: int
    new_start: int
    new_end: int


def compare(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[AlignedSpan]:
    """Spans that cover both sequences in order. Spans that are the same alternate with spans that are not."""
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    old_end, new_end = len(old) - last, len(new) - last
    spans = []
    at = new_at = 0
    for start, end, new_start, changed_end in _changes(old[first:old_end], new[first:new_end]):
        spans.append(AlignedSpan(True, at, start + first, new_at, new_start + first))
        at, new_at = end + first, changed_end + first
        spans.append(AlignedSpan(False, start + first, at, new_start + first, new_at))
    spans.append(AlignedSpan(True, at, len(old), new_at, len(new)))
    return [span for span in spans if span.start < span.end or span.new_start < span.new_end]


def _changes(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int, int, int]]:
    if not old and not new:
        return
    if not old or not new or max(len(old), len(new)) > MOST_ITEMS:
        yield 0, len(old), 0, len(new)
        return
    numbers: dict[Hashable, int] = {}

    def lines(items: Sequence[Hashable]) -> bytes:
        return "".join(f"{numbers.setdefault(item, len(numbers))}\n" for item in items).encode()

    patch = pygit2.Patch.create_from(lines(old), lines(new), context_lines=0)
    for hunk in patch.hunks:
        # An empty range is named by the line before it, any other by its first line; lines count from 1.
        start = hunk.old_start - (1 if hunk.old_lines else 0)
        new_start = hunk.new_start - (1 if hunk.new_lines else 0)
        yield start, start + hunk.old_lines, new_start, new_start + hunk.new_lines


def without_islands(spans: Sequence[AlignedSpan], is_island: Callable[[int, int], bool]) -> list[AlignedSpan]:
    """The spans, with those that are the same but too small to be read alone as part of the change around them.

    `is_island` gets the start and end of a span in the old sequence that has changes on both sides.
    """
    joined: list[AlignedSpan] = []
    for at, span in enumerate(spans):
        between = 0 < at < len(spans) - 1
        is_change = not span.is_same or (between and is_island(span.start, span.end))
        if is_change and joined and not joined[-1].is_same:
            before = joined[-1]
            joined[-1] = AlignedSpan(False, before.start, span.end, before.new_start, span.new_end)
        else:
            joined.append(span._replace(is_same=not is_change))
    return joined

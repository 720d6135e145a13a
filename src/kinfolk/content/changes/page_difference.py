"""The difference of a page between two versions, as data: blocks that are the same, added, removed or changed.

    difference = page_difference(old, new)          # composed Markdown; None for a page that a version does not have
    for block in difference.blocks:
        block.kind, block.old, block.new, block.parts

Blocks are compared first. Those that are removed and added at one place are one block that changed if they have words
in common; its parts are words, of code lines. `difference_html` formats a difference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from kinfolk.content.changes.page_blocks import PageBlock, page_blocks
from kinfolk.content.changes.sequence_difference import AlignedSpan, compare, without_islands
from kinfolk.content.markdown.source.compose import ComposedMarkdown

MOST_CHARACTERS = 200_000
"""Characters of a version. The longest page of the ten libraries has 49,000."""
MOST_LINES = 4_000
"""Lines of a version: hostile blocks take up to 0.15 ms a line. The longest page of the ten libraries has 1,700."""
MOST_CHANGES = 1_000
"""Blocks that are not the same. Each is rendered alone, which takes 0.4 ms at least."""
MOST_COMPARED_WORDS = 500_000
"""Words that are counted to find which removed block became which added one. Beyond, blocks are paired in order."""
LEAST_COMMON = 0.4
"""The share of common words from which on two blocks are one that changed."""
_WORD = re.compile(r"\w+|\s+|[^\w\s]")

PartKind = Literal["same", "added", "removed"]
BlockChange = Literal["same", "added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class DifferencePart:
    """Words of Markdown, or lines of code."""

    kind: PartKind
    text: str


@dataclass(frozen=True, slots=True)
class BlockDifference:
    """A block of the old or new version, or of both."""

    kind: BlockChange
    old: PageBlock | None
    new: PageBlock | None

    @property
    def parts(self) -> tuple[DifferencePart, ...]:
        """The words of a block that changed, or the lines of its code. Computed at each access."""
        if self.kind != "changed" or self.old is None or self.new is None:
            return ()
        if self.old.element == "code":
            return line_parts(self.old.text.splitlines(keepends=True), self.new.text.splitlines(keepends=True))
        return text_parts(self.old.text, self.new.text)


@dataclass(frozen=True, slots=True)
class PageDifference:
    """The difference of a page. `old` and `new` are its versions; None where there is no page.

    `is_whole` says that the versions are too long to be compared, so that one block replaces another.
    """

    old: ComposedMarkdown | None
    new: ComposedMarkdown | None
    blocks: tuple[BlockDifference, ...]
    is_whole: bool = False

    @property
    def title_parts(self) -> tuple[DifferencePart, ...]:
        """The words of the title in the front matter, if it changed."""
        old, new = (page.front.title or "" if page else "" for page in (self.old, self.new))
        return text_parts(old, new) if old != new else ()

    @property
    def is_empty(self) -> bool:
        """Whether readers see no difference."""
        return not self.title_parts and all(block.kind == "same" for block in self.blocks)


def page_difference(old: ComposedMarkdown | None, new: ComposedMarkdown | None) -> PageDifference:
    """The difference. Takes at most 1.5 s for any texts; a version beyond the limits is replaced as a whole."""
    if _is_long(old) or _is_long(new):
        return _whole(old, new)
    old_blocks = page_blocks(old) if old else ()
    new_blocks = page_blocks(new) if new else ()
    blocks: list[BlockDifference] = []
    changes = 0
    for span in compare([one.identity for one in old_blocks], [one.identity for one in new_blocks]):
        before, after = old_blocks[span.start : span.end], new_blocks[span.new_start : span.new_end]
        if span.is_same:
            blocks += (BlockDifference("same", *pair) for pair in zip(before, after, strict=True))
            continue
        changes += max(len(before), len(after))
        if old and new and changes > MOST_CHANGES:
            return _whole(old, new)
        blocks += _changed(before, after)
    return PageDifference(old, new, tuple(blocks))


def _is_long(page: ComposedMarkdown | None) -> bool:
    return page is not None and (len(page.text) > MOST_CHARACTERS or page.text.count("\n") > MOST_LINES)


def _whole(old: ComposedMarkdown | None, new: ComposedMarkdown | None) -> PageDifference:
    before, after = (PageBlock("page", page.text) if page else None for page in (old, new))
    if before == after:
        return PageDifference(old, new, (BlockDifference("same", before, after),), is_whole=True)
    removed = [BlockDifference("removed", before, None)] if before else []
    added = [BlockDifference("added", None, after)] if after else []
    return PageDifference(old, new, (*removed, *added), is_whole=True)


def _changed(old: Sequence[PageBlock], new: Sequence[PageBlock]) -> Iterator[BlockDifference]:
    """Removed and added blocks of one place in the order of the page, each changed block at its new place."""
    at = new_at = 0
    for first, second in [*_pairs(old, new), (len(old), len(new))]:
        yield from (BlockDifference("removed", one, None) for one in old[at:first])
        yield from (BlockDifference("added", None, one) for one in new[new_at:second])
        if first < len(old):
            yield BlockDifference("changed", old[first], new[second])
        at, new_at = first + 1, second + 1


class _BlockWords(NamedTuple):
    """A block with the number of its words, in all and of each."""

    block: PageBlock
    total: int
    counts: Counter[str]

    @classmethod
    def of(cls, block: PageBlock) -> _BlockWords:
        words = [word for word in _WORD.findall(block.text) if word[0].isalnum()]
        return cls(block, len(words), Counter(words))

    def similarity(self, new: _BlockWords) -> float:
        """The share of common words; 0 for blocks that are not one that changed."""
        if self.block.element != new.block.element:
            return 0.0
        if self.block.text == new.block.text:
            return 1.0  # with another link definition
        total = self.total + new.total
        share = 2 * (self.counts & new.counts).total() / total if total else 0.0
        return share if share >= LEAST_COMMON else 0.0


def _pairs(old_blocks: Sequence[PageBlock], new_blocks: Sequence[PageBlock]) -> list[tuple[int, int]]:
    """Which old block became which new one: in order, with the most words in common."""
    if not old_blocks or not new_blocks:
        return []
    old, new = ([_BlockWords.of(block) for block in blocks] for blocks in (old_blocks, new_blocks))
    if len(new) * sum(len(one.counts) + 100 for one in old) > MOST_COMPARED_WORDS:
        return [(at, at) for at in range(min(len(old), len(new))) if old[at].similarity(new[at])]
    shares = [[one.similarity(other) for other in new] for one in old]
    # The best sum of shares of all pairs of old[i:] and new[j:].
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            paired = shares[i][j] + best[i + 1][j + 1] if shares[i][j] else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    found = []
    i = j = 0
    while i < len(old) and j < len(new):
        if shares[i][j] and best[i][j] == shares[i][j] + best[i + 1][j + 1]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def text_parts(old: str, new: str) -> tuple[DifferencePart, ...]:
    """The words of two texts that are the same, added and removed."""
    before, after = _WORD.findall(old), _WORD.findall(new)

    def is_island(start: int, end: int) -> bool:
        return not any(word[0].isalnum() for word in before[start:end])

    spans = without_islands(compare(before, after), is_island)
    return tuple(_named_parts(before, after, spans))


def line_parts(old: Sequence[str], new: Sequence[str]) -> tuple[DifferencePart, ...]:
    """The lines of two texts, with their ends, that are the same, added and removed."""
    return tuple(_named_parts(old, new, compare(old, new)))


def _named_parts(old: Sequence[str], new: Sequence[str], spans: Sequence[AlignedSpan]) -> Iterator[DifferencePart]:
    for span in spans:
        before, after = "".join(old[span.start : span.end]), "".join(new[span.new_start : span.new_end])
        if span.is_same:
            yield DifferencePart("same", after)
            continue
        if before:
            yield DifferencePart("removed", before)
        if after:
            yield DifferencePart("added", after)

"""The HTML of a block that changed: that of its new version, with the removed words in it and the added ones marked.

Screen readers announce `<ins>` and `<del>` in some settings only, so each has hidden text at its start and end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from typing import Literal, NamedTuple

from kinfolk.content.changes.html_words import HtmlItem
from kinfolk.content.changes.sequence_difference import AlignedSpan, compare, without_islands
from kinfolk.content.markdown.markdown_page import CodeBlock, HighlightCode, code_html

MOST_MARKS = 200
"""Changes of a block. One with more is shown as removed and added, as is one with few words in common."""
LEAST_SAME = 0.25
"""The share of words of the longer version that are the same, in a block with marks."""
_KEPT_FORMATS = frozenset(("code", "em", "strong", "kbd", "s", "sub", "sup"))
_NAMES = {"ins": ("Added: ", " End of added text. "), "del": ("Removed: ", " End of removed text. ")}

MarkName = Literal["ins", "del"]


@dataclass(frozen=True, slots=True)
class CodeDifference:
    """Two versions of the code of a code block; `old` is None for a block that was added."""

    old: CodeBlock | None
    new: CodeBlock

    def html(self, highlight: HighlightCode | None) -> str:
        """The HTML inside the `<code>`: lines as they are highlighted on the page of each version."""
        old, new = self.old.code.split("\n") if self.old else [], self.new.code.split("\n")
        old_html = _lines(self.old, highlight) if self.old else []
        new_html = _lines(self.new, highlight)
        runs = []
        for span in compare(old, new):
            if span.is_same:
                runs.append("\n".join(new_html[span.new_start : span.new_end]))
                continue
            if span.start < span.end:
                runs.append(_marked_lines("del", old_html[span.start : span.end]))
            if span.new_start < span.new_end:
                runs.append(_marked_lines("ins", new_html[span.new_start : span.new_end]))
        return "\n".join(runs)


DifferencePiece = str | CodeBlock | CodeDifference
"""HTML, or the code of a code block in it."""


def marked(name: MarkName, html: str) -> str:
    """The inline HTML as added or removed. Blanks at its end are not marked."""
    start, end = _NAMES[name]
    text = html.rstrip()
    blanks = html[len(text) :]
    return f'<{name}><span class="sr-only">{start}</span>{text}<span class="sr-only">{end}</span></{name}>{blanks}'


def _marked_lines(name: MarkName, lines: Sequence[str]) -> str:
    kind = {"ins": "add", "del": "del"}[name]
    return marked(name, "\n".join(f'<span class="{kind}">{line}</span>' for line in lines))


def _lines(block: CodeBlock, highlight: HighlightCode | None) -> list[str]:
    lines = code_html(block, highlight).split("\n")
    plain = block.code.split("\n")
    return lines if len(lines) == len(plain) else [escape(line, quote=False) for line in plain]


class MarkedBlock(NamedTuple):
    """The HTML of a changed block, and the number of its changes: none if readers see no difference."""

    pieces: list[DifferencePiece]
    changes: int


def marked_block(old_items: Sequence[HtmlItem], new_items: Sequence[HtmlItem]) -> MarkedBlock | None:
    """The new version with marks. None if it is too different to be read with them."""
    old = [item for item in old_items if item.is_content]
    new = [item for item in new_items if item.is_content]

    def is_island(start: int, end: int) -> bool:
        return not any(item.kind == "code" or item.formats or item.html[0].isalnum() for item in old[start:end])

    spans = without_islands(compare([item.key for item in old], [item.key for item in new]), is_island)
    changed = [span for span in spans if not span.is_same]
    same = sum(span.end - span.start for span in spans if span.is_same)
    words = [sum(item.kind == "word" for item in items) for items in (old, new)]
    if len(changed) > MOST_MARKS or same < LEAST_SAME * (max(words) if min(words) > 1 else 0):
        return None
    changes = _Changes()
    for span in changed:
        if not changes.add(span, old, new):
            return None
    return MarkedBlock(_MarkedWriter(new_items, changes).pieces(), len(changed))


class _Changes:
    """What changed at each content item of the new version, by its number."""

    def __init__(self) -> None:
        self.added: set[int] = set()
        self.code: dict[int, CodeDifference] = {}
        self.removed_before: dict[int, str] = {}
        """In the block of the item."""
        self.removed_after: dict[int, str] = {}
        """In the block of the item, before what follows it."""

    def add(self, span: AlignedSpan, old: Sequence[HtmlItem], new: Sequence[HtmlItem]) -> bool:
        """False for code that was removed, or that belongs to no code of the other version."""
        before, after = old[span.start : span.end], new[span.new_start : span.new_end]
        old_code = [item.code for item in before if item.code is not None]
        new_code = [span.new_start + at for at, item in enumerate(after) if item.kind == "code"]
        if old_code and len(old_code) != len(new_code):
            return False
        for code, at in zip_longest(old_code, new_code):
            block = new[at].code
            if block is not None:
                self.code[at] = CodeDifference(code, block)
        self.added |= {span.new_start + at for at, item in enumerate(after) if item.kind == "word"}
        words = [item for item in before if item.kind == "word"]
        if not words:
            return True
        starts_block = span.start == 0 or bool(old[span.start].before)
        ends_block = span.end == len(old) or bool(old[span.end].before)
        follows = span.new_start > 0 and (not starts_block or ends_block)
        if span.new_start < len(new) and (span.new_start in self.added or not follows):
            is_block = starts_block and ends_block and span.new_start not in self.added
            self.removed_before[span.new_start] = _removed(words) + ("<br>" if is_block else "")
        else:
            needs_blank = span.new_start > 0 and not new[span.new_start - 1].html.endswith((" ", "\n"))
            separator = words[0].before or (" " if needs_blank else "")
            self.removed_after[span.new_start - 1] = separator + _removed(words)
        return True


def _removed(words: Sequence[HtmlItem]) -> str:
    parts: list[str] = []
    formats: tuple[str, ...] = ()
    for number, word in enumerate(words):
        wanted = tuple(name for name in word.formats if name in _KEPT_FORMATS)
        if number and word.before:
            parts.append(_ends(formats) + word.before)
            formats = ()
        if wanted != formats:
            parts += (_ends(formats), *(f"<{name}>" for name in wanted))
            formats = wanted
        parts.append(word.html)
    return marked("del", "".join(parts) + _ends(formats))


def _ends(formats: tuple[str, ...]) -> str:
    return "".join(f"</{name}>" for name in reversed(formats))


class _MarkedWriter:
    """Writes the new version with the changes."""

    def __init__(self, items: Sequence[HtmlItem], changes: _Changes) -> None:
        self._items = items
        self._changes = changes
        self._pieces: list[DifferencePiece] = []
        self._at = 0
        """Number of the next content item."""
        self._pending = ""
        """Removed words that follow the last content item, after the ends of its inline elements."""

    def pieces(self) -> list[DifferencePiece]:
        self._pending = self._changes.removed_after.get(-1, "")
        number = 0
        while number < len(self._items):
            number = self._write(number)
        self._flush()
        return self._pieces

    def _write(self, number: int) -> int:
        """Write the item, or the run of added ones that it begins. Returns the number of the next item."""
        item = self._items[number]
        if not item.is_content and not (item.is_inline and item.kind == "open"):
            if not (item.is_inline and item.kind == "close"):
                self._flush()
            self._pieces.append(item.html)
            return number + 1
        self._flush()
        if removed := self._changes.removed_before.pop(self._at, ""):
            self._pieces.append(removed)
        end = self._end_of_run(number) if self._at in self._changes.added else number
        if end > number:
            run = self._items[number:end]
            self._pieces.append(marked("ins", "".join(each.html for each in run)))
            for each in run:
                self._passed(each)
            return end
        self._pieces.append(item.html if item.code is None else self._code(item.code))
        self._passed(item)
        return number + 1

    def _code(self, block: CodeBlock) -> DifferencePiece:
        change = self._changes.code.get(self._at)
        if change is None:
            return block
        opening = self._pieces[-1]
        if isinstance(opening, str) and opening.startswith("<code") and " data-copy=" not in opening:
            # The button copies the code of the new version.
            self._pieces[-1] = f'{opening[:-1]} data-copy="{escape(block.code)}">'
        return change

    def _passed(self, item: HtmlItem) -> None:
        if item.is_content:
            self._pending += self._changes.removed_after.get(self._at, "")
            self._at += 1

    def _flush(self) -> None:
        if self._pending:
            self._pieces.append(self._pending)
            self._pending = ""

    def _end_of_run(self, number: int) -> int:
        """The end of the longest run of added words from this item on that no element begins or ends within.

        The number itself if there is none.
        """
        at, depth, end = self._at, 0, number
        for place in range(number, len(self._items)):
            item = self._items[place]
            if not item.is_inline or item.kind == "code":
                break
            if item.kind == "word":
                if at not in self._changes.added:
                    break
                at += 1
            elif item.kind == "open":
                depth += 1
            elif item.kind == "close":
                depth -= 1
                if depth < 0:
                    break
            if not depth and item.kind != "void":
                end = place + 1
        return end

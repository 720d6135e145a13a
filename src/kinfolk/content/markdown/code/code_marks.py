"""Comments that mark lines of code, such as `// [!code ++]`: the notation of Shiki, which VitePress and others use."""

from __future__ import annotations

import re
from typing import Literal

from kinfolk.content.markdown.code.marked_words import MarkedWord, read_word

LineKind = Literal["added", "removed", "highlighted", "focused", "errors", "warnings"]
LINE_KINDS: tuple[LineKind, ...] = ("added", "removed", "highlighted", "focused", "errors", "warnings")
MOST_LINES = 5_000
"""Lines of a code block that can be marked."""

_KINDS: dict[str, LineKind | None] = {
    "++": "added",
    "--": "removed",
    "highlight": "highlighted",
    "hl": "highlighted",
    "info": "highlighted",
    "focus": "focused",
    "error": "errors",
    "warning": "warnings",
    "word": None,
}
_MOST_MARKS = 8
"""Marks of one line."""
_NOTATION = "[!code"
_MARK = re.compile(r"\[!code[ \t]+([a-z]{2,9}|\+\+|--)(?::((?:\\.|[^\]\\\n]){0,80}))?\]")
_OPENING = re.compile(r"(?P<block><!--|\{?/\*\*?|\(\*|\{#|\{\{!(?:--)?)$|(?:/{2,3}|#{1,3}|-{2,3}|;{1,3}|%{1,2})$")
_CLOSING = re.compile(r"[ \t]*+(?:-->|\*/\}?|\*\)|#\}|(?:--)?\}\})")
_IN_COMMENT = re.compile(r"(?<![^ \t])(?://|#|--|;|%)|<!--|/\*|\(\*|\{#|\{\{!")


class CodeMarks:
    """Collects the marks of a code block, line by line. `lines` are 0-based, in the code without the comments."""

    def __init__(self) -> None:
        self.lines: dict[LineKind, set[int]] = {kind: set() for kind in LINE_KINDS}
        self.words: list[MarkedWord] = []
        self.count = 0
        """Lines so far."""

    def take(self, line: str) -> str | None:
        """The line without its marks. None if nothing is left of it: its marks are those of the lines that follow."""
        rest = line
        for _ in range(_MOST_MARKS if _NOTATION in line else 0):
            mark = _MARK.match(rest, rest.rfind(_NOTATION)) if _NOTATION in rest else None
            shorter = _without(rest, mark) if mark and mark[1] in _KINDS else None
            if mark is None or shorter is None:
                break
            rest = shorter
            self._add(_KINDS[mark[1]], mark[2])
        if rest != line and not rest.strip():
            return None
        self.count += 1
        return rest

    def _add(self, kind: LineKind | None, argument: str | None) -> None:
        if kind:
            lines = int(argument[:4]) if argument and argument.isdecimal() else 1
            self.lines[kind].update(range(self.count, min(self.count + lines, MOST_LINES)))
        elif argument and (word := read_word(argument, self.count)):
            self.words.append(word)


def _without(line: str, mark: re.Match[str]) -> str | None:
    """The line without a mark, and without its comment if that has no other text. None if it is not in a comment."""
    before, after = line[: mark.start()].rstrip(), line[mark.end() :]
    opening, closing = _OPENING.search(before), _CLOSING.match(after)
    if not (closing or not after or after[0] in " \t"):  # in a string
        return None
    text = after.rstrip()
    if opening and opening["block"] and closing:
        return (before[: opening.start()] + after[closing.end() :]).rstrip()
    if opening and not text:
        return before[: opening.start()].rstrip()
    return before + text if opening or _IN_COMMENT.search(before) else None

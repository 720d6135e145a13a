"""Finds the code spans and comments of a Markdown text, in which links are not links."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator

_MARK = re.compile(r"(?<!\\)`+|<!--|-->")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def rewrite_outside_code(text: str, rewrite: Callable[[str], str]) -> str:
    """The text with `rewrite` applied outside code spans. Code spans stay unchanged; comments are removed."""
    return "".join(part if is_code else rewrite(part) for is_code, part in _parts(text))


def code_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each code span outside of comments."""
    spans = []
    at = 0
    for is_code, part in _parts(text):
        # Comments are left out of the parts, so the position is searched. Parts come in order.
        if is_code:
            start = text.index(part, at)
            spans.append((start, start + len(part)))
            at = start + len(part)
    return spans


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """(is a code span, text) pairs in order, without comments. Takes time in proportion to the text."""
    marks = list(_MARK.finditer(text))
    starts: dict[str, list[int]] = defaultdict(list)
    for mark in marks:
        starts[mark[0]].append(mark.start())
    blanks = [blank.start() for blank in _BLANK_LINE.finditer(text)]
    done = 0
    for mark in marks:
        if mark.start() < done or mark[0] == "-->":
            continue
        is_comment = mark[0] == "<!--"
        closers = starts["-->" if is_comment else mark[0]]
        at = bisect_left(closers, mark.end())
        if at == len(closers):
            continue
        end = closers[at]
        # A code span ends within its paragraph; a comment may span paragraphs.
        if not is_comment and bisect_right(blanks, mark.end()) != bisect_right(blanks, end):
            continue
        yield False, text[done : mark.start()]
        done = end + len("-->" if is_comment else mark[0])
        if not is_comment:
            yield True, text[mark.start() : done]
    yield False, text[done:]

"""Lines of a page with their numbers, and the fences of code among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kinfolk.content.markdown.code.code_spans import code_spans

_OPENING = re.compile(r"(?P<prefix>(?>[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*+)(?P<mark>`{3,}+|~{3,}+)(?P<info>.*)")
_MASK = re.compile("\ue010(\\d{1,9})\ue011")


class SourceLine(NamedTuple):
    """`number` is the line in the page's file; for an included file, that of the statement that includes it."""

    text: str
    number: int

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


class LineCounter:
    """Numbers of the lines at places of a text. The places must ascend: then all of them together take linear time.

    `line_start` is where the line of the last place begins.
    """

    def __init__(self, text: str, first: int) -> None:
        self.line_start = 0
        self._text = text
        self._number = first
        self._place = 0

    def number_at(self, place: int) -> int:
        self._number += self._text.count("\n", self._place, place)
        self.line_start = self._text.rfind("\n", self._place, place) + 1 or self.line_start
        self._place = place
        return self._number


@dataclass(frozen=True)
class Fence:
    """A block of fenced code: `lines` include the fences."""

    prefix: str
    mark: str
    info: str
    lines: list[SourceLine]
    is_closed: bool

    @property
    def code(self) -> list[SourceLine]:
        return self.lines[1 : -1 if self.is_closed else None]


def numbered(text: str, first: int) -> list[SourceLine]:
    return [SourceLine(line, first + at) for at, line in enumerate(text.split("\n"))]


def fence_at(lines: list[SourceLine], at: int) -> Fence | None:
    """The fenced code that begins at a line. Without an end it extends to the last line."""
    opening = _OPENING.fullmatch(lines[at].text)
    if opening is None or (opening["mark"][0] == "`" and "`" in opening["info"]):
        return None
    mark = opening["mark"]
    for end in range(at + 1, len(lines)):
        text = lines[end].text
        rest = text.lstrip(" \t>").rstrip()
        if len(text) - len(text.lstrip(" \t>")) > len(opening["prefix"]) + 3:
            continue  # code, as in a fence that shows another one
        if len(rest) >= len(mark) and rest == mark[0] * len(rest):
            return Fence(opening["prefix"], mark, opening["info"].strip(), lines[at : end + 1], is_closed=True)
    return Fence(opening["prefix"], mark, opening["info"].strip(), lines[at:], is_closed=False)


def text_from(lines: list[SourceLine], at: int, longest: int) -> str:
    """The text from a line on, to the end of the line that reaches `longest` characters."""
    texts: list[str] = []
    length = 0
    # Not a slice of all that follow: a page can ask for the text of each line.
    for place in range(at, len(lines)):
        texts.append(lines[place].text)
        length += len(texts[-1]) + 1
        if length > longest:
            break
    return "\n".join(texts)


def parts(lines: list[SourceLine]) -> Iterator[Fence | SourceLine]:
    """The fences, and the lines outside of them."""
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        if fence is None:
            yield lines[at]
            at += 1
        else:
            yield fence
            at += len(fence.lines)


def chunks(lines: list[SourceLine]) -> Iterator[Fence | list[SourceLine]]:
    """The fences, and each run of lines without a blank line outside of them. Blank lines are runs of one."""
    run: list[SourceLine] = []
    for part in parts(lines):
        if isinstance(part, SourceLine) and not part.is_blank:
            run.append(part)
            continue
        if run:
            yield run
            run = []
        yield [part] if isinstance(part, SourceLine) else part
    if run:
        yield run


def map_chunks(lines: list[SourceLine], rewrite: Callable[[list[SourceLine]], list[SourceLine]]) -> list[SourceLine]:
    """The lines, with each run of lines outside of code replaced."""
    return [line for chunk in chunks(lines) for line in (chunk.lines if isinstance(chunk, Fence) else rewrite(chunk))]


def expand_lines(lines: list[SourceLine], expand: Callable[[SourceLine], list[SourceLine] | None]) -> list[SourceLine]:
    """The lines, with each line outside of code replaced by what `expand` returns; None keeps it."""
    result: list[SourceLine] = []
    for part in parts(lines):
        if isinstance(part, Fence):
            result += part.lines
        else:
            expanded = expand(part)
            result += [part] if expanded is None else expanded
    return result


def rewrite_prose(lines: list[SourceLine], rewrite: Callable[[str, int], str]) -> list[SourceLine]:
    """The lines, with `rewrite` applied to the text outside of code. It gets the number of the text's first line."""

    def with_masks(text: str, number: int) -> str:
        spans = code_spans(text) if "`" in text else []
        changed = rewrite(_masked(text, spans), number)
        return _MASK.sub(lambda one: text[slice(*spans[int(one[1])])], changed) if spans else changed

    return rewrite_chunks(lines, with_masks)


def rewrite_chunks(lines: list[SourceLine], rewrite: Callable[[str, int], str]) -> list[SourceLine]:
    """Like `rewrite_prose`, but the text has its code spans."""
    result: list[SourceLine] = []
    for chunk in chunks(lines):
        if isinstance(chunk, Fence):
            result += chunk.lines
        else:
            result += _rewritten(chunk, rewrite)
    return result


def _rewritten(chunk: list[SourceLine], rewrite: Callable[[str, int], str]) -> Iterable[SourceLine]:
    text = "\n".join(line.text for line in chunk)
    changed = rewrite(text, chunk[0].number)
    if changed == text:
        return chunk
    lines = changed.split("\n")
    last = len(chunk) - 1
    return [SourceLine(line, chunk[min(at, last)].number) for at, line in enumerate(lines)]


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with a private mark in place of each code span."""
    pieces: list[str] = []
    done = 0
    for at, (start, end) in enumerate(spans):
        pieces += (text[done:start], f"\ue010{at}\ue011")
        done = end
    return "".join([*pieces, text[done:]])


def with_spaces(lines: list[SourceLine]) -> list[SourceLine]:
    """The lines with two spaces for each tab that indents them; code keeps the tabs of its own."""
    if not any(line.text.startswith((" ", "\t")) and "\t" in line.text for line in lines):
        return lines
    result: list[SourceLine] = []
    for part in parts(lines):
        if isinstance(part, Fence):
            pad = part.prefix[: len(part.prefix) - len(part.prefix.lstrip(" \t"))]
            result += [_with_pad(line, pad) for line in part.lines]
        else:
            result.append(_with_pad(part, part.text[: len(part.text) - len(part.text.lstrip(" \t"))]))
    return result


def _with_pad(line: SourceLine, pad: str) -> SourceLine:
    if "\t" not in pad or not line.text.startswith(pad):
        return line
    return line._replace(text=pad.replace("\t", "  ") + line.text[len(pad) :])


def dedent(lines: list[SourceLine], width: int | None = None) -> list[SourceLine]:
    """The lines without `width` leading spaces, or without the indentation of the first line that is not blank."""
    if width is None:
        width = next((line.indent for line in lines if not line.is_blank), 0)
    return [line._replace(text=line.text[min(width, line.indent) :]) for line in lines] if width else lines


def trimmed(lines: list[SourceLine]) -> list[SourceLine]:
    """The lines without blank ones at the start and the end."""
    start, end = 0, len(lines)
    while start < end and lines[start].is_blank:
        start += 1
    while end > start and lines[end - 1].is_blank:
        end -= 1
    return lines[start:end]

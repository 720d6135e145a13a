"""Fits a text into a box: the largest font size at which it fits, broken into lines, truncated at the smallest."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

LONGEST = 200
"""Characters of a title that are used. More would not be legible."""

# Characters without a glyph in Inter, which would be drawn as an empty box.
_NOT_DRAWN = re.compile(
    r"[^ -~\u00a0-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u024f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03d7"
    r"\u0400-\u045f\u2010-\u2027\u2030-\u203a\u20ac\u2122\u2190-\u2193\u2212\u2260\u2264\u2265]+"
)
# Where a long name may be broken: after punctuation, and before a capital that follows a lower-case letter.
_BREAK = re.compile(r"(?<=[-/.,:_(<])(?=\w)|(?<=[a-z0-9])(?=[A-Z])")

Measure = Callable[[str, int], float]
"""The width of a text at a size, in pixels."""


class FittedText(NamedTuple):
    size: int
    lines: tuple[str, ...]


def drawable_text(text: str) -> str:
    """The text without characters that the fonts lack, such as control characters and emoji."""
    return " ".join(_NOT_DRAWN.sub(" ", text[:LONGEST]).split())


def fit_text(text: str, measure: Measure, *, width: int, steps: Sequence[tuple[int, int]]) -> FittedText:
    """The lines at the first of `steps` (size, most lines) that fits. Truncated at the last step."""
    for size, most in steps:
        lines = _lines(text, partial(_fits, measure, size, width))
        if len(lines) <= most:
            return FittedText(size, tuple(lines))
    size, most = steps[-1]
    lines = _lines(text, partial(_fits, measure, size, width))[:most]
    while lines[-1] and measure(f"{lines[-1]}…", size) > width:
        lines[-1] = lines[-1][:-1].rstrip()
    return FittedText(size, (*lines[:-1], f"{lines[-1]}…"))


def _fits(measure: Measure, size: int, width: int, text: str) -> bool:
    return measure(text, size) <= width


def _lines(text: str, fits: Callable[[str], bool]) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        candidate = f"{lines[-1]} {word}".lstrip()
        if fits(candidate):
            lines[-1] = candidate
            continue
        if lines[-1]:
            lines.append("")
        for part in [word] if fits(word) else _parts(word, fits):
            if fits(lines[-1] + part):
                lines[-1] += part
            else:
                lines.append(part)
    return lines


def _parts(word: str, fits: Callable[[str], bool]) -> list[str]:
    """A word that is wider than a line, in pieces that fit."""
    parts: list[str] = []
    for part in _BREAK.split(word):
        rest = part
        while len(rest) > 1 and not fits(rest):
            end = _count_fitting(rest, fits)
            parts.append(rest[:end])
            rest = rest[end:]
        parts.append(rest)
    return parts


def _count_fitting(text: str, fits: Callable[[str], bool]) -> int:
    """How many characters fit, at least one. Binary search: measuring every length would take a second."""
    fitting, too_many = 1, len(text)
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if fits(text[:middle]):
            fitting = middle
        else:
            too_many = middle
    return fitting

"""Words that fit a box: the largest size at which they do, broken into lines, cut where even the smallest does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

LONGEST = 200
"""Characters of a title that are looked at. What follows could not be read in a picture anyway."""

# What Inter has glyphs for. Anything else would be drawn as an empty box.
_NOT_DRAWN = re.compile(
    r"[^ -~\u00a0-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u024f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03d7"
    r"\u0400-\u045f\u2010-\u2027\u2030-\u203a\u20ac\u2122\u2190-\u2193\u2212\u2260\u2264\u2265]+"
)
# Where a long name may be broken: after a joint, and before a capital that follows a small letter.
_JOINT = re.compile(r"(?<=[-/.,:_(<])(?=\w)|(?<=[a-z0-9])(?=[A-Z])")

Measure = Callable[[str, int], float]
"""The width of a text at a size, in pixels."""


class Fitted(NamedTuple):
    size: int
    lines: tuple[str, ...]


def drawable(text: str) -> str:
    """The text without what cannot be drawn: control characters, emoji, scripts that the fonts lack."""
    return " ".join(_NOT_DRAWN.sub(" ", text[:LONGEST]).split())


def fit(text: str, measure: Measure, *, width: int, steps: Sequence[tuple[int, int]]) -> Fitted:
    """The lines at the first of `steps` (size, most lines) that holds them all; cut short at the last one."""
    for size, most in steps:
        lines = _lines(text, partial(_fits, measure, size, width))
        if len(lines) <= most:
            return Fitted(size, tuple(lines))
    size, most = steps[-1]
    kept = _lines(text, partial(_fits, measure, size, width))[:most]
    while kept[-1] and measure(f"{kept[-1]}…", size) > width:
        kept[-1] = kept[-1][:-1].rstrip()
    return Fitted(size, (*kept[:-1], f"{kept[-1]}…"))


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
    """A word that is wider than a line, in pieces that are not."""
    parts: list[str] = []
    for part in _JOINT.split(word):
        rest = part
        while len(rest) > 1 and not fits(rest):
            end = _room(rest, fits)
            parts.append(rest[:end])
            rest = rest[end:]
        parts.append(rest)
    return parts


def _room(text: str, fits: Callable[[str], bool]) -> int:
    """How many characters fit, at least one, found by halving: measuring every length would take a second."""
    fit, too_many = 1, len(text)
    while too_many - fit > 1:
        middle = (fit + too_many) // 2
        if fits(text[:middle]):
            fit = middle
        else:
            too_many = middle
    return fit

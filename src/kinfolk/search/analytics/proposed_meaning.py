"""A line of `[[meanings]]` for a file of `meanings/`, which a maintainer judges, completes and adds.

Texts of queries are input of the public: nothing in them leaves its string or its comment.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kinfolk.search.analytics.neutral_address import NeutralAddress

_COMMENT_WIDTH = 118
_BMP = 0xFFFF


@dataclass(frozen=True)
class ProposedMeaning:
    """`page` is None where the maintainer chooses one of the candidates, or another page."""

    says: str
    why: str
    page: str | None = None
    candidates: Sequence[NeutralAddress] = ()
    notes: Sequence[str] = ()
    """The evidence, as comments before the line."""

    def toml(self) -> str:
        """The line. Without a page, the maintainer removes the `#` of a candidate or completes the key."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for note in self.notes:
            yield from comment(note)
        yield "[[meanings]]"
        yield f"says = [{basic_string(self.says)}]"
        if self.page is not None:
            yield f"page = {basic_string(self.page)}"
        else:
            for found in self.candidates:
                yield f"# page = {basic_string(found.section)}  # {printable(' › '.join(found.titles))}"
            if not self.candidates:
                yield '# page = ""'
        yield f"why = {basic_string(self.why)}"


def basic_string(text: str) -> str:
    """A basic string of TOML. What is not printed, such as a change of the direction of text, is escaped."""
    return '"' + "".join(f"\\{sign}" if sign in '"\\' else _visible(sign) for sign in text) + '"'


def printable(text: str) -> str:
    """The text with escapes for what is not printed, on one line."""
    return "".join(map(_visible, text))


def comment(text: str) -> list[str]:
    """The lines of a comment of TOML."""
    return [f"# {line}" for line in textwrap.wrap(printable(text), _COMMENT_WIDTH, break_on_hyphens=False)]


def _visible(sign: str) -> str:
    if sign.isprintable():
        return sign
    return f"\\u{ord(sign):04X}" if ord(sign) <= _BMP else f"\\U{ord(sign):08X}"

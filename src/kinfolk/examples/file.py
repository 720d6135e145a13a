"""A file of an example as it is shown: code, a picture, or why neither."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

from kinfolk.examples.languages import PLAIN, language_of
from kinfolk.markdown.page import Snippet

Kind = Literal["code", "picture", "binary", "empty", "large"]

LARGEST_SHOWN = 512 * 1024
"""Bytes of text that a page shows; whoever wants more has the raw file."""
LARGEST_COLOURED = 100_000
"""Characters: of the real examples' files all but lock files and generated declarations have fewer."""
LOOKED_AT = 8192
"""Bytes in which a binary file betrays itself by a NUL."""
PICTURES = frozenset("png jpg jpeg gif webp avif ico".split())


@dataclass(frozen=True)
class Source:
    """`snippet` is the code, for `code` alone."""

    kind: Kind
    size: int
    snippet: Snippet | None = None

    @property
    def lines(self) -> int:
        return lines_of(self.snippet) if self.snippet else 0

    @property
    def is_coloured(self) -> bool:
        """Whether the highlighter is asked at all."""
        if self.snippet is None or self.snippet.language == PLAIN:
            return False
        return len(self.snippet.code) <= LARGEST_COLOURED


def source_of(file: str, content: bytes, framework: str) -> Source:
    """`file` is relative to the example."""
    size = len(content)
    if not content:
        return Source("empty", 0)
    if is_binary(content):
        return Source("picture" if file.rpartition(".")[2].lower() in PICTURES else "binary", size)
    if size > LARGEST_SHOWN:
        return Source("large", size)
    text = content.decode(errors="replace").removeprefix("\ufeff")
    # What no page may hold: the raw file has it.
    code = text.replace("\r\n", "\n").replace("\0", "\ufffd").removesuffix("\n")
    return Source("code", size, Snippet(language_of(file, framework), code))


def unread(file: str, size: int) -> Source:
    """A file that is too large to be read for a page."""
    return Source("picture" if file.rpartition(".")[2].lower() in PICTURES else "large", size)


def is_binary(content: bytes) -> bool:
    return b"\0" in content[:LOOKED_AT]


def markup(snippet: Snippet, coloured: str | None) -> str:
    """The numbered lines: a column of links to them, and the code beside it, in colours or plain.

    Only the first number is a stop for the Tab key; from there arrows lead on, which the browser serves.
    """
    first = '<a id="L1" href="#L1">1</a>'
    others = (f'<a id="L{n}" href="#L{n}" tabindex="-1">{n}</a>' for n in range(2, lines_of(snippet) + 1))
    numbers = "\n".join((first, *others))
    code = escape(snippet.code, quote=False) if coloured is None else coloured
    return f'<span class="numbers">{numbers}</span><code>{code}</code>'


def lines_of(snippet: Snippet) -> int:
    return snippet.code.count("\n") + 1

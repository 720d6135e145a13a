"""The view of a file of an example on a page: code, a picture, or the reason why neither is shown."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

from kinfolk.content.examples.languages import PLAIN, language_of
from kinfolk.content.markdown.markdown_page import CodeBlock

FileKind = Literal["code", "picture", "binary", "empty", "large"]

LARGEST_SHOWN = 512 * 1024
"""Bytes of text that a page shows. Larger files are available as raw files only."""
LARGEST_HIGHLIGHTED = 100_000
"""Characters. Of the family's examples only lock files and generated declarations have more."""
BINARY_CHECK_BYTES = 8192
"""Bytes at the start of a file in which a NUL means that the file is binary."""
PICTURES = frozenset("png jpg jpeg gif webp avif ico".split())


@dataclass(frozen=True)
class FileView:
    """`snippet` is the code of a file of kind `code`."""

    kind: FileKind
    size: int
    snippet: CodeBlock | None = None

    @property
    def lines(self) -> int:
        return lines_of(self.snippet) if self.snippet else 0

    @property
    def is_highlighted(self) -> bool:
        """Whether the code is highlighted."""
        if self.snippet is None or self.snippet.language == PLAIN:
            return False
        return len(self.snippet.code) <= LARGEST_HIGHLIGHTED


def view_file(file: str, content: bytes, framework: str) -> FileView:
    """The view of a file, whose path is relative to the example."""
    size = len(content)
    if not content:
        return FileView("empty", 0)
    if is_binary(content):
        return FileView("picture" if file.rpartition(".")[2].lower() in PICTURES else "binary", size)
    if size > LARGEST_SHOWN:
        return FileView("large", size)
    text = content.decode(errors="replace").removeprefix("\ufeff")
    # HTML must not contain NUL. The raw file is served unchanged.
    code = text.replace("\r\n", "\n").replace("\0", "\ufffd").removesuffix("\n")
    return FileView("code", size, CodeBlock(language_of(file, framework), code))


def view_oversized_file(file: str, size: int) -> FileView:
    """The view of a file that is too large to be read for a page."""
    return FileView("picture" if file.rpartition(".")[2].lower() in PICTURES else "large", size)


def is_binary(content: bytes) -> bool:
    return b"\0" in content[:BINARY_CHECK_BYTES]


def numbered_lines(snippet: CodeBlock, highlighted: str | None) -> str:
    """The code with line numbers: a column of links, and the highlighted or plain code.

    Only the first number is in the tab order. The frontend moves the focus between numbers with the arrow keys.
    """
    first = '<a id="L1" href="#L1">1</a>'
    others = (f'<a id="L{n}" href="#L{n}" tabindex="-1">{n}</a>' for n in range(2, lines_of(snippet) + 1))
    numbers = "\n".join((first, *others))
    code = escape(snippet.code, quote=False) if highlighted is None else highlighted
    return f'<span class="numbers">{numbers}</span><code>{code}</code>'


def lines_of(snippet: CodeBlock) -> int:
    return snippet.code.count("\n") + 1

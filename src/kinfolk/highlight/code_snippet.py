"""A snippet of code, its cache key, and its highlighted form."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol


class CodeSnippet(Protocol):
    """The input of the highlighter. `added`, `removed` and `highlighted` are 0-based line numbers."""

    @property
    def language(self) -> str: ...

    @property
    def code(self) -> str: ...

    @property
    def added(self) -> Sequence[int]: ...

    @property
    def removed(self) -> Sequence[int]: ...

    @property
    def highlighted(self) -> Sequence[int]: ...


@dataclass(frozen=True)
class HighlightedCode:
    """The HTML inside the `<code>`. `fault` is the reason if a snippet of a known language has no colors."""

    html: str
    fault: str | None = None


def snippet_key(pipeline: str, snippet: CodeSnippet) -> bytes:
    """The cache key of the snippet, highlighted by `pipeline`."""
    parts: tuple[str, ...] = (
        pipeline,
        snippet.language,
        repr((*snippet.added,)),
        repr((*snippet.removed,)),
        snippet.code,
    )
    if snippet.highlighted:
        parts = (*parts, repr((*snippet.highlighted,)))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def plain_code(snippet: CodeSnippet, fault: str) -> HighlightedCode:
    """The snippet without colors, as the bundle returns an unknown language."""
    marks = {
        **dict.fromkeys(snippet.highlighted, " mark"),
        **dict.fromkeys(snippet.removed, " del"),
        **dict.fromkeys(snippet.added, " add"),
    }
    lines = escape(snippet.code, quote=False).replace("\r", "&#13;").replace("\0", "\ufffd").split("\n")
    markup = (f'<span class="line{marks.get(number, "")}">{line}</span>' for number, line in enumerate(lines))
    return HighlightedCode("\n".join(markup), fault)

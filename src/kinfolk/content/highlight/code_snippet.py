"""A snippet of code, its cache key, and its highlighted form."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Protocol


class CodeSnippet(Protocol):
    """The input of the highlighter."""

    @property
    def language(self) -> str: ...

    @property
    def code(self) -> str: ...

    @property
    def line_classes(self) -> Mapping[int, str]:
        """The classes of marked lines, by 0-based number."""


@dataclass(frozen=True)
class HighlightedCode:
    """The HTML inside the `<code>`. `fault` is the reason if a snippet of a known language has no colors."""

    html: str
    fault: str | None = None


def snippet_key(pipeline: str, snippet: CodeSnippet) -> bytes:
    """The cache key of the snippet, highlighted by `pipeline`."""
    parts = (pipeline, snippet.language, repr(sorted(snippet.line_classes.items())), snippet.code)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def plain_code(snippet: CodeSnippet, fault: str) -> HighlightedCode:
    """The snippet without colors, as the bundle returns an unknown language."""
    classes = snippet.line_classes
    lines = escape(snippet.code, quote=False).replace("\r", "&#13;").replace("\0", "\ufffd").split("\n")
    markup = (
        f'<span class="line{f" {classes[number]}" if number in classes else ""}">{line}</span>'
        for number, line in enumerate(lines)
    )
    return HighlightedCode("\n".join(markup), fault)

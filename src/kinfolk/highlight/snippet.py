"""A piece of code, what names it, and what becomes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol


class Snippet(Protocol):
    """What decides how code looks. `added` and `removed` are lines, counted from 0."""

    @property
    def language(self) -> str: ...

    @property
    def code(self) -> str: ...

    @property
    def added(self) -> Sequence[int]: ...

    @property
    def removed(self) -> Sequence[int]: ...


@dataclass(frozen=True)
class Coloured:
    """The HTML inside the `<code>`, and the `fault` for which it has no colours although its language has."""

    html: str
    fault: str | None = None


def key_of(pipeline: str, snippet: Snippet) -> bytes:
    """Names what `pipeline` makes of the snippet: another pipeline may make something else of it."""
    parts = (pipeline, snippet.language, repr((*snippet.added,)), repr((*snippet.removed,)), snippet.code)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def plain(snippet: Snippet, fault: str) -> Coloured:
    """The snippet as the bundle would show a language it does not know."""
    marks = {**dict.fromkeys(snippet.removed, " del"), **dict.fromkeys(snippet.added, " add")}
    lines = escape(snippet.code, quote=False).replace("\r", "&#13;").replace("\0", "\ufffd").split("\n")
    markup = (f'<span class="line{marks.get(number, "")}">{line}</span>' for number, line in enumerate(lines))
    return Coloured("\n".join(markup), fault)

"""Blocks that dialects have (callouts, tabs, cards, steps, …), and how a `:::` container is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, dedent, fence_at

BLOCK_OPEN, BLOCK_CLOSE, HEADING_ID = "\ue000", "\ue001", "\ue002"
"""Private characters that mark blocks and ids of headings while a page is translated. No source contains them."""

BlockKind = Literal[
    "callout",
    "card",
    "cards",
    "code-tabs",
    "field",
    "figure",
    "file-tree",
    "fold",
    "open-fold",
    "plain",
    "steps",
    "tabs",
    "written",
]

_CODE = re.compile(r"`([^`\n]+)`")
_ESCAPED_BRACKET = re.compile(r"(?<!\\)\\++(?=[\[\]])")
_STRONG = re.compile(r"(\*\*|__)(?=\S)([^*_\n]+)\1")


@dataclass(frozen=True)
class Block:
    """A block that ends before line `end`.

    `title` is Markdown, `name` the kind of a callout, `id` that of a fold. `panels` are tabs, or steps with a title.
    The `body` of a block that is `written` is Markdown of this site already.
    """

    kind: BlockKind
    end: int
    body: list[SourceLine] = field(default_factory=list)
    title: str = ""
    name: str = "note"
    indent: int = 0
    panels: Sequence[tuple[str, list[SourceLine]]] = ()
    id: str = ""


FindBlock = Callable[[list[SourceLine], int], Block | None]
WriteFence = Callable[[Fence], list[SourceLine]]


def title_html(title: str) -> str:
    """A title within raw HTML, where Markdown does not apply."""
    return _STRONG.sub(r"<strong>\2</strong>", _CODE.sub(r"<code>\1</code>", escape(title, quote=False)))


def plain_label(label: str) -> str:
    """The label of a tab, without the marks of Markdown."""
    return " ".join(_STRONG.sub(r"\2", _CODE.sub(r"\1", label)).replace(">", "").replace('"', "'").split()) or "Tab"


def code_tabs(body: list[SourceLine], label_of: Callable[[Fence, int], str], end: int, indent: int) -> Block:
    """Each fence of the body as a tab."""
    panels: list[tuple[str, list[SourceLine]]] = []
    at = 0
    while at < len(body):
        fence = fence_at(body, at)
        if fence is None:
            at += 1
            continue
        label = label_of(fence, len(panels))
        # The label is above the code, so the code has no title.
        info = _ESCAPED_BRACKET.sub("", fence.lines[0].text).replace(f"[{label}]", "", 1).rstrip()
        first = fence.lines[0]._replace(text=info)
        panels.append((label, [first, *fence.lines[1:]]))
        at += len(fence.lines)
    return Block("code-tabs", end, indent=indent, panels=panels) if panels else Block("plain", end, body, indent=indent)


_COLONS = re.compile(r"[ \t]*+(:{3,}+)[ \t]*+(?>([A-Za-z][\w-]*+)?)(.*)")


def colon_container(lines: list[SourceLine], at: int) -> tuple[str, str, list[SourceLine], int] | None:
    """Name, rest of the line, body and end of a `:::` container. It ends at as many colons, else at the last line."""
    if ":::" not in lines[at].text:
        return None
    opening = _COLONS.fullmatch(lines[at].text)
    if opening is None or not opening[2]:
        return None
    count = len(opening[1])
    width = lines[at].indent
    end = at + 1
    while end < len(lines):
        fence = fence_at(lines, end)
        if fence is not None:  # one without an end extends to the last line
            end += len(fence.lines)
            continue
        text = lines[end].text.strip()
        if len(text) >= count and text == ":" * len(text):
            return opening[2], opening[3].strip(), dedent(lines[at + 1 : end], width), end + 1
        end += 1
    return opening[2], opening[3].strip(), dedent(lines[at + 1 :], width), len(lines)

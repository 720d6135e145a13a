"""Blocks of a dialect (callouts, folds, tabs) as Markdown of this site, at any depth and within lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, dedent, fence_at, trimmed

DEEPEST = 8
"""Levels of nested blocks. The content of deeper ones is shown without the block."""
BLOCK_OPEN, BLOCK_CLOSE, HEADING_ID = "\ue000", "\ue001", "\ue002"
"""Private characters that mark blocks and ids of headings while a page is translated. No source contains them."""

BlockKind = Literal["callout", "fold", "open-fold", "tabs", "code-tabs", "plain"]

_CODE = re.compile(r"`([^`\n]+)`")
_STRONG = re.compile(r"(\*\*|__)(?=\S)([^*_\n]+)\1")


@dataclass(frozen=True)
class Block:
    """A block that ends before line `end`. `name` is the kind of a callout; `panels` are those of tabs."""

    kind: BlockKind
    end: int
    body: list[SourceLine] = field(default_factory=list)
    title: str = ""
    name: str = "note"
    indent: int = 0
    panels: Sequence[tuple[str, list[SourceLine]]] = ()


FindBlock = Callable[[list[SourceLine], int], Block | None]
WriteFence = Callable[[Fence], list[SourceLine]]


class BlockWriter:
    """Writes the blocks of one page. `find` recognizes a block at a line; `fence` writes fenced code."""

    def __init__(self, find: FindBlock, fence: WriteFence, *, for_export: bool) -> None:
        self._find = find
        self._fence = fence
        self._for_export = for_export

    def write(self, lines: list[SourceLine], depth: int = 0) -> list[SourceLine]:
        result: list[SourceLine] = []
        at = 0
        while at < len(lines):
            fence = fence_at(lines, at)
            if fence is not None:
                result += self._fence(fence)
                at += len(fence.lines)
                continue
            block = self._find(lines, at)
            if block is None:
                result.append(lines[at])
                at += 1
                continue
            number = lines[at].number
            result += self._block(block, number, depth)
            at = block.end
        return result

    def _block(self, block: Block, number: int, depth: int) -> list[SourceLine]:
        kind = block.kind if depth < DEEPEST else "plain"
        inner = [(label, self._inner(body, depth)) for label, body in block.panels]
        body = self._inner(block.body, depth)
        match kind:
            case "callout":
                written = _callout(block, body, number)
            case "fold" | "open-fold":
                written = _fold(block, body, number, is_open=kind == "open-fold")
            case "tabs" | "code-tabs" if inner:
                written = self._tabs(inner, number)
            case _:
                written = [*body, *(line for _, panel in inner for line in panel)]
        pad = " " * block.indent
        end = written[-1].number if written else number
        shifted = [line._replace(text=f"{pad}{line.text}" if line.text else "") for line in written]
        return [SourceLine("", number), *shifted, SourceLine("", end)]

    def _inner(self, lines: list[SourceLine], depth: int) -> list[SourceLine]:
        return self.write(trimmed(lines), depth + 1) if depth < DEEPEST else lines

    def _tabs(self, panels: Sequence[tuple[str, list[SourceLine]]], number: int) -> list[SourceLine]:
        written: list[SourceLine] = (
            [] if self._for_export else [SourceLine("<!-- ::start:tabs -->", number), SourceLine("", number)]
        )
        for label, body in panels:
            first = body[0].number if body else number
            last = body[-1].number if body else number
            if self._for_export:
                written += [SourceLine(f"**{label}**", first), SourceLine("", first), *body, SourceLine("", last)]
            else:
                name = escape(plain_label(label)[:200])
                written += [SourceLine(f'<!-- ::start:tab label="{name}" -->', first), SourceLine("", first), *body]
                written += [SourceLine("", last), SourceLine("<!-- ::end:tab -->", last), SourceLine("", last)]
        return written if self._for_export else [*written, SourceLine("<!-- ::end:tabs -->", written[-1].number)]


def _callout(block: Block, body: list[SourceLine], number: int) -> list[SourceLine]:
    title = f" {block.title}" if block.title else ""
    opening = (
        [SourceLine(f"> [!{block.name.upper()}]{title}", number), SourceLine(">", number)] if title or body else []
    )
    return [*opening, *(line._replace(text=f"> {line.text}".rstrip()) for line in body)]


def _fold(block: Block, body: list[SourceLine], number: int, *, is_open: bool) -> list[SourceLine]:
    end = body[-1].number if body else number
    opening = f"<details{' open' if is_open else ''}><summary>{title_html(block.title or 'Details')}</summary>"
    return [
        SourceLine(opening, number),
        SourceLine("", number),
        *body,
        SourceLine("", end),
        SourceLine("</details>", end),
    ]


def title_html(title: str) -> str:
    """A title within raw HTML, where Markdown does not apply."""
    return _STRONG.sub(r"<strong>\2</strong>", _CODE.sub(r"<code>\1</code>", escape(title, quote=False)))


def plain_label(label: str) -> str:
    """The label of a tab, without the marks of Markdown."""
    return " ".join(_STRONG.sub(r"\2", _CODE.sub(r"\1", label)).replace(">", "").replace('"', "'").split()) or "Tab"


_MARKED = re.compile(rf"[ \t]*{BLOCK_OPEN}([a-z-]+)\|([^|\n]*)\|(.*)")


def marked_block(lines: list[SourceLine], at: int) -> Block | None:
    """The block that `open_mark` and `BLOCK_CLOSE` enclose. One without an end extends to the last line."""
    opening = _MARKED.fullmatch(lines[at].text) if BLOCK_OPEN in lines[at].text else None
    if opening is None:
        return None
    body, end = _enclosed(lines, at)
    kind, name, title = opening[1], opening[2], opening[3]
    indent = lines[at].indent
    if kind == "tabs":
        return Block("tabs", end, indent=indent, panels=_panels(body))
    kinds: Mapping[str, BlockKind] = {"callout": "callout", "fold": "fold"}
    return Block(kinds.get(kind, "plain"), end, dedent(trimmed(body)), title, name or "note", indent)


def open_mark(kind: str, name: str = "", title: str = "") -> str:
    return f"{BLOCK_OPEN}{kind}|{name.replace('|', ' ')}|{' '.join(title.split())}"


def _enclosed(lines: list[SourceLine], at: int) -> tuple[list[SourceLine], int]:
    depth = 0
    for end in range(at, len(lines)):
        text = lines[end].text
        depth += text.count(BLOCK_OPEN) - text.count(BLOCK_CLOSE)
        if depth <= 0:
            return lines[at + 1 : end], end + 1
    return lines[at + 1 :], len(lines)


def _panels(body: list[SourceLine]) -> list[tuple[str, list[SourceLine]]]:
    panels: list[tuple[str, list[SourceLine]]] = []
    at = 0
    while at < len(body):
        opening = _MARKED.fullmatch(body[at].text) if BLOCK_OPEN in body[at].text else None
        if opening is None or opening[1] != "tab":
            at += 1
            continue
        inner, at = _enclosed(body, at)
        panels.append((opening[3] or opening[2] or f"Tab {len(panels) + 1}", dedent(trimmed(inner))))
    return panels


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
        first = fence.lines[0]._replace(text=fence.lines[0].text.replace(f"[{label}]", "", 1).rstrip())
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

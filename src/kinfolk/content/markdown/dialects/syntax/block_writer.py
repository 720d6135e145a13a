"""Writes blocks of a dialect as Markdown of this site, at any depth and within lists."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kinfolk.content.markdown.dialects.syntax.blocks import (
    BLOCK_CLOSE,
    BLOCK_OPEN,
    Block,
    FindBlock,
    WriteFence,
    plain_label,
    title_html,
)
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, fence_at, trimmed

DEEPEST = 8
"""Levels of nested blocks. The content of deeper ones is shown without the block."""


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
        kind = block.kind if depth < DEEPEST or block.kind == "written" else "plain"
        inner = [(label, self._inner(body, depth)) for label, body in block.panels]
        body = block.body if kind == "written" else self._inner(block.body, depth)
        match kind:
            case "callout":
                written = _callout(block, body, number)
            case "fold" | "open-fold":
                written = _fold(block, body, number, is_open=kind == "open-fold")
            case "tabs" | "code-tabs" if inner:
                written = self._tabs(inner, number)
            case "steps" if inner:
                written = self._container("steps", _numbered(inner, number), number)
            case "cards" | "file-tree" | "steps":
                written = self._container(kind, body, number)
            case "card" | "field":
                title = [SourceLine(block.title, number), SourceLine("", number)] if block.title else []
                written = self._container(kind, [*title, *body], number)
            case "figure":
                written = _figure(block, body, number)
            case _:
                written = [*body, *(line for _, panel in inner for line in panel)]
        pad = " " * block.indent
        end = written[-1].number if written else number
        shifted = [line._replace(text=f"{pad}{line.text}" if line.text else "") for line in written]
        return [SourceLine("", number), *shifted, SourceLine("", end)]

    def _inner(self, lines: list[SourceLine], depth: int) -> list[SourceLine]:
        if depth < DEEPEST:
            return self.write(trimmed(lines), depth + 1)
        return [line for line in lines if BLOCK_OPEN not in line.text and BLOCK_CLOSE not in line.text]

    def _container(self, kind: str, body: list[SourceLine], number: int) -> list[SourceLine]:
        if self._for_export or not body:
            return body
        end = body[-1].number
        return [
            SourceLine(f"<!-- ::start:{kind} -->", number),
            SourceLine("", number),
            *body,
            SourceLine("", end),
            SourceLine(f"<!-- ::end:{kind} -->", end),
        ]

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
    own_id = f' id="{escape(block.id)}"' if block.id else ""
    opening = f"<details{own_id}{' open' if is_open else ''}><summary>{title_html(block.title or 'Details')}</summary>"
    return [
        SourceLine(opening, number),
        SourceLine("", number),
        *body,
        SourceLine("", end),
        SourceLine("</details>", end),
    ]


def _figure(block: Block, body: list[SourceLine], number: int) -> list[SourceLine]:
    """The caption is a paragraph of its own, so that it can have Markdown."""
    end = body[-1].number if body else number
    if not block.title:
        return body
    rows = ["<figcaption>", "", block.title, "", "</figcaption>", "</figure>"]
    opening = [SourceLine("<figure>", number), SourceLine("", number)]
    return [*opening, *body, SourceLine("", end), *(SourceLine(row, end) for row in rows)]


def _numbered(steps: Sequence[tuple[str, list[SourceLine]]], number: int) -> list[SourceLine]:
    written: list[SourceLine] = []
    for position, (title, body) in enumerate(steps, 1):
        mark = f"{position}. "
        first = body[0].number if body else number
        rows = [SourceLine(f"**{title}**", first), SourceLine("", first), *body] if title else body
        pad = " " * len(mark)
        written += [
            row._replace(text=f"{pad if at or not row.text else mark}{row.text}" if row.text else "")
            for at, row in enumerate(rows)
        ]
        written.append(SourceLine("", rows[-1].number if rows else number))
    return written

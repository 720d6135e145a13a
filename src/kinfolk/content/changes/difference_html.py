"""The difference of a page as HTML: the new version as the site renders it, with what was removed and added marked.

    rendered = render_difference(page_difference(old, new), render_part=…, old_links=…, new_links=…)
    html = rendered.html(highlighted_code(rendered.code_blocks, highlighter, recorder).get)

Each part is rendered and sanitized alone, as a page is. No part can open an element that another one closes, so nothing
that is unchanged hides a change, and unchanged blocks between changes are folded. Each of several changes begins with a
link to the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Literal

from kinfolk.content.changes.html_words import cleaned_chunks, html_items
from kinfolk.content.changes.marked_changes import CodeDifference, DifferencePiece, marked, marked_block
from kinfolk.content.changes.page_blocks import PageBlock, joined_markdown
from kinfolk.content.changes.page_difference import BlockDifference, DifferencePart, PageDifference
from kinfolk.content.changes.part_rendering import PartRenderer
from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.content.markdown.links.link_resolver import LinkResolver
from kinfolk.content.markdown.markdown_page import CodeBlock, HighlightCode, MarkdownPage, code_html
from kinfolk.content.markdown.source.compose import ComposedMarkdown
from kinfolk.runtime.budget import OverBudget, check_size

LONGEST_PLAIN = 200_000
"""Characters of a version that is shown as plain text."""
LEAST_FOLDED = 2
"""Unchanged blocks that are folded. A single one takes as much room as the words that stand for it."""
MOST_MARKS = 5_000
"""Changes within blocks of a page. Further blocks are shown as removed and added."""


@dataclass(frozen=True, slots=True)
class ChangeStart:
    """Stands before a place with changes: there is a link to the next one, if there are several."""


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """The numbers of blocks that readers see as changed, added and removed."""

    changed: int = 0
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class RenderedDifference:
    """The HTML of a difference. Its code blocks may be highlighted later."""

    pieces: tuple[DifferencePiece | ChangeStart, ...]
    counts: BlockCounts = BlockCounts()

    @property
    def code_blocks(self) -> tuple[CodeBlock, ...]:
        """All code, as it is highlighted on the page of each version."""
        blocks: dict[CodeBlock, None] = {}
        for piece in self.pieces:
            if isinstance(piece, CodeBlock):
                blocks[piece] = None
            elif isinstance(piece, CodeDifference):
                blocks |= dict.fromkeys(block for block in (piece.old, piece.new) if block is not None)
        return tuple(blocks)

    def html(self, highlight: HighlightCode | None = None) -> str:
        """The sanitized HTML. Each code block is highlighted, or plain while it is pending."""
        total = sum(isinstance(piece, ChangeStart) for piece in self.pieces)
        number = 0
        texts = []
        for piece in self.pieces:
            match piece:
                case str():
                    texts.append(piece)
                case ChangeStart():
                    number += 1
                    texts.append(_step(number, total))
                case CodeBlock():
                    texts.append(code_html(piece, highlight))
                case CodeDifference():
                    texts.append(piece.html(highlight))
        return "".join(texts)


def render_difference(
    difference: PageDifference,
    *,
    render_part: PartRenderer,
    old_links: LinkResolver,
    new_links: LinkResolver,
    page_address: str = "",
) -> RenderedDifference:
    """The difference as HTML. `page_address` is that of the new version, to which links within the page lead.

    A difference that exceeds a limit of pages is shown as plain text. Raises what else `render_part` raises.
    """
    if difference.is_whole:
        return plain_difference(difference)
    writer = _DifferenceWriter(
        difference, render_part=render_part, old_links=old_links, new_links=new_links, page_address=page_address
    )
    try:
        pieces = writer.pieces()
    except OverBudget:
        return plain_difference(difference)
    return RenderedDifference((*_title(difference), *pieces), writer.counts)


def plain_difference(difference: PageDifference) -> RenderedDifference:
    """The old version as removed and the new one as added, both as plain text. Takes linear time."""
    old, new = (page.text if page else "" for page in (difference.old, difference.new))
    if old == new:
        return RenderedDifference((*_title(difference), _plain_text(new)))
    removed = _block("del", [_plain_text(old)]) if old else []
    added = _block("ins", [_plain_text(new)]) if new else []
    counts = BlockCounts(added=int(bool(new)), removed=int(bool(old)))
    return RenderedDifference((*_title(difference), *removed, *added), counts)


def _step(number: int, total: int) -> str:
    """A link to the next change. The last one leads to the first; a single change has none."""
    if total < 2:  # noqa: PLR2004
        return ""
    to, name = (number + 1, "next") if number < total else (1, "first")
    return (
        f'<p class="difference-step"><a id="change-{number}" href="#change-{to}">Change {number} of {total}'
        f'<span class="sr-only">, go to the {name} change</span></a></p>\n'
    )


def _title(difference: PageDifference) -> Iterator[str]:
    if difference.title_parts:
        yield f'<p class="difference-title"><span>Title: </span>{_marked_text(difference.title_parts)}</p>\n'


def _marked_text(parts: Sequence[DifferencePart]) -> str:
    return "".join(
        escape(part.text)
        if part.kind == "same"
        else marked("ins" if part.kind == "added" else "del", escape(part.text))
        for part in parts
    )


def _plain_text(text: str) -> str:
    text = text.strip("\n")
    rest = "<p>The rest of the text is not shown.</p>\n" if len(text) > LONGEST_PLAIN else ""
    return f'<pre class="plain-text" tabindex="0">{escape(text[:LONGEST_PLAIN], quote=False)}</pre>\n{rest}'


def _block(name: str, pieces: Sequence[DifferencePiece]) -> list[DifferencePiece]:
    """Blocks as added or removed."""
    kind = "added" if name == "ins" else "removed"
    return [
        f'<{name} class="difference-{kind}"><p class="sr-only">{kind.title()}:</p>\n',
        *pieces,
        f'<p class="sr-only">End of {kind} text.</p></{name}>\n',
    ]


class _DifferenceWriter:
    def __init__(
        self,
        difference: PageDifference,
        *,
        render_part: PartRenderer,
        old_links: LinkResolver,
        new_links: LinkResolver,
        page_address: str,
    ) -> None:
        self._blocks = difference.blocks
        self._old, self._new = difference.old, difference.new
        self._render_part = render_part
        self._old_links, self._new_links = old_links, new_links
        self._page_address = escape(page_address)
        self._parts = 0
        self._marks = 0
        self._size = 0
        self._kinds: Counter[Literal["changed", "added", "removed"]] = Counter()

    @property
    def counts(self) -> BlockCounts:
        return BlockCounts(self._kinds["changed"], self._kinds["added"], self._kinds["removed"])

    def pieces(self) -> list[DifferencePiece | ChangeStart]:
        pieces: list[DifferencePiece | ChangeStart] = []
        places = [
            (is_same, list(blocks)) for is_same, blocks in groupby(self._blocks, key=lambda block: block.kind == "same")
        ]
        for number, (is_same, blocks) in enumerate(places):
            if is_same:
                same = [block.new for block in blocks if block.new]
                pieces += self._same(same, number > 0, number < len(places) - 1)
                continue
            before = self._kinds.total()
            changes = self._changes(blocks)
            # Blocks may differ in their Markdown alone.
            pieces += (*((ChangeStart(),) if self._kinds.total() > before else ()), *changes)
        return pieces

    def _changes(self, blocks: Sequence[BlockDifference]) -> list[DifferencePiece]:
        """Blocks of one place that are not the same."""
        pieces: list[DifferencePiece] = []
        for kind, run in groupby(blocks, key=lambda block: block.kind):
            if kind == "removed":
                pieces += self._removed([block.old for block in run if block.old])
            elif kind == "added":
                pieces += self._added([block.new for block in run if block.new])
            else:
                for block in run:
                    pieces += self._changed(block)
        return pieces

    def _same(self, blocks: Sequence[PageBlock], follows: bool, precedes: bool) -> Iterator[DifferencePiece]:
        """Unchanged blocks: those beside a change, and the heading of the section of the next one, are not folded."""
        shown = {0} if follows else set()
        if precedes:
            headings = [
                at for at, block in enumerate(blocks) if block.element[:1] == "h" and block.element[1:].isdecimal()
            ]
            shown |= {len(blocks) - 1, *headings[-1:]}
        if not follows and not precedes:
            shown = set(range(len(blocks)))
        runs = [list(places) for _, places in groupby(range(len(blocks)), key=shown.__contains__)]
        for places in runs:
            html = self._rendered([blocks[at] for at in places], self._new, self._new_links)
            if places[0] in shown or len(places) < LEAST_FOLDED:
                yield from ('<div class="difference-same">\n', *html, "</div>\n")
            else:
                summary = f"<summary>{len(places)} unchanged blocks</summary>"
                yield from (f'<details class="difference-same">{summary}\n', *html, "</details>\n")

    def _removed(self, blocks: Sequence[PageBlock]) -> list[DifferencePiece]:
        self._kinds["removed"] += len(blocks)
        return _block("del", self._rendered(blocks, self._old, self._old_links))

    def _added(self, blocks: Sequence[PageBlock]) -> list[DifferencePiece]:
        self._kinds["added"] += len(blocks)
        return _block("ins", self._rendered(blocks, self._new, self._new_links))

    def _changed(self, block: BlockDifference) -> list[DifferencePiece]:
        if block.old is None or block.new is None:
            return []
        # Both with the links of the new version: a link to the same page is no difference.
        old, new = (
            self._page([block.old], self._old, self._new_links),
            self._page([block.new], self._new, self._new_links),
        )
        marked_new = None
        if self._marks < MOST_MARKS:
            marked_new = marked_block(*(html_items(self._chunks(page), page.code_blocks) for page in (old, new)))
        if marked_new is None:
            return [*self._removed([block.old]), *self._added([block.new])]
        if not marked_new.changes:
            return ['<div class="difference-same">\n', *marked_new.pieces, "</div>\n"]
        self._marks += marked_new.changes
        self._kinds["changed"] += 1
        return ['<div class="difference-changed">\n', *marked_new.pieces, "</div>\n"]

    def _rendered(
        self, blocks: Sequence[PageBlock], version: ComposedMarkdown | None, links: LinkResolver
    ) -> list[DifferencePiece]:
        page = self._page(blocks, version, links)
        first, *rest = self._chunks(page)
        pieces: list[DifferencePiece] = [first]
        for code_block, chunk in zip(page.code_blocks, rest, strict=True):
            pieces += (code_block, chunk)
        return pieces

    def _page(self, blocks: Sequence[PageBlock], version: ComposedMarkdown | None, links: LinkResolver) -> MarkdownPage:
        """These blocks as a page. Raises OverBudget if all parts together are too large."""
        part = ComposedMarkdown(joined_markdown(blocks), FrontMatter(), dialect=version.dialect if version else None)
        page = self._render_part(part, links)
        self._size += sum(map(len, page.chunks))
        check_size("markdown", self._size)
        return page

    def _chunks(self, page: MarkdownPage) -> tuple[str, ...]:
        self._parts += 1
        return cleaned_chunks(page, f"part-{self._parts}-", self._page_address)

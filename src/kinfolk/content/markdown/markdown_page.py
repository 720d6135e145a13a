"""A rendered Markdown page: its HTML, headings, links and code blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from sys import getsizeof
from types import MappingProxyType

from kinfolk.content.markdown.code.marked_words import with_marked_words
from kinfolk.content.markdown.code.name_links import NameLink, with_name_links
from kinfolk.content.markdown.code.wrapped_spans import Span
from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.runtime.budget import Limit


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page. `framework` is the key of the framework panel that contains it, if any.

    The outline shows it if `outlined`; search knows all headings.
    """

    id: str
    text: str
    level: int
    framework: str | None = None
    outlined: bool = True


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A code block, with the 0-based lines that its author marked.

    `highlighted` includes `focused`, `errors` and `warnings`. `words` are marked parts of the code. `line` is that of
    the first line of code in the page's file, from 1; 0 where that is not known.
    """

    language: str
    code: str
    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    highlighted: tuple[int, ...] = ()
    focused: tuple[int, ...] = ()
    errors: tuple[int, ...] = ()
    warnings: tuple[int, ...] = ()
    words: tuple[Span, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def line_classes(self) -> dict[int, str]:
        """The classes of the marked lines."""
        return {
            **dict.fromkeys(self.highlighted, "mark"),
            **dict.fromkeys(self.focused, "mark focus"),
            **dict.fromkeys(self.warnings, "mark warning"),
            **dict.fromkeys(self.errors, "mark error"),
            **dict.fromkeys(self.removed, "del"),
            **dict.fromkeys(self.added, "add"),
        }


@dataclass(frozen=True, slots=True)
class MarkdownLink:
    """A link as written and as resolved. `broken` is true if no page of the site has that address."""

    written: str
    href: str
    line: int
    broken: bool = False


@dataclass(frozen=True, slots=True)
class PageProblem:
    """A part of a page that its dialect cannot show, at a line of its file. A warning is nothing that readers miss."""

    line: int
    message: str
    is_warning: bool = False


NO_NAMES: Mapping[int, Sequence[NameLink]] = MappingProxyType({})
HighlightCode = Callable[[CodeBlock], str | None]
"""A code block -> the HTML inside its `<code>`, or None while it is pending."""


@dataclass(frozen=True)
class MarkdownPage:
    """A rendered page. Its HTML is stored as chunks around the code blocks, which may be highlighted later."""

    title: str | None
    description: str
    front: FrontMatter
    headings: tuple[Heading, ...]
    links: tuple[MarkdownLink, ...]
    code_blocks: tuple[CodeBlock, ...]
    chunks: tuple[str, ...]
    text: str = field(repr=False)
    """The composed Markdown without front matter."""
    anchors: frozenset[str] = frozenset()
    """Every id that a link can refer to: headings, their aliases, and ids that the author wrote."""
    ref_path: str | None = None
    """The file that the text comes from, if it is not the page's own file."""
    is_api_reference: bool = False
    """Whether the page has the layout of an API reference."""
    problems: tuple[PageProblem, ...] = ()
    """Parts of the page that are not shown as their author wrote them."""
    limit: Limit | None = None
    """The limit that the page exceeds; then the page is shown as plain text."""

    @property
    def weight(self) -> int:
        """Approximate memory of the page, in bytes."""
        parts = len(self.headings) + len(self.links) + len(self.code_blocks) + len(self.anchors)
        texts = chain(
            (self.text, self.description),
            self.chunks,
            self.anchors,
            (code_block.code for code_block in self.code_blocks),
            (text for heading in self.headings for text in (heading.id, heading.text)),
            (text for link in self.links for text in (link.written, link.href)),
        )
        return 2_000 + 150 * parts + sum(map(getsizeof, texts))

    def html(self, highlight: HighlightCode | None = None, names: Mapping[int, Sequence[NameLink]] = NO_NAMES) -> str:
        """The sanitized body. Each code block is highlighted, or plain while it is pending.

        `names` has the links of the blocks whose names are known, by their number on the page. These have the number as
        an attribute, with which the browser requests what is known about the names.
        """
        parts = [self.chunks[0]]
        for number, (code_block, chunk) in enumerate(zip(self.code_blocks, self.chunks[1:], strict=True)):
            code = code_html(code_block, highlight)
            if code_block.words:
                code = with_marked_words(code, code_block.words)
            if number in names:
                # What precedes the code is the opening tag of its element.
                parts[-1] = f'{parts[-1].removesuffix(">")} data-names="{number}">'
                code = with_name_links(code, names[number])
            parts += (code, chunk)
        return "".join(parts)


def code_html(block: CodeBlock, highlight: HighlightCode | None) -> str:
    """The HTML inside the `<code>`, with one line for each of the code. It is plain while the block is pending."""
    highlighted = highlight(block) if highlight else None
    return highlighted if highlighted is not None else _plain(block)


def _plain(block: CodeBlock) -> str:
    """The code without colors. Marked lines look as in highlighted code."""
    text = escape(block.code, quote=False)
    classes = block.line_classes
    if not classes:
        return text
    return "\n".join(
        f'<span class="line {classes[number]}">{line}</span>' if number in classes else line
        for number, line in enumerate(text.split("\n"))
    )

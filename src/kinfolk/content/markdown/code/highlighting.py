"""The body of a page, with its code blocks highlighted as far as the highlighter has finished."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from kinfolk.content.dependencies import DependencyRecorder, PendingHighlight
from kinfolk.content.markdown.code.name_links import NameLink
from kinfolk.content.markdown.markdown_page import NO_NAMES, CodeBlock, MarkdownPage


class CodeHighlighter(Protocol):
    """Provides highlighted code. Does not block."""

    def get_or_enqueue(self, snippet: CodeBlock) -> str | None:
        """The HTML inside the `<code>`. None while it is pending; then the snippet is queued."""

    def watch(self, snippets: Sequence[CodeBlock]) -> PendingHighlight:
        """A dependency that becomes stale when all of these pending snippets are highlighted."""


def highlighted_body(
    page: MarkdownPage,
    highlighter: CodeHighlighter | None,
    recorder: DependencyRecorder,
    names: Mapping[int, Sequence[NameLink]] = NO_NAMES,
) -> str:
    """The body. Pending code stays plain and becomes a dependency. `names` as `MarkdownPage.html` takes them."""
    if not page.code_blocks:
        return page.html()
    return page.html(highlighted_code(page.code_blocks, highlighter, recorder).get, names)


def highlighted_code(
    blocks: Iterable[CodeBlock], highlighter: CodeHighlighter | None, recorder: DependencyRecorder
) -> dict[CodeBlock, str]:
    """The HTML of the code blocks that are highlighted by now. The others become a dependency."""
    if highlighter is None:
        return {}
    known = {block: highlighter.get_or_enqueue(block) for block in blocks}
    pending = [block for block, html in known.items() if html is None]
    if pending:
        recorder.record(highlighter.watch(pending))
    return {block: html for block, html in known.items() if html is not None}

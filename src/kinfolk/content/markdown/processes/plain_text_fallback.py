"""Runs Markdown jobs, and falls back to plain text for a text that exceeds a limit.

The renderer caches which texts exceed a limit, so that each is tried once until it changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from html import escape
from typing import Literal, TypeVar

import structlog

from kinfolk.content.markdown.export import ExportedMarkdown, description_of
from kinfolk.content.markdown.front_matter import FrontMatter, parse_front_matter, split_front_matter
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import (
    InProcessJobs,
    MarkdownFile,
    MarkdownJobs,
    PageSummary,
    ResolverFactory,
)
from kinfolk.runtime.budget import BUDGETS, Limit, OverBudget
from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.runtime.errors import NotFound
from kinfolk.runtime.metrics import count_refusal

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LONGEST_PLAIN = 200_000
"""Characters shown of a plain-text page. The longest real page has 50,000."""
TOO_COMPLEX = "This page is too complex to format, so it is shown as plain text. "
ADVICE = "If you maintain it, split it into smaller pages."
_CACHED_TEXTS = 1_000
"""Number of texts over a limit that are cached, so that they are not tried again."""
_DESCRIBED = 2_000
"""Characters at the beginning of a text over a limit that its description is made of."""
_T = TypeVar("_T")
_JobName = Literal["page", "export", "summary"]


@dataclass(frozen=True)
class _ExceededLimit:
    """The limit that a text exceeded, and digests of the other files that it was composed of."""

    limit: Limit
    reads: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class _FallbackText:
    """A text as written: the page's own, or that of the last file in its chain of references."""

    front: FrontMatter
    body: str
    ref_path: str | None

    @property
    def description(self) -> str:
        return self.front.description or description_of(self.body[:_DESCRIBED], self.front.title)

    @property
    def truncated_body(self) -> str:
        return self.body.lstrip("\n")[:LONGEST_PLAIN]


class MarkdownRenderer:
    """Runs Markdown jobs, by default in the calling thread and without limits of time and memory."""

    def __init__(self, jobs: MarkdownJobs | None = None) -> None:
        self._jobs: MarkdownJobs = jobs or InProcessJobs()
        self._exceeded: ThreadSafeLRUCache[tuple[_JobName, bytes], _ExceededLimit] = ThreadSafeLRUCache(_CACHED_TEXTS)

    def page(
        self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
    ) -> MarkdownPage:
        """The page. Its `limit` is set if it is shown as plain text. Raises NotFound and Unavailable."""
        return self._run(
            "page", source, lambda tracked: self._jobs.page(tracked, links=links, framework=framework), _fallback_page
        )

    def export(self, source: MarkdownFile, *, framework: str | None = None) -> ExportedMarkdown:
        """The page as standalone Markdown. Raises NotFound and Unavailable."""
        return self._run(
            "export", source, lambda tracked: self._jobs.export(tracked, framework=framework), _fallback_export
        )

    def anchors(self, source: MarkdownFile) -> frozenset[str]:
        """The ids in the page that a link can refer to. Raises NotFound and Unavailable."""
        return self._run("page", source, self._jobs.anchors, lambda _text, _limit: frozenset())

    def summary(self, source: MarkdownFile) -> PageSummary:
        """The title and description. Raises NotFound and Unavailable."""
        return self._run(
            "summary", source, self._jobs.summary, lambda text, _limit: PageSummary(text.front.title, text.description)
        )

    def _run(
        self,
        work: _JobName,
        source: MarkdownFile,
        job: Callable[[MarkdownFile], _T],
        fallback: Callable[[_FallbackText, Limit], _T],
    ) -> _T:
        reads: list[tuple[str, str]] = []

        def read_target(path: str) -> str:
            text = source.read_target(path)
            reads.append((path, text))
            return text

        tracked = replace(source, read_target=read_target)
        limit = self._known_limit(work, tracked)
        if limit is None:
            reads.clear()
            try:
                check_length(source.text)
                return job(tracked)
            except OverBudget as exceeded:
                limit = exceeded.limit
                log.warning("page shown as plain text", file=source.name, limit=limit, reason=exceeded.message)
                count_refusal("markdown", limit)
                exceeded_limit = _ExceededLimit(limit, tuple((path, _digest(text)) for path, text in reads))
                self._exceeded.put((work, _key(source)), exceeded_limit)
        return fallback(_fallback_text(source.text, reads), limit)

    def _known_limit(self, work: _JobName, source: MarkdownFile) -> Limit | None:
        known = self._exceeded.get((work, _key(source))) if len(self._exceeded) else None
        if known is None:
            return None
        try:
            same = all(_digest(source.read_target(path)) == digest for path, digest in known.reads)
        except NotFound:
            return None
        return known.limit if same else None


def check_length(text: str) -> None:
    """Raises OverBudget for a text that is too long to be sent to a Markdown process."""
    if len(text) > BUDGETS["markdown"].input_bytes:
        raise OverBudget("markdown", "size", "its text is longer than the site formats")


def _key(source: MarkdownFile) -> bytes:
    """Identifies a text in its place: another dialect or folder makes another page of it."""
    return _digest(f"{source.place}\0{source.text}" if source.place else source.text)


def _digest(text: str) -> bytes:
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _fallback_text(own: str, reads: list[tuple[str, str]]) -> _FallbackText:
    front, body = _split(own)
    if not reads:
        return _FallbackText(front, body, None)
    path, text = reads[-1]
    further, body = _split(text)
    front = replace(front, title=front.title or further.title, description=front.description or further.description)
    return _FallbackText(front, body, path)


def _split(text: str) -> tuple[FrontMatter, str]:
    # A longer text is truncated anyway, so only this prefix is searched for the end of the front matter.
    beginning = text[: BUDGETS["markdown"].input_bytes].removeprefix("\ufeff").replace("\r\n", "\n")
    block, body = split_front_matter(beginning.replace("\r", "\n").replace("\0", "\ufffd"))
    return parse_front_matter(block), body


def _fallback_page(text: _FallbackText, limit: Limit) -> MarkdownPage:
    length = f" Only its first {LONGEST_PLAIN:,} characters are shown." if len(text.body) > LONGEST_PLAIN else ""
    html = (
        '<div class="callout" data-callout="warning" role="note" aria-label="Warning">\n'
        f'<p class="callout-title">Warning</p>\n<p>{TOO_COMPLEX}{ADVICE}{length}</p>\n</div>\n'
        '<figure class="code wrapped" data-lang="text"><pre tabindex="0"><code class="language-text">'
        f"{escape(text.truncated_body, quote=False)}</code></pre></figure>\n"
    )
    return MarkdownPage(
        title=text.front.title,
        description=text.description,
        front=text.front,
        headings=(),
        links=(),
        code_blocks=(),
        chunks=(html,),
        text=text.truncated_body,
        ref_path=text.ref_path,
        limit=limit,
    )


def _fallback_export(text: _FallbackText, _limit: Limit) -> ExportedMarkdown:
    return ExportedMarkdown(text.front.title, text.description, (text.truncated_body,), (), text.ref_path)

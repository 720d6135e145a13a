"""Markdown jobs that always have a result: a text that costs too much is shown as plain text.

That a text costs too much is remembered until it changes, so that it is tried once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from html import escape
from typing import Literal, TypeVar

import structlog

from kinfolk.budget import BUDGETS, Limit, OverBudget
from kinfolk.cache import SharedRecent
from kinfolk.errors import NotFound
from kinfolk.markdown.front import parse_front, split_front
from kinfolk.markdown.jobs import About, Jobs, JobsHere, LinksOf, Source
from kinfolk.markdown.page import FrontMatter, Page
from kinfolk.markdown.plain import Wording
from kinfolk.metrics import refused

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LONGEST_PLAIN = 200_000
"""Characters of a text that is shown as it is. The longest real page has 50,000."""
TOO_COMPLEX = "This page is too complex to format, so it is shown as plain text. "
ADVICE = "If you maintain it, split it into smaller pages."
_REMEMBERED = 1_000
"""Texts that are not tried again."""
_DESCRIPTION = 200
_T = TypeVar("_T")
_Work = Literal["page", "wording", "about"]


@dataclass(frozen=True)
class _Refusal:
    """Which limit a text exceeded, and digests of the other texts that it was composed of."""

    limit: Limit
    reads: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class _PlainText:
    """A text as its author wrote it: the page's own, or that of the last file it refers to."""

    front: FrontMatter
    body: str
    ref_path: str | None

    @property
    def description(self) -> str:
        words = " ".join(self.body[: _DESCRIPTION * 3].split())[:_DESCRIPTION]
        return self.front.description or words

    @property
    def shown(self) -> str:
        return self.body.lstrip("\n")[:LONGEST_PLAIN]


class MarkdownRenderer:
    """Does Markdown jobs. By default in the calling thread and without limits of time and memory."""

    def __init__(self, jobs: Jobs | None = None) -> None:
        self._jobs: Jobs = jobs or JobsHere()
        self._refused: SharedRecent[tuple[_Work, bytes], _Refusal] = SharedRecent(_REMEMBERED)

    def page(self, source: Source, *, links: LinksOf | None = None, framework: str | None = None) -> Page:
        """The page. Its `limit` says so where it is plain text. Raises NotFound and Unavailable."""
        return self._do(
            "page", source, lambda tracked: self._jobs.page(tracked, links=links, framework=framework), _plain_page
        )

    def wording(self, source: Source, *, framework: str | None = None) -> Wording:
        """The page as Markdown that stands alone. Raises NotFound and Unavailable."""
        return self._do(
            "wording", source, lambda tracked: self._jobs.wording(tracked, framework=framework), _plain_wording
        )

    def anchors(self, source: Source) -> frozenset[str]:
        """The ids in the page that a link may name. Raises NotFound and Unavailable."""
        return self._do("page", source, self._jobs.anchors, lambda _text, _limit: frozenset())

    def about(self, source: Source) -> About:
        """The title and description. Raises NotFound and Unavailable."""
        return self._do(
            "about", source, self._jobs.about, lambda text, _limit: About(text.front.title, text.description)
        )

    def _do(
        self,
        work: _Work,
        source: Source,
        do: Callable[[Source], _T],
        instead: Callable[[_PlainText, Limit], _T],
    ) -> _T:
        reads: list[tuple[str, str]] = []

        def read_target(path: str) -> str:
            text = source.read_target(path)
            reads.append((path, text))
            return text

        tracked = Source(source.name, source.text, read_target)
        limit = self._known_limit(work, tracked)
        if limit is None:
            reads.clear()
            try:
                check_length(source.text)
                return do(tracked)
            except OverBudget as exceeded:
                limit = exceeded.limit
                log.warning("page shown as plain text", file=source.name, limit=limit, reason=exceeded.message)
                refused("markdown", limit)
                refusal = _Refusal(limit, tuple((path, _digest(text)) for path, text in reads))
                self._refused.put((work, _digest(source.text)), refusal)
        return instead(_plain_text(source.text, reads), limit)

    def _known_limit(self, work: _Work, source: Source) -> Limit | None:
        known = self._refused.get((work, _digest(source.text))) if len(self._refused) else None
        if known is None:
            return None
        try:
            same = all(_digest(source.read_target(path)) == digest for path, digest in known.reads)
        except NotFound:
            return None
        return known.limit if same else None


def check_length(text: str) -> None:
    """Raises OverBudget for a text that is not even sent to the process that would compose it."""
    if len(text) > BUDGETS["markdown"].input_bytes:
        raise OverBudget("markdown", "size", "its text is longer than the site formats")


def _digest(text: str) -> bytes:
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _plain_text(own: str, reads: list[tuple[str, str]]) -> _PlainText:
    front, body = _split(own)
    if not reads:
        return _PlainText(front, body, None)
    path, text = reads[-1]
    further, body = _split(text)
    front = replace(front, title=front.title or further.title, description=front.description or further.description)
    return _PlainText(front, body, path)


def _split(text: str) -> tuple[FrontMatter, str]:
    # No page is shown whole that is longer, so no more of it has to be searched for the end of its front matter.
    beginning = text[: BUDGETS["markdown"].input_bytes].removeprefix("\ufeff").replace("\r\n", "\n")
    block, body = split_front(beginning.replace("\r", "\n").replace("\0", "\ufffd"))
    return parse_front(block), body


def _plain_page(text: _PlainText, limit: Limit) -> Page:
    length = f" Only its first {LONGEST_PLAIN:,} characters are shown." if len(text.body) > LONGEST_PLAIN else ""
    html = (
        '<div class="callout" data-callout="warning" role="note" aria-label="Warning">\n'
        f'<p class="callout-title">Warning</p>\n<p>{TOO_COMPLEX}{ADVICE}{length}</p>\n</div>\n'
        '<figure class="code wrapped" data-lang="text"><pre tabindex="0"><code class="language-text">'
        f"{escape(text.shown, quote=False)}</code></pre></figure>\n"
    )
    return Page(
        title=text.front.title,
        description=text.description,
        front=text.front,
        headings=(),
        links=(),
        snippets=(),
        chunks=(html,),
        text=text.shown,
        ref_path=text.ref_path,
        limit=limit,
    )


def _plain_wording(text: _PlainText, _limit: Limit) -> Wording:
    return Wording(text.front.title, text.description, (text.shown,), (), text.ref_path)

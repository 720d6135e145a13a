"""Renders an address to a page: the bundle reports pending queries, Python runs them, until there is HTML.

    renderer = V8Renderer(pool)
    rendered = await renderer.render("/query/latest/docs/overview", run_query)

Rendering is a pure function of the address and the query results, so another engine can implement PageRenderer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

import structlog

from kinfolk.api.registry import FunctionResult, PictureHtml
from kinfolk.config.base_path import BasePath
from kinfolk.rendering.content_security_policy import inline_scripts, inline_styles
from kinfolk.rendering.isolates.isolate import IsolateFailed, RenderRound
from kinfolk.rendering.isolates.isolate_pool import IsolatePool
from kinfolk.rendering.isolates.round_input import RoundInput, SharedAnswer
from kinfolk.rendering.placeholders import MarkupPlaceholders
from kinfolk.rendering.render_outcome import (
    PendingQuery,
    QueriesPending,
    Redirected,
    RenderedHtml,
    RenderedPicture,
    RenderError,
    redirect_target,
)
from kinfolk.rendering.shared_results import shared_file, shared_href
from kinfolk.rendering.styles.page_rules import PageRules
from kinfolk.rendering.styles.stylesheets import Stylesheets
from kinfolk.runtime.cache import DOCS, PRIVATE, Lifetime, LRUCache
from kinfolk.runtime.errors import SiteError, Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MAX_ROUNDS = 8
"""Without prefetch hints a docs page takes three rounds: the shell, the queries of the route, the page."""
MAX_SHARED_ANSWERS = 64
"""Serialized shared answers: the shell, and the navigation of each version of each library."""

ANSWERS = '<script type="application/json" id="Site-answers">'
"""The element of a page for the answers that it was rendered from."""
NEEDS_APP = (' data-needs-app="', ' data-loads-app="', ' data-shows="')
"""Attributes of what the boot script hydrates (`frontend/src/boot/interactions.ts`). Other pages have no answers."""

QueryFunction = Callable[[str, object], Awaitable[FunctionResult]]
"""Runs a function by id with its data; must not raise."""
PrefetchHints = Callable[[str], Iterable[PendingQuery]]
"""The queries that the page at an address will have, as far as the address determines them."""


@dataclass(frozen=True)
class HtmlDocument:
    """A page. `scripts` and `styles` are hashes of those in it, without those inside inserted markup."""

    status: int
    html: str
    tags: frozenset[str]
    lifetime: Lifetime
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()


@dataclass(frozen=True)
class PageRedirect:
    """The page is at another address."""

    status: int
    location: str
    tags: frozenset[str] = frozenset()
    lifetime: Lifetime = PRIVATE


RenderResult = HtmlDocument | PageRedirect


def renderer_manifest(file: Path, base: BasePath) -> str:
    """The manifest of the built frontend for `IsolatePool`, with the base path of the site."""
    text = file.read_text()
    return json.dumps({**json.loads(text), "base": base.path}) if base else text


class PageRenderer(Protocol):
    """Renders pages. Raises only SiteError, with a message for the visitor."""

    async def render(self, url: str, run_query: QueryFunction) -> RenderResult: ...


class _UnusedPrefetch(Exception):
    """The page did not use all prefetched data."""


class V8Renderer:
    """Renders in a pool of isolates. Between two rounds it holds no isolate, so queries may take long.

    Queries of `prefetch_hints` run before the first round, which then is usually the only one. When the page did not
    use all of their data, it is rendered again without them. Answers of functions in `shared` are served as files.
    `rewrite_html` changes each piece of HTML that a page contains. Pages contain the texts of `stylesheets`.
    """

    def __init__(
        self,
        pool: IsolatePool,
        *,
        prefetch_hints: PrefetchHints = lambda _: (),
        shared: Collection[str] = (),
        rewrite_html: Callable[[str], str] = str,
        stylesheets: Stylesheets | None = None,
    ) -> None:
        self._pool = pool
        self._stylesheets = stylesheets or Stylesheets({})
        self._prefetch_hints = prefetch_hints
        self._shared = _SharedAnswers(frozenset(shared))
        self._rewrite_html = rewrite_html

    async def render(self, url: str, run_query: QueryFunction) -> RenderResult:
        hints = tuple(self._prefetch_hints(url))
        with contextlib.suppress(_UnusedPrefetch):
            return await self._render(url, run_query, hints)
        return await self._render(url, run_query, ())

    async def _render(self, url: str, run_query: QueryFunction, hints: tuple[PendingQuery, ...]) -> RenderResult:
        results = _QueryResults(self._shared, self._rewrite_html)
        await results.fetch(hints, run_query)
        moved = next((answer for answer in results.answers.values() if answer.kind == "redirect"), None)
        if moved is not None:
            # The loader of the route would throw this redirect. JavaScript is not needed to learn it.
            return self._redirect(url, moved.status, moved.to, results)
        for _ in range(MAX_ROUNDS):
            round = await self._round(url, results)
            match round.outcome:
                case QueriesPending(queries):
                    if not await results.fetch(queries, run_query):
                        raise _failure(url, "repeats queries that have results")
                case Redirected(unused=True) | RenderedHtml(unused=True) if hints:
                    # Tags, lifetime and files of a page are those of its own queries, and of no others.
                    raise _UnusedPrefetch
                case Redirected(status, location):
                    return self._redirect(url, status, location, results)
                case RenderedHtml(status, html):
                    return self._document(url, status, html, results)
                case RenderError(message, stack):
                    raise _failure(url, message, stack=stack)
                case RenderedPicture():
                    raise _failure(url, "is a picture")
        raise _failure(url, f"still has pending queries after {MAX_ROUNDS} rounds")

    @staticmethod
    def _redirect(url: str, status: int, location: str, results: _QueryResults) -> PageRedirect:
        try:
            target = redirect_target(location)
        except ValueError as invalid:
            raise _failure(url, str(invalid)) from invalid
        cached = shortest(answer.cache for answer in results.answers.values())
        return PageRedirect(status, target, _tags(results.answers), cached)

    async def _round(self, url: str, results: _QueryResults) -> RenderRound:
        try:
            round = await self._pool.round(results.request(url))
        except IsolateFailed as failed:
            failure = _failure(url, str(failed))
            raise (Unavailable("This page took too long to render") if failed.too_slow else failure) from failed
        if round.logs:
            log.warning("page wrote to the console", url=url, lines=round.logs[:20])
        return round

    def _document(self, url: str, status: int, html: str, results: _QueryResults) -> HtmlDocument:
        answers, scripts, styles = results.answers, inline_scripts(html), inline_styles(html)
        needs_app = _may_need_app(html)
        html = results.rules.take_attributes(html)
        try:
            # An error page replaces content whose markup was already queried.
            filled = results.placeholders.fill(html, complete=status < HTTPStatus.BAD_REQUEST)
        except ValueError as invalid:
            raise _failure(url, str(invalid)) from invalid
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            # The page takes the status of the query that failed: 503 when a mirror of the docs is missing, for example.
            status = next((answer.status for answer in answers.values() if answer.kind == "error"), status)
        failed = status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if failed:
            log.error("page shows an error", url=url, status=status)
        lifetime = PRIVATE if failed else shortest(answer.cache for answer in answers.values())
        page = results.dehydrate(filled) if needs_app else filled
        page, texts = self._stylesheets.inline(page, results.rules.text)
        return HtmlDocument(status, page, _tags(answers), lifetime, scripts, (*texts, *styles))


class _QueryResults:
    """The query results of one page. Each is serialized once, independent of the number of rounds."""

    def __init__(self, shared: _SharedAnswers, rewrite_html: Callable[[str], str]) -> None:
        self.answers: dict[str, FunctionResult] = {}
        self.placeholders = MarkupPlaceholders()
        self.rules = PageRules()
        self._shared = shared
        self._rewrite_html = rewrite_html
        self._own: dict[str, str] = {}
        self._shared_answers: dict[str, SharedAnswer] = {}

    async def fetch(self, queries: Iterable[PendingQuery], run_query: QueryFunction) -> bool:
        """Run all new queries concurrently. False when none is new."""
        new = [query for query in queries if query.key not in self.answers]
        answers = await asyncio.gather(*(run_query(query.id, query.data) for query in new))
        for query, answer in zip(new, answers, strict=True):
            self.answers[query.key] = answer
            shared = self._shared.serialized(query, answer)
            if shared is None:
                self._own[query.key] = _json(answer.envelope(html=self._add_html))
            else:
                self._shared_answers[query.key] = shared
        return bool(new)

    def _add_html(self, html: str) -> str:
        rewritten = self._rewrite_html(html)
        if isinstance(html, PictureHtml):
            rewritten = self.rules.take_styles(rewritten)
        return self.placeholders.add(rewritten)

    def request(self, url: str) -> RoundInput:
        """The input of the next round."""
        return RoundInput(url, dict(self._own), dict(self._shared_answers))

    def dehydrate(self, page: str) -> str:
        """The page with its own answers, from which the app renders it again in the browser."""
        members = ",".join(f"{json.dumps(key)}:{answer}" for key, answer in self._own.items())
        script = f"{{{members}}}".replace("<", "\\u003c")
        # The last one: content before it may contain anything.
        before, element, after = page.rpartition(ANSWERS)
        return f"{before}{element}{script}{after}" if element else page


class _SharedAnswers:
    """Serializes answers that many pages share, once until they change."""

    def __init__(self, ids: frozenset[str]) -> None:
        self._ids = ids
        self._serialized: LRUCache[str, SharedAnswer] = LRUCache(MAX_SHARED_ANSWERS)

    def serialized(self, query: PendingQuery, answer: FunctionResult) -> SharedAnswer | None:
        """None for an answer that is not shared."""
        if query.id not in self._ids or answer.kind != "ok":
            return None
        cached = self._serialized.get(query.key)
        if cached is None or cached.data != answer.data:
            href = shared_href(shared_file(answer)[0], query.id, query.data)
            cached = SharedAnswer(answer.data, _json(answer.envelope()), href)
            self._serialized.put(query.key, cached)
        return cached


def shortest(lifetimes: Iterable[Lifetime]) -> Lifetime:
    """The cache lifetime of a page: the shortest of its answers, and private if any of them is.

    At most DOCS, because a page names the assets of the current build.
    """
    least = min((DOCS, *lifetimes), key=lambda lifetime: (_max_age_s(lifetime.cdn), _max_age_s(lifetime.browser)))
    return least if least.shared else PRIVATE


def _max_age_s(header: str | None) -> int:
    found = re.search(r"\bmax-age=([0-9]+)", header or "")
    return int(found[1]) if found else -1


def _tags(answers: dict[str, FunctionResult]) -> frozenset[str]:
    return frozenset().union(*(answer.tags for answer in answers.values()))


def _json(envelope: dict[str, object]) -> str:
    return json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))


def _may_need_app(page: str) -> bool:
    return any(mark in page for mark in NEEDS_APP)


def _failure(url: str, reason: str, *, stack: str = "") -> SiteError:
    log.error("page could not be rendered", url=url, reason=reason, stack=stack)
    return SiteError("This page could not be rendered")

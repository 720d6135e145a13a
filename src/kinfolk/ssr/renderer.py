"""From an address to a finished page: the bundle says what it needs, Python answers, until there is HTML.

    renderer = V8Renderer(pool)
    rendered = await renderer.render("/query/latest/docs/overview", ask)

Rendering is a pure function of the address and the answers, so another engine can stand behind Renderer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

import structlog

from kinfolk.cache import DOCS, PRIVATE, Lifetime, Recent
from kinfolk.errors import SiteError, Unavailable
from kinfolk.rpc import Answer
from kinfolk.ssr.bodies import Bodies
from kinfolk.ssr.isolate import RenderFailed, Round
from kinfolk.ssr.outcome import Elsewhere, Finished, Need, Needs, Threw
from kinfolk.ssr.policy import inline_scripts
from kinfolk.ssr.pool import IsolatePool, Lane
from kinfolk.ssr.shared import shared_file, shared_href

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_ROUNDS = 8
"""Without foresight a docs page takes three: the shell, then what the route asks for once it knows the shell."""

MOST_SHARED = 64
"""Shared answers kept as text: the shell, and the navigation of each version of each library."""

Ask = Callable[[str, object], Awaitable[Answer]]
"""Answers a function by id and data; must not raise."""
Foresee = Callable[[str], Iterable[Need]]
"""What the page at an address will ask for, as far as its address tells."""


@dataclass(frozen=True)
class Document:
    """A page. `scripts` are the hashes of the inline scripts that it may run: its own, never those of a body."""

    status: int
    html: str
    tags: frozenset[str]
    lifetime: Lifetime
    scripts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Moved:
    """The page is at another address."""

    status: int
    location: str
    tags: frozenset[str] = frozenset()
    lifetime: Lifetime = PRIVATE


Rendered = Document | Moved


class Renderer(Protocol):
    """Makes pages. Raises SiteError, with a message for the visitor, and nothing else."""

    async def render(self, url: str, ask: Ask, *, lane: Lane = "real") -> Rendered: ...


class _Misjudged(Exception):
    """Some of what was foreseen is not what the page asked for."""


class V8Renderer:
    """Renders in a pool of isolates. Between two rounds no isolate is held, so answers may take their time.

    What `foresee` says an address will need is answered before the first round, which then mostly is the only one; when
    it was wrong, the page is made again without. Answers of functions in `shared` are served as files (see `shared`):
    pages only point into them.
    """

    def __init__(self, pool: IsolatePool, *, foresee: Foresee = lambda _: (), shared: Collection[str] = ()) -> None:
        self._pool = pool
        self._foresee = foresee
        self._shared = Shared(frozenset(shared))

    async def render(self, url: str, ask: Ask, *, lane: Lane = "real") -> Rendered:
        foreseen = tuple(self._foresee(url))
        with contextlib.suppress(_Misjudged):
            return await self._render(url, ask, foreseen, lane)
        return await self._render(url, ask, (), lane)

    async def _render(self, url: str, ask: Ask, foreseen: tuple[Need, ...], lane: Lane) -> Rendered:
        told = _Told(self._shared)
        await told.answer(foreseen, ask)
        for _ in range(MOST_ROUNDS):
            round = await self._round(url, told, lane)
            match round.outcome:
                case Needs(needs):
                    if not await told.answer(needs, ask):
                        raise _failure(url, "asks again for what it was told")
                case Elsewhere(unused=True) | Finished(unused=True) if foreseen:
                    # A page is made of what it asks for and of nothing else: its tags, lifetime and files say so.
                    raise _Misjudged
                case Elsewhere(status, location):
                    cached = shortest(answer.cache for answer in told.answers.values())
                    return Moved(status, location, _tags(told.answers), cached)
                case Finished(status, html):
                    return _document(url, status, html, told.bodies, told.answers)
                case Threw(message, stack):
                    raise _failure(url, message, stack=stack)
        raise _failure(url, f"still has needs after {MOST_ROUNDS} rounds")

    async def _round(self, url: str, told: _Told, lane: Lane) -> Round:
        try:
            round = await self._pool.round(told.request(url), lane)
        except RenderFailed as failed:
            failure = _failure(url, str(failed))
            raise (Unavailable("This page took too long to render") if failed.too_slow else failure) from failed
        if round.logs:
            log.warning("page wrote to the console", url=url, lines=round.logs[:20])
        return round


class _Told:
    """What one page has been told so far. Each answer is written as JSON once, however many rounds follow."""

    def __init__(self, shared: Shared) -> None:
        self.answers: dict[str, Answer] = {}
        self.bodies = Bodies()
        self._shared = shared
        self._fragments: list[str] = []
        self._files: dict[str, str] = {}

    async def answer(self, needs: Iterable[Need], ask: Ask) -> bool:
        """Ask for everything that is new, all at once. False when nothing is."""
        new = [need for need in needs if need.key not in self.answers]
        for need, answer in zip(new, await asyncio.gather(*(ask(n.id, n.data) for n in new)), strict=True):
            self.answers[need.key] = answer
            shared = self._shared.written(need, answer)
            if shared is None:
                self._fragments.append(_fragment(need.key, answer.envelope(html=self.bodies.stand_in)))
            else:
                self._fragments.append(shared.fragment)
                self._files[need.key] = shared.href
        return bool(new)

    def request(self, url: str) -> str:
        """The input of the next round."""
        known = ",".join(self._fragments)
        return f'{{"url":{json.dumps(url)},"shared":{json.dumps(self._files)},"known":{{{known}}}}}'


@dataclass(frozen=True)
class Written:
    """A shared answer as it goes to V8, and the address of its file."""

    data: object
    fragment: str
    href: str


class Shared:
    """Answers that many pages share are written once for all of them, and again when they have changed."""

    def __init__(self, ids: frozenset[str]) -> None:
        self._ids = ids
        self._written: Recent[str, Written] = Recent(MOST_SHARED)

    def written(self, need: Need, answer: Answer) -> Written | None:
        """None for an answer that is the page's own."""
        if need.id not in self._ids or answer.kind != "ok":
            return None
        known = self._written.get(need.key)
        if known is None or known.data != answer.data:
            href = shared_href(shared_file(answer)[0], need.id, need.data)
            known = Written(answer.data, _fragment(need.key, answer.envelope()), href)
            self._written.put(need.key, known)
        return known


def shortest(lifetimes: Iterable[Lifetime]) -> Lifetime:
    """How long something made of several answers may be kept: the least of what each of them allows.

    One private answer makes the whole private. No page outlives DOCS, because it names the assets of this build.
    """
    least = min((DOCS, *lifetimes), key=lambda lifetime: (_seconds(lifetime.cdn), _seconds(lifetime.browser)))
    return least if least.shared else PRIVATE


def _seconds(header: str | None) -> int:
    found = re.search(r"\bmax-age=([0-9]+)", header or "")
    return int(found[1]) if found else -1


def _document(url: str, status: int, html: str, bodies: Bodies, answers: dict[str, Answer]) -> Document:
    try:
        # A page that failed half-way shows its error in place of a body it already had.
        filled = bodies.fill(html, complete=status < HTTPStatus.BAD_REQUEST)
    except ValueError as wrong:
        raise _failure(url, str(wrong)) from wrong
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        # A page fails in the way of the answer that made it fail: 503 when a copy of the docs is missing, say.
        status = next((answer.status for answer in answers.values() if answer.kind == "error"), status)
    failed = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    if failed:
        log.error("page shows an error", url=url, status=status)
    lifetime = PRIVATE if failed else shortest(answer.cache for answer in answers.values())
    return Document(status, filled, _tags(answers), lifetime, inline_scripts(html))


def _tags(answers: dict[str, Answer]) -> frozenset[str]:
    return frozenset().union(*(answer.tags for answer in answers.values()))


def _fragment(key: str, envelope: dict[str, object]) -> str:
    # Written once and joined in every later round. A string of JSON, so that V8 can see at a glance that it has read
    # the same before. Unescaped, because it is escaped as a JavaScript string anyway.
    text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
    return f"{json.dumps(key)}:{json.dumps(text, ensure_ascii=False)}"


def _failure(url: str, reason: str, *, stack: str = "") -> SiteError:
    log.error("page could not be rendered", url=url, reason=reason, stack=stack)
    return SiteError("This page could not be rendered")

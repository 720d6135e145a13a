"""Finished pages, kept until something they were made of changes.

key, url = page_key(path, query)
page = pages.get(key) or await pages.obtain(key, lambda: renderer.render(url, ask))
reply = page.reply(accept_encoding, if_none_match)
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import structlog

from kinfolk.cache import CacheBudget, Recent, Worth
from kinfolk.errors import SiteError
from kinfolk.ssr.address import page_key, rule_for
from kinfolk.ssr.flight import SingleFlight
from kinfolk.ssr.page import Page, finish, improved
from kinfolk.ssr.renderer import Moved, Rendered

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

OFTEN = 3
"""Uses after which a page is worth compressing thoroughly."""


@dataclass(frozen=True)
class Ticket:
    """The moment at which a render began."""

    generation: int


@dataclass
class _Entry:
    page: Page
    uses: int = 0
    thorough: bool = False


class PageCache:
    """The most recently used pages, up to `limit_bytes` of all their encodings together. For one event loop.

    Redirects, pages that are missing and those that have a query get a sixteenth of the room, so that inventing
    addresses cannot push out what exists. `headers` are added to every page; `hosts` may have scripts on each of them,
    readers may send forms to `form_actions`, and our own scripts may ask `asked`.
    """

    def __init__(
        self,
        limit_bytes: int,
        *,
        headers: Iterable[tuple[str, str]] = (),
        hosts: Iterable[str] = (),
        form_actions: Iterable[str] = (),
        asked: Iterable[str] = (),
        caches: CacheBudget | None = None,
    ) -> None:
        budget = caches or CacheBudget(limit_bytes)
        self.misses = 0
        self._headers = tuple(headers)
        self._outside = {"hosts": tuple(hosts), "form_actions": tuple(form_actions), "asked": tuple(asked)}
        self._found: Recent[str, _Entry] = budget.add("pages", Worth.PAGES, Recent(limit_bytes - limit_bytes // 16))
        self._missing: Recent[str, _Entry] = budget.add("missing pages", Worth.MISSING, Recent(limit_bytes // 16))
        self._flights: SingleFlight[str, Page] = SingleFlight()
        self._generation = 0
        self._purged: dict[str, int] = {}
        self._under_way = 0

    def get(self, key: str) -> Page | None:
        """The page, if it is kept."""
        entry = self._found.get(key) or self._missing.get(key)
        if entry is None:
            self.misses += 1
            return None
        entry.uses += 1
        return entry.page

    async def obtain(self, key: str, render: Callable[[], Awaitable[Rendered]]) -> Page:
        """The page that `render` gives, rendered once for all who ask for it meanwhile, and kept if it may be."""

        async def make() -> Page:
            ticket = self.begin()
            self._under_way += 1
            try:
                return await self.put(ticket, key, await render())
            finally:
                self._under_way -= 1
                if not self._under_way:
                    self._purged.clear()  # nobody is left who began before these were purged

        return await self._flights.do(key, make)

    def begin(self) -> Ticket:
        """To be called before the first answer of a render is read."""
        return Ticket(self._generation)

    async def put(self, ticket: Ticket, key: str, rendered: Rendered) -> Page:
        """Finish a page off the event loop, and keep it unless it is private, failed, or became untrue meanwhile."""
        if isinstance(rendered, Moved) and leads_to(rendered.location) == key:
            log.error("page redirects to itself", key=key, location=rendered.location)
            raise SiteError("This page could not be rendered")
        rule = rule_for(key.partition("?")[0])
        page = await asyncio.to_thread(finish, rendered, rule=rule, headers=self._headers, **self._outside)
        if page.shared and page.status < HTTPStatus.INTERNAL_SERVER_ERROR and self._still_true(ticket, page):
            self._keep(key, _Entry(page))
        return page

    def purge(self, tags: Iterable[str]) -> int:
        """Let go of every page made of any of these, and of pages now being made of them. Gives how many were kept."""
        stale = frozenset(tags)
        self._generation += 1
        self._purged |= dict.fromkeys(stale, self._generation)
        self._flights.forget()
        gone = 0
        # Looking through two thousand pages takes two milliseconds, so there is no index to keep right.
        for shelf in (self._found, self._missing):
            for key, entry in shelf.items():
                if not stale.isdisjoint(entry.page.tags):
                    shelf.drop(key)
                    gone += 1
        return gone

    async def improve(self, at_most: int = 4) -> int:
        """In idle time: compress the most used pages thoroughly, one by one in a thread. Gives how many."""
        wanted = [(key, e) for key, e in self._found.items() if e.uses >= OFTEN and not e.thorough and _has_body(e)]
        wanted.sort(key=lambda item: item[1].uses, reverse=True)
        for _, entry in wanted[:at_most]:
            entry.thorough = True
            entry.page = await asyncio.to_thread(improved, entry.page)
        return len(wanted[:at_most])

    @property
    def weight(self) -> int:
        """Bytes kept."""
        return self._found.weight + self._missing.weight

    def __len__(self) -> int:
        return len(self._found) + len(self._missing)

    def _keep(self, key: str, entry: _Entry) -> None:
        here, there = self._found, self._missing
        if entry.page.status != HTTPStatus.OK or "?" in key:
            here, there = there, here
        there.drop(key)
        here.put(key, entry, weight=entry.page.weight + len(key))

    def _still_true(self, ticket: Ticket, page: Page) -> bool:
        return all(self._purged.get(tag, 0) <= ticket.generation for tag in page.tags)


def _has_body(entry: _Entry) -> bool:
    return "br" in entry.page.forms


def leads_to(location: str) -> str | None:
    """The key of the page that a redirect leads to, when it is on this site."""
    if not location.startswith("/"):
        return None
    target = urlsplit(location)
    try:
        return page_key(target.path, target.query)[0]
    except SiteError:
        return None

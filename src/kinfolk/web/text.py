"""What the site says to programs: pages as Markdown, llms.txt, sitemaps, robots.txt."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import quote

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kinfolk.blog.plain import index_text
from kinfolk.cache import DOCS, Recent, SharedRecent, Worth
from kinfolk.catalog import LATEST, Library
from kinfolk.docs.library import Docs
from kinfolk.docs.listing import (
    Volume,
    family_heading,
    family_index,
    library_index,
    library_texts,
    volume,
    volumes,
)
from kinfolk.docs.plain import plain_page
from kinfolk.docs.sitemap import canonical, site_sitemap, sitemap_index, volume_sitemap
from kinfolk.errors import NotFound, SiteError
from kinfolk.redirects import Redirect
from kinfolk.site import Site
from kinfolk.sources.snapshot import Ref
from kinfolk.ssr.flight import SingleFlight
from kinfolk.ssr.page import cache_tag
from kinfolk.supervision import FailureLog, Supervisor
from kinfolk.throttle import Throttle
from kinfolk.web.negotiation import accept_of, prefers_markdown
from kinfolk.web.packed import Packed, pack, packed_response

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

TEXTS = "machine-readable texts"
LISTINGS_BYTES = 12 << 20
"""Packed listings kept: all of llms-full.txt, for every version of every library, is 5 MB."""
SPARED_BYTES = 4 << 20
"""Listings kept although other caches need room: they are made again after each push, and need all pages."""
PAGES_BYTES = 4 << 20
MARKDOWN = "text/markdown; charset=utf-8"
XML = "application/xml; charset=utf-8"

_DOCS = re.compile(r"/([^/]+)/([^/]+)/docs(?:/(.*[^/]))?")
_OURS = re.compile(
    r"/(?:api/md/.*|robots\.txt|sitemap[^/]*\.xml|(?:[^/]+/){0,2}llms(?:-full)?\.txt"
    r"|[^/]+/[^/]+/docs/(?!framework/[^/]+/examples/).+\.md)"
)
_FRAMEWORK_PAGE = re.compile(r"framework/[^/]+/.")


@dataclass(frozen=True)
class _Made:
    packed: Packed
    tags: frozenset[str]


@dataclass(frozen=True)
class _Place:
    """A page's address, whatever stands before it."""

    library: Library
    version: str
    inside: str

    @property
    def ref(self) -> Ref:
        return Ref(*self.library.ref(self.version))

    @property
    def file(self) -> str:
        return f"{self.library.docs_root}/{self.inside}.md"

    def path(self, version: str | None = None) -> str:
        return f"/{self.library.id}/{version or self.version}/docs/{quote(self.inside)}"


@dataclass(frozen=True)
class _Listing:
    """A listing as it was made last, of which edition of the docs and of the blog, and how it is made again."""

    made: _Made
    docs: Docs
    blog: str
    make: Callable[[Docs], _Made]


_Key = tuple[int, tuple[str, ...]]
"""The number of an edition, and what of it."""


class Texts:
    """Makes each text once for an edition of the docs, off the event loop, and keeps it packed.

    Between `begin` and `end` a service reads all pages ahead, and after each change makes again what was asked for.
    Until it has, readers get the listing of the edition before: whole, and of one commit.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._origin = site.settings.origin
        self._listings: SharedRecent[str, _Listing] = site.caches.add(
            TEXTS, Worth.TEXTS, SharedRecent(LISTINGS_BYTES), keeps=SPARED_BYTES
        )
        self._listing_flights: SingleFlight[tuple[Docs, str, str], _Listing] = SingleFlight()
        self._pages: Recent[_Key, _Made] = site.caches.add(TEXTS, Worth.TEXTS, Recent(PAGES_BYTES))
        self._page_flights: SingleFlight[_Key, _Made] = SingleFlight()
        # A thread of its own: all of the docs as one text takes seconds, and pages are finished in the other threads.
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="texts")
        self._edition = 0
        self._docs: Docs | None = None
        self._follows = False
        self._woken = threading.Event()
        self._failures = FailureLog("listing not made")
        self._stopping = threading.Event()
        site.editions.on_change(lambda _: self._woken.set())

    def begin(self, supervisor: Supervisor) -> None:
        """Follow the docs in a service of `supervisor`."""
        self._stopping.clear()
        self._follows = True
        supervisor.start("machine-readable texts", self._follow, stop=self._stop)

    def end(self) -> None:
        """To be called after the supervisor has stopped. Does not block."""
        self._stop()
        self._follows = False
        maker, self._maker = self._maker, ThreadPoolExecutor(1, thread_name_prefix="texts")
        maker.shutdown(wait=False, cancel_futures=True)

    def _stop(self) -> None:
        self._stopping.set()
        self._woken.set()

    def routes(self) -> list[Route]:
        return [
            Route("/robots.txt", self._robots),
            Route("/sitemap.xml", self._sitemap_index),
            Route("/sitemap-{name}.xml", self._sitemap),
            Route("/llms.txt", self._family_index),
            Route("/llms-full.txt", self._family_texts),
            Route("/{library}/llms.txt", self._latest),
            Route("/{library}/llms-full.txt", self._latest),
            Route("/{library}/{version}/llms.txt", self._library_index),
            Route("/{library}/{version}/llms-full.txt", self._library_texts),
            Route("/api/md/{library}/{version}/docs/{inside:path}", self._markdown),
            Route("/{library}/{version}/docs/{inside:path}.md", self._markdown_beside),
        ]

    @staticmethod
    def has(path: str) -> bool:
        """Whether an address is one of ours, so that no page has to be looked for."""
        return _OURS.fullmatch(path) is not None

    def is_wanted(self, scope: Scope) -> bool:
        """Whether a request for a page of the docs wants it as Markdown, and there is such a page."""
        if "/docs" not in scope["path"] or not prefers_markdown(accept_of(scope["headers"])):
            return False
        try:
            place = self._at(scope["path"])
            return place is not None and self._exists(place)
        except SiteError:
            return False  # the page for people says it better

    async def negotiated(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application for requests that `is_wanted`."""
        place = self._at(scope["path"])
        request = Request(scope, receive)
        response = await self._page(request, place, vary="accept") if place else _failed(NotFound("There is no page"))
        await response(scope, receive, send)

    # Pages

    def _at(self, path: str) -> _Place | None:
        found = _DOCS.fullmatch(path)
        if found is None:
            return None
        library = self._site.catalog.library(found[1])
        return (
            _Place(library, found[2], found[3] or library.default_docs) if library.is_known_version(found[2]) else None
        )

    def _exists(self, place: _Place) -> bool:
        return self._site.editions.docs.shelf(place.ref).page_file(place.file.removesuffix(".md")) is not None

    async def _markdown(self, request: Request) -> Response:
        """`/api/md/{library}/{version}/docs/{splat}`."""
        wanted = request.path_params
        inside = wanted["inside"].rstrip("/").removesuffix(".md")
        try:
            library = self._site.catalog.library(wanted["library"])
            place = _Place(library, wanted["version"], inside or library.default_docs)
        except SiteError as failure:
            return _failed(failure)
        if not library.is_known_version(place.version):
            moved = self._site.redirects.match(f"/{library.id}/{place.version}/docs/{place.inside}")
            return _moved(moved) if moved else _redirect(f"/api/md{place.path(LATEST)}")
        return await self._page(request, place)

    async def _markdown_beside(self, request: Request) -> Response:
        """`{page}.md`: the text itself; for a page of a framework, the redirect of the specification."""
        wanted = request.path_params
        if _FRAMEWORK_PAGE.match(wanted["inside"]):
            path = "/".join(quote(wanted[key]) for key in ("library", "version"))
            return _redirect(f"/api/md/{path}/docs/{quote(wanted['inside'])}")
        return await self._markdown(request)

    async def _page(self, request: Request, place: _Place, *, vary: str = "") -> Response:
        docs = self._site.editions.docs

        def make() -> _Made:
            tags: set[str] = set()
            page = plain_page(docs, place.ref, place.file, place.version, origin=self._origin, seen=tags)
            return _Made(pack([page.text.encode(errors="replace")]), frozenset(tags))

        try:
            made = await self._obtain(docs, ("page", place.path()), make)
        except NotFound as failure:
            moved = docs.moved(place.library, place.version, place.inside, set())
            return _moved(moved) if moved else _failed(failure, see=self._index_of(place))
        except SiteError as failure:
            return _failed(failure)
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", place.inside)
        headers = {
            **_headers(MARKDOWN, made.tags),
            "content-disposition": f'inline; filename="{name}.md"',
            "link": f'<{self._origin}{_canonical(docs, place)}>; rel="canonical"',
        }
        if vary:
            headers["content-location"] = f"/api/md{place.path()}"
        else:
            headers["x-robots-tag"] = "noindex"
        return packed_response(request, made.packed, headers, vary=vary)

    def _index_of(self, place: _Place) -> str:
        return f"{self._origin}/{place.library.id}/{place.version}/llms.txt"

    # Listings

    async def _family_index(self, request: Request) -> Response:
        def make(docs: Docs) -> _Made:
            posts = index_text(self._site.blog.published, self._origin)
            text = family_index(docs, self._origin, beside=(("Blog", posts),) if posts else ())
            return _made([text], _tags_of(volumes(docs)) | {"blog"})

        return await self._listing(request, make, of_blog=True)

    async def _family_texts(self, request: Request) -> Response:
        def make(docs: Docs) -> _Made:
            latest = [one for one in volumes(docs) if one.segment == LATEST]

            def parts() -> Iterator[str]:
                yield family_heading(docs)
                for one in latest:
                    yield "\n---\n\n"
                    yield from library_texts(one, self._origin)

            return _made(parts(), _tags_of(latest))

        return await self._listing(request, make)

    async def _latest(self, request: Request) -> Response:
        """A library's listing without a version is that of the latest."""
        try:
            library = self._site.catalog.library(request.path_params["library"])
        except SiteError as failure:
            return _failed(failure)
        return _redirect(f"{library.to}/{LATEST}/{request.url.path.rpartition('/')[2]}")

    async def _library_index(self, request: Request) -> Response:
        return await self._volume(request, lambda one: [library_index(one, self._origin)])

    async def _library_texts(self, request: Request) -> Response:
        return await self._volume(request, lambda one: library_texts(one, self._origin))

    async def _volume(self, request: Request, write: Callable[[Volume], Iterable[str]]) -> Response:
        library, version = (str(request.path_params[key]) for key in ("library", "version"))

        def make(docs: Docs) -> _Made:
            one = volume(docs, self._site.catalog.library(library), version)
            return _made(write(one), _tags_of([one]))

        return await self._listing(request, make)

    # For crawlers

    async def _robots(self, request: Request) -> Response:
        text = (
            f"User-agent: *\nAllow: /\nDisallow: /_server\nDisallow: /_hooks\n\nSitemap: {self._origin}/sitemap.xml\n"
        )
        headers = _headers("text/plain; charset=utf-8", frozenset())
        return packed_response(request, pack([text.encode()]), headers)

    async def _sitemap_index(self, request: Request) -> Response:
        def make(docs: Docs) -> _Made:
            changed = max((post.changed for post in self._site.blog.published), default=None)
            text = sitemap_index(docs, self._origin, site_changed=changed)
            return _made([text], _tags_of(volumes(docs)) | {"blog"})

        return await self._listing(request, make, kind=XML, of_blog=True)

    async def _sitemap(self, request: Request) -> Response:
        """`/sitemap-site.xml` and `/sitemap-{library}-{version}.xml`."""
        name: str = request.path_params["name"]

        def make(docs: Docs) -> _Made:
            if name == "site":
                return _made([site_sitemap(self._site_pages(), self._origin)], frozenset({"blog"}))
            one = next((each for each in volumes(docs) if f"{each.library.id}-{each.segment}" == name), None)
            if one is None or not canonical(one):
                raise NotFound("There is no such sitemap")
            return _made([volume_sitemap(one, self._origin)], _tags_of([one]))

        return await self._listing(request, make, kind=XML, of_blog=name == "site")

    def _site_pages(self) -> Iterator[tuple[str, str | None]]:
        """The site's own pages, and when they changed where we know it."""
        catalog, posts = self._site.catalog, self._site.blog.published
        yield "/", None
        for library in catalog.libraries:
            yield f"{library.to}/{LATEST}", None
        written = {f"/{page.name}": page.updated for page in self._site.pages.good}
        yield from written.items()
        for link in catalog.footer:
            if link.to.startswith("/") and link.to not in written and not self._site.redirects.match(link.to):
                yield link.to, posts[0].front.published if link.to == "/blog" and posts else None
        for post in posts:
            yield f"/blog/{post.slug}", post.changed

    # Making

    async def _listing(
        self, request: Request, make: Callable[[Docs], _Made], *, kind: str = MARKDOWN, of_blog: bool = False
    ) -> Response:
        docs, name = self._site.editions.docs, request.url.path
        # No part of the docs, and has editions of its own.
        blog = self._site.blog.version if of_blog else ""
        kept = self._listings.get(name)
        try:
            if kept is None or kept.blog != blog or (kept.docs is not docs and not self._follows):
                loop = asyncio.get_running_loop()
                kept = await self._listing_flights.do(
                    (docs, name, blog),
                    lambda: loop.run_in_executor(self._maker, self._make_listing, name, docs, blog, make),
                )
        except SiteError as failure:
            return _failed(failure)
        return packed_response(request, kept.made.packed, _headers(kind, kept.made.tags))

    def _make_listing(self, name: str, docs: Docs, blog: str, make: Callable[[Docs], _Made]) -> _Listing:
        listing = _Listing(make(docs), docs, blog, make)
        self._listings.put(name, listing, weight=len(listing.made.packed.content) + 1000)
        if docs is not self._site.editions.docs:
            self._woken.set()  # the docs have changed meanwhile, and the follower may have done its work
        return listing

    async def _obtain(self, docs: Docs, name: tuple[str, ...], make: Callable[[], _Made]) -> _Made:
        """What `make` gives, once for each edition: all that a page is made of is in that."""
        if docs is not self._docs:
            self._docs, self._edition = docs, self._edition + 1
        key = (self._edition, name)
        made = self._pages.get(key)
        if made is None:
            made = await self._page_flights.do(key, lambda: asyncio.to_thread(make))
            self._pages.put(key, made, weight=len(made.packed.content) + 1000)
        return made

    # Ahead

    def _follow(self) -> None:
        """The service. What raises is done again when it is called again."""
        while True:
            self._woken.clear()
            if self._stopping.is_set():
                return
            self._make_again()
            self._read_ahead(self._site.editions.docs)
            self._woken.wait()

    def _make_again(self) -> None:
        """Every listing that was asked for, of the docs that are current; throttled."""
        throttle = Throttle(self._stopping.wait)
        for name, old in self._listings.items():
            docs = self._site.editions.docs
            if old.docs is docs or self._stopping.is_set():
                continue
            try:
                self._make_listing(name, docs, self._site.blog.version if old.blog else "", old.make)
            except SiteError:
                # The next request makes it, or is told why it cannot be made.
                self._listings.drop(name)
            except Exception as failure:  # noqa: BLE001 - the next request makes it, or fails
                self._failures.failed(failure, listing=name)
                self._listings.drop(name)
            throttle.sleep()

    def _read_ahead(self, docs: Docs) -> None:
        """Every page there is, so that to make a listing only links have to be followed. Latest versions first.

        A page that cannot be read does not keep the others from it. Raises what the first of them has raised.
        """
        failures: list[Exception] = []
        throttle = Throttle(self._woken.wait)
        for one in sorted(volumes(docs), key=lambda one: one.segment != LATEST):
            shelf = docs.shelf(one.ref)
            for path in one.pages().values():
                if docs.wordings.has(shelf, path):
                    continue
                try:
                    one.read(path, self._origin)
                except Exception as failure:  # noqa: BLE001 - it is raised after the other pages
                    self._failures.failed(failure, ref=str(one.ref), path=path)
                    failures.append(failure)
                throttle.sleep()
                if self._woken.is_set():
                    return
        if failures:
            raise failures[0]


def _made(parts: Iterable[str], tags: frozenset[str]) -> _Made:
    return _Made(pack(part.encode(errors="replace") for part in parts), tags)


def _canonical(docs: Docs, place: _Place) -> str:
    """The address that search engines should know a page by: the latest version's, where that has it."""
    latest = docs.shelves.get(Ref(*place.library.ref(LATEST)))
    return place.path(LATEST if latest and latest.page_file(place.file.removesuffix(".md")) else None)


def _tags_of(made_of: Iterable[Volume]) -> frozenset[str]:
    """Of thousands of files: which there are. A changed word shows within the five minutes that caches keep docs."""
    return frozenset(f"{one.ref}#files" for one in made_of)


def _headers(kind: str, tags: frozenset[str]) -> dict[str, str]:
    named = {"cache-tag": ",".join(map(cache_tag, sorted(tags)))} if tags else {}
    return {"content-type": kind, **dict(DOCS.headers()), **named}


def _moved(page: Redirect) -> Response:
    """To the Markdown of a page that moved; a target that is no page of the docs stays what it is."""
    path = re.split("[?#]", page.to)[0]
    return _redirect(f"/api/md{path}" if _DOCS.fullmatch(path) else page.to, page.status)


def _redirect(to: str, status: int = 307) -> Response:
    return Response(None, status, headers={"location": to, **dict(DOCS.headers())})


def _failed(failure: SiteError, *, see: str = "") -> Response:
    title = "404 Not Found" if failure.status == 404 else f"Error {failure.status}"  # noqa: PLR2004
    more = f" What there is: {see}" if see else ""
    text = f"# {title}\n\n{failure.message.rstrip('.')}.{more}\n"
    headers = {"content-type": MARKDOWN, "cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(text.encode(errors="replace"), failure.status, headers=headers)

"""`/og/…`: the picture of a page, drawn when it is first asked for."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from kinfolk.cache import DOCS, FOREVER, Recent, Worth
from kinfolk.cards import Card
from kinfolk.catalog import Library
from kinfolk.docs.library import Docs
from kinfolk.docs.listing import Volume, volume
from kinfolk.docs.plain import plain_page
from kinfolk.errors import NotFound, SiteError
from kinfolk.palette import FAMILY
from kinfolk.site import Site
from kinfolk.ssr.flight import SingleFlight

KEPT_BYTES = 24 << 20
"""Of pictures of 140 kB: as many as a day's shared links need."""
PICTURES = "share pictures"
CARDS_BYTES = 4 << 20
"""Of what pictures say: 5,000."""
A_CARD = 800
"""What the words of a picture weigh, besides its address."""
AT_ONCE = 1
"""Pictures drawn at the same time. A crawler that wants thousands must not keep readers waiting."""

_EXAMPLE = re.compile(r"framework/([^/]+)/examples/([^/]+)")
_FRAMEWORK = re.compile(r"framework/([^/]+)")


class Cards:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._palette = site.palette
        self._cards: Recent[tuple[str, str, str], Card] = site.caches.add(PICTURES, Worth.PICTURES, Recent(CARDS_BYTES))
        self._pictures: Recent[str, bytes] = site.caches.add(PICTURES, Worth.PICTURES, Recent(KEPT_BYTES))
        self._flights: SingleFlight[str, bytes] = SingleFlight()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def routes(self) -> list[Route]:
        return [
            Route("/og/site.png", self._answer),
            Route("/og/blog/{post}.png", self._answer),
            Route("/og/{library}.png", self._answer),
            Route("/og/{library}/{version}/docs/{inside:path}.png", self._answer),
        ]

    async def card(self, wanted: dict[str, str]) -> Card:
        """What the picture of an address says, given the holes of its route. Raises NotFound for a page we lack."""
        docs = self._site.editions.docs
        key = (docs.snapshot.id, self._site.blog.version, repr(sorted(wanted.items())))
        known = self._cards.get(key)
        if known is None:
            known = await asyncio.to_thread(self._card, docs, wanted)
            self._cards.put(key, known, weight=A_CARD + sum(map(len, key)))
        return known

    async def picture(self, card: Card) -> bytes:
        """The PNG, drawn once for all who ask for it meanwhile."""
        known = self._pictures.get(card.version)
        if known is None:
            known = await self._flights.do(card.version, lambda: self._draw(card))
            self._pictures.put(card.version, known, weight=len(known))
        return known

    async def _draw(self, card: Card) -> bytes:
        from kinfolk.cards.draw import draw  # Pillow takes 60 ms to load, which a server that draws nothing can spare

        async with self._turns:
            return await asyncio.to_thread(draw, card, self._site.settings.frontend / "fonts")

    async def _answer(self, request: Request) -> Response:
        try:
            card = await self.card(request.path_params)
        except SiteError as failure:
            return PlainTextResponse(failure.message, failure.status, headers={"cache-control": "no-store"})
        lifetime = FOREVER if request.query_params.get("v") == card.version else DOCS
        headers = {
            **dict(lifetime.headers()),
            "content-type": "image/png",
            "etag": f'"{card.version}"',
            "x-content-type-options": "nosniff",
        }
        if f'"{card.version}"' in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers=headers)
        content = await self.picture(card)
        if request.method == "HEAD":
            return Response(None, headers=headers | {"content-length": str(len(content))})
        return Response(content, headers=headers)

    # What a picture says

    def _card(self, docs: Docs, wanted: dict[str, str]) -> Card:
        if "version" in wanted:
            one = volume(docs, docs.catalog.library(wanted["library"]), wanted["version"])
            return self._of_docs(one, wanted["inside"])
        if "library" in wanted:
            library = docs.catalog.library(wanted["library"])
            return self._of_library(library, library.name, library.tagline)
        if "post" in wanted:
            post = self._site.blog.post(wanted["post"])
            return self._of_family(f"{docs.catalog.family} Blog", post.title, ", ".join(post.front.authors))
        title = docs.catalog.title.partition(" | ")[2] or docs.catalog.title
        return self._of_family(docs.catalog.family, title, urlsplit(self._site.settings.origin).netloc)

    def _of_docs(self, one: Volume, inside: str) -> Card:
        library, catalog = one.library, one.docs.catalog
        version = "" if one.version.name == library.latest_version else one.version.name
        framework = section = ""
        if example := _EXAMPLE.fullmatch(inside):
            # Only what exists is drawn: a picture must not say what a stranger put into its address.
            if (example[1], example[2]) not in one.docs.shelf(one.ref).examples:
                raise NotFound("There is no such example")
            title, framework, section = example[2].replace("-", " ").title(), example[1], "Example"
        elif (alone := _FRAMEWORK.fullmatch(inside)) and alone[1] in library.frameworks:
            title, section = f"{library.short_name} for {catalog.framework(alone[1]).label}", "Documentation"
        else:
            page = plain_page(one.docs, one.ref, f"{library.docs_root}/{inside}.md", one.segment, origin="")
            title, framework, section = page.title, page.framework or "", _section(one, inside)
        parts = [catalog.framework(framework).label if framework else "", section, version]
        return self._of_library(library, title, " · ".join(filter(None, parts)))

    def _of_library(self, library: Library, title: str, detail: str) -> Card:
        return Card(library.name, title, detail, *self._palette.pair(library.color_from, library.color_to))

    def _of_family(self, name: str, title: str, detail: str) -> Card:
        return Card(name, title, detail, *self._palette.pair(*FAMILY))


def _section(one: Volume, inside: str) -> str:
    """What the navigation files a page under."""
    for section in one.config().sections:
        groups = (section.children, *(group.children for group in section.frameworks))
        if any(link.to == inside for group in groups for link in group):
            return section.label
    return "Documentation"

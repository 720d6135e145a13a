"""The home page and the sponsors."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass

from kinfolk.api.registry import Call, Html, PictureHtml, registry
from kinfolk.config.catalog import LIBRARIES_BUTTON, Catalog, Course, HomeButton, Newsletter
from kinfolk.content.docs.snapshots.content_counts import ContentCounts, count_content
from kinfolk.content.landing.landing import DEMO, partner_marks_address
from kinfolk.content.sponsors import SponsorPack
from kinfolk.runtime.cache import DOCS

FEATURED = 2
"""Libraries with large cards, unless `kinfolk.toml` names them."""


@dataclass(frozen=True)
class LibraryIntroduction:
    """The description of a library, longer than its tagline."""

    id: str
    description: str


@dataclass(frozen=True)
class Proof:
    """The demo of a library: its code, and the drawing that is shown until it runs. `id` is that of the library."""

    id: str
    title: str
    code: Html
    drawing: Html


@dataclass(frozen=True)
class HomePartner:
    """A company that funds libraries. `mark` is the row of its mark in the sprite."""

    id: str
    name: str
    href: str
    text: str
    note: str | None
    mark: int


@dataclass(frozen=True)
class HomePage:
    """The content of the home page. `keywords` are for search engines, `featured` are ids of libraries.

    `partners` are in alphabetical order, and `partner_marks` is the address of their sprite.
    """

    keywords: str
    claim: str
    emphasis: str
    lede: str
    libraries: tuple[LibraryIntroduction, ...]
    proofs: tuple[Proof, ...]
    featured: tuple[str, ...]
    figures: ContentCounts
    partners: tuple[HomePartner, ...]
    partner_marks: str
    sponsors: SponsorPack
    buttons: tuple[HomeButton, ...]
    courses: tuple[Course, ...]
    newsletter: Newsletter | None


@registry.function("home.page", cache=DOCS)
async def home_page(call: Call) -> HomePage:
    catalog, marks = call.site.catalog, call.site.content.partner_marks
    return HomePage(
        keywords=", ".join(catalog.keywords),
        claim=catalog.home.claim,
        emphasis=catalog.home.emphasis or "",
        lede=catalog.home.lede,
        libraries=tuple(LibraryIntroduction(library.id, library.description) for library in catalog.libraries),
        proofs=tuple(_proofs(call)),
        featured=catalog.home.featured or tuple(library.id for library in catalog.libraries[:FEATURED]),
        figures=await asyncio.to_thread(count_content, call.docs),
        partners=tuple(
            HomePartner(each.id, each.name, each.href, each.text, each.note, marks.rows.index(each.id))
            for each in sorted(catalog.partners, key=lambda partner: partner.name.casefold())
        ),
        partner_marks=partner_marks_address(marks),
        sponsors=call.content.sponsors,
        buttons=_buttons(catalog),
        courses=catalog.courses,
        newsletter=catalog.newsletter,
    )


def _buttons(catalog: Catalog) -> tuple[HomeButton, ...]:
    """The buttons of `kinfolk.toml`; without any, links to the libraries and to the page about the family."""
    if catalog.home.buttons is not None:
        return catalog.home.buttons
    about = catalog.links.about
    return (LIBRARIES_BUTTON, HomeButton("Why we do this", about)) if about else (LIBRARIES_BUTTON,)


def _proofs(call: Call) -> Iterator[Proof]:
    """Of the libraries that have a demo, in the order of the family."""
    for library in call.site.catalog.libraries:
        landing = call.site.content.landings[library.id]
        if landing.demo and landing.drawing:
            code = Html(call.docs.highlighted_body(landing.demo))
            yield Proof(library.id, DEMO, code, PictureHtml(landing.drawing))


@registry.function("home.random", cache=DOCS)
async def home_random(call: Call) -> float:
    """A number from 0 up to 1 that selects the colors of the home page. A cached page keeps its number."""
    del call  # the result has no dependencies
    return random.random()  # noqa: S311


@registry.function("sponsors.pack", cache=DOCS)
async def sponsors_pack(call: Call) -> SponsorPack:
    return call.content.sponsors

"""A library's landing page."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from kinfolk.api.registry import Call, Html, registry, request_data
from kinfolk.cache import DOCS
from kinfolk.catalog import LATEST, CallToAction, FeatureHighlight, Library, Partner
from kinfolk.docs.version_docs import find_version_docs
from kinfolk.docs_address import Ref
from kinfolk.errors import Unavailable
from kinfolk.examples import find_example
from kinfolk.examples.example_list import belongs_to
from kinfolk.examples.external_links import Sandbox, embedded_sandbox
from kinfolk.landing import RenderedSample
from kinfolk.npm.statistics_types import LibraryDownloads


@request_data
class LibraryRequest:
    """`version` selects the figures; the default is the latest version."""

    id: str
    version: str | None = None


@dataclass(frozen=True)
class CodeSample:
    """Highlighted code. `example` is the address of a longer example and `sandbox` that of an editor that runs it."""

    framework: str | None
    title: str
    html: Html
    example: str | None
    sandbox: Sandbox | None


@dataclass(frozen=True)
class LibraryFigures:
    """Counts of a version. `updated` is the date of the last change of its docs, if git's history is known."""

    pages: int
    examples: int
    frameworks: int
    versions: int
    updated: str | None


@dataclass(frozen=True)
class LibraryPage:
    """The content of a library's landing page. `drawing` is SVG.

    `og_image` is the share image; without one, the site draws it.
    """

    id: str
    description: str
    og_image: str | None
    drawing: Html | None
    install: Html | None
    feature_highlights: tuple[FeatureHighlight, ...]
    feature_list: tuple[str, ...]
    samples_title: str | None
    samples: tuple[CodeSample, ...]
    trusted_by: tuple[str, ...]
    partners: tuple[Partner, ...]
    figures: LibraryFigures | None
    downloads: LibraryDownloads | None
    call_to_action: CallToAction | None


@registry.function("catalog.library", cache=DOCS)
async def catalog_library(call: Call, request: LibraryRequest) -> LibraryPage:
    library = call.site.catalog.library(request.id)
    landing = call.site.landings[library.id]
    version = request.version or LATEST
    partners = [partner for partner in call.site.catalog.partners if library.id in partner.libraries]
    return LibraryPage(
        id=library.id,
        description=library.description,
        og_image=library.og_image,
        drawing=Html(landing.drawing) if landing.drawing else None,
        install=Html(call.docs.highlighted_body(landing.install)) if landing.install else None,
        feature_highlights=library.feature_highlights,
        feature_list=library.feature_list,
        samples_title=library.samples_title,
        samples=tuple(_sample(call, library, version, shown) for shown in landing.samples),
        trusted_by=library.trusted_by,
        partners=tuple(partners),
        # In a thread: a large library has hundreds of pages.
        figures=await asyncio.to_thread(_figures, call, library, version),
        downloads=await asyncio.to_thread(_downloads, call, library),
        call_to_action=library.call_to_action,
    )


def _sample(call: Call, library: Library, version: str, shown: RenderedSample) -> CodeSample:
    """Links to the example only if this version's repository has it."""
    branch = call.docs.find_branch(library.ref(version))
    framework, name = shown.sample.framework or "", shown.sample.example or ""
    found = branch is not None and (framework, name) in branch.examples
    example = find_example(library, branch, branch.examples, framework, name) if branch and found else None
    return CodeSample(
        framework=shown.sample.framework,
        title=shown.sample.title,
        html=Html(call.docs.highlighted_body(shown.page)),
        example=f"/{library.id}/{version}/docs/framework/{framework}/examples/{name}" if example else None,
        sandbox=embedded_sandbox(example) if example else None,
    )


def _downloads(call: Call, library: Library) -> LibraryDownloads | None:
    """None without packages, and while the database is not available: the page does not depend on it."""
    try:
        return call.content.npm_library(library.npm_packages) if library.npm_packages else None
    except Unavailable:
        return None


def _figures(call: Call, library: Library, version: str) -> LibraryFigures | None:
    """None while there is no copy of the docs of this version."""
    try:
        version_docs = find_version_docs(call.docs, library, version)
    except Unavailable:
        return None
    pages, branch = version_docs.pages(), version_docs.branch
    updated = branch.last_updated(pages.values())
    refs = [Ref(library.repo, each.branch) for each in library.versions]
    return LibraryFigures(
        pages=len(pages),
        examples=sum(belongs_to(call.site.catalog, library, name) for _, name in branch.examples),
        frameworks=len(library.frameworks),
        versions=sum(call.docs.find_branch(ref) is not None for ref in refs),
        updated=updated.date().isoformat() if updated else None,
    )

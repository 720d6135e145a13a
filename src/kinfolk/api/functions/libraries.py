"""A library's landing page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from kinfolk.api.registry import Call, Html, PictureHtml, registry, request_data
from kinfolk.config.catalog import LATEST, Library, Partner, Version
from kinfolk.config.docs_address import parse_docs_address
from kinfolk.config.icons import IconShape
from kinfolk.content.docs.other_pages.framework_targets import FrameworkTarget, framework_targets, start_targets
from kinfolk.content.docs.pages.location import EXAMPLE, version_segment
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, find_version_docs
from kinfolk.content.examples import find_example
from kinfolk.content.examples.example_list import count_examples
from kinfolk.content.examples.external_links import Sandbox, embedded_sandbox, source_url
from kinfolk.content.landing.landing import RenderedSample
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import Unavailable
from kinfolk.statistics.statistics_types import LibraryDownloads


@request_data
class LibraryRequest:
    """The default is the latest version."""

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
class LandingLink:
    """A link of the library's menu, with its targets by framework. `icon` names an icon of the frontend."""

    label: str
    icon: str
    targets: tuple[FrameworkTarget, ...]


@dataclass(frozen=True)
class LandingAction:
    """The last section of the page. `label` may contain `{framework}`."""

    title: str
    text: str
    label: str
    targets: tuple[FrameworkTarget, ...]


@dataclass(frozen=True)
class MigrationGuide:
    """A page about the upgrade to the next version."""

    version: str
    targets: tuple[FrameworkTarget, ...]


@dataclass(frozen=True)
class Highlight:
    """A feature that the page presents with an icon."""

    title: str
    icon: IconShape
    description: str


@dataclass(frozen=True)
class LibraryPage:
    """The content of the landing page of one version of a library. `drawing` is SVG, `demo` the code that replaces it.

    `og_image` is the share image; without one, the site draws it. `figures` is None while there is no copy of the docs
    of the version: then all else is about the latest version. `start` are the targets of links to the docs.
    """

    id: str
    description: str
    og_image: str | None
    drawing: Html | None
    demo: Html | None
    install: Html | None
    start: tuple[FrameworkTarget, ...]
    menu: tuple[LandingLink, ...]
    frameworks: tuple[str, ...]
    migration: MigrationGuide | None
    feature_highlights: tuple[Highlight, ...]
    feature_list: tuple[str, ...]
    samples_title: str | None
    samples: tuple[CodeSample, ...]
    trusted_by: tuple[str, ...]
    partners: tuple[Partner, ...]
    figures: LibraryFigures | None
    downloads: LibraryDownloads | None
    call_to_action: LandingAction | None


@registry.function("catalog.library", cache=DOCS)
async def catalog_library(call: Call, request: LibraryRequest) -> LibraryPage:
    library = call.site.catalog.library(request.id)
    # In a thread: a large library has hundreds of pages.
    return await asyncio.to_thread(_library_page, call, library, request.version or LATEST)


def _library_page(call: Call, library: Library, requested: str) -> LibraryPage:
    has_copy = call.docs.find_branch(library.ref(requested)) is not None
    version_docs = _find_docs(call, library, requested if has_copy else LATEST)
    version = version_docs.version if version_docs else library.version(LATEST)
    files = call.site.content.landings[library.id]
    landing = files.versions[version.name]
    is_latest = version.name == library.latest_version
    partners = [partner for partner in call.site.catalog.partners if library.id in partner.libraries]
    return LibraryPage(
        id=library.id,
        description=library.description,
        og_image=library.og_image,
        drawing=PictureHtml(files.drawing) if files.drawing else None,
        # The demo is written for the latest version.
        demo=Html(call.docs.highlighted_body(files.demo)) if files.demo and is_latest else None,
        install=Html(call.docs.highlighted_body(landing.install)) if landing.install else None,
        start=start_targets(version_docs) if version_docs else (),
        menu=tuple(_menu(version_docs)) if version_docs else (),
        frameworks=version_docs.frameworks if version_docs else library.frameworks,
        migration=_migration(call, version_docs) if version_docs else None,
        feature_highlights=tuple(
            Highlight(feature.title, call.site.icons[feature.icon], feature.description)
            for feature in library.feature_highlights
        ),
        # The list is written for the latest version.
        feature_list=library.feature_list if is_latest else (),
        samples_title=library.samples_title,
        samples=tuple(_sample(call, library, version, shown) for shown in _in_menu_order(call, landing.samples)),
        trusted_by=library.trusted_by,
        partners=tuple(partners),
        figures=_figures(call, version_docs) if version_docs and has_copy else None,
        downloads=_downloads(call, library),
        call_to_action=_call_to_action(version_docs) if version_docs and is_latest else None,
    )


def _find_docs(call: Call, library: Library, version: str) -> VersionDocs | None:
    """None while there is no copy of the docs of this version."""
    try:
        return find_version_docs(call.docs, library, version)
    except Unavailable:
        return None


def _menu(version_docs: VersionDocs) -> Iterator[LandingLink]:
    """The library's menu in this version, without links to what this version does not have."""
    for entry in version_docs.library.menu:
        address = parse_docs_address(entry.to)
        if address is None:
            targets: tuple[FrameworkTarget, ...] = (FrameworkTarget(None, entry.to),)
        elif address.path == "examples":
            targets = _examples_targets(version_docs)
        else:
            targets = framework_targets(version_docs, address.path) or start_targets(version_docs)
        if targets:
            yield LandingLink(entry.label, entry.icon, targets)


def _examples_targets(version_docs: VersionDocs) -> tuple[FrameworkTarget, ...]:
    """The list of examples; in a copy without their files, the folder on the code host if the menu names any."""
    library, branch = version_docs.library, version_docs.branch
    if _count_examples(version_docs):
        return (FrameworkTarget(None, str(version_docs.address("examples"))),)
    is_named = any(EXAMPLE.fullmatch(link.path) for link in version_docs.config().links())
    if branch.examples or not is_named or library.code_host is None:
        return ()
    root = branch.examples_layout.root
    source = source_url(library, branch.ref.branch, root) if root else None
    return (FrameworkTarget(None, source),) if source else ()


def _count_examples(version_docs: VersionDocs) -> int:
    catalog = version_docs.docs.catalog
    return count_examples(catalog, version_docs.library, version_docs.branch.examples)


def _migration(call: Call, version_docs: VersionDocs) -> MigrationGuide | None:
    """The guide to the next version; None where the docs of that version have none."""
    library = version_docs.library
    position = library.versions.index(version_docs.version)
    if position == 0:
        return None
    newer = library.versions[position - 1]
    newer_docs = _find_docs(call, library, newer.name)
    targets = framework_targets(newer_docs, newer.migration) if newer_docs and newer.migration else ()
    # For other frameworks than those of the guide there is no other page that is about the upgrade.
    guides = tuple(target for target in targets if not target.to.endswith(f"/framework/{target.framework}"))
    return MigrationGuide(newer.name, guides) if guides else None


def _call_to_action(version_docs: VersionDocs) -> LandingAction | None:
    action = version_docs.library.call_to_action
    if action is None:
        return None
    targets = framework_targets(version_docs, action.to) or start_targets(version_docs)
    return LandingAction(action.title, action.text, action.label, targets)


def _in_menu_order(call: Call, samples: tuple[RenderedSample, ...]) -> list[RenderedSample]:
    """Samples in the order in which menus list their frameworks."""
    order = call.site.catalog.sort_frameworks(shown.sample.framework or "" for shown in samples)
    return sorted(samples, key=lambda shown: order.index(shown.sample.framework or ""))


def _sample(call: Call, library: Library, version: Version, shown: RenderedSample) -> CodeSample:
    """Links to the example only if this version's repository has it."""
    branch = call.docs.find_branch(library.ref(version.name))
    framework, name = shown.sample.framework or "", shown.sample.example or ""
    found = branch is not None and (framework, name) in branch.examples
    example = find_example(library, branch, branch.examples, framework, name) if branch and found else None
    segment = version_segment(library, version)
    return CodeSample(
        framework=shown.sample.framework,
        title=shown.sample.title,
        html=Html(call.docs.highlighted_body(shown.page)),
        example=f"/{library.id}/{segment}/docs/framework/{framework}/examples/{name}" if example else None,
        sandbox=embedded_sandbox(example) if example else None,
    )


def _downloads(call: Call, library: Library) -> LibraryDownloads | None:
    """None without packages, and while the database is not available: the page does not depend on it."""
    try:
        return call.content.npm_library(library.npm_packages) if library.npm_packages else None
    except Unavailable:
        return None


def _figures(call: Call, version_docs: VersionDocs) -> LibraryFigures:
    library, branch, pages = version_docs.library, version_docs.branch, version_docs.pages()
    updated = branch.last_updated(pages.values())
    refs = map(library.ref, library.version_names)
    return LibraryFigures(
        pages=len(pages),
        examples=_count_examples(version_docs),
        frameworks=len(version_docs.frameworks),
        versions=sum(call.docs.find_branch(ref) is not None for ref in refs),
        updated=updated.date().isoformat() if updated else None,
    )

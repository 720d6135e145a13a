"""Docs: navigation, pages, framework lists and suggestions for missing pages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import Field

from kinfolk.api.functions.checked_blocks import CheckedBlocks, checked_blocks, html_with_links
from kinfolk.api.functions.headings import DocHeading, doc_headings
from kinfolk.api.functions.versions import published_versions, requested_path, requested_ref, version_frameworks
from kinfolk.api.registry import OMIT_EMPTY, Call, Html, registry, request_data
from kinfolk.config.catalog import LATEST
from kinfolk.config.docs_address import DocsAddress, parse_docs_address
from kinfolk.content.docs.menus.menu_config import DocsSection
from kinfolk.content.docs.other_pages.arrival_notice import ArrivalNotice, arrival_notice
from kinfolk.content.docs.other_pages.docs_home import docs_home
from kinfolk.content.docs.other_pages.nearest_page import (
    Alternative,
    NearPage,
    framework_alternatives,
    nearest_pages,
    similar_names,
    version_alternatives,
    without_framework_error,
)
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.snapshots.shown_mark import shown_mark, with_section_marks
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, find_version_docs
from kinfolk.content.markdown.deprecated_symbols import deprecated_lines
from kinfolk.content.markdown.html.extra_styles import needs_extra_styles
from kinfolk.content.redirects import ORIGIN, Redirect
from kinfolk.runtime.cache import DOCS, PRIVATE
from kinfolk.runtime.errors import Invalid, NotFound, Refused, SiteError

MOST_KNOWN_PAGES = 60
COMPARE_S = 2.0
"""Seconds after which no further page is rendered for a comparison."""


@request_data
class ConfigRequest:
    repo: str
    docs_root: str
    branch: str | None = None


@dataclass(frozen=True)
class DocsNavigation:
    """The sections of the menu, companies that use the library, and the frameworks of the version.

    `release` is the number of the newest release; empty for a library without a list of releases. `deprecated` has the
    path of each deprecated page, with a line about it.
    """

    sections: tuple[DocsSection, ...]
    users: tuple[str, ...]
    frameworks: tuple[str, ...]
    release: str = field(default="", metadata=OMIT_EMPTY)
    deprecated: Mapping[str, str] = field(default_factory=dict, metadata=OMIT_EMPTY)


@registry.function("docs.config", cache=DOCS)
async def docs_config(call: Call, request: ConfigRequest) -> DocsNavigation:
    """The navigation of a library, without entries that have no target."""
    ref = requested_ref(request.repo, request.branch)
    config = call.docs.cached_navigation(ref, request.docs_root)
    if config is None:
        config = await asyncio.to_thread(call.docs.navigation, ref, request.docs_root)
    home = call.site.catalog.docs_home(ref, request.docs_root)
    frameworks = VersionDocs(call.docs, *home).frameworks if home else ()
    newest = call.docs.releases(home[0]).newest if home else None
    deprecated = call.docs.deprecated_pages(ref, request.docs_root)
    if home and home[0].ref(LATEST) == ref and home[0].docs_facts(LATEST).docs_root == request.docs_root:
        config = config.with_badges(call.docs.marks(home[0]).menu)
    return DocsNavigation(config.sections, config.users, frameworks, newest.number if newest else "", deprecated)


@request_data
class DocsHomeRequest:
    library: str
    version: str


@registry.function("docs.home", cache=DOCS)
async def docs_home_path(call: Call, request: DocsHomeRequest) -> str:
    """The path of the page at which the docs of a version begin. Raises NotFound for docs without pages."""
    library = call.site.catalog.library(request.library)
    home = await asyncio.to_thread(lambda: docs_home(find_version_docs(call.docs, library, request.version)))
    if home is None:
        raise NotFound(f"The docs of {library.name} have no pages yet")
    return home


@request_data
class DocRequest:
    """`version` is the one in the URL of the requesting page. The links of the page stay in that version."""

    repo: str
    branch: str | None = None
    file_path: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class PageMarkView:
    """`label` says that the page is new or was updated; the difference between `older` and `newer` shows how."""

    label: str
    older: str
    newer: str


@dataclass(frozen=True)
class DocPage:
    """`canonical` is the canonical URL: that of the latest version if it has the page.

    `digest` changes with the text of the page. `feedback` says whether readers are asked about it.
    `api_reference` and `extra_styles` say whether it needs the styles of an API reference, and those of rare parts.
    `marks` and `checked_blocks` have at most one; `section_marks` says whether headings have any.
    """

    title: str
    description: str
    keywords: str | None
    html: Html
    headings: tuple[DocHeading, ...]
    toc: bool
    file_path: str
    edit_url: str | None
    updated: str | None
    contributors: tuple[str, ...]
    versions: tuple[Alternative, ...]
    frameworks: tuple[Alternative, ...]
    canonical: str
    digest: str
    feedback: bool
    api_reference: bool
    extra_styles: bool
    marks: tuple[PageMarkView, ...] = field(default=(), metadata=OMIT_EMPTY)
    section_marks: bool = field(default=False, metadata=OMIT_EMPTY)
    checked_blocks: tuple[CheckedBlocks, ...] = field(default=(), metadata=OMIT_EMPTY)


@registry.function("docs.page", cache=DOCS)
async def docs_page(call: Call, request: DocRequest) -> DocPage | Redirect:
    """A page of the docs. A missing page without a framework redirects to the default page (spec section 2)."""
    # In a thread: rendering takes up to 0.5 s, and so does the first read of the titles of all versions.
    return await asyncio.to_thread(_docs_page, call, request)


def _docs_page(call: Call, request: DocRequest) -> DocPage | Redirect:
    ref, file_path = requested_ref(request.repo, request.branch), requested_path(request.file_path)
    location = call.docs.locate(ref, file_path, request.version)
    if location.is_of_other_version(request.version):
        # The folder of another version is within that of the requested one.
        return Redirect(str(location.address), HTTPStatus.TEMPORARY_REDIRECT)
    try:
        page = call.docs.page(location)
    except NotFound:
        redirect = _redirect_of_missing(call, location)
        if redirect is None:
            raise
        return redirect
    address = location.address
    is_latest = address.version == LATEST
    check = call.docs.code_check(location, page.page)
    linked = html_with_links(call.docs, location, page, check)
    html = with_section_marks(call.docs, location, page.page, linked) if is_latest else linked
    is_release = call.docs.releases(location.library).version(address.version) is not None
    versions = version_alternatives(call.docs, address)
    latest = next((each.to for each in versions if each.name == LATEST and each.title is None), None)
    frameworks = version_frameworks(call, location.library, address.version)
    return DocPage(
        title=page.title,
        description=page.description,
        keywords=page.keywords,
        html=Html(html),
        headings=doc_headings(page.headings, deprecated_lines(page.page)),
        toc=page.toc,
        file_path=page.file_path,
        edit_url=None if is_release else page.edit_url,
        updated=page.updated,
        contributors=page.contributors,
        versions=versions,
        frameworks=framework_alternatives(call.docs, address, frameworks),
        canonical=latest or str(address),
        digest=page.digest,
        feedback=page.is_written and not is_release and call.site.catalog.accounts,
        api_reference=page.page.is_api_reference,
        extra_styles=needs_extra_styles(page.html),
        marks=_marks(call, location, page.page.ref_path),
        section_marks=html != linked,
        checked_blocks=checked_blocks(call.docs, location, check),
    )


def _marks(call: Call, location: DocsLocation, ref_path: str | None) -> tuple[PageMarkView, ...]:
    """The mark of a page of the latest docs, if it has one."""
    mark = shown_mark(call.docs, location, ref_path) if location.address.version == LATEST else None
    return () if mark is None else (PageMarkView(mark.label, mark.older, mark.newer),)


def _redirect_of_missing(call: Call, location: DocsLocation) -> Redirect | None:
    """The redirect of a missing page: to its new address, else to the page with another framework part in its address,
    else to the library's default page if that exists.

    A missing page of a framework is a 404, because the default page may be about another framework.
    """
    library, address = location.library, location.address
    moved = call.docs.redirect(address)
    if moved is not None:
        return moved
    intended = without_framework_error(call.docs, address)
    if intended is not None:
        return _redirect_with_origin(intended, address)
    known = library.docs_facts(address.version).default_docs
    home = known or docs_home(find_version_docs(call.docs, library, address.version)) or ""
    default = call.docs.branch(location.ref).page_file(f"{location.docs_root}/{home}")
    if address.path.startswith("framework/") or default is None or location.file == default:
        return None
    return _redirect_with_origin(DocsAddress(library.id, address.version, home), address)


def _redirect_with_origin(target: DocsAddress, origin: DocsAddress) -> Redirect:
    """A redirect to another page than the requested one, which shows a notice about it."""
    return Redirect(f"{target}?{ORIGIN}={quote(origin.decoded)}", HTTPStatus.TEMPORARY_REDIRECT)


@request_data
class KnownPage:
    """A page as a reader saw it: its address, and its `digest` then."""

    address: str
    digest: str


@request_data
class ChangedRequest:
    pages: Annotated[tuple[KnownPage, ...], Field(max_length=MOST_KNOWN_PAGES)]


@dataclass(frozen=True)
class PageState:
    """`state` is `unknown` for a page that was not compared: it takes too long now."""

    address: str
    state: Literal["same", "changed", "missing", "unknown"]
    updated: str | None


@registry.function("docs.changed", method="POST", cache=PRIVATE)
async def docs_changed(call: Call, request: ChangedRequest) -> tuple[PageState, ...]:
    """Which of these pages have another text now."""
    return await asyncio.to_thread(_changed_pages, call, request.pages)


def _changed_pages(call: Call, pages: tuple[KnownPage, ...]) -> tuple[PageState, ...]:
    states = []
    deadline_s = time.monotonic() + COMPARE_S
    for known in pages:
        if time.monotonic() > deadline_s:
            states.append(PageState(known.address, "unknown", None))
            continue
        address = parse_docs_address(known.address)
        try:
            page = call.docs.page(call.docs.locate_address(address)) if address else None
        except (NotFound, Invalid, Refused):
            page = None
        except SiteError:
            states.append(PageState(known.address, "unknown", None))
            continue
        if page is None:
            states.append(PageState(known.address, "missing", None))
        else:
            same = not known.digest or page.digest == known.digest
            states.append(PageState(known.address, "same" if same else "changed", page.updated))
    return tuple(states)


@request_data
class FrameworkRequest:
    """Without a `framework`, requests the list of frameworks."""

    library: str
    framework: str | None = None


@registry.function("docs.framework", cache=DOCS)
async def docs_framework(call: Call, request: FrameworkRequest) -> tuple[Alternative, ...]:
    """The list of a framework's pages in every version; where a version has none, the list of its frameworks."""
    return await asyncio.to_thread(_framework_lists, call, request)


def _framework_lists(call: Call, request: FrameworkRequest) -> tuple[Alternative, ...]:
    library = call.site.catalog.library(request.library)
    found = []
    for segment, branch in published_versions(call, library):
        home = f"/{library.id}/{segment}/docs/framework"
        if request.framework is None:
            found.append(Alternative(segment, home))
        elif request.framework in branch.frameworks(library.docs_facts(segment).docs_root):
            found.append(Alternative(segment, f"{home}/{quote(request.framework)}"))
        else:
            found.append(Alternative(segment, home, "Frameworks"))
    return tuple(found)


@request_data
class NearestRequest:
    """`path` is the requested path below the docs root."""

    repo: str
    branch: str
    docs_root: str
    path: str
    version: str | None = None


@dataclass(frozen=True)
class MissingPage:
    """Suggestions for a URL without a page: similar pages, the most similar first, and a page in each version."""

    nearest: tuple[NearPage, ...]
    versions: tuple[Alternative, ...]


@registry.function("docs.nearest", cache=DOCS)
async def docs_nearest(call: Call, request: NearestRequest) -> MissingPage:
    """What a URL without a page may have meant."""
    ref = requested_ref(request.repo, request.branch)
    location = call.docs.locate(ref, f"{request.docs_root}/{request.path}", request.version)
    # In a thread: compares the path with the titles of all pages.
    return await asyncio.to_thread(_missing_page, call, location.address)


def _missing_page(call: Call, address: DocsAddress) -> MissingPage:
    return MissingPage(nearest_pages(call.docs, address), version_alternatives(call.docs, address))


@request_data
class NearestLibraryRequest:
    word: str


@registry.function("catalog.nearest", cache=DOCS)
async def nearest_libraries(call: Call, request: NearestLibraryRequest) -> tuple[NearPage, ...]:
    """The libraries that a word in an address may mean, the most similar first."""
    libraries = call.site.catalog.libraries
    return tuple(
        NearPage(libraries[at].name, f"/{libraries[at].id}/{LATEST}")
        for at in similar_names(request.word, [library.id for library in libraries])
    )


@request_data
class ArrivalRequest:
    """A page and the value of the parameter `from` in its URL. `path` is empty outside of the docs.

    Without `library` and `version`, a page outside of the libraries.
    """

    origin: str
    library: str | None = None
    version: str | None = None
    path: str = ""


@registry.function("docs.arrival", cache=DOCS)
async def docs_arrival(call: Call, request: ArrivalRequest) -> ArrivalNotice | None:
    """What a reader is told who was led to this page from another address."""
    here = None
    if request.library is not None and request.version is not None:
        here = DocsAddress(request.library, request.version, request.path)
    return await asyncio.to_thread(arrival_notice, call.docs, here, request.origin)

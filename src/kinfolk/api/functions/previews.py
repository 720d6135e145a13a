"""Previews of pull requests: what they change, and what is wrong with it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from kinfolk.api.registry import Call, Html, registry, request_data
from kinfolk.config.catalog import Library
from kinfolk.config.docs_address import preview_name
from kinfolk.content.docs.pages.location import version_segment
from kinfolk.content.docs.snapshots.preview_report import PageChange, PreviewComparison, PreviewFinding, PreviewPage
from kinfolk.content.pull_requests.pull_request import PullRequestState, pull_request_page
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound, SiteError

MOST_DIFFERENCES = 20
"""Differences that the start page of a preview shows."""
MOST_CHARACTERS = 400_000
"""Characters of the HTML of all differences of a page: a page may have 2 MB."""
DIFFERENCES_S = 2.0
"""Seconds after which no further difference is rendered."""
MOST_LISTED = 500


@dataclass(frozen=True)
class PreviewFacts:
    """A pull request. `commit` is abbreviated, `changed` the number of pages that it changes.

    `base` is the name of the version whose docs it changes.
    """

    number: int
    title: str
    author: str
    commit: str
    state: PullRequestState
    url: str | None
    changed: int
    base: str


@dataclass(frozen=True)
class ListedChange:
    """A page that a pull request changes. `difference` is null where it is not shown."""

    change: PageChange
    title: str
    path: str
    to: str
    before: str | None
    difference: Html | None


@dataclass(frozen=True)
class PreviewView:
    """The start page of a preview. `updated` is a day. `unlisted` is the number of further pages."""

    facts: PreviewFacts
    updated: str
    pages: tuple[ListedChange, ...]
    unlisted: int
    findings: tuple[PreviewFinding, ...]


@request_data
class PreviewRequest:
    library: str
    number: int


@registry.function("previews.view", cache=DOCS)
async def preview_view(call: Call, request: PreviewRequest) -> PreviewView:
    """What a pull request changes. Raises NotFound for one without a preview."""
    library = call.site.catalog.library(request.library)
    # In a thread: renders the changed pages in two versions.
    return await asyncio.to_thread(_view, call, library, preview_name(request.number))


def preview_facts(call: Call, library: Library, version: str) -> PreviewFacts | None:
    """The facts of a preview; None without one. Raises Unavailable where there is no copy of its files. Blocks."""
    known = call.site.previews.find(library.id, version) if call.site.previews else None
    if known is None or library.releases.table.version(version) is None:
        return None
    return _facts(call, library, version, PreviewComparison(call.docs, library, version))


def _facts(call: Call, library: Library, version: str, compared: PreviewComparison) -> PreviewFacts:
    known = call.site.previews.find(library.id, version) if call.site.previews else None
    if known is None:
        raise NotFound(f"{library.name} has no preview {version}")
    request, host = known.pull_request, library.code_host
    return PreviewFacts(
        number=request.number,
        title=request.title,
        author=request.author,
        commit=request.head[:7],
        state=request.state,
        url=pull_request_page(host, request.repository, request.number) if host else None,
        changed=compared.count,
        base=version_segment(library, library.version(compared.head.base)),
    )


def _view(call: Call, library: Library, version: str) -> PreviewView:
    call.docs.record_preview(library, version)
    compared = PreviewComparison(call.docs, library, version)
    facts = _facts(call, library, version, compared)
    pages = compared.pages()
    release = library.releases.table.version(version)
    return PreviewView(
        facts,
        release.day.isoformat() if release else "",
        tuple(_with_differences(compared, pages[:MOST_LISTED])),
        max(len(pages) - MOST_LISTED, 0),
        compared.findings(),
    )


def _with_differences(compared: PreviewComparison, pages: tuple[PreviewPage, ...]) -> list[ListedChange]:
    deadline_s = time.monotonic() + DIFFERENCES_S
    left, listed = MOST_CHARACTERS, []
    for at, page in enumerate(pages):
        html = None
        if at < MOST_DIFFERENCES and time.monotonic() < deadline_s:
            try:
                html = compared.difference(page)
            except SiteError:  # a page that cannot be shown: the findings say so
                html = None
        if html is not None and len(html) > left:
            html = None
        left -= len(html or "")
        shown = None if html is None else Html(html)
        listed.append(ListedChange(page.change, page.title, page.path, page.to, page.before, shown))
    return listed

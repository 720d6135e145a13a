"""Renders pages of the docs, and caches them across snapshots for as long as their dependencies stay the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.branch_docs import default_title
from kinfolk.content.docs.branch_reader import BranchReaders, Fingerprint
from kinfolk.content.docs.pages.links import DocsLinkResolver, page_links
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.pages.page_digest import page_digest
from kinfolk.content.markdown.markdown_page import Heading, MarkdownPage
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.snapshot import FileHistory
from kinfolk.runtime.cache import CacheBudget, CachePriority, ThreadSafeLRUCache
from kinfolk.runtime.errors import NotFound

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

RENDERED_LIMIT = 48 << 20
"""Bytes of memory for rendered pages, without highlighted code."""


_GENERATED = re.compile(r"^Defined in: \[|\A\s*<!--\s*DO NOT EDIT", re.MULTILINE)
"""A line of TypeDoc's Markdown plugin, or the usual first line of generated files. 1,696 of the 3,015 pages of the ten
libraries have it."""


@dataclass(frozen=True)
class RenderedDoc:
    """A page of the docs. `html` is the body without the title.

    `updated` is the date of the last change to its text, `contributors` are the authors, the latest first; None and
    empty where no history is known.
    """

    title: str
    description: str
    keywords: str | None
    html: str
    headings: tuple[Heading, ...]
    toc: bool
    file_path: str
    edit_url: str | None
    updated: str | None
    contributors: tuple[str, ...]
    missing_images: tuple[str, ...]
    pointer_images: tuple[tuple[str, bool], ...]
    """Images that are kept in Git LFS, and whether the code host shows them."""
    page: MarkdownPage

    @property
    def is_written(self) -> bool:
        """Whether people wrote the page: TypeDoc's pages name the source file of what they describe."""
        return not is_generated(self.page)

    @property
    def digest(self) -> str:
        """Changes with the title or the text."""
        return page_digest(self.title, self.page)


@dataclass(frozen=True)
class _CachedDoc:
    """A rendered page. `text_path` is the file that its text comes from."""

    page: MarkdownPage
    fingerprints: tuple[Fingerprint, ...]
    text_path: str
    missing_images: tuple[str, ...]
    pointer_images: tuple[tuple[str, bool], ...]

    @property
    def weight(self) -> int:
        """Bytes of memory, estimated."""
        return self.page.weight + 200 * len(self.fingerprints) + sum(map(len, self.missing_images))


_Key = tuple[Ref, str, str, str]


def is_generated(page: MarkdownPage) -> bool:
    """Whether a program wrote the page."""
    return _GENERATED.search(page.text) is not None


class PageRendering:
    """Renders pages for any snapshot and thread."""

    def __init__(self, catalog: Catalog, redirects: Redirects, caches: CacheBudget) -> None:
        self._catalog = catalog
        self._redirects = redirects
        self._cache: ThreadSafeLRUCache[_Key, _CachedDoc] = caches.add(
            "rendered docs", CachePriority.RENDERED, ThreadSafeLRUCache(RENDERED_LIMIT)
        )

    def page(
        self, branches: BranchReaders, location: DocsLocation, *, body: Callable[[MarkdownPage], str]
    ) -> RenderedDoc:
        """The page. `body` makes its HTML. Takes a millisecond to half a second when it is not cached.

        Raises NotFound for a missing page, Unavailable when it cannot be rendered now.
        """
        file = location.required_file()
        key = (location.ref, file, location.library.id, location.address.version)
        known = self._cache.get(key)
        if known is None or not branches.reuse(known.fingerprints):
            known = self._render(branches, location, file)
            self._cache.put(key, known, weight=known.weight)
        history = branches.branch(location.ref).history(known.text_path)
        return _rendered_doc(location, known, history, html=body(known.page))

    def _render(self, branches: BranchReaders, location: DocsLocation, file: str) -> _CachedDoc:
        with branches.nested() as (nested, recorder):
            branch = nested.branch(location.ref)
            links = page_links(self._catalog, self._redirects, nested, location)

            def links_of(ref_path: str | None) -> DocsLinkResolver:
                links.ref_path = ref_path
                return links

            source, _ = branch.source(file)
            try:
                page = branch.markdown.page(source, links=links_of, framework=location.framework)
            except NotFound as missing:
                ref = location.ref
                log.warning("page not shown", repo=ref.repo, branch=ref.branch, path=file, reason=missing.message)
                raise
        return _CachedDoc(
            page,
            branches.fingerprints(recorder.dependencies),
            page.ref_path or branch.real_file(file),
            tuple(dict.fromkeys(links.missing_images)),
            tuple(links.pointer_images.items()),
        )


def _edit_url(location: DocsLocation, path: str) -> str | None:
    """None for a library whose files are only on this machine."""
    library, ref = location.library, location.ref
    return library.code_host.edit(ref.repo, ref.branch, path) if library.code_host else None


def _rendered_doc(location: DocsLocation, cached: _CachedDoc, history: FileHistory | None, *, html: str) -> RenderedDoc:
    page, file = cached.page, location.required_file()
    return RenderedDoc(
        title=page.title or default_title(file),
        description=page.description,
        keywords=page.front.keywords,
        html=html,
        headings=page.headings,
        toc=page.front.toc,
        file_path=file,
        edit_url=_edit_url(location, cached.text_path),
        updated=history.updated.date().isoformat() if history else None,
        contributors=history.authors if history else (),
        missing_images=cached.missing_images,
        pointer_images=cached.pointer_images,
        page=page,
    )

"""Renders the difference of a page between two versions, and caches it while what both are made of stays the same."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.changes.difference_html import RenderedDifference, plain_difference, render_difference
from kinfolk.content.changes.page_difference import page_difference
from kinfolk.content.changes.part_rendering import process_rendering
from kinfolk.content.docs.branch_reader import BranchReaders, Fingerprint
from kinfolk.content.docs.pages.links import DocsLinkResolver, page_links
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.pages.page_rendering import PageRendering, RenderedDoc
from kinfolk.content.markdown.dialects import find_dialect
from kinfolk.content.markdown.source.compose import ComposedMarkdown
from kinfolk.content.redirects import Redirects
from kinfolk.runtime.cache import CacheBudget, CachePriority, ThreadSafeLRUCache
from kinfolk.runtime.errors import NotFound

DIFFERENCES_LIMIT = 8 << 20
"""Bytes of memory for rendered differences, without highlighted code: about 300 of 25 kB."""

_Side = tuple[Ref, str, str, str] | None
"""The branch or tag, file, library and version in links of one version of a page."""


@dataclass(frozen=True)
class DocDifference:
    """The difference of a page. `title` is that of the newer version which has the page."""

    title: str
    rendered: RenderedDifference


@dataclass(frozen=True)
class _CachedDifference:
    difference: DocDifference
    fingerprints: tuple[Fingerprint, ...]

    @property
    def weight(self) -> int:
        """Bytes of memory, estimated."""
        rendered = self.difference.rendered
        html = sum(len(piece) for piece in rendered.pieces if isinstance(piece, str))
        code = sum(len(block.code) for block in rendered.code_blocks)
        return 2_000 + html + code + 200 * (len(rendered.pieces) + len(self.fingerprints))


@dataclass(frozen=True)
class _PageVersion:
    """One version of a page. `is_plain` is true for one that exceeds a limit of pages."""

    title: str
    links: DocsLinkResolver
    composed: ComposedMarkdown
    is_plain: bool


class DifferenceRendering:
    """Renders differences for any snapshot and thread."""

    def __init__(self, catalog: Catalog, redirects: Redirects, pages: PageRendering, caches: CacheBudget) -> None:
        self._catalog = catalog
        self._redirects = redirects
        self._pages = pages
        self._cache: ThreadSafeLRUCache[tuple[_Side, _Side], _CachedDifference] = caches.add(
            "page differences", CachePriority.RENDERED, ThreadSafeLRUCache(DIFFERENCES_LIMIT)
        )

    def difference(self, branches: BranchReaders, old: DocsLocation | None, new: DocsLocation | None) -> DocDifference:
        """The difference of a page; None for a version without it. Takes up to some seconds when it is not cached.

        Raises NotFound for a missing page, or without any version, Unavailable when it cannot be rendered now.
        """
        key = _side(old), _side(new)
        known = self._cache.get(key)
        if known is None or not branches.reuse(known.fingerprints):
            with branches.nested() as (nested, recorder):
                difference = self._render(nested, old, new)
            known = _CachedDifference(difference, branches.fingerprints(recorder.dependencies))
            self._cache.put(key, known, weight=known.weight)
        return known.difference

    def _render(self, branches: BranchReaders, old: DocsLocation | None, new: DocsLocation | None) -> DocDifference:
        before, after = (self._version(branches, location) if location else None for location in (old, new))
        difference = page_difference(before.composed if before else None, after.composed if after else None)
        shown, location = (after, new) if after is not None else (before, old)
        if shown is None or location is None:
            raise NotFound("There is no such page")
        if any(each.is_plain for each in (before, after) if each):
            return DocDifference(shown.title, plain_difference(difference))
        branch = branches.branch(location.ref)
        name = f"{location.ref}:{location.file} (difference)"
        rendered = render_difference(
            difference,
            render_part=process_rendering(branch.markdown, name, location.framework),
            old_links=(before or shown).links,
            new_links=shown.links,
            page_address=str(location.address),
        )
        return DocDifference(shown.title, rendered)

    def _version(self, branches: BranchReaders, location: DocsLocation) -> _PageVersion:
        """The text of a page as it is shown: `ref`, `replace` and dialects are applied."""
        doc: RenderedDoc = self._pages.page(branches, location, body=lambda _: "")
        place = branches.branch(location.ref).source(location.required_file())[0].place
        composed = ComposedMarkdown(
            doc.page.text,
            doc.page.front,
            ref_path=doc.page.ref_path,
            dialect=find_dialect(place.dialect) if place else None,
        )
        links = page_links(self._catalog, self._redirects, branches, location, doc.page.ref_path)
        return _PageVersion(doc.title, links, composed, is_plain=doc.page.limit is not None)


def _side(location: DocsLocation | None) -> _Side:
    if location is None:
        return None
    return location.ref, location.required_file(), location.library.id, location.address.version

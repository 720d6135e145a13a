"""Reads a docs snapshot for one response, and records the dependencies of the response.

This is the only way from a response to the docs: a reader gives no access to its docs, snapshot or trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote

from kinfolk.config.catalog import WHOLE_REPOSITORY, Catalog, Library
from kinfolk.config.catalog.releases import ReleaseTable
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.code_checks.check_report import VersionReport
from kinfolk.content.code_checks.check_results import PageCheck, blocks_digest
from kinfolk.content.code_checks.check_store import CheckRun, CheckStore
from kinfolk.content.dependencies import (
    DependencyRecorder,
    code_check_of,
    code_checks_of_library,
    marks_of_library,
    preview_of,
    releases_of_library,
)
from kinfolk.content.docs.branch_reader import BranchReader, BranchReaders
from kinfolk.content.docs.marks.docs_marks import NO_MARKS, path_inside
from kinfolk.content.docs.marks.library_marks import LibraryMarks
from kinfolk.content.docs.menus.menu_config import DocsConfig
from kinfolk.content.docs.other_pages.symbol_pages import SymbolPages, SymbolPlace
from kinfolk.content.docs.pages.difference_rendering import DocDifference
from kinfolk.content.docs.pages.location import DocsLocation, home_of, locate
from kinfolk.content.docs.pages.markdown_export import MarkdownExport
from kinfolk.content.docs.pages.navigation import config_of
from kinfolk.content.docs.pages.page_rendering import RenderedDoc
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.content.markdown.code.highlighting import highlighted_body, highlighted_code
from kinfolk.content.markdown.code.name_links import NameLink
from kinfolk.content.markdown.markdown_page import NO_NAMES, CodeBlock, MarkdownPage
from kinfolk.content.redirects import Redirect, Redirects
from kinfolk.content.sources.paths import page_fault, path_fault, quoted_path
from kinfolk.runtime.errors import Invalid, NotFound, Refused

MIN_BLOB_PREFIX = 12
"""Digits of a git id that identify the content of a file for ever, and that nobody guesses."""


@dataclass(frozen=True)
class SymbolReference:
    """The page or section about a symbol.

    `since` is the minor version in which it appeared: None if that is not known, or in the first known release.
    `deprecated` is a line about a deprecated symbol.
    """

    address: str
    since: str | None = None
    deprecated: str = ""


class ContentReader:
    """`recorder` gets a dependency for each read."""

    def __init__(self, docs_snapshot: DocsSnapshot, recorder: DependencyRecorder | None = None) -> None:
        self._docs_snapshot = docs_snapshot
        self._recorder = recorder or DependencyRecorder()
        self._branches = BranchReaders(docs_snapshot.catalog, docs_snapshot.find, self._recorder)

    @property
    def catalog(self) -> Catalog:
        return self._docs_snapshot.catalog

    @property
    def redirects(self) -> Redirects:
        return self._docs_snapshot.redirects

    # Branches

    def branch(self, ref: Ref) -> BranchReader:
        """Raises Refused for a branch that the catalog does not name, Unavailable where there is no copy of it."""
        return self._branches.branch(ref)

    def find_branch(self, ref: Ref) -> BranchReader | None:
        """The branch, or None where there is no copy of it."""
        return self._branches.find(ref)

    def branches(self) -> dict[Ref, BranchReader]:
        """All branches of the catalog that there is a copy of."""
        found = {ref: self._branches.find(ref) for ref in self.catalog.refs}
        return {ref: branch for ref, branch in found.items() if branch is not None}

    def branch_with(self, ref: Ref, path: str, *, blob_prefix: str = "") -> BranchReader:
        """The branch of a file or folder that requests may read: one in a docs root or of the examples.

        Of other files, one whose content the request names with `blob_prefix`, the beginning of its git id: only a page
        that shows the file has that. Raises Invalid for a path that no file has, Refused for other paths.
        """
        branch = self.branch(ref)
        fault = path_fault(path)
        if fault is not None:
            raise Invalid(f"Invalid path {quoted_path(path[:80])}: {fault}")
        is_named = len(blob_prefix) >= MIN_BLOB_PREFIX and (branch.blob(path) or "").startswith(blob_prefix)
        is_docs = self.catalog.docs_home(ref, path) is not None or branch.is_static(path)
        if not is_docs and not is_named and not branch.examples_layout.has(path):
            raise Refused(f"{path} lies outside the docs and examples of {ref}")
        return branch

    def pages(self, ref: Ref, docs_root: str | None = None) -> tuple[str, ...]:
        """The addresses of the pages of a branch in some docs, or of those in a docs root."""
        found = [
            (path, self.catalog.docs_root(ref, path)) for path in self._docs_files(ref) if page_fault(path) is None
        ]
        # The docs of a whole repository have its files, too, whose pages have addresses of their own.
        start = f"{WHOLE_REPOSITORY}/"
        return tuple(
            path
            for path, root in found
            if docs_root in (None, root) and (root != WHOLE_REPOSITORY or path.startswith(start))
        )

    def files_without_url(self, ref: Ref) -> dict[str, str]:
        """The Markdown files in docs roots that have no URL -> the reason."""
        return {path: fault for path in self._docs_files(ref) if (fault := page_fault(path)) is not None}

    def _docs_files(self, ref: Ref) -> Iterable[str]:
        return (path for path in self.branch(ref).markdown_files() if self.catalog.docs_home(ref, path))

    def releases(self, library: Library) -> ReleaseTable:
        """The known releases of a library."""
        self._recorder.record(releases_of_library(library.id))
        return library.releases.table

    def release_files(self, library: Library, number: str) -> Mapping[str, str]:
        """Path -> git id of the files of a release. Raises NotFound for an unknown one, Unavailable. Reads the disk."""
        if self._docs_snapshot.releases is None or self.releases(library).version(number) is None:
            raise NotFound(f"{library.name} has no release {number}")
        return self._docs_snapshot.releases.files(library.ref(number))

    def marks(self, library: Library) -> LibraryMarks:
        """Which pages of a library's latest docs are new or were updated."""
        self._recorder.record(marks_of_library(library.id))
        releases = self._docs_snapshot.releases
        return releases.marks.of(library.id) if releases is not None and releases.marks is not None else NO_MARKS

    # Pages

    def locate(self, ref: Ref, file_path: str, version: str | None = None) -> DocsLocation:
        """The page of a Markdown file. `version` is the version in the requesting URL; by default that of the branch.

        Raises what `branch` raises, Invalid for a path that no file has, Refused for a path outside of the docs.
        """
        return locate(self.catalog, self.branch(ref), file_path, version)

    def locate_address(self, address: DocsAddress) -> DocsLocation:
        """The page at an address. Raises NotFound for an unknown library, and what `locate` raises."""
        library = self.catalog.library(address.library)
        facts = library.docs_facts(address.version)
        return self.locate(facts.ref, f"{facts.docs_root}/{address.path}.md", address.version)

    def home(self, ref: Ref, file_path: str) -> tuple[Library, str]:
        """The library that a file documents, and the name of the branch's version in URLs. Raises as `locate` does."""
        self.branch(ref)
        return home_of(self.catalog, ref, file_path)

    def page(self, location: DocsLocation) -> RenderedDoc:
        """Raises NotFound for a missing page, Unavailable if it cannot be rendered now. Blocks for up to 0.5 s."""
        return self._docs_snapshot.rendering.page(self._branches, location, body=self.highlighted_body)

    def difference(self, old: DocsLocation | None, new: DocsLocation | None) -> DocDifference:
        """The difference of a page between two versions; None for a version without it. Blocks for up to some seconds.

        Raises NotFound for a missing page, Unavailable if it cannot be rendered now.
        """
        return self._docs_snapshot.differences.difference(self._branches, old, new)

    def export(self, location: DocsLocation, *, origin: str) -> MarkdownExport:
        """The page as Markdown, its links to this site with `origin`. Raises what `page` raises."""
        return self._docs_snapshot.exports.export(self._branches, location, origin=origin)

    def summary(self, location: DocsLocation) -> tuple[str, str]:
        """The title and the description of a page. Raises what `page` raises."""
        return self._docs_snapshot.exports.summary(self._branches, location)

    def is_export_cached(self, location: DocsLocation) -> bool:
        """Whether `export` only has to resolve links."""
        branch = self.branch(location.ref)
        return location.file is not None and self._docs_snapshot.exports.cache.find(branch, location.file) is not None

    def redirect(self, address: DocsAddress) -> Redirect | None:
        """The redirect of a missing page: from `redirect_from` of another page, or from `redirects.toml`."""
        library = self.catalog.library(address.library)
        facts = library.docs_facts(address.version)
        target = self.branch(facts.ref).redirect_target(facts.docs_root, address.path)
        if target is not None and target != address.path:
            moved = DocsAddress(address.library, address.version, target)
            return Redirect(str(moved), HTTPStatus.MOVED_PERMANENTLY)
        return self.redirects.match(address.decoded, missing=True)

    # Previews of pull requests

    def record_preview(self, library: Library, version: str) -> None:
        """Record that a response depends on which pull request a preview shows, and at which commit."""
        self._recorder.record(preview_of(library.id, version))

    def fork_files(self, library: Library, version: str) -> Mapping[str, str] | None:
        """Path -> git id of the files that a preview began with; None where its history is not known. Reads the disk.

        Raises NotFound for a version that is no preview.
        """
        releases, preview = self._docs_snapshot.releases, library.releases.table.version(version)
        if releases is None or preview is None or preview.pull_request is None:
            raise NotFound(f"{library.name} has no preview {version[:20]}")
        base = self.branch(library.ref(preview.pull_request.base))
        return releases.fork_files(library.ref(version), base.revision)

    # Navigation

    def config(self, ref: Ref, docs_root: str) -> DocsConfig:
        """The whole navigation below a docs root. Raises what `config_of` raises."""
        return config_of(self.catalog, self.branch(ref), docs_root)

    def navigation(self, ref: Ref, docs_root: str) -> DocsConfig:
        """The navigation without entries that have no target. `kinfolk check` reports those entries."""
        return self._docs_snapshot.navigations.get(self._branches, ref, docs_root)

    def cached_navigation(self, ref: Ref, docs_root: str) -> DocsConfig | None:
        """The navigation, if it is in the cache. Does not block."""
        return self._docs_snapshot.navigations.find(self._branches, ref, docs_root)

    def deprecated_pages(self, ref: Ref, docs_root: str) -> Mapping[str, str]:
        """The deprecated pages of a navigation that was read before, each with a line about it. Does not block."""
        return self._docs_snapshot.navigations.deprecated(ref, docs_root)

    # Symbols

    def symbol_address(
        self, library: Library, version: str, name: str, *, owner: str = "", framework: str | None = None
    ) -> str | None:
        """The address of the page or section about a symbol; None where no page is about it.

        `version` is the name in addresses. `owner` has the member `name`; empty for an export. A page of `framework`
        comes first, then one that is the same in all. The first lookup in a revision reads its API reference: 0.5 ms a
        page. Raises what `branch` raises.
        """
        place = self._symbol_place(library, version, name, owner, framework)
        return _address_of(library, version, place) if place is not None else None

    def symbol_reference(
        self, library: Library, version: str, name: str, *, owner: str = "", framework: str | None = None
    ) -> SymbolReference | None:
        """Like `symbol_address`, with what the docs say about the symbol. Depends on the releases of the library, too.

        Only the latest version knows since when a symbol is documented.
        """
        place = self._symbol_place(library, version, name, owner, framework)
        if place is None:
            return None
        since, facts = None, library.docs_facts(version)
        if facts.version.name == library.latest_version:
            file = self.branch(facts.ref).real_file(f"{facts.docs_root}/{place.path}.md")
            since = self.marks(library).symbol_release(path_inside(facts.docs_root, file), place.anchor)
        return SymbolReference(_address_of(library, version, place), since, place.deprecated)

    def symbol_renames(
        self, library: Library, version: str, name: str, *, framework: str | None = None
    ) -> tuple[str, ...]:
        """What guides to new versions say that a name became; the last name comes last. Raises what `branch` raises."""
        return tuple(self._symbol_pages(library, version).renamed(name, framework))

    def documented_symbols(self, library: Library, version: str) -> frozenset[str]:
        """The names of exports that pages of a version are about. Raises what `branch` raises."""
        return self._symbol_pages(library, version).names()

    def _symbol_pages(self, library: Library, version: str) -> SymbolPages:
        facts = library.docs_facts(version)
        return self.branch(facts.ref).symbol_pages(facts.docs_root)

    def _symbol_place(
        self, library: Library, version: str, name: str, owner: str, framework: str | None
    ) -> SymbolPlace | None:
        return self._symbol_pages(library, version).find(name, owner=owner, framework=framework)

    # Checks of code

    def code_check(self, location: DocsLocation, page: MarkdownPage) -> PageCheck | None:
        """The check of the code that the page shows; None for code that was not checked, or no longer is this code."""
        store = self._docs_snapshot.code_checks
        if store is None or not page.code_blocks:
            return None
        library, address = location.library, location.address
        version = library.docs_facts(address.version).version.name
        self._recorder.record(code_check_of(library.id, version, address.path))
        return store.page(library.id, version, address.path, blocks_digest(page.code_blocks))

    def code_check_run(self, location: DocsLocation) -> CheckRun | None:
        """The last complete check of the version of a page. A page with a check depends on that."""
        store, library = self._docs_snapshot.code_checks, location.library
        version = library.docs_facts(location.address.version).version.name
        return store.run(library.id, version) if store is not None else None

    def code_reports(self, library: Library) -> tuple[VersionReport, ...] | None:
        """What the last checks of a library's versions found; None on a site that checks no code."""
        store = self._docs_snapshot.code_checks
        if store is None:
            return None
        self._recorder.record(code_checks_of_library(library.id))
        found = (store.report(library.id, version) for version in library.version_names)
        return tuple(report for report in found if report is not None)

    def checked_code(self) -> CheckStore | None:
        """All checks, for pages that are not cached; None on a site that checks no code."""
        return self._docs_snapshot.code_checks

    # Highlighted code

    def highlighted_body(self, page: MarkdownPage, names: Mapping[int, Sequence[NameLink]] = NO_NAMES) -> str:
        """The HTML of a page, with the highlighted code that exists by now. `names` as for `MarkdownPage.html`."""
        return highlighted_body(page, self._docs_snapshot.highlighter, self._recorder, names)

    def highlighted_code(self, blocks: Iterable[CodeBlock]) -> Mapping[CodeBlock, str]:
        """The HTML of the blocks that are highlighted by now."""
        return highlighted_code(blocks, self._docs_snapshot.highlighter, self._recorder)


def _address_of(library: Library, version: str, place: SymbolPlace) -> str:
    address = str(DocsAddress(library.id, version, place.path))
    return f"{address}#{quote(place.anchor)}" if place.anchor else address

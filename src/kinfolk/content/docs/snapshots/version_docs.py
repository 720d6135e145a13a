"""The docs of one library in one version: pages, examples and navigation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import structlog

from kinfolk.config.catalog import LATEST, Library, Version, VersionDocsFacts
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.docs.menus.menu_config import DocsConfig
from kinfolk.content.docs.pages.location import EXAMPLE, DocsLocation, path_in_docs, version_segment
from kinfolk.content.docs.pages.markdown_export import MarkdownExport
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.runtime.errors import NotFound, SiteError, Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class VersionDocs:
    docs: ContentReader
    library: Library
    version: Version

    @property
    def facts(self) -> VersionDocsFacts:
        return self.library.docs_facts(self.version.name)

    @property
    def docs_root(self) -> str:
        return self.facts.docs_root

    @property
    def ref(self) -> Ref:
        return self.facts.ref

    @property
    def segment(self) -> str:
        """The name of the version in URLs."""
        return version_segment(self.library, self.version)

    @property
    def base(self) -> str:
        return self.address("").base

    @property
    def branch(self) -> BranchReader:
        return self.docs.branch(self.ref)

    def address(self, path: str) -> DocsAddress:
        return DocsAddress(self.library.id, self.segment, path)

    def pages(self) -> Mapping[str, str]:
        """The path of each page below the docs -> its file."""
        branch = self.branch
        found = {}
        for file in self.docs.pages(self.ref, self.docs_root):
            path = path_in_docs(self.docs_root, file)
            folder = path.removesuffix("/index")
            is_index = folder != path and branch.page_file(f"{self.docs_root}/{folder}") == file
            found[folder if is_index else path] = file
        return found

    def listed_pages(self) -> Mapping[str, str]:
        """The pages that search and lists have: those with content."""
        branch, root = self.branch, self.docs_root
        left_out = branch.pages_without_text(root) | branch.generated_pages(root)
        return {path: file for path, file in self.pages().items() if file not in left_out}

    def examples(self) -> tuple[str, ...]:
        """The paths below the docs of the examples that the navigation names."""
        branch = self.branch
        paths = dict.fromkeys(link.path for link in self.config().links())
        found = ((path, EXAMPLE.fullmatch(path)) for path in paths)
        return tuple(path for path, example in found if example and branch.has_example(example[1], example[2]))

    def config(self) -> DocsConfig:
        """The whole navigation; empty where it is missing or wrong, because the pages can be read without it."""
        try:
            return self.docs.config(self.ref, self.docs_root)
        except (NotFound, Unavailable):
            return DocsConfig(())

    @cached_property
    def frameworks(self) -> tuple[str, ...]:
        """The frameworks of this version, in the order of `kinfolk.toml`: every list and every number is made of these.

        They are those that the navigation has links for; without any, those that have pages; else those of the catalog.
        """
        try:
            sections = self.docs.navigation(self.ref, self.docs_root).sections
        except (NotFound, Unavailable):
            sections = ()
        named = {entry.label for section in sections for entry in section.frameworks if entry.children}
        found = named or self.branch.frameworks(self.docs_root) or self.library.frameworks
        return self.docs.catalog.sort_frameworks(found)

    def locate(self, file: str) -> DocsLocation:
        return self.docs.locate(self.ref, file, self.segment)

    def export(self, file: str, origin: str) -> MarkdownExport | None:
        """The page of a file as Markdown; None for a page that cannot be read."""
        try:
            return self.docs.export(self.locate(file), origin=origin)
        except SiteError as wrong:
            log.info("page left out", ref=str(self.ref), path=file, reason=wrong.message)
            return None

    def summary(self, file: str) -> tuple[str, str] | None:
        """The title and the description of the page of a file; None for a page that cannot be read."""
        try:
            return self.docs.summary(self.locate(file))
        except SiteError:
            return None


def find_version_docs(docs: ContentReader, library: Library, version: str) -> VersionDocs:
    """The docs of a version or a release.

    Raises NotFound for an unknown one, Unavailable where there is no copy of its branch or tag.
    """
    if not library.is_known_version(version):
        raise NotFound(f"{library.name} has no version {version}")
    found = VersionDocs(docs, library, library.docs_facts(version).version)
    docs.branch(found.ref)
    return found


def latest_frameworks(docs: ContentReader, library: Library) -> tuple[str, ...]:
    """The frameworks of the latest version; those of the catalog while there is no copy of its branch."""
    try:
        return find_version_docs(docs, library, LATEST).frameworks
    except Unavailable:
        return library.frameworks


def list_version_docs(docs: ContentReader) -> Iterator[VersionDocs]:
    """All versions that there is a copy of, by library, the newest version first."""
    for library in docs.catalog.libraries:
        for version in library.versions:
            if docs.find_branch(library.ref(version.name)) is not None:
                yield VersionDocs(docs, library, version)

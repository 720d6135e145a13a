"""What a call of a tool reads: the site, one docs snapshot, and the date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from kinfolk.config.catalog import LATEST, Catalog, Library
from kinfolk.config.docs_address import is_preview_name
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.other_pages.docs_home import docs_home
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, find_version_docs
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.site.site import Site


@dataclass(frozen=True)
class ToolContext:
    """The context of one call. `today` is in UTC."""

    site: Site
    docs_snapshot: DocsSnapshot
    today: date

    @cached_property
    def docs(self) -> ContentReader:
        return ContentReader(self.docs_snapshot)

    @property
    def catalog(self) -> Catalog:
        return self.docs_snapshot.catalog

    @property
    def snapshot(self) -> str:
        """The id of the docs of all libraries: the revision of answers about several of them."""
        return self.docs_snapshot.snapshot.id

    def url(self, path: str) -> str:
        """The absolute address of a path of the site."""
        return f"{self.site.settings.origin}{path}"

    def library(self, id: str) -> Library:
        """Raises NotFound."""
        library = self.catalog.find_library(id)
        if library is None:
            raise NotFound(f'There is no library "{id}". The tool list_libraries lists all.')
        return library

    def version_docs(self, library: Library, version: str = LATEST) -> VersionDocs:
        """Raises NotFound for an unknown version, Unavailable where there is no copy of its branch."""
        # The text of pull requests is not reviewed: agents get none of it.
        if not library.is_known_version(version) or is_preview_name(version):
            names = ", ".join((LATEST, *library.version_names))
            raise NotFound(f'{library.name} has no version "{version}". Its versions: {names}.')
        return find_version_docs(self.docs, library, version)

    def docs_home(self, library: Library, version: str) -> str:
        """The path of the first page of a version; empty while there is no copy of its docs."""
        known = library.docs_facts(version).default_docs
        if known is not None:
            return known
        try:
            return docs_home(find_version_docs(self.docs, library, version)) or ""
        except Unavailable:
            return ""

    def revision(self, library: Library, version: str = LATEST) -> str | None:
        """The commit that the docs of a version are read from; None where there is no copy of its branch."""
        branch = self.docs.find_branch(library.ref(version))
        return branch.revision if branch else None

"""Finds the library, the version and the file of a requested page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kinfolk.config.catalog import LATEST, Catalog, Library, Version
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.sources.paths import is_plain_path
from kinfolk.runtime.errors import Invalid, NotFound, Refused

EXAMPLE = re.compile(r"framework/([^/]+)/examples/([^/]+)")
"""The path of an example below the docs."""


@dataclass(frozen=True)
class DocsLocation:
    """A requested page. `address.version` is the version in the page's links; `file` is None for a missing page."""

    ref: Ref
    docs_root: str
    library: Library
    address: DocsAddress
    file: str | None

    @property
    def framework(self) -> str | None:
        return framework_of(self.docs_root, self.file) if self.file else None

    def is_of_other_version(self, requested: str | None) -> bool:
        """Whether the file is of another version than the requested one: its folder is within that of the latter."""
        is_known = requested is not None and self.library.is_known_version(requested)
        return is_known and requested != self.address.version

    def required_file(self) -> str:
        """Raises NotFound for a missing page."""
        if self.file is None:
            name, version = self.library.name, self.address.version
            docs = name if version == LATEST else f"{name} {version}"
            raise NotFound(f"There is no page “{self.address.path[:200]}” in the docs of {docs}")
        return self.file


def locate(catalog: Catalog, branch: BranchReader, file_path: str, version: str | None) -> DocsLocation:
    """The page of a Markdown file. `version` is the version in the requesting URL; by default that of the folder.

    Raises Invalid for a path that no file has, Refused for a path outside of the docs.
    """
    library, own = home_of(catalog, branch.ref, file_path)
    docs_root = catalog.docs_root(branch.ref, file_path) or ""
    chosen = own
    if version and library.is_known_version(version):
        facts = library.docs_facts(version)
        # A file in the folder of another version of the branch is a page of that version.
        chosen = own if facts.ref == branch.ref and facts.docs_root != docs_root else version
    address = DocsAddress(library.id, chosen, path_in_docs(docs_root, file_path))
    return DocsLocation(branch.ref, docs_root, library, address, branch.page_file(file_path.removesuffix(".md")))


def home_of(catalog: Catalog, ref: Ref, file_path: str) -> tuple[Library, str]:
    """The library that a file documents, and the name in URLs of the version that it is of."""
    if not is_plain_path(file_path):
        raise Invalid("Invalid docPath")
    home = catalog.docs_home(ref, file_path)
    if home is None:
        raise Refused(f"{file_path} lies outside the docs of {ref}")
    library, version = home
    return library, version_segment(library, version)


def version_segment(library: Library, version: Version) -> str:
    """The name of a version in URLs: `latest` for the latest one."""
    return LATEST if version.name == library.latest_version else version.name


def framework_of(docs_root: str, path: str) -> str | None:
    """The framework that the path of a page names: `docs/framework/vue/…` -> vue."""
    match path.removeprefix(f"{docs_root}/").split("/"):
        case ["framework", framework, _, *_]:
            return framework
    return None


def path_in_docs(docs_root: str, file_path: str) -> str:
    """`docs/guides/caching.md` -> `guides/caching`."""
    return file_path.removeprefix(f"{docs_root}/").removesuffix(".md")

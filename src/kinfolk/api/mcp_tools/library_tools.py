"""The tools `list_libraries` and `list_versions`."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.api.mcp_tools.argument_types import LibraryId, tool_arguments
from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.config.catalog import LATEST
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.docs.pages.location import version_segment
from kinfolk.content.docs.snapshots.version_docs import latest_frameworks


@tool_arguments
class NoArguments:
    """A tool without arguments."""


@tool_arguments
class LibraryArguments:
    library: LibraryId


@dataclass(frozen=True)
class ListedLibrary:
    """`version` is the latest one. `revision` is None where this site has no copy of the docs."""

    id: str
    name: str
    tagline: str
    version: str
    revision: str | None
    frameworks: tuple[str, ...]
    npm_packages: tuple[str, ...]
    repository: str | None
    address: str
    llms_txt: str


@dataclass(frozen=True)
class LibrariesAnswer:
    """`revision` is the id of the docs of all libraries."""

    version: str
    revision: str
    address: str
    libraries: tuple[ListedLibrary, ...]


@dataclass(frozen=True)
class ListedVersion:
    """`committed` is the date of the commit. Without a copy of the docs, it and `revision` are None."""

    version: str
    is_latest: bool
    branch: str
    revision: str | None
    committed: str | None
    pages: int
    address: str


@dataclass(frozen=True)
class VersionsAnswer:
    """`version` and `revision` are those of the latest version."""

    library: str
    version: str
    revision: str | None
    address: str
    versions: tuple[ListedVersion, ...]


def list_libraries(context: ToolContext, _: NoArguments) -> LibrariesAnswer:
    libraries = tuple(
        ListedLibrary(
            id=library.id,
            name=library.name,
            tagline=library.tagline,
            version=library.latest_version,
            revision=context.revision(library),
            frameworks=latest_frameworks(context.docs, library),
            npm_packages=library.npm_packages,
            repository=library.repo_url,
            address=context.url(str(DocsAddress(library.id, LATEST, context.docs_home(library, LATEST)))),
            llms_txt=context.url(f"/{library.id}/{LATEST}/llms.txt"),
        )
        for library in context.catalog.libraries
    )
    return LibrariesAnswer(LATEST, context.snapshot, context.url("/"), libraries)


def list_versions(context: ToolContext, arguments: LibraryArguments) -> VersionsAnswer:
    """Raises NotFound for an unknown library."""
    library = context.library(arguments.library)
    versions = []
    for version in library.versions:
        branch = context.docs.find_branch(library.ref(version.name))
        committed = branch.changed_at if branch else None
        segment = version_segment(library, version)
        versions.append(
            ListedVersion(
                version=version.name,
                is_latest=segment == LATEST,
                branch=library.ref(version.name).branch,
                revision=branch.revision if branch else None,
                committed=committed.isoformat() if committed else None,
                pages=len(branch.page_paths(library.docs_facts(version.name).docs_root)) if branch else 0,
                address=context.url(str(DocsAddress(library.id, segment, context.docs_home(library, segment)))),
            )
        )
    return VersionsAnswer(
        library=library.id,
        version=library.latest_version,
        revision=context.revision(library),
        address=context.url(f"/{library.id}/{LATEST}"),
        versions=tuple(versions),
    )

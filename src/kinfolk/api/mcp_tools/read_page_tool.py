"""The tool `read_page`: a docs page as Markdown, in parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import unquote

from pydantic import Field

from kinfolk.api.mcp_tools.argument_types import PageAddress, PagePath, VersionName, tool_arguments
from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.api.mcp_tools.used_symbols import UsedSymbol, used_symbols
from kinfolk.config.catalog import LATEST
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.docs.machine_readable.page_history import page_change
from kinfolk.content.docs.other_pages.nearest_page import nearest_pages
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.content.sources.paths import path_fault
from kinfolk.runtime.errors import Invalid, NotFound

PART_CHARACTERS = 20_000
"""Of a page of 300 kB, the longest one, a language model would read 75,000 tokens at once."""
MAX_OFFSET = 10_000_000
_DOCS = re.compile(r"/([^/]+)/([^/]+)/docs(?:/(.+))?")
_SUGGESTIONS = 3


@tool_arguments
class ReadPageArguments:
    """A page has an address, or a library, a version and a path."""

    address: PageAddress = ""
    library: Annotated[str, Field(max_length=60, description="Id of a library, if there is no address.")] = ""
    version: VersionName = LATEST
    path: PagePath = ""
    offset: Annotated[
        int, Field(ge=0, le=MAX_OFFSET, description="First character: `next_offset` of the part before.")
    ] = 0


@dataclass(frozen=True)
class PageAnswer:
    """A part of a page. `next_offset` is None in the last part; `updated` where the history is not known.

    `symbols` are the names of the library that the code of the part uses, where the site checks code.
    """

    title: str
    description: str
    library: str
    version: str
    revision: str
    address: str
    markdown_address: str
    updated: str | None
    offset: int
    next_offset: int | None
    total_characters: int
    symbols: tuple[UsedSymbol, ...]
    markdown: str


def read_page(context: ToolContext, arguments: ReadPageArguments) -> PageAnswer:
    """Raises NotFound and Invalid with a message that names the library, the version or similar pages."""
    version_docs, location = _find(context, _requested(context, arguments))
    export = context.docs.export(location, origin=context.site.settings.origin)
    text, offset = export.text, arguments.offset
    if offset >= len(text):
        raise Invalid(f"offset: The page has {len(text)} characters")
    end = _end_of_part(text, offset)
    change = page_change(version_docs, location.address, location.required_file())
    return PageAnswer(
        title=export.title,
        description=export.description,
        library=version_docs.library.id,
        version=version_docs.version.name,
        revision=version_docs.branch.revision,
        address=context.url(str(location.address)),
        markdown_address=context.url(f"/api/md{location.address}"),
        updated=change.updated.isoformat() if change else None,
        offset=offset,
        next_offset=end if end < len(text) else None,
        total_characters=len(text),
        symbols=used_symbols(context, location, text, offset, end),
        markdown=text[offset:end],
    )


def _end_of_part(text: str, offset: int) -> int:
    """The end of a line, unless a line is longer than half a part."""
    limit = offset + PART_CHARACTERS
    if limit >= len(text):
        return len(text)
    return text.rfind("\n", offset + PART_CHARACTERS // 2, limit) + 1 or limit


def _requested(context: ToolContext, arguments: ReadPageArguments) -> DocsAddress:
    if bool(arguments.address) == bool(arguments.library):
        raise Invalid("Name the page by its address, or by its library, version and path")
    if arguments.address:
        return _parsed_address(context, arguments.address)
    return _checked(context, arguments.library, arguments.version, arguments.path)


def _parsed_address(context: ToolContext, address: str) -> DocsAddress:
    """The page at an address of this site, of its Markdown, or of one of its sections."""
    path = re.split("[?#]", address.removeprefix(context.site.settings.origin))[0]
    if not path.startswith("/") or path.startswith("//"):
        raise Invalid(f"address: Only pages of {context.url('/')} can be read")
    found = _DOCS.fullmatch(unquote(path).removeprefix("/api/md").rstrip("/"))
    if found is None:
        raise Invalid("address: Not a docs page. Their addresses are /{library}/{version}/docs/{path}")
    return _checked(context, found[1], found[2], found[3] or "")


def _checked(context: ToolContext, library_id: str, version: str, path: str) -> DocsAddress:
    """Raises NotFound for an unknown library or version, Invalid for a path that no page has."""
    library = context.library(library_id)
    context.version_docs(library, version)
    path = path.strip("/").removesuffix(".md") or context.docs_home(library, version)
    fault = path_fault(path)
    if fault is not None:
        raise Invalid(f"path: No page has this path: {fault}")
    return DocsAddress(library.id, version, path)


def _find(context: ToolContext, address: DocsAddress) -> tuple[VersionDocs, DocsLocation]:
    """The page, or the one that it has moved to."""
    found = _locate(context, address)
    if found is not None:
        return found
    redirect = context.docs.redirect(address)
    target = _DOCS.fullmatch(unquote(re.split("[?#]", redirect.to)[0])) if redirect else None
    if target is not None:
        moved = _locate(context, _checked(context, target[1], target[2], target[3] or ""))
        if moved is not None:
            return moved
    near = nearest_pages(context.docs, address, most=_SUGGESTIONS)
    hint = f" Similar pages: {', '.join(context.url(page.to) for page in near)}" if near else ""
    raise NotFound(f"There is no page {context.url(str(address))}.{hint}")


def _locate(context: ToolContext, address: DocsAddress) -> tuple[VersionDocs, DocsLocation] | None:
    library = context.library(address.library)
    version_docs = context.version_docs(library, address.version)
    location = version_docs.locate(f"{version_docs.docs_root}/{address.path}.md")
    return (version_docs, location) if location.file is not None else None

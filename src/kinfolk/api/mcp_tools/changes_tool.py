"""The tool `what_changed`: pages of the docs whose text changed last, or since a date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import Field

from kinfolk.api.mcp_tools.argument_types import LibraryId, VersionName, tool_arguments
from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.config.catalog import LATEST
from kinfolk.content.docs.machine_readable.change_feed import library_feed_path
from kinfolk.content.docs.machine_readable.page_history import newest_first, page_changes

MAX_PAGES = 100


@tool_arguments
class ChangesArguments:
    library: LibraryId
    since: Annotated[
        date | None, Field(description="First day, in UTC, such as 2026-01-31; without it, the last changes of all.")
    ] = None
    version: VersionName = LATEST
    limit: Annotated[int, Field(ge=1, le=MAX_PAGES, description="Number of pages.")] = 20


@dataclass(frozen=True)
class ChangedPage:
    title: str
    updated: str
    authors: tuple[str, ...]
    address: str


@dataclass(frozen=True)
class ChangesAnswer:
    """`total` counts the pages that changed since the date, if there is one; `pages` are the newest of them.

    `known` is the number of pages whose history is known, of `all_pages`: others may have changed, too.
    """

    library: str
    version: str
    revision: str
    address: str
    feed: str | None
    since: str | None
    all_pages: int
    known: int
    total: int
    pages: tuple[ChangedPage, ...]


def what_changed(context: ToolContext, arguments: ChangesArguments) -> ChangesAnswer:
    """Raises NotFound for an unknown library or version. Reads all pages of the version."""
    library = context.library(arguments.library)
    version_docs = context.version_docs(library, arguments.version)
    since = arguments.since
    start = datetime(since.year, since.month, since.day, tzinfo=UTC) if since else datetime.min.replace(tzinfo=UTC)
    changes = list(page_changes(version_docs))
    found = newest_first(change for change in changes if change.updated >= start)
    pages = tuple(
        ChangedPage(summary[0], change.updated.isoformat(), change.authors, context.url(str(change.address)))
        for change in found[: arguments.limit]
        if (summary := version_docs.summary(change.file)) is not None
    )
    return ChangesAnswer(
        library=library.id,
        version=version_docs.version.name,
        revision=version_docs.branch.revision,
        address=context.url(version_docs.base),
        feed=context.url(library_feed_path(library.id)) if version_docs.segment == LATEST else None,
        since=since.isoformat() if since else None,
        all_pages=len(version_docs.pages()),
        known=len(changes),
        total=len(found),
        pages=pages,
    )

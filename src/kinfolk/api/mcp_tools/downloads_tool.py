"""The tool `npm_downloads`: real download counts of packages, never samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from kinfolk.api.mcp_tools.argument_types import PackageName, tool_arguments
from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.config.catalog import LATEST
from kinfolk.statistics.recent_downloads import PackageDownloads

MAX_PACKAGES = 10
MAX_DAYS = 1095
"""Three years: 157 weeks of 10 packages are 60 kB."""


@tool_arguments
class DownloadsArguments:
    packages: Annotated[
        list[PackageName],
        Field(min_length=1, max_length=MAX_PACKAGES, description='Names of packages, such as "@acme/react-query".'),
    ]
    days: Annotated[int, Field(ge=7, le=MAX_DAYS, description="Length of the range, in days up to the last count.")] = (
        90
    )


@dataclass(frozen=True)
class DownloadsAnswer:
    """`version` and `revision` are those of the docs of all libraries: the counts have none, but a last day."""

    version: str
    revision: str
    address: str
    first_day: str | None
    last_day: str | None
    packages: tuple[PackageDownloads, ...]


def npm_downloads(context: ToolContext, arguments: DownloadsArguments) -> DownloadsAnswer:
    """Raises Unavailable without the database."""
    names = tuple(dict.fromkeys(arguments.packages))
    recent = context.site.statistics.npm.recent(names, days=arguments.days, today=context.today)
    return DownloadsAnswer(
        version=LATEST,
        revision=context.snapshot,
        address=context.url(f"/stats/npm?{recent.query}".rstrip("?")),
        first_day=recent.first_day,
        last_day=recent.last_day,
        packages=recent.packages,
    )

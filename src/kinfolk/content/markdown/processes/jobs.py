"""The jobs on one Markdown file: render its page, export its Markdown, list its anchors, read its summary.

A job composes the text and produces the result in one step, because the text determines the cost of both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.export import ExportedMarkdown, description_of, export_markdown
from kinfolk.content.markdown.links.link_resolver import LinkResolver, UnchangedLinks
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose

ReadFile = Callable[[str], str]
"""A path relative to the repository's root -> the text of that file. Raises NotFound."""
ResolverFactory = Callable[[str | None], LinkResolver]
"""`ref_path` of a page (None for its own text) -> the resolver of the page's links."""


@dataclass(frozen=True)
class MarkdownFile:
    """A Markdown file. `name` identifies it in the log, such as `acme/query@main:docs/overview.md`.

    `place` is required for a file of another dialect than GitHub's.
    """

    name: str
    text: str
    read_target: ReadFile
    place: PlacedFile | None = None


@dataclass(frozen=True)
class PageSummary:
    """A page's title and description. `title` is None if the front matter has none."""

    title: str | None
    description: str


class MarkdownJobs(Protocol):
    """Runs the jobs.

    Each job raises NotFound if the target of a `ref` is missing, OverBudget if the text exceeds a limit, and
    Unavailable if no process is available.
    """

    def page(
        self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
    ) -> MarkdownPage:
        """The rendered page. Without `links` the links stay as written."""

    def export(self, source: MarkdownFile, *, framework: str | None = None) -> ExportedMarkdown:
        """The page as standalone Markdown."""

    def anchors(self, source: MarkdownFile) -> frozenset[str]:
        """The ids in the page that a link can refer to."""

    def summary(self, source: MarkdownFile) -> PageSummary:
        """The title and description."""


class InProcessJobs:
    """Runs the jobs in the calling thread, without a time limit.

    Framework blocks that lack the framework of their page show `first_framework` by default. `link_schemes` are those
    of `kinfolk.toml`.
    """

    def __init__(self, first_framework: str | None = None, link_schemes: Collection[str] = ()) -> None:
        self._first_framework = first_framework
        self._link_schemes = link_schemes

    def page(
        self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
    ) -> MarkdownPage:
        composed = compose(source.text, source.read_target, source.place)
        return render(
            composed,
            resolve=links(composed.ref_path) if links else UnchangedLinks(),
            framework=framework,
            first_framework=self._first_framework,
            link_schemes=self._link_schemes,
        )

    def export(self, source: MarkdownFile, *, framework: str | None = None) -> ExportedMarkdown:
        return export_markdown(
            compose(source.text, source.read_target, source.place, for_export=True), framework=framework
        )

    def anchors(self, source: MarkdownFile) -> frozenset[str]:
        return self.page(source).anchors

    def summary(self, source: MarkdownFile) -> PageSummary:
        composed = compose(source.text, source.read_target, source.place, for_export=True)
        front = composed.front
        return PageSummary(front.title, front.description or description_of(composed.text, front.title))

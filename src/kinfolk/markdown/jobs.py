"""Everything that is made of one Markdown file, in whichever process: its page, its Markdown for export, its anchors.

A job composes the text and makes the answer in one step, because both are work whose cost the text decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from kinfolk.markdown.compose import compose
from kinfolk.markdown.description import description_of
from kinfolk.markdown.page import AsWritten, Page, Resolve
from kinfolk.markdown.plain import Wording, wording
from kinfolk.markdown.render import render

ReadTarget = Callable[[str], str]
"""A path from the repository's root -> the text of the file there. Raises NotFound."""
LinksOf = Callable[[str | None], Resolve]
"""The file that a page's text comes from, when it is not its own -> what decides where the page's links go."""


@dataclass(frozen=True)
class Source:
    """A Markdown file. `name` says in the log which one, such as `TanStack/query@main:docs/overview.md`."""

    name: str
    text: str
    read_target: ReadTarget


@dataclass(frozen=True)
class About:
    """What a page's front matter and first sentences say of it. `title` is None where only its headings can tell."""

    title: str | None
    description: str


class Jobs(Protocol):
    """Does the work.

    Each job raises NotFound for a target that is missing, OverBudget for a text that costs too much, and Unavailable
    when the work cannot be done now.
    """

    def page(self, source: Source, *, links: LinksOf | None = None, framework: str | None = None) -> Page:
        """The rendered page. Without `links` they stay as written."""

    def wording(self, source: Source, *, framework: str | None = None) -> Wording:
        """The page as Markdown that stands alone."""

    def anchors(self, source: Source) -> frozenset[str]:
        """The ids in the page that a link may name."""

    def about(self, source: Source) -> About:
        """The title and description."""


class JobsHere:
    """Does the work in the calling thread, for as long as it takes."""

    def page(self, source: Source, *, links: LinksOf | None = None, framework: str | None = None) -> Page:
        composed = compose(source.text, source.read_target)
        return render(composed, resolve=links(composed.ref_path) if links else AsWritten(), framework=framework)

    def wording(self, source: Source, *, framework: str | None = None) -> Wording:
        return wording(compose(source.text, source.read_target), framework=framework)

    def anchors(self, source: Source) -> frozenset[str]:
        return self.page(source).anchors

    def about(self, source: Source) -> About:
        composed = compose(source.text, source.read_target)
        return About(composed.front.title, composed.front.description or description_of(composed.text))

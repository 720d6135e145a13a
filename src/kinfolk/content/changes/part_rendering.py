"""Renders the parts of a difference: in the Markdown processes, as pages are, or in this process."""

from __future__ import annotations

from collections.abc import Callable, Collection

from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.content.markdown.links.link_resolver import LinkResolver
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import ComposedMarkdown
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.errors import NotFound

_TITLE = "\ue000"
"""A private character: no heading repeats this title, so that none is left out."""
_FRONT_MATTER = f"---\ntitle: {_TITLE}\ndescription: '-'\n---\n"

PartRenderer = Callable[[ComposedMarkdown, LinkResolver], MarkdownPage]
"""Renders some blocks of a page alone. Raises OverBudget, and what else the rendering of a page raises."""


def process_rendering(markdown: MarkdownRenderer, name: str, framework: str | None = None) -> PartRenderer:
    """Renders parts as `markdown` renders pages, with its limits of CPU time and memory. `name` is for the log.

    Blocks of other dialects are already translated. Lists of definitions, which only these have, are paragraphs.
    """

    def read_target(path: str) -> str:
        raise NotFound(f"a part of a page has no other file, so not {path}")

    def rendered(part: ComposedMarkdown, links: LinkResolver) -> MarkdownPage:
        source = MarkdownFile(name, f"{_FRONT_MATTER}{part.text}", read_target)
        page = markdown.page(source, links=lambda _: links, framework=framework)
        if page.limit is not None:
            raise OverBudget("markdown", page.limit, "a part of the difference exceeds a limit of pages")
        return page

    return rendered


def direct_rendering(framework: str | None = None, link_schemes: Collection[str] = ()) -> PartRenderer:
    """Renders parts in this process, without limits of time and memory: for commands, and texts of this machine."""

    def rendered(part: ComposedMarkdown, links: LinkResolver) -> MarkdownPage:
        return render(
            ComposedMarkdown(part.text, FrontMatter(title=_TITLE, description="-"), dialect=part.dialect),
            resolve=links,
            framework=framework,
            api_layout=False,
            link_schemes=link_schemes,
        )

    return rendered

"""The body of a page with whatever colours its code has by now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kinfolk.markdown.page import Page, Snippet


class Colours(Protocol):
    """Where code gets its colours. Never waits."""

    def ready(self, snippet: Snippet) -> str | None:
        """The HTML inside the `<code>`; None while it is not ready."""

    def tag(self, snippets: Sequence[Snippet]) -> str:
        """What is purged once all of these, which were not ready a moment ago, are."""


def coloured(page: Page, colours: Colours | None, seen: set[str]) -> str:
    """The body. Where code is still plain, `seen` gets a tag by which the page is purged once it is not."""
    if colours is None or not page.snippets:
        return page.html()
    known = {snippet: colours.ready(snippet) for snippet in page.snippets}
    plain = [snippet for snippet, html in known.items() if html is None]
    if plain:
        seen.add(colours.tag(plain))
    return page.html(known.get)

"""The colours that code of examples has by now."""

from __future__ import annotations

from collections.abc import Iterable

from kinfolk.markdown.colours import Colours
from kinfolk.markdown.page import Snippet


def ready(snippets: Iterable[Snippet], colours: Colours | None, seen: set[str]) -> dict[Snippet, str]:
    """The markup of those that are coloured. `seen` gets the tag by which a page with the others is purged."""
    if colours is None:
        return {}
    asked = {snippet: colours.ready(snippet) for snippet in snippets}
    plain = [snippet for snippet, html in asked.items() if html is None]
    if plain:
        seen.add(colours.tag(plain))
    return {snippet: html for snippet, html in asked.items() if html is not None}

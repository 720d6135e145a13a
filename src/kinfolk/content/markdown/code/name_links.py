"""Links of the names in a code block."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from kinfolk.content.markdown.code.wrapped_spans import with_wrapped_spans


class NameLink(NamedTuple):
    """A name in a code block: its 0-based position and its length in characters of the code, and where it leads."""

    start: int
    length: int
    href: str


def with_name_links(html: str, links: Sequence[NameLink]) -> str:
    """The code with `<a>` around the names, in the order of their positions. The text stays the same.

    Only the first link to an address is a Tab stop: a block may name the same function on every line.
    """
    reached: set[str] = set()

    def opening(number: int) -> str:
        href = links[number].href
        is_first = href not in reached
        reached.add(href)
        return f'<a class="symbol" href="{escape(href)}"' + (">" if is_first else ' tabindex="-1">')

    spans = [(link.start, link.start + link.length) for link in links]
    return with_wrapped_spans(html, spans, opening, "</a>")

"""Parts of pages that have a stylesheet of their own, because few pages have them."""

from __future__ import annotations

from kinfolk.content.markdown.directives import CONTAINER_CLASSES

_MARKS = (*(f'class="{name}"' for name in CONTAINER_CLASSES), "<math", "data-footnote", "color-chip")


def needs_extra_styles(html: str) -> bool:
    """Whether the HTML has cards, steps, a file tree, fields, formulas, footnotes or color chips."""
    return any(mark in html for mark in _MARKS)

"""The text of each section of a rendered page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from kinfolk.content.markdown.markdown_page import MarkdownPage

_HEADING = re.compile(r'<h[1-6]\b[^>]*?\sid="([^"]*)"[^>]*>')
_TAG = re.compile(r"<[^<>]*>")


def section_texts(page: MarkdownPage) -> Mapping[str, str]:
    """The text of each section by the id of its heading, up to the next heading; "" is what comes before the first."""
    html = page.html()
    starts = list(_HEADING.finditer(html))
    edges = [*(start.start() for start in starts), len(html)]
    sections = {"": _plain(html[: edges[0]])}
    for start, end in zip(starts, edges[1:], strict=True):
        sections[unescape(start[1])] = _plain(html[start.start() : end])
    return sections


def _plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())

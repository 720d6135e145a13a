"""Digests of pages and of their sections: whether a text has changed since a reader saw it.

A digest depends on the text only: highlighting, links and the design of the site do not change it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from html import unescape

from kinfolk.content.markdown.markdown_page import MarkdownPage

LENGTH = 16
"""Hexadecimal digits: with 100,000 versions of a page, two are alike with a probability of 3e-10."""
_HEADING = re.compile(r'<h[1-6]\b[^>]*?\sid="([^"]*)"[^>]*>')
_TAG = re.compile(r"<[^<>]*>")


def page_digest(title: str, page: MarkdownPage) -> str:
    """The digest of a page's title and Markdown."""
    return _digest(f"{title}\0{page.text}")


def section_texts(page: MarkdownPage) -> Mapping[str, str]:
    """The text of each section by the id of its heading, up to the next heading; "" is what comes before the first."""
    html = page.html()
    starts = list(_HEADING.finditer(html))
    ends = [start.start() for start in starts[1:]] + [len(html)]
    first = starts[0].start() if starts else len(html)
    sections = {"": _plain(html[:first])}
    for start, end in zip(starts, ends, strict=True):
        sections[unescape(start[1])] = _plain(html[start.start() : end])
    return sections


def section_digest(text: str) -> str:
    return _digest(text)


def _plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:LENGTH]

"""Digests of pages and of their sections: whether a text has changed since a reader saw it.

A digest depends on the text only: highlighting, links and the design of the site do not change it.
"""

from __future__ import annotations

from hashlib import sha256

from kinfolk.content.markdown.markdown_page import MarkdownPage

LENGTH = 16
"""Hexadecimal digits: with 100,000 versions of a page, two are alike with a probability of 3e-10."""


def page_digest(title: str, page: MarkdownPage) -> str:
    """The digest of a page's title and Markdown."""
    return _digest(f"{title}\0{page.text}")


def section_digest(text: str) -> str:
    return _digest(text)


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:LENGTH]

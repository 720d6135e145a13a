"""Reads the pages of a site as HTML."""

from __future__ import annotations

from lxml import html
from lxml.html import HtmlElement
from starlette.testclient import TestClient


def page_of(client: TestClient, path: str) -> HtmlElement:
    """The page at a path, which answers 200."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return html.document_fromstring(answer.text)


def texts(page: HtmlElement, path: str) -> list[str]:
    """The text of each element that an XPath expression finds, with single spaces."""
    return [" ".join(each.text_content().split()) for each in page.xpath(path)]

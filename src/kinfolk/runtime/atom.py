"""Elements of Atom feeds (RFC 4287)."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

TYPE = "application/atom+xml; charset=utf-8"
EPOCH = "1970-01-01T00:00:00Z"
"""The date of a feed without entries, because a feed must have one."""
# Characters that XML 1.0 does not allow, not even escaped.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def new_feed() -> ET.Element:
    """A feed without any elements."""
    return ET.Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": "en"})


def add_text(parent: ET.Element, tag: str, text: str, attributes: dict[str, str] | None = None) -> None:
    ET.SubElement(parent, tag, attributes or {}).text = without_invalid_characters(text)


def add_author(parent: ET.Element, name: str) -> None:
    add_text(ET.SubElement(parent, "author"), "name", name)


def add_link(parent: ET.Element, rel: str, type: str, href: str) -> None:
    ET.SubElement(parent, "link", {"rel": rel, "type": type.partition(";")[0], "href": href})


def without_invalid_characters(text: str) -> str:
    """The text without the characters that XML does not allow."""
    return _NOT_XML.sub("", text)


def feed_document(feed: ET.Element) -> bytes:
    """The feed as an XML document."""
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(feed, encoding="unicode")}'.encode()

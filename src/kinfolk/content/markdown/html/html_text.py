"""HTML as an author writes it in Markdown -> plain text. Not for HTML that is shown."""

from __future__ import annotations

import re
from html import unescape

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NOT_PROSE = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|h[1-6]|summary|table|pre)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_INLINE_TAG = re.compile(
    r"</?(?:a|abbr|b|cite|code|del|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var)\b[^<>]*>", re.IGNORECASE
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_IMAGE = re.compile(r"<img\s[^<>]*>", re.IGNORECASE)
_ALT = re.compile(r"""\salt=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)


def html_text(html: str) -> str:
    """The text of all elements."""
    return " ".join(unescape(_TAG.sub(" ", _INLINE_TAG.sub("", _COMMENT.sub(" ", html)))).split())


def html_prose(html: str) -> str:
    """The text without that of headings, tables and code."""
    return html_text(_NOT_PROSE.sub(" ", html))


def image_texts(html: str) -> str:
    """The text alternatives of the images."""
    found = (_ALT.search(image) for image in _IMAGE.findall(html))
    return " ".join(" ".join(unescape(alt[1] or alt[2] or "") for alt in found if alt).split())

"""Elements of JSX as the value of an attribute or a constant: their text as Markdown, or their source. No code runs."""

from __future__ import annotations

import re
from html import unescape

LONGEST_TITLE = 2_000
"""Characters."""

_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*+)?[^<>]*+>")
_MARKS = {"code": "`", "strong": "**", "b": "**", "em": "*", "i": "*"}
_SPECIAL = re.compile(r"([\\*`\[\]<])")


def elements_of(expression: str) -> str | None:
    """The source of an expression that is elements, without its parentheses. None for any other."""
    text = expression.strip().removesuffix(";").strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    bare = text.strip()
    return text.strip("\n") if bare.startswith("<") and bare.endswith(">") else None


def jsx_markdown(expression: str) -> str | None:
    """The text of elements as Markdown on one line. None for an expression that is none, or has expressions in it."""
    source = elements_of(expression) if len(expression) <= LONGEST_TITLE else None
    if source is None or "{" in source:
        return None
    pieces: list[str] = []
    done, in_code = 0, 0
    for tag in _TAG.finditer(source):
        pieces += (_plain(source[done : tag.start()], in_code=in_code > 0), _MARKS.get(tag[2] or "", ""))
        if tag[2] == "code":
            in_code += -1 if tag[1] else 1
        done = tag.end()
    return " ".join("".join([*pieces, _plain(source[done:], in_code=False)]).split())


def _plain(text: str, *, in_code: bool) -> str:
    plain = unescape(text)
    return plain.replace("`", "") if in_code else _SPECIAL.sub(r"\\\1", plain)

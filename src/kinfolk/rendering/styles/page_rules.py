"""The rules of one page: what its `style` attributes and the style elements of its pictures declare.

The Content-Security-Policy allows neither `style` attributes nor style elements that it does not name. So the elements
have a name in `data-style`, and one style element in the head of the page has the rules of all names:

    <li data-style="--from 0">…    [data-style="--from 0"]:not(#_){--from:#f00;--to:#0f0}

`:not(#_)` makes the rules win over those of stylesheets, as attributes do. The boot script replaces the rules when a
visit replaces the page (`frontend/src/boot/documentStyles.ts`).
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from html import unescape

from kinfolk.rendering.content_security_policy import STYLE

MAX_CHECKED = 2048
"""Texts of attributes, of 50 bytes on average: most are on many pages."""
# React and pictures write attributes with double quotes, and texts of React contain none.
_ATTRIBUTE = ' style="'
_PROPERTY = re.compile("[a-zA-Z-]+")
_ATOM = r"""[^{}<\\"'()\[\]*@\n]|"[^"<\\\n]*+\"|'[^'<\\\n]*+'"""
_MAX_DEPTH = 6
"""Of parentheses: functions within functions."""
_INNER = reduce(lambda inner, _: rf"(?>{_ATOM}|\*|\({inner}\))*+", range(_MAX_DEPTH - 1), rf"(?>{_ATOM}|\*)*+")
_DECLARATIONS = re.compile(rf"(?>{_ATOM}|\({_INNER}\))*+")
"""Declarations that end where their rule ends: brackets and quotes are closed, and there are no comments."""


@lru_cache(MAX_CHECKED)
def _checked(attribute: str) -> tuple[str, str]:
    """The first property, and the declarations. Both are empty for an attribute that could change other rules."""
    declarations = unescape(attribute)
    first = _PROPERTY.match(declarations)
    if first is None or "/*" in declarations or not _DECLARATIONS.fullmatch(declarations):
        return "", ""
    return first[0], declarations


class PageRules:
    """Collects the rules of one page, in the order of its HTML."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._rules: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._rules)

    def take_attributes(self, html: str) -> str:
        """The HTML with names in place of `style` attributes. Drops an attribute that could change other rules."""
        # Three times as fast as a pattern.
        before, *others = html.split(_ATTRIBUTE)
        parts = [before]
        for other in others:
            attribute, _, rest = other.partition('"')
            parts += (self._name(attribute), rest)
        return "".join(parts)

    def take_styles(self, picture: str) -> str:
        """An SVG without its style elements, and with names in place of `style` attributes."""
        return self.take_attributes(STYLE.sub(self._take_element, picture))

    def _name(self, attribute: str) -> str:
        found = self._names.get(attribute)
        if found is None:
            found = self._names[attribute] = self._add(attribute)
        return found

    def _add(self, attribute: str) -> str:
        first, declarations = _checked(attribute)
        if not first:
            return ""
        # Stylesheets select elements that set `--from`.
        name = f'data-style="{first} {len(self._names)}"'
        self._rules.append(f"[{name}]:not(#_){{{declarations}}}")
        return f" {name}"

    def _take_element(self, style: re.Match[str]) -> str:
        text = unescape((style[1] or "").removeprefix("<![CDATA[").removesuffix("]]>"))
        if "<" not in text:
            self._rules.append(text)
        return ""

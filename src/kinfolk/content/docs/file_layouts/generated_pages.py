"""Pages whose only content is made by a program of the original site: readers would see an empty page."""

from __future__ import annotations

import re

PLUGIN = ":::"
"""What stands for a directive of mkdocstrings among the names of components."""

_DIRECTIVE = re.compile(r":::[ \t]++[\w.]++[ \t]*+")
_COMPONENT = re.compile(r"[ \t]*+<([A-Z][\w.]*+)(?=[\s/>])[^<>]*+>[ \t]*+")
_NO_CONTENT = re.compile(
    r"[ \t]*+|#{1,6}[ \t].*|<!--(?>(?:(?!-->).)*)-->[ \t]*+|import[ \t].*|export[ \t].*|---+[ \t]*+"
)
LONGEST_BODY = 20_000
"""Characters. A longer page has content of its own."""


def only_components(body: str) -> frozenset[str]:
    """The names of the components and directives that are all of a page besides headings; empty for other pages."""
    if (":::" not in body and "/>" not in body) or len(body) > LONGEST_BODY:
        return frozenset()
    found: set[str] = set()
    is_option = False
    for line in body.split("\n"):
        if is_option and (not line.strip() or line.startswith("    ")):
            continue
        is_option = _DIRECTIVE.fullmatch(line) is not None
        component = _COMPONENT.fullmatch(line) if line.rstrip().endswith("/>") else None
        if is_option:
            found.add(PLUGIN)
        elif component:
            found.add(component[1])
        elif not _NO_CONTENT.fullmatch(line):
            return frozenset()
    return frozenset(found)

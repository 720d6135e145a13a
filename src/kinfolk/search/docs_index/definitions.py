"""The names that a section defines: options, functions, events, renamed names.

Headings such as `gcTime: number | Infinity`, `queryClient.clear` or `Rename cacheTime to gcTime` define their names, as
does the entry `queryFn: …` of a list in a reference. A heading that only mentions a name does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

MAX_DEFINED = 200
"""Names of a section that are indexed."""
_NAME = r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*"
_KIND = r"(?:option|property|prop|method|hook|function|event|callback|component|class|type|api)s?"
_DEFINING = re.compile(
    rf"\A(?:the )?<?(?P<name>{_NAME})(?:\(\))?(?:$|>?$|\s*[:?<(=]| {_KIND}$)(?:.*\bpreviously:? (?P<old>{_NAME}))?",
    re.IGNORECASE,
)
_RENAMED = re.compile(
    rf"\A(?:the )?(?P<name>{_NAME})(?:\(\))? (?:{_KIND} )?"
    r"(?:(?:has|have) been |was |were |is |are )?(?:renamed|removed|replaced|deprecated|changed|now)\b",
    re.IGNORECASE,
)
_RENAME = re.compile(
    rf"\A(?:renam(?:e|ed|ing)|remov(?:e|ed|al of)|replac(?:e|ed)) (?:the )?(?P<name>{_NAME})", re.IGNORECASE
)
_ENTRY = re.compile(rf"<li>\s*(?:<p>)?<code[^<>]{{0,80}}>(?P<name>{_NAME})(?=[:?(<&=\s])")
_ARGUMENT = ("opts.", "options.")
"""Names of parameters: `opts.select` of one function says nothing about `select`."""


def defined_in_heading(heading: str) -> tuple[str, ...]:
    """The names that a heading defines, as plain text."""
    found = [
        name
        for pattern in (_DEFINING, _RENAMED, _RENAME)
        if (match := pattern.match(heading))
        for name in match.groups()
        if name
    ]
    return _symbols(found)


def defined_in_lists(html: Sequence[str]) -> tuple[str, ...]:
    """The names with which entries of lists begin, as code."""
    return _symbols(found["name"] for part in html for found in _ENTRY.finditer(part))


def _symbols(names: Iterable[str]) -> tuple[str, ...]:
    """The names that are no plain words, each also without what it belongs to."""
    return tuple(dict.fromkeys(name for full in names for name in _forms(full) if _is_symbol(name)))[:MAX_DEFINED]


def _forms(name: str) -> Iterator[str]:
    yield name
    if not name.startswith(_ARGUMENT):
        yield name.rpartition(".")[2]


def _is_symbol(name: str) -> bool:
    """`gcTime` and `queryClient.clear`, but neither `retry` nor `Overview`."""
    return "." in name or not (name[1:].islower() or name.isupper() or len(name) == 1)

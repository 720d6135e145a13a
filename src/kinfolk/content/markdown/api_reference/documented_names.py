"""Which names a page of an API reference documents, and where: from its text, without rendering it.

    found = documented_names(None, text, "reference/QueryClient")
    found.names                        # (PlacedName("QueryClient", "", 0),)
    found.members["clear"]             # "queryclientclear", the id of the heading `queryClient.clear`

Only a name that is all of a title, of a file's name, or of a heading in code marks is documented there. A heading that
mentions a name is not about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kinfolk.content.markdown.api_reference.api_pages import MEMBERS, SOURCE, kind_and_name
from kinfolk.content.markdown.deprecated_symbols import deprecated_headings
from kinfolk.content.markdown.links.slugs import Slugs
from kinfolk.content.markdown.markdown_page import Heading
from kinfolk.content.markdown.source.note_blocks import LONGEST_HEADING, first_lines, note_blocks

MOST_LINES = 20_000
MOST_NAMES = 1_000
"""Names and members of a page. The longest known page has 200."""
_NAME = r"[A-Za-z_$][\w$]*+"
_KINDS = {
    "function": 0,
    "hook": 0,
    "component": 0,
    "class": 0,
    "object": 0,
    "variable": 1,
    "constant": 1,
    "enum": 1,
    "enumeration": 1,
    "namespace": 1,
    "interface": 2,
    "type": 3,
    "type alias": 3,
    "api": 4,
    "apis": 4,
}
"""Words for a symbol after its name, with their ranks: a name may be one of a value and of a type."""
_TITLE = re.compile(rf"<?(?P<name>{_NAME})(?:\(\)|>|<.*)?(?: (?P<kind>{'|'.join(_KINDS)}))?", re.IGNORECASE)
_FILE_KIND = re.compile(r"(?P<name>\w+?)(?:Function|Hook|Component|Class)")
_SYMBOL = re.compile(rf"(?=.*[A-Z$]){_NAME}")
_CODE = re.compile(r"~{0,2}`{1,2}(?P<code>[^`]+)`{1,2}~{0,2}")
_BETWEEN = re.compile(r"/|, and |, or |,| and | or ")
_AFTER_MEMBER = re.compile(
    r"(?: (?:option|property|prop|method|function|event|callback|field|accessor|getter)s?)?"
    r"(?: \([^()\n]*\))?",
    re.IGNORECASE,
)
_MEMBER = re.compile(rf"(?:(?P<owner>{_NAME})?\.)?(?P<name>{_NAME})\??(?:\s*[:(<=].*)?")
_OPTIONS = frozenset(("opts", "options", "props"))
"""Names of parameters, before options in headings."""
_GENERATED_MEMBER = re.compile(rf"(?P<name>{_NAME})\??(?:\(\))?")
_EXPORT_GROUPS = {
    "Functions": 0,
    "Classes": 0,
    "Variables": 1,
    "Enumerations": 1,
    "Interfaces": 2,
    "Type Aliases": 3,
}
"""Sections of a page of TypeDoc about a module."""
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_TOP_LEVEL = 2


class PlacedName(NamedTuple):
    """`anchor` is the id of the heading; empty for the subject of the page. Of equal names, the least `rank` counts."""

    name: str
    anchor: str
    rank: int


@dataclass(frozen=True)
class DocumentedNames:
    """`names` are exports, `members` those of the subject of the page, each with the id of its heading.

    `unowned` are the members whose headings name no type, on a page that people wrote: they may be of several types.
    `deprecated` are ids of what is deprecated, each with a line about it; `""` for the page as a whole. `renamed` are
    old names with the new ones, of a guide to a new version.
    """

    names: tuple[PlacedName, ...] = ()
    members: Mapping[str, str] = field(default_factory=dict)
    unowned: frozenset[str] = frozenset()
    deprecated: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)

    def without_sections(self) -> DocumentedNames:
        """The same names, each with its page only."""
        whole: dict[str, str] = {anchor: line for anchor, line in self.deprecated.items() if not anchor}
        names = tuple(one._replace(anchor="") for one in self.names)
        return DocumentedNames(names, deprecated=whole, renamed=self.renamed)


class _PlacedHeading(NamedTuple):
    level: int
    text: str
    plain: str
    id: str


def documented_names(title: str | None, text: str, path: str) -> DocumentedNames:
    """`title` is that of the front matter, `text` the page without it, `path` without extension. Takes linear time."""
    body = first_lines(text, MOST_LINES)
    headings = list(_headings(body))
    titles = [one.plain for one in headings if one.level == 1][:1]
    names = _page_names(title, titles, path.rpartition("/")[2])
    subjects = {one.name for one in names}
    subjects |= {f"{name[0].lower()}{name[1:]}" for name in subjects} | _OPTIONS
    members: dict[str, str] = {}
    unowned: set[str] = set()
    is_module = not names
    is_generated = f"\n{SOURCE}" in body
    group = ""
    for heading in headings:
        if heading.level <= _TOP_LEVEL:
            group = heading.plain
        if is_generated:
            found = _GENERATED_MEMBER.fullmatch(heading.plain)
            if heading.level != _TOP_LEVEL + 1 or found is None:
                continue
            if group in _EXPORT_GROUPS and is_module:
                names.append(PlacedName(found["name"], heading.id, _EXPORT_GROUPS[group]))
            elif group in MEMBERS:
                members.setdefault(found["name"], heading.id)
            continue
        exports = _exports_in_code(heading) if heading.level == _TOP_LEVEL else ()
        names += (PlacedName(name, heading.id, 0) for name in exports)
        found = _member_in_code(heading.text) if heading.level > 1 else None
        if found is None or (found["owner"] and found["owner"] not in subjects):
            continue
        members.setdefault(found["name"], heading.id)
        if found["owner"] is None or found["owner"] in _OPTIONS:
            unowned.add(found["name"])
    ids = [Heading(one.id, one.plain, one.level) for one in headings]
    deprecated = deprecated_headings(body, ids, title=title or (names[0].name if names else None))
    shown = dict(list(members.items())[:MOST_NAMES])
    return DocumentedNames(tuple(names[:MOST_NAMES]), shown, frozenset(unowned & shown.keys()), deprecated)


def _headings(body: str) -> Iterator[_PlacedHeading]:
    """The headings with their ids, which the renderer makes by the same rule."""
    slugs = Slugs()
    for block in note_blocks(body, lambda _: False):
        if block.kind == "heading":
            plain = _plain(block.text)
            yield _PlacedHeading(block.level, block.text, plain, slugs.take(plain))


def _page_names(title: str | None, headings: list[str], file: str) -> list[PlacedName]:
    """The subject of a page, by its title, or by the name of its file if that is no plain word."""
    for written in (*([title] if title else ()), *headings):
        kind, name = kind_and_name(written)
        found = _TITLE.fullmatch(name.removesuffix("()") if kind else written)
        if found is not None:
            rank = _KINDS.get(kind.lower()) or _KINDS.get((found["kind"] or "").lower()) or 0
            generated = kind_and_name(headings[0])[0] if headings else ""
            return [PlacedName(found["name"], "", max(rank, _KINDS.get(generated.lower(), 0)))]
    if _SYMBOL.fullmatch(file) is None:
        return []
    named = _FILE_KIND.fullmatch(file)
    return [PlacedName(named["name"] if named else file, "", 0)]


def _exports_in_code(heading: _PlacedHeading) -> tuple[str, ...]:
    """The names of a heading that is nothing but names in code marks."""
    parts = [_CODE.fullmatch(part.strip()) for part in _BETWEEN.split(heading.text[:LONGEST_HEADING])]
    found = [_TITLE.fullmatch(part["code"]) if part else None for part in parts]
    names = tuple(one["name"] for one in found if one and not one["kind"])
    return names if len(names) == len(parts) else ()


def _member_in_code(heading: str) -> re.Match[str] | None:
    """The member that a heading is about, with its owner: `` `queryClient.clear` ``, `` `select` option ``."""
    code = _CODE.match(heading[:LONGEST_HEADING])
    if code is None or _AFTER_MEMBER.fullmatch(heading[code.end() :]) is None:
        return None
    return _MEMBER.fullmatch(code["code"])


def _plain(text: str) -> str:
    """The text of a heading as its id is made of it."""
    if "`" not in text:
        return " ".join(_ESCAPE.sub(r"\1", _TAG.sub("", _LINK.sub(r"\1", text)).replace("~~", "")).split())
    return " ".join(_LINK.sub(r"\1", text).replace("~~", "").replace("`", "").split())

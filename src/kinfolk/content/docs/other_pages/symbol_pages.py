"""Which page or section of a version's docs documents a symbol.

    pages = SymbolPages({"reference/QueryClient": documented_names(…), …})
    pages.find("QueryClient")                               # SymbolPlace("reference/QueryClient", "")
    pages.find("clear", owner="QueryClient")                # … its section "queryclientclear"
    pages.find("useQuery", framework="vue")                 # a page below framework/vue, else one of all frameworks

A page of another framework is never found. A member without a section has the page of its owner. Of an owner that no
page is about, a member has the only section with its name: on a page about no symbol, such as one of a feature, or
about one whose name is part of the owner's: `RouteOptions` of `RootRouteOptions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kinfolk.content.markdown.api_reference.documented_names import DocumentedNames, documented_names
from kinfolk.content.markdown.api_reference.renamed_names import renamed_names
from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.front_matter import parse_front_matter, split_front_matter
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.errors import NotFound

_REFERENCE = re.compile(r"(?:^|/)(?:reference|api|api-reference)/")
_ADAPTER = re.compile(r"(?:^|/)framework/[^/]+/[^/]+\Z")
"""Pages about a framework as a whole. Libraries without a reference of an adapter have its functions there."""
_GUIDE_TO_VERSION = re.compile(r"(?:^|/)[^/]{0,80}(?:migrat|upgrad)[^/]{0,80}\Z", re.IGNORECASE)
MOST_RENAMES = 4
"""Names of a symbol one after the other: a guide to version 5 names what version 4 had."""
_OPTIONS = ("Options", "Props")
"""Endings of types whose members a page documents with those of their function or class."""

_OF_SECTION, _OF_ADAPTER = 10, 20
"""Added to ranks: a page about a symbol is before sections of others, and those before sections outside a reference."""


class SymbolPlace(NamedTuple):
    """`path` is that of a page below the docs, `anchor` the id of a heading; empty for the page as a whole.

    `deprecated` is a line about the symbol, such as `Deprecated. Use other instead.`; empty for one that is not.
    """

    path: str
    anchor: str
    deprecated: str = ""


class _RankedPlace(NamedTuple):
    rank: int
    is_other_file: bool
    """The file has another name: TypeDoc writes `useStore.md` and `useStore-1.md` about one name."""
    depth: int
    path: str
    anchor: str


class SymbolPages:
    """The documented names of one version. Immutable; a lookup takes microseconds."""

    def __init__(self, pages: Mapping[str, DocumentedNames]) -> None:
        """`pages` are those of `is_about_symbols` by their paths below the docs, without extension."""
        self._members = {path: page.members for path, page in pages.items() if page.members}
        self._deprecated = {
            (path, anchor): line for path, page in pages.items() for anchor, line in page.deprecated.items()
        }
        self._renamed: dict[tuple[str | None, str], str] = {}
        for path, page in sorted(pages.items(), reverse=True):  # of `to-v4` and `to-v5`, the latter counts
            for old, new in page.renamed.items():
                self._renamed.setdefault((_framework(path), old), new)
        self._subjects = {path: tuple(one.name for one in page.names if not one.anchor) for path, page in pages.items()}
        sections: dict[str, list[str]] = {}
        for path, page in pages.items():
            for member in filter(_is_distinct, page.unowned):
                sections.setdefault(member, []).append(path)
        self._sections: Mapping[str, Sequence[str]] = sections
        places: dict[tuple[str | None, str], list[_RankedPlace]] = {}
        for path, page in pages.items():
            for name, anchor, rank in page.names:
                # The page of a name, before a section of another page.
                is_other = path.rpartition("/")[2] != name
                shift = _OF_SECTION * bool(anchor) if _REFERENCE.search(path) else _OF_ADAPTER
                ranked = _RankedPlace(rank + shift, is_other, path.count("/"), path, anchor)
                places.setdefault((_framework(path), name), []).append(ranked)
        self._places: Mapping[tuple[str | None, str], tuple[_RankedPlace, ...]] = {
            key: tuple(sorted(each)) for key, each in places.items()
        }

    def find(self, name: str, *, owner: str = "", framework: str | None = None) -> SymbolPlace | None:
        """The place of an export, or of a member of `owner`; None where no page is about it."""
        if not owner:
            return self._place(self._ranked(name, framework))
        owners = self._ranked(owner, framework)
        for place in (*owners, *self._of_function(owner, framework)):
            anchor = self._members.get(place.path, {}).get(name) if not place.anchor else None
            if anchor is not None:
                return SymbolPlace(place.path, anchor, self._deprecated.get((place.path, anchor), ""))
        found = self._place(owners)
        return found._replace(deprecated="") if found else self._only_section(name, owner, framework)

    def _only_section(self, name: str, owner: str, framework: str | None) -> SymbolPlace | None:
        paths = [path for path in self._sections.get(name, ()) if _framework(path) in (None, framework)]
        if len(paths) != 1:
            return None
        (path,) = paths
        subjects, anchor = self._subjects[path], self._members[path][name]
        is_related = not subjects or any(subject in owner for subject in subjects)
        return SymbolPlace(path, anchor, self._deprecated.get((path, anchor), "")) if is_related else None

    def _place(self, ranked: Sequence[_RankedPlace]) -> SymbolPlace | None:
        if not ranked:
            return None
        path, anchor = ranked[0].path, ranked[0].anchor
        return SymbolPlace(path, anchor, self._deprecated.get((path, anchor), ""))

    def renamed(self, name: str, framework: str | None = None) -> Iterator[str]:
        """What guides to new versions say that a name, or a member with it, became: the last name comes last."""
        seen = {name}
        for _ in range(MOST_RENAMES):
            new = self._renamed.get((framework, name)) or self._renamed.get((None, name))
            if new is None or new in seen:
                return
            seen.add(new)
            name = new
            yield name

    def names(self) -> frozenset[str]:
        """All documented names but members."""
        return frozenset(name for _, name in self._places)

    def _ranked(self, name: str, framework: str | None) -> tuple[_RankedPlace, ...]:
        own = self._places.get((framework, name), ()) if framework else ()
        found = (*own, *self._places.get((None, name), ()))
        return tuple(sorted(found, key=lambda place: place.rank >= _OF_ADAPTER))

    def _of_function(self, owner: str, framework: str | None) -> Iterable[_RankedPlace]:
        """The pages of what takes the options: of `useBlocker` for `UseBlockerOptions`."""
        for end in _OPTIONS:
            name = owner.removesuffix(end)
            if name and name != owner:
                yield from self._ranked(name, framework)
                yield from self._ranked(f"{name[0].lower()}{name[1:]}", framework)


def names_of_page(path: str, file: str, place: PlacedFile | None, read: Callable[[str], bytes]) -> DocumentedNames:
    """The symbols that a page is about, or says to be renamed. Pages that are translated have no sections in it.

    `path` is its address, `file` its file. `read` raises NotFound. Raises what else `read` raises.
    """

    def read_text(one: str) -> str:
        return read(one).decode(errors="replace")

    inside, ref_path = path.removesuffix(".md"), None
    try:
        text = read_text(file)
        if place is None:
            composed = compose(text, read_text)
            title, body, ref_path = composed.front.title, composed.text, composed.ref_path
        else:
            block, body = split_front_matter(text)
            title = parse_front_matter(block).title
    except (NotFound, OverBudget):  # the page has no text that can be shown
        return DocumentedNames()
    is_reference = _REFERENCE.search(path) is not None
    if not is_reference and _GUIDE_TO_VERSION.search(inside):
        return DocumentedNames(renamed=renamed_names(body))
    found = documented_names(title, body, inside)
    if place is not None or (ref_path is not None and not is_about_symbols(ref_path.removesuffix(".md"))):
        # A change of a text outside of these pages does not make the dependency stale.
        found = found.without_sections()
    if is_reference:
        return found
    return DocumentedNames(tuple(one for one in found.names if one.anchor), deprecated=found.deprecated)


def is_about_symbols(path: str) -> bool:
    """Whether a page can be about symbols, by its path without extension: of a reference or an adapter, or a guide."""
    return any(pattern.search(path) for pattern in (_REFERENCE, _ADAPTER, _GUIDE_TO_VERSION))


def _is_distinct(name: str) -> bool:
    """Whether a name is made of several words: others, such as `path`, occur in many types."""
    return name[1:] != name[1:].lower()


def _framework(path: str) -> str | None:
    match path.split("/"):
        case ["framework", framework, _, *_]:
            return framework
    return None

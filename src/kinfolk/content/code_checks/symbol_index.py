"""In which versions of a library a symbol exists, what replaced it, and the nearest names to one that does not exist.

    index = SymbolIndex(store, "query", ("v5", "v4"))
    index.versions("Hydrate")                                  # (VersionSymbols("v4", …),)
    index.replacement("v5", "Hydrate", renamed=["HydrationBoundary"])
    index.nearest("v5", "useQuerry")                           # ("useQuery", …)

It reads the symbols that the last check of each version stored. A version without them is not known, and not searched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kinfolk.content.code_checks.check_results import ExportedSymbol
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.markdown.deprecated_symbols import sentence_with_replacement

MOST_NEAREST = 5
LEAST_SIMILARITY = 0.6
"""Of a name that a reader may have meant: `useQuerry` and `useQuery` have 0.89, `isLoading` and `isPending` 0.56."""
LONGEST_NAME = 100
"""Characters of a name that is looked up."""
LONGEST_TEXT = 2_000
_CANDIDATE = re.compile(
    r"\{@link(?:code|plain)?\s+(?P<link>[\w$.#]{1,200})|`(?P<code>[\w$.#]{1,200})(?:\(\))?`|(?P<word>[A-Za-z_$][\w$.]*)"
)


@dataclass(frozen=True)
class VersionSymbols:
    """The symbols with one name in a version, exports before members. `version` is named as in the catalog."""

    version: str
    symbols: tuple[ExportedSymbol, ...]


@dataclass(frozen=True)
class Replacement:
    """The symbol to use in place of another. `text` is what its author says; a `guide` has a table or a sentence."""

    name: str
    source: Literal["deprecation", "guide"]
    text: str = ""


class SymbolIndex:
    """The stored symbols of one library. Each method takes milliseconds."""

    def __init__(self, store: CheckStore, library: str, versions: Sequence[str]) -> None:
        """`versions` are all versions of the library, the newest first."""
        self._store = store
        self._library = library
        self._versions = tuple(versions)

    @cached_property
    def known_versions(self) -> tuple[str, ...]:
        """The versions whose symbols are stored, the newest first."""
        return tuple(version for version in self._versions if self._store.exported_names(self._library, version))

    def symbols(self, version: str, name: str, owner: str | None = None) -> tuple[ExportedSymbol, ...]:
        """The symbols with a name in one version. With an `owner`, its members; with an empty one, exports only."""
        if len(name) > LONGEST_NAME:
            return ()
        found = self._store.symbols(self._library, version, name)
        return tuple(one for one in found if owner is None or one.symbol.owner == owner)

    def versions(self, name: str, owner: str | None = None) -> tuple[VersionSymbols, ...]:
        """The versions that have the symbol, the newest first."""
        found = (VersionSymbols(version, self.symbols(version, name, owner)) for version in self.known_versions)
        return tuple(one for one in found if one.symbols)

    def replacement(
        self, version: str, name: str, owner: str | None = None, *, renamed: Iterable[str] = ()
    ) -> Replacement | None:
        """What replaces a symbol that is deprecated in the version, or that only earlier versions have.

        `renamed` are the names that guides say it got, the last one last. A replacement exists in the version.
        """

        def exists(other: str) -> bool:
            return bool(self.symbols(version, other))

        earlier = self.known_versions[self._place(version) :]
        own = self.symbols(version, name, owner)
        described = own or next((found for one in earlier if (found := self.symbols(one, name, owner))), ())
        if not described:
            return None
        for one in described:
            text = one.symbol.deprecated or ""
            if (other := replacement_in(text, name, exists)) is not None:
                return Replacement(other, "deprecation", " ".join(text[:LONGEST_TEXT].split()))
        is_current = any(one.symbol.deprecated is None for one in own)
        guides = () if is_current else [other for other in renamed if other != name and exists(other)]
        return Replacement(guides[-1], "guide") if guides else None

    def nearest(self, version: str, name: str, owner: str = "") -> tuple[str, ...]:
        """The existing names that are most like a name, the most similar first: exports, or members of `owner`."""
        return nearest_names(name, self._store.member_names(self._library, version, owner))

    def _place(self, version: str) -> int:
        """The number of known versions that are not older than a version."""
        order = {one: at for at, one in enumerate(self._versions)}
        return sum(order[one] <= order.get(version, -1) for one in self.known_versions)


def nearest_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those of the names that are most like one, the most similar first."""
    found = process.extract(
        name[:LONGEST_NAME],
        sorted(one for one in names if one != name),
        scorer=OSA.normalized_similarity,
        processor=str.lower,
        limit=MOST_NEAREST,
        score_cutoff=LEAST_SIMILARITY,
    )
    return tuple(one for one, _, _ in found)


def replacement_in(text: str, name: str, exists: Callable[[str], bool]) -> str | None:
    """The name in the sentence that says what to use in place of `name`: of `Use {@link useQuery} instead.`

    None if that does not exist. A word counts if it has a dot or is no English one: `client.query` and `useQuery`.
    """
    for found in _CANDIDATE.finditer(sentence_with_replacement(text[:LONGEST_TEXT])):
        written = (found["link"] or found["code"] or found["word"]).rstrip(".#")
        other = re.split(r"[.#]", written)[-1]
        is_code = found["word"] is None or other != written or _is_no_english_word(written)
        if other and other != name and is_code:
            return other if exists(other) else None
    return None


def _is_no_english_word(name: str) -> bool:
    """Whether a word is written like code: `useQuery` and `QueryClient`, but neither `frame` nor `Frame` nor `JSON`."""
    return name[1:].lower() != name[1:] and not name.isupper()

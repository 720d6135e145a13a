"""The tool `symbol`: what a package exports under a name, in which versions, and what replaced it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import AfterValidator, Field

from kinfolk.api.mcp_tools.argument_types import FrameworkName, LibraryId, VersionName, tool_arguments
from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.config.catalog import LATEST
from kinfolk.content.code_checks.check_results import ExportedSymbol, Option
from kinfolk.content.code_checks.packages.registry.package_names import package_of
from kinfolk.content.code_checks.symbol_index import Replacement, SymbolIndex, nearest_names
from kinfolk.content.docs.pages.location import version_segment
from kinfolk.content.docs.snapshots.content_reader import SymbolReference
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.runtime.errors import NotFound, Unavailable

MOST_SYMBOLS = 8
"""Symbols with one name that an answer has. A member of many types has more."""
MOST_OPTIONS = 60
LONGEST_SIGNATURE = 1_000
_NAME = re.compile(r"(?:(?P<owner>[A-Za-z_$][\w$]{0,99})[.#])?(?P<name>[A-Za-z_$][\w$]{0,99})(?:\(\))?")


def _symbol_name(name: str) -> str:
    if _NAME.fullmatch(name.strip()) is None:
        raise ValueError('is not a name such as "useQuery" or "QueryClient.fetchQuery"')
    return name.strip()


SymbolName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description='Name of an export, such as "useQuery", or of a member with its type, "QueryClient.fetchQuery".',
    ),
    AfterValidator(_symbol_name),
]


@tool_arguments
class SymbolArguments:
    library: LibraryId
    name: SymbolName
    version: VersionName = LATEST
    framework: FrameworkName = ""


@dataclass(frozen=True)
class FoundSymbol:
    """A symbol of the requested version. `modules` are what an import names; a member has those of its type.

    `deprecated` is what its author says of that: None for a symbol that is not deprecated. `address` is the page or
    section about it, `since` the minor version in which that appeared.
    """

    name: str
    owner: str
    kind: str
    modules: tuple[str, ...]
    signature: str
    summary: str
    deprecated: str | None
    options: tuple[Option, ...]
    address: str | None
    since: str | None


@dataclass(frozen=True)
class SymbolVersion:
    """A version with the symbol. `address` is the page or section about it."""

    version: str
    signature: str
    deprecated: str | None
    address: str | None


@dataclass(frozen=True)
class SymbolAnswer:
    """`known_versions` are those whose packages were read: of others, `versions` has nothing.

    Without `symbols`, the version does not have the name, or is not a known one. `address` is then a page about the
    name, if there is one, else the docs. `replaced_by` exists in the version; `replacement_text` is what the author
    says. `nearest` are existing names that are similar, where the version lacks the name.
    """

    library: str
    version: str
    revision: str
    address: str
    name: str
    symbols: tuple[FoundSymbol, ...]
    versions: tuple[SymbolVersion, ...]
    known_versions: tuple[str, ...]
    replaced_by: str | None
    replacement_text: str
    nearest: tuple[str, ...]


def symbol(context: ToolContext, arguments: SymbolArguments) -> SymbolAnswer:
    """Raises NotFound for an unknown library, version or framework, Unavailable where there is nothing to look in."""
    library = context.library(arguments.library)
    version_docs = context.version_docs(library, arguments.version)
    if arguments.framework and arguments.framework not in version_docs.frameworks:
        raise NotFound(
            f"{library.name} has no docs for {arguments.framework!r}. Its frameworks: "
            f"{', '.join(version_docs.frameworks) or 'none'}."
        )
    return _SymbolSearch(context, version_docs, arguments).answer()


class _SymbolSearch:
    def __init__(self, context: ToolContext, version_docs: VersionDocs, arguments: SymbolArguments) -> None:
        self._context = context
        self._docs = version_docs
        self._library = version_docs.library
        self._framework = arguments.framework or None
        found = _NAME.fullmatch(arguments.name)
        self._name, self._owner = (found["name"], found["owner"] or "") if found else (arguments.name, "")
        self._written = f"{self._owner}.{self._name}" if self._owner else self._name
        # Of a member without its type, members of all types are found.
        self._of = self._owner or None
        store = context.docs.checked_code()
        self._index = SymbolIndex(store, self._library.id, self._library.version_names) if store is not None else None

    def answer(self) -> SymbolAnswer:
        version, index = self._docs.version.name, self._index
        known = index.known_versions if index is not None else ()
        documented = self._context.docs.documented_symbols(self._library, self._docs.segment)
        if not known and not documented:
            raise Unavailable(f"This site knows no symbols of {self._library.name}. The tool search may find the name.")
        found = index.symbols(version, self._name, self._of) if index is not None else ()
        symbols = tuple(self._found(_with_modules(self._of_framework(found))))[:MOST_SYMBOLS]
        reference = self._reference(self._docs.segment, self._owner)
        replacement = self._replacement(version, documented)
        addresses = [one.address for one in symbols if one.address]
        address = addresses[0] if addresses else self._context.url(reference.address if reference else self._docs.base)
        return SymbolAnswer(
            library=self._library.id,
            version=version,
            revision=self._docs.branch.revision,
            address=address,
            name=self._written,
            symbols=symbols,
            versions=tuple(self._versions()),
            known_versions=known,
            replaced_by=replacement.name if replacement else None,
            replacement_text=replacement.text if replacement else "",
            nearest=() if symbols or (reference and version not in known) else self._nearest(version, documented),
        )

    def _replacement(self, version: str, documented: frozenset[str]) -> Replacement | None:
        """What replaces the name, and exists: in the packages of the version, or else in its docs."""
        docs, index = self._context.docs, self._index
        renamed = docs.symbol_renames(self._library, self._docs.segment, self._name, framework=self._framework)
        if index is not None and version in index.known_versions:
            return index.replacement(version, self._name, self._of, renamed=renamed)
        found = [name for name in renamed if name in documented and self._name not in documented]
        return Replacement(found[-1], "guide") if found else None

    def _found(self, symbols: Iterable[tuple[ExportedSymbol, tuple[str, ...]]]) -> Iterator[FoundSymbol]:
        for exported, modules in symbols:
            one = exported.symbol
            reference = self._reference(self._docs.segment, one.owner)
            yield FoundSymbol(
                name=one.name,
                owner=one.owner,
                kind=one.kind,
                modules=modules,
                signature=one.signature[:LONGEST_SIGNATURE],
                summary=one.summary,
                deprecated=one.deprecated,
                options=one.options[:MOST_OPTIONS],
                address=self._context.url(reference.address) if reference else None,
                since=reference.since if reference else None,
            )

    def _versions(self) -> Iterator[SymbolVersion]:
        for each in self._index.versions(self._name, self._of) if self._index is not None else ():
            first = (self._of_framework(each.symbols) or each.symbols)[0].symbol
            reference = self._reference(version_segment(self._library, self._library.docs_facts(each.version).version))
            yield SymbolVersion(
                version=each.version,
                signature=first.signature[:LONGEST_SIGNATURE],
                deprecated=first.deprecated,
                address=self._context.url(reference.address) if reference else None,
            )

    def _reference(self, segment: str, owner: str | None = None) -> SymbolReference | None:
        """The page about the symbol: without a framework, one of all frameworks, else of the first that has one."""
        docs, library = self._context.docs, self._library
        frameworks = (self._framework,) if self._framework else (None, *self._docs.frameworks)
        for framework in frameworks:
            try:
                found = docs.symbol_reference(
                    library,
                    segment,
                    self._name,
                    owner=self._owner if owner is None else owner,
                    framework=framework,
                )
            except Unavailable:  # there is no copy of the branch of an old version
                return None
            if found is not None:
                return found
        return None

    def _nearest(self, version: str, documented: frozenset[str]) -> tuple[str, ...]:
        index = self._index
        if index is None or version not in index.known_versions:
            return nearest_names(self._name, documented)
        members = index.nearest(version, self._name, self._owner) if self._owner else ()
        return members or index.nearest(version, self._name)

    def _of_framework(self, symbols: Sequence[ExportedSymbol]) -> Sequence[ExportedSymbol]:
        """Those in packages of the framework, or of none."""
        packages = self._library.packages_of(self._docs.version)
        others = {
            one.name_without_version for one in packages if one.framework and one.framework != self._framework
        } - {one.name_without_version for one in packages if one.framework == self._framework}
        return [one for one in symbols if not self._framework or package_of(one.module) not in others]


def _with_modules(symbols: Iterable[ExportedSymbol]) -> Iterator[tuple[ExportedSymbol, tuple[str, ...]]]:
    """Symbols that several modules export alike are one."""
    alike: dict[object, list[ExportedSymbol]] = {}
    for one in symbols:
        alike.setdefault(replace(one.symbol, package=""), []).append(one)
    for each in alike.values():
        yield each[0], tuple(dict.fromkeys(one.module for one in each))

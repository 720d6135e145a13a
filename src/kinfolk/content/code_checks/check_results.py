"""What a check of a page's code finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from kinfolk.content.markdown.markdown_page import CodeBlock

Verdict = Literal["right", "wrong", "ignored", "not_checkable"]
"""A block is `ignored` if its author says so in a comment, `not_checkable` if no certain statement is possible."""
FaultKind = Literal[
    "syntax", "wrong_import", "missing_export", "unknown_property", "wrong_argument", "missing_property", "deprecated"
]


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a code block. `line` and `column` are 1-based, `column` and `length` in characters.

    `name` is the wrong name as written, `package` the package that it is of, `suggestion` the nearest name that
    exists. `message` is a sentence for maintainers. `since` is the number of the first release with which the code is
    wrong; empty while that is not known.
    """

    line: int
    column: int
    length: int
    kind: FaultKind
    name: str
    package: str
    message: str
    suggestion: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class NameUse:
    """A name in a code block: its 0-based position in characters, and the index of what it refers to in `symbols`."""

    start: int
    length: int
    symbol: int


@dataclass(frozen=True, slots=True)
class Option:
    """A property that an argument of a function may have. `summary` is the first sentence of its documentation."""

    name: str
    type: str
    summary: str = ""
    is_optional: bool = True
    deprecated: str | None = None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol of a package. `owner` is the type that has the member `name`; empty for an export.

    `kind` is TypeScript's word: function, const, class, interface, type, property, method. `signature` is its type as
    TypeScript prints it, shortened. `deprecated` is what its author says of that; None for a symbol that is not
    deprecated. `options` are those of its last parameter of an object type, in the order of their declaration.
    """

    name: str
    owner: str
    kind: str
    package: str
    signature: str
    summary: str = ""
    deprecated: str | None = None
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockCheck:
    """The check of one code block. `reason` says why a block is ignored or not checkable.

    `names` are in order of their positions and do not overlap. `missing_imports` are the import statements that the
    block lacks to stand alone, of names that the page imported before.
    """

    verdict: Verdict
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    names: tuple[NameUse, ...] = ()
    missing_imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageCheck:
    """The check of a page: one entry in `blocks` for each code block, None for one in another language.

    `packages` are the library's own packages that the blocks were checked against, with their releases.
    """

    packages: tuple[tuple[str, str], ...] = ()
    blocks: tuple[BlockCheck | None, ...] = ()
    symbols: tuple[Symbol, ...] = ()

    @property
    def checked(self) -> int:
        """Number of blocks with a certain verdict."""
        return sum(block is not None and block.verdict in ("right", "wrong") for block in self.blocks)

    @property
    def findings(self) -> int:
        return sum(len(block.findings) for block in self.blocks if block is not None)


@dataclass(frozen=True, slots=True)
class ExportedSymbol:
    """An export of one of the library's packages, or a member of one: an entry of the index of symbols.

    `module` is what an import names: `@acme/tiles/core`.
    """

    symbol: Symbol
    module: str


@dataclass(frozen=True, slots=True)
class ReleaseNames:
    """The names in the packages of one release. `members` are those of any type, and options of any function."""

    exports: frozenset[str]
    members: frozenset[str]
    deprecated: frozenset[str] = frozenset()
    """Deprecated exports, members as `Owner.name`, and options as `function(name`."""


def names_of(symbols: Iterable[ExportedSymbol]) -> ReleaseNames:
    """The names of the symbols of a release."""
    exports: set[str] = set()
    members: set[str] = set()
    deprecated: set[str] = set()
    for symbol in (one.symbol for one in symbols):
        full_name = f"{symbol.owner}.{symbol.name}" if symbol.owner else symbol.name
        (members if symbol.owner else exports).add(symbol.name)
        members.update(option.name for option in symbol.options)
        if symbol.deprecated is not None:
            deprecated.add(full_name)
        deprecated |= {f"{full_name}({one.name}" for one in symbol.options if one.deprecated is not None}
    return ReleaseNames(frozenset(exports), frozenset(members), frozenset(deprecated))


def blocks_digest(blocks: Sequence[CodeBlock]) -> bytes:
    """Changes with the code blocks of a page. A check is shown only with the blocks that it was made of."""
    parts = (f"{block.language}\0{block.code}\0" for block in blocks)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()[:16]

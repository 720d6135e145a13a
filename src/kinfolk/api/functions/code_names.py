"""The names in a code block of the docs: what the symbol popover shows about each."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated

from pydantic import Field

from kinfolk.api.registry import OMIT_EMPTY, Call, registry, request_data, to_json
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.code_checks.check_results import BlockCheck, Option, PageCheck, Symbol
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.pages.linked_names import names_within
from kinfolk.content.docs.snapshots.content_reader import SymbolReference
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound

LARGEST_ANSWER = 5_500
"""Bytes of an answer, compressed by zlib. Servers compress as well or better, and add some 100 bytes."""
MOST_NAMES = 200
MOST_SYMBOLS = 80
MOST_OPTIONS = 100
"""Options of all symbols of a block: the first have theirs. `useQuery` has 31."""
MOST_IMPORTS = 12
LONGEST_NAME = 80
LONGEST_SIGNATURE = 320
LONGEST_SENTENCE = 240
LONGEST_TYPE = 120
LONGEST_IMPORT = 320
SHRINK = 0.7
"""How much shorter and fewer all parts are in each attempt to fit an answer into its limit."""
LARGEST_NUMBER = 10_000
"""Code blocks of a page."""
NO_REFERENCE = SymbolReference("")


@request_data
class CodeNamesRequest:
    """`path` is that of the page below the docs, `block` the number of the code block on it, from 0."""

    library: str
    version: str
    path: str
    block: Annotated[int, Field(ge=0, lt=LARGEST_NUMBER)]


@dataclass(frozen=True)
class CodeName:
    """A name in the code, at a position in UTF-16 units, and the index of its symbol."""

    start: int
    length: int
    symbol: int


@dataclass(frozen=True)
class SymbolOption:
    """An option of a call. `summary` is the first sentence of its documentation, `deprecation` what is said of that."""

    name: str
    type: str
    summary: str = field(default="", metadata=OMIT_EMPTY)
    required: bool = field(default=False, metadata=OMIT_EMPTY)
    deprecated: bool = field(default=False, metadata=OMIT_EMPTY)
    deprecation: str = field(default="", metadata=OMIT_EMPTY)


@dataclass(frozen=True)
class CodeSymbol:
    """A symbol of the library. `owner` is the type whose member it is; `since` the release that it came with.

    `reference` is the address of the page that documents it.
    """

    name: str
    kind: str
    signature: str
    owner: str = field(default="", metadata=OMIT_EMPTY)
    summary: str = field(default="", metadata=OMIT_EMPTY)
    since: str = field(default="", metadata=OMIT_EMPTY)
    deprecated: bool = field(default=False, metadata=OMIT_EMPTY)
    deprecation: str = field(default="", metadata=OMIT_EMPTY)
    reference: str = field(default="", metadata=OMIT_EMPTY)
    options: tuple[SymbolOption, ...] = field(default=(), metadata=OMIT_EMPTY)


@dataclass(frozen=True)
class CodeNames:
    """The names of a block in their order, their symbols, and the import statements that the block lacks.

    `length` is that of the code in UTF-16 units, by which the browser knows a page that is older.
    """

    length: int
    names: tuple[CodeName, ...]
    symbols: tuple[CodeSymbol, ...]
    missing_imports: tuple[str, ...]


@registry.function("docs.names", cache=DOCS)
async def docs_code_names(call: Call, request: CodeNamesRequest) -> CodeNames:
    """The names of one code block. Raises NotFound for a block that was not checked."""
    return await asyncio.to_thread(_code_names, call.docs, request)


def _code_names(docs: ContentReader, request: CodeNamesRequest) -> CodeNames:
    location = docs.locate_address(DocsAddress(request.library, request.version, request.path))
    page = docs.page(location).page
    check = docs.code_check(location, page)
    block = check.blocks[request.block] if check is not None and request.block < len(check.blocks) else None
    if check is None or block is None:
        raise NotFound(f"Nothing is known about the names in code block {request.block} of this page")
    code, version, framework = page.code_blocks[request.block].code, location.address.version, location.framework
    references = {}
    for use in islice(names_within(block, code, check.symbols), MOST_NAMES):
        name, owner = check.symbols[use.symbol].name, check.symbols[use.symbol].owner
        found = docs.symbol_reference(location.library, version, name, owner=owner, framework=framework)
        if found is not None:
            references[use.symbol] = found
    return fitting_names(check, block, code, references)


def fitting_names(
    check: PageCheck,
    block: BlockCheck,
    code: str,
    references: Mapping[int, SymbolReference],
) -> CodeNames:
    """What is known about the names of a block, shortened until its JSON has LARGEST_ANSWER bytes compressed.

    `references` are the pages about symbols, by the index of the symbol.
    """
    share = 1.0
    while True:
        made = _Excerpt(share).names(check, block, code, references)
        if len(zlib.compress(json.dumps(to_json(made), ensure_ascii=False).encode(errors="replace"))) <= LARGEST_ANSWER:
            return made
        share *= SHRINK


@dataclass(frozen=True)
class _Excerpt:
    """All numbers and lengths are this share of their limits."""

    share: float

    def names(
        self,
        check: PageCheck,
        block: BlockCheck,
        code: str,
        references: Mapping[int, SymbolReference],
    ) -> CodeNames:
        units = _utf16_positions(code)
        indexes: dict[int, int] = {}
        names = []
        for use in names_within(block, code, check.symbols):
            if use.symbol not in indexes and len(indexes) >= self._count(MOST_SYMBOLS):
                continue
            index = indexes.setdefault(use.symbol, len(indexes))
            start = units(use.start)
            names.append(CodeName(start, units(use.start + use.length) - start, index))
        symbols, left = [], self._count(MOST_OPTIONS)
        for symbol in indexes:
            symbols.append(self._symbol(check.symbols[symbol], references.get(symbol, NO_REFERENCE), left))
            left -= len(symbols[-1].options)
        # All or none: code with some of its imports does not run either.
        count, longest = len(block.missing_imports), max(map(len, block.missing_imports), default=0)
        imports = block.missing_imports if count <= self._count(MOST_IMPORTS) and longest <= LONGEST_IMPORT else ()
        return CodeNames(units(len(code)), tuple(names[: self._count(MOST_NAMES)]), tuple(symbols), imports)

    def _symbol(self, symbol: Symbol, reference: SymbolReference, most_options: int) -> CodeSymbol:
        deprecation = symbol.deprecated or reference.deprecated
        return CodeSymbol(
            name=self._text(symbol.name, LONGEST_NAME),
            kind=self._text(symbol.kind, LONGEST_NAME),
            signature=self._text(symbol.signature, LONGEST_SIGNATURE),
            owner=self._text(symbol.owner, LONGEST_NAME),
            summary=self._text(symbol.summary, LONGEST_SENTENCE),
            since=reference.since or "",
            deprecated=symbol.deprecated is not None or bool(deprecation),
            deprecation=self._text(deprecation, LONGEST_SENTENCE),
            # An address that is shortened leads nowhere.
            reference=reference.address if len(reference.address) <= LONGEST_SIGNATURE * self.share else "",
            options=tuple(self._options(symbol.options[:most_options])),
        )

    def _options(self, options: Sequence[Option]) -> Iterator[SymbolOption]:
        for option in options:
            yield SymbolOption(
                name=self._text(option.name, LONGEST_NAME),
                type=self._text(option.type, LONGEST_TYPE),
                summary=self._text(option.summary, LONGEST_SENTENCE),
                required=not option.is_optional,
                deprecated=option.deprecated is not None,
                deprecation=self._text(option.deprecated or "", LONGEST_SENTENCE),
            )

    def _count(self, most: int) -> int:
        return int(most * self.share)

    def _text(self, text: str, longest: int) -> str:
        most = int(longest * self.share)
        return text if len(text) <= most else f"{text[: max(most - 1, 0)].rstrip()}…"


def _utf16_positions(code: str) -> Callable[[int], int]:
    """Positions in characters -> positions in UTF-16 units, as browsers count."""
    if all(letter < "\U00010000" for letter in code):
        return lambda position: position
    return lambda position: len(code[:position].encode("utf-16-le", "surrogatepass")) // 2

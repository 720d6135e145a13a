"""The styles of a page as text in its head, so that its first paint waits for no other file (decisions/0021).

A page contains only rules that can apply to it: those whose classes and elements it has. What else scripts can add to a
page of the server is known when the frontend is built (`frontend/manifest.ts`); for all else they load the whole files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kinfolk.config.base_path import BasePath
from kinfolk.rendering.content_security_policy import source_hash
from kinfolk.runtime.cache import LRUCache

STYLESHEETS = "stylesheets.json"
"""The file of the built frontend, in its folder `ssr`. `frontend/stylePieces.ts` describes it."""
MAX_TEXTS = 64
"""Texts of stylesheets, of 3 to 60 kB in memory. 1,684 docs pages of the corpus have 352 different ones of `site.css`,
neighbors mostly the same. To make one takes 0.2 ms."""
PAGE_RULES = "data-page-rules"
"""The attribute of the style element with the page's own rules. React knows nothing of it."""
_LINK = re.compile(r'<link rel="stylesheet" href="([^"]*)" data-precedence="([^"]*)"/>')
# A pattern that begins with plain text is found ten times as fast.
_CLASSES = re.compile('class="([^"]*)"')
_ELEMENTS = re.compile("<([a-zA-Z][a-zA-Z0-9-]*)")

Clause = frozenset[str]
"""A page must have one of these tokens: `.class`, `element` or `data-name="value"`."""


@dataclass(frozen=True)
class StyleText:
    """Rules that a page has if all clauses hold."""

    needs: tuple[Clause, ...]
    text: str


@dataclass(frozen=True)
class StyleRule:
    """`selectors` with the clauses that each needs, and what stands between the braces."""

    selectors: tuple[StyleText, ...]
    body: str


@dataclass(frozen=True)
class RuleGroup:
    """Rules inside an at-rule, such as `@media print`."""

    prelude: str
    pieces: tuple[StylePiece, ...]


StylePiece = StyleText | StyleRule | RuleGroup


class Stylesheet:
    """The pieces of one file."""

    def __init__(self, pieces: Sequence[StylePiece]) -> None:
        self._pieces = pieces
        self.tokens = frozenset(_tokens(pieces))

    def text(self, tokens: frozenset[str] | None) -> str:
        """The rules that can apply to a page with these of the stylesheet's tokens; all for None."""
        return "".join(_texts(self._pieces, tokens))


class Stylesheets:
    """Stylesheets by their addresses. With `whole`, pages contain all of their rules."""

    def __init__(self, sheets: Mapping[str, Stylesheet], *, whole: bool = False) -> None:
        self._sheets = sheets
        self._whole = whole
        self._texts: LRUCache[tuple[str, frozenset[str] | None], tuple[str, str]] = LRUCache(MAX_TEXTS)
        known = frozenset[str]().union(*(sheet.tokens for sheet in sheets.values()))
        self._classes = frozenset(token[1:] for token in known if token.startswith("."))
        self._attributes = tuple(sorted(token for token in known if "=" in token))
        self._elements = known.difference(self._attributes, (f".{name}" for name in self._classes))

    @classmethod
    def of_build(cls, frontend: Path, base: BasePath, *, whole: bool = False) -> Stylesheets:
        """Those of the built frontend, with the base path of the site."""
        text = (frontend / "ssr" / STYLESHEETS).read_text(encoding="utf-8").replace("/assets/", f"{base.path}/assets/")
        sheets = {href: Stylesheet(read_pieces(pieces)) for href, pieces in json.loads(text).items()}
        return cls(sheets, whole=whole)

    def inline(self, page: str, rules: str = "") -> tuple[str, tuple[str, ...]]:
        """The page with texts in place of links and its own rules, at the end of the head; the hashes of these texts.

        A script after a linked stylesheet would block on it. React takes `data-href` for its address.
        """
        end = page.find("</head>")
        links = list(_LINK.finditer(page, 0, end)) if end >= 0 else []
        if end < 0 or not (links or rules):
            return page, ()
        tokens = None if self._whole or not links else self._tokens_of(page)
        styles = [self._style(link, tokens) for link in links]
        if rules:
            styles.append((f"<style {PAGE_RULES}>{rules}</style>", source_hash(rules)))
        texts = "".join(text for text, _ in styles)
        return f"{_LINK.sub('', page[:end])}{texts}{page[end:]}", tuple(hash for _, hash in styles if hash)

    def _tokens_of(self, page: str) -> frozenset[str]:
        classes = {name for names in set(_CLASSES.findall(page)) for name in names.split()}
        return frozenset(
            {f".{name}" for name in classes & self._classes}
            | (set(_ELEMENTS.findall(page)) & self._elements)
            | {attribute for attribute in self._attributes if attribute in page}
        )

    def _style(self, link: re.Match[str], tokens: frozenset[str] | None) -> tuple[str, str]:
        """The element in place of a link, and the hash of its text; a link without a text stays."""
        href, precedence = link.groups()
        sheet = self._sheets.get(href)
        if sheet is None:
            return link[0], ""
        key = (href, None if tokens is None else tokens & sheet.tokens)
        found = self._texts.get(key)
        if found is None:
            text = sheet.text(key[1])
            found = text, source_hash(text)
            self._texts.put(key, found)
        return f'<style data-href="{href}" data-precedence="{precedence}">{found[0]}</style>', found[1]


def read_pieces(written: Iterable[object]) -> tuple[StylePiece, ...]:
    """Reads pieces from JSON. Neighbors that need the same are one text: a page has three hundred rules."""
    pieces: list[StylePiece] = []
    for piece in map(_read_piece, written):
        last = pieces[-1] if pieces else None
        if isinstance(piece, StyleText) and isinstance(last, StyleText) and piece.needs == last.needs:
            pieces[-1] = StyleText(piece.needs, last.text + piece.text)
        else:
            pieces.append(piece)
    return tuple(pieces)


def _read_piece(written: object) -> StylePiece:
    match written:
        case str(text):
            return StyleText((), text)
        case {"of": of, "body": body}:
            selectors = tuple(StyleText(tuple(map(frozenset, needs)), text) for needs, text in of)
            if len({selector.needs for selector in selectors}) > 1:
                return StyleRule(selectors, body)
            return StyleText(selectors[0].needs, f"{','.join(each.text for each in selectors)}{{{body}}}")
        case {"group": prelude, "pieces": inner}:
            pieces = read_pieces(inner)
            match pieces:
                # The first mention of a layer gives it its place among the others, even without rules.
                case (StyleText(needs, text),) if not prelude.startswith("@layer"):
                    return StyleText(needs, f"{prelude}{{{text}}}")
            return RuleGroup(prelude, pieces)
    raise ValueError(f"no piece of a stylesheet: {written!r:.200}")


def _tokens(pieces: Iterable[StylePiece]) -> Iterator[str]:
    for piece in pieces:
        match piece:
            case StyleText(needs):
                for clause in needs:
                    yield from clause
            case StyleRule(selectors):
                yield from _tokens(selectors)
            case RuleGroup(_, inner):
                yield from _tokens(inner)


def _texts(pieces: Iterable[StylePiece], tokens: frozenset[str] | None) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, StyleText):
            if _all_hold(piece.needs, tokens):
                yield piece.text
        elif isinstance(piece, StyleRule):
            matching = [selector.text for selector in piece.selectors if _all_hold(selector.needs, tokens)]
            if matching:
                yield f"{','.join(matching)}{{{piece.body}}}"
        else:
            text = "".join(_texts(piece.pieces, tokens))
            if text or piece.prelude.startswith("@layer"):
                yield f"{piece.prelude}{{{text}}}"


def _all_hold(clauses: tuple[Clause, ...], tokens: frozenset[str] | None) -> bool:
    if tokens is not None:
        for clause in clauses:
            if tokens.isdisjoint(clause):
                return False
    return True

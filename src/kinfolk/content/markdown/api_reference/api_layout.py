"""The sections of a page of TypeDoc -> the layout of a reference: signatures, tables of parameters, members, sources.

Headings keep their ids, on a heading or on the row, table or note that shows their section.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from markdown_it.token import Token

from kinfolk.content.markdown.api_reference.api_pages import (
    LABELS,
    MEMBERS,
    ROWS,
    SOURCE,
    TABLES,
    ApiReference,
    ApiSection,
    Block,
    is_source,
)
from kinfolk.content.markdown.api_reference.api_signature import LONGEST, in_typescript, modifiers, signature_html
from kinfolk.content.markdown.directives import Node
from kinfolk.content.markdown.html.inline import plain_text
from kinfolk.content.markdown.render_context import RenderContext

LAYOUT = "layout"
"""Type of tokens with HTML of this module."""
MANY_ROWS = 8
"""A longer table of a section is folded."""
MANY_MEMBERS = 3
FOLDED_WEIGHT = 4
"""Rows, and code blocks as so many rows, from which the details of one of many members are folded."""
LONG_TYPE = 60
"""Characters of a type of a result that is not repeated below its signature."""

PROSE = frozenset(("Since", "Throws"))
"""Rows that hold text, not a type."""

_HEAD_LEVEL = 2
_MEMBER_LEVEL = 3
_BADGES = frozenset(("abstract", "private", "protected", "readonly", "static"))
_KIND_LABELS = {"Type Alias": "Type alias", "Enumeration": "Enum"}
_PARAGRAPH_TOKENS = 3


class ReferenceLayout:
    """Lays out one page, after its headings have ids."""

    def __init__(self, reference: ApiReference, context: RenderContext, links: Mapping[str, str]) -> None:
        self._reference = reference
        self._context = context
        self._links = links
        self._introduction = _words(reference.root.blocks)

    def nodes(self) -> list[Node]:
        reference, root = self._reference, self._reference.root
        label = _KIND_LABELS.get(reference.kind, reference.kind)
        struck = bool(reference.before) and any(child.type == "s_open" for child in _children(reference.before))
        deprecated = _badge("deprecated") if struck or root.find("Deprecated") else ""
        sources, blocks = _split_sources(root.blocks)
        result: list[Node] = [*reference.before]
        result.append(_html(f'<div class="api-head"><span class="api-kind">{escape(label)}</span>'))
        result += [_html(deprecated), *self._sources(sources, "Source "), _html("</div>\n")]
        if reference.declaration:
            result.append(_html(self._signature(reference.declaration)))
        result += self._body(blocks)
        for section in root.children:
            result += self._section(section)
        return result

    # Sections

    def _sections(self, sections: Sequence[ApiSection], *, signature: str = "") -> list[Node]:
        """Sections below a member: known ones by their names, others as properties of what is above.

        A bare type of the result that the signature shows is not repeated.
        """
        result: list[Node] = []
        for is_unnamed, run in groupby(sections, lambda one: not one.is_known and not one.is_written):
            if not is_unnamed:
                for section in run:
                    is_repeated = section.name == "Returns" and _repeats(section, signature, of=sections)
                    result += [_html(self._anchors(section))] if is_repeated else self._section(section)
            else:
                result += self._unnamed(list(run))
        return result

    def _section(self, section: ApiSection) -> list[Node]:
        if section.name in TABLES:
            return self._table_section(section)
        if section.name in ROWS:
            return self._row(section)
        if section.name == "Deprecated":
            return self._deprecation(section)
        if section.name in MEMBERS:
            return [*self._heading(section), *self._blocks(section.blocks), *self._members(section)]
        if section.name in LABELS:
            return self._labelled(section)
        return self._written(section) if section.is_written else self._member(section)

    def _written(self, section: ApiSection) -> list[Node]:
        """A section of the author. TypeDoc's sections that follow it have deeper headings."""
        result: list[Node] = [*section.heading, *self._blocks(section.blocks)]
        for child in section.children:
            is_text = not child.is_known and not child.has_source
            result += self._written(child) if is_text else self._section(child)
        return result

    def _labelled(self, section: ApiSection) -> list[Node]:
        """`Call Signature`, `Example`."""
        if not section.name.endswith("Signature"):
            return [*self._heading(section), *self._blocks(section.blocks), *self._sections(section.children)]
        sources, blocks = _split_sources(section.blocks)
        result: list[Node] = [_html('<div class="api-name">'), *self._heading(section), *self._sources(sources)]
        result.append(_html("</div>\n"))
        described = blocks[1:] if section.signature else blocks
        if section.signature and described and _words(described) == self._introduction:
            result += self._body(blocks[:1])
            result += _folded("Description", self._blocks(described))
        else:
            result += self._body(blocks)
        return result + self._sections(section.children)

    def _heading(self, section: ApiSection) -> list[Node]:
        if section.level <= _HEAD_LEVEL:
            return [*section.heading]
        return [_html(f'<p class="api-label"{self._id(section)}>{self._alias(section)}{escape(section.name)}</p>\n')]

    def _deprecation(self, section: ApiSection) -> list[Node]:
        opening = (
            f'<div class="callout" data-callout="warning" role="note" aria-label="Deprecated"{self._id(section)}>'
            f'{self._alias(section)}<p class="callout-title">Deprecated</p>\n'
        )
        return [_html(opening), *self._blocks(section.blocks), *self._sections(section.children), _html("</div>\n")]

    def _row(self, section: ApiSection) -> list[Node]:
        """`Returns`, with the type and its description; `Inherited from`, with a name."""
        if section.level == _HEAD_LEVEL and section.name == "Returns":
            before: list[Node] = [*section.heading]
            if not section.blocks:
                return [*before, *self._members(section)]
            before.append(_html('<div class="api-row">'))
        else:
            label = f"{self._alias(section)}<b>{escape(section.name)}</b> "
            before = [_html(f'<div class="api-row"{self._id(section)}>{label}')]
        if section.blocks:
            before += self._value(section.blocks, is_prose=section.name in PROSE)
        rest = self._members(section) if section.level == _HEAD_LEVEL else self._sections(section.children)
        if section.level > _HEAD_LEVEL and _weight(section) >= FOLDED_WEIGHT:
            rest = _folded("Properties", rest)
        return [*before, _html("</div>\n"), *rest]

    def _value(self, blocks: Sequence[Block], *, is_prose: bool) -> list[Node]:
        """The first block as a type or code, the others as text. All as text if `is_prose`."""
        if is_prose:
            return [_html("<div>"), *self._text(blocks), _html("</div>")]
        first, rest = blocks[0], blocks[1:]
        result: list[Node] = [_html("<div>")]
        if first[0].type == "fence":
            result.append(_html(f"<code>{escape(first[0].content.strip(), quote=False)}</code>"))
        elif _is_paragraph(first):
            result += self._type(first[1].children or [])
        else:
            for token in first:
                result += self._type(token.children or []) if token.type == "inline" else [token]
        return [*result, *self._text(rest), _html("</div>")]

    # Members

    def _members(self, section: ApiSection) -> list[Node]:
        """The members, with the inherited ones folded below the others."""
        own: list[Node] = []
        inherited: dict[str, list[ApiSection]] = {}
        declared = [child for child in section.children if not child.find("Inherited from")]
        for child in section.children:
            base = _base(child)
            if base is not None:
                inherited.setdefault(base, []).append(child)
            elif child.is_written:
                own += self._written(child)
            else:
                own += self._member(child, is_one_of_many=len(declared) > MANY_MEMBERS)
        for base, children in inherited.items():
            nodes = [node for child in children for node in self._member(child, is_one_of_many=True)]
            own += _folded(f"Inherited from {base} ({len(children)})", nodes, is_open=not declared)
        return own

    def _member(self, section: ApiSection, *, is_one_of_many: bool = False) -> list[Node]:
        sources, blocks = _split_sources(section.blocks)
        badges = [word for word in modifiers(section.signature or "") if word in _BADGES]
        if section.name.endswith("?") or "optional" in modifiers(section.signature or ""):
            badges.append("optional")
        if section.is_deprecated:
            badges.append("deprecated")
        result: list[Node] = []
        is_plain = section.level == _HEAD_LEVEL and not sources
        if not is_plain:
            result.append(_html('<div class="api-name">'))
        result += section.heading if section.level <= _MEMBER_LEVEL else self._small_heading(section)
        result.append(_html("".join(_badge(word) for word in badges)))
        result += [*self._sources(sources), _html("" if is_plain else "</div>\n")]
        result += self._body(blocks)
        details = self._sections(section.children, signature=section.signature or "")
        if is_one_of_many and _weight(section) >= FOLDED_WEIGHT:
            names = dict.fromkeys(one.name if one.is_known else "Properties" for one in section.children)
            return result + _folded(", ".join(names).capitalize(), details)
        return result + details

    def _small_heading(self, section: ApiSection) -> list[Node]:
        return [_html(f"<code{self._id(section)}>{self._alias(section)}{escape(section.name)}</code> ")]

    def _unnamed(self, sections: Sequence[ApiSection]) -> list[Node]:
        """Members with signatures, or properties with types."""
        result: list[Node] = []
        for has_signature, run in groupby(sections, lambda one: one.signature is not None):
            found = list(run)
            if has_signature:
                result += [node for section in found for node in self._member(section)]
            else:
                result += self._table("Properties", "", found)
        return result

    # Tables

    def _table_section(self, section: ApiSection) -> list[Node]:
        if section.level == _HEAD_LEVEL:
            before: list[Node] = [*section.heading, *self._blocks(section.blocks)]
            table = self._table("Name", "", section.children, is_generic=section.name == "Type Parameters")
        else:
            before = [_html(self._alias(section)), *self._blocks(section.blocks)]
            is_generic = section.name == "Type Parameters"
            table = self._table(section.name, self._id(section), section.children, is_generic=is_generic)
        if len(section.children) > MANY_ROWS:
            table = _folded(f"{len(section.children)} {section.name.lower()}", table)
        return before + table

    def _table(self, name: str, identifier: str, rows: Sequence[ApiSection], *, is_generic: bool = False) -> list[Node]:
        if not rows:
            return [_html(f'<p class="api-label"{identifier}>{name}</p>\n')] if identifier else []
        cells = [_cells(row, is_generic=is_generic) for row in rows]
        columns = [
            ("Extends" if is_generic else "Type", any(one.kind for one in cells)),
            ("Default", any(one.default for one in cells)),
            ("Description", any(one.text for one in cells)),
        ]
        shown = [label for label, is_used in columns if is_used]
        if not shown and not any(row.children for row in rows):
            return self._names(name, identifier, rows)
        head = "".join(f'<th scope="col">{label}</th>' for label in (name, *shown))
        result: list[Node] = [
            _html(f'<table class="api-table"{identifier}><thead data-api><tr>{head}</tr></thead><tbody>\n')
        ]
        for row, cell in zip(rows, cells, strict=True):
            result += self._table_row(row, cell, shown)
        return [*result, _html("</tbody></table>\n")]

    def _names(self, name: str, identifier: str, rows: Sequence[ApiSection]) -> list[Node]:
        """Parameters of which only the names are known."""
        codes = " ".join(f"{self._alias(row)}<code{self._id(row)}>{escape(row.name)}</code>" for row in rows)
        return [_html(f'<div class="api-row"{identifier}><b>{name}</b> <div>{codes}</div></div>\n')]

    def _table_row(self, row: ApiSection, cell: _Cells, shown: Sequence[str]) -> list[Node]:
        name = escape(row.name.removesuffix("?"))
        badges = (_badge("optional") if row.name.endswith("?") else "") + (
            _badge("deprecated") if row.is_deprecated else ""
        )
        result: list[Node] = [
            _html(f'<tr{self._id(row)}><th scope="row">{self._alias(row)}<code>{name}</code>{badges}</th>')
        ]
        for label in shown:
            # What follows the name in a stack of rows on narrow screens.
            result.append(_html(f'<td data-label="{label.lower()}">' if label in ("Default", "Extends") else "<td>"))
            if label == "Description":
                result += self._text(cell.text)
            elif found := cell.default if label == "Default" else cell.kind:
                result += self._type(found)
            result.append(_html("</td>"))
        result.append(_html("</tr>\n"))
        if row.children:
            nested = self._sections(row.children)
            if _weight(row) >= FOLDED_WEIGHT:
                nested = _folded(f"More about {row.name}", nested)
            result += [_html(f'<tr class="api-nested"><td colspan="{1 + len(shown)}">'), *nested, _html("</td></tr>\n")]
        return result

    # Content

    def _body(self, blocks: Sequence[Block]) -> list[Node]:
        """Blocks of a declaration, whose first one may be its signature."""
        if not blocks:
            return []
        first, *rest = blocks
        is_signature = first[0].type == "fence" and first[0].info.strip() in ("ts", "typescript")
        if not is_signature or len(first[0].content) > LONGEST:
            return self._blocks(blocks)
        code = in_typescript(first[0].content.removesuffix("\n"))
        return [_html(self._signature(code)), *self._blocks(rest)]

    def _signature(self, code: str) -> str:
        html = signature_html(code, self._links)
        slot = self._context.slot(f'<pre class="code api-signature"><code class="language-ts">{html}</code></pre>')
        return f"{slot}\n"

    def _blocks(self, blocks: Iterable[Block]) -> list[Node]:
        return [token for block in blocks for token in block]

    def _text(self, blocks: Sequence[Block]) -> list[Node]:
        """The blocks; a single paragraph without its tags."""
        if len(blocks) == 1 and _is_paragraph(blocks[0]):
            return [_html(" "), blocks[0][1]]
        return self._blocks(blocks)

    def _type(self, children: Sequence[Token]) -> list[Node]:
        inline = Token("inline", "", 0, children=[_in_code(child) for child in children if child.type not in _EMPHASIS])
        return [_html("<code>"), inline, _html("</code>")]

    def _sources(self, sources: Sequence[Block], label: str = "") -> list[Node]:
        result: list[Node] = []
        for block in sources:
            first, *link = block[1].children or []
            children = link or [_text_token(first.content.removeprefix(SOURCE))]
            shown = children[len(children) // 2]
            shown.content = shown.content.rpartition("/")[2]
            inline = Token("inline", "", 0, children=children, map=block[1].map)
            result += [_html(f'<span class="api-source">{label}'), inline, _html("</span>")]
        return result

    def _id(self, section: ApiSection) -> str:
        return f' id="{escape(section.heading[0].meta["id"])}"'

    def _anchors(self, section: ApiSection) -> str:
        return f"<a{self._id(section)}></a>{self._alias(section)}\n"

    def _alias(self, section: ApiSection) -> str:
        meta = section.heading[0].meta
        other = self._context.alias(meta["text"], meta["id"])
        return f'<a id="{other}"></a>' if other else ""


@dataclass(frozen=True)
class _Cells:
    kind: list[Token]
    default: list[Token]
    text: list[Block]


def _cells(row: ApiSection, *, is_generic: bool) -> _Cells:
    """The type and default in the first paragraph, and the blocks below it."""
    if not row.blocks or not _is_paragraph(row.blocks[0]):
        return _Cells([], [], row.blocks)
    children = list(row.blocks[0][1].children or [])
    if is_generic and children and children[0].content == row.name:
        children = children[1:]
        if children and children[0].content == " ":
            children = children[1:]
        if children and children[0].type == "em_open":
            children = children[3:]
    kind, default = _split_default(children)
    return _Cells(_stripped(kind), _stripped(default), row.blocks[1:])


def _split_default(children: list[Token]) -> tuple[list[Token], list[Token]]:
    """The tokens before and after ` = `."""
    for at, child in enumerate(children):
        if child.type == "text" and " = " in child.content:
            before, _, after = child.content.partition(" = ")
            return [*children[:at], _text_token(before)], [_text_token(after), *children[at + 1 :]]
    return children, []


def _repeats(section: ApiSection, signature: str, *, of: Sequence[ApiSection]) -> bool:
    """Whether `Returns` has only a type that stands in the signature, and is long, `void` or below no parameters."""
    if len(section.blocks) != 1 or section.children or not _is_paragraph(section.blocks[0]):
        return False
    written = "".join(plain_text(section.blocks[0][1]).split())
    is_shown = "".join(signature.split()).removesuffix(";").endswith((f":{written}", f"=>{written}"))
    is_long = len(written) > LONG_TYPE or signature.startswith("new ")
    return is_shown and (is_long or written == "void" or not any(one.name == "Parameters" for one in of))


def _stripped(children: list[Token]) -> list[Token]:
    """The tokens without blanks at both ends; none if nothing is left."""
    for at, strip in ((0, str.lstrip), (-1, str.rstrip)):
        while children and children[at].type == "text":
            text = strip(children[at].content)
            if text:
                children[at] = _text_token(text)
                break
            del children[at]
    return children


_EMPHASIS = ("em_open", "em_close")


def _in_code(child: Token) -> Token:
    """The token for an element `<code>` around all of them."""
    return _text_token(child.content) if child.type == "code_inline" else child


def _text_token(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _html(content: str) -> Token:
    return Token(LAYOUT, "", 0, content=content, block=True)


def _badge(word: str) -> str:
    return f'<span class="api-badge" data-badge="{word}">{word}</span>'


def _folded(summary: str, nodes: list[Node], *, is_open: bool = False) -> list[Node]:
    opening = f'<details class="api-fold"{" open" if is_open else ""}><summary>{escape(summary)}</summary>\n'
    return [_html(opening), *nodes, _html("</details>\n")]


def _split_sources(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Paragraphs that name only the source, and the other blocks."""
    sources = [block for block in blocks if _is_source(block)]
    return sources, [block for block in blocks if not _is_source(block)] if sources else list(blocks)


_SOURCE_TOKENS = (["text"], ["text", "link_open", "text", "link_close"])


def _is_source(block: Block) -> bool:
    if not _is_paragraph(block) or not is_source(block, 1):
        return False
    return [child.type for child in block[1].children or ()] in _SOURCE_TOKENS


def _is_paragraph(block: Block) -> bool:
    return len(block) == _PARAGRAPH_TOKENS and block[0].type == "paragraph_open"


def _children(before: Sequence[Node]) -> Sequence[Token]:
    return [child for token in before if isinstance(token, Token) for child in token.children or ()]


def _words(blocks: Sequence[Block]) -> list[str]:
    return [token.content for block in blocks if not _is_source(block) for token in block if token.content]


def _base(member: ApiSection) -> str | None:
    """The type that a member is inherited from: `Inherited from Store.state` -> `Store`."""
    section = member.find("Inherited from")
    if section is None or not section.blocks:
        return None
    first = section.blocks[0]
    text = first[0].content if first[0].type == "fence" else plain_text(first[1]) if _is_paragraph(first) else ""
    return " ".join(text.split()).rpartition(".")[0] or "another type"


def _weight(section: ApiSection) -> int:
    """The height of what is below a member, in rows."""
    weight = 0
    for child in section.children:
        weight += sum(FOLDED_WEIGHT for block in child.blocks if block[0].type == "fence" and child.name in LABELS)
        weight += 1 + _weight(child) if child.name not in ROWS else len(child.children)
    return weight

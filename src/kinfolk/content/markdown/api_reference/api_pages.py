"""Recognizes the Markdown of TypeDoc's plugin `typedoc-plugin-markdown`, and reads its sections as a tree.

The plugin writes headings of fixed names: `Parameters`, `Returns`, `Properties`. A page without a `Defined in: ` line
is not recognized, and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from kinfolk.content.markdown.directives import Node
from kinfolk.content.markdown.html.inline import plain_text

SOURCE = "Defined in: "
TABLES = frozenset(("Parameters", "Type Parameters"))
MEMBERS = frozenset(
    (
        "Accessors",
        "Constructors",
        "Enumeration Members",
        "Events",
        "Functions",
        "Indexable",
        "Methods",
        "Properties",
        "Type Aliases",
        "Type Declaration",
        "Variables",
    )
)
ROWS = frozenset(
    (
        "Default",
        "Default Value",
        "Extended by",
        "Extends",
        "Implementation of",
        "Implemented by",
        "Implements",
        "Inherited from",
        "Overrides",
        "Returns",
        "Since",
        "Throws",
    )
)
LABELS = frozenset(
    "Call Signature,Example,Examples,Get Signature,Index Signature,Param,Remarks,See,Set Signature".split(",")
)
MOST_OUTLINED = 12
"""Members of a section that the outline lists. A longer list is the section itself."""
MOST_OUTLINED_ALONE = 30
"""The same for the only section with members."""
DEEPEST_HEADING = 6
_SECTION_LEVEL = 2

_KNOWN = TABLES | MEMBERS | ROWS | LABELS | {"Deprecated"}
_OWNERS = TABLES | {"Returns", "Type Declaration"}
_TITLE = re.compile(
    r"(?P<abstract>Abstract )?(?P<kind>Class|Enumeration|Function|Interface|Namespace|Type Alias|Variable): "
    r"(?P<name>.+)"
)
_MEMBER_NAME = re.compile(r"[\[\"'].*|[^\s<]++(?:<.*)?")
_DECLARED = {
    "function": "Function",
    "type": "Type Alias",
    "const": "Variable",
    "let": "Variable",
    "enum": "Enumeration",
}
Block = list[Token]
"""The tokens of one block, such as a paragraph with its inline content."""


@dataclass
class ApiSection:
    """A heading with the blocks below it and the sections of deeper headings. The root has no heading."""

    heading: list[Token]
    level: int
    name: str = ""
    blocks: list[Block] = field(default_factory=list)
    children: list[ApiSection] = field(default_factory=list)

    @property
    def signature(self) -> str | None:
        """The code of the declaration, which comes first."""
        first = self.blocks[0][0] if self.blocks else None
        is_code = first is not None and first.type == "fence" and first.info.strip() in ("ts", "typescript")
        return first.content.removesuffix("\n") if first is not None and is_code else None

    @property
    def is_deprecated(self) -> bool:
        struck = bool(self.heading) and any(child.type == "s_open" for child in self.heading[1].children or ())
        return struck or any(child.name == "Deprecated" for child in self.children)

    @property
    def is_known(self) -> bool:
        """Whether TypeDoc chose the name, not the author."""
        return self.name in _KNOWN

    @property
    def is_written(self) -> bool:
        """Whether the heading is the author's: TypeDoc copies headings of comments, at their level.

        Members have the name of a member, and those of the second level a source.
        """
        if self.is_known or self.has_source:
            return False
        return self.level <= _SECTION_LEVEL or _MEMBER_NAME.fullmatch(self.name) is None

    @property
    def has_source(self) -> bool:
        return any(is_source(block, at) for block in self.blocks for at in range(len(block)))

    def find(self, name: str) -> ApiSection | None:
        return next((child for child in self.children if child.name == name), None)


@dataclass
class ApiReference:
    """A page of TypeDoc. `before` are the tokens of the title, which stay first."""

    before: list[Node]
    root: ApiSection
    kind: str
    name: str
    declaration: str | None
    """The declaration in the title, if it has type parameters: `class Store<T>`."""

    def blocks(self) -> Iterator[Block]:
        """All blocks of the page but headings."""
        yield from self.root.blocks
        for section in _all(self.root):
            yield from section.blocks

    def mark_headings(self) -> None:
        """Mark the headings that are no sections of the page for search, or not part of its outline."""
        for section in _all(self.root):
            section.heading[0].meta["unlisted"] = True
        groups = [one for one in self.root.children if one.name in MEMBERS or one.name == "Returns"]
        sizes = [len(own_members(one)) for one in groups]
        alone = sum(1 for size in sizes if size) == 1
        for section in self.root.children:
            is_row = section.name in ROWS - {"Returns"} or section.name == "Deprecated"
            section.heading[0].meta["unlisted"] = is_row
            if section.name not in TABLES and section.name not in LABELS:
                own = own_members(section)
                fits = len(own) <= (MOST_OUTLINED_ALONE if alone else MOST_OUTLINED)
                _list(section, [*own] if fits else [])


def _list(section: ApiSection, outlined: list[ApiSection]) -> None:
    for child in section.children:
        meta = child.heading[0].meta
        meta["unlisted"] = child.name in _KNOWN or child.level != section.level + 1
        meta["outlined"] = any(child is one for one in outlined)


def own_members(section: ApiSection) -> list[ApiSection]:
    """The members that the type declares itself."""
    return [child for child in section.children if child.name not in _KNOWN and not child.find("Inherited from")]


def is_api_reference(nodes: Sequence[Node]) -> bool:
    """Whether the page is one of TypeDoc."""
    return all(isinstance(node, Token) for node in nodes) and any(
        isinstance(node, Token) and _is_source(node) for node in nodes
    )


def kind_and_name(title: str) -> tuple[str, str]:
    """`Function: useQuery()` -> `Function`, `useQuery()`; no kind for another title."""
    named = _TITLE.fullmatch(title)
    return (named["kind"], named["name"]) if named else ("", title)


def parse_api_reference(nodes: Sequence[Node]) -> ApiReference | None:
    """The page, if it is one of TypeDoc."""
    if not is_api_reference(nodes):
        return None
    tokens = [node for node in nodes if isinstance(node, Token)]
    root = ApiSection([], 1)
    title: list[Token] = []
    open_sections = [root]
    for block in _blocks(tokens):
        first = block[0]
        if first.type != "heading_open" or len(block) != 3:  # noqa: PLR2004 - opening, text, closing
            if first.type != "hr":
                open_sections[-1].blocks.append(block)
        elif "is_title" in first.meta and not title:
            title = block
        else:
            section = ApiSection(block, max(2, int(first.tag[1])), plain_text(block[1]))
            while open_sections[-1].level >= section.level:
                open_sections.pop()
            open_sections[-1].children.append(section)
            open_sections.append(section)
    for section in [root, *_all(root)]:
        if section.children and section.children[0].level == DEEPEST_HEADING:
            section.children = _owned(section.children)
    return _page(title, root)


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    block: Block = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield block
            block = []
    if block:
        yield block


def _owned(sections: list[ApiSection]) -> list[ApiSection]:
    """Headings have six levels. Below that, `Parameters` and its parameters have the same level."""
    result: list[ApiSection] = []
    owner: ApiSection | None = None
    for section in sections:
        if section.name in _KNOWN:
            owner = section if section.name in _OWNERS else None
        if owner is None or owner is section:
            result.append(section)
        else:
            owner.children.append(section)
    return result


def _all(section: ApiSection) -> Iterator[ApiSection]:
    for child in section.children:
        yield child
        yield from _all(child)


def is_source(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token is a paragraph such as `Defined in: [store.ts:7](https://…)`, or without a link."""
    return _is_source(tokens[at])


def _is_source(token: Token) -> bool:
    return token.level == 1 and token.type == "inline" and token.content.startswith(SOURCE)


def _page(title: list[Token], root: ApiSection) -> ApiReference:
    text = plain_text(title[1]) if title else ""
    named = _TITLE.fullmatch(text)
    if named is None:
        return ApiReference([*title], root, _kind(root), text, None)
    kind, name = named["kind"], named["name"]
    declares = kind in ("Class", "Interface") and "<" in name
    words = f"{'abstract ' if named['abstract'] else ''}{kind.lower()} {name}"
    return ApiReference([*title], root, kind, name, words if declares else None)


def declared_kind(signature: str) -> str:
    """The kind of a declaration such as `type A = …`; empty for one that begins with a name."""
    return _DECLARED.get(signature.partition(" ")[0], "")


def _kind(root: ApiSection) -> str:
    """The kind of a page whose title does not name it."""
    signature = root.signature or next((one.signature for one in root.children if one.signature), None) or ""
    if declared := declared_kind(signature):
        return declared
    names = {child.name for child in root.children}
    if "Enumeration Members" in names:
        return "Enumeration"
    return "Class" if "Constructors" in names else "Interface"

"""Composed Markdown -> standalone Markdown for `.md` routes, `llms.txt` and other programs.

Syntax that only this site's renderer supports is expanded: framework blocks and tabs become labeled sections,
package-manager tabs become commands. All other lines stay as the author wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

from markdown_it.token import Token

from kinfolk.content.markdown.api_reference.api_pages import SOURCE
from kinfolk.content.markdown.code.code_spans import rewrite_outside_code
from kinfolk.content.markdown.directives import Container, FrameworkBlock, Node, Panel, TabGroup, parse_directives
from kinfolk.content.markdown.extensions.math import BLOCK, outside_math
from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.content.markdown.links.link_resolver import LinkResolver
from kinfolk.content.markdown.page_parser import block_parser, page_parser
from kinfolk.content.markdown.render_context import check_item_count
from kinfolk.content.markdown.source.compose import ComposedMarkdown
from kinfolk.content.markdown.source.description import describe, describe_beginning
from kinfolk.content.markdown.source.title import Children, claim_title, with_html_title

# No two repeated parts match the same character, so matching takes linear time.
_DESTINATION = r"(?:<[^<>\n]*>|[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)"
_TARGET = re.compile(
    rf"(?m:^)(?P<before>[ \t>]*\[[^\^\]\n][^\]\n]*\]:[ \t]+)(?P<destination>{_DESTINATION})"
    rf"|(?P<image>!\[[^\[\]]*\]\(\s*)(?P<source>{_DESTINATION})"
    rf"|(?P<link>\]\(\s*)(?P<target>{_DESTINATION})"
    r"""|(?P<attribute>\b(?:href|src)=(?P<quote>["']))(?P<value>[^"'<>\n]*)(?=(?P=quote))"""
)
BEGINNING = 2_500
"""Characters of a text that are parsed first for its description."""
_DEPENDS_ON_THE_REST = re.compile(r"<!--\s*::|<h1", re.IGNORECASE)
_IS_DEFINITION = re.compile(r" {0,3}\[[^\]\n]+\]:")


@dataclass(frozen=True)
class ExportedMarkdown:
    """A page's Markdown with unresolved links. It depends only on the page's own files.

    The text is `parts` with `targets` between them: each a link target as written, and whether it is an image's.
    """

    title: str | None
    description: str
    parts: tuple[str, ...]
    targets: tuple[tuple[str, bool], ...]
    ref_path: str | None = None
    """The file that the text comes from, if it is not the page's own file."""

    def with_links(self, resolver: LinkResolver) -> str:
        """The text with every link and image resolved by `resolver`."""
        pieces = [self.parts[0]]
        for (target, is_image), part in zip(self.targets, self.parts[1:], strict=True):
            pieces += (resolver.image(target) if is_image else resolver.link(target)[0], part)
        return "".join(pieces)


def index_note(address: str) -> str:
    """The line below the title of each exported page, by which agents find the other pages."""
    return f"Index of all pages: {address}"


def export_markdown(composed: ComposedMarkdown, *, framework: str | None = None) -> ExportedMarkdown:
    """The exported text with its links as written.

    Raises OverBudget for a text with more links than a page may have.
    """
    blocks = _Blocks.of(composed.text, composed.front.title)
    nodes = parse_directives(blocks.tokens, framework=framework)
    title = claim_title(nodes, composed.front.title)
    writer = _MarkdownWriter(composed.text, blocks.tokens)
    text = _joined([*writer.blocks(nodes), *writer.definitions()])
    parts, targets = writer.cut(text)
    # The front matter is not covered by the writer's digest and could contain its placeholders: it is added last.
    listed = _joined(_resources(composed.front))
    end = f"\n\n{listed}" if text and listed else listed
    return ExportedMarkdown(
        title=title,
        description=composed.front.description or describe(nodes, blocks.children, title),
        parts=(*parts[:-1], parts[-1] + end),
        targets=targets,
        ref_path=composed.ref_path,
    )


def description_of(text: str, title: str | None) -> str:
    """The description of a text without front matter.

    It is in the first blocks of most texts: these are parsed alone, unless later ones can change what they mean.
    """
    beginning = text[:BEGINNING]
    if len(text) > BEGINNING and SOURCE not in text and not _DEPENDS_ON_THE_REST.search(beginning):
        blocks = _Blocks.of(beginning, title)
        last = max((at for at, token in enumerate(blocks.tokens) if token.level == 0 and token.nesting >= 0), default=0)
        description = describe_beginning(blocks.tokens[:last], blocks.children)
        if description and "[" not in description:  # no link whose definition follows
            return description
    blocks = _Blocks.of(text, title)
    return describe(parse_directives(blocks.tokens), blocks.children, title)


@dataclass(frozen=True)
class _Blocks:
    """The blocks of a text. Only headings have inline content."""

    tokens: list[Token]
    children: Children

    @classmethod
    def of(cls, text: str, title: str | None) -> _Blocks:
        environment: dict[str, object] = {}

        def children(inline: Token) -> list[Token]:
            if not inline.children:
                inline.children = []
                parser = page_parser(text)
                parser.inline.parse(inline.content, parser, environment, inline.children)
            return inline.children

        tokens = with_html_title(block_parser(text).parse(text, environment), title, children)
        for opening, inline in pairwise(tokens):
            if opening.type == "heading_open":
                children(inline)
        return cls(tokens, children)


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block)


class _MarkdownWriter:
    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self._lines = text.split("\n")
        self._tokens = tokens
        self._targets: list[tuple[str, bool]] = []
        # Marks link targets in the output. No text can contain its own digest.
        self._placeholder = f"place{blake2b(text.encode(errors='replace'), digest_size=16).hexdigest()}"
        self._code = {
            line
            for token in tokens
            if token.type in ("fence", "code_block", BLOCK) and token.map
            for line in range(token.map[0], token.map[1])
        }

    def blocks(self, nodes: Sequence[Node]) -> Iterator[str]:
        for at, node in enumerate(nodes):
            if isinstance(node, FrameworkBlock):
                yield from self._labelled(node.panels)
            elif isinstance(node, TabGroup):
                yield from self._tabs(node)
            elif isinstance(node, Container):
                yield from self.blocks(node.panels[0].nodes)
            elif node.level == 0 and node.nesting >= 0:
                yield self._block(node, nodes[at + 1] if at + 1 < len(nodes) else None)

    def cut(self, text: str) -> tuple[tuple[str, ...], tuple[tuple[str, bool], ...]]:
        """The written text split at the link targets, and the targets in order."""
        found = re.split(rf"{self._placeholder}n(\d+);", text)
        return tuple(found[::2]), tuple(self._targets[int(number)] for number in found[1::2])

    def definitions(self) -> Iterator[str]:
        """The definitions of reference links, which belong to no block. They come last."""
        taken = {line for token in self._tokens if token.map for line in range(token.map[0], token.map[1])}
        left = [line for at, line in enumerate(self._lines) if at not in taken and _IS_DEFINITION.match(line)]
        yield self._prose("\n".join(left))

    def _block(self, token: Token, inside: Node | None) -> str:
        if token.type == "heading_open" and token.tag == "h1" and isinstance(inside, Token):
            # The title is the only first-level heading of an exported page.
            return "" if "is_title" in token.meta else f"## {self._prose(inside.content)}"
        if token.map:
            copied = self._copied(token.map[0], token.map[1])
            return f"{copied}\n{token.markup}" if self._is_open_fence(token) else copied
        if token.type == "html_block":  # what stands beside the title
            return self._prose(token.content).strip("\n")
        return f"```{token.info}\n{token.content}\n```" if token.type == "fence" else ""

    def _is_open_fence(self, token: Token) -> bool:
        """Whether a code block has no end: it would contain the pages that follow it in `llms-full.txt`."""
        if token.type != "fence" or not token.map:
            return False
        start, end = token.map
        last = self._lines[end - 1].strip()
        return end - start == 1 or not (last.startswith(token.markup) and set(last) == {token.markup[0]})

    def _copied(self, start: int, end: int) -> str:
        parts: list[str] = []
        prose: list[str] = []
        for at in range(start, end):
            if at in self._code:
                parts += (self._prose("\n".join(prose)), self._lines[at]) if prose else (self._lines[at],)
                prose = []
            else:
                prose.append(self._lines[at])
        if prose:
            parts.append(self._prose("\n".join(prose)))
        return "\n".join(parts).rstrip().strip("\n")

    def _tabs(self, tabs: TabGroup) -> Iterator[str]:
        if tabs.kind == "package-manager":
            commands = [(p.label, node.content) for p in tabs.panels for node in p.nodes if isinstance(node, Token)]
            alternatives = "\n# or ".join(f"with {manager}\n{command}" for manager, command in commands)
            yield f"```bash\n# {alternatives}\n```"
        elif tabs.kind == "files":  # each code block has a title
            for panel in tabs.panels:
                yield from self.blocks(panel.nodes)
        else:
            yield from self._labelled(tabs.panels)

    def _labelled(self, panels: Sequence[Panel]) -> Iterator[str]:
        for panel in panels:
            yield f"**{panel.label}**"
            yield from self.blocks(panel.nodes)

    def _prose(self, text: str) -> str:
        return rewrite_outside_code(text, self._with_placeholders)

    def _with_placeholders(self, text: str) -> str:
        parts = outside_math(text)
        parts[::2] = [_TARGET.sub(self._with_placeholder, part) for part in parts[::2]]
        return "".join(parts)

    def _with_placeholder(self, found: re.Match[str]) -> str:
        if found["before"]:
            return found["before"] + self._add_target(found["destination"])
        if found["image"]:
            return found["image"] + self._add_target(found["source"], is_image=True)
        if found["link"]:
            return found["link"] + self._add_target(found["target"])
        return found["attribute"] + self._add_target(found["value"], is_image=found["attribute"].startswith("src"))

    def _add_target(self, written: str, *, is_image: bool = False) -> str:
        check_item_count(len(self._targets))
        bracketed = written[:1] == "<"
        self._targets.append((written[1:-1] if bracketed else written, is_image))
        mark = f"{self._placeholder}n{len(self._targets) - 1};"
        return f"<{mark}>" if bracketed else mark


def _resources(front: FrontMatter) -> Iterator[str]:
    """The link lists of a community page, from its front matter."""
    for key, listed in front.resources:
        yield f"## {key.title()}"
        yield "\n".join(f"- [{one.title}]({one.url}): {one.description}".removesuffix(": ") for one in listed)

"""Composed Markdown -> Markdown that stands alone, for readers that are programs.

What our own renderer understands and nobody else does is written out: framework blocks and tabs become labelled
parts, package-manager tabs become commands. All else stays as its author wrote it, down to the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kinfolk.markdown.compose import Composed
from kinfolk.markdown.description import description_of
from kinfolk.markdown.directives import Frameworks, Node, Panel, Tabs, structured
from kinfolk.markdown.draft import check_items
from kinfolk.markdown.page import FrontMatter, Resolve
from kinfolk.markdown.prose import rewrite_prose
from kinfolk.markdown.render import claim_title

# No two of the repeated parts can match the same character, so a match takes no longer than the text is.
_PLACE = r"(?:<[^<>\n]*>|[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)"
_TARGET = re.compile(
    rf"(?m:^)(?P<before>[ \t>]*\[[^\^\]\n][^\]\n]*\]:[ \t]+)(?P<place>{_PLACE})"
    rf"|(?P<image>!\[[^\[\]]*\]\(\s*)(?P<source>{_PLACE})"
    rf"|(?P<link>\]\(\s*)(?P<target>{_PLACE})"
    r"""|(?P<attribute>\b(?:href|src)=(?P<quote>["']))(?P<value>[^"'<>\n]*)(?=(?P=quote))"""
)
_IS_DEFINITION = re.compile(r" {0,3}\[[^\]\n]+\]:")


@dataclass(frozen=True)
class Plain:
    """`text` is the body without the title. `title` is None where neither the front matter nor a heading gives one."""

    title: str | None
    description: str
    text: str


@dataclass(frozen=True)
class Wording:
    """What a page says, before it is known where its links lead: true for as long as its own files stay the same.

    The text is `parts` with `places` between them: what is written there, and whether it is where an image is.
    """

    title: str | None
    description: str
    parts: tuple[str, ...]
    places: tuple[tuple[str, bool], ...]
    ref_path: str | None = None
    """The file that the text comes from, when it is not the page's own."""

    def linked(self, resolve: Resolve) -> str:
        """The text, its links sent where `resolve` says."""
        said = [self.parts[0]]
        for (written, is_image), part in zip(self.places, self.parts[1:], strict=True):
            said += (resolve.image(written) if is_image else resolve.link(written)[0], part)
        return "".join(said)


def plain(composed: Composed, *, resolve: Resolve, framework: str | None = None) -> Plain:
    """The text, its links sent where `resolve` says. A page about one framework keeps only its part of a block."""
    words = wording(composed, framework=framework)
    return Plain(words.title, words.description, words.linked(resolve))


def wording(composed: Composed, *, framework: str | None = None) -> Wording:
    """The text with its links as they are written: all that takes time about it.

    Raises OverBudget for a text with more links than a page may have.
    """
    parser = _parser()
    environment: dict[str, object] = {}
    tokens = parser.parse(composed.text, environment)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            inline.children = _parsed(inline.content, parser, environment)
    nodes = structured(tokens)
    title = claim_title(nodes, composed.front.title)
    writer = _Writer(composed.text, tokens, framework)
    text = _joined([*writer.blocks(nodes), *writer.definitions()])
    parts, places = writer.cut(text)
    # The front matter is another text, whose words could be those that mark a place in this one: it is added last.
    listed = _joined(_resources(composed.front))
    end = f"\n\n{listed}" if text and listed else listed
    return Wording(
        title=title,
        description=composed.front.description or description_of(composed.text),
        parts=(*parts[:-1], parts[-1] + end),
        places=places,
        ref_path=composed.ref_path,
    )


@cache
def _parser() -> MarkdownIt:
    """Finds blocks only: what stands within them is copied, not understood."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.parse("*x*")  # compiles the rules now: two threads must not do that at once
    parser.inline.parse("*x*", parser, {}, [])
    return parser


def _parsed(heading: str, parser: MarkdownIt, environment: dict[str, object]) -> list[Token]:
    children: list[Token] = []
    parser.inline.parse(heading, parser, environment, children)
    for child in children:
        if child.type == "text_special":  # an escaped character, which a rule we left out would make text
            child.type = "text"
    return children


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block)


class _Writer:
    def __init__(self, text: str, tokens: Sequence[Token], framework: str | None) -> None:
        self._lines = text.split("\n")
        self._tokens = tokens
        self._framework = framework
        self._places: list[tuple[str, bool]] = []
        # Stands where a link leads somewhere. No text can contain its own digest.
        self._seal = f"place{blake2b(text.encode(errors='replace'), digest_size=16).hexdigest()}"
        self._code = {
            line
            for token in tokens
            if token.type in ("fence", "code_block") and token.map
            for line in range(token.map[0], token.map[1])
        }

    def blocks(self, nodes: Sequence[Node]) -> Iterator[str]:
        for at, node in enumerate(nodes):
            if isinstance(node, Frameworks):
                yield from self._frameworks(node)
            elif isinstance(node, Tabs):
                yield from self._tabs(node)
            elif node.level == 0 and node.nesting >= 0:
                yield self._block(node, nodes[at + 1] if at + 1 < len(nodes) else None)

    def cut(self, text: str) -> tuple[tuple[str, ...], tuple[tuple[str, bool], ...]]:
        """What was written, cut at its places, and these in their order."""
        found = re.split(rf"{self._seal}n(\d+);", text)
        return tuple(found[::2]), tuple(self._places[int(number)] for number in found[1::2])

    def definitions(self) -> Iterator[str]:
        """Where reference links lead. They belong to no block, so wherever they stood, they come last."""
        taken = {line for token in self._tokens if token.map for line in range(token.map[0], token.map[1])}
        left = [line for at, line in enumerate(self._lines) if at not in taken and _IS_DEFINITION.match(line)]
        yield self._prose("\n".join(left))

    def _block(self, token: Token, inside: Node | None) -> str:
        if token.type == "heading_open" and token.tag == "h1" and isinstance(inside, Token):
            # The title is the only heading of the first level.
            return "" if "spoken for" in token.meta else f"## {self._prose(inside.content)}"
        if token.map:
            return self._copied(token.map[0], token.map[1])
        return f"```{token.info}\n{token.content}\n```" if token.type == "fence" else ""

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

    def _frameworks(self, block: Frameworks) -> Iterator[str]:
        mine = [panel for panel in block.panels if panel.key == self._framework]
        if mine:
            yield from self.blocks(mine[0].nodes)
        else:
            yield from self._labelled(block.panels)

    def _tabs(self, tabs: Tabs) -> Iterator[str]:
        if tabs.kind == "package-manager":
            commands = [(p.label, node.content) for p in tabs.panels for node in p.nodes if isinstance(node, Token)]
            told = "\n# or ".join(f"with {manager}\n{command}" for manager, command in commands)
            yield f"```bash\n# {told}\n```"
        elif tabs.kind == "files":  # each names itself
            for panel in tabs.panels:
                yield from self.blocks(panel.nodes)
        else:
            yield from self._labelled(tabs.panels)

    def _labelled(self, panels: Sequence[Panel]) -> Iterator[str]:
        for panel in panels:
            yield f"**{panel.label}**"
            yield from self.blocks(panel.nodes)

    def _prose(self, text: str) -> str:
        return rewrite_prose(text, lambda part: _TARGET.sub(self._sent, part))

    def _sent(self, found: re.Match[str]) -> str:
        if found["before"]:
            return found["before"] + self._place(found["place"])
        if found["image"]:
            return found["image"] + self._place(found["source"], is_image=True)
        if found["link"]:
            return found["link"] + self._place(found["target"])
        return found["attribute"] + self._place(found["value"], is_image=found["attribute"].startswith("src"))

    def _place(self, written: str, *, is_image: bool = False) -> str:
        check_items(len(self._places))
        bracketed = written[:1] == "<"
        self._places.append((written[1:-1] if bracketed else written, is_image))
        mark = f"{self._seal}n{len(self._places) - 1};"
        return f"<{mark}>" if bracketed else mark


def _resources(front: FrontMatter) -> Iterator[str]:
    """The link lists of a community page, which stand in its front matter."""
    for key, listed in front.resources:
        yield f"## {key.title()}"
        yield "\n".join(f"- [{one.title}]({one.url}): {one.description}".removesuffix(": ") for one in listed)

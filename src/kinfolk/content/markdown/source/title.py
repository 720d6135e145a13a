"""The title of a page: from its front matter, or its first heading, which is then left out of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from kinfolk.content.markdown.directives import Node
from kinfolk.content.markdown.html.html_text import html_text, image_texts
from kinfolk.content.markdown.html.inline import plain_text, prose_text, slug_text

_GENERATED = re.compile(
    r"(?:Abstract )?(?:Class|Constructor|Enumeration|Function|Interface|Method|Module|Namespace|Property"
    r"|Type Alias|Variable): (.+)"
)
_OPENING = re.compile(r"<h1\b[^<>]*>", re.IGNORECASE)
_CLOSING = re.compile(r"</h1\s*>", re.IGNORECASE)
_ANCHOR = re.compile(r"""\s(?:id|name)=["']?([A-Za-z_][\w:.-]*)""", re.IGNORECASE)
_MARKDOWN_IMAGE = re.compile(r"\[?!\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])(?:\](?:\([^()\n]*\)|\[[^\[\]\n]*\]))?")
MOST_TOKENS = 60
"""Tokens before an HTML title, such as rows of badges, and within it."""
MOST_CHARACTERS = 10_000
"""Characters of a text that are searched for an HTML title."""

Children = Callable[[Token], Sequence[Token]]
"""The inline content of a block."""


def claim_title(nodes: Sequence[Node], title: str | None) -> str | None:
    """The page's title. Marks the heading that repeats it, or provides it, with `is_title`."""
    for at, node in enumerate(nodes):
        if isinstance(node, Token) and node.type == "heading_open" and node.tag == "h1" and node.level == 0:
            inline = nodes[at + 1]
            text = plain_text(inline) if isinstance(inline, Token) else ""
            # A title of the front matter has codes of emoji as written.
            if text and (_is_title(text, title) or (isinstance(inline, Token) and slug_text(inline) == title)):
                node.meta["is_title"] = True
                return title or text
            break
    return title


def with_html_title(tokens: list[Token], title: str | None, children: Children) -> list[Token]:
    """The tokens with `<h1 align="center">Name</h1>` as a heading of Markdown, if the page begins with that title.

    Only images, comments and empty elements may precede it.
    """
    found = _html_heading(tokens, children)
    if found is None or not found.text or not _is_title(found.text, title):
        return tokens
    first, last = tokens[found.start], tokens[found.end]
    lines = [first.map[0], last.map[1]] if first.map and last.map else None
    own, *others = found.anchors or ("",)
    opening = Token("heading_open", "h1", 1, map=lines, block=True, meta={"own_id": own} if own else {})
    inline = Token("inline", "", 0, content=found.text, level=1, map=lines, block=True)
    inline.children = [Token("text", "", 0, content=found.text)]
    before = found.before + "".join(f'<a id="{name}"></a>' for name in others)
    return [
        *tokens[: found.start],
        *([Token("html_block", "", 0, content=before)] if before.strip() else []),
        opening,
        inline,
        Token("heading_close", "h1", -1, block=True),
        *([Token("html_block", "", 0, content=found.after)] if found.after.strip() else []),
        *tokens[found.end + 1 :],
    ]


def html_title(text: str) -> str | None:
    """The HTML title of a text, without parsing it. Markdown within it stays."""
    text = text[:MOST_CHARACTERS]
    opening = _OPENING.search(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None or html_text(_MARKDOWN_IMAGE.sub("", text[: opening.start()])):
        return None
    heading = text[opening.end() : closing.start()]
    return _heading_text(_MARKDOWN_IMAGE.sub("", heading), ()) or _heading_text(heading, ()) or None


@dataclass(frozen=True)
class _HtmlHeading:
    """`<h1>` to `</h1>`, in the tokens `start` to `end`, with the HTML before and after it in these tokens."""

    start: int
    end: int
    text: str
    anchors: tuple[str, ...]
    before: str
    after: str


def _html_heading(tokens: Sequence[Token], children: Children) -> _HtmlHeading | None:
    for at, token in enumerate(tokens[:MOST_TOKENS]):
        if token.type == "html_block":
            opening = _OPENING.search(token.content)
            if html_text(token.content[: opening.start()] if opening else token.content):
                return None
            if opening:
                return _until_end(tokens, at, opening, children)
        elif token.type == "inline":
            if prose_text(children(token)):
                return None
        elif token.type not in ("paragraph_open", "paragraph_close", "hr"):
            return None
    return None


def _until_end(tokens: Sequence[Token], start: int, opening: re.Match[str], children: Children) -> _HtmlHeading | None:
    html, inlines = "", list[Token]()
    for end, token in enumerate(tokens[start : start + MOST_TOKENS], start):
        if token.type == "inline":
            inlines += children(token)
        elif token.type == "html_block":
            closing = _CLOSING.search(token.content, opening.end() if end == start else 0)
            html += token.content[opening.start() if end == start else 0 : closing.start() if closing else None]
            if closing:
                anchors = tuple(dict.fromkeys(_ANCHOR.findall(html)))
                text = _heading_text(html, inlines)
                before = opening.string[: opening.start()]
                return _HtmlHeading(start, end, text, anchors, before, token.content[closing.end() :])
        elif token.type not in ("paragraph_open", "paragraph_close"):
            return None
    return None


def _heading_text(html: str, inlines: Sequence[Token]) -> str:
    """The text of the heading, or the text alternatives of its images if it has no other."""
    return (
        f"{html_text(html)} {prose_text(inlines)}".strip()
        or image_texts(html)
        or plain_text(Token("inline", "", 0, children=[*inlines]))
    )


def _is_title(text: str, title: str | None) -> bool:
    return title is None or _name(title) == _name(text)


def _name(title: str) -> str:
    """The name in a generated title: `Function: useQuery()` -> `useQuery`, `Interface: Options<T>` -> `Options`."""
    generated = _GENERATED.fullmatch(title)
    name = generated[1].split("<")[0].removesuffix("()") if generated else title
    return " ".join(name.split()).casefold()

"""`> [!NOTE]` quotes -> callouts, with the author's title if there is one.

After the mark, `-` folds the callout and `+` shows that it can be folded, as in Obsidian.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.token import Token

KINDS = ("note", "tip", "important", "warning", "caution")
_MARK = re.compile(rf"\[!({'|'.join(KINDS)})\](?P<fold>[+-](?=\s|$))?[ \t]*", re.IGNORECASE)


def with_callouts(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, with every marked blockquote as a callout."""
    result: list[Token] = []
    closing: list[tuple[int, str]] = []
    """The levels of open callouts, and their tags."""
    skip_to = 0
    for at, token in enumerate(tokens):
        if token.type == "blockquote_close" and closing and closing[-1][0] == token.level:
            token.tag = closing.pop()[1]
        if at < skip_to:
            continue
        result.append(token)
        if token.type == "blockquote_open" and (mark := _mark(tokens, at)):
            kind, fold = mark[1].lower(), mark["fold"]
            token.tag = "details" if fold else "div"
            closing.append((token.level, token.tag))
            token.attrs = {"class": "callout", "data-callout": kind}
            # The summary of a fold is its name.
            token.attrs |= (
                ({"open": ""} if fold == "+" else {}) if fold else {"role": "note", "aria-label": kind.title()}
            )
            result += _opening(tokens, at, kind, "summary" if fold else "p")
            skip_to = at + 4
    return result


def _mark(tokens: Sequence[Token], at: int) -> re.Match[str] | None:
    if at + 3 >= len(tokens) or tokens[at + 1].type != "paragraph_open":
        return None
    children = tokens[at + 2].children
    return _MARK.match(children[0].content) if children and children[0].type == "text" else None


def _opening(tokens: Sequence[Token], at: int, kind: str, title_tag: str) -> list[Token]:
    """The title and the rest of the first paragraph.

    Text on the line of the mark is the title if the quote continues, else it is the body.
    """
    inline = tokens[at + 2]
    children = inline.children or []
    break_at = next((i for i, child in enumerate(children) if child.type in ("softbreak", "hardbreak")), len(children))
    first, rest = children[:break_at], children[break_at + 1 :]
    first[0].content = _MARK.sub("", first[0].content, count=1)
    has_text = any(child.content.strip() or child.type == "image" for child in first)
    if not rest and tokens[at + 4].type == "blockquote_close":
        first, rest = [], first if has_text else []
    elif not has_text:
        first = []
    title = Token("inline", "", 0, children=first or [Token("text", "", 0, content=kind.title())], map=inline.map)
    opening = [
        Token("paragraph_open", title_tag, 1, attrs={"class": "callout-title"}),
        title,
        Token("paragraph_close", title_tag, -1),
    ]
    if rest:
        body = Token("inline", "", 0, children=rest, map=inline.map)
        opening += [tokens[at + 1], body, tokens[at + 3]]
    return [_block(token) for token in opening]


def _block(token: Token) -> Token:
    token.block = True
    return token

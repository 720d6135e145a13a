"""The direction of text in Hebrew, Arabic and other scripts that run from right to left.

As on GitHub, a block has `dir="auto"`, with which the browser takes the direction of the first letter. Pages without
such scripts have no such attribute.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import bidirectional

from markdown_it.token import Token

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_TEXTS = frozenset(("paragraph_open", "heading_open", "table_open"))
_CONTAINERS = frozenset(("blockquote_open", "bullet_list_open", "ordered_list_open", "dl_open"))


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def set_directions(tokens: Sequence[Token]) -> None:
    """Give the blocks of a page with such letters a direction.

    For a block of blocks with `dir`, whose text `auto` ignores, it is the one of the first letter. The title of a
    callout is no such text: it may be an English word of this site.
    """
    is_open: list[Token] = []
    for token in tokens:
        if token.nesting > 0:
            is_open.append(token)
            if token.type in _TEXTS and token.attrs.get("class") != "callout-title":
                token.attrs["dir"] = "auto"
        elif token.nesting < 0 and is_open:
            is_open.pop()
        elif token.type == "inline" and is_open and is_open[-1].attrs.get("class") != "callout-title":
            for block in is_open:
                if block.type in _CONTAINERS and "dir" not in block.attrs:
                    block.attrs |= {"dir": "auto"} if _is_tight(block, is_open) else _direction(token)


def _is_tight(block: Token, is_open: Sequence[Token]) -> bool:
    """Whether the text is in an item of this list, and in no paragraph."""
    return block.type != "blockquote_open" and is_open[-1].hidden and len(is_open) > 2 and is_open[-3] is block  # noqa: PLR2004


def _direction(inline: Token) -> dict[str, str | int | float]:
    """The direction of the first letter, if there is one."""
    text = inline.content or "".join(child.content for child in inline.children or ())
    kinds = (bidirectional(letter) for letter in text)
    first = next((kind for kind in kinds if kind in ("L", "R", "AL")), None)
    return {"dir": "ltr" if first == "L" else "rtl"} if first else {}

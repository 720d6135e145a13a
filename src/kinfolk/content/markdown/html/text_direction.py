"""The direction of text in Hebrew, Arabic and other scripts that run from right to left.

As on GitHub, a block has `dir="auto"`, with which the browser takes the direction of the first letter. Pages without such
scripts have no such attribute.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import bidirectional

from markdown_it.token import Token

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_BLOCKS = frozenset(
    f"{name}_open" for name in ("paragraph", "heading", "bullet_list", "ordered_list", "table", "blockquote", "dl")
)


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def set_directions(tokens: Sequence[Token]) -> None:
    """Give the blocks of a page with such letters a direction.

    That of a callout is the one of its text: its title may be an English word of this site.
    """
    is_open: list[Token] = []
    for token in tokens:
        if token.nesting > 0:
            is_open.append(token)
            if token.type in _BLOCKS and "data-callout" not in token.attrs:
                token.attrs["dir"] = "auto"
        elif token.nesting < 0 and is_open:
            is_open.pop()
        elif token.type == "inline" and is_open and is_open[-1].attrs.get("class") != "callout-title":
            for block in is_open:
                if "data-callout" in block.attrs and "dir" not in block.attrs:
                    block.attrs |= _direction(token)


def _direction(inline: Token) -> dict[str, str | int | float]:
    """The direction of the first letter, if there is one."""
    text = inline.content or "".join(child.content for child in inline.children or ())
    kinds = (bidirectional(letter) for letter in text)
    first = next((kind for kind in kinds if kind in ("L", "R", "AL")), None)
    return {"dir": "ltr" if first == "L" else "rtl"} if first else {}

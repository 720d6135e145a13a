"""Emphasis beside CJK punctuation, as the CJK-friendly amendment of CommonMark specifies it.

    **重要：**先に   CommonMark shows the asterisks, because punctuation precedes and a letter follows them.

The amendment: https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md, of Unicode 17. Text without
CJK characters keeps its meaning.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_inline import StateInline, emphasis, strikethrough
from markdown_it.rules_inline.state_inline import Delimiter

# `ranges.md` of the amendment: wide characters without emoji, and Hangul.
_CJK = re.compile(
    "[\u1100-\u11ff\u20a9\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u303e"
    "\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u3131-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247\u3250-\ua48c"
    "\ua490-\ua4c6\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7c6\ud7cb-\ud7fb\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe52"
    "\ufe54-\ufe66\ufe68-\ufe6b\uff01-\uffbe\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc\uffe0-\uffe6"
    "\uffe8-\uffee\U00016fe0-\U00016fe4\U00016ff0-\U00016ff6\U00017000-\U00018cd5\U00018cff-\U00018d1e"
    "\U00018d80-\U00018df2\U0001aff0-\U0001aff3\U0001aff5-\U0001affb\U0001affd\U0001affe\U0001b000-\U0001b122"
    "\U0001b132\U0001b150-\U0001b152\U0001b155\U0001b164-\U0001b167\U0001b170-\U0001b2fb\U0001d300-\U0001d356"
    "\U0001d360-\U0001d376\U0001f200\U0001f202\U0001f210-\U0001f219\U0001f21b-\U0001f22e\U0001f230\U0001f231"
    "\U0001f237\U0001f23b\U0001f240-\U0001f248\U0001f260-\U0001f265\U00020000-\U0003fffd]"
)
_VARIATION = re.compile("[\ufe00-\ufe0e]")
_IDEOGRAPHIC_VARIATION = re.compile("[\U000e0100-\U000e01ef]")
# Quotation marks of no fixed width, which U+FE01 makes wide.
_WIDE_WITH_VARIATION = frozenset("‘’“”")
_WIDE = "\ufe01"


def cjk_emphasis(parser: MarkdownIt) -> None:
    """Apply the amendment to emphasis and strikethrough."""
    parser.inline.ruler.at("emphasis", _emphasis)
    parser.inline.ruler.at("strikethrough", _strikethrough)


def _emphasis(state: StateInline, silent: bool) -> bool:
    start, count = state.pos, len(state.delimiters)
    if not emphasis.tokenize(state, silent):
        return False
    if not state.src.isascii():
        _amend(state, start, state.delimiters[count:])
    return True


def _strikethrough(state: StateInline, silent: bool) -> bool:
    start, count = state.pos, len(state.delimiters)
    if not strikethrough.tokenize(state, silent):
        return False
    if not state.src.isascii():
        _amend(state, start, state.delimiters[count:])
    return True


def _amend(state: StateInline, start: int, delimiters: list[Delimiter]) -> None:
    """Correct which of the delimiters from `start` to the parser's position can open and close."""
    before, previous = _character_before(state.src, start)
    after = state.src[state.pos] if state.pos < state.posMax else " "
    if not (_CJK.match(before) or _CJK.match(after) or _IDEOGRAPHIC_VARIATION.match(previous) or before != previous):
        return
    is_cjk_before = bool(_CJK.match(before)) or (before in _WIDE_WITH_VARIATION and previous == _WIDE)
    is_cjk_after = bool(_CJK.match(after))
    is_mark_before, is_mark_after = _is_punctuation(before), _is_punctuation(after)
    is_blank_before, is_blank_after = isWhiteSpace(ord(before)), isWhiteSpace(ord(after))
    is_cjk_like_before = is_cjk_before or bool(_IDEOGRAPHIC_VARIATION.match(previous))

    opens = not is_blank_after and (
        not is_mark_after or is_cjk_after or is_blank_before or is_mark_before or is_cjk_like_before
    )
    closes = not is_blank_before and (
        not is_mark_before or is_cjk_before or is_blank_after or is_mark_after or is_cjk_after
    )
    if state.src[start] == "_":
        opens, closes = opens and (not closes or is_mark_before), closes and (not opens or is_mark_after)
    for delimiter in delimiters:
        delimiter.open, delimiter.close = opens, closes


def _character_before(text: str, at: int) -> tuple[str, str]:
    """The character before a position, and the one that precedes the position itself: a variation selector, if any."""
    previous = text[at - 1] if at else " "
    if at > 1 and _VARIATION.match(previous):
        return text[at - 2], previous
    return previous, previous


def _is_punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)

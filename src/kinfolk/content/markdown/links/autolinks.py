"""Bare addresses in prose become links (GFM autolinks), in time that grows with the length of the text.

The rules of mdit-py-plugins copy or search all text around every colon and every `w`: a paragraph of `mailto:` takes
minutes. These rules match only the one word that can be an address.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.gfm_autolink._match import check_prev, match_any_email, match_http, match_www

LONGEST_ADDRESS = 4_096
"""Characters. Longer words stay text, which bounds the cost of a failed match."""

_ADDRESS = re.compile(rf"[^ \t\r\n\x00\x0b\x0c<]{{0,{LONGEST_ADDRESS + 1}}}")
_PROTOCOLS = ("https", "http", "mailto")


def autolinks(parser: MarkdownIt) -> None:
    """Link bare `http:`, `https:`, `mailto:` and `www.` addresses.

    E-mail addresses stay text: GFM matches `node_modules/.pnpm/svelte@5.55.1` as one, and real pages contain none.
    """
    parser.inline.add_terminator_char("w")
    parser.inline.ruler.push("autolink_www", _www)
    parser.inline.ruler.push("autolink_protocol", _protocol)


def _www(state: StateInline, silent: bool) -> bool:
    pos = state.pos
    if silent or state.linkLevel > 0 or not state.src.startswith("www.", pos, state.posMax):
        return False
    if pos > 0 and not check_prev(state.pending[-1] if state.pending else state.src[pos - 1]):
        return False
    word = _word(state, pos)
    found = match_www(word) if word else None
    return found is not None and _link(state, found[0], word[: found[1]], 0)


def _protocol(state: StateInline, silent: bool) -> bool:
    if silent or state.linkLevel > 0 or state.src[state.pos] != ":":
        return False
    protocol = next((name for name in _PROTOCOLS if state.pending.endswith(name)), None)
    if protocol is None:
        return False
    start = state.pos - len(protocol)
    if start > 0 and not check_prev(state.src[start - 1]):
        return False
    word = _word(state, start)
    found = match_any_email(word, len("mailto:"), protocol) if protocol == "mailto" else match_http(word)
    return found is not None and _link(state, found[0], word[: found[1]], len(protocol))


def _word(state: StateInline, start: int) -> str:
    """The text from `start` to the next blank or `<`; empty when it is too long for an address."""
    found = _ADDRESS.match(state.src, start, state.posMax)
    return found[0] if found and len(found[0]) <= LONGEST_ADDRESS else ""


def _link(state: StateInline, url: str, label: str, pending: int) -> bool:
    """Add the link. The parser has already read the last `pending` characters of the label as text."""
    href = state.md.normalizeLink(url)
    if not state.md.validateLink(href):
        return False
    if pending:
        state.pending = state.pending[:-pending]
    opening = state.push("link_open", "a", 1)
    opening.attrs = {"href": href}
    opening.markup, opening.info = "autolink", "auto"
    state.push("text", "", 0).content = state.md.normalizeLinkText(label)
    closing = state.push("link_close", "a", -1)
    closing.markup, closing.info = "autolink", "auto"
    state.pos += len(label) - pending
    return True

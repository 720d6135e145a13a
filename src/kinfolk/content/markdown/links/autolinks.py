"""Bare addresses in prose become links (GFM autolinks), in time that grows with the length of the text.

The rules of mdit-py-plugins copy or search all text around every colon and every `w`: a paragraph of `mailto:` takes
minutes. These rules match only the one word that can be an address.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.gfm_autolink._match import check_prev, match_any_email, match_http, match_www

LONGEST_ADDRESS = 4_096
"""Characters. Longer words stay text, which bounds the cost of a failed match."""

_ADDRESS = re.compile(rf"[^ \t\r\n\x00\x0b\x0c<]{{0,{LONGEST_ADDRESS + 1}}}")
_RAW_LINK = re.compile(r"<a[\s>]", re.IGNORECASE)
_PROTOCOLS = ("https", "http", "mailto")
# Bounded, so that a long word costs no more than its length. Not in a path, another word or an address with a password.
_MAIL = re.compile(
    r"(?<![\w.+/:@-])[a-z0-9](?:[a-z0-9._+-]{0,62}[a-z0-9_+])?"
    r"@(?!\d+\.\d|\d+x\.)"  # a version, or the size of a picture
    r"(?:[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?\.){1,8}[a-z](?:[a-z-]{0,61}[a-z])"
    r"(?![\w@/-]|\.\w|:\S)",
    re.IGNORECASE | re.ASCII,
)


def autolinks(parser: MarkdownIt) -> None:
    """Link bare `http:`, `https:`, `mailto:` and `www.` addresses, and e-mail addresses.

    GFM matches `node_modules/.pnpm/svelte@5.55.1`, `git@github.com:a/b` and `icon@2x.png` as e-mail addresses: they
    stay text.
    """
    parser.inline.add_terminator_char("w")
    parser.inline.ruler.push("autolink_www", _www)
    parser.inline.ruler.push("autolink_protocol", _protocol)
    parser.inline.ruler2.push("autolink_mail", _mail)


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


def _mail(state: StateInline) -> None:
    """Link the e-mail addresses of the text, when the parser has joined its parts: they may contain underscores."""
    if "@" not in state.src:
        return
    tokens: list[Token] = []
    links = 0
    for token in state.tokens:
        is_raw = token.type == "html_inline"
        if token.type == "link_open" or (is_raw and _RAW_LINK.match(token.content)):
            links += 1
        elif token.type == "link_close" or (is_raw and token.content.lower().startswith("</a")):
            links -= 1
        tokens += _with_mail(token) if token.type == "text" and links <= 0 and "@" in token.content else (token,)
    state.tokens[:] = tokens


def _with_mail(text: Token) -> list[Token]:
    tokens: list[Token] = []
    done = 0
    for found in _MAIL.finditer(text.content):
        tokens.append(_text(text.content[done : found.start()], text.level))
        opening = Token("link_open", "a", 1, attrs={"href": f"mailto:{found[0]}"}, level=text.level)
        opening.markup, opening.info = "autolink", "auto"
        closing = Token("link_close", "a", -1, level=text.level, markup="autolink", info="auto")
        tokens += [opening, _text(found[0], text.level + 1), closing]
        done = found.end()
    return [*tokens, _text(text.content[done:], text.level)] if tokens else [text]


def _text(content: str, level: int) -> Token:
    return Token("text", "", 0, content=content, level=level)


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

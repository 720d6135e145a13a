"""The tokens of a JavaScript or TypeScript file, as far as they are needed to find literals. Linear in its length."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

TokenKind = Literal["text", "template", "name", "number", "sign", "pattern"]


class Token(NamedTuple):
    """`text` is the value of a text, and the source of other tokens. `parts` are those of a template: text, code, …"""

    kind: TokenKind
    text: str
    line: int
    parts: tuple[str, ...] = ()


_SPACE = re.compile(r"\s++")
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
_NUMBER = re.compile(r"\d[\w.]*+")
_TEXT = re.compile(r"\"(?>[^\"\\\n]++|\\[\s\S])*+\"?|'(?>[^'\\\n]++|\\[\s\S])*+'?")
# The lengths are limited, because a slash that begins no pattern is tried at each place.
_PATTERN = re.compile(r"/(?![*/])(?>[^/\\\n\[]|\\[^\n]|\[(?>[^\]\\\n]|\\[^\n]){0,200}+\]){1,500}+/[a-z]*+")
SURROGATE_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
"""A character outside of the first plane, as two escapes."""
_ESCAPE = re.compile(
    rf"({SURROGATE_PAIR})|\\(?:u\{{([0-9a-fA-F]{{1,6}})\}}|u([0-9a-fA-F]{{4}})|x([0-9a-fA-F]{{2}})|(\r\n|[\s\S]))"
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_BEFORE_PATTERN = frozenset("(,=:[!&|?{};+>")
_NAMES_BEFORE_PATTERN = frozenset(("return", "typeof", "case"))
_LONG_SIGNS = ("...", "=>", "?.")
_LAST_CODE_POINT = 0x10FFFF


def tokens_of(text: str) -> list[Token]:
    """All tokens. A text or comment without its end goes on to the end of the line or of the file."""
    return list(_Scanner(text).tokens())


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def tokens(self) -> Iterator[Token]:
        before: Token | None = None
        while self._skip_space():
            start, line = self._at, self._line
            token = self._token(line, before)
            self._line += self._text.count("\n", start, self._at)
            before = token
            yield token

    def _skip_space(self) -> bool:
        """Move behind white space and comments. False at the end."""
        text = self._text
        while self._at < len(text):
            start = self._at
            if found := _SPACE.match(text, start):
                self._at = found.end()
            elif text.startswith("//", start):
                end = text.find("\n", start)
                self._at = len(text) if end < 0 else end
            elif text.startswith("/*", start):
                end = text.find("*/", start + 2)
                self._at = len(text) if end < 0 else end + 2
            else:
                return True
            self._line += text.count("\n", start, self._at)
        return False

    def _token(self, line: int, before: Token | None) -> Token:
        text, start = self._text, self._at
        first = text[start]
        kinds: tuple[tuple[TokenKind, re.Pattern[str]], ...] = (("name", _NAME), ("number", _NUMBER))
        for kind, written in kinds:
            if found := written.match(text, start):
                self._at = found.end()
                return Token(kind, found[0], line)
        if first in "\"'" and (found := _TEXT.match(text, start)):
            self._at = found.end()
            inner = found[0][1:-1] if found[0].endswith(first) and len(found[0]) > 1 else found[0][1:]
            return Token("text", unescaped(inner), line)
        if first == "`":
            parts, self._at = _template(text, start + 1)
            return Token("template", "", line, parts)
        if first == "/" and _may_precede_pattern(before) and (found := _PATTERN.match(text, start)):
            self._at = found.end()
            return Token("pattern", "", line)
        sign = next((one for one in _LONG_SIGNS if text.startswith(one, start)), first)
        self._at += len(sign)
        return Token("sign", sign, line)


def _may_precede_pattern(before: Token | None) -> bool:
    if before is None:
        return True
    return before.text in (_BEFORE_PATTERN if before.kind == "sign" else _NAMES_BEFORE_PATTERN)


def _template(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """The parts of a template from behind its first backtick, and where it ends."""
    parts: list[str] = []
    at = part = start
    inside: list[str] = []
    while at < len(text):
        c = text[at]
        if c == "\\":
            at += 2
            continue
        if not inside and c == "`":
            return (*parts, unescaped(text[part:at])), at + 1
        if inside[-1:] == ["`"] and c == "`":
            inside.pop()
        elif (not inside or inside[-1] == "`") and text.startswith("${", at):
            if not inside:
                parts.append(unescaped(text[part:at]))
                part = at + 2
            inside.append("{")
            at += 1
        elif inside and inside[-1] == "{" and c in "{`":
            inside.append(c)
        elif inside and inside[-1] == "{" and c == "}":
            inside.pop()
            if not inside:
                parts.append(text[part:at])
                part = at + 1
        at += 1
    return (*parts, text[part:]), len(text)


def unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return str(json.loads(f'"{found[1]}"'))
    digits = found[2] or found[3] or found[4]
    if digits is None:
        return _ESCAPES.get(found[5], found[5])
    code = int(digits, 16)
    is_character = code <= _LAST_CODE_POINT and not "\ud800" <= chr(code) <= "\udfff"
    return chr(code) if is_character else "\ufffd"

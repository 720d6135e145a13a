"""Where functions in JavaScript return a value. No code runs."""

from __future__ import annotations

from collections.abc import Mapping

from kinfolk.content.markdown.literals.javascript_tokens import Token

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
_LONGEST_HEAD = 60
"""Tokens of a function's parameters and type, up to its body."""


def returned_by_key(tokens: list[Token], at: int, closings: Mapping[int, int]) -> int | None:
    """Where the value of the function behind a key begins: `key: () => value` or `key() { return value }`."""
    if at + 1 < len(tokens) and tokens[at + 1].kind == "sign" and tokens[at + 1].text == ":":
        at += 2
        at += tokens[at : at + 1] != [] and tokens[at].text == "async"
        return returned_by_arrow(tokens, at, closings)
    return returned_by_function(tokens, at, closings)


def returned_by_arrow(tokens: list[Token], at: int, closings: Mapping[int, int]) -> int | None:
    """Where the value of `() => value`, `() => ({…})` or `(): Type => { return value }` begins."""
    behind = closings.get(at)
    if behind is None or tokens[at].text != "(":
        return None
    for place in range(behind + 1, min(behind + _LONGEST_HEAD, len(tokens) - 1)):
        if tokens[place].kind == "sign" and tokens[place].text == "=>":
            is_body = tokens[place + 1].kind == "sign" and tokens[place + 1].text == "{"
            return _return_in(tokens, place + 1, closings) if is_body else place + 1
        if tokens[place].kind == "sign" and tokens[place].text == ";":
            return None
    return None


def returned_by_function(tokens: list[Token], at: int, closings: Mapping[int, int]) -> int | None:
    """Where the value of `function name() { return value }` begins."""
    at += tokens[at : at + 1] != [] and tokens[at].kind == "name"
    behind = closings.get(at)
    if behind is None or tokens[at].text != "(":
        return None
    for place in range(behind + 1, min(behind + _LONGEST_HEAD, len(tokens))):
        if tokens[place].kind == "sign" and tokens[place].text == "{":
            return _return_in(tokens, place, closings)
    return None


def _return_in(tokens: list[Token], at: int, closings: Mapping[int, int]) -> int | None:
    """Behind the first `return` of a body, unless it is within another block."""
    end = closings.get(at)
    if end is None:
        return None
    at += 1
    while at < end:
        if tokens[at].kind == "name" and tokens[at].text == "return":
            return at + 1
        at = closings.get(at, at) + 1
    return None


def closings(tokens: list[Token]) -> Mapping[int, int]:
    """Where the bracket that opens at a place is closed."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind == "sign" and token.text in OPENING:
            opened.append(at)
        elif token.kind == "sign" and token.text in CLOSING and opened:
            found[opened.pop()] = at
    return found

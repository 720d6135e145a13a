"""The three filter syntaxes -> `search.filters`.

filters          (library:query OR library:form) AND version:latest AND weight.level >= 90
facetFilters     ["version:latest", ["library:query", "library:form"]]       all of these, one of those
numericFilters   ["weight.level>=90", "price:1 TO 10"]
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

import orjson

from kinfolk.search.algolia.api_error import ApiError, too_long
from kinfolk.search.filters import AllOf, AnyOf, Equals, Filter, InRange, Not

MAX_FILTER_LENGTH = 16_384
"""Characters of a filter. The dialog sends less than 200."""
MAX_CONDITION_LENGTH = 2048
"""Characters of one condition: an attribute and a value such as a URL."""
MAX_NUMBER_LENGTH = 400
"""Characters of a number. The largest one without an exponent has 309 digits."""
MAX_DEPTH = 16
"""Levels of parentheses."""
TAGS = "_tags"

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<open>\() | (?P<close>\))
      | (?P<string>"(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*')
      | (?P<score><score=-?\d{1,9}>)
      | (?P<compare><=|>=|!=|=|<|>)
      | (?P<colon>:)
      | (?P<word>(?:\\. | [^\s():"'<>=!\\] | !(?!=) | (?<=[^\s():"'<>=!])["'])+)
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")

_SIGNS = frozenset(("<=", ">=", "!=", "=", "<", ">"))
_SCORE_DIGITS = 9


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


def parse_filters(text: str) -> Filter | None:
    """The filter; None for an empty text. As in Algolia, OR binds closer than AND."""
    if len(text) > MAX_FILTER_LENGTH:
        raise too_long("filters", MAX_FILTER_LENGTH)
    tokens = _tokens(text)
    if not tokens:
        return None
    return _FilterParser(tokens, len(text)).parse()


def _tokens(text: str) -> list[_Token]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None or match.lastgroup is None:
            raise ApiError(f"filters: Unexpected token string({text[at:].strip()[:20]}) at col {at}")
        found.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        at = match.end()
    return found


class _FilterParser:
    """A recursive descent parser for one expression."""

    def __init__(self, tokens: list[_Token], length: int) -> None:
        self._tokens = tokens
        self._length = length
        self._at = 0
        self._depth = 0

    def parse(self) -> Filter:
        read = self._all()
        rest = self._next()
        if rest is not None:
            kind = "string" if rest.kind == "word" else rest.kind
            raise ApiError(
                f"filters: Unexpected token {kind}({rest.text[:40]}) expected end of filter at col {rest.column}"
            )
        return read

    def _next(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, kind: str, word: str | None = None) -> _Token | None:
        token = self._next()
        if token is None or token.kind != kind or (word is not None and token.text != word):
            return None
        self._at += 1
        return token

    def _all(self) -> Filter:
        parts = [self._either()]
        while self._take("word", "AND"):
            parts.append(self._either())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _either(self) -> Filter:
        parts = [self._one()]
        while self._take("word", "OR"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _one(self) -> Filter:
        if self._take("word", "NOT"):
            return self._deeper(lambda: Not(self._one()))
        if self._take("open"):
            inner = self._deeper(self._all)
            if not self._take("close"):
                raise self._unexpected("expected closing parenthesis")
            return inner
        return self._atom()

    def _deeper(self, read: Callable[[], Filter]) -> Filter:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ApiError("filters: too many levels of parentheses")
        inner = read()
        self._depth -= 1
        return inner

    def _atom(self) -> Filter:
        attribute = self._text("expected an attribute")
        compare = self._take("compare")
        if compare is not None:
            return compared(attribute, compare.text, _number(self._text("expected a number")))
        if not self._take("colon"):
            return Equals(TAGS, attribute)
        value = self._value()
        if self._take("word", "TO"):
            return InRange(attribute, _number(value), _number(self._text("expected a number")))
        return Equals(attribute, value, self._score())

    def _value(self) -> str:
        """Only unquoted values may contain colons, as URLs do."""
        first = self._next()
        value = self._text("expected a value")
        while first is not None and first.kind == "word" and self._take("colon"):
            value += ":" + self._text("expected a value")
        return value

    def _score(self) -> int:
        score = self._take("score")
        return int(score.text[len("<score=") : -1]) if score else 1

    def _text(self, wanted: str) -> str:
        quoted = self._take("string")
        token = quoted or self._take("word")
        if token is None or (quoted is None and token.text in ("AND", "OR", "NOT")):
            raise self._unexpected(wanted)
        text = token.text[1:-1] if quoted else token.text
        if len(text) > MAX_CONDITION_LENGTH:
            raise too_long("filters: an attribute or value", MAX_CONDITION_LENGTH)
        return _ESCAPED.sub(r"\1", text)

    def _unexpected(self, wanted: str) -> ApiError:
        token = self._next()
        if token is None:
            return ApiError(f"filters: Unexpected end of filter, {wanted} at col {self._length}")
        return ApiError(f"filters: Unexpected token {token.kind}({token.text[:40]}) {wanted} at col {token.column}")


def compared(attribute: str, sign: str, number: float) -> Filter:
    """`attribute sign number`. Ranges include their ends: a strict bound is the next representable number."""
    match sign:
        case "=":
            return InRange(attribute, number, number)
        case "!=":
            return Not(InRange(attribute, number, number))
        case "<":
            return InRange(attribute, high=math.nextafter(number, -math.inf))
        case "<=":
            return InRange(attribute, high=number)
        case ">":
            return InRange(attribute, low=math.nextafter(number, math.inf))
        case _:
            return InRange(attribute, low=number)


def _number(text: str) -> float:
    if len(text) > MAX_NUMBER_LENGTH or not _NUMBER.fullmatch(text):
        raise ApiError(f"filters: {text[:40]!r} is not a number")
    number = float(text)
    if math.isinf(number):
        raise ApiError(f"filters: {text[:40]!r} is too large")
    return number


# Filters as lists


def facet_filters(given: object, name: str = "facetFilters") -> Filter | None:
    """All parts of the list; of a nested list, any part. Quotes are part of the value."""
    return _nested(_listed(given, name), name, _facet)


def numeric_filters(given: object) -> Filter | None:
    return _nested(_listed(given, "numericFilters"), "numericFilters", _numeric)


def tag_filters(given: object) -> Filter | None:
    return _nested(_listed(given, "tagFilters"), "tagFilters", _tag)


def optional_filters(given: object) -> tuple[Equals, ...]:
    """Filters that only rank. A negative filter has a negative score."""
    preferred: list[Equals] = []
    for part in _flat(_listed(given, "optionalFilters")):
        match _facet(part, "optionalFilters"):
            case Equals() as one:
                preferred.append(one)
            case Not(part=Equals(attribute=attribute, value=value, score=score)):
                preferred.append(Equals(attribute, value, -score))
    return tuple(preferred)


def _listed(given: object, name: str) -> list[object]:
    """The list, which may be a list, JSON, or a text with commas."""
    if given is None or given == "":
        return []
    if isinstance(given, str):
        if len(given) > MAX_FILTER_LENGTH:
            raise too_long(name, MAX_FILTER_LENGTH)
        if given.lstrip().startswith("["):
            try:
                given = orjson.loads(given)
            except orjson.JSONDecodeError:
                raise ApiError(f"{name}: invalid JSON") from None
        else:
            given = [part for part in given.split(",") if part.strip()]
    if not isinstance(given, list):
        raise ApiError(f"{name}: expected a list or a text")
    return given


def _nested(
    parts: list[object], name: str, read: Callable[[str, str], Filter], *, depth: int = 0, every: bool = True
) -> Filter | None:
    if depth > MAX_DEPTH:
        raise ApiError(f"{name}: too many lists within lists")
    found: list[Filter] = []
    for part in parts:
        if isinstance(part, list):
            inner = _nested(part, name, read, depth=depth + 1, every=not every)
            if inner is not None:
                found.append(inner)
        elif not isinstance(part, str):
            raise ApiError(f"{name}: expected texts and lists of texts")
        elif part:
            found.append(read(part, name))
    if len(found) < 2:  # noqa: PLR2004 - a single part
        return found[0] if found else None
    return AllOf(tuple(found)) if every else AnyOf(tuple(found))


def _flat(parts: list[object], depth: int = 0) -> list[str]:
    if depth > MAX_DEPTH:
        raise ApiError("optionalFilters: too many lists within lists")
    found: list[str] = []
    for part in parts:
        if isinstance(part, list):
            found += _flat(part, depth + 1)
        elif not isinstance(part, str):
            raise ApiError("optionalFilters: expected texts and lists of texts")
        elif part:
            found.append(part)
    return found


def _facet(text: str, name: str) -> Filter:
    _check_length(text, name)
    attribute, colon, value = text.partition(":")
    if not colon or not attribute.strip():
        raise ApiError(f"{name}: invalid filter {text[:60]!r}, expected attribute:value")
    value, score = _scored(value)
    if value.startswith("-"):
        return Not(Equals(attribute, value[1:], score))
    return Equals(attribute, value.removeprefix("\\") if value.startswith("\\-") else value, score)


def _scored(value: str) -> tuple[str, int]:
    """`react<score=2>` is `react` with a weight of 2; any other value weighs 1."""
    front, mark, number = value.rstrip().rpartition("<score=")
    if mark and number.endswith(">"):
        digits = number[:-1].removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) <= _SCORE_DIGITS:
            return front, int(number[:-1])
    return value, 1


def _numeric(text: str, name: str) -> Filter:
    """`attribute sign number`, or `attribute:from TO to`, in linear time."""
    _check_length(text, name)
    attribute, colon, rest = text.partition(":")
    ends = rest.split()
    if colon and attribute.strip() and len(ends) == 3 and ends[1].lower() == "to":  # noqa: PLR2004 - from, TO, to
        return InRange(attribute.strip(), _number(ends[0]), _number(ends[2]))
    at = next((at for at, sign in enumerate(text) if sign in "<>=" or text.startswith("!=", at)), len(text))
    sign = text[at : at + 2] if text[at : at + 2] in _SIGNS else text[at : at + 1]
    attribute, number = text[:at].strip(), text[at + len(sign) :].strip()
    if sign not in _SIGNS or not attribute or not number:
        raise ApiError(f"{name}: invalid filter {text[:60]!r}, expected attribute, sign and number")
    return compared(attribute, sign, _number(number))


def _tag(text: str, name: str) -> Filter:
    _check_length(text, name)
    return Not(Equals(TAGS, text[1:])) if text.startswith("-") else Equals(TAGS, text)


def _check_length(text: str, name: str) -> None:
    if len(text) > MAX_CONDITION_LENGTH:
        raise too_long(f"{name}: a filter", MAX_CONDITION_LENGTH)

"""Counts the steps that a backtracking regular expression engine takes: a measure of time that is the same in each run.

The counter runs the tree that `re` parses, in the order in which `re` tries alternatives and repeats. `re` skips some
of these steps (it looks for a literal before it starts a match) but takes no others, so that what is linear here is
linear there. A test compares the matches of both.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

parser: Any = importlib.import_module("re._parser")

Node = tuple[Any, Any]
Matcher = Callable[[int], int | None]
"""Matches at an index, followed by the rest of the pattern: the index of the match's end, or None."""

RunLength = Callable[[int, int], int]
"""From an index and the most characters: how many characters there match."""

SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN")
DEEPEST = 1_000_000
"""Calls. Each repeat of a group is some calls deeper; Python functions take no stack of the process."""


class TooManySteps(Exception):
    """The match takes more steps than the limit."""


def nodes_of(tree: Any) -> Iterator[Node]:
    """Each node of a tree of `re._parser`, parents first."""
    for op, argument in tree:
        yield op, argument
        for inner in children_of(op, argument):
            yield from nodes_of(inner)


def children_of(op: Any, argument: Any) -> list[Any]:
    """The trees below a node."""
    match str(op):
        case "SUBPATTERN":
            return [argument[-1]]
        case "BRANCH":
            return list(argument[1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [argument[2]]
        case "ATOMIC_GROUP":
            return [argument]
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case "GROUPREF_EXISTS":
            return [one for one in argument[1:] if one is not None]
    return []


def accepts(node: Node, flags: int) -> Callable[[str], bool]:
    """Whether a character matches a node of `SINGLE`."""
    op, argument = node
    match str(op):
        case "LITERAL":
            wanted = chr(argument)
            if flags & re.IGNORECASE:
                return lambda c: c.lower() == wanted.lower()
            return lambda c: c == wanted
        case "NOT_LITERAL":
            same = accepts((parser.LITERAL, argument), flags)
            return lambda c: not same(c)
        case "ANY":
            return lambda c: bool(flags & re.DOTALL) or c != "\n"
    return lambda c: _in_class(argument, c, flags)


def _in_class(items: Sequence[Node], c: str, flags: int) -> bool:
    folded = {c, c.lower(), c.upper()} if flags & re.IGNORECASE else {c}
    negated = found = False
    for op, argument in items:
        match str(op):
            case "NEGATE":
                negated = True
            case "LITERAL":
                found = found or chr(argument) in folded
            case "RANGE":
                found = found or any(argument[0] <= ord(one) <= argument[1] for one in folded if len(one) == 1)
            case "CATEGORY":
                found = found or _is_category(str(argument), c, flags)
    return found != negated


def _is_category(name: str, c: str, flags: int) -> bool:
    source = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name.rpartition("_")[2]]
    source = source.upper() if "NOT" in name else source
    return re.match(source, c, flags & re.ASCII) is not None


class Times(NamedTuple):
    """How many times a part is repeated."""

    least: int
    most: int


class StepCounter:
    """Runs one pattern on one text after another and counts the steps of each run."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._tree = parser.parse(pattern.pattern, pattern.flags)
        self._referenced = {argument for op, argument in nodes_of(self._tree) if str(op) == "GROUPREF"}
        self._accepted: dict[tuple[str, str, int], dict[str, bool]] = {}
        self._text = ""
        self._full = False
        self._not_empty_at: int | None = None
        self._spans: dict[int, tuple[int, int] | None] = {}
        self._left = 0
        self._match = self._sequence(list(self._tree), self._tree.state.flags, self._accept)

    def steps(self, operation: str, text: str, limit: int) -> int:
        """The steps of an operation such as "search" or "sub" on a text.

        Raises TooManySteps as soon as there are more than `limit`.
        """
        list(self._matches(operation, text, limit))
        return limit - self._left

    def spans(self, operation: str, text: str, limit: int) -> list[tuple[int, int]]:
        """Start and end of each match that the operation finds. Raises TooManySteps."""
        return list(self._matches(operation, text, limit))

    def _matches(self, operation: str, text: str, limit: int) -> Iterator[tuple[int, int]]:
        self._text, self._full, self._left = text, operation == "fullmatch", limit
        self._not_empty_at = None
        start = 0
        with _recursion_limit(DEEPEST):
            while start <= len(text):
                self._step()
                self._spans.clear()
                end = self._match(start)
                if end is not None:
                    yield start, end
                    if operation in ("search", "match", "fullmatch"):
                        return
                    # Two empty matches in one place would be found forever.
                    self._not_empty_at = end if end == start else None
                    start = end
                elif operation in ("match", "fullmatch"):
                    return
                else:
                    start += 1

    def _step(self, number: int = 1) -> None:
        self._left -= number
        if self._left < 0:
            raise TooManySteps

    def _accept(self, at: int) -> int | None:
        """The end of the whole pattern."""
        if (self._full and at != len(self._text)) or at == self._not_empty_at:
            return None
        return at

    def _sequence(self, nodes: list[Node], flags: int, then: Matcher) -> Matcher:
        for op, argument in reversed(nodes):
            then = self._node(op, argument, flags, then)
        return then

    def _node(self, op: Any, argument: Any, flags: int, then: Matcher) -> Matcher:
        match str(op):
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._single((op, argument), flags, then)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(str(op), argument, flags, then)
            case "BRANCH":
                return self._branch([self._sequence(list(one), flags, then) for one in argument[1]])
            case "SUBPATTERN":
                group, added, removed, inner = argument
                return self._group(group, list(inner), (flags | added) & ~removed, then)
            case "ATOMIC_GROUP":
                return self._atomic(self._sequence(list(argument), flags, _end), then)
            case "ASSERT" | "ASSERT_NOT":
                return self._assertion(str(op) == "ASSERT", argument, flags, then)
            case "AT":
                return self._position(str(argument), flags, then)
            case "GROUPREF":
                return self._reference(argument, flags, then)
            case "FAILURE":
                return _fail
        raise NotImplementedError(f"the step counter knows no {op}")

    def _test(self, node: Node, flags: int) -> Callable[[str], bool]:
        """Whether a character matches, from a table that all equal nodes of the pattern share."""
        test = accepts(node, flags)
        table = self._accepted.setdefault((str(node[0]), repr(node[1]), flags), {})

        def is_accepted(c: str) -> bool:
            found = table.get(c)
            if found is None:
                found = table[c] = test(c)
            return found

        return is_accepted

    def _single(self, node: Node, flags: int, then: Matcher) -> Matcher:
        test = self._test(node, flags)

        def single(at: int) -> int | None:
            self._step()
            return then(at + 1) if at < len(self._text) and test(self._text[at]) else None

        return single

    def _repeat(self, kind: str, argument: Any, flags: int, then: Matcher) -> Matcher:
        least, most, inner = argument
        times = Times(least, most)
        if len(inner) == 1 and str(inner[0][0]) in SINGLE:
            length = self._run_length(self._test(inner[0], flags))
            match kind:
                case "MAX_REPEAT":
                    return self._greedy_characters(times, length, then)
                case "MIN_REPEAT":
                    return self._lazy_characters(times, length, then)
            return self._possessive_characters(times, length, then)
        if kind == "POSSESSIVE_REPEAT":
            return self._possessive_groups(times, self._sequence(list(inner), flags, _end), then)
        groups = _Groups(self._step, times, kind == "MAX_REPEAT", then)
        groups.body = self._sequence(list(inner), flags, groups.after)
        return groups.enter

    def _run_length(self, test: Callable[[str], bool]) -> RunLength:
        def length(at: int, most: int) -> int:
            text = self._text
            end, last = at, min(len(text), at + most)
            while end < last and test(text[end]):
                end += 1
            self._step(1 + end - at)
            return end - at

        return length

    def _greedy_characters(self, times: Times, length: RunLength, then: Matcher) -> Matcher:
        def greedy(at: int) -> int | None:
            for number in range(length(at, times.most), times.least - 1, -1):
                self._step()
                end = then(at + number)
                if end is not None:
                    return end
            return None

        return greedy

    def _lazy_characters(self, times: Times, length: RunLength, then: Matcher) -> Matcher:
        def lazy(at: int) -> int | None:
            number = length(at, times.least)
            if number < times.least:
                return None
            while True:
                self._step()
                end = then(at + number)
                if end is not None or number >= times.most or not length(at + number, 1):
                    return end
                number += 1

        return lazy

    def _possessive_characters(self, times: Times, length: RunLength, then: Matcher) -> Matcher:
        def possessive(at: int) -> int | None:
            number = length(at, times.most)
            return then(at + number) if number >= times.least else None

        return possessive

    def _possessive_groups(self, times: Times, body: Matcher, then: Matcher) -> Matcher:
        def possessive(at: int) -> int | None:
            number = 0
            while number < times.most:
                self._step()
                end = body(at)
                if end is None:
                    break
                number += 1
                if end == at and number >= times.least:
                    break
                at = end
            return then(at) if number >= times.least else None

        return possessive

    def _branch(self, branches: list[Matcher]) -> Matcher:
        def branch(at: int) -> int | None:
            for one in branches:
                self._step()
                end = one(at)
                if end is not None:
                    return end
            return None

        return branch

    def _group(self, group: int | None, inner: list[Node], flags: int, then: Matcher) -> Matcher:
        if group is None or group not in self._referenced:
            return self._sequence(inner, flags, then)
        starts: list[int] = []

        def close(at: int) -> int | None:
            before = self._spans.get(group)
            start = starts.pop()
            self._spans[group] = (start, at)
            end = then(at)
            starts.append(start)
            if end is None:
                self._spans[group] = before
            return end

        def open_(at: int) -> int | None:
            starts.append(at)
            end = body(at)
            starts.pop()
            return end

        body = self._sequence(inner, flags, close)
        return open_

    def _atomic(self, body: Matcher, then: Matcher) -> Matcher:
        def atomic(at: int) -> int | None:
            self._step()
            end = body(at)
            return None if end is None else then(end)

        return atomic

    def _assertion(self, wanted: bool, argument: Any, flags: int, then: Matcher) -> Matcher:
        direction, inner = argument
        back = inner.getwidth()[0] if direction < 0 else 0
        body = self._sequence(list(inner), flags, _end)

        def assertion(at: int) -> int | None:
            self._step()
            found = at >= back and body(at - back) is not None
            return then(at) if found == wanted else None

        return assertion

    def _position(self, name: str, flags: int, then: Matcher) -> Matcher:
        lines = bool(flags & re.MULTILINE)
        is_word = self._test((parser.IN, [(parser.CATEGORY, parser.CATEGORY_WORD)]), flags)

        def holds(at: int) -> bool:
            text = self._text
            size = len(text)
            match name:
                case "AT_BEGINNING":
                    return at == 0 or (lines and text[at - 1] == "\n")
                case "AT_BEGINNING_STRING":
                    return at == 0
                case "AT_END":
                    return at == size or (text[at] == "\n" and (lines or at == size - 1))
                case "AT_END_STRING":
                    return at == size
                case "AT_BOUNDARY" | "AT_NON_BOUNDARY":
                    before = at > 0 and is_word(text[at - 1])
                    after = at < size and is_word(text[at])
                    # In an empty text `re` finds neither.
                    return size > 0 and (before != after) == (name == "AT_BOUNDARY")
            raise NotImplementedError(f"the step counter knows no {name}")

        def position(at: int) -> int | None:
            self._step()
            return then(at) if holds(at) else None

        return position

    def _reference(self, group: int, flags: int, then: Matcher) -> Matcher:
        folds = bool(flags & re.IGNORECASE)

        def reference(at: int) -> int | None:
            span = self._spans.get(group)
            if span is None:
                return None
            wanted = self._text[slice(*span)]
            found = self._text[at : at + len(wanted)]
            self._step(1 + len(wanted))
            same = found.lower() == wanted.lower() if folds else found == wanted
            return then(at + len(wanted)) if same else None

        return reference


class _Groups:
    """A greedy or lazy repeat of more than one character, with the state of the repeat that runs."""

    body: Matcher

    def __init__(self, step: Callable[[], None], times: Times, greedy: bool, then: Matcher) -> None:
        self._step = step
        self._times = times
        self._greedy = greedy
        self._then = then
        self._number = 0
        self._last = -1

    def enter(self, at: int) -> int | None:
        return self._with_state(0, -1, self.after, at)

    def after(self, at: int) -> int | None:
        """After `_number` repeats: one more, or what follows. An empty repeat is the last one."""
        self._step()
        number, last = self._number, self._last
        if number < self._times.least:
            return self._with_state(number + 1, last, self.body, at)
        may_repeat = number < self._times.most and at != last
        if self._greedy:
            end = self._with_state(number + 1, at, self.body, at) if may_repeat else None
            return self._then(at) if end is None else end
        end = self._then(at)
        return self._with_state(number + 1, at, self.body, at) if end is None and may_repeat else end

    def _with_state(self, number: int, last: int, matcher: Matcher, at: int) -> int | None:
        before = self._number, self._last
        self._number, self._last = number, last
        end = matcher(at)
        self._number, self._last = before
        return end


def _fail(_at: int) -> None:
    """A part that matches nothing, such as `(?!)`."""


def _end(at: int) -> int:
    """The end of a lookaround, or of an atomic group."""
    return at


@contextmanager
def _recursion_limit(calls: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)

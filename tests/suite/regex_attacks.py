"""Texts that attack a regular expression, and whether the steps on them grow linearly with their length."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.suite.regex_steps import SINGLE, StepCounter, TooManySteps, accepts, children_of, nodes_of, parser

CANDIDATES = " \t\n\r\x00\x0b\x1c\x7fa0AzZ9_-.:,;<>/\\\"'`~[](){}#*!?@&%=|^$+é\u00a0\u200b\u0660\u3042\ud800\U0001f600"
LENGTHS = ((32, 128), (2_048, 8_192))
"""Pairs of a short and a long text, in characters."""
MOST_GROWTH = 1.3
"""Steps for each character of the long text, divided by those for the short one: about 1 if linear, 4 if quadratic."""
MOST_STEPS = 500
"""For each character of the short text. A repeat of at most 300 characters at each start of a search takes 300."""
BOUNDED_STEPS = 200_000
"""`re` takes 0.1 to 1.3 ms for them."""


@dataclass(frozen=True)
class Pattern:
    """A pattern in the source: `name` is its module and the name that it is assigned to, or its function."""

    name: str
    regex: re.Pattern[str]
    operations: frozenset[str]

    @property
    def distinct_operations(self) -> list[str]:
        """Operations that run the pattern in different ways: those that find all matches do it in one."""
        return sorted({one if one in ("search", "match", "fullmatch") else "finditer" for one in self.operations})


# Texts to attack a pattern with


def alphabet(pattern: Pattern, tree: Any) -> list[str]:
    """One character of each class that the pattern does not distinguish, literals first."""
    flags = tree.state.flags
    tests = [accepts(node, flags) for node in nodes_of(tree) if str(node[0]) in SINGLE]
    literals = [chr(argument) for op, argument in nodes_of(tree) if str(op) == "LITERAL"]
    # Characters that `^`, `$`, `.` and `\b` distinguish.
    tests += [lambda c: c == "\n", lambda c: c.isalnum() or c == "_"]
    groups: dict[tuple[bool, ...], str] = {}
    for c in (*dict.fromkeys(literals), *CANDIDATES):
        groups.setdefault(tuple(test(c) for test in tests), c)
    return list(groups.values())


def samples(tree: Any, letters: Sequence[str], flags: int, most: int = 6) -> list[str]:
    """Some short texts that match: for each alternative, and for each class of characters."""
    found = [""]
    for op, argument in tree:
        match str(op):
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                test = accepts((op, argument), flags)
                parts = [c for c in letters if test(c)] or [c for c in CANDIDATES if test(c)][:1]
            case "BRANCH":
                parts = [one for branch in argument[1] for one in samples(branch, letters, flags, 2)]
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                inner = samples(argument[2], letters, flags, 3)
                parts = [one * argument[0] for one in inner] if argument[0] else ["", *inner[:1]]
            case "SUBPATTERN" | "ATOMIC_GROUP":
                parts = samples(children_of(op, argument)[0], letters, flags, 4)
            case _:  # anchors, lookaround, back references add no text, so some generated texts do not match
                parts = [""]
        parts = parts or [""]
        # Each part at least once, not each combination of parts.
        width = max(len(found), min(len(parts), most))
        found = [found[at % len(found)] + parts[at % len(parts)] for at in range(width)]
    return list(dict.fromkeys(found))[:most]


def repeats(tree: Any, letters: Sequence[str], flags: int, before: str = "") -> Iterator[tuple[str, list[str]]]:
    """Each repeat without a small limit: a text that reaches it, and texts that it repeats."""
    for op, argument in tree:
        if "REPEAT" in str(op) and argument[1] > 50:
            inner = argument[2]
            pumps = samples(inner, letters, flags, 8)
            if len(inner) == 1 and str(inner[0][0]) in SINGLE:
                pumps = [c for c in letters if accepts(inner[0], flags)(c)]
            yield before, [pump for pump in pumps if pump]
        for child in children_of(op, argument):
            yield from repeats(child, letters, flags, before)
        before += (samples([(op, argument)], letters, flags, 1) or [""])[0]


def attacks(pattern: Pattern) -> Iterator[Callable[[int], str]]:
    """Functions from a length to a text."""
    tree = parser.parse(pattern.regex.pattern, pattern.regex.flags)
    flags = tree.state.flags
    letters = alphabet(pattern, tree)
    ends = ["", *letters]
    seen: set[tuple[str, ...]] = set()
    for before, pumps in repeats(tree, letters, flags):
        pairs = [first + second for first, second in itertools.pairwise(pumps)]
        for pump in (*pumps, *pairs[:3]):
            for end in ends if len(pump) == 1 else ends[:6]:
                parts = (before, pump, end)
                if parts not in seen:
                    seen.add(parts)
                    yield lambda n, parts=parts: parts[0] + parts[1] * (n // len(parts[1])) + parts[2]  # type: ignore[misc]
            for whole in (before + pump, before):
                if before and (whole,) not in seen:
                    seen.add((whole,))
                    yield lambda n, whole=whole: whole * (n // len(whole))  # type: ignore[misc]
    for whole in samples(tree, letters, flags, 3):
        if whole:
            yield lambda n, whole=whole: whole * (n // len(whole))  # type: ignore[misc]


# Steps


def steps(counter: StepCounter, operation: str, text: str, limit: int) -> float:
    """Infinite if there are more than `limit`."""
    try:
        return counter.steps(operation, text, limit)
    except TooManySteps:
        return math.inf


def is_linear(counter: StepCounter, operation: str, text_of: Callable[[int], str]) -> bool:
    """Whether the steps grow linearly between two lengths.

    The second pair decides where they do not between the first: a part that repeats at most 300 times looks quadratic
    up to texts of that length.
    """
    for short, long in LENGTHS:
        few = steps(counter, operation, text_of(short), MOST_STEPS * short)
        if few == math.inf:
            return False
        most = math.ceil(MOST_GROWTH * few * long / short)
        if steps(counter, operation, text_of(long), most) <= most:
            return True
    return False


def slow(pattern: Pattern) -> str | None:
    """The start of a text on which the pattern is not linear, if there is one."""
    counter = StepCounter(pattern.regex)
    for text_of in attacks(pattern):
        for operation in pattern.distinct_operations:
            if not is_linear(counter, operation, text_of):
                return f"{operation} on {text_of(60)!r}"
    return None


def slow_below(pattern: Pattern, length: int) -> str | None:
    """The start of a text of this length on which the pattern takes too many steps, if there is one."""
    counter = StepCounter(pattern.regex)
    for text_of in attacks(pattern):
        for operation in pattern.distinct_operations:
            if steps(counter, operation, text_of(length), BOUNDED_STEPS) >= BOUNDED_STEPS:
                return f"{operation} on {text_of(60)!r}"
    return None


def different_matches(pattern: Pattern) -> str | None:
    """A short text on which the step counter finds other matches than `re`, if there is one."""
    counter = StepCounter(pattern.regex)
    for text_of in attacks(pattern):
        text = text_of(12)
        subject: Any = text
        if isinstance(pattern.regex.pattern, bytes):
            subject = text.encode("latin-1", errors="replace")
            text = subject.decode("latin-1")
        for operation in pattern.distinct_operations:
            if operation == "finditer":
                expected = [found.span() for found in pattern.regex.finditer(subject)]
            else:
                match = getattr(pattern.regex, operation)(subject)
                expected = [match.span()] if match else []
            if counter.spans(operation, text, 1_000_000) != expected:
                return f"{operation} on {text!r}"
    return None

"""Tests that every regular expression of the code takes linear time on any text.

The patterns are found in the source. For each repeat of a pattern, texts are generated that reach the repeat, match it
many times and then fail, with one character for each class of characters that the pattern does not distinguish. The
operation that the code uses is timed at two lengths, whose times are compared: this does not depend on the machine.
"""

from __future__ import annotations

import ast
import gc
import importlib
import itertools
import math
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import kinfolk

parser: Any = importlib.import_module("re._parser")

ROOT = Path(kinfolk.__file__).parent
OPERATIONS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
CANDIDATES = " \t\n\r\x00\x0b\x1c\x7fa0AzZ9_-.:,;<>/\\\"'`~[](){}#*!?@&%=|^$+é\u00a0\u200b\u0660\u3042\ud800\U0001f600"
LENGTHS = (16, 32, 64, 128, 512, 4_096)
NOTICEABLE_S = 0.00015
"""At the last of the lengths: the fastest quadratic pattern below takes 0.7 ms, 80 % of the linear ones less."""
GIVE_UP_S = 0.5
"""CPU time."""
CLEAR = 2
"""A growth of so many times the allowed one is no noise, if it is measured in `CLEAR_AFTER` rounds."""
CLEAR_AFTER = 3


@dataclass(frozen=True)
class GrowthStep:
    """Two lengths, and the growth of time between them up to which a pattern is linear."""

    short: int
    long: int
    most: float
    rounds: int


STEPS = (
    # Linear patterns grow by 8, quadratic ones by 64.
    GrowthStep(512, 4_096, most=10, rounds=6),
    # Where a quadratic part is small at those lengths, or where the processor's cache matters: 4, or 16.
    GrowthStep(8_192, 32_768, most=6.8, rounds=8),
    GrowthStep(32_768, 131_072, most=6.8, rounds=4),
)
"""The first step decides for most texts; a later one only where the times of all earlier ones grew too much."""

BOUNDED: dict[str, tuple[int, str]] = {
    "markdown.directives._DIRECTIVE": (300, "LONGEST: a longer comment is no directive"),
    "sources.commit_authors._MAIL": (80, "_NAME_LETTERS: a name is cut before"),
}
"""Patterns that are not linear but run on short texts only: the most characters, and the code that limits them."""

DYNAMIC: dict[str, str] = {
    "data_files.matches.written": "patterns in the source, for values of the site folder",
    "markdown.dialects.mkdocs._with_abbreviations.pattern": "alternatives of escaped texts, each limited in number",
    "export.link_form.LinkForm._absolute": "the escaped address of the site, and one class of characters",
    "markdown.export._MarkdownWriter.cut.found": "a digest and a number",
    "markdown.replace._literally": "an escaped text",
    "markdown.replace._longest_run": "one character's class, repeated",
    "markdown.replace.compile_affordable": "estimated before it runs, in a process with a limit of CPU time",
    "package_registries.is_package": "patterns in the source, for values of the site folder",
    "routes.PageRoute.expression": "each parameter matches within one segment, except a last one",
    "search.text.match_finder.WordMatchFinder._seed": "escaped texts",
}
"""Patterns that are compiled at run time, by function, and why they are safe."""


@dataclass(frozen=True)
class Pattern:
    """A pattern in the source: `name` is its module and the name that it is assigned to, or its function."""

    name: str
    regex: re.Pattern[str]
    operations: frozenset[str]


class _Finder(ast.NodeVisitor):
    """Finds the calls of `re` in one module, and the methods that are called on compiled patterns."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.module = module
        self.names = vars(importlib.import_module(module))
        self.found: list[tuple[str, re.Pattern[str], str]] = []
        self.dynamic: list[str] = []
        self.methods: dict[str, set[str]] = {}
        self._where: list[str] = []
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._where.append(node.name)
        self.generic_visit(node)
        self._where.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._where.append(node.name)
        self.generic_visit(node)
        self._where.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        self._where += names[:1]
        self.generic_visit(node)
        if names:
            self._where.pop()

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.attr in OPERATIONS:
            self.methods.setdefault(node.value.id, set()).add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(value=ast.Name(id="re"), attr=name) if name in ("compile", *OPERATIONS):
                self._add(node, name)
        self.generic_visit(node)

    def _add(self, node: ast.Call, operation: str) -> None:
        where = ".".join([self.module.removeprefix("kinfolk."), *self._where])
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        flags = given.get("flags")
        at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(operation, 2)
        if flags is None and len(node.args) > at:
            flags = node.args[at]
        try:
            source = self._value(node.args[0])
            regex = re.compile(source, 0 if flags is None else self._value(flags))
        except NameError:
            self.dynamic.append(where)
            return
        self.found.append((where, regex, operation))

    def _value(self, node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), f"<{self.module}>", "eval"), dict(self.names))  # noqa: S307 - our own code


@cache
def scan() -> tuple[list[Pattern], list[str]]:
    finders = []
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(["kinfolk", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__")
        # The environment of migrations can be imported by Alembic only.
        if module not in ("kinfolk.__main__", "kinfolk.db.migrations.env"):
            finders.append(_Finder(module, ast.parse(path.read_text())))
    methods: dict[str, set[str]] = {}
    for finder in finders:
        for name, used in finder.methods.items():
            methods.setdefault(name, set()).update(used)
    patterns = []
    for finder in finders:
        for where, regex, operation in finder.found:
            own = where.rpartition(".")[2]
            # A compiled pattern may be used in another module; a pattern without visible use is tried both ways.
            used = finder.methods.get(own) or methods.get(own) or {"search", "fullmatch"}
            patterns.append(Pattern(where, regex, frozenset(used if operation == "compile" else {operation})))
    return patterns, [name for finder in finders for name in finder.dynamic]


# Texts to attack a pattern with

Node = tuple[Any, Any]


def nodes_of(tree: Any) -> Iterator[Node]:
    for op, argument in tree:
        yield op, argument
        for inner in children_of(op, argument):
            yield from nodes_of(inner)


def children_of(op: Any, argument: Any) -> list[Any]:
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
    """Whether a character matches a single-character node."""
    op, argument = node
    names = {str(name): name for name in (op,)}
    if "LITERAL" in names:
        wanted = chr(argument)
        folds = bool(flags & re.IGNORECASE)
        return lambda c: c == wanted or (folds and c.lower() == wanted.lower())
    if "NOT_LITERAL" in names:
        return lambda c: c != chr(argument)
    if "ANY" in names:
        return lambda c: bool(flags & re.DOTALL) or c != "\n"
    return lambda c: in_class(argument, c, flags)


def in_class(items: Sequence[Node], c: str, flags: int) -> bool:
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
                found = found or is_category(str(argument), c, flags)
    return found != negated


def is_category(name: str, c: str, flags: int) -> bool:
    source = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name.rpartition("_")[2]]
    source = source.upper() if "NOT" in name else source
    return re.match(source, c, flags & re.ASCII) is not None


SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN")


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


# Time


class TooLong(Exception):
    pass


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TooLong after this CPU time. Python's engine checks for signals at intervals.

    No garbage is collected meanwhile: an exception in a finalizer would be lost.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()
        signal.signal(signal.SIGVTALRM, before)


def run(regex: re.Pattern[Any], operation: str, text: Any) -> None:
    if isinstance(regex.pattern, bytes):
        text = text.encode(errors="replace")
    match operation:
        case "sub" | "subn":
            regex.sub(lambda found: found[0][:0], text)
        case "finditer":
            for _ in regex.finditer(text):
                pass
        case _:
            getattr(regex, operation)(text)


def seconds(
    regex: re.Pattern[str], operation: str, text: str, limit_s: float = GIVE_UP_S, *, repeats: int = 1
) -> float:
    """CPU time of this thread for all repeats; infinite if it is over `limit_s`, because then the run is stopped."""
    try:
        with at_most(limit_s):
            began = time.thread_time()
            for _ in range(repeats):
                run(regex, operation, text)
            return time.thread_time() - began
    except TooLong:
        return math.inf


def is_linear(regex: re.Pattern[str], operation: str, text_of: Callable[[int], str]) -> bool:
    longest_s = 0.0
    for length in LENGTHS:
        longest_s = seconds(regex, operation, text_of(length))
        if longest_s == math.inf and length < LENGTHS[-1]:
            return False
    if longest_s <= NOTICEABLE_S:
        return True
    for step in STEPS:
        growth = growth_of_time(regex, operation, text_of, step)
        if growth <= step.most:
            return True
        if growth > CLEAR * step.most:
            return False
    return False


def growth_of_time(regex: re.Pattern[str], operation: str, text_of: Callable[[int], str], step: GrowthStep) -> float:
    """The time for the long text, divided by that for the short text. Measures until it is clear.

    Both times are the least of all rounds, because other load can only add time. The short text is run so many times in
    one measurement that a linear pattern takes as long for it as for the long text: a short measurement would be
    undisturbed more often than a long one on a busy machine.
    """
    short_text, long_text = text_of(step.short), text_of(step.long)
    repeats = step.long // step.short
    short_s = long_s = growth = math.inf
    for turn in range(1, step.rounds + 1):
        short_s = min(short_s, seconds(regex, operation, short_text, repeats * GIVE_UP_S, repeats=repeats) / repeats)
        if short_s == math.inf:
            return math.inf
        if long_s > step.most * short_s:
            # No longer than it takes to see the growth: a quadratic pattern takes seconds for the longest text.
            limit_s = min(GIVE_UP_S, max(2 * CLEAR * step.most * short_s, 0.001))
            long_s = min(long_s, seconds(regex, operation, long_text, limit_s))
        growth = long_s / short_s
        if growth <= step.most or (growth > CLEAR * step.most and turn >= CLEAR_AFTER):
            break
    return growth


PATTERNS, MADE = scan()


def slow(pattern: Pattern) -> str | None:
    """The start of a text on which the pattern is not linear, if there is one."""
    for text_of in attacks(pattern):
        for operation in pattern.operations:
            if not is_linear(pattern.regex, operation, text_of):
                return f"{operation} on {text_of(60)!r}"
    return None


def least_seconds(regex: re.Pattern[str], operation: str, text: str, enough_s: float) -> float:
    """The least of three times; of fewer, if one is below `enough_s`."""
    best = math.inf
    for _ in range(3):
        best = min(best, seconds(regex, operation, text))
        if best < enough_s:
            break
    return best


@pytest.mark.parametrize("pattern", PATTERNS, ids=[pattern.name for pattern in PATTERNS])
def test_patterns_take_linear_time(pattern: Pattern) -> None:
    if pattern.name in BOUNDED:
        most, _ = BOUNDED[pattern.name]
        for text_of in attacks(pattern):
            assert all(least_seconds(pattern.regex, one, text_of(most), 0.02) < 0.02 for one in pattern.operations)
        return
    assert slow(pattern) is None


def test_dynamic_patterns_are_listed() -> None:
    assert sorted(set(MADE)) == sorted(DYNAMIC)


def test_every_exception_names_an_existing_pattern() -> None:
    assert set(BOUNDED) <= {pattern.name for pattern in PATTERNS}


@pytest.mark.parametrize(
    ("source", "operation"),
    [
        (r"\s*x", "search"),
        (r"(a+)+b", "match"),
        (r"<style\b[^>]*>", "search"),
        (r"[ \t]*(?:-->)?[ \t]*$", "search"),
        (r"(?:\s*\w+\s*)*;", "fullmatch"),
        (r"a.*b.*c", "match"),
        (r"^\s*-", "sub"),
        (r"(x|xy|yx)*z", "fullmatch"),
    ],
)
def test_attacks_detect_nonlinear_patterns(source: str, operation: str) -> None:
    assert slow(Pattern("", re.compile(source, re.MULTILINE), frozenset({operation}))) is not None


@pytest.mark.parametrize("source", [r"x\s*", r"[a-z]+(?:-[a-z]+)*", r"<[^<>]*>", r"\bab+\b", r"a{1,20}b"])
def test_attacks_accept_linear_patterns(source: str) -> None:
    assert slow(Pattern("", re.compile(source), frozenset({"search", "fullmatch"}))) is None

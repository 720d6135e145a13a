"""Tests that every regular expression of the code takes linear time on any text.

The patterns are found in the source. For each repeat of a pattern, texts are generated that reach the repeat, match it
many times and then fail, with one character for each class of characters that the pattern does not distinguish. The
steps of the operation that the code uses are counted at two lengths. No time is measured, because it also depends on
what else the machine does. So a pattern that is linear stays so: it is noted, and attacked again only after a change
of the pattern, of its operations, or of the code that counts.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import itertools
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.suite import regex_steps
from tests.suite.prepared import Prepared
from tests.suite.regex_steps import SINGLE, StepCounter, TooManySteps, accepts, children_of, nodes_of, parser

import kinfolk

ROOT = Path(kinfolk.__file__).parent
OPERATIONS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
RELEVANT = re.compile(rf"\bre\.|\.(?:{'|'.join(OPERATIONS)})\b")
"""What a module with a pattern or an operation contains."""
CANDIDATES = " \t\n\r\x00\x0b\x1c\x7fa0AzZ9_-.:,;<>/\\\"'`~[](){}#*!?@&%=|^$+é\u00a0\u200b\u0660\u3042\ud800\U0001f600"
LENGTHS = ((32, 128), (2_048, 8_192))
"""Pairs of a short and a long text, in characters."""
MOST_GROWTH = 1.3
"""Steps for each character of the long text, divided by those for the short one: about 1 if linear, 4 if quadratic."""
MOST_STEPS = 500
"""For each character of the short text. A repeat of at most 300 characters at each start of a search takes 300."""

BOUNDED: dict[str, tuple[int, str]] = {
    "content.markdown.directives._DIRECTIVE": (300, "LONGEST: a longer comment is no directive"),
    "content.sources.git.commit_authors._MAIL": (80, "_NAME_LETTERS: a name is cut before"),
}
"""Patterns that are not linear but run on short texts only: the most characters, and the code that limits them."""
BOUNDED_STEPS = 200_000
"""`re` takes 0.1 to 1.3 ms for them."""

DYNAMIC: dict[str, str] = {
    "config.data_files.matches.written": "patterns in the source, for values of the site folder",
    "content.markdown.dialects.readers.mkdocs._with_abbreviations.pattern": (
        "alternatives of escaped texts, each limited in number"
    ),
    "cli.export.link_form.LinkForm._absolute": "the escaped address of the site, and one class of characters",
    "content.markdown.export._MarkdownWriter.cut.found": "a digest and a number",
    "content.markdown.source.replace._literally": "an escaped text",
    "content.markdown.source.replace._longest_run": "one character's class, repeated",
    "content.markdown.source.replace.compile_affordable": (
        "estimated before it runs, in a process with a limit of CPU time"
    ),
    "config.package_registries.is_package": "patterns in the source, for values of the site folder",
    "config.routes.PageRoute.expression": "each parameter matches within one segment, except a last one",
    "search.text.match_finder.WordMatchFinder._seed": "escaped texts",
}
"""Patterns that are compiled at run time, by function, and why they are safe."""


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
            source = path.read_text()
            if RELEVANT.search(source):
                finders.append(_Finder(module, ast.parse(source)))
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


PARTS = sorted({path.relative_to(ROOT).with_suffix("").parts[0] for path in ROOT.rglob("*.py")} - {"__main__"})
"""Packages and modules of kinfolk. Each is one test: to find the patterns, for tests of their own, takes seconds."""


@pytest.fixture
def patterns(part: str) -> list[Pattern]:
    """The patterns of a part."""
    return [pattern for pattern in scan()[0] if pattern.name.partition(".")[0] == part]


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


LINEAR = Prepared(
    "linear-patterns", (Path(__file__), Path(regex_steps.__file__), Path(parser.__file__)), lambda _: None
)
"""A folder with an empty file for each pattern that was found linear with this code. The tests fill it."""


def nonlinear_text(pattern: Pattern) -> str | None:
    """The start of a text that takes the pattern too long, if there is one."""
    bound = BOUNDED[pattern.name][0] if pattern.name in BOUNDED else None
    facts = repr((pattern.regex.pattern, pattern.regex.flags, pattern.distinct_operations, bound, sys.version))
    noted = LINEAR.folder() / hashlib.blake2b(facts.encode(), digest_size=16).hexdigest()
    if noted.exists():
        return None
    text = slow(pattern) if bound is None else slow_below(pattern, bound)
    if text is None:
        noted.touch()
    return text


@pytest.mark.parametrize("part", PARTS)
def test_patterns_take_linear_time(patterns: list[Pattern]) -> None:
    found = [(one.name, nonlinear_text(one)) for one in patterns]
    assert [(name, text) for name, text in found if text is not None] == []


def test_every_pattern_is_in_a_part() -> None:
    assert {pattern.name.partition(".")[0] for pattern in scan()[0]} <= set(PARTS)
    assert len(scan()[0]) > 300


def test_possessive_repeats_are_of_characters_or_atomic_groups() -> None:
    """Before Python 3.11.5, a match goes on in the wrong place after another group that matches in part and fails."""
    others = [
        pattern.name
        for pattern in scan()[0]
        for op, argument in nodes_of(parser.parse(pattern.regex.pattern, pattern.regex.flags))
        if str(op) == "POSSESSIVE_REPEAT"
        and [str(inner) in (*SINGLE, "ATOMIC_GROUP") for inner, _ in argument[2]] != [True]
    ]
    assert others == []


def test_dynamic_patterns_are_listed() -> None:
    assert sorted(set(scan()[1])) == sorted(DYNAMIC)


def test_every_exception_names_an_existing_pattern() -> None:
    assert set(BOUNDED) <= {pattern.name for pattern in scan()[0]}


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


@pytest.mark.parametrize("part", PARTS)
def test_step_counter_finds_the_matches_of_re(patterns: list[Pattern]) -> None:
    for pattern in patterns:
        compare_matches(pattern)


def compare_matches(pattern: Pattern) -> None:
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
            assert counter.spans(operation, text, 1_000_000) == expected, (pattern.name, text)


def test_step_counter_finds_a_word_twice() -> None:
    counter = StepCounter(re.compile(r"\b(\w+) (?i:\1)\b"))
    assert counter.spans("finditer", "one One two, two of of", 1_000) == [(0, 7), (17, 22)]


def test_quadratic_search_takes_quadratic_steps() -> None:
    counter = StepCounter(re.compile(r"a*b"))
    # With n characters left, an index takes one step to begin, n + 1 for the repeat and 2 at each of its n + 1 ends.
    assert [counter.steps("search", "a" * size, 1_000_000) for size in (1, 2, 3)] == [11, 21, 34]

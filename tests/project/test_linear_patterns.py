"""Tests that every regular expression of the code takes linear time on any text.

The patterns are found in the source. For each repeat of a pattern, texts are generated that reach the repeat, match it
many times and then fail, with one character for each class of characters that the pattern does not distinguish. The
steps of the operation that the code uses are counted at two lengths. No time is measured, because it also depends on
what else the machine does. So a pattern that is linear stays so: it is noted, and attacked again only after a change
of the pattern, of its operations, of the code that attacks, or of Python (tests/suite/regex_notes.py).
"""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.suite.regex_attacks import Pattern, different_matches, slow, slow_below
from tests.suite.regex_notes import Note
from tests.suite.regex_steps import SINGLE, StepCounter, nodes_of, parser

import kinfolk

ROOT = Path(kinfolk.__file__).parent
OPERATIONS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
RELEVANT = re.compile(rf"\bre\.|\.(?:{'|'.join(OPERATIONS)})\b")
"""What a module with a pattern or an operation contains."""

BOUNDED: dict[str, tuple[int, str]] = {
    "content.markdown.directives._DIRECTIVE": (300, "LONGEST: a longer comment is no directive"),
    "content.sources.git.commit_authors._MAIL": (80, "_NAME_LETTERS: a name is cut before"),
}
"""Patterns that are not linear but run on short texts only: the most characters, and the code that limits them."""

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
    "config.catalog.releases._expression": "two placeholders at most, in names of at most 120 characters",
    "config.routes.PageRoute.expression": "each parameter matches within one segment, except a last one",
    "search.text.match_finder.WordMatchFinder._seed": "escaped texts",
}
"""Patterns that are compiled at run time, by function, and why they are safe."""


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


PARTS = sorted({path.relative_to(ROOT).with_suffix("").parts[0] for path in ROOT.rglob("*.py")} - {"__main__"})
"""Packages and modules of kinfolk. Each is one test: to find the patterns, for tests of their own, takes seconds."""


@pytest.fixture
def patterns(part: str) -> list[Pattern]:
    """The patterns of a part."""
    return [pattern for pattern in scan()[0] if pattern.name.partition(".")[0] == part]


def nonlinear_text(pattern: Pattern) -> str | None:
    """The start of a text that takes the pattern too long, if there is one."""
    bound = BOUNDED[pattern.name][0] if pattern.name in BOUNDED else None
    note = Note("linear", pattern, bound)
    if note.exists():
        return None
    text = slow(pattern) if bound is None else slow_below(pattern, bound)
    if text is None:
        note.write()
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
        note = Note("matches", pattern)
        if not note.exists():
            assert different_matches(pattern) is None, pattern.name
            note.write()


def test_step_counter_finds_a_word_twice() -> None:
    counter = StepCounter(re.compile(r"\b(\w+) (?i:\1)\b"))
    assert counter.spans("finditer", "one One two, two of of", 1_000) == [(0, 7), (17, 22)]


def test_quadratic_search_takes_quadratic_steps() -> None:
    counter = StepCounter(re.compile(r"a*b"))
    # With n characters left, an index takes one step to begin, n + 1 for the repeat and 2 at each of its n + 1 ends.
    assert [counter.steps("search", "a" * size, 1_000_000) for size in (1, 2, 3)] == [11, 21, 34]

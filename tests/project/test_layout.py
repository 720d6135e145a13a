"""The layout of packages: what is at the top, how many entries a folder has, and where tests are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from kinfolk.config.settings import ROOT

PACKAGE = ROOT / "src/kinfolk"
MOST_ENTRIES = 12
MOST_LINES = 10
LARGER = {
    ".": "one package for each part of the system",
    "api/functions": "one module for each feature of the frontend",
    "cli": "one module or folder for each subcommand",
    "content": "one package for each kind of page, and what they share",
    "content/markdown": "one module for each element, and folders for what has several",
    "db/migrations/versions": "one module for each version of the tables",
}
"""Folders with more entries, with the reason."""
NO_MODULES = ("py.typed", "__init__.py", "__pycache__")


def folders() -> list[Path]:
    return [
        PACKAGE,
        *(path for path in sorted(PACKAGE.rglob("*")) if path.is_dir() and "__pycache__" not in path.parts),
    ]


def test_folders_have_few_entries() -> None:
    large = {
        folder.relative_to(PACKAGE).as_posix()
        for folder in folders()
        if len([entry for entry in folder.iterdir() if entry.name not in NO_MODULES]) > MOST_ENTRIES
    }
    assert large == LARGER.keys()


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("__init__.py")), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_package_says_in_few_lines_what_is_in_it(file: Path) -> None:
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert text is not None
    assert len(text.splitlines()) <= MOST_LINES


def test_folders_of_unit_tests_are_those_of_the_packages() -> None:
    tests = ROOT / "tests/unit"
    found = {file.parent.relative_to(tests) for file in tests.rglob("test_*.py")}
    assert [str(folder) for folder in sorted(found) if not (PACKAGE / folder).is_dir()] == []


@pytest.mark.parametrize("suite", ["http", "browser", "processes"])
def test_folders_of_other_tests_are_those_of_the_top_packages(suite: str) -> None:
    tests = ROOT / "tests" / suite
    found = {file.parent.relative_to(tests) for file in tests.rglob("test_*.py")}
    assert [str(folder) for folder in sorted(found) if not (PACKAGE / folder / "__init__.py").is_file()] == []

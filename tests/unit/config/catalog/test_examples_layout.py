"""Where examples are: by a pattern of the library, else by the folders that there are."""

from __future__ import annotations

import pytest

from kinfolk.config.catalog import ExamplesLayout, ExamplesRule
from kinfolk.config.catalog.examples_layout import is_examples_pattern

BY_FRAMEWORK, BY_NAME = "examples/{framework}/{name}", "examples/{name}"
FOUND = ExamplesRule(None, known_frameworks=("react", "vue"))


@pytest.mark.parametrize(
    ("files", "pattern"),
    [
        (["examples/react/basic/src/main.tsx"], BY_FRAMEWORK),
        (["examples/react/basic/package.json", "examples/other/package.json"], BY_FRAMEWORK),
        (["examples/basic/package.json", "examples/basic/src/main.ts"], BY_NAME),
        (["examples/basic/Cargo.toml"], BY_NAME),
        (["examples/basic/src/main.ts", "examples/README.md"], "none"),
        (["docs/index.md", "examples/one.py"], BY_FRAMEWORK),
        ([], BY_FRAMEWORK),
    ],
)
def test_files_decide_about_the_layout(files: list[str], pattern: str) -> None:
    assert FOUND.layout(files).pattern == pattern


def test_written_pattern_takes_precedence() -> None:
    rule = ExamplesRule("packages/examples/{name}", "react")
    layout = rule.layout(["examples/react/basic/package.json"])
    assert layout.split("packages/examples/basic/src/a.ts") == ("react", "basic", "src/a.ts")
    assert (layout.folder("react", "basic"), layout.root) == ("packages/examples/basic", "packages/examples")


@pytest.mark.parametrize(
    ("pattern", "path", "parts"),
    [
        (BY_FRAMEWORK, "examples/react/basic/a.ts", ("react", "basic", "a.ts")),
        (BY_FRAMEWORK, "examples/react/basic", ("react", "basic", "")),
        (BY_FRAMEWORK, "examples/react", None),
        (BY_NAME, "examples/basic/src/a.ts", ("vanilla", "basic", "src/a.ts")),
        (BY_NAME, "examples2/basic/a.ts", None),
        ("none", "examples/react/basic/a.ts", None),
    ],
)
def test_path_names_the_example_that_has_it(pattern: str, path: str, parts: tuple[str, str, str] | None) -> None:
    assert ExamplesLayout(pattern).split(path) == parts


def test_folder_above_all_examples_has_their_files_only() -> None:
    paths = ("examples", "examples/a/b.ts", "examples2/a", "docs/a.md")
    assert [ExamplesLayout(BY_NAME).has(path) for path in paths] == [True, True, False, False]
    assert not any(ExamplesLayout("none").has(path) for path in paths)


@pytest.mark.parametrize(
    ("pattern", "is_valid"),
    [
        ("none", True),
        (BY_NAME, True),
        ("packages/examples/{framework}/{name}", True),
        ("{name}", False),
        ("examples/{framework}", False),
        ("examples/{name}/src", False),
        ("../examples/{name}", False),
        ("examples/{name}/{framework}", False),
        ("examples/{group}/{name}", False),
    ],
)
def test_pattern_names_a_folder_and_ends_with_the_name(pattern: str, is_valid: bool) -> None:
    assert is_examples_pattern(pattern) is is_valid

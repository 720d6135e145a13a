"""Which tests `make test-fast` runs."""

from __future__ import annotations

import pytest
from tests.fast import DOCUMENTATION, imported_modules, selected_tests

IMPORTS = {
    "tests/unit/test_docs.py": {"kinfolk.content.docs"},
    "tests/unit/test_docs_config.py": {"kinfolk.content.docs.menus.menu_config"},
    "tests/unit/test_cache.py": {"kinfolk.runtime.cache"},
    "tests/http/test_versions.py": {"kinfolk.content.docs.pages.navigation", "kinfolk.runtime.cache"},
}


@pytest.mark.parametrize(
    ("changed", "selected"),
    [
        ("src/kinfolk/runtime/cache.py", ["tests/http/test_versions.py", "tests/unit/test_cache.py"]),
        (
            "src/kinfolk/content/docs/navigation.py",
            ["tests/http/test_versions.py", "tests/unit/test_docs.py", "tests/unit/test_docs_config.py"],
        ),
        ("tests/unit/test_docs.py", ["tests/unit/test_docs.py"]),
        ("tests/browser/test_home.py", []),
        ("docs/start.md", sorted(DOCUMENTATION)),
        ("frontend/src/boot/theme.ts", []),
    ],
)
def test_change_selects_tests_that_import_it_and_those_of_its_folder(changed: str, selected: list[str]) -> None:
    assert selected_tests([changed], IMPORTS) == selected


def test_imported_names_may_be_modules() -> None:
    source = "import kinfolk.runtime.cache\nfrom kinfolk.statistics import series, sample\nfrom pathlib import Path\n"
    assert imported_modules(source) == {
        "kinfolk.runtime.cache",
        "kinfolk.statistics",
        "kinfolk.statistics.comparisons.series",
        "kinfolk.statistics.histories.sample",
    }

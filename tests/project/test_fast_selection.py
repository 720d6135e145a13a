"""Which tests `make test-fast` runs."""

from __future__ import annotations

import pytest
from tests.suite.fast import DOCUMENTATION, imported_modules, selected_tests

IMPORTS = {
    "tests/unit/content/docs/snapshots/test_publisher.py": {"kinfolk.content.docs"},
    "tests/unit/content/docs/pages/test_markdown_export.py": {"kinfolk.content.docs.pages.markdown_export"},
    "tests/unit/runtime/test_cache.py": {"kinfolk.runtime.cache"},
    "tests/http/content/test_versions.py": {"kinfolk.content.docs.pages.navigation", "kinfolk.runtime.cache"},
}


@pytest.mark.parametrize(
    ("changed", "selected"),
    [
        ("src/kinfolk/runtime/cache.py", ["tests/http/content/test_versions.py", "tests/unit/runtime/test_cache.py"]),
        (
            "src/kinfolk/content/docs/pages/navigation.py",
            ["tests/http/content/test_versions.py", "tests/unit/content/docs/pages/test_markdown_export.py"],
        ),
        (
            "tests/unit/content/docs/snapshots/test_publisher.py",
            ["tests/unit/content/docs/snapshots/test_publisher.py"],
        ),
        ("tests/browser/web/test_home.py", []),
        ("docs/start.md", sorted(DOCUMENTATION)),
        ("frontend/src/boot/theme.ts", []),
    ],
)
def test_change_selects_tests_that_import_it_and_those_of_its_folder(changed: str, selected: list[str]) -> None:
    assert selected_tests([changed], IMPORTS) == selected


def test_imported_names_may_be_modules() -> None:
    source = "import kinfolk.runtime.cache\nfrom kinfolk.statistics.comparisons import series, feed\nimport re\n"
    assert imported_modules(source) == {
        "kinfolk.runtime.cache",
        "kinfolk.statistics.comparisons",
        "kinfolk.statistics.comparisons.series",
        "kinfolk.statistics.comparisons.feed",
    }

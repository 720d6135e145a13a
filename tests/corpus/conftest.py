"""The documentation of the real libraries, which is stored outside of the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sites.corpus_data import corpus_folder


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The directory with `TanStack/{repo}/{branch}/docs`."""
    return corpus_folder()


@pytest.fixture(scope="session")
def documents(corpus: Path) -> list[tuple[Path, str]]:
    """Every Markdown file, as the root of its branch and its path below it."""
    branches = sorted(corpus.glob("*/*/*"))
    return [(branch, str(file.relative_to(branch))) for branch in branches for file in sorted(branch.rglob("*.md"))]

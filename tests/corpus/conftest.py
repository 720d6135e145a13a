"""The documentation of the real libraries, which is stored outside of the project."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

import pytest

ARCHIVE = Path(__file__).parents[3] / "shared" / "corpus" / "docs.tar.zst"


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory with `TanStack/{repo}/{branch}/docs`: KINFOLK_CORPUS, or the unpacked archive."""
    configured = os.environ.get("KINFOLK_CORPUS")
    if configured:
        path = Path(configured)
        return _directory(path) if path.is_dir() else _unpacked(path, tmp_path_factory)
    if not ARCHIVE.is_file():
        pytest.skip(f"no corpus: set KINFOLK_CORPUS, or put one at {ARCHIVE.parent.name}/{ARCHIVE.name}")
    return _unpacked(ARCHIVE, tmp_path_factory)


@pytest.fixture(scope="session")
def documents(corpus: Path) -> list[tuple[Path, str]]:
    """Every Markdown file, as the root of its branch and its path below it."""
    branches = sorted(corpus.glob("*/*/*"))
    return [(branch, str(file.relative_to(branch))) for branch in branches for file in sorted(branch.rglob("*.md"))]


def _directory(path: Path) -> Path:
    if not any(path.glob("*/*/*/docs")):
        pytest.skip(f"no corpus: {path} has no owner/repository/branch/docs")
    return path


def _unpacked(archive: Path, factory: pytest.TempPathFactory) -> Path:
    if not archive.is_file():
        pytest.skip(f"no corpus: {archive} is neither a directory nor an archive")
    target = factory.mktemp("corpus")
    try:
        subprocess.run(["tar", "--zstd", "-xf", archive, "-C", target], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        _extract(archive, target)
    return _directory(target)


def _extract(archive: Path, target: Path) -> None:
    """Unpack without a tar that supports zstd: Python 3.14 supports it."""
    try:
        with tarfile.open(archive, "r:*") as tar:
            tar.extractall(target, filter="data")
    except tarfile.ReadError:
        pytest.skip("no corpus: neither tar nor this Python supports zstd")

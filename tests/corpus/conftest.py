"""The libraries' real documentation, which lies beside the project and never in it."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

import pytest

ARCHIVE = Path(__file__).parents[3] / "shared" / "corpus" / "docs.tar.zst"


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory that holds `TanStack/{repo}/{branch}/docs`: KINFOLK_CORPUS, or the archive, unpacked."""
    named = os.environ.get("KINFOLK_CORPUS")
    if named:
        return _directory(Path(named)) if Path(named).is_dir() else _unpacked(Path(named), tmp_path_factory)
    if not ARCHIVE.is_file():
        pytest.skip(f"no corpus: set KINFOLK_CORPUS, or put one at {ARCHIVE.parent.name}/{ARCHIVE.name}")
    return _unpacked(ARCHIVE, tmp_path_factory)


@pytest.fixture(scope="session")
def documents(corpus: Path) -> list[tuple[Path, str]]:
    """Every Markdown file, as the root of the branch it stands in and its path from there."""
    branches = sorted(corpus.glob("*/*/*"))
    return [(branch, str(file.relative_to(branch))) for branch in branches for file in sorted(branch.rglob("*.md"))]


def _directory(path: Path) -> Path:
    if not any(path.glob("*/*/*/docs")):
        pytest.skip(f"no corpus: {path} holds no owner/repository/branch/docs")
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
    """Without a tar that knows zstd: Python 3.14 reads it alone."""
    try:
        with tarfile.open(archive, "r:*") as tar:
            tar.extractall(target, filter="data")
    except tarfile.ReadError:
        pytest.skip("no corpus: neither tar nor this Python can read zstd here")

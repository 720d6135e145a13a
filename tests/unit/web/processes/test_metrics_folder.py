"""Folders of metrics files, also those of servers that were killed."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from kinfolk.web.processes.metrics_folder import LOCK, PREFIX, metrics_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_folder_is_deleted_at_the_end(temporary: Path) -> None:
    with metrics_folder() as folder:
        (folder / "counter_0.db").touch()
        assert [one.name for one in temporary.iterdir()] == [folder.name]

    assert not any(temporary.iterdir())


def test_folder_of_a_killed_server_is_deleted_by_the_next(temporary: Path) -> None:
    killed = temporary / f"{PREFIX}killed"
    killed.mkdir()
    (killed / LOCK).touch()
    (killed / "counter_0.db").touch()

    with metrics_folder() as folder:
        assert list(temporary.iterdir()) == [folder]


def test_folder_of_a_running_server_stays() -> None:
    with metrics_folder() as first, metrics_folder() as second:
        assert first != second
        assert first.is_dir()
        assert second.is_dir()

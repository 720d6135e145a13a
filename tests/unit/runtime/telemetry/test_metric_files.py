"""Files of metrics on a disk without room."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kinfolk.runtime.telemetry.metric_files import INITIAL_BYTES, AllocatedDict

Open = Callable[[Path], Any]


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "posix_fallocate", _refuse)


def _refuse(_descriptor: int, _offset: int, _size: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens files that are closed at the end."""
    several: list[Any] = []

    def open_file(file: Path) -> Any:
        several.append(AllocatedDict(str(file)))
        return several[-1]

    yield open_file
    for each in several:
        each.close()


def write_many(values: Any, count: int) -> None:
    for number in range(count):
        values.write_value(f"metric {number} {'x' * 100}", float(number), 0.0)


def stored(file: Path) -> dict[str, float]:
    reader: Any = AllocatedDict
    return {key: value for key, value, _, _ in reader.read_all_values_from_file(str(file))}


def test_new_and_grown_files_have_no_holes(tmp_path: Path, opened: Open) -> None:
    file = tmp_path / "counter_0.db"
    values = opened(file)
    assert file.stat().st_blocks * 512 >= file.stat().st_size == INITIAL_BYTES
    write_many(values, 1000)
    assert file.stat().st_blocks * 512 >= file.stat().st_size > INITIAL_BYTES
    assert opened(file).read_value(f"metric 999 {'x' * 100}")[0] == 999.0
    assert len(stored(file)) == 1000


@pytest.mark.usefixtures("full_disk")
def test_values_stay_in_memory_on_a_full_disk(tmp_path: Path, opened: Open) -> None:
    file = tmp_path / "counter_0.db"
    values = opened(file)
    write_many(values, 1000)
    assert values.read_value(f"metric 7 {'x' * 100}")[0] == 7.0
    assert not file.exists()


def test_values_of_a_file_that_cannot_grow_stay_in_memory(
    tmp_path: Path, opened: Open, request: pytest.FixtureRequest
) -> None:
    file = tmp_path / "counter_0.db"
    values = opened(file)
    write_many(values, 10)
    request.getfixturevalue("full_disk")
    write_many(values, 1000)
    assert values.read_value(f"metric 999 {'x' * 100}")[0] == 999.0
    assert file.stat().st_size == INITIAL_BYTES
    assert stored(file)[f"metric 9 {'x' * 100}"] == 9.0


def test_values_in_memory_grow_and_change_no_other_file(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(os, "posix_fallocate", _refuse)
        values = opened(tmp_path / "counter_0.db")
    # It may have the descriptor that the file in memory was opened with.
    with (tmp_path / "other").open("w+b") as other:
        write_many(values, 1000)
        assert os.fstat(other.fileno()).st_size == 0
    assert values.read_value(f"metric 999 {'x' * 100}")[0] == 999.0

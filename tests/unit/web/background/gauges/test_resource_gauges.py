"""Gauges of disk, memory, files and the database."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import make_url

from kinfolk.db.database import Database
from kinfolk.web.background.gauges.resource_gauges import memory_limit_bytes, sample_resources


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_resources_of_the_machine_are_sampled(tmp_path: Path) -> None:
    database = Database(make_url(f"sqlite:///{tmp_path}/site.sqlite"), lock_folder=tmp_path)
    sample_resources(database, tmp_path)
    database.close()
    assert 0 < value("kinfolk_disk_free_bytes") < value("kinfolk_disk_bytes")
    assert value("kinfolk_open_files_limit") > 0
    assert value("kinfolk_memory_limit_bytes") > 1 << 20
    assert value("kinfolk_database_up") == 1


def test_database_that_cannot_be_opened_is_down(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    database = Database(make_url(f"sqlite:///{tmp_path}/file/site.sqlite"), lock_folder=tmp_path)
    sample_resources(database, tmp_path)
    assert value("kinfolk_database_up") == 0


@pytest.mark.parametrize(("text", "limited"), [("1048576\n", True), ("max\n", False), (None, False)])
def test_limit_of_a_container_is_less_than_the_machine(tmp_path: Path, text: str | None, limited: bool) -> None:
    file = tmp_path / "memory.max"
    if text is not None:
        file.write_text(text)
    assert (memory_limit_bytes(file) == 1048576) is limited

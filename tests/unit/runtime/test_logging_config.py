"""The log of a process whose disk is full."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from kinfolk.runtime.logging_config import set_up_logs


@pytest.fixture
def full_disk() -> Iterator[Path]:
    """A file that cannot be written. The configuration of the log is restored."""
    before = structlog.get_config()
    yield Path("/dev/full")
    structlog.configure(**before)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="requires /dev/full")
@pytest.mark.parametrize("form", ["json", "console"])
def test_full_disk_of_the_log_does_not_fail_what_is_logged(full_disk: Path, form: str) -> None:
    file = full_disk.open("w")
    set_up_logs(form, file)
    log = structlog.get_logger("a component")
    for number in range(3):
        log.critical("an event", number=number)
    with pytest.raises(OSError, match="space"):
        file.close()

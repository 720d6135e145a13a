"""Histories of downloads for tests, and the real counts that are measured facts of the project."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from kinfolk.config.settings import ROOT
from kinfolk.statistics.histories.history import NO_COUNT, DownloadHistory

COUNTS = Path(os.environ.get("KINFOLK_NPM_COUNTS", ROOT.parent / "shared/data/npm-downloads.csv"))
AS_OF = datetime(2026, 11, 22, 6)  # noqa: DTZ001 - all times of the database are in UTC


def history(package: str, first: str, counts: Sequence[int | None], *, as_of: datetime = AS_OF) -> DownloadHistory:
    """Counts of consecutive days; None for a day without a count."""
    values = np.array([NO_COUNT if count is None else count for count in counts], dtype=np.int64)
    return DownloadHistory(package, "npm", date.fromisoformat(first), values, as_of)


def real_histories() -> dict[str, DownloadHistory]:
    """The daily counts of real packages. Skips the test where the file is absent."""
    if not COUNTS.exists():
        pytest.skip(f"real download counts are not at {COUNTS}: set KINFOLK_NPM_COUNTS")
    return _read_counts(COUNTS)


@cache
def _read_counts(file: Path) -> dict[str, DownloadHistory]:
    days: dict[str, dict[date, int]] = {}
    with file.open(newline="") as lines:
        for row in csv.DictReader(lines):
            if row["kind"] == "day":
                days.setdefault(row["package"], {})[date.fromisoformat(row["start"])] = int(row["downloads"])
    return {package: _history(package, counts) for package, counts in days.items()}


def _history(package: str, counts: dict[date, int]) -> DownloadHistory:
    first, last = min(counts), max(counts)
    every = [counts.get(first + timedelta(days=n)) for n in range((last - first).days + 1)]
    return history(package, first.isoformat(), every)

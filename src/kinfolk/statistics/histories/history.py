"""The daily downloads of a package."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

FIRST_DAY = date(2015, 1, 10)
"""The first day that npm has counts of."""
REGISTRY = ""
"""The name of the history of all packages together. A new revision of it makes all statistics stale."""
NO_COUNT = -1
"""Marks a day without a count, in stored histories."""

Source = Literal["npm", "file", "sample", "github"]
DailyCounts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class DownloadHistory:
    """`counts` has one value for each day from `first`; NO_COUNT where there is none. Neither end is NO_COUNT.

    `package` is empty for the whole registry. It is a repository if the source is "github"; the counts are then new
    stars. `origin` says where the counts of a file come from. `as_of` is the time at which the oldest of the stored
    years was fetched, in UTC.
    """

    package: str
    source: Source
    first: date
    counts: DailyCounts
    as_of: datetime
    origin: str = ""

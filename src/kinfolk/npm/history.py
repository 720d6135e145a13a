"""The daily downloads of a package."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

FIRST_DAY = date(2015, 1, 10)
"""The first day that npm has counts of."""
NO_COUNT = -1
"""Marks a day without a count, in stored histories."""

Source = Literal["npm", "file", "sample"]
DailyCounts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class DownloadHistory:
    """`counts` has one value for each day from `first`; NO_COUNT where there is none. Neither end is NO_COUNT.

    `package` is empty for the whole registry. `origin` says where the counts of a file come from. `as_of` is the time
    at which the oldest of the stored years was fetched, in UTC.
    """

    package: str
    source: Source
    first: date
    counts: DailyCounts
    as_of: datetime
    origin: str = ""

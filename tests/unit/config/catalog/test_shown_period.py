"""The days on which promotions and announcements are shown."""

from __future__ import annotations

from datetime import date

import pytest

from kinfolk.config.catalog.shown_period import shown_period
from kinfolk.maintenance.promotion import Promotion

DAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("starts", "ends", "period"),
    [
        (None, None, "shown"),
        (DAY, DAY, "shown"),
        (date(2026, 11, 24), None, "planned"),
        (None, date(2026, 11, 22), "over"),
        (date(2026, 11, 1), date(2026, 11, 30), "shown"),
    ],
)
def test_promotion_is_shown_from_its_first_to_its_last_day(starts: date | None, ends: date | None, period: str) -> None:
    assert shown_period(Promotion(("footer",), starts=starts, ends=ends, is_pause=True), DAY) == period

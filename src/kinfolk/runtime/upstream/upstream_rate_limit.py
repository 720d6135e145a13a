"""For how long another server refuses requests, read from its answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

RATE_LIMIT_S = 60.0
"""Pause if the server does not name a time: GitHub's documentation requires at least a minute."""
LONGEST_PAUSE_S = 7200.0
"""GitHub's limits are those of an hour."""
REFUSALS = (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)


def pause_s(status: int, headers: Mapping[str, str], body: bytes, now: datetime) -> float:
    """Seconds without requests after this answer; 0 if the server does not limit their rate.

    `now` is in UTC, without a time zone. Names of `headers` are in lower case, or a mapping that ignores their case.
    https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
    """
    refused = status in REFUSALS
    after_s = retry_after_s(headers.get("retry-after", ""), now)
    if refused and after_s is not None:
        return min(max(after_s, 1.0), LONGEST_PAUSE_S)
    if _number(headers.get("x-ratelimit-remaining", "")) == 0:
        reset_s = _number(headers.get("x-ratelimit-reset", ""))
        wait_s = RATE_LIMIT_S if reset_s is None else reset_s - now.replace(tzinfo=UTC).timestamp()
        return min(max(wait_s, 1.0), LONGEST_PAUSE_S)
    # Other answers 403 say that the token is not accepted for this repository.
    limited = status == HTTPStatus.TOO_MANY_REQUESTS or (refused and b"rate limit" in body.lower())
    return RATE_LIMIT_S if limited else 0.0


def retry_after_s(value: str, now: datetime) -> float | None:
    """Seconds from a Retry-After header, which has a number of seconds or a date. None without a valid one."""
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max((at.replace(tzinfo=at.tzinfo or UTC) - now.replace(tzinfo=UTC)).total_seconds(), 0.0)


def _number(value: str) -> float | None:
    return float(value) if value.isascii() and value.isdigit() else None

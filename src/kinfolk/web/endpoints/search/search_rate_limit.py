"""The rate limit of searches per client address."""

from __future__ import annotations

from collections.abc import Callable

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.api_keys import KeyPermissions
from kinfolk.web.protocol.token_buckets import TokenBuckets


class SearchRateLimit:
    """For one thread. A rate of 0 has no limit; neither has the admin key."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        """`rate` is in searches per second."""
        self._buckets = TokenBuckets(rate, clock)

    def charge(self, address: str, permissions: KeyPermissions, searches: int, *, charged: int = 0) -> None:
        """Take searches from the bucket. Raises ApiError with the seconds to wait where it has too few.

        `charged` were taken for the same request before.
        """
        if permissions.right == "admin":
            return
        wait_s = self._buckets.take(address, searches, charged=charged)
        if wait_s:
            raise ApiError("Too many searches from this address", 429, retry_after_s=wait_s, limit="rate")

    def debit(self, address: str, permissions: KeyPermissions, searches: float) -> None:
        """Take what a request cost above its estimate, at most a full bucket."""
        if permissions.right != "admin":
            self._buckets.debit(address, searches)

"""The rate limit of searches per client address: a token bucket for each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from kinfolk.algolia.api_error import ApiError
from kinfolk.algolia.api_keys import KeyPermissions
from kinfolk.cache import LRUCache

BURST_S = 10
"""Size of a bucket, in seconds of the rate: typing makes many searches, followed by none."""
MAX_ADDRESSES = 20_000


@dataclass(frozen=True)
class _Bucket:
    """The searches that are left, and when."""

    left: float
    at_s: float


class SearchRateLimit:
    """For one thread. A rate of 0 has no limit; neither has the admin key."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        """`rate` is in searches per second."""
        self._rate = rate
        self._capacity = max(1.0, rate * BURST_S)
        self._clock = clock
        self._buckets: LRUCache[str, _Bucket] = LRUCache(MAX_ADDRESSES)

    def charge(self, address: str, permissions: KeyPermissions, searches: int, *, charged: int = 0) -> None:
        """Take searches from the bucket. Raises ApiError with the seconds to wait where it has too few.

        A request that costs more than a full bucket is allowed when the bucket is full, and leaves a debt. `charged`
        were taken for the same request before.
        """
        if not self._rate or searches < 1 or permissions.right == "admin":
            return
        left, needed = self._left(address), min(self._capacity - charged, searches)
        if left < needed:
            wait_s = max(1, math.ceil((needed - left) / self._rate))
            raise ApiError("Too many searches from this address", 429, retry_after_s=wait_s, limit="rate")
        self._buckets.put(address, _Bucket(left - searches, self._clock()))

    def debit(self, address: str, permissions: KeyPermissions, searches: float) -> None:
        """Take what a request cost above its estimate, at most a full bucket."""
        if self._rate and searches > 0 and permissions.right != "admin":
            left = self._left(address) - min(searches, self._rate * BURST_S)
            self._buckets.put(address, _Bucket(left, self._clock()))

    def _left(self, address: str) -> float:
        now_s = self._clock()
        bucket = self._buckets.get(address) or _Bucket(self._capacity, now_s)
        return min(self._capacity, bucket.left + (now_s - bucket.at_s) * self._rate)

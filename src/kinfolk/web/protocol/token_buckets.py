"""Rate limits per client address: a token bucket for each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from kinfolk.runtime.cache import LRUCache

BURST_S = 10
"""Size of a bucket, in seconds of the rate: clients send many requests at once, followed by none."""
MAX_ADDRESSES = 20_000


@dataclass(frozen=True)
class _Bucket:
    """The tokens that are left, and when."""

    left: float
    at_s: float


class TokenBuckets:
    """For one thread. A rate of 0 has no limit."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        """`rate` is in tokens per second."""
        self._rate = rate
        self._capacity = max(1.0, rate * BURST_S)
        self._clock = clock
        self._buckets: LRUCache[str, _Bucket] = LRUCache(MAX_ADDRESSES)

    def take(self, address: str, tokens: int, *, charged: int = 0) -> int:
        """Take tokens from the bucket of an address. Returns 0, or the seconds to wait where it has too few.

        A request that costs more than a full bucket is allowed when the bucket is full, and leaves a debt. `charged`
        were taken for the same request before.
        """
        if not self._rate or tokens < 1:
            return 0
        left, needed = self._left(address), min(self._capacity - charged, tokens)
        if left < needed:
            return max(1, math.ceil((needed - left) / self._rate))
        self._buckets.put(address, _Bucket(left - tokens, self._clock()))
        return 0

    def debit(self, address: str, tokens: float) -> None:
        """Take what a request cost above its estimate, at most a full bucket."""
        if self._rate and tokens > 0:
            left = self._left(address) - min(tokens, self._rate * BURST_S)
            self._buckets.put(address, _Bucket(left, self._clock()))

    def _left(self, address: str) -> float:
        now_s = self._clock()
        bucket = self._buckets.get(address) or _Bucket(self._capacity, now_s)
        return min(self._capacity, bucket.left + (now_s - bucket.at_s) * self._rate)

"""Packs circles into a square without overlap; areas are proportional to the weights.

Each circle is placed where it touches two neighbors of the front chain, at the position of that chain nearest to the
center (Wang et al., Visualization of Large Hierarchical Data by Circle Packing, CHI 2006). Few circles of equal size
are placed in symmetric rows if that takes hardly more space: irregular gaps between equal circles are conspicuous.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isclose, sqrt
from typing import NamedTuple

PADDING = 0.005
"""Space between neighbors, as a share of the square's side."""
MOST_IN_ROWS = 60
"""Equal circles are placed in rows up to this number."""
ROW_TOLERANCE = 1.1
"""How much larger the square around rows may be than that of the closest packing."""
TOLERANCE = 1e-7
"""Overlap that counts as touching. Rounding errors are a thousand times smaller."""


class PackedCircle(NamedTuple):
    """Center and radius."""

    x: float
    y: float
    r: float


def pack_circles(weights: Sequence[float], *, padding: float = PADDING) -> tuple[PackedCircle, ...]:
    """A circle for each weight, in their order, inside the square from (0, 0) to (1, 1)."""
    if not weights:
        return ()
    largest = max(weights)
    if not min(weights) > 0:
        raise ValueError("every weight must be greater than 0")
    radii = [sqrt(weight / largest) for weight in weights]
    # The padding in units of the radii depends on the packing without padding.
    room = _BoundingSquare(_placed(radii)).side * padding / 2
    packed = _placed([r + room for r in radii])
    box = _BoundingSquare(packed)
    return tuple(
        PackedCircle((x - box.x) / box.side + 0.5, (y - box.y) / box.side + 0.5, r / box.side)
        for (x, y, _), r in zip(packed, radii, strict=True)
    )


class _BoundingSquare:
    """The square around circles: its center and its side."""

    def __init__(self, circles: Sequence[PackedCircle]) -> None:
        left, right = min(c.x - c.r for c in circles), max(c.x + c.r for c in circles)
        bottom, top = min(c.y - c.r for c in circles), max(c.y + c.r for c in circles)
        self.x, self.y = (left + right) / 2, (bottom + top) / 2
        self.side = max(right - left, top - bottom)


def _placed(radii: Sequence[float]) -> list[PackedCircle]:
    """Circles of these radii: in rows if they are equal and few, else packed with the largest first."""
    closest = _chained(radii)
    if len(radii) > MOST_IN_ROWS or not isclose(min(radii), max(radii)):
        return closest
    rows = _rows(len(radii), limit=ROW_TOLERANCE * _BoundingSquare(closest).side / radii[0])
    return _in_rows(rows, radii[0]) if rows else closest


def _rows(count: int, *, limit: float) -> tuple[int, ...]:
    """Lengths of symmetric rows of circles of radius 1 in the smallest square; empty if its side exceeds `limit`.

    Each row has one circle more or less than the next, so that they interlock.
    """
    found = []
    halves: list[tuple[int, ...]] = [(middle,) for middle in range(1, count + 1)]  # from the middle row down
    while halves:
        half = halves.pop()
        left = count - 2 * sum(half) + half[0]
        side = _side(half)
        if side > limit or left < 0:
            continue
        if left == 0:
            found.append((side, (*half[:0:-1], *half)))
        halves.extend((*half, half[-1] + step) for step in (-1, 1) if half[-1] + step > 0)
    return min(found)[1] if found else ()


def _side(half: tuple[int, ...]) -> float:
    """The side of the square around rows of circles of radius 1, of which these are the lower half."""
    return max(2 * max(half), 2 + 2 * (len(half) - 1) * sqrt(3))


def _in_rows(rows: Sequence[int], r: float) -> list[PackedCircle]:
    middles = [(2 * place - count + 1, row * sqrt(3)) for row, count in enumerate(rows) for place in range(count)]
    return [PackedCircle(x * r, y * r, r) for x, y in middles]


def _chained(radii: Sequence[float]) -> list[PackedCircle]:
    order = sorted(range(len(radii)), key=lambda index: -radii[index])
    chain = _Chain([radii[index] for index in order])
    for index in range(chain.started, len(order)):
        chain.add(index)
    circles = [PackedCircle(0, 0, 0)] * len(order)
    for index, circle in zip(order, chain.circles, strict=True):
        circles[index] = circle
    return circles


class _Chain:
    """The placed circles, and the front chain: the ring of outermost circles, clockwise, as linked indices."""

    def __init__(self, radii: Sequence[float]) -> None:
        self.started = min(3, len(radii))
        self.circles = [PackedCircle(0, 0, r) for r in radii]
        self._next = [0] * len(radii)
        self._previous = [0] * len(radii)
        if self.started > 1:
            first, second = radii[:2]
            self.circles[:2] = PackedCircle(-second, 0, first), PackedCircle(first, 0, second)
        if self.started > 2:  # noqa: PLR2004
            self._touch(2, 1, 0)
        for index in range(self.started):
            self._link(index, (index + 1) % self.started)
        self._nearest = 0

    def _ring(self) -> list[int]:
        """Indices along the ring."""
        ring, index = [self._nearest], self._next[self._nearest]
        while index != self._nearest:
            ring.append(index)
            index = self._next[index]
        return ring

    def add(self, new: int) -> None:
        """Place a circle at the two neighbors of the ring that are nearest to the center."""
        a, b = self._nearest, self._next[self._nearest]
        while True:
            self._touch(new, a, b)
            found = self._in_the_way(new, a, b)
            if found is None:
                break
            # The circles in between are enclosed now, and no longer part of the ring.
            a, b = found
            self._link(a, b)
        self._link(a, new)
        self._link(new, b)
        self._nearest = new  # a circle that is on the ring
        self._nearest = min(self._ring(), key=self._distance)

    def _in_the_way(self, new: int, a: int, b: int) -> tuple[int, int] | None:
        """The neighbors to try next if the new circle overlaps one of the ring; None if it overlaps none."""
        ahead, behind = self._next[b], self._previous[a]
        far_ahead, far_behind = self.circles[b].r, self.circles[a].r
        while True:
            if far_ahead <= far_behind:
                if self._overlap(ahead, new):
                    return a, ahead
                far_ahead += self.circles[ahead].r
                ahead = self._next[ahead]
            else:
                if self._overlap(behind, new):
                    return behind, b
                far_behind += self.circles[behind].r
                behind = self._previous[behind]
            if ahead == self._next[behind]:
                return None

    def _touch(self, new: int, a: int, b: int) -> None:
        """Move the new circle to where it touches both, on the left of the line from a to b."""
        (ax, ay, ar), (bx, by, br), r = self.circles[a], self.circles[b], self.circles[new].r
        dx, dy = bx - ax, by - ay
        apart = hypot(dx, dy)
        dx, dy = dx / apart, dy / apart
        along = (apart * apart + (ar + r) ** 2 - (br + r) ** 2) / (2 * apart)
        aside = sqrt(max(0.0, (ar + r) ** 2 - along * along))
        self.circles[new] = PackedCircle(ax + along * dx - aside * dy, ay + along * dy + aside * dx, r)

    def _overlap(self, one: int, other: int) -> bool:
        (ax, ay, ar), (bx, by, br) = self.circles[one], self.circles[other]
        return hypot(ax - bx, ay - by) < ar + br - TOLERANCE

    def _distance(self, index: int) -> float:
        """Distance from the center to the point where this circle and the next one touch."""
        (ax, ay, ar), (bx, by, br) = self.circles[index], self.circles[self._next[index]]
        return hypot(ax * br + bx * ar, ay * br + by * ar) / (ar + br)

    def _link(self, index: int, following: int) -> None:
        self._next[index] = following
        self._previous[following] = index

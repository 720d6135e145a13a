"""Packs circles into a square, as close as they go: areas are as the weights, and no two overlap.

Each circle is put where it touches two of the chain of circles that are outermost so far, at the place of that chain
which is nearest to the middle (Wang et al., Visualization of Large Hierarchical Data by Circle Packing, CHI 2006).
A few that are all alike are put in rows which mirror themselves, where that takes hardly more room: there the eye sees
every unevenness.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isclose, sqrt
from typing import NamedTuple

PADDING = 0.005
"""Free room between neighbours, as a share of the square's side."""
FEW = 60
"""So many that are alike are still seen as rows; among more nobody looks for them."""
ROOMIER = 1.1
"""Rows may take this much more of a square's side than the closest packing."""
TOUCHING = 1e-7
"""Circles nearer than this touch; closer, they overlap. Rounding errors are a thousand times smaller."""


class Circle(NamedTuple):
    """Middle and radius."""

    x: float
    y: float
    r: float


def pack(weights: Sequence[float], *, padding: float = PADDING) -> tuple[Circle, ...]:
    """A circle for each weight, in their order, inside the square from (0, 0) to (1, 1)."""
    if not weights:
        return ()
    largest = max(weights)
    if not min(weights) > 0:
        raise ValueError("every weight must be more than nothing")
    radii = [sqrt(weight / largest) for weight in weights]
    # How much room the padding is in the radii's own unit is known only once they are packed without any.
    room = _Box(_placed(radii)).side * padding / 2
    packed = _placed([r + room for r in radii])
    box = _Box(packed)
    return tuple(
        Circle((x - box.x) / box.side + 0.5, (y - box.y) / box.side + 0.5, r / box.side)
        for (x, y, _), r in zip(packed, radii, strict=True)
    )


class _Box:
    """The square around circles: its middle and its side."""

    def __init__(self, circles: Sequence[Circle]) -> None:
        left, right = min(c.x - c.r for c in circles), max(c.x + c.r for c in circles)
        bottom, top = min(c.y - c.r for c in circles), max(c.y + c.r for c in circles)
        self.x, self.y = (left + right) / 2, (bottom + top) / 2
        self.side = max(right - left, top - bottom)


def _placed(radii: Sequence[float]) -> list[Circle]:
    """Circles of these radii side by side: in rows if they are alike, else the largest first."""
    closest = _chained(radii)
    if len(radii) > FEW or not isclose(min(radii), max(radii)):
        return closest
    rows = _rows(len(radii), limit=ROOMIER * _Box(closest).side / radii[0])
    return _in_rows(rows, radii[0]) if rows else closest


def _rows(count: int, *, limit: float) -> tuple[int, ...]:
    """How many circles of radius 1 stand in each row inside a square of this side, closest first; none if they cannot.

    Each row has one more or one less than the next, so that they interlock, and the last is as the first.
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


def _in_rows(rows: Sequence[int], r: float) -> list[Circle]:
    middles = [(2 * place - count + 1, row * sqrt(3)) for row, count in enumerate(rows) for place in range(count)]
    return [Circle(x * r, y * r, r) for x, y in middles]


def _chained(radii: Sequence[float]) -> list[Circle]:
    order = sorted(range(len(radii)), key=lambda index: -radii[index])
    chain = _Chain([radii[index] for index in order])
    for index in range(chain.started, len(order)):
        chain.add(index)
    circles = [Circle(0, 0, 0)] * len(order)
    for index, circle in zip(order, chain.circles, strict=True):
        circles[index] = circle
    return circles


class _Chain:
    """Circles placed so far, and the ring of those that are outermost, clockwise: `_next` and `_previous` by index."""

    def __init__(self, radii: Sequence[float]) -> None:
        self.started = min(3, len(radii))
        self.circles = [Circle(0, 0, r) for r in radii]
        self._next = [0] * len(radii)
        self._previous = [0] * len(radii)
        if self.started > 1:
            first, second = radii[:2]
            self.circles[:2] = Circle(-second, 0, first), Circle(first, 0, second)
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
        """Place a circle between the two neighbours of the ring that are nearest to the middle."""
        a, b = self._nearest, self._next[self._nearest]
        while True:
            self._touch(new, a, b)
            found = self._in_the_way(new, a, b)
            if found is None:
                break
            # Whatever lies between is enclosed now, and no longer part of the ring.
            a, b = found
            self._link(a, b)
        self._link(a, new)
        self._link(new, b)
        self._nearest = new  # certainly on the ring
        self._nearest = min(self._ring(), key=self._distance)

    def _in_the_way(self, new: int, a: int, b: int) -> tuple[int, int] | None:
        """The neighbours to try instead, since the new circle overlaps one that is near them along the ring."""
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
        """Move the new circle to where it touches both, on the left of the way from a to b."""
        (ax, ay, ar), (bx, by, br), r = self.circles[a], self.circles[b], self.circles[new].r
        dx, dy = bx - ax, by - ay
        apart = hypot(dx, dy)
        dx, dy = dx / apart, dy / apart
        along = (apart * apart + (ar + r) ** 2 - (br + r) ** 2) / (2 * apart)
        aside = sqrt(max(0.0, (ar + r) ** 2 - along * along))
        self.circles[new] = Circle(ax + along * dx - aside * dy, ay + along * dy + aside * dx, r)

    def _overlap(self, one: int, other: int) -> bool:
        (ax, ay, ar), (bx, by, br) = self.circles[one], self.circles[other]
        return hypot(ax - bx, ay - by) < ar + br - TOUCHING

    def _distance(self, index: int) -> float:
        """How far from the middle the point is where this circle and the next one touch."""
        (ax, ay, ar), (bx, by, br) = self.circles[index], self.circles[self._next[index]]
        return hypot(ax * br + bx * ar, ay * br + by * ar) / (ar + br)

    def _link(self, index: int, following: int) -> None:
        self._next[index] = following
        self._previous[following] = index

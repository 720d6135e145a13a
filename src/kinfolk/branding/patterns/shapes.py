"""The shapes that patterns consist of. Coordinates are pixels from the upper left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Tone = Literal["strong", "middle", "faint"]

OPACITY: dict[Tone, float] = {"strong": 1.0, "middle": 0.6, "faint": 0.32}
"""How much of the pattern's color a shape has."""


class Size(NamedTuple):
    width: int
    height: int


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True)
class Circle:
    x: float
    y: float
    radius: float
    tone: Tone = "middle"
    filled: bool = False

    @property
    def box(self) -> Box:
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius


@dataclass(frozen=True)
class Line:
    """A line with round ends. `thick` lines have four times the width of others."""

    x1: float
    y1: float
    x2: float
    y2: float
    tone: Tone = "middle"
    thick: bool = False

    @property
    def box(self) -> Box:
        return min(self.x1, self.x2), min(self.y1, self.y2), max(self.x1, self.x2), max(self.y1, self.y2)


@dataclass(frozen=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    radius: float = 0
    tone: Tone = "middle"
    filled: bool = False

    @property
    def box(self) -> Box:
        return self.x, self.y, self.x + self.width, self.y + self.height


@dataclass(frozen=True)
class Polyline:
    points: tuple[tuple[float, float], ...]
    tone: Tone = "middle"

    @property
    def box(self) -> Box:
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


Shape = Circle | Line | Rectangle | Polyline


def is_visible(shape: Shape, size: Size) -> bool:
    """Whether any part of the shape can be inside the picture."""
    left, top, right, bottom = shape.box
    return right >= 0 and bottom >= 0 and left <= size.width and top <= size.height

"""The drawings of patterns. Each shows a verb: fetch, branch, climb, sort, fill in, scroll, measure, share, wait, plan.

Drawings are heavier on the right, because text is on the left. They are made in units, of which a picture is nine high:
a share image and the file for pages look alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random

from kinfolk.branding.patterns.pattern import Pattern
from kinfolk.branding.patterns.shapes import Circle, Line, Polyline, Rectangle, Shape, Size, Tone, is_visible

UNITS = 9
"""Units in the height of a picture."""
LINE_WIDTH = 0.055
"""Of a unit."""

Drawing = Callable[[Random, float], Iterator[Shape]]
"""Draws shapes in units, of a random generator and the width of the picture in units."""


def draw_pattern(pattern: Pattern, size: Size) -> tuple[Shape, ...]:
    """The shapes of a pattern in a picture of this size. Shapes outside the picture are left out."""
    unit = size.height / UNITS
    # Not for secrets. Its sequence is the same in all versions of Python.
    shapes = DRAWINGS[pattern.name](Random(pattern.seed), size.width / unit)  # noqa: S311
    scaled = (_scale(shape, unit) for shape in shapes)
    return tuple(shape for shape in scaled if is_visible(shape, size))


def line_width(size: Size) -> float:
    return round(size.height / UNITS * LINE_WIDTH, 1)


def _scale(shape: Shape, unit: float) -> Shape:
    match shape:
        case Circle(x, y, radius, tone, filled):
            return Circle(x * unit, y * unit, radius * unit, tone, filled)
        case Line(x1, y1, x2, y2, tone, thick):
            return Line(x1 * unit, y1 * unit, x2 * unit, y2 * unit, tone, thick)
        case Rectangle(x, y, width, height, radius, tone, filled):
            return Rectangle(x * unit, y * unit, width * unit, height * unit, radius * unit, tone, filled)
        case Polyline(points, tone):
            return Polyline(tuple((x * unit, y * unit) for x, y in points), tone)


def _rings(random: Random, width: float) -> Iterator[Shape]:
    """Rings around a source, with what travels on them."""
    x, y = width * 0.72, UNITS * (0.42 + random.uniform(-0.06, 0.06))
    yield Circle(x, y, 0.34, "strong", filled=True)
    for number in range(1, 14):
        radius = 0.95 * number
        yield Circle(x, y, radius, _fading(number, 4, 8))
        if number > 1:
            angle = random.uniform(0, 2 * math.pi)
            size = random.choice((0.11, 0.16, 0.21))
            yield Circle(
                x + radius * math.cos(angle), y + radius * math.sin(angle), size, _fading(number, 7, 10), filled=True
            )


def _paths(random: Random, width: float) -> Iterator[Shape]:
    """A path that branches, and the one branch that was taken."""
    taken = [random.choice((-1, 1)) for _ in range(4)]
    tones: tuple[Tone, ...] = ("middle", "middle", "middle", "faint", "faint")
    run, dot = width * 0.1, 0.17

    def branch(x: float, y: float, depth: int, *, is_taken: bool) -> Iterator[Shape]:
        tone: Tone = "strong" if is_taken else tones[depth]
        is_last = depth == len(taken)
        end = width * 0.94 if is_last else x + run
        yield Line(x, y, end - dot, y, tone)
        yield Circle(end, y, dot, tone, filled=is_taken)
        if is_last:
            return
        drop = 2.1 / 2**depth
        for side in (-1, 1):
            is_next = is_taken and side == taken[depth]
            target = (end + dot + drop, y + side * drop)
            yield Polyline(((end + dot, y), target), "strong" if is_next else tones[depth])
            yield from branch(*target, depth + 1, is_taken=is_next)

    yield from branch(width * 0.06, UNITS / 2, 0, is_taken=True)


def _steps(random: Random, width: float) -> Iterator[Shape]:
    """Layers of rising steps."""
    run, rise = 1.5, 0.75
    shift = random.uniform(0, run)
    for layer in range(8):
        tone = _fading(layer + 1, 1, 4)
        x, y = -shift + layer * 1.1, UNITS + 1.6 + layer * 0.35
        points = [(x, y)]
        while x < width + run:
            points += [(x, y - rise), (x + run, y - rise)]
            x, y = x + run, y - rise
        yield Polyline(tuple(points), tone)
        if layer == 0:
            yield from (Circle(at, up, 0.13, "strong", filled=True) for at, up in points[1::2])


def _grid(random: Random, width: float) -> Iterator[Shape]:
    """A ruled table with a header, a sorted column and a selected row."""
    columns, x = [0.0], 0.0
    while x < width:
        x += random.choice((1.6, 2.2, 2.8, 3.4))
        columns.append(x)
    sorted_column = len(columns) * 2 // 3
    selected = random.choice((4, 5))
    yield Rectangle(0, 0, width, 1, 0, "faint", filled=True)
    yield Rectangle(0, selected, width, 1, 0, "faint", filled=True)
    yield from (Line(0, row, width, row, "middle" if row == 1 else "faint") for row in range(1, UNITS))
    yield from (Line(column, 0, column, UNITS, "faint") for column in columns[1:])
    for number, (left, right) in enumerate(pairwise(columns)):
        longest = (right - left) - 0.8
        for row in range(UNITS):
            share = (row + 1) / UNITS if number == sorted_column else random.uniform(0.25, 1)
            tone: Tone = "strong" if number == sorted_column or row in (0, selected) else "middle"
            yield Line(left + 0.4, row + 0.5, left + 0.4 + longest * share, row + 0.5, tone, thick=True)


def _fields(random: Random, width: float) -> Iterator[Shape]:
    """Fields of a form: one has the caret, some are valid."""
    focused = (2, 2)
    for row in range(6):
        x = -random.uniform(0.2, 1.6)
        column = 0
        while x < width:
            wide = random.choice((2.6, 3.4, 4.6))
            y = 0.35 + row * 1.5
            is_focused = (row, column) == focused
            yield Rectangle(x, y, wide, 0.95, 0.22, "strong" if is_focused else "faint")
            length = (wide - 1.5) * random.uniform(0.3, 1)
            yield Line(x + 0.4, y + 0.48, x + 0.4 + length, y + 0.48, "strong" if is_focused else "middle", thick=True)
            if is_focused:
                yield Rectangle(x - 0.16, y - 0.16, wide + 0.32, 1.27, 0.34, "middle")
            if is_focused or random.random() < 0.2:  # noqa: PLR2004 one field of five
                yield Line(x + 0.75 + length, y + 0.22, x + 0.75 + length, y + 0.73, "strong")
            elif random.random() < 0.5:  # noqa: PLR2004 half of the fields
                end = x + wide - 0.62
                yield Polyline(((end, y + 0.5), (end + 0.14, y + 0.64), (end + 0.38, y + 0.33)), "strong")
            x += wide + 0.55
            column += 1


def _bars(random: Random, width: float) -> Iterator[Shape]:
    """A long list, of which a window is rendered."""
    left, right = width * 0.42, width * 0.86
    top, bottom = 2.3, 6.7
    shift = random.uniform(0, 0.4)
    for number in range(-1, 14):
        y = number * 0.72 + shift
        is_inside = top < y + 0.21 < bottom
        tone: Tone = "strong" if is_inside else "faint"
        yield Rectangle(left + 0.5, y, right - left - 1, 0.42, 0.21, tone, filled=is_inside)
        share = random.uniform(0.35, 0.95)
        yield Rectangle(left - 0.9 - 4.6 * share, y, 4.6 * share, 0.42, 0.21, "faint")
        yield Rectangle(right + 0.9, y, width, 0.42, 0.21, "faint")
    yield Rectangle(left, top - 0.15, right - left, bottom - top + 0.3, 0.35, "strong")
    yield Line(right + 0.42, top + 0.6, right + 0.42, top + 2, "strong", thick=True)


def _ticks(random: Random, width: float) -> Iterator[Shape]:
    """Rulers, each with a chosen range."""
    gap = 0.36
    for row, y in enumerate((1.7, 3.9, 6.1, 8.3)):
        start = width * random.uniform(0.28, 0.5)
        end = start + width * random.uniform(0.2, 0.4)
        shift = random.uniform(0, gap)
        for number in range(math.ceil(width / gap) + 1):
            x = number * gap + shift
            is_long = (number + row) % 5 == 0
            is_inside = start <= x <= end
            tone: Tone = "strong" if is_inside and is_long else "middle" if is_inside or is_long else "faint"
            yield Line(x, y - (0.95 if is_long else 0.55), x, y - 0.3, tone)
        yield Line(0, y, width, y, "faint")
        yield Line(start, y, end, y, "strong", thick=True)
        yield Circle(start, y, 0.24, "strong", filled=True)
        yield Circle(end, y, 0.24, "strong", filled=True)


def _cells(random: Random, width: float) -> Iterator[Shape]:
    """Cells that are linked: a change of one reaches the cells that depend on it."""
    across, down, half = 2.3, 2.1, 0.48
    columns, rows = math.ceil(width / across) + 1, 5
    places = {
        (column, row): (column * across + (row % 2) * across / 2, row * down + 0.3)
        for column in range(columns)
        for row in range(rows)
    }
    changed = {(column, row) for column, row in places if random.random() < 0.1 + 0.25 * column / columns}
    for (column, row), (x, y) in places.items():
        is_changed = (column, row) in changed
        yield Rectangle(
            x - half, y - half, 2 * half, 2 * half, 0.24, "strong" if is_changed else "faint", filled=is_changed
        )
        for next_column, next_row in ((column + 1, row), (column + row % 2, row + 1), (column + row % 2 - 1, row + 1)):
            target = places.get((next_column, next_row))
            if target is None or random.random() < 0.3:  # noqa: PLR2004 some cells are independent
                continue
            dx, dy = target[0] - x, target[1] - y
            share = (half + 0.12) / max(abs(dx), abs(dy))
            tone: Tone = (
                "strong" if is_changed and (next_column, next_row) in changed else "middle" if is_changed else "faint"
            )
            yield Line(x + dx * share, y + dy * share, target[0] - dx * share, target[1] - dy * share, tone)


def _pulses(random: Random, width: float) -> Iterator[Shape]:
    """Events that come in bursts, and those that are let through."""
    phase = random.uniform(0, 2 * math.pi)
    for row in range(9):
        y = 0.5 + row
        is_paced = row % 3 == 1
        x = 0.25
        while x < width + 0.5:
            wave = 0.5 + 0.5 * math.sin(x * 0.5 + phase + row * 0.6)
            if is_paced:
                yield Circle(x, y, 0.2, "strong", filled=True)
                x += 1.5
            else:
                is_burst = wave > 0.5  # noqa: PLR2004 half of the time
                yield Circle(x, y, 0.15 if is_burst else 0.09, "middle" if is_burst else "faint", filled=True)
                x += 0.375 if is_burst else 0.75 if wave > 0.2 else 1.125  # noqa: PLR2004 steps of 15 pixels


def _blueprint(random: Random, width: float) -> Iterator[Shape]:
    """A plan: crosses at regular distances, and marked areas with their measures."""
    gap, arm = 1.5, 0.13
    for column in range(math.ceil(width / gap) + 1):
        for row in range(7):
            x, y = column * gap, row * gap
            yield Line(x - arm, y, x + arm, y, "faint")
            yield Line(x, y - arm, x, y + arm, "faint")
    left = width - random.choice((5, 5.5, 6, 6.5)) * gap
    shift = random.choice((0, 1))
    areas = ((left, 1, 5, 3), (left + 3, 5, 3, 2), (left - 3.5, 3 - shift, 2, 3), (left - 7, 1 + shift, 2, 2))
    for number, (x, row, columns, rows) in enumerate(areas):
        y, wide, high = row * gap - gap / 2, columns * gap - gap / 2, rows * gap - gap / 2
        tone: Tone = "strong" if number == 0 else "middle"
        yield from _corners(x, y, wide, high, tone)
        yield Line(x, y + high + 0.4, x + wide, y + high + 0.4, "middle")
        yield Line(x, y + high + 0.27, x, y + high + 0.53, "middle")
        yield Line(x + wide, y + high + 0.27, x + wide, y + high + 0.53, "middle")
        yield from _braces(x + wide / 2, y + high / 2, min(wide, high) / 2.6, tone)


def _corners(x: float, y: float, wide: float, high: float, tone: Tone) -> Iterator[Shape]:
    """The corners of a frame."""
    arm = 0.5
    for corner, across in ((x, arm), (x + wide, -arm)):
        for edge, down in ((y, arm), (y + high, -arm)):
            yield Polyline(((corner + across, edge), (corner, edge), (corner, edge + down)), tone)


def _braces(x: float, y: float, half: float, tone: Tone) -> Iterator[Shape]:
    """Two braces around a point, and a dot between them."""
    for side in (-1, 1):
        inner, middle, tip = (x + side * half * share for share in (0.55, 0.85, 1.15))
        yield Polyline(
            (
                (inner, y - half),
                (middle, y - half * 0.8),
                (middle, y - half * 0.25),
                (tip, y),
                (middle, y + half * 0.25),
                (middle, y + half * 0.8),
                (inner, y + half),
            ),
            tone,
        )
    yield Circle(x, y, 0.14, tone, filled=True)


def _strands(random: Random, width: float) -> Iterator[Shape]:
    """A cord whose strands part."""
    count, points = 10, 22
    for number in range(count):
        start = UNITS / 2 + (number - (count - 1) / 2) * 0.14
        end = (number + 0.5) * UNITS / count
        reach = width * random.uniform(0.72, 0.95)
        curve = []
        for step in range(points + 1):
            share = step / points
            bend = share * share * (3 - 2 * share)
            curve.append((reach * share, start + (end - start) * bend))
        tone: Tone = ("strong", "middle", "faint")[number % 3]
        yield Polyline(tuple(curve), tone)
        yield Circle(reach, end, 0.2, tone, filled=True)


def _fading(number: int, strong: int, middle: int) -> Tone:
    """Strong up to one number, then of middle strength up to the other one."""
    return "strong" if number <= strong else "middle" if number <= middle else "faint"


DRAWINGS: Mapping[str, Drawing] = {
    "bars": _bars,
    "blueprint": _blueprint,
    "cells": _cells,
    "fields": _fields,
    "grid": _grid,
    "paths": _paths,
    "pulses": _pulses,
    "rings": _rings,
    "steps": _steps,
    "strands": _strands,
    "ticks": _ticks,
}

"""Writes a pattern as an SVG of a few kilobytes. It is black on transparent: pages use it as a mask and color it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from kinfolk.branding.patterns.drawings import line_width
from kinfolk.branding.patterns.shapes import OPACITY, Circle, Line, Polyline, Rectangle, Shape, Size, Tone

Group = tuple[Tone, float]
"""Tone and line width of shapes that are written as one path. The width of filled shapes is 0."""


def pattern_svg(shapes: Sequence[Shape], size: Size) -> str:
    """The picture. Lines and dots of the same tone and width are one path."""
    width = line_width(size)
    paths: defaultdict[Group, list[str]] = defaultdict(list)
    elements: defaultdict[Group, list[str]] = defaultdict(list)
    for shape in shapes:
        match shape:
            case Circle(x, y, radius, tone, True):
                # A line without length and with round ends is a dot: a third of the bytes of a circle element.
                paths[tone, 2 * radius].append(f"M{_text(x)} {_text(y)}h0")
            case Circle(x, y, radius, tone):
                elements[tone, width].append(f'<circle cx="{_text(x)}" cy="{_text(y)}" r="{_text(radius)}"/>')
            case Line(x1, y1, x2, y2, tone, thick):
                paths[tone, width * 4 if thick else width].append(_path(((x1, y1), (x2, y2))))
            case Polyline(points, tone):
                paths[tone, width].append(_path(points))
            case Rectangle(x, y, wide, high, radius, tone, filled):
                rounded = f' rx="{_text(radius)}"' if radius else ""
                place = f'x="{_text(x)}" y="{_text(y)}" width="{_text(wide)}" height="{_text(high)}"{rounded}'
                elements[tone, 0 if filled else width].append(f"<rect {place}/>")
    groups = [*((key, [f'<path d="{"".join(drawn)}"/>']) for key, drawn in paths.items()), *elements.items()]
    drawn = "".join(_group(key, content, width) for key, content in groups)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size.width} {size.height}" fill="none" stroke="#000" '
        f'stroke-width="{_text(width)}" stroke-linecap="round" stroke-linejoin="round">{drawn}</svg>'
    )


def _group(key: Group, content: Sequence[str], width: float) -> str:
    tone, stroke = key
    opacity = "" if tone == "strong" else f' opacity="{OPACITY[tone]:g}"'
    kind = (
        ' fill="#000" stroke="none"' if stroke == 0 else "" if stroke == width else f' stroke-width="{_text(stroke)}"'
    )
    return f"<g{opacity}{kind}>{''.join(content)}</g>" if opacity or kind else "".join(content)


def _path(points: Sequence[tuple[float, float]]) -> str:
    """The points, each relative to the one before, which takes fewer digits."""
    rounded = [(round(x), round(y)) for x, y in points]
    (x, y), *rest = rounded
    steps = []
    for next_x, next_y in rest:
        across, down = next_x - x, next_y - y
        steps.append(f"v{down}" if across == 0 else f"h{across}" if down == 0 else f"l{across} {down}")
        x, y = next_x, next_y
    return f"M{rounded[0][0]} {rounded[0][1]}{''.join(steps)}"


def _text(number: float) -> str:
    """With at most one decimal."""
    return f"{round(number, 1):g}"

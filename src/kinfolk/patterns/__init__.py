"""The pattern of a library: simple shapes that are drawn as SVG for pages and as pixels for share images."""

from kinfolk.patterns.drawings import draw_pattern, line_width
from kinfolk.patterns.pattern import FAMILY_PATTERN, LIBRARY_PATTERNS, Pattern, library_pattern
from kinfolk.patterns.shapes import Circle, Line, Polyline, Rectangle, Shape, Size
from kinfolk.patterns.svg import pattern_svg

__all__ = [
    "FAMILY_PATTERN",
    "LIBRARY_PATTERNS",
    "Circle",
    "Line",
    "Pattern",
    "Polyline",
    "Rectangle",
    "Shape",
    "Size",
    "draw_pattern",
    "library_pattern",
    "line_width",
    "pattern_svg",
]

"""The pattern of a library: simple shapes that are drawn as SVG for pages and as pixels for share images."""

from kinfolk.branding.patterns.drawings import draw_pattern, line_width
from kinfolk.branding.patterns.pattern import FAMILY_PATTERN, LIBRARY_PATTERNS, Pattern, library_pattern
from kinfolk.branding.patterns.shapes import Circle, Line, Polyline, Rectangle, Shape, Size
from kinfolk.branding.patterns.svg import pattern_svg

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

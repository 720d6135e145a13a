"""A logo of a repository -> a logo of one color, drawn anew from its shapes: nothing else of the file is taken over."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree as ET

import resvg_py
from PIL import Image

from kinfolk.content.landing.landing import LARGEST_LOGO

LARGEST_DRAWING = 24 << 10
MOST_SHAPES = 60
DEEPEST = 12
WIDEST = 1.5
"""Width to height, or the reverse: wider drawings are words."""
_LEAST_COVER, _MOST_COVER = 0.06, 0.8
_SIDE = 48
_GEOMETRY = {
    "path": ("d",),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "rect": ("x", "y", "width", "height", "rx", "ry"),
    "polygon": ("points",),
    "polyline": ("points",),
    "line": ("x1", "y1", "x2", "y2"),
}
_STROKE = ("stroke-width", "stroke-linecap", "stroke-linejoin")
_VALUE = re.compile(r"[\w\s.,()+-]{1,20000}", re.ASCII)
_LONG_FRACTION = re.compile(r"(\.\d)\d+")
_COLOR = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b")
_NAMESPACE = "{http://www.w3.org/2000/svg}"
_DROPPED = frozenset("defs clipPath mask symbol marker pattern title desc metadata style script foreignObject".split())


def logo_drawing(text: str) -> str:
    """The logo as `libraries/<id>/logo.svg` may be; empty for one that is too complex, too wide or a filled box."""
    root = _parsed(text)
    box = _view_box(root) if root is not None else None
    if root is None or box is None or not 1 / WIDEST <= box[2] / box[3] <= WIDEST:
        return ""
    shapes = list(dict.fromkeys(_shapes(root, "", 0)))
    if not 0 < len(shapes) <= MOST_SHAPES:
        return ""
    # The first shape may be the ground of the others.
    for drawn in (shapes, shapes[1:]):
        svg = _svg(box, drawn)
        if len(svg) > LARGEST_LOGO:
            svg = _svg(box, [_LONG_FRACTION.sub(r"\1", shape) for shape in drawn])
        if drawn and len(svg) <= LARGEST_LOGO and _LEAST_COVER <= _cover(svg) <= _MOST_COVER:
            return svg
    return ""


def colors_of(text: str) -> list[str]:
    """The colors of a drawing, as they are written, in their order."""
    return _COLOR.findall(text[:LARGEST_DRAWING])


def _parsed(text: str) -> ET.Element | None:
    if len(text) > LARGEST_DRAWING or "<!ENTITY" in text.upper():
        return None
    try:
        root = ET.fromstring(text)  # noqa: S314 of limited size, and without entities
    except (ET.ParseError, ValueError):
        return None
    return root if root.tag == f"{_NAMESPACE}svg" else None


def _view_box(root: ET.Element) -> tuple[float, float, float, float] | None:
    written = root.get("viewBox") or f"0 0 {root.get('width', '')} {root.get('height', '')}"
    try:
        x, y, width, height = (float(part) for part in written.replace(",", " ").replace("px", "").split())
    except ValueError:
        return None
    return (x, y, width, height) if 0 < width < 10_000 and 0 < height < 10_000 else None  # noqa: PLR2004 units


def _shapes(element: ET.Element, transform: str, depth: int, inherited: tuple[str, str] = ("", "")) -> Iterator[str]:
    """The shapes as SVG without colors. Those that are neither filled nor drawn are left out."""
    name = element.tag.removeprefix(_NAMESPACE) if isinstance(element.tag, str) else ""
    if name in _DROPPED or depth > DEEPEST:
        return
    fill, stroke = (element.get(key, old) for key, old in zip(("fill", "stroke"), inherited, strict=True))
    own = element.get("transform", "")
    transform = f"{transform} {own}".strip() if _VALUE.fullmatch(own) else transform
    if name in ("svg", "g"):
        for child in element:
            yield from _shapes(child, transform, depth + 1, (fill, stroke))
    elif name in _GEOMETRY and (fill != "none" or stroke not in ("", "none")):
        keys = [*_GEOMETRY[name], *(_STROKE if stroke not in ("", "none") else ()), "fill-rule"]
        values = {key: " ".join(element.get(key, "").split()) for key in keys}
        values |= {"fill": "none"} if fill == "none" else {}
        values |= {"stroke": "#000"} if stroke not in ("", "none") else {}
        values |= {"transform": transform}
        written = (f' {key}="{escape(value)}"' for key, value in values.items() if _is_plain(value))
        yield f"<{name}{''.join(written)}/>"


def _is_plain(value: str) -> bool:
    return _VALUE.fullmatch(value.removeprefix("#")) is not None


def _svg(box: tuple[float, ...], shapes: list[str]) -> str:
    view = " ".join(f"{number:g}" for number in box)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{"".join(shapes)}</svg>'


def _cover(svg: str) -> float:
    """The part of the square that the shapes cover."""
    try:
        png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=_SIDE, height=_SIDE))
        alpha = Image.open(io.BytesIO(png)).convert("RGBA").getchannel("A")
    except (ValueError, OSError, RuntimeError):
        return 0
    return sum(value * count for value, count in enumerate(alpha.histogram())) / (255 * alpha.width * alpha.height)

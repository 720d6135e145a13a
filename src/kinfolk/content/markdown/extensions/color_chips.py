"""Color chips: a code span that is exactly a color, such as `#0969DA`, shows a square of that color."""

from __future__ import annotations

import re

from kinfolk.content.markdown.render_context import RenderContext

# The color models that GitHub supports, without blanks around them.
_COLOR = re.compile(
    r"#[0-9A-Fa-f]{6}|rgb\(\d{1,3}, ?\d{1,3}, ?\d{1,3}\)|hsl\(\d{1,3}, ?\d{1,3}%, ?\d{1,3}%\)",
    re.ASCII | re.IGNORECASE,
)
_LONGEST = 24


def color_of(code: str) -> str | None:
    """The color that a code span names."""
    return code if len(code) <= _LONGEST and code[:1] in "#rhRH" and _COLOR.fullmatch(code) else None


def chip_html(color: str, context: RenderContext) -> str:
    """The color as code with its chip. The policy of pages forbids styles of elements, so the chip is a picture."""
    square = f'<rect width="12" height="12" fill="{color}"/>'
    chip = f'<svg class="color-chip" viewBox="0 0 12 12" aria-hidden="true">{square}</svg>'
    return f"<code>{color}{context.slot(chip)}</code>"

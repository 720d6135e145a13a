"""Makes PNG of the pictures that the frontend draws as SVG. As a program it does so from standard input to output.

resvg holds the interpreter's lock while it draws, for about 0.2 s, so it runs in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import resvg_py

FONTS = ("Inter_500Medium.ttf", "Inter_800ExtraBold.ttf")
"""Fonts in the frontend's build. Others are not used, so that the picture is the same on every machine."""
FAMILY = "Inter"
TIMEOUT_S = 20.0


def picture_png(svg: str, fonts: Path) -> bytes:
    """The picture in its own size. Blocks. Raises ValueError for an invalid SVG, TimeoutError after TIMEOUT_S."""
    # -I: the folder of this file is not searched for modules; it has a `statistics`.
    command = [sys.executable, "-I", __file__, str(fonts)]
    try:
        done = subprocess.run(  # noqa: S603 - this file
            command, input=svg.encode(), capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError("The picture took too long to draw") from None
    if done.returncode != 0:
        raise ValueError(done.stderr.decode(errors="replace").strip()[-500:] or f"exit status {done.returncode}")
    return done.stdout


def draw_png(svg: str, fonts: Path) -> bytes:
    """The same in this process. Raises ValueError for an invalid SVG."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[str(fonts / name) for name in FONTS],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(draw_png(sys.stdin.buffer.read().decode(), Path(sys.argv[1])))

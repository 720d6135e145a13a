"""Options that several commands have."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click


def content_option(help: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--content DIR`, which commands pass to `use_content`."""
    return click.option("--content", type=click.Path(exists=True, file_okay=False, path_type=Path), help=help)


def use_content(content: Path | None) -> None:
    """Read docs from this directory, if given. Set in the environment, which worker processes inherit."""
    if content is not None:
        os.environ["KINFOLK_CONTENT"] = str(content.resolve())
        os.environ["KINFOLK_MIRROR"] = "off"

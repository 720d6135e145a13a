"""Codes such as `:tada:` -> emoji."""

from __future__ import annotations

import re

_CODE = re.compile(r"(?<![\w:]):([a-z0-9_+-]{1,50}):(?![\w:])")


def with_emoji(text: str) -> str:
    """The text with known codes replaced. Unknown codes stay as they are."""
    return _CODE.sub(_emoji, text) if ":" in text else text


def _emoji(found: re.Match[str]) -> str:
    import emoji  # imported late: few pages need the table

    return emoji.emojize(found[0], language="alias")

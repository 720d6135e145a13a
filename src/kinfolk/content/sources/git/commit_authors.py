"""The names of commit authors for pages: without bots, and with one spelling of each name."""

from __future__ import annotations

import re
from functools import lru_cache

_NAME_LETTERS = 60
_BOT_NAME = re.compile(
    r"\[bot\]|[ _-]bot$|^(renovate|dependabot|greenkeeper|autofix-ci|github[ -]actions?)\b", re.IGNORECASE
)
_BOT_MAIL = re.compile(
    r"\[bot\]@|\+copilot@users\.noreply\.github\.com$|^(noreply@(anthropic|openai)\.com|cursoragent@cursor\.com)$",
    re.IGNORECASE,
)
_MAIL = re.compile(r"\S@\S+\.\S")


def author_name(name: str, mail: str) -> str | None:
    """The name to show for a commit's author; None for a bot and for a mail address in place of a name."""
    printable = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:_NAME_LETTERS]
    if not printable or _BOT_NAME.search(printable) or _BOT_MAIL.search(mail) or _MAIL.search(printable):
        return None
    return printable


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """A key that is equal for different spellings of one name: `Ada Lovelace` and `adalovelace`."""
    return "".join(letter for letter in name.casefold() if letter.isalnum()) or name

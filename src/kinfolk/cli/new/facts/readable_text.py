"""Text of a repository -> lines that a site can show: printable, without emoji around them, whole sentences."""

from __future__ import annotations

import re
import unicodedata

GENERIC_NAMES = frozenset("website docs documentation site www homepage web".split())
"""Names of repositories that are those of no library: the owner's name says more."""
_SYMBOLS = frozenset(("So", "Sk", "Cn", "Cs"))
_JOINERS = "\ufe0f\u200d"
_END = re.compile(r"[.!?][\"')\]\u201d]{0,3} ")
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|incl|resp|no|st|dr|mr|[A-Za-z])\.$", re.IGNORECASE)
_LONGEST_ABBREVIATION = 9


def plain_line(text: str) -> str:
    """One printable line without backslashes, and without emoji at its ends."""
    words = " ".join("".join(c if c.isprintable() or c.isspace() or c in _JOINERS else "" for c in text).split())
    words = words.replace("\\", "")
    start, end = 0, len(words)
    while start < end and _is_decoration(words[start]):
        start += 1
    while end > start and _is_decoration(words[end - 1]):
        end -= 1
    return "".join(c for c in words[start:end] if c.isprintable()).strip()


def sentences(line: str) -> list[str]:
    """The sentences of a line."""
    found, start = [], 0
    for end in _END.finditer(line):
        following = line[end.end() : end.end() + 1]
        before = line[max(start, end.start() + 1 - _LONGEST_ABBREVIATION) : end.start() + 1]
        if following.islower() or _ABBREVIATION.search(before):
            continue
        found.append(line[start : end.end()].strip())
        start = end.end()
    return [*found, line[start:].strip()] if line[start:].strip() else found


def shortened(line: str, longest: int) -> str:
    """As many whole sentences as have no more characters; empty if the first one has more."""
    text = ""
    for sentence in sentences(line):
        longer = f"{text} {sentence}".strip()
        if len(longer) > longest:
            break
        text = longer
    return text


def letters_of(text: str) -> str:
    """Its letters and digits in lower case, to compare names: `@acme/Big-Gears` -> `acmebiggears`."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _is_decoration(character: str) -> bool:
    return character.isspace() or character in _JOINERS or unicodedata.category(character) in _SYMBOLS

"""Patterns of addresses in the configurations of hosts and programs -> the syntax of `redirects.toml`.

`/docs/*` with `:splat`, `/:version/start`, `/docs/:path*` and `/:name(a|b)` have an equivalent here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

SPLAT = "splat"
MOST_SEGMENTS = 32

_LITERAL = re.compile(r"(?:[\w.~@+-]|%[0-9A-Fa-f]{2})+", re.ASCII)
_PLAIN = re.compile(r"[\w.~@+ ()!$',;=-]{1,300}")
_PARAMETER = re.compile(
    r"(?P<prefix>[\w.~@+-]*?):(?P<name>[A-Za-z_]\w*)(?:\((?P<words>[^()]{1,500})\))?(?P<tail>[*+?]?)", re.ASCII
)
_WORDS = re.compile(r"[\w.-]+(?:\|[\w.-]+)*", re.ASCII)
_HOLE = re.compile(r":([A-Za-z_]\w*)(?:\([^()]{0,500}\))?[*+?]?", re.ASCII)
_ANY = frozenset((".*", ".+"))
_NO_LETTER = re.compile(r"[^a-z]+")


@dataclass(frozen=True)
class OldAddress:
    """`path` is a path or pattern of `redirects.toml`; `names` are its parameters by their names in the old pattern.

    With `and_bare`, the old pattern also matches the path without its last part.
    """

    path: str
    names: Mapping[str, str]
    and_bare: bool = False

    @property
    def bare(self) -> str:
        return self.path.rpartition("/")[0]


def read_old_address(written: str) -> OldAddress | None:
    """None for a pattern that `redirects.toml` cannot express, and for an address of another site."""
    if not written.startswith("/") or written.startswith("//") or "?" in written.split(":", 1)[0]:
        return None
    path = written.split("#", 1)[0].strip("/")
    segments = path.split("/")
    if not path or len(segments) > MOST_SEGMENTS:
        return None
    names: dict[str, str] = {}
    parts: list[str] = []
    for position, segment in enumerate(segments):
        part = _segment(segment, names, is_last=position == len(segments) - 1)
        if part is None:
            return None
        parts.append(part)
    is_open = path.endswith("*") and parts[-1].endswith("...}")
    return OldAddress("/" + "/".join(parts), names, and_bare=is_open and len(parts) > 1)


def _segment(written: str, names: dict[str, str], *, is_last: bool) -> str | None:
    if written == "*":
        return f"{{{_named(SPLAT, names)}...}}" if is_last else None
    if written.endswith("*") and is_last and _LITERAL.fullmatch(written[:-1]):
        # A pattern such as `/start*`: the rest of the name is a parameter.
        return f"{written[:-1]}{{{_named(SPLAT, names)}}}"
    found = _PARAMETER.fullmatch(written)
    if found is None:
        return _literal(written)
    words, tail = found["words"], found["tail"]
    if tail == "?" or found["name"] in names:
        return None
    if tail or words in _ANY:
        return f"{{{_named(found['name'], names)}...}}" if is_last and not found["prefix"] else None
    if words is not None and not _WORDS.fullmatch(words):
        return None
    choice = f":{words}" if words else ""
    return f"{found['prefix']}{{{_named(found['name'], names)}{choice}}}"


def _literal(written: str) -> str | None:
    if written in (".", ".."):
        return None
    if _LITERAL.fullmatch(written):
        return written if unquote(written) not in (".", "..") and "/" not in unquote(written) else None
    return quote(written, safe="~@+") if _PLAIN.fullmatch(written) else None


def _named(name: str, names: dict[str, str]) -> str:
    """A parameter's name here, which has lower-case letters only."""
    plain = _NO_LETTER.sub("", name.lower()) or "part"
    while plain in names.values():
        plain += "x"
    names[name] = plain
    return plain


def holes_of(written: str) -> frozenset[str]:
    """The names of the parameters in a target."""
    return frozenset(found[1] for found in _HOLE.finditer(written))


def filled_target(written: str, names: Mapping[str, str]) -> str | None:
    """A target with its parameters as `redirects.toml` writes them; None if it names others."""
    if not holes_of(written) <= names.keys():
        return None
    return _HOLE.sub(lambda found: f"{{{names[found[1]]}}}", written)

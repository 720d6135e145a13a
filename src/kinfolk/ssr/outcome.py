"""What one round of rendering in V8 can end in, read from the bundle's JSON and never taken on trust."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from urllib.parse import quote

STATUSES = range(200, 600)
REDIRECTS = (301, 302, 303, 307, 308)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
MOST_NEEDS = 64
"""A page asks for about four things; a bundle that asks for more than this in one round is broken."""


@dataclass(frozen=True)
class Need:
    """A question of a route loader; `key` is the bundle's own name for it and is handed back unchanged."""

    key: str
    id: str
    data: object

    @classmethod
    def foreseen(cls, id: str, data: object) -> Need:
        """The need as the bundle would say it. Were its key another, the same would only be asked for twice."""
        return cls(f"{id}\n{json.dumps(data, ensure_ascii=False, separators=(',', ':'))}", id, data)


@dataclass(frozen=True)
class Needs:
    needs: tuple[Need, ...]


@dataclass(frozen=True)
class Finished:
    """The page. `unused` says that it was told something it had no use for."""

    status: int
    html: str
    unused: bool = False


@dataclass(frozen=True)
class Elsewhere:
    """A route decided that the page is at another address."""

    status: int
    location: str
    unused: bool = False


@dataclass(frozen=True)
class Threw:
    """JavaScript failed and said so; the isolate is fine."""

    message: str
    stack: str


Outcome = Needs | Finished | Elsewhere | Threw


def read_outcome(text: str) -> Outcome:
    """The outcome that the bundle's JSON describes. Raises ValueError for anything it should not have said."""
    match json.loads(text):
        case {"type": "needs", "needs": [_, *_] as needs} if len(needs) <= MOST_NEEDS:
            return Needs(tuple(map(_need, needs)))
        case {"type": "html", "status": int(status), "html": str(html), **rest} if status in STATUSES and html:
            return Finished(status, html, bool(rest.get("unused")))
        case {"type": "redirect", "status": int(status), "location": str(location), **rest} if status in REDIRECTS:
            return Elsewhere(status, _location(location), bool(rest.get("unused")))
        case {"type": "error", "message": str(message), **rest}:
            return Threw(message, str(rest.get("stack") or ""))
        case _:
            raise ValueError("the bundle gave something that is none of needs, html, redirect and error")


def _need(value: object) -> Need:
    match value:
        case {"key": str(key), "id": str(id), **rest}:
            return Need(key, id, rest.get("data"))
        case _:
            raise ValueError("a need has no key or no id")


def _location(location: str) -> str:
    # Browsers take //host and /\host for another site: a path like //host/ must not become such a redirect.
    if location.startswith(("//", "/\\")) or not location.startswith(("/", "https://", "http://")):
        raise ValueError("a redirect leads neither to a path nor to a web address")
    if CONTROL.search(location):
        raise ValueError("a redirect's address holds a control character")
    return quote(location, safe="!#$%&'()*+,/:;=?@[]~")

"""The outcomes of one render round in V8, validated from the bundle's JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from urllib.parse import quote

STATUSES = range(200, 600)
REDIRECTS = (301, 302, 303, 307, 308)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
MAX_PENDING_QUERIES = 64
"""A page has about four queries. A bundle with more than this in one round is broken."""


@dataclass(frozen=True)
class PendingQuery:
    """A query of a route loader that has no data yet. `key` is the bundle's cache key, returned unchanged."""

    key: str
    id: str
    data: object

    @classmethod
    def of(cls, id: str, data: object) -> PendingQuery:
        """The query with the key that the bundle computes. With any other key the data would be fetched twice."""
        return cls(f"{id}\n{json.dumps(data, ensure_ascii=False, separators=(',', ':'))}", id, data)


@dataclass(frozen=True)
class QueriesPending:
    queries: tuple[PendingQuery, ...]


@dataclass(frozen=True)
class RenderedHtml:
    """The page. `unused`: it did not use all prefetched data."""

    status: int
    html: str
    unused: bool = False


@dataclass(frozen=True)
class RenderedPicture:
    """A drawn chart, as an SVG document."""

    svg: str


@dataclass(frozen=True)
class Redirected:
    """A route redirects to another address."""

    status: int
    location: str
    unused: bool = False


@dataclass(frozen=True)
class RenderError:
    """JavaScript threw, and reported it; the isolate is intact."""

    message: str
    stack: str


RenderOutcome = QueriesPending | RenderedHtml | RenderedPicture | Redirected | RenderError


def read_outcome(text: str) -> RenderOutcome:
    """The outcome in the bundle's JSON. Raises ValueError for anything that is not a valid outcome."""
    match json.loads(text):
        case {"type": "pending", "queries": [_, *_] as queries} if len(queries) <= MAX_PENDING_QUERIES:
            return QueriesPending(tuple(map(_query, queries)))
        case {"type": "html", "status": int(status), "html": str(html), **rest} if status in STATUSES and html:
            return RenderedHtml(status, html, bool(rest.get("unused")))
        case {"type": "picture", "svg": str(svg)} if svg:
            return RenderedPicture(svg)
        case {"type": "redirect", "status": int(status), "location": str(location), **rest} if status in REDIRECTS:
            return Redirected(status, redirect_target(location), bool(rest.get("unused")))
        case {"type": "error", "message": str(message), **rest}:
            return RenderError(message, str(rest.get("stack") or ""))
        case _:
            raise ValueError("the bundle gave something that is none of pending, html, picture, redirect and error")


def _query(value: object) -> PendingQuery:
    match value:
        case {"key": str(key), "id": str(id), **rest}:
            return PendingQuery(key, id, rest.get("data"))
        case _:
            raise ValueError("a pending query has no key or no id")


def redirect_target(location: str) -> str:
    """A redirect's address, encoded for a header. Raises ValueError for one that no redirect may have."""
    # Browsers take //host and /\host for another site, so a path like //host/ must not become a redirect.
    if location.startswith(("//", "/\\")) or not location.startswith(("/", "https://", "http://")):
        raise ValueError("a redirect leads neither to a path nor to a web address")
    if CONTROL.search(location):
        raise ValueError("a redirect's address holds a control character")
    return quote(location, safe="!#$%&'()*+,/:;=?@[]~")

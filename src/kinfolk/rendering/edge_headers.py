"""The headers of a CDN that is purged: its name of the tags, and a longer lifetime of what a purge can drop.

Without a purge (`KINFOLK_CDN` empty) responses have `Cache-Tag` and the lifetimes of `runtime.cache`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.types import Message, Send

from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import PENDING_CODE, cache_tag_header, cdn_tag
from kinfolk.runtime.cache import REVALIDATED

TextHeaders = tuple[tuple[str, str], ...]

CACHE_TAG, SURROGATE_KEY, CDN_TAG = "cache-tag", "surrogate-key", "cdn-tag"
TAG_SEPARATORS: Mapping[str, str] = {CACHE_TAG: ",", SURROGATE_KEY: " ", CDN_TAG: ","}
"""Headers with tags. A value has at most 48 tags of ten digits, 0.5 kB: Cloudflare and Fastly take 16 kB, and Bunny
1024 bytes.

https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/
https://www.fastly.com/documentation/reference/http/http-headers/Surrogate-Key/
https://docs.bunny.net/cdn/purge-cache
"""
OF_CDN = {"fastly": SURROGATE_KEY, "bunny": CDN_TAG}
"""The headers of CDNs that read another one than CACHE_TAG."""
OF_SHARED_CACHES = frozenset({*TAG_SEPARATORS, "cdn-cache-control", "surrogate-control"})
"""Headers for shared caches only."""
PLAIN_CODE_S = 1
"""Seconds that a CDN keeps a page with code that is highlighted in less than a second. It is not purged then."""

_CDN_LIFETIME, _SURROGATE_LIFETIME = "cdn-cache-control", "surrogate-control"
_S_MAXAGE = re.compile(r", s-maxage=\d+")
_MAX_AGE = re.compile(r"\bmax-age=\d+")


@dataclass(frozen=True)
class EdgeHeaders:
    """`max_age_s` is 0 without a purge. `targeted` is the header of lifetimes for the CDN alone.

    With `s_maxage`, `Cache-Control` has the lifetime, too: Bunny and caches behind a hook may know no other header.
    """

    tags: str = CACHE_TAG
    max_age_s: int = 0
    targeted: str = _CDN_LIFETIME
    s_maxage: bool = False

    @classmethod
    def of(cls, settings: Settings) -> EdgeHeaders:
        """The headers for the CDN of these settings."""
        tags = settings.cdn_tags or OF_CDN.get(settings.cdn, CACHE_TAG)
        if not settings.cdn:
            return cls(tags)
        # Fastly reads `Surrogate-Control`, and removes it. Cloudflare reads `CDN-Cache-Control` (RFC 9213).
        targeted = _SURROGATE_LIFETIME if settings.cdn == "fastly" else _CDN_LIFETIME
        return cls(tags, settings.cdn_max_age_s, targeted, s_maxage=settings.cdn in ("bunny", "hook"))

    @property
    def changes_headers(self) -> bool:
        """Whether `rewrite` changes anything."""
        return self != EdgeHeaders()

    def rewrite(self, headers: TextHeaders) -> TextHeaders:
        """The headers of a response for this CDN. To rewrite them twice changes nothing.

        A response without tags cannot be purged, and keeps its lifetime.
        """
        given = dict(headers)
        tags = given.get(CACHE_TAG)
        if tags is None or not self.changes_headers:
            return headers
        names = tags.split(",")
        seconds = self.max_age_s
        if seconds and given.get("cache-control", "").startswith(REVALIDATED):
            if cdn_tag(PENDING_CODE) in names:
                seconds = PLAIN_CODE_S
            headers = tuple(self._with_lifetime(name, value, seconds) for name, value in headers)
        tagged = (self.tags, TAG_SEPARATORS[self.tags].join(names))
        return tuple(tagged if name == CACHE_TAG else (name, value) for name, value in headers)

    def _with_lifetime(self, name: str, value: str, seconds: int) -> tuple[str, str]:
        match name:
            case "cache-control" if self.s_maxage:
                return name, _S_MAXAGE.sub("", value).replace("max-age=0", f"max-age=0, s-maxage={seconds}", 1)
            case "cdn-cache-control":
                longer = _MAX_AGE.sub(f"max-age={seconds}", value, count=1)
                return self.targeted, f"max-age={seconds}" if seconds == PLAIN_CODE_S else longer
            case _:
                return name, value

    def wrap(self, send: Send) -> Send:
        """A `send` that rewrites the headers of all responses."""
        if not self.changes_headers:
            return send

        async def send_rewritten(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in message["headers"])
                message = {
                    **message,
                    "headers": [
                        (name.encode("latin-1"), value.encode("latin-1")) for name, value in self.rewrite(headers)
                    ],
                }
            await send(message)

        return send_rewritten


def with_other_tags(headers: TextHeaders, tags: Iterable[str]) -> TextHeaders:
    """The headers with the digests of these tags, in the header that has those of a page."""
    name = next((name for name, _ in headers if name in TAG_SEPARATORS), CACHE_TAG)
    others = tuple(header for header in headers if header[0] != name)
    value = cache_tag_header(tags).replace(",", TAG_SEPARATORS[name])
    return (*others, (name, value)) if value else others

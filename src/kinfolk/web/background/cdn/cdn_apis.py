"""The APIs by which Cloudflare, Fastly and Bunny purge responses by tag, Varnish, and a hook for others."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, Protocol

import orjson

from kinfolk.config.settings import Settings
from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.runtime.upstream.upstream_client import UpstreamClient

SIGNATURE = "x-kinfolk-signature"
"""The header with the signature of a request to a hook: `sha256=` and the HMAC-SHA256 of the body."""


@dataclass(frozen=True)
class PurgeRequest:
    """One request. `data` is the body, as JSON; None is no body."""

    address: str
    data: object = None
    method: Literal["POST", "BAN"] = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)


_NEEDED = {"hook": ("KINFOLK_CDN_TOKEN", "KINFOLK_CDN_API"), "varnish": ("KINFOLK_CDN_API",)}
"""Settings of those that are no service of another company, which needs a token and an id."""


class CdnApi(Protocol):
    """How one CDN is purged."""

    @property
    def name(self) -> str:
        """The name in messages."""
        ...

    @property
    def most_tags(self) -> int:
        """Most tags of a purge. More become tags of branches and kinds, and then a purge of everything."""
        ...

    def requests(self, tags: Collection[str] | None) -> Iterator[PurgeRequest]:
        """The requests that purge these tags; everything for None."""
        ...

    def headers(self, data: object) -> Mapping[str, str]:
        """The headers that authorize a request."""
        ...

    def confirms(self, body: bytes) -> bool:
        """Whether the body of a successful response says that the CDN has purged."""
        ...


@dataclass(frozen=True)
class Cloudflare:
    """Purges by tag, of all plans: 100 tags in a request, and 5 requests a minute on the free plan (25 at once).

    https://developers.cloudflare.com/cache/how-to/purge-cache/#purge-limits
    https://developers.cloudflare.com/api/resources/cache/methods/purge/
    """

    zone: str
    token: str
    api: str
    name: str = "Cloudflare"
    most_tags: int = 100

    def requests(self, tags: Collection[str] | None) -> Iterator[PurgeRequest]:
        data = {"purge_everything": True} if tags is None else {"tags": sorted(tags)}
        yield PurgeRequest(f"{self.api}/client/v4/zones/{self.zone}/purge_cache", data)

    def headers(self, data: object) -> Mapping[str, str]:
        del data
        return {"authorization": f"Bearer {self.token}"}

    def confirms(self, body: bytes) -> bool:
        return _object(body).get("success") is True


@dataclass(frozen=True)
class Fastly:
    """Purges by surrogate key: 256 keys in a request. Not soft: a stale page would be sent once more.

    https://www.fastly.com/documentation/reference/api/purging/#bulk-purge-tag
    """

    service: str
    token: str
    api: str
    name: str = "Fastly"
    most_tags: int = 256

    def requests(self, tags: Collection[str] | None) -> Iterator[PurgeRequest]:
        service = f"{self.api}/service/{self.service}"
        if tags is None:
            yield PurgeRequest(f"{service}/purge_all", {})
        else:
            yield PurgeRequest(f"{service}/purge", {"surrogate_keys": sorted(tags)})

    def headers(self, data: object) -> Mapping[str, str]:
        del data
        return {"fastly-key": self.token, "accept": "application/json"}

    def confirms(self, body: bytes) -> bool:
        # The ids of the purges by key, or `{"status": "ok"}` of a purge of everything.
        return bool(_object(body))


@dataclass(frozen=True)
class Bunny:
    """Purges by tag: one in a request. Of purges that may concern many files, an account has 20 at once, and one more
    every 2 s. A purge has at most 4 tags, so that three of them fit.

    https://docs.bunny.net/cdn/purge-cache#rate-limits
    https://docs.bunny.net/api-reference/core/pull-zone/purge-cache
    """

    zone: str
    token: str
    api: str
    name: str = "Bunny"
    most_tags: int = 4

    def requests(self, tags: Collection[str] | None) -> Iterator[PurgeRequest]:
        address = f"{self.api}/pullzone/{self.zone}/purgeCache"
        if tags is None:
            yield PurgeRequest(address, {})
            return
        for tag in sorted(tags):
            yield PurgeRequest(address, {"CacheTag": tag})

    def headers(self, data: object) -> Mapping[str, str]:
        del data
        return {"accesskey": self.token, "accept": "application/json"}

    def confirms(self, body: bytes) -> bool:
        del body  # status 204
        return True


@dataclass(frozen=True)
class PurgeHook:
    """Another program that purges caches: `{"tags": ["0a1b2c3d4e"], "all": false}`, signed with the secret."""

    address: str
    secret: str
    name: str = "The purge hook"
    most_tags: int = 100

    def requests(self, tags: Collection[str] | None) -> Iterator[PurgeRequest]:
        yield PurgeRequest(self.address, {"tags": sorted(tags or ()), "all": tags is None})

    def headers(self, data: object) -> Mapping[str, str]:
        digest = hmac.new(self.secret.encode(), orjson.dumps(data), hashlib.sha256).hexdigest()
        return {SIGNATURE: f"sha256={digest}"}

    def confirms(self, body: bytes) -> bool:
        del body
        return True


@dataclass(frozen=True)
class Varnish:
    """Varnish with deploy/varnish.vcl, which takes bans from its own machine only: there are no credentials."""

    address: str
    name: str = "Varnish"
    most_tags: int = 100

    def requests(self, tags: Collection[str] | None) -> Iterator[PurgeRequest]:
        names = "*" if tags is None else ",".join(sorted(tags))
        yield PurgeRequest(self.address, method="BAN", headers={"cache-tag": names})

    def headers(self, data: object) -> Mapping[str, str]:
        del data
        return {}

    def confirms(self, body: bytes) -> bool:
        # Another server may answer 200 to any method.
        return b"Banned" in body


def cdn_of(settings: Settings) -> CdnApi | None:
    """The CDN of these settings; None without one. Raises Invalid for a setting that it lacks."""
    if not settings.cdn:
        return None
    _check(settings)
    id, token, api = settings.cdn_id, settings.cdn_token, settings.cdn_api
    match settings.cdn:
        case "cloudflare":
            return Cloudflare(id, token, api or "https://api.cloudflare.com")
        case "fastly":
            return Fastly(id, token, api or "https://api.fastly.com")
        case "bunny":
            return Bunny(id, token, api or "https://api.bunny.net")
        case "hook":
            return PurgeHook(api, token)
        case "varnish":
            return Varnish(api)


def _check(settings: Settings) -> None:
    given = {
        "KINFOLK_CDN_TOKEN": settings.cdn_token,
        "KINFOLK_CDN_ID": settings.cdn_id,
        "KINFOLK_CDN_API": settings.cdn_api,
    }
    for name in _NEEDED.get(settings.cdn, ("KINFOLK_CDN_TOKEN", "KINFOLK_CDN_ID")):
        if not given[name]:
            raise Invalid(f"KINFOLK_CDN is {settings.cdn!r}, which needs {name}")
    if settings.cdn == "varnish" and settings.cdn_tags not in ("", "cache-tag"):
        raise Invalid("KINFOLK_CDN is 'varnish', which reads no other tags than those of KINFOLK_CDN_TAGS=cache-tag")
    if not settings.cdn_token.isascii() or not settings.cdn_token.isprintable():
        raise Invalid("KINFOLK_CDN_TOKEN has characters that no HTTP header can have")


class CdnClient:
    """Sends purges to a CDN. For one event loop."""

    def __init__(
        self, cdn: CdnApi, *, now: Callable[[], datetime] = lambda: datetime.now(UTC).replace(tzinfo=None)
    ) -> None:
        """`now` is in UTC, without a time zone."""
        self.cdn = cdn
        self._upstream = UpstreamClient(cdn.name, now=now)

    async def purge(self, tags: Collection[str] | None) -> int:
        """Purge these tags, at most `most_tags`; everything for None. Returns the number of requests.

        Raises RequestsRefused, UnexpectedStatus, NotFound, and Unavailable for all other failures.
        """
        count = 0
        for request in self.cdn.requests(tags):
            headers = {**request.headers, **self.cdn.headers(request.data)}
            answer = await self._upstream.send(request.method, request.address, request.data, headers=headers)
            if not self.cdn.confirms(answer.body):
                raise Unavailable(f"{self.cdn.name} does not confirm the purge")
            count += 1
        return count


def _object(body: bytes) -> Mapping[str, object]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}

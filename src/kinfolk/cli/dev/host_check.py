"""Which requests `kinfolk dev` answers: it shows unpublished docs, and any page on the web can send it requests.

A page of another site may have a host whose address changes to a loopback address (DNS rebinding). Its requests have
the name of that host in `Host`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kinfolk.web.same_origin import host_name, is_ip_address, is_loopback

SAFE_METHODS = frozenset({"GET", "HEAD"})


@dataclass(frozen=True)
class AllowedHosts:
    """Loopback hosts, those that are named, and IP addresses if the server listens on more than a loopback address."""

    listening: str
    named: Collection[str] = ()

    def allows(self, host: str) -> bool:
        name = host_name(host)
        if is_loopback(name) or name in (self.listening.lower(), *(each.lower() for each in self.named)):
            return True
        return is_ip_address(name) and not is_loopback(self.listening)

    def allows_origin(self, headers: Headers) -> bool:
        """Whether a request that changes or follows something comes from a page of this site, or from no page."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if site not in (None, "same-origin", "none"):
            return False
        return origin is None or self.allows(urlsplit(origin).netloc)


class HostCheck:
    """Refuses requests for other hosts, and requests of other sites' pages that change or follow something."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts, streams: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            is_plain = scope["method"] in SAFE_METHODS and scope["path"] not in self._streams
            if not self._hosts.allows(headers.get("host", "")):
                message = "kinfolk dev does not answer to this host. Name it with --allow-host.\n"
                return await PlainTextResponse(message, 421)(scope, receive, send)
            if not is_plain and not self._hosts.allows_origin(headers):
                return await PlainTextResponse("Other sites may not send this request\n", 403)(scope, receive, send)
        return await self._app(scope, receive, send)

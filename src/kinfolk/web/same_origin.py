"""Protection against cross-site requests: a request that changes something must come from a page of this site."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request

from kinfolk.config.settings import Settings
from kinfolk.runtime.errors import Refused


def check_same_origin(request: Request, settings: Settings, *, strict: bool = False) -> None:
    """Raises Refused for a request of another site's page.

    All current browsers send `Origin` with a POST. `strict` refuses requests without it and without `Sec-Fetch-Site`.
    """
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    own = (_host_of(settings.origin), str(request.base_url).rstrip("/"))
    if (origin is not None and origin not in own) or site not in (None, "same-origin", "none"):
        raise Refused("Other sites may not call this function")
    if strict and origin is None and site != "same-origin":
        raise Refused("The browser does not say which site sent this request")


def _host_of(address: str) -> str:
    """Scheme and host of an address, as in the header `Origin`."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"

"""Protection against cross-site requests: a request that changes something must come from a page of this site."""

from __future__ import annotations

from ipaddress import ip_address
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


def host_name(host: str) -> str:
    """The name or address in a `Host` header, in lower case; empty for an invalid one."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_ip_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(name: str) -> bool:
    """Whether browsers connect to this machine only: no name server can change where these names lead."""
    if is_ip_address(name):
        return ip_address(name).is_loopback
    return name == "localhost" or name.endswith(".localhost")


def _host_of(address: str) -> str:
    """Scheme and host of an address, as in the header `Origin`."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"

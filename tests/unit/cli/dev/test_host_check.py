"""`kinfolk dev` answers to loopback hosts and named ones, so that no site on the web can read unpublished docs."""

from __future__ import annotations

from collections.abc import Mapping

import httpx
import pytest
from starlette.responses import PlainTextResponse

from kinfolk.cli.dev.host_check import AllowedHosts, HostCheck

LOOPBACK = AllowedHosts("127.0.0.1", ("docs.acme.test",))


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8000",
        "LOCALHOST",
        "docs.localhost",
        "127.0.0.1:8000",
        "127.1.2.3",
        "[::1]:8000",
        "Docs.Acme.test:8000",
    ],
)
def test_loopback_and_named_hosts_are_allowed(host: str) -> None:
    assert LOOPBACK.allows(host)


@pytest.mark.parametrize(
    "host",
    [
        "attacker.test",
        "localhost.attacker.test",
        "127.0.0.1.attacker.test",
        "192.168.1.2:8000",
        "[fe80::1]",
        "",
        "[",
        "a@b",
    ],
)
def test_other_hosts_are_refused(host: str) -> None:
    assert not LOOPBACK.allows(host)


def test_addresses_are_allowed_where_the_server_listens_on_all() -> None:
    hosts = AllowedHosts("0.0.0.0")  # noqa: S104 - what a developer may choose
    assert hosts.allows("192.168.1.2:8000")
    assert not hosts.allows("attacker.test")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {}, 200),
        ("GET", "/", {"host": "attacker.test"}, 421),
        ("GET", "/_dev/changes", {"host": "attacker.test"}, 421),
        # A link from another site.
        ("GET", "/", {"sec-fetch-site": "cross-site"}, 200),
        ("GET", "/_dev/changes", {"origin": "http://localhost:8000", "sec-fetch-site": "same-origin"}, 200),
        ("GET", "/_dev/changes", {"origin": "https://attacker.test"}, 403),
        ("GET", "/_dev/changes", {"sec-fetch-site": "cross-site"}, 403),
        ("POST", "/", {}, 200),
        ("POST", "/", {"origin": "https://attacker.test"}, 403),
        ("POST", "/", {"origin": "null"}, 403),
        ("PUT", "/", {"sec-fetch-site": "same-site"}, 403),
    ],
)
async def test_requests_of_other_sites_are_refused(
    method: str, path: str, headers: Mapping[str, str], status: int
) -> None:
    app = HostCheck(PlainTextResponse("unpublished"), LOOPBACK, ("/_dev/changes",))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
        assert (await client.request(method, path, headers=headers)).status_code == status

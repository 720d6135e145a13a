"""Connections go to configured servers only, at the addresses that were checked."""

from __future__ import annotations

from collections.abc import Sequence

import httpx
import httpx2
import pytest

from kinfolk.runtime.upstream.pinned_transport import (
    AddressRefused,
    AllowedOrigins,
    PinnedAsyncTransport,
    PinnedOAuthTransport,
    PinnedTransport,
    async_transport,
    checked_addresses,
    is_public,
    uses_proxy,
)

GITHUB, OWN = "https://api.github.com", "https://git.acme.test:8443/api"
METADATA = "169.254.169.254"


def resolves_to(*addresses: str) -> AllowedOrigins:
    def find(host: str, port: int) -> Sequence[str]:
        assert (host, port) in (("api.github.com", 443), ("git.acme.test", 8443))
        return addresses

    return AllowedOrigins((GITHUB, OWN), find)


@pytest.mark.parametrize("address", ["140.82.112.6", "2606:50c0:8000::154", "64:ff9b::8c52:7006"])
def test_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "0.0.0.0",  # noqa: S104 - an address that is refused
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        METADATA,
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "2002:7f00:1::",
        "64:ff9b::a9fe:a9fe",
    ],
)
def test_other_address_is_not_public(address: str) -> None:
    assert not is_public(address)


def test_public_service_with_a_private_address_is_refused() -> None:
    with pytest.raises(AddressRefused):
        checked_addresses("github.com", 443, lambda *_: ["140.82.112.3", "10.0.0.1"])


def test_server_that_the_operator_configured_may_be_private() -> None:
    assert resolves_to("10.0.0.1").addresses(OWN) == ("10.0.0.1",)


@pytest.mark.parametrize(
    "url",
    [
        "https://attacker.test/",
        "http://api.github.com/",
        "https://api.github.com:8443/",
        "https://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "https://api.github.com@attacker.test/",
    ],
)
def test_other_origin_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        resolves_to("140.82.112.6").addresses(url)


class Server:
    """Records connections. Those to `down` fail."""

    def __init__(self, down: str = "", location: str = "") -> None:
        self.requests: list[tuple[str, str, object]] = []
        self._down = down
        self._location = location

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append((request.url.host, request.headers["host"], request.extensions["sni_hostname"]))
        if request.url.host == self._down:
            raise httpx.ConnectError("down", request=request)
        return httpx.Response(302, headers={"location": self._location}) if self._location else httpx.Response(200)


def sync_client(server: Server, origins: AllowedOrigins) -> httpx.Client:
    return httpx.Client(transport=PinnedTransport(httpx.MockTransport(server.answer), origins), follow_redirects=True)


def test_request_goes_to_the_checked_address_under_the_name_of_the_host() -> None:
    server = Server()
    sync_client(server, resolves_to("140.82.112.6")).get(f"{GITHUB}/user")
    assert server.requests == [("140.82.112.6", "api.github.com", "api.github.com")]


def test_next_address_is_used_if_the_first_does_not_answer() -> None:
    server = Server(down="2606:50c0:8000::154")
    assert sync_client(server, resolves_to("2606:50c0:8000::154", "140.82.112.6")).get(GITHUB).is_success
    assert [host for host, *_ in server.requests] == ["2606:50c0:8000::154", "140.82.112.6"]


def test_redirect_to_another_server_is_not_followed() -> None:
    server = Server(location=f"http://{METADATA}/latest/meta-data/")
    with pytest.raises(httpx.ConnectError, match="not configured"):
        sync_client(server, resolves_to("140.82.112.6")).get(GITHUB)
    assert [host for host, *_ in server.requests] == ["140.82.112.6"]


@pytest.mark.anyio
async def test_asynchronous_clients_refuse_private_addresses_too() -> None:
    server, origins = Server(), resolves_to(METADATA)
    first = PinnedAsyncTransport(httpx.MockTransport(server.answer), origins)
    async with httpx.AsyncClient(transport=first) as client:
        with pytest.raises(httpx.ConnectError, match="private"):
            await client.get(GITHUB)
    second = PinnedOAuthTransport(httpx2.MockTransport(lambda _: httpx2.Response(200)), origins)
    async with httpx2.AsyncClient(transport=second) as oauth:
        with pytest.raises(httpx2.ConnectError, match="private"):
            await oauth.get(GITHUB)
    assert server.requests == []


def test_proxy_of_the_environment_connects_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.acme.test:3128")
    assert uses_proxy()
    assert async_transport(GITHUB) is None

"""The address of the client, with and without proxies."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from kinfolk.web.protocol.client_address import MAX_HEADER, client_address, exact_client_address

TRUSTED = (ip_network("127.0.0.1"), ip_network("::1"), ip_network("10.0.0.0/8"))


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "client"),
    [
        ("203.0.113.7", "", "203.0.113.7"),
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "192.0.2.66, 198.51.100.1, 10.2.3.4", "198.51.100.1"),
        ("127.0.0.1", "10.1.1.1, 10.2.3.4", "10.1.1.1"),
        ("127.0.0.1", "198.51.100.1, junk, , unknown, 999.1.1.1", "198.51.100.1"),
        ("127.0.0.1", "junk", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("127.0.0.1", "[2001:db8:1:2:3:4:5:6]:4711", "2001:db8:1:2::/64"),
        ("::1", "2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "198.51.100.1", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "", "203.0.113.7"),
        ("::ffff:127.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
        ("fe80::1%eth0", "", "fe80::/64"),
        ("", "198.51.100.1", ""),
        ("testclient", "198.51.100.1", "testclient"),
    ],
)
def test_client_is_the_last_untrusted_address(peer: str, forwarded_for: str, client: str) -> None:
    assert client_address(peer, forwarded_for, TRUSTED) == client


def test_exact_address_is_not_grouped() -> None:
    assert exact_client_address("::1", "2001:db8:1:2:3:4:5:6", TRUSTED) == "2001:db8:1:2:3:4:5:6"
    assert exact_client_address("127.0.0.1", "198.51.100.1", TRUSTED) == "198.51.100.1"
    assert exact_client_address("testclient", "198.51.100.1", TRUSTED) == "testclient"


def test_only_the_end_of_a_long_header_is_parsed() -> None:
    assert client_address("127.0.0.1", "192.0.2.1," * 100_000 + "198.51.100.1", TRUSTED) == "198.51.100.1"
    assert client_address("127.0.0.1", "198.51.100.1," + " " * MAX_HEADER, TRUSTED) == "127.0.0.1"
    assert client_address("127.0.0.1", "9" * 100_000, TRUSTED) == "127.0.0.1"

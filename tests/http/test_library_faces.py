"""The icon and the pattern of each library: their addresses, and the pages that have them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import httpx
import pytest
from tests.http.conftest import Fetch

pytestmark = pytest.mark.anyio

SVG = "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("picture", ["icon", "pattern"])
async def test_picture_of_a_library_is_immutable_and_runs_no_scripts(
    client: httpx.AsyncClient, fetch: Fetch, picture: str
) -> None:
    libraries = (await fetch("site.shell")).json()["data"]["libraries"]
    addresses = {library[picture] for library in libraries}
    assert len(addresses) == len(libraries)
    for address in addresses:
        answer = await client.get(address)
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "immutable" in answer.headers["cache-control"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert ET.fromstring(answer.text).tag == SVG  # noqa: S314 - our own text
        old = address.partition("?")[0] + "?v=old"
        assert "immutable" not in (await client.get(old)).headers["cache-control"]
        known = await client.get(address, headers={"if-none-match": answer.headers["etag"]})
        assert known.status_code == 304


async def test_pages_without_a_library_have_a_pattern_of_the_family(client: httpx.AsyncClient, fetch: Fetch) -> None:
    address = (await fetch("site.shell")).json()["data"]["pattern"]
    assert ET.fromstring((await client.get(address)).text).tag == SVG  # noqa: S314 - our own text


@pytest.mark.parametrize("address", ["/_icons/nope.svg", "/_patterns/nope.svg", "/_patterns/query.png"])
async def test_picture_of_an_unknown_library_is_not_found(client: httpx.AsyncClient, address: str) -> None:
    answer = await client.get(address)
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")

"""Security headers of all responses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest

from kinfolk.config.settings import Settings
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def strict_site(settings: Settings) -> Site:
    return open_site(replace(settings, hsts_s=31_536_000))


@pytest.fixture
async def strict(strict_site: Site) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(SiteApp(strict_site))
    async with httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


@pytest.mark.no_cover
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS", "PUT"])
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/ranger/latest/docs/overview",
        "/ranger/latest/docs/overview.md",
        "/query/latest/",
        "/nowhere",
        "/robots.txt",
        "/sitemap.xml",
        "/llms.txt",
        "/blog",
        "/rss.xml",
        "/site.webmanifest",
        "/opensearch.xml",
        "/favicon.svg",
        "/_logos.svg",
        "/_logos.svg?v=old",
        "/_icons/query.svg",
        "/_icons/nope.svg",
        "/_patterns/query.svg",
        "/_server/theme.get",
        "/_server/nope",
        "/_server/docs.page?payload=junk",
        "/_shared/0/site.shell",
        "/_files/TanStack/query/main/examples/react/basic/package.json",
        "/_files/TanStack/query/main/nope",
        "/_examples/query/latest/react/basic.zip",
        "/_examples/query/latest/react/nope.zip",
        "/_hooks/github",
        "/og/query.jpg",
        "/og/nope",
        "/1/indexes/tanstack?query=a",
        "/1/nope",
        "/_nope",
        "/..%2fx",
        "/" + "x" * 5000,
    ],
)
async def test_all_responses_have_security_headers(strict: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await strict.request(method, httpx.URL("http://kinfolk.test", raw_path=path.encode()))
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    assert answer.headers.get_list("strict-transport-security") == ["max-age=31536000"]


async def test_hsts_is_off_by_default(client: httpx.AsyncClient) -> None:
    assert "strict-transport-security" not in (await client.get("/robots.txt")).headers

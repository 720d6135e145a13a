"""The upgrade page over HTTP: plans, the form for readers without scripts, and sites without packages."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.pages.upgrade_form import MAX_FORM_BYTES

pytestmark = pytest.mark.anyio
SECRET = "s3cret"
PACKAGE_JSON = json.dumps(
    {
        "name": SECRET,
        "dependencies": {
            "@tanstack/react-query": "^4.36.1",
            "@tanstack/react-table": "8.x || 9",
            "@tanstack/store": f"git+https://{SECRET}@example.com/store.git",
            f"@{SECRET}/other": "1",
        },
    },
    indent=2,
)


class Fetch(Protocol):
    async def __call__(self, id: str, data: object = None) -> httpx.Response: ...


async def send(client: httpx.AsyncClient, text: str) -> dict[str, list[str]]:
    """Send the form. Returns the parameters of the page that it leads to."""
    response = await client.post("/upgrade", data={"file": text})
    to = urlsplit(response.headers["location"])
    assert (response.status_code, to.path, response.headers["cache-control"]) == (303, "/upgrade", "no-store")
    return parse_qs(to.query)


async def test_form_leads_to_the_packages_and_nothing_else_of_the_file(client: httpx.AsyncClient) -> None:
    query = await send(client, PACKAGE_JSON)
    assert query == {"packages": ["@tanstack/react-query@^4.36.1,@tanstack/react-table@8.x || 9,@tanstack/store@url:"]}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ('{\r\n  "dependencies": {,}\r\n}', {"error": ["json"], "line": ["2"]}),
        ("lockfileVersion: '9.0'", {"error": ["lock"]}),
        ("", {"error": ["none"]}),
        ("x" * MAX_FORM_BYTES, {"error": ["large"]}),
    ],
)
async def test_form_leads_to_what_is_wrong(client: httpx.AsyncClient, text: str, query: dict[str, list[str]]) -> None:
    assert await send(client, text) == query


async def test_file_that_is_no_field_is_refused(client: httpx.AsyncClient) -> None:
    response = await client.post("/upgrade", content=b"\xff", headers={"content-type": "multipart/form-data"})
    assert response.headers["location"] == "/upgrade?error=json"


async def test_plan_of_a_project(fetch: Fetch, client: httpx.AsyncClient) -> None:
    packages = (await send(client, PACKAGE_JSON))["packages"][0]
    page = (await fetch("upgrade.plan", {"packages": packages})).json()["data"]
    by_library = {each["library"]: each for each in page["libraries"]}
    assert by_library["query"]["installed"] == {"name": "v4", "title": "v4"}
    assert by_library["query"]["current"]["title"] == "v5"
    assert by_library["table"]["isCurrent"]
    assert by_library["store"]["installed"] is None
    assert {"library": "query", "names": page["family"][2]["names"]} in page["family"]


@pytest.mark.parametrize("packages", ["@tanstack/query-core@5," * 600, 5, None])
async def test_request_without_a_short_text_is_refused(fetch: Fetch, packages: object) -> None:
    assert (await fetch("upgrade.plan", {"packages": packages})).status_code == 400


async def test_site_without_packages_has_no_page(site: Site) -> None:
    libraries = tuple(
        replace(each, packages=(), npm_packages=(), versions=tuple(replace(one, packages=()) for one in each.versions))
        for each in site.catalog.libraries
    )
    other = replace(site, catalog=replace(site.catalog, libraries=libraries))
    assert not other.has_upgrades
    app = SiteApp(other)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        assert (await client.post("/upgrade", data={"file": PACKAGE_JSON})).status_code == 405
        assert "/upgrade<" not in (await client.get("/sitemap-site.xml")).text
    assert not app.pages._addresses.match("/upgrade", site.content.publisher.reader()).page


async def test_footer_and_sitemap_have_the_page(fetch: Fetch, client: httpx.AsyncClient) -> None:
    footer = (await fetch("site.shell")).json()["data"]["footer"]
    assert [each["label"] for each in footer if each["to"] == "/upgrade"] == ["Upgrade"]
    assert "/upgrade<" in (await client.get("/sitemap-site.xml")).text

"""A site below a path of its host: no address of it leads outside, and requests outside are answered."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests.sites.sample_var import SAMPLE_VAR
from tests.sites.site_crawl import local_targets

from kinfolk.config.settings import Settings
from kinfolk.site.site import open_site, upgrade_database
from kinfolk.web.app import SiteApp

HOST = "https://kinfolk.test"
BASE = "/below/here"
ORIGIN = HOST + BASE
PAGES = (
    "/",
    "/query/latest",
    "/query/latest/docs/framework/react/overview",
    "/query/latest/docs/framework/react/guides/caching",
    "/query/latest/docs/framework/react/examples/basic",
    "/query/latest/docs/examples",
    "/blog",
    "/blog/feed.xml",
    "/blog/feed.json",
    "/stats/npm",
    "/stats/npm/embed",
    "/search?q=caching",
    "/dashboard",
    "/feedback",
    "/design",
    "/support",
    "/nowhere",
    "/sponsors-embed",
    "/sitemap.xml",
    "/sitemap-site.xml",
    "/sitemap-query-latest.xml",
    "/robots.txt",
    "/llms.txt",
    "/query/latest/llms.txt",
    "/query/latest/docs/framework/react/overview.md",
    "/api/md/query/latest/docs/framework/react/overview",
    "/query/changes.atom",
    "/site.webmanifest",
    "/opensearch.xml",
)
SKIPPED = ("/auth/", "/_hooks", "/_server", "/_shared", "/llms-full", "/og/", "/sample", "/login")
"""Not requested. Answers of functions are data of the app, which adds the base path itself."""
MOST_RESPONSES = 300


@dataclasses.dataclass
class Below:
    """A running site below a path, with a client."""

    app: SiteApp
    runner: asyncio.Runner

    def request(self, url: str, method: str = "GET", **options: object) -> httpx.Response:
        return self.runner.run(self._request(url, method, **options))

    async def _request(self, url: str, method: str, **options: object) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=HOST) as client:
            return await client.request(method, url, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def below(settings: Settings, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Below]:
    assert built
    var = tmp_path_factory.mktemp("below")
    shutil.copytree(SAMPLE_VAR.folder() / "search", var / "search")
    changed = dataclasses.replace(settings, origin=ORIGIN, var=var, search=True, secret="s" * 40)
    with asyncio.Runner() as runner:
        site = open_site(changed)
        upgrade_database(site.database, changed)
        app, stack = SiteApp(site), AsyncExitStack()
        runner.run(stack.enter_async_context(app.running()))
        assert site.search.updater is not None
        site.search.updater.wait(60)
        yield Below(app, runner)
        runner.run(stack.aclose())


def test_no_address_leads_outside_of_the_base_path(below: Below) -> None:
    queue = [ORIGIN + page for page in PAGES]
    seen, outside, failed = set(queue), {}, {}
    for count, url in enumerate(queue):
        response = below.request(url, headers={"accept-encoding": "identity"})
        location = response.headers.get("location")
        if location is not None:
            moved = response.request.url.join(location)
            targets = {str(moved).partition("#")[0]} if moved.host == response.request.url.host else set()
        else:
            targets = local_targets(url, response.headers.get("content-type", ""), _text(response))
        wrong = {target for target in targets if target != ORIGIN and not target.startswith(f"{ORIGIN}/")}
        if wrong:
            outside[url] = wrong
        if response.status_code >= 400 and url != f"{ORIGIN}/nowhere":
            failed[url] = response.status_code
        for target in sorted(targets - wrong - seen):
            path = urlsplit(target).path.removeprefix(BASE)
            if count < MOST_RESPONSES and not path.startswith(SKIPPED) and "/nowhere" not in target:
                seen.add(target)
                queue.append(target)
        if count >= MOST_RESPONSES:
            break
    assert outside == {}
    assert failed == {}
    assert len(seen) > len(PAGES) * 3


def _text(response: httpx.Response) -> str:
    kind = response.headers.get("content-type", "")
    return response.text if kind.startswith("text/") or "xml" in kind or "json" in kind else ""


def test_requests_outside_of_the_base_path_lead_to_the_site(below: Below) -> None:
    root = below.request("/")
    assert (root.status_code, root.headers["location"]) == (307, f"{BASE}/")
    bare = below.request(f"{BASE}?a=1")
    assert (bare.status_code, bare.headers["location"]) == (308, f"{BASE}/?a=1")
    for path in ("/query/latest", "/below", f"{BASE}other", "/_server/site.shell"):
        missing = below.request(path)
        assert (missing.status_code, f'href="{BASE}/"' in missing.text) == (404, True)


def test_health_checks_need_no_base_path(below: Below) -> None:
    assert below.request("/healthz").status_code == 200
    assert below.request(f"{BASE}/readyz").status_code == 200


def test_cached_pages_are_found_by_the_path_from_the_root_of_the_site(below: Below) -> None:
    assert below.request(f"{BASE}/query/latest/docs/framework/react/overview").status_code == 200
    cached = below.app.pages.cached_response(b"/query/latest/docs/framework/react/overview", [])
    assert cached is not None
    assert f'href="{BASE}/query/latest'.encode() in cached.body


def test_html_of_function_answers_has_the_base_path(below: Below) -> None:
    page = {"repo": "TanStack/query", "branch": "main", "filePath": "docs/framework/react/overview.md"}
    payload = json.dumps({"data": {**page, "version": "latest"}})
    answer = below.request(f"{BASE}/_server/docs.page", params={"payload": payload}).json()
    html = answer["data"]["html"]["$html"]
    assert f'href="{BASE}/' in html
    assert 'href="/query' not in html


def test_hits_of_the_search_api_have_the_base_path(below: Below) -> None:
    keys = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
    answer = below.request(f"{BASE}/1/indexes/tanstack/query", "POST", headers=keys, json={"query": "caching"})
    urls = [hit["url"] for hit in answer.json()["hits"]]
    assert urls
    assert all(url.startswith(f"{BASE}/") for url in urls)


def test_cookies_are_valid_below_the_base_path_only(below: Below) -> None:
    body = {"data": {"mode": "dark"}, "context": {}}
    answer = below.request(f"{BASE}/_server/theme.set", "POST", json=body, headers={"origin": HOST})
    assert answer.status_code == 200
    assert f"Path={BASE}/;" in answer.headers["set-cookie"]
    begun = below.request(f"{BASE}/auth/email", "POST", data={"email": "ann@example.com"}, headers={"origin": HOST})
    assert begun.headers["location"].startswith(f"{BASE}/login")
    for cookie in begun.headers.get_list("set-cookie"):
        assert not cookie.startswith("__Host-")
        assert f"Path={BASE}/;" in cookie


def test_manifest_begins_below_the_base_path(below: Below) -> None:
    manifest = below.request(f"{BASE}/site.webmanifest").json()
    assert manifest["start_url"] == f"{BASE}/"
    assert all(icon["src"].startswith(f"{BASE}/") for icon in manifest["icons"])

"""InstantSearch and DocSearch, unmodified, in a browser, on a page of another origin."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, expect
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.sample_var import SAMPLE_VAR

from kinfolk.config.settings import ROOT

BIN = Path(sys.executable).parent
TIMEOUT_S = 60
ADMIN_HEADERS = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "only for tests"}
SETTINGS = {
    "searchableAttributes": ["unordered(hierarchy.lvl1)", "content"],
    "attributesForFaceting": ["searchable(library)", "filterOnly(version)"],
    "attributesToSnippet": ["content:8"],
}
PAGES = [("query", "Caching"), ("query", "Cancelling <b>"), ("query", "Caching on disk"), ("form", "Caching a draft")]


def record(library: str, title: str) -> dict[str, object]:
    levels: dict[str, str | None] = {f"lvl{level}": None for level in range(2, 7)}
    return {
        "objectID": f"{library} {title}",
        "hierarchy": {"lvl0": library, "lvl1": title, **levels},
        "content": f"What {title} is about, and <i>no</i> markup.",
        "type": "lvl1",
        "url": f"https://example.com/{library}",
        "library": library,
        "version": ["latest"],
    }


class _SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("search")
    environment = PLAIN | {"KINFOLK_SEARCH_ADMIN_KEY": ADMIN_HEADERS["x-algolia-api-key"]}
    with serving(folder, environment=environment, var=SAMPLE_VAR.folder()) as server:
        with httpx.Client(base_url=server.url, headers=ADMIN_HEADERS, timeout=TIMEOUT_S) as client:
            client.put("/1/indexes/pages/settings", json=SETTINGS).raise_for_status()
            batch = [{"action": "addObject", "body": record(*page)} for page in PAGES]
            task = client.post("/1/indexes/pages/batch", json={"requests": batch}).json()["taskID"]
            while client.get(f"/1/task/{task}").json()["status"] != "published":
                pass
        yield server


@pytest.fixture(scope="module")
def client_origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin that serves the page with the clients."""
    folder = tmp_path_factory.mktemp("page")
    command = [str(BIN / "node"), "node_modules/vite/bin/vite.js", "build", "--config", "vite.clients.config.ts"]
    build = [*command, "--outDir", str(folder), "--logLevel", "error"]
    subprocess.run(build, cwd=ROOT / "frontend", check=True, timeout=180)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_SilentHandler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Browser, server: Server, client_origin: str) -> Iterator[Page]:
    parameters = {
        "host": server.url.removeprefix("http://"),
        "app": "kinfolk",
        "key": "kinfolk-search",
        "index": "pages",
    }
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{client_origin}/index.html?{urlencode(parameters)}")
        yield page


def test_instantsearch_searches_paginates_and_refines_by_facet_search(page: Page) -> None:
    preflights: list[Request] = []
    page.on("request", lambda request: preflights.append(request) if request.method == "OPTIONS" else None)
    page.get_by_placeholder("Find a page").press_sequentially("cachnig")
    # Each key has a response of its own: the counts are those of the last response.
    facets = page.locator(".ais-RefinementList-item")
    expect(facets).to_have_text([re.compile(r"query\s*2"), re.compile(r"form\s*1")])
    expect(page.locator(".ais-Hits-item")).to_have_count(2)
    expect(page.locator(".ais-Highlight-highlighted").first).to_be_visible()
    page.get_by_role("link", name="Page 2", exact=True).click()
    page.locator(".ais-Pagination-item--selected", has_text="2").wait_for()
    # The page number changes before the response arrives. The response renders the facets again.
    expect(page.locator(".ais-Hits-item")).to_have_count(1)
    # Each key waits for the response to the previous one: the widget shows the response that arrives last.
    for key, highlighted in ("f", "f"), ("o", "fo"):
        page.locator(".ais-RefinementList-searchBox input").press_sequentially(key)
        expect(page.locator(".ais-RefinementList-labelText .ais-Highlight-highlighted")).to_have_text([highlighted])
    # The response to the click renders all facets again, the selected one first.
    facets.filter(has_text="form").locator(".ais-RefinementList-checkbox").click()
    expect(page.locator(".ais-RefinementList-item--selected")).to_contain_text("form")
    expect(page.locator(".ais-RefinementList-checkbox").first).to_be_checked()
    page.locator(".ais-Hits-item", has_text="Caching a draft").wait_for()
    expect(page.locator(".ais-Hits-item")).to_have_count(1)
    assert not preflights


def test_docsearch_shows_hits_and_escapes_their_markup(page: Page) -> None:
    page.locator(".DocSearch-Button").click()
    page.locator(".DocSearch-Input").press_sequentially("cancelling")
    hit = page.locator(".DocSearch-Hit").first
    # Each key has a response of its own: the first ones may show other hits or highlight less of the word.
    expect(hit).to_contain_text("Cancelling <b>")
    expect(hit.locator("mark").first).to_have_text("Cancelling")
    assert (
        json.loads(
            page.evaluate("JSON.stringify(document.querySelectorAll('.DocSearch-Hit b, .DocSearch-Hit i').length)")
        )
        == 0
    )

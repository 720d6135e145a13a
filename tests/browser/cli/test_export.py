"""Reading, search and navigation on an export, served by a plain web server."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import OpenPage
from tests.servers.serving import free_port
from tests.sites.sample_export import BASE_PATH, SAMPLE_EXPORT

DOC = "/query/latest/docs/framework/react/guides/caching/"
EXAMPLE = "/query/latest/docs/framework/react/examples/basic/"


@dataclass(frozen=True)
class ExportServer:
    """A plain web server of an export."""

    url: str


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExportServer]:
    """The export of the sample site, below its base path."""
    assert built
    root, port = tmp_path_factory.mktemp("export"), free_port()
    (root / BASE_PATH.lstrip("/")).symlink_to(SAMPLE_EXPORT.folder() / "site")
    files = ThreadingHTTPServer(("127.0.0.1", port), functools.partial(QuietHandler, directory=root))
    threading.Thread(target=files.serve_forever, daemon=True).start()
    yield ExportServer(f"http://127.0.0.1:{port}{BASE_PATH}")
    files.shutdown()
    files.server_close()


def test_visits_and_search_need_no_server(open_page: OpenPage) -> None:
    reader = open_page(DOC)
    page = reader.page
    before = page.locator("h1").inner_text()
    page.locator("a[data-near]").first.click()
    expect(page.locator("h1")).not_to_have_text(before)
    assert reader.path().endswith("/")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("caching")
    option = page.get_by_role("listbox").get_by_role("option").first
    expect(option).to_be_visible()
    option.click()
    expect(page.locator("h1")).to_have_text(before)
    assert reader.console_errors == []
    assert reader.calls == []


def test_search_page_shows_the_results_of_its_query(open_page: OpenPage) -> None:
    reader = open_page("/search/?q=retry")
    expect(reader.page.get_by_text("results").first).to_be_visible()
    assert "q=retry" in reader.path()
    assert reader.console_errors == []


def test_example_viewer_opens_files(open_page: OpenPage) -> None:
    reader = open_page(EXAMPLE)
    reader.page.get_by_role("tree").get_by_role("treeitem", name="package.json").click()
    expect(reader.page.locator(".example-path")).to_contain_text("package.json")
    reader.open(f"{EXAMPLE}?path=examples%2Freact%2Fbasic%2Fpackage.json")
    expect(reader.page.locator(".example-path")).to_contain_text("package.json")
    assert reader.console_errors == []


def test_theme_is_kept_without_a_request(open_page: OpenPage) -> None:
    reader = open_page(DOC)
    reader.page.get_by_role("button", name="theme").first.click()
    reader.wait_for("document.documentElement.dataset.theme === 'light'")
    reader.page.reload()
    reader.wait_for("document.documentElement.dataset.theme === 'light'")
    assert reader.calls == []


def test_blog_is_filtered_by_its_query(open_page: OpenPage) -> None:
    reader = open_page("/blog/", reduced_motion="reduce")
    page = reader.page
    everything = page.locator(".post-cards > li").count()
    reader.open("/blog/?library=query")
    filters = page.get_by_role("navigation", name="Posts by library")
    expect(filters.get_by_role("link", name="Query posts")).to_have_attribute("aria-current", "true")
    assert 0 < page.locator(".post-cards > li").count() < everything

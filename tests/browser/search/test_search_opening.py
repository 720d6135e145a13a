"""What a reader waits for who opens the search, and who types."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.conftest import OpenPage, hold_requests, wait_until
from tests.browser.search.search_dialog import (
    PAGE,
    QUERIES,
    OpenSearch,
    load_and_search,
    results,
    search_box,
    search_for,
)
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import Server

MAX_REQUESTS = 12
MAX_BYTES = 120_000
LATE_MS = 1500
"""Longer than the connect timeout of Algolia's client, which also ends the wait for headers."""
ANNOUNCE_MS = 700


@pytest.fixture(scope="module", autouse=True)
def search_index(server: Server) -> None:
    wait_for_search_index(server)


class Traffic:
    """The requests of a page and their bytes on the wire, those from the cache included."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, float] = {}
        self.urls: dict[str, str] = {}
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.requestWillBeSent", self._add)
        network.on("Network.loadingFinished", self._finish)

    def _add(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.urls[event["requestId"]] = event["request"]["url"]

    def _finish(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.urls:
            self.bytes[event["requestId"]] = event["encodedDataLength"]


def test_cold_opening_takes_few_requests_and_bytes(open_page: OpenPage) -> None:
    page = open_page(PAGE).page
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    page.keyboard.press("Control+k")
    expect(search_box(page)).to_be_focused()
    search_box(page).fill("invalidate queries")
    expect(results(page).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    urls = sorted(traffic.urls.values())
    assert len(urls) <= MAX_REQUESTS, urls
    assert sum(traffic.bytes.values()) <= MAX_BYTES


def test_what_only_the_page_needs_is_loaded_after_the_search_is_closed(open_page: OpenPage) -> None:
    page = open_page(PAGE).page
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.keyboard.press("Control+k")
    expect(search_box(page)).to_be_focused()
    page.wait_for_timeout(600)  # longer than the browser may delay what is done when it is idle
    assert not [url for url in urls if "/reader-" in url or url.endswith(".woff2")]
    page.keyboard.press("Escape")
    wait_until(page, lambda: any("/reader-" in url for url in urls), "the page loads what it needs")


def test_late_answer_is_shown_when_it_comes_and_requested_once(open_page: OpenPage) -> None:
    page = load_and_search(open_page)
    held = hold_requests(page, QUERIES)
    search_box(page).fill("cache")
    wait_until(page, lambda: bool(held), "the query is sent")
    page.wait_for_timeout(LATE_MS)
    assert len(held) == 1
    held[0].continue_()
    expect(results(page).first).to_be_visible()
    assert len(held) == 1


RECORD_ANNOUNCEMENTS = """() => {
  const region = document.querySelector('dialog output')
  window.heard = []
  new MutationObserver(() => {
    if (region.textContent) window.heard.push([Math.round(performance.now() - window.lastKey), region.textContent])
  }).observe(region, { childList: true, characterData: true, subtree: true })
  addEventListener('input', () => { window.lastKey = performance.now() }, { capture: true })
}"""


def test_typed_text_is_announced_once_after_the_last_key(open_search: OpenSearch) -> None:
    page = open_search()
    page.evaluate(RECORD_ANNOUNCEMENTS)
    search_box(page).press_sequentially("window focus r", delay=60)
    expect(page.locator("dialog output")).to_have_text(re.compile("^[0-9]+ results?"))
    (announcement,) = page.evaluate("window.heard")
    assert announcement[0] >= ANNOUNCE_MS


def test_home_and_end_move_the_cursor_and_select_the_text(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "fetching")
    search_box(page).press("ArrowDown")
    selection = "(box) => [box.selectionStart, box.selectionEnd]"
    for key, expected in [
        ("Home", [0, 0]),
        ("Shift+End", [0, 8]),
        ("End", [8, 8]),
        ("Shift+Home", [0, 8]),
    ]:
        search_box(page).press(key)
        assert search_box(page).evaluate(selection) == expected, key
    expect(results(page).nth(1)).to_have_attribute("aria-selected", "true")


def test_earlier_results_stay_below_the_message_of_a_failure(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "prefetch")
    count = results(page).count()

    def refuse(route: Route) -> None:
        route.abort()

    page.route(QUERIES, refuse)
    search_box(page).press_sequentially("ing")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Search is unreachableCheck your connection.")
    expect(results(page)).to_have_count(count)
    above, below = alert.bounding_box(), results(page).first.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    page.unroute(QUERIES)
    page.get_by_role("button", name="Try again").click()
    expect(alert).to_have_count(0)
    expect(results(page).first).to_be_visible()


@pytest.mark.parametrize("text", ["?", "   ", "🎉", "1️⃣"])
def test_text_without_words_is_not_searched_for(open_search: OpenSearch, text: str) -> None:
    page = open_search()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if "/1/indexes" in request.url else None)
    search_box(page).fill(text)
    title = "No results found" if text.strip() else "Search the product"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(results(page)).to_have_count(0)
    assert requests == []

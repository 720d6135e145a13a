"""The search dialog of a page in Chromium, for the tests of this folder."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, Response, expect
from tests.browser.conftest import OpenPage

PAGE = "/query/latest/docs/framework/react/overview"
NO_LIBRARY = "/blog"
"""A page of no library: its search has no library filter."""
ANOTHER_LIBRARY = "/form/latest/docs/overview"
QUERIES = "**/1/indexes/**"
TIMEOUT_MS = 12_000
"""Timeout of a request, for the start of the response and for all of it."""

OpenSearch = Callable[..., Page]


def load_and_search(load_page: OpenPage, path: str = PAGE, **options: object) -> Page:
    """Open the search in a new document."""
    reader = load_page(path, **options)
    reader.interact()
    press_shortcut(reader.page)
    return reader.page


def press_shortcut(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(search_box(page)).to_be_focused()


def search_box(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search")


def results(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Results").get_by_role("option")


def enter_query(page: Page, text: str) -> Response:
    """Enter a text at once, and wait for the response. A document asks once only: each test has texts of its own."""
    body = json.dumps({"query": text}, separators=(",", ":"))[1:-1]
    with page.expect_response(lambda response: body in (response.request.post_data or "")) as response_info:
        search_box(page).fill(text)
    return response_info.value


def other_hits(answers: list[dict[str, Any]]) -> int:
    """The number of hits of other libraries. Only their request excludes some."""
    return sum(len(answer["hits"]) for answer in answers[1:] if "NOT+library" in answer["params"])


def search_for(page: Page, text: str) -> None:
    """Enter a text and wait until its results are shown."""
    answers = enter_query(page, text).json()["results"]
    others = other_hits(answers)
    # The count is announced when no request is pending.
    announced = f", {others} in other libraries" if others else ""
    expect(page.locator("dialog output")).to_have_text(re.compile(rf"^{answers[0]['nbHits']} results?{announced}$"))
    # Results outside the viewport render last.
    expect(results(page)).to_have_count(len(answers[0]["hits"]) + others)
    expect(results(page).first).to_be_visible()


def raise_timeouts(page: Page) -> None:
    """Raise the timeouts of the client to a minute: a busy machine must not look like a slow connection."""
    script = """(timeout) => {
      const original = window.setTimeout
      window.setTimeout = (act, ms, ...more) => original(act, ms === timeout ? 60_000 : ms, ...more)
    }"""
    page.evaluate(script, TIMEOUT_MS)

"""Readers whom a redirect or a menu led to another page than they expected: the notice in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import NO_SCRIPTS, layout_shifts

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage

QUERY = "/query/latest/docs"
CACHING = f"{QUERY}/framework/react/guides/caching"
REDIRECTED = f"{QUERY}/guides/caching?utm_source=mail"
EXAMPLE = f"{QUERY}/framework/react/examples/basic"
TEXT = "Your link names no framework."
NOTICE = "[data-arrival]"
FONT_SHIFT = 0.002
"""Words after code within a line move when the code's font has loaded. A notice that pushes the page down has 0.05."""


@pytest.mark.parametrize("width", [375, 1280])
def test_notice_is_announced_and_dismissed_and_leaves_the_address(shared_tab: OpenPage, width: int) -> None:
    reader = shared_tab(NO_SCRIPTS)
    page = reader.page
    page.set_viewport_size({"width": width, "height": 800})
    reader.open(REDIRECTED)
    expect(page.locator(NOTICE)).to_be_visible()
    expect(page.locator(NOTICE)).to_contain_text(TEXT)
    expect(page.locator("#Site-announcer")).to_contain_text(TEXT)
    assert reader.path() == f"{CACHING}?utm_source=mail"
    assert layout_shifts(page, limit=FONT_SHIFT) == []
    assert reader.calls == []
    # The page has no answers, so that the app calls functions.
    reader.start_app()
    expect(page.locator(NOTICE)).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator(NOTICE)).to_be_hidden()
    expect(page.get_by_role("main")).to_be_focused()
    assert reader.console_errors == []
    page.reload()
    expect(page.locator(NOTICE)).to_have_count(0)


def test_notice_links_to_other_frameworks_without_javascript(shared_tab: OpenPage) -> None:
    page = shared_tab(REDIRECTED, javascript=False).page
    expect(page.locator(NOTICE)).to_be_visible()
    expect(page.get_by_role("button", name="Dismiss")).to_be_hidden()
    page.get_by_role("complementary", name="About your link").get_by_role("link", name="Vue").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url.endswith("/framework/vue/guides/caching")


def test_visit_shows_the_notice_once(shared_tab: OpenPage) -> None:
    reader = shared_tab(f"{QUERY}/framework/react/overview")
    reader.page.wait_for_load_state("networkidle")
    reader.page.evaluate("window.sameDocument = true")
    reader.visit(f"{CACHING}?from={QUERY}/guides/caching")
    expect(reader.page.locator(NOTICE)).to_be_visible()
    reader.wait_for("location.search === ''")
    assert reader.page.evaluate("window.sameDocument") is True
    reader.page.go_back()
    expect(reader.page.locator(NOTICE)).to_have_count(0)
    reader.page.go_forward()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("The Life of a Query")
    expect(reader.page.locator(NOTICE)).to_have_count(0)


def test_example_with_a_notice_hydrates_from_its_own_answers(shared_tab: OpenPage) -> None:
    reader = shared_tab(f"{EXAMPLE}?from=reactQueryV3")
    expect(reader.page.locator(NOTICE)).to_be_visible()
    reader.wait_for("location.search === ''")
    reader.interact()
    expect(reader.page.locator(NOTICE)).to_be_visible()
    assert (reader.console_errors, reader.calls) == ([], [])


def test_missing_page_offers_a_search_and_explains_start_over(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{QUERY}/framework/react/guides/life-of-data").page
    expect(page.get_by_role("link", name="Start Over")).to_have_accessible_description("Start over at the home page.")
    page.get_by_role("link", name="Search for “life of data”").click()
    expect(page).to_have_title("Search | TanStack")
    assert page.url.endswith("/search?q=life+of+data&library=query")

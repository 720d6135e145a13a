"""Prose pages in a browser: without JavaScript, without other hosts, in both themes, at all widths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import overflowing_widths

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage

PAGES = {
    "/support": "Help and support",
    "/learn": "Learn",
    "/ethos": "Ethos",
    "/dedicated-support": "Dedicated support",
    "/terms": "Terms of Service",
    "/privacy": "Privacy Policy",
}
FREE_SHARE = """() => {
  const column = document.querySelector('.prose-page').getBoundingClientRect()
  const beside = [...document.querySelectorAll('.prose-page-side > *')]
  const right = Math.max(...beside.map((element) => element.getBoundingClientRect().right))
  const picture = document.querySelector('.prose-page-picture svg').getBoundingClientRect().right
  return Math.max(column.right - right, column.right - picture) / column.width
}"""
"""The share of the column that is free at the right of the text or of the title."""
MAIN_TEXT = "document.querySelector('main').innerText"


@pytest.mark.parametrize(("path", "title"), PAGES.items())
def test_page_has_same_text_without_javascript(open_page: OpenPage, path: str, title: str) -> None:
    page = open_page(path, javascript=False).page
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    text = page.locator("main").inner_text()
    reader = open_page(path)
    reader.start_app()
    assert reader.page.evaluate(MAIN_TEXT).replace("\nCopy", "") == text
    assert reader.page.title() == f"{title} | TanStack"
    # Photos are on other hosts, which tests may not reach.
    assert [message for message in reader.console_errors if "Failed to load resource" not in message] == []


def test_no_page_has_accessibility_violations(open_page: OpenPage) -> None:
    reader = open_page("/support")
    violations_by_path = {}
    for path in PAGES:
        reader.open(path)
        violations_by_path[path] = violations(reader.page)
    assert violations_by_path == {path: [] for path in PAGES}


def test_no_page_is_wider_than_viewport_and_its_text_fills_the_column(open_page: OpenPage) -> None:
    reader = open_page("/support")
    too_wide, free = {}, {}
    for path in PAGES:
        reader.open(path)
        too_wide[path] = overflowing_widths(reader.page, (320, 375, 768))
        for width in (1280, 1440, 1920):
            too_wide[path] += overflowing_widths(reader.page, (width,))
            free[path, width] = reader.page.evaluate(FREE_SHARE)
    assert too_wide == {path: [] for path in PAGES}
    assert {place: share for place, share in free.items() if share > 0.1} == {}


def test_initials_replace_photos_that_fail_to_load(open_page: OpenPage) -> None:
    reader = open_page("/terms")
    reader.page.route("https://**", lambda route: route.abort())
    reader.open("/dedicated-support")
    initials = reader.page.locator(".consultant-photo text")
    expect(initials).to_have_count(4)
    # The order after the first consultant changes daily.
    assert sorted(initials.all_text_contents()) == ["CC", "DD", "KC", "TL"]


def test_links_of_library_have_distinct_names(open_page: OpenPage) -> None:
    page = open_page("/support").page
    expect(page.get_by_role("link", name="Issues of TanStack Query")).to_have_attribute(
        "href", "https://github.com/TanStack/query/issues"
    )


def test_link_between_prose_pages_keeps_document(open_page: OpenPage) -> None:
    reader = open_page("/support")
    reader.interact()
    reader.page.evaluate("window.sameDocument = true")
    reader.page.locator("main").get_by_role("link", name="Dedicated support").first.click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Dedicated support")
    assert reader.page.evaluate("window.sameDocument") is True

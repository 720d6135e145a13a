"""Prose pages in a browser: without JavaScript, without other hosts, in both themes, at all widths."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def test_pages_are_the_same_without_javascript_accessible_and_fit_all_widths(open_page: OpenPage) -> None:
    without_scripts = open_page("/support", javascript=False).page
    reader = open_page("/support")
    page = reader.page
    too_wide, free = {}, {}
    for path, title in PAGES.items():
        without_scripts.goto(reader.server.url + path)
        expect(without_scripts.get_by_role("heading", level=1)).to_have_text(title)
        text = without_scripts.locator("main").inner_text()
        reader.open(path)
        reader.start_app()
        assert page.evaluate(MAIN_TEXT).replace("\nCopy", "") == text, path
        assert page.title() == f"{title} | TanStack"
        # Photos are on other hosts, which tests may not reach.
        assert [message for message in reader.console_errors if "Failed to load resource" not in message] == [], path
        if path != "/privacy":
            # The privacy policy has the template of the terms of service.
            assert violations(page) == [], path
        too_wide[path] = overflowing_widths(page, (320, 375, 768))
        for width in (1440, 1920, 1280):
            too_wide[path] += overflowing_widths(page, (width,))
            free[path, width] = page.evaluate(FREE_SHARE)
        # The next text is that of the first viewport.
        page.set_viewport_size({"width": 1280, "height": 720})
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
    page = open_page("/support", javascript=False).page
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

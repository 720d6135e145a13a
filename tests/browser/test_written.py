"""The site's own pages in a real browser: whole without JavaScript, without strangers, in both themes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.test_accessibility import violations

if TYPE_CHECKING:
    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

PAGES = {
    "/support": "Help and support",
    "/learn": "Learn",
    "/ethos": "Ethos",
    "/dedicated-support": "Dedicated support",
    "/terms": "Terms of Service",
    "/privacy": "Privacy Policy",
}
WORDS = "document.querySelector('main').innerText"


@pytest.mark.parametrize(("path", "title"), PAGES.items())
def test_a_page_says_the_same_without_javascript(read: Open, path: str, title: str) -> None:
    plain = read(path, javascript=False).page
    expect(plain.get_by_role("heading", level=1)).to_have_text(title)
    words = plain.locator("main").inner_text()
    reader = read(path)
    reader.start_app()
    assert reader.page.evaluate(WORDS).replace("\nCopy", "") == words
    assert reader.page.title() == f"{title} | TanStack"
    # Photos are elsewhere, and may not be had.
    assert [said for said in reader.complaints if "Failed to load resource" not in said] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_violations(read: Open, theme: str) -> None:
    reader = read("/support", color_scheme=theme)
    found = {}
    for path in PAGES:
        reader.open(path)
        found[path] = violations(reader.page)
    assert found == {path: [] for path in PAGES}


@pytest.mark.parametrize("width", [320, 375, 768, 1280, 1920])
def test_no_page_is_wider_than_its_window(read: Open, width: int) -> None:
    reader = read("/support", viewport={"width": width, "height": 800})
    wide = []
    for path in PAGES:
        reader.open(path)
        if reader.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
    assert wide == []


def test_where_photos_cannot_be_had_there_are_initials(read: Open) -> None:
    reader = read("/terms")
    reader.page.route("https://**", lambda route: route.abort())
    reader.open("/dedicated-support")
    faces = reader.page.locator(".consultant-face text")
    expect(faces).to_have_count(4)
    # Whoever comes after the first changes with the day.
    assert sorted(faces.all_text_contents()) == ["CC", "DD", "KC", "TL"]


def test_the_places_of_a_library_have_names_of_their_own(read: Open) -> None:
    page = read("/support").page
    expect(page.get_by_role("link", name="Issues of TanStack Query")).to_have_attribute(
        "href", "https://github.com/TanStack/query/issues"
    )


def test_a_page_is_reached_from_another_without_loading_it_whole(read: Open) -> None:
    reader = read("/support")
    reader.start_app()
    reader.page.evaluate("window.stayed = true")
    reader.page.locator("main").get_by_role("link", name="Dedicated support").first.click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Dedicated support")
    assert reader.page.evaluate("window.stayed") is True

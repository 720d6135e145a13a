"""The symbol popover of names in code, and copies with imports: pointer, keyboard and touch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import layout_shifts
from tests.servers.serving import LEAN, Server, serving
from tests.sites.checked_site import (
    IMPORT,
    OTHER_PATH,
    PAGE,
    PATH,
    REFERENCE,
    SECOND,
    without_code_checks,
    write_checked_site,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from tests.browser.conftest import OpenPage, Reader

OPEN_POPOVER = ".symbol-popover:popover-open"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
INSIDE = """(selector) => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect()
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
}"""


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    folder = tmp_path_factory.mktemp("checked")
    write_checked_site(folder / "repos", folder / "stored")
    environment = LEAN | {"KINFOLK_NPM_REGISTRY": "http://127.0.0.1:9"}
    content = ("--content", str(folder / "repos"))
    with (
        serving(folder, *content, environment=environment, var=folder / "stored") as checked_server,
        without_code_checks(folder / "var"),
    ):
        yield checked_server


def popover(page: Page) -> Locator:
    return page.locator(OPEN_POPOVER)


def code(page: Page, number: int) -> Locator:
    """A code block of the page with known names."""
    return page.locator(f"[data-names='{number}']")


def uses(reader: Reader) -> list[str]:
    """What was requested for names in code."""
    return [url for url in reader.loaded_urls if "/assets/codeNames" in url or "/docs.names?" in url]


def test_pointer_shows_what_is_known_about_a_name(open_page: OpenPage) -> None:
    reader = open_page(PAGE, **DESKTOP)
    page = reader.page
    page.mouse.move(5, 5)
    page.mouse.move(600, 160)
    assert uses(reader) == []
    name = code(page, 0).get_by_role("link", name="useQuery").first
    name.hover()
    expect(popover(page)).to_contain_text("Fetches data, and keeps it fresh.")
    expect(popover(page)).to_have_attribute("role", "dialog")
    assert page.evaluate(INSIDE, OPEN_POPOVER)
    expect(popover(page).get_by_role("heading")).to_have_text("More options of useQuery")
    assert "cacheTime" not in popover(page).get_by_role("list").inner_text()
    # The bundle and the names of one block, and nothing of the page that the link leads to.
    assert len(uses(reader)) == 2
    assert not [url for url in reader.loaded_urls if url.endswith(REFERENCE)]
    assert reader.layout_shifts() == []

    # The popover stays while the pointer is in it.
    popover(page).get_by_role("link", name="Reference of useQuery").hover()
    page.mouse.move(600, 160)
    expect(popover(page)).to_have_count(0)

    # A name without a page of its own.
    code(page, 0).get_by_role("button", name="isStale").hover()
    expect(popover(page)).to_contain_text("Whether the data is stale.")
    page.keyboard.press("Escape")
    expect(popover(page)).to_have_count(0)
    assert reader.console_errors == []


def test_keyboard_reaches_all_names_and_the_popover(open_page: OpenPage) -> None:
    reader = open_page(PAGE, **DESKTOP)
    page = reader.page
    code(page, 0).locator("..").focus()
    page.keyboard.press("Tab")
    name = code(page, 0).get_by_role("link", name="useQuery").first
    expect(name).to_be_focused()
    expect(popover(page)).to_contain_text("Fetches data, and keeps it fresh.")
    expect(name).to_have_accessible_description(re.compile("Fetches data, and keeps it fresh"))
    page.keyboard.press("ArrowRight")
    expect(code(page, 0).get_by_role("button", name="isStale")).to_be_focused()
    expect(popover(page)).to_contain_text("Whether the data is stale.")
    page.keyboard.press("Home")
    expect(name).to_be_focused()

    page.keyboard.press("ArrowDown")
    expect(popover(page).get_by_role("link")).to_be_focused()
    assert violations(page, changed=OPEN_POPOVER) == []
    page.keyboard.press("Escape")
    expect(popover(page)).to_have_count(0)
    expect(name).to_be_focused()

    # Nothing below a name is lost: Tab goes on after the code.
    page.keyboard.press("Tab")
    expect(popover(page)).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")
    assert reader.layout_shifts() == []


def test_long_press_shows_the_popover_and_follows_no_link(open_page: OpenPage) -> None:
    reader = open_page(PAGE, **PHONE)
    page = reader.page
    touch = page.context.new_cdp_session(page)
    box = code(page, 0).get_by_role("link", name="useQuery").first.bounding_box()
    assert box is not None
    point = {"x": box["x"] + 9, "y": box["y"] + 6}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(popover(page)).to_contain_text("Fetches data, and keeps it fresh.")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(popover(page)).to_be_visible()
    assert page.evaluate(INSIDE, OPEN_POPOVER)
    assert reader.path() == PAGE
    assert layout_shifts(page) == []
    page.get_by_text("Queries are stale at once.").tap()
    expect(popover(page)).to_have_count(0)
    code(page, 0).get_by_role("link", name="useQuery").first.tap()
    page.wait_for_url(f"**{REFERENCE}/useQuery")


def test_block_without_its_imports_is_copied_with_them(open_page: OpenPage) -> None:
    reader = open_page(PAGE, permissions=["clipboard-read", "clipboard-write"], **DESKTOP)
    page = reader.page
    button = page.get_by_role("button", name="Copy with imports")
    expect(button).to_have_count(0)
    code(page, 2).hover()
    button.click()
    expect(page.locator("figure").filter(has=code(page, 2)).get_by_role("button").last).to_have_text("Copied!")
    assert page.evaluate("navigator.clipboard.readText()") == f"{IMPORT}\n\n{SECOND}"
    code(page, 0).hover()
    expect(popover(page)).to_have_count(0)
    expect(page.locator(".copy-imports")).to_have_count(1)


def test_names_of_the_next_page_are_known_after_a_visit(open_page: OpenPage) -> None:
    reader = open_page(PAGE, **DESKTOP)
    page = reader.page
    code(page, 0).hover()
    code(page, 0).get_by_role("button", name="isStale").hover()
    expect(popover(page)).to_be_visible()
    reader.visit(PAGE.replace(PATH, OTHER_PATH))
    expect(page.get_by_role("heading", level=1)).to_have_text("Refetching")
    expect(popover(page)).to_have_count(0)
    code(page, 0).hover()
    code(page, 0).get_by_role("button", name="isStale").hover()
    expect(popover(page)).to_contain_text("Whether the data is stale.")
    assert len([url for url in uses(reader) if "/_server/" in url]) == 2


def test_failed_request_of_names_leaves_links(open_page: OpenPage) -> None:
    reader = open_page(PAGE, **DESKTOP)
    page = reader.page
    page.route("**/_server/docs.names*", lambda route: route.abort())
    name = code(page, 0).get_by_role("link", name="useQuery").first
    with page.expect_event("requestfailed"):
        name.hover()
    expect(popover(page)).to_have_count(0)
    name.click()
    page.wait_for_url(f"**{REFERENCE}/useQuery")

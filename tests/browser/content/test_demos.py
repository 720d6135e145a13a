"""The demos of libraries in Chromium: loaded at the first touch, operated by role and label, in both themes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import hold_first_request, layout_shifts, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page
    from tests.browser.conftest import OpenPage, Reader

PHONE = {"width": 320, "height": 640}


def frame(page: Page) -> Locator:
    return page.locator("[data-demo]")


def demo_files(reader: Reader) -> list[str]:
    return [url for url in reader.loaded_urls if "/assets/demo" in url]


def start(page: Page) -> None:
    page.get_by_role("button", name="Try it").click()
    expect(frame(page)).to_have_attribute("data-demo-state", "running")


def drag_and_press_keys(page: Page) -> None:
    handle = page.get_by_role("slider", name="Lowest price")
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=4)
    page.mouse.up()
    dragged = int(handle.get_attribute("aria-valuenow") or "60")
    assert 0 < dragged < 60
    handle.focus()
    page.keyboard.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuenow", f"{dragged + 5}")


def sort_by_each_column(page: Page) -> None:
    for header, first in (("Moon", "Callisto"), ("Radius in km", "Ganymede")):
        page.get_by_role("button", name=header).click()
        expect(page.get_by_role("row").nth(1).get_by_role("cell").first).to_have_text(first)
    expect(page.get_by_role("columnheader", name="Radius in km")).to_have_attribute("aria-sort", "descending")


def edit_the_address(page: Page) -> None:
    address = page.get_by_role("textbox", name="Address")
    url, scrolled = page.url, page.evaluate("scrollY")
    address.fill("/trails/north-pass?km=7")
    expect(frame(page).get_by_role("status").filter(has_text="north-pass")).to_be_visible()
    expect(frame(page)).to_contain_text("7 km")
    address.fill("/%?&//..#")
    expect(frame(page)).to_contain_text("No route matches this address.")
    # The demo has a history of its own.
    assert (page.url, page.evaluate("scrollY")) == (url, scrolled)


def refetch(page: Page) -> None:
    cards = frame(page).get_by_role("article")
    expect(cards.first).to_contain_text("fresh")
    cards.first.get_by_role("button", name="Refetch").click()
    # Both components read the same query.
    expect(cards.last).to_contain_text("fetching")
    expect(cards.last).to_contain_text("fresh")
    assert re.sub(r"\D", "", cards.first.inner_text()) == re.sub(r"\D", "", cards.last.inner_text())
    expect(cards.first).to_contain_text("stale")


def type_an_address(page: Page) -> None:
    email = page.get_by_role("textbox", name="Email")
    for text in ("ada", "ada@", "ada@example", "ada @example.com"):
        email.fill(text)
        expect(frame(page)).to_contain_text("An address looks like ada@example.com")
        expect(email).to_have_attribute("aria-invalid", "true")
    email.fill("ada@example.com")
    expect(frame(page)).to_contain_text("That is an address")


def scroll_to_the_last_row(page: Page) -> None:
    rows = page.get_by_role("group", name="100,000 rows")
    rows.evaluate("(element) => element.scrollTo(0, element.scrollHeight)")
    expect(rows.get_by_text("Row 100,000")).to_be_visible()
    assert rows.get_by_role("listitem").count() < 30


def add_fruit(page: Page) -> None:
    page.get_by_role("button", name="Add pears").click()
    expect(frame(page)).to_contain_text("4 pieces in the basket")


def type_and_wait(page: Page) -> None:
    page.get_by_role("textbox", name="Type something").press_sequentially("tern")
    expect(frame(page)).to_contain_text("4 calls, 1 runs")
    expect(frame(page).get_by_role("status").filter(has_text="tern")).to_be_visible()


GESTURES: dict[str, Callable[[Page], None]] = {
    "ranger": drag_and_press_keys,
    "table": sort_by_each_column,
    "router": edit_the_address,
    "query": refetch,
    "form": type_an_address,
    "virtual": scroll_to_the_last_row,
    "store": add_fruit,
    "pacer": type_and_wait,
}


@pytest.mark.parametrize("id", GESTURES)
def test_demo_runs_the_library_without_a_request_or_a_layout_shift(shared_tab: OpenPage, id: str) -> None:
    reader = shared_tab(f"/{id}/latest", reduced_motion="reduce")
    page = reader.page
    assert demo_files(reader) == []
    start(page)
    assert demo_files(reader) != []
    assert layout_shifts(page) == []
    reader.loaded_urls.clear()
    GESTURES[id](page)
    # What the reader types stays in the page.
    assert [url for url in reader.loaded_urls if not re.search("/assets/|/_shared/", url)] == []
    assert violations(page) == []
    assert reader.console_errors == []


def test_first_tap_on_a_phone_starts_the_demo_and_fits_the_screen(open_page: OpenPage) -> None:
    reader = open_page("/table/latest", viewport=PHONE, has_touch=True, is_mobile=True)
    page = reader.page
    height = frame(page).evaluate("(element) => element.offsetHeight")
    page.locator(".demo-drawing").tap()
    expect(frame(page)).to_have_attribute("data-demo-state", "running")
    assert frame(page).evaluate("(element) => element.offsetHeight") == height
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    stage = page.locator(".demo").evaluate("(element) => element.scrollHeight <= element.clientHeight")
    assert stage


def test_keyboard_starts_the_demo_and_the_focus_moves_into_it(shared_tab: OpenPage) -> None:
    page = shared_tab("/form/latest", reduced_motion="reduce").page
    page.get_by_role("link", name="GitHub").first.focus()
    page.get_by_role("button", name="Try it").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Email")).to_be_focused()


def test_slow_demo_shows_that_it_loads_and_can_be_tried_again_if_it_cannot(shared_tab: OpenPage) -> None:
    page = shared_tab("/store/latest", reduced_motion="reduce").page
    held = hold_first_request(page, "**/assets/demos-*")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("button", name="Loading…")).to_be_visible()
    wait_until(page, lambda: bool(held), "the bundle is requested")
    held[0].abort()
    expect(page.get_by_text("The demo didn't load.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(frame(page)).to_have_attribute("data-demo-state", "running")
    add_fruit(page)


def test_demos_work_again_after_visits_and_after_hydration(shared_tab: OpenPage) -> None:
    reader = shared_tab("/store/latest", reduced_motion="reduce")
    page = reader.page
    start(page)
    reader.visit("/ranger/latest")
    page.get_by_role("heading", name="Ranger", exact=False).first.wait_for()
    expect(frame(page)).to_have_attribute("data-demo", "ranger")
    expect(page.get_by_role("button", name="Try it")).to_be_visible()
    start(page)
    drag_and_press_keys(page)
    reader.start_app()
    handle = page.get_by_role("slider", name="Highest price")
    handle.focus()
    page.keyboard.press("ArrowLeft")
    expect(handle).to_have_attribute("aria-valuenow", "145")
    assert reader.console_errors == []


def test_without_javascript_the_drawing_and_the_code_remain(open_page: OpenPage) -> None:
    page = open_page("/query/latest", javascript=False).page
    assert page.locator(".demo-drawing svg").is_visible()
    assert page.get_by_role("button", name="Try it").count() == 0
    page.get_by_text("The code of this demo").click()
    assert page.get_by_text("queryFn: rollDie").is_visible()

"""The page that shows the design system: every part works by keyboard, in both themes, at every width."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import wait_until
from tests.browser.test_accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

WIDTHS = (320, 375, 768, 1024, 1440, 1920)
BUSY = """() => [...document.querySelectorAll('.popup, .tooltip, .dialog-backdrop')]
  .some((part) => part.hasAttribute('data-starting-style') || part.getAnimations().length > 0)"""


@pytest.fixture
def design(read: Open) -> Reader:
    reader = read("/design")
    reader.start_app()
    return reader


def settled(page: Page) -> Page:
    """When what opens has opened: half-transparent text has no contrast to speak of."""
    wait_until(page, lambda: not page.evaluate(BUSY), "what opens has opened")
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_the_design_is_drawn_whole_and_has_no_violations(read: Open, tmp_path: Path, theme: str, width: int) -> None:
    page = read("/design", color_scheme=theme, viewport={"width": width, "height": 900}).page
    folder = Path(os.environ.get("KINFOLK_PICTURES", str(tmp_path)))
    picture = page.screenshot(path=folder / f"design-{width}-{theme}.png", full_page=True)
    assert len(picture) > 100_000
    assert violations(page) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out(read: Open, width: int) -> None:
    page = read("/design", viewport={"width": width, "height": 900}).page
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_page_is_complete_without_javascript(read: Open) -> None:
    page = read("/design", javascript=False).page
    for words in ("Type", "Colour", "Hues", "Motion", "Buttons", "What opens", "What is filled in"):
        expect(page.get_by_role("heading", name=words, exact=True)).to_be_visible()


def test_the_page_is_for_no_search(read: Open) -> None:
    page = read("/design").page
    expect(page.locator("meta[name=robots]")).to_have_attribute("content", "noindex")
    sitemap = page.request.get(page.url.replace("/design", "/sitemap.xml"))
    assert sitemap.ok
    assert "/design" not in sitemap.text()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_dialog_holds_the_focus_and_gives_it_back(read: Open, theme: str) -> None:
    reader = read("/design", color_scheme=theme)
    reader.start_app()
    page = reader.page
    opener = page.get_by_role("button", name="Open a dialog")
    opener.press("Enter")
    dialog = page.get_by_role("dialog", name="A dialog")
    expect(dialog).to_be_visible()
    assert violations(settled(page)) == []
    for _ in range(3):
        page.keyboard.press("Tab")
        # A guard beside the dialog may have it for a moment, and sends it back.
        expect(dialog.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()
    assert reader.complaints == []


def test_a_menu_is_walked_with_the_arrow_keys(design: Reader) -> None:
    page = design.page
    page.get_by_role("button", name="Actions").press("Enter")
    expect(page.get_by_role("menuitem", name="Pin")).to_be_focused()
    assert violations(settled(page)) == []
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Go to the top")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.get_by_role("menuitem", name="Pin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_hidden()
    expect(page.get_by_role("button", name="Actions")).to_be_focused()
    page.get_by_role("button", name="Actions").press("Enter")
    expect(page.get_by_role("menuitem", name="Unpin")).to_be_visible()
    assert design.complaints == []


def test_a_value_is_selected_by_keyboard(design: Reader) -> None:
    page = design.page
    select = page.get_by_role("combobox", name="Counted")
    select.press("Enter")
    expect(page.get_by_role("option", name="Weekly")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("option", name="Weekly")).to_be_focused()
    assert violations(settled(page)) == []
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", name="Monthly")).to_be_focused()
    page.keyboard.press("Enter")
    expect(select).to_have_text("Monthly")
    expect(select).to_be_focused()
    assert design.complaints == []


def test_tabs_are_changed_with_the_arrow_keys(design: Reader) -> None:
    page = design.page
    page.get_by_role("tab", name="First view").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Second view")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Second view")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name="Second view")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="First view")).to_be_hidden()


def test_a_switch_is_turned_with_the_space_bar(design: Reader) -> None:
    switch = design.page.get_by_role("switch", name="On", exact=True)
    expect(switch).to_be_checked()
    switch.press("Space")
    expect(switch).not_to_be_checked()
    expect(design.page.get_by_role("switch", name="Off", exact=True)).to_be_checked()
    expect(design.page.get_by_role("switch", name="Not to be changed")).to_be_disabled()


def test_a_tooltip_comes_with_the_focus_and_goes_with_escape(design: Reader) -> None:
    page = design.page
    page.get_by_role("button", name="Say something").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_text("A word about what this does")).to_be_visible()
    # Until it has opened, nobody may listen for the key.
    settled(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("A word about what this does")).to_have_count(0)


def test_what_is_said_in_passing_is_announced_and_can_be_sent_away(design: Reader) -> None:
    page = design.page
    # With the hand on it, it stays, and has buttons. It goes away by itself, so the hand is there before it comes.
    place = page.locator(".toasts").bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] - 20)
    page.get_by_role("button", name="Say something").press("Enter")
    toast = page.get_by_role("dialog", name="Said in passing")
    expect(toast).to_be_visible()
    assert violations(settled(page)) == []
    toast.get_by_role("button", name="Close").click()
    expect(toast).to_have_count(0)
    assert design.complaints == []


def test_a_field_says_what_it_is_and_what_is_wrong(design: Reader) -> None:
    page = design.page
    expect(page.get_by_role("textbox", name="Package")).to_have_accessible_description("As it is called on npm.")
    wrong = page.get_by_role("textbox", name="Name")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_accessible_description("A name has letters in it.")
    expect(page.get_by_role("textbox", name="Region")).to_be_disabled()

"""The design system page: components work by keyboard, in both themes, at all widths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import overflowing_widths, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import OpenPage, Reader

WIDTHS = (320, 375, 768, 1024, 1440, 1920)
IS_ANIMATING = """() => [...document.querySelectorAll('.popup, .tooltip, .dialog-backdrop')]
  .some((element) => element.hasAttribute('data-starting-style') || element.getAnimations().length > 0)"""


@pytest.fixture
def design(shared_page: OpenPage) -> Reader:
    """The page with the app. Tests restore what they change in it."""
    reader = shared_page("/design", reduced_motion="reduce")
    reader.interact()
    return reader


def wait_for_animations(page: Page) -> Page:
    """Wait until popups are open. Text that fades in fails the contrast check."""
    wait_until(page, lambda: not page.evaluate(IS_ANIMATING), "popups have opened")
    return page


def test_design_page_has_no_accessibility_violations(shared_page: OpenPage) -> None:
    page = shared_page("/design", reduced_motion="reduce").page
    for width in (1280, 375):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page) == [], width
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            assert len(page.screenshot(full_page=True, type="jpeg")) > 100_000, (width, theme)


def test_design_page_is_complete_without_javascript(shared_page: OpenPage) -> None:
    page = shared_page("/design", javascript=False).page
    for heading in ("Type", "Color", "Hues", "Motion", "Buttons", "Overlays", "Form fields"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()


def test_design_page_is_not_indexed(shared_page: OpenPage) -> None:
    page = shared_page("/design", javascript=False).page
    expect(page.locator("meta[name=robots]")).to_have_attribute("content", "noindex")
    sitemap = page.request.get(page.url.replace("/design", "/sitemap.xml"))
    assert sitemap.ok
    assert "/design" not in sitemap.text()


@pytest.mark.parametrize(
    ("section", "states"),
    [
        ("Search", ["First visit", "No results", "Offline", "The dialog cannot load"]),
        ("Docs", ["A page of an old version", "Feedback, sent", "Feedback, offline"]),
        ("Demos", ["A demo, before the first touch", "A demo that is loading", "A demo that could not be loaded"]),
        ("Examples", ["No examples", "A missing file", "The sandbox, before it starts"]),
        ("Blog", ["Empty, with a filter"]),
        ("Statistics", ["No counts from npm yet", "A package that npm does not have"]),
        ("Sign-in", ["Signed out", "A wrong code", "Sign-in is unavailable"]),
        (
            "Dashboard",
            ["First visit: nothing saved", "Signed out, with what the browser has", "The account is loading"],
        ),
    ],
)
def test_each_state_is_shown_in_both_themes(shared_page: OpenPage, section: str, states: list[str]) -> None:
    # The states are part of the HTML.
    page = shared_page("/design", javascript=False).page
    area = page.get_by_role("region", name=section, exact=True)
    for state in states:
        preview = area.locator(".state-preview", has=page.get_by_role("heading", name=state, exact=True))
        assert preview.locator("[data-theme-preview]").count() == 2
        assert all(text.strip() for text in preview.locator("[data-theme-preview]").all_text_contents())


def test_states_do_not_move_while_the_page_loads_and_hydrates_and_fit_all_widths(open_page: OpenPage) -> None:
    reader = open_page("/design")
    reader.start_app()
    assert reader.layout_shifts() == []
    assert reader.console_errors == []
    assert overflowing_widths(reader.page, WIDTHS) == []


def test_dialog_traps_focus_and_restores_it(design: Reader) -> None:
    page = design.page
    opener = page.get_by_role("button", name="Open a dialog")
    opener.press("Enter")
    dialog = page.get_by_role("dialog", name="A dialog")
    expect(dialog).to_be_visible()
    assert violations(wait_for_animations(page), changed=".dialog-backdrop, .dialog") == []
    for _ in range(3):
        page.keyboard.press("Tab")
        # A focus guard next to the dialog can have the focus briefly before it returns it to the dialog.
        expect(dialog.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()
    assert design.console_errors == []


def test_menu_supports_arrow_keys(design: Reader) -> None:
    page = design.page
    page.get_by_role("button", name="Actions").press("Enter")
    expect(page.get_by_role("menuitem", name="Pin")).to_be_focused()
    assert violations(wait_for_animations(page), changed=".popup") == []
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Go to top")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.get_by_role("menuitem", name="Pin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_hidden()
    expect(page.get_by_role("button", name="Actions")).to_be_focused()
    page.get_by_role("button", name="Actions").press("Enter")
    expect(page.get_by_role("menuitem", name="Unpin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_hidden()
    assert design.console_errors == []


def test_select_supports_keyboard(design: Reader) -> None:
    page = design.page
    select = page.get_by_role("combobox", name="Counted")
    select.press("Enter")
    expect(page.get_by_role("option", name="Weekly")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("option", name="Weekly")).to_be_focused()
    assert violations(wait_for_animations(page), changed=".popup") == []
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", name="Monthly")).to_be_focused()
    page.keyboard.press("Enter")
    expect(select).to_have_text("Monthly")
    expect(select).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="Monthly")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(select).to_have_text("Weekly")
    assert design.console_errors == []


def test_tabs_support_arrow_keys(design: Reader) -> None:
    page = design.page
    page.get_by_role("tab", name="First view").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Second view")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Second view")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name="Second view")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="First view")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel", name="First view")).to_be_visible()


def test_space_toggles_switch(design: Reader) -> None:
    switch = design.page.get_by_role("switch", name="On", exact=True)
    expect(switch).to_be_checked()
    switch.press("Space")
    expect(switch).not_to_be_checked()
    expect(design.page.get_by_role("switch", name="Off", exact=True)).to_be_checked()
    expect(design.page.get_by_role("switch", name="Disabled")).to_be_disabled()
    switch.press("Space")
    expect(switch).to_be_checked()


def test_tooltip_opens_on_focus_and_closes_on_escape(design: Reader) -> None:
    page = design.page
    page.get_by_role("button", name="Show a message").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_text("What this button does")).to_be_visible()
    # The tooltip handles Escape only after it has opened.
    wait_for_animations(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("What this button does")).to_have_count(0)


def test_toast_is_announced_and_can_be_closed(design: Reader) -> None:
    page = design.page
    # The pointer stops the timeout of the toast and reveals its buttons, so it is in place before the toast opens.
    region = page.locator(".toasts").bounding_box()
    assert region is not None
    page.mouse.move(region["x"] + region["width"] / 2, region["y"] - 20)
    page.get_by_role("button", name="Show a message").press("Enter")
    toast = page.get_by_role("dialog", name="Saved")
    expect(toast).to_be_visible()
    assert violations(wait_for_animations(page), changed=".toasts") == []
    toast.get_by_role("button", name="Close").click()
    expect(toast).to_have_count(0)
    assert design.console_errors == []


def test_text_field_has_description_and_error_message(design: Reader) -> None:
    page = design.page
    expect(page.get_by_role("textbox", name="Package")).to_have_accessible_description("The name on npm.")
    invalid = page.get_by_role("textbox", name="Name")
    expect(invalid).to_have_attribute("aria-invalid", "true")
    expect(invalid).to_have_accessible_description("Enter at least one letter.")
    expect(page.get_by_role("textbox", name="Region")).to_be_disabled()

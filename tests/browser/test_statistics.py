"""The comparison of npm downloads: its state is in the URL, works by keyboard, without a script and in both themes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import layout_shifts

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from tests.browser.conftest import OpenPage, Reader

PAGE = "/stats/npm"
# A web font that arrives within 100 ms after the first layout (`font-display: optional`) moves the labels of a row by
# up to 5 pixels, before they are painted.
FONT_SHIFT = 0.002
PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}


def hydrated(open_page: OpenPage, path: str = PAGE, **options: object) -> Reader:
    """A comparison that React has hydrated, in a document that is marked to notice a reload."""
    reader = open_page(path, **options)
    reader.interact()
    reader.page.evaluate("window.unloaded = false")
    return reader


def parameter(reader: Reader, name: str) -> str | None:
    """The value of a parameter of the URL."""
    return parse_qs(urlsplit(reader.path()).query).get(name, [None])[0]


def was_reloaded(page: Page) -> bool:
    return bool(page.evaluate("window.unloaded === undefined"))


def suggestions(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


# The state in the URL


def test_range_is_written_to_the_url_with_its_interval(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    reader.page.get_by_label("Time range").select_option("30 days")
    reader.wait_until(lambda: parameter(reader, "range") == "30-days", "the range is in the URL")
    assert parameter(reader, "binningOption") == "daily"
    expect(reader.page.get_by_label("Interval").get_by_role("option")).to_have_text(["Daily"])
    assert not was_reloaded(reader.page)


def test_url_of_a_changed_comparison_opens_it_again(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    reader.page.get_by_label("Values", exact=True).select_option("Relative change")
    reader.wait_until(lambda: parameter(reader, "transform") == "normalize-y", "the transform is in the URL")
    again = open_page(reader.path())
    expect(again.page.get_by_label("Values", exact=True)).to_have_value("normalize-y")
    expect(again.page.get_by_role("heading", level=1)).to_have_text(
        reader.page.get_by_role("heading", level=1).inner_text()
    )


def test_back_button_undoes_changes_one_by_one_without_a_reload(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    page = reader.page
    page.get_by_label("Time range").select_option("90 days")
    reader.wait_until(lambda: parameter(reader, "range") == "90-days", "the range is in the URL")
    page.get_by_label("Interval").select_option("Daily")
    reader.wait_until(lambda: parameter(reader, "binningOption") == "daily", "the interval is in the URL")
    page.go_back()
    expect(page.get_by_label("Interval")).to_have_value("weekly")
    expect(page.get_by_label("Time range")).to_have_value("90-days")
    page.go_back()
    expect(page.get_by_label("Time range")).to_have_value("365-days")
    assert not was_reloaded(page)


def test_changes_in_quick_succession_all_count(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    reader.page.evaluate(
        """() => {
          for (const name of ['swr', '@trpc/client']) document.querySelector(`[aria-label="Remove ${name}"]`).click()
        }"""
    )
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("@tanstack/react-query vs @apollo/client")


def test_choice_made_before_hydration_is_applied(open_page: OpenPage) -> None:
    reader = open_page(PAGE)
    reader.page.get_by_label("Time range").focus()
    reader.page.get_by_label("Time range").select_option("30 days")
    reader.wait_until(lambda: parameter(reader, "range") == "30-days", "the range is in the URL")


def test_page_does_not_scroll_when_a_choice_is_made(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    reader.scroll_to(200)
    reader.page.get_by_label("Measure").select_option("Cumulative downloads")
    reader.wait_until(lambda: parameter(reader, "measure") == "cumulative", "the measure is in the URL")
    assert reader.page.evaluate("scrollY") == 200


# Packages


def test_package_is_added_by_keyboard(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    page = reader.page
    page.get_by_label("Add a package").focus()
    expect(page.get_by_role("combobox", name="Add a package")).to_be_focused()
    page.keyboard.type("sve")
    suggestions(page).filter(has_text="svelte").wait_for()
    expect(suggestions(page).first).to_contain_text('Use "sve"')
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("vs svelte")
    expect(page.get_by_role("combobox", name="Add a package")).to_have_value("")
    assert not was_reloaded(page)


def test_text_typed_before_the_combobox_is_loaded_is_kept(open_page: OpenPage) -> None:
    page = hydrated(open_page).page
    field = page.get_by_label("Add a package")
    field.focus()
    page.keyboard.type("vu")
    expect(page.get_by_role("combobox", name="Add a package")).to_have_value("vu")
    expect(suggestions(page).filter(has_text="vue").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Add a package")).to_be_focused()


def test_name_of_a_pill_hides_its_line(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    page = reader.page
    name = page.get_by_role("region", name="Packages").get_by_role("button", name="swr", exact=True)
    name.click()
    expect(name).to_have_attribute("aria-pressed", "false")
    reader.wait_until(lambda: '"hidden":true' in unquote(reader.path()), "the URL hides the package")


def test_group_gets_and_loses_packages(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    page = reader.page
    page.get_by_role("button", name="More options for swr").click()
    group = page.get_by_role("dialog", name="swr")
    group.get_by_label("Add a package to swr").focus()
    page.keyboard.type("vue")
    suggestions(page).first.click()
    expect(group.get_by_role("button", name="Remove vue")).to_be_visible()
    group.get_by_role("button", name="Remove vue").click()
    expect(group.get_by_role("button", name="Remove vue")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More options for swr")).to_be_focused()


def test_baseline_is_set_and_removed(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    page = reader.page
    page.get_by_role("button", name="More options for swr").click()
    page.get_by_role("button", name="Set as baseline").click()
    reader.wait_until(lambda: parameter(reader, "baseline") == "swr", "the baseline is in the URL")
    page.get_by_role("button", name="Remove baseline").click()
    reader.wait_until(lambda: parameter(reader, "baseline") is None, "the URL has no baseline")


def test_color_is_picked_by_keyboard_and_reset(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    page = reader.page
    length = page.evaluate("history.length")
    page.get_by_role("button", name="Color of swr").click()
    page.get_by_role("slider", name="Hue").focus()
    before = reader.path()
    page.keyboard.press("ArrowRight")
    reader.wait_until(lambda: reader.path() != before, "the color is in the URL")
    assert page.evaluate("history.length") <= length + 1
    page.get_by_role("button", name="Reset").click()
    reader.wait_until(lambda: unquote(reader.path()).count('"color"') == 3, "the color is not in the URL")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Color of swr")).to_be_focused()


def test_popular_comparison_opens_at_the_top_without_a_reload(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    reader.page.get_by_role("link", name="Frameworks", exact=True).click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(
        "react vs vue vs @angular/core vs svelte vs preact"
    )
    assert reader.page.evaluate("scrollY") == 0
    assert not was_reloaded(reader.page)


# The chart and the table


def test_height_is_changed_by_keyboard(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    slider = reader.page.get_by_role("slider", name="Height of the chart")
    slider.focus()
    for key, height in (("ArrowUp", 410), ("PageUp", 510), ("ArrowDown", 500), ("Home", 300)):
        reader.page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuenow", str(height))
    reader.wait_until(lambda: parameter(reader, "height") == "300", "the height is in the URL")


def test_height_is_changed_by_pointer(open_page: OpenPage) -> None:
    reader = hydrated(open_page)
    page = reader.page
    slider = page.get_by_role("slider", name="Height of the chart")
    slider.scroll_into_view_if_needed()
    length = page.evaluate("history.length")
    box = slider.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=6)
    page.mouse.up()
    reader.wait_until(lambda: parameter(reader, "height") == "340", "the height is in the URL")
    assert page.evaluate("history.length") == length
    expect(slider).to_have_attribute("aria-valuenow", "340")


def test_table_is_sorted_by_each_column(open_page: OpenPage) -> None:
    page = hydrated(open_page).page
    table = page.get_by_role("table", name="Downloads of")
    expect(table.get_by_role("columnheader", name="In this range")).to_have_attribute("aria-sort", "descending")
    table.get_by_role("button", name="Package").click()
    names = table.get_by_role("rowheader").all_inner_texts()
    assert [name.strip() for name in names] == sorted(name.strip() for name in names)


# Without a script, layout, accessibility


def test_page_works_without_javascript(open_page: OpenPage) -> None:
    reader = open_page(PAGE, javascript=False)
    page = reader.page
    assert page.get_by_role("rowheader").count() == 4
    expect(page.locator("figure path").first).to_be_visible()
    assert "Adding packages needs JavaScript." in page.get_by_role("main").inner_text()
    page.get_by_label("Time range").select_option("30 days")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_label("Time range")).to_have_value("30-days")
    page.get_by_role("link", name="Remove swr").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("@tanstack/react-query vs @apollo/client vs @trpc/client")
    expect(page.get_by_label("Time range")).to_have_value("30-days")
    page.get_by_role("link", name="Frameworks", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("react vs vue")


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_moves_while_the_page_loads_and_is_hydrated(open_page: OpenPage, width: int) -> None:
    reader = open_page(PAGE, viewport={"width": width, "height": 800})
    reader.interact()
    assert layout_shifts(reader.page, limit=FONT_SHIFT) == []
    assert reader.console_errors == []
    # Without the web font, nothing may move at all.
    reader.page.route("**/*.woff2", lambda route: route.abort())
    reader.open(PAGE)
    reader.interact()
    assert reader.layout_shifts() == []


@pytest.mark.parametrize("width", [320, 375, 768, 1280, 1600])
def test_page_is_not_wider_than_the_window(open_page: OpenPage, width: int) -> None:
    page = open_page(PAGE, viewport={"width": width, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_controls_are_large_enough_for_fingers(open_page: OpenPage) -> None:
    page = open_page(PAGE, **PHONE).page
    controls = page.locator(
        ".stats-page :is(select, .more-options summary, .package-pill-row > *, .export-group .button)"
    )
    sizes = controls.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
    assert min(sizes) >= 44


def test_comparison_has_no_accessibility_violations(open_page: OpenPage) -> None:
    page = hydrated(open_page).page
    page.locator("summary").filter(has_text="More options").click()
    assert violations(page) == []
    page.get_by_role("button", name="Color of swr").click()
    page.get_by_role("dialog").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="More options for swr").click()
    page.get_by_role("dialog", name="swr", exact=True).wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_suggestions_have_no_accessibility_violations(open_page: OpenPage, window: dict[str, Any]) -> None:
    page = hydrated(open_page, **window).page
    assert violations(page) == []
    page.get_by_label("Add a package").focus()
    page.keyboard.type("vue")
    suggestions(page).first.wait_for()
    assert violations(page) == []


def test_embedded_comparison_has_a_legend_and_a_link_to_the_site(open_page: OpenPage) -> None:
    page = open_page(f"{PAGE}/embed").page
    expect(page.get_by_role("listitem").filter(has_text="swr").first).to_be_visible()
    expect(page.get_by_role("link", name="Open on")).to_have_attribute("target", "_parent")
    expect(page.get_by_role("navigation")).to_have_count(0)
    assert violations(page) == []


def test_named_comparison_is_a_page(open_page: OpenPage) -> None:
    page = open_page(f"{PAGE}/react-vs-@angular/core").page
    expect(page.get_by_role("heading", level=1)).to_have_text("react vs @angular/core")


def test_statistics_lead_to_npm(open_page: OpenPage) -> None:
    assert open_page("/stats").path() == PAGE

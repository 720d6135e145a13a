"""The comparison of npm downloads: its state is in the URL, works by keyboard, without a script and in both themes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

import httpx
import pytest
from lxml import html
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import layout_shifts, overflowing_widths

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from tests.browser.conftest import OpenPage, Reader
    from tests.servers.serving import Server

PAGE = "/stats/npm"
# A web font that arrives within 100 ms after the first layout (`font-display: optional`) moves the labels of a row by
# up to 5 pixels, before they are painted.
FONT_SHIFT = 0.002
PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def comparison(shared_page: OpenPage) -> Reader:
    """A comparison that React has hydrated, in a document that is marked to notice a reload."""
    reader: Reader = shared_page(PAGE)
    reader.interact()
    reader.page.evaluate("window.unloaded = false")
    return reader


def history_length(page: Page) -> int:
    """The number of entries of the history, of which Chromium keeps 50."""
    length = int(page.evaluate("history.length"))
    assert length < 48
    return length


def parameter(reader: Reader, name: str) -> str | None:
    """The value of a parameter of the URL."""
    return parse_qs(urlsplit(reader.path()).query).get(name, [None])[0]


def was_reloaded(page: Page) -> bool:
    return bool(page.evaluate("window.unloaded === undefined"))


def suggestions(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


# The state in the URL


def test_choices_are_in_the_url_and_undone_by_the_back_button(comparison: Reader) -> None:
    page = comparison.page
    page.get_by_label("Time range").select_option("30 days")
    comparison.wait_until(lambda: parameter(comparison, "range") == "30-days", "the range is in the URL")
    assert parameter(comparison, "binningOption") == "daily"
    expect(page.get_by_label("Interval").get_by_role("option")).to_have_text(["Daily"])
    page.get_by_label("Time range").select_option("90 days")
    comparison.wait_until(lambda: parameter(comparison, "range") == "90-days", "the range is in the URL")
    page.get_by_label("Interval").select_option("Monthly")
    comparison.wait_until(lambda: parameter(comparison, "binningOption") == "monthly", "the interval is in the URL")
    page.go_back()
    expect(page.get_by_label("Interval")).to_have_value("weekly")
    expect(page.get_by_label("Time range")).to_have_value("90-days")
    page.go_back()
    expect(page.get_by_label("Time range")).to_have_value("30-days")
    page.go_back()
    expect(page.get_by_label("Time range")).to_have_value("365-days")
    assert not was_reloaded(page)


def test_choice_does_not_scroll_the_page_and_its_url_opens_it_again(comparison: Reader) -> None:
    page = comparison.page
    comparison.scroll_to(200)
    page.get_by_label("Measure").select_option("Cumulative downloads")
    comparison.wait_until(lambda: parameter(comparison, "measure") == "cumulative", "the measure is in the URL")
    assert page.evaluate("scrollY") == 200
    page.get_by_label("Values", exact=True).select_option("Relative change")
    comparison.wait_until(lambda: parameter(comparison, "transform") == "normalize-y", "the transform is in the URL")
    assert page.evaluate("scrollY") == 200
    assert not was_reloaded(page)
    heading = page.get_by_role("heading", level=1).inner_text()
    comparison.open(comparison.path())
    expect(page.get_by_label("Measure")).to_have_value("cumulative")
    expect(page.get_by_label("Values", exact=True)).to_have_value("normalize-y")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_changes_in_quick_succession_all_count(comparison: Reader) -> None:
    reader = comparison
    reader.page.evaluate(
        """() => {
          for (const name of ['swr', '@trpc/client']) document.querySelector(`[aria-label="Remove ${name}"]`).click()
        }"""
    )
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("@tanstack/react-query vs @apollo/client")


def test_choice_made_before_hydration_is_applied(shared_page: OpenPage) -> None:
    reader = shared_page(PAGE)
    reader.open(PAGE)
    reader.page.get_by_label("Time range").focus()
    reader.page.get_by_label("Time range").select_option("30 days")
    reader.wait_until(lambda: parameter(reader, "range") == "30-days", "the range is in the URL")


# Packages


def test_text_typed_before_the_combobox_is_loaded_is_kept_and_a_package_is_added(shared_page: OpenPage) -> None:
    reader = shared_page(PAGE)
    reader.open(PAGE)
    reader.interact()
    page = reader.page
    page.evaluate("window.unloaded = false")
    page.get_by_label("Add a package").focus()
    page.keyboard.type("vu")
    combobox = page.get_by_role("combobox", name="Add a package")
    expect(combobox).to_have_value("vu")
    expect(suggestions(page).filter(has_text="vue").first).to_be_visible()
    expect(combobox).to_be_focused()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("sve")
    suggestions(page).filter(has_text="svelte").wait_for()
    expect(suggestions(page).first).to_contain_text('Use "sve"')
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("vs svelte")
    expect(combobox).to_have_value("")
    assert not was_reloaded(page)


def test_name_of_a_pill_hides_its_line(comparison: Reader) -> None:
    reader, page = comparison, comparison.page
    name = page.get_by_role("region", name="Packages").get_by_role("button", name="swr", exact=True)
    name.click()
    expect(name).to_have_attribute("aria-pressed", "false")
    reader.wait_until(lambda: '"hidden":true' in unquote(reader.path()), "the URL hides the package")


def test_group_gets_and_loses_packages_and_a_baseline(comparison: Reader) -> None:
    page = comparison.page
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
    page.get_by_role("button", name="More options for swr").click()
    page.get_by_role("button", name="Set as baseline").click()
    comparison.wait_until(lambda: parameter(comparison, "baseline") == "swr", "the baseline is in the URL")
    page.get_by_role("button", name="Remove baseline").click()
    comparison.wait_until(lambda: parameter(comparison, "baseline") is None, "the URL has no baseline")


def test_color_is_picked_by_keyboard_and_reset(comparison: Reader) -> None:
    reader, page = comparison, comparison.page
    length = history_length(page)
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


def test_popular_comparison_opens_at_the_top_without_a_reload(comparison: Reader) -> None:
    reader = comparison
    reader.page.get_by_role("link", name="Frameworks", exact=True).click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(
        "react vs vue vs @angular/core vs svelte vs preact"
    )
    assert reader.page.evaluate("scrollY") == 0
    assert not was_reloaded(reader.page)


# The chart and the table


def test_height_is_changed_by_pointer_and_by_keyboard(comparison: Reader) -> None:
    reader, page = comparison, comparison.page
    slider = page.get_by_role("slider", name="Height of the chart")
    slider.scroll_into_view_if_needed()
    length = history_length(page)
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
    slider.focus()
    for key, height in (("ArrowUp", 350), ("PageUp", 450), ("ArrowDown", 440), ("Home", 300)):
        page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuenow", str(height))
    reader.wait_until(lambda: parameter(reader, "height") == "300", "the height is in the URL")


def test_table_is_sorted_by_each_column(comparison: Reader) -> None:
    page = comparison.page
    table = page.get_by_role("table", name="Downloads of")
    expect(table.get_by_role("columnheader", name="In this range")).to_have_attribute("aria-sort", "descending")
    table.get_by_role("button", name="Package").click()
    names = table.get_by_role("rowheader").all_inner_texts()
    assert [name.strip() for name in names] == sorted(name.strip() for name in names)
    table.get_by_role("button", name="In this range").click()
    expect(table.get_by_role("columnheader", name="In this range")).to_have_attribute("aria-sort", "descending")


# Without a script, layout, accessibility


def test_page_works_without_javascript(shared_page: OpenPage) -> None:
    page = shared_page(PAGE, javascript=False).page
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


def test_nothing_moves_while_the_page_loads_and_is_hydrated(open_page: OpenPage) -> None:
    reader = open_page(PAGE, viewport={"width": 375, "height": 800})
    for width in (375, 1280):
        if width != 375:
            reader.page.set_viewport_size({"width": width, "height": 800})
            reader.open(PAGE)
        reader.interact()
        assert layout_shifts(reader.page, limit=FONT_SHIFT) == [], width
        assert reader.console_errors == [], width
        # Without the web font, nothing may move at all.
        reader.page.route("**/*.woff2", lambda route: route.abort())
        reader.open(PAGE)
        reader.interact()
        assert reader.layout_shifts() == [], width
        reader.page.unroute_all()
        reader.forget()


def test_page_is_not_wider_than_the_window(shared_page: OpenPage) -> None:
    reader = shared_page(PAGE)
    reader.open(PAGE)
    assert overflowing_widths(reader.page, (320, 375, 768, 1280, 1600)) == []


def test_controls_are_large_enough_for_fingers(shared_page: OpenPage) -> None:
    page = shared_page(PAGE, **PHONE).page
    controls = page.locator(
        ".stats-page :is(select, .more-options summary, .package-pill-row > *, .export-group .button)"
    )
    sizes = controls.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
    assert min(sizes) >= 44


def test_comparison_has_no_accessibility_violations(comparison: Reader) -> None:
    page = comparison.page
    page.locator("summary").filter(has_text="More options").click()
    assert violations(page) == []
    page.get_by_role("button", name="Color of swr").click()
    page.get_by_role("dialog").wait_for()
    assert violations(page, changed=".package-popover") == []
    page.get_by_role("button", name="More options for swr").click()
    page.get_by_role("dialog", name="swr", exact=True).wait_for()
    assert violations(page, changed=".package-popover") == []


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_page_with_suggestions_has_no_accessibility_violations(shared_page: OpenPage, window: dict[str, Any]) -> None:
    reader = shared_page(PAGE, **window)
    reader.open(PAGE)
    reader.interact()
    reader.page.get_by_label("Add a package").focus()
    reader.page.keyboard.type("vue")
    suggestions(reader.page).first.wait_for()
    assert violations(reader.page) == []


def test_embedded_comparison_has_a_legend_and_a_link_to_the_site(shared_page: OpenPage) -> None:
    reader = shared_page(PAGE)
    reader.open(f"{PAGE}/embed")
    page = reader.page
    expect(page.get_by_role("listitem").filter(has_text="swr").first).to_be_visible()
    expect(page.get_by_role("link", name="Open on")).to_have_attribute("target", "_parent")
    expect(page.get_by_role("navigation")).to_have_count(0)
    assert violations(page) == []


def test_named_comparison_is_a_page(server: Server) -> None:
    page = html.fromstring(httpx.get(f"{server.url}{PAGE}/react-vs-@angular/core").text)
    assert [heading.text_content() for heading in page.xpath("//h1")] == ["react vs @angular/core"]


def test_statistics_lead_to_npm(server: Server) -> None:
    assert httpx.get(f"{server.url}/stats", follow_redirects=True).url.path == PAGE

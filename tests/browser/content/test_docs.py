"""Docs pages in Chromium: complete without JavaScript, no errors after hydration, the theme, missing pages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Route, expect
from tests.browser.conftest import MAIN_TEXT, NO_SCRIPTS, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from tests.browser.conftest import OpenPage, Reader

OVERVIEW = "/query/latest/docs/framework/react/overview"
CACHING = "/query/latest/docs/framework/react/guides/caching"

# The home page, the blog, an example and another docs page are checked below a base path. Hydration keeps the HTML of
# Markdown, so that two docs pages of a library show the same.
PAGES = [
    "/query/latest",
    "/start/latest",
    "/config/latest",
    "/table/latest",
    "/blog/react-in-python",
    "/nope",
    "/query/latest/docs/framework",
    "/query/latest/docs/framework/react",
    "/query/latest/docs/framework/solid",
    OVERVIEW,
    "/query/latest/docs/framework/react/installation",
    "/query/latest/docs/framework/solid/installation",
    "/query/v5/docs/framework/react/overview",
    "/query/latest/docs/framework/react/nope",
    "/router/latest/docs/overview",
    "/router/latest/docs/guide/search-params",
    "/start/latest/docs/framework/react/overview",
    "/table/latest/docs/introduction",
    "/form/latest/docs/overview",
    "/virtual/latest/docs/introduction",
    "/pacer/latest/docs/guides/debouncing",
    "/store/latest/docs/overview",
    "/config/latest/docs/overview",
    "/ranger/latest/docs/concepts",
]


def test_hydration_logs_no_errors_and_makes_no_function_call(open_page: OpenPage) -> None:
    expected = ["Failed to load resource: the server responded with a status of 404 (Not Found)"]
    reader = open_page(PAGES[0], reduced_motion="reduce")
    for path in PAGES:
        reader.open(path)
        before = reader.page.evaluate(MAIN_TEXT)
        reader.calls.clear()
        reader.start_app()
        assert [c for c in reader.console_errors if c not in expected] == [], path
        assert not (reader.has_answers() and reader.calls), path
        assert reader.page.evaluate(MAIN_TEXT) == before, path


@pytest.mark.parametrize("path", [OVERVIEW, CACHING, "/pacer/latest/docs/guides/debouncing"])
def test_docs_page_is_complete_without_javascript(shared_tab: OpenPage, path: str) -> None:
    reader = shared_tab(path, javascript=False)
    page = reader.page
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Docs").get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("navigation", name="On this page").get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Next|Previous")).first).to_be_visible()
    expect(page.get_by_role("link", name="Edit on GitHub")).to_be_visible()


@pytest.mark.parametrize("path", [OVERVIEW, "/nope", "/", "/query/latest/docs/framework/react/examples/basic"])
def test_visible_buttons_work_without_javascript(shared_tab: OpenPage, path: str) -> None:
    page = shared_tab(path, javascript=False).page
    for width in (375, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        buttons = [button for button in page.locator("button").all() if button.is_visible()]
        unusable = [button for button in buttons if not works_without_javascript(button)]
        assert [button.inner_text() for button in unusable] == [], width


def works_without_javascript(button: Locator) -> bool:
    return button.get_attribute("popovertarget") is not None or button.get_attribute("type") == "submit"


def test_links_work_without_javascript(shared_tab: OpenPage) -> None:
    reader = shared_tab(OVERVIEW, javascript=False)
    reader.page.get_by_role("navigation").get_by_role("link", name="The Life of a Query").first.click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("The Life of a Query")


def test_each_framework_block_shows_one_panel_without_javascript(shared_tab: OpenPage) -> None:
    reader = shared_tab("/pacer/latest/docs/guides/debouncing", javascript=False)
    blocks = reader.page.locator(".framework-block")
    assert blocks.count() > 0
    for block in blocks.all():
        assert sum(panel.is_visible() for panel in block.locator("> section").all()) == 1


def test_theme_cycles_from_auto_to_light_to_dark_and_persists(shared_tab: OpenPage) -> None:
    reader = shared_tab(OVERVIEW)
    html = reader.page.locator("html")
    button = reader.page.get_by_role("button", name=re.compile("theme", re.IGNORECASE)).first
    button.click()
    button.click()
    expect(html).to_have_class(re.compile(r"\bdark\b"))
    wait_until(reader.page, lambda: theme_cookie(reader) == "dark", "the cookie contains the selected theme")
    reader.page.reload()
    expect(html).to_have_class(re.compile(r"\bdark\b"))
    assert theme_cookie(reader) == "dark"


def theme_cookie(reader: Reader) -> str | None:
    cookies = {cookie["name"]: cookie["value"] for cookie in reader.page.context.cookies()}
    return cookies.get("theme")


def test_last_theme_wins_when_first_request_is_slow(shared_tab: OpenPage) -> None:
    reader = shared_tab(OVERVIEW)
    modes: list[str] = []
    delayed: list[Route] = []

    def delay_first_request(route: Route) -> None:
        modes.append(json.loads(route.request.post_data or "{}")["data"]["mode"])
        if delayed:
            route.continue_()
        else:
            delayed.append(route)

    reader.page.route("**/_server/theme.set*", delay_first_request)
    button = reader.page.get_by_role("button", name=re.compile("theme", re.IGNORECASE)).first
    button.click()
    button.click()
    wait_until(reader.page, lambda: bool(delayed), "the first request is sent")
    assert modes == ["light"]
    delayed[0].continue_()
    wait_until(reader.page, lambda: theme_cookie(reader) == "dark", "the cookie contains the last selected theme")
    assert modes == ["light", "dark"]


def test_auto_theme_follows_system_color_scheme_before_script_files_load(shared_tab: OpenPage) -> None:
    page = shared_tab(NO_SCRIPTS).page
    page.emulate_media(color_scheme="dark")
    page.goto(page.url.replace(NO_SCRIPTS, OVERVIEW))
    html = page.locator("html")
    expect(html).to_have_class(re.compile(r"\bdark\b"))
    page.emulate_media(color_scheme="light")
    expect(html).not_to_have_class(re.compile(r"\bdark\b"))
    page.emulate_media(color_scheme="dark")
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(html).to_have_class(re.compile(r"\bdark\b"))
    page.emulate_media(color_scheme="light")


def test_unknown_url_shows_specified_not_found_message(shared_tab: OpenPage) -> None:
    reader = shared_tab("/nope")
    page = reader.page
    expect(page.get_by_role("heading", name="404 Not Found")).to_be_visible()
    expect(page.get_by_text("The page you are looking for does not exist.")).to_be_visible()
    expect(page.get_by_role("link", name="Start Over")).to_have_attribute("href", "/")
    expect(page.get_by_role("button", name="Go back")).to_be_visible()


def test_unknown_post_links_to_blog(shared_tab: OpenPage) -> None:
    page = shared_tab("/blog/nope", javascript=False).page
    expect(page.get_by_text("Post not found.")).to_be_visible()
    expect(page.get_by_role("link", name="Blog Home")).to_have_attribute("href", "/blog")


LINE_LENGTH = """() => {
  const text = document.querySelector('.docs-page .prose > p')
  const sample = document.createElement('span')
  sample.textContent = 'The quick brown fox jumps over the lazy dog while other animals sleep.'
  sample.style.cssText = 'position: absolute; white-space: nowrap'
  text.append(sample)
  const width = sample.getBoundingClientRect().width / sample.textContent.length
  sample.remove()
  return text.clientWidth / width
}"""
RAIL = """() => {
  const rail = document.querySelector('.promo-rails').getBoundingClientRect()
  return [rail.right <= innerWidth, rail.left >= document.querySelector('.docs-page').getBoundingClientRect().right]
}"""


def test_docs_text_has_75_characters_and_rails_fit_at_wide_widths(shared_tab: OpenPage) -> None:
    page = shared_tab(
        "/query/latest/docs/framework/react/guides/caching", viewport={"width": 1920, "height": 1000}
    ).page
    for width in ("comfortable", "wide"):
        page.evaluate("(width) => { document.documentElement.dataset.width = width }", width)
        assert 60 <= page.evaluate(LINE_LENGTH) <= 80
        assert page.evaluate(RAIL) == [True, True]
    expect(page.get_by_role("button", name="Wide text")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("button", name="Wide text")).to_be_hidden()
    promo, text = (
        page.locator(".promo[data-slot=footer]").bounding_box(),
        page.locator(".docs-page .prose").bounding_box(),
    )
    assert promo is not None
    assert text is not None
    assert promo["x"] >= text["x"]
    assert promo["x"] + promo["width"] <= text["x"] + text["width"]


def test_targets_of_docs_have_their_size_on_touch_screens(open_page: OpenPage) -> None:
    page = open_page(
        "/query/latest/docs/framework/react/guides/caching", viewport={"width": 375, "height": 720}, has_touch=True
    ).page
    heights = "(elements) => Math.min(...elements.map((element) => element.getBoundingClientRect().height))"
    page.get_by_role("button", name="Menu", exact=True).tap()
    assert page.locator(".docs-menu nav a:visible").evaluate_all(heights) >= 44
    page.keyboard.press("Escape")
    page.get_by_role("button", name="On this page").tap()
    assert page.locator(".toc a:visible").evaluate_all(heights) >= 40
    page.keyboard.press("Escape")
    assert page.locator(".prose .copy").evaluate_all(heights) >= 40

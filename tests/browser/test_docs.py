"""Reading docs in a real browser: complete without JavaScript, and quiet with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Route, expect
from tests.browser.conftest import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

OVERVIEW = "/query/latest/docs/framework/react/overview"
CACHING = "/query/latest/docs/framework/react/guides/caching"

# Diagrams are drawn and copy buttons added some time after the page is there.
WORDS = """(() => {
  const main = document.querySelector('main').cloneNode(true)
  for (const part of main.querySelectorAll('.mermaid, .copy')) part.remove()
  return main.textContent
})()"""

PAGES = [
    "/",
    "/query/latest",
    "/start/latest",
    "/config/latest",
    "/table/latest",
    "/blog",
    "/blog/react-in-python",
    "/nope",
    "/query/latest/docs/framework",
    "/query/latest/docs/framework/react",
    "/query/latest/docs/framework/solid",
    OVERVIEW,
    CACHING,
    "/query/latest/docs/framework/react/quick-start",
    "/query/latest/docs/framework/react/installation",
    "/query/latest/docs/framework/solid/installation",
    "/query/latest/docs/framework/solid/quick-start",
    "/query/v5/docs/framework/react/overview",
    "/query/latest/docs/framework/react/nope",
    "/query/latest/docs/framework/react/examples/basic",
    "/router/latest/docs/overview",
    "/router/latest/docs/installation/with-vite",
    "/router/latest/docs/guide/search-params",
    "/start/latest/docs/framework/react/overview",
    "/start/latest/docs/framework/react/guide/server-functions",
    "/table/latest/docs/introduction",
    "/table/latest/docs/guide/row-models",
    "/form/latest/docs/overview",
    "/virtual/latest/docs/introduction",
    "/pacer/latest/docs/guides/debouncing",
    "/store/latest/docs/overview",
    "/config/latest/docs/overview",
    "/ranger/latest/docs/concepts",
]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_hydrates_without_a_complaint_and_without_a_call(read: Open, path: str) -> None:
    reader = read(path)
    before = reader.page.evaluate(WORDS)
    reader.start_app()
    missing = ["Failed to load resource: the server responded with a status of 404 (Not Found)"]
    assert [c for c in reader.complaints if c not in missing] == []
    assert reader.calls == []
    assert reader.page.evaluate(WORDS) == before


def test_following_a_link_inside_a_library_makes_one_call_and_going_back_none(read: Open) -> None:
    reader = read(OVERVIEW)
    reader.start_app()
    reader.page.get_by_role("navigation").get_by_role("link", name="The Life of a Query").first.click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("The Life of a Query")
    assert [re.search(r"/_server/([a-z.]+)", call)[1] for call in reader.calls] == ["docs.page"]  # type: ignore[index]
    assert reader.path() == CACHING
    reader.page.go_back()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Overview")
    assert len(reader.calls) == 1


def test_the_first_thing_a_reader_does_is_not_lost(read: Open) -> None:
    reader = read(OVERVIEW)
    reader.page.get_by_role("navigation").get_by_role("link", name="The Life of a Query").first.click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("The Life of a Query")


@pytest.mark.parametrize("path", [OVERVIEW, CACHING, "/pacer/latest/docs/guides/debouncing"])
def test_a_docs_page_is_complete_without_javascript(read: Open, path: str) -> None:
    reader = read(path, javascript=False)
    page = reader.page
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Docs").get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("navigation", name="On this page").get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Next|Previous")).first).to_be_visible()
    expect(page.get_by_role("link", name="Edit on GitHub")).to_be_visible()


@pytest.mark.parametrize("path", [OVERVIEW, "/nope", "/", "/query/latest/docs/framework/react/examples/basic"])
@pytest.mark.parametrize("width", [375, 1280])
def test_without_javascript_every_button_that_is_shown_does_something(read: Open, path: str, width: int) -> None:
    page = read(path, javascript=False, viewport={"width": width, "height": 900}).page
    buttons = [button for button in page.locator("button").all() if button.is_visible()]
    dead = [button for button in buttons if not served_by_the_browser(button)]
    assert [button.inner_text() for button in dead] == []


def served_by_the_browser(button: Locator) -> bool:
    return button.get_attribute("popovertarget") is not None or button.get_attribute("type") == "submit"


def test_links_work_without_javascript(read: Open) -> None:
    reader = read(OVERVIEW, javascript=False)
    reader.page.get_by_role("navigation").get_by_role("link", name="The Life of a Query").first.click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("The Life of a Query")


def test_only_one_framework_and_one_tab_are_shown(read: Open) -> None:
    reader = read("/pacer/latest/docs/guides/debouncing", javascript=False)
    blocks = reader.page.locator(".framework-block")
    assert blocks.count() > 0
    for block in blocks.all():
        assert sum(panel.is_visible() for panel in block.locator("> section").all()) == 1


def test_the_theme_goes_from_auto_to_light_to_dark_and_stays(read: Open) -> None:
    reader = read(OVERVIEW, color_scheme="light")
    html = reader.page.locator("html")
    button = reader.page.get_by_role("button", name=re.compile("theme", re.IGNORECASE)).first
    button.click()
    button.click()
    expect(html).to_have_class(re.compile(r"\bdark\b"))
    wait_until(reader.page, lambda: theme_cookie(reader) == "dark", "the cookie says what was chosen")
    reader.page.reload()
    expect(html).to_have_class(re.compile(r"\bdark\b"))
    assert theme_cookie(reader) == "dark"


def theme_cookie(reader: Reader) -> str | None:
    cookies = {cookie["name"]: cookie["value"] for cookie in reader.page.context.cookies()}
    return cookies.get("theme")


def test_the_last_theme_that_was_chosen_is_kept_however_long_the_first_takes(read: Open) -> None:
    reader = read(OVERVIEW)
    told: list[str] = []
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        told.append(json.loads(route.request.post_data or "{}")["data"]["mode"])
        if held:
            route.continue_()
        else:
            held.append(route)

    reader.page.route("**/_server/theme.set*", hold_the_first)
    button = reader.page.get_by_role("button", name=re.compile("theme", re.IGNORECASE)).first
    button.click()
    button.click()
    wait_until(reader.page, lambda: bool(held), "the first choice is told")
    assert told == ["light"]
    held[0].continue_()
    wait_until(reader.page, lambda: theme_cookie(reader) == "dark", "the cookie says what was chosen last")
    assert told == ["light", "dark"]


def test_the_theme_follows_the_system_while_it_is_auto(read: Open) -> None:
    reader = read(OVERVIEW, color_scheme="dark")
    html = reader.page.locator("html")
    expect(html).to_have_class(re.compile(r"\bdark\b"))
    reader.page.emulate_media(color_scheme="light")
    expect(html).not_to_have_class(re.compile(r"\bdark\b"))


def test_the_theme_is_there_before_any_script_file_has_come(read: Open) -> None:
    reader = read(OVERVIEW, color_scheme="dark")
    reader.page.route("**/assets/*.js", lambda route: route.abort())
    reader.page.reload()
    expect(reader.page.locator("html")).to_have_class(re.compile(r"\bdark\b"))


def test_an_unknown_address_says_so_in_the_words_of_the_specification(read: Open) -> None:
    reader = read("/nope")
    page = reader.page
    expect(page.get_by_role("heading", name="404 Not Found")).to_be_visible()
    expect(page.get_by_text("The page you are looking for does not exist.")).to_be_visible()
    expect(page.get_by_role("link", name="Start Over")).to_have_attribute("href", "/")
    expect(page.get_by_role("button", name="Go back")).to_be_visible()


def test_a_post_that_does_not_exist_leads_back_to_the_blog(read: Open) -> None:
    page = read("/blog/nope").page
    expect(page.get_by_text("Post not found.")).to_be_visible()
    expect(page.get_by_role("link", name="Blog Home")).to_have_attribute("href", "/blog")

"""The search dialog: keyboard, mouse, announcements, errors and small screens."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.axe import violations
from tests.browser.conftest import (
    NO_SCRIPTS,
    OpenPage,
    hold_first_request,
    hold_requests,
    wait_for_first_paint,
    wait_until,
)
from tests.browser.search.search_dialog import (
    NO_LIBRARY,
    PAGE,
    QUERIES,
    OpenSearch,
    enter_query,
    load_and_search,
    raise_timeouts,
    results,
    search_box,
    search_for,
)
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import Server


@pytest.fixture(scope="module", autouse=True)
def search_index(server: Server) -> None:
    wait_for_search_index(server)


def test_shortcuts_open_search_before_app_is_loaded(shared_tab: OpenPage) -> None:
    reader = shared_tab(PAGE)
    page = reader.page
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    reader.interact()
    page.wait_for_load_state("networkidle")
    # Nothing of the search is loaded before it opens.
    assert not [url for url in loaded if "search" in url.rpartition("/")[2].lower() or "/1/indexes" in url]
    for key in ("Control+k", "Meta+k", "/"):
        if key != "Control+k":
            # The dialog of the key before is loaded.
            reader.open(PAGE)
            reader.interact()
        page.keyboard.press(key)
        expect(search_box(page), key).to_be_focused()
        expect(page.get_by_role("heading", name="Search the product")).to_be_visible()
        expect(page.get_by_text("Start typing to search through our documentation, guides, and more.")).to_be_visible()
        page.keyboard.press("Escape")
        expect(search_box(page)).not_to_be_visible()


PRESS_CTRL = """([key, code]) => {
  const init = { key, code, ctrlKey: true, bubbles: true, cancelable: true }
  return !document.body.dispatchEvent(new KeyboardEvent('keydown', init))
}"""


def test_shortcut_works_on_every_keyboard_layout(shared_page: OpenPage) -> None:
    page = shared_page(PAGE, reduced_motion="reduce").page
    # On Dvorak, the key in the place of K types T, and K is in the place of V.
    assert page.evaluate(PRESS_CTRL, ["t", "KeyK"]) is False
    assert page.evaluate(PRESS_CTRL, ["k", "KeyV"]) is True
    expect(search_box(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(search_box(page)).not_to_be_visible()
    assert page.evaluate(PRESS_CTRL, ["л", "KeyK"]) is True
    expect(search_box(page)).to_be_focused()
    page.keyboard.press("Escape")


def test_escape_closes_search_and_restores_focus(shared_page: OpenPage) -> None:
    reader = shared_page(PAGE, reduced_motion="reduce")
    reader.interact()
    button = reader.page.get_by_role("link", name="Search").first
    button.focus()
    reader.page.keyboard.press("Enter")
    expect(search_box(reader.page)).to_be_focused()
    reader.page.keyboard.press("Escape")
    expect(search_box(reader.page)).not_to_be_visible()
    expect(button).to_be_focused()


def test_arrows_select_result_and_enter_opens_it(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "cache")
    count = results(page).count()
    assert count > 2
    for key, index in [("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", count - 1), ("ArrowDown", 0)]:
        search_box(page).press(key)
        expect(results(page).nth(index)).to_have_attribute("aria-selected", "true")
        expect(search_box(page)).to_have_attribute("aria-activedescendant", f"Site-search-results-{index}")
    search_box(page).press("ArrowDown")
    expected = results(page).nth(1).get_attribute("href")
    with page.expect_request("**/1/events*") as request_info:
        search_box(page).press("Enter")
    # The event of the click has the position, and nothing about the reader.
    (event,) = json.loads(request_info.value.post_data or "")["events"]
    assert (event["eventType"], event["positions"], len(event["objectIDs"])) == ("click", [2], 1)
    assert re.fullmatch("[0-9a-f]{32}", event["queryID"])
    assert "userToken" not in event
    expect(search_box(page)).not_to_be_visible()
    page.wait_for_url(lambda url: url.endswith(str(expected)))


def test_filter_selects_first_of_its_results(open_search: OpenSearch) -> None:
    page = open_search(NO_LIBRARY)
    search_for(page, "state")
    search_box(page).press("ArrowUp")
    expect(results(page).last).to_have_attribute("aria-selected", "true")
    # The library with the fewest results is last.
    page.get_by_role("group", name="Libraries").get_by_role("button").last.click()
    expect(results(page).first).to_have_attribute("aria-selected", "true")
    expect(search_box(page)).to_have_attribute("aria-activedescendant", "Site-search-results-0")
    expected = results(page).first.get_attribute("href")
    search_box(page).press("Enter")
    page.wait_for_url(lambda url: url.endswith(str(expected)))


def test_enter_waits_for_pending_results_and_opens_first(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "mutations")
    before = results(page).first.get_attribute("href")
    raise_timeouts(page)
    held = hold_requests(page, QUERIES)
    search_box(page).fill("install")
    search_box(page).press("Enter")
    wait_until(page, lambda: bool(held), "the query is sent")
    response = held[0].fetch()
    expected = urlsplit(response.json()["results"][0]["hits"][0]["url"])
    assert expected.path not in str(before)
    held[0].fulfill(response=response)
    page.wait_for_url(lambda url: urlsplit(url).path == expected.path)
    expect(search_box(page)).not_to_be_visible()


def test_typing_after_enter_cancels_opening_first_result(open_search: OpenSearch) -> None:
    page = open_search()
    raise_timeouts(page)
    held = hold_requests(page, QUERIES)
    search_box(page).fill("refetch")
    search_box(page).press("Enter")
    wait_until(page, lambda: bool(held), "the query is sent")
    search_box(page).press_sequentially("s")
    search_box(page).press("Backspace")
    held[0].continue_()
    expect(results(page).first).to_be_visible()
    search_box(page).press("ArrowDown")
    expect(results(page).nth(1)).to_have_attribute("aria-selected", "true")


def test_search_before_first_query(open_search: OpenSearch) -> None:
    page = open_search()
    expect(search_box(page)).to_have_attribute("maxlength", "512")
    expect(search_box(page)).to_have_attribute("autocomplete", "off")
    expect(search_box(page)).to_have_attribute("spellcheck", "false")
    expect(page.get_by_role("button", name="Clear")).to_have_count(0)
    # The filters of the page have no counts. Backspace in the empty box removes the last one.
    libraries, frameworks = page.get_by_role("group", name="Libraries"), page.get_by_role("group", name="Frameworks")
    expect(libraries.get_by_role("button", pressed=True)).to_have_text("Query")
    expect(frameworks.get_by_role("button", pressed=True)).to_have_text("React")
    search_box(page).press("Backspace")
    expect(frameworks.get_by_role("button", pressed=True)).to_have_count(0)
    libraries.get_by_role("button", name="Query", pressed=True).click()
    expect(libraries.get_by_role("button")).to_have_count(0)
    expect(search_box(page)).to_be_focused()
    search_for(page, "weather")
    libraries.get_by_role("button", name="Query").click()
    expect(libraries.get_by_role("button", pressed=True)).to_have_count(1)
    search_box(page).fill("")
    search_box(page).press("Backspace")
    expect(libraries.get_by_role("button", pressed=True)).to_have_count(0)


def test_result_opens_in_app_and_is_listed_in_recent(open_search: OpenSearch) -> None:
    page = open_search()
    page.evaluate("window.sameDocument = true")
    search_for(page, "installation")
    title = results(page).first.locator("strong").inner_text()
    results(page).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert page.evaluate("window.sameDocument") is True
    page.keyboard.press("Control+k")
    page.get_by_role("button", name="Clear").click()
    expect(search_box(page)).to_have_value("")
    expect(search_box(page)).to_be_focused()
    expect(page.get_by_role("region", name="Recent").get_by_role("link", name=title)).to_be_visible()
    page.get_by_role("button", name=f"Add {title} to favorites").click()
    expect(page.get_by_role("region", name="Favorites").get_by_role("link", name=title)).to_be_visible()
    expect(search_box(page)).to_be_focused()
    page.get_by_role("button", name=f"Remove {title}").click()
    expect(page.get_by_role("region", name="Favorites")).not_to_be_visible()
    expect(search_box(page)).to_be_focused()


RECORD_UNHANDLED_LINK = """addEventListener('click', (event) => {
  if (!event.defaultPrevented) window.unhandledLink = event.target.closest('a')?.href
  event.preventDefault()
}, { once: true })"""
"""Record the link of an unhandled click and open no tab: in Chromium's headless shell a new tab crashes under load."""


def test_result_opened_in_new_tab_keeps_search_open_and_is_listed_in_recent(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "devtools")
    title = results(page).first.locator("strong").inner_text()
    href = results(page).first.evaluate("(link) => link.href")
    page.evaluate(RECORD_UNHANDLED_LINK)
    results(page).first.click(modifiers=["ControlOrMeta"])
    assert page.evaluate("window.unhandledLink") == href
    expect_search_open_and_recent(page, "devtools", title)
    # The same with the keyboard: another result.
    search_for(page, "caching")
    other_title = results(page).first.locator("strong").inner_text()
    with page.context.expect_page() as other_page:
        page.keyboard.press("ControlOrMeta+Enter")
    expect(other_page.value.get_by_role("heading", level=1)).to_have_text(other_title)
    other_page.value.close()
    expect_search_open_and_recent(page, "caching", other_title)


def expect_search_open_and_recent(page: Page, text: str, title: str) -> None:
    expect(search_box(page)).to_have_value(text)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("region", name="Recent").get_by_role("link", name=title)).to_be_visible()


def test_no_results_message_offers_start_of_docs_and_search_without_filters(open_search: OpenSearch) -> None:
    page = open_search()
    enter_query(page, "zzzzqqqq")
    expect(page.get_by_role("heading", name="No results found")).to_be_visible()
    expect(page.get_by_text("Try adjusting your search or filters to find what you're looking for")).to_be_visible()
    start_link = page.get_by_role("list", name="Start here").get_by_role("link")
    expect(start_link).to_have_attribute("href", re.compile("^/query/latest/docs/"))
    # The filters can be removed here too.
    expect(page.get_by_role("group", name="Libraries").get_by_role("button", pressed=True)).to_have_text("Query 0")
    page.get_by_role("button", name="search every library").click()
    expect(page.get_by_text("Nothing matches “zzzzqqqq”. Check the spelling.")).to_be_visible()
    expect(page.get_by_role("button", name="search every library")).to_have_count(0)
    expect(search_box(page)).to_be_focused()


def test_search_dialog_keeps_url_of_search_page(shared_tab: OpenPage) -> None:
    page = load_and_search(shared_tab, "/search?q=cache&page=2")
    expect(search_box(page)).to_have_value("cache")
    search_box(page).fill("query")
    expect(results(page).first).to_be_visible()
    page.wait_for_timeout(600)  # longer than the delay before the search writes to the URL
    page.keyboard.press("Escape")
    expect(search_box(page)).not_to_be_visible()
    assert page.url.endswith("/search?q=cache&page=2")


def test_search_url_opens_search_with_query(open_search: OpenSearch, shared_tab: OpenPage) -> None:
    page = open_search()
    search_for(page, "polling")
    page.wait_for_url("**/overview?q=polling")
    other_page = shared_tab(f"{PAGE}?q=polling").page
    expect(search_box(other_page)).to_have_value("polling")
    expect(results(other_page).first).to_be_visible()
    other_page.keyboard.press("Escape")
    other_page.wait_for_url(lambda url: url.endswith("/overview"))


def test_search_url_opens_page_of_results(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{NO_LIBRARY}?q=state&page=2").page
    pages = page.get_by_role("navigation", name="Pages of results")
    expect(pages.get_by_role("button", name="Page 2", exact=True)).to_have_attribute("aria-current", "page")
    expect(results(page).first).to_be_visible()
    pages.get_by_role("button", name="Next").click()
    page.wait_for_url(f"**{NO_LIBRARY}?q=state&page=3")
    # Page 3 is the last page.
    expect(pages.get_by_role("button", name="Next")).to_be_disabled()
    expect(search_box(page)).to_be_focused()


def test_version_filter_resets_page_of_results(open_search: OpenSearch) -> None:
    page = open_search("/query/v4")
    versions = page.get_by_role("group", name="Version")
    versions.get_by_role("button", name="v5 (latest)").click()
    search_box(page).press("Backspace")
    search_box(page).fill("state")
    page.get_by_role("button", name="Page 2", exact=True).click()
    with page.expect_request(lambda request: '"version:v4"' in (request.post_data or "")) as request_info:
        versions.get_by_role("button", name="v4").click()
    assert {query["page"] for query in json.loads(request_info.value.post_data or "")["requests"]} == {0}


def test_page_number_beyond_last_shows_last_page_in_dialog(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{NO_LIBRARY}?q=state&page=999").page
    pages = page.get_by_role("navigation", name="Pages of results")
    expect(pages.get_by_role("button", name=re.compile("^Page")).last).to_have_attribute("aria-current", "page")
    expect(results(page).first).to_be_visible()
    page.wait_for_url(re.compile(r"page=\d{1,2}$"))


def test_back_from_result_shows_page_without_search(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "quick")
    page.wait_for_url("**/overview?q=quick")
    search_box(page).press("Enter")
    page.wait_for_url(lambda url: "/overview" not in url)
    page.go_back()
    page.wait_for_url(f"**{PAGE}")
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    expect(search_box(page)).not_to_be_visible()


@pytest.mark.parametrize("files", ["searchDialog-*.js", "search-*.css"])
def test_search_that_cannot_be_loaded_stays_on_the_page_and_can_be_retried(shared_tab: OpenPage, files: str) -> None:
    page = shared_tab(PAGE).page
    held = hold_requests(page, f"**/assets/{files}")
    page.keyboard.press("Control+k")
    wait_until(page, lambda: bool(held), "the file is requested")
    expect(page.get_by_text("Loading search…")).to_be_visible()
    page.keyboard.type("cache")
    page.route(f"**/assets/{files}", lambda route: route.abort())
    held[0].abort()
    expect(page.get_by_role("alert")).to_contain_text("Search is unreachable")
    expect(page.get_by_role("link", name="Open the search page")).to_have_attribute("href", "/search?q=cache")
    frame = page.get_by_role("dialog", name="Search").locator("> *").bounding_box()
    assert frame is not None
    assert frame["width"] > 600
    assert urlsplit(page.url).path == PAGE
    page.unroute(f"**/assets/{files}")
    page.get_by_role("button", name="Try again").click()
    expect(search_box(page)).to_have_value("cache")
    expect(results(page).first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(1)


def test_search_that_is_closed_while_it_loads_does_not_open(shared_tab: OpenPage) -> None:
    page = shared_tab(PAGE).page
    held = hold_first_request(page, "**/assets/searchDialog-*.js")
    page.keyboard.press("Control+k")
    expect(page.get_by_text("Loading search…")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    with page.expect_response("**/assets/searchDialog-*.js"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_quickly_opened_result_has_no_query_in_url(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "overview")
    search_box(page).press("Enter")
    expect(search_box(page)).not_to_be_visible()
    page.wait_for_timeout(600)  # longer than the delay before the search writes to the URL
    assert "q=" not in page.url


ERRORS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"status": 503, "json": {"message": "Not yet", "status": 503}}, "Search is unavailableNot yet"),
    # The page of a proxy is not shown.
    ({"status": 502, "body": "<h1>Bad Gateway</h1>"}, "Search is unavailableThe server cannot answer right now."),
    ({"status": 400, "json": {"message": "Not today", "status": 400}}, "Not today"),
)
"""Answers to queries, and the messages that are shown."""


def answer_queries(page: Page, **answer: Any) -> None:
    page.route(QUERIES, lambda route: route.fulfill(**answer))


def test_server_error_is_shown_and_query_can_be_retried(open_search: OpenSearch) -> None:
    page = open_search()
    for number, (answer, message) in enumerate(ERRORS, 1):
        answer_queries(page, **answer)
        enter_query(page, "cache"[:-number])
        expect(page.get_by_role("alert")).to_contain_text(message)
    page.unroute(QUERIES)
    page.get_by_role("button", name="Try again").click()
    expect(results(page).first).to_be_visible()
    expect(search_box(page)).to_be_focused()


def test_offline_search_says_so_and_searches_again_with_the_connection(open_search: OpenSearch) -> None:
    page = open_search()
    page.context.set_offline(True)
    search_box(page).press_sequentially("mutation")
    expect(page.get_by_role("alert")).to_have_text("Search is unreachableCheck your connection.Try again")
    page.context.set_offline(False)
    expect(results(page).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_unreachable_hosted_search_suggests_incorrect_application_id(shared_tab: OpenPage) -> None:
    page = shared_tab(PAGE).page

    def hosted(route: Route) -> None:
        """The hosts of a hosted search: this server again, because the security policy allows no other."""
        response = route.fetch()
        config = response.json()
        parts = urlsplit(page.url)
        config["data"]["hosts"] = [{"url": parts.netloc, "protocol": parts.scheme}]
        route.fulfill(response=response, json=config)

    page.route("**/search.config*", hosted)
    page.route(QUERIES, lambda route: route.abort())
    page.keyboard.press("Control+k")
    search_box(page).press_sequentially("cache")
    expect(page.get_by_role("alert")).to_contain_text("your application id may be incorrect")


SUM_OF_SHIFTS = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(0), 300)
})"""


def test_late_answer_is_awaited_with_placeholders_and_moves_nothing(open_search: OpenSearch) -> None:
    page = open_search(NO_LIBRARY)
    raise_timeouts(page)
    held = hold_requests(page, QUERIES)
    search_box(page).fill("cache")
    wait_until(page, lambda: bool(held), "the query is sent")
    expect(page.locator("dialog output")).to_have_text("Searching…")
    expect(page.locator(".search-skeleton-row")).to_have_count(3)
    expect(page.get_by_role("heading", name="No results found")).to_have_count(0)
    before = page.evaluate(SUM_OF_SHIFTS)
    held[0].continue_()
    expect(results(page).first).to_be_visible()
    assert page.evaluate(SUM_OF_SHIFTS) == pytest.approx(before, abs=0.001)


def test_site_pages_are_found_and_offered_from_a_library(open_search: OpenSearch) -> None:
    page = open_search()
    enter_query(page, "privacy")
    page.get_by_role("button", name="search every library").click()
    expect(results(page).first).to_contain_text("Privacy Policy")
    search_box(page).press("Enter")
    page.wait_for_url("**/privacy")
    # A page of no library begins a new search.
    page.keyboard.press("Control+k")
    expect(page.get_by_role("region", name="Recent").get_by_role("link", name="Privacy Policy")).to_be_visible()


@pytest.mark.parametrize("app", [False, True])
def test_keys_typed_before_search_box_is_loaded_are_kept(shared_tab: OpenPage, app: bool) -> None:
    reader = shared_tab(PAGE)
    held = hold_first_request(reader.page, "**/searchDialog*.js")
    if app:
        reader.interact()
    with reader.page.expect_request("**/searchDialog*.js"):
        reader.page.keyboard.press("Control+k")
        reader.page.keyboard.type("cachx")
        reader.page.keyboard.press("Backspace")
    wait_until(reader.page, lambda: bool(held), "the dialog is requested")
    held[0].continue_()
    expect(search_box(reader.page)).to_be_focused()
    reader.page.keyboard.type("ing")
    expect(search_box(reader.page)).to_have_value("caching")
    expect(results(reader.page).first).to_be_visible()


def test_shortcut_and_text_typed_before_boot_script_are_kept(shared_page: OpenPage) -> None:
    reader = shared_page(NO_SCRIPTS)
    held = hold_first_request(reader.page, "**/assets/boot-*.js")
    reader.page.goto(reader.server.url + PAGE, wait_until="commit")
    wait_until(reader.page, lambda: bool(held), "the boot script is requested")
    wait_for_first_paint(reader.page)
    reader.page.keyboard.press("Control+k")
    reader.page.keyboard.type("cache")
    held[0].continue_()
    expect(search_box(reader.page)).to_have_value("cache")
    expect(results(reader.page).first).to_be_visible()


def test_search_dialog_has_no_accessibility_violations_and_fits_each_width(open_search: OpenSearch) -> None:
    page = open_search()
    assert violations(page) == []
    search_for(page, "query")
    body = "document.querySelector('.search-body')"
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        right = page.evaluate("document.querySelector('dialog.search-dialog').getBoundingClientRect().right")
        assert right <= width, width
        assert page.evaluate(f"{body}.scrollWidth <= {body}.clientWidth"), width
    # The previous results are dimmed while a response is pending.
    expect(page.locator(".search-body")).to_have_attribute("aria-busy", "false")
    assert violations(page, changed="dialog") == []

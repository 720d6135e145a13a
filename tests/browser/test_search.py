"""The search as readers use it: by keys, by hand, by ear, on a phone, and without a script."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Locator, Page, Response, Route, expect
from tests.browser.conftest import Reader, wait_until
from tests.browser.test_accessibility import violations
from tests.serving import Server

Open = Callable[..., Reader]

PAGE = "/query/latest/docs/framework/react/overview"
WIDE = "/blog"
"""A page of no library, from which everything is searched."""
QUERIES = "**/1/indexes/**"
ASKED = "/1/indexes/*/queries?x-algolia-application-id=kinfolk&x-algolia-api-key=kinfolk-search"
READY_S = 240
FIRST_WAITS_MS = (1000, 2000)
"""For an answer to begin, and to be whole."""
LONGER_WAITS_MS = (4000, 8000)
"""Where the last one came too late."""


@pytest.fixture(scope="module", autouse=True)
def indexed(server: Server) -> None:
    """The index is built in the background once the server is there."""
    deadline = time.monotonic() + READY_S
    body = {"requests": [{"indexName": "tanstack", "query": "cache"}]}
    while httpx.post(server.url + ASKED, json=body, timeout=READY_S).status_code != 200:
        if time.monotonic() > deadline:
            pytest.fail("the search index was never ready")
        time.sleep(0.2)


def opened(read: Open, path: str = PAGE, **options: object) -> Page:
    reader = read(path, **options)
    reader.start_app()
    reader.page.keyboard.press("Control+k")
    expect(box(reader.page)).to_be_focused()
    return reader.page


def box(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search")


def results(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Results").get_by_role("option")


def type_in(page: Page, text: str) -> Response:
    """Until the last key is answered: each key asks."""
    asked = json.dumps({"query": text}, separators=(",", ":"))[1:-1]
    with page.expect_response(lambda answer: asked in (answer.request.post_data or "")) as last:
        box(page).press_sequentially(text)
    return last.value


def type_and_wait(page: Page, text: str) -> None:
    """Until the answer to the last key is shown: what is shown changes with every answer."""
    answer = type_in(page, text).json()["results"][0]
    # Said once nothing is awaited any more.
    expect(page.locator("dialog output")).to_have_text(re.compile(rf"^{answer['nbHits']} results?$"))
    # Those that cannot be seen yet are drawn last.
    expect(results(page)).to_have_count(len(answer["hits"]))
    expect(results(page).first).to_be_visible()


def hold(page: Page, url: str) -> list[Route]:
    """What is asked of an address from now on, and waits to be answered."""
    held: list[Route] = []
    # Not `held.append` itself: it takes no attributes, which Playwright gives to a handler.
    page.route(url, lambda route: held.append(route))  # noqa: PLW0108
    return held


def outlast(page: Page, *waits_ms: int) -> None:
    """Whoever waits just so long for an answer waits a minute: what keeps a test busy must not count as a slow line."""
    longer = """(waits) => {
      const wait = window.setTimeout
      window.setTimeout = (act, ms, ...more) => wait(act, waits.includes(ms) ? 60_000 : ms, ...more)
    }"""
    page.evaluate(longer, [*waits_ms])


def test_a_page_on_which_nobody_searches_loads_nothing_of_it(read: Open) -> None:
    reader = read(PAGE)
    loaded: list[str] = []
    reader.page.on("request", lambda request: loaded.append(request.url))
    reader.start_app()
    reader.page.wait_for_load_state("networkidle")
    assert not [url for url in loaded if "Search" in url.rpartition("/")[2] or "/1/indexes" in url]


@pytest.mark.parametrize("key", ["Control+k", "Meta+k", "/"])
def test_a_key_opens_the_search_even_before_the_app_is_there(read: Open, key: str) -> None:
    page = read(PAGE).page
    page.keyboard.press(key)
    expect(box(page)).to_be_focused()
    expect(page.get_by_role("heading", name="Search the product")).to_be_visible()
    expect(page.get_by_text("Start typing to search through our documentation, guides, and more.")).to_be_visible()


def test_escape_closes_it_and_the_focus_returns_to_where_it_was(read: Open) -> None:
    reader = read(PAGE)
    reader.start_app()
    button = reader.page.get_by_role("link", name="Search").first
    button.focus()
    reader.page.keyboard.press("Enter")
    expect(box(reader.page)).to_be_focused()
    reader.page.keyboard.press("Escape")
    expect(box(reader.page)).not_to_be_visible()
    expect(button).to_be_focused()


def test_arrows_home_and_end_move_among_the_results_and_enter_opens_one(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "cache")
    count = results(page).count()
    assert count > 2
    for key, at in [("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", count - 1), ("Home", 0), ("End", count - 1)]:
        box(page).press(key)
        expect(results(page).nth(at)).to_have_attribute("aria-selected", "true")
        expect(box(page)).to_have_attribute("aria-activedescendant", f"search-results-{at}")
    box(page).press("Home")
    wanted = results(page).first.get_attribute("href")
    box(page).press("Enter")
    expect(box(page)).not_to_be_visible()
    page.wait_for_url(lambda url: url.endswith(str(wanted)))


def test_a_choice_begins_at_the_first_of_its_results(read: Open) -> None:
    page = opened(read, WIDE)
    type_and_wait(page, "state")
    box(page).press("End")
    expect(results(page).last).to_have_attribute("aria-selected", "true")
    # The least of them comes last.
    page.get_by_role("group", name="Libraries").get_by_role("button").last.click()
    expect(results(page).first).to_have_attribute("aria-selected", "true")
    expect(box(page)).to_have_attribute("aria-activedescendant", "search-results-0")
    wanted = results(page).first.get_attribute("href")
    box(page).press("Enter")
    page.wait_for_url(lambda url: url.endswith(str(wanted)))


def test_an_early_enter_waits_for_the_answer_to_what_is_typed(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "cache")
    before = results(page).first.get_attribute("href")
    outlast(page, *FIRST_WAITS_MS, *LONGER_WAITS_MS)
    held = hold(page, QUERIES)
    box(page).fill("installation")
    box(page).press("Enter")
    wait_until(page, lambda: bool(held), "the search is asked")
    answer = held[0].fetch()
    wanted = urlsplit(answer.json()["results"][0]["hits"][0]["url"])
    assert wanted.path not in str(before)
    held[0].fulfill(response=answer)
    page.wait_for_url(lambda url: urlsplit(url).path == wanted.path)
    expect(box(page)).not_to_be_visible()


def test_an_early_enter_is_forgotten_by_whoever_types_on(read: Open) -> None:
    page = opened(read)
    outlast(page, *FIRST_WAITS_MS, *LONGER_WAITS_MS)
    held = hold(page, QUERIES)
    box(page).fill("cache")
    box(page).press("Enter")
    wait_until(page, lambda: bool(held), "the search is asked")
    box(page).press_sequentially("s")
    box(page).press("Backspace")
    held[0].continue_()
    expect(results(page).first).to_be_visible()
    box(page).press("ArrowDown")
    expect(results(page).nth(1)).to_have_attribute("aria-selected", "true")


def test_clearing_the_box_leaves_one_in_it(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "cache")
    page.get_by_role("button", name="Clear").click()
    expect(box(page)).to_have_value("")
    expect(box(page)).to_be_focused()


def test_what_was_chosen_has_no_number_before_anything_is_asked(read: Open) -> None:
    page = opened(read)
    expect(page.get_by_role("group", name="Libraries").get_by_role("button", pressed=True)).to_have_text("Query")


def test_a_result_is_followed_inside_the_app_and_remembered(read: Open) -> None:
    reader = read(PAGE)
    reader.start_app()
    page = reader.page
    page.evaluate("window.stayed = true")
    page.keyboard.press("Control+k")
    type_and_wait(page, "installation")
    title = results(page).first.locator("strong").inner_text()
    results(page).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert page.evaluate("window.stayed") is True
    page.keyboard.press("Control+k")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("region", name="Recent").get_by_role("link", name=title)).to_be_visible()
    page.get_by_role("button", name=f"Keep {title} as a favourite").click()
    expect(page.get_by_role("region", name="Favourites").get_by_role("link", name=title)).to_be_visible()
    expect(box(page)).to_be_focused()
    page.get_by_role("button", name=f"Forget {title}").click()
    expect(page.get_by_role("region", name="Favourites")).not_to_be_visible()
    expect(box(page)).to_be_focused()


LEFT_TO_THE_BROWSER = """addEventListener('click', (event) => {
  if (!event.defaultPrevented) window.leftToTheBrowser = event.target.closest('a')?.href
  event.preventDefault()
})"""
"""Chromium's headless shell itself opens no tab here: under load the tab of a Ctrl-click crashes on any site."""


def test_a_result_that_is_opened_in_a_new_tab_by_hand_leaves_the_search_as_it_is_and_is_remembered(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "installation")
    title = results(page).first.locator("strong").inner_text()
    href = results(page).first.evaluate("(link) => link.href")
    page.evaluate(LEFT_TO_THE_BROWSER)
    results(page).first.click(modifiers=["ControlOrMeta"])
    assert page.evaluate("window.leftToTheBrowser") == href
    expect_search_as_it_was(page, title)
    page.goto(href)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_a_result_that_is_opened_in_a_new_tab_by_key_leaves_the_search_as_it_is_and_is_remembered(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "installation")
    title = results(page).first.locator("strong").inner_text()
    with page.context.expect_page() as other:
        page.keyboard.press("ControlOrMeta+Enter")
    expect(other.value.get_by_role("heading", level=1)).to_have_text(title)
    expect_search_as_it_was(page, title)


def expect_search_as_it_was(page: Page, title: str) -> None:
    expect(box(page)).to_have_value("installation")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("region", name="Recent").get_by_role("link", name=title)).to_be_visible()


def test_the_library_and_the_framework_of_the_page_are_chosen_and_backspace_widens(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "state")
    libraries, frameworks = page.get_by_role("group", name="Libraries"), page.get_by_role("group", name="Frameworks")
    expect(libraries.get_by_role("button", pressed=True)).to_have_count(1)
    expect(frameworks.get_by_role("button", name="React", pressed=True)).to_be_visible()
    box(page).fill("")
    box(page).press("Backspace")
    expect(frameworks.get_by_role("button", pressed=True)).to_have_count(0)
    box(page).press("Backspace")
    expect(libraries.get_by_role("button", pressed=True)).to_have_count(0)


def test_what_is_not_found_says_so_and_offers_a_wider_search(read: Open) -> None:
    page = opened(read)
    type_in(page, "zzzzqqqq")
    expect(page.get_by_role("heading", name="No results found")).to_be_visible()
    expect(page.get_by_text("Try adjusting your search or filters to find what you're looking for")).to_be_visible()
    # What narrows it can be taken back here too.
    expect(page.get_by_role("group", name="Libraries").get_by_role("button", pressed=True)).to_have_text("Query 0")
    page.get_by_role("button", name="Search all libraries and frameworks").click()
    expect(page.get_by_role("heading", name="No results found")).to_be_visible()
    expect(page.get_by_role("button", name="Search all libraries and frameworks")).to_have_count(0)
    expect(box(page)).to_be_focused()


def test_where_nothing_is_found_the_docs_one_reads_can_be_begun_anew(read: Open) -> None:
    page = opened(read)
    type_in(page, "zzzzqqqq")
    begin = page.get_by_role("navigation", name="Where the docs begin").get_by_role("link")
    expect(begin).to_have_count(1)
    begin.click()
    expect(box(page)).not_to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert "/query/latest/docs/" in page.url


def test_an_opened_result_is_counted_at_its_place_and_names_nobody(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "cache")
    box(page).press("ArrowDown")
    with page.expect_request("**/1/events*") as told:
        box(page).press("Enter")
    (event,) = json.loads(told.value.post_data or "")["events"]
    assert (event["eventType"], event["positions"], len(event["objectIDs"])) == ("click", [2], 1)
    assert re.fullmatch("[0-9a-f]{32}", event["queryID"])
    assert "userToken" not in event
    expect(box(page)).not_to_be_visible()


def test_the_search_leaves_the_address_of_the_page_for_search_alone(read: Open) -> None:
    page = opened(read, "/search?q=cache&page=2")
    expect(box(page)).to_have_value("cache")
    box(page).fill("query")
    expect(results(page).first).to_be_visible()
    page.wait_for_timeout(600)  # longer than the search waits before it writes to the address
    page.keyboard.press("Escape")
    expect(box(page)).not_to_be_visible()
    assert page.url.endswith("/search?q=cache&page=2")


def test_without_a_script_an_empty_answer_leads_on(read: Open) -> None:
    page = read("/search?q=zzzzqqqq&library=query", javascript=False).page
    expect(page.get_by_role("heading", name="No results found")).to_be_visible()
    page.get_by_role("link", name="Search all libraries and frameworks").click()
    expect(page).to_have_url(re.compile(r"/search\?q=zzzzqqqq$"))
    expect(page.get_by_role("link", name="Search all libraries and frameworks")).to_have_count(0)
    expect(page.locator(".places a").first).to_be_visible()


def test_the_number_of_results_is_announced(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "cache")
    expect(page.locator("dialog output")).to_have_text(re.compile(r"^\d+ results?$"))


def test_the_box_takes_512_characters_and_helps_with_nothing(read: Open) -> None:
    page = opened(read)
    expect(box(page)).to_have_attribute("maxlength", "512")
    expect(box(page)).to_have_attribute("autocomplete", "off")
    expect(box(page)).to_have_attribute("spellcheck", "false")
    expect(page.get_by_role("button", name="Clear")).to_have_count(0)


def test_a_search_can_be_passed_on(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "cache")
    page.wait_for_url("**/overview?q=cache")
    other = read(f"{PAGE}?q=cache").page
    expect(box(other)).to_have_value("cache")
    expect(results(other).first).to_be_visible()
    other.keyboard.press("Escape")
    other.wait_for_url(lambda url: url.endswith("/overview"))


def test_a_search_that_is_passed_on_opens_at_its_page(read: Open) -> None:
    page = read(f"{WIDE}?q=state&page=2").page
    pages = page.get_by_role("navigation", name="Pages of results")
    expect(pages.get_by_role("button", name="Page 2", exact=True)).to_have_attribute("aria-current", "page")
    expect(results(page).first).to_be_visible()
    pages.get_by_role("button", name="Next").click()
    page.wait_for_url(f"**{WIDE}?q=state&page=3")
    # It was the last one.
    expect(pages.get_by_role("button", name="Next")).to_be_disabled()
    expect(box(page)).to_be_focused()


def test_another_version_is_searched_from_its_first_page(read: Open) -> None:
    page = opened(read, "/query/v4")
    versions = page.get_by_role("group", name="Version")
    versions.get_by_role("button", name="Latest").click()
    box(page).press("Backspace")
    box(page).fill("state")
    page.get_by_role("button", name="Page 2", exact=True).click()
    with page.expect_request(lambda request: '"version:v4"' in (request.post_data or "")) as asked:
        versions.get_by_role("button", name="v4").click()
    assert {question["page"] for question in json.loads(asked.value.post_data or "")["requests"]} == {0}


def test_past_the_last_page_of_the_dialog_is_the_last(read: Open) -> None:
    page = read(f"{WIDE}?q=state&page=999").page
    pages = page.get_by_role("navigation", name="Pages of results")
    expect(pages.get_by_role("button", name=re.compile("^Page")).last).to_have_attribute("aria-current", "page")
    expect(results(page).first).to_be_visible()
    page.wait_for_url(re.compile(r"page=\d{1,2}$"))


def test_giving_up_a_choice_that_finds_nothing_leaves_one_in_the_box(read: Open) -> None:
    page = opened(read)
    page.get_by_role("group", name="Libraries").get_by_role("button", name="Query", pressed=True).click()
    expect(page.get_by_role("group", name="Libraries").get_by_role("button")).to_have_count(0)
    expect(box(page)).to_be_focused()


def test_back_from_a_result_is_the_page_without_the_search(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "installation")
    page.wait_for_url("**/overview?q=installation")
    box(page).press("Enter")
    page.wait_for_url(lambda url: "/overview" not in url)
    page.go_back()
    page.wait_for_url(f"**{PAGE}")
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    expect(box(page)).not_to_be_visible()


def test_a_dialog_that_cannot_be_fetched_gives_way_to_the_page_for_search(read: Open) -> None:
    page = read(PAGE).page
    held = hold(page, "**/assets/SearchDialog*")
    with page.expect_request("**/assets/SearchDialog*"):
        page.keyboard.press("Control+k")
    page.keyboard.type("cache")
    wait_until(page, lambda: bool(held), "the dialog is asked for")
    # One that failed before the app was there is asked for once more.
    page.route("**/assets/SearchDialog*", lambda route: route.abort())
    held[0].abort()
    page.wait_for_url("**/search?q=cache")
    expect(page.get_by_role("heading", level=1, name="Search")).to_be_visible()


def test_a_page_that_was_opened_quickly_has_no_search_in_its_address(read: Open) -> None:
    page = opened(read)
    type_and_wait(page, "installation")
    box(page).press("Enter")
    expect(box(page)).not_to_be_visible()
    page.wait_for_timeout(600)  # longer than the search waits before it writes to the address
    assert "q=" not in page.url


def test_a_server_that_fails_is_told_and_asked_again(read: Open) -> None:
    page = opened(read)
    page.route(QUERIES, lambda route: route.fulfill(status=400, json={"message": "Not today", "status": 400}))
    # Until every key has failed: after the first, a later one might be answered already.
    type_in(page, "cache")
    expect(page.get_by_role("alert").get_by_text("Not today", exact=True)).to_be_visible()
    page.unroute(QUERIES)
    page.get_by_role("button", name="Try again").click()
    expect(results(page).first).to_be_visible()
    expect(box(page)).to_be_focused()


def test_a_server_that_cannot_search_yet_is_quoted(read: Open) -> None:
    page = opened(read)
    page.route(QUERIES, lambda route: route.fulfill(status=503, json={"message": "Not yet", "status": 503}))
    box(page).press_sequentially("cache")
    expect(page.get_by_text("Not yet", exact=True)).to_be_visible()


def test_a_late_answer_is_waited_for_longer_the_second_time(read: Open) -> None:
    page = opened(read)
    outlast(page, *LONGER_WAITS_MS)
    held = hold(page, QUERIES)
    box(page).fill("cache")
    wait_until(page, lambda: len(held) > 1, "the search is asked again")
    held[1].continue_()
    expect(results(page).first).to_be_visible()


def test_where_no_host_answers_the_application_id_may_be_wrong(read: Open) -> None:
    page = opened(read)
    page.route(QUERIES, lambda route: route.abort())
    box(page).press_sequentially("cache")
    expect(page.get_by_text("your application id may be incorrect")).to_be_visible()


def test_a_failure_that_gives_no_reason_is_a_host_that_cannot_be_reached(read: Open) -> None:
    page = opened(read)
    page.route(QUERIES, lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
    box(page).press_sequentially("cache")
    expect(page.get_by_text("Unreachable hosts")).to_be_visible()


@pytest.mark.parametrize("app", [False, True])
def test_what_is_typed_before_the_box_is_there_is_not_lost(read: Open, app: bool) -> None:
    reader = read(PAGE)
    held = hold(reader.page, "**/SearchDialog*.js")
    if app:
        reader.start_app()
    with reader.page.expect_request("**/SearchDialog*.js"):
        reader.page.keyboard.press("Control+k")
        reader.page.keyboard.type("cachx")
        reader.page.keyboard.press("Backspace")
    wait_until(reader.page, lambda: bool(held), "the dialog is asked for")
    held[0].continue_()
    expect(box(reader.page)).to_be_focused()
    reader.page.keyboard.type("ing")
    expect(box(reader.page)).to_have_value("caching")
    expect(results(reader.page).first).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_open_search_has_no_known_barriers(read: Open, theme: str) -> None:
    page = opened(read, color_scheme=theme, reduced_motion="reduce")
    assert violations(page) == []
    type_and_wait(page, "cache")
    # While an answer is late, what was found before is dimmed.
    expect(page.locator(".search-found")).to_have_attribute("aria-busy", "false")
    assert violations(page) == []


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_nothing_is_wider_than_the_screen(read: Open, width: int) -> None:
    page = opened(read, viewport={"width": width, "height": 700})
    type_and_wait(page, "cache")
    assert page.evaluate("document.querySelector('dialog.search').getBoundingClientRect().right") <= width
    found = "document.querySelector('.search-found')"
    assert page.evaluate(f"{found}.scrollWidth <= {found}.clientWidth")


def test_without_a_script_the_page_for_search_answers_and_narrows(read: Open) -> None:
    page = read("/search", javascript=False).page
    page.get_by_role("textbox", name="Search").fill("cache")
    page.get_by_role("button", name="Search").click()
    # Both pages to their ends: what a page begins with is there before the rest of it.
    page.wait_for_url("**/search?q=cache")
    found = page.locator(".search-page ol a")
    expect(found.first).to_be_visible()
    everything = found.count()
    page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Query").click()
    page.wait_for_url("**/search?q=cache&library=query")
    expect(page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Query")).to_have_attribute(
        "aria-current", "true"
    )
    assert 0 < found.count() <= everything
    found.first.click()
    expect(page).to_have_url(re.compile("/query/latest"))


def test_past_the_last_page_of_the_page_for_search_is_the_last(read: Open) -> None:
    page = read("/search?q=state&page=999", javascript=False).page
    pages = page.get_by_role("navigation", name="Pages of results")
    expect(pages).to_have_text(re.compile(r"Page (\d+) of \1$"))
    expect(page.locator(".search-page ol a").first).to_be_visible()
    expect(pages.get_by_role("link", name="Previous")).to_have_attribute("href", re.compile(r"page=\d{1,2}$"))


@pytest.mark.parametrize("javascript", [False, True])
def test_nothing_but_spaces_asks_nothing_of_the_page_for_search(read: Open, javascript: bool) -> None:
    reader = read("/search?q=%20%20", javascript=javascript)
    if javascript:
        reader.start_app()
    expect(reader.page.get_by_text("Search the docs of every library")).to_be_visible()
    expect(reader.page.get_by_role("heading", name="No results found")).to_have_count(0)


def test_on_a_phone_each_row_of_choices_is_one_line(read: Open) -> None:
    page = read("/search?q=state", viewport={"width": 375, "height": 700}).page
    for name in ("Libraries", "Frameworks"):
        chips = page.get_by_role("navigation", name=name).get_by_role("link")
        # All at once: a page may still move between two looks.
        tops = set(chips.evaluate_all("chips => chips.map((chip) => chip.getBoundingClientRect().top)"))
        assert chips.count() > 4
        assert len(tops) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 375


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_for_search_has_no_known_barriers(read: Open, theme: str) -> None:
    assert violations(read("/search?q=cache", color_scheme=theme).page) == []

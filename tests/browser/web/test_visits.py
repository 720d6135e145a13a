"""Visits: a followed link shows the next page in the same document. The browser opens what a visit cannot show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect
from tests.browser.conftest import hold_first_request, hold_requests, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Route
    from tests.browser.conftest import OpenPage, Reader

REACT = "/query/latest/docs/framework/react"
OVERVIEW = f"{REACT}/overview"
CACHING = f"{REACT}/guides/caching"
EXAMPLE = f"{REACT}/examples/basic"
CACHING_TITLE = "The Life of a Query"
MAX_BYTES = 60_000
"""Size of a docs page, its styles, scripts and fonts before the first interaction (decisions/0012-visits.md)."""
MAX_LATE_REQUESTS = 2
"""Requests after the load event."""
TRANSFER_SIZES = """['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  .map(({ transferSize }) => transferSize)"""


def open_document(open_page: OpenPage, path: str = OVERVIEW) -> Reader:
    """Open a page without interacting with it. `window.sameDocument` is lost when the document is replaced."""
    reader = open_page(path, viewport={"width": 1280, "height": 700})
    reader.page.evaluate("window.sameDocument = true")
    return reader


def open_idle(open_page: OpenPage, path: str = OVERVIEW) -> Reader:
    """Open a page and wait until it loads nothing more."""
    reader = open_document(open_page, path)
    reader.page.wait_for_load_state("networkidle")
    return reader


def follow_link(reader: Reader, name: str) -> None:
    reader.page.get_by_role("navigation").get_by_role("link", name=name, exact=True).first.click()


def expect_heading(reader: Reader, text: str) -> None:
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(text)


def is_same_document(reader: Reader) -> bool:
    return reader.page.evaluate("window.sameDocument") is True


def test_visit_shows_page_in_same_document_without_app_or_function_call(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab)
    reader.scroll_to(400)
    reader.wait_for("scrollY === 400")
    follow_link(reader, CACHING_TITLE)
    expect_heading(reader, CACHING_TITLE)
    assert is_same_document(reader)
    assert reader.page.evaluate("window.__kinfolk.hydrated") is False
    assert reader.calls == []
    assert reader.path() == CACHING
    expect(reader.page).to_have_title(f"{CACHING_TITLE} | TanStack Query React Docs")
    current = reader.page.get_by_role("navigation").locator("[aria-current=page]")
    expect(current.first).to_have_text(CACHING_TITLE)
    reader.wait_for("document.activeElement.id === 'Site-content'")
    assert reader.page.evaluate("document.querySelector('link[rel=canonical]').href.endsWith('/caching')")
    # Back and forward restore the page and its scroll position.
    reader.wait_for("scrollY === 0")
    reader.scroll_to(300)
    reader.wait_for("scrollY === 300")
    reader.page.go_back()
    expect_heading(reader, "Overview")
    reader.wait_for("scrollY === 400")
    assert reader.path() == OVERVIEW
    assert is_same_document(reader)
    reader.page.go_forward()
    expect_heading(reader, CACHING_TITLE)
    reader.wait_for("scrollY === 300")
    assert is_same_document(reader)
    assert reader.calls == []


def test_app_hydrates_page_after_consecutive_visits_and_browser_goes_back(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab)
    for name in (CACHING_TITLE, "Overview", CACHING_TITLE):
        reader.scroll_to(400)
        reader.wait_for("scrollY === 400")
        follow_link(reader, name)
        expect_heading(reader, name)
        reader.wait_for("scrollY === 0")
    assert is_same_document(reader)
    assert reader.calls == []
    reader.start_app()
    assert reader.console_errors == []
    expect_heading(reader, CACHING_TITLE)
    reader.page.go_back()
    expect_heading(reader, "Overview")
    reader.wait_for("scrollY === 400")
    assert reader.path() == OVERVIEW
    assert not is_same_document(reader)


def test_browser_opens_pages_once_app_has_hydrated_page(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab)
    reader.start_app()
    follow_link(reader, CACHING_TITLE)
    expect_heading(reader, CACHING_TITLE)
    assert not is_same_document(reader)
    reader.page.go_back()
    expect_heading(reader, "Overview")
    assert reader.console_errors == []


def test_back_from_part_of_page_and_reload_restore_scroll_position_after_visit(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab)
    follow_link(reader, CACHING_TITLE)
    expect_heading(reader, CACHING_TITLE)
    reader.wait_for("scrollY === 0")
    reader.scroll_to(200)
    reader.wait_for("scrollY === 200")
    reader.page.evaluate("location.hash = [...document.querySelectorAll('main h2')].at(-1).id")
    reader.wait_for("scrollY > 200")
    reader.page.go_back()
    reader.wait_for("scrollY === 200")
    expect_heading(reader, CACHING_TITLE)
    reader.scroll_to(300)
    reader.wait_for("scrollY === 300")
    reader.page.reload()
    expect_heading(reader, CACHING_TITLE)
    reader.wait_for("scrollY === 300")


def test_docs_menu_keeps_open_groups_and_scroll_position_across_visits(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab, CACHING)
    menu = reader.page.locator("[data-menu]")
    reader.page.set_viewport_size({"width": 1280, "height": 400})
    link = menu.get_by_role("link").nth(-2)
    link.scroll_into_view_if_needed()
    scrolled = menu.evaluate("menu => menu.scrollTop")
    title = link.locator("span").first.inner_text()
    assert scrolled > 0
    link.click()
    expect(menu.locator("[aria-current=page]")).to_contain_text(title)
    assert is_same_document(reader)
    assert abs(menu.evaluate("menu => menu.scrollTop") - scrolled) < 2


def test_page_is_prefetched_on_hover_of_link(shared_tab: OpenPage) -> None:
    reader = open_idle(shared_tab)
    assert not any(url.endswith(CACHING) for url in reader.loaded_urls)
    link = reader.page.get_by_role("navigation").get_by_role("link", name=CACHING_TITLE, exact=True).first
    with reader.page.expect_request(f"**{CACHING}"):
        link.hover()
    requested: list[str] = []
    reader.page.on("request", lambda request: requested.append(request.url))
    link.click()
    expect_heading(reader, CACHING_TITLE)
    assert not [url for url in requested if url.endswith(CACHING)]


def test_last_of_two_followed_links_is_shown(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab, CACHING)
    held = hold_requests(reader.page, "**/installation")
    follow_link(reader, "Installation")
    expect(reader.page.locator("output.spinner")).to_be_attached()
    follow_link(reader, "Overview")
    expect_heading(reader, "Overview")
    wait_until(reader.page, lambda: bool(held), "the page is requested")
    held[0].continue_()
    # The spinner is removed when the response has arrived.
    expect(reader.page.locator("output.spinner")).to_have_count(0)
    expect_heading(reader, "Overview")


def test_browser_opens_page_whose_response_arrives_while_app_loads(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab)
    page = reader.page
    page.emulate_media(color_scheme="dark")
    held_page = hold_first_request(page, f"**{CACHING}")
    held_app = hold_requests(page, "**/assets/app*.js")
    follow_link(reader, CACHING_TITLE)
    wait_until(page, lambda: bool(held_page), "the page is requested")
    reader.request_app()
    wait_until(page, lambda: bool(held_app), "the app is requested")
    held_page[0].continue_()
    expect_heading(reader, CACHING_TITLE)
    assert not is_same_document(reader)
    expect(page.locator("html")).to_have_class(re.compile(r"\bdark\b"))
    assert reader.console_errors == []
    page.emulate_media(color_scheme="light")


def test_browser_opens_pages_with_other_files_and_non_html(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab)
    for path in ("/llms.txt", f"{REACT}/nope", "/"):
        if reader.path() != OVERVIEW:
            reader.open(OVERVIEW)
            reader.page.evaluate("window.sameDocument = true")
        reader.page.locator("main a").first.evaluate("(link, path) => { link.href = path }", path)
        reader.page.locator("main a").first.click()
        reader.page.wait_for_url(f"**{path}")
        assert not is_same_document(reader), path


def test_browser_opens_example(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab, EXAMPLE)
    other = "/query/latest/docs/framework/solid/examples/basic"
    link = reader.page.get_by_role("navigation").get_by_role("link", name=CACHING_TITLE, exact=True).first
    link.evaluate("(link, path) => { link.href = path }", other)
    link.click()
    reader.page.wait_for_url(f"**{other}")
    assert not is_same_document(reader)


def test_link_to_part_of_another_page_scrolls_to_it(shared_tab: OpenPage) -> None:
    reader = open_document(shared_tab)
    link = reader.page.get_by_role("navigation").get_by_role("link", name=CACHING_TITLE, exact=True).first
    fragment = reader.page.request.get(reader.server.url + CACHING).text().split('<h2 id="')[1].split('"')[0]
    link.evaluate("(link, fragment) => { link.hash = fragment }", fragment)
    link.click()
    expect_heading(reader, CACHING_TITLE)
    reader.wait_for(f"Math.abs(document.getElementById({fragment!r}).getBoundingClientRect().top) < 200")
    assert reader.path() == f"{CACHING}#{fragment}"


# What a page loads


def test_idle_page_loads_no_other_page_and_only_live_events(open_page: OpenPage) -> None:
    reader = open_idle(open_page)
    # Longer than each delay after which the page could send a request.
    reader.page.wait_for_timeout(3000)
    late = reader.page.evaluate(
        "performance.getEntriesByType('resource').filter(({ startTime }) => startTime > "
        "performance.getEntriesByType('navigation')[0].loadEventEnd).map(({ name }) => name)"
    )
    # The boot script and the fonts of the next page follow the first paint.
    assert len([url for url in late if not re.search(r"/assets/(boot|inter|mono)-", url)]) <= MAX_LATE_REQUESTS
    assert sum(reader.page.evaluate(TRANSFER_SIZES)) <= MAX_BYTES
    names = [url.removeprefix(reader.server.url) for url in reader.loaded_urls]
    assert not [name for name in names if "/docs/" in name and name != OVERVIEW]
    scripts = [re.sub(r"-[0-9a-f]+\.js$", "", name) for name in names if name.endswith(".js")]
    # The stream of live events opens two seconds after the page has loaded.
    assert {"/assets/boot"} <= set(scripts) <= {"/assets/boot", "/assets/live"}


def test_hover_of_element_that_needs_app_loads_app(shared_tab: OpenPage) -> None:
    reader = open_idle(shared_tab, EXAMPLE)
    assert not [url for url in reader.loaded_urls if "/assets/app" in url]
    reader.page.get_by_role("tab", name="Code").hover()
    reader.wait_for("window.__kinfolk.hydrated")


def test_click_before_app_is_loaded_takes_effect_after_load(shared_tab: OpenPage) -> None:
    reader = open_idle(shared_tab, EXAMPLE)
    held = hold_first_request(reader.page, "**/assets/app*.js")
    button = reader.page.get_by_role("button", name="Full screen")
    button.click()
    wait_until(reader.page, lambda: bool(held), "the app is requested")
    expect(button).to_have_attribute("aria-pressed", "false")
    held[0].continue_()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert reader.console_errors == []


def test_page_of_a_previous_build_reloads_once(open_page: OpenPage) -> None:
    reader = open_document(open_page)
    documents: list[str] = []

    def answer(route: Route) -> None:
        if route.request.resource_type == "document":
            documents.append(route.request.url)
            route.continue_()
        elif route.request.resource_type == "fetch":
            route.fulfill(body='<script data-boot="/assets/boot-next.js"></script>', content_type="text/html")

    reader.page.route(f"**{OVERVIEW}", answer)
    reader.page.route("**/assets/searchDialog-*", lambda route: route.fulfill(status=404))
    search = reader.page.get_by_role("link", name="Search").first
    with reader.page.expect_navigation():
        search.hover()
    assert not is_same_document(reader)
    reader.page.evaluate("window.sameDocument = true")
    reader.page.mouse.move(0, 0)
    with reader.page.expect_response("**/assets/searchDialog-*"), reader.page.expect_response(f"**{OVERVIEW}"):
        search.hover()
    assert is_same_document(reader)
    assert len(documents) == 1

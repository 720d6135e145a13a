"""Following links before the app is there: the page turns in place, and the app takes over wherever the reader is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Route, expect
from tests.browser.conftest import wait_until

if TYPE_CHECKING:
    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

REACT = "/query/latest/docs/framework/react"
OVERVIEW = f"{REACT}/overview"
CACHING = f"{REACT}/guides/caching"
LIFE = "The Life of a Query"


def open_quietly(read: Open, path: str = OVERVIEW) -> Reader:
    """The page with nothing touched. `window.kept` lasts as long as the document."""
    reader = read(path, viewport={"width": 1280, "height": 700})
    reader.page.wait_for_load_state("networkidle")
    reader.page.evaluate("window.kept = true")
    return reader


FETCHED = "performance.getEntriesByType('resource').map((entry) => entry.name)"
SPARING = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"


def open_sparingly(read: Open, path: str = OVERVIEW) -> Reader:
    """The same for a reader who wants to save data."""
    reader = open_quietly(read, path)
    reader.page.add_init_script(SPARING)
    reader.page.reload(wait_until="networkidle")
    return reader


def follow(reader: Reader, name: str) -> None:
    reader.page.get_by_role("navigation").get_by_role("link", name=name, exact=True).first.click()


def heading(reader: Reader, text: str) -> None:
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(text)


def test_a_page_turns_without_the_app_without_a_call_and_in_the_same_document(read: Open) -> None:
    reader = open_quietly(read)
    follow(reader, LIFE)
    heading(reader, LIFE)
    assert reader.page.evaluate("[window.kept, window.__kinfolk.app]") == [True, None]
    assert reader.calls == []
    assert reader.path() == CACHING
    expect(reader.page).to_have_title(f"{LIFE} | TanStack Query React Docs")
    current = reader.page.get_by_role("navigation").locator("[aria-current=page]")
    expect(current.first).to_have_text(LIFE)
    reader.wait_for("document.activeElement.id === 'content'")
    assert reader.page.evaluate("document.querySelector('link[rel=canonical]').href.endsWith('/caching')")


def test_the_app_takes_over_the_page_that_was_turned_to(read: Open) -> None:
    reader = open_quietly(read)
    follow(reader, LIFE)
    heading(reader, LIFE)
    reader.start_app()
    assert (reader.complaints, reader.calls) == ([], [])
    heading(reader, LIFE)
    follow(reader, "Overview")
    heading(reader, "Overview")
    assert reader.page.evaluate("window.kept") is True
    assert len(reader.calls) == 1


def test_many_pages_may_be_turned_one_after_the_other(read: Open) -> None:
    reader = open_quietly(read)
    for name in (LIFE, "Overview", LIFE):
        follow(reader, name)
        heading(reader, name)
    assert reader.page.evaluate("[window.kept, window.__kinfolk.app]") == [True, None]
    reader.start_app()
    assert reader.complaints == []


@pytest.mark.parametrize("app", [False, True])
def test_going_back_leads_to_where_the_reader_was(read: Open, app: bool) -> None:
    reader = open_quietly(read)
    reader.page.mouse.wheel(0, 400)
    reader.wait_for("scrollY === 400")
    follow(reader, LIFE)
    heading(reader, LIFE)
    reader.wait_for("scrollY === 0")
    if app:
        reader.start_app()
    reader.page.go_back()
    heading(reader, "Overview")
    reader.wait_for("scrollY === 400")
    assert reader.path() == OVERVIEW


def test_the_pages_next_to_this_one_are_there_before_anybody_asks(read: Open) -> None:
    reader = open_quietly(read)
    # They are fetched when the browser has nothing else to do, which may be long after the page is there.
    reader.wait_for(f"{FETCHED}.some((name) => name.endsWith({CACHING!r}))")
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    follow(reader, LIFE)
    heading(reader, LIFE)
    assert not [url for url in asked if url.endswith(CACHING)]


def test_a_reader_who_saves_data_is_sent_only_what_was_asked_for(read: Open) -> None:
    reader = open_sparingly(read)
    fetched = f"{FETCHED}.filter((name) => name.includes('/docs/'))"
    # Seconds after pages next to this one would have been asked for.
    reader.wait_for(f"{FETCHED}.some((name) => name.includes('/assets/app'))")
    assert reader.page.evaluate(fetched) == []
    follow(reader, LIFE)
    heading(reader, LIFE)
    assert [url.endswith(CACHING) for url in reader.page.evaluate(fetched)] == [True]


def test_the_last_of_two_links_is_the_one_that_was_meant(read: Open) -> None:
    reader = open_sparingly(read, CACHING)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    reader.page.route("**/installation", hold)
    follow(reader, "Installation")
    expect(reader.page.locator("output.spinner")).to_be_attached()
    follow(reader, "Overview")
    heading(reader, "Overview")
    wait_until(reader.page, lambda: bool(held), "the page is asked for")
    held[0].continue_()
    # It goes when the page has come.
    expect(reader.page.locator("output.spinner")).to_have_count(0)
    heading(reader, "Overview")


def test_a_page_that_comes_while_the_app_begins_waits_until_it_has_taken_over(read: Open) -> None:
    reader = open_sparingly(read)
    page = reader.page
    page.emulate_media(color_scheme="dark")
    held: dict[str, Route] = {}
    page.route(f"**{CACHING}", lambda route: held.update(page=route))
    page.route("**/assets/app*.js", lambda route: held.update(app=route))
    follow(reader, LIFE)
    wait_until(page, lambda: "page" in held, "the page is asked for")
    page.mouse.move(3, 3)
    wait_until(page, lambda: "app" in held, "the app is asked for")
    held["page"].continue_()
    expect(page.locator("output.spinner")).to_have_count(0)
    held["app"].continue_()
    heading(reader, LIFE)
    # What React cannot take over it makes anew, without what was noted on the document.
    expect(page.locator("html")).to_have_class(re.compile(r"\bdark\b"))
    assert reader.complaints == []


@pytest.mark.parametrize("path", ["/", f"{REACT}/nope", "/llms.txt"])
def test_a_page_that_needs_more_is_opened_by_the_browser(read: Open, path: str) -> None:
    reader = open_quietly(read)
    reader.page.locator("main a").first.evaluate("(link, path) => { link.href = path }", path)
    reader.page.locator("main a").first.click()
    reader.page.wait_for_url(f"**{path}")
    assert reader.page.evaluate("window.kept") is None


def test_an_example_is_opened_by_the_browser(read: Open) -> None:
    reader = open_quietly(read, f"{REACT}/examples/basic")
    other = "/query/latest/docs/framework/solid/examples/basic"
    link = reader.page.get_by_role("navigation").get_by_role("link", name=LIFE, exact=True).first
    link.evaluate("(link, path) => { link.href = path }", other)
    link.click()
    reader.page.wait_for_url(f"**{other}")
    assert reader.page.evaluate("window.kept") is None


def test_a_link_to_a_part_of_another_page_turns_to_that_part(read: Open) -> None:
    reader = open_quietly(read)
    link = reader.page.get_by_role("navigation").get_by_role("link", name=LIFE, exact=True).first
    part = reader.page.request.get(reader.server.url + CACHING).text().split('<h2 id="')[1].split('"')[0]
    link.evaluate("(link, part) => { link.hash = part }", part)
    link.click()
    heading(reader, LIFE)
    reader.wait_for(f"Math.abs(document.getElementById({part!r}).getBoundingClientRect().top) < 200")
    assert reader.path() == f"{CACHING}#{part}"


def test_the_readers_choices_hold_on_the_next_page(read: Open) -> None:
    reader = open_quietly(read, f"{REACT}/installation")
    reader.page.locator("label", has_text="pnpm").first.click()
    follow(reader, "Overview")
    heading(reader, "Overview")
    follow(reader, "Installation")
    heading(reader, "Installation")
    expect(reader.page.get_by_role("radio", name="pnpm").first).to_be_checked()

"""The search page, which works without JavaScript: results, filters, page numbers and small screens."""

from __future__ import annotations

import re

import httpx
import pytest
from lxml import html
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import Server


@pytest.fixture(scope="module", autouse=True)
def search_index(server: Server) -> None:
    wait_for_search_index(server)


def test_no_results_page_offers_search_without_filters_without_javascript(shared_tab: OpenPage) -> None:
    page = shared_tab("/search?q=zzzzqqqq&library=query", javascript=False).page
    expect(page.get_by_role("heading", name="No results found")).to_be_visible()
    page.get_by_role("link", name="search every library").click()
    expect(page).to_have_url(re.compile(r"/search\?q=zzzzqqqq$"))
    expect(page.get_by_role("link", name="search every library")).to_have_count(0)
    expect(page.get_by_text("Nothing matches “zzzzqqqq”. Check the spelling.")).to_be_visible()
    expect(page.get_by_role("list", name="Start here").get_by_role("link").first).to_be_visible()


def test_search_page_finds_pages_of_the_site_without_javascript(shared_tab: OpenPage) -> None:
    page = shared_tab("/search?q=privacy", javascript=False).page
    page.locator(".search-page ol a").first.click()
    expect(page.get_by_role("heading", level=1, name="Privacy Policy")).to_be_visible()


def test_search_page_shows_results_and_filters_without_javascript(shared_tab: OpenPage) -> None:
    page = shared_tab("/search", javascript=False).page
    page.get_by_role("textbox", name="Search").fill("cache")
    page.get_by_role("button", name="Search").click()
    # Wait for the load of both pages: the start of a page is visible before the rest arrives.
    page.wait_for_url("**/search?q=cache")
    links = page.locator(".search-page ol a")
    expect(links.first).to_be_visible()
    unfiltered_count = links.count()
    page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Query").click()
    page.wait_for_url("**/search?q=cache&library=query")
    expect(page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Query")).to_have_attribute(
        "aria-current", "true"
    )
    assert 0 < links.count() <= unfiltered_count
    links.first.click()
    expect(page).to_have_url(re.compile("/query/latest"))


def test_only_search_page_without_query_is_indexed(server: Server) -> None:
    for path, robots in (("/search", []), ("/search?q=cache", ["noindex"])):
        page = html.fromstring(httpx.get(server.url + path).text)
        assert page.xpath("//meta[@name='robots']/@content") == robots


@pytest.mark.parametrize("query", ["cache", "state", "install"])
def test_count_of_each_filter_is_the_number_of_its_results(server: Server, query: str) -> None:
    filters = html.fromstring(httpx.get(f"{server.url}/search?q={query}").text).xpath("//nav/ul[@class='chips']//a")
    assert len(filters) > 5
    stated = {link.get("href"): link.find("small").text for link in filters}
    assert {url: number_of_results(server.url + url) for url in stated} == stated


def number_of_results(url: str) -> str:
    [line] = html.fromstring(httpx.get(url).text).xpath("//p[@class='fine-print'][contains(., ' result')]")
    return str(line.text_content().split()[0])


def test_page_number_beyond_last_shows_last_page_on_search_page(shared_tab: OpenPage) -> None:
    page = shared_tab("/search?q=state&page=999", javascript=False).page
    pages = page.get_by_role("navigation", name="Pages of results")
    expect(pages).to_have_text(re.compile(r"Page (\d+) of \1$"))
    expect(page.locator(".search-page ol a").first).to_be_visible()
    expect(pages.get_by_role("link", name="Previous")).to_have_attribute("href", re.compile(r"page=\d{1,2}$"))


@pytest.mark.parametrize("javascript", [False, True])
def test_blank_query_shows_search_start_on_search_page(shared_tab: OpenPage, javascript: bool) -> None:
    reader = shared_tab("/search?q=%20%20", javascript=javascript)
    if javascript:
        reader.interact()
    expect(reader.page.get_by_role("heading", name="Search the product")).to_be_visible()
    example = reader.page.locator(".empty-state").get_by_role("link").first
    expect(example).to_have_attribute("href", re.compile(r"^/search\?q=\w+"))
    expect(reader.page.get_by_role("heading", name="No results found")).to_have_count(0)


def test_filters_stay_on_one_line_on_phone(shared_tab: OpenPage) -> None:
    page = shared_tab("/search?q=state", viewport={"width": 375, "height": 700}).page
    for name in ("Libraries", "Frameworks"):
        chips = page.get_by_role("navigation", name=name).get_by_role("link")
        # One evaluation for all: the layout may change between two.
        tops = set(chips.evaluate_all("chips => chips.map((chip) => chip.getBoundingClientRect().top)"))
        assert chips.count() > 4
        assert len(tops) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 375


def test_search_page_has_no_accessibility_violations(shared_tab: OpenPage) -> None:
    assert violations(shared_tab("/search?q=cache").page) == []

"""Results of other libraries than those that the dialog's filters select."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from lxml import html
from playwright.sync_api import Page, expect
from tests.browser.axe import violations
from tests.browser.search.search_dialog import (
    NO_LIBRARY,
    OpenSearch,
    enter_query,
    other_hits,
    results,
    search_box,
    search_for,
)
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import Server

OTHERS = "In other libraries"


@pytest.fixture(scope="module", autouse=True)
def search_index(server: Server) -> None:
    wait_for_search_index(server)


def requests_of(page: Page, text: str) -> list[dict[str, Any]]:
    requests: list[dict[str, Any]] = json.loads(enter_query(page, text).request.post_data or "")["requests"]
    return requests


def others_first(page: Page) -> bool:
    group = page.get_by_role("group", name=OTHERS)
    expect(group).to_be_visible()
    return bool(group.evaluate("(group) => group === group.parentElement.firstElementChild"))


def test_symbol_of_another_library_comes_before_prose_of_this_one(open_search: OpenSearch) -> None:
    page = open_search()
    enter_query(page, "useForm validation")
    assert others_first(page)
    first = page.get_by_role("group", name=OTHERS).get_by_role("option").first
    expect(first).to_have_attribute("href", re.compile("^/form/"))
    expect(first).to_have_attribute("aria-selected", "true")
    expect(search_box(page)).to_have_attribute("aria-activedescendant", "Site-search-results-0")


def test_results_of_this_library_stay_first_where_they_match_as_well(open_search: OpenSearch) -> None:
    page = open_search()
    enter_query(page, "useQuery")
    assert not others_first(page)
    expect(results(page).first).to_have_attribute("href", re.compile("^/query/"))


def test_arrows_go_over_both_groups_and_the_click_has_the_place_within_its_answer(open_search: OpenSearch) -> None:
    page = open_search()
    search_for(page, "usequery")
    count = page.get_by_role("group", name=OTHERS).get_by_role("option").count()
    last = results(page).count() - 1
    assert count > 0
    search_box(page).press("ArrowUp")
    expect(results(page).nth(last)).to_have_attribute("aria-selected", "true")
    expect(search_box(page)).to_have_attribute("aria-activedescendant", f"Site-search-results-{last}")
    expected = str(results(page).nth(last).get_attribute("href"))
    with page.expect_request("**/1/events*") as request_info:
        search_box(page).press("Enter")
    page.wait_for_url(lambda url: url.endswith(expected))
    (event,) = json.loads(request_info.value.post_data or "")["events"]
    assert event["positions"] == [count]


def test_number_of_results_of_other_libraries_is_announced(open_search: OpenSearch) -> None:
    page = open_search()
    answers = enter_query(page, "caching").json()["results"]
    others = other_hits(answers)
    assert others
    expect(page.locator("dialog output")).to_have_text(f"{answers[0]['nbHits']} results, {others} in other libraries")
    assert violations(page, changed="dialog") == []


def test_results_of_other_libraries_take_the_place_of_none(open_search: OpenSearch) -> None:
    page = open_search()
    enter_query(page, "useVirtualizer")
    expect(page.get_by_text("No results in Query.")).to_be_visible()
    expect(results(page).first).to_have_attribute("href", re.compile("^/virtual/"))
    search_box(page).press("Enter")
    page.wait_for_url("**/virtual/**")


def test_search_without_a_library_has_one_group(open_search: OpenSearch) -> None:
    page = open_search(NO_LIBRARY)
    assert [request["filters"] for request in requests_of(page, "virtualizer")] == ["version:latest"]
    expect(results(page).first).to_be_visible()
    expect(page.get_by_role("group", name=OTHERS)).to_have_count(0)


def test_search_of_start_includes_router(open_search: OpenSearch) -> None:
    page = open_search("/start/latest/docs/framework/react/overview")
    chosen = page.get_by_role("group", name="Libraries").get_by_role("button", pressed=True)
    expect(chosen).to_have_text(["Router", "Start"])
    hits, *_, others = requests_of(page, "routing")
    assert ["library:start", "library:router"] in hits["facetFilters"]
    assert others["filters"] == "version:latest AND NOT library:start AND NOT library:router"
    assert others["hitsPerPage"] == 3


def test_groups_fit_each_width(open_search: OpenSearch) -> None:
    page = open_search()
    enter_query(page, "useForm validations")
    expect(page.get_by_role("group", name=OTHERS)).to_be_visible()
    body = "document.querySelector('.search-body')"
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(f"{body}.scrollWidth <= {body}.clientWidth"), width


def test_search_page_of_a_library_lists_results_of_others(server: Server) -> None:
    document = html.fromstring(httpx.get(f"{server.url}/search?q=useVirtualizer&library=query").text)
    (section,) = document.xpath(f"//section[h2[normalize-space()='{OTHERS}']]")
    links = section.xpath(".//li/a/@href")
    assert 0 < len(links) <= 3
    assert not [link for link in links if link.startswith("/query/")]
    unfiltered = html.fromstring(httpx.get(f"{server.url}/search?q=useVirtualizer").text)
    assert not unfiltered.xpath(f"//h2[normalize-space()='{OTHERS}']")

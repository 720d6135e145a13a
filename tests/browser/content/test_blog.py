"""The blog in Chromium: pages without JavaScript, filter links, outline, feeds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from lxml import html
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import overflowing_widths
from tests.servers.serving import Server, serving
from tests.sites.sample_site import complete_site
from tests.sites.sample_var import HIGHLIGHTED_CODE

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import OpenPage

POST = """---
title: {title}
description: What {title} is about.
published: 2026-11-{day}
authors: [{authors}]
libraries: [{libraries}]
tags: [{tags}]
draft: {draft}
---

Some words.

## First part

```ts title="src/tide.ts"
const tide: number = 1
```

{filler}

## Second part

| Column | Other |
| --- | --- |
| one | two |

> [!NOTE]
> A note.
"""
POSTS = {
    "oldest": ("Oldest", "01", "Ada Lovelace", "query", "false"),
    "middle": ("Middle", "10", "Ada Lovelace, Charles Babbage", "query, router", "false"),
    "newest": ("Newest", "20", "", "", "false"),
    "secret": ("Secret", "21", "Ada Lovelace", "form", "true"),
}
TAGS = {
    "oldest": "deep  sea",
    "middle": "Deep sea, 2024, <script>alert(1)</script>, a-long-name-of-letters-without-a-space",
}


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    content = tmp_path_factory.mktemp("content")
    (content / "blog").mkdir()
    for slug, (title, day, authors, libraries, draft) in POSTS.items():
        text = POST.format(
            title=title,
            day=day,
            authors=authors,
            libraries=libraries,
            tags=TAGS.get(slug, ""),
            draft=draft,
            filler="Words to scroll by. " * 400,
        )
        (content / "blog" / f"{slug}.md").write_text(text)
    environment = {"KINFOLK_SITE": str(complete_site(content)), "KINFOLK_DRAFTS": "on", "KINFOLK_SEARCH": "off"}
    with serving(tmp_path_factory.mktemp("blog"), environment=environment, var=HIGHLIGHTED_CODE.folder()) as server:
        yield server


def post_titles(page: Page) -> list[str]:
    return page.get_by_role("main").get_by_role("heading", level=2).all_inner_texts()


def response_html(server: Server, path: str) -> html.HtmlElement:
    return html.fromstring(httpx.get(server.url + path).text)


@pytest.mark.parametrize(
    ("query", "expected_titles"),
    [
        ("", ["SecretDraft", "Newest", "Middle", "Oldest"]),
        ("?library=query", ["Middle", "Oldest"]),
        ("?library=query&author=charles-babbage", ["Middle"]),
        ("?author=kinfolk", ["Newest"]),
        ("?tag=deep-sea", ["Middle", "Oldest"]),
        ("?tag=%222024%22&library=query", ["Middle"]),
        ("?tag=%3Cscript%3Ealert(1)%3C/script%3E", ["Middle"]),
        ("?library=nope&author=%22&tag=nope", ["SecretDraft", "Newest", "Middle", "Oldest"]),
    ],
)
def test_query_filters_post_list_without_javascript(server: Server, query: str, expected_titles: list[str]) -> None:
    titles = response_html(server, f"/blog{query}").xpath("//main//h2[not(ancestor-or-self::*[@hidden])]")
    assert [title.text_content() for title in titles] == expected_titles


@pytest.mark.parametrize(
    "path", ["/blog?library=query&author=charles-babbage", "/blog?tag=%222024%22&author=ada-lovelace", "/blog/middle"]
)
def test_hydration_logs_no_errors_and_keeps_content(shared_page: OpenPage, path: str) -> None:
    reader = shared_page("/blog")
    reader.open(path)
    before = post_titles(reader.page)
    reader.start_app()
    assert (reader.console_errors, post_titles(reader.page)) == ([], before)


def test_filter_links_keep_other_filters(shared_page: OpenPage) -> None:
    reader = shared_page("/blog")
    reader.open("/blog")
    reader.interact()
    page, main = reader.page, reader.page.get_by_role("main")
    libraries = page.get_by_role("navigation", name="Posts by library")
    libraries.get_by_role("link", name="Query").click()
    # The author links include the library filter once the page has updated.
    expect(libraries.get_by_role("link", name="Query")).to_have_attribute("aria-current", "true")
    page.get_by_role("navigation", name="Posts by author").get_by_role("link", name="Charles Babbage").click()
    expect(main.get_by_role("heading", level=2)).to_have_text(["Middle"])
    assert reader.path() == "/blog?library=query&author=charles-babbage"
    expect(libraries.get_by_role("link", name="Query")).to_have_attribute("aria-current", "true")
    libraries.get_by_role("link", name="All").click()
    expect(libraries.get_by_role("link", name="All")).to_have_attribute("aria-current", "true")
    expect(main.get_by_role("heading", level=2)).to_have_text(["Middle"])
    page.go_back()
    expect(libraries.get_by_role("link", name="Query")).to_have_attribute("aria-current", "true")
    # The first response contains all posts.
    assert reader.calls == []


def test_library_links_have_descriptive_names(shared_page: OpenPage) -> None:
    main = shared_page("/blog").page.get_by_role("main")
    expect(main.get_by_role("list", name="About").first.get_by_role("link")).to_have_accessible_name("Form posts")
    expect(main.get_by_role("link", name="Router posts", exact=True).first).to_be_visible()


def test_post_is_complete_without_javascript(open_page: OpenPage) -> None:
    page = open_page("/blog/middle", javascript=False).page
    expect(page).to_have_title("Middle | Blog")
    expect(page.locator('meta[name="author"]')).to_have_attribute(
        "content", "co-authored by Ada Lovelace and Charles Babbage"
    )
    expect(page.get_by_text("on Nov 10, 2026")).to_be_visible()
    expect(page.get_by_text("min read")).to_be_visible()
    expect(page.get_by_role("link", name="Older Oldest")).to_have_attribute("href", "/blog/oldest")
    expect(page.get_by_role("link", name="Newer Newest")).to_have_attribute("href", "/blog/newest")
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Second part").click()
    expect(page.get_by_role("heading", name="Second part")).to_be_in_viewport()


def test_post_without_authors_names_the_product_and_keeps_its_date_in_western_time_zones(open_page: OpenPage) -> None:
    reader = open_page("/blog/newest", timezone_id="America/Los_Angeles")
    expect(reader.page.locator('meta[name="author"]')).to_have_attribute("content", "Kinfolk")
    expect(reader.page.get_by_text("by Kinfolk on Nov 20, 2026")).to_be_visible()
    reader.start_app()
    expect(reader.page.get_by_text("by Kinfolk on Nov 20, 2026")).to_be_visible()
    assert reader.console_errors == []


def test_draft_is_labeled_and_not_indexed(server: Server) -> None:
    page = response_html(server, "/blog/secret")
    assert [title.text_content() for title in page.xpath("//h1")] == ["SecretDraft"]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex"]


def test_post_code_is_highlighted_in_background(server: Server) -> None:
    for _ in range(100):
        if response_html(server, "/blog/oldest").xpath("//*[contains(@class, 'prose')]//code//span"):
            return
        time.sleep(0.1)
    pytest.fail("the code was never highlighted")


def test_outline_marks_current_section(shared_page: OpenPage) -> None:
    page = shared_page("/blog/middle").page
    page.set_viewport_size({"width": 1280, "height": 800})
    outline = page.get_by_role("navigation", name="On this page")
    expect(outline.get_by_role("link", name="First part")).to_have_attribute("aria-current", "location")
    # A bold link can wrap to another line, which moves the links below it.
    weights = outline.get_by_role("link").evaluate_all("links => links.map((a) => getComputedStyle(a).fontWeight)")
    assert len(weights) > 1
    assert len(set(weights)) == 1
    page.get_by_role("heading", name="Second part").scroll_into_view_if_needed()
    page.mouse.wheel(0, 3000)
    expect(outline.get_by_role("link", name="Second part")).to_have_attribute("aria-current", "location")
    expect(outline).to_be_in_viewport()


@pytest.mark.parametrize("path", ["/blog", "/blog?library=query", "/blog/middle", "/blog/secret"])
def test_page_links_to_feeds(server: Server, path: str) -> None:
    page = response_html(server, path)
    for subtype, href in (("atom+xml", "/blog/feed.xml"), ("feed+json", "/blog/feed.json")):
        assert page.xpath(f"//link[@rel='alternate'][@type='application/{subtype}']/@href") == [href]


@pytest.mark.parametrize("path", ["/blog", "/blog/middle"])
def test_blog_is_accessible_and_does_not_overflow_horizontally(shared_page: OpenPage, path: str) -> None:
    page = shared_page(path).page
    assert overflowing_widths(page, (320, 375, 768, 1024, 1280, 1920)) == []
    for width in (1280, 375):
        page.set_viewport_size({"width": width, "height": 800})
        assert violations(page) == [], width

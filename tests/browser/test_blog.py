"""The blog in a real browser: complete without JavaScript, filtered by links, read with an outline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.test_accessibility import violations
from tests.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

POST = """---
title: {title}
description: What {title} is about.
published: 2026-11-{day}
authors: [{authors}]
libraries: [{libraries}]
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


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    words = tmp_path_factory.mktemp("words")
    (words / "blog").mkdir()
    for slug, (title, day, authors, libraries, draft) in POSTS.items():
        text = POST.format(
            title=title, day=day, authors=authors, libraries=libraries, draft=draft, filler="Words to scroll by. " * 400
        )
        (words / "blog" / f"{slug}.md").write_text(text)
    environment = {"KINFOLK_WORDS": str(words), "KINFOLK_DRAFTS": "on"}
    with serving(tmp_path_factory.mktemp("blog"), environment=environment) as server:
        yield server


def titles(page: Page) -> list[str]:
    return page.get_by_role("main").get_by_role("heading", level=2).all_inner_texts()


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["SecretDraft", "Newest", "Middle", "Oldest"]),
        ("?library=query", ["Middle", "Oldest"]),
        ("?library=query&author=charles-babbage", ["Middle"]),
        ("?author=kinfolk", ["Newest"]),
        ("?library=nope&author=%22", ["SecretDraft", "Newest", "Middle", "Oldest"]),
    ],
)
def test_the_list_shows_what_its_address_asks_for_without_javascript(read: Open, query: str, shown: list[str]) -> None:
    assert titles(read(f"/blog{query}", javascript=False).page) == shown


@pytest.mark.parametrize("path", ["/blog?library=query&author=charles-babbage", "/blog/middle"])
def test_the_app_takes_a_page_over_without_complaint(read: Open, path: str) -> None:
    reader = read(path)
    before = titles(reader.page)
    reader.start_app()
    assert (reader.complaints, titles(reader.page)) == ([], before)


def test_filters_are_links_that_keep_each_other(read: Open) -> None:
    reader = read("/blog")
    reader.start_app()
    page, main = reader.page, reader.page.get_by_role("main")
    libraries = page.get_by_role("navigation", name="Posts by library")
    libraries.get_by_role("link", name="Query").click()
    # The links that keep it come with the page.
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
    # The list was known from the first page on.
    assert reader.calls == []


def test_links_to_the_posts_about_a_library_say_so(read: Open) -> None:
    main = read("/blog").page.get_by_role("main")
    expect(main.get_by_role("list", name="About").first.get_by_role("link")).to_have_accessible_name("Form posts")
    expect(main.get_by_role("link", name="Router posts", exact=True).first).to_be_visible()


def test_a_post_is_complete_without_javascript(read: Open) -> None:
    page = read("/blog/middle", javascript=False).page
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


def test_the_product_speaks_where_nobody_is_named(read: Open) -> None:
    page = read("/blog/newest").page
    expect(page.locator('meta[name="author"]')).to_have_attribute("content", "Kinfolk")
    expect(page.get_by_text("by Kinfolk on Nov 20, 2026")).to_be_visible()


def test_a_date_is_the_same_day_west_of_greenwich(read: Open) -> None:
    reader = read("/blog/newest", timezone_id="America/Los_Angeles")
    reader.start_app()
    expect(reader.page.get_by_text("on Nov 20, 2026")).to_be_visible()
    assert reader.complaints == []


def test_a_draft_says_so_and_stays_out_of_indexes(read: Open) -> None:
    page = read("/blog/secret").page
    expect(page.get_by_role("heading", level=1)).to_have_text("SecretDraft")
    expect(page.locator('meta[name="robots"]')).to_have_attribute("content", "noindex")


def test_code_of_a_post_gets_its_colours_in_the_background(read: Open) -> None:
    reader = read("/blog/oldest")
    coloured = "document.querySelectorAll('.prose code span').length > 0"
    for _ in range(100):
        if reader.page.evaluate(coloured):
            break
        reader.page.wait_for_timeout(100)
        reader.page.reload()
    assert reader.page.evaluate(coloured)


def test_the_outline_marks_what_is_read(read: Open) -> None:
    page = read("/blog/middle", viewport={"width": 1280, "height": 800}).page
    outline = page.get_by_role("navigation", name="On this page")
    expect(outline.get_by_role("link", name="First part")).to_have_attribute("aria-current", "location")
    # A bolder one might take a line more, and move those below.
    weights = outline.get_by_role("link").evaluate_all("links => links.map((a) => getComputedStyle(a).fontWeight)")
    assert len(weights) > 1
    assert len(set(weights)) == 1
    page.get_by_role("heading", name="Second part").scroll_into_view_if_needed()
    page.mouse.wheel(0, 3000)
    expect(outline.get_by_role("link", name="Second part")).to_have_attribute("aria-current", "location")
    expect(outline).to_be_in_viewport()


@pytest.mark.parametrize("path", ["/blog", "/blog?library=query", "/blog/middle", "/blog/secret"])
def test_a_page_leads_to_its_feeds(read: Open, path: str) -> None:
    page = read(path).page
    for kind, href in (("atom+xml", "/blog/feed.xml"), ("feed+json", "/blog/feed.json")):
        expect(page.locator(f'link[rel="alternate"][type="application/{kind}"]')).to_have_attribute("href", href)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/blog", "/blog/middle"])
def test_the_blog_has_no_violations(read: Open, path: str, theme: str) -> None:
    page = read(path, color_scheme=theme).page
    for width in (1280, 375):
        page.set_viewport_size({"width": width, "height": 800})
        assert violations(page) == []


@pytest.mark.parametrize("path", ["/blog", "/blog/middle"])
def test_nothing_reaches_beyond_the_window(read: Open, path: str) -> None:
    reader = read(path)
    for width in (320, 375, 768, 1024, 1280, 1920):
        reader.page.set_viewport_size({"width": width, "height": 800})
        reader.wait_for(f"innerWidth === {width}")
        assert reader.page.evaluate("document.documentElement.scrollWidth") == width

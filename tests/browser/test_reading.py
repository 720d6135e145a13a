"""Hours of reading in a real browser: what the reader chooses is done, said and remembered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect
from tests.browser.library import write_library
from tests.serving import Server, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

DOCS = "/query/latest/docs"
OVERVIEW = f"{DOCS}/framework/react/overview"
TABS = f"{DOCS}/framework/react/guides/tabs"
LONG = f"{DOCS}/framework/react/guides/long"
PANELS = f"{DOCS}/panels"
EVERYTHING = f"{DOCS}/everything"
OLD_TABS = "/query/v4/docs/framework/react/guides/tabs"
NOTICE = "You are currently reading v4 docs. Redirect to latest version?"

BELOW_THE_BAR = """(() => {
  const top = document.querySelector('#part-5').getBoundingClientRect().top
  const bar = document.querySelector('.docs-bar')?.getBoundingClientRect().bottom ?? 0
  return bar <= top && top < 200
})()"""

WIDTHS = (320, 375, 768, 1024, 1440, 1920)
KINDS = (
    OVERVIEW,
    TABS,
    PANELS,
    EVERYTHING,
    OLD_TABS,
    f"{DOCS}/diagram",
    f"{DOCS}/too-complex",
    f"{DOCS}/framework",
    f"{DOCS}/framework/react",
    f"{DOCS}/framework/react/guides/tab",
    "/query/latest",
    "/",
)


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    content = write_library(tmp_path_factory.mktemp("library"))
    with serving(tmp_path_factory.mktemp("reading"), "--content", str(content)) as server:
        yield server


def menu(page: Page, name: str) -> None:
    """Open the menu in which a framework or a version is chosen."""
    page.locator(".docs-menu summary").filter(has_text=name).click()


def choose(page: Page, name: str, item: str) -> None:
    menu(page, name)
    page.locator(".docs-menu .link-menu[open]").get_by_role("link", name=item).first.click()


def scroll(page: Page, top: int) -> None:
    """Until it is painted: a reader does not leave a place that was never there, and a page only then knows of it."""
    page.evaluate("(top) => new Promise((seen) => { scrollTo(0, top); requestAnimationFrame(() => seen()) })", top)


def scrolled(page: Page) -> int:
    return int(page.evaluate("Math.round(scrollY)"))


def stop_time(page: Page) -> None:
    """What is said for a while only is said until somebody has looked."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


# Framework and version


def test_a_framework_is_changed_on_its_page_without_leaving_it(read: Open) -> None:
    reader = read(TABS)
    choose(reader.page, "Framework", "Vue")
    reader.wait_for("location.pathname.endsWith('/framework/vue/guides/tabs')")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Tabs")
    expect(reader.page.locator(".docs-menu summary").first).to_contain_text("Vue")


def test_a_framework_that_lacks_the_page_says_where_it_leads(read: Open) -> None:
    page = read(LONG).page
    menu(page, "Framework")
    entry = page.locator('[data-choose-framework="vue"]')
    expect(entry).to_contain_text(re.compile("opens “.+”"))
    title = re.search("“(.+)”", entry.inner_text())
    assert title is not None
    entry.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title[1])


def test_on_a_page_for_everybody_a_framework_changes_panels_outline_and_menu_in_place(read: Open) -> None:
    reader = read(PANELS)
    page = reader.page
    outline = page.get_by_role("navigation", name="On this page")
    expect(page.get_by_text("React's words.")).to_be_visible()
    expect(outline.get_by_role("link", name="Only Vue")).to_be_hidden()
    reader.start_app()
    choose(page, "Framework", "Vue")
    expect(page.get_by_text("Vue's words.")).to_be_visible()
    expect(page.get_by_text("React's words.")).to_be_hidden()
    expect(outline.get_by_role("link", name="Only Vue")).to_be_visible()
    overview = page.get_by_role("navigation", name="Docs").get_by_role("link", name="Overview")
    expect(overview).to_have_attribute("href", f"{DOCS}/framework/vue/overview")
    assert reader.path() == PANELS
    page.reload()
    expect(page.get_by_text("Vue's words.")).to_be_visible()
    expect(overview).to_have_attribute("href", f"{DOCS}/framework/vue/overview")


def test_a_version_is_changed_both_ways_on_the_page_one_reads(read: Open) -> None:
    reader = read(TABS)
    page = reader.page
    choose(page, "Version", "v4")
    reader.wait_for(f"location.pathname === '{OLD_TABS}'")
    expect(page.get_by_text(NOTICE)).to_be_visible()
    choose(page, "Version", "Latest")
    reader.wait_for(f"location.pathname === '{TABS}'")
    expect(page.get_by_text("Redirect to latest version?")).to_have_count(0)


# Old docs


def test_old_docs_say_so_and_lead_to_the_same_page_without_javascript(read: Open) -> None:
    page = read(OLD_TABS, javascript=False).page
    expect(page.get_by_text(NOTICE)).to_be_visible()
    page.get_by_role("link", name="Latest").and_(page.locator(".old-version a")).click()
    expect(page).to_have_url(re.compile(f"{TABS}$"))


@pytest.mark.parametrize("version", ["latest", "v5"])
def test_the_latest_docs_under_either_name_are_not_called_old(read: Open, version: str) -> None:
    page = read(TABS.replace("latest", version)).page
    expect(page.locator(".old-version")).to_have_count(0)


def test_the_page_of_an_older_version_leads_to_its_docs(read: Open) -> None:
    page = read("/query/v4").page
    expect(page.get_by_text("The docs of v4 are still here.")).to_be_visible()
    expect(page.get_by_role("link", name="Read the v4 docs")).to_have_attribute(
        "href", "/query/v4/docs/framework/react/overview"
    )


def test_the_notice_stays_hidden_from_the_first_paint_on(read: Open) -> None:
    page = read(OLD_TABS).page
    page.get_by_role("button", name="Hide").click()
    expect(page.get_by_text(NOTICE)).to_be_hidden()
    expect(page.get_by_role("main")).to_be_focused()
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text(NOTICE)).to_be_hidden()
    until = page.evaluate("localStorage.getItem('notice:query') - Date.now()")
    assert 29 < until / 86_400_000 <= 30


# Choices in the text


def test_a_package_manager_is_chosen_for_every_block_and_every_page(read: Open) -> None:
    reader = read(TABS)
    page = reader.page
    page.locator(".tabs label", has_text="pnpm").first.click()
    expect(page.get_by_text("pnpm add another-package")).to_be_visible()
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="More-Tabs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("More Tabs")
    expect(page.get_by_text("pnpm add one-package")).to_be_visible()
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text("pnpm add one-package")).to_be_visible()


def test_code_is_copied_without_the_last_line_end_and_that_is_said(read: Open) -> None:
    page = read(TABS, permissions=["clipboard-read", "clipboard-write"]).page
    stop_time(page)
    figure = page.locator("figure.code:visible").first
    figure.hover()
    figure.get_by_role("button", name="Copy").click()
    expect(figure.get_by_role("button")).to_have_text("Copied!")
    expect(page.get_by_role("status")).to_have_text("Copied!")
    assert page.evaluate("navigator.clipboard.readText()") == "npm i one-package"
    page.clock.resume()
    expect(figure.get_by_role("button")).to_have_text("Copy")


def test_a_page_is_copied_as_markdown(read: Open) -> None:
    page = read(EVERYTHING, permissions=["clipboard-read", "clipboard-write"]).page
    stop_time(page)
    page.get_by_role("button", name="Copy page").click()
    expect(page.get_by_role("button", name="Copied!")).to_be_visible()
    text = str(page.evaluate("navigator.clipboard.readText()"))
    assert text.startswith("# Everything")
    assert "| Column |" in text


def test_an_assistant_is_told_the_address_of_the_markdown(read: Open) -> None:
    page = read(TABS).page
    page.get_by_text("More ways to read this page").locator("..").click()
    href = page.get_by_role("link", name="Open in Claude").get_attribute("href") or ""
    assert href.startswith("https://claude.ai/new?q=")
    assert f"{TABS}.md".replace("/", "%2F") in href
    expect(page.get_by_role("link", name="View as Markdown")).to_have_attribute("href", f"{TABS}.md")


def test_a_wide_text_stays_wide(read: Open) -> None:
    page = read(OVERVIEW, viewport={"width": 1700, "height": 900}).page
    button = page.get_by_role("button", name="Wide text")
    narrow = page.locator(".prose").evaluate("e => e.clientWidth")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.locator(".prose").evaluate("e => e.clientWidth") > narrow
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.locator(".prose").evaluate("e => e.clientWidth") > narrow


def test_a_diagram_is_drawn_when_the_reader_comes_to_it(read: Open) -> None:
    reader = read(f"{DOCS}/diagram")
    page = reader.page
    figure = page.locator("figure.mermaid")
    expect(figure.locator("svg")).to_have_count(0)
    figure.scroll_into_view_if_needed()
    expect(figure.locator("svg")).to_be_visible()
    expect(figure.locator("pre")).to_be_hidden()
    assert reader.complaints == []


def test_a_diagram_is_its_code_without_javascript(read: Open) -> None:
    page = read(f"{DOCS}/diagram", javascript=False).page
    expect(page.locator("figure.mermaid pre")).to_contain_text("A[Start] --> B[End]")


# The menu


def test_a_closed_group_stays_closed_from_the_first_paint_on(read: Open) -> None:
    reader = read(OVERVIEW)
    page = reader.page
    group = page.locator("details[data-group=Guides]")
    expect(group).to_have_attribute("open", "")
    group.locator("summary").click()
    expect(group).not_to_have_attribute("open", "")
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="Panels").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Panels")
    expect(group).not_to_have_attribute("open", "")
    page.reload()
    expect(group).not_to_have_attribute("open", "")
    reader.start_app()
    expect(group).not_to_have_attribute("open", "")
    assert reader.complaints == []
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(group).not_to_have_attribute("open", "")


def test_the_menu_shows_the_page_one_reads_and_the_page_stays_at_its_top(read: Open) -> None:
    page = read(f"{DOCS}/framework/react/guides/topic-39", viewport={"width": 1280, "height": 600}).page
    current = page.get_by_role("navigation", name="Docs").locator("[aria-current=page]")
    expect(current).to_be_in_viewport()
    assert scrolled(page) == 0


def test_the_menu_stays_where_it_was_without_the_app(read: Open) -> None:
    page = read(OVERVIEW, viewport={"width": 1280, "height": 600}).page
    page.route("**/assets/app*.js", lambda route: route.abort())
    page.reload()
    links = page.get_by_role("navigation", name="Docs")
    links.get_by_role("link", name="Topic-20").scroll_into_view_if_needed()
    before = page.locator("[data-menu]").evaluate("e => e.scrollTop")
    assert before > 0
    links.get_by_role("link", name="Topic-20").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Topic-20")
    assert abs(page.locator("[data-menu]").evaluate("e => e.scrollTop") - before) < 2


# On this page


@pytest.mark.parametrize("width", [375, 768, 1100, 1440])
def test_the_outline_leads_to_a_heading_that_no_bar_hides_and_marks_it(read: Open, width: int) -> None:
    reader = read(LONG, viewport={"width": width, "height": 700})
    page = reader.page
    button = page.get_by_role("button", name="On this page")
    if button.is_visible():
        button.click()
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Part 5", exact=True).click()
    expect(page.locator(".toc [aria-current=location]")).to_have_text("Part 5")
    # It is marked when it comes into view, which may be before the page stands still.
    reader.wait_for(BELOW_THE_BAR)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.locator(".toc [aria-current=location]")).to_have_text("Part 12")


# Moving


def test_back_and_forward_come_to_where_the_reader_was(read: Open) -> None:
    reader = read(LONG)
    page = reader.page
    reader.start_app()
    scroll(page, 1500)
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    reader.wait_for("Math.round(scrollY) === 0")
    scroll(page, 700)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Long")
    reader.wait_for("Math.round(scrollY) === 1500")
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    reader.wait_for("Math.round(scrollY) === 700")


def test_a_reload_stays_where_the_reader_was(read: Open) -> None:
    reader = read(LONG)
    reader.start_app()
    scroll(reader.page, 1500)
    reader.page.reload()
    reader.wait_for("Math.round(scrollY) === 1500")
    reader.start_app()
    assert scrolled(reader.page) == 1500


def test_nothing_moves_by_itself_for_those_who_asked_for_less_motion(read: Open) -> None:
    page = read(LONG, reduced_motion="reduce").page
    moving = """[...document.querySelectorAll('*')].filter((element) => {
      const style = getComputedStyle(element)
      const seconds = Math.max(...[style.transitionDuration, style.animationDuration].map(parseFloat))
      return style.scrollBehavior === 'smooth' || seconds > 0.001
    }).map((element) => element.className)"""
    assert page.evaluate(moving) == []


def test_the_theme_follows_the_system_and_tells_the_page(read: Open) -> None:
    page = read(TABS, color_scheme="light").page
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_class(re.compile(r"\bdark\b"))
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light


# By keyboard


def test_the_first_tab_skips_to_the_text(read: Open) -> None:
    page = read(TABS).page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_escape_closes_a_menu_and_gives_the_focus_back(read: Open) -> None:
    page = read(TABS).page
    summary = page.locator(".docs-menu summary").filter(has_text="Version")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".link-menu[open]")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".link-menu[open]")).to_have_count(0)
    expect(summary).to_be_focused()


def test_escape_closes_the_drawer_and_gives_the_focus_back(read: Open) -> None:
    page = read(TABS, viewport={"width": 375, "height": 700}).page
    button = page.get_by_role("button", name="Menu", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="TanStack Query")
    expect(drawer).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()


def test_following_a_link_in_the_drawer_closes_it(read: Open) -> None:
    reader = read(TABS, viewport={"width": 375, "height": 700})
    page = reader.page
    reader.start_app()
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="Long").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Long")
    expect(page.locator(".docs-menu")).to_be_hidden()


@pytest.mark.parametrize("key", ["/", "Control+k", "Meta+k"])
def test_the_keys_of_the_search_are_kept_for_it(read: Open, key: str) -> None:
    page = read(TABS).page
    page.evaluate("document.addEventListener('kinfolk:search', () => document.body.dataset.asked = 'yes')")
    page.keyboard.press(key)
    expect(page.locator("body")).to_have_attribute("data-asked", "yes")


# Missing


def test_a_page_that_does_not_exist_offers_the_nearest_ones(read: Open) -> None:
    page = read(f"{DOCS}/framework/react/guides/tab").page
    expect(page.get_by_role("heading", name="404 Not Found")).to_be_visible()
    expect(page.get_by_text("The page you are looking for does not exist.")).to_be_visible()
    near = page.get_by_role("navigation", name="Perhaps you meant").get_by_role("link").first
    expect(near).to_have_attribute("href", TABS)


def test_a_page_that_the_app_does_not_find_offers_them_too(read: Open) -> None:
    reader = read(TABS)
    reader.start_app()
    reader.page.evaluate(f"__kinfolk.app.navigate(location.origin + '{DOCS}/framework/react/guides/tab')")
    expect(reader.page.get_by_role("navigation", name="Perhaps you meant")).to_be_visible()
    expect(reader.page.get_by_role("link", name="Start Over")).to_be_visible()


# Fitting


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_its_window(read: Open, width: int) -> None:
    reader = read(KINDS[0], viewport={"width": width, "height": 800})
    wide = []
    for path in KINDS:
        reader.open(path)
        if reader.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
    assert wide == []


def test_the_lines_of_a_page_shown_as_plain_text_wrap(read: Open) -> None:
    page = read(f"{DOCS}/too-complex", viewport={"width": 375, "height": 800}).page
    expect(page.get_by_role("note")).to_contain_text("too complex to format")
    text = page.locator("figure.code pre")
    expect(text).to_contain_text("A long line.")
    assert text.evaluate("(pre) => pre.scrollWidth <= pre.clientWidth")


def test_on_paper_there_is_the_text_alone(read: Open) -> None:
    page = read(EVERYTHING).page
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Docs")).to_be_hidden()
    expect(page.get_by_role("navigation", name="On this page")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()

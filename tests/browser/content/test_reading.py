"""Docs pages in a browser: menus, preferences, outline, scroll positions, keyboard, layout and accessibility."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import layout_shifts, overflowing_widths
from tests.browser.sample_library import write_library
from tests.servers.serving import Server, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage

DOCS = "/query/latest/docs"
OVERVIEW = f"{DOCS}/framework/react/overview"
TABS = f"{DOCS}/framework/react/guides/tabs"
LONG = f"{DOCS}/framework/react/guides/long"
PANELS = f"{DOCS}/panels"
EVERYTHING = f"{DOCS}/everything"
ALTERNATIVES = f"{DOCS}/alternatives"
OLD_TABS = "/query/v4/docs/framework/react/guides/tabs"
NOTICE = "v5 is current."

HEADING_BELOW_BAR = """(() => {
  const top = document.querySelector('#part-5').getBoundingClientRect().top
  const bar = document.querySelector('.docs-bar')?.getBoundingClientRect().bottom ?? 0
  return bar <= top && top < 200
})()"""

PAPER_PX = 718
WITHOUT_SEARCH = {"KINFOLK_SEARCH": "off"}

# The dialog is not opened.
RECORD_SEARCH_EVENT = """() => addEventListener('kinfolk:search', (event) => {
  event.stopImmediatePropagation()
  document.body.dataset.searchEvent = 'yes'
}, { once: true, capture: true })"""

WIDTHS = (320, 375, 768, 1024, 1440, 1920)
PATHS = (
    OVERVIEW,
    PANELS,
    EVERYTHING,
    OLD_TABS,
    f"{DOCS}/diagram",
    f"{DOCS}/too-complex",
    f"{DOCS}/framework",
    f"{DOCS}/framework/react",
    f"{DOCS}/framework/react/guides/tab",
    "/query/latest",
)
KINDS = {
    "panels": PANELS,
    "tabs of old docs": OLD_TABS,
    "diagram": f"{DOCS}/diagram",
    "API reference": f"{DOCS}/reference/classes/Timer",
    "framework": f"{DOCS}/framework/react",
    "arrival": f"{PANELS}?from={DOCS}/framework/react/guides/tab",
    "missing": f"{DOCS}/framework/react/guides/tab",
}


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    content = write_library(tmp_path_factory.mktemp("library"))
    with serving(tmp_path_factory.mktemp("reading"), "--content", str(content), environment=WITHOUT_SEARCH) as server:
        yield server


def open_menu(page: Page, name: str) -> None:
    """Open the menu of frameworks or of versions."""
    page.locator(".docs-menu summary").filter(has_text=name).click()


def choose_in_menu(page: Page, name: str, item: str) -> None:
    open_menu(page, name)
    page.locator(".docs-menu .link-menu[open]").get_by_role("link", name=item).first.click()


def scroll_page(page: Page, top: int) -> None:
    """Scroll and wait for the next frame: the page stores a scroll position only after the scroll event."""
    page.evaluate("(top) => new Promise((done) => { scrollTo(0, top); requestAnimationFrame(() => done()) })", top)


def scroll_top(page: Page) -> int:
    return int(page.evaluate("Math.round(scrollY)"))


def pause_clock(page: Page) -> None:
    """Pause the clock, so that a temporary message stays until the test has read it."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


# Framework and version menus


def test_framework_without_the_page_names_the_page_it_opens(shared_tab: OpenPage) -> None:
    page = shared_tab(LONG).page
    open_menu(page, "Framework")
    entry = page.locator('[data-choose-framework="vue"]')
    expect(entry).to_contain_text(re.compile("opens “.+”"))
    title = re.search("“(.+)”", entry.inner_text())
    assert title is not None
    entry.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title[1])


def test_framework_choice_updates_panels_outline_and_menu_of_shared_page(shared_tab: OpenPage) -> None:
    reader = shared_tab(PANELS)
    page = reader.page
    outline = page.get_by_role("navigation", name="On this page")
    expect(page.get_by_text("React's words.")).to_be_visible()
    expect(outline.get_by_role("link", name="Only Vue")).to_be_hidden()
    reader.interact()
    choose_in_menu(page, "Framework", "Vue")
    expect(page.get_by_text("Vue's words.")).to_be_visible()
    expect(page.get_by_text("React's words.")).to_be_hidden()
    expect(outline.get_by_role("link", name="Only Vue")).to_be_visible()
    overview = page.get_by_role("navigation", name="Docs").get_by_role("link", name="Overview")
    expect(overview).to_have_attribute("href", f"{DOCS}/framework/vue/overview")
    assert reader.path() == PANELS
    page.reload()
    expect(page.get_by_text("Vue's words.")).to_be_visible()
    expect(overview).to_have_attribute("href", f"{DOCS}/framework/vue/overview")


def test_version_and_framework_menus_open_same_page(shared_tab: OpenPage) -> None:
    reader = shared_tab(TABS)
    page = reader.page
    choose_in_menu(page, "Version", "v4")
    reader.wait_for(f"location.pathname === '{OLD_TABS}'")
    expect(page.get_by_text(NOTICE)).to_be_visible()
    choose_in_menu(page, "Version", "v5 (latest)")
    reader.wait_for(f"location.pathname === '{TABS}'")
    expect(page.get_by_text(NOTICE)).to_have_count(0)
    choose_in_menu(page, "Framework", "Vue")
    reader.wait_for("location.pathname.endsWith('/framework/vue/guides/tabs')")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tabs")
    expect(page.locator(".docs-menu summary").first).to_contain_text("Vue")


# Old docs


def test_old_version_notice_links_to_same_page_without_javascript(shared_tab: OpenPage) -> None:
    page = shared_tab(OLD_TABS, javascript=False).page
    expect(page.get_by_text(NOTICE)).to_be_visible()
    page.get_by_role("link", name="Read v5").click()
    expect(page).to_have_url(re.compile(f"{TABS}$"))


@pytest.mark.parametrize("version", ["latest", "v5"])
def test_latest_version_has_no_old_version_notice(shared_tab: OpenPage, version: str) -> None:
    page = shared_tab(OLD_TABS.replace("v4", version), javascript=False).page
    expect(page.get_by_role("heading", level=1)).to_have_text("Tabs")
    expect(page.locator(".version-notice")).to_have_count(0)


def test_landing_page_of_old_version_links_to_its_docs(shared_tab: OpenPage) -> None:
    page = shared_tab("/query/v4", javascript=False).page
    expect(page.get_by_text("This page is about v4. The current version is v5.")).to_be_visible()
    for name in ("Get started", "Read the v4 docs"):
        expect(page.get_by_role("link", name=name)).to_have_attribute("href", "/query/v4/docs/framework/react/overview")


def test_hidden_notice_stays_hidden_after_reload_without_app(shared_tab: OpenPage) -> None:
    page = shared_tab(OLD_TABS).page
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text(NOTICE)).to_be_hidden()
    expect(page.get_by_role("main")).to_be_focused()
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text(NOTICE)).to_be_hidden()
    hidden_for_ms = page.evaluate("localStorage.getItem('notice:query') - Date.now()")
    assert 29 < hidden_for_ms / 86_400_000 <= 30


# Tabs, copying and text width


def test_package_manager_choice_applies_to_all_blocks_and_pages(shared_tab: OpenPage) -> None:
    reader = shared_tab(TABS)
    page = reader.page
    page.locator(".tabs label", has_text="pnpm").first.click()
    expect(page.get_by_text("pnpm add another-package")).to_be_visible()
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="More-Tabs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("More Tabs")
    expect(page.get_by_text("pnpm add one-package")).to_be_visible()
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text("pnpm add one-package")).to_be_visible()


def test_copy_button_copies_code_without_final_newline_and_announces_it(open_page: OpenPage) -> None:
    page = open_page(TABS, permissions=["clipboard-read", "clipboard-write"]).page
    pause_clock(page)
    figure = page.locator("figure.code:visible").first
    figure.hover()
    figure.get_by_role("button", name="Copy").click()
    expect(figure.get_by_role("button")).to_have_text("Copied!")
    expect(page.get_by_role("status")).to_have_text("Copied!")
    assert page.evaluate("navigator.clipboard.readText()") == "npm i one-package"
    page.clock.run_for(5000)
    expect(figure.get_by_role("button")).to_have_text("Copy")


def test_link_to_a_heading_in_a_tab_selects_the_tab(shared_tab: OpenPage) -> None:
    reader = shared_tab(f"{ALTERNATIVES}#inside-rsbuild")
    page = reader.page
    rsbuild, inmost, vue = (
        page.get_by_role("heading", name=name) for name in ("Inside Rsbuild", "Inside the inmost tab", "Inside Vue")
    )
    expect(rsbuild).to_be_in_viewport()
    page.get_by_role("link", name="To the inmost").click()
    expect(inmost).to_be_in_viewport()
    page.get_by_role("radio", name="One", exact=True).check(force=True)
    page.get_by_role("link", name="To the inmost").click()
    expect(inmost).to_be_in_viewport()
    page.get_by_role("radio", name="Vite", exact=True).check(force=True)
    expect(rsbuild).to_be_hidden()
    page.go_back()
    expect(rsbuild).to_be_in_viewport()
    page.get_by_role("link", name="To the panel").click()
    expect(vue).to_be_in_viewport()
    reader.visit(OVERVIEW)
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    reader.visit(f"{ALTERNATIVES}#inside-the-inmost-tab")
    expect(inmost).to_be_in_viewport()
    reader.visit(OVERVIEW)
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    page.go_back()
    expect(inmost).to_be_in_viewport()
    assert page.evaluate("localStorage.getItem('framework')") is None
    assert reader.console_errors == []


def test_heading_in_a_tab_is_shown_without_scripts(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{ALTERNATIVES}#inside-rsbuild", javascript=False).page
    expect(page.get_by_role("heading", name="Inside Rsbuild")).to_be_in_viewport()
    expect(page.get_by_text("Text for Vite.")).to_be_visible()


def test_printed_page_has_all_content(shared_tab: OpenPage) -> None:
    """Without scripts, on the width of A4 between margins of 10 mm."""
    page = shared_tab(f"{ALTERNATIVES}#inside-rsbuild", javascript=False).page
    page.set_viewport_size({"width": PAPER_PX, "height": 1000})
    page.emulate_media(media="print")
    found = [
        page.get_by_text(text, exact=exact)
        for text, exact in (
            ("Text in a fold.", True),
            ("One", True),
            ("First tab.", True),
            ("Two", True),
            ("Second tab.", True),
            ("Three", True),
            ("Third tab.", True),
            ("Four", True),
            ("Fourth tab.", True),
            ("Text for Vite.", True),
            ("Text for Rsbuild.", True),
            ("lastWordOfTheLine", False),
            ("last_cell", True),
        )
    ]
    boxes = [locator.bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0} for locator in found]
    assert [box["y"] for box in boxes] == sorted({box["y"] for box in boxes})
    assert all(box["width"] > 0 and box["x"] + box["width"] <= PAPER_PX for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER_PX
    page.emulate_media(media="screen")


def test_copy_page_copies_markdown(open_page: OpenPage) -> None:
    page = open_page(EVERYTHING, permissions=["clipboard-read", "clipboard-write"]).page
    pause_clock(page)
    page.get_by_role("button", name="Copy page").click()
    expect(page.get_by_role("button", name="Copied!")).to_be_visible()
    text = str(page.evaluate("navigator.clipboard.readText()"))
    assert text.startswith("# Everything")
    assert "| Column |" in text


def test_assistant_link_contains_markdown_url(shared_page: OpenPage) -> None:
    page = shared_page(TABS).page
    page.get_by_text("More ways to read this page").locator("..").click()
    href = page.get_by_role("link", name="Open in Claude").get_attribute("href") or ""
    assert href.startswith("https://claude.ai/new?q=")
    assert f"{TABS}.md".replace("/", "%2F") in href
    expect(page.get_by_role("link", name="View as Markdown")).to_have_attribute("href", f"{TABS}.md")
    page.keyboard.press("Escape")
    expect(page.locator(".link-menu[open]")).to_have_count(0)


def test_wide_text_setting_persists_after_reload(shared_tab: OpenPage) -> None:
    page = shared_tab(OVERVIEW, viewport={"width": 1700, "height": 900}).page
    button = page.get_by_role("button", name="Wide text")
    normal_width = page.locator(".prose").evaluate("e => e.clientWidth")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.locator(".prose").evaluate("e => e.clientWidth") > normal_width
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.locator(".prose").evaluate("e => e.clientWidth") > normal_width


def test_diagram_renders_when_scrolled_into_view(shared_tab: OpenPage) -> None:
    reader = shared_tab(f"{DOCS}/diagram")
    page = reader.page
    figure = page.locator("figure.mermaid")
    expect(figure.locator("svg")).to_have_count(0)
    figure.scroll_into_view_if_needed()
    expect(figure.locator("svg")).to_be_visible()
    expect(figure.locator("pre")).to_be_hidden()
    assert reader.console_errors == []


def test_diagram_is_shown_as_code_without_javascript(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{DOCS}/diagram", javascript=False).page
    expect(page.locator("figure.mermaid pre")).to_contain_text("A[Start] --> B[End]")


# Docs menu


def test_closed_menu_group_stays_closed_after_navigation_and_reload(shared_tab: OpenPage) -> None:
    reader = shared_tab(OVERVIEW)
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
    assert reader.console_errors == []
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(group).not_to_have_attribute("open", "")


def test_menu_scrolls_to_current_page_without_scrolling_the_document(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{DOCS}/framework/react/guides/topic-39", viewport={"width": 1280, "height": 600}).page
    current = page.get_by_role("navigation", name="Docs").locator("[aria-current=page]")
    expect(current).to_be_in_viewport()
    assert scroll_top(page) == 0


def test_menu_keeps_scroll_position_without_app(shared_tab: OpenPage) -> None:
    page = shared_tab(OVERVIEW, viewport={"width": 1280, "height": 600}).page
    page.route("**/assets/app*.js", lambda route: route.abort())
    page.reload()
    menu = page.get_by_role("navigation", name="Docs")
    menu.get_by_role("link", name="Topic-20").scroll_into_view_if_needed()
    before = page.locator("[data-menu]").evaluate("e => e.scrollTop")
    assert before > 0
    menu.get_by_role("link", name="Topic-20").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Topic-20")
    assert abs(page.locator("[data-menu]").evaluate("e => e.scrollTop") - before) < 2


# Outline


def test_outline_link_scrolls_heading_below_bar_and_marks_it_current(shared_tab: OpenPage) -> None:
    reader = shared_tab(LONG)
    page = reader.page
    current = page.locator(".toc [aria-current=location]")
    for width in (375, 768, 1100, 1440):
        page.set_viewport_size({"width": width, "height": 700})
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        button = page.get_by_role("button", name="On this page")
        if button.is_visible():
            button.click()
        page.get_by_role("navigation", name="On this page").get_by_role("link", name="Part 5", exact=True).click()
        expect(current).to_have_text("Part 5")
        # The link is marked when the heading enters the viewport, which may be before scrolling ends.
        reader.wait_until(lambda: bool(page.evaluate(HEADING_BELOW_BAR)), f"the heading is below the bar at {width}")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(current).to_have_text("Part 12")


# Scroll position, motion and theme


def test_back_forward_and_reload_restore_scroll_position(shared_tab: OpenPage) -> None:
    reader = shared_tab(LONG)
    page = reader.page
    reader.interact()
    scroll_page(page, 1500)
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    reader.wait_for("Math.round(scrollY) === 0")
    scroll_page(page, 700)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Long")
    reader.wait_for("Math.round(scrollY) === 1500")
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    reader.wait_for("Math.round(scrollY) === 700")
    scroll_page(page, 900)
    reader.forget()
    page.reload()
    reader.wait_for("Math.round(scrollY) === 900")
    reader.interact()
    assert scroll_top(page) == 900


def test_reduced_motion_disables_transitions_and_animations(open_page: OpenPage) -> None:
    page = open_page(LONG, reduced_motion="reduce").page
    animated_elements = """[...document.querySelectorAll('*')].filter((element) => {
      const style = getComputedStyle(element)
      const seconds = Math.max(...[style.transitionDuration, style.animationDuration].map(parseFloat))
      return style.scrollBehavior === 'smooth' || seconds > 0.001
    }).map((element) => element.className)"""
    assert page.evaluate(animated_elements) == []


def test_theme_follows_system_color_scheme(shared_page: OpenPage) -> None:
    page = shared_page(TABS).page
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_class(re.compile(r"\bdark\b"))
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).not_to_have_class(re.compile(r"\bdark\b"))


# Keyboard


def test_first_tab_focuses_skip_link_to_content(shared_tab: OpenPage) -> None:
    page = shared_tab(TABS).page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_escape_closes_menu_and_restores_focus(shared_page: OpenPage) -> None:
    page = shared_page(TABS).page
    summary = page.locator(".docs-menu summary").filter(has_text="Version")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".link-menu[open]")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".link-menu[open]")).to_have_count(0)
    expect(summary).to_be_focused()


def test_escape_closes_drawer_and_restores_focus(shared_page: OpenPage) -> None:
    page = shared_page(TABS).page
    page.set_viewport_size({"width": 375, "height": 700})
    button = page.get_by_role("button", name="Menu", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="TanStack Query")
    expect(drawer).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()


def test_link_in_drawer_closes_drawer(shared_page: OpenPage) -> None:
    reader = shared_page(TABS)
    page = reader.page
    page.set_viewport_size({"width": 375, "height": 700})
    reader.interact()
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="Long").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Long")
    expect(page.locator(".docs-menu")).to_be_hidden()


def test_search_shortcuts_dispatch_search_event(shared_tab: OpenPage) -> None:
    page = shared_tab(TABS).page
    for key in ("/", "Control+k", "Meta+k"):
        page.evaluate(RECORD_SEARCH_EVENT)
        page.keyboard.press(key)
        expect(page.locator("body"), key).to_have_attribute("data-search-event", "yes")
        page.evaluate("delete document.body.dataset.searchEvent")


# Missing pages


def test_missing_page_suggests_similar_pages(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{DOCS}/framework/react/guides/tab").page
    expect(page.get_by_role("heading", name="404 Not Found")).to_be_visible()
    expect(page.get_by_text("The page you are looking for does not exist.")).to_be_visible()
    suggestion = page.get_by_role("navigation", name="Perhaps you meant").get_by_role("link").first
    expect(suggestion).to_have_attribute("href", TABS)


def test_visit_to_missing_page_suggests_similar_pages(shared_page: OpenPage) -> None:
    reader = shared_page(TABS)
    reader.interact()
    reader.visit(f"{DOCS}/framework/react/guides/tab")
    expect(reader.page.get_by_role("navigation", name="Perhaps you meant")).to_be_visible()
    expect(reader.page.get_by_role("link", name="Start Over")).to_be_visible()


# Layout


def test_no_page_is_wider_than_viewport(open_page: OpenPage) -> None:
    reader = open_page(PATHS[0], reduced_motion="reduce")
    too_wide = {}
    for path in PATHS:
        reader.open(path)
        too_wide[path] = overflowing_widths(reader.page, WIDTHS)
    assert too_wide == {path: [] for path in PATHS}


def test_badges_that_are_links_are_in_one_line(shared_tab: OpenPage) -> None:
    badges = shared_tab(EVERYTHING).page.locator(".prose p > a > img")
    boxes = badges.evaluate_all("badges => badges.map((badge) => badge.getBoundingClientRect().toJSON())")
    assert len(boxes) == 2
    assert boxes[0]["top"] == boxes[1]["top"]
    assert boxes[0]["right"] < boxes[1]["left"]


def test_lines_of_unformatted_page_wrap(shared_tab: OpenPage) -> None:
    page = shared_tab(f"{DOCS}/too-complex", javascript=False, viewport={"width": 375, "height": 800}).page
    expect(page.get_by_role("note")).to_contain_text("too complex to format")
    text = page.locator("figure.code pre")
    expect(text).to_contain_text("A long line.")
    assert text.evaluate("(pre) => pre.scrollWidth <= pre.clientWidth")


def test_print_hides_navigation(shared_tab: OpenPage) -> None:
    page = shared_tab(EVERYTHING).page
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Docs")).to_be_hidden()
    expect(page.get_by_role("navigation", name="On this page")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.emulate_media(media="screen")


# Accessibility


@pytest.mark.parametrize("kind", KINDS)
def test_page_has_no_accessibility_violations(shared_tab: OpenPage, kind: str) -> None:
    reader = shared_tab(KINDS[kind])
    reader.start_app()
    assert violations(reader.page) == []


@pytest.mark.parametrize("path", [EVERYTHING, OLD_TABS], ids=["everything", "tabs of old docs"])
def test_phone_layout_has_no_accessibility_violations(shared_tab: OpenPage, path: str) -> None:
    page = shared_tab(path, viewport={"width": 375, "height": 800}, has_touch=True).page
    assert violations(page) == []
    page.get_by_text("More ways to read this page").locator("..").click()
    assert violations(page) == []
    page.get_by_role("button", name="On this page").click()
    expect(page.locator(".toc")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.locator(".docs-menu summary").filter(has_text="Framework").click()
    expect(page.locator(".docs-menu .link-menu[open]")).to_be_visible()
    assert violations(page) == []


def test_docs_page_and_its_bar_at_medium_width_have_no_accessibility_violations(shared_tab: OpenPage) -> None:
    reader = shared_tab(EVERYTHING)
    reader.start_app()
    page = reader.page
    assert violations(page) == []
    page.set_viewport_size({"width": 1100, "height": 800})
    page.get_by_role("button", name="On this page").click()
    expect(page.locator(".toc")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")


def test_hash_opens_the_folded_member_that_it_names(shared_tab: OpenPage) -> None:
    page = shared_tab(KINDS["API reference"] + "#now", viewport={"width": 375, "height": 800}).page
    assert page.locator("h3#now").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    assert layout_shifts(page) == []

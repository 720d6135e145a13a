"""What stays recognizable between two pages of libraries: the icon of the tab, and the mark that moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.axe import add_styles

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage, Reader

START = "/start/latest/docs/framework/react/overview"
ROUTER = "/router/latest/docs/overview"
QUERY = "/query/latest/docs/framework/react/overview"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 375, "height": 700}
LONG_TRANSITIONS = "::view-transition-group(*) { animation-duration: 60s !important }"
RECORD_TRANSITIONS = """() => {
  window.transitions = 0
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (update) => {
    window.transitions += 1
    return start(update)
  }
}"""
OTHER_PAGE = "document.querySelector('.docs-menu nav a[href^=\"/start/latest/docs/\"]:not([aria-current])').pathname"
VISIT_AT_TRANSITION = """(path) => {
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (update) => {
    const transition = start(update)
    transition.updateCallbackDone.then(() => { window.isUpdated = true })
    const link = document.createElement('a')
    link.href = path
    document.body.append(link)
    link.click()
    link.remove()
    return transition
  }
}"""
RECORD_REVEAL = "addEventListener('pagereveal', (event) => { window.isTransition = Boolean(event.viewTransition) })"
TRANSITION_NAMES = """[...document.querySelectorAll('*')].filter((element) => element.checkVisibility())
  .flatMap((element) => ['', '::before', '::after'].map((pseudo) => getComputedStyle(element, pseudo || null)))
  .filter((style) => style.content !== 'none').map((style) => style.viewTransitionName)
  .filter((name) => name !== 'none')"""
MOVING = (
    "document.getAnimations().some(({ effect }) => effect.pseudoElement === '::view-transition-group(library-mark)')"
)


def icon(reader: Reader) -> list[str]:
    """The file names of all icons of the page."""
    hrefs: list[str] = reader.page.evaluate("[...document.querySelectorAll('link[rel=icon]')].map(({ href }) => href)")
    return [href.partition("?")[0].rpartition("/")[2] for href in hrefs]


def expect_page(reader: Reader, path: str) -> None:
    reader.wait_for(f"document.querySelector('link[rel=canonical]')?.href.endsWith('{path}')")


def test_visit_between_libraries_moves_the_mark_and_changes_the_icon(open_page: OpenPage) -> None:
    reader = open_page(START, viewport=DESKTOP)
    reader.page.wait_for_load_state("networkidle")
    reader.page.evaluate(RECORD_TRANSITIONS)
    add_styles(reader.page, LONG_TRANSITIONS)
    assert icon(reader) == ["start.svg"]
    reader.visit(ROUTER)
    expect_page(reader, ROUTER)
    assert icon(reader) == ["router.svg"]
    reader.wait_for(MOVING)
    reader.wait_for("document.activeElement.id === 'Site-content'")
    # While the mark moves, the page can be used: a click follows a link, and pages of one library change at once.
    menu = reader.page.get_by_role("navigation", name="Docs", exact=True)
    link = menu.get_by_role("link").nth(5)
    name = link.inner_text()
    link.click()
    expect(menu.locator("[aria-current=page]")).to_have_text(name)
    assert reader.page.evaluate("window.transitions") == 1
    # The next transition ends the one that is running.
    reader.visit(QUERY)
    expect_page(reader, QUERY)
    assert icon(reader) == ["query.svg"]
    reader.page.go_back()
    expect(menu.locator("[aria-current=page]")).to_have_text(name)
    assert (reader.page.evaluate("window.transitions"), icon(reader)) == (3, ["router.svg"])
    assert reader.console_errors == []


def test_visit_before_a_transition_has_changed_the_document_wins(open_page: OpenPage) -> None:
    """A transition changes the document a frame later: by then, the document may already show the next page."""
    reader = open_page(START, viewport=DESKTOP)
    reader.page.wait_for_load_state("networkidle")
    other = reader.page.evaluate(OTHER_PAGE)
    # Its HTML is now cached, so that it is shown in the same frame.
    reader.visit(other)
    expect_page(reader, other)
    reader.page.go_back()
    expect_page(reader, START)
    reader.page.evaluate(VISIT_AT_TRANSITION, other)
    reader.visit(ROUTER)
    reader.wait_for("window.isUpdated")
    assert reader.page.evaluate("location.pathname") == other
    assert reader.page.evaluate("document.querySelector('link[rel=canonical]').href").endswith(other)
    assert icon(reader) == ["start.svg"]
    assert reader.console_errors == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_mark_moves_to_another_document_unless_motion_is_reduced(open_page: OpenPage, motion: str) -> None:
    reader = open_page(QUERY, viewport=DESKTOP, reduced_motion=motion)
    reader.page.wait_for_load_state("networkidle")
    assert sorted(reader.page.evaluate(TRANSITION_NAMES)) == ["library-mark", "library-wash"]
    reader.page.add_init_script(RECORD_REVEAL)
    reader.visit("/query/latest")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("TanStack Query")
    # The landing page has styles of its own, so the browser opens it.
    assert reader.page.evaluate("window.isTransition") is (motion == "no-preference")
    assert reader.page.evaluate(TRANSITION_NAMES) == ["library-mark"]
    assert icon(reader) == ["query.svg"]
    reader.page.evaluate(RECORD_TRANSITIONS)
    reader.visit(QUERY)
    expect_page(reader, QUERY)
    assert reader.page.evaluate("window.transitions") == (1 if motion == "no-preference" else 0)
    assert reader.console_errors == []


def test_names_of_transitions_are_unique_while_the_menu_is_open(open_page: OpenPage) -> None:
    """The browser skips a transition in which two elements have one name."""
    reader = open_page(QUERY, viewport=PHONE)
    reader.page.get_by_role("button", name="Menu").click()
    expect(reader.page.locator(".docs-menu .library-logo")).to_be_visible()
    assert sorted(reader.page.evaluate(TRANSITION_NAMES)) == ["library-mark", "library-wash"]

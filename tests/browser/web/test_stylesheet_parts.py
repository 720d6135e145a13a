"""Pages contain only the rules of stylesheets that can apply to them: every element looks as it does with all rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.conftest import OpenPage

DOCS = "/query/latest/docs/framework/react"
PAGES = [
    "/",
    "/query/latest",
    f"{DOCS}/overview",
    "/form/latest/docs/framework/react/reference/functions/useForm",
    "/form/latest/docs/overview",
    f"{DOCS}/examples/basic",
    "/query/latest/docs/nope",
    "/blog",
    "/stats/npm",
    "/search?q=cache",
    "/sponsors-embed",
    "/support",
    "/design",
]
REMEMBER = """async () => {
  for (const fold of document.querySelectorAll('details')) Object.assign(fold, { name: '', open: true })
  // The boot script has marked the current heading.
  await new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  for (const animation of document.getAnimations()) Object.assign(animation, { playbackRate: 0, currentTime: 0 })
  const names = `display position inset z-index width height margin padding color opacity background-color
    background-image border border-radius box-shadow font text-decoration text-align white-space overflow overflow-wrap
    visibility transform translate rotate scale flex gap grid-template-columns grid-area align-items justify-content
    list-style mask cursor order transition animation-name pointer-events content outline-offset fill stroke
  `.trim().split(/\\s+/)
  const look = (element, part) => {
    const style = getComputedStyle(element, part)
    // Almost all elements lack most of the parts.
    return part && style.content === 'none' ? [] : names.map((name) => `${name}: ${style.getPropertyValue(name)}`)
  }
  window.readLooks = () => [document.documentElement, ...document.body.querySelectorAll('*')]
    .filter((element) => element.checkVisibility())
    .map((element) => [element, ['', '::before', '::after'].map((part) => look(element, part))])
  window.looks = window.readLooks()
}"""
DIFFERENCES = """() => {
  const before = new Map(window.looks)
  return window.readLooks().flatMap(([element, parts]) => {
    const old = before.get(element)?.flat() ?? []
    const changed = parts.flat().filter((line, at) => old.length > 0 && line !== old[at])
    const name = `${element.tagName} ${element.getAttribute('class') ?? `in ${element.parentElement?.className}`}`
    return changed.length > 0 ? [`${name}: ${changed.slice(0, 3).join(', ')}`] : []
  })
}"""
PARTS = "**/assets/site-*.css"
NOTES = "**/assets/page-notes-*.css"
IS_WHOLE = "() => document.querySelector('style[data-href^=\"/\"]') === null"


def differences_with_all_rules(page: Page) -> list[str]:
    """The elements that look different once the page has all rules."""
    page.evaluate(REMEMBER)
    assert not page.evaluate(IS_WHOLE)
    page.evaluate("__kinfolk.loadWholeStyles()")
    assert page.evaluate(IS_WHOLE)
    found: list[str] = page.evaluate(DIFFERENCES)
    return found[:5]


@pytest.mark.parametrize("path", PAGES)
def test_page_looks_as_with_all_rules(shared_tab: OpenPage, path: str) -> None:
    assert differences_with_all_rules(shared_tab(path, reduced_motion="reduce").page) == []


def test_what_scripts_add_looks_as_with_all_rules(open_page: OpenPage) -> None:
    page = open_page(f"{DOCS}/guides/caching", reduced_motion="reduce").page
    page.mouse.move(300, 300)
    page.mouse.move(1, 1)
    page.get_by_role("button", name="Write a note").click()
    page.get_by_role("dialog").get_by_label("Note").wait_for()
    assert differences_with_all_rules(page) == []


def test_visited_page_looks_as_with_all_rules(open_page: OpenPage) -> None:
    """Until the whole files are there, the page has the rules that the server chose for it."""
    reader = open_page(f"{DOCS}/overview", reduced_motion="reduce")
    page = reader.page
    page.route(PARTS, lambda route: route.abort())
    # The click loads it at some moment.
    page.route(NOTES, lambda route: route.abort())
    with page.expect_event("requestfailed"):
        reader.visit(f"{DOCS}/guides/caching")
    page.unroute(PARTS)
    assert reader.path() == f"{DOCS}/guides/caching"
    assert differences_with_all_rules(page) == []


def test_printed_page_looks_as_with_all_rules(open_page: OpenPage) -> None:
    page = open_page(f"{DOCS}/guides/caching", reduced_motion="reduce").page
    page.emulate_media(media="print")
    assert differences_with_all_rules(page) == []

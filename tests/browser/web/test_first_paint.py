"""The first paint of docs pages: no other file is needed for it, and fonts never change what is painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.browser.axe import add_styles

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route
    from tests.browser.conftest import OpenPage
    from tests.servers.serving import Server

DOCS = "/query/latest/docs/framework/react"
STYLED = """() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector))
  return [style('html').backgroundColor, style('.docs').display, style('.docs-page h1').fontWeight]
}"""
HAS_INTER = """() => [...document.fonts].some(
  ({ family, status }) => family.includes('Inter Variable') && status === 'loaded'
)"""
SHOW_SAMPLES = """async () => {
  // A page without italics has no italic faces.
  await __kinfolk.loadWholeStyles()
  const styles = ['', 'italic '].flatMap((style) => [400, 500, 550, 600, 650, 700, 750].map((weight) => style + weight))
  const root = getComputedStyle(document.documentElement)
  const fonts = ['sans', 'mono'].flatMap((name) =>
    styles.map((style) => `${style} 24px / 1.5 ${root.getPropertyValue(`--font-${name}`)}`))
  await Promise.allSettled(fonts.map((font) => document.fonts.load(font)))
  document.body.replaceChildren(...fonts.map((font) => {
    const sample = document.createElement('div')
    sample.style.font = font
    sample.textContent = 'Handgloves 0123'
    return sample
  }))
  await document.fonts.ready
}"""
STORED_FONT = "localStorage.getItem('font')"


@pytest.mark.parametrize(
    ("theme", "surface", "javascript"),
    [("light", "rgb(253, 252, 250)", False), ("dark", "rgb(20, 19, 17)", True)],
)
def test_docs_page_is_styled_without_any_other_file(
    browser: Browser, server: Server, theme: str, surface: str, javascript: bool
) -> None:
    with browser.new_context(color_scheme=theme, java_script_enabled=javascript, base_url=server.url) as context:  # type: ignore[arg-type]
        page = context.new_page()

        def abort(route: Route) -> None:
            route.abort()

        page.route("**/assets/**", abort)
        page.goto(f"{DOCS}/overview")
        assert page.evaluate(STYLED) == [surface, "grid", "750"]


def test_web_fonts_are_used_from_the_second_docs_page_on(open_page: OpenPage) -> None:
    reader = open_page(f"{DOCS}/overview")
    page = reader.page
    assert not any(url.endswith(".woff2") for url in reader.loaded_urls)
    reader.interact()
    reader.wait_for(STORED_FONT)
    assert any(url.endswith(page.evaluate(STORED_FONT)) for url in reader.loaded_urls)
    assert not page.evaluate(HAS_INTER)
    assert len([url for url in reader.loaded_urls if url.endswith(".woff2")]) == 2
    reader.visit(f"{DOCS}/guides/caching")
    reader.wait_for(f"({HAS_INTER})()")
    page.reload()
    reader.wait_for(f"({HAS_INTER})()")
    assert reader.layout_shifts() == []
    assert reader.console_errors == []


MOST_REQUESTS_AFTER_LOAD = 3
"""The boot script, the script of live events, and their stream."""


def test_docs_page_makes_three_requests_after_load(browser: Browser, server: Server) -> None:
    with browser.new_context(base_url=server.url) as context:
        page = context.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url.removeprefix(server.url)))
        page.on("load", lambda _: requests.clear())
        with page.expect_request("**/api/live?*"):
            page.goto(f"{DOCS}/guides/caching")
        assert len(requests) <= MOST_REQUESTS_AFTER_LOAD, requests


@pytest.mark.parametrize("path", [f"{DOCS}/overview", "/"])
def test_browser_synthesizes_no_weight_or_style(open_page: OpenPage, path: str) -> None:
    """The first docs page is set in system fonts, the home page in web fonts."""
    page = open_page(path, viewport={"width": 400, "height": 1200}).page
    page.evaluate(SHOW_SAMPLES)
    before = page.screenshot()
    add_styles(page, "* { font-synthesis: none !important }")
    assert page.screenshot() == before

"""The pages that readers use most in Firefox and in WebKit. `make browsers` looks at all kinds of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.engines.other_engines import OTHER_ENGINES
from tests.engines.page import EnginePage, Target
from tests.servers.serving import Server

OVERVIEW = "/query/latest/docs/framework/react/overview"
CACHING = "/query/latest/docs/framework/react/guides/caching"
QUICK_START = "/query/latest/docs/framework/react/quick-start"
IS_DARK = "() => document.documentElement.classList.contains('dark')"
KEPT = "() => { window.kept = true }"
IS_KEPT = "() => window.kept === true"
"""Whether the document is the one of an earlier page: scripts changed the page."""
ON_ONE_LINE = """() => {
  const [question, yes] = document.querySelector('.feedback-vote').children
  return yes.getBoundingClientRect().top < question.getBoundingClientRect().bottom
}"""
FAULTS = """() => {
  console.error('an error of the console')
  setTimeout(() => { throw new Error('an uncaught error') })
  document.body.setAttribute('style', 'color: red')
  return fetch('/assets/not-there.js').then((response) => response.status)
}"""
REPORTED = ("an error of the console", "an uncaught error", "style-src", "404 ")
"""A part of each report."""


@pytest.fixture(params=["firefox", "webkit"])
def page(request: pytest.FixtureRequest, server: Server) -> Iterator[EnginePage]:
    missing, open_page = OTHER_ENGINES[request.param]
    if missing:
        pytest.skip(missing)
    with open_page(server.url) as page:
        page.resize(1280, 800)
        yield page


def heading(text: str) -> Target:
    return Target("heading", text=text)


def test_reader_of_another_engine_sees_pages_without_errors(page: EnginePage) -> None:
    page.open("/")
    page.wait_for(Target("link", "Search"))
    assert page.take_faults() == [], "home"

    page.tap(Target(css="[data-theme-toggle]"))
    page.tap(Target(css="[data-theme-toggle]"))
    page.wait_until(lambda: page.evaluate(IS_DARK) is True, "the theme is dark")
    assert page.take_faults() == [], "theme"

    page.open(OVERVIEW)
    page.wait_for(heading("Overview"))
    assert page.evaluate(IS_DARK) is True
    assert page.evaluate(ON_ONE_LINE) is True
    assert page.take_faults() == [], "docs"

    page.evaluate(KEPT)
    page.tap(Target(css=f".docs-menu a[href='{QUICK_START}']"))
    page.wait_for(heading("Quick Start"))
    assert page.url.endswith(QUICK_START)
    assert page.evaluate(IS_KEPT) is True
    page.back()
    page.wait_for(heading("Overview"))
    assert page.evaluate(IS_KEPT) is True
    assert page.take_faults() == [], "visit"

    page.press("Control+k")
    page.wait_for(Target("combobox", "Search"), lambda seen: seen.focused)
    page.type("caching")
    results = Target("listbox", "Results")
    page.wait_for(Target("option", within=results), lambda seen: seen.href == CACHING)
    page.press("Enter")
    page.wait_for(heading("The Life of a Query"))
    assert page.take_faults() == [], "search"

    page.open("/stats/npm")
    page.wait_for(Target(css="main svg path"))
    page.wait_for(Target("button", re.compile("^Color of ")))
    assert page.take_faults() == [], "statistics"

    assert page.evaluate(FAULTS) == 404
    page.wait_until(lambda: has_reported(page), f"each of {REPORTED} is reported")


def has_reported(page: EnginePage) -> bool:
    page.collect()
    return all(any(part in fault for fault in page.faults) for part in REPORTED)

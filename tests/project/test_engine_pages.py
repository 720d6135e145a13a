"""What `make browsers` compares: a page of each route, and where its elements are."""

from __future__ import annotations

from pathlib import Path

import httpx
from tests.engines.geometry import Element, differences
from tests.engines.pages_by_route import PAGES
from tests.engines.webkit_page import WebKitPage

from kinfolk.config.routes import ROUTES, match_route

MAIN = Element(0, -1, "main", (0, 0, 1280, 1000))
CARD = Element(1, 0, "article", (100, 200, 300, 80))
BELOW = Element(2, 0, "form", (100, 300, 300, 80))


def test_each_route_has_a_page_in_other_engines() -> None:
    assert PAGES.keys() == {route.pattern for route in ROUTES}
    own = {"/$": "/$library"}
    found = {pattern: match_route(path.partition("?")[0]).route.pattern for pattern, path in PAGES.items()}
    assert found == {pattern: own.get(pattern, pattern) for pattern in PAGES}


def test_element_that_moves_is_reported_once() -> None:
    moved = [MAIN, Element(1, 0, "article", (100, 230, 300, 80)), Element(2, 0, "form", (100, 330, 300, 80))]
    assert list(differences([MAIN, CARD, BELOW], moved)) == ["article: y 200.0 is 230.0"]


def test_element_that_is_narrower_or_hidden_is_reported() -> None:
    changed = [MAIN, Element(1, 0, "article", (100, 200, 297, 80)), Element(2, 0, "form", None)]
    assert list(differences([MAIN, CARD, BELOW], changed)) == ["article: width 300.0 is 297.0", "form: not shown"]


def test_requests_that_a_navigation_ends_are_no_faults_in_webkit(tmp_path: Path) -> None:
    log = tmp_path / "log"
    refused = "page.js:1:2: CONSOLE JS ERROR Fetch API cannot load {url} due to access control checks."
    lines = [refused.format(url=f"{origin}/page") for origin in ("https://acme.example", "https://other.example")]
    log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with httpx.Client() as driver:
        page = WebKitPage(driver, "session", log, "https://acme.example")
        assert page.take_faults() == lines[1:]


def test_element_far_above_its_parent_is_where_it_was() -> None:
    """Hidden fields are at the top of the document."""
    hidden = Element(1, 0, "input", (0, 0, 100, 20))
    below = Element(0, -1, "main", (0, 9000, 1280, 1000))
    assert list(differences([below, hidden], [below, hidden])) == []

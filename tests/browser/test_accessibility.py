"""axe-core reports no violations on docs pages of every kind, in both themes, with menus open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.browser.axe import violations
from tests.browser.conftest import layout_shifts
from tests.browser.sample_library import write_library
from tests.serving import Server, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage

DOCS = "/query/latest/docs"
PAGES = {
    "everything": f"{DOCS}/everything",
    "panels": f"{DOCS}/panels",
    "tabs of old docs": "/query/v4/docs/framework/react/guides/tabs",
    "diagram": f"{DOCS}/diagram",
    "API reference": f"{DOCS}/reference/classes/Timer",
    "framework": f"{DOCS}/framework/react",
    "arrival": f"{DOCS}/panels?from={DOCS}/framework/react/guides/tab",
    "missing": f"{DOCS}/framework/react/guides/tab",
}


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    content = write_library(tmp_path_factory.mktemp("library"))
    with serving(tmp_path_factory.mktemp("accessibility"), "--content", str(content)) as server:
        yield server


@pytest.mark.parametrize("kind", PAGES)
def test_page_has_no_accessibility_violations(open_page: OpenPage, kind: str) -> None:
    reader = open_page(PAGES[kind])
    reader.start_app()
    assert violations(reader.page) == []


@pytest.mark.parametrize("kind", ["everything", "tabs of old docs"])
def test_phone_layout_has_no_accessibility_violations(open_page: OpenPage, kind: str) -> None:
    page = open_page(PAGES[kind], viewport={"width": 375, "height": 800}, has_touch=True).page
    assert violations(page) == []
    page.get_by_text("More ways to read this page").locator("..").click()
    assert violations(page) == []
    page.get_by_role("button", name="On this page").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.locator(".docs-menu summary").filter(has_text="Framework").click()
    assert violations(page) == []


def test_hash_opens_the_folded_member_that_it_names(open_page: OpenPage) -> None:
    page = open_page(PAGES["API reference"] + "#now", viewport={"width": 375, "height": 800}).page
    assert page.locator("h3#now").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    assert layout_shifts(page) == []


def test_docs_bar_at_medium_width_has_no_accessibility_violations(open_page: OpenPage) -> None:
    page = open_page(PAGES["everything"], viewport={"width": 1100, "height": 800}).page
    page.get_by_role("button", name="On this page").click()
    assert violations(page) == []

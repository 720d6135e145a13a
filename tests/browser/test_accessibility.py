"""axe-core reports no violations on docs pages of every kind, in both themes, with menus open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.browser.conftest import layout_shifts
from tests.browser.sample_library import write_library
from tests.serving import Server, serving

from kinfolk.settings import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page
    from tests.browser.conftest import OpenPage

AXE_SCRIPT = ROOT / "frontend/node_modules/axe-core/axe.min.js"
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
# The output of Mermaid and the content of iframes are third-party markup.
RUN_AXE = """async () => {
  const context = { exclude: [['.diagram'], ['iframe']] }
  const { violations } = await axe.run(context, { resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`))
}"""


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    content = write_library(tmp_path_factory.mktemp("library"))
    with serving(tmp_path_factory.mktemp("accessibility"), "--content", str(content)) as server:
        yield server


# axe skips the contrast check of elements that another element covers: labels cover code, and the menu clips its links.
UNCOVER_CSS = "figure.code::after { content: none !important } .docs-menu > nav { overflow: visible !important }"


def violations(page: Page) -> list[str]:
    """The violations that axe finds. `evaluate` bypasses the security policy, which forbids other scripts."""
    page.add_style_tag(content=UNCOVER_CSS)
    page.evaluate(AXE_SCRIPT.read_text(encoding="utf-8"))
    result = page.evaluate(RUN_AXE)
    assert isinstance(result, list)
    return result


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", PAGES)
def test_page_has_no_accessibility_violations(open_page: OpenPage, kind: str, theme: str) -> None:
    reader = open_page(PAGES[kind], color_scheme=theme)
    reader.start_app()
    assert violations(reader.page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["everything", "tabs of old docs"])
def test_phone_layout_has_no_accessibility_violations(open_page: OpenPage, kind: str, theme: str) -> None:
    page = open_page(PAGES[kind], color_scheme=theme, viewport={"width": 375, "height": 800}, has_touch=True).page
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_docs_bar_at_medium_width_has_no_accessibility_violations(open_page: OpenPage, theme: str) -> None:
    page = open_page(PAGES["everything"], color_scheme=theme, viewport={"width": 1100, "height": 800}).page
    page.get_by_role("button", name="On this page").click()
    assert violations(page) == []

"""axe-core finds nothing to complain about: on pages of every kind, in both themes, with menus open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from tests.browser.library import write_library
from tests.serving import Server, serving

from kinfolk.settings import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page
    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

AXE = ROOT / "frontend/node_modules/axe-core/axe.min.js"
DOCS = "/query/latest/docs"
PAGES = {
    "everything": f"{DOCS}/everything",
    "panels": f"{DOCS}/panels",
    "tabs of old docs": "/query/v4/docs/framework/react/guides/tabs",
    "diagram": f"{DOCS}/diagram",
    "framework": f"{DOCS}/framework/react",
    "missing": f"{DOCS}/framework/react/guides/tab",
}
# What is drawn by Mermaid and what a video shows is not ours.
RUN = """async () => {
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


# Labels drawn over code and what is scrolled out of the menu keep axe from seeing what lies below: contrast is then
# never judged.
UNCOVER = "figure.code::after { content: none !important } .docs-menu > nav { overflow: visible !important }"


def violations(page: Page) -> list[str]:
    """What axe finds. Given to the page from outside, since its policy forbids scripts of others."""
    page.add_style_tag(content=UNCOVER)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(RUN)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", PAGES)
def test_a_page_has_no_violations(read: Open, kind: str, theme: str) -> None:
    reader = read(PAGES[kind], color_scheme=theme)
    reader.start_app()
    assert violations(reader.page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["everything", "tabs of old docs"])
def test_a_page_has_no_violations_on_a_phone(read: Open, kind: str, theme: str) -> None:
    page = read(PAGES[kind], color_scheme=theme, viewport={"width": 375, "height": 800}, has_touch=True).page
    assert violations(page) == []
    page.get_by_text("More ways to read this page").locator("..").click()
    assert violations(page) == []
    page.get_by_role("button", name="On this page").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.locator(".docs-menu summary").filter(has_text="Framework").click()
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_bar_of_a_middling_window_has_no_violations(read: Open, theme: str) -> None:
    page = read(PAGES["everything"], color_scheme=theme, viewport={"width": 1100, "height": 800}).page
    page.get_by_role("button", name="On this page").click()
    assert violations(page) == []

"""A search dialog that the tests of a file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.search.search_dialog import ANOTHER_LIBRARY, PAGE, OpenSearch, press_shortcut, search_box

SET_PATH = "(path) => history.replaceState(history.state, '', path)"


@pytest.fixture
def open_search(shared_page: OpenPage) -> Iterator[OpenSearch]:
    """Open a new search in the document that the tests share, `open_search("/blog")`. To load its files costs the most.

    The dialog knows its page by the address only, and begins a new search on a page of another library.
    """
    reader = shared_page(PAGE, reduced_motion="reduce")
    page = reader.page
    reader.interact()

    def begin(path: str = PAGE) -> Page:
        if search_box(page).count() or page.locator("dialog.search-dialog").count():
            page.evaluate(SET_PATH, ANOTHER_LIBRARY)
            press_shortcut(page)
            page.keyboard.press("Escape")
        if path != PAGE or reader.path() != PAGE:
            page.evaluate(SET_PATH, path)
        press_shortcut(page)
        return page

    yield begin
    page.unroute_all()
    page.keyboard.press("Escape")
    if reader.path() != PAGE:
        reader.visit(PAGE)
        reader.wait_for(f"location.pathname === '{PAGE}' && !location.search")

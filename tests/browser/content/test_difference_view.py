"""The difference of a page between two releases, and the mark that leads to it, in a browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import overflowing_widths
from tests.servers.serving import Server, serving
from tests.sites.released_site import make_edited_upstream, released_environment

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage

GUIDE = "/tiles/latest/docs/guide"
DIFFERENCE = "/tiles/changes/2.0.0...2.1.0/guide"


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    environment = released_environment(tmp_path_factory.mktemp("releases"), make_edited_upstream)
    with serving(
        tmp_path_factory.mktemp("difference"), environment=environment | {"KINFOLK_REFRESH_S": "300"}
    ) as server:
        wait_until_marked(f"{server.url}{GUIDE}")
        yield server


def wait_until_marked(address: str) -> None:
    """The first refresh after the start makes the marks."""
    deadline = time.monotonic() + 30
    while "page-mark" not in httpx.get(address).text and time.monotonic() < deadline:
        time.sleep(0.1)


def test_keys_lead_from_change_to_change(shared_tab: OpenPage) -> None:
    reader = shared_tab(DIFFERENCE)
    page = reader.page
    steps = page.locator(".difference-step > a")
    last = steps.count()
    steps.first.focus()
    page.keyboard.press("Enter")
    expect(steps.nth(1)).to_be_focused()
    steps.nth(last - 1).focus()
    page.keyboard.press("Enter")
    expect(steps.first).to_be_focused()
    assert violations(page) == []
    assert overflowing_widths(page, (320, 390, 768, 1280)) == []


def test_mark_of_a_page_leads_to_its_difference(shared_tab: OpenPage) -> None:
    reader = shared_tab(GUIDE)
    page = reader.page
    assert violations(page) == []
    page.get_by_role("link", name="Updated in 2.1").click()
    expect(page.get_by_text("Changes from 2.0.0 to 2.1.0. 3 blocks changed.")).to_be_visible()
    removed = page.locator(".prose .code del")
    assert removed.evaluate("element => getComputedStyle(element).textDecorationLine") == "none"
    assert reader.path() == DIFFERENCE
    assert reader.console_errors == []

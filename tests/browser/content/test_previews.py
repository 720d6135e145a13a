"""The start page of a preview and one of its pages in a browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import overflowing_widths
from tests.servers.serving import LEAN, Server, serving
from tests.sites.previewed_site import PullRequests, event, previewed_environment, signed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage

GUIDE = "# Guide\n\nA new sentence with `code`. [Nowhere](./nowhere.md)\n\n```js\nconst a = 1\n```\n"
OVERVIEW = "---\ntitle: Overview\n---\n\nOverview of the main branch. See [the guide](./guide.md).\n"


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site with a preview of pull request 7."""
    assert built
    folder = tmp_path_factory.mktemp("previews")
    environment = previewed_environment(folder)
    head = PullRequests(folder).push(7, {"docs/guide.md": GUIDE, "docs/overview.md": OVERVIEW})
    with serving(tmp_path_factory.mktemp("serving"), environment=LEAN | environment) as server:
        body = event(7, head, title="Better words " + "very" * 30)
        httpx.post(f"{server.url}/_hooks/github", content=body, headers=signed(body)).raise_for_status()
        deadline_s = time.monotonic() + 20
        while httpx.get(f"{server.url}/pr/tiles/7").status_code != 200:
            assert time.monotonic() < deadline_s, server.log
            time.sleep(0.1)
        yield server


def test_start_page_leads_to_the_changed_pages(shared_tab: OpenPage) -> None:
    reader = shared_tab("/pr/tiles/7")
    page = reader.page
    expect(page.get_by_role("heading", name="New findings 1")).to_be_visible()
    assert violations(page) == []
    assert overflowing_widths(page, (320, 390, 768, 1280)) == []
    page.get_by_role("heading", name="Guide").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1, name="Guide")).to_be_visible()
    assert reader.path() == "/pr/tiles/7/docs/guide"
    expect(page.get_by_label("Preview of a pull request")).to_contain_text("not reviewed; 2 pages changed.")
    assert violations(page) == []
    assert overflowing_widths(page, (320, 390, 768, 1280)) == []
    page.get_by_role("link", name="Changed pages").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Better words")
    assert reader.console_errors == []

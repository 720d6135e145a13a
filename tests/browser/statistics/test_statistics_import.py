"""The page of a package that is not stored: its history is requested, and appears without a reload."""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Reader
from tests.servers.npm_api import NpmApi
from tests.servers.serving import LEAN, Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def npm() -> Iterator[NpmApi]:
    with NpmApi(today=datetime.now(UTC).date()) as api:
        yield api


@pytest.fixture(scope="module")
def importing_server(built: Path, npm: NpmApi, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site that imports counts from a stand-in of npm's API."""
    assert built
    folder = tmp_path_factory.mktemp("importing")
    environment = LEAN | {
        "KINFOLK_NPM_IMPORT": "on",
        "KINFOLK_NPM_DOWNLOADS_API": npm.url,
        # The importer requests the packages of the site in between, as fast as this allows.
        "KINFOLK_NPM_INTERVAL_S": "0.02",
    }
    npm.unknown = {"no-such-package"}
    with serving(folder, environment=environment) as server:
        yield server


def open_reader(browser: Browser, server: Server, path: str) -> Reader:
    reader = Reader(browser.new_context().new_page(), server)
    reader.open(path)
    reader.interact()
    return reader


def test_a_requested_package_appears_without_a_reload(browser: Browser, importing_server: Server, npm: NpmApi) -> None:
    # A second try needs another package.
    name = f"is-odd-{token_hex(4)}"
    reader = open_reader(browser, importing_server, f"/stats/npm/{name}")
    page = reader.page
    expect(page.get_by_text(f"The downloads of {name} have not been fetched from npm yet.")).to_be_visible()
    expect(page.locator("figure path")).to_have_count(0)
    assert not any(name in path for path in npm.paths)
    page.evaluate("window.unloaded = false")
    with npm.paused():
        page.get_by_role("button", name=f"Fetch history of {name}").click()
        expect(page.get_by_text(f"The downloads of {name} are", exact=False).first).to_be_visible()
    expect(page.locator("figure path").first).to_be_visible(timeout=90_000)
    assert page.evaluate("window.unloaded") is False
    expect(page.get_by_role("rowheader")).to_have_text([name])
    page.context.close()


def test_an_unknown_package_is_reported(browser: Browser, importing_server: Server) -> None:
    reader = open_reader(browser, importing_server, "/stats/npm/no-such-package")
    page = reader.page
    page.get_by_role("button", name="Fetch history of no-such-package").click()
    expect(page.get_by_text('Package "no-such-package" not found on npm')).to_be_visible(timeout=90_000)
    expect(page.get_by_role("button", name="Fetch history")).to_have_count(0)
    page.context.close()

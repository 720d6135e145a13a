"""The browser of a test process: it stays open from one file of browser tests to the next."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

EXECUTABLES = ("chromium-headless-shell", "chromium", "google-chrome")
CHROMIUM = os.environ.get("KINFOLK_CHROMIUM") or next(filter(None, map(shutil.which, EXECUTABLES)), None)
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SUITES = frozenset(("browser", "pictures"))
"""Folders of tests that use it."""
OPEN_BROWSER = pytest.StashKey[tuple["Playwright", "Browser"]]()


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser without open pages."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: install it or set KINFOLK_CHROMIUM")
    session = request.session
    if OPEN_BROWSER in session.stash and not session.stash[OPEN_BROWSER][1].is_connected():
        close_browser(session)
    if OPEN_BROWSER not in session.stash:
        from playwright.sync_api import sync_playwright

        playwright = sync_playwright().start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        session.stash[OPEN_BROWSER] = playwright, browser
    browser = session.stash[OPEN_BROWSER][1]
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the browser before a test of another folder: Playwright's event loop occupies this thread."""
    if item.path.relative_to(item.config.rootpath).parts[1] not in SUITES:
        close_browser(item.session)


def pytest_sessionfinish(session: pytest.Session) -> None:
    close_browser(session)


def close_browser(session: pytest.Session) -> None:
    if OPEN_BROWSER in session.stash:
        playwright, browser = session.stash[OPEN_BROWSER]
        del session.stash[OPEN_BROWSER]
        browser.close()
        playwright.stop()

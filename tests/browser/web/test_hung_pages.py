"""A test whose page hangs fails, and the next one has a browser."""

from __future__ import annotations

import threading

import pytest
from playwright.sync_api import Browser, Error
from tests.browser.conftest import kill_pages
from tests.servers.serving import skip_without_proc


def test_killed_page_is_an_error_and_the_browser_goes_on(browser: Browser) -> None:
    skip_without_proc()
    context = browser.new_context()
    page = context.new_page()
    page.goto("data:text/html,<p>A page")
    threading.Timer(0.5, kill_pages).start()
    with pytest.raises(Error, match="Target crashed"):
        page.evaluate("new Promise(() => {})")
    page = context.new_page()
    page.goto("data:text/html,<p>Another page")
    assert page.inner_text("p") == "Another page"
    context.close()

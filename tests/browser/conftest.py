"""A real Chromium on a real server. Pages are found as a reader finds things: by role and by name."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright
from tests.serving import Server, serving

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
CHROMIUM = os.environ.get("KINFOLK_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
WAIT_S = 15
expect.set_options(timeout=WAIT_S * 1000)
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    with serving(tmp_path_factory.mktemp("browser")) as server:
        yield server


# One a module, not one a session: while it lives its event loop runs in this thread, and other suites need their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here: set KINFOLK_CHROMIUM or install it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


def wait_until(page: Page, claim: Callable[[], bool], what: str) -> None:
    """Until a claim is true that `expect` cannot make. What follows from an act may come a moment after it."""
    deadline = time.monotonic() + WAIT_S
    while not holds(claim):
        if time.monotonic() > deadline:
            raise AssertionError(f"never true: {what}")
        page.wait_for_timeout(20)


def holds(claim: Callable[[], bool]) -> bool:
    """Whether it is true now. Nothing is of a page that makes room for another one while it is asked."""
    try:
        return claim()
    except Error as error:
        if "Execution context was destroyed" not in error.message:
            raise
        return False


class Reader:
    """A page with a memory: what the console said and which functions were called."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.complaints: list[str] = []
        self.calls: list[str] = []
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda r: self.calls.append(r.url) if "/_server/" in r.url else None)

    def open(self, path: str) -> None:
        """Read a page as the server sent it: nothing has been touched yet."""
        self.page.goto(self.server.url + path)

    def start_app(self) -> None:
        """The first movement of a hand starts the app."""
        self.page.mouse.move(3, 3)
        self.page.mouse.move(9, 9)
        self.wait_for("window.__kinfolk?.hydrated === true")

    def wait_for(self, claim: str) -> None:
        """Until a claim is true. Asked from outside: the page's own policy forbids evaluating texts within."""
        wait_until(self.page, lambda: bool(self.page.evaluate(claim)), f"{claim}; the console said {self.complaints}")

    def path(self) -> str:
        """Where the reader is now."""
        return str(self.page.evaluate("location.pathname + location.search + location.hash"))


Open = Callable[..., Reader]


@pytest.fixture
def read(browser: Browser, server: Server) -> Iterator[Open]:
    """Open a page in a fresh browser profile: `read("/query/latest", javascript=False)`."""
    contexts: list[BrowserContext] = []

    def open_page(path: str, *, javascript: bool = True, **options: object) -> Reader:
        context = browser.new_context(java_script_enabled=javascript, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(WAIT_S * 1000)
        reader = Reader(context.new_page(), server)
        reader.open(path)
        return reader

    yield open_page
    for context in contexts:
        context.close()

"""Fixtures that run Chromium against a running server. Tests find elements by role and accessible name."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, ViewportSize, expect
from tests.servers.serving import Server, command_of, descendants, serving
from tests.sites.sample_var import SAMPLE_VAR

WAIT_S = 15
HUNG_S = 180
"""Seconds after which the pages of a test are killed."""
expect.set_options(timeout=WAIT_S * 1000)


@pytest.fixture(scope="session")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    with serving(tmp_path_factory.mktemp("browser"), var=SAMPLE_VAR.folder()) as server:
        yield server


BOOT_ENDED = "!window.__kinfolk || window.__kinfolk.bootEnded === true"


@pytest.fixture(scope="session", autouse=True)
def navigations_wait_for_boot_script() -> Iterator[None]:
    """Navigations wait for the boot script: pages load it after their first paint, often after the `load` event."""

    def waiting(navigate: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(navigate)
        def navigate_and_wait(page: Page, *arguments: object, **options: object) -> object:
            response = navigate(page, *arguments, **options)
            if "wait_until" not in options:
                wait_for(page, BOOT_ENDED, "the boot script has run or failed")
            return response

        return navigate_and_wait

    with pytest.MonkeyPatch.context() as patch:
        for name in ("goto", "reload", "go_back", "go_forward"):
            patch.setattr(Page, name, waiting(getattr(Page, name)))
        yield


@pytest.fixture(autouse=True)
def hung_pages_are_killed() -> Iterator[None]:
    """Playwright waits without limit for the result of a script. It raises an error if the page's process ends."""
    timer = threading.Timer(HUNG_S, kill_pages)
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()


def kill_pages() -> None:
    """Kill the processes of all pages that this process has opened. Their browser goes on."""
    for pid in descendants(os.getpid()):
        if b"--type=renderer" in command_of(pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def wait_until(page: Page, condition: Callable[[], bool], description: str) -> None:
    """Wait until a condition is true that `expect` cannot state."""
    deadline = time.monotonic() + WAIT_S
    # To evaluate a condition takes 4 ms of CPU time.
    pause_ms = 10.0
    while not is_true(condition):
        if time.monotonic() > deadline:
            raise AssertionError(f"never true: {description}")
        page.wait_for_timeout(pause_ms)
        pause_ms = min(1.5 * pause_ms, 50)


WAIT_IN_PAGE = """(isTrue) => new Promise((done) => {
  let left = 50
  const check = () => {
    left -= 1
    const found = Boolean(isTrue())
    if (found || left === 0) done(found)
    else scheduler.postTask(check, { delay: 10 })
  }
  check()
})"""


def wait_for(page: Page, expression: str, description: str) -> None:
    """Wait until a JavaScript expression is true. The page evaluates it: to ask it takes 4 ms of CPU time."""
    wait_until(page, lambda: bool(page.evaluate(f"({WAIT_IN_PAGE})(() => {expression})")), description)


def is_true(condition: Callable[[], bool]) -> bool:
    """Evaluate a condition. It is false if the page navigates during the evaluation."""
    try:
        return condition()
    except Error as error:
        if "Execution context was destroyed" not in error.message:
            raise
        return False


def hold_requests(page: Page, url: str) -> list[Route]:
    """Hold the next requests to a URL, and return the list of their routes."""
    held: list[Route] = []
    # Not `held.append` itself: Playwright sets attributes on a handler, which a built-in method does not allow.
    page.route(url, lambda route: held.append(route))  # noqa: PLW0108
    return held


def hold_first_request(page: Page, url: str) -> list[Route]:
    """Hold the next request to a URL, but not those after it, and return the list with its route.

    Not `page.route(url, ..., times=1)`: it ends the interception while others are intercepted, which may then hang.
    """
    held: list[Route] = []

    def hold_or_continue(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(url, hold_or_continue)
    return held


def wait_for_first_paint(page: Page) -> None:
    """Chromium drops input before the first frame of a page. Navigations without `wait_until` wait for it."""
    page.evaluate("new Promise((done) => new PerformanceObserver(done).observe({ type: 'paint', buffered: true }))")


PROMOTIONS_LOADED = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/promotions'))"
REQUEST_APP = """() => {
  const element = document.createElement('div')
  element.dataset.needsApp = ''
  document.body.append(element)
  element.dispatchEvent(new Event('pointerover', { bubbles: true }))
  element.remove()
}"""
FOLLOW_LINK = """(path) => {
  const link = document.createElement('a')
  link.href = path
  document.body.append(link)
  link.click()
  link.remove()
}"""

# Excludes diagrams and copy buttons, which scripts add after the page has loaded.
MAIN_TEXT = """(() => {
  const main = document.querySelector('main').cloneNode(true)
  for (const element of main.querySelectorAll('.mermaid, .copy')) element.remove()
  return main.textContent
})()"""
SCROLL_TO = """(top) => new Promise((resolve) => requestAnimationFrame(() => {
  addEventListener('scroll', () => resolve(), { once: true })
  scrollTo(0, top)
}))"""

LAYOUT_SHIFTS = """() => new Promise((resolve) => {
  const shifts = []
  const text = (rect) => [rect.x, rect.y, rect.width, rect.height].map((length) => length.toFixed(1)).join(' ')
  new PerformanceObserver((list) => {
    for (const { value, startTime, sources } of list.getEntries()) {
      const elements = sources.map(({ node, previousRect, currentRect }) => {
        const html = (node?.outerHTML ?? node?.nodeValue ?? 'removed').slice(0, 60)
        return `${html}: ${text(previousRect)} -> ${text(currentRect)}`
      })
      shifts.push({ value, text: `${value.toFixed(5)} after ${Math.round(startTime)} ms: ${elements.join('; ')}` })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(shifts), 300)
})"""


def layout_shifts(page: Page, limit: float = 0) -> list[str]:
    """Layout shifts of a page, if their sum is larger than a limit: value, time and elements."""
    shifts = page.evaluate(LAYOUT_SHIFTS)
    return [shift["text"] for shift in shifts] if sum(shift["value"] for shift in shifts) > limit else []


def resize(page: Page, width: int, height: int) -> None:
    """Set the size of the viewport, and wait until the page has the width."""
    page.set_viewport_size({"width": width, "height": height})
    wait_until(page, lambda: page.evaluate("innerWidth") == width, "the page has its new width")


def overflowing_widths(page: Page, widths: Iterable[int], height: int = 800) -> list[int]:
    """The widths of the viewport, in pixels, at which the page is wider."""
    found = []
    for width in widths:
        resize(page, width, height)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(width)
    return found


POLICY_VIOLATION = "Content Security Policy"
"""In what browsers write to the console."""
NO_SCRIPTS = "/robots.txt"
EMPTY_STORAGE = """() => {
  localStorage.clear()
  sessionStorage.clear()
  document.activeElement?.blur()
  scrollTo({ top: 0, behavior: 'instant' })
}"""


class SiteUrl(Protocol):
    """The URL of a site, whatever serves it."""

    @property
    def url(self) -> str: ...


class Reader:
    """A page that records console errors and warnings, calls of server functions and finished requests.

    `policy_violations` are those of all pages since the test began.
    """

    policy_violations: ClassVar[list[str]] = []

    def __init__(self, page: Page, server: SiteUrl) -> None:
        self.page = page
        self.server = server
        self.viewport: ViewportSize | None = None
        self.console_errors: list[str] = []
        self.calls: list[str] = []
        page.on("console", lambda message: self._record(message.type, message.text))
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        self.loaded_urls: list[str] = []
        page.on("request", lambda r: self.calls.append(r.url) if "/_server/" in r.url else None)
        page.on("requestfinished", lambda r: self.loaded_urls.append(r.url))

    def _record(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.console_errors.append(text)
        if POLICY_VIOLATION in text:
            self.policy_violations.append(f"{self.page.url}: {text}")

    def open(self, path: str) -> None:
        """Load a page without interacting with it."""
        self.loaded_urls.clear()
        self.page.goto(self.server.url + path)

    def forget(self) -> None:
        """Forget what was recorded."""
        for recorded in (self.console_errors, self.calls, self.loaded_urls):
            recorded.clear()

    def interact(self) -> None:
        """Load what the first interaction loads: promotions, and the app if an element of the page needs it."""

        def move_and_check() -> bool:
            # Chromium drops input before the first frame of a page.
            self.page.mouse.move(3, 3)
            self.page.mouse.move(9, 9)
            # A fake clock has no entries of resources, and a shared page was loaded before.
            loaded = any("/assets/promotions" in url for url in self.loaded_urls)
            return not needs_promotions or loaded or bool(self.page.evaluate(PROMOTIONS_LOADED))

        needs_promotions = self.page.locator(".promo, [data-consent]").count() > 0
        self.wait_until(move_and_check, "promotions are loaded")
        if self.page.locator("[data-needs-app]").count():
            self.page.locator("[data-needs-app]").first.dispatch_event("pointerover")
            self.wait_for("window.__kinfolk?.hydrated === true")

    def start_app(self) -> None:
        """Hydrate the page, even if no element needs the app."""
        self.request_app()
        self.wait_for("window.__kinfolk?.hydrated === true")

    def has_answers(self) -> bool:
        """Whether the page contains the answers for the app. Without them, the app calls functions."""
        return bool(self.page.evaluate("document.getElementById('Site-answers').textContent !== ''"))

    def request_app(self) -> None:
        """Start loading the app."""
        self.page.evaluate(REQUEST_APP)

    def visit(self, path: str) -> None:
        """Follow a link to the path."""
        self.page.evaluate(FOLLOW_LINK, path)

    def scroll_to(self, top: int) -> None:
        """Scroll the page to a position other than the current one, in pixels, and wait for the `scroll` event.

        Visits scroll the page in the frame after they changed it. The page records its position on `scroll`, which the
        browser fires a frame after `scrollY` has changed; a navigation before would lose it.
        """
        self.page.evaluate(SCROLL_TO, top)

    def layout_shifts(self) -> list[str]:
        """Layout shifts since the page was opened: value, time and elements."""
        return layout_shifts(self.page)

    def wait_for(self, expression: str) -> None:
        """Wait until a JavaScript expression is true. Evaluated by the debugger: the page's policy forbids `eval`."""
        wait_for(self.page, expression, f"{expression}; console: {self.console_errors}")

    def wait_until(self, condition: Callable[[], bool], description: str) -> None:
        """Wait until a condition of the page is true."""
        wait_until(self.page, condition, description)

    def path(self) -> str:
        """Path, query and fragment of the current URL."""
        return str(self.page.evaluate("location.pathname + location.search + location.hash"))


@pytest.fixture(autouse=True)
def pages_keep_to_their_policy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test whose pages do what their policy forbids, unless it has the mark `violates_policy`."""
    Reader.policy_violations.clear()
    yield
    if request.node.get_closest_marker("violates_policy") is None:
        assert Reader.policy_violations == []


OpenPage = Callable[..., Reader]
FAILED = pytest.StashKey[bool]()


class SharedPages:
    """Pages that the tests of a file share. To open a page takes half of the CPU time of a test."""

    def __init__(self, browser: Browser, server: SiteUrl) -> None:
        self._browser = browser
        self._server = server
        self._readers: dict[tuple[str, str], Reader] = {}

    def open(self, path: str, *, javascript: bool = True, **options: object) -> Reader:
        """The page of a path in a profile with these options. It is loaded again only after a test has left it.

        It begins at its top, with its first viewport, empty storage, no cookies and no recorded requests. What else a
        test changes or opens, it restores: other tests use the same document.
        """
        reader = self._readers.get(key := (path, repr((javascript, options))))
        if reader is None:
            reader = self._readers[key] = self._open(path, javascript=javascript, **options)
        else:
            self._restore(reader, path)
        return reader

    def close(self) -> None:
        for reader in self._readers.values():
            reader.page.context.close()
        self._readers.clear()

    def _open(self, path: str, *, javascript: bool, **options: object) -> Reader:
        context = self._browser.new_context(java_script_enabled=javascript, **options)  # type: ignore[arg-type]
        context.set_default_timeout(WAIT_S * 1000)
        reader = Reader(context.new_page(), self._server)
        reader.open(path)
        reader.viewport = reader.page.viewport_size
        return reader

    def _restore(self, reader: Reader, path: str) -> None:
        page = reader.page
        page.unroute_all()
        if reader.viewport and page.viewport_size != reader.viewport:
            page.set_viewport_size(reader.viewport)
        page.mouse.move(0, 0)
        page.context.clear_cookies()
        page.evaluate(EMPTY_STORAGE)
        if page.url != self._server.url + path:
            reader.open(path)
            # A page that is left writes to its storage.
            page.evaluate(EMPTY_STORAGE)
        reader.forget()


@pytest.fixture
def open_page(browser: Browser, server: SiteUrl) -> Iterator[OpenPage]:
    """Open a page in a fresh browser profile: `open_page("/query/latest", javascript=False)`."""
    contexts: list[BrowserContext] = []

    def open_in_new_context(path: str, *, javascript: bool = True, **options: object) -> Reader:
        context = browser.new_context(java_script_enabled=javascript, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(WAIT_S * 1000)
        reader = Reader(context.new_page(), server)
        reader.open(path)
        return reader

    yield open_in_new_context
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def pages_of_file(browser: Browser, server: SiteUrl) -> Iterator[SharedPages]:
    pages = SharedPages(browser, server)
    yield pages
    pages.close()


@pytest.fixture
def shared_page(request: pytest.FixtureRequest, pages_of_file: SharedPages) -> Iterator[OpenPage]:
    """Open a page that the tests of the file share, `shared_page("/design")`. After a failure, all are opened again."""
    yield pages_of_file.open
    if request.node.stash.get(FAILED, False):
        pages_of_file.close()


@pytest.fixture
def shared_tab(shared_page: OpenPage) -> OpenPage:
    """Load a page in a tab that the tests of the file share, `shared_tab("/blog")`, with empty storage and no cookies.

    Its process and its HTTP cache remain, which saves half of the CPU time of `open_page`. So do scripts of
    `add_init_script`. Viewports are sizes of one tab.
    """

    def load(path: str, *, viewport: ViewportSize | None = None, **options: object) -> Reader:
        reader = shared_page(NO_SCRIPTS, **options)
        if viewport:
            reader.page.set_viewport_size(viewport)
        reader.open(path)
        return reader

    return load


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report

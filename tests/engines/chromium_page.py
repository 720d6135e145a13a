"""A page in Chromium, driven by Playwright."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import ConsoleMessage, Download, Error, Locator, Page, Request, Response
from tests.engines.page import EnginePage, Seen, Target, pattern

READ = (
    "element => ({ text: element.textContent, href: element.getAttribute('href'), focused: element.matches(':focus') })"
)
ABORTED = "net::ERR_ABORTED"
"""Navigations end requests."""


class ChromiumPage(EnginePage):
    engine = "chromium"

    def __init__(self, page: Page, origin: str, *, touch: bool = False) -> None:
        super().__init__(origin)
        self.page = page
        self.touch = touch
        self._listeners: dict[str, Callable[..., None]] = {
            "console": self._check_message,
            "pageerror": self._check_error,
            "response": self._check_status,
            "requestfailed": self._check_failure,
            "download": self._check_download,
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]

    def detach(self) -> None:
        """Observe the page no longer: others use it."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def load(self, url: str) -> None:
        self.page.goto(url)

    @property
    def url(self) -> str:
        return self.page.url

    def back(self) -> None:
        self.page.go_back()

    def evaluate(self, function: str, *arguments: object) -> object:
        return self.page.evaluate(f"given => ({function})(...given)", list(arguments))

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def read(self, target: Target) -> Seen | None:
        try:
            found = self.locate(target).all()
            return Seen(**found[0].evaluate(READ, timeout=1000)) if found else None
        except Error as error:
            if "Execution context was destroyed" in error.message or "Timeout" in error.message:
                return None
            raise

    def tap(self, target: Target) -> None:
        locator = self.locate(target).first
        if self.touch:
            locator.tap()
        else:
            locator.click()

    def type(self, text: str) -> None:
        self.page.keyboard.insert_text(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def collect(self) -> None:
        self.page.wait_for_timeout(0)

    def pause(self, seconds: float) -> None:
        """Playwright handles events while it waits."""
        self.page.wait_for_timeout(1000 * seconds)

    def locate(self, target: Target) -> Locator:
        """The visible elements of a target."""
        scope: Page | Locator = self.page if target.within is None else self.locate(target.within).first
        if target.role:
            named: dict[str, Any] = {"name": target.name, "exact": isinstance(target.name, str)} if target.name else {}
            found = scope.get_by_role(target.role, **named)  # type: ignore[arg-type]
        elif target.css:
            found = scope.locator(target.css)
        else:
            found = scope.get_by_text(pattern(target.text))
        if target.text and (target.role or target.css):
            found = found.filter(has_text=pattern(target.text))
        found = found.locator("visible=true")
        return found.first.locator("..") if target.is_parent else found

    def _check_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def _check_error(self, error: Error) -> None:
        self.faults.append(str(error))

    def _check_status(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status} {response.url}")

    def _check_download(self, download: Download) -> None:
        self.downloads.append(download.suggested_filename)

    def _check_failure(self, request: Request) -> None:
        if request.failure != ABORTED:
            self.faults.append(f"{request.failure} {request.url}")

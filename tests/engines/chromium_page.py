"""A page in Chromium, driven by Playwright."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Error, Locator, Page, Request, Response
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
        page.on("console", lambda message: self._add(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._add(str(error)))
        page.on("response", self._check_status)
        page.on("requestfailed", self._check_failure)
        page.on("download", lambda download: self.downloads.append(download.suggested_filename))

    def load(self, url: str) -> None:
        self.page.goto(url)

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

    def _add(self, fault: str) -> None:
        self.faults.append(fault)

    def _check_status(self, response: Response) -> None:
        if response.status >= 400:
            self._add(f"{response.status} {response.url}")

    def _check_failure(self, request: Request) -> None:
        if request.failure != ABORTED:
            self._add(f"{request.failure} {request.url}")

"""A page in any browser engine: what tasks, the smoke test and `make browsers` do with it.

    page.open("/query/latest")
    page.tap(Target("link", "Docs", within=Target("navigation", "Site")))
    page.wait_for(Target("heading", text=re.compile("Overview")))
    page.take_faults()        # console errors and failed requests

Chromium is driven by Playwright, Firefox over WebDriver BiDi, WebKit over WebDriver. Elements are found by role and
accessible name: by Playwright, or by Testing Library in the page.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

WAIT_S = 15.0
PAUSE_S = 0.05
Text = str | re.Pattern[str]
"""All of a text, or what some part of it matches. Whitespace counts as one space."""
BOOT_ENDED = "() => !window.__kinfolk || window.__kinfolk.bootEnded === true"


@dataclass(frozen=True)
class Target:
    """The first visible element with this role and name, or this CSS selector, and this text."""

    role: str = ""
    name: Text = ""
    css: str = ""
    text: Text = ""
    within: Target | None = None
    is_parent: bool = False
    """The parent of the element that is described."""


@dataclass(frozen=True)
class Seen:
    """What a visible element has."""

    text: str
    href: str | None
    focused: bool


class EnginePage(ABC):
    """A tab of an engine. `origin` is the URL of the site, without a path."""

    engine: str
    touch = False
    """Whether `tap` is a touch."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.faults: list[str] = []
        """Messages of the console and failed requests."""
        self.downloads: list[str] = []
        """Suggested names of the files that the page has downloaded."""

    @abstractmethod
    def load(self, url: str) -> None:
        """Load a URL, and wait for its `load` event."""

    @abstractmethod
    def back(self) -> None: ...

    @abstractmethod
    def evaluate(self, function: str, *arguments: object) -> object:
        """The result of a JavaScript function, which may return a promise."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Set the size of the viewport."""

    @abstractmethod
    def read(self, target: Target) -> Seen | None: ...

    @abstractmethod
    def tap(self, target: Target) -> None:
        """Tap or click an element, as soon as it is visible and nothing covers it."""

    @abstractmethod
    def type(self, text: str) -> None: ...

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key, with modifiers before it: `Control+k`."""

    @abstractmethod
    def collect(self) -> None:
        """Read what the engine has reported until now."""

    def open(self, path: str) -> None:
        """Load a path of the site, and wait for the boot script: it loads after the first paint."""
        self.load(self.origin + path)
        self.wait_until(lambda: self.evaluate(BOOT_ENDED) is True, "the boot script has run or failed")

    @property
    def url(self) -> str:
        return str(self.evaluate("() => location.href"))

    def wait_until(self, condition: Callable[[], bool], description: str) -> None:
        deadline = time.monotonic() + WAIT_S
        while not condition():
            if time.monotonic() > deadline:
                self.collect()
                raise AssertionError(f"{self.engine}: never true: {description}; reported: {self.faults}")
            self.pause(PAUSE_S)

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    def wait_for(self, target: Target, check: Callable[[Seen], bool] = bool) -> Seen:
        """Wait until an element is visible and as expected."""
        found: list[Seen] = []

        def is_as_expected() -> bool:
            seen = self.read(target)
            if seen is None or not check(seen):
                return False
            found.append(seen)
            return True

        self.wait_until(is_as_expected, f"{target} is visible and as expected")
        return found[-1]

    def wait_for_path(self, path: str) -> None:
        """Wait for an address with this path."""
        expected = re.compile(rf"^https?://[^/]+{re.escape(path)}(\?.*)?(#.*)?$")
        self.wait_until(lambda: expected.match(self.url) is not None, f"the address is {path}")

    def take_faults(self) -> list[str]:
        """Faults since the last call."""
        self.collect()
        found = list(self.faults)
        self.faults.clear()
        return found


def pattern(text: Text) -> re.Pattern[str]:
    """The pattern that a text matches which counts as this one."""
    if isinstance(text, re.Pattern):
        return text
    words = r"\s+".join(map(re.escape, text.split()))
    return re.compile(rf"^\s*{words}\s*$")

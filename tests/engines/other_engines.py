"""The engines beside Chromium: why one cannot be used here, and how a page of it is opened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.engines import firefox_page, webkit_page
from tests.engines.page import EnginePage

OpenEnginePage = Callable[[str], AbstractContextManager[EnginePage]]

OTHER_ENGINES: dict[str, tuple[str, OpenEnginePage]] = {
    "firefox": (firefox_page.MISSING, firefox_page.firefox_page),
    "webkit": (webkit_page.MISSING, webkit_page.webkit_page),
}

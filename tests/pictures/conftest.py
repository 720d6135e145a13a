"""The browser of the pictures, and the option that accepts new ones."""

from __future__ import annotations

import pytest
from tests.browser.conftest import browser, hung_pages_are_killed, pytest_runtest_teardown

__all__ = ["browser", "hung_pages_are_killed", "pytest_runtest_teardown"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="store the pictures as the expected ones")

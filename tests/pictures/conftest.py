"""A limit of time for pages, and the option that accepts new pictures."""

from __future__ import annotations

import pytest
from tests.browser.conftest import hung_pages_are_killed

__all__ = ["hung_pages_are_killed"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="store the pictures as the expected ones")

"""What many unit tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.servers.shared_markdown_pool import shared_pool


@pytest.fixture(scope="session", autouse=True)
def shared_markdown_pool() -> Iterator[None]:
    """Checks of content and sites use one pool. Its process starts with the first job."""
    with shared_pool("kinfolk.cli.check.content_check", "kinfolk.content.open_content", "kinfolk.search.open_search"):
        yield

"""Waits for the search index of a server."""

from __future__ import annotations

import time

import httpx
import pytest
from tests.servers.serving import Server

QUERY_PATH = "/1/indexes/*/queries?x-algolia-application-id=kinfolk&x-algolia-api-key=kinfolk-search"
READY_S = 240


def wait_for_search_index(server: Server) -> None:
    """Wait until the index is built, which happens in the background after the server starts."""
    deadline = time.monotonic() + READY_S
    body = {"requests": [{"indexName": "tanstack", "query": "cache"}]}
    while httpx.post(server.url + QUERY_PATH, json=body, timeout=READY_S).status_code != 200:
        if time.monotonic() > deadline:
            pytest.fail("the search index was never ready")
        time.sleep(0.2)

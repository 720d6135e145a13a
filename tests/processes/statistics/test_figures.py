"""Figures of a site with several worker processes: one fetches them, all of them answer with them."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.servers.figure_servers import FigureServer, serve_figures
from tests.servers.serving import LEAN, serving

from kinfolk.config.catalog import Catalog

SECRET = "a secret between two"
DEADLINE_S = 60.0


@pytest.fixture
def server(catalog: Catalog) -> Iterator[FigureServer]:
    with serve_figures() as stand_in:
        for library in catalog.libraries:
            stand_in.stars[library.content_repo] = 100
            stand_in.contributors[library.content_repo] = 10
        yield stand_in


def family(url: str) -> dict[str, Any]:
    """The figures of the family, on a new connection, which may reach another worker."""
    data: dict[str, Any] = httpx.get(f"{url}/_server/figures.family").json()["data"]
    return data


def test_one_worker_fetches_and_all_workers_answer(server: FigureServer, catalog: Catalog, tmp_path: Path) -> None:
    environment = LEAN | {
        "KINFOLK_FIGURES": "on",
        "KINFOLK_GITHUB_API": server.url,
        "KINFOLK_WEBHOOK_SECRET": SECRET,
    }
    pause = {"kinfolk.statistics.figures.figure_refresh.GAP_S": 0.1}
    with serving(tmp_path, "--workers", "2", environment=environment, constants=pause) as site:
        deadline_s = time.monotonic() + DEADLINE_S
        while family(site.url)["contributorsPerRepository"] is None:
            assert time.monotonic() < deadline_s, f"the site made the requests {server.paths}"
            time.sleep(0.1)
        stars = {json.dumps(family(site.url)["stars"]) for _ in range(8)}
        assert [json.loads(one)["value"] for one in stars] == [900]
        # Requests of readers cause none to GitHub, and each figure is requested once.
        assert len(server.paths) == len(set(server.paths)) == 18
        repository = {"full_name": catalog.libraries[0].repo, "stargazers_count": 150}
        body = json.dumps({"action": "created", "repository": repository}).encode()
        signature = f"sha256={hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}"
        headers = {"x-hub-signature-256": signature, "x-github-event": "star"}
        assert httpx.post(f"{site.url}/_hooks/github", content=body, headers=headers).status_code == 202
        assert {family(site.url)["stars"]["value"] for _ in range(8)} == {950}
        assert len(server.paths) == 18

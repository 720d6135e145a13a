"""From repositories to a served site."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
from tests.servers.kinfolk_process import run_kinfolk
from tests.servers.serving import LEAN, serving
from tests.unit.cli.new.new_family import GEARS, WIDGETS, new_arguments, upstreams_with


def test_new_site_of_repositories_is_served_without_a_sync(tmp_path: Path, built: Path) -> None:
    assert built
    site = tmp_path / "acme"
    upstreams = upstreams_with(tmp_path, WIDGETS, GEARS)
    own = {name: value for name, value in os.environ.items() if not name.startswith("KINFOLK_")}
    done = run_kinfolk(*new_arguments(site, upstreams, "acme/widgets", "acme/gears"), environment=own)
    assert done.returncode == 0, done.stderr
    environment = LEAN | {
        "KINFOLK_SITE": str(site),
        "KINFOLK_MIRROR": "var/mirror",
        "KINFOLK_VAR": str(site / "var"),
        "KINFOLK_REFRESH_S": "0",
    }
    with serving(tmp_path, environment=environment) as server, httpx.Client(base_url=server.url) as client:
        home = client.get("/").text
        assert all(text in home for text in ("Widgets", "Tables for the web", "Gears for Python"))
        landing = client.get("/widgets/latest").text
        assert all(text in landing for text in ("npm i widgets", "It has no dependencies.", "example.ts"))
        assert "pip install gears" in client.get("/gears/latest").text
        for path, text in {
            "/widgets/latest/docs": 'data-callout="tip"',
            "/widgets/latest/docs/guide/more": "Text about cells.",
            "/gears/latest/docs": 'data-callout="note"',
        }.items():
            answer = client.get(path, follow_redirects=True)
            assert (answer.status_code, text in answer.text) == (200, True), path

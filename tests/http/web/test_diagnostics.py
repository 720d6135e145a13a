"""`/_diagnostics` answers only to clients that can write to `var`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from kinfolk.config.settings import Settings
from kinfolk.site.site import open_site
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.diagnostics import HEADER, PATH, diagnostic_token, token_file

pytestmark = pytest.mark.anyio


async def test_request_is_described_only_with_a_fresh_token(settings: Settings, tmp_path: Path) -> None:
    app = SiteApp(open_site(replace(settings, var=tmp_path)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        with diagnostic_token(tmp_path) as token:
            answer = await client.get(PATH, headers={HEADER: token, "x-forwarded-for": "203.0.113.7, x" * 200})
            report = answer.json()
            assert answer.headers["cache-control"] == "no-store"
            assert report["headers"]["host"] == "kinfolk.test"
            assert len(report["headers"]["x-forwarded-for"]) <= 500
            os.utime(token_file(tmp_path, token), (0, 0))
            assert (await client.get(PATH, headers={HEADER: token})).status_code == 404
        for wrong in (token, "0" * 64, "../../etc/passwd", ""):
            assert (await client.get(PATH, headers={HEADER: wrong})).status_code == 404
            assert (await client.get(f"{PATH}/stream", headers={HEADER: wrong})).status_code == 404

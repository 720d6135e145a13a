"""Responses to requests for assets of this build, of a former one, and of an unknown one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from kinfolk.config.settings import Settings
from kinfolk.web.endpoints.files.asset_store import AssetStore
from kinfolk.web.endpoints.files.static_files import BuildFiles


def get(files: BuildFiles, path: str) -> Response:
    headers = [(b"accept-encoding", b"br"), (b"host", b"kinfolk.test")]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
    return asyncio.run(files.respond(Request(scope)))


def test_asset_of_a_former_build_has_the_headers_of_a_current_one(settings: Settings, tmp_path: Path) -> None:
    for build in ("old", "new"):
        assets = tmp_path / build / "client" / "assets"
        assets.mkdir(parents=True)
        for suffix in ("", ".br"):
            (assets / f"app-{build}.js{suffix}").write_text(f"{build}{suffix}")
    AssetStore(tmp_path / "var" / "assets", tmp_path / "old" / "client" / "assets", builds=3).store()
    files = BuildFiles(replace(settings, frontend=tmp_path / "new", var=tmp_path / "var", asset_builds=3))
    former, current = (get(files, f"/assets/app-{build}.js") for build in ("old", "new"))
    assert (former.body, current.body) == (b"old.br", b"new.br")
    assert former.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert {**former.headers, "content-length": ""} == {**current.headers, "content-length": ""}
    unknown = get(files, "/assets/app-newest.js")
    assert (unknown.status_code, unknown.headers["cache-control"]) == (404, "no-store")

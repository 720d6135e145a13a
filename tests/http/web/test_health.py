"""`/healthz` and `/readyz`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from kinfolk.config.settings import Settings
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.endpoints.health import Health

pytestmark = pytest.mark.anyio


class ReadyIsolates:
    """A pool whose isolates have started."""

    ready = 1


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_healthz_needs_no_service(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/healthz")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text == ('{"status":"ok"}' if method == "GET" else "")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_health_accepts_get_and_head_only(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.post(path, content=b"{}")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


async def test_not_ready_without_isolates(client: httpx.AsyncClient) -> None:
    answer = await client.get("/readyz")
    report = answer.json()
    assert (answer.status_code, report["status"]) == (503, "unavailable")
    assert report["docs"]["ready"]
    assert report["isolates"]["ready"] == 0


async def test_ready_if_search_is_off(settings: Settings, built: Path) -> None:
    app = create_app(replace(settings, renderers=2))
    async with (
        app.running(),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client,
    ):
        answer = await client.get("/readyz")
    report = answer.json()
    assert (answer.status_code, report["status"]) == (200, "ok")
    assert report["isolates"] == {"ready": 2, "size": 2}
    assert report["search"] == {"on": False, "ready": False, "age_s": None}


def test_pages_are_served_while_the_first_index_is_built(settings: Settings, tmp_path: Path) -> None:
    health = Health(open_site(replace(settings, search=True, var=tmp_path)), Supervisor())
    health.pool = ReadyIsolates()  # type: ignore[assignment]
    report = health.readiness()
    assert report["status"] == "ok"
    assert report["search"] == {"on": True, "ready": False, "age_s": None}


async def test_not_ready_while_there_are_no_docs(settings: Settings, tmp_path: Path) -> None:
    empty = replace(settings, mirror=tmp_path / "mirror", content=tmp_path / "repos", refresh_s=300)
    report = Health(open_site(empty), Supervisor()).readiness()
    docs = {"ready": False, "reason": "no docs have been fetched yet", "branches": 0, "age_s": None}
    assert (report["status"], report["docs"]) == ("unavailable", docs)


@pytest.mark.parametrize(
    ("refresh_s", "mirror", "reason"),
    [
        (0, "mirror", "the mirror is empty, and KINFOLK_REFRESH_S is 0: run kinfolk sync"),
        (300, "mirror", None),
        (0, None, None),
    ],
)
def test_replica_with_an_empty_mirror_is_not_ready(
    site: Site, tmp_path: Path, refresh_s: float, mirror: str | None, reason: str | None
) -> None:
    settings = replace(site.settings, refresh_s=refresh_s, mirror=tmp_path / mirror if mirror else None)
    docs = Health(replace(site, settings=settings), Supervisor()).readiness()["docs"]
    assert isinstance(docs, dict)
    assert (docs["ready"], docs["reason"]) == (reason is None, reason)


async def test_service_error_shows_its_type_only(site: Site) -> None:
    app = SiteApp(site)

    def fail() -> None:
        raise OSError(28, "No space left on device", "/secret/place")

    app.supervisor.start("sync", fail, stop=lambda: None)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        while not (service := (await client.get("/readyz")).json()["services"][0])["last_error"]:
            pass
    app.supervisor.stop(within_s=10)
    assert service["name"] == "sync"
    assert service["last_error"] == "OSError"

"""A site on the bundled docs, requested in this process over ASGI."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import httpx
import pytest
from starlette import routing
from tests.servers.shared_markdown_pool import shared_pool

from kinfolk.accounts.account import VerifiedIdentity
from kinfolk.accounts.open_accounts import open_accounts
from kinfolk.accounts.secret_tokens import SecretKey
from kinfolk.config.settings import Settings
from kinfolk.content.open_content import open_sponsors
from kinfolk.db.database import Database, utc_now
from kinfolk.maintenance.feedback_store import FeedbackStore
from kinfolk.maintenance.open_maintenance import open_overrides
from kinfolk.site.site import Site, open_site, upgrade_database
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.files import static_files

ORIGIN = "http://kinfolk.test"
static_files_below = static_files._files_below
Fetch = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def shared_markdown_pool() -> Iterator[None]:
    """All sites of these tests use one pool: most tests open a site."""
    with shared_pool(
        "kinfolk.content.open_content",
        "kinfolk.search.open_search",
        "kinfolk.cli.check.content_check",
        "kinfolk.cli.dev.dev_app",
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def reused_parts_of_applications() -> Iterator[None]:
    """Most tests make an application. Its routes and its list of built files are the same each time: 6 ms of CPU."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing, "compile_path", functools.cache(routing.compile_path))
        patch.setattr(static_files, "_files_below", functools.cache(lambda root: tuple(static_files_below(root))))
        yield


@pytest.fixture(scope="session")
def site(settings: Settings) -> Site:
    site = open_site(settings)
    upgrade_database(site.database, settings)
    return site


@pytest.fixture
async def client(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a site without a renderer, which functions, files and webhooks do not need."""
    transport = httpx.ASGITransport(SiteApp(site))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def fetch(client: httpx.AsyncClient) -> Fetch:
    """Call an API function as the browser does."""

    async def call(id: str, data: object = None) -> httpx.Response:
        payload = json.dumps({"data": data, "context": {}})
        return await client.get(f"/_server/{id}", params={"createServerFn": "", "payload": payload})

    return call


@pytest.fixture
def settings_with_maintainer(settings: Settings) -> Settings:
    return dataclasses.replace(settings, maintainers=("grace@example.com",))


@pytest.fixture
def site_with_accounts(site: Site, database: Database, settings_with_maintainer: Settings) -> Site:
    sponsors = open_sponsors(settings_with_maintainer, site.catalog, site.content.partner_marks)
    return dataclasses.replace(
        site,
        content=dataclasses.replace(site.content, sponsors=sponsors),
        maintenance=dataclasses.replace(
            site.maintenance,
            overrides=open_overrides(database, sponsors),
            feedback=FeedbackStore(database, SecretKey("secret"), now=utc_now),
        ),
        settings=settings_with_maintainer,
        database=database,
        accounts=open_accounts(settings_with_maintainer, site.catalog, database),
    )


@pytest.fixture
async def open_as(site_with_accounts: Site) -> AsyncIterator[Callable[[str], httpx.AsyncClient]]:
    """Makes a client that is signed in with an address; signed out for an empty one."""
    app = SiteApp(site_with_accounts)
    opened = []

    def open_client(email: str) -> httpx.AsyncClient:
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN, headers={"origin": ORIGIN})
        if email:
            identity = VerifiedIdentity("email", email, email, email)
            token = site_with_accounts.accounts.begin_session(identity, device="Firefox")
            client.cookies.set("session", token, domain="kinfolk.test")
        opened.append(client)
        return client

    yield open_client
    for client in opened:
        await client.aclose()

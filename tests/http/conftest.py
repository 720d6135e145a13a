"""A site on the bundled docs, requested in this process over ASGI."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest

from kinfolk.accounts.account import VerifiedIdentity
from kinfolk.db.database import Database
from kinfolk.feedback.feedback_store import FeedbackStore
from kinfolk.markdown.jobs import MarkdownFile
from kinfolk.markdown.messages import Message
from kinfolk.markdown.process_pool import MarkdownProcessPool
from kinfolk.npm.importer import utc_now
from kinfolk.secret_tokens import SecretKey
from kinfolk.settings import Settings
from kinfolk.site import Site, open_accounts, open_overrides, open_site, open_sponsors, upgrade_database
from kinfolk.web.app import SiteApp

ORIGIN = "http://kinfolk.test"
Fetch = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


class SharedMarkdownPool(MarkdownProcessPool):
    """A pool that outlives the sites that use it. It keeps the results of texts that depend on nothing else.

    Each site renders the posts of the sample site, which takes 0.2 s.
    """

    def __init__(self) -> None:
        super().__init__()
        self._results: dict[tuple[object, ...], Any] = {}

    def close(self) -> None:
        pass

    def _run(self, kind: str, read: Callable[[Message], Any], source: MarkdownFile, *options: Any) -> Any:
        framework, links = (*options, None, None)[:2]
        key = (kind, source.text, framework, self.first_framework, repr(source.place))
        if links is not None:
            return super()._run(kind, read, source, *options)
        if key not in self._results:
            reads: list[str] = []

            def read_target(path: str) -> str:
                reads.append(path)
                return source.read_target(path)

            result = super()._run(kind, read, dataclasses.replace(source, read_target=read_target), *options)
            if reads:
                return result
            self._results[key] = result
        return self._results[key]


@pytest.fixture(scope="session", autouse=True)
def shared_markdown_pool() -> Iterator[None]:
    """All sites of these tests use one pool: starting its process takes 0.1 s, and most tests open a site."""
    pool = SharedMarkdownPool()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kinfolk.site.MarkdownProcessPool", lambda: pool)
        yield
    MarkdownProcessPool.close(pool)


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
    sponsors = open_sponsors(settings_with_maintainer, site.catalog, site.partner_marks)
    return dataclasses.replace(
        site,
        sponsors=sponsors,
        overrides=open_overrides(database, sponsors),
        settings=settings_with_maintainer,
        database=database,
        accounts=open_accounts(settings_with_maintainer, site.catalog, database),
        feedback=FeedbackStore(database, SecretKey("secret"), now=utc_now),
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

"""A site with `accounts = false`: it has no sign-in, no dashboard and nothing that only they show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from tests.sites.other_sites import MINIMAL, write_site
from tests.sites.sample_site import read_settings

from kinfolk.accounts.account import VerifiedIdentity
from kinfolk.cli.check.content_check import check_served_content
from kinfolk.cli.main import main
from kinfolk.config.catalog import load_catalog
from kinfolk.config.settings import Settings
from kinfolk.runtime.errors import Invalid
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.processes.server import check_site

pytestmark = pytest.mark.anyio
USAGE = "/widgets/latest/docs/usage"
ORIGIN = "https://docs.acme.example"
"""A public address: the site has no secret, and mail is set up."""
READ = ("/", "/widgets/latest", USAGE, f"{USAGE}.md", "/search?q=call", "/sitemap.xml", "/llms.txt", "/nothing")
NAMES = ("Sign in", "/login", "/dashboard", "Dashboard", "/auth/", "/feedback")
MISSING = (
    "/login",
    "/login/code",
    "/login/confirm",
    "/dashboard",
    "/dashboard/account",
    "/dashboard/promotions",
    "/auth/outbox",
    "/auth/export",
    "/auth/link/abc",
    "/feedback",
)


def settings_of(folder: Path, keys: str = "accounts = false\n") -> Settings:
    site = write_site(folder / "site", {**MINIMAL, "kinfolk.toml": MINIMAL["kinfolk.toml"] + keys})
    off = dict.fromkeys(
        ("MIRROR", "HIGHLIGHT", "SEARCH", "NPM_IMPORT", "LINK_CHECK", "FIGURES", "RELEASE_NOTES"), "off"
    )
    mail = {"SMTP": "smtp://mail.acme.example", "MAIL_FROM": "docs@acme.example"}
    own = {**off, **mail, "SITE": str(site), "VAR": str(folder / "var"), "ORIGIN": ORIGIN}
    return read_settings({f"KINFOLK_{name}": value for name, value in own.items()})


@pytest.fixture(scope="module")
async def served(
    built: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[SiteApp, httpx.AsyncClient]]:
    assert built
    app = create_app(settings_of(tmp_path_factory.mktemp("site")))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.running())
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN, headers={"origin": ORIGIN})
        yield app, await stack.enter_async_context(client)


async def test_no_response_names_a_page_of_accounts(served: tuple[SiteApp, httpx.AsyncClient]) -> None:
    for path in READ:
        text = (await served[1].get(path)).text
        found = [
            word for word in ("Sign in", "/login", "/dashboard", "Dashboard", "/auth/", "/feedback") if word in text
        ]
        assert (path, found, "<ul></ul>" in text or '"site-links"' in text) == (path, [], False)


async def test_addresses_of_accounts_are_missing_pages(served: tuple[SiteApp, httpx.AsyncClient]) -> None:
    for path in MISSING:
        got = await served[1].get(path)
        assert (path, got.status_code, 'id="Site-menu"' in got.text) == (path, 404, True)
    for path in ("/auth/email", "/auth/sign-out", "/feedback"):
        assert (await served[1].post(path, data={"address": "ada@acme.example"})).status_code == 404


async def test_what_works_in_the_browser_stays(served: tuple[SiteApp, httpx.AsyncClient]) -> None:
    html = (await served[1].get(USAGE)).text
    assert "data-bookmark=" in html
    assert 'data-notes="local"' in html


async def test_session_of_an_earlier_time_has_no_account(served: tuple[SiteApp, httpx.AsyncClient]) -> None:
    accounts = served[0].site.accounts
    identity = VerifiedIdentity("email", "ada@acme.example", "ada@acme.example", "Ada")
    token = await asyncio.to_thread(accounts.begin_session, identity, device="Firefox")
    assert accounts.sessions.account(token) is not None
    assert accounts.account(token) is None


def test_public_site_needs_a_secret_only_for_accounts(tmp_path: Path) -> None:
    check_site(settings_of(tmp_path))
    with pytest.raises(Invalid, match=r"KINFOLK_SECRET must be set.*openssl rand.*accounts = false"):
        check_site(settings_of(tmp_path, ""))


def test_link_to_a_page_of_accounts_leads_nowhere(tmp_path: Path) -> None:
    link = '\n[[footer]]\nlabel = "Saved"\nto = "/dashboard"\n'
    settings = settings_of(tmp_path, f"accounts = false\n{link}")
    (settings.site / "docs/usage.md").write_text("See [your dashboard](/dashboard/account).\n")
    reasons = [fault.reason for fault in check_served_content(settings).faults]
    # A menu leaves out a part that the site does not have.
    assert reasons == ["the link /dashboard/account leads nowhere"]


def test_new_site_has_no_accounts(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["new", str(tmp_path / "acme"), "--name", "Acme"]).exit_code == 0
    assert not load_catalog(tmp_path / "acme").accounts

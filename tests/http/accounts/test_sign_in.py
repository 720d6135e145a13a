"""Sign-in over HTTP: mail, GitHub, Google, sessions; and what attackers try."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import func, select
from tests.servers.oauth_provider import CLIENT_ID, CLIENT_SECRET, Fault, OAuthProviderServer

from kinfolk.accounts.accounts import Accounts
from kinfolk.accounts.oauth import OAuthProvider, github, google
from kinfolk.accounts.outgoing_mail import MailQueue, MailSender, MailServer
from kinfolk.accounts.saved_items import SavedItems
from kinfolk.accounts.secret_tokens import SecretKey
from kinfolk.accounts.sessions import LIFETIME as SESSION_LIFETIME
from kinfolk.accounts.sessions import MEMBERSHIP, Sessions
from kinfolk.accounts.sign_in_attempts import LIFETIME, MOST_WRONG_CODES, PER_CLIENT, PER_EMAIL, PER_EMAIL_AND_CLIENT
from kinfolk.db.database import Database
from kinfolk.db.tables import metadata, outgoing_mail, sessions, users
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio
ORIGIN = "https://kinfolk.test"
SAME_ORIGIN = {"origin": ORIGIN}


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 23, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone

    def __call__(self) -> datetime:
        return self.now

    def pass_time(self, time: timedelta) -> None:
        self.now += time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider() -> Iterator[OAuthProviderServer]:
    with OAuthProviderServer() as server:
        yield server


def oauth_providers(server: OAuthProviderServer, *, organization: str = "") -> list[OAuthProvider]:
    return [
        github(CLIENT_ID, CLIENT_SECRET, site=server.url, api=server.url, organization=organization),
        google(
            CLIENT_ID,
            CLIENT_SECRET,
            authorize_url=f"{server.url}/login/oauth/authorize",
            token_url=f"{server.url}/token",
            user_url=f"{server.url}/userinfo",
        ),
    ]


@pytest.fixture
def sign_in_site(site: Site, database: Database, clock: Clock, provider: OAuthProviderServer) -> Site:
    """The site at a public address, with a database of its own of each kind."""
    settings = dataclasses.replace(site.settings, origin=ORIGIN, maintainers=("grace@example.com",))
    mail = MailQueue(database, now=clock)
    # The sender is not started: the tests read the queue.
    sender = MailSender(mail, MailServer("127.0.0.1", 1, "", "", implicit_tls=False, sender=""), database, now=clock)
    accounts = Accounts(
        database,
        SecretKey("0123456789abcdef0123456789abcdef"),
        Sessions(database, maintainers=settings.maintainers, now=clock),
        SavedItems(database),
        providers=oauth_providers(provider, organization="TanStack"),
        mail=mail,
        sender=sender,
        family="TanStack",
        origin=ORIGIN,
        now=clock,
    )
    found = dataclasses.replace(site, settings=settings, accounts=accounts, database=database)
    assert isinstance(found, Site)
    return found


Browser = httpx.AsyncClient
NewBrowser = Callable[..., Browser]


@pytest.fixture
async def new_browser(sign_in_site: Site) -> Any:
    """Makes clients with cookies of their own."""
    app = SiteApp(sign_in_site)
    opened: list[Browser] = []

    def open_browser(address: str = "203.0.113.7") -> Browser:
        transport = httpx.ASGITransport(app, client=(address, 50_000))
        browser = httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers={"user-agent": FIREFOX})
        opened.append(browser)
        return browser

    yield open_browser
    for browser in opened:
        await browser.aclose()


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def browser(new_browser: NewBrowser) -> Browser:
    return new_browser()


async def post(browser: Browser, path: str, headers: dict[str, str] = SAME_ORIGIN, **form: str) -> httpx.Response:
    return await browser.post(path, data=form, headers=headers)


def location(response: httpx.Response) -> str:
    assert response.status_code == 303, response.text
    assert response.headers["cache-control"] == "no-store"
    return response.headers["location"]


def mails(site: Site) -> list[tuple[str, str, str]]:
    """Recipient, code and link of each mail, the oldest first."""
    with site.database.reading() as connection:
        rows = connection.execute(select(outgoing_mail).order_by(outgoing_mail.c.id)).all()
    found = []
    for row in rows:
        code, link = re.search(r"\d{4} \d{4}", row.text), re.search(rf"{ORIGIN}(/auth/link/\S+)", row.text)
        assert code is not None
        assert link is not None
        found.append((row.recipient, code[0], link[1]))
    return found


async def sign_in(browser: Browser, site: Site, email: str = "ada@example.com") -> None:
    await post(browser, "/auth/email", email=email)
    assert location(await post(browser, "/auth/code", code=mails(site)[-1][1])) == "/dashboard"


async def signed_in_as(browser: Browser) -> str | None:
    answer = (await browser.get("/_server/dashboard.load")).json()
    account = answer["data"]["account"]
    return str(account["email"]) if account else None


def count(site: Site, table: Any) -> int:
    with site.database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


# Mail


async def test_code_of_the_mail_signs_in(browser: Browser, sign_in_site: Site) -> None:
    answer = await post(browser, "/auth/email", email=" Ada@Example.com ", next="/query/latest")
    assert location(answer) == "/login/code"
    ((recipient, code, _),) = mails(sign_in_site)
    assert recipient == "ada@example.com"
    assert location(await post(browser, "/auth/code", code=code)) == "/query/latest"
    assert await signed_in_as(browser) == "ada@example.com"


async def test_link_of_the_mail_signs_in_after_a_confirmation(browser: Browser, sign_in_site: Site) -> None:
    await post(browser, "/auth/email", email="ada@example.com", next="/blog")
    ((_, _, link),) = mails(sign_in_site)
    opened = await browser.get(link)
    assert location(opened) == "/login/confirm"
    assert opened.headers["referrer-policy"] == "no-referrer"
    assert await signed_in_as(browser) is None
    assert location(await post(browser, "/auth/link")) == "/blog"
    assert await signed_in_as(browser) == "ada@example.com"


async def test_link_in_another_browser_requires_the_code(new_browser: NewBrowser, sign_in_site: Site) -> None:
    desktop, phone = new_browser(), new_browser()
    await post(desktop, "/auth/email", email="ada@example.com")
    ((_, code, link),) = mails(sign_in_site)
    await phone.get(link)
    assert location(await post(phone, "/auth/link")) == "/login/code?error=other-browser"
    assert await signed_in_as(phone) is None
    assert location(await post(phone, "/auth/code", code=code)) == "/dashboard"
    assert await signed_in_as(phone) == "ada@example.com"


async def test_link_that_was_used_is_refused(new_browser: NewBrowser, sign_in_site: Site) -> None:
    browser = new_browser()
    await post(browser, "/auth/email", email="ada@example.com")
    ((_, code, link),) = mails(sign_in_site)
    tokens = dict(browser.cookies)
    await browser.get(link)
    await post(browser, "/auth/link")
    thief = new_browser()
    thief.cookies.update(tokens)
    await thief.get(link)
    assert location(await post(thief, "/auth/link")) == "/login/confirm?error=expired"
    assert location(await post(thief, "/auth/code", code=code)) == "/login/code?error=expired"
    assert await signed_in_as(thief) is None


async def test_expired_code_and_link_are_refused(browser: Browser, sign_in_site: Site, clock: Clock) -> None:
    await post(browser, "/auth/email", email="ada@example.com")
    ((_, code, link),) = mails(sign_in_site)
    clock.pass_time(LIFETIME)
    assert location(await post(browser, "/auth/code", code=code)) == "/login/code?error=expired"
    await browser.get(link)
    assert location(await post(browser, "/auth/link")) == "/login/confirm?error=expired"


async def test_codes_cannot_be_guessed(browser: Browser, sign_in_site: Site) -> None:
    await post(browser, "/auth/email", email="ada@example.com")
    ((_, code, _),) = mails(sign_in_site)
    wrong = "00000000" if code != "0000 0000" else "11111111"
    for _ in range(MOST_WRONG_CODES):
        assert location(await post(browser, "/auth/code", code=wrong)) == "/login/code?error=code"
    assert location(await post(browser, "/auth/code", code=code)) == "/login/code?error=expired"


async def test_parallel_requests_do_not_allow_more_codes(browser: Browser, sign_in_site: Site) -> None:
    await post(browser, "/auth/email", email="ada@example.com")
    answers = await asyncio.gather(*(post(browser, "/auth/code", code=f"{n:08}") for n in range(30)))
    tried = [location(answer) for answer in answers].count("/login/code?error=code")
    assert tried <= MOST_WRONG_CODES


async def test_code_of_another_browser_is_refused(new_browser: NewBrowser, sign_in_site: Site) -> None:
    victim, thief = new_browser(), new_browser()
    await post(victim, "/auth/email", email="ada@example.com")
    await post(thief, "/auth/email", email="mallory@example.com")
    code = mails(sign_in_site)[0][1]
    assert location(await post(thief, "/auth/code", code=code)) == "/login/code?error=code"
    assert location(await post(new_browser(), "/auth/code", code=code)) == "/login/code?error=expired"


async def test_answers_do_not_show_which_accounts_exist(new_browser: NewBrowser, sign_in_site: Site) -> None:
    await sign_in(new_browser(), sign_in_site)
    answers = [await post(new_browser(), "/auth/email", email=f"{name}@example.com") for name in ("ada", "nobody")]

    def shape(answer: httpx.Response) -> tuple[object, ...]:
        cookies = re.sub(r"=[\w-]{43}", "=token", str(answer.headers.get_list("set-cookie")))
        # A deleted cookie expires in the second of the answer.
        cookies = re.sub(r"expires=[\w, :]+ GMT", "expires=now", cookies)
        return answer.status_code, answer.headers["location"], cookies, answer.text

    assert shape(answers[0]) == shape(answers[1])
    assert count(sign_in_site, users) == 1


async def test_mail_to_one_address_is_limited_without_a_different_answer(
    new_browser: NewBrowser, sign_in_site: Site, clock: Clock
) -> None:
    answers = {location(await post(new_browser(), "/auth/email", email="ada@example.com")) for _ in range(8)}
    assert answers == {"/login/code"}
    assert len(mails(sign_in_site)) == PER_EMAIL_AND_CLIENT
    for number in range(40):
        await post(new_browser(f"198.51.100.{number}"), "/auth/email", email="ada@example.com")
    assert len(mails(sign_in_site)) == PER_EMAIL
    clock.pass_time(timedelta(hours=1))
    await sign_in(new_browser(), sign_in_site)


async def test_client_that_begins_too_many_sign_ins_is_refused(new_browser: NewBrowser, clock: Clock) -> None:
    clock.pass_time(timedelta(days=1))
    for number in range(PER_CLIENT):
        assert location(await post(new_browser(), "/auth/email", email=f"a{number}@example.com")) == "/login/code"
    assert location(await post(new_browser(), "/auth/email", email="b@example.com")) == "/login?error=limit"
    assert location(await post(new_browser("198.51.100.1"), "/auth/email", email="b@example.com")) == "/login/code"
    # A clock that is set back does not extend the refusal.
    clock.pass_time(timedelta(days=-1))
    assert location(await post(new_browser(), "/auth/email", email="b@example.com")) == "/login/code"


WRONG_ADDRESSES = [
    "", "ada", "ada@", "@example.com", "ada@example.com, bob@example.com", "ada@example.com\nBcc: x@example.com",
    "a" * 300 + "@example.com", "ada@[127.0.0.1]", "ada@localhost", "<ada@example.com>", "\0@example.com",
]  # fmt: skip


async def test_wrong_addresses_are_refused(new_browser: NewBrowser, sign_in_site: Site) -> None:
    answers = {
        email: location(await post(new_browser(f"198.51.100.{number}"), "/auth/email", email=email))
        for number, email in enumerate(WRONG_ADDRESSES)
    }
    assert answers == dict.fromkeys(WRONG_ADDRESSES, "/login?error=address")
    assert mails(sign_in_site) == []


async def test_program_that_fills_in_the_hidden_field_causes_no_mail(browser: Browser, sign_in_site: Site) -> None:
    answer = await post(browser, "/auth/email", email="ada@example.com", website="https://spam.example")
    assert location(answer) == "/login/code"
    assert mails(sign_in_site) == []


NO_RETURN_ADDRESSES = [
    "https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "javascript:alert(1)",
    "/%0d%0aset-cookie:a=b\r\n", "dashboard", "/auth/sign-out", "/" + "a" * 3000, "/ünïcode",
]  # fmt: skip


async def test_other_sites_are_no_return_address(new_browser: NewBrowser, sign_in_site: Site) -> None:
    found = {}
    for number, address in enumerate(NO_RETURN_ADDRESSES):
        browser = new_browser(f"198.51.100.{number}")
        await post(browser, "/auth/email", email=f"ada{number}@example.com", next=address)
        found[address] = location(await post(browser, "/auth/code", code=mails(sign_in_site)[-1][1]))
    assert found == dict.fromkeys(NO_RETURN_ADDRESSES, "/dashboard")


# Sessions


async def test_session_cookie_is_bound_to_the_host(browser: Browser, sign_in_site: Site) -> None:
    await post(browser, "/auth/email", email="ada@example.com")
    answer = await post(browser, "/auth/code", code=mails(sign_in_site)[0][1])
    (cookie,) = [each for each in answer.headers.get_list("set-cookie") if each.startswith("__Host-session=")]
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


async def test_session_of_an_attacker_is_not_used_after_a_sign_in(browser: Browser, sign_in_site: Site) -> None:
    planted = "planted-by-somebody-else"
    browser.cookies.set("__Host-session", planted, domain="kinfolk.test")
    await sign_in(browser, sign_in_site)
    assert browser.cookies.get("__Host-session") != planted
    assert sign_in_site.accounts.account(planted) is None


async def test_second_sign_in_replaces_the_session(browser: Browser, sign_in_site: Site) -> None:
    await sign_in(browser, sign_in_site)
    former = browser.cookies["__Host-session"]
    await sign_in(browser, sign_in_site)
    assert sign_in_site.accounts.account(former) is None
    assert count(sign_in_site, sessions) == 1


async def test_database_has_no_token(browser: Browser, sign_in_site: Site) -> None:
    await sign_in(browser, sign_in_site)
    await post(browser, "/auth/email", email="ada@example.com")
    tokens = {value for name, value in browser.cookies.items() if len(value) > 20}
    code = mails(sign_in_site)[-1][1].replace(" ", "")
    with sign_in_site.database.reading() as connection:
        for table in metadata.tables.values():
            # Mail contains the code until it is sent.
            if table is not outgoing_mail:
                text = str(connection.execute(select(table)).all())
                assert not any(token in text for token in (*tokens, code))


async def test_session_expires(browser: Browser, sign_in_site: Site, clock: Clock) -> None:
    await sign_in(browser, sign_in_site)
    clock.pass_time(SESSION_LIFETIME)
    assert await signed_in_as(browser) is None


async def test_sign_out_ends_the_session(browser: Browser, sign_in_site: Site) -> None:
    await sign_in(browser, sign_in_site)
    stolen = browser.cookies["__Host-session"]
    assert location(await post(browser, "/auth/sign-out")) == "/"
    assert "__Host-session" not in browser.cookies
    assert sign_in_site.accounts.account(stolen) is None


async def call(browser: Browser, id: str, data: object, headers: dict[str, str] = SAME_ORIGIN) -> httpx.Response:
    return await browser.post(f"/_server/{id}", json={"data": data, "context": {}}, headers=headers)


async def test_sessions_are_listed_and_ended(new_browser: NewBrowser, sign_in_site: Site) -> None:
    here, there = new_browser(), new_browser()
    await sign_in(here, sign_in_site)
    await sign_in(there, sign_in_site)
    account = (await here.get("/_server/dashboard.load")).json()["data"]["account"]
    assert [each["device"] for each in account["sessions"]] == ["Firefox on Linux"] * 2
    (other,) = [each["id"] for each in account["sessions"] if not each["isCurrent"]]
    assert (await call(here, "sessions.end", {"ids": [other]})).json()["data"] == 1
    assert await signed_in_as(there) is None
    assert await signed_in_as(here) == "ada@example.com"


async def test_reader_cannot_end_sessions_of_others(new_browser: NewBrowser, sign_in_site: Site) -> None:
    ada, mallory = new_browser(), new_browser()
    await sign_in(ada, sign_in_site)
    await sign_in(mallory, sign_in_site, "mallory@example.com")
    account = (await ada.get("/_server/dashboard.load")).json()["data"]["account"]
    ids = [each["id"] for each in account["sessions"]]
    assert (await call(mallory, "sessions.end", {"ids": ids})).json()["data"] == 0
    assert (await call(mallory, "sessions.end", {"ids": None})).json()["data"] == 0
    assert await signed_in_as(ada) == "ada@example.com"


# Requests of other sites


FOREIGN = [
    {},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "https://kinfolk.test.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
]
"""Headers of requests that pages of other sites send, or programs."""


async def test_forms_of_other_sites_are_refused(browser: Browser, sign_in_site: Site) -> None:
    await sign_in(browser, sign_in_site)
    for path in ("/auth/email", "/auth/code", "/auth/link", "/auth/github", "/auth/sign-out"):
        for headers in FOREIGN:
            answer = await post(browser, path, headers, email="ada@example.com", code="12345678")
            assert (path, headers, answer.status_code) == (path, headers, 403)
            assert "set-cookie" not in answer.headers
    assert await signed_in_as(browser) == "ada@example.com"


async def test_functions_refuse_other_sites(browser: Browser, sign_in_site: Site) -> None:
    await sign_in(browser, sign_in_site)
    functions = {
        "account.delete": {"confirmation": "ada@example.com"},
        "sessions.end": {"ids": None},
        "account.exchange": {"changes": [], "since": 0},
        "account.publish": {"key": "a", "public": True},
    }
    for id, data in functions.items():
        for headers in FOREIGN:
            assert (id, headers, (await call(browser, id, data, headers)).status_code) == (id, headers, 403)
        assert (await browser.get(f"/_server/{id}")).status_code == 405
    assert await signed_in_as(browser) == "ada@example.com"


# OAuth


async def begin_oauth(browser: Browser, provider: str = "github", next: str = "") -> str:
    return location(await post(browser, f"/auth/{provider}", next=next))


@contextmanager
def nothing_created(site: Site) -> Iterator[None]:
    before = count(site, users), count(site, sessions)
    yield
    assert (count(site, users), count(site, sessions)) == before


@pytest.mark.parametrize("name", ["github", "google"])
async def test_provider_signs_in(browser: Browser, provider: OAuthProviderServer, name: str) -> None:
    address = await begin_oauth(browser, name, "/query/latest")
    assert location(await browser.get(provider.approve(address))) == "/query/latest"
    assert await signed_in_as(browser) == "ada@example.com"


async def test_github_is_asked_for_addresses_only(
    browser: Browser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    accounts = sign_in_site.accounts
    (plain, _) = oauth_providers(provider)
    address = plain.authorization_address(state="s", verifier="v" * 43, redirect_uri=f"{ORIGIN}/auth/github/callback")
    provider.approve(address)
    provider.approve(await begin_oauth(browser))
    assert provider.scopes == ["user:email", "user:email read:org"]
    assert accounts.providers["github"].scope == "user:email read:org"


async def test_access_token_is_not_stored(browser: Browser, sign_in_site: Site, provider: OAuthProviderServer) -> None:
    await browser.get(provider.approve(await begin_oauth(browser)))
    (token,) = provider.tokens
    with sign_in_site.database.reading() as connection:
        assert not any(token in str(connection.execute(select(table)).all()) for table in metadata.tables.values())


async def test_same_address_is_the_same_account(
    new_browser: NewBrowser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    await sign_in(new_browser(), sign_in_site)
    for name in ("github", "google"):
        browser = new_browser()
        await browser.get(provider.approve(await begin_oauth(browser, name)))
    assert count(sign_in_site, users) == 1


UNVERIFIED: tuple[object, ...] = (
    [],
    [{"email": "ada@example.com", "primary": True, "verified": False}],
    [{"email": "ada@example.com", "primary": False, "verified": True}],
    [{"email": "ada@example.com", "primary": True, "verified": "yes"}],
    [{"email": ["ada@example.com"], "primary": True, "verified": True}],
    {"message": "Not Found"},
    ["ada@example.com"],
)
"""Answers of GitHub about the addresses of an account."""


async def test_unverified_address_takes_over_no_account(
    new_browser: NewBrowser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    await sign_in(new_browser(), sign_in_site)
    for number, emails in enumerate(UNVERIFIED):
        provider.emails = emails
        thief = new_browser(f"198.51.100.{number}")
        with nothing_created(sign_in_site):
            answer = await thief.get(provider.approve(await begin_oauth(thief)))
        assert (emails, location(answer)) == (emails, "/login?error=email")
        assert (emails, await signed_in_as(thief)) == (emails, None)


async def test_unverified_address_of_google_is_refused(
    browser: Browser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    provider.google_user["email_verified"] = "false"
    with nothing_created(sign_in_site):
        answer = await browser.get(provider.approve(await begin_oauth(browser, "google")))
    assert location(answer) == "/login?error=email"


async def test_stolen_callback_address_is_useless(
    new_browser: NewBrowser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    victim, thief = new_browser(), new_browser()
    callback = provider.approve(await begin_oauth(victim))
    await begin_oauth(thief)
    with nothing_created(sign_in_site):
        assert location(await thief.get(callback)) == "/login?error=state"
        assert location(await new_browser().get(callback)) == "/login?error=state"
    assert location(await victim.get(callback)) == "/dashboard"


async def test_attacker_cannot_sign_a_victim_in_to_another_account(
    new_browser: NewBrowser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    """The attacker's callback address in the victim's browser: refused, because the state is bound to a cookie."""
    attacker, victim = new_browser(), new_browser()
    callback = provider.approve(await begin_oauth(attacker))
    with nothing_created(sign_in_site):
        assert location(await victim.get(callback)) == "/login?error=state"


async def test_callback_works_once(browser: Browser, sign_in_site: Site, provider: OAuthProviderServer) -> None:
    callback = provider.approve(await begin_oauth(browser))
    attempt = dict(browser.cookies)
    await browser.get(callback)
    browser.cookies.update(attempt)
    with nothing_created(sign_in_site):
        assert location(await browser.get(callback)) == "/login?error=expired"


async def test_expired_state_is_refused(
    browser: Browser, sign_in_site: Site, provider: OAuthProviderServer, clock: Clock
) -> None:
    callback = provider.approve(await begin_oauth(browser))
    clock.pass_time(LIFETIME)
    assert location(await browser.get(callback)) == "/login?error=expired"


async def test_state_of_one_provider_is_not_valid_for_another(
    browser: Browser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    callback = provider.approve(await begin_oauth(browser, "github"))
    with nothing_created(sign_in_site):
        assert location(await browser.get(callback.replace("/github/", "/google/"))) == "/login?error=expired"


async def test_code_of_another_sign_in_is_refused_by_its_verifier(
    new_browser: NewBrowser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    """A code that leaked, with the attacker's own state: the provider compares the PKCE verifier."""
    victim, thief = new_browser(), new_browser()
    leaked = parse_qs(urlsplit(provider.approve(await begin_oauth(victim))).query)["code"][0]
    own = urlsplit(provider.approve(await begin_oauth(thief)))
    state = parse_qs(own.query)["state"][0]
    with nothing_created(sign_in_site):
        answer = await thief.get(own.path, params={"code": leaked, "state": state})
    assert location(answer) == "/login?error=provider"


async def test_reader_who_declines_is_not_signed_in(browser: Browser, provider: OAuthProviderServer) -> None:
    callback = urlsplit(provider.approve(await begin_oauth(browser)))
    state = parse_qs(callback.query)["state"][0]
    answer = await browser.get(callback.path, params={"error": "access_denied", "state": state})
    assert location(answer) == "/login?error=denied"


PROVIDER_FAULTS: tuple[Fault, ...] = ("server-error", "html", "endless", "list", "no-token", "cut")


async def test_provider_that_misbehaves_is_an_error_with_a_way_on(
    new_browser: NewBrowser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    for number, fault in enumerate(PROVIDER_FAULTS):
        browser = new_browser(f"198.51.100.{number}")
        provider.fault = None
        callback = provider.approve(await begin_oauth(browser))
        provider.fault = fault
        with nothing_created(sign_in_site):
            assert (fault, location(await browser.get(callback))) == (fault, "/login?error=provider")


WITHOUT_AN_ID: tuple[object, ...] = (None, [], {}, {"id": "1", "login": "ada"}, {"id": True, "login": "ada"}, {"id": 1})


async def test_account_without_an_id_is_refused(
    new_browser: NewBrowser, sign_in_site: Site, provider: OAuthProviderServer
) -> None:
    for number, user in enumerate(WITHOUT_AN_ID):
        provider.user = user
        browser = new_browser(f"198.51.100.{number}")
        with nothing_created(sign_in_site):
            answer = await browser.get(provider.approve(await begin_oauth(browser)))
        assert (user, location(answer)) == (user, "/login?error=provider")


# Roles


async def role(browser: Browser) -> str:
    found: str = (await browser.get("/_server/dashboard.load")).json()["data"]["account"]["role"]
    return found


async def test_addresses_of_the_settings_are_maintainers(new_browser: NewBrowser, sign_in_site: Site) -> None:
    grace, ada = new_browser(), new_browser()
    await sign_in(grace, sign_in_site, "Grace@example.com")
    await sign_in(ada, sign_in_site)
    assert (await role(grace), await role(ada)) == ("maintainer", "visitor")


async def test_members_of_the_organization_are_maintainers_for_a_week(
    browser: Browser, provider: OAuthProviderServer, clock: Clock
) -> None:
    provider.memberships["TanStack"] = "active"
    await browser.get(provider.approve(await begin_oauth(browser)))
    assert await role(browser) == "maintainer"
    clock.pass_time(MEMBERSHIP)
    assert await role(browser) == "visitor"


@pytest.mark.parametrize("state", ["pending", "removed"])
async def test_former_members_are_visitors(browser: Browser, provider: OAuthProviderServer, state: str) -> None:
    provider.memberships["TanStack"] = "active"
    await browser.get(provider.approve(await begin_oauth(browser)))
    provider.memberships["TanStack"] = state
    await browser.get(provider.approve(await begin_oauth(browser)))
    assert await role(browser) == "visitor"


# Pages and files


async def test_cached_functions_do_not_depend_on_the_session(browser: Browser, sign_in_site: Site) -> None:
    before = await browser.get("/_server/site.shell")
    await sign_in(browser, sign_in_site)
    after = await browser.get("/_server/site.shell")
    assert (before.content, before.headers["etag"]) == (after.content, after.headers["etag"])
    assert "set-cookie" not in after.headers


async def test_outbox_is_not_public(browser: Browser) -> None:
    assert (await browser.get("/auth/outbox")).status_code == 404


async def test_export_requires_a_session(browser: Browser, sign_in_site: Site) -> None:
    assert location(await browser.get("/auth/export")) == "/login?next=%2Fdashboard"
    await sign_in(browser, sign_in_site)
    exported = await browser.get("/auth/export")
    assert exported.headers["content-disposition"] == 'attachment; filename="account.json"'
    content = exported.json()
    assert content["account"]["email"] == "ada@example.com"
    assert [event["action"] for event in content["events"]] == ["sign-in", "account-created"]


async def test_database_outage_is_an_error_with_a_way_on(browser: Browser, sign_in_site: Site, tmp_path: Path) -> None:
    sign_in_site.database.refusal = "The database is away"
    answer = await post(browser, "/auth/email", email="ada@example.com")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    assert "Sign-in is not available right now." in answer.text
    # `/auth/email` takes POST only.
    assert '<a href="/login">Try Again</a>' in answer.text
    assert f"<code>{answer.headers['x-request-id']}</code>" in answer.text
    browser.cookies.set("__Host-session", "x" * 43, domain="kinfolk.test")
    assert (await browser.get("/_server/dashboard.load")).status_code == 503


async def test_huge_forms_are_refused(browser: Browser) -> None:
    assert (await post(browser, "/auth/email", email="a" * 10_000)).status_code == 413


async def test_public_comparison_redirects_to_its_query(browser: Browser, sign_in_site: Site) -> None:
    await sign_in(browser, sign_in_site)
    value = json.dumps({"name": "Mine", "query": "range=30-days&packageGroups=%5B%7B%22a%22%7D%5D"})
    change = {"kind": "comparison", "key": "c", "value": value, "changedMs": 1}
    answer = (await call(browser, "account.exchange", {"changes": [change], "since": 0, "owner": None})).json()["data"]
    assert [item["key"] for item in answer["exchange"]["items"]] == ["c"]
    slug = (await call(browser, "account.publish", {"key": "c", "public": True})).json()["data"]
    found = await browser.get(f"/stats/npm/saved/{slug}")
    assert found.status_code == 307
    assert found.headers["location"] == "/stats/npm?range=30-days&packageGroups=%5B%7B%22a%22%7D%5D"
    assert found.headers["cache-control"] == "no-store"
    await call(browser, "account.publish", {"key": "c", "public": False})
    gone = await browser.get(f"/stats/npm/saved/{slug}")
    assert (gone.status_code, "is not public" in gone.text) == (404, True)


@pytest.mark.parametrize("slug", ["x", "a" * 500, "%00", "..%2f", "a/b", "'; DROP TABLE users; --"])
async def test_wrong_public_addresses_are_not_found(browser: Browser, slug: str) -> None:
    assert (await browser.get(f"/stats/npm/saved/{slug}")).status_code in (400, 404)


async def test_items_of_another_account_are_not_taken_over(new_browser: NewBrowser, sign_in_site: Site) -> None:
    """The next reader at a browser that still holds the items of the one before."""
    ada, grace = new_browser(), new_browser()
    await sign_in(ada, sign_in_site)
    await sign_in(grace, sign_in_site, "grace@example.com")
    change = {"kind": "preference", "key": "theme", "value": '{"value":"dark"}', "changedMs": 1}
    request = {"changes": [change], "since": 0, "owner": None}
    owner = (await call(ada, "account.exchange", request)).json()["data"]["owner"]
    answer = (await call(grace, "account.exchange", {**request, "owner": owner, "since": 1})).json()["data"]
    assert answer["owner"] != owner
    assert (answer["exchange"]["complete"], answer["exchange"]["items"]) == (True, [])


async def test_account_is_deleted_after_a_confirmation(browser: Browser, sign_in_site: Site) -> None:
    await sign_in(browser, sign_in_site)
    refused = await call(browser, "account.delete", {"confirmation": "mallory@example.com"})
    assert refused.status_code == 403
    assert count(sign_in_site, users) == 1
    assert (await call(browser, "account.delete", {"confirmation": " Ada@Example.com "})).status_code == 200
    assert count(sign_in_site, users) == 0
    assert await signed_in_as(browser) is None


@pytest.mark.parametrize("id", ["account.exchange", "account.publish", "account.delete", "sessions.end"])
async def test_functions_of_accounts_require_a_session(browser: Browser, id: str) -> None:
    data = {
        "account.exchange": {"changes": [], "since": 0},
        "account.publish": {"key": "c", "public": True},
        "account.delete": {"confirmation": "a"},
        "sessions.end": {},
    }
    browser.cookies.set("__Host-session", "x" * 43, domain="kinfolk.test")
    assert (await call(browser, id, data[id])).status_code == 401

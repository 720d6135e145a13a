"""`/auth/`: sign-in by mail, GitHub and Google, and sign-out. Forms without JavaScript; each answer is a redirect.

    POST /auth/email              address          -> mail with a code and a link       -> /login/code
    POST /auth/code               code             -> session
    GET  /auth/link/{token}       link of the mail -> cookie, nothing is used up yet    -> /login/confirm
    POST /auth/link               its button       -> session
    POST /auth/{provider}         button           -> the provider's page
    GET  /auth/{provider}/callback                 -> session
    POST /auth/sign-out
    GET  /auth/export             everything about the account, as a file
    GET  /auth/outbox             the mail that is not sent, in development

A mail scanner opens links, so the link of a mail only leads to a page with a button.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from html import escape
from typing import cast
from urllib.parse import urlencode

import structlog
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from kinfolk.accounts.account import Provider
from kinfolk.accounts.account_export import export_account
from kinfolk.accounts.accounts import LINK, Accounts, SignedIn, safe_return_address
from kinfolk.accounts.device import device_name
from kinfolk.accounts.secret_tokens import LONGEST_TOKEN
from kinfolk.accounts.sign_in_attempts import SignInFailed
from kinfolk.config.base_path import BasePath
from kinfolk.config.settings import is_development
from kinfolk.rendering.content_security_policy import source_hash
from kinfolk.runtime.errors import Invalid, NotFound, SiteError, Unavailable
from kinfolk.site.site import Site
from kinfolk.web.endpoints.accounts.session_cookie import SessionCookies
from kinfolk.web.endpoints.pages.page_responses import unavailable_response
from kinfolk.web.protocol.client_address import request_client
from kinfolk.web.protocol.client_limits import read_body
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import parse_form
from kinfolk.web.same_origin import check_same_origin, host_name, is_loopback

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PREFIX = "/auth/"
LOGIN, CODE, CONFIRM = "/login", "/login/code", "/login/confirm"
MAX_FORM_BYTES = 8 << 10
MAX_OAUTH = 32
"""Sign-ins that wait for a provider at the same time in one process."""
HEADERS = {"cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex"}
OUTBOX_STYLE = (
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}pre{white-space:pre-wrap}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#9cf}}"
)
OUTBOX_POLICY = (
    f"default-src 'none'; style-src '{source_hash(OUTBOX_STYLE)}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

Endpoint = Callable[[Request], Awaitable[Response]]

UNAVAILABLE = "Sign-in is not available right now. Try again in a minute. The docs work without it."


class SignInEndpoints:
    """The routes below `/auth/`."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._accounts: Accounts = site.accounts
        self.cookies = SessionCookies(site.settings)
        self._waiting_for_provider = asyncio.Semaphore(MAX_OAUTH)

    def routes(self) -> list[Route]:
        return [
            self._form("email", self._begin_email, LOGIN),
            self._form("code", self._confirm_code, CODE),
            self._form("link", self._confirm_link, CONFIRM),
            self._form("sign-out", self._sign_out, "/"),
            Route(f"{LINK}{{token}}", self._open_link, methods=["GET"]),
            Route(f"{PREFIX}export", self._export, methods=["GET"]),
            Route(f"{PREFIX}outbox", self._outbox, methods=["GET"]),
            *(self._form(provider, self._begin_oauth, LOGIN) for provider in self._accounts.providers),
            *(
                Route(f"{PREFIX}{provider}/callback", self._finish_oauth, methods=["GET"], name=provider)
                for provider in self._accounts.providers
            ),
        ]

    def _form(self, name: str, answer: Callable[[Request, FormData], Awaitable[Response]], page: str) -> Route:
        """The route of a form. A failure leads back to its page, with a reason that the page explains."""

        async def respond(request: Request) -> Response:
            try:
                check_same_origin(request, self._site.settings, strict=True)
                body = await read_body(request, MAX_FORM_BYTES)
                form = await parse_form(request, body)
            except SiteError as failure:
                log_refusal("sign-in", failure.code)
                return PlainTextResponse(failure.message, failure.status, headers=HEADERS)
            try:
                return await answer(request, form)
            except SignInFailed as failed:
                log_refusal("sign-in", failed.failure)
                return _redirect(page, error=failed.failure, next=_text(form, "next"))
            except Invalid:
                return _redirect(page, error="address", next=_text(form, "next"))
            except Unavailable as failure:
                log.warning("sign-in failed", reason=failure.message)
                return self._unavailable()
            except SiteError as failure:
                log.warning("sign-in failed", reason=failure.message)
                return _redirect(page, error="unavailable", next=_text(form, "next"))

        return Route(PREFIX + name, respond, methods=["POST"], name=name)

    def _unavailable(self) -> Response:
        """A page that needs neither the database nor the renderer."""
        base = BasePath.of(self._site.settings.origin)
        return unavailable_response(UNAVAILABLE, base, retry=base.add(LOGIN))

    async def _begin_email(self, request: Request, form: FormData) -> Response:
        if not self._site.sign_in_by_mail:
            raise NotFound("Sign-in by email is not set up")
        # Readers do not see this field; programs that fill in every field do.
        if _text(form, "website"):
            return _redirect(CODE)
        token = await asyncio.to_thread(
            self._accounts.begin_email,
            _text(form, "email"),
            client=request_client(request, self._site.settings),
            return_to=_text(form, "next"),
        )
        response = _redirect(CODE)
        self.cookies.begin_attempt(response, token)
        return response

    async def _confirm_code(self, request: Request, form: FormData) -> Response:
        signed_in = await asyncio.to_thread(
            self._accounts.confirm_code,
            _text(form, "code")[:32],
            browser_token=request.cookies.get(self.cookies.attempt, ""),
            link_token=request.cookies.get(self.cookies.link, ""),
            device=_device(request),
        )
        return await self._begin_session(request, signed_in)

    async def _open_link(self, request: Request) -> Response:
        response = _redirect(CONFIRM)
        self.cookies.open_link(response, request.path_params["token"][:LONGEST_TOKEN])
        return response

    async def _confirm_link(self, request: Request, form: FormData) -> Response:
        del form  # the tokens are in cookies
        try:
            signed_in = await asyncio.to_thread(
                self._accounts.confirm_link,
                link_token=request.cookies.get(self.cookies.link, ""),
                browser_token=request.cookies.get(self.cookies.attempt, ""),
                device=_device(request),
            )
        except SignInFailed as failed:
            if failed.failure == "other-browser":
                return _redirect(CODE, error=failed.failure)
            raise
        return await self._begin_session(request, signed_in)

    async def _begin_oauth(self, request: Request, form: FormData) -> Response:
        token, address = await asyncio.to_thread(
            self._accounts.begin_oauth,
            _provider(request),
            client=request_client(request, self._site.settings),
            return_to=_text(form, "next"),
        )
        response = RedirectResponse(address, 303, headers=HEADERS)
        self.cookies.begin_attempt(response, token)
        return response

    async def _finish_oauth(self, request: Request) -> Response:
        provider = _provider(request)
        browser_token = request.cookies.get(self.cookies.attempt, "")
        parameters = request.query_params
        try:
            return_to = await asyncio.to_thread(
                self._accounts.use_oauth_state,
                provider,
                browser_token=browser_token,
                state=parameters.get("state", "")[:128],
            )
            code = parameters.get("code", "")
            if not code or "error" in parameters:
                raise SignInFailed("denied")
            if self._waiting_for_provider.locked():
                raise SignInFailed("limit")
            async with self._waiting_for_provider:
                identity = await self._accounts.identity(provider, browser_token=browser_token, code=code[:1024])
            token = await asyncio.to_thread(self._accounts.begin_session, identity, device=_device(request))
        except SignInFailed as failed:
            log_refusal("sign-in", failed.failure)
            return _redirect(LOGIN, error=failed.failure)
        except Unavailable as failure:
            log.warning("sign-in failed", reason=failure.message)
            return self._unavailable()
        except SiteError as failure:
            log.warning("sign-in failed", reason=failure.message)
            return _redirect(LOGIN, error="unavailable")
        return await self._begin_session(request, SignedIn(token, return_to))

    async def _begin_session(self, request: Request, signed_in: SignedIn) -> Response:
        """Set the new session. A former one of this browser ends."""
        former = self.cookies.session_token(request.cookies)
        if former:
            await asyncio.to_thread(self._accounts.sessions.end, former)
        response = _redirect(safe_return_address(signed_in.return_to))
        self.cookies.begin_session(response, signed_in.token)
        return response

    async def _sign_out(self, request: Request, form: FormData) -> Response:
        del form  # it has no fields
        await asyncio.to_thread(self._accounts.sessions.end, self.cookies.session_token(request.cookies))
        response = _redirect("/")
        self.cookies.end_session(response)
        return response

    async def _export(self, request: Request) -> Response:
        account = await asyncio.to_thread(self._accounts.account, self.cookies.session_token(request.cookies))
        if account is None:
            return _redirect(LOGIN, next="/dashboard")
        try:
            content = await asyncio.to_thread(export_account, self._accounts, account)
        except SiteError as failure:
            return PlainTextResponse(failure.message, failure.status, headers=HEADERS)
        disposition = {"content-disposition": 'attachment; filename="account.json"'}
        return Response(content, media_type="application/json", headers={**HEADERS, **disposition})

    async def _outbox(self, request: Request) -> Response:
        """The mail that would be sent. Only on a loopback address without a mail server."""
        # Another site's host may lead to a loopback address, too.
        is_local = is_loopback(host_name(request.headers.get("host", "")))
        if self._accounts.sender is not None or not is_development(self._site.settings) or not is_local:
            return PlainTextResponse("Not Found", 404, headers=HEADERS)
        waiting = await asyncio.to_thread(self._accounts.mail.waiting)
        mails = "".join(
            f"<h2>{escape(mail.subject)}</h2><p>To {escape(mail.recipient)}</p><pre>{escape(mail.text)}</pre>"
            for mail in waiting
        )
        page = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>Outbox</title><style>{OUTBOX_STYLE}</style><h1>Outbox</h1>"
            "<p>No mail server is set up, so this site sends no mail. In development, it is"
            f" shown here.</p>{mails or '<p>There is no mail.</p>'}</html>"
        )
        return HTMLResponse(page, headers={**HEADERS, "content-security-policy": OUTBOX_POLICY})


def _redirect(path: str, **query: str) -> Response:
    given = {name: value for name, value in query.items() if value}
    if "next" in given:
        given["next"] = safe_return_address(given["next"])
    return RedirectResponse(path + (f"?{urlencode(given)}" if given else ""), 303, headers=HEADERS)


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def _device(request: Request) -> str:
    return device_name(request.headers.get("user-agent", "")[:1024])


def _provider(request: Request) -> Provider:
    """The provider of a route, which exists only for the ones that are set up."""
    name = request.url.path.removeprefix(PREFIX).partition("/")[0]
    return cast(Provider, name)

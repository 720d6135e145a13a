"""Sign-in with GitHub and Google: OAuth 2 with state and PKCE, by Authlib.

The access token is used for the requests below and then dropped. Nothing of it is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
import structlog

from kinfolk.accounts.account import Provider, VerifiedIdentity, normalized_email, printable_name
from kinfolk.accounts.sign_in_attempts import SignInFailed
from kinfolk.config.settings import Settings
from kinfolk.db.tables import EMAIL_LENGTH
from kinfolk.runtime.errors import Invalid
from kinfolk.runtime.upstream.outbound_http import LimitedTransport
from kinfolk.runtime.upstream.pinned_transport import oauth_transport

if TYPE_CHECKING:
    from authlib.integrations.httpx_client import AsyncOAuth2Client

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

TIMEOUT_S = 10.0
"""Seconds for all requests of one sign-in together: the reader waits for them."""
MAX_BYTES = 256 << 10
"""Bytes of a response. An account with 100 addresses has 10 kB of them."""

Read = Callable[["AsyncOAuth2Client"], Awaitable[VerifiedIdentity]]


@dataclass(frozen=True)
class OAuthProvider:
    """A provider. `read` requests the identity from the server of `user_url`, with a client that has the token."""

    id: Provider
    name: str
    client_id: str
    client_secret: str
    authorize_url: str
    token_url: str
    user_url: str
    scope: str
    read: Read

    @property
    def origin(self) -> str:
        url = httpx2.URL(self.authorize_url)
        return f"{url.scheme}://{url.netloc.decode('ascii')}"

    def authorization_address(self, *, state: str, verifier: str, redirect_uri: str) -> str:
        """The address of the provider's page that asks the reader."""
        client = self._client(redirect_uri)
        address, _ = client.create_authorization_url(self.authorize_url, state=state, code_verifier=verifier)
        return str(address)

    async def identity(self, *, code: str, verifier: str, redirect_uri: str) -> VerifiedIdentity:
        """The identity of the reader whom the provider sent back with this code. Raises SignInFailed."""
        from authlib.common.errors import AuthlibBaseError

        try:
            async with asyncio.timeout(TIMEOUT_S), self._client(redirect_uri) as client:
                await client.fetch_token(self.token_url, code=code, code_verifier=verifier)
                return await self.read(client)
        except SignInFailed:
            raise
        except (AuthlibBaseError, httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError, KeyError) as failure:
            # Not the message: it may contain the code.
            log.warning("sign-in provider failed", provider=self.id, reason=type(failure).__name__)
            raise SignInFailed("provider") from failure

    def _client(self, redirect_uri: str) -> AsyncOAuth2Client:
        # Imported here, because the import takes 0.1 s and most sites have no provider.
        from authlib.integrations.httpx_client import AsyncOAuth2Client

        return AsyncOAuth2Client(
            self.client_id,
            self.client_secret,
            scope=self.scope,
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
            transport=LimitedTransport(oauth_transport(self.token_url, self.user_url), limit=MAX_BYTES),
            timeout=TIMEOUT_S,
            follow_redirects=False,
            headers={"accept": "application/json", "user-agent": "kinfolk"},
        )


def github(client_id: str, client_secret: str, *, site: str, api: str, organization: str) -> OAuthProvider:
    """GitHub. With an organization, its members are maintainers, which needs permission to read memberships."""

    async def read(client: AsyncOAuth2Client) -> VerifiedIdentity:
        user = _object(await _get(client, f"{api}/user"))
        id, login = user["id"], user["login"]
        if not isinstance(id, int) or isinstance(id, bool) or not isinstance(login, str):
            raise ValueError("GitHub's answer names no account")  # noqa: TRY004 - like all wrong answers
        email = _primary_address(await _get(client, f"{api}/user/emails"))
        is_member = bool(organization) and await _is_member(client, f"{api}/user/memberships/orgs/{organization}")
        name = printable_name(str(user.get("name") or login))
        return VerifiedIdentity("github", str(id), printable_name(login), email, name, is_member)

    return OAuthProvider(
        id="github",
        name="GitHub",
        client_id=client_id,
        client_secret=client_secret,
        authorize_url=f"{site}/login/oauth/authorize",
        token_url=f"{site}/login/oauth/access_token",
        user_url=f"{api}/user",
        scope="user:email read:org" if organization else "user:email",
        read=read,
    )


GOOGLE_AUTHORIZE = "https://accounts.google.com/o/oauth2/v2/auth"
GOOGLE_TOKEN = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
GOOGLE_USER = "https://openidconnect.googleapis.com/v1/userinfo"


def google(
    client_id: str,
    client_secret: str,
    *,
    authorize_url: str = GOOGLE_AUTHORIZE,
    token_url: str = GOOGLE_TOKEN,
    user_url: str = GOOGLE_USER,
) -> OAuthProvider:
    """Google, by OpenID Connect's user information."""

    async def read(client: AsyncOAuth2Client) -> VerifiedIdentity:
        user = _object(await _get(client, user_url))
        subject, email = user["sub"], user.get("email")
        if not isinstance(subject, str) or not 0 < len(subject) <= EMAIL_LENGTH:
            raise ValueError("Google's answer names no account")
        verified = _address(email) if user.get("email_verified") is True else None
        if verified is None:
            raise SignInFailed("email")
        return VerifiedIdentity("google", subject, verified, verified, printable_name(str(user.get("name") or "")))

    return OAuthProvider(
        id="google",
        name="Google",
        client_id=client_id,
        client_secret=client_secret,
        authorize_url=authorize_url,
        token_url=token_url,
        user_url=user_url,
        scope="openid email profile",
        read=read,
    )


async def _get(client: AsyncOAuth2Client, address: str) -> Any:
    response = await client.get(address)
    response.raise_for_status()
    return response.json()


async def _is_member(client: AsyncOAuth2Client, address: str) -> bool:
    response = await client.get(address)
    if response.status_code in (403, 404):
        return False
    response.raise_for_status()
    return _object(response.json()).get("state") == "active"


def _object(answer: Any) -> Mapping[str, Any]:
    if not isinstance(answer, dict):
        raise ValueError("The provider's answer is no object")  # noqa: TRY004 - like all wrong answers
    return answer


def _primary_address(answer: Any) -> str:
    """The verified primary address. Raises SignInFailed without one: an account needs an address of its owner."""
    entries: Sequence[Any] = answer if isinstance(answer, list) else []
    for entry in entries:
        if isinstance(entry, dict) and entry.get("primary") is True and entry.get("verified") is True:
            address = _address(entry.get("email"))
            if address is not None:
                return address
    raise SignInFailed("email")


def _address(given: object) -> str | None:
    try:
        return normalized_email(given) if isinstance(given, str) else None
    except Invalid:
        return None


def configured_providers(settings: Settings) -> tuple[OAuthProvider, ...]:
    """The providers whose client id is set."""
    found = []
    if settings.github_oauth_id:
        found.append(
            github(
                settings.github_oauth_id,
                settings.github_oauth_secret,
                site=settings.github_site,
                api=settings.github_api.rstrip("/"),
                organization=settings.maintainer_organization,
            )
        )
    if settings.google_oauth_id:
        found.append(google(settings.google_oauth_id, settings.google_oauth_secret))
    return tuple(found)

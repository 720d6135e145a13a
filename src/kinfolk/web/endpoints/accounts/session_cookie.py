"""The cookies of sign-in and sessions."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from kinfolk.accounts.sessions import LIFETIME
from kinfolk.accounts.sign_in_attempts import LIFETIME as SIGN_IN_LIFETIME
from kinfolk.config.base_path import BasePath
from kinfolk.config.settings import Settings

SIGNED_IN = "signed-in"
"""A cookie that scripts may read: whether there is a session. Cached pages do not depend on it."""


class SessionCookies:
    """Names and attributes. `__Host-` binds a cookie to this host and to HTTPS (RFC 6265bis, 4.1.3.2).

    Such a cookie must be valid on the whole host: below a base path, `__Secure-` binds it to HTTPS.
    """

    def __init__(self, settings: Settings) -> None:
        self._secure = settings.origin.startswith("https://")
        prefix = ("__Secure-" if BasePath.of(settings.origin) else "__Host-") if self._secure else ""
        self.session = f"{prefix}session"
        self.attempt = f"{prefix}sign-in"
        self.link = f"{prefix}sign-in-link"

    def session_token(self, cookies: Mapping[str, str]) -> str:
        return cookies.get(self.session, "")

    def begin_session(self, response: Response, token: str) -> None:
        """Set the session, and drop what the sign-in needed."""
        seconds = int(LIFETIME.total_seconds())
        self._set(response, self.session, token, seconds)
        response.set_cookie(SIGNED_IN, "1", max_age=seconds, secure=self._secure, samesite="lax")
        self._delete(response, self.attempt)
        self._delete(response, self.link)

    def end_session(self, response: Response) -> None:
        self._delete(response, self.session)
        response.delete_cookie(SIGNED_IN, secure=self._secure, samesite="lax")

    def begin_attempt(self, response: Response, token: str) -> None:
        self._set(response, self.attempt, token, int(SIGN_IN_LIFETIME.total_seconds()))
        self._delete(response, self.link)

    def open_link(self, response: Response, token: str) -> None:
        self._set(response, self.link, token, int(SIGN_IN_LIFETIME.total_seconds()))

    def _set(self, response: Response, name: str, value: str, seconds: int) -> None:
        response.set_cookie(name, value, max_age=seconds, httponly=True, secure=self._secure, samesite="lax")

    def _delete(self, response: Response, name: str) -> None:
        response.delete_cookie(name, httponly=True, secure=self._secure, samesite="lax")

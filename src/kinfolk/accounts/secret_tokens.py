"""Random tokens, and digests with the site's secret.

Tokens are in cookies and links, the database has their digests: who reads the database can use none of them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

TOKEN_BYTES = 32
LONGEST_TOKEN = 64
"""Characters: a longer one is none of ours."""


def new_token() -> str:
    """43 characters that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_id() -> str:
    """16 characters that name something in an address or a list. Not a secret."""
    return secrets.token_urlsafe(12)


def new_code(digits: int) -> str:
    return str(secrets.randbelow(10**digits)).zfill(digits)


def token_digest(token: str) -> str:
    """SHA-256. A token is random, so the digest needs no salt."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


class SecretKey:
    """Digests that only a holder of the site's secret can compute."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def digest(self, purpose: str, value: str) -> str:
        """HMAC-SHA256 for one purpose, 64 characters."""
        message = f"{purpose}\0{value}".encode(errors="surrogatepass")
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two digests are equal, compared in constant time."""
    return hmac.compare_digest(one.encode(errors="surrogatepass"), other.encode(errors="surrogatepass"))

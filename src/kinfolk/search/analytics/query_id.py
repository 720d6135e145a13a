"""The id of a search result, by which a later click names its query.

Its second half is a digest of the logged text: every worker can join clicks and queries without storing sessions.
"""

from __future__ import annotations

import hashlib
import re

MAX_LOGGED_LENGTH = 80
WITHHELD = "(withheld)"
"""Replaces texts that may identify a person: an e-mail address, or a number as long as a telephone number."""
_DIGEST_LENGTH = 16
_LENGTH = 32
_LONG_NUMBER = re.compile(r"\d(?:[\s().+-]*\d){7}")


def query_id(text: str, nonce: str) -> str:
    """32 hexadecimal digits. `nonce`, also hexadecimal, makes the id unique."""
    return nonce[: _LENGTH - _DIGEST_LENGTH].rjust(_LENGTH - _DIGEST_LENGTH, "0") + text_digest(text)


def digest_of(query_id: str) -> str:
    """The digest of the searched text."""
    return query_id[-_DIGEST_LENGTH:]


def text_digest(text: str) -> str:
    logged = logged_text(text).encode("utf-8", "replace")
    return hashlib.blake2b(logged, digest_size=_DIGEST_LENGTH // 2).hexdigest()


def logged_text(text: str) -> str:
    """A searched text as the log has it: lower case, single spaces, without personal data."""
    # PostgreSQL stores no NUL.
    plain = " ".join(text.casefold().replace("\0", " ").split())
    return WITHHELD if _is_personal(plain) else plain[:MAX_LOGGED_LENGTH]


def _is_personal(text: str) -> bool:
    return _LONG_NUMBER.search(text) is not None or any(map(_is_address, text.split()))


def _is_address(word: str) -> bool:
    """Whether the word has an `@` that is not its first character, and a dot after it."""
    at = word.find("@", 1)
    return at > 0 and word.find(".", at + 2) > 0

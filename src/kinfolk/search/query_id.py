"""The id of an answered search, by which a later click tells what was searched for.

Its last half is a digest of the text as it may be kept, so any worker, and the table of counts, can bring both together
without anybody remembering who searched.
"""

from __future__ import annotations

import hashlib
import re

LONGEST_TEXT = 80
WITHHELD = "(withheld)"
"""Stands for texts that may tell who somebody is: an e-mail address, or a number as long as a telephone's."""
_DIGEST = 16
_LENGTH = 32
_LONG_NUMBER = re.compile(r"\d(?:[\s().+-]*\d){7}")


def query_id(text: str, nonce: str) -> str:
    """32 hexadecimal digits. `nonce`, hexadecimal too, makes them unlike any others."""
    return nonce[: _LENGTH - _DIGEST].rjust(_LENGTH - _DIGEST, "0") + text_digest(text)


def digest_of(query_id: str) -> str:
    """The digest of the text that was searched for."""
    return query_id[-_DIGEST:]


def text_digest(text: str) -> str:
    kept = kept_text(text).encode("utf-8", "replace")
    return hashlib.blake2b(kept, digest_size=_DIGEST // 2).hexdigest()


def kept_text(text: str) -> str:
    """What of a searched text is written down: upper case and spaces do not matter."""
    plain = " ".join(text.casefold().split())
    return WITHHELD if _is_personal(plain) else plain[:LONGEST_TEXT]


def _is_personal(text: str) -> bool:
    return _LONG_NUMBER.search(text) is not None or any(map(_is_address, text.split()))


def _is_address(word: str) -> bool:
    """Whether something stands before an `@`, and behind it something with a dot."""
    at = word.find("@", 1)
    return at > 0 and word.find(".", at + 2) > 0

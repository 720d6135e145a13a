"""What can go wrong, and what a visitor may be told about it.

SiteError
├── Invalid       400  the request itself is wrong
├── Refused       403  we know what was asked and will not do it
├── NotFound      404  it does not exist
├── Unavailable   503  it should exist, but an upstream or a mirror cannot give it now
└── BadFact       500  our own data is wrong: names the file, the key and the reason
"""

from __future__ import annotations


class SiteError(Exception):
    """A failure whose message a visitor may read and which names the thing."""

    code = "internal"
    status = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Invalid(SiteError):
    code = "invalid"
    status = 400


class Refused(SiteError):
    code = "refused"
    status = 403


class NotFound(SiteError):
    code = "not_found"
    status = 404


class Unavailable(SiteError):
    code = "unavailable"
    status = 503


class BadFact(SiteError):
    """A wrong fact in `data/` or `content/`; `file`, `key` and `reason` say where to mend it."""

    code = "bad_fact"

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}" if key else f"{file}: {reason}")
        self.file, self.key, self.reason = file, key, reason

"""The errors of the site, with messages that are shown to readers.

SiteError
├── Invalid        400  the request is invalid
├── SignInRequired 401  the request needs a session
├── Refused        403  the request is valid and not allowed
├── NotFound       404  the resource does not exist
├── Unavailable    503  the resource may exist, but its upstream or mirror is unavailable
├── InvalidFile    500  a file of the site folder is invalid: names the file, the key and the reason
└── InvalidSite    500  the site cannot be opened: names everything that is wrong
"""

from __future__ import annotations

from collections.abc import Sequence


class SiteError(Exception):
    """An error with a message for readers, which names the resource."""

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


class SignInRequired(SiteError):
    code = "sign_in"
    status = 401

    def __init__(self) -> None:
        super().__init__("Sign in to continue")


class NotFound(SiteError):
    code = "not_found"
    status = 404


class Unavailable(SiteError):
    code = "unavailable"
    status = 503


class InvalidFile(SiteError):
    """An invalid file of the site folder. `file`, `key` and `reason` locate the error."""

    code = "bad_fact"

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}" if key else f"{file}: {reason}")
        self.file, self.key, self.reason = file, key, reason


class InvalidSite(SiteError):
    """A site that cannot be opened. `faults` are all errors of its configuration."""

    code = "bad_fact"

    def __init__(self, faults: Sequence[InvalidFile]) -> None:
        super().__init__("\n".join(fault.message for fault in faults))
        self.faults = tuple(faults)

"""Who is signed in, and how an identity was verified."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from email_validator import EmailNotValidError, validate_email

from kinfolk.db.tables import EMAIL_LENGTH
from kinfolk.runtime.errors import Invalid

Provider = Literal["email", "github", "google"]
Role = Literal["visitor", "maintainer"]

LONGEST_NAME = 100


@dataclass(frozen=True)
class VerifiedIdentity:
    """An account of a provider, or an e-mail address, that the reader has proved to own.

    `email` is verified, too; None if the provider has none. `label` is what the reader recognizes.
    """

    provider: Provider
    subject: str
    label: str
    email: str | None
    name: str = ""
    is_member: bool = False
    """Whether the provider says that it belongs to the maintainers' organization."""


@dataclass(frozen=True)
class Account:
    """The account of a session."""

    id: str
    name: str
    email: str | None
    role: Role
    session_id: str


def normalized_email(text: str) -> str:
    """The address in lower case, its domain in Unicode's normal form. Raises Invalid."""
    if len(text) > EMAIL_LENGTH + 10:
        raise Invalid("This is not an e-mail address")
    try:
        found = validate_email(text.strip(), check_deliverability=False)
    except EmailNotValidError:
        raise Invalid("This is not an e-mail address") from None
    return found.normalized.lower()


def role_of(
    emails: Collection[str], member_until: datetime | None, maintainers: Collection[str], now: datetime
) -> Role:
    """Maintainers are named by address, or were members of the organization when they signed in last."""
    is_member = member_until is not None and member_until > now
    return "maintainer" if is_member or not set(maintainers).isdisjoint(emails) else "visitor"


def printable_name(text: str) -> str:
    """A name of a provider as one line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:LONGEST_NAME]

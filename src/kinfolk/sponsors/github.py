"""Whoever sponsors on GitHub and wants it to be seen, from GitHub's GraphQL interface.

Neither e-mail addresses nor private sponsorships are asked for. An answer is whole or it is none: when a page of it
fails, the sponsors of the other pages are not used either.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Literal

import httpx
import stamina
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from kinfolk.errors import Unavailable
from kinfolk.facts import is_url
from kinfolk.sponsors.sponsor import Sponsor

QUERY = """
query Sponsors($login: String!, $after: String) {
  repositoryOwner(login: $login) {
    ... on Sponsorable {
      sponsorshipsAsMaintainer(first: 100, after: $after, activeOnly: true, includePrivate: false) {
        pageInfo { hasNextPage endCursor }
        nodes {
          privacyLevel
          isOneTimePayment
          tier { monthlyPriceInDollars }
          sponsorEntity {
            ... on User { login name avatarUrl(size: 256) }
            ... on Organization { login name avatarUrl(size: 256) }
          }
        }
      }
    }
  }
}
"""
TIMEOUT_S = 10.0
ATTEMPTS = 4
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
MOST_PAGES = 50
"""Of a hundred sponsors each: more than anybody on GitHub has."""
LONGEST_ANSWER = 4 << 20
FETCH_S = 300.0
"""Seconds for all pages together: an answer that arrives one byte at a time never exceeds `TIMEOUT_S`."""
LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?")

_WIRE = ConfigDict(alias_generator=to_camel, extra="ignore")


@dataclass(frozen=True)
class _PageInfo:
    __pydantic_config__ = _WIRE

    has_next_page: bool
    end_cursor: str | None = None


@dataclass(frozen=True)
class _Tier:
    __pydantic_config__ = _WIRE

    monthly_price_in_dollars: Annotated[float, Field(ge=0, le=10_000_000, allow_inf_nan=False)]


@dataclass(frozen=True)
class _Entity:
    __pydantic_config__ = _WIRE

    login: str
    name: str | None = None
    avatar_url: str | None = None


@dataclass(frozen=True)
class _Sponsorship:
    """GitHub leaves `tier` and `sponsor_entity` out where the token may not see them."""

    __pydantic_config__ = _WIRE

    privacy_level: Literal["PUBLIC", "PRIVATE"]
    is_one_time_payment: bool = False
    tier: _Tier | None = None
    sponsor_entity: _Entity | None = None


@dataclass(frozen=True)
class _Sponsorships:
    __pydantic_config__ = _WIRE

    page_info: _PageInfo
    nodes: tuple[_Sponsorship | None, ...]


@dataclass(frozen=True)
class _Owner:
    __pydantic_config__ = _WIRE

    sponsorships_as_maintainer: _Sponsorships


@dataclass(frozen=True)
class _Found:
    __pydantic_config__ = _WIRE

    repository_owner: _Owner | None


@dataclass(frozen=True)
class _Problem:
    message: str = "no reason given"


@dataclass(frozen=True)
class _Reply:
    data: _Found | None = None
    errors: tuple[_Problem, ...] = ()


_REPLY = TypeAdapter(_Reply)


class GitHubSponsors:
    """The sponsors of one account."""

    def __init__(
        self,
        login: str,
        token: str,
        *,
        api: str = "https://api.github.com",
        timeout_s: float = TIMEOUT_S,
        first_pause_s: float = FIRST_PAUSE_S,
        fetch_s: float = FETCH_S,
    ) -> None:
        self.login = login
        self._token = token
        self._api = api.rstrip("/")
        self._timeout_s = timeout_s
        self._first_pause_s = first_pause_s
        self._fetch_s = fetch_s

    async def fetch(self) -> tuple[Sponsor, ...]:
        """All of them, in GitHub's order. Raises Unavailable when there is no whole and sound answer."""
        headers = {"authorization": f"Bearer {self._token}", "accept": "application/json", "user-agent": "kinfolk"}
        try:
            async with (
                asyncio.timeout(self._fetch_s),
                httpx.AsyncClient(headers=headers, timeout=self._timeout_s) as client,
            ):
                found = [sponsor async for page in self._pages(client) for sponsor in _public(page.nodes)]
        except TimeoutError:
            raise Unavailable(f"GitHub did not send all sponsors within {self._fetch_s:g} seconds") from None
        # Somebody may appear on two pages when others came while we asked.
        return tuple({sponsor.login: sponsor for sponsor in found}.values())

    async def _pages(self, client: httpx.AsyncClient) -> AsyncIterator[_Sponsorships]:
        after: str | None = None
        for _ in range(MOST_PAGES):
            page = await self._page(client, after)
            yield page
            if not page.page_info.has_next_page:
                return
            if page.page_info.end_cursor in (None, after):
                raise Unavailable("GitHub names no next page of sponsors, but says that there is one")
            after = page.page_info.end_cursor
        raise Unavailable(f"GitHub names more than {MOST_PAGES} pages of sponsors")

    async def _page(self, client: httpx.AsyncClient, after: str | None) -> _Sponsorships:
        asked = {"query": QUERY, "variables": {"login": self.login, "after": after}}
        try:
            async for attempt in stamina.retry_context(
                on=_pause,
                attempts=ATTEMPTS,
                wait_initial=self._first_pause_s,
                wait_jitter=self._first_pause_s,
                timeout=60,
            ):
                with attempt:
                    body = await self._post(client, asked)
        except httpx.HTTPStatusError as refused:
            raise Unavailable(f"GitHub answers {refused.response.status_code} when asked for sponsors") from refused
        except httpx.HTTPError as failed:
            raise Unavailable(f"GitHub cannot be asked for sponsors: {type(failed).__name__}") from failed
        try:
            reply = _REPLY.validate_json(body)
        except ValidationError as wrong:
            raise Unavailable(f"GitHub's answer about sponsors is not one: {wrong.errors()[0]['msg']}") from wrong
        if reply.errors:
            raise Unavailable(f"GitHub does not tell the sponsors: {reply.errors[0].message[:200]}")
        if reply.data is None or reply.data.repository_owner is None:
            raise Unavailable(f"GitHub knows nobody called {self.login}")
        return reply.data.repository_owner.sponsorships_as_maintainer

    async def _post(self, client: httpx.AsyncClient, asked: Mapping[str, object]) -> bytes:
        async with client.stream("POST", f"{self._api}/graphql", json=asked) as response:
            response.raise_for_status()
            body = b""
            async for part in response.aiter_bytes():
                body += part
                if len(body) > LONGEST_ANSWER:
                    raise Unavailable(f"GitHub's answer about sponsors is longer than {LONGEST_ANSWER} bytes")
            return body


def _pause(failure: Exception) -> bool | float:
    """Whether to ask again, or after how many seconds. A wrong token stays wrong."""
    if isinstance(failure, httpx.HTTPStatusError):
        status = failure.response.status_code
        if status != HTTPStatus.TOO_MANY_REQUESTS and status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return False
        told = failure.response.headers.get("retry-after", "")
        return min(float(told), LONGEST_PAUSE_S) if told.isascii() and told.isdigit() else True
    return isinstance(failure, httpx.TransportError)


def _public(sponsorships: tuple[_Sponsorship | None, ...]) -> list[Sponsor]:
    """Those who want to be seen and whom we may know. What was given once is no monthly amount."""
    return [
        Sponsor(
            name=_line(who.name) or who.login,
            link_url=f"https://github.com/{who.login}",
            image_url=who.avatar_url if who.avatar_url and is_url(who.avatar_url) else None,
            login=who.login,
            monthly_dollars=each.tier.monthly_price_in_dollars if each.tier and not each.is_one_time_payment else 0,
        )
        for each in sponsorships
        if each is not None
        and each.privacy_level == "PUBLIC"
        and (who := each.sponsor_entity) is not None
        and LOGIN.fullmatch(who.login)
    ]


def _line(name: str | None) -> str:
    """A name as one line: people write what they like."""
    return " ".join("".join(c if c.isprintable() else " " for c in name or "").split())[:100]

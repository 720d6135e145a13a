"""Fetches the public sponsors of an account from GitHub's GraphQL API.

The query excludes e-mail addresses and private sponsorships. If a page of results fails, the other pages are discarded.
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

from kinfolk.config.data_files import is_url
from kinfolk.content.sponsors.sponsor import Sponsor
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.upstream.pinned_transport import async_transport

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
"""Pages of a hundred sponsors each: more than any account on GitHub has."""
LONGEST_ANSWER = 4 << 20
FETCH_S = 300.0
"""Seconds for all pages: `TIMEOUT_S` does not limit an answer that arrives one byte at a time."""
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
class _SponsorEntity:
    __pydantic_config__ = _WIRE

    login: str
    name: str | None = None
    avatar_url: str | None = None


@dataclass(frozen=True)
class _Sponsorship:
    """GitHub omits `tier` and `sponsor_entity` if the token has no access to them."""

    __pydantic_config__ = _WIRE

    privacy_level: Literal["PUBLIC", "PRIVATE"]
    is_one_time_payment: bool = False
    tier: _Tier | None = None
    sponsor_entity: _SponsorEntity | None = None


@dataclass(frozen=True)
class _Sponsorships:
    __pydantic_config__ = _WIRE

    page_info: _PageInfo
    nodes: tuple[_Sponsorship | None, ...]


@dataclass(frozen=True)
class _RepositoryOwner:
    __pydantic_config__ = _WIRE

    sponsorships_as_maintainer: _Sponsorships


@dataclass(frozen=True)
class _QueryData:
    __pydantic_config__ = _WIRE

    repository_owner: _RepositoryOwner | None


@dataclass(frozen=True)
class _GraphqlError:
    message: str = "no reason given"


@dataclass(frozen=True)
class _GraphqlReply:
    data: _QueryData | None = None
    errors: tuple[_GraphqlError, ...] = ()


_REPLY = TypeAdapter(_GraphqlReply)


def sponsored_account(url: str | None) -> str | None:
    """The account of a page of GitHub Sponsors; None for a page of another site, whose names mean nothing there."""
    found = _SPONSORS_PAGE.fullmatch(url or "")
    return found[1] if found else None


_SPONSORS_PAGE = re.compile(r"https://github\.com/sponsors/([A-Za-z0-9-]+)/?")


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
        """All sponsors, in GitHub's order. Raises Unavailable if any page fails or is invalid."""
        headers = {"authorization": f"Bearer {self._token}", "accept": "application/json", "user-agent": "kinfolk"}
        try:
            async with (
                asyncio.timeout(self._fetch_s),
                httpx.AsyncClient(
                    transport=async_transport(self._api), headers=headers, timeout=self._timeout_s
                ) as client,
            ):
                found = [sponsor async for page in self._pages(client) for sponsor in _public(page.nodes)]
        except TimeoutError:
            raise Unavailable(f"GitHub did not send all sponsors within {self._fetch_s:g} seconds") from None
        # A sponsor appears on two pages if the list changes between the requests.
        return tuple({sponsor.login: sponsor for sponsor in found}.values())

    async def _pages(self, client: httpx.AsyncClient) -> AsyncIterator[_Sponsorships]:
        after: str | None = None
        for _ in range(MOST_PAGES):
            page = await self._page(client, after)
            yield page
            if not page.page_info.has_next_page:
                return
            if page.page_info.end_cursor in (None, after):
                raise Unavailable("GitHub announces a next page of sponsors without a cursor")
            after = page.page_info.end_cursor
        raise Unavailable(f"GitHub returns more than {MOST_PAGES} pages of sponsors")

    async def _page(self, client: httpx.AsyncClient, after: str | None) -> _Sponsorships:
        query = {"query": QUERY, "variables": {"login": self.login, "after": after}}
        try:
            async for attempt in stamina.retry_context(
                on=_pause,
                attempts=ATTEMPTS,
                wait_initial=self._first_pause_s,
                wait_jitter=self._first_pause_s,
                timeout=60,
            ):
                with attempt:
                    body = await self._post(client, query)
        except httpx.HTTPStatusError as refused:
            raise Unavailable(f"GitHub answers {refused.response.status_code} to the query for sponsors") from refused
        except httpx.HTTPError as failed:
            raise Unavailable(f"The query for sponsors to GitHub fails: {type(failed).__name__}") from failed
        try:
            reply = _REPLY.validate_json(body)
        except ValidationError as wrong:
            raise Unavailable(
                f"GitHub's answer to the query for sponsors is invalid: {wrong.errors()[0]['msg']}"
            ) from wrong
        if reply.errors:
            raise Unavailable(f"GitHub refuses the query for sponsors: {reply.errors[0].message[:200]}")
        if reply.data is None or reply.data.repository_owner is None:
            raise Unavailable(f"GitHub has no account {self.login}")
        return reply.data.repository_owner.sponsorships_as_maintainer

    async def _post(self, client: httpx.AsyncClient, query: Mapping[str, object]) -> bytes:
        async with client.stream("POST", f"{self._api}/graphql", json=query) as response:
            response.raise_for_status()
            body = b""
            async for part in response.aiter_bytes():
                body += part
                if len(body) > LONGEST_ANSWER:
                    raise Unavailable(
                        f"GitHub's answer to the query for sponsors is longer than {LONGEST_ANSWER} bytes"
                    )
            return body


def _pause(failure: Exception) -> bool | float:
    """Whether to retry, or after how many seconds. Client errors, such as an invalid token, are not retried."""
    if isinstance(failure, httpx.HTTPStatusError):
        status = failure.response.status_code
        if status != HTTPStatus.TOO_MANY_REQUESTS and status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return False
        after = failure.response.headers.get("retry-after", "")
        return min(float(after), LONGEST_PAUSE_S) if after.isascii() and after.isdigit() else True
    return isinstance(failure, httpx.TransportError)


def _public(sponsorships: tuple[_Sponsorship | None, ...]) -> list[Sponsor]:
    """The public sponsors. A one-time payment counts as no monthly amount."""
    return [
        Sponsor(
            name=_line(entity.name) or entity.login,
            link_url=f"https://github.com/{entity.login}",
            image_url=entity.avatar_url if entity.avatar_url and is_url(entity.avatar_url) else None,
            login=entity.login,
            monthly_dollars=each.tier.monthly_price_in_dollars if each.tier and not each.is_one_time_payment else 0,
        )
        for each in sponsorships
        if each is not None
        and each.privacy_level == "PUBLIC"
        and (entity := each.sponsor_entity) is not None
        and LOGIN.fullmatch(entity.login)
    ]


def _line(name: str | None) -> str:
    """The name as one line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in name or "").split())[:100]

"""Stars and contributors of a repository, from GitHub's REST API.

    client = GitHubRepository(token, now=utc_now)
    await client.stars("acme/query")                   # FetchedCount(value=45123, etag='W/"…"')
    await client.stars("acme/query", etag='W/"…"')     # None: not modified

Without a token, GitHub allows 60 requests an hour from one address, with one 5,000. An answer 304 to a request with a
token does not count.
https://docs.github.com/en/rest/repos/repos#get-a-repository
https://docs.github.com/en/rest/repos/repos#list-repository-contributors
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import (
    ANSWER_S,
    MAX_COUNT,
    TIMEOUT_S,
    FetchedCount,
    UpstreamAnswer,
    UpstreamClient,
)

API_VERSION = "2022-11-28"
REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,100}")
MAX_DIGITS = len(str(MAX_COUNT))


class _Repository(BaseModel):
    full_name: str
    stargazers_count: Annotated[int, Field(strict=True, ge=0, le=MAX_COUNT)]


_REPOSITORY = TypeAdapter(_Repository)
_CONTRIBUTORS: TypeAdapter[list[dict[str, object]]] = TypeAdapter(list[dict[str, object]])


class GitHubRepository:
    """Each method makes one request, and returns None if the answer is the one that has `etag`.

    All raise NotFound for a repository that GitHub does not have, RequestsRefused while GitHub limits the rate of
    requests, and Unavailable for all other failures.
    """

    def __init__(
        self,
        token: str,
        *,
        api: str = "https://api.github.com",
        now: Callable[[], datetime],
        timeout_s: float = TIMEOUT_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        """`now` is in UTC, without a time zone. No token is sent if `token` is empty."""
        self._api = api.rstrip("/")
        headers = {"accept": "application/vnd.github+json", "x-github-api-version": API_VERSION}
        if token:
            headers["authorization"] = f"Bearer {token}"
        self._client = UpstreamClient("GitHub", now=now, headers=headers, timeout_s=timeout_s, answer_s=answer_s)

    async def stars(self, repository: str, *, etag: str = "") -> FetchedCount | None:
        answer = await self._client.get(self._address(repository), {}, etag=etag)
        if answer.status == HTTPStatus.NOT_MODIFIED:
            return None
        try:
            found = _REPOSITORY.validate_json(answer.body)
        except ValidationError as wrong:
            raise _invalid(repository, wrong.errors()[0]["msg"]) from wrong
        # A renamed repository redirects to its new name.
        if found.full_name.lower() != repository.lower() and not answer.redirected:
            raise Unavailable(f"GitHub answers with {found.full_name[:100]!r} instead of {repository!r}")
        return FetchedCount(found.stargazers_count, answer.etag)

    async def contributors(self, repository: str, *, etag: str = "") -> FetchedCount | None:
        """The number of pages of one contributor each. Commits without an account count by their e-mail address."""
        parameters = {"per_page": 1, "anon": 1}
        answer = await self._client.get(f"{self._address(repository)}/contributors", parameters, etag=etag)
        if answer.status == HTTPStatus.NOT_MODIFIED:
            return None
        return FetchedCount(_contributors(repository, answer), answer.etag)

    def _address(self, repository: str) -> str:
        if not REPOSITORY.fullmatch(repository):
            raise NotFound(f"{repository!r} is not the name of a repository on GitHub")
        return f"{self._api}/repos/{repository}"


def _contributors(repository: str, answer: UpstreamAnswer) -> int:
    if answer.status == HTTPStatus.NO_CONTENT:
        return 0  # a repository without commits
    try:
        listed = _CONTRIBUTORS.validate_json(answer.body)
    except ValidationError as wrong:
        raise _invalid(repository, wrong.errors()[0]["msg"]) from wrong
    if len(listed) > 1:
        raise _invalid(repository, "it has more contributors than requested")
    last = answer.links.get("last")
    if last is not None and not listed:
        raise _invalid(repository, "its first page is empty, but not its last")
    return len(listed) if last is None else _page(repository, last)


def _page(repository: str, address: str) -> int:
    """The number of the page at an address."""
    try:
        pages = parse_qs(urlsplit(address).query, max_num_fields=16).get("page", [])
    except ValueError as wrong:
        raise _invalid(repository, "the address of its last page is none") from wrong
    page = pages[0] if len(pages) == 1 else ""
    if not (page.isascii() and page.isdigit() and len(page) <= MAX_DIGITS and 0 < int(page) <= MAX_COUNT):
        raise _invalid(repository, "its last page has no number")
    return int(page)


def _invalid(repository: str, reason: str) -> Unavailable:
    return Unavailable(f"GitHub's answer for {repository} is invalid: {reason}")

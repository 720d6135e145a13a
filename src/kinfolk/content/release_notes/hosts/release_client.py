"""Requests the releases that a code host lists: GitHub, GitLab and Forgejo.

    client = ReleaseClient(token, now=utc_now)
    page = await client.page(ListedRepository(host, "acme/query"), 1, etag=former.etag)

GitHub: https://docs.github.com/en/rest/releases/releases#list-releases
GitLab: https://docs.gitlab.com/api/releases/#list-releases
Forgejo: https://codeberg.org/api/swagger#/repository/repoListReleases
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, NamedTuple
from urllib.parse import quote

import structlog
from pydantic import AliasChoices, BaseModel, Field, TypeAdapter, ValidationError

from kinfolk.config.catalog import Catalog
from kinfolk.config.code_hosts import CodeHost, HostKind
from kinfolk.content.release_notes.changelog import cut_notes
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.upstream.upstream_client import ANSWER_S, TIMEOUT_S, UpstreamClient

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LONGEST_PAGE = 8 << 20
"""Bytes. A hundred releases with forty files each have about 6 MB."""
LONGEST_TAG = 255
LONGEST_NAME = 300


class _ReleaseList(NamedTuple):
    """`path` is below the API. `size` is the parameter with the number of releases of a page, `most` its largest."""

    path: str
    size: str
    most: int


_LISTINGS: dict[HostKind, _ReleaseList] = {
    "github": _ReleaseList("repos/{repo}/releases", "per_page", 100),
    "gitlab": _ReleaseList("projects/{project}/releases", "per_page", 100),
    "codeberg": _ReleaseList("repos/{repo}/releases", "limit", 50),
}


@dataclass(frozen=True)
class ListedRepository:
    """A repository on a code host."""

    host: CodeHost
    repo: str

    @property
    def address(self) -> str:
        """Its address, which names it in the database."""
        return self.host.repository(self.repo)


def listed_repositories(catalog: Catalog) -> tuple[ListedRepository, ...]:
    """The repositories of all libraries that are on a code host, each once."""
    return tuple(ListedRepository(host, repo) for repo, host in catalog.hosts.items())


@dataclass(frozen=True)
class HostRelease:
    """A release as its code host shows it. `body` is Markdown; `is_cut` says that more of it exists.

    `published_at` is in UTC, without a time zone.
    """

    tag: str
    name: str
    body: str
    published_at: datetime
    is_prerelease: bool = False
    is_cut: bool = False


@dataclass(frozen=True)
class ReleasePage:
    """A page of a listing. `etag` is empty if the answer has none."""

    releases: tuple[HostRelease, ...]
    etag: str
    has_next: bool


class _ListedRelease(BaseModel):
    tag_name: Annotated[str, Field(min_length=1, max_length=LONGEST_TAG)]
    name: str | None = None
    body: Annotated[str | None, Field(validation_alias=AliasChoices("body", "description"))] = None
    published_at: Annotated[datetime | None, Field(validation_alias=AliasChoices("published_at", "released_at"))] = None
    draft: bool = False
    prerelease: bool = False
    upcoming_release: bool = False


_PAGE: TypeAdapter[list[dict[str, object]]] = TypeAdapter(list[dict[str, object]])


class ReleaseClient:
    """For one event loop. Each server has its own pause while it limits the rate of requests."""

    def __init__(
        self,
        token: str,
        *,
        now: Callable[[], datetime],
        github_api: str = "https://api.github.com",
        timeout_s: float = TIMEOUT_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        """`token` is sent to `github_api` only, if it is not empty. `now` is in UTC, without a time zone."""
        self._token = token
        self._now = now
        self._github_api = github_api.rstrip("/")
        self._timeout_s = timeout_s
        self._answer_s = answer_s
        self._clients: dict[str, UpstreamClient] = {}

    async def page(self, repository: ListedRepository, number: int, *, etag: str = "") -> ReleasePage | None:
        """A page, newest releases first; None if it is the one that has `etag`.

        Raises NotFound for an unknown repository, RequestsRefused while the host limits the rate of requests, and
        Unavailable for all other failures.
        """
        host, repo = repository.host, repository.repo
        listing = _LISTINGS[host.kind]
        path = listing.path.format(repo=quote(repo), project=quote(repo, safe=""))
        api = self._github_api if host.kind == "github" and host.is_public else host.api
        parameters = {listing.size: listing.most, "page": number}
        answer = await self._client(host, api).get(f"{api}/{path}", parameters, etag=etag)
        if answer.status == HTTPStatus.NOT_MODIFIED:
            return None
        # A page may have megabytes.
        listed = await asyncio.to_thread(_parsed, answer.body, host.label)
        found = await asyncio.to_thread(lambda: tuple(_published(listed, repository.address)))
        # A full page without a link may be that of a proxy which removes it.
        return ReleasePage(found, answer.etag, has_next="next" in answer.links or len(listed) >= listing.most)

    def _client(self, host: CodeHost, api: str) -> UpstreamClient:
        if api not in self._clients:
            headers = {"accept": "application/vnd.github+json" if host.kind == "github" else "application/json"}
            if self._token and api == self._github_api:
                headers["authorization"] = f"Bearer {self._token}"
            self._clients[api] = UpstreamClient(
                host.label,
                now=self._now,
                headers=headers,
                timeout_s=self._timeout_s,
                answer_s=self._answer_s,
                longest_answer=LONGEST_PAGE,
            )
        return self._clients[api]


def _parsed(body: bytes, name: str) -> list[dict[str, object]]:
    try:
        return _PAGE.validate_json(body)
    except ValidationError as wrong:
        raise Unavailable(f"The list of releases of {name} is invalid: {wrong.errors()[0]['msg']}") from wrong


def _published(listed: list[dict[str, object]], address: str) -> Iterator[HostRelease]:
    """The published releases, without those that are invalid: one of them must not hide all others."""
    invalid = 0
    for each in listed:
        try:
            found = _ListedRelease.model_validate(each)
        except ValidationError:
            invalid += 1
            continue
        is_published = found.published_at is not None and not found.draft and not found.upcoming_release
        if is_published and found.published_at is not None and found.tag_name.isprintable():
            yield _release(found, found.published_at)
    if invalid:
        log.warning("releases not read", repository=address, count=invalid)


def _release(found: _ListedRelease, published_at: datetime) -> HostRelease:
    body, is_cut = cut_notes((found.body or "").replace("\0", "").replace("\r\n", "\n"))
    name = " ".join("".join(c if c.isprintable() else " " for c in (found.name or "")[: LONGEST_NAME * 2]).split())
    at = published_at.astimezone(UTC).replace(tzinfo=None) if published_at.tzinfo else published_at
    return HostRelease(
        found.tag_name,
        name[:LONGEST_NAME] or found.tag_name,
        body,
        at,
        is_prerelease=found.prerelease,
        is_cut=is_cut,
    )

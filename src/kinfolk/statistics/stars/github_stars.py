"""The client of GitHub's star history: the stars of a repository by the day on which they were given.

    days = GitHubStars(token, now=utc_now).fetch("acme/query")

`GET /repos/{owner}/{repo}/stargazers/history` returns weeks of seven counts, newest first, 30 a page, back to the
creation of the repository. Any token works for public repositories, without scopes; without a token, GitHub allows 60
requests an hour instead of 5,000. The lists of stargazers, which had the same dates, are limited to collaborators.
https://docs.github.com/en/rest/activity/starring?apiVersion=2026-03-10#get-repository-star-history

GitHub counts the present stars: a removed star vanishes from its day, however old. So each fetch is of the whole
history: ten years are 18 requests. GitHub names its days, and does not guarantee that they begin at midnight in UTC.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Annotated

import httpx
import numpy as np
import stamina
from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.pinned_transport import sync_transport
from kinfolk.runtime.upstream.upstream_rate_limit import REFUSALS, pause_s
from kinfolk.statistics.comparisons.series import day_number, day_of
from kinfolk.statistics.histories.history import DailyCounts

API_VERSION = "2026-03-10"
WEEKS_A_PAGE = 30
"""The most that GitHub allows."""
MAX_PAGES = 100
"""By GitHub's rule: 57 years."""
TIMEOUT_S = 10.0
ANSWER_S = 30.0
"""Seconds for the body of an answer: TIMEOUT_S does not limit one that arrives a byte at a time."""
LONGEST_ANSWER = 256 << 10
"""A page of 30 weeks has about 3 KB."""
ATTEMPTS = 3
FIRST_PAUSE_S = 1.0
REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,100}")
_DAY_S = 86_400
_FIRST_WEEK = int(datetime(2007, 1, 1, tzinfo=UTC).timestamp())
"""Before GitHub existed."""
_LAST_WEEK = int(datetime(2200, 1, 1, tzinfo=UTC).timestamp())

_Count = Annotated[int, Field(strict=True, ge=0, le=10**9)]


class _StarWeek(TypedDict):
    """`week` is the beginning of its first day, a Sunday, in seconds since 1970."""

    week: Annotated[int, Field(strict=True, ge=_FIRST_WEEK, le=_LAST_WEEK)]
    total: _Count
    days: Annotated[list[_Count], Field(min_length=7, max_length=7)]


_PAGE = TypeAdapter(Annotated[list[_StarWeek], Field(max_length=WEEKS_A_PAGE)])


class GitHubRateLimited(Unavailable):
    """GitHub refuses requests for `retry_after_s`."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__("GitHub limits the rate of requests")
        self.retry_after_s = retry_after_s


@dataclass(frozen=True)
class StarDays:
    """The stars given to a repository on each day from `first`, without those that were removed before `as_of`.

    The last day is at most that of `as_of`, which is in UTC, without a time zone. It is not over.
    """

    repository: str
    first: date
    counts: DailyCounts
    as_of: datetime

    @property
    def total(self) -> int:
        return int(self.counts.sum())


class GitHubStars:
    """Makes one request at a time, for any number of threads, and none while GitHub limits their rate."""

    def __init__(
        self,
        token: str,
        *,
        now: Callable[[], datetime],
        api: str = "https://api.github.com",
        timeout_s: float = TIMEOUT_S,
        answer_s: float = ANSWER_S,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        """`now` is in UTC, without a time zone. No token is sent if `token` is empty."""
        self._token = token
        self._now = now
        self._api = httpx.URL(api)
        self._timeout_s = timeout_s
        self._answer_s = answer_s
        self._first_pause_s = first_pause_s
        self._lock = threading.Lock()
        self._paused_until: datetime | None = None

    def fetch(self, repository: str, *, cancelled: Callable[[], bool] = lambda: False) -> StarDays:
        """The whole history of a repository. Between two requests, ends with Unavailable if it is `cancelled`.

        Raises NotFound for an unknown repository, GitHubRateLimited, and Unavailable for all other failures.
        """
        if not REPOSITORY.fullmatch(repository):
            raise NotFound(f"{repository!r} is not the name of a repository on GitHub")
        weeks: dict[int, list[int]] = {}
        with self._lock, self._connect() as client:
            as_of = self._now()
            for page in range(1, MAX_PAGES + 1):
                if cancelled():
                    raise Unavailable("The fetch of stars was cancelled")
                found, has_next = self._page(client, repository, page)
                if has_next and found.keys() <= weeks.keys():
                    raise Unavailable(f"GitHub returns the same weeks of {repository} again")
                weeks |= found
                if not has_next:
                    return _joined(repository, weeks, as_of)
        raise Unavailable(f"GitHub returns more than {MAX_PAGES} pages of stars of {repository}")

    def _connect(self) -> httpx.Client:
        headers = {
            "accept": "application/vnd.github+json",
            # A compressed answer could be much longer than what is received.
            "accept-encoding": "identity",
            "user-agent": "kinfolk",
            "x-github-api-version": API_VERSION,
        }
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        return httpx.Client(
            transport=sync_transport(str(self._api)),
            base_url=self._api,
            headers=headers,
            timeout=self._timeout_s,
            # GitHub redirects from the former name of a repository.
            follow_redirects=True,
            max_redirects=3,
            event_hooks={"request": [self._check_origin]},
        )

    def _check_origin(self, request: httpx.Request) -> None:
        url, api = request.url, self._api
        if (url.scheme, url.host, url.port) != (api.scheme, api.host, api.port):
            raise Unavailable("GitHub redirects the request for stars to another server")

    def _page(self, client: httpx.Client, repository: str, page: int) -> tuple[dict[int, list[int]], bool]:
        """The weeks of a page by the number of their first day, and whether there is another page."""
        response, body = self._get(client, repository, page)
        try:
            weeks = _PAGE.validate_json(body)
        except ValidationError as wrong:
            reason = wrong.errors()[0]["msg"]
            raise Unavailable(f"GitHub's answer for the stars of {repository} is invalid: {reason}") from wrong
        if any(week["total"] != sum(week["days"]) for week in weeks):
            raise Unavailable(f"GitHub's answer for the stars of {repository} has a week with a wrong sum")
        # A full page without a link may be that of a proxy which removes it.
        has_next = "next" in response.links or len(weeks) == WEEKS_A_PAGE
        return {_first_day(week["week"]): week["days"] for week in weeks}, has_next

    def _get(self, client: httpx.Client, repository: str, page: int) -> tuple[httpx.Response, bytes]:
        try:
            for attempt in stamina.retry_context(
                on=_is_temporary,
                attempts=ATTEMPTS,
                wait_initial=self._first_pause_s,
                wait_jitter=self._first_pause_s,
                timeout=60,
            ):
                with attempt:
                    answer = self._attempt(client, repository, page)
        except httpx.HTTPStatusError as refused:
            status = refused.response.status_code
            raise Unavailable(f"GitHub answers {status} to the request for stars of {repository}") from refused
        except httpx.HTTPError as failed:
            reason = type(failed).__name__
            raise Unavailable(f"The request for stars of {repository} to GitHub fails: {reason}") from failed
        return answer

    def _attempt(self, client: httpx.Client, repository: str, page: int) -> tuple[httpx.Response, bytes]:
        if self._paused_until is not None and self._paused_until > (now := self._now()):
            raise GitHubRateLimited((self._paused_until - now).total_seconds())
        parameters = {"per_page": WEEKS_A_PAGE, "page": page}
        with client.stream("GET", f"/repos/{repository}/stargazers/history", params=parameters) as response:
            body = self._body(response)
        now = self._now()
        wait_s = pause_s(response.status_code, response.headers, body, now)
        if wait_s:
            self._paused_until = now + timedelta(seconds=wait_s)
        if response.status_code in REFUSALS and wait_s:
            raise GitHubRateLimited(wait_s)
        if response.status_code == HTTPStatus.NOT_FOUND:
            raise NotFound(f"GitHub has no repository {repository}")
        response.raise_for_status()
        return response, body

    def _body(self, response: httpx.Response) -> bytes:
        end_s = time.monotonic() + self._answer_s
        body = b""
        for part in response.iter_raw():
            body += part
            if len(body) > LONGEST_ANSWER:
                raise Unavailable(f"GitHub's answer for stars is longer than {LONGEST_ANSWER} bytes")
            if time.monotonic() > end_s:
                raise Unavailable(f"GitHub did not send its answer for stars within {self._answer_s:g} seconds")
        return body


def _is_temporary(failure: Exception) -> bool:
    if isinstance(failure, httpx.HTTPStatusError):
        return failure.response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(failure, httpx.TransportError)


def _first_day(week_s: int) -> int:
    """The number of a week's first day. GitHub's midnight may be some hours before or after that in UTC."""
    return (week_s + _DAY_S // 2) // _DAY_S


def _joined(repository: str, weeks: Mapping[int, list[int]], as_of: datetime) -> StarDays:
    """One history of consecutive weeks, which ends on the day of `as_of`: GitHub counts 0 on the days after it."""
    begins = sorted(weeks)
    today = day_number(as_of.date())
    if not begins or begins[0] > today:
        raise Unavailable(f"GitHub's answer has no day of {repository}")
    if begins != list(range(begins[0], begins[-1] + 1, 7)):
        raise Unavailable(f"GitHub's answer for the stars of {repository} lacks a week")
    counts = np.array([count for begin in begins for count in weeks[begin]], dtype=np.int64)
    return StarDays(repository, day_of(begins[0]), counts[: today - begins[0] + 1], as_of)

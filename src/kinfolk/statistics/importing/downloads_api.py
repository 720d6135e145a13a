"""The client of npm's public API of download counts.

    counts = await DownloadsApi("https://api.npmjs.org").counts(["react"], date(2025, 1, 1), date(2025, 12, 31))

The API silently shortens ranges of more than 18 months, and answers zeros or fewer days while it has no counts, so
each answer is compared with the request. It has counts since 10 January 2015.
https://github.com/npm/registry/blob/main/docs/download-counts.md
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from http import HTTPStatus
from ssl import SSLContext
from typing import Annotated, TypeVar

import httpx
import numpy as np
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.pinned_transport import async_transport
from kinfolk.statistics.histories.history import REGISTRY, DailyCounts
from kinfolk.statistics.package_name import url_path

MAX_BULK = 32
"""Packages of one request. npm allows 128. The answer for 32 is parsed in 3 ms, in which the event loop is blocked."""
MAX_BULK_DAYS = 365
"""Days of a request for several packages, by npm's rule."""
MAX_DAYS = 540
"""Days of a request for one package: npm allows 18 months."""
TIMEOUT_S = 20.0
ANSWER_S = 60.0
"""Seconds for a whole answer: TIMEOUT_S does not limit one that arrives a byte at a time."""
LONGEST_ANSWER = 8 << 20
MAX_COUNT = 10**15
MAX_VERSIONS = 20_000
LONGEST_PAUSE_S = 3600.0

Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
Parsed = TypeVar("Parsed")


class RateLimited(Unavailable):
    """npm refuses requests for some time. `retry_after_s` is None if it does not say for how long."""

    def __init__(self, retry_after_s: float | None) -> None:
        super().__init__("npm limits the rate of requests")
        self.retry_after_s = retry_after_s


class _Day(TypedDict):
    # Text: to compare dates as text takes a quarter of the time to parse them.
    day: str
    downloads: Count


class _Range(BaseModel):
    start: date
    end: date
    package: str = ""
    downloads: Annotated[tuple[_Day, ...], Field(max_length=800)]


class _Point(BaseModel):
    package: str
    downloads: Count


class _Versions(BaseModel):
    package: str
    downloads: Annotated[dict[Annotated[str, Field(max_length=256)], Count], Field(max_length=MAX_VERSIONS)]


class _Failure(BaseModel):
    error: str


_RANGE = TypeAdapter(_Range)
_BULK: TypeAdapter[dict[str, _Range | None]] = TypeAdapter(dict[str, _Range | None])
_POINT, _VERSIONS, _FAILURE = TypeAdapter(_Point), TypeAdapter(_Versions), TypeAdapter(_Failure)


@cache
def _ssl_context() -> SSLContext:
    """Created once: it takes 20 ms."""
    return httpx.create_ssl_context()


def is_unscoped(package: str) -> bool:
    """Whether several such packages may share a request. The whole registry may not."""
    return package != REGISTRY and not package.startswith("@")


class DownloadsApi:
    """Each method makes one request.

    All raise NotFound for a package that npm does not have, RateLimited, and Unavailable for all other failures.
    """

    def __init__(self, base_url: str, *, timeout_s: float = TIMEOUT_S, answer_s: float = ANSWER_S) -> None:
        self._base_url = base_url.rstrip("/")
        self._timeout_s = timeout_s
        self._answer_s = answer_s

    async def counts(self, packages: Sequence[str], first: date, last: date) -> dict[str, DailyCounts | None]:
        """The downloads of each day; None for a package that npm does not have.

        Several packages must be unscoped, at most MAX_BULK, with at most MAX_BULK_DAYS days. The empty name is the
        whole registry, alone.
        """
        path = f"downloads/range/{first}:{last}"
        if len(packages) > 1:
            answers = _parsed(_BULK, await self._get(f"{path}/{','.join(map(url_path, packages))}"))
            return {name: _found(name, answers, first, last) for name in packages}
        name = packages[0]
        try:
            body = await self._get(f"{path}/{url_path(name)}" if name else path)
        except NotFound:
            return {name: None}
        return {name: _checked(name, _parsed(_RANGE, body), first, last)}

    async def check(self, package: str) -> None:
        """Raise NotFound if npm does not have this package."""
        point = _parsed(_POINT, await self._get(f"downloads/point/last-week/{url_path(package)}"))
        _check_name(package, point.package)

    async def version_counts(self, package: str) -> Mapping[str, int]:
        """The downloads of each version in the last week."""
        versions = _parsed(_VERSIONS, await self._get(f"versions/{url_path(package)}/last-week"))
        _check_name(package, versions.package)
        return versions.downloads

    async def _get(self, path: str) -> bytes:
        try:
            async with (
                asyncio.timeout(self._answer_s),
                httpx.AsyncClient(
                    transport=async_transport(self._base_url, verify=_ssl_context()),
                    verify=_ssl_context(),
                    timeout=self._timeout_s,
                    headers={"user-agent": "kinfolk"},
                ) as client,
                client.stream("GET", f"{self._base_url}/{path}") as response,
            ):
                body = await _body(response)
        except TimeoutError:
            raise Unavailable(f"npm did not answer within {self._answer_s:g} seconds") from None
        except httpx.HTTPError as failed:
            raise Unavailable(f"npm cannot be reached: {type(failed).__name__}") from failed
        _check_status(response, body)
        return body


async def _body(response: httpx.Response) -> bytes:
    body = b""
    async for part in response.aiter_bytes():
        body += part
        if len(body) > LONGEST_ANSWER:
            raise Unavailable(f"npm's answer is longer than {LONGEST_ANSWER} bytes")
    return body


def _check_status(response: httpx.Response, body: bytes) -> None:
    status = response.status_code
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        raise RateLimited(_retry_after_s(response.headers.get("retry-after", "")))
    reason = _failure(body)
    # npm also sent failures with the status 200.
    if reason.endswith("not found") and status in (HTTPStatus.NOT_FOUND, HTTPStatus.OK):
        raise NotFound(reason)
    if status != HTTPStatus.OK or reason:
        raise Unavailable(f"npm answers {status}{f': {reason}' if reason else ''}")


def _failure(body: bytes) -> str:
    """The failure that an answer reports, in one line; empty if there is none."""
    try:
        reason = _FAILURE.validate_json(body).error
    except ValidationError:
        return ""
    return " ".join(reason.split())[:200] or "no reason given"


def _retry_after_s(value: str) -> float | None:
    """Seconds from a Retry-After header, which has a number of seconds or a date. None without a valid one."""
    if value.isascii() and value.isdigit():
        return min(float(value), LONGEST_PAUSE_S)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    wait = (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(max(wait, 0.0), LONGEST_PAUSE_S)


def _parsed(adapter: TypeAdapter[Parsed], body: bytes) -> Parsed:
    try:
        return adapter.validate_json(body)
    except ValidationError as wrong:
        raise Unavailable(f"npm's answer is invalid: {wrong.errors()[0]['msg']}") from wrong


def _found(name: str, answers: Mapping[str, _Range | None], first: date, last: date) -> DailyCounts | None:
    if name not in answers:
        raise Unavailable(f"npm's answer has no counts of {name}")
    answer = answers[name]
    return None if answer is None else _checked(name, answer, first, last)


def _checked(name: str, answer: _Range, first: date, last: date) -> DailyCounts:
    """The counts of an answer. Raises Unavailable unless it has every requested day, and no other."""
    _check_name(name, answer.package)
    requested = (last - first).days + 1
    complete = [one["day"] for one in answer.downloads] == [
        (first + timedelta(days=day)).isoformat() for day in range(requested)
    ]
    if (answer.start, answer.end) != (first, last) or not complete:
        raise Unavailable(
            f"npm's answer has {len(answer.downloads)} days from {answer.start} to {answer.end}"
            f" instead of {requested} from {first} to {last}"
        )
    return np.array([one["downloads"] for one in answer.downloads], dtype=np.int64)


def _check_name(requested: str, answered: str) -> None:
    if answered != requested:
        raise Unavailable(f"npm answers with {answered!r} instead of {requested!r}")

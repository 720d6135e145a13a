"""The client of npm's API of download counts, against a stand-in that misbehaves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime

import pytest
from tests.servers.npm_api import Fault, NpmApi, downloads

from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.statistics.importing import downloads_api
from kinfolk.statistics.importing.downloads_api import DownloadsApi, RateLimited

TODAY = date(2026, 11, 22)
FIRST, LAST = date(2026, 1, 1), date(2026, 11, 21)


@pytest.fixture
def npm() -> Iterator[NpmApi]:
    with NpmApi(today=TODAY) as api:
        yield api


def client(npm: NpmApi) -> DownloadsApi:
    return DownloadsApi(npm.url, timeout_s=20)


def impatient_client(npm: NpmApi) -> DownloadsApi:
    """For answers that come later: a busy machine must not delay any other one for so long."""
    return DownloadsApi(npm.url, timeout_s=0.3)


@pytest.mark.parametrize("package", ["react", "@tanstack/react-query", "", "Base64", "a.b_c~d"])
def test_counts_of_a_year(npm: NpmApi, package: str) -> None:
    counts = asyncio.run(client(npm).counts([package], FIRST, LAST))[package]
    assert counts is not None
    assert counts.tolist() == [downloads(package, FIRST + timedelta(days=day)) for day in range(325)]


def test_several_packages_share_a_request(npm: NpmApi) -> None:
    npm.unknown.add("no-such")
    found = asyncio.run(client(npm).counts(["react", "no-such", "vue"], FIRST, FIRST))
    assert found["no-such"] is None
    assert {name: list(counts) for name, counts in found.items() if counts is not None} == {
        name: [downloads(name, FIRST)] for name in ("react", "vue")
    }
    assert len(npm.paths) == 1


def test_unknown_package(npm: NpmApi) -> None:
    npm.unknown.add("no-such")
    assert asyncio.run(client(npm).counts(["no-such"], FIRST, LAST)) == {"no-such": None}
    with pytest.raises(NotFound):
        asyncio.run(client(npm).check("no-such"))
    with pytest.raises(NotFound):
        asyncio.run(client(npm).version_counts("no-such"))


def test_versions_of_a_scoped_package(npm: NpmApi) -> None:
    counts = asyncio.run(client(npm).version_counts("@tanstack/react-query"))
    assert counts["3.2.0"] == 3002
    assert npm.paths == ["/versions/@tanstack%2Freact-query/last-week"]


def test_a_range_that_npm_shortens_is_refused(npm: NpmApi) -> None:
    with pytest.raises(Unavailable, match=r"has 549 days .* instead of 1096"):
        asyncio.run(client(npm).counts(["react"], date(2023, 1, 1), date(2025, 12, 31)))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("server-error", "npm answers 500: internal"),
        ("slow", "npm cannot be reached: ReadTimeout"),
        ("cut", "npm cannot be reached: RemoteProtocolError"),
        ("html", "npm's answer is invalid"),
        ("error-200", "npm answers 200: invalid date"),
        ("short", "instead of 325 from"),
        ("other-package", "npm answers with 'left-pad' instead of 'react'"),
        ("endless", "longer than"),
    ],
)
def test_a_wrong_answer_is_refused(npm: NpmApi, fault: Fault, message: str) -> None:
    npm.faults = iter([fault])
    api = impatient_client(npm) if fault == "slow" else client(npm)
    with pytest.raises(Unavailable, match=message) as refused:
        asyncio.run(api.counts(["react"], FIRST, LAST))
    assert not isinstance(refused.value, RateLimited)


@pytest.mark.parametrize("fault", ["short", "other-package", "html", "cut", "error-200"])
def test_a_wrong_answer_for_several_packages_is_refused(npm: NpmApi, fault: Fault) -> None:
    npm.faults = iter([fault])
    with pytest.raises(Unavailable):
        asyncio.run(client(npm).counts(["react", "vue"], FIRST, LAST))


@pytest.mark.parametrize(("fault", "seconds"), [("limit", None), ("limit-for-1s", 1.0)])
def test_rate_limit(npm: NpmApi, fault: Fault, seconds: float | None) -> None:
    npm.faults = iter([fault])
    with pytest.raises(RateLimited) as limited:
        asyncio.run(client(npm).counts(["react"], FIRST, LAST))
    assert limited.value.retry_after_s == seconds


def test_retry_after_in_seconds_is_at_most_an_hour() -> None:
    assert downloads_api._retry_after_s("17") == 17
    assert downloads_api._retry_after_s("999999") == 3600


def test_retry_after_as_a_date() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=90)
    seconds = downloads_api._retry_after_s(format_datetime(soon, usegmt=True))
    assert seconds is not None
    assert 60 <= seconds <= 90
    assert downloads_api._retry_after_s("Wed, 21 Oct 2015 07:28:00 GMT") == 0


@pytest.mark.parametrize("value", ["", "soon", "-3", "1e9", "²"])
def test_invalid_retry_after_is_ignored(value: str) -> None:
    assert downloads_api._retry_after_s(value) is None


def test_an_answer_that_arrives_slowly_is_refused(npm: NpmApi) -> None:
    npm.faults = iter(["slow"])
    with pytest.raises(Unavailable, match="did not answer within"):
        asyncio.run(DownloadsApi(npm.url, timeout_s=20, answer_s=0.2).counts(["react"], FIRST, LAST))


def test_no_server() -> None:
    with pytest.raises(Unavailable, match="npm cannot be reached: ConnectError"):
        asyncio.run(DownloadsApi("http://127.0.0.1:9").counts(["react"], FIRST, LAST))


@pytest.mark.parametrize("body", [{"start": "2026-01-01"}, [], {"react": 3}, {"react": {"downloads": []}}, {}])
def test_answers_of_another_form_are_refused(npm: NpmApi, monkeypatch: pytest.MonkeyPatch, body: object) -> None:
    monkeypatch.setattr(npm, "answer", lambda _: (200, body))
    for packages in (["react"], ["react", "vue"]):
        with pytest.raises(Unavailable):
            asyncio.run(client(npm).counts(packages, FIRST, LAST))


@pytest.mark.parametrize("count", [-1, 1.5, 10**16, None, "many"])
def test_impossible_counts_are_refused(npm: NpmApi, monkeypatch: pytest.MonkeyPatch, count: object) -> None:
    day = {"day": "2026-01-01", "downloads": count}
    body = {"start": "2026-01-01", "end": "2026-01-01", "package": "react", "downloads": [day]}
    monkeypatch.setattr(npm, "answer", lambda _: (200, body))
    with pytest.raises(Unavailable):
        asyncio.run(client(npm).counts(["react"], FIRST, FIRST))

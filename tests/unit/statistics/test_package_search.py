"""Suggestions from a search service, which requests never wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest

from kinfolk.statistics import package_search as module
from kinfolk.statistics.package_search import MAX_RUNNING, PackageSearch
from kinfolk.statistics.statistics_types import PackageSuggestion

Answer = Callable[[str], tuple[int, bytes]]


class Service(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Answer = lambda text: (200, found(text, f"{text}-router"))
        self.texts: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/-/v1/search"


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        assert query["size"] == ["10"]
        self.server.texts.append(query["text"][0])
        status, body = self.server.answer(query["text"][0])
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def found(*names: str, description: str = "") -> bytes:
    return orjson.dumps({"objects": [{"package": {"name": name, "description": description}} for name in names]})


@pytest.fixture
def service() -> Iterator[Service]:
    server = Service()
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


async def answered(search: PackageSearch, text: str) -> tuple[PackageSuggestion, ...]:
    """The first answer that is complete."""
    async with asyncio.timeout(30):
        while (results := search.results(text)) is None:  # noqa: ASYNC110 - as clients do
            await asyncio.sleep(0.01)
    return results


def test_results_are_there_a_moment_later(service: Service) -> None:
    async def run() -> None:
        search = PackageSearch(service.url)
        assert search.results("React ") is None
        assert search.results("react") is None
        assert [one.name for one in await answered(search, "react")] == ["react", "react-router"]
        assert search.results("react") is not None
        assert search.results("  ") == ()

    asyncio.run(run())
    assert service.texts == ["react"]


def test_names_and_descriptions_are_cleaned(service: Service) -> None:
    service.answer = lambda _: (200, found("../etc", "@a/b", "é", description="Draws\u202e\n" + "x" * 500))
    (one,) = asyncio.run(answered(PackageSearch(service.url), "draw"))
    assert (one.name, one.stored) == ("@a/b", False)
    assert one.description.startswith("Draws x")
    assert len(one.description) == 120


@pytest.mark.parametrize(
    "answer",
    [(500, b""), (200, b"<html>"), (200, b"[]"), (200, b'{"objects": 3}'), (429, b""), (200, b" " * (2 << 20))],
)
def test_a_failing_service_is_left_alone_for_some_time(service: Service, answer: tuple[int, bytes]) -> None:
    service.answer = lambda _: answer

    async def run() -> None:
        search = PackageSearch(service.url)
        assert await answered(search, "react") == ()
        assert search.results("vue") == ()

    asyncio.run(run())
    assert service.texts == ["react"]


def test_a_service_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FAILED_S", 0.0)

    async def run() -> None:
        search = PackageSearch("http://127.0.0.1:9/search")
        assert search.results("react") is None
        await asyncio.sleep(0.2)
        assert search.results("react") is None
        await asyncio.sleep(0.2)

    asyncio.run(run())


def test_few_requests_run_at_a_time(service: Service) -> None:
    async def run() -> None:
        search = PackageSearch(service.url)
        answers = [search.results(f"text {number}") for number in range(20)]
        assert answers == [None] * MAX_RUNNING + [()] * (20 - MAX_RUNNING)
        for number in range(MAX_RUNNING):
            await answered(search, f"text {number}")

    asyncio.run(run())
    assert len(service.texts) == MAX_RUNNING

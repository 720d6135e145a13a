"""How requests arrive: the real endpoint behind proxies that misbehave."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send
from tests.sites.sample_site import read_settings

from kinfolk.cli.doctor.origin_checks import ArrivedRequest, check_origin, header_findings
from kinfolk.config.settings import Settings
from kinfolk.web.endpoints.diagnostics import DiagnosticEndpoint
from kinfolk.web.processes.server_lock import running_server


async def unsigned(_: Request) -> JSONResponse:
    return JSONResponse({"message": "The signature does not fit"}, 403)


class FaultyProxy:
    """An application that changes requests and answers as its `fault` says."""

    def __init__(self, settings: Settings) -> None:
        self.fault = ""
        self._stored: list[Message] = []
        self._app = Starlette(
            routes=[*DiagnosticEndpoint(settings).routes(), Route("/_hooks/github", unsigned, methods=["POST"])]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self._change(scope)
            if self.fault in {"buffers", "caches"}:
                await self._answer_at_once(scope, receive, send)
                return
            if self.fault == "is another site" or (self.fault == "blocks posts" and scope["method"] == "POST"):
                await JSONResponse({}, 404)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _change(self, scope: Scope) -> None:
        headers = dict(scope["headers"])
        if self.fault == "changes the host":
            headers[b"host"] = b"127.0.0.1:9"
        if self.fault == "is not trusted":
            headers[b"x-forwarded-for"] = b"203.0.113.7"
            scope["client"] = ("10.0.0.9", 1)
        if self.fault == "drops encodings":
            headers.pop(b"accept-encoding", None)
        scope["headers"] = list(headers.items())

    async def _answer_at_once(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: list[Message] = []

        async def collect(message: Message) -> None:
            answer.append(message)

        is_cached = self.fault == "caches" and scope["path"] == "/_diagnostics"
        if not (is_cached and self._stored):
            await self._app(scope, receive, collect)
        if is_cached:
            self._stored = answer = self._stored or answer
        body = b"".join(message.get("body", b"") for message in answer)
        await send(answer[0])
        await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, FaultyProxy]]:
    listening = socket.create_server(("127.0.0.1", 0))
    var = tmp_path_factory.mktemp("var")
    environment = {"KINFOLK_VAR": str(var), "KINFOLK_WEBHOOK_SECRET": "s"}
    settings = read_settings(environment | {"KINFOLK_ORIGIN": f"http://127.0.0.1:{listening.getsockname()[1]}"})
    proxy = FaultyProxy(settings)
    server = uvicorn.Server(uvicorn.Config(proxy, lifespan="off", log_level="critical"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    with running_server(var):
        yield settings, proxy
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("", "Requests arrive as they must"),
        ("is another site", "not from this server"),
        ("changes the host", "The Host header arrives as '127.0.0.1:9'"),
        ("is not trusted", "10.0.0.9 sends X-Forwarded-For, and is not trusted"),
        ("drops encodings", "Accept-Encoding does not arrive"),
        ("caches", "A cache stores answers"),
        ("buffers", "A proxy buffers streams"),
        ("blocks posts", "pushes do not arrive"),
    ],
)
def test_faults_of_proxies_are_found(proxied: tuple[Settings, FaultyProxy], fault: str, expected: str) -> None:
    settings, proxy = proxied
    proxy.fault = fault
    found = check_origin(settings)
    assert any(expected in finding.message for finding in found), found
    assert (found[0].status == "ok") == (not fault)
    assert list(settings.var.glob("*.token")) == []


@pytest.mark.parametrize(
    ("origin", "forwarded", "expected"),
    [
        ("https", "https", []),
        ("https", "", []),
        ("https", "http", ["a part of the way is not encrypted"]),
        ("https", "https, http", ["a part of the way is not encrypted"]),
        ("http", "https", ["KINFOLK_ORIGIN begins with http://"]),
        ("http", "http", []),
    ],
)
def test_scheme_of_the_proxy_is_compared_with_the_origin(origin: str, forwarded: str, expected: list[str]) -> None:
    settings = read_settings({"KINFOLK_ORIGIN": f"{origin}://docs.example.com", "KINFOLK_SECRET": "s" * 32})
    headers = {"host": "docs.example.com", "accept-encoding": "br", "x-forwarded-proto": forwarded}
    arrived = ArrivedRequest("10.0.0.9", False, "10.0.0.9", "1.1", headers, "nonce")
    found = list(header_findings(settings, arrived))
    assert [part in finding.message for finding, part in zip(found, expected, strict=True)] == [True] * len(expected)
    assert all(finding.advice for finding in found)


def test_without_a_server_nothing_is_requested(tmp_path: Path) -> None:
    [found] = check_origin(read_settings({"KINFOLK_VAR": str(tmp_path)}))
    assert found.status == "warning"
    assert list(tmp_path.iterdir()) == []

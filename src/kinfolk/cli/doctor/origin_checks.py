"""Checks of the way from the public address to the server: proxies, caches and streams, as requests arrive."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson

from kinfolk.cli.doctor.checkup import CheckFinding, fault, ok, warning
from kinfolk.cli.doctor.upstream_checks import TIMEOUT_S, ProbeResult, failure_advice, failure_reason, probe
from kinfolk.config.settings import Settings, is_development
from kinfolk.web.endpoints.diagnostics import HEADER, PATH, PAUSE_S, PIECES, STREAM_PATH, diagnostic_token
from kinfolk.web.endpoints.webhooks.webhook_formats import WEBHOOK_FORMATS
from kinfolk.web.processes.server_lock import is_server_running

UNSIGNED = 403
"""The answer of the webhook to a request without a signature: it has arrived, and does nothing."""


@dataclass(frozen=True)
class ArrivedRequest:
    """How the server saw a request."""

    peer: str
    peer_is_trusted: bool
    client: str
    http_version: str
    headers: Mapping[str, str]
    nonce: str


def check_origin(settings: Settings) -> list[CheckFinding]:
    """Send requests to the public address, and compare how they arrive with what the server needs.

    Writes a file to `var` for the time of the check: the server answers only to who can do that.
    """
    name = "proxy"
    if not is_server_running(settings.var):
        return [warning(name, f"No server runs with {settings.var}", "Start the server, and run this command again")]
    try:
        with diagnostic_token(settings.var) as token:
            headers = {HEADER: token, "accept-encoding": "br, gzip"}
            first = probe(settings.origin + PATH, headers)
            arrived = _arrived(first)
            if arrived is None:
                message = f"{settings.origin}{PATH} answers with status {first.status}, not from this server"
                return [fault(name, message, "Let KINFOLK_ORIGIN and the proxy name the server of this folder")]
            second = _arrived(probe(settings.origin + PATH, headers))
            found = [*header_findings(settings, arrived), *_cache(arrived, second), *_stream(settings, headers)]
            found += _webhook(settings)
    except httpx2.HTTPError as failure:
        return [fault(name, f"{settings.origin}: {failure_reason(failure)}", failure_advice(failure))]
    except OSError as failure:
        return [
            fault(name, f"{settings.var} cannot be written: {failure.strerror}", "Run it as the user of the server")
        ]
    way = f"HTTP/{arrived.http_version} from {arrived.peer}, client {arrived.client}"
    return found or [ok(name, f"Requests arrive as they must: {way}")]


def _arrived(answer: ProbeResult | None) -> ArrivedRequest | None:
    if answer is None or answer.status != 200:  # noqa: PLR2004 - OK
        return None
    try:
        found: dict[str, Any] = orjson.loads(answer.body)
        return ArrivedRequest(**found)
    except (ValueError, TypeError):
        return None


def header_findings(settings: Settings, arrived: ArrivedRequest) -> Iterator[CheckFinding]:
    """What proxies have done to the headers of a request."""
    host, expected = arrived.headers.get("host", ""), urlsplit(settings.origin).netloc
    if host.lower() != expected.lower():
        advice = "Let the proxy pass it on: `proxy_set_header Host $host` in nginx"
        yield fault("proxy", f"The Host header arrives as {host!r}, not as {expected!r}", advice)
    forwarded = arrived.headers.get("x-forwarded-for", "")
    if forwarded and not arrived.peer_is_trusted:
        message = f"{arrived.peer} sends X-Forwarded-For, and is not trusted: all readers share its limits"
        yield fault("proxy", message, f"Add {arrived.peer} to KINFOLK_TRUSTED_PROXIES")
    elif not forwarded and arrived.peer_is_trusted and not is_development(settings):
        message = "X-Forwarded-For does not arrive: readers have no addresses, and no limits"
        yield fault("proxy", message, "`proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for` in nginx")
    yield from _scheme(settings, arrived)
    if not {"br", "gzip"} & {part.strip() for part in arrived.headers.get("accept-encoding", "").split(",")}:
        advice = "Pass it on, or let the proxy compress: pages are three to five times smaller"
        yield warning("proxy", "Accept-Encoding does not arrive: the server compresses nothing", advice)


def _scheme(settings: Settings, arrived: ArrivedRequest) -> Iterator[CheckFinding]:
    """The server does not read X-Forwarded-Proto, but it shows where TLS ends."""
    schemes = {part.strip().lower() for part in arrived.headers.get("x-forwarded-proto", "").split(",")} - {""}
    expected = urlsplit(settings.origin).scheme
    if expected == "https" and "http" in schemes:
        message = (
            "X-Forwarded-Proto arrives as 'http': a part of the way is not encrypted, or a proxy replaces the header"
        )
        advice = "Let the CDN connect to the proxy with TLS, and a proxy behind another pass the header on"
        yield warning("proxy", message, advice)
    elif expected == "http" and "https" in schemes:
        message = "X-Forwarded-Proto arrives as 'https', and KINFOLK_ORIGIN begins with http://"
        yield fault("proxy", message, "Let KINFOLK_ORIGIN begin with https://: pages link to it, and cookies need it")


def _cache(first: ArrivedRequest, second: ArrivedRequest | None) -> Iterator[CheckFinding]:
    if second is not None and second.nonce == first.nonce:
        advice = "Let the cache obey Cache-Control: it would show a reader the account of another"
        yield fault("proxy", "A cache stores answers with Cache-Control: no-store", advice)


def _stream(settings: Settings, headers: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Whether the pieces of a stream arrive one after another, as those of /api/live must."""
    times_s: list[float] = []
    with (
        httpx2.Client(timeout=TIMEOUT_S) as client,
        client.stream("GET", settings.origin + STREAM_PATH, headers=dict(headers)) as answer,
    ):
        for _ in answer.iter_raw():
            times_s.append(time.monotonic())
            if len(times_s) > PIECES:
                break
    if len(times_s) < 2 or times_s[-1] - times_s[0] < PAUSE_S / 2:  # noqa: PLR2004 - together
        advice = "Turn buffering off for /api/live: `proxy_buffering off` in nginx"
        yield fault("live events", "A proxy buffers streams: readers get live events late or never", advice)


def _webhook(settings: Settings) -> list[CheckFinding]:
    if not settings.webhook_secret:
        return []
    path = f"/_hooks/{next(iter(WEBHOOK_FORMATS))}"
    answer = probe(settings.origin + path, method="POST")
    if answer.status == UNSIGNED and b"does not fit" in answer.body:
        return []
    message = f"{settings.origin}{path} answers with status {answer.status}: pushes do not arrive"
    return [fault("webhook", message, "Let the proxy pass addresses below /_hooks/ on")]

"""Checks of other servers: whether they answer, their certificates and clocks, the mail server, GitHub's limits."""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx2

from kinfolk.accounts.outgoing_mail import connect, disconnect, mail_server
from kinfolk.cli.doctor.checkup import CheckFinding, fault, ok, warning
from kinfolk.config.settings import Settings

TIMEOUT_S = 4.0
"""Of each step of a request. The deadline of the check limits the whole."""
FEW_DAYS = 14
"""Days of a certificate, after which a renewal that runs is late."""
FEW_REQUESTS = 500
"""Of the 5,000 that GitHub allows an hour with a token."""
MOST_BODY_BYTES = 1 << 20


@dataclass(frozen=True)
class ProbeResult:
    """The answer of a server. `days` is how long its certificate is valid; None without TLS."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    skew_s: float | None
    days: float | None


def utc_now() -> datetime:
    return datetime.now(UTC)


def probe(
    url: str,
    headers: Mapping[str, str] | None = None,
    *,
    method: str = "GET",
    now: Callable[[], datetime] = utc_now,
    context: ssl.SSLContext | None = None,
) -> ProbeResult:
    """One request without redirects, of whose answer at most MOST_BODY_BYTES are read. Raises httpx2.HTTPError."""
    verify = context or ssl.create_default_context()
    with (
        httpx2.Client(timeout=TIMEOUT_S, verify=verify) as client,
        client.stream(method, url, headers=dict(headers or {})) as answer,
    ):
        # Read before the body, after which the connection may be closed.
        stream = answer.extensions.get("network_stream")
        secured = stream.get_extra_info("ssl_object") if stream is not None else None
        days = _days_left(secured.getpeercert(), now()) if secured is not None else None
        body = b""
        for piece in answer.iter_raw():
            body += piece
            if len(body) > MOST_BODY_BYTES:
                break
        return ProbeResult(answer.status_code, answer.headers, body, _skew_s(answer.headers.get("date"), now()), days)


def _days_left(certificate: Mapping[str, object] | None, now: datetime) -> float | None:
    ends = certificate.get("notAfter") if certificate else None
    return (ssl.cert_time_to_seconds(str(ends)) - now.timestamp()) / 86400 if ends else None


def _skew_s(date: str | None, now: datetime) -> float | None:
    try:
        there = parsedate_to_datetime(date) if date else None
    except ValueError:
        return None
    if there is None or there.tzinfo is None:
        return None
    # The header has whole seconds.
    return (now - there).total_seconds() - 0.5


def check_server(
    name: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    now: Callable[[], datetime] = utc_now,
    context: ssl.SSLContext | None = None,
) -> list[CheckFinding]:
    """Whether a server answers, how long its certificate is valid, and its clock."""
    shown = _without_secrets(url)
    try:
        answer = probe(url, headers, now=now, context=context)
    except httpx2.HTTPError as failure:
        return [fault(name, f"{shown}: {failure_reason(failure)}", failure_advice(failure))]
    if answer.status >= 500:  # noqa: PLR2004 - server errors
        return [fault(name, f"{shown} answers with status {answer.status}", "Try again later, or read its status page")]
    if answer.days is not None and answer.days < FEW_DAYS:
        message = f"The certificate of {shown} is valid for {answer.days:.0f} days"
        return [CheckFinding(name, "warning", message, "Renew it", answer.skew_s)]
    valid = f", certificate valid for {answer.days:.0f} days" if answer.days is not None else ""
    return [CheckFinding(name, "ok", f"{shown} answers{valid}", "", answer.skew_s)]


def failure_reason(failure: Exception) -> str:
    cause: BaseException | None = failure
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not valid: {cause.verify_message}"
        cause = cause.__cause__ or cause.__context__
    if isinstance(failure, httpx2.TimeoutException):
        return f"no answer within {TIMEOUT_S:g} s"
    return str(failure)[:150] or type(failure).__name__


def failure_advice(failure: Exception) -> str:
    if "certificate" in failure_reason(failure):
        return "Renew the certificate, install its whole chain, or add its authority to this machine"
    return "Check the address, the firewall and the name server of this machine"


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}"


def upstreams(settings: Settings, code_hosts: Sequence[str]) -> list[tuple[str, str]]:
    """The names and addresses of servers that a site with these settings makes requests to."""
    found = [("code host", address) for address in dict.fromkeys(code_hosts)] if settings.mirror is not None else []
    if settings.npm_import:
        found.append(("npm API", settings.npm_downloads_api))
    if settings.npm_registry:
        found.append(("npm registry", settings.npm_registry))
    if settings.ask_url:
        found.append(("answers", settings.ask_url))
    if settings.otlp:
        found.append(("collector", settings.otlp))
    if settings.github_oauth_id:
        found.append(("sign-in with GitHub", settings.github_site))
    if settings.google_oauth_id:
        found.append(("sign-in with Google", "https://accounts.google.com/.well-known/openid-configuration"))
    return found


def check_github(settings: Settings, *, now: Callable[[], datetime] = utc_now) -> list[CheckFinding]:
    """Whether GitHub's API accepts the token, and how many requests are left. The request itself does not count."""
    url = f"{settings.github_api}/rate_limit"
    headers = {"authorization": f"Bearer {settings.github_token}"} if settings.github_token else {}
    found = check_server("GitHub API", url, headers=headers, now=now)
    if found[0].status != "ok":
        return found
    answer = probe(url, headers, now=now)
    if answer.status == 401:  # noqa: PLR2004 - RFC 9110, 15.5.2
        return [fault("GitHub API", "GitHub refuses KINFOLK_GITHUB_TOKEN", "Make a new token, without any permission")]
    try:
        left, limit = (int(answer.headers[f"x-ratelimit-{name}"]) for name in ("remaining", "limit"))
    except (KeyError, ValueError):
        return found
    message = f"{left:,} of {limit:,} requests an hour are left"
    if not settings.github_token:
        return [warning("GitHub API", f"{message}, without a token", "Set KINFOLK_GITHUB_TOKEN for 5,000 an hour")]
    if left < FEW_REQUESTS:
        return [warning("GitHub API", message, "Use a token that nothing else uses")]
    return [CheckFinding("GitHub API", "ok", message, "", found[0].skew_s)]


def check_mail(settings: Settings) -> list[CheckFinding]:
    """Connect to the mail server, encrypt, and sign in; nothing is sent. Raises Invalid for a wrong setting."""
    server = mail_server(settings.smtp, settings.mail_from)
    place = f"{server.host}:{server.port}"
    try:
        connection = connect(server, timeout_s=TIMEOUT_S)
    except smtplib.SMTPAuthenticationError as refused:
        message = f"{place} refuses the user and the password (code {refused.smtp_code})"
        return [fault("mail", message, "Correct the user and the password in KINFOLK_SMTP")]
    except (OSError, smtplib.SMTPException, socket.gaierror) as failure:
        reason = failure.verify_message if isinstance(failure, ssl.SSLCertVerificationError) else str(failure)[:100]
        return [
            fault(
                "mail", f"{place}: {reason or type(failure).__name__}", "Check the address, the port and the firewall"
            )
        ]
    disconnect(connection)
    return [ok("mail", f"{place} accepts mail from {settings.mail_from}")]

"""`/_hooks/{host}`: a push to a repository refreshes its docs at once, a release its notes; a star changes its count on
GitHub, and a pull request gets a preview. Each delivery is recorded, for the dashboard.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kinfolk.config.code_hosts import HostKind
from kinfolk.maintenance.webhooks.delivery import CountedDelivery, DeliveryOutcome, SentEvent
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site
from kinfolk.web.endpoints.webhooks.webhook_answers import (
    WebhookAnswer,
    answer_pull_request,
    answer_push,
    answer_release,
    answer_star,
)
from kinfolk.web.endpoints.webhooks.webhook_formats import WEBHOOK_FORMATS, WebhookFormat
from kinfolk.web.endpoints.webhooks.webhook_payloads import read_payload
from kinfolk.web.protocol.client_limits import TooLarge, read_body
from kinfolk.web.refusal_log import log_refusal

MAX_BODY_BYTES = 5 << 20
"""A push of 2,048 commits, the maximum that GitHub sends, has about 3 MB."""


def webhook_routes() -> list[Route]:
    """The address for each kind of code host."""
    return [Route(f"/_hooks/{host}", partial(_answer_webhook, host), methods=["POST"]) for host in WEBHOOK_FORMATS]


async def _answer_webhook(host: HostKind, request: Request) -> Response:
    """Check the signature, answer the event, and record it."""
    site: Site = request.app.state.site
    webhook_format = WEBHOOK_FORMATS[host]
    secret = site.settings.webhook_secret
    if not secret:
        return _refuse(site, host, 404, "The webhook is not set up", "no_secret")
    try:
        body = await read_body(request, MAX_BODY_BYTES)
    except SiteError as failure:
        log_refusal("webhook", failure.code, address=_client(request))
        outcome: DeliveryOutcome = "too_large" if isinstance(failure, TooLarge) else "too_slow"
        return _refuse(site, host, failure.status, failure.message, outcome)
    proof = secret
    if webhook_format.proof == "signature":
        proof = webhook_format.proof_prefix + await asyncio.to_thread(_signature, secret, body)
    if not hmac.compare_digest(proof.encode(), request.headers.get(webhook_format.proof_header, "").encode()):
        log_refusal("webhook", "signature", address=_client(request))
        return _refuse(site, host, 403, f"The {webhook_format.proof} does not fit", "wrong_signature")
    event = request.headers.get(webhook_format.event_header, "")
    answer = await _answer_event(site, host, event, request, body)
    if answer.outcome == "invalid":
        log_refusal("webhook", "payload", address=_client(request))
    _record(site, host, SentEvent(_delivery_id(request, webhook_format), event), answer)
    if answer.refs:
        request.app.state.refresher.wake(list(answer.refs))
    return JSONResponse({"message": answer.message}, answer.status)


async def _answer_event(site: Site, host: HostKind, event: str, request: Request, body: bytes) -> WebhookAnswer:
    webhook_format = WEBHOOK_FORMATS[host]
    if host == "github" and event == "ping":
        return WebhookAnswer(200, "pong", "ping")
    payload = await asyncio.to_thread(read_payload, request, body)
    if host == "github" and event == "star":
        return await answer_star(site, payload)
    if event == webhook_format.pull_request_event:
        return await answer_pull_request(site, host, payload)
    if event == webhook_format.release_event:
        return await answer_release(site, host, payload)
    return await answer_push(site, host, payload, is_push=event in webhook_format.push_events)


def _record(site: Site, host: HostKind, sent: SentEvent, answer: WebhookAnswer) -> None:
    """Record a delivery with a valid signature. Before the refresh is requested: its result is added to a push."""
    maintenance = site.maintenance
    sent = sent._replace(repo=answer.repo, ref=answer.ref, commit=answer.commit).printable()
    if answer.outcome == "unused_event":
        # An organization may send many of them.
        maintenance.deliveries.count(CountedDelivery(host, answer.status, answer.outcome, sent.event, sent.repo))
        return
    delivery = maintenance.deliveries.add(
        host, sent, status=answer.status, outcome=answer.outcome, detail=answer.detail
    )
    if answer.refs:
        maintenance.pushes.expect(delivery, answer.refs[0])


def _refuse(site: Site, host: HostKind, status: int, message: str, outcome: DeliveryOutcome) -> Response:
    """Refuse a request that may come from any client. It is counted: nothing that it says is stored."""
    site.maintenance.deliveries.count(CountedDelivery(host, status, outcome))
    return JSONResponse({"message": message}, status)


def _delivery_id(request: Request, webhook_format: WebhookFormat) -> str:
    return next((value for name in webhook_format.id_headers if (value := request.headers.get(name))), "")


def _signature(secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _client(request: Request) -> str:
    return request.client.host if request.client else ""

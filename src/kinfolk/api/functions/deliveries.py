"""The deliveries of webhooks, for maintainers. The function refuses readers who are not maintainers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import StringConstraints

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.config.code_hosts import HostKind
from kinfolk.maintenance.webhooks.delivery import (
    LONGEST_REPO,
    DeliveryOutcome,
    DeliveryResult,
    SyncOutcome,
    WebhookDelivery,
)
from kinfolk.runtime.cache import PRIVATE

MOST_DELIVERIES = 100
"""Deliveries that the dashboard lists."""


@dataclass(frozen=True)
class DeliveryItem:
    """A delivery, or `count` of them with one outcome. `at` is in UTC; `earlier` are deliveries with the same id.

    `sync_after_s` is from the delivery to the end of the sync after it; null before that.
    """

    key: str
    at: str
    host: str
    id: str
    event: str
    repo: str
    ref: str
    commit: str
    status: int
    result: DeliveryResult
    outcome: DeliveryOutcome
    detail: str
    count: int
    earlier: int
    sync: SyncOutcome | None
    sync_commit: str
    sync_after_s: float | None
    sync_reason: str


@dataclass(frozen=True)
class WebhookAddress:
    """The address of this site for the webhooks of a code host, with the name of that."""

    host: str
    label: str
    url: str


@dataclass(frozen=True)
class DeliveryReport:
    """The last deliveries, the newest first. `has_secret` says whether the webhook is set up on this site.

    `now` is the time of the server in UTC, `refresh_s` the seconds between two syncs without a webhook; 0 for none.
    """

    now: str
    has_secret: bool
    mirrored: bool
    refresh_s: float
    addresses: tuple[WebhookAddress, ...]
    repositories: tuple[str, ...]
    deliveries: tuple[DeliveryItem, ...]


@request_data
class DeliveryRequest:
    """Deliveries with a result, and of a repository; `all` and an empty text for all."""

    result: Literal["all", "accepted", "ignored", "refused", "failed"]
    repo: Annotated[str, StringConstraints(max_length=LONGEST_REPO)]


@registry.function("maintenance.deliveries", cache=PRIVATE)
async def maintenance_deliveries(call: Call, request: DeliveryRequest) -> DeliveryReport:
    """What webhooks delivered, and what came of it."""
    await call.require_maintainer()
    return await asyncio.to_thread(_report, call, request)


def _report(call: Call, request: DeliveryRequest) -> DeliveryReport:
    store, settings = call.site.maintenance.deliveries.store, call.site.settings
    result = None if request.result == "all" else request.result
    return DeliveryReport(
        now=f"{store.now().isoformat(timespec='seconds')}Z",
        has_secret=bool(settings.webhook_secret),
        mirrored=settings.mirror is not None,
        refresh_s=settings.refresh_s,
        addresses=tuple(_addresses(call)),
        repositories=tuple(store.repositories()),
        deliveries=tuple(map(_item, store.newest(limit=MOST_DELIVERIES, result=result, repo=request.repo))),
    )


def _addresses(call: Call) -> list[WebhookAddress]:
    """Of the hosts that have docs of this site."""
    labels: dict[HostKind, str] = {}
    for library in call.site.catalog.libraries:
        if library.code_host is not None:
            labels.setdefault(library.host, library.code_host.label)
    origin = call.site.settings.origin
    return [WebhookAddress(host, label, f"{origin}/_hooks/{host}") for host, label in labels.items()]


def _item(delivery: WebhookDelivery) -> DeliveryItem:
    sent, sync = delivery.sent, delivery.sync
    return DeliveryItem(
        key=delivery.key,
        at=f"{delivery.at.isoformat(timespec='seconds')}Z",
        host=delivery.host,
        id=sent.id,
        event=sent.event,
        repo=sent.repo,
        ref=sent.ref,
        commit=sent.commit,
        status=delivery.status,
        result=delivery.result,
        outcome=delivery.outcome,
        detail=delivery.detail,
        count=delivery.count,
        earlier=delivery.earlier,
        sync=sync.outcome if sync else None,
        sync_commit=sync.commit if sync else "",
        sync_after_s=sync.after_ms / 1000 if sync else None,
        sync_reason=sync.reason if sync else "",
    )

"""Checks whether deliveries of the webhook have arrived."""

from __future__ import annotations

from kinfolk.cli.doctor.checkup import CheckFinding, ok, warning
from kinfolk.db.database import Database, utc_now
from kinfolk.maintenance.webhooks.delivery import WebhookDelivery
from kinfolk.maintenance.webhooks.webhook_deliveries import KEPT_DAYS, WebhookDeliveries
from kinfolk.runtime.errors import Unavailable

_NAME = "webhook"


def check_deliveries(database: Database) -> list[CheckFinding]:
    """The last delivery with a valid signature, of a site with a webhook. Nothing for tables of another version."""
    store = WebhookDeliveries(database, now=utc_now)
    try:
        verified = [store.newest(limit=1, result=result) for result in ("accepted", "ignored", "failed")]
        refused = store.newest(limit=1, result="refused")
    except Unavailable:
        return []
    found = [delivery for deliveries in verified for delivery in deliveries]
    if found:
        last = max(found, key=lambda delivery: delivery.at)
        return [ok(_NAME, f"The last delivery came at {last.at:%Y-%m-%d %H:%M} UTC: {_described(last)}")]
    if refused:
        advice = "Compare the secret at the code host with KINFOLK_WEBHOOK_SECRET"
        return [warning(_NAME, f"All deliveries of the last {KEPT_DAYS} days were refused", advice)]
    advice = "Send the test of the code host, and read its answer there"
    return [warning(_NAME, f"No delivery has arrived in {KEPT_DAYS} days", advice)]


def _described(delivery: WebhookDelivery) -> str:
    """`push of acme/atlas, accepted, served`."""
    sent, sync = delivery.sent, delivery.sync
    event = " of ".join(filter(None, (sent.event or delivery.outcome, sent.repo)))
    outcome = {"served": "served", "failed": "sync failed"}.get(sync.outcome, "nothing new") if sync else ""
    return ", ".join(filter(None, (event, delivery.result, outcome)))

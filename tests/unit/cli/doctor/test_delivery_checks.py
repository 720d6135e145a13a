"""`kinfolk doctor` names the last delivery of the webhook."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kinfolk.cli.doctor.delivery_checks import check_deliveries
from kinfolk.db.database import Database, utc_now
from kinfolk.db.schema import downgrade
from kinfolk.maintenance.webhooks.delivery import CountedDelivery, PushSync, SentEvent, WebhookDelivery
from kinfolk.maintenance.webhooks.webhook_deliveries import WebhookDeliveries


@pytest.fixture
def store(sqlite_database: Database) -> WebhookDeliveries:
    return WebhookDeliveries(sqlite_database, now=utc_now)


def test_last_verified_delivery_is_named(store: WebhookDeliveries, sqlite_database: Database) -> None:
    sent, at = SentEvent("1", "push", "acme/atlas", "main"), utc_now()
    served = WebhookDelivery("a", at, "github", sent, 202, "push", sync=PushSync("served", 900, ""))
    older = WebhookDelivery("b", at - timedelta(days=1), "github", sent, 200, "other_branch")
    store.put([served, older], {CountedDelivery("github", 403, "wrong_signature"): 9})
    (found,) = check_deliveries(sqlite_database)
    assert (found.status, found.message.partition("UTC: ")[2]) == ("ok", "push of acme/atlas, accepted, served")


def test_webhook_without_a_valid_delivery_is_a_warning(store: WebhookDeliveries, sqlite_database: Database) -> None:
    assert [(each.status, each.message) for each in check_deliveries(sqlite_database)] == [
        ("warning", "No delivery has arrived in 30 days")
    ]
    store.put([], {CountedDelivery("github", 403, "wrong_signature"): 9})
    assert [(each.status, each.message) for each in check_deliveries(sqlite_database)] == [
        ("warning", "All deliveries of the last 30 days were refused")
    ]


def test_tables_of_the_version_before_are_no_fault(sqlite_database: Database) -> None:
    downgrade(sqlite_database, "0012")
    assert check_deliveries(sqlite_database) == []

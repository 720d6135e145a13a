"""Each request to a webhook is recorded: accepted, ignored and refused ones, also while the database is away."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from tests.http.web.test_webhook_and_files import RecordingRefresher, push, signed
from tests.servers.databases import sqlite_url, upgraded_sqlite

from kinfolk.config.docs_address import Ref
from kinfolk.db.database import Database, utc_now
from kinfolk.maintenance.webhooks.delivery import WebhookDelivery
from kinfolk.maintenance.webhooks.delivery_log import DeliveryLog
from kinfolk.maintenance.webhooks.push_results import PushResults
from kinfolk.maintenance.webhooks.webhook_deliveries import WebhookDeliveries
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.webhooks.webhook_endpoint import MAX_BODY_BYTES

pytestmark = pytest.mark.anyio

SECRET = "a secret between two"
COMMIT = "b" * 40


class Webhook:
    """A site with an empty log of deliveries."""

    def __init__(self, site: Site, folder: Path) -> None:
        (folder / "published.json").write_text("{}")
        self.file = folder / "kinfolk.sqlite"
        shutil.copy(upgraded_sqlite(), self.file)
        self.database = Database(sqlite_url(self.file), lock_folder=folder / "locks")
        self.log = DeliveryLog(WebhookDeliveries(self.database, now=utc_now))
        self.served: dict[Ref, str] = {}
        self.pushes = PushResults(self.log, served=self.served.get, done={})
        self.refresher = RecordingRefresher()
        settings = dataclasses.replace(site.settings, webhook_secret=SECRET, mirror=folder)
        maintenance = dataclasses.replace(site.maintenance, deliveries=self.log, pushes=self.pushes)
        self.site = dataclasses.replace(site, settings=settings, maintenance=maintenance)
        self.client = self.client_of(self.site)

    def client_of(self, site: Site) -> httpx.AsyncClient:
        app = SiteApp(site)
        app.router.state.refresher = self.refresher
        return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test")

    async def send(self, body: bytes, *, event: str = "push", secret: str = SECRET, id: str = "") -> int:
        headers = signed(body, event=event, secret=secret) | {"x-github-delivery": id}
        return (await self.client.post("/_hooks/github", content=body, headers=headers)).status_code

    def recorded(self) -> list[WebhookDelivery]:
        self.log.flush()
        return self.log.store.newest(limit=100)


@pytest.fixture
async def webhook(site: Site, tmp_path: Path) -> AsyncIterator[Webhook]:
    found = Webhook(site, tmp_path)
    yield found
    await found.client.aclose()
    found.database.close()


def pushed(repo: str, ref: str) -> bytes:
    return json.dumps({"ref": ref, "after": COMMIT, "repository": {"full_name": repo}}).encode()


async def test_push_is_recorded_with_the_time_until_it_is_served(webhook: Webhook) -> None:
    assert await webhook.send(pushed("tanstack/Query", "refs/heads/v4"), id="7d3") == 202
    ref = Ref("TanStack/query", "v4")
    webhook.pushes.sync_begins()
    webhook.served[ref] = COMMIT
    webhook.pushes.sync_ended(webhook.refresher.refs)
    (found,) = webhook.recorded()
    assert found.sent == ("7d3", "push", "TanStack/query", "v4", COMMIT)
    assert (found.outcome, found.status, found.sync and found.sync.outcome) == ("push", 202, "served")


async def test_push_of_a_tag_is_recorded(webhook: Webhook) -> None:
    assert await webhook.send(pushed("TanStack/query", "refs/tags/v5.1.0")) == 202
    (found,) = webhook.recorded()
    assert (found.outcome, found.sent.ref) == ("tag", "v5.1.0")


async def test_repeated_delivery_is_recorded_as_such(webhook: Webhook) -> None:
    for _ in range(2):
        await webhook.send(pushed("TanStack/query", "refs/heads/v4"), id="7d3")
    assert [each.earlier for each in webhook.recorded()] == [1, 0]


@pytest.mark.parametrize(
    ("repo", "ref", "outcome", "detail"),
    [
        ("TanStack/query", "refs/heads/feature", "other_branch", "main, v4, v3"),
        ("else/where", "refs/heads/main", "other_repository", ""),
        ("x" * 9000, "refs/heads/\x00\u202e", "other_repository", ""),
    ],
)
async def test_ignored_push_is_recorded_with_the_reason(
    webhook: Webhook, repo: str, ref: str, outcome: str, detail: str
) -> None:
    assert await webhook.send(push(repo, ref)) == 200
    (found,) = webhook.recorded()
    assert (found.result, found.outcome, found.detail) == ("ignored", outcome, detail)
    assert len(found.sent.repo) <= 200


async def test_other_events_are_recorded(webhook: Webhook) -> None:
    repository = {"full_name": "TanStack/query"}
    issue = json.dumps({"action": "opened", "repository": repository}).encode()
    change = {"title": "Fix", "state": "open", "base": {"ref": "main"}, "head": {"sha": COMMIT}}
    pull_request = json.dumps({"number": 7, "repository": repository, "pull_request": change}).encode()
    assert await webhook.send(b"{}", event="ping") == 200
    for _ in range(3):
        assert await webhook.send(issue, event="issues") == 200
    assert await webhook.send(pull_request, event="pull_request") == 200
    assert await webhook.send(b"[]", id="9f0") == 400
    found = {each.outcome: each for each in webhook.recorded()}
    assert found.keys() == {"ping", "unused_event", "turned_off", "invalid"}
    assert (found["unused_event"].count, found["unused_event"].sent[1:3]) == (3, ("issues", "TanStack/query"))
    assert (found["turned_off"].sent.ref, found["invalid"].sent.id) == ("#7", "9f0")


async def test_push_that_this_server_cannot_fetch_is_recorded(webhook: Webhook, tmp_path: Path) -> None:
    (tmp_path / "published.json").unlink()
    assert await webhook.send(pushed("TanStack/query", "refs/heads/v4")) == 503
    (found,) = webhook.recorded()
    assert (found.result, found.outcome) == ("failed", "no_mirror")


async def test_flood_of_refused_requests_is_one_row_without_their_content(webhook: Webhook) -> None:
    body = pushed("TanStack/query", "refs/heads/v4")
    for index in range(60):
        assert await webhook.send(body, secret="guess", id=f"id-{index}", event=f"event-{index}") == 403
    assert await webhook.send(b"x" * (MAX_BODY_BYTES + 1)) == 413
    found = {each.outcome: each for each in webhook.recorded()}
    assert found.keys() == {"wrong_signature", "too_large"}
    refused = found["wrong_signature"]
    assert (refused.count, refused.result, refused.sent) == (60, "refused", ("", "", "", "", ""))


async def test_request_without_a_secret_on_this_site_is_recorded(webhook: Webhook) -> None:
    settings = dataclasses.replace(webhook.site.settings, webhook_secret="")
    body = push("TanStack/query", "refs/heads/main")
    async with webhook.client_of(dataclasses.replace(webhook.site, settings=settings)) as client:
        assert (await client.post("/_hooks/github", content=body, headers=signed(body))).status_code == 404
    assert [each.outcome for each in webhook.recorded()] == ["no_secret"]


async def test_locked_database_delays_no_answer_and_loses_no_delivery(webhook: Webhook) -> None:
    with closing(sqlite3.connect(webhook.file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        # A write would wait for five seconds, and fail.
        assert await webhook.send(pushed("TanStack/query", "refs/heads/v4"), id="7d3") == 202
        assert await webhook.send(b"{}", secret="guess") == 403
    assert webhook.refresher.refs == [Ref("TanStack/query", "v4")]
    assert sorted(each.outcome for each in webhook.recorded()) == ["push", "wrong_signature"]


async def test_secret_signature_and_payload_are_not_stored(webhook: Webhook) -> None:
    body = json.dumps(
        {"ref": "refs/heads/v4", "repository": {"full_name": "TanStack/query"}, "pusher": {"email": "ada@example.com"}}
    ).encode()
    await webhook.send(body, id="7d3")
    webhook.recorded()
    with closing(sqlite3.connect(webhook.file)) as connection:
        stored = repr(connection.execute("SELECT * FROM webhook_deliveries").fetchall())
    assert "7d3" in stored
    for hidden in (SECRET, signed(body)["x-hub-signature-256"][7:], "ada@example.com"):
        assert hidden not in stored

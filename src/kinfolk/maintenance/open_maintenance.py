"""Opens what maintainers read and set."""

from __future__ import annotations

from dataclasses import dataclass, field

from kinfolk.accounts.secret_tokens import SecretKey
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.sponsors import CurrentSponsors
from kinfolk.db.database import Database, utc_now
from kinfolk.live.topic_store import announcer
from kinfolk.maintenance.code_check_weeks import CodeCheckWeeks
from kinfolk.maintenance.content_faults import ContentFaults
from kinfolk.maintenance.content_syncs import ContentSyncs
from kinfolk.maintenance.feedback_store import FeedbackStore
from kinfolk.maintenance.missed_requests import MissedRequestLog
from kinfolk.maintenance.override_store import OverrideStore
from kinfolk.maintenance.site_overrides import SiteOverrides
from kinfolk.maintenance.webhooks.delivery_log import DeliveryLog
from kinfolk.maintenance.webhooks.push_results import PushResults
from kinfolk.maintenance.webhooks.webhook_deliveries import WebhookDeliveries


@dataclass(frozen=True)
class MaintenanceParts:
    """What maintainers read about the site, and what they set."""

    feedback: FeedbackStore
    missed_requests: MissedRequestLog
    syncs: ContentSyncs
    faults: ContentFaults
    overrides: SiteOverrides
    code_weeks: CodeCheckWeeks
    deliveries: DeliveryLog
    pushes: PushResults
    code_checks: CheckStore | None = None
    """None on a site that does not check code."""
    fetched: set[str] = field(default_factory=set)
    """Repositories that this process has fetched a new commit of since its last release."""


def open_maintenance(
    settings: Settings,
    database: Database,
    sponsors: CurrentSponsors,
    syncs: ContentSyncs,
    fetched: set[str],
    *,
    publisher: DocsPublisher,
) -> MaintenanceParts:
    """The reports and overrides of the site. The source of the docs writes `syncs` and `fetched`."""
    deliveries = DeliveryLog(WebhookDeliveries(database, now=utc_now))

    def served(ref: Ref) -> str | None:
        tree = publisher.docs.snapshot.trees.get(ref)
        return tree.revision if tree is not None else None

    return MaintenanceParts(
        feedback=FeedbackStore(database, SecretKey(settings.secret), now=utc_now),
        missed_requests=MissedRequestLog(database, today=lambda: utc_now().date()),
        syncs=syncs,
        faults=ContentFaults(database, now=utc_now),
        overrides=open_overrides(database, sponsors),
        code_weeks=CodeCheckWeeks(database, today=lambda: utc_now().date()),
        deliveries=deliveries,
        pushes=PushResults(deliveries, served=served, done=syncs.last),
        code_checks=publisher.docs.code_checks,
        fetched=fetched,
    )


def open_overrides(database: Database, sponsors: CurrentSponsors) -> SiteOverrides:
    """The sponsors and promotions that maintainers set. All processes are notified of a change."""
    return SiteOverrides(OverrideStore(database, announcer(database, "overrides"), now=utc_now), sponsors)

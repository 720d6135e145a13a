"""All functions of the API: importing this module registers those of every feature."""

from __future__ import annotations

from kinfolk.accounts import account, saved_items
from kinfolk.api.functions import (
    blog,
    code_checks,
    code_names,
    dashboard,
    deliveries,
    docs,
    examples,
    figures,
    files,
    home,
    libraries,
    library_releases,
    maintenance,
    overrides,
    pages,
    previews,
    search,
    shell,
    statistics,
    theme,
    upgrade,
)
from kinfolk.api.registry import registry
from kinfolk.api.upgrades import upgrade_plan
from kinfolk.config.catalog import Badge
from kinfolk.config.catalog.shown_period import ShownPeriod
from kinfolk.maintenance import feedback_store
from kinfolk.maintenance.webhooks import delivery
from kinfolk.statistics.comparisons import comparison

__all__ = ["NAMED", "registry"]

FEATURES = (
    shell,
    home,
    libraries,
    docs,
    code_names,
    files,
    examples,
    blog,
    pages,
    library_releases,
    previews,
    search,
    statistics,
    figures,
    theme,
    dashboard,
    maintenance,
    code_checks,
    deliveries,
    overrides,
    upgrade,
)
NAMED = {
    "Mode": theme.Mode,
    "Badge": Badge,
    "ExternalScriptKind": shell.ExternalScriptKind,
    "RangeName": comparison.RangeName,
    "BinUnit": comparison.BinUnit,
    "Transform": comparison.Transform,
    "Measure": comparison.Measure,
    "Alignment": comparison.Alignment,
    "Scale": comparison.Scale,
    "Fix": comparison.Fix,
    "BinChoice": comparison.BinChoice,
    "ItemKind": saved_items.ItemKind,
    "Provider": account.Provider,
    "Role": account.Role,
    "FeedbackStatus": feedback_store.FeedbackStatus,
    "DeliveryOutcome": delivery.DeliveryOutcome,
    "DeliveryResult": delivery.DeliveryResult,
    "SyncOutcome": delivery.SyncOutcome,
    "ShownPeriod": ShownPeriod,
    "SpecKind": upgrade_plan.SpecKind,
}
"""Union types that get a name in TypeScript."""

"""The sponsors and promotions that maintainers set. All functions refuse readers who are not maintainers."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from typing import Annotated

from pydantic import Field

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.config.catalog.shown_period import ShownPeriod, shown_period
from kinfolk.content.sponsors import SponsorEntry
from kinfolk.db.database import utc_now
from kinfolk.maintenance.promotion import Promotion
from kinfolk.runtime.cache import PRIVATE

OverrideId = Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")]


@request_data
class SponsorFields:
    """A sponsor in addition, or with `login` a correction of one on GitHub. `weight` is in dollars a month.

    Empty text is a missing value.
    """

    name: str
    link_url: str
    image_url: str
    login: str
    weight: int | None
    hidden: bool


@request_data
class PromotionFields:
    """`starts` and `ends` are dates in UTC. Empty text is a missing value. `is_pause`: the slots show no box."""

    slots: tuple[str, ...]
    title: str
    text: str
    href: str
    starts: str
    ends: str
    is_pause: bool


@dataclass(frozen=True)
class SponsorOverride:
    id: str
    sponsor: SponsorFields


@dataclass(frozen=True)
class PromotionOverride:
    """`period` says whether it is shown today."""

    id: str
    promotion: PromotionFields
    period: ShownPeriod


@dataclass(frozen=True)
class OverrideList:
    """All overrides, the last change first, and the slots of the site's promotions."""

    sponsors: tuple[SponsorOverride, ...]
    promotions: tuple[PromotionOverride, ...]
    slots: tuple[str, ...]


@request_data
class SponsorRequest:
    """A sponsor to store; with an empty `id` a new one."""

    id: OverrideId
    sponsor: SponsorFields


@request_data
class PromotionRequest:
    """A promotion to store; with an empty `id` a new one."""

    id: OverrideId
    promotion: PromotionFields


@request_data
class RemovalRequest:
    id: OverrideId


@registry.function("overrides.list", cache=PRIVATE)
async def list_overrides(call: Call) -> OverrideList:
    await call.require_maintainer()
    return await asyncio.to_thread(_stored, call)


@registry.function("overrides.sponsor", method="POST", cache=PRIVATE)
async def put_sponsor(call: Call, request: SponsorRequest) -> None:
    """Store a sponsor. All processes show it within seconds."""
    account = await call.require_maintainer()
    sponsor = request.sponsor

    def put() -> None:
        call.site.maintenance.overrides.put_sponsor(request.id, asdict(sponsor))
        call.site.accounts.record(account, "override-changed", f"sponsor {sponsor.name or sponsor.login}")

    await asyncio.to_thread(put)


@registry.function("overrides.promotion", method="POST", cache=PRIVATE)
async def put_promotion(call: Call, request: PromotionRequest) -> None:
    """Store a promotion. All processes show it within seconds."""
    account = await call.require_maintainer()
    promotion = request.promotion
    if promotion.is_pause:
        promotion = replace(promotion, title="", text="", href="")

    def put() -> None:
        call.site.maintenance.overrides.put_promotion(request.id, asdict(promotion), slots=_slots(call))
        call.site.accounts.record(account, "override-changed", f"promotion {promotion.title or 'pause'}")

    await asyncio.to_thread(put)


@registry.function("overrides.remove", method="POST", cache=PRIVATE)
async def remove_override(call: Call, request: RemovalRequest) -> None:
    """Remove a sponsor or a promotion. Raises NotFound."""
    account = await call.require_maintainer()

    def remove() -> None:
        call.site.maintenance.overrides.remove(request.id)
        call.site.accounts.record(account, "override-removed", request.id)

    await asyncio.to_thread(remove)


def _stored(call: Call) -> OverrideList:
    overrides, today = call.site.maintenance.overrides.stored(), utc_now().date()
    return OverrideList(
        sponsors=tuple(SponsorOverride(id, _sponsor_fields(each)) for id, each in reversed(overrides.sponsors.items())),
        promotions=tuple(
            PromotionOverride(id, _promotion_fields(each), shown_period(each, today))
            for id, each in reversed(overrides.promotions.items())
        ),
        slots=_slots(call),
    )


def _slots(call: Call) -> tuple[str, ...]:
    return tuple(slot.id for slot in call.site.catalog.ad_slots)


def _sponsor_fields(entry: SponsorEntry) -> SponsorFields:
    addresses = {"link_url": entry.link_url or "", "image_url": entry.image_url or ""}
    return SponsorFields(
        name=entry.name or "", login=entry.login or "", weight=entry.weight, hidden=entry.hidden, **addresses
    )


def _promotion_fields(promotion: Promotion) -> PromotionFields:
    days = {"starts": promotion.starts, "ends": promotion.ends}
    return PromotionFields(
        slots=promotion.slots,
        title=promotion.title or "",
        text=promotion.text or "",
        href=promotion.href or "",
        is_pause=promotion.is_pause,
        **{name: day.isoformat() if day else "" for name, day in days.items()},
    )

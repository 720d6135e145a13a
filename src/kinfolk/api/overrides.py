"""The sponsors and promotions that maintainers set. All functions refuse readers who are not maintainers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.cache import PRIVATE
from kinfolk.npm.importer import utc_now
from kinfolk.overrides.promotion import Promotion
from kinfolk.sponsors import SponsorEntry

OverrideId = Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")]


@dataclass(frozen=True)
class SponsorOverride:
    """A sponsor in addition, or with `login` a correction of one on GitHub. `weight` is in dollars a month."""

    id: str
    name: str
    link_url: str
    image_url: str
    login: str
    weight: int | None
    hidden: bool


@dataclass(frozen=True)
class PromotionOverride:
    """`starts` and `ends` are dates in UTC, or empty. `is_active`: it is shown today."""

    id: str
    slots: tuple[str, ...]
    title: str
    text: str
    href: str
    starts: str
    ends: str
    is_pause: bool
    is_active: bool


@dataclass(frozen=True)
class OverrideList:
    """All overrides, the last change first, and the slots of the site's promotions."""

    sponsors: tuple[SponsorOverride, ...]
    promotions: tuple[PromotionOverride, ...]
    slots: tuple[str, ...]


@request_data
class SponsorRequest:
    """A sponsor to store; without `id` a new one. Empty text is a missing value."""

    id: OverrideId
    name: str
    link_url: str
    image_url: str
    login: str
    weight: int | None
    hidden: bool


@request_data
class PromotionRequest:
    """A promotion to store; without `id` a new one. Empty text is a missing value."""

    id: OverrideId
    slots: tuple[str, ...]
    title: str
    text: str
    href: str
    starts: str
    ends: str
    is_pause: bool


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
    fields = {
        "name": request.name,
        "link_url": request.link_url,
        "image_url": request.image_url,
        "login": request.login,
        "weight": request.weight,
        "hidden": request.hidden,
    }

    def put() -> None:
        call.site.overrides.put_sponsor(request.id, fields)
        call.site.accounts.record(account, "override-changed", f"sponsor {request.name or request.login}")

    await asyncio.to_thread(put)


@registry.function("overrides.promotion", method="POST", cache=PRIVATE)
async def put_promotion(call: Call, request: PromotionRequest) -> None:
    """Store a promotion. All processes show it within seconds."""
    account = await call.require_maintainer()
    text = {} if request.is_pause else {"title": request.title, "text": request.text, "href": request.href}
    days = {"starts": request.starts, "ends": request.ends}
    fields = {"slots": request.slots, "is_pause": request.is_pause, **text, **days}

    def put() -> None:
        call.site.overrides.put_promotion(request.id, fields, slots=_slots(call))
        call.site.accounts.record(account, "override-changed", f"promotion {request.title or 'pause'}")

    await asyncio.to_thread(put)


@registry.function("overrides.remove", method="POST", cache=PRIVATE)
async def remove_override(call: Call, request: RemovalRequest) -> None:
    """Remove a sponsor or a promotion. Raises NotFound."""
    account = await call.require_maintainer()

    def remove() -> None:
        call.site.overrides.remove(request.id)
        call.site.accounts.record(account, "override-removed", request.id)

    await asyncio.to_thread(remove)


def _stored(call: Call) -> OverrideList:
    overrides, today = call.site.overrides.stored(), utc_now().date()
    return OverrideList(
        sponsors=tuple(_sponsor(id, entry) for id, entry in reversed(overrides.sponsors.items())),
        promotions=tuple(
            _promotion(id, promotion, is_active=promotion.is_active(today))
            for id, promotion in reversed(overrides.promotions.items())
        ),
        slots=_slots(call),
    )


def _slots(call: Call) -> tuple[str, ...]:
    return tuple(slot.id for slot in call.site.catalog.ad_slots)


def _sponsor(id: str, entry: SponsorEntry) -> SponsorOverride:
    return SponsorOverride(
        id=id,
        name=entry.name or "",
        link_url=entry.link_url or "",
        image_url=entry.image_url or "",
        login=entry.login or "",
        weight=entry.weight,
        hidden=entry.hidden,
    )


def _promotion(id: str, promotion: Promotion, *, is_active: bool) -> PromotionOverride:
    return PromotionOverride(
        id=id,
        slots=promotion.slots,
        title=promotion.title or "",
        text=promotion.text or "",
        href=promotion.href or "",
        starts=promotion.starts.isoformat() if promotion.starts else "",
        ends=promotion.ends.isoformat() if promotion.ends else "",
        is_pause=promotion.is_pause,
        is_active=is_active,
    )

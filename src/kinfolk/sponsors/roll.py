"""The sponsors that are current, packed: what the last look at GitHub said, and what is known without it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from pydantic import TypeAdapter, ValidationError

from kinfolk.catalog import Partner
from kinfolk.sponsors.facts import SponsorFacts
from kinfolk.sponsors.github import GitHubSponsors
from kinfolk.sponsors.packing import Circle, pack
from kinfolk.sponsors.sponsor import Sponsor

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FILE = "sponsors.json"
SMALLEST = 0.012
"""Radius, as a share of the square, of a circle that a finger still meets. Who would be smaller is listed by name."""
DIGITS = 5
"""Of a place in the square: a hundredth of a pixel, and no more of the amounts than can be seen."""


@dataclass(frozen=True)
class PackedSponsor:
    """A sponsor's circle; middle and radius are shares of the square's side."""

    name: str
    link_url: str
    image_url: str | None
    x: float
    y: float
    r: float


@dataclass(frozen=True)
class ListedSponsor:
    """A sponsor whose circle would be too small."""

    name: str
    link_url: str


@dataclass(frozen=True)
class SponsorPack:
    """What the pack shows, the largest first, and where one becomes a sponsor.

    `asked` is the day on which GitHub answered last; None where it never did.
    """

    circles: tuple[PackedSponsor, ...]
    others: tuple[ListedSponsor, ...]
    asked: str | None
    become_url: str


@dataclass(frozen=True)
class _Kept:
    """The last good answer. It holds amounts, so the file is for the server's own account only."""

    login: str
    asked_at: datetime
    sponsors: tuple[Sponsor, ...]


_KEPT = TypeAdapter(_Kept)


class SponsorRoll:
    """Readers take `pack`. Without `github` it never changes."""

    def __init__(
        self,
        facts: SponsorFacts,
        partners: Sequence[Partner],
        *,
        become_url: str,
        github: GitHubSponsors | None = None,
        folder: Path,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.github = github
        self._facts = facts
        self._partners = partners
        self._become_url = become_url
        self._file = folder / FILE
        self._clock = clock
        self.pack = self._packed(self._read() if github else None)

    async def refresh(self) -> bool:
        """Ask GitHub, and say whether the pack is another one now. Raises Unavailable; then all stays as it was."""
        if self.github is None:
            return False
        kept = _Kept(self.github.login, self._clock(), await self.github.fetch())
        before, self.pack = self.pack, await asyncio.to_thread(self._renewed, kept)
        return before != self.pack

    def _renewed(self, kept: _Kept) -> SponsorPack:
        self._write(kept)
        return self._packed(kept)

    def _packed(self, kept: _Kept | None) -> SponsorPack:
        roll = self._facts.roll(self._partners, kept.sponsors if kept else ())
        large, circles = _fitting(roll)
        return SponsorPack(
            circles=tuple(
                PackedSponsor(who.name, who.link_url, who.image_url, *(round(share, DIGITS) for share in circle))
                for who, circle in zip(large, circles, strict=True)
            ),
            others=tuple(ListedSponsor(who.name, who.link_url) for who in roll[len(large) :]),
            asked=kept.asked_at.date().isoformat() if kept else None,
            become_url=self._become_url,
        )

    def _read(self) -> _Kept | None:
        """What GitHub said before this process began. A file that cannot be read costs nothing but that."""
        try:
            kept = _KEPT.validate_json(self._file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            log.warning("kept sponsors are unreadable", file=str(self._file), reason=type(error).__name__)
            return None
        return kept if self.github and kept.login == self.github.login else None

    def _write(self, kept: _Kept) -> None:
        fresh = self._file.with_name(f"{FILE}.{os.getpid()}.new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.touch(0o600)
            fresh.write_bytes(_KEPT.dump_json(kept))
            fresh.replace(self._file)
        except OSError as error:
            log.warning("sponsors are not kept", file=str(self._file), reason=error.strerror)


def _fitting(roll: Sequence[Sponsor]) -> tuple[Sequence[Sponsor], Sequence[Circle]]:
    """As many sponsors, the largest first, as have circles that are large enough, and these circles."""
    shown = roll
    while True:
        circles = pack([1 + sponsor.monthly_dollars for sponsor in shown])
        fit = sum(circle.r >= SMALLEST for circle in circles)
        if fit == len(shown):
            return shown, circles
        shown = shown[:fit]

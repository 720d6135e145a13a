"""The current sponsors as packed circles: from the last successful query to GitHub, and from `sponsors.toml`."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from pydantic import TypeAdapter, ValidationError

from kinfolk.config.catalog import Partner
from kinfolk.content.sponsors.circle_packing import PackedCircle, pack_circles
from kinfolk.content.sponsors.github import GitHubSponsors
from kinfolk.content.sponsors.sponsor import PartnerMarks, Sponsor
from kinfolk.content.sponsors.sponsor_config import SponsorConfig, SponsorEntry

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FILE = "sponsors.json"
REFRESH_S = 3600.0
"""Seconds between two queries to GitHub."""
SMALLEST = 0.012
"""Smallest radius, as a share of the square, that works as a touch target. Smaller sponsors are listed by name."""
DIGITS = 5
"""Digits of coordinates: a hundredth of a pixel, and not precise enough to compute amounts."""


@dataclass(frozen=True)
class PackedSponsor:
    """A sponsor's circle; center and radius are shares of the square's side.

    `mark` is a row of the sprite of the partners.
    """

    name: str
    link_url: str
    image_url: str | None
    mark: int | None
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
    """The sponsors, the largest first, and the URL for new sponsors.

    `as_of` is the date of the last successful query to GitHub, if any. `marks` is the address of the partners' sprite.
    """

    circles: tuple[PackedSponsor, ...]
    others: tuple[ListedSponsor, ...]
    as_of: str | None
    become_url: str | None
    marks: str


@dataclass(frozen=True)
class _CachedAnswer:
    """The last successful answer of GitHub. It contains amounts, so only the server's account may read the file."""

    login: str
    asked_at: datetime
    sponsors: tuple[Sponsor, ...]


_ANSWER = TypeAdapter(_CachedAnswer)


class CurrentSponsors:
    """Holds the current `pack`. Without `github` only overrides change it."""

    def __init__(
        self,
        config: SponsorConfig,
        partners: Sequence[Partner],
        *,
        marks: PartnerMarks | None = None,
        become_url: str | None,
        github: GitHubSponsors | None = None,
        folder: Path,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.github = github
        self._config = config
        self._partners = partners
        self._marks = marks or PartnerMarks("", ())
        self._become_url = become_url
        self._file = folder / FILE
        self._clock = clock
        self._lock = threading.Lock()
        self._overrides: tuple[SponsorEntry, ...] = ()
        self._answer = self._read() if github else None
        self.pack = self._packed()

    async def refresh(self) -> bool:
        """Query GitHub. Whether the pack has changed. Raises Unavailable; then the pack stays the same."""
        if self.github is None:
            return False
        answer = _CachedAnswer(self.github.login, self._clock(), await self.github.fetch())
        await asyncio.to_thread(self._write, answer)
        self._answer = answer
        return await asyncio.to_thread(self._repack)

    def override(self, entries: Sequence[SponsorEntry]) -> bool:
        """Show these sponsors in addition to those of `sponsors.toml`. Whether the pack has changed. Blocks some ms."""
        self._overrides = tuple(entries)
        return self._repack()

    def _repack(self) -> bool:
        with self._lock:
            before, self.pack = self.pack, self._packed()
        return before != self.pack

    def _packed(self) -> SponsorPack:
        answer = self._answer
        config = self._config.with_overrides(self._overrides)
        sponsors = config.merge(self._partners, answer.sponsors if answer else ())
        large, circles = _fitting(sponsors)
        return SponsorPack(
            circles=tuple(
                PackedSponsor(
                    sponsor.name,
                    sponsor.link_url,
                    sponsor.image_url,
                    self._marks.rows.index(sponsor.partner) if sponsor.partner in self._marks.rows else None,
                    *(round(share, DIGITS) for share in circle),
                )
                for sponsor, circle in zip(large, circles, strict=True)
            ),
            others=tuple(ListedSponsor(sponsor.name, sponsor.link_url) for sponsor in sponsors[len(large) :]),
            as_of=answer.asked_at.date().isoformat() if answer else None,
            become_url=self._become_url,
            marks=self._marks.href,
        )

    def _read(self) -> _CachedAnswer | None:
        """The answer stored by an earlier process, or None if the file is missing or invalid."""
        try:
            answer = _ANSWER.validate_json(self._file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            log.warning("stored sponsors are unreadable", file=str(self._file), reason=type(error).__name__)
            return None
        return answer if self.github and answer.login == self.github.login else None

    def _write(self, answer: _CachedAnswer) -> None:
        fresh = self._file.with_name(f"{FILE}.{os.getpid()}.new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.touch(0o600)
            fresh.write_bytes(_ANSWER.dump_json(answer))
            fresh.replace(self._file)
        except OSError as error:
            log.warning("sponsors cannot be stored", file=str(self._file), reason=error.strerror)


def _fitting(sponsors: Sequence[Sponsor]) -> tuple[Sequence[Sponsor], Sequence[PackedCircle]]:
    """The largest sponsors whose circles are large enough, and these circles."""
    shown = sponsors
    while True:
        circles = pack_circles([1 + sponsor.monthly_dollars for sponsor in shown])
        fit = sum(circle.r >= SMALLEST for circle in circles)
        if fit == len(shown):
            return shown, circles
        shown = shown[:fit]

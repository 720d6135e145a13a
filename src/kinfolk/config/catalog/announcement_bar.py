"""The announcement of a site."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field

from kinfolk.config.data_files import ONE_LINE, PathOrUrl

LONGEST_ANNOUNCEMENT = 160
"""Characters: four lines on a phone."""
KEY_LENGTH = 8
"""Hexadecimal digits."""


@dataclass(frozen=True)
class AnnouncementBar:
    """A bar at the top of every page, which readers can close."""

    text: Annotated[str, Field(max_length=LONGEST_ANNOUNCEMENT), ONE_LINE]
    """What the bar says, in at most 160 characters. Readers who closed the bar see it again after a change."""
    href: PathOrUrl | None = None
    """Target of the text: a path on this site or an https URL. Without it, the text is no link."""
    starts: date | None = None
    """First day of the bar, in UTC, such as `2026-12-01`. Without it, the bar is shown from now on."""
    ends: date | None = None
    """Last day of the bar, in UTC. Without it, the bar has no end."""

    @property
    def key(self) -> str:
        """Identifies what the bar says. The browser of a reader who closed it stores the key."""
        return hashlib.sha256(f"{self.text}\n{self.href or ''}".encode()).hexdigest()[:KEY_LENGTH]

"""Which releases of a library marks are made of, and which of them are recent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from kinfolk.config.catalog.releases import Release, ReleaseTable

RECENT = timedelta(days=60)
"""The age up to which a release is recent. Of the 496 pages of Query 5.102, 3 are then new and 27 updated; readers
return to docs in weeks, not in years."""
NEWEST_MINOR = timedelta(days=365)
"""The age up to which the releases of the newest minor version are recent. An older "new" says nothing."""


def marked_releases(table: ReleaseTable) -> tuple[Release, ...]:
    """The releases of the newest major version without pre-releases, by their numbers.

    Earlier majors are left out: their docs are moved and rewritten, so that nearly all pages would be new.
    """
    newest = table.newest
    if newest is None or newest.order[0].prerelease is not None:
        return ()
    return tuple(release for release in reversed(table.all) if release.is_stable and release.major == newest.major)


def minor_name(number: str) -> str:
    """The minor version of a release: 5.28 of 5.28.4."""
    return ".".join(number.split(".")[:2])


def recent_releases(history: Sequence[Release], today: date) -> frozenset[str]:
    """The numbers of the recent ones of `marked_releases`: the last 60 days, and the newest minor version."""
    if not history:
        return frozenset()
    newest = minor_name(history[-1].number)
    return frozenset(
        release.number
        for release in history
        if release.day >= today - RECENT
        or (minor_name(release.number) == newest and release.day >= today - NEWEST_MINOR)
    )

"""Watches the files of a site: which change needs which refresh."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from enum import IntEnum
from pathlib import Path

from watchfiles import DefaultFilter, awatch

from kinfolk.settings import Settings

DEBOUNCE_MS = 60
"""Milliseconds in which changes are collected, at most: an editor writes, renames and changes times."""
STEP_MS = 15
"""Milliseconds without a change after which the collected changes are handled."""
TEXT_FOLDERS = ("blog", "pages")
"""Folders of the site whose files are read again without opening the site."""


class Effect(IntEnum):
    """What a change needs. A higher value includes the lower ones."""

    NOTHING = 0
    REFRESH = 1
    """Read docs, posts and pages again."""
    REOPEN = 2
    """Open the site again: its configuration has changed."""


class SiteFilter(DefaultFilter):
    """Leaves out what the site writes, and what editors and version control do."""

    def __init__(self, var: Path) -> None:
        super().__init__(ignore_paths=[str(var)])


async def site_changes(folders: Collection[Path], var: Path) -> AsyncIterator[frozenset[Path]]:
    """The changed files, as soon as they are complete."""
    present = sorted({folder for folder in folders if folder.is_dir()})
    async for changes in awatch(
        *present, watch_filter=SiteFilter(var), debounce=DEBOUNCE_MS, step=STEP_MS, ignore_permission_denied=True
    ):
        yield frozenset(Path(path) for _, path in changes)


def effect_of(changed: Path, settings: Settings, checkouts: Collection[Path]) -> Effect:
    """What a change of this file needs. A file may be in the site folder and in a checkout."""
    site, content = settings.site, settings.content
    if changed == settings.frontend / "ssr" / "manifest.json":
        return Effect.REOPEN
    if changed.is_relative_to(settings.frontend):
        return Effect.NOTHING
    in_site = changed.is_relative_to(site) and not changed.is_relative_to(content)
    if in_site:
        parts = changed.relative_to(site).parts
        if parts and parts[0] in TEXT_FOLDERS:
            return Effect.REFRESH
    in_docs = changed.is_relative_to(content) or any(changed.is_relative_to(folder) for folder in checkouts)
    if in_site and (changed.suffix == ".toml" or not in_docs or _is_configuration(changed.relative_to(site))):
        return Effect.REOPEN
    return Effect.REFRESH if in_docs else Effect.NOTHING


def _is_configuration(path: Path) -> bool:
    return (len(path.parts) == 1 and path.suffix in {".css", ".ndjson"}) or path.parts[0] in {
        "brand",
        "libraries",
        "partners",
        "frameworks",
        "public",
    }

"""Watches the files of a site: which change needs which refresh."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from enum import IntEnum
from pathlib import Path

from watchfiles import DefaultFilter, awatch

from kinfolk.dev.problems import BUILD_PROBLEMS
from kinfolk.docs_address import Ref
from kinfolk.settings import Settings

DEBOUNCE_MS = 60
"""Milliseconds in which changes are collected, at most: an editor writes, renames and changes times."""
STEP_MS = 2
"""Milliseconds without a change after which the collected changes are handled."""
COMPLETE_MS = 50
"""Milliseconds that a missing or empty file is waited for, at most: an editor is about to write it."""
TEXT_FOLDERS = ("blog", "pages")
"""Folders of the site whose files are read again without opening the site."""


class Effect(IntEnum):
    """What a change needs. A higher value includes the lower ones."""

    NOTHING = 0
    REPORT = 1
    """Look for problems again: a build of the frontend has failed or succeeded."""
    REFRESH = 2
    """Read docs, posts and pages again."""
    RENDER = 3
    """Render all pages again: the frontend has been built."""
    REOPEN = 4
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
        changed = frozenset(Path(path) for _, path in changes)
        await until_complete(changed)
        yield changed


async def until_complete(files: Collection[Path]) -> None:
    """Wait for content of files that an editor has truncated or renamed, and not written yet."""
    for _ in range(COMPLETE_MS // STEP_MS):
        if all(map(_is_complete, files)):
            return
        await asyncio.sleep(STEP_MS / 1000)


def _is_complete(file: Path) -> bool:
    # A name without suffix is that of a folder, or of a file that an editor writes for a moment.
    if not file.suffix:
        return True
    try:
        return file.stat().st_size > 0
    except OSError:
        return False


def effect_of(changed: Path, settings: Settings, checkouts: Collection[Path]) -> Effect:
    """What a change of this file needs. A file may be in the site folder and in a checkout."""
    site, content = settings.site, settings.content
    if changed == settings.frontend / "ssr" / "manifest.json":
        return Effect.RENDER
    if changed == settings.frontend / "ssr" / BUILD_PROBLEMS:
        return Effect.REPORT
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


def branches_of(changed: Collection[Path], folders: Mapping[Ref, Path]) -> frozenset[Ref]:
    """The branches whose docs may have changed, of those in these folders."""
    return frozenset(ref for ref, folder in folders.items() if any(file.is_relative_to(folder) for file in changed))


def _is_configuration(path: Path) -> bool:
    return (len(path.parts) == 1 and path.suffix in {".css", ".ndjson"}) or path.parts[0] in {
        "brand",
        "libraries",
        "partners",
        "frameworks",
        "public",
    }

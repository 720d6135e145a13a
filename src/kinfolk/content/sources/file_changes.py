"""Changes of files in watched folders, when the files are complete."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from pathlib import Path

from watchfiles import DefaultFilter, awatch

DEBOUNCE_MS = 60
"""Milliseconds in which changes are collected, at most: an editor writes, renames and changes times."""
STEP_MS = 2
"""Milliseconds without a change after which the collected changes are handled."""
COMPLETE_MS = 50
"""Milliseconds that a missing or empty file is waited for, at most: an editor is about to write it."""


async def file_changes(folders: Collection[Path], *, ignored: Collection[Path]) -> AsyncIterator[frozenset[Path]]:
    """The changed files, as soon as they are complete. Leaves out files of editors and of version control."""
    present = sorted({folder for folder in folders if folder.is_dir()})
    watched = DefaultFilter(ignore_paths=[str(path) for path in ignored])
    async for changes in awatch(
        *present, watch_filter=watched, debounce=DEBOUNCE_MS, step=STEP_MS, ignore_permission_denied=True
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

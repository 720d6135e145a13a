"""Which change of a file of the site needs which refresh."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import IntEnum
from pathlib import Path

from kinfolk.cli.dev.problems import BUILD_PROBLEMS
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings

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

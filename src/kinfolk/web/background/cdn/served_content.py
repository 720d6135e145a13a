"""What the server serves, so that the CDN is purged at a start after which that differs: a deploy, or a new clone."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from kinfolk.config.settings import PREFIX, SETTINGS, Settings
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.web.background.cdn.purge_queue import PurgeBatch

SITE = "site"
"""The key of the digest, beside those of branches."""
MOST_FILES = 20_000
"""Files of the site's folder in the digest."""


def revisions_of(snapshot: Snapshot) -> Mapping[str, str]:
    """The revision of each branch, by its name in tags."""
    return {f"{ref.repo}@{ref.branch}": tree.revision for ref, tree in snapshot.trees.items()}


def stale_at_start(known: Mapping[str, str] | None, served: Mapping[str, str]) -> PurgeBatch:
    """What is stale when `served` follows what is `known` to have been served before."""
    if known is None or known.get(SITE) != served[SITE]:
        return PurgeBatch(everything=True)
    branches = {name for name in known.keys() | served.keys() if known.get(name) != served.get(name)}
    return PurgeBatch(frozenset(f"{name}:**" for name in branches))


def site_digest(settings: Settings) -> str:
    """A digest of what all pages depend on: Kinfolk, its build, the settings and the files of the site. Blocks.

    Secrets are left out, and so are docs: they have revisions.
    """
    shown = {each.name.removeprefix(PREFIX).lower() for each in SETTINGS if not each.secret}
    values = {name: str(value) for name, value in asdict(settings).items() if name in shown}
    parts = [version("kinfolk"), repr(sorted(values.items()))]
    manifest = settings.frontend / "ssr" / "manifest.json"
    parts.append(hashlib.sha256(manifest.read_bytes()).hexdigest() if manifest.is_file() else "")
    parts += _files(settings.site, skipped={settings.content, settings.var, settings.mirror})
    return hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()


def _files(folder: Path, *, skipped: set[Path | None]) -> list[str]:
    """Names, sizes and times of the files below a folder."""
    found: list[str] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and Path(parent, name) not in skipped)
        for name in sorted(files):
            if len(found) == MOST_FILES:
                return found
            try:
                stat = Path(parent, name).stat()
            except OSError:
                continue
            found.append(f"{parent}/{name} {stat.st_size} {stat.st_mtime_ns}")
    return found

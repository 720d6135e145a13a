"""The site that tests serve: sites/tanstack, wherever the tests are started, and whatever other sites there are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kinfolk.config import settings
from kinfolk.config.settings import ROOT, Settings

SITE = ROOT / "sites" / "tanstack"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from these variables, for the sample site unless they name another one."""
    return settings.read_settings({"KINFOLK_SITE": str(SITE)} | dict(environment))


def complete_site(folder: Path) -> Path:
    """Add what a folder lacks of the sample site as links, except posts and pages: it may have some of its own.

    The pages that menus name have a title only.
    """
    for name in ("blog", "pages"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for page in (SITE / "pages").glob("*.md"):
        own = folder / "pages" / page.name
        if not own.exists():
            own.write_text(f"---\ntitle: {page.stem.title()}\ndescription: A page.\n---\n", encoding="utf-8")
    for entry in SITE.iterdir():
        if not (folder / entry.name).exists():
            (folder / entry.name).symlink_to(entry)
    return folder

"""A site with a library whose repository has releases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.inputs.script_vectors import SCRIPT_VECTORS
from tests.sites.other_sites import write_site
from tests.sites.sample_site import read_settings
from tests.unit.content.sources.git.sources_upstream import Upstreams, git

from kinfolk.config.catalog import load_catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.docs_source import mirror_source

TILES = Ref("acme/tiles", "main")
RELEASED = {
    "kinfolk.toml": """
family = "Acme"
accounts = false
frameworks = [
    { value = "react", label = "React", color = "sky-500" },
    { value = "solid", label = "Solid", color = "blue-500" },
]
""",
    "libraries/tiles.toml": """
repo = "acme/tiles"
tagline = "Floors"
default_docs = "start"
latest_version = "v2"
versions = [{ name = "v2" }]
frameworks = ["react", "solid"]
packages = [{ name = "@acme/tiles", framework = "react" }, { name = "@acme/solid-tiles", framework = "solid" }]
""",
}
PIXEL = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")
EDITED_MENU = """{"sections": [{"label": "Guides", "children": [
    {"label": "Start", "to": "start"}, {"label": "Guide", "to": "guide"}, {"label": "New", "to": "new"},
    {"label": "Moved", "to": "after"}
]}]}"""
FORMER_MENU = '{"menu": [{"label": "Guides", "children": [{"label": "Old page", "to": "old"}]}]}'


GUIDE = """---
title: Guide
---

## Install

Install {0} with one command.

```ts
import {{ tiles }} from '@acme/tiles'
const size = {1}
```

A paragraph that stays.

The end of guide number {1}.
"""
"""A page with a number of tiles. `{0}` and `{1}` are what changes."""
OVERLAY = "---\nref: docs/guide.md\nreplace: { Install tiles: Install solid-tiles }\n---\n"


def tag(upstreams: Upstreams, *names: str, is_annotated: bool = False) -> None:
    """Tags of the last commit. An annotated one is of today, another one of the day of the commit."""
    annotation = ("-a", "-m", "A release") if is_annotated else ()
    for name in names:
        git(f"--git-dir={upstreams.path(TILES)}", "tag", *annotation, name, "refs/heads/main")


def allow_filters(upstreams: Upstreams) -> Upstreams:
    """The repository, which sends commits without the contents of files."""
    for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(f"--git-dir={upstreams.path(TILES)}", "config", setting, "true")
    return upstreams


def make_edited_upstream(folder: Path) -> Upstreams:
    """Releases 2.0.0, 2.1.0 and 2.1.1 of today, and a branch that is ahead.

    Pages are added, removed, moved and edited, one with active content.
    """
    upstreams = Upstreams(folder)
    vectors = "\n\n".join(SCRIPT_VECTORS)
    shared = {
        "docs/config.json": EDITED_MENU,
        "docs/start.md": "# Start\n",
        "docs/framework/solid/guide.md": OVERLAY,
        "docs/framework/solid/reference/Tiles.md": "---\nref: docs/reference/Tiles.md\n---\n",
    }
    moved = "# Moved\n\nA text that is long enough to be found again.\n"
    reference = "# Tiles\n\n## Size\n\nThe number of tiles that a row has, at least one.\n"
    first = {
        "docs/reference/Tiles.md": reference,
        "docs/guide.md": GUIDE.format("tiles", 1),
        "docs/former.md": moved,
        "docs/gone.md": "# Gone\n\nOld text.\n",
    }
    upstreams.commit(
        TILES, {**shared, **first, "docs/hostile.md": f"---\ntitle: Hostile & old\n---\n\n{vectors}\n\nold words"}
    )
    tag(upstreams, "v2.0.0", is_annotated=True)
    second = {
        "docs/reference/Tiles.md": f"{reference}\n## Color\n\nThe color of the tiles.\n",
        "docs/guide.md": GUIDE.format("tiles now", 2),
        "docs/after.md": moved,
        "docs/new.md": "# New\n\nNew text.\n",
    }
    hostile = f"---\ntitle: Hostile & old\n---\n\n{vectors.replace('alert(1)', 'alert(2)')}\n\nnew words"
    upstreams.commit(TILES, {**shared, **second, "docs/hostile.md": hostile}, replace=True)
    tag(upstreams, "v2.1.0", is_annotated=True)
    upstreams.commit(TILES, {"docs/start.md": "# Start\n\nAn edited start.\n"})
    tag(upstreams, "v2.1.1", is_annotated=True)
    edited = {"docs/new.md": "# New\n\nNew text, edited after the release.\n", "docs/after.md": f"{moved}Edited.\n"}
    upstreams.commit(TILES, {**edited, "docs/fresh.md": "# Fresh\n\nIn no release.\n"})
    return allow_filters(upstreams)


def make_upstream(folder: Path, changelog: str = "") -> Upstreams:
    """Releases 1.0.0, 2.0.0 (of which Solid's package is 3.1.0), solid@3.2.0, and a branch that is ahead of them, which
    may have a changelog.
    """
    upstreams = Upstreams(folder)
    old = "# Old page\n\nOnly in 1.0. ![A pixel](./pixel.gif) [Overview](./overview.md)\n"
    page = "---\ntitle: Overview\n---\n\nOverview of {}. See [the guide](./guide.md).\n"
    first = {"docs/config.json": FORMER_MENU, "docs/overview.md": page.format("1.0"), "docs/old.md": old}
    upstreams.commit(TILES, {**first, "docs/pixel.gif": PIXEL, "docs/guide.md": "# Guide\n"})
    tag(upstreams, "v1.0.0", "not-a-release")
    start = {"docs/start.md": "# Start\n", "docs/guide.md": "# Guide\n", "docs/overview.md": page.format("2.0")}
    upstreams.commit(TILES, {**start, "docs/config.json": '{"sections": 1}'}, replace=True)
    tag(upstreams, "@acme/tiles@2.0.0", "@acme/solid-tiles@3.1.0")
    upstreams.commit(TILES, {"docs/overview.md": page.format("3.2")})
    tag(upstreams, "@acme/solid-tiles@3.2.0")
    last = {"docs/overview.md": page.format("main"), "docs/config.json": '{"sections": []}'}
    upstreams.commit(TILES, last | ({"CHANGELOG.md": changelog} if changelog else {}))
    return allow_filters(upstreams)


def released_environment(folder: Path, make: Callable[[Path], Upstreams] = make_upstream) -> dict[str, str]:
    """The variables of the site, whose mirror knows the releases and has fetched none of them."""
    upstreams = make(folder / "upstream")
    off = ("HIGHLIGHT", "SEARCH", "NPM_IMPORT", "LINK_CHECK", "FIGURES", "RELEASE_NOTES", "PRERENDER")
    environment = {f"KINFOLK_{name}": "off" for name in off} | {
        "KINFOLK_SITE": str(write_site(folder / "site", RELEASED)),
        "KINFOLK_MIRROR": str(folder / "mirror"),
        "KINFOLK_UPSTREAM": upstreams.url_template,
        "KINFOLK_REFRESH_S": "0",
        "KINFOLK_RELEASE_FETCHES": "6000",
    }
    settings = read_settings(environment)
    source = mirror_source(settings, load_catalog(settings.site))
    source.refresh()
    source.fetch_history()
    return environment

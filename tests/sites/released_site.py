"""A site with a library whose repository has releases."""

from __future__ import annotations

from pathlib import Path

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
FORMER_MENU = '{"menu": [{"label": "Guides", "children": [{"label": "Old page", "to": "old"}]}]}'


def make_upstream(folder: Path, changelog: str = "") -> Upstreams:
    """Releases 1.0.0, 2.0.0 (of which Solid's package is 3.1.0), solid@3.2.0, and a branch that is ahead of them, which
    may have a changelog.
    """
    upstreams = Upstreams(folder)

    def tag(*names: str) -> None:
        for name in names:
            git(f"--git-dir={upstreams.path(TILES)}", "tag", name, "refs/heads/main")

    old = "# Old page\n\nOnly in 1.0. ![A pixel](./pixel.gif) [Overview](./overview.md)\n"
    page = "---\ntitle: Overview\n---\n\nOverview of {}. See [the guide](./guide.md).\n"
    first = {"docs/config.json": FORMER_MENU, "docs/overview.md": page.format("1.0"), "docs/old.md": old}
    upstreams.commit(TILES, {**first, "docs/pixel.gif": PIXEL, "docs/guide.md": "# Guide\n"})
    tag("v1.0.0", "not-a-release")
    start = {"docs/start.md": "# Start\n", "docs/guide.md": "# Guide\n", "docs/overview.md": page.format("2.0")}
    upstreams.commit(TILES, {**start, "docs/config.json": '{"sections": 1}'}, replace=True)
    tag("@acme/tiles@2.0.0", "@acme/solid-tiles@3.1.0")
    upstreams.commit(TILES, {"docs/overview.md": page.format("3.2")})
    tag("@acme/solid-tiles@3.2.0")
    last = {"docs/overview.md": page.format("main"), "docs/config.json": '{"sections": []}'}
    upstreams.commit(TILES, last | ({"CHANGELOG.md": changelog} if changelog else {}))
    for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(f"--git-dir={upstreams.path(TILES)}", "config", setting, "true")
    return upstreams


def released_environment(folder: Path, *, changelog: str = "") -> dict[str, str]:
    """The variables of the site, whose mirror knows the releases and has fetched none of them."""
    upstreams = make_upstream(folder / "upstream", changelog)
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

"""A second family in a temporary folder: Python and Rust libraries on GitLab and Codeberg, with a brand of its own."""

from __future__ import annotations

from pathlib import Path

KINFOLK = """
product = "Kinfolk"
family = "Acme"
owner = "Acme Cooperative"
contact = "hello@acme.example"
title = "Acme | Tools for maps"
description = "Docs of the Acme libraries."
keywords = ["maps"]
sponsors_url = "https://github.com/sponsors/acme"
consultants = []
partners = []
courses = []
ad_slots = []
{brand}
[promo]
rotation_ms = 300_000

[home]
claim = "Maps that you can take apart."
emphasis = "take apart"
lede = "Small libraries for tiles, routes and labels."
{home}
[[groups]]
id = "maps"
label = "Maps"
libraries = ["tiles", "routes"]

[[menu]]
label = "Chat"
to = "https://matrix.to/#/#acme:example.org"

[[social]]
label = "Mastodon"
to = "https://social.example/@acme"
icon = "mastodon"

[[social]]
label = "GitLab"
to = "https://gitlab.com/acme"
icon = "gitlab"

[[footer]]
label = "Source"
to = "https://gitlab.com/acme"
"""

LIBRARY = """
id = "{id}"
name = "Acme {name}"
short_name = "{name}"
to = "/{id}"
order = {order}
tagline = "{tagline}"
description = "{tagline}, for any renderer and any projection."
repo = "acme/{id}"
latest_version = "v1"
latest_branch = "main"
frameworks = []
color_from = "emerald-500"
color_to = "teal-500"
text_color = "emerald-500"
bg_style = "emerald-500"
text_style = "emerald-500"
card_styles = {{ light = "emerald-600", dark = "emerald-400" }}
feature_list = ["Works offline", "Has no dependencies"]
{keys}
[[versions]]
name = "v1"
branch = "main"

[[menu]]
label = "Docs"
to = "/{id}/latest/docs/overview"
icon = "book-open"

[[menu]]
label = "Source"
to = "{source}"
icon = "{host}"

[[feature_highlights]]
title = "Small"
icon = "puzzle"
description = "A module for each step, each of which can be replaced."

[[feature_highlights]]
title = "Fast"
icon = "rust"
description = "The hot loops are compiled."
"""

TILES = {
    "id": "tiles",
    "name": "Tiles",
    "order": 1,
    "tagline": "Vector tiles, cut and served",
    "source": "https://gitlab.com/acme/tiles",
    "host": "gitlab",
    "keys": 'host = "gitlab"\n',
}
ROUTES = {
    "id": "routes",
    "name": "Routes",
    "order": 2,
    "tagline": "Routes over any graph",
    "source": "https://forge.acme.example/acme/routes",
    "host": "forgejo",
    "keys": 'host = "codeberg"\nhost_url = "https://forge.acme.example"\n',
}

OVERVIEW = """---
title: Overview
---

Acme {name} is a library. See the [license](../LICENSE.txt) and [the guide](guide.md).

![A tile]({image})
"""
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h7v7H4zM13 13h7v7h-7z"/></svg>'
CONFIG = """{
  "sections": [{"label": "Start", "children": [
    {"label": "Overview", "to": "overview"}, {"label": "Guide", "to": "guide"}
  ]}]
}"""
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c6360606000000004000160"
    "a6a3a10000000049454e44ae426082"
)


def write_acme_site(folder: Path, *, brand: str = "", home: str = "", tiles: str = "", routes: str = "") -> Path:
    """Write the site into the folder. The arguments are further keys of its files."""
    raw = "https://gitlab.com/acme/tiles/-/raw/main/docs/tile.png"
    files = {
        "kinfolk.toml": KINFOLK.format(brand=brand, home=home),
        "sponsors.toml": "",
        "redirects.toml": "",
        "libraries/tiles.toml": LIBRARY.format(**TILES | {"keys": f"{TILES['keys']}{tiles}"}),
        "libraries/routes.toml": LIBRARY.format(**ROUTES | {"keys": f"{ROUTES['keys']}{routes}"}),
        "libraries/tiles/logo.svg": LOGO,
        "libraries/routes/logo.svg": LOGO,
    }
    for name, title in (("tiles", "Tiles"), ("routes", "Routes")):
        root = f"repos/acme/{name}/main"
        files |= {
            f"{root}/LICENSE.txt": "MIT\n",
            f"{root}/docs/overview.md": OVERVIEW.format(name=title, image=raw if name == "tiles" else "tile.png"),
            f"{root}/docs/guide.md": "---\ntitle: Guide\n---\n\nText.\n",
            f"{root}/docs/config.json": CONFIG,
        }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for name in ("tiles", "routes"):
        (folder / f"repos/acme/{name}/main/docs/tile.png").write_bytes(PNG)
    return folder

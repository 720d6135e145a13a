"""Small sites of other families than that of the sample site."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

Files = Mapping[str, str]


def page(title: str, text: str, front: str = "") -> str:
    return f"---\ntitle: {title}\n{front}---\n\n{text}\n"


_CONFIG = """{"sections": [
    {"label": "Start", "children": [{"label": "Install", "to": "install"}, {"label": "Usage", "to": "usage"}]}
]}"""

UNUSUAL_NAMES = (
    "$",
    "$id",
    "${id}",
    "{-$id}",
    "%24id",
    "[id] [...rest] (group)",
    "*:+~!'@;=,&",
    "a#b",
    "a?b=c#d",
    "100%",
    "a%25b%2Fc",
    "two  words größe 缓存",
    'a"<b>`|',
)
"""Names whose characters are syntax of URLs, of the router, of redirects or of HTML."""


def _unusual_pages() -> dict[str, str]:
    """Pages with such names, each with links to the next one, a picture and a section."""
    pages = {}
    for name, following in zip(UNUSUAL_NAMES, UNUSUAL_NAMES[1:] + UNUSUAL_NAMES[:1], strict=True):
        link, site_link = quote(following), f"/widgets/latest/docs/odd/{quote(following)}"
        title = name.replace("'", "''")
        pages[f"docs/odd/{name}.md"] = page(
            f"'Page {title}'",
            f"## Section\n\n[Next](./{link}.md), [again]({site_link}#section), ![Picture](./{quote(name)}.svg)",
        )
        pages[f"docs/odd/{name}.svg"] = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    return pages


MINIMAL: Files = {
    "kinfolk.toml": 'family = "Acme"\n',
    "libraries/widgets.toml": 'folder = "."\n',
    "docs/install.md": page("Install", "Copy the file. Then read about its [usage](./usage.md)."),
    "docs/usage.md": page("Usage", "## Call it\n\nCall `spin()`.\n\n## Stop it\n\nCall `stop()`."),
}
"""Two lines of configuration, and docs whose folders are the menu."""

UNUSUAL: Files = {**MINIMAL, **_unusual_pages()}
"""The same with files of unusual names."""

ONE_LIBRARY: Files = {
    **{name: text for name, text in MINIMAL.items() if name.startswith("docs/")},
    "docs/config.json": _CONFIG,
    "kinfolk.toml": """
family = "Sprocket"
title = "Sprocket: turns things"
description = "A library that turns things."
sponsors_url = "https://github.com/sponsors/acme"

[home]
claim = "Turns things"
lede = "One library."
""",
    "libraries/sprocket.toml": """
folder = "."
name = "Sprocket"
tagline = "Turns things"
description = "It turns wheels, pages and heads."
feature_list = ["No dependencies", "Runs anywhere"]
frameworks = ["vanilla"]

[[menu]]
label = "Examples"
to = "/sprocket/latest/docs/examples"
icon = "code"
""",
    "docs/overview.md": page("Overview", "Sprocket turns things."),
    "docs/framework/vanilla/start.md": page("Start", "Turn it."),
    "examples/vanilla/wheel/src/main.ts": "turn()\n",
    "examples/vanilla/$wheel {a} [b] 100%#c?d/src/$ma in.ts": "turn()\n",
    "blog/one.md": page(
        "It turns", "The first version.", "description: News.\npublished: 2026-11-01\nauthors: [Ada Lovelace]\n"
    ),
}
"""A family of one library, with a post and sponsors."""

ACME: Files = {
    "kinfolk.toml": """
family = "Acme"
owner = "Acme Limited"
title = "Acme: tools for workshops"
description = "Docs of the Acme tools."
contact = "hello@acme.example"
site_hosts = ["acme.example"]

[home]
claim = "Tools for workshops"
emphasis = "workshops"
lede = "Two tools that fit together."

[links]
about = "/about"

[[groups]]
id = "tools"
label = "Tools"
libraries = ["anvil", "hammer"]

[[social]]
label = "GitHub"
to = "https://github.com/acme"
icon = "github"
""",
    "libraries/anvil.toml": """
name = "Acme Anvil"
tagline = "Carries every blow"
description = "Anvil keeps still while you work on it."
repo = "acme/anvil"
color = "orange"
badge = "beta"

[[versions]]
name = "v2"
branch = "main"

[[versions]]
name = "v1"
branch = "v1"

[[feature_highlights]]
title = "Heavy"
icon = "layers"
description = "It does not move."
""",
    "libraries/hammer.toml": """
name = "Acme Hammer"
tagline = "Hits what you point it at"
description = "Hammer drives nails, and finds those that stick out."
repo = "acme/hammer"
frameworks = ["vue"]
""",
    "repos/acme/anvil/main/docs/config.json": _CONFIG,
    "repos/acme/anvil/main/docs/install.md": page(
        "Install", "Lift it. See [usage](https://acme.example/anvil/latest/docs/usage)."
    ),
    "repos/acme/anvil/main/docs/usage.md": page("Usage", "Put work on it, then use the [Hammer](/hammer)."),
    "repos/acme/anvil/v1/docs/config.json": _CONFIG,
    "repos/acme/anvil/v1/docs/install.md": page("Install", "Lift it with both hands."),
    "repos/acme/anvil/v1/docs/usage.md": page("Usage", "Put work on it."),
    "repos/acme/hammer/main/docs/config.json": """{"sections": [
        {"label": "Start", "children": [{"label": "Overview", "to": "overview"}],
         "frameworks": [{"label": "vue", "children": [{"label": "Install", "to": "framework/vue/install"}]}]}
    ]}""",
    "repos/acme/hammer/main/docs/overview.md": page("Overview", "It hits."),
    "repos/acme/hammer/main/docs/framework/vue/install.md": page("Install", "```ts\nimport 'hammer'\n```"),
    "repos/acme/hammer/main/examples/vue/nail/package.json": '{"name": "nail"}',
    "repos/acme/hammer/main/examples/vue/nail/src/main.ts": "hit()\n",
    "blog/first.md": page(
        "Acme has a site",
        "Read about [Anvil](/anvil).",
        "description: News.\npublished: 2026-11-01\nauthors: []\nlibraries: [anvil]\n",
    ),
    "pages/about.md": page(
        "About", "## People\n\nWe are {{owner}}.", "description: Who we are.\nmenu: [header, footer]\n"
    ),
    "pages/privacy.md": page("Privacy", "We store nothing.", "description: What we store.\nmenu: footer\n"),
    "pages/guides/index.md": page(
        "Guides", "[First steps](/guides/first-steps)", "description: Longer texts.\nmenu: header\nmenu_order: 1\n"
    ),
    "pages/guides/first-steps.md": page(
        "First steps", "Begin.", "description: How to begin.\nsections: [library-links]\n"
    ),
}
"""A family of two libraries with versions, examples, posts and pages, without npm packages."""


_GEARS = "repos/acme/gears/main"
_OLD_FILES: Files = {
    "versioned/version-30.0/1-install.mdx": page(
        "Install", ":::tip\n\nUse 30.\n\n:::\n\nThen [use it](./usage.md). [New](../../docs/install.md)."
    ),
    "versioned/version-30.0/usage.md": page(
        "Usage", "## Call it\n\nCall `spin30()`. The [old way](@site/docs/v1/usage.md).", "redirect_from: [calls]\n"
    ),
    "docs/v1/index.md": page("Gears 1", "[Install](install.md), [next](../usage.md)."),
    "docs/v1/install.md": page("Install", "Lift it with both hands."),
    "docs/v1/usage.md": page("Usage", "## Call it\n\nCall `spin1()`.", "redirect_from: [turning]\n"),
    "docs/v1/levers.md": page("Levers", "Only the first version has levers. [An example](../../examples/spinner)."),
    "docs/v1/examples.md": page("All about examples", "There is one: the [spinner](../../examples/spinner)."),
    "examples/spinner/package.json": '{"name": "spinner"}',
    "examples/spinner/src/main.ts": "spin()\n",
}

VERSIONED: Files = {
    "kinfolk.toml": 'family = "Acme"\n',
    "libraries/gears.toml": """
repo = "acme/gears"
latest_version = "v30"

[[versions]]
name = "next"
banner = "unreleased"

[[versions]]
name = "v30"
label = "30.0 (stable)"
docs_root = "versioned/version-30.0"
dialect = "docusaurus"

[[versions]]
name = "v1"
docs_root = "docs/v1"
dialect = "mkdocs"
default_docs = "install"
banner = "unmaintained"
[[versions.docs_menu]]
label = "Old"
pages = ["install", "levers"]
""",
    f"{_GEARS}/docs/install.md": page("Install", "Take the nightly. See [1.0](v1/levers.md)."),
    f"{_GEARS}/docs/usage.md": page("Usage", "## Call it\n\nCall `spinNext()`. [Add gears](./fast-gears.md)."),
    f"{_GEARS}/docs/fast-gears.md": page("Fast gears", "These are new."),
    **{f"{_GEARS}/{name}": text for name, text in _OLD_FILES.items()},
}
"""A library whose three versions are folders of one branch: the next one, the latest one, and one within the first."""


def write_site(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder

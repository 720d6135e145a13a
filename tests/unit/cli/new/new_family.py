"""Repositories from which tests make sites."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result
from tests.unit.content.sources.git.sources_upstream import Upstreams, git

from kinfolk.cli.main import main
from kinfolk.config.docs_address import Ref

WIDGETS, GEARS, SPRINGS = Ref("acme/widgets", "main"), Ref("acme/gears", "trunk"), Ref("acme/springs", "main")
STAR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#db2777" d="M12 2 22 20H2Z"/></svg>'
REPOSITORIES: dict[Ref, dict[str, str]] = {
    WIDGETS: {
        "README.md": (
            "# Widgets\n\nWidgets is a library for tables. It has no dependencies.\n\n"
            "```ts\nimport { table } from 'widgets'\n\ntable([1, 2])\n```\n"
        ),
        "package.json": json.dumps({"name": "widgets", "description": "🐻 Tables for the web"}),
        "logo.svg": STAR,
        "docs/.vitepress/config.ts": "export default { title: 'Widgets', themeConfig: { sidebar: [] } }\n",
        "docs/guide/getting-started.md": "# Getting started\n\n::: tip\nRead [the rest](./more.md).\n:::\n",
        "docs/guide/more.md": "# More\n\nText about cells.\n",
    },
    GEARS: {
        "README.md": "# Gears\n\nGears is a library that turns things. It is fast.\n",
        "pyproject.toml": '[project]\nname = "gears"\ndescription = "Gears for Python"\n',
        "mkdocs.yml": "site_name: Gears\ntheme:\n  palette:\n    primary: teal\nnav:\n  - Home: index.md\n",
        "docs/index.md": "# Gears\n\n!!! note\n    Text\n",
    },
    SPRINGS: {"docs/index.rst": "Springs\n=======\n"},
}


def upstreams_with(folder: Path, *refs: Ref) -> Upstreams:
    """Upstream repositories of these libraries."""
    upstreams = Upstreams(folder / "upstream")
    for ref in refs:
        upstreams.commit(ref, REPOSITORIES[ref])
        git(f"--git-dir={upstreams.path(ref)}", "symbolic-ref", "HEAD", f"refs/heads/{ref.branch}")
    return upstreams


def new_arguments(site: Path, upstreams: Upstreams, *repositories: str) -> list[str]:
    named = [argument for repository in repositories for argument in ("--repo", repository)]
    return ["new", str(site), *named, "--from", upstreams.url_template]


def run_new(site: Path, upstreams: Upstreams, *repositories: str) -> Result:
    return CliRunner().invoke(main, new_arguments(site, upstreams, *repositories))

"""`kinfolk generate`: the files that are made from the models in Python."""

from __future__ import annotations

import click

from kinfolk.config.settings import ROOT

CLIENT = ROOT / "frontend/src/api/generated.ts"
CONFIGURATION = ROOT / "docs/configuration.md"


@click.command()
@click.option("--check", "only_check", is_flag=True, help="Fail instead of writing when a file is stale.")
def generate(only_check: bool) -> None:
    """Write the frontend's client and docs/configuration.md from the models in Python."""
    from kinfolk.api.all_functions import NAMED, registry
    from kinfolk.api.typescript import typescript
    from kinfolk.cli.generate.configuration_reference import configuration_reference

    for path, text in ((CLIENT, typescript(registry, NAMED)), (CONFIGURATION, configuration_reference())):
        name = path.relative_to(ROOT)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            click.echo(f"{name} is up to date")
            continue
        if only_check:
            raise click.ClickException(f"{name} is stale: run `make generate`")
        fresh = path.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
        click.echo(f"Wrote {name}")

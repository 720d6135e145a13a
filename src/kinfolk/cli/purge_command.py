"""`kinfolk purge`: purges the CDN now."""

from __future__ import annotations

import asyncio
import math

import click

from kinfolk.config.settings import process_settings


@click.command()
@click.option("--all", "everything", is_flag=True, help="Purge everything.")
@click.argument("names", nargs=-1)
def purge(everything: bool, names: tuple[str, ...]) -> None:
    """Purge the CDN: responses that depend on NAMES, such as `acme/query@main:docs/overview.md` or `blog`."""
    from kinfolk.content.dependencies import few_purge_tags
    from kinfolk.runtime.upstream.upstream_client import RequestsRefused
    from kinfolk.web.background.cdn.cdn_apis import CdnClient, cdn_of

    if everything == bool(names):
        raise click.UsageError("Name what to purge, or use --all")
    cdn = cdn_of(process_settings())
    if cdn is None:
        raise click.ClickException("There is no CDN to purge: KINFOLK_CDN is empty")
    tags = None if everything else few_purge_tags(names, most=cdn.most_tags)
    try:
        asyncio.run(CdnClient(cdn).purge(tags))
    except RequestsRefused as refused:
        again = f"repeat the command after {math.ceil(refused.retry_after_s)} s"
        raise click.ClickException(f"{refused.message}: {again}") from refused
    click.echo(f"{cdn.name} has purged {'everything' if tags is None else f'{len(tags)} tags'}")

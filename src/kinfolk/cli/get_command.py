"""`kinfolk get`: one page from a request inside this process."""

from __future__ import annotations

import sys
import time

import click

from kinfolk.config.settings import process_settings


@click.command()
@click.argument("path")
@click.option("--head", is_flag=True, help="Print the status and the headers too.")
def get(path: str, head: bool) -> None:
    """Print a page from a request inside this process."""
    import asyncio

    import httpx

    from kinfolk.web.app import create_app

    async def request_page() -> httpx.Response:
        app = create_app(process_settings())
        async with (
            app.running(),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk") as client,
        ):
            return await client.get(path)

    started = time.perf_counter()
    response = asyncio.run(request_page())
    if head:
        click.echo(f"{response.status_code} in {(time.perf_counter() - started) * 1000:.0f} ms", err=True)
        for name, value in response.headers.items():
            click.echo(f"{name}: {value}", err=True)
    click.echo(response.text)
    sys.exit(0 if response.is_success or response.is_redirect else 1)

"""`kinfolk dev`: serves a site with live reload."""

from __future__ import annotations

import contextlib
import gc
import os

import click

from kinfolk.config.settings import process_settings, use_site

DEFAULTS = {
    "KINFOLK_NPM_IMPORT": "off",
    "KINFOLK_FIGURES": "off",
    "KINFOLK_RELEASE_NOTES": "off",
    "KINFOLK_LINK_CHECK": "off",
    "KINFOLK_DRAFTS": "on",
    "KINFOLK_RENDERERS": "1",
    "KINFOLK_REFRESH_S": "0",
    "KINFOLK_SLOW_REQUEST_S": "0",
}
"""Settings that are not given: nothing is fetched, and drafts are shown."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="HOST",
    help="Answer to this host, too. Others than loopback hosts are refused.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the site in the browser.")
def dev(host: str, port: int, allowed_hosts: tuple[str, ...], open_browser: bool) -> None:
    """Serve the site with live reload: pages follow each change of docs, posts, pages and configuration."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    os.environ.setdefault("KINFOLK_ORIGIN", f"http://{host}:{port}")
    # Nearly all that imports create is kept. Collections meanwhile take 0.15 s.
    gc.disable()
    import logging

    import structlog

    from kinfolk.cli.dev.dev_server import serve_dev

    gc.enable()
    # The terminal shows what changed and what is wrong; the log of a server would hide it.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with contextlib.suppress(KeyboardInterrupt):
        settings = process_settings()
        # Also while its configuration is missing: an editor replaces the file, and a folder above may have a site.
        use_site(settings.site)
        serve_dev(settings, host=host, port=port, allowed_hosts=allowed_hosts, open_browser=open_browser)

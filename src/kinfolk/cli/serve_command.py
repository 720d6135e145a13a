"""`kinfolk serve`: the server."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from kinfolk.cli.options import content_option, use_content
from kinfolk.config.settings import process_settings
from kinfolk.runtime.errors import SiteError

PREVIEW_REFRESH_S = "2"
"""Refresh interval with --content: an edit is shown at the next reload."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that answer requests."
)
@content_option("Serve docs from this directory, laid out {owner}/{repo}/{branch}/…, and no mirror.")
@click.option("--reuse-port", is_flag=True, help="Share the port with other servers that have this option.")
@click.option(
    "--pid-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the process id, which a reload changes.",
)
def serve(host: str, port: int, workers: int, content: Path | None, *, reuse_port: bool, pid_file: Path | None) -> None:
    """Serve the site: the mirrored docs, or the bundled ones without a mirror. SIGUSR2 starts new code."""
    from kinfolk.web.processes.inherited_sockets import inherited_sockets

    use_content(content)
    if content is not None:
        os.environ.setdefault("KINFOLK_REFRESH_S", PREVIEW_REFRESH_S)
    os.environ.setdefault("KINFOLK_ORIGIN", f"http://{host}:{port}")
    import structlog

    with inherited_sockets(os.environ) as sockets:
        from kinfolk.web.processes.server import Listening, serve_site

        settings = process_settings()
        try:
            serve_site(settings, sockets, Listening(host, port, reuse_port, pid_file), workers=workers)
        except SiteError as wrong:
            if settings.log != "json":
                raise
            sockets.report_failure(wrong.message)
            # The error is in the log, in its format, because a log collector does not read the console.
            structlog.get_logger(__name__).critical("server did not start", reason=wrong.message)
            sys.exit(1)

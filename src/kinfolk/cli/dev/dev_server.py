"""Runs the server of `kinfolk dev` in one process, until interrupted."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Collection

import click
from uvicorn import Config, Server

from kinfolk.cli.dev.dev_app import DevApp
from kinfolk.cli.dev.host_check import AllowedHosts, HostCheck
from kinfolk.cli.dev.reload_stream import PATH
from kinfolk.config.settings import Settings, process_settings
from kinfolk.db.database import open_database
from kinfolk.runtime.errors import Invalid
from kinfolk.site.site import upgrade_database
from kinfolk.web.endpoints.files.static_files import check_built
from kinfolk.web.processes.server import listen
from kinfolk.web.protocol.http11_flow import EVENT_STREAM_PATH

STOP_S = 2


def serve_dev(settings: Settings, *, host: str, port: int, allowed_hosts: Collection[str], open_browser: bool) -> None:
    """Serve until interrupted. Raises SiteError when nothing can be served."""
    check_built(settings)
    listening = listen(host, port)
    database = open_database(settings)
    try:
        upgrade_database(database, settings)
    finally:
        database.close()
    url = f"http://{host}:{port}"
    app = DevApp(process_settings, click.echo)
    config = Config(
        HostCheck(app, AllowedHosts(host, allowed_hosts), (PATH, EVENT_STREAM_PATH)),
        interface="asgi3",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=STOP_S,
    )
    _DevServer(
        config, on_stop=app.stop_streams, on_start=lambda: _announce(url, settings, open_browser=open_browser)
    ).run([listening])


def _announce(url: str, settings: Settings, *, open_browser: bool) -> None:
    click.echo(f"Serving {settings.site}\nOpen {url}\nPages reload when a file changes. Press Ctrl+C to stop.")
    if open_browser:
        webbrowser.open(url)


class _DevServer(Server):
    """uvicorn's server. Calls `on_start` when it accepts requests, and `on_stop` before it waits for open ones."""

    def __init__(self, config: Config, *, on_start: Callable[[], None], on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_stop = on_stop

    async def startup(self, sockets: list | None = None) -> None:  # type: ignore[type-arg]
        await super().startup(sockets)
        if self.should_exit:
            raise Invalid("The site cannot start")
        self._on_start()

    async def shutdown(self, sockets: list | None = None) -> None:  # type: ignore[type-arg]
        self._on_stop()
        await super().shutdown(sockets)

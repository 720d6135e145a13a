"""`kinfolk settings`: all settings with their values."""

from __future__ import annotations

import os

import click

from kinfolk.config.settings import SETTINGS


@click.command()
def settings() -> None:
    """List all settings with their current values."""
    for setting in SETTINGS:
        value = os.environ.get(setting.name) or setting.default
        shown = "(hidden)" if setting.secret and value else value
        click.echo(f"{setting.name:26} {shown}\n    {setting.help}")

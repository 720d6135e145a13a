"""The `kinfolk` command: joins its subcommands. Their imports are inside functions, which keeps the start fast."""

from __future__ import annotations

from pathlib import Path

import click

from kinfolk.cli.backup.backup_command import backup, restore
from kinfolk.cli.check.check_command import check
from kinfolk.cli.check.review_command import review
from kinfolk.cli.db_command import db
from kinfolk.cli.dev.dev_command import dev
from kinfolk.cli.doctor.doctor_command import doctor
from kinfolk.cli.export.export_command import export
from kinfolk.cli.generate.generate_command import generate
from kinfolk.cli.get_command import get
from kinfolk.cli.highlight_command import highlight
from kinfolk.cli.import_site.import_command import import_site
from kinfolk.cli.index_command import index
from kinfolk.cli.new.new_command import new
from kinfolk.cli.npm_command import npm
from kinfolk.cli.purge_command import purge
from kinfolk.cli.searches_command import searches
from kinfolk.cli.serve_command import serve
from kinfolk.cli.settings_command import settings
from kinfolk.cli.sync_command import sync
from kinfolk.config.settings import process_log_format, use_site
from kinfolk.runtime.errors import SiteError

COMMANDS = (
    serve,
    sync,
    highlight,
    check,
    review,
    generate,
    index,
    searches,
    get,
    settings,
    db,
    backup,
    restore,
    doctor,
    export,
    purge,
    npm,
    new,
    dev,
    import_site,
)
NEED_NO_SITE = frozenset({"new", "import", "generate"})
"""Commands without the option `--site`."""


def _use_site(_context: click.Context, _parameter: click.Parameter, site: Path | None) -> None:
    if site is not None:
        use_site(site)


class _SiteGroup(click.Group):
    """Gives each command the option `--site`, and prints a SiteError as one line instead of a traceback."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        option = click.Option(
            ["--site"],
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            expose_value=False,
            is_eager=True,
            callback=_use_site,
            help="Folder of the site. Default: the nearest one with a kinfolk.toml, from the working directory up.",
        )
        if cmd.name not in NEED_NO_SITE:
            for command in (cmd, *(cmd.commands.values() if isinstance(cmd, click.Group) else ())):
                command.params.append(option)
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except SiteError as wrong:
            raise click.ClickException(wrong.message) from wrong


@click.group(cls=_SiteGroup)
@click.version_option(package_name="kinfolk")
def main() -> None:
    """One website for a family of open-source libraries."""
    from kinfolk.runtime.logging_config import set_up_logs

    set_up_logs(process_log_format())


for command in COMMANDS:
    main.add_command(command)

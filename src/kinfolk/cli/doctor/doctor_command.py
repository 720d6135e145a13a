"""`kinfolk doctor`. Imports inside the functions keep the start fast."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from kinfolk.config.settings import read_settings
from kinfolk.runtime.errors import SiteError

if TYPE_CHECKING:
    from kinfolk.cli.doctor.checkup import Check, CheckFinding
    from kinfolk.config.settings import Settings

COLORS = {"ok": "green", "warning": "yellow", "fault": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def doctor(*, as_json: bool) -> None:
    """Check the settings, the database, the disk, other servers and the way to the public address.

    Changes nothing. The exit status is 1 if there is a fault.
    """
    findings = examine(os.environ)
    status = _print_json(findings) if as_json else _print_lines(findings)
    # A check that is stuck in a system call does not delay the end.
    sys.stdout.flush()
    if status == "fault":
        sys.exit(1)


def examine(environment: Mapping[str, str]) -> list[CheckFinding]:
    """The findings of all checks for a site with these environment variables."""
    from kinfolk.cli.doctor.checkup import fault, run_checks

    try:
        settings = read_settings(environment)
    except SiteError as wrong:
        return [fault("settings", wrong.message, "`kinfolk settings` lists all settings with their values")]
    return run_checks(_checks(settings, environment))


def _checks(settings: Settings, environment: Mapping[str, str]) -> Sequence[Check]:
    from kinfolk.cli.doctor.checkup import Check
    from kinfolk.cli.doctor.machine_checks import check_disks, check_git, check_limits
    from kinfolk.cli.doctor.origin_checks import check_origin
    from kinfolk.cli.doctor.settings_checks import check_frontend, check_settings, check_site_files
    from kinfolk.cli.doctor.storage_checks import check_mirror, check_search
    from kinfolk.cli.doctor.upstream_checks import check_github, check_mail
    from kinfolk.config.settings import is_development

    found = [
        Check("settings", lambda: check_settings(settings, environment)),
        Check("site files", lambda: check_site_files(settings), deadline_s=30),
        Check("frontend", lambda: check_frontend(settings)),
        Check("git", check_git),
        Check("disk", lambda: check_disks(settings)),
        Check("limits", lambda: check_limits(settings)),
        Check("database", lambda: _database(settings), deadline_s=30),
        Check("mirror", lambda: check_mirror(settings, now_s=time.time()), deadline_s=30),
        Check("search", lambda: check_search(settings, now_s=time.time()), deadline_s=30),
        *_upstream_checks(settings),
    ]
    if settings.github_token or settings.figures:
        found.append(Check("GitHub API", lambda: check_github(settings)))
    if settings.smtp:
        found.append(Check("mail", lambda: check_mail(settings)))
    found += _cdn_checks(settings)
    found.append(Check("proxy", lambda: check_origin(settings), deadline_s=20))
    if not is_development(settings):
        found.append(_server_check("origin", settings.origin))
    return found


def _database(settings: Settings) -> list[CheckFinding]:
    from kinfolk.cli.doctor.checkup import worst
    from kinfolk.cli.doctor.delivery_checks import check_deliveries
    from kinfolk.cli.doctor.storage_checks import check_database
    from kinfolk.db.database import open_database

    database = open_database(settings)
    try:
        found = check_database(database)
        return [*found, *check_deliveries(database)] if settings.webhook_secret and worst(found) == "ok" else found
    finally:
        database.close()


def _cdn_checks(settings: Settings) -> list[Check]:
    from kinfolk.cli.doctor.cdn_check import NAME, check_cdn
    from kinfolk.cli.doctor.checkup import Check
    from kinfolk.web.background.cdn.cdn_apis import cdn_of

    def check() -> list[CheckFinding]:
        # Within the check: it reports settings that the CDN lacks.
        cdn = cdn_of(settings)
        return check_cdn(cdn) if cdn is not None else []

    return [Check(NAME, check, deadline_s=30)] if settings.cdn else []


def _upstream_checks(settings: Settings) -> list[Check]:
    from kinfolk.cli.doctor.upstream_checks import upstreams
    from kinfolk.config.catalog import read_catalog

    try:
        libraries = read_catalog(settings.site)[0].libraries
    except SiteError:
        libraries = ()  # the check of the site's files reports it
    hosts = [library.code_host.base for library in libraries if library.code_host]
    return [_server_check(name, url) for name, url in upstreams(settings, hosts)]


def _server_check(name: str, url: str) -> Check:
    from kinfolk.cli.doctor.checkup import Check
    from kinfolk.cli.doctor.upstream_checks import check_server

    return Check(name, lambda: check_server(name, url))


def _print_lines(findings: Sequence[CheckFinding]) -> str:
    from kinfolk.cli.doctor.checkup import worst

    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark = click.style(f"{finding.status:8}", fg=COLORS[finding.status])
        advice = f". {finding.advice}" if finding.advice else ""
        message = " ".join(finding.message.split())
        click.echo(f"{mark} {finding.name:{width}}  {message}{advice}")
    return worst(findings)


def _print_json(findings: Sequence[CheckFinding]) -> str:
    from kinfolk.cli.doctor.checkup import worst

    checks = [
        {"name": each.name, "status": each.status, "message": each.message, "advice": each.advice} for each in findings
    ]
    status = worst(findings)
    click.echo(json.dumps({"status": status, "checks": checks}, indent=2))
    return status

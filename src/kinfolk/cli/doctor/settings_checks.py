"""Checks of settings and of the files of the site."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from kinfolk.cli.doctor.checkup import CheckFinding, fault, ok, warning
from kinfolk.config.catalog import read_catalog
from kinfolk.config.settings import PREFIX, SETTINGS, SHORTEST_SECRET, Settings, is_development
from kinfolk.site.configuration_check import configuration_faults
from kinfolk.web.endpoints.files.static_files import check_built

MOST_LISTED = 5


def check_settings(settings: Settings, environment: Mapping[str, str]) -> list[CheckFinding]:
    """Names that are no settings, what a public site lacks, and settings that contradict each other."""
    found = [*_unknown(environment), *_public(settings), *_contradictory(settings)]
    return found or [ok("settings", f"{_count_set(environment)} are set, for {settings.origin}")]


def _count_set(environment: Mapping[str, str]) -> int:
    return sum(bool(environment.get(setting.name)) for setting in SETTINGS)


def _unknown(environment: Mapping[str, str]) -> Iterator[CheckFinding]:
    known = [setting.name for setting in SETTINGS]
    for name in sorted(name for name in environment if name.startswith(PREFIX) and name not in known)[:MOST_LISTED]:
        nearest = difflib.get_close_matches(name, known, 1, 0.8)
        advice = f"Is it {nearest[0]}?" if nearest else "`kinfolk settings` lists all settings"
        yield warning("settings", f"{name[:80]} is no setting", advice)


def _public(settings: Settings) -> Iterator[CheckFinding]:
    if is_development(settings):
        return
    if read_catalog(settings.site)[0].accounts and len(settings.secret) < SHORTEST_SECRET:
        advice = "Set it to the output of `openssl rand -base64 32`, and keep it"
        yield fault("settings", f"KINFOLK_SECRET has fewer than {SHORTEST_SECRET} characters", advice)
    if not settings.trusted_proxies:
        advice = "Name the proxies before this server: otherwise all readers share the limits of one address"
        yield warning("settings", "KINFOLK_TRUSTED_PROXIES names no proxy", advice)
    if settings.origin.startswith("http://"):
        yield warning("settings", f"{settings.origin} is sent in plain text", "Serve it with TLS, by a proxy or a CDN")
    elif not settings.hsts_s:
        advice = "Set it to 31536000 once all of the host is served with TLS"
        yield warning("settings", "KINFOLK_HSTS_S is 0: the first visit of a browser may be in plain text", advice)
    if not settings.webhook_secret and not settings.refresh_s and settings.mirror is not None:
        advice = "Set KINFOLK_REFRESH_S, or KINFOLK_WEBHOOK_SECRET with a webhook"
        yield warning("settings", "Nothing fetches pushes: KINFOLK_REFRESH_S is 0, and there is no webhook", advice)


def _contradictory(settings: Settings) -> Iterator[CheckFinding]:
    pairs = (
        (
            "KINFOLK_GITHUB_OAUTH_ID",
            settings.github_oauth_id,
            "KINFOLK_GITHUB_OAUTH_SECRET",
            settings.github_oauth_secret,
        ),
        (
            "KINFOLK_GOOGLE_OAUTH_ID",
            settings.google_oauth_id,
            "KINFOLK_GOOGLE_OAUTH_SECRET",
            settings.google_oauth_secret,
        ),
        ("KINFOLK_SMTP", settings.smtp, "KINFOLK_MAIL_FROM", settings.mail_from),
        ("KINFOLK_ASK_URL", settings.ask_url, "KINFOLK_ASK_MODEL", settings.ask_model),
    )
    for first, one, second, other in pairs:
        if bool(one) != bool(other):
            given, missing = (first, second) if one else (second, first)
            yield fault("settings", f"{given} is set, and {missing} is not", f"Set {missing}, or neither")
    if settings.maintainer_organization and not settings.github_oauth_id:
        advice = "Set up sign-in with GitHub, or name maintainers in KINFOLK_MAINTAINERS"
        yield warning("settings", "KINFOLK_MAINTAINER_ORGANIZATION needs sign-in with GitHub", advice)
    if settings.previews and (settings.mirror is None or not settings.webhook_secret):
        advice = "Set KINFOLK_MIRROR and KINFOLK_WEBHOOK_SECRET"
        yield warning("settings", "KINFOLK_PREVIEWS needs a mirror and a webhook", advice)
    if settings.comment_tokens and not settings.previews:
        yield warning("settings", "KINFOLK_COMMENT_TOKENS is set, and KINFOLK_PREVIEWS is 0", "Set KINFOLK_PREVIEWS")


def check_site_files(settings: Settings) -> list[CheckFinding]:
    """Faults of the files of the site's folder."""
    faults = configuration_faults(settings.site, settings.frontend)
    if not faults:
        return [ok("site files", f"The files in {settings.site} are valid")]
    message = f"{len(faults)} faults, such as {faults[0].message.partition(chr(10))[0][:200]}"
    return [fault("site files", message, "`kinfolk check` lists all of them")]


def check_frontend(settings: Settings) -> list[CheckFinding]:
    """Whether the frontend is built. Raises Invalid."""
    check_built(settings)
    return [ok("frontend", f"It is built in {settings.frontend}")]

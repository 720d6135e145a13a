"""What an operator may set: one list of facts, read from the environment into one frozen value.

The README's table, `--help` and the defaults all come from SETTINGS.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import NamedTuple

from kinfolk.errors import Invalid

Network = IPv4Network | IPv6Network

ROOT = Path(__file__).resolve().parents[2]
"""The project's folder: `data/`, `content/` and `frontend/dist/` lie there unless set otherwise."""


class Setting(NamedTuple):
    name: str
    default: str
    help: str
    secret: bool = False


SETTINGS = (
    Setting("KINFOLK_DATA", "data", "Folder of the family's facts (libraries, redirects)"),
    Setting("KINFOLK_CONTENT", "content/repos", "Bundled docs, served where there is no mirror"),
    Setting("KINFOLK_WORDS", "content", "Folder of the site's own words: blog posts and plain pages"),
    Setting("KINFOLK_MIRROR", "var/mirror", "Folder of the git mirrors that `kinfolk sync` keeps; `off` for none"),
    Setting("KINFOLK_FRONTEND", "frontend/dist", "The built frontend"),
    Setting("KINFOLK_ORIGIN", "http://127.0.0.1:8000", "Public address of the site, for canonical links"),
    Setting("KINFOLK_UPSTREAM", "https://github.com/{owner}/{repo}.git", "Where `sync` fetches a repository from"),
    Setting("KINFOLK_REFRESH_S", "300", "Seconds between two looks at the repositories; 0 turns it off"),
    Setting("KINFOLK_FETCH_TIMEOUT_S", "60", "Seconds that fetching one repository may take"),
    Setting("KINFOLK_WEBHOOK_SECRET", "", "Shared secret of the GitHub webhook; empty for no webhook", secret=True),
    Setting("KINFOLK_RENDERERS", "2", "V8 isolates a worker keeps for rendering pages"),
    Setting("KINFOLK_RENDER_TIMEOUT_S", "5", "Seconds one rendering round may take before its isolate is replaced"),
    Setting("KINFOLK_MEMORY_MB", "96", "Memory for all caches of a worker together, in MB"),
    Setting("KINFOLK_VAR", "var", "Folder of what the site makes for itself and may lose: highlighted code"),
    Setting("KINFOLK_HIGHLIGHT", "on", "Whether code is highlighted in the background: on or off"),
    Setting("KINFOLK_DRAFTS", "off", "Whether drafts of the blog are shown: on or off"),
    Setting("KINFOLK_GITHUB_TOKEN", "", "Token that may read the sponsors on GitHub; empty for none", secret=True),
    Setting("KINFOLK_GITHUB_API", "https://api.github.com", "Where GitHub's interface is"),
    Setting("KINFOLK_SEARCH", "on", "Whether the site's own words can be searched: on or off"),
    Setting("KINFOLK_SEARCH_APP_ID", "kinfolk", "Application id of the search, which the dialog tells its hosts"),
    Setting("KINFOLK_SEARCH_KEY", "kinfolk-search", "Key that may search and nothing else; public"),
    Setting("KINFOLK_SEARCH_ADMIN_KEY", "", "Key that may write indexes; empty to refuse all writes", secret=True),
    Setting("KINFOLK_SEARCH_HOSTS", "", "Hosts that the dialog asks, by commas; empty for this site, or `algolia`"),
    Setting("KINFOLK_SEARCH_RATE", "20", "Searches that one address may make in a second; 0 for no limit"),
    Setting(
        "KINFOLK_TRUSTED_PROXIES",
        "127.0.0.1,::1",
        "Proxies (addresses, networks): X-Forwarded-For is believed, connections are not limited by address",
    ),
    Setting("KINFOLK_CONNECTIONS", "1000", "Connections that a worker keeps open"),
    Setting("KINFOLK_CONNECTIONS_PER_ADDRESS", "200", "Connections that one address may keep open to a worker"),
    Setting("KINFOLK_HSTS_S", "0", "Seconds for which browsers must use HTTPS (HSTS); 0 sends no such header"),
    Setting("KINFOLK_METRICS", "", "Address and port for Prometheus metrics, such as 127.0.0.1:9464; empty for none"),
    Setting("KINFOLK_SLOW_REQUEST_S", "1", "Seconds after which a request is logged as slow; 0 for never"),
    Setting("KINFOLK_LOG", "console", "Form of the log: console or json"),
)


@dataclass(frozen=True)
class Settings:
    """One value for everything that depends on where and how the site runs."""

    data: Path
    content: Path
    words: Path
    mirror: Path | None
    frontend: Path
    origin: str
    upstream: str
    refresh_s: float
    fetch_timeout_s: float
    webhook_secret: str
    renderers: int
    render_timeout_s: float
    memory_mb: int
    var: Path
    highlight: bool
    drafts: bool
    github_token: str
    github_api: str
    search: bool
    search_app_id: str
    search_key: str
    search_admin_key: str
    search_hosts: tuple[str, ...]
    search_rate: float
    trusted_proxies: tuple[Network, ...]
    connections: int
    connections_per_address: int
    hsts_s: int
    metrics: tuple[str, int] | None
    slow_request_s: float
    log: str


def read_settings(environment: Mapping[str, str], *, root: Path = ROOT) -> Settings:
    """Settings from environment variables; relative paths start at `root`. Raises Invalid naming the variable."""
    given = {s.name: environment.get(s.name) or s.default for s in SETTINGS}

    def number(name: str, *, least: float) -> float:
        try:
            value = float(given[name])
        except ValueError:
            raise Invalid(f"{name} must be a number, not {given[name]!r}") from None
        if not (math.isfinite(value) and value >= least):
            raise Invalid(f"{name} must be at least {least:g}, not {given[name]}")
        return value

    origin = given["KINFOLK_ORIGIN"].rstrip("/")
    if not origin.startswith(("http://", "https://")):
        raise Invalid(f"KINFOLK_ORIGIN must start with http:// or https://, not {origin!r}")
    for switch in ("KINFOLK_HIGHLIGHT", "KINFOLK_DRAFTS", "KINFOLK_SEARCH"):
        if given[switch] not in ("on", "off"):
            raise Invalid(f"{switch} must be on or off, not {given[switch]!r}")
    if given["KINFOLK_LOG"] not in ("console", "json"):
        raise Invalid(f"KINFOLK_LOG must be console or json, not {given['KINFOLK_LOG']!r}")
    return Settings(
        data=root / given["KINFOLK_DATA"],
        content=root / given["KINFOLK_CONTENT"],
        words=root / given["KINFOLK_WORDS"],
        mirror=None if given["KINFOLK_MIRROR"] == "off" else root / given["KINFOLK_MIRROR"],
        frontend=root / given["KINFOLK_FRONTEND"],
        origin=origin,
        upstream=given["KINFOLK_UPSTREAM"],
        refresh_s=number("KINFOLK_REFRESH_S", least=0),
        fetch_timeout_s=number("KINFOLK_FETCH_TIMEOUT_S", least=1),
        webhook_secret=given["KINFOLK_WEBHOOK_SECRET"],
        renderers=int(number("KINFOLK_RENDERERS", least=1)),
        render_timeout_s=number("KINFOLK_RENDER_TIMEOUT_S", least=0.1),
        memory_mb=int(number("KINFOLK_MEMORY_MB", least=16)),
        var=root / given["KINFOLK_VAR"],
        highlight=given["KINFOLK_HIGHLIGHT"] == "on",
        drafts=given["KINFOLK_DRAFTS"] == "on",
        github_token=given["KINFOLK_GITHUB_TOKEN"],
        github_api=given["KINFOLK_GITHUB_API"],
        search=given["KINFOLK_SEARCH"] == "on",
        search_app_id=given["KINFOLK_SEARCH_APP_ID"],
        search_key=given["KINFOLK_SEARCH_KEY"],
        search_admin_key=given["KINFOLK_SEARCH_ADMIN_KEY"],
        search_hosts=_search_hosts(given["KINFOLK_SEARCH_HOSTS"], given["KINFOLK_SEARCH_APP_ID"]),
        search_rate=number("KINFOLK_SEARCH_RATE", least=0),
        trusted_proxies=_networks(given["KINFOLK_TRUSTED_PROXIES"]),
        connections=int(number("KINFOLK_CONNECTIONS", least=16)),
        connections_per_address=int(number("KINFOLK_CONNECTIONS_PER_ADDRESS", least=1)),
        hsts_s=int(number("KINFOLK_HSTS_S", least=0)),
        metrics=_host_and_port(given["KINFOLK_METRICS"]),
        slow_request_s=number("KINFOLK_SLOW_REQUEST_S", least=0),
        log=given["KINFOLK_LOG"],
    )


def _networks(given: str) -> tuple[Network, ...]:
    found = []
    for part in filter(None, (part.strip() for part in given.split(","))):
        try:
            found.append(ip_network(part, strict=False))
        except ValueError:
            raise Invalid(f"KINFOLK_TRUSTED_PROXIES must be addresses or networks, not {part!r}") from None
    return tuple(found)


def _host_and_port(given: str) -> tuple[str, int] | None:
    if not given:
        return None
    host, _, port = given.rpartition(":")
    if not host or not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) <= 65535:  # noqa: PLR2004 - of TCP
        raise Invalid(f"KINFOLK_METRICS must be an address and a port, such as 127.0.0.1:9464, not {given!r}")
    return host.strip("[]"), int(port)


def _search_hosts(given: str, app_id: str) -> tuple[str, ...]:
    """Addresses such as `https://search.example.com`; none for this site itself."""
    if given == "algolia":
        # In this order its clients ask them: the nearest one, then three elsewhere.
        names = [f"{app_id}-dsn.algolia.net", *(f"{app_id}-{at}.algolianet.com" for at in (1, 2, 3))]
        return tuple(f"https://{name.lower()}" for name in names)
    hosts = [host.strip().rstrip("/") for host in given.split(",") if host.strip()]
    found = tuple(host if "://" in host else f"https://{host}" for host in hosts)
    for host in found:
        if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~/-]*)?", host):
            raise Invalid(f"KINFOLK_SEARCH_HOSTS must be names of hosts, not {host!r}")
    return found


def settings_here() -> Settings:
    """Settings from this process's own environment."""
    return read_settings(os.environ)


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment of a process that is to read the same words as this one, wherever our settings came from."""
    return {
        **os.environ,
        "KINFOLK_DATA": str(settings.data),
        "KINFOLK_CONTENT": str(settings.content),
        "KINFOLK_WORDS": str(settings.words),
        "KINFOLK_MIRROR": str(settings.mirror or "off"),
        "KINFOLK_VAR": str(settings.var),
        "KINFOLK_DRAFTS": "on" if settings.drafts else "off",
        "KINFOLK_LOG": "json",
    }

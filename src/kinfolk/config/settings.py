"""The settings of an operator: environment variables, read and checked once into one frozen value.

docs/configuration.md, `kinfolk settings` and the defaults come from the annotations of `Settings`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import fields
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_type_hints
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError, ValidationInfo
from pydantic.dataclasses import dataclass
from pydantic_core import ErrorDetails

from kinfolk.config.site_folder import PACKAGE, SITE_FILE, find_site_folder
from kinfolk.runtime.errors import Invalid

Network = IPv4Network | IPv6Network

ROOT = Path(__file__).resolve().parents[3]
"""The folder of the checkout, where the package is not installed from a wheel."""

PACKAGED_FRONTEND = PACKAGE / "frontend"
"""The built frontend of a wheel."""
BUILT_FRONTEND = PACKAGED_FRONTEND if PACKAGED_FRONTEND.exists() else ROOT / "frontend" / "dist"

PREFIX = "KINFOLK_"
SITE = PREFIX + "SITE"

DEVELOPMENT_SECRET = "development"  # noqa: S105 - everyone knows it
"""The default of `secret`: only a site at a loopback address starts with it."""
SHORTEST_SECRET = 32


class Setting(NamedTuple):
    """One environment variable. `default` is written as the variable would be; `secret` values are not printed."""

    name: str
    default: str
    help: str
    secret: bool = False


def setting(default: str, help: str, *, secret: bool = False) -> Setting:
    """The annotation of a field of `Settings`; its name is added from the field."""
    return Setting("", default, help, secret)


def _from_site(path: Path, info: ValidationInfo) -> Path:
    site: Path = info.context or Path()
    return site / path


def _frontend(given: object) -> object:
    return given or BUILT_FRONTEND


def _origin(given: str) -> str:
    if not given.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return given.rstrip("/")


def _service_url(given: str) -> str:
    return _origin(given) if given else ""


def _networks(given: object) -> object:
    if not isinstance(given, str):
        return given
    found = []
    for part in filter(None, (part.strip() for part in given.split(","))):
        try:
            found.append(ip_network(part, strict=False))
        except ValueError:
            raise ValueError("must be addresses or networks") from None
    return tuple(found)


def _host_and_port(given: object) -> object:
    if not isinstance(given, str):
        return given
    if not given:
        return None
    host, _, port = given.rpartition(":")
    if not host or not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) <= 65535:  # noqa: PLR2004 - of TCP
        raise ValueError("must be an address and a port, such as 127.0.0.1:9464")
    return host.strip("[]"), int(port)


def _search_hosts(given: object, info: ValidationInfo) -> object:
    """Addresses such as `https://search.example.com`; empty for this site."""
    if not isinstance(given, str):
        return given
    if given == "algolia":
        app_id = info.data.get("search_app_id", "")
        # The order in which Algolia's clients try hosts: the nearest one, then three others.
        names = [f"{app_id}-dsn.algolia.net", *(f"{app_id}-{at}.algolianet.com" for at in (1, 2, 3))]
        return tuple(f"https://{name.lower()}" for name in names)
    hosts = [host.strip().rstrip("/") for host in given.split(",") if host.strip()]
    found = tuple(host if "://" in host else f"https://{host}" for host in hosts)
    for host in found:
        if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~/-]*)?", host):
            raise ValueError("must be names of hosts")
    return found


def _addresses(given: object) -> object:
    if not isinstance(given, str):
        return given
    found = tuple(part.strip().lower() for part in given.split(",") if part.strip())
    if any(part.count("@") != 1 for part in found):
        raise ValueError("must be e-mail addresses")
    return found


def _tokens(given: object) -> object:
    if not isinstance(given, str):
        return given
    pairs = [part.strip().partition("=") for part in given.split(",") if part.strip()]
    hosts = all(re.fullmatch(r"[a-z0-9.-]+(:\d+)?", host) for host, _, _ in pairs)
    if not hosts or not all(re.fullmatch(r"[!-~]+", token) for _, _, token in pairs):
        raise ValueError("must be names of hosts, each with its token: github.com=TOKEN")
    return {host: token for host, _, token in pairs}


def _header_values(given: object) -> object:
    if not isinstance(given, str):
        return given
    pairs = [part.strip().partition("=") for part in given.split(",") if part.strip()]
    if not all(re.fullmatch(r"[A-Za-z0-9-]+", name) and re.fullmatch(r"[ -~]+", value) for name, _, value in pairs):
        raise ValueError("must be headers with their values: authorization=TOKEN")
    return {name.lower(): value for name, _, value in pairs}


Folder = Annotated[Path, AfterValidator(_from_site)]
Frontend = Annotated[Folder, BeforeValidator(_frontend)]
OptionalFolder = Annotated[Folder | None, BeforeValidator(lambda given: None if given == "off" else given)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Switch = Annotated[bool, Field()]
Origin = Annotated[str, AfterValidator(_origin)]
ServiceUrl = Annotated[str, AfterValidator(_service_url)]
Networks = Annotated[tuple[Network, ...], BeforeValidator(_networks)]
Address = Annotated[tuple[str, int] | None, BeforeValidator(_host_and_port)]
Addresses = Annotated[tuple[str, ...], BeforeValidator(_addresses)]
Tokens = Annotated[Mapping[str, str], BeforeValidator(_tokens)]
HeaderValues = Annotated[Mapping[str, str], BeforeValidator(_header_values)]
SearchHosts = Annotated[tuple[str, ...], BeforeValidator(_search_hosts)]


@dataclass(frozen=True)
class Settings:
    """Everything that depends on where and how the site runs. The variable of a field is `KINFOLK_` and its name."""

    site: Annotated[
        Folder,
        setting("", "Folder of the site, which has a kinfolk.toml; empty for the working directory or one above it"),
    ]
    content: Annotated[Folder, setting("repos", "Bundled docs, served for branches that have no mirror")]
    mirror: Annotated[
        OptionalFolder, setting("var/mirror", "Folder of the git mirrors that `kinfolk sync` keeps; `off` for none")
    ]
    frontend: Annotated[Frontend, setting("", "The built frontend; empty for the one of this package")]
    origin: Annotated[Origin, setting("http://127.0.0.1:8000", "Public address of the site, for canonical links")]
    upstream: Annotated[
        str,
        setting(
            "",
            "Address that `sync` fetches a repository from, as `https://git.example/{owner}/{repo}.git`; empty for the "
            "host in the library's file",
        ),
    ]
    refresh_s: Annotated[Seconds, setting("300", "Seconds between two refreshes of the repositories; 0 turns it off")]
    fetch_timeout_s: Annotated[
        float, Field(ge=1, allow_inf_nan=False), setting("60", "Seconds that fetching one repository may take")
    ]
    releases_mb: Annotated[
        int,
        Field(ge=0),
        setting("500", "Disk for the docs of the releases of one repository, in MB; 0 for docs of branches only"),
    ]
    open_releases: Annotated[
        int, Field(ge=1), setting("20", "Releases whose list of files a worker process keeps in memory")
    ]
    release_fetches: Annotated[
        int, Field(ge=1), setting("60", "Releases per minute whose docs readers may make a worker process fetch")
    ]
    previews: Annotated[
        int,
        Field(ge=0, le=2000),
        setting("0", "Open pull requests that have a preview; 0 for no previews, because anyone can open one"),
    ]
    previews_mb: Annotated[
        int, Field(ge=1), setting("200", "Disk for the docs of the pull requests of one repository, in MB")
    ]
    preview_days: Annotated[
        int, Field(ge=1), setting("30", "Days without a change after which a pull request has no preview any more")
    ]
    closed_preview_days: Annotated[
        int, Field(ge=0), setting("3", "Days for which a closed pull request keeps its preview")
    ]
    comment_tokens: Annotated[
        Tokens,
        setting(
            "",
            "Tokens that may comment on pull requests with a preview, as `github.com=TOKEN,gitlab.com=TOKEN`; empty "
            "for no comments",
            secret=True,
        ),
    ]
    webhook_secret: Annotated[str, setting("", "Shared secret of webhooks; empty for none", secret=True)]
    renderers: Annotated[
        int, Field(ge=1), setting("2", "Largest number of V8 isolates in a worker process, which render pages")
    ]
    render_timeout_s: Annotated[
        float,
        Field(ge=0.1, allow_inf_nan=False),
        setting("5", "Seconds that one rendering round may take before its isolate is replaced"),
    ]
    prerender: Annotated[
        Switch, setting("on", "Whether pages of the latest versions are rendered before they are requested: on or off")
    ]
    cdn: Annotated[
        Literal["", "cloudflare", "fastly", "bunny", "varnish", "hook"],
        setting("", "What is purged after changes: cloudflare, fastly, bunny, varnish or hook; empty for nothing"),
    ]
    cdn_id: Annotated[
        str,
        Field(pattern=r"^[A-Za-z0-9_-]{0,64}$"),
        setting("", "Id of the zone at Cloudflare, of the service at Fastly or of the pull zone at Bunny"),
    ]
    cdn_token: Annotated[
        str,
        setting("", "API token of the CDN that may purge; for a hook, the secret of its signature", secret=True),
    ]
    cdn_api: Annotated[
        ServiceUrl,
        setting("", "Address of the hook or of Varnish; for other CDNs, of their API, and empty for the usual one"),
    ]
    cdn_tags: Annotated[
        Literal["", "cache-tag", "surrogate-key", "cdn-tag"],
        setting("", "Header with the tags of a response: cache-tag, surrogate-key or cdn-tag; empty for the CDN's own"),
    ]
    cdn_max_age_s: Annotated[
        int,
        Field(ge=1, le=31_536_000),
        setting("86400", "Seconds for which the CDN keeps what a purge can drop; without KINFOLK_CDN, it is 300"),
    ]
    memory_mb: Annotated[int, Field(ge=16), setting("80", "Memory for all caches of a worker process together, in MB")]
    asset_builds: Annotated[
        int,
        Field(ge=1, le=50),
        setting("3", "Builds of the frontend whose files are served after upgrades; 1 for the current one only"),
    ]
    var: Annotated[Folder, setting("var", "Folder of files that the site writes, such as highlighted code")]
    database_url: Annotated[
        str,
        setting("", "Address of the database, such as postgresql://user@host/name; empty for a file", secret=True),
    ]
    secret: Annotated[
        str,
        setting(
            DEVELOPMENT_SECRET,
            "Secret that sign-in depends on: 32 random characters or more for a public site with accounts",
            secret=True,
        ),
    ]
    smtp: Annotated[
        str,
        setting("", "Mail server, such as smtp://user:password@host:587; empty for no sign-in by mail", secret=True),
    ]
    mail_from: Annotated[str, setting("", "Address that mail comes from, such as Acme <login@example.com>")]
    maintainers: Annotated[Addresses, setting("", "Email addresses of maintainers, separated by commas")]
    maintainer_organization: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9-]{0,39}$"), setting("", "GitHub organization whose members are maintainers")
    ]
    github_oauth_id: Annotated[str, setting("", "Client id of the GitHub OAuth app; empty for no sign-in with GitHub")]
    github_oauth_secret: Annotated[str, setting("", "Client secret of the GitHub OAuth app", secret=True)]
    github_site: Annotated[Origin, setting("https://github.com", "Address of GitHub's sign-in pages")]
    google_oauth_id: Annotated[str, setting("", "Client id at Google; empty for no sign-in with Google")]
    google_oauth_secret: Annotated[str, setting("", "Client secret at Google", secret=True)]
    npm_import: Annotated[Switch, setting("on", "Whether download counts are fetched from npm: on or off")]
    npm_downloads_api: Annotated[Origin, setting("https://api.npmjs.org", "Address of npm's API of download counts")]
    npm_search_api: Annotated[
        str, setting("", "Address of a package search that answers as npm's registry does; empty for none")
    ]
    npm_registry: Annotated[
        ServiceUrl,
        setting(
            "",
            "Address of a package registry that answers as npm's does, from which the types of documented packages are "
            "fetched: the code of docs is checked against them; empty for none",
        ),
    ]
    npm_interval_s: Annotated[
        Seconds, setting("3", "Seconds between two requests to npm's API, of all processes together")
    ]
    link_check: Annotated[
        Switch, setting("on", "Whether the links of all docs are checked in the background: on or off")
    ]
    figures: Annotated[
        Switch, setting("on", "Whether stars, contributors and dependents are fetched from GitHub and npm: on or off")
    ]
    release_notes: Annotated[
        Switch, setting("on", "Whether releases are fetched from the code hosts of the libraries: on or off")
    ]
    highlight: Annotated[Switch, setting("on", "Whether code is highlighted in the background: on or off")]
    code_checks: Annotated[
        Switch, setting("on", "Whether the code of all docs is checked against the libraries' packages: on or off")
    ]
    drafts: Annotated[Switch, setting("off", "Whether drafts of the blog are shown: on or off")]
    github_token: Annotated[
        str, setting("", "Token for GitHub's API, which sponsors and star histories need; empty for none", secret=True)
    ]
    github_api: Annotated[str, setting("https://api.github.com", "Address of GitHub's API")]
    search: Annotated[Switch, setting("on", "Whether the site has a search index of its own: on or off")]
    search_app_id: Annotated[str, setting("kinfolk", "Application id that the search dialog sends to the search hosts")]
    search_key: Annotated[str, setting("kinfolk-search", "Public API key that may only search")]
    search_admin_key: Annotated[
        str, setting("", "API key that may write indexes; empty to refuse all writes", secret=True)
    ]
    search_hosts: Annotated[
        SearchHosts,
        setting("", "Search hosts of the dialog, separated by commas; empty for this site, or `algolia`"),
    ]
    search_rate: Annotated[Seconds, setting("20", "Searches that one address may make in a second; 0 for no limit")]
    mcp_rate: Annotated[Seconds, setting("5", "MCP requests that one address may make in a second; 0 for no limit")]
    ask_enabled: Annotated[
        Switch, setting("on", "Whether questions are answered, if KINFOLK_ASK_URL names a service: on or off")
    ]
    ask_url: Annotated[
        ServiceUrl,
        setting(
            "",
            "Address of a service with OpenAI's chat protocol, such as https://api.example.com/v1, which answers "
            "questions from sections of the docs; empty for none",
        ),
    ]
    ask_key: Annotated[str, setting("", "API key of that service", secret=True)]
    ask_model: Annotated[str, setting("", "Name of the model of that service")]
    ask_rate: Annotated[Seconds, setting("6", "Questions that one address may ask in a minute; 0 for no limit")]
    ask_daily_questions: Annotated[
        int, Field(ge=0), setting("500", "Questions that are answered in a day; 0 for no limit")
    ]
    ask_daily_characters: Annotated[
        int,
        Field(ge=0),
        setting("5000000", "Characters that are sent to the service and received from it in a day; 0 for no limit"),
    ]
    trusted_proxies: Annotated[
        Networks,
        setting(
            "127.0.0.1,::1",
            "Proxies (addresses, networks): X-Forwarded-For is believed, connections are not limited by address",
        ),
    ]
    connections: Annotated[int, Field(ge=16), setting("1000", "Connections that a worker process keeps open")]
    connections_per_address: Annotated[
        int, Field(ge=1), setting("200", "Connections that one address may keep open to a worker process")
    ]
    hsts_s: Annotated[
        int, Field(ge=0), setting("0", "Seconds for which browsers must use HTTPS (HSTS); 0 sends no such header")
    ]
    metrics: Annotated[
        Address, setting("", "Address and port for Prometheus metrics, such as 127.0.0.1:9464; empty for none")
    ]
    otlp: Annotated[
        ServiceUrl,
        setting("", "Collector of OpenTelemetry for traces and metrics, such as http://127.0.0.1:4318; empty for none"),
    ]
    otlp_headers: Annotated[
        HeaderValues, setting("", "Headers for the collector, such as authorization=TOKEN,x-team=docs", secret=True)
    ]
    trace_ratio: Annotated[
        float, Field(ge=0, le=1, allow_inf_nan=False), setting("0.05", "Share of requests that are traced, from 0 to 1")
    ]
    slow_request_s: Annotated[Seconds, setting("1", "Seconds after which a request is logged as slow; 0 for never")]
    log: Annotated[Literal["console", "json"], setting("console", "Format of the log: console or json")]


def _settings() -> tuple[Setting, ...]:
    hints = get_type_hints(Settings, include_extras=True)
    annotations = [
        (field.name, next(extra for extra in hints[field.name].__metadata__ if isinstance(extra, Setting)))
        for field in fields(Settings)
    ]
    return tuple(found._replace(name=PREFIX + name.upper()) for name, found in annotations)


SETTINGS = _settings()
"""All settings, in the order of their documentation."""

_adapter = TypeAdapter(Settings)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from environment variables; relative paths start at the site folder.

    Raises Invalid naming the variable, or if there is no site folder.
    """
    given = {each.name: environment.get(each.name) or each.default for each in SETTINGS}
    site = _site_folder(given[SITE])
    given[SITE] = str(site)
    try:
        return _adapter.validate_python(
            {name.removeprefix(PREFIX).lower(): value for name, value in given.items()}, context=site
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = PREFIX + str(first["loc"][0]).upper()
        raise Invalid(f"{name} {_reason(first)}, not {given[name]!r}") from None


def _site_folder(given: str) -> Path:
    """The folder that was named, or the one that the working directory is in. Raises Invalid."""
    if not given:
        return find_site_folder(Path.cwd())
    site = Path(given).absolute()
    if not (site / SITE_FILE).is_file():
        raise Invalid(f"{SITE} is {given!r}, which has no {SITE_FILE}")
    return site


def _reason(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "float_parsing" | "int_parsing" | "int_from_float" | "finite_number":
            return "must be a number"
        case "bool_parsing":
            return "must be on or off"
        case "greater_than_equal":
            return f"must be at least {context['ge']:g}"
        case "less_than_equal":
            return f"must be at most {context['le']:g}"
        case "string_pattern_mismatch":
            return "has other characters than letters, digits, - and _, or too many"
        case "literal_error":
            return f"must be {context['expected']}"
        case _:
            return str(context.get("error", error["msg"]))


def process_settings() -> Settings:
    """Settings from the environment of this process."""
    return read_settings(os.environ)


def process_log_format() -> Literal["console", "json"]:
    """The format of the log, for commands that need no site."""
    return "json" if os.environ.get(PREFIX + "LOG") == "json" else "console"


def use_site(site: Path) -> None:
    """Read this site folder. Set in the environment, which worker processes inherit."""
    os.environ[SITE] = str(site.absolute())


def is_development(settings: Settings) -> bool:
    """Whether the site's address is one of this machine, or unspecified, as with `kinfolk serve --host 0.0.0.0`."""
    host = (urlsplit(settings.origin).hostname or "").lower()
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def check_secret(settings: Settings) -> None:
    """Raises Invalid for a public site with the default secret or one that can be guessed."""
    if not is_development(settings) and len(settings.secret) < SHORTEST_SECRET:
        raise Invalid(
            f"KINFOLK_SECRET must be set to {SHORTEST_SECRET} random characters or more for {settings.origin}:"
            " anyone could forge sign-ins. Make one with `openssl rand -base64 32`, and keep it. A site on which"
            " readers have no accounts needs none: set `accounts = false` in kinfolk.toml."
        )


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment of a child process that reads the same content as this one, whatever the source of `settings`."""
    return {
        **os.environ,
        SITE: str(settings.site),
        "KINFOLK_CONTENT": str(settings.content),
        "KINFOLK_MIRROR": str(settings.mirror or "off"),
        "KINFOLK_VAR": str(settings.var),
        "KINFOLK_DRAFTS": "on" if settings.drafts else "off",
        "KINFOLK_NPM_REGISTRY": settings.npm_registry,
        "KINFOLK_LOG": "json",
    }

"""Facts of a site that follow from others: what `kinfolk.toml` and the files of libraries need not say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from kinfolk.config.code_hosts import CodeHost, HostKind, code_host

Table = Mapping[str, Any]

DERIVED_BY_FAMILY = frozenset({"owner", "title", "description", "home"})
DERIVED_BY_LIBRARY = frozenset(
    {
        "id", "name", "short_name", "to", "order", "tagline", "description", "latest_version", "latest_branch",
        "versions", "color_from", "color_to", "text_color", "bg_style", "text_style", "card_styles", "menu",
    }
)  # fmt: skip
"""Keys without a fixed default."""

COLORS = ("teal", "violet", "orange", "blue", "pink", "emerald", "amber", "cyan", "red", "indigo")
"""Hues of libraries that name none, in the order of the libraries. Each is in `colors.toml`."""
MAIN = "main"
_FIRST_ORDER = 1000
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")


def with_family_facts(table: Table) -> dict[str, Any]:
    """The table of `kinfolk.toml` with the facts that it does not have."""
    family = str(table.get("family") or "This family")
    title = table.get("title") or family
    description = table.get("description") or f"Documentation of {family}"
    home = {"claim": title, "lede": description}
    derived = {"owner": family, "title": title, "description": description}
    return {**derived, **table, "home": {**home, **_table(table.get("home"))}}


def with_library_facts(table: Table, id: str, position: int, family: str) -> dict[str, Any]:
    """The table of a library's file with the facts that it does not have.

    `position` is the library's place among the files, from 0.
    """
    name = str(table.get("name") or id.replace("-", " ").title())
    color = str(table.get("color") or COLORS[position % len(COLORS)])
    hue = {"color_from": f"{color}-400", "color_to": f"{color}-600"}
    text = table.get("description") or table.get("tagline") or f"Documentation of {name}"
    versions = _versions(table)
    latest = str(table.get("latest_version") or versions[0].get("name", ""))
    derived = {
        "id": id,
        "name": name,
        "short_name": name.removeprefix(f"{family} ") or name,
        "to": f"/{id}",
        "order": _FIRST_ORDER + position,
        "tagline": text,
        "description": text,
        **hue,
        "text_color": f"{color}-500",
        "bg_style": f"{color}-500",
        "text_style": f"{color}-500",
        "card_styles": {"light": f"{color}-600", "dark": f"{color}-400"},
        "versions": versions,
        "latest_version": latest,
        "latest_branch": _version(versions, latest).get("branch") or MAIN,
    }
    facts = {**derived, **table}
    return {"menu": _menu(facts), **facts}


def _versions(table: Table) -> list[dict[str, Any]]:
    """The versions of a library; without any, its latest branch is the only one."""
    written = table.get("versions")
    if isinstance(written, list) and written and all(isinstance(version, dict) for version in written):
        return written
    branch = str(table.get("latest_branch") or MAIN)
    return [{"name": _NOT_IN_SLUG.sub("-", branch.lower()).strip("-") or MAIN, "branch": branch}]


def _version(versions: object, name: object) -> Table:
    """The table of a version; an empty one where the check of the file refuses the versions."""
    tables = versions if isinstance(versions, list) else []
    return next((one for one in tables if isinstance(one, dict) and one.get("name") == name), {})


def _menu(facts: Table) -> list[dict[str, str]]:
    """Links to the docs and to the repository."""
    latest = _version(facts["versions"], facts["latest_version"])
    to, page = facts["to"], latest.get("default_docs") or facts.get("default_docs")
    links = [{"label": "Docs", "to": f"{to}/latest/docs{f'/{page}' if page else ''}", "icon": "book-open"}]
    repo = str(facts.get("repo", ""))
    if repo:
        host = _host(facts)
        links.append({"label": host.label, "to": host.repository(repo), "icon": host.icon})
    return links


def _host(facts: Table) -> CodeHost:
    """The host of the repository; GitHub for a kind that the check of the file refuses."""
    kind: HostKind = next((known for known in get_args(HostKind) if known == facts.get("host")), "github")
    base = facts.get("host_url")
    return code_host(kind, base if isinstance(base, str) else None)


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}

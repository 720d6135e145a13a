"""A new site: the answers of `kinfolk new` -> the files of its folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from string import Template
from typing import get_args

from kinfolk.config.catalog.derived_facts import COLORS
from kinfolk.config.catalog.library import HueName
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.runtime.errors import Invalid

_TEMPLATES = Path(__file__).with_name("templates") / "site"
_REPOSITORY = re.compile(r"(?:https://github\.com/)?([A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+?)(?:\.git)?/?")
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
_ALWAYS = ("kinfolk.toml", "blog/first-post.md")
_SAMPLE_DOCS = ("docs/overview.md", "docs/guides/writing.md")
HUES: tuple[str, ...] = get_args(HueName)


@dataclass(frozen=True)
class NewLibrary:
    """A library of the new site. Without a repository, its docs are in the folder of the site."""

    id: str
    name: str
    repo: str | None = None


@dataclass(frozen=True)
class NewSite:
    """The answers. `color` is the hue of the first library; the others follow."""

    family: str
    color: str
    libraries: tuple[NewLibrary, ...]


def plan_site(family: str, color: str, repositories: Iterable[str]) -> NewSite:
    """Check the answers. Raises Invalid naming the answer.

    Without a repository, the site has one library with sample docs, named after the family.
    """
    family = " ".join(family.split())
    if not family.isprintable() or not slug_of(family):
        raise Invalid("The name needs a letter or a digit")
    if color not in HUES:
        raise Invalid(f"The color is one of {', '.join(HUES)}, not {color}")
    libraries = tuple(_library(repository) for repository in repositories)
    ids = [library.id for library in libraries]
    for id in ids:
        if ids.count(id) > 1:
            raise Invalid(f"Two repositories are called {id}: add one of them in libraries/ later, with another id")
    return NewSite(family, color, libraries or (NewLibrary(slug_of(family), family),))


def site_files(site: NewSite, *, today: date, version: str) -> Mapping[str, str]:
    """The text of each file by its path in the folder of the site."""
    first = site.libraries[0]
    values = {
        "family": site.family,
        "family_toml": toml_text(site.family),
        "description_toml": toml_text(f"Documentation of {site.family}"),
        "home": _home(site),
        "name": first.name,
        "today": today.isoformat(),
        "version": version,
    }
    has_samples = first.repo is None
    files = {name: _filled(name, values) for name in (*_ALWAYS, *(_SAMPLE_DOCS if has_samples else ()))}
    files |= shared_files(site.family, version=version)
    for position, library in enumerate(site.libraries):
        source = (
            f"repo = {toml_text(library.repo)}"
            if library.repo
            else '# The docs are in docs/ of this folder.\nfolder = "."'
        )
        color = site.color if position == 0 else _other_color(site.color, position)
        own = {
            "name_toml": toml_text(library.name),
            "tagline_toml": toml_text(f"Documentation of {library.name}"),
            "color": color,
            "source": source,
        }
        files[f"libraries/{library.id}.toml"] = _filled("library.toml", own)
    return files


def shared_files(family: str, *, version: str) -> dict[str, str]:
    """The files of each new site that do not depend on its libraries."""
    values = {"family": family, "version": version}
    return {
        "README.md": _filled("README.md", values),
        ".github/workflows/check.yml": _filled("workflows/check.yml", values),
        ".gitignore": "/var/\n/dist/\n",
    }


def write_site(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files. Raises Invalid, before any is written, if one of them exists."""
    for name in files:
        if (folder / name).exists():
            raise Invalid(f"{folder / name} exists already: choose another folder")
    try:
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise Invalid(f"{folder} cannot be written: {error.strerror}") from None


def is_site(folder: Path) -> bool:
    """Whether the folder has a site already."""
    return (folder / SITE_FILE).exists()


def _library(written: str) -> NewLibrary:
    found = _REPOSITORY.fullmatch(written.strip())
    if found is None:
        raise Invalid(f"A repository is written as owner/name, such as acme/widgets, not {written!r}")
    repo = found[1]
    name = repo.rpartition("/")[2]
    id = slug_of(name)
    if not id:
        raise Invalid(f"The name of {written!r} needs a letter or a digit")
    return NewLibrary(id, name.replace("-", " ").replace("_", " ").title(), repo)


def _home(site: NewSite) -> str:
    """The texts of the home page. That of one library is the landing page of the library."""
    if len(site.libraries) == 1:
        return ""
    claim = toml_text(f"The libraries of {site.family}.")
    lede = toml_text("Documentation and examples in one place.")
    return f"\n# The home page begins with these words.\n[home]\nclaim = {claim}\nlede = {lede}\n"


def _other_color(first: str, position: int) -> str:
    others = [color for color in COLORS if color != first]
    return others[(position - 1) % len(others)]


def _filled(name: str, values: Mapping[str, str]) -> str:
    # Code in the templates has placeholders of its own, such as `${name}` of TypeScript.
    return Template((_TEMPLATES / name).read_text(encoding="utf-8")).safe_substitute(values)


def slug_of(text: str) -> str:
    """The text as an identifier; empty without a letter or a digit."""
    return _NOT_IN_SLUG.sub("-", text.lower()).strip("-")


def toml_text(text: str | None) -> str:
    """A basic string of TOML, which has the escapes of JSON."""
    return json.dumps(text, ensure_ascii=False)

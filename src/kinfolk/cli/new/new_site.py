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

from kinfolk.cli.new.facts.readable_text import GENERIC_NAMES, letters_of
from kinfolk.config.catalog.derived_facts import COLORS
from kinfolk.config.catalog.library import HueName
from kinfolk.config.docs_address import Ref
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.content.sources.paths import check_ref
from kinfolk.runtime.errors import Invalid

_TEMPLATES = Path(__file__).with_name("templates") / "site"
_WRITTEN = re.compile(
    r"(?:https://github\.com/)?([A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+?)(?:\.git)?/?(?:@([A-Za-z0-9][A-Za-z0-9._/-]*))?"
)
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
    branch: str | None = None


@dataclass(frozen=True)
class NewSite:
    """The answers. `color` is the hue of the first library; the others follow."""

    family: str
    color: str
    libraries: tuple[NewLibrary, ...]


@dataclass(frozen=True)
class ChosenRepository:
    """A repository of the command line. Without a branch, its default branch is meant."""

    repo: str
    branch: str | None

    @property
    def name(self) -> str:
        """The name of its library: that of its owner for one called `website` or `docs`."""
        owner, _, name = self.repo.partition("/")
        return owner if letters_of(name) in GENERIC_NAMES else name

    @property
    def id(self) -> str:
        return slug_of(self.name)


def chosen_repositories(written: Iterable[str]) -> list[ChosenRepository]:
    """`owner/name`, `owner/name@branch` or an address on GitHub. Raises Invalid naming the one that is none."""
    chosen = []
    for text in written:
        found = _WRITTEN.fullmatch(text.strip())
        if found is None:
            raise Invalid(f"A repository is written as owner/name, such as acme/widgets, not {text!r}")
        one = ChosenRepository(found[1], found[2])
        check_ref(Ref(one.repo, one.branch or "main"))
        if not one.id:
            raise Invalid(f"The name of {text!r} needs a letter or a digit")
        chosen.append(one)
    ids = [one.id for one in chosen]
    for id in ids:
        if ids.count(id) > 1:
            raise Invalid(f"Two repositories are called {id}: add one of them in libraries/ later, with another id")
    return chosen


def plan_site(family: str, color: str, repositories: Iterable[str]) -> NewSite:
    """Check the answers. Raises Invalid naming the answer.

    Without a repository, the site has one library with sample docs, named after the family.
    """
    family = " ".join(family.split())
    if not family.isprintable() or not slug_of(family):
        raise Invalid("The name needs a letter or a digit")
    if color not in HUES:
        raise Invalid(f"The color is one of {', '.join(HUES)}, not {color}")
    libraries = tuple(map(_library, chosen_repositories(repositories)))
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
            + (f"\nlatest_branch = {toml_text(library.branch)}" if library.branch else "")
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


def _library(chosen: ChosenRepository) -> NewLibrary:
    name = chosen.name.replace("-", " ").replace("_", " ").title()
    return NewLibrary(chosen.id, name, chosen.repo, chosen.branch)


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

"""Links and paths in the Markdown documents of the repository lead to files and headings that exist."""

from __future__ import annotations

import importlib
import importlib.util
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from tests.sites.sample_site import SITE

from kinfolk.config.settings import ROOT
from kinfolk.content.markdown.links.slugs import Slugs
from kinfolk.live.topics import KINDS

DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "frontend/*.md", "docs/**/*.md", "decisions/*.md", ".github/*.md")
    for path in ROOT.glob(pattern)
)
OF_OTHER_REPOSITORIES = (
    "CHANGELOG.md",
    "docusaurus.md",
    "mkdocs.md",
    "vitepress.md",
    "configuration.md",
    "writing.md",
    "0001-router-default-doc.md",
)
"""Documents that name files of former versions, or of the libraries' repositories."""
WITH_PATHS = [path for path in DOCUMENTS if path.name not in OF_OTHER_REPOSITORIES]
BASES = (
    ROOT,
    ROOT / "src/kinfolk",
    ROOT / "frontend",
    ROOT / "frontend/src",
    SITE,
    SITE / "libraries",
)
"""Folders that the paths in these documents start at."""
CREATED = ("var/", "frontend/dist/", "deploy/docs.env")
"""Files that exist only after a build, a start, or a copy of an example."""

FILE_ENDINGS = (".br", ".css", ".gz", ".json", ".md", ".py", ".sqlite", ".toml", ".ts", ".tsx", ".txt", ".yml")
SOURCES = (".css", ".mjs", ".py", ".sh", ".toml", ".ts", ".tsx", ".yml")

_NAME = re.compile(r"`(?:kinfolk\.)?([a-z_]\w*(?:\.\w+)+)(?:\(\))?`")
_FENCE = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)`*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"<[^>]+>|\{[^}]+\}|…")
_FILE = re.compile(r"`([\w.{<][\w./{}<>*…-]*/[\w./{}<>*…-]*)`")


@cache
def prose(document: Path) -> str:
    return _FENCE.sub("", (ROOT / document).read_text(encoding="utf-8"))


@cache
def anchors(document: Path) -> frozenset[str]:
    slugs = Slugs()
    return frozenset(
        slugs.take(re.sub(r"`|\[([^\]]*)\]\([^)]*\)", r"\1", title)) for title in _HEADING.findall(prose(document))
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_to_existing_files_and_headings(document: Path) -> None:
    broken = []
    for link in _LINK.findall(_CODE.sub("", prose(document))):
        if link.startswith(("https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / document.parent / path).resolve() if path else ROOT / document
        if not target.exists() or (anchor and anchor not in anchors(target.relative_to(ROOT))):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("document", WITH_PATHS, ids=str)
def test_paths_in_backticks_exist(document: Path) -> None:
    paths = [path for path in _FILE.findall(prose(document)) if names_a_file_of_the_repository(path)]
    patterns = {path: _PLACEHOLDER.sub("*", path).strip("/") for path in paths}
    assert [path for path in paths if not any(next(base.glob(patterns[path]), None) for base in BASES)] == []


def names_a_file_of_the_repository(path: str) -> bool:
    """Paths of URLs and of other repositories have a first part that is not in this one."""
    if path.startswith(CREATED):
        return False
    return path.endswith(SOURCES) or any((base / path.partition("/")[0]).exists() for base in BASES)


@pytest.mark.parametrize("document", WITH_PATHS, ids=str)
def test_modules_and_names_in_backticks_exist(document: Path) -> None:
    names = [name for name in _NAME.findall(prose(document)) if is_of_this_package(name)]
    assert [name for name in names if not exists(name)] == []


def is_of_this_package(name: str) -> bool:
    """`site.css` and `current.json` are files, `docs.page` is a topic, `resource.setrlimit` is of another package."""
    first = name.partition(".")[0]
    return (
        not name.endswith(FILE_ENDINGS)
        and name not in KINDS
        and importlib.util.find_spec(f"kinfolk.{first}") is not None
    )


def exists(name: str) -> bool:
    """Whether a module of `kinfolk`, or an attribute of one, has this name."""
    found: object = importlib.import_module("kinfolk")
    for part in name.split("."):
        if isinstance(found, ModuleType) and hasattr(found, "__path__") and not hasattr(found, part):
            with suppress(ModuleNotFoundError):
                importlib.import_module(f"{found.__name__}.{part}")
        if not hasattr(found, part) and part not in getattr(found, "__annotations__", {}):
            return False
        found = getattr(found, part, None)
    return True

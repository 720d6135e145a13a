"""The engine names no family of libraries: a site is data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kinfolk.config.settings import ROOT

SOURCES = (ROOT / "src", ROOT / "frontend" / "src")
SUFFIXES = {".py", ".ts", ".tsx", ".css", ".js", ".toml", ".md", ".svg", ".json", ".mako", ".yml"}
ROUTE_TREE = "routeTree.gen.ts"
"""Generated, with the names of packages."""
_PACKAGE = re.compile(r"@tanstack/react-router(?:-devtools)?\b")
_IMPORTED = re.compile(r"^(?:import|export) .* from '@tanstack/[\w/-]+'$", re.MULTILINE)


def _files() -> Iterator[Path]:
    for folder in SOURCES:
        yield from (path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.name != ROUTE_TREE)


def test_sources_name_the_family_of_the_sample_site_only_as_a_package() -> None:
    texts = {path: _PACKAGE.sub("", _IMPORTED.sub("", path.read_text(encoding="utf-8"))) for path in _files()}
    assert len(texts) > 500
    assert [str(path) for path, text in texts.items() if "tanstack" in text.lower()] == []

"""Packages that code of docs uses although the documented packages do not depend on them: `common_packages.toml`."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, TypeAdapter


class _CommonPackages(BaseModel):
    model_config = ConfigDict(extra="allow")

    optional_peers: tuple[str, ...]
    tools: tuple[str, ...]
    __pydantic_extra__: dict[str, dict[str, str]]


@cache
def _read() -> _CommonPackages:
    text = files(__package__).joinpath("common_packages.toml").read_text(encoding="utf-8")
    return TypeAdapter(_CommonPackages).validate_python(tomllib.loads(text))


def optional_peers() -> frozenset[str]:
    """Optional peers that are fetched where declarations import them."""
    return frozenset(_read().optional_peers)


def is_tool(name: str) -> bool:
    """Whether a package configures or builds a project, and has types that are not fetched."""
    return any(fnmatchcase(name, pattern) for pattern in _read().tools)


def common_packages(framework: str | None) -> tuple[str, ...]:
    """Packages that are fetched for each library with this framework, those of the framework first."""
    listed = _read().__pydantic_extra__
    return tuple(dict.fromkeys((*listed.get(framework or "", {}), *listed.get("all", {}))))
